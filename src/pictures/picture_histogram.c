/* SPDX-License-Identifier: MIT */
/* cairn draw histogram: how the values of a number column are spread, per class when there are
 * classes. Bins are equally wide; their number follows Sturges' rule unless it is given. */
#include "pictures/picture.h"

#include "base/memory.h"

#include <math.h>

typedef struct histogram_params {
    const char *column, *colour;
    int bins;
} histogram_params;

static const cairn_param histogram_table[] = {
    CAIRN_PARAM_AS(histogram_params, column, CAIRN_TYPE_COLUMNS, NULL,
                   "the number column; the first one if not given"),
    CAIRN_PARAM_AS(histogram_params, colour, CAIRN_TYPE_COLUMNS, NULL,
                   "level column: one histogram per level, or none; the target if not given"),
    CAIRN_PARAM(histogram_params, bins, "0", "[0,1000]",
                "number of bins; 0 = by the rule of "
                "Sturges"),
    CAIRN_PARAM_END,
};

typedef struct bins {
    size_t n;
    double low, width;
    double *edges; /* n + 1 */
} bins;

static cairn_status make_bins(cairn_context *ctx, bins *out, const double *values, size_t n,
                              int wanted, const char *name)
{
    cairn_status status;
    double low = INFINITY, high = -INFINITY;
    size_t there = 0;
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(values[i])) continue;
        there++;
        low = fmin(low, values[i]);
        high = fmax(high, values[i]);
    }
    if (there == 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "column '%s' has no values to draw", name);
    out->n = wanted > 0 ? (size_t)wanted : (size_t)ceil(log2((double)there)) + 1;
    if (high == low) high = low + 1;
    out->low = low;
    out->width = (high - low) / (double)out->n;
    TRY(SCRATCH(ctx, &out->edges, out->n + 1));
    for (size_t i = 0; i <= out->n; i++) out->edges[i] = low + (double)i * out->width;
    out->edges[out->n] = high;
done:
    return status;
}

/* Count the values of one group (-1 = all rows). */
static void count(double *counts, const bins *b, const double *values, size_t n,
                  const int32_t *codes, int32_t group)
{
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(values[i]) || (codes && codes[i] != group)) continue;
        size_t bin = (size_t)((values[i] - b->low) / b->width);
        counts[bin < b->n ? bin : b->n - 1] += 1;
    }
}

static cairn_status histogram_draw(cairn_context *ctx, cairn_figure **out,
                                   const cairn_picture_job *job)
{
    const histogram_params *p = job->params;
    const cairn_table *table = job->table;
    cairn_groups groups;
    bins b;
    double *counts;
    size_t column;
    cairn_status status;
    TRY(cairn_picture_numbers(ctx, &column, table, "column", p->column, 0));
    TRY(cairn_picture_groups(ctx, &groups, table, p->colour));
    const double *values = cairn_table_numbers(table, column);
    const char *name = table->slots[column].name;
    TRY(make_bins(ctx, &b, values, table->n_rows, p->bins, name));
    TRY(cairn_figure_new(ctx, out, "histogram", table->source));
    cairn_figure_axes(*out, name, "rows");
    for (size_t g = 0; g < (groups.n ? groups.n : 1); g++) {
        TRY(SCRATCH(ctx, &counts, b.n));
        count(counts, &b, values, table->n_rows, groups.codes, (int32_t)g);
        cairn_figure_histogram(*out, groups.n ? groups.names[g] : NULL, b.edges, counts, b.n);
    }
done:
    return status;
}

const cairn_picture cairn_picture_histogram = {
    .entry = {.kind = CAIRN_ENTRY_PICTURE,
              .name = "histogram",
              .title = "How the values of a column are spread",
              .summary = "Counts of a number column in equally wide bins, one histogram per class "
                         "when there is a target with levels.",
              .references = "Sturges: The Choice of a Class Interval, JASA 21, 1926",
              .example = "cairn draw histogram @iris --column petal_length",
              .params = histogram_table,
              .params_size = sizeof(histogram_params)},
    .arguments = "DATA",
    .needs_table = true,
    .draw = histogram_draw,
};
