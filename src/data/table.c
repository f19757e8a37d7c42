/* SPDX-License-Identifier: MIT */
/* Tables: named columns with roles. Columns are shared between tables by counting holders. */
#include "base/call.h"
#include "base/hash.h"
#include "base/text.h"
#include "cairn/columns.h"
#include "cairn/table.h"
#include "data/column.h"
#include "data/given_matrix.h"
#include "data/lent.h"
#include "data/odd_numbers.h"
#include "data/shape.h"
#include "data/table.h"
#include "data/table_index.h"
#include "data/table_limits.h"
#include "entry/entry.h"
#include "parallel/parallel.h"
#include <stdio.h>
#include <string.h>

/* Tables and the limits of their context. */

static const char *shown(const char *source)
{
    return source ? source : "the table";
}

cairn_status cairn_columns_allowed(cairn_context *ctx, size_t n, const char *source)
{
    if (n <= cairn_context_limit(ctx, CAIRN_LIMIT_COLUMNS)) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_BAD_DATA, "%s: %zu columns are too many: %s", shown(source), n,
                      cairn_limit_said(ctx, CAIRN_LIMIT_COLUMNS, n));
}

cairn_status cairn_cell_allowed(cairn_context *ctx, size_t length, const char *source, size_t row,
                                const char *column)
{
    if (length <= cairn_context_limit(ctx, CAIRN_LIMIT_CELL)) return CAIRN_OK;
    return cairn_fail(
        ctx, CAIRN_BAD_DATA, "%s, row %zu, column '%s': a cell of %zu bytes is too long: %s",
        shown(source), row + 1, column, length, cairn_limit_said(ctx, CAIRN_LIMIT_CELL, length));
}

cairn_status cairn_levels_allowed(cairn_context *ctx, size_t n, const char *source,
                                  const char *column)
{
    if (n <= cairn_context_limit(ctx, CAIRN_LIMIT_LEVELS)) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_BAD_DATA, "%s, column '%s': %zu levels are too many: %s",
                      shown(source), column, n, cairn_limit_said(ctx, CAIRN_LIMIT_LEVELS, n));
}

/* The first row that holds the name, which may be declared only; then it counts as the first. */
static size_t row_of_name(const cairn_column *column, size_t name)
{
    size_t row = 0;
    if (column->codes) {
        while (row < column->n_rows && column->codes[row] != (int32_t)name) row++;
    } else if (column->items) {
        size_t item = 0, n = column->starts[column->n_rows];
        while (item < n && column->items[item] != (int32_t)name) item++;
        while (row < column->n_rows && column->starts[row + 1] <= item) row++;
    }
    return row < column->n_rows ? row : 0;
}

static cairn_status names_allowed(cairn_context *ctx, const cairn_table *table,
                                  const cairn_slot *slot)
{
    const cairn_column *column = slot->column;
    const cairn_map *names = &column->names;
    if (column->kind == CAIRN_LEVEL)
        CHECK(cairn_levels_allowed(ctx, names->n, table->source, slot->name));
    uint64_t most = cairn_context_limit(ctx, CAIRN_LIMIT_CELL);
    for (size_t i = 0; i < names->n; i++)
        if (names->lengths[i] > most)
            return cairn_cell_allowed(ctx, names->lengths[i], table->source, row_of_name(column, i),
                                      slot->name);
    return CAIRN_OK;
}

cairn_status cairn_table_allowed(cairn_context *ctx, const cairn_table *table)
{
    for (size_t j = 0; j < table->n_columns; j++) {
        const cairn_slot *slot = &table->slots[j];
        CHECK(names_allowed(ctx, table, slot));
        if (slot->column->kind == CAIRN_TEXT) {
            const size_t *starts = slot->column->starts;
            uint64_t most = cairn_context_limit(ctx, CAIRN_LIMIT_CELL);
            if (starts[table->n_rows] - starts[0] <= most) continue;
            for (size_t i = 0; i < table->n_rows; i++)
                CHECK(cairn_cell_allowed(ctx, starts[i + 1] - starts[i], table->source, i,
                                         slot->name));
        }
    }
    return CAIRN_OK;
}

