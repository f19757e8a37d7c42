/* SPDX-License-Identifier: MIT */
/* Coloured grids. */
#include "plots/confusion_plot.h"

#include "base/memory.h"
#include "base/number.h"

#include <math.h>

cairn_status cairn_plot_confusion(cairn_context *ctx, cairn_figure **out, const double *cells,
                                  const char *const *names, size_t n)
{
    cairn_figure *figure;
    cairn_status status = cairn_figure_new(ctx, &figure, "confusion", "Confusion table");
    if (status) return status;
    cairn_figure_heat(figure, cells, names, n, names, n);
    cairn_figure_axes(figure, "predicted", "actual");
    *out = figure;
    return CAIRN_OK;
}

enum { MOST_ROWS = 200 };

/* The rows of one class, best first: the segment of each, at most MOST_ROWS, evenly spread. */
static cairn_status list_rows(cairn_context *ctx, size_t **out, const char ***names, size_t *n,
                              const cairn_ranking *r, bool positive)
{
    double total = positive ? r->positives : r->negatives, before = 0;
    size_t wanted = (size_t)fmin(fmax(1, round(total)), MOST_ROWS), taken = 0;
    CHECK(SCRATCH_EACH(ctx, wanted, out, names));
    for (size_t i = 0; i < r->n; i++) {
        before += positive ? r->segments[i].positives : r->segments[i].negatives;
        while (taken < wanted &&
               ((double)taken + 0.5) / (double)wanted * total < before + 1e-9 * total) {
            char *name;
            CHECK(SCRATCH(ctx, &name, CAIRN_NUMBER_SIZE));
            cairn_number_format(name, r->segments[i].score, 4);
            (*names)[taken] = name;
            (*out)[taken++] = i;
        }
    }
    *n = taken;
    return CAIRN_OK;
}

cairn_status cairn_plot_pairs(cairn_context *ctx, cairn_figure **out, const cairn_ranking *ranking)
{
    size_t *rows, *columns, n_rows, n_columns;
    const char **row_names, **column_names;
    double *values;
    cairn_figure *figure;
    CHECK(list_rows(ctx, &rows, &row_names, &n_rows, ranking, true));
    CHECK(list_rows(ctx, &columns, &column_names, &n_columns, ranking, false));
    CHECK(SCRATCH(ctx, &values, n_rows * n_columns));
    for (size_t i = 0; i < n_rows; i++)
        for (size_t j = 0; j < n_columns; j++)
            values[i * n_columns + j] = rows[i] < columns[j] ? 0 : rows[i] > columns[j] ? 1 : 0.5;
    CHECK(cairn_figure_new(ctx, &figure, "pairs", "Pairs of a positive and a negative"));
    cairn_figure_heat(figure, values, row_names, n_rows, column_names, n_columns);
    cairn_figure_axes(figure, "score of the negative", "score of the positive");
    cairn_figure_heat_key(figure, 0, "0: right");
    cairn_figure_heat_key(figure, 0.5, "0.5: tied");
    cairn_figure_heat_key(figure, 1, "1: wrong");
    *out = figure;
    return CAIRN_OK;
}
