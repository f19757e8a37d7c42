/* SPDX-License-Identifier: MIT */
/* The grower by itself: plug-ins, depth, cutting back, and files that are not trees. */
#include "fitted.h"
#include "base/number.h"
#include "base/text.h"
#include "support/fail_alloc.h"

static const cairn_grow_options plain = {.purity = 1};

/* Coded data of a table in CSV; the target is the last column. */
static void code(cairn_context *ctx, cairn_binned *data, const char *csv)
{
    cairn_table *table = table_of(ctx, csv, NULL, NULL);
    cairn_view view;
    assert_ok(ctx, cairn_view_make(ctx, &view, table, cairn_all_rows(table)));
    size_t classes = view.target->kind == CAIRN_LEVEL ? view.target->names.n : 0;
    assert_ok(ctx, cairn_binned_make(ctx, data, &view, classes));
    cairn_table_free(table);
}

static const char small[] = "x,l,b,y\n1,p,0,a\n2,q,0,b\n3,p,1,a\n4,r,0,c\n5,q,0,b\n6,r,1,c\n";

static void grow_small(cairn_context *ctx, cairn_tree_model *tree,
                       const cairn_grow_options *options)
{
    cairn_binned data;
    *tree = (cairn_tree_model){0};
    code(ctx, &data, small);
    assert_ok(ctx, cairn_tree_grow(ctx, tree, &data, options));
    cairn_binned_clear(&data);
}

static void test_binned__codes_are_ranks_and_bits(void **state)
{
    cairn_binned data;
    uint32_t rows[] = {0, 1, 2, 3, 4}, codes[5];
    code(*state, &data, "x,b,m,y\n7.5,0,?,a\n-1,1,4,b\n7.5,0,4,a\n0,0,1e300,b\n-0,0,-3.5,a\n");
    assert_int_equal(data.columns[0].n_codes, 3);
    cairn_binned_gather(&data, 0, rows, 5, codes);
    static const uint32_t x[] = {2, 0, 2, 1, 1};
    assert_memory_equal(codes, x, sizeof x);
    assert_int_equal(data.columns[1].width, 0);
    cairn_binned_gather(&data, 1, rows, 5, codes);
    static const uint32_t b[] = {0, 1, 0, 0, 0};
    assert_memory_equal(codes, b, sizeof b);
    assert_true(data.columns[2].has_missing);
    cairn_binned_gather(&data, 2, rows, 5, codes);
    static const uint32_t m[] = {3, 1, 1, 2, 0};
    assert_memory_equal(codes, m, sizeof m);
    assert_near(data.columns[2].values[0], -3.5, 0);
    cairn_binned_clear(&data);
}

static void test_grow__columns_may_be_barred(void **state)
{
    static const uint8_t barred[] = {1, 1, 0};
    cairn_grow_options options = plain;
    cairn_tree_model tree;
    options.barred = barred;
    grow_small(*state, &tree, &options);
    assert_int_equal(tree.nodes[0].column, 2);
    for (size_t i = 0; i < tree.n_nodes; i++)
        assert_true(tree.nodes[i].column < 0 || tree.nodes[i].column == 2);
    cairn_tree_clear(&tree);
}

/* One column is drawn at every node; when it cannot split, another one is, so that the tree still
 * becomes pure. */
static void test_grow__columns_are_drawn_until_one_can_split(void **state)
{
    cairn_grow_options options = plain;
    bool used[3] = {false};
    options.draw = 1;
    for (options.seed = 1; options.seed <= 20; options.seed++) {
        cairn_tree_model tree;
        grow_small(*state, &tree, &options);
        used[tree.nodes[0].column] = true;
        for (size_t i = 0; i < tree.n_nodes; i++)
            assert_true(tree.nodes[i].column >= 0 || tree.nodes[i].error == 0);
        cairn_tree_clear(&tree);
    }
    assert_true(used[0] && used[1] && used[2]);
}

/* Random cuts lie between the least and the greatest value of the node and leave rows on both
 * sides. */
static void test_grow__random_cuts_divide(void **state)
{
    static const cairn_tree_cut forms[] = {CAIRN_TREE_MID, CAIRN_TREE_LT, CAIRN_TREE_LE};
    cairn_grow_options options = plain;
    options.random_cuts = true;
    options.binary_levels = true;
    double least = INFINITY, greatest = -INFINITY;
    for (options.seed = 1; options.seed <= 30; options.seed++) {
        cairn_tree_model tree;
        options.cut = forms[options.seed % 3];
        grow_small(*state, &tree, &options);
        for (size_t i = 0; i < tree.n_nodes; i++) {
            const cairn_tree_node *node = &tree.nodes[i];
            assert_true(node->weight > 0 && (node->column >= 0 || node->error == 0));
            if (node->column != 0) continue;
            least = fmin(least, node->cut);
            greatest = fmax(greatest, node->cut);
        }
        cairn_tree_clear(&tree);
    }
    assert_true(least >= 1 && greatest <= 6 && greatest > least);
}

