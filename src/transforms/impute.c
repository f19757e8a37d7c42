/* SPDX-License-Identifier: MIT */
/* Impute: what is done about missing cells, by what the training rows say.
 *
 *   auto     numbers: mean, median, most common value or 0; levels: most common or a new level
 *   mean, median, new   short for auto with that for numbers or for levels
 *   mode     the most common value of the column, of numbers too
 *   value    a value that is given
 *   nearest  what the t nearest training rows have there (impute_nearest.c)
 *   class    training rows: mean or most common value of the rows of the same class; new rows,
 *            whose class is not known: that of all rows
 *   delete   training rows that lack a value are left out (impute_rows.c)
 *   every    training rows that lack a value stand once for every value it can have: the levels of
 *            the column, or the numbers that it is seen to have
 *
 * Ties between levels go to the first in the order of the levels, between numbers to the one that
 * comes first, and the steps say so. A column without any value cannot be filled and fails with
 * advice. Columns that have nothing to fill are shared, not copied. Cost: one or two passes. */
#include "base/number.h"
#include "base/sort_by.h"
#include "data/column.h"
#include "data/ledger.h"
#include "report/table_rows.h"
#include "stats/quantile.h"
#include "transforms/impute.h"
#include "transforms/levels.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Missing cells that change the rows: rows that lack a value are left out, or stand once for every
 * value that the cell can have. */

enum { MOST_ROWS = 100000000 };

/* The slots of the columns that have missing cells, in scratch. */
static cairn_status open_columns(cairn_context *ctx, const cairn_map *columns,
                                 const cairn_table *table, size_t **out, size_t *n)
{
    *n = 0;
    CHECK(SCRATCH(ctx, out, columns->n + 1));
    for (size_t i = 0, at = 0; i < columns->n; i++) {
        CHECK(cairn_next_column(ctx, table, cairn_map_key(columns, i), &at));
        if (table->slots[at].column->n_missing) (*out)[(*n)++] = at;
    }
    return CAIRN_OK;
}

/* Training rows without a missing cell in the columns. */
static cairn_status cairn_impute_delete(cairn_context *ctx, cairn_table **out,
                                        const cairn_map *columns, const cairn_table *table)
{
    size_t n_open, *open, n = 0;
    uint32_t *rows;
    CHECK(open_columns(ctx, columns, table, &open, &n_open));
    if (n_open == 0) return cairn_table_share(ctx, out, table);
    CHECK(SCRATCH_RAW(ctx, &rows, table->n_rows + 1));
    for (size_t i = 0; i < table->n_rows; i++) {
        bool whole = true;
        for (size_t c = 0; c < n_open && whole; c++)
            whole = !cairn_column_is_missing(table->slots[open[c]].column, i);
        if (whole) rows[n++] = (uint32_t)i;
    }
    return cairn_table_take_rows(ctx, out, table, rows, n);
}

/* A column with missing cells and what can stand in them. */
typedef struct open_column {
    size_t at;       /* its slot */
    size_t n;        /* number of values */
    double *numbers; /* of a number column: the distinct ones, ascending; NULL = all levels */
} open_column;

/* A number column has no list of values, so the ones that it is seen to have stand for it. */
static cairn_status distinct_numbers(cairn_context *ctx, open_column *out,
                                     const cairn_column *column)
{
    size_t n = 0;
    CHECK(SCRATCH_RAW(ctx, &out->numbers, column->n_rows + 1));
    for (size_t i = 0; i < column->n_rows; i++)
        if (!isnan(column->numbers[i])) out->numbers[n++] = column->numbers[i];
    qsort(out->numbers, n, sizeof *out->numbers, cairn_by_number);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || out->numbers[i] != out->numbers[i - 1])
            out->numbers[out->n++] = out->numbers[i];
    return CAIRN_OK;
}

static cairn_status list_values(cairn_context *ctx, open_column *out, const cairn_slot *slot)
{
    if (slot->column->kind == CAIRN_NUMBER)
        CHECK(distinct_numbers(ctx, out, slot->column));
    else
        out->n = slot->column->names.n;
    if (out->n == 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "impute: column '%s' has no value in any training row, so there is "
                          "nothing to put into it; leave it out with {ignore}",
                          slot->name);
    return CAIRN_OK;
}

/* How many rows a row becomes. */
static double copies_of(const cairn_table *table, const open_column *open, size_t n_open,
                        size_t row)
{
    double n = 1;
    for (size_t c = 0; c < n_open; c++)
        if (cairn_column_is_missing(table->slots[open[c].at].column, row)) n *= (double)open[c].n;
    return n;
}

static cairn_status count_copies(cairn_context *ctx, const cairn_table *table,
                                 const open_column *open, size_t n_open, size_t *out)
{
    double total = 0;
    for (size_t i = 0; i < table->n_rows; i++) {
        total += copies_of(table, open, n_open, i);
        if (total > MOST_ROWS)
            return cairn_fail(
                ctx, CAIRN_BAD_DATA,
                "impute: every possible value makes more than %d rows by row %zu; name "
                "fewer columns, or group their levels or cut their numbers into bins first",
                MOST_ROWS, i + 1);
    }
    *out = (size_t)total;
    return CAIRN_OK;
}

/* A writable copy of a column. */
static cairn_status own_column(cairn_context *ctx, cairn_table *table, size_t at)
{
    const cairn_column *from = table->slots[at].column;
    cairn_column *column = NULL;
    cairn_status status;
    TRY(cairn_column_new(ctx, &column, from->kind, from->n_rows));
    TRY(cairn_map_copy(ctx, &column->names, &from->names));
    column->ordered = from->ordered;
    column->declared = from->declared;
    for (size_t i = 0; i < from->n_rows; i++)
        if (from->kind == CAIRN_NUMBER)
            column->numbers[i] = from->numbers[i];
        else
            column->codes[i] = from->codes[i];
    cairn_table_replace_column(table, at, column);
    return CAIRN_OK;
done:
    cairn_column_drop(column);
    return status;
}

