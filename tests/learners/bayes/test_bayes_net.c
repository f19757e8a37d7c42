/* SPDX-License-Identifier: MIT */
/* Bayesian networks as classifiers: tables and answers by hand, missing cells summed out, graphs
 * that are typed and graphs that are learned, refusals. */
#include "support/fail_alloc.h"
#include "support/learn.h"
#include "data/table.h"

static cairn_table *read_csv(cairn_context *ctx, const char *text)
{
    cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
    cairn_table *table;
    assert_ok(ctx, cairn_table_read_memory(ctx, &table, "t.csv", text, strlen(text), &options));
    return table;
}

/* Fit and describe; `arcs` may be NULL. */
static cairn_status fit(cairn_context *ctx, cairn_model **model, cairn_report **report,
                        cairn_table *table, const char *spec, const char *arcs)
{
    cairn_params *params = NULL;
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    cairn_status status;
    *model = NULL;
    *report = NULL;
    TRY(cairn_table_set_role(ctx, table, "y", CAIRN_TARGET));
    TRY(cairn_params_new(ctx, &params, spec));
    if (arcs) TRY(cairn_params_set(ctx, params, "arcs", arcs));
    TRY(cairn_report_new(ctx, report));
    options.steps = *report;
    TRY(cairn_model_fit(ctx, model, params, table, &options));
    TRY(cairn_model_describe(ctx, *report, *model));
done:
    cairn_params_free(params);
    if (status) {
        cairn_model_free(*model);
        cairn_report_free(*report);
        *model = NULL;
        *report = NULL;
    }
    return status;
}

/* Probability of the first class for the first row of `text`. */
static double ask(cairn_context *ctx, const cairn_model *model, const char *text)
{
    cairn_table *table = read_csv(ctx, text), *answer;
    assert_ok(ctx, cairn_model_predict(ctx, &answer, model, table, true));
    double p = cairn_table_numbers(answer, 1)[0];
    cairn_table_free(answer);
    cairn_table_free(table);
    return p;
}

#define assert_close(a, b) assert_true(fabs((a) - (b)) < 1e-12)

static const char nine[] = "a,b,y\nu,p,n\nu,p,n\nu,q,n\nv,q,n\nu,q,s\nv,q,s\nv,p,s\nv,p,s\nu,p,s\n";

static void test_bayes_net__naive_is_the_product(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *table = read_csv(ctx, nine);
    cairn_model *model;
    cairn_report *report;
    assert_ok(ctx, fit(ctx, &model, &report, table, "bayes-net:structure=naive", NULL));
    double n = 5.0 / 11 * 4 / 6 * 3 / 6, s = 6.0 / 11 * 3 / 7 * 3 / 7;
    assert_close(ask(ctx, model, "a,b\nu,q\n"), n / (n + s));
    n = 5.0 / 11 * 3 / 6, s = 6.0 / 11 * 3 / 7;
    assert_close(ask(ctx, model, "a,b\n?,q\n"), n / (n + s));
    assert_close(ask(ctx, model, "a,b\n?,?\n"), 5.0 / 11);
    assert_value(report, "p.a.u.n", 4.0 / 6, 1e-15);
    assert_value(report, "parameters", 5, 0);
    cairn_report_free(report);
    cairn_model_free(model);
    cairn_table_free(table);
}

static void test_bayes_net__missing_cells_are_summed_out(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *table = read_csv(ctx, nine);
    cairn_model *model;
    cairn_report *report;
    assert_ok(ctx, fit(ctx, &model, &report, table, "bayes-net", "y -> a -> b, y -> b"));
    double n = 5.0 / 11 * (4.0 / 6 * 2 / 5 + 2.0 / 6 * 2 / 3);
    double s = 6.0 / 11 * (3.0 / 7 * 1 / 2 + 4.0 / 7 * 2 / 5);
    assert_close(ask(ctx, model, "a,b\n?,q\n"), n / (n + s));
    assert_close(ask(ctx, model, "a,b\nunseen,q\n"), n / (n + s));
    n = 5.0 / 11 * 4 / 6 * 2 / 5, s = 6.0 / 11 * 3 / 7 * 1 / 2;
    assert_close(ask(ctx, model, "a,b\nu,q\n"), n / (n + s));
    cairn_report_free(report);
    cairn_model_free(model);
    cairn_table_free(table);
}

static void test_bayes_net__given_tables_stay(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *table = read_csv(ctx, nine);
    cairn_model *model;
    cairn_report *report;
    assert_ok(ctx, fit(ctx, &model, &report, table, "bayes-net:smooth=none",
                       "a; b; P(y = n) = 0.9; P(a = u | y = n) = 0.2"));
    assert_value(report, "p.y.n", 0.9, 0);
    assert_value(report, "p.a.u.n", 0.2, 0);
    assert_value(report, "p.a.u.s", 2.0 / 5, 1e-15);
    assert_value(report, "p.b.p", 5.0 / 9, 1e-15);
    double n = 0.9 * 0.2, s = 0.1 * 2 / 5;
    assert_close(ask(ctx, model, "a,b\nu,q\n"), n / (n + s));
    cairn_report_free(report);
    cairn_model_free(model);
    cairn_table_free(table);
}

