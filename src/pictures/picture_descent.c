/* SPDX-License-Identifier: MIT */
/* cairn draw descent: gradient descent x(t+1) = x(t) - rate(t) f'(x(t)) on a typed function of x,
 * or of x and y, from one start or several: on the curve, on contour lines, or on the surface. Each
 * learning rate is a panel, so that a step too long stands beside a good one. Derivatives are
 * central differences. A path ends where it leaves the numbers or a hundred spans of the axes. */
#include "pictures/scene.h"
#include "pictures/picture.h"

#include "base/memory.h"
#include "base/number.h"
#include "draw/contour.h"
#include "typed/typed_functions.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { RATE_CONSTANT, RATE_DECREASING };
enum { VIEW_FLAT, VIEW_SURFACE };
enum { CURVE = 400, CELLS = 120, FACES = 26, MOST_STEPS = 1000, MOST_STARTS = 8, MOST_RATES = 8 };

typedef struct descent_params {
    const char *function, *start, *rate;
    double low, high, y_low, y_high, turn, tilt;
    int64_t steps;
    int schedule, view;
    bool gradient;
} descent_params;

static const cairn_choice schedules[] = {
    {"constant", RATE_CONSTANT, "the same in every step"},
    {"decreasing", RATE_DECREASING, "divided by the number of the step"},
    {NULL, 0, NULL}};

static const cairn_choice views[] = {
    {"flat", VIEW_FLAT, "the curve of a function of x, contour lines of one of x and y"},
    {"surface", VIEW_SURFACE, "a function of x and y in space"},
    {NULL, 0, NULL}};

static const cairn_param descent_table[] = {
    CAIRN_PARAM(descent_params, function, "x^2", NULL,
                "what is minimised: an expression of x, or of x and y", .often = true),
    {.name = "start",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(descent_params, start),
     .help = "where a path begins: x, or x,y; five sixths of the way to the ends if not given",
     .often = true,
     .repeated = true},
    CAIRN_PARAM_AS(descent_params, rate, CAIRN_TYPE_LIST, "0.1",
                   "learning rates, separated by commas: a panel each", .often = true),
    CAIRN_PARAM_CHOICE(descent_params, schedule, "constant", schedules, "how the rate goes on"),
    CAIRN_PARAM(descent_params, steps, "20", "[1,1000]", "steps of a path"),
    CAIRN_PARAM(descent_params, gradient, "no", NULL,
                "draw the direction of the first step: against the gradient"),
    CAIRN_PARAM_CHOICE(descent_params, view, "flat", views, "how a function of x and y is seen"),
    CAIRN_PARAM(descent_params, low, "-3", NULL, "where x begins"),
    CAIRN_PARAM(descent_params, high, "3", NULL, "where x ends"),
    CAIRN_PARAM(descent_params, y_low, CAIRN_NOT_GIVEN, NULL, "where y begins; as x if not given"),
    CAIRN_PARAM(descent_params, y_high, CAIRN_NOT_GIVEN, NULL, "where y ends; as x if not given"),
    CAIRN_PARAM(descent_params, turn, "-35", "[-360,360]", "degrees about the upright axis",
                .when = "view=surface"),
    CAIRN_PARAM(descent_params, tilt, "58", "[0,90]", "degrees from the side (0) to above (90)",
                .when = "view=surface"),
    CAIRN_PARAM_END,
};

/* One path: n points, the start first. */
typedef struct path {
    char name[60];
    double *x, *y, *f;
    size_t n;
} path;

typedef struct descent {
    cairn_context *ctx;
    const descent_params *p;
    size_t d; /* variables */
    double low[2], high[2];
    double starts[MOST_STARTS][2];
    size_t n_starts;
} descent;

/* -- the function -- */

/* Values at n places; y counts with two variables only. */
static cairn_status values(const descent *s, double *out, const double *x, const double *y,
                           size_t n)
{
    static const char *const names[] = {"x", "y"};
    const double *columns[] = {x, y};
    return cairn_function_values(s->ctx, out, s->p->function,
                                 &(cairn_variables){names, columns, s->d, n}, "function");
}

/* One variable where x alone gives a value, else two, about which the message speaks. */
static cairn_status count_variables(descent *s)
{
    double at = (s->low[0] + s->high[0]) / 2, value;
    s->d = 1;
    cairn_status status = values(s, &value, &at, &at, 1);
    if (status != CAIRN_USAGE) return status;
    s->d = 2;
    return values(s, &value, &at, &at, 1);
}

