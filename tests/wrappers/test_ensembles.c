/* SPDX-License-Identifier: MIT */
/* Learners made of several: vote, bagging, boost-three, cascade, stack, experts. */
#include "support/run.h"
#include "base/random.h"
#include "cairn/cairn.h"
#include <stdio.h>

#define IRIS "@iris"

/* A command's values; the caller frees them. */
static cairn_report *ran(cairn_context *ctx, cairn_virtual_files *files, const char *const *words)
{
    cairn_report *report;
    assert_ok(ctx, run_words_with(ctx, &report, files, words));
    return report;
}

static void assert_refused(cairn_context *ctx, cairn_virtual_files *files, const char *const *words,
                           const char *part)
{
    cairn_report *report = NULL;
    cairn_status status = run_words_with(ctx, &report, files, words);
    if (status == CAIRN_OK) fail_msg("it was not refused: %s", part);
    if (!strstr(cairn_message(ctx), part))
        fail_msg("message '%s' lacks '%s'", cairn_message(ctx), part);
    cairn_report_free(report);
}

static cairn_table *iris(cairn_context *ctx)
{
    cairn_table *table;
    assert_ok(ctx, cairn_table_read(ctx, &table, IRIS, NULL));
    assert_ok(ctx, cairn_table_set_role(ctx, table, "species", CAIRN_TARGET));
    return table;
}

/* The answers of a learner for the rows that it was fitted to. */
static cairn_table *answers(cairn_context *ctx, const char *spec, const cairn_table *table,
                            bool scores)
{
    cairn_params *params;
    cairn_model *model;
    cairn_table *said;
    assert_ok(ctx, cairn_params_new(ctx, &params, spec));
    assert_ok(ctx, cairn_model_fit(ctx, &model, params, table, NULL));
    assert_ok(ctx, cairn_model_predict(ctx, &said, model, table, scores));
    cairn_model_free(model);
    cairn_params_free(params);
    return said;
}

static void assert_same_answers(const cairn_table *a, const cairn_table *b)
{
    char x[64], y[64];
    size_t n = cairn_table_rows(a);
    assert_int_equal(n, cairn_table_rows(b));
    for (size_t r = 0; r < n; r++) {
        cairn_table_cell(a, 0, r, x, sizeof x);
        cairn_table_cell(b, 0, r, y, sizeof y);
        if (strcmp(x, y) != 0) fail_msg("row %zu: %s, not %s", r + 1, x, y);
    }
}

/* -- vote -- */

/* Two of three that are alike decide; and alone they are what they are. */
static void test_vote__two_of_three_decide(void **state)
{
    cairn_table *table = iris(*state);
    cairn_table *tree = answers(*state, "tree:max-depth=2", table, false);
    cairn_table *voted =
        answers(*state, "vote:learner=(tree:max-depth=2),learner=(tree:max-depth=2),learner=knn",
                table, false);
    assert_same_answers(voted, tree);
    cairn_table_free(voted);
    voted = answers(*state,
                    "vote:learner=knn,learner=(tree:max-depth=2),vote=weighted,weights=(0.4,0.6)",
                    table, false);
    assert_same_answers(voted, tree);
    cairn_table_free(voted);
    cairn_table_free(tree);
    cairn_table_free(table);
}

/* Probabilities of the members are averaged. */
static void test_vote__probabilities_are_means(void **state)
{
    cairn_table *table = iris(*state);
    cairn_table *tree = answers(*state, "tree:max-depth=2", table, true);
    cairn_table *bayes = answers(*state, "bayes", table, true);
    cairn_table *both = answers(
        *state, "vote:learner=(tree:max-depth=2),learner=bayes,vote=probabilities", table, true);
    for (size_t c = 1; c <= 3; c++) {
        const double *a = cairn_table_numbers(tree, c), *b = cairn_table_numbers(bayes, c);
        const double *mean = cairn_table_numbers(both, c);
        for (size_t r = 0; r < cairn_table_rows(table); r++)
            assert_true(fabs(mean[r] - (a[r] + b[r]) / 2) < 1e-12);
    }
    cairn_table_free(both);
    cairn_table_free(bayes);
    cairn_table_free(tree);
    cairn_table_free(table);
}