/* Tables of the same columns in another form: renamed, dropped, chosen, shared, some rows. */

cairn_status cairn_table_rename(cairn_context *ctx, cairn_table *table, const char *column,
                                const char *name)
{
    PUBLIC_CALL(ctx);
    size_t i;
    char *copy;
    CAIRN_ALIVE(table);
    CHECK(cairn_table_get(ctx, table, column, &i));
    if (name && strcmp(table->slots[i].name, name) == 0) return CAIRN_OK;
    CHECK(cairn_table_name_allowed(ctx, table, name));
    CHECK(cairn_copy_text(ctx, &copy, name, name ? strlen(name) : 0));
    cairn_free(table->slots[i].name);
    table->slots[i].name = copy;
    cairn_table_index_again(table);
    return CAIRN_OK;
}

/* A matrix over cases that has lost one of its columns is a table like any other. */
cairn_status cairn_table_drop(cairn_context *ctx, cairn_table *table, const char *column)
{
    PUBLIC_CALL(ctx);
    size_t i;
    CAIRN_ALIVE(table);
    CHECK(cairn_table_get(ctx, table, column, &i));
    if (table->slots[i].role == CAIRN_FEATURE) table->shape = CAIRN_SHAPE_TABLE;
    cairn_table_remove_column(table, i);
    return CAIRN_OK;
}

static cairn_status add_selected(cairn_context *ctx, cairn_table *to, const cairn_table *from,
                                 const char *name)
{
    size_t i;
    CHECK(cairn_table_get(ctx, from, name, &i));
    const cairn_slot *slot = &from->slots[i];
    return cairn_table_add_column(ctx, to, slot->name, slot->role, cairn_column_hold(slot->column));
}

cairn_status cairn_table_select(cairn_context *ctx, cairn_table **out, const cairn_table *table,
                                const char *const *columns, size_t n)
{
    PUBLIC_CALL(ctx);
    OWNED(cairn_table_free) cairn_table *made = NULL;
    CAIRN_ALIVE(table);
    CHECK(cairn_table_new(ctx, &made, table->n_rows));
    CHECK(cairn_table_copy_source(ctx, made, table));
    for (size_t i = 0; i < n; i++) CHECK(add_selected(ctx, made, table, columns[i]));
    *out = TAKE(made);
    return CAIRN_OK;
}

cairn_status cairn_table_copy(cairn_context *ctx, cairn_table **out, const cairn_table *table)
{
    PUBLIC_CALL(ctx);
    CAIRN_ALIVE(table);
    return cairn_table_share(ctx, out, table);
}

cairn_status cairn_table_take(cairn_context *ctx, cairn_table **out, const cairn_table *table,
                              const size_t *rows, size_t n)
{
    PUBLIC_CALL(ctx);
    SCOPED_SCRATCH(ctx);
    uint32_t *numbers;
    CAIRN_ALIVE(table);
    CHECK(SCRATCH_RAW(ctx, &numbers, n));
    for (size_t i = 0; i < n; i++) {
        if (rows[i] >= table->n_rows)
            return cairn_fail(ctx, CAIRN_USAGE,
                              "row %zu is asked for, but the table has %zu rows, numbered from 0",
                              rows[i], table->n_rows);
        numbers[i] = (uint32_t)rows[i];
    }
    return cairn_table_take_rows(ctx, out, table, numbers, n);
}

/* Columns by name: open addressing over column numbers, with half of the name's hash beside each,
 * as in base/map.c. Names stay in the slots, so that removing and renaming need no memory. */

/* So many columns are looked through one by one. */
enum { FEW = 8, FIRST_PLACES = 32 };

static uint64_t tag_of(uint64_t hash)
{
    return hash & ~(uint64_t)UINT32_MAX;
}

