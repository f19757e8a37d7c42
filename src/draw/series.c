/* SPDX-License-Identifier: MIT */
/* The data of a plot, drawn from back to front: bands, faces, piles, rules, points, lines, marks,
 * labels.
 *
 * Points are thinned when there are very many: a point whose third of a point (the unit of length)
 * already holds one of its group would not be seen, and is left out; if more than the limit still
 * remain, every k-th stays. The choice depends on the data alone, so the same figure always gives
 * the same picture.
 *
 * A line that hides half of an earlier one or more is dashed, so that both are seen. Where points
 * of several groups fall on the same place, those behind are larger than those before them. */
#include "base/functions.h"
#include "base/memory.h"
#include "base/text.h"
#include "draw/plot.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A closed shape, filled and with its outline; one of a given strength has none. */
static void draw_shape(cairn_plot *plot, cairn_canvas *canvas, const cairn_series *series,
                       double *xy, cairn_style style)
{
    cairn_style outline = cairn_line_style(style.fill, 1.2);
    for (size_t i = 0; i < series->n; i++) {
        xy[2 * i] = cairn_axis_place(&plot->x, series->x[i]);
        xy[2 * i + 1] = cairn_axis_place(&plot->y, series->y[i]);
        if (isnan(xy[2 * i]) || isnan(xy[2 * i + 1])) return;
    }
    if (series->n < 3) return;
    if (!(series->strength > 0)) style.opacity = 0.35;
    canvas->path(canvas, xy, series->n, true, &style);
    if (!(series->strength > 0)) canvas->path(canvas, xy, series->n, true, &outline);
}

/* A band is cut where one of its borders leaves the axes or is missing; each piece is one closed
 * path, there along the lower border and back along the upper. */
static void draw_band(cairn_plot *plot, cairn_canvas *canvas, const cairn_series *series,
                      double *xy)
{
    cairn_style style =
        cairn_fill_style(cairn_group_colour((int64_t)cairn_series_colour(plot->figure, series)));
    style.opacity = series->strength > 0 ? series->strength : 0.2;
    if (!series->high) return draw_shape(plot, canvas, series, xy, style);
    for (size_t i = 0; i < series->n;) {
        size_t start = i, n = 0;
        for (; i < series->n && cairn_axis_shows(&plot->x, series->x[i]) &&
               cairn_axis_shows(&plot->y, series->y[i]) &&
               cairn_axis_shows(&plot->y, series->high[i]);
             i++) {
            xy[2 * n] = cairn_axis_place(&plot->x, series->x[i]);
            xy[2 * n++ + 1] = cairn_axis_place(&plot->y, series->y[i]);
        }
        for (size_t j = i; j-- > start;) {
            xy[2 * n] = cairn_axis_place(&plot->x, series->x[j]);
            xy[2 * n++ + 1] = cairn_axis_place(&plot->y, series->high[j]);
        }
        if (n > 2) canvas->path(canvas, xy, n, true, &style);
        if (i == start) i++;
    }
}

/* A face of a body: opaque, with its edges in the darker shade of its own colour. */
static void draw_face(cairn_plot *plot, cairn_canvas *canvas, const cairn_series *series,
                      double *xy)
{
    enum { CROWDED = 1500 };
    cairn_colour own = cairn_group_colour(series->of_group);
    cairn_colour fill = cairn_mix(0xFFFFFF, own, series->strength);
    cairn_style face = cairn_fill_style(fill), line = cairn_line_style(fill, 1.4);
    face.stroke = cairn_mix(fill, CAIRN_INK, 0.35);
    face.width = 0.5;
    for (size_t i = 0; i < series->n; i++) {
        xy[2 * i] = cairn_axis_place(&plot->x, series->x[i]);
        xy[2 * i + 1] = cairn_axis_place(&plot->y, series->y[i]);
        if (isnan(xy[2 * i]) || isnan(xy[2 * i + 1])) return;
    }
    if (series->n > 2)
        canvas->path(canvas, xy, series->n, true, &face);
    else if (series->n == 2)
        canvas->path(canvas, xy, 2, false, &line);
    else if (series->n == 1)
        canvas->marks(canvas, cairn_group_shape(series->of_group),
                      plot->figure->counts[CAIRN_FACE] > CROWDED ? 2 : 3.6, xy, 1, &face);
}

