/* SPDX-License-Identifier: MIT */
/* Tables of the caller's memory: lent and copied columns, getters, names, and changes of shape. */
#include "cairn/cairn.h"
#include "data/table.h"
#include "support/fail_alloc.h"
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* Memory that is lent counts how often it came back. */
static void count_release(void *owner)
{
    ++*(int *)owner;
}

static cairn_table *new_table(cairn_context *ctx, size_t n_rows)
{
    cairn_table *table = NULL;
    assert_ok(ctx, cairn_table_new(ctx, &table, n_rows));
    return table;
}

/* -- matrices -- */

static void assert_column(const cairn_table *t, const char *name, const double *wanted)
{
    ptrdiff_t at = cairn_table_find(t, name);
    assert_true(at >= 0);
    const double *numbers = cairn_table_numbers(t, (size_t)at);
    for (size_t i = 0; i < cairn_table_rows(t); i++)
        if (!(isnan(wanted[i]) ? isnan(numbers[i]) : numbers[i] == wanted[i]))
            fail_msg("column %s, row %zu: %g, not %g", name, i, numbers[i], wanted[i]);
}

static void test_matrix__every_layout_gives_the_same_table(void **state)
{
    cairn_context *ctx = *state;
    const double rows[6] = {1, 2, NAN, 4, 5, 6}, columns[6] = {1, NAN, 5, 2, 4, 6};
    const float floats[6] = {1, 2, NAN, 4, 5, 6};
    const double reversed[6] = {6, 5, 4, NAN, 2, 1};
    const size_t d = sizeof(double);
    const cairn_matrix matrices[] = {
        CAIRN_MATRIX_ROWS(rows, 3, 2),
        CAIRN_MATRIX_COLUMNS(columns, 3, 2),
        {sizeof(cairn_matrix), floats, CAIRN_FLOAT32, 3, 2, 2 * sizeof(float), sizeof(float)},
        {sizeof(cairn_matrix), reversed + 5, CAIRN_FLOAT64, 3, 2, -(ptrdiff_t)(2 * d),
         -(ptrdiff_t)d},
    };
    const char *names[] = {"a", "b"};
    for (size_t m = 0; m < sizeof matrices / sizeof *matrices; m++)
        for (int lend = 0; lend < 2; lend++) {
            cairn_table *t = NULL;
            int released = 0;
            if (lend)
                assert_ok(ctx, cairn_table_lend_matrix(ctx, &t, &matrices[m], names, count_release,
                                                       &released));
            else
                assert_ok(ctx, cairn_table_from_matrix(ctx, &t, &matrices[m], names));
            assert_int_equal(released, lend && m != 1); /* only the second lies by columns */
            if (lend && m == 1) assert_ptr_equal(cairn_table_numbers(t, 1), columns + 3);
            assert_column(t, "a", (double[]){1, NAN, 5});
            assert_column(t, "b", (double[]){2, 4, 6});
            assert_int_equal(cairn_table_missing_count(t, 0), 1);
            assert_int_equal(cairn_table_missing_count(t, 1), 0);
            cairn_table_free(t);
            assert_int_equal(released, lend);
        }
}

/* Parts of rows and of columns are joined: more of both than one part has. */
static void test_matrix__large_ones_in_both_orders(void **state)
{
    cairn_context *ctx = *state;
    enum { N = 70001, D = 11 };
    double *by_row = malloc(sizeof(double) * N * D), *by_column = malloc(sizeof(double) * N * D);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < D; j++)
            by_row[i * D + j] = by_column[j * N + i] = (i * 7 + j) % 13 ? (double)(i * D + j) : NAN;
    const cairn_matrix rows = CAIRN_MATRIX_ROWS(by_row, N, D);
    const cairn_matrix columns = CAIRN_MATRIX_COLUMNS(by_column, N, D);
    cairn_table *a, *b;
    assert_ok(ctx, cairn_table_from_matrix(ctx, &a, &rows, NULL));
    assert_ok(ctx, cairn_table_from_matrix(ctx, &b, &columns, NULL));
    assert_string_equal(cairn_table_name(a, 0), "x1");
    assert_string_equal(cairn_table_name(a, D - 1), "x11");
    assert_true(cairn_table_hash(a) == cairn_table_hash(b));
    for (size_t j = 0; j < D; j++) {
        size_t missing = 0;
        for (size_t i = 0; i < N; i++) missing += (i * 7 + j) % 13 == 0;
        assert_int_equal(cairn_table_missing_count(a, j), missing);
        assert_int_equal(cairn_table_missing_count(b, j), missing);
        assert_memory_equal(cairn_table_numbers(a, j), by_column + j * N, N * sizeof(double));
    }
    cairn_table_free(a);
    cairn_table_free(b);
    by_row[(N - 1) * D + 3] = -INFINITY;
    assert_fails(ctx, cairn_table_from_matrix(ctx, &a, &rows, NULL), CAIRN_BAD_DATA,
                 "column 'x4', row 70001: the number is -inf");
    free(by_row);
    free(by_column);
}

