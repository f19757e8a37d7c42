/* SPDX-License-Identifier: MIT */
/* Asking the trees of a forest.
 *
 * A block of rows is binned once: a number becomes how many cuts of its column lie below it, a
 * level its code. Then one tree after the other is asked about all rows of the block, so that a
 * tree is in the cache while it is used, and the rows are arranged by their leaves in the first
 * tree, so that neighbours are alike and take similar ways. Several rows walk side by side: waiting
 * for the memory of one is work for the others; a row that has reached its leaf makes room for the
 * next. */
#include "learners/forest/forest.h"
#include "data/item_columns.h"
#include <math.h>
#include <string.h>

enum {
    BLOCK_CELLS = 1 << 22,
    BLOCK_MOST = 65536,
    BLOCK_LEAST = 64,
    BINNED = 128,
    LANES = 12,
    ARRANGED = 1 << 14
};

size_t cairn_forest_block_rows(const cairn_forest_model *forest, size_t n, size_t parts)
{
    size_t widest = forest->n_columns > forest->n_classes ? forest->n_columns : forest->n_classes;
    size_t rows = BLOCK_CELLS / (widest + 1);
    if (rows > n / parts) rows = n / parts + 1;
    return rows > BLOCK_MOST ? BLOCK_MOST : rows < BLOCK_LEAST ? BLOCK_LEAST : rows;
}

/* -- coding rows -- */

/* How many of n ascending cuts lie below x: x ≤ cut fails for them (or x < cut). Steps are added
 * without a branch, because nobody can foresee them. */
static uint32_t cuts_below(const double *cuts, uint32_t n, double x, bool strict)
{
    uint32_t low = 0;
    if (n == 0) return 0;
    for (; n > 1; n -= n / 2) {
        double middle = cuts[low + n / 2 - 1];
        low += n / 2 * (uint32_t)((middle < x) | (strict & (middle == x)));
    }
    return low + ((cuts[low] < x) | (strict & (cuts[low] == x)));
}

/* Column c of some rows. */
static void code_column(uint32_t *codes, const cairn_forest_model *forest, const cairn_view *view,
                        size_t c, size_t first, size_t n)
{
    size_t stride = forest->n_columns;
    bool strict = forest->cut_form == CAIRN_TREE_LT;
    const cairn_column *column = view->features[c];
    const double *cuts = forest->cuts + forest->cut_starts[c];
    uint32_t n_cuts = forest->cut_starts[c + 1] - forest->cut_starts[c];
    const cairn_item_cells *cells = cairn_column_items(column);
    uint32_t none = cells ? cuts_below(cuts, n_cuts, 0, strict) : 0;
    for (size_t i = 0; cells && i < n; i++) codes[i * stride + c] = none;
    for (size_t i = 0; cells && n_cuts && i < n; i++) {
        double x = cairn_item_number(cells, cairn_view_row(view, first + i));
        if (x != 0) codes[i * stride + c] = cuts_below(cuts, n_cuts, x, strict);
    }
    for (size_t i = 0; !cells && i < n; i++) {
        size_t row = cairn_view_row(view, first + i);
        uint32_t *code = &codes[i * stride + c];
        if (!forest->is_number[c])
            *code = (uint32_t)column->codes[row]; /* -1 is MISSING */
        else if (column->codes)                   /* ordered levels: their places are cut */
            *code = column->codes[row] < 0 ? CAIRN_FOREST_MISSING
                                           : cuts_below(cuts, n_cuts, column->codes[row], strict);
        else if (isnan(column->numbers[row]))
            *code = CAIRN_FOREST_MISSING;
        else
            *code = cuts_below(cuts, n_cuts, column->numbers[row], strict);
    }
}

void cairn_forest_code_rows(uint32_t *codes, const cairn_forest_model *forest,
                            const cairn_view *view, size_t first, size_t n)
{
    for (size_t done = 0; done < n; done += BINNED) { /* few rows, so that they stay in the cache */
        size_t size = n - done < BINNED ? n - done : BINNED;
        for (size_t c = 0; c < forest->n_columns; c++)
            code_column(codes + done * forest->n_columns, forest, view, c, first + done, size);
    }
}

