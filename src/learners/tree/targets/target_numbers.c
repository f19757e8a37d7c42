/* SPDX-License-Identifier: MIT */
/* A number as target: parts are weight and sum, a split lowers the variance by
 * sum_k p_k (mean_k - mean)^2. Without missing cells a cut is where w_L w_R (mean_L - mean_R)^2 is
 * largest, found from sums by code, or by walking over the sorted rows. */
#include "learners/tree/grow/criterion.h"
#include "stats/distributions.h"
#include <math.h>
#include <string.h>

/* Nodes of at most so many rows are sorted at once. */
enum { FEW_ROWS = 32 };

/* -- the target of binned data -- */

static bool has_target(const cairn_binned *data, const cairn_view *view, size_t row)
{
    (void)data;
    return !isnan(view->target->numbers[row]);
}

/* The centred target is rounded to a grid on which sums of all rows are exact doubles: then a split
 * is the same whatever the order of the rows, and a weight of 3 is the same as three rows. */
static void centre_numbers(cairn_binned *data)
{
    double total = 0, sum = 0, most = 0, squares = 0;
    for (size_t i = 0; i < data->n_rows; i++) {
        double w = cairn_binned_weight(data, i);
        total += w;
        sum += w * data->numbers[i];
    }
    double mean = isfinite(sum) ? sum / total : 0;
    for (size_t i = 0; i < data->n_rows; i++) {
        double d = fabs(data->numbers[i] - mean);
        if (d > most) most = d;
    }
    int exponent = 0;
    if (most > 0) frexp(most * total, &exponent);
    double grid = ldexp(1, exponent - 52 < -1000 ? -1000 : exponent - 52);
    for (size_t i = 0; i < data->n_rows; i++) {
        double w = cairn_binned_weight(data, i);
        data->centred[i] = rint((data->numbers[i] - mean) / grid) * grid;
        squares += w * data->centred[i] * data->centred[i];
    }
    data->spread = squares / total;
}

static cairn_status take_target(cairn_context *ctx, cairn_binned *data, const cairn_view *view)
{
    CHECK(NEW_RAW_EACH(ctx, data->n_rows, &data->numbers, &data->centred));
    for (size_t i = 0; i < data->n_rows; i++)
        data->numbers[i] = view->target->numbers[data->table_rows[i]];
    centre_numbers(data);
    return CAIRN_OK;
}

static cairn_status take_rows(cairn_context *ctx, cairn_binned *out, const cairn_binned *data,
                              const uint32_t *rows, size_t n)
{
    CHECK(cairn_binned_take_reals(ctx, &out->numbers, data->numbers, rows, n));
    return cairn_binned_take_reals(ctx, &out->centred, data->centred, rows, n);
}

/* -- statistics -- */

static void sum_numbers(double *cells, double *others, const cairn_binned *data,
                        const cairn_node_rows *node, const uint32_t *parts, size_t n_parts)
{
    for (size_t i = 0; i < node->n; i++) {
        double *cell = parts[i] < n_parts ? cells + 2 * parts[i] : others;
        double weight = cairn_entry_weight(data, node, i);
        cell[0] += weight;
        cell[1] += weight * data->centred[node->rows[i]];
    }
}

/* sum_k p_k (mean_k - mean)^2 */
static double between_variance(const cairn_binned *data, const cairn_grow_options *options,
                               const double *cells, size_t n_parts, double *total)
{
    (void)data;
    (void)options;
    (void)total;
    double weight = 0, sum = 0, result = 0;
    for (size_t k = 0; k < n_parts; k++) {
        weight += cells[2 * k];
        sum += cells[2 * k + 1];
    }
    for (size_t k = 0; k < n_parts; k++) {
        if (cells[2 * k] <= 0) continue;
        double away = cells[2 * k + 1] / cells[2 * k] - sum / weight;
        result += cells[2 * k] / weight * away * away;
    }
    return result;
}

