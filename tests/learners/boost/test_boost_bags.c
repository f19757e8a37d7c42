/* SPDX-License-Identifier: MIT */
/* Gradient boosting of bags: the same trees, to the last bit, as on the table in which every item
 * is a number column with all its zeros. */
#include "learners/tree/twin.h"
#include "explain/shapley.h"
#include "learners/boost/boost.h"
#include <string.h>

static const cairn_boost_model *boost_in(const fitted *f)
{
    return f->model->state;
}

static void assert_same_trees(const cairn_boost_model *a, const cairn_boost_model *b)
{
    assert_int_equal(a->n_columns, b->n_columns);
    assert_int_equal(a->n_trees, b->n_trees);
    assert_int_equal(a->n_nodes, b->n_nodes);
    assert_int_equal(a->n_leaves, b->n_leaves);
    for (size_t i = 0; i < a->n_nodes; i++)
        if (memcmp(&a->nodes[i], &b->nodes[i], sizeof *a->nodes) != 0)
            fail_msg("node %zu of %zu tests column %d and column %d", i, a->n_nodes,
                     a->nodes[i].column, b->nodes[i].column);
    assert_memory_equal(a->roots, b->roots, a->n_trees * sizeof *a->roots);
    assert_same_numbers(a->cuts, b->cuts, a->n_nodes);
    assert_same_numbers(a->values, b->values, a->n_leaves);
    assert_same_numbers(a->start, b->start, a->n_outputs);
}

/* Both fits give the same model; returns that of the bags. */
static fitted fit_twin(cairn_context *ctx, const design *d, const char *spec, uint64_t seed)
{
    twin t = draw_twin(ctx, d, seed);
    cairn_task task = d->n_classes ? CAIRN_CLASSIFY : CAIRN_REGRESS;
    fitted bags = fit_table(ctx, t.bags, spec, task, false);
    fitted dense = fit_table(ctx, t.dense, spec, task, false);
    assert_true(boost_in(&bags)->n_nodes > 0);
    assert_int_equal(bags.model->n_chain, 0);
    assert_same_trees(boost_in(&bags), boost_in(&dense));
    assert_same_answers(ctx, &bags, &dense);
    assert_ok(ctx, cairn_model_update(ctx, bags.model, bags.table, NULL));
    assert_ok(ctx, cairn_model_update(ctx, dense.model, dense.table, NULL));
    assert_same_trees(boost_in(&bags), boost_in(&dense));
    drop(&dense);
    return bags;
}

static const design sparse = {.n_rows = 1500, .n_bags = 1, .n_items = 40, .common = 0.2};

static void compare(cairn_context *ctx, design d, const char *spec)
{
    for (uint64_t seed = 1; seed <= 2; seed++) {
        fitted f = fit_twin(ctx, &d, spec, seed);
        drop(&f);
    }
}

static void test_bags__regressions_are_those_of_dense_columns(void **state)
{
    design d = sparse;
    compare(*state, d, "boost:rounds=8");
    d.reals = true;
    compare(*state, d, "boost:rounds=8,min-leaf=1");
    compare(*state, d, "boost:rounds=4,bins=6,loss=absolute");
    d.negative = true;
    compare(*state, d, "boost:rounds=8,bins=20,grow=depth");
}

static void test_bags__classes_are_those_of_dense_columns(void **state)
{
    design d = sparse;
    d.n_classes = 2;
    compare(*state, d, "boost:rounds=8");
    compare(*state, d, "boost:rounds=8,order=first,class-weight=balanced");
    d.n_classes = 4;
    d.reals = true;
    compare(*state, d, "boost:rounds=4,l1=0.5,l2=3");
}

static void test_bags__weights_count(void **state)
{
    design d = sparse;
    d.weighted = true;
    compare(*state, d, "boost:rounds=8");
    d.n_classes = 3;
    d.reals = true;
    compare(*state, d, "boost:rounds=4,min-leaf=2.5");
}

