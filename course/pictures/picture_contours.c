/* SPDX-License-Identifier: MIT */
/* cairn draw contours: lines of equal value in the plane. Of Gaussians, typed or those of the
 * classes of a table, these are ellipses around the means, and the boundary lies where the largest
 * two of prior times density are equal: a line when the classes share one covariance, else a
 * quadratic curve. Of a typed function of x and y any levels are traced on a grid. */
#include "pictures/picture.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "draw/contour.h"
#include "entry/probabilities.h"
#include "typed/typed_functions.h"
#include "typed/plane_gaussian.h"
#include "typed/shown.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { OWN_COVARIANCE, SHARED_COVARIANCE, DIAGONAL_COVARIANCE, ROUND_COVARIANCE };
enum { CELLS = 200, ROUND = 180, MOST_GAUSSIANS = 20, MOST_LEVELS = 30 };

typedef struct contours_params {
    const char *gaussian, *x, *y, *colour, *prior, *levels, *function;
    double low, high, y_low, y_high;
    int covariance;
    bool boundary, points;
} contours_params;

static const cairn_choice covariances[] = {
    {"own", OWN_COVARIANCE, "each class its own: the boundary is quadratic"},
    {"shared", SHARED_COVARIANCE, "one for all classes: the boundary is a line"},
    {"pooled", SHARED_COVARIANCE, "the same as shared"},
    {"diagonal", DIAGONAL_COVARIANCE, "each its own variances, without correlation"},
    {"round", ROUND_COVARIANCE, "one variance for all classes and directions"},
    {NULL, 0, NULL}};

static const cairn_param contours_table[] = {
    {.name = "gaussian",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(contours_params, gaussian),
     .help = "a Gaussian: mean of x, mean of y, sd of x, sd of y and correlation, such as "
             "0,0,1,1,0.8",
     .when = "!function",
     .often = true,
     .repeated = true},
    {.name = "function",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(contours_params, function),
     .help = "an expression of x and y in place of Gaussians, such as 'x^2 + x*y + y^2'",
     .often = true},
    CAIRN_PARAM_AS(contours_params, x, CAIRN_TYPE_COLUMNS, NULL,
                   "with data: column along the horizontal axis; the first number column if not "
                   "given",
                   .when = "!gaussian,!function"),
    CAIRN_PARAM_AS(contours_params, y, CAIRN_TYPE_COLUMNS, NULL,
                   "with data: column along the vertical axis; the second number column if not "
                   "given",
                   .when = "!gaussian,!function"),
    CAIRN_PARAM_AS(contours_params, colour, CAIRN_TYPE_COLUMNS, NULL,
                   "with data: level column with the classes, or none; the target if not given",
                   .when = "!gaussian,!function"),
    CAIRN_PARAM_CHOICE(contours_params, covariance, "own", covariances,
                       "with data: the covariances of the classes", .when = "!gaussian,!function"),
    CAIRN_PARAM(contours_params, points, "yes", NULL, "with data: draw the rows",
                .when = "!gaussian,!function"),
    CAIRN_PARAM_AS(contours_params, prior, CAIRN_TYPE_LIST, NULL,
                   "probabilities of the Gaussians; equal when typed, else the shares of the rows",
                   .when = "!function", .was = "priors"),
    CAIRN_PARAM(contours_params, boundary, "yes", NULL, "draw where the classes meet",
                .when = "!function"),
    CAIRN_PARAM_AS(contours_params, levels, CAIRN_TYPE_LIST, NULL,
                   "of Gaussians: Mahalanobis distances of the ellipses, 1 and 2 if not given; of "
                   "a function: its values, eight over its range if not given"),
    CAIRN_PARAM(contours_params, low, CAIRN_NOT_GIVEN, NULL,
                "left end; from what is drawn if not given"),
    CAIRN_PARAM(contours_params, high, CAIRN_NOT_GIVEN, NULL, "right end"),
    CAIRN_PARAM(contours_params, y_low, CAIRN_NOT_GIVEN, NULL, "lower end"),
    CAIRN_PARAM(contours_params, y_high, CAIRN_NOT_GIVEN, NULL, "upper end"),
    CAIRN_PARAM_END,
};

