/* SPDX-License-Identifier: MIT */
/* Association rules against their definitions. */
#include "support/unit.h"
#include "base/random.h"
#include "cairn/cairn.h"
#include "items/items.h"
#include "stats/hypergeometric.h"

#include <math.h>
#include <stdio.h>

#define assert_near(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

typedef struct rules {
    cairn_table *table;
    cairn_transactions t;
    cairn_itemsets sets;
    cairn_association *list;
    size_t n;
} rules;

/* The transactions of a text in the format of its name, or of built-in data when it is NULL, and
 * their frequent sets unless the support is 0. */
static rules mine(cairn_context *ctx, const char *name, const char *text, uint64_t support)
{
    rules r = {0};
    cairn_view view;
    cairn_mine_options mining = {.support = support};
    assert_ok(ctx, text ? cairn_table_read_memory(ctx, &r.table, name, text, strlen(text), NULL)
                        : cairn_table_read(ctx, &r.table, name, NULL));
    assert_ok(ctx, cairn_view_make(ctx, &view, r.table, cairn_all_rows(r.table)));
    assert_ok(ctx, cairn_transactions_make(ctx, &r.t, &view));
    if (support) assert_ok(ctx, cairn_mine(ctx, &r.sets, &r.t, &mining));
    return r;
}

static cairn_status associate(cairn_context *ctx, rules *r, const cairn_rule_options *options)
{
    return cairn_associations(ctx, &r->list, &r->n, &r->t, &r->sets, options);
}

static rules find(cairn_context *ctx, uint64_t support, cairn_rule_options options)
{
    rules r = mine(ctx, "@baskets", NULL, support);
    assert_ok(ctx, associate(ctx, &r, &options));
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

/* -- against the definitions -- */

enum { ITEMS = 6, ROWS = 25 };

static uint32_t bits_of(const cairn_itemsets *s, size_t set)
{
    uint32_t bits = 0;
    for (size_t j = set == SIZE_MAX ? 0 : s->starts[set]; set != SIZE_MAX && j < s->starts[set + 1];
         j++)
        bits |= (uint32_t)1 << s->items[j];
    return bits;
}

static double count(const uint32_t *rows, uint32_t bits)
{
    double n = 0;
    for (size_t i = 0; i < ROWS; i++) n += (rows[i] & bits) == bits;
    return n;
}

/* Whether the rule is one that the options ask for. */
static bool belongs(const uint32_t *rows, uint32_t body, uint32_t head, double least,
                    const cairn_rule_options *o)
{
    double both = count(rows, body | head), confidence = both / count(rows, body);
    if (both < least || confidence < o->confidence - 1e-12) return false;
    if (o->most_head && (size_t)__builtin_popcount(head) > o->most_head) return false;
    if (!body && !o->empty_body) return false;
    if (o->above_chance && both * ROWS <= count(rows, body) * count(rows, head)) return false;
    for (uint32_t part = (body - 1) & body; o->only_better && body; part = (part - 1) & body) {
        if (count(rows, part | head) / count(rows, part) >= confidence - 1e-12) return false;
        if (!part) break;
    }
    return true;
}

static void check_rules(cairn_context *ctx, const cairn_transactions *t, const uint32_t *rows,
                        uint64_t least, const cairn_rule_options *o)
{
    static uint8_t seen[1 << ITEMS][1 << ITEMS];
    cairn_itemsets sets;
    cairn_association *list;
    size_t n, wanted = 0;
    cairn_mine_options mining = {.support = least};
    assert_ok(ctx, cairn_mine(ctx, &sets, t, &mining));
    assert_ok(ctx, cairn_associations(ctx, &list, &n, t, &sets, o));
    memset(seen, 0, sizeof seen);
    for (size_t i = 0; i < n; i++) {
        uint32_t body = bits_of(&sets, list[i].body), head = bits_of(&sets, list[i].head);
        assert_int_equal(seen[body][head]++, 0);
        assert_true(head && !(body & head));
        assert_true(belongs(rows, body, head, (double)least, o));
        assert_near(list[i].confidence, count(rows, body | head) / count(rows, body), 1e-12);
        if (i) assert_true(list[i].confidence <= list[i - 1].confidence);
    }
    for (uint32_t body = 0; body < 1 << ITEMS; body++)
        for (uint32_t head = 1; head < 1 << ITEMS; head++)
            if (!(body & head)) wanted += belongs(rows, body, head, (double)least, o);
    assert_int_equal(n, wanted);
    cairn_itemsets_clear(&sets);
}

static void test_associations__are_those_of_the_definition(void **state)
{
    for (uint64_t seed = 1; seed <= 8; seed++) {
        char text[4000] = "a,b,c,d,e,f\n";
        uint32_t rows[ROWS];
        size_t used = strlen(text);
        cairn_random random;
        cairn_random_start(&random, seed, 5);
        for (size_t i = 0; i < ROWS; i++) {
            rows[i] = (uint32_t)(cairn_random_below(&random, 64) | cairn_random_below(&random, 64));
            for (size_t j = 0; j < ITEMS; j++)
                used += (size_t)snprintf(text + used, sizeof text - used, "%u%s", rows[i] >> j & 1,
                                         j + 1 < ITEMS ? "," : "\n");
        }
        rules r = mine(*state, "x.csv", text, 0);
        for (uint32_t k = 0; k < 16; k++) {
            cairn_rule_options o = {.confidence = k & 1 ? 0.75 : 0,
                                    .lift = NAN,
                                    .level = NAN,
                                    .empty_body = k & 2,
                                    .above_chance = k & 4,
                                    .only_better = k & 8,
                                    .most_head = seed % 3};
            check_rules(*state, &r.t, rows, 2 + seed, &o);
        }
        drop(&r);
    }
}

/* A head that all transactions have: nothing could contradict the rule, 0/0. */
static void test_associations__conviction_of_what_always_holds(void **state)
{
    static const char text[] = "a b\nb\na b\n";
    rules r = mine(*state, "x.basket", text, 1);
    cairn_rule_options o = {.confidence = 1, .lift = NAN, .level = NAN, .empty_body = true};
    assert_ok(*state, associate(*state, &r, &o));
    assert_int_equal(r.n, 2); /* true -> b, a -> b */
    for (size_t i = 0; i < r.n; i++) assert_true(isnan(r.list[i].conviction));
    drop(&r);
}

/* Sixteen items that are always together: 3^16 rules, which is said before they are looked for. */
static void test_associations__too_many_rules_are_refused(void **state)
{
    static const char text[] = "a b c d e f g h i j k l m n o p\na b c d e f g h i j k l m n o p\n";
    rules r = mine(*state, "x.basket", text, 2);
    cairn_rule_options o = {.confidence = 0.5, .lift = NAN, .level = NAN};
    cairn_context_set_memory(*state, (size_t)64 << 30); /* memory is no reason to go on */
    assert_int_equal(associate(*state, &r, &o), CAIRN_NO_MEMORY);
    assert_non_null(strstr(cairn_message(*state), "65535 frequent sets give about 4.3e+07 rules"));
    cairn_context_set_memory(*state, (size_t)200 << 20);
    assert_int_equal(associate(*state, &r, &o), CAIRN_NO_MEMORY);
    o.most_head = 1; /* few enough: 16 * 2^15 - 16 */
    assert_ok(*state, associate(*state, &r, &o));
    assert_int_equal(r.n, 16 * (1 << 15) - 16);
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
        context_test(test_associations__are_those_of_the_definition),
        context_test(test_associations__conviction_of_what_always_holds),
        context_test(test_associations__too_many_rules_are_refused),
        context_test(test_hypergeometric__tails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
