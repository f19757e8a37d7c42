/* SPDX-License-Identifier: MIT */
/* The best split of one column for the rows of a node.
 *
 * With T the target, S a partition of the node's rows into parts k with shares p_k and v an
 * impurity:
 *     reduction   v(T) - sum_k p_k v(T | k)
 *     ratio       reduction / H(S), H(S) the entropy of the shares (0 when H(S) is 0)
 *     chi         X2 / N = sum_kl p_kl^2 / (p_k p_l) - 1
 * and for a number as target the reduction of variance, sum_k p_k (mean_k - mean)^2.
 *
 * Levels are one partition (a part per level) or one per level (it against the rest). Numbers are
 * sorted by code and every place between two different values is a cut; within a column the best
 * cut is the first of the largest reduction (of chi, when that is the score), also under ratio.
 * Missing cells are shared out among the parts, or join one, or are a part, as the options say.
 *
 * Everything here is computed from sums of weights, so that whole weights give the same bits as
 * repeated rows. fast_split.c has the same search for the common case in whole numbers. */
#include "learners/tree/grow/criterion.h"
#include "base/functions.h"
#include "base/number.h"
#include "base/sort_by.h"
#include "base/random.h"
#include "learners/tree/grow/quest.h"
#include "learners/tree/grow/tree_costs.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { RADIX_BITS = 8, INSERTION = 32, MANY_LEVELS = 4 };

static size_t max_parts(const cairn_binned *data)
{
    size_t most = 2;
    for (size_t c = 0; c < data->n_columns; c++)
        if (!data->columns[c].is_number && data->columns[c].n_codes > most)
            most = data->columns[c].n_codes;
    return most + 1;
}

cairn_status cairn_split_space_make(cairn_context *ctx, cairn_split_space *out,
                                    const cairn_binned *data, const cairn_grow_options *options,
                                    size_t n_rows)
{
    size_t stats = data->n_stats, parts = max_parts(data);
    out->ctx = ctx;
    out->floor = -INFINITY;
    out->n_counts = 4 * n_rows + 4096;
    CHECK(SCRATCH_RAW_EACH(ctx, n_rows, &out->keys, &out->order, &out->other));
    CHECK(SCRATCH_RAW(ctx, &out->counts, out->n_counts));
    CHECK(SCRATCH_RAW(ctx, &out->present, n_rows + 2));
    CHECK(SCRATCH_RAW_EACH(ctx, n_rows, &out->pairs, &out->other_pairs));
    CHECK(SCRATCH_RAW_EACH(ctx, parts * stats, &out->cells, &out->levels));
    CHECK(SCRATCH_RAW_EACH(ctx, stats, &out->missing, &out->known, &out->left, &out->right));
    CHECK(SCRATCH_RAW(ctx, &out->total, 2 * stats));
    CHECK(SCRATCH_RAW_EACH(ctx, stats, &out->filled, &out->frequent, &out->lacking));
    CHECK(SCRATCH_RAW_EACH(ctx, parts, &out->scores, &out->listed, &out->sides, &out->buffer));
    CHECK(SCRATCH_RAW(ctx, &out->moments, 5 * stats));
    CHECK(SCRATCH_RAW(ctx, &out->group, stats));
    if (options->select == CAIRN_SELECT_TEST || options->cut == CAIRN_TREE_DISCRIMINANT) {
        CHECK(SCRATCH_RAW_EACH(ctx, n_rows, &out->numbers, &out->known_weights));
    }
    if (options->random_cuts) CHECK(SCRATCH_RAW(ctx, &out->reals, n_rows));
    CHECK(SCRATCH_RAW(ctx, &out->whole, 2 * stats));
    if (data->n_classes == 0) CHECK(SCRATCH_RAW(ctx, &out->summed, 2 * CAIRN_SUMMED));
    if (data->n_words) {
        CHECK(SCRATCH_RAW(ctx, &out->bit_counts, 64 * stats));
        CHECK(SCRATCH_RAW(ctx, &out->bit_splits, 64));
        CHECK(SCRATCH_RAW(ctx, &out->bit_lefts, 64 * stats));
    }
    return CAIRN_OK;
}

/* -- sums -- */

/* Sums of n parts and of the entries that are in none of them. */
static void sum_parts(double *cells, double *others, const cairn_binned *data,
                      const cairn_node_rows *node, const uint32_t *parts, size_t n)
{
    memset(cells, 0, n * data->n_stats * sizeof *cells);
    memset(others, 0, data->n_stats * sizeof *others);
    data->criterion->sum(cells, others, data, node, parts, n);
}

/* -- scores of a partition -- */

static double gain_of(const cairn_binned *data, const cairn_grow_options *options,
                      const double *cells, size_t n_parts, double *total)
{
    return data->criterion->gain(data, options, cells, n_parts, total);
}

/* What cuts of one column are compared by; larger is better. */
static double merit(const cairn_binned *data, const cairn_grow_options *options,
                    const double *cells, size_t n_parts, double *total)
{
    if (!data->criterion->merit) return gain_of(data, options, cells, n_parts, total);
    return data->criterion->merit(data, options, cells, n_parts, total);
}

static double part_information(double p)
{
    return p > 0 && p < 1 ? -p * cairn_log2(p) : 0;
}

/* `weight` is that of all parts and of the rows that are in none, which are a part here. */
static double split_information(const cairn_binned *data, const double *cells, size_t n_parts,
                                double unknown, double weight)
{
    size_t stats = data->n_stats;
    double sum = 0;
    for (size_t k = 0; k < n_parts; k++)
        sum += part_information(cairn_part_weight(data, cells + k * stats) / weight);
    return sum + part_information(unknown / weight);
}

