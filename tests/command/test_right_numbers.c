/* SPDX-License-Identifier: MIT */
/* Numbers of evaluation that were wrong once, each by a command that shows it. */
#include "support/run.h"
#include "base/text.h"
#include "model/model.h"
#include <stdio.h>
#include <string.h>

/* Run a command; a refusal fails the test. */
static cairn_report *run(cairn_context *ctx, cairn_virtual_files *files, const char *const *words)
{
    cairn_report *report = NULL;
    assert_ok(ctx, run_words_with(ctx, &report, files, words));
    return report;
}

static double value(cairn_context *ctx, cairn_virtual_files *files, const char *name,
                    const char *const *words)
{
    cairn_report *report = run(ctx, files, words);
    double number = number_of(report, name);
    cairn_report_free(report);
    return number;
}

static bool has(cairn_context *ctx, cairn_virtual_files *files, const char *name,
                const char *const *words)
{
    cairn_report *report = run(ctx, files, words);
    double number;
    bool found = cairn_report_number(report, name, &number) && !isnan(number);
    cairn_report_free(report);
    return found;
}

static void refused(cairn_context *ctx, cairn_virtual_files *files, const char *part,
                    const char *const *words)
{
    cairn_report *report = NULL;
    assert_true(run_words_with(ctx, &report, files, words) != CAIRN_OK);
    if (!strstr(cairn_message(ctx), part)) fail_msg("%s", cairn_message(ctx));
    cairn_report_free(report);
}

static void put(cairn_context *ctx, cairn_virtual_files *files, const char *name, const char *text)
{
    assert_ok(ctx, cairn_virtual_put(ctx, files, name, text, strlen(text)));
}

/* Intervals come back into the units of the target, as the answers do. */
static void test_predict__intervals_in_the_units_of_the_target(void **state)
{
    static const char *const with[] = {"scale:target=only", NULL}, *const names[] = {"low", "high"};
    cairn_fit_options fit = CAIRN_FIT_OPTIONS_INIT;
    cairn_params *params;
    cairn_model *models[2];
    cairn_table *table;
    cairn_prediction answers[2] = {{0}, {0}};
    cairn_match match = {0};
    assert_ok(*state, cairn_table_read(*state, &table, "@used-cars", NULL));
    assert_ok(*state, cairn_params_new(*state, &params, "linear"));
    for (int m = 0; m < 2; m++) {
        fit.with = m ? with : NULL;
        assert_ok(*state, cairn_model_fit(*state, &models[m], params, table, &fit));
        assert_ok(*state, cairn_model_predict_rows(*state, &answers[m], models[m], table,
                                                   cairn_all_rows(table),
                                                   (cairn_predict_wants){.extra = true}, &match));
    }
    for (int i = 0; i < 2; i++) {
        const double *ends[2];
        for (int m = 0; m < 2; m++)
            ends[m] = cairn_table_numbers(answers[m].extra,
                                          (size_t)cairn_table_find(answers[m].extra, names[i]));
        for (size_t r = 0; r < table->n_rows; r++)
            assert_true(fabs(ends[0][r] - ends[1][r]) < 1e-6 * (1 + fabs(ends[0][r])));
    }
    for (int m = 0; m < 2; m++) {
        cairn_prediction_clear(&answers[m]);
        cairn_model_free(models[m]);
    }
    cairn_params_free(params);
    cairn_table_free(table);
}

/* One judge: what select calls brier is what evaluate calls so. */
static void test_select__brier_is_that_of_evaluate(void **state)
{
    double selected = value(*state, NULL, "select.error",
                            WORDS("fit", "bayes", "@iris", "--with",
                                  "select:learner=bayes,error=brier,count=4,by=cv:5"));
    double judged =
        value(*state, NULL, "measure.brier",
              WORDS("evaluate", "bayes", "@iris", "--by", "cv:5", "--measure", "brier"));
    assert_true(fabs(selected - judged) < 1e-12);
}