cairn_status cairn_forest_code_maps(cairn_context *ctx, uint32_t ***out,
                                    const cairn_forest_model *forest, const cairn_binned *data)
{
    bool strict = forest->cut_form == CAIRN_TREE_LT;
    uint32_t **maps = NULL;
    CHECK(SCRATCH(ctx, &maps, forest->n_columns));
    for (size_t c = 0; c < forest->n_columns; c++) {
        const cairn_binned_column *column = &data->columns[c];
        const double *cuts = forest->cuts + forest->cut_starts[c];
        uint32_t n_cuts = forest->cut_starts[c + 1] - forest->cut_starts[c];
        CHECK(SCRATCH_RAW(ctx, &maps[c], (size_t)column->n_codes + 1));
        for (uint32_t v = 0; v < column->n_codes; v++)
            maps[c][v] =
                column->is_number ? cuts_below(cuts, n_cuts, column->values[v], strict) : v;
        maps[c][column->n_codes] = CAIRN_FOREST_MISSING;
    }
    *out = maps;
    return CAIRN_OK;
}

void cairn_forest_code_data(uint32_t *codes, const cairn_forest_model *forest,
                            const cairn_binned *data, uint32_t *const *maps, size_t first, size_t n,
                            uint32_t *rows, uint32_t *space)
{
    for (size_t i = 0; i < n; i++) rows[i] = (uint32_t)(first + i);
    for (size_t c = 0; c < forest->n_columns; c++) {
        cairn_binned_gather(data, c, rows, n, space);
        for (size_t i = 0; i < n; i++) codes[i * forest->n_columns + c] = maps[c][space[i]];
    }
}

/* -- walking -- */

/* Where a row with a missing cell, or with a level that has no branch, goes; NONE = down all
 * branches. */
static uint32_t step_missing(const cairn_forest_model *forest, const cairn_forest_tree *tree,
                             const cairn_forest_node *node, size_t *link)
{
    bool several = forest->missing == CAIRN_TREE_WEIGHTS;
    if (!(node->test & CAIRN_FOREST_WIDE)) {
        if (several) return CAIRN_FOREST_NONE;
        *link = (node->test & CAIRN_FOREST_RIGHT) != 0;
        return *link ? node->right : node->left;
    }
    *link = node->right;
    uint32_t child = tree->links[node->left + node->right];
    if (child != CAIRN_FOREST_NONE || several) return child;
    *link = node->rank; /* only a branch per level has no branch for missing cells */
    return tree->links[node->left + node->rank];
}

/* The child of a node that a row goes to, and which link that is. */
static uint32_t step(const cairn_forest_model *forest, const cairn_forest_tree *tree,
                     const cairn_forest_node *node, const uint32_t *row, size_t *link)
{
    uint32_t x = row[node->test & CAIRN_FOREST_COLUMN];
    if (x == CAIRN_FOREST_MISSING) return step_missing(forest, tree, node, link);
    bool is_number = forest->is_number[node->test & CAIRN_FOREST_COLUMN];
    bool two = is_number || (node->test & CAIRN_FOREST_LEVEL);
    *link = !two ? x : is_number ? x > node->rank : x != node->rank;
    if (!(node->test & CAIRN_FOREST_WIDE)) return *link ? node->right : node->left;
    uint32_t child = *link < node->right ? tree->links[node->left + *link] : CAIRN_FOREST_NONE;
    return child != CAIRN_FOREST_NONE ? child : step_missing(forest, tree, node, link);
}

uint32_t cairn_forest_step(const cairn_forest_model *forest, const cairn_forest_tree *tree,
                           uint32_t at, const uint32_t *row)
{
    cairn_forest_node node = cairn_forest_node_at(tree, at);
    size_t link;
    return step(forest, tree, &node, row, &link);
}

static uint32_t walk(const cairn_forest_model *forest, const cairn_forest_tree *tree,
                     uint32_t *from, const uint32_t *row, size_t *place)
{
    uint32_t at = *from;
    size_t link = 0;
    if (place) *place = 0;
    while (!(at & CAIRN_FOREST_LEAF)) {
        cairn_forest_node node = cairn_forest_node_at(tree, at);
        uint32_t next = step(forest, tree, &node, row, &link);
        *from = at;
        if (place && next == CAIRN_FOREST_NONE)
            *place = 1 + 2 * tree->n_nodes + tree->n_links + at;
        else if (place)
            *place = 1 + (node.test & CAIRN_FOREST_WIDE ? 2 * tree->n_nodes + node.left + link
                                                        : 2 * (size_t)at + link);
        at = next;
    }
    return at;
}

