/* SPDX-License-Identifier: MIT */
/* Partial least squares: regression on a few components of the features that go with the target,
 * or with several targets together.
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
 * Several targets together (NIPALS, PLS2): r is w, the first left singular vector of S = X'Y, less
 * what lies along the components before it; of S p q' is taken out, with a q for every target. So
 * t has the largest sum of squared covariances with the targets that is left. There is a model for
 * each target, all with the same components.
 *
 * Components depend on the units of the columns, which the framework standardises unless it is told
 * otherwise. Cost: n p²/2 for the pass, a p² for a components, once more for every fold.
 *
 * Sources: Wold, Soft modelling by latent variables (1975); de Jong, SIMPLS: an alternative
 * approach to partial least squares regression (1993). */
#include "base/memory.h"
#include "base/random.h"
#include "kernels/kernels.h"
#include "decompose/linalg.h"
#include "learners/linear/row_span.h"
#include "learners/linear/weights.h"
#include "rows/slopes.h"
#include "rows/fold_grams.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_COMPONENTS = 1000, SHOWN_TERMS = 12 };

enum { OWN_UNITS, DEVIATIONS }; /* of targets */

typedef struct pls_params {
    int components, most, folds;
    bool together;
    int target_scale;
} pls_params;

static const cairn_choice target_scales[] = {
    {"deviation", DEVIATIONS, "each is divided by its standard deviation"},
    {"none", OWN_UNITS, "their own units"},
    {0},
};