/* Points of their own colours. Cells of one colour that follow each other are one rectangle, a
 * little larger than it is, so that no paper shines through between it and the next. */
static void draw_colours(cairn_plot *plot, cairn_canvas *canvas, const cairn_series *series)
{
    for (size_t i = 0, run; i < series->n; i += run) {
        double x = series->x[i], y = series->y[i];
        cairn_style style = cairn_fill_style((cairn_colour)series->group[i]);
        run = 1;
        if (series->is_area) {
            while (i + run < series->n && series->y[i + run] == y &&
                   series->x[i + run] == x + (double)run &&
                   series->group[i + run] == series->group[i])
                run++;
            double left = cairn_axis_place(&plot->x, x - 0.5);
            double right = cairn_axis_place(&plot->x, x + (double)run - 0.5);
            double top = cairn_axis_place(&plot->y, y + 0.5);
            double bottom = cairn_axis_place(&plot->y, y - 0.5);
            cairn_box box = {fmin(left, right), fmin(top, bottom), fabs(right - left) + 0.25,
                             fabs(bottom - top) + 0.25};
            if (isfinite(box.x) && isfinite(box.y)) canvas->rectangle(canvas, box, 0, &style);
            continue;
        }
        double at[2] = {cairn_axis_place(&plot->x, x), cairn_axis_place(&plot->y, y)};
        if (isnan(at[0]) || isnan(at[1])) continue;
        style.stroke = cairn_mix(style.fill, CAIRN_INK, 0.3);
        style.width = 0.5;
        canvas->marks(canvas, CAIRN_DISC, series->n > 500 ? 2.6 : 3.6, at, 1, &style);
    }
}

void cairn_draw_head(cairn_canvas *canvas, double *xy, size_t n, double gap, cairn_colour colour)
{
    double x = xy[2 * n - 2], y = xy[2 * n - 1], dx = x - xy[2 * n - 4], dy = y - xy[2 * n - 3];
    double length = cairn_hypot(dx, dy), size = fmin(9, length);
    cairn_style style = cairn_fill_style(colour);
    if (!(length > 0)) return;
    x -= gap * dx / length, y -= gap * dy / length;
    dx *= size / length;
    dy *= size / length;
    const double head[] = {
        x, y, x - dx - 0.4 * dy, y - dy + 0.4 * dx, x - dx + 0.4 * dy, y - dy - 0.4 * dx};
    canvas->path(canvas, head, 3, true, &style);
    xy[2 * n - 2] = x - 0.8 * dx;
    xy[2 * n - 1] = y - 0.8 * dy;
}

/* Whether a point lies on a line, up to a small part of the spans of the figure. */
static bool is_on(const cairn_series *line, double x, double y, double x_near, double y_near)
{
    for (size_t i = 0; i + 1 < line->n; i++) {
        double ax = (line->x[i] - x) / x_near, ay = (line->y[i] - y) / y_near;
        double dx = (line->x[i + 1] - line->x[i]) / x_near;
        double dy = (line->y[i + 1] - line->y[i]) / y_near;
        double square = dx * dx + dy * dy;
        double t = square > 0 ? fmin(fmax(-(ax * dx + ay * dy) / square, 0), 1) : 0;
        if (cairn_hypot(ax + t * dx, ay + t * dy) < 1) return true;
    }
    return false;
}

/* Whether half of the length of `line` lies on `other`. */
static bool is_hidden(const cairn_series *line, const cairn_series *other)
{
    double low_x = INFINITY, high_x = -INFINITY, low_y = INFINITY, high_y = -INFINITY;
    for (size_t i = 0; i < line->n; i++) {
        if (!isfinite(line->x[i]) || !isfinite(line->y[i])) continue;
        low_x = fmin(low_x, line->x[i]), high_x = fmax(high_x, line->x[i]);
        low_y = fmin(low_y, line->y[i]), high_y = fmax(high_y, line->y[i]);
    }
    double x_near = fmax(high_x - low_x, 1e-300) / 500, y_near = fmax(high_y - low_y, 1e-300) / 500;
    double all = 0, hidden = 0;
    for (size_t i = 1; i < line->n; i++) {
        double x = (line->x[i] + line->x[i - 1]) / 2, y = (line->y[i] + line->y[i - 1]) / 2;
        double length = cairn_hypot((line->x[i] - line->x[i - 1]) / x_near,
                                    (line->y[i] - line->y[i - 1]) / y_near);
        bool covered = is_on(other, line->x[i - 1], line->y[i - 1], x_near, y_near) &&
                       is_on(other, x, y, x_near, y_near) &&
                       is_on(other, line->x[i], line->y[i], x_near, y_near);
        if (!isfinite(length)) continue; /* a gap */
        all += length;
        hidden += covered ? length : 0;
    }
    return all > 0 && hidden >= all / 2;
}

