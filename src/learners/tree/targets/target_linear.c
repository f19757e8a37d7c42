/* SPDX-License-Identifier: MIT */
/* Splits of a model tree by what linear models of the parts would leave.
 *
 * A part is summed up by weight, sums and products of the target and of the number columns (less
 * their means, divided by their deviations); all cuts of a column are met by moving the rows over
 * one at a time, so one column as regressor costs O(1) per cut and p of them O(p^3): the normal
 * equations of both sides are solved by Cholesky. When a node has so many rows and regressors that
 * this takes long, not every place is tried, but one in so many rows that the work is bounded.
 *
 * Columns without spread in a part have no slope. A part in which a model would go through all rows
 * keeps its mean, and so does one whose columns depend on each other, unless these are dropped: as
 * in linear_leaves.c. A missing cell of a regressor counts as the mean. */
#include "learners/tree/targets/tree_targets.h"
#include <math.h>
#include <string.h>

#define LINEAR_WORK 4e6   /* steps that the cuts of a column may take */
#define DEPENDENT   1e-10 /* of the spread of a column that is left when the others are known */
#define SPREADLESS  1e-24 /* per row, of columns whose deviation is 1 over all rows */

/* Places in the sums: weight, y, y^2, then x (p), x y (p), x x (p (p + 1) / 2, by rows). */
enum { AT_WEIGHT, AT_Y, AT_YY, AT_X };

static size_t at_xy(size_t p)
{
    return AT_X + p;
}

static size_t at_xx(size_t p, size_t i, size_t j)
{
    return AT_X + 2 * p + i * (i + 1) / 2 + j;
}

cairn_status cairn_linear_target_make(cairn_context *ctx, cairn_tree_targets *out,
                                      const cairn_view *view, bool drop)
{
    size_t p = 0;
    CHECK(SCRATCH(ctx, &out->regressors, view->n_features + 1));
    for (size_t c = 0; c < view->n_features; c++)
        if (view->features[c]->kind == CAIRN_NUMBER) out->regressors[p++] = view->features[c];
    out->criterion = &cairn_criterion_linear;
    out->step = p + 1;
    out->drop = drop;
    out->n_regressors = p;
    out->y = view->target;
    out->answer = -1;
    out->n_stats = AT_X + 2 * p + p * (p + 1) / 2;
    double cells = (double)out->n_stats;
    for (size_t c = 0; c < view->n_features; c++)
        if (view->features[c]->kind == CAIRN_LEVEL)
            cells = fmax(cells, (double)out->n_stats * (double)view->features[c]->names.n);
    return cairn_memory_check(ctx, 8 * (cells + (double)p * (double)view->rows.n),
                              "the sums of products for the linear models",
                              cairn_say(ctx, "use {leaf-search variance}, or fewer columns"));
}

/* One column less its mean, divided by its deviation; missing cells are 0. Returns the mean. */
static double standardise(cairn_binned *data, const double *numbers, size_t at, bool scaled)
{
    size_t step = data->targets->step;
    double weight = 0, sum = 0, squares = 0;
    for (size_t i = 0; i < data->n_rows; i++) {
        double x = numbers[data->table_rows[i]], w = cairn_binned_weight(data, i);
        if (isnan(x)) continue;
        weight += w;
        sum += w * x;
    }
    double mean = weight > 0 ? sum / weight : 0;
    for (size_t i = 0; i < data->n_rows; i++) {
        double away = numbers[data->table_rows[i]] - mean;
        data->target_values[i * step + at] = isnan(away) ? 0 : away;
        if (!isnan(away)) squares += cairn_binned_weight(data, i) * away * away;
    }
    double unit = scaled && squares > 0 ? sqrt(squares / weight) : 1;
    for (size_t i = 0; i < data->n_rows; i++) data->target_values[i * step + at] /= unit;
    if (!scaled) data->spread = weight > 0 && squares > 0 ? squares / weight : 1;
    return mean;
}

static bool has_target(const cairn_binned *data, const cairn_view *view, size_t row)
{
    (void)view;
    return !isnan(data->targets->y->numbers[row]);
}

static cairn_status take_target(cairn_context *ctx, cairn_binned *data, const cairn_view *view)
{
    cairn_tree_targets *targets = data->targets;
    (void)view;
    CHECK(NEW_RAW(ctx, &data->target_values, cairn_product(data->n_rows, targets->step)));
    targets->y_mean = standardise(data, targets->y->numbers, 0, false);
    for (size_t j = 0; j < targets->n_regressors; j++)
        (void)standardise(data, targets->regressors[j]->numbers, j + 1, true);
    return CAIRN_OK;
}

static void add_row(double *cell, const cairn_binned *data, uint32_t row, double weight)
{
    size_t p = data->targets->n_regressors;
    const double *values = data->target_values + (size_t)row * (p + 1), *x = values + 1;
    double y = values[0];
    cell[AT_WEIGHT] += weight;
    cell[AT_Y] += weight * y;
    cell[AT_YY] += weight * y * y;
    for (size_t i = 0; i < p; i++) {
        double wx = weight * x[i];
        cell[AT_X + i] += wx;
        cell[at_xy(p) + i] += wx * y;
        for (size_t j = 0; j <= i; j++) cell[at_xx(p, i, j)] += wx * x[j];
    }
}

static void sum_products(double *cells, double *others, const cairn_binned *data,
                         const cairn_node_rows *node, const uint32_t *parts, size_t n_parts)
{
    for (size_t i = 0; i < node->n; i++)
        add_row(parts[i] < n_parts ? cells + parts[i] * data->n_stats : others, data, node->rows[i],
                cairn_entry_weight(data, node, i));
}

