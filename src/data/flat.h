/* SPDX-License-Identifier: MIT */
/* FlatBuffers, as far as Arrow's messages need them: tables whose fields are found by number.
 *
 * Reading checks every step against the bytes there are; what lies outside reads as if it was not
 * there and sets `bad`, which the caller looks at once at the end. Places are counted from the
 * first byte; 0 = there is none. */
#ifndef CAIRN_DATA_FLAT_H
#define CAIRN_DATA_FLAT_H

#include "base/context.h"

typedef struct cairn_flat {
    const uint8_t *bytes;
    size_t length;
    bool bad;
} cairn_flat;

size_t cairn_flat_root(cairn_flat *flat);
/* Field `id` of a table: a number of `width` bytes (1, 2, 4, 8), or what it is when left out. */
int64_t cairn_flat_int(cairn_flat *flat, size_t table, int id, size_t width, int64_t otherwise);
size_t cairn_flat_table(cairn_flat *flat, size_t table, int id);
const char *cairn_flat_text(cairn_flat *flat, size_t table, int id, size_t *length);
/* Where the elements of a vector begin; *n is 0 when there is none. */
size_t cairn_flat_vector(cairn_flat *flat, size_t table, int id, size_t size, size_t *n);
/* The table that element i of a vector of tables is, `vector` being where its elements begin. */
size_t cairn_flat_element(cairn_flat *flat, size_t vector, size_t i);
/* A number of 4 or 8 bytes at a place. */
int64_t cairn_flat_at(cairn_flat *flat, size_t place, size_t width);

/* Writing goes from the end to the front, so that whatever is pointed to is there already. A place
 * is how many bytes stand behind it and in it. */
typedef struct cairn_flat_maker {
    cairn_context *ctx;
    cairn_status status; /* the first failure; what follows it does nothing */
    uint8_t *bytes;      /* the last `length` of `capacity` */
    size_t length, capacity, alignment;
    uint32_t fields[8]; /* of the table under way: places, 0 = left out */
    size_t table_end;
} cairn_flat_maker;

void cairn_flat_clear(cairn_flat_maker *maker);
uint32_t cairn_flat_put_text(cairn_flat_maker *maker, const char *text, size_t length);
uint32_t cairn_flat_put_tables(cairn_flat_maker *maker, const uint32_t *places, size_t n);
uint32_t cairn_flat_put_structs(cairn_flat_maker *maker, const void *structs, size_t size,
                                size_t n);
/* Between begin and end nothing but fields. */
void cairn_flat_begin(cairn_flat_maker *maker);
void cairn_flat_put_int(cairn_flat_maker *maker, int id, int64_t value, size_t width);
void cairn_flat_put_place(cairn_flat_maker *maker, int id, uint32_t place);
uint32_t cairn_flat_end(cairn_flat_maker *maker);
/* Close the message: its bytes, aligned to 8 from its beginning. */
CAIRN_CHECKED cairn_status cairn_flat_finish(cairn_flat_maker *maker, uint32_t root,
                                             const uint8_t **bytes, size_t *length);

#endif
