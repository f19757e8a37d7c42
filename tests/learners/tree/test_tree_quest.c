/* SPDX-License-Identifier: MIT */
/* Columns chosen by tests, cuts by discriminants, and the presets made of them. */
#include "fitted.h"

#include "learners/tree/grow/quest.h"
#include "stats/distributions.h"

/* The textbook's analysis of variance of the irises; the cut of two normal curves. */
static void test_quest__iris(void **state)
{
    fitted f = fit(*state, "@iris", "tree:quest,prune=none,max-depth=1");
    assert_near(value(&f, "node1.statistic.sepal_length"), 119.2645, 1e-4);
    assert_near(value(&f, "node1.statistic.petal_length"), 1180.1612, 1e-4);
    assert_near(value(&f, "node1.group1.mean.petal_length"), 1.462, 1e-12);
    assert_near(value(&f, "node1.group2.variance.petal_length"), 0.68158, 1e-5);
    assert_near(value(&f, "node1.level"), 0.05 / 4, 1e-12);
    assert_value(&f, "node1.rule", 1);
    assert_word(&f, "node1.chosen", "petal_length");
    double x = value(&f, "node1.cut.petal_length"), v0 = 0.030159183673469386,
           v1 = 0.6815797979797981;
    double left = 50 / sqrt(v0) * exp(-(x - 1.462) * (x - 1.462) / (2 * v0));
    double right = 100 / sqrt(v1) * exp(-(x - 4.906) * (x - 4.906) / (2 * v1));
    assert_near(left / right, 1, 1e-3); /* the cut is written with six digits */
    drop(&f);
}

/* Equal means and unequal spreads: only Levene's test sees it. */
static void test_quest__spread_decides(void **state)
{
    char csv[4000];
    size_t n = (size_t)snprintf(csv, sizeof csv, "x,z,y\n");
    for (int i = 0; i < 60; i++) {
        double x = (i % 2 ? 1 : -1) * (i < 30 ? 1 + 0.01 * i : 5 + 0.01 * i);
        n += (size_t)snprintf(csv + n, sizeof csv - n, "%g,%d,%s\n", x, i % 10, i < 30 ? "a" : "b");
    }
    fitted f = fit(*state, csv, "tree:quest,prune=none,max-depth=1");
    assert_value(&f, "node1.rule", 2);
    assert_word(&f, "node1.chosen", "x");
    drop(&f);
}

static void test_quest__levels_by_chi_squared(void **state)
{
    fitted f = fit(*state, "@weather", "tree:quest,prune=none,max-depth=1");
    assert_near(value(&f, "node1.statistic.humidity"), 2.8, 1e-9);
    assert_near(value(&f, "node1.p.humidity"), cairn_chi2_upper(2.8, 1), 1e-12);
    assert_near(value(&f, "node1.p.outlook"), cairn_chi2_upper(3.546666666666667, 2), 1e-9);
    assert_value(&f, "node1.rule", 3); /* 14 days: nothing is significant */
    assert_word(&f, "node1.chosen", "humidity");
    drop(&f);
}

/* Three classes: levels get scores that put those with the same class shares together. */
static void test_quest__sets_by_the_discriminant_coordinate(void **state)
{
    char csv[4000];
    size_t n = (size_t)snprintf(csv, sizeof csv, "c,y\n");
    for (int i = 0; i < 90; i++)
        n += (size_t)snprintf(csv + n, sizeof csv - n, "%c,%c\n", "uvwxyz"[i % 6],
                              i % 2   ? 'p'
                              : i % 5 ? 'q'
                                      : 'r');
    fitted f = fit(*state, csv, "tree:quest,prune=none,max-depth=1");
    assert_word(&f, "tree.text", "c(in {u, w, y}: q, in {v, x, z}: p)");
    drop(&f);
}

/* Without any relation no column is preferred for its many splits: of three columns of noise, one
 * with two values, one with 12 levels and one with numbers, each is chosen in about a third of 300
 * tables. By gain the one with two values hardly ever is. */