static bool is_compared(const cairn_series *series)
{
    enum { MOST_COMPARED = 1000 };
    return series->kind == CAIRN_LINE && series->label && *series->label && series->n > 1 &&
           series->n <= MOST_COMPARED && !series->guide && !series->arrow && !series->dashed;
}

int cairn_line_dash(const cairn_figure *figure, const cairn_series *series)
{
    int dash = cairn_group_dash((int64_t)cairn_series_colour(figure, series)), hidden = 0;
    if (series->thick) return 0;
    if (series->dashed) {
        /* Dashed lines with a label take the dashes in turn; those without belong to the one
         * before. */
        int n = 0;
        for (const cairn_series *other = figure->series; other <= series; other++)
            if (other->kind == CAIRN_LINE && other->dashed && other->label) n++;
        return n && series->label ? 1 + (n - 1) % CAIRN_N_DASHES : 1;
    }
    if (!is_compared(series)) return dash;
    for (const cairn_series *other = figure->series; other < series; other++)
        if (is_compared(other) && is_hidden(other, series)) hidden++;
    return hidden ? 1 + (hidden - 1) % CAIRN_N_DASHES : dash;
}

/* Pieces between missing values; a piece of one point becomes a dot. */
static void draw_line(cairn_plot *plot, cairn_canvas *canvas, const cairn_series *series,
                      double *xy)
{
    int64_t at = (int64_t)cairn_series_colour(plot->figure, series);
    bool grey = series->guide || (series->dashed && !series->label);
    cairn_colour colour = grey ? CAIRN_QUIET : cairn_group_colour(at);
    double width = series->faint                    ? 0.8
                   : series->guide                  ? 1.2
                   : series->thick && !series->slim ? 4
                                                    : 1.8;
    if (series->faint) colour = 0xB0B0B0;
    if (series->thick) colour = CAIRN_INK;
    cairn_style style = cairn_line_style(colour, width), dot = cairn_fill_style(colour);
    style.dash = grey && !series->dashed ? 0 : cairn_line_dash(plot->figure, series);
    size_t n = 0;
    for (size_t i = 0; i <= series->n; i++) {
        if (i < series->n && cairn_axis_shows(&plot->x, series->x[i]) &&
            cairn_axis_shows(&plot->y, series->y[i])) {
            double x = cairn_axis_place(&plot->x, series->x[i]);
            double y = cairn_axis_place(&plot->y, series->y[i]);
            bool same = n > 1 && fabs(xy[2 * n - 2] - x) < 0.005 && fabs(xy[2 * n - 1] - y) < 0.005;
            if (same) continue;
            xy[2 * n] = x;
            xy[2 * n++ + 1] = y;
            continue;
        }
        if (n > 1 && series->arrow) {
            /* Where there is room it stops a little before its end, for the mark of a point
             * there. */
            double length =
                cairn_hypot(xy[2 * n - 2] - xy[2 * n - 4], xy[2 * n - 1] - xy[2 * n - 3]);
            /* Grey ones lead to the edges of shapes, which they meet. */
            cairn_draw_head(canvas, xy, n, length > 24 && !series->faint ? 8 : 0, colour);
        }
        if (n > 1)
            canvas->path(canvas, xy, n, false, &style);
        else if (n == 1)
            canvas->circle(canvas, xy[0], xy[1], 2, &dot);
        n = 0;
    }
}

void cairn_plot_bar(const cairn_plot *plot, const cairn_series *series, size_t i, double *left,
                    double *width)
{
    double slot = fabs(plot->x.to - plot->x.from) / (plot->x.high - plot->x.low);
    double n = plot->figure->stacked ? 1 : (double)plot->figure->counts[CAIRN_BARS];
    double share = slot > 3 ? 0.78 : 1;
    *width = slot * share / n;
    *left = cairn_axis_place(&plot->x, series->x[i]) - slot * share / 2 +
            *width * (plot->figure->stacked ? 0 : (double)series->ordinal);
}

