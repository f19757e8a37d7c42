/* SPDX-License-Identifier: MIT */
/* Pictures of version spaces of shapes: thresholds, boxes, discs. */
#include "compute/concepts/shape_figures.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/sort_by.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- thresholds -- */

const cairn_choice cairn_form_choices[] = {
    {"all", CAIRN_ALL_FORMS, "the four forms side by side"},
    {"at-least", CAIRN_SIDE_AT_LEAST, "positive when x >= m"},
    {"above", CAIRN_SIDE_ABOVE, "positive when x > m"},
    {"at-most", CAIRN_SIDE_AT_MOST, "positive when x <= m"},
    {"below", CAIRN_SIDE_BELOW, "positive when x < m"},
    {NULL, 0, NULL}};

const char *cairn_side_sign(cairn_side side)
{
    static const char *const signs[] = {">=", ">", "<=", "<"};
    return signs[side];
}

void cairn_thresholds_text(char *out, size_t size, const cairn_thresholds *t)
{
    char low[CAIRN_NUMBER_SIZE + 8] = "", high[CAIRN_NUMBER_SIZE + 8] = "",
                                 number[CAIRN_NUMBER_SIZE];
    if (t->empty) {
        snprintf(out, size, "none");
        return;
    }
    if (isfinite(t->low)) {
        cairn_number_format(number, t->low, CAIRN_SHORTEST);
        snprintf(low, sizeof low, "%s %s ", number, t->low_open ? "<" : "<=");
    }
    if (isfinite(t->high)) {
        cairn_number_format(number, t->high, CAIRN_SHORTEST);
        snprintf(high, sizeof high, " %s %s", t->high_open ? "<" : "<=", number);
    }
    snprintf(out, size, "%sm%s", low, high);
}

cairn_status cairn_thresholds_figure(cairn_context *ctx, cairn_figure **out,
                                     const cairn_shape_data *data, const cairn_thresholds *t,
                                     cairn_side side, cairn_marking marking)
{
    char title[200], text[120], positive[120];
    double *x;
    int32_t *group;
    size_t n = data->points.n;
    CHECK(SCRATCH(ctx, &x, n));
    CHECK(SCRATCH(ctx, &group, n));
    for (size_t i = 0; i < n; i++) {
        x[i] = data->points.x[i * data->points.d];
        group[i] = !data->points.positive[i];
    }
    cairn_thresholds_text(text, sizeof text, t);
    snprintf(title, sizeof title, "Thresholds for %s %s m: %s", data->columns[0],
             cairn_side_sign(side), text);
    snprintf(positive, sizeof positive, "%s = %s", data->target, data->positive);
    const char *names[2] = {positive, "other"};
    cairn_span span = {t->low, t->high, t->low_open, t->high_open, text};
    cairn_number_line line = {.x = x,
                              .groups = group,
                              .n = n,
                              .group_names = names,
                              .n_groups = 2,
                              .marking = marking,
                              .low = NAN,
                              .high = NAN,
                              .spans = &span,
                              .n_spans = !t->empty,
                              .span_label = "room for m",
                              .axis = data->columns[0]};
    return cairn_number_line_figure(ctx, out, &line, "version-line", title);
}

/* -- boxes -- */

cairn_status cairn_boxes_read(cairn_context *ctx, cairn_boxes *out, const char *typed, size_t d)
{
    const char *const *lines;
    out->width = 2 * d;
    CHECK(cairn_list_lines(ctx, typed, &lines));
    for (size_t b = 0; lines[b]; b++) {
        double *box;
        size_t n;
        CHECK(cairn_list_numbers(ctx, "box", lines[b], &box, &n));
        if (n != 2 * d)
            CHECK(cairn_fail(ctx, CAIRN_USAGE,
                             "{box %s}: %zu numbers; low and high of %zu columns are %zu", lines[b],
                             n, d, 2 * d));
        CHECK(GROW(ctx, &out->sides, &out->capacity, (out->n + 1) * out->width));
        memcpy(out->sides + out->n++ * out->width, box, out->width * sizeof *box);
    }
    return CAIRN_OK;
}

