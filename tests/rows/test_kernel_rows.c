/* SPDX-License-Identifier: MIT */
/* Rows prepared for kernels: values of many pairs against values of one, in every layout; bits;
 * scores; keeping and saving; refusals. */
#include "base/memory.h"
#include "data/bag.h"
#include "data/shape.h"
#include "rows/kernel.h"
#include "support/learn.h"

enum { N = 300, WIDTH = 7, ITEMS = 3000 };

static double drawn(size_t i)
{
    uint64_t x = (i + 1) * 0x9e3779b97f4a7c15u;
    x ^= x >> 29;
    x *= 0xbf58476d1ce4e5b9u;
    return (double)(x >> 40) / (double)(1 << 24) - 0.5;
}

static const char *const specs[] = {"linear", "poly:degree=3,offset=1", "rbf:gamma=0.5",
                                    "laplace:sigma=2", "sigmoid:factor=0.5,offset=-0.25"};
enum { N_SPECS = sizeof specs / sizeof *specs };

static cairn_kernel kernel_of(cairn_context *ctx, const char *spec)
{
    cairn_kernel kernel;
    assert_ok(ctx, cairn_kernel_open(ctx, &kernel, "kernel", spec));
    return kernel;
}

static cairn_table *numbers(cairn_context *ctx, size_t n, double offset)
{
    cairn_table *table = NULL;
    double *values = malloc(n * WIDTH * sizeof *values);
    for (size_t i = 0; i < n * WIDTH; i++) values[i] = offset + drawn(i);
    assert_ok(ctx, table_of(ctx, &table, "a b c d e f g", values, n, WIDTH));
    free(values);
    return table;
}

static cairn_view view_of(cairn_context *ctx, const cairn_table *table)
{
    cairn_view view;
    assert_ok(ctx, cairn_view_make(ctx, &view, table, cairn_all_rows(table)));
    return view;
}

static cairn_kernel_rows rows_of(cairn_context *ctx, cairn_kernel *kernel, const cairn_view *view,
                                 bool floats)
{
    cairn_kernel_rows rows = {0};
    assert_ok(ctx, cairn_kernel_rows_open(ctx, &rows, kernel, view,
                                          &(cairn_kernel_options){.floats = floats}));
    return rows;
}

static void assert_close(const char *what, double got, double wanted, double tolerance)
{
    if (!(fabs(got - wanted) <= tolerance)) fail_msg("%s: %.17g, not %.17g", what, got, wanted);
}

/* Chosen rows against a range, in both precisions, and the whole matrix, are what single pairs
 * give. */
static void test_block__is_the_values_of_pairs(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *table = numbers(ctx, N, 0);
    cairn_view view = view_of(ctx, table);
    double *x = malloc(N * WIDTH * sizeof *x), *gram = malloc(N * N * sizeof *gram);
    double out[3 * 100], diagonal[N];
    float single[3 * 100];
    uint32_t which[] = {7, 299, 7};
    cairn_view_block(&view, 0, N, x);
    for (size_t k = 0; k <= N_SPECS; k++) {
        cairn_kernel kernel = kernel_of(ctx, specs[k < N_SPECS ? k : 3]);
        kernel.manhattan = k == N_SPECS;
        cairn_kernel_rows rows = rows_of(ctx, &kernel, &view, false);
        cairn_kernel_rows floats = rows_of(ctx, &kernel, &view, true);
        assert_int_equal(floats.layout,
                         kernel.manhattan ? CAIRN_KERNEL_DENSE : CAIRN_KERNEL_FLOATS);
        assert_ok(ctx, cairn_kernel_block(ctx, &kernel, &rows, which, 3, &rows, 50, 90, out, 100));
        assert_ok(ctx, cairn_kernel_block_floats(ctx, &kernel, &floats, which, 3, &floats, 50, 90,
                                                 single, 100));
        assert_ok(ctx, cairn_kernel_gram(ctx, &kernel, &rows, false, gram));
        assert_ok(ctx, cairn_kernel_diagonal(ctx, &kernel, &rows, diagonal));
        for (size_t r = 0; r < 3; r++)
            for (size_t j = 0; j < 90; j++) {
                double one =
                    cairn_kernel_value(&kernel, x + which[r] * WIDTH, x + (50 + j) * WIDTH, WIDTH);
                assert_close(specs[k % N_SPECS], out[r * 100 + j], one, 1e-13);
                assert_close(specs[k % N_SPECS], (double)single[r * 100 + j], one, 2e-6);
                assert_true(out[r * 100 + j] == gram[which[r] * N + 50 + j]);
            }
        for (size_t i = 0; i < N; i++) {
            assert_close("diagonal", diagonal[i], gram[i * N + i], 1e-14);
            for (size_t j = 0; j < i; j++) assert_true(gram[i * N + j] == gram[j * N + i]);
        }
        cairn_kernel_rows_clear(&rows);
        cairn_kernel_rows_clear(&floats);
    }
    free(x);
    free(gram);
    cairn_table_free(table);
}