/* Rows in which b is y and a is b three times out of four. */
static cairn_table *chain(cairn_context *ctx, size_t times)
{
    char text[20000] = "a,b,y\n";
    for (int cell = 0; cell < 8; cell++) {
        int a = cell & 1, b = cell >> 1 & 1, y = cell >> 2;
        size_t n = times * (b == y ? 3 : 1) * (a == b ? 3 : 1);
        for (size_t i = 0; i < n; i++) {
            char row[] = {(char)('p' + a), ',', (char)('p' + b), ',', (char)('p' + y), '\n', 0};
            strcat(text, row);
        }
    }
    return read_csv(ctx, text);
}

static const double spread = 0.5623351446188083; /* -(3/4 ln 3/4 + 1/4 ln 1/4) */

static void test_bayes_net__tree_of_largest_information(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *table = chain(ctx, 1);
    cairn_model *model;
    cairn_report *report;
    assert_ok(ctx, fit(ctx, &model, &report, table, "bayes-net:structure=tree", NULL));
    assert_value(report, "information.b.y", log(2) - spread, 1e-12);
    assert_value(report, "information.a.b", log(2) - spread, 1e-12);
    assert_value(report, "information.a.y", log(2) + 0.625 * log(0.625) + 0.375 * log(0.375),
                 1e-12);
    assert_value(report, "tree.information", 2 * (log(2) - spread), 1e-12);
    assert_string_equal(cairn_report_string(report, "parents.b"), "y");
    assert_string_equal(cairn_report_string(report, "parents.a"), "b");
    cairn_report_free(report);
    cairn_model_free(model);
    cairn_table_free(table);
}

/* a and y are independent given b, so that a third arc would only cost. */
static void test_bayes_net__climbs_to_the_chain(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *table = chain(ctx, 10);
    cairn_model *model;
    cairn_report *report;
    double likelihood = 320 * (-log(2) - 2 * spread);
    assert_ok(ctx, fit(ctx, &model, &report, table, "bayes-net:structure=climb,smooth=none", NULL));
    assert_value(report, "arcs", 2, 0);
    assert_value(report, "log_likelihood", likelihood, 1e-9);
    assert_value(report, "bic", likelihood - log(320) / 2 * 5, 1e-9);
    assert_value(report, "move2.bic", likelihood - log(320) / 2 * 5, 1e-9);
    assert_value(report, "move1.gain", 320 * (log(2) - spread) - log(320) / 2, 1e-9);
    cairn_report_free(report);
    cairn_model_free(model);
    cairn_table_free(table);
}

static void test_bayes_net__refusals(void **state)
{
    static const struct {
        const char *arcs, *message;
    } bad[] = {
        {"a -> b -> y -> a", "a -> b -> y -> a"},
        {"a -> a", "'a' has an arc to itself"},
        {"a -> yy", "is it 'y'"},
        {"P(a = u) = 0.7; P(a = v) = 0.4", "sum to 1.1 and not to 1"},
        {"P(a = u) = 1.5", "is no probability"},
        {"P(a) = 0.5", "neither true nor false"},
        {"a -> ", "a name is expected"},
        {"P(a = w) = 0.5", "there is no value 'w'"},
    };
    cairn_context *ctx = *state;
    cairn_table *table = read_csv(ctx, nine);
    cairn_model *model;
    cairn_report *report;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_fails(ctx, fit(ctx, &model, &report, table, "bayes-net", bad[i].arcs),
                     CAIRN_BAD_DATA, bad[i].message);
    cairn_table_free(table);
}

static cairn_status whole_way(cairn_context *ctx, void *data)
{
    cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
    cairn_table *table = NULL, *answer = NULL;
    cairn_model *model = NULL;
    cairn_report *report = NULL;
    cairn_status status;
    TRY(cairn_table_read_memory(ctx, &table, "t.csv", nine, strlen(nine), &options));
    TRY(fit(ctx, &model, &report, table, data, NULL));
    TRY(cairn_model_predict(ctx, &answer, model, table, true));
done:
    cairn_model_free(model);
    cairn_report_free(report);
    cairn_table_free(answer);
    cairn_table_free(table);
    return status;
}

static void test_bayes_net__survives_failing_allocations(void **state)
{
    static char tan[] = "bayes-net", climb[] = "bayes-net:structure=climb";
    (void)state;
    assert_survives_allocation_failures(whole_way, tan);
    assert_survives_allocation_failures(whole_way, climb);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_bayes_net__naive_is_the_product),
        context_test(test_bayes_net__missing_cells_are_summed_out),
        context_test(test_bayes_net__given_tables_stay),
        context_test(test_bayes_net__tree_of_largest_information),
        context_test(test_bayes_net__climbs_to_the_chain),
        context_test(test_bayes_net__refusals),
        context_test(test_bayes_net__survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
