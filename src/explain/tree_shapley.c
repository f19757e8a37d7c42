/* SPDX-License-Identifier: MIT */
/* Shapley values of trees: see tree_paths.h.
 *
 * Rows go in blocks. A block is taken depth first through every tree; on the way the players of the
 * path are kept, each with its share z of the background and the shares o of all rows of the block,
 * so that a leaf is done for all rows at once, in loops over numbers that lie side by side. With o
 * being 0 or 1 no division is left in them: all players that a row fails contribute the same,
 *
 *     φ(i) = −v Σ w_k P_k / (1 − t_k),  P_k = Π (z_j (1 − t_k) + o_j t_k),
 *
 * and those that it passes v Σ P_k · w_k (1 − z_i) / (z_i (1 − t_k) + t_k), whose last factor is
 * the same for all rows.
 *
 * Against other rows, z is 1 or 0 for each of them. A leaf then counts only for pairs in which
 * every player passes in one row or in the other; with a players that pass in the row alone and b
 * in the other alone, the former get v (a − 1)! b! / (a + b)! each, the latter
 * −v a! (b − 1)! / (a + b)!. Halves of interactions are likewise v / 2 times
 * (a − 2)! b! / (a + b − 1)! of two that pass in the row, a! (b − 2)! / (a + b − 1)! of two that
 * pass in the other, and −(a − 1)! (b − 1)! / (a + b − 1)! of one of each. */
#include "base/memory.h"
#include "explain/tree_paths.h"
#include "learners/tree/tree_lower.h"
#include "parallel/parallel.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK = 64, LANES = 8, MOST_BITS = 64 };

/* A player on the path. */
typedef struct player {
    int32_t id;
    double z;
    const double *o;       /* BLOCK */
    const uint8_t *others; /* against other rows: of each, whether it passes; else NULL */
} player;

/* A node that is being looked at, and the edge through which it was left. */
typedef struct level {
    uint32_t edge, end;
    size_t node;
    size_t at, n;  /* the player of the edge, and how many there were before it */
    player before; /* as it was */
} level;

typedef struct finding {
    const cairn_tree_paths *paths;
    cairn_cell_rows rows;
    cairn_shapley_wanted wanted;
    const cairn_gauss_rule *rules; /* by the number of points */
    const double *gains, *losses;  /* (MOST_BITS + 1) squared: of a and b, see above */
    double total;                  /* weight of the other rows */
} finding;

typedef struct block {
    const finding *f;
    size_t first, n;
    size_t width;  /* n, rounded up to whole vectors: what loops run over */
    double *cells; /* n_columns x BLOCK */
    level *levels; /* depth */
    player *path;
    size_t n_path;
    int32_t *taken;     /* depth x BLOCK: edges */
    double *passes;     /* depth x BLOCK */
    double *products;   /* points x BLOCK */
    double *values;     /* n_outputs x n_players x BLOCK */
    double *pairs;      /* n_outputs x n_players x n_players x BLOCK */
    int32_t *others;    /* depth x other rows: edges */
    uint8_t *other_o;   /* depth x other rows */
    uint64_t *masks;    /* of the other rows */
    bool mixed, failed; /* a row goes all ways */
    size_t failed_row;  /* SIZE_MAX = one of the other rows */
} block;

/* -- leaves -- */

/* Add the contributions of a player, times what the leaf is worth to every output. */
static void add_values(block *b, size_t leaf, int32_t id, const double *restrict sizes)
{
    size_t n = b->width;
    const cairn_tree_paths *f = b->f->paths;
    for (size_t c = 0; c < f->n_outputs; c++) {
        double value = f->values[leaf * f->n_outputs + c];
        double *restrict to = b->values + (c * f->n_players + (size_t)id) * BLOCK;
        if (value == 0) continue;
        for (size_t r = 0; r < n; r++) to[r] += value * sizes[r];
    }
}

/* A leaf for rows that take one edge everywhere. */
static void add_leaf(block *b, size_t leaf, const cairn_gauss_rule *rule)
{
    size_t n = b->width;
    double failed[BLOCK] = {0}, sizes[BLOCK];
    for (size_t k = 0; k < rule->n; k++) {
        double factor = rule->weights[k] / (1 - rule->points[k]);
        const double *restrict p = b->products + k * BLOCK;
        for (size_t r = 0; r < n; r++) failed[r] += factor * p[r];
    }
    for (size_t i = 0; i < b->n_path; i++) {
        const double *restrict o = b->path[i].o;
        double z = b->path[i].z;
        for (size_t r = 0; r < n; r++) sizes[r] = failed[r];
        for (size_t k = 0; k < rule->n; k++) {
            double t = rule->points[k], factor = rule->weights[k] * (1 - z) / (z * (1 - t) + t);
            const double *restrict p = b->products + k * BLOCK;
            for (size_t r = 0; r < n; r++) sizes[r] += factor * p[r];
        }
        for (size_t r = 0; r < n; r++) sizes[r] = o[r] * sizes[r] - failed[r];
        add_values(b, leaf, b->path[i].id, sizes);
    }
}