/* The value and the gradient at a place. */
static cairn_status slope(const descent *s, const double at[2], double *value, double gradient[2])
{
    double x[5], y[5], f[5], h[2];
    for (int k = 0; k < 2; k++) h[k] = 6e-6 * fmax(1, fabs(at[k]));
    for (int i = 0; i < 5; i++) {
        x[i] = at[0] + (i == 1 ? h[0] : i == 2 ? -h[0] : 0);
        y[i] = at[1] + (i == 3 ? h[1] : i == 4 ? -h[1] : 0);
    }
    CHECK(values(s, f, x, y, 5));
    *value = f[0];
    gradient[0] = (f[1] - f[2]) / (2 * h[0]);
    gradient[1] = s->d > 1 ? (f[3] - f[4]) / (2 * h[1]) : 0;
    return CAIRN_OK;
}

/* -- the paths -- */

static cairn_status descend(const descent *s, path *out, const double start[2], double rate)
{
    double at[2] = {start[0], start[1]}, gradient[2], value;
    size_t most = (size_t)s->p->steps + 1;
    CHECK(SCRATCH(s->ctx, &out->x, most));
    CHECK(SCRATCH(s->ctx, &out->y, most));
    CHECK(SCRATCH(s->ctx, &out->f, most));
    for (out->n = 0; out->n < most; out->n++) {
        CHECK(slope(s, at, &value, gradient));
        if (!isfinite(value) || !isfinite(gradient[0] + gradient[1])) break;
        out->x[out->n] = at[0];
        out->y[out->n] = at[1];
        out->f[out->n] = value;
        double step = s->p->schedule == RATE_CONSTANT ? rate : rate / (double)(out->n + 1);
        bool far = false;
        for (int k = 0; k < 2; k++) {
            at[k] -= step * gradient[k];
            far |= fabs(at[k] - s->low[k]) > 100 * (s->high[k] - s->low[k]);
        }
        if (far) return ++out->n, CAIRN_OK;
    }
    if (out->n) return CAIRN_OK;
    return cairn_fail(s->ctx, CAIRN_USAGE, "{start}: '%s' has no slope where the path %s begins",
                      s->p->function, out->name);
}

static cairn_status read_starts(descent *s)
{
    const char *const *lines;
    CHECK(cairn_list_lines(s->ctx, s->p->start, &lines));
    for (size_t i = 0; lines[i]; i++) {
        double *numbers;
        size_t n;
        CHECK(cairn_list_numbers(s->ctx, "start", lines[i], &numbers, &n));
        if (n != s->d || !isfinite(numbers[0]) || !isfinite(numbers[n - 1]))
            return cairn_fail(s->ctx, CAIRN_USAGE, "{start %s}: %zu number%s needed for '%s'",
                              lines[i], s->d, s->d == 1 ? " is" : "s are", s->p->function);
        if (s->n_starts == MOST_STARTS)
            return cairn_fail(s->ctx, CAIRN_USAGE, "{start}: at most %d paths", MOST_STARTS);
        s->starts[s->n_starts][0] = numbers[0];
        s->starts[s->n_starts++][1] = numbers[n - 1];
    }
    if (s->n_starts) return CAIRN_OK;
    for (int k = 0; k < 2; k++) s->starts[0][k] = s->low[k] + (s->high[k] - s->low[k]) / 12;
    s->n_starts = 1;
    return CAIRN_OK;
}

static void name_path(const descent *s, path *out, const double *start)
{
    char x[CAIRN_NUMBER_SIZE], y[CAIRN_NUMBER_SIZE];
    cairn_number_format(x, start[0], 4);
    cairn_number_format(y, start[1], 4);
    snprintf(out->name, sizeof out->name, "from %.20s%s%.20s", x, s->d > 1 ? "," : "",
             s->d > 1 ? y : "");
}

/* -- drawing -- */

/* The path as an arrow, and where its first step points; only one panel names them. */
static void draw_path(const descent *s, cairn_figure *figure, const path *p, const double *heights,
                      bool legend)
{
    if (p->n > 1) cairn_figure_arrow(figure, legend ? p->name : NULL, p->x, heights, p->n);
    cairn_figure_mark(figure, legend ? "start" : NULL, p->x[0], heights[0]);
    if (!s->p->gradient || p->n < 2) return;
    const double share = 0.18; /* of the span, in the direction of the first step */
    double dx = (p->x[1] - p->x[0]) / (s->high[0] - s->low[0]);
    double dy = s->d > 1 ? (p->y[1] - p->y[0]) / (s->high[1] - s->low[1]) : 0;
    double length = sqrt(dx * dx + dy * dy);
    if (!(length > 0)) return;
    double x[2] = {p->x[0], p->x[0] + share * dx / length * (s->high[0] - s->low[0])};
    double y[2] = {heights[0], heights[0] + share * dy / length * (s->high[1] - s->low[1])};
    cairn_figure_arrow(figure, legend ? "against the gradient" : NULL, x, y, 2);
}

