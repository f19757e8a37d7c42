/* SPDX-License-Identifier: MIT */
#include "data/format_test.h"
#include <math.h>
#include <zstd.h>

/* An npy file put together: version, header text, numbers. Returns its length. */
static size_t make_file(char *out, int version, const char *header, const void *numbers, size_t n)
{
    size_t length = strlen(header), at = 8;
    memcpy(out, "\x93NUMPY", 6);
    out[6] = (char)version;
    out[7] = 0;
    for (int i = 0; i < (version == 1 ? 2 : 4); i++) out[at++] = (char)(length >> 8 * i & 255);
    memcpy(out + at, header, length);
    if (n) memcpy(out + at + length, numbers, n);
    return at + length + n;
}

static cairn_table *read_array(cairn_context *ctx, int version, const char *header,
                               const void *numbers, size_t n)
{
    char file[1000];
    cairn_table *table = NULL;
    size_t length = make_file(file, version, header, numbers, n);
    assert_ok(ctx, read_bytes(ctx, &table, "npy", file, length));
    return table;
}

static void refuses_array(cairn_context *ctx, const char *header, size_t n, const char *part)
{
    char file[1000], zeros[100] = {0};
    cairn_table *table = NULL;
    size_t length = make_file(file, 1, header, zeros, n);
    assert_fails(ctx, read_bytes(ctx, &table, "npy", file, length), CAIRN_BAD_DATA, part);
}

static void test_npy__matrix(void **state)
{
    cairn_context *ctx = *state;
    double numbers[6] = {1, 2, 3, 4, NAN, 6};
    cairn_table *t =
        read_array(ctx, 1, "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }   \n",
                   numbers, sizeof numbers);
    assert_int_equal(t->n_rows, 2);
    assert_int_equal(t->n_columns, 3);
    assert_string_equal(cairn_table_name(t, 0), "column1");
    assert_true(column_of(t, "column3")->numbers[0] == 3);
    assert_true(column_of(t, "column1")->numbers[1] == 4);
    assert_int_equal(column_of(t, "column2")->n_missing, 1);
    cairn_table_free(t);
    t = read_array(ctx, 3, "{'shape':(2L,3L),'fortran_order':True,'descr':\"<f8\"}", numbers,
                   sizeof numbers);
    assert_true(column_of(t, "column1")->numbers[1] == 2);
    assert_true(column_of(t, "column2")->numbers[0] == 3);
    cairn_table_free(t);
}

/* The value 2 (1 where truth values are) in every type, both byte orders. */
static void test_npy__types(void **state)
{
    cairn_context *ctx = *state;
    static const struct {
        const char *descr;
        unsigned char bytes[8];
        size_t width;
        double value;
    } cases[] = {
        {"|b1", {1}, 1, 1},
        {"|i1", {0xFE}, 1, -2},
        {"|u1", {0xFE}, 1, 254},
        {"<i2", {0xFE, 0xFF}, 2, -2},
        {">i2", {0x01, 0x02}, 2, 258},
        {">u2", {0xFF, 0xFE}, 2, 65534},
        {"<i4", {2, 0, 0, 0x80}, 4, -2147483646},
        {"<u4", {2, 0, 0, 0x80}, 4, 2147483650},
        {">i8", {0, 0, 0, 1, 0, 0, 0, 2}, 8, 4294967298},
        {"<u8", {0, 0, 0, 0, 0, 0, 0, 0x80}, 8, 9223372036854775808.0},
        {"<f2", {0x00, 0x3E}, 2, 1.5},
        {">f2", {0x80, 0x01}, 2, -5.9604644775390625e-8},
        {"<f4", {0, 0, 0xC0, 0x3F}, 4, 1.5},
        {">f4", {0xBF, 0xC0, 0, 0}, 4, -1.5},
        {">f8", {0x3F, 0xF8, 0, 0, 0, 0, 0, 0}, 8, 1.5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char header[100];
        snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': (1,), }",
                 cases[i].descr);
        cairn_table *t = read_array(ctx, 2, header, cases[i].bytes, cases[i].width);
        assert_int_equal(t->n_columns, 1);
        assert_true(column_of(t, "column1")->numbers[0] == cases[i].value);
        cairn_table_free(t);
    }
}

