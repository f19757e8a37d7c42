/* SPDX-License-Identifier: MIT */
/* Association rules against their definitions. */
#include "support/unit.h"
#include "cairn/cairn.h"
#include "items/items.h"
#include "stats/hypergeometric.h"

#include <math.h>

#define assert_near(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

typedef struct rules {
    cairn_table *table;
    cairn_transactions t;
    cairn_itemsets sets;
    cairn_association *list;
    size_t n;
} rules;

static rules find(cairn_context *ctx, uint64_t support, cairn_rule_options options)
{
    rules r = {0};
    cairn_view view;
    cairn_mine_options mining = {.support = support};
    assert_ok(ctx, cairn_table_read(ctx, &r.table, "@baskets", NULL));
    assert_ok(ctx, cairn_view_make(ctx, &view, r.table, cairn_all_rows(r.table)));
    assert_ok(ctx, cairn_transactions_make(ctx, &r.t, &view));
    assert_ok(ctx, cairn_mine(ctx, &r.sets, &r.t, &mining));
    assert_ok(ctx, cairn_associations(ctx, &r.list, &r.n, &r.t, &r.sets, &options));
    return r;
}

static void drop(rules *r)
{
    cairn_itemsets_clear(&r->sets);
    cairn_transactions_clear(&r->t);
    cairn_table_free(r->table);
}

static void test_associations__of_the_baskets(void **state)
{
    rules r = find(
        *state, 3,
        (cairn_rule_options){.confidence = 0.6, .lift = NAN, .level = NAN, .empty_body = true});
    assert_int_equal(r.n, 3);
    assert_near(r.list[0].confidence, 1, 1e-12); /* beer -> crisps */
    assert_near(r.list[0].lift, 1.6, 1e-12);
    assert_near(r.list[0].leverage, 3.0 / 8 - 3.0 / 8 * 5 / 8, 1e-12);
    assert_true(isinf(r.list[0].conviction));
    /* of the 8 transactions 5 have crisps; all 3 with beer are among them: C(5,3) / C(8,3) */
    assert_near(r.list[0].p_value, 10.0 / 56, 1e-12);
    assert_true(r.list[1].body == SIZE_MAX); /* true -> crisps */
    assert_near(r.list[1].confidence, 0.625, 1e-12);
    assert_near(r.list[1].lift, 1, 1e-12);
    assert_near(r.list[2].confidence, 0.6, 1e-12);
    assert_near(r.list[2].conviction, (1 - 3.0 / 8) / 0.4, 1e-12);
    drop(&r);
}

static void test_associations__filters(void **state)
{
    rules r = find(*state, 1, (cairn_rule_options){.confidence = 0, .lift = 1.01, .level = NAN});
    for (size_t i = 0; i < r.n; i++) assert_true(r.list[i].lift > 1);
    size_t all = r.n;
    drop(&r);
    r = find(*state, 1,
             (cairn_rule_options){.confidence = 0, .lift = 1.01, .level = NAN, .most_head = 1});
    assert_true(r.n < all);
    for (size_t i = 0; i < r.n; i++)
        assert_int_equal(r.sets.starts[r.list[i].head + 1] - r.sets.starts[r.list[i].head], 1);
    drop(&r);
    /* beer -> crisps always holds: nothing with more in the body is better */
    r = find(*state, 1,
             (cairn_rule_options){
                 .confidence = 1, .lift = NAN, .level = NAN, .most_head = 1, .only_better = true});
    assert_true(r.n >= 1);
    for (size_t i = 0; i < r.n; i++)
        if (r.list[i].head == r.list[0].head)
            assert_int_equal(r.sets.starts[r.list[i].body + 1] - r.sets.starts[r.list[i].body], 1);
    drop(&r);
}

/* Against sums of products of binomial coefficients. */
static void test_hypergeometric__tails(void **state)
{
    (void)state;
    for (unsigned total = 1; total <= 12; total++)
        for (unsigned a = 0; a <= total; a++)
            for (unsigned b = 0; b <= total; b++)
                for (unsigned k = 0; k <= 13; k++) {
                    double sum = 0;
                    for (unsigned j = k; j <= a && j <= b; j++) {
                        if (b - j > total - a) continue;
                        sum += exp(lgamma(a + 1.0) - lgamma(j + 1.0) - lgamma(a - j + 1.0) +
                                   lgamma(total - a + 1.0) - lgamma(b - j + 1.0) -
                                   lgamma(total - a - b + j + 1.0) - lgamma(total + 1.0) +
                                   lgamma(b + 1.0) + lgamma(total - b + 1.0));
                    }
                    assert_near(cairn_hypergeometric_upper(k, a, b, total), sum, 1e-12);
                }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_associations__of_the_baskets),
        context_test(test_associations__filters),
        context_test(test_hypergeometric__tails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
