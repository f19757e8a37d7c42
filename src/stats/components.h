/* SPDX-License-Identifier: MIT */
/* Principal components: the directions of largest variance of number columns, one after the other,
 * each at right angles to those before it. */
#ifndef CAIRN_STATS_COMPONENTS_H
#define CAIRN_STATS_COMPONENTS_H

#include "stats/covariance.h"

typedef enum cairn_sign {
    CAIRN_SIGN_FIRST,  /* the first number of a vector that is not 0 is positive */
    CAIRN_SIGN_LARGEST /* its largest number, the first of equals, is positive */
} cairn_sign;

typedef struct cairn_component_options {
    size_t n;         /* components; 0 = as many as `share` needs */
    double share;     /* of the variance; 1 = all components */
    bool divide_by_n; /* else by n - 1 */
    bool scale;       /* columns are divided by their deviations first */
    cairn_sign sign;
} cairn_component_options;

typedef struct cairn_components {
    size_t n_columns;
    size_t n_values;        /* min(columns, rows) */
    size_t n;               /* components that are kept */
    double weight;          /* of the rows */
    double below;           /* what sums of products were divided by */
    double total;           /* the variances of all columns together */
    bool by_rows;           /* through the products of rows */
    double *means, *scales; /* n_columns; scales are 1 when they were not asked for */
    double *lows, *highs;   /* n_columns: extent of each column */
    double *values;         /* n_values: variances along all components, falling */
    double *vectors;        /* n x n_columns, each of length 1 */
} cairn_components;

/* Fit the view's features, which must be number columns without missing cells (`who` begins the
 * message otherwise). `covariance` (NULL = not wanted) gets the n_columns x n_columns matrix from
 * scratch, or NULL when the products of rows were used. Clear the result also after a failure. */
CAIRN_CHECKED cairn_status cairn_components_fit(cairn_context *ctx, cairn_components *out,
                                                const cairn_view *view,
                                                const cairn_component_options *options,
                                                const char *who, double **covariance);
void cairn_components_clear(cairn_components *components);

/* Scores of n rows: out[k][i] = (x_i - mean) . vector_k (divided by the deviation of component k
 * when `whiten`; 0 where that is 0). columns[j] has the n numbers of column j; a missing cell makes
 * the row's scores missing. `columns` and `out` are arrays of pointers. */
CAIRN_CHECKED cairn_status cairn_components_scores(cairn_context *ctx, double *const *out,
                                                   const cairn_components *components, bool whiten,
                                                   const double *const *columns, size_t n);

/* The way back: out[j][i] = mean_j + scale_j * sum_k score_ki vector_kj, from scores that are not
 * whitened. */
CAIRN_CHECKED cairn_status cairn_components_back(cairn_context *ctx, double *const *out,
                                                 const cairn_components *components,
                                                 const double *const *scores, size_t n);

/* Turn the sign of a vector of n numbers by the rule; true when it was turned. */
bool cairn_vector_sign(double *vector, size_t n, cairn_sign sign);

#endif
