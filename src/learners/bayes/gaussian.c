/* SPDX-License-Identifier: MIT */
/* Normal densities for the classes: the class c that makes
 *
 *     ln P(c) − ½ ln |Σ_c| − ½ (x − μ_c)' Σ_c⁻¹ (x − μ_c)
 *
 * largest. With one Σ for all classes this is linear in x (linear discriminant analysis), with one
 * for each class quadratic.
 *
 *  1. one pass gives weight, mean and scatter of each class (rows/class_sums.h); more rows can be
 *     added later, which gives what all rows at once would have given
 *  2. scatters become covariances: shared, of each class, or between the two (pooling), with a
 *     share of their diagonals (shrinkage); factors and determinants of these
 *  3. a row's score by one triangular product per covariance
 *
 * Choices: columns that are the same in all rows are left out. A covariance that is singular gets
 * a small share of the columns' variances on its diagonal, and it is said which columns are to
 * blame. At prediction missing cells are summed over exactly: the density is that of the cells that
 * are there; in training this is EM (gaussian_missing.c). A weight counts as so many equal rows.
 * Ties go to the first class. Cost: n p²/2 for the pass, p³ for each covariance, p²/2 (or p) for
 * each row and class. */
#include "learners/bayes/gaussian.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "kernels/elementwise.h"
#include "kernels/kernels.h"
#include "decompose/linalg.h"
#include "kernels/products.h"
#include "model/sample.h"
#include "parallel/parallel.h"
#include "rows/class_sums.h"
#include "rows/matrix.h"
#include "stats/summary.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct gaussian_params {
    int covariance; /* cairn_gaussian_covariance */
    const char *prior;
    int divisor; /* cairn_divisor */
    double pooling, shrinkage, least_variance;
} gaussian_params;

/* Sums of the classes made into covariances, their factors, and what scores need of them.
 *
 * A covariance is Σ = D C D with D the deviations, so that the units of the columns do not spoil
 * the condition; with C = R'R the inverse is MM', M = D⁻¹R⁻¹, and a squared distance is
 * |(x − μ)M|². */

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
    CHECK(SCRATCH_EACH(ctx, p + 1, &w.variances, &w.scale));
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
    CHECK(SCRATCH_EACH(ctx, p + 1, &w.variances, &w.scale));
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

static void clear_tables(cairn_gaussian_model *m)
{
    double **arrays[] = {&m->log_prior, &m->centre,  &m->covariance_of, &m->factors,
                         &m->log_roots, &m->offsets, &m->log_bases,     &m->planes};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        cairn_free(*arrays[i]);
        *arrays[i] = NULL;
    }
    FREE_EACH(m->constant, m->raised);
    m->constant = m->raised = NULL;
    m->n_constant = m->n_factors = 0;
}

cairn_status cairn_gaussian_make_tables(cairn_context *ctx, cairn_gaussian_model *m)
{
    clear_tables(m);
    size_t p = m->n_columns, k = m->n_classes;
    size_t size = cairn_gaussian_size(m);
    m->diagonal = m->covariance >= CAIRN_GAUSSIAN_DIAGONAL;
    bool one = m->covariance == CAIRN_GAUSSIAN_SHARED || m->covariance == CAIRN_GAUSSIAN_IDENTITY;
    m->n_factors = one ? 1 : k;
    CHECK(NEW(ctx, &m->log_prior, k));
    CHECK(NEW_EACH(ctx, p, &m->centre, &m->constant));
    CHECK(NEW_EACH(ctx, cairn_product(m->n_factors, size), &m->covariance_of, &m->factors));
    CHECK(NEW_EACH(ctx, m->n_factors, &m->log_roots, &m->raised));
    CHECK(NEW(ctx, &m->offsets, cairn_product(k, p)));
    CHECK(NEW(ctx, &m->log_bases, k));
    if (one) CHECK(NEW(ctx, &m->planes, cairn_product(k, p + 1)));
    make_priors(m);
    make_centre(m);
    CHECK(make_factors(ctx, m));
    return make_scores(ctx, m);
}

/* The trace of F'SF: by hand, or for many columns by a product. */
static cairn_status squares_of_matrix(cairn_context *ctx, double *out, const double *factor,
                                      const double *scatter, size_t p)
{
    enum { FEW = 100 };
    SCOPED_SCRATCH(ctx);
    double *upper, *transposed;
    *out = 0;
    if (p <= FEW) {
        for (size_t k = 0; k < p; k++)
            for (size_t i = 0; i <= k; i++)
                for (size_t j = 0; j <= k; j++)
                    *out += factor[i * p + k] * scatter[i * p + j] * factor[j * p + k];
        return CAIRN_OK;
    }
    CHECK(SCRATCH(ctx, &upper, cairn_product(p, p)));
    CHECK(SCRATCH_RAW(ctx, &transposed, cairn_product(p, p)));
    for (size_t i = 0; i < p; i++)
        memcpy(upper + i * p + i, factor + i * p + i, (p - i) * sizeof *upper);
    CHECK(cairn_multiply(ctx, transposed, scatter, CAIRN_AS_IT_IS, upper, CAIRN_AS_IT_IS, p, p, p));
    for (size_t i = 0; i < p; i++) *out += cairn_dot(upper + i * p, transposed + i * p, p);
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
    bool known = m->incomplete > 0 || cairn_gaussian_is_typed(m);
    *out = known ? m->likelihood : m->covariance == CAIRN_GAUSSIAN_IDENTITY ? NAN : 0;
    if (m->covariance == CAIRN_GAUSSIAN_IDENTITY || known) return CAIRN_OK;
    for (size_t c = 0; c < m->n_classes; c++)
        if (m->totals[c] > 0) *out += m->totals[c] * m->log_bases[c];
    for (size_t f = 0; f < m->n_factors; f++) {
        CHECK(cairn_gaussian_squares(ctx, &squares, m, f, m->scatters + f * size));
        *out -= squares / 2;
    }
    return CAIRN_OK;
}

