/* SPDX-License-Identifier: MIT */
#include "support/unit.h"
#include "support/fail_alloc.h"
#include "base/memory.h"
#include <stdio.h>
#include <sys/resource.h>

static void test_new__zeroed_counted_and_freed(void **state)
{
    cairn_context *ctx = *state;
    size_t before = cairn_memory_in_use(ctx);
    double *numbers;
    assert_ok(ctx, NEW(ctx, &numbers, 1000));
    for (int i = 0; i < 1000; i++) assert_true(numbers[i] == 0);
    assert_int_equal(cairn_memory_in_use(ctx) - before, 8000);
    assert_int_equal((uintptr_t)numbers % 16, 0);
    cairn_free(numbers);
    assert_int_equal(cairn_memory_in_use(ctx), before);
    cairn_free(NULL);
}

static void test_new__count_of_zero_is_valid(void **state)
{
    cairn_context *ctx = *state;
    int *none = NULL;
    assert_ok(ctx, NEW(ctx, &none, 0));
    assert_non_null(none);
    assert_ok(ctx, RESIZE(ctx, &none, 3));
    none[2] = 1;
    assert_ok(ctx, RESIZE(ctx, &none, 0));
    cairn_free(none);
}

static void test_new__sizes_that_overflow(void **state)
{
    cairn_context *ctx = *state;
    double *p = (double *)8, *q = NULL;
    assert_fails(ctx, NEW(ctx, &p, SIZE_MAX / 4), CAIRN_NO_MEMORY, "out of memory");
    assert_ptr_equal(p, (double *)8); /* left alone */
    assert_fails(ctx, NEW_RAW(ctx, &p, SIZE_MAX), CAIRN_NO_MEMORY, "out of memory");
    assert_fails(ctx, SCRATCH(ctx, &p, SIZE_MAX / 8 + 1), CAIRN_NO_MEMORY, "out of memory");
    assert_ok(ctx, NEW(ctx, &q, 1));
    assert_fails(ctx, RESIZE(ctx, &q, SIZE_MAX / 8), CAIRN_NO_MEMORY, "out of memory");
    q[0] = 5;
    cairn_free(q);
    assert_true(cairn_product(SIZE_MAX / 2, 3) == SIZE_MAX);
    assert_int_equal(cairn_product(6, 7), 42);
}

static void test_resize__keeps_and_counts(void **state)
{
    cairn_context *ctx = *state;
    size_t before = cairn_memory_in_use(ctx);
    int *items = NULL;
    assert_ok(ctx, RESIZE(ctx, &items, 10));
    for (int i = 0; i < 10; i++) items[i] = i;
    assert_ok(ctx, RESIZE(ctx, &items, 100000));
    for (int i = 0; i < 10; i++) assert_int_equal(items[i], i);
    assert_int_equal(cairn_memory_in_use(ctx) - before, 400000);
    assert_ok(ctx, RESIZE(ctx, &items, 5));
    assert_int_equal(cairn_memory_in_use(ctx) - before, 20);
    assert_int_equal(items[4], 4);
    cairn_free(items);
}

static void test_grow__few_moves(void **state)
{
    cairn_context *ctx = *state;
    int *items = NULL, moves = 0;
    size_t capacity = 0;
    for (size_t n = 0; n < 100000; n++) {
        size_t old = capacity;
        assert_ok(ctx, GROW(ctx, &items, &capacity, n + 1));
        assert_true(capacity > n);
        moves += capacity != old;
        items[n] = (int)n;
    }
    for (size_t n = 0; n < 100000; n++) assert_int_equal(items[n], n);
    assert_true(moves < 40);
    cairn_free(items);
}

