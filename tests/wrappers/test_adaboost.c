/* SPDX-License-Identifier: MIT */
/* AdaBoost: rounds beside another program's, its ends, its forms. */
#include "support/run.h"
#include "cairn/cairn.h"
#include <stdio.h>

#define GINI "(tree:max-depth=1,impurity=gini)"

static cairn_report *ran(cairn_context *ctx, cairn_virtual_files *files, const char *const *words)
{
    cairn_report *report;
    assert_ok(ctx, run_words_with(ctx, &report, files, words));
    return report;
}

static void assert_value(const cairn_report *report, const char *name, double wanted)
{
    assert_number(report, name, wanted, 1e-6);
}

static void assert_word(const cairn_report *report, const char *name, const char *wanted)
{
    const char *word = cairn_report_string(report, name);
    if (!word || strcmp(word, wanted) != 0)
        fail_msg("%s is %s, not %s", name, word ? word : "not there", wanted);
}

static void put_file(cairn_context *ctx, cairn_virtual_files *files, const char *name,
                     const char *text)
{
    assert_ok(ctx, cairn_virtual_put(ctx, files, name, text, strlen(text)));
}

/* -- rounds; numbers by scikit-learn's AdaBoostClassifier (SAMME), whose weights are 2α -- */

static void test_adaboost__two_classes_agree_with_another_program(void **state)
{
    static const double epsilon[] = {0.07732865, 0.11859307, 0.15565842, 0.24180958, 0.2051478};
    static const double alpha[] = {1.23960431, 1.00291066, 0.84544658, 0.57139201, 0.67721274};
    const char *const words[] = {"fit", "adaboost", "@breast-cancer", "--learner", GINI, "--rounds",
                                 "10",  NULL};
    cairn_report *report = ran(*state, NULL, words);
    char name[32];
    for (int i = 0; i < 5; i++) {
        snprintf(name, sizeof name, "round%d.epsilon", i + 1);
        assert_value(report, name, epsilon[i]);
        snprintf(name, sizeof name, "round%d.alpha", i + 1);
        assert_value(report, name, alpha[i]);
    }
    assert_value(report, "training.error", 11.0 / 569);
    assert_value(report, "round1.z", 2 * sqrt(epsilon[0] * (1 - epsilon[0])));
    cairn_report_free(report);
}

static void test_adaboost__three_classes_agree_with_another_program(void **state)
{
    const char *const words[] = {"fit", "adaboost", "@iris", "--learner",
                                 GINI,  "--rounds", "10",    NULL};
    cairn_report *report = ran(*state, NULL, words);
    assert_value(report, "round1.epsilon", 1.0 / 3);
    assert_value(report, "round1.alpha", log(2));
    assert_value(report, "round3.epsilon", 0.11412225);
    assert_value(report, "round10.alpha", 0.78415775);
    assert_value(report, "training.error", 5.0 / 150);
    cairn_report_free(report);
}

/* Rows drawn by their weights are those of --resample always; rows that are seen once cannot be
 * weighed by later rounds. */
static void test_adaboost__which_rows_a_round_takes(void **state)
{
    cairn_report *drawn = ran(
        *state, NULL, WORDS("fit", "adaboost", "@iris", "--rounds", "5", "--protocol", "random"));
    cairn_report *resampled = ran(
        *state, NULL, WORDS("fit", "adaboost", "@iris", "--rounds", "5", "--resample", "always"));
    assert_value(drawn, "round5.epsilon", number_of(resampled, "round5.epsilon"));
    cairn_report_free(drawn);
    cairn_report_free(resampled);
    cairn_report *report = NULL;
    assert_fails(
        *state,
        run_words(*state, &report, WORDS("fit", "adaboost", "@iris", "--protocol", "online")),
        CAIRN_USAGE, "seen once");
    cairn_report_free(report);
}

