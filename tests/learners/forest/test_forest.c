/* SPDX-License-Identifier: MIT */
/* Random forests: draws, answers, out-of-bag error, importances, files. */
#include "learners/tree/fitted.h"
#include "learners/forest/forest.h"
#include "support/fail_alloc.h"

static const cairn_forest_model *forest_in(const fitted *f)
{
    return f->model->state;
}

static cairn_table *answers(const fitted *f)
{
    cairn_table *answer = NULL;
    assert_ok(f->ctx, cairn_model_predict(f->ctx, &answer, f->model, f->table, true));
    return answer;
}

static void assert_same_cells(const cairn_table *a, const cairn_table *b)
{
    assert_int_equal(cairn_table_columns(a), cairn_table_columns(b));
    for (size_t c = 0; c < cairn_table_columns(a); c++)
        for (size_t i = 0; i < cairn_table_rows(a); i++) {
            char x[64], y[64];
            cairn_table_cell(a, c, i, x, sizeof x);
            cairn_table_cell(b, c, i, y, sizeof y);
            assert_string_equal(x, y);
        }
}

/* A forest of one tree that draws nothing is that tree. */
static void test_forest__one_tree_without_draws_is_the_tree(void **state)
{
    static const char *const data[] = {"@iris", "@weather"};
    for (size_t i = 0; i < 2; i++) {
        fitted forest = fit(*state, data[i], "forest:trees=1,sample=all,mtry=1000,tie=first");
        fitted tree = fit(*state, data[i], "tree:impurity=gini,split=binary,missing-in-model=mode");
        cairn_table *a = answers(&forest), *b = answers(&tree);
        for (size_t row = 0; row < cairn_table_rows(a); row++)
            assert_int_equal(cairn_table_codes(a, 0)[row], cairn_table_codes(b, 0)[row]);
        assert_value(&forest, "forest.leaves", value(&tree, "tree.leaves"));
        cairn_table_free(a);
        cairn_table_free(b);
        drop(&forest);
        drop(&tree);
    }
}

static void test_forest__out_of_bag_error_of_iris(void **state)
{
    fitted f = fit(*state, "@iris", "forest:trees=200,importance=permutation");
    assert_value(&f, "oob.rows", 150);
    assert_true(value(&f, "oob.error") > 0.02 && value(&f, "oob.error") < 0.08);
    assert_true(value(&f, "oob.low") < value(&f, "oob.error"));
    assert_true(value(&f, "oob.high") > value(&f, "oob.error"));
    assert_value(&f, "oob.curve.128", forest_in(&f)->oob.curve[127]);
    assert_value(&f, "oob.error", forest_in(&f)->oob.curve[199]);
    double right = 0;
    for (size_t l = 0; l < 3; l++) right += forest_in(&f)->oob.matrix[l * 3 + l];
    assert_value(&f, "oob.accuracy", right / 150);
    /* The petals tell the species, by both measures, and the intervals say so. */
    assert_true(value(&f, "importance.petal_width") > value(&f, "importance.sepal_width"));
    assert_true(value(&f, "permutation.low.petal_width") >
                value(&f, "permutation.high.sepal_width"));
    assert_near(value(&f, "importance.petal_width") + value(&f, "importance.petal_length") +
                    value(&f, "importance.sepal_width") + value(&f, "importance.sepal_length"),
                1, 1e-12);
    drop(&f);
}

/* The error after t trees is that of a forest of t trees. */
static void test_forest__curve_is_that_of_smaller_forests(void **state)
{
    fitted large = fit(*state, "@iris", "forest:trees=30");
    for (size_t trees = 1; trees <= 30; trees += 7) {
        char spec[64];
        (void)snprintf(spec, sizeof spec, "forest:trees=%zu", trees);
        fitted small = fit(*state, "@iris", spec);
        assert_near(value(&small, "oob.error"), forest_in(&large)->oob.curve[trees - 1], 1e-12);
        drop(&small);
    }
    drop(&large);
}

/* Votes of out-of-bag trees, counted again from the steps. */
static void test_forest__steps_show_rows_and_votes(void **state)
{
    fitted f = fit(*state, "@weather", "forest:trees=9,mtry=2");
    double wrong = 0, judged = 0;
    assert_true(strlen(word(&f, "tree1.rows")) > 0 && strlen(word(&f, "tree3.oob")) > 0);
    for (size_t row = 1; row <= 14; row++) {
        char name[64];
        (void)snprintf(name, sizeof name, "oob.trees.%zu", row);
        double trees = value(&f, name), yes, no;
        (void)snprintf(name, sizeof name, "oob.votes.%zu.yes", row);
        if (trees == 0) continue;
        yes = value(&f, name);
        (void)snprintf(name, sizeof name, "oob.votes.%zu.no", row);
        no = value(&f, name);
        assert_near(yes + no, trees, 0);
        const char *level =
            cairn_level_name(f.table->slots[f.table->n_columns - 1].column,
                             f.table->slots[f.table->n_columns - 1].column->codes[row - 1]);
        (void)snprintf(name, sizeof name, "oob.answer.%zu", row);
        wrong += strcmp(word(&f, name), level) != 0;
        judged++;
    }
    assert_value(&f, "oob.rows", judged);
    assert_near(value(&f, "oob.error"), wrong / judged, 1e-12);
    drop(&f);
}