/* A number column and a bag of so many items that rows stay sparse. */
static cairn_table *bags(cairn_context *ctx, size_t n)
{
    cairn_table *table = NULL;
    cairn_bag_builder bag = {0};
    cairn_column *column;
    double *x = malloc(n * sizeof *x);
    char name[16];
    for (size_t i = 0; i < n; i++) {
        x[i] = drawn(i);
        assert_ok(ctx, cairn_bag_begin_row(ctx, &bag));
        for (size_t e = 0; e < 12; e++) {
            int length = snprintf(name, sizeof name, "w%zu", (i * 37 + e * e * 101) % ITEMS);
            assert_ok(ctx,
                      cairn_bag_add(ctx, &bag, name, (size_t)length, 0.2 + drawn(i * 12 + e) / 4));
        }
    }
    assert_ok(ctx, cairn_bag_finish(ctx, &column, &bag));
    assert_ok(ctx, cairn_table_new(ctx, &table, n));
    assert_ok(ctx, cairn_table_add_numbers(ctx, table, "x", x));
    assert_ok(ctx, cairn_table_add_column(ctx, table, "words", CAIRN_FEATURE, column));
    free(x);
    return table;
}

static void test_sparse__is_the_values_of_rows_written_out(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *table = bags(ctx, N);
    cairn_view view = view_of(ctx, table);
    double *out = malloc(N * sizeof *out), *a, *b;
    uint32_t which[] = {250};
    for (size_t k = 0; k <= N_SPECS; k++) {
        cairn_kernel kernel = kernel_of(ctx, specs[k < N_SPECS ? k : 3]);
        kernel.manhattan = k == N_SPECS;
        cairn_kernel_rows rows = rows_of(ctx, &kernel, &view, true);
        assert_int_equal(rows.layout, CAIRN_KERNEL_SPARSE);
        a = malloc(rows.n_terms * sizeof *a);
        b = malloc(rows.n_terms * sizeof *b);
        assert_ok(ctx, cairn_kernel_block(ctx, &kernel, &rows, which, 1, &rows, 0, N, out, N));
        cairn_kernel_rows_read(&rows, 250, a);
        for (size_t j = 0; j < N; j++) {
            cairn_kernel_rows_read(&rows, j, b);
            assert_close(specs[k % N_SPECS], out[j],
                         cairn_kernel_value(&kernel, a, b, rows.n_terms), 1e-13);
        }
        free(a);
        free(b);
        cairn_kernel_rows_clear(&rows);
    }
    free(out);
    cairn_table_free(table);
}

/* Scores of kept rows, after they were saved and loaded, in both precisions and for few and many
 * scores, with the same bytes for one thread and four. */
static void check_scores(cairn_context *ctx, const cairn_table *table, const char *spec,
                         bool floats, size_t m)
{
    cairn_view view = view_of(ctx, table);
    cairn_kernel kernel = kernel_of(ctx, spec);
    cairn_kernel_rows rows = rows_of(ctx, &kernel, &view, floats), kept = {0}, back = {0};
    size_t n = view.rows.n, n_kept = n / 3;
    uint32_t *which = malloc(n_kept * sizeof *which);
    double *c = malloc(n_kept * m * sizeof *c), *one = malloc(n * m * sizeof *one);
    double *four = malloc(n * m * sizeof *four), constants[20], row[4000], other[4000];
    cairn_archive *archive = NULL;
    char *bytes = NULL;
    size_t length;
    for (size_t i = 0; i < n_kept; i++) which[i] = (uint32_t)(3 * i + 1);
    for (size_t i = 0; i < n_kept * m; i++) c[i] = drawn(i + 77);
    for (size_t k = 0; k < m; k++) constants[k] = (double)k;
    assert_ok(ctx, cairn_kernel_rows_keep(ctx, &kept, &rows, which, n_kept));
    assert_ok(ctx, cairn_archive_writer(ctx, &archive));
    assert_ok(ctx, cairn_archive_section(archive, "s"));
    assert_ok(ctx, cairn_kernel_archive(archive, &kernel));
    assert_ok(ctx, cairn_kernel_rows_archive(archive, &kernel, &kept));
    assert_ok(ctx, cairn_archive_finish(archive, &bytes, &length));
    cairn_archive_free(archive);
    assert_ok(ctx, cairn_archive_reader(ctx, &archive, "test", bytes, length));
    assert_ok(ctx, cairn_archive_section(archive, "s"));
    assert_ok(ctx, cairn_kernel_archive(archive, &kernel));
    assert_ok(ctx, cairn_kernel_rows_archive(archive, &kernel, &back));
    assert_ok(ctx, cairn_archive_finish(archive, NULL, NULL));
    cairn_archive_free(archive);
    cairn_context_set_threads(ctx, 1);
    assert_ok(ctx, cairn_kernel_scores(ctx, &kernel, &back, c, m, constants, &view, one));
    cairn_context_set_threads(ctx, 4);
    assert_ok(ctx, cairn_kernel_scores(ctx, &kernel, &kept, c, m, constants, &view, four));
    assert_memory_equal(one, four, n * m * sizeof *one);
    for (size_t i = 0; i < n; i += 41)
        for (size_t k = 0; k < m; k++) {
            double sum = constants[k];
            cairn_kernel_rows_read(&rows, i, row);
            for (size_t j = 0; j < n_kept; j++) {
                cairn_kernel_rows_read(&kept, j, other);
                sum += c[k * n_kept + j] * cairn_kernel_value(&kernel, row, other, rows.n_terms);
            }
            assert_close(spec, one[i * m + k], sum, (floats ? 2e-4 : 1e-12) * fmax(1, fabs(sum)));
        }
    cairn_kernel_rows_clear(&rows);
    cairn_kernel_rows_clear(&kept);
    cairn_kernel_rows_clear(&back);
    cairn_free(bytes);
    free(which);
    free(c);
    free(one);
    free(four);
}