static void test_matrix__bad_ones_are_refused_and_released(void **state)
{
    cairn_context *ctx = *state;
    const double numbers[4] = {1, 2, INFINITY, 4};
    const char *twice[] = {"a", "a"};
    cairn_matrix m = CAIRN_MATRIX_COLUMNS(numbers, 2, 2);
    cairn_table *t = NULL;
    int released = 0;
    assert_fails(ctx, cairn_table_lend_matrix(ctx, &t, &m, NULL, count_release, &released),
                 CAIRN_BAD_DATA, "column 'x2', row 1: the number is inf");
    assert_fails(ctx, cairn_table_lend_matrix(ctx, &t, &m, twice, count_release, &released),
                 CAIRN_BAD_DATA, "already has a column 'a'");
    m.type = (cairn_number_type)7;
    assert_fails(ctx, cairn_table_lend_matrix(ctx, &t, &m, NULL, count_release, &released),
                 CAIRN_USAGE, "type 7");
    assert_int_equal(released, 3);
    m.type = CAIRN_FLOAT64;
    m.data = NULL;
    assert_fails(ctx, cairn_table_from_matrix(ctx, &t, &m, NULL), CAIRN_USAGE, "NULL");
    m.size = 0;
    assert_fails(ctx, cairn_table_from_matrix(ctx, &t, &m, NULL), CAIRN_USAGE, "cairn_matrix");
    assert_fails(ctx, cairn_table_from_matrix(ctx, &t, NULL, NULL), CAIRN_USAGE, "no matrix");
    m = (cairn_matrix)CAIRN_MATRIX_ROWS(NULL, 0, 2);
    assert_ok(ctx, cairn_table_from_matrix(ctx, &t, &m, NULL));
    assert_int_equal(cairn_table_columns(t), 2);
    assert_int_equal(cairn_table_rows(t), 0);
    cairn_table_free(t);
}

/* -- lending -- */

static void test_lent__goes_back_once_when_the_last_user_goes(void **state)
{
    cairn_context *ctx = *state;
    const double numbers[] = {1, NAN, 3};
    const int32_t codes[] = {1, 0, -1};
    const char *levels[] = {"no", "yes"};
    int numbers_back = 0, codes_back = 0;
    cairn_table *t = new_table(ctx, 3), *copy, *taken;
    assert_ok(ctx, cairn_table_lend_numbers(ctx, t, "n", numbers, count_release, &numbers_back));
    assert_ok(ctx,
              cairn_table_lend_codes(ctx, t, "c", codes, levels, 2, count_release, &codes_back));
    assert_ok(ctx, cairn_table_lend_numbers(ctx, t, "for ever", numbers, NULL, NULL));
    assert_ptr_equal(cairn_table_numbers(t, 0), numbers);
    assert_ptr_equal(cairn_table_codes(t, 1), codes);
    assert_int_equal(cairn_table_missing_count(t, 0), 1);
    assert_int_equal(cairn_table_missing_count(t, 1), 1);
    assert_ok(ctx, cairn_table_copy(ctx, &copy, t));
    assert_ok(ctx, cairn_table_take(ctx, &taken, t, (size_t[]){2, 2, 0, 1}, 4));
    cairn_table_free(t);
    assert_int_equal(numbers_back, 0);
    assert_ok(ctx, cairn_table_drop(ctx, copy, "n"));
    assert_int_equal(numbers_back, 1);
    assert_int_equal(codes_back, 0);
    cairn_table_free(copy);
    assert_int_equal(codes_back, 1);
    assert_column(taken, "n", (double[]){3, 3, 1, NAN});
    cairn_table_free(taken);
    assert_int_equal(numbers_back, 1);
}