static double known_weight(const cairn_binned *data, const double *cells, size_t n_parts)
{
    double weight = 0;
    for (size_t k = 0; k < n_parts; k++)
        weight += cairn_part_weight(data, cells + k * data->n_stats);
    return weight;
}

/* What unknown cells and the number of cuts take from the gain. */
static void lower_gain(cairn_split *split, const cairn_grow_options *options, double known,
                       double unknown)
{
    if (unknown > 0) split->gain *= known / (known + unknown);
    if (!options->cut_penalty || split->test != CAIRN_TEST_CUT || split->n_cuts == 0) return;
    split->gain -= cairn_log2(split->n_cuts) / (known + unknown);
    if (split->gain <= CAIRN_TREE_TIE) split->test = CAIRN_TEST_NONE;
}

void cairn_split_rate(cairn_split *split, const cairn_binned *data,
                      const cairn_grow_options *options, const double *cells, size_t n_parts,
                      double unknown, cairn_split_space *space)
{
    double unit = data->spread;
    split->gain = gain_of(data, options, cells, n_parts, space->total);
    if (fabs(split->gain) < CAIRN_TREE_TIE * unit) split->gain = 0;
    if (unknown > 0 || options->cut_penalty)
        lower_gain(split, options, known_weight(data, cells, n_parts), unknown);
    if (options->score == CAIRN_TREE_RATIO || options->watch) { /* nobody else asks for it */
        split->information = split_information(data, cells, n_parts, unknown,
                                               known_weight(data, cells, n_parts) + unknown);
        split->ratio = split->information > 0 ? split->gain / split->information : 0;
    }
    split->score = split->gain;
    if (options->score == CAIRN_TREE_RATIO && !options->own_score)
        split->score = split->ratio;
    else if (data->criterion->merit && (options->own_score || options->score == CAIRN_TREE_CHI))
        split->score = merit(data, options, cells, n_parts, space->total);
    if (fabs(split->score) < CAIRN_TREE_TIE * unit) split->score = 0;
    if (!options->costs) return;
    split->uncosted = split->score;
    split->score = cairn_cost_score(options->cost_rule, split->score, options->costs[split->column],
                                    options->cost_weight);
}

static int32_t branch_of(uint32_t code, const cairn_split *split)
{
    if (split->test == CAIRN_TEST_CUT) return code >= split->next;
    if (split->test == CAIRN_TEST_LEVEL) return code != split->code;
    if (split->test == CAIRN_TEST_SET) return split->sides[code] == 2;
    return (int32_t)code;
}

/* Whether a branch takes the code: missing cells and levels that no side of a set has wait. */
static bool is_taken(uint32_t code, uint32_t n_codes, const cairn_split *split)
{
    return code < n_codes && (split->test != CAIRN_TEST_SET || split->sides[code]);
}

/* -- missing cells -- */

/* The most frequent level, of all rows or of every class; returns that of all rows. */
static size_t find_frequent(int32_t *frequent, const cairn_binned *data,
                            const cairn_grow_options *o, const double *levels, size_t n_levels)
{
    size_t k = data->n_classes, stats = data->n_stats, most = 0;
    for (size_t v = 1; v < n_levels; v++)
        if (cairn_part_weight(data, levels + v * stats) >
            cairn_part_weight(data, levels + most * stats))
            most = v;
    frequent[0] = (int32_t)most;
    if (o->missing != CAIRN_TREE_CLASS_MODE) return most;
    for (size_t l = 0; l < k; l++) {
        size_t best = 0;
        for (size_t v = 1; v < n_levels; v++)
            if (levels[v * stats + l] > levels[best * stats + l]) best = v;
        frequent[l] = (int32_t)(levels[best * stats + l] > 0 ? best : most);
    }
    return most;
}

/* The branches of the most frequent levels. */
static void fill_by_level(int32_t *filled, const cairn_binned *data, const cairn_grow_options *o,
                          const int32_t *frequent, const cairn_split *split)
{
    size_t n = o->missing == CAIRN_TREE_CLASS_MODE ? data->n_classes : 1;
    for (size_t l = 0; l < n; l++) filled[l] = branch_of((uint32_t)frequent[l], split);
}

/* For a cut: the side that more rows take. */
static void fill_by_side(int32_t *filled, const cairn_binned *data, const cairn_grow_options *o,
                         const double *left, const double *right)
{
    int32_t heavier = cairn_part_weight(data, right) > cairn_part_weight(data, left);
    filled[0] = heavier;
    if (o->missing != CAIRN_TREE_CLASS_MODE) return;
    for (size_t l = 0; l < data->n_classes; l++)
        filled[l] = right[l] > left[l] ? 1 : right[l] < left[l] ? 0 : heavier;
}

/* Share the missing cells out among n parts of known ones; returns the number of parts. */
static size_t treat_missing(double *cells, size_t n, const double *missing, const int32_t *filled,
                            const cairn_binned *data, const cairn_grow_options *options)
{
    size_t stats = data->n_stats;
    double known = 0;
    if (!(cairn_part_weight(data, missing) > 0)) return n;
    switch (options->missing) {
    case CAIRN_TREE_WEIGHTS:
        for (size_t k = 0; k < n; k++) known += cairn_part_weight(data, cells + k * stats);
        for (size_t k = 0; k < n; k++)
            cairn_part_add(cells + k * stats, missing,
                           cairn_part_weight(data, cells + k * stats) / known, stats);
        return n;
    case CAIRN_TREE_BRANCH: memcpy(cells + n * stats, missing, stats * sizeof *cells); return n + 1;
    case CAIRN_TREE_SURROGATE:
    case CAIRN_TREE_MODE:
        cairn_part_add(cells + (size_t)filled[0] * stats, missing, 1, stats);
        return n;
    case CAIRN_TREE_CLASS_MODE:
        for (size_t l = 0; l < data->n_classes; l++)
            cells[(size_t)filled[l] * stats + l] += missing[l];
        return n;
    }
    return n;
}

