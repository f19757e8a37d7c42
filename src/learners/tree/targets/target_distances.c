/* SPDX-License-Identifier: MIT */
/* Splits by a matrix of dissimilarities: one that is given, or half the squared distances of the
 * rows in the targets. The mean of those over all pairs is the sum of the variances, so that few
 * rows with very many targets are searched in time that does not grow with the targets.
 *
 * How mixed rows D with weights w are is sum sum w_x w_y dis(x, y) / (sum w)^2 over all ordered
 * pairs, a row with itself included; a partition leaves the mean of its parts, weighted by their
 * sizes, and gains the rest. A level against the rest and a cut need the sums of pairs inside and
 * across: for cuts the rows are moved over in sorted order, one at a time, so that a column costs
 * O(rows^2) whatever the number of its values. */
#include "base/sort_by.h"
#include "kernels/kernels.h"
#include "learners/tree/targets/tree_targets.h"
#include "parallel/parallel.h"
#include <math.h>

/* Distances are made for at most so many rows, when there are so many targets for each of them and
 * so many pairs of a column and a target. Without them a search may have so many cells. */
enum { NEAR_ROWS = 4096, NEAR_TARGETS = 4, NEAR_PAIRS = 1 << 20 };
static const double MOST_CELLS = 3e10;

/* Rows of a node as the matrix knows them. */
typedef struct pair_rows {
    const cairn_binned *data;
    const cairn_node_rows *node;
} pair_rows;

static double weight_at(const pair_rows *p, size_t i)
{
    return cairn_entry_weight(p->data, p->node, i);
}

static double dissimilarity(const pair_rows *p, size_t i, size_t j)
{
    const cairn_tree_targets *targets = p->data->targets;
    if (p->data->near) return p->data->near[p->node->rows[i] * p->data->n_rows + p->node->rows[j]];
    size_t a = (size_t)p->data->target_values[p->node->rows[i]];
    size_t b = (size_t)p->data->target_values[p->node->rows[j]];
    return targets->matrix[a * targets->matrix_n + b];
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

double cairn_distance_mean(const cairn_binned *data, const cairn_node_rows *rows)
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

static void keep(cairn_split *out, const pair_rows *p, const cairn_split *split, double gain)
{
    double tie = CAIRN_TREE_TIE * p->data->spread;
    if (fabs(gain) < tie) gain = 0;
    if (out->test != CAIRN_TEST_NONE && !(gain > out->gain + tie)) return;
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
    if (used > 1 || !options->only_present) keep(out, p, &split, before - after / total);
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
        keep(out, p, &split, before - (own / weight + others / rest) / total);
    }
}

/* Moving one row from above to below changes both sums of pairs by that row's distances only, so
 * all cuts of a column take one pass over the pairs. */
static void search_cut(cairn_split *out, const pair_rows *p, const cairn_grow_options *options,
                       const uint64_t *pairs, double before)
{
    size_t n = p->node->n;
    double total = weight_of(p, pairs, n), below = 0, above = before * total * total, weight = 0;
    for (size_t i = 0; i + 1 < n; i++) {
        size_t at = (uint32_t)pairs[i];
        double w = weight_at(p, at), self = w * w * dissimilarity(p, at, at);
        below += to_entries(p, at, pairs, i) + self;
        above -= to_entries(p, at, pairs + i + 1, n - i - 1) + self;
        weight += w;
        cairn_split split = {.column = out->column,
                             .test = CAIRN_TEST_CUT,
                             .code = code_at(pairs, i),
                             .next = code_at(pairs, i + 1),
                             .cut = NAN};
        if (split.code == split.next) continue;
        if (!is_enough(weight, options) || !is_enough(total - weight, options)) continue;
        keep(out, p, &split, before - (below / weight + above / (total - weight)) / total);
    }
}

bool cairn_distance_search(cairn_split *out, const cairn_binned *data,
                           const cairn_grow_options *options, const cairn_node_rows *node, size_t c,
                           cairn_split_space *space)
{
    pair_rows p = {data, node};
    double before = node->mixed;
    cairn_node_gather(data, c, node, space->keys);
    sort_entries(space->pairs, space->other_pairs, space->keys, node->n);
    if (data->columns[c].is_number)
        search_cut(out, &p, options, space->pairs, before);
    else if (options->binary_levels)
        search_one_level(out, &p, options, space->pairs, before);
    else
        search_levels(out, &p, options, space->pairs, before);
    return true;
}

/* -- distances -- */

/* Whether the search by distances finds what the search by sums does under these options. */
static bool near_fits(const cairn_binned *data, const cairn_grow_options *o)
{
    const cairn_tree_targets *targets = data->targets;
    bool squares = targets->kind != CAIRN_SCALE_IMPURITY || targets->category ||
                   targets->impurity == CAIRN_GINI;
    for (size_t t = 0; t < targets->n_targets; t++)
        if (targets->list[t].is_level && !squares) return false;
    return o->score == CAIRN_TREE_REDUCTION && !o->random_cuts && !o->subsets && !o->costs &&
           !o->cut_penalty && !o->two_branches && !(o->cut_share > 0) && !(o->cell_add > 0);
}

typedef struct near_run {
    const cairn_binned *data;
    double *scaled; /* rows x targets: numbers in the units that count, 0 for levels */
    double *near;
} near_run;

