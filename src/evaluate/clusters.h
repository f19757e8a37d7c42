/* SPDX-License-Identifier: MIT */
/* How good clusters are: of the rows that a clusterer is fitted to, of rows that were held out, or
 * of a model and rows of its own. */
#ifndef CAIRN_EVALUATE_CLUSTERS_H
#define CAIRN_EVALUATE_CLUSTERS_H

#include "evaluate/evaluate.h"

typedef struct cairn_clusters_options {
    const char *by;               /* resampling spec; NULL = all rows are learned from and judged */
    const char *distance;         /* of the rows, a spec; NULL = one that fits their columns */
    const char *measures;         /* names, separated by commas; NULL = all */
    const cairn_fit_options *fit; /* NULL = defaults */
    size_t stability;             /* samples that show whether clusters come again; 0 = none */
} cairn_clusters_options;

/* Fit the clusterer and report on its clusters. */
CAIRN_CHECKED cairn_status cairn_evaluate_clusterer(cairn_context *ctx, cairn_report *out,
                                                    const cairn_params *params,
                                                    const cairn_table *table,
                                                    const cairn_clusters_options *options);
/* The clusters of a model among the rows of a table. `by`, `fit` and `stability` do
 * not count. */
CAIRN_CHECKED cairn_status cairn_evaluate_clusters(cairn_context *ctx, cairn_report *out,
                                                   const cairn_model *model,
                                                   const cairn_table *table,
                                                   const cairn_clusters_options *options);

#endif
