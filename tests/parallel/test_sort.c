/* SPDX-License-Identifier: MIT */
#include "support/fail_alloc.h"
#include "base/memory.h"
#include "parallel/sort.h"
#include <math.h>

/* Keys of several shapes: all bits, few bits, long runs that agree in their upper bits, equal. */
static uint64_t key_of_shape(int shape, size_t i, uint64_t random)
{
    switch (shape) {
    case 0: return random;
    case 1: return random & 0xff00;
    case 2: return random >> 1 == 7 ? UINT64_MAX : (random & 0x3ffff) | 1ULL << 40;
    case 3: return i == 5 ? UINT64_MAX : random & 0xfff;
    case 4: return cairn_order_key((double)(random >> 40) / 1e6 - 3);
    default: return 42;
    }
}

static void check_sorted(cairn_context *ctx, int shape, size_t n)
{
    uint64_t *keys, *items, *before, *alone;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    uint64_t state = 88172645463325252ULL + (uint64_t)shape;
    assert_ok(ctx, SCRATCH(ctx, &keys, n));
    assert_ok(ctx, SCRATCH(ctx, &items, n));
    assert_ok(ctx, SCRATCH(ctx, &before, n));
    assert_ok(ctx, SCRATCH(ctx, &alone, n));
    for (size_t i = 0; i < n; i++) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        alone[i] = before[i] = keys[i] = key_of_shape(shape, i, state);
        items[i] = i;
    }
    assert_ok(ctx, cairn_sort_keys(ctx, keys, items, n));
    assert_ok(ctx, cairn_sort_keys(ctx, alone, NULL, n));
    for (size_t i = 0; i < n; i++) {
        assert_true(keys[i] == before[items[i]] && keys[i] == alone[i]);
        if (i == 0) continue;
        assert_true(keys[i - 1] < keys[i] || (keys[i - 1] == keys[i] && items[i - 1] < items[i]));
    }
    cairn_scratch_release(ctx, mark);
}

static void test_sort__is_stable_for_all_shapes_sizes_and_threads(void **state)
{
    cairn_context *ctx = *state;
    const size_t sizes[] = {0, 1, 2, 40, 41, 1000, 40000, 150000};
    for (int threads = 1; threads <= 4; threads += 3) {
        cairn_context_set_threads(ctx, threads);
        for (int shape = 0; shape <= 5; shape++)
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
                check_sorted(ctx, shape, sizes[s]);
    }
}

static void test_sort__numbers_of_all_kinds(void **state)
{
    cairn_context *ctx = *state;
    double numbers[] = {3, NAN, -INFINITY, -0.0, 0, INFINITY, -2.5, 1e-310, -1e-310, 3};
    uint64_t order[10];
    const uint64_t wanted[] = {2, 6, 8, 3, 4, 7, 0, 9, 5, 1};
    assert_ok(ctx, cairn_sort_order(ctx, order, numbers, 10));
    assert_memory_equal(order, wanted, sizeof wanted);
    assert_ok(ctx, cairn_sort_numbers(ctx, numbers, 10));
    for (int i = 1; i < 9; i++) assert_true(numbers[i - 1] <= numbers[i]);
    assert_true(numbers[0] == -INFINITY && numbers[8] == INFINITY && isnan(numbers[9]));
}

static cairn_status sort_some(cairn_context *ctx, void *data)
{
    double numbers[100];
    (void)data;
    for (int i = 0; i < 100; i++) numbers[i] = (i * 37) % 100;
    return cairn_sort_numbers(ctx, numbers, 100);
}

static void test_sort__survives_failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(sort_some, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_sort__is_stable_for_all_shapes_sizes_and_threads),
        context_test(test_sort__numbers_of_all_kinds),
        cmocka_unit_test(test_sort__survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