/* Sums as of one row of each class, whose divisor is 1: the covariances come out as they are. */
cairn_status cairn_gaussian_know(cairn_context *ctx, cairn_gaussian_model *m,
                                 const cairn_gaussian_known *known)
{
    size_t k = known->n_classes, p = known->n_columns;
    m->n_classes = k;
    m->n_columns = p;
    m->covariance = known->covariance;
    m->divisor = CAIRN_DIVISOR_N;
    m->prior_kind = CAIRN_PRIOR_GIVEN;
    m->least_variance = 1e-9;
    m->n_given = k;
    size_t size = cairn_gaussian_scatter_size(m);
    double factor = m->covariance == CAIRN_GAUSSIAN_SHARED ? (double)k : 1;
    CHECK(NEW_EACH(ctx, k, &m->given_prior, &m->totals));
    CHECK(NEW(ctx, &m->means, cairn_product(k, p)));
    CHECK(NEW(ctx, &m->scatters, size));
    memcpy(m->given_prior, known->priors, k * sizeof *m->given_prior);
    memcpy(m->means, known->means, k * p * sizeof *m->means);
    for (size_t c = 0; c < k; c++) m->totals[c] = 1;
    for (size_t i = 0; i < size; i++) m->scatters[i] = factor * known->covariances[i];
    return cairn_gaussian_make_tables(ctx, m);
}

/* -- sums of the classes from the rows, and the sums of two lots of rows made one -- */

enum { MOST_NUMBERS = 1 << 27 }; /* of all covariances */

bool cairn_gaussian_is_complete(const cairn_view *view, size_t i)
{
    size_t row = cairn_view_row(view, i);
    for (size_t f = 0; f < view->n_features; f++)
        if (view->features[f]->n_missing && isnan(view->features[f]->numbers[row])) return false;
    return true;
}

cairn_status cairn_gaussian_complete(cairn_context *ctx, cairn_view *out, const cairn_view *view,
                                     double *weight)
{
    bool any = false;
    size_t n = view->rows.n, kept = 0;
    uint32_t *indices;
    double *weights;
    *out = *view;
    *weight = 0;
    for (size_t f = 0; f < view->n_features; f++) any |= view->features[f]->n_missing > 0;
    if (!any) return CAIRN_OK;
    CHECK(SCRATCH_RAW_EACH(ctx, n + 1, &indices, &weights));
    for (size_t i = 0; i < n; i++) {
        if (!cairn_gaussian_is_complete(view, i)) {
            *weight += cairn_view_weight(view, i);
            continue;
        }
        weights[kept] = view->rows.weights ? view->rows.weights[i] : 1;
        indices[kept++] = (uint32_t)cairn_view_row(view, i);
    }
    out->rows = (cairn_rows){indices, kept, view->rows.weights ? weights : NULL};
    return CAIRN_OK;
}

/* -- settings -- */

/* The model keeps what turns sums into densities, since later rows are added without
 * parameters. */
static cairn_status keep_settings(cairn_context *ctx, cairn_gaussian_model *m, const cairn_job *job)
{
    const gaussian_params *p = job->params;
    double *prior = NULL;
    size_t n;
    m->n_classes = job->n_classes;
    m->n_columns = job->view->n_features;
    m->covariance = p->covariance;
    m->divisor = p->divisor;
    m->pooling = p->pooling;
    m->shrinkage = p->shrinkage;
    m->least_variance = p->least_variance;
    CHECK(cairn_bayes_read_prior(ctx, p->prior, &m->prior_kind, &prior, &n));
    if (n && n != job->n_classes)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "{prior} has %zu number%s for the %zu classes of '%s'", n,
                          n == 1 ? "" : "s", job->n_classes, job->view->target_name);
    CHECK(NEW(ctx, &m->given_prior, n));
    m->n_given = n;
    if (n) memcpy(m->given_prior, prior, n * sizeof *prior);
    return CAIRN_OK;
}

/* -- the sums of some rows -- */

static int wanted_sums(const cairn_gaussian_model *m)
{
    switch (m->covariance) {
    case CAIRN_GAUSSIAN_SHARED: return CAIRN_CLASS_SCATTER;
    case CAIRN_GAUSSIAN_OWN: return CAIRN_CLASS_OWN_SCATTER;
    case CAIRN_GAUSSIAN_DIAGONAL: return CAIRN_CLASS_OWN_SPREADS;
    default: return CAIRN_CLASS_MEANS;
    }
}

static const double *scatters_of(const cairn_gaussian_model *m, const cairn_class_sums *s)
{
    return m->covariance == CAIRN_GAUSSIAN_SHARED ? s->within : s->own;
}

/* Of the complete rows. Squares that overflow are refused with the place of the largest number. */
static cairn_status sums_of(cairn_context *ctx, cairn_class_sums *out,
                            const cairn_gaussian_model *m, const cairn_job *job, double *left_out)
{
    cairn_view view;
    int32_t *places;
    CHECK(cairn_gaussian_complete(ctx, &view, job->view, left_out));
    CHECK(SCRATCH(ctx, &places, m->n_classes + 1));
    for (size_t c = 0; c < m->n_classes; c++) places[c] = (int32_t)c;
    CHECK(cairn_class_sums_of(ctx, out, &view, places, m->n_classes, wanted_sums(m)));
    const double *scatters = scatters_of(m, out);
    for (size_t i = 0; i < cairn_gaussian_scatter_size(m); i++)
        if (!isfinite(scatters[i])) {
            cairn_row_matrix x;
            CHECK(cairn_matrix_open(ctx, &x, &view, &(cairn_matrix_options){0}));
            return cairn_matrix_refuse(ctx, &x, NULL);
        }
    return CAIRN_OK;
}

/* -- two lots of rows -- */

/* Scatter of class c when rows of its own come to those that are there: both, and what lies between
 * the two means. `means` are still the old ones. */
static void add_scatter(cairn_gaussian_model *m, const cairn_class_sums *s, size_t c)
{
    size_t p = m->n_columns;
    double n = m->totals[c], more = s->totals[c];
    double factor = n + more > 0 ? n * more / (n + more) : 0;
    const double *old = m->means + c * p, *new = s->means + c *p;
    bool matrix = m->covariance != CAIRN_GAUSSIAN_DIAGONAL;
    double *to = m->scatters;
    if (m->covariance == CAIRN_GAUSSIAN_OWN) to += c * p * p;
    if (m->covariance == CAIRN_GAUSSIAN_DIAGONAL) to += c * p;
    for (size_t i = 0; i < p; i++)
        for (size_t j = matrix ? 0 : i; j < (matrix ? p : i + 1); j++)
            to[matrix ? i * p + j : i] += factor * (new[i] - old[i]) * (new[j] - old[j]);
}

