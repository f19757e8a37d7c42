/* SPDX-License-Identifier: MIT */
/* cairn draw distance-circles: the points at one distance from a centre, for any distance that
 * grows in proportion along a ray: the radius in direction u is r / d(0, u). Around the origin, or
 * around the mean of two columns, from whose rows the distance may learn (Mahalanobis). The part
 * `triangle` shows what p < 1 breaks: with B and C equally far from A, going from the origin to C
 * by way of A must not be shorter than going there directly. */
#include "pictures/picture.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "stats/distance.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PART_CIRCLES, PART_TRIANGLE };
enum { ROUND = 360, MOST_CIRCLES = 16 };

typedef struct circles_params {
    const char *distance, *x, *y;
    double radius;
    int part;
} circles_params;

static const cairn_choice parts[] = {
    {"circles", PART_CIRCLES, "circles of several distances around one centre"},
    {"triangle", PART_TRIANGLE, "circles around the origin and around A: the triangle inequality"},
    {NULL, 0, NULL}};

static const cairn_param circles_table[] = {
    CAIRN_PARAM_CHOICE(circles_params, part, "circles", parts, "what is drawn", .often = true),
    {.name = "distance",
     .names = "distance",
     .type = CAIRN_TYPE_SPEC,
     .offset = offsetof(circles_params, distance),
     .help = "a distance, such as minkowski:p=3 or mahalanobis; if not given, Minkowski's for p = "
             "0.8, 1, 1.5, 2, 4, 8 and infinity, for the triangle p = 2, 1 and 0.8",
     .often = true,
     .repeated = true},
    CAIRN_PARAM(circles_params, radius, "1", "(0,inf)", "the distance from the centre",
                .when = "part=circles"),
    CAIRN_PARAM_AS(circles_params, x, CAIRN_TYPE_COLUMNS, NULL,
                   "with data: column along the horizontal axis; the first number column if not "
                   "given"),
    CAIRN_PARAM_AS(circles_params, y, CAIRN_TYPE_COLUMNS, NULL,
                   "with data: column along the vertical axis; the second number column if not "
                   "given"),
    CAIRN_PARAM_END,
};

/* One distance, and how far it is from 0 to each of ROUND + 1 points around it. */
typedef struct measured {
    const char *name;
    double reach[ROUND + 1];
} measured;

static void direction(int i, double *x, double *y)
{
    int quarter = i % ROUND / (ROUND / 4), left = i % (ROUND / 4);
    double turn = 2 * 3.14159265358979323846 * left / ROUND;
    double c = left ? cairn_cos(turn) : 1, s = left ? cairn_sin(turn) : 0; /* exact on the axes */
    *x = quarter == 0 ? c : quarter == 1 ? -s : quarter == 2 ? -c : s;
    *y = quarter == 0 ? s : quarter == 1 ? c : quarter == 2 ? -s : -c;
}

/* A table of the two columns alone: the complete rows of the data, or the points around 0, twice
 * as far away in its second half, and 0 last. */
static cairn_status places(cairn_context *ctx, cairn_table **out)
{
    enum { N = ROUND + 1 };
    OWNED(cairn_table_free) cairn_table *table = NULL;
    double *x, *y;
    CHECK(SCRATCH_EACH(ctx, 2 * N + 1, &x, &y));
    for (int i = 0; i < N; i++) {
        direction(i, &x[i], &y[i]);
        x[N + i] = 2 * x[i];
        y[N + i] = 2 * y[i];
    }
    CHECK(cairn_table_new(ctx, &table, 2 * N + 1));
    CHECK(cairn_table_put_numbers(ctx, table, "x", x));
    CHECK(cairn_table_put_numbers(ctx, table, "y", y));
    *out = TAKE(table);
    return CAIRN_OK;
}

/* A distance whose circles of another radius have another shape cannot be drawn by its unit circle,
 * and is refused. */
static cairn_status measure(cairn_context *ctx, measured *out, const char *spec,
                            const cairn_view *learn, const cairn_view *around)
{
    enum { N = ROUND + 1 };
    SCOPED(cairn_metric_clear) cairn_metric metric = {0};
    SCOPED(cairn_points_clear) cairn_points points = {0};
    int32_t *buffer;
    CHECK(cairn_metric_open(ctx, &metric, cairn_say(ctx, "{distance}"), spec));
    CHECK(cairn_metric_learn(ctx, &metric, learn));
    CHECK(cairn_metric_points(ctx, &metric, &points, around, NULL));
    CHECK(SCRATCH(ctx, &buffer, cairn_metric_buffer(&points, &points) + 1));
    out->name = spec;
    for (size_t i = 0; i < N; i++) {
        double near = cairn_metric_value(
            &metric, cairn_metric_order(&metric, &points, i, &points, 2 * N, buffer));
        double far = cairn_metric_value(
            &metric, cairn_metric_order(&metric, &points, N + i, &points, 2 * N, buffer));
        out->reach[i] = near;
        if (!(near > 0) || !(fabs(far - 2 * near) <= 1e-9 * far))
            return cairn_fail(ctx, CAIRN_USAGE,
                              "{distance %s}: twice as far along a ray is not twice the distance, "
                              "so it has no circle of one shape",
                              spec);
    }
    return CAIRN_OK;
}