static void test_scores__are_sums_of_values(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *dense = numbers(ctx, 2000, 3), *sparse = bags(ctx, N);
    for (size_t k = 0; k < N_SPECS; k++)
        for (size_t m = 1; m <= 11; m += 5) {
            check_scores(ctx, dense, specs[k], false, m);
            check_scores(ctx, dense, specs[k], true, m);
            check_scores(ctx, sparse, specs[k], false, m);
        }
    cairn_table_free(dense);
    cairn_table_free(sparse);
}

/* Distances of rows that lie far from 0 keep their digits. */
static void test_rows__far_from_zero(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *near = numbers(ctx, N, 0), *far = numbers(ctx, N, 1 << 20);
    cairn_kernel kernel = kernel_of(ctx, "rbf");
    double a[N];
    cairn_view views[] = {view_of(ctx, near), view_of(ctx, far)};
    cairn_kernel_rows rows[] = {rows_of(ctx, &kernel, &views[0], false),
                                rows_of(ctx, &kernel, &views[1], true)};
    float single[N];
    assert_ok(ctx, cairn_kernel_block(ctx, &kernel, &rows[0], NULL, 1, &rows[0], 0, N, a, N));
    assert_ok(
        ctx, cairn_kernel_block_floats(ctx, &kernel, &rows[1], NULL, 1, &rows[1], 0, N, single, N));
    for (size_t i = 0; i < N; i++) assert_close("far", (double)single[i], a[i], 1e-5);
    cairn_kernel_rows_clear(&rows[0]);
    cairn_kernel_rows_clear(&rows[1]);
    cairn_table_free(near);
    cairn_table_free(far);
}

static void test_rows__given_matrix(void **state)
{
    cairn_context *ctx = *state;
    static const double gram[] = {4, 1, 2, 1, 5, 3, 2, 3, 6};
    cairn_table *table = NULL;
    cairn_kernel kernel = kernel_of(ctx, "rbf"), poly = kernel_of(ctx, "poly");
    cairn_kernel_rows rows = {0}, some = {0};
    double out[4];
    uint32_t two[] = {2, 0};
    assert_ok(ctx, table_of(ctx, &table, "a b c", gram, 3, 3));
    assert_ok(ctx, cairn_table_reshape(ctx, &table, CAIRN_SHAPE_GRAM));
    cairn_view view = view_of(ctx, table);
    assert_fails(ctx, cairn_kernel_rows_open(ctx, &rows, &poly, &view, &(cairn_kernel_options){0}),
                 CAIRN_USAGE, "leave 'kernel' out");
    view.rows = (cairn_rows){.indices = two, .n = 2};
    assert_ok(ctx, cairn_kernel_rows_open(ctx, &rows, &kernel, &view, &(cairn_kernel_options){0}));
    assert_int_equal(cairn_kernel_kind_of(&kernel), CAIRN_KERNEL_GIVEN);
    assert_ok(ctx, cairn_kernel_gram(ctx, &kernel, &rows, false, out));
    assert_true(out[0] == 6 && out[1] == 2 && out[2] == 2 && out[3] == 4);
    assert_ok(ctx, cairn_kernel_rows_keep(ctx, &some, &rows, (uint32_t[]){0}, 1));
    view = view_of(ctx, table);
    assert_ok(ctx, cairn_kernel_scores(ctx, &kernel, &some, (double[]){2}, 1, NULL, &view, out));
    assert_true(out[0] == 4 && out[1] == 6 && out[2] == 12);
    cairn_kernel_rows_clear(&rows);
    cairn_kernel_rows_clear(&some);
    cairn_table_free(table);
    table = numbers(ctx, 3, 0);
    view = view_of(ctx, table);
    assert_fails(ctx,
                 cairn_kernel_rows_open(ctx, &rows, &kernel, &view, &(cairn_kernel_options){0}),
                 CAIRN_USAGE, "needs a matrix of kernel values");
    cairn_table_free(table);
}

