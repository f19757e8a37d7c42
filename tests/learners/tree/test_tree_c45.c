/* SPDX-License-Identifier: MIT */
/* The options that C4.5 is made of, one by one, and subtree raising; and costs of columns. */
#include "fitted.h"

static const char weather_numbers[] = "outlook,temperature,humidity,windy,play\n"
                                      "sunny,85,85,f,no\nsunny,80,90,t,no\n"
                                      "overcast,83,86,f,yes\nrainy,70,96,f,yes\n"
                                      "rainy,68,80,f,yes\nrainy,65,70,t,no\n"
                                      "overcast,64,65,t,yes\nsunny,72,95,f,no\n"
                                      "sunny,69,70,f,yes\nrainy,75,80,f,yes\n"
                                      "sunny,75,70,t,yes\novercast,72,90,t,yes\n"
                                      "overcast,81,75,f,yes\nrainy,71,91,t,no\n";

/* The tree that J48 has in the books for this table: the midpoint 77.5 is written as 75, the
 * largest value of all rows below it. */
static void test_c45__writes_cuts_as_observed_values(void **state)
{
    fitted f = fit(*state, weather_numbers, "tree:c4.5");
    assert_word(&f, "tree.text",
                "outlook(sunny: humidity(<= 75: yes, > 75: no), overcast: yes, rainy: windy(f: "
                "yes, t: no))");
    drop(&f);
}

/* 20 values, at least 2 rows on either side: 17 places. A gain that does not pay for them is
 * none. */
static void test_c45__penalty_of_cuts(void **state)
{
    char csv[400];
    size_t n = (size_t)snprintf(csv, sizeof csv, "x,z,y\n");
    for (int i = 0; i < 20; i++)
        n += (size_t)snprintf(csv + n, sizeof csv - n, "%d,%d,%s\n", i, i % 10, i < 10 ? "a" : "b");
    fitted f = fit(*state, csv, "tree:max-depth=1,min-leaf=2,cut-penalty=yes");
    assert_value(&f, "node1.penalty.x", log2(17) / 20);
    assert_value(&f, "node1.gain.x", 1 - log2(17) / 20);
    assert_word(&f, "node1.without_split", "z");
    drop(&f);
}

/* The engines that count in whole numbers and in weights agree on the number of cuts. */
static void test_c45__same_tree_with_and_without_steps(void **state)
{
    static const char *const data[] = {"@iris", "@titanic", "@wine", weather_numbers};
    for (size_t i = 0; i < sizeof data / sizeof *data; i++) {
        fitted shown = fit(*state, data[i], "tree:c4.5");
        fitted quiet = fit_table(*state, table_of(*state, data[i], NULL, NULL), "tree:c4.5",
                                 CAIRN_TASK_AUTO, false);
        assert_string_equal(word(&shown, "tree.text"), word(&quiet, "tree.text"));
        drop(&shown);
        drop(&quiet);
    }
}

/* Only columns of at least average gain compete: d has the best ratio and little gain. */
static void test_c45__above_average(void **state)
{
    static const char csv[] = "a,d,y\n"
                              "p,0,n\np,0,n\np,0,n\nq,0,y\nq,0,y\nq,0,n\nr,0,y\nr,0,y\nr,0,y\n"
                              "p,0,n\np,0,n\nq,0,y\nr,0,y\nr,0,y\ns,0,n\ns,0,y\ns,1,y\n";
    fitted all = fit(*state, csv, "tree:score=ratio,max-depth=1");
    fitted some = fit(*state, csv, "tree:score=ratio,max-depth=1,above-average=yes");
    assert_true(value(&all, "node1.gain.d") < value(&all, "node1.gain.a"));
    assert_near(value(&some, "node1.average"),
                (value(&all, "node1.gain.d") + value(&all, "node1.gain.a")) / 2, 1e-12);
    assert_word(&some, "node1.competes.d", "no");
    assert_word(&some, "node1.chosen", "a");
    drop(&all);
    drop(&some);
}

