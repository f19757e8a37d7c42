/* SPDX-License-Identifier: MIT */
/* Trees and numbers of worked examples: entropies, gains, ratios, whole trees. */
#include "fitted.h"

typedef struct text_tree {
    const char *data, *target, *kinds, *tree;
    double errors;
} text_tree;

static void test_tree__grows_the_trees_of_the_texts(void **state)
{
    static const text_tree cases[] = {
        {"@weather", "play", NULL,
         "outlook(sunny: humidity(high: no, normal: yes), overcast: yes, rain: wind(weak: yes, "
         "strong: no))",
         0},
        {"@buys-computer", "buys_computer", NULL,
         "credit_rating(fair: age(youth: student(yes: yes, no: no), middle-aged: no, senior: no), "
         "excellent: yes)",
         1},
        {"@buys-computer-v2", "buys_computer", NULL,
         "age(youth: student(yes: credit_rating(fair: yes, excellent: yes), no: no), middle-aged: "
         "yes, senior: credit_rating(fair: yes, excellent: no))",
         1},
        {"@restaurant", "wait", NULL,
         "pat(None: F, Some: T, Full: hun(T: type(French: F, Italian: F, Thai: fri(F: F, T: T), "
         "Burger: T), F: F))",
         0},
        {"@dolphins", "class", "length=level",
         "gills(no: length(3: pos, 4: teeth(many: pos, few: neg), 5: pos), yes: neg)", 0},
        {"@risk", "class", NULL,
         "income(low: high, middle: credit_history(bad: high, unknown: debt(high: high, low: "
         "moderate), good: moderate), upper: credit_history(bad: moderate, unknown: low, good: "
         "low))",
         0},
        {"@transport", "class", "car_ownership=level",
         "travel_cost(Cheap: gender(Male: Bus, Female: car_ownership(0: Bus, 1: Train, 2: Train)), "
         "Standard: Train, Expensive: Car)",
         0},
        {"@two-attributes-01", "class", NULL, "x1(T: x2(T: 1, F: 0), F: x2(T: 0, F: 1))", 0},
        {"@vertebrates", "class", NULL,
         "aquatic(no: aerial(no: gives_birth(yes: mammal, no: reptile), yes: bird), yes: fish, "
         "semi: amphibian)",
         0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cairn_table *table = table_of(*state, cases[i].data, cases[i].target, cases[i].kinds);
        fitted f = fit_table(*state, table, "tree", CAIRN_CLASSIFY, true);
        assert_word(&f, "tree.text", cases[i].tree);
        assert_value(&f, "training.errors", cases[i].errors);
        drop(&f);
    }
}

static void test_tree__steps_have_the_numbers_of_the_weather(void **state)
{
    fitted f = fit(*state, "@weather", "tree");
    assert_value(&f, "node1.n", 14);
    assert_value(&f, "node1.count.yes", 9);
    assert_value(&f, "node1.entropy", 0.9402859586706311);
    assert_value(&f, "node1.part.outlook.sunny.entropy", 0.9709505944546686);
    assert_value(&f, "node1.part.outlook.overcast.n", 4);
    assert_value(&f, "node1.part.humidity.normal.entropy", 0.5916727785823275);
    assert_value(&f, "node1.part.humidity.normal.count.yes", 6);
    assert_value(&f, "node1.gain.outlook", 0.24674981977443933);
    assert_value(&f, "node1.gain.temperature", 0.02922256565895487);
    assert_value(&f, "node1.gain.humidity", 0.15183550136234159);
    assert_value(&f, "node1.gain.wind", 0.04812703040826949);
    assert_value(&f, "node1.split_information.outlook", 1.5774062828523454);
    assert_value(&f, "node1.ratio.outlook", 0.15642756242117528);
    assert_value(&f, "node1.ratio.temperature", 0.018772646222418813);
    assert_value(&f, "node1.ties", 1);
    assert_word(&f, "node1.chosen", "outlook");
    assert_word(&f, "node2.path", "outlook=sunny");
    assert_value(&f, "node2.gain.temperature", 0.5709505944546686);
    assert_value(&f, "node2.gain.humidity", 0.9709505944546686);
    assert_word(&f, "node3.label", "no");
    assert_word(&f, "node3.reason", "all its rows agree");
    assert_value(&f, "node6.gain.wind", 0.9709505944546686);
    assert_value(&f, "tree.nodes", 8);
    assert_value(&f, "tree.leaves", 5);
    assert_value(&f, "tree.depth", 2);
    assert_value(&f, "training.error", 0);
    assert_word(&f, "leaf.outlook=rain,wind=strong", "no");
    assert_value(&f, "use.temperature", 0);
    assert_true(cairn_report_figure_count(f.report) > 0);
    drop(&f);
}

static void test_tree__ties_between_columns_are_reported(void **state)
{
    fitted f = fit(*state, "@restaurant", "tree");
    assert_value(&f, "node1.gain.pat", 0.5408520829727552);
    assert_value(&f, "node1.gain.alt", 0);
    assert_value(&f, "node4.ties", 5);
    assert_word(&f, "node4.tied", "hun, price, res, type, est");
    assert_word(&f, "node4.chosen", "hun");
    drop(&f);
    f = fit(*state, "@restaurant", "tree:tie=last");
    assert_word(&f, "node4.chosen", "est");
    drop(&f);
}

static void test_tree__day_wins_by_gain_and_by_ratio(void **state)
{
    static const char *const specs[] = {"tree", "tree:score=ratio"};
    for (size_t i = 0; i < 2; i++) {
        cairn_table *table = table_of(*state, "@weather", "play", "day=level");
        assert_ok(*state, cairn_table_set_role(*state, table, "day", CAIRN_FEATURE));
        fitted f = fit_table(*state, table, specs[i], CAIRN_TASK_AUTO, true);
        assert_value(&f, "node1.gain.day", 0.9402859586706311);
        assert_value(&f, "node1.split_information.day", 3.8073549220576055);
        assert_value(&f, "node1.ratio.day", 0.24696566984684296);
        assert_word(&f, "node1.chosen", "day");
        drop(&f);
    }
}

static void test_tree__impurities_of_the_dolphins(void **state)
{
    static const struct {
        const char *spec;
        double length, gills, beak, teeth;
    } cases[] = {
        {"tree", 0.7245112497836532, 0.39001345298901247, 0.7635472023399721, 0.965148445440323},
        {"tree:impurity=gini", 0.35, 1 / 6.0, 0.375, 0.47619047619047616},
        {"tree:impurity=sqrtgini", 0.37320508075688774, 0.22360679774997896, 0.3872983346207417,
         0.48783151775108496},
        {"tree:impurity=minority", 0.3, 0.1, 0.3, 0.4},
    };
    for (size_t i = 0; i < 4; i++) {
        cairn_table *table = table_of(*state, "@dolphins", "class", "length=level");
        fitted f = fit_table(*state, table, cases[i].spec, CAIRN_TASK_AUTO, true);
        assert_value(&f, "node1.after.length", cases[i].length);
        assert_value(&f, "node1.after.gills", cases[i].gills);
        assert_value(&f, "node1.after.beak", cases[i].beak);
        assert_value(&f, "node1.after.teeth", cases[i].teeth);
        drop(&f);
    }
}

static void test_tree__gini_and_ratio_of_the_vertebrates(void **state)
{
    fitted f = fit(*state, "@vertebrates", "tree:impurity=gini");
    assert_value(&f, "node1.gini", 0.78);
    assert_value(&f, "node1.after.gives_birth", 0.65);
    assert_value(&f, "node1.after.aquatic", 0.32);
    assert_value(&f, "node1.after.has_legs", 0.5904761904761905);
    drop(&f);
    f = fit(*state, "@vertebrates", "tree:score=ratio");
    assert_value(&f, "node1.ratio.gives_birth", 0.5880325916843805);
    assert_value(&f, "node1.ties", 3);
    assert_word(&f, "node1.chosen", "aquatic");
    drop(&f);
}

static void test_tree__treatments_of_a_missing_cell(void **state)
{
    fitted f = fit(*state, "@weather-missing", "tree:missing-in-model=mode");
    assert_word(&f, "node6.path", "outlook=rain");
    assert_word(&f, "node6.filled.wind", "weak");
    assert_value(&f, "node6.gain.wind", 0.3219280948873623);
    drop(&f);
    f = fit(*state, "@weather-missing", "tree:missing-in-model=class-mode");
    assert_word(&f, "node6.filled.wind.no", "strong");
    assert_value(&f, "node6.gain.wind", 0.9709505944546686);
    drop(&f);
    f = fit(*state, "@weather-missing", "tree");
    assert_value(&f, "node6.share.wind.weak", 0.75);
    assert_value(&f, "node6.share.wind.strong", 0.25);
    assert_value(&f, "node6.gain.wind", 0.4295045232891468);
    assert_value(&f, "node6.entropy", 0.9709505944546686);
    drop(&f);
    f = fit(*state, "@weather-missing", "tree:missing-in-model=branch");
    assert_word(&f, "leaf.outlook=rain,wind=missing", "no");
    assert_value(&f, "node6.part.wind.missing.n", 1);
    drop(&f);
}

static void test_tree__reductions_of_the_regression_tree(void **state)
{
    static const struct {
        const char *name;
        double reduction;
    } cuts[] = {{"node1.gain.x1.< 1", 10.609},
                {"node1.gain.x1.< 4", 149.784},
                {"node1.gain.x1.< 6", 259.081},
                {"node1.gain.x1.< 7", 363.58816666666667},
                {"node1.gain.x2.< 12", 18.586777777777776},
                {"node1.gain.x2.< 35", 31.093444444444444}};
    cairn_table *table = table_of(*state, "@regression-tree", "y", NULL);
    fitted f = fit_table(*state, table, "tree:cut=lt", CAIRN_REGRESS, true);
    assert_value(&f, "node1.sse", 817.669);
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++)
        assert_near(10 * value(&f, cuts[i].name), cuts[i].reduction, 1e-6);
    assert_value(&f, "node1.cut.x1", 7);
    assert_word(&f, "tree.text",
                "x1(< 7: x1(< 1: 14.9, >= 1: x1(< 2: 10.1, >= 2: x1(< 4: x1(< 3: 12.7, >= 3: "
                "15.3), >= 4: x1(< 6: 11.5, >= 6: 13.9)))), >= 7: x1(< 10: 43, >= 10: x2(< 27: "
                "23.1, >= 27: x1(< 16: 17.8, >= 16: 17.6))))");
    assert_value(&f, "training.sse", 0);
    drop(&f);
    table = table_of(*state, "@regression-tree", "y", NULL);
    f = fit_table(*state, table, "tree:cut=lt,min-leaf=3", CAIRN_REGRESS, true);
    assert_word(&f, "tree.text", "x1(< 7: x1(< 3: 12.5667, >= 3: 13.5667), >= 7: 25.375)");
    assert_near(value(&f, "training.sse"), 452.5808333333333, 1e-6);
    drop(&f);
}

