/* SPDX-License-Identifier: MIT */
/* Trees of a forest in their small form: packing grown trees, ranking cuts.
 *
 * A fully grown tree has nearly only pure leaves, so a leaf is no node but a class in its parent's
 * reference; only mixed leaves have shares. What a node needs for growing and showing (weights,
 * gains, errors) is summed up and dropped. */
#include "learners/forest/forest.h"
#include "parallel/parallel.h"
#include "parallel/sort.h"
#include <math.h>
#include <string.h>

static void tree_clear(cairn_forest_tree *tree)
{
    FREE_EACH(tree->nodes, tree->small, tree->pairs, tree->ranks, tree->links, tree->cuts,
              tree->cut_starts, tree->parts, tree->link_parts, tree->mixed_starts,
              tree->mixed_classes, tree->mixed_shares, tree->means);
    *tree = (cairn_forest_tree){0};
}

double cairn_forest_tree_bytes(const cairn_forest_tree *tree)
{
    double bytes = (double)tree->n_nodes * sizeof *tree->small +
                   (double)tree->n_pairs * sizeof *tree->pairs +
                   (double)tree->n_links * sizeof *tree->links +
                   (double)tree->n_mixed * sizeof *tree->mixed_starts +
                   (double)tree->n_shares * (sizeof *tree->mixed_classes + sizeof(double)) +
                   (double)tree->n_means * sizeof *tree->means;
    if (tree->ranks) bytes += (double)tree->n_nodes * sizeof *tree->ranks;
    if (tree->parts) bytes += (double)(tree->n_nodes + tree->n_links) * sizeof *tree->parts;
    return bytes;
}

void cairn_forest_clear(cairn_forest_model *forest)
{
    for (size_t t = 0; forest->trees && t < forest->n_trees; t++) tree_clear(&forest->trees[t]);
    FREE_EACH(forest->trees, forest->is_number, forest->cuts, forest->cut_starts);
    *forest = (cairn_forest_model){0};
}

void cairn_forest_clear_history(void *data)
{
    cairn_forest_history *history = data;
    FREE_EACH(history->impurity, history->permutation, history->permutation_se, history->oob.curve,
              history->oob.matrix, history->extras.outlier_rows, history->extras.outlier_scores,
              history->extras.outlier_classes, history->extras.prototype_size,
              history->extras.prototypes);
    *history = (cairn_forest_history){0};
}

/* -- packing -- */

typedef struct packing {
    const cairn_tree_model *from;
    cairn_forest_tree *to;
    uint32_t *number; /* per node: its number among inner nodes */
    double *cuts;     /* per inner node: its cut, NaN = none */
    cairn_smoothing smoothing;
} packing;

/* A branch without rows answers as the node above. */
static const cairn_tree_node *counted_node(const cairn_tree_model *tree, size_t i)
{
    const cairn_tree_node *node = &tree->nodes[i];
    while (node->n_counts == 0 && node->parent >= 0) node = &tree->nodes[node->parent];
    return node;
}

/* Classes of a leaf that are kept with their shares: smoothed ones are all above 0; 1 = the answer
 * alone. */
static size_t kept_classes(const packing *work, size_t i)
{
    if (work->smoothing.kind != CAIRN_SMOOTH_NONE) return work->from->n_classes;
    return counted_node(work->from, i)->n_counts;
}

static bool is_wide(const cairn_tree_model *tree, const cairn_tree_node *node)
{
    return node->test == CAIRN_TEST_LEVELS || tree->links[node->links + 2] >= 0;
}

/* Sizes of all arrays. */
static void count_parts(packing *work)
{
    const cairn_tree_model *from = work->from;
    cairn_forest_tree *to = work->to;
    for (size_t i = 0; i < from->n_nodes; i++) {
        const cairn_tree_node *node = &from->nodes[i];
        if (node->column >= 0) {
            work->number[i] = (uint32_t)to->n_nodes++;
            if (is_wide(from, node)) to->n_links += (size_t)node->n_branches + 1;
            continue;
        }
        to->n_leaves++;
        if (!from->n_classes) {
            to->n_means++;
        } else if (kept_classes(work, i) > 1) {
            to->n_mixed++;
            to->n_shares += kept_classes(work, i);
        }
    }
}

