/* SPDX-License-Identifier: MIT */
/* cairn compute version-line, version-discs and version-boxes: all thresholds, discs and boxes that
 * agree with the labelled points. What they share stands first: the points of a table and the
 * figures.
 *
 * cairn compute version-boxes: the boxes with sides along the axes that hold all positive points
 * and no negative one, by their two boundaries: the tightest box and all largest ones. */
#include "base/memory.h"
#include "base/sort_by.h"
#include "base/number.h"
#include "model/calculator.h"
#include "concepts/shapes.h"
#include "typed/concept_data.h"
#include "plots/number_line.h"
#include "base/functions.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct shape_data {
    cairn_labelled points; /* rows with a class */
    const char **columns;  /* d names */
    const char **names;    /* of the rows */
    const char *positive, *target;
    size_t n_left_out; /* rows without a class */
} shape_data;

/* The choices of --form: all, then the four forms, where those begin who take one of them. */
enum { CAIRN_ALL_FORMS = -1 };

typedef struct boxes_look {
    const double *special;      /* the tightest box; NULL = not drawn */
    const cairn_boxes *general; /* the largest boxes; NULL = not drawn */
    const cairn_boxes *typed;   /* further boxes; NULL = none */
    bool shade;                 /* the region between */
    cairn_marking marking;
} boxes_look;

/* -- points of a table -- */

/* The number columns among the features. */
static cairn_status choose_columns(cairn_context *ctx, const cairn_view *view, size_t **out,
                                   size_t *n, size_t wanted, const char *what)
{
    *n = 0;
    CHECK(SCRATCH(ctx, out, view->n_features));
    for (size_t j = 0; j < view->n_features; j++)
        if (view->features[j]->kind == CAIRN_NUMBER) (*out)[(*n)++] = j;
    if (!*n || (wanted && *n != wanted))
        CHECK(
            cairn_fail(ctx, CAIRN_USAGE,
                       "'%s' needs %s number column%s beside the target, and there %s %zu; choose "
                       "with {features}",
                       what,
                       wanted == 1   ? "one"
                       : wanted == 2 ? "two"
                                     : "a",
                       wanted == 2 ? "s" : "", *n == 1 ? "is" : "are", *n));
    return CAIRN_OK;
}

/* The number columns of the table, or those of a comma-separated list; others are left out. A
 * missing cell fails. `d` 0 = any number of columns, else just so many. Scratch. */
static cairn_status shape_data_read(cairn_context *ctx, shape_data *out, const cairn_table *table,
                                    size_t d, const char *positive, const char *what)
{
    cairn_view view;
    size_t *columns, n = 0, width;
    int8_t *classes;
    double *x;
    uint8_t *labels;
    const char **names;
    *out = (shape_data){0};
    if (!table) return cairn_fail(ctx, CAIRN_USAGE, "'%s' needs a table of points", what);
    CHECK(cairn_view_make(ctx, &view, table, cairn_all_rows(table)));
    CHECK(cairn_read_positive(ctx, &view, positive, what, &classes, &out->positive));
    CHECK(choose_columns(ctx, &view, &columns, &width, d, what));
    CHECK(SCRATCH(ctx, &x, cairn_product(view.rows.n, width)));
    CHECK(SCRATCH(ctx, &labels, view.rows.n));
    CHECK(SCRATCH(ctx, &out->columns, width));
    CHECK(cairn_row_names(ctx, table, &names));
    for (size_t j = 0; j < width; j++) out->columns[j] = view.names[columns[j]];
    for (size_t i = 0; i < view.rows.n; i++) {
        if (classes[i] < 0) continue;
        for (size_t j = 0; j < width; j++) {
            x[n * width + j] = view.features[columns[j]]->numbers[i];
            if (!isfinite(x[n * width + j]))
                CHECK(cairn_fail(
                    ctx, CAIRN_BAD_DATA,
                    "%s: row %zu has no finite number in the column '%s'; fill it (transform "
                    "impute) or drop such rows ({where '`%s` is not missing'})",
                    table->source ? table->source : "the table", i + 1, out->columns[j],
                    out->columns[j]));
        }
        names[n] = names[i];
        labels[n++] = classes[i] == 1;
    }
    out->points = (cairn_labelled){x, n, width, labels};
    out->names = names;
    out->target = view.target_name;
    out->n_left_out = view.rows.n - n;
    return CAIRN_OK;
}

/* Lowest and highest value of a column with some room at both ends. */
static void shape_range(const shape_data *data, size_t column, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t i = 0; i < data->points.n; i++) {
        double x = data->points.x[i * data->points.d + column];
        if (x < *low) *low = x;
        if (x > *high) *high = x;
    }
    double buffer = *high > *low ? 0.08 * (*high - *low) : 1;
    *low -= buffer;
    *high += buffer;
}

/* A figure with the two classes as points of columns 0 and 1 (all at height 0 when there is one
 * column only). */
static cairn_status shape_figure(cairn_context *ctx, cairn_figure **out, const shape_data *data,
                                 const char *name, const char *title)
{
    size_t n = data->points.n, d = data->points.d;
    double *x, *y, low, high;
    int32_t *group;
    char positive[80];
    *out = NULL;
    CHECK(SCRATCH_EACH(ctx, n, &x, &y, &group));
    for (size_t i = 0; i < n; i++) {
        x[i] = data->points.x[i * d];
        y[i] = d > 1 ? data->points.x[i * d + 1] : 0;
        group[i] = !data->points.positive[i];
    }
    snprintf(positive, sizeof positive, "%s = %s", data->target, data->positive);
    const char *names[2] = {positive, "other"};
    CHECK(cairn_figure_new(ctx, out, name, title));
    cairn_figure_axes(*out, data->columns[0], d > 1 ? data->columns[1] : "");
    shape_range(data, 0, &low, &high);
    cairn_figure_x_range(*out, low, high);
    if (d > 1) {
        shape_range(data, 1, &low, &high);
        cairn_figure_y_range(*out, low, high);
    }
    cairn_figure_points(*out, x, y, group, n, names, 2);
    return CAIRN_OK;
}