uint32_t cairn_forest_leaf(const cairn_forest_model *forest, const cairn_forest_tree *tree,
                           const uint32_t *row, size_t *place)
{
    uint32_t from = tree->root;
    return walk(forest, tree, &from, row, place);
}

/* What may be relied on while many rows walk: every test is a cut, no cell is missing, and nodes
 * have their ranks in them; or nothing of that. */
typedef enum walk_kind { WALK_PLAIN, WALK_ANY } walk_kind;

/* Whether a row goes right at a small node, as the highest bit. */
static inline uint32_t right_bit(const cairn_forest_tree *tree, uint32_t at, uint32_t test,
                                 const uint32_t *row, walk_kind kind)
{
    uint32_t right = UINT32_C(1) << 31;
    if (kind == WALK_PLAIN) /* the difference of two numbers below 2^31 */
        return (test & CAIRN_SMALL_RANK) -
               row[(test & CAIRN_SMALL_TEST) >> CAIRN_SMALL_COLUMN_SHIFT];
    uint32_t x = row[cairn_small_column(tree, at)], rank = cairn_small_rank(tree, at);
    if (x == CAIRN_FOREST_MISSING) return test & CAIRN_SMALL_RIGHT ? right : 0;
    return (test & CAIRN_SMALL_LEVEL ? x != rank : x > rank) ? right : 0;
}

/* The leaf behind a node: the one that is its other reference, or one of two. Which of these it is
 * cannot be foreseen either. */
static inline uint32_t leaf_reached(const cairn_forest_tree *tree, uint32_t test, uint32_t other,
                                    uint32_t right)
{
    uint32_t both = 0 - ((test & CAIRN_SMALL_BOTH) != 0);
    if (test & CAIRN_SMALL_APART) return cairn_small_apart(tree, other, right);
    return (cairn_small_answer(other, right) & both) | (other & ~both);
}

/* A row on its way. */
typedef struct lane {
    const uint32_t *row;
    uint32_t at, who;
} lane;

/* Many rows through a tree of small nodes that has no links, where no row takes several ways. A
 * copy of it is made for every kind of walk, so that none of them asks which one it is. */
static inline __attribute__((always_inline)) void walk_lanes(uint32_t *leaves,
                                                             const cairn_forest_tree *tree,
                                                             const uint32_t *codes,
                                                             size_t n_columns, const uint32_t *rows,
                                                             size_t n, walk_kind kind)
{
    const cairn_forest_small *nodes = tree->small;
    lane buffer[LANES + 1], *lanes = buffer + 1; /* one before, to step back to */
    lane *end = lanes + (n < LANES ? n : LANES);
    uint32_t next = 0;
    for (lane *l = lanes; l < end; l++, next++)
        *l = (lane){codes + rows[next] * n_columns, tree->root, next};
    while (end > lanes) {
        for (lane *l = lanes; l < end; l++) {
            uint32_t test = nodes[l->at].test, other = nodes[l->at].other, to = l->at + 1;
            uint32_t side = right_bit(tree, l->at, test, l->row, kind) ^ test;
            /* The other reference or the next node: SWAP and the side are both the highest bit.
             * It cannot be foreseen, so this must become a move, not a branch. */
            to = (int32_t)side < 0 ? other : to;
            l->at = to;
            if ((int32_t)(to | test << 1) >= 0) continue; /* neither a leaf nor BOTH */
            leaves[l->who] = leaf_reached(tree, test, other, (side ^ test) >> 31);
            if (next < n) {
                *l = (lane){codes + rows[next] * n_columns, tree->root, next};
                next++;
            } else {
                *l-- = *--end;
            }
        }
    }
}

/* One row from node `at` of a tree of small nodes without links to a leaf; NONE when a cell is
 * missing on the way, and then *from is the node that asks for it. */
