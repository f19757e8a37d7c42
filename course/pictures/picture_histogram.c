/* SPDX-License-Identifier: MIT */
/* cairn draw histogram: how the values of a number column are spread, with the classes stacked on
 * each other when there are classes. A kernel density and the normal density of the same mean and
 * deviation can lie over it, and cut points can be marked. Bins of unequal width show the count per
 * unit, so that areas can be compared. */
#include "pictures/picture.h"

#include "base/functions.h"
#include "base/memory.h"
#include "stats/density.h"
#include "stats/distributions.h"
#include "stats/frequency.h"

#include <math.h>

typedef struct histogram_params {
    const char *column, *colour, *mark_at;
    cairn_bin_options bins;
    cairn_density_options kernel;
    bool stacked, density, normal;
    int log;
} histogram_params;

static const cairn_param histogram_table[] = {
    CAIRN_PARAM_AS(histogram_params, column, CAIRN_TYPE_COLUMNS, NULL,
                   "the number column; the first one if not given"),
    CAIRN_PARAM_AS(histogram_params, colour, CAIRN_TYPE_COLUMNS, NULL,
                   "level column: one histogram per level, or none; the target if not given"),
    CAIRN_PARAM(histogram_params, stacked, "yes", NULL,
                "classes stand on each other; no = they overlap"),
    CAIRN_PARAM_CHOICE(histogram_params, log, "auto", cairn_picture_logs,
                       "the scale along the horizontal axis"),
    CAIRN_PARAM(histogram_params, density, "no", NULL, "lay the kernel density over it"),
    CAIRN_PARAM(histogram_params, normal, "no", NULL,
                "lay the normal density of the same mean and sd over it"),
    CAIRN_PARAM_AS(histogram_params, mark_at, CAIRN_TYPE_LIST, NULL,
                   "mark these cut points on the axis"),
    CAIRN_PARAM_GROUP(histogram_params, bins, cairn_bin_params),
    CAIRN_PARAM_GROUP(histogram_params, kernel, cairn_density_params, .when = "density"),
    CAIRN_PARAM_END,
};

enum { CURVE = 241 };

static bool equally_wide(const cairn_bins *bins)
{
    double width = bins->edges[1] - bins->edges[0];
    for (size_t i = 1; i < bins->n; i++)
        if (fabs(bins->edges[i + 1] - bins->edges[i] - width) > 1e-9 * width) return false;
    return true;
}

/* Counts, or counts per unit where the widths differ. */
static cairn_status add_series(cairn_context *ctx, cairn_figure *figure, const cairn_bins *bins,
                               const cairn_sample *sample, const char *label, bool logs)
{
    double *counts, *edges = bins->edges;
    bool equal = equally_wide(bins);
    CHECK(SCRATCH(ctx, &counts, bins->n));
    cairn_bins_count(counts, bins, sample);
    for (size_t i = 0; i < bins->n && !equal; i++) counts[i] /= bins->edges[i + 1] - bins->edges[i];
    if (logs) {
        CHECK(SCRATCH(ctx, &edges, bins->n + 1));
        for (size_t i = 0; i <= bins->n; i++) edges[i] = cairn_pow(10, bins->edges[i]);
    }
    cairn_figure_histogram(figure, label, edges, counts, bins->n);
    return CAIRN_OK;
}

static cairn_status add_groups(cairn_context *ctx, cairn_figure *figure, const cairn_bins *bins,
                               const double *values, const double *weights, size_t n,
                               const cairn_groups *groups, bool logs)
{
    for (size_t g = 0; g < groups->n; g++) {
        cairn_scratch_mark mark = cairn_scratch_now(ctx);
        cairn_sample part;
        CHECK(cairn_sample_make(ctx, &part, values, weights, n,
                                (cairn_part){groups->codes, (int32_t)g}));
        CHECK(add_series(ctx, figure, bins, &part, groups->names[g], logs));
        cairn_figure_in_group(figure, (int32_t)g);
        cairn_scratch_release(ctx, mark);
    }
    return CAIRN_OK;
}

/* Bins of different widths show rows per unit, since heights would mislead; groups share the bins
 * of all rows. */
