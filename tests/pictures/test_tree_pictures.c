/* SPDX-License-Identifier: MIT */
/* Pictures of trees and rules: forms, captions, rows, partial trees; trees in coverage space with
 * the numbers of their growth; isometrics with candidates, chords of impurities, choices of rule
 * learners, the vote of a forest. */
#include "draw/figure_data.h"
#include "support/fail_alloc.h"
#include "support/run.h"

#include "base/memory.h"
#include <stdio.h>

/* The one figure of a command that draws; it becomes svg and letters. */
static cairn_report *drawn(cairn_context *ctx, cairn_virtual_files *files, const char *const *words)
{
    cairn_report *report;
    char *text;
    assert_ok(ctx, run_words_with(ctx, &report, files, words));
    assert_int_equal(cairn_report_figure_count(report), 1);
    const cairn_figure *figure = cairn_report_figure_at(report, 0);
    assert_ok(ctx, cairn_figure_terminal(ctx, figure, 80, false, &text));
    assert_true(strlen(text) > 20);
    cairn_string_free(text);
    return report;
}

/* All parts are in the picture, separated by |. */
static void assert_draws(cairn_context *ctx, cairn_virtual_files *files, const char *const *words,
                         const char *parts)
{
    cairn_report *report = drawn(ctx, files, words);
    char *text, part[80];
    assert_ok(ctx, cairn_figure_svg(ctx, cairn_report_figure_at(report, 0), &text));
    while (*parts) {
        size_t n = strcspn(parts, "|");
        assert_true(n < sizeof part);
        memcpy(part, parts, n);
        part[n] = 0;
        if (!strstr(text, part)) fail_msg("%s %s: '%s' is not there", words[1], words[2], part);
        parts += n + (parts[n] == '|');
    }
    cairn_string_free(text);
    cairn_report_free(report);
}

static void fit(cairn_context *ctx, cairn_virtual_files *files, const char *const *words)
{
    cairn_report *report;
    assert_ok(ctx, run_words_with(ctx, &report, files, words));
    cairn_report_free(report);
}

static void put(cairn_context *ctx, cairn_virtual_files *files, const char *name, const char *csv)
{
    assert_ok(ctx, cairn_virtual_put(ctx, files, name, csv, strlen(csv)));
}

static void test_trees__captions(void **state)
{
    cairn_context *ctx = *state;
    cairn_virtual_files files = {0};
    fit(ctx, &files, WORDS("fit", "tree", "@weather", "--save", "w"));
    fit(ctx, &files,
        WORDS("fit", "tree", "@hammond-numeric", "--target", "price", "--task", "regress", "--save",
              "h", "--max-depth", "1"));
    assert_draws(ctx, &files, WORDS("draw", "tree", "w"), "humidity|no 3, yes 2|overcast");
    assert_draws(ctx, &files, WORDS("draw", "tree", "w", "--captions", "number,test"),
                 "1: outlook|5: yes");
    assert_draws(ctx, &files, WORDS("draw", "tree", "w", "--captions", "number,size"),
                 "1: 14|outlook = sunny|wind = weak");
    assert_draws(ctx, &files,
                 WORDS("draw", "tree", "w", "--captions", "test,signs,shares,score,gain,entropy",
                       "--score-add", "1"),
                 "[9+,5-]|no 0.357, yes 0.643|gain 0.2467|entropy 0.9403|score 0.737");
    assert_draws(ctx, &files,
                 WORDS("draw", "tree", "w", "--captions", "test,signs", "--positive", "no"),
                 "[5+,9-]");
    assert_draws(ctx, &files, WORDS("draw", "tree", "h", "--captions", "test,mean,variance"),
                 "mean 12.56|variance 171.1|Regression tree");
    cairn_virtual_clear(&files);
}

