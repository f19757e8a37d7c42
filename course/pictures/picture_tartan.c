/* SPDX-License-Identifier: MIT */
/* cairn draw tartan: what two discrete features say about two classes, alone and together. The
 * first row and column are the strips of one feature alone: log2 of the ratio P(value | positive) /
 * P(value | negative). A cell inside is the sum of its row's and its column's strip, which is the
 * log-ratio of the product of the two marginal likelihoods. */
#include "pictures/picture.h"
#include "stats/smoothing.h"

#include "base/functions.h"
#include "base/memory.h"
#include "typed/labels.h"

#include <math.h>
#include <stdio.h>

typedef struct tartan_params {
    const char *x, *y, *positive;
    cairn_smoothing_option smoothing;
} tartan_params;

static const cairn_param tartan_table[] = {
    CAIRN_PARAM_AS(tartan_params, x, CAIRN_TYPE_COLUMNS, NULL,
                   "level column across; the first feature with levels if not given"),
    CAIRN_PARAM_AS(tartan_params, y, CAIRN_TYPE_COLUMNS, NULL,
                   "level column down; the second feature with levels if not given"),
    CAIRN_PARAM(
        tartan_params, positive, NULL, NULL,
        "the class that counts as positive; +, 1, yes, true, pos, spam or the rarer one if not "
        "given"),
    CAIRN_PARAM_GROUP(tartan_params, smoothing, cairn_smoothing_group),
    CAIRN_PARAM_END,
};

/* The named level column, or the i-th feature that holds levels. */
static cairn_status find_levels(cairn_context *ctx, size_t *out, const cairn_table *table,
                                const char *option, const char *name, size_t i)
{
    size_t seen = 0;
    if (name) {
        CHECK(cairn_table_get(ctx, table, name, out));
        if (table->slots[*out].column->kind != CAIRN_LEVEL)
            return cairn_fail(
                ctx, CAIRN_USAGE,
                "{%s}: '%s' holds no levels; {kinds \"%s=level\"} takes its values as "
                "levels",
                option, name, name);
        return CAIRN_OK;
    }
    for (size_t c = 0; c < table->n_columns; c++)
        if (table->slots[c].role == CAIRN_FEATURE && table->slots[c].column->kind == CAIRN_LEVEL &&
            seen++ == i) {
            *out = c;
            return CAIRN_OK;
        }
    return cairn_fail(ctx, CAIRN_BAD_DATA, "%s has %zu features with levels, too few for a tartan",
                      table->source ? table->source : "the table", seen);
    return CAIRN_OK;
}

/* log2 likelihood ratio of every level of a column. */
static cairn_status log_ratios(cairn_context *ctx, double **out, const cairn_column *column,
                               const cairn_view *view, size_t positive, cairn_smoothing smoothing)
{
    size_t k = column->names.n;
    double *counts, totals[2] = {0, 0};
    CHECK(SCRATCH(ctx, out, k));
    CHECK(SCRATCH(ctx, &counts, 2 * k));
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i);
        int32_t level = column->codes[row], class = view->target->codes[row];
        if (level < 0 || class < 0) continue;
        size_t side = (size_t) class == positive;
        counts[2 * (size_t)level + side] += cairn_view_weight(view, i);
        totals[side] += cairn_view_weight(view, i);
    }
    for (size_t l = 0; l < k; l++)
        (*out)[l] =
            cairn_log2(cairn_smoothed(smoothing, counts[2 * l + 1], totals[1], k, NULL, l)) -
            cairn_log2(cairn_smoothed(smoothing, counts[2 * l], totals[0], k, NULL, l));
    return CAIRN_OK;
}

