/* SPDX-License-Identifier: MIT */
/* Structs of options from callers of other versions. */
#include "support/unit.h"

#include "base/options.h"

typedef struct old_options {
    size_t size;
    int a;
    int b;
} old_options;

typedef struct own_options {
    size_t size;
    int a, b;
    const char *text;
    int c, d;
} own_options;

typedef struct new_options {
    own_options own;
    double more;
    bool last;
} new_options;

static const own_options defaults = {sizeof(own_options), 1, 2, "text", 3, 4};

static cairn_status take(cairn_context *ctx, own_options *out, const void *given)
{
    *out = defaults;
    return cairn_options_take(ctx, out, sizeof *out, given, "cairn_own_options");
}

static void test_options__none_are_the_defaults(void **state)
{
    own_options got;
    assert_ok(*state, take(*state, &got, NULL));
    assert_memory_equal(&got, &defaults, sizeof got);
}

static void test_options__of_an_older_program_set_what_they_have(void **state)
{
    old_options old = {sizeof old, 10, 20};
    own_options got;
    assert_ok(*state, take(*state, &got, &old));
    assert_int_equal(got.size, sizeof got);
    assert_int_equal(got.a, 10);
    assert_int_equal(got.b, 20);
    assert_string_equal(got.text, "text");
    assert_int_equal(got.c, 3);
}

static void test_options__of_a_newer_program_must_not_ask_for_what_is_unknown(void **state)
{
    new_options newer;
    own_options got;
    memset(&newer, 0, sizeof newer);
    newer.own = (own_options){sizeof newer, 5, 6, NULL, 7, 8};
    assert_ok(*state, take(*state, &got, &newer));
    assert_int_equal(got.size, sizeof got);
    assert_int_equal(got.c, 7);
    newer.last = true;
    assert_fails(*state, take(*state, &got, &newer), CAIRN_USAGE, "cairn_own_options");
    assert_non_null(strstr(cairn_message(*state), "newer library"));
}

static void test_options__without_a_size_are_refused_with_the_remedy(void **state)
{
    own_options got, given = {0};
    assert_fails(*state, take(*state, &got, &given), CAIRN_USAGE, "CAIRN_OWN_OPTIONS_INIT");
    given.size = sizeof given.size - 1;
    assert_fails(*state, take(*state, &got, &given), CAIRN_USAGE, "CAIRN_OWN_OPTIONS_INIT");
    given.size = SIZE_MAX / 3; /* memory that nobody set: not read to its end */
    assert_fails(*state, take(*state, &got, &given), CAIRN_USAGE, "sizeof(cairn_own_options)");
    assert_memory_equal(&got, &defaults, sizeof got);
}

static void test_options__given_back_fit_the_callers_struct(void **state)
{
    struct {
        old_options old;
        int behind;
    } caller = {{sizeof(old_options), 0, 0}, 77};
    new_options newer;
    (void)state;
    memset(&newer, 0, sizeof newer);
    newer.own.size = sizeof newer;
    newer.more = 1.5;
    cairn_options_give(&caller.old, &defaults, sizeof defaults);
    assert_int_equal(caller.old.size, sizeof(old_options));
    assert_int_equal(caller.old.b, 2);
    assert_int_equal(caller.behind, 77);
    cairn_options_give(&newer, &defaults, sizeof defaults);
    assert_int_equal(newer.own.size, sizeof newer);
    assert_int_equal(newer.own.c, 3);
    assert_true(newer.more == 1.5);
    caller.old = (old_options){0, 5, 6};
    cairn_options_give(&caller.old, &defaults, sizeof defaults);
    assert_int_equal(caller.old.a, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_options__none_are_the_defaults),
        context_test(test_options__of_an_older_program_set_what_they_have),
        context_test(test_options__of_a_newer_program_must_not_ask_for_what_is_unknown),
        context_test(test_options__without_a_size_are_refused_with_the_remedy),
        context_test(test_options__given_back_fit_the_callers_struct),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
