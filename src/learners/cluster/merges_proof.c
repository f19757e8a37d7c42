/* SPDX-License-Identifier: MIT */
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
#include "learners/cluster/merges_proof.h"

#include "base/memory.h"
#include "learners/cluster/hierarchy_join.h"

#include <math.h>

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

/* By the distances of the leaves of a slot, some at a time. */
static cairn_status look_at_rows(cairn_context *ctx, const proving *p, uint32_t slot)
{
    double start = p->asked->linkage == CAIRN_LINKAGE_SINGLE ? INFINITY : 0;
    uint32_t which[LINES], leaf = p->first[slot];
    for (size_t s = 0; s < p->n; s++) p->values[s] = start;
    while (leaf != NOBODY) {
        size_t some = 0;
        for (; leaf != NOBODY && some < LINES; leaf = p->next[leaf]) which[some++] = leaf;
        CHECK(cairn_distances_block(ctx, p->asked->rows, which, some, p->asked->rows, 0, p->n,
                                    p->lines, p->n));
        for (size_t l = 0; l < some; l++) add_line(p, which[l], p->lines + l * p->n);
    }
    return CAIRN_OK;
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
    else
        CHECK(look_at_rows(ctx, p, own));
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
static cairn_status make_room(cairn_context *ctx, proving *p)
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
    CHECK(make_room(ctx, &p));
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
