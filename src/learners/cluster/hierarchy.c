/* SPDX-License-Identifier: MIT */
/* Hierarchical clustering: a tree of clusters, from single rows to all of them.
 *
 * Agglomerative: every row is a cluster; the two nearest clusters are joined, at a height that is
 * their distance, until one is left. How far two clusters are from each other is the linkage:
 *
 *     single     the least distance of a row of one and a row of the other
 *     complete   the largest
 *     average    the mean (UPGMA)
 *     weighted   the mean of the distances of the two parts that were joined last (WPGMA)
 *     centroid   the distance of the means
 *     median     the distance of midpoints: that of a joined cluster is halfway between its parts'
 *     ward       the root of twice the growth of the sum of squares within clusters
 *
 * Divisive (hierarchy_divide.c): all rows are one cluster, which is split until single rows are
 * left.
 *
 * The tree is cut into clusters by their number or at a height. A new row goes to the cluster that
 * the linkage says is nearest. Ties go to the first pair of the list of clusters, where new ones
 * stand at the end; how often that happened is counted. Row weights count as so many equal rows;
 * linkages that look at no sizes do not feel them. Rows of weight 0 have no leaf.
 *
 * Cost: hierarchy_join.c says that of each method.
 *
 * Sources: Lance and Williams, A general theory of classificatory sorting strategies (1967); Ward,
 * Hierarchical grouping to optimize an objective function (1963); Muellner, Modern hierarchical,
 * agglomerative clustering algorithms (2011). */
#include "learners/cluster/hierarchy.h"
#include "model/kept_parts.h"

#include "base/memory.h"
#include "base/number.h"
#include "data/shape.h"
#include "learners/neighbours/exemplars_lower.h"
#include "model/by_distance.h"
#include "rows/used.h"
#include "stats/clustering.h"
#include "stats/dendrogram_forms.h"

#include <math.h>
#include <string.h>

enum { HIERARCHY_CUTS = 9 }; /* cuts into 2 to 10 clusters are judged */

/* The proof of a tree of clusters. The merges are gone through in their order, with a list of which
 * clusters there are. Before a merge its smaller part A is compared with all clusters C of that
 * moment, by the linkage as it is defined over the rows (their least, largest or mean distance, or
 * the distance of centres), with distances that are measured anew:
 *
 * - the height is the value of the other part;
 * - no C is nearer. With heights that rise this proves that every merge joined the nearest pair:
 *   of a nearer pair that was passed over, the part that is merged first would be found here.
 *
 * That costs n |A| distances, and about n² log n for all merges: done in full for a few hundred
 * rows, else for merges that are spread evenly over the tree, MOST_PAIRS distances in all.
 * Centroid,
 * median and Ward are worked out from places; where rows are known by distances only, of these only
 * the heights of Ward are looked at, which must rise. */

enum { LINES = 16, NOBODY = UINT32_MAX };
static const double MOST_PAIRS = 4e6;

typedef struct proving {
    const cairn_merges_asked *asked;
    cairn_certificate *out;
    size_t n, d;
    bool places;            /* clusters are compared by their centres */
    double scale;           /* the size of places: they are known to some digits of it */
    uint32_t *counts;       /* 2 n: leaves of the clusters */
    uint32_t *slots;        /* 2 n: where a cluster lies */
    uint32_t *clusters;     /* n: the cluster of a slot; NOBODY = none */
    uint32_t *labels;       /* n: slot of a leaf */
    uint32_t *first, *last; /* n: leaves of a slot, as a list */
    uint32_t *next;         /* n */
    double *halves;         /* n: what a leaf counts in a mean of means */
    double *centres;        /* n x d, by slots */
    double *values;         /* n, by slots: from the part that is looked at */
    double *lines;          /* LINES x n */
} proving;

/* -- what a merge is compared with -- */

static double share_of(const proving *p, size_t leaf)
{
    if (p->asked->linkage == CAIRN_LINKAGE_WEIGHTED) return p->halves[leaf];
    return cairn_dendrogram_size(p->asked->tree, leaf) /
           cairn_dendrogram_size(p->asked->tree, p->clusters[p->labels[leaf]]);
}

/* The distances of one leaf go into the values of all clusters. */
static void add_line(const proving *p, size_t leaf, double *line)
{
    const double *core = p->asked->core;
    double share = p->asked->linkage == CAIRN_LINKAGE_SINGLE ? 0 : share_of(p, leaf);
    for (size_t j = 0; j < p->n; j++) {
        double d = core ? fmax(line[j], fmax(core[leaf], core[j])) : line[j];
        double *value = p->values + p->labels[j];
        if (p->asked->linkage == CAIRN_LINKAGE_SINGLE)
            *value = fmin(*value, d);
        else if (p->asked->linkage == CAIRN_LINKAGE_COMPLETE)
            *value = fmax(*value, d);
        else
            *value += share * share_of(p, j) * d;
    }
}

/* By the centres of the clusters. */
static void look_at_centres(const proving *p, uint32_t slot)
{
    const cairn_dendrogram *tree = p->asked->tree;
    double own = cairn_dendrogram_size(tree, p->clusters[slot]);
    for (size_t s = 0; s < p->n; s++) {
        double square = 0;
        if (p->clusters[s] == NOBODY) continue;
        for (size_t t = 0; t < p->d; t++) {
            double apart = p->centres[s * p->d + t] - p->centres[slot * p->d + t];
            square += apart * apart;
        }
        double size = cairn_dendrogram_size(tree, p->clusters[s]);
        if (p->asked->linkage == CAIRN_LINKAGE_WARD) square *= 2 * own * size / (own + size);
        p->values[s] = sqrt(square);
    }
}

