/* SPDX-License-Identifier: MIT */
/* cairn draw scree: how much of the variance lies along each principal component. */
#include "pictures/picture.h"

#include "transforms/pca.h"

typedef struct scree_params {
    const char *columns;
    bool scale;
} scree_params;

static const cairn_param scree_table[] = {
    CAIRN_PARAM_AS(scree_params, columns, CAIRN_TYPE_COLUMNS, NULL,
                   "the columns; all number features if not given"),
    CAIRN_PARAM(scree_params, scale, "no", NULL, "divide columns by their deviations first"),
    CAIRN_PARAM_END,
};

static cairn_status scree_draw(cairn_context *ctx, cairn_figure **out, const cairn_compute_job *job)
{
    const scree_params *p = job->params;
    cairn_view all, view;
    SCOPED(cairn_pca_clear) cairn_pca_state pca = {0};
    cairn_pca_params fit = {.components = 1, .keep = 1, .scale = p->scale};
    CHECK(cairn_view_make(ctx, &all, job->table, cairn_all_rows(job->table)));
    CHECK(cairn_pca_view(ctx, &view, &all, p->columns, "pca"));
    CHECK(cairn_pca_fit(ctx, &pca, &view, &fit, NULL));
    return cairn_pca_scree(ctx, out, &pca.c);
}

const cairn_calculator cairn_picture_scree = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "scree",
                .also = "scree plot, explained variance",
                .title = "Variance along each component",
                .summary = "The eigenvalues of the covariance matrix as falling bars: where they "
                           "level off, further principal components say little.",
                .references = "Cattell: The scree test for the number of factors, Multivariate "
                              "Behavioral Research 1, 1966",
                .example = "cairn draw scree @wine --scale",
                .params = scree_table,
                .params_size = sizeof(scree_params)},
    .arguments = "DATA",
    .needs_data = true,
    .reads = CAIRN_READS_ROLES,
    .draw = scree_draw,
};
