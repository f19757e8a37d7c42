/* SPDX-License-Identifier: MIT */
/* formula, basis, kernel-map, polar, noise, jitter, flip, inflate: values and refusals. */
#include "support/fail_alloc.h"
#include "support/transforms.h"
#include <math.h>

static cairn_table *make_table(cairn_context *ctx)
{
    static const double x[] = {1, 2, 3, 4}, y[] = {2, -1, 0, 5};
    static const int32_t class[] = {0, 1, 1, 1};
    static const char *const classes[] = {"a", "b"};
    cairn_table *table;
    assert_ok(ctx, cairn_table_new(ctx, &table, 4));
    assert_ok(ctx, cairn_table_add_numbers(ctx, table, "x", x));
    assert_ok(ctx, cairn_table_add_numbers(ctx, table, "y", y));
    assert_ok(ctx, cairn_table_add_levels(ctx, table, "class", class, classes, 2));
    assert_ok(ctx, cairn_table_set_role(ctx, table, "class", CAIRN_TARGET));
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

static void refuse(cairn_context *ctx, const char *spec, const char *message)
{
    const char *with[] = {spec, NULL};
    cairn_table *table = make_table(ctx), *out = NULL;
    cairn_status status = run_transforms(ctx, &out, table, with, NULL);
    if (status == CAIRN_OK || status == CAIRN_INTERNAL) fail_msg("%s: status %d", spec, status);
    if (!strstr(cairn_message(ctx), message)) fail_msg("%s: %s", spec, cairn_message(ctx));
    cairn_table_free(table);
}

/* The numbers of a column by name. */
static const double *numbers(const cairn_table *t, const char *name)
{
    ptrdiff_t at = cairn_table_find(t, name);
    if (at < 0) fail_msg("there is no column %s", name);
    const double *values = cairn_table_numbers(t, (size_t)at);
    if (!values) fail_msg("column %s has no numbers", name);
    return values;
}

static void assert_near(double a, double b)
{
    if (!(fabs(a - b) <= 1e-12 * fmax(1, fabs(b)))) fail_msg("%.17g is not %.17g", a, b);
}

static void test_formula__columns_are_made_in_order(void **state)
{
    cairn_table *t = run(*state, "formula:z=(x-1)^2,w=z+y,x=sum(x,y),big=w>5,word=text(x)");
    assert_true(numbers(t, "z")[3] == 9 && numbers(t, "w")[3] == 14);
    assert_true(numbers(t, "x")[1] == 1); /* replaced, in its old place */
    assert_int_equal(cairn_table_find(t, "x"), 0);
    size_t big = (size_t)cairn_table_find(t, "big"), word = (size_t)cairn_table_find(t, "word");
    assert_string_equal(cairn_table_level(t, big, 1), "yes");
    assert_int_equal(cairn_table_codes(t, big)[3], 1);
    assert_int_equal(cairn_table_codes(t, big)[0], 0);
    assert_int_equal(cairn_table_kind(t, word), CAIRN_LEVEL);
    cairn_table_free(t);
    t = run(*state, "formula:big=y>0,truth=numbers");
    assert_true(numbers(t, "big")[0] == 1 && numbers(t, "big")[1] == 0);
    cairn_table_free(t);
    t = run(*state, "formula:set=\"q=if(class = \"\"a\"\", 1, 2)\"");
    assert_true(numbers(t, "q")[0] == 1 && numbers(t, "q")[1] == 2);
    cairn_table_free(t);
}

static void test_formula__mistakes_and_the_target(void **state)
{
    cairn_context *ctx = *state;
    cairn_params *params;
    cairn_model *model = NULL;
    cairn_table *t = make_table(ctx);
    const char *reads[] = {"formula:z=length(class)", NULL}, *writes[] = {"formula:class=x", NULL};
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    refuse(ctx, "formula", "needs 'set'");
    refuse(ctx, "formula:z=1+", "formula of 'z': a number, a text");
    refuse(ctx, "formula:z=xx", "formula of 'z': there is no column 'xx'");
    refuse(ctx, "formula:x", "a formula reads name = expression");
    assert_ok(ctx, cairn_params_new(ctx, &params, "majority"));
    options.with = reads;
    assert_fails(ctx, cairn_model_fit(ctx, &model, params, t, &options), CAIRN_USAGE,
                 "formula of 'z': it reads the target 'class'");
    options.with = writes;
    assert_fails(ctx, cairn_model_fit(ctx, &model, params, t, &options), CAIRN_USAGE,
                 "'class' is the target");
    cairn_params_free(params);
    cairn_table_free(t);
}

static void test_basis__products_and_their_order(void **state)
{
    static const char *const names[] = {"x",   "y",     "class", "x^2", "x*y",     "y^2",
                                        "x^3", "x^2*y", "x*y^2", "y^3", "constant"};
    cairn_table *t = run(*state, "basis:poly,degree=3,constant=yes");
    assert_int_equal(cairn_table_columns(t), 11);
    for (size_t i = 0; i < 11; i++) assert_string_equal(cairn_table_name(t, i), names[i]);
    assert_true(numbers(t, "x^2*y")[3] == 80 && numbers(t, "y^3")[1] == -1);
    assert_true(numbers(t, "constant")[2] == 1);
    cairn_table_free(t);
    t = run(*state, "basis:squares");
    assert_int_equal(cairn_table_columns(t), 3);
    assert_true(numbers(t, "y^2")[3] == 25);
    cairn_table_free(t);
    t = run(*state, "basis:interactions,degree=4");
    assert_int_equal(cairn_table_columns(t), 4);
    assert_true(numbers(t, "x*y")[1] == -2);
    cairn_table_free(t);
    t = run(*state, "basis:powers,degree=3,columns=x,keep=no");
    assert_int_equal(cairn_table_columns(t), 4);
    assert_true(numbers(t, "x^3")[3] == 64 && cairn_table_find(t, "x") < 0);
    cairn_table_free(t);
}

/* A table whose columns are called like products of each other: each product is a column. */
static void test_basis__names_that_look_like_products(void **state)
{
    static const double a[] = {1, 2, 3, 4}, b[] = {2, 1, 5, 4}, c[] = {3, 4, 1, 4};
    cairn_context *ctx = *state;
    const char *specs[] = {"basis", "kernel-map:offset=1", "basis:squares", "basis:sigmoid,count=2",
                           "basis:rbf,count=2"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        const char *with[] = {specs[i], "kernel-map", NULL};
        cairn_table *table, *out;
        assert_ok(ctx, cairn_table_new(ctx, &table, 4));
        assert_ok(ctx, cairn_table_add_numbers(ctx, table, "a", a));
        assert_ok(ctx, cairn_table_add_numbers(ctx, table, "b^2", b));
        assert_ok(ctx, cairn_table_add_numbers(ctx, table, "a*b", c));
        assert_ok(ctx, run_transforms(ctx, &out, table, with, NULL));
        if (i == 0) assert_int_equal(cairn_table_columns(out), 45);
        if (i == 0) assert_true(numbers(out, "phi(a*(a*(b^2)))")[2] > 0);
        cairn_table_free(out);
        cairn_table_free(table);
    }
}

/* Names that no rule can tell apart get a number and a warning. */
static void test_basis__equal_names_stay_columns(void **state)
{
    static const double a[] = {1, 2}, b[] = {3, 5};
    cairn_context *ctx = *state;
    const char *with[] = {"basis:sigmoid,count=12,keep=no", NULL};
    cairn_table *table, *out;
    assert_ok(ctx, cairn_table_new(ctx, &table, 2));
    assert_ok(ctx, cairn_table_add_numbers(ctx, table, "x", a));
    assert_ok(ctx, cairn_table_add_numbers(ctx, table, "x.step1", b));
    assert_ok(ctx, run_transforms(ctx, &out, table, with, NULL));
    assert_int_equal(cairn_table_columns(out), 24);
    cairn_table_free(out);
    cairn_table_free(table);
}

static void test_transforms__a_column_named_twice_is_refused(void **state)
{
    static const char *const specs[] = {
        "basis:columns=(x,x)", "kernel-map:columns=(x,x)",           "impute:columns=(x,x)",
        "scale:columns=(x,x)", "standardise:columns=(x,x)",          "discretise:columns=(x,x)",
        "noise:columns=(x,x)", "decompose:method=svd,columns=(x,x)", "pca:columns=(x,x)"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        refuse(*state, specs[i], "'x' is named twice");
}

static void test_basis__bells_and_steps(void **state)
{
    cairn_table *t = run(*state, "basis:rbf,columns=x,centres=[1;4],width=2");
    assert_near(numbers(t, "rbf1")[0], 1);
    assert_near(numbers(t, "rbf1")[2], exp(-4.0 / 8));
    assert_near(numbers(t, "rbf2")[0], exp(-9.0 / 8));
    assert_true(cairn_table_find(t, "x") < 0);
    cairn_table_free(t);
    t = run(*state, "basis:rbf,centres=grid,count=3");
    assert_true(cairn_table_find(t, "rbf9") >= 0 && cairn_table_find(t, "rbf10") < 0);
    cairn_table_free(t);
    t = run(*state, "basis:rbf,centres=data");
    for (int i = 0; i < 4; i++) {
        const char *const bells[] = {"rbf1", "rbf2", "rbf3", "rbf4"};
        assert_near(numbers(t, bells[i])[i], 1);
    }
    cairn_table_free(t);
    t = run(*state, "basis:rbf,centres=random,count=2");
    assert_true(cairn_table_find(t, "rbf2") >= 0 && cairn_table_find(t, "rbf3") < 0);
    cairn_table_free(t);
    t = run(*state, "basis:sigmoid,columns=x,centres=[2],slope=3,keep=yes");
    assert_near(numbers(t, "x.step1")[1], 0.5);
    assert_near(numbers(t, "x.step1")[3], 1 / (1 + exp(-6)));
    cairn_table_free(t);
}

static void test_basis__refusals(void **state)
{
    refuse(*state, "basis:rbf,centres=[1]", "centre 1 has 1 number, but there are 2 columns");
    refuse(*state, "basis:rbf,centres=nowhere", "is not a number");
    refuse(*state, "basis:poly,columns=class", "'class' is no feature, its role is target");
    refuse(*state, "basis:poly,columns=z", "there is no feature 'z'");
    refuse(*state, "basis:rbf,count=100000", "too many centres");
    refuse(*state, "basis:poly,degree=0", "degree must be in");
}

static void test_basis__too_many_columns_are_refused_with_an_estimate(void **state)
{
    cairn_context *ctx = *state;
    static const double zeros[3];
    const char *with[] = {"basis:poly,degree=8", NULL};
    cairn_table *t, *out;
    assert_ok(ctx, cairn_table_new(ctx, &t, 3));
    for (int i = 0; i < 60; i++) {
        char name[] = {'x', (char)('0' + i / 10), (char)('0' + i % 10), 0};
        assert_ok(ctx, cairn_table_add_numbers(ctx, t, name, zeros));
    }
    assert_fails(ctx, run_transforms(ctx, &out, t, with, NULL), CAIRN_NO_MEMORY, "basis: making");
    cairn_table_free(t);
}

/* The inner product of the mapped rows is the kernel. */
static void test_kernel_map__inner_products_are_kernels(void **state)
{
    static const struct {
        const char *spec;
        double offset;
        int degree;
        size_t dimension;
    } cases[] = {{"kernel-map", 0, 2, 3},
                 {"kernel-map:degree=2,offset=3", 3, 2, 6},
                 {"kernel-map:degree=3", 0, 3, 4},
                 {"kernel-map:degree=3,offset=1", 1, 3, 10},
                 {"kernel-map:degree=5,offset=0.5", 0.5, 5, 21}};
    static const double x[] = {1, 2, 3, 4}, y[] = {2, -1, 0, 5};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        cairn_table *t = run(*state, cases[c].spec);
        assert_int_equal(cairn_table_columns(t), cases[c].dimension + 1);
        for (int a = 0; a < 4; a++)
            for (int b = 0; b < 4; b++) {
                double kernel = pow(x[a] * x[b] + y[a] * y[b] + cases[c].offset, cases[c].degree);
                double sum = 0;
                for (size_t i = 0; i < cairn_table_columns(t); i++) {
                    const double *phi = cairn_table_numbers(t, i);
                    if (phi) sum += phi[a] * phi[b];
                }
                assert_near(sum, kernel);
            }
        cairn_table_free(t);
    }
    cairn_table *t = run(*state, "kernel-map:degree=2,offset=3");
    assert_near(numbers(t, "phi(1)")[0], 3); /* the offset itself, not its root */
    cairn_table_free(t);
}

static void test_polar__there_and_back(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = make_table(ctx), *out;
    const char *with[] = {"polar:unit=degrees", "polar:to=cartesian,unit=degrees", NULL};
    assert_ok(ctx, run_transforms(ctx, &out, t, with, NULL));
    for (int i = 0; i < 4; i++) {
        assert_near(numbers(out, "x")[i], numbers(t, "x")[i]);
        assert_near(numbers(out, "y")[i], numbers(t, "y")[i]);
    }
    cairn_table_free(out);
    cairn_table_free(t);
    t = run(ctx, "polar");
    assert_near(numbers(t, "r")[0], sqrt(5));
    assert_near(numbers(t, "angle")[1], atan2(-1, 2));
    assert_int_equal(cairn_table_find(t, "r"), 0);
    cairn_table_free(t);
    refuse(ctx, "polar:columns=x", "two different number columns");
    refuse(ctx, "polar:names=r", "two names");
}

static void test_noise__rows_labels_and_copies(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *plain = make_table(ctx), *t = run(ctx, "noise:sd=0.5,columns=x");
    int changed = 0;
    for (int i = 0; i < 4; i++) changed += numbers(t, "x")[i] != numbers(plain, "x")[i];
    assert_int_equal(changed, 4);
    assert_memory_equal(numbers(t, "y"), numbers(plain, "y"), 4 * sizeof(double));
    cairn_table_free(t);
    t = run(ctx, "noise:sd=0");
    assert_memory_equal(numbers(t, "x"), numbers(plain, "x"), 4 * sizeof(double));
    cairn_table_free(t);
    t = run(ctx, "jitter:copies=2,sd=0.1");
    assert_int_equal(cairn_table_rows(t), 12);
    assert_memory_equal(numbers(t, "x"), numbers(plain, "x"), 4 * sizeof(double));
    for (int i = 4; i < 12; i++) {
        assert_true(fabs(numbers(t, "x")[i] - numbers(plain, "x")[i % 4]) < 1);
        assert_true(numbers(t, "x")[i] != numbers(plain, "x")[i % 4]);
        assert_int_equal(cairn_table_codes(t, 2)[i], cairn_table_codes(plain, 2)[i % 4]);
    }
    cairn_table_free(t);
    cairn_table_free(plain);
}

static void test_flip__exactly_the_share(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *plain = make_table(ctx), *t = run(ctx, "flip:share=0.5");
    int changed = 0;
    for (int i = 0; i < 4; i++)
        changed += cairn_table_codes(t, 2)[i] != cairn_table_codes(plain, 2)[i];
    assert_int_equal(changed, 2);
    cairn_table_free(t);
    t = run(ctx, "flip:share=1,from=a");
    assert_int_equal(cairn_table_codes(t, 2)[0], 1);
    assert_int_equal(cairn_table_codes(t, 2)[1], 1);
    cairn_table_free(t);
    cairn_table_free(plain);
    refuse(ctx, "flip:from=c", "there is no class 'c'");
}

static void test_inflate__copies_and_weights(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = run(ctx, "inflate:of-class=a,factor=3");
    assert_int_equal(cairn_table_rows(t), 6);
    assert_true(numbers(t, "x")[3] == 4 && numbers(t, "x")[4] == 1 && numbers(t, "x")[5] == 1);
    cairn_table_free(t);
    t = run(ctx, "inflate:balance=yes");
    assert_int_equal(cairn_table_rows(t), 6);
    cairn_table_free(t);
    t = run(ctx, "inflate:of-class=b,factor=0.34");
    assert_int_equal(cairn_table_rows(t), 2);
    cairn_table_free(t);
    t = run(ctx, "inflate:of-class=b,factor=1.5");
    assert_int_equal(cairn_table_rows(t), 6); /* 4.5 rows are rounded up */
    cairn_table_free(t);
    t = run(ctx, "inflate:balance=yes,by=weights");
    assert_int_equal(cairn_table_rows(t), 4);
    assert_near(numbers(t, "weight")[0], 3);
    assert_near(numbers(t, "weight")[1], 1);
    assert_int_equal(cairn_table_role(t, (size_t)cairn_table_find(t, "weight")), CAIRN_WEIGHT);
    cairn_table_free(t);
    refuse(ctx, "inflate", "either of-class with a factor, or balance");
    refuse(ctx, "inflate:of-class=c", "there is no class 'c'");
}

static cairn_status transform_all(cairn_context *ctx, void *data)
{
    static const char *const with[] = {"formula:z=x*2,w=concat(text(y),'!')",
                                       "basis:poly,degree=2,columns=\"x,y\"",
                                       "polar:columns=\"x,y\"",
                                       "kernel-map:columns=\"r,angle\",offset=1",
                                       "basis:rbf,columns=z,centres=data",
                                       "jitter",
                                       "noise",
                                       "flip",
                                       "inflate:balance=yes",
                                       "drop:w",
                                       NULL};
    static const char text[] = "x,y,class\n1,2,a\n3,1,b\n-1,0,a\n";
    cairn_status status;
    cairn_table *table = NULL, *out = NULL;
    (void)data;
    TRY(cairn_table_read_memory(ctx, &table, "x.csv", text, sizeof text - 1, NULL));
    TRY(cairn_table_set_role(ctx, table, "class", CAIRN_TARGET));
    TRY(run_transforms(ctx, &out, table, with, NULL));
done:
    cairn_table_free(table);
    cairn_table_free(out);
    return status;
}

static void test_all__survive_failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(transform_all, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_formula__columns_are_made_in_order),
        context_test(test_formula__mistakes_and_the_target),
        context_test(test_basis__products_and_their_order),
        context_test(test_basis__names_that_look_like_products),
        context_test(test_basis__equal_names_stay_columns),
        context_test(test_transforms__a_column_named_twice_is_refused),
        context_test(test_basis__bells_and_steps),
        context_test(test_basis__refusals),
        context_test(test_basis__too_many_columns_are_refused_with_an_estimate),
        context_test(test_kernel_map__inner_products_are_kernels),
        context_test(test_polar__there_and_back),
        context_test(test_noise__rows_labels_and_copies),
        context_test(test_flip__exactly_the_share),
        context_test(test_inflate__copies_and_weights),
        cmocka_unit_test(test_all__survive_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
