/* SPDX-License-Identifier: MIT */
#include "stats/dendrogram_forms.h"
#include "stats/distance.h"
#include "base/memory.h"
#include "support/fail_alloc.h"
#include "support/unit.h"
#include <math.h>
#include <string.h>

static const char five[] = "((a:15,b:15):10,((c:7.5,d:7.5):7.5,e:15):10);\n";

static cairn_status read_text(cairn_context *ctx, cairn_dendrogram *tree, cairn_newick_notes *notes,
                              const char *text)
{
    return cairn_newick_read(ctx, tree, notes, "t", text, strlen(text));
}

static void assert_merge(const cairn_dendrogram *tree, size_t i, uint32_t left, uint32_t right,
                         double height, double size)
{
    assert_int_equal(tree->merges[i].left, left);
    assert_int_equal(tree->merges[i].right, right);
    assert_float_equal(tree->merges[i].height, height, 1e-12);
    assert_float_equal(tree->merges[i].size, size, 0);
}

static void assert_writes(cairn_context *ctx, const cairn_dendrogram *tree, const char *expected)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    cairn_newick_write(&text, tree);
    assert_ok(ctx, cairn_text_status(&text));
    assert_string_equal(cairn_text_string(&text), expected);
}

static void test_newick__is_read_and_written(void **state)
{
    cairn_context *ctx = *state;
    SCOPED(cairn_dendrogram_clear) cairn_dendrogram tree = {0};
    cairn_newick_notes notes;
    assert_ok(ctx, read_text(ctx, &tree, &notes, five));
    assert_int_equal(tree.n_leaves, 5);
    assert_merge(&tree, 0, 2, 3, 7.5, 2);
    assert_merge(&tree, 1, 0, 1, 15, 2);
    assert_merge(&tree, 2, 5, 4, 15, 3);
    assert_merge(&tree, 3, 6, 7, 25, 5);
    assert_string_equal(tree.names[4], "e");
    assert_false(notes.no_lengths || notes.n_many || notes.n_single || notes.uneven > 0);
    assert_writes(ctx, &tree, five);
}

static void test_newick__names_are_quoted_where_they_must_be(void **state)
{
    cairn_context *ctx = *state;
    SCOPED(cairn_dendrogram_clear) cairn_dendrogram tree = {0};
    cairn_newick_notes notes;
    static const char text[] = "(('a (b), c;':1,'it''s':1):1,Käse_1.2:2);\n";
    assert_ok(ctx, read_text(ctx, &tree, &notes, text));
    assert_string_equal(tree.names[0], "a (b), c;");
    assert_string_equal(tree.names[1], "it's");
    assert_string_equal(tree.names[2], "Käse_1.2");
    assert_writes(ctx, &tree, text);
}

/* What is not binary, not ultrametric or without lengths, and what is decided then. */
static void test_newick__odd_trees_are_reported(void **state)
{
    cairn_context *ctx = *state;
    cairn_newick_notes notes;
    SCOPED(cairn_dendrogram_clear) cairn_dendrogram many = {0};
    assert_ok(ctx, read_text(ctx, &many, &notes, "(a:1,b:1,[x[y]](c:0.5,d:0.25):0.5) root:9;"));
    assert_int_equal(notes.n_many, 1);
    assert_float_equal(notes.uneven, 0.25, 1e-12);
    assert_merge(&many, 0, 2, 3, 0.5, 2);
    assert_merge(&many, 1, 0, 1, 1, 2);
    assert_merge(&many, 2, 5, 4, 1, 4);
    SCOPED(cairn_dendrogram_clear) cairn_dendrogram plain = {0};
    assert_ok(ctx, read_text(ctx, &plain, &notes, "(((a)),(b,(,d))x);"));
    assert_true(notes.no_lengths);
    assert_int_equal(notes.n_single, 2);
    assert_int_equal(notes.n_unnamed, 1);
    assert_string_equal(plain.names[2], "leaf 3");
    assert_merge(&plain, 0, 2, 3, 1, 2);
    assert_merge(&plain, 1, 1, 4, 2, 3);
    assert_merge(&plain, 2, 0, 5, 3, 4);
    SCOPED(cairn_dendrogram_clear) cairn_dendrogram chain = {0};
    assert_ok(ctx, read_text(ctx, &chain, &notes, "((a:1):2,b:3);"));
    assert_merge(&chain, 0, 0, 1, 3, 2);
    assert_float_equal(notes.uneven, 0, 0);
}