static const cairn_param pls_parameters[] = {
    CAIRN_PARAM(pls_params, components, "0", "[0,1000]",
                "number of components; 0 = the one with the least error of held-out rows",
                .often = true),
    CAIRN_PARAM(pls_params, most, "20", "[1,1000]", "most components that are tried",
                .when = "components=0"),
    CAIRN_PARAM(pls_params, folds, "10", "[2,1000]",
                "parts of the cross-validation; as many as rows where there are fewer",
                .when = "components=0"),
    CAIRN_PARAM(pls_params, together, "no", NULL,
                "several targets: the same components for all of them (PLS2), instead of those of "
                "each",
                .often = true),
    CAIRN_PARAM_CHOICE(pls_params, target_scale, "deviation", target_scales,
                       "how targets are made comparable", .when = "together"),
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

/* Components of some rows: products of their columns, means taken out. The target that is asked for
 * is the last of m. */
typedef struct components {
    size_t p, m, n;               /* terms, targets, components that were found */
    double total, *means, *cross; /* p + m means, (p + m) x (p + m) products, targets last */
    double *rs, *ps, *qs, *vs;    /* most x p; qs: most x m */
    double *s;                    /* m x p: products with each target that are left */
} components;

static cairn_status open_components(cairn_context *ctx, components *c, size_t p, size_t m,
                                    size_t most)
{
    *c = (components){.p = p, .m = m};
    CHECK(SCRATCH(ctx, &c->means, p + m));
    CHECK(SCRATCH(ctx, &c->cross, cairn_product(p + m, p + m)));
    CHECK(SCRATCH_EACH(ctx, cairn_product(most, p) + 1, &c->rs, &c->ps, &c->vs));
    CHECK(SCRATCH(ctx, &c->qs, cairn_product(most, m) + 1));
    return SCRATCH(ctx, &c->s, cairn_product(m, p) + 1);
}

/* Means and products about them from the sums over rows, of which the ones are last; units[j] turns
 * column j into the unit in which columns are compared. What is left of a constant is rounding. */
static void centre(components *c, const double *gram, const double *units)
{
    size_t m = c->p + c->m, width = m + 1;
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

/* The component whose direction is r: its loadings, and r in the unit that makes t of length 1;
 * false where t is rounding. */
static bool complete(components *c, double *r, double *load)
{
    size_t p = c->p, width = p + c->m, a = c->n;
    double square, spread = 0;
    for (size_t j = 0; j < p; j++) load[j] = cairn_dot(c->cross + j * width, r, p);
    square = cairn_dot(r, load, p);
    for (size_t j = 0; j < p; j++) spread = fmax(spread, c->cross[j * (width + 1)]);
    if (!(square > 1e-13 * spread)) return false;
    for (size_t k = 0; k < c->m; k++) c->qs[a * c->m + k] = 0;
    for (size_t j = 0; j < p; j++) {
        r[j] /= sqrt(square);
        load[j] /= sqrt(square);
        for (size_t k = 0; k < c->m; k++) c->qs[a * c->m + k] += r[j] * c->cross[j * width + p + k];
    }
    return true;
}

/* One more component for one target; false when nothing is left that goes with it. */
static bool add_component(components *c)
{
    size_t p = c->p, a = c->n;
    double *r = c->rs + a * p, *load = c->ps + a * p, *v = c->vs + a * p;
    double length = cairn_dot(c->s, c->s, p);
    if (!(length > 0)) return false;
    for (size_t j = 0; j < p; j++) r[j] = c->s[j] / sqrt(length);
    if (!complete(c, r, load)) return false;
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

/* The first left singular vector of S, of length 1: S times the first eigenvector of S'S. */
static cairn_status largest_direction(cairn_context *ctx, const components *c, double *w)
{
    SCOPED_SCRATCH(ctx);
    size_t m = c->m;
    double *square, *values, *vectors;
    CHECK(SCRATCH(ctx, &square, cairn_product(m, m)));
    CHECK(SCRATCH(ctx, &values, m));
    CHECK(SCRATCH(ctx, &vectors, cairn_product(m, m)));
    for (size_t k = 0; k < m; k++)
        for (size_t l = k; l < m; l++)
            square[k * m + l] = cairn_dot(c->s + k * c->p, c->s + l * c->p, c->p);
    CHECK(cairn_symmetric_eigen(ctx, values, vectors, square, m));
    memset(w, 0, c->p * sizeof *w);
    for (size_t k = 0; k < m; k++) cairn_axpy(w, vectors[k], c->s + k * c->p, c->p);
    double length = sqrt(cairn_dot(w, w, c->p));
    for (size_t j = 0; j < c->p && length > 0; j++) w[j] /= length;
    return CAIRN_OK;
}

/* The same for several targets; *more is false when nothing is left that goes with them. */
static cairn_status add_for_several(cairn_context *ctx, components *c, bool *more)
{
    size_t p = c->p, a = c->n;
    double *r = c->rs + a * p, *load = c->ps + a * p;
    CHECK(largest_direction(ctx, c, r));
    for (int twice = 0; twice < 2; twice++)
        for (size_t b = 0; b < a; b++)
            cairn_axpy(r, -cairn_dot(c->ps + b * p, r, p), c->rs + b * p, p);
    *more = complete(c, r, load);
    for (size_t k = 0; *more && k < c->m; k++)
        cairn_axpy(c->s + k * p, -c->qs[a * c->m + k], load, p);
    c->n += *more;
    return CAIRN_OK;
}

/* Components until `most`, or until what is left of s is rounding. */
static cairn_status find_components(cairn_context *ctx, components *c, size_t most)
{
    size_t p = c->p, width = p + c->m, size = c->m * p;
    double first = 0;
    bool more = true;
    for (size_t j = 0; j < p; j++)
        for (size_t k = 0; k < c->m; k++) {
            c->s[k * p + j] = c->cross[j * width + p + k];
            first += c->s[k * p + j] * c->s[k * p + j];
        }
    while (more && c->n < most && cairn_dot(c->s, c->s, size) > 1e-18 * first) {
        if (c->m == 1)
            more = add_component(c);
        else
            CHECK(add_for_several(ctx, c, &more));
    }
    return CAIRN_OK;
}

/* Slopes of target k for the columns of the sums from the first n components, and the constant. */
static void slopes_of(const components *c, size_t n, size_t k, const double *units, double *out)
{
    size_t p = c->p;
    memset(out, 0, (p + 1) * sizeof *out);
    for (size_t a = 0; a < n && a < c->n; a++)
        cairn_axpy(out, c->qs[a * c->m + k], c->rs + a * p, p);
    out[p] = c->means[p + k];
    for (size_t j = 0; j < p; j++) {
        out[j] *= units[j] / units[p + k];
        out[p] -= out[j] * c->means[j];
    }
}

/* Squared error of slopes for target k of m on rows with these sums of products: a quadratic
 * form. */
static double squared_error(const double *gram, const double *slopes, size_t p, size_t m, size_t k,
                            double *buffer)
{
    size_t width = p + m + 1;
    double sum = 0;
    memset(buffer, 0, width * sizeof *buffer);
    for (size_t j = 0; j < p; j++) buffer[j] = -slopes[j];
    buffer[p + k] = 1;
    buffer[p + m] = -slopes[p];
    for (size_t j = 0; j < width; j++)
        sum += buffer[j] * cairn_dot(gram + j * width, buffer, width);
    return fmax(0, sum);
}

/* -- fitting -- */

typedef struct problem {
    const pls_params *params;
    size_t p, m;     /* terms, targets */
    cairn_view view; /* where there are several: those that are not asked for as features, last */
    cairn_row_matrix x; /* with target and ones */
    double *units;      /* p + m */
    int32_t *folds;     /* of the rows */
    size_t n_folds;
    double *grams; /* n_folds x width x width */
    double *gram;  /* of all rows */
    double *path;  /* most x COLUMNS */
    size_t most;
} problem;

/* Columns are compared in their own units, all divided by one power of two, so that the largest is
 * near 1; so are several targets, unless by their deviations. */
static cairn_status choose_units(cairn_context *ctx, problem *f)
{
    size_t p = f->p, m = f->m, width = p + m + 1;
    double largest = INFINITY, of_targets = INFINITY, total = f->gram[width * width - 1];
    CHECK(SCRATCH(ctx, &f->units, p + m));
    for (size_t j = 0; j < p; j++) largest = fmin(largest, f->x.scale[j]);
    for (size_t j = 0; j < p; j++) f->units[j] = largest / f->x.scale[j];
    for (size_t k = 0; k < m; k++) of_targets = fmin(of_targets, f->x.scale[p + k]);
    for (size_t k = 0; k < m; k++) {
        double sum = f->gram[(p + m) * width + p + k], square = f->gram[(p + k) * (width + 1)];
        double variance = (square - sum / total * sum) / total;
        bool varies = variance > 1e-14 * square / total;
        f->units[p + k] = m == 1 ? 1 : of_targets / f->x.scale[p + k];
        if (m > 1 && f->params->target_scale == DEVIATIONS)
            f->units[p + k] = varies ? 1 / sqrt(variance) : 1;
    }
    return CAIRN_OK;
}

/* The columns of all targets but the one that is asked for; what cannot be together fails. */
static cairn_status other_targets(cairn_context *ctx, const cairn_view *view, size_t **out,
                                  size_t *n)
{
    const cairn_table *table = view->table;
    CHECK(SCRATCH(ctx, out, table->n_columns + 1));
    *n = 0;
    for (size_t i = 0; i < table->n_columns; i++) {
        const cairn_slot *slot = &table->slots[i];
        if (slot->role != CAIRN_TARGET || slot->column == view->target) continue;
        if (slot->column->kind != CAIRN_NUMBER)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "{together} is for targets that are numbers, and '%s' holds levels",
                              slot->name);
        (*out)[(*n)++] = i;
    }
    for (size_t i = 0; *n && i < view->rows.n; i++)
        for (size_t k = 0; k <= *n; k++) {
            size_t row = cairn_view_row(view, i);
            const cairn_column *column = k < *n ? table->slots[(*out)[k]].column : view->target;
            if (isfinite(column->numbers[row]) || cairn_view_weight(view, i) == 0) continue;
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "row %zu has no number in the target '%s', and components for all "
                              "targets {together} need every one; leave such rows out by {where}, "
                              "or leave {together} out",
                              row + 1, k < *n ? table->slots[(*out)[k]].name : view->target_name);
        }
    for (size_t j = 0; *n && j < view->n_features; j++)
        if (view->features[j]->kind == CAIRN_BAG)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "{together} takes columns of numbers, and '%s' holds items; leave "
                              "{together} out",
                              view->names[j]);
    return CAIRN_OK;
}

