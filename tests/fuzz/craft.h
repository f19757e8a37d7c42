/* SPDX-License-Identifier: MIT */
/* Model files as their writer sees them: sections of items, each of which can be changed so that
 * the rest of the file still fits it. */
#ifndef CAIRN_TESTS_FUZZ_CRAFT_H
#define CAIRN_TESTS_FUZZ_CRAFT_H

#include "fuzz/model_use.h"
#include <stdio.h>

enum { MOST_ITEMS = 4000, N_CHANGES = 11, N_PLACES = 3 };

/* Where an item of a file is. */
typedef struct item {
    size_t type_at;
    size_t size_at;  /* where the length of its section's body stands */
    size_t count_at; /* where its count stands */
    size_t from, end;
    uint64_t count;
    size_t width; /* of an element; 0 = keys of a map */
    bool is_real;
} item;

typedef struct file {
    uint8_t *bytes;
    size_t size;
    item items[MOST_ITEMS];
    size_t n_items;
} file;

static inline size_t width_of(uint8_t type)
{
    static const uint8_t widths[] = {0, 1, 4, 8, 8, 1, 8, 4, 4, 1, 0};
    return type < sizeof widths ? widths[type] : 1;
}

/* Where the first n keys of a map end; past the file's end when they do not fit. */
static inline size_t end_of_keys(const file *f, size_t at, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        if (f->size < 4 || at > f->size - 4) return f->size + 1;
        at += 4 + (size_t)get_number(f->bytes + at, 4);
    }
    return at;
}

/* The item at a place; false where none fits before the end of the section. */
static inline bool list_item(const file *f, item *x, size_t size_at, size_t at, size_t end)
{
    if (end - at < 2 || end - at < 10u + f->bytes[at + 1]) return false;
    uint8_t type = f->bytes[at];
    *x = (item){.type_at = at, .size_at = size_at, .count_at = at + 2 + f->bytes[at + 1]};
    x->count = get_number(f->bytes + x->count_at, 8);
    x->from = x->count_at + 8;
    x->width = width_of(type);
    x->is_real = type == 4 || type == 6;
    if (x->count > end - x->from) return false;
    x->end = x->width ? x->from + x->count * x->width : end_of_keys(f, x->from, x->count);
    return x->end <= end;
}

/* Sections and items up to the first that does not fit. */
static inline void list_items(file *f)
{
    size_t end = f->size - TRAILER, at = HEADER;
    f->n_items = 0;
    while (end - at >= 4) {
        size_t name = (size_t)get_number(f->bytes + at, 4), size_at = at + 4 + name;
        if (name > end - at || end - at < 20 + name) return;
        uint64_t length = get_number(f->bytes + size_at, 8);
        at = size_at + 16;
        if (length > end - at) return;
        for (size_t i = at; i < at + length && f->n_items < MOST_ITEMS;) {
            if (!list_item(f, &f->items[f->n_items], size_at, i, at + length)) break;
            i = f->items[f->n_items++].end;
        }
        at += length;
    }
}

/* Put `bytes` new bytes in place of those from `from` to `end`; the section grows along. */
static inline void replace_bytes(file *f, const item *x, size_t from, size_t end,
                                 const uint8_t *bytes, size_t n)
{
    size_t length = (size_t)get_number(f->bytes + x->size_at, 8);
    uint8_t *made = malloc(f->size + n);
    if (!made) abort();
    memcpy(made, f->bytes, from);
    if (n) memcpy(made + from, bytes, n);
    memcpy(made + from + n, f->bytes + end, f->size - end);
    f->size = f->size + n - (end - from);
    free(f->bytes);
    f->bytes = made;
    put_number(f->bytes + x->size_at, length + n - (end - from));
}

/* Another value in one element. */
static inline void change_element(file *f, const item *x, size_t element, size_t change)
{
    static const int64_t wholes[] = {0, 1, -1, INT32_MAX, 1000, 7};
    static const double reals[] = {0, -1, NAN, INFINITY, 1e300, 0.5};
    uint8_t *at = f->bytes + x->from + element * x->width;
    uint64_t old = get_number(at, x->width), value;
    if (x->is_real) {
        if (change < 6)
            memcpy(&value, &reals[change], 8);
        else
            value = old ^ (UINT64_C(1) << 63);
    } else {
        value = change < 6 ? (uint64_t)wholes[change] : change == 6 ? old + 1 : old - 1;
    }
    for (size_t i = 0; i < x->width; i++) at[i] = (uint8_t)(value >> (8 * i));
}

/* The last element, or the last name, once more or no longer. */
static inline void change_count(file *f, const item *x, bool more)
{
    size_t last = x->width ? x->end - x->width : end_of_keys(f, x->from, x->count - 1);
    uint8_t *copy = malloc(x->end - last + 1);
    if (!copy) abort();
    memcpy(copy, f->bytes + last, x->end - last);
    if (!x->width && x->end - last > 4) copy[4] ^= 1; /* names differ */
    put_number(f->bytes + x->count_at, more ? x->count + 1 : x->count - 1);
    if (more)
        replace_bytes(f, x, x->end, x->end, copy, x->end - last);
    else
        replace_bytes(f, x, last, x->end, NULL, 0);
    free(copy);
}

/* Change number `change` of an item; false where there is none. */
static inline bool edit(file *f, const item *x, size_t place, size_t change)
{
    if (x->count == 0) return false;
    if (change >= 8) {
        if (place || change == 10) return false;
        change_count(f, x, change == 8);
        return true;
    }
    size_t element = place == 0 ? 0 : place == 1 ? (size_t)x->count - 1 : (size_t)x->count / 2;
    if (x->width == 0 || (place && x->count < place + 1)) return false;
    change_element(f, x, element, change);
    return true;
}

static inline file copy_of(const file *f)
{
    file copy = *f;
    copy.bytes = malloc(f->size);
    if (!copy.bytes) abort();
    memcpy(copy.bytes, f->bytes, f->size);
    return copy;
}

static inline bool read_file(file *f, const char *path)
{
    FILE *stream = fopen(path, "rb");
    if (!stream) return false;
    fseek(stream, 0, SEEK_END);
    long end = ftell(stream);
    rewind(stream);
    f->bytes = malloc(end > 0 ? (size_t)end : 1);
    f->size = f->bytes && end > 0 ? fread(f->bytes, 1, (size_t)end, stream) : 0;
    fclose(stream);
    return f->size > HEADER + TRAILER;
}

#endif
