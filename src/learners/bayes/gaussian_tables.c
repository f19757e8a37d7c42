/* SPDX-License-Identifier: MIT */
/* Sums of the classes made into covariances, their factors, and what scores need of them.
 *
 * A covariance is Σ = D C D with D the deviations, so that the units of the columns do not spoil
 * the condition; with C = R'R the inverse is MM', M = D⁻¹R⁻¹, and a squared distance is
 * |(x − μ)M|². */
#include "base/functions.h"
#include "base/memory.h"
#include "kernels/kernels.h"
#include "kernels/linalg.h"
#include "learners/bayes/gaussian.h"
#include "stats/summary.h"
#include <math.h>
#include <string.h>

#define LEAST_CONDITION 1e-12 /* below, a covariance counts as singular */
#define LEAST_SHARE     1e-18 /* of a column's variance that a class can have */
#define LOG_TWO_PI      1.8378770664093454836

size_t cairn_gaussian_size(const cairn_gaussian_model *m)
{
    bool matrix = m->covariance == CAIRN_GAUSSIAN_SHARED || m->covariance == CAIRN_GAUSSIAN_OWN;
    return matrix ? cairn_product(m->n_columns, m->n_columns) : m->n_columns;
}

size_t cairn_gaussian_scatter_size(const cairn_gaussian_model *m)
{
    if (m->covariance == CAIRN_GAUSSIAN_IDENTITY) return 0;
    if (m->covariance == CAIRN_GAUSSIAN_SHARED) return cairn_gaussian_size(m);
    return cairn_product(m->n_classes, cairn_gaussian_size(m));
}

size_t cairn_gaussian_sums_size(const cairn_gaussian_model *m)
{
    return m->n_classes + cairn_product(m->n_classes, m->n_columns) +
           cairn_gaussian_scatter_size(m);
}

double cairn_gaussian_entry(const cairn_gaussian_model *m, size_t c, size_t i, size_t j)
{
    const double *of = m->covariance_of + cairn_gaussian_factor(m, c) * cairn_gaussian_size(m);
    if (m->diagonal) return i == j ? of[i] : 0;
    return of[i * m->n_columns + j];
}

double cairn_gaussian_divisor(const cairn_gaussian_model *m, size_t c)
{
    double n = 0, fewer = m->divisor == CAIRN_DIVISOR_N_1;
    if (c < m->n_classes) return m->totals[c] > fewer ? m->totals[c] - fewer : m->totals[c];
    for (size_t i = 0; i < m->n_classes; i++) n += cairn_gaussian_divisor(m, i);
    return n;
}

void cairn_gaussian_inverse(const cairn_gaussian_model *m, size_t c, double *out)
{
    size_t p = m->n_columns;
    const double *f = m->factors + cairn_gaussian_factor(m, c) * cairn_gaussian_size(m);
    for (size_t i = 0; i < p; i++)
        for (size_t j = i; j < p; j++) {
            double sum = m->diagonal && i == j ? f[i] * f[i] : 0;
            for (size_t k = j; !m->diagonal && k < p; k++) sum += f[i * p + k] * f[j * p + k];
            out[i * p + j] = out[j * p + i] = sum;
        }
}

void cairn_gaussian_plane(const cairn_gaussian_model *m, const double *inverse, size_t c, double *w,
                          double *w0)
{
    size_t p = m->n_columns;
    const double *mean = m->means + c * p;
    *w0 = m->log_prior[c];
    for (size_t i = 0; i < p; i++) {
        w[i] = 0;
        for (size_t j = 0; j < p; j++) w[i] += inverse[i * p + j] * mean[j];
        *w0 -= w[i] * mean[i] / 2;
    }
}

/* -- covariances -- */

/* The diagonal element of the scatter of class c; of all classes for the shared one. */
static double square_of(const cairn_gaussian_model *m, size_t c, size_t j)
{
    size_t p = m->n_columns;
    if (m->covariance == CAIRN_GAUSSIAN_DIAGONAL) return m->scatters[c * p + j];
    return m->scatters[(m->covariance == CAIRN_GAUSSIAN_OWN ? c * p : 0) * p + j * p + j];
}