/* The view that the sums are of: further targets stand behind the features. */
static cairn_status open_view(cairn_context *ctx, problem *f, const cairn_view *view)
{
    size_t *others = NULL, n = 0, own = view->n_features;
    f->view = *view;
    f->m = 1;
    if (!f->params->together) return CAIRN_OK;
    CHECK(other_targets(ctx, view, &others, &n));
    if (!n) return CAIRN_OK;
    CHECK(SCRATCH_EACH(ctx, own + n, &f->view.features, &f->view.names));
    memcpy(f->view.features, view->features, own * sizeof *view->features);
    memcpy(f->view.names, view->names, own * sizeof *view->names);
    for (size_t k = 0; k < n; k++) {
        f->view.features[own + k] = view->table->slots[others[k]].column;
        f->view.names[own + k] = view->table->slots[others[k]].name;
    }
    f->view.n_features = own + n;
    f->m = n + 1;
    return CAIRN_OK;
}

/* The products of the columns, of every fold and of all rows. */
static cairn_status open_problem(cairn_context *ctx, problem *f, const cairn_job *job)
{
    size_t p = 0, size, width;
    CHECK(open_view(ctx, f, job->view));
    for (size_t j = 0; j < job->view->n_features; j++)
        p += job->view->features[j]->kind == CAIRN_BAG ? job->view->features[j]->names.n : 1;
    cairn_matrix_options options = {.target = true, .ones = true, .units = CAIRN_UNITS_SHIFTED};
    f->p = p;
    width = p + f->m + 1;
    size = cairn_product(width, width);
    options.sum_size = size;
    CHECK(cairn_matrix_open(ctx, &f->x, &f->view, &options));
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
    for (size_t j = 0; j < width; j++)
        if (!isfinite(f->gram[j * (width + 1)])) return cairn_matrix_refuse(ctx, &f->x, NULL);
    CHECK(choose_units(ctx, f));
    f->most = (size_t)(f->params->components ? f->params->components : f->params->most);
    if (f->most > p) f->most = p;
    return SCRATCH(ctx, &f->path, cairn_product(f->most + 1, COLUMNS));
}

