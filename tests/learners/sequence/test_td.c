/* SPDX-License-Identifier: MIT */
/* td: numbers of a plain calculation elsewhere, episodes that are mixed, final states, answers for
 * new rows, and refusals. */
#include "support/run.h"

#include <stdio.h>
#include <string.h>

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static cairn_report *ran(cairn_context *ctx, const char *const *words)
{
    cairn_report *r;
    assert_ok(ctx, run_words(ctx, &r, words));
    return r;
}

#define FIT_WALKS                                                                                  \
    "fit", "td", "@walks", "--group", "episode", "--alpha", "0.5", "--passes", "3", "--method"

static void test_td__three_passes(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *r = ran(ctx, WORDS(FIT_WALKS, "sarsa"));
    assert_number(r, "q.3.right", 0.984375, 1e-12);
    assert_number(r, "q.2.right", 0.62746875, 1e-12);
    assert_number(r, "q.3.left", 0.223003125, 1e-12);
    assert_number(r, "q.1.right", 0, 0);
    cairn_report_free(r);
    r = ran(ctx, WORDS(FIT_WALKS, "q-learning"));
    assert_number(r, "q.1.right", 0.581396484375, 1e-12);
    assert_number(r, "q.2.left", 0.42608056640625, 1e-12);
    assert_number(r, "value.2", 0.8490234375, 1e-12);
    assert_number(r, "visits.2", 6, 0);
    assert_number(r, "unknown.value", 0.5765079345703126, 1e-12);
    assert_string_equal(cairn_report_string(r, "action.1"), "right");
    cairn_report_free(r);
}

static void test_td__values_of_states(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *r = ran(ctx, WORDS("fit", "td", "@walks", "--group", "episode", "--method", "td",
                                     "--alpha", "0.5", "--gamma", "1", "--steps"));
    assert_number(r, "value.1", 0.0390625, 1e-12);
    assert_number(r, "value.2", 0.1171875, 1e-12);
    assert_number(r, "value.3", 0.6875, 1e-12);
    assert_number(r, "update2.after", 0.5, 1e-12);
    cairn_report_free(r);
}

/* Rows of two episodes in turn are the same as one episode after the other. */
static void test_td__episodes_may_be_mixed(void **state)
{
    cairn_context *ctx = *state;
    write_file("td_mixed.csv", "game,state,reward\na,x,0\nb,y,1\na,y,4\nb,x,2\n");
    write_file("td_whole.csv", "game,state,reward\na,x,0\na,y,4\nb,y,1\nb,x,2\n");
    for (int i = 0; i < 2; i++) {
        cairn_report *r =
            ran(ctx, WORDS("fit", "td", i ? "td_whole.csv" : "td_mixed.csv", "--target", "reward",
                           "--group", "game", "--method", "mc", "--averages", "--gamma", "0.5"));
        assert_number(r, "episodes", 2, 0);
        assert_number(r, "value.x", (0 + 0.5 * 4 + 2) / 2, 1e-12);
        assert_number(r, "value.y", (4 + 1 + 0.5 * 2) / 2, 1e-12);
        assert_number(r, "mean_return", (2 + 2) / 2.0, 1e-12);
        cairn_report_free(r);
    }
    assert_int_equal(remove("td_mixed.csv"), 0);
    assert_int_equal(remove("td_whole.csv"), 0);
}

/* The reward of a last row without an action is that of getting there; two columns are a state. */
static void test_td__final_states_and_several_columns(void **state)
{
    cairn_context *ctx = *state;
    write_file("td_final.csv", "row,column,action,reward\n1,a,go,1\n1,b,go,0\n2,b,?,5\n");
    cairn_report *r = ran(ctx, WORDS("fit", "td", "td_final.csv", "--target", "reward", "--method",
                                     "mc", "--averages", "--gamma", "1"));
    assert_number(r, "states", 2, 0);
    assert_number(r, "value.1, a", 6, 1e-12);
    assert_number(r, "value.1, b", 5, 1e-12);
    cairn_report_free(r);
    assert_int_equal(remove("td_final.csv"), 0);
}