/* The share of the votes, and how far numbers lie apart: 8 and the mean, 9, deviate by 1/2. */
static void test_vote__agreement(void **state)
{
    static const char rows[] = "x,class,y\n1,a,8\n2,a,9\n3,b,10\n4,a,9\n5,b,9\n6,b,9\n7,b,9\n";
    cairn_virtual_files files = {0};
    assert_ok(*state, cairn_virtual_put(*state, &files, "rows.csv", rows, sizeof rows - 1));
    cairn_report_free(ran(*state, &files,
                          WORDS("fit", "vote", "rows.csv", "--target", "class", "--ignore", "y",
                                "--learner", "knn:k=1", "--learner", "majority", "--learner",
                                "majority", "--save", "vote.cairn")));
    cairn_report *said =
        ran(*state, &files, WORDS("predict", "vote.cairn", "rows.csv", "--output", "agreement"));
    assert_number(said, "agreement.1", 2.0 / 3, 1e-12);
    assert_number(said, "agreement.3", 1, 1e-12);
    cairn_report_free(said);
    cairn_report_free(ran(*state, &files,
                          WORDS("fit", "vote", "rows.csv", "--target", "y", "--task", "regress",
                                "--ignore", "class", "--learner", "knn:k=1", "--learner",
                                "majority", "--save", "vote.cairn")));
    said = ran(*state, &files, WORDS("predict", "vote.cairn", "rows.csv", "--output", "agreement"));
    assert_number(said, "agreement.1", 0.5, 1e-12);
    assert_number(said, "agreement.2", 0, 1e-12);
    cairn_report_free(said);
    cairn_virtual_clear(&files);
}

static void test_vote__members_of_other_targets_are_refused(void **state)
{
    cairn_virtual_files files = {0};
    cairn_report_free(
        ran(*state, &files,
            WORDS("fit", "linear", IRIS, "--target", "petal_width", "--save", "width.cairn")));
    cairn_report_free(ran(*state, &files, WORDS("fit", "knn", IRIS, "--save", "knn.cairn")));
    assert_refused(*state, &files,
                   WORDS("fit", "vote", IRIS, "--learner", "tree", "--model", "width.cairn"),
                   "predicts 'petal_width' as a number");
    cairn_report *fit = ran(
        *state, &files, WORDS("fit", "vote", IRIS, "--learner", "tree", "--model", "knn.cairn"));
    assert_number(fit, "members", 2, 0);
    cairn_report_free(fit);
    cairn_virtual_clear(&files);
}

/* A description file gives each member its learner, columns, rows and weight. */
static void test_vote__members_are_described_in_a_file(void **state)
{
    static const char members[] = "learner,columns,rows,weight\n"
                                  "tree,,1-120,0.5\n"
                                  "\"knn:k=3\",\"petal_length,petal_width\",,0.25\n"
                                  "bayes,,,0.25\n";
    static const char bad[] = "learner,columns\ntree,petal\n";
    cairn_virtual_files files = {0};
    assert_ok(*state,
              cairn_virtual_put(*state, &files, "members.csv", members, sizeof members - 1));
    assert_ok(*state, cairn_virtual_put(*state, &files, "bad.csv", bad, sizeof bad - 1));
    cairn_report *fit =
        ran(*state, &files,
            WORDS("fit", "vote", IRIS, "--members-file", "members.csv", "--vote", "weighted"));
    assert_number(fit, "member1.rows", 120, 0);
    assert_number(fit, "member1.columns", 4, 0);
    assert_number(fit, "member2.rows", 150, 0);
    assert_number(fit, "member2.columns", 2, 0);
    assert_number(fit, "member1.weight", 0.5, 0);
    cairn_report_free(fit);
    assert_refused(*state, &files, WORDS("fit", "vote", IRIS, "--members-file", "bad.csv"),
                   "there is no column 'petal'");
    cairn_virtual_clear(&files);
}

/* -- bagging -- */