/* The frame of the picture, in which unbounded boxes end. */
typedef struct frame {
    double side[4]; /* x low, high, y low, high */
} frame;

static void bounded(double out[4], const double *box, const frame *f)
{
    for (int j = 0; j < 4; j++) {
        out[j] = isinf(box[j]) ? f->side[j] : box[j];
        double low = f->side[j / 2 * 2], high = f->side[j / 2 * 2 + 1];
        out[j] = fmin(fmax(out[j], low), high);
    }
}

static void draw_box(cairn_figure *figure, const frame *f, const double *box, const char *label,
                     bool dashed)
{
    double s[4];
    bounded(s, box, f);
    double x[5] = {s[0], s[1], s[1], s[0], s[0]}, y[5] = {s[2], s[2], s[3], s[3], s[2]};
    if (dashed)
        cairn_figure_dashed(figure, label, x, y, 5);
    else
        cairn_figure_line(figure, label, x, y, 5);
}

/* Whether a point lies in one of G and not in S. */
static bool lies_between(const cairn_boxes_look *look, const frame *f, double x, double y)
{
    double s[4];
    bool in = false;
    for (size_t g = 0; g < look->general->n && !in; g++) {
        bounded(s, look->general->sides + g * look->general->width, f);
        in = x > s[0] && x < s[1] && y > s[2] && y < s[3];
    }
    if (!in || !look->special) return in;
    bounded(s, look->special, f);
    return !(x > s[0] && x < s[1] && y > s[2] && y < s[3]);
}

/* The sides of all boxes cut the frame into cells; those between S and G are filled, cells of a
 * column that touch as one. */
static cairn_status shade_between(cairn_context *ctx, cairn_figure *figure, const frame *f,
                                  const cairn_boxes_look *look)
{
    size_t n_boxes = look->general->n + 1, n = 2 * n_boxes, filled = 0;
    double *xs, *ys, *x, *low, *high, s[4];
    CHECK(SCRATCH(ctx, &xs, n));
    CHECK(SCRATCH(ctx, &ys, n));
    for (size_t b = 0; b < n_boxes; b++) {
        const double *box = b               ? look->general->sides + (b - 1) * look->general->width
                            : look->special ? look->special
                                            : f->side;
        bounded(s, box, f);
        memcpy(xs + 2 * b, s, 2 * sizeof *s);
        memcpy(ys + 2 * b, s + 2, 2 * sizeof *s);
    }
    qsort(xs, n, sizeof *xs, cairn_by_number);
    qsort(ys, n, sizeof *ys, cairn_by_number);
    size_t most = 3 * n * n;
    CHECK(SCRATCH(ctx, &x, most));
    CHECK(SCRATCH(ctx, &low, most));
    CHECK(SCRATCH(ctx, &high, most));
    for (size_t i = 1; i < n; i++)
        for (size_t k = 1; k < n && xs[i] > xs[i - 1]; k++) {
            if (!lies_between(look, f, (xs[i] + xs[i - 1]) / 2, (ys[k] + ys[k - 1]) / 2)) continue;
            bool joins = filled && x[filled - 2] == xs[i] && x[filled - 3] == xs[i - 1] &&
                         high[filled - 2] == ys[k - 1];
            if (joins) {
                high[filled - 2] = high[filled - 3] = ys[k];
                continue;
            }
            x[filled] = xs[i - 1];
            x[filled + 1] = xs[i];
            low[filled] = low[filled + 1] = ys[k - 1];
            high[filled] = high[filled + 1] = ys[k];
            x[filled + 2] = low[filled + 2] = high[filled + 2] = NAN;
            filled += 3;
        }
    if (filled)
        cairn_figure_band(figure, look->special ? "between S and G" : "in some box of G", x, low,
                          high, filled);
    return CAIRN_OK;
}

