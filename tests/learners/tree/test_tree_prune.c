/* SPDX-License-Identifier: MIT */
/* Pruning, presets and the histogram engine of trees. */
#include "fitted.h"

static void test_prune__reduced_error_takes_the_best_node_first(void **state)
{
    fitted f = fit(*state, "@weather", "tree:prune=rep,prune-rows=(2,7,8,12,14)");
    assert_value(&f, "prune.accuracy.before", 0.4);
    assert_value(&f, "prune.round1.candidate.root", 0.4);
    assert_value(&f, "prune.round1.candidate.temperature=hot", 0.2);
    assert_value(&f, "prune.round1.candidate.temperature=cool", 0.6);
    assert_word(&f, "prune.round1.node", "temperature=cool");
    assert_value(&f, "prune.round2.candidate.temperature=hot", 0.4);
    assert_value(&f, "prune.accuracy.after", 0.6);
    assert_word(&f, "tree.text",
                "temperature(hot: outlook(sunny: no, overcast: yes, rain: yes), mild: yes, "
                "cool: yes)");
    drop(&f);
}

/* x says everything, z nothing: where nothing changes, --prune-ties decides. */
static const char noisy[] = "x,z,y\n1,a,n\n1,b,n\n2,a,p\n2,b,p\n1,a,n\n1,b,n\n2,a,p\n2,b,p\n";

static void test_prune__ties_are_pruned_or_kept(void **state)
{
    const char *plan = "tree:prune=rep,prune-rows=5-8";
    fitted f = fit(*state, noisy, plan);
    assert_word(&f, "tree.text", "x(<= 1.5: n, > 1.5: p)");
    drop(&f);
    f = fit(*state, "x,z,y\n1,a,n\n1,b,p\n2,a,p\n2,b,p\n3,a,n\n2,a,p\n",
            "tree:prune=rep,prune-rows=6,prune-ties=yes");
    assert_value(&f, "prune.leaves.after", 1);
    drop(&f);
    f = fit(*state, "x,z,y\n1,a,n\n1,b,p\n2,a,p\n2,b,p\n3,a,n\n2,a,p\n",
            "tree:prune=rep,prune-rows=6,prune-ties=no");
    assert_value(&f, "prune.leaves.after", value(&f, "prune.leaves.before"));
    drop(&f);
}

/* The leaf gets the majority of the rows held out, not of those that it was grown on. */
static void test_prune__bottom_up_labels_by_the_rows_held_out(void **state)
{
    fitted f = fit(*state, "x,y\na,p\na,p\nb,n\nb,n\nb,n\na,n\na,n\nb,p\nb,n\na,n\n",
                   "tree:prune=rep-bottomup,prune-rows=6-10");
    assert_word(&f, "tree.text", "n");
    drop(&f);
}

/* What was compared at every node is told, also where nothing is pruned. */
static void test_prune__from_the_leaves_up_tells_what_it_compares(void **state)
{
    fitted f = fit(*state, "@weather", "tree:prune=rep-bottomup,prune-rows=(1-3,6,14)");
    assert_value(&f, "prune.subtree.outlook=sunny", 1);
    assert_value(&f, "prune.leaf.outlook=sunny", 1);
    assert_word(&f, "prune.becomes.outlook=sunny", "stays");
    assert_value(&f, "prune.subtree.root", 0.6);
    assert_value(&f, "prune.leaf.root", 0.8);
    assert_word(&f, "prune.becomes.root", "leaf");
    assert_value(&f, "grown.nodes", 6);
    assert_value(&f, "grown.leaves", 4);
    drop(&f);
    f = fit(*state, "@weather", "tree:prune=pessimistic");
    /* no errors of 3 and of 2 rows: 3 (1 - 0.25^(1/3)) + 2 (1 - 0.25^(1/2)) */
    assert_value(&f, "prune.subtree.outlook=sunny", 3 * (1 - cbrt(0.25)) + 1);
    assert_word(&f, "prune.becomes.outlook=sunny", "stays");
    drop(&f);
    f = fit(*state, "@weather", "tree:prune=chi");
    assert_near(value(&f, "prune.subtree.outlook=sunny"), 0.0253473187, 1e-9); /* chi2 = 5 */
    assert_word(&f, "prune.becomes.root", "stays");
    drop(&f);
}

