/* SPDX-License-Identifier: MIT */
/* Whoever takes --steps shows more with it: on its own example the report gains a formula or a
 * table. */
#include "support/run.h"
#include "command/complete.h"

#include "base/memory.h"
#include "entry/entry.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static size_t count_of(const char *text, const char *part)
{
    size_t n = 0;
    for (; (text = strstr(text, part)); text += strlen(part)) n++;
    return n;
}

/* Formulas and tables that the command reports. */
static size_t shown(cairn_context *ctx, const char *const *words)
{
    cairn_report *report = NULL;
    char *text = NULL;
    cairn_status status = run_words(ctx, &report, words);
    if (status) fail_msg("cairn %s %s: %s", words[0], words[1], cairn_message(ctx));
    assert_ok(ctx, cairn_report_print(ctx, report, CAIRN_FORMAT_JSON, NULL, &text));
    size_t n = count_of(text, "\"kind\": \"formula\"") + count_of(text, "\"kind\": \"table\"");
    cairn_string_free(text);
    cairn_report_free(report);
    return n;
}

/* The example of an entry, run without --steps and with it. An example that runs two commands is
 * one of files, not of steps. */
static void check_example(cairn_context *ctx, const cairn_entry *e, const char *verb)
{
    cairn_shell_line line;
    SCOPED_SCRATCH(ctx);
    if (strstr(e->example, "&&")) return;
    assert_ok(ctx, cairn_shell_split(ctx, &line, e->example, ""));
    const char **words = calloc(line.n_words + 2, sizeof *words);
    size_t n = 0;
    assert_non_null(words);
    for (size_t i = 1; i < line.n_words; i++)
        if (*line.words[i] && strcmp(line.words[i], "--steps") != 0) words[n++] = line.words[i];
    if (!strcmp(words[0], verb)) {
        size_t plain = shown(ctx, words);
        words[n] = "--steps";
        size_t with = shown(ctx, words);
        if (with <= plain) fail_msg("%s: --steps shows nothing more: %s", e->name, e->example);
    }
    free(words);
}

/* Every entry of a kind whose example is a command of the verb. */
static void check_kind(cairn_context *ctx, cairn_entry_kind kind, const char *verb)
{
    size_t n, checked = 0;
    const cairn_entry *const *entries = cairn_registry(&n);
    for (size_t i = 0; i < n; i++) {
        if (entries[i]->kind != kind) continue;
        check_example(ctx, entries[i], verb);
        checked++;
    }
    assert_true(checked > 0);
}

static void test_steps__calculators_show_more(void **state)
{
    check_kind(*state, CAIRN_ENTRY_CALCULATOR, "compute");
}

static void test_steps__learners_show_more(void **state)
{
    check_kind(*state, CAIRN_ENTRY_LEARNER, "fit");
}

static void test_steps__verbs_show_more(void **state)
{
    size_t n;
    const cairn_entry *const *entries = cairn_registry(&n);
    for (size_t i = 0; i < n; i++) {
        const cairn_param *row;
        bool steps = false;
        if (entries[i]->kind != CAIRN_ENTRY_VERB) continue;
        for (size_t j = 0; (row = cairn_params_row(entries[i], j, NULL)); j++)
            steps |= !strcmp(row->name, "steps");
        if (steps) check_example(*state, entries[i], entries[i]->name);
    }
}

/* Examples may write files: they do so in a folder of their own. */
static int enter_folder(void **state)
{
    static char folder[] = "/tmp/cairn-steps-XXXXXX";
    *state = folder;
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave_folder(void **state)
{
    (void)remove("iris.arff");
    return chdir("/") == 0 && rmdir(*state) == 0 ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_steps__calculators_show_more),
        context_test(test_steps__learners_show_more),
        context_test(test_steps__verbs_show_more),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
