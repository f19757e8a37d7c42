/* SPDX-License-Identifier: MIT */
/* What several targets, or the columns of a clustering, add up to: see tree_targets.h.
 *
 * Numbers are rounded to a grid on which their sums are exact, as one number as target is, so that
 * a split does not depend on the order of the rows. A row costs one step per target, a partition
 * one step per column of the targets. */
#include "learners/tree/targets/tree_targets.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const cairn_choice cairn_goal_scales[] = {
    {"impurity", CAIRN_GOAL_IMPURITY,
     "each target's own score: what --impurity falls by, or the share of a number's variance that "
     "is explained"},
    {"none", CAIRN_GOAL_NONE, "variances and Gini indices as they are"},
    {"spread", CAIRN_GOAL_SPREAD,
     "numbers by their deviation, levels by the root of their share: correlation ratios and "
     "chi-squared / N"},
    {"bernoulli", CAIRN_GOAL_BERNOULLI,
     "numbers by their deviation, levels by √(p·(1 − p)), the deviation of a 0/1 column"},
    {"range", CAIRN_GOAL_RANGE, "numbers by their range; that of a 0/1 column is 1"},
    {NULL, 0, NULL},
};

/* -- which they are -- */

static int by_name(const void *a, const void *b)
{
    const cairn_goal_field *x = a, *y = b;
    return strcmp(x->field->name, y->field->name);
}

cairn_status cairn_goal_fields(cairn_context *ctx, cairn_goal_field **out, size_t *n,
                               size_t *n_goals, const cairn_schema *schema)
{
    cairn_role role = cairn_schema_role(schema, CAIRN_TARGET) >= 0 ? CAIRN_TARGET : CAIRN_FEATURE;
    *n = *n_goals = 0;
    CHECK(SCRATCH(ctx, out, schema->n_fields + 1));
    for (size_t i = 0; i < schema->n_fields; i++)
        if ((cairn_role)schema->fields[i].role == role) (*out)[(*n)++].field = &schema->fields[i];
    /* by name: the order of the targets does not change a tree */
    qsort(*out, *n, sizeof **out, by_name);
    for (size_t i = 0; i < *n; i++) {
        cairn_goal_field *goal = &(*out)[i];
        goal->first = *n_goals;
        goal->n = goal->field->kind == CAIRN_LEVEL ? goal->field->names.n : 1;
        *n_goals += goal->n;
    }
    return CAIRN_OK;
}

/* The columns of the fields, found by name without asking every column for every name. */
static cairn_status find_columns(cairn_context *ctx, const cairn_column ***out,
                                 const cairn_view *view, const cairn_goal_field *fields, size_t n)
{
    const cairn_table *table = view->table;
    cairn_map names = {0};
    size_t index;
    cairn_status status;
    TRY(SCRATCH(ctx, out, n + 1));
    for (size_t i = 0; i < table->n_columns; i++)
        TRY(cairn_map_add(ctx, &names, table->slots[i].name, strlen(table->slots[i].name), &index));
    for (size_t i = 0; i < n; i++) {
        const char *name = fields[i].field->name;
        (*out)[i] = table->slots[cairn_map_find(&names, name, strlen(name))].column;
    }
done:
    cairn_map_clear(&names);
    return status;
}