/* 0 and 1 are classes for compare all as they are for fit. */
static void test_compare__all_takes_coded_classes(void **state)
{
    cairn_virtual_files files = {0};
    cairn_text text = cairn_text_start(*state);
    cairn_text_addf(&text, "x,y\n");
    for (int i = 0; i < 40; i++) cairn_text_addf(&text, "%d.5,%d\n", i * 7 % 40, i * 7 % 40 > 19);
    put(*state, &files, "c.csv", cairn_text_string(&text));
    assert_true(has(*state, &files, "tree.accuracy",
                    WORDS("compare", "all", "--on", "c.csv", "--target", "y", "--by", "cv:2")));
    cairn_text_clear(&text);
    cairn_virtual_clear(&files);
}

/* The point that is best on the validation rows is not the one that is best on the test rows. */
static void test_tune__chooses_on_the_validation_part(void **state)
{
    cairn_virtual_files files = {0};
    cairn_text rows = cairn_text_start(*state), parts = cairn_text_start(*state);
    cairn_text_addf(&rows, "x,y\n");
    cairn_text_addf(&parts, "part\n");
    for (int i = 0; i < 60; i++) {
        const char *part = i % 3 == 0 ? "train" : i % 3 == 1 ? "validation" : "test";
        /* a steep line where there is training and validation, a flat one in the test part */
        double x = (i / 3) / 10.0, y = i % 3 == 2 ? 1 : 3 * x;
        cairn_text_addf(&rows, "%g,%g\n", x, y + 0.001 * (i % 5));
        cairn_text_addf(&parts, "%s\n", part);
    }
    put(*state, &files, "d.csv", cairn_text_string(&rows));
    FILE *file = fopen("right-numbers-parts.csv", "w");
    assert_non_null(file);
    fputs(cairn_text_string(&parts), file);
    fclose(file);
    const char *const *tune =
        WORDS("tune", "tree", "d.csv", "--target", "y", "--task", "regress", "--over",
              "max-depth=1,6", "--by", "file:right-numbers-parts.csv");
    assert_true(value(*state, &files, "best.trial", tune) == 2);
    assert_true(value(*state, &files, "best.value", tune) < 0.2); /* of the validation rows */
    assert_true(value(*state, &files, "mse", tune) > 0.5);        /* of the test rows */
    refused(*state, &files, "leave --outer out",
            WORDS("tune", "tree", "d.csv", "--target", "y", "--over", "max-depth=1,6", "--by",
                  "file:right-numbers-parts.csv", "--outer", "cv:3"));
    remove("right-numbers-parts.csv");
    cairn_text_clear(&rows);
    cairn_text_clear(&parts);
    cairn_virtual_clear(&files);
}

/* Scores of different models are not ranked, and the baseline of balanced classes is not 0. */
static void test_evaluate__leave_one_out(void **state)
{
    const char *const *loo = WORDS("evaluate", "majority", "@iris", "--by", "loo");
    assert_true(fabs(value(*state, NULL, "baseline.accuracy", loo) - 1.0 / 3) < 1e-12);
    assert_false(has(*state, NULL, "auc", loo));
    assert_false(has(*state, NULL, "brier.calibration", loo));
    assert_true(has(*state, NULL, "brier", loo));
    assert_true(has(*state, NULL, "auc", WORDS("evaluate", "majority", "@iris", "--by", "cv:10")));
    refused(*state, NULL, "leave-one-out",
            WORDS("evaluate", "tree", "@weather", "--by", "loo", "--measure", "auc"));
}

/* Of 12 rows 8 are a, 3 b, 1 c; all are called a: 8/12 for a and 0 for the others. */
static void test_evaluate__never_predicted_classes_count(void **state)
{
    cairn_virtual_files files = {0};
    put(*state, &files, "t.csv",
        "x,y\n1,a\n1,a\n1,a\n1,a\n1,a\n1,a\n1,a\n1,a\n1,b\n1,b\n1,b\n1,c\n");
    const char *const *words = WORDS("evaluate", "majority", "t.csv", "--target", "y", "--by",
                                     "cv:2", "--measure", "precision");
    assert_true(fabs(value(*state, &files, "measure.precision", words) - 8.0 / 36) < 1e-12);
    assert_true(fabs(value(*state, &files, "mean.precision", words) - 8.0 / 36) < 1e-12);
    assert_true(fabs(value(*state, &files, "weighted.precision", words) - 64.0 / 144) < 1e-12);
    cairn_virtual_clear(&files);
}

