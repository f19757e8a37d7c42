/* SPDX-License-Identifier: MIT */
/* The M step: weights, means, variances about the new means with the divisor N, and shares of
 * levels, all from the sums of the E step.
 *
 * A floor keeps a component from shrinking to a point, where its density has no bound: no direction
 * has less than so much of the variance of all rows, and no level less than so much probability.
 * Raising what lies below to the floor is the best answer that keeps it, so that the log-likelihood
 * still never falls. */
#include "base/memory.h"
#include "kernels/kernels.h"
#include "kernels/linalg.h"
#include "learners/density/mixture.h"
#include <math.h>
#include <string.h>

/* Less than this share of the rows is nothing to learn from. */
static const double least_share = 1e-12;

double cairn_mixture_covariance(const cairn_mixture_model *m, size_t c, size_t a, size_t b)
{
    const double *spreads = cairn_mixture_spreads(m);
    if (m->form == CAIRN_MIXTURE_SPHERICAL) return a == b ? spreads[c] : 0;
    if (m->form == CAIRN_MIXTURE_DIAGONAL) return a == b ? spreads[c * m->d + a] : 0;
    return spreads[(m->form == CAIRN_MIXTURE_FULL ? c * m->d * m->d : 0) + a * m->d + b];
}

double cairn_mixture_covariance_in_units(const cairn_mixture_model *m, size_t c, size_t a, size_t b)
{
    return cairn_mixture_covariance(m, c, a, b) * m->scale[a] * m->scale[b];
}

double cairn_mixture_mean_in_units(const cairn_mixture_model *m, size_t c, size_t j)
{
    return m->shift[j] + m->scale[j] * cairn_mixture_means(m)[c * m->d + j];
}

double cairn_mixture_free(const cairn_mixture_model *m)
{
    double k = (double)m->k, d = (double)m->d, levels = (double)m->n_levels, free = k - 1 + k * d;
    for (size_t j = 0; j < m->n_columns; j++) levels -= m->levels[j] > 0;
    if (cairn_mixture_is_matrix(m))
        free += (m->form == CAIRN_MIXTURE_FULL ? k : 1) * d * (d + 1) / 2;
    else
        free += (double)cairn_mixture_spread_size(m) * (d > 0);
    return free + k * levels;
}

/* -- covariances -- */

/* Eigenvalues below the floor are raised to it. */
static cairn_status raise_values(cairn_context *ctx, double *a, size_t d, double floor)
{
    double *copy, *values, *vectors;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH_RAW_EACH(ctx, d * d, &copy, &vectors));
    CHECK(SCRATCH_RAW(ctx, &values, d));
    memcpy(copy, a, d * d * sizeof *a);
    CHECK(cairn_symmetric_eigen(ctx, values, vectors, copy, d));
    memset(a, 0, d * d * sizeof *a);
    for (size_t v = 0; v < d; v++)
        for (size_t i = 0; i < d; i++)
            cairn_axpy(a + i * d, fmax(values[v], floor) * vectors[v * d + i], vectors + v * d, d);
    return CAIRN_OK;
}

/* Whether some direction has less variance than the floor; the estimate of the condition is good
 * enough to tell most that have not. */
static cairn_status is_low(cairn_context *ctx, const double *a, size_t d, double floor, bool *low)
{
    double *copy, *values, condition, norm = 0;
    size_t pivot;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH_RAW(ctx, &copy, d * d));
    CHECK(SCRATCH_RAW(ctx, &values, d));
    memcpy(copy, a, d * d * sizeof *a);
    for (size_t i = 0; i < d; i++) {
        double sum = 0;
        for (size_t j = 0; j < d; j++) sum += fabs(a[i * d + j]);
        norm = fmax(norm, sum);
    }
    *low = false;
    CHECK(cairn_cholesky(ctx, copy, d, &condition, &pivot));
    if (pivot == d && condition * norm > 10 * floor) return CAIRN_OK;
    memcpy(copy, a, d * d * sizeof *a);
    CHECK(cairn_symmetric_eigen(ctx, values, NULL, copy, d));
    *low = values[d - 1] < floor;
    return CAIRN_OK;
}

static cairn_status keep_above(cairn_context *ctx, cairn_mixture_run *run, double *a)
{
    bool low;
    size_t d = run->m->d;
    CHECK(is_low(ctx, a, d, run->params->floor, &low));
    if (!low) return CAIRN_OK;
    run->floored++;
    return raise_values(ctx, a, d, run->params->floor);
}

/* a (d x d) += Σ r z z' − N m m' of component c, whose new mean is set. */
static void add_scatter(const cairn_mixture_run *run, size_t c, double *a)
{
    size_t d = run->m->d;
    const double *mean = cairn_mixture_means(run->m) + c * d;
    double n = cairn_mixture_share(run, c);
    for (size_t i = 0; i < d; i++)
        for (size_t j = i; j < d; j++) {
            double value = cairn_mixture_product(run, c, i, j) - n * mean[i] * mean[j];
            a[i * d + j] += value;
            if (j > i) a[j * d + i] += value;
        }
}

