/* SPDX-License-Identifier: MIT */
/* Figures of gradient descent. */
#include "compute/networks/descent.h"

#include "base/memory.h"
#include "base/number.h"
#include "draw/contour.h"
#include "plots/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CURVE = 400, CELLS = 120, ROW_CELLS = 40, FACES = 26 };

/* A path as columns, as far as it stays within a hundred spans of the axes. */
typedef struct path {
    const char *name;
    const cairn_descent_path *whole;
    double *x, *y, *f;
    size_t n;
} path;

/* "f(x, y)", or the cost of rows. */
static const char *f_title(const cairn_descent *s, char *out, size_t size)
{
    if (s->n_rows)
        snprintf(out, size, "cost");
    else if (s->d > 2)
        snprintf(out, size, "f");
    else
        snprintf(out, size, "f(%.30s%s%.30s)", s->names[0], s->d > 1 ? ", " : "",
                 s->d > 1 ? s->names[1] : "");
    return out;
}

/* The path as an arrow, and where its first step points; only one panel names them. */
static void draw_path(const cairn_descent *s, cairn_figure *figure, const path *p,
                      const double *heights, bool legend)
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

static cairn_status draw_curve(const cairn_descent *s, cairn_figure *figure, bool legend)
{
    double x[CURVE + 1], f[CURVE + 1];
    const double *const places[] = {x};
    char title[80];
    for (int i = 0; i <= CURVE; i++)
        x[i] = s->low[0] + (s->high[0] - s->low[0]) * (double)i / CURVE;
    CHECK(cairn_descent_values(s, f, places, CURVE + 1));
    cairn_figure_axes(figure, s->names[0], f_title(s, title, sizeof title));
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i <= CURVE; i++)
        if (isfinite(f[i])) low = fmin(low, f[i]), high = fmax(high, f[i]);
    if (low < high) cairn_figure_y_range(figure, low - 0.05 * (high - low), high);
    cairn_figure_line(figure, legend ? "f" : NULL, x, f, CURVE + 1);
    return CAIRN_OK;
}

/* Values over a grid of n + 1 places along each side. */
static cairn_status sample(const cairn_descent *s, size_t n, double **x, double **y, double **f)
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
    const double *const places[] = {*x, *y};
    return cairn_descent_values(s, *f, places, side * side);
}

/* Contour lines of the function, denser where the path goes. */
static cairn_status draw_lines(const cairn_descent *s, cairn_figure *figure)
{
    enum { LINES = 12 };
    double *x, *y, *f, levels[LINES], low = INFINITY, high = -INFINITY;
    size_t cells = s->n_rows ? ROW_CELLS : CELLS;
    CHECK(sample(s, cells, &x, &y, &f));
    for (size_t k = 0; k < (cells + 1) * (cells + 1); k++)
        if (isfinite(f[k])) low = fmin(low, f[k]), high = fmax(high, f[k]);
    cairn_contour_levels(levels, LINES, low, high);
    cairn_contour_grid grid = {f,
                               cells + 1,
                               cells + 1,
                               s->low[0],
                               s->low[1],
                               (s->high[0] - s->low[0]) / (double)cells,
                               (s->high[1] - s->low[1]) / (double)cells};
    cairn_figure_axes(figure, s->names[0], s->names[1]);
    cairn_figure_y_range(figure, s->low[1], s->high[1]);
    return low < high ? cairn_contour_add(s->ctx, figure, NULL, &grid, levels, LINES) : CAIRN_OK;
}

static cairn_status add_faces(const cairn_descent *s, cairn_scene *scene)
{
    double *x, *y, *f;
    size_t side = FACES + 1;
    CHECK(sample(s, FACES, &x, &y, &f));
    for (size_t k = 0; k < side * side; k++)
        cairn_scene_include(scene, (double[]){x[k], y[k], f[k]});
    if (!(scene->low[2] < scene->high[2])) scene->low[2] = 0, scene->high[2] = 1;
    return cairn_scene_surface(s->ctx, scene, x, y, f, side);
}

static bool is_shown(const cairn_descent *s, const path *p, size_t i)
{
    return p->x[i] >= s->low[0] && p->x[i] <= s->high[0] && p->y[i] >= s->low[1] &&
           p->y[i] <= s->high[1];
}

/* The steps of a path as lines and dots on the surface, as far as the axes go. */
static cairn_status add_path(const cairn_descent *s, cairn_scene *scene, const path *p,
                             int32_t group)
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

static cairn_status draw_surface(const cairn_descent *s, cairn_figure *figure, const path *paths)
{
    char title[80];
    SCOPED(cairn_scene_clear)
    cairn_scene scene = {.low = {s->low[0], s->low[1], INFINITY},
                         .high = {s->high[0], s->high[1], -INFINITY},
                         .turn = s->p->turn,
                         .tilt = s->p->tilt,
                         .names = {s->names[0], s->names[1], f_title(s, title, sizeof title)}};
    CHECK(add_faces(s, &scene));
    for (size_t i = 0; i < s->n_starts; i++) CHECK(add_path(s, &scene, &paths[i], (int32_t)i + 1));
    cairn_scene_draw(&scene, figure);
    return CAIRN_OK;
}

