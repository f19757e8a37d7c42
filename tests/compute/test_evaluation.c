/* SPDX-License-Identifier: MIT */
/* The calculators of measures, curves and probabilities: what they refuse, and what the lessons do
 * not reach. */
#include "model/calculator.h"
#include "support/fail_alloc.h"
#include "support/run.h"

#include <math.h>
#include <stdio.h>

static void assert_value(const cairn_report *report, const char *name, double expected)
{
    assert_number(report, name, expected, 1e-9);
}

/* Run it, compare one value, free the report. */
static void assert_computes(cairn_context *ctx, const char *const *words, const char *name,
                            double value)
{
    cairn_report *r;
    assert_ok(ctx, run_words(ctx, &r, words));
    assert_value(r, name, value);
    cairn_report_free(r);
}

static void assert_refuses(cairn_context *ctx, const char *const *words, cairn_status status,
                           const char *part)
{
    cairn_report *r;
    assert_fails(ctx, run_words(ctx, &r, words), status, part);
    cairn_report_free(r);
}

static const char *file_of(const char *text)
{
    static char path[64];
    snprintf(path, sizeof path, "evaluation-test.csv");
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    return path;
}

static void test_confusion__costs_and_policies(void **state)
{
    cairn_context *ctx = *state;
    assert_computes(ctx,
                    WORDS("compute", "confusion", "--tp", "40", "--fn", "10", "--fp", "5", "--tn",
                          "45", "--cost-fp", "2", "--cost-fn", "7"),
                    "cost.total", 80);
    assert_computes(ctx,
                    WORDS("compute", "confusion", "--table", "5,1,0;2,6,1;0,0,7", "--costs",
                          "0,1,9;2,0,1;9,9,0"),
                    "cost.mean", (1 + 4 + 1) / 22.0);
    assert_computes(ctx,
                    WORDS("compute", "confusion", "--table", "5,1,0;2,6,1;0,0,7", "--costs",
                          "0,1,9;2,0,1;9,9,0"),
                    "cost.error", 6.0 / (6 * 9 + 9 * 2 + 7 * 9));
    assert_computes(ctx, WORDS("compute", "confusion", "--table", "0,4;0,6"), "precision", NAN);
    assert_computes(ctx, WORDS("compute", "confusion", "--table", "0,4;0,6", "--undefined", "one"),
                    "precision", 1);
    assert_computes(ctx, WORDS("compute", "confusion", "--table", "1,2;3,4", "--rows", "predicted"),
                    "fn", 3);
    assert_computes(ctx,
                    WORDS("compute", "confusion", "--labels", "a,b,a", "--predictions", "a,a,c"),
                    "accuracy", 1.0 / 3);
}

static void test_confusion__refusals(void **state)
{
    cairn_context *ctx = *state;
    assert_refuses(ctx, WORDS("compute", "confusion"), CAIRN_USAGE, "needs DATA");
    assert_refuses(ctx, WORDS("compute", "confusion", "--tp", "4"), CAIRN_USAGE, "--fn is missing");
    assert_refuses(
        ctx, WORDS("compute", "confusion", "--tp", "-4", "--fn", "1", "--fp", "1", "--tn", "1"),
        CAIRN_USAGE, "--tp -4");
    assert_refuses(ctx, WORDS("compute", "confusion", "--table", "1,2;3,-4"), CAIRN_USAGE,
                   "not negative");
    assert_refuses(ctx, WORDS("compute", "confusion", "--table", "1,2,3;3,4,5"), CAIRN_USAGE,
                   "square");
    assert_refuses(ctx, WORDS("compute", "confusion", "--table", "1,2;3,4", "--classes", "a"),
                   CAIRN_USAGE, "1 names for a table of 2");
    assert_refuses(ctx, WORDS("compute", "confusion", "--table", "1,2;3,4", "--positive", "x"),
                   CAIRN_USAGE, "no class 'x'");
    assert_refuses(ctx, WORDS("compute", "confusion", "--table", "1,2;3,4", "--costs", "1,2,3"),
                   CAIRN_USAGE, "1 x 3 numbers for 2 classes");
    assert_refuses(ctx, WORDS("compute", "confusion", "--labels", "a,b", "--predictions", "a"),
                   CAIRN_USAGE, "2 entries and --predictions 1");
    assert_refuses(ctx,
                   WORDS("compute", "confusion", "--total", "10", "--relevant", "4", "--retrieved",
                         "3", "--found", "5"),
                   CAIRN_USAGE, "contradict");
}

