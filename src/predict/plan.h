/* SPDX-License-Identifier: MIT */
/* The program of a model prepared for speed: its operations one after the other on the slots of a
 * row, each in the form that is fastest for it. What has no form of its own is run as it is
 * exported (export/runtime.h). Sums are added in the order of the learner's own `predict` where
 * the program tells it, so that answers have the same bits. */
#ifndef CAIRN_PREDICT_PLAN_H
#define CAIRN_PREDICT_PLAN_H

#include "export/export.h"

typedef struct cairn_row_plan cairn_row_plan;
typedef struct cairn_row_plan_step cairn_row_plan_step;

struct cairn_row_plan_step {
    void (*run)(const cairn_row_plan_step *step, double *v);
    /* the same for n rows whose slots are `width` apart; NULL = one after the other */
    void (*run_all)(const cairn_row_plan_step *step, double *v, size_t width, size_t n);
    const cairn_operation *op;
    cairn_ready_op *ready; /* the operation as it is exported */
    void *own;             /* the prepared form; NULL = it has none */
    void (*clear)(void *own);
};

struct cairn_row_plan {
    cairn_program program;
    cairn_row_plan_step *steps;
    size_t n_steps;
    size_t n_slots;
    cairn_program_answer answer; /* where the answers are */
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
    for (size_t i = 0; i < plan->n_steps; i++) plan->steps[i].run(&plan->steps[i], v);
}

/* The same for n rows, whose slots are `width` apart. */
static inline void cairn_row_plan_run_all(const cairn_row_plan *plan, double *v, size_t width,
                                          size_t n)
{
    for (size_t i = 0; i < plan->n_steps; i++) {
        const cairn_row_plan_step *step = &plan->steps[i];
        if (step->run_all) {
            step->run_all(step, v, width, n);
            continue;
        }
        for (size_t r = 0; r < n; r++) step->run(step, v + r * width);
    }
}

/* -- the forms -- */

/* Trees as nodes of 16 bytes; leaves the step alone where they have no such form. `start` (may be
 * NULL) is what the sums begin with, and then `out` is the first slot that is written. */
CAIRN_CHECKED cairn_status cairn_row_plan_trees(cairn_context *ctx, cairn_row_plan_step *step,
                                                const double *start, int32_t out);

#endif