/* Scatters first, since they need the old means. */
static void add_sums(cairn_gaussian_model *m, const cairn_class_sums *s)
{
    size_t p = m->n_columns;
    const double *scatters = scatters_of(m, s);
    for (size_t i = 0; i < cairn_gaussian_scatter_size(m); i++) m->scatters[i] += scatters[i];
    for (size_t c = 0; c < m->n_classes; c++) {
        double all = m->totals[c] + s->totals[c];
        if (m->covariance != CAIRN_GAUSSIAN_IDENTITY) add_scatter(m, s, c);
        if (!(s->totals[c] > 0)) continue;
        if (m->totals[c] > 0)
            for (size_t j = 0; j < p; j++)
                m->means[c * p + j] +=
                    s->totals[c] / all * (s->means[c * p + j] - m->means[c * p + j]);
        else
            memcpy(m->means + c * p, s->means + c * p, p * sizeof *m->means);
        m->totals[c] = all;
    }
}

/* -- the record's functions -- */

/* Singular covariances are repaired, but the columns that cause it are named: the user may want to
 * take them out. */
static cairn_status warn_singular(cairn_context *ctx, const cairn_gaussian_model *m,
                                  const cairn_job *job)
{
    enum { NAMED = 5 };
    SCOPED_SCRATCH(ctx);
    uint8_t *dependent;
    size_t n, named = 0, f = 0, n_raised = 0;
    CHECK(SCRATCH(ctx, &dependent, m->n_columns + 1));
    for (size_t i = m->n_factors; i-- > 0;)
        if (m->raised[i]) f = i;
    for (size_t i = 0; i < m->n_factors; i++) n_raised += m->raised[i];
    if (!n_raised) return CAIRN_OK;
    CHECK(cairn_gaussian_dependent(ctx, dependent, &n, m, f));
    SCOPED(cairn_text_clear) cairn_text names = cairn_text_start(ctx);
    for (size_t j = 0; j < m->n_columns && named < NAMED; j++)
        if (dependent[j])
            cairn_text_addf(&names, "%s'%s'", named++ ? ", " : "", job->view->names[j]);
    if (n > named) cairn_text_addf(&names, " and %zu more", n - named);
    CHECK(cairn_text_status(&names));
    bool one = m->n_factors == 1;
    char share[CAIRN_NUMBER_SIZE];
    cairn_number_format(share, m->least_variance, 3);
    cairn_warn(ctx,
               "the %scovariance%s%s%s is singular: %s %s in it no variance besides the columns "
               "before; %s of the columns' variances is added%s; %s",
               one ? "shared " : "", one ? "" : " of class '",
               one ? "" : cairn_bayes_class(job->schema, f), one ? "" : "'",
               cairn_text_string(&names), n == 1 ? "has" : "have", share,
               n_raised > 1 ? ", likewise in other classes" : "",
               cairn_say(ctx, one ? "leave columns out or try {shrinkage 0.1}"
                                  : "leave columns out or try {pooling 0.5} or {shrinkage 0.1}"));
    return CAIRN_OK;
}

static cairn_status add_rows(cairn_context *ctx, cairn_gaussian_model *m, const cairn_job *job)
{
    SCOPED_SCRATCH(ctx);
    cairn_class_sums sums;
    double incomplete;
    CHECK(sums_of(ctx, &sums, m, job, &incomplete));
    add_sums(m, &sums);
    m->incomplete += incomplete;
    CHECK(cairn_gaussian_keep_rows(ctx, m, job->view));
    CHECK(cairn_gaussian_expect_missing(ctx, m, job));
    CHECK(cairn_gaussian_make_tables(ctx, m));
    CHECK(warn_singular(ctx, m, job));
    return job->steps ? cairn_gaussian_steps(ctx, m, job) : CAIRN_OK;
}

/* -- gaussian.c -- */
static cairn_status gaussian_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    cairn_gaussian_model *m = model;
    CHECK(keep_settings(ctx, m, job));
    /* Matrices of many columns and classes are refused before anything is allocated. */
    size_t p = m->n_columns, size = cairn_gaussian_scatter_size(m);
    if (size > MOST_NUMBERS)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "covariances of %zu columns would need %zu numbers; take fewer columns "
                          "({with select}, {with pca}) or {covariance diagonal}",
                          p, size);
    CHECK(NEW(ctx, &m->totals, m->n_classes));
    CHECK(NEW(ctx, &m->means, cairn_product(m->n_classes, p)));
    CHECK(NEW(ctx, &m->scatters, size));
    return add_rows(ctx, m, job);
}

/* What shapes a covariance that is learned has no say in one that is typed. */
static cairn_status gaussian_read(cairn_context *ctx, void *model, const cairn_job *job,
                                  const cairn_given *given)
{
    const gaussian_params *p = job->params;
    bool prior = p->prior && !cairn_same(p->prior, "empirical");
    if (p->covariance != CAIRN_GAUSSIAN_SHARED || prior || p->pooling > 0 || p->shrinkage > 0)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{given}: means, covariances and priors are those of the file; leave out "
                          "{%s}",
                          prior              ? "prior"
                          : p->pooling > 0   ? "pooling"
                          : p->shrinkage > 0 ? "shrinkage"
                                             : "covariance");
    return cairn_gaussian_read(ctx, model, job, given);
}

/* Given priors leave no room for a class that is new: such an update is refused. */
static cairn_status gaussian_update(cairn_context *ctx, void *model, const cairn_job *job)
{
    if (cairn_gaussian_is_typed(model))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "the classes of this model were typed and not learned from rows, so more "
                          "rows cannot be added; fit it without {given}");
    CHECK(cairn_gaussian_recall(ctx, model));
    /* Classes that are new stand behind the old ones: everything is by class, so the arrays
     * grow. */
    cairn_gaussian_model *m = model;
    size_t k = m->n_classes, to = job->n_classes, p = m->n_columns;
    size_t before = cairn_gaussian_scatter_size(m);
    if (to != k) {
        if (m->n_given)
            return cairn_fail(
                ctx, CAIRN_BAD_DATA,
                "the model has given priors for %zu classes and cannot take a new class "
                "'%s'; fit it again with {prior} for all classes",
                m->n_given, cairn_bayes_class(job->schema, k));
        m->n_classes = to;
        size_t after = cairn_gaussian_scatter_size(m);
        CHECK(RESIZE(ctx, &m->totals, to));
        CHECK(RESIZE(ctx, &m->means, cairn_product(to, p)));
        CHECK(RESIZE(ctx, &m->scatters, after));
        memset(m->totals + k, 0, (to - k) * sizeof *m->totals);
        if (p) memset(m->means + k * p, 0, (to - k) * p * sizeof *m->means);
        if (after > before) memset(m->scatters + before, 0, (after - before) * sizeof *m->scatters);
    }
    return add_rows(ctx, model, job);
}

