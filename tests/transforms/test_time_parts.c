/* SPDX-License-Identifier: MIT */
/* The transform time: values of parts, which are chosen, circles, names, elapsed, refusals. */
#include "support/unit.h"
#include "support/fail_alloc.h"
#include "cairn/model.h"
#include "support/transforms.h"
#include <math.h>

static const char text[] = "start,end,x\n"
                           "2026-11-14 10:00,2026-11-15 10:00,1\n"
                           "2026-11-15 22:30,2026-11-18 10:30,2\n"
                           ",2026-11-18 10:30,3\n"
                           "2026-12-31 00:00,,4\n";

static cairn_table *make_table(cairn_context *ctx)
{
    cairn_table *table;
    assert_ok(ctx, cairn_table_read_memory(ctx, &table, "t.csv", text, sizeof text - 1, NULL));
    return table;
}

static cairn_table *run(cairn_context *ctx, const char *spec)
{
    const char *with[] = {spec, NULL};
    cairn_table *table = make_table(ctx), *out;
    assert_ok(ctx, run_transforms(ctx, &out, table, with, NULL));
    cairn_table_free(table);
    return out;
}

static double value(const cairn_table *t, const char *name, size_t row)
{
    ptrdiff_t at = cairn_table_find(t, name);
    if (at < 0) fail_msg("there is no column %s", name);
    return cairn_table_numbers(t, (size_t)at)[row];
}

static void assert_near(double a, double b)
{
    if (!(fabs(a - b) <= 1e-12)) fail_msg("%.17g is not %.17g", a, b);
}

static void test_time__parts_that_vary(void **state)
{
    cairn_table *t = run(*state, "time:columns=start");
    assert_int_equal(cairn_table_columns(t), 7);
    assert_true(value(t, "start_month", 0) == 11 && value(t, "start_month", 3) == 12);
    assert_true(value(t, "start_day", 1) == 15);
    assert_true(value(t, "start_weekday", 0) == 6 && value(t, "start_weekday", 3) == 4);
    assert_true(value(t, "start_hour", 1) == 22 && value(t, "start_minute", 1) == 30);
    assert_true(isnan(value(t, "start_hour", 2)));
    assert_true(cairn_table_find(t, "start_year") < 0);
    assert_true(cairn_table_find(t, "start_second") < 0);
    assert_true(cairn_table_find(t, "start") < 0);
    assert_int_equal(cairn_table_kind(t, (size_t)cairn_table_find(t, "end")), CAIRN_TIME);
    cairn_table_free(t);
}

