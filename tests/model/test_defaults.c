/* SPDX-License-Identifier: MIT */
/* What is done where nobody says (docs/defaults.md): scaling, columns that cannot be used, number
 * targets that are classes. */
#include "support/learn.h"
#include "model/chain.h"

/* Two columns in very different units and a class or number. */
static const double narrow[] = {1, 2, 3, 4, 5, 6, 7, 8};
static const double wide[] = {900, 100, 800, 200, 700, 300, 600, 400};
static const double heights[] = {3.5, 2, 7, 6.5, 11, 9, 14.5, 13};
static const int32_t halves[] = {0, 0, 0, 0, 1, 1, 1, 1};
static const char *const names[] = {"no", "yes"};

static cairn_table *make_table(cairn_context *ctx, const char *target)
{
    cairn_table *table;
    assert_ok(ctx, cairn_table_new(ctx, &table, 8));
    assert_ok(ctx, cairn_table_add_numbers(ctx, table, "narrow", narrow));
    assert_ok(ctx, cairn_table_add_numbers(ctx, table, "wide", wide));
    assert_ok(ctx, cairn_table_add_numbers(ctx, table, "height", heights));
    assert_ok(ctx, cairn_table_add_levels(ctx, table, "half", halves, names, 2));
    assert_ok(ctx, cairn_table_set_role(ctx, table, "height", CAIRN_IGNORED));
    assert_ok(ctx, cairn_table_set_role(ctx, table, "half", CAIRN_IGNORED));
    if (target) assert_ok(ctx, cairn_table_set_role(ctx, table, target, CAIRN_TARGET));
    return table;
}

static cairn_model *fit(cairn_context *ctx, const cairn_table *table, const char *spec,
                        const cairn_fit_options *options)
{
    cairn_params *params;
    cairn_model *model;
    assert_ok(ctx, cairn_params_new(ctx, &params, spec));
    assert_ok(ctx, cairn_model_fit(ctx, &model, params, table, options));
    cairn_params_free(params);
    return model;
}

static size_t count_links(const cairn_model *model, const char *name)
{
    size_t n = 0;
    for (size_t i = 0; i < model->n_chain; i++)
        n += strcmp(model->chain[i].transform->entry.name, name) == 0;
    return n;
}

static void test_defaults__distances_and_penalties_are_scaled(void **state)
{
    static const struct {
        const char *spec, *target;
        bool scaled;
    } cases[] = {
        {"knn:k=1", "half", true},
        {"knn:k=1,distance=mahalanobis", "half", false},
        {"kmeans:clusters=2", NULL, true},
        {"ridge:lambda=1", "height", true},
        {"logistic:lambda=1", "half", true},
        {"logistic:penalty=l1", "half", true},
        {"logistic:penalty=l2,init=(0,0,0)", "half", false},
        {"logistic", "half", false},
        {"linear", "height", false},
        {"tree", "half", false},
    };
    static const char *const some[] = {"scale:method=range,columns=wide", NULL};
    static const char *const factors[] = {"pca:2", NULL};
    const char *const *const asked[] = {own_units, some, factors};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cairn_table *table = make_table(*state, cases[i].target);
        cairn_model *model = fit(*state, table, cases[i].spec, NULL);
        assert_int_equal(count_links(model, "standardise"), cases[i].scaled);
        cairn_model_free(model);
        for (size_t a = 0; a < 3; a++) { /* who says something about scales is left alone */
            cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
            options.with = asked[a];
            model = fit(*state, table, cases[i].spec, &options);
            assert_int_equal(count_links(model, "standardise"), 0);
            cairn_model_free(model);
        }
        cairn_table_free(table);
    }
}

/* z with the divisor n; both columns have it, so the penalty meets equals. */
static void standardise(const double *from, double *out, double *mean, double *deviation)
{
    *mean = *deviation = 0;
    for (size_t i = 0; i < 8; i++) *mean += from[i] / 8;
    for (size_t i = 0; i < 8; i++) *deviation += (from[i] - *mean) * (from[i] - *mean) / 8;
    *deviation = sqrt(*deviation);
    for (size_t i = 0; i < 8; i++) out[i] = (from[i] - *mean) / *deviation;
}

