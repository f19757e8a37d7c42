/* SPDX-License-Identifier: MIT */
#include "base/random.h"
#include "base/text.h"
#include "cairn/reshape.h"
#include "data/table.h"
#include "support/fail_alloc.h"

#include <math.h>
#include <stdio.h>

static cairn_table *table_of(cairn_context *ctx, const char *text)
{
    cairn_table *t = NULL;
    assert_ok(ctx, cairn_table_read_memory(ctx, &t, "t.csv", text, strlen(text), NULL));
    return t;
}

static const char sales[] = "shop,day,item,price,n\n"
                            "Bonn,2026-01-03,tea,3.5,2\n"
                            "Kiel,2026-01-01,milk,1.25,5\n"
                            "Bonn,2026-01-02,tea,3.75,1\n"
                            "Bonn,2026-01-01,milk,,4\n"
                            "Kiel,2026-01-02,?,2,3\n";

static const char items[] = "item,kind,price\ntea,drink,3\nmilk,dairy,1\nbread,bakery,2\n";

/* The cells of a table, a line per row. */
static void assert_cells(const cairn_table *t, const char *wanted)
{
    char text[2048] = "", cell[80];
    for (size_t i = 0; i < t->n_rows; i++)
        for (size_t k = 0; k < t->n_columns; k++) {
            cairn_table_cell(t, k, i, cell, sizeof cell);
            strcat(strcat(text, cell), k + 1 < t->n_columns ? "," : "\n");
        }
    assert_string_equal(text, wanted);
}

static void test_reshape__sort_puts_missing_last_either_way(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = table_of(ctx, "a,b\n2,x\n?,y\n1,z\n2,v\n"), *up = NULL, *down = NULL;
    assert_ok(ctx, cairn_table_sort(ctx, &up, t, "a"));
    assert_cells(up, "1,z\n2,x\n2,v\n?,y\n");
    assert_ok(ctx, cairn_table_sort(ctx, &down, t, "a:desc"));
    assert_cells(down, "2,x\n2,v\n1,z\n?,y\n");
    cairn_table_free(down);
    cairn_table_free(up);
    cairn_table_free(t);
}

static void test_reshape__levels_sort_as_declared(void **state)
{
    cairn_context *ctx = *state;
    cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
    const char text[] = "size\nlow\nhigh\nmiddle\nlow\n";
    cairn_table *t = NULL, *sorted = NULL;
    options.kinds = "size=ordered(low,middle,high)";
    assert_ok(ctx, cairn_table_read_memory(ctx, &t, "t.csv", text, strlen(text), &options));
    assert_ok(ctx, cairn_table_sort(ctx, &sorted, t, "-size"));
    assert_cells(sorted, "high\nmiddle\nlow\nlow\n");
    cairn_table_free(sorted);
    cairn_table_free(t);
}

static void test_reshape__aggregates_use_weights_like_repeated_rows(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = table_of(ctx, "g,x,w\na,1,2\na,4,1\nb,5,0\na,?,3\nb,7,1\n");
    cairn_table *u = table_of(ctx, "g,x\na,1\na,1\na,4\na,?\na,?\na,?\nb,7\n");
    cairn_table *weighted = NULL, *repeated = NULL;
    static const char all[] = "count(),count(x),missing(x),sum(x),mean(x),var(x),sd(x),median(x),"
                              "quantile(x,0.3),min(x),max(x),first(x),last(x),distinct(x),mode(x),"
                              "share(),s=share(x)";
    assert_ok(ctx, cairn_table_set_role(ctx, t, "w", CAIRN_WEIGHT));
    assert_ok(ctx, cairn_table_aggregate(ctx, &weighted, t, "g", all));
    assert_ok(ctx, cairn_table_aggregate(ctx, &repeated, u, "g", all));
    assert_int_equal(weighted->n_columns, 18);
    for (size_t k = 1; k < 18; k++)
        for (size_t i = 0; i < 2; i++) {
            double a = cairn_table_numbers(weighted, k)[i], b = cairn_table_numbers(repeated, k)[i];
            if (isnan(a) != isnan(b) || fabs(a - b) > 1e-12)
                fail_msg("%s: %.17g and %.17g", cairn_table_name(weighted, k), a, b);
        }
    cairn_table_free(weighted);
    cairn_table_free(repeated);
    cairn_table_free(u);
    cairn_table_free(t);
}