/* The range of both columns with the sides of the boxes in it. */
static frame find_frame(const cairn_shape_data *data, const cairn_boxes_look *look)
{
    frame f;
    const cairn_boxes *lists[2] = {look->general, look->typed};
    for (size_t j = 0; j < 2; j++) cairn_shape_range(data, j, &f.side[2 * j], &f.side[2 * j + 1]);
    for (int l = 0; l < 2; l++)
        for (size_t i = 0; lists[l] && i < lists[l]->n * 4; i++) {
            double at = lists[l]->sides[i], *low = &f.side[i % 4 / 2 * 2];
            if (!isfinite(at)) continue;
            if (at < low[0]) low[0] = at;
            if (at > low[1]) low[1] = at;
        }
    return f;
}

enum { MOST_SHADED = 100 };

cairn_status cairn_boxes_figure(cairn_context *ctx, cairn_figure **out,
                                const cairn_shape_data *data, const cairn_boxes_look *look)
{
    frame f = find_frame(data, look);
    size_t n_general = look->general ? look->general->n : 0;
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    CHECK(cairn_shape_figure(ctx, &figure, data, "version-boxes",
                             n_general       ? "The tightest box S and the largest boxes G"
                             : look->special ? "The tightest box"
                                             : "Boxes"));
    cairn_figure_size(figure, 500, 400);
    cairn_figure_marking(figure, look->marking);
    cairn_figure_x_range(figure, f.side[0], f.side[1]);
    cairn_figure_y_range(figure, f.side[2], f.side[3]);
    if (look->shade && n_general && n_general <= MOST_SHADED)
        CHECK(shade_between(ctx, figure, &f, look));
    if (look->special) draw_box(figure, &f, look->special, n_general ? "S" : "tightest box", false);
    for (size_t g = 0; g < n_general && g < 8; g++) {
        char label[32];
        snprintf(label, sizeof label, "G%zu", g + 1);
        draw_box(figure, &f, look->general->sides + g * look->general->width, label, true);
    }
    for (size_t b = 0; look->typed && b < look->typed->n; b++) {
        char label[32];
        snprintf(label, sizeof label, look->typed->n > 1 ? "h%zu" : "h", b + 1);
        draw_box(figure, &f, look->typed->sides + b * look->typed->width, label, false);
    }
    *out = TAKE(figure);
    return CAIRN_OK;
}

/* -- discs -- */

enum { CIRCLE_POINTS = 97, MOST_CORNERS = 4096 };

typedef struct polygon {
    double *x, *y;
    size_t n;
} polygon;

/* Keep what is nearer to p than to q. */
static void keep_nearer(polygon *out, const polygon *from, const double *p, const double *q)
{
    out->n = 0;
    for (size_t i = 0; i < from->n; i++) {
        size_t next = i + 1 < from->n ? i + 1 : 0;
        double a = 2 * (q[0] - p[0]), b = 2 * (q[1] - p[1]);
        double c = q[0] * q[0] - p[0] * p[0] + q[1] * q[1] - p[1] * p[1];
        double here = a * from->x[i] + b * from->y[i] - c;
        double there = a * from->x[next] + b * from->y[next] - c;
        if (here <= 0) {
            out->x[out->n] = from->x[i];
            out->y[out->n++] = from->y[i];
        }
        if ((here < 0 && there > 0) || (here > 0 && there < 0)) {
            double part = here / (here - there);
            out->x[out->n] = from->x[i] + part * (from->x[next] - from->x[i]);
            out->y[out->n++] = from->y[i] + part * (from->y[next] - from->y[i]);
        }
    }
}

/* The farthest positive and the nearest negative point of a place, and their squared distances. */
static void find_ends(const cairn_labelled *points, double x, double y, size_t ends[2],
                      double squares[2])
{
    squares[0] = -INFINITY;
    squares[1] = INFINITY;
    for (size_t i = 0; i < points->n; i++) {
        double dx = x - points->x[2 * i], dy = y - points->x[2 * i + 1], d = dx * dx + dy * dy;
        int k = !points->positive[i];
        if (k ? d >= squares[1] : d <= squares[0]) continue;
        squares[k] = d;
        ends[k] = i;
    }
}

