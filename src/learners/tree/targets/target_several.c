/* SPDX-License-Identifier: MIT */
/* What several targets, or the columns of a clustering, add up to: see tree_targets.h.
 *
 * Numbers are rounded to a grid on which their sums are exact, as one number as target is, so that
 * a split does not depend on the order of the rows. A row costs one step per target, a partition
 * one step per column of the targets. */
#include "learners/tree/targets/tree_targets.h"
#include "base/functions.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const cairn_choice cairn_target_scales[] = {
    {"impurity", CAIRN_SCALE_IMPURITY,
     "each target's own score: what --impurity falls by, or the share of a number's variance that "
     "is explained"},
    {"none", CAIRN_SCALE_NONE, "variances and Gini indices as they are"},
    {"spread", CAIRN_SCALE_SPREAD,
     "numbers by their deviation, levels by the root of their share: correlation ratios and "
     "chi-squared / N"},
    {"bernoulli", CAIRN_SCALE_BERNOULLI,
     "numbers by their deviation, levels by √(p·(1 − p)), the deviation of a 0/1 column"},
    {"range", CAIRN_SCALE_RANGE, "numbers by their range; that of a 0/1 column is 1"},
    {NULL, 0, NULL},
};

/* -- which they are -- */

static int by_name(const void *a, const void *b)
{
    const cairn_target_field *x = a, *y = b;
    return strcmp(x->field->name, y->field->name);
}

cairn_status cairn_target_fields(cairn_context *ctx, cairn_target_field **out, size_t *n,
                                 size_t *n_means, const cairn_schema *schema)
{
    cairn_role role = cairn_schema_role(schema, CAIRN_TARGET) >= 0 ? CAIRN_TARGET : CAIRN_FEATURE;
    *n = *n_means = 0;
    CHECK(SCRATCH(ctx, out, schema->n_fields + 1));
    for (size_t i = 0; i < schema->n_fields; i++)
        if ((cairn_role)schema->fields[i].role == role) (*out)[(*n)++].field = &schema->fields[i];
    /* by name: the order of the targets does not change a tree */
    qsort(*out, *n, sizeof **out, by_name);
    for (size_t i = 0; i < *n; i++) {
        cairn_target_field *target = &(*out)[i];
        target->first = *n_means;
        target->n = target->field->kind == CAIRN_LEVEL ? target->field->names.n : 1;
        *n_means += target->n;
    }
    return CAIRN_OK;
}

/* The columns of the fields, found by name without asking every column for every name. */
static cairn_status find_columns(cairn_context *ctx, const cairn_column ***out,
                                 const cairn_view *view, const cairn_target_field *fields, size_t n)
{
    const cairn_table *table = view->table;
    SCOPED(cairn_map_clear) cairn_map names = {0};
    size_t index;
    CHECK(SCRATCH(ctx, out, n + 1));
    for (size_t i = 0; i < table->n_columns; i++)
        CHECK(
            cairn_map_add(ctx, &names, table->slots[i].name, strlen(table->slots[i].name), &index));
    for (size_t i = 0; i < n; i++) {
        const char *name = fields[i].field->name;
        (*out)[i] = table->slots[cairn_map_find(&names, name, strlen(name))].column;
    }
    return CAIRN_OK;
}

