/* SPDX-License-Identifier: MIT */
/* lines, folder, pnm and grid. */
#include "data/format_test.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void test_lines__every_line_is_a_text(void **state)
{
    cairn_table *t = read_text(*state, "lines", "one, two\r\n\n  three");
    assert_int_equal(t->n_rows, 3);
    assert_int_equal(t->n_columns, 1);
    assert_int_equal(t->slots[0].column->kind, CAIRN_TEXT);
    assert_string_equal(cell(t, "text", 0), "one, two");
    assert_string_equal(cell(t, "text", 1), "");
    assert_string_equal(cell(t, "text", 2), "  three");
    assert_int_equal(t->slots[0].column->n_missing, 0);
    cairn_table_free(t);
}

static void test_lines__labels(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = NULL;
    cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
    options.separator = '\t';
    options.format = "lines";
    const char *text = "spam\twin\tnow\nham \tlunch\n";
    assert_ok(ctx, cairn_table_read_memory(ctx, &t, "x", text, strlen(text), &options));
    assert_string_equal(cell(t, "text", 0), "win\tnow");
    assert_string_equal(cell(t, "label", 1), "ham");
    assert_int_equal(t->slots[1].role, CAIRN_TARGET);
    cairn_table_free(t);
    assert_fails(ctx, cairn_table_read_memory(ctx, &t, "x", "a\tb\nc\n", 6, &options),
                 CAIRN_BAD_DATA, "x, line 2: there is no separator");
}

static void assert_pixels(cairn_context *ctx, const char *format, const char *bytes, size_t length,
                          const char *wanted)
{
    cairn_table *t;
    assert_ok(ctx, read_bytes(ctx, &t, format, bytes, length));
    size_t at = 0;
    for (size_t i = 0; i < t->n_rows; i++)
        for (size_t j = 0; j < t->n_columns; j++, at++)
            assert_int_equal(cairn_table_numbers(t, j)[i], wanted[at] - '0');
    assert_int_equal(strlen(wanted), at);
    assert_string_equal(cairn_table_name(t, 0), "p0");
    cairn_table_free(t);
}

#define PIXELS(ctx, format, bytes, wanted)                                                         \
    assert_pixels(ctx, format, bytes, sizeof bytes - 1, wanted)

static void test_pnm__letters_and_bytes(void **state)
{
    PIXELS(*state, "pnm", "P1\n# a comment\n3 2\n1 0 1\n010\n", "101010");
    PIXELS(*state, "pnm", "P2 2 2 9\n1 2\n3 9", "1239");
    PIXELS(*state, "pnm", "P4 9 2\n\x80\x80\x01\x00", "100000001000000010");
    PIXELS(*state, "pnm", "P5 2 2 255\n\x01\x02\x03\x04", "1234");
    PIXELS(*state, "pnm", "P5 1 2 300\n\x00\x05\x00\x07", "57");
    PIXELS(*state, "pnm", "P1 2 1 10 P1 2 1 01\n", "1001"); /* two pictures, two rows */
}

static void test_pnm__is_found_by_its_bytes(void **state)
{
    cairn_table *t;
    assert_ok(*state, cairn_table_read_memory(*state, &t, "x", "P2 1 1 5 3", 10, NULL));
    assert_int_equal(t->n_columns, 1);
    cairn_table_free(t);
}

static void test_pnm__refuses(void **state)
{
    refuses(*state, "pnm", "P3 1 1 5 3", "P1, P2, P4 or P5");
    refuses(*state, "pnm", "P2 2 2 9 1 2 3", "cut short");
    refuses(*state, "pnm", "P2 2 2 9 1 2 3 ", "cut short");
    refuses(*state, "pnm", "P2 2 1 9 10 1", "too large");
    refuses(*state, "pnm", "P1 2 1 02", "a pixel must be 0 or 1");
    refuses(*state, "pnm", "P5 1000000 1000000 255\nx", "64 million");
    refuses(*state, "pnm", "P5 0 4 255\n", "at least 1");
    refuses(*state, "pnm", "P5 4 4 255\nabc", "fewer pixels than the header says");
    refuses(*state, "pnm", "P5 1 1 9\nx", "larger than the header allows");
    refuses(*state, "pnm", "P1 2 1 10 P1 1 1 1", "picture 2 is 1 x 1 pixels large");
    refuses(*state, "pnm", "P1 1 1 1 rest", "should begin here");
}

