/* SPDX-License-Identifier: MIT */
/* Sums of the classes from the rows, and the sums of two lots of rows made one. */
#include "base/memory.h"
#include "base/number.h"
#include "learners/bayes/gaussian.h"
#include "rows/class_sums.h"
#include <math.h>
#include <string.h>

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
    CHECK(SCRATCH_RAW(ctx, &indices, n + 1));
    CHECK(SCRATCH_RAW(ctx, &weights, n + 1));
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
    const cairn_gaussian_params *p = job->params;
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

/* Matrices of many columns and classes are refused before anything is allocated. */
static cairn_status make_room(cairn_context *ctx, cairn_gaussian_model *m)
{
    size_t p = m->n_columns, size = cairn_gaussian_scatter_size(m);
    if (size > MOST_NUMBERS)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "covariances of %zu columns would need %zu numbers; take fewer columns "
                          "({with select}, {with pca}) or {covariance diagonal}",
                          p, size);
    CHECK(NEW(ctx, &m->totals, m->n_classes));
    CHECK(NEW(ctx, &m->means, cairn_product(m->n_classes, p)));
    return NEW(ctx, &m->scatters, size);
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
            CHECK(cairn_matrix_open(ctx, &x, &view, &(cairn_matrix_wish){0}));
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

/* Classes that are new stand behind the old ones: everything is by class, so the arrays grow. */
static cairn_status grow(cairn_context *ctx, cairn_gaussian_model *m, const cairn_job *job)
{
    size_t k = m->n_classes, to = job->n_classes, p = m->n_columns;
    size_t before = cairn_gaussian_scatter_size(m);
    if (to == k) return CAIRN_OK;
    if (m->n_given)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
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
    return CAIRN_OK;
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

cairn_status cairn_gaussian_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    cairn_gaussian_model *m = model;
    CHECK(keep_settings(ctx, m, job));
    CHECK(make_room(ctx, m));
    return add_rows(ctx, m, job);
}

cairn_status cairn_gaussian_update(cairn_context *ctx, void *model, const cairn_job *job)
{
    CHECK(cairn_gaussian_recall(ctx, model));
    CHECK(grow(ctx, model, job));
    return add_rows(ctx, model, job);
}
