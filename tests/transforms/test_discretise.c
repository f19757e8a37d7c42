/* SPDX-License-Identifier: MIT */
/* discretise, merge and threshold: results worked out by hand, all scores against the definitions,
 * weights, ties, many classes, refusals. */
#include "transforms/cutting.h"
#include "stats/impurity.h"
#include "transforms/cutscore.h"
#include <stdio.h>

static void test_cutscore__agrees_with_the_definitions(void **state)
{
    (void)state;
    double table[] = {5, 1, 0, 2, 7, 3}, all[] = {7, 8, 3}, contributions[6], sum = 0;
    cairn_split_scores s;
    cairn_split_scores_of(&s, table, 2, 3, 0);
    cairn_class_contributions(contributions, CAIRN_CONTRIBUTION_BERNOULLI, table, 2, 3);
    for (size_t i = 0; i < 6; i++) sum += contributions[i];
    const double wanted[] = {
        s.gain,        s.gain_ratio, s.gini_reduction, s.minority_reduction, s.sqrt_gini_reduction,
        s.chi_squared, sum};
    for (int kind = CAIRN_CUT_GAIN; kind <= CAIRN_CUT_BERNOULLI; kind++) {
        double score = cairn_cut_score_of(kind, table, all, 3, 6, 18, NULL);
        if (fabs(score - wanted[kind]) > 1e-12 * fmax(1, wanted[kind]))
            fail_msg("%s: %.17g is not %.17g", cairn_cut_score_name(kind), score, wanted[kind]);
    }
}

/* Ten of one class below 5.5 and ten of the other above: one cut by every rule. */
static void test_discretise__clear_classes(void **state)
{
    static const char *const specs[] = {"discretise",
                                        "discretise:mdl=yes",
                                        "discretise:bins=9",
                                        "discretise:alpha=1",
                                        "discretise:score=chi2",
                                        "discretise:score=sqrt-gini",
                                        "discretise:score=minority",
                                        "discretise:score=ratio"};
    double x[20];
    for (size_t i = 0; i < 20; i++) x[i] = (double)(i * 7 % 20); /* all of 0 .. 19 */
    char classes[21] = {0};
    for (size_t i = 0; i < 20; i++) classes[i] = x[i] < 9.5 ? '-' : '+';
    cairn_table *t = class_table(*state, x, classes);
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        cairn_report *report;
        assert_ok(*state, run_recipe(*state, t, specs[i], NULL, &report));
        assert_value(report, "discretise.x.bins", 2);
        assert_value(report, "discretise.x.cut1", 9.5);
        cairn_report_free(report);
    }
    cairn_table_free(t);
}

/* By hand: N = 20, gain 1; cost (log2 19 + log2 7 - 2) / 20. */
static void test_discretise__mdl_cost(void **state)
{
    double x[20];
    char classes[21] = {0};
    for (size_t i = 0; i < 20; i++) x[i] = (double)i, classes[i] = i < 10 ? '-' : '+';
    cairn_table *t = class_table(*state, x, classes);
    cairn_report *report;
    assert_ok(*state, run_recipe(*state, t, "discretise:mdl=yes", NULL, &report));
    assert_value(report, "discretise.x.segment1.gain", 1);
    assert_value(report, "discretise.x.segment1.mdl", (log2(19) + log2(7) - 2) / 20);
    cairn_report_free(report);
    cairn_table_free(t);
}

static void test_discretise__cut_forms(void **state)
{
    static const double x[] = {1, 2, 4, 8};
    static const struct {
        const char *spec, *low, *high;
        double cut;
    } cases[] = {{"discretise:bins=2,cut=mid", "<=3", ">3", 3},
                 {"discretise:bins=2,cut=lt", "<4", ">=4", 4},
                 {"discretise:bins=2,cut=le", "<=2", ">2", 2}};
    cairn_table *t = class_table(*state, x, "--++"), *made;
    for (size_t i = 0; i < 3; i++) {
        cairn_report *report;
        assert_ok(*state, run_recipe(*state, t, cases[i].spec, &made, &report));
        assert_value(report, "discretise.x.cut1", cases[i].cut);
        assert_string_equal(level_at(made, "x", 1), cases[i].low);
        assert_string_equal(level_at(made, "x", 2), cases[i].high);
        cairn_report_free(report);
        cairn_table_free(made);
    }
    cairn_table_free(t);
}

static void test_discretise__weights_are_repeats(void **state)
{
    static const double x[] = {1, 2, 3, 4, 5, 6}, w[] = {2, 1, 3, 1, 2, 0};
    static const double repeated[] = {1, 1, 2, 3, 3, 3, 4, 5, 5};
    static const char *const specs[] = {"discretise:alpha=1", "merge:bins=2",
                                        "merge:monotone,initial=0", "threshold",
                                        "discretise:alpha=1,score=gini"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        cairn_table *a = class_table(*state, x, "--+-++"),
                    *b = class_table(*state, repeated, "---+++-++"), *ma, *mb;
        add_weights(*state, a, w);
        assert_ok(*state, run_recipe(*state, a, specs[i], &ma, NULL));
        assert_ok(*state, run_recipe(*state, b, specs[i], &mb, NULL));
        const cairn_map *la = &ma->slots[0].column->names, *lb = &mb->slots[0].column->names;
        assert_int_equal(la->n, lb->n);
        for (size_t k = 0; k < la->n; k++)
            assert_string_equal(cairn_map_key(la, k), cairn_map_key(lb, k));
        cairn_table_free(a);
        cairn_table_free(b);
        cairn_table_free(ma);
        cairn_table_free(mb);
    }
}