/* With steps trees are grown row by row, without them stumps are found from sums. */
static void test_adaboost__stumps_from_sums_are_those_of_the_rows(void **state)
{
    static const char *const bases[] = {"tree:max-depth=1", GINI,
                                        "(tree:max-depth=1,impurity=minority,min-leaf=30)"};
    for (int b = 0; b < 3; b++) {
        cairn_report *sums =
            ran(*state, NULL,
                WORDS("fit", "adaboost", "@breast-cancer", "--learner", bases[b], "--rounds", "8"));
        cairn_report *rows = ran(*state, NULL,
                                 WORDS("fit", "adaboost", "@breast-cancer", "--learner", bases[b],
                                       "--rounds", "8", "--steps"));
        char name[32];
        for (int i = 1; i <= 8; i++) {
            snprintf(name, sizeof name, "round%d.epsilon", i);
            assert_number(sums, name, number_of(rows, name), 1e-12);
        }
        assert_number(sums, "training.error", number_of(rows, "training.error"), 1e-12);
        assert_number(sums, "margin.median", number_of(rows, "margin.median"), 1e-12);
        cairn_report_free(sums);
        cairn_report_free(rows);
    }
}

/* -- the board -- */

/* Outlook gets 4 of 14 days wrong: wrong weights times 1.75, right ones times 0.7. */
static void test_adaboost__steps_show_weights_before_and_after(void **state)
{
    const char *const words[] = {"fit", "adaboost", "@weather", "--rounds", "2", "--steps", NULL};
    cairn_report *report = ran(*state, NULL, words);
    assert_value(report, "round1.table.no.yes", 2.0 / 14);
    assert_value(report, "round1.factor.wrong", 1.75);
    assert_value(report, "round1.factor.right", 0.7);
    assert_value(report, "round1.delta", sqrt(2.5));
    assert_value(report, "round1.next.6", 0.125);
    assert_value(report, "round1.next.1", 0.05);
    assert_value(report, "round2.weight.6", 0.125);
    cairn_report_free(report);
}

/* -- ends -- */

static void test_adaboost__a_model_without_errors_answers_alone(void **state)
{
    const char *const words[] = {"fit", "adaboost", "@weather", "--learner", "tree", NULL};
    cairn_report *report = ran(*state, NULL, words);
    assert_word(report, "end", "perfect");
    assert_value(report, "round1.z", 0);
    assert_value(report, "round1.bound", 0);
    assert_value(report, "members", 1);
    assert_value(report, "training.error", 0);
    cairn_report_free(report);
}

/* No test of one column says anything about exclusive or. */
static void test_adaboost__no_better_than_chance_answers_alone(void **state)
{
    cairn_virtual_files files = {0};
    put_file(*state, &files, "xor.csv", "a,b,y\n0,0,no\n0,1,yes\n1,0,yes\n1,1,no\n");
    const char *const words[] = {"fit", "adaboost", "xor.csv", "--target", "y", NULL};
    cairn_report *report = ran(*state, &files, words);
    assert_word(report, "end", "only chance");
    assert_value(report, "members", 1);
    cairn_report_free(report);
    cairn_virtual_clear(&files);
}

/* The fifth model of a basic linear classifier has ε = 1/2. */
static void test_adaboost__a_model_at_one_half_is_dropped(void **state)
{
    const char *const words[] = {
        "fit", "adaboost", "@breast-cancer", "--learner", "basic-linear", "--rounds", "10", NULL};
    cairn_report *report = ran(*state, NULL, words);
    assert_word(report, "end", "chance");
    double n = number_of(report, "members");
    assert_true(n >= 1 && n < 10);
    cairn_report_free(report);
}

static void test_adaboost__rounds_up_to_the_best_are_kept(void **state)
{
    const char *const words[] = {"fit", "adaboost",   "@iris", "--rounds", "30", "--hold-out",
                                 "0.3", "--patience", "3",     "--seed",   "3",  NULL};
    cairn_report *report = ran(*state, NULL, words);
    size_t kept = (size_t)number_of(report, "members");
    char name[32];
    double best = number_of(report, "held_out.error");
    assert_word(report, "end", "patience");
    for (size_t i = 1; i <= kept + 3; i++) {
        snprintf(name, sizeof name, "round%zu.held", i);
        if (i < kept)
            assert_true(number_of(report, name) > best);
        else
            assert_true(number_of(report, name) >= best);
    }
    cairn_report_free(report);
}

/* -- weights -- */

