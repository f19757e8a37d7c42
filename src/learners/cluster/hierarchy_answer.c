/* SPDX-License-Identifier: MIT */
/* The clusters of a cut and new rows: a row goes to the cluster that is nearest by the linkage, as
 * if the row were a cluster of its own. What is kept for that is all rows, or, where centres stand
 * for clusters, these alone. */
#include "base/memory.h"
#include "learners/cluster/hierarchy.h"
#include "learners/cluster/hierarchy_join.h"
#include "stats/clustering.h"
#include <math.h>
#include <string.h>

static cairn_hierarchy_rule rule_of(const cairn_hierarchy_model *m)
{
    if (m->method == CAIRN_HIERARCHY_BISECTING) return CAIRN_RULE_CENTRE;
    if (m->method == CAIRN_HIERARCHY_DIANA) return CAIRN_RULE_MEAN;
    switch ((cairn_linkage)m->linkage) {
    case CAIRN_LINKAGE_SINGLE: return CAIRN_RULE_NEAREST;
    case CAIRN_LINKAGE_COMPLETE: return CAIRN_RULE_FARTHEST;
    case CAIRN_LINKAGE_AVERAGE:
    case CAIRN_LINKAGE_WEIGHTED: return CAIRN_RULE_MEAN;
    case CAIRN_LINKAGE_CENTROID:
    case CAIRN_LINKAGE_MEDIAN: return CAIRN_RULE_CENTRE;
    default: return CAIRN_RULE_WARD;
    }
}

/* Parts count the same however many rows they have. */
static bool halves(const cairn_hierarchy_model *m)
{
    return m->method == CAIRN_HIERARCHY_AGGLOMERATIVE &&
           (m->linkage == CAIRN_LINKAGE_WEIGHTED || m->linkage == CAIRN_LINKAGE_MEDIAN);
}

const char *cairn_hierarchy_rule_said(const cairn_hierarchy_model *m)
{
    switch ((cairn_hierarchy_rule)m->rule) {
    case CAIRN_RULE_NEAREST: return "the cluster of its nearest row";
    case CAIRN_RULE_FARTHEST: return "the cluster whose farthest row is nearest";
    case CAIRN_RULE_MEAN:
        return halves(m) ? "the cluster with the least mean distance, parts counting the same"
                         : "the cluster with the least mean distance";
    case CAIRN_RULE_CENTRE:
        return halves(m) ? "the cluster with the nearest midpoint"
                         : "the cluster with the nearest centroid";
    default: return "the cluster whose sum of squares grows least";
    }
}

/* -- what is kept -- */

cairn_status cairn_hierarchy_nodes(cairn_context *ctx, int32_t **out,
                                   const cairn_hierarchy_model *m)
{
    size_t n = m->tree.n_leaves;
    CHECK(SCRATCH_RAW(ctx, out, 2 * n));
    memcpy(*out, m->codes, n * sizeof **out);
    for (size_t i = 0; i + 1 < n; i++) {
        int32_t left = (*out)[m->tree.merges[i].left], right = (*out)[m->tree.merges[i].right];
        (*out)[n + i] = left == right ? left : -1;
    }
    return CAIRN_OK;
}

/* The share of the left part of a merge in the whole. */
static double left_share(const cairn_hierarchy_model *m, const cairn_merge *merge)
{
    return halves(m) ? 0.5 : cairn_dendrogram_size(&m->tree, merge->left) / merge->size;
}

/* How much a leaf counts in its cluster. */
static cairn_status share_leaves(cairn_context *ctx, cairn_hierarchy_model *m, const int32_t *nodes)
{
    size_t n = m->tree.n_leaves;
    double *shares;
    CHECK(SCRATCH_RAW(ctx, &shares, 2 * n));
    for (size_t i = 0; i < 2 * n; i++) shares[i] = 1;
    for (size_t i = n - 1; i-- > 0;) {
        const cairn_merge *merge = m->tree.merges + i;
        if (nodes[n + i] < 0) continue;
        shares[merge->left] = shares[n + i] * left_share(m, merge);
        shares[merge->right] = shares[n + i] * (1 - left_share(m, merge));
    }
    CHECK(NEW_RAW(ctx, &m->shares, n));
    memcpy(m->shares, shares, n * sizeof *shares);
    return CAIRN_OK;
}

/* Mean squared distances of the leaves from the centres, which follow from the heights. */
static cairn_status spread_clusters(cairn_context *ctx, cairn_hierarchy_model *m,
                                    const int32_t *nodes)
{
    size_t n = m->tree.n_leaves;
    double *spreads;
    CHECK(SCRATCH(ctx, &spreads, 2 * n));
    CHECK(NEW(ctx, &m->spreads, m->n_clusters));
    for (size_t i = 0; i + 1 < n; i++) {
        const cairn_merge *merge = m->tree.merges + i;
        double f = left_share(m, merge), square = merge->height * merge->height;
        double a = cairn_dendrogram_size(&m->tree, merge->left);
        if (m->rule == CAIRN_RULE_WARD) square *= merge->size / (2 * a * (merge->size - a));
        spreads[n + i] =
            f * spreads[merge->left] + (1 - f) * spreads[merge->right] + f * (1 - f) * square;
        if (nodes[n + i] >= 0) m->spreads[nodes[n + i]] = spreads[n + i];
    }
    return CAIRN_OK;
}

