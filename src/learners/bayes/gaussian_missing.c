/* SPDX-License-Identifier: MIT */
/* Training rows with missing cells, by EM: given the model, the missing cells of a row have means
 * and covariances; with these in their place the sums of the classes are made again. Complete rows
 * are summed up once. It begins with the means and variances of the cells that are there. */
#include "base/memory.h"
#include "kernels/kernels.h"
#include "learners/bayes/gaussian.h"
#include "solve/em.h"
#include "stats/summary.h"
#include <math.h>
#include <string.h>

typedef struct filling {
    cairn_gaussian_model *m;
    const cairn_view *view;
    size_t n;       /* incomplete rows */
    size_t *rows;   /* their numbers in the view */
    double *filled; /* n x n_columns: with the means of what is missing */
    /* of the complete rows */
    double *totals, *means, *scatters;
    double *spreads; /* of the missing cells, as the scatters are kept */
    double *between, *spread, *scores;
    cairn_gaussian_observed observed;
    bool mended; /* some covariance on the way was singular */
} filling;

static size_t class_of(const filling *w, size_t i)
{
    return (size_t)w->view->target->codes[cairn_view_row(w->view, w->rows[i])];
}

static void read_row(const filling *w, size_t i, double *out)
{
    size_t row = cairn_view_row(w->view, w->rows[i]);
    for (size_t j = 0; j < w->m->n_columns; j++) out[j] = w->view->features[j]->numbers[row];
}

/* Where the scatter of class c is kept. */
static double *scatter_of(const cairn_gaussian_model *m, double *scatters, size_t c)
{
    bool own = m->covariance == CAIRN_GAUSSIAN_OWN || m->covariance == CAIRN_GAUSSIAN_DIAGONAL;
    return scatters + (own ? c * cairn_gaussian_size(m) : 0);
}

/* to += weight times the products of v with itself, or its squares. */
static void add_products(const cairn_gaussian_model *m, double *to, double weight, const double *v)
{
    size_t p = m->n_columns;
    if (m->covariance == CAIRN_GAUSSIAN_IDENTITY) return;
    for (size_t j = 0; j < p; j++)
        if (m->covariance == CAIRN_GAUSSIAN_DIAGONAL)
            to[j] += weight * v[j] * v[j];
        else
            cairn_axpy(to + j * p, weight * v[j], v, p);
}

/* -- the beginning -- */

/* Mean and variance about the means of the classes, of the cells of column j that are there. */
static void begin_column(filling *w, size_t j, double *sums, double *counts, double *variance)
{
    cairn_gaussian_model *m = w->m;
    size_t p = m->n_columns, k = m->n_classes;
    const double *x = w->view->features[j]->numbers;
    double all = 0, n = 0, squares = 0;
    memset(sums, 0, k * sizeof *sums);
    memset(counts, 0, k * sizeof *counts);
    for (size_t i = 0; i < w->view->rows.n; i++) {
        size_t row = cairn_view_row(w->view, i), c = (size_t)w->view->target->codes[row];
        double weight = cairn_view_weight(w->view, i);
        if (isnan(x[row]) || !(weight > 0)) continue;
        counts[c] += weight;
        sums[c] += weight / counts[c] * (x[row] - sums[c]);
        n += weight;
        all += weight / n * (x[row] - all);
    }
    for (size_t c = 0; c < k; c++) m->means[c * p + j] = counts[c] > 0 ? sums[c] : all;
    for (size_t i = 0; i < w->view->rows.n; i++) {
        size_t row = cairn_view_row(w->view, i), c = (size_t)w->view->target->codes[row];
        double apart = x[row] - m->means[c * p + j];
        if (!isnan(apart)) squares += cairn_view_weight(w->view, i) * apart * apart;
    }
    *variance = n > 0 ? squares / n : 0;
}

static cairn_status begin_all(cairn_context *ctx, filling *w)
{
    cairn_gaussian_model *m = w->m;
    SCOPED_SCRATCH(ctx);
    size_t p = m->n_columns, k = m->n_classes;
    double *sums, *counts, variance;
    CHECK(SCRATCH(ctx, &sums, k + 1));
    CHECK(SCRATCH(ctx, &counts, k + 1));
    memset(m->scatters, 0, cairn_gaussian_scatter_size(m) * sizeof *m->scatters);
    for (size_t i = 0; i < w->n; i++)
        m->totals[class_of(w, i)] += cairn_view_weight(w->view, w->rows[i]);
    for (size_t j = 0; j < p; j++) {
        begin_column(w, j, sums, counts, &variance);
        if (!isfinite(variance))
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "the numbers of '%s' are too large for sums of their squares; "
                              "rescale the column",
                              w->view->names[j]);
        for (size_t c = 0; m->covariance != CAIRN_GAUSSIAN_IDENTITY && c < k; c++)
            scatter_of(m, m->scatters,
                       c)[m->covariance == CAIRN_GAUSSIAN_DIAGONAL ? j : j * p + j] +=
                m->totals[c] * variance;
    }
    return cairn_gaussian_make_tables(ctx, m);
}

