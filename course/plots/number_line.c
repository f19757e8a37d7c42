/* SPDX-License-Identifier: MIT */
/* A number line drawn into a plot without axes: its own line, ticks and labels. Equal numbers stand
 * on each other. */
#include "plots/number_line.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/sort_by.h"
#include "draw/axis.h"
#include "draw/canvas.h"
#include "draw/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAMED = 16, WIDTH = 520 };

static const double step = 0.17, tallest = 1.36, bottom = -0.85;

const cairn_choice cairn_marking_choices[] = {
    {"hollow", CAIRN_MARKING_HOLLOW, "hollow and solid dots"},
    {"signs", CAIRN_MARKING_SIGNS, "plus and minus"},
    {"shapes", CAIRN_MARKING_SHAPES, "a shape for each class"},
    {NULL, 0, NULL}};

typedef struct sheet {
    const cairn_number_line *line;
    double low, high;
    double *sorted; /* finite numbers, ascending */
    size_t n, n_distinct;
    double top; /* of the highest pile */
} sheet;

static void include(sheet *s, double x)
{
    if (!isfinite(x)) return;
    s->low = fmin(s->low, x);
    s->high = fmax(s->high, x);
}

static void find_range(sheet *s)
{
    const cairn_number_line *l = s->line;
    s->low = INFINITY;
    s->high = -INFINITY;
    for (size_t i = 0; i < s->n; i++) include(s, s->sorted[i]);
    for (size_t i = 0; i < l->n_cuts; i++) include(s, l->cuts[i]);
    for (size_t i = 0; i < l->n_marks; i++) include(s, l->marks[i].at);
    for (size_t i = 0; i < l->n_spans; i++) {
        include(s, l->spans[i].low);
        include(s, l->spans[i].high);
    }
    if (s->low > s->high) s->low = 0, s->high = 1;
    double buffer = s->high > s->low ? 0.07 * (s->high - s->low) : fmax(1, fabs(s->high) * 0.1);
    s->low = isnan(l->low) ? s->low - buffer : l->low;
    s->high = isnan(l->high) ? s->high + buffer : l->high;
}

static cairn_status sort_points(cairn_context *ctx, sheet *s)
{
    CHECK(SCRATCH(ctx, &s->sorted, s->line->n + 1));
    for (size_t i = 0; i < s->line->n; i++)
        if (isfinite(s->line->x[i])) s->sorted[s->n++] = s->line->x[i];
    if (s->n) qsort(s->sorted, s->n, sizeof *s->sorted, cairn_by_number);
    for (size_t i = 0; i < s->n; i++) s->n_distinct += !i || s->sorted[i] != s->sorted[i - 1];
    return CAIRN_OK;
}

/* A label under the line, unless it would touch the one before. */
static void add_label(cairn_figure *figure, const sheet *s, double x, const char *text, double *end)
{
    double width = cairn_measure(text, 10, false) + 5;
    double place = (x - s->low) / (s->high - s->low) * (WIDTH - 40);
    double tick[2] = {-0.13, 0}, at[2] = {x, x};
    cairn_figure_guide(figure, at, tick, 2);
    if (place - width / 2 < *end) return;
    *end = place + width / 2;
    cairn_figure_text(figure, x, -0.46, 'c', text);
}

static void add_number(cairn_figure *figure, const sheet *s, double x, double *end)
{
    char text[CAIRN_NUMBER_SIZE];
    cairn_label_number(text, x, 6);
    add_label(figure, s, x, text, end);
}

/* The values themselves when they are few, else round numbers; the cut points if there are any.
 * Times are labelled by the calendar alone, with the year or day that all share beside the name of
 * the axis. */
static void add_labels(cairn_figure *figure, const sheet *s)
{
    const cairn_number_line *l = s->line;
    double end = -INFINITY;
    char title[240];
    cairn_axis axis = {0};
    bool by_calendar = l->scale == CAIRN_SCALE_TIME;
    if (l->n_cuts && !by_calendar) {
        for (size_t i = 0; i < l->n_cuts; i++) add_number(figure, s, l->cuts[i], &end);
    } else if (s->n_distinct && s->n_distinct <= MOST_NAMED && !by_calendar) {
        for (size_t i = 0; i < s->n; i++)
            if (!i || s->sorted[i] != s->sorted[i - 1]) add_number(figure, s, s->sorted[i], &end);
    } else {
        cairn_axis_fit(&axis, l->scale, s->low, s->high, s->low, s->high, 0, 0);
        cairn_axis_ticks(&axis, 8);
        for (size_t i = 0; i < axis.n_ticks && !by_calendar; i++)
            add_number(figure, s, axis.ticks[i], &end);
        for (size_t i = 0; i < axis.n_ticks && by_calendar; i++)
            add_label(figure, s, axis.ticks[i], axis.labels[i], &end);
    }
    if (!l->axis || !*l->axis) return;
    bool note = by_calendar && *axis.note;
    (void)snprintf(title, sizeof title, "%.120s%s%s%s", l->axis, note ? " (" : "",
                   note ? axis.note : "", note ? ")" : "");
    cairn_figure_text(figure, (s->low + s->high) / 2, bottom + 0.02, 'c', title);
}

/* Ends are drawn as in notation: a bracket belongs to the interval, a round one does not; an
 * infinite end has neither. */