static void test_lent__goes_back_when_it_is_refused(void **state)
{
    cairn_context *ctx = *state;
    const double numbers[] = {1, 2, -INFINITY};
    const int32_t high[] = {0, 2, 0}, low[] = {0, 0, -2};
    const char *levels[] = {"no", "yes"};
    int back = 0;
    cairn_table *t = new_table(ctx, 3);
    assert_fails(ctx, cairn_table_lend_numbers(ctx, t, "n", numbers, count_release, &back),
                 CAIRN_BAD_DATA, "column 'n', row 3: the number is -inf");
    assert_fails(ctx, cairn_table_lend_numbers(ctx, t, "", numbers, count_release, &back),
                 CAIRN_BAD_DATA, "empty");
    assert_fails(ctx, cairn_table_lend_codes(ctx, t, "c", high, levels, 2, count_release, &back),
                 CAIRN_BAD_DATA, "column 'c', row 2: code 2, but there are 2 levels");
    assert_fails(ctx, cairn_table_lend_codes(ctx, t, "c", low, levels, 2, count_release, &back),
                 CAIRN_BAD_DATA, "row 3: code -2");
    assert_int_equal(back, 4);
    assert_int_equal(cairn_table_columns(t), 0);
    cairn_table_free(t);
}

/* Learners get a matrix in memory that cannot be written to. */
static void test_lent__is_never_written(void **state)
{
    cairn_context *ctx = *state;
    static const char *const learners[] = {"tree",   "forest:trees=3", "linear",       "knn",
                                           "kmeans", "boost:rounds=3", "naive-bayes",  "logistic",
                                           "pca",    "network",        "discriminant", "svm"};
    enum { N = 512, D = 3 };
    double *numbers = mmap(NULL, N * D * sizeof *numbers, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int32_t *codes =
        mmap(NULL, N * sizeof *codes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(numbers != MAP_FAILED && codes != MAP_FAILED);
    for (size_t i = 0; i < N; i++) {
        for (size_t j = 0; j < D; j++) numbers[j * N + i] = (double)((i * (j + 3)) % 17);
        codes[i] = numbers[i] > 8;
    }
    assert_int_equal(mprotect(numbers, N * D * sizeof *numbers, PROT_READ), 0);
    assert_int_equal(mprotect(codes, N * sizeof *codes, PROT_READ), 0);
    const cairn_matrix m = CAIRN_MATRIX_COLUMNS(numbers, N, D);
    cairn_table *t;
    assert_ok(ctx, cairn_table_lend_matrix(ctx, &t, &m, NULL, NULL, NULL));
    assert_ok(ctx, cairn_table_lend_codes(ctx, t, "class", codes, (const char *[]){"no", "yes"}, 2,
                                          NULL, NULL));
    assert_ok(ctx, cairn_table_set_role(ctx, t, "class", CAIRN_TARGET));
    size_t fitted = 0;
    for (size_t l = 0; l < sizeof learners / sizeof *learners; l++) {
        cairn_params *params = NULL;
        cairn_model *model = NULL;
        cairn_table *answers = NULL;
        if (!cairn_params_new(ctx, &params, learners[l]) &&
            !cairn_model_fit(ctx, &model, params, t, NULL)) {
            fitted++;
            assert_ok(ctx, cairn_model_predict(ctx, &answers, model, t, true));
        }
        cairn_table_free(answers);
        cairn_model_free(model);
        cairn_params_free(params);
    }
    assert_true(fitted >= 8);
    cairn_table_free(t);
    munmap(numbers, N * D * sizeof *numbers);
    munmap(codes, N * sizeof *codes);
}

/* -- every kind -- */

static const size_t bag_starts[] = {2, 5, 5, 5, 7};
static const int32_t bag_items[] = {9, 9, 2, 0, 2, 1, 0};
static const double bag_values[] = {9, 9, 1, 2.5, 4, 0, 3};
static const char *const item_names[] = {"10", "9", "milk"};

static cairn_status add_all_kinds(cairn_context *ctx, cairn_table *t)
{
    static const double times[] = {0, 86400, NAN, 3600};
    static const int32_t codes[] = {2, -1, 0, 0};
    static const char *const sizes[] = {"low", "middle", "high"};
    static const char *const texts[] = {"ab\0cd", "", NULL, "xyz"};
    static const size_t lengths[] = {5, 0, 0, 2};
    static const bool missing[] = {false, false, true, false};
    static const double numbers[] = {1, NAN, 3};
    static const int32_t steps[] = {1, -1, 1};
    static const size_t starts[] = {0, 2, 2, 2, 3};
    CHECK(cairn_table_add_times(ctx, t, "time", times));
    CHECK(cairn_table_add_ordered(ctx, t, "size", codes, sizes, 3));
    CHECK(cairn_table_add_texts_sized(ctx, t, "text", texts, lengths));
    CHECK(cairn_table_add_bags(ctx, t, "bag", bag_starts, bag_items, bag_values, item_names, 3,
                               missing));
    CHECK(cairn_table_add_sequences(ctx, t, "steps", starts, steps, item_names, 3, NULL));
    return cairn_table_add_series(ctx, t, "curve", starts, numbers, missing);
}

static void test_getters__read_what_was_added(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = new_table(ctx, 4);
    size_t n;
    const double *values;
    assert_ok(ctx, add_all_kinds(ctx, t));
    assert_true(cairn_table_times(t, 0)[1] == 86400);
    assert_null(cairn_table_times(t, 1));
    assert_true(cairn_table_is_missing(t, 0, 2));
    assert_false(cairn_table_is_missing(t, 0, 3));
    assert_true(cairn_table_is_missing(t, 0, 4));
    assert_true(cairn_table_is_missing(t, 9, 0));

    assert_true(cairn_table_is_ordered(t, 1));
    assert_true(cairn_table_is_declared(t, 1));
    assert_false(cairn_table_is_ordered(t, 0));
    assert_int_equal(cairn_table_level_count(t, 1), 3);
    assert_int_equal(cairn_table_code(t, 1, "middleman", 6), 1);
    assert_int_equal(cairn_table_code(t, 1, "mid", 3), -1);
    assert_int_equal(cairn_table_missing_count(t, 1), 1);

    assert_memory_equal(cairn_table_text(t, 2, 0, &n), "ab\0cd", 5);
    assert_int_equal(n, 5);
    assert_non_null(cairn_table_text(t, 2, 1, &n));
    assert_int_equal(n, 0);
    assert_null(cairn_table_text(t, 2, 2, &n));
    assert_memory_equal(cairn_table_text(t, 2, 3, &n), "xy", 2);
    assert_int_equal(n, 2);
    assert_null(cairn_table_text(t, 1, 0, &n));
    assert_null(cairn_table_text(t, 2, 4, &n));
    assert_int_equal(n, 0);

    const int32_t *items = cairn_table_items(t, 3, 0, &n, &values); /* in order and added up */
    assert_int_equal(n, 2);
    assert_int_equal(items[0], 0);
    assert_int_equal(items[1], 2);
    assert_true(values[0] == 2.5 && values[1] == 5);
    assert_null(cairn_table_items(t, 3, 2, &n, &values));
    items = cairn_table_items(t, 3, 3, &n, &values); /* without the one of which there is none */
    assert_int_equal(n, 1);
    assert_true(items[0] == 0 && values[0] == 3);
    assert_int_equal(cairn_table_item_count(t, 3), 3);
    assert_string_equal(cairn_table_item(t, 3, 0), "10");
    assert_null(cairn_table_item(t, 3, 3));
    assert_int_equal(cairn_table_starts(t, 3)[4], 3);
    assert_null(cairn_table_starts(t, 0));

    items = cairn_table_items(t, 4, 0, &n, NULL);
    assert_int_equal(n, 2);
    assert_true(items[0] == 1 && items[1] == -1);
    assert_int_equal(cairn_table_missing_count(t, 4), 0);

    values = cairn_table_series(t, 5, 0, &n);
    assert_int_equal(n, 2);
    assert_true(values[0] == 1 && isnan(values[1]));
    assert_null(cairn_table_series(t, 5, 2, &n));
    assert_non_null(cairn_table_series(t, 5, 1, &n));
    assert_int_equal(n, 0);
    assert_null(cairn_table_series(t, 4, 0, &n));
    cairn_table_free(t);
}

static void test_door__bad_runs_and_texts(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = new_table(ctx, 2);
    const size_t starts[] = {0, 1, 2}, back[] = {0, 2, 1};
    const int32_t items[] = {0, 1}, unknown[] = {0, -1};
    const double numbers[] = {1, NAN}, infinite[] = {1, INFINITY};
    const char *const names[] = {"a", "b"}, *const bad[] = {"a", "\xff"};
    const bool missing[] = {true, false};
    assert_fails(ctx, cairn_table_add_bags(ctx, t, "b", back, items, NULL, names, 2, NULL),
                 CAIRN_BAD_DATA, "column 'b', row 2: it starts at 2 and ends at 1");
    assert_fails(ctx, cairn_table_add_bags(ctx, t, "b", starts, items, NULL, names, 1, NULL),
                 CAIRN_BAD_DATA, "column 'b', row 2: code 1, but there are 1 items");
    assert_fails(ctx, cairn_table_add_bags(ctx, t, "b", starts, unknown, NULL, names, 2, NULL),
                 CAIRN_BAD_DATA, "row 2: code -1");
    assert_fails(ctx, cairn_table_add_bags(ctx, t, "b", starts, items, numbers, names, 2, NULL),
                 CAIRN_BAD_DATA, "row 2: one of its numbers is not a number");
    assert_fails(ctx, cairn_table_add_bags(ctx, t, "b", starts, items, NULL, bad, 2, NULL),
                 CAIRN_BAD_DATA, "item 1 is not UTF-8");
    assert_fails(ctx, cairn_table_add_bags(ctx, t, "b", starts, items, NULL, names, 2, missing),
                 CAIRN_BAD_DATA, "row 1: the cell is missing and holds 1");
    assert_fails(ctx, cairn_table_add_series(ctx, t, "s", starts, infinite, NULL), CAIRN_BAD_DATA,
                 "column 's', row 2: one of its numbers is infinite");
    assert_fails(ctx, cairn_table_add_times(ctx, t, "t", infinite), CAIRN_BAD_DATA, "row 2");
    assert_fails(ctx, cairn_table_add_numbers(ctx, t, "n", infinite), CAIRN_BAD_DATA,
                 "column 'n', row 2: the number is inf");
    assert_fails(ctx, cairn_table_add_texts(ctx, t, "t", bad), CAIRN_BAD_DATA,
                 "column 't', row 2: the text is not UTF-8");
    assert_int_equal(cairn_table_columns(t), 0);
    cairn_table_free(t);
}

/* -- names -- */

static void test_names__are_checked_at_every_door(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = new_table(ctx, 1);
    const double one = 1;
    assert_ok(ctx, cairn_table_add_numbers(ctx, t,
                                           "gr\xc3\xb6\xc3\x9f"
                                           "e\nin cm",
                                           &one));
    assert_ok(ctx, cairn_table_add_numbers(ctx, t, "a", &one));
    assert_fails(ctx, cairn_table_add_numbers(ctx, t, "a", &one), CAIRN_BAD_DATA,
                 "already has a column 'a'");
    assert_fails(ctx, cairn_table_add_numbers(ctx, t, "", &one), CAIRN_BAD_DATA, "empty");
    assert_fails(ctx, cairn_table_add_numbers(ctx, t, NULL, &one), CAIRN_BAD_DATA, "empty");
    assert_fails(ctx, cairn_table_add_numbers(ctx, t, "x\xc3", &one), CAIRN_BAD_DATA,
                 "byte 2 of 'x...' is 0xc3");
    assert_fails(ctx, cairn_table_rename(ctx, t, "a", ""), CAIRN_BAD_DATA, "empty");
    assert_fails(ctx, cairn_table_rename(ctx, t, "a", "\xff"), CAIRN_BAD_DATA, "UTF-8");
    assert_fails(ctx, cairn_table_rename(ctx, t, "b", "c"), CAIRN_USAGE, "no column 'b'");
    assert_ok(ctx, cairn_table_rename(ctx, t, "a", "a"));
    assert_ok(ctx, cairn_table_rename(ctx, t, "a", "b"));
    assert_int_equal(cairn_table_find(t, "a"), -1);
    assert_int_equal(cairn_table_find(t, "b"), 1);
    cairn_table_free(t);
}

/* Names are found after each kind of change, in a table that is wide enough for an index. */
static void test_names__are_found_after_changes(void **state)
{
    cairn_context *ctx = *state;
    enum { N = 1000 };
    cairn_table *t = new_table(ctx, 1), *chosen;
    char name[32];
    for (int i = 0; i < N; i++) {
        double number = i;
        snprintf(name, sizeof name, "column %d", i);
        assert_int_equal(cairn_table_find(t, name), -1);
        assert_ok(ctx, cairn_table_add_numbers(ctx, t, name, &number));
    }
    for (int i = 0; i < N; i++) {
        snprintf(name, sizeof name, "column %d", i);
        assert_int_equal(cairn_table_find(t, name), i);
    }
    assert_ok(ctx, cairn_table_drop(ctx, t, "column 10"));
    assert_ok(ctx, cairn_table_rename(ctx, t, "column 20", "twenty"));
    assert_int_equal(cairn_table_find(t, "column 10"), -1);
    assert_int_equal(cairn_table_find(t, "column 20"), -1);
    assert_int_equal(cairn_table_find(t, "twenty"), 19);
    assert_int_equal(cairn_table_find(t, "column 999"), 998);
    for (size_t i = 0; i < cairn_table_columns(t); i++)
        if (i % 2) cairn_table_take_out(t, i);
    cairn_table_close_gaps(t);
    assert_int_equal(cairn_table_columns(t), 500);
    for (size_t i = 0; i < 500; i++)
        assert_int_equal(cairn_table_find(t, cairn_table_name(t, i)), i);
    assert_int_equal(cairn_table_find(t, "twenty"), -1);
    assert_ok(ctx, cairn_table_set_role(ctx, t, "column 4", CAIRN_TARGET));
    assert_ok(ctx, cairn_table_set_role(ctx, t, "column 8", CAIRN_TARGET));
    cairn_table_lead_target(t, 4);
    assert_int_equal(cairn_table_find(t, "column 8"), 2);
    assert_int_equal(cairn_table_find(t, "column 4"), 4);
    const char *names[] = {"column 999", "column 0", "column 8"};
    assert_ok(ctx, cairn_table_select(ctx, &chosen, t, names, 3));
    assert_int_equal(cairn_table_find(chosen, "column 0"), 1);
    assert_int_equal(cairn_table_role(chosen, 2), CAIRN_TARGET);
    assert_ptr_equal(cairn_table_numbers(chosen, 0),
                     cairn_table_numbers(t, (size_t)cairn_table_find(t, "column 999")));
    cairn_table_free(chosen);
    names[1] = "column 999";
    assert_fails(ctx, cairn_table_select(ctx, &chosen, t, names, 3), CAIRN_USAGE, "column 999");
    names[1] = "columm 4";
    assert_fails(ctx, cairn_table_select(ctx, &chosen, t, names, 3), CAIRN_USAGE, "column 4");
    cairn_table_free(t);
}

static void test_take__rows_are_checked(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = new_table(ctx, 4), *taken;
    char cell[32];
    assert_ok(ctx, add_all_kinds(ctx, t));
    assert_fails(ctx, cairn_table_take(ctx, &taken, t, (size_t[]){0, 4}, 2), CAIRN_USAGE,
                 "row 4 is asked for, but the table has 4 rows");
    assert_fails(ctx, cairn_table_take(ctx, &taken, t, (size_t[]){SIZE_MAX}, 1), CAIRN_USAGE,
                 "4 rows");
    assert_ok(ctx, cairn_table_take(ctx, &taken, t, (size_t[]){3, 0}, 2));
    assert_int_equal(cairn_table_rows(taken), 2);
    cairn_table_cell(taken, 3, 1, cell, sizeof cell);
    assert_string_equal(cell, "10:2.5 milk:5");
    assert_true(cairn_table_is_ordered(taken, 1));
    assert_int_equal(cairn_table_level_count(taken, 1), 3);
    cairn_table_free(taken);
    assert_ok(ctx, cairn_table_take(ctx, &taken, t, NULL, 0));
    assert_int_equal(cairn_table_rows(taken), 0);
    cairn_table_free(taken);
    cairn_table_free(t);
}

/* -- a table that was freed -- */

#ifdef CAIRN_DEBUG
static void keep_block(void *block, void *data)
{
    (void)block, (void)data; /* so that looking at it afterwards is defined */
}

static void *give_block(size_t size, void *data)
{
    (void)data;
    return malloc(size);
}

static void *give_more(void *block, size_t size, void *data)
{
    (void)data;
    return realloc(block, size);
}

/* Ends by the signal of an assertion. */
static void test_freed__stops_a_debug_build(void **state)
{
    cairn_allocator allocator = {give_block, give_more, keep_block, NULL};
    int how;
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        cairn_context *ctx = NULL;
        cairn_table *t = NULL;
        fclose(stderr);
        if (cairn_context_new(&ctx, &allocator) || cairn_table_new(ctx, &t, 1)) _exit(1);
        cairn_table_free(t);
        cairn_table_rows(t);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFSIGNALED(how) && WTERMSIG(how) == SIGABRT);
}
#endif

/* -- failing allocations -- */

static cairn_status build_and_change(cairn_context *ctx, cairn_table **t, int *back)
{
    OWNED(cairn_table_free) cairn_table *chosen = NULL;
    OWNED(cairn_table_free) cairn_table *taken = NULL;
    static const double numbers[48] = {0};
    static const int32_t codes[4] = {0};
    const cairn_matrix m = CAIRN_MATRIX_COLUMNS(numbers, 4, 12);
    const char *const names[] = {"x2", "steps"};
    CHECK(cairn_table_lend_matrix(ctx, t, &m, NULL, count_release, back));
    CHECK(cairn_table_lend_numbers(ctx, *t, "n", numbers, count_release, back));
    CHECK(cairn_table_lend_codes(ctx, *t, "c", codes, item_names, 3, count_release, back));
    CHECK(add_all_kinds(ctx, *t));
    CHECK(cairn_table_rename(ctx, *t, "n", "m"));
    CHECK(cairn_table_select(ctx, &chosen, *t, names, 2));
    CHECK(cairn_table_take(ctx, &taken, *t, (size_t[]){1}, 1));
    return CAIRN_OK;
}

/* What was lent has come back as often as it was lent: once for each call that was made. */
static cairn_status lend_and_count(cairn_context *ctx, void *data)
{
    cairn_table *t = NULL;
    int back = 0;
    (void)data;
    cairn_status status = build_and_change(ctx, &t, &back);
    cairn_table_free(t);
    if (!status) assert_int_equal(back, 3);
    if (status) assert_in_range(back, 1, 3);
    return status;
}

static void test_memory__failing_allocations_release_what_was_lent(void **state)
{
    (void)state;
    assert_survives_allocation_failures(lend_and_count, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_matrix__every_layout_gives_the_same_table),
        context_test(test_matrix__large_ones_in_both_orders),
        context_test(test_matrix__bad_ones_are_refused_and_released),
        context_test(test_lent__goes_back_once_when_the_last_user_goes),
        context_test(test_lent__goes_back_when_it_is_refused),
        context_test(test_lent__is_never_written),
        context_test(test_getters__read_what_was_added),
        context_test(test_door__bad_runs_and_texts),
        context_test(test_names__are_checked_at_every_door),
        context_test(test_names__are_found_after_changes),
        context_test(test_take__rows_are_checked),
#ifdef CAIRN_DEBUG
        cmocka_unit_test(test_freed__stops_a_debug_build),
#endif
        cmocka_unit_test(test_memory__failing_allocations_release_what_was_lent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