static cairn_status allocate_parts(cairn_context *ctx, cairn_forest_tree *to, bool with_parts)
{
    CHECK(NEW_RAW(ctx, &to->nodes, to->n_nodes));
    if (to->n_links) CHECK(NEW_RAW(ctx, &to->links, to->n_links));
    if (with_parts) CHECK(NEW_RAW(ctx, &to->parts, to->n_nodes));
    if (with_parts && to->n_links) CHECK(NEW(ctx, &to->link_parts, to->n_links));
    if (to->n_mixed) {
        CHECK(NEW(ctx, &to->mixed_starts, to->n_mixed + 1));
        CHECK(NEW_RAW_EACH(ctx, to->n_shares, &to->mixed_classes, &to->mixed_shares));
    }
    if (to->n_means) CHECK(NEW_RAW(ctx, &to->means, to->n_means));
    return CAIRN_OK;
}

/* Smoothed shares of all classes, the answer of the leaf first. */
static void pack_smoothed(packing *work, size_t i, size_t *mixed, size_t *shares)
{
    const cairn_tree_model *from = work->from;
    const cairn_tree_node *node = counted_node(from, i);
    cairn_forest_tree *to = work->to;
    size_t k = from->n_classes, label = (size_t)from->nodes[i].label;
    double total = 0;
    for (size_t j = 0; j < node->n_counts; j++) total += from->weights[node->counts + j];
    for (size_t c = 0; c < k; c++) {
        size_t at = *shares + (c == label ? 0 : c < label ? c + 1 : c);
        double count = 0;
        for (size_t j = 0; j < node->n_counts; j++)
            if (from->classes[node->counts + j] == (int32_t)c)
                count = from->weights[node->counts + j];
        to->mixed_classes[at] = (int32_t)c;
        to->mixed_shares[at] = cairn_smoothed(work->smoothing, count, total, k, NULL, c);
    }
    *shares += k;
    to->mixed_starts[++*mixed] = (uint32_t)*shares;
}

/* Shares of the classes of a leaf, its answer first. */
static void pack_mixed(packing *work, size_t i, size_t *mixed, size_t *shares)
{
    const cairn_tree_model *from = work->from;
    const cairn_tree_node *node = counted_node(from, i);
    cairn_forest_tree *to = work->to;
    int32_t label = from->nodes[i].label;
    double total = 0;
    size_t at = *shares, first = at;
    for (size_t j = 0; j < node->n_counts; j++) total += from->weights[node->counts + j];
    for (size_t j = 0; j < node->n_counts; j++) {
        to->mixed_classes[at] = from->classes[node->counts + j];
        to->mixed_shares[at] = from->weights[node->counts + j] / total;
        if (to->mixed_classes[at] == label && at > first) {
            double share = to->mixed_shares[at];
            memmove(to->mixed_classes + first + 1, to->mixed_classes + first,
                    (at - first) * sizeof *to->mixed_classes);
            memmove(to->mixed_shares + first + 1, to->mixed_shares + first,
                    (at - first) * sizeof *to->mixed_shares);
            to->mixed_classes[first] = label;
            to->mixed_shares[first] = share;
        }
        at++;
    }
    *shares = at;
    to->mixed_starts[++*mixed] = (uint32_t)at;
}