/* -- one merge -- */

/* By how much `high` is above what it should not be, as a part of the height; both may be
 * infinite. Places, and so differences of near ones, have digits for 1e-13 of their size. */
static void certify(const proving *p, double high, double low, double height)
{
    double size = height + (p->places ? 1e-4 * p->scale : 0);
    cairn_certify(p->out, CAIRN_PROOF_MERGES, high <= low ? 0 : (high - low) / size, 1e-9);
}

/* Whether heights rise by themselves; a split's wider part may be lower. */
static bool rises(const cairn_merges_asked *asked)
{
    if (asked->splits) return asked->linkage == CAIRN_LINKAGE_COMPLETE;
    return asked->linkage != CAIRN_LINKAGE_CENTROID && asked->linkage != CAIRN_LINKAGE_MEDIAN;
}

/* The height is the value of the two parts, and no other cluster of that moment is nearer to the
 * smaller one. */
static cairn_status look_at_merge(cairn_context *ctx, const proving *p, size_t t)
{
    const cairn_merge *merge = p->asked->tree->merges + t;
    bool left = p->counts[merge->left] <= p->counts[merge->right];
    uint32_t own = p->slots[left ? merge->left : merge->right];
    uint32_t other = p->slots[left ? merge->right : merge->left];
    if (p->places)
        look_at_centres(p, own);
    else {
        /* By the distances of the leaves of a slot, some at a time. */
        double start = p->asked->linkage == CAIRN_LINKAGE_SINGLE ? INFINITY : 0;
        uint32_t which[LINES], leaf = p->first[own];
        for (size_t s = 0; s < p->n; s++) p->values[s] = start;
        while (leaf != NOBODY) {
            size_t some = 0;
            for (; leaf != NOBODY && some < LINES; leaf = p->next[leaf]) which[some++] = leaf;
            CHECK(cairn_distances_block(ctx, p->asked->rows, which, some, p->asked->rows, 0, p->n,
                                        p->lines, p->n));
            for (size_t l = 0; l < some; l++) add_line(p, which[l], p->lines + l * p->n);
        }
    }
    double value = p->values[other];
    if (p->asked->splits && p->asked->linkage == CAIRN_LINKAGE_COMPLETE)
        value = fmax(value, fmax(cairn_dendrogram_height(p->asked->tree, merge->left),
                                 cairn_dendrogram_height(p->asked->tree, merge->right)));
    certify(p, value, merge->height, merge->height);
    certify(p, merge->height, value, merge->height);
    for (size_t s = 0; s < p->n && !p->asked->splits; s++)
        if (p->clusters[s] != NOBODY && s != own)
            certify(p, merge->height, p->values[s], merge->height);
    return cairn_tick(ctx, NULL, 0, 0);
}

static void halve(const proving *p, uint32_t slot)
{
    for (uint32_t leaf = p->first[slot]; leaf != NOBODY; leaf = p->next[leaf]) p->halves[leaf] /= 2;
}

/* The smaller part goes to the slot of the larger. */
static void join(const proving *p, size_t t)
{
    const cairn_dendrogram *tree = p->asked->tree;
    const cairn_merge *merge = tree->merges + t;
    bool left = p->counts[merge->left] <= p->counts[merge->right];
    uint32_t from = p->slots[left ? merge->left : merge->right];
    uint32_t to = p->slots[left ? merge->right : merge->left];
    double share = p->asked->linkage == CAIRN_LINKAGE_MEDIAN
                       ? 0.5
                       : cairn_dendrogram_size(tree, p->clusters[from]) /
                             cairn_dendrogram_size(tree, p->n + t);
    for (size_t i = 0; i < p->d && p->places; i++) {
        double *at = p->centres + to * p->d + i;
        *at = (1 - share) * *at + share * p->centres[from * p->d + i];
    }
    if (p->asked->linkage == CAIRN_LINKAGE_WEIGHTED) halve(p, from), halve(p, to);
    for (uint32_t leaf = p->first[from]; leaf != NOBODY; leaf = p->next[leaf]) p->labels[leaf] = to;
    p->next[p->last[to]] = p->first[from];
    p->last[to] = p->last[from];
    p->clusters[from] = NOBODY;
    p->clusters[to] = (uint32_t)(p->n + t);
    p->slots[p->n + t] = to;
}

/* -- all -- */

/* At first every leaf is a cluster in a slot of its own. */
static cairn_status make_buffer(cairn_context *ctx, proving *p)
{
    size_t n = p->n;
    CHECK(SCRATCH_EACH(ctx, 2 * n, &p->counts, &p->slots));
    CHECK(SCRATCH_EACH(ctx, n, &p->clusters, &p->labels, &p->first, &p->last, &p->next, &p->halves,
                       &p->values));
    CHECK(SCRATCH_RAW(ctx, &p->lines, p->places ? 1 : cairn_product(LINES, n)));
    CHECK(SCRATCH_RAW(ctx, &p->centres, p->places ? cairn_product(n, p->d) + 1 : 1));
    for (size_t i = 0; i < n; i++) {
        p->counts[i] = 1;
        p->halves[i] = 1;
        p->slots[i] = p->clusters[i] = p->labels[i] = p->first[i] = p->last[i] = (uint32_t)i;
        p->next[i] = NOBODY;
    }
    for (size_t i = 0; i < n * p->d && p->places; i++) {
        p->centres[i] = p->asked->rows->points.places[i];
        p->scale = fmax(p->scale, fabs(p->centres[i]));
    }
    return CAIRN_OK;
}