static void test_roc__typed_rankings(void **state)
{
    cairn_context *ctx = *state;
    assert_computes(ctx, WORDS("compute", "roc", "--segments", "p1 - p2 - n1 - p3 - n2"), "errors",
                    1);
    assert_computes(ctx, WORDS("compute", "roc", "--segments", "+-+"), "auc", 0.5);
    assert_computes(ctx, WORDS("compute", "roc", "--segments", "[2+,1−] [ 3- ]"), "tied", 2);
    assert_computes(ctx, WORDS("compute", "roc", "--segments", "[2+]"), "auc", NAN);
    assert_refuses(ctx, WORDS("compute", "roc", "--segments", "[2+"), CAIRN_USAGE, "the end");
    assert_refuses(ctx, WORDS("compute", "roc", "--segments", "[2*]"), CAIRN_USAGE, "'*]'");
    assert_refuses(ctx, WORDS("compute", "roc", "--segments", "[3+,-2-]"), CAIRN_USAGE, "'-2-]'");
    assert_refuses(ctx, WORDS("compute", "roc", "--segments", "p1 n1"), CAIRN_USAGE, "cannot read");
    assert_refuses(ctx, WORDS("compute", "roc", "--segments", " "), CAIRN_USAGE, "cannot read");
    assert_refuses(ctx, WORDS("compute", "roc"), CAIRN_USAGE, "needs --segments");
}

static void test_roc__of_tables(void **state)
{
    cairn_context *ctx = *state;
    const char *f = file_of("s,c\n1,a\n2,b\n3,a\n,b\n");
    assert_refuses(ctx, WORDS("compute", "roc", f, "--target", "c", "--positive", "a"),
                   CAIRN_BAD_DATA, "row 4");
    assert_refuses(ctx, WORDS("compute", "roc", f, "--target", "c", "--positive", "z"), CAIRN_USAGE,
                   "no class 'z'");
    assert_refuses(ctx, WORDS("compute", "roc", f), CAIRN_USAGE, "--target");
    f = file_of("s,t,c\n1,1,a\n2,5,b\n3,2,a\n4,3,b\n");
    assert_refuses(ctx, WORDS("compute", "roc", f, "--target", "c"), CAIRN_USAGE,
                   "2 number columns");
    assert_computes(ctx,
                    WORDS("compute", "roc", f, "--target", "c", "--score", "s", "--positive", "b"),
                    "auc", 0.75);
    assert_computes(
        ctx,
        WORDS("compute", "roc", f, "--target", "c", "--score", "s", "--positive", "b", "--low"),
        "auc", 0.25);
    cairn_report *r;
    assert_ok(ctx, run_words(ctx, &r,
                             WORDS("compute", "roc", f, "--target", "c", "--score", "s,t",
                                   "--positive", "b")));
    assert_value(r, "auc.t", 1);
    cairn_report_free(r);
    f = file_of("cut,tp,tn\n1,3,4\n2,5,2\n");
    assert_refuses(ctx, WORDS("compute", "roc", f), CAIRN_USAGE, "--positives");
    assert_refuses(ctx, WORDS("compute", "roc", f, "--positives", "4", "--negatives", "5"),
                   CAIRN_BAD_DATA, "row 2");
    assert_computes(ctx, WORDS("compute", "roc", f, "--positives", "6", "--negatives", "5"),
                    "point1.fpr", 0.2);
    f = file_of("tp,fn,fp,tn\n1,3,2,2\n3,1,1,3\n");
    assert_refuses(ctx, WORDS("compute", "roc", f), CAIRN_BAD_DATA, "no cut-offs of one score");
    f = file_of("s,c\n1,a\n2,a\n");
    assert_refuses(ctx, WORDS("compute", "threshold", f, "--target", "c", "--positive", "a"),
                   CAIRN_BAD_DATA, "one class only");
    remove(f);
}