/* The place of the name, or the free place where it belongs. */
static size_t find_place(const cairn_table *table, const char *name, uint64_t hash)
{
    size_t mask = table->n_places - 1, at = (size_t)hash & mask;
    for (;; at = (at + 1) & mask) {
        uint64_t entry = table->places[at];
        if (!entry) return at;
        if (tag_of(entry) != tag_of(hash)) continue;
        if (strcmp(table->slots[(entry & UINT32_MAX) - 1].name, name) == 0) return at;
    }
}

ptrdiff_t cairn_table_find(const cairn_table *table, const char *name)
{
    CAIRN_ALIVE(table);
    if (table->n_places) {
        uint64_t hash = cairn_hash(name, strlen(name), 0);
        uint64_t entry = table->places[find_place(table, name, hash)];
        return entry ? (ptrdiff_t)(entry & UINT32_MAX) - 1 : -1;
    }
    for (size_t i = 0; i < table->n_columns; i++)
        if (strcmp(table->slots[i].name, name) == 0) return (ptrdiff_t)i;
    return -1;
}

/* Of several columns of a name the first is found. */
static void enter(cairn_table *table, size_t column)
{
    const char *name = table->slots[column].name;
    uint64_t hash = cairn_hash(name, strlen(name), 0);
    size_t at = find_place(table, name, hash);
    if (!table->places[at]) table->places[at] = tag_of(hash) | (column + 1);
}

void cairn_table_index_again(cairn_table *table)
{
    if (!table->n_places) return;
    memset(table->places, 0, table->n_places * sizeof *table->places);
    for (size_t i = 0; i < table->n_columns; i++) enter(table, i);
}

/* Index the slot behind the last column, which is about to become one. */
static cairn_status cairn_table_index_next(cairn_context *ctx, cairn_table *table)
{
    size_t n = table->n_columns;
    uint64_t *places;
    if (n < FEW && !table->n_places) return CAIRN_OK;
    if (2 * (n + 1) > table->n_places) {
        size_t wanted = table->n_places ? 2 * table->n_places : FIRST_PLACES;
        CHECK(NEW_RAW(ctx, &places, wanted));
        cairn_free(table->places);
        table->places = places;
        table->n_places = wanted;
        cairn_table_index_again(table);
    }
    enter(table, n);
    return CAIRN_OK;
}

cairn_status cairn_table_name_allowed(cairn_context *ctx, const cairn_table *table,
                                      const char *name)
{
    size_t length = name ? strlen(name) : 0, valid = name ? cairn_utf8_check(name, length) : 0;
    if (!length) return cairn_fail(ctx, CAIRN_BAD_DATA, "the name of a column is empty; give one");
    if (valid < length)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "the name of a column is not UTF-8: byte %zu of '%.*s...' is 0x%02x",
                          valid + 1, (int)valid, name, (unsigned char)name[valid]);
    if (cairn_table_find(table, name) >= 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "the table already has a column '%s'; give another name", name);
    return CAIRN_OK;
}

/* A matrix of the caller as a table: its columns are copied into one block, or borrowed where they
 * lie. Either way every number is looked at once, in parts that stay in the cache: infinite ones
 * are refused and missing ones counted on the way. */

/* Rows of one part: of one column when columns lie together, of all columns when rows do. */
enum { COLUMN_PART = 1 << 15, ROW_PART = 128 };

typedef struct filling {
    const cairn_matrix *from;
    cairn_table *table;
    bool lent;         /* the numbers are in place */
    size_t n_parts;    /* of a column */
    size_t n_infinite; /* atomic */
} filling;

static void fill_part(filling *f, size_t j, size_t first, size_t n)
{
    cairn_column *column = f->table->slots[j].column;
    if (!f->lent) cairn_matrix_read(f->from, j, first, n, column->numbers + first);
    cairn_odd_numbers odd = cairn_count_odd(column->numbers + first, n);
    if (odd.n_missing) __atomic_add_fetch(&column->n_missing, odd.n_missing, __ATOMIC_RELAXED);
    if (odd.n_infinite) __atomic_add_fetch(&f->n_infinite, odd.n_infinite, __ATOMIC_RELAXED);
}

