/* SPDX-License-Identifier: MIT */
#include "data/expression.h"
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

static void test_parquet__round_trip(void **state)
{
    cairn_context *ctx = *state;
    static const char *const tables[] = {"@titanic", "@rides", "@baskets", "@mushroom", "@iris"};
    cairn_table *t = NULL;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        assert_ok(ctx, cairn_table_read(ctx, &t, tables[i], NULL));
        goes_around(ctx, &cairn_parquet_format, t);
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
    goes_around(ctx, &cairn_parquet_format, t);
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
    goes_around(ctx, &cairn_parquet_format, t);
    cairn_table_free(t);
    free(numbers);
}

/* The rows that a condition keeps, and how many were not even read. */
static uint64_t kept_of(cairn_context *ctx, const char *bytes, size_t length, const char *condition,
                        const cairn_wanted *wanted, size_t *n_skipped)
{
    cairn_table *kept = NULL, *t = read_used(ctx, "parquet", bytes, length, wanted);
    *n_skipped = t->n_skipped;
    assert_ok(ctx, cairn_table_where(ctx, &kept, t, condition, NULL));
    uint64_t hash = cairn_table_hash(kept);
    cairn_table_free(kept);
    cairn_table_free(t);
    return hash;
}

/* Three groups of 2048 rows: what is not read changes nothing of what is kept, whatever the kinds
 * of columns are. */
static void test_parquet__skips_groups(void **state)
{
    cairn_context *ctx = *state;
    enum { G = 2048 };
    static const struct {
        const char *condition;
        size_t skipped;
    } cases[] = {{"i < 100", 2 * G},
                 {"100 > i", 2 * G},
                 {"i >= 4096 and x < 2100", 2 * G},
                 {"i = 2047 or i = 2048", G},
                 {"i between 2048 and 2050", 2 * G},
                 {"i in (5, 6000)", G},
                 {"not (i > 50)", 2 * G},
                 {"i != 3", 0},
                 {"word = 'bee'", 2 * G},
                 {"word in ('ant', 'cat')", G},
                 {"word != 'bee'", 0},
                 {"note = 'note 5000'", G},
                 {"ts >= '2020-05-01' and ts < '2020-06-01'", 2 * G},
                 {"price between 3000 and 3001", 2 * G},
                 {"i is missing", 2 * G}, /* one is read, to have columns */
                 {"x is missing and i > 5000", 2 * G},
                 {"i > 99999", 2 * G},
                 {"1 / i > 0.3", 0},
                 {"i < 10 and row() > 3", 0},
                 {"length(note) < 7 and i < 2000", 2 * G}};
    size_t length, skipped;
    char *bytes = load(ctx, "duckdb-groups", &length);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cairn_wanted wanted = {.where = cases[i].condition};
        uint64_t all = kept_of(ctx, bytes, length, cases[i].condition, NULL, &skipped);
        assert_int_equal(skipped, 0);
        uint64_t some = kept_of(ctx, bytes, length, cases[i].condition, &wanted, &skipped);
        if (skipped != cases[i].skipped || some != all)
            fail_msg("%s: %zu rows skipped, %zu expected; %s", cases[i].condition, skipped,
                     cases[i].skipped, some == all ? "the same rows" : "other rows");
    }
    cairn_free(bytes);
}

/* Change a number in what the foot says of a column's ends, wherever it stands there. */
static size_t change_said(char *bytes, size_t length, int32_t from, int32_t to)
{
    size_t n = 0;
    for (size_t at = length - 1; at > length - 8000; at--) {
        int32_t value;
        if (bytes[at] != sizeof value) continue;
        memcpy(&value, bytes + at + 1, sizeof value);
        if (value != from) continue;
        memcpy(bytes + at + 1, &to, sizeof to);
        n++;
    }
    return n;
}

/* What is said of a group that is read is compared with its cells. */
static void test_parquet__statistics_lie(void **state)
{
    cairn_context *ctx = *state;
    size_t length;
    cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
    cairn_wanted wanted = {.where = "i > 5000"};
    cairn_table *t = NULL;
    char *bytes = load(ctx, "duckdb-groups", &length);
    options.format = "parquet";
    options.wanted = &wanted;
    assert_true(change_said(bytes, length, 4096, 4100) > 0);
    assert_fails(ctx, cairn_table_read_memory(ctx, &t, "x", bytes, length, &options),
                 CAIRN_BAD_DATA,
                 "x: the Parquet data are damaged: column 'i', row group 3: its "
                 "statistics lie");
    assert_true(change_said(bytes, length, 4100, INT32_MAX) > 0);
    assert_fails(ctx, cairn_table_read_memory(ctx, &t, "x", bytes, length, &options),
                 CAIRN_BAD_DATA, "row group 3: its statistics say that the least value is above");
    wanted.where = "x > 5000"; /* of other columns nothing is used */
    assert_ok(ctx, cairn_table_read_memory(ctx, &t, "x", bytes, length, &options));
    cairn_table_free(t);
    cairn_free(bytes);
}