static void test_compute__two_small_proportions(void **state)
{
    const char *const *words = WORDS("compute", "proportion", "--successes", "0", "--n", "10",
                                     "--second", "3", "--second-n", "10");
    assert_true(fabs(value(*state, NULL, "exact.two", words) - 0.21052631578947367) < 1e-9);
    assert_true(fabs(value(*state, NULL, "pooled.p", words) - 0.06028917) < 1e-7);
}

/* Names do not depend on which class the file shows first. */
static void test_evaluate__costs_by_name(void **state)
{
    cairn_virtual_files files = {0};
    put(*state, &files, "a.csv", "x,y\n1,no\n1,no\n1,no\n1,yes\n1,yes\n1,no\n");
    put(*state, &files, "b.csv", "x,y\n1,yes\n1,no\n1,no\n1,no\n1,yes\n1,no\n");
    for (int i = 0; i < 2; i++) {
        const char *const *words = WORDS("evaluate", "majority", i ? "b.csv" : "a.csv", "--target",
                                         "y", "--by", "cv:2", "--costs", "yes>no=7; no>yes=2");
        cairn_report *report = run(*state, &files, words);
        assert_true(number_of(report, "cost.yes.no") == 7 && number_of(report, "cost.no.yes") == 2);
        assert_true(number_of(report, "cost.no.no") == 0);
        /* always yes costs 4 x 2, always no 2 x 7 */
        assert_true(fabs(number_of(report, "baseline.cost") - 8.0 / 6) < 1e-12);
        cairn_report_free(report);
    }
    refused(*state, &files, "does not name two classes",
            WORDS("evaluate", "majority", "a.csv", "--target", "y", "--by", "cv:2", "--costs",
                  "ja>no=7"));
    refused(*state, &files, "ACTUAL>PREDICTED=COST",
            WORDS("evaluate", "majority", "a.csv", "--target", "y", "--by", "cv:2", "--costs",
                  "yes>no=-1"));
    cairn_virtual_clear(&files);
}

/* The same rows with one group each or in four groups: the interval is that of what is independent,
 * and weights of 10 do not make ten rows. */
static void test_evaluate__intervals_of_what_is_independent(void **state)
{
    cairn_virtual_files files = {0};
    cairn_text text = cairn_text_start(*state);
    cairn_text_addf(&text, "x,g,one,w,y\n");
    for (int i = 0; i < 80; i++)
        cairn_text_addf(&text, "%d.5,g%d,o%d,10,%s\n", i * 29 % 80, i / 20, i,
                        (i * 29 % 80 > 40) != (i % 9 == 0) ? "p" : "q");
    put(*state, &files, "t.csv", cairn_text_string(&text));
    double wide[3];
    static const char *const what[3][3] = {
        {"--group", "g", "one,w"}, {"--group", "one", "g,w"}, {"--weight", "w", "g,one"}};
    for (int i = 0; i < 3; i++) {
        const char *const *words =
            WORDS("evaluate", "tree:max-depth=1", "t.csv", "--target", "y", "--ignore", what[i][2],
                  "--by", "cv:4", what[i][0], what[i][1]);
        cairn_report *report = run(*state, &files, words);
        wide[i] = number_of(report, "auc.high") - number_of(report, "auc.low");
        cairn_report_free(report);
    }
    assert_true(wide[0] > 2 * wide[1]);
    assert_true(fabs(wide[2] - wide[1]) < 0.3 * wide[1]);
    cairn_text_clear(&text);
    cairn_virtual_clear(&files);
}

