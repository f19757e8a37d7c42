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

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_lesson__reads_all_parts),
        context_test(test_lesson__refuses_what_does_not_follow_the_format),
        context_test(test_lesson__expectations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
