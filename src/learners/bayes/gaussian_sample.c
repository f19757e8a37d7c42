/* SPDX-License-Identifier: MIT */
/* Rows drawn from normal classes: a class by its prior, independent normal numbers g, and z with
 * zM = g, which has the covariance of the class. */
#include "base/functions.h"
#include "base/memory.h"
#include "learners/bayes/gaussian.h"
#include "model/sample.h"

/* One row of class c, in place of n_columns normal numbers. */
static void draw_row(const cairn_gaussian_model *m, size_t c, double *z)
{
    size_t p = m->n_columns;
    const double *f = m->factors + cairn_gaussian_factor(m, c) * cairn_gaussian_size(m);
    for (size_t j = 0; j < p; j++) {
        double sum = z[j];
        for (size_t i = 0; !m->diagonal && i < j; i++) sum -= z[i] * f[i * p + j];
        z[j] = m->constant[j] ? 0 : sum / (m->diagonal ? f[j] : f[j * p + j]);
    }
    for (size_t j = 0; j < p; j++) z[j] += m->means[c * p + j];
}

cairn_status cairn_gaussian_sample(cairn_context *ctx, cairn_table *out, const void *model,
                                   const cairn_job *job, cairn_random *random)
{
    const cairn_gaussian_model *m = model;
    size_t n = out->n_rows, p = m->n_columns, at = 0;
    int32_t *classes;
    double *priors, *z, *columns;
    CHECK(SCRATCH(ctx, &priors, m->n_classes + 1));
    CHECK(SCRATCH_RAW(ctx, &z, p + 1));
    CHECK(SCRATCH_RAW(ctx, &columns, cairn_product(n, p) + 1));
    for (size_t c = 0; c < m->n_classes; c++) priors[c] = cairn_exp(m->log_prior[c]);
    CHECK(cairn_sample_classes(ctx, &classes, out, job, priors, m->n_classes, random));
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < p; j++) z[j] = cairn_random_normal(random);
        draw_row(m, (size_t)classes[i], z);
        for (size_t j = 0; j < p; j++) columns[j * n + i] = z[j];
    }
    for (size_t j = 0; j < p; j++)
        CHECK(cairn_table_add_numbers(ctx, out, cairn_schema_next_feature(job->schema, &at)->name,
                                      columns + j * n));
    return CAIRN_OK;
}