/* "rate 0.1: f = 0.013 after 20 steps"; of several paths the lowest end. */
static void write_title(const cairn_descent *s, char *out, size_t size,
                        const cairn_descent_path *first)
{
    char r[CAIRN_NUMBER_SIZE], f[CAIRN_NUMBER_SIZE];
    double least = INFINITY;
    for (size_t i = 0; i < s->n_starts; i++) least = fmin(least, first[i].value[first[i].n - 1]);
    cairn_number_format(r, first->rate, 4);
    cairn_number_format(f, least, 4);
    if (s->n_starts > 1)
        snprintf(out, size, "rate %s: least f = %s at the ends of %zu paths", r, f, s->n_starts);
    else
        snprintf(out, size, "rate %s: f = %s after %zu steps", r, f, first->n - 1);
}

/* The columns of a path: its first two variables and f. */
static cairn_status take_path(const cairn_descent *s, path *out, const cairn_descent_path *whole)
{
    *out = (path){.name = whole->name, .whole = whole};
    CHECK(SCRATCH(s->ctx, &out->x, whole->n));
    CHECK(SCRATCH(s->ctx, &out->y, whole->n));
    for (bool far = false; out->n < whole->n && !far; out->n++) {
        for (size_t k = 0; k < s->d && k < 2; k++) {
            double at = whole->at[out->n * s->d + k];
            (k ? out->y : out->x)[out->n] = at;
            far |= fabs(at - s->low[k]) > 100 * (s->high[k] - s->low[k]);
        }
    }
    out->f = whole->value;
    return CAIRN_OK;
}

/* f by step, where there are more variables than can be drawn. */
static cairn_status draw_course(const cairn_descent *s, cairn_figure *figure, const path *p,
                                bool legend)
{
    double *steps;
    char title[80];
    CHECK(SCRATCH(s->ctx, &steps, p->whole->n));
    for (size_t i = 0; i < p->whole->n; i++) steps[i] = (double)i;
    cairn_figure_axes(figure, "step", f_title(s, title, sizeof title));
    cairn_figure_line(figure, legend ? p->name : NULL, steps, p->whole->value, p->whole->n);
    return CAIRN_OK;
}

/* The paths of one rate. */
static cairn_status draw_rate(const cairn_descent *s, cairn_figure *figure,
                              const cairn_descent_path *all, bool legend)
{
    path *paths;
    CHECK(SCRATCH(s->ctx, &paths, s->n_starts));
    for (size_t i = 0; i < s->n_starts; i++) CHECK(take_path(s, &paths[i], &all[i]));
    for (size_t i = 0; s->d > 2 && i < s->n_starts; i++)
        CHECK(draw_course(s, figure, &paths[i], legend));
    if (s->d > 2) return CAIRN_OK;
    if (s->d > 1 && s->p->view == CAIRN_DESCENT_SURFACE) return draw_surface(s, figure, paths);
    cairn_figure_x_range(figure, s->low[0], s->high[0]);
    CHECK(s->d > 1 ? draw_lines(s, figure) : draw_curve(s, figure, legend));
    for (size_t i = 0; i < s->n_starts; i++) {
        const double *heights = s->d > 1 ? paths[i].y : paths[i].f;
        cairn_figure_points(figure, paths[i].x, heights, NULL, paths[i].n, NULL, 0);
        draw_path(s, figure, &paths[i], heights, legend);
    }
    return CAIRN_OK;
}

static cairn_status start_figure(const cairn_descent *s, cairn_figure **out,
                                 const cairn_descent_path *first)
{
    char title[160];
    write_title(s, title, sizeof title, first);
    return cairn_figure_new(s->ctx, out, "descent", title);
}

/* A panel for every rate. */
static cairn_status draw_panels(const cairn_descent *s, cairn_figure *figure,
                                const cairn_descent_path *paths)
{
    for (size_t i = 0; i < s->n_rates; i++) {
        cairn_figure *panel;
        CHECK(start_figure(s, &panel, paths + i * s->n_starts));
        cairn_figure_size(panel, 340, 300);
        cairn_status status = draw_rate(s, panel, paths + i * s->n_starts, i + 1 == s->n_rates);
        cairn_figure_panel(figure, panel);
        CHECK(status);
    }
    cairn_figure_columns(figure, s->n_rates == 4 ? 2 : 3);
    return CAIRN_OK;
}

cairn_status cairn_descent_figure(const cairn_descent *s, cairn_figure **out,
                                  const cairn_descent_path *paths)
{
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    SCOPED_SCRATCH(s->ctx);
    if (s->n_rates == 1) {
        CHECK(start_figure(s, &figure, paths));
        CHECK(draw_rate(s, figure, paths, true));
    } else {
        CHECK(cairn_figure_new(s->ctx, &figure, "descent", s->p->function));
        CHECK(draw_panels(s, figure, paths));
    }
    *out = TAKE(figure);
    return CAIRN_OK;
}
