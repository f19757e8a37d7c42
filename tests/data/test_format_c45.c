/* SPDX-License-Identifier: MIT */
#include "data/format_test.h"
#include "data/c45.h"
#include <math.h>
#include <stdlib.h>

static cairn_status read_pair(cairn_context *ctx, cairn_table **out, const char *names,
                              const char *data)
{
    cairn_lines n = {.name = "x.names", .bytes = (char *)names, .begin = names};
    cairn_lines d = {.name = "x.data", .bytes = (char *)data, .begin = data};
    n.end = names + strlen(names);
    d.end = data + strlen(data);
    return cairn_c45_read(ctx, out, &n, &d);
}

static const char golf_names[] = "| the golf data\n"
                                 "Play, Don't Play.   | two classes\n"
                                 "\n"
                                 "outlook: sunny, overcast,\n"
                                 "         light   rain.\n"
                                 "temperature: continuous.\n"
                                 "humidity: continuous\n"
                                 "windy: true, false.\n"
                                 "dose: [ordered] 0.5, 1.0\n"
                                 "town: discrete 2.\n"
                                 "day: label.\n"
                                 "remark: ignore.\n";
static const char golf_data[] = "sunny, 85, 85, false, 0.5, York, d1, x, Don't Play\n"
                                "| a comment\n"
                                "light rain, ?, 70.5, true, 1.0, Bath, d2, y, Play. | note\r\n"
                                "\n"
                                "overcast,83,N/A,?,?,York,d3,z\n";

static void test_c45__kinds_and_roles(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = NULL;
    assert_ok(ctx, read_pair(ctx, &t, golf_names, golf_data));
    assert_int_equal(t->n_rows, 3);
    assert_int_equal(t->n_columns, 9);
    const cairn_column *outlook = column_of(t, "outlook");
    assert_true(outlook->declared && !outlook->ordered);
    assert_string_equal(cairn_map_key(&outlook->names, 2), "light rain");
    assert_int_equal(outlook->codes[1], 2);
    assert_true(column_of(t, "temperature")->numbers[0] == 85);
    assert_true(isnan(column_of(t, "temperature")->numbers[1]));
    assert_int_equal(column_of(t, "humidity")->n_missing, 1);
    assert_int_equal(column_of(t, "windy")->codes[2], -1);
    assert_true(column_of(t, "dose")->ordered);
    assert_string_equal(cell(t, "dose", 1), "1.0");
    assert_false(column_of(t, "town")->declared);
    assert_int_equal(column_of(t, "town")->names.n, 2);
    assert_int_equal(t->slots[6].role, CAIRN_ID);
    assert_int_equal(t->slots[7].role, CAIRN_IGNORED);
    assert_int_equal(t->slots[8].role, CAIRN_TARGET);
    assert_string_equal(cairn_table_name(t, 8), "class");
    assert_string_equal(cell(t, "class", 0), "Don't Play");
    assert_string_equal(cell(t, "class", 1), "Play");
    assert_string_equal(cell(t, "class", 2), "?"); /* left out: to be predicted */
    cairn_table_free(t);
}

static void test_c45__times(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = NULL;
    static const char names[] = "yes, no.\nday: date.\nat: time.\nstamp: timestamp.\n";
    assert_ok(ctx,
              read_pair(ctx, &t, names, "2026/11/15,14:30:05,2026-11-15 14:30:05,yes\n?,?,?,no\n"));
    assert_int_equal(column_of(t, "day")->kind, CAIRN_TIME);
    assert_true(column_of(t, "at")->numbers[0] == 52205);
    assert_string_equal(cell(t, "at", 0), "14:30:05");
    assert_string_equal(cell(t, "stamp", 0), "2026-11-15 14:30:05");
    assert_string_equal(cell(t, "stamp", 1), "?");
    cairn_table_free(t);
    assert_fails(ctx, read_pair(ctx, &t, names, "2026/11/31,?,?,yes\n"), CAIRN_BAD_DATA,
                 "'2026/11/31' is not a time");
}

static void test_c45__target_is_an_attribute(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = NULL;
    assert_ok(ctx,
              read_pair(ctx, &t, "price.\nsize: continuous.\nprice: continuous.", "1,10.\n2,20\n"));
    assert_int_equal(t->n_columns, 2);
    assert_int_equal(t->slots[1].role, CAIRN_TARGET);
    assert_true(column_of(t, "price")->numbers[0] == 10);
    cairn_table_free(t);
}

static void test_c45__escapes(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = NULL;
    assert_ok(ctx, read_pair(ctx, &t, "a\\, b, c\\: d, e\\|f.\nx: continuous.\n",
                             "1, a\\, b\n2, c: d\n3,e\\|f\n"));
    assert_string_equal(cell(t, "class", 0), "a, b");
    assert_string_equal(cell(t, "class", 1), "c: d");
    assert_string_equal(cell(t, "class", 2), "e|f");
    cairn_table_free(t);
}