static void test_grid__pictures(void **state)
{
    PIXELS(*state, "grid", "#.x\n.1 \n\n\n...\r\n@*0\r\n", "101010000110");
    refuses(*state, "grid", "##\n#\n", "x, line 2: 1 pixels");
    refuses(*state, "grid", "#q\n", "'q' is no pixel");
    refuses(*state, "grid", "\n\n", "no picture");
}

static void put(const char *folder, const char *name, const char *text, size_t length)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fwrite(text, 1, length, file);
    fclose(file);
}

static void make_folder(char *out, size_t size, const char *parent, const char *name)
{
    snprintf(out, size, "%s/%s", parent, name);
    assert_int_equal(mkdir(out, 0700), 0);
}

static void remove_all(const char *root)
{
    char command[300];
    snprintf(command, sizeof command, "rm -rf '%s'", root);
    assert_int_equal(system(command), 0);
}

static void test_folder__labels_from_folders(void **state)
{
    char root[] = "/tmp/cairn-folder-XXXXXX", below[200], deep[250];
    cairn_table *t;
    assert_non_null(mkdtemp(root));
    make_folder(below, sizeof below, root, "spam");
    put(below, "s2.txt", "win\n", 4);
    put(below, "s1.txt", "", 0);
    put(below, ".hidden", "no", 2);
    make_folder(deep, sizeof deep, below, "old");
    put(deep, "x9", "prize", 5);
    make_folder(below, sizeof below, root, "ham");
    put(below, "mail7", "lunch", 5);
    assert_ok(*state, cairn_table_read(*state, &t, root, NULL));
    assert_int_equal(t->n_rows, 4);
    assert_string_equal(cell(t, "text", 0), "lunch");
    assert_string_equal(cell(t, "label", 0), "ham");
    assert_string_equal(cell(t, "name", 0), "mail");
    assert_string_equal(cell(t, "file", 0), "ham/mail7");
    assert_string_equal(cell(t, "file", 1), "spam/old/x9");
    assert_string_equal(cell(t, "label", 1), "spam");
    assert_string_equal(cell(t, "file", 2), "spam/s1.txt");
    assert_string_equal(cell(t, "text", 3), "win\n");
    assert_int_equal(cairn_table_role(t, (size_t)cairn_table_find(t, "label")), CAIRN_TARGET);
    assert_int_equal(cairn_table_role(t, (size_t)cairn_table_find(t, "file")), CAIRN_ID);
    cairn_table_free(t);
    put(root, "bad", "a\xFFz", 3);
    assert_fails(*state, cairn_table_read(*state, &t, root, NULL), CAIRN_BAD_DATA,
                 "not a text in UTF-8");
    put(root, "bad", "P1 1 1 1", 8);
    assert_fails(*state, cairn_table_read(*state, &t, root, NULL), CAIRN_BAD_DATA,
                 "move them apart");
    remove_all(root);
}

static void test_folder__pictures(void **state)
{
    char root[] = "/tmp/cairn-folder-XXXXXX";
    cairn_table *t;
    cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
    assert_non_null(mkdtemp(root));
    assert_fails(*state, cairn_table_read(*state, &t, root, NULL), CAIRN_BAD_DATA, "no file");
    put(root, "a1.pbm", "P1 2 1 10", 9);
    put(root, "b1.pbm", "P1 2 1 01", 9);
    assert_ok(*state, cairn_table_read(*state, &t, root, NULL));
    assert_int_equal(t->n_rows, 2);
    assert_int_equal(cairn_table_find(t, "label"), -1);
    assert_string_equal(cell(t, "name", 1), "b");
    assert_true(cairn_table_numbers(t, 1)[1] == 1);
    cairn_table_free(t);
    options.format = "csv";
    assert_fails(*state, cairn_table_read(*state, &t, root, &options), CAIRN_BAD_DATA,
                 "this is a folder");
    remove_all(root);
}

static void test_texts__failing_allocations(void **state)
{
    (void)state;
    static const char text[] = "one\ntwo\n", picture[] = "P1 2 2 1001", grid[] = "#.\n.#\n";
    survives("lines", text, sizeof text - 1, false);
    survives("pnm", picture, sizeof picture - 1, false);
    survives("grid", grid, sizeof grid - 1, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_lines__every_line_is_a_text),
        context_test(test_lines__labels),
        context_test(test_pnm__letters_and_bytes),
        context_test(test_pnm__is_found_by_its_bytes),
        context_test(test_pnm__refuses),
        context_test(test_grid__pictures),
        context_test(test_folder__labels_from_folders),
        context_test(test_folder__pictures),
        cmocka_unit_test(test_texts__failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