/* The error of one fold for every number of components of the others; of several targets the sum of
 * their errors, in the units in which they are compared. */
static cairn_status hold_out(cairn_context *ctx, problem *f, size_t fold)
{
    size_t p = f->p, m = f->m, width = p + m + 1, size = width * width;
    SCOPED_SCRATCH(ctx);
    components c;
    double *gram, *slopes, *buffer;
    CHECK(SCRATCH(ctx, &gram, size));
    CHECK(SCRATCH(ctx, &slopes, p + 1));
    CHECK(SCRATCH(ctx, &buffer, width));
    for (size_t k = 0; k < f->n_folds; k++)
        if (k != fold) cairn_axpy(gram, 1, f->grams + k * size, size);
    CHECK(open_components(ctx, &c, p, m, f->most));
    centre(&c, gram, f->units);
    if (c.total > 0) CHECK(find_components(ctx, &c, f->most));
    for (size_t a = 0; a <= f->most; a++)
        for (size_t k = 0; k < m; k++) {
            double unit = m > 1 ? f->units[p + k] : 1;
            slopes_of(&c, a, k, f->units, slopes);
            f->path[a * COLUMNS + HELD] +=
                unit * unit * squared_error(f->grams + fold * size, slopes, p, m, k, buffer);
        }
    return CAIRN_OK;
}

/* The number of components with the least error, the first of equal ones. */
static cairn_status choose_number(cairn_context *ctx, problem *f, size_t *out)
{
    size_t width = f->p + f->m + 1;
    double unit = f->m > 1 ? 1 : f->x.scale[f->x.n_terms];
    double total = f->gram[width * width - 1] * (double)f->m;
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
        *held /= total * unit * unit;
        if (*held < f->path[*out * COLUMNS + HELD] * (1 - 1e-12)) *out = a;
    }
    return CAIRN_OK;
}

/* Shares of the variance of features and target that the first components have. */
static void fill_shares(problem *f, const components *c)
{
    size_t p = c->p, width = p + c->m, last = c->m - 1;
    double all = 0, x = 0, y = 0, target = c->cross[width * width - 1];
    for (size_t j = 0; j < p; j++) all += c->cross[j * (width + 1)];
    for (size_t a = 0; a <= f->most; a++) {
        f->path[a * COLUMNS + X_SHARE] = all > 0 ? x / all : NAN;
        f->path[a * COLUMNS + Y_SHARE] = target > 0 ? y / target : NAN;
        if (a >= c->n) continue;
        x += cairn_dot(c->ps + a * p, c->ps + a * p, p);
        y += c->qs[a * c->m + last] * c->qs[a * c->m + last];
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
        history->loadings[a * (p + 1) + p] =
            c->qs[a * c->m + c->m - 1] / f->units[p + c->m - 1] / f->x.scale[f->x.n_terms];
    }
    return CAIRN_OK;
}

static cairn_status show_steps(cairn_context *ctx, const cairn_job *job, const pls_history *history,
                               const problem *f, const components *c);

