/* SPDX-License-Identifier: MIT */
/* Calculators and pictures of what models say: the numbers are those of evaluate, several models
 * and several data files stand in one picture, and what does not fit is refused. */
#include "support/fail_alloc.h"
#include "support/run.h"

#include <math.h>
#include <stdio.h>

static void must_run(cairn_context *ctx, const char *const *words)
{
    cairn_report *r;
    assert_ok(ctx, run_words(ctx, &r, words));
    cairn_report_free(r);
}

static double value_of(cairn_context *ctx, const char *const *words, const char *name)
{
    cairn_report *r;
    double found = NAN;
    assert_ok(ctx, run_words(ctx, &r, words));
    if (!cairn_report_number(r, name, &found)) fail_msg("there is no value %s", name);
    cairn_report_free(r);
    return found;
}

static void assert_refuses(cairn_context *ctx, const char *const *words, cairn_status status,
                           const char *part)
{
    cairn_report *r;
    assert_fails(ctx, run_words(ctx, &r, words), status, part);
    cairn_report_free(r);
}

/* Two trees for the same target, one for three classes, a line. */
static void make_models(cairn_context *ctx)
{
    must_run(ctx, WORDS("fit", "tree", "@titanic", "--target", "survived", "--max-depth", "3",
                        "--save", "answers-three.cairn", "--quiet"));
    must_run(ctx, WORDS("fit", "tree", "@titanic", "--target", "survived", "--max-depth", "1",
                        "--save", "answers-one.cairn", "--quiet"));
    must_run(ctx, WORDS("fit", "tree", "@iris", "--max-depth", "2", "--save", "answers-iris.cairn",
                        "--quiet"));
    must_run(ctx, WORDS("fit", "linear", "@aptitude", "--save", "answers-line.cairn", "--quiet"));
}

static void remove_models(void)
{
    remove("answers-three.cairn");
    remove("answers-one.cairn");
    remove("answers-iris.cairn");
    remove("answers-line.cairn");
}

static void test_answers__agree_with_evaluate(void **state)
{
    cairn_context *ctx = *state;
    make_models(ctx);
    const char *const judged[] = {"evaluate", "answers-three.cairn", "@titanic", NULL};
    const struct {
        const char *topic, *name, *judged_as;
    } same[] = {{"confusion", "accuracy", "accuracy"},
                {"confusion", "tpr", "recall"},
                {"roc", "auc", "auc"},
                {"brier", "mse", "brier"},
                {"brier", "log_loss", "log_loss"},
                {"threshold", "best1.threshold", "threshold1"}};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        double a = value_of(ctx, WORDS("compute", same[i].topic, "answers-three.cairn", "@titanic"),
                            same[i].name);
        double b = value_of(ctx, judged, same[i].judged_as);
        if (!(fabs(a - b) < 1e-12)) fail_msg("%s: %.17g and %.17g", same[i].name, a, b);
    }
    double a = value_of(ctx, WORDS("compute", "multiclass-auc", "answers-iris.cairn", "@iris"),
                        "rest.mean");
    double b = value_of(ctx, WORDS("evaluate", "answers-iris.cairn", "@iris"), "auc.mean");
    assert_true(fabs(a - b) < 1e-12);
    a = value_of(ctx, WORDS("compute", "errors", "answers-line.cairn", "@aptitude"), "mse");
    b = value_of(ctx, WORDS("evaluate", "answers-line.cairn", "@aptitude"), "mse");
    assert_true(fabs(a - b) < 1e-12);
    remove_models();
}

static void test_answers__of_several_models(void **state)
{
    cairn_context *ctx = *state;
    make_models(ctx);
    const char *const both[] = {"compute",           "roc",      "answers-three.cairn",
                                "answers-one.cairn", "@titanic", NULL};
    double three = value_of(ctx, both, "auc.answers-three");
    double one = value_of(ctx, both, "auc.answers-one");
    assert_true(three > one && one > 0.5);
    assert_true(value_of(ctx,
                         WORDS("compute", "dominance", "answers-three.cairn", "answers-one.cairn",
                               "@titanic"),
                         "tpr.answers-three") == 243.0 / 342);
    double n = value_of(
        ctx, WORDS("compute", "mcnemar", "answers-three.cairn", "answers-one.cairn", "@titanic"),
        "both");
    assert_true(n == 696);
    assert_refuses(
        ctx, WORDS("draw", "reliability", "answers-iris.cairn", "answers-iris.cairn", "@iris"),
        CAIRN_USAGE, "--positive names it");
    must_run(ctx, WORDS("draw", "reliability", "answers-iris.cairn", "answers-iris.cairn", "@iris",
                        "--positive", "virginica"));
    must_run(ctx,
             WORDS("draw", "reliability", "answers-one.cairn", "answers-three.cairn", "@titanic"));
    static const char *const pictures[] = {"roc",        "coverage", "precision-recall",
                                           "cost-curve", "lift",     "classifiers"};
    for (size_t i = 0; i < 6; i++)
        must_run(ctx, WORDS("draw", pictures[i], "answers-three.cairn", "answers-one.cairn",
                            "@titanic"));
    static const char *const single[] = {"pairs", "calibration", "confusion", "reliability"};
    for (size_t i = 0; i < 4; i++)
        must_run(ctx, WORDS("draw", single[i], "answers-one.cairn", "@titanic"));
    must_run(ctx, WORDS("draw", "triangle", "answers-iris.cairn", "@iris"));
    remove_models();
}

