/* SPDX-License-Identifier: MIT */
/* Random forests: draws, answers, out-of-bag error, importances, files. */
#include "learners/tree/fitted.h"
#include "learners/forest/forest.h"
#include "model/explain.h"
#include "support/fail_alloc.h"

static const cairn_forest_model *forest_in(const fitted *f)
{
    return f->model->state;
}

static const cairn_forest_history *history_in(const fitted *f)
{
    return f->model->history;
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
        fitted tree = fit(*state, data[i],
                          "tree:full,impurity=gini,split=binary,"
                          "missing-in-model=mode");
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

/* And so are its smoothed probabilities, in mixed leaves and pure ones. */
static void test_forest__smoothed_shares_are_the_trees(void **state)
{
    static const char *const smooths[] = {"laplace", "m:5", "lambda:0.25"};
    for (size_t i = 0; i < 3; i++) {
        char a[160], b[160];
        snprintf(
            a, sizeof a,
            "forest:trees=1,sample=all,mtry=1000,tie=first,combine=shares,max-depth=3,smooth=%s",
            smooths[i]);
        snprintf(b, sizeof b,
                 "tree:full,impurity=gini,split=binary,missing-in-model=mode,max-depth=3,smooth=%s",
                 smooths[i]);
        fitted forest = fit(*state, "@iris", a), tree = fit(*state, "@iris", b);
        cairn_table *x = answers(&forest), *y = answers(&tree);
        for (size_t c = 1; c <= 3; c++)
            for (size_t row = 0; row < cairn_table_rows(x); row++)
                assert_true(fabs(cairn_table_numbers(x, c)[row] - cairn_table_numbers(y, c)[row]) <
                            1e-12);
        assert_true(cairn_table_numbers(x, 2)[0] > 0);
        cairn_table_free(x);
        cairn_table_free(y);
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
    assert_value(&f, "oob.curve.128", history_in(&f)->oob.curve[127]);
    assert_value(&f, "oob.error", history_in(&f)->oob.curve[199]);
    double right = 0;
    for (size_t l = 0; l < 3; l++) right += history_in(&f)->oob.matrix[l * 3 + l];
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
        assert_near(value(&small, "oob.error"), history_in(&large)->oob.curve[trees - 1], 1e-12);
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
    assert_string_equal(word(&f, "tree1.node1.drawn"), "temperature, wind");
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
            used |= 1u << (cairn_forest_node_at(tree, i).test & CAIRN_FOREST_COLUMN);
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

/* How far the trees agree about a number does not depend on where the numbers begin. */
static void test_forest__agreement_far_from_zero(void **state)
{
    double said[2][40];
    for (size_t far = 0; far < 2; far++) {
        cairn_table *answer, *table;
        double x[40], y[40];
        for (size_t i = 0; i < 40; i++) {
            x[i] = (double)i;
            y[i] = (far ? 4294967296.0 : 0) + (double)(i * 7 % 16);
        }
        assert_ok(*state, cairn_table_new(*state, &table, 40));
        assert_ok(*state, cairn_table_add_numbers(*state, table, "x", x));
        assert_ok(*state, cairn_table_add_numbers(*state, table, "y", y));
        assert_ok(*state, cairn_table_set_role(*state, table, "y", CAIRN_TARGET));
        fitted f = fit_table(*state, table, "forest:trees=30,min-leaf=3", CAIRN_REGRESS, false);
        answer = answers(&f);
        ptrdiff_t at = cairn_table_find(answer, "agreement");
        assert_true(at > 0);
        for (size_t i = 0; i < 40; i++) said[far][i] = cairn_table_numbers(answer, (size_t)at)[i];
        cairn_table_free(answer);
        drop(&f);
    }
    for (size_t i = 0; i < 40; i++) {
        assert_true(said[0][i] > 0);
        assert_near(said[0][i], said[1][i], 1e-4);
    }
}

/* Every way to draw, weigh, cut and treat missing cells ends in a forest that can be saved. */
static void test_forest__all_options(void **state)
{
    static const char *const specs[] = {
        "forest:trees=7,sample=without",
        "forest:trees=7,sample=without,row-share=0.3",
        "forest:trees=7,sample=with,row-share=0.5",
        "forest:trees=7,sample=even",
        "forest:trees=7,class-weight=balanced",
        "forest:trees=7,class-weight=tree,combine=shares,min-leaf=3",
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
    fitted tree = fit(*state, cairn_text_string(&csv), "forest:min-leaf=5,class-weight=tree");
    assert_true(value(&even, "oob.error.rare") < value(&plain, "oob.error.rare"));
    assert_true(value(&tree, "oob.error.rare") < value(&plain, "oob.error.rare"));
    drop(&plain);
    drop(&even);
    drop(&tree);
    cairn_text_clear(&csv);
}

/* All rows weighing the same is as if they had no weights, whether the counts are whole (the fast
 * search) or not (the other one); rows of weight 0 are not there. */
static void test_forest__equal_weights_change_nothing(void **state)
{
    static const double weights[] = {2, 0.5};
    fitted plain = fit(*state, "@iris", "forest:trees=25");
    cairn_table *wanted = answers(&plain);
    for (size_t w = 0; w < 2; w++) {
        cairn_table *table = table_of(*state, "@iris", "species", NULL);
        double column[150];
        for (size_t i = 0; i < 150; i++) column[i] = weights[w];
        assert_ok(*state, cairn_table_add_numbers(*state, table, "weight", column));
        assert_ok(*state, cairn_table_set_role(*state, table, "weight", CAIRN_WEIGHT));
        fitted f = fit_table(*state, table, "forest:trees=25", CAIRN_TASK_AUTO, false);
        cairn_table *said = answers(&f);
        assert_same_cells(said, wanted);
        assert_value(&f, "oob.rows", 150 * weights[w]);
        assert_near(value(&f, "oob.error"), value(&plain, "oob.error"), 1e-12);
        cairn_table_free(said);
        drop(&f);
    }
    cairn_table_free(wanted);
    drop(&plain);
}

/* A class of one row, and rows that nobody can tell apart, are no trouble. */
static void test_forest__one_row_of_a_class(void **state)
{
    fitted f = fit(*state, "x,y\n1,a\n2,a\n3,a\n4,b\n5,b\n6,b\n7,c\n1,b\n1,b\n2,a\n3,b\n",
                   "forest:trees=40,importance=permutation,prototypes=3,outliers=2");
    cairn_table *said = answers(&f);
    for (size_t i = 0; i < 11; i++)
        for (size_t c = 1; c <= 3; c++) assert_false(isnan(cairn_table_numbers(said, c)[i]));
    assert_true(value(&f, "oob.error") <= 1);
    cairn_table_free(said);
    drop(&f);
}

static void test_forest__refusals(void **state)
{
    cairn_table *numbers = table_of(*state, "x,y\n1,1.5\n2,2.5\n3,3.25\n4,1\n", NULL, NULL);
    cairn_model *model;
    cairn_params *params;
    assert_int_equal(
        try_fit(*state, &model, numbers, "forest:class-weight=tree", CAIRN_REGRESS, NULL),
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
    assert_int_equal(try_fit(*state, &model, numbers, "forest:prototypes=2", CAIRN_REGRESS, NULL),
                     CAIRN_USAGE);
    assert_non_null(strstr(cairn_message(*state), "typical rows of classes"));
    cairn_table_free(numbers);
}

/* A row whose missing cell sends it down several branches is explained as it is answered. */
static void test_forest__explains_rows_of_several_ways(void **state)
{
    static const char *const specs[] = {"forest:trees=9,missing-in-model=weights",
                                        "forest:trees=9,missing-in-model=weights,split=multiway"};
    static const char *const tables[] = {
        "a,b,y\n1,p,u\n2,q,v\n3,p,u\n4,q,v\n5,r,u\n?,?,v\n7,r,u\n8,q,v\n?,p,u\n9,?,v\n",
        "a,b,y\n1,p,1.5\n2,q,7\n3,p,2\n4,q,8\n5,r,3\n?,?,9\n7,r,1\n8,q,6\n?,p,2.5\n9,?,7\n"};
    const uint32_t row = 5;
    const cairn_explain_how options = {.rows = &row, .n_rows = 1};
    for (size_t i = 0; i < 4; i++) {
        fitted f = fit(*state, tables[i / 2], specs[i % 2]);
        cairn_table *said = answers(&f);
        cairn_report_free(f.report);
        assert_ok(*state, cairn_report_new(*state, &f.report));
        assert_ok(*state, cairn_model_explain(*state, f.report, f.model, f.table, &options));
        assert_ok(*state, cairn_report_status(f.report));
        assert_true(value(&f, "explain.6.tests.a") > 0 && value(&f, "explain.6.tests.b") > 0);
        if (i < 2)
            assert_value(&f, "explain.6.share.v", cairn_table_numbers(said, 2)[5]);
        else
            assert_value(&f, "explain.6.mean", cairn_table_numbers(said, 0)[5]);
        cairn_table_free(said);
        drop(&f);
    }
}

/* Proximities by hand: leaves of both rows in every tree. */
static void test_forest__proximities_are_shared_leaves(void **state)
{
    const char *path = "/tmp/cairn-test-proximities.csv";
    char spec[128];
    (void)snprintf(spec, sizeof spec, "forest:trees=10,proximity-file=%s", path);
    fitted f = fit(*state, "@weather", spec);
    const cairn_forest_model *forest = forest_in(&f);
    cairn_table *matrix;
    cairn_view view;
    uint32_t *codes = NULL;
    size_t n = 14, d = forest->n_columns;
    assert_ok(*state, cairn_table_read(*state, &matrix, path, NULL));
    assert_int_equal(cairn_table_rows(matrix), n);
    assert_ok(*state, cairn_view_make(*state, &view, f.table, cairn_all_rows(f.table)));
    assert_ok(*state, SCRATCH(*state, &codes, n * d));
    cairn_forest_code_rows(codes, forest, &view, 0, n);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double shared = 0;
            for (size_t t = 0; t < 10; t++) {
                size_t a, b;
                (void)cairn_forest_leaf(forest, &forest->trees[t], codes + i * d, &a);
                (void)cairn_forest_leaf(forest, &forest->trees[t], codes + j * d, &b);
                shared += a == b;
            }
            assert_near(cairn_table_numbers(matrix, j)[i], shared / 10, 1e-12);
        }
    remove(path);
    cairn_table_free(matrix);
    drop(&f);
}

static void test_forest__prototypes_outliers_and_interactions(void **state)
{
    fitted f = fit(*state, "@iris", "forest:prototypes=20,outliers=3,interactions=2");
    assert_true(value(&f, "prototype.setosa.petal_length") < 2);
    assert_true(value(&f, "prototype.virginica.petal_length") > 5);
    assert_true(value(&f, "prototype.low.versicolor.petal_width") <=
                value(&f, "prototype.high.versicolor.petal_width"));
    assert_true(value(&f, "outlier1.score") >= value(&f, "outlier2.score"));
    assert_value(&f, "outlier1.row", 107); /* a virginica with the sepals of another species */
    assert_string_equal(word(&f, "outlier1.class"), "virginica");
    assert_true(value(&f, "interaction1.times") > value(&f, "interaction1.expected"));
    drop(&f);
}

static void test_forest__missing_cells_are_filled(void **state)
{
    const char *path = "/tmp/cairn-test-filled.csv";
    cairn_text csv = cairn_text_start(*state);
    char spec[128];
    cairn_table *filled;
    cairn_text_add(&csv, "x,twice,colour,y\n");
    for (int i = 0; i < 200; i++) {
        double x = i * 73 % 200 / 10.0;
        cairn_text_addf(&csv, "%.1f,", x);
        if (i % 20 == 7)
            cairn_text_add(&csv, "?,");
        else
            cairn_text_addf(&csv, "%.1f,", 2 * x);
        const char *colour = x < 10 ? "red" : "blue";
        cairn_text_addf(&csv, "%s,c%d\n", i % 20 == 9 ? "?" : colour, (int)x / 2);
    }
    (void)snprintf(spec, sizeof spec, "forest:trees=50,filled-file=%s", path);
    fitted f = fit(*state, cairn_text_string(&csv), spec);
    assert_ok(*state, cairn_table_read(*state, &filled, path, NULL));
    for (int i = 0; i < 200; i++) {
        double x = i * 73 % 200 / 10.0;
        assert_near(cairn_table_numbers(filled, 1)[i], 2 * x, 4);
        assert_string_equal(
            cairn_level_name(filled->slots[2].column, filled->slots[2].column->codes[i]),
            x < 10 ? "red" : "blue");
    }
    assert_value(&f, "filled.cells", 20);
    remove(path);
    cairn_table_free(filled);
    cairn_text_clear(&csv);
    drop(&f);
}

static void test_forest__out_of_bag_answers_in_a_file(void **state)
{
    const char *path = "/tmp/cairn-test-oob.csv";
    char spec[128];
    cairn_table *said;
    double wrong = 0;
    (void)snprintf(spec, sizeof spec, "forest:trees=60,oob-file=%s", path);
    fitted f = fit(*state, "@iris", spec);
    assert_ok(*state, cairn_table_read(*state, &said, path, NULL));
    assert_int_equal(cairn_table_rows(said), 150);
    for (size_t i = 0; i < 150; i++) {
        char truth[32], answer[32];
        double sum = 0;
        cairn_table_cell(said, 1, i, truth, sizeof truth);
        cairn_table_cell(said, 2, i, answer, sizeof answer);
        wrong += strcmp(truth, answer) != 0;
        for (size_t c = 4; c < 7; c++) sum += cairn_table_numbers(said, c)[i];
        assert_near(sum, 1, 1e-9);
    }
    assert_near(value(&f, "oob.error"), wrong / 150, 1e-12);
    remove(path);
    cairn_table_free(said);
    drop(&f);
}

/* Two clouds that only the dependence of their columns tells apart from the contrast. */
static void test_forest_cluster__finds_two_clouds(void **state)
{
    cairn_text csv = cairn_text_start(*state);
    cairn_text_add(&csv, "x,z,colour,noise\n");
    for (unsigned i = 0; i < 160; i++) {
        unsigned hash = i * 2654435761u;
        bool far = i % 2;
        cairn_text_addf(&csv, "%u,%u,%s,%u\n", (far ? 100 : 0) + (hash >> 10) % 40,
                        (far ? 200 : 0) + (hash >> 16) % 90, far ? "red" : "blue", hash >> 22);
    }
    cairn_table *table = NULL, *answer;
    assert_ok(*state, cairn_table_read_memory(*state, &table, "data.csv", cairn_text_string(&csv),
                                              csv.length, NULL));
    fitted f = fit_table(*state, table, "forest-cluster:clusters=2", CAIRN_CLUSTER, false);
    assert_true(value(&f, "contrast.error") < 0.3);
    assert_near(value(&f, "cluster1.rows"), 80, 12);
    assert_ok(*state, cairn_model_predict(*state, &answer, f.model, table, false));
    double same[2] = {0};
    for (size_t i = 0; i < 160; i++) same[i % 2] += cairn_table_codes(answer, 0)[i] == 0;
    assert_true(fabs(same[0] - same[1]) > 68); /* of 80 of each cloud */
    cairn_table_free(answer);
    cairn_text_clear(&csv);
    drop(&f);
}

/* Columns that have nothing to do with each other: there is nothing to find. */
static void test_forest_cluster__says_when_there_is_nothing(void **state)
{
    cairn_text csv = cairn_text_start(*state);
    cairn_table *table = NULL;
    cairn_model *model;
    cairn_text_add(&csv, "x,z\n");
    for (unsigned i = 0; i < 300; i++) {
        unsigned hash = (i * 2654435761u) ^ (i * 2654435761u >> 15);
        hash *= 2246822519u;
        cairn_text_addf(&csv, "%u,%u\n", hash >> 8 & 255, hash >> 20 & 255);
    }
    assert_ok(*state, cairn_table_read_memory(*state, &table, "data.csv", cairn_text_string(&csv),
                                              csv.length, NULL));
    assert_int_equal(
        try_fit(*state, &model, table, "forest-cluster:clusters=301", CAIRN_CLUSTER, NULL),
        CAIRN_BAD_DATA);
    fitted f = fit_table(*state, table, "forest-cluster:clusters=2", CAIRN_CLUSTER, false);
    assert_true(value(&f, "contrast.error") > 0.4);
    cairn_text_clear(&csv);
    drop(&f);
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
    assert_ok(f.ctx, cairn_forest_spread(f.ctx, tree));
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

/* A leaf on the left of the root, and below it two nodes with two leaves each. */
static void assert_settles(cairn_context *ctx, size_t n_columns, uint32_t rank, uint32_t answer)
{
    const uint32_t leaf = CAIRN_FOREST_LEAF, last = (uint32_t)n_columns - 1;
    const cairn_forest_node nodes[] = {
        {last | CAIRN_FOREST_RIGHT, rank, leaf | answer, 1},
        {last, 3, 2, 3},
        {last, 1, leaf | 1, leaf | answer},
        {last | CAIRN_FOREST_LEVEL, rank, leaf | answer, leaf | 2},
    };
    cairn_forest_tree tree = {.n_nodes = 4};
    assert_ok(ctx, NEW(ctx, &tree.nodes, 4));
    memcpy(tree.nodes, nodes, sizeof nodes);
    assert_ok(ctx, cairn_forest_settle(ctx, &tree, n_columns));
    assert_null(tree.nodes);
    for (size_t i = 0; i < 4; i++) {
        cairn_forest_node node = cairn_forest_node_at(&tree, i);
        assert_memory_equal(&node, &nodes[i], sizeof node);
    }
    assert_ok(ctx, cairn_forest_spread(ctx, &tree));
    assert_memory_equal(tree.nodes, nodes, sizeof nodes);
    cairn_free(tree.nodes);
}

static void test_forest__small_nodes_hold_what_large_ones_do(void **state)
{
    assert_settles(*state, 5, 9, 2);
    assert_settles(*state, 5, 70000, 2);
    assert_settles(*state, 2000, 9, 2);
    assert_settles(*state, 5, 9, 40000);
    assert_settles(*state, 1, 65535, 32768);
}

/* Rows that walk together reach the leaves that each reaches alone. */
static void assert_same_leaves(fitted *f, cairn_forest_model *forest, const cairn_view *view)
{
    size_t n = view->rows.n, d = forest->n_columns;
    uint32_t *codes = NULL, *rows = NULL, *leaves = NULL;
    assert_ok(f->ctx, NEW(f->ctx, &codes, n * d));
    assert_ok(f->ctx, NEW(f->ctx, &rows, n));
    assert_ok(f->ctx, NEW(f->ctx, &leaves, n));
    cairn_forest_code_rows(codes, forest, view, 0, n);
    for (size_t i = 0; i < n; i++) rows[i] = (uint32_t)(n - 1 - i);
    for (size_t t = 0; t < forest->n_trees; t++) {
        const cairn_forest_tree *tree = &forest->trees[t];
        cairn_forest_leaves(leaves, forest, tree, codes, rows, n,
                            cairn_forest_complete(codes, n * d));
        for (size_t i = 0; i < n; i++)
            assert_int_equal(leaves[i], cairn_forest_leaf(forest, tree, codes + rows[i] * d, NULL));
    }
    cairn_free(codes);
    cairn_free(rows);
    cairn_free(leaves);
}

static void test_forest__rows_walk_together_as_alone(void **state)
{
    static const char *const sources[] = {"@iris", "@weather-missing", "@flu-missing"};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        fitted f = fit(*state, sources[i], "forest:trees=9");
        cairn_forest_model *forest = f.model->state;
        cairn_view view;
        assert_ok(f.ctx, cairn_view_make(f.ctx, &view, f.table, cairn_all_rows(f.table)));
        assert_same_leaves(&f, forest, &view);
        for (size_t t = 0; t < forest->n_trees; t++) { /* and with the ranks apart */
            assert_ok(f.ctx, cairn_forest_spread(f.ctx, &forest->trees[t]));
            assert_ok(f.ctx, cairn_forest_settle(f.ctx, &forest->trees[t], 5000));
            assert_true(forest->trees[t].n_nodes == 0 || forest->trees[t].ranks);
        }
        assert_same_leaves(&f, forest, &view);
        drop(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_forest__one_tree_without_draws_is_the_tree),
        context_test(test_forest__smoothed_shares_are_the_trees),
        context_test(test_forest__out_of_bag_error_of_iris),
        context_test(test_forest__curve_is_that_of_smaller_forests),
        context_test(test_forest__steps_show_rows_and_votes),
        context_test(test_forest__columns_per_tree),
        context_test(test_forest__numbers),
        context_test(test_forest__agreement_far_from_zero),
        context_test(test_forest__all_options),
        context_test(test_forest__rare_class),
        context_test(test_forest__equal_weights_change_nothing),
        context_test(test_forest__one_row_of_a_class),
        context_test(test_forest__refusals),
        context_test(test_forest__explains_rows_of_several_ways),
        context_test(test_forest__proximities_are_shared_leaves),
        context_test(test_forest__prototypes_outliers_and_interactions),
        context_test(test_forest__missing_cells_are_filled),
        context_test(test_forest__out_of_bag_answers_in_a_file),
        context_test(test_forest_cluster__finds_two_clouds),
        context_test(test_forest_cluster__says_when_there_is_nothing),
        context_test(test_forest__impossible_files_are_refused),
        context_test(test_forest__small_nodes_hold_what_large_ones_do),
        context_test(test_forest__rows_walk_together_as_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