/* Weights so that the copies of a row count as much as the row did. */
static cairn_status share_weights(cairn_context *ctx, cairn_table *made, const uint32_t *rows)
{
    cairn_column *column;
    ptrdiff_t at = cairn_table_role_column(made, CAIRN_WEIGHT);
    const double *weights = at < 0 ? NULL : made->slots[at].column->numbers;
    const char *name = cairn_table_find(made, "weight") < 0 ? "weight" : "(weight)";
    CHECK(cairn_column_new(ctx, &column, CAIRN_NUMBER, made->n_rows));
    for (size_t begin = 0, end; begin < made->n_rows; begin = end) {
        for (end = begin + 1; end < made->n_rows && rows[end] == rows[begin];) end++;
        for (size_t i = begin; i < end; i++)
            column->numbers[i] = (weights ? weights[i] : 1) / (double)(end - begin);
    }
    if (at >= 0)
        cairn_table_replace_column(made, (size_t)at, column);
    else
        CHECK(cairn_table_add_column(ctx, made, name, CAIRN_WEIGHT, column));
    return CAIRN_OK;
}

/* Every training row once for each combination of values that its missing cells can have. */
static cairn_status cairn_impute_every(cairn_context *ctx, cairn_table **out,
                                       const cairn_map *columns, bool share,
                                       const cairn_table *table)
{
    OWNED(cairn_table_free) cairn_table *made = NULL;
    size_t n_open, *slots, n_rows, at = 0;
    open_column *open;
    uint32_t *rows;
    CHECK(open_columns(ctx, columns, table, &slots, &n_open));
    CHECK(SCRATCH(ctx, &open, n_open + 1));
    for (size_t c = 0; c < n_open; c++) {
        open[c].at = slots[c];
        CHECK(list_values(ctx, &open[c], &table->slots[slots[c]]));
    }
    CHECK(count_copies(ctx, table, open, n_open, &n_rows));
    CHECK(SCRATCH_RAW(ctx, &rows, n_rows + 1));
    for (size_t i = 0; i < table->n_rows; i++) {
        double copies = copies_of(table, open, n_open, i);
        for (double c = 0; c < copies; c++) rows[at++] = (uint32_t)i;
    }
    CHECK(cairn_table_take_rows(ctx, &made, table, rows, n_rows));
    for (size_t c = 0; c < n_open; c++) CHECK(own_column(ctx, made, open[c].at));
    /* The copies of a row follow each other: the last column that misses changes fastest. */
    size_t copy = 0;
    for (size_t i = 0; i < made->n_rows; i++) {
        copy = i && rows[i] == rows[i - 1] ? copy + 1 : 0;
        size_t rest = copy;
        for (size_t c = n_open; c-- > 0;) {
            cairn_column *column = made->slots[open[c].at].column;
            if (!cairn_column_is_missing(column, i)) continue;
            if (open[c].numbers)
                column->numbers[i] = open[c].numbers[rest % open[c].n];
            else
                column->codes[i] = (int32_t)(rest % open[c].n);
            rest /= open[c].n;
        }
    }
    if (share) CHECK(share_weights(ctx, made, rows));
    *out = TAKE(made);
    return CAIRN_OK;
}

typedef enum { FILL_MEAN, FILL_MEDIAN, FILL_ZERO, FILL_MOST_COMMON } number_fill;
typedef enum { FILL_LEVEL, FILL_NEW } level_fill;

static const cairn_choice methods[] = {
    {"auto", CAIRN_FILL_AUTO, "as numbers= and levels= say"},
    {"mean", CAIRN_FILL_MEAN, "numbers by their mean, levels as levels= says"},
    {"median", CAIRN_FILL_MEDIAN, "numbers by their median, levels as levels= says"},
    {"new", CAIRN_FILL_NEW, "levels by a level of their own, numbers as numbers= says"},
    {"mode", CAIRN_FILL_MODE, "the most common value, of numbers and levels"},
    {"value", CAIRN_FILL_VALUE, "the value= that is given"},
    {"nearest", CAIRN_FILL_NEAREST, "mean or most common value of the t nearest training rows"},
    {"class", CAIRN_FILL_CLASS,
     "in training rows those of the row's class, in new rows those of all"},
    {"delete", CAIRN_FILL_DELETE, "leave training rows out that lack a value"},
    {"every", CAIRN_FILL_EVERY,
     "repeat training rows with every value that can stand there: every level, or every number "
     "that the column has"},
    {0},
};
static const cairn_choice number_fills[] = {
    {"mean", FILL_MEAN, "the weighted mean of the training rows"},
    {"median", FILL_MEDIAN, "the middle value, which outliers do not move"},
    {"zero", FILL_ZERO, "the number 0"},
    {"mode", FILL_MOST_COMMON, "the most common value, the first of equals"},
    {0},
};
static const cairn_choice level_fills[] = {
    {"mode", FILL_LEVEL, "the most common level, the first of equals"},
    {"new", FILL_NEW, "a level of its own, called (missing) unless value= names it"},
    {0},
};
static const cairn_choice distances[] = {
    {"gower", CAIRN_DISTANCE_GOWER,
     "mean over the columns of |x - y| / range, and of 0 or 1 for levels"},
    {"euclidean", CAIRN_DISTANCE_EUCLIDEAN,
     "over the columns that both rows have, numbers as they are"},
    {0},
};