/* Several targets: their means stand below each other. */
static void test_trees__mean_vectors(void **state)
{
    cairn_context *ctx = *state;
    cairn_virtual_files files = {0};
    cairn_report *report;
    fit(ctx, &files,
        WORDS("fit", "clustering-tree", "@hammond-numeric", "--target", "price,reserve,bids",
              "--max-depth", "1", "--save", "c"));
    fit(ctx, &files,
        WORDS("fit", "clustering-tree", "@hammond", "--matrix", "@hammond-distances", "--save",
              "m"));
    fit(ctx, &files,
        WORDS("fit", "tree", "@hammond-numeric", "--target", "price,reserve,bids", "--task",
              "regress", "--together", "--max-depth", "1", "--save", "t"));
    assert_draws(ctx, &files, WORDS("draw", "tree", "c"),
                 "Clustering tree|>price 16<|>reserve 14<|>bids 9.667<");
    assert_draws(ctx, &files, WORDS("draw", "tree", "c", "--captions", "number,size,mean"),
                 "1: 9|>bids 7.889<|model = A100");
    assert_draws(ctx, &files,
                 WORDS("draw", "tree", "m", "@hammond", "--captions", "test,mean,rows"),
                 "like o1|2, 4, 7");
    assert_draws(ctx, &files, WORDS("draw", "tree", "t", "--target", "price"), ">reserve 14<");
    assert_fails(
        ctx,
        run_words_with(ctx, &report, &files, WORDS("draw", "tree", "c", "--captions", "variance")),
        CAIRN_USAGE, "several targets");
    cairn_report_free(report);
    cairn_virtual_clear(&files);
}

static void test_trees__forms(void **state)
{
    cairn_context *ctx = *state;
    cairn_virtual_files files = {0};
    fit(ctx, &files, WORDS("fit", "tree", "@weather", "--save", "w"));
    fit(ctx, &files, WORDS("fit", "rule-list", "@dolphins", "--save", "r"));
    assert_draws(ctx, &files, WORDS("draw", "tree", "w", "--direction", "right"), "humidity");
    assert_draws(ctx, &files, WORDS("draw", "tree", "w", "--shape", "ellipse"), "humidity");
    cairn_report *report = drawn(ctx, &files, WORDS("draw", "tree", "w", "--shape", "graph"));
    char *text;
    assert_ok(ctx, cairn_figure_svg(ctx, cairn_report_figure_at(report, 0), &text));
    assert_non_null(strstr(text, ">8<"));
    assert_null(strstr(text, "humidity"));
    assert_null(strstr(text, "sunny"));
    cairn_string_free(text);
    cairn_report_free(report);
    assert_draws(ctx, &files,
                 WORDS("draw", "tree", "r", "--direction", "right", "--shape", "ellipse"),
                 "gills = yes");
    assert_fails(
        ctx, run_words_with(ctx, &report, &files, WORDS("draw", "tree", "r", "--captions", "size")),
        CAIRN_USAGE, "for models of tree");
    cairn_report_free(report);
    cairn_virtual_clear(&files);
}

static void test_trees__under_construction(void **state)
{
    cairn_context *ctx = *state;
    cairn_virtual_files files = {0};
    fit(ctx, &files, WORDS("fit", "tree", "@weather", "--save", "w"));
    assert_draws(ctx, &files,
                 WORDS("draw", "tree", "w", "@weather", "--captions",
                       "number,test,signs,signed-rows", "--splits", "1"),
                 "2: ?|[2+,3-]|+ D9, D11|− D1, D2, D8|5: yes|− none");
    assert_draws(ctx, &files, WORDS("draw", "tree", "w", "--splits", "0"), "?|no 5, yes 9");
    assert_draws(
        ctx, &files,
        WORDS("draw", "tree", "w", "@weather", "--captions", "test,table", "--splits", "1"),
        "temperature|D14|D13");
    assert_draws(ctx, &files,
                 WORDS("draw", "tree", "w", "@weather", "--captions", "test,rows", "--depth", "1"),
                 "D1, D2, D8, D9, D11|D3, D7, D12, D13");
    assert_draws(ctx, &files, WORDS("draw", "tree", "w", "@weather", "--beside"),
                 "temperature|D14|humidity");
    cairn_report *report = drawn(ctx, &files, WORDS("draw", "tree", "w", "--splits", "1"));
    const cairn_figure *figure = cairn_report_figure_at(report, 0);
    assert_int_equal(figure->n_nodes, 4);
    assert_int_equal(figure->nodes[0].flags, 0);
    assert_int_equal(figure->nodes[1].flags, CAIRN_NODE_OPEN);
    assert_int_equal(figure->nodes[2].flags, 0);
    cairn_report_free(report);
    cairn_virtual_clear(&files);
}