static void add_circle(cairn_figure *figure, const char *label, const measured *m, double x,
                       double y, double radius)
{
    double at_x[ROUND + 1], at_y[ROUND + 1];
    for (int i = 0; i <= ROUND; i++) {
        direction(i, &at_x[i], &at_y[i]);
        at_x[i] = x + at_x[i] * radius / m->reach[i];
        at_y[i] = y + at_y[i] * radius / m->reach[i];
    }
    cairn_figure_line(figure, label, at_x, at_y, ROUND + 1);
}

/* -- one centre -- */

typedef struct centred {
    double x, y;
    cairn_table *table; /* the two columns, complete rows; owned */
} centred;

/* Rows without both numbers are left out; the centre is the mean of those that stay. */
static cairn_status read_columns(cairn_context *ctx, centred *out, const cairn_table *table,
                                 const size_t at[2])
{
    const double *columns[2] = {cairn_table_numbers(table, at[0]),
                                cairn_table_numbers(table, at[1])};
    double *kept[2], sums[2] = {0, 0};
    size_t n = 0;
    for (int c = 0; c < 2; c++) CHECK(SCRATCH(ctx, &kept[c], table->n_rows + 1));
    for (size_t i = 0; i < table->n_rows; i++) {
        if (!isfinite(columns[0][i]) || !isfinite(columns[1][i])) continue;
        for (int c = 0; c < 2; c++) sums[c] += kept[c][n] = columns[c][i];
        n++;
    }
    if (n < 2) return cairn_fail(ctx, CAIRN_BAD_DATA, "fewer than two rows have both numbers");
    out->x = sums[0] / (double)n;
    out->y = sums[1] / (double)n;
    CHECK(cairn_table_new(ctx, &out->table, n));
    CHECK(cairn_table_put_numbers(ctx, out->table, "x", kept[0]));
    return cairn_table_put_numbers(ctx, out->table, "y", kept[1]);
}

static const char *const usual_circles =
    "minkowski:p=0.8\nmanhattan\nminkowski:p=1.5\neuclidean\nminkowski:p=4\nminkowski:p=8\n"
    "chebyshev";
static const char *const usual_triangles = "euclidean\nmanhattan\nminkowski:p=0.8";

static cairn_status read_distances(cairn_context *ctx, const circles_params *p,
                                   const char *const **out)
{
    const char *usual = p->part == PART_CIRCLES ? usual_circles : usual_triangles;
    size_t n = 0;
    CHECK(cairn_list_lines(ctx, p->distance ? p->distance : usual, out));
    while ((*out)[n]) n++;
    if (n > MOST_CIRCLES)
        return cairn_fail(ctx, CAIRN_USAGE, "{distance}: at most %d circles can be told apart",
                          MOST_CIRCLES);
    return CAIRN_OK;
}

/* The circles go around the mean of the rows, which are drawn too, or around the origin. */
static cairn_status draw_circles(cairn_context *ctx, cairn_figure *figure, const circles_params *p,
                                 const centred *c, const cairn_view *learn,
                                 const cairn_view *around)
{
    const char *const *list;
    measured *m;
    CHECK(SCRATCH(ctx, &m, 1));
    CHECK(read_distances(ctx, p, &list));
    if (c->table)
        cairn_figure_points(figure, cairn_table_numbers(c->table, 0),
                            cairn_table_numbers(c->table, 1), NULL, c->table->n_rows, NULL, 0);
    for (size_t i = 0; list[i]; i++) {
        CHECK(measure(ctx, m, list[i], learn, around));
        add_circle(figure, m->name, m, c->x, c->y, p->radius);
    }
    if (c->table) cairn_figure_mark(figure, "mean", c->x, c->y);
    return CAIRN_OK;
}

/* -- the triangle inequality -- */

/* With A = (1, 0), B = (2, 0) and C = (1, 1), B and C are equally far from A; the title says
 * whether the way to C by A is longer than the direct one. */