cairn_status cairn_tree_targets_make(cairn_context *ctx, cairn_tree_targets *out,
                                     const cairn_view *view, const cairn_schema *schema)
{
    cairn_target_field *fields = NULL;
    const cairn_column **columns = NULL;
    size_t n = 0;
    bool found = !out->category;
    CHECK(cairn_target_fields(ctx, &fields, &n, &out->n_means, schema));
    CHECK(find_columns(ctx, &columns, view, fields, n));
    CHECK(SCRATCH(ctx, &out->list, n + 1));
    out->criterion = &cairn_criterion_several;
    out->answer = -1;
    out->n_stats = 1;
    out->step = n;
    for (size_t i = 0; i < n; i++) {
        cairn_tree_target *target = &out->list[out->n_targets++];
        const cairn_column *column = columns[i];
        *target = (cairn_tree_target){.name = fields[i].field->name,
                                      .column = column,
                                      .is_level = column->kind == CAIRN_LEVEL,
                                      .n = fields[i].n,
                                      .first = fields[i].first,
                                      .at = out->n_stats};
        if (column->kind != CAIRN_LEVEL && column->kind != CAIRN_NUMBER)
            CHECK(
                cairn_fail(ctx, CAIRN_BAD_DATA,
                           "'%s' is a column of %s; numbers and levels can be targets of one tree",
                           target->name, cairn_kind_plural(column->kind)));
        if (target->is_level && target->n == 0)
            CHECK(cairn_fail(ctx, CAIRN_BAD_DATA,
                             "'%s' has no value in any row, so there is no level to answer; leave "
                             "the column out ({ignore %s})",
                             target->name, target->name));
        out->n_stats += target->is_level ? target->n : 2;
        CHECK(SCRATCH(ctx, &target->scale, target->n + 1));
        found |= target->is_level && out->category &&
                 cairn_map_find(&column->names, out->category, strlen(out->category)) >= 0;
    }
    if (!found)
        CHECK(cairn_fail(ctx, CAIRN_USAGE, "{target-category}: no target has the level '%s'",
                         out->category));
    return CAIRN_OK;
}

static bool has_target(const cairn_binned *data, const cairn_view *view, size_t row)
{
    (void)view;
    for (size_t t = 0; t < data->targets->n_targets; t++)
        if (!cairn_column_is_missing(data->targets->list[t].column, row)) return true;
    return false;
}

/* -- units -- */

/* Mean and grid of a number, its least and greatest value and its variance. */
static void measure_number(const cairn_binned *data, cairn_tree_target *target, size_t t,
                           double *range, double *variance)
{
    size_t step = data->targets->n_targets;
    double weight = 0, sum = 0, low = INFINITY, high = -INFINITY, squares = 0, total = 0;
    for (size_t i = 0; i < data->n_rows; i++) {
        double y = data->target_values[i * step + t], w = cairn_binned_weight(data, i);
        total += w;
        if (isnan(y)) continue;
        weight += w;
        sum += w * y;
        low = fmin(low, y);
        high = fmax(high, y);
    }
    target->centre = weight > 0 && isfinite(sum) ? sum / weight : 0;
    double most = weight > 0 ? fmax(high - target->centre, target->centre - low) : 0;
    int exponent = 0;
    if (most > 0) frexp(most * total, &exponent);
    target->grid = ldexp(1, exponent - 52 < -1000 ? -1000 : exponent - 52);
    for (size_t i = 0; i < data->n_rows; i++) {
        double away = data->target_values[i * step + t] - target->centre;
        if (!isnan(away)) squares += cairn_binned_weight(data, i) * away * away;
    }
    *range = weight > 0 ? high - low : 0;
    *variance = weight > 0 ? squares / weight : 0;
}

static double unit_of_number(cairn_target_scale kind, double range, double variance)
{
    if (kind == CAIRN_SCALE_NONE) return 1;
    if (kind == CAIRN_SCALE_RANGE) return range * range;
    return variance;
}

static double unit_of_level(cairn_target_scale kind, double p)
{
    if (kind == CAIRN_SCALE_SPREAD) return p;
    if (kind == CAIRN_SCALE_BERNOULLI) return p * (1 - p);
    return 1;
}

/* 1 / b^2 of all columns of a target. */
static void scale_target(const cairn_binned *data, cairn_tree_target *target, size_t t,
                         double *counts)
{
    const cairn_tree_targets *targets = data->targets;
    double range, variance, weight = 0;
    if (!target->is_level) {
        measure_number(data, target, t, &range, &variance);
        double unit = unit_of_number(targets->kind, range, variance);
        target->scale[0] = unit > 0 && !targets->category ? 1 / unit : 0;
        return;
    }
    memset(counts, 0, target->n * sizeof *counts);
    for (size_t i = 0; i < data->n_rows; i++) {
        double code = data->target_values[i * targets->n_targets + t];
        if (isnan(code)) continue;
        counts[(size_t)code] += cairn_binned_weight(data, i);
        weight += cairn_binned_weight(data, i);
    }
    for (size_t l = 0; l < target->n; l++) {
        double unit = weight > 0 ? unit_of_level(targets->kind, counts[l] / weight) : 0;
        bool counted = !targets->category ||
                       strcmp(cairn_map_key(&target->column->names, l), targets->category) == 0;
        target->scale[l] = unit > 0 && counted ? 1 / unit : 0;
    }
}

