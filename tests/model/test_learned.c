/* SPDX-License-Identifier: MIT */
/* What models know, as tables (cairn/learned.h): the facts, the tables that all models have, those
 * of transforms and of members. */
#include "cairn/cairn.h"
#include "support/unit.h"

static void fit(cairn_context *ctx, cairn_model **out, const char *spec, const char *data,
                const char *target, const char *const *with)
{
    cairn_table *table;
    cairn_params *params;
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    options.with = with;
    assert_ok(ctx, cairn_table_read(ctx, &table, data, NULL));
    if (target) assert_ok(ctx, cairn_table_set_role(ctx, table, target, CAIRN_TARGET));
    assert_ok(ctx, cairn_params_new(ctx, &params, spec));
    assert_ok(ctx, cairn_model_fit(ctx, out, params, table, &options));
    cairn_params_free(params);
    cairn_table_free(table);
}

static void assert_cell(const cairn_table *table, const char *column, size_t row, const char *cell)
{
    char text[64];
    ptrdiff_t i = cairn_table_find(table, column);
    if (i < 0) fail_msg("there is no column %s", column);
    cairn_table_cell(table, (size_t)i, row, text, sizeof text);
    assert_string_equal(text, cell);
}

static bool has_table(const cairn_model *model, const char *name)
{
    const char *at;
    for (size_t i = 0; (at = cairn_model_table_name(model, i)); i++)
        if (strcmp(at, name) == 0) return true;
    return false;
}

static void test_learned__facts_of_a_classifier(void **state)
{
    cairn_context *ctx = *state;
    cairn_model *model;
    cairn_input_info input = CAIRN_INPUT_INFO_INIT;
    fit(ctx, &model, "tree:max-depth=2", "@weather", "play", NULL);
    assert_int_equal(cairn_model_class_count(model), 2);
    assert_string_equal(cairn_model_class(model, 0), "no");
    assert_string_equal(cairn_model_class(model, 1), "yes");
    assert_null(cairn_model_class(model, 2));
    assert_string_equal(cairn_model_target_name(model), "play");
    assert_int_equal(cairn_model_input_count(model), 4);
    assert_true(cairn_model_input(model, 0, &input));
    assert_string_equal(input.name, "outlook");
    assert_int_equal(input.kind, CAIRN_LEVEL);
    assert_int_equal(input.level_count, 3);
    assert_string_equal(cairn_model_input_level(model, 0, 0), "sunny");
    assert_null(cairn_model_input_level(model, 0, 3));
    assert_false(cairn_model_input(model, 4, &input));
    assert_string_equal(cairn_model_param(model, "max-depth"), "2");
    assert_null(cairn_model_param(model, "no-such-thing"));
    cairn_model_free(model);
}

static void test_learned__common_tables(void **state)
{
    cairn_context *ctx = *state;
    cairn_model *model;
    cairn_table *table;
    const char *const with[] = {"standardise", NULL};
    fit(ctx, &model, "knn:k=3", "@iris", "species", with);
    assert_ok(ctx, cairn_model_table(ctx, &table, model, "classes"));
    assert_int_equal(cairn_table_rows(table), 3);
    assert_cell(table, "class", 2, cairn_model_class(model, 2));
    assert_cell(table, "positive", 0, "no");
    cairn_table_free(table);
    assert_ok(ctx, cairn_model_table(ctx, &table, model, "columns"));
    assert_int_equal(cairn_table_rows(table), 5);
    assert_cell(table, "role", 4, "target");
    cairn_table_free(table);
    assert_ok(ctx, cairn_model_table(ctx, &table, model, "transforms"));
    assert_cell(table, "transform", 0, "standardise");
    assert_cell(table, "automatic", 0, "no");
    cairn_table_free(table);
    assert_ok(ctx, cairn_model_table(ctx, &table, model, "parameters"));
    assert_cell(table, "parameter", 0, "k");
    assert_cell(table, "value", 0, "3");
    assert_cell(table, "set", 0, "yes");
    cairn_table_free(table);
    assert_false(has_table(model, "members"));
    cairn_model_free(model);
}

static void test_learned__a_name_that_is_not_there_lists_those_that_are(void **state)
{
    cairn_context *ctx = *state;
    cairn_model *model;
    cairn_table *table = NULL;
    fit(ctx, &model, "majority", "@weather", "play", NULL);
    assert_fails(ctx, cairn_model_table(ctx, &table, model, "nodes"), CAIRN_USAGE,
                 "this model of majority has no table 'nodes'; it has ");
    assert_null(table);
    cairn_model_free(model);
}

static void test_learned__a_recipe_has_columns_and_transforms(void **state)
{
    cairn_context *ctx = *state;
    cairn_model *recipe;
    cairn_table *table;
    const char *const with[] = {"standardise", NULL};
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    options.with = with;
    assert_ok(ctx, cairn_table_read(ctx, &table, "@iris", NULL));
    assert_ok(ctx, cairn_recipe_fit(ctx, &recipe, NULL, table, &options));
    cairn_table_free(table);
    assert_true(has_table(recipe, "columns"));
    assert_false(has_table(recipe, "parameters"));
    assert_int_equal(cairn_model_class_count(recipe), 0);
    assert_null(cairn_model_param(recipe, "k"));
    assert_fails(ctx, cairn_model_table(ctx, &table, recipe, "nodes"), CAIRN_USAGE,
                 "this recipe has no table 'nodes'");
    assert_ok(ctx, cairn_model_table(ctx, &table, recipe, "transforms"));
    assert_int_equal(cairn_table_rows(table), 1);
    cairn_table_free(table);
    cairn_model_free(recipe);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_learned__facts_of_a_classifier),
        context_test(test_learned__common_tables),
        context_test(test_learned__a_name_that_is_not_there_lists_those_that_are),
        context_test(test_learned__a_recipe_has_columns_and_transforms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