typedef struct gaussian {
    const char *name;
    cairn_plane_gaussian is;
    double weight, prior;
} gaussian;

typedef struct plane {
    cairn_context *ctx;
    const contours_params *p;
    gaussian list[MOST_GAUSSIANS];
    size_t n;
    double *levels;
    size_t n_levels;
    double low[2], high[2]; /* of the axes */
} plane;

/* -- Gaussians -- */

static cairn_status read_gaussians(plane *s)
{
    const char *const *lines;
    CHECK(cairn_list_lines(s->ctx, s->p->gaussian, &lines));
    for (size_t i = 0; lines[i]; i++) {
        char *name;
        if (s->n == MOST_GAUSSIANS)
            return cairn_fail(s->ctx, CAIRN_USAGE, "{gaussian}: at most %d are drawn",
                              MOST_GAUSSIANS);
        gaussian *g = &s->list[s->n++];
        CHECK(SCRATCH(s->ctx, &name, 32));
        snprintf(name, 32, "Gaussian %zu", i + 1);
        *g = (gaussian){.name = name, .weight = 1};
        CHECK(cairn_plane_gaussian_read(s->ctx, &g->is, lines[i]));
    }
    return CAIRN_OK;
}

/* The rows that are drawn and counted: two numbers, a class and a weight. */
typedef struct class_rows {
    const double *x, *y, *weights;
    cairn_groups groups;
    size_t n;
} class_rows;

static bool counts(const class_rows *r, size_t i, size_t group)
{
    size_t own = r->groups.codes ? (size_t)(uint32_t)r->groups.codes[i] : 0;
    return own == group && isfinite(r->x[i]) && isfinite(r->y[i]) &&
           !(r->weights && !(r->weights[i] > 0));
}

/* Mean and covariance (by the sum of the weights) of the rows of one class, in two passes. */
static void measure_class(gaussian *g, const class_rows *r, size_t group)
{
    for (int pass = 0; pass < 2; pass++) {
        double total = 0, sums[5] = {0};
        for (size_t i = 0; i < r->n; i++) {
            if (!counts(r, i, group)) continue;
            double w = r->weights ? r->weights[i] : 1, dx = r->x[i] - g->is.x,
                   dy = r->y[i] - g->is.y;
            total += w;
            sums[0] += w * r->x[i], sums[1] += w * r->y[i];
            sums[2] += w * dx * dx, sums[3] += w * dx * dy, sums[4] += w * dy * dy;
        }
        g->weight = total;
        if (!(total > 0)) return;
        if (pass == 0)
            g->is.x = sums[0] / total, g->is.y = sums[1] / total;
        else
            g->is.xx = sums[2] / total, g->is.xy = sums[3] / total, g->is.yy = sums[4] / total;
    }
}

/* The Gaussian of each class that has rows; classes without are left out, but keep their colour by
 * the place in the list. */