static cairn_status draw_curve(const descent *s, cairn_figure *figure, bool legend)
{
    double x[CURVE + 1], f[CURVE + 1];
    for (int i = 0; i <= CURVE; i++)
        x[i] = s->low[0] + (s->high[0] - s->low[0]) * (double)i / CURVE;
    CHECK(values(s, f, x, x, CURVE + 1));
    cairn_figure_axes(figure, "x", "f(x)");
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i <= CURVE; i++)
        if (isfinite(f[i])) low = fmin(low, f[i]), high = fmax(high, f[i]);
    if (low < high) cairn_figure_y_range(figure, low - 0.05 * (high - low), high);
    cairn_figure_line(figure, legend ? "f" : NULL, x, f, CURVE + 1);
    return CAIRN_OK;
}

/* Values over a grid of n + 1 places along each side. */
static cairn_status sample(const descent *s, size_t n, double **x, double **y, double **f)
{
    size_t side = n + 1;
    CHECK(SCRATCH_RAW(s->ctx, x, side * side));
    CHECK(SCRATCH_RAW(s->ctx, y, side * side));
    CHECK(SCRATCH_RAW(s->ctx, f, side * side));
    for (size_t k = 0; k < side * side; k++) {
        size_t across = k % side, up = k / side;
        (*x)[k] = s->low[0] + (s->high[0] - s->low[0]) * (double)across / (double)n;
        (*y)[k] = s->low[1] + (s->high[1] - s->low[1]) * (double)up / (double)n;
    }
    return values(s, *f, *x, *y, side * side);
}

/* Contour lines of the function, denser where the path goes. */
static cairn_status draw_lines(const descent *s, cairn_figure *figure)
{
    enum { LINES = 12 };
    double *x, *y, *f, levels[LINES], low = INFINITY, high = -INFINITY;
    CHECK(sample(s, CELLS, &x, &y, &f));
    for (size_t k = 0; k < (size_t)(CELLS + 1) * (CELLS + 1); k++)
        if (isfinite(f[k])) low = fmin(low, f[k]), high = fmax(high, f[k]);
    cairn_contour_levels(levels, LINES, low, high);
    cairn_contour_grid grid = {f,
                               CELLS + 1,
                               CELLS + 1,
                               s->low[0],
                               s->low[1],
                               (s->high[0] - s->low[0]) / CELLS,
                               (s->high[1] - s->low[1]) / CELLS};
    cairn_figure_axes(figure, "x", "y");
    cairn_figure_y_range(figure, s->low[1], s->high[1]);
    return low < high ? cairn_contour_add(s->ctx, figure, NULL, &grid, levels, LINES) : CAIRN_OK;
}

static cairn_status add_faces(const descent *s, cairn_scene *scene)
{
    double *x, *y, *f;
    size_t side = FACES + 1;
    CHECK(sample(s, FACES, &x, &y, &f));
    for (size_t k = 0; k < side * side; k++)
        cairn_scene_include(scene, (double[]){x[k], y[k], f[k]});
    if (!(scene->low[2] < scene->high[2])) scene->low[2] = 0, scene->high[2] = 1;
    return cairn_scene_surface(s->ctx, scene, x, y, f, side);
}

static bool is_shown(const descent *s, const path *p, size_t i)
{
    return p->x[i] >= s->low[0] && p->x[i] <= s->high[0] && p->y[i] >= s->low[1] &&
           p->y[i] <= s->high[1];
}

/* The steps of a path as lines and dots on the surface, as far as the axes go. */
static cairn_status add_path(const descent *s, cairn_scene *scene, const path *p, int32_t group)
{
    for (size_t i = 0; i < p->n && is_shown(s, p, i); i++) {
        double line[2][3] = {{p->x[i], p->y[i], p->f[i]}};
        CHECK(cairn_scene_add(s->ctx, scene, group, 1, line, 1));
        if (i + 1 == p->n || !is_shown(s, p, i + 1)) break;
        line[1][0] = p->x[i + 1];
        line[1][1] = p->y[i + 1];
        line[1][2] = p->f[i + 1];
        CHECK(cairn_scene_add(s->ctx, scene, group, 1, line, 2));
    }
    return CAIRN_OK;
}

