/* SPDX-License-Identifier: MIT */
/* Classes as target: parts are weights of classes, a split lowers an impurity.
 *
 * fast_split.c finds cuts in whole numbers; what is here serves all other cases: weights, missing
 * cells, levels. Most cuts are surely worse than the best one so far, which sums of squares or a
 * rough logarithm show without computing their merit. */
#include "learners/tree/grow/criterion.h"
#include "base/random.h"
#include "stats/distributions.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* -- the target of binned data -- */

static bool has_target(const cairn_binned *data, const cairn_view *view, size_t row)
{
    (void)data;
    return view->target->codes[row] >= 0;
}

static cairn_status take_target(cairn_context *ctx, cairn_binned *data, const cairn_view *view)
{
    CHECK(NEW_RAW(ctx, &data->classes, data->n_rows));
    for (size_t i = 0; i < data->n_rows; i++)
        data->classes[i] = view->target->codes[data->table_rows[i]];
    return CAIRN_OK;
}

static cairn_status take_rows(cairn_context *ctx, cairn_binned *out, const cairn_binned *data,
                              const uint32_t *rows, size_t n)
{
    CHECK(SCRATCH_RAW(ctx, &out->classes, n));
    for (size_t i = 0; i < n; i++) out->classes[i] = data->classes[rows[i]];
    return CAIRN_OK;
}

/* -- statistics -- */

static void sum_classes(double *cells, double *others, const cairn_binned *data,
                        const cairn_node_rows *node, const uint32_t *parts, size_t n_parts)
{
    size_t k = data->n_classes;
    for (size_t i = 0; i < node->n; i++) {
        double *cell = parts[i] < n_parts ? cells + parts[i] * k : others;
        cell[data->classes[node->rows[i]]] += cairn_entry_weight(data, node, i);
    }
}

/* The fall of the impurity. */
static double reduction(const cairn_binned *data, const cairn_grow_options *options,
                        const double *cells, size_t n_parts, double *total)
{
    size_t k = data->n_classes;
    memset(total, 0, k * sizeof *total);
    for (size_t p = 0; p < n_parts; p++) cairn_part_add(total, cells + p * k, 1, k);
    return cairn_impurity_of(options->impurity, total, k) -
           cairn_impurity_after(options->impurity, cells, n_parts, k);
}

/* X2 / N */
static double chi_score(const double *cells, size_t n_parts, size_t n_classes, double *total)
{
    double weight = 0, sum = 0;
    memset(total, 0, n_classes * sizeof *total);
    for (size_t k = 0; k < n_parts; k++)
        for (size_t l = 0; l < n_classes; l++) total[l] += cells[k * n_classes + l];
    for (size_t l = 0; l < n_classes; l++) weight += total[l];
    for (size_t k = 0; k < n_parts; k++) {
        double part = 0;
        for (size_t l = 0; l < n_classes; l++) part += cells[k * n_classes + l];
        for (size_t l = 0; l < n_classes; l++) {
            double cell = cells[k * n_classes + l];
            if (cell > 0) sum += cell / part * (cell / total[l]);
        }
    }
    return weight > 0 ? sum - 1 : 0;
}

static double merit(const cairn_binned *data, const cairn_grow_options *options,
                    const double *cells, size_t n_parts, double *total)
{
    if (options->own_score)
        return options->own_score(cells, n_parts, data->n_classes, options->data);
    if (options->score == CAIRN_TREE_CHI) return chi_score(cells, n_parts, data->n_classes, total);
    return -cairn_impurity_after(options->impurity, cells, n_parts, data->n_classes);
}

/* Chi-squared test of branches and classes. */
static double chance(const cairn_binned *data, const cairn_tree_node *node, double gain,
                     const double *cells, size_t n_parts)
{
    cairn_split_scores scores;
    (void)node;
    (void)gain;
    cairn_split_scores_of(&scores, cells, n_parts, data->n_classes, 0);
    return scores.degrees ? cairn_chi2_upper(scores.chi_squared, (double)scores.degrees) : 1;
}

