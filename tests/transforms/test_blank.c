/* SPDX-License-Identifier: MIT */
/* Cells that are disturbed on purpose: blank, and noise on levels and on new rows. */
#include "support/unit.h"
#include "base/memory.h"
#include "model/chain.h"
#include <math.h>

enum { N = 20000 };

static cairn_table *make_table(cairn_context *ctx)
{
    static const char *const names[] = {"a", "b", "c", "d"};
    cairn_table *table;
    double *x;
    int32_t *codes;
    assert_ok(ctx, SCRATCH(ctx, &x, N));
    assert_ok(ctx, SCRATCH(ctx, &codes, N));
    for (int i = 0; i < N; i++) x[i] = i, codes[i] = i % 4;
    assert_ok(ctx, cairn_table_new(ctx, &table, N));
    assert_ok(ctx, cairn_table_add_numbers(ctx, table, "x", x));
    assert_ok(ctx, cairn_table_add_levels(ctx, table, "level", codes, names, 4));
    return table;
}

/* Fit on the table; the training rows as they became go to *made, new rows to *applied. */
static void run(cairn_context *ctx, const char *spec, const cairn_table *table, cairn_table **made,
                cairn_table **applied)
{
    const char *with[] = {spec, NULL};
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    cairn_model *model;
    options.with = with;
    assert_ok(ctx, cairn_recipe_fit(ctx, &model, made, table, &options));
    assert_ok(ctx, cairn_recipe_apply(ctx, applied, model, table));
    cairn_model_free(model);
}

static size_t changed(const cairn_table *a, const cairn_table *b, const char *name)
{
    const cairn_column *x = a->slots[cairn_table_find(a, name)].column;
    const cairn_column *y = b->slots[cairn_table_find(b, name)].column;
    size_t n = 0;
    for (size_t i = 0; i < x->n_rows; i++)
        n += x->codes ? x->codes[i] != y->codes[i]
                      : isnan(y->numbers[i]) || x->numbers[i] != y->numbers[i];
    return n;
}

static void assert_about(size_t n, double share)
{
    double sd = sqrt(N * share * (1 - share));
    if (fabs((double)n - N * share) > 5 * sd) fail_msg("%zu is not about %g", n, N * share);
}

static void check(cairn_context *ctx, const char *spec, double train_x, double train_level,
                  double new_x, double new_level)
{
    cairn_table *table = make_table(ctx), *made, *applied;
    run(ctx, spec, table, &made, &applied);
    assert_about(changed(table, made, "x"), train_x);
    assert_about(changed(table, made, "level"), train_level);
    assert_about(changed(table, applied, "x"), new_x);
    assert_about(changed(table, applied, "level"), new_level);
    cairn_table_free(made);
    cairn_table_free(applied);
    cairn_table_free(table);
}

static void test_blank__makes_gaps_where_it_is_reported(void **state)
{
    check(*state, "blank:0.2", 0.2, 0.2, 0, 0);
    check(*state, "blank:share=0.2,rows=new", 0, 0, 0.2, 0.2);
    check(*state, "blank:share=0.3,rows=all", 0.3, 0.3, 0.3, 0.3);
    check(*state, "blank:share=0.3,columns=x", 0.3, 0, 0, 0);
    check(*state, "blank:share=1", 1, 1, 0, 0);
    check(*state, "blank:share=0", 0, 0, 0, 0);
}

/* Of the levels that are drawn anew, a quarter come out as they were. */
static void test_noise__draws_levels_anew(void **state)
{
    check(*state, "noise:sd=0.5", 1, 0, 0, 0);
    check(*state, "noise:sd=0.5,levels=0.4", 1, 0.3, 0, 0);
    check(*state, "noise:sd=0.5,levels=0.4,rows=new", 0, 0, 1, 0.3);
    check(*state, "noise:sd=0,levels=1,rows=all", 0, 0.75, 0, 0.75);
}

static void test_blank__counts_the_gaps(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *table = make_table(ctx), *made, *applied;
    run(ctx, "blank:0.2", table, &made, &applied);
    for (size_t c = 0; c < made->n_columns; c++) {
        const cairn_column *column = made->slots[c].column;
        size_t n = 0;
        for (size_t i = 0; i < column->n_rows; i++) n += cairn_column_is_missing(column, i);
        assert_int_equal(n, column->n_missing);
        assert_true(n > 0);
    }
    cairn_table_free(made);
    cairn_table_free(applied);
    cairn_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_blank__makes_gaps_where_it_is_reported),
        context_test(test_noise__draws_levels_anew),
        context_test(test_blank__counts_the_gaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