/* Small leaves are joined with what is beside them, from below, as far as there are any. */
static void test_prune__small_nodes_are_merged(void **state)
{
    fitted f = fit(*state, "@weather", "tree:prune=small,prune-size=3");
    assert_word(&f, "tree.text", "outlook(sunny: no, overcast: yes, rain: yes)");
    assert_value(&f, "prune.subtree.outlook=rain", 2);
    assert_word(&f, "prune.becomes.root", "stays");
    drop(&f);
    f = fit(*state, "@weather", "tree:prune=small,prune-size=2");
    assert_value(&f, "tree.leaves", 5);
    drop(&f);
    f = fit(*state, "@weather", "tree:prune=small,prune-size=4.5");
    assert_word(&f, "tree.text", "yes");
    drop(&f);
    f = fit(*state, "x,y\n1,1\n2,1.5\n3,7\n4,7.5\n", "tree:prune=small,prune-size=2");
    assert_value(&f, "tree.leaves", 2);
    drop(&f);
}

/* One positive and three negatives: positive when a miss costs more than three false alarms. */
static void test_prune__recipe_labels_by_cost_and_joins_what_is_labelled_alike(void **state)
{
    static const char text[] = "x,y\na,yes\na,no\na,no\na,no\nb,yes\nb,yes\nb,no\n";
    fitted f = fit(*state, text, "tree:preset=recipe");
    assert_word(&f, "tree.text", "x(a: no, b: yes)");
    drop(&f);
    f = fit(*state, text, "tree:preset=recipe,label-cost=3"); /* equal: negative */
    assert_word(&f, "tree.text", "x(a: no, b: yes)");
    drop(&f);
    f = fit(*state, text, "tree:preset=recipe,label-cost=3.1");
    assert_word(&f, "tree.text", "yes");
    assert_value(&f, "grown.leaves", 2);
    drop(&f);
    f = fit(*state, text, "tree:preset=recipe,label-cost=0.5"); /* 2 * 0.5 is not more than 1 */
    assert_word(&f, "tree.text", "no");
    drop(&f);
    f = fit(*state, text, "tree:label-cost=3.1");
    assert_word(&f, "tree.text", "x(a: yes, b: yes)");
    assert_value(&f, "training.errors", 4);
    drop(&f);
}

static void test_prune__cost_complexity_path(void **state)
{
    fitted f = fit(*state, "@iris", "tree:impurity=gini,prune=cost-complexity,alpha=0.01");
    /* the root costs 2/3, one split 1/3, two splits 6/150 */
    double n = value(&f, "prune.path");
    char name[64];
    snprintf(name, sizeof name, "prune.path%d.alpha", (int)n);
    assert_value(&f, name, 1.0 / 3);
    snprintf(name, sizeof name, "prune.path%d.error", (int)n);
    assert_value(&f, name, 2.0 / 3);
    snprintf(name, sizeof name, "prune.path%d.leaves", (int)n - 1);
    assert_value(&f, name, 2);
    snprintf(name, sizeof name, "prune.path%d.alpha", (int)n - 1);
    assert_value(&f, name, (50.0 - 6) / 150);
    snprintf(name, sizeof name, "prune.path%d.leaves", (int)n - 2);
    assert_value(&f, name, 3);
    drop(&f);
    f = fit(*state, "@iris", "tree:impurity=gini,prune=cost-complexity");
    assert_true(value(&f, "prune.leaves.after") < value(&f, "prune.leaves.before"));
    assert_true(value(&f, "prune.path1.se") > 0);
    drop(&f);
}

