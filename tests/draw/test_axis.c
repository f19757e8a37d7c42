/* SPDX-License-Identifier: MIT */
#include "draw/axis.h"
#include "support/unit.h"
#include <float.h>
#include <math.h>

static cairn_axis fitted(double low, double high, int wanted)
{
    cairn_axis axis = {.from = 0, .to = 100};
    cairn_axis_fit(&axis, CAIRN_SCALE_LINEAR, NAN, NAN, low, high, 0, 0);
    cairn_axis_ticks(&axis, wanted);
    return axis;
}

static void test_axis__unit_range_has_fifths(void **state)
{
    (void)state;
    cairn_axis axis = fitted(0, 1, 5);
    const char *const labels[] = {"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"};
    assert_int_equal(axis.n_ticks, 6);
    for (size_t i = 0; i < 6; i++) assert_string_equal(axis.labels[i], labels[i]);
    assert_string_equal(axis.note, "");
}

static void test_axis__whole_steps_have_no_decimals(void **state)
{
    (void)state;
    cairn_axis axis = fitted(-50, 150, 4);
    assert_int_equal(axis.n_ticks, 5);
    assert_string_equal(axis.labels[0], "−50");
    assert_string_equal(axis.labels[4], "150");
}

static void test_axis__ticks_are_round_and_inside(void **state)
{
    (void)state;
    const double ranges[][2] = {{0, 1},       {3.2, 3.9},      {-1e-7, 2e-7},
                                {1e12, 3e12}, {-12, 1e4},      {0.001, 0.009},
                                {99, 101},    {-1e300, 1e300}, {1e-299, 1e-298}};
    for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++)
        for (int wanted = 1; wanted <= 12; wanted++) {
            cairn_axis axis = fitted(ranges[r][0], ranges[r][1], wanted);
            /* three at least, since one or two do not say what lies between */
            assert_in_range(axis.n_ticks, 3, wanted < 3 ? 7 : 2 * (size_t)wanted + 1);
            double span = axis.high - axis.low;
            for (size_t i = 0; i < axis.n_ticks; i++) {
                assert_true(axis.ticks[i] >= axis.low - span * 1e-5);
                assert_true(axis.ticks[i] <= axis.high + span * 1e-5);
                assert_true(strlen(axis.labels[i]) <= 12);
                for (size_t j = 0; j < i; j++)
                    assert_string_not_equal(axis.labels[i], axis.labels[j]);
            }
            if (axis.n_ticks < 2) continue;
            double step = axis.ticks[1] - axis.ticks[0];
            double lead = step / pow(10, floor(log10(step) + 1e-9));
            assert_true(fabs(lead - 1) < 1e-6 || fabs(lead - 2) < 1e-6 || fabs(lead - 5) < 1e-6);
        }
}

static void test_axis__large_numbers_share_a_power(void **state)
{
    (void)state;
    cairn_axis axis = fitted(0, 8e7, 4);
    assert_string_equal(axis.note, "×10⁶");
    assert_string_equal(axis.labels[1], "20");
    axis = fitted(0, 4e-12, 4);
    assert_string_equal(axis.note, "×10⁻¹²");
}

static void test_axis__large_offset_is_taken_out(void **state)
{
    (void)state;
    cairn_axis axis = fitted(1e9, 1e9 + 4, 4);
    assert_string_equal(axis.note, "+ 1000000000");
    assert_string_equal(axis.labels[0], "0");
    assert_string_equal(axis.labels[axis.n_ticks - 1], "4");
}

static void test_axis__constant_and_empty_data_get_a_range(void **state)
{
    (void)state;
    const double values[] = {0, 5, -5, 1e300, -DBL_MAX, DBL_MAX, 5e-324, 1e-200, NAN};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        for (int scale = 0; scale < 2; scale++) {
            cairn_axis axis = {.from = 0, .to = 100};
            double low = NAN, high = NAN;
            cairn_range_include(&low, &high, values[i], (cairn_scale)scale);
            cairn_axis_fit(&axis, (cairn_scale)scale, NAN, NAN, low, high, 0.05, 0.05);
            assert_true(isfinite(axis.low) && isfinite(axis.high) && axis.low < axis.high);
            cairn_axis_ticks(&axis, 5);
            double middle = cairn_axis_place(&axis, axis.low + (axis.high - axis.low) / 2);
            assert_true(middle > 0 && middle < 100);
        }
}

static void test_axis__asked_range_is_kept(void **state)
{
    (void)state;
    cairn_axis axis = {.from = 0, .to = 100};
    cairn_axis_fit(&axis, CAIRN_SCALE_LINEAR, 0, 1, -5, 5, 0.1, 0.1);
    assert_true(axis.low == 0 && axis.high == 1);
    cairn_axis_fit(&axis, CAIRN_SCALE_LINEAR, 0, NAN, 2, 10, 0.1, 0.1);
    assert_true(axis.low == 0 && axis.high > 10);
    cairn_axis_fit(&axis, CAIRN_SCALE_LINEAR, 20, NAN, 2, 10, 0.1, 0.1);
    assert_true(axis.low < axis.high);
    cairn_axis_fit(&axis, CAIRN_SCALE_LOG, -3, 0, 2, 10, 0, 0);
    assert_true(axis.low > 1.9 && axis.high < 10.1);
}