static cairn_status histogram_draw(cairn_context *ctx, cairn_figure **out,
                                   const cairn_compute_job *job)
{
    const histogram_params *p = job->params;
    cairn_picture_column c;
    cairn_bins bins;
    bool logs, own = p->density || p->normal || p->mark_at || p->bins.cuts || p->bins.bin_width > 0;
    double cut;
    CHECK(cairn_picture_column_of(ctx, &c, job->table, p->column, p->colour));
    CHECK(cairn_picture_new(ctx, out, "histogram", job->table, "Histogram of %s", c.name));
    cairn_picture_legend(*out, &c.groups);
    CHECK(cairn_picture_unskew(ctx, &c, own && p->log == CAIRN_LOG_AUTO ? CAIRN_LOG_NO : p->log,
                               &logs, &cut, *out));
    if (!isnan(cut)) c.sample.n = cairn_sample_place(&c.sample, cut, true);
    CHECK(cairn_bins_show(ctx, &bins, &p->bins, &c.sample));
    bool equal = equally_wide(&bins);
    cairn_figure_axes(*out, c.name,
                      c.weights ? (equal ? "weight" : "weight per unit")
                                : (equal ? "rows" : "rows per unit"));
    cairn_figure_scales(*out, c.scale, CAIRN_SCALE_LINEAR);
    if (p->stacked && c.groups.n > 1) cairn_figure_stacked(*out);
    if (c.groups.n)
        CHECK(add_groups(ctx, *out, &bins, c.values, c.weights, c.n_rows, &c.groups, logs));
    else
        CHECK(add_series(ctx, *out, &bins, &c.sample, NULL, logs));
    if (p->density || p->normal) {
        /* The curves over it, scaled to the area of the bars. */
        cairn_figure *figure = *out;
        double x[CURVE], y[CURVE], bandwidth;
        double area = c.sample.total * (equally_wide(&bins) ? bins.edges[1] - bins.edges[0] : 1);
        cairn_summary s;
        CHECK(cairn_bandwidth_get(ctx, &bandwidth, &c.sample, &p->kernel, NULL));
        cairn_density_grid(x, CURVE, &c.sample, bandwidth, 2.5);
        if (p->density) {
            CHECK(cairn_density_at(ctx, y, &c.sample, bandwidth,
                                   (cairn_density_kernel)p->kernel.kernel, x, CURVE));
            for (size_t i = 0; i < CURVE; i++) y[i] *= area;
            cairn_figure_line(figure, "kernel density", x, y, CURVE);
        }
        cairn_summarise(&s, &c.sample, CAIRN_DIVISOR_N_1, CAIRN_QUANTILE_LINEAR);
        if (p->normal && s.sd > 0) {
            for (size_t i = 0; i < CURVE; i++)
                y[i] = area * cairn_normal_density((x[i] - s.mean) / s.sd) / s.sd;
            cairn_figure_dashed(figure, "normal density", x, y, CURVE);
        }
    }
    if (p->mark_at) {
        cairn_figure *figure = *out;
        const char *list = p->mark_at;
        double *cuts;
        size_t n;
        CHECK(cairn_list_numbers(ctx, "mark-at", list, &cuts, &n));
        for (size_t i = 0; i < n; i++) cairn_figure_rule_x(figure, i ? NULL : "cut point", cuts[i]);
    }
    return CAIRN_OK;
}

const cairn_calculator cairn_picture_histogram = {
    .picture =
        {.kind = CAIRN_ENTRY_PICTURE,
         .name = "histogram",
         .also = "histogram, distribution of a column",
         .title = "How the values of a column are spread",
         .summary =
             "Counts of a number column in bins, the classes stacked on each other when there "
             "is a target with levels. Bins are given by their edges, width or number; a "
             "kernel density and a normal density can be laid over, cut points marked.",
         .references = "Sturges: The Choice of a Class Interval, JASA 21, 1926",
         .example = "cairn draw histogram @iris --column petal_length --mark-at 2.45,4.75",
         .params = histogram_table,
         .params_size = sizeof(histogram_params)},
    .arguments = "DATA",
    .needs_data = true,
    .reads = CAIRN_READS_ROLES,
    .draw = histogram_draw,
};