/* -- cuts that cannot be the best -- */

/* log2 x = floor(log2 x) + 1/2 + 2 / ln 2 artanh z, with z = (m - r) / (m + r), m the mantissa of x
 * from 1 to 2 and r the root of 2. */
typedef struct log_parts {
    double whole; /* with the 1/2 */
    double z;
} log_parts;

static const double log_unit = 2.8853900817779268; /* 2 / ln 2 */

static inline log_parts take_apart(double x)
{
    const double root = 1.4142135623730951;
    union {
        double number;
        uint64_t bits;
    } all = {.number = x}, part;
    double exponent = (double)((int64_t)(all.bits >> 52) - 1023);
    part.bits = (all.bits & UINT64_C(0xFFFFFFFFFFFFF)) | UINT64_C(0x3FF0000000000000);
    return (log_parts){exponent + 0.5, (part.number - root) / (part.number + root)};
}

/* x log2 x, the logarithm being off by less than 5e-8: the series up to its seventh power. */
static inline double rough_times_log(double x)
{
    if (!(x > DBL_MIN)) return 0;
    log_parts p = take_apart(x);
    double q = p.z * p.z;
    return x * (p.whole + log_unit * p.z * (1 + q * (1.0 / 3 + q * (1.0 / 5 + q / 7))));
}

/* The shares of both sides in the missing cells: as their weights, or all for the heavier one. */
static void share_missing(const cairn_cut_walk *walk, double left, double right, double shares[2])
{
    shares[0] = shares[1] = 0;
    if (!walk->shared) return;
    if (walk->options->missing == CAIRN_TREE_WEIGHTS) {
        shares[0] = left / (left + right);
        shares[1] = right / (left + right);
    } else {
        shares[right > left] = 1;
    }
}

/* -- sums that change from cut to cut -- */

enum { MANY_CLASSES = 256 };

/* x log2 x, the logarithm being off by less than 2e-14: the series up to its fifteenth power. */
static inline double close_times_log(double x)
{
    if (!(x > DBL_MIN)) return 0;
    log_parts p = take_apart(x);
    double q = p.z * p.z, series = 1.0 / 15;
    for (double odd = 13; odd >= 1; odd -= 2) series = 1 / odd + q * series;
    return x * (p.whole + log_unit * p.z * series);
}

static inline int64_t log_units(const cairn_cut_walk *walk, double x)
{
    return (int64_t)rint(close_times_log(x) / walk->unit);
}

/* The weight of a class on one side changes from `before` to `after`. Sums of logarithms are whole
 * numbers of units, which what was added leaves again without a trace. */
static inline void step_side(cairn_cut_walk *walk, size_t side, double before, double after,
                             double missing)
{
    cairn_side_sums *sums = &walk->sides[side];
    sums->weight += after - before;
    sums->squares += (after - before) * (after + before);
    sums->mixed += (after - before) * missing;
    if (!walk->gini && !(missing > 0))
        sums->logs += log_units(walk, after) - log_units(walk, before);
}

static void move(cairn_cut_walk *walk, size_t begin, size_t end)
{
    const cairn_binned *data = walk->data;
    const cairn_node_rows *node = walk->node;
    cairn_split_space *space = walk->space;
    for (size_t i = begin; i < end; i++) {
        uint32_t entry = (uint32_t)space->pairs[i];
        int32_t l = data->classes[node->rows[entry]];
        double left = space->left[l], known = space->known[l];
        space->left[l] += cairn_entry_weight(data, node, entry);
        if (!walk->stepwise) continue;
        double missing = walk->shared ? space->missing[l] : 0;
        step_side(walk, 0, left, space->left[l], missing);
        step_side(walk, 1, fmax(known - left, 0), fmax(known - space->left[l], 0), missing);
    }
}

