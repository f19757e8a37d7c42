/* SPDX-License-Identifier: MIT */
/* One chain for each class: probabilities and posteriors by hand, unknown symbols, weights. */
#include "learners/sequence/markov.h"
#include "model/model.h"
#include "support/learn.h"

#include <math.h>

static cairn_table *read_csv(cairn_context *ctx, const char *text, const char *kinds)
{
    cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
    cairn_table *table;
    options.kinds = kinds;
    assert_ok(ctx, cairn_table_read_memory(ctx, &table, "t.csv", text, strlen(text), &options));
    return table;
}

/* The share of class x for every asked row. */
static void ask(cairn_context *ctx, const char *spec, const char *train, const char *asked,
                double *out)
{
    cairn_table *table = read_csv(ctx, train, "w=sequence");
    cairn_table *rows = read_csv(ctx, asked, "w=sequence"), *answer;
    cairn_params *params;
    cairn_model *model;
    assert_ok(ctx, cairn_table_set_role(ctx, table, "class", CAIRN_TARGET));
    if (cairn_table_find(table, "n") >= 0)
        assert_ok(ctx, cairn_table_set_role(ctx, table, "n", CAIRN_WEIGHT));
    assert_ok(ctx, cairn_params_from_spec(ctx, &params, CAIRN_ENTRY_LEARNER, spec));
    assert_ok(ctx, cairn_model_fit(ctx, &model, params, table, NULL));
    assert_ok(ctx, cairn_model_predict(ctx, &answer, model, rows, true));
    ptrdiff_t at = cairn_table_find(answer, "p(x)");
    assert_true(at >= 0);
    memcpy(out, cairn_table_numbers(answer, (size_t)at), cairn_table_rows(rows) * sizeof *out);
    cairn_table_free(answer);
    cairn_table_free(rows);
    cairn_table_free(table);
    cairn_model_free(model);
    cairn_params_free(params);
}

static const char train[] = "w,class\na b a b,x\na b b,x\nb a a,y\na a a b,y\nb a,x\na a,y\n";

/* By hand with one more of each: a b a is 0.6·0.8·0.6 in x and 0.6·2/7·2/3 in y. */
static void test_markov__posteriors(void **state)
{
    double p[3], x = 0.6 * 0.8 * 0.6, y = 0.6 * (2 / 7.0) * (2 / 3.0);
    ask(*state, "markov", train, "w\na b a\na a\nb\n", p);
    assert_true(fabs(p[0] - x / (x + y)) < 1e-12);
    x = 0.6 * 0.2, y = 0.6 * (5 / 7.0);
    assert_true(fabs(p[1] - x / (x + y)) < 1e-12);
    assert_true(fabs(p[2] - 0.5) < 1e-12);
}

/* What follows an unknown symbol, and the symbol itself, says nothing; b after it does. */
static void test_markov__unknown_symbols(void **state)
{
    double p[2], x = 0.8, y = 2 / 7.0;
    ask(*state, "markov", train, "w\nz a b\nz z\n", p);
    assert_true(fabs(p[0] - x / (x + y)) < 1e-12);
    assert_true(fabs(p[1] - 0.5) < 1e-12);
}

/* Without smoothing b b is impossible in y, and a a in x. */
static void test_markov__zeros(void **state)
{
    double p[2];
    ask(*state, "markov:smooth=none", train, "w\nb b\na a\n", p);
    assert_true(p[0] == 1 && p[1] == 0);
}

/* Two steps back: in x, a b is followed by a and by b; in y never, which leaves 1/2 each. The
 * first steps: a is first in 2 of 3 of both; b after a as the first in 2 of 2 in x, 0 of 2 in y. */
static void test_markov__two_steps_back(void **state)
{
    double p[1], x = 0.6 * (3 / 4.0) * (2 / 4.0), y = 0.6 * (1 / 4.0) * (1 / 2.0);
    ask(*state, "markov:chain_order=2", train, "w\na b a\n", p);
    assert_true(fabs(p[0] - x / (x + y)) < 1e-12);
}

/* Counted without their order, in x: a 4, b 5; in y: a 7, b 2; smoothed by one. */
static void test_markov__no_steps_back(void **state)
{
    double p[1], x = (5 / 11.0) * (6 / 11.0), y = (8 / 11.0) * (3 / 11.0);
    ask(*state, "markov:chain_order=0", train, "w\na b\n", p);
    assert_true(fabs(p[0] - x / (x + y)) < 1e-12);
}

static void test_markov__weights_are_repeated_rows(void **state)
{
    double p[1], q[1];
    ask(*state, "markov", "w,class,n\na b,x,2\nb a,x,1\na a,y,3\n", "w\na b\n", p);
    ask(*state, "markov", "w,class\na b,x\na b,x\nb a,x\na a,y\na a,y\na a,y\n", "w\na b\n", q);
    assert_true(p[0] == q[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_markov__posteriors),
        context_test(test_markov__unknown_symbols),
        context_test(test_markov__zeros),
        context_test(test_markov__two_steps_back),
        context_test(test_markov__no_steps_back),
        context_test(test_markov__weights_are_repeated_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
