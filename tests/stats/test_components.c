/* SPDX-License-Identifier: MIT */
/* Products of columns and rows, principal components, scores and the way back. */
#include "support/fail_alloc.h"
#include "support/learn.h"
#include "data/table.h"
#include "stats/components.h"

static uint64_t number_state;

static double draw(void)
{
    number_state ^= number_state << 13;
    number_state ^= number_state >> 7;
    number_state ^= number_state << 17;
    return (double)(number_state >> 11) * 0x1p-53 - 0.5;
}

/* A table of n rows and p columns c0, c1 ...; whole numbers from 0 to 255 when `bytes`. */
static cairn_table *make(cairn_context *ctx, size_t n, size_t p, bool bytes)
{
    cairn_table *table;
    double *column = malloc((n + 1) * sizeof *column);
    number_state = 88172645463325252u + n;
    assert_ok(ctx, cairn_table_new(ctx, &table, n));
    for (size_t j = 0; j < p; j++) {
        char name[32];
        snprintf(name, sizeof name, "c%zu", j);
        for (size_t i = 0; i < n; i++)
            column[i] = bytes ? floor((draw() + 0.5) * 256) : draw() * (double)(1 + j % 7) + 3;
        assert_ok(ctx, cairn_table_add_numbers(ctx, table, name, column));
    }
    free(column);
    return table;
}

static cairn_view view_of(cairn_context *ctx, const cairn_table *table)
{
    cairn_view view;
    assert_ok(ctx, cairn_view_make(ctx, &view, table, cairn_all_rows(table)));
    return view;
}

/* Against sums made one by one in long double. */
static void check_products(cairn_context *ctx, const cairn_view *view, double tolerance)
{
    size_t p = view->n_features, n = view->rows.n;
    cairn_centre centre;
    double *products = malloc(p * p * sizeof *products);
    assert_ok(ctx, cairn_centre_of(ctx, &centre, view, "test"));
    assert_ok(ctx, cairn_column_products(ctx, products, view, &centre));
    for (size_t j = 0; j < p; j += 13)
        for (size_t k = 0; k < p; k += 17) {
            long double a = 0, b = 0, w = 0, sum = 0;
            for (size_t i = 0; i < n; i++) {
                w += cairn_view_weight(view, i);
                a += cairn_view_weight(view, i) * view->features[j]->numbers[i];
                b += cairn_view_weight(view, i) * view->features[k]->numbers[i];
            }
            for (size_t i = 0; i < n; i++)
                sum += cairn_view_weight(view, i) * (view->features[j]->numbers[i] - a / w) *
                       (view->features[k]->numbers[i] - b / w);
            double got = products[j * p + k];
            if (fabs(got - (double)sum) > tolerance * (double)n)
                fail_msg("%zu, %zu: %.17g, not %.17g", j, k, got, (double)sum);
            assert_true(got == products[k * p + j]);
        }
    free(products);
}

static void test_products__of_few_and_of_many_columns(void **state)
{
    cairn_context *ctx = *state;
    static const struct {
        size_t n, p;
        bool bytes;
    } shapes[] = {{5, 3, false},    {3000, 20, false}, {700, 130, false},
                  {700, 300, true}, {20000, 97, true}, {1, 100, true}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        cairn_table *table = make(ctx, shapes[s].n, shapes[s].p, shapes[s].bytes);
        cairn_view view = view_of(ctx, table);
        check_products(ctx, &view, shapes[s].bytes ? 1e-9 : 1e-13);
        cairn_table_free(table);
    }
}

/* Whole numbers from 0 to 255 are summed exactly: the result is the one of exact integers. */
static void test_products__of_bytes_are_exact(void **state)
{
    cairn_context *ctx = *state;
    enum { N = 4099, P = 120 };
    cairn_table *table = make(ctx, N, P, true);
    cairn_view view = view_of(ctx, table);
    cairn_centre centre;
    double *products = malloc(P * P * sizeof *products);
    assert_ok(ctx, cairn_centre_of(ctx, &centre, &view, "test"));
    assert_true(centre.whole);
    assert_ok(ctx, cairn_column_products(ctx, products, &view, &centre));
    for (size_t j = 0; j < P; j += 7)
        for (size_t k = 0; k < P; k += 11) {
            int64_t a = 0, b = 0, ab = 0;
            for (size_t i = 0; i < N; i++) {
                int64_t x = (int64_t)view.features[j]->numbers[i];
                int64_t y = (int64_t)view.features[k]->numbers[i];
                a += x, b += y, ab += x * y;
            }
            long double wanted = (long double)ab - (long double)a * (long double)b / N;
            assert_true(fabsl(products[j * P + k] - wanted) <= 1e-9L * fabsl(wanted) + 1e-6L);
        }
    free(products);
    cairn_table_free(table);
}

