/* SPDX-License-Identifier: MIT */
/* calibrate: shares, smoothing, the logistic map, isotonic plateaus, several classes, refusals. */
#include "transforms/cutting.h"

static const char *const colours[] = {"red", "green", "blue"};

static cairn_table *colour_table(cairn_context *ctx)
{
    static const double x[] = {1, 2, 3, 4, 5, 6};
    static const int32_t codes[] = {0, 0, 0, 1, 1, -1};
    cairn_table *table = class_table(ctx, x, "++-+--");
    assert_ok(ctx, cairn_table_add_levels(ctx, table, "colour", codes, colours, 3));
    return table;
}

static void assert_near(double a, double b)
{
    if (!(fabs(a - b) <= 1e-12 * fmax(1, fabs(b)))) fail_msg("%.17g is not %.17g", a, b);
}

static void test_calibrate__shares_of_levels(void **state)
{
    static const struct {
        const char *spec;
        double red, green, missing;
    } cases[] = {
        {"calibrate:categorical", 2.0 / 3, 0.5, NAN},
        {"calibrate:categorical,smooth=laplace", 3.0 / 5, 0.5, NAN},
        {"calibrate:categorical,smooth=lambda:0.5", 2.5 / 4, 0.5, NAN},
        {"calibrate:categorical,smooth=m:5", (2 + 5 * 0.6) / 8, (1 + 5 * 0.6) / 7, NAN},
        {"calibrate:categorical,smooth=bits", 3.0 / 5, 0.5, NAN},
        {"calibrate:categorical,missing=prior", 2.0 / 3, 0.5, 0.5},
        {"calibrate:categorical,missing=own", 2.0 / 3, 0.5, 0},
        {"calibrate:categorical,output=log-odds", 0.4054651081081644 /* log 1.5 */, 0, NAN},
        {"calibrate:categorical,of-class=-", 1.0 / 3, 0.5, NAN},
        /* rows that have a colour are 3 to 2; assuming 1 to 1 divides the odds by 1.5 */
        {"calibrate:categorical,class-ratio=1", (2 / 1.5) / (1 + 2 / 1.5),
         (1 / 1.5) / (1 + 1 / 1.5), NAN},
    };
    cairn_table *t = colour_table(*state), *made;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_ok(*state, run_recipe(*state, t, cases[i].spec, &made, NULL));
        assert_near(number_at(made, "colour", 0), cases[i].red);
        assert_near(number_at(made, "colour", 3), cases[i].green);
        double missing = number_at(made, "colour", 5);
        if (isnan(cases[i].missing))
            assert_true(isnan(missing));
        else
            assert_near(missing, cases[i].missing);
        assert_near(number_at(made, "x", 0), 1);
        cairn_table_free(made);
    }
    cairn_table_free(t);
}

/* Means 2 and 4, squares 2 + 2 over 6 rows. */
static void test_calibrate__logistic(void **state)
{
    static const double x[] = {1, 2, 3, 3, 4, 5};
    cairn_table *t = class_table(*state, x, "---+++"), *made;
    cairn_report *report;
    assert_ok(*state, run_recipe(*state, t, "calibrate:output=log-odds", &made, &report));
    assert_value(report, "calibrate.x.variance", 4.0 / 6);
    assert_value(report, "calibrate.x.gamma", 3);
    assert_value(report, "calibrate.x.midpoint", 3);
    assert_near(number_at(made, "x", 0), -6);
    cairn_report_free(report);
    cairn_table_free(made);
    assert_ok(*state, run_recipe(*state, t, "calibrate:pooled=unbiased,class-ratio=2,keep=yes",
                                 &made, NULL));
    assert_near(number_at(made, "x_calibrated", 5), 1 / (1 + exp(-(2 * 2 + log(2)))));
    assert_near(number_at(made, "x", 5), 5);
    cairn_table_free(made);
    cairn_table_free(t);
}