static void fill_column_part(void *data, size_t block, size_t begin, size_t end, int worker)
{
    filling *f = data;
    (void)begin, (void)end, (void)worker;
    size_t first = block % f->n_parts * COLUMN_PART, left = f->table->n_rows - first;
    fill_part(f, block / f->n_parts, first, left < COLUMN_PART ? left : COLUMN_PART);
}

static void fill_rows(void *data, size_t block, size_t begin, size_t end, int worker)
{
    filling *f = data;
    (void)block, (void)worker;
    for (size_t j = 0; j < f->table->n_columns; j++) fill_part(f, j, begin, end - begin);
}

static size_t distance(ptrdiff_t stride)
{
    return stride < 0 ? (size_t)0 - (size_t)stride : (size_t)stride;
}

/* Goes through the matrix in the order in which it lies, and fails at an infinite number. */
static cairn_status fill(cairn_context *ctx, filling *f)
{
    const cairn_matrix *m = f->from;
    double work = (double)m->n_rows * (double)m->n_columns;
    f->n_parts = cairn_block_count(m->n_rows, COLUMN_PART);
    if (f->lent || distance(m->row_stride) <= distance(m->column_stride))
        CHECK(cairn_blocks_sized(ctx, m->n_columns * f->n_parts, 1, work, fill_column_part, f));
    else
        CHECK(cairn_blocks_sized(ctx, m->n_rows, ROW_PART, work, fill_rows, f));
    for (size_t j = 0; f->n_infinite && j < m->n_columns; j++) {
        const cairn_slot *slot = &f->table->slots[j];
        if (cairn_count_odd(slot->column->numbers, m->n_rows).n_infinite)
            return cairn_refuse_infinite(ctx, slot->name, slot->column->numbers, 0);
    }
    return CAIRN_OK;
}

/* Columns that lie in the caller's memory. */
static cairn_status borrow_columns(cairn_context *ctx, cairn_column **out, const cairn_matrix *m,
                                   cairn_lent *lent)
{
    for (size_t j = 0; j < m->n_columns; j++) {
        cairn_status status = cairn_column_over_numbers(
            ctx, &out[j], (const double *)(uintptr_t)cairn_matrix_at(m, 0, j), m->n_rows,
            cairn_lent_release, cairn_lent_hold(lent));
        if (!status) continue;
        cairn_columns_drop(out, j);
        return status;
    }
    return CAIRN_OK;
}

/* The columns are in the table before they have numbers, so that a bad name costs nothing. */
static cairn_status make_table(cairn_context *ctx, cairn_table **out, const cairn_matrix *m,
                               const char *const *names, cairn_lent *lent)
{
    SCOPED_SCRATCH(ctx);
    OWNED(cairn_table_free) cairn_table *table = NULL;
    cairn_column **columns;
    CHECK(cairn_table_new(ctx, &table, m->n_rows));
    CHECK(SCRATCH(ctx, &columns, m->n_columns));
    CHECK(lent ? borrow_columns(ctx, columns, m, lent)
               : cairn_columns_new(ctx, columns, m->n_columns, m->n_rows, true));
    CHECK(cairn_table_append_all(ctx, table, columns, m->n_columns, names, "x", 1));
    filling f = {.from = m, .table = table, .lent = lent != NULL};
    CHECK(fill(ctx, &f));
    *out = TAKE(table);
    return CAIRN_OK;
}

cairn_status cairn_table_from_matrix(cairn_context *ctx, cairn_table **out,
                                     const cairn_matrix *matrix, const char *const *names)
{
    PUBLIC_CALL(ctx);
    cairn_matrix m;
    CHECK(cairn_matrix_take(ctx, &m, matrix));
    return make_table(ctx, out, &m, names, NULL);
}

static bool can_borrow(const cairn_matrix *m)
{
    const size_t width = sizeof(double);
    return m->type == CAIRN_FLOAT64 && m->row_stride == (ptrdiff_t)width &&
           (uintptr_t)m->data % width == 0 && distance(m->column_stride) % width == 0;
}