static uint32_t descend(const cairn_forest_tree *tree, uint32_t at, const uint32_t *row,
                        uint32_t *from)
{
    while (!(at & CAIRN_FOREST_LEAF)) {
        uint32_t test = tree->small[at].test, other = tree->small[at].other;
        if (row[cairn_small_column(tree, at)] == CAIRN_FOREST_MISSING) {
            *from = at;
            return CAIRN_FOREST_NONE;
        }
        uint32_t side = right_bit(tree, at, test, row, WALK_ANY) ^ test;
        if (test & CAIRN_SMALL_BOTH) return leaf_reached(tree, test, other, (side ^ test) >> 31);
        at = (int32_t)side < 0 ? other : at + 1;
    }
    return at;
}

/* Whether every test is a cut. */
static bool only_cuts(const cairn_forest_model *forest)
{
    for (size_t c = 0; c < forest->n_columns; c++)
        if (!forest->is_number[c]) return false;
    return true;
}

void cairn_forest_leaves(uint32_t *leaves, const cairn_forest_model *forest,
                         const cairn_forest_tree *tree, const uint32_t *codes, const uint32_t *rows,
                         size_t n, bool complete)
{
    size_t d = forest->n_columns;
    bool one_way = complete || forest->missing != CAIRN_TREE_WEIGHTS;
    if (tree->root & CAIRN_FOREST_LEAF) {
        for (size_t i = 0; i < n; i++) leaves[i] = tree->root;
    } else if (!one_way && tree->small && !tree->n_links) {
        for (size_t i = 0; i < n; i++) {
            uint32_t from;
            leaves[i] = descend(tree, tree->root, codes + rows[i] * d, &from);
        }
    } else if (tree->n_links || !one_way) {
        for (size_t i = 0; i < n; i++)
            leaves[i] = cairn_forest_leaf(forest, tree, codes + rows[i] * d, NULL);
    } else if (complete && !tree->ranks && only_cuts(forest)) {
        walk_lanes(leaves, tree, codes, d, rows, n, WALK_PLAIN);
    } else {
        walk_lanes(leaves, tree, codes, d, rows, n, WALK_ANY);
    }
}

void cairn_forest_arrange(cairn_forest_rows *rows, const cairn_forest_model *forest, size_t n)
{
    const cairn_forest_tree *tree = &forest->trees[0];
    size_t d = forest->n_columns, place, places = 3 * tree->n_nodes + tree->n_links + 2;
    int shift = 0;
    while (places >> shift >= ARRANGED) shift++;
    memset(rows->counts, 0, (ARRANGED + 1) * sizeof *rows->counts);
    for (size_t i = 0; i < n; i++) {
        (void)cairn_forest_leaf(forest, tree, rows->codes + i * d, &place);
        rows->places[i] = (uint32_t)(place >> shift);
        rows->counts[rows->places[i] + 1]++;
    }
    for (size_t b = 0; b < ARRANGED; b++) rows->counts[b + 1] += rows->counts[b];
    for (size_t i = 0; i < n; i++) {
        uint32_t to = rows->counts[rows->places[i]]++;
        rows->order[to] = (uint32_t)i;
        memcpy(rows->sorted + to * d, rows->codes + i * d, d * sizeof *rows->codes);
    }
}

cairn_status cairn_forest_rows_make(cairn_context *ctx, cairn_forest_rows *out,
                                    const cairn_forest_model *forest, size_t n)
{
    CHECK(SCRATCH_RAW_EACH(ctx, cairn_product(n, forest->n_columns), &out->codes, &out->sorted));
    CHECK(SCRATCH_RAW_EACH(ctx, n, &out->order, &out->places));
    return SCRATCH_RAW(ctx, &out->counts, ARRANGED + 1);
}

bool cairn_forest_complete(const uint32_t *codes, size_t n)
{
    uint32_t most = 0;
    for (size_t i = 0; i < n; i++) most = codes[i] > most ? codes[i] : most;
    return most != CAIRN_FOREST_MISSING;
}

/* -- answers -- */

cairn_status cairn_forest_space_make(cairn_context *ctx, cairn_forest_space *out,
                                     const cairn_forest_model *forest)
{
    size_t most = 2;
    for (size_t t = 0; forest->missing == CAIRN_TREE_WEIGHTS && t < forest->n_trees; t++) {
        size_t refs = 2 * forest->trees[t].n_nodes + forest->trees[t].n_links + 2;
        if (refs > most) most = refs;
    }
    CHECK(SCRATCH_RAW(ctx, &out->stack, most));
    return SCRATCH_RAW(ctx, &out->sums, forest->n_classes + 1);
}

