/* SPDX-License-Identifier: MIT */
/* Frequent item sets: every engine finds the sets that a count over all subsets finds. */
#include "support/unit.h"
#include "support/fail_alloc.h"
#include "base/random.h"
#include "cairn/cairn.h"
#include "items/items.h"

#include <math.h>
#include <stdio.h>

enum { ITEMS = 9 };

/* Random baskets as text, an item per letter; every seed another density. */
static void make_baskets(char *out, size_t size, size_t n, uint64_t seed)
{
    cairn_random random;
    size_t used = 0;
    cairn_random_start(&random, seed, 3);
    double density = 0.15 + 0.1 * (double)(seed % 7);
    for (size_t i = 0; i < n; i++) {
        bool any = false;
        for (size_t j = 0; j < ITEMS; j++)
            if (cairn_random_uniform(&random) < density * (0.5 + (double)j / ITEMS)) {
                used += (size_t)snprintf(out + used, size - used, "%s%c", any ? " " : "",
                                         (char)('a' + j));
                any = true;
            }
        used += (size_t)snprintf(out + used, size - used, "%s\n", any ? "" : "z");
    }
}

static cairn_table *read_baskets(cairn_context *ctx, const char *text)
{
    cairn_table *table = NULL;
    assert_ok(ctx, cairn_table_read_memory(ctx, &table, "x.basket", text, strlen(text), NULL));
    return table;
}

static cairn_status make(cairn_context *ctx, cairn_transactions *out, const cairn_table *table)
{
    cairn_view view;
    cairn_status status = cairn_view_make(ctx, &view, table, cairn_all_rows(table));
    return status ? status : cairn_transactions_make(ctx, out, &view);
}

/* How many transactions hold all items of the set of bits. */
static uint64_t support_of(const cairn_transactions *t, uint32_t bits)
{
    uint64_t support = 0;
    for (size_t i = 0; i < t->n; i++) {
        uint32_t found = 0;
        for (size_t j = t->starts[i]; j < t->starts[i + 1]; j++)
            found |= (uint32_t)1 << t->items[j];
        if ((found & bits) == bits) support += t->counts ? t->counts[i] : 1;
    }
    return support;
}

static uint32_t bits_of(const cairn_itemsets *s, size_t i)
{
    uint32_t bits = 0;
    for (size_t j = s->starts[i]; j < s->starts[i + 1]; j++) bits |= (uint32_t)1 << s->items[j];
    return bits;
}

/* Each set once, with its support, and none missing; closed and maximal by their definitions. */
static void check_sets(const cairn_transactions *t, const cairn_itemsets *s, uint64_t least)
{
    uint8_t seen[1 << (ITEMS + 1)] = {0};
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) {
        uint32_t bits = bits_of(s, i);
        assert_int_equal(seen[bits]++, 0);
        assert_int_equal(s->supports[i], support_of(t, bits));
        for (size_t j = s->starts[i] + 1; j < s->starts[i + 1]; j++)
            assert_true(s->items[j] > s->items[j - 1]);
        bool closed = true, maximal = true;
        for (uint32_t j = 0; j < t->n_items; j++) {
            if (bits >> j & 1) continue;
            uint64_t larger = support_of(t, bits | (uint32_t)1 << j);
            closed &= larger < s->supports[i];
            maximal &= larger < least;
        }
        assert_int_equal((s->marks[i] & CAIRN_SET_CLOSED) != 0, closed);
        assert_int_equal((s->marks[i] & CAIRN_SET_MAXIMAL) != 0, maximal);
    }
    for (uint32_t bits = 0; bits < (uint32_t)1 << t->n_items; bits++)
        n += support_of(t, bits) >= least;
    assert_int_equal(s->n, n);
}