static cairn_status fit_gaussians(plane *s, const class_rows *r)
{
    bool any = false;
    s->n = r->groups.n ? r->groups.n : 1;
    if (s->n > MOST_GAUSSIANS)
        return cairn_fail(s->ctx, CAIRN_BAD_DATA,
                          "%zu classes are too many to tell apart; {colour} names a column with at "
                          "most %d levels",
                          s->n, MOST_GAUSSIANS);
    for (size_t k = 0; k < s->n; k++) {
        s->list[k] = (gaussian){.name = r->groups.n ? r->groups.names[k] : "all rows"};
        measure_class(&s->list[k], r, k);
    }
    /* Put what the choice of covariance says in the place of the covariance of each class. */
    double total = 0, xx = 0, xy = 0, yy = 0;
    for (size_t k = 0; k < s->n; k++) {
        gaussian *g = &s->list[k];
        if (s->p->covariance == DIAGONAL_COVARIANCE) g->is.xy = 0;
        total += g->weight;
        xx += g->weight * g->is.xx, xy += g->weight * g->is.xy, yy += g->weight * g->is.yy;
    }
    for (size_t k = 0; k < s->n; k++) {
        gaussian *g = &s->list[k];
        if (s->p->covariance == SHARED_COVARIANCE)
            g->is.xx = xx / total, g->is.xy = xy / total, g->is.yy = yy / total;
        if (s->p->covariance == ROUND_COVARIANCE)
            g->is.xy = 0, g->is.xx = g->is.yy = (xx + yy) / (2 * total);
    }
    for (size_t k = 0; k < s->n; k++) {
        const gaussian *g = &s->list[k];
        double rest = g->is.xx * g->is.yy - g->is.xy * g->is.xy;
        any |= g->weight > 0;
        if (g->weight > 0 && !isfinite(rest))
            return cairn_fail(
                s->ctx, CAIRN_BAD_DATA,
                "the numbers of '%s' are too large for sums of their squares; rescale "
                "the columns",
                g->name);
        if (g->weight > 0 && !(rest > 1e-12 * g->is.xx * g->is.yy))
            return cairn_fail(s->ctx, CAIRN_BAD_DATA,
                              "the rows of '%s' lie on a line or on a point, so that they have no "
                              "ellipse; {covariance shared} takes one of all classes",
                              g->name);
    }
    if (any) return CAIRN_OK;
    return cairn_fail(s->ctx, CAIRN_BAD_DATA, "no row has a class and both numbers");
}

/* Priors as given, or else the weights of the Gaussians; they are divided by their sum. */
static cairn_status set_priors(plane *s)
{
    double *priors = NULL, total = 0;
    size_t n;
    if (s->p->prior) {
        CHECK(cairn_list_numbers(s->ctx, cairn_say(s->ctx, "{prior}"), s->p->prior, &priors, &n));
        if (n != s->n)
            return cairn_fail(s->ctx, CAIRN_USAGE, "{prior}: %zu numbers for %zu Gaussians", n,
                              s->n);
        CHECK(cairn_check_probabilities(s->ctx, "prior", priors, n));
    }
    for (size_t k = 0; k < s->n; k++) {
        s->list[k].prior = priors ? priors[k] : s->list[k].weight;
        total += s->list[k].prior;
        if (!(s->list[k].prior >= 0) || !isfinite(total) || (priors && priors[k] == 0))
            return cairn_fail(s->ctx, CAIRN_USAGE, "{prior}: positive numbers are needed");
    }
    for (size_t k = 0; k < s->n; k++) s->list[k].prior /= total;
    return CAIRN_OK;
}

/* log(prior times density) */
static double log_score(const gaussian *g, double x, double y)
{
    return cairn_log(g->prior) + cairn_plane_gaussian_log_density(&g->is, x, y);
}

/* -- the plane -- */

static void widen(plane *s, double x, double y)
{
    s->low[0] = fmin(s->low[0], x), s->high[0] = fmax(s->high[0], x);
    s->low[1] = fmin(s->low[1], y), s->high[1] = fmax(s->high[1], y);
}

/* The ends that were given in the place of those that were found, with a margin. */
static cairn_status set_ends(plane *s)
{
    const double given_low[2] = {s->p->low, s->p->y_low};
    const double given_high[2] = {s->p->high, s->p->y_high};
    for (int axis = 0; axis < 2; axis++) {
        double pad = 0.06 * (s->high[axis] - s->low[axis]);
        s->low[axis] = isnan(given_low[axis]) ? s->low[axis] - pad : given_low[axis];
        s->high[axis] = isnan(given_high[axis]) ? s->high[axis] + pad : given_high[axis];
    }
    return cairn_check_ends(s->ctx, s->low, s->high);
}

