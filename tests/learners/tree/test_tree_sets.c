/* SPDX-License-Identifier: MIT */
/* Tests for sets of levels, and surrogates. */
#include "fitted.h"

/* The best of all 2^(n-1) - 1 sets by brute force, for a column c of levels A, B, ... */
static double best_by_force(const double *cells, size_t n_levels, size_t n_classes)
{
    double best = 0, parts[2 * 8];
    for (unsigned set = 1; set < 1u << (n_levels - 1); set++) {
        cairn_split_scores scores;
        memset(parts, 0, sizeof parts);
        for (size_t v = 0; v < n_levels; v++)
            for (size_t l = 0; l < n_classes; l++)
                parts[(set >> v & 1) * n_classes + l] += cells[v * n_classes + l];
        cairn_split_scores_of(&scores, parts, 2, n_classes, 0);
        best = fmax(best, scores.gini_reduction);
    }
    return best;
}

/* A table of n_levels levels and n_classes classes as CSV. */
static void table_text(char *csv, size_t size, const double *cells, size_t n_levels,
                       size_t n_classes)
{
    size_t n = (size_t)snprintf(csv, size, "c,y\n");
    for (size_t v = 0; v < n_levels; v++)
        for (size_t l = 0; l < n_classes; l++)
            for (int i = 0; i < (int)cells[v * n_classes + l]; i++)
                n += (size_t)snprintf(csv + n, size - n, "%c,%c\n", (char)('A' + v),
                                      (char)('p' + l));
}

/* Two classes by the order of shares, four by trying all sets: both are the best of all. */
static void test_set__is_the_best_of_all(void **state)
{
    static char csv[8000];
    double cells[7 * 4];
    for (size_t n_classes = 2; n_classes <= 4; n_classes += 2)
        for (unsigned seed = 1; seed <= 5; seed++) {
            unsigned x = seed * 2654435761u;
            for (size_t i = 0; i < 7 * n_classes; i++) {
                x = x * 1664525u + 1013904223u;
                cells[i] = 1 + (x >> 24) % 9;
            }
            table_text(csv, sizeof csv, cells, 7, n_classes);
            fitted f = fit(*state, csv, "tree:impurity=gini,split=subset,max-depth=1");
            assert_near(value(&f, "node1.gain.c"), best_by_force(cells, 7, n_classes), 1e-12);
            drop(&f);
        }
}

/* A number as target: levels by their means, the best cut of that order. */
static void test_set__number_as_target(void **state)
{
    static const char csv[] = "c,y\nu,1.5\nu,2.5\nv,9.5\nv,8.5\nw,2.25\nx,9.25\n";
    fitted f = fit(*state, csv, "tree:split=subset,max-depth=1");
    assert_word(&f, "tree.text", "c(in {u, w}: 2.08333, in {v, x}: 9.08333)");
    drop(&f);
}

/* More than ten levels and three classes: an order of the levels, and the report says so. */
static void test_set__orders_many_levels(void **state)
{
    static char csv[8000];
    double cells[13 * 3];
    for (size_t v = 0; v < 13; v++)
        for (size_t l = 0; l < 3; l++) cells[v * 3 + l] = l == v % 3 ? 9 : 1;
    table_text(csv, sizeof csv, cells, 13, 3);
    fitted f = fit(*state, csv, "tree:impurity=gini,split=subset,max-depth=1");
    assert_value(&f, "tree.ordered_sets", 1);
    assert_true(value(&f, "node1.gain.c") > 0.15); /* one kind of levels against the others */
    drop(&f);
}

/* Saved, loaded and written down, a set says the same; a level that the node has not seen is
 * treated like a missing cell. */
static void test_set__saved_read_and_predicted(void **state)
{
    static const char csv[] = "c,d,y\nu,1,a\nu,2,a\nv,1,b\nw,1,b\nw,3,b\nx,2,a\nx,9,b\n";
    fitted f = fit(*state, csv, "tree:split=subset");
    char *text = NULL, *again = NULL;
    assert_word(&f, "tree.text", "c(in {u, x}: d(<= 5.5: a, > 5.5: b), in {v, w}: b)");
    assert_ok(*state, cairn_model_export(*state, f.model, "text", &text));
    cairn_model *read = fit_given(*state, f.table, "tree:split=subset", text);
    assert_non_null(read);
    assert_ok(*state, cairn_model_export(*state, read, "text", &again));
    assert_string_equal(text, again);
    cairn_string_free(again);
    cairn_model_free(read);
    assert_ok(*state, cairn_model_save(*state, f.model, "test-tree-sets.cairn"));
    assert_ok(*state, cairn_model_load(*state, &read, "test-tree-sets.cairn"));
    assert_ok(*state, cairn_model_export(*state, read, "text", &again));
    assert_string_equal(text, again);
    remove("test-tree-sets.cairn");
    cairn_string_free(text);
    cairn_string_free(again);
    cairn_model_free(read);
    drop(&f);
}

