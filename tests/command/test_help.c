/* SPDX-License-Identifier: MIT */
/* Help in all its forms, for every entry of the registry. */
#include "base/json.h"
#include "command/command.h"
#include "support/unit.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_help__every_entry_in_every_format),
        context_test(test_help__json_has_every_parameter),
        context_test(test_help__shows_no_marks),
        context_test(test_help__usage_has_the_arguments),
        context_test(test_help__verbs_have_examples_and_summaries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
