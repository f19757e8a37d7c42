/* SPDX-License-Identifier: MIT */
/* Every picture draws on built-in data, in the terminal and as svg, and refuses what it cannot
 * draw. */
#include "pictures/picture.h"
#include "support/fail_alloc.h"
#include "support/learn.h"
#include "support/run.h"

#include "base/memory.h"
#include "draw/figure_data.h"
#include <stdio.h>

/* Draw and check that there is one figure that becomes svg and letters. */
static void assert_draws(cairn_context *ctx, cairn_virtual_files *files, const char *const *words,
                         const char *part)
{
    cairn_report *report;
    char *text;
    assert_ok(ctx, run_words_with(ctx, &report, files, words));
    assert_int_equal(cairn_report_figure_count(report), 1);
    const cairn_figure *figure = cairn_report_figure_at(report, 0);
    assert_ok(ctx, cairn_figure_svg(ctx, figure, &text));
    assert_non_null(strstr(text, "<svg"));
    assert_non_null(strstr(text, part));
    cairn_string_free(text);
    assert_ok(ctx, cairn_figure_terminal(ctx, figure, 80, false, &text));
    assert_true(strlen(text) > 100);
    cairn_string_free(text);
    cairn_report_free(report);
}

static void test_pictures__of_data(void **state)
{
    cairn_context *ctx = *state;
    assert_draws(ctx, NULL, WORDS("draw", "scatter", "@iris"), "virginica");
    assert_draws(ctx, NULL,
                 WORDS("draw", "scatter", "@iris", "--x", "petal_width", "--colour", "none"),
                 "petal_width");
    assert_draws(ctx, NULL, WORDS("draw", "histogram", "@iris", "--bins", "5"), "sepal_length");
    assert_draws(ctx, NULL, WORDS("draw", "bars", "@weather", "--column", "outlook"), "overcast");
    assert_draws(ctx, NULL, WORDS("draw", "bars", "@iris", "--amount", "petal_width"),
                 "petal_width");
    assert_draws(
        ctx, NULL,
        WORDS("draw", "lines", "@iris", "--x", "sepal_length", "--y", "petal_length,petal_width"),
        "petal_length");
}

/* Quartiles, whiskers, notches and outliers as R has them (quantile type 7). */
static void test_pictures__box_plots_have_the_right_numbers(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report;
    assert_ok(ctx,
              run_words(ctx, &report, WORDS("compute", "box", "@iris", "--column", "sepal_width")));
    assert_value(report, "setosa.q1", 3.2, 1e-9);
    assert_value(report, "setosa.median", 3.4, 1e-9);
    assert_value(report, "setosa.q3", 3.675, 1e-9);
    assert_value(report, "setosa.whisker_low", 2.9, 1e-9);
    assert_value(report, "setosa.whisker_high", 4.2, 1e-9);
    assert_value(report, "setosa.outliers", 2, 1e-9);
    assert_value(report, "setosa.outlier.1", 2.3, 1e-9);
    assert_value(report, "setosa.outlier.2", 4.4, 1e-9);
    assert_value(report, "versicolor.notch_low", 2.69453502359, 1e-9);
    assert_value(report, "versicolor.notch_high", 2.90546497641, 1e-9);
    assert_value(report, "virginica.whisker_low", 2.5, 1e-9);
    cairn_report_free(report);
    assert_ok(ctx, run_words(ctx, &report,
                             WORDS("compute", "box", "--values", "1,2,3,9", "--weights", "1,1,1,0",
                                   "--reach", "0")));
    assert_value(report, "max", 3, 1e-9);
    assert_value(report, "whisker_high", 3, 1e-9);
    cairn_report_free(report);
}

static void test_pictures__of_spread_and_pairs(void **state)
{
    cairn_context *ctx = *state;
    assert_draws(ctx, NULL, WORDS("draw", "box", "@iris", "--notches", "--means"), "versicolor");
    assert_draws(ctx, NULL, WORDS("draw", "box", "@iris", "--by", "none", "--points"),
                 "sepal_length");
    assert_draws(ctx, NULL, WORDS("draw", "violin", "@iris", "--scale", "count"), "virginica");
    assert_draws(ctx, NULL, WORDS("draw", "scatter-matrix", "@weather"), "overcast");
    assert_draws(ctx, NULL, WORDS("draw", "scatter-matrix", "@iris", "--columns", "petal_length"),
                 "petal_length");
}

