/* SPDX-License-Identifier: MIT */
/* Trees and forests of bags: the same, to the last bit, as on the table in which every item is a
 * number column with all its zeros, and in the memory of what rows hold. */
#include "learners/tree/twin.h"
#include "data/item_columns.h"

static const design sparse = {.n_rows = 700, .n_bags = 1, .n_items = 40, .common = 0.3};

/* Both fits say the same, and so do trees written as text. */
static void compare(cairn_context *ctx, design d, const char *spec)
{
    for (uint64_t seed = 1; seed <= 2; seed++) {
        twin t = draw_twin(ctx, &d, seed);
        cairn_task task = d.n_classes ? CAIRN_CLASSIFY : CAIRN_REGRESS;
        fitted bags = fit_table(ctx, t.bags, spec, task, false);
        fitted dense = fit_table(ctx, t.dense, spec, task, false);
        assert_int_equal(bags.model->n_chain, 1);
        assert_same_answers(ctx, &bags, &dense);
        if (strncmp(spec, "tree", 4) == 0) {
            const cairn_tree_model *a = tree_in(&bags), *b = tree_in(&dense);
            assert_int_equal(a->n_nodes, b->n_nodes);
            assert_memory_equal(a->nodes, b->nodes, a->n_nodes * sizeof *a->nodes);
        }
        drop(&bags);
        drop(&dense);
    }
}

static void test_items__classes_are_those_of_dense_columns(void **state)
{
    design d = sparse;
    d.n_classes = 2;
    compare(*state, d, "tree");
    compare(*state, d, "tree:size=full,impurity=gini");
    d.n_classes = 4;
    d.reals = d.negative = true;
    compare(*state, d, "tree:size=full");
    compare(*state, d, "tree:preset=c4.5");
    compare(*state, d, "tree:preset=cart");
    compare(*state, d, "tree:preset=quest");
    compare(*state, d, "tree:engine=histogram,bins=3");
    d.weighted = true;
    compare(*state, d, "tree:size=full,min-leaf=2");
    d.n_numbers = 2;
    compare(*state, d, "tree:prune=rep,prune-share=0.3");
}

static void test_items__numbers_are_those_of_dense_columns(void **state)
{
    design d = sparse;
    compare(*state, d, "tree");
    d.reals = d.negative = true;
    compare(*state, d, "tree:size=full,bins=5,engine=histogram");
    d.weighted = true;
    compare(*state, d, "tree:cut=lt");
}

static void test_items__forests_are_those_of_dense_columns(void **state)
{
    design d = sparse;
    compare(*state, d, "forest:trees=5");
    d.n_classes = 3;
    d.reals = d.negative = true;
    compare(*state, d, "forest:trees=5,importance=permutation");
    compare(*state, d, "forest:trees=5,cut=lt,class-weight=balanced");
}

/* A bag that is missing leaves cells missing, so the columns are made with all their numbers. */
static void test_items__missing_bags(void **state)
{
    design d = sparse;
    d.n_classes = 2;
    d.absent = 0.1;
    compare(*state, d, "tree");
    compare(*state, d, "forest:trees=3");
}

/* Numbers of one row after the other, listed and not. */
static void test_items__columns_hold_the_amounts(void **state)
{
    cairn_context *ctx = *state;
    design d = sparse;
    twin t = draw_twin(ctx, &d, 7);
    const cairn_column *bag = t.bags->slots[0].column;
    cairn_column *columns[MOST_ITEMS] = {NULL};
    int32_t places[MOST_ITEMS];
    bool made = false;
    for (int32_t k = 0; k < MOST_ITEMS; k++) places[k] = k;
    assert_ok(ctx, cairn_item_columns_new(ctx, columns, &made, bag, places, d.n_items));
    assert_true(made);
    for (size_t k = 0; k < d.n_items; k++) {
        assert_null(columns[k]->numbers);
        for (size_t i = 0; i < d.n_rows; i++)
            assert_true(cairn_column_number(columns[k], i) == t.dense->slots[k].column->numbers[i]);
    }
    for (size_t k = 0; k < d.n_items; k++) cairn_column_drop(columns[k]);
    cairn_table_free(t.bags);
    cairn_table_free(t.dense);
}

/* 2,000 rows of 30,000 items, of which a row has few: a table of zeros would take 480 MB. */
static void test_items__wide_bags_take_little_memory(void **state)
{
    enum { ROWS = 2000, ITEMS = 30000, HELD = 20 };
    cairn_context *ctx = *state;
    cairn_bag_builder builder = {0};
    cairn_column *bag = NULL, *target = NULL;
    cairn_table *table = NULL;
    cairn_random random;
    cairn_random_start(&random, 1, 0);
    assert_ok(ctx, cairn_table_new(ctx, &table, ROWS));
    assert_ok(ctx, cairn_column_new(ctx, &target, CAIRN_NUMBER, ROWS));
    for (size_t i = 0; i < ROWS; i++) {
        char name[24];
        assert_ok(ctx, cairn_bag_begin_row(ctx, &builder));
        for (size_t k = 0; k < HELD; k++) {
            size_t item = k ? cairn_random_below(&random, ITEMS) : i % 2;
            int length = snprintf(name, sizeof name, "%zu", item);
            assert_ok(ctx, cairn_bag_add(ctx, &builder, name, (size_t)length, 1));
        }
        target->numbers[i] = (double)(i % 2);
    }
    assert_ok(ctx, cairn_bag_finish(ctx, &bag, &builder));
    assert_ok(ctx, cairn_table_append(ctx, table, "held", CAIRN_FEATURE, bag));
    assert_ok(ctx, cairn_table_append(ctx, table, "y", CAIRN_TARGET, target));
    cairn_context_set_memory(ctx, 150u << 20);
    fitted f = fit_table(ctx, table, "tree", CAIRN_CLASSIFY, false);
    assert_true(tree_in(&f)->n_nodes >= 3);
    cairn_table *said = NULL;
    assert_ok(ctx, cairn_model_predict(ctx, &said, f.model, f.table, false));
    cairn_table_free(said);
    drop(&f);
    cairn_context_set_memory(ctx, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_items__classes_are_those_of_dense_columns),
        context_test(test_items__numbers_are_those_of_dense_columns),
        context_test(test_items__forests_are_those_of_dense_columns),
        context_test(test_items__missing_bags),
        context_test(test_items__columns_hold_the_amounts),
        context_test(test_items__wide_bags_take_little_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