static cairn_status draw_surface(const descent *s, cairn_figure *figure, const path *paths)
{
    SCOPED(cairn_scene_clear)
    cairn_scene scene = {.low = {s->low[0], s->low[1], INFINITY},
                         .high = {s->high[0], s->high[1], -INFINITY},
                         .turn = s->p->turn,
                         .tilt = s->p->tilt,
                         .names = {"x", "y", "f(x, y)"}};
    CHECK(add_faces(s, &scene));
    for (size_t i = 0; i < s->n_starts; i++) CHECK(add_path(s, &scene, &paths[i], (int32_t)i + 1));
    cairn_scene_draw(&scene, figure);
    return CAIRN_OK;
}

/* "rate 0.1: f = 0.013 after 20 steps", of the first path. */
static void write_title(char *out, size_t size, const path *first, double rate)
{
    char r[CAIRN_NUMBER_SIZE], f[CAIRN_NUMBER_SIZE];
    cairn_number_format(r, rate, 4);
    cairn_number_format(f, first->f[first->n - 1], 4);
    snprintf(out, size, "rate %s: f = %s after %zu steps", r, f, first->n - 1);
}

static cairn_status draw_rate(const descent *s, cairn_figure **out, double rate, bool legend)
{
    path *paths;
    char title[160];
    CHECK(SCRATCH(s->ctx, &paths, s->n_starts));
    for (size_t i = 0; i < s->n_starts; i++) {
        name_path(s, &paths[i], s->starts[i]);
        CHECK(descend(s, &paths[i], s->starts[i], rate));
    }
    write_title(title, sizeof title, &paths[0], rate);
    CHECK(cairn_figure_new(s->ctx, out, "descent", title));
    if (s->d > 1 && s->p->view == VIEW_SURFACE) return draw_surface(s, *out, paths);
    cairn_figure_x_range(*out, s->low[0], s->high[0]);
    CHECK(s->d > 1 ? draw_lines(s, *out) : draw_curve(s, *out, legend));
    for (size_t i = 0; i < s->n_starts; i++) {
        cairn_figure_points(*out, paths[i].x, s->d > 1 ? paths[i].y : paths[i].f, NULL, paths[i].n,
                            NULL, 0);
        draw_path(s, *out, &paths[i], s->d > 1 ? paths[i].y : paths[i].f, legend);
    }
    return CAIRN_OK;
}

static cairn_status set_ends(descent *s)
{
    const descent_params *p = s->p;
    s->low[0] = p->low;
    s->high[0] = p->high;
    s->low[1] = isnan(p->y_low) ? p->low : p->y_low;
    s->high[1] = isnan(p->y_high) ? p->high : p->y_high;
    return cairn_picture_ends(s->ctx, s->low, s->high);
}

static cairn_status descent_draw(cairn_context *ctx, cairn_figure **out,
                                 const cairn_compute_job *job)
{
    descent s = {.ctx = ctx, .p = job->params};
    double *rates;
    size_t n;
    CHECK(set_ends(&s));
    CHECK(count_variables(&s));
    CHECK(read_starts(&s));
    CHECK(cairn_list_numbers(ctx, "rate", s.p->rate, &rates, &n));
    for (size_t i = 0; i < n; i++)
        if (!(rates[i] > 0) || !isfinite(rates[i]) || n > MOST_RATES)
            return cairn_fail(ctx, CAIRN_USAGE, "{rate %s}: one to %d positive numbers", s.p->rate,
                              MOST_RATES);
    if (n == 1) return draw_rate(&s, out, rates[0], true);
    CHECK(cairn_figure_new(ctx, out, "descent", s.p->function));
    for (size_t i = 0; i < n; i++) {
        cairn_figure *panel = NULL;
        cairn_status status = draw_rate(&s, &panel, rates[i], i + 1 == n);
        if (panel) cairn_figure_size(panel, 340, 300);
        if (panel) cairn_figure_panel(*out, panel);
        CHECK(status);
    }
    cairn_figure_columns(*out, n == 4 ? 2 : 3);
    return CAIRN_OK;
}

const cairn_calculator cairn_picture_descent = {
    .picture =
        {.kind = CAIRN_ENTRY_PICTURE,
         .name = "descent",
         .also = "gradient descent, steepest descent, error surface, learning rate, local minimum",
         .title = "Gradient descent on a function",
         .summary =
             "The path of gradient descent on a typed function: on the curve of a function of x, "
             "on contour lines or on the surface of a function of x and y. Several starts show "
             "that paths end in different minima, several rates stand side by side, from too "
             "short steps to too long ones.",
         .example = "cairn draw descent --function 'x^4 - 3*x^2 + x' --low -2.2 --high 2.2 "
                    "--start 2 --start -0.1 --rate 0.02",
         .params = descent_table,
         .params_size = sizeof(descent_params)},
    .arguments = "",
    .draw = descent_draw,
};
