/* SPDX-License-Identifier: MIT */
/* Silhouettes as a figure. Clusters stand below each other, each with its longest bar on top; of
 * many rows the bars touch and are drawn as one shape with so many steps as can be told apart. */
#include "plots/silhouette_plot.h"

#include "base/memory.h"
#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BARS = 40, MOST_STEPS = 400, MOST_TITLED = 30 };

typedef struct silhouette_bar {
    double value;
    size_t row; /* of the silhouettes */
} silhouette_bar;

/* Bars of one cluster after the other, and where they stand. */
typedef struct silhouette_bars {
    silhouette_bar *bars; /* n */
    size_t *starts;       /* n_clusters + 1 */
    double *tops;         /* n_clusters: the upper end of the cluster on the y axis */
    double low, high;     /* ends of the values */
    double gap;           /* above each cluster, in bars: room for its title */
    double height;        /* of everything, in bars */
    double points;        /* of the figure */
    bool titled;
} silhouette_bars;

/* Longest first; equal ones as the rows lie. */
static int compare_bars(const void *a, const void *b)
{
    const silhouette_bar *x = a, *y = b;
    if (x->value != y->value) return x->value > y->value ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* The figure grows with the clusters and with bars that are drawn one by one; a title takes a line.
 */
static void measure_height(silhouette_bars *b, const cairn_silhouettes *s)
{
    const double line = 18, around = 90;
    double bars = s->n <= MOST_BARS ? (double)s->n * 12 : 240, k = (double)s->n_used;
    b->titled = s->n_used <= MOST_TITLED;
    b->points = fmax(320, around + bars + (b->titled ? k * line : 0));
    double rest = b->points - around - (b->titled ? k * line : 0);
    b->gap = b->titled ? line * (double)s->n / rest : 0;
    if (s->n <= MOST_BARS) b->gap = fmax(1, ceil(b->gap));
    b->height = (double)s->n + b->gap * k;
}

/* Clusters go from the top down, and in each the largest value first; an empty one takes no
 * height. */
static cairn_status sort_bars(cairn_context *ctx, silhouette_bars *out, const cairn_silhouettes *s,
                              const int32_t *clusters)
{
    size_t *at;
    CHECK(SCRATCH_RAW(ctx, &out->bars, s->n + 1));
    CHECK(SCRATCH(ctx, &out->starts, s->n_clusters + 2));
    CHECK(SCRATCH_RAW_EACH(ctx, s->n_clusters + 1, &out->tops, &at));
    for (size_t i = 0; i < s->n; i++) out->starts[clusters[i] + 1]++;
    for (size_t c = 0; c < s->n_clusters; c++) {
        out->starts[c + 1] += out->starts[c];
        at[c] = out->starts[c];
    }
    for (size_t i = 0; i < s->n; i++) {
        out->bars[at[clusters[i]]++] = (silhouette_bar){s->values[i], i};
        out->low = fmin(out->low, s->values[i]);
        out->high = fmax(out->high, s->values[i]);
    }
    measure_height(out, s);
    double top = out->height - out->gap - 0.5; /* bars stand around whole numbers */
    for (size_t c = 0; c < s->n_clusters; c++) {
        size_t n = out->starts[c + 1] - out->starts[c];
        qsort(out->bars + out->starts[c], n, sizeof *out->bars, compare_bars);
        out->tops[c] = top;
        if (n) top -= (double)n + out->gap;
    }
    return CAIRN_OK;
}

/* A bar for each row. */
static void draw_bars(cairn_figure *figure, const silhouette_bars *b, size_t c)
{
    const double half = 0.4;
    for (size_t i = b->starts[c]; i < b->starts[c + 1]; i++) {
        double value = b->bars[i].value, y = b->tops[c] - (double)(i - b->starts[c]) - 0.5;
        double x[4] = {0, value, value, 0};
        double corners[4] = {y - half, y - half, y + half, y + half};
        cairn_figure_side(figure, (int32_t)c, 0.8, x, corners, 4);
    }
}

/* All bars of a cluster as one shape; a step is as long as the mean of its bars. */
static cairn_status draw_outline(cairn_context *ctx, cairn_figure *figure, const silhouette_bars *b,
                                 size_t c)
{
    size_t n = b->starts[c + 1] - b->starts[c], steps = n < MOST_STEPS ? n : MOST_STEPS, at = 0;
    double *x, *y;
    CHECK(SCRATCH_RAW_EACH(ctx, 2 * steps + 2, &x, &y));
    x[0] = 0;
    y[0] = b->tops[c];
    for (size_t k = 0; k < steps; k++) {
        size_t from = k * n / steps, to = (k + 1) * n / steps;
        double sum = 0;
        for (size_t i = from; i < to; i++) sum += b->bars[b->starts[c] + i].value;
        for (size_t end = 0; end < 2; end++) {
            x[++at] = sum / (double)(to - from);
            y[at] = b->tops[c] - (double)(end ? to : from);
        }
    }
    x[++at] = 0;
    y[at] = b->tops[c] - (double)n;
    cairn_figure_side(figure, (int32_t)c, 0.6, x, y, at + 1);
    cairn_figure_shape(figure, (int32_t)c, x, y, at + 1);
    return CAIRN_OK;
}

/* Write above the bars on the right, or, where the line at the mean of all rows would run through
 * it, on the left. */
static void write_above(cairn_figure *figure, const silhouette_bars *b, double mean, double y,
                        const char *text)
{
    const double letter = 5.6, plot = 420; /* about, in points */
    double low = b->low < 0 ? b->low : 0;
    double width = letter * (double)strlen(text) / plot * (1 - low);
    bool left = mean > 1 - width && mean > low + width;
    cairn_figure_text(figure, left ? low : 1, y, left ? 'l' : 'r', text);
}

/* "setosa: 50 rows, mean 0.80" above the bars, and a line at the mean. */
static void draw_mean(cairn_figure *figure, const silhouette_bars *b, const cairn_silhouettes *s,
                      size_t c, const char *name)
{
    size_t n = b->starts[c + 1] - b->starts[c];
    double x[2] = {s->means[c], s->means[c]}, y[2] = {b->tops[c] - (double)n, b->tops[c]};
    char text[160], mean[CAIRN_NUMBER_SIZE];
    cairn_figure_thick(figure, NULL, x, y, 2);
    if (!b->titled) return;
    cairn_number_format(mean, s->means[c], 3);
    snprintf(text, sizeof text, "%.60s: %zu row%s, mean %s", name, n, n == 1 ? "" : "s", mean);
    write_above(figure, b, s->mean, b->tops[c], text);
}

/* Names of few rows beside their bars, which stand at whole numbers; nothing beside many. */
static cairn_status name_bars(cairn_context *ctx, cairn_figure *figure, const silhouette_bars *b,
                              const cairn_silhouettes *s, const char *const *rows)
{
    size_t places = (size_t)b->height;
    const char **names;
    if (!rows || s->n > MOST_BARS) {
        cairn_figure_y_names(figure, (const char *const[]){""}, 1);
        return CAIRN_OK;
    }
    CHECK(SCRATCH(ctx, &names, places + 1));
    for (size_t i = 0; i < places; i++) names[i] = "";
    for (size_t c = 0; c < s->n_clusters; c++)
        for (size_t i = b->starts[c]; i < b->starts[c + 1]; i++)
            names[(size_t)b->tops[c] - (i - b->starts[c])] = rows[b->bars[i].row];
    cairn_figure_y_names(figure, names, places);
    return CAIRN_OK;
}

cairn_status cairn_silhouette_plot(cairn_context *ctx, cairn_figure **out,
                                   const cairn_silhouettes *s, const int32_t *clusters,
                                   const char *const *names, const char *const *rows,
                                   const char *title)
{
    SCOPED_SCRATCH(ctx);
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    silhouette_bars b = {0};
    CHECK(sort_bars(ctx, &b, s, clusters));
    CHECK(cairn_figure_new(ctx, &figure, "silhouettes", title));
    cairn_figure_axes(figure, "silhouette s = (b − a) / max(a, b)", NULL);
    cairn_figure_size(figure, 480, b.points);
    cairn_figure_x_range(figure, b.low < 0 ? floor(b.low * 10) / 10 : 0, 1);
    for (size_t c = 0; c < s->n_clusters; c++) {
        if (b.starts[c] == b.starts[c + 1]) continue;
        if (s->n <= MOST_BARS)
            draw_bars(figure, &b, c);
        else
            CHECK(draw_outline(ctx, figure, &b, c));
        draw_mean(figure, &b, s, c, names[c]);
    }
    /* A legend would stand on the bars: the line is told of above them. */
    char number[CAIRN_NUMBER_SIZE], line[CAIRN_NUMBER_SIZE + 40];
    cairn_number_format(number, s->mean, 3);
    snprintf(line, sizeof line, "dashed: the mean of all rows shown, %s", number);
    cairn_figure_subtitle(figure, line);
    cairn_figure_rule_x(figure, NULL, s->mean);
    CHECK(name_bars(ctx, figure, &b, s, rows));
    cairn_figure_y_range(figure, -0.5 - 0.03 * b.height, b.height - 0.5);
    *out = TAKE(figure);
    return CAIRN_OK;
}
