/* SPDX-License-Identifier: MIT */
/* Digits of decimal numbers that doubles do not give back. */
#include "data/digits.h"
#include "base/number.h"
#include "data/source_test.h"
#include <stdlib.h>

static size_t lost(const char *text)
{
    double number;
    assert_true(cairn_number_parse(text, strlen(text), &number));
    return cairn_digits_lost(text, strlen(text), number);
}

static void test_digits__up_to_15_are_kept(void **state)
{
    (void)state;
    static const char *const kept[] = {"0",
                                       "-12.34",
                                       "0.1",
                                       "999999999999999",
                                       "1e300",
                                       "0.000000000000001",
                                       "1234567890123.450000000000000000",
                                       "-00000000000000000000012.5",
                                       "inf",
                                       "nan",
                                       "123456789012345e-300",
                                       "9.87654321012345e-5"};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) assert_int_equal(lost(kept[i]), 0);
}

static void test_digits__some_more_are_kept(void **state)
{
    (void)state;
    assert_int_equal(lost("0.30000000000000004"), 0); /* a double itself */
    assert_int_equal(lost("9007199254740992"), 0);    /* 2^53 */
    assert_int_equal(lost("9007199254740993"), 1);
    assert_int_equal(lost("4503599627370.497"), 0);
    assert_int_equal(lost("9007199254740.991"), 1);
    assert_int_equal(lost("1234567890123456789.25"), 5);
    assert_int_equal(lost("0.1000000000000000000000000000001"), 15);
    assert_int_equal(lost("1.00000000000000000001"), 4);
    assert_int_equal(lost("0.9999999999999999999"), 4);
}

static void test_digits__a_column_warns_once(void **state)
{
    cairn_context *ctx = *state;
    char warning[400] = "";
    cairn_lost_digits l = {0};
    cairn_context_set_log(ctx, keep_warning, warning);
    cairn_digits_take(&l, "12.5", 4, 12.5);
    cairn_digits_warn(ctx, &l, "t", "x");
    assert_string_equal(warning, "");
    cairn_digits_take(&l, "9007199254740993", 16, 9007199254740992.0);
    cairn_digits_warn(ctx, &l, "t", "x");
    assert_string_equal(warning, "t, column 'x': 1 number has more digits than a double holds; up "
                                 "to 1 of them is lost");
    cairn_digits_take(&l, "1234567890123456789.25", 22, 1234567890123456789.25);
    cairn_digits_warn(ctx, &l, "t", "x");
    assert_string_equal(warning, "t, column 'x': 2 numbers have more digits than a double holds; "
                                 "up to 5 of them are lost");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_digits__up_to_15_are_kept),
        context_test(test_digits__some_more_are_kept),
        context_test(test_digits__a_column_warns_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
