/* SPDX-License-Identifier: MIT */
/* A mixture as a program: logarithms of weight times density of the numbers, and of the
 * probabilities of the levels, added up and made responsibilities. */
#include "base/functions.h"
#include "base/memory.h"
#include "learners/density/mixture.h"
#include <math.h>

/* A component without weight has no share in any row. */
static cairn_status log_weights(cairn_program *p, const cairn_mixture_model *m, double **out)
{
    const double none = -1e300;
    CHECK(SCRATCH(p->ctx, out, m->k + 1));
    for (size_t c = 0; c < m->k; c++) (*out)[c] = m->values[c] > 0 ? cairn_log(m->values[c]) : none;
    return CAIRN_OK;
}

/* Weights and numbers, in the units of the columns. */
static cairn_status lower_numbers(cairn_program *p, const cairn_mixture_model *m,
                                  const int32_t *features, int32_t *out)
{
    size_t d = m->d, k = m->k, n_matrices = m->form == CAIRN_MIXTURE_TIED ? 1 : k, n = 0;
    double *logs, *means, *covariances;
    int32_t *in;
    cairn_operation *op;
    CHECK(log_weights(p, m, &logs));
    if (d == 0) return cairn_lower_constants(p, logs, k, out);
    CHECK(SCRATCH(p->ctx, &in, d));
    for (size_t j = 0; j < m->n_columns; j++)
        if (!m->levels[j]) in[n++] = features[j];
    CHECK(cairn_program_add(p, CAIRN_OP_GAUSSIANS, in, d, k, &op));
    op->sizes[0] = (int32_t)n_matrices;
    cairn_op_work(p, op, d * d + 2 * d);
    CHECK(cairn_op_copy_numbers(p, op, 0, logs, k));
    CHECK(cairn_op_numbers(p, op, 1, cairn_product(k, d), &means));
    for (size_t i = 0; i < k * d; i++) means[i] = cairn_mixture_mean_in_units(m, i / d, i % d);
    CHECK(cairn_op_numbers(p, op, 2, cairn_product(n_matrices, cairn_product(d, d)), &covariances));
    for (size_t i = 0; i < n_matrices * d * d; i++)
        covariances[i] = cairn_mixture_covariance_in_units(m, i / (d * d), i / d % d, i % d);
    *out = op->out;
    return CAIRN_OK;
}

/* The logarithms of a column's levels, none for a missing one. */
static cairn_status lower_levels(cairn_program *p, const cairn_mixture_model *m, size_t column,
                                 const double *first, int32_t in, int32_t *out)
{
    size_t n = (size_t)m->levels[column], k = m->k;
    double *logs, *none;
    CHECK(SCRATCH(p->ctx, &none, k));
    CHECK(SCRATCH(p->ctx, &logs, cairn_product(n, k)));
    for (size_t i = 0; i < n * k; i++) logs[i] = cairn_log(first[i]);
    return cairn_lower_lookup(p, in, n, k, logs, none, out);
}

cairn_status cairn_mixture_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    const cairn_mixture_model *m = model;
    const double *levels = cairn_mixture_levels(m);
    size_t n, n_parts = 1, k = m->k;
    int32_t *features, *firsts, *in, *places, sum;
    cairn_operation *op;
    (void)job;
    CHECK(cairn_program_features(out, &features, &n));
    CHECK(SCRATCH(out->ctx, &firsts, m->n_columns + 1));
    CHECK(lower_numbers(out, m, features, firsts));
    for (size_t j = 0; j < m->n_columns; levels += (size_t)m->levels[j++] * k)
        if (m->levels[j]) CHECK(lower_levels(out, m, j, levels, features[j], firsts + n_parts++));
    CHECK(cairn_lower_sum(out, firsts, n_parts, k, &sum));
    CHECK(SCRATCH(out->ctx, &in, k));
    for (size_t c = 0; c < k; c++) in[c] = sum + (int32_t)c;
    CHECK(cairn_program_add(out, CAIRN_OP_SOFTMAX, in, k, k, &op));
    CHECK(cairn_op_codes(out, op, 0, k, &places));
    for (size_t c = 0; c < k; c++) places[c] = (int32_t)c;
    out->answer.scores = op->out;
    out->answer.n_scores = k;
    return CAIRN_OK;
}