static void test_calibrate__isotonic(void **state)
{
    static const double x[] = {1, 2, 3, 4, 5, 6};
    cairn_table *t = class_table(*state, x, "-+--++"), *made;
    cairn_report *report;
    assert_ok(*state, run_recipe(*state, t, "calibrate:isotonic", &made, &report));
    /* plateaus 0 on 1, 1/3 on 2..4, 1 on 5..6 */
    assert_near(number_at(made, "x", 0), 0);
    assert_near(number_at(made, "x", 2), 1.0 / 3);
    assert_near(number_at(made, "x", 4), 1);
    assert_string_equal(cairn_report_string(report, "calibrate.x.direction"), "rising");
    cairn_report_free(report);
    cairn_table_free(made);
    assert_ok(*state, run_recipe(*state, t, "calibrate:isotonic,smooth=laplace,output=log-odds",
                                 &made, NULL));
    assert_near(number_at(made, "x", 1), log(0.4 / 0.6)); /* (1 + 1) / (3 + 2) */
    cairn_table_free(made);
    assert_fails(
        *state, run_recipe(*state, t, "calibrate:isotonic,smooth=none,output=log-odds", NULL, NULL),
        CAIRN_BAD_DATA, "infinite");
    assert_ok(*state, run_recipe(*state, t, "calibrate:isotonic,direction=falling", &made, NULL));
    assert_near(number_at(made, "x", 0), 0.5); /* nothing falls: one plateau */
    cairn_table_free(made);
    cairn_table_free(t);
}

static void test_calibrate__each_of_three_classes(void **state)
{
    static const char *const names[] = {"a", "b", "c"};
    static const int32_t target[] = {0, 0, 1, 2, 2, 2}, colour[] = {0, 0, 0, 0, 1, 1};
    static const double same[] = {7, 7, 7, 7, 7, 7};
    cairn_table *t, *made;
    assert_ok(*state, cairn_table_new(*state, &t, 6));
    assert_ok(*state, cairn_table_add_levels(*state, t, "colour", colour, colours, 3));
    assert_ok(*state, cairn_table_add_numbers(*state, t, "same", same));
    assert_ok(*state, cairn_table_add_levels(*state, t, "class", target, names, 3));
    assert_ok(*state, cairn_table_set_role(*state, t, "class", CAIRN_TARGET));
    assert_ok(*state, run_recipe(*state, t, "calibrate", &made, NULL));
    assert_true(cairn_table_find(made, "colour") < 0);
    assert_near(number_at(made, "colour_a", 0), 0.5);
    assert_near(number_at(made, "colour_b", 0), 0.25);
    assert_near(number_at(made, "colour_c", 0), 0.25);
    assert_near(number_at(made, "colour_c", 5), 1);
    assert_near(number_at(made, "same_c", 0), 0.5); /* a constant says nothing */
    cairn_table_free(made);
    cairn_table_free(t);
}

static void test_calibrate__refusals(void **state)
{
    cairn_table *t = colour_table(*state);
    static const double apart[] = {1, 1, 2, 1, 2, 2};
    static const struct {
        const char *spec, *part;
        cairn_status status;
    } cases[] = {
        {"calibrate:smooth=much", "laplace", CAIRN_USAGE},
        {"calibrate:isotonic,smooth=m:2", "isotonic", CAIRN_USAGE},
        {"calibrate:logistic,columns=colour", "column 'colour' holds level", CAIRN_BAD_DATA},
        {"calibrate:categorical,columns=x", "column 'x' holds number", CAIRN_BAD_DATA},
        {"calibrate:of-class=red", "no class 'red'", CAIRN_USAGE},
        {"calibrate:logistic,columns=apart", "column 'apart'", CAIRN_BAD_DATA},
    };
    assert_ok(*state, cairn_table_add_numbers(*state, t, "apart", apart));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_fails(*state, run_recipe(*state, t, cases[i].spec, NULL, NULL), cases[i].status,
                     cases[i].part);
    cairn_table_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_calibrate__shares_of_levels),
        context_test(test_calibrate__logistic),
        context_test(test_calibrate__isotonic),
        context_test(test_calibrate__each_of_three_classes),
        context_test(test_calibrate__refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
