/* SPDX-License-Identifier: MIT */
/* The program of a model prepared for speed: its operations one after the other on the slots of a
 * row, each in the form that is fastest for it. What has no form of its own is run as it is
 * exported (export/runtime.h). Sums are added in the order of the learner's own `predict` where
 * the program tells it, so that answers have the same bits.
 *
 * Most rows are complete: all cells are there. For them there is a shorter way,
 * which fills nothing, looks for nothing missing, and reads the caller's row where it lies. */
#ifndef CAIRN_PREDICT_PLAN_H
#define CAIRN_PREDICT_PLAN_H

#include "export/export.h"

typedef struct cairn_row_plan cairn_row_plan;
typedef struct cairn_row_plan_step cairn_row_plan_step;

/* Rows that go through a step together. */
typedef struct cairn_row_block {
    const double *x;  /* what the step reads of the first row */
    ptrdiff_t x_step; /* numbers from there to the next row */
    double *v;        /* the slots of the first row */
    size_t width;     /* ... and from there to the next */
    size_t n;
} cairn_row_block;

/* What a step does with one row, or with several. False, which only forms for complete rows say:
 * the long way is needed to find an answer. */
typedef struct cairn_row_form {
    bool (*one)(const cairn_row_plan_step *step, const double *x, double *v);
    bool (*all)(const cairn_row_plan_step *step,
                const cairn_row_block *rows); /* NULL = one by one */
} cairn_row_form;

struct cairn_row_plan_step {
    cairn_row_form any; /* x = v + from */
    /* the same where x is a row without missing cells, where only the last output is asked for (the
     * class), and both; without a function = there is none */
    cairn_row_form complete, code, complete_code;
    const cairn_operation *op;
    bool reads_x; /* what it reads lies in x; else anywhere in v */
    int32_t from; /* the first slot that it reads */
    size_t n_in;  /* of how many slots: those of op->in, or of fills so many from there on */
    int32_t out;  /* the first slot that it writes */
    size_t n_out; /* of how many */
    const cairn_row_plan_step *before; /* `code` reads what this step would: its scores */
    bool heavy; /* many rows are answered sooner by the learner, which works on blocks of them */
    cairn_ready_op *ready; /* the operation as it is exported */
    void *own;             /* the prepared form; NULL = it has none */
    void (*clear)(void *own);
};

/* A step of the short way. */
typedef struct cairn_quick_step {
    const cairn_row_plan_step *step;
    cairn_row_form form;
    bool raw;     /* x is the caller's row, else the slots */
    int32_t from; /* from there on */
} cairn_quick_step;

typedef struct cairn_quick_plan {
    cairn_quick_step *steps;
    size_t n_steps;
    bool copies; /* some step wants the row among the slots */
    cairn_program_answer answer;
} cairn_quick_plan;

struct cairn_row_plan {
    cairn_program program;
    cairn_row_plan_step *steps;
    size_t n_steps;
    size_t n_slots, n_inputs;
    cairn_program_answer answer; /* where the answers are */
    cairn_quick_plan quick[2];   /* of complete rows: without scores, and with them */
    bool heavy;                  /* many rows are answered sooner by the learner */
};

/* Prepare the program of a model; *out is NULL when the model has none. */
CAIRN_CHECKED cairn_status cairn_row_plan_new(cairn_context *ctx, cairn_row_plan **out,
                                              const cairn_model *model);
void cairn_row_plan_free(cairn_row_plan *plan);
CAIRN_CAN_OWN(cairn_row_plan_free, cairn_row_plan)

/* Run it on one row: `v` has n_slots slots, the first of which are the row. */
static inline void cairn_row_plan_run(const cairn_row_plan *plan, double *v)
{
    for (size_t i = 0; i < plan->n_steps; i++) {
        const cairn_row_plan_step *step = &plan->steps[i];
        (void)step->any.one(step, v + step->from, v);
    }
}

/* The short way of a complete row, which may lie anywhere; false = take the long one. */
static inline bool cairn_quick_plan_run(const cairn_quick_plan *plan, const double *row, double *v)
{
    for (size_t i = 0; i < plan->n_steps; i++) {
        const cairn_quick_step *s = &plan->steps[i];
        if (!s->form.one(s->step, (s->raw ? row : v) + s->from, v)) return false;
    }
    return true;
}

/* The same for many rows: x and x_step of `rows` are those of the caller's. */
bool cairn_quick_plan_run_all(const cairn_quick_plan *plan, const cairn_row_block *rows);

/* -- the forms -- */

/* Trees as nodes of 16 bytes; leaves the step alone where they have no such form. `start` (may be
 * NULL) is what the sums begin with, and then `out` is the first slot that is written. */
CAIRN_CHECKED cairn_status cairn_row_plan_trees(cairn_context *ctx, cairn_row_plan_step *step,
                                                const double *start, int32_t out);

#endif
