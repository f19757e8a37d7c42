/* SPDX-License-Identifier: MIT */
/* Dates and times: the calendar against itself and against known days, reading, writing. */
#include "support/unit.h"
#include "data/time.h"
#include <math.h>

static double parse(const char *text, const char *pattern)
{
    double seconds = NAN;
    return cairn_time_parse(text, strlen(text), pattern, &seconds, NULL, NULL) ? seconds : NAN;
}

static void assert_written(double seconds, const char *pattern, const char *wanted)
{
    char out[CAIRN_TIME_SIZE];
    size_t length = cairn_time_format(out, seconds, pattern);
    assert_string_equal(out, wanted);
    assert_int_equal(length, strlen(wanted));
}

/* Every day of the years 1 to 9999 follows the one before by the rules of the calendar. */
static void test_calendar__every_day_follows(void **state)
{
    (void)state;
    static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    double seconds = cairn_time_of_date(1, 1, 1);
    int weekday = 1, week_days = 0;
    for (int year = 1; year <= 9999; year++) {
        int leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0), in_year = 0;
        for (int month = 1; month <= 12; month++)
            for (int day = 1; day <= lengths[month - 1] + (month == 2 && leap); day++) {
                cairn_calendar p;
                if (!cairn_time_parts(seconds, &p) || p.year != year || p.month != month ||
                    p.day != day || p.day_of_year != ++in_year || p.weekday != weekday ||
                    cairn_time_of_date(year, month, day) != seconds)
                    fail_msg("%d-%d-%d is wrong", year, month, day);
                week_days += p.week;
                weekday = weekday % 7 + 1;
                seconds += 86400;
            }
    }
    cairn_calendar p;
    assert_false(cairn_time_parts(seconds, &p));
    assert_false(cairn_time_parts(cairn_time_of_date(1, 1, 1) - 1, &p));
    assert_false(cairn_time_parts(NAN, &p));
    assert_true(week_days > 0);
}

static void test_calendar__iso_weeks(void **state)
{
    (void)state;
    static const struct {
        int year, month, day, week_year, week, weekday;
    } known[] = {
        {2026, 11, 15, 2026, 46, 7}, {2005, 1, 1, 2004, 53, 6},  {2005, 1, 2, 2004, 53, 7},
        {2007, 1, 1, 2007, 1, 1},    {2008, 12, 29, 2009, 1, 1}, {2010, 1, 3, 2009, 53, 7},
        {1970, 1, 1, 1970, 1, 4},    {2000, 2, 29, 2000, 9, 2},  {2020, 12, 31, 2020, 53, 4},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        cairn_calendar p;
        assert_true(
            cairn_time_parts(cairn_time_of_date(known[i].year, known[i].month, known[i].day), &p));
        assert_int_equal(p.week_year, known[i].week_year);
        assert_int_equal(p.week, known[i].week);
        assert_int_equal(p.weekday, known[i].weekday);
    }
}

static void test_parts__of_a_time_before_1970(void **state)
{
    (void)state;
    cairn_calendar p;
    assert_true(cairn_time_parts(-0.25, &p));
    assert_int_equal(p.year, 1969);
    assert_int_equal(p.quarter, 4);
    assert_int_equal(p.hour, 23);
    assert_int_equal(p.minute, 59);
    assert_true(p.second == 59.75);
    assert_string_equal(cairn_weekday_name(p.weekday), "Wednesday");
    assert_string_equal(cairn_month_name(p.month), "December");
}

static void test_parse__plain_forms(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double seconds;
    } good[] = {
        {"1970-01-01", 0},
        {" 2026-11-15 ", 1794700800},
        {"2026/11/15", 1794700800},
        {"2026-11-15 14:30", 1794753000},
        {"2026-11-15T14:30:05", 1794753005},
        {"2026-11-15 14:30:05.125", 1794753005.125},
        {"2026-11-15T14:30:05Z", 1794753005},
        {"2026-11-15T14:30:05+02:00", 1794745805},
        {"2026-11-15T14:30:05-0330", 1794765605},
        {"2026-11-15 14:30:05+02", 1794745805},
        {"2024-02-29", 1709164800},
        {"0001-01-01", -62135596800},
        {"9999-12-31", 253402214400},
        {"2016-12-31T23:59:60Z", 1483228800},
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        if (parse(good[i].text, NULL) != good[i].seconds)
            fail_msg("%s is %f", good[i].text, parse(good[i].text, NULL));
}

