/* SPDX-License-Identifier: MIT */
/* Making data whose truth is known: see compute_generate.c. */
#ifndef CAIRN_COMPUTE_STATISTICS_GENERATE_H
#define CAIRN_COMPUTE_STATISTICS_GENERATE_H

#include "model/calculator.h"

typedef enum cairn_design {
    CAIRN_DESIGN_UNIFORM,
    CAIRN_DESIGN_GRID,
    CAIRN_DESIGN_NORMAL
} cairn_design;

typedef struct cairn_generate_params {
    int64_t rows;
    int features;
    int classes;
    double sd;
    double flip;
    bool truth;
    bool numbers;
    int digits;
    /* formula */
    const char *y, *x, *at;
    int design; /* cairn_design */
    double low, high;
    /* clouds, blobs */
    const char *means, *covariances, *priors;
    double spread;
    /* classify, regress */
    int informative;
    double correlation;
} cairn_generate_params;

extern const cairn_param cairn_generate_group[]; /* of cairn_generate_params */

/* What is known about the data beside the rows. NaN = not known. */
typedef struct cairn_generated {
    double bayes_error;      /* of the distribution, where there is a formula */
    double bayes_error_rows; /* mean over the rows of the chance that the best guess is wrong */
    double noise_variance;   /* of a number target: what no model can explain */
    const double *weights;   /* regress, classify: of the features; scratch */
    size_t n_weights;
} cairn_generated;

/* A new table: features, the target (role target), then what is true (role ignored). `shape` is a
 * word such as clouds; `out` is what is known. */
CAIRN_CHECKED cairn_status cairn_generate(cairn_context *ctx, cairn_table **table,
                                          cairn_generated *known, const char *shape,
                                          const cairn_generate_params *p);

#endif
