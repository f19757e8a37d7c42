/* SPDX-License-Identifier: MIT */
/* The course: every lesson has one place, a question and values to ask for; every topic has at
 * least three exercises with other numbers, and these can be drawn and answered. */
#include "base/bundle.h"
#include "command/lesson.h"
#include "data/table.h"
#include "support/unit.h"

#include <stdio.h>

/* The list is made of the topics; the files of lessons are those that have a title. */
static void test_course__every_lesson_has_one_place(void **state)
{
    cairn_context *ctx = *state;
    cairn_lesson_item *items;
    const char *name;
    size_t n = 0, n_files = 0;
    assert_ok(ctx, cairn_lesson_list(ctx, &items));
    for (; items[n].id; n++) {
        assert_ptr_equal(cairn_lesson_named(items, items[n].id), &items[n]);
        assert_non_null(items[n].topic);
        assert_int_equal(items[n].question[strlen(items[n].question) - 1], '?');
    }
    for (size_t i = 0; (name = cairn_bundle_name(i)); i++)
        n_files += cairn_bundle_title(i) && strncmp(name, "lessons/", 8) == 0;
    assert_int_equal(n, n_files);
}

static void test_course__every_lesson_asks_for_something(void **state)
{
    cairn_context *ctx = *state;
    cairn_lesson_item *items;
    assert_ok(ctx, cairn_lesson_list(ctx, &items));
    for (; items->id; items++) {
        cairn_lesson lesson;
        assert_ok(ctx, cairn_lesson_read(ctx, &lesson, items->id));
        if (lesson.n_asked == 0) fail_msg("lesson %s asks for nothing", items->id);
        cairn_lesson_clear(&lesson);
    }
}

/* Whether the word is the name of an entry, a table or a topic, for which help would be asked
 * instead. */
static bool is_taken(cairn_context *ctx, const char *word)
{
    size_t n, n_topics;
    cairn_chapter *topics;
    const cairn_entry *const *entries = cairn_entries(ctx, &n);
    assert_ok(ctx, cairn_lesson_topics(ctx, &topics, &n_topics));
    for (size_t i = 0; i < n; i++)
        if (strcmp(entries[i]->name, word) == 0) return true;
    for (size_t i = 0; i < n_topics; i++)
        if (strcmp(topics[i].name, word) == 0) return true;
    const char *table;
    for (size_t i = 0; (table = cairn_builtin_name(i, NULL)); i++)
        if (strcmp(table, word) == 0) return true;
    return false;
}

