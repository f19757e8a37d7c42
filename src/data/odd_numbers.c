/* SPDX-License-Identifier: MIT */
/* Looking for NaN and infinite numbers at the speed of memory. */
#include "data/odd_numbers.h"
#include "data/source.h"
#include "kernels/row_finite.h"
#include "parallel/parallel.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { BLOCK = 1 << 15 };

/* Most blocks have none, which is seen a vector at a time. */
cairn_odd_numbers cairn_count_odd(const double *numbers, size_t n)
{
    enum { AT_ONCE = 4096 };
    size_t missing = 0, odd = 0;
    cairn_row_finite is_finite = cairn_row_finite_check();
    for (size_t from = 0; from < n; from += AT_ONCE) {
        size_t end = n - from < AT_ONCE ? n : from + AT_ONCE;
        if (is_finite(numbers + from, end - from)) continue;
        for (size_t i = from; i < end; i++) {
            missing += numbers[i] != numbers[i];
            odd += !(fabs(numbers[i]) <= DBL_MAX);
        }
    }
    return (cairn_odd_numbers){missing, odd - missing};
}

void cairn_warn_rounded(cairn_context *ctx, const char *column)
{
    cairn_warn(ctx, "column '%s': whole numbers beyond 2^53 were rounded to the nearest double",
               column);
}

cairn_status cairn_refuse_infinite(cairn_context *ctx, const char *column, const double *numbers,
                                   size_t first)
{
    size_t row = 0;
    while (!isinf(numbers[row])) row++;
    return cairn_fail(
        ctx, CAIRN_BAD_DATA,
        "column '%s', row %zu: the number is %s; replace it, by NaN where the value is "
        "missing",
        column, first + row + 1, numbers[row] > 0 ? "inf" : "-inf");
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

static cairn_status count_all(cairn_context *ctx, counting *c, size_t n)
{
    return cairn_blocks_sized(ctx, n, BLOCK, (double)n, count_block, c);
}

cairn_status cairn_numbers_allowed(cairn_context *ctx, const char *column, const double *numbers,
                                   size_t n, size_t *n_missing)
{
    counting c = {.numbers = numbers};
    CHECK(count_all(ctx, &c, n));
    if (c.odd.n_infinite) return cairn_refuse_infinite(ctx, column, numbers, 0);
    *n_missing = c.odd.n_missing;
    return CAIRN_OK;
}

/* Names the first infinite number; the caller has found that there is one. */
static cairn_status refuse_computed(cairn_context *ctx, const char *path, const cairn_slot *slot,
                                    const double *numbers)
{
    SCOPED_SCRATCH(ctx);
    const cairn_column *column = slot->column;
    const char *shown;
    size_t at = 0, row = 0;
    while (!isinf(numbers[at])) at++;
    if (column->numbers)
        row = at;
    else
        while (column->starts[row + 1] <= at) row++;
    CHECK(cairn_source_shown(ctx, &shown, path));
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "%s: column '%s', row %zu, is %s: it was computed and lies "
                      "beyond the numbers that tables hold; bring what it is computed from "
                      "to a smaller scale first, as with {with standardise}",
                      strcmp(path, "-") == 0 ? "standard output" : shown, slot->name, row + 1,
                      numbers[at] > 0 ? "inf" : "-inf");
}

cairn_status cairn_table_finite(cairn_context *ctx, const cairn_table *table, const char *path)
{
    for (size_t j = 0; j < table->n_columns; j++) {
        const cairn_column *column = table->slots[j].column;
        counting c = {.numbers = column->numbers ? column->numbers : column->amounts};
        if (!c.numbers) continue;
        CHECK(
            count_all(ctx, &c, column->numbers ? column->n_rows : column->starts[column->n_rows]));
        if (c.odd.n_infinite) return refuse_computed(ctx, path, &table->slots[j], c.numbers);
    }
    return CAIRN_OK;
}