static void test_scores__that_are_no_numbers_are_reported_by_row(void **state)
{
    cairn_context *ctx = *state;
    const char *f = file_of("s,c\n1,a\n2,b\nhigh,a\n4,b\n");
    const char *part = "row 3: 's' holds 'high'";
    assert_refuses(ctx, WORDS("compute", "roc", f, "--target", "c"), CAIRN_BAD_DATA, part);
    assert_refuses(ctx, WORDS("compute", "roc", f, "--target", "c", "--score", "s"), CAIRN_BAD_DATA,
                   part);
    assert_refuses(ctx, WORDS("compute", "threshold", f, "--target", "c"), CAIRN_BAD_DATA, part);
    assert_refuses(ctx, WORDS("compute", "lift-chart", f, "--target", "c"), CAIRN_BAD_DATA, part);
    assert_refuses(ctx, WORDS("compute", "calibrate", f, "--target", "c"), CAIRN_BAD_DATA, part);
    assert_refuses(ctx, WORDS("compute", "brier", f, "--target", "c"), CAIRN_BAD_DATA, part);
    assert_refuses(ctx, WORDS("compute", "brier", f, "--target", "c", "--scores", "s"),
                   CAIRN_BAD_DATA, part);
    assert_refuses(ctx, WORDS("compute", "errors", f, "--actual", "s", "--predicted", "s"),
                   CAIRN_BAD_DATA, part);
    remove(f);
}

static void test_one_class__is_said(void **state)
{
    cairn_context *ctx = *state;
    const char *f = file_of("s,c\n1,a\n2,a\n");
    assert_refuses(ctx, WORDS("compute", "roc", f, "--target", "c"), CAIRN_BAD_DATA, "undefined");
    assert_refuses(ctx, WORDS("compute", "expected-accuracy", f, "--target", "c"), CAIRN_BAD_DATA,
                   "one class only");
    assert_refuses(ctx, WORDS("compute", "brier", f, "--target", "c"), CAIRN_BAD_DATA,
                   "one class only");
    assert_refuses(ctx, WORDS("compute", "multiclass-auc", f, "--target", "c"), CAIRN_BAD_DATA,
                   "undefined");
    remove(f);
}

static void test_labels__unknown_ones_are_refused(void **state)
{
    cairn_context *ctx = *state;
    const char *f = file_of("actual,predicted\na,a\nb,b\nb,c\n");
    assert_refuses(ctx, WORDS("compute", "confusion", f, "--classes", "b,a"), CAIRN_BAD_DATA,
                   "row 3: 'c' in 'predicted'");
    assert_computes(ctx, WORDS("compute", "confusion", f, "--classes", "c,b,a"), "confusion.b.c",
                    1);
    assert_refuses(ctx,
                   WORDS("compute", "confusion", "--labels", "a,b", "--predictions", "a,z",
                         "--classes", "a,b"),
                   CAIRN_USAGE, "entry 2, 'z'");
    remove(f);
}

/* Wald and Clopper-Pearson bounds, the delta method for F, kappa after Fleiss, DeLong: numbers of
 * scipy, statsmodels and the definitions. */
static void test_intervals__of_measures(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *r;
    assert_ok(ctx, run_words(ctx, &r, WORDS("compute", "confusion", "--table", "40,10;5,45")));
    assert_value(r, "accuracy.low", 0.85 - 1.959963984540054 * sqrt(0.85 * 0.15 / 100));
    assert_value(r, "f.high",
                 80.0 / 95 + 1.959963984540054 * sqrt(4.0 * 40 * 15 * 55) / (95.0 * 95));
    assert_value(r, "average_recall.low",
                 0.85 - 1.959963984540054 * sqrt((0.16 / 50 + 0.09 / 50) / 4));
    cairn_report_free(r);
    assert_ok(ctx, run_words(ctx, &r, WORDS("compute", "roc", "--segments", "++-+-")));
    assert_value(r, "auc", 5.0 / 6);
    /* placements 1, 1, 1/2 of the positives and 2/3, 1 of the negatives */
    assert_value(r, "auc.low", 5.0 / 6 - 1.959963984540054 * sqrt(1.0 / 36 + 1.0 / 36));
    assert_value(r, "auc.high", 1);
    cairn_report_free(r);
    /* placements of a: positives 1, 1/2, negatives 1, 1/2; of b: all 1/2; differences 1/2, 0
     * twice */
    const char *f = file_of("a,b,c\n4,1,+\n2,1,+\n3,1,-\n1,1,-\n");
    assert_ok(ctx,
              run_words(ctx, &r, WORDS("compute", "roc", f, "--target", "c", "--score", "a,b")));
    assert_value(r, "a-b.difference", 0.25);
    assert_value(r, "a-b.z", 0.25 / sqrt(0.125 / 2 + 0.125 / 2));
    cairn_report_free(r);
    remove(f);
    assert_computes(ctx, WORDS("compute", "errors", "--values", "1,2,3", "--predictions", "2,2,5"),
                    "mae.high", 1 + 4.302652729749464 * sqrt(1.0 / 3));
    assert_computes(ctx, WORDS("compute", "wilcoxon"), "critical.20.0\\.05", 52);
    assert_computes(ctx, WORDS("compute", "t-test", "--differences", "1,2,3"), "low",
                    2 - 4.302652729749464 / sqrt(3.0));
}