/* Samples that hold every row once are the table: so many times the base. */
static void test_bagging__of_all_rows_is_the_base(void **state)
{
    cairn_table *table = iris(*state);
    cairn_table *alone = answers(*state, "tree", table, false);
    cairn_table *bagged = answers(*state, "bagging:members=3,replace=no", table, false);
    assert_same_answers(bagged, alone);
    cairn_table_free(bagged);
    cairn_table_free(alone);
    cairn_table_free(table);
}

enum { POINTS = 12, BAGS = 5 };

/* The means of samples that are drawn here once more, and what they say of the other rows. */
static double oob_by_hand(const double *y, uint64_t seed, size_t members)
{
    double loss = 0, judged = 0;
    double means[BAGS] = {0};
    unsigned counts[BAGS][POINTS] = {{0}};
    for (size_t t = 0; t < members; t++) {
        cairn_random random;
        cairn_random_start(&random, seed, t);
        for (size_t i = 0; i < POINTS; i++) counts[t][cairn_random_below(&random, POINTS)]++;
        for (size_t i = 0; i < POINTS; i++) means[t] += counts[t][i] * y[i] / POINTS;
    }
    for (size_t i = 0; i < POINTS; i++) {
        double sum = 0, n = 0;
        for (size_t t = 0; t < members; t++)
            if (!counts[t][i]) sum += means[t], n++;
        if (n > 0) loss += (sum / n - y[i]) * (sum / n - y[i]), judged++;
    }
    return loss / judged;
}

static void test_bagging__out_of_bag_error(void **state)
{
    static const char data[] = "x,y\n1,3\n2,1\n3,4\n4,1.5\n5,9\n6,2\n7,6\n8,5\n9,3.5\n10,8\n"
                               "11,9.5\n12,7\n";
    const double y[POINTS] = {3, 1, 4, 1.5, 9, 2, 6, 5, 3.5, 8, 9.5, 7};
    cairn_virtual_files files = {0};
    assert_ok(*state, cairn_virtual_put(*state, &files, "y.csv", data, sizeof data - 1));
    cairn_report *fit = ran(*state, &files,
                            WORDS("fit", "bagging", "y.csv", "--target", "y", "--task", "regress",
                                  "--learner", "majority", "--members", "5", "--seed", "7"));
    assert_number(fit, "oob.curve.3", oob_by_hand(y, 7, 3), 1e-12);
    assert_number(fit, "oob.error", oob_by_hand(y, 7, 5), 1e-12);
    cairn_report_free(fit);
    cairn_virtual_clear(&files);
}

/* Codes that all trees share make the trees that each sample alone makes; steps need their own. */
static void test_bagging__shared_codes_change_nothing(void **state)
{
    cairn_report *shared = ran(*state, NULL, WORDS("fit", "bagging", IRIS, "--members", "5"));
    cairn_report *own =
        ran(*state, NULL, WORDS("fit", "bagging", IRIS, "--members", "5", "--steps"));
    assert_number(shared, "oob.error", number_of(own, "oob.error"), 0);
    for (int i = 1; i <= 5; i++) {
        char name[32];
        snprintf(name, sizeof name, "member%d.tree.leaves", i);
        assert_number(shared, name, number_of(own, name), 0);
    }
    cairn_report_free(own);
    cairn_report_free(shared);
}

static void test_bagging__subspaces_have_a_share_of_the_columns(void **state)
{
    cairn_report *fit =
        ran(*state, NULL, WORDS("fit", "bagging", IRIS, "--members", "3", "--column-share", "0.5"));
    assert_number(fit, "member1.columns", 2, 0);
    assert_number(fit, "member3.columns", 2, 0);
    cairn_report_free(fit);
}

/* -- three learners -- */

static void test_three__sizes_of_the_stages(void **state)
{
    cairn_report *fit =
        ran(*state, NULL,
            WORDS("fit", "boost-three", IRIS, "--learner", "tree:max-depth=1", "--steps"));
    double wrong = number_of(fit, "stage2.wrong");
    assert_number(fit, "stage1.part", 50, 0);
    assert_number(fit, "stage1.rows", 50, 0);
    assert_true(wrong > 0 && wrong < 25);
    assert_number(fit, "stage2.right", wrong, 0);
    assert_number(fit, "stage2.rows", 2 * wrong, 0);
    assert_number(fit, "stage1.error", wrong / 50, 1e-12);
    assert_number(fit, "stage3.rows", number_of(fit, "disagree"), 0);
    cairn_report_free(fit);
}

