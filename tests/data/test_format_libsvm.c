/* SPDX-License-Identifier: MIT */
#include "data/format_test.h"
#include <math.h>
#include <zlib.h>
#include <zstd.h>

static void test_libsvm__rows(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t =
        read_text(ctx, "libsvm", "# two rows\n+1 3:1 7:-0.5 # a comment\r\n\n-1 1:2e3 3:0 07:1\n");
    assert_int_equal(t->n_rows, 2);
    assert_int_equal(t->n_columns, 2);
    assert_int_equal(t->slots[0].role, CAIRN_TARGET);
    assert_int_equal(t->slots[1].role, CAIRN_FEATURE);
    const cairn_column *target = column_of(t, "target");
    assert_int_equal(target->kind, CAIRN_NUMBER);
    assert_true(target->numbers[0] == 1 && target->numbers[1] == -1);
    const cairn_column *bag = column_of(t, "features");
    assert_int_equal(bag->kind, CAIRN_BAG);
    assert_int_equal(bag->names.n, 3);
    assert_string_equal(cell(t, "features", 0), "3 7:-0.5");
    assert_string_equal(cell(t, "features", 1), "1:2000 7");
    cairn_table_free(t);
}

static void test_libsvm__plain_ones_have_no_amounts(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = read_text(ctx, "libsvm", "1 0:1 2:1\n0 5:1.0\n");
    assert_null(column_of(t, "features")->amounts);
    assert_string_equal(cairn_map_key(&column_of(t, "features")->names, 0), "0");
    cairn_table_free(t);
}

static void test_libsvm__groups_and_missing_labels(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = read_text(ctx, "libsvm", "1 qid:4 1:1\n2:1\n0 qid:5 1:2\n3\n");
    assert_int_equal(t->slots[1].role, CAIRN_GROUP);
    const cairn_column *qid = column_of(t, "qid"), *target = column_of(t, "target");
    assert_true(qid->numbers[0] == 4 && isnan(qid->numbers[1]) && qid->numbers[2] == 5);
    assert_true(isnan(qid->numbers[3]));
    assert_int_equal(qid->n_missing, 2);
    assert_true(isnan(target->numbers[1]) && target->numbers[3] == 3);
    assert_int_equal(target->n_missing, 1);
    cairn_table_free(t);
}

static void test_libsvm__kinds_of_labels(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = read_text(ctx, "libsvm", "spam 1:1\nham 2:1\n3:1\n");
    assert_int_equal(column_of(t, "target")->kind, CAIRN_LEVEL);
    assert_string_equal(cell(t, "target", 1), "ham");
    assert_int_equal(column_of(t, "target")->codes[2], -1);
    assert_round_trip(ctx, t, "libsvm");
    cairn_table_free(t);
    t = read_text(ctx, "libsvm", "10,2 1:1\n2, 2:1\n 3:1\n");
    assert_int_equal(column_of(t, "target")->kind, CAIRN_BAG);
    assert_string_equal(cell(t, "target", 0), "2 10");
    assert_string_equal(cell(t, "target", 2), "");
    assert_round_trip(ctx, t, "libsvm");
    cairn_table_free(t);
}

static void test_libsvm__round_trip(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t =
        read_text(ctx, "libsvm", "1.5 qid:1 1:0.1 4294967295:1e-300\n-2 qid:2\n3 qid:2 20:7\n");
    assert_round_trip(ctx, t, "libsvm");
    cairn_table_free(t);
}

static void test_libsvm__writes_numbers(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = read_text(ctx, "csv", "a,b,y\n1,0,u\n0,2.5,v\n");
    assert_ok(ctx, cairn_table_set_role(ctx, t, "y", CAIRN_TARGET));
    assert_written(ctx, t, "libsvm", "u 1:1\nv 2:2.5\n");
    cairn_table_free(t);
    t = read_text(ctx, "basket", "milk bread\nbread\n");
    assert_written(ctx, t, "libsvm", "0 1:1 2:1\n0 2:1\n");
    cairn_table_free(t);
}