static void test_mine__all_engines_find_what_is_there(void **state)
{
    static const cairn_miner miners[] = {CAIRN_MINE_AUTO,  CAIRN_MINE_APRIORI,   CAIRN_MINE_BREADTH,
                                         CAIRN_MINE_ECLAT, CAIRN_MINE_FP_GROWTH, CAIRN_MINE_LISTS};
    char text[4000];
    for (uint64_t seed = 1; seed <= 20; seed++) {
        make_baskets(text, sizeof text, 5 + seed * 3, seed);
        cairn_table *table = read_baskets(*state, text);
        cairn_transactions t;
        cairn_itemsets first = {0};
        assert_ok(*state, make(*state, &t, table));
        for (size_t m = 0; m < sizeof miners / sizeof *miners; m++) {
            cairn_mine_options options = {
                .miner = miners[m], .support = 1 + seed % 4, .empty = true, .marks = true};
            cairn_itemsets sets;
            assert_ok(*state, cairn_mine(*state, &sets, &t, &options));
            check_sets(&t, &sets, options.support);
            if (m == 0) {
                first = sets;
                continue;
            }
            assert_int_equal(sets.n, first.n); /* the same sets in the same order */
            assert_memory_equal(sets.items, first.items, sets.starts[sets.n] * sizeof(int32_t));
            cairn_itemsets_clear(&sets);
        }
        cairn_itemsets_clear(&first);
        cairn_transactions_clear(&t);
        cairn_table_free(table);
    }
}

/* Items that come only together, and one that is everywhere: the sets that are written twice
 * instead of being found twice stand where they belong. */
static void test_mine__items_that_come_together(void **state)
{
    static const char text[] = "a b c d e f\na b c d f\nc d e f\na b f\n"
                               "c d f g h\nf g h\na b g h f\n";
    static const cairn_miner miners[] = {CAIRN_MINE_APRIORI, CAIRN_MINE_BREADTH, CAIRN_MINE_ECLAT,
                                         CAIRN_MINE_FP_GROWTH, CAIRN_MINE_LISTS};
    cairn_table *table = read_baskets(*state, text);
    cairn_transactions t;
    assert_ok(*state, make(*state, &t, table));
    for (uint64_t support = 1; support <= 4; support++) {
        for (size_t most = 0; most <= 4; most++) {
            cairn_itemsets first = {0};
            for (size_t m = 0; m < sizeof miners / sizeof *miners; m++) {
                cairn_mine_options options = {.miner = miners[m],
                                              .support = support,
                                              .most = most,
                                              .empty = true,
                                              .marks = !most};
                cairn_itemsets sets;
                assert_ok(*state, cairn_mine(*state, &sets, &t, &options));
                if (!most) check_sets(&t, &sets, support);
                if (m == 0) {
                    first = sets;
                    continue;
                }
                assert_int_equal(sets.n, first.n);
                assert_memory_equal(sets.items, first.items, sets.starts[sets.n] * sizeof(int32_t));
                assert_memory_equal(sets.supports, first.supports, sets.n * sizeof(uint64_t));
                cairn_itemsets_clear(&sets);
            }
            cairn_itemsets_clear(&first);
        }
    }
    cairn_transactions_clear(&t);
    cairn_table_free(table);
}

/* A weight is the transaction so many times. */
static void test_mine__weights_are_repeated_transactions(void **state)
{
    static const char weighted[] = "a,b,c,w\n1,1,0,3\n0,1,1,2\n1,1,1,1\n1,0,0,0\n";
    static const cairn_miner miners[] = {CAIRN_MINE_ECLAT, CAIRN_MINE_FP_GROWTH, CAIRN_MINE_LISTS,
                                         CAIRN_MINE_APRIORI};
    cairn_table *table = NULL;
    cairn_transactions t;
    assert_ok(*state,
              cairn_table_read_memory(*state, &table, "x.csv", weighted, strlen(weighted), NULL));
    assert_ok(*state, cairn_table_set_role(*state, table, "w", CAIRN_WEIGHT));
    assert_ok(*state, make(*state, &t, table));
    assert_int_equal(t.total, 6);
    for (size_t m = 0; m < sizeof miners / sizeof *miners; m++) {
        cairn_mine_options options = {
            .miner = miners[m], .support = 3, .empty = true, .marks = true};
        cairn_itemsets sets;
        assert_ok(*state, cairn_mine(*state, &sets, &t, &options));
        check_sets(&t, &sets, 3);
        cairn_itemsets_clear(&sets);
    }
    cairn_transactions_clear(&t);
    cairn_table_free(table);
}

/* A small random table of 0 and 1 with weights, some of them 0, as text. */
static void make_weighted(char *out, size_t size, uint64_t seed)
{
    enum { COLUMNS = 5 };
    cairn_random random;
    cairn_random_start(&random, seed, 7);
    size_t n = 1 + (size_t)cairn_random_below(&random, 8), used = 0;
    used += (size_t)snprintf(out, size, "a,b,c,d,e,w\n");
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < COLUMNS; j++)
            used += (size_t)snprintf(out + used, size - used, "%d,",
                                     (int)cairn_random_below(&random, 2));
        used +=
            (size_t)snprintf(out + used, size - used, "%d\n", (int)cairn_random_below(&random, 4));
    }
}