static const cairn_param impute_param_table[] = {
    CAIRN_PARAM_CHOICE(cairn_impute_params, method, "auto", methods,
                       "what is done about missing cells"),
    CAIRN_PARAM_AS(cairn_impute_params, columns, CAIRN_TYPE_COLUMNS, NULL,
                   "the columns it is for; all number and level features when not given"),
    CAIRN_PARAM_CHOICE(cairn_impute_params, numbers, "mean", number_fills,
                       "what fills number columns", .when = "method=auto|class|new"),
    CAIRN_PARAM_CHOICE(cairn_impute_params, levels, "mode", level_fills, "what fills level columns",
                       .when = "method=auto|mean|median"),
    CAIRN_PARAM(cairn_impute_params, value, NULL, NULL, "what fills, or the name of the new level",
                .when = "method=value|new or levels=new"),
    CAIRN_PARAM_CALLED("k", cairn_impute_params, t, "5", "[1,1000000]", "number of rows",
                       .when = "method=nearest", .was = "t"),
    CAIRN_PARAM_CHOICE(cairn_impute_params, distance, "gower", distances,
                       "how rows are compared, over all number and level features",
                       .when = "method=nearest"),
    CAIRN_PARAM(cairn_impute_params, share, "no", NULL, "the copies of a row share its weight",
                .when = "method=every"),
    CAIRN_PARAM_END,
};

static const char new_level[] = "(missing)";

/* Flags of a column. */
enum { IS_LEVEL = 1, BY_NEAREST = 2 };

typedef struct impute_state {
    cairn_map names;  /* of the columns */
    uint8_t *flags;   /* names.n */
    double *numbers;  /* names.n: what fills a number column */
    cairn_map *words; /* names.n: one key, the level that fills */
    int64_t n_filled; /* cells of the training rows */
    cairn_donors donors;
    /* method class, for the training rows only: names.n x n_classes; NaN = as for all rows */
    double *by_class; /* numbers, or codes of levels */
    size_t n_classes;
} impute_state;

static cairn_status nothing_to_fill_with(cairn_context *ctx, const cairn_view *view, size_t feature)
{
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "column '%s' has no value in any training row, so nothing can fill it; "
                      "leave it out with {ignore \"%s\"}",
                      view->names[feature], view->names[feature]);
}

/* -- what fills a column -- */

static cairn_status median_of(cairn_context *ctx, const cairn_view *view, const double *numbers,
                              double *out)
{
    SCOPED_SCRATCH(ctx);
    double *sorted, *weights;
    size_t n;
    CHECK(cairn_sorted_numbers(ctx, view, numbers, &sorted, &weights, &n));
    *out = cairn_weighted_quantile(sorted, weights, n, 0.5, CAIRN_QUANTILE_LINEAR);
    return CAIRN_OK;
}

/* The most common number, the first seen of equals; *n_ties counts all that are as common. */
static cairn_status common_number(cairn_context *ctx, const cairn_view *view, const double *numbers,
                                  double *out, size_t *n_ties)
{
    SCOPED_SCRATCH(ctx);
    double *sorted, *weights, most = 0;
    size_t n, first = 0;
    *out = NAN;
    *n_ties = 0;
    CHECK(cairn_sorted_numbers(ctx, view, numbers, &sorted, &weights, &n));
    for (size_t begin = 0, end; begin < n; begin = end) {
        double weight = 0;
        for (end = begin; end < n && sorted[end] == sorted[begin]; end++)
            weight += weights ? weights[end] : 1;
        if (weight < most) continue;
        /* The first row of the view that has the number. */
        double x = sorted[begin];
        size_t seen = 0;
        while (seen < view->rows.n && numbers[cairn_view_row(view, seen)] != x) seen++;
        *n_ties = weight > most ? 1 : *n_ties + 1;
        if (weight > most || seen < first) *out = sorted[begin], first = seen;
        most = weight;
    }
    return CAIRN_OK;
}

/* The level of the greatest weight, -1 when there is none. */
static int32_t common_level(const double *weights, size_t n, size_t *n_ties)
{
    size_t best = 0;
    *n_ties = 0;
    for (size_t k = 1; k < n; k++)
        if (weights[k] > weights[best]) best = k;
    if (n == 0 || weights[best] <= 0) return -1;
    for (size_t k = 0; k < n; k++) *n_ties += weights[k] == weights[best];
    return (int32_t)best;
}

static cairn_status given_number(cairn_context *ctx, const char *name, const char *value,
                                 double *out)
{
    if (cairn_number_parse(value, strlen(value), out) && !isnan(*out)) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE,
                      "impute: column '%s' holds numbers, and value=%s is none; name the columns "
                      "it is for with columns=",
                      name, value);
}

/* What fills number columns by this method, and whether levels get one of their own. */
static number_fill number_rule(const cairn_impute_params *p)
{
    switch (p->method) {
    case CAIRN_FILL_AUTO:
    case CAIRN_FILL_CLASS:
    case CAIRN_FILL_NEW: return (number_fill)p->numbers;
    case CAIRN_FILL_MODE: return FILL_MOST_COMMON;
    case CAIRN_FILL_MEDIAN: return FILL_MEDIAN;
    default: return FILL_MEAN;
    }
}

static bool makes_level(const cairn_impute_params *p)
{
    bool may = p->method == CAIRN_FILL_AUTO || p->method == CAIRN_FILL_MEAN ||
               p->method == CAIRN_FILL_MEDIAN;
    return p->method == CAIRN_FILL_NEW || (may && p->levels == FILL_NEW);
}