/* There is one beginning, and it is made already. */
static cairn_status begin(cairn_context *ctx, void *data, size_t start)
{
    (void)ctx;
    (void)data;
    (void)start;
    return CAIRN_OK;
}

/* -- the two steps -- */

/* ln of the likelihood of the complete rows, from their sums. */
static double complete_likelihood(const filling *w)
{
    const cairn_gaussian_model *m = w->m;
    size_t p = m->n_columns;
    double sum = 0;
    for (size_t f = 0; m->covariance != CAIRN_GAUSSIAN_IDENTITY && f < m->n_factors; f++)
        sum -= cairn_gaussian_squares(m, f, w->scatters + f * cairn_gaussian_size(m)) / 2;
    for (size_t c = 0; c < m->n_classes; c++) {
        const double *factor = m->factors + cairn_gaussian_factor(m, c) * cairn_gaussian_size(m);
        if (!(w->totals[c] > 0)) continue;
        sum += w->totals[c] * m->log_bases[c];
        for (size_t j = 0; j < p; j++) {
            double y = 0;
            for (size_t i = m->diagonal ? j : 0; i <= j; i++)
                y += (w->means[c * p + i] - m->means[c * p + i]) *
                     (m->diagonal ? factor[j] : factor[i * p + j]);
            sum -= w->totals[c] * y * y / 2;
        }
    }
    return sum;
}

static cairn_status expect(cairn_context *ctx, void *data, double *log_likelihood)
{
    filling *w = data;
    cairn_gaussian_model *m = w->m;
    size_t p = m->n_columns;
    (void)ctx;
    *log_likelihood = complete_likelihood(w);
    memset(w->spreads, 0, cairn_gaussian_scatter_size(m) * sizeof *w->spreads);
    w->observed.made = false;
    for (size_t i = 0; i < w->n; i++) {
        size_t c = class_of(w, i);
        double weight = cairn_view_weight(w->view, w->rows[i]), *x = w->filled + i * p;
        double *to = scatter_of(m, w->spreads, c);
        read_row(w, i, x);
        for (size_t j = 0; j < p; j++) x[j] -= m->centre[j];
        cairn_gaussian_observed_scores(m, &w->observed, x, w->scores);
        *log_likelihood += weight * w->scores[c];
        for (size_t j = 0; j < p; j++) x[j] += m->centre[j];
        cairn_gaussian_fill(m, &w->observed, c, x, w->between, w->spread);
        for (size_t j = 0; m->covariance == CAIRN_GAUSSIAN_DIAGONAL && j < p; j++)
            to[j] += weight * w->spread[j * p + j];
        if (m->covariance == CAIRN_GAUSSIAN_SHARED || m->covariance == CAIRN_GAUSSIAN_OWN)
            cairn_axpy(to, weight, w->spread, p * p);
    }
    return CAIRN_OK;
}

/* Means of the classes over complete and filled rows. */
static void make_means(filling *w)
{
    cairn_gaussian_model *m = w->m;
    size_t p = m->n_columns;
    memcpy(m->totals, w->totals, m->n_classes * sizeof *m->totals);
    memcpy(m->means, w->means, m->n_classes * p * sizeof *m->means);
    for (size_t i = 0; i < w->n; i++) {
        size_t c = class_of(w, i);
        double weight = cairn_view_weight(w->view, w->rows[i]);
        if (!(weight > 0)) continue;
        m->totals[c] += weight;
        for (size_t j = 0; j < p; j++)
            m->means[c * p + j] +=
                weight / m->totals[c] * (w->filled[i * p + j] - m->means[c * p + j]);
    }
}

