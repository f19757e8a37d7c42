/* SPDX-License-Identifier: MIT */
/* Recurrent networks: what the files of the learner share. */
#ifndef CAIRN_LEARNERS_NETWORK_RECURRENT_H
#define CAIRN_LEARNERS_NETWORK_RECURRENT_H

#include "model/learner.h"

/* What the steps of a row are. */
typedef enum cairn_recurrent_shape {
    CAIRN_RECURRENT_SYMBOLS, /* items of the first column of sequences, an input for each symbol */
    CAIRN_RECURRENT_SERIES,  /* columns of series, an input for each */
    CAIRN_RECURRENT_COLUMNS, /* columns of numbers from left to right, one input */
    CAIRN_RECURRENT_SHAPES
} cairn_recurrent_shape;

/* What the outputs read of the hidden nodes. */
typedef enum cairn_recurrent_reading {
    CAIRN_RECURRENT_LAST, /* what they put out at the last step */
    CAIRN_RECURRENT_MEAN  /* its mean over all steps */
} cairn_recurrent_reading;

/* Weights are node after node: of a hidden node those of the inputs, of the hidden nodes one step
 * before, and its bias; of an output those of the hidden nodes, and its bias. */
typedef struct cairn_recurrent_model {
    int32_t shape, reading; /* cairn_recurrent_shape, cairn_recurrent_reading */
    size_t n_in, n_hidden, n_out;
    double *weights;
    double *shift, *unit;  /* n_in: numbers are read as (x - shift) / unit */
    double centre, spread; /* of a number target */
    size_t epochs, kept;   /* that were done; the one whose weights are kept, 0 = the first */
    double error;          /* mean E of that epoch */
} cairn_recurrent_model;

static inline size_t cairn_recurrent_wide(const cairn_recurrent_model *m)
{
    return m->n_in + m->n_hidden + 1;
}
static inline double *cairn_recurrent_last(const cairn_recurrent_model *m, double *weights)
{
    return weights + m->n_hidden * cairn_recurrent_wide(m);
}
size_t cairn_recurrent_n_weights(const cairn_recurrent_model *m);

/* Rows of a view, one at a time. */
typedef struct cairn_recurrent_rows {
    const cairn_view *view;
    const cairn_recurrent_model *model;
    size_t most;          /* steps of the longest row */
    size_t n;             /* steps of the row that was read */
    const int32_t *items; /* of symbols, -1 = unknown: no input is on */
    double *x;            /* else n x n_in */
} cairn_recurrent_rows;

/* A pass through one row. */
typedef struct cairn_recurrent_pass {
    double *h;            /* (most + 1) x n_hidden, the first row is 0 */
    double *deltas;       /* most x n_hidden: -dE/dnet */
    double *y, *t, *back; /* n_out, n_out, n_hidden */
    double *read, *each;  /* n_hidden: what the outputs read, and what comes back of it to a step */
} cairn_recurrent_pass;

/* recurrent.c: passes through a row */
void cairn_recurrent_forward(const cairn_recurrent_rows *rows, cairn_recurrent_pass *pass,
                             bool classes);
/* E of the row against pass->t. */
double cairn_recurrent_cost(const cairn_recurrent_rows *rows, const cairn_recurrent_pass *pass,
                            bool classes);
/* Deltas through all steps; into += -dE/dw times `by`. */
void cairn_recurrent_backward(const cairn_recurrent_rows *rows, cairn_recurrent_pass *pass,
                              double by, double *into);

extern const cairn_learned cairn_recurrent_tables[];

#endif