/* Scores of rows in blocks, column by column as the table has them. With one covariance the scores
 * are linear but for a part that all classes share, which only densities need; with several, a
 * block of x − centre is multiplied with each factor. Rows with missing cells are done by
 * themselves with the covariance of the cells that are there, which is the density with the others
 * summed over. */

enum { PART = 96, BLOCK_ROWS = 5 * PART }; /* a part of x − centre stays in the cache */

typedef struct scoring {
    const cairn_gaussian_model *m;
    const cairn_view *view;
    bool missing;           /* some cell is */
    bool densities;         /* what the classes share is wanted too */
    const double **columns; /* n_columns: of the table */
    double *rates;          /* n_factors x n_columns, for variances alone: factors / √2 */
    double *zeros;          /* n_columns */
    double *buffer;         /* a worker's */
    size_t buffer_size;
    const double **gathered; /* workers x n_columns */
    cairn_gaussian_observed *observed;
    cairn_prediction *to; /* NULL = only scores are wanted */
    double *scores;       /* rows x classes; may be NULL */
    double *density, *error, *discriminant;
    int32_t positive;
} scoring;

/* What a worker has of a block. */
typedef struct block {
    size_t begin, n;
    const double *const *columns;
    size_t first;     /* of the block in the columns */
    double *part;     /* n_columns x PART: x − centre */
    double *scores;   /* n_classes x BLOCK_ROWS */
    double *shared;   /* BLOCK_ROWS: what all classes have; 0 where it is not wanted */
    double *sound;    /* BLOCK_ROWS: 0, or NaN where some score is infinite */
    double *rows;     /* BLOCK_ROWS x n_classes */
    double *z;        /* n_columns: one row */
    double *gathered; /* n_columns x BLOCK_ROWS, for a choice of rows */
} block;

double cairn_gaussian_posterior(double *scores, size_t n)
{
    double most = -INFINITY, sum = 0;
    for (size_t c = 0; c < n; c++) most = fmax(most, scores[c]);
    for (size_t c = 0; c < n; c++) sum += scores[c] = cairn_exp(scores[c] - most);
    for (size_t c = 0; c < n; c++) scores[c] /= sum;
    return most + cairn_log(sum);
}

/* -- a row by itself -- */

static cairn_status make_observed(cairn_context *ctx, scoring *s, size_t workers)
{
    const cairn_gaussian_model *m = s->m;
    size_t p = m->n_columns;
    for (size_t f = 0; f < p; f++) s->missing |= s->view->features[f]->n_missing > 0;
    CHECK(SCRATCH(ctx, &s->observed, workers));
    for (size_t w = 0; s->missing && w < workers; w++)
        CHECK(cairn_gaussian_observed_new(ctx, &s->observed[w], m));
    return CAIRN_OK;
}

/* What all blocks read. */
static cairn_status make_tables(cairn_context *ctx, scoring *s, size_t workers)
{
    const cairn_gaussian_model *m = s->m;
    size_t p = m->n_columns, n = m->diagonal ? m->n_factors * p : 0;
    CHECK(SCRATCH_EACH(ctx, p + 1, &s->columns, &s->zeros));
    CHECK(SCRATCH(ctx, &s->rates, n + 1));
    CHECK(SCRATCH(ctx, &s->gathered, cairn_product(workers, p) + 1));
    for (size_t j = 0; j < p; j++) s->columns[j] = s->view->features[j]->numbers;
    for (size_t i = 0; i < n; i++) s->rates[i] = m->factors[i] * sqrt(0.5);
    return make_observed(ctx, s, workers);
}

/* The columns of the block: those of the table, or a choice of their rows. */
static void find_columns(const scoring *s, block *b, int worker)
{
    size_t p = s->m->n_columns;
    const uint32_t *rows = s->view->rows.indices;
    b->columns = s->columns;
    b->first = b->begin;
    if (!rows) return;
    const double **starts = s->gathered + (size_t)worker * p;
    for (size_t j = 0; j < p; j++) {
        double *to = b->gathered + j * BLOCK_ROWS;
        cairn_gather(to, s->columns[j], rows + b->begin, b->n);
        starts[j] = to;
    }
    b->columns = starts;
    b->first = 0;
}

/* x − centre of PART rows from row `from` of the block on; those behind its end are 0. */
static void fill_part(const scoring *s, block *b, size_t from)
{
    size_t n = b->n - from < PART ? b->n - from : PART;
    for (size_t j = 0; j < s->m->n_columns; j++) {
        const double *x = b->columns[j] + b->first + from;
        double *z = b->part + j * PART, centre = s->m->centre[j];
        for (size_t i = 0; i < n; i++) z[i] = x[i] - centre;
        for (size_t i = n; i < PART; i++) z[i] = 0;
    }
}

static void score_far(const cairn_gaussian_model *m, const double *z, double *out);

/* Rows that the products cannot do: scores with what the classes share. */
static void mend_row(const scoring *s, block *b, size_t i, int worker)
{
    const cairn_gaussian_model *m = s->m;
    size_t k = m->n_classes;
    double *row = b->rows;
    bool missing = false, sound = true, any = false;
    for (size_t j = 0; j < m->n_columns; j++) {
        b->z[j] = b->columns[j][b->first + i] - m->centre[j];
        missing |= isnan(b->z[j]) != 0;
    }
    for (size_t c = 0; c < k; c++) row[c] = b->scores[c * BLOCK_ROWS + i];
    if (missing) {
        cairn_gaussian_observed_scores(m, &s->observed[worker], b->z, row);
        b->shared[i] = 0;
    }
    for (size_t c = 0; c < k; c++) {
        sound &= !isnan(row[c]) && row[c] < INFINITY;
        any |= row[c] > -INFINITY;
    }
    if (!sound || !any) {
        score_far(m, b->z, row);
        b->shared[i] = -DBL_MAX;
    }
    for (size_t c = 0; c < k; c++) b->scores[c * BLOCK_ROWS + i] = row[c];
}