static void add_spans(cairn_figure *figure, const sheet *s)
{
    const cairn_number_line *l = s->line;
    for (size_t i = 0; i < l->n_spans; i++) {
        const cairn_span *span = &l->spans[i];
        double x[2] = {fmax(span->low, s->low), fmin(span->high, s->high)};
        double low[2] = {-0.3, -0.3}, high[2] = {0.3, 0.3};
        if (x[0] > x[1]) continue;
        if (x[0] == x[1]) { /* a single value is a line */
            cairn_figure_guide(figure, x, (double[]){-0.3, 0.3}, 2);
        } else {
            cairn_figure_band(figure, i ? NULL : l->span_label, x, low, high, 2);
        }
        for (int end = 0; end < 2; end++) {
            bool open = end ? span->high_open : span->low_open;
            double at = end ? span->high : span->low, inwards = end ? -1 : 1;
            double foot = 0.016 * (s->high - s->low) * inwards;
            if (!isfinite(at)) continue;
            double bracket_x[4] = {at + foot, at, at, at + foot};
            double bracket_y[4] = {-0.3, -0.3, 0.3, 0.3};
            double round_x[7] = {at + foot,        at + 0.35 * foot, at + 0.08 * foot, at,
                                 at + 0.08 * foot, at + 0.35 * foot, at + foot};
            double round_y[7] = {-0.34, -0.22, -0.1, 0, 0.1, 0.22, 0.34};
            cairn_figure_guide(figure, open ? round_x : bracket_x, open ? round_y : bracket_y,
                               open ? 7 : 4);
        }
        if (span->text)
            cairn_figure_text(figure, (x[0] + x[1]) / 2, fmax(0.36, s->top + 0.1), 'c', span->text);
    }
}

/* The name of a part between its ends, cut to what is there but not to nothing. */
static cairn_status add_part(cairn_context *ctx, cairn_figure *figure, const sheet *s, double from,
                             double to, double y, const char *name)
{
    const double unit = (WIDTH - 40) / (s->high - s->low), least = 42;
    const char *shown;
    from = fmax(from, s->low);
    to = fmin(to, s->high);
    if (!(to > from)) return CAIRN_OK;
    CHECK(cairn_fit_text(ctx, &shown, name, 10, false, fmax((to - from) * unit - 6, least)));
    double half = cairn_measure(shown, 10, false) / 2 / unit, middle = (from + to) / 2;
    middle = fmin(fmax(middle, s->low + half), s->high - half);
    cairn_figure_text(figure, middle, y, 'c', shown);
    return CAIRN_OK;
}

static cairn_status add_cuts(cairn_context *ctx, cairn_figure *figure, const sheet *s)
{
    const cairn_number_line *l = s->line;
    double top = fmax(0.42, s->top + 0.12);
    for (size_t i = 0; i < l->n_cuts; i++) {
        double x[2] = {l->cuts[i], l->cuts[i]}, y[2] = {-0.3, top};
        cairn_figure_dashed(figure, NULL, x, y, 2);
    }
    for (size_t i = 0; l->parts && i <= l->n_cuts; i++) {
        double from = i ? l->cuts[i - 1] : s->low, to = i < l->n_cuts ? l->cuts[i] : s->high;
        CHECK(add_part(ctx, figure, s, from, to, top - 0.06, l->parts[i]));
    }
    return CAIRN_OK;
}

/* The place of the first of the numbers that equal x. */
static size_t first_of(const sheet *s, double x)
{
    size_t low = 0, high = s->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->sorted[middle] < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* How many of the numbers are equal at the most. */
static size_t largest_pile(const sheet *s)
{
    size_t most = 0;
    for (size_t i = 0, start = 0; i < s->n; i++) {
        if (s->sorted[i] != s->sorted[start]) start = i;
        if (i - start + 1 > most) most = i - start + 1;
    }
    return most;
}

/* Equal numbers in a pile, in their order; high piles move together. */
static cairn_status add_points(cairn_context *ctx, cairn_figure *figure, sheet *s)
{
    const cairn_number_line *l = s->line;
    double *x, *y;
    int32_t *group;
    size_t n = 0;
    CHECK(SCRATCH_EACH(ctx, l->n, &x, &y, &group));
    uint32_t *seen;
    CHECK(SCRATCH(ctx, &seen, s->n + 1));
    double apart = fmin(step, tallest / (double)largest_pile(s));
    for (size_t i = 0; i < l->n; i++) {
        if (!isfinite(l->x[i])) continue;
        size_t first = first_of(s, l->x[i]);
        x[n] = l->x[i];
        y[n] = apart * seen[first]++;
        s->top = fmax(s->top, y[n]);
        group[n++] = l->groups ? l->groups[i] : 0;
    }
    cairn_figure_points(figure, x, y, l->groups ? group : NULL, n, l->group_names, l->n_groups);
    return CAIRN_OK;
}

cairn_status cairn_number_line_figure(cairn_context *ctx, cairn_figure **out,
                                      const cairn_number_line *line, const char *name,
                                      const char *title)
{
    sheet s = {.line = line};
    CHECK(sort_points(ctx, &s));
    find_range(&s);
    CHECK(cairn_figure_new(ctx, out, name, title));
    cairn_figure_no_axes(*out);
    cairn_figure_marking(*out, line->marking);
    if (line->n) CHECK(add_points(ctx, *out, &s));
    double ends[2] = {s.low, s.high}, zero[2] = {0, 0};
    cairn_figure_guide(*out, ends, zero, 2);
    add_spans(*out, &s);
    CHECK(add_cuts(ctx, *out, &s));
    add_labels(*out, &s);
    double top = fmax(0.8, s.top + 0.55);
    for (size_t i = 0; i < line->n_marks; i++) {
        cairn_figure_mark(*out, line->marks[i].text, line->marks[i].at, s.top + 0.3);
        top = fmax(top, s.top + 0.75);
    }
    cairn_figure_size(*out, WIDTH, 90 + 75 * (top + 1));
    double margin = 0.05 * (s.high - s.low); /* for labels at the ends */
    cairn_figure_x_range(*out, s.low - margin, s.high + margin);
    cairn_figure_y_range(*out, bottom, top);
    return CAIRN_OK;
}
