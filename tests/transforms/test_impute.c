/* SPDX-License-Identifier: MIT */
/* impute: every method by hand, ties, rows that change, and what it refuses. */
#include "support/unit.h"
#include "support/transforms.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static cairn_table *read_csv(cairn_context *ctx, const char *text)
{
    cairn_table *table;
    assert_ok(ctx, cairn_table_read_memory(ctx, &table, "t.csv", text, strlen(text), NULL));
    return table;
}

/* The table that the transforms make, as lines of cells separated by commas, without a head. */
static void check(cairn_context *ctx, const char *text, const char *target, const char *spec,
                  const char *wanted)
{
    const char *with[] = {spec, NULL};
    cairn_table *table = read_csv(ctx, text), *out;
    char lines[2000] = "", cell[60];
    if (target) assert_ok(ctx, cairn_table_set_role(ctx, table, target, CAIRN_TARGET));
    assert_ok(ctx, run_transforms(ctx, &out, table, with, NULL));
    for (size_t i = 0; i < cairn_table_rows(out); i++)
        for (size_t c = 0; c < cairn_table_columns(out); c++) {
            cairn_table_cell(out, c, i, cell, sizeof cell);
            strcat(strcat(lines, cell), c + 1 < cairn_table_columns(out) ? "," : "\n");
        }
    if (strcmp(lines, wanted)) fail_msg("%s gives\n%s, not\n%s", spec, lines, wanted);
    cairn_table_free(table);
    cairn_table_free(out);
}

static const char mixed[] = "x,colour,class\n1,red,yes\n2,,yes\n,red,no\n5,blue,no\n5,blue,no\n";

static void test_impute__values_of_the_column(void **state)
{
    check(*state, mixed, "class", "impute",
          "1,red,yes\n2,red,yes\n3.25,red,no\n5,blue,no\n5,blue,no\n");
    check(*state, mixed, "class", "impute:numbers=median",
          "1,red,yes\n2,red,yes\n3.5,red,no\n5,blue,no\n5,blue,no\n");
    check(*state, mixed, "class", "impute:method=mode",
          "1,red,yes\n2,red,yes\n5,red,no\n5,blue,no\n5,blue,no\n");
    check(*state, mixed, "class", "impute:levels=new,value=none,numbers=zero",
          "1,red,yes\n2,none,yes\n0,red,no\n5,blue,no\n5,blue,no\n");
    check(*state, mixed, "class", "impute:method=value,value=7",
          "1,red,yes\n2,7,yes\n7,red,no\n5,blue,no\n5,blue,no\n");
}

/* The class of a training row is known, that of a new row is not. */
static void test_impute__by_class(void **state)
{
    const char *with[] = {"impute:method=class", NULL};
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    cairn_table *table = read_csv(*state, mixed), *made, *applied;
    cairn_model *recipe;
    check(*state, mixed, "class", "impute:method=class",
          "1,red,yes\n2,red,yes\n5,red,no\n5,blue,no\n5,blue,no\n");
    options.with = with;
    assert_ok(*state, cairn_table_set_role(*state, table, "class", CAIRN_TARGET));
    assert_ok(*state, cairn_recipe_fit(*state, &recipe, &made, table, &options));
    assert_ok(*state, cairn_recipe_apply(*state, &applied, recipe, table));
    assert_true(cairn_table_numbers(made, 0)[2] == 5);
    assert_true(cairn_table_numbers(applied, 0)[2] == 3.25);
    cairn_table_free(made);
    cairn_table_free(applied);
    cairn_table_free(table);
    cairn_model_free(recipe);
}

static void test_impute__delete_and_every(void **state)
{
    check(*state, mixed, "class", "impute:method=delete", "1,red,yes\n5,blue,no\n5,blue,no\n");
    check(*state, mixed, "class", "impute:method=delete,columns=x",
          "1,red,yes\n2,?,yes\n5,blue,no\n5,blue,no\n");
    check(*state, mixed, "class", "impute:method=every",
          "1,red,yes\n2,red,yes\n2,blue,yes\n1,red,no\n2,red,no\n5,red,no\n5,blue,no\n5,blue,no\n");
    check(*state, "x,c\n4,u\n,\n3,v\n", NULL, "impute:method=every",
          "4,u\n3,u\n3,v\n4,u\n4,v\n3,v\n");
    check(*state, "a,b\nu,v\n,w\nu,\n,\n", NULL, "impute:method=every,share=yes",
          "u,v,1\nu,w,1\nu,v,0.5\nu,w,0.5\nu,v,0.5\nu,w,0.5\n");
}