static cairn_contour_grid grid_of(const plane *s, const double *values)
{
    return (cairn_contour_grid){values,
                                CELLS + 1,
                                CELLS + 1,
                                s->low[0],
                                s->low[1],
                                (s->high[0] - s->low[0]) / CELLS,
                                (s->high[1] - s->low[1]) / CELLS};
}

static cairn_status set_levels(plane *s, const char *fallback)
{
    const char *wanted = s->p->levels ? s->p->levels : fallback;
    CHECK(cairn_list_numbers(s->ctx, cairn_say(s->ctx, "{levels}"), wanted, &s->levels,
                             &s->n_levels));
    if (s->n_levels > MOST_LEVELS)
        return cairn_fail(s->ctx, CAIRN_USAGE, "{levels}: at most %d", MOST_LEVELS);
    return CAIRN_OK;
}

/* -- drawing Gaussians -- */

/* One ellipse for each level of each Gaussian, levels being Mahalanobis distances; Gaussians of
 * no weight have none. */
static cairn_status draw_ellipses(plane *s, cairn_figure *figure)
{
    double x[ROUND + 1], y[ROUND + 1];
    for (size_t k = 0; k < s->n; k++)
        for (size_t l = s->n_levels; l-- > 0;) {
            if (!(s->levels[l] > 0) || !isfinite(s->levels[l]))
                return cairn_fail(s->ctx, CAIRN_USAGE, "{levels}: a distance is positive");
            if (!(s->list[k].weight > 0)) continue;
            /* The ellipse at Mahalanobis distance `radius`: a circle under the Cholesky factor. */
            const cairn_plane_gaussian *g = &s->list[k].is;
            double radius = s->levels[l];
            double a = sqrt(g->xx), b = g->xy / a, c = sqrt(g->yy - b * b);
            for (int i = 0; i <= ROUND; i++) {
                double turn = 2 * 3.14159265358979323846 * i / ROUND;
                double u = radius * cairn_cos(turn), v = radius * cairn_sin(turn);
                x[i] = g->x + a * u;
                y[i] = g->y + b * u + c * v;
            }
            for (int i = 0; i <= ROUND; i++) widen(s, x[i], y[i]);
            cairn_figure_shape(figure, (int32_t)k, x, y, ROUND);
        }
    return CAIRN_OK;
}

/* Where Gaussians a and b share the largest score: the difference of both on the grid, missing
 * where a third is larger. */
static void compare_pair(const plane *s, double *values, size_t a, size_t b)
{
    for (size_t j = 0; j <= CELLS; j++)
        for (size_t i = 0; i <= CELLS; i++) {
            double x = s->low[0] + (s->high[0] - s->low[0]) * (double)i / CELLS;
            double y = s->low[1] + (s->high[1] - s->low[1]) * (double)j / CELLS;
            double first = log_score(&s->list[a], x, y), second = log_score(&s->list[b], x, y);
            double value = first - second;
            for (size_t k = 0; k < s->n; k++)
                if (k != a && k != b && s->list[k].weight > 0 &&
                    log_score(&s->list[k], x, y) > fmax(first, second))
                    value = NAN;
            values[j * (CELLS + 1) + i] = value;
        }
}

static cairn_status draw_boundaries(const plane *s, cairn_figure *figure)
{
    double *values, zero = 0;
    cairn_contour all = {0}, one;
    CHECK(SCRATCH_RAW(s->ctx, &values, (size_t)(CELLS + 1) * (CELLS + 1)));
    for (size_t a = 0; a < s->n; a++)
        for (size_t b = a + 1; b < s->n; b++) {
            if (!(s->list[a].weight > 0) || !(s->list[b].weight > 0)) continue;
            compare_pair(s, values, a, b);
            cairn_contour_grid grid = grid_of(s, values);
            CHECK(cairn_contour_trace(s->ctx, &one, &grid, zero));
            CHECK(cairn_contour_join(s->ctx, &all, &one));
        }
    if (all.n) cairn_figure_dark(figure, "boundary", all.x, all.y, all.n);
    return CAIRN_OK;
}

