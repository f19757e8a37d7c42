/* SPDX-License-Identifier: MIT */
/* FlatBuffers: see flat.h. A table begins with the distance back to its list of fields, which is
 * its own size, that of the table, and for each field its distance from the table's beginning. */
#include "data/flat.h"
#include "base/memory.h"
#include <string.h>

/* -- reading -- */

static bool is_inside(cairn_flat *flat, size_t place, size_t size)
{
    bool inside = place <= flat->length && size <= flat->length - place;
    if (!inside) flat->bad = true;
    return inside;
}

static uint64_t unsigned_at(cairn_flat *flat, size_t place, size_t width)
{
    uint64_t value = 0;
    if (!is_inside(flat, place, width)) return 0;
    for (size_t i = width; i-- > 0;) value = value << 8 | flat->bytes[place + i];
    return value;
}

int64_t cairn_flat_at(cairn_flat *flat, size_t place, size_t width)
{
    uint64_t value = unsigned_at(flat, place, width);
    uint64_t sign = (uint64_t)1 << (8 * width - 1);
    return width == 8 ? (int64_t)value : (int64_t)(value ^ sign) - (int64_t)sign;
}

/* Where an offset leads to. */
static size_t follow(cairn_flat *flat, size_t place)
{
    uint64_t offset = unsigned_at(flat, place, 4);
    return offset && is_inside(flat, place, offset + 4) ? place + offset : 0;
}

size_t cairn_flat_root(cairn_flat *flat)
{
    return follow(flat, 0);
}

static size_t find_field(cairn_flat *flat, size_t table, int id)
{
    if (!table) return 0;
    int64_t back = cairn_flat_at(flat, table, 4);
    if (back > (int64_t)table || (int64_t)table - back > (int64_t)flat->length) {
        flat->bad = true;
        return 0;
    }
    size_t list = (size_t)((int64_t)table - back), entry = 4 + 2 * (size_t)id;
    if (unsigned_at(flat, list, 2) < entry + 2) return 0;
    size_t distance = unsigned_at(flat, list + entry, 2);
    return distance ? table + distance : 0;
}

int64_t cairn_flat_int(cairn_flat *flat, size_t table, int id, size_t width, int64_t otherwise)
{
    size_t place = find_field(flat, table, id);
    return place ? cairn_flat_at(flat, place, width) : otherwise;
}

size_t cairn_flat_table(cairn_flat *flat, size_t table, int id)
{
    size_t place = find_field(flat, table, id);
    return place ? follow(flat, place) : 0;
}

size_t cairn_flat_vector(cairn_flat *flat, size_t table, int id, size_t size, size_t *n)
{
    size_t vector = cairn_flat_table(flat, table, id);
    *n = 0;
    if (!vector) return 0;
    size_t count = unsigned_at(flat, vector, 4);
    if (!is_inside(flat, vector + 4, count * size)) return 0;
    *n = count;
    return vector + 4;
}

const char *cairn_flat_text(cairn_flat *flat, size_t table, int id, size_t *length)
{
    size_t place = cairn_flat_vector(flat, table, id, 1, length);
    return place ? (const char *)flat->bytes + place : NULL;
}

size_t cairn_flat_element(cairn_flat *flat, size_t vector, size_t i)
{
    return follow(flat, vector + 4 * i);
}

/* -- writing -- */

void cairn_flat_clear(cairn_flat_maker *maker)
{
    cairn_free(maker->bytes);
    maker->bytes = NULL;
}

/* Room for `size` bytes in front, after which the length is a multiple of `alignment`. */
static uint8_t *put(cairn_flat_maker *maker, size_t size, size_t alignment)
{
    if (maker->status) return NULL;
    size_t wanted = maker->length + size;
    size_t gap = (alignment - wanted % alignment) % alignment;
    if (alignment > maker->alignment) maker->alignment = alignment;
    if (!maker->bytes || wanted + gap > maker->capacity) {
        size_t capacity = 2 * (wanted + gap) + 256;
        uint8_t *bytes;
        maker->status = NEW(maker->ctx, &bytes, capacity);
        if (maker->status) return NULL;
        if (maker->length)
            memcpy(bytes + capacity - maker->length, maker->bytes + maker->capacity - maker->length,
                   maker->length);
        cairn_free(maker->bytes);
        maker->bytes = bytes;
        maker->capacity = capacity;
    }
    memset(maker->bytes + maker->capacity - wanted - gap + size, 0, gap);
    maker->length = wanted + gap;
    return maker->bytes + maker->capacity - maker->length;
}

