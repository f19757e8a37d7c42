/* SPDX-License-Identifier: MIT */
/* What a table holds, for its reader: every kind of column by a function of its own. Whatever is
 * asked of a column or a row that there is not has a harmless answer. */
#include "cairn/columns.h"
#include "data/column.h"

/* The column, NULL when there is none of that number. */
static const cairn_column *column_at(const cairn_table *table, size_t column)
{
    CAIRN_ALIVE(table);
    return column < table->n_columns ? table->slots[column].column : NULL;
}

/* The same when it is of a kind. */
static const cairn_column *column_of(const cairn_table *table, size_t column, cairn_kind kind)
{
    const cairn_column *c = column_at(table, column);
    return c && c->kind == kind ? c : NULL;
}

size_t cairn_table_rows(const cairn_table *table)
{
    CAIRN_ALIVE(table);
    return table->n_rows;
}

size_t cairn_table_columns(const cairn_table *table)
{
    CAIRN_ALIVE(table);
    return table->n_columns;
}

const char *cairn_table_name(const cairn_table *table, size_t column)
{
    CAIRN_ALIVE(table);
    return column < table->n_columns ? table->slots[column].name : NULL;
}

cairn_kind cairn_table_kind(const cairn_table *table, size_t column)
{
    const cairn_column *c = column_at(table, column);
    return c ? c->kind : CAIRN_NUMBER;
}

cairn_role cairn_table_role(const cairn_table *table, size_t column)
{
    CAIRN_ALIVE(table);
    return column < table->n_columns ? table->slots[column].role : CAIRN_FEATURE;
}

/* -- one value per row -- */

const double *cairn_table_numbers(const cairn_table *table, size_t column)
{
    const cairn_column *c = column_at(table, column);
    return c ? c->numbers : NULL;
}

const double *cairn_table_times(const cairn_table *table, size_t column)
{
    const cairn_column *c = column_of(table, column, CAIRN_TIME);
    return c ? c->numbers : NULL;
}

const int32_t *cairn_table_codes(const cairn_table *table, size_t column)
{
    const cairn_column *c = column_at(table, column);
    return c ? c->codes : NULL;
}

/* -- names of levels and items -- */

size_t cairn_table_level_count(const cairn_table *table, size_t column)
{
    const cairn_column *c = column_of(table, column, CAIRN_LEVEL);
    return c ? c->names.n : 0;
}

const char *cairn_table_level(const cairn_table *table, size_t column, size_t code)
{
    const cairn_column *c = column_of(table, column, CAIRN_LEVEL);
    return c && code < c->names.n ? cairn_map_key(&c->names, code) : NULL;
}

/* A column of bags or sequences, else NULL. */
static const cairn_column *column_of_items(const cairn_table *table, size_t column)
{
    const cairn_column *c = column_of(table, column, CAIRN_BAG);
    return c ? c : column_of(table, column, CAIRN_SEQUENCE);
}

size_t cairn_table_item_count(const cairn_table *table, size_t column)
{
    const cairn_column *c = column_of_items(table, column);
    return c ? c->names.n : 0;
}

const char *cairn_table_item(const cairn_table *table, size_t column, size_t item)
{
    const cairn_column *c = column_of_items(table, column);
    return c && item < c->names.n ? cairn_map_key(&c->names, item) : NULL;
}

int32_t cairn_table_code(const cairn_table *table, size_t column, const char *name, size_t length)
{
    const cairn_column *c = column_at(table, column);
    return c ? (int32_t)cairn_map_find(&c->names, name, length) : -1;
}

bool cairn_table_is_ordered(const cairn_table *table, size_t column)
{
    const cairn_column *c = column_of(table, column, CAIRN_LEVEL);
    return c && c->ordered;
}

bool cairn_table_is_declared(const cairn_table *table, size_t column)
{
    const cairn_column *c = column_of(table, column, CAIRN_LEVEL);
    return c && c->declared;
}

/* -- cells -- */

bool cairn_table_is_missing(const cairn_table *table, size_t column, size_t row)
{
    const cairn_column *c = column_at(table, column);
    return !c || row >= c->n_rows || cairn_column_is_missing(c, row);
}

size_t cairn_table_missing_count(const cairn_table *table, size_t column)
{
    const cairn_column *c = column_at(table, column);
    return c ? c->n_missing : 0;
}

/* The run of a cell, *n long; false when there is no cell of the kind, or it is missing. */
static bool find_run(const cairn_column *c, size_t row, size_t *begin, size_t *n)
{
    *begin = *n = 0;
    if (!c || row >= c->n_rows || cairn_column_is_missing(c, row)) return false;
    *begin = c->starts[row];
    *n = c->starts[row + 1] - *begin;
    return true;
}

const char *cairn_table_text(const cairn_table *table, size_t column, size_t row, size_t *length)
{
    const cairn_column *c = column_of(table, column, CAIRN_TEXT);
    size_t begin;
    if (!find_run(c, row, &begin, length)) return NULL;
    return c->bytes ? c->bytes + begin : "";
}

const int32_t *cairn_table_items(const cairn_table *table, size_t column, size_t row, size_t *n,
                                 const double **values)
{
    static const int32_t none;
    const cairn_column *c = column_of_items(table, column);
    size_t begin;
    bool there = find_run(c, row, &begin, n);
    if (values) *values = there && c->amounts ? c->amounts + begin : NULL;
    if (!there) return NULL;
    return c->items ? c->items + begin : &none;
}

const double *cairn_table_series(const cairn_table *table, size_t column, size_t row, size_t *n)
{
    static const double none;
    const cairn_column *c = column_of(table, column, CAIRN_SERIES);
    size_t begin;
    if (!find_run(c, row, &begin, n)) return NULL;
    return c->amounts ? c->amounts + begin : &none;
}

const size_t *cairn_table_starts(const cairn_table *table, size_t column)
{
    const cairn_column *c = column_at(table, column);
    return c ? c->starts : NULL;
}

size_t cairn_table_cell(const cairn_table *table, size_t column, size_t row, char *out, size_t size)
{
    const cairn_column *c = column_at(table, column);
    if (c && row < c->n_rows) return cairn_column_cell(c, row, out, size);
    if (size) out[0] = 0;
    return 0;
}
