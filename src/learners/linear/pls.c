/* SPDX-License-Identifier: MIT */
/* Partial least squares: regression on a few components of the features that go with the target.
 *
 * Problem: many features that repeat each other, perhaps more than rows. Components t = X r are
 * sums of the features, uncorrelated with each other, each with the largest covariance with the
 * target that is left; the target is fitted on the first few.
 *
 * Method (SIMPLS, which for one target gives the components of NIPALS):
 * 1. One pass sums the products of all columns, a matrix for each fold.
 * 2. The first r is s = X'y. Its component has the loadings p = X't (t of length 1) and, of the
 *    target, q = y't. What lies along p is taken out of s, and so on. Nothing but products is
 *    needed.
 * 3. The number of components is given, or the one with the least squared error of held-out rows:
 *    the components of all folds but one, judged by the products of that one. Of equal errors the
 *    fewest.
 *
 * Components depend on the units of the columns, which the framework standardises unless it is told
 * otherwise. Cost: n p²/2 for the pass, a p² for a components, once more for every fold.
 *
 * Sources: Wold, Soft modelling by latent variables (1975); de Jong, SIMPLS: an alternative
 * approach to partial least squares regression (1993). */
#include "base/memory.h"
#include "base/random.h"
#include "kernels/kernels.h"
#include "learners/linear/row_span.h"
#include "learners/linear/weights.h"
#include "rows/slopes.h"
#include "rows/fold_grams.h"
#include <math.h>
#include <string.h>

enum { MOST_COMPONENTS = 1000, SHOWN_TERMS = 12 };

typedef struct pls_params {
    int components, most, folds;
} pls_params;

static const cairn_param pls_parameters[] = {
    CAIRN_PARAM(pls_params, components, "0", "[0,1000]",
                "number of components; 0 = the one with the least error of held-out rows",
                .often = true),
    CAIRN_PARAM(pls_params, most, "20", "[1,1000]", "most components that are tried",
                .when = "components=0"),
    CAIRN_PARAM(pls_params, folds, "10", "[2,1000]",
                "parts of the cross-validation; as many as rows where there are fewer",
                .when = "components=0"),
    CAIRN_PARAM_END,
};

enum { X_SHARE, Y_SHARE, HELD, COLUMNS }; /* of the table of components */

typedef struct pls_history {
    size_t n_terms, n;     /* components that are used */
    size_t n_tried, asked; /* rows of the table; components that were asked for, 0 = chosen */
    double *path;          /* n_tried x COLUMNS: shares of variance so far, held-out error */
    double *loadings;      /* n x (n_terms + 1), the target's last */
    double *directions;    /* n x n_terms: t = X r, in units of the columns */
} pls_history;

/* Components of some rows: products of their columns, means taken out. */
typedef struct components {
    size_t p, n;                  /* terms, components that were found */
    double total, *means, *cross; /* p + 1 means, (p + 1) x (p + 1) products, target last */
    double *rs, *ps, *qs, *vs;    /* most x p; qs: most */
    double *s;                    /* p */
} components;

static cairn_status open_components(cairn_context *ctx, components *c, size_t p, size_t most)
{
    *c = (components){.p = p};
    CHECK(SCRATCH(ctx, &c->means, p + 1));
    CHECK(SCRATCH(ctx, &c->cross, cairn_product(p + 1, p + 1)));
    CHECK(SCRATCH_EACH(ctx, cairn_product(most, p) + 1, &c->rs, &c->ps, &c->vs));
    CHECK(SCRATCH(ctx, &c->qs, most + 1));
    return SCRATCH(ctx, &c->s, p + 1);
}

/* Means and products about them from the sums over rows, of which the ones are last; units[j] turns
 * column j into the unit in which columns are compared. What is left of a constant is rounding. */
static void centre(components *c, const double *gram, const double *units)
{
    size_t width = c->p + 2, m = c->p + 1;
    const double *ones = gram + m * width;
    c->total = ones[m];
    for (size_t j = 0; j < m; j++) c->means[j] = c->total > 0 ? ones[j] / c->total : 0;
    for (size_t j = 0; j < m; j++)
        for (size_t k = 0; k < m; k++) {
            double raw = gram[j * width + k], left = raw - c->means[j] * ones[k];
            bool noise = j == k && left <= 1e-14 * raw;
            c->cross[j * m + k] = noise ? 0 : left * units[j] * units[k];
        }
}