/* Variance of a column over all rows. */
static double variance_of(const cairn_gaussian_model *m, size_t j)
{
    size_t p = m->n_columns;
    double sum = 0, total = 0;
    if (m->covariance == CAIRN_GAUSSIAN_IDENTITY) return 1;
    if (m->covariance == CAIRN_GAUSSIAN_SHARED) sum = square_of(m, 0, j);
    for (size_t c = 0; c < m->n_classes; c++) {
        double apart = m->means[c * p + j] - m->centre[j];
        if (m->covariance != CAIRN_GAUSSIAN_SHARED) sum += square_of(m, c, j);
        sum += m->totals[c] * apart * apart;
        total += m->totals[c];
    }
    return sum / total;
}

/* The covariance of factor f as the sums give it, cairn_gaussian_size numbers. */
static void raw_covariance(const cairn_gaussian_model *m, size_t f, double *out)
{
    size_t p = m->n_columns, size = cairn_gaussian_size(m);
    double own = cairn_gaussian_divisor(m, f), all = cairn_gaussian_divisor(m, m->n_classes);
    for (size_t i = 0; i < size; i++) {
        double pooled = 0;
        if (m->covariance == CAIRN_GAUSSIAN_IDENTITY) {
            out[i] = 1;
            continue;
        }
        if (m->covariance == CAIRN_GAUSSIAN_SHARED) {
            out[i] = m->scatters[i] / all;
        } else {
            for (size_t c = 0; m->pooling > 0 && c < m->n_classes; c++)
                pooled += m->scatters[c * size + i];
            out[i] = m->pooling * pooled / all;
            if (own > 0) out[i] += (1 - m->pooling) * m->scatters[f * size + i] / own;
        }
        if (!m->diagonal && i / p != i % p) out[i] *= 1 - m->shrinkage;
    }
}

/* -- factors -- */

typedef struct factoring {
    cairn_gaussian_model *m;
    double *variances; /* n_columns: over all rows */
    double *scale;     /* n_columns: D */
    double *a;         /* n_columns x n_columns: C, then R */
} factoring;

/* C and D of a covariance; constant columns stand apart with a 1. */
static void correlate(factoring *w, const double *covariance)
{
    const cairn_gaussian_model *m = w->m;
    size_t p = m->n_columns;
    for (size_t j = 0; j < p; j++) {
        double own = covariance[j * p + j];
        w->scale[j] = sqrt(own > LEAST_SHARE * w->variances[j] ? own : w->variances[j]);
        if (m->constant[j]) w->scale[j] = 1;
    }
    for (size_t i = 0; i < p * p; i++) {
        size_t r = i / p, c = i % p;
        bool apart = m->constant[r] || m->constant[c];
        w->a[i] = apart ? r == c : covariance[i] / w->scale[r] / w->scale[c];
    }
}

/* M from R by substitution, row after row from the last; constant columns have none. */
static void invert(const factoring *w, double *out)
{
    const cairn_gaussian_model *m = w->m;
    size_t p = m->n_columns;
    memset(out, 0, p * p * sizeof *out);
    for (size_t i = p; i-- > 0;) {
        out[i * p + i] = 1;
        for (size_t k = i + 1; k < p; k++)
            cairn_axpy(out + i * p + k, -w->a[i * p + k], out + k * p + k, p - k);
        for (size_t j = i; j < p; j++) out[i * p + j] /= w->a[i * p + i];
    }
    for (size_t i = 0; i < p; i++)
        for (size_t j = i; j < p; j++)
            out[i * p + j] = m->constant[i] || m->constant[j] ? 0 : out[i * p + j] / w->scale[i];
}

