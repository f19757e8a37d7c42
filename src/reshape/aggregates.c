/* SPDX-License-Identifier: MIT */
/* The aggregates. A weight counts as often as it says: a row of weight 2 is two rows. */
#include "reshape/aggregate.h"

#include "base/text.h"
#include "stats/quantile.h"

#include <math.h>
#include <string.h>

static double weight_of(const cairn_group *g, uint32_t row)
{
    return g->weights ? g->weights[row] : 1;
}

static double count_rows(const cairn_group *g)
{
    return (double)g->n;
}

static double count_cells(const cairn_group *g)
{
    double sum = 0;
    if (!g->weights && (!g->column || !g->column->n_missing)) return (double)g->n;
    for (size_t i = 0; i < g->n; i++)
        if (!g->column || !cairn_column_is_missing(g->column, g->rows[i]))
            sum += weight_of(g, g->rows[i]);
    return sum;
}

static double count_missing(const cairn_group *g)
{
    double sum = 0;
    if (!g->column->n_missing) return 0;
    for (size_t i = 0; i < g->n; i++)
        if (cairn_column_is_missing(g->column, g->rows[i])) sum += weight_of(g, g->rows[i]);
    return sum;
}

/* Sum of the values and of their weights. */
static double sum_cells(const cairn_group *g, double *weight)
{
    const double *numbers = g->column->numbers;
    double sum = 0, total = 0;
    size_t n = 0;
    for (size_t i = 0; i < g->n; i++) {
        double x = numbers[g->rows[i]];
        if (x != x) continue;
        n++;
        if (!g->weights) {
            sum += x;
            continue;
        }
        sum += g->weights[g->rows[i]] * x;
        total += g->weights[g->rows[i]];
    }
    *weight = g->weights ? total : (double)n;
    return sum;
}

static double sum_of(const cairn_group *g)
{
    double weight;
    return sum_cells(g, &weight);
}

/* What a share is a share of: the sum of the column, or the rows. */
static double part_of(const cairn_group *g)
{
    return g->column ? sum_of(g) : count_cells(g);
}

static double mean_of(const cairn_group *g)
{
    double weight, sum = sum_cells(g, &weight);
    return weight > 0 ? sum / weight : NAN;
}

/* Around the mean, over the rows less one. */
static double variance_of(const cairn_group *g)
{
    const double *numbers = g->column->numbers;
    double weight, mean = sum_cells(g, &weight) / weight, sum = 0;
    if (!(weight > 1)) return NAN;
    for (size_t i = 0; i < g->n; i++) {
        double d = numbers[g->rows[i]] - mean;
        if (d == d) sum += weight_of(g, g->rows[i]) * (d * d);
    }
    return sum / (weight - 1);
}

static double deviation_of(const cairn_group *g)
{
    return sqrt(variance_of(g));
}

static double quantile_of(const cairn_group *g)
{
    double *values = g->buffer, *weights = g->buffer + g->n;
    for (size_t i = 0; i < g->n_cells; i++) {
        values[i] = g->cells[i].value;
        weights[i] = weight_of(g, g->cells[i].row);
    }
    if (!g->weights) return cairn_quantile(values, g->n_cells, g->parameter, CAIRN_QUANTILE_LINEAR);
    return cairn_weighted_quantile(values, weights, g->n_cells, g->parameter,
                                   CAIRN_QUANTILE_LINEAR);
}

static double median_of(const cairn_group *g)
{
    cairn_group half = *g;
    half.parameter = 0.5;
    return quantile_of(&half);
}

static double count_distinct(const cairn_group *g)
{
    double n = 0;
    for (size_t i = 0; i < g->n_cells; i++)
        n += i == 0 || g->cells[i].value != g->cells[i - 1].value;
    return n;
}

/* The value of most weight; of several the one that comes first in the rows. */
static uint32_t mode_row(const cairn_group *g)
{
    uint32_t best = CAIRN_NO_ROW;
    double most = 0;
    for (size_t i = 0, end; i < g->n_cells; i = end) {
        double weight = 0;
        for (end = i; end < g->n_cells && g->cells[end].value == g->cells[i].value; end++)
            weight += weight_of(g, g->cells[end].row);
        if (weight > most || (weight == most && g->cells[i].row < best)) {
            best = g->cells[i].row;
            most = weight;
        }
    }
    return best;
}

