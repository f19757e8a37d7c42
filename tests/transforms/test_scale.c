/* SPDX-License-Identifier: MIT */
/* scale and unit: values of every method, ends, targets that predictions undo, bags. */
#include "support/unit.h"
#include "support/transforms.h"
#include <math.h>
#include <stdlib.h>

static void assert_near(double a, double b)
{
    if (!(fabs(a - b) <= 1e-12 * fmax(1, fabs(b)))) fail_msg("%.17g is not %.17g", a, b);
}

static cairn_table *read_csv(cairn_context *ctx, const char *text)
{
    cairn_table *table;
    assert_ok(ctx, cairn_table_read_memory(ctx, &table, "t.csv", text, strlen(text), NULL));
    return table;
}

static cairn_table *run(cairn_context *ctx, const char *text, const char *spec)
{
    const char *with[] = {spec, NULL};
    cairn_table *table = read_csv(ctx, text), *out;
    assert_ok(ctx, run_transforms(ctx, &out, table, with, NULL));
    cairn_table_free(table);
    return out;
}

static void check(cairn_context *ctx, const char *text, const char *spec, const double *wanted,
                  size_t n)
{
    cairn_table *t = run(ctx, text, spec);
    for (size_t i = 0; i < n; i++) {
        double x = cairn_table_numbers(t, 0)[i];
        if (isnan(wanted[i]) ? !isnan(x) : !(fabs(x - wanted[i]) <= 1e-12))
            fail_msg("%s: row %zu is %.17g, not %.17g", spec, i + 1, x, wanted[i]);
    }
    cairn_table_free(t);
}

static const char five[] = "x,g\n1,a\n2,a\n3,b\n4,b\n10,b\n";

static void test_scale__every_method(void **state)
{
    double sd = sqrt(50.0 / 5), sd1 = sqrt(50.0 / 4);
    check(*state, five, "scale", (double[]){-3 / sd, -2 / sd, -1 / sd, 0, 6 / sd}, 5);
    check(*state, five, "scale:divisor=n-1", (double[]){-3 / sd1, -2 / sd1, -1 / sd1, 0, 6 / sd1},
          5);
    check(*state, five, "scale:centre=no", (double[]){1 / sd, 2 / sd, 3 / sd, 4 / sd, 10 / sd}, 5);
    check(*state, five, "scale:method=robust", (double[]){-1, -0.5, 0, 0.5, 3.5}, 5);
    check(*state, five, "scale:method=range", (double[]){0, 1. / 9, 2. / 9, 3. / 9, 1}, 5);
    check(*state, five, "scale:method=midrange,factor=10",
          (double[]){-10, -35. / 4.5, -25. / 4.5, -15. / 4.5, 10}, 5);
    check(*state, five, "scale:method=max-abs", (double[]){0.1, 0.2, 0.3, 0.4, 1}, 5);
    check(*state, five, "scale:none", (double[]){1, 2, 3, 4, 10}, 5);
    check(*state, five, "scale:none,factor=2", (double[]){2, 4, 6, 8, 20}, 5);
}

static void test_scale__given_ends_cut_off(void **state)
{
    check(*state, five, "scale:method=range,low=2,high=4", (double[]){0, 0, 0.5, 1, 1}, 5);
    check(*state, five, "scale:method=range,low=2,high=4,truncate=no",
          (double[]){-0.5, 0, 0.5, 1, 4}, 5);
    check(*state, five, "scale:method=range,low=0", (double[]){0.1, 0.2, 0.3, 0.4, 1}, 5);
}

static void test_scale__missing_and_constant(void **state)
{
    check(*state, "x,g\n1,a\n,b\n3,c\n", "scale:method=range", (double[]){0, NAN, 1}, 3);
    check(*state, "x,g\n4,a\n4,b\n4,c\n", "scale", (double[]){0, 0, 0}, 3);
    check(*state, "x,g\n4,a\n4,b\n4,c\n", "scale:method=robust", (double[]){0, 0, 0}, 3);
    check(*state, "x,g\n-4,a\n-4,b\n", "scale:method=max-abs", (double[]){-1, -1}, 2);
}