static double spread(const cairn_binned *data, const cairn_node_rows *rows, double *sums,
                     double *by);

/* Values of the rows that are kept, units of the targets, and the unit of ties. */
static cairn_status take_target(cairn_context *ctx, cairn_binned *data, const cairn_view *view)
{
    cairn_tree_targets *targets = data->targets;
    size_t n = targets->n_targets, most = 0;
    double *counts = NULL;
    (void)view;
    CHECK(NEW_RAW(ctx, &data->target_values, cairn_product(data->n_rows, n)));
    for (size_t t = 0; t < n; t++) {
        const cairn_tree_target *target = &targets->list[t];
        most = target->n > most ? target->n : most;
        for (size_t i = 0; i < data->n_rows; i++) {
            size_t row = data->table_rows[i];
            double *value = &data->target_values[i * n + t];
            if (target->is_level)
                *value = target->column->codes[row] < 0 ? NAN : target->column->codes[row];
            else
                *value = target->column->numbers[row];
        }
    }
    CHECK(SCRATCH_RAW(ctx, &counts, most + targets->n_stats));
    for (size_t t = 0; t < n; t++) scale_target(data, &targets->list[t], t, counts);
    /* the unit of ties */
    cairn_node_rows all = {.n = data->n_rows, .weights = data->weights};
    uint32_t *rows = NULL;
    CHECK(SCRATCH_RAW(ctx, &rows, data->n_rows));
    for (size_t i = 0; i < data->n_rows; i++) rows[i] = (uint32_t)i;
    all.rows = rows;
    data->spread = spread(data, &all, counts, NULL);
    if (!(data->spread > 0)) data->spread = 1;
    return CAIRN_OK;
}

cairn_status cairn_binned_make_targets(cairn_context *ctx, cairn_binned *out,
                                       const cairn_view *view, cairn_tree_targets *targets,
                                       size_t bins)
{
    *out = (cairn_binned){.criterion = targets->criterion,
                          .n_stats = targets->n_stats,
                          .n_means = targets->n_means,
                          .targets = targets};
    return cairn_binned_of(ctx, out, view, bins);
}

cairn_status cairn_tree_targets_take_rows(cairn_context *ctx, cairn_binned *out,
                                          const cairn_binned *data, const uint32_t *rows, size_t n)
{
    size_t step = data->targets->step;
    CHECK(SCRATCH_RAW(ctx, &out->target_values, cairn_product(n, step)));
    for (size_t i = 0; i < n; i++)
        memcpy(out->target_values + i * step, data->target_values + rows[i] * step,
               step * sizeof *out->target_values);
    return CAIRN_OK;
}

/* -- sums -- */

static void add_row(double *cell, const cairn_binned *data, uint32_t row, double weight)
{
    const cairn_tree_targets *targets = data->targets;
    const double *values = data->target_values + (size_t)row * targets->n_targets;
    cell[0] += weight;
    for (size_t t = 0; t < targets->n_targets; t++) {
        const cairn_tree_target *target = &targets->list[t];
        double *sums = cell + target->at;
        if (isnan(values[t])) continue;
        if (target->is_level) {
            sums[(size_t)values[t]] += weight;
        } else {
            sums[0] += weight;
            sums[1] += weight * (rint((values[t] - target->centre) / target->grid) * target->grid);
        }
    }
}

static void sum_targets(double *cells, double *others, const cairn_binned *data,
                        const cairn_node_rows *node, const uint32_t *parts, size_t n_parts)
{
    for (size_t i = 0; i < node->n; i++)
        add_row(parts[i] < n_parts ? cells + parts[i] * data->n_stats : others, data, node->rows[i],
                cairn_entry_weight(data, node, i));
}

static double level_weight(const double *counts, size_t n)
{
    double sum = 0;
    for (size_t l = 0; l < n; l++) sum += counts[l];
    return sum;
}