static void add_to_cells(double *cells, size_t n, double add)
{
    if (add > 0)
        for (size_t i = 0; i < n; i++) cells[i] += add;
}

double cairn_cut_least(const cairn_binned *data, const cairn_grow_options *options, double known)
{
    enum { MOST = 25 };
    double share = options->cut_share * known / (double)(data->n_classes ? data->n_classes : 1);
    return fmax(options->min_leaf, fmin(share, MOST));
}

/* Whether every part that has rows has enough of them, and there are two where that matters; by the
 * other rule two parts must have enough. */
static bool admissible(const cairn_binned *data, const cairn_grow_options *options,
                       const double *cells, size_t n_parts, bool all_branches, double least)
{
    size_t stats = data->n_stats, used = 0, large = 0;
    for (size_t k = 0; k < n_parts; k++) {
        double weight = cairn_part_weight(data, cells + k * stats);
        if (!(weight > 0)) continue;
        bool enough = weight >= least * (1 - CAIRN_TREE_TIE);
        if (!enough && !options->two_branches) return false;
        large += enough;
        used++;
    }
    if (options->two_branches) return large >= 2;
    return used >= 2 || (all_branches && used == 1 && n_parts >= 2);
}

double cairn_split_unknown(const cairn_binned *data, const cairn_grow_options *options,
                           const cairn_split_space *space)
{
    return options->missing_gain == CAIRN_GAIN_DISCOUNTED ? cairn_part_weight(data, space->missing)
                                                          : 0;
}

/* -- the rows of a split -- */

size_t cairn_split_branches(const cairn_binned *data, const cairn_split *split)
{
    return split->test == CAIRN_TEST_LEVELS ? data->columns[split->column].n_codes : 2;
}

/* Levels of a node's rows in one column, in space->keys: their codes, or, where a column has far
 * more levels than the node has rows, their places among those that occur, ascending, in
 * space->present. Returns how many there are, of missing cells at least as much. */
static size_t number_levels(const cairn_binned *data, const cairn_grow_options *options,
                            const cairn_node_rows *node, size_t c, cairn_split_space *space)
{
    size_t n_codes = data->columns[c].n_codes, n = 0;
    cairn_node_gather(data, c, node, space->keys);
    space->numbered = n_codes / MANY_LEVELS > node->n && options->select == CAIRN_SELECT_SCORE &&
                      options->cut != CAIRN_TREE_DISCRIMINANT;
    if (!space->numbered) return n_codes;
    cairn_split_sort(space, node->n);
    for (size_t i = 0; i < node->n; i++) {
        uint32_t code = (uint32_t)(space->pairs[i] >> 32), at = (uint32_t)space->pairs[i];
        bool known = code < n_codes;
        if (known && (n == 0 || space->present[n - 1] != code)) space->present[n++] = code;
        space->keys[at] = known ? (uint32_t)n - 1 : UINT32_MAX;
    }
    while (n < 2) space->present[n++] = 0; /* levels that no row has are parts, too */
    return n;
}

static uint32_t level_named(const cairn_split_space *space, size_t v)
{
    return space->numbered ? space->present[v] : (uint32_t)v;
}

/* The most frequent levels by their codes. */
static void name_frequent(cairn_split_space *space, const cairn_binned *data,
                          const cairn_grow_options *options)
{
    size_t n = options->missing == CAIRN_TREE_CLASS_MODE ? data->n_classes : 1;
    for (size_t l = 0; l < n; l++)
        space->frequent[l] = (int32_t)level_named(space, (size_t)space->frequent[l]);
}

/* Known cells of every branch; space->missing gets the others, `filled` where they would go. */
static size_t known_cells(double *cells, int32_t *filled, const cairn_binned *data,
                          const cairn_grow_options *options, const cairn_node_rows *node,
                          const cairn_split *split, cairn_split_space *space)
{
    size_t c = (size_t)split->column, stats = data->n_stats, n = cairn_split_branches(data, split);
    uint32_t n_codes = data->columns[c].n_codes;
    cairn_node_gather(data, c, node, space->keys);
    for (size_t i = 0; i < node->n; i++) {
        uint32_t code = space->keys[i];
        bool taken = is_taken(code, n_codes, split);
        space->other[i] = taken ? (uint32_t)branch_of(code, split) : (uint32_t)n;
    }
    sum_parts(cells, space->missing, data, node, space->other, n);
    space->usual = 0;
    if (data->columns[c].is_number || (options->missing == CAIRN_TREE_SURROGATE && n == 2)) {
        fill_by_side(filled, data, options, cells, cells + stats);
        space->usual = cairn_part_weight(data, cells + stats) > cairn_part_weight(data, cells);
    } else if (options->missing != CAIRN_TREE_WEIGHTS) {
        size_t m = number_levels(data, options, node, c, space);
        sum_parts(space->levels, space->missing, data, node, space->keys, m);
        size_t most = find_frequent(space->frequent, data, options, space->levels, m);
        space->usual = branch_of(level_named(space, most), split);
        name_frequent(space, data, options);
        fill_by_level(filled, data, options, space->frequent, split);
    }
    return n;
}

