/* SPDX-License-Identifier: MIT */
#include "data/format_test.h"
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>

static const char images[] = "\0\0\x08\x03\0\0\0\2\0\0\0\2\0\0\0\3"
                             "\0\1\2\3\4\5\xFF\xFE\xFD\xFC\xFB\xFA";
static const char labels[] = "\0\0\x08\x01\0\0\0\2\7\x9";

static void test_idx__images(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = NULL;
    assert_ok(ctx, read_bytes(ctx, &t, NULL, images, sizeof images - 1)); /* by content */
    assert_int_equal(t->n_rows, 2);
    assert_int_equal(t->n_columns, 6);
    assert_true(column_of(t, "p0")->numbers[1] == 255);
    assert_true(column_of(t, "p5")->numbers[0] == 5);
    cairn_table_free(t);
}

static void test_idx__labels(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = NULL;
    assert_ok(ctx, read_bytes(ctx, &t, "idx", labels, sizeof labels - 1));
    assert_int_equal(t->n_columns, 1);
    assert_true(column_of(t, "label")->numbers[0] == 7);
    cairn_table_free(t);
}

static void test_idx__types(void **state)
{
    cairn_context *ctx = *state;
    static const struct {
        char code;
        unsigned char bytes[8];
        size_t width;
        double value;
    } cases[] = {
        {0x08, {200}, 1, 200},
        {0x09, {200}, 1, -56},
        {0x0B, {0xFF, 0xFE}, 2, -2},
        {0x0C, {0, 1, 0, 0}, 4, 65536},
        {0x0D, {0x3F, 0xC0, 0, 0}, 4, 1.5},
        {0x0E, {0x3F, 0xF8, 0, 0, 0, 0, 0, 0}, 8, 1.5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char file[16] = {0, 0, cases[i].code, 1, 0, 0, 0, 1};
        cairn_table *t = NULL;
        memcpy(file + 8, cases[i].bytes, cases[i].width);
        assert_ok(ctx, read_bytes(ctx, &t, "idx", file, 8 + cases[i].width));
        assert_true(column_of(t, "label")->numbers[0] == cases[i].value);
        cairn_table_free(t);
    }
}

/* Labels that lie beside the images come along as the target. */
static void test_idx__pair_of_files(void **state)
{
    cairn_context *ctx = *state;
    char folder[] = "/tmp/cairn-idx-XXXXXX", a[80], b[80];
    cairn_table *t = NULL;
    assert_non_null(mkdtemp(folder));
    snprintf(a, sizeof a, "%s/train-images-idx3-ubyte", folder);
    snprintf(b, sizeof b, "%s/train-labels-idx1-ubyte", folder);
    assert_ok(ctx, cairn_file_write_all(ctx, a, images, sizeof images - 1));
    assert_ok(ctx, cairn_table_read(ctx, &t, a, NULL));
    assert_int_equal(t->n_columns, 6);
    cairn_table_free(t);
    t = NULL;
    assert_ok(ctx, cairn_file_write_all(ctx, b, labels, sizeof labels - 1));
    assert_ok(ctx, cairn_table_read(ctx, &t, a, NULL));
    assert_int_equal(t->n_columns, 7);
    assert_int_equal(t->slots[6].role, CAIRN_TARGET);
    assert_true(column_of(t, "label")->numbers[1] == 9);
    cairn_table_free(t);
    t = NULL;
    assert_ok(ctx, cairn_file_write_all(ctx, b, "\0\0\x08\x01\0\0\0\1\7", 9));
    assert_fails(ctx, cairn_table_read(ctx, &t, a, NULL), CAIRN_BAD_DATA, "do not belong to 2");
    unlink(a);
    unlink(b);
    rmdir(folder);
}

static void refuses_bytes(cairn_context *ctx, const char *bytes, size_t n, const char *part)
{
    cairn_table *t = NULL;
    assert_fails(ctx, read_bytes(ctx, &t, "idx", bytes, n), CAIRN_BAD_DATA, part);
}

static void test_idx__refuses(void **state)
{
    cairn_context *ctx = *state;
    refuses_bytes(ctx, "", 0, "cut short");
    refuses_bytes(ctx, "\0\0\x08", 3, "cut short");
    refuses_bytes(ctx, "abcdefgh", 8, "not an idx file");
    refuses_bytes(ctx, "\0\0\x08\0", 4, "not an idx file");
    refuses_bytes(ctx, "\0\0\x0A\1\0\0\0\1\1", 9, "0x0A is not a type");
    refuses_bytes(ctx, "\0\0\x08\2\0\0\0\1", 8, "cut short");
    refuses_bytes(ctx, images, sizeof images - 2, "cut short");
    refuses_bytes(ctx, images, sizeof images, "1 bytes follow");
    refuses_bytes(ctx, "\0\0\x08\1\0\0\0\0", 8, "has no numbers");
    refuses_bytes(ctx,
                  "\0\0\x08\x05\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"
                  "\xFF\xFF\xFF\xFF\1",
                  25, "cut short");
    refuses_bytes(ctx, "\0\0\x0D\1\0\0\0\1\x7F\x80\0\0", 12, "infinite");
}

static void test_idx__cannot_be_written(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = NULL;
    assert_ok(ctx, read_bytes(ctx, &t, "idx", labels, sizeof labels - 1));
    write_refused(ctx, t, "idx", "not written");
    cairn_table_free(t);
}

static void test_idx__failing_allocations(void **state)
{
    (void)state;
    survives("idx", images, sizeof images - 1, false);
    survives("idx", labels, sizeof labels - 1, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_idx__images),
        context_test(test_idx__labels),
        context_test(test_idx__types),
        context_test(test_idx__pair_of_files),
        context_test(test_idx__refuses),
        context_test(test_idx__cannot_be_written),
        cmocka_unit_test(test_idx__failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
