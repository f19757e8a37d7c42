/* SPDX-License-Identifier: MIT */
#include "base/memory.h"
#include "cairn/columns.h"
#include "data/column.h"
#include "data/table.h"
#include "support/fail_alloc.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static cairn_table *small_table(cairn_context *ctx)
{
    cairn_table *t;
    const double numbers[] = {1, NAN, 2.5};
    const int32_t codes[] = {1, -1, 0};
    const char *levels[] = {"no", "yes"};
    const char *texts[] = {"two words", NULL, "x"};
    assert_ok(ctx, cairn_table_new(ctx, &t, 3));
    assert_ok(ctx, cairn_table_add_numbers(ctx, t, "n", numbers));
    assert_ok(ctx, cairn_table_add_levels(ctx, t, "l", codes, levels, 2));
    assert_ok(ctx, cairn_table_add_texts(ctx, t, "t", texts));
    return t;
}

static void test_table__columns_are_found_and_read(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = small_table(ctx);
    char text[20];
    assert_int_equal(cairn_table_columns(t), 3);
    assert_int_equal(cairn_table_find(t, "l"), 1);
    assert_int_equal(cairn_table_find(t, "m"), -1);
    assert_int_equal(cairn_table_kind(t, 2), CAIRN_TEXT);
    assert_null(cairn_table_numbers(t, 1));
    assert_null(cairn_table_codes(t, 0));
    assert_null(cairn_table_name(t, 3));
    assert_string_equal(cairn_table_level(t, 1, 1), "yes");
    assert_null(cairn_table_level(t, 1, 2));
    assert_int_equal(cairn_table_cell(t, 2, 0, text, 4), 9);
    assert_string_equal(text, "two");
    assert_int_equal(cairn_table_cell(t, 0, 1, text, sizeof text), 1);
    assert_string_equal(text, "?");
    assert_int_equal(cairn_table_cell(t, 0, 2, text, sizeof text), 3);
    assert_string_equal(text, "2.5");
    assert_int_equal(cairn_table_cell(t, 9, 0, text, sizeof text), 0);
    for (size_t i = 0; i < 3; i++) assert_int_equal(t->slots[i].column->n_missing, 1);
    assert_true(cairn_table_bytes(t) > 3 * (8 + 4 + 8));
    cairn_table_free(t);
    cairn_table_free(NULL);
}

static void test_table__names_are_unique_and_codes_in_range(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = small_table(ctx);
    const double numbers[3] = {0};
    const int32_t codes[] = {0, 2, 0};
    const char *levels[] = {"a", "a"};
    assert_fails(ctx, cairn_table_add_numbers(ctx, t, "n", numbers), CAIRN_BAD_DATA, "'n'");
    assert_fails(ctx, cairn_table_add_levels(ctx, t, "m", codes, levels, 1), CAIRN_BAD_DATA,
                 "row 2");
    assert_fails(ctx, cairn_table_add_levels(ctx, t, "m", codes, levels, 2), CAIRN_BAD_DATA,
                 "twice");
    assert_int_equal(cairn_table_columns(t), 3);
    cairn_table_free(t);
}

static void test_table__roles(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = small_table(ctx);
    assert_int_equal(cairn_table_role(t, 0), CAIRN_FEATURE);
    assert_ok(ctx, cairn_table_set_roles(ctx, t, "n, t", CAIRN_IGNORED));
    assert_ok(ctx, cairn_table_set_role(ctx, t, "l", CAIRN_TARGET));
    assert_int_equal(cairn_table_role_count(t, CAIRN_IGNORED), 2);
    assert_int_equal(cairn_table_role_column(t, CAIRN_TARGET), 1);
    assert_int_equal(cairn_table_role_column(t, CAIRN_WEIGHT), -1);
    assert_string_equal(cairn_role_name(CAIRN_TARGET), "target");
    assert_fails(ctx, cairn_table_set_roles(ctx, t, "n,q", CAIRN_ID), CAIRN_USAGE,
                 "there is no column 'q' in the table; it has n, l, t");
    cairn_table_free(t);
}

