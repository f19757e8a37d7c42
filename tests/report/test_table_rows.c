/* SPDX-License-Identifier: MIT */
/* Rows of tables in one call: cells of every kind, the small language of their names, tables that
 * end without being told. */
#include "report/table_rows.h"
#include "data/ledger.h"
#include "data/table.h"
#include "report/samples.h"
#include "support/fail_alloc.h"
#include <math.h>
#include <string.h>

static double number_of(const cairn_report *report, const char *name)
{
    double number = -1;
    assert_true(cairn_report_number(report, name, &number));
    return number;
}

static void test_table_rows__a_row_is_what_its_cells_one_by_one_are(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *one = new_report(ctx), *other = new_report(ctx);
    const char *names[] = {"a.b", "c"};
    size_t count = 12;
    int32_t many = 7;
    cairn_report_table_of(one, "T", 0, "lrrrrl", "name", "count", "many", "x", "y", "word");
    cairn_report_table_of(other, "T", 0, "lrrrrl", "name", "count", "many", "x", "y", "word");
    for (size_t i = 0; i < 2; i++) {
        cairn_report_prefix(one, "p%zu", i + 5);
        cairn_report_cells(one, "- - many.$1 @.x:3 - row#.$1.$6", names[i], count, many, 2.0 / 3,
                           NAN, "yes");
        const char *key = cairn_report_key(other, names[i]);
        cairn_report_cell(other, names[i]);
        cairn_report_cellf(other, "%zu", count);
        cairn_report_cell_number(other, many, 0, "many.%s", key);
        cairn_report_cell_number(other, 2.0 / 3, 3, "p%zu.x", i + 5);
        cairn_report_cell_number(other, NAN, 0, NULL);
        cairn_report_cell_word(other, "yes", "row%zu.%s.yes", i + 1, key);
    }
    cairn_report_table_end(other);
    char *a = print(ctx, one, CAIRN_FORMAT_JSON, 80), *b = print(ctx, other, CAIRN_FORMAT_JSON, 80);
    assert_string_equal(a, b);
    assert_true(number_of(one, "many.a\\.b") == 7);
    assert_string_equal(cairn_report_string(one, "row2.c.yes"), "yes");
    cairn_string_free(a);
    cairn_string_free(b);
    cairn_report_free(one);
    cairn_report_free(other);
}

static void test_table_rows__a_row_of_numbers_is_named_by_heads_and_places(void **state)
{
    cairn_report *report = new_report(*state);
    double numbers[] = {1, 2, 3};
    cairn_report_table_of(report, NULL, 0, "lrrr", "", "x.y", "z", "sum");
    cairn_report_cells(report, "- $1.$0 total", "first", cairn_cell_row(numbers, 2), 3.0);
    cairn_report_cells(report, "- at$n", "second", cairn_cell_row(numbers, 3));
    assert_true(number_of(report, "first.x\\.y") == 1);
    assert_true(number_of(report, "first.z") == 2);
    assert_true(number_of(report, "total") == 3);
    assert_true(number_of(report, "at3") == 3);
    assert_int_equal(cairn_report_table_rows(report, 0), 2);
    cairn_report_free(report);
}

static void test_table_rows__cells_that_are_not_wanted_take_no_column(void **state)
{
    cairn_report *report = new_report(*state);
    double gone = 0;
    cairn_report_table_of(report, NULL, 0, "lr", "name", "kept");
    cairn_report_cells(report, "- gone kept", "a", cairn_cell_if(false, 1), cairn_cell_if(true, 2));
    assert_int_equal(cairn_report_table_rows(report, 0), 1);
    assert_false(cairn_report_number(report, "gone", &gone));
    assert_true(number_of(report, "kept") == 2);
    cairn_report_free(report);
}

static void test_table_rows__rows_beyond_the_limit_keep_their_names(void **state)
{
    cairn_report *report = new_report(*state);
    cairn_report_table_of(report, NULL, 3, "lr", "name", "value");
    for (size_t i = 0; i < 10; i++) cairn_report_cells(report, "- v#", "x", (double)i);
    assert_true(number_of(report, "v10") == 9);
    assert_int_equal(cairn_report_table_rows(report, 0), 10);
    cairn_report_free(report);
}

