/* SPDX-License-Identifier: MIT */
/* The learner `hierarchy`: cuts, new rows by every linkage, weights, ties, inversions, files, and
 * what is refused. */
#include "support/learn.h"
#include "base/random.h"
#include "data/column.h"
#include "learners/cluster/hierarchy.h"
#include "model/model.h"
#include <unistd.h>

static const char *const linkages[] = {"single",   "complete", "average", "weighted",
                                       "centroid", "median",   "ward"};

/* -- new rows -- */

/* How far x is from a cluster, from its distances to the leaves, merge by merge. */
static double value_to(const cairn_hierarchy_model *m, size_t cluster, const double *leaves)
{
    const cairn_dendrogram *tree = &m->tree;
    bool squares = m->linkage >= CAIRN_LINKAGE_CENTROID;
    if (cluster < tree->n_leaves) {
        double s = cairn_dendrogram_size(tree, cluster), d = leaves[cluster];
        return !squares ? d : m->linkage == CAIRN_LINKAGE_WARD ? 2 * s / (s + 1) * d * d : d * d;
    }
    const cairn_merge *merge = tree->merges + (cluster - tree->n_leaves);
    double v = value_to(m, merge->left, leaves), w = value_to(m, merge->right, leaves);
    double s = cairn_dendrogram_size(tree, merge->left),
           t = cairn_dendrogram_size(tree, merge->right), h = merge->height * merge->height;
    switch ((cairn_linkage)m->linkage) {
    case CAIRN_LINKAGE_SINGLE: return fmin(v, w);
    case CAIRN_LINKAGE_COMPLETE: return fmax(v, w);
    case CAIRN_LINKAGE_AVERAGE: return (s * v + t * w) / (s + t);
    case CAIRN_LINKAGE_WEIGHTED: return (v + w) / 2;
    case CAIRN_LINKAGE_CENTROID: return (s * v + t * w) / (s + t) - s * t * h / (s + t) / (s + t);
    case CAIRN_LINKAGE_MEDIAN: return (v + w) / 2 - h / 4;
    default: return ((s + 1) * v + (t + 1) * w - h) / (s + t + 1);
    }
}

static double apart(const double *a, const double *b, bool manhattan)
{
    double x = fabs(a[0] - b[0]), y = fabs(a[1] - b[1]);
    return manhattan ? x + y : sqrt(x * x + y * y);
}

/* The cluster of the tree that each cluster of the cut is. */
static void find_nodes(const cairn_hierarchy_model *m, size_t *nodes, int32_t *codes)
{
    size_t n = m->tree.n_leaves;
    for (size_t i = 0; i < n; i++) nodes[codes[i] = m->codes[i]] = i;
    for (size_t i = 0; i + 1 < n; i++) {
        int32_t left = codes[m->tree.merges[i].left], right = codes[m->tree.merges[i].right];
        codes[n + i] = left == right ? left : -1;
        if (left == right && left >= 0) nodes[left] = n + i;
    }
}

static void assert_answers(cairn_context *ctx, const fitted *f, const double *rows, size_t n,
                           bool manhattan)
{
    enum { NEW_ROWS = 25, MOST = 64 };
    const cairn_hierarchy_model *m = f->model->state;
    double fresh[NEW_ROWS * 2], leaves[MOST];
    size_t nodes[MOST];
    int32_t all[2 * MOST];
    cairn_random random;
    cairn_table *table, *answers;
    cairn_random_start(&random, 11, n);
    for (size_t i = 0; i < NEW_ROWS * 2; i++) fresh[i] = 10 * cairn_random_uniform(&random);
    find_nodes(m, nodes, all);
    assert_ok(ctx, table_of(ctx, &table, "x y", fresh, NEW_ROWS, 2));
    assert_ok(ctx, cairn_model_predict(ctx, &answers, f->model, table, NULL));
    for (size_t r = 0; r < NEW_ROWS; r++) {
        size_t best = 0;
        double least = INFINITY;
        for (size_t i = 0; i < n; i++) leaves[i] = apart(fresh + 2 * r, rows + 2 * i, manhattan);
        for (size_t c = 0; c < m->n_clusters; c++) {
            double value = value_to(m, nodes[c], leaves);
            if (value < least) least = value, best = c;
        }
        assert_int_equal(answers->slots[0].column->codes[r], best);
    }
    cairn_table_free(answers);
    cairn_table_free(table);
}