static void test_table__sharing_and_rows(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = small_table(ctx), *shared, *taken;
    const uint32_t rows[] = {2, 0, 2};
    char text[20];
    assert_ok(ctx, cairn_table_share(ctx, &shared, t));
    assert_ptr_equal(shared->slots[0].column, t->slots[0].column);
    assert_int_equal(t->slots[0].column->holders, 2);
    assert_true(cairn_table_hash(shared) == cairn_table_hash(t));
    assert_ok(ctx, cairn_table_take_rows(ctx, &taken, t, rows, 3));
    cairn_table_free(t);
    cairn_table_remove_column(shared, 0);
    assert_int_equal(cairn_table_columns(shared), 2);
    assert_int_equal(cairn_table_find(shared, "t"), 1);
    cairn_table_free(shared);
    assert_true(cairn_table_numbers(taken, 0)[0] == 2.5);
    assert_int_equal(cairn_table_codes(taken, 1)[1], 1);
    cairn_table_cell(taken, 2, 1, text, sizeof text);
    assert_string_equal(text, "two words");
    assert_int_equal(taken->slots[2].column->n_missing, 0);
    cairn_table_free(taken);
}

static void test_table__hash_sees_every_change(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = small_table(ctx);
    uint64_t hash = cairn_table_hash(t);
    t->slots[0].column->numbers[0] = 1.5;
    assert_true(cairn_table_hash(t) != hash);
    t->slots[0].column->numbers[0] = 1;
    assert_true(cairn_table_hash(t) == hash);
    t->slots[1].column->codes[2] = 1;
    assert_true(cairn_table_hash(t) != hash);
    cairn_table_free(t);
}

/* -- kinds -- */

static void test_kinds__numbers_levels_texts_and_back(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t;
    const double numbers[] = {10, 9, NAN, 10.5, 9};
    assert_ok(ctx, cairn_table_new(ctx, &t, 5));
    assert_ok(ctx, cairn_table_add_numbers(ctx, t, "x", numbers));
    const cairn_kind way[] = {CAIRN_LEVEL,  CAIRN_TEXT, CAIRN_LEVEL, CAIRN_NUMBER, CAIRN_TEXT,
                              CAIRN_NUMBER, CAIRN_TIME, CAIRN_TEXT,  CAIRN_TIME,   CAIRN_NUMBER};
    for (size_t i = 0; i < sizeof way / sizeof *way; i++) {
        assert_ok(ctx, cairn_table_change_kind(ctx, t, 0, way[i]));
        assert_int_equal(cairn_table_kind(t, 0), way[i]);
        assert_int_equal(t->slots[0].column->n_missing, 1);
        if (way[i] != CAIRN_LEVEL) continue;
        assert_string_equal(cairn_table_level(t, 0, 0), "9"); /* ascending */
        assert_string_equal(cairn_table_level(t, 0, 2), "10.5");
        assert_int_equal(cairn_table_codes(t, 0)[0], 1);
    }
    for (size_t i = 0; i < 5; i++)
        assert_true(i == 2 ? isnan(cairn_table_numbers(t, 0)[i])
                           : cairn_table_numbers(t, 0)[i] == numbers[i]);
    cairn_table_free(t);
}

static void test_kinds__bags_and_sequences(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t;
    char text[40];
    const char *texts[] = {"b a  b", NULL, " "};
    assert_ok(ctx, cairn_table_new(ctx, &t, 3));
    assert_ok(ctx, cairn_table_add_texts(ctx, t, "s", texts));
    assert_ok(ctx, cairn_table_add_texts(ctx, t, "b", texts));
    assert_ok(ctx, cairn_table_apply_kinds(ctx, t, "s=sequence,b=bag", NULL));
    cairn_table_cell(t, 0, 0, text, sizeof text);
    assert_string_equal(text, "b a b");
    cairn_table_cell(t, 1, 0, text, sizeof text);
    assert_string_equal(text, "b:2 a");
    assert_int_equal(t->slots[1].column->starts[3], 2);
    assert_true(cairn_column_is_missing(t->slots[0].column, 1));
    assert_false(cairn_column_is_missing(t->slots[0].column, 2));
    const uint32_t rows[] = {2, 0};
    cairn_table *taken;
    assert_ok(ctx, cairn_table_take_rows(ctx, &taken, t, rows, 2));
    cairn_table_cell(taken, 1, 1, text, sizeof text);
    assert_string_equal(text, "b:2 a");
    cairn_table_free(taken);
    assert_ok(ctx, cairn_table_change_kind(ctx, t, 0, CAIRN_LEVEL));
    assert_string_equal(cairn_table_level(t, 0, 0), "b a b");
    cairn_table_free(t);
}