/* Upper left box of a pile from the zero line to `value`. */
static cairn_box pile_box(const cairn_plot *plot, double left, double width, double value)
{
    double floor_y = plot->y.from;
    if (plot->y.scale != CAIRN_SCALE_LOG) floor_y = cairn_axis_place(&plot->y, 0);
    double top = cairn_axis_place(&plot->y, value);
    return (cairn_box){left, fmin(top, floor_y), width, fabs(top - floor_y)};
}

/* Bars thinner than three quarters of a point are joined: each stretch shows its tallest. */
static void draw_bars(cairn_plot *plot, cairn_canvas *canvas, const cairn_series *series)
{
    cairn_style style =
        cairn_fill_style(cairn_group_fill((int64_t)cairn_series_colour(plot->figure, series)));
    cairn_box joined = {0};
    for (size_t i = 0; i < series->n; i++) {
        double left, width;
        if (!cairn_axis_shows(&plot->y, series->y[i])) continue;
        cairn_plot_bar(plot, series, i, &left, &width);
        cairn_box box = pile_box(plot, left, width, series->y[i]);
        if (series->high) box.height -= pile_box(plot, left, 0, series->high[i]).height;
        if (width >= 0.75) {
            canvas->rectangle(canvas, box, 0, &style);
            continue;
        }
        box.x = floor(left);
        box.width = 1;
        if (joined.width > 0 && joined.x == box.x) {
            double low = fmax(joined.y + joined.height, box.y + box.height);
            joined.y = fmin(joined.y, box.y);
            joined.height = low - joined.y;
        } else {
            if (joined.width > 0) canvas->rectangle(canvas, joined, 0, &style);
            joined = box;
        }
    }
    if (joined.width > 0) canvas->rectangle(canvas, joined, 0, &style);
}

/* Several histograms are drawn over each other with their tops outlined; piled ones start where the
 * one below ends, at `high`. */
static void draw_histogram(cairn_plot *plot, cairn_canvas *canvas, const cairn_series *series)
{
    cairn_style style =
        cairn_fill_style(cairn_group_fill((int64_t)cairn_series_colour(plot->figure, series)));
    bool several = plot->figure->counts[CAIRN_HISTOGRAM] > 1 && !plot->figure->stacked;
    cairn_style edge = cairn_line_style(style.fill, 1.6);
    style.opacity = several ? 0.45 : 0.85;
    if (series->n <= 150) {
        style.stroke = 0xFFFFFF;
        style.width = 0.7;
    }
    for (size_t i = 0; i < series->n; i++) {
        double left = cairn_axis_place(&plot->x, series->x[i]);
        double right = cairn_axis_place(&plot->x, series->x[i + 1]);
        if (isnan(left) || isnan(right) || !cairn_axis_shows(&plot->y, series->y[i])) continue;
        cairn_box box = pile_box(plot, fmin(left, right), fabs(right - left), series->y[i]);
        if (series->high) box.height -= pile_box(plot, left, 0, series->high[i]).height;
        if (box.height > 0) canvas->rectangle(canvas, box, 0, &style);
        if (!several) continue;
        double top = series->y[i] < 0 ? box.y + box.height : box.y;
        const double line[] = {box.x, top, box.x + box.width, top};
        canvas->path(canvas, line, 2, false, &edge); /* whose bar it is, where they overlap */
    }
}

/* Rules differ in their dash; one without a label belongs to the labelled one before it. */
static size_t rule_dash(const cairn_plot *plot, const cairn_series *series)
{
    const cairn_series *at = series;
    while (!at->label && at > plot->figure->series) at--;
    return at->kind == series->kind && at->label ? at->ordinal : series->ordinal;
}

static void draw_rule(cairn_plot *plot, cairn_canvas *canvas, const cairn_series *series)
{
    cairn_style style = cairn_line_style(CAIRN_QUIET, 1.3);
    cairn_box area = plot->area;
    style.dash = 1 + (int)(rule_dash(plot, series) % CAIRN_N_DASHES);
    if (series->kind == CAIRN_RULE_X && cairn_axis_shows(&plot->x, series->x[0])) {
        double x = cairn_axis_place(&plot->x, series->x[0]);
        const double line[] = {x, area.y, x, area.y + area.height};
        canvas->path(canvas, line, 2, false, &style);
    }
    if (series->kind == CAIRN_RULE_Y && cairn_axis_shows(&plot->y, series->y[0])) {
        double y = cairn_axis_place(&plot->y, series->y[0]);
        const double line[] = {area.x, y, area.x + area.width, y};
        canvas->path(canvas, line, 2, false, &style);
    }
}