/* Distances that looking at merge t takes. */
static double cost_of(const proving *p, size_t t)
{
    const cairn_merge *merge = p->asked->tree->merges + t;
    uint32_t a = p->counts[merge->left], b = p->counts[merge->right];
    return (double)p->n * (p->places ? 1 : (double)(a < b ? a : b));
}

/* Every so-many-th merge is looked at, so that all together cost little; a merge that alone would
 * cost too much is passed over. */
static size_t choose_every(const proving *p, double *most)
{
    size_t every = 1;
    *most = fmax(MOST_PAIRS / 8, (double)p->n);
    for (double work = INFINITY; work > MOST_PAIRS && every < p->n; every *= 2) {
        work = 0;
        for (size_t t = 0; t + 1 < p->n; t += every)
            if (cost_of(p, t) <= *most) work += cost_of(p, t);
        if (work <= MOST_PAIRS) break;
    }
    return every;
}

cairn_status cairn_merges_prove(cairn_context *ctx, cairn_certificate *out,
                                const cairn_merges_asked *asked)
{
    SCOPED_SCRATCH(ctx);
    proving p = {.asked = asked, .out = out, .n = asked->tree->n_leaves};
    const cairn_merge *merges = asked->tree->merges;
    bool by_centres = asked->linkage >= CAIRN_LINKAGE_CENTROID;
    double most;
    cairn_certify(out, CAIRN_PROOF_MERGES, 0, 1e-9); /* a single leaf has none */
    if (!out || p.n < 2) return CAIRN_OK;
    p.places = by_centres && cairn_hierarchy_has_places(asked->rows);
    p.d = p.places ? asked->rows->points.width : 0;
    CHECK(make_buffer(ctx, &p));
    for (size_t t = 0; t + 1 < p.n; t++)
        p.counts[p.n + t] = p.counts[merges[t].left] + p.counts[merges[t].right];
    size_t every = choose_every(&p, &most);
    for (size_t t = 0; t + 1 < p.n; t++) {
        double below = fmax(cairn_dendrogram_height(asked->tree, merges[t].left),
                            cairn_dendrogram_height(asked->tree, merges[t].right));
        if (rises(asked)) certify(&p, below, merges[t].height, merges[t].height);
        if (t % every == 0 && cost_of(&p, t) <= most && (p.places || !by_centres))
            CHECK(look_at_merge(ctx, &p, t));
        join(&p, t);
    }
    return CAIRN_OK;
}

/* The clusters of a cut and new rows: a row goes to the cluster that is nearest by the linkage, as
 * if the row were a cluster of its own. What is kept for that is all rows, or, where centres stand
 * for clusters, these alone. */

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

/* What the clusters of the cut need to answer for new rows; model->tree, codes and clusters are
 * there. */
static cairn_status hierarchy_keep(cairn_context *ctx, cairn_hierarchy_model *m,
                                   const cairn_hierarchy_data *data)
{
    SCOPED_SCRATCH(ctx);
    int32_t *nodes;
    m->rule = (int32_t)rule_of(m);
    m->centres = m->rule >= CAIRN_RULE_CENTRE && cairn_hierarchy_has_places(data->rows);
    CHECK(cairn_hierarchy_nodes(ctx, &nodes, m));
    if (m->rule >= CAIRN_RULE_MEAN) {
        /* How much a leaf counts in its cluster. */
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
    }
    if (m->centres) {
        /* Rows that are the centres: copies of one row of every cluster, moved. */
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
    if (m->rule >= CAIRN_RULE_CENTRE) CHECK(spread_clusters(ctx, m, nodes));
    uint32_t *all;
    CHECK(SCRATCH_RAW(ctx, &all, data->n));
    for (size_t i = 0; i < data->n; i++) all[i] = (uint32_t)i;
    return cairn_distance_rows_keep(ctx, &m->rows, data->rows, all, data->n);
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

/* The cluster that each row of the view is nearest to (-1 = it cannot be compared), and how near;
 * either may be NULL. */
static cairn_status hierarchy_answer(cairn_context *ctx, const cairn_hierarchy_model *m,
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
            /* The nearest; of several the first, or the last if asked. -1 when there is none. */
            int32_t code = -1;
            for (size_t c = 0; c < m->n_clusters; c++) {
                double d = clusters[c], b = code < 0 ? INFINITY : clusters[code];
                if (!(d < INFINITY)) continue;
                bool tied = code >= 0 && fabs(d - b) <= 1e-12 * b;
                if (tied ? m->tie == CAIRN_HIERARCHY_LAST : d < b) code = (int32_t)c;
            }
            if (codes) codes[first + i] = code;
            if (distances) distances[first + i] = code < 0 ? NAN : clusters[code];
        }
    }
    return CAIRN_OK;
}

/* -- judging -- */

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
static cairn_status measure_diameters(cairn_context *ctx, cairn_hierarchy_history *history,
                                      const cairn_hierarchy_model *m,
                                      const cairn_hierarchy_data *data)
{
    double *row;
    CHECK(NEW(ctx, &history->diameters, m->n_clusters));
    history->n_diameters = m->n_clusters;
    CHECK(SCRATCH_RAW(ctx, &row, data->n));
    for (size_t i = 0; i < data->n; i++) {
        uint32_t which = (uint32_t)i;
        double *to = history->diameters + m->codes[i];
        CHECK(cairn_distances_block(ctx, data->rows, &which, 1, data->rows, 0, i, row, data->n));
        for (size_t k = 0; k < i; k++)
            if (m->codes[k] == m->codes[i] && row[k] > *to) *to = row[k];
    }
    return CAIRN_OK;
}

