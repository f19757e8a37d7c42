/* SPDX-License-Identifier: MIT */
/* Model formulas: what the text stands for, the columns that it makes, refusals with places. */
#include "support/fail_alloc.h"
#include "support/transforms.h"
#include "model/model_formula.h"
#include "cairn/limits.h"
#include <math.h>

static cairn_status make_small(cairn_context *ctx, cairn_table **out)
{
    static const double x[] = {1, 2, 3, 4, 6, 9}, z[] = {2, -1, 0, 5, 1, 3};
    static const int32_t f[] = {0, 1, 2, 0, 1, 2}, g[] = {0, 0, 1, 1, 1, 0};
    static const char *const letters[] = {"a", "b", "c"}, *const words[] = {"no", "yes"};
    static const double y[] = {3, 1, 4, 1, 5, 9};
    OWNED(cairn_table_free) cairn_table *table = NULL;
    CHECK(cairn_table_new(ctx, &table, 6));
    CHECK(cairn_table_add_numbers(ctx, table, "x", x));
    CHECK(cairn_table_add_numbers(ctx, table, "z", z));
    CHECK(cairn_table_add_levels(ctx, table, "f", f, letters, 3));
    CHECK(cairn_table_add_levels(ctx, table, "g", g, words, 2));
    CHECK(cairn_table_add_numbers(ctx, table, "y", y));
    CHECK(cairn_table_set_role(ctx, table, "y", CAIRN_TARGET));
    *out = TAKE(table);
    return CAIRN_OK;
}

static cairn_table *make_table(cairn_context *ctx)
{
    cairn_table *table;
    assert_ok(ctx, make_small(ctx, &table));
    return table;
}

/* The terms of a formula as text: "x f x:f", "1 " before them with a constant. */
static void assert_terms(cairn_context *ctx, const char *formula, const char *expected)
{
    static const char *const all[] = {"x", "z", "y"};
    cairn_model_formula f;
    cairn_text said = cairn_text_start(ctx);
    assert_ok(ctx, cairn_model_formula_read(ctx, &f, formula, all, 3));
    if (f.intercept) cairn_text_add(&said, "1");
    for (size_t t = 0; t < f.n_terms; t++)
        for (size_t i = 0; i < f.terms[t].n; i++)
            cairn_text_addf(&said, "%s%s",
                            i             ? ":"
                            : said.length ? " "
                                          : "",
                            f.variables[f.terms[t].variables[i]].name);
    assert_string_equal(cairn_text_string(&said), expected);
    cairn_text_clear(&said);
}

static void test_model_formula__operators_give_terms(void **state)
{
    assert_terms(*state, "y ~ a*b", "1 a b a:b");
    assert_terms(*state, "y ~ b:a + a", "1 a b:a");
    assert_terms(*state, "a*b*c - a:b:c", "1 a b c a:b a:c b:c");
    assert_terms(*state, "(a + b + c)^2 - a:b", "1 a b c a:c b:c");
    assert_terms(*state, "a/b", "1 a a:b");
    assert_terms(*state, "(a+b)/c", "1 a b a:b:c");
    assert_terms(*state, "a %in% b", "1 a:b");
    assert_terms(*state, "y ~ .", "1 x z");
    assert_terms(*state, "y ~ . - x - 1", "z");
    assert_terms(*state, "y ~ 0 + a", "a");
    assert_terms(*state, "-1 + a + 1", "1 a");
    assert_terms(*state, "y ~ 1", "1");
    assert_terms(*state, "`my col` + [b c] + I( a ^ 2 )*log(a)",
                 "1 my col b c I(a^2) log(a) I(a^2):log(a)");
    assert_terms(*state, "a*b + a + a:b", "1 a b a:b");
}

static cairn_table *run(cairn_context *ctx, const char *spec)
{
    const char *with[] = {spec, NULL};
    cairn_table *table = make_table(ctx), *out;
    assert_ok(ctx, run_transforms(ctx, &out, table, with, NULL));
    cairn_table_free(table);
    return out;
}

static void refuse(cairn_context *ctx, const char *spec, const char *message)
{
    const char *with[] = {spec, NULL};
    cairn_table *table = make_table(ctx), *out = NULL;
    cairn_status status = run_transforms(ctx, &out, table, with, NULL);
    if (status == CAIRN_OK || status == CAIRN_INTERNAL) fail_msg("%s: status %d", spec, status);
    if (!strstr(cairn_message(ctx), message)) fail_msg("%s: %s", spec, cairn_message(ctx));
    cairn_table_free(table);
}

static void assert_column(const cairn_table *t, const char *name, const double *expected)
{
    ptrdiff_t at = cairn_table_find(t, name);
    if (at < 0) fail_msg("there is no column %s", name);
    const double *values = cairn_table_numbers(t, (size_t)at);
    if (!values) fail_msg("column %s has no numbers", name);
    for (size_t i = 0; i < 6; i++)
        if (!(fabs(values[i] - expected[i]) <= 1e-12))
            fail_msg("%s, row %zu: %.17g is not %.17g", name, i, values[i], expected[i]);
}