static void test_forest__columns_per_tree(void **state)
{
    fitted f = fit(*state, "@iris", "forest:trees=40,subset=tree,mtry=2");
    size_t seen = 0;
    for (size_t t = 0; t < 40; t++) {
        const cairn_forest_tree *tree = &forest_in(&f)->trees[t];
        unsigned used = 0;
        for (size_t i = 0; i < tree->n_nodes; i++)
            used |= 1u << (tree->nodes[i].test & CAIRN_FOREST_COLUMN);
        assert_true(__builtin_popcount(used) <= 2);
        seen |= used;
    }
    assert_int_equal(seen, 15);
    drop(&f);
}

/* y = x² with noise: the mean of trees is near, and never outside of what was seen. */
static void test_forest__numbers(void **state)
{
    cairn_text csv = cairn_text_start(*state);
    cairn_text_add(&csv, "x,z,y\n");
    for (int i = 0; i < 300; i++) {
        double x = (i * 37 % 300) / 30.0, noise = ((unsigned)i * 2654435761u >> 24) / 64.0;
        cairn_text_addf(&csv, "%.6f,%d,%.6f\n", x, i % 7, x * x + noise);
    }
    fitted f = fit_table(*state, table_of(*state, cairn_text_string(&csv), "y", NULL),
                         "forest:mtry=2", CAIRN_REGRESS, true);
    assert_true(value(&f, "oob.r2") > 0.97);
    assert_true(value(&f, "oob.mse") > 0 && value(&f, "oob.low") < value(&f, "oob.mse"));
    assert_true(value(&f, "importance.x") > 0.9);
    double x[] = {-100, 5, 100, NAN}, z[] = {3, 3, 3, 3};
    cairn_table *asked, *answer;
    assert_ok(*state, cairn_table_new(*state, &asked, 4));
    assert_ok(*state, cairn_table_add_numbers(*state, asked, "x", x));
    assert_ok(*state, cairn_table_add_numbers(*state, asked, "z", z));
    assert_ok(*state, cairn_model_predict(*state, &answer, f.model, asked, true));
    const double *said = cairn_table_numbers(answer, 0);
    assert_true(said[0] >= value(&f, "forest.low") && said[0] < 4);
    assert_near(said[1], 27, 3);
    assert_true(said[2] <= value(&f, "forest.high") && said[2] > 90);
    assert_true(!isnan(said[3]));
    cairn_table_free(asked);
    cairn_table_free(answer);
    cairn_text_clear(&csv);
    drop(&f);
}

/* Every way to draw, weigh, cut and treat missing cells ends in a forest that can be saved. */
static void test_forest__all_options(void **state)
{
    static const char *const specs[] = {
        "forest:trees=7,sample=without",
        "forest:trees=7,sample=without,sample-share=0.3",
        "forest:trees=7,sample=with,sample-share=0.5",
        "forest:trees=7,sample=even",
        "forest:trees=7,class-weights=balanced",
        "forest:trees=7,class-weights=tree,combine=shares,min-leaf=3",
        "forest:trees=7,cuts=random",
        "forest:trees=7,cuts=random,split=multiway,cut=lt",
        "forest:trees=7,missing-in-model=weights,combine=shares,max-depth=3",
        "forest:trees=7,missing-in-model=weights,split=multiway",
        "forest:trees=7,missing-in-model=branch",
        "forest:trees=7,missing-in-model=branch,split=multiway,branches=present",
        "forest:trees=7,missing-in-model=class-mode,split=multiway",
        "forest:trees=7,impurity=entropy,cut=le,max-leaves=5",
        "forest:trees=7,oob=no,importance=none",
    };
    static const char data[] =
        "a,b,c,d,y\n1,p,2,0,u\n2,q,?,1,v\n3,p,4,0,w\n4,?,1,1,u\n?,r,3,0,v\n6,r,5,?,w\n7,q,2,1,u\n"
        "8,p,?,0,v\n9,q,4,1,u\n1,r,2,0,w\n2,?,3,1,u\n3,p,1,0,v\n5,q,6,1,u\n6,r,2,0,w\n7,p,5,1,v\n"
        "8,q,4,0,u\n9,r,1,1,w\n4,p,2,0,u\n5,q,3,1,v\n6,p,6,0,u\n";
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        fitted f = fit(*state, data, specs[i]);
        cairn_table *answer = answers(&f), *again;
        cairn_model *loaded;
        char *bytes;
        size_t length;
        for (size_t row = 0; row < cairn_table_rows(answer); row++) {
            double sum = 0;
            for (size_t c = 1; c <= 3; c++) sum += cairn_table_numbers(answer, c)[row];
            assert_near(sum, 1, 1e-9);
        }
        assert_ok(*state, cairn_model_save_memory(*state, f.model, &bytes, &length));
        assert_ok(*state, cairn_model_load_memory(*state, &loaded, "m", bytes, length));
        assert_ok(*state, cairn_model_predict(*state, &again, loaded, f.table, true));
        assert_same_cells(answer, again);
        cairn_string_free(bytes);
        cairn_model_free(loaded);
        cairn_table_free(answer);
        cairn_table_free(again);
        drop(&f);
    }
}

