/* SPDX-License-Identifier: MIT */
/* Rows with missing cells: the density of the cells that are there is normal with their part of the
 * covariance, and the others, given them, are normal again. */
#include "base/functions.h"
#include "base/memory.h"
#include "learners/bayes/gaussian.h"
#include <float.h>
#include <math.h>

#define LOG_TWO_PI 1.8378770664093454836

cairn_status cairn_gaussian_observed_new(cairn_context *ctx, cairn_gaussian_observed *out,
                                         const cairn_gaussian_model *m)
{
    size_t p = m->n_columns;
    *out = (cairn_gaussian_observed){0};
    CHECK(SCRATCH(ctx, &out->at, p + 1));
    CHECK(SCRATCH(ctx, &out->solved, p + 1));
    CHECK(SCRATCH(ctx, &out->log_roots, m->n_factors));
    return SCRATCH_RAW(ctx, &out->factors, cairn_product(m->n_factors, cairn_product(p, p)) + 1);
}

/* Cholesky's factor of the covariance f of the columns that are there, lower, in place. */
static void factor_observed(const cairn_gaussian_model *m, cairn_gaussian_observed *o, size_t f)
{
    size_t n = o->n, p = m->n_columns;
    double *a = o->factors + f * p * p;
    o->log_roots[f] = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = cairn_gaussian_entry(m, f, o->at[i], o->at[j]);
            for (size_t k = 0; k < j; k++) sum -= a[i * n + k] * a[j * n + k];
            a[i * n + j] = i == j ? sqrt(fmax(sum, DBL_MIN)) : sum / a[j * n + j];
        }
    for (size_t i = 0; i < n; i++) o->log_roots[f] += cairn_log(a[i * n + i]);
}

void cairn_gaussian_observe(const cairn_gaussian_model *m, cairn_gaussian_observed *o,
                            const double *z)
{
    size_t n = 0, same = 0;
    for (size_t j = 0; j < m->n_columns; j++) {
        if (isnan(z[j]) || m->constant[j]) continue;
        same += n < o->n && o->at[n] == j;
        o->at[n++] = j;
    }
    if (o->made && same == n && o->n == n) return;
    o->made = true;
    o->n = n;
    for (size_t f = 0; f < m->n_factors; f++)
        if (m->n_factors == 1 || m->totals[f] > 0) factor_observed(m, o, f);
}

void cairn_gaussian_observed_scores(const cairn_gaussian_model *m, cairn_gaussian_observed *o,
                                    const double *z, double *out)
{
    size_t p = m->n_columns;
    cairn_gaussian_observe(m, o, z);
    for (size_t c = 0; c < m->n_classes; c++) {
        size_t f = cairn_gaussian_factor(m, c);
        const double *a = o->factors + f * p * p;
        out[c] = m->log_prior[c] - LOG_TWO_PI * (double)o->n / 2 - o->log_roots[f];
        if (!(m->totals[c] > 0)) continue;
        for (size_t i = 0; i < o->n; i++) {
            size_t j = o->at[i];
            double sum = z[j] - (m->means[c * p + j] - m->centre[j]);
            for (size_t k = 0; k < i; k++) sum -= a[i * o->n + k] * o->solved[k];
            o->solved[i] = sum / a[i * o->n + i];
            out[c] -= o->solved[i] * o->solved[i] / 2;
        }
    }
}

void cairn_gaussian_fill(const cairn_gaussian_model *m, const cairn_gaussian_observed *o, size_t c,
                         double *x, double *between, double *spread)
{
    size_t p = m->n_columns, n = o->n;
    const double *a = o->factors + cairn_gaussian_factor(m, c) * p * p;
    const double *mean = m->means + c * p;
    for (size_t i = 0; i < n; i++) {
        double sum = x[o->at[i]] - mean[o->at[i]];
        for (size_t k = 0; k < i; k++) sum -= a[i * n + k] * o->solved[k];
        o->solved[i] = sum / a[i * n + i];
    }
    for (size_t j = 0; j < p; j++) { /* rows of `between`: the covariances with column j, solved */
        double *row = between + j * p;
        if (!isnan(x[j])) continue;
        for (size_t i = 0; i < n; i++) {
            row[i] = cairn_gaussian_entry(m, c, j, o->at[i]);
            for (size_t k = 0; k < i; k++) row[i] -= a[i * n + k] * row[k];
            row[i] /= a[i * n + i];
        }
    }
    for (size_t j = 0; j < p; j++)
        for (size_t k = 0; k < p; k++) {
            bool both = isnan(x[j]) && isnan(x[k]) && !m->constant[j] && !m->constant[k];
            spread[j * p + k] = both ? cairn_gaussian_entry(m, c, j, k) : 0;
            for (size_t i = 0; both && i < n; i++)
                spread[j * p + k] -= between[j * p + i] * between[k * p + i];
        }
    for (size_t j = 0; j < p; j++) {
        if (!isnan(x[j])) continue;
        x[j] = mean[j];
        for (size_t i = 0; i < n; i++) x[j] += between[j * p + i] * o->solved[i];
    }
}