static cairn_status add_triangle(cairn_context *ctx, cairn_figure *all, const measured *m)
{
    cairn_figure *panel = NULL;
    char title[200], sum[CAIRN_NUMBER_SIZE], whole[CAIRN_NUMBER_SIZE];
    const double far = 1; /* of B and C from A = (1, 0): B = (2, 0), C = (1, 1) */
    double a = m->reach[0], b = far * m->reach[0], up = far * m->reach[ROUND / 4];
    double c = m->reach[ROUND / 8] * sqrt(2);
    cairn_number_format(sum, a + up, 4);
    cairn_number_format(whole, c, 4);
    snprintf(title, sizeof title, "%.60s: d(O,A) + d(A,C) = %s %s d(O,C) = %s", m->name, sum,
             a + up < c - 1e-9 ? "<" : "≥", whole);
    CHECK(cairn_figure_new(ctx, &panel, "triangle", title));
    cairn_figure_size(panel, 300, 330);
    cairn_figure_axes(panel, "x", "y");
    cairn_figure_equal_axes(panel);
    add_circle(panel, "as far from O as A", m, 0, 0, a);
    add_circle(panel, "as far from A as B", m, 1, 0, b);
    add_circle(panel, "as far from O as C", m, 0, 0, c);
    const double x[] = {0, 1, 1 + far, 1}, y[] = {0, 0, 0, far};
    static const char *const names[] = {"O", "A", "B", "C"};
    cairn_figure_points(panel, x, y, NULL, 4, NULL, 0);
    for (int i = 0; i < 4; i++) cairn_figure_label(panel, x[i], y[i], names[i]);
    cairn_figure_panel(all, panel);
    return CAIRN_OK;
}

/* A table is one for the circles: the triangle needs no data. */
static cairn_status circles_draw(cairn_context *ctx, cairn_figure **out,
                                 const cairn_compute_job *job)
{
    const circles_params *p = job->params;
    OWNED(cairn_table_free) cairn_table *round = NULL;
    OWNED(cairn_table_free) cairn_table *rows = NULL;
    cairn_view learn, around;
    centred c = {0};
    size_t at[2] = {0, 0};
    if (job->table && p->part == PART_TRIANGLE)
        return cairn_fail(ctx, CAIRN_USAGE, "{part triangle} takes no data");
    CHECK(places(ctx, &round));
    CHECK(cairn_view_make(ctx, &around, round, cairn_all_rows(round)));
    learn = around;
    if (job->table) {
        CHECK(cairn_picture_pair(ctx, at, job->table, p->x, p->y));
        cairn_status status = read_columns(ctx, &c, job->table, at);
        rows = c.table;
        CHECK(status);
        CHECK(cairn_view_make(ctx, &learn, rows, cairn_all_rows(rows)));
    }
    bool circles = p->part == PART_CIRCLES;
    CHECK(cairn_figure_new(ctx, out, "distance-circles",
                           job->table ? job->table->source
                           : circles  ? "Points at one distance from the origin"
                                      : "The triangle inequality"));
    if (!circles) {
        cairn_figure *figure = *out;
        const char *const *list;
        measured *m;
        CHECK(SCRATCH(ctx, &m, 1));
        CHECK(read_distances(ctx, p, &list));
        for (size_t i = 0; list[i]; i++) {
            CHECK(measure(ctx, m, list[i], &around, &around));
            CHECK(add_triangle(ctx, figure, m));
        }
        cairn_figure_columns(figure, 3);
        return CAIRN_OK;
    }
    cairn_figure_axes(*out, job->table ? job->table->slots[at[0]].name : "x",
                      job->table ? job->table->slots[at[1]].name : "y");
    cairn_figure_equal_axes(*out);
    if (!job->table) cairn_figure_size(*out, 480, 400);
    return draw_circles(ctx, *out, p, &c, &learn, &around);
}

const cairn_calculator cairn_picture_distance_circles = {
    .picture =
        {.kind = CAIRN_ENTRY_PICTURE,
         .name = "distance-circles",
         .also = "unit circles, Minkowski circles, Lp balls, Mahalanobis ellipse, triangle "
                 "inequality",
         .title = "Circles of distances",
         .summary =
             "The points at one distance from a centre: the unit circles of Minkowski's distance "
             "for several p, or of any other distance that grows in proportion along a ray. With "
             "data the centre is the mean of two columns, and the distance may learn from the "
             "rows: mahalanobis gives the ellipse of their covariance. --part triangle shows "
             "that p below 1 breaks the triangle inequality.",
         .references = "Flach, Machine Learning, Cambridge University Press 2012",
         .example = "cairn draw distance-circles @iris --x petal_length --y petal_width "
                    "--distance mahalanobis --radius 2",
         .params = circles_table,
         .params_size = sizeof(circles_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .draw = circles_draw,
};
