/* SPDX-License-Identifier: MIT */
#include "data/format_test.h"

static void test_basket__blanks(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = read_text(ctx, "basket", "milk bread\r\n\n  bread\tbutter milk \nbeer");
    const cairn_column *items = column_of(t, "items");
    assert_int_equal(t->n_rows, 4);
    assert_int_equal(items->kind, CAIRN_BAG);
    assert_int_equal(items->names.n, 4);
    assert_string_equal(cell(t, "items", 0), "milk bread");
    assert_string_equal(cell(t, "items", 1), "");
    assert_string_equal(cell(t, "items", 2), "milk bread butter");
    assert_string_equal(cell(t, "items", 3), "beer");
    assert_null(items->amounts);
    assert_int_equal(items->n_missing, 0);
    cairn_table_free(t);
}

static void test_basket__separator(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = NULL;
    cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
    options.separator = ',';
    options.format = "basket";
    const char *text = "whole milk, rye bread ,,\nsoda\n";
    assert_ok(ctx, cairn_table_read_memory(ctx, &t, "x", text, strlen(text), &options));
    const cairn_column *items = column_of(t, "items");
    assert_int_equal(items->names.n, 3);
    assert_string_equal(cairn_map_key(&items->names, 0), "whole milk");
    assert_string_equal(cairn_map_key(&items->names, 1), "rye bread");
    assert_int_equal(items->starts[2], 3);
    cairn_table_free(t);
}

/* Numbered items are put in the order of their numbers, whatever comes first. */
static void test_basket__numbers_are_ordered(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = read_text(ctx, "basket", "10 2\n1234567890 2 1\n007 0\n");
    const cairn_column *items = column_of(t, "items");
    assert_string_equal(cell(t, "items", 0), "2 10");
    assert_string_equal(cell(t, "items", 1), "1 2 1234567890");
    assert_string_equal(cell(t, "items", 2), "0 007");
    for (size_t i = 0; i < t->n_rows; i++)
        for (size_t k = items->starts[i] + 1; k < items->starts[i + 1]; k++)
            assert_true(items->items[k - 1] < items->items[k]);
    cairn_table_free(t);
}

static void test_basket__repeats_are_counted(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = read_text(ctx, "basket", "a b a a\nb\n");
    assert_string_equal(cell(t, "items", 0), "a:3 b");
    assert_int_equal(column_of(t, "items")->starts[2], 3);
    assert_written(ctx, t, "basket", "a a a b\nb\n");
    assert_round_trip(ctx, t, "basket");
    cairn_table_free(t);
}

/* Rows longer than the short sort, in falling order and with repeats. */
static void test_basket__long_rows(void **state)
{
    cairn_context *ctx = *state;
    cairn_text text = cairn_text_start(ctx);
    for (int i = 0; i < 1000; i++) cairn_text_addf(&text, "%d ", 1500 - i / 2 * 2);
    cairn_table *t = read_text(ctx, "basket", cairn_text_string(&text));
    const cairn_column *items = column_of(t, "items");
    assert_int_equal(items->starts[1], 500);
    for (size_t k = 0; k < 500; k++) {
        assert_int_equal(items->items[k], k);
        assert_true(items->amounts[k] == 2);
    }
    cairn_text_clear(&text);
    assert_round_trip(ctx, t, "basket");
    cairn_table_free(t);
}

static void test_basket__round_trip(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = read_text(ctx, "basket",
                               "\xEF\xBB\xBF"
                               "b a\n\n1 b\nc\xC3\xA9 2\n\n \n");
    assert_int_equal(t->n_rows, 4); /* blank lines at the end are no transactions */
    assert_round_trip(ctx, t, "basket");
    cairn_table_free(t);
}

static void test_basket__refuses(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = NULL;
    refuses(ctx, "basket", "", "empty");
    refuses(ctx, "basket", "\n \n", "not a single item");
    refuses(ctx, "basket", "a b\nc \xFF\n", "x, line 2: byte 0xFF is not UTF-8");
    assert_fails(ctx, read_bytes(ctx, &t, "basket", "a\nb\0c\n", 6), CAIRN_BAD_DATA,
                 "line 2: there is a zero byte");
}

static void test_basket__writer_refuses(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = read_text(ctx, "csv", "a,b\n1,x\n2,y\n");
    write_refused(ctx, t, "basket", "column 'a' (number)");
    cairn_table_free(t);
    t = read_text(ctx, "libsvm", "1 3:0.5\n");
    cairn_table_remove_column(t, 0);
    write_refused(ctx, t, "basket", "row 1, item '3': the amount 0.5");
    cairn_table_free(t);
    cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
    options.separator = ';';
    options.format = "basket";
    assert_ok(ctx, cairn_table_read_memory(ctx, &t, "x", "a b;c", 5, &options));
    write_refused(ctx, t, "basket", "item 'a b'");
    cairn_table_free(t);
}

static void test_basket__failing_allocations(void **state)
{
    (void)state;
    static const char text[] = "10 2 2\n3 milk\n1 4\n";
    survives("basket", text, sizeof text - 1, true);
    static const char numbers[] = "10 2 2\n3 1 5\n";
    survives("basket", numbers, sizeof numbers - 1, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_basket__blanks),
        context_test(test_basket__separator),
        context_test(test_basket__numbers_are_ordered),
        context_test(test_basket__repeats_are_counted),
        context_test(test_basket__long_rows),
        context_test(test_basket__round_trip),
        context_test(test_basket__refuses),
        context_test(test_basket__writer_refuses),
        cmocka_unit_test(test_basket__failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