static void test_limit__is_kept_exactly(void **state)
{
    cairn_context *ctx = *state;
    char *a, *b = NULL;
    size_t used = cairn_memory_in_use(ctx);
    cairn_context_set_memory(ctx, used + 1000);
    assert_ok(ctx, NEW(ctx, &a, 600));
    assert_fails(ctx, NEW(ctx, &b, 401), CAIRN_NO_MEMORY, "raise 'memory'");
    assert_ok(ctx, NEW(ctx, &b, 400));
    assert_fails(ctx, RESIZE(ctx, &b, 401), CAIRN_NO_MEMORY, "limit");
    cairn_free(a);
    assert_ok(ctx, RESIZE(ctx, &b, 1000));
    assert_true(cairn_memory_available(ctx) == 0);
    cairn_free(b);
    assert_true(cairn_memory_available(ctx) <= 1000);
    cairn_context_set_memory(ctx, 0);
    assert_true(cairn_memory_available(ctx) > 1000000);
}

static void test_check__refuses_with_the_estimate(void **state)
{
    cairn_context *ctx = *state;
    assert_ok(ctx, cairn_memory_check(ctx, 1000, "the table", "use fewer columns"));
    assert_fails(ctx, cairn_memory_check(ctx, 1e30, "the table", "use fewer columns"),
                 CAIRN_NO_MEMORY, "use fewer columns");
    assert_non_null(strstr(cairn_message(ctx), "the table needs about"));
    cairn_context_set_memory(ctx, cairn_memory_in_use(ctx) + 4096);
    assert_fails(ctx, cairn_memory_check(ctx, 5000, "it", "x"), CAIRN_NO_MEMORY,
                 "4.9 KB of memory, 4.0 KB of the limit of");
}

static void test_available__obeys_the_process_limit(void **state)
{
#ifdef CAIRN_SANITIZED
    (void)state;
    skip(); /* sanitizers take terabytes of addresses */
#else
    cairn_context *ctx = *state;
    struct rlimit old, lower;
    assert_int_equal(getrlimit(RLIMIT_AS, &old), 0);
    lower = old;
    lower.rlim_cur = (rlim_t)1 << 30;
    assert_int_equal(setrlimit(RLIMIT_AS, &lower), 0);
    size_t available = cairn_memory_available(ctx);
    char *block = NULL;
    cairn_status status = NEW(ctx, &block, (size_t)2 << 30);
    setrlimit(RLIMIT_AS, &old);
    assert_true(available < (size_t)1 << 30);
    assert_int_equal(status, CAIRN_NO_MEMORY);
    assert_non_null(strstr(cairn_message(ctx), "2.0 GB"));
#endif
}

/* What the machine does not have is not handed out, although the C library would. */
static void test_new__not_more_than_the_machine_has(void **state)
{
    cairn_context *ctx = *state;
    char *block = NULL, line[256];
    size_t wanted = cairn_memory_available(ctx), swap = 0;
    FILE *file = fopen("/proc/meminfo", "r");
    if (!file || wanted == SIZE_MAX) skip();
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "SwapFree: %zu", &swap) == 1) break;
    fclose(file);
    wanted += swap * 1024 + ((size_t)512 << 20);
    assert_fails(ctx, NEW_RAW(ctx, &block, wanted), CAIRN_NO_MEMORY, "could not be had");
    assert_ok(ctx, NEW_RAW(ctx, &block, 100000));
    assert_fails(ctx, RESIZE(ctx, &block, wanted), CAIRN_NO_MEMORY, "could not be had");
    cairn_free(block);
}

static void test_scratch__aligned_zeroed_released(void **state)
{
    cairn_context *ctx = *state;
    size_t before = cairn_memory_in_use(ctx);
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    for (size_t n = 0; n < 5000; n += 37) {
        double *p;
        assert_ok(ctx, SCRATCH(ctx, &p, n));
        assert_int_equal((uintptr_t)p % 64, 0);
        for (size_t i = 0; i < n; i++) assert_true(p[i] == 0);
        for (size_t i = 0; i < n; i++) p[i] = 1;
    }
    cairn_scratch_release(ctx, mark);
    assert_int_equal(cairn_memory_in_use(ctx), before);
}

