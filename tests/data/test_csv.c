/* SPDX-License-Identifier: MIT */
#include "data/table.h"
#include "support/fail_alloc.h"
#include <math.h>

static cairn_table *read_text(cairn_context *ctx, const char *text)
{
    cairn_table *t = NULL;
    assert_ok(ctx, cairn_table_read_memory(ctx, &t, "x.csv", text, strlen(text), NULL));
    return t;
}

static const char *cell(const cairn_table *t, size_t column, size_t row)
{
    static char text[200];
    cairn_table_cell(t, column, row, text, sizeof text);
    return text;
}

static void test_csv__numbers_and_levels(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = read_text(ctx, "a,b,c\n1,x,2.5\n-3,y,1e3\n+4,x,.5\n");
    assert_int_equal(cairn_table_rows(t), 3);
    assert_int_equal(cairn_table_kind(t, 0), CAIRN_NUMBER);
    assert_int_equal(cairn_table_kind(t, 1), CAIRN_LEVEL);
    assert_true(cairn_table_numbers(t, 0)[1] == -3);
    assert_true(cairn_table_numbers(t, 0)[2] == 4);
    assert_true(cairn_table_numbers(t, 2)[1] == 1000);
    assert_true(cairn_table_numbers(t, 2)[2] == 0.5);
    assert_int_equal(cairn_table_codes(t, 1)[2], 0);
    cairn_table_free(t);
}

static void test_csv__quotes(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = read_text(ctx, "name,n\n\"a \"\"b\"\", c\",1\n\"two\nlines\", \"2\" \r\n x ,3");
    assert_int_equal(cairn_table_rows(t), 3);
    assert_string_equal(cell(t, 0, 0), "a \"b\", c");
    assert_string_equal(cell(t, 0, 1), "two\nlines");
    assert_string_equal(cell(t, 0, 2), "x");
    assert_true(cairn_table_numbers(t, 1)[1] == 2);
    cairn_table_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_csv__numbers_and_levels),
        context_test(test_csv__quotes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