static void test_discretise__many_classes_and_ordered_levels(void **state)
{
    static const char *const names[] = {"a", "b", "c"};
    static const char *const sizes[] = {"xs", "s", "m", "l", "xl"};
    double x[30];
    int32_t codes[30], size[30];
    for (size_t i = 0; i < 30; i++) {
        x[i] = (double)i;
        codes[i] = (int32_t)(i / 10);
        size[i] = (int32_t)(i / 6);
    }
    cairn_table *t, *made;
    cairn_report *report;
    assert_ok(*state, cairn_table_new(*state, &t, 30));
    assert_ok(*state, cairn_table_add_numbers(*state, t, "x", x));
    assert_ok(*state, cairn_table_add_levels(*state, t, "size", size, sizes, 5));
    assert_ok(*state, cairn_table_add_levels(*state, t, "class", codes, names, 3));
    assert_ok(*state, cairn_table_set_role(*state, t, "class", CAIRN_TARGET));
    t->slots[1].column->ordered = true;
    assert_ok(*state, run_recipe(*state, t, "discretise:mdl=yes", &made, &report));
    assert_value(report, "discretise.x.bins", 3);
    assert_value(report, "discretise.x.cut1", 9.5);
    assert_value(report, "discretise.x.cut2", 19.5);
    assert_string_equal(level_at(made, "size", 0), "xs+s");
    assert_value(report, "discretise.size.bin1.a", 10);
    cairn_report_free(report);
    cairn_table_free(made);
    assert_ok(*state, run_recipe(*state, t, "merge:bins=3", &made, &report));
    assert_value(report, "merge.x.cut1", 9.5);
    assert_value(report, "merge.x.cut2", 19.5);
    cairn_report_free(report);
    cairn_table_free(made);
    assert_fails(*state, run_recipe(*state, t, "merge:monotone", NULL, NULL), CAIRN_BAD_DATA,
                 "of-class");
    assert_fails(*state, run_recipe(*state, t, "threshold", NULL, NULL), CAIRN_BAD_DATA,
                 "of-class");
    assert_ok(*state, run_recipe(*state, t, "merge:monotone,of-class=c,columns=x,initial=0", NULL,
                                 &report));
    assert_value(report, "merge.x.bins", 2);
    assert_value(report, "merge.x.cut1", 19.5);
    cairn_report_free(report);
    cairn_table_free(t);
}

static void test_merge__monotone_direction(void **state)
{
    static const double x[] = {1, 2, 3, 4, 5, 6, 7, 8};
    cairn_table *t = class_table(*state, x, "++-++---");
    cairn_report *report;
    assert_ok(*state, run_recipe(*state, t, "merge:monotone,initial=0", NULL, &report));
    assert_string_equal(cairn_report_string(report, "merge.x.direction"), "falling");
    assert_value(report, "merge.x.bins", 3); /* ++ | -++ | --- */
    assert_value(report, "merge.x.cut1", 2.5);
    assert_value(report, "merge.x.cut2", 5.5);
    cairn_report_free(report);
    assert_ok(*state,
              run_recipe(*state, t, "merge:monotone,initial=0,direction=rising", NULL, &report));
    assert_value(report, "merge.x.bins", 1);
    cairn_report_free(report);
    cairn_table_free(t);
}

static void test_merge__equally_wide_start(void **state)
{
    static const double x[] = {0, 9, 11, 19, 21, 29, 31, 40};
    cairn_table *t = class_table(*state, x, "----+++-");
    cairn_report *report;
    assert_ok(*state, run_recipe(*state, t, "merge:monotone,bin-width=10", NULL, &report));
    /* shares 0 0 1 .5 by bins (0,10] (10,20] (20,30] (30,40] */
    assert_value(report, "merge.x.bins", 2);
    assert_value(report, "merge.x.cut1", 20);
    assert_value(report, "merge.x.first4.share", 0.5);
    cairn_report_free(report);
    cairn_table_free(t);
}