/* Put the children of a node on the stack with their parts of the share. */
static size_t push_children(const cairn_forest_tree *tree, uint32_t from, double share,
                            cairn_forest_pending *stack, size_t n)
{
    cairn_forest_node node = cairn_forest_node_at(tree, from);
    if (!(node.test & CAIRN_FOREST_WIDE)) {
        stack[n++] = (cairn_forest_pending){node.right, share * (1 - tree->parts[from])};
        stack[n++] = (cairn_forest_pending){node.left, share * tree->parts[from]};
        return n;
    }
    for (size_t b = node.right; b-- > 0;) {
        uint32_t child = tree->links[node.left + b];
        double part = tree->link_parts[node.left + b];
        if (child != CAIRN_FOREST_NONE && part > 0)
            stack[n++] = (cairn_forest_pending){child, share * part};
    }
    return n;
}

static void add_leaf(double *sums, const cairn_forest_model *forest, const cairn_forest_tree *tree,
                     uint32_t leaf, double share)
{
    size_t value = leaf & ~CAIRN_FOREST_LEAF, k = forest->n_classes;
    if (!k) {
        sums[0] += share * tree->means[value];
    } else if (value < k) {
        sums[value] += share;
    } else {
        uint32_t end = tree->mixed_starts[value - k + 1];
        for (uint32_t j = tree->mixed_starts[value - k]; j < end; j++)
            sums[tree->mixed_classes[j]] += share * tree->mixed_shares[j];
    }
}

/* The average of the leaves that a row with missing cells reaches. */
static void average(const cairn_forest_model *forest, const cairn_forest_tree *tree,
                    const uint32_t *row, const cairn_forest_space *space)
{
    cairn_forest_pending *stack = space->stack;
    bool small = tree->small && !tree->n_links;
    size_t n = 0;
    memset(space->sums, 0, (forest->n_classes + 1) * sizeof *space->sums);
    stack[n++] = (cairn_forest_pending){tree->root, 1};
    while (n > 0) {
        cairn_forest_pending top = stack[--n];
        uint32_t from = top.at, leaf = small ? descend(tree, top.at, row, &from)
                                             : walk(forest, tree, &from, row, NULL);
        if (leaf != CAIRN_FOREST_NONE)
            add_leaf(space->sums, forest, tree, leaf, top.share);
        else
            n = push_children(tree, from, top.share, stack, n);
    }
}

void cairn_forest_count_tests(double *tests, const cairn_forest_model *forest,
                              const cairn_forest_tree *tree, const uint32_t *row,
                              const cairn_forest_space *space)
{
    cairn_forest_pending *stack = space->stack;
    size_t n = 0;
    stack[n++] = (cairn_forest_pending){tree->root, 1};
    while (n > 0) {
        cairn_forest_pending top = stack[--n];
        while (!(top.at & CAIRN_FOREST_LEAF)) {
            uint32_t next = cairn_forest_step(forest, tree, top.at, row);
            tests[cairn_forest_node_at(tree, top.at).test & CAIRN_FOREST_COLUMN] += top.share;
            if (next == CAIRN_FOREST_NONE) n = push_children(tree, top.at, top.share, stack, n);
            top.at = next;
        }
    }
}

void cairn_forest_add(double *sums, const cairn_forest_model *forest, const cairn_forest_tree *tree,
                      uint32_t leaf, const uint32_t *row, const cairn_forest_space *space)
{
    size_t k = forest->n_classes, value = leaf & ~CAIRN_FOREST_LEAF, best = 0;
    bool votes = k && forest->combine == CAIRN_FOREST_VOTES;
    if (leaf != CAIRN_FOREST_NONE) {
        if (votes)
            sums[value < k ? value : (size_t)tree->mixed_classes[tree->mixed_starts[value - k]]]++;
        else
            add_leaf(sums, forest, tree, leaf, 1);
        return;
    }
    average(forest, tree, row, space);
    for (size_t l = 1; l < k; l++)
        if (space->sums[l] > space->sums[best]) best = l;
    if (votes)
        sums[best]++;
    else
        for (size_t l = 0; l < (k ? k : 1); l++) sums[l] += space->sums[l];
}
