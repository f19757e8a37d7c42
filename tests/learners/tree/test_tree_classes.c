/* SPDX-License-Identifier: MIT */
/* Trees of many classes: the searches that spare a sum over all of them find the splits of the
 * search that does not. */
#include "fitted.h"
#include "base/random.h"
#include "base/text.h"
#include "stats/impurity.h"

enum { ROWS = 2500, CLASSES = 400 };

/* A score of the caller's keeps the plain search: nothing is estimated or numbered
 * anew. More than 0, as splits have to be. */
static double plain_score(const double *cells, size_t n_parts, size_t n_classes, const void *data)
{
    return 20 - cairn_impurity_after(*(const cairn_impurity *)data, cells, n_parts, n_classes);
}

/* Two numbers that say something of the class and levels that do not; cells are missing where
 * `gaps` says so. */
static void make_rows(cairn_context *ctx, cairn_binned *data, bool gaps)
{
    SCOPED(cairn_text_clear) cairn_text csv = cairn_text_start(ctx);
    cairn_random random;
    cairn_view view;
    cairn_random_start(&random, 7, 1);
    cairn_text_add(&csv, "x,z,l,y\n");
    for (int i = 0; i < ROWS; i++) {
        unsigned class = (unsigned)cairn_random_below(&random, CLASSES);
        unsigned noise = (unsigned)cairn_random_below(&random, 400);
        bool gap = gaps && cairn_random_below(&random, 10) == 0;
        if (!gap) cairn_text_addf(&csv, "%u", 3 * class + noise);
        cairn_text_addf(&csv, ",%u,%c,c%u\n", (unsigned)cairn_random_below(&random, 3000),
                        "pqr"[cairn_random_below(&random, 3)], class);
    }
    cairn_table *table = table_of(ctx, cairn_text_string(&csv), "y", "y=level");
    assert_ok(ctx, cairn_view_make(ctx, &view, table, cairn_all_rows(table)));
    assert_ok(ctx, cairn_binned_make(ctx, data, &view, view.target->names.n));
    cairn_table_free(table);
}

static void assert_same_trees(const cairn_tree_model *a, const cairn_tree_model *b)
{
    assert_int_equal(a->n_nodes, b->n_nodes);
    assert_int_equal(a->n_counts, b->n_counts);
    for (size_t i = 0; i < a->n_nodes; i++) {
        assert_int_equal(a->nodes[i].column, b->nodes[i].column);
        assert_true(a->nodes[i].column < 0 || a->nodes[i].cut == b->nodes[i].cut);
        assert_int_equal(a->nodes[i].label, b->nodes[i].label);
        assert_int_equal(a->nodes[i].usual, b->nodes[i].usual);
        assert_int_equal(a->nodes[i].n_counts, b->nodes[i].n_counts);
    }
    assert_memory_equal(a->classes, b->classes, a->n_counts * sizeof *a->classes);
    assert_memory_equal(a->weights, b->weights, a->n_counts * sizeof *a->weights);
}

/* Grow twice, with and without what spares sums. */
static void assert_searches_agree(cairn_context *ctx, const cairn_binned *data,
                                  const cairn_grow_options *options)
{
    SCOPED(cairn_tree_clear) cairn_tree_model spared = {0};
    SCOPED(cairn_tree_clear) cairn_tree_model plain = {0};
    cairn_grow_options own = *options;
    own.own_score = plain_score;
    own.data = &options->impurity;
    assert_ok(ctx, cairn_tree_grow(ctx, &spared, data, options));
    assert_ok(ctx, cairn_tree_grow(ctx, &plain, data, &own));
    assert_true(spared.n_nodes > 100);
    assert_same_trees(&spared, &plain);
}

static void test_many_classes__numbers(void **state)
{
    cairn_grow_options options = {.purity = 1, .min_leaf = 5};
    cairn_binned data;
    make_rows(*state, &data, false);
    options.impurity = CAIRN_ENTROPY;
    assert_searches_agree(*state, &data, &options);
    options.impurity = CAIRN_GINI;
    assert_searches_agree(*state, &data, &options);
    cairn_binned_clear(&data);
}

static void test_many_classes__weights(void **state)
{
    cairn_grow_options options = {.purity = 1, .min_leaf = 2, .class_tie = CAIRN_TREE_PARENT};
    cairn_binned data;
    make_rows(*state, &data, false);
    assert_ok(*state, NEW_RAW(*state, &data.weights, data.n_rows));
    for (size_t i = 0; i < data.n_rows; i++)
        data.weights[i] = 0.1 + (double)(i * 2654435761u % 1000) / 700;
    options.impurity = CAIRN_ENTROPY;
    assert_searches_agree(*state, &data, &options);
    options.impurity = CAIRN_GINI;
    assert_searches_agree(*state, &data, &options);
    cairn_binned_clear(&data);
}

static void test_many_classes__missing_cells(void **state)
{
    static const cairn_tree_missing ways[] = {CAIRN_TREE_WEIGHTS, CAIRN_TREE_MODE,
                                              CAIRN_TREE_CLASS_MODE, CAIRN_TREE_BRANCH};
    cairn_grow_options options = {.purity = 1, .min_leaf = 8};
    cairn_binned data;
    make_rows(*state, &data, true);
    for (size_t w = 0; w < 4; w++) {
        options.missing = ways[w];
        options.impurity = w % 2 ? CAIRN_GINI : CAIRN_ENTROPY;
        assert_searches_agree(*state, &data, &options);
    }
    cairn_binned_clear(&data);
}

/* Two classes and levels: what a class that is unknown follows is the branch of most rows, not that
 * of the first class. */
static void test_class_mode__unknown_classes_follow_most_rows(void **state)
{
    static const char csv[] = "l,y\np,a\np,a\nq,b\nq,b\nq,b\nq,a\n";
    cairn_grow_options options = {.purity = 1, .missing = CAIRN_TREE_CLASS_MODE};
    SCOPED(cairn_tree_clear) cairn_tree_model tree = {0};
    cairn_table *table = table_of(*state, csv, "y", NULL);
    cairn_binned data;
    cairn_view view;
    assert_ok(*state, cairn_view_make(*state, &view, table, cairn_all_rows(table)));
    assert_ok(*state, cairn_binned_make(*state, &data, &view, view.target->names.n));
    assert_ok(*state, cairn_tree_grow(*state, &tree, &data, &options));
    assert_int_equal(tree.nodes[0].column, 0);
    assert_int_equal(tree.nodes[0].usual, 1);
    cairn_binned_clear(&data);
    cairn_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_many_classes__numbers),
        context_test(test_many_classes__weights),
        context_test(test_many_classes__missing_cells),
        context_test(test_class_mode__unknown_classes_follow_most_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