static void test_three__two_rows_are_too_few(void **state)
{
    static const char data[] = "x,c\n1,a\n2,b\n";
    cairn_virtual_files files = {0};
    assert_ok(*state, cairn_virtual_put(*state, &files, "two.csv", data, sizeof data - 1));
    assert_refused(*state, &files, WORDS("fit", "boost-three", "two.csv", "--target", "c"),
                   "cannot be dealt into three parts");
    cairn_virtual_clear(&files);
}

/* -- stages -- */

/* A stump knows setosa for sure; the two others go on to the next stage. */
static void test_cascade__unsure_rows_go_on(void **state)
{
    cairn_report *fit =
        ran(*state, NULL,
            WORDS("fit", "cascade", IRIS, "--learner", "tree:max-depth=1", "--learner", "knn:k=1"));
    assert_number(fit, "stage1.reached", 150, 0);
    assert_number(fit, "stage1.answered", 50, 0);
    assert_number(fit, "stage1.error", 0, 0);
    assert_number(fit, "stage2.reached", 100, 0);
    assert_number(fit, "stage2.answered", 100, 0);
    assert_number(fit, "member2.rows", 100, 0);
    cairn_report_free(fit);
    assert_refused(*state, NULL,
                   WORDS("fit", "cascade", IRIS, "--learner", "svm", "--learner", "knn"),
                   "gives no probabilities");
}

/* -- stacking -- */

static void test_stack__held_out_answers_are_the_features(void **state)
{
    cairn_report *fit = ran(*state, NULL,
                            WORDS("fit", "stack", IRIS, "--learner", "tree", "--learner", "knn",
                                  "--final", "tree", "--inner", "cv:3", "--steps"));
    assert_number(fit, "splits", 3, 0);
    assert_number(fit, "split1.train", 100, 0);
    assert_number(fit, "split1.test", 50, 0);
    assert_true(number_of(fit, "member1.error") > 0 && number_of(fit, "member1.error") < 0.15);
    cairn_report_free(fit);
}

/* -- local experts -- */

/* y = |x|: two lines, each of which the expert of its side knows exactly. */
static void test_experts__know_their_part(void **state)
{
    char data[1024] = "x,y\n";
    cairn_virtual_files files = {0};
    for (int x = 1; x <= 20; x++) {
        size_t at = strlen(data);
        snprintf(data + at, sizeof data - at, "%d,%d\n%d,%d\n", x + 20, x + 20, -x - 20, x + 20);
    }
    assert_ok(*state, cairn_virtual_put(*state, &files, "v.csv", data, strlen(data)));
    cairn_report *judged =
        ran(*state, &files,
            WORDS("evaluate", "experts", "v.csv", "--target", "y", "--task", "regress", "--learner",
                  "linear", "--gate", "kmeans:clusters=2", "--by", "cv:5"));
    assert_number(judged, "mse", 0, 1e-9);
    cairn_report_free(judged);
    assert_refused(*state, &files,
                   WORDS("fit", "experts", "v.csv", "--target", "y", "--gate", "tree"),
                   "must be a clusterer");
    cairn_virtual_clear(&files);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_vote__two_of_three_decide),
        context_test(test_vote__probabilities_are_means),
        context_test(test_vote__agreement),
        context_test(test_vote__members_of_other_targets_are_refused),
        context_test(test_vote__members_are_described_in_a_file),
        context_test(test_bagging__of_all_rows_is_the_base),
        context_test(test_bagging__out_of_bag_error),
        context_test(test_bagging__shared_codes_change_nothing),
        context_test(test_bagging__subspaces_have_a_share_of_the_columns),
        context_test(test_three__sizes_of_the_stages),
        context_test(test_three__two_rows_are_too_few),
        context_test(test_cascade__unsure_rows_go_on),
        context_test(test_stack__held_out_answers_are_the_features),
        context_test(test_experts__know_their_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