/* A leaf for rows of which parts arrive: o may be any share. */
static void add_mixed_leaf(block *b, size_t leaf, const cairn_gauss_rule *rule)
{
    size_t n = b->width;
    double sizes[BLOCK];
    for (size_t i = 0; i < b->n_path; i++) {
        const player *of = &b->path[i];
        for (size_t r = 0; r < n; r++) {
            double sum = 0;
            for (size_t k = 0; k < rule->n && of->o[r] != of->z; k++) {
                double t = rule->points[k], own = of->z * (1 - t) + of->o[r] * t;
                sum += rule->weights[k] * b->products[k * BLOCK + r] / own;
            }
            sizes[r] = (of->o[r] - of->z) * sum;
        }
        add_values(b, leaf, of->id, sizes);
    }
}

/* Halves of the interaction of two players: as for one, with both taken out of the product. */
static void add_pair(block *b, size_t leaf, const cairn_gauss_rule *rule, const player *x,
                     const player *y)
{
    const cairn_tree_paths *f = b->f->paths;
    size_t m = f->n_players, i = (size_t)x->id, j = (size_t)y->id;
    for (size_t r = 0; r < b->n; r++) {
        double sum = 0, both = (x->o[r] - x->z) * (y->o[r] - y->z) / 2;
        for (size_t k = 0; k < rule->n && both != 0; k++) {
            double t = rule->points[k];
            double own = (x->z * (1 - t) + x->o[r] * t) * (y->z * (1 - t) + y->o[r] * t);
            sum += rule->weights[k] * b->products[k * BLOCK + r] / own;
        }
        for (size_t c = 0; c < f->n_outputs; c++) {
            double add = f->values[leaf * f->n_outputs + c] * both * sum;
            b->pairs[((c * m + i) * m + j) * BLOCK + r] += add;
            b->pairs[((c * m + j) * m + i) * BLOCK + r] += add;
        }
    }
}

/* -- leaves against other rows -- */

/* What the players of the path get for one row, from all other rows. */
static void add_others(const block *b, uint64_t own, double *sizes)
{
    const cairn_cell_rows *against = b->f->wanted.against;
    uint64_t all = b->n_path < MOST_BITS ? ((uint64_t)1 << b->n_path) - 1 : UINT64_MAX;
    for (size_t j = 0; j < against->n; j++) {
        uint64_t other = b->masks[j], mine = own & ~other, theirs = other & ~own;
        if ((own | other) != all || own == other) continue;
        size_t at = (size_t)__builtin_popcountll(mine) * (MOST_BITS + 1) +
                    (size_t)__builtin_popcountll(theirs);
        double weight = (against->weights ? against->weights[j] : 1) / b->f->total;
        for (; mine; mine &= mine - 1) sizes[__builtin_ctzll(mine)] += weight * b->f->gains[at];
        for (; theirs; theirs &= theirs - 1)
            sizes[__builtin_ctzll(theirs)] -= weight * b->f->losses[at];
    }
}

/* p! q! / (p + q + 1)! of a pair, p and q being how many others pass on either side. */
static double pair_weight(const block *b, size_t p, size_t q)
{
    return b->f->gains[(p + 1) * (MOST_BITS + 1) + q];
}

/* Halves of the interactions of the players of the path for one row, from all other rows. */
static void add_pairs_against(block *b, size_t leaf, size_t r, uint64_t own)
{
    const cairn_tree_paths *f = b->f->paths;
    const cairn_cell_rows *against = b->f->wanted.against;
    size_t m = f->n_players, n = b->n_path;
    uint64_t all = n < MOST_BITS ? ((uint64_t)1 << n) - 1 : UINT64_MAX;
    for (size_t o = 0; o < against->n; o++) {
        uint64_t other = b->masks[o], mine = own & ~other, theirs = other & ~own;
        size_t a = (size_t)__builtin_popcountll(mine), t = (size_t)__builtin_popcountll(theirs);
        double weight = (against->weights ? against->weights[o] : 1) / b->f->total / 2;
        if ((own | other) != all || a + t < 2) continue;
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) {
                bool x = mine >> i & 1, y = mine >> j & 1;
                if (i == j || !((mine | theirs) >> i & 1) || !((mine | theirs) >> j & 1)) continue;
                double size = weight * (x && y   ? pair_weight(b, a - 2, t)
                                        : x || y ? -pair_weight(b, a - 1, t - 1)
                                                 : pair_weight(b, a, t - 2));
                for (size_t c = 0; c < f->n_outputs; c++)
                    b->pairs[((c * m + (size_t)b->path[i].id) * m + (size_t)b->path[j].id) * BLOCK +
                             r] += f->values[leaf * f->n_outputs + c] * size;
            }
    }
}