static void test_parse__what_is_no_time(void **state)
{
    (void)state;
    static const struct {
        const char *text, *why;
    } bad[] = {
        {"2026-02-30", "no such day"},
        {"2023-02-29", "no such day"},
        {"1900-02-29", "no such day"},
        {"2026-13-01", "month"},
        {"2026-00-01", "month"},
        {"2026-01-00", "no such day"},
        {"0000-01-01", "year"},
        {"2026-11-15 24:00", "hour"},
        {"2026-11-15 12:60", "minute"},
        {"2026-11-15 12:00:61", "second"},
        {"2026-11-15T12", "written"},
        {"2026-11/15", "written"},
        {"15.11.2026", "written"},
        {"20261115", "written"},
        {"2026-11-15 12:00:00.", "written"},
        {"2026-11-15x", "written"},
        {"2026-11-15 12:00+16:00", "offset"},
        {"", "written"},
        {"0001-01-01 00:00+01:00", "UTC"},
        {"9999-12-31T23:59:60Z", "UTC"},
        {"11-15-2026", "written"},
        {"2026-1-5", "written"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double seconds;
        const char *why = NULL;
        if (cairn_time_parse(bad[i].text, strlen(bad[i].text), NULL, &seconds, NULL, &why))
            fail_msg("'%s' is taken as a time", bad[i].text);
        if (!strstr(why, bad[i].why)) fail_msg("'%s': %s", bad[i].text, why);
    }
}

static void test_parse__patterns(void **state)
{
    (void)state;
    static const struct {
        const char *text, *pattern, *iso;
    } good[] = {
        {"15.11.2026", "%d.%m.%Y", "2026-11-15"},
        {"5.1.26", "%d.%m.%y", "2026-01-05"},
        {"5.1.69", "%d.%m.%y", "1969-01-05"},
        {"11/15/2026 2:30 PM", "%m/%d/%Y %I:%M %p", "2026-11-15 14:30"},
        {"11/15/2026 12:05am", "%m/%d/%Y %I:%M%p", "2026-11-15 00:05"},
        {"Sun, 15 Nov 2026 14:30:05 +0100", "%a, %d %b %Y %T %z", "2026-11-15 13:30:05"},
        {"november 15 2026", "%B %d %Y", "2026-11-15"},
        {"may 1 2026", "%b %e %Y", "2026-05-01"},
        {"20261115", "%Y%m%d", "2026-11-15"},
        {"2026-319", "%Y-%j", "2026-11-15"},
        {"1794753005", "%s", "2026-11-15 14:30:05"},
        {"1794753005125", "%Q", "2026-11-15 14:30:05.125"},
        {"14:30:05.5", "%T.%f", "1970-01-01 14:30:05.500"},
        {"100% 2026", "100%% %Y", "2026-01-01"},
        {"2026-11-15   14:30", "%F %R", "2026-11-15 14:30"},
    };
    static const struct {
        const char *text, *pattern;
    } bad[] = {
        {"31.02.2026", "%d.%m.%Y"}, {"00.01.2026", "%d.%m.%Y"}, {"1.13.2026", "%d.%m.%Y"},
        {"1.1.2026 ", "%d.%m"},     {"13:00 PM", "%I:%M %p"},   {"2026-366", "%Y-%j"},
        {"2026-0", "%Y-%j"},        {"Foo 2026", "%b %Y"},      {"1e300", "%s"},
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        double seconds = parse(good[i].text, good[i].pattern);
        if (isnan(seconds)) fail_msg("%s is not read by %s", good[i].text, good[i].pattern);
        assert_written(seconds, NULL, good[i].iso);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (!isnan(parse(bad[i].text, bad[i].pattern))) fail_msg("%s is read", bad[i].text);
}

static void test_pattern__what_is_none(void **state)
{
    assert_ok(*state, cairn_time_check_pattern(*state, "%d.%m.%Y %H:%M:%S.%3f%z"));
    assert_fails(*state, cairn_time_check_pattern(*state, "%d.%K"), CAIRN_USAGE, "%K");
    assert_fails(*state, cairn_time_check_pattern(*state, "%"), CAIRN_USAGE, "stands for nothing");
    assert_fails(*state, cairn_time_check_pattern(*state, "dd.mm"), CAIRN_USAGE, "names no part");
    assert_fails(*state,
                 cairn_time_check_pattern(*state, "%Y%Y%Y%Y%Y%Y%Y%Y%Y%Y%Y%Y%Y%Y%Y%Y%Y%Y%Y%Y"),
                 CAIRN_USAGE, "longer");
}

static void test_format__by_pattern_or_in_full(void **state)
{
    (void)state;
    double t = 1794753005.125;
    assert_written(t, "%Y-%m-%dT%H:%M:%S.%3f%z", "2026-11-15T14:30:05.125Z");
    assert_written(t, "%A %d %B %Y", "2026-11-15 14:30:05.125"); /* the clock would be lost */
    assert_written(1794700800, "%A %d %B %Y", "Sunday 15 November 2026");
    assert_written(1794700800, "%a %e %b %y", "Sun 15 Nov 26");
    assert_written(t, "%s", "1794753005.125");
    assert_written(t, "%Q", "1794753005125");
    assert_written(1794700800, "%I %p %d.%m.%Y", "12 AM 15.11.2026");
    assert_written(parse("9999-12-31T23:59:59.999999Z", NULL), NULL, "9999-12-31 23:59:59.999");
    assert_written(0.9999999, NULL, "1970-01-01 00:00:01");
    assert_written(NAN, NULL, "nan");
    assert_written(1e18, "%Y", "1e+18");
}

static void test_form__of_a_column(void **state)
{
    (void)state;
    static const struct {
        const char *cells[3], *pattern;
    } columns[] = {
        {{"2026-11-15", "2026-11-16", "2026-11-17"}, "%Y-%m-%d"},
        {{"2026-11-15 00:00:00", "2026-11-16 00:00:00", "2026-11-17 00:00:00"}, "%Y-%m-%d"},
        {{"2026/11/15", "2026/11/16 10:30", "2026/11/17"}, "%Y/%m/%d %H:%M"},
        {{"2026-11-15T10:30:00Z", "2026-11-15T10:30:00Z", "2026-11-15T10:30:00Z"},
         "%Y-%m-%dT%H:%M:%S%z"},
        {{"2026-11-15 10:30:00.5", "2026-11-15 10:30", "2026-11-15"}, "%Y-%m-%d %H:%M:%S.%3f"},
        {{"2026-11-15 10:30:00.123456", "2026-11-15", "2026-11-15"}, "%Y-%m-%d %H:%M:%S.%6f"},
    };
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        cairn_time_form form = 0;
        char pattern[CAIRN_TIME_PATTERN];
        for (int j = 0; j < 3; j++) {
            double seconds;
            const char *cell = columns[i].cells[j];
            assert_true(cairn_time_parse(cell, strlen(cell), NULL, &seconds, &form, NULL));
        }
        cairn_time_form_pattern(pattern, form);
        assert_string_equal(pattern, columns[i].pattern);
    }
    double times[] = {0, NAN, 86400 + 60, 0.25};
    char pattern[CAIRN_TIME_PATTERN];
    cairn_time_form_pattern(pattern, cairn_time_form_of(times, 2));
    assert_string_equal(pattern, "%Y-%m-%d");
    cairn_time_form_pattern(pattern, cairn_time_form_of(times, 3));
    assert_string_equal(pattern, "%Y-%m-%d %H:%M");
    cairn_time_form_pattern(pattern, cairn_time_form_of(times, 4));
    assert_string_equal(pattern, "%Y-%m-%d %H:%M:%S.%3f");
}

static void test_letters__of_arff(void **state)
{
    (void)state;
    static const struct {
        const char *letters, *pattern, *back;
    } both[] = {
        {"yyyy-MM-dd'T'HH:mm:ss", "%Y-%m-%dT%H:%M:%S", "yyyy-MM-dd'T'HH:mm:ss"},
        {"dd.MM.yy", "%d.%m.%y", "dd.MM.yy"},
        {"d MMM yyyy h:mm a", "%d %b %Y %I:%M %p", "dd MMM yyyy hh:mm a"},
        {"yyyy-MM-dd HH:mm:ss.SSSZ", "%Y-%m-%d %H:%M:%S.%3f%z", "yyyy-MM-dd HH:mm:ss.SSSXX"},
    };
    char out[CAIRN_TIME_PATTERN], back[2 * CAIRN_TIME_PATTERN];
    for (size_t i = 0; i < sizeof both / sizeof *both; i++) {
        assert_true(cairn_time_from_letters(out, both[i].letters, strlen(both[i].letters)));
        assert_string_equal(out, both[i].pattern);
        assert_true(cairn_time_to_letters(back, both[i].pattern));
        assert_string_equal(back, both[i].back);
    }
    assert_false(cairn_time_from_letters(out, "qqq", 3));
    assert_false(cairn_time_from_letters(out, "'open", 5));
    assert_false(cairn_time_to_letters(back, "%s"));
}

static void test_span__in_words(void **state)
{
    (void)state;
    char out[CAIRN_TIME_SIZE];
    cairn_time_span(out, 90);
    assert_string_equal(out, "90 seconds");
    cairn_time_span(out, 7200);
    assert_string_equal(out, "2 hours");
    cairn_time_span(out, 31 * 86400.0);
    assert_string_equal(out, "31 days");
    cairn_time_span(out, 4 * 365.2425 * 86400);
    assert_string_equal(out, "4 years");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_calendar__every_day_follows),
        context_test(test_calendar__iso_weeks),
        context_test(test_parts__of_a_time_before_1970),
        context_test(test_parse__plain_forms),
        context_test(test_parse__what_is_no_time),
        context_test(test_parse__patterns),
        context_test(test_pattern__what_is_none),
        context_test(test_format__by_pattern_or_in_full),
        context_test(test_form__of_a_column),
        context_test(test_letters__of_arff),
        context_test(test_span__in_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