static void test_pictures__take_titles_and_labels(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report;
    assert_draws(ctx, NULL, WORDS("draw", "scatter", "@iris", "--title", "Flowers"), "Flowers");
    assert_draws(ctx, NULL, WORDS("draw", "roc", "@roc-scores", "--x-label", "false alarms"),
                 "false alarms");
    assert_draws(ctx, NULL, WORDS("draw", "scatter-matrix", "@iris", "--y-label", "cm"), "cm");
    assert_fails(ctx, run_words(ctx, &report, WORDS("draw", "heat", "@iris", "--x-label", "x")),
                 CAIRN_USAGE, "has no axes");
    cairn_report_free(report);
    assert_fails(ctx, run_words(ctx, &report, WORDS("draw", "bars", "@iris", "--height", "count")),
                 CAIRN_USAGE, "use --amount");
    cairn_report_free(report);
    assert_fails(ctx, run_words(ctx, &report, WORDS("draw", "histogram", "@iris", "--width", "1")),
                 CAIRN_USAGE, "use --bin-width");
    cairn_report_free(report);
}

static void test_pictures__of_components_and_maps(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report;
    assert_draws(ctx, NULL, WORDS("draw", "components", "@pca"), "projection on e1");
    assert_draws(ctx, NULL, WORDS("draw", "components", "@pca", "--part", "range"),
                 "along e1: 10.82");
    assert_draws(ctx, NULL, WORDS("draw", "components", "@pca", "--part", "strip"), "score");
    assert_draws(ctx, NULL, WORDS("draw", "components", "@iris"), "92.5% of the variance");
    assert_draws(ctx, NULL, WORDS("draw", "scree", "@wine", "--scale"), "eigenvalue");
    assert_draws(ctx, NULL, WORDS("draw", "map", "@mlm"), "naive Bayes");
    assert_draws(ctx, NULL, WORDS("draw", "map", "@distances-five", "--as", "distances"),
                 "dimension 2");
    assert_draws(ctx, NULL, WORDS("draw", "map", "@iris"), "virginica");
    assert_fails(ctx,
                 run_words_with(ctx, &report, NULL,
                                WORDS("draw", "components", "@iris", "--columns", "petal_width",
                                      "--part", "plane")),
                 CAIRN_BAD_DATA, "needs two number columns");
    cairn_report_free(report);
}

static void test_pictures__of_features_and_classes(void **state)
{
    cairn_context *ctx = *state;
    assert_draws(ctx, NULL, WORDS("draw", "discretised", "@discretise"), "cut point");
    assert_draws(ctx, NULL,
                 WORDS("draw", "discretised", "@iris", "--with", "discretise:mdl=yes", "--column",
                       "petal_width"),
                 "virginica");
    assert_draws(ctx, NULL, WORDS("draw", "feature-coverage", "@discretise"), "11.35");
    assert_draws(ctx, NULL,
                 WORDS("draw", "feature-coverage", "@iris", "--of-class", "virginica", "--column",
                       "petal_width"),
                 "median split");
    assert_draws(ctx, NULL, WORDS("draw", "feature-map", "@discretise", "--map", "steps"),
                 "isotonic, Laplace");
    assert_draws(ctx, NULL, WORDS("draw", "feature-map", "@weather", "--column", "outlook"),
                 "overcast");
    assert_draws(ctx, NULL, WORDS("draw", "calibrated", "@iris", "--of-class", "virginica"),
                 "log-odds");
    assert_draws(
        ctx, NULL,
        WORDS("draw", "calibrated", "@iris", "--of-class", "setosa", "--method", "isotonic"),
        "probability");
}

