/* SPDX-License-Identifier: MIT */
/* The inside of a predictor: which cell of a caller's row is which input of the model, the plan
 * that answers rows, and a table of one row for models that have none. */
#ifndef CAIRN_PREDICT_PREDICTOR_H
#define CAIRN_PREDICT_PREDICTOR_H

#include "cairn/predictor.h"
#include "kernels/row_finite.h"
#include "predict/plan.h"
#include <math.h>
#include <string.h>

/* A number that the model reads: a column, or how much of an item a bag holds. */
typedef struct cairn_row_input {
    char *name;     /* COLUMN, or BAG=ITEM */
    size_t field;   /* of the model's schema */
    size_t feature; /* the same, counted among the features */
    ptrdiff_t item; /* of a bag; -1 = the whole column */
} cairn_row_input;

/* Rows that a worker runs a plan on at a time: so many, or fewer where they have many slots. */
enum { CAIRN_PLAN_ROWS = 64 };

/* An input that not every number is good for. */
typedef struct cairn_coded_input {
    size_t input;
    double n_levels; /* codes are below this; 0 = no number is good: a text, a sequence ... */
} cairn_coded_input;

/* A column of the caller's rows. */
typedef struct cairn_given_column {
    char *name;
    ptrdiff_t input; /* -1 = not an input */
    ptrdiff_t bag;   /* field of a bag that is given as a whole; -1 = it is none */
} cairn_given_column;

struct cairn_predictor {
    cairn_context *ctx; /* its own */
    int threads;        /* of the context that it was made with */
    const cairn_model *model;
    cairn_predictor_options options;
    cairn_row_plan *plan; /* NULL = the learner is asked */
    cairn_row_input *inputs;
    size_t n_inputs;
    ptrdiff_t *sources; /* n_inputs: their columns in the caller's rows; -1 = always missing */
    cairn_coded_input *coded; /* those of levels and those that are no numbers */
    size_t n_coded;
    cairn_given_column *columns;
    size_t n_columns;
    bool straight; /* column i is input i, and there are no others */
    bool refuses;  /* missing cells, where they leave no answer */
    bool whole;    /* some bag is given as a whole */
    bool direct;   /* a row of doubles is read where it lies */
    cairn_row_finite is_finite;
    const cairn_quick_plan *quick[2]; /* of complete rows, without scores and with them; NULL = no
                                         plan has what is wanted, and the learner is asked */
    size_t n_scores, n_classes;
    double *slots; /* of n_slotted rows, `width` apart */
    size_t width;
    size_t n_together;  /* rows that a worker runs a plan on at a time */
    size_t n_slotted;   /* 1, or as many rows as all workers run at a time */
    cairn_table *table; /* one row of the model's features; NULL = not needed yet */
    bool texts;         /* it holds texts of the last row */
    cairn_map marks;    /* of missing cells; empty = not needed yet */
};

/* What rows are read from: cells `stride` bytes apart. */
typedef struct cairn_row_source {
    const char *data;
    ptrdiff_t stride, row_stride;
    bool floats;
} cairn_row_source;

/* -- inputs.c -- */

/* Inputs of the model, matched with the caller's columns. */
CAIRN_CHECKED cairn_status cairn_predictor_match(cairn_context *ctx, cairn_predictor *p,
                                                 const char *const *columns, size_t n_columns);
/* The inputs of n rows into their slots. */
void cairn_predictor_load(const cairn_predictor *p, const cairn_row_source *rows, double *v,
                          size_t n);
/* The same of one row of doubles. */
void cairn_predictor_load_row(const cairn_predictor *p, const double *row, double *v);
/* Whether every code among the inputs is one. */
bool cairn_predictor_are_codes(const cairn_predictor *p, const double *x);
/* Inputs that are in v: codes of -1 become missing. Fails with the name of a
 * column and, when it is not 0, with the number of the row; `ctx` NULL = without a message. */
CAIRN_CHECKED cairn_status cairn_predictor_check(cairn_context *ctx, const cairn_predictor *p,
                                                 double *v, size_t row);
/* Fails: a bag that is given as a whole has no number. */
CAIRN_CHECKED cairn_status cairn_predictor_refuse_whole(cairn_predictor *p);
/* Fails: this row has a missing cell that the model has no use for. OK when none is missing. */
CAIRN_CHECKED cairn_status cairn_predictor_refuse(cairn_context *ctx, const cairn_predictor *p,
                                                  const double *v, size_t row);

/* -- predictor.c -- */

/* Forget the texts of the row before. */
void cairn_predictor_forget(cairn_predictor *p);
/* Slots for so many rows. */
CAIRN_CHECKED cairn_status cairn_predictor_slots(cairn_predictor *p, size_t n_rows);
/* Answer and scores of a row from the slots where a plan has left them; both may be NULL. */
static inline void cairn_predictor_take(const cairn_program_answer *a, const double *v,
                                        cairn_answer *answer, double *scores)
{
    if (answer)
        *answer = (cairn_answer){a->code >= 0 ? (int32_t)v[a->code] : -1,
                                 a->number >= 0 ? v[a->number] : NAN};
    for (size_t k = 0; scores && k < a->n_scores; k++) scores[k] = v[(size_t)a->scores + k];
}

/* Whether all inputs of a row are there and good. */
static inline bool cairn_predictor_is_complete(const cairn_predictor *p, const double *x)
{
    return p->is_finite(x, p->n_inputs) && (!p->n_coded || cairn_predictor_are_codes(p, x));
}

/* The short way: answer a row where it lies, if it is complete. `v` are slots; it may lie there. */
static inline bool cairn_predictor_answer_quickly(const cairn_predictor *p, const double *x,
                                                  double *v, cairn_answer *answer, double *scores)
{
    const cairn_quick_plan *plan = p->quick[scores != NULL];
    if (!plan || !cairn_predictor_is_complete(p, x)) return false;
    if (plan->copies && x != v) memcpy(v, x, p->n_inputs * sizeof *v);
    if (!cairn_quick_plan_run(plan, x, v)) return false;
    cairn_predictor_take(&plan->answer, v, answer, scores);
    return true;
}

/* Answer a row whose inputs are in v and may be missing or no good, by the long way of the plan or
 * by the learner. Fails with the name of a column and, when it is not 0, with the number of the
 * row.
 * `ctx` NULL = without a message, and by the plan only. */
CAIRN_CHECKED cairn_status cairn_predictor_answer(cairn_context *ctx, cairn_predictor *p, double *v,
                                                  size_t row, cairn_answer *answer, double *scores);

/* A table with the model's features, of so many rows, all missing. */
CAIRN_CHECKED cairn_status cairn_predictor_table(cairn_context *ctx, cairn_table **out,
                                                 const cairn_model *model, size_t n_rows);

#endif