/* The first row whose value goes beyond that of all before it, in the direction of `sign`. */
static uint32_t extreme_row(const cairn_group *g, double sign)
{
    const cairn_column *c = g->column;
    uint32_t best = CAIRN_NO_ROW;
    double most = 0;
    for (size_t i = 0; i < g->n; i++) {
        uint32_t row = g->rows[i];
        double x = c->numbers ? c->numbers[row] : c->codes[row] < 0 ? NAN : c->codes[row];
        if (x != x || (best != CAIRN_NO_ROW && !(sign * x > most))) continue;
        best = row;
        most = sign * x;
    }
    return best;
}

static uint32_t min_row(const cairn_group *g)
{
    return extreme_row(g, -1);
}

static uint32_t max_row(const cairn_group *g)
{
    return extreme_row(g, 1);
}

static uint32_t first_row(const cairn_group *g)
{
    for (size_t i = 0; i < g->n; i++)
        if (!cairn_column_is_missing(g->column, g->rows[i])) return g->rows[i];
    return CAIRN_NO_ROW;
}

static uint32_t last_row(const cairn_group *g)
{
    for (size_t i = g->n; i-- > 0;)
        if (!cairn_column_is_missing(g->column, g->rows[i])) return g->rows[i];
    return CAIRN_NO_ROW;
}

enum {
    NUMBER = 1 << CAIRN_NUMBER,
    TIME = 1 << CAIRN_TIME,
    LEVEL = 1 << CAIRN_LEVEL,
    WORDS = LEVEL | 1 << CAIRN_TEXT,
    ANY = NUMBER | TIME | WORDS | 1 << CAIRN_BAG | 1 << CAIRN_SEQUENCE | 1 << CAIRN_SERIES
};

static const cairn_aggregate aggregates[] = {
    {.name = "count",
     .help = "rows; of a column, those that are not missing",
     .kinds = ANY,
     .optional = true,
     .number = count_cells},
    {.name = "rows", .help = "rows, whatever their weights", .number = count_rows},
    {.name = "missing", .help = "missing cells", .kinds = ANY, .number = count_missing},
    {.name = "sum", .help = "sum", .kinds = NUMBER, .number = sum_of},
    {.name = "mean", .help = "mean", .kinds = NUMBER | TIME, .keeps_time = true, .number = mean_of},
    {.name = "median",
     .help = "median, half way between the two in the middle",
     .kinds = NUMBER | TIME,
     .sorted = true,
     .keeps_time = true,
     .number = median_of},
    {.name = "quantile",
     .help = "the value below which the given share lies: quantile(x, 0.9)",
     .kinds = NUMBER | TIME,
     .parameter = true,
     .sorted = true,
     .keeps_time = true,
     .number = quantile_of},
    {.name = "min",
     .help = "least value",
     .kinds = NUMBER | TIME | LEVEL,
     .ordered = true,
     .row = min_row},
    {.name = "max",
     .help = "greatest value",
     .kinds = NUMBER | TIME | LEVEL,
     .ordered = true,
     .row = max_row},
    {.name = "sd",
     .help = "standard deviation, over n - 1",
     .kinds = NUMBER,
     .number = deviation_of},
    {.name = "var", .help = "variance, over n - 1", .kinds = NUMBER, .number = variance_of},
    {.name = "first", .help = "first value that is not missing", .kinds = ANY, .row = first_row},
    {.name = "last", .help = "last value that is not missing", .kinds = ANY, .row = last_row},
    {.name = "distinct",
     .help = "number of different values",
     .kinds = NUMBER | TIME | WORDS,
     .sorted = true,
     .number = count_distinct},
    {.name = "mode",
     .help = "most frequent value; of several the one that comes first",
     .kinds = NUMBER | TIME | WORDS,
     .sorted = true,
     .row = mode_row},
    {.name = "share",
     .help = "the group's part of all rows; of a column, of its sum",
     .kinds = NUMBER,
     .optional = true,
     .share = true,
     .number = part_of},
};

const cairn_aggregate *cairn_aggregate_at(size_t i)
{
    return i < sizeof aggregates / sizeof *aggregates ? &aggregates[i] : NULL;
}

const cairn_aggregate *cairn_aggregate_find(const char *name)
{
    for (size_t i = 0; i < sizeof aggregates / sizeof *aggregates; i++)
        if (strcmp(aggregates[i].name, name) == 0) return &aggregates[i];
    return NULL;
}
