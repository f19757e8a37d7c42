/* SPDX-License-Identifier: MIT */
/* Merge sort, bottom up: short runs by insertion, then runs of twice the length merged from one
 * array into the other and back. */
#include "base/sort_by.h"
#include "base/memory.h"
#include <string.h>

enum { RUN = 8 };

typedef struct sorting {
    size_t size;
    cairn_before before;
    const void *data;
} sorting;

static void insert_run(const sorting *s, char *items, size_t n, char *one)
{
    for (size_t i = 1; i < n; i++) {
        size_t at = i;
        while (at > 0 && s->before(items + i * s->size, items + (at - 1) * s->size, s->data)) at--;
        if (at == i) continue;
        memcpy(one, items + i * s->size, s->size);
        memmove(items + (at + 1) * s->size, items + at * s->size, (i - at) * s->size);
        memcpy(items + at * s->size, one, s->size);
    }
}

/* Two runs that lie behind each other into one. */
static void merge(const sorting *s, char *to, const char *a, size_t n_a, size_t n_b)
{
    const char *b = a + n_a * s->size, *mid = b, *end = b + n_b * s->size;
    while (a < mid && b < end) {
        const char **from = s->before(b, a, s->data) ? &b : &a;
        memcpy(to, *from, s->size);
        *from += s->size;
        to += s->size;
    }
    memcpy(to, a, (size_t)(mid - a));
    memcpy(to + (mid - a), b, (size_t)(end - b));
}

void cairn_sort_in(void *items, void *buffer, size_t n, size_t size, cairn_before before,
                   const void *data)
{
    const sorting s = {size, before, data};
    char *from = items, *to = buffer;
    for (size_t i = 0; i < n; i += RUN)
        insert_run(&s, from + i * size, n - i < RUN ? n - i : RUN, buffer);
    for (size_t width = RUN; width < n; width *= 2) {
        for (size_t i = 0; i < n; i += 2 * width) {
            size_t left = n - i < width ? n - i : width, rest = n - i - left;
            merge(&s, to + i * size, from + i * size, left, rest < width ? rest : width);
        }
        char *kept = from;
        from = to;
        to = kept;
    }
    if (from != (char *)items) memcpy(items, from, n * size);
}

cairn_status cairn_sort_by(cairn_context *ctx, void *items, size_t n, size_t size,
                           cairn_before before, const void *data)
{
    SCOPED_SCRATCH(ctx);
    char *buffer;
    if (n < 2) return CAIRN_OK;
    CHECK(SCRATCH_RAW(ctx, &buffer, cairn_product(n, size)));
    cairn_sort_in(items, buffer, n, size, before, data);
    return CAIRN_OK;
}

int cairn_by_number(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
