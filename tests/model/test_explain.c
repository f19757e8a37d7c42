/* SPDX-License-Identifier: MIT */
/* Reasons for predictions: what learners tell, and exchanged columns. */
#include "support/fail_alloc.h"
#include "model/explain.h"
#include <math.h>

static const char *const sizes[] = {"small", "large"};
static const char *const answers[] = {"no", "yes"};

/* y = 2 x + 10 when large, and a class that is the size. */
static cairn_status make_table(cairn_context *ctx, cairn_table **out, const char *target)
{
    static const double x[] = {1, 2, 3, 4, 5, 6}, y[] = {2, 14, 6, 18, 10, 22};
    static const int32_t size[] = {0, 1, 0, 1, 0, 1};
    cairn_status status;
    cairn_table *table = NULL;
    TRY(cairn_table_new(ctx, &table, 6));
    TRY(cairn_table_add_numbers(ctx, table, "x", x));
    TRY(cairn_table_add_levels(ctx, table, "size", size, sizes, 2));
    TRY(cairn_table_add_numbers(ctx, table, "y", y));
    TRY(cairn_table_add_levels(ctx, table, "answer", size, answers, 2));
    TRY(cairn_table_set_role(ctx, table, "y", CAIRN_IGNORED));
    TRY(cairn_table_set_role(ctx, table, "answer", CAIRN_IGNORED));
    TRY(cairn_table_set_role(ctx, table, target, CAIRN_TARGET));
    *out = table;
    return CAIRN_OK;
done:
    cairn_table_free(table);
    return status;
}

static cairn_status explain(cairn_context *ctx, cairn_report **out, const char *learner,
                            const char *target, uint32_t row, bool by_columns)
{
    cairn_status status;
    cairn_table *table = NULL;
    cairn_params *params = NULL;
    cairn_model *model = NULL;
    cairn_report *report = NULL;
    cairn_fit_options fit = CAIRN_FIT_OPTIONS_INIT;
    cairn_explain_how options = {.rows = &row, .n_rows = 1, .by_columns = by_columns, .draws = 100};
    if (cairn_same(target, "y")) fit.task = CAIRN_REGRESS;
    TRY(make_table(ctx, &table, target));
    TRY(cairn_params_from_spec(ctx, &params, CAIRN_ENTRY_LEARNER, learner));
    TRY(cairn_model_fit(ctx, &model, params, table, &fit));
    TRY(cairn_report_new(ctx, &report));
    TRY(cairn_model_explain(ctx, report, model, table, &options));
    *out = report;
    report = NULL;
done:
    cairn_report_free(report);
    cairn_model_free(model);
    cairn_params_free(params);
    cairn_table_free(table);
    return status;
}

static double number(const cairn_report *report, const char *name)
{
    double value = NAN;
    assert_true(cairn_report_number(report, name, &value));
    return value;
}

static void test_explain__terms_add_up_to_the_prediction(void **state)
{
    cairn_report *report;
    assert_ok(*state, explain(*state, &report, "linear", "y", 3, false));
    assert_float_equal(number(report, "explain.4.prediction"), 18, 1e-9);
    assert_float_equal(number(report, "explain.4.sum"), 18, 1e-9);
    /* beside the means: 2 (4 - 3.5), and 10 (1 - 1/2) for being large */
    assert_float_equal(number(report, "explain.4.x"), 1, 1e-9);
    assert_float_equal(number(report, "explain.4.size"), 5, 1e-9);
    assert_float_equal(number(report, "explain.4.baseline"), 12, 1e-9);
    assert_float_equal(number(report, "explain.4.raw.x"), 8, 1e-9);
    double raw = number(report, "explain.4.raw.size=large");
    assert_float_equal(raw + number(report, "explain.4.constant"), 10, 1e-9);
    cairn_report_free(report);
}

static void test_explain__path_of_a_tree(void **state)
{
    cairn_report *report;
    assert_ok(*state, explain(*state, &report, "tree", "answer", 1, false));
    assert_string_equal(cairn_report_string(report, "explain.2.prediction"), "yes");
    assert_string_equal(cairn_report_string(report, "explain.2.step1.column"), "size");
    assert_string_equal(cairn_report_string(report, "explain.2.step1.value"), "large");
    assert_string_equal(cairn_report_string(report, "explain.2.path"), "size=large");
    assert_true(number(report, "explain.2.rows.yes") == 3);
    cairn_report_free(report);
}

static void test_explain__exchanged_columns(void **state)
{
    cairn_report *report;
    /* half of the rows have the other size, so half of them change the answer; x does nothing */
    assert_ok(*state, explain(*state, &report, "tree", "answer", 1, true));
    assert_float_equal(number(report, "explain.2.size"), 0.5, 1e-12);
    assert_float_equal(number(report, "explain.2.changes.size"), 0.5, 1e-12);
    assert_float_equal(number(report, "explain.2.x"), 0, 1e-12);
    cairn_report_free(report);
    /* the effect on a number: 2 (x - mean of x), and 10 for half of the rows */
    assert_ok(*state, explain(*state, &report, "linear", "y", 5, true));
    assert_float_equal(number(report, "explain.6.x"), 5, 1e-9);
    assert_float_equal(number(report, "explain.6.size"), 5, 1e-9);
    cairn_report_free(report);
}

