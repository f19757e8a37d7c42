/* SPDX-License-Identifier: MIT */
#include "data/format_test.h"
#include "data/flat.h"
#include "data/ipc.h"
#include <math.h>

static char *load(cairn_context *ctx, const char *name, size_t *length)
{
    char path[400], *bytes = NULL;
    snprintf(path, sizeof path, "%s/data/arrow/%s", CAIRN_TESTS, name);
    assert_ok(ctx, cairn_file_read_all(ctx, path, &bytes, length));
    return bytes;
}

static cairn_table *read_fixture(cairn_context *ctx, const char *name)
{
    size_t length;
    cairn_table *table = NULL;
    char *bytes = load(ctx, name, &length);
    assert_ok(ctx, read_bytes(ctx, &table, "arrow", bytes, length));
    cairn_free(bytes);
    return table;
}

/* Every type that apache-arrow writes: one value in all kinds of numbers, a null, and another. */
static void test_arrow_format__types(void **state)
{
    cairn_context *ctx = *state;
    static const char *const files[] = {"types.arrow", "types.arrows"};
    static const struct {
        const char *column, *first, *last;
    } cells[] = {{"i8", "1", "-3"},
                 {"i16", "1", "-300"},
                 {"i32", "1", "-70000"},
                 {"i64", "1", "-5000000000"},
                 {"u8", "1", "255"},
                 {"u16", "1", "65535"},
                 {"u32", "1", "4294967295"},
                 {"u64", "1", "9007199254740991"},
                 {"f16", "1.5", "-2"},
                 {"f32", "1.5", "-0.25"},
                 {"f64", "0.1", "-1e+300"},
                 {"bool", "1", "0"},
                 {"large", "long text, with comma", "x"},
                 {"bin", "bytes", "b"},
                 {"date", "2026-11-19", "1969-12-31"},
                 {"datems", "2026-11-19", "1969-12-31"},
                 {"ts_s", "2025-11-19 00:00:00", "1969-12-31 23:59:59"},
                 {"ts_ms", "2025-11-19 00:00:00.123", "1969-12-31 23:59:59.000"},
                 {"ts_us", "2025-11-19 00:00:00.123", "1969-12-31 23:59:59.000"},
                 {"ts_ns", "2025-11-19 00:00:00.123", "1969-12-31 23:59:59.000"},
                 {"t_s", "01:00:00", "00:00:59"},
                 {"t_ms", "01:00:00", "00:00:59"},
                 {"t_us", "01:00:00", "00:00:59"},
                 {"du_s", "5", "-1"},
                 {"du_ms", "0.005", "-0.001"},
                 {"dicti", "100", "100"},
                 {"dec", "123.45", "-1.23"}};
    for (size_t f = 0; f < 2; f++) {
        cairn_table *t = read_fixture(ctx, files[f]);
        assert_int_equal(t->n_rows, 3);
        for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
            assert_string_equal(cell(t, cells[i].column, 0), cells[i].first);
            assert_string_equal(cell(t, cells[i].column, 2), cells[i].last);
            assert_true(cairn_column_is_missing(column_of(t, cells[i].column), 1));
        }
        assert_string_equal(cell(t, "utf8", 0), "\xC3\xA4");
        assert_string_equal(cell(t, "dict", 1), "two");
        assert_int_equal(column_of(t, "nul")->n_missing, 3);
        assert_int_equal(column_of(t, "list")->kind, CAIRN_BAG);
        assert_int_equal(column_of(t, "listf")->kind, CAIRN_SERIES);
        assert_true(column_of(t, "listf")->amounts[1] == 2.5);
        assert_true(column_of(t, "fsl")->amounts[3] == 4 && column_of(t, "fsl")->absent[1]);
        assert_true(column_of(t, "map")->amounts[0] == 1.5 && column_of(t, "map")->absent[1]);
        cairn_table_free(t);
    }
}

/* Two batches, texts that are levels only together, a dictionary that grows in the stream. */
static void test_arrow_format__batches(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *file = read_fixture(ctx, "batches.arrow");
    cairn_table *stream = read_fixture(ctx, "batches.arrows");
    assert_int_equal(file->n_rows, 6);
    assert_true(cairn_table_hash(file) == cairn_table_hash(stream));
    assert_string_equal(cell(file, "vec", 3), "c");
    assert_string_equal(cell(file, "vec", 5), "d");
    assert_true(isnan(column_of(file, "num")->numbers[4]));
    assert_int_equal(column_of(file, "txt")->kind, CAIRN_LEVEL);
    cairn_table_free(file);
    cairn_table_free(stream);
}