/* One more component; false when nothing is left that goes with the target. */
static bool add_component(components *c)
{
    size_t p = c->p, m = p + 1, a = c->n;
    double *r = c->rs + a * p, *load = c->ps + a * p, *v = c->vs + a * p;
    double square = 0, length = cairn_dot(c->s, c->s, p);
    if (!(length > 0)) return false;
    for (size_t j = 0; j < p; j++) r[j] = c->s[j] / sqrt(length);
    for (size_t j = 0; j < p; j++) load[j] = cairn_dot(c->cross + j * m, r, p);
    square = cairn_dot(r, load, p);
    double spread = 0;
    for (size_t j = 0; j < p; j++) spread = fmax(spread, c->cross[j * m + j]);
    if (!(square > 1e-13 * spread)) return false;
    c->qs[a] = 0;
    for (size_t j = 0; j < p; j++) {
        r[j] /= sqrt(square);
        load[j] /= sqrt(square);
        c->qs[a] += r[j] * c->cross[j * m + p];
    }
    memcpy(v, load, p * sizeof *v);
    for (int twice = 0; twice < 2; twice++)
        for (size_t b = 0; b < a; b++)
            cairn_axpy(v, -cairn_dot(c->vs + b * p, v, p), c->vs + b * p, p);
    length = sqrt(cairn_dot(v, v, p));
    if (!(length > 0)) return false;
    for (size_t j = 0; j < p; j++) v[j] /= length;
    for (int twice = 0; twice < 2; twice++) cairn_axpy(c->s, -cairn_dot(v, c->s, p), v, p);
    c->n++;
    return true;
}

/* Components until `most`, or until what is left of s is rounding. */
static void find_components(components *c, size_t most)
{
    size_t p = c->p, m = p + 1;
    double first = 0;
    for (size_t j = 0; j < p; j++) {
        c->s[j] = c->cross[j * m + p];
        first += c->s[j] * c->s[j];
    }
    while (c->n < most && cairn_dot(c->s, c->s, p) > 1e-18 * first && add_component(c)) continue;
}

/* Slopes for the columns of the sums from the first n components, and the constant. */
static void slopes_of(const components *c, size_t n, const double *units, double *out)
{
    size_t p = c->p;
    memset(out, 0, (p + 1) * sizeof *out);
    for (size_t a = 0; a < n && a < c->n; a++) cairn_axpy(out, c->qs[a], c->rs + a * p, p);
    out[p] = c->means[p];
    for (size_t j = 0; j < p; j++) {
        out[j] *= units[j] / units[p];
        out[p] -= out[j] * c->means[j];
    }
}

/* Squared error of slopes on rows with these sums of products: a quadratic form. */
static double squared_error(const double *gram, const double *slopes, size_t p, double *buffer)
{
    size_t width = p + 2;
    double sum = 0;
    for (size_t j = 0; j < p; j++) buffer[j] = -slopes[j];
    buffer[p] = 1;
    buffer[p + 1] = -slopes[p];
    for (size_t j = 0; j < width; j++)
        sum += buffer[j] * cairn_dot(gram + j * width, buffer, width);
    return fmax(0, sum);
}

/* -- fitting -- */

typedef struct problem {
    const pls_params *params;
    cairn_row_matrix x; /* with target and ones */
    double *units;      /* p + 1 */
    int32_t *folds;     /* of the rows */
    size_t n_folds;
    double *grams; /* n_folds x width x width */
    double *gram;  /* of all rows */
    double *path;  /* most x COLUMNS */
    size_t most;
} problem;

/* Columns are compared in their own units, all divided by one power of two, so that the largest is
 * near 1. */
static cairn_status choose_units(cairn_context *ctx, problem *f)
{
    size_t p = f->x.n_terms;
    double largest = INFINITY;
    CHECK(SCRATCH(ctx, &f->units, p + 1));
    for (size_t j = 0; j < p; j++) largest = fmin(largest, f->x.scale[j]);
    for (size_t j = 0; j < p; j++) f->units[j] = largest / f->x.scale[j];
    f->units[p] = 1;
    return CAIRN_OK;
}

