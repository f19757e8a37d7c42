/* SPDX-License-Identifier: MIT */
/* Tables that are written row by row. */
#include "data/ledger.h"
#include "support/fail_alloc.h"
#include "support/unit.h"
#include <math.h>
#include <stdio.h>

static void assert_cell(const cairn_table *table, const char *column, size_t row, const char *cell)
{
    char text[64];
    ptrdiff_t i = cairn_table_find(table, column);
    if (i < 0) fail_msg("there is no column %s", column);
    cairn_table_cell(table, (size_t)i, row, text, sizeof text);
    assert_string_equal(text, cell);
}

/* Two writers with different columns, one of whose names is taken twice. */
static cairn_status write_two(cairn_context *ctx, cairn_table **out)
{
    SCOPED(cairn_ledger_clear) cairn_ledger ledger = cairn_ledger_start(ctx);
    size_t lead = cairn_ledger_lead(&ledger, "member", "1");
    cairn_ledger_columns(&ledger, "lnn", "term", "value", "value");
    cairn_ledger_word(&ledger, "x");
    cairn_ledger_number(&ledger, 2);
    cairn_ledger_number(&ledger, INFINITY);
    cairn_ledger_lead_cell(&ledger, lead, "2");
    cairn_ledger_columns(&ledger, "ntn", "value", "note", "member");
    cairn_ledger_number(&ledger, 3);
    cairn_ledger_wordf(&ledger, "n%d", 1);
    cairn_ledger_number(&ledger, 7);
    return cairn_ledger_table(&ledger, out);
}

static void test_ledger__joins_rows_of_different_columns(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *table;
    assert_ok(ctx, write_two(ctx, &table));
    assert_int_equal(cairn_table_rows(table), 2);
    assert_int_equal(cairn_table_columns(table), 6);
    assert_cell(table, "member", 0, "1");
    assert_cell(table, "member", 1, "2");
    assert_cell(table, "member_2", 1, "7");
    assert_cell(table, "term", 0, "x");
    assert_cell(table, "value", 0, "2");
    assert_cell(table, "value", 1, "3");
    assert_cell(table, "note", 1, "n1");
    assert_true(isnan(cairn_table_numbers(table, 3)[0])); /* infinite is missing */
    assert_int_equal(cairn_table_codes(table, 1)[1], -1);
    cairn_table_free(table);
}

static void test_ledger__a_table_may_have_no_rows(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *table;
    cairn_ledger ledger = cairn_ledger_start(ctx);
    cairn_ledger_columns(&ledger, "nlt", "a", "b", "");
    assert_ok(ctx, cairn_ledger_table(&ledger, &table));
    assert_int_equal(cairn_table_rows(table), 0);
    assert_int_equal(cairn_table_columns(table), 3);
    assert_non_null(cairn_table_numbers(table, 0));
    assert_string_equal(cairn_table_name(table, 2), "column");
    cairn_table_free(table);
}

static void test_ledger__many_columns(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *table;
    cairn_ledger ledger = cairn_ledger_start(ctx);
    enum { N = 20000 };
    char name[16];
    cairn_ledger_begin(&ledger);
    for (size_t i = 0; i < N; i++) {
        snprintf(name, sizeof name, "x%zu", i);
        cairn_ledger_column(&ledger, CAIRN_NUMBER, name);
    }
    for (size_t i = 0; i < 2 * N; i++) cairn_ledger_number(&ledger, (double)i);
    assert_ok(ctx, cairn_ledger_table(&ledger, &table));
    assert_int_equal(cairn_table_rows(table), 2);
    assert_true(cairn_table_numbers(table, N - 1)[1] == 2 * N - 1);
    cairn_table_free(table);
}

static cairn_status write_and_free(cairn_context *ctx, void *data)
{
    cairn_table *table = NULL;
    (void)data;
    cairn_status status = write_two(ctx, &table);
    cairn_table_free(table);
    return status;
}

static void test_ledger__every_allocation_may_fail(void **state)
{
    (void)state;
    assert_survives_allocation_failures(write_and_free, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_ledger__joins_rows_of_different_columns),
        context_test(test_ledger__a_table_may_have_no_rows),
        context_test(test_ledger__many_columns),
        cmocka_unit_test(test_ledger__every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