/* A leaf counts only with those rows to compare with that, together with the row, pass all its
 * tests: bit masks of tests passed tell which. */
static void add_leaf_against(block *b, size_t leaf)
{
    const cairn_tree_paths *f = b->f->paths;
    size_t n = b->f->wanted.against->n;
    memset(b->masks, 0, n * sizeof *b->masks);
    for (size_t i = 0; i < b->n_path; i++)
        for (size_t j = 0; j < n; j++) b->masks[j] |= (uint64_t)b->path[i].others[j] << i;
    for (size_t r = 0; r < b->n; r++) {
        double sizes[MOST_BITS] = {0};
        uint64_t own = 0;
        for (size_t i = 0; i < b->n_path; i++) own |= (uint64_t)(b->path[i].o[r] > 0) << i;
        add_others(b, own, sizes);
        if (b->pairs) add_pairs_against(b, leaf, r, own);
        for (size_t c = 0; c < f->n_outputs; c++) {
            double value = f->values[leaf * f->n_outputs + c];
            for (size_t i = 0; i < b->n_path && value != 0; i++)
                b->values[(c * f->n_players + (size_t)b->path[i].id) * BLOCK + r] +=
                    value * sizes[i];
        }
    }
}

/* Whatever the leaf at the end of the path adds. */
static void reach_leaf(block *b, size_t leaf)
{
    const cairn_gauss_rule *rule = &b->f->rules[(b->n_path + 1) / 2];
    if (b->f->wanted.against) {
        add_leaf_against(b, leaf);
        return;
    }
    /* P_k of all rows for every point of the rule. */
    size_t n = b->width;
    for (size_t k = 0; k < rule->n; k++) {
        double *restrict p = b->products + k * BLOCK;
        double t = rule->points[k];
        for (size_t i = 0; i < b->n_path; i++) {
            const double *restrict o = b->path[i].o;
            double rest = b->path[i].z * (1 - t);
            if (i == 0)
                for (size_t r = 0; r < n; r++) p[r] = rest + o[r] * t;
            else
                for (size_t r = 0; r < n; r++) p[r] *= rest + o[r] * t;
        }
    }
    if (b->mixed)
        add_mixed_leaf(b, leaf, rule);
    else
        add_leaf(b, leaf, rule);
    for (size_t i = 0; b->pairs && i < b->n_path; i++)
        for (size_t j = i + 1; j < b->n_path; j++)
            add_pair(b, leaf, rule, &b->path[i], &b->path[j]);
}

/* -- the way through a tree -- */

/* Which edges the rows take at a node. */
static void open_node(block *b, size_t depth, size_t node)
{
    size_t n = b->width;
    const cairn_tree_paths *f = b->f->paths;
    const cairn_cell_rows *against = b->f->wanted.against;
    level *l = &b->levels[depth];
    int32_t *taken = b->taken + depth * BLOCK, least = 0;
    *l = (level){.edge = f->starts[node], .end = f->starts[node + 1], .node = node};
    for (size_t r = 0; r < n; r++) {
        taken[r] = cairn_tree_paths_edge(f, node, b->cells + r, BLOCK);
        least = taken[r] < least ? taken[r] : least;
    }
    if (least < 0) b->mixed = true;
    for (size_t r = 0; least < 0 && r < b->n && !b->failed; r++)
        if (taken[r] < 0) {
            b->failed = against || f->op->sizes[CAIRN_TREES_VOTES];
            if (b->failed) b->failed_row = b->first + r;
        }
    for (size_t j = 0; against && j < against->n; j++) {
        int32_t edge = cairn_tree_paths_edge(f, node, against->values + j * f->n_columns, 1);
        if (edge < 0) b->failed = true;
        b->others[depth * against->n + j] = edge;
    }
}

