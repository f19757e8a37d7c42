/* SPDX-License-Identifier: MIT */
/* Labels of points. Those of one place are lines of one block, of many only the first. A block
 * tries places around its point, and takes the one that costs least: it may cover neither another
 * label nor a mark nor the legend, and should cover few points, heads of arrows and lines, and stay
 * near its point. What it covers all the same is dimmed behind its letters. One that stands away is
 * joined to its point by a thin line; one that finds no place is left out, unless its point is
 * marked. */
#include "base/functions.h"
#include "base/memory.h"
#include "draw/plot.h"
#include <math.h>
#include <stdio.h>

static const double line_step = 12, letters = CAIRN_TICK_SIZE;

enum { MOST_LINES = 4, MOST_WEIGHED = 4000 };

typedef struct buffer {
    cairn_plot *plot;
    cairn_canvas *canvas;
    cairn_box *placed;
    size_t n;
    double (*leaders)[4]; /* lines from points to labels: x and y of both ends */
    size_t n_leaders;
    bool *done; /* of each series */
} buffer;

typedef struct block {
    double x, y; /* its point on the canvas */
    double width, height;
    size_t first, lines; /* series of the first label, and how many stand at its place */
    size_t shown;        /* lines of the block; the last counts the others where there are more */
} block;

static bool boxes_meet(cairn_box a, cairn_box b)
{
    return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height &&
           b.y < a.y + a.height;
}

static bool is_free(const buffer *r, cairn_box box)
{
    const cairn_box area = r->plot->area;
    const double slack = 1e-6; /* of a box that was moved to the border */
    if (box.x < area.x - slack || box.y < area.y - slack ||
        box.x + box.width > area.x + area.width + slack ||
        box.y + box.height > area.y + area.height + slack)
        return false;
    if (r->plot->has_legend && boxes_meet(box, r->plot->legend.box)) return false;
    box.y -= 2; /* so that neighbours do not read as one block */
    box.height += 4;
    for (size_t i = 0; i < r->n; i++)
        if (boxes_meet(box, r->placed[i])) return false;
    return true;
}

/* The rings of marks take their place before any label. */
static void place_marks(buffer *r)
{
    const cairn_plot *plot = r->plot;
    for (size_t s = 0; s < plot->figure->n_series; s++) {
        const cairn_series *series = &plot->figure->series[s];
        if (series->kind != CAIRN_MARK) continue;
        double x = cairn_axis_place(&plot->x, series->x[0]);
        double y = cairn_axis_place(&plot->y, series->y[0]);
        if (!isnan(x) && !isnan(y)) r->placed[r->n++] = (cairn_box){x - 7, y - 7, 14, 14};
    }
}

/* -- what a place costs -- */

/* The part of a segment between two parallel borders, as shares of its length. */
static void cut_segment(double from, double step, double low, double high, double *enter,
                        double *leave)
{
    if (fabs(step) < 1e-12) {
        if (from < low || from > high) *leave = -1;
        return;
    }
    double a = (low - from) / step, b = (high - from) / step;
    *enter = fmax(*enter, fmin(a, b));
    *leave = fmin(*leave, fmax(a, b));
}

static bool segment_meets(cairn_box box, double x1, double y1, double x2, double y2)
{
    double enter = 0, leave = 1;
    cut_segment(x1, x2 - x1, box.x, box.x + box.width, &enter, &leave);
    cut_segment(y1, y2 - y1, box.y, box.y + box.height, &enter, &leave);
    return enter <= leave;
}

