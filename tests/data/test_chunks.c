/* SPDX-License-Identifier: MIT */
/* CSV in tables of some rows: the same cells as all at once, whatever lies on the borders. */
#include "support/fail_alloc.h"
#include "data/chunks.h"
#include "data/table.h"
#include <stdio.h>

static cairn_status open_text(cairn_context *ctx, cairn_chunks **out, const char *text,
                              const cairn_read_options *options)
{
    cairn_input *input;
    cairn_status status = cairn_input_memory(ctx, &input, "t.csv", text, strlen(text));
    return status ? status : cairn_chunks_open(ctx, out, input, options);
}

/* All cells of all chunks, as "name=cell;" row by row. */
static void gather(cairn_context *ctx, const char *text, const cairn_read_options *options,
                   size_t n_rows, char *out, size_t buffer)
{
    cairn_chunks *chunks;
    cairn_table *table;
    size_t at = 0, rows = 0;
    out[0] = '\0';
    assert_ok(ctx, open_text(ctx, &chunks, text, options));
    for (;;) {
        assert_ok(ctx, cairn_chunks_next(ctx, chunks, n_rows, &table));
        if (!table) break;
        assert_true(table->n_rows <= n_rows && table->n_rows > 0);
        for (size_t i = 0; i < table->n_rows; i++)
            for (size_t c = 0; c < table->n_columns; c++) {
                char cell[64];
                cairn_table_cell(table, c, i, cell, sizeof cell);
                at += (size_t)snprintf(out + at, buffer - at, "%s=%s;", cairn_table_name(table, c),
                                       cell);
            }
        rows += table->n_rows;
        cairn_table_free(table);
    }
    assert_int_equal(cairn_chunks_rows(chunks), rows);
    cairn_chunks_close(chunks);
}

static void test_chunks__leave_lines_out_as_a_whole_file_does(void **state)
{
    static const char text[] = "title\n# x\na,b\n1,x\n2\n# y\n3,z\n4,5,6\n7,w\n";
    cairn_read_options o = CAIRN_READ_OPTIONS_INIT;
    char parts[500];
    o.skip = 1;
    o.comment = "#";
    o.bad_lines = CAIRN_BAD_LINES_SKIP;
    for (size_t n = 1; n <= 4; n++) {
        gather(*state, text, &o, n, parts, sizeof parts);
        assert_string_equal(parts, "a=1;b=x;a=3;b=z;a=7;b=w;");
    }
}

static void test_chunks__give_what_all_rows_at_once_give(void **state)
{
    static const char *const texts[] = {
        "a,b\n1,x\n2,y\n3,z\n",
        "a,b\r\n1,x\r\n\r\n2,\"y\r\n,y\"\r\n3,\"say \"\"z\"\"\"",
        "\xEF\xBB\xBF"
        "a;b\n1;x\n\n2;y\n3;z\n\n",
        "a b\n1 x\n2 y\n3 z",
        "1,x\n2,y\n3,z\n",
    };
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        char whole[500], parts[500];
        gather(*state, texts[t], NULL, 100, whole, sizeof whole);
        assert_non_null(strstr(whole, "3;"));
        for (size_t n = 1; n <= 3; n++) {
            gather(*state, texts[t], NULL, n, parts, sizeof parts);
            assert_string_equal(parts, whole);
        }
    }
}

/* Many times the bytes that are read at once, with rows across the borders. */
static void test_chunks__long_inputs(void **state)
{
    cairn_context *ctx = *state;
    enum { ROWS = 300000, CHUNK = 777 };
    cairn_chunks *chunks;
    cairn_table *table;
    char *text = malloc(ROWS * 16 + 10), *at = text;
    size_t row = 0;
    assert_non_null(text);
    at += sprintf(at, "n,s\n");
    for (size_t i = 0; i < ROWS; i++)
        at += sprintf(at, i % 3 ? "%zu,x%zu\n" : "%zu,\"x\n%zu\"\n", i, i % 7);
    assert_ok(ctx, open_text(ctx, &chunks, text, NULL));
    for (;;) {
        assert_ok(ctx, cairn_chunks_next(ctx, chunks, CHUNK, &table));
        if (!table) break;
        for (size_t i = 0; i < table->n_rows; i++, row++)
            assert_true(cairn_table_numbers(table, 0)[i] == (double)row);
        cairn_table_free(table);
    }
    assert_int_equal(row, ROWS);
    cairn_chunks_close(chunks);
    free(text);
}

static void test_chunks__refusals(void **state)
{
    cairn_context *ctx = *state;
    cairn_chunks *chunks;
    cairn_table *table;
    cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
    assert_fails(ctx, open_text(ctx, &chunks, "", NULL), CAIRN_BAD_DATA, "empty");
    options.format = "arff";
    assert_fails(ctx, open_text(ctx, &chunks, "@relation x\n", &options), CAIRN_USAGE, "arff");
    options.format = NULL;
    options.transpose = true;
    assert_fails(ctx, open_text(ctx, &chunks, "a,b\n1,2\n", &options), CAIRN_USAGE, "transpose");
    assert_ok(ctx, open_text(ctx, &chunks, "a,b\n1,2\n3,4\n5\n", NULL));
    assert_ok(ctx, cairn_chunks_next(ctx, chunks, 2, &table));
    cairn_table_free(table);
    assert_fails(ctx, cairn_chunks_next(ctx, chunks, 2, &table), CAIRN_BAD_DATA,
                 "chunk of rows 3 to 3");
    cairn_chunks_close(chunks);
    options.transpose = false;
    options.header = 1;
    assert_ok(ctx, open_text(ctx, &chunks, "a,b\n", &options));
    assert_fails(ctx, cairn_chunks_next(ctx, chunks, 2, &table), CAIRN_BAD_DATA, "only a header");
    cairn_chunks_close(chunks);
}

/* The last rows end in another way than those before them: they are not other rows for that. */
static void test_chunks__mixed_line_ends_are_refused(void **state)
{
    cairn_context *ctx = *state;
    cairn_chunks *chunks = NULL;
    cairn_table *table = NULL;
    cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
    options.header = 0;
    assert_ok(ctx, open_text(ctx, &chunks, "1\n2\n3\r4", &options));
    assert_ok(ctx, cairn_chunks_next(ctx, chunks, 2, &table));
    assert_int_equal(cairn_table_rows(table), 2);
    cairn_table_free(table);
    assert_fails(ctx, cairn_chunks_next(ctx, chunks, 2, &table), CAIRN_BAD_DATA,
                 "end all lines in the same way");
    cairn_chunks_close(chunks);
}

static cairn_status read_all(cairn_context *ctx, void *data)
{
    cairn_chunks *chunks = NULL;
    cairn_table *table = NULL;
    cairn_status status;
    TRY(open_text(ctx, &chunks, data, NULL));
    do {
        cairn_table_free(table);
        table = NULL;
        TRY(cairn_chunks_next(ctx, chunks, 2, &table));
    } while (table);
done:
    cairn_table_free(table);
    cairn_chunks_close(chunks);
    return status;
}

static void test_chunks__survive_failing_allocations(void **state)
{
    (void)state;
    static char text[] = "a,b\n1,x\n2,y\n3,z\n";
    assert_survives_allocation_failures(read_all, text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_chunks__leave_lines_out_as_a_whole_file_does),
        context_test(test_chunks__give_what_all_rows_at_once_give),
        context_test(test_chunks__long_inputs),
        context_test(test_chunks__refusals),
        context_test(test_chunks__mixed_line_ends_are_refused),
        context_test(test_chunks__survive_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