/* Weights are repeats: the same means, products and components. */
static void test_components__weights_are_repeats(void **state)
{
    cairn_context *ctx = *state;
    static const double few[] = {1, 2, 1, 4, 0, 2, -1, 3, 3};
    static const double many[] = {1, 2, 4, 0, 4, 0, -1, 3, -1, 3, -1, 3};
    cairn_table *a, *b;
    cairn_components x, y;
    cairn_component_options options = {.share = 1, .scale = true};
    assert_ok(ctx, table_of(ctx, &a, "x y w", few, 3, 3));
    assert_ok(ctx, table_of(ctx, &b, "x y", many, 6, 2));
    assert_ok(ctx, cairn_table_set_role(ctx, a, "w", CAIRN_WEIGHT));
    cairn_view va = view_of(ctx, a), vb = view_of(ctx, b);
    assert_ok(ctx, cairn_components_fit(ctx, &x, &va, &options, "test", NULL));
    assert_ok(ctx, cairn_components_fit(ctx, &y, &vb, &options, "test", NULL));
    for (size_t k = 0; k < 2; k++) {
        assert_true(fabs(x.values[k] - y.values[k]) < 1e-12);
        assert_true(fabs(x.means[k] - y.means[k]) < 1e-12);
        for (size_t j = 0; j < 2; j++)
            assert_true(fabs(x.vectors[2 * k + j] - y.vectors[2 * k + j]) < 1e-12);
    }
    cairn_components_clear(&x);
    cairn_components_clear(&y);
    cairn_table_free(a);
    cairn_table_free(b);
}

static cairn_components fit(cairn_context *ctx, const cairn_view *view,
                            cairn_component_options options)
{
    cairn_components c;
    assert_ok(ctx, cairn_components_fit(ctx, &c, view, &options, "test", NULL));
    return c;
}

/* Vectors are of length 1 and at right angles; scores have the variances; all of them go back. */
static void check_components(cairn_context *ctx, const cairn_view *view, const cairn_components *c,
                             bool exact_back)
{
    size_t p = c->n_columns, n = view->rows.n;
    const double **columns = malloc(p * sizeof *columns);
    double **scores = malloc(c->n * sizeof *scores), **back = malloc(p * sizeof *back);
    for (size_t a = 0; a < c->n; a++)
        for (size_t b = 0; b < c->n; b++) {
            double sum = 0;
            for (size_t j = 0; j < p; j++) sum += c->vectors[a * p + j] * c->vectors[b * p + j];
            if (fabs(sum - (a == b)) > 1e-9) fail_msg("vectors %zu and %zu: %g", a, b, sum);
        }
    for (size_t j = 0; j < p; j++) columns[j] = view->features[j]->numbers;
    for (size_t j = 0; j < p; j++) back[j] = malloc(n * sizeof **back);
    for (size_t k = 0; k < c->n; k++) scores[k] = malloc(n * sizeof **scores);
    assert_ok(ctx, cairn_components_scores(ctx, scores, c, false, columns, n));
    assert_ok(ctx, cairn_components_back(ctx, back, c, (const double *const *)scores, n));
    for (size_t k = 0; k < c->n; k++) {
        double squares = 0;
        for (size_t i = 0; i < n; i++) squares += scores[k][i] * scores[k][i];
        if (fabs(squares / c->below - c->values[k]) > 1e-9 * (1 + c->values[0]))
            fail_msg("component %zu: variance %g, not %g", k, squares / c->below, c->values[k]);
    }
    for (size_t j = 0; exact_back && j < p; j++)
        for (size_t i = 0; i < n; i++) assert_true(fabs(back[j][i] - columns[j][i]) < 1e-9);
    for (size_t j = 0; j < p; j++) free(back[j]);
    for (size_t k = 0; k < c->n; k++) free(scores[k]);
    free(columns), free(scores), free(back);
}

static void test_components__vectors_scores_and_back(void **state)
{
    cairn_context *ctx = *state;
    static const size_t shapes[][2] = {{50, 6}, {6, 50}, {300, 150}, {150, 300}, {7, 7}, {1, 3}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        cairn_table *table = make(ctx, shapes[s][0], shapes[s][1], false);
        cairn_view view = view_of(ctx, table);
        cairn_components c = fit(ctx, &view, (cairn_component_options){.share = 1});
        assert_int_equal(c.n, shapes[s][0] < shapes[s][1] ? shapes[s][0] : shapes[s][1]);
        assert_true(c.by_rows == (shapes[s][1] > shapes[s][0]));
        check_components(ctx, &view, &c, true);
        cairn_components few = fit(ctx, &view, (cairn_component_options){.n = 1, .share = 1});
        check_components(ctx, &view, &few, false);
        assert_true(fabs(few.values[0] - c.values[0]) <= 1e-10 * (1 + c.values[0]));
        cairn_components_clear(&few);
        cairn_components_clear(&c);
        cairn_table_free(table);
    }
}