/* The shares of the rows that pass the edge, times those that were left before. */
static double pass_rows(block *b, size_t depth, uint32_t e, const player *before)
{
    size_t n = b->width;
    const int32_t *taken = b->taken + depth * BLOCK;
    double *o = b->passes + depth * BLOCK, part = b->f->paths->parts[e], most = 0;
    for (size_t r = 0; r < n; r++) {
        o[r] = taken[r] < 0 ? part : (double)(taken[r] == (int32_t)e);
        if (before->o) o[r] *= before->o[r];
        most = o[r] > most ? o[r] : most;
    }
    return most;
}

/* Take an edge; false when neither a row nor the background does, so that nothing is below. */
static bool enter_edge(block *b, size_t depth, uint32_t e)
{
    const cairn_tree_paths *f = b->f->paths;
    level *l = &b->levels[depth];
    int32_t id = f->players[f->op->codes[CAIRN_TREES_NODES][4 * l->node]];
    /* The place of the node's player on the path; behind it when it is not there yet. */
    size_t at = 0;
    while (at < b->n_path && b->path[at].id != id) at++;
    l->at = at;
    l->n = b->n_path;
    l->before = l->at < b->n_path ? b->path[l->at] : (player){.id = id, .z = 1};
    double most = pass_rows(b, depth, e, &l->before), z = l->before.z * f->shares[e];
    player now = {id, z, b->passes + depth * BLOCK, NULL};
    if (b->f->wanted.against) {
        size_t n = b->f->wanted.against->n;
        uint8_t *o = b->other_o + depth * n;
        for (size_t j = 0; j < n; j++)
            o[j] = b->others[depth * n + j] == (int32_t)e && (!l->before.o || l->before.others[j]);
        now.others = b->other_o + depth * b->f->wanted.against->n;
    } else if (most == 0 && z == 0) {
        return false;
    }
    b->path[l->at] = now;
    if (l->at == b->n_path) b->n_path++;
    return true;
}

static void leave_edge(block *b, size_t depth)
{
    const level *l = &b->levels[depth];
    if (l->at < l->n) b->path[l->at] = l->before;
    b->n_path = l->n;
}

/* All leaves of a tree, depth first. */
static void walk_tree(block *b, size_t root)
{
    const cairn_tree_paths *f = b->f->paths;
    size_t depth = 0;
    b->mixed = false;
    if (f->starts[root] == f->starts[root + 1]) return;
    open_node(b, 0, root);
    while (!b->failed) {
        level *l = &b->levels[depth];
        if (l->edge == l->end) {
            if (depth == 0) return;
            leave_edge(b, --depth);
            continue;
        }
        uint32_t e = l->edge++;
        size_t child = (size_t)f->children[e];
        if (!enter_edge(b, depth, e)) continue;
        if (f->starts[child] < f->starts[child + 1]) {
            open_node(b, ++depth, child);
            continue;
        }
        reach_leaf(b, child);
        leave_edge(b, depth);
    }
}

/* -- blocks -- */

/* Cells column by column; behind the last row it is repeated. */
static cairn_status make_block(cairn_context *ctx, block *b)
{
    const finding *f = b->f;
    const cairn_tree_paths *p = f->paths;
    size_t d = p->n_columns, depth = p->depth + 1, m = p->n_players;
    size_t n_values = cairn_product(cairn_product(p->n_outputs, m), BLOCK);
    size_t n_others = f->wanted.against ? cairn_product(depth, f->wanted.against->n) : 0;
    CHECK(SCRATCH_RAW(ctx, &b->cells, cairn_product(d, BLOCK) + 1));
    CHECK(SCRATCH_EACH(ctx, depth, &b->levels, &b->path));
    CHECK(SCRATCH_EACH(ctx, cairn_product(depth, BLOCK), &b->taken, &b->passes, &b->products));
    CHECK(SCRATCH(ctx, &b->values, n_values + 1));
    if (f->wanted.pairs) CHECK(SCRATCH(ctx, &b->pairs, cairn_product(n_values, m) + 1));
    CHECK(SCRATCH_EACH(ctx, n_others + 1, &b->others, &b->other_o));
    CHECK(SCRATCH(ctx, &b->masks, (f->wanted.against ? f->wanted.against->n : 0) + 1));
    for (size_t r = 0; r < b->width; r++) {
        const double *row = f->rows.values + (b->first + (r < b->n ? r : b->n - 1)) * d;
        for (size_t c = 0; c < d; c++) b->cells[c * BLOCK + r] = row[c];
    }
    return CAIRN_OK;
}