static void move(cairn_cut_walk *walk, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++) {
        uint32_t entry = (uint32_t)walk->space->pairs[i];
        add_row(walk->space->left, walk->data, walk->node->rows[entry],
                cairn_entry_weight(walk->data, walk->node, entry));
    }
}

/* Squares that are left in a part by its mean. */
static double mean_squares(const double *cell)
{
    double left = cell[AT_YY] - cell[AT_Y] * cell[AT_Y] / cell[AT_WEIGHT];
    return left > 0 ? left : 0;
}

/* The factor of a part while it grows: rows of a triangle, what they leave of y, their columns. */
typedef struct factor {
    double *root, *right, *columns;
    size_t used;
} factor;

/* Reduce column i by those before it; returns what is left of its own squares, *y of its product
 * with the target. The reduced products stand in the next row of the triangle. */
static double reduce(const factor *f, const double *cell, size_t p, size_t i, double own, double *y)
{
    double mean = cell[AT_X + i] / cell[AT_WEIGHT], rest = own;
    double *row = f->root + f->used * (f->used + 1) / 2;
    for (size_t known = 0; known < f->used; known++) {
        size_t k = (size_t)f->columns[known];
        const double *before = f->root + known * (known + 1) / 2;
        double sum = cell[at_xx(p, i, k)] - mean * cell[AT_X + k];
        for (size_t m = 0; m < known; m++) sum -= row[m] * before[m];
        row[known] = sum / before[known];
        rest -= row[known] * row[known];
        *y -= row[known] * f->right[known];
    }
    return rest;
}

/* Squares that are left in a part by its linear model: the products about the means are reduced
 * column by column. `work` has room for n_stats numbers. */
static double linear_squares(const cairn_tree_targets *targets, const double *cell, double *work)
{
    size_t p = targets->n_regressors, varying = 0;
    double weight = cell[AT_WEIGHT], left = mean_squares(cell);
    factor f = {work, work + p * (p + 1) / 2, work + p * (p + 1) / 2 + p, 0};
    for (size_t i = 0; i < p; i++) {
        double mean = cell[AT_X + i] / weight;
        double own = cell[at_xx(p, i, i)] - mean * cell[AT_X + i];
        double y = cell[at_xy(p) + i] - mean * cell[AT_Y];
        if (!(own > SPREADLESS * weight)) continue;
        varying++;
        double rest = reduce(&f, cell, p, i, own, &y);
        if (!(rest > DEPENDENT * own)) continue;
        double root = f.root[f.used * (f.used + 1) / 2 + f.used] = sqrt(rest);
        f.right[f.used] = y / root;
        left -= f.right[f.used] * f.right[f.used];
        f.columns[f.used++] = (double)i;
    }
    if (f.used == 0 || weight <= (double)f.used + 1 || (!targets->drop && f.used < varying))
        return mean_squares(cell);
    return left > 0 ? left : 0;
}

static double gain(const cairn_binned *data, const cairn_grow_options *options, const double *cells,
                   size_t n_parts, double *total)
{
    const cairn_tree_targets *targets = data->targets;
    (void)options;
    size_t n = targets->n_stats;
    double *work = total + n, after = 0;
    memset(total, 0, n * sizeof *total);
    for (size_t k = 0; k < n_parts; k++)
        for (size_t l = 0; l < n; l++) total[l] += cells[k * n + l];
    if (!(total[AT_WEIGHT] > 0)) return 0;
    for (size_t k = 0; k < n_parts; k++)
        if (cells[k * n] > 0) after += linear_squares(targets, cells + k * n, work);
    return (linear_squares(targets, total, work) - after) / total[AT_WEIGHT];
}

static double chance(const cairn_binned *data, const cairn_tree_node *node, double fall,
                     const double *cells, size_t n_parts)
{
    return cairn_chance_of_fit(data, node, fall, cells, n_parts,
                               1 + (double)data->targets->n_regressors);
}

static size_t stride_of(const cairn_binned *data, size_t n)
{
    double p = (double)data->targets->n_regressors;
    double stride = (double)n * p * p * p / LINEAR_WORK;
    return p > 1 && stride > 1 ? (size_t)stride + 1 : 1;
}

/* Weight, mean and what the linear model leaves. */
static cairn_status leaf(const cairn_node_job *job, cairn_tree_node *node, bool *pure)
{
    const cairn_binned *data = job->data;
    const cairn_tree_targets *targets = data->targets;
    cairn_node_rows *rows = job->rows;
    double *sums = job->sums;
    size_t n = targets->n_stats, step = targets->step;
    double first = data->target_values[rows->rows[0] * step];
    *pure = true;
    memset(sums, 0, n * sizeof *sums);
    for (size_t i = 0; i < rows->n; i++) {
        add_row(sums, data, rows->rows[i], cairn_entry_weight(data, rows, i));
        *pure &= data->target_values[rows->rows[i] * step] == first;
    }
    node->weight = sums[AT_WEIGHT];
    node->mean = targets->y_mean + (*pure ? first : sums[AT_Y] / sums[AT_WEIGHT]);
    node->label = -1;
    rows->sum = sums[AT_Y];
    node->error = linear_squares(targets, sums, sums + n);
    *pure |= !(node->error > CAIRN_TREE_TIE * data->spread * node->weight);
    return CAIRN_OK;
}

const cairn_criterion cairn_criterion_linear = {
    .name = "linear",
    .has_target = has_target,
    .take_target = take_target,
    .take_rows = cairn_tree_targets_take_rows,
    .sum = sum_products,
    .gain = gain,
    .chance = chance,
    .move = move,
    .stride = stride_of,
    .leaf = leaf,
    .formula = "Var(S) = Σ (y − linear model of S)² / n",
    .squares = "squares that the linear model leaves",
    .variance = "residual variance",
};