/* Cholesky's factor; a singular covariance is raised until there is one. */
static cairn_status factor_matrix(cairn_context *ctx, factoring *w, size_t f)
{
    cairn_gaussian_model *m = w->m;
    size_t p = m->n_columns, pivot;
    double *covariance = m->covariance_of + f * p * p, condition, by = m->least_variance;
    correlate(w, covariance);
    CHECK(cairn_cholesky(ctx, w->a, p, &condition, &pivot));
    for (int tries = 0; condition < LEAST_CONDITION && tries < 20; tries++, by *= 10) {
        m->raised[f] = 1;
        for (size_t j = 0; j < p; j++) covariance[j * p + j] += by * w->variances[j];
        correlate(w, covariance);
        CHECK(cairn_cholesky(ctx, w->a, p, &condition, &pivot));
    }
    if (!(condition > 0))
        return cairn_fail(ctx, CAIRN_NO_SOLUTION, "a covariance has no inverse; try {shrinkage 1}");
    for (size_t j = 0; j < p; j++)
        if (!m->constant[j]) m->log_roots[f] += cairn_log(w->a[j * p + j]) + cairn_log(w->scale[j]);
    invert(w, m->factors + f * p * p);
    return CAIRN_OK;
}

/* Variances alone; those that are next to nothing are raised. */
static void factor_diagonal(factoring *w, size_t f)
{
    cairn_gaussian_model *m = w->m;
    size_t p = m->n_columns;
    for (size_t j = 0; j < p; j++) {
        double *variance = m->covariance_of + f * p + j, least = m->least_variance;
        if (m->constant[j]) continue;
        if (m->covariance != CAIRN_GAUSSIAN_IDENTITY && *variance < least * w->variances[j]) {
            *variance += least * w->variances[j];
            m->raised[f] = 1;
        }
        m->factors[f * p + j] = 1 / sqrt(*variance);
        m->log_roots[f] += cairn_log(*variance) / 2;
    }
}

/* Every covariance with its factor; classes without rows are never scored and keep zeros. */
static cairn_status make_factors(cairn_context *ctx, cairn_gaussian_model *m)
{
    SCOPED_SCRATCH(ctx);
    size_t p = m->n_columns, size = cairn_gaussian_size(m);
    factoring w = {.m = m};
    CHECK(SCRATCH(ctx, &w.variances, p + 1));
    CHECK(SCRATCH(ctx, &w.scale, p + 1));
    CHECK(SCRATCH(ctx, &w.a, (m->diagonal ? 0 : size) + 1));
    for (size_t j = 0; j < p; j++) {
        w.variances[j] = variance_of(m, j);
        m->constant[j] = m->covariance != CAIRN_GAUSSIAN_IDENTITY &&
                         w.variances[j] <= 1e-24 * m->centre[j] * m->centre[j];
        m->n_constant += m->constant[j];
    }
    for (size_t f = 0; f < m->n_factors; f++) {
        if (m->n_factors > 1 && !(m->totals[f] > 0)) continue;
        raw_covariance(m, f, m->covariance_of + f * size);
        if (m->diagonal)
            factor_diagonal(&w, f);
        else if (p)
            CHECK(factor_matrix(ctx, &w, f));
    }
    return CAIRN_OK;
}

cairn_status cairn_gaussian_dependent(cairn_context *ctx, uint8_t *out, size_t *n,
                                      const cairn_gaussian_model *m, size_t f)
{
    SCOPED_SCRATCH(ctx);
    size_t p = m->n_columns;
    double *raw;
    factoring w = {.m = (cairn_gaussian_model *)m};
    *n = 0;
    CHECK(SCRATCH(ctx, &raw, cairn_gaussian_size(m) + 1));
    CHECK(SCRATCH(ctx, &w.variances, p + 1));
    CHECK(SCRATCH(ctx, &w.scale, p + 1));
    CHECK(SCRATCH(ctx, &w.a, cairn_product(p, p) + 1));
    for (size_t j = 0; j < p; j++) w.variances[j] = variance_of(m, j);
    raw_covariance(m, f, raw);
    if (m->diagonal)
        for (size_t j = 0; j < p; j++)
            w.a[j * p + j] = raw[j] < m->least_variance * w.variances[j] ? 0 : 1;
    else
        correlate(&w, raw);
    /* elimination in the order of the columns; what is left of a dependent one is rounding */
    for (size_t k = 0; k < p; k++) {
        out[k] = !m->constant[k] && w.a[k * p + k] < 1e-9;
        *n += out[k];
        for (size_t i = k + 1; !out[k] && i < p; i++)
            cairn_axpy(w.a + i * p + i, -w.a[k * p + i] / w.a[k * p + k], w.a + k * p + i, p - i);
    }
    return CAIRN_OK;
}

