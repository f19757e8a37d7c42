/* SPDX-License-Identifier: MIT */
/* Models: task, chain, provenance, prediction of raw rows, refusals. The learner is `majority`,
 * so that what is tested is the frame around it. */
#include "support/fail_alloc.h"
#include "model/model.h"
#include <math.h>

static const char *const outlooks[] = {"sunny", "rain"};
static const char *const plays[] = {"no", "yes"};

static cairn_status make_table(cairn_context *ctx, cairn_table **out)
{
    static const double heat[] = {30, 25, NAN, 12, 18};
    static const int32_t outlook[] = {0, 1, 1, -1, 0}, play[] = {1, 1, 0, -1, 1};
    cairn_status status;
    cairn_table *table = NULL;
    TRY(cairn_table_new(ctx, &table, 5));
    TRY(cairn_table_add_numbers(ctx, table, "heat", heat));
    TRY(cairn_table_add_levels(ctx, table, "outlook", outlook, outlooks, 2));
    TRY(cairn_table_add_levels(ctx, table, "play", play, plays, 2));
    TRY(cairn_table_set_role(ctx, table, "play", CAIRN_TARGET));
    *out = table;
    return CAIRN_OK;
done:
    cairn_table_free(table);
    return status;
}

static cairn_status fit(cairn_context *ctx, cairn_model **out, const cairn_table *table,
                        const char *learner, const cairn_fit_options *options)
{
    cairn_params *params;
    cairn_status status = cairn_params_new(ctx, &params, learner);
    if (status) return status;
    status = cairn_model_fit(ctx, out, params, table, options);
    cairn_params_free(params);
    return status;
}

static void test_model__rows_without_target_are_left_out(void **state)
{
    cairn_table *table;
    cairn_model *model;
    assert_ok(*state, make_table(*state, &table));
    assert_ok(*state, fit(*state, &model, table, "majority", NULL));
    assert_int_equal(cairn_model_task(model), CAIRN_CLASSIFY);
    assert_int_equal(model->n_rows, 4);
    assert_int_equal(model->positive, 1);
    assert_int_equal(model->n_chain, 0);
    cairn_model_free(model);
    cairn_table_free(table);
}

static void test_model__chain_is_fitted_and_kept(void **state)
{
    static const char *const with[] = {"impute:levels=new", "indicators", "standardise", NULL};
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    cairn_table *table, *answer;
    cairn_model *model, *loaded;
    char *bytes, *again;
    size_t length, length_again;
    options.with = with;
    assert_ok(*state, make_table(*state, &table));
    assert_ok(*state, fit(*state, &model, table, "majority", &options));
    assert_int_equal(model->n_chain, 3);
    assert_int_equal(model->inner.n_fields, 5); /* heat, three indicators, play */
    assert_ok(*state, cairn_model_save_memory(*state, model, &bytes, &length));
    assert_ok(*state, cairn_model_load_memory(*state, &loaded, "m", bytes, length));
    assert_ok(*state, cairn_model_save_memory(*state, loaded, &again, &length_again));
    assert_int_equal(length, length_again);
    assert_memory_equal(bytes, again, length);
    assert_ok(*state, cairn_model_predict(*state, &answer, loaded, table, true));
    assert_int_equal(cairn_table_columns(answer), 3);
    assert_string_equal(cairn_table_name(answer, 0), "play");
    assert_string_equal(cairn_table_name(answer, 1), "p(no)");
    assert_int_equal(cairn_table_codes(answer, 0)[3], 1);
    assert_true(cairn_table_numbers(answer, 2)[0] == 0.75);
    cairn_string_free(bytes);
    cairn_string_free(again);
    cairn_table_free(answer);
    cairn_model_free(loaded);
    cairn_model_free(model);
    cairn_table_free(table);
}