/* Everything on the right; classes of which cells are missing are listed. */
static void start_sides(cairn_cut_walk *walk)
{
    cairn_split_space *space = walk->space;
    size_t k = walk->data->n_classes;
    bool whole = !walk->node->weights && !walk->shared;
    double weight = cairn_part_weight(walk->data, space->known);
    int exponent;
    frexp(close_times_log(weight + walk->missing) + weight + 1, &exponent);
    walk->unit = ldexp(1, exponent - 61);
    walk->sides[0] = walk->sides[1] = (cairn_side_sums){0};
    walk->missing_squares = 0;
    space->n_lacking = 0;
    memset(space->left, 0, k * sizeof *space->left);
    for (size_t l = 0; l < k; l++) {
        double missing = walk->shared ? space->missing[l] : 0;
        step_side(walk, 1, 0, space->known[l], missing);
        walk->missing_squares += missing * missing;
        if (missing > 0) space->lacking[space->n_lacking++] = (int32_t)l;
    }
    double squares = walk->sides[1].squares + 2 * walk->sides[1].mixed + walk->missing_squares;
    walk->rounding =
        whole && squares < 1 / DBL_EPSILON ? 0 : 8 * DBL_EPSILON * (double)walk->node->n * squares;
}

/* Sum of x log2 x over the classes of a side, which has `share` of the missing cells. */
static double stepped_logs(const cairn_cut_walk *walk, size_t side, double share)
{
    const cairn_split_space *space = walk->space;
    double sum = (double)walk->sides[side].logs * walk->unit;
    for (size_t i = 0; i < space->n_lacking; i++) {
        int32_t l = space->lacking[i];
        double known = side == 0 ? space->left[l] : fmax(space->known[l] - space->left[l], 0);
        sum += close_times_log(known + share * space->missing[l]);
    }
    return sum;
}

static double stepped_squares(const cairn_cut_walk *walk, size_t side, double share)
{
    const cairn_side_sums *sums = &walk->sides[side];
    return sums->squares + share * (2 * sums->mixed + share * walk->missing_squares);
}

/* The merit of the cut that the walk is at, and a bound of what it is off by: by the Gini index, or
 * by the entropy unless twice the Gini index, which is never above it, says that `bar` is out of
 * reach. */
static double stepped_merit(const cairn_cut_walk *walk, double bar, double *off)
{
    double left = walk->sides[0].weight, right = walk->sides[1].weight, shares[2];
    double whole = left + right + (walk->shared ? walk->missing : 0);
    share_missing(walk, left, right, shares);
    left += shares[0] * walk->missing;
    right += shares[1] * walk->missing;
    double gini = whole - stepped_squares(walk, 0, shares[0]) / left -
                  stepped_squares(walk, 1, shares[1]) / right;
    *off = (walk->rounding / left + walk->rounding / right) / whole + 1e-14;
    if (walk->gini) return -gini / whole;
    if (*off - 2 * gini / whole < bar) return -INFINITY;
    double after = close_times_log(left) + close_times_log(right) -
                   stepped_logs(walk, 0, shares[0]) - stepped_logs(walk, 1, shares[1]);
    *off = 8e-14 + 2 * (double)walk->data->n_classes * walk->unit / whole;
    return -after / whole;
}