cairn_status cairn_table_lend_matrix(cairn_context *ctx, cairn_table **out,
                                     const cairn_matrix *matrix, const char *const *names,
                                     cairn_release_function release, void *owner)
{
    PUBLIC_CALL(ctx);
    OWNED(cairn_lent_drop) cairn_lent *lent = NULL;
    cairn_matrix m;
    CHECK(cairn_lent_new(ctx, &lent, release, owner));
    CHECK(cairn_matrix_take(ctx, &m, matrix));
    return make_table(ctx, out, &m, names, can_borrow(&m) ? lent : NULL);
}

/* What a table holds, for its reader: every kind of column by a function of its own. Whatever is
 * asked of a column or a row that there is not has a harmless answer. */

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

static const char *const role_names[] = {"feature", "target", "weight", "id", "group", "ignored"};

const char *cairn_role_name(cairn_role role)
{
    return role_names[role];
}

cairn_status cairn_table_new(cairn_context *ctx, cairn_table **out, size_t n_rows)
{
    PUBLIC_CALL(ctx);
    cairn_table *table;
    if (n_rows >= UINT32_MAX)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "a table has at most %zu rows, not %zu",
                          (size_t)UINT32_MAX - 1, n_rows);
    cairn_status status = NEW(ctx, &table, 1);
    if (status) return status;
    table->mark = CAIRN_TABLE_MARK;
    table->n_rows = n_rows;
    *out = table;
    return CAIRN_OK;
}

static void clear_slot(cairn_slot *slot)
{
    cairn_column_drop(slot->column);
    cairn_free(slot->name);
}

void cairn_table_free(cairn_table *table)
{
    if (!table) return;
    CAIRN_ALIVE(table);
    table->mark = 0;
    for (size_t i = 0; i < table->n_columns; i++) clear_slot(&table->slots[i]);
    FREE_EACH(table->slots, table->places, table->source, table);
}

/* -- adding -- */

static cairn_status add_slot(cairn_context *ctx, cairn_table *table, const char *name,
                             cairn_role role, cairn_column *column)
{
    if (column->n_rows != table->n_rows)
        return cairn_fail(ctx, CAIRN_INTERNAL, "column '%s' has %zu rows, the table %zu", name,
                          column->n_rows, table->n_rows);
    CHECK(cairn_columns_allowed(ctx, table->n_columns + 1, table->source));
    CHECK(GROW(ctx, &table->slots, &table->capacity, table->n_columns + 1));
    cairn_slot *slot = &table->slots[table->n_columns];
    *slot = (cairn_slot){.role = role, .column = column};
    CHECK(cairn_copy_text(ctx, &slot->name, name, strlen(name)));
    cairn_status status = cairn_table_index_next(ctx, table);
    if (status)
        cairn_free(slot->name);
    else
        table->n_columns++;
    return status;
}

cairn_status cairn_table_append(cairn_context *ctx, cairn_table *table, const char *name,
                                cairn_role role, cairn_column *column)
{
    cairn_status status = add_slot(ctx, table, name, role, column);
    if (status) cairn_column_drop(column);
    return status;
}

cairn_status cairn_table_append_all(cairn_context *ctx, cairn_table *table, cairn_column **columns,
                                    size_t n, const char *const *names, const char *prefix,
                                    size_t first)
{
    SCOPED(cairn_text_clear) cairn_text made = cairn_text_start(ctx);
    cairn_status status = CAIRN_OK;
    size_t i = 0;
    for (; i < n && !status; i++) {
        made.length = 0;
        if (!names) cairn_text_addf(&made, "%s%zu", prefix, i + first);
        const char *name = names ? names[i] : cairn_text_string(&made);
        status = cairn_text_status(&made);
        if (!status && names) status = cairn_table_name_allowed(ctx, table, name);
        if (status)
            cairn_column_drop(columns[i]);
        else
            status = cairn_table_append(ctx, table, name, CAIRN_FEATURE, columns[i]);
    }
    cairn_columns_drop(columns + i, n - i);
    return status;
}