/* sum_k w_k (mean_k - mean)^2 of a number */
static double number_gain(const cairn_tree_targets *targets, const cairn_tree_target *target,
                          const double *cells, size_t n_parts)
{
    double weight = 0, sum = 0, result = 0;
    for (size_t k = 0; k < n_parts; k++) {
        weight += cells[k * targets->n_stats + target->at];
        sum += cells[k * targets->n_stats + target->at + 1];
    }
    for (size_t k = 0; k < n_parts; k++) {
        const double *part = cells + k * targets->n_stats + target->at;
        if (!(part[0] > 0)) continue;
        double away = part[1] / part[0] - sum / weight;
        result += part[0] * away * away;
    }
    return result * target->scale[0];
}

/* The fall of an impurity, times the weight. */
static double impurity_gain(const cairn_tree_targets *targets, const cairn_tree_target *target,
                            const double *cells, size_t n_parts, const double *total)
{
    double result =
        level_weight(total, target->n) * cairn_impurity_of(targets->impurity, total, target->n);
    for (size_t k = 0; k < n_parts; k++) {
        const double *part = cells + k * targets->n_stats + target->at;
        double weight = level_weight(part, target->n);
        if (weight > 0) result -= weight * cairn_impurity_of(targets->impurity, part, target->n);
    }
    return result;
}

/* The fall of a level target's impurity, or of the weighted squares of its shares: the Brier
 * form, in which levels have scales like numbers. */
static double level_gain(const cairn_tree_targets *targets, const cairn_tree_target *target,
                         const double *cells, size_t n_parts, double *total)
{
    double result = 0;
    memset(total, 0, target->n * sizeof *total);
    for (size_t k = 0; k < n_parts; k++)
        for (size_t l = 0; l < target->n; l++)
            total[l] += cells[k * targets->n_stats + target->at + l];
    if (targets->kind == CAIRN_SCALE_IMPURITY && !targets->category)
        return impurity_gain(targets, target, cells, n_parts, total);
    double weight = level_weight(total, target->n);
    for (size_t k = 0; k < n_parts; k++) {
        const double *part = cells + k * targets->n_stats + target->at;
        double size = level_weight(part, target->n), sum = 0;
        if (!(size > 0)) continue;
        for (size_t l = 0; l < target->n; l++) {
            double away = part[l] / size - total[l] / weight;
            sum += target->scale[l] * away * away;
        }
        result += size * sum;
    }
    return result;
}

static double gain(const cairn_binned *data, const cairn_grow_options *options, const double *cells,
                   size_t n_parts, double *total)
{
    const cairn_tree_targets *targets = data->targets;
    double weight = 0, sum = 0;
    (void)options;
    for (size_t k = 0; k < n_parts; k++) weight += cells[k * targets->n_stats];
    for (size_t t = 0; t < targets->n_targets; t++) {
        const cairn_tree_target *target = &targets->list[t];
        sum += target->is_level ? level_gain(targets, target, cells, n_parts, total)
                                : number_gain(targets, target, cells, n_parts);
    }
    return weight > 0 ? sum / weight : 0;
}

static double chance(const cairn_binned *data, const cairn_tree_node *node, double fall,
                     const double *cells, size_t n_parts)
{
    return cairn_chance_of_fit(data, node, fall, cells, n_parts, 1);
}

/* -- cuts that cannot be the best -- */

/* Targets of fewer levels are judged at once. */
enum { SCREENED_LEVELS = 32 };

/* Whether the gain of levels is found by squares; else by x log2 x. */
static bool by_squares(const cairn_tree_targets *targets)
{
    return targets->kind != CAIRN_SCALE_IMPURITY || targets->category ||
           targets->impurity == CAIRN_GINI;
}

static double times_log(double x)
{
    return x > 0 ? x * cairn_log2(x) : 0;
}

static double level_term(const cairn_tree_targets *targets, const cairn_tree_target *target,
                         size_t level, double count)
{
    bool scaled = targets->kind != CAIRN_SCALE_IMPURITY || targets->category;
    if (!by_squares(targets)) return times_log(count);
    return (scaled ? target->scale[level] : 1) * count * count;
}