static void test_trees__large_and_odd_ones(void **state)
{
    cairn_context *ctx = *state;
    cairn_virtual_files files = {0};
    cairn_text csv = cairn_text_start(ctx);
    cairn_text_add(&csv, "größe <&\" mit einem sehr langen Namen, der nicht passt;y\n");
    for (int i = 0; i < 200; i++) cairn_text_addf(&csv, "%d;Klasse „%d“\n", i, i / 2 % 40);
    put(ctx, &files, "large.csv", cairn_text_string(&csv));
    put(ctx, &files, "one.csv", "x,y\n1,a\n1,a\n1,b\n");
    cairn_text_clear(&csv);
    fit(ctx, &files,
        WORDS("fit", "tree", "large.csv", "--target", "y", "--preset", "full", "--save", "l"));
    fit(ctx, &files, WORDS("fit", "tree", "one.csv", "--target", "y", "--save", "o"));
    assert_draws(ctx, &files, WORDS("draw", "tree", "l"), "größe &lt;&amp;");
    assert_draws(ctx, &files, WORDS("draw", "tree", "l", "--direction", "right"),
                 "größe &lt;&amp;");
    assert_draws(ctx, &files, WORDS("draw", "tree", "l", "--shape", "graph"), ">100<");
    assert_draws(ctx, &files,
                 WORDS("draw", "tree", "l", "large.csv", "--captions", "test,signed-rows,table"),
                 "and 34 more classes");
    assert_draws(ctx, &files, WORDS("draw", "tree", "o", "--captions", "number,test,counts"),
                 "1: a");
    assert_draws(ctx, &files, WORDS("draw", "tree", "o", "--direction", "right"), ">a<");
    assert_draws(ctx, &files, WORDS("draw", "tree", "o", "--shape", "graph"), ">1<");
    cairn_virtual_clear(&files);
}