static void test_table__times(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t;
    char text[40];
    const double seconds[] = {0, NAN, 90061};
    assert_ok(ctx, cairn_table_new(ctx, &t, 3));
    assert_ok(ctx, cairn_table_add_times(ctx, t, "t", seconds));
    assert_int_equal(cairn_table_kind(t, 0), CAIRN_TIME);
    cairn_table_cell(t, 0, 0, text, sizeof text);
    assert_string_equal(text, "1970-01-01 00:00:00");
    cairn_table_cell(t, 0, 2, text, sizeof text);
    assert_string_equal(text, "1970-01-02 01:01:01");
    assert_int_equal(t->slots[0].column->n_missing, 1);
    cairn_table_free(t);
}

static void test_kinds__times_by_pattern(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t, *taken;
    char text[40];
    const uint32_t rows[] = {2, 0};
    const double digits[] = {20261115, NAN, 20240229};
    const char *texts[] = {"15.11.2026 8:30", NULL, "29.02.2024 12:00"};
    assert_ok(ctx, cairn_table_new(ctx, &t, 3));
    assert_ok(ctx, cairn_table_add_numbers(ctx, t, "n", digits));
    assert_ok(ctx, cairn_table_add_texts(ctx, t, "s", texts));
    assert_ok(ctx, cairn_table_apply_kinds(ctx, t, "n=time(%Y%m%d)", NULL));
    assert_ok(ctx, cairn_table_apply_kinds(ctx, t, "s=time", "%d.%m.%Y %H:%M"));
    assert_true(cairn_table_numbers(t, 0)[0] == 1794700800);
    assert_true(cairn_table_numbers(t, 1)[0] == 1794700800 + 8.5 * 3600);
    cairn_table_cell(t, 0, 2, text, sizeof text);
    assert_string_equal(text, "20240229");
    assert_ok(ctx, cairn_table_take_rows(ctx, &taken, t, rows, 2));
    cairn_table_cell(taken, 1, 1, text, sizeof text);
    assert_string_equal(text, "15.11.2026 08:30");
    assert_int_equal(t->slots[1].column->n_missing, 1);
    assert_ok(ctx, cairn_table_change_kind(ctx, taken, 1, CAIRN_LEVEL));
    assert_string_equal(cairn_table_level(taken, 1, 1), "15.11.2026 08:30");
    cairn_table_free(taken);
    assert_fails(ctx, cairn_table_apply_kinds(ctx, t, "s=text(%d)", NULL), CAIRN_USAGE,
                 "time(PATTERN)");
    assert_fails(ctx, cairn_table_apply_kinds(ctx, t, "s=time(%K)", NULL), CAIRN_USAGE, "%K");
    assert_fails(ctx, cairn_table_apply_kinds(ctx, t, "s=level,s=time", NULL), CAIRN_BAD_DATA,
                 "column 's', row 1: '15.11.2026 08:30' is not a time: it is not written like");
    cairn_table_free(t);
}

static void test_kinds__a_cell_that_does_not_fit(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = small_table(ctx);
    assert_fails(ctx, cairn_table_change_kind(ctx, t, 2, CAIRN_NUMBER), CAIRN_BAD_DATA,
                 "column 't', row 1: 'two words' is not a number");
    assert_fails(ctx, cairn_table_apply_kinds(ctx, t, "t", NULL), CAIRN_USAGE, "COLUMN=KIND");
    assert_int_equal(cairn_table_kind(t, 2), CAIRN_TEXT);
    assert_string_equal(cairn_kind_name(CAIRN_SEQUENCE), "sequence");
    assert_string_equal(cairn_level_name(t->slots[1].column, -1), "?");
    assert_string_equal(cairn_level_name(t->slots[1].column, 0), "no");
    cairn_table_free(t);
}