double cairn_chance_of_fit(const cairn_binned *data, const cairn_tree_node *node, double gain,
                           const double *cells, size_t n_parts, double numbers)
{
    double filled = 0;
    for (size_t b = 0; b < n_parts; b++) filled += cells[data->n_stats * b] > 0;
    double between = gain * node->weight, within = node->error - between;
    double more = (filled - 1) * numbers, rest = node->weight - filled * numbers;
    if (filled < 2 || rest <= 0) return 1;
    if (!(within > 0)) return 0;
    return cairn_f_upper(between / more / (within / rest), more, rest);
}

/* The F test of the branch means. */
static double chance(const cairn_binned *data, const cairn_tree_node *node, double gain,
                     const double *cells, size_t n_parts)
{
    return cairn_chance_of_fit(data, node, gain, cells, n_parts, 1);
}

/* -- cuts -- */

/* The best cut so far while the rows move to the left. */
typedef struct number_walk {
    double weight, sum; /* to the left */
    double total, whole;
    double best, tie, least;
    bool found;
} number_walk;

static number_walk start_number_walk(const cairn_binned *data, const cairn_grow_options *options,
                                     const cairn_node_rows *node)
{
    double total = node->weight;
    return (number_walk){.total = total,
                         .whole = node->sum,
                         .tie = CAIRN_TREE_TIE * data->spread * total * total,
                         .least = cairn_cut_least(data, options, total) * (1 - CAIRN_TREE_TIE)};
}

/* Take the cut between two codes if it is the best so far. */
static inline void offer_cut(number_walk *w, cairn_split *out, double *cells, uint32_t code,
                             uint32_t next)
{
    double rest = w->total - w->weight, away = w->sum * rest - (w->whole - w->sum) * w->weight;
    double value = away * away / (w->weight * rest);
    if ((w->found && !(value > w->best + w->tie)) || w->weight < w->least || rest < w->least)
        return;
    w->best = value;
    w->found = true;
    out->code = code;
    out->next = next;
    cells[0] = w->weight;
    cells[1] = w->sum;
}

static void finish_number_cut(const number_walk *w, cairn_split *out, const cairn_binned *data,
                              const cairn_grow_options *options, cairn_split_space *space)
{
    if (!w->found) return;
    space->cells[2] = w->total - space->cells[0];
    space->cells[3] = w->whole - space->cells[1];
    out->test = CAIRN_TEST_CUT;
    cairn_split_rate(out, data, options, space->cells, 2, 0, space);
}

/* Walk over the sorted rows; `plain`, known at compile time: all weights are 1. */
static inline void walk_rows(number_walk *walk, cairn_split *out, const cairn_binned *data,
                             const cairn_node_rows *node, cairn_split_space *space, bool plain)
{
    const uint64_t *pairs = space->pairs; /* not read again after every store */
    const double *centred = data->centred;
    double *cells = space->cells;
    size_t last = node->n - 1;
    uint32_t next = (uint32_t)(pairs[0] >> 32);
    for (size_t i = 0; i < last; i++) {
        uint32_t at = (uint32_t)pairs[i], code = next;
        double w = plain ? 1 : cairn_entry_weight(data, node, at);
        next = (uint32_t)(pairs[i + 1] >> 32);
        walk->weight += w;
        walk->sum += w * centred[node->rows[at]];
        if (next != code) offer_cut(walk, out, cells, code, next);
    }
}

/* The same when the node has more rows than codes in a short range: sums by code and no sorting.
 * They are exact, so the order of the rows does not matter. False when it does not apply. */
static bool search_summed(cairn_split *out, const cairn_binned *data,
                          const cairn_grow_options *options, const cairn_node_rows *node, size_t c,
                          cairn_split_space *space)
{
    uint32_t low = UINT32_MAX, high = 0, before = UINT32_MAX;
    double *sums = space->summed;
    if (node->weights || node->n <= FEW_ROWS) return false;
    for (size_t i = 0; i < node->n; i++) {
        low = space->keys[i] < low ? space->keys[i] : low;
        high = space->keys[i] > high ? space->keys[i] : high;
    }
    size_t range = (size_t)(high - low) + 1;
    if (high == data->columns[c].n_codes || range > CAIRN_SUMMED || range > node->n) return false;
    memset(sums, 0, 2 * range * sizeof *sums);
    for (size_t i = 0; i < node->n; i++) {
        double *cell = sums + 2 * (size_t)(space->keys[i] - low);
        double w = cairn_entry_weight(data, node, i);
        cell[0] += w;
        cell[1] += w * data->centred[node->rows[i]];
    }
    number_walk walk = start_number_walk(data, options, node);
    for (size_t at = 0; at < range; at++) {
        if (!(sums[2 * at] > 0)) continue;
        uint32_t code = low + (uint32_t)at;
        if (before != UINT32_MAX) offer_cut(&walk, out, space->cells, before, code);
        walk.weight += sums[2 * at];
        walk.sum += sums[2 * at + 1];
        before = code;
    }
    finish_number_cut(&walk, out, data, options, space);
    return true;
}