static void test_set__written_by_hand(void **state)
{
    static const char *const bad[][2] = {
        {"c = [u, v]: a\nc = [v, w]: b\n", "other branch as well"},
        {"c = [u, v]: a\nc = w: b\nc = x: b\n", "has two of them"},
        {"c = [u, v]: a\n", "other set of values is missing"},
    };
    static const char csv[] = "c,y\nu,a\nv,a\nw,b\nx,b\n";
    cairn_table *table = table_of(*state, csv, NULL, NULL);
    cairn_model *model = fit_given(*state, table, "tree", "c = [u, v]: ?\nc != [u, v]: ?\n");
    char *text = NULL;
    assert_non_null(model);
    assert_ok(*state, cairn_model_export(*state, model, "rules", &text));
    assert_non_null(strstr(text, "if c = [w, x] then y = b  # 2 rows"));
    cairn_string_free(text);
    cairn_model_free(model);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_null(fit_given(*state, table, "tree", bad[i][0]));
        assert_non_null(strstr(cairn_message(*state), bad[i][1]));
    }
    cairn_table_free(table);
}

/* A value without a line has no branch: its rows are divided, also one in the middle. */
static void test_given__value_without_a_branch(void **state)
{
    cairn_table *table = table_of(*state, "@weather", "play", NULL);
    cairn_model *model =
        fit_given(*state, table, "tree", "outlook = sunny: ?\noutlook = rain: ?\n");
    assert_non_null(model);
    const cairn_tree_model *tree = model->state;
    assert_near(tree->nodes[1].weight, 7, 1e-12); /* 5, and half of the 4 overcast days */
    assert_near(tree->nodes[2].weight, 7, 1e-12);
    assert_near(tree->nodes[2].error, 2, 1e-12);
    cairn_model_free(model);
    cairn_table_free(table);
}

/* z says nearly what x says, reversed, and stands in where x is missing; w is right as often as
 * the heavier branch and does not count. */
static const char surrogate_table[] = "x,z,w,y\n1,9,k,a\n2,8,k,a\n3,7,k,a\n4,6,l,a\n"
                                      "6,4,k,b\n7,3,k,b\n8,2,l,b\n9,7.5,k,b\n10,0,k,b\n"
                                      "?,1,k,b\n?,9.5,k,a\n?,?,k,a\n";

static void test_surrogate__stands_in(void **state)
{
    fitted f =
        fit(*state, surrogate_table, "tree:split=subset,missing-in-model=surrogate,max-depth=1");
    const cairn_tree_model *tree = tree_in(&f);
    assert_word(&f, "node1.chosen", "x");
    assert_value(&f, "node1.surrogate.z", 8.0 / 9);
    assert_int_equal(tree->nodes[0].n_surrogates, 1);
    assert_int_equal(tree->surrogates[0].flipped, 1);
    assert_near(tree->nodes[1].weight, 5, 0); /* four known, one by z */
    assert_near(tree->nodes[2].weight, 7, 0); /* five, one by z, and one that nothing is known of */
    drop(&f);
}

static void test_surrogate__predicts_after_loading(void **state)
{
    static const char rows[] = "x,z,w,y\n?,1,k,b\n?,9.5,k,a\n?,?,k,a\n5,9,k,a\n";
    static const char *const wanted[] = {"b", "a", "b", "a"};
    fitted f =
        fit(*state, surrogate_table, "tree:split=subset,missing-in-model=surrogate,max-depth=1");
    cairn_model *read = NULL;
    cairn_table *fresh = table_of(*state, rows, NULL, NULL), *out = NULL;
    assert_ok(*state, cairn_model_save(*state, f.model, "test-tree-surrogate.cairn"));
    assert_ok(*state, cairn_model_load(*state, &read, "test-tree-surrogate.cairn"));
    remove("test-tree-surrogate.cairn");
    assert_ok(*state, cairn_model_predict(*state, &out, read, fresh, false));
    for (size_t i = 0; i < 4; i++) {
        const cairn_column *column = out->slots[0].column;
        assert_string_equal(cairn_level_name(column, column->codes[i]), wanted[i]);
    }
    cairn_table_free(out);
    cairn_table_free(fresh);
    cairn_model_free(read);
    drop(&f);
}

