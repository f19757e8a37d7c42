/* SPDX-License-Identifier: MIT */
/* Clusters that a model finds among rows, made ready for measures: where the rows lie as its
 * learner sees them and, where the table has a target, beside that labelling. */
#ifndef CAIRN_MODEL_JUDGED_CLUSTERS_H
#define CAIRN_MODEL_JUDGED_CLUSTERS_H

#include "model/model.h"
#include "stats/clustering.h"

/* Where the rows of a view lie. `distance` is a spec; NULL = euclidean, or gower where columns are
 * levels or lack cells, or edit for texts; a table of distances is taken as it is. */
typedef struct cairn_row_space {
    cairn_cluster_space space; /* arrays are scratch */
    const char *distance;      /* what rows are compared by; NULL = nothing fits their columns */
    cairn_view view;           /* of the rows; of clusters of a model, before its transforms */
    cairn_metric metric;
    cairn_points points;
} cairn_row_space;
/* With `pairs` false rows are not made ready to be compared with one another. The space points into
 * *out, which must stay where it is. */
CAIRN_CHECKED cairn_status cairn_row_space_of(cairn_context *ctx, cairn_row_space *out,
                                              const cairn_view *view, const char *distance,
                                              bool pairs);
void cairn_row_space_clear(cairn_row_space *space);

typedef struct cairn_judged_clusters {
    cairn_judged shape;    /* the rows that have a cluster, with their space */
    cairn_judged beside;   /* all rows with their classes (no `actual` = no labelling is known) and
                              how probable the model makes them */
    const char *distance;  /* what rows are compared by; NULL = nothing fits their columns */
    const char *labelling; /* the column, or NULL; from the table */
    size_t n_without;      /* rows that have no cluster */
    cairn_row_space rows;
    cairn_table *table; /* a share of the raw one, whose target has levels ... */
    cairn_table *inner; /* ... and the one after the chain */
    cairn_prediction prediction;
} cairn_judged_clusters;

/* Rows of a raw table; distance and pairs as above. Arrays are scratch; the rest is freed by
 * cairn_judged_clusters_clear. The shape points into *out, which must stay where it is. */
CAIRN_CHECKED cairn_status cairn_judged_clusters_of(cairn_context *ctx, cairn_judged_clusters *out,
                                                    const cairn_model *model,
                                                    const cairn_table *table, cairn_rows rows,
                                                    const char *distance, bool pairs);
void cairn_judged_clusters_clear(cairn_judged_clusters *clusters);

/* The measure of these clusters. */
CAIRN_CHECKED cairn_status cairn_measure_clusters(cairn_context *ctx, double *out,
                                                  const cairn_measure *measure,
                                                  const cairn_judged_clusters *clusters);

#endif