/* Start the sums of both sides anew, all rows being on the right. */
static void start_screen(cairn_cut_walk *walk)
{
    const cairn_tree_targets *targets = walk->data->targets;
    const double *known = walk->space->known;
    double *buffer = walk->space->moments;
    for (size_t k = 0; k < 2; k++) {
        walk->sums[k] = buffer + k * targets->n_targets;
        walk->weights[k] = buffer + (2 + k) * targets->n_targets;
    }
    walk->totals = buffer + 4 * targets->n_targets;
    memset(buffer, 0, 5 * targets->n_targets * sizeof *buffer);
    for (size_t t = 0; t < targets->n_targets; t++) {
        const cairn_tree_target *target = &targets->list[t];
        for (size_t l = 0; target->is_level && l < target->n; l++) {
            walk->sums[1][t] += level_term(targets, target, l, known[target->at + l]);
            walk->weights[1][t] += known[target->at + l];
        }
        walk->totals[t] = walk->sums[1][t];
    }
}

/* Before the row is added to the left sums. */
static void screen_row(cairn_cut_walk *walk, uint32_t row, double weight)
{
    const cairn_tree_targets *targets = walk->data->targets;
    const double *values = walk->data->target_values + (size_t)row * targets->n_targets;
    for (size_t t = 0; t < targets->n_targets; t++) {
        const cairn_tree_target *target = &targets->list[t];
        if (!target->is_level || isnan(values[t])) continue;
        size_t level = (size_t)values[t];
        double left = walk->space->left[target->at + level];
        double right = walk->space->known[target->at + level] - left;
        walk->sums[0][t] += level_term(targets, target, level, left + weight) -
                            level_term(targets, target, level, left);
        walk->sums[1][t] += level_term(targets, target, level, right - weight) -
                            level_term(targets, target, level, right);
        walk->weights[0][t] += weight;
        walk->weights[1][t] -= weight;
    }
}

/* What the cut gains, nearly, at a step per target and not per level; *error bounds how far it is
 * off. */
static double rough_gain(const cairn_cut_walk *walk, double *error)
{
    const cairn_tree_targets *targets = walk->data->targets;
    double sum = 0, size = 0; /* `size` is that of the terms, for rounding errors */
    for (size_t t = 0; t < targets->n_targets; t++) {
        const cairn_tree_target *target = &targets->list[t];
        if (!target->is_level) {
            /* What a number gains, from the sums themselves. */
            const double *left = walk->space->left + target->at,
                         *known = walk->space->known + target->at;
            double rest = known[0] - left[0];
            if (!(left[0] > 0) || !(rest > 0)) {
                sum += 0;
            } else {
                double away = left[1] / left[0] - (known[1] - left[1]) / rest;
                sum += target->scale[0] * left[0] * rest / known[0] * away * away;
            }
            continue;
        }
        double whole = walk->weights[0][t] + walk->weights[1][t], all = walk->totals[t];
        for (size_t k = 0; k < 2; k++) {
            double weight = walk->weights[k][t], term = walk->sums[k][t];
            if (!(weight > 0)) continue;
            double part = by_squares(targets) ? term / weight : term - times_log(weight);
            sum += part;
            size += fabs(term) / (by_squares(targets) ? weight : 1) + times_log(1 + weight);
        }
        if (whole > 0) sum -= by_squares(targets) ? all / whole : all - times_log(whole);
    }
    double weight = walk->space->known[0];
    *error = weight > 0 ? 1e-9 * (size + fabs(sum)) / weight : INFINITY;
    return weight > 0 ? sum / weight : 0;
}

static void move(cairn_cut_walk *walk, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++) {
        uint32_t entry = (uint32_t)walk->space->pairs[i], row = walk->node->rows[entry];
        double weight = cairn_entry_weight(walk->data, walk->node, entry);
        if (walk->screens) screen_row(walk, row, weight);
        add_row(walk->space->left, walk->data, row, weight);
    }
}

/* Many levels: rows are moved at a step per target, so that only cuts that may be the best are
 * judged exactly. */