/* The products of the columns, of every fold and of all rows. */
static cairn_status open_problem(cairn_context *ctx, problem *f, const cairn_job *job)
{
    size_t p = 0, size;
    for (size_t j = 0; j < job->view->n_features; j++)
        p += job->view->features[j]->kind == CAIRN_BAG ? job->view->features[j]->names.n : 1;
    cairn_matrix_options options = {.target = true, .ones = true, .units = CAIRN_UNITS_SHIFTED};
    size = cairn_product(p + 2, p + 2);
    options.sum_size = size;
    CHECK(cairn_matrix_open(ctx, &f->x, job->view, &options));
    if (cairn_matrix_used(&f->x) == 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "there is no row to learn from: partial least squares needs at least one "
                          "row with a positive weight");
    /* Rows, shuffled, dealt to the folds in turn. */
    size_t n = f->x.n, *order;
    cairn_random random;
    CHECK(SCRATCH(ctx, &f->folds, n + 1));
    f->n_folds = 1;
    if (!f->params->components && !(n < 3)) {
        f->n_folds = (size_t)f->params->folds < n ? (size_t)f->params->folds : n;
        CHECK(SCRATCH_RAW(ctx, &order, n + 1));
        for (size_t i = 0; i < n; i++) order[i] = i;
        cairn_random_start(&random, cairn_context_seed(ctx), 1);
        cairn_random_shuffle(&random, order, n);
        for (size_t i = 0; i < n; i++) f->folds[order[i]] = (int32_t)(i % f->n_folds);
    }
    CHECK(cairn_memory_check(ctx, 8 * ((double)f->n_folds + 8) * (double)size,
                             "partial least squares",
                             cairn_say(ctx, "use fewer columns or folds, or raise {memory}")));
    CHECK(SCRATCH(ctx, &f->grams, cairn_product(f->n_folds, size)));
    CHECK(SCRATCH(ctx, &f->gram, size));
    CHECK(cairn_fold_grams(ctx, &f->x, f->folds, f->n_folds, f->grams));
    for (size_t k = 0; k < f->n_folds; k++) cairn_axpy(f->gram, 1, f->grams + k * size, size);
    for (size_t j = 0; j < p + 2; j++)
        if (!isfinite(f->gram[j * (p + 3)])) return cairn_matrix_refuse(ctx, &f->x, NULL);
    CHECK(choose_units(ctx, f));
    f->most = (size_t)(f->params->components ? f->params->components : f->params->most);
    if (f->most > p) f->most = p;
    return SCRATCH(ctx, &f->path, cairn_product(f->most + 1, COLUMNS));
}

/* The error of one fold for every number of components of the others. */
static cairn_status hold_out(cairn_context *ctx, problem *f, size_t fold)
{
    size_t p = f->x.n_terms, size = (p + 2) * (p + 2);
    SCOPED_SCRATCH(ctx);
    components c;
    double *gram, *slopes, *buffer;
    CHECK(SCRATCH(ctx, &gram, size));
    CHECK(SCRATCH(ctx, &slopes, p + 1));
    CHECK(SCRATCH(ctx, &buffer, p + 2));
    for (size_t k = 0; k < f->n_folds; k++)
        if (k != fold) cairn_axpy(gram, 1, f->grams + k * size, size);
    CHECK(open_components(ctx, &c, p, f->most));
    centre(&c, gram, f->units);
    if (c.total > 0) find_components(&c, f->most);
    for (size_t a = 0; a <= f->most; a++) {
        slopes_of(&c, a, f->units, slopes);
        f->path[a * COLUMNS + HELD] += squared_error(f->grams + fold * size, slopes, p, buffer);
    }
    return CAIRN_OK;
}

/* The number of components with the least error, the first of equal ones. */
static cairn_status choose_number(cairn_context *ctx, problem *f, size_t *out)
{
    double unit = f->x.scale[f->x.n_terms];
    *out = f->most;
    if (f->params->components || f->n_folds < 2) {
        for (size_t a = 0; a <= f->most; a++) f->path[a * COLUMNS + HELD] = NAN;
        return CAIRN_OK;
    }
    for (size_t k = 0; k < f->n_folds; k++) {
        CHECK(cairn_tick(ctx, "folds", (double)k, (double)f->n_folds));
        CHECK(hold_out(ctx, f, k));
    }
    *out = 0;
    for (size_t a = 0; a <= f->most; a++) {
        double *held = &f->path[a * COLUMNS + HELD];
        *held /= f->gram[(f->x.n_terms + 2) * (f->x.n_terms + 2) - 1] * unit * unit;
        if (*held < f->path[*out * COLUMNS + HELD] * (1 - 1e-12)) *out = a;
    }
    return CAIRN_OK;
}

