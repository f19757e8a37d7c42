/* SPDX-License-Identifier: MIT */
/* What holds around every public call: cancelling ends with it, arithmetic is left as it was. */
#include "support/unit.h"

#include "base/call.h"

/* A public function that looks whether to stop. */
static cairn_status look(cairn_context *ctx)
{
    PUBLIC_CALL(ctx);
    return cairn_tick(ctx, NULL, 0, 0);
}

/* One that calls another and goes on after its failure, as a comparison of learners does. */
static cairn_status look_twice(cairn_context *ctx, cairn_status *first)
{
    PUBLIC_CALL(ctx);
    *first = look(ctx);
    return look(ctx);
}

static void test_call__cancelling_ends_with_the_call_that_it_stopped(void **state)
{
    cairn_context *ctx = *state;
    cairn_status first;
    assert_ok(ctx, look(ctx));
    cairn_context_cancel(ctx);
    assert_fails(ctx, look(ctx), CAIRN_CANCELLED, "interrupted");
    assert_false(cairn_is_cancelled(ctx));
    assert_ok(ctx, look(ctx));
    cairn_context_cancel(ctx);
    assert_int_equal(look_twice(ctx, &first), CAIRN_CANCELLED);
    assert_int_equal(first, CAIRN_CANCELLED);
    assert_ok(ctx, look(ctx));
}

static cairn_status ask_twice(cairn_context *ctx)
{
    PUBLIC_CALL(ctx);
    cairn_context_cancel(ctx);
    cairn_status status = cairn_tick(ctx, NULL, 0, 0);
    cairn_context_cancel(ctx); /* a second Ctrl-C while the first is obeyed */
    return status;
}

static void test_call__asking_twice_is_asking_once(void **state)
{
    cairn_context *ctx = *state;
    assert_int_equal(ask_twice(ctx), CAIRN_CANCELLED);
    assert_ok(ctx, look(ctx));
}

static void test_call__requests_that_came_too_late_can_be_forgotten(void **state)
{
    cairn_context *ctx = *state;
    cairn_context_cancel(ctx);
    cairn_context_resume(ctx);
    assert_ok(ctx, look(ctx));
}

/* What a task does with its own context is inside the call of its parent. */
static cairn_status look_as_task(cairn_context *ctx)
{
    PUBLIC_CALL(ctx);
    cairn_context *child;
    assert_ok(ctx, cairn_child_new(ctx, &child));
    cairn_context_cancel(ctx);
    cairn_status status = look(child);
    assert_true(cairn_is_cancelled(ctx));
    cairn_child_join(ctx, child, status);
    return status;
}

static void test_call__of_a_child_does_not_end_the_request(void **state)
{
    cairn_context *ctx = *state;
    assert_fails(ctx, look_as_task(ctx), CAIRN_CANCELLED, "interrupted");
    assert_ok(ctx, look(ctx));
}

#if defined(__x86_64__)

enum { FLUSH = 0x8040, DOWN = 0x2000, STANDARD = 0x1F80 };

static unsigned arithmetic_inside(cairn_context *ctx)
{
    PUBLIC_CALL(ctx);
    volatile double zero = 0;
    volatile double infinite = 1 / zero; /* sets a flag */
    (void)infinite;
    return __builtin_ia32_stmxcsr() & ~0x3FU;
}

static void test_call__arithmetic_is_the_standards_inside_and_the_callers_outside(void **state)
{
    static const unsigned settings[] = {STANDARD, STANDARD | FLUSH, STANDARD | DOWN,
                                        STANDARD | FLUSH | 0x20};
    cairn_context *ctx = *state;
    unsigned own = __builtin_ia32_stmxcsr();
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        __builtin_ia32_ldmxcsr(settings[i]);
        unsigned inside = arithmetic_inside(ctx), after = __builtin_ia32_stmxcsr();
        __builtin_ia32_ldmxcsr(own);
        assert_int_equal(inside, STANDARD);
        assert_int_equal(after, settings[i]);
    }
}

#endif

static void test_call__version_is_one_number(void **state)
{
    (void)state;
    assert_int_equal(cairn_version_number(), CAIRN_VERSION_NUMBER);
    assert_int_equal(cairn_version_number(),
                     10000 * CAIRN_VERSION_MAJOR + 100 * CAIRN_VERSION_MINOR + CAIRN_VERSION_PATCH);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_call__cancelling_ends_with_the_call_that_it_stopped),
        context_test(test_call__asking_twice_is_asking_once),
        context_test(test_call__requests_that_came_too_late_can_be_forgotten),
        context_test(test_call__of_a_child_does_not_end_the_request),
#if defined(__x86_64__)
        context_test(test_call__arithmetic_is_the_standards_inside_and_the_callers_outside),
#endif
        cmocka_unit_test(test_call__version_is_one_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