static void start_walk(cairn_cut_walk *walk)
{
    const cairn_tree_targets *targets = walk->data->targets;
    if (walk->options->cell_add > 0 || walk->options->cut_penalty) return;
    if (walk->space->missing[0] > 0 || targets->n_stats < SCREENED_LEVELS) return;
    if (!by_squares(targets) && targets->impurity != CAIRN_ENTROPY) return;
    walk->screens = true;
    start_screen(walk);
    /* A gain that the best cut surely has, from one walk over all of them. */
    double best = -INFINITY, error, least = walk->least * (1 - CAIRN_TREE_TIE);
    for (size_t i = 0, end; i < walk->node->n; i = end) {
        end = cairn_walk_end(walk, i);
        if (end == walk->node->n || cairn_walk_code(walk, end) == walk->n_codes) break;
        move(walk, i, end);
        double left = walk->space->left[0], right = walk->space->known[0] - left;
        if (left < least || right < least) continue;
        double sum = rough_gain(walk, &error);
        if (right > 0) best = fmax(best, sum - error);
    }
    walk->wanted = best;
    memset(walk->space->left, 0, targets->n_stats * sizeof *walk->space->left);
    start_screen(walk);
}

static bool hopeless(const cairn_cut_walk *walk, double best)
{
    double error, rough = rough_gain(walk, &error);
    (void)best;
    return rough + error < walk->wanted;
}

/* Few rows without missing cells may be searched by their distances. */
static bool search(cairn_split *out, const cairn_binned *data, const cairn_grow_options *options,
                   const cairn_node_rows *node, size_t c, cairn_split_space *space)
{
    if (!data->near || data->columns[c].has_missing) return false;
    return cairn_distance_search(out, data, options, node, c, space);
}

/* -- nodes -- */

static void sum_rows(const cairn_binned *data, const cairn_node_rows *rows, double *sums)
{
    memset(sums, 0, data->targets->n_stats * sizeof *sums);
    for (size_t i = 0; i < rows->n; i++)
        add_row(sums, data, rows->rows[i], cairn_entry_weight(data, rows, i));
}

/* Sum of squared deviations of a number. Those that are smaller than what the mean is known to are
 * none: a single row agrees with itself. */
static double squares_of(const cairn_binned *data, const cairn_node_rows *rows, size_t t,
                         double mean)
{
    double sum = 0, least = fmax(data->targets->list[t].grid, 2 * DBL_EPSILON * fabs(mean));
    for (size_t i = 0; i < rows->n; i++) {
        double away = data->target_values[rows->rows[i] * data->targets->n_targets + t] - mean;
        if (fabs(away) > least) sum += cairn_entry_weight(data, rows, i) * away * away;
    }
    return sum;
}

static double mean_of(const cairn_tree_target *target, const double *sums)
{
    return target->centre + sums[target->at + 1] / sums[target->at];
}

/* The part of a target in what a node disagrees in, times the weight. */
static double target_spread(const cairn_binned *data, const cairn_node_rows *rows, size_t t,
                            const double *sums)
{
    const cairn_tree_targets *targets = data->targets;
    const cairn_tree_target *target = &targets->list[t];
    const double *own = sums + target->at;
    double result = 0;
    if (!target->is_level) {
        if (!(own[0] > 0) || !(target->scale[0] > 0)) return 0;
        return target->scale[0] * squares_of(data, rows, t, mean_of(target, sums));
    }
    double weight = level_weight(own, target->n);
    if (!(weight > 0)) return 0;
    if (targets->kind == CAIRN_SCALE_IMPURITY && !targets->category)
        return weight * cairn_impurity_of(targets->impurity, own, target->n);
    for (size_t l = 0; l < target->n; l++)
        result += target->scale[l] * own[l] * (1 - own[l] / weight);
    return result;
}

static double spread(const cairn_binned *data, const cairn_node_rows *rows, double *sums,
                     double *by)
{
    double result = 0;
    if (rows->n == 0) return 0;
    sum_rows(data, rows, sums);
    for (size_t t = 0; t < data->targets->n_targets; t++) {
        double part = target_spread(data, rows, t, sums) / sums[0];
        if (by) by[t] = part;
        result += part;
    }
    return result;
}

/* Whether all rows that have a target that counts agree in it. */
static bool agree(const cairn_binned *data, const cairn_node_rows *rows)
{
    size_t n = data->targets->n_targets;
    for (size_t t = 0; t < n; t++) {
        const cairn_tree_target *target = &data->targets->list[t];
        double first = NAN;
        for (size_t i = 0; i < rows->n; i++) {
            double value = data->target_values[rows->rows[i] * n + t];
            if (isnan(value)) continue;
            if (target->is_level && data->targets->category)
                value = target->scale[(size_t)value] > 0;
            else if (!target->is_level && !(target->scale[0] > 0))
                break;
            if (isnan(first)) first = value;
            if (value != first) return false;
        }
    }
    return true;
}