/* Rows that are the centres: copies of one row of every cluster, moved. */
static cairn_status keep_centres(cairn_context *ctx, cairn_hierarchy_model *m,
                                 const cairn_hierarchy_data *data)
{
    size_t k = m->n_clusters, d = data->rows->points.width;
    uint32_t *firsts;
    CHECK(SCRATCH(ctx, &firsts, k));
    for (size_t i = data->n; i-- > 0;) firsts[m->codes[i]] = (uint32_t)i;
    CHECK(cairn_distance_rows_keep(ctx, &m->rows, data->rows, firsts, k));
    double *centres = m->rows.points.places;
    memset(centres, 0, k * d * sizeof *centres);
    for (size_t i = 0; i < data->n; i++)
        for (size_t t = 0; t < d; t++)
            centres[(size_t)m->codes[i] * d + t] +=
                m->shares[i] * data->rows->points.places[i * d + t];
    return CAIRN_OK;
}

static cairn_status keep_leaves(cairn_context *ctx, cairn_hierarchy_model *m,
                                const cairn_hierarchy_data *data)
{
    uint32_t *all;
    CHECK(SCRATCH_RAW(ctx, &all, data->n));
    for (size_t i = 0; i < data->n; i++) all[i] = (uint32_t)i;
    return cairn_distance_rows_keep(ctx, &m->rows, data->rows, all, data->n);
}

cairn_status cairn_hierarchy_keep(cairn_context *ctx, cairn_hierarchy_model *m,
                                  const cairn_hierarchy_data *data)
{
    SCOPED_SCRATCH(ctx);
    int32_t *nodes;
    m->rule = (int32_t)rule_of(m);
    m->centres = m->rule >= CAIRN_RULE_CENTRE && cairn_hierarchy_has_places(data->rows);
    CHECK(cairn_hierarchy_nodes(ctx, &nodes, m));
    if (m->rule >= CAIRN_RULE_MEAN) CHECK(share_leaves(ctx, m, nodes));
    if (m->centres) return keep_centres(ctx, m, data);
    if (m->rule >= CAIRN_RULE_CENTRE) CHECK(spread_clusters(ctx, m, nodes));
    return keep_leaves(ctx, m, data);
}

/* -- answering -- */

/* The distances of a row to the clusters of the cut, from those to the rows that are kept. */
static void fold(const cairn_hierarchy_model *m, double *out, const double *distances)
{
    for (size_t c = 0; c < m->n_clusters; c++)
        out[c] = m->rule == CAIRN_RULE_NEAREST ? INFINITY : 0;
    for (size_t i = 0; i < m->rows.n; i++) {
        double d = distances[i], *to = out + (m->centres ? i : (size_t)m->codes[i]);
        double share = m->centres || !m->shares ? 1 : m->shares[i];
        switch ((cairn_hierarchy_rule)m->rule) {
        case CAIRN_RULE_NEAREST: *to = d < *to ? d : *to; break;
        case CAIRN_RULE_FARTHEST: *to = d > *to || isnan(d) ? d : *to; break;
        case CAIRN_RULE_MEAN: *to += share * d; break;
        default: *to += share * d * d;
        }
    }
    for (size_t c = 0; m->rule >= CAIRN_RULE_CENTRE && c < m->n_clusters; c++) {
        double s = m->sizes[c], square = out[c] - (m->spreads ? m->spreads[c] : 0);
        if (m->rule == CAIRN_RULE_WARD) square *= 2 * s / (s + 1);
        out[c] = square < 0 ? 0 : sqrt(square);
    }
}

/* The nearest; of several the first, or the last if asked. -1 when there is none. */
static int32_t choose(const cairn_hierarchy_model *m, const double *distances)
{
    int32_t best = -1;
    for (size_t c = 0; c < m->n_clusters; c++) {
        double d = distances[c], b = best < 0 ? INFINITY : distances[best];
        if (!(d < INFINITY)) continue;
        bool tied = best >= 0 && fabs(d - b) <= 1e-12 * b;
        if (tied ? m->tie == CAIRN_HIERARCHY_LAST : d < b) best = (int32_t)c;
    }
    return best;
}