static void test_newick__inversions_have_negative_lengths(void **state)
{
    cairn_context *ctx = *state;
    SCOPED(cairn_dendrogram_clear) cairn_dendrogram tree = {0};
    cairn_newick_notes notes;
    assert_ok(ctx, read_text(ctx, &tree, &notes, "((a:1,b:1):-0.25,c:0.75);"));
    assert_merge(&tree, 0, 0, 1, 1, 2);
    assert_merge(&tree, 1, 3, 2, 0.75, 3);
    assert_int_equal(cairn_dendrogram_inversions(&tree), 1);
    assert_writes(ctx, &tree, "((a:1,b:1):-0.25,c:0.75);\n");
}

static void test_newick__errors_tell_their_place(void **state)
{
    cairn_context *ctx = *state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "t, line 1, column 1: there is no tree"},
        {" [nothing] ", "there is no tree"},
        {"(a,\nb", "t, line 2, column 2: the tree has no end; a ; is missing"},
        {"(a,b));", "column 6: no bracket is open"},
        {"((a,b);", "column 7: the tree ends here, but 1 bracket is still open"},
        {"(a,(b,\n a));", "t, line 2, column 2: two leaves are called 'a'"},
        {"(a:1,b);", "a branch without a length"},
        {"(a:1,b:);", "column 8: the length of a branch is expected"},
        {"(a:1,b:1e999);", "this length is too large"},
        {"(a b,c);", "names with blanks stand in single quotes"},
        {"('a,b);", "column 2: this name has no end"},
        {"(a,b[);", "column 5: this comment has no end"},
        {"(a,b);(c,d);", "column 7: something follows the tree"},
        {"((a:1e308,b:1):1e308,c:1);", "add up to too much"},
        {"(\xff,b);", "this name is not UTF-8"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cairn_dendrogram tree = {0};
        cairn_newick_notes notes;
        assert_fails(ctx, read_text(ctx, &tree, &notes, cases[i].text), CAIRN_BAD_DATA,
                     cases[i].message);
    }
    cairn_dendrogram tree = {0};
    cairn_newick_notes notes;
    assert_fails(ctx, cairn_newick_read(ctx, &tree, &notes, "t", "(a,\0b);", 7), CAIRN_BAD_DATA,
                 "a zero byte");
}

/* A chain of so many brackets needs no more of the stack than a short one. */
static void test_newick__depth_is_no_problem(void **state)
{
    cairn_context *ctx = *state;
    enum { N = 100000 };
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    SCOPED(cairn_text_clear) cairn_text back = cairn_text_start(ctx);
    SCOPED(cairn_dendrogram_clear) cairn_dendrogram tree = {0};
    cairn_newick_notes notes;
    cairn_text_add_repeat(&text, '(', N);
    cairn_text_add(&text, "x:1");
    for (int i = 0; i < N; i++)
        cairn_text_addf(&text, ",%d:%d)%s", i, i + 1, i < N - 1 ? ":1" : "");
    cairn_text_add(&text, ";\n");
    assert_ok(ctx, cairn_newick_read(ctx, &tree, &notes, "t", text.bytes, text.length));
    assert_int_equal(tree.n_leaves, N + 1);
    assert_float_equal(tree.merges[N - 1].height, N, 0);
    cairn_newick_write(&back, &tree);
    assert_ok(ctx, cairn_text_status(&back));
    assert_string_equal(cairn_text_string(&back), cairn_text_string(&text));
}

