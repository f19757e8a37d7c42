/* SPDX-License-Identifier: MIT */
/* What refusals of too much memory and too much work say. */
#include "support/unit.h"
#include "base/limits.h"
#include "base/need.h"

static void test_need__a_matrix_that_does_not_fit(void **state)
{
    cairn_context *ctx = *state;
    double *cells = NULL;
    cairn_context_set_memory(ctx, 10 << 20);
    assert_fails(ctx, SCRATCH_MATRIX(ctx, &cells, 3000, 2000, "all pairs", "use {max-depth}"),
                 CAIRN_NO_MEMORY, "all pairs, 3000 x 2000 numbers, needs about 45.8 MB of memory");
    assert_non_null(strstr(cairn_message(ctx), "raise 'memory', or use 'max-depth'"));
    assert_fails(ctx, NEW_MATRIX(ctx, &cells, SIZE_MAX / 2, 4, "all pairs", "stop"),
                 CAIRN_NO_MEMORY, "all pairs");
    assert_fails(ctx, cairn_need_matrix(ctx, 3000, 2000, 8, "all pairs", "stop"), CAIRN_NO_MEMORY,
                 "3000 x 2000 numbers");
    assert_ok(ctx, cairn_need_matrix(ctx, 30, 20, 8, "all pairs", "stop"));
}

static void test_need__a_matrix_is_zero(void **state)
{
    cairn_context *ctx = *state;
    double *cells = NULL, *none = NULL;
    assert_ok(ctx, NEW_MATRIX(ctx, &cells, 3, 2, "all pairs", "stop"));
    assert_ok(ctx, SCRATCH_MATRIX(ctx, &none, 0, 2, "all pairs", "stop"));
    for (size_t i = 0; i < 6; i++) assert_true(cells[i] == 0);
    assert_non_null(none);
    cairn_free(cells);
}

static void test_need__work_meets_its_limit(void **state)
{
    cairn_context *ctx = *state;
    assert_ok(ctx, cairn_need_work(ctx, 4e12, "comparing", "stop"));
    assert_fails(ctx, cairn_need_work(ctx, 3.6e13, "comparing", "use fewer {rows}"), CAIRN_BAD_DATA,
                 "comparing takes about 3.6e+13 steps, 10 hours or so");
    assert_non_null(strstr(cairn_message(ctx), "the limit of 'work' is 4T; raise it by "
                                               "limits=work=33T, or use fewer 'rows'"));
    assert_ok(ctx, cairn_limits_read(ctx, "work=33T"));
    assert_ok(ctx, cairn_need_work(ctx, 3.6e13, "comparing", "stop"));
    assert_fails(ctx, cairn_need_work(ctx, 1e30, "comparing", "stop"), CAIRN_BAD_DATA,
                 "years or so");
    assert_ok(ctx, cairn_limits_read(ctx, "work=1K"));
    assert_fails(ctx, cairn_need_work(ctx, 5000, "comparing", "stop"), CAIRN_BAD_DATA, "work=5K");
}

static void test_need__what_was_not_foreseen(void **state)
{
    cairn_context *ctx = *state;
    double *cells = NULL;
    cairn_context_set_memory(ctx, 10 << 20);
    cairn_status status = SCRATCH(ctx, &cells, 6000000);
    assert_fails(ctx, cairn_need_said(ctx, status, "use fewer {rows}", "fitting %s", "tree"),
                 CAIRN_NO_MEMORY,
                 "fitting tree: out of memory: 45.8 MB more would pass the limit of 10.0 MB; raise "
                 "'memory', or use fewer 'rows'");
    assert_fails(ctx, cairn_need_said(ctx, status, "stop", "again"), CAIRN_NO_MEMORY,
                 "fitting tree: out of memory");
    assert_ok(ctx, cairn_need_said(ctx, CAIRN_OK, "stop", "again"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_need__a_matrix_that_does_not_fit),
        context_test(test_need__a_matrix_is_zero),
        context_test(test_need__what_was_not_foreseen),
        context_test(test_need__work_meets_its_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