/* Cuts with the digits that are kept send every row where the cuts send it. */
static void test_grow__rounded_cuts_divide_alike(void **state)
{
    enum { ROWS = 300 };
    cairn_grow_options options = plain;
    cairn_text csv = cairn_text_start(*state);
    double x[ROWS];
    cairn_text_add(&csv, "x,y\n");
    for (unsigned i = 0; i < ROWS; i++) {
        unsigned hash = i * 2654435761u;
        x[i] = (hash >> 12) % 65536 * (i % 2 ? 3e-6 : 0.7);
        cairn_text_add_number(&csv, x[i], CAIRN_SHORTEST);
        cairn_text_addf(&csv, ",%c\n", "ab"[hash >> 20 & 1]);
    }
    options.keeps_digits = true;
    size_t counts[18] = {0};
    for (int form = CAIRN_TREE_MID; form <= CAIRN_TREE_LE; form++) {
        cairn_tree_model tree = {0};
        cairn_binned data;
        options.cut = (cairn_tree_cut)form;
        code(*state, &data, cairn_text_string(&csv));
        assert_ok(*state, cairn_tree_grow(*state, &tree, &data, &options));
        for (size_t i = 0; i < ROWS; i++)
            for (int32_t at = 0; tree.nodes[at].column >= 0;) {
                const cairn_tree_node *node = &tree.nodes[at];
                char text[CAIRN_NUMBER_SIZE];
                double cut;
                assert_true(node->digits == 0 || (node->digits >= 3 && node->digits <= 15));
                counts[node->digits]++;
                size_t length = cairn_number_format(text, node->cut, node->digits);
                assert_true(cairn_number_parse(text, length, &cut));
                bool lt = form == CAIRN_TREE_LT;
                bool below = lt ? x[i] < node->cut : x[i] <= node->cut;
                assert_int_equal(lt ? x[i] < cut : x[i] <= cut, below);
                at = tree.links[node->links + !below];
            }
        cairn_tree_clear(&tree);
        cairn_binned_clear(&data);
    }
    assert_true(counts[3] > 0 && counts[4] + counts[5] + counts[6] > 0);
    cairn_text_clear(&csv);
}

/* Rows that count several times give the tree of the rows repeated, in the fast search and in the
 * other one. */
static void test_grow__whole_weights_are_repeated_rows(void **state)
{
    enum { ROWS = 400 };
    static const cairn_impurity impurities[] = {CAIRN_GINI, CAIRN_ENTROPY, CAIRN_MINORITY};
    cairn_text once = cairn_text_start(*state), often = cairn_text_start(*state);
    uint32_t repeats[ROWS];
    cairn_text_add(&once, "x,z,b,y\n");
    cairn_text_add(&often, "x,z,b,y\n");
    for (unsigned i = 0; i < ROWS; i++) {
        unsigned hash = i * 2654435761u;
        repeats[i] = 1 + (hash >> 28) % 5;
        for (unsigned r = 0; r < repeats[i]; r++)
            cairn_text_addf(&often, "%u,%u,%u,%c\n", hash >> 8 & 1023, hash >> 18 & 7,
                            hash >> 21 & 1, "abc"[(hash >> 22 & 1) + (hash >> 8 & 1023) / 600]);
        cairn_text_addf(&once, "%u,%u,%u,%c\n", hash >> 8 & 1023, hash >> 18 & 7, hash >> 21 & 1,
                        "abc"[(hash >> 22 & 1) + (hash >> 8 & 1023) / 600]);
    }
    for (size_t j = 0; j < 3; j++) {
        cairn_grow_options options = plain;
        cairn_binned a, b;
        cairn_tree_model first = {0}, second = {0};
        options.impurity = impurities[j];
        code(*state, &a, cairn_text_string(&once));
        code(*state, &b, cairn_text_string(&often));
        assert_ok(*state, NEW_RAW(*state, &a.repeats, ROWS));
        memcpy(a.repeats, repeats, sizeof repeats);
        assert_ok(*state, cairn_tree_grow(*state, &first, &a, &options));
        assert_ok(*state, cairn_tree_grow(*state, &second, &b, &options));
        assert_int_equal(first.n_nodes, second.n_nodes);
        for (size_t i = 0; i < first.n_nodes; i++) {
            assert_int_equal(first.nodes[i].column, second.nodes[i].column);
            assert_true(first.nodes[i].cut == second.nodes[i].cut);
            assert_true(first.nodes[i].weight == second.nodes[i].weight);
            assert_true(first.nodes[i].gain == second.nodes[i].gain);
            assert_int_equal(first.nodes[i].usual, second.nodes[i].usual);
        }
        cairn_tree_clear(&first);
        cairn_tree_clear(&second);
        cairn_binned_clear(&a);
        cairn_binned_clear(&b);
    }
    cairn_text_clear(&once);
    cairn_text_clear(&often);
}