size_t cairn_split_cells(double *cells, int32_t *filled, const cairn_binned *data,
                         const cairn_grow_options *options, const cairn_node_rows *node,
                         const cairn_split *split, cairn_split_space *space)
{
    size_t n = known_cells(cells, filled, data, options, node, split, space);
    return treat_missing(cells, n, space->missing, filled, data, options);
}

/* Cells as a split is judged by: missing ones treated, or left out. */
static size_t judged_cells(double *cells, size_t n, const int32_t *filled, const cairn_binned *data,
                           const cairn_grow_options *options, const cairn_split_space *space)
{
    if (options->missing_gain != CAIRN_GAIN_FILLED || options->missing == CAIRN_TREE_SURROGATE)
        return n;
    return treat_missing(cells, n, space->missing, filled, data, options);
}

size_t cairn_split_judged(double *cells, int32_t *filled, const cairn_binned *data,
                          const cairn_grow_options *options, const cairn_node_rows *node,
                          const cairn_split *split, cairn_split_space *space)
{
    size_t n = known_cells(cells, filled, data, options, node, split, space);
    return judged_cells(cells, n, filled, data, options, space);
}

void cairn_node_branches(int32_t *child, const cairn_binned *data,
                         const cairn_grow_options *options, const cairn_node_rows *node,
                         const cairn_split *split, const int32_t *filled, cairn_split_space *space)
{
    size_t c = (size_t)split->column;
    uint32_t n_codes = data->columns[c].n_codes;
    cairn_node_gather(data, c, node, space->keys);
    for (size_t i = 0; i < node->n; i++) {
        if (is_taken(space->keys[i], n_codes, split))
            child[i] = branch_of(space->keys[i], split);
        else if (options->missing == CAIRN_TREE_WEIGHTS || options->missing == CAIRN_TREE_SURROGATE)
            child[i] = -1;
        else if (options->missing == CAIRN_TREE_BRANCH)
            child[i] = (int32_t)cairn_split_branches(data, split);
        else
            child[i] =
                filled[options->missing == CAIRN_TREE_CLASS_MODE ? data->classes[node->rows[i]]
                                                                 : 0];
    }
}

/* -- search -- */

static void finish(cairn_split *split, const cairn_binned *data, const cairn_grow_options *options,
                   double *cells, size_t n_parts, cairn_split_space *space)
{
    add_to_cells(cells, n_parts * data->n_stats, options->cell_add);
    cairn_split_rate(split, data, options, cells, n_parts,
                     cairn_split_unknown(data, options, space), space);
}

static void search_levels(cairn_split *out, const cairn_binned *data,
                          const cairn_grow_options *options, const cairn_node_rows *node, size_t c,
                          cairn_split_space *space)
{
    cairn_split split = {.column = (int32_t)c, .test = CAIRN_TEST_LEVELS};
    size_t stats = data->n_stats, known = 0, n = number_levels(data, options, node, c, space);
    sum_parts(space->cells, space->missing, data, node, space->keys, n);
    for (size_t v = 0; v < n; v++) known += cairn_part_weight(data, space->cells + v * stats) > 0;
    if (!known) return;
    (void)find_frequent(space->frequent, data, options, space->cells, n);
    fill_by_level(space->filled, data, options, space->frequent, &split);
    size_t n_parts = judged_cells(space->cells, n, space->filled, data, options, space);
    if (!admissible(data, options, space->cells, n_parts, !options->only_present,
                    options->min_leaf))
        return;
    finish(&split, data, options, space->cells, n_parts, space);
    *out = split;
}

/* The parts of a two-way test in space->cells, from left and right sums of known cells; 0 = one of
 * them is too small. */
static size_t two_parts(const cairn_binned *data, const cairn_grow_options *options, double least,
                        cairn_split_space *space)
{
    size_t stats = data->n_stats;
    memcpy(space->cells, space->left, stats * sizeof *space->cells);
    memcpy(space->cells + stats, space->right, stats * sizeof *space->cells);
    size_t n = judged_cells(space->cells, 2, space->filled, data, options, space);
    if (!admissible(data, options, space->cells, n, false, least)) return 0;
    add_to_cells(space->cells, n * stats, options->cell_add);
    return n;
}

/* Keep the best two-way test seen so far; `best` is its merit. */
static bool improves(double *best, bool found, double value, double unit)
{
    if (found && !(value > *best + CAIRN_TREE_TIE * unit)) return false;
    *best = value;
    return true;
}