/* Common items have codes for all rows, rare ones lists; numbers stand before both. */
static void test_bags__mixed_tables(void **state)
{
    design d = {.n_rows = 1200, .n_bags = 3, .n_items = 20, .n_numbers = 3, .common = 0.9};
    compare(*state, d, "boost:rounds=8");
    d.reals = d.weighted = d.negative = true;
    d.absent = 0.1;
    d.n_classes = 3;
    compare(*state, d, "boost:rounds=5,bins=50");
}

static void test_bags__missing_bags_go_where_they_gain(void **state)
{
    design d = sparse;
    d.absent = 0.15;
    d.reals = true;
    d.n_bags = 2;
    compare(*state, d, "boost:rounds=8,min-leaf=1");
    d.absent = 0.97; /* hardly a row has a bag */
    d.common = 1;
    compare(*state, d, "boost:rounds=3,min-leaf=1");
}

static void test_bags__rows_and_columns_are_drawn(void **state)
{
    design d = sparse;
    d.reals = true;
    d.absent = 0.1;
    compare(*state, d, "boost:rounds=8,row-share=0.5,column-share=0.6");
    d.n_classes = 2;
    compare(*state, d, "boost:rounds=30,hold-out=0.3,patience=3");
    compare(*state, d, "boost:rounds=5,row-share=0.01,min-leaf=1");
}

static void test_bags__constraints_name_items(void **state)
{
    design d = sparse;
    d.n_bags = 2;
    compare(*state, d, "boost:rounds=10,monotone=(+bag0=100,-bag0=103,+bag1=101)");
    twin t = draw_twin(*state, &d, 1);
    cairn_model *model = NULL;
    assert_true(try_fit(*state, &model, t.bags, "boost:monotone=+bag0", CAIRN_REGRESS, NULL));
    assert_non_null(strstr(cairn_message(*state), "'+bag0' is no feature"));
    cairn_table_free(t.bags);
    cairn_table_free(t.dense);
}

/* Rows so many that they are counted in words, in parts and list by list. */
static void test_bags__many_rows_on_any_threads(void **state)
{
    design d = {.n_rows = 60000, .n_bags = 1, .n_items = 30, .common = 0.3, .reals = true};
    d.n_classes = 2;
    d.absent = 0.02;
    fitted f[2];
    for (int k = 0; k < 2; k++) {
        cairn_context_set_threads(*state, k ? 4 : 1);
        f[k] = fit_twin(*state, &d, "boost:rounds=4,row-share=0.8", 7);
    }
    assert_same_trees(boost_in(&f[0]), boost_in(&f[1]));
    for (int k = 0; k < 2; k++) drop(&f[k]);
}

/* Steps name items, and tell the same as those of dense columns. */
static void test_bags__steps_name_items(void **state)
{
    design d = {.n_rows = 40, .n_bags = 1, .n_items = 4, .n_numbers = 1, .common = 0.5};
    twin t = draw_twin(*state, &d, 3);
    fitted f[2];
    char *texts[2];
    for (int k = 0; k < 2; k++) {
        f[k] = fit_table(*state, k ? t.dense : t.bags, "boost:rounds=2,min-leaf=2", CAIRN_REGRESS,
                         true);
        assert_ok(*state,
                  cairn_report_print(*state, f[k].report, CAIRN_FORMAT_TEXT, NULL, &texts[k]));
    }
    assert_non_null(strstr(texts[0], "bag0=100"));
    char *ends[2] = {strstr(texts[0], "Loss after"), strstr(texts[1], "Loss after")};
    assert_true(ends[0] && ends[1]);
    *ends[0] = *ends[1] = 0;
    assert_string_equal(texts[0], texts[1]);
    for (int k = 0; k < 2; k++) {
        cairn_string_free(texts[k]);
        drop(&f[k]);
    }
}

/* Reasons of a model, with the items of its bags written out first if wanted. */
static cairn_shapley explain(cairn_context *ctx, const cairn_table *table, bool written_out)
{
    static const char *const with[] = {"indicators", NULL};
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    cairn_shapley_options usual = {.most_background = 50, .permutations = 10};
    cairn_params *params = NULL;
    cairn_model *model = NULL;
    cairn_shapley out;
    options.task = CAIRN_REGRESS;
    if (written_out) options.with = with;
    assert_ok(ctx, cairn_params_new(ctx, &params, "boost:rounds=4"));
    assert_ok(ctx, cairn_model_fit(ctx, &model, params, table, &options));
    assert_int_equal(model->n_chain, written_out);
    assert_ok(ctx, cairn_shapley_find(ctx, &out, model, table, &usual));
    cairn_params_free(params);
    cairn_model_free(model);
    return out;
}