/* Likes the smallest first part best: cuts off one row at a time. */
static double smallest_first(const double *cells, size_t n_parts, size_t n_classes,
                             const void *data)
{
    double sum = 0;
    (void)n_parts;
    (void)data;
    for (size_t l = 0; l < n_classes; l++) sum += cells[l];
    return -sum;
}

static void test_grow__depth_is_limited_by_memory_only(void **state)
{
    enum { ROWS = 3000 };
    cairn_text csv = cairn_text_start(*state);
    cairn_grow_options options = plain;
    cairn_binned data;
    cairn_tree_model tree = {0};
    cairn_text_add(&csv, "x,y\n");
    for (int i = 0; i < ROWS; i++) cairn_text_addf(&csv, "%d,%c\n", i, "ab"[i % 2]);
    code(*state, &data, cairn_text_string(&csv));
    options.own_score = smallest_first;
    options.min_gain = -INFINITY;
    assert_ok(*state, cairn_tree_grow(*state, &tree, &data, &options));
    int32_t *depths = NULL;
    assert_ok(*state, SCRATCH(*state, &depths, tree.n_nodes));
    assert_int_equal(tree.n_nodes, 2 * ROWS - 1);
    assert_int_equal(cairn_tree_depths(&tree, depths), ROWS - 1);
    assert_int_equal(cairn_tree_leaves(&tree), ROWS);
    cairn_tree_clear(&tree);
    cairn_binned_clear(&data);
    cairn_text_clear(&csv);
}

static void test_tree__cut_back_keeps_a_tree(void **state)
{
    cairn_tree_model tree;
    uint8_t marks[64] = {0};
    grow_small(*state, &tree, &plain);
    assert_true(tree.n_nodes < 64 && tree.nodes[0].column >= 0);
    assert_ok(*state, cairn_tree_cut_back(*state, &tree, marks, CAIRN_LEAF_MAX_LEAVES));
    size_t n = tree.n_nodes;
    marks[0] = 1;
    assert_ok(*state, cairn_tree_cut_back(*state, &tree, marks, CAIRN_LEAF_MAX_LEAVES));
    assert_true(n > 1);
    assert_int_equal(tree.n_nodes, 1);
    assert_int_equal(tree.n_links, 0);
    assert_int_equal(tree.nodes[0].column, -1);
    assert_int_equal(tree.nodes[0].reason, CAIRN_LEAF_MAX_LEAVES);
    assert_near(tree.nodes[0].weight, 6, 0);
    cairn_tree_clear(&tree);
}

/* -- files -- */

/* Write the tree and read it back. */
static cairn_status copy_tree(cairn_context *ctx, cairn_tree_model *out, cairn_tree_model *tree)
{
    cairn_archive *archive = NULL;
    char *bytes = NULL, *nothing = NULL;
    size_t length = 0;
    cairn_status status;
    *out = (cairn_tree_model){0};
    TRY(cairn_archive_writer(ctx, &archive));
    TRY(cairn_archive_section(archive, "tree"));
    TRY(cairn_tree_archive(archive, tree, NULL));
    TRY(cairn_archive_finish(archive, &bytes, &length));
    cairn_archive_free(archive);
    archive = NULL;
    TRY(cairn_archive_reader(ctx, &archive, "tree.model", bytes, length));
    TRY(cairn_archive_section(archive, "tree"));
    TRY(cairn_tree_archive(archive, out, NULL));
    TRY(cairn_archive_finish(archive, &nothing, &length));
done:
    cairn_archive_free(archive);
    cairn_free(bytes);
    return status;
}

static void test_tree__is_read_as_it_was_written(void **state)
{
    cairn_tree_model tree, copy;
    grow_small(*state, &tree, &plain);
    assert_ok(*state, copy_tree(*state, &copy, &tree));
    assert_int_equal(copy.n_nodes, tree.n_nodes);
    for (size_t i = 0; i < tree.n_nodes; i++) {
        assert_int_equal(copy.nodes[i].column, tree.nodes[i].column);
        assert_int_equal(copy.nodes[i].parent, tree.nodes[i].parent);
        if (tree.nodes[i].column >= 0) assert_int_equal(copy.nodes[i].links, tree.nodes[i].links);
        assert_near(copy.nodes[i].weight, tree.nodes[i].weight, 0);
    }
    cairn_tree_clear(&copy);
    cairn_tree_clear(&tree);
}