/* Chi-merge by a plain quadratic search gives the same bins as the heap. */
static void test_merge__heap_agrees_with_plain_search(void **state)
{
    enum { N = 400, LEFT = 7 };
    double x[N], counts[N][2];
    char classes[N + 1] = {0};
    uint32_t seed = 12345;
    size_t n = N;
    double high[N];
    for (size_t i = 0; i < N; i++) {
        seed = seed * 1664525 + 1013904223;
        x[i] = (double)i;
        classes[i] = (seed >> 16) % 100 < (i / 80) * 17 + 10 ? '+' : '-';
        counts[i][0] = classes[i] == '-';
        counts[i][1] = classes[i] == '+';
        high[i] = x[i];
    }
    while (n > LEFT) {
        size_t best = 0;
        double least = INFINITY;
        for (size_t i = 0; i + 1 < n; i++) {
            cairn_split_scores s;
            cairn_split_scores_of(&s, &counts[i][0], 2, 2, 0);
            if (s.chi_squared < least - 1e-10) best = i, least = s.chi_squared;
        }
        counts[best][0] += counts[best + 1][0];
        counts[best][1] += counts[best + 1][1];
        high[best] = high[best + 1];
        n--;
        for (size_t i = best + 1; i < n; i++) {
            counts[i][0] = counts[i + 1][0];
            counts[i][1] = counts[i + 1][1];
            high[i] = high[i + 1];
        }
    }
    cairn_table *t = class_table(*state, x, classes);
    cairn_report *report;
    assert_ok(*state, run_recipe(*state, t, "merge:bins=7,join-pure=no", NULL, &report));
    for (size_t i = 0; i + 1 < LEFT; i++) {
        char name[64];
        snprintf(name, sizeof name, "merge.x.cut%zu", i + 1);
        assert_value(report, name, high[i] + 0.5);
    }
    cairn_report_free(report);
    cairn_table_free(t);
}

static void test_threshold__hulls_and_costs(void **state)
{
    static const double x[] = {1, 2, 3, 4, 5, 6, 7, 8};
    cairn_table *t = class_table(*state, x, "--+-+-++");
    cairn_report *report;
    assert_ok(*state, run_recipe(*state, t, "threshold", NULL, &report));
    /* upper hull: (0,2) above 6.5, (1,3) above 4.5, (2,4) above 2.5 on one line: merged */
    assert_value(report, "threshold.x.candidate1.cut", 6.5);
    assert_value(report, "threshold.x.candidate2.cut", 2.5);
    assert_value(report, "threshold.x.candidate1.positives", 2);
    assert_value(report, "threshold.x.candidate2.negatives", 2);
    assert_value(report, "threshold.x.mean.cut", 4.5);
    assert_value(report, "threshold.x.median.cut", 4.5);
    assert_value(report, "threshold.x.cut1", 6.5);
    cairn_report_free(report);
    assert_ok(*state, run_recipe(*state, t, "threshold:cost-fp=1,cost-fn=5", NULL, &report));
    assert_value(report, "threshold.x.cut1", 2.5); /* two false positives, nothing missed */
    assert_value(report, "threshold.x.candidate2.cost", 2);
    cairn_report_free(report);
    cairn_table_free(t);
    static const double falling[] = {8, 7, 6, 5, 4, 3, 2, 1};
    t = class_table(*state, falling, "--+-+-++");
    assert_ok(*state, run_recipe(*state, t, "threshold:hull=lower", NULL, &report));
    assert_value(report, "threshold.x.cut1", 6.5); /* positives below it: none is missed */
    cairn_report_free(report);
    cairn_table_free(t);
}

static void test_supervised__refusals(void **state)
{
    static const double x[] = {1, 2, 3, 4}, y[] = {1.5, 2.5, 3.25, 4.75};
    static const char *const names[] = {"discretise", "merge", "threshold", "calibrate"};
    cairn_table *t;
    assert_ok(*state, cairn_table_new(*state, &t, 4));
    assert_ok(*state, cairn_table_add_numbers(*state, t, "x", x));
    assert_ok(*state, cairn_table_add_numbers(*state, t, "y", y));
    for (size_t i = 0; i < 4; i++)
        assert_fails(*state, run_recipe(*state, t, names[i], NULL, NULL), CAIRN_BAD_DATA,
                     "'target'");
    assert_ok(*state, cairn_table_set_role(*state, t, "y", CAIRN_TARGET));
    for (size_t i = 0; i < 4; i++)
        assert_fails(*state, run_recipe(*state, t, names[i], NULL, NULL), CAIRN_BAD_DATA,
                     "kinds=y=level");
    cairn_table_free(t);
    t = class_table(*state, x, "+-+-");
    assert_fails(*state, run_recipe(*state, t, "merge:score=gain", NULL, NULL), CAIRN_USAGE,
                 "max-score");
    assert_fails(*state, run_recipe(*state, t, "threshold:of-class=maybe", NULL, NULL), CAIRN_USAGE,
                 "no class 'maybe'");
    cairn_table_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_cutscore__agrees_with_the_definitions),
        context_test(test_discretise__clear_classes),
        context_test(test_discretise__mdl_cost),
        context_test(test_discretise__cut_forms),
        context_test(test_discretise__weights_are_repeats),
        context_test(test_discretise__many_classes_and_ordered_levels),
        context_test(test_merge__monotone_direction),
        context_test(test_merge__equally_wide_start),
        context_test(test_merge__heap_agrees_with_plain_search),
        context_test(test_threshold__hulls_and_costs),
        context_test(test_supervised__refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