static void test_axis__log_ticks(void **state)
{
    (void)state;
    cairn_axis axis = {.from = 0, .to = 100};
    cairn_axis_fit(&axis, CAIRN_SCALE_LOG, 1, 1000, 1, 1000, 0, 0);
    cairn_axis_ticks(&axis, 4);
    assert_int_equal(axis.n_ticks, 4);
    assert_string_equal(axis.labels[3], "1000");
    cairn_axis_fit(&axis, CAIRN_SCALE_LOG, 1e-8, 1e8, 1, 1, 0, 0);
    cairn_axis_ticks(&axis, 5);
    assert_in_range(axis.n_ticks, 3, 10);
    assert_non_null(strstr(axis.labels[0], "10⁻"));
    cairn_axis_fit(&axis, CAIRN_SCALE_LOG, 1, 10, 1, 1, 0, 0);
    cairn_axis_ticks(&axis, 6);
    assert_string_equal(axis.labels[1], "2");
    cairn_axis_fit(&axis, CAIRN_SCALE_LOG, 3.1, 3.9, 1, 1, 0, 0);
    cairn_axis_ticks(&axis, 4);
    assert_true(axis.n_ticks >= 2);
}

static void test_axis__places(void **state)
{
    (void)state;
    cairn_axis axis = fitted(0, 10, 5);
    assert_true(cairn_axis_place(&axis, 5) == 50);
    assert_true(isnan(cairn_axis_place(&axis, NAN)));
    assert_true(isnan(cairn_axis_place(&axis, INFINITY)));
    assert_true(isfinite(cairn_axis_place(&axis, DBL_MAX)));
    axis.scale = CAIRN_SCALE_LOG;
    axis.low = 1;
    assert_true(isnan(cairn_axis_place(&axis, 0)));
    assert_true(isnan(cairn_axis_place(&axis, -1)));
}

static void test_axis__whole_numbers_have_no_ticks_between(void **state)
{
    (void)state;
    cairn_axis axis = {.from = 0, .to = 100, .whole = true};
    cairn_axis_fit(&axis, CAIRN_SCALE_LINEAR, NAN, NAN, 1, 3, 0.04, 0.04);
    cairn_axis_ticks(&axis, 10);
    assert_int_equal(axis.n_ticks, 3);
    assert_string_equal(axis.labels[0], "1");
    assert_string_equal(axis.labels[2], "3");
}

/* The label of every tick and the note of an axis of times. */
static void assert_times(double low, double high, int wanted, const char *labels, const char *note)
{
    cairn_axis axis = {0};
    char joined[1000] = "";
    cairn_axis_fit(&axis, CAIRN_SCALE_TIME, low, high, low, high, 0, 0);
    cairn_axis_ticks(&axis, wanted);
    for (size_t i = 0; i < axis.n_ticks; i++) {
        if (i) strcat(joined, ", ");
        strcat(joined, axis.labels[i]);
    }
    assert_string_equal(joined, labels);
    assert_string_equal(axis.note, note);
}

static void test_axis__times_have_ticks_of_the_calendar(void **state)
{
    (void)state;
    const double day = 86400, spring = 1773446400; /* 2026-03-14 */
    assert_times(spring + 6 * 3600, spring + 9 * 3600, 3, "06:00, 07:00, 08:00, 09:00",
                 "2026-03-14");
    assert_times(spring, spring + 5 * day, 5, "14 Mar, 15 Mar, 16 Mar, 17 Mar, 18 Mar, 19 Mar",
                 "2026");
    assert_times(spring, spring + 120 * day, 4, "Apr, May, Jun, Jul", "2026");
    assert_times(spring, spring + 400 * day, 4, "Apr 2026, Jul 2026, Oct 2026, Jan 2027, Apr 2027",
                 "");
    assert_times(spring - 3652 * day, spring, 5, "2018, 2020, 2022, 2024, 2026", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_axis__unit_range_has_fifths),
        cmocka_unit_test(test_axis__whole_steps_have_no_decimals),
        cmocka_unit_test(test_axis__ticks_are_round_and_inside),
        cmocka_unit_test(test_axis__large_numbers_share_a_power),
        cmocka_unit_test(test_axis__large_offset_is_taken_out),
        cmocka_unit_test(test_axis__constant_and_empty_data_get_a_range),
        cmocka_unit_test(test_axis__asked_range_is_kept),
        cmocka_unit_test(test_axis__whole_numbers_have_no_ticks_between),
        cmocka_unit_test(test_axis__log_ticks),
        cmocka_unit_test(test_axis__places),
        cmocka_unit_test(test_axis__times_have_ticks_of_the_calendar),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
