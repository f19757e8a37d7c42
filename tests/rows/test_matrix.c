/* SPDX-License-Identifier: MIT */
/* The reader of rows: written out, by columns, in pieces; its refusals. */
#include "data/bag.h"
#include "data/scaled.h"
#include "rows/matrix.h"
#include "rows/moments.h"
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
    cairn_matrix_options options = {.units = CAIRN_UNITS_SHIFTED, .target = true, .ones = true};
    cairn_view view;
    cairn_row_matrix m;
    double row[5], sums[5], by_hand[5] = {0}, w[3] = {2, -1, 0.5}, scores[N], buffer[N];
    double moments[3] = {0}, ones[N];
    assert_ok(ctx, cairn_view_make(ctx, &view, table, cairn_all_rows(table)));
    assert_ok(ctx, cairn_matrix_open(ctx, &m, &view, &options));
    assert_int_equal(m.n_dense, 1);
    assert_int_equal(m.n_terms, 3);
    assert_int_equal(m.width, 5);
    assert_true(m.shift[0] > 9e5 && m.shift[1] == 0);
    memset(scores, 0, sizeof scores);
    cairn_matrix_times(&m, 0, N, w, scores, buffer);
    for (size_t i = 0; i < N; i++) {
        ones[i] = 1;
        cairn_matrix_rows(&m, i, 1, row);
        assert_true(row[0] == (1e6 + (double)(i % 17) - m.shift[0]) * m.scale[0]);
        assert_true(row[1] == (i % 2 ? (double)(i % 3 + 1) : 0) && row[2] == (i % 7 ? 1 : 0));
        assert_true(cairn_matrix_value(&m, i, 1) == row[1] && row[4] == 1);
        assert_true(fabs(scores[i] - (2 * row[0] - row[1] + row[2] / 2)) < 1e-12);
        for (size_t j = 0; j < 5; j++) by_hand[j] += row[j];
    }
    cairn_matrix_transposed(&m, 0, N, ones, moments, buffer);
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
    cairn_matrix_options options = {.units = CAIRN_UNITS_SHIFTED, .ones = true};
    cairn_view view;
    cairn_row_matrix m;
    double theta[4] = {0.5, 2, -1, 3}, raw[4], back[4], row[4];
    assert_ok(ctx, cairn_view_make(ctx, &view, table, cairn_all_rows(table)));
    assert_ok(ctx, cairn_matrix_open(ctx, &m, &view, &options));
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
    static const double values[] = {1, 2, 3, 4, 5, 6};
    cairn_context *ctx = *state;
    cairn_table *table = NULL;
    cairn_matrix_options options = {0};
    cairn_view view;
    cairn_row_matrix m;
    assert_ok(ctx, table_of(ctx, &table, "a b", values, 3, 2));
    table->slots[1].column->numbers[1] = INFINITY; /* as a calculation may leave it */
    assert_ok(ctx, cairn_view_make(ctx, &view, table, cairn_all_rows(table)));
    assert_ok(ctx, cairn_matrix_open(ctx, &m, &view, &options));
    assert_fails(ctx, cairn_matrix_refuse(ctx, &m, NULL), CAIRN_BAD_DATA, "column 'b', row 2");
    cairn_table_free(table);
}

/* Columns 1 to 11 of i % (j + 3); all but every third are promised as 10 (x - j) / 3, cut off at
 * 20. */
static cairn_table *promise_table(cairn_context *ctx)
{
    cairn_table *table = NULL;
    double *x = malloc(N * sizeof *x);
    char name[8];
    assert_ok(ctx, cairn_table_new(ctx, &table, N));
    for (size_t j = 0; j < 11; j++) {
        cairn_scaled how = {.part = 1, .centre = (double)j, .spread = 3, .factor = 10};
        cairn_column *column;
        how.low = -INFINITY, how.high = 20;
        for (size_t i = 0; i < N; i++) x[i] = (double)(i % (j + 3));
        snprintf(name, sizeof name, "x%zu", j);
        assert_ok(ctx, cairn_table_add_numbers(ctx, table, name, x));
        if (j % 3 == 2) continue;
        how.from = table->slots[j].column;
        assert_ok(ctx, cairn_scaled_new(ctx, &column, &how));
        cairn_table_replace_column(table, j, column);
    }
    free(x);
    return table;
}

static double promised(size_t i, size_t j)
{
    double x = (double)(i % (j + 3)), scaled = 10 * ((x - (double)j) / 3);
    return j % 3 == 2 ? x : scaled > 20 ? 20 : scaled;
}

static void check_promised(cairn_context *ctx, const cairn_table *table, cairn_rows rows)
{
    cairn_matrix_options options = {0};
    cairn_view view;
    cairn_row_matrix m;
    size_t features[11];
    double *z = malloc(rows.n * 11 * sizeof *z), means[11], sums[11] = {0}, most = -1, best = 0;
    const char *column;
    size_t row;
    assert_ok(ctx, cairn_view_make(ctx, &view, table, rows));
    assert_ok(ctx, cairn_matrix_open(ctx, &m, &view, &options));
    cairn_matrix_rows(&m, 1, rows.n - 1, z);
    for (size_t i = 1; i < rows.n; i++)
        for (size_t j = 0; j < 11; j++)
            assert_true(z[(i - 1) * 11 + j] == promised(cairn_view_row(&view, i), j));
    for (size_t i = 0; i < rows.n; i++)
        for (size_t j = 0; j < 11; j++) {
            double x = promised(cairn_view_row(&view, i), j);
            sums[j] += x;
            if (fabs(x) > most) most = fabs(x), best = x;
        }
    for (size_t j = 0; j < 11; j++) features[j] = j;
    assert_ok(ctx, cairn_column_means(ctx, &view, features, 11, means));
    for (size_t j = 0; j < 11; j++) assert_true(fabs(means[j] - sums[j] / (double)rows.n) < 1e-9);
    assert_true(cairn_matrix_largest(&m, &column, &row) == best);
    free(z);
}

/* Rows, means and the largest number of columns whose numbers are only promised. */
static void test_matrix__reads_what_is_promised(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *table = promise_table(ctx);
    uint32_t some[500];
    for (uint32_t i = 0; i < 500; i++) some[i] = (i * 677) % N;
    for (int threads = 1; threads <= 3; threads += 2) {
        cairn_context_set_threads(ctx, threads);
        check_promised(ctx, table, cairn_all_rows(table));
        check_promised(ctx, table, (cairn_rows){.indices = some, .n = 500});
    }
    assert_null(table->slots[0].column->numbers);
    assert_ok(ctx, cairn_table_settle(ctx, table));
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < 11; j++)
            assert_true(table->slots[j].column->numbers[i] == promised(i, j));
    cairn_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_matrix__reads_what_is_promised),
        context_test(test_matrix__rows_columns_and_sums_agree),
        context_test(test_matrix__units_and_back),
        context_test(test_matrix__numbers_that_are_none_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