/* The head of an arrow is a large part of what it says. */
static double line_cost(const cairn_plot *plot, const cairn_series *series, cairn_box box)
{
    double each = series->faint ? 0.1 : series->guide ? 2 : 4, cost = 0, heads = 0;
    for (size_t i = 1; i < series->n; i++) {
        double x1 = cairn_axis_place(&plot->x, series->x[i - 1]);
        double y1 = cairn_axis_place(&plot->y, series->y[i - 1]);
        double x2 = cairn_axis_place(&plot->x, series->x[i]);
        double y2 = cairn_axis_place(&plot->y, series->y[i]);
        if (isnan(x1 + y1 + x2 + y2)) continue;
        if (segment_meets(box, x1, y1, x2, y2)) cost += each;
        double length = cairn_hypot(x2 - x1, y2 - y1), part = length > 0 ? fmin(22 / length, 1) : 0;
        if (series->arrow && i + 1 == series->n &&
            segment_meets((cairn_box){box.x - 3, box.y - 3, box.width + 6, box.height + 6},
                          x2 + part * (x1 - x2), y2 + part * (y1 - y2), x2, y2))
            heads += 12;
    }
    return fmin(cost, series->faint ? 0.5 : each) + heads;
}

static double points_cost(const cairn_plot *plot, const cairn_series *series, cairn_box box)
{
    double cost = 0;
    cairn_box wide = {box.x - 3, box.y - 2, box.width + 6, box.height + 4};
    for (size_t i = 0; i < series->n; i++) {
        double x = cairn_axis_place(&plot->x, series->x[i]);
        double y = cairn_axis_place(&plot->y, series->y[i]);
        if (x > wide.x && x < wide.x + wide.width && y > wide.y && y < wide.y + wide.height)
            cost += 6;
    }
    return cost;
}

/* Very long series have no say: their points are a background. */
static double cost_of(const cairn_plot *plot, cairn_box box)
{
    double cost = 0;
    for (size_t s = 0; s < plot->figure->n_series; s++) {
        const cairn_series *series = &plot->figure->series[s];
        if (series->n > MOST_WEIGHED) continue;
        if (series->kind == CAIRN_LINE) cost += line_cost(plot, series, box);
        if (series->kind == CAIRN_POINTS) cost += points_cost(plot, series, box);
    }
    return cost;
}

/* -- placing -- */

/* Where the block stands to its point: -1 left, 0 in the middle, 1 right; above or below (2 or -2:
 * only a little, beside it); and how far away. */
static cairn_box place_at(const buffer *r, const block *b, int across, int up, double away)
{
    cairn_box area = r->plot->area;
    bool beside = up == 0 || up == 2 || up == -2;
    double side = across ? (beside ? 6 + away : 6) : 0;
    double middle = up ? (across ? 2 + away : 7 + away) : 0;
    cairn_box box = {.width = b->width, .height = b->height};
    box.x = across > 0 ? b->x + side : across < 0 ? b->x - side - b->width : b->x - b->width / 2;
    if (!across) box.x = fmax(fmin(box.x, area.x + area.width - b->width), area.x);
    box.y = beside   ? b->y - b->height / 2 - 2 * up
            : up > 0 ? b->y - middle - b->height
                     : b->y + middle;
    return box;
}

/* The places that are tried: twelve around the point, in rings. */
enum { AROUND = 12, RINGS = 9, TRIES = AROUND * RINGS };

static cairn_box try_place(const buffer *r, const block *b, int k, double *price)
{
    static const int around[AROUND][2] = {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}, {0, 1},   {0, -1},
                                          {1, 0}, {-1, 0}, {1, -2}, {1, 2},   {-1, -2}, {-1, 2}};
    int ring = k / AROUND;
    double away = 7.0 * ring;
    *price = 0.05 * (k % AROUND) + 0.4 * away;
    return place_at(r, b, around[k % AROUND][0], around[k % AROUND][1], away);
}

/* The line from the point to a block that stands away from it; false where it needs none. */
static bool leader_of(const block *b, cairn_box box, double line[4])
{
    double x = fmin(fmax(b->x, box.x), box.x + box.width);
    double y = fmin(fmax(b->y, box.y + 1), box.y + box.height - 1);
    double length = cairn_hypot(x - b->x, y - b->y);
    if (!(length > 13)) return false;
    line[0] = b->x + 4 * (x - b->x) / length;
    line[1] = b->y + 4 * (y - b->y) / length;
    line[2] = x;
    line[3] = y;
    return true;
}