/* Shares of the variance of features and target that the first components have. */
static void fill_shares(problem *f, const components *c)
{
    size_t p = c->p, m = p + 1;
    double all = 0, x = 0, y = 0, target = c->cross[m * m - 1];
    for (size_t j = 0; j < p; j++) all += c->cross[j * m + j];
    for (size_t a = 0; a <= f->most; a++) {
        f->path[a * COLUMNS + X_SHARE] = all > 0 ? x / all : NAN;
        f->path[a * COLUMNS + Y_SHARE] = target > 0 ? y / target : NAN;
        if (a >= c->n) continue;
        x += cairn_dot(c->ps + a * p, c->ps + a * p, p);
        y += c->qs[a] * c->qs[a];
    }
}

/* What is told of the components, in the units of the columns. */
static cairn_status keep_history(cairn_context *ctx, pls_history *history, const problem *f,
                                 const components *c, size_t used)
{
    size_t p = c->p;
    history->n_terms = p;
    history->n = used < c->n ? used : c->n;
    history->asked = (size_t)f->params->components;
    history->n_tried = f->most + 1;
    CHECK(NEW(ctx, &history->path, history->n_tried * COLUMNS));
    memcpy(history->path, f->path, history->n_tried * COLUMNS * sizeof *f->path);
    CHECK(NEW(ctx, &history->loadings, history->n * (p + 1)));
    CHECK(NEW(ctx, &history->directions, history->n * p));
    for (size_t a = 0; a < history->n; a++) {
        for (size_t j = 0; j < p; j++) {
            double to_own = f->x.scale[j] * f->units[j];
            history->loadings[a * (p + 1) + j] = c->ps[a * p + j] / to_own;
            history->directions[a * p + j] = c->rs[a * p + j] * to_own;
        }
        history->loadings[a * (p + 1) + p] = c->qs[a] / f->x.scale[p];
    }
    return CAIRN_OK;
}

static cairn_status show_steps(cairn_context *ctx, const cairn_job *job,
                               const pls_history *history);

static void clear_history(void *data)
{
    pls_history *history = data;
    cairn_free(history->path);
    cairn_free(history->loadings);
    cairn_free(history->directions);
    *history = (pls_history){0};
}

/* The residuals have nothing in common with any component: the slopes of the squared error along
 * the directions are 0. */
static cairn_status certify(cairn_context *ctx, const pls_history *history, const double *weights,
                            const cairn_job *job)
{
    const double bound = 1e-8;
    cairn_slopes s = {.view = job->view, .weights = weights, .n_scores = 1, .constant = true};
    size_t p = history->n_terms, n = s.view->rows.n;
    double *targets, *slopes, *sizes, *noise, *scales, most = 0;
    if (!job->certificate) return CAIRN_OK;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH(ctx, &targets, n + 1));
    CHECK(SCRATCH(ctx, &slopes, 4 * (p + 1)));
    sizes = slopes + p + 1;
    noise = sizes + p + 1;
    scales = noise + p + 1;
    cairn_view_target_numbers(s.view, 0, n, targets);
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs(targets[i]));
    cairn_slopes_squares squares = {targets, n, 1, cairn_slopes_unit(most)};
    s.rows = cairn_slopes_squares_rows;
    s.data = &squares;
    CHECK(cairn_slopes_of(ctx, &s, slopes, sizes, noise, scales));
    for (size_t a = 0; a < history->n; a++) {
        double along = 0, size = 0;
        for (size_t j = 0; j < p; j++) {
            double part = history->directions[a * p + j] / scales[j];
            along += part * slopes[j];
            size += fabs(part) * (sizes[j] + noise[j] / bound);
        }
        cairn_certify(job->certificate, CAIRN_PROOF_RESIDUAL, size > 0 ? fabs(along) / size : along,
                      bound);
    }
    return CAIRN_OK;
}

/* All components up to the most are found, even where fewer are used, since the report shows the
 * whole path. */
static cairn_status fit_both(cairn_context *ctx, cairn_weights *m, pls_history *history,
                             const cairn_job *job)
{
    problem f = {.params = job->params};
    components c;
    size_t used;
    double *slopes, *own;
    CHECK(open_problem(ctx, &f, job));
    CHECK(choose_number(ctx, &f, &used));
    CHECK(open_components(ctx, &c, f.x.n_terms, f.most));
    centre(&c, f.gram, f.units);
    find_components(&c, f.most);
    fill_shares(&f, &c);
    CHECK(SCRATCH_EACH(ctx, c.p + 2, &slopes, &own));
    slopes_of(&c, used, f.units, slopes);
    /* from z of features and target to own units */
    for (size_t j = 0; j <= c.p; j++) slopes[j] /= f.x.scale[c.p];
    cairn_matrix_raw(&f.x, slopes, 1, 1, own);
    own[c.p] += f.x.shift[c.p];
    CHECK(keep_history(ctx, history, &f, &c, used));
    CHECK(certify(ctx, history, own, job));
    if (job->steps) CHECK(show_steps(ctx, job, history));
    return cairn_weights_keep(ctx, m, own, c.p, true);
}