/* Silhouettes and diameters of the cut and of cuts around it. */
static cairn_status hierarchy_judge(cairn_context *ctx, cairn_hierarchy_history *history,
                                    const cairn_hierarchy_model *m,
                                    const cairn_hierarchy_data *data)
{
    enum { FEW_ROWS = 1000 };
    SCOPED_SCRATCH(ctx);
    cairn_cluster_space space;
    size_t n = data->n, n_cuts = 0;
    cairn_cut cut;
    /* Where the leaves lie, for silhouettes. Scratch. */
    const double **columns;
    space = (cairn_cluster_space){.metric = &data->rows->metric, .points = &data->rows->points};
    if (data->rows->given) {
        CHECK(SCRATCH(ctx, &columns, data->view->n_features));
        for (size_t c = 0; c < data->view->n_features; c++)
            columns[c] = data->view->features[c]->numbers;
        space = (cairn_cluster_space){.given = columns, .in_given = data->rows->numbers};
    }
    if (m->n_clusters > 1 && m->n_clusters < n)
        CHECK(mean_silhouette(ctx, &history->silhouette, data, &space, m->codes, m->n_clusters));
    if (n <= FEW_ROWS && n > 2) n_cuts = n - 2 < HIERARCHY_CUTS ? n - 2 : HIERARCHY_CUTS;
    CHECK(NEW(ctx, &history->cuts, n_cuts));
    for (history->n_cuts = 0; history->n_cuts < n_cuts; history->n_cuts++) {
        CHECK(cairn_dendrogram_cut_number(ctx, &cut, &m->tree, history->n_cuts + 2));
        CHECK(mean_silhouette(ctx, history->cuts + history->n_cuts, data, &space, cut.codes,
                              cut.n_clusters));
    }
    return n <= FEW_ROWS ? measure_diameters(ctx, history, m, data) : CAIRN_OK;
}

/* The clusters of a cut as a program, where the rule for new rows has a closed form: the nearest
 * centre, the centre of the least growth of squares (Ward), or the nearest of all rows (single
 * linkage). Means of distances to all rows, and largest ones, have none. */

/* The nearest of n_centres centres: the slot of its number, and behind it that of the distance. */
static cairn_status lower_nearest(const cairn_hierarchy_model *m, cairn_program *out,
                                  const double *centres, size_t n_centres, int32_t *slot)
{
    int32_t *in;
    size_t n;
    cairn_operation *op;
    CHECK(cairn_program_features(out, &in, &n));
    CHECK(cairn_program_add(out, CAIRN_OP_NEAREST, in, n, 2, &op));
    op->sizes[0] = (int32_t)n_centres;
    op->sizes[1] = m->tie == CAIRN_HIERARCHY_LAST;
    CHECK(cairn_op_copy_numbers(out, op, 0, centres, cairn_product(n_centres, n)));
    *slot = op->out;
    return CAIRN_OK;
}

/* Ward: each distance times the root of s / (s + 1) of its cluster; what is compared is less than
 * 0, so that the nearest is the largest. Of equal ones the first is the largest, so that those of
 * ties to the last stand in reverse. */
static cairn_status lower_ward(const cairn_hierarchy_model *m, cairn_program *out)
{
    size_t k = m->n_clusters, d = m->rows.points.width;
    bool last = m->tie == CAIRN_HIERARCHY_LAST;
    int32_t *in, first, place;
    double *weights, *constants, *numbers;
    CHECK(SCRATCH(out->ctx, &in, k));
    CHECK(SCRATCH(out->ctx, &weights, cairn_product(k, k)));
    CHECK(SCRATCH(out->ctx, &constants, k));
    CHECK(SCRATCH_RAW(out->ctx, &numbers, k));
    for (size_t i = 0; i < k; i++) {
        size_t c = last ? k - 1 - i : i;
        CHECK(lower_nearest(m, out, m->rows.points.places + c * d, 1, &in[i]));
        in[i]++;
        weights[i * k + i] = -sqrt(m->sizes[c] / (m->sizes[c] + 1));
        numbers[i] = (double)c;
    }
    CHECK(cairn_lower_affine(out, in, k, k, constants, weights, NULL, &first));
    CHECK(cairn_lower_largest(out, first, k, &place));
    if (!last) {
        out->answer.code = place;
        return CAIRN_OK;
    }
    return cairn_lower_lookup(out, place, k, 1, numbers, &(double){-1}, &out->answer.code);
}

/* The nearest row decides. Of equally near ones the first does: rows are given in the order of
 * their clusters, or against it. */
static cairn_status lower_rows(const cairn_hierarchy_model *m, cairn_program *out)
{
    SCOPED(cairn_distance_rows_clear) cairn_distance_rows sorted = {0};
    size_t n = m->rows.n, at = 0, k = m->n_clusters;
    uint32_t *order;
    int32_t *codes;
    CHECK(SCRATCH_RAW_EACH(out->ctx, n, &order, &codes));
    for (size_t c = 0; c < k; c++) {
        int32_t cluster = (int32_t)(m->tie == CAIRN_HIERARCHY_LAST ? k - 1 - c : c);
        for (size_t i = 0; i < n; i++) {
            if (m->codes[i] != cluster) continue;
            order[at] = (uint32_t)i;
            codes[at++] = cluster;
        }
    }
    CHECK(cairn_distance_rows_keep(out->ctx, &sorted, &m->rows, order, n));
    return cairn_nearest_lower(&sorted.metric, &sorted.points, codes, k, out);
}

