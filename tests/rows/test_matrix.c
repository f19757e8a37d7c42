/* SPDX-License-Identifier: MIT */
/* The reader of rows: written out, by columns, in pieces; its refusals. */
#include "data/bag.h"
#include "rows/matrix.h"
#include "support/learn.h"

enum { N = 3000 };

/* x, a bag of two words, t. */
static cairn_table *make_table(cairn_context *ctx)
{
    cairn_table *table = NULL;
    cairn_bag_builder bag = {0};
    cairn_column *column;
    double *x = malloc(N * sizeof *x), *t = malloc(N * sizeof *t);
    for (size_t i = 0; i < N; i++) {
        x[i] = 1e6 + (double)(i % 17);
        t[i] = (double)(i % 5);
        assert_ok(ctx, cairn_bag_begin_row(ctx, &bag));
        if (i % 2) assert_ok(ctx, cairn_bag_add(ctx, &bag, "a", 1, (double)(i % 3 + 1)));
        if (i % 7) assert_ok(ctx, cairn_bag_add(ctx, &bag, "b", 1, 1));
    }
    assert_ok(ctx, cairn_bag_finish(ctx, &column, &bag));
    assert_ok(ctx, cairn_table_new(ctx, &table, N));
    assert_ok(ctx, cairn_table_add_numbers(ctx, table, "x", x));
    assert_ok(ctx, cairn_table_add_column(ctx, table, "words", CAIRN_FEATURE, column));
    assert_ok(ctx, cairn_table_add_numbers(ctx, table, "t", t));
    assert_ok(ctx, cairn_table_set_role(ctx, table, "t", CAIRN_TARGET));
    free(x);
    free(t);
    return table;
}

static void add_all(void *data, const cairn_piece *piece, double *sums)
{
    const cairn_row_matrix *m = data;
    for (size_t i = 0; i < piece->n; i++)
        for (size_t j = 0; j < m->width; j++) sums[j] += piece->z[i * m->width + j];
}

static void test_matrix__rows_columns_and_sums_agree(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *table = make_table(ctx);
    cairn_matrix_wish wish = {.units = CAIRN_UNITS_SHIFTED, .target = true, .ones = true};
    cairn_view view;
    cairn_row_matrix m;
    double row[5], sums[5], by_hand[5] = {0}, w[3] = {2, -1, 0.5}, scores[N], room[N];
    double moments[3] = {0}, ones[N];
    assert_ok(ctx, cairn_view_make(ctx, &view, table, cairn_all_rows(table)));
    assert_ok(ctx, cairn_matrix_open(ctx, &m, &view, &wish));
    assert_int_equal(m.n_dense, 1);
    assert_int_equal(m.n_terms, 3);
    assert_int_equal(m.width, 5);
    assert_true(m.shift[0] > 9e5 && m.shift[1] == 0);
    memset(scores, 0, sizeof scores);
    cairn_matrix_times(&m, 0, N, w, scores, room);
    for (size_t i = 0; i < N; i++) {
        ones[i] = 1;
        cairn_matrix_rows(&m, i, 1, row);
        assert_true(row[0] == (1e6 + (double)(i % 17) - m.shift[0]) * m.scale[0]);
        assert_true(row[1] == (i % 2 ? (double)(i % 3 + 1) : 0) && row[2] == (i % 7 ? 1 : 0));
        assert_true(cairn_matrix_value(&m, i, 1) == row[1] && row[4] == 1);
        assert_true(fabs(scores[i] - (2 * row[0] - row[1] + row[2] / 2)) < 1e-12);
        for (size_t j = 0; j < 5; j++) by_hand[j] += row[j];
    }
    cairn_matrix_transposed(&m, 0, N, ones, moments, room);
    cairn_row_sum sum = {.size = 5, .piece = add_all, .data = &m};
    assert_ok(ctx, cairn_matrix_sum(ctx, &m, &sum, sums));
    for (size_t j = 0; j < 5; j++) assert_true(fabs(sums[j] - by_hand[j]) < 1e-9);
    for (size_t j = 0; j < 3; j++) assert_true(fabs(moments[j] - by_hand[j]) < 1e-9);
    cairn_table_free(table);
}

/* Weights for z and for the columns' own units give the same scores. */
static void test_matrix__units_and_back(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *table = make_table(ctx);
    cairn_matrix_wish wish = {.units = CAIRN_UNITS_SHIFTED, .ones = true};
    cairn_view view;
    cairn_row_matrix m;
    double theta[4] = {0.5, 2, -1, 3}, raw[4], back[4], row[4];
    assert_ok(ctx, cairn_view_make(ctx, &view, table, cairn_all_rows(table)));
    assert_ok(ctx, cairn_matrix_open(ctx, &m, &view, &wish));
    cairn_matrix_raw(&m, theta, 1, 1, raw);
    cairn_matrix_from_raw(&m, raw, 1, back, 1);
    for (size_t j = 0; j < 4; j++) assert_true(fabs(back[j] - theta[j]) < 1e-8);
    cairn_matrix_rows(&m, 11, 1, row);
    double scaled = 0, own = raw[3];
    for (size_t j = 0; j < 4; j++) scaled += theta[j] * row[j];
    for (size_t j = 0; j < 3; j++) own += raw[j] * cairn_matrix_value(&m, 11, j);
    assert_true(fabs(scaled - own) < 1e-8);
    cairn_table_free(table);
}

static void test_matrix__numbers_that_are_none_are_named(void **state)
{
    static const double values[] = {1, 2, 3, INFINITY, 5, 6};
    cairn_context *ctx = *state;
    cairn_table *table = NULL;
    cairn_matrix_wish wish = {0};
    cairn_view view;
    cairn_row_matrix m;
    assert_ok(ctx, table_of(ctx, &table, "a b", values, 3, 2));
    assert_ok(ctx, cairn_view_make(ctx, &view, table, cairn_all_rows(table)));
    assert_ok(ctx, cairn_matrix_open(ctx, &m, &view, &wish));
    assert_fails(ctx, cairn_matrix_refuse(ctx, &m, NULL), CAIRN_BAD_DATA, "column 'b', row 2");
    cairn_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_matrix__rows_columns_and_sums_agree),
        context_test(test_matrix__units_and_back),
        context_test(test_matrix__numbers_that_are_none_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
