/* SPDX-License-Identifier: MIT */
/* The example of every entry on tables of the caller: with an object in place of each built-in
 * table that it names, it says the same bytes, and the columns of the objects keep theirs. */
#include "support/run.h"
#include "command/complete.h"

#include "base/memory.h"
#include "cairn/cairn.h"
#include "data/objects.h"
#include "data/table.h"
#include "entry/entry.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Report and document of a run as one text; a failure is a text as well. */
static char *all_said(cairn_context *ctx, cairn_objects *objects, const char *const *words)
{
    cairn_report *report;
    cairn_run_output output = CAIRN_RUN_OUTPUT_INIT;
    cairn_text all = cairn_text_start(ctx);
    char *text = NULL;
    assert_ok(ctx, cairn_report_new(ctx, &report));
    cairn_status status = cairn_run_with(ctx, report, &output, objects, count_words(words), words);
    cairn_text_addf(&all, "%d %s\n", (int)status, status ? cairn_message(ctx) : "");
    if (!status) assert_ok(ctx, cairn_report_print(ctx, report, CAIRN_FORMAT_JSON, NULL, &text));
    if (text) cairn_text_add(&all, text);
    cairn_string_free(text);
    if (output.document) cairn_text_add_bytes(&all, output.document, output.length);
    cairn_string_free(output.document);
    cairn_report_free(report);
    assert_ok(ctx, cairn_text_take(&all, &text));
    return text;
}

/* Put every built-in table that the words name among the objects. */
static size_t put_built_in(cairn_context *ctx, cairn_objects *objects, const char *const *words)
{
    for (; *words; words++) {
        cairn_table *table = NULL;
        const char *at = strchr(*words, '@');
        if (!at || cairn_table_read(ctx, &table, at, NULL)) continue;
        assert_ok(ctx, cairn_objects_put_table(ctx, objects, at, table));
        cairn_table_free(table);
    }
    return cairn_objects_count(objects);
}

static uint64_t hash_of(const cairn_objects *objects)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < cairn_objects_count(objects); i++)
        hash = hash * 31 +
               cairn_table_hash(cairn_objects_table(objects, cairn_objects_name(objects, i)));
    return hash;
}

/* Whether the example named built-in data. */
static bool check_words(cairn_context *ctx, const char *const *words, const char *example)
{
    OWNED(cairn_objects_free) cairn_objects *objects = NULL;
    assert_ok(ctx, cairn_objects_new(ctx, &objects));
    if (!put_built_in(ctx, objects, words)) return false;
    uint64_t before = hash_of(objects);
    char *plain = all_said(ctx, NULL, words), *on_objects = all_said(ctx, objects, words);
    if (strcmp(plain, on_objects) != 0)
        fail_msg("%s: on objects it says\n%.2000s\nand not\n%.2000s", example, on_objects, plain);
    if (hash_of(objects) != before) fail_msg("%s: it changes a table of the caller", example);
    cairn_string_free(plain);
    cairn_string_free(on_objects);
    return true;
}

/* Times differ from run to run; an example of two commands is one of files. */
static bool check_example(cairn_context *ctx, const char *example)
{
    SCOPED_SCRATCH(ctx);
    cairn_shell_line line;
    size_t n = 0;
    if (strstr(example, "&&") || strstr(example, "--timings") || strstr(example, "|")) return false;
    assert_ok(ctx, cairn_shell_split(ctx, &line, example, ""));
    const char **words = calloc(line.n_words + 2, sizeof *words);
    assert_non_null(words);
    for (size_t i = 1; i < line.n_words; i++)
        if (*line.words[i]) words[n++] = line.words[i];
    bool checked = check_words(ctx, words, example);
    free(words);
    return checked;
}

static void test_examples__say_the_same_of_objects(void **state)
{
    size_t n, checked = 0;
    const cairn_entry *const *entries = cairn_registry(&n);
    for (size_t i = 0; i < n; i++) checked += check_example(*state, entries[i]->example);
    assert_true(checked > 100);
}

/* Examples may write files: they do so in a folder of their own. */
static int enter_folder(void **state)
{
    static char folder[] = "/tmp/cairn-examples-XXXXXX";
    *state = folder;
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave_folder(void **state)
{
    DIR *folder = opendir(".");
    struct dirent *file;
    while (folder && (file = readdir(folder)))
        if (file->d_name[0] != '.') (void)remove(file->d_name);
    if (folder) closedir(folder);
    return chdir("/") == 0 && rmdir(*state) == 0 ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_examples__say_the_same_of_objects),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