static void draw_means(const plane *s, cairn_figure *figure, bool typed)
{
    double x[MOST_GAUSSIANS], y[MOST_GAUSSIANS];
    const char *names[MOST_GAUSSIANS];
    int32_t group[MOST_GAUSSIANS];
    bool seen = false;
    for (size_t k = 0; k < s->n; k++) {
        x[k] = s->list[k].is.x;
        y[k] = s->list[k].is.y;
        names[k] = s->list[k].name;
        group[k] = (int32_t)k;
        if (typed || !(s->list[k].weight > 0)) continue;
        cairn_figure_mark(figure, seen ? NULL : "mean", x[k], y[k]);
        seen = true;
    }
    if (typed) cairn_figure_points(figure, x, y, group, s->n, names, s->n);
}

static cairn_status read_rows(plane *s, class_rows *out, const cairn_table *table, size_t at[2])
{
    const contours_params *p = s->p;
    cairn_view view;
    CHECK(cairn_picture_pair(s->ctx, at, table, p->x, p->y));
    CHECK(cairn_picture_groups(s->ctx, &out->groups, table, p->colour));
    CHECK(cairn_view_make(s->ctx, &view, table, cairn_all_rows(table)));
    out->x = cairn_table_numbers(table, at[0]);
    out->y = cairn_table_numbers(table, at[1]);
    out->weights = view.row_weights;
    out->n = table->n_rows;
    return CAIRN_OK;
}

/* Ellipses first, since the boundary is traced over the range that they and the rows take. */
static cairn_status draw_gaussians(plane *s, cairn_figure **out, const cairn_table *table)
{
    class_rows rows = {0};
    size_t at[2] = {0, 0};
    if (table) CHECK(read_rows(s, &rows, table, at));
    CHECK(table ? fit_gaussians(s, &rows) : read_gaussians(s));
    CHECK(set_priors(s));
    CHECK(set_levels(s, "1,2"));
    CHECK(cairn_figure_new(s->ctx, out, "contours", table ? table->source : "Gaussians"));
    cairn_figure_axes(*out, table ? table->slots[at[0]].name : "x",
                      table ? table->slots[at[1]].name : "y");
    if (!table) cairn_figure_equal_axes(*out);
    CHECK(draw_ellipses(s, *out));
    if (table && s->p->points)
        cairn_figure_points(*out, rows.x, rows.y, rows.groups.codes, rows.n, rows.groups.names,
                            rows.groups.n);
    for (size_t i = 0; table && s->p->points && i < rows.n; i++)
        if (isfinite(rows.x[i]) && isfinite(rows.y[i])) widen(s, rows.x[i], rows.y[i]);
    draw_means(s, *out, !table || !s->p->points);
    CHECK(set_ends(s));
    if (s->p->boundary && s->n > 1) CHECK(draw_boundaries(s, *out));
    return CAIRN_OK;
}

/* -- drawing a function -- */

static cairn_status sample_function(plane *s, double **out)
{
    static const char *const names[] = {"x", "y"};
    size_t n = (size_t)(CELLS + 1) * (CELLS + 1);
    double *x, *y;
    CHECK(SCRATCH_RAW_EACH(s->ctx, n, out, &x, &y));
    for (size_t k = 0; k < n; k++) {
        size_t across = k % (CELLS + 1), up = k / (CELLS + 1);
        x[k] = s->low[0] + (s->high[0] - s->low[0]) * (double)across / CELLS;
        y[k] = s->low[1] + (s->high[1] - s->low[1]) * (double)up / CELLS;
    }
    const double *columns[] = {x, y};
    return cairn_function_values(s->ctx, *out, s->p->function,
                                 &(cairn_variables){names, columns, 2, n}, "function");
}