static void put_number(cairn_flat_maker *maker, uint64_t value, size_t width)
{
    uint8_t *at = put(maker, width, width);
    for (size_t i = 0; at && i < width; i++) at[i] = (uint8_t)(value >> 8 * i);
}

/* An offset counts from where it stands. */
static void put_offset(cairn_flat_maker *maker, uint32_t place)
{
    put(maker, 0, 4);
    put_number(maker, maker->length + 4 - place, 4);
}

/* What precedes elements: their alignment must hold once their number stands in front. */
static void align_elements(cairn_flat_maker *maker, size_t bytes, size_t alignment)
{
    uint8_t *at = put(maker, 0, 1);
    (void)at;
    while (!maker->status && (maker->length + bytes) % alignment) put(maker, 1, 1)[0] = 0;
    if (alignment > maker->alignment) maker->alignment = alignment;
}

uint32_t cairn_flat_put_text(cairn_flat_maker *maker, const char *text, size_t length)
{
    align_elements(maker, length + 1, 4);
    uint8_t *at = put(maker, length + 1, 1);
    if (at) {
        if (length) memcpy(at, text, length);
        at[length] = 0;
    }
    put_number(maker, length, 4);
    return (uint32_t)maker->length;
}

uint32_t cairn_flat_put_tables(cairn_flat_maker *maker, const uint32_t *places, size_t n)
{
    for (size_t i = n; i-- > 0;) put_offset(maker, places[i]);
    put_number(maker, n, 4);
    return (uint32_t)maker->length;
}

uint32_t cairn_flat_put_structs(cairn_flat_maker *maker, const void *structs, size_t size, size_t n)
{
    align_elements(maker, size * n, 8);
    uint8_t *at = put(maker, size * n, 1);
    if (at && n) memcpy(at, structs, size * n);
    put_number(maker, n, 4);
    return (uint32_t)maker->length;
}

void cairn_flat_begin(cairn_flat_maker *maker)
{
    memset(maker->fields, 0, sizeof maker->fields);
    maker->table_end = maker->length;
}

void cairn_flat_put_int(cairn_flat_maker *maker, int id, int64_t value, size_t width)
{
    put_number(maker, (uint64_t)value, width);
    maker->fields[id] = (uint32_t)maker->length;
}

void cairn_flat_put_place(cairn_flat_maker *maker, int id, uint32_t place)
{
    if (!place) return;
    put_offset(maker, place);
    maker->fields[id] = (uint32_t)maker->length;
}

/* The list of fields stands right in front of its table. */
uint32_t cairn_flat_end(cairn_flat_maker *maker)
{
    enum { FIELDS = sizeof maker->fields / sizeof *maker->fields };
    size_t n = FIELDS;
    while (n > 0 && !maker->fields[n - 1]) n--;
    size_t list = 4 + 2 * n;
    put_number(maker, list, 4);
    uint32_t table = (uint32_t)maker->length;
    for (size_t i = n; i-- > 0;)
        put_number(maker, maker->fields[i] ? table - maker->fields[i] : 0, 2);
    put_number(maker, table - maker->table_end, 2);
    put_number(maker, list, 2);
    return table;
}

cairn_status cairn_flat_finish(cairn_flat_maker *maker, uint32_t root, const uint8_t **bytes,
                               size_t *length)
{
    while (!maker->status && (maker->length + 4) % 8) put(maker, 1, 1)[0] = 0;
    put_number(maker, maker->length + 4 - root, 4);
    CHECK(maker->status);
    *bytes = maker->bytes + maker->capacity - maker->length;
    *length = maker->length;
    return CAIRN_OK;
}
