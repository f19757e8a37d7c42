/* SPDX-License-Identifier: MIT */
/* What holds for every distance and every kernel function of the registry. */
#include "support/learn.h"
#include "data/table.h"
#include "decompose/linalg.h"
#include "stats/distance.h"

enum { ROWS = 24, COLUMNS = 3 };

static const cairn_entry *entry_of_kind(cairn_entry_kind kind, size_t i)
{
    size_t n;
    const cairn_entry *const *entries = cairn_registry(&n);
    for (size_t at = 0; at < n; at++)
        if (entries[at]->kind == kind && i-- == 0) return entries[at];
    return NULL;
}

static double number(size_t i)
{
    double x = sin((double)i * 12.9898) * 43758.5453;
    return (x - floor(x)) * 4 - 1;
}

/* Numbers, or words for distances that take nothing else. */
static cairn_table *table_for(cairn_context *ctx, const cairn_distance *distance)
{
    static const char *const words[] = {"kitten", "sitting", "mitten", "", "häuser", "maus", "kit"};
    double values[ROWS * COLUMNS];
    const char *texts[ROWS];
    cairn_table *table;
    for (size_t i = 0; i < ROWS * COLUMNS; i++) values[i] = number(i + 1);
    for (size_t i = 0; i < ROWS; i++) texts[i] = words[i % 7];
    if (distance->takes & CAIRN_DISTANCE_NUMBERS) {
        assert_ok(ctx, table_of(ctx, &table, "x y z", values, ROWS, COLUMNS));
    } else {
        assert_ok(ctx, cairn_table_new(ctx, &table, ROWS));
        assert_ok(ctx, cairn_table_add_texts(ctx, table, "word", texts));
    }
    return table;
}

/* Zero to itself, the same in both directions, never negative, and the triangle inequality where
 * it is claimed. */
static void check_metric(const char *name, const double *d, size_t n, bool is_metric)
{
    for (size_t i = 0; i < n; i++) {
        if (d[i * n + i] != 0) fail_msg("%s: row %zu is not at 0 from itself", name, i + 1);
        for (size_t j = 0; j < n; j++) {
            if (!(d[i * n + j] >= 0) || d[i * n + j] != d[j * n + i])
                fail_msg("%s: %.17g and %.17g", name, d[i * n + j], d[j * n + i]);
            for (size_t k = 0; is_metric && k < n; k++)
                if (d[i * n + j] > (d[i * n + k] + d[k * n + j]) * (1 + 1e-12) + 1e-12)
                    fail_msg("%s: rows %zu, %zu and %zu break the triangle inequality", name, i + 1,
                             j + 1, k + 1);
        }
    }
}

static void test_distances__are_what_they_claim(void **state)
{
    cairn_context *ctx = *state;
    const cairn_entry *entry;
    size_t n = 0;
    for (; (entry = entry_of_kind(CAIRN_ENTRY_DISTANCE, n)); n++) {
        const cairn_distance *distance = (const cairn_distance *)entry;
        cairn_table *table = table_for(ctx, distance);
        cairn_metric metric;
        cairn_view view;
        double first[ROWS * ROWS], d[ROWS * ROWS];
        assert_ok(ctx, cairn_view_make(ctx, &view, table, cairn_all_rows(table)));
        assert_ok(ctx, cairn_metric_open(ctx, &metric, "--distance", entry->name));
        bool is_metric = metric.is_metric;
        cairn_metric_clear(&metric);
        for (int threads = 1; threads <= 3; threads += 2) {
            cairn_context_set_threads(ctx, threads);
            assert_ok(ctx, cairn_distance_matrix(ctx, d, &view, entry->name, NULL));
            if (threads == 1) memcpy(first, d, sizeof d);
        }
        assert_memory_equal(first, d, sizeof d);
        check_metric(entry->name, d, ROWS, is_metric);
        cairn_table_free(table);
    }
    assert_true(n >= 13);
}