/* Programs know centres and nearest rows only; where the cut is one cluster, the answer is
 * constant. */
static cairn_status hierarchy_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    enum { MOST_WARD = 200 };
    const cairn_hierarchy_model *m = model;
    (void)job;
    if (m->n_clusters == 1) return cairn_lower_constants(out, &(double){0}, 1, &out->answer.code);
    bool plain = m->centres && !m->rows.metric.distance->place;
    if (plain && m->rule == CAIRN_RULE_CENTRE)
        return lower_nearest(m, out, m->rows.points.places, m->n_clusters, &out->answer.code);
    if (plain && m->rule == CAIRN_RULE_WARD && m->n_clusters <= MOST_WARD)
        return lower_ward(m, out);
    if (m->rule == CAIRN_RULE_NEAREST && !m->rows.given) return lower_rows(m, out);
    if (m->rows.given)
        return cairn_program_refuse(out,
                                    "its rows are distances, and there are no columns to read");
    return cairn_program_refuse(
        out, "%s",
        cairn_say(out->ctx,
                  "means and largest of the distances to all rows are computed by Cairn only; "
                  "nearest rows ({linkage single}) and, of Euclidean distances, centres ({linkage "
                  "ward} of up to 200 clusters, centroid, median, {method bisecting}) can be "
                  "written down"));
}

static const cairn_choice methods[] = {
    {"agglomerative", CAIRN_HIERARCHY_AGGLOMERATIVE, "the two nearest clusters are joined"},
    {"bisecting", CAIRN_HIERARCHY_BISECTING, "a cluster is split by 2-means"},
    {"diana", CAIRN_HIERARCHY_DIANA, "a splinter group leaves the cluster of largest diameter"},
    {0},
};

static const cairn_choice linkages[] = {
    {"single", CAIRN_LINKAGE_SINGLE, "least distance of two rows"},
    {"complete", CAIRN_LINKAGE_COMPLETE, "largest distance of two rows"},
    {"average", CAIRN_LINKAGE_AVERAGE, "mean distance (UPGMA)"},
    {"weighted", CAIRN_LINKAGE_WEIGHTED, "mean of the distances of the two parts (WPGMA)"},
    {"centroid", CAIRN_LINKAGE_CENTROID, "distance of the means"},
    {"median", CAIRN_LINKAGE_MEDIAN, "distance of midpoints"},
    {"ward", CAIRN_LINKAGE_WARD, "growth of the sum of squares within clusters"},
    {0},
};

static const cairn_choice ties[] = {
    {"first", CAIRN_HIERARCHY_FIRST, "the first pair of the list of clusters"},
    {"last", CAIRN_HIERARCHY_LAST, "the first pair when the list is read from its end"},
    {0},
};

static const cairn_param hierarchy_params[] = {
    CAIRN_PARAM_CHOICE(cairn_hierarchy_params, method, "agglomerative", methods,
                       "how the tree is made", .often = true),
    CAIRN_PARAM_CHOICE(cairn_hierarchy_params, linkage, "average", linkages,
                       "how far two clusters are from each other", .when = "method=agglomerative",
                       .often = true),
    CAIRN_DISTANCE_PARAM(cairn_hierarchy_params),
    CAIRN_PARAM(cairn_hierarchy_params, clusters, "0", "[0,inf)",
                "cut the tree into so many clusters; 0: do not cut it by their number, so that "
                "without a height there is one cluster",
                .often = true),
    CAIRN_PARAM(cairn_hierarchy_params, height, CAIRN_NOT_GIVEN, "[0,inf)",
                "cut the tree at this height: merges above it are undone", .when = "clusters=0",
                .often = true),
    CAIRN_PARAM_CHOICE(cairn_hierarchy_params, tie, "first", ties,
                       "which of several pairs that are as near as each other is joined"),
    CAIRN_PARAM_END,
};

static cairn_status check_params(cairn_context *ctx, const void *values)
{
    const cairn_hierarchy_params *p = values;
    return cairn_metric_check(ctx, cairn_say(ctx, "{distance}"), p->distance);
}

static unsigned accepts_with(const void *params)
{
    return cairn_distance_accepts(((const cairn_hierarchy_params *)params)->distance);
}

/* -- joining -- */

/* From so many rows on a spanning tree does for single linkage; with ties it may take other pairs
 * first than the plain method. */
enum { SPAN_ROWS = 2000 };

cairn_status cairn_hierarchy_join(cairn_context *ctx, cairn_dendrogram *tree,
                                  const cairn_hierarchy_data *data,
                                  const cairn_hierarchy_params *params,
                                  cairn_hierarchy_history *history, cairn_report *steps)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_stored_rows_close) cairn_joiner joiner = {0};
    bool centres = params->linkage >= CAIRN_LINKAGE_CENTROID;
    history->tied = -1;
    if (params->linkage == CAIRN_LINKAGE_SINGLE && data->n > SPAN_ROWS)
        return cairn_hierarchy_span(ctx, tree, data);
    CHECK(cairn_joiner_make(ctx, &joiner, tree, params));
    if (centres && cairn_hierarchy_has_places(data->rows))
        CHECK(cairn_centre_rows_open(ctx, &joiner, data));
    else
        CHECK(cairn_stored_rows_open(ctx, &joiner, data));
    if (steps) CHECK(cairn_hierarchy_watch(ctx, &joiner, steps));
    CHECK(cairn_joiner_run(ctx, &joiner));
    history->tied = (int64_t)joiner.n_tied;
    history->at_least = data->n > CAIRN_COUNTED_TIES;
    return CAIRN_OK;
}