/* Whether a cell of the node is missing, by the codes in space->keys. */
static bool has_missing(const cairn_binned *data, const cairn_node_rows *node, size_t c,
                        const cairn_split_space *space)
{
    const cairn_binned_column *column = &data->columns[c];
    for (size_t i = 0; column->has_missing && i < node->n; i++)
        if (space->keys[i] == column->n_codes) return true;
    return false;
}

/* Cuts of a column without missing cells. */
static bool search_cut(cairn_split *out, const cairn_binned *data,
                       const cairn_grow_options *options, const cairn_node_rows *node, size_t c,
                       cairn_split_space *space)
{
    if (options->cut_penalty) return false;
    if (search_summed(out, data, options, node, c, space)) return true;
    if (has_missing(data, node, c, space)) return false;
    cairn_split_sort(space, node->n);
    number_walk walk = start_number_walk(data, options, node);
    if (node->weights || data->repeats)
        walk_rows(&walk, out, data, node, space, false);
    else
        walk_rows(&walk, out, data, node, space, true);
    finish_number_cut(&walk, out, data, options, space);
    return true;
}

static void move(cairn_cut_walk *walk, size_t begin, size_t end)
{
    const cairn_node_rows *node = walk->node;
    double *left = walk->space->left;
    for (size_t i = begin; i < end; i++) {
        uint32_t entry = (uint32_t)walk->space->pairs[i];
        double weight = cairn_entry_weight(walk->data, node, entry);
        left[0] += weight;
        left[1] += weight * walk->data->centred[node->rows[entry]];
    }
}

/* -- nodes -- */

/* The mean is summed with its rounding errors, so that it does not depend on the order of the
 * rows; rows that agree give their own value exactly. */
static cairn_status leaf(const cairn_node_job *job, cairn_tree_node *node, bool *pure)
{
    const cairn_binned *data = job->data;
    cairn_node_rows *rows = job->rows;
    double sum = 0, error = 0, weight = 0;
    const double *numbers = data->numbers;
    *pure = true;
    rows->sum = 0;
    for (size_t i = 0; i < rows->n; i++) {
        double w = cairn_entry_weight(data, rows, i), y = numbers[rows->rows[i]];
        /* A sum with its rounding errors, so that means hardly depend on the order of rows. */
        double x = w * y;
        double next = sum + x, back = next - sum;
        error += (sum - (next - back)) + (x - back);
        sum = next;
        error += fma(w, y, -(w * y));
        weight += w;
        *pure &= y == numbers[rows->rows[0]];
        rows->sum += w * data->centred[rows->rows[i]];
    }
    node->weight = weight;
    node->mean = *pure ? numbers[rows->rows[0]] : (sum + error) / weight;
    node->label = -1;
    for (size_t i = 0; i < rows->n && !*pure; i++) {
        double away = numbers[rows->rows[i]] - node->mean;
        node->error += cairn_entry_weight(data, rows, i) * away * away;
    }
    return CAIRN_OK;
}

const cairn_criterion cairn_criterion_numbers = {
    .name = "numbers",
    .ordered = true,
    .constant = true,
    .has_target = has_target,
    .take_target = take_target,
    .take_rows = take_rows,
    .sum = sum_numbers,
    .gain = between_variance,
    .chance = chance,
    .search_cut = search_cut,
    .move = move,
    .leaf = leaf,
    .formula = "Var(S) = Σ (y − mean)² / n",
    .squares = "sum of squares",
    .variance = "variance",
};
