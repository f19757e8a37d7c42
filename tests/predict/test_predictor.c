/* SPDX-License-Identifier: MIT */
#include "cairn/predictor.h"
#include "support/unit.h"
#include <math.h>

/* A model of the learner on built-in data. */
static cairn_model *fit(cairn_context *ctx, const char *learner, const char *data,
                        const cairn_fit_options *options)
{
    cairn_params *params;
    cairn_table *table;
    cairn_model *model;
    assert_ok(ctx, cairn_table_read(ctx, &table, data, NULL));
    assert_ok(ctx, cairn_params_new(ctx, &params, learner));
    assert_ok(ctx, cairn_model_fit(ctx, &model, params, table, options));
    cairn_params_free(params);
    cairn_table_free(table);
    return model;
}

static void test_predictor__a_row_of_numbers(void **state)
{
    cairn_model *model = fit(*state, "tree:max-depth=2", "@iris", NULL);
    cairn_predictor *p;
    cairn_answer answer;
    double row[] = {5.1, 3.5, 1.4, 0.2}, scores[3] = {0};
    assert_ok(*state, cairn_predictor_new(*state, &p, model, NULL, 0));
    assert_true(cairn_predictor_is_prepared(p));
    assert_int_equal(cairn_predictor_columns(p), 4);
    assert_int_equal(cairn_predictor_classes(p), 3);
    assert_int_equal(cairn_predictor_scores(p), 3);
    assert_int_equal(cairn_predictor_row(p, row, &answer, scores), CAIRN_OK);
    assert_int_equal(answer.code, 0);
    assert_true(isnan(answer.number));
    assert_true(scores[0] == 1 && scores[1] == 0 && scores[2] == 0);
    cairn_predictor_free(p);
    cairn_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_predictor__a_row_of_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