static void test_defaults__ridge_of_standardised_columns(void **state)
{
    double z[2][8], mean, deviation, y = 0, a = 0, r1 = 0, r2 = 0;
    standardise(narrow, z[0], &mean, &deviation);
    standardise(wide, z[1], &mean, &deviation);
    for (size_t i = 0; i < 8; i++) y += heights[i] / 8;
    for (size_t i = 0; i < 8; i++) {
        a += z[0][i] * z[1][i];
        r1 += z[0][i] * (heights[i] - y), r2 += z[1][i] * (heights[i] - y);
    }
    double s = 8 + 3, det = s * s - a * a; /* sums of squares are 8, λ is 3 */
    cairn_table *table = make_table(*state, "height"), *answers;
    cairn_model *model = fit(*state, table, "ridge:lambda=3", NULL);
    assert_ok(*state, cairn_model_predict(*state, &answers, model, table, false));
    for (size_t i = 0; i < 8; i++) {
        double wanted = y + (s * r1 - a * r2) / det * z[0][i] + (s * r2 - a * r1) / det * z[1][i];
        assert_float_equal(cairn_table_numbers(answers, 0)[i], wanted, 1e-10);
    }
    cairn_table_free(answers);
    cairn_table_free(table);
    cairn_model_free(model);
}

/* Centres are means, so those of the scaled rows are the means of the rows in other units. */
static void test_defaults__centres_in_the_units_of_the_data(void **state)
{
    double x[] = {1, 2, 3, 11, 12, 13}, y[] = {500, 700, 600, 9100, 9000, 8900};
    cairn_table *table;
    cairn_report *report;
    assert_ok(*state, cairn_table_new(*state, &table, 6));
    assert_ok(*state, cairn_table_add_numbers(*state, table, "x", x));
    assert_ok(*state, cairn_table_add_numbers(*state, table, "y", y));
    cairn_model *model = fit(*state, table, "kmeans:clusters=2,init=first", NULL);
    assert_ok(*state, cairn_report_new(*state, &report));
    assert_ok(*state, cairn_model_describe(*state, report, model));
    double first = 0, second = 0;
    assert_true(cairn_report_number(report, "data.centre1.x", &first));
    assert_true(cairn_report_number(report, "data.centre2.x", &second));
    assert_value(report, first < second ? "data.centre1.x" : "data.centre2.x", 2, 1e-9);
    assert_value(report, first < second ? "data.centre2.x" : "data.centre1.x", 12, 1e-9);
    assert_value(report, first < second ? "data.centre1.y" : "data.centre2.y", 600, 1e-9);
    assert_value(report, first < second ? "data.centre2.y" : "data.centre1.y", 9000, 1e-9);
    cairn_report_free(report);
    cairn_model_free(model);
    cairn_table_free(table);
}

/* Standard errors beside filled cells say so; complete rows need no word. */
static void test_defaults__filled_cells_are_named_beside_errors(void **state)
{
    static const struct {
        const char *spec, *target, *missing;
        double filled; /* NaN = nothing is said */
    } cases[] = {{"linear", "height", NULL, 2},
                 {"linear", "height", "drop", NAN},
                 {"logistic", "half", NULL, 2},
                 {"ridge:lambda=1", "height", NULL, NAN}}; /* it has no standard errors */
    static const double gaps[] = {4, NAN, 1, 7, NAN, 2, 5, 3};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cairn_table *table = make_table(*state, cases[i].target);
        cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
        cairn_report *report;
        double found;
        options.missing = cases[i].missing;
        assert_ok(*state, cairn_table_add_numbers(*state, table, "gaps", gaps));
        assert_ok(*state, cairn_table_set_role(*state, table, "narrow", CAIRN_IGNORED));
        cairn_model *model = fit(*state, table, cases[i].spec, &options);
        assert_ok(*state, cairn_report_new(*state, &report));
        assert_ok(*state, cairn_model_describe(*state, report, model));
        assert_int_equal(cairn_report_number(report, "warning.filled", &found),
                         !isnan(cases[i].filled));
        if (!isnan(cases[i].filled)) assert_true(found == cases[i].filled);
        cairn_report_free(report);
        cairn_model_free(model);
        cairn_table_free(table);
    }
}

