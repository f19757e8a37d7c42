/* SPDX-License-Identifier: MIT */
/* Splits by a matrix of dissimilarities.
 *
 * How mixed rows D with weights w are is sum sum w_x w_y dis(x, y) / (sum w)^2 over all ordered
 * pairs, a row with itself included; a partition leaves the mean of its parts, weighted by their
 * sizes, and gains the rest. A level against the rest and a cut need the sums of pairs inside and
 * across: for cuts the rows are moved over in sorted order, one at a time, so that a column costs
 * O(rows^2) whatever the number of its values. */
#include "base/sort_by.h"
#include "learners/tree/goals.h"
#include <math.h>

/* Rows of a node as the matrix knows them. */
typedef struct pair_rows {
    const cairn_coded *data;
    const cairn_node_rows *node;
} pair_rows;

static double weight_at(const pair_rows *p, size_t i)
{
    return cairn_entry_weight(p->data, p->node, i);
}

static double dissimilarity(const pair_rows *p, size_t i, size_t j)
{
    const cairn_goals *goals = p->data->goals;
    size_t a = (size_t)p->data->goal_values[p->node->rows[i]];
    size_t b = (size_t)p->data->goal_values[p->node->rows[j]];
    return goals->matrix[a * goals->matrix_n + b];
}

/* Weighted sum of both directions between entry i and some entries, by their places. */
static double to_entries(const pair_rows *p, size_t i, const uint64_t *places, size_t n)
{
    double sum = 0;
    for (size_t j = 0; j < n; j++) {
        size_t other = (uint32_t)places[j];
        sum += weight_at(p, other) * (dissimilarity(p, i, other) + dissimilarity(p, other, i));
    }
    return sum * weight_at(p, i);
}

/* Sum over ordered pairs of some entries, each with itself included. */
static double inside(const pair_rows *p, const uint64_t *places, size_t n)
{
    double sum = 0;
    for (size_t j = 0; j < n; j++) {
        size_t i = (uint32_t)places[j];
        double w = weight_at(p, i);
        sum += to_entries(p, i, places, j) + w * w * dissimilarity(p, i, i);
    }
    return sum;
}

static double weight_of(const pair_rows *p, const uint64_t *places, size_t n)
{
    double sum = 0;
    for (size_t j = 0; j < n; j++) sum += weight_at(p, (uint32_t)places[j]);
    return sum;
}

double cairn_goals_pairs(const cairn_coded *data, const cairn_node_rows *rows)
{
    pair_rows p = {data, rows};
    double sum = 0, weight = 0;
    for (size_t i = 0; i < rows->n; i++) {
        double w = weight_at(&p, i);
        weight += w;
        for (size_t j = 0; j < rows->n; j++) sum += w * weight_at(&p, j) * dissimilarity(&p, i, j);
    }
    return weight > 0 ? sum / (weight * weight) : 0;
}

static bool comes_first(const void *a, const void *b, const void *data)
{
    (void)data;
    return *(const uint64_t *)a < *(const uint64_t *)b;
}

/* Entries by their codes, equal ones in order: key << 32 | place. */
static void sort_entries(uint64_t *pairs, uint64_t *other, const uint32_t *codes, size_t n)
{
    for (size_t i = 0; i < n; i++) pairs[i] = (uint64_t)codes[i] << 32 | i;
    cairn_sort_in(pairs, other, n, sizeof *pairs, comes_first, NULL);
}

static uint32_t code_at(const uint64_t *pairs, size_t i)
{
    return (uint32_t)(pairs[i] >> 32);
}

static bool is_enough(double weight, const cairn_grow_options *options)
{
    return weight >= options->min_leaf * (1 - CAIRN_TREE_TIE);
}

static void keep(cairn_split *out, const cairn_split *split, double gain)
{
    if (fabs(gain) < CAIRN_TREE_TIE) gain = 0;
    if (out->test != CAIRN_TEST_NONE && !(gain > out->gain + CAIRN_TREE_TIE)) return;
    *out = *split;
    out->gain = out->score = gain;
}

static void search_levels(cairn_split *out, const pair_rows *p, const cairn_grow_options *options,
                          const uint64_t *pairs, double before)
{
    cairn_split split = {.column = out->column, .test = CAIRN_TEST_LEVELS};
    size_t n = p->node->n, used = 0;
    double after = 0, total = weight_of(p, pairs, n);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && code_at(pairs, end) == code_at(pairs, i);) end++;
        double weight = weight_of(p, pairs + i, end - i);
        if (!is_enough(weight, options)) return;
        after += inside(p, pairs + i, end - i) / weight;
        used++;
    }
    if (used > 1 || !options->only_present) keep(out, &split, before - after / total);
}

static void search_one_level(cairn_split *out, const pair_rows *p,
                             const cairn_grow_options *options, const uint64_t *pairs,
                             double before)
{
    size_t n = p->node->n;
    double total = weight_of(p, pairs, n), sum = before * total * total;
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && code_at(pairs, end) == code_at(pairs, i);) end++;
        cairn_split split = {
            .column = out->column, .test = CAIRN_TEST_LEVEL, .code = code_at(pairs, i)};
        double weight = weight_of(p, pairs + i, end - i), rest = total - weight, across = 0;
        if (end - i == n || !is_enough(weight, options) || !is_enough(rest, options)) continue;
        for (size_t j = i; j < end; j++)
            across += to_entries(p, (uint32_t)pairs[j], pairs, n); /* pairs inside count twice */
        double own = inside(p, pairs + i, end - i);
        double others = sum - across + own;
        keep(out, &split, before - (own / weight + others / rest) / total);
    }
}

static void search_cut(cairn_split *out, const pair_rows *p, const cairn_grow_options *options,
                       const uint64_t *pairs, double before)
{
    size_t n = p->node->n;
    double total = weight_of(p, pairs, n), below = 0, above = before * total * total, weight = 0;
    const cairn_coded_column *column = &p->data->columns[out->column];
    for (size_t i = 0; i + 1 < n; i++) {
        size_t at = (uint32_t)pairs[i];
        double w = weight_at(p, at), self = w * w * dissimilarity(p, at, at);
        below += to_entries(p, at, pairs, i) + self;
        above -= to_entries(p, at, pairs + i + 1, n - i - 1) + self;
        weight += w;
        cairn_split split = {.column = out->column,
                             .test = CAIRN_TEST_CUT,
                             .code = code_at(pairs, i),
                             .next = code_at(pairs, i + 1)};
        if (split.code == split.next) continue;
        if (!is_enough(weight, options) || !is_enough(total - weight, options)) continue;
        split.cut = cairn_cut_between(column, split.code, split.next, options->cut);
        keep(out, &split, before - (below / weight + above / (total - weight)) / total);
    }
}

void cairn_goals_search(cairn_split *out, const cairn_coded *data,
                        const cairn_grow_options *options, const cairn_node_rows *node, size_t c,
                        cairn_split_space *space)
{
    pair_rows p = {data, node};
    double before = cairn_goals_pairs(data, node);
    cairn_coded_gather(data, c, node->rows, node->n, space->keys);
    sort_entries(space->pairs, space->other_pairs, space->keys, node->n);
    if (data->columns[c].is_number)
        search_cut(out, &p, options, space->pairs, before);
    else if (options->binary_levels)
        search_one_level(out, &p, options, space->pairs, before);
    else
        search_levels(out, &p, options, space->pairs, before);
}
