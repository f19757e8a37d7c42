/* SPDX-License-Identifier: MIT */
/* Proofs of trees see what is wrong with them. */
#include "learners/cluster/hierarchy.h"
#include "rows/used.h"
#include "support/learn.h"

/* Rows 0, 1, 3, 7 on a line. */
typedef struct line {
    cairn_table *table;
    cairn_view view;
    cairn_distance_rows rows;
    cairn_dendrogram tree;
} line;

static void open_line(cairn_context *ctx, line *l, const cairn_merge *merges)
{
    static const double numbers[] = {0, 1, 3, 7};
    *l = (line){0};
    assert_ok(ctx, table_of(ctx, &l->table, "x", numbers, 4, 1));
    assert_ok(ctx, cairn_view_make(ctx, &l->view, l->table, cairn_all_rows(l->table)));
    assert_ok(ctx, cairn_distance_rows_open(ctx, &l->rows, &l->view, "euclidean"));
    assert_ok(ctx, cairn_dendrogram_new(ctx, &l->tree, 4));
    for (size_t i = 0; i < 3; i++) l->tree.merges[i] = merges[i];
    assert_ok(ctx, cairn_dendrogram_complete(ctx, &l->tree));
}

static double left_of(cairn_context *ctx, const cairn_merge *merges, cairn_linkage linkage,
                      const double *core)
{
    cairn_certificate c = {0};
    line l;
    open_line(ctx, &l, merges);
    cairn_merges_asked asked = {.tree = &l.tree, .rows = &l.rows, .linkage = linkage};
    asked.core = core;
    assert_ok(ctx, cairn_merges_prove(ctx, &c, &asked));
    cairn_dendrogram_clear(&l.tree);
    cairn_distance_rows_clear(&l.rows);
    cairn_table_free(l.table);
    return c.left[CAIRN_PROOF_MERGES];
}

static void test_merges__right_trees(void **state)
{
    static const cairn_merge single[] = {{0, 1, 1, 0}, {4, 2, 2, 0}, {5, 3, 4, 0}};
    static const cairn_merge complete[] = {{0, 1, 1, 0}, {4, 2, 3, 0}, {5, 3, 7, 0}};
    static const cairn_merge average[] = {{0, 1, 1, 0}, {4, 2, 2.5, 0}, {5, 3, 17 / 3.0, 0}};
    static const cairn_merge weighted[] = {{0, 1, 1, 0}, {4, 2, 2.5, 0}, {5, 3, 5.25, 0}};
    static const cairn_merge centroid[] = {{0, 1, 1, 0}, {4, 2, 2.5, 0}, {5, 3, 17 / 3.0, 0}};
    static const cairn_merge cored[] = {{0, 1, 2, 0}, {4, 2, 2, 0}, {5, 3, 9, 0}};
    static const double core[] = {1, 2, 0, 9};
    assert_true(left_of(*state, single, CAIRN_LINKAGE_SINGLE, NULL) == 0);
    assert_true(left_of(*state, complete, CAIRN_LINKAGE_COMPLETE, NULL) == 0);
    assert_true(left_of(*state, average, CAIRN_LINKAGE_AVERAGE, NULL) < 1e-14);
    assert_true(left_of(*state, weighted, CAIRN_LINKAGE_WEIGHTED, NULL) < 1e-14);
    assert_true(left_of(*state, centroid, CAIRN_LINKAGE_CENTROID, NULL) < 1e-14);
    assert_true(left_of(*state, cored, CAIRN_LINKAGE_SINGLE, core) == 0);
}

/* A height that is another, a pair that was not the nearest, heights that fall. */
static void test_merges__wrong_trees(void **state)
{
    static const cairn_merge height[] = {{0, 1, 1, 0}, {4, 2, 2.1, 0}, {5, 3, 4, 0}};
    static const cairn_merge passed[] = {{1, 2, 2, 0}, {4, 0, 1, 0}, {5, 3, 4, 0}};
    static const cairn_merge order[] = {{2, 3, 4, 0}, {0, 1, 1, 0}, {4, 5, 2, 0}};
    assert_true(left_of(*state, height, CAIRN_LINKAGE_SINGLE, NULL) > 0.01);
    assert_true(left_of(*state, passed, CAIRN_LINKAGE_SINGLE, NULL) > 0.1);
    assert_true(left_of(*state, order, CAIRN_LINKAGE_SINGLE, NULL) > 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_merges__right_trees),
        context_test(test_merges__wrong_trees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