cairn_status cairn_table_add_column(cairn_context *ctx, cairn_table *table, const char *name,
                                    cairn_role role, cairn_column *column)
{
    if (cairn_table_find(table, name) < 0)
        return cairn_table_append(ctx, table, name, role, column);
    cairn_column_drop(column);
    return cairn_fail(ctx, CAIRN_USAGE, "the table already has a column '%s'", name);
}

/* -- sharing and changing -- */

cairn_status cairn_table_copy_source(cairn_context *ctx, cairn_table *to, const cairn_table *from)
{
    char *copy;
    to->own_units = from->own_units;
    if (!from->source) return CAIRN_OK;
    CHECK(cairn_copy_text(ctx, &copy, from->source, strlen(from->source)));
    cairn_free(to->source);
    to->source = copy;
    return CAIRN_OK;
}

cairn_status cairn_table_share(cairn_context *ctx, cairn_table **out, const cairn_table *table)
{
    OWNED(cairn_table_free) cairn_table *copy = NULL;
    CHECK(cairn_table_new(ctx, &copy, table->n_rows));
    CHECK(cairn_table_copy_source(ctx, copy, table));
    copy->shape = table->shape;
    for (size_t i = 0; i < table->n_columns; i++) {
        const cairn_slot *slot = &table->slots[i];
        CHECK(
            cairn_table_append(ctx, copy, slot->name, slot->role, cairn_column_hold(slot->column)));
        copy->slots[i].chosen = slot->chosen;
    }
    *out = TAKE(copy);
    return CAIRN_OK;
}

void cairn_table_replace_column(cairn_table *table, size_t i, cairn_column *column)
{
    cairn_column_drop(table->slots[i].column);
    table->slots[i].column = column;
}

cairn_status cairn_table_multiply_weights(cairn_context *ctx, cairn_table *table,
                                          const double *factors)
{
    cairn_column *column;
    ptrdiff_t at = cairn_table_role_column(table, CAIRN_WEIGHT);
    const double *weights = at < 0 ? NULL : table->slots[at].column->numbers;
    char name[32] = "weight";
    CHECK(cairn_column_new(ctx, &column, CAIRN_NUMBER, table->n_rows));
    for (size_t i = 0; i < table->n_rows; i++)
        column->numbers[i] = factors[i] * (weights ? weights[i] : 1);
    cairn_column_count_missing(column);
    if (at >= 0) {
        cairn_table_replace_column(table, (size_t)at, column);
        return CAIRN_OK;
    }
    for (int copy = 2; cairn_table_find(table, name) >= 0; copy++)
        snprintf(name, sizeof name, "weight_%d", copy);
    return cairn_table_add_column(ctx, table, name, CAIRN_WEIGHT, column);
}

void cairn_table_take_out(cairn_table *table, size_t i)
{
    clear_slot(&table->slots[i]);
    table->slots[i] = (cairn_slot){0};
}

void cairn_table_close_gaps(cairn_table *table)
{
    size_t kept = 0;
    for (size_t i = 0; i < table->n_columns; i++)
        if (table->slots[i].column) table->slots[kept++] = table->slots[i];
    table->n_columns = kept;
    cairn_table_index_again(table);
}

void cairn_table_remove_column(cairn_table *table, size_t i)
{
    cairn_table_take_out(table, i);
    cairn_table_close_gaps(table);
}

cairn_status cairn_table_take_rows(cairn_context *ctx, cairn_table **out, const cairn_table *table,
                                   const uint32_t *rows, size_t n)
{
    OWNED(cairn_table_free) cairn_table *taken = NULL;
    CHECK(cairn_table_new(ctx, &taken, n));
    CHECK(cairn_table_copy_source(ctx, taken, table));
    for (size_t i = 0; i < table->n_columns; i++) {
        const cairn_slot *slot = &table->slots[i];
        cairn_column *column;
        CHECK(cairn_column_take(ctx, &column, slot->column, rows, n));
        CHECK(cairn_table_append(ctx, taken, slot->name, slot->role, column));
        taken->slots[i].chosen = slot->chosen;
    }
    *out = TAKE(taken);
    return CAIRN_OK;
}