/* Scores of the rows of a block. Infinite ones of classes without a prior do not count. */
static void score_rows(const scoring *s, block *b, int worker)
{
    const cairn_gaussian_model *m = s->m;
    memset(b->shared, 0, b->n * sizeof *b->shared);
    memset(b->sound, 0, b->n * sizeof *b->sound);
    if (m->planes)
        cairn_plane_scores(b->scores, BLOCK_ROWS, b->columns, b->first, b->n, m->n_columns,
                           m->centre, m->planes, m->n_classes);
    else {
        /* Densities of every class with a covariance of its own. */
        size_t p = m->n_columns;
        for (size_t from = 0; from < b->n; from += PART) {
            if (!m->diagonal) fill_part(s, b, from);
            for (size_t c = 0; c < m->n_classes; c++) {
                double *out = b->scores + c * BLOCK_ROWS + from, half = m->diagonal ? 1 : -0.5;
                if (!m->diagonal)
                    cairn_normal_squares(out, b->part, PART, p, m->factors + c * p * p,
                                         m->offsets + c * p);
                else
                    cairn_normal_logs(out, b->columns, b->first + from,
                                      b->n - from < PART ? b->n - from : PART, p, m->means + c * p,
                                      s->rates + c * p);
                for (size_t i = 0; i < PART; i++) out[i] = m->log_bases[c] + half * out[i];
            }
        }
    }
    if (m->planes && s->densities) {
        /* The part of ln density that a shared covariance gives to all classes alike. */
        size_t p = m->n_columns, c = 0;
        if (m->diagonal)
            cairn_normal_logs(b->shared, b->columns, b->first, b->n, p, m->centre, s->rates);
        for (size_t from = 0; !m->diagonal && from < b->n; from += PART) {
            fill_part(s, b, from);
            cairn_normal_squares(b->shared + from, b->part, PART, p, m->factors, s->zeros);
        }
        while (c + 1 < m->n_classes && !(m->log_prior[c] > -INFINITY)) c++;
        double base = m->log_bases[c] - m->log_prior[c], half = m->diagonal ? 1 : -0.5;
        for (size_t i = 0; i < b->n; i++) b->shared[i] = fmax(base + half * b->shared[i], -DBL_MAX);
    }
    for (size_t c = 0; c < m->n_classes; c++) {
        const double *scores = b->scores + c * BLOCK_ROWS;
        if (!(m->log_prior[c] > -INFINITY)) continue;
        for (size_t i = 0; i < b->n; i++) b->sound[i] += 0 * scores[i];
    }
    for (size_t i = 0; i < b->n; i++)
        if (isnan(b->sound[i])) mend_row(s, b, i, worker);
}

/* Row by row, with what the classes share where densities are wanted. */
static void turn_rows(const scoring *s, const block *b, double *out, bool shared)
{
    size_t k = s->m->n_classes;
    for (size_t i = 0; i < b->n; i++)
        for (size_t c = 0; c < k; c++)
            out[i * k + c] = b->scores[c * BLOCK_ROWS + i] + (shared ? b->shared[i] : 0);
}

static cairn_status score(cairn_context *ctx, scoring *s);

/* The class with the largest score; the first of equal ones. */
static void give_codes(const scoring *s, const block *b, int32_t *codes)
{
    for (size_t i = 0; i < b->n; i++) {
        double most = b->scores[i];
        int32_t best = 0;
        for (size_t c = 1; c < s->m->n_classes; c++) {
            double score = b->scores[c * BLOCK_ROWS + i];
            best = score > most ? (int32_t)c : best;
            most = score > most ? score : most;
        }
        codes[i] = best;
    }
}

/* Two classes: the positive one less the other; more: the largest less the next. */
static double discriminant_of(const scoring *s, const double *p, size_t n)
{
    double most = 0, next = 0;
    if (n == 2) {
        size_t a = s->positive >= 0 ? (size_t)s->positive : 1;
        return p[a] - p[1 - a];
    }
    for (size_t c = 0; c < n; c++) {
        if (p[c] > most) {
            next = most;
            most = p[c];
        } else {
            next = fmax(next, p[c]);
        }
    }
    return most - next;
}

/* Probabilities, and what is made of them. */
static void give_probabilities(const scoring *s, const block *b)
{
    size_t k = s->m->n_classes;
    double *logs = s->density ? b->sound : NULL;
    turn_rows(s, b, b->rows, false);
    cairn_softmax_rows(b->rows, logs, k, b->n, k);
    if (s->to->scores) memcpy(s->to->scores + b->begin * k, b->rows, b->n * k * sizeof *b->rows);
    for (size_t i = 0; s->density && i < b->n; i++) {
        const double *p = b->rows + i * k;
        size_t best = 0;
        double rest = 0;
        for (size_t c = 1; c < k; c++)
            if (p[c] > p[best]) best = c;
        for (size_t c = 0; c < k; c++) rest += c == best ? 0 : p[c];
        s->density[b->begin + i] = logs[i] + b->shared[i];
        s->error[b->begin + i] = rest;
        s->discriminant[b->begin + i] = discriminant_of(s, p, k);
    }
}

static void score_block(void *data, size_t block_number, size_t begin, size_t end, int worker)
{
    const scoring *s = data;
    size_t p = s->m->n_columns, k = s->m->n_classes;
    block b = {.begin = begin, .n = end - begin};
    (void)block_number;
    b.part = s->buffer + (size_t)worker * s->buffer_size;
    b.scores = b.part + p * PART;
    b.rows = b.scores + k * BLOCK_ROWS;
    b.shared = b.rows + k * BLOCK_ROWS;
    b.sound = b.shared + BLOCK_ROWS;
    b.z = b.sound + BLOCK_ROWS;
    b.gathered = b.z + p;
    find_columns(s, &b, worker);
    score_rows(s, &b, worker);
    if (s->scores) turn_rows(s, &b, s->scores + begin * k, true);
    if (!s->to) return;
    if (s->to->codes) give_codes(s, &b, s->to->codes + begin);
    if (s->to->scores || s->density) give_probabilities(s, &b);
}

