/* SPDX-License-Identifier: MIT */
/* Missing cells that change the rows: rows that lack a value are left out, or stand once for every
 * value that the cell can have. */
#include "transforms/impute.h"
#include "base/sort_by.h"
#include "data/column.h"
#include <math.h>
#include <stdlib.h>

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

cairn_status cairn_impute_delete(cairn_context *ctx, cairn_table **out, const cairn_map *columns,
                                 const cairn_table *table)
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

/* The copies of a row follow each other: the last column that misses changes fastest. */
static void fill_combinations(cairn_table *made, const open_column *open, size_t n_open,
                              const uint32_t *rows)
{
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

cairn_status cairn_impute_every(cairn_context *ctx, cairn_table **out, const cairn_map *columns,
                                bool share, const cairn_table *table)
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
    fill_combinations(made, open, n_open, rows);
    if (share) CHECK(share_weights(ctx, made, rows));
    *out = TAKE(made);
    return CAIRN_OK;
}