/* A line that runs through a label belongs to neither for the eye. */
static double leaders_cost(const buffer *r, const block *b, cairn_box box)
{
    const double each = 8;
    double line[4], cost = 0;
    for (size_t i = 0; i < r->n_leaders; i++) {
        const double *other = r->leaders[i];
        if (segment_meets(box, other[0], other[1], other[2], other[3])) cost += each;
    }
    if (!leader_of(b, box, line)) return cost;
    for (size_t i = 0; i < r->n; i++)
        if (segment_meets(r->placed[i], line[0], line[1], line[2], line[3])) cost += each;
    return cost;
}

static bool choose(const buffer *r, const block *b, cairn_box *chosen)
{
    double best = INFINITY, price;
    for (int k = 0; k < TRIES; k++) {
        cairn_box box = try_place(r, b, k, &price);
        if (price >= best || !is_free(r, box)) continue;
        price += cost_of(r->plot, box) + leaders_cost(r, b, box);
        if (price >= best) continue;
        best = price;
        *chosen = box;
    }
    return best < INFINITY;
}

/* In a corner of the area there is little choice. */
static bool is_cornered(const buffer *r, const block *b)
{
    int n = 0;
    double price;
    for (int k = 0; k < TRIES; k++) n += is_free(r, try_place(r, b, k, &price));
    return n < TRIES / 2;
}

/* -- blocks -- */

static const cairn_series *series_at(const buffer *r, size_t s)
{
    return &r->plot->figure->series[s];
}

static bool is_line_of(const buffer *r, const block *b, size_t s)
{
    const cairn_series *series = series_at(r, s), *first = series_at(r, b->first);
    return s == b->first || (series->kind == CAIRN_LABEL && !series->align && !first->align &&
                             series->x[0] == first->x[0] && series->y[0] == first->y[0]);
}

/* The label as it is drawn: cut when it is very long, but not where the figure placed it. */
static const char *fitted(buffer *r, const cairn_series *series)
{
    const char *label = series->label;
    if (!series->align && !r->canvas->status)
        r->canvas->status = cairn_fit_text(r->plot->ctx, &label, series->label, letters, false,
                                           fmax(0.45 * r->plot->area.width, 60));
    return r->canvas->status ? "" : label;
}

static block measure(buffer *r, size_t first)
{
    const cairn_series *series = series_at(r, first);
    block b = {.x = cairn_axis_place(&r->plot->x, series->x[0]),
               .y = cairn_axis_place(&r->plot->y, series->y[0]),
               .first = first};
    for (size_t s = first; s < r->plot->figure->n_series; s++) {
        if (!is_line_of(r, &b, s)) continue;
        b.width = fmax(b.width, cairn_measure(fitted(r, series_at(r, s)), letters, false));
        b.lines++;
    }
    b.shown = b.lines > MOST_LINES + 1 ? MOST_LINES + 1 : b.lines;
    b.height = line_step * (double)b.shown;
    return b;
}

static void draw_leader(buffer *r, const block *b, cairn_box box)
{
    double *line = r->leaders[r->n_leaders];
    cairn_style style = cairn_line_style(0x999999, 0.7);
    if (!leader_of(b, box, line)) return;
    r->n_leaders++;
    r->canvas->path(r->canvas, line, 2, false, &style);
}

/* Dim what lies behind a line of a block. */
static void draw_veil(buffer *r, const char *label, double x, double y, bool left)
{
    double width = cairn_measure(label, letters, false);
    cairn_style style = cairn_fill_style(0xFFFFFF);
    cairn_box box = {left ? x - width : x, y - letters + 1, width, letters + 1.5};
    style.opacity = 0.75;
    r->canvas->rectangle(r->canvas, box, 2, &style);
}