/* 2,000 tables, every engine against counting; the least support may be more than anything has. */
static void test_mine__random_weighted_tables(void **state)
{
    char text[400];
    cairn_context_set_threads(*state, 1);
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        cairn_table *table = NULL;
        cairn_transactions t;
        make_weighted(text, sizeof text, seed);
        assert_ok(*state,
                  cairn_table_read_memory(*state, &table, "x.csv", text, strlen(text), NULL));
        assert_ok(*state, cairn_table_set_role(*state, table, "w", CAIRN_WEIGHT));
        assert_ok(*state, make(*state, &t, table));
        for (cairn_miner m = CAIRN_MINE_AUTO; m <= CAIRN_MINE_LISTS; m++) {
            cairn_mine_options options = {
                .miner = m, .support = 1 + seed % 12, .empty = true, .marks = true};
            cairn_itemsets sets;
            assert_ok(*state, cairn_mine(*state, &sets, &t, &options));
            check_sets(&t, &sets, options.support);
            cairn_itemsets_clear(&sets);
        }
        cairn_transactions_clear(&t);
        cairn_table_free(table);
    }
}

static void test_transactions__of_ordinary_tables(void **state)
{
    cairn_table *table = NULL;
    cairn_transactions t;
    assert_ok(*state, cairn_table_read(*state, &table, "@weather", NULL));
    assert_ok(*state, make(*state, &t, table));
    assert_int_equal(t.n, 14);
    assert_true(cairn_map_find(&t.names, "outlook=sunny", 13) >= 0);
    assert_int_equal(t.starts[1], 4); /* one value per feature */
    cairn_transactions_clear(&t);
    cairn_table_free(table);
}

static void test_transactions__of_tables_of_yes_and_no(void **state)
{
    static const char text[] = "milk,red wine,n\nyes,no,1\n?,yes,0\nyes,yes,1\n";
    cairn_table *table = NULL;
    cairn_transactions t;
    cairn_view view;
    assert_ok(*state, cairn_table_read_memory(*state, &table, "x.csv", text, strlen(text), NULL));
    assert_ok(*state, cairn_view_make(*state, &view, table, cairn_all_rows(table)));
    assert_ok(*state, cairn_transactions_present(*state, &t, &view, "yes"));
    assert_int_equal(t.n_items, 3);
    assert_string_equal(cairn_map_key(&t.names, 1), "red wine");
    assert_int_equal(t.starts[1] - t.starts[0], 2); /* milk, n */
    assert_int_equal(t.starts[2] - t.starts[1], 1); /* red wine */
    assert_int_equal(t.starts[3] - t.starts[2], 3);
    cairn_transactions_clear(&t);
    assert_int_equal(cairn_transactions_present(*state, &t, &view, "ja"), CAIRN_BAD_DATA);
    assert_non_null(strstr(cairn_message(*state), "no column holds the level 'ja'"));
    cairn_transactions_clear(&t);
    cairn_table_free(table);
}

static void test_transactions__refusals_name_column_and_row(void **state)
{
    static const char *const cases[][2] = {
        {"a,b\n1,0\n0,7\n",
         "column 'b', row 2: a number column of transactions holds 0 and 1, not 7"},
        {"a,w\n1,1.5\n0,1\n",
         "row 1 has the weight 1.5: weights of transactions are whole numbers"},
    };
    for (size_t i = 0; i < 2; i++) {
        cairn_table *table = NULL;
        cairn_transactions t;
        assert_ok(*state, cairn_table_read_memory(*state, &table, "x.csv", cases[i][0],
                                                  strlen(cases[i][0]), NULL));
        if (i) assert_ok(*state, cairn_table_set_role(*state, table, "w", CAIRN_WEIGHT));
        assert_true(make(*state, &t, table) != CAIRN_OK);
        assert_non_null(strstr(cairn_message(*state), cases[i][1]));
        cairn_transactions_clear(&t);
        cairn_table_free(table);
    }
}

