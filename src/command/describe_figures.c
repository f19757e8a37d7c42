/* SPDX-License-Identifier: MIT */
/* cairn describe: a small picture of each column for pages. Numbers are histograms, the classes
 * stacked on each other and a kernel density over them; levels are bars. */
#include "command/describe.h"

#include "base/functions.h"
#include "base/memory.h"
#include "stats/density.h"

#include <math.h>

enum { MOST_CLASSES = 8, MOST_BINS = 30, CURVE = 121, MOST_BARS = 12, WIDTH = 236, HEIGHT = 168 };

struct cairn_small_picture {
    size_t n_bins, n_classes;
    bool drawn, has_curve;
    double edges[MOST_BINS + 1], counts[MOST_CLASSES][MOST_BINS];
    double x[CURVE], y[CURVE];
};

/* The classes that histograms are stacked by; NULL = none. */
static const cairn_column *classes_of(const cairn_describing *d)
{
    if (d->target < 0) return NULL;
    const cairn_column *target = d->table->slots[d->target].column;
    bool few =
        target->kind == CAIRN_LEVEL && target->names.n > 1 && target->names.n <= MOST_CLASSES;
    return few ? target : NULL;
}

/* Equal bins; whole numbers with few values get one bin each. */
static cairn_status choose_bins(cairn_context *ctx, cairn_bins *out, const cairn_sample *sample,
                                const cairn_summary *s)
{
    double n = fmin(ceil(2 * cairn_cbrt((double)sample->n)), MOST_BINS);
    if (s->whole && s->range >= 1 && s->range < MOST_BINS - 1)
        return cairn_bins_equal(ctx, out, s->min - 0.5, s->max + 0.5, (size_t)s->range + 1);
    return cairn_bins_equal(ctx, out, s->min, s->max, (size_t)fmax(n, 5));
}

static void count_classes(struct cairn_small_picture *p, const cairn_describing *d, size_t column,
                          const cairn_bins *bins)
{
    const double *values = d->table->slots[column].column->numbers;
    const cairn_column *classes = classes_of(d);
    double low = bins->edges[0], scale = (double)bins->n / (bins->edges[bins->n] - low);
    for (size_t i = 0; i < d->table->n_rows; i++) {
        int32_t class = classes ? classes->codes[i] : 0;
        if (isnan(values[i]) || class < 0) continue;
        double at = (values[i] - low) * scale;
        size_t bin = at < (double)bins->n ? (size_t)at : bins->n - 1;
        p->counts[class][bin] += cairn_describe_weight(d, i);
    }
}

cairn_status cairn_describe_picture(cairn_context *ctx, const cairn_describing *d, size_t column,
                                    const cairn_sample *sample)
{
    struct cairn_small_picture *p = d->facts[column].picture;
    const cairn_summary *s = &d->facts[column].summary;
    const cairn_density_options options = {0};
    cairn_bins bins = {0};
    if (!(s->range > 0) || !isfinite(s->range)) return CAIRN_OK;
    CHECK(choose_bins(ctx, &bins, sample, s));
    p->n_bins = bins.n;
    p->n_classes = classes_of(d) ? classes_of(d)->names.n : 1;
    for (size_t i = 0; i <= bins.n; i++) p->edges[i] = bins.edges[i];
    count_classes(p, d, column, &bins);
    p->drawn = true;
    p->has_curve = s->n_distinct > 10;
    if (!p->has_curve) return CAIRN_OK;
    double bandwidth = cairn_bandwidth(sample, &options);
    double area = sample->total * (bins.edges[1] - bins.edges[0]);
    cairn_density_grid(p->x, CURVE, sample, bandwidth, 1);
    CHECK(cairn_density_at(ctx, p->y, sample, bandwidth, CAIRN_DENSITY_NORMAL, p->x, CURVE));
    for (size_t i = 0; i < CURVE; i++) p->y[i] *= area;
    return CAIRN_OK;
}

