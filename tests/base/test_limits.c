/* SPDX-License-Identifier: MIT */
/* Limits of a context: defaults, setting, children, and what refusals say. */
#include "support/unit.h"
#include "base/limits.h"

static void test_limits__defaults_and_setting(void **state)
{
    cairn_context *ctx = *state;
    assert_int_equal(cairn_context_limit(ctx, CAIRN_LIMIT_COLUMNS), 1000000);
    assert_int_equal(cairn_context_limit(ctx, CAIRN_LIMIT_UNPACKED), UINT64_C(64) << 30);
    assert_ok(ctx, cairn_context_set_limit(ctx, CAIRN_LIMIT_COLUMNS, 5));
    assert_int_equal(cairn_context_limit(ctx, CAIRN_LIMIT_COLUMNS), 5);
    assert_ok(ctx, cairn_context_set_limit(ctx, CAIRN_LIMIT_COLUMNS, 0));
    assert_int_equal(cairn_context_limit(ctx, CAIRN_LIMIT_COLUMNS), 1000000);
}

static void test_limits__what_cannot_be_set(void **state)
{
    cairn_context *ctx = *state;
    assert_fails(ctx, cairn_context_set_limit(ctx, (cairn_limit)77, 5), CAIRN_USAGE, "number 77");
    assert_fails(ctx, cairn_context_set_limit(ctx, CAIRN_LIMIT_DEPTH, UINT64_MAX), CAIRN_USAGE,
                 "at most 500");
    assert_int_equal(cairn_context_limit(ctx, (cairn_limit)77), 0);
    assert_int_equal(cairn_context_limit(ctx, CAIRN_LIMIT_DEPTH), 150);
}

static void test_limits__children_share_them(void **state)
{
    cairn_context *ctx = *state, *child;
    assert_ok(ctx, cairn_context_set_limit(ctx, CAIRN_LIMIT_CELL, 7));
    assert_ok(ctx, cairn_child_new(ctx, &child));
    assert_int_equal(cairn_context_limit(child, CAIRN_LIMIT_CELL), 7);
    cairn_child_join(ctx, child, CAIRN_OK);
}

static void test_limits__as_a_text(void **state)
{
    cairn_context *ctx = *state;
    static const char *const bad[] = {
        "", ",", "cell", "cell=", "=5", "cell=-1", "cell=5;levels=2", "Cell=5", "cell=0"};
    cairn_limits before = cairn_limits_now(ctx);
    assert_ok(ctx, cairn_limits_read(ctx, "cell=2K,unpacked=3G,levels=9"));
    assert_int_equal(cairn_context_limit(ctx, CAIRN_LIMIT_CELL), 2048);
    assert_int_equal(cairn_context_limit(ctx, CAIRN_LIMIT_UNPACKED), UINT64_C(3) << 30);
    assert_int_equal(cairn_context_limit(ctx, CAIRN_LIMIT_LEVELS), 9);
    cairn_limits_restore(ctx, &before);
    assert_int_equal(cairn_context_limit(ctx, CAIRN_LIMIT_LEVELS), 10000000);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_fails(ctx, cairn_limits_read(ctx, bad[i]), CAIRN_USAGE, "is no limit with a value");
}

static void test_limits__a_refusal_says_how_far(void **state)
{
    cairn_context *ctx = *state;
    assert_string_equal(cairn_limit_said(ctx, CAIRN_LIMIT_CELL, 0),
                        "the limit of 'cell' is 64M; raise it by limits=cell=128M");
    assert_string_equal(cairn_limit_said(ctx, CAIRN_LIMIT_DEPTH, 400),
                        "the limit of 'depth' is 150; raise it by limits=depth=400");
    assert_ok(ctx, cairn_context_set_limit(ctx, CAIRN_LIMIT_DEPTH, 500));
    assert_string_equal(cairn_limit_said(ctx, CAIRN_LIMIT_DEPTH, 0),
                        "the limit of 'depth' is 500 and 'limits' cannot raise it so far");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_limits__defaults_and_setting),
        context_test(test_limits__what_cannot_be_set),
        context_test(test_limits__children_share_them),
        context_test(test_limits__as_a_text),
        context_test(test_limits__a_refusal_says_how_far),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
