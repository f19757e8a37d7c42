/* SPDX-License-Identifier: MIT */
#include "data/format_test.h"
#include <math.h>

static char *load(cairn_context *ctx, const char *name, size_t *length)
{
    char path[400], *bytes = NULL;
    snprintf(path, sizeof path, "%s/data/parquet/%s.parquet", CAIRN_TESTS, name);
    assert_ok(ctx, cairn_file_read_all(ctx, path, &bytes, length));
    return bytes;
}

static cairn_status read_file(cairn_context *ctx, const char *name, cairn_table **table)
{
    size_t length;
    char *bytes = load(ctx, name, &length);
    cairn_status status = read_bytes(ctx, table, "parquet", bytes, length);
    cairn_free(bytes);
    return status;
}

/* Every type of DuckDB's, by every codec and in both versions of pages. */
static void test_parquet__types(void **state)
{
    cairn_context *ctx = *state;
    static const char *const files[] = {"duckdb-plain", "duckdb-snappy", "duckdb-zstd",
                                        "duckdb-gzip",  "duckdb-lz4",    "duckdb-v2"};
    static const struct {
        const char *column, *row_7, *row_11;
    } cells[] = {{"i", "8", "12"},
                 {"l", "8000000056", "12000000084"},
                 {"t", "8", "12"},
                 {"u", "24", "36"},
                 {"d", "4", "6"},
                 {"f", "2", "3"},
                 {"b", "1", "1"},
                 {"s", "text 8", "text 12"},
                 {"c", "blue", "red"},
                 {"day", "2020-01-09", "2020-01-13"},
                 {"ts", "2020-01-01 00:00:08", "2020-01-01 00:00:12"},
                 {"m", "10", "15"},
                 {"m3", "10", "15"},
                 {"tm", "01:00:08", "01:00:12"},
                 {"st.x", "8", "12"},
                 {"st.y", "s0", "s0"}};
    uint64_t hash = 0;
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        cairn_table *t = NULL;
        assert_ok(ctx, read_file(ctx, files[f], &t));
        assert_int_equal(t->n_rows, 40);
        for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
            assert_string_equal(cell(t, cells[i].column, 7), cells[i].row_7);
            assert_string_equal(cell(t, cells[i].column, 11), cells[i].row_11);
        }
        assert_int_equal(column_of(t, "d")->n_missing, 5);
        assert_int_equal(column_of(t, "s")->n_missing, 3);
        assert_int_equal(column_of(t, "c")->kind, CAIRN_LEVEL);
        assert_int_equal(column_of(t, "c")->names.n, 3);
        const cairn_column *tags = column_of(t, "tags"), *numbers = column_of(t, "nums");
        assert_int_equal(tags->kind, CAIRN_BAG);
        assert_int_equal(tags->n_missing, 3);
        assert_true(tags->absent[12] &&
                    tags->starts[1] == 0); /* row 1 has no item, row 13 no list */
        assert_int_equal(numbers->kind, CAIRN_SERIES);
        assert_true(numbers->amounts[2 * 7] == 4 && numbers->amounts[2 * 7 + 1] == 8);
        if (hash) assert_true(cairn_table_hash(t) == hash);
        hash = cairn_table_hash(t);
        cairn_table_free(t);
    }
}

