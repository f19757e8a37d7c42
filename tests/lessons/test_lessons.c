/* SPDX-License-Identifier: MIT */
/* Every lesson is run with --check: its id is that of its file, it has expectations, each of them
 * is compared, and all hold. */
#include "command/lesson.h"
#include "support/digest.h"
#include "support/unit.h"

#include <stdio.h>

/* Number of things that a lesson says must hold: its values and the exit code of each command. */
static double expected_checks(cairn_context *ctx, const char *id)
{
    cairn_lesson lesson;
    double n = 0;
    size_t values = 0;
    assert_ok(ctx, cairn_lesson_read(ctx, &lesson, id));
    assert_string_equal(lesson.id, id);
    for (size_t i = 0; i < lesson.n_commands; i++) {
        n += 1 + (double)lesson.commands[i].n_expect;
        values += lesson.commands[i].n_expect;
    }
    if (values == 0) fail_msg("lesson %s expects nothing", id);
    cairn_lesson_clear(&lesson);
    return n;
}

static void test_lessons__all_hold(void **state)
{
    cairn_context *ctx = *state;
    cairn_lesson_item *items;
    size_t failed = 0;
    assert_ok(ctx, cairn_lesson_list(ctx, &items));
    for (; items->id; items++) {
        const char *words[] = {"lesson", items->id, "--check"};
        cairn_report *report;
        double compared = 0;
        assert_ok(ctx, cairn_report_new(ctx, &report));
        cairn_status status = cairn_run(ctx, report, 3, words);
        if (status) {
            char *text = NULL;
            failed++;
            fprintf(stderr, "lesson %s: %s\n", items->id, cairn_message(ctx));
            if (cairn_report_print(ctx, report, CAIRN_FORMAT_TEXT, NULL, &text) == CAIRN_OK)
                fputs(text, stderr);
            cairn_string_free(text);
        } else {
            assert_true(cairn_report_number(report, "lesson.expectations", &compared));
            assert_true(compared == expected_checks(ctx, items->id));
        }
        cairn_report_free(report);
    }
    assert_int_equal(failed, 0);
}

/* A lesson's files lie in a folder of their own, cairn-XXXXXX, whose name is another each time. */
static void hide_folders(char *text)
{
    for (char *at = text; (at = strstr(at, "/cairn-")); at += 7)
        if (strcspn(at + 7, "/ \"'") == 6) memset(at + 7, 'X', 6);
}

/* All that a lesson's commands say, at full precision. */
static char *said_by(cairn_context *ctx, const char *id, int threads)
{
    const char *words[] = {"lesson", id};
    cairn_report *report;
    char *text;
    cairn_context_set_threads(ctx, threads);
    assert_ok(ctx, cairn_report_new(ctx, &report));
    assert_ok(ctx, cairn_run(ctx, report, 2, words));
    assert_ok(ctx, cairn_report_print(ctx, report, CAIRN_FORMAT_JSON, NULL, &text));
    cairn_report_free(report);
    hide_folders(text);
    return text;
}

static void test_lessons__same_bytes_for_any_number_of_threads(void **state)
{
    cairn_context *ctx = *state;
    cairn_lesson_item *items;
    assert_ok(ctx, cairn_lesson_list(ctx, &items));
    for (; items->id; items++) {
        char *one = said_by(ctx, items->id, 1), *four = said_by(ctx, items->id, 4);
        if (strcmp(one, four)) fail_msg("lesson %s differs with 4 threads", items->id);
        digest_write("lesson", items->id, digest_add(DIGEST_START, one, strlen(one)));
        cairn_string_free(one);
        cairn_string_free(four);
    }
}

static void test_lessons__shown_whole_in_every_format(void **state)
{
    cairn_context *ctx = *state;
    cairn_lesson_item *items;
    assert_ok(ctx, cairn_lesson_list(ctx, &items));
    for (size_t i = 0; items[i].id; i++) {
        if (i % 7) continue; /* a sample: the pages are large */
        const char *words[] = {"lesson", items[i].id};
        cairn_report *report;
        assert_ok(ctx, cairn_report_new(ctx, &report));
        assert_ok(ctx, cairn_run(ctx, report, 2, words));
        for (int format = CAIRN_FORMAT_TEXT; format <= CAIRN_FORMAT_HTML; format++) {
            char *text;
            assert_ok(ctx, cairn_report_print(ctx, report, (cairn_format)format, NULL, &text));
            assert_true(strlen(text) > 100);
            cairn_string_free(text);
        }
        cairn_report_free(report);
    }
}

int main(int argc, char **argv)
{
    only_tests(argc, argv);
    const struct CMUnitTest tests[] = {
        context_test(test_lessons__all_hold),
        context_test(test_lessons__same_bytes_for_any_number_of_threads),
        context_test(test_lessons__shown_whole_in_every_format),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