/* Two leaves with the same label, from which nothing can be seen. */
static void test_prune__same_label_keeps_every_answer(void **state)
{
    fitted full = fit(*state, "@iris", "tree:max-depth=3");
    fitted cut = fit(*state, "@iris", "tree:max-depth=3,prune=same-label");
    assert_true(value(&cut, "tree.leaves") < value(&full, "tree.leaves"));
    assert_value(&cut, "training.errors", value(&full, "training.errors"));
    drop(&full);
    drop(&cut);
}

static void test_prune__bounds_tests_and_bits_make_noise_a_leaf(void **state)
{
    static const char *const methods[] = {"pessimistic", "chi", "mdl"};
    char spec[64], csv[2000];
    size_t n = (size_t)snprintf(csv, sizeof csv, "x,z,y\n");
    for (int i = 0; i < 40; i++) /* x decides; z and the two exceptions are noise */
        n += (size_t)snprintf(csv + n, sizeof csv - n, "%d,%d,%s\n", i, (i * 7) % 11,
                              (i < 20) != (i == 5 || i == 31) ? "a" : "b");
    for (size_t m = 0; m < 3; m++) {
        snprintf(spec, sizeof spec, "tree:prune=%s%s", methods[m],
                 strcmp(methods[m], "chi") == 0 ? ",prune-level=0.01" : "");
        fitted f = fit(*state, csv, spec);
        assert_true(value(&f, "prune.leaves.before") > 4);
        assert_word(&f, "tree.text", "x(<= 19.5: a, > 19.5: b)");
        drop(&f);
    }
}

static void test_prune__numbers_as_target(void **state)
{
    fitted f =
        fit(*state, "x,y\n1,1\n2,1.1\n3,0.9\n4,5\n5,5.2\n6,4.9\n1.5,1\n2.5,1\n4.5,5\n5.5,5\n",
            "tree:prune=rep,prune-rows=7-10");
    assert_value(&f, "tree.leaves", 2);
    assert_true(value(&f, "prune.mse.after") <= value(&f, "prune.mse.before"));
    drop(&f);
}