/* Sums over all runs and subsequences, worked out by enumeration; kept rows are scored as with
 * numbers. */
static void test_texts__are_sums_over_what_they_share(void **state)
{
    cairn_context *ctx = *state;
    static const char *const texts[] = {"größe und gras", "gras und größe nie", "", "x"};
    static const struct {
        const char *spec;
        double xy;
    } wanted[] = {
        {"spectrum:length=3,normalise=no", 11},
        {"spectrum:length=3", 0.7938566201357355},
        {"subsequence:length=3,decay=0.7,normalise=no", 3.6112428254173063},
        {"subsequence:length=3,decay=0.7", 0.5901467751179277},
        {"edit:gamma=0.5", 0.006737946999085467},
    };
    cairn_table *table = NULL;
    assert_ok(ctx, cairn_table_new(ctx, &table, 4));
    assert_ok(ctx, cairn_table_add_texts(ctx, table, "text", texts));
    cairn_view view = view_of(ctx, table);
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
        cairn_kernel kernel = kernel_of(ctx, wanted[k].spec);
        cairn_kernel_rows rows = rows_of(ctx, &kernel, &view, true), kept = {0};
        double gram[16], diagonal[4], scores[4];
        assert_int_equal(rows.layout, CAIRN_KERNEL_LETTERS);
        assert_ok(ctx, cairn_kernel_gram(ctx, &kernel, &rows, false, gram));
        assert_ok(ctx, cairn_kernel_diagonal(ctx, &kernel, &rows, diagonal));
        assert_close(wanted[k].spec, gram[1], wanted[k].xy, 1e-12);
        for (size_t i = 0; i < 4; i++) assert_close("diagonal", diagonal[i], gram[5 * i], 1e-15);
        assert_ok(ctx, cairn_kernel_rows_keep(ctx, &kept, &rows, (uint32_t[]){1, 3}, 2));
        assert_ok(ctx, cairn_kernel_scores(ctx, &kernel, &kept, (double[]){2, -1}, 1, NULL, &view,
                                           scores));
        for (size_t i = 0; i < 4; i++)
            assert_close("scores", scores[i], 2 * gram[4 * i + 1] - gram[4 * i + 3], 1e-14);
        cairn_kernel_rows_clear(&rows);
        cairn_kernel_rows_clear(&kept);
    }
    cairn_table_free(table);
}

static void test_rows__refuse_overflow(void **state)
{
    cairn_context *ctx = *state;
    static const double huge[] = {1, 2, 3, 1e200}, large[] = {1, 2, 3, 1e90};
    cairn_table *table = NULL;
    cairn_kernel rbf = kernel_of(ctx, "rbf"), poly = kernel_of(ctx, "poly:degree=3");
    cairn_kernel_rows rows = {0};
    double out[4];
    assert_ok(ctx, table_of(ctx, &table, "a b", huge, 2, 2));
    cairn_view view = view_of(ctx, table);
    assert_fails(ctx, cairn_kernel_rows_open(ctx, &rows, &rbf, &view, &(cairn_kernel_options){0}),
                 CAIRN_BAD_DATA, "1e+200 in column 'b', row 2 is too large");
    cairn_table_free(table);
    assert_ok(ctx, table_of(ctx, &table, "a b", large, 2, 2));
    view = view_of(ctx, table);
    assert_ok(ctx, cairn_kernel_rows_open(ctx, &rows, &poly, &view,
                                          &(cairn_kernel_options){.floats = true}));
    assert_int_equal(rows.layout, CAIRN_KERNEL_DENSE);
    assert_fails(ctx, cairn_kernel_gram(ctx, &poly, &rows, false, out), CAIRN_BAD_DATA,
                 "the kernel poly overflows for row 2");
    assert_fails(ctx, cairn_kernel_diagonal(ctx, &poly, &rows, out), CAIRN_BAD_DATA,
                 "the kernel poly overflows for row 2");
    cairn_kernel_rows_clear(&rows);
    cairn_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_block__is_the_values_of_pairs),
        context_test(test_sparse__is_the_values_of_rows_written_out),
        context_test(test_scores__are_sums_of_values),
        context_test(test_rows__far_from_zero),
        context_test(test_rows__given_matrix),
        context_test(test_texts__are_sums_over_what_they_share),
        context_test(test_rows__refuse_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
