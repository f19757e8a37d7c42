/* SPDX-License-Identifier: MIT */
/* Changes of a model file drawn at random: of the type, length, count and value of items, of texts
 * and names, and of the order and number of sections. */
#ifndef CAIRN_TESTS_FUZZ_MUTATE_H
#define CAIRN_TESTS_FUZZ_MUTATE_H

#include "fuzz/craft.h"
#include "base/random.h"

enum { LONGEST_FILE = 1 << 20, MOST_SECTIONS = 64 };

static inline size_t draw(cairn_random *random, size_t n)
{
    return n ? (size_t)cairn_random_below(random, n) : 0;
}

/* A whole number that is likely to be near a limit: small ones, powers of two, how many elements
 * another item has, what another element is. */
static inline uint64_t drawn_whole(const file *f, const item *x, cairn_random *random)
{
    static const int64_t edges[] = {
        0,         1,         2,         -1,         -2,        7,         255,
        1000,      65536,     INT32_MAX, INT32_MIN,  INT64_MAX, INT64_MIN, 1LL << 20,
        1LL << 31, 1LL << 32, 100000,    1000000000, 1LL << 53, 3,         16};
    const item *other = &f->items[draw(random, f->n_items)];
    const uint8_t *elements = f->bytes + x->from;
    switch (draw(random, 4)) {
    case 0: return other->count + draw(random, 3) - 1;
    case 1: return get_number(elements + draw(random, (size_t)x->count) * x->width, x->width);
    case 2: return draw(random, 12);
    default: return (uint64_t)edges[draw(random, sizeof edges / sizeof *edges)];
    }
}

static inline uint64_t drawn_real(const file *f, const item *x, cairn_random *random)
{
    static const double edges[] = {0,      -0.0, 1,      -1,       0.5,       1e-300, 1e300,
                                   -1e300, 1e16, 5e-324, NAN,      2,         100,    1e9,
                                   -1e9,   0.1,  1e-16,  INFINITY, -INFINITY, 3e38,   1.0000001};
    double value = edges[draw(random, sizeof edges / sizeof *edges)];
    uint64_t bits;
    memcpy(&bits, &value, 8);
    if (draw(random, 3) == 0)
        bits = get_number(f->bytes + x->from + draw(random, (size_t)x->count) * 8, 8);
    if (draw(random, 8) == 0) bits ^= UINT64_C(1) << 63;
    return bits;
}

static inline uint64_t drawn_value(const file *f, const item *x, cairn_random *random)
{
    return x->is_real ? drawn_real(f, x, random) : drawn_whole(f, x, random);
}

static inline void put_element(file *f, const item *x, size_t element, uint64_t value)
{
    uint8_t *at = f->bytes + x->from + element * x->width;
    for (size_t i = 0; i < x->width; i++) at[i] = (uint8_t)(value >> (8 * i));
}

/* One element, or with small chance all of them, or two that change places. */
static inline void mutate_elements(file *f, const item *x, cairn_random *random)
{
    size_t n = (size_t)x->count, at = draw(random, n);
    uint64_t old = get_number(f->bytes + x->from + at * x->width, x->width);
    uint64_t value = drawn_value(f, x, random);
    switch (draw(random, 8)) {
    case 0:
        for (size_t i = 0; i < n; i++) put_element(f, x, i, value);
        break;
    case 1: {
        size_t with = draw(random, n);
        put_element(f, x, at, get_number(f->bytes + x->from + with * x->width, x->width));
        put_element(f, x, with, old);
        break;
    }
    case 2: put_element(f, x, at, x->is_real ? value : old + 1); break;
    case 3: put_element(f, x, at, x->is_real ? value : old - 1); break;
    default: put_element(f, x, at, value);
    }
}

/* A text keeps its final zero byte; digits, marks and letters change, go or come. */
static inline void mutate_text(file *f, const item *x, cairn_random *random)
{
    static const char marks[] = "0192,:;=-.e @\"\\<%\x1b\n";
    size_t at = x->from + draw(random, (size_t)x->count);
    uint8_t byte = (uint8_t)marks[draw(random, sizeof marks - 1)];
    size_t kind = draw(random, 4);
    if (kind == 0 && at + 1 < x->end) {
        put_number(f->bytes + x->count_at, x->count - 1);
        replace_bytes(f, x, at, at + 1, NULL, 0);
    } else if (kind == 1) {
        put_number(f->bytes + x->count_at, x->count + 1);
        replace_bytes(f, x, at, at, &byte, 1);
    } else if (at + 1 < x->end) {
        f->bytes[at] = byte;
    }
}

/* A name becomes another, empty, or the same as a second one. */
static inline void mutate_names(file *f, const item *x, cairn_random *random)
{
    size_t at = end_of_keys(f, x->from, draw(random, (size_t)x->count));
    size_t length = (size_t)get_number(f->bytes + at, 4);
    size_t other = end_of_keys(f, x->from, draw(random, (size_t)x->count));
    size_t size = 4 + (size_t)get_number(f->bytes + other, 4);
    uint8_t name[4 + 256] = {0};
    switch (draw(random, 4)) {
    case 0: replace_bytes(f, x, at, at + 4 + length, name, 4); break;
    case 1:
        if (size > sizeof name) return;
        memcpy(name, f->bytes + other, size);
        replace_bytes(f, x, at, at + 4 + length, name, size);
        break;
    default:
        if (length) f->bytes[at + 4 + draw(random, length)] ^= (uint8_t)(1u << draw(random, 7));
    }
}