uint64_t cairn_branch_stream(uint64_t stream, size_t branch)
{
    uint64_t x = stream * UINT64_C(0x9E3779B97F4A7C15) + branch + 1;
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

/* Random numbers of one column at a node. */
static void start_random(cairn_random *random, const cairn_grow_options *options,
                         const cairn_node_rows *node, size_t c)
{
    cairn_random_start(random, options->seed, cairn_branch_stream(~node->stream, c));
}

/* One of the levels that occur. */
static size_t draw_level(const cairn_binned *data, const cairn_grow_options *options,
                         const cairn_node_rows *node, size_t c, const double *levels, size_t n)
{
    size_t stats = data->n_stats, present = 0, chosen = 0;
    cairn_random random;
    for (size_t v = 0; v < n; v++) present += cairn_part_weight(data, levels + v * stats) > 0;
    start_random(&random, options, node, c);
    size_t wanted = present ? (size_t)cairn_random_below(&random, present) : 0;
    for (size_t v = 0; v < n; v++)
        if (cairn_part_weight(data, levels + v * stats) > 0 && wanted-- == 0) chosen = v;
    return chosen;
}

/* Every level against all the others, or only a drawn one with random cuts; of equally good
 * levels the first stays. */
static void search_one_level(cairn_split *out, const cairn_binned *data,
                             const cairn_grow_options *options, const cairn_node_rows *node,
                             size_t c, cairn_split_space *space)
{
    size_t stats = data->n_stats, n = number_levels(data, options, node, c, space);
    double best = 0;
    sum_parts(space->levels, space->missing, data, node, space->keys, n);
    double *known = space->known;
    memset(known, 0, stats * sizeof *known);
    for (size_t v = 0; v < n; v++) cairn_part_add(known, space->levels + v * stats, 1, stats);
    (void)find_frequent(space->frequent, data, options, space->levels, n);
    size_t drawn = options->random_cuts ? draw_level(data, options, node, c, space->levels, n) : n;
    for (size_t v = 0; v < n; v++) {
        if (drawn < n && v != drawn) continue;
        cairn_split split = {.column = (int32_t)c, .test = CAIRN_TEST_LEVEL, .code = (uint32_t)v};
        memcpy(space->left, space->levels + v * stats, stats * sizeof *space->left);
        if (!(cairn_part_weight(data, space->left) > 0)) continue;
        cairn_part_subtract(data, space->right, known, space->left);
        fill_by_level(space->filled, data, options, space->frequent, &split);
        size_t n_parts = two_parts(data, options, options->min_leaf, space);
        if (!n_parts) continue;
        double value = merit(data, options, space->cells, n_parts, space->total);
        if (!improves(&best, out->test != CAIRN_TEST_NONE, value, data->spread)) continue;
        cairn_split_rate(&split, data, options, space->cells, n_parts,
                         cairn_split_unknown(data, options, space), space);
        *out = split;
    }
    if (out->test == CAIRN_TEST_LEVEL) out->code = level_named(space, out->code);
}

/* -- sets of levels -- */

typedef struct set_search {
    cairn_split *out;
    const cairn_binned *data;
    const cairn_grow_options *options;
    cairn_split_space *space;
    size_t n_levels;
    double best;
} set_search;

/* Judge the set whose sums are in space->left and whose levels have side 1 in space->sides. */
static void try_set(set_search *s)
{
    cairn_split_space *space = s->space;
    cairn_split split = {.column = s->out->column, .test = CAIRN_TEST_SET, .sides = space->sides};
    cairn_part_subtract(s->data, space->right, space->known, space->left);
    fill_by_level(space->filled, s->data, s->options, space->frequent, &split);
    size_t n_parts = two_parts(s->data, s->options, s->options->min_leaf, space);
    if (!n_parts) return;
    double value = merit(s->data, s->options, space->cells, n_parts, space->total);
    if (!improves(&s->best, s->out->test != CAIRN_TEST_NONE, value, s->data->spread)) return;
    cairn_split_rate(&split, s->data, s->options, space->cells, n_parts,
                     cairn_split_unknown(s->data, s->options, space), space);
    memcpy(s->out->sides, space->sides, s->n_levels);
    split.sides = s->out->sides;
    *s->out = split;
}

/* By score, equal ones by their codes. */
static bool stands_before(const void *a, const void *b, const void *data)
{
    const cairn_split_space *space = data;
    uint32_t u = *(const uint32_t *)a, v = *(const uint32_t *)b;
    return space->scores[u] < space->scores[v] || (space->scores[u] == space->scores[v] && u < v);
}

/* Every cut of the order of the levels. */
static void try_order(set_search *s, size_t n)
{
    cairn_split_space *space = s->space;
    size_t stats = s->data->n_stats;
    cairn_sort_in(space->listed, space->buffer, n, sizeof *space->listed, stands_before, space);
    for (size_t i = 0; i < n; i++) space->sides[space->listed[i]] = 2;
    memset(space->left, 0, stats * sizeof *space->left);
    for (size_t i = 0; i + 1 < n; i++) {
        uint32_t level = space->listed[i];
        cairn_part_add(space->left, space->levels + level * stats, 1, stats);
        space->sides[level] = 1;
        try_set(s);
    }
}

/* Order by a statistic per weight: the share of a class, a mean. */
static void try_share(set_search *s, size_t n, size_t stat)
{
    cairn_split_space *space = s->space;
    size_t stats = s->data->n_stats;
    for (size_t i = 0; i < n; i++) {
        const double *cell = space->levels + space->listed[i] * stats;
        space->scores[space->listed[i]] = cell[stat] / cairn_part_weight(s->data, cell);
    }
    try_order(s, n);
}

/* Every set of the n levels that has the first one, by Gray code: one level moves at a time. */
static void try_all(set_search *s, size_t n)
{
    cairn_split_space *space = s->space;
    size_t stats = s->data->n_stats;
    if (!n) return;
    for (size_t i = 0; i < n; i++) space->sides[space->listed[i]] = 2;
    space->sides[space->listed[0]] = 1;
    memcpy(space->left, space->levels + space->listed[0] * stats, stats * sizeof *space->left);
    try_set(s);
    for (uint32_t step = 1; step < (uint32_t)1 << (n - 1); step++) {
        uint32_t level = space->listed[1 + (size_t)__builtin_ctz(step)];
        bool in = space->sides[level] == 1;
        cairn_part_add(space->left, space->levels + level * stats, in ? -1 : 1, stats);
        space->sides[level] = in ? 2 : 1;
        bool all = true;
        for (size_t i = 0; i < n; i++) all &= space->sides[space->listed[i]] == 1;
        if (!all) try_set(s);
    }
}

/* Branch 0 has the first level that occurs. */
static void put_first_level_first(cairn_split *split, size_t n_levels)
{
    size_t v = 0;
    while (v < n_levels && !split->sides[v]) v++;
    if (v == n_levels || split->sides[v] == 1) return;
    for (; v < n_levels; v++)
        if (split->sides[v]) split->sides[v] = (uint8_t)(3 - split->sides[v]);
}

/* Sums of all levels, and which of them occur, into the working memory; returns how many. */
static size_t list_levels(const cairn_binned *data, const cairn_node_rows *node,
                          cairn_split_space *space, size_t n_levels)
{
    size_t stats = data->n_stats, n = 0;
    sum_parts(space->levels, space->missing, data, node, space->keys, n_levels);
    memset(space->known, 0, stats * sizeof *space->known);
    memset(space->sides, 0, n_levels);
    for (size_t v = 0; v < n_levels; v++) {
        if (!(cairn_part_weight(data, space->levels + v * stats) > 0)) continue;
        cairn_part_add(space->known, space->levels + v * stats, 1, stats);
        space->listed[n++] = (uint32_t)v;
    }
    return n;
}

/* The sides of n numbered levels become those of all; a code is never below its place. */
static void name_sides(uint8_t *sides, const cairn_split_space *space, size_t n, size_t n_codes)
{
    memset(sides + n, 0, n_codes - n);
    for (size_t v = n; v-- > 0;) {
        uint8_t side = sides[v];
        sides[v] = 0;
        if (side) sides[space->present[v]] = side;
    }
}

/* All subsets are tried only for few levels: with a number or two classes ordering the levels by
 * their mean or share is as good as that, with many levels it is the best one can afford. */
static void search_set(cairn_split *out, const cairn_binned *data,
                       const cairn_grow_options *options, const cairn_node_rows *node, size_t c,
                       cairn_split_space *space)
{
    set_search s = {.out = out,
                    .data = data,
                    .options = options,
                    .space = space,
                    .n_levels = number_levels(data, options, node, c, space)};
    size_t n = list_levels(data, node, space, s.n_levels);
    if (n < 2) return;
    (void)find_frequent(space->frequent, data, options, space->levels, s.n_levels);
    if (options->cut == CAIRN_TREE_DISCRIMINANT && data->n_classes) {
        cairn_discriminant about;
        if (cairn_discriminant_set(&about, data, node, c, n, space)) try_set(&s);
    } else if (data->criterion->ordered && data->n_stats <= 2) {
        try_share(&s, n, data->n_stats - 1);
    } else if (n <= CAIRN_SET_EXACT) {
        try_all(&s, n);
    } else {
        for (size_t l = !data->criterion->counts; l < data->n_stats; l++) try_share(&s, n, l);
    }
    if (out->test != CAIRN_TEST_SET) return;
    put_first_level_first(out, s.n_levels);
    if (space->numbered) name_sides(out->sides, space, s.n_levels, data->columns[c].n_codes);
}

/* space->pairs by ascending key, equal keys in order of position. */
static void insertion_sort(uint64_t *pairs, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        uint64_t pair = pairs[i];
        size_t at = i;
        for (; at > 0 && pairs[at - 1] > pair; at--) pairs[at] = pairs[at - 1];
        pairs[at] = pair;
    }
}