static cairn_status work_with_tables(cairn_context *ctx, void *data)
{
    (void)data;
    cairn_status status;
    cairn_table *t = NULL, *shared = NULL, *taken = NULL;
    const double numbers[] = {1, NAN, 2.5};
    const int32_t codes[] = {1, -1, 0};
    const char *levels[] = {"no", "yes"}, *texts[] = {"two words", NULL, "x"};
    const uint32_t rows[] = {2, 0};
    TRY(cairn_table_new(ctx, &t, 3));
    TRY(cairn_table_add_numbers(ctx, t, "n", numbers));
    TRY(cairn_table_add_levels(ctx, t, "l", codes, levels, 2));
    TRY(cairn_table_add_texts(ctx, t, "t", texts));
    TRY(cairn_table_share(ctx, &shared, t));
    TRY(cairn_table_apply_kinds(ctx, shared, "n=level,l=text,t=bag", NULL));
    TRY(cairn_table_take_rows(ctx, &taken, shared, rows, 2));
    TRY(cairn_table_change_kind(ctx, taken, 2, CAIRN_SEQUENCE));
    TRY(cairn_table_set_roles(ctx, taken, "n,l", CAIRN_ID));
done:
    cairn_table_free(t);
    cairn_table_free(shared);
    cairn_table_free(taken);
    return status;
}

/* Equal names are numbered from 2 without a gap, and a number that somebody else has is passed
   over; forty thousand of them are no more work than as many others. */
static void test_column__equal_names_are_numbered(void **state)
{
    cairn_context *ctx = *state;
    cairn_map names = {0};
    char expected[32];
    enum { EQUAL = 40000 };
    assert_ok(ctx, cairn_name_column(ctx, &names, "b_3", 3, "x.csv"));
    for (int i = 0; i < EQUAL; i++) assert_ok(ctx, cairn_name_column(ctx, &names, "a", 1, "x.csv"));
    assert_string_equal(cairn_map_key(&names, 1), "a");
    for (int i = 2; i <= EQUAL; i++) {
        snprintf(expected, sizeof expected, "a_%d", i);
        assert_string_equal(cairn_map_key(&names, (size_t)i), expected);
    }
    for (int i = 0; i < 3; i++) assert_ok(ctx, cairn_name_column(ctx, &names, "b", 1, "x.csv"));
    assert_string_equal(cairn_map_key(&names, EQUAL + 2), "b_2");
    assert_string_equal(cairn_map_key(&names, EQUAL + 3), "b_4");
    cairn_map_clear(&names);
}

/* Into a file or a database, of a number, a bag or a series: refused by the place, before anything
 * is opened. */
static void test_table__computed_infinities_are_not_written(void **state)
{
    cairn_context *ctx = *state;
    const double amounts[] = {1, 2, 3, 4};
    const size_t starts[] = {0, 1, 1, 4};
    const int32_t items[] = {0, 0, 1, 2};
    const char *names[] = {"a", "b", "c"};
    for (int kind = 0; kind < 3; kind++) {
        cairn_table *t;
        const char *path = kind ? "/tmp/cairn-not-written.ndjson" : "sqlite:/tmp/no.db?table=t";
        assert_ok(ctx, cairn_table_new(ctx, &t, 3));
        if (kind == 0) assert_ok(ctx, cairn_table_add_numbers(ctx, t, "x", amounts));
        if (kind == 1)
            assert_ok(ctx,
                      cairn_table_add_bags(ctx, t, "x", starts, items, amounts, names, 3, NULL));
        if (kind == 2) assert_ok(ctx, cairn_table_add_series(ctx, t, "x", starts, amounts, NULL));
        cairn_column *column = t->slots[0].column;
        (column->numbers ? column->numbers : column->amounts)[kind ? 3 : 2] = -INFINITY;
        assert_fails(ctx, cairn_table_write(ctx, t, path, NULL), CAIRN_BAD_DATA,
                     "column 'x', row 3, is -inf");
        assert_int_equal(strncmp(cairn_message(ctx), path, strlen(path)), 0);
        assert_int_equal(access(path, F_OK), -1);
        cairn_table_free(t);
    }
}

static void test_table__allocation_failures(void **state)
{
    (void)state;
    assert_survives_allocation_failures(work_with_tables, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_table__columns_are_found_and_read),
        context_test(test_table__names_are_unique_and_codes_in_range),
        context_test(test_table__roles),
        context_test(test_table__sharing_and_rows),
        context_test(test_table__hash_sees_every_change),
        context_test(test_column__equal_names_are_numbered),
        context_test(test_kinds__numbers_levels_texts_and_back),
        context_test(test_kinds__bags_and_sequences),
        context_test(test_table__times),
        context_test(test_kinds__times_by_pattern),
        context_test(test_kinds__a_cell_that_does_not_fit),
        context_test(test_table__computed_infinities_are_not_written),
        cmocka_unit_test(test_table__allocation_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
