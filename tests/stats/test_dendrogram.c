/* SPDX-License-Identifier: MIT */
/* Trees of clusters: made of joins, kept, put in order and cut. */
#include "support/unit.h"
#include "base/memory.h"
#include "stats/dendrogram.h"

/* Leaves a b c d e: c+e at 2, a+ce at 3, b+d at 5, everything at 6. */
static const cairn_join joins[] = {{1, 3, 5}, {2, 4, 2}, {0, 4, 3}, {3, 0, 6}};

static void make_tree(cairn_context *ctx, cairn_dendrogram *tree)
{
    assert_ok(ctx, cairn_dendrogram_new(ctx, tree, 5));
    assert_ok(ctx, cairn_dendrogram_of_joins(ctx, tree, joins));
}

static void test_dendrogram__joins_are_sorted_and_named_by_cluster(void **state)
{
    static const cairn_merge wanted[] = {{2, 4, 2, 2}, {0, 5, 3, 3}, {1, 3, 5, 2}, {6, 7, 6, 5}};
    cairn_context *ctx = *state;
    SCOPED(cairn_dendrogram_clear) cairn_dendrogram tree = {0};
    make_tree(ctx, &tree);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(tree.merges[i].left, wanted[i].left);
        assert_int_equal(tree.merges[i].right, wanted[i].right);
        assert_true(tree.merges[i].height == wanted[i].height);
        assert_true(tree.merges[i].size == wanted[i].size);
    }
    assert_true(cairn_dendrogram_top(&tree) == 6);
    assert_int_equal(cairn_dendrogram_inversions(&tree), 0);
}

static void test_dendrogram__leaves_stand_left_part_first(void **state)
{
    static const uint32_t wanted[] = {0, 2, 4, 1, 3};
    cairn_context *ctx = *state;
    SCOPED(cairn_dendrogram_clear) cairn_dendrogram tree = {0};
    uint32_t order[5];
    make_tree(ctx, &tree);
    assert_ok(ctx, cairn_dendrogram_order(ctx, &tree, order));
    assert_memory_equal(order, wanted, sizeof order);
}

static void assert_codes(const cairn_cut *cut, size_t k, const int32_t *codes, size_t n)
{
    assert_int_equal(cut->n_clusters, k);
    assert_memory_equal(cut->codes, codes, n * sizeof *codes);
}

static void test_dendrogram__cut_into_clusters_in_the_order_of_first_leaves(void **state)
{
    cairn_context *ctx = *state;
    SCOPED(cairn_dendrogram_clear) cairn_dendrogram tree = {0};
    cairn_cut cut;
    make_tree(ctx, &tree);
    assert_ok(ctx, cairn_dendrogram_cut_number(ctx, &cut, &tree, 1));
    assert_codes(&cut, 1, (int32_t[]){0, 0, 0, 0, 0}, 5);
    assert_ok(ctx, cairn_dendrogram_cut_number(ctx, &cut, &tree, 3));
    assert_codes(&cut, 3, (int32_t[]){0, 1, 0, 2, 0}, 5);
    assert_true(cut.height > 3 && cut.height < 5); /* between what is kept and what is undone */
    assert_int_equal(cut.nodes[0], 6);
    assert_ok(ctx, cairn_dendrogram_cut_number(ctx, &cut, &tree, 5));
    assert_codes(&cut, 5, (int32_t[]){0, 1, 2, 3, 4}, 5);
    assert_fails(ctx, cairn_dendrogram_cut_number(ctx, &cut, &tree, 6), CAIRN_BAD_DATA, "1 to 5");
}

static void test_dendrogram__cut_at_a_height(void **state)
{
    cairn_context *ctx = *state;
    SCOPED(cairn_dendrogram_clear) cairn_dendrogram tree = {0};
    cairn_cut cut;
    make_tree(ctx, &tree);
    assert_ok(ctx, cairn_dendrogram_cut_height(ctx, &cut, &tree, 0));
    assert_int_equal(cut.n_clusters, 5);
    assert_ok(ctx, cairn_dendrogram_cut_height(ctx, &cut, &tree, 5));
    assert_codes(&cut, 2, (int32_t[]){0, 1, 0, 1, 0}, 5);
    assert_ok(ctx, cairn_dendrogram_cut_height(ctx, &cut, &tree, 6));
    assert_int_equal(cut.n_clusters, 1);
    assert_fails(ctx, cairn_dendrogram_cut_height(ctx, &cut, &tree, 6.5), CAIRN_BAD_DATA,
                 "which is at 6");
}