static void test_mine__sizes_are_limited(void **state)
{
    cairn_table *table = read_baskets(*state, "a b c d\na b c d\na b\n");
    cairn_transactions t;
    assert_ok(*state, make(*state, &t, table));
    for (cairn_miner m = CAIRN_MINE_APRIORI; m <= CAIRN_MINE_LISTS; m++) {
        cairn_mine_options options = {.miner = m, .support = 2, .most = 2};
        cairn_itemsets sets;
        assert_ok(*state, cairn_mine(*state, &sets, &t, &options));
        assert_int_equal(sets.n, 4 + 6);
        cairn_itemsets_keep(&sets, 0, 2);
        assert_int_equal(sets.n, 6);
        cairn_itemsets_clear(&sets);
    }
    cairn_transactions_clear(&t);
    cairn_table_free(table);
}

/* More sets than memory holds: said, with what to do. */
static void test_mine__too_many_sets_are_refused(void **state)
{
    char text[2000];
    size_t used = 0;
    for (int row = 0; row < 3; row++) {
        for (int i = 0; i < 40; i++)
            used += (size_t)snprintf(text + used, sizeof text - used, "%si%d", i ? " " : "", i);
        used += (size_t)snprintf(text + used, sizeof text - used, "\n");
    }
    cairn_table *table = read_baskets(*state, text);
    cairn_transactions t;
    cairn_itemsets sets;
    cairn_mine_options options = {.miner = CAIRN_MINE_ECLAT, .support = 3};
    assert_ok(*state, make(*state, &t, table));
    cairn_context_set_memory(*state, (size_t)64 << 20);
    assert_int_equal(cairn_mine(*state, &sets, &t, &options), CAIRN_NO_MEMORY);
    assert_non_null(strstr(cairn_message(*state), "Raise 'support'"));
    assert_non_null(strstr(cairn_message(*state), "about "));
    cairn_itemsets_clear(&sets);
    for (cairn_miner m = CAIRN_MINE_APRIORI; m <= CAIRN_MINE_LISTS; m++) { /* none runs on and on */
        options.miner = m;
        assert_int_equal(cairn_mine(*state, &sets, &t, &options), CAIRN_NO_MEMORY);
        cairn_itemsets_clear(&sets);
    }
    cairn_transactions_clear(&t);
    cairn_table_free(table);
}

/* About the right number: the largest of several guesses that are right on average. */
static void test_mine__number_of_sets_is_estimated(void **state)
{
    char text[4000];
    for (uint64_t seed = 1; seed <= 6; seed++) {
        make_baskets(text, sizeof text, 60, seed);
        cairn_table *table = read_baskets(*state, text);
        cairn_transactions t;
        cairn_itemsets sets;
        double estimate = NAN;
        cairn_mine_options options = {.miner = CAIRN_MINE_LISTS, .support = 2};
        assert_ok(*state, make(*state, &t, table));
        assert_ok(*state, cairn_mine(*state, &sets, &t, &options));
        assert_ok(*state, cairn_mine_estimate(*state, &estimate, &t, &options));
        assert_true(estimate > 0.5 * (double)sets.n && estimate < 3 * (double)sets.n);
        cairn_itemsets_clear(&sets);
        cairn_transactions_clear(&t);
        cairn_table_free(table);
    }
}

/* The number of the item of this name. */
static uint32_t bit_of(const cairn_transactions *t, const char *name)
{
    int64_t item = cairn_map_find(&t->names, name, strlen(name));
    assert_true(item >= 0);
    return (uint32_t)1 << item;
}

/* Two columns may make items of one name, which is then one item: once in a transaction. */
static void test_transactions__columns_share_items_of_one_name(void **state)
{
    static const char rows[] = "color,color=red,k\nred,0,u\nblue,1,u\nred,1,v\nblue,0,v\n";
    cairn_table *table = NULL;
    cairn_transactions t = {0};
    assert_ok(*state, cairn_table_read_memory(*state, &table, "x.csv", rows, strlen(rows), NULL));
    assert_ok(*state, make(*state, &t, table));
    assert_int_equal(t.n_items, 4);
    assert_int_equal(t.starts[t.n], 9);
    assert_int_equal(support_of(&t, bit_of(&t, "color=red")), 3);
    assert_int_equal(support_of(&t, bit_of(&t, "k=u")), 2);
    assert_int_equal(support_of(&t, bit_of(&t, "k=u") | bit_of(&t, "color=red")), 2);
    assert_int_equal(support_of(&t, bit_of(&t, "k=v") | bit_of(&t, "color=red")), 1);
    for (cairn_miner m = CAIRN_MINE_APRIORI; m <= CAIRN_MINE_LISTS; m++) {
        cairn_mine_options options = {.miner = m, .support = 1, .marks = true};
        cairn_itemsets sets;
        assert_ok(*state, cairn_mine(*state, &sets, &t, &options));
        check_sets(&t, &sets, 1);
        cairn_itemsets_clear(&sets);
    }
    cairn_transactions_clear(&t);
    cairn_table_free(table);
}