static void test_parquet__encodings(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = NULL;
    assert_ok(ctx, read_file(ctx, "hyparquet", &t));
    for (size_t i = 0; i < 40; i++) {
        char text[20];
        snprintf(text, sizeof text, "abc%zu", i);
        assert_true(column_of(t, "delta")->numbers[i] == 3.0 * (double)i);
        assert_true(column_of(t, "split")->numbers[i] == (double)i / 4);
        assert_true(column_of(t, "split4")->numbers[i] == (double)i / 4);
        assert_string_equal(cell(t, "texts", i), text);
        assert_string_equal(cell(t, "lengths", i), text);
    }
    cairn_table_free(t);
    static const char *const files[] = {"wasm-lz4-v1", "wasm-lz4-v2", "wasm-snappy-v1",
                                        "wasm-snappy-v2"};
    for (size_t f = 0; f < 4; f++) {
        assert_ok(ctx, read_file(ctx, files[f], &t));
        assert_true(isnan(column_of(t, "i")->numbers[2]) && column_of(t, "i")->numbers[3] == 4);
        assert_true(isnan(column_of(t, "x")->numbers[1]) &&
                    column_of(t, "x")->numbers[2] == -1e300);
        assert_string_equal(cell(t, "s", 1), "bc");
        assert_true(cairn_column_is_missing(column_of(t, "s"), 3));
        cairn_table_free(t);
    }
}

static void test_parquet__refuses(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = NULL;
    size_t length;
    assert_fails(ctx, read_file(ctx, "wasm-brotli-v1", &t), CAIRN_BAD_DATA,
                 "x: column 'i' is packed by Brotli");
    assert_fails(ctx, read_file(ctx, "duckdb-map", &t), CAIRN_BAD_DATA, "is a map");
    char *bytes = load(ctx, "duckdb-plain", &length);
    assert_fails(ctx, read_bytes(ctx, &t, "parquet", bytes, length - 1), CAIRN_BAD_DATA,
                 "x: the Parquet data are damaged: it is cut");
    memcpy(bytes + length - 4, "PARE", 4);
    assert_fails(ctx, read_bytes(ctx, &t, "parquet", bytes, length), CAIRN_BAD_DATA, "encrypted");
    assert_fails(ctx, read_bytes(ctx, &t, "parquet", "a,b\n1,2\n3,4\n", 12), CAIRN_BAD_DATA,
                 "does not begin with PAR1");
    cairn_free(bytes);
}

/* Cut anywhere, or with any byte changed, a file is read or refused. */
static void test_parquet__damage(void **state)
{
    cairn_context *ctx = *state;
    static const char *const files[] = {"duckdb-plain", "duckdb-v2", "wasm-lz4-v2", "hyparquet"};
    size_t refused = 0;
    for (size_t f = 0; f < 4; f++) {
        size_t length;
        char *bytes = load(ctx, files[f], &length);
        cairn_table *t = NULL;
        for (size_t at = 0; at < length; at++)
            for (int change = 0; change < 2; change++) {
                char before = bytes[at];
                bytes[at] = (char)(change ? before ^ 0x81 : -1);
                refused += read_bytes(ctx, &t, "parquet", bytes, length) != CAIRN_OK;
                cairn_table_free(t);
                t = NULL;
                bytes[at] = before;
            }
        cairn_free(bytes);
    }
    assert_true(refused > 1000);
}

/* What a table becomes through a file in memory, roles and ways to write times included. */
static void goes_around(cairn_context *ctx, const cairn_table *t)
{
    SCOPED(cairn_text_clear) cairn_text bytes = cairn_text_start(ctx);
    cairn_output_file *out = NULL;
    cairn_table *back = NULL;
    assert_ok(ctx, cairn_output_memory(ctx, &out, &bytes));
    assert_ok(ctx, cairn_format_write(ctx, &cairn_parquet_format, t, out));
    assert_ok(ctx, cairn_output_commit(ctx, out));
    assert_ok(ctx, read_bytes(ctx, &back, "parquet", bytes.bytes, bytes.length));
    for (size_t j = 0; j < t->n_columns; j++) {
        if (cairn_column_hash(back->slots[j].column, 0) != cairn_column_hash(t->slots[j].column, 0))
            fail_msg("column '%s' does not come back", t->slots[j].name);
        assert_int_equal(back->slots[j].role, t->slots[j].role);
        assert_string_equal(back->slots[j].column->pattern, t->slots[j].column->pattern);
    }
    assert_true(cairn_table_hash(back) == cairn_table_hash(t));
    cairn_table_free(back);
}