/* Leaves become references: put them where the numbers of inner nodes are. */
static void pack_leaves(packing *work)
{
    const cairn_tree_model *from = work->from;
    size_t mixed = 0, shares = 0, means = 0;
    for (size_t i = 0; i < from->n_nodes; i++) {
        const cairn_tree_node *node = &from->nodes[i];
        if (node->column >= 0) continue;
        if (!from->n_classes) {
            work->to->means[means] = node->mean;
            work->number[i] = CAIRN_FOREST_LEAF | (uint32_t)means++;
        } else if (kept_classes(work, i) > 1) {
            work->number[i] = CAIRN_FOREST_LEAF | (uint32_t)(from->n_classes + mixed);
            if (work->smoothing.kind != CAIRN_SMOOTH_NONE)
                pack_smoothed(work, i, &mixed, &shares);
            else
                pack_mixed(work, i, &mixed, &shares);
        } else {
            work->number[i] = CAIRN_FOREST_LEAF | (uint32_t)node->label;
        }
    }
}

/* Shares of the branches of a node. */
static void pack_part(packing *work, const cairn_tree_node *node, size_t at, size_t links)
{
    const cairn_tree_model *from = work->from;
    cairn_forest_tree *to = work->to;
    double total = 0;
    if (!to->parts) return;
    to->parts[at] = 0;
    for (size_t b = 0; b < (size_t)node->n_branches; b++) {
        int32_t child = from->links[node->links + b];
        if (child >= 0) total += from->nodes[child].weight;
    }
    for (size_t b = 0; b < (size_t)node->n_branches; b++) {
        int32_t child = from->links[node->links + b];
        double part = child < 0 || !(total > 0) ? 0 : from->nodes[child].weight / total;
        if (is_wide(from, node))
            to->link_parts[links + b] = part;
        else if (b == 0)
            to->parts[at] = part;
    }
}

/* Gains are added up by column here, weighted by rows, because the packed tree no longer knows
 * them. */
static void pack_nodes(packing *work, double *gains)
{
    const cairn_tree_model *from = work->from;
    cairn_forest_tree *to = work->to;
    double whole = from->nodes[0].weight;
    size_t at = 0, links = 0;
    for (size_t i = 0; i < from->n_nodes; i++) {
        const cairn_tree_node *node = &from->nodes[i];
        if (node->column < 0) continue;
        const int32_t *children = from->links + node->links;
        gains[node->column] += node->weight / whole * node->gain;
        cairn_forest_node *packed = &to->nodes[at];
        *packed = (cairn_forest_node){.test = (uint32_t)node->column};
        work->cuts[at] = node->test == CAIRN_TEST_CUT ? node->cut : NAN;
        if (node->test == CAIRN_TEST_LEVEL) {
            packed->test |= CAIRN_FOREST_LEVEL;
            packed->rank = (uint32_t)node->level;
        }
        pack_part(work, node, at++, links);
        if (!is_wide(from, node)) {
            if (node->usual == 1) packed->test |= CAIRN_FOREST_RIGHT;
            packed->left = work->number[children[0]];
            packed->right = work->number[children[1]];
            continue;
        }
        packed->test |= CAIRN_FOREST_WIDE;
        if (node->test == CAIRN_TEST_LEVELS) packed->rank = (uint32_t)node->usual;
        packed->left = (uint32_t)links;
        packed->right = (uint32_t)node->n_branches;
        for (size_t b = 0; b <= (size_t)node->n_branches; b++)
            to->links[links++] = children[b] < 0 ? CAIRN_FOREST_NONE : work->number[children[b]];
    }
}

/* The place of a cut in n > 0 ascending ones, of which it is one. */
static uint32_t place_of(const double *cuts, size_t n, double cut)
{
    size_t low = 0;
    while (n > 1) {
        size_t half = n / 2;
        low = cuts[low + half] <= cut ? low + half : low;
        n -= half;
    }
    return (uint32_t)low;
}