/* -- keeping -- */

/* What answers for new rows. */
static cairn_status check_rule(cairn_archive *a, const void *kept, const void *around)
{
    (void)around;
    const cairn_hierarchy_model *m = kept;
    if (m->rows.n != (m->centres ? m->n_clusters : m->tree.n_leaves))
        return cairn_archive_damaged(a, "there are %zu rows to compare with", m->rows.n);
    if (!m->centres && m->rule >= CAIRN_RULE_MEAN && !m->shares)
        return cairn_archive_damaged(a, "shares of the rows are missing");
    return CAIRN_OK;
}

static const cairn_kept hierarchy_keeps[] = {
    KEEP_CHOICE(cairn_hierarchy_model, method, CAIRN_HIERARCHY_AGGLOMERATIVE, CAIRN_HIERARCHY_DIANA,
                "the method is not known"),
    KEEP_CHOICE(cairn_hierarchy_model, linkage, CAIRN_LINKAGE_SINGLE, CAIRN_LINKAGE_WARD,
                "the method is not known"),
    KEEP(cairn_hierarchy_model, tie),
    KEEP_PART(cairn_hierarchy_model, tree, .part = &cairn_kept_dendrogram),
    KEEP_COUNT(cairn_hierarchy_model, tree.n_leaves),
    KEEP_SIZE_IN(cairn_hierarchy_model, n_clusters, "tree.n_leaves"),
    KEEP_FITS("1", "n_clusters", "there are no clusters"),
    KEEP(cairn_hierarchy_model, cut),
    KEEP_AS(cairn_hierarchy_model, n_hidden, .name = "hidden"),
    KEEP_CODES(cairn_hierarchy_model, codes, "tree.n_leaves", 0, "n_clusters",
               "row # is in cluster @ of ~"),
    KEEP_ARRAYS(cairn_hierarchy_model, "n_clusters", sizes, heights),
    KEEP_CHOICE(cairn_hierarchy_model, rule, CAIRN_RULE_NEAREST, CAIRN_RULE_WARD,
                "there is no rule $"),
    KEEP(cairn_hierarchy_model, centres),
    KEEP_PART(cairn_hierarchy_model, rows, .part = &cairn_kept_distance_rows),
    KEEP_FLAG(cairn_hierarchy_model, shares, "has_shares"),
    KEEP_ARRAY(cairn_hierarchy_model, shares, "tree.n_leaves", .when = "has_shares"),
    KEEP_FLAG(cairn_hierarchy_model, spreads, "has_spreads"),
    KEEP_ARRAY(cairn_hierarchy_model, spreads, "n_clusters", .when = "has_spreads"),
    KEEP_CHECK(check_rule),
    KEEP_END,
};

static const cairn_kept history_keeps[] = {
    KEEP(cairn_hierarchy_history, tied, at_least, silhouette),
    KEEP_SIZE(cairn_hierarchy_history, n_cuts, HIERARCHY_CUTS),
    KEEP_ARRAYS(cairn_hierarchy_history, "n_cuts", cuts),
    KEEP_SIZE_IN(cairn_hierarchy_history, n_diameters, "n_clusters"),
    KEEP_SAME("n_diameters", "n_clusters", "some clusters have no diameter", .when = "n_diameters"),
    KEEP_ARRAYS(cairn_hierarchy_history, "n_diameters", diameters),
    KEEP_END,
};

static const cairn_history hierarchy_history = {
    .size = sizeof(cairn_hierarchy_history),
    .keeps = history_keeps,
};

/* -- fitting -- */

/* Names of the leaves: the id column, or what a matrix of distances calls its rows; numbers of rows
 * need none unless some rows have no leaf. */
static cairn_status name_leaves(cairn_context *ctx, cairn_dendrogram *tree, const cairn_view *view)
{
    const cairn_table *table = view->table;
    ptrdiff_t id = cairn_table_role_column(table, CAIRN_ID);
    bool given = table->shape == CAIRN_SHAPE_DISTANCES;
    if (id < 0 && !given && view->rows.n == table->n_rows) return CAIRN_OK;
    CHECK(NEW(ctx, &tree->names, tree->n_leaves));
    for (size_t i = 0; i < tree->n_leaves; i++) {
        size_t row = cairn_view_row(view, i);
        char number[CAIRN_NUMBER_SIZE];
        size_t length = id < 0 ? 0 : cairn_table_cell(table, (size_t)id, row, NULL, 0);
        if (id >= 0) {
            CHECK(NEW(ctx, &tree->names[i], length + 1));
            cairn_table_cell(table, (size_t)id, row, tree->names[i], length + 1);
            continue;
        }
        cairn_number_format(number, (double)row + 1, CAIRN_SHORTEST);
        const char *name = given && row < view->n_features ? view->names[row] : number;
        CHECK(cairn_copy_text(ctx, &tree->names[i], name, strlen(name)));
    }
    return CAIRN_OK;
}

/* A number of clusters goes before a height; with neither, the tree stays one cluster and the
 * cut has no height. */