/* Ways down the search are as long as the longest transaction. */
static void test_mine__a_very_long_transaction_is_refused_soon(void **state)
{
    enum { MANY = 30000 };
    cairn_text text = cairn_text_start(*state);
    cairn_mine_options options = {.support = 1};
    cairn_transactions t = {0};
    cairn_itemsets sets;
    double about;
    for (int i = 0; i < MANY; i++) cairn_text_addf(&text, "i%d ", i);
    cairn_text_add(&text, "\nother\n");
    assert_ok(*state, cairn_text_status(&text));
    cairn_table *table = read_baskets(*state, cairn_text_string(&text));
    assert_ok(*state, make(*state, &t, table));
    assert_ok(*state, cairn_mine_estimate(*state, &about, &t, &options));
    assert_true(about >= 1e100);
    assert_int_equal(cairn_mine(*state, &sets, &t, &options), CAIRN_NO_MEMORY);
    assert_non_null(strstr(cairn_message(*state), "more than 1e+100 item sets"));
    cairn_itemsets_clear(&sets);
    cairn_context_cancel(*state);
    assert_int_equal(cairn_mine_estimate(*state, &about, &t, &options), CAIRN_CANCELLED);
    cairn_transactions_clear(&t);
    cairn_table_free(table);
    cairn_text_clear(&text);
}

/* On the board: what was counted in vain, and what needed no counting. */
static void test_mine__steps_of_apriori_show_lost_candidates(void **state)
{
    cairn_table *table = read_baskets(*state, "a b c\na b d\na c d\nb c\n");
    cairn_report *report = NULL;
    cairn_transactions t = {0};
    cairn_itemsets sets;
    char *text = NULL;
    assert_ok(*state, make(*state, &t, table));
    assert_ok(*state, cairn_report_new(*state, &report));
    cairn_mine_options options = {.miner = CAIRN_MINE_APRIORI, .support = 2, .steps = report};
    assert_ok(*state, cairn_mine(*state, &sets, &t, &options));
    assert_ok(*state, cairn_report_print(*state, report, CAIRN_FORMAT_TEXT, NULL, &text));
    assert_non_null(strstr(text, "Candidates that are not frequent"));
    assert_non_null(strstr(text, "{d, b}"));
    cairn_string_free(text);
    cairn_itemsets_clear(&sets);
    cairn_report_free(report);
    cairn_transactions_clear(&t);
    cairn_table_free(table);
}

static cairn_status mine_all(cairn_context *ctx, void *data)
{
    cairn_transactions t = {0};
    cairn_status status = make(ctx, &t, data);
    for (cairn_miner m = CAIRN_MINE_APRIORI; status == CAIRN_OK && m <= CAIRN_MINE_LISTS; m++) {
        cairn_mine_options options = {.miner = m, .support = 2, .marks = true};
        cairn_itemsets sets;
        status = cairn_mine(ctx, &sets, &t, &options);
        cairn_itemsets_clear(&sets);
    }
    cairn_transactions_clear(&t);
    return status;
}

static void test_mine__survives_failing_allocations(void **state)
{
    cairn_table *table = read_baskets(*state, "a b c\na b\nb c d\na b c d\nd\n");
    assert_survives_allocation_failures(mine_all, table);
    cairn_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_mine__all_engines_find_what_is_there),
        context_test(test_mine__items_that_come_together),
        context_test(test_mine__weights_are_repeated_transactions),
        context_test(test_mine__random_weighted_tables),
        context_test(test_transactions__of_ordinary_tables),
        context_test(test_transactions__of_tables_of_yes_and_no),
        context_test(test_transactions__refusals_name_column_and_row),
        context_test(test_mine__sizes_are_limited),
        context_test(test_mine__too_many_sets_are_refused),
        context_test(test_mine__number_of_sets_is_estimated),
        context_test(test_transactions__columns_share_items_of_one_name),
        context_test(test_mine__a_very_long_transaction_is_refused_soon),
        context_test(test_mine__steps_of_apriori_show_lost_candidates),
        context_test(test_mine__survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