static void refuses_pair(cairn_context *ctx, const char *names, const char *data, const char *part)
{
    cairn_table *t = NULL;
    assert_fails(ctx, read_pair(ctx, &t, names, data), CAIRN_BAD_DATA, part);
}

static void test_c45__refuses(void **state)
{
    cairn_context *ctx = *state;
    refuses_pair(ctx, "| nothing\n", "1\n", "no classes");
    refuses_pair(ctx, "a, b.\n", "1\n", "no attribute is declared");
    refuses_pair(ctx, "a, a.\nx: continuous.", "1\n", "line 1: the value 'a' is declared twice");
    refuses_pair(ctx, "a, , b.\nx: continuous.", "1\n", "is empty");
    refuses_pair(ctx, "a, b.\nx continuous.\n", "1\n", "line 2: 'x continuous' is not 'attribute:");
    refuses_pair(ctx, "a, b.\nx: .\n", "1,a\n", "column 'x': the attribute is not defined");
    refuses_pair(ctx, "a, b.\nx: c, d: e.\n", "1,a\n", "a colon follows 'd' inside a list");
    refuses_pair(ctx, "a, b.\nx: continuous.\nx: continuous.\n", "1,a\n",
                 "line 3, column 'x': the attribute is declared twice");
    refuses_pair(ctx, "a, b.\nx := y + 1.\n", "1,a\n", "formula");
    refuses_pair(ctx, "a, b.\nclass: continuous.\n", "1,a\n", "called class");
    refuses_pair(ctx, "a, b.\nx: continuous.\n", "\n", "x.data: there is no row");
    refuses_pair(ctx, "a, b.\nx: continuous.\n", "1,a\n2,a,3\n", "line 2: the row has more than");
    refuses_pair(ctx, "a, b.\nx: continuous.\ny: continuous.\n", "1\n",
                 "line 1: the row has 1 values and the names file declares 3");
    refuses_pair(ctx, "a, b.\nx: continuous.\n", "z,a\n",
                 "line 1, column 'x': 'z' is not a number");
    refuses_pair(ctx, "a, b.\nx: continuous.\n", "1e999,a\n", "is not a number that a table");
    refuses_pair(ctx, "red, green.\nx: continuous.\n", "1,gren\n",
                 "column 'class': 'gren' is not among the declared values; did you mean 'green'?");
    refuses_pair(ctx, "a, b.\nx: discrete 1.\n", "u,a\nv,a\n", "'v' is one value more than the 1");
}

static void write_file(cairn_context *ctx, const char *folder, const char *name, const char *text)
{
    char path[120];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_ok(ctx, cairn_file_write_all(ctx, path, text, strlen(text)));
}

static void test_c45__pair_of_files(void **state)
{
    cairn_context *ctx = *state;
    char folder[] = "/tmp/cairn-c45-XXXXXX", path[120];
    cairn_table *t = NULL;
    assert_non_null(mkdtemp(folder));
    write_file(ctx, folder, "golf.data", golf_data);
    snprintf(path, sizeof path, "%s/golf.names", folder);
    assert_fails(ctx, cairn_table_read(ctx, &t, path, NULL), CAIRN_FILE_ERROR, "golf.names");
    write_file(ctx, folder, "golf.names", golf_names);
    assert_ok(ctx, cairn_table_read(ctx, &t, path, NULL));
    assert_int_equal(t->n_columns, 9);
    cairn_table_free(t);
    snprintf(path, sizeof path, "%s/golf.data", folder);
    assert_ok(ctx, cairn_table_read(ctx, &t, path, NULL));
    assert_int_equal(t->slots[8].role, CAIRN_TARGET);
    cairn_table_free(t);
    /* prose under the name of a names file: the data is plain values */
    write_file(ctx, folder, "golf.names", "1. Title: Golf, a game\nby nobody\n");
    write_file(ctx, folder, "golf.data", "1,a\n2,b\n");
    assert_ok(ctx, cairn_table_read(ctx, &t, path, NULL));
    assert_int_equal(t->n_columns, 2);
    cairn_table_free(t);
    unlink(path);
    snprintf(path, sizeof path, "%s/golf.names", folder);
    t = NULL;
    assert_fails(ctx, cairn_table_read(ctx, &t, path, NULL), CAIRN_FILE_ERROR, "golf.data");
    unlink(path);
    rmdir(folder);
    assert_fails(ctx, read_bytes(ctx, &t, "c45", "a", 1), CAIRN_BAD_DATA, "pair of files");
}

static cairn_status read_golf(cairn_context *ctx, void *data)
{
    cairn_table *t = NULL;
    (void)data;
    cairn_status status = read_pair(ctx, &t, golf_names, golf_data);
    cairn_table_free(t);
    return status;
}

static void test_c45__failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(read_golf, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_c45__kinds_and_roles),
        context_test(test_c45__times),
        context_test(test_c45__target_is_an_attribute),
        context_test(test_c45__escapes),
        context_test(test_c45__refuses),
        context_test(test_c45__pair_of_files),
        cmocka_unit_test(test_c45__failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