/* -- the rest -- */

/* Given priors count only for classes with rows; where none of these has one, all are alike. */
static void make_priors(cairn_gaussian_model *m)
{
    double sum = 0;
    for (size_t c = 0; c < m->n_classes; c++) {
        double share = m->prior_kind == CAIRN_PRIOR_GIVEN       ? m->given_prior[c]
                       : m->prior_kind == CAIRN_PRIOR_EMPIRICAL ? m->totals[c]
                                                                : 1;
        m->log_prior[c] = m->totals[c] > 0 ? share : 0;
        sum += m->log_prior[c];
    }
    if (m->prior_kind == CAIRN_PRIOR_NONE) sum = 1;
    for (size_t c = 0; c < m->n_classes; c++) {
        double share = sum > 0 ? m->log_prior[c] / sum : m->totals[c] > 0;
        m->log_prior[c] = share > 0 ? cairn_log(share) : -INFINITY;
    }
}

static void make_centre(cairn_gaussian_model *m)
{
    size_t p = m->n_columns;
    double total = 0;
    for (size_t c = 0; c < m->n_classes; c++) {
        total += m->totals[c];
        for (size_t j = 0; m->totals[c] > 0 && j < p; j++)
            m->centre[j] += m->totals[c] / total * (m->means[c * p + j] - m->centre[j]);
    }
}

/* out (n_columns) = v M with the factor of class c. */
static void times_factor(const cairn_gaussian_model *m, size_t c, const double *v, double *out)
{
    size_t p = m->n_columns;
    const double *f = m->factors + cairn_gaussian_factor(m, c) * cairn_gaussian_size(m);
    for (size_t j = 0; j < p; j++) {
        double sum = m->diagonal ? v[j] * f[j] : 0;
        for (size_t i = 0; !m->diagonal && i <= j; i++) sum += v[i] * f[i * p + j];
        out[j] = sum;
    }
}

/* Linear scores of class c: the quadratic part is the same for all classes. */
static void make_plane(cairn_gaussian_model *m, size_t c)
{
    size_t p = m->n_columns, k = m->n_classes;
    const double *offset = m->offsets + c * p;
    double squares = 0;
    for (size_t i = 0; i < p; i++) {
        double sum = m->diagonal ? m->factors[i] * offset[i] : 0;
        for (size_t j = i; !m->diagonal && j < p; j++) sum += m->factors[i * p + j] * offset[j];
        m->planes[i * k + c] = sum;
        squares += offset[i] * offset[i];
    }
    m->planes[p * k + c] = m->log_prior[c] - squares / 2;
}

/* What scores need beside the factors: where the means lie, and what does not depend on the row. */
static cairn_status make_scores(cairn_context *ctx, cairn_gaussian_model *m)
{
    SCOPED_SCRATCH(ctx);
    size_t p = m->n_columns, k = m->n_classes;
    double *apart;
    CHECK(SCRATCH(ctx, &apart, p + 1));
    for (size_t c = 0; c < k; c++) {
        for (size_t j = 0; j < p; j++)
            apart[j] = m->totals[c] > 0 ? m->means[c * p + j] - m->centre[j] : 0;
        times_factor(m, c, apart, m->offsets + c * p);
        m->log_bases[c] = m->log_prior[c] - m->log_roots[cairn_gaussian_factor(m, c)] -
                          LOG_TWO_PI * (double)(p - m->n_constant) / 2;
        if (m->planes) make_plane(m, c);
    }
    return CAIRN_OK;
}