/* Levels that differ are as far from each other as their two columns of 0 and 1. */
static double level_distance(const cairn_binned *data, size_t i, size_t j)
{
    const cairn_tree_targets *targets = data->targets;
    size_t n = targets->n_targets;
    double sum = 0;
    for (size_t t = 0; t < n; t++) {
        const cairn_tree_target *target = &targets->list[t];
        double a = data->target_values[i * n + t], b = data->target_values[j * n + t];
        if (target->is_level && a != b) sum += target->scale[(size_t)a] + target->scale[(size_t)b];
    }
    return sum;
}

static void near_rows(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const near_run *run = data;
    size_t n = run->data->n_rows, step = run->data->targets->n_targets;
    (void)block;
    (void)worker;
    for (size_t i = begin; i < end; i++)
        for (size_t j = 0; j < i; j++)
            run->near[i * n + j] =
                (cairn_squared_distance(run->scaled + i * step, run->scaled + j * step, step) +
                 level_distance(run->data, i, j)) /
                2;
}

/* Numbers in their units; false when a cell is missing. */
static bool scale_rows(double *scaled, const cairn_binned *data)
{
    const cairn_tree_targets *targets = data->targets;
    size_t n = targets->n_targets;
    for (size_t i = 0; i < data->n_rows; i++)
        for (size_t t = 0; t < n; t++) {
            const cairn_tree_target *target = &targets->list[t];
            double value = data->target_values[i * n + t];
            if (isnan(value)) return false;
            scaled[i * n + t] =
                target->is_level ? 0 : (value - target->centre) * sqrt(target->scale[0]);
        }
    return true;
}

/* Fill in the other half; false when a distance is too large for a number. */
static bool mirror(double *near, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            if (!isfinite(near[i * n + j])) return false;
            near[j * n + i] = near[i * n + j];
        }
    return true;
}

cairn_status cairn_distance_prepare(cairn_context *ctx, cairn_binned *data,
                                    const cairn_grow_options *options)
{
    const cairn_tree_targets *targets = data->targets;
    double pairs = (double)targets->n_means * (double)data->n_columns;
    size_t n = data->n_rows;
    near_run run = {.data = data};
    if (near_fits(data, options) && n <= NEAR_ROWS && pairs >= NEAR_PAIRS &&
        targets->n_means >= NEAR_TARGETS * n) {
        CHECK(SCRATCH_RAW(ctx, &run.scaled, cairn_product(n, targets->n_targets)));
        CHECK(SCRATCH(ctx, &run.near, n * n));
        if (scale_rows(run.scaled, data)) {
            CHECK(cairn_blocks(ctx, n, 8, near_rows, &run));
            if (mirror(run.near, n)) data->near = run.near;
        }
    }
    if (!data->near && pairs * (double)n > MOST_CELLS)
        CHECK(cairn_fail(
            ctx, CAIRN_BAD_DATA,
            "%zu rows with %zu columns that ask and %zu that are clustered would take "
            "hours; name fewer of them ({features}, {target})%s",
            n, data->n_columns, targets->n_means,
            cairn_say(ctx, n <= NEAR_ROWS ? ", or fill missing cells ({with impute}), as few rows "
                                            "without any are compared pair by pair"
                                          : "")));
    return CAIRN_OK;
}

/* -- a matrix as target -- */

static bool has_target(const cairn_binned *data, const cairn_view *view, size_t row)
{
    (void)data;
    (void)view;
    (void)row;
    return true;
}

static cairn_status take_target(cairn_context *ctx, cairn_binned *data, const cairn_view *view)
{
    (void)view;
    CHECK(NEW_RAW(ctx, &data->target_values, data->n_rows));
    for (size_t i = 0; i < data->n_rows; i++) data->target_values[i] = data->table_rows[i];
    return CAIRN_OK;
}

static void sum_weights(double *cells, double *others, const cairn_binned *data,
                        const cairn_node_rows *node, const uint32_t *parts, size_t n_parts)
{
    for (size_t i = 0; i < node->n; i++)
        *(parts[i] < n_parts ? cells + parts[i] : others) += cairn_entry_weight(data, node, i);
}

static cairn_status leaf(const cairn_node_job *job, cairn_tree_node *node, bool *pure)
{
    cairn_node_rows *rows = job->rows;
    node->label = -1;
    for (size_t i = 0; i < rows->n; i++) node->weight += cairn_entry_weight(job->data, rows, i);
    rows->mixed = cairn_distance_mean(job->data, rows);
    node->error = rows->mixed * node->weight;
    *pure = !(rows->mixed > CAIRN_TREE_TIE);
    return CAIRN_OK;
}

static double spread(const cairn_binned *data, const cairn_node_rows *rows, double *sums,
                     double *by)
{
    (void)sums;
    (void)by;
    return rows->n ? cairn_distance_mean(data, rows) : 0;
}

/* All columns are searched by pairs, so nothing asks for the gain of sums. */
const cairn_criterion cairn_criterion_distances = {
    .name = "distances",
    .has_target = has_target,
    .take_target = take_target,
    .take_rows = cairn_tree_targets_take_rows,
    .sum = sum_weights,
    .search = cairn_distance_search,
    .leaf = leaf,
    .spread = spread,
};