/* Gini and entropy of known cells, or of cells with the missing ones shared out, are screened. */
static void start_walk(cairn_cut_walk *walk)
{
    const cairn_grow_options *options = walk->options;
    double missing = cairn_part_weight(walk->data, walk->space->missing);
    bool left_out = options->missing_gain != CAIRN_GAIN_FILLED ||
                    options->missing == CAIRN_TREE_SURROGATE || !(missing > 0);
    walk->gini = options->impurity == CAIRN_GINI;
    walk->shared = !left_out;
    walk->missing = missing;
    walk->screens =
        !options->own_score && options->score != CAIRN_TREE_CHI && !options->cut_penalty &&
        !(options->cell_add > 0) && (walk->gini || options->impurity == CAIRN_ENTROPY) &&
        (left_out || options->missing == CAIRN_TREE_WEIGHTS || options->missing == CAIRN_TREE_MODE);
    if (walk->screens) {
        /* The merit that a cut needs for the gain space->floor. */
        const cairn_binned *data = walk->data;
        cairn_split_space *space = walk->space;
        size_t k = data->n_classes;
        double unknown = cairn_split_unknown(data, options, space);
        double known = unknown > 0 ? cairn_part_weight(data, space->known) : 1;
        if (options->score != CAIRN_TREE_REDUCTION || !(space->floor > -INFINITY)) {
            walk->floor = -INFINITY;
        } else {
            memcpy(space->total, space->known, k * sizeof *space->total);
            if (walk->shared) cairn_part_add(space->total, space->missing, 1, k);
            double gain = unknown > 0 ? space->floor * (known + unknown) / known : space->floor;
            walk->floor = gain - cairn_impurity_of(options->impurity, space->total, k);
        }
    }
    walk->stepwise = walk->screens && walk->data->n_classes > MANY_CLASSES;
    if (walk->stepwise) {
        /* The merit that the best cut has at least, found before any is judged by all classes:
         * few cuts come near it, while the best one so far may be bettered by every next one. */
        size_t n = walk->node->n;
        double best = -INFINITY, off;
        start_sides(walk);
        for (size_t i = 0, end; i < n; i = end) {
            end = cairn_walk_end(walk, i);
            if (end == n || cairn_walk_code(walk, end) == walk->n_codes) break;
            move(walk, i, end);
            if (walk->sides[0].weight < walk->least || walk->sides[1].weight < walk->least)
                continue;
            double merit = stepped_merit(walk, best, &off);
            best = fmax(best, merit - off);
        }
        walk->floor = fmax(walk->floor, best);
        start_sides(walk);
    }
}

/* Sum over the classes of what counts, `share` of the missing cells being in the side. */
static inline double rough_squares(const cairn_cut_walk *walk, const double *cell,
                                   const double *missing, double share, size_t n_classes)
{
    double sum = 0;
    for (size_t l = 0; l < n_classes; l++) {
        double count = walk->shared ? cell[l] + share * missing[l] : cell[l];
        sum += count * count;
    }
    return sum;
}

static double rough_logs(const cairn_cut_walk *walk, const double *cell, const double *missing,
                         double share, size_t n_classes)
{
    double sum = 0;
    for (size_t l = 0; l < n_classes; l++)
        sum += rough_times_log(walk->shared ? cell[l] + share * missing[l] : cell[l]);
    return sum;
}

/* Whether the cut is surely not better than `best`. The Gini index is found from sums of squares;
 * entropy in bits is never below twice that index, which is enough in most cases, and otherwise
 * found roughly. */
static bool hopeless(const cairn_cut_walk *walk, double best)
{
    const double error = 1e-7; /* more than twice that of a logarithm */
    const cairn_binned *data = walk->data;
    cairn_split_space *space = walk->space;
    size_t k = data->n_classes;
    const double *missing = space->missing;
    if (!(best > -INFINITY)) return false;
    if (walk->stepwise) {
        /* Whether a cut is surely below the bar, or not above it by more than a tie where one as
         * good was found. */
        double wanted = walk->found ? best + CAIRN_TREE_TIE / 2 : best - CAIRN_TREE_TIE, off;
        double merit = stepped_merit(walk, wanted, &off);
        return merit + off < wanted;
    }
    cairn_part_subtract(data, space->right, space->known, space->left);
    double left = cairn_part_weight(data, space->left);
    double right = cairn_part_weight(data, space->right);
    double whole = left + right + (walk->shared ? walk->missing : 0), shares[2];
    if (!(left > 0) || !(right > 0)) return false;
    share_missing(walk, left, right, shares);
    left += shares[0] * walk->missing;
    right += shares[1] * walk->missing;
    double gini = whole - rough_squares(walk, space->left, missing, shares[0], k) / left -
                  rough_squares(walk, space->right, missing, shares[1], k) / right;
    if ((best - error) * whole + (walk->gini ? gini : 2 * gini) > 0) return true;
    if (walk->gini) return false;
    double after = rough_times_log(left) + rough_times_log(right) -
                   rough_logs(walk, space->left, missing, shares[0], k) -
                   rough_logs(walk, space->right, missing, shares[1], k);
    return (best - error) * whole + after > 0;
}