cairn_status cairn_gaussian_make_tables(cairn_context *ctx, cairn_gaussian_model *m)
{
    cairn_gaussian_clear_tables(m);
    size_t p = m->n_columns, k = m->n_classes;
    size_t size = cairn_gaussian_size(m);
    m->diagonal = m->covariance >= CAIRN_GAUSSIAN_DIAGONAL;
    bool one = m->covariance == CAIRN_GAUSSIAN_SHARED || m->covariance == CAIRN_GAUSSIAN_IDENTITY;
    m->n_factors = one ? 1 : k;
    CHECK(NEW(ctx, &m->log_prior, k));
    CHECK(NEW(ctx, &m->centre, p));
    CHECK(NEW(ctx, &m->constant, p));
    CHECK(NEW(ctx, &m->covariance_of, cairn_product(m->n_factors, size)));
    CHECK(NEW(ctx, &m->factors, cairn_product(m->n_factors, size)));
    CHECK(NEW(ctx, &m->log_roots, m->n_factors));
    CHECK(NEW(ctx, &m->raised, m->n_factors));
    CHECK(NEW(ctx, &m->offsets, cairn_product(k, p)));
    CHECK(NEW(ctx, &m->log_bases, k));
    if (one) CHECK(NEW(ctx, &m->planes, cairn_product(k, p + 1)));
    make_priors(m);
    make_centre(m);
    CHECK(make_factors(ctx, m));
    return make_scores(ctx, m);
}

void cairn_gaussian_clear_tables(cairn_gaussian_model *m)
{
    double **arrays[] = {&m->log_prior, &m->centre,  &m->covariance_of, &m->factors,
                         &m->log_roots, &m->offsets, &m->log_bases,     &m->planes};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        cairn_free(*arrays[i]);
        *arrays[i] = NULL;
    }
    cairn_free(m->constant);
    cairn_free(m->raised);
    m->constant = m->raised = NULL;
    m->n_constant = m->n_factors = 0;
}

/* The trace of F'SF: by hand, or for many columns by a product. */
static cairn_status squares_of_matrix(cairn_context *ctx, double *out, const double *factor,
                                      const double *scatter, size_t p)
{
    enum { FEW = 100 };
    SCOPED_SCRATCH(ctx);
    double *upper, *turned;
    *out = 0;
    if (p <= FEW) {
        for (size_t k = 0; k < p; k++)
            for (size_t i = 0; i <= k; i++)
                for (size_t j = 0; j <= k; j++)
                    *out += factor[i * p + k] * scatter[i * p + j] * factor[j * p + k];
        return CAIRN_OK;
    }
    CHECK(SCRATCH(ctx, &upper, cairn_product(p, p)));
    CHECK(SCRATCH_RAW(ctx, &turned, cairn_product(p, p)));
    for (size_t i = 0; i < p; i++)
        memcpy(upper + i * p + i, factor + i * p + i, (p - i) * sizeof *upper);
    CHECK(cairn_multiply(ctx, turned, scatter, CAIRN_AS_IT_IS, upper, CAIRN_AS_IT_IS, p, p, p));
    for (size_t i = 0; i < p; i++) *out += cairn_dot(upper + i * p, turned + i * p, p);
    return CAIRN_OK;
}

cairn_status cairn_gaussian_squares(cairn_context *ctx, double *out, const cairn_gaussian_model *m,
                                    size_t f, const double *scatter)
{
    const double *factor = m->factors + f * cairn_gaussian_size(m);
    if (!m->diagonal) return squares_of_matrix(ctx, out, factor, scatter, m->n_columns);
    *out = 0;
    for (size_t j = 0; j < m->n_columns; j++) *out += scatter[j] * factor[j] * factor[j];
    return CAIRN_OK;
}

cairn_status cairn_gaussian_log_likelihood(cairn_context *ctx, double *out,
                                           const cairn_gaussian_model *m)
{
    size_t size = cairn_gaussian_size(m);
    double squares;
    *out = m->covariance == CAIRN_GAUSSIAN_IDENTITY ? NAN : m->incomplete > 0 ? m->likelihood : 0;
    if (m->covariance == CAIRN_GAUSSIAN_IDENTITY || m->incomplete > 0) return CAIRN_OK;
    for (size_t c = 0; c < m->n_classes; c++)
        if (m->totals[c] > 0) *out += m->totals[c] * m->log_bases[c];
    for (size_t f = 0; f < m->n_factors; f++) {
        CHECK(cairn_gaussian_squares(ctx, &squares, m, f, m->scatters + f * size));
        *out -= squares / 2;
    }
    return CAIRN_OK;
}