/* One of four rows unknown: the gain of the other three, and three quarters of it. */
static void test_missing_gain__known_and_discounted(void **state)
{
    static const char csv[] = "x,z,y\nu,1,a\nu,2,b\nv,1,b\n?,2,a\n";
    double known = 0.9182958340544896 - 2.0 / 3;
    fitted f = fit(*state, csv, "tree:max-depth=1,missing-gain=known");
    assert_value(&f, "node1.gain.x", known);
    assert_value(&f, "node1.split_information.x", 0.9182958340544896);
    drop(&f);
    f = fit(*state, csv, "tree:max-depth=1,missing-gain=discounted");
    assert_value(&f, "node1.gain.x", 0.75 * known);
    assert_value(&f, "node1.split_information.x", 1.5); /* 2/4, 1/4, 1/4 unknown */
    drop(&f);
    f = fit(*state, csv, "tree:max-depth=1"); /* the row divided: 2/3 and 1/3 */
    assert_near(value(&f, "node1.gain.x"),
                1 - 2.0 / 3 * 0.9544340029249649 - 1.0 / 3 * 0.8112781244591328, 1e-9);
    drop(&f);
}

/* min-leaf 2: each branch, or two of them; v has one row. */
static void test_q_rule__two_branches_are_enough(void **state)
{
    static const char csv[] = "x,y\nu,a\nu,a\nw,b\nw,b\nv,a\n";
    fitted each = fit(*state, csv, "tree:min-leaf=2");
    fitted two = fit(*state, csv, "tree:min-leaf=2,q-rule=two");
    assert_word(&each, "tree.text", "a");
    assert_word(&two, "tree.text", "x(u: a, w: b, v: a)");
    drop(&each);
    drop(&two);
}

/* A tenth of 40 rows, for one of two classes: two rows; 5 ask for 10. */
static void test_cut_share__keeps_cuts_from_the_ends(void **state)
{
    char csv[1000];
    size_t n = (size_t)snprintf(csv, sizeof csv, "x,y\n");
    for (int i = 0; i < 40; i++)
        n += (size_t)snprintf(csv + n, sizeof csv - n, "%d,%s\n", i, i < 4 ? "a" : "b");
    fitted free = fit(*state, csv, "tree:max-depth=1,cut-share=0.1");
    fitted held = fit(*state, csv, "tree:max-depth=1,cut-share=0.5");
    assert_value(&free, "node1.cut.x", 3.5);
    assert_value(&held, "node1.cut.x", 9.5);
    drop(&free);
    drop(&held);
}

static void test_collapse__subtrees_without_fewer_errors(void **state)
{
    static const char csv[] = "x,y\nu,a\nu,a\nu,b\nv,a\nv,a\nv,a\n";
    fitted f = fit(*state, csv, "tree:collapse=yes");
    assert_word(&f, "tree.text", "a");
    assert_value(&f, "collapse.leaves.before", 2);
    drop(&f);
}

/* J48 has the same 23 leaves, two branches having been raised. Rows are counted anew: the counts
 * of all leaves are the counts of the root, and its errors are those that it has on its rows. */
static void test_raise__titanic(void **state)
{
    fitted f = fit(*state, "@titanic", "tree:c4.5");
    const cairn_tree_model *tree = tree_in(&f);
    double rows = 0, errors = 0;
    assert_value(&f, "prune.raised", 2);
    assert_value(&f, "tree.leaves", 23);
    for (size_t i = 0; i < tree->n_nodes; i++) {
        if (tree->nodes[i].column >= 0) continue;
        rows += tree->nodes[i].weight;
        errors += tree->nodes[i].error;
    }
    assert_near(rows, tree->nodes[0].weight, 1e-9);
    assert_near(errors, value(&f, "training.errors"), 1e-9);
    drop(&f);
}

/* Raising by hand: x asks for noise, and below its heavier branch z decides everything. */
static void test_raise__puts_the_heavier_branch_in_place(void **state)
{
    char csv[2000];
    size_t n = (size_t)snprintf(csv, sizeof csv, "x,z,y\n");
    for (int i = 0; i < 60; i++)
        n += (size_t)snprintf(csv + n, sizeof csv - n, "%s,%d,%s\n", i < 50 ? "u" : "v", i % 10,
                              i % 10 < 5 ? "a" : "b");
    fitted f = {.ctx = *state, .table = table_of(*state, csv, NULL, NULL)};
    f.model = fit_given(*state, f.table, "tree:prune=pessimistic,raise=yes",
                        "x = u:\n    z <= 4.5: a\n    z > 4.5: b\nx = v: b\n");
    assert_non_null(f.model);
    assert_ok(*state, cairn_report_new(*state, &f.report));
    assert_ok(*state, cairn_model_describe(*state, f.report, f.model));
    assert_word(&f, "tree.text", "z(<= 4.5: a, > 4.5: b)");
    const cairn_tree_model *tree = tree_in(&f);
    assert_near(tree->nodes[1].weight, 30, 0);
    assert_near(tree->nodes[0].gain, 1, 1e-12);
    drop(&f);
}

