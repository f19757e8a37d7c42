/* SPDX-License-Identifier: MIT */
/* Total least squares: a line or plane through points that are uncertain in every column.
 *
 * Problem: features and target carry errors; the errors of the target have `ratio` times the
 * variance of those of every feature. Minimise the squared errors Σ |dx|² + dy² / ratio that move
 * the points onto the plane y = b + c·x, weighted by the rows' weights. With the ratio 1 these are
 * the squared perpendicular distances.
 *
 * Method:
 * 1. The orthogonal triangle of ones, features and target (linear_sums.c): its lower part is that
 *    of the columns about their means.
 * 2. Singular values of [X, y/√ratio]. The right vector v of the smallest is the normal of the
 *    plane: c = −√ratio v_x / v_y. The smallest value squared is what is left.
 * 3. Where several values are smallest, of all solutions the one of least norm is taken; where all
 *    their vectors have v_y = 0, no plane that is a function of x is nearest, and vectors of the
 *    next larger value are taken with them.
 *
 * Columns count in their own units, since only there errors are alike; a column whose errors are
 * larger is to be divided by their deviation first. Cost: n p² for the triangle, p³ for the values.
 *
 * Sources: Golub and Van Loan, An analysis of the total least squares problem (1980); Van Huffel
 * and Vandewalle, The Total Least Squares Problem (1991); Deming, Statistical Adjustment of Data
 * (1943). */
#include "base/memory.h"
#include "base/number.h"
#include "kernels/kernels.h"
#include "decompose/linalg.h"
#include "learners/linear/linear.h"
#include "learners/linear/row_span.h"
#include "learners/linear/weights.h"
#include "rows/slopes.h"
#include <math.h>
#include <string.h>

enum { SHOWN = 12 };

typedef struct tls_params {
    double ratio;
    bool intercept;
} tls_params;

static const cairn_param tls_parameters[] = {
    CAIRN_PARAM(tls_params, ratio, "1", "(0,inf)",
                "variance of the errors of the target over that of the errors of each feature",
                .often = true),
    CAIRN_PARAM(tls_params, intercept, "yes", NULL, "fit a constant term"),
    CAIRN_PARAM_END,
};

typedef struct tls_history {
    size_t n_values;
    double *values;   /* singular values of the columns about their means, falling */
    double *ordinary; /* n_values: coefficients of ordinary least squares, the constant last */
    double left;      /* least sum of squared errors of all columns, target in its own units */
    bool generic;     /* the smallest singular values gave the solution */
} tls_history;

typedef struct fit {
    const tls_params *params;
    const cairn_job *job;
    size_t p;
    double total, *means;             /* p + 1: of the features and the target */
    double *triangle;                 /* (p + 1) x (p + 1): features and target, centred */
    double *values, *vectors;         /* p + 1; its rows are the right singular vectors */
    double *weights, *ordinary, left; /* p + 1, the constant last */
    bool generic;
} fit;

/* Means of the columns, and the triangle of their deviations in own units but for the target,
 * which is divided by the root of the ratio. */
static cairn_status make_triangle(cairn_context *ctx, fit *f)
{
    const cairn_view *view = f->job->view;
    size_t p = 0, width;
    for (size_t j = 0; j < view->n_features; j++)
        p += view->features[j]->kind == CAIRN_BAG ? view->features[j]->names.n : 1;
    cairn_matrix_options options = {.target = true, .ones = true, .units = CAIRN_UNITS_SCALED};
    cairn_row_matrix x;
    double *all, unit = 1 / sqrt(f->params->ratio);
    if (f->params->intercept) options.units = CAIRN_UNITS_SHIFTED;
    options.sum_size = cairn_product(p + 2, p + 2);
    CHECK(cairn_memory_check(ctx, 8 * (double)options.sum_size * 8, "total least squares",
                             cairn_say(ctx, "use fewer columns or raise {memory}")));
    CHECK(cairn_matrix_open(ctx, &x, f->job->view, &options));
    f->p = p;
    width = p + 2;
    if (cairn_matrix_used(&x) == 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "there is no row to learn from: total least squares needs at least one "
                          "row with a positive weight");
    CHECK(SCRATCH(ctx, &all, width * width));
    CHECK(SCRATCH(ctx, &f->means, p + 1));
    CHECK(SCRATCH(ctx, &f->triangle, (p + 1) * (p + 1)));
    CHECK(cairn_linear_triangle(ctx, &x, f->params->intercept, NULL, 0, all));
    for (size_t j = 0; j <= p; j++) {
        double column = all[1 + j];
        if (f->params->intercept) f->means[j] = x.shift[j] + column / all[0] / x.scale[j];
        for (size_t i = 0; i <= p; i++) {
            double entry = all[(i + 1) * width + j + 1] / x.scale[j];
            f->triangle[i * (p + 1) + j] = j < p ? entry : entry * unit;
        }
    }
    f->total = all[0] * all[0];
    for (size_t i = 0; i < (p + 1) * (p + 1); i++)
        if (!isfinite(f->triangle[i])) return cairn_matrix_refuse(ctx, &x, NULL);
    return CAIRN_OK;
}