static void test_time__every_part(void **state)
{
    cairn_table *t = run(*state, "time:columns=start,keep=yes,parts=[year,quarter,month,week,day,"
                                 "weekday,day-of-year,weekend,hour,minute,second,elapsed]");
    static const struct {
        const char *name;
        double value;
    } wanted[] = {
        {"start_year", 2026},       {"start_quarter", 4}, {"start_month", 11},
        {"start_week", 46},         {"start_day", 15},    {"start_weekday", 7},
        {"start_day_of_year", 319}, {"start_weekend", 1}, {"start_hour", 22},
        {"start_minute", 30},       {"start_second", 0},  {"start_elapsed", 36.5 / 24},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        assert_near(value(t, wanted[i].name, 1), wanted[i].value);
    assert_int_equal(cairn_table_columns(t), 15);
    assert_true(cairn_table_find(t, "start") >= 0);
    cairn_table_free(t);
}

static void test_time__circles_close(void **state)
{
    cairn_table *t = run(*state, "time:columns=start,parts=[month,hour,day,year],code=circles");
    assert_near(value(t, "start_month_sin", 3), sin(2 * M_PI * 11 / 12));
    assert_near(value(t, "start_hour_cos", 0), cos(2 * M_PI * 10 / 24));
    assert_near(value(t, "start_day_cos", 3), cos(2 * M_PI * 30 / 31));
    assert_near(value(t, "start_day_cos", 0), cos(2 * M_PI * 13 / 30));
    assert_true(value(t, "start_year", 0) == 2026);
    assert_true(cairn_table_find(t, "start_month") < 0);
    assert_true(isnan(value(t, "start_month_sin", 2)));
    cairn_table_free(t);
}

static void test_time__names_are_declared(void **state)
{
    cairn_table *t =
        run(*state, "time:columns=start,parts=[weekday,month,weekend,hour],code=names");
    ptrdiff_t day = cairn_table_find(t, "start_weekday"),
              end = cairn_table_find(t, "start_weekend");
    assert_int_equal(cairn_table_kind(t, (size_t)day), CAIRN_LEVEL);
    assert_int_equal(cairn_table_level_count(t, (size_t)day), 7);
    assert_string_equal(cairn_table_level(t, (size_t)day, 6), "Sunday");
    assert_int_equal(cairn_table_codes(t, (size_t)day)[1], 6);
    assert_int_equal(cairn_table_codes(t, (size_t)day)[2], -1);
    assert_int_equal(cairn_table_codes(t, (size_t)end)[3], 0);
    assert_int_equal(cairn_table_kind(t, (size_t)cairn_table_find(t, "start_hour")), CAIRN_NUMBER);
    cairn_table_free(t);
}

static void test_time__elapsed(void **state)
{
    cairn_table *t = run(*state, "time:since=start,unit=hours,columns=\"start,end\"");
    assert_near(value(t, "end_elapsed", 0), 24);
    assert_near(value(t, "end_elapsed", 1), 60);
    assert_true(isnan(value(t, "end_elapsed", 2)) && isnan(value(t, "end_elapsed", 3)));
    assert_true(cairn_table_find(t, "start_elapsed") < 0);
    cairn_table_free(t);
    t = run(*state, "time:since=2026-11-01,unit=weeks,columns=start,parts=elapsed");
    assert_near(value(t, "start_elapsed", 1), (14 * 24 + 22.5) / 168);
    assert_int_equal(cairn_table_columns(t), 3);
    cairn_table_free(t);
    t = run(*state, "time:since=first,unit=minutes,columns=start,parts=elapsed");
    assert_near(value(t, "start_elapsed", 0), 0);
    assert_near(value(t, "start_elapsed", 1), 36.5 * 60);
    cairn_table_free(t);
}

static void test_time__refusals(void **state)
{
    static const struct {
        const char *spec, *part;
        cairn_status status;
    } bad[] = {
        {"time:columns=x", "a time column is needed", CAIRN_BAD_DATA},
        {"time:columns=strt", "did you mean 'start'", CAIRN_USAGE},
        {"time:parts=[moth]", "did you mean 'month'", CAIRN_USAGE},
        {"time:since=x", "no time feature", CAIRN_BAD_DATA},
        {"time:since=yesterday", "neither a time", CAIRN_USAGE},
        {"time:unit=eons", "unit", CAIRN_USAGE},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *with[] = {bad[i].spec, NULL};
        cairn_table *t = make_table(*state), *out;
        assert_fails(*state, run_transforms(*state, &out, t, with, NULL), bad[i].status,
                     bad[i].part);
        cairn_table_free(t);
    }
}

/* A model takes times apart by itself, and does so again after saving, also when the new file
 * writes times in the way of the training file that is not the usual one. */
static void test_time__models_keep_the_pattern(void **state)
{
    cairn_context *ctx = *state;
    static const char train[] = "d,y\n1.2.2026,1\n8.2.2026,2\n1.3.2026,3\n9.3.2026,7\n";
    static const char fresh[] = "d\n14.2.2026\n";
    cairn_read_options o = CAIRN_READ_OPTIONS_INIT;
    cairn_params *line;
    cairn_table *table, *raw, *out;
    cairn_model *model, *loaded;
    char *bytes;
    size_t length;
    o.kinds = "d=time(%d.%m.%Y)";
    assert_ok(ctx, cairn_table_read_memory(ctx, &table, "t.csv", train, sizeof train - 1, &o));
    assert_ok(ctx, cairn_table_set_role(ctx, table, "y", CAIRN_TARGET));
    assert_ok(ctx, cairn_params_new(ctx, &line, "linear"));
    assert_ok(ctx, cairn_model_fit(ctx, &model, line, table, NULL));
    assert_ok(ctx, cairn_model_save_memory(ctx, model, &bytes, &length));
    assert_ok(ctx, cairn_model_load_memory(ctx, &loaded, "m", bytes, length));
    assert_ok(ctx, cairn_table_read_memory(ctx, &raw, "f.csv", fresh, sizeof fresh - 1, NULL));
    assert_ok(ctx, cairn_model_predict(ctx, &out, loaded, raw, false));
    assert_int_equal(cairn_table_rows(out), 1);
    assert_true(isfinite(cairn_table_numbers(out, 0)[0]));
    cairn_table_free(out);
    cairn_table_free(raw);
    cairn_table_free(table);
    cairn_params_free(line);
    cairn_model_free(model);
    cairn_model_free(loaded);
    cairn_string_free(bytes);
}

static cairn_status run_all(cairn_context *ctx, void *data)
{
    const char *with[] = {"time:code=both,since=start,keep=yes", "time:code=names,columns=end",
                          NULL};
    cairn_table *table = NULL, *out = NULL;
    (void)data;
    cairn_status status =
        cairn_table_read_memory(ctx, &table, "t.csv", text, sizeof text - 1, NULL);
    if (!status) status = run_transforms(ctx, &out, table, with, NULL);
    cairn_table_free(out);
    cairn_table_free(table);
    return status;
}

static void test_time__failing_allocations_leak_nothing(void **state)
{
    (void)state;
    assert_survives_allocation_failures(run_all, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_time__parts_that_vary),
        context_test(test_time__every_part),
        context_test(test_time__circles_close),
        context_test(test_time__names_are_declared),
        context_test(test_time__elapsed),
        context_test(test_time__refusals),
        context_test(test_time__models_keep_the_pattern),
        cmocka_unit_test(test_time__failing_allocations_leak_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
