/* SPDX-License-Identifier: MIT */
/* Looking for NaN and infinite numbers at the speed of memory. */
#include "data/odd_numbers.h"
#include "parallel/parallel.h"
#include <float.h>
#include <math.h>

enum { BLOCK = 1 << 15 };

cairn_odd_numbers cairn_count_odd(const double *numbers, size_t n)
{
    size_t missing = 0, odd = 0;
    for (size_t i = 0; i < n; i++) {
        missing += numbers[i] != numbers[i];
        odd += !(fabs(numbers[i]) <= DBL_MAX);
    }
    return (cairn_odd_numbers){missing, odd - missing};
}

cairn_status cairn_refuse_infinite(cairn_context *ctx, const char *column, const double *numbers)
{
    size_t row = 0;
    while (!isinf(numbers[row])) row++;
    return cairn_fail(
        ctx, CAIRN_BAD_DATA,
        "column '%s', row %zu: the number is %s; replace it, by NaN where the value is "
        "missing",
        column, row + 1, numbers[row] > 0 ? "inf" : "-inf");
}

typedef struct counting {
    const double *numbers;
    cairn_odd_numbers odd; /* atomic */
} counting;

static void count_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    counting *c = data;
    cairn_odd_numbers odd = cairn_count_odd(c->numbers + begin, end - begin);
    (void)block, (void)worker;
    __atomic_add_fetch(&c->odd.n_missing, odd.n_missing, __ATOMIC_RELAXED);
    __atomic_add_fetch(&c->odd.n_infinite, odd.n_infinite, __ATOMIC_RELAXED);
}

cairn_status cairn_numbers_allowed(cairn_context *ctx, const char *column, const double *numbers,
                                   size_t n, size_t *n_missing)
{
    counting c = {.numbers = numbers};
    CHECK(cairn_blocks_sized(ctx, n, BLOCK, (double)n, count_block, &c));
    if (c.odd.n_infinite) return cairn_refuse_infinite(ctx, column, numbers);
    *n_missing = c.odd.n_missing;
    return CAIRN_OK;
}
