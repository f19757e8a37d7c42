/* SPDX-License-Identifier: MIT */
/* What models know, as tables (cairn/learned.h): the facts, the tables that all models have, those
 * of transforms and of members. */
#include "cairn/cairn.h"
#include "model/learner.h"
#include "support/fail_alloc.h"
#include "support/unit.h"
#include <math.h>

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

/* What classes are outside: told by the library of numbers, by the caller of all else, and kept. */
static void test_learned__the_type_of_the_classes_is_kept(void **state)
{
    cairn_context *ctx = *state;
    cairn_model *model, *again;
    char *bytes;
    size_t length;
    fit(ctx, &model, "tree", "@weather", "play", NULL);
    assert_null(cairn_model_class_type(model));
    assert_ok(ctx, cairn_model_set_class_type(ctx, model, "bool"));
    assert_ok(ctx, cairn_model_save_memory(ctx, model, &bytes, &length));
    assert_ok(ctx, cairn_model_load_memory(ctx, &again, "again", bytes, length));
    assert_string_equal(cairn_model_class_type(again), "bool");
    assert_ok(ctx, cairn_model_set_class_type(ctx, again, NULL));
    assert_null(cairn_model_class_type(again));
    assert_fails(ctx, cairn_model_set_class_type(ctx, again, "\xFF"), CAIRN_USAGE, "not UTF-8");
    cairn_string_free(bytes);
    cairn_model_free(again);
    cairn_model_free(model);
    cairn_table *table;
    cairn_params *params;
    const double x[] = {1, 2, 3, 4, 5, 6, 7, 8}, y[] = {0, 0, 0, 0, 1, 1, 1, 1};
    assert_ok(ctx, cairn_table_new(ctx, &table, 8));
    assert_ok(ctx, cairn_table_add_numbers(ctx, table, "x", x));
    assert_ok(ctx, cairn_table_add_numbers(ctx, table, "y", y));
    assert_ok(ctx, cairn_table_set_role(ctx, table, "y", CAIRN_TARGET));
    for (int wrapped = 0; wrapped < 2; wrapped++) {
        assert_ok(ctx, cairn_params_new(ctx, &params, wrapped ? "bagging:members=3" : "tree"));
        assert_ok(ctx, cairn_model_fit(ctx, &model, params, table, NULL));
        assert_string_equal(cairn_model_class_type(model), "number");
        cairn_model_free(model);
        cairn_params_free(params);
    }
    cairn_table_free(table);
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

static double number(const cairn_table *table, const char *column, size_t row)
{
    ptrdiff_t i = cairn_table_find(table, column);
    if (i < 0) fail_msg("there is no column %s", column);
    return cairn_table_numbers(table, (size_t)i)[row];
}

/* Scores along the first component by hand: the centred row times the vector. */
static void test_learned__components_are_those_that_rows_are_projected_on(void **state)
{
    cairn_context *ctx = *state;
    cairn_model *model;
    cairn_table *components, *columns, *made, *data;
    static const char *const names[] = {"sepal_length", "sepal_width", "petal_length",
                                        "petal_width"};
    const char *const with[] = {"standardise", "pca:2", NULL};
    fit(ctx, &model, "knn", "@iris", "species", with);
    assert_ok(ctx, cairn_table_read(ctx, &data, "@iris", NULL));
    assert_ok(ctx, cairn_recipe_apply(ctx, &made, model, data));
    assert_ok(ctx, cairn_model_table(ctx, &components, model, "pca.components"));
    assert_ok(ctx, cairn_model_table(ctx, &columns, model, "standardise.columns"));
    assert_int_equal(cairn_table_rows(components), 2);
    assert_cell(components, "step", 0, "2");
    assert_cell(columns, "step", 0, "1");
    for (size_t i = 0; i < cairn_table_rows(data); i += 10) {
        double sum = 0;
        for (size_t j = 0; j < 4; j++)
            sum += (number(data, names[j], i) - number(columns, "centre", j)) /
                   number(columns, "spread", j) * number(components, names[j], 0);
        assert_float_equal(sum, cairn_table_numbers(made, 0)[i], 1e-9);
    }
    cairn_table_free(components);
    cairn_table_free(columns);
    cairn_table_free(made);
    cairn_table_free(data);
    cairn_model_free(model);
}

static void test_learned__a_transform_twice_has_its_rows_twice(void **state)
{
    cairn_context *ctx = *state;
    cairn_model *model;
    cairn_table *table;
    const char *const with[] = {"standardise", "standardise", NULL};
    fit(ctx, &model, "majority", "@iris", "species", with);
    assert_ok(ctx, cairn_model_table(ctx, &table, model, "standardise.columns"));
    assert_int_equal(cairn_table_rows(table), 8);
    assert_cell(table, "step", 7, "2");
    assert_float_equal(number(table, "centre", 4), 0, 1e-12);
    cairn_table_free(table);
    cairn_model_free(model);
}

/* Tables of transforms stand under the names of the transforms. */
static void test_learned__names_of_transforms(void **state)
{
    const cairn_entry *entry;
    size_t n, n_tables = 0;
    (void)state;
    const cairn_entry *const *entries = cairn_registry(&n);
    for (size_t i = 0; i < n && (entry = entries[i]); i++) {
        if (entry->kind != CAIRN_ENTRY_TRANSFORM) continue;
        const cairn_learned *t = ((const cairn_transform *)entry)->tables;
        for (; t && t->name; t++, n_tables++) {
            size_t length = strlen(entry->name);
            if (strncmp(t->name, entry->name, length) || t->name[length] != '.')
                fail_msg("%s has a table %s", entry->name, t->name);
            if (strncmp(t->inside, "members.", 8) || strcmp(t->inside + 8, t->name))
                fail_msg("%s is called %s inside", t->name, t->inside);
        }
    }
    assert_true(n_tables >= 15);
}

static void test_learned__distances_of_rows(void **state)
{
    cairn_context *ctx = *state;
    const double x[] = {0, 3, NAN}, y[] = {0, 4, 1};
    cairn_table *table, *square;
    assert_ok(ctx, cairn_table_new(ctx, &table, 2));
    assert_ok(ctx, cairn_table_add_numbers(ctx, table, "x", x));
    assert_ok(ctx, cairn_table_add_numbers(ctx, table, "y", y));
    assert_ok(ctx, cairn_table_distances(ctx, &square, table, "euclidean"));
    assert_int_equal(cairn_table_columns(square), 2);
    assert_true(number(square, "row1", 0) == 0);
    assert_true(number(square, "row1", 1) == 5);
    assert_true(number(square, "row2", 0) == 5);
    cairn_table_free(square);
    assert_ok(ctx, cairn_table_distances(ctx, &square, table, "manhattan"));
    assert_true(number(square, "row2", 0) == 7);
    cairn_table_free(square);
    assert_fails(ctx, cairn_table_distances(ctx, &square, table, "manhatan"), CAIRN_USAGE,
                 "manhattan");
    cairn_table_free(table);
}

/* The neighbours of training rows: themselves first; the others as all distances say. */
static void test_learned__neighbours_of_rows(void **state)
{
    cairn_context *ctx = *state;
    cairn_model *model;
    cairn_table *data, *near, *square;
    const char *const with[] = {"scale:method=none", NULL};
    fit(ctx, &model, "knn:k=3", "@iris", "species", with);
    assert_ok(ctx, cairn_table_read(ctx, &data, "@iris", NULL));
    assert_ok(ctx, cairn_model_neighbours(ctx, &near, model, data));
    assert_ok(ctx, cairn_table_distances(ctx, &square, data, NULL));
    assert_int_equal(cairn_table_rows(near), 450);
    for (size_t i = 0; i < 450; i++) {
        size_t query = (size_t)number(near, "query", i) - 1, row = (size_t)number(near, "row", i);
        assert_int_equal(query, i / 3);
        assert_float_equal(number(near, "distance", i), cairn_table_numbers(square, row - 1)[query],
                           1e-12);
        if (i % 3 == 0) assert_true(number(near, "distance", i) == 0);
        if (i % 3) assert_true(number(near, "distance", i) >= number(near, "distance", i - 1));
    }
    assert_cell(near, "class", 0, "setosa");
    cairn_table_free(near);
    cairn_table_free(square);
    cairn_model_free(model);
    fit(ctx, &model, "tree", "@iris", "species", NULL);
    assert_fails(ctx, cairn_model_neighbours(ctx, &near, model, data), CAIRN_USAGE,
                 "only models of knn know the neighbours of rows, and this one is of tree");
    cairn_table_free(data);
    cairn_model_free(model);
}

typedef struct wanted {
    cairn_table *data;
    const char *name;
} wanted;

/* Fit and ask for a table; everything is freed. */
static cairn_status fit_and_tell(cairn_context *ctx, void *data)
{
    const wanted *w = data;
    cairn_params *params = NULL;
    cairn_model *model = NULL;
    cairn_table *table = NULL;
    cairn_status status = cairn_params_new(ctx, &params, "tree");
    if (!status) status = cairn_model_fit(ctx, &model, params, w->data, NULL);
    if (!status) status = cairn_model_table(ctx, &table, model, w->name);
    cairn_table_free(table);
    cairn_model_free(model);
    cairn_params_free(params);
    return status;
}

static void test_learned__every_allocation_may_fail(void **state)
{
    cairn_context *ctx = *state;
    wanted w = {.name = "nodes"};
    assert_ok(ctx, cairn_table_read(ctx, &w.data, "@weather", NULL));
    assert_survives_allocation_failures(fit_and_tell, &w);
    w.name = "parameters";
    assert_survives_allocation_failures(fit_and_tell, &w);
    cairn_table_free(w.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_learned__the_type_of_the_classes_is_kept),
        context_test(test_learned__facts_of_a_classifier),
        context_test(test_learned__common_tables),
        context_test(test_learned__a_name_that_is_not_there_lists_those_that_are),
        context_test(test_learned__a_recipe_has_columns_and_transforms),
        context_test(test_learned__components_are_those_that_rows_are_projected_on),
        context_test(test_learned__a_transform_twice_has_its_rows_twice),
        cmocka_unit_test(test_learned__names_of_transforms),
        context_test(test_learned__distances_of_rows),
        context_test(test_learned__neighbours_of_rows),
        context_test(test_learned__every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