static cairn_status fill_number(cairn_context *ctx, const cairn_view *view, size_t feature,
                                const cairn_impute_params *p, double mean, double *out,
                                size_t *n_ties)
{
    const double *numbers = view->features[feature]->numbers;
    number_fill how = number_rule(p);
    *n_ties = 0;
    *out = how == FILL_ZERO ? 0 : mean;
    if (p->method == CAIRN_FILL_VALUE)
        return given_number(ctx, view->names[feature], p->value, out);
    if (how == FILL_MEDIAN) CHECK(median_of(ctx, view, numbers, out));
    if (how == FILL_MOST_COMMON) CHECK(common_number(ctx, view, numbers, out, n_ties));
    if (isnan(*out)) return nothing_to_fill_with(ctx, view, feature);
    return CAIRN_OK;
}

static cairn_status fill_level(cairn_context *ctx, const cairn_view *view, size_t feature,
                               const cairn_impute_params *p, cairn_map *out, size_t *n_ties)
{
    double *weights;
    size_t index;
    const cairn_column *column = view->features[feature];
    *n_ties = 0;
    if (makes_level(p) || p->method == CAIRN_FILL_VALUE) {
        const char *name = p->value ? p->value : new_level;
        return cairn_map_add(ctx, out, name, strlen(name), &index);
    }
    CHECK(cairn_level_weights(ctx, view, column, &weights));
    int32_t best = common_level(weights, column->names.n, n_ties);
    if (best < 0) return nothing_to_fill_with(ctx, view, feature);
    return cairn_map_add(ctx, out, cairn_map_key(&column->names, (size_t)best),
                         column->names.lengths[best], &index);
}

/* -- by class -- */

/* A view of the rows of one class, in scratch. */
static cairn_status view_of_class(cairn_context *ctx, cairn_view *out, const cairn_view *view,
                                  int32_t code)
{
    uint32_t *rows;
    double *weights;
    size_t n = 0;
    CHECK(SCRATCH_RAW_EACH(ctx, view->rows.n + 1, &rows, &weights));
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i);
        if (view->target->codes[row] != code) continue;
        weights[n] = view->rows.weights ? view->rows.weights[i] : 1;
        rows[n++] = (uint32_t)row;
    }
    *out = *view;
    out->rows = (cairn_rows){rows, n, view->rows.weights ? weights : NULL};
    return CAIRN_OK;
}

/* The fill value of a column among the rows of one class, which `view` holds; NaN when they have
 * none, and the value of all rows is taken. */
static cairn_status class_value(cairn_context *ctx, const cairn_view *view, size_t feature,
                                const cairn_impute_params *p, double *out)
{
    const cairn_column *column = view->features[feature];
    size_t ties;
    double *weights;
    cairn_moments m;
    if (column->kind == CAIRN_LEVEL) {
        CHECK(cairn_level_weights(ctx, view, column, &weights));
        int32_t best = common_level(weights, column->names.n, &ties);
        *out = best < 0 ? NAN : best;
    } else if (p->numbers == FILL_MEDIAN) {
        CHECK(median_of(ctx, view, column->numbers, out));
    } else if (p->numbers == FILL_MOST_COMMON) {
        CHECK(common_number(ctx, view, column->numbers, out, &ties));
    } else {
        CHECK(cairn_number_moments(ctx, view, column->numbers, &m));
        *out = p->numbers == FILL_ZERO ? 0 : m.mean;
    }
    return CAIRN_OK;
}

/* Fills by class hold for training rows alone, since new rows have no class yet; the heading says
 * so. */
static void show_classes(const cairn_job *job, const impute_state *s, const size_t *chosen)
{
    cairn_report *out = job->steps;
    const cairn_view *view = job->view;
    cairn_report_table_of(out, "Missing cells of training rows become, by class", 0, "l", "column");
    for (size_t c = 0; c < s->n_classes; c++)
        cairn_report_column(out, cairn_level_name(view->target, (int32_t)c), 'r');
    for (size_t i = 0; i < s->names.n; i++) {
        const cairn_column *column = view->features[chosen[i]];
        const char *key = cairn_report_key(out, view->names[chosen[i]]);
        cairn_report_cell(out, view->names[chosen[i]]);
        for (size_t c = 0; c < s->n_classes; c++) {
            double value = s->by_class[i * s->n_classes + c];
            const char *class = cairn_report_key(out, cairn_level_name(view->target, (int32_t)c));
            if (column->kind == CAIRN_NUMBER)
                cairn_report_cell_number(out, value, 0, "impute.%s.%s", key, class);
            else
                cairn_report_cell_word(
                    out, isnan(value) ? "n/a" : cairn_level_name(column, (int32_t)value),
                    "impute.%s.%s", key, class);
        }
    }
    cairn_report_table_end(out);
}

static cairn_status fill_classes(cairn_context *ctx, impute_state *s, const cairn_job *job,
                                 const size_t *chosen)
{
    if (job->task != CAIRN_CLASSIFY || !job->view->target)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "impute: method=class needs a target with classes; name one with "
                          "{target}");
    s->n_classes = job->n_classes;
    CHECK(NEW(ctx, &s->by_class, cairn_product(s->names.n, s->n_classes)));
    for (size_t c = 0; c < s->n_classes; c++) {
        cairn_view part;
        CHECK(view_of_class(ctx, &part, job->view, (int32_t)c));
        for (size_t i = 0; i < s->names.n; i++)
            CHECK(class_value(ctx, &part, chosen[i], job->params,
                              &s->by_class[i * s->n_classes + c]));
    }
    if (job->steps) show_classes(job, s, chosen);
    return CAIRN_OK;
}