static void test_reshape__times_stay_times(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = table_of(ctx, sales), *out = NULL;
    assert_ok(ctx, cairn_table_aggregate(ctx, &out, t, "shop", "max(day),mean(day)"));
    assert_cells(out, "Bonn,2026-01-03,2026-01-02 00:00\nKiel,2026-01-02,2026-01-01 12:00\n");
    cairn_table_free(out);
    cairn_table_free(t);
}

static void test_reshape__whole_table_is_one_group(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = table_of(ctx, sales), *out = NULL;
    assert_ok(ctx, cairn_table_aggregate(ctx, &out, t, NULL, "count(),sum(n),mode(item)"));
    assert_cells(out, "5,15,tea\n");
    cairn_table_free(out);
    cairn_table_free(t);
}

static void test_reshape__join_counts_and_names(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *left = table_of(ctx, sales), *right = table_of(ctx, items), *out = NULL;
    cairn_join_options options = CAIRN_JOIN_OPTIONS_INIT;
    cairn_join_counts counts;
    options.kind = CAIRN_JOIN_FULL;
    assert_ok(ctx, cairn_table_join(ctx, &out, left, right, "item", &options, &counts));
    assert_cells(out, "Bonn,2026-01-03,tea,3.5,2,drink,3\nKiel,2026-01-01,milk,1.25,5,dairy,1\n"
                      "Bonn,2026-01-02,tea,3.75,1,drink,3\nBonn,2026-01-01,milk,?,4,dairy,1\n"
                      "Kiel,2026-01-02,?,2,3,?,?\n?,?,bread,?,?,bakery,2\n");
    assert_string_equal(cairn_table_name(out, 6), "price_2");
    assert_int_equal(counts.left_matched, 4);
    assert_int_equal(counts.left_unmatched, 1);
    assert_int_equal(counts.right_matched, 2);
    assert_int_equal(counts.right_unmatched, 1);
    assert_int_equal(counts.many_to_many, 0);
    cairn_table_free(out);
    cairn_table_free(right);
    cairn_table_free(left);
}

static void test_reshape__join_with_itself_multiplies(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = table_of(ctx, sales), *out = NULL;
    cairn_join_counts counts;
    assert_ok(ctx, cairn_table_join(ctx, &out, t, t, "shop", NULL, &counts));
    assert_int_equal(out->n_rows, 3 * 3 + 2 * 2);
    assert_int_equal(counts.pairs, 13);
    assert_int_equal(counts.left_several, 5);
    assert_int_equal(counts.many_to_many, 2);
    cairn_table_free(out);
    cairn_table_free(t);
}

static void test_reshape__missing_keys_match_only_when_asked(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = table_of(ctx, "k,x\n?,1\n?,2\n"), *out = NULL;
    cairn_join_options options = CAIRN_JOIN_OPTIONS_INIT;
    assert_ok(ctx, cairn_table_join(ctx, &out, t, t, "k", &options, NULL));
    assert_int_equal(out->n_rows, 0);
    cairn_table_free(out);
    options.match_missing = true;
    assert_ok(ctx, cairn_table_join(ctx, &out, t, t, "k", &options, NULL));
    assert_int_equal(out->n_rows, 4);
    cairn_table_free(out);
    cairn_table_free(t);
}

static void test_reshape__join_carries_bags(void **state)
{
    cairn_context *ctx = *state;
    cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
    static const char rows[] = "1 1:2 2:1\n2 3:1\n";
    cairn_table *left = table_of(ctx, "class\n2\n3\n1\n"), *right = NULL, *out = NULL;
    cairn_join_options how = CAIRN_JOIN_OPTIONS_INIT;
    options.format = "libsvm";
    how.kind = CAIRN_JOIN_LEFT;
    assert_ok(ctx, cairn_table_read_memory(ctx, &right, "r.libsvm", rows, strlen(rows), &options));
    char on[80] = "class=";
    strcat(on, cairn_table_name(right, 0));
    if (cairn_table_kind(right, 0) == CAIRN_BAG) strcpy(on + 6, cairn_table_name(right, 1));
    assert_ok(ctx, cairn_table_join(ctx, &out, left, right, on, &how, NULL));
    assert_int_equal(cairn_table_kind(out, 1), CAIRN_BAG);
    assert_cells(out, "2,3\n3,?\n1,1:2 2\n");
    cairn_table_free(out);
    cairn_table_free(right);
    cairn_table_free(left);
}