/* Whether the point of the block has a mark, so that its label has to be there. */
static bool is_marked(const buffer *r, const block *b)
{
    const cairn_series *point = series_at(r, b->first);
    for (size_t s = 0; s < r->plot->figure->n_series; s++) {
        const cairn_series *series = series_at(r, s);
        if (series->kind == CAIRN_MARK && series->x[0] == point->x[0] &&
            series->y[0] == point->y[0])
            return true;
    }
    return false;
}

/* A marked one that finds no place stands to the right, inside the area. */
static void draw_block(buffer *r, const block *b)
{
    const cairn_figure *figure = r->plot->figure;
    cairn_box area = r->plot->area, box = place_at(r, b, 1, 1, 0);
    char align = series_at(r, b->first)->align;
    cairn_font font = cairn_plain_font(letters, CAIRN_START);
    double line = 0;
    for (size_t s = b->first; s < figure->n_series; s++)
        if (is_line_of(r, b, s)) r->done[s] = true;
    if (align == 'm') {
        box.x = fmin(b->x - b->width / 2, area.x + area.width - b->width);
        box.x = fmax(box.x, area.x);
        box.y = b->y - b->height / 2 - 0.5;
        font.colour = cairn_group_colour(series_at(r, b->first)->of_group);
        font.bold = true;
    } else if (align) {
        box.x = b->x - (align == 'c' ? 0.5 : align == 'r' ? 1 : 0) * b->width;
    } else if (!choose(r, b, &box)) {
        if (!is_marked(r, b)) return;
        box.x = fmax(fmin(box.x, area.x + area.width - b->width), area.x);
        box.y = fmax(box.y, area.y);
    }
    r->placed[r->n++] = box;
    if (!align) draw_leader(r, b, box);
    bool left = align != 'm' && box.x + b->width < b->x; /* lines end at the point */
    bool veil = !align && cost_of(r->plot, box) > 0;
    if (left) font.align = CAIRN_END;
    for (size_t s = b->first; s < figure->n_series && line < (double)b->shown; s++) {
        char more[40];
        if (!is_line_of(r, b, s)) continue;
        const char *label = fitted(r, series_at(r, s));
        if (line >= MOST_LINES && b->lines > b->shown) {
            (void)snprintf(more, sizeof more, "and %zu more", b->lines - MOST_LINES);
            label = more;
        }
        double x = box.x + (left ? b->width : 0), y = box.y + line_step * line++ + letters;
        if (r->canvas->status) return;
        if (veil) draw_veil(r, label, x, y, left);
        r->canvas->text(r->canvas, x, y, label, &font);
    }
}

cairn_status cairn_plot_labels(cairn_plot *plot, cairn_canvas *canvas)
{
    const cairn_figure *figure = plot->figure;
    buffer r = {.plot = plot, .canvas = canvas};
    CHECK(canvas->status);
    CHECK(SCRATCH(plot->ctx, &r.placed, figure->counts[CAIRN_LABEL] + figure->counts[CAIRN_MARK]));
    CHECK(SCRATCH(plot->ctx, &r.leaders, figure->counts[CAIRN_LABEL] + 1));
    CHECK(SCRATCH(plot->ctx, &r.done, figure->n_series));
    place_marks(&r);
    for (int turn = 0; turn < 2; turn++)
        for (size_t s = 0; s < figure->n_series; s++) {
            if (series_at(&r, s)->kind != CAIRN_LABEL || r.done[s]) continue;
            block b = measure(&r, s);
            CHECK(canvas->status);
            if (isnan(b.x) || isnan(b.y)) continue;
            if (turn || is_cornered(&r, &b)) draw_block(&r, &b); /* who has least choice is first */
            CHECK(canvas->status);
        }
    return CAIRN_OK;
}
