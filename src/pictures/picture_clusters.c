/* SPDX-License-Identifier: MIT */
/* cairn draw clusters: rows of a table over two of its columns, coloured by the cluster that a
 * model puts them in; a cluster's middle (the mean of its rows) is marked. */
#include "pictures/picture.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>

typedef struct clusters_params {
    const char *x, *y;
} clusters_params;

static const cairn_param clusters_table[] = {
    CAIRN_PARAM_AS(clusters_params, x, CAIRN_TYPE_COLUMNS, NULL,
                   "column along the horizontal axis; the first number column if not given"),
    CAIRN_PARAM_AS(clusters_params, y, CAIRN_TYPE_COLUMNS, NULL,
                   "column along the vertical axis; the second number column if not given"),
    CAIRN_PARAM_END,
};

static size_t count_clusters(const cairn_prediction *p)
{
    int32_t most = -1;
    for (size_t i = 0; i < p->n_rows; i++)
        if (p->codes[i] > most) most = p->codes[i];
    return (size_t)(most + 1);
}

static cairn_status cluster_names(cairn_context *ctx, const char ***out, size_t n)
{
    CHECK(SCRATCH(ctx, out, n + 1));
    for (size_t i = 0; i < n; i++) {
        char *name;
        CHECK(SCRATCH(ctx, &name, 32));
        snprintf(name, 32, "cluster %zu", i + 1);
        (*out)[i] = name;
    }
    return CAIRN_OK;
}

/* A mark at the mean of every cluster. */
static void mark_middles(cairn_figure *figure, const cairn_prediction *p, size_t n_clusters,
                         const double *x, const double *y)
{
    for (size_t k = 0; k < n_clusters; k++) {
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

/* The model may cluster by more columns than the two that are drawn; only the rows' clusters come
 * from it. */
static cairn_status clusters_draw(cairn_context *ctx, cairn_figure **out,
                                  const cairn_compute_job *job)
{
    const clusters_params *p = job->params;
    const cairn_table *table = job->table;
    SCOPED(cairn_prediction_clear) cairn_prediction prediction = {0};
    cairn_match match;
    const char **names;
    size_t x, y;
    CHECK(cairn_picture_numbers(ctx, &x, table, "x", p->x, 0));
    CHECK(cairn_picture_numbers(ctx, &y, table, "y", p->y, p->x ? 0 : 1));
    if (!p->y && x == y) CHECK(cairn_picture_numbers(ctx, &y, table, "y", NULL, 1));
    if (cairn_model_task(job->model) != CAIRN_CLUSTER)
        return cairn_fail(ctx, CAIRN_USAGE, "a model of %s does not make clusters",
                          cairn_model_learner(job->model));
    CHECK(cairn_model_predict_rows(ctx, &prediction, job->model, table, cairn_all_rows(table),
                                   (cairn_predict_wants){0}, &match));
    size_t n = count_clusters(&prediction);
    CHECK(cluster_names(ctx, &names, n));
    CHECK(cairn_figure_new(ctx, out, "clusters", table->source));
    cairn_figure_axes(*out, table->slots[x].name, table->slots[y].name);
    cairn_figure_points(*out, cairn_table_numbers(table, x), cairn_table_numbers(table, y),
                        prediction.codes, table->n_rows, names, n);
    mark_middles(*out, &prediction, n, cairn_table_numbers(table, x),
                 cairn_table_numbers(table, y));
    return CAIRN_OK;
}

const cairn_calculator cairn_picture_clusters = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "clusters",
                .also = "cluster plot, Voronoi",
                .title = "Rows coloured by their cluster",
                .summary =
                    "Applies a clustering model to a table and draws its rows over two number "
                    "columns, coloured by cluster, with the middle of each cluster marked.",
                .example = "cairn fit kmeans @iris --clusters 3 --save iris.cairn && "
                           "cairn draw clusters iris.cairn @iris --out clusters.svg",
                .params = clusters_table,
                .params_size = sizeof(clusters_params)},
    .arguments = "MODEL DATA",
    .needs_model = true,
    .needs_data = true,
    .draw = clusters_draw,
};