/* A state that was never met has the mean, an action that was never taken the best one's value. */
static void test_td__answers_for_new_rows(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *table, *answer;
    cairn_model *model;
    write_file("td_new.csv", "state,action\n2,left\n2,?\n3,left\n9,left\n");
    cairn_report_free(ran(ctx, WORDS(FIT_WALKS, "q-learning", "--save", "td_test.cairn")));
    assert_ok(ctx, cairn_model_load(ctx, &model, "td_test.cairn"));
    assert_ok(ctx, cairn_table_read(ctx, &table, "td_new.csv", NULL));
    assert_ok(ctx, cairn_model_predict(ctx, &answer, model, table, true));
    static const double expected[] = {0.42608056640625, 0.8490234375, 0.54263671875,
                                      0.5765079345703126};
    const double *found = cairn_table_numbers(answer, 0);
    assert_non_null(found);
    for (size_t i = 0; i < 4; i++)
        if (!(fabs(found[i] - expected[i]) <= 1e-12)) fail_msg("row %zu: %.17g", i + 1, found[i]);
    cairn_table_free(answer);
    cairn_table_free(table);
    cairn_model_free(model);
    assert_int_equal(remove("td_new.csv"), 0);
    assert_int_equal(remove("td_test.cairn"), 0);
}

#define LINE_OF_WALKS                                                                              \
    "fit", "linear-td", "@walks", "--group", "episode", "--features", "state", "--scale", "none"

/* Three passes of a plain calculation elsewhere; and one of lms. */
static void test_linear_td__moves_towards_successors(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *r =
        ran(ctx, WORDS(LINE_OF_WALKS, "--gamma", "1", "--alpha", "0.1", "--passes", "3"));
    assert_number(r, "coefficient.state", 0.20467348, 1e-8);
    assert_number(r, "intercept", -0.02511825, 1e-8);
    assert_number(r, "episodes", 4, 0);
    cairn_report_free(r);
    r = ran(ctx, WORDS(LINE_OF_WALKS, "--method", "mc", "--gamma", "0", "--alpha", "0.1",
                       "--passes", "1"));
    cairn_report *lms = ran(ctx, WORDS("fit", "lms", "@walks", "--features", "state", "--scale",
                                       "none", "--eta", "0.1", "--protocol", "online"));
    assert_number(r, "coefficient.state", number_of(lms, "coefficient.state"), 1e-12);
    assert_number(r, "intercept", number_of(lms, "intercept"), 1e-12);
    cairn_report_free(lms);
    cairn_report_free(r);
}

/* The usual rate is short enough for long rows, and a large one is refused. */
static void test_linear_td__long_rows(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *r;
    write_file("td_long.csv", "x,reward\n3,1\n-4,2\n");
    r = ran(ctx, WORDS("fit", "linear-td", "td_long.csv", "--target", "reward", "--scale", "none"));
    assert_number(r, "alpha", 1 / 17.0, 1e-15);
    cairn_report_free(r);
    assert_int_equal(run_words(ctx, &r,
                               WORDS("fit", "linear-td", "td_long.csv", "--target", "reward",
                                     "--scale", "none", "--alpha", "2")),
                     CAIRN_USAGE);
    assert_non_null(strstr(cairn_message(ctx), "grows without end"));
    cairn_report_free(r);
    assert_int_equal(remove("td_long.csv"), 0);
}

static void assert_refused(cairn_context *ctx, const char *csv, const char *part)
{
    cairn_report *r = NULL;
    write_file("td_bad.csv", csv);
    assert_true(run_words(ctx, &r,
                          WORDS("fit", "td", "td_bad.csv", "--target", "reward", "--group",
                                "episode")) != CAIRN_OK);
    if (!strstr(cairn_message(ctx), part)) fail_msg("'%s'", cairn_message(ctx));
    cairn_report_free(r);
    assert_int_equal(remove("td_bad.csv"), 0);
}

static void test_td__refusals(void **state)
{
    cairn_context *ctx = *state;
    assert_refused(ctx, "episode,step,state,reward\n1,2,a,0\n1,1,b,1\n",
                   "row 2: step 1 does not come after step 2");
    assert_refused(ctx, "episode,step,state,reward\n1,?,a,0\n1,1,b,1\n", "the step is missing");
    assert_refused(ctx, "episode,state,reward\n1,a,1e300\n1,b,1\n", "1e+300 is too large");
    assert_refused(ctx, "episode,state,action,reward\n1,a,?,0\n1,b,x,1\n",
                   "row 1, column 'action': the action is missing");
    assert_refused(ctx, "episode,state,reward\n1,a,0\n?,b,1\n", "row 2, column 'episode'");
    assert_refused(ctx, "episode,action,reward\n1,a,0\n1,b,1\n", "no feature is left");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_td__three_passes),
        context_test(test_td__values_of_states),
        context_test(test_td__episodes_may_be_mixed),
        context_test(test_td__final_states_and_several_columns),
        context_test(test_td__answers_for_new_rows),
        context_test(test_td__refusals),
        context_test(test_linear_td__moves_towards_successors),
        context_test(test_linear_td__long_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