/* Another number of elements: the first of them, or all again and again. */
static inline void mutate_count(file *f, const item *x, cairn_random *random)
{
    size_t old = (size_t)x->count, n = old;
    switch (draw(random, 6)) {
    case 0: n = 0; break;
    case 1: n = old / 2; break;
    case 2: n = old * 2; break;
    case 3: n = (size_t)f->items[draw(random, f->n_items)].count; break;
    case 4: n = old + 1; break;
    default: n = old - 1;
    }
    if (n * x->width > LONGEST_FILE) return;
    uint8_t *made = malloc(n * x->width + 1);
    if (!made) abort();
    for (size_t i = 0; i < n; i++)
        memcpy(made + i * x->width, f->bytes + x->from + i % old * x->width, x->width);
    put_number(f->bytes + x->count_at, n);
    replace_bytes(f, x, x->from, x->end, made, n * x->width);
    free(made);
}

/* What another item of the same type holds. */
static inline void mutate_whole(file *f, const item *x, cairn_random *random)
{
    const item *y = &f->items[draw(random, f->n_items)];
    for (size_t tries = 0; tries < 20 && f->bytes[y->type_at] != f->bytes[x->type_at]; tries++)
        y = &f->items[draw(random, f->n_items)];
    size_t size = y->end - y->from;
    if (f->bytes[y->type_at] != f->bytes[x->type_at] || size > LONGEST_FILE) return;
    uint8_t *copy = malloc(size + 1);
    if (!copy) abort();
    memcpy(copy, f->bytes + y->from, size);
    put_number(f->bytes + x->count_at, y->count);
    replace_bytes(f, x, x->from, x->end, copy, size);
    free(copy);
}

/* A section once more, no longer, or with its neighbour's place. */
static inline void mutate_sections(file *f, cairn_random *random)
{
    size_t starts[MOST_SECTIONS + 1], n = 0, at = HEADER, end = f->size - TRAILER;
    for (size_t i = 0; i < f->n_items && n < MOST_SECTIONS; i++) { /* those that hold items */
        size_t size_at = f->items[i].size_at;
        if (size_at < at) continue;
        starts[n++] = at;
        at = size_at + 16 + (size_t)get_number(f->bytes + size_at, 8);
    }
    if (n == 0 || at > end || f->size > LONGEST_FILE) return;
    starts[n] = at;
    size_t from = starts[draw(random, n)], one = draw(random, n), kind = draw(random, 3);
    size_t size = starts[one + 1] - starts[one], n_sections = (size_t)get_number(f->bytes + 12, 4);
    uint8_t *made = malloc(f->size + size);
    if (!made) abort();
    if (kind == 0) { /* gone */
        memcpy(made, f->bytes, starts[one]);
        memcpy(made + starts[one], f->bytes + starts[one + 1], f->size - starts[one + 1]);
        f->size -= size;
        n_sections--;
    } else { /* once more before another */
        memcpy(made, f->bytes, from);
        memcpy(made + from, f->bytes + starts[one], size);
        memcpy(made + from + size, f->bytes + from, f->size - from);
        f->size += size;
        n_sections++;
    }
    free(f->bytes);
    f->bytes = made;
    for (size_t i = 0; i < 4; i++) f->bytes[12 + i] = (uint8_t)(n_sections >> (8 * i));
}

/* One change; where what was drawn does not suit the item nothing happens. Most are of values,
 * which get past the reader of the container. */
static inline void mutate_once(file *f, cairn_random *random)
{
    const item x = f->items[draw(random, f->n_items)];
    size_t kind = draw(random, 40);
    bool has_elements = x.width && x.count;
    if (kind == 0)
        mutate_sections(f, random);
    else if (kind == 1)
        f->bytes[8] = (uint8_t)(1 + draw(random, 18)); /* the version of the format */
    else if (kind == 2)
        f->bytes[x.type_at] = (uint8_t)draw(random, 12);
    else if (kind < 5)
        mutate_whole(f, &x, random);
    else if (f->bytes[x.type_at] == 5 && x.count)
        mutate_text(f, &x, random);
    else if (!x.width && x.count)
        mutate_names(f, &x, random);
    else if (kind < 9 && has_elements)
        mutate_count(f, &x, random);
    else if (has_elements)
        mutate_elements(f, &x, random);
}

/* One to five changes, and the checksums of what came out. */
static inline void mutate(file *f, cairn_random *random)
{
    size_t n = 1;
    while (n < 5 && draw(random, 2)) n++;
    for (size_t i = 0; i < n; i++) {
        if (!f->n_items) break;
        mutate_once(f, random);
        list_items(f);
    }
    repair(f->bytes, f->size);
}

#endif