/* The same in the space of the rows, whose directions are turned back: products do not change. */
static cairn_status fit_wide(cairn_context *ctx, cairn_weights *m, pls_history *history,
                             const cairn_job *job)
{
    cairn_row_span s;
    cairn_weights short_ones = {0};
    double *own, *loadings, *directions;
    CHECK(cairn_row_span_open(ctx, &s, job, true));
    CHECK(SCRATCH(ctx, &own, s.p + 1));
    cairn_status status = fit_both(ctx, &short_ones, history, &s.job);
    if (!status) cairn_row_span_raw(&s, short_ones.weights, own);
    cairn_weights_clear(&short_ones);
    CHECK(status);
    history->n_terms = s.p;
    CHECK(NEW(ctx, &loadings, cairn_product(history->n, s.p + 1) + 1));
    for (size_t a = 0; a < history->n; a++)
        loadings[a * (s.p + 1) + s.p] = history->loadings[a * (s.k + 1) + s.k];
    for (size_t a = 0; a < history->n; a++)
        for (size_t k = 0; k < s.k; k++)
            cairn_axpy(loadings + a * (s.p + 1), history->loadings[a * (s.k + 1) + k],
                       s.basis + k * s.p, s.p);
    cairn_free(history->loadings);
    history->loadings = loadings;
    CHECK(NEW(ctx, &directions, cairn_product(history->n, s.p) + 1));
    for (size_t a = 0; a < history->n; a++)
        for (size_t k = 0; k < s.k; k++)
            cairn_axpy(directions + a * s.p, history->directions[a * s.k + k], s.basis + k * s.p,
                       s.p);
    cairn_free(history->directions);
    history->directions = directions;
    return cairn_weights_keep(ctx, m, own, s.p, true);
}

static cairn_status pls_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    pls_history own = {0}, *history = job->history ? job->history : &own;
    cairn_status status = cairn_row_span_pays(job->view) ? fit_wide(ctx, model, history, job)
                                                         : fit_both(ctx, model, history, job);
    clear_history(&own);
    return status;
}

/* -- showing and keeping -- */

static void show_path(cairn_report *out, const pls_history *history)
{
    static const char *const keys[] = {"x", "y", "mse"};
    cairn_report_table_of(out, "Number of components", 0, "rrrr", "components",
                          "variance of the features", "variance of the target", "held-out MSE");
    for (size_t a = 0; a < history->n_tried; a++) {
        if (a == history->n) cairn_report_row_mark(out);
        cairn_report_cellf(out, "%zu", a);
        for (size_t j = 0; j < COLUMNS; j++)
            cairn_report_cell_number(out, history->path[a * COLUMNS + j], 6, "components%zu.%s", a,
                                     keys[j]);
    }
    cairn_report_table_end(out);
}

/* Loadings (p, and q of the target) or directions (r), a column for each component. */
static void show_vectors(cairn_report *out, const pls_history *history, const cairn_job *job,
                         const char *const *names, bool loadings)
{
    size_t p = history->n_terms, shown = history->n < SHOWN_TERMS ? history->n : SHOWN_TERMS;
    ptrdiff_t target = cairn_schema_role(job->schema, CAIRN_TARGET);
    cairn_text head = cairn_text_start(cairn_report_context(out));
    cairn_report_table_of(out, loadings ? "Loadings" : "Weights of the components", 0, "l", "term");
    for (size_t a = 0; a < shown; a++) {
        head.length = 0;
        cairn_text_addf(&head, "%s%zu", loadings ? "p" : "r", a + 1);
        cairn_report_column(out, cairn_text_string(&head), 'r');
    }
    for (size_t j = 0; j < (loadings ? p + 1 : p); j++) {
        const char *name = j < p ? names[j] : target >= 0 ? job->schema->fields[target].name : "y";
        cairn_report_cell(out, name);
        for (size_t a = 0; a < shown; a++)
            if (loadings)
                cairn_report_cell_number(out, history->loadings[a * (p + 1) + j], 6,
                                         "component%zu.%s.%s", a + 1, j < p ? "loading" : "q",
                                         cairn_term_key(out, name));
            else
                cairn_report_cell_number(out, history->directions[a * p + j], 6,
                                         "component%zu.weight.%s", a + 1,
                                         cairn_term_key(out, name));
    }
    cairn_report_table_end(out);
    cairn_report_failed(out, cairn_text_status(&head));
    cairn_text_clear(&head);
}