/* Eight levels over what is seen of the function, if none are given. */
static cairn_status choose_levels(plane *s, const double *values)
{
    enum { LINES = 8 };
    double low = INFINITY, high = -INFINITY;
    if (s->p->levels) return set_levels(s, NULL);
    for (size_t k = 0; k < (size_t)(CELLS + 1) * (CELLS + 1); k++) {
        if (!isfinite(values[k])) continue;
        low = fmin(low, values[k]), high = fmax(high, values[k]);
    }
    if (!(low < high))
        return cairn_fail(s->ctx, CAIRN_USAGE,
                          "'%s' has one value or none on these axes, so there are no lines",
                          s->p->function);
    CHECK(SCRATCH(s->ctx, &s->levels, LINES));
    s->n_levels = LINES;
    cairn_contour_levels(s->levels, LINES, low, high);
    return CAIRN_OK;
}

/* Contours of a typed function, on the square from -2 to 2 unless other ends are given. */
static cairn_status draw_function(plane *s, cairn_figure **out)
{
    double *values;
    s->low[0] = s->low[1] = -2;
    s->high[0] = s->high[1] = 2;
    CHECK(set_ends(s));
    CHECK(sample_function(s, &values));
    CHECK(choose_levels(s, values));
    CHECK(cairn_figure_new(s->ctx, out, "contours", s->p->function));
    cairn_figure_axes(*out, "x", "y");
    cairn_figure_x_range(*out, s->low[0], s->high[0]);
    cairn_figure_y_range(*out, s->low[1], s->high[1]);
    cairn_contour_grid grid = grid_of(s, values);
    for (size_t l = 0; l < s->n_levels; l++) {
        char label[CAIRN_NUMBER_SIZE];
        cairn_number_format(label, s->levels[l], 4);
        CHECK(cairn_contour_add(s->ctx, *out, label, &grid, &s->levels[l], 1));
    }
    return CAIRN_OK;
}

/* A model of normal classes draws itself: ellipses of two columns, curves of one. */
static cairn_status draw_model(cairn_context *ctx, cairn_figure **out, const cairn_model *model)
{
    CHECK(cairn_model_draw(ctx, out, model, "contours", NULL, 0));
    if (*out) return CAIRN_OK;
    return cairn_picture_of_model(ctx, out, model, "densities",
                                  "densities of one or two number columns");
}

static cairn_status contours_draw(cairn_context *ctx, cairn_figure **out,
                                  const cairn_compute_job *job)
{
    const contours_params *p = job->params;
    if (job->model && (job->table || p->gaussian || p->function))
        return cairn_fail(ctx, CAIRN_USAGE, "either a model, or data, or typed, not several");
    if (job->model) return draw_model(ctx, out, job->model);
    plane s = {.ctx = ctx, .p = p, .low = {INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY}};
    if (job->table && (p->gaussian || p->function))
        return cairn_fail(ctx, CAIRN_USAGE, "either data or typed, not both");
    if (!job->table && !p->gaussian && !p->function)
        return cairn_fail(
            ctx, CAIRN_USAGE,
            "nothing to draw: name a table or a model, or type a {gaussian} or a {function}");
    return p->function ? draw_function(&s, out) : draw_gaussians(&s, out, job->table);
}

const cairn_calculator cairn_picture_contours = {
    .picture =
        {.kind = CAIRN_ENTRY_PICTURE,
         .name = "contours",
         .also = "Gaussian contours, covariance ellipse, Mahalanobis ellipse, level curves, "
                 "quadratic boundary, discriminant curve",
         .title = "Lines of equal value in the plane",
         .summary =
             "The classes of a table (or typed Gaussians) as ellipses of equal density at given "
             "Mahalanobis distances, with the boundary between them: a line when they share one "
             "covariance (--covariance shared), else a quadratic curve. Likewise of a model of the "
             "learner gaussian, of one column as curves with all thresholds. Or the lines on which "
             "a typed function of x and y has given values.",
         .references = "Flach, Machine Learning, Cambridge University Press 2012",
         .example = "cairn draw contours @iris --x petal_length --y petal_width --out ellipses.svg",
         .params = contours_table,
         .params_size = sizeof(contours_params)},
    .arguments = "[MODEL | DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_ROLES,
    .takes_model = true,
    .draw = contours_draw,
};
