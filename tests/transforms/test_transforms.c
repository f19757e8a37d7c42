/* SPDX-License-Identifier: MIT */
/* impute, indicators and standardise: values, order of columns, what they refuse. */
#include "support/unit.h"
#include "support/transforms.h"
#include <math.h>

static const char *const colours[] = {"red", "green", "blue"};

static cairn_table *make_table(cairn_context *ctx)
{
    static const double x[] = {1, 2, NAN, 5}, constant[] = {7, 7, 7, 7};
    static const int32_t colour[] = {1, 2, -1, 1};
    cairn_table *table;
    assert_ok(ctx, cairn_table_new(ctx, &table, 4));
    assert_ok(ctx, cairn_table_add_numbers(ctx, table, "x", x));
    assert_ok(ctx, cairn_table_add_levels(ctx, table, "colour", colour, colours, 3));
    assert_ok(ctx, cairn_table_add_numbers(ctx, table, "constant", constant));
    return table;
}

/* Run one transform; the caller frees the result. */
static cairn_table *run(cairn_context *ctx, const char *spec)
{
    const char *with[] = {spec, NULL};
    cairn_table *table = make_table(ctx), *out;
    assert_ok(ctx, run_transforms(ctx, &out, table, with, NULL));
    cairn_table_free(table);
    return out;
}

static void assert_near(double a, double b)
{
    if (!(fabs(a - b) <= 1e-12 * fmax(1, fabs(b)))) fail_msg("%.17g is not %.17g", a, b);
}

static void test_impute__mean_and_mode(void **state)
{
    cairn_table *t = run(*state, "impute");
    assert_near(cairn_table_numbers(t, 0)[2], 8.0 / 3);
    assert_int_equal(cairn_table_codes(t, 1)[2], 1);
    assert_int_equal(t->slots[0].column->n_missing, 0);
    cairn_table_free(t);
}

static void test_impute__median_and_new_level(void **state)
{
    cairn_table *t = run(*state, "impute:numbers=median,levels=new");
    assert_near(cairn_table_numbers(t, 0)[2], 2);
    assert_int_equal(cairn_table_codes(t, 1)[2], 3);
    assert_string_equal(cairn_table_level(t, 1, 3), "(missing)");
    cairn_table_free(t);
}

static void test_impute__only_named_columns(void **state)
{
    cairn_table *t = run(*state, "impute:columns=colour");
    assert_true(isnan(cairn_table_numbers(t, 0)[2]));
    assert_int_equal(cairn_table_codes(t, 1)[2], 1);
    cairn_table_free(t);
}

static void test_impute__column_without_values_is_named(void **state)
{
    static const double none[] = {NAN, NAN, NAN, NAN};
    const char *with[] = {"impute", NULL};
    cairn_table *t = make_table(*state), *out;
    assert_ok(*state, cairn_table_add_numbers(*state, t, "empty", none));
    assert_fails(*state, run_transforms(*state, &out, t, with, NULL), CAIRN_BAD_DATA, "'empty'");
    cairn_table_free(t);
}

static void test_indicators__one_column_per_declared_level(void **state)
{
    cairn_table *t = run(*state, "indicators");
    assert_int_equal(cairn_table_columns(t), 5);
    assert_string_equal(cairn_table_name(t, 1), "colour=red");
    assert_string_equal(cairn_table_name(t, 3), "colour=blue");
    assert_string_equal(cairn_table_name(t, 4), "constant");
    assert_near(cairn_table_numbers(t, 2)[0], 1);
    assert_near(cairn_table_numbers(t, 1)[0], 0);
    assert_true(isnan(cairn_table_numbers(t, 1)[2]));
    cairn_table_free(t);
}

static void test_indicators__reference_and_coding(void **state)
{
    cairn_table *t = run(*state, "indicators:reference=yes,zero=-1");
    assert_int_equal(cairn_table_columns(t), 4);
    assert_string_equal(cairn_table_name(t, 1), "colour=green");
    assert_near(cairn_table_numbers(t, 1)[1], -1);
    cairn_table_free(t);
}