static void test_dendrogram_json__lists_leaves_and_merges(void **state)
{
    cairn_context *ctx = *state;
    SCOPED(cairn_dendrogram_clear) cairn_dendrogram tree = {0};
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    cairn_newick_notes notes;
    assert_ok(ctx, read_text(ctx, &tree, &notes, "((a:1,'b\"':1):2,c:3);"));
    cairn_dendrogram_json(&text, &tree);
    assert_string_equal(cairn_text_string(&text),
                        "{\"leaves\":[\"a\",\"b\\\"\",\"c\"],\"weights\":null,\"merges\":[\n"
                        "{\"left\":0,\"right\":1,\"height\":1,\"size\":2},\n"
                        "{\"left\":3,\"right\":2,\"height\":3,\"size\":3}]}\n");
}

/* -- tables -- */

static cairn_table *table_of(cairn_context *ctx, const char *csv)
{
    cairn_table *table = NULL;
    assert_ok(ctx, cairn_table_read_memory(ctx, &table, "m.csv", csv, strlen(csv), NULL));
    return table;
}

static void test_merge_table__goes_both_ways(void **state)
{
    cairn_context *ctx = *state;
    SCOPED(cairn_dendrogram_clear) cairn_dendrogram tree = {0}, again = {0}, plain = {0};
    OWNED(cairn_table_free) cairn_table *table = NULL;
    cairn_newick_notes notes;
    assert_ok(ctx,
              read_text(ctx, &tree, &notes, "(('#1':15,b:15):10,((c:7.5,d:7.5):7.5,e:15):10);"));
    assert_ok(ctx, cairn_dendrogram_to_table(ctx, &table, &tree));
    assert_true(cairn_is_merge_table(table));
    assert_ok(ctx, cairn_dendrogram_of_table(ctx, &again, table));
    assert_writes(ctx, &again, "((#1:15,b:15):10,((c:7.5,d:7.5):7.5,e:15):10);\n");
    OWNED(cairn_table_free)
    cairn_table *typed = table_of(ctx, "left,right,height\nc,d,7.5\na,b,15\nd,e,15\na,e,25\n");
    assert_ok(ctx, cairn_dendrogram_of_table(ctx, &plain, typed));
    assert_writes(ctx, &plain, five);
}

static void test_merge_table__bad_rows_are_reported(void **state)
{
    cairn_context *ctx = *state;
    static const struct {
        const char *csv, *message;
    } cases[] = {
        {"left,right,height\na,b,1\na,b,2\n", "row 2: 'a' is merged with a part of itself"},
        {"left,right,height\na,b,1\nc,d,2\n", "('a' and 'c' are not joined)"},
        {"left,right,height\na,b,1\n,c,2\n", "row 2 has no cell in column 'left'"},
        {"left,right,height\na,b,1\nc,a,\n", "row 2 has no height"},
        {"cluster,left,right,height\nx,a,b,1\nx,x,c,2\n", "row 2: the name 'x'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SCOPED(cairn_dendrogram_clear) cairn_dendrogram tree = {0};
        OWNED(cairn_table_free) cairn_table *table = table_of(ctx, cases[i].csv);
        assert_fails(ctx, cairn_dendrogram_of_table(ctx, &tree, table), CAIRN_BAD_DATA,
                     cases[i].message);
    }
}

/* -- sets and cophenetic distances -- */

static void test_leaf_sets__hold_the_leaves_of_clusters(void **state)
{
    cairn_context *ctx = *state;
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_dendrogram_clear) cairn_dendrogram tree = {0};
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    cairn_newick_notes notes;
    cairn_leaf_sets sets;
    assert_ok(ctx, read_text(ctx, &tree, &notes, "((e:15,(c:7.5,d:7.5):7.5):10,(a:15,b:15):10);"));
    assert_ok(ctx, cairn_leaf_sets_make(ctx, &sets, &tree));
    assert_ok(ctx, cairn_leaf_set_text(ctx, &text, &tree, &sets, 5, 9));
    assert_ok(ctx, cairn_leaf_set_text(ctx, &text, &tree, &sets, 8, 3));
    assert_ok(ctx, cairn_leaf_set_text(ctx, &text, &tree, &sets, 4, 3));
    assert_string_equal(cairn_text_string(&text), "{c, d}{e, c, d, … 2 more}{b}");
}

