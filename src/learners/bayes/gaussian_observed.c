/* SPDX-License-Identifier: MIT */
/* Rows with missing cells: the density of the cells that are there is normal with their part of the
 * covariance, and the others, given them, are normal again.
 *
 * With A = Σ⁻¹, h the missing cells and d the distances from the mean with 0 for these, the rest
 * has d'Ad − g'A_hh⁻¹g as its squared distance, g = (Ad)_h, and |Σ| |A_hh| as its determinant; the
 * missing ones have the mean μ_h − A_hh⁻¹g and the covariance A_hh⁻¹. */
#include "base/functions.h"
#include "base/memory.h"
#include "kernels/kernels.h"
#include "learners/bayes/gaussian.h"
#include <float.h>
#include <math.h>
#include <string.h>

#define LOG_TWO_PI 1.8378770664093454836

cairn_status cairn_gaussian_observed_new(cairn_context *ctx, cairn_gaussian_observed *out,
                                         const cairn_gaussian_model *m)
{
    size_t p = m->n_columns, size = m->diagonal ? 0 : cairn_product(p, p);
    *out = (cairn_gaussian_observed){0};
    CHECK(SCRATCH(ctx, &out->at, p + 1));
    CHECK(SCRATCH(ctx, &out->holes, p + 1));
    CHECK(SCRATCH(ctx, &out->apart, p + 1));
    CHECK(SCRATCH(ctx, &out->solved, p + 1));
    CHECK(SCRATCH(ctx, &out->turned, p + 1));
    CHECK(SCRATCH(ctx, &out->made, m->n_factors + 1));
    CHECK(SCRATCH(ctx, &out->log_roots, m->n_factors + 1));
    CHECK(SCRATCH_RAW(ctx, &out->small, size + 1));
    CHECK(SCRATCH_RAW(ctx, &out->factors, cairn_product(m->n_factors, size) + 1));
    CHECK(SCRATCH_RAW(ctx, &out->inverses, cairn_product(m->n_factors, size) + 1));
    cairn_gaussian_observed_renew(m, out);
    return CAIRN_OK;
}

void cairn_gaussian_observed_renew(const cairn_gaussian_model *m, cairn_gaussian_observed *o)
{
    size_t p = m->n_columns;
    o->by_inverses = !m->diagonal;
    memset(o->made, 0, m->n_factors);
    for (size_t f = 0; f < m->n_factors; f++) o->by_inverses &= !m->raised[f];
    for (size_t f = 0; o->by_inverses && f < m->n_factors; f++)
        cairn_gaussian_inverse(m, f, o->inverses + f * p * p);
}

/* Which cells of a row are there. */
static void observe(const cairn_gaussian_model *m, cairn_gaussian_observed *o, const double *z)
{
    size_t n = 0, n_holes = 0, same = 0;
    for (size_t j = 0; j < m->n_columns; j++) {
        if (m->constant[j]) continue;
        if (isnan(z[j])) {
            o->holes[n_holes++] = j;
            continue;
        }
        same += n < o->n && o->at[n] == j;
        o->at[n++] = j;
    }
    if (same != n || o->n != n) memset(o->made, 0, m->n_factors);
    o->n = n;
    o->n_holes = n_holes;
}

/* Distances of the cells that are there from the mean of class c; 0 for the others. */
static void find_distances(const cairn_gaussian_model *m, cairn_gaussian_observed *o, size_t c,
                           const double *z)
{
    const double *mean = m->means + c * m->n_columns;
    memset(o->apart, 0, m->n_columns * sizeof *o->apart);
    for (size_t i = 0; i < o->n; i++) {
        size_t j = o->at[i];
        o->apart[j] = z[j] - (mean[j] - m->centre[j]);
    }
}

/* -- factors of small matrices: rows of n numbers, lower -- */

/* In place; returns ln of the root of the determinant. */
static double factor(double *a, size_t n)
{
    double log_root = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j <= i; j++) {
            double sum = a[i * n + j];
            for (size_t k = 0; k < j; k++) sum -= a[i * n + k] * a[j * n + k];
            a[i * n + j] = i == j ? sqrt(fmax(sum, DBL_MIN)) : sum / a[j * n + j];
        }
        log_root += cairn_log(a[i * n + i]);
    }
    return log_root;
}

/* L⁻¹x in place; returns its squared length. */
static double solve(const double *a, size_t n, double *x)
{
    double squares = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++) x[i] -= a[i * n + k] * x[k];
        x[i] /= a[i * n + i];
        squares += x[i] * x[i];
    }
    return squares;
}

/* -- scores -- */

static bool through_inverses(const cairn_gaussian_observed *o)
{
    return o->by_inverses && o->n_holes <= o->n;
}

/* Squared distance from class c by variances alone, and ln of the root of their product. */
static double square_variances(const cairn_gaussian_model *m, cairn_gaussian_observed *o, size_t c,
                               double *log_root)
{
    double squares = 0;
    *log_root = 0;
    for (size_t i = 0; i < o->n; i++) {
        size_t j = o->at[i];
        double variance = cairn_gaussian_entry(m, c, j, j);
        squares += o->apart[j] * o->apart[j] / variance;
        *log_root += cairn_log(variance) / 2;
    }
    return squares;
}