/* -- fitting -- */

static bool fills(const cairn_impute_params *p)
{
    return p->method != CAIRN_FILL_DELETE && p->method != CAIRN_FILL_EVERY;
}

/* The column's row in the table of the steps. */
static void show_column(cairn_report *out, const impute_state *s, size_t i, int64_t n_missing,
                        size_t n_ties, const cairn_impute_params *p)
{
    const char *name = cairn_map_key(&s->names, i), *key = cairn_report_key(out, name);
    cairn_report_cells(out, "- missing.$1", name, (double)n_missing);
    if (!fills(p)) return;
    if (s->flags[i] & IS_LEVEL)
        cairn_report_cell_word(out, cairn_map_key(&s->words[i], 0), "fill.%s", key);
    else
        cairn_report_cell_number(out, s->numbers[i], 0, "fill.%s", key);
    if (n_ties > 1)
        cairn_report_cellf(out, "the first of %zu that are as common", n_ties);
    else
        cairn_report_cell(out, "");
    cairn_report_hidden(out, (double)(n_ties > 1 ? n_ties : 0), "ties.%s", key);
}

/* Methods that delete or repeat rows need no fill value, only the count of missing cells; for
 * nearest rows the fill is what remains when no row is near. */
static cairn_status fit_column(cairn_context *ctx, impute_state *s, const cairn_job *job,
                               size_t feature, double mean)
{
    const cairn_impute_params *p = job->params;
    const cairn_view *view = job->view;
    const char *name = view->names[feature];
    size_t index, n_ties = 0;
    int64_t n_missing = 0;
    for (size_t i = 0; view->features[feature]->n_missing && i < view->rows.n; i++)
        n_missing += cairn_column_is_missing(view->features[feature], cairn_view_row(view, i));
    CHECK(cairn_map_add(ctx, &s->names, name, strlen(name), &index));
    s->n_filled += n_missing;
    if (fills(p) && view->features[feature]->kind == CAIRN_LEVEL) {
        s->flags[index] = IS_LEVEL;
        if (s->words[index].n == 0)
            CHECK(fill_level(ctx, view, feature, p, &s->words[index], &n_ties));
    } else if (fills(p)) {
        CHECK(fill_number(ctx, view, feature, p, mean, &s->numbers[index], &n_ties));
    }
    if (p->method == CAIRN_FILL_NEAREST) s->flags[index] |= BY_NEAREST;
    if (job->steps) show_column(job->steps, s, index, n_missing, n_ties, p);
    return CAIRN_OK;
}

static bool needs_means(const cairn_impute_params *p)
{
    return fills(p) && p->method != CAIRN_FILL_VALUE && number_rule(p) == FILL_MEAN;
}

/* Means come from one pass over all columns, and only where the method needs them. */
static cairn_status fit_columns(cairn_context *ctx, impute_state *s, const cairn_job *job,
                                const size_t *chosen, size_t n)
{
    const cairn_impute_params *p = job->params;
    double *means;
    CHECK(SCRATCH(ctx, &means, n + 1));
    for (size_t i = 0; i < n; i++) means[i] = NAN;
    if (needs_means(p)) CHECK(cairn_column_means(ctx, job->view, chosen, n, means));
    CHECK(NEW_EACH(ctx, n, &s->flags, &s->numbers, &s->words));
    if (job->steps) {
        cairn_report *out = job->steps;
        cairn_report_table_of(out, "Missing cells of the training rows", 0, "lr", "column",
                              "missing");
        if (fills(p)) {
            cairn_report_columns(out, "rl",
                                 p->method == CAIRN_FILL_NEAREST ? "without near rows" : "becomes",
                                 "tie");
        }
    }
    for (size_t i = 0; i < n; i++) CHECK(fit_column(ctx, s, job, chosen[i], means[i]));
    if (job->steps) cairn_report_table_end(job->steps);
    return CAIRN_OK;
}

static cairn_status impute_apply(cairn_context *ctx, cairn_table **out, const void *state,
                                 const void *params, const cairn_table *table);
static cairn_status impute_train(cairn_context *ctx, cairn_table **out, const void *state,
                                 const void *params, const cairn_table *table);

enum { SHOWN_ROWS = 20 };

/* The first training rows with a missing cell, before and after: filled.row3.heat. */
static cairn_status show_filled(cairn_context *ctx, const impute_state *s, const cairn_job *job,
                                const size_t *chosen, size_t n)
{
    const cairn_impute_params *p = job->params;
    const cairn_view *view = job->view;
    OWNED(cairn_table_free) cairn_table *filled = NULL;
    OWNED(cairn_table_free) cairn_table *some = NULL;
    uint32_t rows[SHOWN_ROWS];
    size_t n_rows = 0, at = 0;
    char cell[100];
    for (size_t i = 0; i < view->rows.n && n_rows < SHOWN_ROWS; i++) {
        bool open = false;
        for (size_t c = 0; c < n && !open; c++)
            open = cairn_column_is_missing(view->features[chosen[c]], cairn_view_row(view, i));
        if (open) rows[n_rows++] = (uint32_t)cairn_view_row(view, i);
    }
    if (n_rows == 0) return CAIRN_OK;
    CHECK(cairn_table_take_rows(ctx, &some, view->table, rows, n_rows));
    CHECK(impute_train(ctx, &filled, s, job->params, some));
    if (p->method == CAIRN_FILL_NEAREST)
        CHECK(cairn_donors_show(ctx, job->steps, &s->donors, p, &s->names, some, rows));
    cairn_report_table_of(job->steps, "Rows that were filled", 0, "r", "row");
    for (size_t c = 0; c < n; c++)
        cairn_report_column(job->steps, view->names[chosen[c]],
                            view->features[chosen[c]]->kind == CAIRN_NUMBER ? 'r' : 'l');
    for (size_t i = 0; i < n_rows; i++) {
        cairn_report_cellf(job->steps, "%u", rows[i] + 1);
        for (size_t c = 0; c < n; c++) {
            const char *name = view->names[chosen[c]], *key = cairn_report_key(job->steps, name);
            CHECK(cairn_table_get(ctx, filled, name, &at));
            cairn_table_cell(filled, at, i, cell, sizeof cell);
            if (view->features[chosen[c]]->kind == CAIRN_NUMBER)
                cairn_report_cell_number(job->steps, filled->slots[at].column->numbers[i], 0,
                                         "filled.row%u.%s", rows[i] + 1, key);
            else
                cairn_report_cell_word(job->steps, cell, "filled.row%u.%s", rows[i] + 1, key);
        }
    }
    cairn_report_table_end(job->steps);
    return CAIRN_OK;
}