/* Sort cuts and keep each once; returns how many there are. */
static cairn_status keep_once(cairn_context *ctx, double *cuts, size_t n, size_t *kept)
{
    bool sorted = true;
    for (size_t i = 1; i < n; i++) sorted &= cuts[i - 1] <= cuts[i];
    if (!sorted) CHECK(cairn_sort_numbers(ctx, cuts, n));
    *kept = 0;
    for (size_t i = 0; i < n; i++)
        if (i == 0 || cuts[i] != cuts[*kept - 1]) cuts[(*kept)++] = cuts[i];
    return CAIRN_OK;
}

/* The cuts of the tree, each once, and the ranks of its nodes among them. */
static cairn_status list_cuts(cairn_context *ctx, const packing *work, size_t n_columns)
{
    cairn_forest_tree *to = work->to;
    double *all = NULL;
    size_t *starts = NULL, n = 0, kept = 0;
    CHECK(SCRATCH_RAW(ctx, &all, to->n_nodes));
    CHECK(SCRATCH(ctx, &starts, n_columns + 2));
    CHECK(NEW(ctx, &to->cut_starts, n_columns + 1));
    for (size_t i = 0; i < to->n_nodes; i++)
        if (!isnan(work->cuts[i])) starts[(to->nodes[i].test & CAIRN_FOREST_COLUMN) + 2]++;
    for (size_t c = 0; c < n_columns; c++) starts[c + 2] += starts[c + 1];
    for (size_t i = 0; i < to->n_nodes; i++)
        if (!isnan(work->cuts[i]))
            all[starts[(to->nodes[i].test & CAIRN_FOREST_COLUMN) + 1]++] = work->cuts[i];
    for (size_t c = 0; c < n_columns; c++) { /* they are moved to the front as they shrink */
        size_t first = starts[c];
        CHECK(keep_once(ctx, all + first, starts[c + 1] - first, &kept));
        memmove(all + n, all + first, kept * sizeof *all);
        n += kept;
        to->cut_starts[c + 1] = (uint32_t)n;
    }
    CHECK(NEW_RAW(ctx, &to->cuts, n));
    memcpy(to->cuts, all, n * sizeof *all);
    for (size_t i = 0; i < to->n_nodes; i++) {
        const uint32_t *own = to->cut_starts + (to->nodes[i].test & CAIRN_FOREST_COLUMN);
        if (!isnan(work->cuts[i]))
            to->nodes[i].rank = place_of(to->cuts + own[0], own[1] - own[0], work->cuts[i]);
    }
    return CAIRN_OK;
}

cairn_status cairn_forest_pack(cairn_context *ctx, cairn_forest_tree *out,
                               const cairn_tree_model *tree, cairn_smoothing smoothing,
                               double *gains)
{
    SCOPED_SCRATCH(ctx);
    packing work = {.from = tree, .to = out, .smoothing = smoothing};
    int32_t *depths = NULL;
    CHECK(SCRATCH_RAW_EACH(ctx, tree->n_nodes, &work.number, &depths, &work.cuts));
    count_parts(&work);
    CHECK(allocate_parts(ctx, out, tree->missing == CAIRN_TREE_WEIGHTS));
    pack_leaves(&work);
    pack_nodes(&work, gains);
    CHECK(list_cuts(ctx, &work, tree->n_columns));
    out->root = work.number[0];
    out->depth = cairn_tree_depths(tree, depths);
    return CAIRN_OK;
}

/* -- ranks of cuts -- */

typedef struct ranking {
    cairn_forest_model *forest;
    double *all;    /* cuts of all trees, column by column */
    size_t *starts; /* n_columns + 1 */
    size_t *kept;   /* n_columns: distinct ones */
} ranking;

