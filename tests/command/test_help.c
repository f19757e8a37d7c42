/* SPDX-License-Identifier: MIT */
/* Help in all its forms, for every entry of the registry. */
#include "base/json.h"
#include "command/command.h"
#include "support/unit.h"
#include <stdio.h>

/* Run `cairn help NAME --format FORMAT` and give the document, or the printed report. */
static char *help(cairn_context *ctx, const char *name, const char *format)
{
    const char *words[] = {"help", name, "--format", format};
    cairn_run_output output = CAIRN_RUN_OUTPUT_INIT;
    cairn_report *report;
    char *text = NULL;
    assert_ok(ctx, cairn_report_new(ctx, &report));
    assert_ok(ctx, cairn_run_printing(ctx, report, &output, 4, words));
    if (!output.document)
        assert_ok(ctx, cairn_report_print(ctx, report, output.format, NULL, &text));
    cairn_report_free(report);
    return output.document ? output.document : text;
}

static void test_help__every_entry_in_every_format(void **state)
{
    cairn_context *ctx = *state;
    static const char *const formats[] = {"text", "markdown", "html", "man", "json"};
    size_t n;
    const cairn_entry *const *entries = cairn_registry(&n);
    for (size_t i = 0; i < n; i++)
        for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
            char *text = help(ctx, entries[i]->name, formats[f]);
            char start[64]; /* up to a hyphen, which manual pages write with a backslash */
            size_t length = strcspn(entries[i]->name, "-");
            memcpy(start, entries[i]->name, length);
            start[length] = 0;
            assert_non_null(strstr(text, start));
            cairn_string_free(text);
        }
}

static void test_help__json_has_every_parameter(void **state)
{
    cairn_context *ctx = *state;
    size_t n, found = 0;
    const cairn_entry *const *entries = cairn_registry(&n);
    cairn_json *document;
    const char *words[] = {"help", "--format", "json"};
    cairn_run_output output = CAIRN_RUN_OUTPUT_INIT;
    cairn_report *report;
    assert_ok(ctx, cairn_report_new(ctx, &report));
    assert_ok(ctx, cairn_run_printing(ctx, report, &output, 3, words));
    assert_ok(ctx, cairn_json_parse(ctx, &document, "help", output.document, output.length));
    const cairn_json *list = cairn_json_get(document, "entries");
    assert_int_equal(cairn_json_size(list), n);
    for (size_t i = 0; i < n; i++) {
        size_t rows = 0;
        const cairn_json *entry = cairn_json_at(list, i);
        while (cairn_params_row(entries[i], rows, NULL)) rows++;
        assert_string_equal(cairn_json_string(cairn_json_get(entry, "name")), entries[i]->name);
        assert_int_equal(cairn_json_size(cairn_json_get(entry, "parameters")), rows);
        found += rows;
    }
    assert_true(found > 100);
    assert_true(cairn_json_size(cairn_json_get(document, "data")) > 50);
    cairn_json_free(document);
    cairn_string_free(output.document);
    cairn_report_free(report);
}

static void test_help__verbs_have_examples_and_summaries(void **state)
{
    (void)state;
    size_t n;
    const cairn_entry *const *entries = cairn_registry(&n);
    for (size_t i = 0; i < n; i++) {
        if (entries[i]->kind != CAIRN_ENTRY_VERB) continue;
        const cairn_verb *verb = (const cairn_verb *)entries[i];
        assert_non_null(verb->entry.summary);
        assert_int_equal(strncmp(verb->entry.example, "cairn ", 6), 0);
        assert_non_null(verb->arguments);
        assert_true(verb->least <= verb->most);
    }
}

/* A mark of a record, {max-depth}, is an option to whoever reads help. */
static void test_help__shows_no_marks(void **state)
{
    cairn_context *ctx = *state;
    size_t n;
    const cairn_entry *const *entries = cairn_registry(&n);
    for (size_t i = 0; i < n; i++) {
        const char *words[] = {"help", entries[i]->name, "--all", "--format", "markdown"};
        cairn_run_output output = CAIRN_RUN_OUTPUT_INIT;
        cairn_report *report;
        char *text = NULL;
        assert_ok(ctx, cairn_report_new(ctx, &report));
        assert_ok(ctx, cairn_run_printing(ctx, report, &output, 5, words));
        assert_ok(ctx, cairn_report_print(ctx, report, output.format, NULL, &text));
        for (const char *at = text; (at = strchr(at, '{')); at++)
            if (at[1] >= 'a' && at[1] <= 'z') fail_msg("%s: %.60s", entries[i]->name, at);
        cairn_string_free(text);
        cairn_report_free(report);
    }
}