/* A kernel that is an inner product has no negative eigenvalue. */
static void test_kernels__are_inner_products(void **state)
{
    cairn_context *ctx = *state;
    const cairn_entry *entry;
    size_t n = 0;
    for (; (entry = entry_of_kind(CAIRN_ENTRY_KERNEL, n)); n++) {
        if (((const cairn_kernel_function *)entry)->of_texts) continue;
        cairn_kernel use;
        double rows[ROWS * COLUMNS], gram[ROWS * ROWS], values[ROWS];
        for (size_t i = 0; i < ROWS * COLUMNS; i++) rows[i] = number(i + 1);
        assert_ok(ctx, cairn_kernel_open(ctx, &use, "--kernel", entry->name));
        for (size_t i = 0; i < ROWS; i++)
            for (size_t j = 0; j < ROWS; j++) {
                const double *a = rows + i * COLUMNS, *b = rows + j * COLUMNS;
                gram[i * ROWS + j] = cairn_kernel_value(&use, a, b, COLUMNS);
                assert_true(gram[i * ROWS + j] == cairn_kernel_value(&use, b, a, COLUMNS));
            }
        assert_ok(ctx, cairn_symmetric_eigen(ctx, values, NULL, gram, ROWS));
        if (!use.function->may_be_negative && values[ROWS - 1] < -1e-9 * values[0])
            fail_msg("%s has the eigenvalue %g", entry->name, values[ROWS - 1]);
    }
    assert_true(n >= 5);
}

static void test_kernels__values(void **state)
{
    cairn_context *ctx = *state;
    static const double a[] = {1, 2}, b[] = {3, -1};
    static const struct {
        const char *spec;
        double value;
    } wanted[] = {
        {"linear", 1},
        {"poly", 1},
        {"poly:degree=3,offset=1", 8},
        {"poly:degree=2,factor=0.5,offset=2", 6.25},
        {"rbf", 2.260329406981055e-06},       /* exp(-13) */
        {"rbf:sigma=2", 0.19691167520419406}, /* exp(-13/8) */
        {"rbf:variance=4", 0.19691167520419406},
        {"rbf:gamma=0.125", 0.19691167520419406},
        {"laplace:sigma=2", 0.16484071454660576}, /* exp(-sqrt(13)/2) */
        {"sigmoid:factor=2,offset=-1", 0.7615941559557649},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        cairn_kernel use;
        assert_ok(ctx, cairn_kernel_open(ctx, &use, "--kernel", wanted[i].spec));
        double value = cairn_kernel_value(&use, a, b, 2);
        if (fabs(value - wanted[i].value) > 1e-12) fail_msg("%s: %.17g", wanted[i].spec, value);
    }
    cairn_kernel use;
    assert_fails(ctx, cairn_kernel_open(ctx, &use, "--kernel", "rbff"), CAIRN_USAGE,
                 "--kernel: there is no kernel 'rbff'; did you mean 'rbf'?");
    cairn_metric metric;
    assert_fails(ctx, cairn_metric_open(ctx, &metric, "distance", "kernel:spectrum"), CAIRN_USAGE,
                 "spectrum compares texts");
}

/* Ordered levels are steps apart, others the same or not. */
static void test_gower__ordered_levels(void **state)
{
    cairn_context *ctx = *state;
    static const char *const sizes[] = {"s", "m", "l"}, *const colours[] = {"red", "blue"};
    static const int32_t size[] = {0, 1, 2}, colour[] = {0, 1, 0};
    cairn_table *table;
    cairn_view view;
    double d[9];
    assert_ok(ctx, cairn_table_new(ctx, &table, 3));
    assert_ok(ctx, cairn_table_add_levels(ctx, table, "size", size, sizes, 3));
    assert_ok(ctx, cairn_table_add_levels(ctx, table, "colour", colour, colours, 2));
    table->slots[0].column->ordered = true;
    assert_ok(ctx, cairn_view_make(ctx, &view, table, cairn_all_rows(table)));
    assert_ok(ctx, cairn_distance_matrix(ctx, d, &view, "gower", NULL));
    assert_true(d[1] == 0.75 && d[2] == 0.5 && d[5] == 0.75);
    cairn_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_distances__are_what_they_claim),
        context_test(test_kernels__are_inner_products),
        context_test(test_kernels__values),
        context_test(test_gower__ordered_levels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