static const char csv[] = "x,y,words,nothing,class\n"
                          "1,3,one two three,,a\n2,1,four five,,b\n3,4,six seven,,a\n"
                          "4,1,eight nine,,b\n5,9,ten eleven twelve,,a\n6,2,thirteen,,b\n";

static cairn_table *read_table(cairn_context *ctx)
{
    cairn_table *table;
    cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
    options.kinds = "words=text,nothing=number";
    assert_ok(ctx, cairn_table_read_memory(ctx, &table, "t.csv", csv, strlen(csv), &options));
    assert_ok(ctx, cairn_table_set_role(ctx, table, "class", CAIRN_TARGET));
    return table;
}

static void note_warning(cairn_log_level level, const char *message, void *data)
{
    (void)level;
    if (strstr(message, "left out")) ++*(int *)data;
}

static void test_defaults__columns_without_use_are_left_out(void **state)
{
    static const char *const specs[] = {"logistic", "knn:k=1", "tree", "bayes", "forest:trees=3"};
    for (size_t i = 0; i < 5; i++) {
        int n = 0;
        cairn_table *table = read_table(*state), *answers;
        cairn_context_set_log(*state, note_warning, &n);
        cairn_model *model = fit(*state, table, specs[i], NULL);
        cairn_context_set_log(*state, NULL, NULL);
        assert_int_equal(n, i < 2 ? 2 : 1); /* trees and bayes know what to do with gaps */
        assert_int_equal(count_links(model, "drop"), i < 2 ? 2 : 1);
        assert_ok(*state, cairn_model_predict(*state, &answers, model, table, false));
        cairn_table_free(answers);
        cairn_table_free(table);
        cairn_model_free(model);
    }
}

static void test_defaults__strict_refuses_them(void **state)
{
    cairn_table *table = read_table(*state);
    cairn_params *params;
    cairn_model *model = NULL;
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    options.strict = true;
    assert_ok(*state, cairn_params_new(*state, &params, "logistic"));
    assert_fails(*state, cairn_model_fit(*state, &model, params, table, &options), CAIRN_BAD_DATA,
                 "words");
    assert_ok(*state, cairn_table_set_role(*state, table, "words", CAIRN_IGNORED));
    assert_fails(*state, cairn_model_fit(*state, &model, params, table, &options), CAIRN_BAD_DATA,
                 "nothing");
    cairn_params_free(params);
    cairn_table_free(table);
}

/* Whole numbers are classes when they come again: two of them, or each twice on average. */
static void test_defaults__numbers_that_are_classes(void **state)
{
    static const struct {
        size_t n_rows, n_distinct;
        cairn_task task;
    } cases[] = {{15, 11, CAIRN_REGRESS}, {15, 7, CAIRN_CLASSIFY}, {15, 8, CAIRN_REGRESS},
                 {3, 2, CAIRN_CLASSIFY},  {6, 3, CAIRN_CLASSIFY},  {100, 20, CAIRN_CLASSIFY},
                 {100, 21, CAIRN_REGRESS}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double x[100], y[100];
        cairn_table *table;
        for (size_t r = 0; r < cases[i].n_rows; r++) {
            x[r] = (double)r;
            y[r] = (double)(r % cases[i].n_distinct);
        }
        assert_ok(*state, cairn_table_new(*state, &table, cases[i].n_rows));
        assert_ok(*state, cairn_table_add_numbers(*state, table, "x", x));
        assert_ok(*state, cairn_table_add_numbers(*state, table, "y", y));
        assert_ok(*state, cairn_table_set_role(*state, table, "y", CAIRN_TARGET));
        cairn_model *model = fit(*state, table, "tree", NULL);
        assert_int_equal(cairn_model_task(model), cases[i].task);
        cairn_model_free(model);
        cairn_table_free(table);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_defaults__distances_and_penalties_are_scaled),
        context_test(test_defaults__ridge_of_standardised_columns),
        context_test(test_defaults__centres_in_the_units_of_the_data),
        context_test(test_defaults__filled_cells_are_named_beside_errors),
        context_test(test_defaults__columns_without_use_are_left_out),
        context_test(test_defaults__strict_refuses_them),
        context_test(test_defaults__numbers_that_are_classes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