static void test_quest__prefers_no_column(void **state)
{
    enum { TABLES = 300, ROWS = 60 };
    static char csv[4000];
    size_t chosen[3] = {0}, by_gain = 0;
    unsigned x = 12345;
    for (int t = 0; t < TABLES; t++) {
        size_t n = (size_t)snprintf(csv, sizeof csv, "two,many,size,y\n");
        for (int i = 0; i < ROWS; i++) {
            unsigned r[4];
            for (int j = 0; j < 4; j++) r[j] = (x = x * 1664525u + 1013904223u) >> 12;
            n += (size_t)snprintf(csv + n, sizeof csv - n, "%c,%c,%u,%c\n", r[0] % 2 ? 'a' : 'b',
                                  (char)('A' + r[1] % 12), r[2] % 10000, r[3] % 2 ? 'p' : 'q');
        }
        fitted f = fit_table(*state, table_of(*state, csv, NULL, NULL),
                             "tree:quest,prune=none,max-depth=1", CAIRN_TASK_AUTO, false);
        int32_t column = tree_in(&f)->nodes[0].column;
        if (column >= 0) chosen[column]++;
        drop(&f);
        f = fit_table(*state, table_of(*state, csv, NULL, NULL), "tree:split=subset,max-depth=1",
                      CAIRN_TASK_AUTO, false);
        by_gain += tree_in(&f)->nodes[0].column == 0;
        drop(&f);
    }
    for (size_t c = 0; c < 3; c++) /* 100 and three standard deviations */
        if (chosen[c] < 75 || chosen[c] > 125) fail_msg("column %zu: %zu", c, chosen[c]);
    assert_true(by_gain < 10);
}

static void test_quest__refusals(void **state)
{
    static const char csv[] = "x,y\n1,1.5\n2,2.5\n3,3.5\n4,1\n";
    static const char *const cases[][2] = {
        {"tree:quest", "preset=quest is for classes"},
        {"tree:select=test", "select=test compares classes"},
        {"tree:cut=discriminant", "use cut=mid"},
        {"tree:global-prune=yes", "use prune=cost-complexity"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cairn_table *table = table_of(*state, csv, NULL, NULL);
        cairn_model *model = NULL;
        assert_true(try_fit(*state, &model, table, cases[i][0], CAIRN_TASK_AUTO, NULL) != 0);
        if (!strstr(cairn_message(*state), cases[i][1]))
            fail_msg("'%s' is not in: %s", cases[i][1], cairn_message(*state));
        cairn_table_free(table);
    }
}

/* The same tree with and without steps, and by histograms where there are few values. */
static void test_quest__engines_agree(void **state)
{
    static const char *const data[] = {"@iris", "@titanic", "@vertebrates"};
    for (size_t i = 0; i < sizeof data / sizeof *data; i++) {
        fitted exact = fit(*state, data[i], "tree:quest,prune=none,engine=exact");
        fitted binned =
            fit_table(*state, table_of(*state, data[i], NULL, NULL),
                      "tree:quest,prune=none,engine=histogram,bins=1000", CAIRN_TASK_AUTO, false);
        char *a = NULL, *b = NULL;
        assert_ok(*state, cairn_model_export(*state, exact.model, "text", &a));
        assert_ok(*state, cairn_model_export(*state, binned.model, "text", &b));
        assert_string_equal(a, b);
        cairn_string_free(a);
        cairn_string_free(b);
        drop(&exact);
        drop(&binned);
    }
}

/* c5.0: the tree of c4.5, made smaller within one standard error of its training errors. */
static void test_c50__is_smaller(void **state)
{
    fitted full = fit(*state, "@titanic", "tree:c4.5");
    fitted small = fit(*state, "@titanic", "tree:c5.0");
    double error = value(&full, "training.error");
    assert_value(&small, "global.leaves.before", value(&full, "tree.leaves"));
    assert_value(&small, "global.limit", error + sqrt(error * (1 - error) / 891));
    assert_true(value(&small, "tree.leaves") < value(&full, "tree.leaves"));
    assert_true(value(&small, "training.error") <= value(&small, "global.limit"));
    drop(&full);
    drop(&small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_quest__iris),
        context_test(test_quest__spread_decides),
        context_test(test_quest__levels_by_chi_squared),
        context_test(test_quest__sets_by_the_discriminant_coordinate),
        context_test(test_quest__prefers_no_column),
        context_test(test_quest__refusals),
        context_test(test_quest__engines_agree),
        context_test(test_c50__is_smaller),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