/* The same through the inverse; leaves L⁻¹g in `solved` and L in `small`. */
static double square_holes(const cairn_gaussian_model *m, cairn_gaussian_observed *o, size_t c,
                           double *log_root)
{
    size_t p = m->n_columns, h = o->n_holes, f = cairn_gaussian_factor(m, c);
    const double *inverse = o->inverses + f * p * p, *factors = m->factors + f * p * p;
    double squares = 0;
    memset(o->turned, 0, p * sizeof *o->turned);
    for (size_t i = 0; i < o->n; i++) {
        size_t j = o->at[i];
        cairn_axpy(o->turned + j, o->apart[j], factors + j * p + j, p - j);
    }
    for (size_t j = 0; j < p; j++) squares += o->turned[j] * o->turned[j];
    for (size_t i = 0; i < h; i++) {
        const double *row = inverse + o->holes[i] * p;
        o->solved[i] = cairn_dot(row, o->apart, p);
        for (size_t k = 0; k <= i; k++) o->small[i * h + k] = row[o->holes[k]];
    }
    *log_root = m->log_roots[f] + factor(o->small, h);
    return fmax(0, squares - solve(o->small, h, o->solved));
}

/* The same through the covariance of the cells that are there; leaves L⁻¹d in `solved`. */
static double square_cells(const cairn_gaussian_model *m, cairn_gaussian_observed *o, size_t c,
                           double *log_root)
{
    size_t p = m->n_columns, n = o->n, f = cairn_gaussian_factor(m, c);
    double *a = o->factors + f * p * p;
    if (!o->made[f]) {
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j <= i; j++)
                a[i * n + j] = cairn_gaussian_entry(m, c, o->at[i], o->at[j]);
        o->log_roots[f] = factor(a, n);
        o->made[f] = 1;
    }
    for (size_t i = 0; i < n; i++) o->solved[i] = o->apart[o->at[i]];
    *log_root = o->log_roots[f];
    return solve(a, n, o->solved);
}

/* Score of class c of a row that was observed. */
static double score(const cairn_gaussian_model *m, cairn_gaussian_observed *o, size_t c,
                    const double *z)
{
    double log_root, squares;
    find_distances(m, o, c, z);
    squares = m->diagonal           ? square_variances(m, o, c, &log_root)
              : through_inverses(o) ? square_holes(m, o, c, &log_root)
                                    : square_cells(m, o, c, &log_root);
    return m->log_prior[c] - LOG_TWO_PI * (double)o->n / 2 - log_root - squares / 2;
}

void cairn_gaussian_observed_scores(const cairn_gaussian_model *m, cairn_gaussian_observed *o,
                                    const double *z, double *out)
{
    observe(m, o, z);
    for (size_t c = 0; c < m->n_classes; c++)
        out[c] = m->totals[c] > 0 ? score(m, o, c, z) : -INFINITY;
}

/* -- what is missing -- */

/* From `solved` and `small` of square_holes: the inverse of LL' and the mean. */
static void fill_holes(const cairn_gaussian_observed *o, double *x, double *between, double *spread)
{
    size_t h = o->n_holes;
    memset(between, 0, h * h * sizeof *between);
    for (size_t i = 0; i < h; i++) { /* column i of L⁻¹, as a row */
        between[i * h + i] = 1;
        (void)solve(o->small, h, between + i * h);
    }
    for (size_t i = 0; i < h; i++)
        for (size_t k = 0; k < h; k++)
            spread[i * h + k] = cairn_dot(between + i * h, between + k * h, h);
    for (size_t i = 0; i < h; i++) x[o->holes[i]] -= cairn_dot(between + i * h, o->solved, h);
}

/* From `solved` of square_cells; rows of `between` are the covariances with a missing cell,
 * solved. */
static void fill_cells(const cairn_gaussian_model *m, const cairn_gaussian_observed *o, size_t c,
                       double *x, double *between, double *spread)
{
    size_t p = m->n_columns, n = o->n;
    const double *a = o->factors + cairn_gaussian_factor(m, c) * p * p;
    for (size_t i = 0; i < o->n_holes; i++) {
        double *row = between + i * p;
        for (size_t k = 0; k < n; k++) row[k] = cairn_gaussian_entry(m, c, o->holes[i], o->at[k]);
        (void)solve(a, n, row);
        x[o->holes[i]] += cairn_dot(row, o->solved, n);
    }
    for (size_t i = 0; i < o->n_holes; i++)
        for (size_t k = 0; k < o->n_holes; k++)
            spread[i * o->n_holes + k] = cairn_gaussian_entry(m, c, o->holes[i], o->holes[k]) -
                                         cairn_dot(between + i * p, between + k * p, n);
}

double cairn_gaussian_fill(const cairn_gaussian_model *m, cairn_gaussian_observed *o, size_t c,
                           const double *z, double *x, double *between, double *spread)
{
    size_t p = m->n_columns;
    observe(m, o, z);
    double found = score(m, o, c, z);
    for (size_t j = 0; j < p; j++) x[j] = isnan(z[j]) ? m->means[c * p + j] : z[j] + m->centre[j];
    for (size_t i = 0; m->diagonal && i < o->n_holes * o->n_holes; i++)
        spread[i] = cairn_gaussian_entry(m, c, o->holes[i / o->n_holes], o->holes[i % o->n_holes]);
    if (!m->diagonal && through_inverses(o))
        fill_holes(o, x, between, spread);
    else if (!m->diagonal)
        fill_cells(m, o, c, x, between, spread);
    return found;
}