/* -- nodes -- */

/* The tied class whose first row comes first. */
static int32_t first_seen(const cairn_binned *data, const cairn_node_rows *rows, double most)
{
    for (size_t i = 0; i < rows->n; i++) {
        int32_t l = data->classes[rows->rows[i]];
        if (rows->totals[l] >= most * (1 - CAIRN_TREE_TIE)) return l;
    }
    return 0;
}

/* The most frequent class, of equal ones that which the options say. */
static int32_t choose_label(const cairn_node_job *job)
{
    const cairn_node_rows *rows = job->rows;
    cairn_tree_tie tie = job->options->class_tie;
    size_t k = job->data->n_classes, ties = 0;
    int32_t best = 0, above = job->label_above;
    double most = 0;
    for (size_t l = 0; l < k; l++)
        if (rows->totals[l] > most) most = rows->totals[l], best = (int32_t)l;
    double limit = most * (1 - CAIRN_TREE_TIE);
    for (size_t l = 0; l < k; l++) ties += rows->totals[l] >= limit;
    if (ties == 1) return best;
    for (size_t l = 0; tie == CAIRN_TREE_LISTED && l < k; l++)
        if (rows->totals[l] >= limit) return (int32_t)l;
    if (tie == CAIRN_TREE_PARENT && above >= 0 && rows->totals[above] >= limit) return above;
    if (tie != CAIRN_TREE_RANDOM) return first_seen(job->data, rows, most);
    cairn_random random;
    cairn_random_start(&random, job->options->seed, rows->stream);
    size_t chosen = cairn_random_below(&random, ties);
    for (size_t l = 0; l < k; l++)
        if (rows->totals[l] >= limit && chosen-- == 0) best = (int32_t)l;
    return best;
}

/* Weights of the classes that occur, at the end of the arrays of the tree. */
static cairn_status store_counts(const cairn_node_job *job, cairn_tree_node *node)
{
    cairn_tree_model *tree = job->tree;
    size_t k = job->data->n_classes, used = 0;
    for (size_t l = 0; l < k; l++) used += job->sums[l] > 0;
    CHECK(GROW(job->ctx, &tree->classes, &tree->classes_capacity, tree->n_counts + used));
    CHECK(GROW(job->ctx, &tree->weights, &tree->weights_capacity, tree->n_counts + used));
    node->counts = (uint32_t)tree->n_counts;
    node->n_counts = (uint32_t)used;
    for (size_t l = 0; l < k; l++) {
        if (!(job->sums[l] > 0)) continue;
        tree->classes[tree->n_counts] = (int32_t)l;
        tree->weights[tree->n_counts++] = job->sums[l];
        node->weight += job->sums[l];
    }
    return CAIRN_OK;
}

static cairn_status leaf(const cairn_node_job *job, cairn_tree_node *node, bool *pure)
{
    const cairn_node_rows *rows = job->rows;
    if (!job->counted) {
        memset(job->sums, 0, job->data->n_classes * sizeof *job->sums);
        for (size_t i = 0; i < rows->n; i++)
            job->sums[job->data->classes[rows->rows[i]]] += cairn_entry_weight(job->data, rows, i);
    }
    CHECK(store_counts(job, node));
    job->rows->totals = job->sums;
    *pure = node->n_counts == 1;
    node->label = choose_label(job);
    node->error = node->weight - job->sums[node->label];
    return CAIRN_OK;
}

const cairn_criterion cairn_criterion_classes = {
    .name = "classes",
    .counts = true,
    .ordered = true,
    .constant = true,
    .has_target = has_target,
    .take_target = take_target,
    .take_rows = take_rows,
    .sum = sum_classes,
    .gain = reduction,
    .merit = merit,
    .chance = chance,
    .start_walk = start_walk,
    .move = move,
    .hopeless = hopeless,
    .leaf = leaf,
};