enum { SHOWN_LEVELS = 20 };

/* How often each level occurs: counts.heat.high. */
static cairn_status show_counts(cairn_context *ctx, const cairn_job *job, const size_t *chosen,
                                size_t n)
{
    cairn_report *out = job->steps;
    double *weights;
    for (size_t i = 0; i < n; i++) {
        const cairn_column *column = job->view->features[chosen[i]];
        const char *name = job->view->names[chosen[i]];
        if (column->kind != CAIRN_LEVEL || !column->n_missing) continue;
        CHECK(cairn_level_weights(ctx, job->view, column, &weights));
        char title[160];
        snprintf(title, sizeof title, "Values of %.120s", name);
        cairn_report_table_of(out, title, SHOWN_LEVELS, "lr", "value", "rows");
        for (size_t k = 0; k < column->names.n; k++) {
            const char *level = cairn_map_key(&column->names, k);
            const char *key = cairn_report_row_wanted(out) ? cairn_report_key(out, level) : "";
            cairn_report_cell(out, level);
            cairn_report_cell_number(out, weights[k], 0, "counts.%s.%s",
                                     cairn_report_key(out, name), key);
        }
        cairn_report_table_end(out);
    }
    return CAIRN_OK;
}

static cairn_status impute_fit(cairn_context *ctx, void *state, const cairn_job *job)
{
    const cairn_impute_params *p = job->params;
    impute_state *s = state;
    const cairn_view *view = job->view;
    size_t n, *chosen;
    if (p->method == CAIRN_FILL_VALUE && !p->value)
        return cairn_fail(ctx, CAIRN_USAGE, "impute: method=value needs value=");
    CHECK(cairn_choose_features(ctx, view, "impute", p->columns, cairn_fits_number_or_level,
                                "a number or level column", &chosen, &n));
    CHECK(fit_columns(ctx, s, job, chosen, n));
    if (p->method == CAIRN_FILL_NEAREST) CHECK(cairn_donors_keep(ctx, &s->donors, view));
    if (p->method == CAIRN_FILL_CLASS) CHECK(fill_classes(ctx, s, job, chosen));
    if (job->steps) CHECK(show_counts(ctx, job, chosen, n));
    if (job->steps && fills(p)) CHECK(show_filled(ctx, s, job, chosen, n));
    return CAIRN_OK;
}

/* -- filling -- */

static cairn_status filled_levels(cairn_context *ctx, cairn_column **out, const cairn_column *from,
                                  const cairn_map *word)
{
    OWNED(cairn_column_drop) cairn_column *column = NULL;
    size_t fill;
    CHECK(cairn_column_new(ctx, &column, CAIRN_LEVEL, from->n_rows));
    column->ordered = from->ordered;
    column->declared = from->declared;
    CHECK(cairn_map_copy(ctx, &column->names, &from->names));
    CHECK(cairn_map_add(ctx, &column->names, cairn_map_key(word, 0), word->lengths[0], &fill));
    for (size_t i = 0; i < from->n_rows; i++)
        column->codes[i] = from->codes[i] < 0 ? (int32_t)fill : from->codes[i];
    *out = TAKE(column);
    return CAIRN_OK;
}

/* Codes of the fallback levels among the donors'. */
static cairn_status fill_nearest(cairn_context *ctx, const impute_state *s,
                                 const cairn_impute_params *p, cairn_table *table)
{
    double *fallback;
    CHECK(SCRATCH(ctx, &fallback, s->names.n + 1));
    for (size_t i = 0; i < s->names.n; i++) {
        const char *name = cairn_map_key(&s->names, i);
        int64_t donor = cairn_map_find(&s->donors.names, name, strlen(name));
        fallback[i] = s->numbers[i];
        if (s->flags[i] & IS_LEVEL && donor >= 0)
            fallback[i] = (double)cairn_map_find(
                &s->donors.levels[donor], cairn_map_key(&s->words[i], 0), s->words[i].lengths[0]);
    }
    return cairn_donors_fill(ctx, &s->donors, p, &s->names, fallback, table);
}

/* Whether a column always gets the level that fills, so that all tables have the same levels. */
static bool adds_level(const impute_state *s, size_t i, const cairn_column *column)
{
    return (s->flags[i] & IS_LEVEL) &&
           cairn_map_find(&column->names, cairn_map_key(&s->words[i], 0), s->words[i].lengths[0]) <
               0;
}