cairn_canvas_shape cairn_mark_shape(const cairn_figure *figure, const cairn_series *series)
{
    static const cairn_canvas_shape shapes[] = {CAIRN_DISC, CAIRN_SQUARE, CAIRN_DIAMOND,
                                                CAIRN_TRIANGLE};
    const char *known[4] = {NULL};
    size_t n = 0;
    if (series->square) return CAIRN_SQUARE;
    for (size_t s = 0; s < figure->n_series && series->label && n < 4; s++) {
        const char *label = figure->series[s].label;
        bool old = figure->series[s].kind != CAIRN_MARK || !label || figure->series[s].square;
        for (size_t i = 0; i < n && !old; i++) old = cairn_same(known[i], label);
        if (old) continue;
        if (cairn_same(label, series->label)) return shapes[n];
        known[n++] = label;
    }
    return CAIRN_DISC;
}

const char *cairn_mark_letter(cairn_canvas_shape shape)
{
    return shape == CAIRN_SQUARE     ? "▣"
           : shape == CAIRN_DIAMOND  ? "◈"
           : shape == CAIRN_TRIANGLE ? "△"
                                     : "◎";
}

void cairn_draw_ring(cairn_canvas *canvas, cairn_canvas_shape shape, double x, double y,
                     double radius, const cairn_style *style)
{
    double xy[2 * CAIRN_OUTLINE_SIZE];
    if (shape == CAIRN_DISC) {
        canvas->circle(canvas, x, y, radius, style);
        return;
    }
    size_t n = cairn_shape_outline(shape, radius, xy);
    for (size_t i = 0; i < n; i++) xy[2 * i] += x, xy[2 * i + 1] += y;
    canvas->path(canvas, xy, n, true, style);
}

static void draw_mark(cairn_plot *plot, cairn_canvas *canvas, const cairn_series *series)
{
    double x = cairn_axis_place(&plot->x, series->x[0]);
    double y = cairn_axis_place(&plot->y, series->y[0]);
    cairn_style halo = cairn_line_style(0xFFFFFF, 4.5), ring = cairn_line_style(0x1A1A1A, 2);
    if (isnan(x) || isnan(y)) return;
    cairn_draw_ring(canvas, cairn_mark_shape(plot->figure, series), x, y, 6.5, &halo);
    cairn_draw_ring(canvas, cairn_mark_shape(plot->figure, series), x, y, 6.5, &ring);
}

/* -- points -- */

typedef struct shown_points {
    uint32_t *index; /* which points of the series are drawn */
    size_t n;
} shown_points;

static int64_t group_of(const cairn_series *series, size_t i)
{
    return series->group ? series->group[i] : 0;
}

/* Of too many points those that others cover are dropped first, and only then every so many: the
 * picture stays the same as long as possible. */
static cairn_status choose_points(const cairn_plot *plot, const cairn_series *series,
                                  shown_points *shown)
{
    CHECK(SCRATCH_RAW(plot->ctx, &shown->index, series->n));
    shown->n = 0;
    for (size_t i = 0; i < series->n && i < UINT32_MAX; i++)
        if (cairn_axis_shows(&plot->x, series->x[i]) && cairn_axis_shows(&plot->y, series->y[i]))
            shown->index[shown->n++] = (uint32_t)i;
    if (plot->n_points <= CAIRN_MOST_SHOWN) return CAIRN_OK;
    int32_t *taken;
    size_t columns = (size_t)(plot->area.width * 1.5) + 2;
    size_t rows = (size_t)(plot->area.height * 1.5) + 2;
    CHECK(SCRATCH(plot->ctx, &taken, columns * rows));
    /* Keep points whose cell is not yet taken by the same group; `taken` has one slot per cell. */
    size_t kept = 0;
    for (size_t k = 0; k < shown->n; k++) {
        size_t i = shown->index[k];
        double x = cairn_axis_place(&plot->x, series->x[i]) - plot->area.x;
        double y = cairn_axis_place(&plot->y, series->y[i]) - plot->area.y;
        if (x < 0 || y < 0 || x >= plot->area.width || y >= plot->area.height) continue;
        size_t cell = (size_t)(x * 1.5) + (size_t)(y * 1.5) * columns;
        if (cell >= columns * rows) continue;
        int32_t mark = (int32_t)(group_of(series, i) + 2);
        if (taken[cell] == mark) continue;
        taken[cell] = mark;
        shown->index[kept++] = (uint32_t)i;
    }
    shown->n = kept;
    size_t step = (shown->n + CAIRN_MOST_SHOWN - 1) / CAIRN_MOST_SHOWN;
    for (size_t k = 0; step > 1 && k * step < shown->n; k++)
        shown->index[k] = shown->index[k * step];
    if (step > 1) shown->n = (shown->n + step - 1) / step;
    return CAIRN_OK;
}