static void test_arrow_format__packed(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *plain = read_fixture(ctx, "polars-uncompressed.arrow");
    cairn_table *lz4 = read_fixture(ctx, "polars-lz4.arrow");
    cairn_table *zstd = read_fixture(ctx, "polars-zstd.arrow");
    assert_int_equal(plain->n_rows, 40);
    assert_string_equal(cell(plain, "s", 13), "text number 13");
    assert_string_equal(cell(plain, "d", 3), "1970-01-04");
    assert_int_equal(column_of(plain, "i")->n_missing, 6);
    assert_true(cairn_table_hash(plain) == cairn_table_hash(lz4));
    assert_true(cairn_table_hash(plain) == cairn_table_hash(zstd));
    cairn_table_free(plain);
    cairn_table_free(lz4);
    cairn_table_free(zstd);
}

static void goes_both_ways(cairn_context *ctx, const cairn_table *t)
{
    goes_around(ctx, &cairn_arrow_format, t);
    goes_around(ctx, &cairn_arrows_format, t);
}

static void test_arrow_format__round_trip(void **state)
{
    cairn_context *ctx = *state;
    static const char *const tables[] = {"@titanic", "@rides", "@baskets", "@weather", "@iris"};
    cairn_table *t = NULL;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        assert_ok(ctx, cairn_table_read(ctx, &t, tables[i], NULL));
        goes_both_ways(ctx, t);
        cairn_table_free(t);
    }
    t = read_text(ctx, "basket", "a a b\nc\n\nb b b\n");
    goes_both_ways(ctx, t);
    cairn_table_free(t);
    cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
    options.kinds = "s=series,q=sequence,t=text,w=time(%d.%m.%Y)";
    static const char json[] =
        "{\"s\":[1,2.5],\"q\":[\"b\",\"a\",\"b\"],\"t\":\"x\",\"w\":\"19.11.2026\"}\n"
        "{\"s\":null,\"q\":[],\"t\":null,\"w\":null}\n"
        "{\"s\":[],\"q\":null,\"t\":\"x\",\"w\":\"1.1.1970\"}\n";
    options.format = "ndjson";
    assert_ok(ctx, cairn_table_read_memory(ctx, &t, "x", json, sizeof json - 1, &options));
    goes_both_ways(ctx, t);
    cairn_table_free(t);
}

/* Columns that are not used are passed over, whatever they are; a name that is not there, and a
 * column that is to be left out and is not there, leave all for the message. */
static void test_arrow_format__used_columns(void **state)
{
    cairn_context *ctx = *state;
    static const char *const files[] = {"types.arrow", "types.arrows", "polars-zstd.arrow",
                                        "batches.arrow"};
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        char path[400], *bytes;
        size_t length;
        snprintf(path, sizeof path, "%s/data/arrow/%s", CAIRN_TESTS, files[f]);
        assert_ok(ctx, cairn_file_read_all(ctx, path, &bytes, &length));
        cairn_wanted wanted = {0};
        cairn_table *all = read_used(ctx, "arrow", bytes, length, NULL), *t;
        for (size_t j = 0; j < all->n_columns; j++) {
            const char *name = all->slots[j].name, *other = "nope";
            wanted = (cairn_wanted){.only = &name, .n_only = 1};
            t = read_used(ctx, "arrow", bytes, length, &wanted);
            assert_int_equal(t->n_columns, 1);
            assert_true(cairn_column_hash(t->slots[0].column, 0) ==
                        cairn_column_hash(all->slots[j].column, 0));
            cairn_table_free(t);
            wanted = (cairn_wanted){.without = &name, .n_without = 1};
            t = read_used(ctx, "arrow", bytes, length, &wanted);
            assert_int_equal(t->n_columns, all->n_columns - 1);
            assert_int_equal(cairn_table_find(t, name), -1);
            cairn_table_free(t);
            wanted = (cairn_wanted){.only = &name, .n_only = 1, .without = &other, .n_without = 1};
            t = read_used(ctx, "arrow", bytes, length, &wanted);
            assert_int_equal(t->n_columns, all->n_columns);
            cairn_table_free(t);
        }
        cairn_table_free(all);
        cairn_free(bytes);
    }
}