/* a+b at 1, c joins them at 0.9: below the merge that it rests on. */
static void test_dendrogram__an_inversion_does_not_outlive_its_parts(void **state)
{
    cairn_context *ctx = *state;
    SCOPED(cairn_dendrogram_clear) cairn_dendrogram tree = {0};
    cairn_cut cut;
    assert_ok(ctx, cairn_dendrogram_new(ctx, &tree, 3));
    tree.merges[0] = (cairn_merge){.left = 0, .right = 1, .height = 1};
    tree.merges[1] = (cairn_merge){.left = 2, .right = 3, .height = 0.9};
    assert_ok(ctx, cairn_dendrogram_complete(ctx, &tree));
    assert_int_equal(cairn_dendrogram_inversions(&tree), 1);
    assert_true(cairn_dendrogram_inverted(&tree, 1));
    assert_true(cairn_dendrogram_top(&tree) == 1);
    assert_ok(ctx, cairn_dendrogram_cut_height(ctx, &cut, &tree, 0.95));
    assert_int_equal(cut.n_clusters, 3);
    assert_int_equal(cut.n_hidden, 1);
    assert_ok(ctx, cairn_dendrogram_cut_number(ctx, &cut, &tree, 2));
    assert_codes(&cut, 2, (int32_t[]){0, 0, 1}, 3);
}

static void test_dendrogram__one_leaf(void **state)
{
    cairn_context *ctx = *state;
    SCOPED(cairn_dendrogram_clear) cairn_dendrogram tree = {0};
    cairn_cut cut;
    uint32_t order[1] = {7};
    assert_ok(ctx, cairn_dendrogram_new(ctx, &tree, 1));
    assert_ok(ctx, cairn_dendrogram_of_joins(ctx, &tree, NULL));
    assert_ok(ctx, cairn_dendrogram_order(ctx, &tree, order));
    assert_int_equal(order[0], 0);
    assert_ok(ctx, cairn_dendrogram_cut_height(ctx, &cut, &tree, 0));
    assert_int_equal(cut.n_clusters, 1);
}

static void test_dendrogram__what_is_no_tree_is_refused(void **state)
{
    cairn_context *ctx = *state;
    SCOPED(cairn_dendrogram_clear) cairn_dendrogram tree = {0};
    assert_ok(ctx, cairn_dendrogram_new(ctx, &tree, 3));
    tree.merges[0] = (cairn_merge){.left = 0, .right = 3, .height = 1};
    assert_fails(ctx, cairn_dendrogram_complete(ctx, &tree), CAIRN_BAD_DATA, "does not exist");
    tree.merges[0] = (cairn_merge){.left = 0, .right = 0, .height = 1};
    assert_fails(ctx, cairn_dendrogram_complete(ctx, &tree), CAIRN_BAD_DATA, "merged before");
    tree.merges[0] = (cairn_merge){.left = 0, .right = 1, .height = 1e300 * 1e300};
    assert_fails(ctx, cairn_dendrogram_complete(ctx, &tree), CAIRN_BAD_DATA, "not a finite");
}

/* Write a tree, spoil it before that if asked, and read it. */
static cairn_status write_and_read(cairn_context *ctx, cairn_dendrogram *from,
                                   cairn_dendrogram *back)
{
    OWNED(cairn_archive_free) cairn_archive *writer = NULL;
    OWNED(cairn_archive_free) cairn_archive *reader = NULL;
    char *bytes = NULL;
    size_t length;
    CHECK(cairn_archive_writer(ctx, &writer));
    CHECK(cairn_archive_section(writer, "tree"));
    CHECK(cairn_dendrogram_archive(writer, from));
    CHECK(cairn_archive_finish(writer, &bytes, &length));
    cairn_status status = cairn_archive_reader(ctx, &reader, "tree", bytes, length);
    if (!status) status = cairn_archive_section(reader, "tree");
    if (!status) status = cairn_dendrogram_archive(reader, back);
    cairn_free(bytes);
    return status;
}

static void test_dendrogram__is_kept_with_weights_and_names(void **state)
{
    static const char *const names[] = {"a", "b", "c", "d", "e"};
    cairn_context *ctx = *state;
    SCOPED(cairn_dendrogram_clear) cairn_dendrogram tree = {0}, back = {0}, bad = {0};
    assert_ok(ctx, cairn_dendrogram_new(ctx, &tree, 5));
    assert_ok(ctx, NEW(ctx, &tree.weights, 5));
    assert_ok(ctx, NEW(ctx, &tree.names, 5));
    for (size_t i = 0; i < 5; i++) {
        tree.weights[i] = 1 + (double)i;
        assert_ok(ctx, cairn_copy_text(ctx, &tree.names[i], names[i], 1));
    }
    assert_ok(ctx, cairn_dendrogram_of_joins(ctx, &tree, joins));
    assert_ok(ctx, write_and_read(ctx, &tree, &back));
    assert_memory_equal(back.merges, tree.merges, 4 * sizeof *tree.merges);
    assert_true(back.merges[3].size == 15);
    assert_string_equal(back.names[4], "e");
    tree.merges[2].left = 2;
    assert_fails(ctx, write_and_read(ctx, &tree, &bad), CAIRN_BAD_DATA, "no tree");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_dendrogram__joins_are_sorted_and_named_by_cluster),
        context_test(test_dendrogram__leaves_stand_left_part_first),
        context_test(test_dendrogram__cut_into_clusters_in_the_order_of_first_leaves),
        context_test(test_dendrogram__cut_at_a_height),
        context_test(test_dendrogram__an_inversion_does_not_outlive_its_parts),
        context_test(test_dendrogram__one_leaf),
        context_test(test_dendrogram__what_is_no_tree_is_refused),
        context_test(test_dendrogram__is_kept_with_weights_and_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