/* What stands behind the name on the command line. */
static void test_help__usage_has_the_arguments(void **state)
{
    cairn_context *ctx = *state;
    char *text = help(ctx, "sample", "man");
    assert_non_null(strstr(text, "cairn compute sample MODEL [options]"));
    cairn_string_free(text);
}

/* What a command prints on a screen of 80 columns, in lines. */
static size_t lines_of(cairn_context *ctx, int argc, const char *const *argv, char **text)
{
    cairn_run_output output = CAIRN_RUN_OUTPUT_INIT;
    cairn_print_options options = CAIRN_PRINT_OPTIONS_INIT;
    cairn_report *report;
    size_t n = 0;
    assert_ok(ctx, cairn_report_new(ctx, &report));
    assert_ok(ctx, cairn_run_printing(ctx, report, &output, argc, argv));
    options.lines = output.lines;
    assert_ok(ctx, cairn_report_print(ctx, report, output.format, &options, text));
    for (const char *at = *text; (at = strchr(at, '\n')); at++) n++;
    cairn_report_free(report);
    return n;
}

enum { SCREEN = 30 };

static void test_help__is_one_screen(void **state)
{
    cairn_context *ctx = *state;
    size_t n;
    const cairn_entry *const *entries = cairn_registry(&n);
    char *text;
    for (size_t i = 0; i < n; i++) {
        const char *words[] = {"help", entries[i]->name};
        size_t lines = lines_of(ctx, 2, words, &text);
        if (lines > SCREEN) fail_msg("help %s: %zu lines", entries[i]->name, lines);
        cairn_string_free(text);
    }
    assert_true(lines_of(ctx, 0, NULL, &text) <= SCREEN);
    cairn_string_free(text);
}

static void test_list__is_one_screen(void **state)
{
    static const char *const kinds[] = {
        "verbs",       "learners", "transforms", "resamplings", "measures", "distances", "kernels",
        "calculators", "pictures", "formats",    "sources",     "data",     "lessons",   "topics"};
    cairn_context *ctx = *state;
    char *text;
    const char *all[] = {"list"};
    assert_true(lines_of(ctx, 1, all, &text) <= SCREEN);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        assert_non_null(strstr(text, kinds[i]));
    cairn_string_free(text);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const char *words[] = {"list", kinds[i]};
        size_t lines = lines_of(ctx, 2, words, &text);
        if (lines > SCREEN) fail_msg("list %s: %zu lines", kinds[i], lines);
        cairn_string_free(text);
    }
}

/* Every learner is on the screen, and no name is broken; in full each has a line. */
static void test_list__learners_are_whole(void **state)
{
    cairn_context *ctx = *state;
    const char *words[] = {"list", "learners", "--full"};
    const cairn_entry *entry;
    char *brief, *full, line[80];
    assert_true(lines_of(ctx, 2, words, &brief) <= SCREEN);
    (void)lines_of(ctx, 3, words, &full);
    for (size_t i = 0; (entry = cairn_entry_at(ctx, CAIRN_ENTRY_LEARNER, i)); i++) {
        snprintf(line, sizeof line, "\n%s ", entry->name);
        if (!strstr(brief, entry->name)) fail_msg("%s is not listed", entry->name);
        if (!strstr(full, line) || !strstr(full, entry->title))
            fail_msg("%s has no line", entry->name);
    }
    cairn_string_free(brief);
    cairn_string_free(full);
}

/* The page of what something is called comes at once, the others in a line. */
static void test_help__likeliest_page_at_once(void **state)
{
    static const char *const wanted[][3] = {
        {"tree", "tree: Decision tree", "picture/tree"},
        {"random forest", "forest: Random forest", "Also found"},
        {"RandomForestClassifier", "forest: Random forest", "forest here"},
        {"overfitting", "overfitting", "cairn tune"},
        {"roc", "roc: ROC curve", "picture/roc"},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        const char *words[] = {"help", wanted[i][0]};
        char *text;
        assert_true(lines_of(*state, 2, words, &text) <= SCREEN);
        for (size_t k = 1; k < 3; k++)
            if (!strstr(text, wanted[i][k]))
                fail_msg("help %s does not say '%s'", wanted[i][0], wanted[i][k]);
        cairn_string_free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_help__every_entry_in_every_format),
        context_test(test_help__json_has_every_parameter),
        context_test(test_help__shows_no_marks),
        context_test(test_help__usage_has_the_arguments),
        context_test(test_help__is_one_screen),
        context_test(test_list__is_one_screen),
        context_test(test_list__learners_are_whole),
        context_test(test_help__likeliest_page_at_once),
        context_test(test_help__verbs_have_examples_and_summaries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