/* A corner that is farther from some positive than from some negative point, and the worst such
 * pair. A polygon without such a corner has none inside, either. */
static bool find_cut(const cairn_labelled *points, const polygon *p, size_t ends[2])
{
    double d[2];
    for (size_t c = 0; c < p->n; c++) {
        find_ends(points, p->x[c], p->y[c], ends, d);
        if (isfinite(d[0]) && isfinite(d[1]) && d[0] > d[1] * (1 + 1e-9)) return true;
    }
    return false;
}

/* Whether the middle of a polygon is nearer to every positive than to any negative point; it is not
 * when two of them are the same. */
static bool holds_a_centre(const cairn_labelled *points, const polygon *p)
{
    double x = 0, y = 0, d[2];
    size_t ends[2] = {0, 0};
    for (size_t c = 0; c < p->n; c++) {
        x += p->x[c] / (double)p->n;
        y += p->y[c] / (double)p->n;
    }
    find_ends(points, x, y, ends, d);
    return d[0] < d[1];
}

/* The part of the frame whose points are nearer to every positive than to any negative point. */
static cairn_status find_centres(cairn_context *ctx, polygon *out, const cairn_labelled *points,
                                 const frame *f)
{
    size_t ends[2] = {0, 0};
    polygon work;
    CHECK(SCRATCH(ctx, &out->x, MOST_CORNERS + 2));
    CHECK(SCRATCH(ctx, &out->y, MOST_CORNERS + 2));
    CHECK(SCRATCH(ctx, &work.x, MOST_CORNERS + 2));
    CHECK(SCRATCH(ctx, &work.y, MOST_CORNERS + 2));
    out->n = 4;
    for (size_t i = 0; i < 4; i++) {
        out->x[i] = f->side[i == 1 || i == 2];
        out->y[i] = f->side[2 + (i > 1)];
    }
    for (size_t cuts = 0; cuts < MOST_CORNERS && out->n && find_cut(points, out, ends); cuts++) {
        keep_nearer(&work, out, points->x + 2 * ends[0], points->x + 2 * ends[1]);
        polygon last = *out;
        *out = work;
        work = last;
    }
    return CAIRN_OK;
}

/* A convex polygon as a band: its lower and upper side at every corner. */
static cairn_status fill_polygon(cairn_context *ctx, cairn_figure *figure, const polygon *p,
                                 const char *label)
{
    double *x, *low, *high;
    CHECK(SCRATCH(ctx, &x, p->n));
    CHECK(SCRATCH(ctx, &low, p->n));
    CHECK(SCRATCH(ctx, &high, p->n));
    memcpy(x, p->x, p->n * sizeof *x);
    qsort(x, p->n, sizeof *x, cairn_by_number);
    for (size_t i = 0; i < p->n; i++) {
        low[i] = INFINITY;
        high[i] = -INFINITY;
        for (size_t k = 0; k < p->n; k++) {
            size_t next = k + 1 < p->n ? k + 1 : 0;
            double from = p->x[k], to = p->x[next];
            if (x[i] < fmin(from, to) || x[i] > fmax(from, to)) continue;
            double part = to != from ? (x[i] - from) / (to - from) : 0;
            double y = p->y[k] + part * (p->y[next] - p->y[k]);
            low[i] = fmin(low[i], fmin(y, to == from ? p->y[next] : y));
            high[i] = fmax(high[i], fmax(y, to == from ? p->y[next] : y));
        }
    }
    cairn_figure_band(figure, label, x, low, high, p->n);
    return CAIRN_OK;
}

static void draw_circle(cairn_figure *figure, const char *label, double x0, double y0,
                        double radius, bool dashed)
{
    double x[CIRCLE_POINTS], y[CIRCLE_POINTS];
    const double pi = M_PI;
    for (size_t i = 0; i < CIRCLE_POINTS; i++) {
        double angle = 2 * pi * (double)i / (CIRCLE_POINTS - 1);
        x[i] = x0 + radius * cairn_cos(angle);
        y[i] = y0 + radius * cairn_sin(angle);
    }
    if (dashed)
        cairn_figure_dashed(figure, label, x, y, CIRCLE_POINTS);
    else
        cairn_figure_line(figure, label, x, y, CIRCLE_POINTS);
}

