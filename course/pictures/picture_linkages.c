/* SPDX-License-Identifier: MIT */
/* cairn draw linkages: the same rows as trees of several linkages, side by side, next to the points
 * where the rows lie in the plane. */
#include "pictures/picture.h"

#include "base/memory.h"
#include "base/text.h"
#include "compute/clusters/dendrogram_source.h"
#include "plots/dendrogram_plot.h"
#include "stats/dendrogram_forms.h"

enum { MOST_NAMED = 40 };

typedef struct linkages_params {
    const char *linkages;
    cairn_dendrogram_options source;
    cairn_dendrogram_look look;
} linkages_params;

static const cairn_param linkages_table[] = {
    CAIRN_PARAM(linkages_params, linkages, "single,complete,average", NULL,
                "linkages to compare, separated by commas", .often = true),
    CAIRN_PARAM_GROUP(linkages_params, source, cairn_dendrogram_options_group),
    CAIRN_PARAM_GROUP(linkages_params, look, cairn_dendrogram_look_group),
    CAIRN_PARAM_END,
};

/* The rows with their numbers, if they have two number columns and no others. */
static cairn_status add_points(cairn_context *ctx, cairn_figure *figure, const cairn_table *table,
                               const cairn_dendrogram_source *source)
{
    OWNED(cairn_figure_free) cairn_figure *points = NULL;
    char room[CAIRN_LEAF_NAME];
    size_t at[2], n = 0;
    for (size_t j = 0; j < table->n_columns; j++) {
        if (table->slots[j].role != CAIRN_FEATURE) continue;
        if (!cairn_table_numbers(table, j) || n == 2) return CAIRN_OK;
        at[n++] = j;
    }
    if (n != 2 || source->tree->n_leaves != table->n_rows) return CAIRN_OK;
    const double *x = cairn_table_numbers(table, at[0]), *y = cairn_table_numbers(table, at[1]);
    CHECK(cairn_figure_new(ctx, &points, "points", "rows"));
    cairn_figure_axes(points, table->slots[at[0]].name, table->slots[at[1]].name);
    cairn_figure_size(points, 360, 320);
    cairn_figure_points(points, x, y, NULL, table->n_rows, NULL, 0);
    for (size_t i = 0; i < table->n_rows && table->n_rows <= MOST_NAMED; i++)
        cairn_figure_label(points, x[i], y[i], cairn_leaf_name(source->tree, i, room));
    cairn_figure_panel(figure, TAKE(points));
    return CAIRN_OK;
}

static cairn_status add_tree(cairn_context *ctx, cairn_figure *figure, const cairn_compute_job *job,
                             const char *linkage, bool first)
{
    SCOPED_SCRATCH(ctx);
    const linkages_params *p = job->params;
    SCOPED(cairn_dendrogram_source_clear) cairn_dendrogram_source source = {0};
    cairn_figure *panel;
    CHECK(cairn_dendrogram_source_open(ctx, &source, job, &p->source, linkage, NULL));
    if (first) CHECK(add_points(ctx, figure, job->table, &source));
    SCOPED(cairn_text_clear) cairn_text title = cairn_text_start(ctx);
    cairn_text_addf(&title, "%s linkage", linkage);
    CHECK(cairn_text_status(&title));
    CHECK(cairn_dendrogram_figure(ctx, &panel, source.tree, &p->look,
                                  source.has_cut ? &source.cut : NULL, cairn_text_string(&title),
                                  source.height));
    cairn_figure_panel(figure, panel);
    return CAIRN_OK;
}

static cairn_status linkages_draw(cairn_context *ctx, cairn_figure **out,
                                  const cairn_compute_job *job)
{
    const linkages_params *p = job->params;
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    char **names;
    size_t n;
    if (cairn_is_merge_table(job->table))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "linkages are compared on rows or distances; a table of merges has one "
                          "tree, which 'cairn draw dendrogram' draws");
    CHECK(cairn_list_split(ctx, p->linkages, &names, &n));
    CHECK(cairn_figure_new(ctx, &figure, "linkages",
                           job->table->source ? job->table->source : "linkages"));
    cairn_figure_columns(figure, 2);
    for (size_t i = 0; i < n; i++) CHECK(add_tree(ctx, figure, job, names[i], i == 0));
    CHECK(cairn_figure_status(figure));
    *out = TAKE(figure);
    return CAIRN_OK;
}

const cairn_calculator cairn_picture_linkages = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "linkages",
                .also = "single linkage, complete linkage, average linkage, Ward, dendrograms side "
                        "by side",
                .title = "Trees of several linkages side by side",
                .summary = "The rows of a table as trees of clusters by several linkages, and "
                           "beside them, where they have two number columns, the rows as numbered "
                           "points: what the linkage makes of the same distances.",
                .references = "Flach: Machine Learning, 2012, section 8.5",
                .example = "cairn draw linkages @grid",
                .params = linkages_table,
                .params_size = sizeof(linkages_params)},
    .arguments = "DATA",
    .needs_data = true,
    .reads = CAIRN_READS_ROLES,
    .draw = linkages_draw,
};