/* The cluster above each one, followed until two leaves meet. */
static double join_height(const cairn_dendrogram *tree, const uint32_t *above, size_t i, size_t j)
{
    for (size_t a = i;; a = above[a])
        for (size_t b = j;; b = above[b]) {
            if (a == b) return cairn_dendrogram_height(tree, a);
            if (b == 2 * tree->n_leaves - 2) break;
        }
}

static void test_cophenetic__is_the_height_where_leaves_meet(void **state)
{
    cairn_context *ctx = *state;
    enum { N = 40 };
    uint64_t s = 3;
    double distances[N * N];
    uint32_t above[2 * N] = {0}, open[N];
    SCOPED(cairn_dendrogram_clear) cairn_dendrogram tree = {0};
    assert_ok(ctx, cairn_dendrogram_new(ctx, &tree, N));
    for (uint32_t i = 0; i < N; i++) open[i] = i;
    for (uint32_t k = 0, left = N; left > 1; k++, left--) {
        s = s * 6364136223846793005u + 1442695040888963407u;
        uint32_t a = (uint32_t)(s >> 40) % left, b = (uint32_t)(s >> 20) % (left - 1);
        if (b >= a) b++;
        tree.merges[k] = (cairn_merge){open[a], open[b], (double)((s >> 33) % 100), 0};
        above[open[a]] = above[open[b]] = N + k;
        open[a] = N + k;
        open[b] = open[left - 1];
    }
    assert_ok(ctx, cairn_dendrogram_complete(ctx, &tree));
    assert_ok(ctx, cairn_cophenetic(ctx, &tree, distances));
    for (size_t i = 0; i < N; i++)
        for (size_t j = i + 1; j < N; j++)
            assert_float_equal(distances[cairn_pair_at(N, i, j)], join_height(&tree, above, i, j),
                               0);
}

/* numpy.corrcoef([1, 2, 4, 7], [2, 3, 3, 9]) */
static void test_cophenetic__correlation(void **state)
{
    (void)state;
    const double a[] = {1, 2, 4, 7}, b[] = {2, 3, 3, 9}, huge[] = {1e300, 2e300, 4e300, 7e300};
    const double flat[] = {3, 3, 3, 3};
    assert_float_equal(cairn_cophenetic_correlation(a, b, 4), 0.9247740932248298, 1e-9);
    assert_float_equal(cairn_cophenetic_correlation(huge, b, 4), 0.9247740932248298, 1e-9);
    assert_true(isnan(cairn_cophenetic_correlation(a, flat, 4)));
}

static cairn_status read_and_write(cairn_context *ctx, void *data)
{
    SCOPED(cairn_dendrogram_clear) cairn_dendrogram tree = {0}, again = {0};
    OWNED(cairn_table_free) cairn_table *table = NULL;
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    cairn_newick_notes notes;
    (void)data;
    CHECK(read_text(ctx, &tree, &notes, five));
    CHECK(cairn_dendrogram_to_table(ctx, &table, &tree));
    CHECK(cairn_dendrogram_of_table(ctx, &again, table));
    cairn_newick_write(&text, &again);
    return cairn_text_status(&text);
}

static void test_newick__survives_allocation_failures(void **state)
{
    (void)state;
    assert_survives_allocation_failures(read_and_write, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_newick__is_read_and_written),
        context_test(test_newick__names_are_quoted_where_they_must_be),
        context_test(test_newick__odd_trees_are_reported),
        context_test(test_newick__inversions_have_negative_lengths),
        context_test(test_newick__errors_tell_their_place),
        context_test(test_newick__depth_is_no_problem),
        context_test(test_dendrogram_json__lists_leaves_and_merges),
        context_test(test_merge_table__goes_both_ways),
        context_test(test_merge_table__bad_rows_are_reported),
        context_test(test_leaf_sets__hold_the_leaves_of_clusters),
        context_test(test_cophenetic__is_the_height_where_leaves_meet),
        cmocka_unit_test(test_cophenetic__correlation),
        cmocka_unit_test(test_newick__survives_allocation_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