/* One counting pass when the keys are dense, else a radix sort, else by insertion. */
void cairn_split_sort(cairn_split_space *space, size_t n)
{
    uint32_t low = UINT32_MAX, high = 0;
    int bits = 1;
    for (size_t i = 0; i < n; i++) {
        uint32_t key = space->keys[i];
        space->pairs[i] = (uint64_t)key << 32 | i;
        low = key < low ? key : low;
        high = key > high ? key : high;
    }
    if (n <= INSERTION) {
        insertion_sort(space->pairs, n);
        return;
    }
    while (bits < 32 && (high - low) >> bits) bits++;
    int digit = (size_t)1 << bits <= 2 * n ? bits : RADIX_BITS;
    for (int shift = 0; shift < bits; shift += digit) {
        /* One stable pass over `bits` bits of the keys less `low`. */
        size_t buckets = (size_t)1 << digit;
        uint64_t *from = space->pairs, *to = space->other_pairs;
        uint32_t *starts = space->counts, mask = (uint32_t)buckets - 1;
        memset(starts, 0, buckets * sizeof *starts);
        for (size_t i = 0; i < n; i++) starts[((uint32_t)(from[i] >> 32) - low) >> shift & mask]++;
        for (size_t b = 0, sum = 0; b < buckets; b++) {
            uint32_t count = starts[b];
            starts[b] = (uint32_t)sum;
            sum += count;
        }
        for (size_t i = 0; i < n; i++)
            to[starts[((uint32_t)(from[i] >> 32) - low) >> shift & mask]++] = from[i];
        space->pairs = to;
        space->other_pairs = from;
    }
}

double cairn_cut_between(const cairn_binned_column *column, uint32_t code, uint32_t next,
                         cairn_tree_cut form)
{
    double a = column->highs ? column->highs[code] : column->values[code];
    double b = column->values[next];
    if (form == CAIRN_TREE_LT) return b;
    if (form == CAIRN_TREE_LE) return a;
    if (form != CAIRN_TREE_OBSERVED) return cairn_number_between(a, b);
    double middle = a / 2 + b / 2; /* may be an observed value but for rounding */
    middle += CAIRN_TREE_TIE * fmax(fabs(a), fabs(b));
    for (uint32_t low = code, high = next; high - low > 1;) { /* rows elsewhere may lie between */
        uint32_t at = low + (high - low) / 2;
        double value = column->highs ? column->highs[at] : column->values[at];
        if (value <= middle)
            a = value, low = at;
        else
            high = at;
    }
    return a;
}