/* A row of weight 3 is three rows. */
static void test_adaboost__weights_are_repeated_rows(void **state)
{
    cairn_virtual_files files = {0};
    put_file(*state, &files, "once.csv",
             "x,w,y\n1,3,a\n2,1,b\n3,2,a\n4,1,a\n5,2,b\n6,1,b\n7,1,a\n8,2,b\n");
    put_file(*state, &files, "often.csv",
             "x,y\n1,a\n1,a\n1,a\n2,b\n3,a\n3,a\n4,a\n5,b\n5,b\n6,b\n7,a\n8,b\n8,b\n");
    const char *const once[] = {"fit",      "adaboost", "once.csv", "--target", "y",
                                "--weight", "w",        "--rounds", "6",        NULL};
    const char *const often[] = {"fit", "adaboost", "often.csv", "--target",
                                 "y",   "--rounds", "6",         NULL};
    cairn_report *a = ran(*state, &files, once), *b = ran(*state, &files, often);
    char name[32];
    for (int i = 1; i <= 6; i++) {
        snprintf(name, sizeof name, "round%d.epsilon", i);
        assert_value(a, name, number_of(b, name));
    }
    cairn_report_free(a);
    cairn_report_free(b);
    cairn_virtual_clear(&files);
}

static void test_adaboost__rows_are_drawn_when_asked_for(void **state)
{
    const char *const words[] = {"fit", "adaboost",   "@iris",  "--rounds",
                                 "5",   "--resample", "always", NULL};
    cairn_report *a = ran(*state, NULL, words), *b = ran(*state, NULL, words);
    assert_true(number_of(a, "round1.epsilon") > 0);
    assert_value(a, "round3.epsilon", number_of(b, "round3.epsilon"));
    cairn_report_free(a);
    cairn_report_free(b);
}

/* -- forms -- */

/* Two classes: Z of the real form is Σ w √((1 − p(y)) / p(y)), and outlook has the leaves 3/5, 4/4
 * and 3/5 (the pure one counts 1e-10 for the class that it has not). */
static void test_adaboost__real_form_weighs_by_probabilities(void **state)
{
    const char *const words[] = {"fit",      "adaboost", "@weather", "--form", "real",
                                 "--rounds", "1",        "--steps",  NULL};
    cairn_report *report = ran(*state, NULL, words);
    double z = (6 * sqrt(0.4 / 0.6) + 4 * sqrt(0.6 / 0.4) + 4 * sqrt(1e-10)) / 14;
    assert_value(report, "round1.z", z);
    assert_value(report, "round1.next.1", sqrt(0.4 / 0.6) / 14 / z);
    cairn_report_free(report);
}

static void test_adaboost__bad_settings_are_refused(void **state)
{
    const char *const real[] = {"fit",          "adaboost", "@iris", "--learner",
                                "basic-linear", "--form",   "real",  NULL};
    const char *const patience[] = {"fit", "adaboost", "@iris", "--patience", "3", NULL};
    const char *const share[] = {"fit", "adaboost", "@weather", "--hold-out", "0.0001", NULL};
    cairn_report *report = NULL;
    assert_int_equal(run_words_with(*state, &report, NULL, real), CAIRN_USAGE);
    assert_non_null(strstr(cairn_message(*state), "needs probabilities"));
    cairn_report_free(report);
    report = NULL;
    assert_int_equal(run_words_with(*state, &report, NULL, patience), CAIRN_USAGE);
    assert_non_null(strstr(cairn_message(*state), "hold-out"));
    cairn_report_free(report);
    report = NULL;
    assert_int_equal(run_words_with(*state, &report, NULL, share), CAIRN_BAD_DATA);
    assert_non_null(strstr(cairn_message(*state), "none to judge by"));
    cairn_report_free(report);
}

/* What the fit says of its rows is what asking the model says, and so does its program: export
 * compares them row by row. */
static void test_adaboost__forms_and_votes_answer_alike_everywhere(void **state)
{
    static const char *const settings[][2] = {{"--form", "real"},      {"--form", "m1"},
                                              {"--vote", "plurality"}, {"--vote", "majority"},
                                              {"--eta", "0.3"},        {"--resample", "always"}};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        cairn_virtual_files files = {0};
        cairn_report *fitted =
            ran(*state, &files,
                WORDS("fit", "adaboost", "@iris", "--learner", "tree:max-depth=2", "--rounds", "6",
                      settings[i][0], settings[i][1], "--save", "m"));
        cairn_report *asked = ran(*state, &files, WORDS("evaluate", "m", "@iris"));
        assert_number(asked, "accuracy", 1 - number_of(fitted, "training.error"), 1e-12);
        cairn_report_free(ran(*state, &files, WORDS("export", "m", "--to", "c", "--out", "m.c")));
        cairn_report_free(fitted);
        cairn_report_free(asked);
        cairn_virtual_clear(&files);
    }
}