/* Short names of what fills numbers or levels. */
static void test_impute__mean_median_new(void **state)
{
    static const char text[] = "x,c\n1,u\n9,\n,v\n2,u\n";
    check(*state, text, NULL, "impute:mean", "1,u\n9,u\n4,v\n2,u\n");
    check(*state, text, NULL, "impute:median", "1,u\n9,u\n2,v\n2,u\n");
    check(*state, text, NULL, "impute:median,levels=new", "1,u\n9,(missing)\n2,v\n2,u\n");
    check(*state, text, NULL, "impute:new,numbers=zero", "1,u\n9,(missing)\n0,v\n2,u\n");
}

/* Too many combinations are refused before they are made; so is a column without a value. */
static void test_impute__every_refuses(void **state)
{
    const char *all[] = {"impute:method=every", NULL};
    cairn_table *table = read_csv(*state, "x,y\n,1\n,2\n"), *out;
    assert_fails(*state, run_transforms(*state, &out, table, all, NULL), CAIRN_BAD_DATA,
                 "column 'x' has no value");
    cairn_table_free(table);
    char text[4000] = "a", name[40];
    for (int c = 1; c < 10; c++) {
        snprintf(name, sizeof name, ",b%d", c);
        strcat(text, name);
    }
    for (int r = 0; r < 9; r++) {
        strcat(text, "\n");
        for (int c = 0; c < 10; c++) {
            snprintf(name, sizeof name, "%sv%d", c ? "," : "", r);
            strcat(text, name);
        }
    }
    strcat(text, "\n,,,,,,,,,\n");
    cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
    options.header = 1;
    assert_ok(*state,
              cairn_table_read_memory(*state, &table, "t.csv", text, strlen(text), &options));
    assert_fails(*state, run_transforms(*state, &out, table, all, NULL), CAIRN_BAD_DATA,
                 "100000000 rows");
    cairn_table_free(table);
}

/* The rows nearest to (2, ?) over x are 1, 3 and 6; over x and colour the order can be another. */
static void test_impute__nearest(void **state)
{
    static const char text[] = "x,y,g\n1,10,a\n3,20,a\n6,60,b\n2,,a\n11,100,b\n";
    check(*state, text, NULL, "impute:method=nearest,k=1",
          "1,10,a\n3,20,a\n6,60,b\n2,10,a\n11,100,b\n"); /* a tie: the first row */
    check(*state, text, NULL, "impute:method=nearest,k=2",
          "1,10,a\n3,20,a\n6,60,b\n2,15,a\n11,100,b\n");
    check(*state, text, NULL, "impute:method=nearest,k=3,distance=euclidean",
          "1,10,a\n3,20,a\n6,60,b\n2,30,a\n11,100,b\n");
    check(*state, "x,g\n1,a\n2,a\n8,b\n9,b\n8.5,\n,\n", NULL, "impute:method=nearest,k=3",
          "1,a\n2,a\n8,b\n9,b\n8.5,b\n5.7,a\n"); /* the last row has nothing to compare */
}

/* Weights count in means and votes, and rows of weight 0 do not help. */
static void test_impute__nearest_weights(void **state)
{
    const char *with[] = {"impute:method=nearest,k=2", NULL};
    cairn_table *table = read_csv(*state, "x,y,w\n1,10,3\n3,20,1\n2.1,99,0\n2,,1\n"), *out;
    assert_ok(*state, cairn_table_set_role(*state, table, "w", CAIRN_WEIGHT));
    assert_ok(*state, run_transforms(*state, &out, table, with, NULL));
    assert_true(cairn_table_numbers(out, 1)[3] == 12.5);
    cairn_table_free(table);
    cairn_table_free(out);
}