static void include_circle(frame *f, double x, double y, double radius)
{
    if (!isfinite(radius)) return;
    f->side[0] = fmin(f->side[0], x - 1.06 * radius);
    f->side[1] = fmax(f->side[1], x + 1.06 * radius);
    f->side[2] = fmin(f->side[2], y - 1.06 * radius);
    f->side[3] = fmax(f->side[3], y + 1.06 * radius);
}

/* A typed centre: its smallest admissible circle and the one that it must stay inside of. */
static cairn_status draw_typed(cairn_context *ctx, cairn_figure *figure, frame *f,
                               const cairn_shape_data *data, const char *typed)
{
    const char *const *lines;
    CHECK(cairn_list_lines(ctx, typed, &lines));
    for (size_t i = 0; lines[i]; i++) {
        double *c, low, high;
        size_t n;
        char label[80];
        CHECK(cairn_list_numbers(ctx, "centre", lines[i], &c, &n));
        if (n != 2) CHECK(cairn_fail(ctx, CAIRN_USAGE, "{centre %s}: two numbers x,y", lines[i]));
        cairn_disc_radii(&data->points, c[0], c[1], &low, &high);
        cairn_figure_mark(figure, "centre", c[0], c[1]);
        include_circle(f, c[0], c[1], fmax(low, isfinite(high) ? high : low));
        snprintf(label, sizeof label, "farthest positive from %s", lines[i]);
        draw_circle(figure, label, c[0], c[1], low, false);
        snprintf(label, sizeof label, "nearest negative to %s", lines[i]);
        if (isfinite(high)) draw_circle(figure, label, c[0], c[1], high, true);
    }
    return CAIRN_OK;
}

cairn_status cairn_discs_figure(cairn_context *ctx, cairn_figure **out,
                                const cairn_shape_data *data, const char *centres,
                                cairn_marking marking)
{
    polygon p = {0};
    cairn_disc disc;
    frame f;
    CHECK(cairn_disc_smallest(ctx, &disc, &data->points));
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    CHECK(cairn_shape_figure(ctx, &figure, data, "version-discs",
                             "Admissible centres and the smallest disc"));
    cairn_figure_equal_axes(figure);
    cairn_figure_marking(figure, marking);
    for (size_t j = 0; j < 2; j++) cairn_shape_range(data, j, &f.side[2 * j], &f.side[2 * j + 1]);
    if (!isnan(disc.radius)) {
        include_circle(&f, disc.x, disc.y, disc.radius);
        draw_circle(figure, "smallest disc", disc.x, disc.y, disc.radius, false);
    }
    CHECK(draw_typed(ctx, figure, &f, data, centres));
    CHECK(find_centres(ctx, &p, &data->points, &f));
    if (p.n > 2 && holds_a_centre(&data->points, &p)) {
        CHECK(fill_polygon(ctx, figure, &p, "admissible centres"));
        double *x, *y;
        CHECK(SCRATCH(ctx, &x, p.n + 1));
        CHECK(SCRATCH(ctx, &y, p.n + 1));
        for (size_t i = 0; i <= p.n; i++) x[i] = p.x[i % p.n], y[i] = p.y[i % p.n];
        cairn_figure_dashed(figure, NULL, x, y, p.n + 1);
    }
    cairn_figure_x_range(figure, f.side[0], f.side[1]);
    cairn_figure_y_range(figure, f.side[2], f.side[3]);
    double shape = (f.side[3] - f.side[2]) / (f.side[1] - f.side[0]);
    cairn_figure_size(figure, 420, fmin(fmax(320 * shape + 90, 240), 560));
    *out = TAKE(figure);
    return CAIRN_OK;
}
