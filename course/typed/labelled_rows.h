/* SPDX-License-Identifier: MIT */
/* Rows that are in clusters, for calculators and pictures about clusterings: the clusters are those
 * of a column, of a model, or typed. */
#ifndef CAIRN_TYPED_LABELLED_ROWS_H
#define CAIRN_TYPED_LABELLED_ROWS_H

#include "data/view.h"
#include "model/calculator.h"

/* A group of parameters. */
typedef struct cairn_labelled_options {
    const char *clusters;  /* column */
    const char *labels;    /* typed, one per row */
    const char *partition; /* typed, the rows of each cluster */
} cairn_labelled_options;

extern const cairn_param cairn_labelled_group[];

typedef struct cairn_labelled_rows {
    cairn_table *table; /* owned: the columns as they are or, of a model, as its learner sees them;
                           the labels are no feature */
    cairn_view view;    /* of the rows that are in a cluster; scratch */
    int32_t *codes;     /* of these rows; scratch */
    const char **names; /* n_clusters; scratch */
    size_t n_clusters;
    size_t n_without;  /* rows that are in no cluster */
    const char *by;    /* where the clusters come from: "column species"; scratch */
    const char *model; /* the learner of the model, or NULL */
} cairn_labelled_rows;

/* The clusters of the job's table: by the options, by its model, else by the target. */
CAIRN_CHECKED cairn_status cairn_labelled_rows_read(cairn_context *ctx, cairn_labelled_rows *out,
                                                    const cairn_labelled_options *options,
                                                    const cairn_compute_job *job);
void cairn_labelled_rows_clear(cairn_labelled_rows *rows);

/* The number features of these rows. Scratch. */
typedef struct cairn_labelled_places {
    size_t n, width;
    double *values;       /* n x width */
    double *weights;      /* n */
    const char **columns; /* width */
    size_t n_other;       /* features that are no numbers: left out */
} cairn_labelled_places;
/* Fails when there is none, or on a cell that is missing or infinite. */
CAIRN_CHECKED cairn_status cairn_labelled_places_read(cairn_context *ctx,
                                                      cairn_labelled_places *out,
                                                      const cairn_labelled_rows *rows,
                                                      const char *what);

#endif