static void test_impute__ties_are_reported(void **state)
{
    const char *with[] = {"impute:method=mode", NULL};
    cairn_table *table = read_csv(*state, "x,g\n7,b\n3,b\n7,a\n3,a\n,\n"), *out;
    cairn_report *report;
    double ties;
    assert_ok(*state, cairn_report_new(*state, &report));
    assert_ok(*state, run_transforms(*state, &out, table, with, report));
    assert_true(cairn_table_numbers(out, 0)[4] == 7);
    assert_string_equal(cairn_table_level(out, 1, (size_t)cairn_table_codes(out, 1)[4]), "b");
    assert_true(cairn_report_number(report, "ties.x", &ties) && ties == 2);
    assert_true(cairn_report_number(report, "ties.g", &ties) && ties == 2);
    assert_true(cairn_report_number(report, "missing.x", &ties) && ties == 1);
    cairn_report_free(report);
    cairn_table_free(table);
    cairn_table_free(out);
}

static void test_impute__refusals(void **state)
{
    static const struct {
        const char *spec, *part;
        cairn_status status;
    } bad[] = {
        {"impute:method=value", "needs value=", CAIRN_USAGE},
        {"impute:method=value,value=red", "column 'x' holds numbers", CAIRN_USAGE},
        {"impute:method=class", "'target'", CAIRN_USAGE},
        {"impute:method=nearest,k=0", "k", CAIRN_USAGE},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *with[] = {bad[i].spec, NULL};
        cairn_table *t = read_csv(*state, mixed), *out;
        assert_fails(*state, run_transforms(*state, &out, t, with, NULL), bad[i].status,
                     bad[i].part);
        cairn_table_free(t);
    }
}

/* Rows that are deleted in training are predicted all the same: the learner's own impute is added,
 * and what is learned comes from the whole rows. */
static void test_impute__delete_before_a_learner(void **state)
{
    const char *with[] = {"impute:method=delete", NULL};
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    cairn_table *table = read_csv(*state, "x,z,y\n1,1,3\n2,5,9\n3,2,8\n4,,100\n5,9,19\n"), *answer;
    cairn_params *params;
    cairn_model *model;
    options.with = with;
    options.task = CAIRN_REGRESS;
    assert_ok(*state, cairn_table_set_role(*state, table, "y", CAIRN_TARGET));
    assert_ok(*state, cairn_params_new(*state, &params, "linear"));
    assert_ok(*state, cairn_model_fit(*state, &model, params, table, &options));
    assert_int_equal(model->n_chain, 2);
    assert_ok(*state, cairn_model_predict(*state, &answer, model, table, false));
    assert_int_equal(cairn_table_rows(answer), 5);
    assert_true(fabs(cairn_table_numbers(answer, 0)[4] - 19) < 1e-9);    /* y = 2 x + z */
    assert_true(fabs(cairn_table_numbers(answer, 0)[3] - 12.25) < 1e-9); /* z = its mean 4.25 */
    cairn_table_free(answer);
    cairn_table_free(table);
    cairn_model_free(model);
    cairn_params_free(params);
}

/* A row set with weights, as a bootstrap has, keeps them when rows change. */
static void test_impute__row_set_weights_are_carried(void **state)
{
    static const uint32_t rows[] = {0, 1, 2, 4};
    static const double weights[] = {1, 2, 1, 3};
    const char *with[] = {"impute:method=delete", NULL};
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    cairn_table *table = read_csv(*state, "x,y\n1,3\n2,4\n,7\n4,9\n5,19\n"), *answer;
    cairn_params *params;
    cairn_model *model;
    options.with = with;
    options.task = CAIRN_REGRESS;
    assert_ok(*state, cairn_table_set_role(*state, table, "y", CAIRN_TARGET));
    assert_ok(*state, cairn_params_new(*state, &params, "linear"));
    assert_ok(*state, cairn_model_fit_rows(*state, &model, params, table,
                                           (cairn_rows){rows, 4, weights}, &options));
    assert_true(model->total_weight == 6);
    assert_ok(*state, cairn_model_predict(*state, &answer, model, table, false));
    cairn_table_free(answer);
    cairn_table_free(table);
    cairn_model_free(model);
    cairn_params_free(params);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_impute__values_of_the_column),
        context_test(test_impute__by_class),
        context_test(test_impute__delete_and_every),
        context_test(test_impute__every_refuses),
        context_test(test_impute__mean_median_new),
        context_test(test_impute__nearest),
        context_test(test_impute__nearest_weights),
        context_test(test_impute__ties_are_reported),
        context_test(test_impute__refusals),
        context_test(test_impute__delete_before_a_learner),
        context_test(test_impute__row_set_weights_are_carried),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