static void divide(double *a, size_t n, double by)
{
    for (size_t i = 0; i < n; i++) a[i] /= by;
}

/* Covariance matrices of all components, or the one of all. */
static cairn_status step_matrices(cairn_context *ctx, cairn_mixture_run *run, const bool *empty)
{
    cairn_mixture_model *m = run->m;
    size_t size = m->d * m->d;
    bool tied = m->form == CAIRN_MIXTURE_TIED;
    double *spreads = cairn_mixture_spreads(m), total = 0;
    if (tied) memset(spreads, 0, size * sizeof *spreads);
    for (size_t c = 0; c < m->k; c++) {
        double n = cairn_mixture_share(run, c), *a = tied ? spreads : spreads + c * size;
        if (empty[c]) continue;
        if (!tied) memset(a, 0, size * sizeof *a);
        add_scatter(run, c, a);
        total += n;
        if (tied) continue;
        divide(a, size, n);
        CHECK(keep_above(ctx, run, a));
    }
    if (!tied) return CAIRN_OK;
    divide(spreads, size, total);
    return keep_above(ctx, run, spreads);
}

/* Variances without covariances; spherical ones are the mean of those of the columns. */
static void step_variances(cairn_mixture_run *run, const bool *empty)
{
    cairn_mixture_model *m = run->m;
    size_t d = m->d, k = m->k;
    double floor = run->params->floor, *spreads = cairn_mixture_spreads(m);
    for (size_t c = 0; c < k; c++) {
        double n = cairn_mixture_share(run, c), sum = 0, low = 0;
        const double *mean = cairn_mixture_means(m) + c * d;
        if (empty[c]) continue;
        for (size_t j = 0; j < d; j++) {
            double v = cairn_mixture_product(run, c, j, j) / n - mean[j] * mean[j];
            sum += v / (double)d;
            if (m->form == CAIRN_MIXTURE_SPHERICAL) continue;
            low += v < floor;
            spreads[c * d + j] = fmax(v, floor);
        }
        if (m->form == CAIRN_MIXTURE_SPHERICAL) {
            spreads[c] = d > 0 ? fmax(sum, floor) : 1;
            low = d > 0 && sum < floor;
        }
        run->floored += low > 0;
    }
}

/* -- levels -- */

/* Probabilities in proportion to the counts (`stride` apart), none below the least: those that
 * would be get it, and the others share the rest. */
static void share_levels(double *p, const double *counts, size_t n, size_t stride, double least)
{
    double total = 0, rest = 1;
    bool changed = true;
    for (size_t l = 0; l < n; l++) total += counts[l * stride];
    if (!(total > 0)) return;
    for (size_t l = 0; l < n; l++) p[l * stride] = 1;
    while (changed) {
        changed = false;
        double factor = rest / total;
        for (size_t l = 0; l < n; l++) {
            double *at = p + l * stride;
            if (*at < 1 || counts[l * stride] * factor >= least) continue;
            *at = 0;
            rest -= least;
            total -= counts[l * stride];
            changed = true;
        }
    }
    for (size_t l = 0; l < n; l++)
        p[l * stride] = p[l * stride] > 0 ? counts[l * stride] * (rest / total) : least;
}

static void step_levels(cairn_mixture_run *run)
{
    cairn_mixture_model *m = run->m;
    const cairn_mixture_rows *rows = run->rows;
    const double *counts = run->sums + 1 + run->n_moments;
    for (size_t j = 0; j < rows->n_level_columns; j++) {
        size_t first = rows->level_starts[j] * m->k;
        size_t n = rows->level_starts[j + 1] - rows->level_starts[j];
        double least = fmin(run->params->floor, 0.5 / (double)n);
        for (size_t c = 0; c < m->k; c++)
            share_levels(cairn_mixture_levels(m) + first + c, counts + first + c, n, m->k, least);
    }
}

/* A component without rows keeps what it has, but for its weight. */
cairn_status cairn_mixture_step(cairn_context *ctx, cairn_mixture_run *run)
{
    cairn_mixture_model *m = run->m;
    size_t d = m->d, k = m->k;
    bool matrix = cairn_mixture_is_matrix(m), *empty;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH(ctx, &empty, k));
    run->floored = 0;
    for (size_t c = 0; c < k; c++) {
        double n = cairn_mixture_share(run, c), *mean = cairn_mixture_means(m) + c * d;
        m->values[c] = n / run->weight;
        empty[c] = !(m->values[c] > least_share);
        for (size_t j = 0; !empty[c] && j < d; j++) mean[j] = cairn_mixture_sum(run, c, j) / n;
    }
    step_levels(run);
    if (!matrix) {
        step_variances(run, empty);
        return CAIRN_OK;
    }
    return d > 0 ? step_matrices(ctx, run, empty) : CAIRN_OK;
}