static void test_compute__intervals_of_perfect_areas_and_shares(void **state)
{
    const char *const *roc = WORDS("compute", "roc", "--segments", "+++++-----");
    assert_true(value(*state, NULL, "auc", roc) == 1);
    double low = value(*state, NULL, "auc.low", roc);
    assert_true(low > 0.4 && low < 0.95);
    const char *const *lift =
        WORDS("compute", "lift-chart", "@lift", "--size", "share", "--rate", "response");
    assert_false(has(*state, NULL, "at1.response_percent.low", lift));
    assert_true(has(*state, NULL, "at1.response_percent.low",
                    WORDS("compute", "lift-chart", "@lift", "--size", "share", "--rate", "response",
                          "--sample", "1000")));
}

static void test_tune__ties_are_reported(void **state)
{
    assert_true(value(*state, NULL, "best.tied",
                      WORDS("tune", "knn", "@weather", "--over", "k=1,1.0", "--outer", "none")) >=
                0);
    assert_true(value(*state, NULL, "best.tied",
                      WORDS("tune", "majority", "@weather", "--over", "with=none|standardise",
                            "--outer", "none")) == 1);
}

static void test_compute__undefined_tests_and_sums(void **state)
{
    cairn_virtual_files files = {0};
    assert_false(has(*state, NULL, "p.two", WORDS("compute", "t-test", "--differences", "1,1,1")));
    put(*state, &files, "p.csv", "y,p_a,p_b\na,0.5,0.3\nb,0.2,0.8\n");
    refused(*state, &files, "add up to 0.8", WORDS("compute", "brier", "p.csv", "--target", "y"));
    cairn_virtual_clear(&files);
}

/* A trend: the past does not know the level of the future, but shuffled rows do. */
static void test_evaluate__rows_in_time(void **state)
{
    cairn_virtual_files files = {0};
    cairn_text text = cairn_text_start(*state);
    cairn_text_addf(&text, "when,x,y\n");
    for (int i = 0; i < 60; i++) {
        int day = i * 7 % 60; /* not in order in the file */
        cairn_text_addf(&text, "2024-%02d-%02d,%d,%d\n", 1 + day / 28, 1 + day % 28, day,
                        1000 + 3 * day);
    }
    put(*state, &files, "t.csv", cairn_text_string(&text));
    const char *by[] = {"cv:5", "rolling:4", "rolling:4,window=10,gap=2,test=5",
                        "holdout:0.3,time=yes"};
    double r2[4], n[4];
    for (int i = 0; i < 4; i++) {
        const char *const *words =
            WORDS("evaluate", "tree", "t.csv", "--target", "y", "--task", "regress", "--by", by[i]);
        cairn_report *report = run(*state, &files, words);
        r2[i] = number_of(report, "r2");
        n[i] = number_of(report, "evaluate.predictions");
        cairn_report_free(report);
    }
    assert_true(r2[0] > 0.9 && r2[1] < 0.9 && r2[3] < 0);
    assert_true(n[1] == 48 && n[2] == 20 && n[3] == 18);
    refused(*state, &files, "window of 50 rows is longer than the data",
            WORDS("evaluate", "tree", "t.csv", "--target", "y", "--by", "rolling:4,window=50"));
    refused(*state, &files, "leave no row to learn from",
            WORDS("evaluate", "tree", "t.csv", "--target", "y", "--by", "rolling:4,test=20"));
    cairn_text_clear(&text);
    cairn_virtual_clear(&files);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_predict__intervals_in_the_units_of_the_target),
        context_test(test_select__brier_is_that_of_evaluate),
        context_test(test_compare__all_takes_coded_classes),
        context_test(test_tune__chooses_on_the_validation_part),
        context_test(test_evaluate__leave_one_out),
        context_test(test_evaluate__never_predicted_classes_count),
        context_test(test_compute__two_small_proportions),
        context_test(test_evaluate__costs_by_name),
        context_test(test_evaluate__intervals_of_what_is_independent),
        context_test(test_compute__intervals_of_perfect_areas_and_shares),
        context_test(test_tune__ties_are_reported),
        context_test(test_compute__undefined_tests_and_sums),
        context_test(test_evaluate__rows_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