static void test_prune__refusals_name_the_remedy(void **state)
{
    static const char *const cases[][3] = {
        {"x,y\n1,1.5\n2,2.5\n3,3.5\n", "tree:prune=pessimistic", "use rep or cost-complexity"},
        {"x,y\n1,1.5\n2,2.5\n3,3.5\n", "tree:prune=rep-bottomup", "use rep or cost-complexity"},
        {"@weather", "tree:prune=rep,prune-rows=1-14", "no row is left to grow the tree on"},
        {"@weather", "tree:prune=rep,prune-rows=99", "'prune-rows'"},
        {"x,y\n1,a\n2,b\n3,a\n", "tree:prune=cost-complexity", "prune-folds=3 is possible"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cairn_table *table = table_of(*state, cases[i][0], NULL, NULL);
        cairn_model *model = NULL;
        assert_true(try_fit(*state, &model, table, cases[i][1], CAIRN_TASK_AUTO, NULL) != 0);
        if (!strstr(cairn_message(*state), cases[i][2]))
            fail_msg("'%s' is not in: %s", cases[i][2], cairn_message(*state));
        cairn_table_free(table);
    }
}

static void test_preset__sets_what_is_not_set_by_itself(void **state)
{
    cairn_params *params = NULL, *copy = NULL;
    char *spec = NULL;
    assert_ok(*state, cairn_params_new(*state, &params, "tree:impurity=entropy,preset=cart"));
    assert_string_equal(cairn_params_text(params, "impurity"), "entropy");
    assert_string_equal(cairn_params_text(params, "split"), "subset");
    assert_string_equal(cairn_params_text(params, "prune"), "cost-complexity");
    assert_ok(*state, cairn_params_spec(*state, params, &spec));
    assert_string_equal(spec, "tree:preset=cart,impurity=entropy");
    assert_ok(*state, cairn_params_new(*state, &copy, spec));
    assert_string_equal(cairn_params_text(copy, "impurity"), "entropy");
    assert_ok(*state, cairn_params_set(*state, copy, "preset", "c4.5"));
    assert_string_equal(cairn_params_text(copy, "split"), "multiway");
    assert_string_equal(cairn_params_text(copy, "min-leaf"), "2");
    cairn_string_free(spec);
    cairn_params_free(params);
    cairn_params_free(copy);
}

/* Few values: the same tree. Many: cuts between bins, and the tree counts its rows as it predicts
 * them. */
static void test_histogram__is_exact_for_few_values(void **state)
{
    fitted exact = fit(*state, "@iris", "tree:engine=exact");
    fitted binned = fit(*state, "@iris", "tree:engine=histogram");
    char *a = NULL, *b = NULL;
    assert_ok(*state, cairn_model_export(*state, exact.model, "text", &a));
    assert_ok(*state, cairn_model_export(*state, binned.model, "text", &b));
    assert_string_equal(a, b);
    assert_word(&binned, "tree.engine", "exact");
    cairn_string_free(a);
    cairn_string_free(b);
    drop(&exact);
    drop(&binned);
}

static void test_histogram__bins_of_many_values(void **state)
{
    char csv[20000];
    size_t n = (size_t)snprintf(csv, sizeof csv, "x,z,y\n");
    for (int i = 0; i < 600; i++)
        n += (size_t)snprintf(csv + n, sizeof csv - n, "%d.%d,%s,%s\n", i, (i * 7) % 10,
                              i % 50 ? "1" : "?", (i / 30) % 2 ? "a" : "b");
    fitted f = fit(*state, csv, "tree:engine=histogram,bins=20");
    assert_word(&f, "tree.engine", "histogram");
    assert_value(&f, "tree.bins", 20);
    assert_true(value(&f, "tree.leaves") <= 40);
    cairn_table *said = NULL;
    assert_ok(*state, cairn_model_predict(*state, &said, f.model, f.table, false));
    const cairn_column *answers = said->slots[0].column;
    const cairn_column *truth = f.table->slots[2].column;
    double wrong = 0;
    for (size_t i = 0; i < 600; i++)
        wrong += strcmp(cairn_level_name(answers, answers->codes[i]),
                        cairn_level_name(truth, truth->codes[i])) != 0;
    assert_value(&f, "training.errors", wrong);
    cairn_table_free(said);
    drop(&f);
}

static void test_preset__first_word_of_a_spec(void **state)
{
    fitted f = fit(*state, "@weather", "tree:id3");
    assert_word(&f, "tree.text",
                "outlook(sunny: humidity(high: no, normal: yes), overcast: yes, rain: wind(weak: "
                "yes, strong: no))");
    drop(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_prune__reduced_error_takes_the_best_node_first),
        context_test(test_prune__ties_are_pruned_or_kept),
        context_test(test_prune__bottom_up_labels_by_the_rows_held_out),
        context_test(test_prune__from_the_leaves_up_tells_what_it_compares),
        context_test(test_prune__recipe_labels_by_cost_and_joins_what_is_labelled_alike),
        context_test(test_prune__small_nodes_are_merged),
        context_test(test_prune__cost_complexity_path),
        context_test(test_prune__same_label_keeps_every_answer),
        context_test(test_prune__bounds_tests_and_bits_make_noise_a_leaf),
        context_test(test_prune__numbers_as_target),
        context_test(test_prune__refusals_name_the_remedy),
        context_test(test_preset__sets_what_is_not_set_by_itself),
        context_test(test_preset__first_word_of_a_spec),
        context_test(test_histogram__is_exact_for_few_values),
        context_test(test_histogram__bins_of_many_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