/* All room is taken before the blocks start, as workers may not allocate. */
static cairn_status score(cairn_context *ctx, scoring *s)
{
    const cairn_gaussian_model *m = s->m;
    size_t p = m->n_columns, k = m->n_classes, workers = (size_t)cairn_workers(ctx);
    size_t n = s->view->rows.n, wide = s->view->rows.indices ? p : 0;
    s->buffer_size = cairn_product(BLOCK_ROWS, 2 * k + 2 + wide) + cairn_product(PART + 1, p);
    CHECK(make_tables(ctx, s, workers));
    CHECK(SCRATCH_RAW(ctx, &s->buffer, cairn_product(workers, s->buffer_size) + 1));
    double work = (double)n * (double)k * (double)(p + 1) * (m->planes ? 1.0 : (double)(p + 1));
    return cairn_blocks_sized(ctx, n, BLOCK_ROWS, work, score_block, s);
}

/* A row that is so far away that squares overflow: only its direction counts, and the class whose
 * density falls slowest gets it. */
static void score_far(const cairn_gaussian_model *m, const double *z, double *out)
{
    size_t p = m->n_columns, k = m->n_classes;
    double largest = 0, best = -INFINITY;
    for (size_t j = 0; j < p; j++)
        if (!m->constant[j]) largest = fmax(largest, fmin(fabs(z[j]), DBL_MAX));
    for (size_t c = 0; c < k; c++) {
        const double *f = m->factors + cairn_gaussian_factor(m, c) * cairn_gaussian_size(m);
        double score = 0;
        for (size_t j = 0; j < p; j++) {
            double sum = 0;
            for (size_t i = m->diagonal ? j : 0; i <= j; i++) {
                double u = isnan(z[i]) || m->constant[i]
                               ? 0
                               : fmax(-DBL_MAX, fmin(z[i], DBL_MAX)) / largest;
                sum += m->planes ? (i == j) * u * m->planes[j * k + c]
                                 : u * (m->diagonal ? f[j] : f[i * p + j]);
            }
            score += m->planes ? sum : -sum * sum;
        }
        out[c] = m->log_prior[c] > -INFINITY ? score : -INFINITY;
        best = fmax(best, out[c]);
    }
    for (size_t c = 0; c < k; c++) out[c] = out[c] == best ? 0 : -INFINITY;
}

/* -- preparing -- */

cairn_status cairn_gaussian_scores(cairn_context *ctx, double *out, const cairn_gaussian_model *m,
                                   const cairn_view *view)
{
    SCOPED_SCRATCH(ctx);
    scoring s = {.m = m, .view = view, .scores = out, .densities = true};
    return score(ctx, &s);
}

static cairn_status gaussian_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                     const cairn_job *job)
{
    SCOPED_SCRATCH(ctx);
    scoring s = {.m = model, .view = job->view, .to = out, .positive = job->positive};
    s.densities = out->extra != NULL;
    if (out->extra) {
        CHECK(SCRATCH_RAW_EACH(ctx, out->n_rows + 1, &s.density, &s.error, &s.discriminant));
    }
    CHECK(score(ctx, &s));
    out->codes_set = true;
    if (!out->extra) return CAIRN_OK;
    CHECK(cairn_table_put_numbers(ctx, out->extra, "log_density", s.density));
    CHECK(cairn_table_put_numbers(ctx, out->extra, "error", s.error));
    return cairn_table_put_numbers(ctx, out->extra, "discriminant", s.discriminant);
}

/* Rows drawn from normal classes: a class by its prior, independent normal numbers g, and z with
 * zM = g, which has the covariance of the class. */

enum { NOTED_COLUMNS = 12 };

/* A number as the normal one that it is given those before it: its mean in the class, what these
 * add to it, and the deviation that is left. */
static void note_number(cairn_report *note, const char *name, double mean, double more,
                        double deviation, double g)
{
    if (more != 0)
        cairn_report_worked(note, name,
                            "mean + what the columns before say + deviation · g = # + # + #·# = #",
                            mean, more, deviation, g, mean + more + deviation * g);
    else
        cairn_report_worked(note, name, "mean + deviation · g = # + #·# = #", mean, deviation, g,
                            mean + deviation * g);
}

/* One row of class c, in place of n_columns normal numbers. */
static void draw_row(const cairn_gaussian_model *m, size_t c, double *z, cairn_report *note,
                     const char *const *names)
{
    size_t p = m->n_columns;
    const double *f = m->factors + cairn_gaussian_factor(m, c) * cairn_gaussian_size(m);
    for (size_t j = 0; j < p; j++) {
        double g = z[j], sum = g, factor = m->diagonal ? f[j] : f[j * p + j];
        for (size_t i = 0; !m->diagonal && i < j; i++) sum -= z[i] * f[i * p + j];
        z[j] = m->constant[j] ? 0 : sum / factor;
        double deviation = m->constant[j] ? 0 : 1 / factor;
        if (note && j < NOTED_COLUMNS)
            note_number(note, names[j], m->means[c * p + j], deviation * (sum - g), deviation, g);
    }
    for (size_t j = 0; j < p; j++) z[j] += m->means[c * p + j];
}

/* -- gaussian.c -- */
static cairn_status gaussian_sample(cairn_context *ctx, cairn_table *out, const void *model,
                                    const cairn_job *job, cairn_random *random)
{
    const cairn_gaussian_model *m = model;
    size_t n = out->n_rows, p = m->n_columns;
    SCOPED(cairn_sample_notes_clear) cairn_sample_notes notes = {0};
    const char *const *names;
    int32_t *classes;
    double *priors, *z, *columns;
    CHECK(cairn_sample_notes_open(ctx, &notes, job->steps, n));
    CHECK(cairn_term_names(ctx, &names, job->schema));
    CHECK(SCRATCH(ctx, &priors, m->n_classes + 1));
    CHECK(SCRATCH_RAW(ctx, &z, p + 1));
    CHECK(SCRATCH_RAW(ctx, &columns, cairn_product(n, p) + 1));
    for (size_t c = 0; c < m->n_classes; c++) priors[c] = cairn_exp(m->log_prior[c]);
    CHECK(cairn_sample_classes(ctx, &classes, out, job, priors, m->n_classes, random, &notes));
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < p; j++) z[j] = cairn_random_normal(random);
        draw_row(m, (size_t)classes[i], z, cairn_sample_note(&notes, i), names);
        for (size_t j = 0; j < p; j++) columns[j * n + i] = z[j];
    }
    for (size_t j = 0; j < p; j++)
        CHECK(cairn_table_put_numbers(ctx, out, names[j], columns + j * n));
    cairn_sample_notes_show(&notes, job->steps);
    return CAIRN_OK;
}