static void test_hierarchy__new_rows_go_to_the_nearest_cluster_by_the_linkage(void **state)
{
    cairn_context *ctx = *state;
    enum { N = 40 };
    double rows[N * 2];
    cairn_random random;
    cairn_random_start(&random, 10, 1);
    for (size_t i = 0; i < N * 2; i++) rows[i] = 10 * cairn_random_uniform(&random);
    for (size_t l = 0; l < 7; l++)
        for (int manhattan = 0; manhattan < 2; manhattan++) {
            char spec[100];
            snprintf(spec, sizeof spec, "hierarchy:linkage=%s,clusters=4,distance=%s", linkages[l],
                     manhattan ? "manhattan" : "euclidean");
            fitted f = fit_numbers(ctx, spec, "x y", rows, N, 2, NULL);
            assert_answers(ctx, &f, rows, N, manhattan);
            drop(&f);
        }
}

/* -- cuts, weights, ties -- */

static const double line[] = {0, 1, 3, 7, 8, 20};

static void test_hierarchy__cuts_by_number_and_height(void **state)
{
    cairn_context *ctx = *state;
    fitted f = fit_numbers(ctx, "hierarchy:linkage=single,clusters=3", "x", line, 6, 1, NULL);
    static const double three[] = {1, 1, 1, 2, 2, 3};
    char name[20];
    for (size_t i = 0; i < 6; i++) {
        snprintf(name, sizeof name, "assign.%zu", i + 1);
        assert_value(f.report, name, three[i], 0);
    }
    assert_value(f.report, "cluster1.diameter", 3, 0);
    assert_value(f.report, "cluster1.height", 2, 0);
    assert_value(f.report, "merge5.height", 12, 0);
    assert_value(f.report, "cut3.gap", 2, 0);
    drop(&f);
    f = fit_numbers(ctx, "hierarchy:linkage=single,height=4", "x", line, 6, 1, NULL);
    assert_value(f.report, "clusters", 2, 0);
    drop(&f);
    f = fit_numbers(ctx, "hierarchy:linkage=single", "x", line, 6, 1, NULL);
    assert_value(f.report, "clusters", 1, 0);
    drop(&f);
}

static void test_hierarchy__refuses_cuts_that_cannot_be(void **state)
{
    cairn_context *ctx = *state;
    fitted f = {0};
    assert_ok(ctx, table_of(ctx, &f.table, "x", line, 6, 1));
    assert_fails(ctx, learn(ctx, &f.model, &f.report, f.table, "hierarchy:clusters=7", NULL, NULL),
                 CAIRN_BAD_DATA, "1 to 6");
    assert_fails(
        ctx,
        learn(ctx, &f.model, &f.report, f.table, "hierarchy:linkage=single,height=13", NULL, NULL),
        CAIRN_BAD_DATA, "which is at 12");
    drop(&f);
}

/* A weight is so many equal rows, which are joined at 0 first. */
static void test_hierarchy__weights_are_repeated_rows(void **state)
{
    cairn_context *ctx = *state;
    static const double once[] = {0, 0, 2, 4, 1, 1, 9, 3, 3, 5, 6, 1},
                        often[] = {0, 0, 0, 0, 4, 1, 9, 3, 9, 3, 9, 3, 5, 6};
    for (size_t l = 0; l < 7; l++) {
        char spec[80];
        fitted a = {0};
        snprintf(spec, sizeof spec, "hierarchy:linkage=%s", linkages[l]);
        assert_ok(ctx, table_of(ctx, &a.table, "x y w", once, 4, 3));
        assert_ok(ctx, learn(ctx, &a.model, &a.report, a.table, spec, NULL, "w"));
        fitted b = fit_numbers(ctx, spec, "x y", often, 7, 2, NULL);
        for (size_t i = 1; i <= 3; i++) {
            char name[24];
            double height;
            snprintf(name, sizeof name, "level.%zu", i + 3);
            assert_true(cairn_report_number(b.report, name, &height));
            snprintf(name, sizeof name, "level.%zu", i);
            assert_value(a.report, name, height, 1e-12);
        }
        drop(&a);
        drop(&b);
    }
}

