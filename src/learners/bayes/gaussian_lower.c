/* SPDX-License-Identifier: MIT */
/* Normal classes as a program: logarithms of prior times density, made probabilities. Covariances
 * are there as a whole, since rows with missing cells need those of the other cells. */
#include "base/memory.h"
#include "learners/bayes/gaussian.h"
#include <math.h>

/* The covariance of factor f with constant columns out. */
static void write_covariance(const cairn_gaussian_model *m, size_t f, double *out)
{
    size_t p = m->n_columns;
    for (size_t i = 0; i < p * p; i++) {
        bool constant = m->constant[i / p] || m->constant[i % p];
        out[i] = constant ? 0 : cairn_gaussian_entry(m, f, i / p, i % p);
    }
}

static cairn_status lower_densities(const cairn_gaussian_model *m, cairn_program *p, int32_t *out)
{
    size_t n, k = m->n_classes;
    int32_t *in;
    double *covariances;
    cairn_operation *op;
    CHECK(cairn_program_features(p, &in, &n));
    CHECK(cairn_program_add(p, CAIRN_OP_GAUSSIANS, in, n, k, &op));
    op->sizes[0] = (int32_t)m->n_factors;
    cairn_op_work(p, op, n * n + 2 * n);
    CHECK(cairn_op_copy_numbers(p, op, 0, m->log_prior, k));
    CHECK(cairn_op_copy_numbers(p, op, 1, m->means, cairn_product(k, n)));
    CHECK(
        cairn_op_numbers(p, op, 2, cairn_product(m->n_factors, cairn_product(n, n)), &covariances));
    for (size_t f = 0; f < m->n_factors; f++) write_covariance(m, f, covariances + f * n * n);
    *out = op->out;
    return CAIRN_OK;
}

cairn_status cairn_gaussian_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    const cairn_gaussian_model *m = model;
    size_t k = m->n_classes;
    int32_t first, *in, *places;
    cairn_operation *op;
    (void)job;
    CHECK(lower_densities(m, out, &first));
    CHECK(SCRATCH(out->ctx, &in, k + 1));
    for (size_t c = 0; c < k; c++) in[c] = first + (int32_t)c;
    CHECK(cairn_program_add(out, CAIRN_OP_SOFTMAX, in, k, k, &op));
    CHECK(cairn_op_codes(out, op, 0, k, &places));
    for (size_t c = 0; c < k; c++) places[c] = (int32_t)c;
    out->answer.scores = op->out;
    return CAIRN_OK;
}