static void test_trees__refusals(void **state)
{
    cairn_context *ctx = *state;
    cairn_virtual_files files = {0};
    cairn_report *report;
    fit(ctx, &files, WORDS("fit", "tree", "@iris", "--target", "species", "--save", "i"));
    fit(ctx, &files,
        WORDS("fit", "tree", "@hammond-numeric", "--target", "price", "--task", "regress", "--save",
              "h"));
    static const struct {
        const char *words[9], *part;
    } cases[] = {
        {{"draw", "tree", "i", "--captions", "colour"}, "'colour' is none of"},
        {{"draw", "tree", "i", "--captions", "signs"}, "--positive CLASS"},
        {{"draw", "tree", "i", "--captions", "signs", "--positive", "rosa"}, "'rosa' is no class"},
        {{"draw", "tree", "i", "--captions", "mean"}, "predict numbers"},
        {{"draw", "tree", "h", "--captions", "counts"}, "predicts numbers"},
        {{"draw", "tree", "i", "--captions", "rows"}, "MODEL DATA"},
        {{"draw", "tree", "i", "--beside"}, "MODEL DATA"},
        {{"draw", "tree-coverage"}, "--leaves is needed"},
        {{"draw", "tree-coverage", "i"}, "--positive CLASS"},
        {{"draw", "tree-coverage", "h"}, "predicts numbers"},
        {{"draw", "tree-coverage", "i", "--leaves", "1,2;3,4"}, "not both"},
        {{"draw", "tree-coverage", "--leaves", "1,2;3,4", "--part", "growth"}, "structure"},
        {{"draw", "tree-coverage", "--leaves", "(1,2)(3,4)", "--part", "pruned", "--labels", "+"},
         "2 signs"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_fails(ctx, run_words_with(ctx, &report, &files, cases[i].words), CAIRN_USAGE,
                     cases[i].part);
        cairn_report_free(report);
    }
    assert_fails(ctx,
                 run_words_with(ctx, &report, &files,
                                WORDS("draw", "tree-coverage", "--part", "labellings", "--leaves",
                                      "1,2;1,2;1,2;1,2;1,2;1,2;1,2;1,2;1,2;1,2;1,2")),
                 CAIRN_BAD_DATA, "2^11");
    cairn_report_free(report);
    cairn_virtual_clear(&files);
}

static void test_trees__in_coverage_space(void **state)
{
    cairn_context *ctx = *state;
    cairn_virtual_files files = {0};
    const char *leaves = "((29,10)(1,25))((15,3)(5,62))";
    fit(ctx, &files, WORDS("fit", "tree", "@dolphins", "--save", "d"));
    assert_draws(ctx, &files, WORDS("draw", "tree-coverage", "--leaves", leaves),
                 "area 0.8876|leaves by share|[15+,3-]");
    assert_draws(ctx, &files,
                 WORDS("draw", "tree-coverage", "--leaves", leaves, "--part", "growth"),
                 "No split (area 0.5)|1 split (area 0.625)|2 splits (area 0.7835)");
    assert_draws(
        ctx, &files,
        WORDS("draw", "tree-coverage", "--leaves", leaves, "--part", "growth", "--stages", "3"),
        "first 2 of 3 splits");
    assert_draws(
        ctx, &files,
        WORDS("draw", "tree-coverage", "--leaves", leaves, "--part", "curves", "--order", "best"),
        "2 splits (area 0.8035)");
    assert_draws(ctx, &files,
                 WORDS("draw", "tree-coverage", "--leaves", leaves, "--part", "labellings"),
                 "+−+−|best for some costs|worst order|the 24 orders are paths");
    assert_draws(
        ctx, &files,
        WORDS("draw", "tree-coverage", "--leaves", leaves, "--part", "pruned", "--labels", "+-++"),
        "pruned (area 0.7835)|what both answer");
    assert_draws(ctx, &files, WORDS("draw", "tree-coverage", "d"), "positives covered (pos)");
    cairn_virtual_clear(&files);
}

static double value(const cairn_report *report, const char *name)
{
    double number = -1;
    if (!cairn_report_number(report, name, &number)) fail_msg("there is no value %s", name);
    return number;
}

/* One leaf is empty and stands between others: the curve has no dents all the same. */
static void test_trees__growth_in_numbers(void **state)
{
    cairn_context *ctx = *state;
    cairn_virtual_files files = {0};
    cairn_report *report;
    fit(ctx, &files, WORDS("fit", "tree", "@dolphins", "--save", "d"));
    assert_ok(ctx, run_words_with(ctx, &report, &files, WORDS("compute", "leaves", "d")));
    assert_int_equal(value(report, "growth.splits"), 3);
    assert_float_equal(value(report, "growth1.auc"), 0.9, 1e-6);
    assert_float_equal(value(report, "growth2.auc"), 0.98, 1e-6);
    assert_float_equal(value(report, "growth3.auc"), 1, 1e-6);
    assert_int_equal(value(report, "growth1.corner1.tp"), 5);
    assert_int_equal(value(report, "growth1.corner1.fp"), 1);
    assert_int_equal(value(report, "growth3.node"), 4);
    cairn_report_free(report);
    assert_ok(ctx, run_words_with(ctx, &report, &files,
                                  WORDS("compute", "leaves", "--leaves", "(1,9)((0,0)(8,2))")));
    assert_float_equal(value(report, "auc"), (8 * 9 + (8 * 2 + 9) / 2.0) / 99, 1e-6);
    cairn_report_free(report);
    assert_fails(ctx, run_words_with(ctx, &report, &files, WORDS("compute", "leaves")), CAIRN_USAGE,
                 "--leaves is needed");
    cairn_report_free(report);
    assert_fails(ctx, run_words_with(ctx, &report, &files, WORDS("compute", "leaves", "d", "d")),
                 CAIRN_USAGE, "does not know what to do");
    cairn_report_free(report);
    cairn_virtual_clear(&files);
}

static void test_isometrics__with_candidates(void **state)
{
    cairn_context *ctx = *state;
    assert_draws(ctx, NULL, WORDS("draw", "isometrics", "@dolphins"),
                 "precision|best: 1|gills = no|length = 3");
    assert_draws(
        ctx, NULL,
        WORDS("draw", "isometrics", "@dolphins", "--measures", "gain", "--candidates", "splits"),
        "information gain|best: 0.61");
    assert_draws(ctx, NULL,
                 WORDS("draw", "isometrics", "--positives", "10", "--negatives", "10", "--points",
                       "A=8,2;B=10,6", "--measures", "gain,gini-gain,sqrtgini-gain", "--through",
                       "--inflate", "10", "--space", "roc"),
                 "Every positive 10 times|best: 0.2781|best: 0.1371|fall of the root of Gini");
    assert_draws(ctx, NULL,
                 WORDS("draw", "isometrics", "--positives", "10", "--negatives", "8", "--measures",
                       "entropy", "--lines", "4"),
                 "entropy|>0.8<");
    assert_draws(ctx, NULL,
                 WORDS("draw", "isometrics", "@iris", "--of-class", "virginica", "--measures",
                       "recall", "--columns", "petal_width"),
                 "petal_width &gt; 1.65");
    static const struct {
        const char *words[10], *part;
    } cases[] = {
        {{"draw", "isometrics"}, "--positives and --negatives"},
        {{"draw", "isometrics", "@dolphins", "--positives", "3"}, "without data"},
        {{"draw", "isometrics", "@dolphins", "--measures", "beauty"}, "'beauty' is none of"},
        {{"draw", "isometrics", "@dolphins", "--points", "A=1"}, "positives,negatives"},
        {{"draw", "isometrics", "@dolphins", "--points", "A=9,1"}, "outside the box"},
        {{"draw", "isometrics", "--positives", "3", "--negatives", "3", "--through"}, "candidates"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cairn_report *report;
        assert_fails(ctx, run_words_with(ctx, &report, NULL, cases[i].words), CAIRN_USAGE,
                     cases[i].part);
        cairn_report_free(report);
    }
}

static void test_isometrics__class_of_several(void **state)
{
    cairn_report *report;
    assert_fails(*state,
                 run_words_with(*state, &report, NULL, WORDS("draw", "isometrics", "@iris")),
                 CAIRN_BAD_DATA, "--of-class");
    cairn_report_free(report);
}

static void test_impurity__chords(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report;
    assert_draws(ctx, NULL, WORDS("draw", "impurity"), "entropy / 2|minority class");
    assert_draws(ctx, NULL, WORDS("draw", "impurity", "@dolphins", "--column", "gills"),
                 "before 1|after 0.39|average of the parts");
    assert_draws(ctx, NULL,
                 WORDS("draw", "impurity", "@dolphins", "--column", "length", "--measures", "gini"),
                 "after 0.35");
    assert_draws(ctx, NULL,
                 WORDS("draw", "impurity", "@discretise", "--column", "value", "--cut", "8.75"),
                 "before 0.9183");
    assert_draws(ctx, NULL,
                 WORDS("draw", "impurity", "--split", "8,2;2,8", "--measures", "entropy,sqrt_gini"),
                 "entropy / 2|the whole");
    static const struct {
        const char *words[7], *part;
    } cases[] = {
        {{"draw", "impurity", "--split", "1,2,3;1,2,3"}, "two counts"},
        {{"draw", "impurity", "@dolphins"}, "--column"},
        {{"draw", "impurity", "@discretise", "--column", "value"}, "--cut"},
        {{"draw", "impurity", "@dolphins", "--split", "1,2;3,4"}, "not both"},
        {{"draw", "impurity", "--measures", "beauty"}, "'beauty' is none of"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_fails(ctx, run_words_with(ctx, &report, NULL, cases[i].words), CAIRN_USAGE,
                     cases[i].part);
        cairn_report_free(report);
    }
    assert_fails(
        ctx, run_words_with(ctx, &report, NULL, WORDS("draw", "impurity", "--split", "0,0;0,0")),
        CAIRN_BAD_DATA, "empty");
    cairn_report_free(report);
}

static void test_rules__search_and_orders(void **state)
{
    cairn_context *ctx = *state;
    cairn_virtual_files files = {0};
    cairn_report *report;
    put(ctx, &files, "abc.txt",
        "A: if length = 4 then neg\nB: if beak = yes then pos\nC: if length = 5 then neg\n");
    assert_draws(ctx, NULL, WORDS("draw", "rule-search", "@dolphins"),
                 "rule1, condition 1|rule4, condition 1|teeth = many");
    assert_draws(ctx, NULL,
                 WORDS("draw", "rule-search", "@dolphins", "--learner",
                       "rule-set:heuristic=laplace", "--from", "2", "--choices", "1"),
                 "rule1, condition 2");
    fit(ctx, &files,
        WORDS("fit", "rule-set", "@dolphins", "--given", "abc.txt", "--overlap", "tree", "--save",
              "abc"));
    assert_draws(ctx, &files, WORDS("draw", "rule-curves", "abc", "--part", "orders"),
                 "BCA|only the rule tree");
    fit(ctx, &files, WORDS("fit", "rule-list", "@dolphins", "--save", "list"));
    assert_fails(ctx,
                 run_words_with(ctx, &report, &files,
                                WORDS("draw", "rule-curves", "list", "--part", "orders")),
                 CAIRN_USAGE, "two or three");
    cairn_report_free(report);
    assert_fails(ctx,
                 run_words_with(ctx, &report, NULL,
                                WORDS("draw", "rule-search", "@dolphins", "--learner", "tree")),
                 CAIRN_USAGE, "rule-list or rule-set");
    cairn_report_free(report);
    assert_fails(ctx, run_words_with(ctx, &report, NULL, WORDS("draw", "rule-search", "@iris")),
                 CAIRN_USAGE, "no choice to draw");
    cairn_report_free(report);
    assert_ok(ctx, run_words_with(ctx, &report, NULL,
                                  WORDS("compute", "subgroups", "@dolphins", "--max-literals", "1",
                                        "--covering")));
    assert_true(cairn_report_figure_count(report) >= 2);
    assert_string_equal(cairn_figure_name(cairn_report_figure_at(report, 1)), "covering-1");
    cairn_report_free(report);
    cairn_virtual_clear(&files);
}

static void test_forest__vote_of_a_row(void **state)
{
    cairn_context *ctx = *state;
    cairn_virtual_files files = {0};
    cairn_report *report;
    fit(ctx, &files, WORDS("fit", "forest", "@iris", "--trees", "5", "--save", "f"));
    report =
        drawn(ctx, &files, WORDS("draw", "forest", "f", "@iris", "--part", "vote", "--row", "1"));
    const cairn_figure *figure = cairn_report_figure_at(report, 0);
    assert_string_equal(cairn_figure_title(figure), "5 of 5 trees answer setosa");
    assert_int_equal(figure->n_panels, 4);
    assert_string_equal(cairn_figure_title(figure->panels[0]), "Tree 1: setosa");
    assert_int_equal(figure->panels[0]->nodes[0].flags, CAIRN_NODE_MARKED);
    cairn_report_free(report);
    assert_fails(
        ctx, run_words_with(ctx, &report, &files, WORDS("draw", "forest", "f", "--part", "vote")),
        CAIRN_USAGE, "MODEL DATA");
    cairn_report_free(report);
    assert_fails(
        ctx,
        run_words_with(ctx, &report, &files,
                       WORDS("draw", "forest", "f", "@iris", "--part", "vote", "--row", "999")),
        CAIRN_BAD_DATA, "150 rows");
    cairn_report_free(report);
    cairn_virtual_clear(&files);
}

static void test_columns__cut_again_and_again(void **state)
{
    cairn_context *ctx = *state;
    assert_draws(ctx, NULL, WORDS("draw", "feature-coverage", "@discretise", "--splits", "3"),
                 "1: 11.35|2: 7.05|3: 8.75");
}

static cairn_status draw_work(cairn_context *ctx, void *data)
{
    cairn_report *report = NULL, *fitted = NULL;
    cairn_virtual_files files = {0};
    cairn_status status;
    TRY(run_words_with(ctx, &fitted, &files, WORDS("fit", "tree", "@dolphins", "--save", "d")));
    TRY(run_words_with(ctx, &report, &files, data));
done:
    cairn_report_free(fitted);
    cairn_report_free(report);
    cairn_virtual_clear(&files);
    return status;
}

static void test_trees__survive_failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(
        draw_work,
        (void *)WORDS("draw", "tree", "d", "@dolphins", "--captions", "test,table", "--beside"));
    assert_survives_allocation_failures(
        draw_work, (void *)WORDS("draw", "tree-coverage", "d", "--part", "growth"));
    assert_survives_allocation_failures(
        draw_work, (void *)WORDS("draw", "tree-coverage", "d", "--part", "pruned"));
    assert_survives_allocation_failures(
        draw_work, (void *)WORDS("draw", "isometrics", "@dolphins", "--inflate", "3"));
    assert_survives_allocation_failures(draw_work,
                                        (void *)WORDS("draw", "rule-search", "@dolphins"));
    assert_survives_allocation_failures(
        draw_work, (void *)WORDS("draw", "impurity", "@dolphins", "--column", "length"));
    assert_survives_allocation_failures(
        draw_work, (void *)WORDS("draw", "feature-coverage", "@discretise", "--splits", "2"));
}

/* A split into sixty leaves is far too wide from the top: it grows to the right unless asked not
 * to. */
static void test_trees__wide_ones_grow_to_the_right(void **state)
{
    cairn_context *ctx = *state;
    cairn_virtual_files files = {0};
    char csv[8000] = "place,class\n";
    for (int i = 0; i < 120; i++)
        snprintf(csv + strlen(csv), sizeof csv - strlen(csv), "a place number %d,%c\n", i % 60,
                 "ab"[i % 2]);
    put(ctx, &files, "places.csv", csv);
    fit(ctx, &files,
        WORDS("fit", "tree", "places.csv", "--target", "class", "--kinds", "place=level",
              "--preset", "full", "--save", "p"));
    for (int asked = 0; asked < 2; asked++) {
        cairn_report *report;
        double width;
        assert_ok(ctx, run_words_with(ctx, &report, &files,
                                      asked ? WORDS("draw", "tree", "p", "--direction", "down")
                                            : WORDS("draw", "tree", "p")));
        assert_ok(ctx, cairn_figure_extent(ctx, cairn_report_figure_at(report, 0), &width));
        assert_true(asked ? width > 2000 : width < 1000);
        cairn_report_free(report);
    }
    cairn_virtual_clear(&files);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_trees__captions),
        context_test(test_trees__wide_ones_grow_to_the_right),
        context_test(test_trees__mean_vectors),
        context_test(test_trees__forms),
        context_test(test_trees__under_construction),
        context_test(test_trees__large_and_odd_ones),
        context_test(test_trees__refusals),
        context_test(test_trees__in_coverage_space),
        context_test(test_trees__growth_in_numbers),
        context_test(test_isometrics__with_candidates),
        context_test(test_isometrics__class_of_several),
        context_test(test_impurity__chords),
        context_test(test_rules__search_and_orders),
        context_test(test_forest__vote_of_a_row),
        context_test(test_columns__cut_again_and_again),
        context_test(test_trees__survive_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