/* Two rows {a: 2, b: 1} and {b: 3} of a bag become the columns items=a and items=b. */
static void test_indicators__bags_become_amounts(void **state)
{
    static const char text[] = "a a b\nb b b\n";
    const char *with[] = {"indicators", NULL};
    cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
    cairn_table *bags, *out;
    options.format = "basket";
    assert_ok(*state,
              cairn_table_read_memory(*state, &bags, "b.basket", text, sizeof text - 1, &options));
    assert_ok(*state, run_transforms(*state, &out, bags, with, NULL));
    ptrdiff_t a = cairn_table_find(out, "items=a"), b = cairn_table_find(out, "items=b");
    assert_true(a >= 0 && b >= 0);
    assert_near(cairn_table_numbers(out, (size_t)a)[0], 2);
    assert_near(cairn_table_numbers(out, (size_t)a)[1], 0);
    assert_near(cairn_table_numbers(out, (size_t)b)[1], 3);
    cairn_table_free(out);
    cairn_table_free(bags);
}

static void test_indicators__names_stay_unique(void **state)
{
    static const char text[] = "x,x=y\ny=z,z\ny=z,z\nw,v\n";
    const char *with[] = {"indicators", NULL};
    cairn_table *table, *out;
    assert_ok(*state,
              cairn_table_read_memory(*state, &table, "t.csv", text, sizeof text - 1, NULL));
    assert_ok(*state, run_transforms(*state, &out, table, with, NULL));
    assert_true(cairn_table_find(out, "x=y=z") >= 0);
    assert_true(cairn_table_find(out, "x=y=z_2") >= 0);
    cairn_table_free(out);
    cairn_table_free(table);
}

static void test_standardise__mean_0_deviation_1(void **state)
{
    cairn_table *t = run(*state, "standardise");
    double sd = sqrt(26.0 / 9);
    assert_near(cairn_table_numbers(t, 0)[0], (1 - 8.0 / 3) / sd);
    assert_true(isnan(cairn_table_numbers(t, 0)[2]));
    assert_near(cairn_table_numbers(t, 2)[3], 0);
    cairn_table_free(t);
    t = run(*state, "standardise:divisor=n-1");
    assert_near(cairn_table_numbers(t, 0)[3], (5 - 8.0 / 3) / sqrt(13.0 / 3));
    cairn_table_free(t);
}

static void test_transforms__wrong_columns_are_refused(void **state)
{
    static const struct {
        const char *spec, *part;
        cairn_status status;
    } bad[] = {
        {"standardise:columns=colour", "number column", CAIRN_BAD_DATA},
        {"indicators:columns=x", "level or bag column", CAIRN_BAD_DATA},
        {"impute:columns=color", "did you mean 'colour'", CAIRN_USAGE},
        {"impute:numbers=avg", "mean, median, zero or mode", CAIRN_USAGE},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *with[] = {bad[i].spec, NULL};
        cairn_table *t = make_table(*state), *out;
        assert_fails(*state, run_transforms(*state, &out, t, with, NULL), bad[i].status,
                     bad[i].part);
        cairn_table_free(t);
    }
}

static void test_moments__weights_are_repeats(void **state)
{
    static const double x[] = {1, 2, NAN, 5}, w[] = {2, 1, 3, 2};
    static const double repeated[] = {1, 1, 2, NAN, NAN, NAN, 5, 5};
    const char *with[] = {"standardise", NULL};
    cairn_table *a, *b, *a_out, *b_out;
    assert_ok(*state, cairn_table_new(*state, &a, 4));
    assert_ok(*state, cairn_table_add_numbers(*state, a, "x", x));
    assert_ok(*state, cairn_table_add_numbers(*state, a, "w", w));
    assert_ok(*state, cairn_table_set_role(*state, a, "w", CAIRN_WEIGHT));
    assert_ok(*state, cairn_table_new(*state, &b, 8));
    assert_ok(*state, cairn_table_add_numbers(*state, b, "x", repeated));
    assert_ok(*state, run_transforms(*state, &a_out, a, with, NULL));
    assert_ok(*state, run_transforms(*state, &b_out, b, with, NULL));
    assert_near(cairn_table_numbers(a_out, 0)[0], cairn_table_numbers(b_out, 0)[0]);
    assert_near(cairn_table_numbers(a_out, 0)[3], cairn_table_numbers(b_out, 0)[7]);
    cairn_table_free(a);
    cairn_table_free(b);
    cairn_table_free(a_out);
    cairn_table_free(b_out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_impute__mean_and_mode),
        context_test(test_impute__median_and_new_level),
        context_test(test_impute__only_named_columns),
        context_test(test_impute__column_without_values_is_named),
        context_test(test_indicators__one_column_per_declared_level),
        context_test(test_indicators__reference_and_coding),
        context_test(test_indicators__bags_become_amounts),
        context_test(test_indicators__names_stay_unique),
        context_test(test_standardise__mean_0_deviation_1),
        context_test(test_transforms__wrong_columns_are_refused),
        context_test(test_moments__weights_are_repeats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