/* By hand: means 2 and 5 of 1, 2, 3 and 3, 4, 5, 8, variances 1 and 14/3. */
static void test_two_samples__welch_and_student(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *r = NULL;
    double one = 1.0 / 3, two = 14.0 / 12, error = sqrt(one + two);
    const char *const typed[] = {"compute",  "two-samples",   "--values", "1,2,3,3,4,5,8",
                                 "--groups", "a,a,a,b,b,b,b", NULL};
    assert_ok(ctx, run_words(ctx, &r, typed));
    assert_value(r, "difference", -3);
    assert_value(r, "error", error);
    assert_value(r, "t", -3 / error);
    assert_value(r, "df", (one + two) * (one + two) / (one * one / 2 + two * two / 3));
    assert_value(r, "group.b.deviation", sqrt(14.0 / 3));
    cairn_report_free(r);
    const char *const pooled[] = {"compute",  "two-samples",   "--values", "1,2,3,3,4,5,8",
                                  "--groups", "a,a,a,b,b,b,b", "--pooled", NULL};
    error = sqrt((2 * 1 + 3 * 14.0 / 3) / 5 * (1.0 / 3 + 1.0 / 4));
    assert_computes(ctx, pooled, "df", 5);
    assert_computes(ctx, pooled, "low", -3 - 2.570581835636314 * error);
    assert_computes(ctx,
                    WORDS("compute", "two-samples", "@titanic", "--column", "age", "--by", "sex"),
                    "df", 560.0510212076939);
    assert_refuses(ctx, WORDS("compute", "two-samples", "--values", "1,2"), CAIRN_USAGE, "groups");
    assert_refuses(ctx, WORDS("compute", "two-samples", "@iris", "--by", "species"), CAIRN_BAD_DATA,
                   "and there are more");
    assert_refuses(ctx, WORDS("compute", "two-samples", "--values", "1,2,3", "--groups", "a,a,b"),
                   CAIRN_BAD_DATA, "'b' has one row");
    assert_refuses(ctx,
                   WORDS("compute", "two-samples", "--values", "1,1,2,2", "--groups", "a,a,b,b"),
                   CAIRN_BAD_DATA, "chance has no size");
    assert_refuses(ctx, WORDS("compute", "two-samples", "--values", "1,2", "--groups", "a,a"),
                   CAIRN_BAD_DATA, "one group");
    assert_refuses(ctx, WORDS("compute", "t-test", "@titanic", "--by", "sex"), CAIRN_USAGE,
                   "'compute two-samples' has it");
    assert_refuses(ctx, WORDS("compute", "regression", "@titanic"), CAIRN_USAGE,
                   "'cairn help regression' is about it");
    assert_refuses(ctx, WORDS("report", "@titanic"), CAIRN_USAGE, "'cairn help reports'");
}

static void test_probabilities__refusals(void **state)
{
    cairn_context *ctx = *state;
    const char *f = file_of("p,c\n0.2,a\n1.2,b\n");
    assert_refuses(ctx, WORDS("compute", "brier", f, "--target", "c", "--positive", "b"),
                   CAIRN_BAD_DATA, "row 2");
    f = file_of("p,c\n0.2,a\n0.9,b\n");
    assert_computes(ctx, WORDS("compute", "brier", f, "--target", "c", "--positive", "b"), "mse",
                    (0.04 + 0.01) / 2);
    assert_computes(
        ctx, WORDS("compute", "brier", f, "--target", "c", "--positive", "b", "--brier", "full"),
        "mse", 0.05);
    assert_computes(ctx,
                    WORDS("compute", "brier", f, "--target", "c", "--positive", "b", "--log", "2"),
                    "log_loss", -(log2(0.8) + log2(0.9)) / 2);
    assert_refuses(ctx, WORDS("compute", "brier", "--vector", "0.5,0.6", "--actual", "1"),
                   CAIRN_USAGE, "add up to 1.1, not to 1");
    assert_refuses(ctx, WORDS("compute", "brier", "--vector", "0.5,0.5", "--actual", "3"),
                   CAIRN_USAGE, "from 1 to 2");
    assert_refuses(ctx, WORDS("compute", "brier", "--segments", "[1+][1-]", "--estimates", "0.5"),
                   CAIRN_USAGE, "1 number for 2 segments");
    assert_refuses(ctx, WORDS("compute", "brier", "--segments", "[1+][1-]", "--smooth", "often"),
                   CAIRN_USAGE, "--smooth often");
    assert_refuses(
        ctx,
        WORDS("compute", "calibrate", f, "--target", "c", "--positive", "b", "--method", "platt"),
        CAIRN_NO_SOLUTION, "separate");
    assert_refuses(ctx, WORDS("compute", "multiclass-auc", f, "--target", "p"), CAIRN_USAGE,
                   "classes");
    remove(f);
}