static double first_value(const cairn_binned *data, const cairn_node_rows *rows, size_t t)
{
    for (size_t i = 0; i < rows->n; i++) {
        double value = data->target_values[rows->rows[i] * data->targets->n_targets + t];
        if (!isnan(value)) return value;
    }
    return NAN;
}

/* The mean of the numbers as they are, rounding errors being added up beside the sum; numbers that
 * are all the same are their own mean. */
static double exact_mean(const cairn_binned *data, const cairn_node_rows *rows, size_t t)
{
    double sum = 0, error = 0, weight = 0, first = first_value(data, rows, t);
    bool same = true;
    for (size_t i = 0; i < rows->n; i++) {
        double y = data->target_values[rows->rows[i] * data->targets->n_targets + t];
        double w = cairn_entry_weight(data, rows, i), x = w * y;
        if (isnan(y)) continue;
        double next = sum + x, back = next - sum;
        error += (sum - (next - back)) + (x - back) + fma(w, y, -x);
        sum = next;
        weight += w;
        same &= y == first;
    }
    return same ? first : (sum + error) / weight;
}

static void fill_vector(double *vector, const cairn_binned *data, const cairn_node_rows *rows,
                        const double *above, const double *sums)
{
    for (size_t t = 0; t < data->targets->n_targets; t++) {
        const cairn_tree_target *target = &data->targets->list[t];
        const double *own = sums + target->at;
        double weight = target->is_level ? level_weight(own, target->n) : own[0];
        for (size_t l = 0; l < target->n; l++) {
            double *value = &vector[target->first + l];
            if (!(weight > 0))
                *value = above ? above[target->first + l] : NAN;
            else if (target->is_level)
                *value = own[l] / weight;
            else
                *value = exact_mean(data, rows, t);
        }
    }
}

/* The node's error is that of the one target which the tree answers for where that is a number,
 * else what all targets leave unexplained. */
static cairn_status leaf(const cairn_node_job *job, cairn_tree_node *node, bool *pure)
{
    const cairn_binned *data = job->data;
    const cairn_tree_targets *targets = data->targets;
    cairn_node_rows *rows = job->rows;
    double *sums = job->sums;
    sum_rows(data, rows, sums);
    node->label = -1;
    node->weight = sums[0];
    if (data->near) rows->mixed = cairn_distance_mean(data, rows);
    *pure = agree(data, rows);
    fill_vector(job->vector, data, rows, job->above, sums);
    if (targets->answer >= 0 && !targets->list[targets->answer].is_level) {
        size_t t = (size_t)targets->answer;
        node->error = squares_of(data, rows, t, job->vector[targets->list[t].first]);
        return CAIRN_OK;
    }
    for (size_t t = 0; t < targets->n_targets; t++)
        node->error += target_spread(data, rows, t, sums);
    return CAIRN_OK;
}

double cairn_category_score(const double *cells, size_t n_parts, size_t n_classes, const void *data)
{
    const cairn_category *category = data;
    double weight = 0, own = 0, sum = 0;
    for (size_t k = 0; k < n_parts; k++) {
        weight += level_weight(cells + k * n_classes, n_classes);
        own += cells[k * n_classes + (size_t)category->code];
    }
    double share = weight > 0 ? own / weight : 0, unit = unit_of_level(category->kind, share);
    for (size_t k = 0; k < n_parts; k++) {
        double size = level_weight(cells + k * n_classes, n_classes);
        if (!(size > 0)) continue;
        double away = cells[k * n_classes + (size_t)category->code] / size - share;
        sum += size / weight * away * away;
    }
    return unit > 0 ? sum / unit : 0;
}

const cairn_criterion cairn_criterion_several = {
    .name = "several",
    .has_target = has_target,
    .take_target = take_target,
    .take_rows = cairn_tree_targets_take_rows,
    .prepare = cairn_distance_prepare,
    .sum = sum_targets,
    .gain = gain,
    .chance = chance,
    .search = search,
    .start_walk = start_walk,
    .move = move,
    .hopeless = hopeless,
    .leaf = leaf,
    .spread = spread,
};