/* A column without missing cells stays as it is, unless the level that fills is new to it. */
static cairn_status fill_columns(cairn_context *ctx, const impute_state *s, cairn_table *table)
{
    for (size_t i = 0, at = 0; i < s->names.n; i++) {
        cairn_column *column = NULL;
        bool is_level = s->flags[i] & IS_LEVEL;
        CHECK(cairn_next_column(ctx, table, cairn_map_key(&s->names, i), &at));
        const cairn_column *from = table->slots[at].column;
        CHECK(cairn_expect_kind(ctx, &table->slots[at], is_level ? CAIRN_LEVEL : CAIRN_NUMBER));
        if (!from->n_missing && !adds_level(s, i, from)) continue;
        if (is_level)
            CHECK(filled_levels(ctx, &column, from, &s->words[i]));
        else {
            double fill = s->numbers[i];
            cairn_status status = cairn_column_new(ctx, &column, CAIRN_NUMBER, from->n_rows);
            for (size_t j = 0; status == CAIRN_OK && j < from->n_rows; j++)
                (column)->numbers[j] = isnan(from->numbers[j]) ? fill : from->numbers[j];
            CHECK(status);
        }
        cairn_table_replace_column(table, at, column);
    }
    return CAIRN_OK;
}

static cairn_status impute_apply(cairn_context *ctx, cairn_table **out, const void *state,
                                 const void *params, const cairn_table *table)
{
    const impute_state *s = state;
    const cairn_impute_params *p = params;
    OWNED(cairn_table_free) cairn_table *copy = NULL;
    CHECK(cairn_table_share(ctx, &copy, table));
    if (p->method == CAIRN_FILL_NEAREST)
        CHECK(fill_nearest(ctx, s, p, copy));
    else if (fills(p))
        CHECK(fill_columns(ctx, s, copy));
    *out = TAKE(copy);
    return CAIRN_OK;
}

/* Numbers; what levels become is asked of impute_apply. */
static cairn_status impute_lower(const void *state, const cairn_job *job, cairn_program *out)
{
    const impute_state *s = state;
    const cairn_impute_params *p = job->params;
    for (size_t i = 0; i < s->names.n; i++) {
        const char *name = cairn_map_key(&s->names, i);
        int32_t in;
        cairn_operation *op;
        if (p->method == CAIRN_FILL_NEAREST)
            return cairn_program_refuse(out, "it looks for near rows; fill with method=mean");
        if (s->flags[i] & IS_LEVEL) continue;
        CHECK(cairn_program_column(out, name, &in));
        CHECK(cairn_program_add(out, CAIRN_OP_FILL, &in, 1, 1, &op));
        CHECK(cairn_op_copy_numbers(out, op, 0, &s->numbers[i], 1));
        CHECK(cairn_program_put(out, name, op->out));
    }
    return CAIRN_OK;
}

/* Cells that are missing in `table` and whose class is known get the class's value in `filled`,
 * whose columns are new where something was missing. */
static cairn_status refill_by_class(cairn_context *ctx, const impute_state *s, cairn_table *filled,
                                    const cairn_table *table)
{
    ptrdiff_t target = cairn_table_role_column(table, CAIRN_TARGET);
    if (target < 0) return CAIRN_OK;
    const int32_t *classes = table->slots[target].column->codes;
    for (size_t i = 0, at = 0; i < s->names.n; i++) {
        CHECK(cairn_next_column(ctx, table, cairn_map_key(&s->names, i), &at));
        const cairn_column *from = table->slots[at].column;
        cairn_column *to = filled->slots[at].column;
        for (size_t row = 0; from->n_missing && row < table->n_rows; row++) {
            int32_t class = classes[row];
            if (class < 0 || !cairn_column_is_missing(from, row)) continue;
            double value = s->by_class[i * s->n_classes + (size_t) class];
            if (isnan(value)) continue;
            if (to->kind == CAIRN_NUMBER)
                to->numbers[row] = value;
            else
                to->codes[row] = (int32_t)value;
        }
    }
    return CAIRN_OK;
}

static cairn_status impute_train(cairn_context *ctx, cairn_table **out, const void *state,
                                 const void *params, const cairn_table *table)
{
    const impute_state *s = state;
    const cairn_impute_params *p = params;
    OWNED(cairn_table_free) cairn_table *filled = NULL;
    if (p->method == CAIRN_FILL_DELETE) return cairn_impute_delete(ctx, out, &s->names, table);
    if (p->method == CAIRN_FILL_EVERY)
        return cairn_impute_every(ctx, out, &s->names, p->share, table);
    CHECK(impute_apply(ctx, &filled, s, p, table));
    if (p->method == CAIRN_FILL_CLASS) CHECK(refill_by_class(ctx, s, filled, table));
    *out = TAKE(filled);
    return CAIRN_OK;
}

static cairn_acting impute_acting(const void *params)
{
    const cairn_impute_params *p = params;
    if (p->method == CAIRN_FILL_CLASS) return CAIRN_ACTS_APART;
    return fills(p) ? CAIRN_ACTS_ALIKE : CAIRN_ACTS_ON_TRAIN;
}

/* -- words -- */

static size_t impute_filled(const void *state)
{
    const impute_state *s = state;
    return s->n_filled > 0 ? (size_t)s->n_filled : 0;
}

/* Nothing was missing in training: the values are for new rows and stay out of sight. */
static bool impute_idle(cairn_report *out, const void *state)
{
    const impute_state *s = state;
    if (s->n_filled) return false;
    cairn_report_hidden(out, 0, "impute.cells");
    for (size_t i = 0; i < s->names.n; i++) {
        const char *key = cairn_report_key(out, cairn_map_key(&s->names, i));
        if (s->flags[i] & IS_LEVEL)
            cairn_report_hidden_word(out, cairn_map_key(&s->words[i], 0), "impute.%s", key);
        else
            cairn_report_hidden(out, s->numbers[i], "impute.%s", key);
    }
    return true;
}