/* Spoil a saved tree in one of several ways; false when there is none left. */
static bool spoil(cairn_tree_model *tree, int way)
{
    cairn_tree_node *root = &tree->nodes[0];
    cairn_surrogate *first = &tree->surrogates[0];
    switch (way) {
    case 0: tree->sets[0] = 3; return true;
    case 1: root->level = -2; return true;
    case 2: root->n_levels = (uint32_t)tree->n_sets + 1; return true;
    case 3: root->n_surrogates = 200; return true;
    case 4: first->column = 99; return true;
    case 5: first->column = -1; return true;
    case 6: first->test = CAIRN_TEST_LEVELS; return true;
    case 7: first->flipped = 2; return true;
    case 8: first->level = -1; return true;
    case 9: root->test = CAIRN_TEST_SET + 1; return true;
    default: return false;
    }
}

static void test_set__refuses_what_is_not_a_tree(void **state)
{
    static const char csv[] = "c,d,y\nu,k,a\nu,k,a\nv,l,b\nw,l,b\nw,l,b\nx,k,a\nx,k,a\nv,k,b\n";
    for (int way = 0;; way++) {
        fitted f = fit(*state, csv, "tree:split=subset,missing-in-model=surrogate");
        cairn_tree_model *tree = f.model->state;
        cairn_model *read = NULL;
        char *bytes = NULL;
        size_t length;
        assert_int_equal(tree->nodes[0].n_surrogates, 1);
        bool spoiled = spoil(tree, way);
        assert_ok(*state, cairn_model_save_memory(*state, f.model, &bytes, &length));
        cairn_status status = cairn_model_load_memory(*state, &read, "spoiled", bytes, length);
        if (spoiled != (status == CAIRN_BAD_DATA)) fail_msg("way %d: status %d", way, status);
        cairn_string_free(bytes);
        cairn_model_free(read);
        drop(&f);
        if (!spoiled) return;
    }
}

/* Every way to treat a missing cell, in growing (weights of the branches) and in predicting. */
static void test_missing__all_ways(void **state)
{
    static const char csv[] = "x,z,y\nu,1,a\nu,2,a\nu,3,b\nv,4,b\nv,5,b\n?,6,a\n";
    static const char rows[] = "x,z,y\n?,1,a\n";
    static const struct {
        const char *way;
        double weights[2]; /* of u and v */
        double share;      /* of a for a row that lacks x */
    } cases[] = {
        {"weights", {3.6, 2.4}, 0.6 * 2.6 / 3.6 + 0.4 * 0.4 / 2.4},
        {"branch", {3, 2}, 1},
        {"mode", {4, 2}, 0.75},
        {"class-mode", {4, 2}, 0.75},
        {"surrogate", {3, 3}, 2.0 / 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char spec[200];
        cairn_table *asked = table_of(*state, rows, NULL, NULL), *out = NULL;
        snprintf(spec, sizeof spec,
                 "tree:split=subset,max-depth=1,attribute-costs=(z=99),missing-in-model=%s",
                 cases[i].way);
        fitted f = fit(*state, csv, spec);
        const cairn_tree_model *tree = tree_in(&f);
        assert_near(tree->nodes[1].weight, cases[i].weights[0], 1e-12);
        assert_near(tree->nodes[2].weight, cases[i].weights[1], 1e-12);
        assert_ok(*state, cairn_model_predict(*state, &out, f.model, asked, true));
        assert_near(out->slots[1].column->numbers[0], cases[i].share, 1e-12);
        assert_string_equal(cairn_level_name(out->slots[0].column, out->slots[0].column->codes[0]),
                            "a"); /* also where both shares are a half */
        cairn_table_free(out);
        cairn_table_free(asked);
        drop(&f);
    }
}

/* What rpart says of the same table. */
static void test_surrogate__titanic_as_rpart(void **state)
{
    fitted f = fit(*state, "@titanic", "tree:cart,prune=none,max-depth=1");
    assert_near(value(&f, "node1.surrogate.fare"), 0.679012, 1e-6);
    assert_near(value(&f, "node1.surrogate.parch"), 0.677890, 1e-6);
    drop(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_set__is_the_best_of_all),
        context_test(test_set__number_as_target),
        context_test(test_set__orders_many_levels),
        context_test(test_set__saved_read_and_predicted),
        context_test(test_set__written_by_hand),
        context_test(test_given__value_without_a_branch),
        context_test(test_surrogate__stands_in),
        context_test(test_surrogate__predicts_after_loading),
        context_test(test_set__refuses_what_is_not_a_tree),
        context_test(test_missing__all_ways),
        context_test(test_surrogate__titanic_as_rpart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