/* A rare class: weights and even draws find more of it. */
static void test_forest__rare_class(void **state)
{
    cairn_text csv = cairn_text_start(*state);
    cairn_text_add(&csv, "x,z,y\n");
    for (unsigned i = 0; i < 600; i++) {
        unsigned hash = i * 2654435761u >> 8;
        double x = hash % 1000 / 1000.0, z = hash / 1000 % 1000 / 1000.0;
        bool rare = x > 0.8 && hash / 1000000 % 4 == 0;
        cairn_text_addf(&csv, "%.3f,%.3f,%s\n", x, z, rare ? "rare" : "common");
    }
    fitted plain = fit(*state, cairn_text_string(&csv), "forest:min-leaf=5");
    fitted even = fit(*state, cairn_text_string(&csv), "forest:min-leaf=5,sample=even");
    fitted tree = fit(*state, cairn_text_string(&csv), "forest:min-leaf=5,class-weights=tree");
    assert_true(value(&even, "oob.error.rare") < value(&plain, "oob.error.rare"));
    assert_true(value(&tree, "oob.error.rare") < value(&plain, "oob.error.rare"));
    drop(&plain);
    drop(&even);
    drop(&tree);
    cairn_text_clear(&csv);
}

static void test_forest__refusals(void **state)
{
    cairn_table *numbers = table_of(*state, "x,y\n1,1.5\n2,2.5\n3,3.25\n4,1\n", NULL, NULL);
    cairn_model *model;
    cairn_params *params;
    assert_int_equal(
        try_fit(*state, &model, numbers, "forest:class-weights=tree", CAIRN_REGRESS, NULL),
        CAIRN_USAGE);
    assert_non_null(strstr(cairn_message(*state), "'y' is a number"));
    assert_int_equal(try_fit(*state, &model, numbers, "forest:sample=even", CAIRN_REGRESS, NULL),
                     CAIRN_USAGE);
    assert_int_equal(
        try_fit(*state, &model, numbers, "forest:missing-in-model=class-mode", CAIRN_REGRESS, NULL),
        CAIRN_USAGE);
    assert_int_equal(try_fit(*state, &model, numbers, "forest:importance=permutation,sample=all",
                             CAIRN_REGRESS, NULL),
                     CAIRN_USAGE);
    assert_int_equal(cairn_params_new(*state, &params, "forest:trees=0"), CAIRN_USAGE);
    cairn_table_free(numbers);
}

/* Change one thing in a forest, save it and load it: the file must be refused. */
static void assert_refused(fitted *f)
{
    cairn_model *loaded;
    char *bytes;
    size_t length;
    assert_ok(f->ctx, cairn_model_save_memory(f->ctx, f->model, &bytes, &length));
    assert_int_equal(cairn_model_load_memory(f->ctx, &loaded, "m", bytes, length), CAIRN_BAD_DATA);
    cairn_string_free(bytes);
}

static void test_forest__impossible_files_are_refused(void **state)
{
    fitted f = fit(*state, "@iris", "forest:trees=5,min-leaf=4");
    cairn_forest_model *forest = f.model->state;
    cairn_forest_tree *tree = &forest->trees[2];
    assert_true(tree->n_nodes > 1 && tree->n_mixed > 0);
    cairn_forest_node kept = tree->nodes[1];
    tree->nodes[1].test |= 17;
    assert_refused(&f);
    tree->nodes[1] = kept;
    tree->nodes[1].rank = 70000;
    assert_refused(&f);
    tree->nodes[1] = kept;
    tree->nodes[1].test |= CAIRN_FOREST_LEVEL;
    assert_refused(&f);
    tree->nodes[1] = kept;
    tree->nodes[1].left = CAIRN_FOREST_LEAF | 1000;
    assert_refused(&f);
    tree->nodes[1] = kept;
    tree->nodes[1].left = tree->nodes[1].right = CAIRN_FOREST_LEAF;
    assert_refused(&f);
    tree->nodes[1] = kept;
    tree->mixed_classes[0] = 3;
    assert_refused(&f);
    tree->mixed_classes[0] = 1;
    tree->mixed_shares[0] = NAN;
    assert_refused(&f);
    drop(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_forest__one_tree_without_draws_is_the_tree),
        context_test(test_forest__out_of_bag_error_of_iris),
        context_test(test_forest__curve_is_that_of_smaller_forests),
        context_test(test_forest__steps_show_rows_and_votes),
        context_test(test_forest__columns_per_tree),
        context_test(test_forest__numbers),
        context_test(test_forest__all_options),
        context_test(test_forest__rare_class),
        context_test(test_forest__refusals),
        context_test(test_forest__impossible_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