static void test_libsvm__refuses(void **state)
{
    cairn_context *ctx = *state;
    refuses(ctx, "libsvm", "# nothing\n\n", "no row of data");
    refuses(ctx, "libsvm", "1 2:1\n1 x:1\n", "x, line 2: 'x:1' is not index:value");
    refuses(ctx, "libsvm", "1 2\n", "'2' is not index:value");
    refuses(ctx, "libsvm", "1 2:\n", "'2:' is not index:value");
    refuses(ctx, "libsvm", "1 -2:1\n", "'-2:1' is not index:value");
    refuses(ctx, "libsvm", "1 2:1x\n", "'2:1x' is not index:value");
    refuses(ctx, "libsvm", "1 2:nan\n", "not a finite number");
    refuses(ctx, "libsvm", "1 2:1e999\n", "not a finite number");
    refuses(ctx, "libsvm", "1 5:1 2:1\n", "index 2 comes after 5");
    refuses(ctx, "libsvm", "1 5:1 5:1\n", "index 5 comes after 5");
    refuses(ctx, "libsvm", "1 99999999999999999999999:1\n", "too large");
    refuses(ctx, "libsvm", "1 qid:x 1:1\n", "column 'qid': 'x' is not a whole number");
    refuses(ctx, "libsvm", "1 2:1\n\xC0 1:1\n", "line 2: byte 0xC0 is not UTF-8");
}

static void test_libsvm__writer_refuses(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = read_text(ctx, "csv", "a,b\n1,x\n?,y\n");
    write_refused(ctx, t, "libsvm", "column 'b' (level)");
    cairn_table_remove_column(t, 1);
    write_refused(ctx, t, "libsvm", "column 'a', row 2: libsvm has no missing values");
    cairn_table_free(t);
    t = read_text(ctx, "csv", "a,y\n1,one two\n2,y\n");
    assert_ok(ctx, cairn_table_set_role(ctx, t, "y", CAIRN_TARGET));
    write_refused(ctx, t, "libsvm", "level 'one two'");
    assert_ok(ctx, cairn_table_set_role(ctx, t, "y", CAIRN_WEIGHT));
    write_refused(ctx, t, "libsvm", "column 'y' (level)");
    cairn_table_free(t);
}

static void test_libsvm__compressed(void **state)
{
    cairn_context *ctx = *state;
    static const char text[] = "1 2:1\n-1 3:0.25\n";
    char packed[200];
    cairn_table *t = NULL;
    size_t n = ZSTD_compress(packed, sizeof packed, text, sizeof text - 1, 3);
    assert_false(ZSTD_isError(n));
    assert_ok(ctx, read_bytes(ctx, &t, "libsvm", packed, n));
    assert_string_equal(cell(t, "features", 1), "3:0.25");
    cairn_table_free(t);
    t = NULL;
    assert_fails(ctx, read_bytes(ctx, &t, "libsvm", packed, n - 3), CAIRN_BAD_DATA, "cut short");
    z_stream z = {.next_in = (Bytef *)text, .avail_in = sizeof text - 1};
    z.next_out = (Bytef *)packed;
    z.avail_out = sizeof packed;
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    assert_ok(ctx, read_bytes(ctx, &t, "libsvm", packed, sizeof packed - z.avail_out));
    deflateEnd(&z);
    assert_int_equal(t->n_rows, 2);
    cairn_table_free(t);
}

static void test_libsvm__failing_allocations(void **state)
{
    (void)state;
    static const char text[] = "1 qid:4 1:1 1000000:2\n0 3:1\n";
    survives("libsvm", text, sizeof text - 1, true);
    static const char sets[] = "a,b 10:1\nb, 2:1\n";
    survives("libsvm", sets, sizeof sets - 1, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_libsvm__rows),
        context_test(test_libsvm__plain_ones_have_no_amounts),
        context_test(test_libsvm__groups_and_missing_labels),
        context_test(test_libsvm__kinds_of_labels),
        context_test(test_libsvm__round_trip),
        context_test(test_libsvm__writes_numbers),
        context_test(test_libsvm__refuses),
        context_test(test_libsvm__writer_refuses),
        context_test(test_libsvm__compressed),
        cmocka_unit_test(test_libsvm__failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