static void test_reshape__pivot_names_both_rows_of_a_cell(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = table_of(ctx, sales), *out = NULL;
    assert_fails(ctx, cairn_table_pivot(ctx, &out, t, "item", "n", "shop", NULL), CAIRN_BAD_DATA,
                 "rows 1 and 3 with shop = Bonn");
    assert_ok(ctx, cairn_table_pivot(ctx, &out, t, "item", NULL, "shop", "sum(n)"));
    assert_cells(out, "Bonn,4,3,?\nKiel,5,?,3\n");
    assert_string_equal(cairn_table_name(out, 3), "missing");
    cairn_table_free(out);
    cairn_table_free(t);
}

static void test_reshape__pivot_undoes_unpivot(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = table_of(ctx, "id,u,v\na,1,2\nb,?,4\n"), *tall = NULL, *wide = NULL;
    assert_ok(ctx, cairn_table_unpivot(ctx, &tall, t, "u,v", NULL, NULL, false));
    assert_cells(tall, "a,u,1\na,v,2\nb,u,?\nb,v,4\n");
    assert_ok(ctx, cairn_table_pivot(ctx, &wide, tall, "name", "value", NULL, NULL));
    assert_cells(wide, "a,1,2\nb,?,4\n");
    cairn_table_free(wide);
    cairn_table_free(tall);
    cairn_table_free(t);
}

static void test_reshape__empty_tables_pass(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = table_of(ctx, sales), *none = NULL, *out = NULL;
    assert_ok(ctx, cairn_table_limit(ctx, &none, t, 0));
    assert_ok(ctx, cairn_table_sort(ctx, &out, none, "shop,price"));
    cairn_table_free(out);
    assert_ok(ctx, cairn_table_aggregate(ctx, &out, none, "shop", "mean(price)"));
    assert_int_equal(out->n_rows, 0);
    cairn_table_free(out);
    assert_ok(ctx, cairn_table_aggregate(ctx, &out, none, NULL, "count(),mean(price),max(day)"));
    assert_cells(out, "0,?,?\n");
    cairn_table_free(out);
    assert_ok(ctx, cairn_table_join(ctx, &out, none, t, "shop", NULL, NULL));
    assert_int_equal(out->n_rows, 0);
    cairn_table_free(out);
    assert_ok(ctx, cairn_table_pivot(ctx, &out, none, "item", "n", "shop", NULL));
    assert_int_equal(out->n_columns, 1);
    cairn_table_free(out);
    assert_ok(ctx, cairn_table_unpivot(ctx, &out, none, "price,n", NULL, NULL, false));
    assert_int_equal(out->n_rows, 0);
    cairn_table_free(out);
    assert_ok(ctx, cairn_table_distinct(ctx, &out, none, NULL));
    cairn_table_free(out);
    cairn_table_free(none);
    cairn_table_free(t);
}