static void test_explain__majority_and_distances(void **state)
{
    cairn_report *report;
    assert_ok(*state, explain(*state, &report, "majority", "answer", 0, false));
    assert_true(number(report, "explain.1.rows.no") == 3);
    cairn_report_free(report);
    assert_ok(*state, explain(*state, &report, "kmeans:clusters=2", "answer", 0, false));
    double first = number(report, "explain.1.distance.1");
    assert_true(first != number(report, "explain.1.distance.2"));
    cairn_report_free(report);
}

/* The reasons for row 6 alone, told by a model that went through a file. */
static cairn_status explain_alone(cairn_context *ctx, cairn_report **out, bool no_history)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    OWNED(cairn_table_free) cairn_table *one = NULL;
    OWNED(cairn_params_free) cairn_params *params = NULL;
    OWNED(cairn_model_free) cairn_model *model = NULL;
    OWNED(cairn_model_free) cairn_model *again = NULL;
    OWNED(cairn_report_free) cairn_report *report = NULL;
    OWNED(cairn_free) char *bytes = NULL;
    size_t length;
    uint32_t first = 0, last = 5;
    cairn_fit_options fit = CAIRN_FIT_OPTIONS_INIT;
    cairn_explain_how how = {.rows = &first, .n_rows = 1, .by_columns = true, .draws = 100};
    fit.task = CAIRN_REGRESS;
    fit.no_history = no_history;
    CHECK(make_table(ctx, &table, "y"));
    CHECK(cairn_params_from_spec(ctx, &params, CAIRN_ENTRY_LEARNER, "linear"));
    CHECK(cairn_model_fit(ctx, &model, params, table, &fit));
    CHECK(cairn_model_save_memory(ctx, model, &bytes, &length));
    CHECK(cairn_model_load_memory(ctx, &again, "memory", bytes, length));
    CHECK(cairn_table_take_rows(ctx, &one, table, &last, 1));
    CHECK(cairn_report_new(ctx, &report));
    CHECK(cairn_model_explain(ctx, report, again, one, &how));
    *out = TAKE(report);
    return CAIRN_OK;
}

static void test_explain__one_row_is_held_against_training_rows(void **state)
{
    cairn_report *report;
    assert_ok(*state, explain_alone(*state, &report, false));
    assert_float_equal(number(report, "explain.1.x"), 5, 1e-9);
    assert_float_equal(number(report, "explain.1.size"), 5, 1e-9);
    assert_string_equal(cairn_report_string(report, "background.from"), "training");
    cairn_report_free(report);
}

static void test_explain__a_model_without_rows_says_so(void **state)
{
    cairn_report *report;
    assert_ok(*state, explain_alone(*state, &report, true));
    assert_float_equal(number(report, "explain.1.x"), 0, 1e-9);
    assert_string_equal(cairn_report_string(report, "background.from"), "data");
    cairn_report_free(report);
}

static cairn_status alone(cairn_context *ctx, void *data)
{
    OWNED(cairn_report_free) cairn_report *report = NULL;
    (void)data;
    return explain_alone(ctx, &report, false);
}

static cairn_status whole_way(cairn_context *ctx, void *data)
{
    cairn_report *report;
    cairn_status status = explain(ctx, &report, data, "answer", 1, false);
    if (status == CAIRN_OK) cairn_report_free(report);
    if (status == CAIRN_OK) status = explain(ctx, &report, data, "answer", 1, true);
    if (status == CAIRN_OK) cairn_report_free(report);
    return status;
}

static void test_explain__survives_failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(whole_way, (void *)"tree");
    assert_survives_allocation_failures(whole_way, (void *)"majority");
    assert_survives_allocation_failures(alone, NULL);
}

static void test_explain__row_lists(void **state)
{
    uint32_t *rows;
    size_t n;
    assert_ok(*state, cairn_row_list(*state, &rows, &n, "3,1-2,3", 3));
    assert_int_equal(n, 4);
    assert_int_equal(rows[0], 2);
    assert_int_equal(rows[2], 1);
    assert_fails(*state, cairn_row_list(*state, &rows, &n, "0", 3), CAIRN_USAGE, "'0'");
    assert_fails(*state, cairn_row_list(*state, &rows, &n, "3-2", 3), CAIRN_USAGE, "3-2");
    assert_fails(*state, cairn_row_list(*state, &rows, &n, "1,4", 3), CAIRN_BAD_DATA, "row 4");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_explain__terms_add_up_to_the_prediction),
        context_test(test_explain__path_of_a_tree),
        context_test(test_explain__exchanged_columns),
        context_test(test_explain__majority_and_distances),
        context_test(test_explain__one_row_is_held_against_training_rows),
        context_test(test_explain__a_model_without_rows_says_so),
        cmocka_unit_test(test_explain__survives_failing_allocations),
        context_test(test_explain__row_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