cairn_status cairn_goals_make(cairn_context *ctx, cairn_goals *out, const cairn_view *view,
                              const cairn_schema *schema)
{
    cairn_goal_field *fields = NULL;
    const cairn_column **columns = NULL;
    size_t n = 0;
    bool found = !out->category;
    CHECK(cairn_goal_fields(ctx, &fields, &n, &out->n_goals, schema));
    CHECK(find_columns(ctx, &columns, view, fields, n));
    CHECK(SCRATCH(ctx, &out->targets, n + 1));
    out->answer = -1;
    out->n_stats = 1;
    for (size_t i = 0; i < n; i++) {
        cairn_goal_target *target = &out->targets[out->n_targets++];
        const cairn_column *column = columns[i];
        *target = (cairn_goal_target){.name = fields[i].field->name,
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
        out->n_stats += target->is_level ? target->n : 2;
        CHECK(SCRATCH(ctx, &target->scale, target->n + 1));
        found |= target->is_level && out->category &&
                 cairn_map_find(&column->names, out->category, strlen(out->category)) >= 0;
    }
    if (!found)
        CHECK(cairn_fail(ctx, CAIRN_USAGE, "--target-category: no target has the level '%s'",
                         out->category));
    return CAIRN_OK;
}

bool cairn_goals_known(const cairn_goals *goals, size_t row)
{
    if (goals->matrix) return true;
    if (goals->planes) return !isnan(goals->y->numbers[row]);
    for (size_t t = 0; t < goals->n_targets; t++)
        if (!cairn_column_is_missing(goals->targets[t].column, row)) return true;
    return false;
}

/* -- units -- */

/* Mean and grid of a number, its least and greatest value and its variance. */
static void measure_number(const cairn_coded *data, cairn_goal_target *target, size_t t,
                           double *range, double *variance)
{
    size_t step = data->goals->n_targets;
    double weight = 0, sum = 0, low = INFINITY, high = -INFINITY, squares = 0, total = 0;
    for (size_t i = 0; i < data->n_rows; i++) {
        double y = data->goal_values[i * step + t], w = cairn_coded_weight(data, i);
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
        double away = data->goal_values[i * step + t] - target->centre;
        if (!isnan(away)) squares += cairn_coded_weight(data, i) * away * away;
    }
    *range = weight > 0 ? high - low : 0;
    *variance = weight > 0 ? squares / weight : 0;
}

static double unit_of_number(cairn_goal_scale kind, double range, double variance)
{
    if (kind == CAIRN_GOAL_NONE) return 1;
    if (kind == CAIRN_GOAL_RANGE) return range * range;
    return variance;
}

static double unit_of_level(cairn_goal_scale kind, double p)
{
    if (kind == CAIRN_GOAL_SPREAD) return p;
    if (kind == CAIRN_GOAL_BERNOULLI) return p * (1 - p);
    return 1;
}

/* 1 / b^2 of all columns of a target. */
static void scale_target(const cairn_coded *data, cairn_goal_target *target, size_t t,
                         double *counts)
{
    const cairn_goals *goals = data->goals;
    double range, variance, weight = 0;
    if (!target->is_level) {
        measure_number(data, target, t, &range, &variance);
        double unit = unit_of_number(goals->kind, range, variance);
        target->scale[0] = unit > 0 && !goals->category ? 1 / unit : 0;
        return;
    }
    memset(counts, 0, target->n * sizeof *counts);
    for (size_t i = 0; i < data->n_rows; i++) {
        double code = data->goal_values[i * goals->n_targets + t];
        if (isnan(code)) continue;
        counts[(size_t)code] += cairn_coded_weight(data, i);
        weight += cairn_coded_weight(data, i);
    }
    for (size_t l = 0; l < target->n; l++) {
        double unit = weight > 0 ? unit_of_level(goals->kind, counts[l] / weight) : 0;
        bool counted = !goals->category ||
                       strcmp(cairn_map_key(&target->column->names, l), goals->category) == 0;
        target->scale[l] = unit > 0 && counted ? 1 / unit : 0;
    }
}

cairn_status cairn_goals_take(cairn_context *ctx, cairn_coded *data, cairn_goals *goals)
{
    size_t n = goals->n_targets, most = 0;
    double *counts = NULL;
    CHECK(NEW_RAW(ctx, &data->goal_values, cairn_product(data->n_rows, cairn_goals_step(goals))));
    if (goals->matrix) {
        for (size_t i = 0; i < data->n_rows; i++) data->goal_values[i] = data->table_rows[i];
        return CAIRN_OK;
    }
    if (goals->planes) {
        cairn_planes_take(data, goals);
        return CAIRN_OK;
    }
    for (size_t t = 0; t < n; t++) {
        const cairn_goal_target *target = &goals->targets[t];
        most = target->n > most ? target->n : most;
        for (size_t i = 0; i < data->n_rows; i++) {
            size_t row = data->table_rows[i];
            double *value = &data->goal_values[i * n + t];
            if (target->is_level)
                *value = target->column->codes[row] < 0 ? NAN : target->column->codes[row];
            else
                *value = target->column->numbers[row];
        }
    }
    CHECK(SCRATCH_RAW(ctx, &counts, most + goals->n_stats));
    for (size_t t = 0; t < n; t++) scale_target(data, &goals->targets[t], t, counts);
    /* the unit of ties */
    cairn_node_rows all = {.n = data->n_rows, .weights = data->weights};
    uint32_t *rows = NULL;
    CHECK(SCRATCH_RAW(ctx, &rows, data->n_rows));
    for (size_t i = 0; i < data->n_rows; i++) rows[i] = (uint32_t)i;
    all.rows = rows;
    data->spread = cairn_goals_spread(data, &all, counts, NULL);
    if (!(data->spread > 0)) data->spread = 1;
    return CAIRN_OK;
}

cairn_status cairn_goals_take_rows(cairn_context *ctx, cairn_coded *out, const cairn_coded *data,
                                   const uint32_t *rows, size_t n)
{
    size_t step = cairn_goals_step(data->goals);
    CHECK(SCRATCH_RAW(ctx, &out->goal_values, cairn_product(n, step)));
    for (size_t i = 0; i < n; i++)
        memcpy(out->goal_values + i * step, data->goal_values + rows[i] * step,
               step * sizeof *out->goal_values);
    return CAIRN_OK;
}

/* -- sums -- */

void cairn_goals_add(double *cell, const cairn_coded *data, uint32_t row, double weight)
{
    const cairn_goals *goals = data->goals;
    const double *values = data->goal_values + (size_t)row * goals->n_targets;
    if (goals->planes) {
        cairn_planes_add(cell, data, row, weight);
        return;
    }
    cell[0] += weight;
    if (goals->matrix) return;
    for (size_t t = 0; t < goals->n_targets; t++) {
        const cairn_goal_target *target = &goals->targets[t];
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

static double level_weight(const double *counts, size_t n)
{
    double sum = 0;
    for (size_t l = 0; l < n; l++) sum += counts[l];
    return sum;
}

/* sum_k w_k (mean_k - mean)^2 of a number */
static double number_gain(const cairn_goals *goals, const cairn_goal_target *target,
                          const double *cells, size_t n_parts)
{
    double weight = 0, sum = 0, result = 0;
    for (size_t k = 0; k < n_parts; k++) {
        weight += cells[k * goals->n_stats + target->at];
        sum += cells[k * goals->n_stats + target->at + 1];
    }
    for (size_t k = 0; k < n_parts; k++) {
        const double *part = cells + k * goals->n_stats + target->at;
        if (!(part[0] > 0)) continue;
        double away = part[1] / part[0] - sum / weight;
        result += part[0] * away * away;
    }
    return result * target->scale[0];
}

/* The fall of an impurity, times the weight. */
static double impurity_gain(const cairn_goals *goals, const cairn_goal_target *target,
                            const double *cells, size_t n_parts, const double *total)
{
    double result =
        level_weight(total, target->n) * cairn_impurity_of(goals->impurity, total, target->n);
    for (size_t k = 0; k < n_parts; k++) {
        const double *part = cells + k * goals->n_stats + target->at;
        double weight = level_weight(part, target->n);
        if (weight > 0) result -= weight * cairn_impurity_of(goals->impurity, part, target->n);
    }
    return result;
}

static double level_gain(const cairn_goals *goals, const cairn_goal_target *target,
                         const double *cells, size_t n_parts, double *total)
{
    double result = 0;
    memset(total, 0, target->n * sizeof *total);
    for (size_t k = 0; k < n_parts; k++)
        for (size_t l = 0; l < target->n; l++)
            total[l] += cells[k * goals->n_stats + target->at + l];
    if (goals->kind == CAIRN_GOAL_IMPURITY && !goals->category)
        return impurity_gain(goals, target, cells, n_parts, total);
    double weight = level_weight(total, target->n);
    for (size_t k = 0; k < n_parts; k++) {
        const double *part = cells + k * goals->n_stats + target->at;
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

double cairn_goals_gain(const cairn_goals *goals, const double *cells, size_t n_parts,
                        double *total)
{
    double weight = 0, sum = 0;
    if (goals->planes) return cairn_planes_gain(goals, cells, n_parts, total);
    for (size_t k = 0; k < n_parts; k++) weight += cells[k * goals->n_stats];
    for (size_t t = 0; t < goals->n_targets; t++) {
        const cairn_goal_target *target = &goals->targets[t];
        sum += target->is_level ? level_gain(goals, target, cells, n_parts, total)
                                : number_gain(goals, target, cells, n_parts);
    }
    return weight > 0 ? sum / weight : 0;
}

/* -- cuts that cannot be the best -- */

/* Targets of fewer levels are judged at once. */
enum { SCREENED_LEVELS = 32 };

/* Whether the gain of levels is told by squares; else by x log2 x. */
static bool by_squares(const cairn_goals *goals)
{
    return goals->kind != CAIRN_GOAL_IMPURITY || goals->category || goals->impurity == CAIRN_GINI;
}

static double times_log(double x)
{
    return x > 0 ? x * log2(x) : 0;
}

static double level_term(const cairn_goals *goals, const cairn_goal_target *target, size_t level,
                         double count)
{
    bool scaled = goals->kind != CAIRN_GOAL_IMPURITY || goals->category;
    if (!by_squares(goals)) return times_log(count);
    return (scaled ? target->scale[level] : 1) * count * count;
}

void cairn_goal_screen_start(cairn_goal_screen *screen, const cairn_coded *data, const double *left,
                             const double *known, double *room)
{
    const cairn_goals *goals = data->goals;
    *screen = (cairn_goal_screen){.data = data, .left = left, .known = known};
    if (!goals || goals->planes || goals->matrix || goals->n_stats < SCREENED_LEVELS) return;
    if (!by_squares(goals) && goals->impurity != CAIRN_ENTROPY) return;
    screen->on = true;
    for (size_t k = 0; k < 2; k++) {
        screen->sums[k] = room + k * goals->n_targets;
        screen->weights[k] = room + (2 + k) * goals->n_targets;
    }
    screen->totals = room + 4 * goals->n_targets;
    memset(room, 0, 5 * goals->n_targets * sizeof *room);
    for (size_t t = 0; t < goals->n_targets; t++) {
        const cairn_goal_target *target = &goals->targets[t];
        for (size_t l = 0; target->is_level && l < target->n; l++) {
            screen->sums[1][t] += level_term(goals, target, l, known[target->at + l]);
            screen->weights[1][t] += known[target->at + l];
        }
        screen->totals[t] = screen->sums[1][t];
    }
}

void cairn_goal_screen_move(cairn_goal_screen *screen, uint32_t row, double weight)
{
    const cairn_goals *goals = screen->data->goals;
    const double *values = screen->data->goal_values + (size_t)row * goals->n_targets;
    for (size_t t = 0; t < goals->n_targets; t++) {
        const cairn_goal_target *target = &goals->targets[t];
        if (!target->is_level || isnan(values[t])) continue;
        size_t level = (size_t)values[t];
        double left = screen->left[target->at + level];
        double right = screen->known[target->at + level] - left;
        screen->sums[0][t] += level_term(goals, target, level, left + weight) -
                              level_term(goals, target, level, left);
        screen->sums[1][t] += level_term(goals, target, level, right - weight) -
                              level_term(goals, target, level, right);
        screen->weights[0][t] += weight;
        screen->weights[1][t] -= weight;
    }
}

/* What a number gains, from the sums themselves. */
static double number_between(const cairn_goal_screen *screen, const cairn_goal_target *target)
{
    const double *left = screen->left + target->at, *known = screen->known + target->at;
    double rest = known[0] - left[0];
    if (!(left[0] > 0) || !(rest > 0)) return 0;
    double away = left[1] / left[0] - (known[1] - left[1]) / rest;
    return target->scale[0] * left[0] * rest / known[0] * away * away;
}

double cairn_goal_screen_gain(const cairn_goal_screen *screen, double *error)
{
    const cairn_goals *goals = screen->data->goals;
    double gain = 0, size = 0; /* `size` is that of the terms, for rounding errors */
    for (size_t t = 0; t < goals->n_targets; t++) {
        const cairn_goal_target *target = &goals->targets[t];
        if (!target->is_level) {
            gain += number_between(screen, target);
            continue;
        }
        double whole = screen->weights[0][t] + screen->weights[1][t], sum = screen->totals[t];
        for (size_t k = 0; k < 2; k++) {
            double weight = screen->weights[k][t], term = screen->sums[k][t];
            if (!(weight > 0)) continue;
            double part = by_squares(goals) ? term / weight : term - times_log(weight);
            gain += part;
            size += fabs(term) / (by_squares(goals) ? weight : 1) + times_log(1 + weight);
        }
        if (whole > 0) gain -= by_squares(goals) ? sum / whole : sum - times_log(whole);
    }
    double weight = screen->known[0];
    *error = weight > 0 ? 1e-9 * (size + fabs(gain)) / weight : INFINITY;
    return weight > 0 ? gain / weight : 0;
}

/* -- nodes -- */

static void sum_rows(const cairn_coded *data, const cairn_node_rows *rows, double *sums)
{
    memset(sums, 0, data->goals->n_stats * sizeof *sums);
    for (size_t i = 0; i < rows->n; i++)
        cairn_goals_add(sums, data, rows->rows[i], cairn_entry_weight(data, rows, i));
}

/* Sum of squared deviations of a number. */
static double squares_of(const cairn_coded *data, const cairn_node_rows *rows, size_t t,
                         double mean)
{
    double sum = 0;
    for (size_t i = 0; i < rows->n; i++) {
        double away = data->goal_values[rows->rows[i] * data->goals->n_targets + t] - mean;
        if (!isnan(away)) sum += cairn_entry_weight(data, rows, i) * away * away;
    }
    return sum;
}

static double mean_of(const cairn_goal_target *target, const double *sums)
{
    return target->centre + sums[target->at + 1] / sums[target->at];
}

/* The part of a target in what a node disagrees in, times the weight. */
static double target_spread(const cairn_coded *data, const cairn_node_rows *rows, size_t t,
                            const double *sums)
{
    const cairn_goals *goals = data->goals;
    const cairn_goal_target *target = &goals->targets[t];
    const double *own = sums + target->at;
    double result = 0;
    if (!target->is_level) {
        if (!(own[0] > 0) || !(target->scale[0] > 0)) return 0;
        return target->scale[0] * squares_of(data, rows, t, mean_of(target, sums));
    }
    double weight = level_weight(own, target->n);
    if (!(weight > 0)) return 0;
    if (goals->kind == CAIRN_GOAL_IMPURITY && !goals->category)
        return weight * cairn_impurity_of(goals->impurity, own, target->n);
    for (size_t l = 0; l < target->n; l++)
        result += target->scale[l] * own[l] * (1 - own[l] / weight);
    return result;
}

double cairn_goals_spread(const cairn_coded *data, const cairn_node_rows *rows, double *sums,
                          double *by)
{
    double result = 0;
    if (rows->n == 0) return 0;
    if (data->goals->matrix) return cairn_goals_pairs(data, rows);
    sum_rows(data, rows, sums);
    for (size_t t = 0; t < data->goals->n_targets; t++) {
        double part = target_spread(data, rows, t, sums) / sums[0];
        if (by) by[t] = part;
        result += part;
    }
    return result;
}

/* Whether all rows that have a target that counts agree in it. */
static bool agree(const cairn_coded *data, const cairn_node_rows *rows)
{
    size_t n = data->goals->n_targets;
    for (size_t t = 0; t < n; t++) {
        const cairn_goal_target *target = &data->goals->targets[t];
        double first = NAN;
        for (size_t i = 0; i < rows->n; i++) {
            double value = data->goal_values[rows->rows[i] * n + t];
            if (isnan(value)) continue;
            if (target->is_level && data->goals->category)
                value = target->scale[(size_t)value] > 0;
            else if (!target->is_level && !(target->scale[0] > 0))
                break;
            if (isnan(first)) first = value;
            if (value != first) return false;
        }
    }
    return true;
}

static double first_value(const cairn_coded *data, const cairn_node_rows *rows, size_t t)
{
    for (size_t i = 0; i < rows->n; i++) {
        double value = data->goal_values[rows->rows[i] * data->goals->n_targets + t];
        if (!isnan(value)) return value;
    }
    return NAN;
}

/* The mean of the numbers as they are, rounding errors being added up beside the sum; numbers that
 * are all the same are their own mean. */
static double exact_mean(const cairn_coded *data, const cairn_node_rows *rows, size_t t)
{
    double sum = 0, error = 0, weight = 0, first = first_value(data, rows, t);
    bool same = true;
    for (size_t i = 0; i < rows->n; i++) {
        double y = data->goal_values[rows->rows[i] * data->goals->n_targets + t];
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

static void fill_vector(double *vector, const cairn_coded *data, const cairn_node_rows *rows,
                        const double *above, const double *sums)
{
    for (size_t t = 0; t < data->goals->n_targets; t++) {
        const cairn_goal_target *target = &data->goals->targets[t];
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

void cairn_goals_total(double *vector, cairn_tree_node *node, bool *pure, const cairn_coded *data,
                       cairn_node_rows *rows, const double *above, double *sums)
{
    const cairn_goals *goals = data->goals;
    if (goals->planes) {
        cairn_planes_total(node, pure, data, rows, sums);
        return;
    }
    sum_rows(data, rows, sums);
    node->label = -1;
    node->weight = sums[0];
    if (goals->matrix) {
        rows->mixed = cairn_goals_pairs(data, rows);
        node->error = rows->mixed * node->weight;
        *pure = !(rows->mixed > CAIRN_TREE_TIE);
        return;
    }
    if (data->near) rows->mixed = cairn_goals_pairs(data, rows);
    *pure = agree(data, rows);
    fill_vector(vector, data, rows, above, sums);
    if (goals->answer >= 0 && !goals->targets[goals->answer].is_level) {
        size_t t = (size_t)goals->answer;
        node->error = squares_of(data, rows, t, vector[goals->targets[t].first]);
        return;
    }
    for (size_t t = 0; t < goals->n_targets; t++) node->error += target_spread(data, rows, t, sums);
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