static void test_tree__separates_xor_without_gain_at_the_root(void **state)
{
    static const char xor [] = "a,b,c\n0,0,no\n0,1,yes\n1,0,yes\n1,1,no\n";
    cairn_table *table = table_of(*state, xor, "c", "a=level,b=level");
    fitted f = fit_table(*state, table, "tree", CAIRN_TASK_AUTO, true);
    assert_value(&f, "node1.gain.a", 0);
    assert_value(&f, "training.errors", 0);
    assert_value(&f, "tree.leaves", 4);
    drop(&f);
    table = table_of(*state, xor, "c", NULL);
    f = fit_table(*state, table, "tree:min-gain=0.001", CAIRN_TASK_AUTO, true);
    assert_value(&f, "tree.nodes", 1);
    assert_word(&f, "node1.reason", "the best split scores less than 'min-gain'");
    assert_word(&f, "leaf.everything", "no");
    drop(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_tree__grows_the_trees_of_the_texts),
        context_test(test_tree__steps_have_the_numbers_of_the_weather),
        context_test(test_tree__ties_between_columns_are_reported),
        context_test(test_tree__day_wins_by_gain_and_by_ratio),
        context_test(test_tree__impurities_of_the_dolphins),
        context_test(test_tree__gini_and_ratio_of_the_vertebrates),
        context_test(test_tree__treatments_of_a_missing_cell),
        context_test(test_tree__reductions_of_the_regression_tree),
        context_test(test_tree__separates_xor_without_gain_at_the_root),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