static cairn_status cut_tree(cairn_context *ctx, cairn_hierarchy_model *m,
                             const cairn_hierarchy_params *p)
{
    SCOPED_SCRATCH(ctx);
    cairn_cut cut;
    bool at_height = p->clusters == 0 && !isnan(p->height);
    if (at_height)
        CHECK(cairn_dendrogram_cut_height(ctx, &cut, &m->tree, p->height));
    else
        CHECK(cairn_dendrogram_cut_number(ctx, &cut, &m->tree,
                                          p->clusters ? (size_t)p->clusters : 1));
    m->n_clusters = cut.n_clusters;
    m->n_hidden = (int64_t)cut.n_hidden;
    m->cut = at_height || p->clusters ? cut.height : NAN;
    CHECK(NEW(ctx, &m->codes, m->tree.n_leaves));
    CHECK(NEW_EACH(ctx, m->n_clusters, &m->sizes, &m->heights));
    memcpy(m->codes, cut.codes, m->tree.n_leaves * sizeof *m->codes);
    for (size_t c = 0; c < m->n_clusters; c++) {
        m->sizes[c] = cairn_dendrogram_size(&m->tree, cut.nodes[c]);
        m->heights[c] = cairn_dendrogram_height(&m->tree, cut.nodes[c]);
    }
    return CAIRN_OK;
}

static cairn_status start_tree(cairn_context *ctx, cairn_hierarchy_model *m, const cairn_view *view)
{
    if (view->rows.n == 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "there are no rows of positive weight to cluster");
    CHECK(cairn_dendrogram_new(ctx, &m->tree, view->rows.n));
    CHECK(name_leaves(ctx, &m->tree, view));
    if (!cairn_view_is_weighted(view)) return CAIRN_OK;
    CHECK(NEW(ctx, &m->tree.weights, m->tree.n_leaves));
    cairn_view_weights(view, 0, m->tree.n_leaves, m->tree.weights);
    return CAIRN_OK;
}

/* How well the tree tells the distances that it was made of, and how clear it is, worked out. */
static cairn_status show_quality(cairn_context *ctx, cairn_report *steps,
                                 const cairn_dendrogram *tree, const cairn_distance_rows *rows)
{
    enum { MOST_LEAVES = 1000, WRITTEN = 12 };
    size_t n = tree->n_leaves;
    double *joined, *given, top = cairn_dendrogram_top(tree), terms[2 * WRITTEN];
    if (!steps || n < 2 || n > MOST_LEAVES || !(top > 0)) return CAIRN_OK;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH_RAW_EACH(ctx, n * (n - 1) / 2 + 1, &joined, &given));
    CHECK(cairn_cophenetic(ctx, tree, joined));
    CHECK(cairn_distances_condensed(ctx, rows, given));
    cairn_report_step_begin(steps, "How well the tree tells the distances");
    cairn_report_formula(steps,
                         "coefficient = Σ (1 − h(i)/h) / n,  h(i): height at which leaf i is "
                         "joined first, h: height of the tree");
    size_t written = 0;
    for (size_t i = 0; i + 1 < n && n <= WRITTEN; i++)
        for (int side = 0; side < 2; side++) {
            uint32_t part = side ? tree->merges[i].right : tree->merges[i].left;
            if (part >= n) continue;
            terms[2 * written] = tree->merges[i].height;
            terms[2 * written++ + 1] = top;
        }
    double coefficient = cairn_dendrogram_coefficient(tree);
    if (written)
        cairn_report_worked_sum(steps, "Σ", "(1 − #/#)", terms, 2, written,
                                coefficient * (double)n);
    cairn_report_worked(steps, "coefficient", "# / # = #", coefficient * (double)n, (double)n,
                        coefficient);
    cairn_report_value(steps,
                       "cophenetic correlation: of these heights for all pairs with their "
                       "distances",
                       cairn_cophenetic_correlation(joined, given, n * (n - 1) / 2),
                       "cophenetic_correlation");
    cairn_report_step_end(steps);
    return CAIRN_OK;
}

/* The tree is proved before it is cut; rows of weight 0 have no leaf. */
static cairn_status hierarchy_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    const cairn_hierarchy_params *p = job->params;
    SCOPED(cairn_distance_rows_clear) cairn_distance_rows rows = {0};
    cairn_hierarchy_history own = {0};
    SCOPED_KEPT(history_keeps, &own);
    cairn_hierarchy_history *history = job->history ? job->history : &own;
    cairn_hierarchy_model *m = model;
    const char **names;
    cairn_view view;
    CHECK(cairn_view_used(ctx, &view, job->view));
    m->method = p->method;
    m->linkage = p->linkage;
    m->tie = p->tie;
    CHECK(start_tree(ctx, m, &view));
    CHECK(cairn_distance_rows_open(ctx, &rows, &view, p->distance));
    /* What steps call the leaves. Scratch. */
    CHECK(SCRATCH(ctx, &names, m->tree.n_leaves));
    for (size_t i = 0; i < m->tree.n_leaves; i++) {
        char *buffer;
        CHECK(SCRATCH(ctx, &buffer, CAIRN_LEAF_NAME));
        (names)[i] = cairn_leaf_name(&m->tree, i, buffer);
    }
    cairn_hierarchy_data data = {
        .view = &view, .n = rows.n, .rows = &rows, .weights = m->tree.weights, .names = names};
    history->tied = -1;
    history->silhouette = NAN;
    if (p->method == CAIRN_HIERARCHY_AGGLOMERATIVE)
        CHECK(cairn_hierarchy_join(ctx, &m->tree, &data, p, history, job->steps));
    else
        CHECK(cairn_hierarchy_divide(ctx, &m->tree, &data, p, job->steps));
    /* DIANA's heights are diameters, and those of bisecting distances of Ward. */
    cairn_merges_asked asked = {
        .tree = &m->tree, .rows = &rows, .linkage = (cairn_linkage)m->linkage};
    asked.splits = m->method != CAIRN_HIERARCHY_AGGLOMERATIVE;
    if (asked.splits)
        asked.linkage =
            m->method == CAIRN_HIERARCHY_DIANA ? CAIRN_LINKAGE_COMPLETE : CAIRN_LINKAGE_WARD;
    CHECK(cairn_merges_prove(ctx, job->certificate, &asked));
    CHECK(show_quality(ctx, job->steps, &m->tree, &rows));
    CHECK(cut_tree(ctx, m, p));
    CHECK(hierarchy_keep(ctx, m, &data));
    if (job->history) CHECK(hierarchy_judge(ctx, history, m, &data));
    /* Clusters of the rows: those of weight 0 have no leaf and are answered like new ones. */
    size_t leaf = 0;
    if (!job->fitted) return CAIRN_OK;
    if (m->tree.n_leaves < job->view->rows.n)
        CHECK(hierarchy_answer(ctx, m, job->view, job->fitted, NULL));
    for (size_t i = 0; i < job->view->rows.n; i++)
        if (cairn_view_weight(job->view, i) > 0) job->fitted[i] = m->codes[leaf++];
    return CAIRN_OK;
}