static void test_reshape__bad_requests_are_refused(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = table_of(ctx, sales), *right = table_of(ctx, items), *out = NULL;
    cairn_join_options options = CAIRN_JOIN_OPTIONS_INIT;
    assert_fails(ctx, cairn_table_sort(ctx, &out, t, "-prise"), CAIRN_USAGE, "'price'");
    assert_fails(ctx, cairn_table_sort(ctx, &out, t, ""), CAIRN_USAGE, "no column");
    assert_fails(ctx, cairn_table_aggregate(ctx, &out, t, "shop,shop", NULL), CAIRN_USAGE,
                 "named twice");
    assert_fails(ctx, cairn_table_aggregate(ctx, &out, t, "shop", "maen(n)"), CAIRN_USAGE,
                 "'mean'");
    assert_fails(ctx, cairn_table_aggregate(ctx, &out, t, "shop", "sum(item)"), CAIRN_USAGE,
                 "level column");
    assert_fails(ctx, cairn_table_aggregate(ctx, &out, t, "shop", "max(item)"), CAIRN_USAGE,
                 "no order");
    assert_fails(ctx, cairn_table_aggregate(ctx, &out, t, "shop", "quantile(n,1.5)"), CAIRN_USAGE,
                 "from 0 to 1");
    assert_fails(ctx, cairn_table_aggregate(ctx, &out, t, "shop", "sum(n"), CAIRN_USAGE,
                 "no aggregate");
    assert_fails(ctx, cairn_table_aggregate(ctx, &out, t, "shop", "shop=sum(n)"), CAIRN_USAGE,
                 "two columns");
    assert_fails(ctx, cairn_table_join(ctx, &out, t, right, "item=price", NULL, NULL), CAIRN_USAGE,
                 "level column");
    assert_fails(ctx, cairn_table_join(ctx, &out, t, right, "item,item", NULL, NULL), CAIRN_USAGE,
                 "twice");
    options.suffix = "";
    assert_fails(ctx, cairn_table_join(ctx, &out, t, right, "item", &options, NULL), CAIRN_USAGE,
                 "taken");
    assert_fails(ctx, cairn_table_unpivot(ctx, &out, t, "price,item", NULL, NULL, false),
                 CAIRN_USAGE, "do not go into one");
    assert_fails(ctx, cairn_table_unpivot(ctx, &out, t, "price", "shop", NULL, false), CAIRN_USAGE,
                 "already");
    assert_fails(ctx, cairn_table_pivot(ctx, &out, t, "item", NULL, NULL, NULL), CAIRN_USAGE,
                 "needs");
    cairn_table_free(right);
    cairn_table_free(t);
}

static void test_reshape__too_large_join_is_refused_before(void **state)
{
    cairn_context *ctx = *state;
    enum { N = 60000 };
    static double zeros[N];
    cairn_table *t = NULL, *out = NULL;
    assert_ok(ctx, cairn_table_new(ctx, &t, N));
    assert_ok(ctx, cairn_table_add_numbers(ctx, t, "k", zeros));
    assert_ok(ctx, cairn_table_add_numbers(ctx, t, "x", zeros));
    cairn_context_set_memory(ctx, (size_t)1 << 30);
    assert_fails(ctx, cairn_table_join(ctx, &out, t, t, "k", NULL, NULL), CAIRN_NO_MEMORY,
                 "3600000000 rows");
    cairn_table_free(t);
}

static void test_reshape__sample_keeps_order_and_seed(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = NULL, *a = NULL, *b = NULL;
    double numbers[100];
    for (int i = 0; i < 100; i++) numbers[i] = i;
    assert_ok(ctx, cairn_table_new(ctx, &t, 100));
    assert_ok(ctx, cairn_table_add_numbers(ctx, t, "x", numbers));
    assert_ok(ctx, cairn_table_sample(ctx, &a, t, 30));
    assert_ok(ctx, cairn_table_sample(ctx, &b, t, 30));
    assert_int_equal(a->n_rows, 30);
    for (size_t i = 1; i < 30; i++)
        assert_true(cairn_table_numbers(a, 0)[i] > cairn_table_numbers(a, 0)[i - 1]);
    assert_true(cairn_table_hash(a) == cairn_table_hash(b));
    cairn_table_free(a);
    cairn_table_free(b);
    cairn_table_free(t);
}

/* -- threads and memory -- */