static void test_npy__times(void **state)
{
    cairn_context *ctx = *state;
    const int64_t days[] = {20772, INT64_MIN, -1}, nano[] = {INT64_C(1794753005125000000)};
    cairn_table *t =
        read_array(ctx, 1, "{'descr': '<M8[D]', 'fortran_order': False, 'shape': (3,), }\n", days,
                   sizeof days);
    assert_int_equal(column_of(t, "column1")->kind, CAIRN_TIME);
    assert_string_equal(cell(t, "column1", 0), "2026-11-15");
    assert_int_equal(column_of(t, "column1")->n_missing, 1);
    assert_string_equal(cell(t, "column1", 2), "1969-12-31");
    cairn_table_free(t);
    t = read_array(ctx, 1, "{'descr': '<M8[ns]', 'fortran_order': False, 'shape': (1,), }\n", nano,
                   sizeof nano);
    assert_string_equal(cell(t, "column1", 0), "2026-11-15 14:30:05.125");
    cairn_table_free(t);
    refuses_array(ctx, "{'descr': '<M8[M]', 'fortran_order': False, 'shape': (1,), }\n", 8,
                  "'<M8[M]' cannot be read");
}

static void test_npy__missing_half(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = read_array(ctx, 1, "{'descr': '<f2', 'fortran_order': False, 'shape': (2,)}",
                                "\x01\x7C\x00\x00", 4);
    assert_int_equal(column_of(t, "column1")->n_missing, 1);
    cairn_table_free(t);
}

static void test_npy__round_trip(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = NULL;
    double numbers[700];
    for (int i = 0; i < 700; i++) numbers[i] = i % 13 ? i / 7.0 : NAN;
    assert_ok(ctx, cairn_table_new(ctx, &t, 350));
    assert_ok(ctx, cairn_table_add_numbers(ctx, t, "column1", numbers));
    assert_ok(ctx, cairn_table_add_numbers(ctx, t, "column2", numbers + 350));
    assert_round_trip(ctx, t, "npy");
    size_t length;
    char *bytes = written(ctx, t, "npy", &length);
    assert_int_equal((length - 700 * 8) % 64, 0);
    char packed[6000];
    size_t n = ZSTD_compress(packed, sizeof packed, bytes, length, 3);
    assert_false(ZSTD_isError(n));
    cairn_table *back = NULL;
    assert_ok(ctx, read_bytes(ctx, &back, NULL, packed, n)); /* found by its content */
    assert_true(cairn_table_hash(back) == cairn_table_hash(t));
    cairn_table_free(back);
    back = NULL;
    assert_fails(ctx, read_bytes(ctx, &back, "npy", bytes, length - 1), CAIRN_BAD_DATA,
                 "cut short");
    assert_fails(ctx, read_bytes(ctx, &back, "npy", bytes, 40), CAIRN_BAD_DATA, "cut short");
    cairn_free(bytes);
    cairn_table_free(t);
}