static cairn_status hierarchy_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                      const cairn_job *job)
{
    const cairn_hierarchy_model *m = model;
    double *distances = NULL;
    if (out->extra) CHECK(SCRATCH(ctx, &distances, job->view->rows.n + 1));
    CHECK(hierarchy_answer(ctx, m, job->view, out->codes, distances));
    out->codes_set = true;
    out->n_classes = m->n_clusters;
    if (out->extra) CHECK(cairn_table_put_numbers(ctx, out->extra, "distance", distances));
    return CAIRN_OK;
}

/* -- for the record -- */

static cairn_status hierarchy_check(cairn_archive *a, const void *model, const cairn_job *job)
{
    const cairn_hierarchy_model *m = model;
    const cairn_hierarchy_params *p = job->params;
    size_t n = 0;
    for (size_t i = 0; i < job->schema->n_fields; i++)
        n += job->schema->fields[i].role == CAIRN_FEATURE;
    return cairn_distance_rows_check(a, &m->rows, n, p->distance);
}

static cairn_model_size hierarchy_size(const void *model)
{
    const cairn_hierarchy_model *m = model;
    return (cairn_model_size){.parameters = (double)(m->tree.n_leaves - 1), .grows = true};
}

static const cairn_output hierarchy_outputs[] = {
    {"distance", "distance to the cluster by the linkage"},
    {0},
};

const cairn_learner cairn_hierarchy = {
    .entry =
        {
            .kind = CAIRN_ENTRY_LEARNER,
            .name = "hierarchy",
            .also = "hierarchical clustering, agglomerative clustering, HAC, hclust, cutree, "
                    "AGNES, UPGMA, WPGMA, Ward (linkage=ward), DIANA (method=diana), bisecting "
                    "k-means (method=bisecting), dendrogram, AgglomerativeClustering, "
                    "HierarchicalClusterer, linkage clustering",
            .about = "farthest neighbour clustering, nearest neighbour clustering, distance "
                     "between groups",
            .title = "Hierarchical clustering",
            .summary =
                "Makes a tree of clusters, from single rows to all of them: the two clusters that "
                "are nearest by the linkage are joined, at a height that is their distance, until "
                "one is left. The tree is cut into clusters by --clusters or at a --height. Any "
                "distance will do, or a matrix of distances (--as distances). A new row goes to "
                "the cluster of the cut that is nearest by the linkage.",
            .references =
                "Lance and Williams, A general theory of classificatory sorting strategies, "
                "Computer Journal 9 (1967); Ward, Hierarchical grouping to optimize an objective "
                "function, Journal of the American Statistical Association 58 (1963)",
            .example = "cairn fit hierarchy @iris --ignore species --linkage ward --clusters 3",
            .params = hierarchy_params,
            .params_size = sizeof(cairn_hierarchy_params),
            .check = check_params,
        },
    .tasks = CAIRN_CLUSTER,
    .space = "clusters=2:8\n"
             "linkage=average,complete,ward",
    .aims = "clusters that are close are merged first, or those that are wide are divided",
    .accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_WEIGHTS | CAIRN_ACCEPTS_DISTANCES |
               CAIRN_USES_DISTANCES | CAIRN_WANTS_SCALING,
    .accepts_with = accepts_with,
    .traits = CAIRN_PREDICTIVE | CAIRN_UNSUPERVISED | CAIRN_GEOMETRIC | CAIRN_GROUPING,
    .model_size = sizeof(cairn_hierarchy_model),
    .tables = cairn_hierarchy_tables,
    .labels_rows = true,
    .tells_members = true,
    .outputs = hierarchy_outputs,
    .fit = hierarchy_fit,
    .lower = hierarchy_lower,
    .forms = cairn_hierarchy_forms,
    .figures = cairn_hierarchy_figures,
    .predict = hierarchy_predict,
    .describe = cairn_hierarchy_describe,
    .history = &hierarchy_history,
    .keeps = hierarchy_keeps,
    .check = hierarchy_check,
    .size = hierarchy_size,
};
