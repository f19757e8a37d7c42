/* SPDX-License-Identifier: MIT */
/* Tables: named columns with roles. Columns are shared between tables by counting holders. */
#include "data/table.h"
#include "base/call.h"
#include "base/hash.h"
#include "base/text.h"
#include "data/column.h"
#include "data/table_index.h"
#include "data/table_limits.h"
#include "entry/entry.h"
#include "parallel/parallel.h"
#include <stdio.h>
#include <string.h>

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
    cairn_free(table->slots);
    cairn_free(table->places);
    cairn_free(table->source);
    cairn_free(table);
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