/* Sums and squares that leave the range of numbers: mean and deviation do not. */
static void test_scale__ends_of_the_range_of_numbers(void **state)
{
    static const char large[] = "x,g\n-1.7e308,a\n1.7e308,b\n-1.7e308,a\n1.7e308,b\n";
    static const char small[] = "x,g\n1e-310,a\n3e-310,b\n1e-310,a\n3e-310,b\n";
    static const char equal[] = "x,g\n1.7e308,a\n1.7e308,b\n1.7e308,a\n";
    static const char gap[] = "x,g\n1.5e308,a\n1.5e308,b\n1.5e308,a\n,b\n";
    static const double wanted[] = {-1, 1, -1, 1};
    check(*state, large, "scale", wanted, 4);
    check(*state, large, "standardise", wanted, 4);
    check(*state, large, "scale:method=midrange", wanted, 4);
    check(*state, small, "scale", wanted, 4);
    check(*state, small, "standardise", wanted, 4);
    check(*state, equal, "standardise", (double[]){0, 0, 0}, 3);
    cairn_table *t = run(*state, gap, "impute"), *out = NULL;
    assert_true(cairn_table_numbers(t, 0)[3] == 1.5e308);
    cairn_table_free(t);
    const char *with[] = {"scale:method=range", NULL};
    t = read_csv(*state, large);
    assert_fails(*state, run_transforms(*state, &out, t, with, NULL), CAIRN_BAD_DATA,
                 "column 'x' has numbers so large");
    cairn_table_free(t);
}

/* Weight w is the same as the row w times. */
static void test_scale__weights_are_repeats(void **state)
{
    static const char *const specs[] = {"scale", "scale:method=robust", "scale:method=midrange"};
    for (size_t k = 0; k < 3; k++) {
        const char *with[] = {specs[k], NULL};
        cairn_table *a = read_csv(*state, "x,w\n1,2\n2,1\n5,3\n9,1\n"), *b, *c;
        assert_ok(*state, cairn_table_set_role(*state, a, "w", CAIRN_WEIGHT));
        assert_ok(*state, run_transforms(*state, &b, a, with, NULL));
        c = run(*state, "x,g\n1,1\n1,1\n2,1\n5,1\n5,1\n5,1\n9,1\n", specs[k]);
        assert_near(cairn_table_numbers(b, 0)[0], cairn_table_numbers(c, 0)[0]);
        assert_near(cairn_table_numbers(b, 0)[3], cairn_table_numbers(c, 0)[6]);
        cairn_table_free(a);
        cairn_table_free(b);
        cairn_table_free(c);
    }
}

static void test_scale__refusals(void **state)
{
    static const struct {
        const char *spec, *part;
        cairn_status status;
    } bad[] = {
        {"scale:method=range,low=5,high=2", "low must be below high", CAIRN_BAD_DATA},
        {"scale:method=range,low=(1,2)", "one for all or one for each", CAIRN_USAGE},
        {"scale:method=range,columns=g", "a number column is needed", CAIRN_BAD_DATA},
        {"scale:target=yes", "'target'", CAIRN_USAGE},
        {"scale:factor=0", "factor", CAIRN_USAGE},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *with[] = {bad[i].spec, NULL};
        cairn_table *t = read_csv(*state, five), *out;
        assert_fails(*state, run_transforms(*state, &out, t, with, NULL), bad[i].status,
                     bad[i].part);
        cairn_table_free(t);
    }
}

/* A model that learned a scaled target predicts in the target's own units, also after loading. */
static void test_scale__predictions_undo_the_target(void **state)
{
    static const char text[] = "x,y\n1,110\n2,118\n3,133\n4,139\n5,152\n";
    static const char *const specs[] = {"scale:target=only",
                                        "scale:method=midrange,factor=10,target=yes",
                                        "scale:method=robust,target=yes"};
    cairn_table *table = read_csv(*state, text), *plain, *answer;
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    cairn_params *params;
    cairn_model *model, *loaded;
    char *bytes;
    size_t length;
    options.task = CAIRN_REGRESS;
    assert_ok(*state, cairn_table_set_role(*state, table, "y", CAIRN_TARGET));
    assert_ok(*state, cairn_params_new(*state, &params, "linear"));
    assert_ok(*state, cairn_model_fit(*state, &model, params, table, &options));
    assert_ok(*state, cairn_model_predict(*state, &plain, model, table, false));
    cairn_model_free(model);
    for (size_t k = 0; k < 3; k++) {
        const char *with[] = {specs[k], NULL};
        options.with = with;
        assert_ok(*state, cairn_model_fit(*state, &model, params, table, &options));
        assert_near(model->baseline, 130.4);
        assert_ok(*state, cairn_model_save_memory(*state, model, &bytes, &length));
        assert_ok(*state, cairn_model_load_memory(*state, &loaded, "m", bytes, length));
        assert_ok(*state, cairn_model_predict(*state, &answer, loaded, table, false));
        for (size_t i = 0; i < 5; i++)
            if (fabs(cairn_table_numbers(answer, 0)[i] - cairn_table_numbers(plain, 0)[i]) > 1e-9)
                fail_msg("%s: row %zu", specs[k], i + 1);
        cairn_table_free(answer);
        cairn_string_free(bytes);
        cairn_model_free(model);
        cairn_model_free(loaded);
    }
    cairn_table_free(plain);
    cairn_table_free(table);
    cairn_params_free(params);
}