/* Rows with a whole key, a real one and a number; enough for many blocks. */
static cairn_table *large_table(cairn_context *ctx, size_t n, uint64_t stream)
{
    cairn_table *t = NULL;
    cairn_random random;
    double *v = malloc(n * sizeof *v);
    assert_non_null(v);
    cairn_random_start(&random, 3, stream);
    assert_ok(ctx, cairn_table_new(ctx, &t, n));
    for (size_t i = 0; i < n; i++) v[i] = (double)cairn_random_below(&random, n / 4);
    assert_ok(ctx, cairn_table_add_numbers(ctx, t, "k", v));
    for (size_t i = 0; i < n; i++) v[i] = (double)cairn_random_below(&random, n) / 7;
    assert_ok(ctx, cairn_table_add_numbers(ctx, t, "r", v));
    for (size_t i = 0; i < n; i++) v[i] = cairn_random_normal(&random);
    assert_ok(ctx, cairn_table_add_numbers(ctx, t, "x", v));
    free(v);
    return t;
}

static uint64_t hash_and_free(cairn_table *t)
{
    uint64_t hash = cairn_table_hash(t);
    cairn_table_free(t);
    return hash;
}

static void reshape_all(cairn_context *ctx, int threads, uint64_t hashes[6])
{
    cairn_table *t = large_table(ctx, 300000, 0), *u = large_table(ctx, 200000, 1), *out = NULL;
    cairn_join_options full = CAIRN_JOIN_OPTIONS_INIT;
    full.kind = CAIRN_JOIN_FULL;
    cairn_context_set_threads(ctx, threads);
    assert_ok(ctx, cairn_table_sort(ctx, &out, t, "k,-r,x"));
    hashes[0] = hash_and_free(out);
    assert_ok(ctx, cairn_table_aggregate(ctx, &out, t, "k", "sum(x),median(x),var(x)"));
    hashes[1] = hash_and_free(out);
    assert_ok(ctx, cairn_table_aggregate(ctx, &out, t, "r,k", "sum(x)"));
    hashes[2] = hash_and_free(out);
    assert_ok(ctx, cairn_table_join(ctx, &out, t, u, "k", NULL, NULL));
    hashes[3] = hash_and_free(out);
    assert_ok(ctx, cairn_table_join(ctx, &out, t, u, "r", &full, NULL));
    hashes[4] = hash_and_free(out);
    assert_ok(ctx, cairn_table_distinct(ctx, &out, t, "r"));
    hashes[5] = hash_and_free(out);
    cairn_table_free(t);
    cairn_table_free(u);
}

static void test_reshape__same_bytes_for_any_number_of_threads(void **state)
{
    uint64_t one[6], four[6];
    reshape_all(*state, 1, one);
    reshape_all(*state, 4, four);
    for (int i = 0; i < 6; i++) assert_true(one[i] == four[i]);
}

static cairn_status reshape_some(cairn_context *ctx, void *data)
{
    cairn_table *t = NULL, *right = NULL, *out = NULL;
    cairn_join_options full = CAIRN_JOIN_OPTIONS_INIT;
    cairn_status status;
    (void)data;
    full.kind = CAIRN_JOIN_FULL;
    TRY(cairn_table_read_memory(ctx, &t, "t.csv", sales, strlen(sales), NULL));
    TRY(cairn_table_read_memory(ctx, &right, "i.csv", items, strlen(items), NULL));
    TRY(cairn_table_join(ctx, &out, t, right, "item", &full, NULL));
    cairn_table_free(out);
    out = NULL;
    TRY(cairn_table_aggregate(ctx, &out, t, "shop,price", "mode(item),median(n),mean(day)"));
    cairn_table_free(out);
    out = NULL;
    TRY(cairn_table_pivot(ctx, &out, t, "item", NULL, "shop", "sum(n)"));
    cairn_table_free(out);
    out = NULL;
    TRY(cairn_table_unpivot(ctx, &out, t, "shop,item", NULL, NULL, true));
    cairn_table_free(out);
    out = NULL;
    TRY(cairn_table_sort(ctx, &out, t, "item,-price"));
done:
    cairn_table_free(out);
    cairn_table_free(right);
    cairn_table_free(t);
    return status;
}

static void test_reshape__allocation_failures_are_survived(void **state)
{
    (void)state;
    assert_survives_allocation_failures(reshape_some, NULL);
}

