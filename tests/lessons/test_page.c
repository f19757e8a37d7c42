/* SPDX-License-Identifier: MIT */
/* docs/course.md lists every lesson once, with its title and its question, and no other. */
#include "command/lesson.h"
#include "support/unit.h"

#include <stdio.h>
#include <stdlib.h>

static char *read_page(void)
{
    FILE *file = fopen("docs/course.md", "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long size = ftell(file);
    assert_true(size > 0);
    rewind(file);
    char *text = calloc((size_t)size + 1, 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)size, file), (size_t)size);
    fclose(file);
    return text;
}

static size_t occurrences(const char *text, const char *what)
{
    size_t n = 0;
    for (const char *at = text; (at = strstr(at, what)); at += strlen(what)) n++;
    return n;
}

/* "| [ID](../lessons/ID.json) ↻ | TITLE | QUESTION |" */
static void page_line(char *out, size_t size, const cairn_lesson *lesson, const char *question)
{
    snprintf(out, size, "\n| [%s](../lessons/%s.json)%s | %s | %s |\n", lesson->id, lesson->id,
             lesson->turn ? " ↻" : "", lesson->title, question);
}

static void test_page__lists_every_lesson_once(void **state)
{
    cairn_context *ctx = *state;
    cairn_lesson_item *items;
    char *page = read_page(), line[600];
    size_t n = 0;
    assert_ok(ctx, cairn_lesson_list(ctx, &items));
    for (; items->id; items++, n++) {
        cairn_lesson lesson;
        assert_ok(ctx, cairn_lesson_read(ctx, &lesson, items->id));
        page_line(line, sizeof line, &lesson, items->question);
        if (occurrences(page, line) != 1)
            fail_msg("tools/lessons-page must be run: docs/course.md needs the line%s", line);
        cairn_lesson_clear(&lesson);
    }
    assert_int_equal(occurrences(page, "\n| ["), n);
    free(page);
}

/* What a lesson must have to teach: sentences, and each of them ended. */
static void test_page__lessons_have_sentences(void **state)
{
    cairn_context *ctx = *state;
    cairn_lesson_item *items;
    assert_ok(ctx, cairn_lesson_list(ctx, &items));
    for (; items->id; items++) {
        cairn_lesson lesson;
        assert_ok(ctx, cairn_lesson_read(ctx, &lesson, items->id));
        if (lesson.n_text == 0) fail_msg("lesson %s has no text", items->id);
        for (size_t i = 0; i < lesson.n_text; i++)
            if (!strchr(".?!", lesson.text[i][strlen(lesson.text[i]) - 1]))
                fail_msg("lesson %s: text %zu does not end a sentence", items->id, i + 1);
        cairn_lesson_clear(&lesson);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_page__lists_every_lesson_once),
        context_test(test_page__lessons_have_sentences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
