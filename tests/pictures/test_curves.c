/* SPDX-License-Identifier: MIT */
/* Pictures of rankings, probabilities and confusion tables: each draws in all its forms and refuses
 * what it cannot draw. */
#include "support/fail_alloc.h"
#include "support/run.h"

#include "base/memory.h"

static void assert_draws(cairn_context *ctx, const char *const *words, const char *part)
{
    cairn_report *report;
    char *text;
    assert_ok(ctx, run_words(ctx, &report, words));
    assert_int_equal(cairn_report_figure_count(report), 1);
    const cairn_figure *figure = cairn_report_figure_at(report, 0);
    assert_ok(ctx, cairn_figure_svg(ctx, figure, &text));
    if (!strstr(text, part)) fail_msg("%s: '%s' is not in the picture", words[1], part);
    cairn_string_free(text);
    assert_ok(ctx, cairn_figure_terminal(ctx, figure, 80, false, &text));
    assert_true(strlen(text) > 100);
    cairn_string_free(text);
    cairn_report_free(report);
}

static void assert_refuses(cairn_context *ctx, const char *const *words, cairn_status status,
                           const char *part)
{
    cairn_report *report;
    assert_fails(ctx, run_words(ctx, &report, words), status, part);
    cairn_report_free(report);
}

static void test_curves__dartboards(void **state)
{
    cairn_context *ctx = *state;
    assert_draws(ctx, WORDS("draw", "dartboard"), "high bias, low variance");
    assert_draws(ctx, WORDS("draw", "dartboard", "--darts", "1", "--bias", "0"), "low bias, high");
    assert_refuses(ctx, WORDS("draw", "dartboard", "--darts", "0"), CAIRN_USAGE, "darts");
}

