/* SPDX-License-Identifier: MIT */
#include "data/view.h"
#include "support/fail_alloc.h"
#include <math.h>

static cairn_table *table_of(cairn_context *ctx, const char *text)
{
    cairn_table *t = NULL;
    assert_ok(ctx, cairn_table_read_memory(ctx, &t, "x.csv", text, strlen(text), NULL));
    return t;
}

static void test_view__blocks_of_all_rows_and_of_some(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t;
    enum { N = 50 };
    double a[N], b[N], y[N], block[2 * N], numbers[N], weights[N];
    cairn_view view;
    for (int i = 0; i < N; i++) {
        a[i] = i;
        b[i] = 100 + i;
        y[i] = -i;
    }
    assert_ok(ctx, cairn_table_new(ctx, &t, N));
    assert_ok(ctx, cairn_table_add_numbers(ctx, t, "a", a));
    assert_ok(ctx, cairn_table_add_numbers(ctx, t, "y", y));
    assert_ok(ctx, cairn_table_add_numbers(ctx, t, "b", b));
    assert_ok(ctx, cairn_table_set_role(ctx, t, "y", CAIRN_TARGET));
    assert_ok(ctx, cairn_view_make(ctx, &view, t, cairn_all_rows(t)));
    assert_int_equal(view.n_features, 2);
    assert_string_equal(view.names[1], "b");
    assert_string_equal(view.target_name, "y");
    assert_false(cairn_view_is_weighted(&view));
    cairn_view_block(&view, 3, 40, block);
    for (int i = 0; i < 40; i++) {
        assert_true(block[2 * i] == 3 + i);
        assert_true(block[2 * i + 1] == 103 + i);
    }
    const uint32_t rows[] = {7, 7, 2, 49};
    const double factors[] = {1, 2, 1, 1};
    assert_ok(ctx, cairn_view_make(ctx, &view, t, (cairn_rows){rows, 4, factors}));
    assert_true(cairn_view_is_weighted(&view));
    assert_int_equal(cairn_view_row(&view, 3), 49);
    cairn_view_block(&view, 1, 3, block);
    assert_true(block[0] == 7 && block[3] == 102 && block[4] == 49);
    cairn_view_target_numbers(&view, 0, 4, numbers);
    assert_true(numbers[1] == -7 && numbers[2] == -2);
    cairn_view_weights(&view, 0, 4, weights);
    assert_true(weights[0] == 1 && weights[1] == 2);
    cairn_table_free(t);
}

static void test_view__weight_column_and_codes(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = table_of(ctx, "x,w,c\n1,0.5,p\n2,2,q\n3,1,p\n");
    cairn_view view;
    int32_t codes[3];
    double weights[3];
    const uint32_t rows[] = {2, 1, 0};
    const double factors[] = {2, 2, 2};
    assert_ok(ctx, cairn_table_set_role(ctx, t, "w", CAIRN_WEIGHT));
    assert_ok(ctx, cairn_table_set_role(ctx, t, "c", CAIRN_TARGET));
    assert_ok(ctx, cairn_view_make(ctx, &view, t, (cairn_rows){rows, 3, factors}));
    assert_int_equal(view.n_features, 1);
    cairn_view_weights(&view, 0, 3, weights);
    assert_true(weights[0] == 2 && weights[1] == 4 && weights[2] == 1);
    cairn_view_target_codes(&view, 1, 2, codes);
    assert_int_equal(codes[0], 1);
    assert_int_equal(codes[1], 0);
    assert_ok(ctx, cairn_view_make(ctx, &view, t, cairn_all_rows(t)));
    assert_true(cairn_view_is_weighted(&view));
    cairn_view_target_codes(&view, 0, 3, codes);
    assert_int_equal(codes[1], 1);
    cairn_table_free(t);
}

/* Vectors of two numbers per step, also of rows in another order; steps that do not go together. */
static void test_view__series(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = table_of(ctx, "x,y\n1 2,3 ?\n4,5\n?,\n");
    cairn_view view;
    cairn_number_series runs[2];
    const uint32_t rows[] = {1, 0};
    assert_ok(ctx, cairn_table_apply_kinds(ctx, t, "x=series,y=series", NULL));
    assert_ok(ctx, cairn_view_make(ctx, &view, t, (cairn_rows){rows, 2, NULL}));
    cairn_view_series(&view, 1, 0, 2, runs);
    assert_int_equal(runs[0].n, 1);
    assert_true(runs[0].values[0] == 5 && !runs[0].missing);
    assert_int_equal(runs[1].n, 2);
    assert_true(runs[1].values[0] == 3 && isnan(runs[1].values[1]));
    assert_int_equal(cairn_view_steps(&view), 0);
    assert_int_equal(cairn_view_n_steps(&view, 0, 1), 2);
    assert_ok(ctx, cairn_view_check_steps(ctx, &view));
    cairn_table_free(t);
    t = table_of(ctx, "x,w\n1 2,a b\n4 5,a\n");
    assert_ok(ctx, cairn_table_apply_kinds(ctx, t, "x=series,w=sequence", NULL));
    assert_ok(ctx, cairn_view_make(ctx, &view, t, cairn_all_rows(t)));
    assert_int_equal(cairn_view_steps(&view), 1);
    assert_fails(ctx, cairn_view_check_steps(ctx, &view), CAIRN_BAD_DATA,
                 "row 2: 'w' has 1 steps and 'x' has 2");
    cairn_table_free(t);
}

static void test_view__bad_weights_are_refused(void **state)
{
    cairn_context *ctx = *state;
    static const char *const texts[] = {"x,w\n1,1\n2,-0.5\n", "x,w\n1,1\n2,?\n", "x,w\n1,1\n2,z\n"};
    static const char *const parts[] = {"-0.5 in row 2", "missing in row 2", "'z' in row 2"};
    for (int i = 0; i < 3; i++) {
        cairn_table *t = table_of(ctx, texts[i]);
        cairn_view view;
        assert_ok(ctx, cairn_table_set_role(ctx, t, "w", CAIRN_WEIGHT));
        assert_fails(ctx, cairn_view_make(ctx, &view, t, cairn_all_rows(t)), CAIRN_BAD_DATA,
                     parts[i]);
        cairn_table_free(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_view__blocks_of_all_rows_and_of_some),
        context_test(test_view__weight_column_and_codes),
        context_test(test_view__series),
        context_test(test_view__bad_weights_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