/* Names are words in small letters; that none is given twice is seen to by tools/pack.c. */
static void test_course__names_say_what_is_taught(void **state)
{
    cairn_context *ctx = *state;
    cairn_lesson_item *items;
    assert_ok(ctx, cairn_lesson_list(ctx, &items));
    for (; items->id; items++) {
        bool plain =
            strspn(items->id, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(items->id);
        if (!plain || !strchr(items->id, '-') || is_taken(ctx, items->id))
            fail_msg("lesson %s: not a name for a lesson", items->id);
    }
}

static void test_course__aliases_are_taken_everywhere(void **state)
{
    cairn_context *ctx = *state;
    cairn_lesson_item *items;
    size_t n_aliases = 0;
    assert_ok(ctx, cairn_lesson_list(ctx, &items));
    for (cairn_lesson_item *item = items; item->id; item++) {
        cairn_lesson lesson, same;
        assert_ok(ctx, cairn_lesson_read(ctx, &lesson, item->id));
        for (size_t i = 0; i < lesson.n_aliases; i++, n_aliases++) {
            assert_ptr_equal(cairn_lesson_named(items, lesson.aliases[i]), item);
            assert_ok(ctx, cairn_lesson_read(ctx, &same, lesson.aliases[i]));
            assert_string_equal(same.id, item->id);
            cairn_lesson_clear(&same);
        }
        cairn_lesson_clear(&lesson);
    }
    assert_true(n_aliases > 0);
    assert_null(cairn_lesson_named(items, "topics"));
}

/* The turn of a lesson with some seeds: the values that it asks for are right as answers. */
static void try_turn(cairn_context *ctx, const char *id)
{
    for (int seed = 1; seed <= 5; seed++) {
        char number[12];
        snprintf(number, sizeof number, "%d", seed);
        const char *words[] = {"lesson", id, "--turn", "--seed", number, "--answer", "1=1e300"};
        cairn_report *report;
        double right = -1;
        assert_ok(ctx, cairn_report_new(ctx, &report));
        cairn_status status = cairn_run(ctx, report, 7, words);
        if (status != CAIRN_CHECK_FAILED) fail_msg("%s: %s", id, cairn_message(ctx));
        assert_true(cairn_report_number(report, "answers.right", &right));
        assert_true(right == 0);
        cairn_report_free(report);
    }
}

static void test_course__every_topic_has_three_turns(void **state)
{
    cairn_context *ctx = *state;
    cairn_chapter *topics;
    size_t n;
    assert_ok(ctx, cairn_lesson_topics(ctx, &topics, &n));
    for (size_t t = 0; t < n; t++) {
        size_t turns = 0;
        for (size_t i = 0; i < topics[t].n; i++) {
            cairn_lesson lesson;
            assert_ok(ctx, cairn_lesson_read(ctx, &lesson, topics[t].lessons[i].id));
            turns += lesson.turn != NULL;
            if (lesson.turn) try_turn(ctx, lesson.id);
            cairn_lesson_clear(&lesson);
        }
        if (topics[t].n && turns < 3) fail_msg("topic %s has %zu turns", topics[t].name, turns);
    }
}

/* Types the answers of a list, one after the other. */
typedef struct typist {
    const char *const *lines;
    size_t at;
    char shown[20000];
} typist;

static const char *type_line(const char *question, void *data)
{
    typist *t = data;
    strncat(t->shown, question, sizeof t->shown - strlen(t->shown) - 1);
    return t->lines[t->at] ? t->lines[t->at++] : NULL;
}

static void test_course__asks_at_the_terminal(void **state)
{
    cairn_context *ctx = *state;
    const char *const lines[] = {"0", "0,94", "1/2", "94%", "one", "0.5", "7", "3", NULL};
    const char *words[] = {"lesson", "entropy-curve", "--ask"};
    typist t = {.lines = lines};
    cairn_report *report;
    double right = 0;
    assert_ok(ctx, cairn_report_new(ctx, &report));
    cairn_context_set_ask(ctx, type_line, &t);
    assert_fails(ctx, cairn_run(ctx, report, 3, words), CAIRN_CHECK_FAILED, "1 answer is not");
    cairn_context_set_ask(ctx, NULL, NULL);
    assert_int_equal(t.at, 8);
    assert_true(cairn_report_number(report, "answers.right", &right));
    assert_true(right == 2);
    assert_non_null(strstr(t.shown, "The question"));
    assert_non_null(strstr(t.shown, "'0,94' is no number"));
    assert_non_null(strstr(t.shown, "Not yet."));
    assert_null(strstr(t.shown, "0.940"));
    cairn_report_free(report);
}

/* Without anybody who answers, the question is all that is shown; a page has the rest folded. */
static void test_course__shows_only_the_question_to_nobody(void **state)
{
    cairn_context *ctx = *state;
    const char *words[] = {"lesson", "entropy-curve", "--ask", "--format", "html"};
    cairn_report *report;
    char *text;
    for (int n = 3; n <= 5; n += 2) {
        assert_ok(ctx, cairn_report_new(ctx, &report));
        assert_ok(ctx, cairn_run(ctx, report, n, words));
        assert_ok(ctx, cairn_report_print(ctx, report, CAIRN_FORMAT_HTML, NULL, &text));
        assert_int_equal(strstr(text, "<details>") != NULL, n == 5);
        assert_int_equal(strstr(text, "0.940") != NULL, n == 5);
        cairn_string_free(text);
        cairn_report_free(report);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_course__every_lesson_has_one_place),
        context_test(test_course__every_lesson_asks_for_something),
        context_test(test_course__names_say_what_is_taught),
        context_test(test_course__aliases_are_taken_everywhere),
        context_test(test_course__every_topic_has_three_turns),
        context_test(test_course__asks_at_the_terminal),
        context_test(test_course__shows_only_the_question_to_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