/* Slopes of ordinary least squares from the same triangle, for comparison. */
static cairn_status ordinary_slopes(cairn_context *ctx, fit *f)
{
    size_t p = f->p, rank;
    double *x, *y;
    CHECK(SCRATCH(ctx, &x, (p + 1) * p + 1));
    CHECK(SCRATCH(ctx, &y, p + 1));
    for (size_t i = 0; i <= p; i++) {
        y[i] = f->triangle[i * (p + 1) + p] * sqrt(f->params->ratio);
        for (size_t j = 0; j < p; j++) x[j * (p + 1) + i] = f->triangle[i * (p + 1) + j];
    }
    if (p) CHECK(cairn_qr_least_squares(ctx, f->ordinary, NULL, &rank, x, y, p + 1, p, 1e-13));
    double size = fabs(f->means[p]);
    f->ordinary[p] = f->means[p];
    for (size_t j = 0; j < p; j++) {
        f->ordinary[p] -= f->ordinary[j] * f->means[j];
        size += fabs(f->ordinary[j] * f->means[j]);
    }
    f->ordinary[p] = cairn_number_left(f->ordinary[p], size);
    return CAIRN_OK;
}

/* Sum of squares of the last components of the vectors from `first` on. */
static double last_squares(const fit *f, size_t first)
{
    double sum = 0;
    for (size_t i = first; i <= f->p; i++) {
        double v = f->vectors[i * (f->p + 1) + f->p];
        sum += v * v;
    }
    return sum;
}

/* Singular values are right to a part of the largest one, which is too little where columns differ
 * by many orders. Solving T'T w = v a few times brings the vector of the smallest value nearer in
 * every component, as long as the value stands alone. */
static void sharpen(fit *f)
{
    size_t n = f->p + 1;
    const double *t = f->triangle;
    double *v = f->vectors + f->p * n, *w = f->weights; /* not yet needed */
    bool alone = f->p == 0 || f->values[f->p - 1] > 2 * f->values[f->p];
    for (size_t i = 0; i < n; i++) alone = alone && t[i * (n + 1)] != 0;
    for (int round = 0; alone && round < 4; round++) {
        double square = 0;
        for (size_t i = 0; i < n; i++) {
            w[i] = v[i];
            for (size_t k = 0; k < i; k++) w[i] -= t[k * n + i] * w[k];
            w[i] /= t[i * (n + 1)];
        }
        for (size_t i = n; i-- > 0;) {
            for (size_t k = i + 1; k < n; k++) w[i] -= t[i * n + k] * w[k];
            w[i] /= t[i * (n + 1)];
            square += w[i] * w[i];
        }
        if (!(isfinite(square) && square > 0)) return;
        for (size_t i = 0; i < n; i++) v[i] = w[i] / sqrt(square);
        f->values[f->p] = 1 / sqrt(sqrt(square));
    }
}

/* The normal of the plane from the vectors of the smallest values, of several the one that gives
 * the least slopes. */