/* A block of rows through all trees. */
static cairn_status find_block(cairn_context *ctx, void *data, size_t task)
{
    const finding *f = data;
    const cairn_operation *op = f->paths->op;
    SCOPED_SCRATCH(ctx);
    block b = {.f = f, .first = task * BLOCK, .failed_row = SIZE_MAX};
    b.n = f->rows.n - b.first < BLOCK ? f->rows.n - b.first : BLOCK;
    b.width = (b.n + LANES - 1) / LANES * LANES;
    CHECK(make_block(ctx, &b));
    for (size_t t = 0; t < (size_t)op->sizes[CAIRN_TREES_N] && !b.failed; t++) {
        CHECK(cairn_tick(ctx, "reasons", (double)task, (double)f->rows.n / BLOCK));
        walk_tree(&b, (size_t)op->codes[CAIRN_TREES_ROOTS][t]);
    }
    if (b.failed) {
        /* A row of which parts go several ways: against other rows, or in trees that vote. */
        const cairn_shapley_wanted *wanted = &b.f->wanted;
        size_t row = b.failed_row == SIZE_MAX ? 0 : b.failed_row;
        size_t number = (wanted->numbers ? wanted->numbers[row] : row) + 1;
        char who[48] = "a background row";
        if (b.failed_row != SIZE_MAX) snprintf(who, sizeof who, "row %zu", number);
        if (wanted->against)
            return cairn_fail(
                ctx, CAIRN_BAD_DATA,
                "%s has a missing cell that sends it down several branches of a tree at "
                "once, which cannot be held against other rows; use {against shares}, or "
                "fill such cells when fitting: {with impute}",
                who);
        return cairn_fail(
            ctx, CAIRN_BAD_DATA,
            "%s has a missing cell that sends it down several branches of trees that "
            "vote, and a vote is no sum over them; {method sampled} estimates its values, "
            "or fill such cells when fitting: {with impute}",
            who);
    }
    /* From the block, where rows lie side by side, to the rows of the result. */
    const cairn_tree_paths *p = b.f->paths;
    size_t width = p->n_outputs * p->n_players, squares = width * p->n_players;
    for (size_t r = 0; r < b.n; r++) {
        double *to = b.f->wanted.values + (b.first + r) * width;
        for (size_t i = 0; i < width; i++) to[i] += b.values[i * BLOCK + r];
        if (!b.pairs) continue;
        to = b.f->wanted.pairs + (b.first + r) * squares;
        for (size_t i = 0; i < squares; i++) to[i] += b.pairs[i * BLOCK + r];
    }
    return CAIRN_OK;
}

/* (a − 1)! b! / (a + b)! and a! (b − 1)! / (a + b)!, step by step from a single player. */
static cairn_status make_weights(cairn_context *ctx, finding *f)
{
    enum { N = MOST_BITS + 1 };
    double *gains, *losses;
    CHECK(SCRATCH_EACH(ctx, N * N, &gains, &losses));
    for (size_t a = 1; a < N; a++) gains[a * N] = 1 / (double)a;
    for (size_t a = 1; a < N; a++)
        for (size_t b = 1; b < N; b++)
            gains[a * N + b] = gains[a * N + b - 1] * (double)b / (double)(a + b);
    for (size_t a = 0; a < N; a++)
        for (size_t b = 1; b < N; b++) losses[a * N + b] = gains[b * N + a];
    f->gains = gains;
    f->losses = losses;
    return CAIRN_OK;
}

/* Masks have a bit for each player of a path. */
static cairn_status check_bits(cairn_context *ctx, const cairn_tree_paths *paths)
{
    size_t most = paths->depth < paths->n_players ? paths->depth : paths->n_players;
    if (most <= MOST_BITS) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE,
                      "paths of the trees may test %zu columns, and against other rows at most %d "
                      "are possible; use {against shares}",
                      most, MOST_BITS);
}

cairn_status cairn_tree_paths_values(cairn_context *ctx, const cairn_tree_paths *paths,
                                     cairn_cell_rows rows, cairn_shapley_wanted wanted)
{
    SCOPED_SCRATCH(ctx);
    finding f = {.paths = paths, .rows = rows, .wanted = wanted};
    size_t most = paths->depth < paths->n_players ? paths->depth : paths->n_players;
    cairn_gauss_rule *rules;
    CHECK(SCRATCH(ctx, &rules, (most + 1) / 2 + 1));
    for (size_t n = 1; n <= (most + 1) / 2; n++) CHECK(cairn_gauss_make(ctx, &rules[n], n));
    f.rules = rules;
    if (wanted.against) {
        CHECK(check_bits(ctx, paths));
        CHECK(make_weights(ctx, &f));
        for (size_t j = 0; j < wanted.against->n; j++)
            f.total += wanted.against->weights ? wanted.against->weights[j] : 1;
    }
    return cairn_tasks(ctx, cairn_block_count(rows.n, BLOCK), find_block, &f);
}
