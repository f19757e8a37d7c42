/* SPDX-License-Identifier: MIT */
/* cairn draw clusters: rows of a table over two of its columns, coloured by the cluster that a
 * model puts them in; a cluster's middle (the mean of its rows) is marked. */
#include "pictures/picture.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct clusters_params {
    const char *x, *y;
} clusters_params;

static const cairn_param clusters_table[] = {
    CAIRN_PARAM_AS(clusters_params, x, CAIRN_TYPE_COLUMNS, NULL,
                   "column along the horizontal axis; the first number column of the model in "
                   "which rows differ if not given"),
    CAIRN_PARAM_AS(clusters_params, y, CAIRN_TYPE_COLUMNS, NULL,
                   "column along the vertical axis; the second such column if not given"),
    CAIRN_PARAM_END,
};

/* A mark at the mean of every cluster; of very many they would hide the rows. */
static void mark_middles(cairn_figure *figure, const cairn_prediction *p, size_t n_clusters,
                         const double *x, const double *y)
{
    enum { MOST_MARKED = 30 };
    for (size_t k = 0; k < n_clusters && n_clusters <= MOST_MARKED; k++) {
        double n = 0, sum_x = 0, sum_y = 0;
        for (size_t i = 0; i < p->n_rows; i++) {
            if (p->codes[i] != (int32_t)k || isnan(x[i]) || isnan(y[i])) continue;
            n++;
            sum_x += x[i];
            sum_y += y[i];
        }
        if (n > 0) cairn_figure_mark(figure, k ? NULL : "middle", sum_x / n, sum_y / n);
    }
}

static bool is_constant(const double *values, size_t n)
{
    double first = NAN;
    for (size_t i = 0; i < n; i++) {
        if (isnan(values[i])) continue;
        if (isnan(first)) first = values[i];
        if (values[i] != first) return false;
    }
    return true;
}

/* Whether the model clusters by a column of this name. */
static bool is_known(const cairn_model *model, const char *name)
{
    const cairn_field *field;
    size_t at = 0;
    while ((field = cairn_schema_next_feature(&model->schema, &at)))
        if (strcmp(field->name, name) == 0) return true;
    return false;
}

/* The first number column after `from`, and not `taken`, in which not all rows are equal; `model`
 * (or NULL) has to know it. -1 if there is none. */
static ptrdiff_t varying_column(const cairn_table *table, const cairn_model *model, size_t from,
                                size_t taken)
{
    for (size_t c = from; c < table->n_columns; c++) {
        const double *values = cairn_table_numbers(table, c);
        if (table->slots[c].role == CAIRN_FEATURE && values && c != taken &&
            (!model || is_known(model, table->slots[c].name)) &&
            !is_constant(values, table->n_rows))
            return (ptrdiff_t)c;
    }
    return -1;
}

/* An axis that is not given is a column of the model in which rows differ and that is not `taken`,
 * else such a column of the table, or if there is none any number column. */
static cairn_status free_axis(cairn_context *ctx, size_t *out, const cairn_compute_job *job,
                              const char *option, size_t from, size_t taken)
{
    const cairn_table *table = job->table;
    ptrdiff_t at = varying_column(table, job->model, from, taken);
    if (at < 0) at = varying_column(table, NULL, from, taken);
    if (at < 0) {
        CHECK(cairn_picture_numbers(ctx, out, table, option, NULL, 0));
        return *out == taken ? cairn_picture_numbers(ctx, out, table, option, NULL, 1) : CAIRN_OK;
    }
    *out = (size_t)at;
    return CAIRN_OK;
}

static cairn_status choose_axes(cairn_context *ctx, size_t out[2], const cairn_compute_job *job)
{
    const clusters_params *p = job->params;
    const cairn_table *table = job->table;
    if (p->x) CHECK(cairn_picture_numbers(ctx, &out[0], table, "x", p->x, 0));
    if (p->y) CHECK(cairn_picture_numbers(ctx, &out[1], table, "y", p->y, 0));
    if (!p->x) CHECK(free_axis(ctx, &out[0], job, "x", 0, p->y ? out[1] : SIZE_MAX));
    if (!p->y) CHECK(free_axis(ctx, &out[1], job, "y", p->x ? 0 : out[0] + 1, out[0]));
    return CAIRN_OK;
}

/* An entry of the legend for rows in no cluster, which are grey: an area without size. */
static void name_noise(cairn_figure *figure, const cairn_prediction *p, const double *x,
                       const double *y)
{
    for (size_t i = 0; i < p->n_rows; i++) {
        if (p->codes[i] >= 0 || isnan(x[i]) || isnan(y[i])) continue;
        cairn_figure_shade(figure, "noise", -1, 1, x + i, y + i, y + i, 1);
        return;
    }
}

/* The model may cluster by more columns than the two that are drawn; only the rows' clusters come
 * from it. */
static cairn_status clusters_draw(cairn_context *ctx, cairn_figure **out,
                                  const cairn_compute_job *job)
{
    const cairn_table *table = job->table;
    SCOPED(cairn_prediction_clear) cairn_prediction prediction = {0};
    cairn_match match;
    const char **names;
    size_t axes[2];
    CHECK(choose_axes(ctx, axes, job));
    const double *x = cairn_table_numbers(table, axes[0]), *y = cairn_table_numbers(table, axes[1]);
    if (cairn_model_task(job->model) != CAIRN_CLUSTER)
        return cairn_fail(ctx, CAIRN_USAGE, "a model of %s does not make clusters",
                          cairn_model_learner(job->model));
    CHECK(cairn_model_predict_rows(ctx, &prediction, job->model, table, cairn_all_rows(table),
                                   (cairn_predict_wants){0}, &match));
    int32_t most = -1;
    for (size_t i = 0; i < prediction.n_rows; i++)
        if (prediction.codes[i] > most) most = prediction.codes[i];
    size_t n = (size_t)(most + 1);
    CHECK(SCRATCH(ctx, &names, n + 1));
    for (size_t i = 0; i < n; i++) {
        char *name;
        CHECK(SCRATCH(ctx, &name, 32));
        snprintf(name, 32, "cluster %zu", i + 1);
        (names)[i] = name;
    }
    CHECK(cairn_picture_new(ctx, out, "clusters", table, "Clusters of the rows"));
    cairn_figure_axes(*out, table->slots[axes[0]].name, table->slots[axes[1]].name);
    cairn_figure_points(*out, x, y, prediction.codes, table->n_rows, names, n);
    name_noise(*out, &prediction, x, y);
    mark_middles(*out, &prediction, n, x, y);
    return CAIRN_OK;
}

const cairn_calculator cairn_picture_clusters = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "clusters",
                .also = "cluster plot, Voronoi",
                .title = "Rows coloured by their cluster",
                .summary =
                    "Applies a clustering model to a table and draws its rows over two number "
                    "columns, coloured by cluster, with the middle of each cluster marked; rows of "
                    "noise are grey.",
                .example = "cairn fit kmeans @iris --clusters 3 --save iris.cairn && "
                           "cairn draw clusters iris.cairn @iris --out clusters.svg",
                .params = clusters_table,
                .params_size = sizeof(clusters_params)},
    .arguments = "MODEL DATA",
    .needs_model = true,
    .needs_data = true,
    .reads = CAIRN_READS_ROLES,
    .draw = clusters_draw,
};
