/* SPDX-License-Identifier: MIT */
/* Labelled points from a table. */
#include "typed/shape_data.h"

#include "base/memory.h"
#include "typed/concept_data.h"

#include <math.h>
#include <stdio.h>

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

cairn_status cairn_shape_data_read(cairn_context *ctx, cairn_shape_data *out,
                                   const cairn_table *table, size_t d, const char *positive,
                                   const char *what)
{
    cairn_view view;
    size_t *columns, n = 0, width;
    int8_t *classes;
    double *x;
    uint8_t *labels;
    const char **names;
    *out = (cairn_shape_data){0};
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

void cairn_shape_range(const cairn_shape_data *data, size_t column, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t i = 0; i < data->points.n; i++) {
        double x = data->points.x[i * data->points.d + column];
        if (x < *low) *low = x;
        if (x > *high) *high = x;
    }
    double room = *high > *low ? 0.08 * (*high - *low) : 1;
    *low -= room;
    *high += room;
}

cairn_status cairn_shape_figure(cairn_context *ctx, cairn_figure **out,
                                const cairn_shape_data *data, const char *name, const char *title)
{
    size_t n = data->points.n, d = data->points.d;
    double *x, *y, low, high;
    int32_t *group;
    char positive[80];
    *out = NULL;
    CHECK(SCRATCH(ctx, &x, n));
    CHECK(SCRATCH(ctx, &y, n));
    CHECK(SCRATCH(ctx, &group, n));
    for (size_t i = 0; i < n; i++) {
        x[i] = data->points.x[i * d];
        y[i] = d > 1 ? data->points.x[i * d + 1] : 0;
        group[i] = !data->points.positive[i];
    }
    snprintf(positive, sizeof positive, "%s = %s", data->target, data->positive);
    const char *names[2] = {positive, "other"};
    CHECK(cairn_figure_new(ctx, out, name, title));
    cairn_figure_axes(*out, data->columns[0], d > 1 ? data->columns[1] : "");
    cairn_shape_range(data, 0, &low, &high);
    cairn_figure_x_range(*out, low, high);
    if (d > 1) {
        cairn_shape_range(data, 1, &low, &high);
        cairn_figure_y_range(*out, low, high);
    }
    cairn_figure_points(*out, x, y, group, n, names, 2);
    return CAIRN_OK;
}