/* -- names and roles -- */

static const char *candidate_column(size_t i, const void *data)
{
    return cairn_table_name(data, i);
}

bool cairn_table_heads(const cairn_table *table, const char *name)
{
    size_t length = strlen(name);
    bool stands = false;
    char cell[256];
    if (!table->n_rows || length >= sizeof cell) return false;
    for (size_t i = 0; i < table->n_columns; i++) {
        if (!cairn_starts_with(table->slots[i].name, "column")) return false;
        if (cairn_kind_is_many(table->slots[i].column->kind)) return false;
        stands = stands || (cairn_table_cell(table, i, 0, cell, sizeof cell) == length &&
                            memcmp(cell, name, length) == 0);
    }
    return stands;
}

/* Whether a first column of names has this one: its features stand in lines. */
static bool begins_line(const cairn_table *table, const char *name)
{
    size_t length = strlen(name);
    char cell[256];
    if (table->n_columns < 2 || table->n_rows > 1000 || length >= sizeof cell) return false;
    cairn_kind kind = table->slots[0].column->kind;
    if (kind != CAIRN_LEVEL && kind != CAIRN_TEXT) return false;
    for (size_t i = 0; i < table->n_rows; i++)
        if (cairn_table_cell(table, 0, i, cell, sizeof cell) == length &&
            memcmp(cell, name, length) == 0)
            return true;
    return false;
}

cairn_status cairn_table_get(cairn_context *ctx, const cairn_table *table, const char *name,
                             size_t *out)
{
    ptrdiff_t found = cairn_table_find(table, name);
    if (found >= 0) {
        *out = (size_t)found;
        return CAIRN_OK;
    }
    const char *near = cairn_nearest_word(name, candidate_column, table);
    const char *source = table->source ? table->source : "the table";
    if (near)
        return cairn_fail(ctx, CAIRN_USAGE, "there is no column '%s' in %s; did you mean '%s'?",
                          name, source, near);
    cairn_text list = cairn_text_start(ctx);
    for (size_t i = 0; i < table->n_columns && i < 12; i++)
        cairn_text_addf(&list, "%s%s", i ? ", " : "", table->slots[i].name);
    if (table->n_columns > 12) cairn_text_add(&list, ", ...");
    cairn_status status = cairn_text_status(&list);
    if (!status)
        status = cairn_fail(
            ctx, CAIRN_USAGE, "there is no column '%s' in %s; it has %s%s", name, source,
            cairn_text_string(&list),
            cairn_say(
                ctx,
                cairn_table_heads(table, name)
                    ? "; the name stands in its first row: {header yes} takes that for the header"
                : begins_line(table, name)
                    ? "; a line begins with the name: {transpose} takes lines as columns"
                    : ""));
    cairn_text_clear(&list);
    return status;
}

cairn_status cairn_table_set_role(cairn_context *ctx, cairn_table *table, const char *column,
                                  cairn_role role)
{
    PUBLIC_CALL(ctx);
    size_t i;
    if ((int)role < CAIRN_FEATURE || role > CAIRN_IGNORED)
        return cairn_fail(ctx, CAIRN_USAGE, "there is no role %d", (int)role);
    CHECK(cairn_table_get(ctx, table, column, &i));
    table->slots[i].role = role;
    table->slots[i].chosen = CAIRN_ROLE_SAID;
    return CAIRN_OK;
}

cairn_status cairn_table_set_roles(cairn_context *ctx, cairn_table *table, const char *columns,
                                   cairn_role role)
{
    SCOPED_SCRATCH(ctx);
    char **names;
    size_t n;
    /* A name that holds a comma can be given alone, as it is. */
    ptrdiff_t whole = cairn_table_find(table, columns);
    if (whole >= 0) return cairn_table_set_role(ctx, table, columns, role);
    CHECK(cairn_list_split(ctx, columns, &names, &n));
    for (size_t i = 0; i < n; i++) CHECK(cairn_table_set_role(ctx, table, names[i], role));
    return CAIRN_OK;
}