/* Normal classes as a program: logarithms of prior times density, made probabilities. Covariances
 * are there as a whole, since rows with missing cells need those of the other cells. */

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

static cairn_status gaussian_lower(const void *model, const cairn_job *job, cairn_program *out)
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

static const cairn_choice covariances[] = {
    {"shared", CAIRN_GAUSSIAN_SHARED,
     "one for all classes: linear discriminant analysis (LDA), a linear boundary"},
    {"own", CAIRN_GAUSSIAN_OWN,
     "one for each class: quadratic discriminant analysis (QDA), a quadratic boundary"},
    {"diagonal", CAIRN_GAUSSIAN_DIAGONAL, "variances of each class: as naive Bayes"},
    {"identity", CAIRN_GAUSSIAN_IDENTITY, "1 for every column: the nearest mean"},
    {0},
};

static const cairn_param gaussian_param_table[] = {
    CAIRN_PARAM_CHOICE(gaussian_params, covariance, "shared", covariances,
                       "covariances of the classes", .often = true),
    CAIRN_PARAM(gaussian_params, prior, "empirical", NULL,
                "the prior of the classes: empirical (their shares), uniform (maximum likelihood "
                "decides), none (left out of the score), or one number per class in the order of "
                "the classes, such as 0.7,0.3",
                .often = true),
    CAIRN_PARAM_CHOICE(gaussian_params, divisor, "n", cairn_divisors,
                       "divisor of the covariance of a class; of the shared one n - 1 means the "
                       "rows less the classes",
                       .when = "!covariance=identity"),
    CAIRN_PARAM(gaussian_params, pooling, "0", "[0,1]",
                "share of the shared covariance in that of each class: 0 = its own, 1 = shared",
                .when = "covariance=own|diagonal", .often = true),
    CAIRN_PARAM(gaussian_params, shrinkage, "0", "[0,1]",
                "share of its diagonal in a covariance: 1 = variances only",
                .when = "covariance=shared|own", .often = true),
    CAIRN_PARAM(gaussian_params, least_variance, "1e-9", "(0,1)",
                "a singular covariance gets this share of the columns' variances on its diagonal",
                .when = "!covariance=identity"),
    CAIRN_PARAM_END,
};

static cairn_status gaussian_check(cairn_context *ctx, const void *params)
{
    const gaussian_params *p = params;
    SCOPED_SCRATCH(ctx);
    double *prior;
    size_t n;
    int32_t kind;
    return cairn_bayes_read_prior(ctx, p->prior, &kind, &prior, &n);
}

/* -- saving and loading -- */

/* Settings from a file are checked by their ranges; given priors must be those of all classes. */
static cairn_status archive_settings(cairn_archive *a, cairn_gaussian_model *m)
{
    CHECK(cairn_archive_int(a, "covariance", &m->covariance));
    CHECK(cairn_archive_int(a, "divisor", &m->divisor));
    CHECK(cairn_archive_int(a, "prior_kind", &m->prior_kind));
    CHECK(cairn_archive_size(a, "n_given", &m->n_given, m->n_classes));
    CHECK(cairn_archive_reals(a, "given_prior", &m->given_prior, m->n_given));
    CHECK(cairn_archive_real(a, "pooling", &m->pooling));
    CHECK(cairn_archive_real(a, "shrinkage", &m->shrinkage));
    CHECK(cairn_archive_real(a, "least_variance", &m->least_variance));
    CHECK(cairn_archive_real(a, "incomplete", &m->incomplete));
    CHECK(cairn_archive_real(a, "likelihood", &m->likelihood));
    bool known = m->covariance >= 0 && m->covariance < CAIRN_GAUSSIAN_COVARIANCES &&
                 m->divisor >= 0 && m->divisor <= CAIRN_DIVISOR_N && m->prior_kind >= 0 &&
                 m->prior_kind <= CAIRN_PRIOR_GIVEN && m->pooling >= 0 && m->pooling <= 1 &&
                 m->shrinkage >= 0 && m->shrinkage <= 1 && m->least_variance > 0 &&
                 m->least_variance < 1;
    if (m->prior_kind == CAIRN_PRIOR_GIVEN && m->n_given != m->n_classes) known = false;
    if (!known) CHECK(cairn_archive_damaged(a, "unknown settings"));
    return CAIRN_OK;
}

/* Rows that are kept have classes and weights that EM can add up; cells may be missing. */
static cairn_status archive_kept(cairn_archive *a, cairn_gaussian_model *m)
{
    size_t size = cairn_gaussian_sums_size(m);
    bool sound = true;
    CHECK(cairn_archive_size(a, "n_kept", &m->n_kept, 1 << 28));
    if (!m->n_kept) return CAIRN_OK;
    CHECK(cairn_archive_reals(a, "kept", &m->kept, cairn_product(m->n_kept, m->n_columns)));
    CHECK(cairn_archive_reals(a, "kept_weights", &m->kept_weights, m->n_kept));
    CHECK(cairn_archive_ints(a, "kept_classes", &m->kept_classes, m->n_kept));
    CHECK(cairn_archive_reals(a, "complete", &m->complete, size));
    for (size_t i = 0; i < m->n_kept; i++) {
        sound &= m->kept_weights[i] >= 0 && isfinite(m->kept_weights[i]);
        sound &= m->kept_classes[i] >= 0 && (size_t)m->kept_classes[i] < m->n_classes;
    }
    for (size_t i = 0; i < m->n_kept * m->n_columns; i++) sound &= !isinf(m->kept[i]);
    for (size_t i = 0; i < size; i++) sound &= isfinite(m->complete[i]) != 0;
    if (!sound) CHECK(cairn_archive_damaged(a, "rows with missing cells are wrong"));
    return CAIRN_OK;
}