static cairn_status show_steps(cairn_context *ctx, const cairn_job *job, const pls_history *history)
{
    cairn_report *out = job->steps;
    const char *const *names;
    CHECK(cairn_term_names(ctx, &names, job->schema));
    cairn_report_step_begin(out, "Components: what of the features goes with the target");
    cairn_report_formula(out, "s = Xᵀy (means taken out);  t = X r, r = s / |X s|;  p = Xᵀt;  "
                              "q = yᵀt;  s ← s − v (v·s), v = p without the earlier ones");
    if (history->n) {
        show_vectors(out, history, job, names, false);
        show_vectors(out, history, job, names, true);
    }
    cairn_report_step_end(out);
    cairn_report_step_begin(out, "The number of components");
    show_path(out, history);
    cairn_report_step_end(out);
    cairn_report_step_begin(out, "Coefficients");
    cairn_report_formula(out, "b = Σ r q over the components that are taken");
    cairn_report_step_end(out);
    return CAIRN_OK;
}

static void pls_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const pls_history *history = job->history;
    cairn_context *ctx = cairn_report_context(out);
    const char *const *names;
    cairn_report_heading(out, 2, "Partial least squares");
    cairn_weights_show(out, model, job);
    if (!history || !ctx) return;
    SCOPED_SCRATCH(ctx);
    cairn_status status = cairn_term_names(ctx, &names, job->schema);
    cairn_report_failed(out, status);
    if (status) return;
    cairn_report_value(out, "components", (double)history->n, "components");
    if (history->asked > history->n)
        cairn_report_note(
            out,
            "%zu components were asked for; after %zu nothing is left in the features "
            "that goes with the target.",
            history->asked, history->n);
    show_path(out, history);
    if (history->n) show_vectors(out, history, job, names, true);
}

static cairn_status archive_history(cairn_archive *a, void *data, const void *model)
{
    pls_history *history = data;
    size_t p = history->n_terms = ((const cairn_weights *)model)->n_terms;
    CHECK(cairn_archive_size(a, "n", &history->n, MOST_COMPONENTS));
    CHECK(cairn_archive_size(a, "asked", &history->asked, MOST_COMPONENTS));
    CHECK(cairn_archive_size(a, "n_tried", &history->n_tried, MOST_COMPONENTS + 1));
    CHECK(cairn_archive_reals(a, "path", &history->path, history->n_tried * COLUMNS));
    CHECK(cairn_archive_reals(a, "loadings", &history->loadings, cairn_product(history->n, p + 1)));
    return cairn_archive_reals(a, "directions", &history->directions, cairn_product(history->n, p));
}

static const cairn_history pls_story = {
    .size = sizeof(pls_history), .archive = archive_history, .clear = clear_history};

const cairn_learner cairn_pls = {
    .entry =
        {
            .kind = CAIRN_ENTRY_LEARNER,
            .name = "pls",
            .also = "partial least squares, projection to latent structures, PLS regression, "
                    "SIMPLS, NIPALS, PLSRegression",
            .title = "Partial least squares",
            .summary =
                "Fits the target on a few components, sums of the features that have the largest "
                "covariance with it: for many features that repeat each other, also more than "
                "rows. The number of components is given or chosen by cross-validation from one "
                "pass over the rows. Columns are standardised first unless --scale says otherwise.",
            .references = "Wold, Soft modelling by latent variables (1975); de Jong, SIMPLS (1993)",
            .example = "cairn fit pls @used-cars --target price --components 2 --steps",
            .params = pls_parameters,
            .params_size = sizeof(pls_params),
        },
    .tasks = CAIRN_REGRESS,
    .space = "components=1,2,3,5,8,12",
    .accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_WEIGHTS | CAIRN_ACCEPTS_BAGS |
               CAIRN_ACCEPTS_NO_FEATURES | CAIRN_WANTS_REFERENCE | CAIRN_WANTS_SCALING,
    .claims = CAIRN_CLAIM_COLUMN_ORDER,
    .traits = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_GEOMETRIC | CAIRN_GRADING,
    .history = &pls_story,
    .fit = pls_fit,
    .describe = pls_describe,
    CAIRN_WEIGHTS_RECORD,
    .tables = cairn_weights_tables,
};