static void take_slopes(fit *f)
{
    size_t p = f->p, first = p;
    double near = 1e-10 * f->values[0];
    while (first > 0 && f->values[first - 1] <= f->values[p] + near) first--;
    f->generic = last_squares(f, first) > 1e-20;
    while (first > 0 && last_squares(f, first) <= 1e-20) first--;
    double squares = last_squares(f, first), root = sqrt(f->params->ratio);
    for (size_t j = 0; j < p; j++) {
        double sum = 0;
        for (size_t i = first; i <= p; i++)
            sum += f->vectors[i * (p + 1) + j] * f->vectors[i * (p + 1) + p];
        f->weights[j] = -root * sum / squares;
    }
    f->left = f->values[p] * f->values[p];
    f->weights[p] = f->means[p];
    for (size_t j = 0; j < p; j++) f->weights[p] -= f->weights[j] * f->means[j];
}

static cairn_status solve(cairn_context *ctx, fit *f)
{
    size_t size = f->p + 1;
    double *copy, *left;
    CHECK(SCRATCH_EACH(ctx, size * size, &copy, &left));
    CHECK(SCRATCH(ctx, &f->values, size));
    CHECK(SCRATCH(ctx, &f->vectors, size * size));
    CHECK(SCRATCH_EACH(ctx, size, &f->weights, &f->ordinary));
    memcpy(copy, f->triangle, size * size * sizeof *copy);
    CHECK(cairn_svd(ctx, f->values, left, f->vectors, copy, size, size));
    sharpen(f);
    take_slopes(f);
    return ordinary_slopes(ctx, f);
}

/* -- steps -- */

/* Products of two columns' deviations, from the triangle. */
static double product(const fit *f, size_t j, size_t k)
{
    double sum = 0;
    for (size_t i = 0; i <= f->p; i++)
        sum += f->triangle[i * (f->p + 1) + j] * f->triangle[i * (f->p + 1) + k];
    return sum;
}

/* The deviations' products, singular values and the normal of the plane. */
static cairn_status show_steps(cairn_context *ctx, const fit *f)
{
    cairn_report *out = f->job->steps;
    size_t p = f->p, shown = p < SHOWN ? p + 1 : SHOWN;
    const char *const *names, *target = f->job->view->target_name;
    CHECK(cairn_term_names(ctx, &names, f->job->schema));
    cairn_report_step_begin(out, "Deviations from the means");
    cairn_report_formula(out, "A = [X − x̄, (y − ȳ)/√δ],  AᵀA =");
    cairn_report_table_of(out, "Products of the columns of A", 0, "l", "");
    for (size_t j = 0; j < shown; j++) cairn_report_column(out, j < p ? names[j] : target, 'r');
    for (size_t i = 0; i < shown; i++) {
        cairn_report_cell(out, i < p ? names[i] : target);
        for (size_t j = 0; j < shown; j++)
            cairn_report_cell_number(out, product(f, i, j), 6, "ata.%zu.%zu", i + 1, j + 1);
    }
    cairn_report_table_end(out);
    cairn_report_step_end(out);
    cairn_report_step_begin(out, "The direction of least spread");
    cairn_report_formula(out, "A = U S Vᵀ;  c = −√δ v_x / v_y,  v the last row of Vᵀ");
    cairn_report_table_of(out, "Singular values and right vectors", 0, "r", "value");
    for (size_t j = 0; j < shown; j++) cairn_report_column(out, j < p ? names[j] : target, 'r');
    for (size_t i = 0; i <= p; i++) {
        if (i == p) cairn_report_row_mark(out);
        cairn_report_cell_number(out, f->values[i], 6, "singular.%zu", i + 1);
        for (size_t j = 0; j < shown; j++)
            cairn_report_cell_number(out, f->vectors[i * (p + 1) + j], 6, "v.%zu.%zu", i + 1,
                                     j + 1);
    }
    cairn_report_table_end(out);
    cairn_report_step_end(out);
    if (p == 1) {
        /* One feature: the slope solves a quadratic equation. */
        double d = f->params->ratio, sxx = product(f, 0, 0), sxy = product(f, 0, 1) * sqrt(d);
        double syy = product(f, 1, 1) * d, a = syy - d * sxx;
        if (sxy != 0) {
            cairn_report_step_begin(out, "One feature: the slope from sums of squares");
            cairn_report_formula(out, "b = (Syy − δ Sxx + √((Syy − δ Sxx)² + 4 δ Sxy²)) / (2 Sxy)");
            cairn_report_value(out, "δ, the ratio of variances", d, "ratio");
            cairn_report_value(out, "Sxx", sxx, "sxx");
            cairn_report_value(out, "Sxy", sxy, "sxy");
            cairn_report_value(out, "Syy", syy, "syy");
            cairn_report_worked(out, "b", "(# + √(#² + 4 · # · #²)) / (2 · #) = #", a, a, d, sxy,
                                sxy, (a + sqrt(a * a + 4 * d * sxy * sxy)) / (2 * sxy));
            cairn_report_hidden(out, (a + sqrt(a * a + 4 * d * sxy * sxy)) / (2 * sxy),
                                "closed.slope");
            cairn_report_step_end(out);
        }
    }
    return CAIRN_OK;
}