static void test_answers__are_refused(void **state)
{
    cairn_context *ctx = *state;
    make_models(ctx);
    assert_refuses(ctx, WORDS("compute", "roc", "answers-iris.cairn", "@iris"), CAIRN_USAGE,
                   "3 classes: --positive");
    assert_refuses(ctx,
                   WORDS("compute", "roc", "answers-iris.cairn", "@iris", "--positive", "rose"),
                   CAIRN_USAGE, "no class 'rose'");
    assert_refuses(ctx, WORDS("compute", "roc", "answers-three.cairn", "@iris"), CAIRN_BAD_DATA,
                   "no column 'survived'");
    assert_refuses(ctx, WORDS("compute", "errors", "answers-three.cairn", "@titanic"), CAIRN_USAGE,
                   "predicts a number");
    assert_refuses(
        ctx, WORDS("compute", "confusion", "answers-three.cairn", "answers-one.cairn", "@titanic"),
        CAIRN_USAGE, "takes 1 model");
    assert_refuses(ctx,
                   WORDS("compute", "roc", "answers-three.cairn", "answers-iris.cairn", "@titanic"),
                   CAIRN_USAGE, "different columns");
    assert_refuses(ctx, WORDS("compute", "smoothing", "answers-three.cairn", "@titanic"),
                   CAIRN_USAGE, "");
    assert_refuses(ctx, WORDS("compute", "confusion", "@iris", "@titanic"), CAIRN_USAGE,
                   "one data file");
    remove_models();
}

static void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void test_files__several_in_one_picture(void **state)
{
    cairn_context *ctx = *state;
    write_file("answers-a.csv", "s,c\n3,+\n2,-\n1,+\n0,-\n");
    write_file("answers-b.csv", "actual,predicted\n0,0\n1,1\n1,0\n0,0\n1,1\n");
    /* labels that are numbers are scores of two values */
    assert_true(fabs(value_of(ctx, WORDS("compute", "roc", "answers-b.csv"), "auc") - 5.0 / 6) <
                1e-12);
    assert_true(value_of(ctx, WORDS("compute", "confusion", "answers-b.csv"), "accuracy") == 0.8);
    write_file("answers-b.csv", "t,c\n9,+\n8,+\n7,-\n");
    const char *const two[] = {"compute", "roc", "answers-a.csv", "answers-b.csv", "--target",
                               "c",       NULL};
    assert_true(value_of(ctx, two, "auc.answers-a") == 0.75);
    assert_true(value_of(ctx, two, "auc.answers-b") == 1);
    must_run(ctx,
             WORDS("draw", "roc", "answers-a.csv", "answers-b.csv", "--target", "c", "--hull"));
    assert_refuses(ctx, WORDS("draw", "pairs", "answers-a.csv", "answers-b.csv", "--target", "c"),
                   CAIRN_USAGE, "one data file");
    remove("answers-a.csv");
    remove("answers-b.csv");
}

/* The file that evaluate writes needs no options. */
static void test_files__of_predictions(void **state)
{
    cairn_context *ctx = *state;
    const char *const judged[] = {"evaluate",      "tree",        "@titanic", "--target",
                                  "survived",      "--by",        "cv:3",     "--out",
                                  "answers-p.csv", "--max-depth", "3",        NULL};
    must_run(ctx, judged);
    double auc = value_of(ctx,
                          WORDS("evaluate", "tree", "@titanic", "--target", "survived", "--by",
                                "cv:3", "--max-depth", "3"),
                          "auc");
    assert_true(fabs(value_of(ctx, WORDS("compute", "roc", "answers-p.csv"), "auc") - auc) < 1e-12);
    assert_true(value_of(ctx, WORDS("compute", "confusion", "answers-p.csv"), "total") == 891);
    assert_true(value_of(ctx, WORDS("compute", "brier", "answers-p.csv"), "mse") < 0.2);
    must_run(ctx,
             WORDS("evaluate", "linear", "@aptitude", "--by", "loo", "--out", "answers-p.csv"));
    assert_true(value_of(ctx, WORDS("compute", "errors", "answers-p.csv"), "rows") == 5);
    remove("answers-p.csv");
}

static cairn_status run_some(cairn_context *ctx, void *data)
{
    cairn_report *r = NULL;
    cairn_status status = run_words(ctx, &r, data);
    cairn_report_free(r);
    return status;
}

static void test_answers__survive_failing_allocations(void **state)
{
    (void)state;
    cairn_context *ctx;
    assert_int_equal(cairn_context_new(&ctx, NULL), CAIRN_OK);
    must_run(ctx, WORDS("fit", "tree", "@weather", "--max-depth", "1", "--save",
                        "answers-small.cairn", "--quiet"));
    cairn_context_free(ctx);
    assert_survives_allocation_failures(
        run_some,
        (void *)WORDS("compute", "roc", "answers-small.cairn", "answers-small.cairn", "@weather"));
    assert_survives_allocation_failures(
        run_some, (void *)WORDS("compute", "brier", "answers-small.cairn", "@weather"));
    remove("answers-small.cairn");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_answers__agree_with_evaluate),
        context_test(test_answers__of_several_models),
        context_test(test_answers__are_refused),
        context_test(test_files__several_in_one_picture),
        context_test(test_files__of_predictions),
        cmocka_unit_test(test_answers__survive_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