static double point_radius(size_t n)
{
    return n > 5000 ? 1.4 : n > 1500 ? 2 : n > 300 ? 2.7 : 3.5;
}

cairn_canvas_shape cairn_marking_shape(cairn_marking marking, int64_t group)
{
    bool shapes = marking == CAIRN_MARKING_SHAPES || marking == CAIRN_MARKING_NAMES;
    if (shapes || group < 0 || group > 1) return cairn_group_shape(group);
    if (marking == CAIRN_MARKING_HOLLOW) return CAIRN_DISC;
    return group ? CAIRN_MINUS : CAIRN_PLUS;
}

/* Marks have a thin white edge where there is room for it; hollow ones are their edge. */
cairn_style cairn_marking_style(cairn_marking marking, int64_t group, double radius)
{
    cairn_style style = cairn_fill_style(cairn_group_colour(group));
    style.opacity = 0.85;
    if (marking == CAIRN_MARKING_HOLLOW && group == 0) {
        style.stroke = style.fill;
        style.fill = 0xFFFFFF;
        style.width = 1.6;
        style.opacity = 1;
    } else if (radius > 2) {
        style.stroke = 0xFFFFFF;
        style.width = 0.6;
    }
    return style;
}

/* A point of several that are ordered by place, then by group. */
typedef struct placed {
    double x, y;
    int64_t group;
} placed;

static int by_place(const void *a, const void *b)
{
    const placed *p = a, *q = b;
    if (p->x != q->x) return p->x < q->x ? -1 : 1;
    if (p->y != q->y) return p->y < q->y ? -1 : 1;
    return (p->group > q->group) - (p->group < q->group);
}

/* One place with points of n groups, each once: the marks grow towards the back. */
static void draw_nest(cairn_plot *plot, cairn_canvas *canvas, const placed *at, size_t n,
                      double radius)
{
    enum { MOST_NESTED = 4 };
    cairn_marking marking = plot->figure->marking;
    for (size_t i = n > MOST_NESTED ? n - MOST_NESTED : 0; i < n; i++) {
        double size = radius * (1 + 0.6 * (double)(n - 1 - i));
        double xy[] = {cairn_axis_place(&plot->x, at[i].x), cairn_axis_place(&plot->y, at[i].y)};
        cairn_style style = cairn_marking_style(marking, at[i].group, size);
        style.opacity = 1;
        canvas->marks(canvas, cairn_marking_shape(marking, at[i].group), size, xy, 1, &style);
    }
}