static void test_others__compute_and_refuse(void **state)
{
    cairn_context *ctx = *state;
    assert_computes(ctx, WORDS("compute", "smoothing", "--counts", "8,2,0", "--smooth", "m:5"),
                    "chosen.3", (5.0 / 3) / 15);
    assert_refuses(ctx, WORDS("compute", "smoothing", "--counts", "1,2", "--prior", "0.5,0.6"),
                   CAIRN_USAGE, "add up to 1.1, not to 1");
    assert_computes(ctx, WORDS("compute", "errors", "--values", "1,2", "--predictions", "2,4"),
                    "mse", 2.5);
    assert_refuses(ctx, WORDS("compute", "errors", "--values", "1,2", "--predictions", "2"),
                   CAIRN_USAGE, "2 numbers and --predictions 1");
    assert_refuses(ctx,
                   WORDS("compute", "isometrics", "--positives", "4", "--negatives", "4", "--tp",
                         "5", "--fp", "1"),
                   CAIRN_USAGE, "outside the box");
    assert_refuses(ctx, WORDS("compute", "dominance", "--points", "A=1,2,3"), CAIRN_USAGE,
                   "tp,fn,fp,tn");
    assert_refuses(ctx, WORDS("compute", "dominance", "--points", "A=1,2,0,0"), CAIRN_USAGE,
                   "no rows");
    assert_refuses(ctx, WORDS("compute", "class-weights", "@scores-three", "--order", "C1,C2"),
                   CAIRN_USAGE, "2 classes of 3");
    assert_refuses(ctx, WORDS("compute", "class-weights", "@scores-three", "--order", "C1,C2,C2"),
                   CAIRN_USAGE, "twice");
    assert_refuses(ctx,
                   WORDS("compute", "coverage-scores", "--counts", "1,2;3,4", "--fires", "1,0,1"),
                   CAIRN_USAGE, "3 numbers per case and there are 2 rules");
    assert_computes(ctx, WORDS("compute", "loss", "@roc-scores"), "mean.zero_one", 0.4);
}

/* Two clouds at a distance of √2 standard deviations: the Bayes error is Φ(−√2/2), the test error
 * scatters around the true one by √(e (1 − e) / n), and most intervals hold it. */
static void test_true_error__is_estimated(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *r;
    double scatter, expected, bias, coverage;
    const char *const words[] = {
        "compute", "true-error", "clouds", "--means",   "0,0;1,1",          "--sd",
        "1",       "--rows",     "50",     "--learner", "tree:max-depth=2", "--runs",
        "150",     "--fresh",    "5000",   NULL};
    assert_ok(ctx, run_words(ctx, &r, words));
    assert_value(r, "least", 0.5 * erfc(0.5));
    assert_true(cairn_report_number(r, "test.scatter", &scatter));
    assert_true(cairn_report_number(r, "test.expected_scatter", &expected));
    assert_true(fabs(scatter / expected - 1) < 0.2);
    assert_true(cairn_report_number(r, "training.bias", &bias) && bias < -0.08);
    assert_true(cairn_report_number(r, "test.bias", &bias) && fabs(bias) < 0.015);
    assert_true(cairn_report_number(r, "coverage", &coverage) && coverage > 0.85);
    cairn_report_free(r);
    assert_refuses(ctx, WORDS("compute", "true-error", "formula", "--y", "x", "--design", "grid"),
                   CAIRN_USAGE, "drawn at random");
    assert_refuses(ctx, WORDS("compute", "true-error", "moons", "--learner", "linear"), CAIRN_USAGE,
                   "classification");
    assert_refuses(ctx, WORDS("compute", "true-error", "triangles"), CAIRN_USAGE, "triangles");
}