ptrdiff_t cairn_table_role_column(const cairn_table *table, cairn_role role)
{
    for (size_t i = 0; i < table->n_columns; i++)
        if (table->slots[i].role == role) return (ptrdiff_t)i;
    return -1;
}

size_t cairn_table_role_count(const cairn_table *table, cairn_role role)
{
    size_t n = 0;
    for (size_t i = 0; i < table->n_columns; i++) n += table->slots[i].role == role;
    return n;
}

void cairn_table_only_target(cairn_table *table, size_t column)
{
    for (size_t i = 0; i < table->n_columns; i++)
        if (table->slots[i].role == CAIRN_TARGET && i != column)
            table->slots[i].role = CAIRN_IGNORED;
}

void cairn_table_lead_target(cairn_table *table, size_t column)
{
    size_t first = (size_t)cairn_table_role_column(table, CAIRN_TARGET);
    cairn_slot slot = table->slots[first];
    table->slots[first] = table->slots[column];
    table->slots[column] = slot;
    cairn_table_index_again(table);
}

/* -- the whole -- */

static uint64_t add_column_hash(uint64_t hash, const cairn_slot *slot, uint64_t column)
{
    hash = cairn_hash(slot->name, strlen(slot->name), hash);
    return cairn_hash(&column, sizeof column, hash);
}

static uint64_t start_hash(const cairn_table *table)
{
    uint64_t shape[2] = {table->n_rows, table->n_columns};
    return cairn_hash(shape, sizeof shape, 0);
}

uint64_t cairn_table_hash(const cairn_table *table)
{
    uint64_t hash = start_hash(table);
    for (size_t i = 0; i < table->n_columns; i++) {
        const cairn_slot *slot = &table->slots[i];
        hash = add_column_hash(hash, slot, cairn_column_hash(slot->column, 0));
    }
    return hash;
}

/* A table below so many bytes is hashed before another thread has woken up. A wide one has many
 * columns that are short: threads take some at a time, and wait for each other after many. */
enum { HASH_TOGETHER = 16, HASH_GROUP = 2048, HASH_ALONE = 1 << 24 };

typedef struct hash_work {
    const cairn_slot *slots;
    uint64_t hashes[HASH_GROUP];
} hash_work;

static void hash_columns(void *data, size_t block, size_t begin, size_t end, int worker)
{
    hash_work *work = data;
    (void)block, (void)worker;
    for (size_t i = begin; i < end; i++)
        work->hashes[i] = cairn_column_hash(work->slots[i].column, 0);
}

cairn_status cairn_table_hash_parallel(cairn_context *ctx, const cairn_table *table, uint64_t *out)
{
    hash_work work;
    if (cairn_table_bytes(table) < HASH_ALONE) {
        *out = cairn_table_hash(table);
        return CAIRN_OK;
    }
    uint64_t hash = start_hash(table);
    for (size_t first = 0; first < table->n_columns; first += HASH_GROUP) {
        size_t left = table->n_columns - first, n = left < HASH_GROUP ? left : HASH_GROUP;
        work.slots = table->slots + first;
        CHECK(cairn_blocks(ctx, n, n < HASH_GROUP ? 1 : HASH_TOGETHER, hash_columns, &work));
        for (size_t i = 0; i < n; i++) hash = add_column_hash(hash, &work.slots[i], work.hashes[i]);
    }
    *out = hash;
    return CAIRN_OK;
}

size_t cairn_table_bytes(const cairn_table *table)
{
    size_t bytes = sizeof *table + table->capacity * sizeof *table->slots;
    for (size_t i = 0; i < table->n_columns; i++)
        bytes += strlen(table->slots[i].name) + 1 + cairn_column_bytes(table->slots[i].column);
    return bytes;
}