/* Three histories: methods that change training rows only, no cell missing in training, and the
 * fills. */
static void impute_describe(cairn_report *out, const void *state, const void *params)
{
    const impute_state *s = state;
    const cairn_impute_params *p = params;
    if (!fills(p)) {
        cairn_report_value(out, "training cells missing", (double)s->n_filled, "impute.cells");
        cairn_report_paragraph(out, p->method == CAIRN_FILL_DELETE
                                        ? "Training rows that lack one of these values were left "
                                          "out; new rows stay as they are."
                                        : "Training rows that lack a value stand once for every "
                                          "value it can have (levels: all of the column; numbers: "
                                          "those that occur); new rows stay as they are.");
    } else if (impute_idle(out, state)) {
        cairn_report_paragraph(out,
                               "No training cell was missing. In new rows a missing cell becomes "
                               "what the training rows suggest (mean, median or most common "
                               "level).");
    } else {
        /* The same table means something else by method: with nearest rows and with class
             * values these fills are the fallback, and the heading says for which cells. */
        cairn_report_value(out, "training cells filled", (double)s->n_filled, "impute.cells");
        if (p->method == CAIRN_FILL_NEAREST)
            cairn_report_value(out, "training rows kept to compare with", (double)s->donors.n_rows,
                               "impute.rows");
        cairn_report_table_of(out,
                              p->method == CAIRN_FILL_NEAREST ? "Cells without near rows become"
                              : p->method == CAIRN_FILL_CLASS ? "Missing cells of new rows become"
                                                              : "Missing cells become",
                              0, "lr", "column", "value");
        for (size_t i = 0; i < s->names.n; i++) {
            const char *name = cairn_map_key(&s->names, i);
            const char *key = cairn_report_key(out, name);
            cairn_report_cell(out, name);
            if (s->flags[i] & IS_LEVEL)
                cairn_report_cell_word(out, cairn_map_key(&s->words[i], 0), "impute.%s", key);
            else
                cairn_report_cell_number(out, s->numbers[i], 0, "impute.%s", key);
        }
        cairn_report_table_end(out);
    }
}

static void write_fills(cairn_ledger *out, const void *state, const cairn_job *job)
{
    const impute_state *s = state;
    (void)job;
    cairn_ledger_columns(out, "tnt", "column", "number", "level");
    for (size_t i = 0; i < s->names.n; i++) {
        bool level = s->words && s->words[i].n;
        cairn_ledger_cells(out, cairn_map_key(&s->names, i), level ? NAN : s->numbers[i],
                           level ? cairn_map_key(&s->words[i], 0) : NULL);
    }
}

static const cairn_learned impute_tables[] = {
    CAIRN_LEARNED("impute.columns", "column, and what fills its missing cells", write_fills),
    CAIRN_LEARNED_END};

static cairn_status archive_donors(cairn_archive *a, void *state, const void *around)
{
    impute_state *s = state;
    bool nearest = false;
    (void)around;
    for (size_t i = 0; i < s->names.n; i++) {
        if (s->flags[i] > (IS_LEVEL | BY_NEAREST) || (s->flags[i] & IS_LEVEL && s->words[i].n != 1))
            return cairn_archive_damaged(a, "a column has no value to fill it");
        nearest |= s->flags[i] & BY_NEAREST;
    }
    if (!nearest) return CAIRN_OK;
    return cairn_kept_archive(a, cairn_donors_keeps, &s->donors, NULL, NULL, NULL);
}

static void clear_donors(void *state)
{
    cairn_kept_clear(cairn_donors_keeps, &((impute_state *)state)->donors);
}

static const cairn_kept impute_keeps[] = {
    KEEP(impute_state, names),
    KEEP_AS(impute_state, n_filled, .name = "filled"),
    KEEP_ARRAY(impute_state, flags, "names", .name = "is_level"),
    KEEP_ARRAYS(impute_state, "names", numbers),
    KEEP_MAPS(impute_state, words, "names", .name = "word"),
    KEEP_BY(archive_donors, .clear = clear_donors),
    KEEP_OWNED(impute_state, by_class),
    KEEP_END,
};

const cairn_transform cairn_impute = {
    .entry =
        {.kind = CAIRN_ENTRY_TRANSFORM,
         .name = "impute",
         .also =
             "imputation, missing values, missing data, fill in, fillna, SimpleImputer, KNNImputer",
         .about = "IterativeImputer, mice",
         .title = "Missing cells",
         .summary =
             "Does something about missing cells, by what the training rows say. It fills "
             "them: with mean, median, most common value or 0 for numbers, the most common "
             "level or a level of its own for levels, a value that is given, what the nearest "
             "training rows have, or what rows of the same class have. Or it changes the "
             "training rows: those that lack a value are left out, or stand once for every "
             "value that the cell can have. Give it several times, each with columns=, for "
             "another method in each column. Learners that cannot work with missing cells "
             "get it by themselves; the report says so and how many cells were filled.",
         .references = "Little and Rubin, Statistical Analysis with Missing Data",
         .example = "cairn convert @titanic titanic-filled.csv --with impute:numbers=median",
         .params = impute_param_table,
         .params_size = sizeof(cairn_impute_params)},
    .state_size = sizeof(impute_state),
    .tables = impute_tables,
    .acting = impute_acting,
    .fit = impute_fit,
    .apply = impute_apply,
    .lower = impute_lower,
    .train = impute_train,
    .describe = impute_describe,
    .idle = impute_idle,
    .n_filled = impute_filled,
    .keeps = impute_keeps,
};
