/* SPDX-License-Identifier: MIT */
/* cairn describe: a small picture of each column for pages. Numbers are histograms, the classes
 * stacked on each other and a kernel density over them; levels are bars. */
#include "command/describe.h"

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
static const cairn_column *classes_of(const cairn_describe *d)
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
    double n = fmin(ceil(2 * cbrt((double)sample->n)), MOST_BINS);
    if (s->whole && s->range >= 1 && s->range < MOST_BINS - 1)
        return cairn_bins_equal(ctx, out, s->min - 0.5, s->max + 0.5, (size_t)s->range + 1);
    return cairn_bins_equal(ctx, out, s->min, s->max, (size_t)fmax(n, 5));
}

static void count_classes(struct cairn_small_picture *p, const cairn_describe *d, size_t column,
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

cairn_status cairn_describe_picture(cairn_context *ctx, const cairn_describe *d, size_t column,
                                    const cairn_sample *sample)
{
    struct cairn_small_picture *p = d->facts[column].picture;
    const cairn_summary *s = &d->facts[column].summary;
    const cairn_density_options options = {0};
    cairn_bins bins = {0};
    cairn_status status = CAIRN_OK;
    if (!(s->range > 0) || !isfinite(s->range)) return CAIRN_OK;
    TRY(choose_bins(ctx, &bins, sample, s));
    p->n_bins = bins.n;
    p->n_classes = classes_of(d) ? classes_of(d)->names.n : 1;
    for (size_t i = 0; i <= bins.n; i++) p->edges[i] = bins.edges[i];
    count_classes(p, d, column, &bins);
    p->drawn = true;
    p->has_curve = s->n_distinct > 10;
    if (!p->has_curve) goto done;
    double bandwidth = cairn_bandwidth(sample, &options);
    double area = sample->total * (bins.edges[1] - bins.edges[0]);
    cairn_density_grid(p->x, CURVE, sample, bandwidth, 1);
    TRY(cairn_density_at(ctx, p->y, sample, bandwidth, CAIRN_DENSITY_NORMAL, p->x, CURVE));
    for (size_t i = 0; i < CURVE; i++) p->y[i] *= area;
done:
    return status;
}

static cairn_status add_numbers(cairn_describe *d, size_t column, bool named)
{
    const struct cairn_small_picture *p = d->facts[column].picture;
    const cairn_column *classes = classes_of(d);
    cairn_figure *figure = NULL;
    cairn_status status;
    TRY(cairn_figure_new(d->ctx, &figure, "column", d->table->slots[column].name));
    cairn_figure_size(figure, WIDTH, HEIGHT);
    cairn_figure_axes(figure, NULL, NULL);
    if (p->n_classes > 1) cairn_figure_stacked(figure);
    for (size_t k = 0; k < p->n_classes; k++)
        cairn_figure_histogram(figure, named && classes ? cairn_map_key(&classes->names, k) : NULL,
                               p->edges, p->counts[k], p->n_bins);
    if (p->has_curve) cairn_figure_line(figure, NULL, p->x, p->y, CURVE);
    cairn_report_page_figure(d->report, figure);
done:
    return status;
}

/* The commonest levels, ordered ones in their order. */
static cairn_status add_levels(cairn_describe *d, size_t column)
{
    const cairn_slot *slot = &d->table->slots[column];
    const cairn_column_facts *f = &d->facts[column];
    const char *names[MOST_BARS];
    double heights[MOST_BARS];
    size_t n = slot->column->names.n < MOST_BARS ? slot->column->names.n : MOST_BARS;
    cairn_figure *figure = NULL;
    cairn_status status = CAIRN_OK;
    if (!f->n) return CAIRN_OK;
    for (size_t k = 0; k < n; k++) {
        size_t code = f->measurement == CAIRN_ORDINAL ? k : f->order[k];
        names[k] = cairn_map_key(&slot->column->names, code);
        heights[k] = f->counts[code];
    }
    TRY(cairn_figure_new(d->ctx, &figure, "column", slot->name));
    cairn_figure_size(figure, WIDTH, HEIGHT);
    cairn_figure_axes(figure, NULL, NULL);
    cairn_figure_bars(figure, NULL, names, heights, n);
    cairn_report_page_figure(d->report, figure);
done:
    return status;
}

cairn_status cairn_describe_choose_figures(cairn_describe *d)
{
    cairn_status status = CAIRN_OK;
    int n = 0;
    for (size_t i = 0; i < d->table->n_columns && n < d->options->figures; i++) {
        if (!cairn_describe_learns(&d->table->slots[i])) continue;
        if (d->facts[i].measurement == CAIRN_NO_STATISTICS) continue;
        TRY(SCRATCH(d->ctx, &d->facts[i].picture, 1));
        n++;
    }
done:
    return status;
}

cairn_status cairn_describe_figures(cairn_describe *d)
{
    bool named = true;
    cairn_status status = CAIRN_OK;
    for (size_t i = 0; i < d->table->n_columns; i++) {
        if (!d->facts[i].picture) continue;
        if (d->facts[i].picture->drawn) {
            TRY(add_numbers(d, i, named));
            named = false;
        } else if (d->table->slots[i].column->kind == CAIRN_LEVEL) {
            TRY(add_levels(d, i));
        }
    }
done:
    return status;
}
