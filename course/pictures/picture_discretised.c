/* SPDX-License-Identifier: MIT */
/* cairn draw discretised: a number column before and after it is cut. Left, equally wide bins with
 * the classes stacked and the cut points marked; right, the bins between the cuts. The bars on the
 * right are as high as the average of the narrow bins that they cover, so that areas stay the
 * same. */
#include "pictures/picture.h"
#include "base/memory.h"
#include "transforms/cuts.h"
#include <math.h>

typedef struct discretised_params {
    const char *column, *with;
    const cairn_params *transform; /* what `with` stands for */
    int bins;
} discretised_params;

static const cairn_param discretised_table[] = {
    CAIRN_PARAM_AS(discretised_params, column, CAIRN_TYPE_COLUMNS, NULL,
                   "the number column; the first one if not given"),
    CAIRN_PARAM_OBJECT(discretised_params, with, transform, CAIRN_ENTRY_TRANSFORM, "merge:monotone",
                       "the transform that cuts: bins, threshold, discretise or merge",
                       .names = "transform"),
    CAIRN_PARAM(discretised_params, bins, "20", "[1,1000]", "number of bins on the left"),
    CAIRN_PARAM_END,
};

/* Stacked counts of the classes between edges, `scale` high per row and unit of width. */
static cairn_status add_bars(cairn_context *ctx, cairn_figure *figure, const double *edges,
                             size_t n, const cairn_view *view, const double *numbers,
                             const cairn_groups *groups, double scale, bool legend)
{
    size_t n_groups = groups->n ? groups->n : 1;
    double *heights;
    CHECK(SCRATCH(ctx, &heights, cairn_product(n, n_groups)));
    for (size_t i = 0; i < view->rows.n; i++) {
        double x = numbers[i];
        size_t bin = 0, group = groups->n && groups->codes[i] >= 0 ? (size_t)groups->codes[i] : 0;
        if (!isfinite(x) || (groups->n && groups->codes[i] < 0)) continue;
        while (bin + 1 < n && x > edges[bin + 1]) bin++;
        heights[group * n + bin] +=
            cairn_view_weight(view, i) * scale / (edges[bin + 1] - edges[bin]);
    }
    if (groups->n > 1) cairn_figure_stacked(figure);
    for (size_t g = 0; g < n_groups; g++)
        cairn_figure_histogram(figure, groups->n && legend ? groups->names[g] : NULL, edges,
                               heights + g * n, n);
    return CAIRN_OK;
}

/* Fit the transform to the one column; *cuts are scratch. */
static cairn_status find_cuts(cairn_context *ctx, const cairn_table *table,
                              const discretised_params *p, const char *column, double **cuts,
                              size_t *n)
{
    OWNED(cairn_params_free) cairn_params *params = NULL;
    OWNED(cairn_model_free) cairn_model *model = NULL;
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    const char *name = p->transform->entry->name;
    bool cutting = cairn_same(name, "bins") || cairn_same(name, "threshold") ||
                   cairn_same(name, "discretise") || cairn_same(name, "merge");
    if (!cutting)
        CHECK(cairn_fail(ctx, CAIRN_USAGE,
                         "{with %s}: %s cuts nothing; use bins, threshold, discretise or merge",
                         p->with, name));
    CHECK(cairn_params_copy(ctx, &params, p->transform));
    CHECK(cairn_params_set(ctx, params, "columns", column));
    options.transforms = params;
    CHECK(cairn_recipe_fit(ctx, &model, NULL, table, &options));
    const cairn_cutting *state = model->chain[0].state;
    *n = state->cuts[0].n;
    CHECK(SCRATCH(ctx, cuts, *n + 1));
    for (size_t i = 0; i < *n; i++) (*cuts)[i] = state->cuts[0].at[i];
    return CAIRN_OK;
}

static void range_of(const double *numbers, size_t n, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(numbers[i])) continue;
        *low = fmin(*low, numbers[i]);
        *high = fmax(*high, numbers[i]);
    }
}

/* Bins of different widths are drawn with areas that count rows, on the scale of the equal bins to
 * the left, so that both panels can be compared. */
static cairn_status discretised_draw(cairn_context *ctx, cairn_figure **out,
                                     const cairn_compute_job *job)
{
    const discretised_params *p = job->params;
    const cairn_table *table = job->table;
    OWNED(cairn_figure_free) cairn_figure *after = NULL;
    OWNED(cairn_figure_free) cairn_figure *before = NULL;
    cairn_groups groups;
    cairn_view view;
    size_t column, n_cuts, n_first = (size_t)p->bins;
    double *cuts, *first, *edges, low, high;
    CHECK(cairn_picture_numbers(ctx, &column, table, "column", p->column, 0));
    CHECK(cairn_picture_groups(ctx, &groups, table, NULL));
    CHECK(cairn_view_make(ctx, &view, table, cairn_all_rows(table)));
    const char *name = table->slots[column].name;
    const double *numbers = cairn_table_numbers(table, column);
    CHECK(find_cuts(ctx, table, p, name, &cuts, &n_cuts));
    range_of(numbers, table->n_rows, &low, &high);
    if (!(low < high))
        CHECK(
            cairn_fail(ctx, CAIRN_BAD_DATA, "column '%s' has fewer than two values to draw", name));
    CHECK(SCRATCH(ctx, &first, n_first + 1));
    for (size_t i = 0; i <= n_first; i++)
        first[i] = low + (high - low) * (double)i / (double)n_first;
    CHECK(SCRATCH(ctx, &edges, n_cuts + 2));
    /* Low, cuts inside, high. */
    size_t n_bins = 0;
    edges[n_bins++] = low;
    for (size_t i = 0; i < n_cuts; i++)
        if (cuts[i] > edges[n_bins - 1] && cuts[i] < high) edges[n_bins++] = cuts[i];
    edges[n_bins] = high;
    CHECK(cairn_figure_new(ctx, &before, "before", "before"));
    CHECK(cairn_figure_new(ctx, &after, "after", "after"));
    cairn_figure_axes(before, name, "rows");
    cairn_figure_axes(after, name, "rows per bin on the left");
    double scale = (high - low) / (double)n_first;
    CHECK(add_bars(ctx, before, first, n_first, &view, numbers, &groups, scale, true));
    CHECK(add_bars(ctx, after, edges, n_bins, &view, numbers, &groups, scale, false));
    for (size_t i = 1; i < n_bins; i++)
        cairn_figure_rule_x(before, i == 1 ? "cut point" : NULL, edges[i]);
    CHECK(cairn_picture_new(ctx, out, "discretised", table, "Before and after cutting"));
    cairn_figure_panel(*out, before);
    cairn_figure_panel(*out, after);
    before = after = NULL;
    return CAIRN_OK;
}

const cairn_calculator cairn_picture_discretised = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "discretised",
                .also = "discretisation picture",
                .title = "A column before and after it is cut",
                .summary = "Two histograms of a number column with the classes stacked: in equally "
                           "wide bins with the cut points marked, and in the bins that a transform "
                           "(merge:monotone unless another is given) makes of them.",
                .references = "Flach, Machine Learning, Cambridge University Press 2012",
                .example = "cairn draw discretised @breast-cancer --column mean_texture",
                .params = discretised_table,
                .params_size = sizeof(discretised_params)},
    .arguments = "DATA",
    .needs_data = true,
    .reads = CAIRN_READS_ROLES,
    .draw = discretised_draw,
};