static void test_curves__block_schemes(void **state)
{
    cairn_context *ctx = *state;
    static const char *const known[][2] = {{"agent", "performance element"},
                                           {"design", "target function"},
                                           {"parts", "validation part"},
                                           {"process", "generalisation"},
                                           {"search", "hypotheses H"},
                                           {"supervised", "labelled examples"},
                                           {"table", "features"},
                                           {"training", "makes the difference less"},
                                           {"word-recogniser", "names the word"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_draws(ctx, WORDS("draw", "scheme", known[i][0]), known[i][1]);
    assert_refuses(ctx, WORDS("draw", "scheme", "nothing"), CAIRN_USAGE, "word-recogniser");
    assert_refuses(ctx, WORDS("draw", "scheme"), CAIRN_USAGE, "needs a word");
}

static void test_curves__table_of_z(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report = NULL;
    static const struct {
        const char *part;
        double at_196;
    } areas[] = {{"below", 0.9750021048517795},
                 {"above", 0.0249978951482205},
                 {"middle", 0.4750021048517795},
                 {"between", 0.950004209703559},
                 {"outside", 0.049995790296441}};
    for (size_t i = 0; i < 5; i++) {
        assert_ok(ctx,
                  run_words(ctx, &report,
                            WORDS("compute", "z-table", "--part", areas[i].part, "--to", "2")));
        assert_number(report, "area.1.96", areas[i].at_196, 1e-14);
        assert_number(report, "z.95", 1.959963984540054, 1e-12);
        cairn_report_free(report);
        assert_draws(ctx, WORDS("draw", "z-table", "--part", areas[i].part), ".09");
    }
    assert_draws(ctx, WORDS("draw", "z-table"), ".9750");
    assert_refuses(ctx, WORDS("compute", "z-table", "--from", "2", "--to", "1"), CAIRN_USAGE,
                   "no row");
}

/* A density over a histogram is named with its parameters; what is none is refused. */
static void test_curves__typed_densities_over_a_histogram(void **state)
{
    cairn_context *ctx = *state;
    assert_draws(ctx,
                 WORDS("draw", "histogram", "@mixture", "--law", "normal", "--parameters", "3,2",
                       "--function", "waiting=0.3*exp(-0.3*x)"),
                 "normal(3,2)");
    assert_draws(ctx,
                 WORDS("draw", "histogram", "@mixture", "--function", "waiting=0.3*exp(-0.3*x)"),
                 "waiting");
    assert_draws(ctx,
                 WORDS("draw", "histogram", "@mixture", "--law", "poisson", "--parameters", "4"),
                 "poisson(4)");
    assert_draws(ctx, WORDS("draw", "histogram", "@mixture", "--law", "normal"), "normal(0,1)");
    assert_refuses(ctx, WORDS("draw", "histogram", "@mixture", "--law", "bell"), CAIRN_USAGE,
                   "'bell' is none");
    assert_refuses(ctx,
                   WORDS("draw", "histogram", "@mixture", "--law", "gamma", "--parameters", "1"),
                   CAIRN_USAGE, "two parameters");
    assert_refuses(
        ctx, WORDS("draw", "histogram", "@mixture", "--law", "normal", "--parameters", "1,-1"),
        CAIRN_USAGE, "there is no normal of 1,-1");
    assert_refuses(ctx, WORDS("draw", "histogram", "@mixture", "--function", "x - 5"), CAIRN_USAGE,
                   "no density");
    assert_refuses(ctx, WORDS("draw", "histogram", "@mixture", "--parameters", "1"), CAIRN_USAGE,
                   "only with");
}

static void test_curves__of_rankings(void **state)
{
    cairn_context *ctx = *state;
    assert_draws(ctx,
                 WORDS("draw", "roc", "@spam-scores", "--positive", "spam", "--hull",
                       "--lower-hull", "--area", "--nearest", "--thresholds", "--rules", "--best",
                       "--centres"),
                 "line of equal value");
    assert_draws(ctx,
                 WORDS("draw", "coverage", "--segments", "tree=[20+,5-][10+,5-]", "--segments",
                       "list=[9+][21+,10-]"),
                 ", list");
    assert_draws(ctx,
                 WORDS("draw", "classifiers", "--points", "A=30,20,10,40;B=20,30,5,45", "--front"),
                 "not dominated");
    assert_draws(ctx, WORDS("draw", "classifiers", "@bmi", "--coverage"), "negatives covered");
    assert_draws(ctx,
                 WORDS("draw", "classifiers", "--points", "A=30,20,10,40;B=20,30,5,45", "--lines",
                       "accuracy"),
                 "accuracy 0.7, A");
    assert_draws(ctx,
                 WORDS("draw", "classifiers", "--points", "A=30,20,0,40", "--lines", "precision",
                       "--coverage"),
                 "precision 1, A");
    assert_draws(ctx, WORDS("draw", "precision-recall", "@roc-scores"), "average precision");
    assert_draws(ctx, WORDS("draw", "cost-curve", "@roc-scores"), "normalised cost");
    assert_draws(ctx,
                 WORDS("draw", "lines", "@cv-accuracies", "--y", "naive_bayes,decision_tree",
                       "--turning", "naive_bayes", "--low", "naive_bayes", "--high",
                       "decision_tree", "--log", "x"),
                 "turning point");
    assert_draws(
        ctx, WORDS("draw", "lines", "@cv-accuracies", "--turning", "naive_bayes", "--best", "low"),
        "smallest value");
    assert_refuses(ctx, WORDS("draw", "lines", "@cv-accuracies", "--low", "naive_bayes"),
                   CAIRN_USAGE, "counts only with --high");
    assert_draws(ctx, WORDS("draw", "lift", "@lift", "--size", "share", "--rate", "response"),
                 "at random");
    assert_draws(ctx, WORDS("draw", "lift", "@roc-scores", "--show", "gain"),
                 "share of all positives");
    assert_draws(ctx, WORDS("draw", "pairs", "@roc-scores"), "score of the negative");
    assert_refuses(ctx, WORDS("draw", "roc"), CAIRN_USAGE, "needs --segments");
    assert_refuses(ctx, WORDS("draw", "roc", "--segments", "+++"), CAIRN_BAD_DATA,
                   "one class only");
}

static void test_curves__of_probabilities(void **state)
{
    cairn_context *ctx = *state;
    assert_draws(
        ctx,
        WORDS("draw", "calibration", "@weight-diabetes", "--isotonic", "--logistic", "--platt"),
        "most likely logistic");
    assert_draws(ctx, WORDS("draw", "calibration", "@roc-scores", "--beta", "--laplace"), "beta");
    assert_draws(ctx, WORDS("draw", "reliability", "@roc-scores"), "perfect");
    assert_draws(ctx, WORDS("draw", "triangle", "@scores-three", "--tuned"), "adjusted weights");
    assert_draws(ctx, WORDS("draw", "triangle", "@scores-three", "--weights", "1,2,1"), "C3");
    assert_draws(ctx, WORDS("draw", "losses", "--from", "-1", "--to", "3"), "hinge");
    assert_refuses(ctx, WORDS("draw", "losses", "--from", "3", "--to", "1"), CAIRN_USAGE, "--from");
    assert_refuses(ctx, WORDS("draw", "losses", "@iris"), CAIRN_USAGE, "options only");
    assert_refuses(ctx, WORDS("draw", "triangle", "@roc-scores"), CAIRN_BAD_DATA, "three classes");
}

static void test_curves__of_grids(void **state)
{
    cairn_context *ctx = *state;
    assert_draws(ctx, WORDS("draw", "confusion", "@confusion-pets", "--shares"), "rabbit");
    assert_draws(ctx, WORDS("draw", "confusion", "--table", "5,1;2,8"), "predicted");
    assert_draws(ctx, WORDS("draw", "heat", "@confusion-pets"), "rabbit");
    assert_draws(ctx, WORDS("draw", "tartan", "@weather", "--smooth", "laplace"), "(alone)");
    assert_refuses(ctx, WORDS("draw", "tartan", "@iris"), CAIRN_USAGE, "two classes");
    assert_refuses(ctx, WORDS("draw", "heat", "@weather", "--columns", "outlook"), CAIRN_USAGE,
                   "not numbers");
}

static cairn_status draw_some(cairn_context *ctx, void *data)
{
    cairn_report *report = NULL;
    cairn_status status = run_words(ctx, &report, data);
    cairn_report_free(report);
    return status;
}

static void test_curves__survive_failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(
        draw_some,
        (void *)WORDS("draw", "roc", "--segments", "[2+,1-][1+,4-]", "--hull", "--best"));
    assert_survives_allocation_failures(draw_some,
                                        (void *)WORDS("draw", "confusion", "--table", "5,1;2,8"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_curves__of_rankings),
        context_test(test_curves__dartboards),
        context_test(test_curves__block_schemes),
        context_test(test_curves__table_of_z),
        context_test(test_curves__typed_densities_over_a_histogram),
        context_test(test_curves__of_probabilities),
        context_test(test_curves__of_grids),
        cmocka_unit_test(test_curves__survive_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