static cairn_status keep_history(cairn_context *ctx, tls_history *history, const fit *f)
{
    size_t n = f->p + 1;
    history->n_values = n;
    history->left = f->left;
    history->generic = f->generic;
    CHECK(NEW_EACH(ctx, n, &history->values, &history->ordinary));
    memcpy(history->values, f->values, n * sizeof *f->values);
    memcpy(history->ordinary, f->ordinary, n * sizeof *f->ordinary);
    return CAIRN_OK;
}

/* The squared distances e² / (ratio + |c|²) have no slope: X'e + c Σe² / (ratio + |c|²) = 0. That
 * is
 * a ridge below 0, whose factor comes from a first pass. Weights that no direction of least spread
 * gives are the limit of such points, not one of them. */
static cairn_status certify(cairn_context *ctx, const fit *f)
{
    cairn_certificate *c = f->job->certificate;
    cairn_slopes s = {.view = f->job->view, .weights = f->weights, .n_scores = 1};
    size_t p = f->p, n = s.view->rows.n;
    double *targets, *slopes, *sizes, *noise, *ridges, most = 0, size = f->params->ratio;
    if (!c || !f->generic) return CAIRN_OK;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH(ctx, &targets, n + 1));
    CHECK(SCRATCH(ctx, &slopes, 4 * (p + 1)));
    sizes = slopes + p + 1;
    noise = sizes + p + 1;
    ridges = noise + p + 1;
    cairn_view_target_numbers(s.view, 0, n, targets);
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs(targets[i]));
    cairn_slopes_squares squares = {targets, n, 1, cairn_slopes_unit(most)};
    s.constant = f->params->intercept;
    s.rows = cairn_slopes_squares_rows;
    s.data = &squares;
    s.unit = squares.unit;
    CHECK(cairn_slopes_of(ctx, &s, slopes, sizes, noise, NULL));
    double length = sizes[p] / sqrt(f->total) / s.unit;
    for (size_t j = 0; j < p; j++) size += f->weights[j] * f->weights[j];
    for (size_t j = 0; j < p; j++) ridges[j] = -length / size * length;
    s.ridges = ridges;
    c->remedy = "bring the columns to units in which their errors are alike";
    return cairn_slopes_certify(ctx, c, CAIRN_PROOF_GRADIENT, &s, 1e-8);
}

/* The same in the space of the rows: perpendicular distances do not depend on the axes. Further
 * singular values are 0. */
static cairn_status fit_wide(cairn_context *ctx, fit *f, cairn_weights *model)
{
    const cairn_job *job = f->job;
    tls_history *history = job->history;
    cairn_row_span s;
    double *own;
    CHECK(cairn_row_span_open(ctx, &s, job, f->params->intercept));
    CHECK(SCRATCH(ctx, &own, s.p + 1));
    f->job = &s.job;
    CHECK(make_triangle(ctx, f));
    CHECK(solve(ctx, f));
    CHECK(certify(ctx, f));
    if (history) {
        *history = (tls_history){.n_values = s.p + 1, .left = f->left, .generic = f->generic};
        CHECK(NEW_EACH(ctx, s.p + 1, &history->values, &history->ordinary));
        memcpy(history->values, f->values, (s.k + 1) * sizeof *f->values);
        cairn_row_span_raw(&s, f->ordinary, history->ordinary);
    }
    cairn_row_span_raw(&s, f->weights, own);
    return cairn_weights_keep(ctx, model, own, s.p, f->params->intercept);
}