uint8_t cairn_cut_digits(const cairn_binned_column *column, const cairn_split *split,
                         cairn_tree_cut form)
{
    enum { FEWEST = 3, MOST = 15 };
    char text[CAIRN_NUMBER_SIZE];
    if (split->code >= column->n_codes || split->next >= column->n_codes) return 0;
    double a = column->highs ? column->highs[split->code] : column->values[split->code];
    double b = column->values[split->next];
    for (int digits = FEWEST; digits <= MOST; digits++) {
        double cut;
        size_t length = cairn_number_format(text, split->cut, digits);
        if (!cairn_number_parse(text, length, &cut)) return 0;
        if (form == CAIRN_TREE_LT ? a < cut && cut <= b : a <= cut && cut < b)
            return (uint8_t)digits;
    }
    return 0;
}

/* Cuts that are tried. */
typedef struct cut_range {
    size_t from, to, stride;
    uint32_t *n_cuts; /* counted here */
} cut_range;

/* Cuts behind the rows from .. to of the sorted ones, `stride` rows from one to the next at least;
 * returns the row of the best one so far. */
static size_t try_cuts(cairn_split *out, cairn_cut_walk *walk, cut_range range, double *best)
{
    const cairn_binned *data = walk->data;
    const cairn_grow_options *options = walk->options;
    cairn_split_space *space = walk->space;
    size_t tried = 0, at = 0, n = walk->node->n;
    double unknown = cairn_split_unknown(data, options, space);
    memset(space->left, 0, data->n_stats * sizeof *space->left);
    if (data->criterion->start_walk) data->criterion->start_walk(walk);
    for (size_t i = 0, end; i < n; i = end) {
        end = cairn_walk_end(walk, i);
        if (end == n || end > range.to + 1 || cairn_walk_code(walk, end) == walk->n_codes) break;
        if (cairn_is_cancelled(space->ctx)) break;
        data->criterion->move(walk, i, end);
        if (end <= range.from || end - tried < range.stride) continue;
        tried = end;
        walk->found = out->test != CAIRN_TEST_NONE;
        double bar = walk->found ? fmax(*best, walk->floor) : walk->floor;
        if (walk->screens && data->criterion->hopeless(walk, bar)) continue;
        cairn_part_subtract(data, space->right, space->known, space->left);
        fill_by_side(space->filled, data, options, space->left, space->right);
        size_t n_parts = two_parts(data, options, walk->least, space);
        if (!n_parts) continue;
        *range.n_cuts += 1;
        double value = merit(data, options, space->cells, n_parts, space->total);
        if (!improves(best, out->test != CAIRN_TEST_NONE, value, data->spread)) continue;
        *out = (cairn_split){.column = out->column,
                             .test = CAIRN_TEST_CUT,
                             .code = cairn_walk_code(walk, i),
                             .next = cairn_walk_code(walk, end)};
        cairn_split_rate(out, data, options, space->cells, n_parts, unknown, space);
        at = end - 1;
    }
    return at;
}

/* Every cut of the sorted entries, or, where judging one takes long, some of them and then those
 * beside the best. */
static void search_sorted(cairn_split *out, const cairn_binned *data,
                          const cairn_grow_options *options, const cairn_node_rows *node, size_t c,
                          cairn_split_space *space)
{
    uint32_t n_codes = data->columns[c].n_codes, n_cuts = 0;
    size_t n = node->n, stride = data->criterion->stride ? data->criterion->stride(data, n) : 1;
    double best = 0;
    for (size_t i = 0; i < n; i++) space->other[i] = space->keys[i] >= n_codes;
    sum_parts(space->known, space->missing, data, node, space->other, 1);
    cairn_cut_walk walk = {
        .data = data,
        .options = options,
        .node = node,
        .space = space,
        .n_codes = n_codes,
        .least = cairn_cut_least(data, options, cairn_part_weight(data, space->known)),
        .floor = -INFINITY};
    cut_range range = {0, n, stride, &n_cuts};
    size_t at = try_cuts(out, &walk, range, &best);
    if (stride > 1) { /* the places that were passed over beside the best */
        range = (cut_range){at > stride ? at - stride : 0, at + stride, 1, &n_cuts};
        (void)try_cuts(out, &walk, range, &best);
    }
    if (!options->cut_penalty || out->test != CAIRN_TEST_CUT) return;
    out->n_cuts = n_cuts; /* known only now: the best cut is judged once more */
    size_t n_parts =
        cairn_split_judged(space->cells, space->filled, data, options, node, out, space);
    finish(out, data, options, space->cells, n_parts, space);
}

/* A cut drawn evenly between the least and the greatest known value a and b: from [a, b) for tests
 * x <= cut, from (a, b] for x < cut, so that both sides have rows. */
static double draw_cut(const cairn_grow_options *options, const cairn_node_rows *node, size_t c,
                       double a, double b)
{
    cairn_random random;
    start_random(&random, options, node, c);
    double u = cairn_random_uniform(&random);
    if (options->cut == CAIRN_TREE_LT) {
        double cut = b * (1 - u) + a * u;
        return cut > a && cut <= b ? cut : b;
    }
    double cut = a * (1 - u) + b * u;
    return cut >= a && cut < b ? cut : a;
}