/* Exact, a bag being one column of the data, whether it is written out or not. */
static void test_bags__reasons_are_those_of_dense_columns(void **state)
{
    design d = {.n_rows = 120, .n_bags = 2, .n_items = 12, .n_numbers = 1, .common = 0.6};
    d.absent = 0.1;
    twin t = draw_twin(*state, &d, 4);
    cairn_shapley a = explain(*state, t.bags, false), b = explain(*state, t.bags, true);
    assert_true(a.exact && b.exact);
    assert_int_equal(a.n_players, 3);
    assert_int_equal(b.n_players, 3);
    assert_same_numbers(a.base, b.base, 1);
    assert_same_numbers(a.values, b.values, 3 * d.n_rows);
    cairn_shapley_clear(&a);
    cairn_shapley_clear(&b);
    cairn_table_free(t.bags);
    cairn_table_free(t.dense);
}

/* Through a file, and there whatever the trees say of the schema is checked. */
static void test_bags__files_keep_the_trees(void **state)
{
    design d = sparse;
    d.n_numbers = 1;
    fitted f = fit_twin(*state, &d, "boost:rounds=3", 5);
    char path[] = "/tmp/cairn-test-boost-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    cairn_model *loaded = NULL;
    assert_ok(*state, cairn_model_save(*state, f.model, path));
    assert_ok(*state, cairn_model_load(*state, &loaded, path));
    assert_same_trees(boost_in(&f), loaded->state);
    cairn_model_free(loaded);
    cairn_boost_model *m = f.model->state;
    m->is_number[1 + 5] = 2; /* an item that would have levels */
    assert_ok(*state, cairn_model_save(*state, f.model, path));
    assert_int_equal(cairn_model_load(*state, &loaded, path), CAIRN_BAD_DATA);
    assert_non_null(strstr(cairn_message(*state), "column 7 of the trees is of another kind"));
    unlink(path);
    drop(&f);
}

/* Answers of rows whose bags hold items that the model does not know are those without them. */
static void test_bags__unknown_items_count_nothing(void **state)
{
    design d = sparse, wide = sparse;
    wide.n_items = 60;
    fitted f = fit_twin(*state, &d, "boost:rounds=4", 5);
    twin t = draw_twin(*state, &wide, 6);
    cairn_table *said[2] = {NULL, NULL}, *known = NULL;
    assert_ok(*state, cairn_model_predict(*state, &said[0], f.model, t.bags, false));
    cairn_column *bag = t.bags->slots[0].column;
    for (size_t e = 0; e < bag->starts[bag->n_rows]; e++)
        if (bag->items[e] >= 40) bag->amounts[e] = 0;
    assert_ok(*state, cairn_table_share(*state, &known, t.bags));
    assert_ok(*state, cairn_model_predict(*state, &said[1], f.model, known, false));
    assert_same_numbers(cairn_table_numbers(said[0], 0), cairn_table_numbers(said[1], 0),
                        wide.n_rows);
    for (int k = 0; k < 2; k++) cairn_table_free(said[k]);
    cairn_table_free(known);
    cairn_table_free(t.bags);
    cairn_table_free(t.dense);
    drop(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_bags__regressions_are_those_of_dense_columns),
        context_test(test_bags__classes_are_those_of_dense_columns),
        context_test(test_bags__weights_count),
        context_test(test_bags__mixed_tables),
        context_test(test_bags__missing_bags_go_where_they_gain),
        context_test(test_bags__rows_and_columns_are_drawn),
        context_test(test_bags__constraints_name_items),
        context_test(test_bags__many_rows_on_any_threads),
        context_test(test_bags__steps_name_items),
        context_test(test_bags__reasons_are_those_of_dense_columns),
        context_test(test_bags__files_keep_the_trees),
        context_test(test_bags__unknown_items_count_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