static void test_npy__refuses(void **state)
{
    cairn_context *ctx = *state;
    refuses(ctx, "npy", "", "cut short");
    refuses(ctx, "npy", "a,b,c\n1,2,3\n", "not an npy file");
    refuses_array(ctx, "", 0, "does not begin with {");
    refuses_array(ctx, "{'descr': '<f8', 'shape': (1,)}", 8, "needs descr");
    refuses_array(ctx, "{'descr': '<f8', 'fortran_order': 1, 'shape': (1,)}", 8, "fortran_order");
    refuses_array(ctx, "{'descr': '<f8', 'fortran_order': True, 'shape': (-1,)}", 8, "no sizes");
    refuses_array(ctx, "{'descr': '<f8', 'fortran_order': True, 'shape': (1 2)}", 8,
                  "does not end");
    refuses_array(ctx, "{'descr': '<f8', 'fortran_order': True, 'shape': ()}", 8, "0 dimensions");
    refuses_array(ctx, "{'descr': '<f8', 'fortran_order': True, 'shape': (1, 1, 1)}", 8,
                  "3 dimensions");
    refuses_array(ctx, "{'descr': '<f8', 'fortran_order': True, 'shape': (0, 4)}", 0,
                  "has no numbers");
    refuses_array(ctx, "{'descr': '<c16', 'fortran_order': True, 'shape': (1,)}", 16, "'<c16'");
    refuses_array(ctx, "{'descr': '<i3', 'fortran_order': True, 'shape': (1,)}", 3, "'<i3'");
    refuses_array(ctx, "{'descr': '|O', 'fortran_order': True, 'shape': (1,)}", 8, "'|O'");
    refuses_array(ctx, "{'descr': [('a', '<f8')], 'fortran_order': True, 'shape': (1,)}", 8,
                  "structured");
    refuses_array(ctx, "{'descr': '<f8', 'fortran_order': True, 'shape': (1,), 'x': 1}", 8,
                  "unknown key");
    refuses_array(ctx, "{'descr': '<f8', 'fortran_order': True, 'shape': (1,)}", 9,
                  "1 bytes follow");
}

/* Sizes that no file has are refused before memory is taken. */
static void test_npy__absurd_sizes(void **state)
{
    cairn_context *ctx = *state;
    refuses_array(ctx, "{'descr': '<f8', 'fortran_order': True, 'shape': (1000000000000000000,)}",
                  8, "cut short");
    refuses_array(ctx, "{'descr': '<f8', 'fortran_order': True, 'shape': (4294967296, 4294967297)}",
                  8, "cut short");
    refuses_array(ctx, "{'descr': '<f8', 'fortran_order': True, 'shape': (99999999999999999999,)}",
                  8, "no sizes that fit");
    cairn_table *t = NULL;
    assert_fails(ctx, read_bytes(ctx, &t, "npy", "\x93NUMPY\x02\x00\xFF\xFF\xFF\xFF{}", 14),
                 CAIRN_BAD_DATA, "longer than a megabyte");
    assert_fails(ctx, read_bytes(ctx, &t, "npy", "\x93NUMPY\x09\x00\x02\x00{}", 12), CAIRN_BAD_DATA,
                 "version 9");
}

static void test_npy__infinity(void **state)
{
    cairn_context *ctx = *state;
    char file[300];
    double numbers[4] = {1, 2, -INFINITY, 4};
    cairn_table *t = NULL;
    size_t length = make_file(file, 1, "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2)}",
                              numbers, sizeof numbers);
    assert_fails(ctx, read_bytes(ctx, &t, "npy", file, length), CAIRN_BAD_DATA,
                 "x, row 2, column 'column1': the number is infinite");
}

static void test_npy__memory_limit(void **state)
{
    cairn_context *ctx = *state;
    static char file[300000];
    cairn_table *t = NULL;
    static char zeros[200000];
    size_t length = make_file(
        file, 1, "{'descr': '|u1', 'fortran_order': False, 'shape': (100000, 2)}", zeros, 200000);
    cairn_context_set_memory(ctx, 1 << 20);
    assert_fails(ctx, read_bytes(ctx, &t, "npy", file, length), CAIRN_NO_MEMORY,
                 "a table of 100000 rows and 2 columns");
}

static void test_npy__writer_refuses(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = read_text(ctx, "csv", "a,b\n1,x\n2,y\n");
    write_refused(ctx, t, "npy", "column 'b' (level)");
    cairn_table_free(t);
}

static void test_npy__failing_allocations(void **state)
{
    (void)state;
    char file[300];
    double numbers[4] = {1, 2, 3, 4};
    size_t length = make_file(file, 1, "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2)}",
                              numbers, sizeof numbers);
    survives("npy", file, length, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_npy__matrix),
        context_test(test_npy__types),
        context_test(test_npy__times),
        context_test(test_npy__missing_half),
        context_test(test_npy__round_trip),
        context_test(test_npy__refuses),
        context_test(test_npy__absurd_sizes),
        context_test(test_npy__infinity),
        context_test(test_npy__memory_limit),
        context_test(test_npy__writer_refuses),
        cmocka_unit_test(test_npy__failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