/* The cells of a node's rows in space->reals, and the least and the greatest of them. */
static void gather_reals(const cairn_binned *data, const cairn_node_rows *node, size_t c,
                         cairn_split_space *space, double *least, double *most)
{
    const cairn_binned_column *column = &data->columns[c];
    const uint32_t *of = data->real_rows;
    double low = INFINITY, high = -INFINITY;
    if (!column->reals) cairn_node_gather(data, c, node, space->keys);
    for (size_t i = 0; i < node->n; i++) {
        double x = NAN;
        if (column->reals)
            x = column->reals[of ? of[node->rows[i]] : node->rows[i]];
        else if (space->keys[i] < column->n_codes)
            x = column->values[space->keys[i]];
        space->reals[i] = x;
        low = x < low ? x : low;
        high = x > high ? x : high;
    }
    *least = low;
    *most = high;
}

void cairn_drawn_cut_codes(cairn_split *split, const cairn_binned *data,
                           const cairn_grow_options *options, const cairn_node_rows *node,
                           cairn_split_space *space)
{
    size_t c = (size_t)split->column;
    const cairn_binned_column *column = &data->columns[c];
    const int strict = options->cut == CAIRN_TREE_LT;
    double least, most;
    gather_reals(data, node, c, space, &least, &most);
    cairn_node_gather(data, c, node, space->keys);
    split->next = column->n_codes;
    for (size_t i = 0; i < node->n; i++) {
        double x = space->reals[i];
        bool above = x > split->cut || (strict && x == split->cut);
        if (above && space->keys[i] < split->next) split->next = space->keys[i];
    }
    split->code = split->next - 1;
    split->drawn = false;
}

/* The cut of an extremely randomised tree: drawn between the extremes that the node's rows
 * reach, so one pass over the rows replaces the search. */
static void search_random_cut(cairn_split *out, const cairn_binned *data,
                              const cairn_grow_options *options, const cairn_node_rows *node,
                              size_t c, cairn_split_space *space)
{
    size_t stats = data->n_stats;
    double low, high;
    gather_reals(data, node, c, space, &low, &high);
    if (!(low < high)) return;
    const double cut = draw_cut(options, node, c, low, high), *reals = space->reals;
    const int strict = options->cut == CAIRN_TREE_LT;
    for (size_t i = 0; i < node->n; i++) { /* without a branch, which nobody could foretell */
        int above = (reals[i] > cut) | (strict & (reals[i] == cut)), missing = reals[i] != reals[i];
        space->other[i] = (uint32_t)(above + 2 * missing);
    }
    sum_parts(space->cells, space->missing, data, node, space->other, 2);
    memcpy(space->left, space->cells, stats * sizeof *space->left);
    memcpy(space->right, space->cells + stats, stats * sizeof *space->right);
    fill_by_side(space->filled, data, options, space->left, space->right);
    size_t n_parts = two_parts(data, options, options->min_leaf, space);
    if (!n_parts) return;
    *out = (cairn_split){.column = (int32_t)c, .test = CAIRN_TEST_CUT, .drawn = true, .cut = cut};
    cairn_split_rate(out, data, options, space->cells, n_parts,
                     cairn_split_unknown(data, options, space), space);
}

static void search_discriminant(cairn_split *out, const cairn_binned *data,
                                const cairn_grow_options *options, const cairn_node_rows *node,
                                size_t c, cairn_split_space *space)
{
    cairn_discriminant about;
    cairn_discriminant_cut(out, &about, data, options, node, c, space);
    if (out->test == CAIRN_TEST_NONE) return;
    size_t n = known_cells(space->cells, space->filled, data, options, node, out, space);
    double least = cairn_cut_least(data, options, known_weight(data, space->cells, n));
    n = judged_cells(space->cells, n, space->filled, data, options, space);
    if (admissible(data, options, space->cells, n, false, least))
        finish(out, data, options, space->cells, n, space);
    else
        out->test = CAIRN_TEST_NONE;
}

static void search_cut(cairn_split *out, const cairn_binned *data,
                       const cairn_grow_options *options, const cairn_node_rows *node, size_t c,
                       cairn_split_space *space)
{
    if (options->cut == CAIRN_TREE_DISCRIMINANT && data->n_classes) {
        search_discriminant(out, data, options, node, c, space);
        return;
    }
    if (options->random_cuts) {
        search_random_cut(out, data, options, node, c, space);
        return;
    }
    cairn_node_gather(data, c, node, space->keys);
    if (!data->criterion->search_cut ||
        !data->criterion->search_cut(out, data, options, node, c, space)) {
        cairn_split_sort(space, node->n);
        search_sorted(out, data, options, node, c, space);
    }
    if (out->test == CAIRN_TEST_CUT) out->cut = NAN; /* written when the split is chosen */
}

void cairn_split_column(cairn_split *out, const cairn_binned *data,
                        const cairn_grow_options *options, const cairn_node_rows *node, size_t c,
                        cairn_split_space *space)
{
    *out = (cairn_split){.column = (int32_t)c, .sides = out->sides};
    if (data->criterion->search && data->criterion->search(out, data, options, node, c, space))
        return;
    if (data->columns[c].is_number)
        search_cut(out, data, options, node, c, space);
    else if (options->subsets)
        search_set(out, data, options, node, c, space);
    else if (options->binary_levels)
        search_one_level(out, data, options, node, c, space);
    else
        search_levels(out, data, options, node, c, space);
    if (options->select == CAIRN_SELECT_TEST && data->n_classes && out->test != CAIRN_TEST_NONE)
        cairn_split_test(out, data, node, space);
}