static cairn_status find_positive(cairn_context *ctx, size_t *out, const cairn_view *view,
                                  const char *wanted)
{
    double weights[2] = {0, 0};
    if (!view->target || view->target->kind != CAIRN_LEVEL || view->target->names.n != 2)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "a tartan needs a target with two classes; name it with "
                          "{target}");
    for (size_t i = 0; i < view->rows.n; i++) {
        int32_t class = view->target->codes[cairn_view_row(view, i)];
        if (class >= 0) weights[class] += cairn_view_weight(view, i);
    }
    const char *const names[2] = {cairn_map_key(&view->target->names, 0),
                                  cairn_map_key(&view->target->names, 1)};
    return cairn_choose_positive(ctx, out, names, weights, wanted);
}

/* The strips and their sums, and the names of rows and columns. */
static cairn_status weave(cairn_context *ctx, cairn_figure *f, const cairn_column *x,
                          const cairn_column *y, const double *x_ratio, const double *y_ratio)
{
    size_t n = y->names.n + 1, m = x->names.n + 1;
    double *cells;
    const char **rows, **columns;
    CHECK(SCRATCH(ctx, &cells, cairn_product(n, m)));
    CHECK(SCRATCH(ctx, &rows, n));
    CHECK(SCRATCH(ctx, &columns, m));
    rows[0] = columns[0] = "(alone)";
    for (size_t i = 1; i < n; i++) rows[i] = cairn_map_key(&y->names, i - 1);
    for (size_t j = 1; j < m; j++) columns[j] = cairn_map_key(&x->names, j - 1);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++)
            cells[i * m + j] = (i ? y_ratio[i - 1] : 0) + (j ? x_ratio[j - 1] : 0);
    cairn_figure_heat(f, cells, rows, n, columns, m);
    return CAIRN_OK;
}

/* In naive Bayes the log-ratios of two columns add, so a grid of their sums shows the whole
 * classifier for two features. */
static cairn_status tartan_draw(cairn_context *ctx, cairn_figure **out,
                                const cairn_compute_job *job)
{
    const tartan_params *p = job->params;
    const cairn_table *table = job->table;
    cairn_smoothing smoothing;
    cairn_view view;
    size_t x, y, positive;
    double *x_ratio, *y_ratio;
    char title[200];
    CHECK(cairn_smoothing_read(ctx, &smoothing, p->smoothing.smooth));
    CHECK(cairn_view_make(ctx, &view, table, cairn_all_rows(table)));
    CHECK(find_positive(ctx, &positive, &view, p->positive));
    CHECK(find_levels(ctx, &x, table, "x", p->x, 0));
    CHECK(find_levels(ctx, &y, table, "y", p->y, 1));
    CHECK(log_ratios(ctx, &x_ratio, table->slots[x].column, &view, positive, smoothing));
    CHECK(log_ratios(ctx, &y_ratio, table->slots[y].column, &view, positive, smoothing));
    snprintf(title, sizeof title, "log2 of the likelihood ratio for '%.60s'",
             cairn_map_key(&view.target->names, positive));
    CHECK(cairn_figure_new(ctx, out, "tartan", title));
    CHECK(weave(ctx, *out, table->slots[x].column, table->slots[y].column, x_ratio, y_ratio));
    cairn_figure_axes(*out, table->slots[x].name, table->slots[y].name);
    return CAIRN_OK;
}

const cairn_calculator cairn_picture_tartan = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "tartan",
                .also = "tartan plot, two features together",
                .title = "What two features say, alone and together",
                .summary =
                    "Strips for the values of two discrete features, coloured by how much the "
                    "value speaks for the positive class or against it (log2 of the ratio of "
                    "its likelihoods), woven into a grid of their products: the decisions of "
                    "naive Bayes on two features.",
                .references = "Flach: Machine Learning, 2012, chapter 1",
                .example = "cairn draw tartan @weather --x outlook --y humidity --smooth laplace",
                .params = tartan_table,
                .params_size = sizeof(tartan_params)},
    .arguments = "DATA",
    .needs_data = true,
    .reads = CAIRN_READS_ROLES,
    .draw = tartan_draw,
};
