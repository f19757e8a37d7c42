/* SPDX-License-Identifier: MIT */
/* What the public functions do at the edges of what their headers promise: nothing to free, nothing
 * to read, names and numbers that there are not, options of an older size. */
#include "support/unit.h"
#include "cairn/cairn.h"
#include <math.h>
#include <string.h>

static void test_api__nothing_to_free(void **state)
{
    (void)state;
    cairn_context_free(NULL);
    cairn_table_free(NULL);
    cairn_params_free(NULL);
    cairn_model_free(NULL);
    cairn_report_free(NULL);
    cairn_string_free(NULL);
    assert_string_equal(cairn_message(NULL), "out of memory"); /* there is no context then */
}

static void test_api__statuses_have_names_and_codes(void **state)
{
    (void)state;
    static const int codes[] = {0, 1, 2, 3, 4, 5, 6, 70, 130};
    for (int s = CAIRN_OK; s <= CAIRN_CANCELLED; s++) {
        assert_int_equal(cairn_status_exit_code((cairn_status)s), codes[s]);
        assert_true(strlen(cairn_status_name((cairn_status)s)) > 1);
    }
    assert_int_equal(cairn_status_exit_code((cairn_status)99), 70);
    assert_non_null(cairn_status_name((cairn_status)99));
}

static void test_api__columns_that_there_are_not(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *table = NULL;
    char cell[4] = "old";
    assert_ok(ctx, cairn_table_read(ctx, &table, "@iris", NULL));
    assert_int_equal(cairn_table_find(table, "nobody"), -1);
    assert_null(cairn_table_name(table, 99));
    assert_int_equal(cairn_table_kind(table, 99), CAIRN_NUMBER);
    assert_int_equal(cairn_table_role(table, 99), CAIRN_FEATURE);
    assert_null(cairn_table_numbers(table, 99));
    assert_null(cairn_table_codes(table, 99));
    assert_null(cairn_table_numbers(table, 4)); /* of another kind */
    assert_null(cairn_table_codes(table, 0));
    assert_int_equal(cairn_table_level_count(table, 99), 0);
    assert_null(cairn_table_level(table, 99, 0));
    assert_null(cairn_table_level(table, 4, 99));
    assert_int_equal(cairn_table_cell(table, 99, 0, cell, sizeof cell), 0);
    assert_int_equal(cairn_table_cell(table, 4, 0, NULL, 0), strlen("setosa"));
    assert_int_equal(cairn_table_cell(table, 4, 0, cell, sizeof cell), strlen("setosa"));
    assert_string_equal(cell, "set"); /* cut, and ended */
    assert_int_equal(cairn_table_set_role(ctx, table, "nobody", CAIRN_ID), CAIRN_USAGE);
    assert_int_equal(cairn_table_set_role(ctx, table, "species", (cairn_role)77), CAIRN_USAGE);
    cairn_table_free(table);
}

static void test_api__nothing_to_read(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *table = NULL;
    cairn_model *model = NULL;
    assert_int_equal(cairn_table_read(ctx, &table, "", NULL), CAIRN_FILE_ERROR);
    assert_int_equal(cairn_table_read(ctx, &table, "@", NULL), CAIRN_USAGE);
    assert_int_equal(cairn_table_read_memory(ctx, &table, "t.csv", NULL, 0, NULL), CAIRN_BAD_DATA);
    assert_int_equal(cairn_model_load(ctx, &model, ""), CAIRN_FILE_ERROR);
    assert_int_equal(cairn_model_load_memory(ctx, &model, "m", NULL, 0), CAIRN_BAD_DATA);
    assert_null(table);
    assert_null(model);
    assert_int_equal(cairn_table_new(ctx, &table, (size_t)UINT32_MAX), CAIRN_BAD_DATA);
    assert_null(table);
}

/* A table without rows and columns is one, but nothing can be learned from it. */
static void test_api__empty_table(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *table = NULL, *answers = NULL;
    cairn_params *params = NULL;
    cairn_model *model = NULL;
    assert_ok(ctx, cairn_table_new(ctx, &table, 0));
    assert_int_equal(cairn_table_rows(table), 0);
    assert_int_equal(cairn_table_columns(table), 0);
    assert_ok(ctx, cairn_params_new(ctx, &params, "majority"));
    assert_int_equal(cairn_model_fit(ctx, &model, params, table, NULL), CAIRN_USAGE);
    assert_null(model);
    assert_ok(ctx, cairn_table_add_numbers(ctx, table, "y", (double[]){0})); /* no rows: none */
    assert_ok(ctx, cairn_table_set_role(ctx, table, "y", CAIRN_TARGET));
    assert_int_equal(cairn_model_fit(ctx, &model, params, table, NULL), CAIRN_BAD_DATA);
    assert_null(model);
    assert_null(answers);
    cairn_params_free(params);
    cairn_table_free(table);
}

/* A program that was compiled when the options had fewer fields gives those that it knows. */
static void test_api__options_of_an_older_size(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *table = NULL;
    cairn_params *params = NULL;
    cairn_model *model = NULL;
    static const char *const nonsense[] = {"nonsense", NULL};
    cairn_fit_options options = {.size = offsetof(cairn_fit_options, with),
                                 .task = CAIRN_REGRESS,
                                 .with = nonsense,
                                 .around = (const cairn_params *const[]){NULL},
                                 .given = "nonsense"};
    double y[] = {0, 1, 1, 0};
    assert_ok(ctx, cairn_table_new(ctx, &table, 4));
    assert_ok(ctx, cairn_table_add_numbers(ctx, table, "y", y));
    assert_ok(ctx, cairn_table_set_role(ctx, table, "y", CAIRN_TARGET));
    assert_ok(ctx, cairn_params_new(ctx, &params, "majority"));
    assert_ok(ctx, cairn_model_fit(ctx, &model, params, table, &options));
    assert_int_equal(cairn_model_task(model), CAIRN_REGRESS);
    cairn_model_free(model);
    model = NULL;
    options.size = 0; /* that of no version */
    assert_fails(ctx, cairn_model_fit(ctx, &model, params, table, &options), CAIRN_USAGE,
                 "begin it with CAIRN_FIT_OPTIONS_INIT");
    cairn_params_free(params);
    cairn_table_free(table);
}

static void test_api__reports_without_the_value(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report = NULL;
    char *text = NULL;
    double number = 7;
    assert_ok(ctx, cairn_report_new(ctx, &report));
    assert_false(cairn_report_number(report, "accuracy", &number));
    assert_null(cairn_report_string(report, "accuracy"));
    assert_null(cairn_report_value_name(report, 0));
    assert_int_equal(cairn_report_print(ctx, report, (cairn_format)9, NULL, &text), CAIRN_USAGE);
    assert_null(text);
    assert_ok(ctx, cairn_run(ctx, report, 0, NULL)); /* the overview */
    assert_ok(ctx, cairn_run(ctx, report, -1, NULL));
    cairn_report_free(report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_api__nothing_to_free),
        context_test(test_api__statuses_have_names_and_codes),
        context_test(test_api__columns_that_there_are_not),
        context_test(test_api__nothing_to_read),
        context_test(test_api__empty_table),
        context_test(test_api__options_of_an_older_size),
        context_test(test_api__reports_without_the_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