static void test_pictures__of_features_refuse(void **state)
{
    cairn_context *ctx = *state;
    static const struct {
        const char *words[8], *part;
    } cases[] = {
        {{"draw", "feature-coverage", "@iris"}, "--of-class"},
        {{"draw", "feature-map", "@iris", "--of-class", "rosa"}, "no class 'rosa'"},
        {{"draw", "calibrated", "@kmeans-twelve"}, "--target"},
        {{"draw", "discretised", "@discretise", "--with", "standardise"}, "cuts nothing"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cairn_report *report = NULL;
        cairn_status status = run_words_with(ctx, &report, NULL, cases[i].words);
        assert_true(status == CAIRN_USAGE || status == CAIRN_BAD_DATA);
        if (!strstr(cairn_message(ctx), cases[i].part))
            fail_msg("message '%s' lacks '%s'", cairn_message(ctx), cases[i].part);
        cairn_report_free(report);
    }
}

static void test_pictures__of_models(void **state)
{
    cairn_context *ctx = *state;
    cairn_virtual_files files = {0};
    cairn_report *report;
    assert_ok(
        ctx, run_words_with(ctx, &report, &files, WORDS("fit", "tree", "@weather", "--save", "t")));
    cairn_report_free(report);
    assert_ok(ctx,
              run_words_with(ctx, &report, &files,
                             WORDS("fit", "kmeans", "@iris", "--clusters", "3", "--save", "k")));
    cairn_report_free(report);
    assert_ok(ctx, run_words_with(ctx, &report, &files,
                                  WORDS("fit", "rule-set", "@dolphins", "--features", "length,beak",
                                        "--save", "r", "--overlap", "tree")));
    cairn_report_free(report);
    assert_draws(ctx, &files, WORDS("draw", "rule-curves", "r"), "positives");
    assert_draws(ctx, &files, WORDS("draw", "rule-regions", "r"), "beak = no");
    assert_draws(ctx, &files, WORDS("draw", "tree", "r"), "length = 4");
    assert_fails(ctx, run_words_with(ctx, &report, &files, WORDS("draw", "rule-regions", "t")),
                 CAIRN_USAGE, "no regions of rules");
    cairn_report_free(report);
    assert_draws(ctx, &files, WORDS("draw", "tree", "t"), "humidity");
    assert_draws(ctx, &files, WORDS("draw", "clusters", "k", "@iris"), "cluster 3");
    assert_draws(ctx, &files, WORDS("draw", "regions", "k", "@iris", "--grid", "20"), "cluster 3");
    assert_fails(ctx,
                 run_words_with(ctx, &report, &files,
                                WORDS("draw", "regions", "k", "@iris", "--at", "petal")),
                 CAIRN_USAGE, "COLUMN=VALUE");
    cairn_report_free(report);
    assert_fails(ctx, run_words_with(ctx, &report, &files, WORDS("draw", "tree", "k")), CAIRN_USAGE,
                 "no tree");
    cairn_report_free(report);
    assert_fails(ctx, run_words_with(ctx, &report, &files, WORDS("draw", "clusters", "t", "@iris")),
                 CAIRN_USAGE, "does not make clusters");
    cairn_report_free(report);
    cairn_virtual_clear(&files);
}

/* A wrapper's picture is that of the model inside; nothing is described for it. */
static void test_pictures__of_the_model_inside_a_wrapper(void **state)
{
    cairn_context *ctx = *state;
    cairn_virtual_files files = {0};
    cairn_report *report;
    assert_ok(ctx,
              run_words_with(ctx, &report, &files,
                             WORDS("fit", "calibrated", "@titanic", "--learner", "tree:max-depth=2",
                                   "--features", "sex,pclass", "--save", "c")));
    cairn_report_free(report);
    assert_draws(ctx, &files, WORDS("draw", "tree-regions", "c"), "sex");
    assert_draws(ctx, &files, WORDS("draw", "tree", "c"), "sex");
    assert_fails(ctx, run_words_with(ctx, &report, &files, WORDS("draw", "rule-curves", "c")),
                 CAIRN_USAGE, "no curves of rules");
    cairn_report_free(report);
    cairn_virtual_clear(&files);
}

/* The border of a tree stands at its threshold, to a part of a cell; where nearly every cell is
 * beside a border there are no lines. */
static void test_pictures__borders_of_regions_are_sharp(void **state)
{
    cairn_context *ctx = *state;
    cairn_virtual_files files = {0};
    cairn_report *report;
    assert_ok(ctx,
              run_words_with(ctx, &report, &files,
                             WORDS("fit", "tree", "@iris", "--max-depth", "1", "--save", "t")));
    cairn_report_free(report);
    assert_ok(ctx, run_words_with(ctx, &report, &files,
                                  WORDS("draw", "regions", "t", "@iris", "--x", "petal_length",
                                        "--y", "petal_width", "--grid", "40")));
    const cairn_figure *figure = cairn_report_figure_at(report, 0);
    const cairn_series *line = NULL;
    for (size_t s = 0; s < figure->n_series; s++)
        if (figure->series[s].guide) line = &figure->series[s];
    assert_non_null(line);
    assert_int_equal(line->n, 3); /* one piece and its end */
    assert_float_equal(line->x[0], 2.45, 5.9 * 1.12 / 40 / 4);
    assert_float_equal(line->x[1], line->x[0], 0);
    cairn_report_free(report);
    char csv[1200] = "x,y,class\n";
    for (int i = 0; i < 60; i++)
        snprintf(csv + strlen(csv), sizeof csv - strlen(csv), "%d,%d,%c\n", i % 2, 1000 * i,
                 "ab"[i % 2]);
    assert_ok(ctx, cairn_virtual_put(ctx, &files, "striped.csv", csv, strlen(csv)));
    assert_ok(ctx, run_words_with(ctx, &report, &files,
                                  WORDS("fit", "knn", "striped.csv", "--target", "class", "--k",
                                        "1", "--scale", "none", "--save", "k")));
    cairn_report_free(report);
    assert_ok(ctx, run_words_with(ctx, &report, &files,
                                  WORDS("draw", "regions", "k", "striped.csv", "--grid", "40")));
    figure = cairn_report_figure_at(report, 0);
    for (size_t s = 0; s < figure->n_series; s++) assert_false(figure->series[s].guide);
    cairn_report_free(report);
    cairn_virtual_clear(&files);
}

static void test_pictures__refusals(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report;
    const struct {
        const char *const *words;
        cairn_status status;
        const char *part;
    } bad[] = {
        {WORDS("draw", "scatter", "@weather"), CAIRN_BAD_DATA, "too few"},
        {WORDS("draw", "scatter", "@iris", "--x", "species"), CAIRN_USAGE, "not numbers"},
        {WORDS("draw", "scatter", "@iris", "--colour", "petal_width"), CAIRN_USAGE, "no levels"},
        {WORDS("draw", "histogram", "@iris", "--bins", "-1"), CAIRN_USAGE, "--bins"},
        {WORDS("draw", "bars", "@iris", "--column", "petal_width"), CAIRN_USAGE, "no levels"},
        {WORDS("draw", "histogram", "@iris", "@weather"), CAIRN_USAGE, "takes DATA"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_fails(ctx, run_words_with(ctx, &report, NULL, bad[i].words), bad[i].status,
                     bad[i].part);
        cairn_report_free(report);
    }
}

static void test_pictures__missing_cells_are_left_out(void **state)
{
    cairn_context *ctx = *state;
    cairn_virtual_files files = {0};
    const char *csv = "x,y,c\n1,2,a\n,3,b\n2,,\n3,1,a\n";
    assert_ok(ctx, cairn_virtual_put(ctx, &files, "t.csv", csv, strlen(csv)));
    assert_draws(ctx, &files, WORDS("draw", "scatter", "t.csv", "--colour", "c"), "<svg");
    assert_draws(ctx, &files, WORDS("draw", "histogram", "t.csv", "--column", "x"), "<svg");
    assert_draws(ctx, &files, WORDS("draw", "bars", "t.csv", "--column", "c"), "<svg");
    assert_draws(ctx, &files, WORDS("draw", "lines", "t.csv", "--x", "x"), "<svg");
    cairn_virtual_clear(&files);
}

static cairn_status draw_work(cairn_context *ctx, void *data)
{
    cairn_report *report = NULL;
    cairn_virtual_files files = {0};
    const char *csv = "x,y,c\n1,2,a\n2,3,b\n3,1,a\n";
    cairn_status status;
    TRY(cairn_virtual_put(ctx, &files, "t.csv", csv, strlen(csv)));
    TRY(run_words_with(ctx, &report, &files, data));
done:
    cairn_report_free(report);
    cairn_virtual_clear(&files);
    return status;
}

static void test_pictures__survive_failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(draw_work, (void *)WORDS("draw", "scatter", "t.csv"));
    assert_survives_allocation_failures(draw_work, (void *)WORDS("draw", "histogram", "t.csv"));
    assert_survives_allocation_failures(draw_work, (void *)WORDS("draw", "bars", "t.csv"));
    assert_survives_allocation_failures(draw_work, (void *)WORDS("draw", "lines", "t.csv"));
    assert_survives_allocation_failures(draw_work, (void *)WORDS("draw", "box", "t.csv"));
    assert_survives_allocation_failures(draw_work, (void *)WORDS("draw", "violin", "t.csv"));
    assert_survives_allocation_failures(draw_work,
                                        (void *)WORDS("draw", "scatter-matrix", "t.csv"));
    assert_survives_allocation_failures(
        draw_work, (void *)WORDS("draw", "calibrated", "@iris", "--of-class", "virginica"));
    assert_survives_allocation_failures(draw_work,
                                        (void *)WORDS("draw", "discretised", "@discretise"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_pictures__of_data),
        context_test(test_pictures__box_plots_have_the_right_numbers),
        context_test(test_pictures__of_spread_and_pairs),
        context_test(test_pictures__take_titles_and_labels),
        context_test(test_pictures__of_components_and_maps),
        context_test(test_pictures__of_features_and_classes),
        context_test(test_pictures__of_features_refuse),
        context_test(test_pictures__of_models),
        context_test(test_pictures__of_the_model_inside_a_wrapper),
        context_test(test_pictures__borders_of_regions_are_sharp),
        context_test(test_pictures__refusals),
        context_test(test_pictures__missing_cells_are_left_out),
        context_test(test_pictures__survive_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