/* A plain file is mapped: its reals lie there and not in memory of the table's own. */
static void test_arrow_format__maps_files(void **state)
{
    cairn_context *ctx = *state;
    char path[64];
    cairn_table *t = NULL, *back = NULL;
    temporary_name(path, ".arrow");
    assert_ok(ctx, cairn_table_read(ctx, &t, "@iris", NULL));
    assert_ok(ctx, cairn_table_write(ctx, t, path, NULL));
    assert_ok(ctx, cairn_table_read(ctx, &back, path, NULL));
    unlink(path);
    assert_non_null(column_of(back, "petal_width")->owner);
    assert_non_null(column_of(back, "species")->owner);
    assert_true(cairn_table_hash(back) == cairn_table_hash(t));
    cairn_table_free(t);
    cairn_table_free(back);
}

/* Cut anywhere, or with any byte changed, a file is read or refused; under sanitizers this also
 * looks for what lies outside. */
static void test_arrow_format__damage(void **state)
{
    cairn_context *ctx = *state;
    static const char *const files[] = {"types.arrow", "batches.arrows", "polars-lz4.arrow",
                                        "polars-zstd.arrow"};
    size_t refused = 0;
    for (size_t f = 0; f < 4; f++) {
        size_t length;
        char *bytes = load(ctx, files[f], &length);
        cairn_table *t = NULL;
        for (size_t n = 0; n < length; n += 7) {
            refused += read_bytes(ctx, &t, "arrow", bytes, n) != CAIRN_OK;
            cairn_table_free(t);
            t = NULL;
        }
        for (size_t at = 0; at < length; at++)
            for (int change = 0; change < 3; change++) {
                char before = bytes[at];
                bytes[at] = (char)(change == 0 ? before ^ 1 : change == 1 ? before ^ 0x80 : -1);
                refused += read_bytes(ctx, &t, "arrow", bytes, length) != CAIRN_OK;
                cairn_table_free(t);
                t = NULL;
                bytes[at] = before;
            }
        cairn_free(bytes);
    }
    assert_true(refused > 1000);
}

static void test_arrow_format__refuses(void **state)
{
    cairn_context *ctx = *state;
    size_t length;
    cairn_table *t = NULL;
    char *bytes = load(ctx, "batches.arrow", &length);
    assert_fails(ctx, read_bytes(ctx, &t, "arrow", bytes, length - 1), CAIRN_BAD_DATA,
                 "x: the Arrow data are damaged: it is cut");
    assert_fails(ctx, read_bytes(ctx, &t, "arrow", "a,b\n1,2\n", 8), CAIRN_BAD_DATA,
                 "x: the Arrow data are damaged");
    cairn_free(bytes);
}

static cairn_status read_then_write(cairn_context *ctx, void *data)
{
    SCOPED(cairn_text_clear) cairn_text bytes = cairn_text_start(ctx);
    OWNED(cairn_table_free) cairn_table *t = NULL;
    cairn_output_file *out = NULL;
    const cairn_text *file = data;
    CHECK(read_bytes(ctx, &t, "arrow", file->bytes, file->length));
    CHECK(cairn_output_memory(ctx, &out, &bytes));
    cairn_status status = cairn_ipc_write(ctx, t, out, false);
    if (status) {
        cairn_output_abort(out);
        return status;
    }
    return cairn_output_commit(ctx, out);
}

static void test_arrow_format__failing_allocation(void **state)
{
    cairn_context *ctx = *state;
    static const char *const files[] = {"types.arrow", "batches.arrows", "polars-lz4.arrow"};
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
        context_test(test_arrow_format__types),
        context_test(test_arrow_format__batches),
        context_test(test_arrow_format__packed),
        context_test(test_arrow_format__round_trip),
        context_test(test_arrow_format__used_columns),
        context_test(test_arrow_format__maps_files),
        context_test(test_arrow_format__damage),
        context_test(test_arrow_format__refuses),
        context_test(test_arrow_format__failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
