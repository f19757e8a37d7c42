/* SPDX-License-Identifier: MIT */
#include "command/lesson.h"
#include "support/unit.h"

#include <math.h>

static cairn_status parse(cairn_context *ctx, cairn_lesson *out, const char *text)
{
    return cairn_lesson_parse(ctx, out, "one", text, strlen(text));
}

#define LESSON(COMMANDS) "{\"id\":\"one\",\"title\":\"One\",\"commands\":[" COMMANDS "]}"
#define EXPECT(E)        LESSON("{\"run\":[\"list\"],\"expect\":[" E "]}")

static void test_lesson__reads_all_parts(void **state)
{
    cairn_context *ctx = *state;
    cairn_lesson lesson;
    assert_ok(ctx, parse(ctx, &lesson,
                         "{\"id\":\"one\",\"title\":\"One\",\"text\":[\"a\",\"b\"],"
                         "\"rows\":[\"D07\"],\"note\":\"n\",\"files\":{\"f.csv\":\"x\\n1\\n\"},"
                         "\"commands\":[{\"run\":[\"describe\",\"f.csv\"],\"exit\":3,\"expect\":["
                         "{\"value\":\"v\",\"key\":\"k\",\"number\":0.5,\"tolerance\":0.1},"
                         "{\"value\":\"w\",\"text\":\"t\"},{\"value\":\"u\",\"number\":null},"
                         "{\"value\":\"i\",\"number\":\"-inf\"}]}]}"));
    assert_string_equal(lesson.title, "One");
    assert_int_equal(lesson.n_text, 2);
    assert_int_equal(lesson.n_commands, 1);
    const cairn_lesson_command *command = &lesson.commands[0];
    assert_int_equal(command->exit, 3);
    assert_int_equal(command->n_expect, 4);
    assert_string_equal(command->expect[0].key, "k");
    assert_true(command->expect[0].tolerance == 0.1);
    assert_string_equal(command->expect[1].text, "t");
    assert_true(isnan(command->expect[2].number));
    assert_true(isinf(command->expect[3].number));
    assert_non_null(cairn_virtual_find(&lesson.files, "f.csv"));
    cairn_lesson_clear(&lesson);
}

