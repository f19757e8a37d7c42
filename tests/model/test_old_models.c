/* SPDX-License-Identifier: MIT */
/* Model files of every release must load and answer as they did: tests/models/VERSION/ holds
 * LEARNER-DATA.cairn with the answers for the built-in table @DATA in LEARNER-DATA.csv.
 * tools/keep-models writes those of the release at hand. format-N has files of formats between
 * releases. */
#include "support/unit.h"
#include "model/model.h"
#include <dirent.h>
#include <math.h>
#include <stdio.h>

enum { PATH_SIZE = 512 };

static void assert_same_cell(const char *path, const cairn_table *got, const cairn_table *kept,
                             size_t column, size_t row)
{
    char a[128], b[128];
    ptrdiff_t at = cairn_table_find(got, cairn_table_name(kept, column));
    if (at < 0) fail_msg("%s: column '%s' is gone", path, cairn_table_name(kept, column));
    const double *x = cairn_table_numbers(got, (size_t)at), *y = cairn_table_numbers(kept, column);
    if (x && y) {
        if (fabs(x[row] - y[row]) <= 1e-9 * fmax(1, fabs(y[row]))) return;
        fail_msg("%s: row %zu: %.12g is not %.12g", path, row + 1, x[row], y[row]);
    }
    cairn_table_cell(got, (size_t)at, row, a, sizeof a);
    cairn_table_cell(kept, column, row, b, sizeof b);
    if (strcmp(a, b)) fail_msg("%s: row %zu: '%s' is not '%s'", path, row + 1, a, b);
}

/* What was loaded can be saved in the format of today, and loads again. */
static void assert_saves(cairn_context *ctx, const cairn_model *model)
{
    cairn_model *again;
    char *bytes;
    size_t length;
    assert_ok(ctx, cairn_model_save_memory(ctx, model, &bytes, &length));
    assert_ok(ctx, cairn_model_load_memory(ctx, &again, "again", bytes, length));
    cairn_model_free(again);
    cairn_string_free(bytes);
}

/* `path` is LEARNER-DATA.cairn; the data's name begins after the first hyphen. */
static void check_model(cairn_context *ctx, const char *folder, const char *file)
{
    char path[PATH_SIZE], answers[PATH_SIZE], data[128];
    cairn_model *model;
    cairn_table *table, *got, *kept;
    const char *name = strchr(file, '-');
    size_t stem = strlen(file) - strlen(".cairn");
    assert_non_null(name);
    snprintf(path, sizeof path, "%.220s/%.220s", folder, file);
    snprintf(answers, sizeof answers, "%.*scsv", (int)strlen(path) - 5, path);
    snprintf(data, sizeof data, "@%.*s", (int)(file + stem - name - 1), name + 1);
    assert_ok(ctx, cairn_model_load(ctx, &model, path));
    assert_saves(ctx, model);
    assert_ok(ctx, cairn_table_read(ctx, &table, data, NULL));
    assert_ok(ctx, cairn_table_read(ctx, &kept, answers, NULL));
    assert_ok(ctx, cairn_model_predict(ctx, &got, model, table, true));
    assert_int_equal(got->n_rows, kept->n_rows);
    for (size_t c = 0; c < kept->n_columns; c++) {
        ptrdiff_t at = cairn_table_find(table, cairn_table_name(kept, c));
        if (at >= 0 && cairn_table_role(table, (size_t)at) == CAIRN_ID) continue;
        for (size_t i = 0; i < kept->n_rows; i++) assert_same_cell(path, got, kept, c, i);
    }
    cairn_table_free(got);
    cairn_table_free(kept);
    cairn_table_free(table);
    cairn_model_free(model);
}

static size_t check_release(cairn_context *ctx, const char *folder)
{
    size_t n = 0;
    struct dirent *entry;
    DIR *listing = opendir(folder);
    assert_non_null(listing);
    while ((entry = readdir(listing))) {
        size_t length = strlen(entry->d_name);
        if (length < 7 || strcmp(entry->d_name + length - 6, ".cairn")) continue;
        check_model(ctx, folder, entry->d_name);
        n++;
    }
    closedir(listing);
    return n;
}

static void test_old_models__load_and_answer(void **state)
{
    size_t n = 0;
    char folder[PATH_SIZE];
    struct dirent *entry;
    DIR *releases = opendir("tests/models");
    assert_non_null(releases);
    while ((entry = readdir(releases))) {
        if (entry->d_name[0] == '.') continue;
        snprintf(folder, sizeof folder, "tests/models/%.200s", entry->d_name);
        n += check_release(*state, folder);
    }
    closedir(releases);
    assert_true(n > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {context_test(test_old_models__load_and_answer)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