static void test_hierarchy__counts_ties_and_inversions(void **state)
{
    cairn_context *ctx = *state;
    static const double square[] = {0, 0, 0, 1, 1, 0, 1, 1}, triangle[] = {0, 0, 1, 0, 0.5, 0.9};
    fitted f = fit_numbers(ctx, "hierarchy:linkage=complete", "x y", square, 4, 2, NULL);
    assert_value(f.report, "ties", 1, 0);
    assert_value(f.report, "level1.tied", 4, 0);
    drop(&f);
    f = fit_numbers(ctx, "hierarchy:linkage=centroid,height=0.95", "x y", triangle, 3, 2, NULL);
    assert_value(f.report, "inversions", 1, 0);
    assert_value(f.report, "merge2.inverted", 1, 0);
    assert_value(f.report, "clusters", 3, 0);
    drop(&f);
}

/* -- odd tables -- */

static void test_hierarchy__one_row_equal_rows_and_huge_numbers(void **state)
{
    cairn_context *ctx = *state;
    static const double equal[] = {3, 3, 3, 3, 3}, huge[] = {1e300, -1e300, 5};
    for (size_t l = 0; l < 7; l++) {
        char spec[80];
        fitted f;
        snprintf(spec, sizeof spec, "hierarchy:linkage=%s", linkages[l]);
        f = fit_numbers(ctx, spec, "x", equal, 1, 1, NULL);
        assert_value(f.report, "height", 0, 0);
        drop(&f);
        snprintf(spec, sizeof spec, "hierarchy:linkage=%s,clusters=2", linkages[l]);
        f = fit_numbers(ctx, spec, "x", equal, 5, 1, NULL);
        assert_value(f.report, "height", 0, 0);
        assert_value(f.report, "clusters", 2, 0);
        drop(&f);
        assert_ok(ctx, table_of(ctx, &f.table, "x", huge, 3, 1));
        assert_fails(ctx, learn(ctx, &f.model, &f.report, f.table, spec, NULL, NULL),
                     CAIRN_BAD_DATA, "x");
        drop(&f);
    }
}

static void test_hierarchy__random_rows_are_warned_of(void **state)
{
    cairn_context *ctx = *state;
    enum { N = 200, D = 8 };
    static double rows[N * D];
    cairn_random random;
    char *text = NULL;
    cairn_random_start(&random, 12, 1);
    for (size_t i = 0; i < N * D; i++) rows[i] = cairn_random_normal(&random);
    fitted f = fit_numbers(ctx, "hierarchy:linkage=average,clusters=3", "a b c d e f g h", rows, N,
                           D, NULL);
    assert_ok(ctx, cairn_report_print(ctx, f.report, CAIRN_FORMAT_TEXT, NULL, &text));
    assert_non_null(strstr(text, "hardly stand out"));
    cairn_string_free(text);
    drop(&f);
}

static void test_hierarchy__is_kept_in_a_file(void **state)
{
    cairn_context *ctx = *state;
    char path[] = "/tmp/cairn-hierarchy-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
    for (size_t l = 0; l < 7; l++) {
        char spec[80];
        cairn_model *back = NULL;
        cairn_table *one, *two;
        snprintf(spec, sizeof spec, "hierarchy:linkage=%s,clusters=3,distance=manhattan",
                 linkages[l]);
        fitted f = fit_numbers(ctx, spec, "x", line, 6, 1, NULL);
        assert_ok(ctx, cairn_model_save(ctx, f.model, path));
        assert_ok(ctx, cairn_model_load(ctx, &back, path));
        assert_ok(ctx, cairn_model_predict(ctx, &one, f.model, f.table, NULL));
        assert_ok(ctx, cairn_model_predict(ctx, &two, back, f.table, NULL));
        assert_memory_equal(one->slots[0].column->codes, two->slots[0].column->codes,
                            6 * sizeof(int32_t));
        cairn_table_free(one);
        cairn_table_free(two);
        cairn_model_free(back);
        drop(&f);
    }
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_hierarchy__new_rows_go_to_the_nearest_cluster_by_the_linkage),
        context_test(test_hierarchy__cuts_by_number_and_height),
        context_test(test_hierarchy__refuses_cuts_that_cannot_be),
        context_test(test_hierarchy__weights_are_repeated_rows),
        context_test(test_hierarchy__counts_ties_and_inversions),
        context_test(test_hierarchy__one_row_equal_rows_and_huge_numbers),
        context_test(test_hierarchy__random_rows_are_warned_of),
        context_test(test_hierarchy__is_kept_in_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