/* A call that needs little holds little; one that needs more gets larger pieces. */
static void test_scratch__begins_small(void **state)
{
    cairn_context *ctx = *state;
    size_t before = cairn_memory_in_use(ctx);
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    char *p;
    assert_ok(ctx, SCRATCH(ctx, &p, 100));
    assert_true(cairn_memory_in_use(ctx) - before < 100000);
    for (int i = 0; i < 1000; i++) assert_ok(ctx, SCRATCH(ctx, &p, 10000));
    assert_true(cairn_memory_in_use(ctx) - before < 13000000);
    cairn_scratch_release(ctx, mark);
    assert_int_equal(cairn_memory_in_use(ctx), before);
}

/* What was taken before a mark survives its release; what comes after is zeroed again. */
static void test_scratch__marks_nest(void **state)
{
    cairn_context *ctx = *state;
    int *outer, *inner, *large, *again;
    assert_ok(ctx, SCRATCH(ctx, &outer, 10));
    outer[9] = 9;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    assert_ok(ctx, SCRATCH_RAW(ctx, &inner, 100));
    for (int i = 0; i < 100; i++) inner[i] = -1;
    cairn_scratch_mark deeper = cairn_scratch_now(ctx);
    assert_ok(ctx, SCRATCH(ctx, &large, 3000000));
    large[2999999] = 1;
    cairn_scratch_release(ctx, deeper);
    assert_int_equal(inner[99], -1);
    cairn_scratch_release(ctx, mark);
    assert_int_equal(outer[9], 9);
    assert_ok(ctx, SCRATCH(ctx, &again, 100));
    assert_ptr_equal(again, inner);
    for (int i = 0; i < 100; i++) assert_int_equal(again[i], 0);
    assert_ok(ctx, SCRATCH(ctx, &large, 3000000));
    for (int i = 0; i < 3000000; i += 999) assert_int_equal(large[i], 0);
}

/* Blocks may outlive the context they were made with. */
static void test_block__outlives_its_context(void **state)
{
    (void)state;
    cairn_context *ctx;
    char *copy;
    assert_int_equal(cairn_context_new(&ctx, NULL), CAIRN_OK);
    assert_ok(ctx, cairn_copy_text(ctx, &copy, "hello", 4));
    cairn_context_free(ctx);
    assert_string_equal(copy, "hell");
    cairn_free(copy);
}

static cairn_status use_everything(cairn_context *ctx, void *data)
{
    (void)data;
    cairn_status status;
    char *copy = NULL;
    int *items = NULL;
    double *scratch;
    size_t capacity = 0;
    cairn_context *child = NULL;
    TRY(cairn_copy_text(ctx, &copy, "text", 4));
    for (size_t n = 1; n < 100; n++) TRY(GROW(ctx, &items, &capacity, n));
    TRY(SCRATCH(ctx, &scratch, 500000));
    TRY(SCRATCH(ctx, &scratch, 5));
    TRY(cairn_child_new(ctx, &child));
    status = SCRATCH(child, &scratch, 10);
    cairn_child_join(ctx, child, status);
done:
    cairn_free(copy);
    cairn_free(items);
    return status;
}

static void test_memory__failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(use_everything, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_new__zeroed_counted_and_freed),
        context_test(test_new__count_of_zero_is_valid),
        context_test(test_new__sizes_that_overflow),
        context_test(test_resize__keeps_and_counts),
        context_test(test_grow__few_moves),
        context_test(test_limit__is_kept_exactly),
        context_test(test_check__refuses_with_the_estimate),
        context_test(test_available__obeys_the_process_limit),
        context_test(test_new__not_more_than_the_machine_has),
        context_test(test_scratch__aligned_zeroed_released),
        context_test(test_scratch__begins_small),
        context_test(test_scratch__marks_nest),
        cmocka_unit_test(test_block__outlives_its_context),
        cmocka_unit_test(test_memory__failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