/* Ways to spoil a tree; false when there is no such way any more. */
static bool spoil(cairn_tree_model *t, int way)
{
    cairn_tree_node *root = &t->nodes[0], *last = &t->nodes[t->n_nodes - 1];
    int32_t *link = &t->links[root->links];
    switch (way) {
    case 0: root->column = (int32_t)t->n_columns; return true;
    case 1: root->column = -2; return true;
    case 2: root->label = (int32_t)t->n_classes; return true;
    case 3: root->label = -1; return true;
    case 4: root->test = 77; return true;
    case 5: root->test = CAIRN_TEST_NONE; return true;
    case 6: t->is_number[root->column] ^= 1; return true;
    case 7: root->n_branches += 1; return true;
    case 8: root->n_branches = -1; return true;
    case 9: root->n_branches = INT32_MAX; return true;
    case 10: root->usual = root->n_branches; return true;
    case 11: root->usual = -1; return true;
    case 12: root->n_counts += 1; return true;
    case 13: root->weight = NAN; return true;
    case 14: root->weight = -1; return true;
    case 15: *link = 0; return true;                   /* its own child */
    case 16: *link = (int32_t)t->n_nodes; return true; /* a child that is not there */
    case 17: *link = -7; return true;
    case 18: *link = link[1]; return true; /* one child twice */
    case 19: *link = -1; return true;      /* a node without a parent */
    case 20: t->classes[0] = (int32_t)t->n_classes; return true;
    case 21: t->weights[0] = INFINITY; return true;
    case 22: t->cut_form = 9; return true;
    case 23: t->missing = -1; return true;
    case 24: last->column = 0; return true;
    case 25: last->reason = CAIRN_LEAF_REASONS; return true;
    case 26: t->n_nodes -= 1; return true;
    default: return false;
    }
}

static void test_tree__refuses_what_is_not_a_tree(void **state)
{
    for (int way = 0;; way++) {
        cairn_tree_model tree, copy;
        grow_small(*state, &tree, &plain);
        if (!spoil(&tree, way)) {
            cairn_tree_clear(&tree);
            assert_true(way > 20);
            return;
        }
        cairn_status status = copy_tree(*state, &copy, &tree);
        if (status != CAIRN_BAD_DATA) fail_msg("way %d: status %d", way, status);
        assert_non_null(strstr(cairn_message(*state), "damaged"));
        cairn_tree_clear(&copy);
        cairn_tree_clear(&tree);
    }
}

/* -- memory: enough rows for subtrees as tasks -- */

static cairn_status grow_large(cairn_context *ctx, void *data)
{
    enum { ROWS = 33000 };
    double *x = NULL;
    int32_t *y = NULL;
    cairn_table *table = NULL;
    cairn_binned coded = {0};
    cairn_tree_model tree = {0};
    cairn_view view;
    cairn_status status;
    (void)data;
    TRY(NEW(ctx, &x, ROWS));
    TRY(NEW(ctx, &y, ROWS));
    for (int i = 0; i < ROWS; i++) {
        x[i] = i;
        y[i] = i / 5500 % 3;
    }
    static const char *const names[] = {"a", "b", "c"};
    TRY(cairn_table_new(ctx, &table, ROWS));
    TRY(cairn_table_add_numbers(ctx, table, "x", x));
    TRY(cairn_table_add_levels(ctx, table, "y", y, names, 3));
    TRY(cairn_table_set_role(ctx, table, "y", CAIRN_TARGET));
    TRY(cairn_view_make(ctx, &view, table, cairn_all_rows(table)));
    TRY(cairn_binned_make(ctx, &coded, &view, 3));
    TRY(cairn_tree_grow(ctx, &tree, &coded, &plain));
    assert_int_equal(cairn_tree_leaves(&tree), ROWS / 5500);
done:
    cairn_tree_clear(&tree);
    cairn_binned_clear(&coded);
    cairn_table_free(table);
    cairn_free(x);
    cairn_free(y);
    return status;
}

static void test_grow__survives_failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(grow_large, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_binned__codes_are_ranks_and_bits),
        context_test(test_grow__columns_may_be_barred),
        context_test(test_grow__columns_are_drawn_until_one_can_split),
        context_test(test_grow__random_cuts_divide),
        context_test(test_grow__rounded_cuts_divide_alike),
        context_test(test_grow__whole_weights_are_repeated_rows),
        context_test(test_grow__depth_is_limited_by_memory_only),
        context_test(test_tree__cut_back_keeps_a_tree),
        context_test(test_tree__is_read_as_it_was_written),
        context_test(test_tree__refuses_what_is_not_a_tree),
        context_test(test_grow__survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