/* Bring the cuts of all trees together by column. */
static cairn_status collect_cuts(cairn_context *ctx, ranking *work)
{
    cairn_forest_model *forest = work->forest;
    size_t n = 0, at = 0;
    CHECK(SCRATCH(ctx, &work->starts, forest->n_columns + 1));
    CHECK(SCRATCH(ctx, &work->kept, forest->n_columns));
    for (size_t t = 0; t < forest->n_trees; t++)
        n += forest->trees[t].cut_starts[forest->n_columns];
    CHECK(NEW_RAW(ctx, &work->all, n));
    for (size_t c = 0; c < forest->n_columns; c++) {
        work->starts[c] = at;
        for (size_t t = 0; t < forest->n_trees; t++) {
            const uint32_t *own = forest->trees[t].cut_starts + c;
            size_t size = own[1] - own[0];
            memcpy(work->all + at, forest->trees[t].cuts + own[0], size * sizeof *work->all);
            at += size;
        }
    }
    work->starts[forest->n_columns] = at;
    return CAIRN_OK;
}

/* Sort the cuts of a column and keep each once. */
static cairn_status sort_cuts(cairn_context *ctx, void *data, size_t c)
{
    ranking *work = data;
    return keep_once(ctx, work->all + work->starts[c], work->starts[c + 1] - work->starts[c],
                     &work->kept[c]);
}

static cairn_status keep_cuts(cairn_context *ctx, const ranking *work)
{
    cairn_forest_model *forest = work->forest;
    size_t n = 0;
    CHECK(NEW(ctx, &forest->cut_starts, forest->n_columns + 1));
    for (size_t c = 0; c < forest->n_columns; c++) {
        forest->cut_starts[c] = (uint32_t)n;
        n += work->kept[c];
    }
    if (n > UINT32_MAX) /* more than there are nodes that a number can count */
        CHECK(cairn_fail(ctx, CAIRN_BAD_DATA, "the forest has too many different cuts"));
    forest->cut_starts[forest->n_columns] = (uint32_t)n;
    CHECK(NEW_RAW(ctx, &forest->cuts, n));
    for (size_t c = 0; c < forest->n_columns; c++)
        memcpy(forest->cuts + forest->cut_starts[c], work->all + work->starts[c],
               work->kept[c] * sizeof *forest->cuts);
    return CAIRN_OK;
}

/* Ranks among the tree's own cuts become ranks among all, and the tree takes its small form. */
static cairn_status rank_tree(cairn_context *ctx, void *data, size_t t)
{
    const cairn_forest_model *forest = data;
    cairn_forest_tree *tree = &forest->trees[t];
    uint32_t *ranks = NULL;
    CHECK(SCRATCH_RAW(ctx, &ranks, tree->cut_starts[forest->n_columns]));
    for (size_t c = 0; c < forest->n_columns; c++) {
        const uint32_t *all = forest->cut_starts + c;
        for (uint32_t j = tree->cut_starts[c]; j < tree->cut_starts[c + 1]; j++)
            ranks[j] = place_of(forest->cuts + all[0], all[1] - all[0], tree->cuts[j]);
    }
    for (size_t i = 0; i < tree->n_nodes; i++) {
        cairn_forest_node *node = &tree->nodes[i];
        size_t column = node->test & CAIRN_FOREST_COLUMN;
        if (forest->is_number[column]) node->rank = ranks[tree->cut_starts[column] + node->rank];
    }
    FREE_EACH(tree->cuts, tree->cut_starts);
    tree->cuts = NULL;
    tree->cut_starts = NULL;
    return cairn_forest_settle(ctx, tree, forest->n_columns);
}

cairn_status cairn_forest_rank(cairn_context *ctx, cairn_forest_model *forest)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    ranking work = {.forest = forest};
    cairn_status status;
    TRY(collect_cuts(ctx, &work));
    double n = (double)work.starts[forest->n_columns];
    TRY(cairn_tasks_sized(ctx, forest->n_columns, 50 * n, sort_cuts, &work));
    TRY(keep_cuts(ctx, &work));
    TRY(cairn_tasks_sized(ctx, forest->n_trees, 100 * n, rank_tree, forest));
done:
    cairn_free(work.all);
    cairn_scratch_release(ctx, mark);
    return status;
}