/* Rows {a: 2, b: 1}, {b: 3}: a is 2 and 0, b is 1 and 3. */
static void test_scale__bags_are_divided(void **state)
{
    static const char text[] = "a a b\nb b b\n";
    cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
    cairn_table *bags, *out;
    const char *with[] = {"scale", NULL}, *largest[] = {"scale:method=max-abs", NULL};
    const char *unit[] = {"unit:norm=l1", NULL};
    options.format = "basket";
    assert_ok(*state,
              cairn_table_read_memory(*state, &bags, "b.basket", text, sizeof text - 1, &options));
    assert_ok(*state, run_transforms(*state, &out, bags, with, NULL));
    const cairn_column *bag = out->slots[0].column;
    assert_near(bag->amounts[bag->starts[0]], 2);     /* the deviation of 2, 0 is 1 */
    assert_near(bag->amounts[bag->starts[0] + 1], 1); /* and that of 1, 3 as well */
    assert_near(bag->amounts[bag->starts[1]], 3);
    cairn_table_free(out);
    assert_ok(*state, run_transforms(*state, &out, bags, largest, NULL));
    bag = out->slots[0].column;
    assert_near(bag->amounts[bag->starts[0]], 1);
    assert_near(bag->amounts[bag->starts[0] + 1], 1. / 3);
    cairn_table_free(out);
    assert_ok(*state, run_transforms(*state, &out, bags, unit, NULL));
    bag = out->slots[0].column;
    assert_near(bag->amounts[bag->starts[0]], 2. / 3);
    assert_near(bag->amounts[bag->starts[1]], 1);
    cairn_table_free(out);
    cairn_table_free(bags);
}

static void test_unit__rows_of_numbers(void **state)
{
    static const char text[] = "x,y\n3,4\n0,0\n-6,\n";
    cairn_table *t = run(*state, text, "unit");
    assert_near(cairn_table_numbers(t, 0)[0], 0.6);
    assert_near(cairn_table_numbers(t, 1)[0], 0.8);
    assert_near(cairn_table_numbers(t, 0)[1], 0);
    assert_near(cairn_table_numbers(t, 0)[2], -1);
    assert_true(isnan(cairn_table_numbers(t, 1)[2]));
    cairn_table_free(t);
    t = run(*state, text, "unit:norm=max");
    assert_near(cairn_table_numbers(t, 0)[0], 0.75);
    cairn_table_free(t);
}

/* With scale_on_all rows that are not learned from help to find the scale. */
static void test_scale__on_all_rows(void **state)
{
    static const uint32_t rows[] = {0, 1, 2};
    const char *with[] = {"scale:method=range", NULL};
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    cairn_table *table = read_csv(*state, "x,y\n1,2\n2,3\n3,5\n11,4\n"), *made;
    cairn_params *params;
    options.with = with;
    options.task = CAIRN_REGRESS;
    assert_ok(*state, cairn_table_set_role(*state, table, "y", CAIRN_TARGET));
    assert_ok(*state, cairn_params_new(*state, &params, "linear"));
    for (int all = 0; all < 2; all++) {
        cairn_model *model;
        options.scale_on_all = all;
        assert_ok(*state, cairn_model_fit_rows(*state, &model, params, table,
                                               (cairn_rows){rows, 3, NULL}, &options));
        assert_ok(*state, cairn_recipe_apply(*state, &made, model, table));
        assert_near(cairn_table_numbers(made, 0)[2], all ? 0.2 : 1);
        cairn_table_free(made);
        cairn_model_free(model);
    }
    cairn_params_free(params);
    cairn_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_scale__every_method),
        context_test(test_scale__given_ends_cut_off),
        context_test(test_scale__missing_and_constant),
        context_test(test_scale__ends_of_the_range_of_numbers),
        context_test(test_scale__weights_are_repeats),
        context_test(test_scale__refusals),
        context_test(test_scale__predictions_undo_the_target),
        context_test(test_scale__bags_are_divided),
        context_test(test_unit__rows_of_numbers),
        context_test(test_scale__on_all_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
