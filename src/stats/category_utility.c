/* SPDX-License-Identifier: MIT */
/* Category utility: how much better the levels of columns are guessed when the cluster of a row is
 * known,
 *
 *     (1/K) sum_k p_k [sum P(level | cluster k)^2 - sum P(level)^2]
 *
 * over all columns of levels: the sum of their Gini reductions over the number of clusters. See
 * clustering.h. */
#include "stats/clustering.h"

#include "base/memory.h"

static const cairn_param no_params[] = {CAIRN_PARAM_END};

/* Weights of the levels within the clusters; those of all rows lie behind them. */
static cairn_status count_levels(cairn_context *ctx, double **out, const cairn_judged *j,
                                 const cairn_view *view, size_t feature)
{
    const cairn_column *column = view->features[feature];
    size_t k = cairn_judged_codes(j), n = column->names.n;
    double *cells;
    CHECK(SCRATCH(ctx, &cells, cairn_product(k + 1, n + 1)));
    for (size_t i = 0; i < j->n; i++) {
        int32_t level = column->codes[cairn_view_row(view, j->space_at + i)];
        if (level < 0 || !cairn_judged_clustered(j, i)) continue;
        cells[(size_t)j->predicted[i] * n + (size_t)level] += cairn_judged_weight(j, i);
        cells[k * n + (size_t)level] += cairn_judged_weight(j, i);
    }
    *out = cells;
    return CAIRN_OK;
}

/* The sum of the squared shares, and of what they are shares. */
static double squared_shares(const double *weights, size_t n, double *total)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++) sum += weights[i];
    for (size_t i = 0; i < n; i++) squares += weights[i] / sum * (weights[i] / sum);
    *total = sum;
    return sum > 0 ? squares : NAN;
}

cairn_status cairn_category_gain_of(cairn_context *ctx, cairn_category_gain *out,
                                    const cairn_judged *j, const cairn_view *view, size_t feature)
{
    size_t k = cairn_judged_codes(j), n = view->features[feature]->names.n;
    double *cells, total, weight;
    *out = (cairn_category_gain){0};
    CHECK(SCRATCH(ctx, &out->shares, k + 1));
    CHECK(SCRATCH(ctx, &out->parts, k + 1));
    CHECK(count_levels(ctx, &cells, j, view, feature));
    out->all = squared_shares(cells + k * n, n, &total);
    for (size_t c = 0; c < k; c++) {
        out->shares[c] = squared_shares(cells + c * n, n, &weight);
        out->parts[c] = total > 0 ? weight / total : 0;
        if (weight > 0) out->within += out->parts[c] * out->shares[c];
    }
    return CAIRN_OK;
}

static cairn_status category_utility(cairn_context *ctx, double *out, const cairn_judged *j)
{
    SCOPED_SCRATCH(ctx);
    const cairn_view *view = j->space ? j->space->view : NULL;
    double sum = 0;
    size_t used;
    bool any = false;
    *out = NAN;
    if (!view) return CAIRN_OK;
    CHECK(cairn_judged_used(ctx, &used, j));
    for (size_t f = 0; f < view->n_features; f++) {
        cairn_category_gain gain;
        if (view->features[f]->kind != CAIRN_LEVEL) continue;
        CHECK(cairn_category_gain_of(ctx, &gain, j, view, f));
        if (isnan(gain.all)) continue;
        sum += gain.within - gain.all;
        any = true;
    }
    if (any && used > 0) *out = sum / (double)used;
    return CAIRN_OK;
}

const cairn_measure cairn_measure_category_utility = {
    .entry = {.kind = CAIRN_ENTRY_MEASURE,
              .name = "category-utility",
              .title = "Category utility",
              .summary =
                  "How much more often the levels of the columns are guessed right by drawing them "
                  "at random when the cluster is known: (1/K) sum p_k [sum P(level | cluster)^2 - "
                  "sum P(level)^2], the Gini reductions of all level columns over the number of "
                  "clusters. Undefined without level columns.",
              .references = "Gluck and Corter: Information, uncertainty, and the utility of "
                            "categories, 1985; Mirkin: Core Data Analysis, 2019",
              .example = "cairn compute partition @weather --clusters outlook",
              .params = no_params},
    .task = CAIRN_CLUSTER,
    .value = category_utility,
};