/* Sums must be finite, and squares not negative: factors are made from them. */
static cairn_status check_sums(cairn_archive *a, const cairn_gaussian_model *m)
{
    size_t p = m->n_columns, size = cairn_gaussian_scatter_size(m);
    bool matrix = size && p && m->covariance != CAIRN_GAUSSIAN_DIAGONAL, sound = true;
    double total = 0;
    for (size_t c = 0; c < m->n_classes; c++) {
        sound &= m->totals[c] >= 0 && isfinite(m->totals[c]);
        total += m->totals[c];
    }
    for (size_t i = 0; i < m->n_classes * p; i++) sound &= isfinite(m->means[i]) != 0;
    for (size_t i = 0; i < size; i++) {
        sound &= isfinite(m->scatters[i]) != 0;
        if (!matrix || i / p % p == i % p) sound &= m->scatters[i] >= 0;
    }
    if (!sound || !(total > 0)) CHECK(cairn_archive_damaged(a, "sums of the classes are wrong"));
    return CAIRN_OK;
}

static cairn_status gaussian_archive(cairn_archive *a, void *model)
{
    cairn_gaussian_model *m = model;
    CHECK(cairn_archive_size(a, "n_classes", &m->n_classes, 1 << 28));
    CHECK(cairn_archive_size(a, "n_columns", &m->n_columns, 1 << 28));
    if (m->n_classes == 0) CHECK(cairn_archive_damaged(a, "there is no class"));
    CHECK(archive_settings(a, m));
    CHECK(cairn_archive_reals(a, "totals", &m->totals, m->n_classes));
    CHECK(cairn_archive_reals(a, "means", &m->means, cairn_product(m->n_classes, m->n_columns)));
    CHECK(cairn_archive_reals(a, "scatters", &m->scatters, cairn_gaussian_scatter_size(m)));
    CHECK(archive_kept(a, m));
    if (!cairn_archive_reading(a)) return CAIRN_OK;
    CHECK(check_sums(a, m));
    return cairn_gaussian_make_tables(cairn_archive_context(a), m);
}

static cairn_status gaussian_check_state(cairn_archive *a, const void *model, const cairn_job *job)
{
    const cairn_gaussian_model *m = model;
    if (m->n_classes != job->n_classes)
        return cairn_archive_damaged(a, "the learner has other classes than the target");
    return cairn_check_columns(a, job, m->n_columns);
}

void cairn_gaussian_clear(void *model)
{
    cairn_gaussian_model *m = model;
    clear_tables(m);
    FREE_EACH(m->given_prior, m->totals, m->means, m->scatters);
    cairn_gaussian_clear_kept(m);
}

/* Priors but one, means, and the different numbers of the covariances. */
static cairn_model_size gaussian_size(const void *model)
{
    const cairn_gaussian_model *m = model;
    double k = 0, p = (double)(m->n_columns - m->n_constant);
    for (size_t c = 0; c < m->n_classes; c++) k += m->totals[c] > 0;
    double matrix = m->diagonal ? p : p * (p + 1) / 2;
    if (m->covariance == CAIRN_GAUSSIAN_IDENTITY) matrix = 0;
    return (cairn_model_size){k - 1 + k * p + (m->n_factors == 1 ? matrix : k * matrix), false};
}

static const cairn_output gaussian_outputs[] = {
    {"log_density", "ln of the sum of prior × density over the classes: how usual the row is"},
    {"error", "1 − the largest probability: how probable it is that the answer is wrong"},
    {"discriminant", "two classes: P(positive) − P(the other); of more the largest probability "
                     "less the next"},
    {0},
};

const cairn_learner cairn_gaussian = {
    .entry = {.kind = CAIRN_ENTRY_LEARNER,
              .name = "gaussian",
              .also = "LDA (covariance=shared), QDA (covariance=own), linear discriminant analysis "
                      "(covariance=shared), quadratic discriminant analysis (covariance=own), "
                      "regularised discriminant analysis, RDA, Gaussian classes, normal classes, "
                      "Gaussian generative classifier, Bayes classifier with normal densities, "
                      "maximum likelihood classifier, QuadraticDiscriminantAnalysis "
                      "(covariance=own), LinearDiscriminantAnalysis (covariance=shared)",
              .title = "Classes with normal densities",
              .summary =
                  "Gives every class a normal density with its mean and a covariance, and answers "
                  "the class with the largest prior times density. One covariance for all classes "
                  "makes the boundary linear (LDA), one for each class quadratic (QDA); --pooling "
                  "lies between the two, --shrinkage between a covariance and its diagonal, which "
                  "helps where rows are few. The boundary is written as an equation with its kind, "
                  "in one column with all its roots. Missing cells are summed over, in training by "
                  "EM. Complete rows are read once, and more can come later.",
              .references = "Fisher: The Use of Multiple Measurements in Taxonomic Problems, 1936; "
                            "Friedman: Regularized Discriminant Analysis, JASA 84, 1989; Duda, "
                            "Hart and Stork: Pattern Classification, 2001, chapter 2",
              .example = "cairn fit gaussian @fisher-points --steps",
              .params = gaussian_param_table,
              .params_size = sizeof(gaussian_params),
              .check = gaussian_check},
    .tasks = CAIRN_CLASSIFY,
    .space = "covariance=identity,diagonal,shared,own",
    .accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_MISSING | CAIRN_ACCEPTS_WEIGHTS |
               CAIRN_WANTS_REFERENCE,
    .claims = CAIRN_CLAIM_WEIGHTS_REPEAT | CAIRN_CLAIM_ROW_ORDER | CAIRN_CLAIM_COLUMN_ORDER,
    .traits = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_PROBABILISTIC | CAIRN_GRADING |
              CAIRN_GIVES_PROBABILITIES,
    .model_size = sizeof(cairn_gaussian_model),
    .tables = cairn_gaussian_tables,
    .gives_scores = true,
    .sets_codes = true,
    .outputs = gaussian_outputs,
    .fit = gaussian_fit,
    .read = gaussian_read,
    .update = gaussian_update,
    .lower = gaussian_lower,
    .predict = gaussian_predict,
    .describe = cairn_gaussian_describe,
    .figures = cairn_gaussian_figures,
    .explain = cairn_gaussian_explain,
    .sample = gaussian_sample,
    .archive = gaussian_archive,
    .check = gaussian_check_state,
    .clear = cairn_gaussian_clear,
    .size = gaussian_size,
};