static void test_design__columns_and_products(void **state)
{
    cairn_table *t = run(*state, "design:x*f + x:z + I(x^2)");
    assert_int_equal(cairn_table_columns(t), 7); /* y x f I(x^2) x:f=b x:f=c x:z */
    assert_column(t, "x:f=b", (const double[]){0, 2, 0, 0, 6, 0});
    assert_column(t, "x:f=c", (const double[]){0, 0, 3, 0, 0, 9});
    assert_column(t, "x:z", (const double[]){2, -2, 0, 20, 6, 27});
    assert_column(t, "I(x^2)", (const double[]){1, 4, 9, 16, 36, 81});
    assert_true(cairn_table_find(t, "f") >= 0 && cairn_table_find(t, "g") < 0);
    cairn_table_free(t);
    t = run(*state, "design:f:g - 1");
    assert_int_equal(cairn_table_columns(t), 7); /* y and every pair of levels */
    assert_column(t, "f=a:g=no", (const double[]){1, 0, 0, 0, 0, 0});
    cairn_table_free(t);
    t = run(*state, "design:f - 1");
    assert_column(t, "f=a", (const double[]){1, 0, 0, 1, 0, 0});
    cairn_table_free(t);
}

/* Numbers of R: poly(c(1,2,3,4,6,9), 2). */
static void test_design__polynomials_are_orthogonal(void **state)
{
    static const double first[] = {-0.483850745013444106, -0.331055772903935397,
                                   -0.178260800794426827, -0.025465828684918149,
                                   0.280124115534099216,  0.738509031862625176};
    cairn_table *t = run(*state, "design:poly(x,3)");
    double dot = 0, length = 0;
    const double *p1 = cairn_table_numbers(t, (size_t)cairn_table_find(t, "poly(x,3)1"));
    const double *p2 = cairn_table_numbers(t, (size_t)cairn_table_find(t, "poly(x,3)2"));
    for (size_t i = 0; i < 6; i++) dot += p1[i] * p2[i], length += p2[i] * p2[i];
    assert_true(fabs(dot) < 1e-14 && fabs(length - 1) < 1e-14);
    cairn_table_free(t);
    t = run(*state, "design:poly(x,2)");
    assert_column(t, "poly(x,2)1", first);
    cairn_table_free(t);
    t = run(*state, "design:poly(x,2,raw=TRUE)");
    assert_column(t, "poly(x,2,raw=TRUE)2", (const double[]){1, 4, 9, 16, 36, 81});
    cairn_table_free(t);
}

static void test_design__mistakes_are_shown(void **state)
{
    refuse(*state, "design:x + w", "there is no column 'w'");
    refuse(*state, "design:x + (z", "not closed");
    refuse(*state, "design:x)", "was not opened");
    refuse(*state, "design:x + x", "stands twice");
    refuse(*state, "design:x + y", "is the target");
    refuse(*state, "design:log(y)", "is the target");
    refuse(*state, "design:poly(x,6)", "different values");
    refuse(*state, "design:poly(f,2)", "needs numbers");
    refuse(*state, "design:x^99", "behind ^");
    refuse(*state, "design:x z", "is meant here");
    refuse(*state, "design:3*x", "I(2*x)");
    refuse(*state, "design:x +", "missing at the end");
    refuse(*state, "design:`x", "not closed by `");
    refuse(*state, "design:nonsense(x)", "nonsense");
    refuse(*state, "design:y ~ x ~ z", "~");
}

/* They are counted before they are made. */
static void test_design__columns_have_a_limit(void **state)
{
    cairn_context *ctx = *state;
    assert_ok(ctx, cairn_context_set_limit(ctx, CAIRN_LIMIT_COLUMNS, 8));
    refuse(ctx, "design:poly(x,3):poly(z,3)", "design: 9 columns are too many");
    refuse(ctx, "design:poly(x,3)+poly(z,3)+poly(x,3):z", "design: 9 columns are too many");
}

/* Saved, loaded, new rows: the polynomial and the levels are those of training. */
static void test_design__new_rows_are_coded_as_in_training(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *table = make_table(ctx), *before, *after;
    cairn_params *params;
    cairn_model *model, *loaded;
    const char *with[] = {"design:poly(x,2)*f + factor(z)", NULL};
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    char *bytes;
    size_t length;
    options.with = with;
    assert_ok(ctx, cairn_params_new(ctx, &params, "linear"));
    assert_ok(ctx, cairn_model_fit(ctx, &model, params, table, &options));
    assert_ok(ctx, cairn_model_save_memory(ctx, model, &bytes, &length));
    assert_ok(ctx, cairn_model_load_memory(ctx, &loaded, "model", bytes, length));
    assert_ok(ctx, cairn_model_predict(ctx, &before, model, table, NULL));
    assert_ok(ctx, cairn_model_predict(ctx, &after, loaded, table, NULL));
    assert_memory_equal(cairn_table_numbers(before, 0), cairn_table_numbers(after, 0),
                        6 * sizeof(double));
    cairn_table_free(before);
    cairn_table_free(after);
    cairn_model_free(model);
    cairn_model_free(loaded);
    cairn_string_free(bytes);
    cairn_params_free(params);
    cairn_table_free(table);
}

static cairn_status design_once(cairn_context *ctx, void *data)
{
    (void)data;
    OWNED(cairn_table_free) cairn_table *table = NULL;
    CHECK(make_small(ctx, &table));
    const char *with[] = {"design:poly(x,2)*f + I(x*z) + factor(z) + offset(x)", NULL};
    cairn_table *out;
    cairn_status status = run_transforms(ctx, &out, table, with, NULL);
    if (!status) cairn_table_free(out);
    return status;
}

static void test_design__every_allocation_may_fail(void **state)
{
    (void)state;
    assert_survives_allocation_failures(design_once, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_model_formula__operators_give_terms),
        context_test(test_design__columns_and_products),
        context_test(test_design__polynomials_are_orthogonal),
        context_test(test_design__mistakes_are_shown),
        context_test(test_design__columns_have_a_limit),
        context_test(test_design__new_rows_are_coded_as_in_training),
        cmocka_unit_test(test_design__every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