static void clear_history(void *data)
{
    pls_history *history = data;
    FREE_EACH(history->path, history->loadings, history->directions);
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
    CHECK(open_components(ctx, &c, f.p, f.m, f.most));
    centre(&c, f.gram, f.units);
    CHECK(find_components(ctx, &c, f.most));
    fill_shares(&f, &c);
    size_t terms = f.x.n_terms; /* those of further targets have no slope */
    CHECK(SCRATCH_EACH(ctx, terms + 2, &slopes, &own));
    slopes_of(&c, used, c.m - 1, f.units, slopes);
    double constant = slopes[c.p];
    slopes[c.p] = 0;
    slopes[terms] = constant;
    /* from z of features and target to own units */
    for (size_t j = 0; j <= terms; j++) slopes[j] /= f.x.scale[terms];
    cairn_matrix_raw(&f.x, slopes, 1, 1, own);
    own[c.p] = own[terms] + f.x.shift[terms];
    CHECK(keep_history(ctx, history, &f, &c, used));
    CHECK(certify(ctx, history, own, job));
    if (job->steps) CHECK(show_steps(ctx, job, history, &f, &c));
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

static void show_path(cairn_report *out, const pls_history *history, const pls_params *params)
{
    const char *held = params->together ? "held-out MSE of all" : "held-out MSE";
    static const char *const keys[] = {"x", "y", "mse"};
    cairn_report_table_of(out, "Number of components", 0, "rrrr", "components",
                          "variance of the features", "variance of the target", held);
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

/* q of every target of several, in its own units. */
static void show_target_loadings(cairn_report *out, const problem *f, const components *c,
                                 const pls_history *history, const char *last)
{
    size_t n = history->n < SHOWN_TERMS ? history->n : SHOWN_TERMS;
    cairn_report_table_of(out, "Loadings of the targets", 0, "l", "target");
    for (size_t a = 0; a < n; a++) {
        char head[32];
        snprintf(head, sizeof head, "q%zu", a + 1);
        cairn_report_column(out, head, 'r');
    }
    for (size_t k = 0; k < c->m; k++) {
        const char *name = k + 1 < c->m ? f->view.names[c->p + k] : last;
        cairn_report_cell(out, name);
        for (size_t a = 0; a < n; a++)
            cairn_report_cell_number(
                out, c->qs[a * c->m + k] / f->units[c->p + k] / f->x.scale[c->p + k], 6,
                "component%zu.target.%s", a + 1, cairn_term_key(out, name));
    }
    cairn_report_table_end(out);
}

static cairn_status show_steps(cairn_context *ctx, const cairn_job *job, const pls_history *history,
                               const problem *f, const components *c)
{
    cairn_report *out = job->steps;
    const char *const *names;
    CHECK(cairn_term_names(ctx, &names, job->schema));
    cairn_report_step_begin(out, c->m > 1
                                     ? "Components: what of the features goes with the targets"
                                     : "Components: what of the features goes with the target");
    if (c->m > 1)
        cairn_report_formula(out, "S = XᵀY (means taken out);  w the first left singular vector of "
                                  "S;  r = w − Σ r (p·w) over those before, of |X r| = 1;  t = X "
                                  "r;  p = Xᵀt;  q = Yᵀt;  S ← S − p qᵀ");
    else
        cairn_report_formula(out, "s = Xᵀy (means taken out);  t = X r, r = s / |X s|;  p = Xᵀt;  "
                                  "q = yᵀt;  s ← s − v (v·s), v = p without the earlier ones");
    if (history->n) {
        show_vectors(out, history, job, names, false);
        show_vectors(out, history, job, names, true);
        if (c->m > 1) show_target_loadings(out, f, c, history, f->view.target_name);
    }
    cairn_report_step_end(out);
    cairn_report_step_begin(out, "The number of components");
    show_path(out, history, job->params);
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
    show_path(out, history, job->params);
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

enum {
    ACCEPTS = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_WEIGHTS | CAIRN_ACCEPTS_BAGS |
              CAIRN_ACCEPTS_NO_FEATURES | CAIRN_WANTS_REFERENCE | CAIRN_WANTS_SCALING
};

static unsigned pls_accepts(const void *params)
{
    const pls_params *p = params;
    return p->together ? ACCEPTS | CAIRN_ACCEPTS_TARGETS : ACCEPTS;
}

const cairn_learner cairn_pls = {
    .entry =
        {
            .kind = CAIRN_ENTRY_LEARNER,
            .name = "pls",
            .also = "partial least squares, projection to latent structures, PLS regression, "
                    "SIMPLS, NIPALS, PLSRegression, PLS2 (together=yes), PLS1",
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
    .accepts = ACCEPTS,
    .accepts_with = pls_accepts,
    .answers_one = true,
    .claims = CAIRN_CLAIM_COLUMN_ORDER,
    .traits = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_GEOMETRIC | CAIRN_GRADING,
    .history = &pls_story,
    .fit = pls_fit,
    .describe = pls_describe,
    CAIRN_WEIGHTS_RECORD,
    .tables = cairn_weights_tables,
};