cairn_status cairn_hierarchy_answer(cairn_context *ctx, const cairn_hierarchy_model *m,
                                    const cairn_view *view, int32_t *codes, double *distances)
{
    enum { ROWS = 64 };
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_distance_rows_clear) cairn_distance_rows queries = {0};
    size_t n = view->rows.n, width = m->rows.n;
    double *block, *clusters;
    uint32_t which[ROWS];
    CHECK(cairn_distance_rows_like(ctx, &queries, &m->rows, view));
    CHECK(SCRATCH_RAW(ctx, &block, cairn_product(n < ROWS ? n : ROWS, width) + 1));
    CHECK(SCRATCH_RAW(ctx, &clusters, m->n_clusters));
    for (size_t first = 0; first < n; first += ROWS) {
        size_t rows = n - first < ROWS ? n - first : ROWS;
        for (size_t i = 0; i < rows; i++) which[i] = (uint32_t)(first + i);
        CHECK(cairn_tick(ctx, NULL, 0, 0));
        CHECK(cairn_distances_block(ctx, &queries, which, rows, &m->rows, 0, width, block, width));
        for (size_t i = 0; i < rows; i++) {
            fold(m, clusters, block + i * width);
            int32_t code = choose(m, clusters);
            if (codes) codes[first + i] = code;
            if (distances) distances[first + i] = code < 0 ? NAN : clusters[code];
        }
    }
    return CAIRN_OK;
}

/* -- judging -- */

/* Where the leaves lie, for silhouettes. Scratch. */
static cairn_status make_space(cairn_context *ctx, cairn_cluster_space *out,
                               const cairn_hierarchy_data *data)
{
    const double **columns;
    *out = (cairn_cluster_space){.metric = &data->rows->metric, .points = &data->rows->points};
    if (!data->rows->given) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &columns, data->view->n_features));
    for (size_t c = 0; c < data->view->n_features; c++)
        columns[c] = data->view->features[c]->numbers;
    *out = (cairn_cluster_space){.given = columns, .in_given = data->rows->numbers};
    return CAIRN_OK;
}

static cairn_status mean_silhouette(cairn_context *ctx, double *out,
                                    const cairn_hierarchy_data *data,
                                    const cairn_cluster_space *space, const int32_t *codes,
                                    size_t k)
{
    enum { SAMPLE = 2000 };
    SCOPED_SCRATCH(ctx);
    cairn_judged judged = {
        .n = data->n, .weights = data->weights, .n_answers = k, .predicted = codes, .space = space};
    cairn_silhouettes found;
    CHECK(
        cairn_silhouettes_of(ctx, &found, &judged, &(cairn_silhouette_options){.sample = SAMPLE}));
    *out = found.mean;
    return CAIRN_OK;
}

/* Largest distances of two rows of a cluster. */
static cairn_status measure_diameters(cairn_context *ctx, cairn_hierarchy_account *account,
                                      const cairn_hierarchy_model *m,
                                      const cairn_hierarchy_data *data)
{
    double *row;
    CHECK(NEW(ctx, &account->diameters, m->n_clusters));
    account->n_diameters = m->n_clusters;
    CHECK(SCRATCH_RAW(ctx, &row, data->n));
    for (size_t i = 0; i < data->n; i++) {
        uint32_t which = (uint32_t)i;
        double *to = account->diameters + m->codes[i];
        CHECK(cairn_distances_block(ctx, data->rows, &which, 1, data->rows, 0, i, row, data->n));
        for (size_t k = 0; k < i; k++)
            if (m->codes[k] == m->codes[i] && row[k] > *to) *to = row[k];
    }
    return CAIRN_OK;
}

cairn_status cairn_hierarchy_judge(cairn_context *ctx, cairn_hierarchy_account *account,
                                   const cairn_hierarchy_model *m, const cairn_hierarchy_data *data)
{
    enum { FEW_ROWS = 1000 };
    SCOPED_SCRATCH(ctx);
    cairn_cluster_space space;
    size_t n = data->n, n_cuts = 0;
    cairn_cut cut;
    CHECK(make_space(ctx, &space, data));
    if (m->n_clusters > 1 && m->n_clusters < n)
        CHECK(mean_silhouette(ctx, &account->silhouette, data, &space, m->codes, m->n_clusters));
    if (n <= FEW_ROWS && n > 2)
        n_cuts = n - 2 < CAIRN_HIERARCHY_CUTS ? n - 2 : CAIRN_HIERARCHY_CUTS;
    CHECK(NEW(ctx, &account->cuts, n_cuts));
    for (account->n_cuts = 0; account->n_cuts < n_cuts; account->n_cuts++) {
        CHECK(cairn_dendrogram_cut_number(ctx, &cut, &m->tree, account->n_cuts + 2));
        CHECK(mean_silhouette(ctx, account->cuts + account->n_cuts, data, &space, cut.codes,
                              cut.n_clusters));
    }
    return n <= FEW_ROWS ? measure_diameters(ctx, account, m, data) : CAIRN_OK;
}
