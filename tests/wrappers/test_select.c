/* SPDX-License-Identifier: MIT */
/* select: which features stay, what it costs, errors and starts, refusals. */
#include "transforms/cutting.h"
#include <stdio.h>

enum { ROWS = 60 };

static double bump(size_t i, size_t salt)
{
    double x = sin((double)i * 12.9898 + (double)salt * 78.233) * 43758.5453;
    return x - floor(x);
}

/* Five columns; the target depends on a and c. */
static cairn_table *make_table(cairn_context *ctx, bool as_classes)
{
    static const char *const names[] = {"a", "b", "c", "d", "e"};
    double x[5][ROWS], y[ROWS];
    int32_t codes[ROWS];
    cairn_table *t;
    assert_ok(ctx, cairn_table_new(ctx, &t, ROWS));
    for (size_t j = 0; j < 5; j++) {
        for (size_t i = 0; i < ROWS; i++) {
            double u = bump(i, j + 1);
            x[j][i] = u > 0.5 ? 0.8 * u + 0.2 : 0.8 * u; /* with a gap in the middle */
        }
        assert_ok(ctx, cairn_table_add_numbers(ctx, t, names[j], x[j]));
    }
    for (size_t i = 0; i < ROWS; i++) {
        y[i] = 3 * x[0][i] - 2 * x[2][i] + 0.01 * bump(i, 9);
        codes[i] = x[2][i] > 0.5;
    }
    if (as_classes)
        assert_ok(ctx, cairn_table_add_levels(ctx, t, "y", codes, two_classes, 2));
    else
        assert_ok(ctx, cairn_table_add_numbers(ctx, t, "y", y));
    assert_ok(ctx, cairn_table_set_role(ctx, t, "y", CAIRN_TARGET));
    return t;
}

static void assert_selects(cairn_context *ctx, const cairn_table *t, const char *spec,
                           const char *wanted)
{
    cairn_report *report;
    assert_ok(ctx, run_recipe(ctx, t, spec, NULL, &report));
    const char *found = cairn_report_string(report, "select.features");
    if (strcmp(found, wanted)) fail_msg("%s selects %s, not %s", spec, found, wanted);
    cairn_report_free(report);
}

static void test_select__finds_the_features(void **state)
{
    cairn_table *t = make_table(*state, false), *made;
    assert_selects(*state, t, "select:threshold=0.001", "a,c");
    assert_selects(*state, t, "select:threshold=0.001,by=cv:5,error=rmse", "a,c");
    assert_selects(*state, t, "select:linear,count=2,direction=backward,error=mae", "a,c");
    assert_selects(*state, t, "select:count=1", "a");
    /* those that are not among the columns stay in */
    assert_selects(*state, t, "select:columns=(b,c),count=1", "c");
    assert_ok(*state, run_recipe(*state, t, "select:columns=(b,c),count=1", &made, NULL));
    assert_true(cairn_table_find(made, "b") < 0);
    assert_true(cairn_table_find(made, "a") >= 0 && cairn_table_find(made, "e") >= 0);
    cairn_table_free(made);
    cairn_table_free(t);
}

static void test_select__classes_by_any_error(void **state)
{
    static const char *const errors[] = {"rate", "brier", "log-loss", "auc"};
    cairn_table *t = make_table(*state, true);
    for (size_t i = 0; i < 4; i++) {
        char spec[80];
        snprintf(spec, sizeof spec, "select:learner=tree:max-depth=1,count=1,error=%s", errors[i]);
        assert_selects(*state, t, spec, "c");
    }
    cairn_table_free(t);
}

static void test_select__counts_what_it_trains(void **state)
{
    cairn_table *t = make_table(*state, false);
    cairn_report *report;
    assert_ok(*state, run_recipe(*state, t, "select:count=3,by=cv:4", NULL, &report));
    assert_value(report, "select.models", 5 + 4 + 3);
    assert_value(report, "select.fits", 4 * (5 + 4 + 3));
    assert_value(report, "select.start", INFINITY);
    cairn_report_free(report);
    assert_ok(*state, run_recipe(*state, t, "select:direction=backward,rows=41-60,threshold=9",
                                 NULL, &report));
    assert_value(report, "select.models", 1 + 5); /* the full set, and a round in vain */
    assert_value(report, "select.count", 5);
    cairn_report_free(report);
    assert_ok(*state,
              run_recipe(*state, t, "select:direction=backward,rows=41-60,threshold=9,start=inf",
                         NULL, &report));
    assert_value(report, "select.count", 4); /* the first step is forced */
    cairn_report_free(report);
    cairn_table_free(t);
}

/* The row numbers mean the table's rows, and weights count. */
static void test_select__weights_of_validation_rows(void **state)
{
    static const double x[] = {0, 1, 2, 3, 4, 5}, y[] = {0.5, 1.5, 2.5, 3.5, 4.5, 9.5},
                        w[] = {1, 1, 1, 1, 1, 3};
    cairn_table *t;
    cairn_report *report;
    assert_ok(*state, cairn_table_new(*state, &t, 6));
    assert_ok(*state, cairn_table_add_numbers(*state, t, "x", x));
    assert_ok(*state, cairn_table_add_numbers(*state, t, "y", y));
    assert_ok(*state, cairn_table_set_role(*state, t, "y", CAIRN_TARGET));
    add_weights(*state, t, w);
    assert_ok(*state, run_recipe(*state, t, "select:linear,rows=5-6", NULL, &report));
    assert_value(report, "select.error", 3 * 16 / 4.0); /* 4 too low in the last row */
    cairn_report_free(report);
    cairn_table_free(t);
}

static void test_select__refusals(void **state)
{
    cairn_table *t = make_table(*state, false);
    static const struct {
        const char *spec, *part;
        cairn_status status;
    } cases[] = {
        {"select:linera", "linear", CAIRN_USAGE},
        {"select:learner=kmeans:clusters=2", "cannot predict numbers", CAIRN_USAGE},
        {"select:error=rate", "not for a target of numbers", CAIRN_USAGE},
        {"select:rows=5-x", "rows such as 11-15,20", CAIRN_USAGE},
        {"select:rows=50-70", "no row 70", CAIRN_BAD_DATA},
        {"select:rows=1-60", "no row to train on", CAIRN_BAD_DATA},
        {"select:count=6", "there are 5", CAIRN_BAD_DATA},
        {"select:by=cv:61", "61", CAIRN_BAD_DATA},
        {"select:columns=z", "no feature 'z'", CAIRN_USAGE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_fails(*state, run_recipe(*state, t, cases[i].spec, NULL, NULL), cases[i].status,
                     cases[i].part);
    assert_ok(*state, cairn_table_set_role(*state, t, "y", CAIRN_IGNORED));
    assert_fails(*state, run_recipe(*state, t, "select", NULL, NULL), CAIRN_BAD_DATA, "'target'");
    cairn_table_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_select__finds_the_features),
        context_test(test_select__classes_by_any_error),
        context_test(test_select__counts_what_it_trains),
        context_test(test_select__weights_of_validation_rows),
        context_test(test_select__refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