static void test_model__number_targets(void **state)
{
    static const double few[] = {1, 2, 2, 1, 2}, many[] = {1.5, 2, 2, 1, 2};
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    cairn_table *table;
    cairn_model *model;
    assert_ok(*state, cairn_table_new(*state, &table, 5));
    assert_ok(*state, cairn_table_add_numbers(*state, table, "few", few));
    assert_ok(*state, cairn_table_add_numbers(*state, table, "many", many));
    assert_ok(*state, cairn_table_set_role(*state, table, "few", CAIRN_TARGET));
    assert_ok(*state, fit(*state, &model, table, "majority", NULL));
    assert_int_equal(cairn_model_task(model), CAIRN_CLASSIFY);
    assert_non_null(strstr(model->decision, "task=regress"));
    cairn_model_free(model);
    options.task = CAIRN_REGRESS;
    assert_ok(*state, fit(*state, &model, table, "majority", &options));
    assert_int_equal(cairn_model_task(model), CAIRN_REGRESS);
    cairn_model_free(model);
    assert_ok(*state, cairn_table_set_role(*state, table, "few", CAIRN_FEATURE));
    assert_ok(*state, cairn_table_set_role(*state, table, "many", CAIRN_TARGET));
    assert_ok(*state, fit(*state, &model, table, "majority", NULL));
    assert_int_equal(cairn_model_task(model), CAIRN_REGRESS);
    cairn_model_free(model);
    cairn_table_free(table);
}

static void test_model__refusals(void **state)
{
    static const char *const unknown[] = {"imput", NULL};
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    cairn_table *table;
    cairn_model *model;
    assert_ok(*state, make_table(*state, &table));
    assert_fails(*state, fit(*state, &model, table, "majorty", NULL), CAIRN_USAGE, "majority");
    options.with = unknown;
    assert_fails(*state, fit(*state, &model, table, "majority", &options), CAIRN_USAGE, "'impute'");
    options.with = NULL;
    options.missing = "often";
    assert_fails(*state, fit(*state, &model, table, "majority", &options), CAIRN_USAGE, "drop");
    options.missing = "fail";
    assert_fails(*state, fit(*state, &model, table, "majority", &options), CAIRN_BAD_DATA, "row 3");
    options.missing = NULL;
    options.positive = "perhaps";
    assert_fails(*state, fit(*state, &model, table, "majority", &options), CAIRN_USAGE, "perhaps");
    assert_ok(*state, cairn_table_set_role(*state, table, "play", CAIRN_FEATURE));
    assert_fails(*state, fit(*state, &model, table, "majority", NULL), CAIRN_USAGE,
                 "heat, outlook, play");
    cairn_table_free(table);
}

static void test_model__missing_column_is_named(void **state)
{
    static const double heat[] = {1, 2};
    cairn_table *table, *other, *answer;
    cairn_model *model;
    assert_ok(*state, make_table(*state, &table));
    assert_ok(*state, fit(*state, &model, table, "majority", NULL));
    assert_ok(*state, cairn_table_new(*state, &other, 2));
    assert_ok(*state, cairn_table_add_numbers(*state, other, "heat", heat));
    assert_fails(*state, cairn_model_predict(*state, &answer, model, other, false), CAIRN_BAD_DATA,
                 "outlook");
    cairn_table_free(other);
    cairn_model_free(model);
    cairn_table_free(table);
}

static cairn_status whole_way(cairn_context *ctx, void *data)
{
    static const char *const with[] = {"impute", "indicators", "standardise", NULL};
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    cairn_status status;
    cairn_table *table = NULL, *answer = NULL;
    cairn_model *model = NULL, *loaded = NULL;
    char *bytes = NULL;
    size_t length;
    (void)data;
    options.with = with;
    TRY(make_table(ctx, &table));
    TRY(fit(ctx, &model, table, "majority", &options));
    TRY(cairn_model_save_memory(ctx, model, &bytes, &length));
    TRY(cairn_model_load_memory(ctx, &loaded, "m", bytes, length));
    TRY(cairn_model_predict(ctx, &answer, loaded, table, true));
done:
    cairn_string_free(bytes);
    cairn_table_free(answer);
    cairn_model_free(loaded);
    cairn_model_free(model);
    cairn_table_free(table);
    return status;
}

static void test_model__survives_failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(whole_way, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_model__rows_without_target_are_left_out),
        context_test(test_model__chain_is_fitted_and_kept),
        context_test(test_model__number_targets),
        context_test(test_model__refusals),
        context_test(test_model__missing_column_is_named),
        cmocka_unit_test(test_model__survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
