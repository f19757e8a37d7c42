/* SPDX-License-Identifier: MIT */
/* The inside of a predictor: which cell of a caller's row is which input of the model, the plan
 * that answers rows, and a table of one row for models that have none. */
#ifndef CAIRN_PREDICT_PREDICTOR_H
#define CAIRN_PREDICT_PREDICTOR_H

#include "cairn/predictor.h"
#include "predict/plan.h"

/* A number that the model reads: a column, or how much of an item a bag holds. */
typedef struct cairn_row_input {
    char *name;       /* COLUMN, or BAG=ITEM */
    size_t field;     /* of the model's schema */
    size_t feature;   /* the same, counted among the features */
    ptrdiff_t item;   /* of a bag; -1 = the whole column */
    ptrdiff_t column; /* of the caller's rows; -1 = always missing */
} cairn_row_input;

/* Rows that a worker runs a plan on at a time. */
enum { CAIRN_PLAN_ROWS = 16 };

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
    cairn_coded_input *coded; /* those of levels and those that are no numbers */
    size_t n_coded;
    cairn_given_column *columns;
    size_t n_columns;
    bool straight; /* column i is input i, and there are no others */
    bool refuses;  /* missing cells, where they leave no answer */
    bool whole;    /* some bag is given as a whole */
    size_t n_scores, n_classes;
    double *slots; /* of n_slotted rows, `width` apart */
    size_t width;
    size_t n_slotted;   /* 1, or CAIRN_PLAN_ROWS for every worker */
    cairn_table *table; /* one row of the model's features; NULL = not needed yet */
    bool texts;         /* it holds texts of the last row */
    cairn_map marks;    /* of missing cells; empty = not needed yet */
};

/* What a row is read from: cells `stride` bytes apart. */
typedef struct cairn_row_source {
    const char *data;
    ptrdiff_t stride;
    bool floats;
} cairn_row_source;

/* -- inputs.c -- */

/* Inputs of the model, matched with the caller's columns. */
CAIRN_CHECKED cairn_status cairn_predictor_match(cairn_context *ctx, cairn_predictor *p,
                                                 const char *const *columns, size_t n_columns);
/* The inputs of a row, checked, into v. False when a cell must be looked at: then
 * cairn_predictor_check says what it is. */
bool cairn_predictor_load(const cairn_predictor *p, const cairn_row_source *row, double *v);
/* The same for inputs that are in v already: codes of -1 become missing. Fails with the name of a
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
/* Whether the plan has what is wanted; otherwise the learner is asked. */
bool cairn_predictor_is_planned(const cairn_predictor *p, const double *scores);
/* Answer and scores of a row from its slots, which the plan has been run on. */
CAIRN_CHECKED cairn_status cairn_predictor_take(cairn_context *ctx, const cairn_predictor *p,
                                                const double *v, size_t row, cairn_answer *answer,
                                                double *scores);
/* The same by the plan or by the learner, on the predictor's context. */
CAIRN_CHECKED cairn_status cairn_predictor_answer(cairn_predictor *p, double *v, size_t row,
                                                  cairn_answer *answer, double *scores);

/* -- predictor_rows.c -- */

/* A table with the model's features, of so many rows, all missing. */
CAIRN_CHECKED cairn_status cairn_predictor_table(cairn_context *ctx, cairn_table **out,
                                                 const cairn_model *model, size_t n_rows);

#endif