/* -- thresholds -- */

static const cairn_choice form_choices[] = {
    {"all", CAIRN_ALL_FORMS, "the four forms side by side"},
    {"at-least", CAIRN_SIDE_AT_LEAST, "positive when x >= m"},
    {"above", CAIRN_SIDE_ABOVE, "positive when x > m"},
    {"at-most", CAIRN_SIDE_AT_MOST, "positive when x <= m"},
    {"below", CAIRN_SIDE_BELOW, "positive when x < m"},
    {NULL, 0, NULL}};

/* ">=" and so on. */
static const char *side_sign(cairn_side side)
{
    static const char *const signs[] = {">=", ">", "<=", "<"};
    return signs[side];
}

/* "17 < m <= 20", without the bounds that there are not; "none". */
static void thresholds_text(char *out, size_t size, const cairn_thresholds *t)
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

/* The points on their line with the room for m shaded. */
static cairn_status thresholds_figure(cairn_context *ctx, cairn_figure **out,
                                      const shape_data *data, const cairn_thresholds *t,
                                      cairn_side side, cairn_marking marking)
{
    char title[200], text[120], positive[120];
    double *x;
    int32_t *group;
    size_t n = data->points.n;
    CHECK(SCRATCH_EACH(ctx, n, &x, &group));
    for (size_t i = 0; i < n; i++) {
        x[i] = data->points.x[i * data->points.d];
        group[i] = !data->points.positive[i];
    }
    thresholds_text(text, sizeof text, t);
    snprintf(title, sizeof title, "Thresholds for %s %s m: %s", data->columns[0], side_sign(side),
             text);
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

/* Boxes from the lines of a repeated option --box: low,high of each column. Clear them. */
static cairn_status boxes_read(cairn_context *ctx, cairn_boxes *out, const char *typed, size_t d)
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
static bool lies_between(const boxes_look *look, const frame *f, double x, double y)
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
                                  const boxes_look *look)
{
    size_t n_boxes = look->general->n + 1, n = 2 * n_boxes, filled = 0;
    double *xs, *ys, *x, *low, *high, s[4];
    CHECK(SCRATCH_EACH(ctx, n, &xs, &ys));
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
    CHECK(SCRATCH_EACH(ctx, most, &x, &low, &high));
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

enum { MOST_SHADED = 100 };

/* Points of two columns with boxes. */
static cairn_status boxes_figure(cairn_context *ctx, cairn_figure **out, const shape_data *data,
                                 const boxes_look *look)
{
    /* The range of both columns with the sides of the boxes in it. */
    frame f;
    const cairn_boxes *lists[2] = {look->general, look->typed};
    for (size_t j = 0; j < 2; j++) shape_range(data, j, &f.side[2 * j], &f.side[2 * j + 1]);
    for (int l = 0; l < 2; l++)
        for (size_t i = 0; lists[l] && i < lists[l]->n * 4; i++) {
            double at = lists[l]->sides[i], *low = &f.side[i % 4 / 2 * 2];
            if (!isfinite(at)) continue;
            if (at < low[0]) low[0] = at;
            if (at > low[1]) low[1] = at;
        }
    size_t n_general = look->general ? look->general->n : 0;
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    CHECK(shape_figure(ctx, &figure, data, "version-boxes",
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
    CHECK(SCRATCH_EACH(ctx, MOST_CORNERS + 2, &out->x, &out->y, &work.x, &work.y));
    out->n = 4;
    for (size_t i = 0; i < 4; i++) {
        out->x[i] = f->side[i == 1 || i == 2];
        out->y[i] = f->side[2 + (i > 1)];
    }
    for (size_t cuts = 0; cuts < MOST_CORNERS && out->n && find_cut(points, out, ends); cuts++) {
        /* Keep what is nearer to p than to q. */
        const double *p = points->x + 2 * ends[0];
        const double *q = points->x + 2 * ends[1];
        work.n = 0;
        for (size_t i = 0; i < out->n; i++) {
            size_t next = i + 1 < out->n ? i + 1 : 0;
            double a = 2 * (q[0] - p[0]), b = 2 * (q[1] - p[1]);
            double c = q[0] * q[0] - p[0] * p[0] + q[1] * q[1] - p[1] * p[1];
            double here = a * out->x[i] + b * out->y[i] - c;
            double there = a * out->x[next] + b * out->y[next] - c;
            if (here <= 0) {
                work.x[work.n] = out->x[i];
                work.y[work.n++] = out->y[i];
            }
            if ((here < 0 && there > 0) || (here > 0 && there < 0)) {
                double part = here / (here - there);
                work.x[work.n] = out->x[i] + part * (out->x[next] - out->x[i]);
                work.y[work.n++] = out->y[i] + part * (out->y[next] - out->y[i]);
            }
        }
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
    CHECK(SCRATCH_EACH(ctx, p->n, &x, &low, &high));
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

/* Points of two columns, the region of admissible centres, the smallest disc, and for each typed
 * centre (lines of a repeated option --centre, may be NULL) its smallest and largest circle. */
static cairn_status discs_figure(cairn_context *ctx, cairn_figure **out, const shape_data *data,
                                 const char *centres, cairn_marking marking)
{
    polygon p = {0};
    cairn_disc disc;
    frame f;
    CHECK(cairn_disc_smallest(ctx, &disc, &data->points));
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    CHECK(shape_figure(ctx, &figure, data, "version-discs",
                       "Admissible centres and the smallest disc"));
    cairn_figure_equal_axes(figure);
    cairn_figure_marking(figure, marking);
    for (size_t j = 0; j < 2; j++) shape_range(data, j, &f.side[2 * j], &f.side[2 * j + 1]);
    if (!isnan(disc.radius)) {
        include_circle(&f, disc.x, disc.y, disc.radius);
        draw_circle(figure, "smallest disc", disc.x, disc.y, disc.radius, false);
    }
    /* A typed centre: its smallest admissible circle and the one that it must stay inside of. */
    const char *const *lines;
    CHECK(cairn_list_lines(ctx, centres, &lines));
    for (size_t i = 0; lines[i]; i++) {
        double *c, low, high;
        size_t n;
        char label[80];
        CHECK(cairn_list_numbers(ctx, "centre", lines[i], &c, &n));
        if (n != 2) CHECK(cairn_fail(ctx, CAIRN_USAGE, "{centre %s}: two numbers x,y", lines[i]));
        cairn_disc_radii(&data->points, c[0], c[1], &low, &high);
        cairn_figure_mark(figure, "centre", c[0], c[1]);
        include_circle(&f, c[0], c[1], fmax(low, isfinite(high) ? high : low));
        snprintf(label, sizeof label, "farthest positive from %s", lines[i]);
        draw_circle(figure, label, c[0], c[1], low, false);
        snprintf(label, sizeof label, "nearest negative to %s", lines[i]);
        if (isfinite(high)) draw_circle(figure, label, c[0], c[1], high, true);
    }
    CHECK(find_centres(ctx, &p, &data->points, &f));
    if (p.n > 2 && holds_a_centre(&data->points, &p)) {
        CHECK(fill_polygon(ctx, figure, &p, "admissible centres"));
        double *x, *y;
        CHECK(SCRATCH_EACH(ctx, p.n + 1, &x, &y));
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

/* -- compute version-line -- */

/* cairn compute version-line: the thresholds on a line that agree with labelled numbers, for the
 * four ways to write a threshold. */

typedef struct line_params {
    int form;
    const char *positive;
    cairn_list predict;
    int marks;
} line_params;

static const cairn_param line_table[] = {
    CAIRN_PARAM_CHOICE(line_params, form, "all", form_choices,
                       "what a hypothesis says; a picture of all has the first form"),
    CAIRN_PARAM(line_params, positive, NULL, NULL, "the class on the side of the threshold"),
    CAIRN_PARAM_CELLS(line_params, predict, NUMBERS, NULL, NULL,
                      "new numbers to decide, separated by commas"),
    CAIRN_PARAM_CHOICE(line_params, marks, "signs", cairn_marking_choices,
                       "how the two classes are marked in the picture"),
    CAIRN_PARAM_END,
};

static const char *const form_names[] = {"at_least", "above", "at_most", "below"};

/* A line of the table for one form, and its values. */
static void show_form(cairn_report *out, const shape_data *data, const cairn_thresholds *t,
                      cairn_side side)
{
    const char *name = form_names[side];
    char text[160];
    bool upwards = side == CAIRN_SIDE_AT_LEAST || side == CAIRN_SIDE_ABOVE;
    thresholds_text(text, sizeof text, t);
    cairn_report_cellf(out, "IF %s %s m THEN %s", data->columns[0], side_sign(side),
                       data->positive);
    cairn_report_prefix(out, "%s", name);
    cairn_report_cells(out, "@.text @.most_special @.most_general", text,
                       t->empty  ? NAN
                       : upwards ? t->high
                                 : t->low,
                       t->empty  ? NAN
                       : upwards ? t->low
                                 : t->high);
    cairn_report_hidden(out, t->empty, "%s.empty", name);
    cairn_report_hidden(out, t->empty ? NAN : t->low, "%s.low", name);
    cairn_report_hidden(out, t->empty ? NAN : t->high, "%s.high", name);
    cairn_report_hidden(out, t->low_open, "%s.low_open", name);
    cairn_report_hidden(out, t->high_open, "%s.high_open", name);
}

static void explain_empty(cairn_report *out, const shape_data *data, const cairn_thresholds *t,
                          cairn_side side)
{
    char negative[CAIRN_NUMBER_SIZE], positive[CAIRN_NUMBER_SIZE];
    cairn_number_format(negative, data->points.x[t->negative], CAIRN_SHORTEST);
    cairn_number_format(positive, data->points.x[t->positive], CAIRN_SHORTEST);
    cairn_report_note(
        out,
        "No threshold for %s %s m: row %s is positive at %s and row %s negative at %s, "
        "on the wrong side of each other.",
        data->columns[0], side_sign(side), data->names[t->positive], positive,
        data->names[t->negative], negative);
    cairn_report_hidden_word(out, data->names[t->positive], "%s.collapsed.positive",
                             form_names[side]);
    cairn_report_hidden_word(out, data->names[t->negative], "%s.collapsed.negative",
                             form_names[side]);
}

typedef struct labelled {
    double x;
    size_t row;
} labelled;

static int by_x(const void *a, const void *b)
{
    const labelled *p = a, *q = b;
    if (p->x != q->x) return p->x > q->x ? 1 : -1;
    return (p->row > q->row) - (p->row < q->row);
}

/* The numbers in order with their classes, and the two that bound the threshold of each form. */
static cairn_status work_line(cairn_context *ctx, cairn_report *out, const shape_data *data)
{
    size_t n = data->points.n;
    double ends[2][2] = {{INFINITY, -INFINITY}, {INFINITY, -INFINITY}};
    labelled *sorted;
    CHECK(SCRATCH(ctx, &sorted, n));
    for (size_t i = 0; i < n; i++) {
        double x = data->points.x[i], *end = ends[data->points.positive[i]];
        sorted[i] = (labelled){x, i};
        end[0] = fmin(end[0], x);
        end[1] = fmax(end[1], x);
    }
    if (n) qsort(sorted, n, sizeof *sorted, by_x);
    cairn_report_step_begin(out, "The numbers in order");
    cairn_report_table_of(out, "Numbers and classes", 0, "rll", data->columns[0], "row", "class");
    for (size_t i = 0; i < n && cairn_report_row_wanted(out); i++) {
        cairn_report_cells(out, NULL, sorted[i].x, data->names[sorted[i].row],
                           data->points.positive[sorted[i].row] ? "+" : "−");
    }
    cairn_report_table_of(out, "The ends of each class", 0, "lrr", "class", "least", "greatest");
    for (size_t k = 2; k-- > 0;) {
        bool any = ends[k][0] <= ends[k][1];
        cairn_report_cell(out, k ? "+" : "−");
        cairn_report_cell_number(out, any ? ends[k][0] : NAN, 0,
                                 k ? "positive.least" : "negative.least");
        cairn_report_cell_number(out, any ? ends[k][1] : NAN, 0,
                                 k ? "positive.greatest" : "negative.greatest");
    }
    cairn_report_formula(out, "x >= m:  max(−) < m <= min(+),   x <= m:  max(+) <= m < min(−)");
    if (ends[0][0] <= ends[0][1] && ends[1][0] <= ends[1][1]) {
        bool up = ends[0][1] < ends[1][0], down = ends[1][1] < ends[0][0];
        cairn_report_worked(out, NULL, up ? "x >= m:  # < m <= #" : "x >= m:  # < m <= #: no m",
                            ends[0][1], ends[1][0]);
        cairn_report_worked(out, NULL, down ? "x <= m:  # <= m < #" : "x <= m:  # <= m < #: no m",
                            ends[1][1], ends[0][0]);
    }
    cairn_report_step_end(out);
    return CAIRN_OK;
}

static cairn_status add_figure(cairn_context *ctx, cairn_report *out, const shape_data *data,
                               const cairn_thresholds *t, cairn_side side, int marks)
{
    cairn_figure *figure;
    CHECK(thresholds_figure(ctx, &figure, data, t, side, (cairn_marking)marks));
    cairn_report_figure(out, figure);
    return CAIRN_OK;
}

static cairn_status line_draw(cairn_context *ctx, cairn_figure **out, const cairn_compute_job *job)
{
    const line_params *p = job->params;
    cairn_side side = p->form == CAIRN_ALL_FORMS ? CAIRN_SIDE_AT_LEAST : (cairn_side)p->form;
    shape_data data;
    cairn_thresholds t;
    CHECK(shape_data_read(ctx, &data, job->table, 1, p->positive, job->what));
    cairn_thresholds_find(&t, &data.points, 0, side);
    return thresholds_figure(ctx, out, &data, &t, side, (cairn_marking)p->marks);
}

/* The four forms differ in direction and in which side holds the threshold itself; those of the
 * same direction have one picture. */
static cairn_status line_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const line_params *p = job->params;
    shape_data data;
    cairn_thresholds t[4];
    CHECK(shape_data_read(ctx, &data, job->table, 1, p->positive, job->what));
    cairn_report_heading(out, 1, "Thresholds of '%s' for '%s = %s'", data.columns[0], data.target,
                         data.positive);
    if (job->steps) CHECK(work_line(ctx, out, &data));
    cairn_report_table_of(out, "Version spaces", 0, "llrr", "hypotheses", "consistent",
                          "most special m", "most general m");
    for (int side = 0; side < 4; side++) {
        cairn_thresholds_find(&t[side], &data.points, 0, (cairn_side)side);
        if (p->form == CAIRN_ALL_FORMS || p->form == side) show_form(out, &data, &t[side], side);
    }
    for (int side = 0; side < 4; side++) {
        if (p->form != CAIRN_ALL_FORMS && p->form != side) continue;
        if (t[side].empty)
            explain_empty(out, &data, &t[side], (cairn_side)side);
        else if (p->form == side || side == CAIRN_SIDE_AT_LEAST || side == CAIRN_SIDE_AT_MOST)
            CHECK(add_figure(ctx, out, &data, &t[side], (cairn_side)side, p->marks));
    }
    if (p->predict.text) {
        /* Yes or no only where all consistent thresholds agree; else the share of them for yes. */
        const double *numbers = p->predict.values;
        size_t n = p->predict.n;
        for (int side = 0; side < 4; side++) {
            if ((p->form != CAIRN_ALL_FORMS && p->form != side) || t[side].empty) continue;
            cairn_report_table_of(out, "New numbers: yes or no when all thresholds agree", 0, "rlr",
                                  "x", side_sign(side), "share of the thresholds for yes");
            for (size_t i = 0; i < n; i++) {
                double share;
                int answer =
                    cairn_thresholds_decide(&t[side], (cairn_side)side, numbers[i], &share);
                cairn_report_prefix(out, "%s.predict%zu", form_names[side], i + 1);
                cairn_report_cells(out, "- @ @.share", numbers[i],
                                   answer < 0 ? "unknown"
                                   : answer   ? "yes"
                                              : "no",
                                   share);
            }
        }
    }
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_version_line = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "version-line",
              .also = "thresholds on a line",
              .title = "Thresholds that agree with labelled numbers",
              .summary =
                  "For one number column and two classes: the thresholds m for which the "
                  "numbers on one side are just those of the class, in the four forms x >= m, "
                  "x > m, x <= m and x < m. The bounds come from the largest number of one "
                  "class and the smallest of the other; a form that fits no threshold names "
                  "the pair of rows in the way. New numbers are decided when all "
                  "thresholds agree.",
              .references = "Mitchell: Generalization as search, Artificial Intelligence 18, 1982",
              .example = "cairn compute version-line @threshold --predict 16,18,21",
              .params = line_table,
              .params_size = sizeof(line_params)},
    .picture =
        {.kind = CAIRN_ENTRY_PICTURE,
         .name = "version-line",
         .also = "thresholds on a line",
         .title = "Thresholds that agree with labelled numbers",
         .summary =
             "The numbers of a column on their line, the positive ones as + and the others as "
             "− unless --marks says otherwise, and the interval of the thresholds m "
             "shaded that tell the classes apart; a round bracket leaves its end out. "
             "Nothing is shaded when no threshold does.",
         .example = "cairn draw version-line @threshold --out threshold.svg",
         .params = line_table,
         .params_size = sizeof(line_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_TARGET | CAIRN_READS_COLUMNS,
    .run = line_run,
    .draw = line_draw,
};

/* -- compute version-discs -- */

/* cairn compute version-discs: the closed discs of the plane that hold all positive points and no
 * negative one. A centre c is admissible when max d(c, positive) < min d(c, negative); its radii
 * are those between. */

typedef struct discs_params {
    const char *positive, *centre;
    int64_t limit;
    int marks;
} discs_params;

static const cairn_param discs_table[] = {
    CAIRN_PARAM(discs_params, positive, NULL, NULL, "the class inside the discs"),
    {.name = "centre",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(discs_params, centre),
     .help =
         "a centre x,y whose radii are wanted; the picture has the smallest circle around it, and "
         "the one it has to stay inside",
     .repeated = true},
    CAIRN_PARAM(discs_params, limit, "5000", "[3,1000000]",
                "most corners of the region of centres; finding n of them takes up to n^2 steps"),
    CAIRN_PARAM_CHOICE(discs_params, marks, "signs", cairn_marking_choices,
                       "how the two classes are marked in the picture"),
    CAIRN_PARAM_END,
};

/* An empty region is explained by the pair of rows whose half-plane left nothing, as the last of
 * many constraints. */
static void show_centres(cairn_report *out, const shape_data *data, const cairn_centres *c)
{
    cairn_report_hidden(out, c->empty, "empty");
    if (c->empty) {
        cairn_report_note(
            out,
            "No disc fits: no centre is nearer to every positive point than to any "
            "negative one. Nothing was left when the positive row %s had to be nearer "
            "than the negative row %s.",
            data->names[c->positive], data->names[c->negative]);
        cairn_report_hidden_word(out, data->names[c->positive], "collapsed.positive");
        cairn_report_hidden_word(out, data->names[c->negative], "collapsed.negative");
        return;
    }
    cairn_report_table_of(out, "Corners of the region of admissible centres (without its border)",
                          0, "rrr", "", data->columns[0], data->columns[1]);
    for (size_t i = 0; i < c->n; i++) {
        cairn_report_cells(out, "- corner$1.x corner$1.y", i + 1, c->x[i], c->y[i]);
    }
    cairn_report_hidden(out, (double)c->n, "corner.count");
    cairn_report_word(out, "unbounded", c->unbounded ? "yes" : "no", "unbounded");
}

static void show_smallest(cairn_report *out, const shape_data *data, const cairn_disc *disc)
{
    double low, high;
    if (isnan(disc->radius)) return;
    cairn_disc_radii(&data->points, disc->x, disc->y, &low, &high);
    cairn_report_value(out, "smallest disc of the positive points: x", disc->x, "smallest.x");
    cairn_report_value(out, "y", disc->y, "smallest.y");
    cairn_report_value(out, "radius", disc->radius, "smallest.radius");
    cairn_report_word(out, "without a negative point", high > disc->radius ? "yes" : "no",
                      "smallest.consistent");
}

/* A centre may have any radius from its farthest positive point up to, but without, its nearest
 * negative one. */
static cairn_status show_radii(cairn_context *ctx, cairn_report *out, const shape_data *data,
                               const char *centres)
{
    const char *const *lines;
    CHECK(cairn_list_lines(ctx, centres, &lines));
    cairn_report_table_of(out,
                          "Radii: from the farthest positive point, below the nearest negative", 0,
                          "lrrl", "centre", "from", "below", "admissible");
    for (size_t i = 0; lines[i]; i++) {
        double *c, low, high;
        size_t n;
        CHECK(cairn_list_numbers(ctx, "centre", lines[i], &c, &n));
        if (n != 2) CHECK(cairn_fail(ctx, CAIRN_USAGE, "{centre %s}: two numbers x,y", lines[i]));
        cairn_disc_radii(&data->points, c[0], c[1], &low, &high);
        cairn_report_prefix(out, "centre%zu", i + 1);
        cairn_report_cells(out, "- @.low @.high @.admissible", lines[i], low, high,
                           low < high ? "yes" : "no");
    }
    return CAIRN_OK;
}

/* The distances of all points from a centre; the two that bound the radius are marked. */
static void work_centre(cairn_report *out, const shape_data *data, double x, double y,
                        const char *name)
{
    const cairn_labelled *points = &data->points;
    double low, high;
    cairn_disc_radii(points, x, y, &low, &high);
    cairn_report_step_begin(out, "Distances from the centre of %s", name);
    cairn_report_worked(out, "d", "√((x − #)² + (y − #)²)", x, y);
    cairn_report_table_of(out, "Distances", 0, "lcrrr", "row", "class", data->columns[0],
                          data->columns[1], "d");
    for (size_t i = 0; i < points->n; i++) {
        double a = points->x[2 * i], b = points->x[2 * i + 1];
        double d = sqrt((a - x) * (a - x) + (b - y) * (b - y));
        cairn_report_cells(out, NULL, data->names[i], points->positive[i] ? "+" : "−", a, b);
        if (points->positive[i] ? d >= low : d <= high) cairn_report_row_mark(out);
        cairn_report_cell_number(out, d, 0, "%s.d%zu", name, i + 1);
    }
    cairn_report_worked(out, NULL, low < high ? "# ≤ r < #" : "# ≤ r < #: none", low, high);
    cairn_report_step_end(out);
}

/* The work for the smallest disc and for each centre that was typed. */
static cairn_status work_disc(cairn_context *ctx, cairn_report *out, const shape_data *data,
                              const cairn_disc *smallest, const char *centres)
{
    const char *const *lines;
    char name[40];
    if (!isnan(smallest->radius)) work_centre(out, data, smallest->x, smallest->y, "smallest");
    CHECK(cairn_list_lines(ctx, centres, &lines));
    for (size_t i = 0; lines[i]; i++) {
        double *c;
        size_t n;
        CHECK(cairn_list_numbers(ctx, "centre", lines[i], &c, &n));
        snprintf(name, sizeof name, "centre%zu", i + 1);
        work_centre(out, data, c[0], c[1], name);
    }
    return CAIRN_OK;
}

static cairn_status discs_draw(cairn_context *ctx, cairn_figure **out, const cairn_compute_job *job)
{
    const discs_params *p = job->params;
    shape_data data;
    CHECK(shape_data_read(ctx, &data, job->table, 2, p->positive, job->what));
    if (!data.points.n) CHECK(cairn_fail(ctx, CAIRN_BAD_DATA, "there are no points to draw"));
    return discs_figure(ctx, out, &data, p->centre, (cairn_marking)p->marks);
}

static cairn_status discs_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const discs_params *p = job->params;
    shape_data data;
    cairn_centres centres;
    cairn_disc disc;
    cairn_figure *figure;
    CHECK(shape_data_read(ctx, &data, job->table, 2, p->positive, job->what));
    cairn_report_heading(out, 1, "Discs for '%s = %s'", data.target, data.positive);
    cairn_report_formula(out, "max d(c, positive) ≤ r < min d(c, negative)");
    CHECK(cairn_centres_find(ctx, &centres, &data.points, (size_t)p->limit));
    CHECK(cairn_disc_smallest(ctx, &disc, &data.points));
    show_centres(out, &data, &centres);
    show_smallest(out, &data, &disc);
    if (p->centre) CHECK(show_radii(ctx, out, &data, p->centre));
    if (job->steps) CHECK(work_disc(ctx, out, &data, &disc, p->centre));
    if (!data.points.n) return CAIRN_OK;
    CHECK(discs_figure(ctx, &figure, &data, p->centre, (cairn_marking)p->marks));
    cairn_report_figure(out, figure);
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_version_discs = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "version-discs",
              .also = "circles that hold one class",
              .title = "Discs that hold one class only",
              .summary = "For two number columns and two classes: the closed discs that hold every "
                         "positive point and no negative one. Shows the polygon of their centres, "
                         "the radii that go with a given centre, and the smallest disc around the "
                         "positive points.",
              .references = "Welzl: Smallest enclosing disks, 1991",
              .example = "cairn compute version-discs @disc-points --centre 9,10",
              .params = discs_table,
              .params_size = sizeof(discs_params)},
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "version-discs",
                .also = "circles that hold one class",
                .title = "Discs that hold one class only",
                .summary =
                    "Points of two number columns with the smallest disc around the positive "
                    "ones and the region shaded from which a disc can hold every positive and "
                    "no negative point; for a typed centre the smallest circle and the one it "
                    "has to stay inside.",
                .example = "cairn draw version-discs @disc-points --centre 9,10 --out discs.svg",
                .params = discs_table,
                .params_size = sizeof(discs_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_TARGET | CAIRN_READS_COLUMNS,
    .run = discs_run,
    .draw = discs_draw,
};

typedef struct boxes_params {
    int sides;
    const char *positive, *box, *predict;
    int64_t limit;
    int show, marks;
    bool shade;
} boxes_params;

enum { SIDES_BOTH, SIDES_OPEN, SIDES_CLOSED };

static const cairn_choice side_choices[] = {
    {"both", SIDES_BOTH, "the tightest box with its sides, the largest ones without"},
    {"open", SIDES_OPEN, "no box has its sides: the tightest one is a limit that is not reached"},
    {"closed", SIDES_CLOSED, "every box has its sides: the largest ones are not reached"},
    {NULL, 0, NULL}};

enum { SHOW_BOTH, SHOW_TIGHTEST, SHOW_LARGEST, SHOW_NONE };

static const cairn_choice show_choices[] = {
    {"both", SHOW_BOTH, "the tightest box S and the largest boxes G"},
    {"tightest", SHOW_TIGHTEST, "the smallest box around the positive points"},
    {"largest", SHOW_LARGEST, "all largest boxes without a negative point"},
    {"none", SHOW_NONE, "the points and the typed boxes alone"},
    {NULL, 0, NULL}};

static const cairn_param boxes_table[] = {
    CAIRN_PARAM_CHOICE(boxes_params, sides, "both", side_choices,
                       "whether points on a side belong to a box"),
    CAIRN_PARAM(boxes_params, positive, NULL, NULL, "the class inside the boxes"),
    {.name = "box",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(boxes_params, box),
     .help = "a box to look at: low,high of each column in turn, -inf and inf without a bound",
     .repeated = true},
    {.name = "predict",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(boxes_params, predict),
     .help = "a new point to decide: its numbers separated by commas",
     .repeated = true},
    CAIRN_PARAM(boxes_params, limit, "20000", "[1,1000000]",
                "most of the largest boxes; finding n of them takes up to n^2 comparisons"),
    CAIRN_PARAM_CHOICE(boxes_params, show, "both", show_choices, "boundaries in the picture"),
    CAIRN_PARAM(boxes_params, shade, "yes", NULL, "shade the region between S and G",
                .when = "show=both"),
    CAIRN_PARAM_CHOICE(boxes_params, marks, "signs", cairn_marking_choices,
                       "how the two classes are marked in the picture"),
    CAIRN_PARAM_END,
};

/* One column of a box: "34 <= price <= 47", "price < 66", "any price". */
static void side_text(char *out, size_t size, const char *column, const double *side, bool closed)
{
    char low[CAIRN_NUMBER_SIZE], high[CAIRN_NUMBER_SIZE];
    const char *sign = closed ? "<=" : "<";
    cairn_number_format(low, side[0], CAIRN_SHORTEST);
    cairn_number_format(high, side[1], CAIRN_SHORTEST);
    if (isinf(side[0]) && isinf(side[1]))
        snprintf(out, size, "any");
    else if (isinf(side[0]))
        snprintf(out, size, "%s %s %s", column, sign, high);
    else if (isinf(side[1]))
        snprintf(out, size, "%s %s %s", low, sign, column);
    else
        snprintf(out, size, "%s %s %s %s %s", low, sign, column, sign, high);
}

static void box_cells(cairn_report *out, const shape_data *data, const double *box, bool closed,
                      const char *name)
{
    for (size_t j = 0; j < data->points.d; j++) {
        char text[256];
        const char *key = cairn_report_key(out, data->columns[j]);
        side_text(text, sizeof text, data->columns[j], box + 2 * j, closed);
        cairn_report_cell(out, text);
        cairn_report_hidden(out, box[2 * j], "%s.%s.low", name, key);
        cairn_report_hidden(out, box[2 * j + 1], "%s.%s.high", name, key);
    }
}

/* Open and closed boxes have the same sides but differ in whether S and G themselves belong to
 * the space, which the notes say. */
static void show_boundaries(cairn_report *out, const shape_data *data, const double *special,
                            const cairn_boxes *general, int sides)
{
    cairn_report_table_of(out, "The tightest box S and the largest boxes G", 0, "l", "");
    for (size_t j = 0; j < data->points.d; j++) cairn_report_column(out, data->columns[j], 'l');
    if (special) {
        cairn_report_cell(out, "S");
        box_cells(out, data, special, sides != SIDES_OPEN, "s");
    }
    for (size_t g = 0; g < general->n; g++) {
        char name[32];
        snprintf(name, sizeof name, "g%zu", g + 1);
        cairn_report_cellf(out, "G%zu", g + 1);
        box_cells(out, data, general->sides + g * general->width, sides == SIDES_CLOSED, name);
    }
    cairn_report_hidden(out, (double)general->n, "g.count");
    if (sides == SIDES_OPEN && special)
        cairn_report_note(out,
                          "An open box does not hold the points on its own sides: S is the limit "
                          "of the boxes that do hold all positive points, and none of them.");
    if (sides == SIDES_CLOSED)
        cairn_report_note(out,
                          "A closed box with the sides of one of G would hold a negative point: "
                          "G is the limit of the boxes that do not, and none of them.");
}

/* Negative points in the tightest box; the first of them is what empties the version space. */
static size_t show_inside(cairn_report *out, const shape_data *data, const double *special)
{
    const cairn_labelled *points = &data->points;
    size_t inside = 0, first = 0;
    for (size_t i = 0; i < points->n && special; i++) {
        if (points->positive[i] ||
            !cairn_box_holds(special, points->d, points->x + i * points->d, true))
            continue;
        if (!inside++) first = i;
    }
    cairn_report_value(out, "negative points in the tightest box", (double)inside,
                       "negatives_inside");
    cairn_report_hidden(out, inside > 0, "empty");
    if (!inside) return 0;
    size_t positive = cairn_box_blame(points, first);
    cairn_report_note(out,
                      "No box fits: whatever holds the positive points up to row %s also holds the "
                      "negative row %s.",
                      data->names[positive], data->names[first]);
    cairn_report_hidden_word(out, data->names[positive], "collapsed.positive");
    cairn_report_hidden_word(out, data->names[first], "collapsed.negative");
    return inside;
}

/* The row of the class whose value of column j is `side`; NULL = none. */
static const char *row_at(const shape_data *data, size_t j, double side, bool positive)
{
    const cairn_labelled *points = &data->points;
    for (size_t i = 0; i < points->n; i++)
        if (points->positive[i] == positive && points->x[i * points->d + j] == side)
            return data->names[i];
    return NULL;
}

/* Each side of a box with the row that it stands at. */
static void work_box(cairn_report *out, const shape_data *data, const char *name, const double *box,
                     bool positive)
{
    for (size_t j = 0; j < data->points.d; j++)
        for (size_t end = 0; end < 2; end++) {
            double side = box[2 * j + end];
            const char *row = row_at(data, j, side, positive);
            cairn_report_cells(out, NULL, j + end ? "" : name, data->columns[j],
                               positive ? end ? "greatest +" : "least +"
                               : end    ? "below"
                                        : "above",
                               side,
                               isinf(side) ? "no negative in the way"
                               : row       ? row
                                           : "");
        }
}

/* Which rows the sides of S and G stand at: S reaches to the outermost positives, a side of G to a
 * negative that would be inside otherwise. */
static void work(cairn_report *out, const shape_data *data, const double *special,
                 const cairn_boxes *general)
{
    cairn_report_step_begin(out, "The rows at the sides");
    cairn_report_table_of(out, "Sides", 0, "lllrl", "box", "column", "side", "at", "row");
    if (special) work_box(out, data, "S", special, true);
    for (size_t g = 0; g < general->n && cairn_report_row_wanted(out); g++) {
        char name[32];
        snprintf(name, sizeof name, "G%zu", g + 1);
        work_box(out, data, name, general->sides + g * general->width, false);
    }
    cairn_report_step_end(out);
}

/* Boxes that were typed. */
static cairn_status look_at(cairn_context *ctx, cairn_report *out, const shape_data *data,
                            const cairn_boxes *general, const boxes_params *p)
{
    const cairn_labelled *points = &data->points;
    const char *const *lines;
    CHECK(cairn_list_lines(ctx, p->box, &lines));
    cairn_report_table_of(out, "Boxes that were given", 0, "lrrll", "box", "positive missed",
                          "negative inside", "consistent", "largest");
    for (size_t b = 0; lines[b]; b++) {
        double *box;
        size_t n, missed = 0, inside = 0;
        bool largest = false;
        CHECK(cairn_list_numbers(ctx, "box", lines[b], &box, &n));
        if (n != 2 * points->d)
            CHECK(cairn_fail(ctx, CAIRN_USAGE,
                             "{box %s}: %zu numbers; low and high of %zu columns "
                             "are %zu",
                             lines[b], n, points->d, 2 * points->d));
        for (size_t i = 0; i < points->n; i++) {
            bool holds = cairn_box_holds(box, points->d, points->x + i * points->d,
                                         p->sides == SIDES_CLOSED);
            missed += points->positive[i] && !holds;
            inside += !points->positive[i] && holds;
        }
        for (size_t g = 0; g < general->n && !largest; g++)
            largest = cairn_box_within(general->sides + g * general->width, box, points->d);
        bool consistent = !missed && !inside;
        cairn_report_prefix(out, "box%zu", b + 1);
        cairn_report_cells(out, "- @.missed @.inside @.consistent @.largest", lines[b], missed,
                           inside, consistent ? "yes" : "no", consistent && largest ? "yes" : "no");
    }
    return CAIRN_OK;
}

/* A point in S is in all boxes, one in no box of G in none; between them the boxes disagree. This
 * does not depend on which sides belong to the boxes: an open box that holds all positive points
 * also holds S with its sides, and one with its sides that holds the point and S lies in an open
 * one of G, since the nearest negative point is some way off. */
static cairn_status predict(cairn_context *ctx, cairn_report *out, const shape_data *data,
                            const double *special, const cairn_boxes *general, const char *typed)
{
    const char *const *lines;
    size_t d = data->points.d;
    CHECK(cairn_list_lines(ctx, typed, &lines));
    cairn_report_table_of(out, "New points: yes or no when all boxes agree", 0, "ll", "point",
                          "answer");
    for (size_t i = 0; lines[i]; i++) {
        double *x;
        size_t n;
        bool some = false;
        CHECK(cairn_list_numbers(ctx, "predict", lines[i], &x, &n));
        if (n != d)
            CHECK(
                cairn_fail(ctx, CAIRN_USAGE, "{predict %s}: a point has %zu numbers", lines[i], d));
        for (size_t g = 0; g < general->n && !some; g++)
            some = cairn_box_holds(general->sides + g * general->width, d, x, false);
        bool all = special && cairn_box_holds(special, d, x, true);
        cairn_report_cell(out, lines[i]);
        cairn_report_cell_word(out, all ? "yes" : some ? "unknown" : "no", "predict%zu", i + 1);
    }
    return CAIRN_OK;
}

/* Points of two columns, the boundaries that are asked for and the typed boxes. */
static cairn_status make_figure(cairn_context *ctx, cairn_figure **out, const shape_data *data,
                                const double *special, const cairn_boxes *general,
                                const boxes_params *p)
{
    cairn_boxes typed = {0};
    boxes_look look = {.special = p->show == SHOW_BOTH || p->show == SHOW_TIGHTEST ? special : NULL,
                       .general = p->show == SHOW_BOTH || p->show == SHOW_LARGEST ? general : NULL,
                       .typed = &typed,
                       .shade = p->shade && p->show == SHOW_BOTH,
                       .marking = (cairn_marking)p->marks};
    cairn_status status = boxes_read(ctx, &typed, p->box, 2);
    if (status == CAIRN_OK) status = boxes_figure(ctx, out, data, &look);
    cairn_boxes_clear(&typed);
    return status;
}

/* A negative point in the tightest box leaves no general boundary: only the points and that box
 * are drawn. */
static cairn_status boxes_draw(cairn_context *ctx, cairn_figure **out, const cairn_compute_job *job)
{
    const boxes_params *p = job->params;
    shape_data data;
    cairn_boxes general = {0};
    cairn_status status;
    double special[4];
    TRY(shape_data_read(ctx, &data, job->table, 2, p->positive, job->what));
    if (!data.points.n) TRY(cairn_fail(ctx, CAIRN_BAD_DATA, "there are no points to draw"));
    bool any = cairn_box_tightest(special, &data.points), inside = false;
    for (size_t i = 0; i < data.points.n && any; i++)
        inside = inside || (!data.points.positive[i] &&
                            cairn_box_holds(special, 2, data.points.x + 2 * i, true));
    if (!inside)
        TRY(cairn_boxes_largest(ctx, &general, &data.points, any ? special : NULL,
                                (size_t)p->limit));
    TRY(make_figure(ctx, out, &data, any ? special : NULL, inside ? NULL : &general, p));
done:
    cairn_boxes_clear(&general);
    return status;
}

/* The report ends early where the version space is empty; a picture needs two columns. */
static cairn_status boxes_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const boxes_params *p = job->params;
    shape_data data;
    SCOPED(cairn_boxes_clear) cairn_boxes general = {0};
    cairn_figure *figure;
    double *special;
    CHECK(shape_data_read(ctx, &data, job->table, 0, p->positive, job->what));
    cairn_report_heading(out, 1, "Boxes for '%s = %s'", data.target, data.positive);
    CHECK(SCRATCH(ctx, &special, 2 * data.points.d));
    if (!cairn_box_tightest(special, &data.points)) special = NULL;
    if (show_inside(out, &data, special)) return CAIRN_OK;
    CHECK(cairn_boxes_largest(ctx, &general, &data.points, special, (size_t)p->limit));
    if (job->steps) work(out, &data, special, &general);
    show_boundaries(out, &data, special, &general, p->sides);
    if (p->box) CHECK(look_at(ctx, out, &data, &general, p));
    if (p->predict) CHECK(predict(ctx, out, &data, special, &general, p->predict));
    if (data.points.d == 2 && data.points.n) {
        CHECK(make_figure(ctx, &figure, &data, special, &general, p));
        cairn_report_figure(out, figure);
    }
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_version_boxes = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "version-boxes",
              .also = "axis-parallel rectangles, most specific rectangle, most general "
                      "rectangle",
              .about = "axis-aligned rectangle",
              .title = "Boxes that hold one class only",
              .summary =
                  "For any number of number columns and two classes: the boxes with sides "
                  "along the axes that hold every positive point and no negative one. Shows "
                  "the tightest of them and all largest ones, which may be unbounded; reports "
                  "which negative row makes it impossible; checks boxes that are typed; "
                  "decides new points when all boxes agree; draws two columns.",
              .references = "Mitchell: Generalization as search, Artificial Intelligence 18, 1982",
              .example = "cairn compute version-boxes @family-car --box 27,66,170,290",
              .params = boxes_table,
              .params_size = sizeof(boxes_params)},
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "version-boxes",
                .also = "axis-parallel rectangles",
                .title = "Boxes that hold one class only",
                .summary =
                    "Points of two number columns with the tightest box around the positive "
                    "ones, the largest boxes that hold them and no negative point (dashed), "
                    "and the region between shaded; typed boxes are drawn as hypotheses. "
                    "When a negative point lies in the tightest box there is no largest one.",
                .example = "cairn draw version-boxes @family-car --out cars.svg",
                .params = boxes_table,
                .params_size = sizeof(boxes_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_TARGET | CAIRN_READS_COLUMNS,
    .run = boxes_run,
    .draw = boxes_draw,
};