static cairn_status maximise(cairn_context *ctx, void *data)
{
    filling *w = data;
    cairn_gaussian_model *m = w->m;
    size_t p = m->n_columns;
    make_means(w);
    for (size_t i = 0; i < cairn_gaussian_scatter_size(m); i++)
        m->scatters[i] = w->scatters[i] + w->spreads[i];
    for (size_t c = 0; c < m->n_classes; c++) {
        for (size_t j = 0; j < p; j++) w->between[j] = w->means[c * p + j] - m->means[c * p + j];
        if (w->totals[c] > 0)
            add_products(m, scatter_of(m, m->scatters, c), w->totals[c], w->between);
    }
    for (size_t i = 0; i < w->n; i++) {
        size_t c = class_of(w, i);
        for (size_t j = 0; j < p; j++) w->between[j] = w->filled[i * p + j] - m->means[c * p + j];
        add_products(m, scatter_of(m, m->scatters, c), cairn_view_weight(w->view, w->rows[i]),
                     w->between);
    }
    CHECK(cairn_gaussian_make_tables(ctx, m));
    for (size_t f = 0; f < m->n_factors; f++) w->mended |= m->raised[f];
    return CAIRN_OK;
}

static void keep(void *data, size_t start)
{
    (void)data;
    (void)start;
}

/* -- all -- */

static cairn_status make_room(cairn_context *ctx, filling *w)
{
    const cairn_gaussian_model *m = w->m;
    size_t p = m->n_columns, k = m->n_classes, size = cairn_gaussian_scatter_size(m);
    CHECK(SCRATCH(ctx, &w->rows, w->view->rows.n + 1));
    for (size_t i = 0; i < w->view->rows.n; i++)
        if (!cairn_gaussian_is_complete(w->view, i)) w->rows[w->n++] = i;
    CHECK(SCRATCH_RAW(ctx, &w->filled, cairn_product(w->n, p) + 1));
    CHECK(SCRATCH(ctx, &w->totals, k + 1));
    CHECK(SCRATCH(ctx, &w->means, cairn_product(k, p) + 1));
    CHECK(SCRATCH(ctx, &w->scatters, size + 1));
    CHECK(SCRATCH(ctx, &w->spreads, size + 1));
    CHECK(SCRATCH(ctx, &w->between, cairn_product(p, p) + 1));
    CHECK(SCRATCH(ctx, &w->spread, cairn_product(p, p) + 1));
    CHECK(SCRATCH(ctx, &w->scores, k + 1));
    memcpy(w->totals, m->totals, k * sizeof *w->totals);
    memcpy(w->means, m->means, k * p * sizeof *w->means);
    if (size) memcpy(w->scatters, m->scatters, size * sizeof *w->scatters);
    return CAIRN_OK;
}

/* Without pooling, shrinkage and raised variances the M step is the best there is, so that the
 * likelihood cannot fall. */
static cairn_status check_course(cairn_context *ctx, const filling *w,
                                 const cairn_em_result *result)
{
    bool exact = !(w->m->pooling > 0) && !(w->m->shrinkage > 0) && !w->mended;
    if (!exact || !(result->largest_fall > 1e-6 * fmax(1, fabs(result->log_likelihood))))
        return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_INTERNAL, "the log-likelihood of EM fell by %g",
                      result->largest_fall);
}

/* EM seeks the largest likelihood given the classes, so with the divisor n and without their
 * priors; what was asked for is done with the sums that it finds. */
cairn_status cairn_gaussian_expect_missing(cairn_context *ctx, cairn_gaussian_model *m,
                                           const cairn_job *job)
{
    SCOPED_SCRATCH(ctx);
    int32_t divisor = m->divisor, prior = m->prior_kind;
    filling w = {.m = m, .view = job->view};
    cairn_em em = {.n_starts = 1,
                   .data = &w,
                   .begin = begin,
                   .expect = expect,
                   .maximise = maximise,
                   .keep = keep};
    cairn_em_result result;
    cairn_progress progress = {.what = "EM", .most = 500, .tolerance = 1e-12};
    m->divisor = CAIRN_DIVISOR_N;
    m->prior_kind = CAIRN_PRIOR_NONE;
    CHECK(make_room(ctx, &w));
    CHECK(begin_all(ctx, &w)); /* whose tables say how many covariances there are */
    CHECK(cairn_gaussian_observed_new(ctx, &w.observed, m));
    CHECK(cairn_em_run(ctx, &result, &em, &progress));
    CHECK(check_course(ctx, &w, &result));
    m->divisor = divisor;
    m->prior_kind = prior;
    CHECK(cairn_gaussian_make_tables(ctx, m));
    return expect(ctx, &w, &m->likelihood);
}