/* The two routes agree where both can be taken: 60 rows of 59 and of 61 columns share 59. */
static void test_components__by_rows_and_by_columns_agree(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *table = make(ctx, 60, 61, false);
    cairn_view wide = view_of(ctx, table), narrow = wide;
    double wanted = 0, got = 0;
    cairn_components a =
        fit(ctx, &wide, (cairn_component_options){.share = 1, .divide_by_n = true});
    double *covariance;
    cairn_components b;
    cairn_component_options options = {.share = 1, .divide_by_n = true};
    narrow.n_features = 59;
    assert_ok(ctx, cairn_components_fit(ctx, &b, &narrow, &options, "test", &covariance));
    for (size_t k = 0; k < 60; k++) got += a.values[k];
    for (size_t j = 0; j < 59; j++) wanted += covariance[j * 59 + j];
    assert_true(fabs(got - a.total) < 1e-10 && fabs(wanted - b.total) < 1e-10);
    assert_true(a.values[59] < 1e-10); /* centred rows depend on each other */
    cairn_components_clear(&a);
    cairn_components_clear(&b);
    cairn_table_free(table);
}

static void test_components__signs_and_shares(void **state)
{
    cairn_context *ctx = *state;
    double v[] = {0, -0.1, 0.9, -0.9};
    assert_true(cairn_vector_sign(v, 4, CAIRN_SIGN_FIRST));
    assert_true(v[1] == 0.1 && v[2] == -0.9);
    assert_true(cairn_vector_sign(v, 4, CAIRN_SIGN_LARGEST));
    assert_true(v[1] == -0.1 && v[2] == 0.9);
    assert_false(cairn_vector_sign(v, 4, CAIRN_SIGN_LARGEST));
    static const double rows[] = {10, 1, 0, -10, 1, 0, 0, -2, 0.1, 0, 0, -0.1};
    cairn_table *table;
    assert_ok(ctx, table_of(ctx, &table, "x y z", rows, 4, 3));
    cairn_view view = view_of(ctx, table);
    static const struct {
        double share;
        size_t wanted;
    } shares[] = {{0.5, 1}, {0.98, 2}, {0.99995, 3}, {1, 3}};
    for (size_t i = 0; i < 4; i++) {
        cairn_components c = fit(ctx, &view, (cairn_component_options){.share = shares[i].share});
        assert_int_equal(c.n, shares[i].wanted);
        cairn_components_clear(&c);
    }
    cairn_table_free(table);
}

static void test_components__refuse_bad_input(void **state)
{
    cairn_context *ctx = *state;
    double rows[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    cairn_table *table;
    cairn_components c;
    cairn_component_options options = {.n = 4, .share = 1};
    assert_ok(ctx, table_of(ctx, &table, "x y z", rows, 3, 3));
    cairn_view view = view_of(ctx, table);
    assert_fails(ctx, cairn_components_fit(ctx, &c, &view, &options, "pca", NULL), CAIRN_BAD_DATA,
                 "more components than columns");
    cairn_components_clear(&c);
    view.rows.n = 2;
    options.n = 3;
    assert_fails(ctx, cairn_components_fit(ctx, &c, &view, &options, "pca", NULL), CAIRN_BAD_DATA,
                 "more components than rows");
    cairn_components_clear(&c);
    view.rows.n = 3;
    table->slots[1].column->numbers[2] = NAN;
    assert_fails(ctx, cairn_components_fit(ctx, &c, &view, &options, "pca", NULL), CAIRN_BAD_DATA,
                 "pca: column 'y' is missing in row 3; fill it first (with=impute");
    cairn_components_clear(&c);
    table->slots[1].column->numbers[2] = -INFINITY;
    assert_fails(ctx, cairn_components_fit(ctx, &c, &view, &options, "pca", NULL), CAIRN_BAD_DATA,
                 "column 'y' is infinite in row 3");
    cairn_components_clear(&c);
    table->slots[1].column->numbers[2] = 1e300;
    assert_fails(ctx, cairn_components_fit(ctx, &c, &view, &options, "pca", NULL), CAIRN_BAD_DATA,
                 "too large");
    cairn_components_clear(&c);
    cairn_table_free(table);
}

static cairn_status fit_and_forget(cairn_context *ctx, void *data)
{
    cairn_table *table;
    cairn_view view;
    cairn_components c = {0};
    cairn_component_options options = {.n = 2, .share = 1, .scale = true};
    cairn_status status;
    TRY(table_of(ctx, &table, "a b c d", data, 5, 4));
    status = cairn_view_make(ctx, &view, table, cairn_all_rows(table));
    if (status == CAIRN_OK) status = cairn_components_fit(ctx, &c, &view, &options, "test", NULL);
    cairn_components_clear(&c);
    if (status == CAIRN_OK) {
        view.rows.n = 3; /* more columns than rows */
        status = cairn_components_fit(ctx, &c, &view, &options, "test", NULL);
        cairn_components_clear(&c);
    }
    cairn_table_free(table);
done:
    return status;
}

static void test_components__survive_failing_allocations(void **state)
{
    (void)state;
    double rows[] = {1, 0, 3, 2, 5, 1, 7, 8, 2, 2, 9, 1, 0, 0, 4, 6, 5, 4, 4, 1};
    assert_survives_allocation_failures(fit_and_forget, rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_products__of_few_and_of_many_columns),
        context_test(test_products__of_bytes_are_exact),
        context_test(test_components__weights_are_repeats),
        context_test(test_components__vectors_scores_and_back),
        context_test(test_components__by_rows_and_by_columns_agree),
        context_test(test_components__signs_and_shares),
        context_test(test_components__refuse_bad_input),
        context_test(test_components__survive_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