static void test_tables__are_written(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *r;
    cairn_table *t = NULL;
    assert_ok(
        ctx,
        run_words(ctx, &r, WORDS("compute", "roc", "@roc-scores", "--out", "evaluation-out.csv")));
    cairn_report_free(r);
    assert_ok(ctx, cairn_table_read(ctx, &t, "evaluation-out.csv", NULL));
    assert_int_equal(cairn_table_rows(t), 11);
    assert_true(cairn_table_numbers(t, 3)[10] == 1);
    cairn_table_free(t);
    assert_ok(ctx, run_words(ctx, &r,
                             WORDS("compute", "calibrate", "@weight-diabetes", "--method", "all",
                                   "--out", "evaluation-out.csv")));
    cairn_report_free(r);
    assert_ok(ctx, cairn_table_read(ctx, &t, "evaluation-out.csv", NULL));
    assert_true(cairn_table_find(t, "p_platt") >= 0 && cairn_table_find(t, "p_isotonic") >= 0);
    cairn_table_free(t);
    remove("evaluation-out.csv");
}

static cairn_status compute_some(cairn_context *ctx, void *data)
{
    cairn_report *r = NULL;
    cairn_status status = run_words(ctx, &r, data);
    cairn_report_free(r);
    return status;
}

/* The numbers between, against sklearn's roc_auc_score and sums by hand. */
static void test_steps__numbers_between(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report;
    assert_ok(ctx, run_words(ctx, &report,
                             WORDS("compute", "roc", "--segments",
                                   "[20+,5-][10+,5-][20+,40-][5+,1-]", "--steps")));
    assert_number(report, "steps.trapezoids", 0.6515151515151515, 1e-12);
    assert_number(report, "steps.correct_pairs", 1827.5, 0);
    assert_number(report, "steps.pooled", 1, 0);
    assert_number(report, "steps.segments", 3, 0);
    cairn_report_free(report);
    assert_ok(ctx, run_words(ctx, &report,
                             WORDS("compute", "multiclass-auc", "--areas", "0.9,0.8,0.7", "--sizes",
                                   "10,20,30")));
    assert_number(report, "rest.mean", 0.8, 1e-12);
    assert_number(report, "rest.weighted", (9 + 16 + 21) / 60.0, 1e-12);
    cairn_report_free(report);
    assert_ok(ctx, run_words(ctx, &report,
                             WORDS("compute", "posterior", "--table",
                                   "0.31,0.69;0.65,0.35;0.8,0.2;0.4,0.6", "--chances",
                                   "0.9,0.9,0.1,0.1", "--observed", "?,1")));
    assert_number(report, "observed.c1", 0.65 * 0.9 + 0.4 * 0.1, 1e-12);
    cairn_report_free(report);
    assert_ok(ctx,
              run_words(ctx, &report,
                        WORDS("compute", "confusion", "--tp", "40", "--fn", "10", "--fp", "5")));
    assert_number(report, "f", 80 / 95.0, 1e-12);
    assert_number(report, "accuracy", NAN, 0);
    cairn_report_free(report);
}

static void test_evaluation__survives_failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(
        compute_some, (void *)WORDS("compute", "confusion", "--table", "5,1,0;2,6,1;0,0,7"));
    assert_survives_allocation_failures(
        compute_some,
        (void *)WORDS("compute", "roc", "--segments", "[2+,1-][1+,4-]", "--order", "share"));
    assert_survives_allocation_failures(
        compute_some, (void *)WORDS("compute", "roc", "--segments", "[2+,1-][1+,4-]", "--steps"));
    assert_survives_allocation_failures(compute_some,
                                        (void *)WORDS("compute", "posterior", "--table",
                                                      "0.5,0.5;1,0", "--observed", "?", "--steps"));
    assert_survives_allocation_failures(
        compute_some, (void *)WORDS("compute", "dominance", "--points", "A=1,2,3,4;B=2,1,3,4"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_confusion__costs_and_policies),
        context_test(test_steps__numbers_between),
        context_test(test_confusion__refusals),
        context_test(test_two_samples__welch_and_student),
        context_test(test_roc__typed_rankings),
        context_test(test_roc__of_tables),
        context_test(test_scores__that_are_no_numbers_are_reported_by_row),
        context_test(test_one_class__is_said),
        context_test(test_labels__unknown_ones_are_refused),
        context_test(test_intervals__of_measures),
        context_test(test_probabilities__refusals),
        context_test(test_others__compute_and_refuse),
        context_test(test_true_error__is_estimated),
        context_test(test_tables__are_written),
        cmocka_unit_test(test_evaluation__survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