/* -- pictures -- */

static void test_adaboost__curves_and_margins_are_drawn(void **state)
{
    cairn_virtual_files files = {0};
    static const char *const parts[] = {"curve", "margins"};
    cairn_report_free(
        ran(*state, &files, WORDS("fit", "adaboost", "@iris", "--rounds", "5", "--save", "m")));
    for (int i = 0; i < 2; i++) {
        cairn_report *report =
            ran(*state, &files, WORDS("draw", "training", "m", "--part", parts[i]));
        const cairn_figure *figure = cairn_report_figure_at(report, 0);
        assert_string_equal(cairn_figure_name(figure), parts[i]);
        cairn_report_free(report);
    }
    cairn_report *report = NULL;
    cairn_report_free(ran(*state, &files, WORDS("fit", "bayes", "@iris", "--save", "b")));
    assert_int_equal(run_words_with(*state, &report, &files, WORDS("draw", "training", "b")),
                     CAIRN_USAGE);
    cairn_report_free(report);
    cairn_virtual_clear(&files);
}

/* -- by hand -- */

/* Three classes, ε = 1/4: factors (k − 1) / (k ε) and 1 / (k (1 − ε)). */
static void test_boosting_weights__three_classes(void **state)
{
    const char *const words[] = {"compute", "boosting-weights", "--table", "30,5,5;5,25,0;5,5,20",
                                 NULL};
    cairn_report *report = ran(*state, NULL, words);
    assert_value(report, "epsilon", 0.25);
    assert_value(report, "alpha", 0.5 * (log(3) + log(2)));
    assert_value(report, "factor.wrong", 2 / 0.75);
    assert_value(report, "factor.right", 1 / 2.25);
    assert_value(report, "epsilon_after", 2.0 / 3);
    assert_value(report, "updated.total", 100);
    cairn_report_free(report);
}

static void test_boosting_weights__no_error_and_nothing_right(void **state)
{
    const char *const none[] = {"compute", "boosting-weights", "--table", "4,0;0,5", NULL};
    const char *const all[] = {"compute", "boosting-weights", "--table", "0,4;5,0", NULL};
    const char *const empty[] = {"compute", "boosting-weights", "--table", "0,0;0,0", NULL};
    cairn_report *report = ran(*state, NULL, none);
    assert_value(report, "epsilon", 0);
    cairn_report_free(report);
    report = ran(*state, NULL, all);
    assert_value(report, "epsilon", 1);
    cairn_report_free(report);
    report = NULL;
    assert_int_not_equal(run_words_with(*state, &report, NULL, empty), CAIRN_OK);
    cairn_report_free(report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_adaboost__two_classes_agree_with_another_program),
        context_test(test_adaboost__three_classes_agree_with_another_program),
        context_test(test_adaboost__which_rows_a_round_takes),
        context_test(test_adaboost__stumps_from_sums_are_those_of_the_rows),
        context_test(test_adaboost__steps_show_weights_before_and_after),
        context_test(test_adaboost__a_model_without_errors_answers_alone),
        context_test(test_adaboost__no_better_than_chance_answers_alone),
        context_test(test_adaboost__a_model_at_one_half_is_dropped),
        context_test(test_adaboost__rounds_up_to_the_best_are_kept),
        context_test(test_adaboost__weights_are_repeated_rows),
        context_test(test_adaboost__rows_are_drawn_when_asked_for),
        context_test(test_adaboost__real_form_weighs_by_probabilities),
        context_test(test_adaboost__bad_settings_are_refused),
        context_test(test_adaboost__forms_and_votes_answer_alike_everywhere),
        context_test(test_adaboost__curves_and_margins_are_drawn),
        context_test(test_boosting_weights__three_classes),
        context_test(test_boosting_weights__no_error_and_nothing_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
