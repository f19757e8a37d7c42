/* SPDX-License-Identifier: MIT */
/* Confusion tables for the calculators: typed, counted from two label columns, or given as a
 * matrix in a table. */
#ifndef CAIRN_TYPED_LABELS_H
#define CAIRN_TYPED_LABELS_H

#include "model/calculator.h"

typedef struct cairn_label_option {
    const char *table, *classes;                      /* typed matrix, names of its classes */
    const char *tp, *fn, *fp, *tn;                    /* typed counts */
    const char *total, *relevant, *retrieved, *found; /* the same in the words of retrieval */
    const char *actual, *predicted;                   /* columns */
    const char *labels, *predictions;                 /* typed lists */
    int rows; /* 0 actual, 1 predicted, -1 = as the data says */
    const char *positive;
} cairn_label_option;

extern const cairn_param cairn_label_group[];

typedef struct cairn_labels {
    double *cells; /* n x n, rows actual */
    size_t n;
    const char **names;
    size_t positive;     /* with two classes */
    size_t left_out;     /* rows without a label or without a prediction */
    bool without_tn;     /* typed counts without the true negatives: their cell is NaN */
    bool rows_predicted; /* how the table was given and is shown */
} cairn_labels;

/* All memory is scratch. `what` is the command ("compute confusion"), for messages. */
CAIRN_CHECKED cairn_status cairn_read_labels(cairn_context *ctx, cairn_labels *out,
                                             const cairn_label_option *option,
                                             const cairn_table *table, const char *what);
/* The positive one of two names: the wanted one, else a usual word for yes, else the lighter one.
 * Fails when `wanted` is none of them. */
CAIRN_CHECKED cairn_status cairn_choose_positive(cairn_context *ctx, size_t *out,
                                                 const char *const names[2],
                                                 const double weights[2], const char *wanted);
/* A number typed for an option that is not negative. */
CAIRN_CHECKED cairn_status cairn_read_count(cairn_context *ctx, double *out, const char *option,
                                            const char *text);

#endif