/* Draw the chosen points group by group; group -1 first, it is the background. */
static cairn_status draw_points(cairn_plot *plot, cairn_canvas *canvas, const cairn_series *series)
{
    shown_points shown = {0};
    double *xy;
    if (plot->figure->marking == CAIRN_MARKING_NAMES) {
        plot->n_shown += series->n;
        return CAIRN_OK;
    }
    CHECK(choose_points(plot, series, &shown));
    CHECK(SCRATCH_RAW(plot->ctx, &xy, 2 * shown.n));
    int64_t n_groups = (int64_t)cairn_figure_n_groups(plot->figure);
    double radius = point_radius(shown.n) * (plot->figure->marking == CAIRN_MARKING_SIGNS    ? 1.5
                                             : plot->figure->marking == CAIRN_MARKING_HOLLOW ? 1.2
                                                                                             : 1);
    size_t passes = n_groups > 1 && shown.n > 500 ? 7 : 1; /* so that no group covers the rest */
    for (size_t turn = 0; turn < passes * (size_t)(n_groups + 1); turn++) {
        int64_t g = (int64_t)(turn % (size_t)(n_groups + 1)) - 1;
        size_t n = 0;
        for (size_t k = turn / (size_t)(n_groups + 1); k < shown.n; k += passes) {
            size_t i = shown.index[k];
            int64_t group = group_of(series, i);
            if (group < 0) group = -1;
            if (group >= n_groups) group = n_groups - 1;
            if (group != g) continue;
            xy[2 * n] = cairn_axis_place(&plot->x, series->x[i]);
            xy[2 * n++ + 1] = cairn_axis_place(&plot->y, series->y[i]);
        }
        cairn_marking marking = plot->figure->marking;
        cairn_style style = cairn_marking_style(marking, g, radius);
        if (n) canvas->marks(canvas, cairn_marking_shape(marking, g), radius, xy, n, &style);
        plot->n_shown += n;
    }
    /* Draw the places that points of several groups share. */
    enum { MOST_COMPARED = 5000 };
    placed *at;
    if (!series->group || shown.n > MOST_COMPARED) return CAIRN_OK;
    CHECK(SCRATCH_RAW(plot->ctx, &at, shown.n));
    for (size_t k = 0; k < shown.n; k++) {
        size_t i = shown.index[k];
        at[k] = (placed){series->x[i], series->y[i], group_of(series, i)};
    }
    qsort(at, shown.n, sizeof *at, by_place);
    for (size_t k = 0, end; k < shown.n; k = end) {
        size_t n = 1; /* groups of the place, moved to its beginning */
        for (end = k + 1; end < shown.n && at[end].x == at[k].x && at[end].y == at[k].y; end++)
            if (at[end].group != at[k + n - 1].group) at[k + n++] = at[end];
        if (n > 1) draw_nest(plot, canvas, at + k, n, radius);
    }
    return CAIRN_OK;
}

/* Longest series, for one buffer that serves them all. */
static size_t longest(const cairn_figure *figure)
{
    size_t most = 0;
    for (size_t s = 0; s < figure->n_series; s++)
        if (figure->series[s].n > most) most = figure->series[s].n;
    return most;
}

static cairn_status draw_series(cairn_plot *plot, cairn_canvas *canvas, const cairn_series *series,
                                double *xy)
{
    switch (series->kind) {
    case CAIRN_BAND: draw_band(plot, canvas, series, xy); break;
    case CAIRN_LINE: draw_line(plot, canvas, series, xy); break;
    case CAIRN_FACE: draw_face(plot, canvas, series, xy); break;
    case CAIRN_COLOURS: draw_colours(plot, canvas, series); break;
    case CAIRN_BARS: draw_bars(plot, canvas, series); break;
    case CAIRN_HISTOGRAM: draw_histogram(plot, canvas, series); break;
    case CAIRN_RULE_X:
    case CAIRN_RULE_Y: draw_rule(plot, canvas, series); break;
    case CAIRN_MARK: draw_mark(plot, canvas, series); break;
    case CAIRN_POINTS: return draw_points(plot, canvas, series);
    default: break;
    }
    return CAIRN_OK;
}

cairn_status cairn_plot_series(cairn_plot *plot, cairn_canvas *canvas)
{
    static const struct {
        cairn_series_kind kind;
        bool guide; /* guides lie behind the points */
    } order[] = {{CAIRN_BAND, false},    {CAIRN_FACE, false},   {CAIRN_HISTOGRAM, false},
                 {CAIRN_BARS, false},    {CAIRN_RULE_X, false}, {CAIRN_RULE_Y, false},
                 {CAIRN_COLOURS, false}, {CAIRN_LINE, true},    {CAIRN_POINTS, false},
                 {CAIRN_LINE, false},    {CAIRN_MARK, false}};
    const cairn_figure *figure = plot->figure;
    double *xy;
    CHECK(SCRATCH_RAW(plot->ctx, &xy, 4 * longest(figure)));
    plot->n_shown = 0;
    for (size_t k = 0; k < sizeof order / sizeof *order; k++)
        for (size_t s = 0; s < figure->n_series; s++)
            if (figure->series[s].kind == order[k].kind &&
                figure->series[s].guide == order[k].guide)
                CHECK(draw_series(plot, canvas, &figure->series[s], xy));
    return cairn_plot_labels(plot, canvas);
}