/* Texts that share their beginnings, longer and shorter than a key has bytes. */
static void make_text(char *out, size_t size, uint64_t kind, uint64_t number)
{
    static const char *const forms[] = {"user_%08lu", "http://www.example.org/page/%lu/of/a/site",
                                        "%lu", "same for all of them whatever the number"};
    snprintf(out, size, forms[kind], (unsigned long)number);
}

/* The order that comparing the bytes of any two rows gives, equal ones as they stand, and groups of
 * the rows that are equal. */
static void test_reshape__texts_are_ordered_and_grouped_by_their_bytes(void **state)
{
    cairn_context *ctx = *state;
    enum { N = 30000 };
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
    cairn_table *t = NULL, *up = NULL, *down = NULL, *first = NULL, *joined = NULL;
    cairn_random random;
    char cell[2][80];
    options.kinds = "word=text";
    cairn_random_start(&random, 3, 0);
    cairn_text_add(&text, "word,at\n");
    for (size_t i = 0; i < N; i++) {
        make_text(cell[0], sizeof cell[0], cairn_random_below(&random, 4),
                  cairn_random_below(&random, 9000));
        cairn_text_addf(&text, "%s,%zu\n", i % 50 ? cell[0] : "?", i);
    }
    cairn_context_set_threads(ctx, 4);
    assert_ok(ctx, cairn_table_read_memory(ctx, &t, "t.csv", text.bytes, text.length, &options));
    assert_ok(ctx, cairn_table_sort(ctx, &up, t, "word"));
    assert_ok(ctx, cairn_table_sort(ctx, &down, t, "-word,-at"));
    size_t n_different = 0;
    for (size_t i = 0; i < N; i++) {
        bool missing = i >= N - N / 50;
        cairn_table_cell(up, 0, i, cell[i % 2], sizeof cell[0]);
        assert_int_equal(strcmp(cell[i % 2], "?") == 0, missing);
        int order = i ? strcmp(cell[(i + 1) % 2], cell[i % 2]) : -1;
        if (i && !missing) assert_true(order <= 0);
        if (i && order == 0)
            assert_true(cairn_table_numbers(up, 1)[i - 1] < cairn_table_numbers(up, 1)[i]);
        n_different += order != 0;
        size_t back = missing ? i : N - N / 50 - 1 - i;
        cairn_table_cell(down, 0, back, cell[(i + 1) % 2], sizeof cell[0]);
        assert_string_equal(cell[(i + 1) % 2], cell[i % 2]);
    }
    assert_ok(ctx, cairn_table_distinct(ctx, &first, t, "word"));
    assert_int_equal(cairn_table_rows(first), n_different);
    assert_ok(ctx, cairn_table_join(ctx, &joined, t, first, "word", NULL, NULL));
    assert_int_equal(cairn_table_rows(joined), N - N / 50);
    for (size_t i = 0; i < cairn_table_rows(joined); i++)
        assert_true(cairn_table_numbers(joined, 2)[i] <= cairn_table_numbers(joined, 1)[i]);
    cairn_table_free(t);
    cairn_table_free(up);
    cairn_table_free(down);
    cairn_table_free(first);
    cairn_table_free(joined);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_reshape__sort_puts_missing_last_either_way),
        context_test(test_reshape__levels_sort_as_declared),
        context_test(test_reshape__texts_are_ordered_and_grouped_by_their_bytes),
        context_test(test_reshape__aggregates_use_weights_like_repeated_rows),
        context_test(test_reshape__times_stay_times),
        context_test(test_reshape__whole_table_is_one_group),
        context_test(test_reshape__join_counts_and_names),
        context_test(test_reshape__join_with_itself_multiplies),
        context_test(test_reshape__missing_keys_match_only_when_asked),
        context_test(test_reshape__join_carries_bags),
        context_test(test_reshape__pivot_names_both_rows_of_a_cell),
        context_test(test_reshape__pivot_undoes_unpivot),
        context_test(test_reshape__empty_tables_pass),
        context_test(test_reshape__bad_requests_are_refused),
        context_test(test_reshape__too_large_join_is_refused_before),
        context_test(test_reshape__sample_keeps_order_and_seed),
        context_test(test_reshape__same_bytes_for_any_number_of_threads),
        cmocka_unit_test(test_reshape__allocation_failures_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