static void test_lesson__refuses_what_does_not_follow_the_format(void **state)
{
    cairn_context *ctx = *state;
    cairn_lesson lesson;
    const char *const bad[][2] = {
        {"{", "one, line"},
        {"{\"id\":\"two\",\"title\":\"x\",\"commands\":[{\"run\":[\"list\"]}]}", "differs"},
        {"{\"id\":\"one\",\"commands\":[{\"run\":[\"list\"]}]}", "no 'title'"},
        {"{\"id\":\"one\",\"title\":\"x\"}", "no 'commands'"},
        {LESSON("{}"), "no words"},
        {LESSON("{\"run\":[1]}"), "something else"},
        {LESSON("{\"run\":[\"list\"],\"exit\":\"x\"}"), "'exit'"},
        {EXPECT("{\"number\":1}"), "does not name"},
        {EXPECT("{\"value\":\"v\"}"), "either number or text"},
        {EXPECT("{\"value\":\"v\",\"number\":1,\"text\":\"t\"}"), "either number or text"},
        {EXPECT("{\"value\":\"v\",\"number\":true}"), "not a number"},
        {EXPECT("{\"value\":\"v\",\"number\":1,\"tolerance\":-1}"), "tolerance"},
        {EXPECT("{\"value\":\"v\",\"numbr\":1}"), "no member 'numbr'"},
        {"{\"id\":\"one\",\"title\":\"x\",\"ask\":{\"v\":\"l\"},\"commands\":[{\"run\":[\"list\"]}]"
         "}",
         "asked for and not expected"},
        {"{\"id\":\"one\",\"title\":\"x\",\"files\":{\"a/b\":\"\"},\"commands\":[]}", "'files'"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_fails(ctx, parse(ctx, &lesson, bad[i][0]), CAIRN_BAD_DATA, bad[i][1]);
}

static bool holds(cairn_report *report, cairn_expectation e)
{
    char got[80];
    cairn_run_output output = CAIRN_RUN_OUTPUT_INIT;
    return cairn_expectation_holds(&e, report, &output, got, sizeof got);
}

static void test_lesson__expectations(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report;
    assert_ok(ctx, cairn_report_new(ctx, &report));
    cairn_report_hidden(report, 0.25, "quarter");
    cairn_report_hidden(report, 1e6, "million");
    cairn_report_hidden(report, NAN, "undefined");
    cairn_report_hidden(report, INFINITY, "infinite");
    cairn_report_hidden_word(report, "rain", "word");
    assert_true(holds(report, (cairn_expectation){.value = "quarter", .number = 0.25}));
    assert_false(holds(report, (cairn_expectation){.value = "quarter", .number = 0.26}));
    assert_true(
        holds(report, (cairn_expectation){.value = "quarter", .number = 0.26, .tolerance = 0.02}));
    assert_true(holds(
        report, (cairn_expectation){.value = "million", .number = 1000001, .tolerance = 1e-5}));
    assert_true(holds(report, (cairn_expectation){.value = "undefined", .number = NAN}));
    assert_false(holds(report, (cairn_expectation){.value = "quarter", .number = NAN}));
    assert_true(holds(report, (cairn_expectation){.value = "infinite", .number = INFINITY}));
    assert_false(holds(report, (cairn_expectation){.value = "none", .number = NAN}));
    assert_true(holds(report, (cairn_expectation){.value = "word", .text = "rain"}));
    assert_false(holds(report, (cairn_expectation){.value = "word", .text = "sun"}));
    assert_false(holds(report, (cairn_expectation){.value = "word", .number = 1}));
    assert_true(holds(report, (cairn_expectation){.value = "quarter", .text = "0.25"}));
    cairn_report_free(report);
}

static bool right(const char *text, double truth, double tolerance)
{
    cairn_asked asked = {.value = "v", .label = "l", .tolerance = tolerance};
    return cairn_answer_right(&asked, text, truth);
}

static void test_answer__numbers_fractions_and_percentages(void **state)
{
    (void)state;
    double value, slack;
    const char *const none[] = {"", "abc", "1/", "/2", "1/0", "0.5x", "1/2/3", "5%%", "--1", "1 2"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (cairn_answer_read(none[i], &value, &slack)) fail_msg("'%s' was a number", none[i]);
    assert_true(right("0.25", 0.25, 0));
    assert_true(right(" 1/4 ", 0.25, 1e-9));
    assert_true(right("25%", 0.25, 1e-9));
    assert_true(right("25 %", 0.25, 1e-9));
    assert_true(right("-3", -3, 0));
    assert_true(right("undefined", NAN, 0));
    assert_true(right("-inf", -INFINITY, 0));
    assert_false(right("0", NAN, 0));
    assert_false(right("inf", -INFINITY, 0));
}

/* Two digits must be rounded correctly; of three or more the last may be off by one. */
static void test_answer__as_far_as_its_digits_go(void **state)
{
    (void)state;
    assert_true(right("0.94", 0.9402859586706309, 1e-6));
    assert_false(right("0.93", 0.9402859586706309, 1e-6));
    assert_false(right("0.9", 0.9402859586706309, 1e-6));
    assert_true(right("0.246", 0.24674981977443933, 1e-6));
    assert_true(right("0.247", 0.24674981977443933, 1e-6));
    assert_false(right("0.245", 0.24674981977443933, 1e-6));
    assert_true(right("24.7%", 0.24674981977443933, 1e-6));
    assert_true(right("94 %", 0.9402859586706309, 1e-6));
    assert_false(right("93%", 0.9402859586706309, 1e-6));
    assert_false(right("13", 12.6, 1e-6));
    assert_true(right("12.6", 12.6, 1e-6));
    assert_false(right("1/4", 0.2467, 1e-6));
}

static void test_answer__words_by_their_letters(void **state)
{
    (void)state;
    assert_true(cairn_answer_same_word(" Outlook ", "outlook"));
    assert_false(cairn_answer_same_word("look", "outlook"));
    assert_false(cairn_answer_same_word("", "outlook"));
}

#define TURN(T) LESSON("{\"run\":[\"list\"]}],\"turn\":{" T "},\"x\":[")

static const char whole_turn[] =
    TURN("\"question\":\"{a} of {b}, {x}?\",\"vary\":{\"a\":{\"from\":1,\"to\":9},"
         "\"b\":{\"from\":0.1,\"to\":0.5,\"step\":0.1,\"count\":3,\"distinct\":\"yes\",\"sorted\":"
         "\"yes\"}},\"files\":{\"f.csv\":\"x,{a}\\n\"},\"run\":[\"list\",\"{b}\"],\"ask\":{\"v\":"
         "\"l\"}");

static void test_turn__fills_question_files_and_words(void **state)
{
    cairn_context *ctx = *state;
    cairn_lesson lesson, one, again, other;
    assert_ok(ctx, parse(ctx, &lesson, whole_turn));
    assert_ok(ctx, cairn_lesson_draw(ctx, &one, &lesson, 7, 0));
    assert_ok(ctx, cairn_lesson_draw(ctx, &again, &lesson, 7, 0));
    assert_ok(ctx, cairn_lesson_draw(ctx, &other, &lesson, 8, 0));
    assert_string_equal(one.question, again.question);
    assert_string_not_equal(one.question, other.question);
    assert_non_null(strstr(one.question, "{x}"));
    assert_null(strstr(one.question, "{a}"));
    const char *b = one.commands[0].words[1];
    assert_int_equal(strlen(b), strlen("0.1,0.2,0.3"));
    assert_true(strncmp(b, b + 4, 3) < 0 && strncmp(b + 4, b + 8, 3) < 0);
    const cairn_virtual_file *file = cairn_virtual_find(&one.files, "f.csv");
    assert_non_null(file);
    assert_int_equal(file->bytes[2], one.question[0]);
    cairn_lesson_clear(&one);
    cairn_lesson_clear(&again);
    cairn_lesson_clear(&other);
    cairn_lesson_clear(&lesson);
}

static void test_turn__refuses_what_does_not_follow_the_format(void **state)
{
    cairn_context *ctx = *state;
    cairn_lesson lesson, out;
    const char *const bad[][2] = {
        {TURN("\"run\":[\"list\"]"), "no 'question'"},
        {TURN("\"question\":\"q\""), "no words"},
        {TURN("\"question\":\"q\",\"run\":[\"list\"]"), "asks for nothing"},
        {TURN("\"question\":\"q\",\"vary\":{\"a\":{\"from\":2,\"to\":1}}"), "no values"},
        {TURN("\"question\":\"q\",\"vary\":{\"a\":{\"of\":[]}}"), "no values"},
        {TURN("\"question\":\"q\",\"vary\":{\"a\":{\"from\":1,\"to\":2,\"count\":3,"
              "\"distinct\":\"yes\"}}"),
         "too few"},
        {TURN("\"question\":\"q\",\"files\":{\"a/b\":\"\"}"), "'files'"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_ok(ctx, parse(ctx, &lesson, bad[i][0]));
        assert_fails(ctx, cairn_lesson_draw(ctx, &out, &lesson, 1, 0), CAIRN_BAD_DATA, bad[i][1]);
        cairn_lesson_clear(&lesson);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_lesson__reads_all_parts),
        context_test(test_lesson__refuses_what_does_not_follow_the_format),
        context_test(test_lesson__expectations),
        context_test(test_answer__numbers_fractions_and_percentages),
        context_test(test_answer__as_far_as_its_digits_go),
        context_test(test_answer__words_by_their_letters),
        context_test(test_turn__fills_question_files_and_words),
        context_test(test_turn__refuses_what_does_not_follow_the_format),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