static cairn_status add_numbers(cairn_describing *d, size_t column, bool named)
{
    const struct cairn_small_picture *p = d->facts[column].picture;
    const cairn_column *classes = classes_of(d);
    cairn_figure *figure = NULL;
    CHECK(cairn_figure_new(d->ctx, &figure, "column", d->table->slots[column].name));
    cairn_figure_fixed_size(figure, WIDTH, HEIGHT);
    cairn_figure_axes(figure, NULL, NULL);
    if (p->n_classes > 1) cairn_figure_stacked(figure);
    for (size_t k = 0; k < p->n_classes; k++)
        cairn_figure_histogram(figure, named && classes ? cairn_map_key(&classes->names, k) : NULL,
                               p->edges, p->counts[k], p->n_bins);
    if (p->has_curve) cairn_figure_line(figure, NULL, p->x, p->y, CURVE);
    /* A density that rises far above its bars may leave the picture. */
    double bars = 0, curve = 0;
    for (size_t i = 0; i < p->n_bins; i++) {
        double sum = 0;
        for (size_t k = 0; k < p->n_classes; k++) sum += p->counts[k][i];
        bars = fmax(bars, sum);
    }
    for (size_t i = 0; i < CURVE && p->has_curve; i++) curve = fmax(curve, p->y[i]);
    if (curve > 1.15 * bars) cairn_figure_y_range(figure, 0, 1.15 * bars);
    cairn_report_page_figure(d->report, figure);
    return CAIRN_OK;
}

/* Heights of the shown levels in each class. */
static void count_levels(double heights[MOST_CLASSES][MOST_BARS], const cairn_describing *d,
                         size_t column, const size_t *places, const cairn_column *classes)
{
    const cairn_column *levels = d->table->slots[column].column;
    for (size_t i = 0; i < d->table->n_rows; i++) {
        int32_t level = levels->codes[i], class = classes->codes[i];
        if (level >= 0 && class >= 0 && places[level] < MOST_BARS)
            heights[class][places[level]] += cairn_describe_weight(d, i);
    }
}

/* The commonest levels, ordered ones in their order; classes are stacked. */
static cairn_status add_levels(cairn_describing *d, size_t column, bool *named)
{
    SCOPED_SCRATCH(d->ctx);
    const cairn_slot *slot = &d->table->slots[column];
    const cairn_column_facts *f = &d->facts[column];
    const cairn_column *classes = (ptrdiff_t)column == d->target ? NULL : classes_of(d);
    const char *names[MOST_BARS];
    double heights[MOST_CLASSES][MOST_BARS] = {0};
    size_t n_levels = slot->column->names.n, n = n_levels < MOST_BARS ? n_levels : MOST_BARS;
    size_t *places;
    cairn_figure *figure = NULL;
    if (!f->n) return CAIRN_OK;
    CHECK(SCRATCH(d->ctx, &places, n_levels + 1));
    for (size_t k = 0; k < n_levels; k++) {
        size_t code = f->measurement == CAIRN_ORDINAL ? k : f->order[k];
        places[code] = k;
        if (k < n) names[k] = cairn_map_key(&slot->column->names, code);
        if (k < n) heights[0][k] = classes ? 0 : f->counts[code];
    }
    if (classes) count_levels(heights, d, column, places, classes);
    CHECK(cairn_figure_new(d->ctx, &figure, "column", slot->name));
    cairn_figure_fixed_size(figure, WIDTH, HEIGHT);
    cairn_figure_axes(figure, NULL, NULL);
    if (classes) cairn_figure_stacked(figure);
    for (size_t k = 0; k < (classes ? classes->names.n : 1); k++)
        cairn_figure_bars(figure, classes && *named ? cairn_map_key(&classes->names, k) : NULL,
                          names, heights[k], n);
    if (classes) *named = false;
    cairn_report_page_figure(d->report, figure);
    return CAIRN_OK;
}

cairn_status cairn_describe_choose_figures(cairn_describing *d)
{
    int n = 0;
    for (size_t i = 0; i < d->table->n_columns && n < d->options->figures; i++) {
        if (!cairn_describe_learns(&d->table->slots[i])) continue;
        if (d->facts[i].measurement == CAIRN_NO_STATISTICS) continue;
        CHECK(SCRATCH(d->ctx, &d->facts[i].picture, 1));
        n++;
    }
    return CAIRN_OK;
}

cairn_status cairn_describe_figures(cairn_describing *d)
{
    bool named = true;
    for (size_t i = 0; i < d->table->n_columns; i++) {
        if (!d->facts[i].picture) continue;
        if (d->facts[i].picture->drawn) {
            CHECK(add_numbers(d, i, named));
            named = false;
        } else if (d->table->slots[i].column->kind == CAIRN_LEVEL) {
            CHECK(add_levels(d, i, &named));
        }
    }
    return CAIRN_OK;
}
