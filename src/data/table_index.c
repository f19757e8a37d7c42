/* SPDX-License-Identifier: MIT */
/* Columns by name: open addressing over column numbers, with half of the name's hash beside each,
 * as in base/map.c. Names stay in the slots, so that removing and renaming need no memory. */
#include "data/table_index.h"
#include "base/hash.h"
#include "base/text.h"
#include <string.h>

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

cairn_status cairn_table_index_next(cairn_context *ctx, cairn_table *table)
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