static void test_parquet__round_trip(void **state)
{
    cairn_context *ctx = *state;
    static const char *const tables[] = {"@titanic", "@rides", "@baskets", "@mushroom", "@iris"};
    cairn_table *t = NULL;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        assert_ok(ctx, cairn_table_read(ctx, &t, tables[i], NULL));
        goes_around(ctx, t);
        cairn_table_free(t);
    }
    cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
    options.format = "ndjson";
    options.kinds = "s=series,q=sequence,t=text,w=time(%d.%m.%Y),o=ordered(low,high)";
    static const char json[] =
        "{\"s\":[1,2.5],\"q\":[\"b\",\"a\",\"b\"],\"t\":\"x\",\"w\":\"19.11.2026\",\"o\":\"high\"}"
        "\n"
        "{\"s\":null,\"q\":[],\"t\":null,\"w\":null,\"o\":null}\n"
        "{\"s\":[],\"q\":null,\"t\":\"x\",\"w\":\"1.1.1970\",\"o\":\"high\"}\n";
    assert_ok(ctx, cairn_table_read_memory(ctx, &t, "x", json, sizeof json - 1, &options));
    goes_around(ctx, t);
    cairn_table_free(t);
}

/* More rows than a group holds, some missing. */
static void test_parquet__groups(void **state)
{
    cairn_context *ctx = *state;
    enum { N = (1 << 20) + 1000 };
    cairn_table *t = NULL;
    double *numbers = malloc(N * sizeof *numbers);
    assert_non_null(numbers);
    for (size_t i = 0; i < N; i++) numbers[i] = i % 1000 == 7 ? NAN : (double)i;
    assert_ok(ctx, cairn_table_new(ctx, &t, N));
    assert_ok(ctx, cairn_table_add_numbers(ctx, t, "x", numbers));
    goes_around(ctx, t);
    cairn_table_free(t);
    free(numbers);
}

static void test_parquet__refuses_amounts(void **state)
{
    cairn_context *ctx = *state;
    SCOPED(cairn_text_clear) cairn_text bytes = cairn_text_start(ctx);
    cairn_output_file *out = NULL;
    cairn_table *t = read_text(ctx, "basket", "a a b\n");
    assert_ok(ctx, cairn_output_memory(ctx, &out, &bytes));
    assert_fails(ctx, cairn_format_write(ctx, &cairn_parquet_format, t, out), CAIRN_USAGE,
                 "column 'items' (bag)");
    cairn_output_abort(out);
    cairn_table_free(t);
}

static cairn_status read_then_write(cairn_context *ctx, void *data)
{
    OWNED(cairn_table_free) cairn_table *t = NULL;
    SCOPED(cairn_text_clear) cairn_text bytes = cairn_text_start(ctx);
    cairn_output_file *out = NULL;
    const cairn_text *file = data;
    CHECK(read_bytes(ctx, &t, "parquet", file->bytes, file->length));
    CHECK(cairn_output_memory(ctx, &out, &bytes));
    cairn_status status = cairn_format_write(ctx, &cairn_parquet_format, t, out);
    if (!status) return cairn_output_commit(ctx, out);
    cairn_output_abort(out);
    return status;
}

static void test_parquet__failing_allocation(void **state)
{
    cairn_context *ctx = *state;
    static const char *const files[] = {"duckdb-snappy", "duckdb-v2", "hyparquet"};
    for (size_t f = 0; f < 3; f++) {
        cairn_text file = {0};
        file.bytes = load(ctx, files[f], &file.length);
        assert_survives_allocation_failures(read_then_write, &file);
        cairn_free(file.bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_parquet__types),           context_test(test_parquet__encodings),
        context_test(test_parquet__refuses),         context_test(test_parquet__damage),
        context_test(test_parquet__round_trip),      context_test(test_parquet__groups),
        context_test(test_parquet__refuses_amounts), context_test(test_parquet__failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