static cairn_status tls_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    fit f = {.params = job->params, .job = job};
    if (cairn_row_span_pays(job->view)) return fit_wide(ctx, &f, model);
    CHECK(make_triangle(ctx, &f));
    CHECK(solve(ctx, &f));
    if (job->steps) CHECK(show_steps(ctx, &f));
    if (job->history) CHECK(keep_history(ctx, job->history, &f));
    CHECK(certify(ctx, &f));
    return cairn_weights_keep(ctx, model, f.weights, f.p, f.params->intercept);
}

/* -- showing and keeping -- */

static void tls_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const tls_history *history = job->history;
    const tls_params *params = job->params;
    cairn_report_heading(out, 2, "Total least squares");
    cairn_weights_show(out, model, job);
    if (!history) return;
    cairn_weights_beside(out, model, job, history->ordinary, "Beside ordinary least squares",
                         "total", "ordinary");
    cairn_report_value(out,
                       params->ratio == 1 ? "squared perpendicular distances"
                                          : "squared errors, those of the target over the ratio",
                       history->left, "tss.left");
    cairn_report_value(out, "smallest singular value", history->values[history->n_values - 1],
                       "singular.last");
    if (history->n_values > 1)
        cairn_report_value(out, "the next larger one", history->values[history->n_values - 2],
                           "singular.next");
    if (!history->generic)
        cairn_report_note(out, "The direction of least spread does not touch the target, so no "
                               "function of the features is nearest to the points: the next "
                               "direction was taken with it.");
}

static cairn_status archive_history(cairn_archive *a, void *data, const void *model)
{
    tls_history *history = data;
    history->n_values = ((const cairn_weights *)model)->n_terms + 1;
    CHECK(cairn_archive_reals(a, "values", &history->values, history->n_values));
    CHECK(cairn_archive_reals(a, "ordinary", &history->ordinary, history->n_values));
    CHECK(cairn_archive_real(a, "left", &history->left));
    return cairn_archive_bool(a, "generic", &history->generic);
}

static void clear_history(void *data)
{
    tls_history *history = data;
    FREE_EACH(history->values, history->ordinary);
}

static const cairn_history tls_story = {
    .size = sizeof(tls_history), .archive = archive_history, .clear = clear_history};

const cairn_learner cairn_tls = {
    .entry =
        {
            .kind = CAIRN_ENTRY_LEARNER,
            .name = "tls",
            .also = "total least squares, orthogonal regression, Deming regression, errors in "
                    "variables",
            .title = "Total least squares",
            .summary =
                "Fits a line or plane to points that have errors in the features as well as in the "
                "target: the squared distances perpendicular to it are least, or, with --ratio, "
                "those in which the errors of the target count by their variance. Columns count in "
                "their own units. Ordinary least squares is shown beside it.",
            .references = "Golub and Van Loan, An analysis of the total least squares problem "
                          "(1980); Van Huffel and Vandewalle, The Total Least Squares Problem "
                          "(1991); Deming, Statistical Adjustment of Data (1943)",
            .example = "cairn fit tls @regression-line --steps",
            .params = tls_parameters,
            .params_size = sizeof(tls_params),
        },
    .tasks = CAIRN_REGRESS,
    .accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_WEIGHTS | CAIRN_ACCEPTS_BAGS |
               CAIRN_ACCEPTS_NO_FEATURES | CAIRN_WANTS_REFERENCE,
    .claims = CAIRN_CLAIM_WEIGHTS_REPEAT | CAIRN_CLAIM_ROW_ORDER | CAIRN_CLAIM_COLUMN_ORDER,
    .traits = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_GEOMETRIC | CAIRN_GRADING,
    .history = &tls_story,
    .fit = tls_fit,
    .describe = tls_describe,
    CAIRN_WEIGHTS_RECORD,
    .tables = cairn_weights_tables,
};