static void test_table_rows__the_prefix_is_that_of_the_table(void **state)
{
    cairn_report *report = new_report(*state);
    cairn_report_table_of(report, NULL, 0, "r", "value");
    cairn_report_prefix(report, "one.");
    cairn_report_cells(report, "@a", 1.0);
    cairn_report_table_of(report, NULL, 0, "r", "value");
    cairn_report_cells(report, "@a", 2.0);
    assert_true(number_of(report, "one.a") == 1);
    assert_true(number_of(report, "a") == 2);
    cairn_report_free(report);
}

/* What was begun and not filled is no row, whoever prints it. */
static void test_table_rows__half_a_row_at_the_end_is_not_shown(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report = new_report(ctx);
    cairn_report_table_of(report, NULL, 0, "ll", "a", "b");
    cairn_report_cells(report, NULL, "whole", "row");
    cairn_report_cells(report, NULL, "half");
    char *text = print(ctx, report, CAIRN_FORMAT_JSON, 80);
    assert_non_null(strstr(text, "whole"));
    assert_null(strstr(text, "half"));
    cairn_string_free(text);
    cairn_report_free(report);
}

static void test_table_rows__without_a_table_or_report_nothing_happens(void **state)
{
    cairn_report *report = new_report(*state);
    cairn_report_cells(NULL, "a b", 1.0, "x");
    cairn_report_prefix(NULL, "x");
    cairn_report_cells(report, "a b", 1.0, "x");
    assert_null(cairn_report_value_name(report, 0));
    assert_int_equal(cairn_report_status(report), CAIRN_OK);
    cairn_report_free(report);
}

static void test_table_rows__a_ledger_takes_the_same_cells(void **state)
{
    cairn_context *ctx = *state;
    cairn_ledger ledger = cairn_ledger_start(ctx);
    cairn_table *table = NULL;
    double numbers[] = {4, INFINITY};
    const char *none = NULL;
    cairn_ledger_columns(&ledger, "nlnn", "count", "word", "x", "y");
    cairn_ledger_cells(&ledger, (size_t)3, "w", cairn_cell_row(numbers, 2));
    cairn_ledger_cells(&ledger, 1, none, 0.5, 2.5);
    assert_ok(ctx, cairn_ledger_table(&ledger, &table));
    assert_int_equal(table->n_rows, 2);
    assert_true(table->slots[0].column->numbers[0] == 3 && table->slots[0].column->numbers[1] == 1);
    assert_int_equal(table->slots[1].column->codes[0], 0);
    assert_int_equal(table->slots[1].column->codes[1], -1);
    assert_true(table->slots[2].column->numbers[0] == 4);
    assert_true(isnan(table->slots[3].column->numbers[0]));
    cairn_table_free(table);
    cairn_ledger_clear(&ledger);
}

static cairn_status write_rows(cairn_context *ctx, void *data)
{
    OWNED(cairn_report_free) cairn_report *report = NULL;
    double numbers[] = {1, 2};
    (void)data;
    CHECK(cairn_report_new(ctx, &report));
    cairn_report_table_of(report, "T", 0, "lrr", "name", "x", "y");
    cairn_report_prefix(report, "a prefix of %d", 7);
    for (size_t i = 0; i < 40; i++)
        cairn_report_cells(report, "- @.$1.$0.#", "name", cairn_cell_row(numbers, 2));
    return cairn_report_status(report);
}

static void test_table_rows__survive_failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(write_rows, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_table_rows__a_row_is_what_its_cells_one_by_one_are),
        context_test(test_table_rows__a_row_of_numbers_is_named_by_heads_and_places),
        context_test(test_table_rows__cells_that_are_not_wanted_take_no_column),
        context_test(test_table_rows__rows_beyond_the_limit_keep_their_names),
        context_test(test_table_rows__the_prefix_is_that_of_the_table),
        context_test(test_table_rows__half_a_row_at_the_end_is_not_shown),
        context_test(test_table_rows__without_a_table_or_report_nothing_happens),
        context_test(test_table_rows__a_ledger_takes_the_same_cells),
        cmocka_unit_test(test_table_rows__survive_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