static void test_costs__lower_the_score(void **state)
{
    fitted f = fit(*state, "@weather", "tree:max-depth=1,attribute-costs=(outlook=9,wind=0.5)");
    double gain = value(&f, "node1.gain.outlook"), wind = value(&f, "node1.gain.wind");
    assert_value(&f, "node1.score.outlook", gain * gain / 9);
    assert_value(&f, "node1.score.wind", wind * wind / 0.5);
    assert_word(&f, "node1.chosen", "humidity");
    drop(&f);
    f = fit(*state, "@weather",
            "tree:max-depth=1,attribute-costs=(outlook=9),cost-rule=powers,cost-weight=0.5");
    assert_value(&f, "node1.score.outlook", (exp2(gain) - 1) / sqrt(10));
    drop(&f);
    f = fit(*state, "@weather", "tree:max-depth=1,attribute-costs=(outlook=9),cost-rule=ratio");
    assert_value(&f, "node1.score.outlook", gain / 9);
    drop(&f);
}

static void test_costs__bad_ones_are_reported(void **state)
{
    static const char *const cases[][2] = {
        {"tree:attribute-costs=(outlok=9)", "did you mean 'outlook'"},
        {"tree:attribute-costs=(outlook=0)", "positive"},
        {"tree:attribute-costs=(outlook=x)", "column=cost"},
        {"tree:attribute-costs=no-such-file.csv", "no-such-file.csv"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cairn_table *table = table_of(*state, "@weather", NULL, NULL);
        cairn_model *model = NULL;
        assert_true(try_fit(*state, &model, table, cases[i][0], CAIRN_TASK_AUTO, NULL) != 0);
        if (!strstr(cairn_message(*state), cases[i][1]))
            fail_msg("'%s' is not in: %s", cases[i][1], cairn_message(*state));
        cairn_table_free(table);
    }
}

static void test_class_tie__listed(void **state)
{
    static const char csv[] = "x,y\nu,a\nu,b\nv,b\nv,a\n"; /* v: b is seen first */
    fitted seen = fit(*state, csv, "tree");
    fitted listed = fit(*state, csv, "tree:class-tie=listed");
    assert_word(&seen, "tree.text", "x(u: a, v: b)");
    assert_word(&listed, "tree.text", "x(u: a, v: a)");
    drop(&seen);
    drop(&listed);
}

/* (14.94 + 15) / 2 is a little below 14.97 as doubles; 0.2 is not above (0.1 + 0.3) / 2. */
static void test_c45__a_value_that_is_the_midpoint_is_the_cut(void **state)
{
    double values[2][3] = {{14.94, 14.97, 15}, {0.1, 0.2, 0.3}};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        cairn_binned_column column = {.is_number = true, .n_codes = 3, .values = values[i]};
        assert_true(cairn_cut_between(&column, 0, 2, CAIRN_TREE_OBSERVED) == values[i][1]);
        assert_true(cairn_cut_between(&column, 0, 1, CAIRN_TREE_OBSERVED) == values[i][0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_c45__writes_cuts_as_observed_values),
        context_test(test_c45__penalty_of_cuts),
        context_test(test_c45__same_tree_with_and_without_steps),
        context_test(test_c45__above_average),
        context_test(test_missing_gain__known_and_discounted),
        context_test(test_q_rule__two_branches_are_enough),
        context_test(test_cut_share__keeps_cuts_from_the_ends),
        context_test(test_collapse__subtrees_without_fewer_errors),
        context_test(test_raise__titanic),
        context_test(test_raise__puts_the_heavier_branch_in_place),
        context_test(test_costs__lower_the_score),
        context_test(test_costs__bad_ones_are_reported),
        context_test(test_class_tie__listed),
        context_test(test_c45__a_value_that_is_the_midpoint_is_the_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