/* What is written says of its groups what they hold. */
static void test_parquet__writes_statistics(void **state)
{
    cairn_context *ctx = *state;
    enum { G = 1 << 18, N = 2 * G + 10 };
    static const char *const conditions[] = {"x < 5", "day >= '2025-06-01'", "word = 'b'",
                                             "x = 0 or x = -1"};
    static const size_t skipped[] = {G + 10, 2 * G, G + 10, G + 10};
    SCOPED(cairn_text_clear) cairn_text bytes = cairn_text_start(ctx), csv = cairn_text_start(ctx);
    cairn_output_file *out = NULL;
    size_t n;
    cairn_text_add(&csv, "x,day,word\n");
    for (size_t i = 0; i < N; i++)
        cairn_text_addf(&csv, "%zu,%s,%s\n", i, i < 2 * G ? "2024-05-06" : "2025-07-08",
                        i / G == 1 ? "b"
                        : i % 3    ? "a"
                                   : "");
    cairn_table *t = read_text(ctx, "csv", cairn_text_string(&csv));
    assert_ok(ctx, cairn_output_memory(ctx, &out, &bytes));
    assert_ok(ctx, cairn_format_write(ctx, &cairn_parquet_format, t, out));
    assert_ok(ctx, cairn_output_commit(ctx, out));
    cairn_table_free(t);
    for (size_t i = 0; i < 4; i++) {
        cairn_wanted wanted = {.where = conditions[i]};
        uint64_t all = kept_of(ctx, bytes.bytes, bytes.length, conditions[i], NULL, &n);
        assert_true(kept_of(ctx, bytes.bytes, bytes.length, conditions[i], &wanted, &n) == all);
        if (n != skipped[i]) fail_msg("%s: %zu rows skipped", conditions[i], n);
    }
}

static void test_parquet__used_columns(void **state)
{
    cairn_context *ctx = *state;
    size_t length;
    char *bytes = load(ctx, "duckdb-plain", &length);
    const char *only[] = {"tags", "st.y"}, *also[] = {"i", "nope"}, *without[] = {"i"};
    cairn_wanted wanted = {.only = only, .n_only = 2, .also = also, .n_also = 2};
    cairn_table *all = read_used(ctx, "parquet", bytes, length, NULL);
    cairn_table *t = read_used(ctx, "parquet", bytes, length, &wanted);
    assert_int_equal(t->n_columns, 3);
    for (size_t j = 0; j < 3; j++)
        assert_true(cairn_column_hash(t->slots[j].column, 0) ==
                    cairn_column_hash(column_of(all, t->slots[j].name), 0));
    cairn_table_free(t);
    only[1] = "nope";
    t = read_used(ctx, "parquet", bytes, length, &wanted);
    assert_int_equal(t->n_columns, all->n_columns);
    cairn_table_free(t);
    wanted = (cairn_wanted){.without = without, .n_without = 1};
    t = read_used(ctx, "parquet", bytes, length, &wanted);
    assert_int_equal(t->n_columns, all->n_columns - 1);
    cairn_table_free(t);
    cairn_table_free(all);
    cairn_free(bytes);
}

/* Whatever a file is called, its first bytes tell what it is. */
static void test_parquet__by_its_bytes(void **state)
{
    cairn_context *ctx = *state;
    static const char *const names[] = {"x", "x.csv", "x.arrow", "x.pq"};
    size_t length;
    cairn_table *t = NULL;
    char *bytes = load(ctx, "duckdb-plain", &length);
    for (size_t i = 0; i < 4; i++) {
        assert_ok(ctx, cairn_table_read_memory(ctx, &t, names[i], bytes, length, NULL));
        assert_ptr_equal(t->format, &cairn_parquet_format);
        cairn_table_free(t);
    }
    static const char feather[] = "FEA1\0\0\0\0and so on", text[] = "PAR1,b\n1,2\n";
    assert_fails(ctx, cairn_table_read_memory(ctx, &t, "x.feather", feather, sizeof feather, NULL),
                 CAIRN_BAD_DATA, "x.feather: this is a Feather file of the first kind");
    assert_ok(ctx, cairn_table_read_memory(ctx, &t, "x.csv", text, sizeof text - 1, NULL));
    assert_int_equal(t->n_columns, 2);
    cairn_table_free(t);
    cairn_free(bytes);
}

/* The row of a number that no table holds is that of the file, missing cells counted. */
static void test_parquet__infinite(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = NULL;
    assert_fails(ctx, read_file(ctx, "duckdb-infinite", &t), CAIRN_BAD_DATA,
                 "x: column 'x', row 3: the number is inf");
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
        context_test(test_parquet__skips_groups),    context_test(test_parquet__statistics_lie),
        context_test(test_parquet__used_columns),    context_test(test_parquet__writes_statistics),
        context_test(test_parquet__infinite),        context_test(test_parquet__by_its_bytes),
        context_test(test_parquet__refuses_amounts), context_test(test_parquet__failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
