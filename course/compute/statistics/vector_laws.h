/* SPDX-License-Identifier: MIT */
/* Distributions of several numbers, or of names: see compute_distribution.c. */
#ifndef CAIRN_COMPUTE_STATISTICS_VECTOR_LAWS_H
#define CAIRN_COMPUTE_STATISTICS_VECTOR_LAWS_H

#include "model/calculator.h"

typedef struct cairn_distribution_params {
    const char *parameters, *at, *lower, *upper, *mean, *covariance;
    int support;
    int64_t draws, grid;
} cairn_distribution_params;

/* categorical, multinomial, multivariate-bernoulli, multivariate-normal */
bool cairn_is_vector_law(const char *name);

/* The job's word is the law, its parameters are cairn_distribution_params. */
CAIRN_CHECKED cairn_status cairn_vector_law_run(cairn_context *ctx, cairn_report *out,
                                                const cairn_compute_job *job);
CAIRN_CHECKED cairn_status cairn_vector_law_draw(cairn_context *ctx, cairn_figure **out,
                                                 const cairn_compute_job *job);

#endif
