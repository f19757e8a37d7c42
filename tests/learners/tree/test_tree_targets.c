/* SPDX-License-Identifier: MIT */
/* One tree for several targets, one category of a target, and trees whose leaves are clusters. */
#include "fitted.h"

#include "base/text.h"
#include "support/fail_alloc.h"
#include <stdlib.h>
#include <unistd.h>

/* Two numbers and a class; a decides the first two, b the class. */
static const char both[] = "a,b,y,z,c\n"
                           "x,p,1,10,no\n"
                           "x,q,1,12,yes\n"
                           "x,p,3,10,no\n"
                           "w,q,7,20,yes\n"
                           "w,p,7,22,no\n"
                           "w,q,9,20,yes\n";

/* The same rows twice: with so few kinds, y and z are classes. */
static const char both_twice[] = "a,b,y,z,c\n"
                                 "x,p,1,10,no\nx,p,1,10,no\n"
                                 "x,q,1,12,yes\nx,q,1,12,yes\n"
                                 "x,p,3,10,no\nx,p,3,10,no\n"
                                 "w,q,7,20,yes\nw,q,7,20,yes\n"
                                 "w,p,7,22,no\nw,p,7,22,no\n"
                                 "w,q,9,20,yes\nw,q,9,20,yes\n";

static cairn_table *several(cairn_context *ctx, const char *source, const char *targets)
{
    char copy[100];
    cairn_table *table = table_of(ctx, source, NULL, NULL);
    snprintf(copy, sizeof copy, "%s", targets);
    assert_ok(ctx, cairn_table_set_role(ctx, table,
                                        cairn_table_name(table, cairn_table_columns(table) - 1),
                                        CAIRN_FEATURE));
    for (char *name = strtok(copy, ","); name; name = strtok(NULL, ","))
        assert_ok(ctx, cairn_table_set_role(ctx, table, name, CAIRN_TARGET));
    return table;
}

static const cairn_column *column_in(const cairn_table *table, const char *name)
{
    ptrdiff_t at = cairn_table_find(table, name);
    if (at < 0) fail_msg("there is no column '%s'", name);
    return table->slots[at].column;
}

static void test_together__scores_add_up(void **state)
{
    fitted f = fit_table(*state, several(*state, both, "y,z"),
                         "tree:together=yes,target_scale=none,max_depth=1", CAIRN_REGRESS, true);
    /* y: mean 28/6, squares 190/6; z: mean 94/6, squares 1628/6 */
    double y = 190.0 / 6 - 28.0 / 6 * 28 / 6, z = 1628.0 / 6 - 94.0 / 6 * 94 / 6;
    assert_value(&f, "node1.dissimilarity", y + z);
    assert_value(&f, "node1.dissimilarity.y", y);
    assert_value(&f, "node1.dissimilarity.z", z);
    /* x: 1 1 3 and 10 12 10; w: 7 7 9 and 20 22 20 have variance 8/9 each */
    assert_value(&f, "node1.split.a", 16.0 / 9);
    assert_word(&f, "node1.chosen", "a");
    assert_value(&f, "leaf2.mean.y", 5.0 / 3);
    assert_value(&f, "leaf2.mean.z", 32.0 / 3);
    assert_value(&f, "leaf3.mean.y", 23.0 / 3);
    drop(&f);
}

static void test_together__kinds_mix_by_their_own_scores(void **state)
{
    fitted f = fit_table(*state, several(*state, both, "y,c"), "tree:together=yes,max_depth=1",
                         CAIRN_REGRESS, true);
    double y = 190.0 / 6 - 28.0 / 6 * 28 / 6;
    assert_value(&f, "node1.dissimilarity", 2); /* 1 of y, one bit of c */
    double bits = -2.0 / 3 * log2(2.0 / 3) - 1.0 / 3 * log2(1.0 / 3);
    assert_value(&f, "node1.drop.a", 1 - 8.0 / 9 / y + 1 - bits);
    /* b decides c, and y a little: means 11/3 and 17/3 */
    assert_value(&f, "node1.drop.b", 1 + 1 / y);
    drop(&f);
}

static void test_together__order_of_targets_does_not_matter(void **state)
{
    const char *specs[] = {"y,z,c", "c,y,z", "z,c,y"};
    for (size_t i = 0; i < 3; i++) {
        cairn_table *table = several(*state, both_twice, "y,z,c"), *answers = NULL;
        char copy[20];
        snprintf(copy, sizeof copy, "%s", specs[i]);
        cairn_table_lead_target(table, (size_t)cairn_table_find(table, strtok(copy, ",")));
        fitted f = fit_table(*state, table, "tree:together=yes", CAIRN_TASK_AUTO, false);
        assert_ok(f.ctx, cairn_model_predict(f.ctx, &answers, f.model, table, false));
        const cairn_column *y = column_in(answers, "y"), *c = column_in(answers, "c");
        static const char *const expected[] = {"1", "1", "1", "7", "7", "7"};
        for (size_t row = 0; row < 12; row++) {
            assert_string_equal(cairn_map_key(&y->names, (size_t)y->codes[row]), expected[row / 2]);
            assert_string_equal(cairn_map_key(&c->names, (size_t)c->codes[row]),
                                row / 2 % 2 ? "yes" : "no");
        }
        cairn_table_free(answers);
        drop(&f);
    }
}

static void test_together__one_number_is_an_ordinary_tree(void **state)
{
    fitted one = fit_table(*state, several(*state, "@iris", "petal_width"), "tree:min_leaf=5",
                           CAIRN_REGRESS, false);
    cairn_table *table = several(*state, "@iris", "petal_width");
    fitted two;
    const cairn_column *y = column_in(table, "petal_width");
    assert_ok(*state, cairn_table_add_numbers(*state, table, "twice", y->numbers));
    assert_ok(*state, cairn_table_set_role(*state, table, "twice", CAIRN_TARGET));
    two = fit_table(*state, table, "tree:min_leaf=5,together=yes", CAIRN_REGRESS, false);
    const cairn_tree_model *a = tree_in(&one), *b = tree_in(&two);
    assert_int_equal(a->n_nodes, b->n_nodes);
    for (size_t i = 0; i < a->n_nodes; i++) {
        assert_int_equal(a->nodes[i].column, b->nodes[i].column);
        assert_near(a->nodes[i].mean, b->nodes[i].mean, 1e-12);
        assert_near(a->nodes[i].error, b->nodes[i].error, 1e-9);
    }
    drop(&one);
    drop(&two);
}

static void test_together__rows_may_lack_targets(void **state)
{
    static const char text[] = "a,y,c\n1,1.5,no\n1,,no\n2,5,\n2,,yes\n1,1.5,no\n2,5,yes\n";
    fitted f =
        fit_table(*state, several(*state, text, "y,c"), "tree:together=yes", CAIRN_TASK_AUTO, true);
    assert_value(&f, "tree.leaves", 2);
    assert_value(&f, "leaf2.mean.y", 1.5);
    assert_value(&f, "leaf3.mean.y", 5);
    assert_value(&f, "leaf3.share.c.yes", 1);
    assert_value(&f, "leaf3.n", 3);
    drop(&f);
}

static void test_together__what_is_about_one_target_is_refused(void **state)
{
    const char *specs[] = {"tree:together=yes,prune=mdl", "tree:together=yes,leaf=linear",
                           "tree:together=yes,score=chi", "tree:together=yes,reject_below=2",
                           "tree:together=yes,target_category=perhaps"};
    cairn_table *table = several(*state, both, "y,c");
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        cairn_model *model = NULL;
        assert_int_equal(try_fit(*state, &model, table, specs[i], CAIRN_TASK_AUTO, NULL),
                         CAIRN_USAGE);
        assert_non_null(strstr(cairn_message(*state), i < 4 ? "together" : "target-category"));
        assert_null(strchr(cairn_message(*state), '{'));
    }
    cairn_table_free(table);
}

static void test_category__contribution_of_one_class(void **state)
{
    static const char text[] = "a,b,t\nx,p,I\nx,q,II\nx,p,III\nw,q,III\nw,p,III\nw,q,II\n";
    fitted f = fit_table(*state, table_of(*state, text, NULL, NULL),
                         "tree:target_category=III,target_scale=bernoulli", CAIRN_TASK_AUTO, true);
    /* share 1/2; a has 1/3 and 2/3, b has 2/3 and 1/3: (1/6)² / (1/4) */
    assert_value(&f, "node1.contribution.a", 1.0 / 9);
    assert_value(&f, "node1.contribution.b", 1.0 / 9);
    assert_word(&f, "node1.chosen", "a");
    drop(&f);
    f = fit_table(*state, table_of(*state, text, NULL, NULL), "tree:target_category=I",
                  CAIRN_TASK_AUTO, true);
    /* without I there is nothing to tell: a=w is a leaf although its classes are mixed */
    assert_word(&f, "node1.chosen", "a");
    assert_word(&f, "leaf.a=w", "III");
    drop(&f);
}

static void test_order__columns_by_depth(void **state)
{
    fitted f = fit(*state, "@weather", "tree:column_order=(wind,humidity)");
    assert_word(&f, "tree.text",
                "wind(weak: humidity(high: no, normal: yes), strong: "
                "humidity(high: no, normal: yes))");
    drop(&f);
    /* every combination has a leaf, also below rows that agree */
    f = fit(*state, "@weather", "tree:column_order=(outlook,wind),complete=yes");
    assert_value(&f, "tree.leaves", 6);
    assert_word(&f, "leaf.outlook=overcast,wind=strong", "yes");
    drop(&f);
    f = fit(*state, "@weather", "tree:column_order=(outlook,wind)");
    assert_value(&f, "tree.leaves", 5);
    drop(&f);
}

static void test_clusters__means_and_numbers(void **state)
{
    cairn_table *answers = NULL;
    fitted f = fit_table(*state, several(*state, both, "y,z"), "clustering-tree:max_depth=1",
                         CAIRN_CLUSTER, true);
    assert_value(&f, "tree.leaves", 2);
    assert_value(&f, "tree.after", 16.0 / 9);
    assert_ok(f.ctx, cairn_model_predict(f.ctx, &answers, f.model, f.table, false));
    const cairn_column *cluster = column_in(answers, "cluster"), *z = column_in(answers, "z");
    for (size_t row = 0; row < 6; row++) {
        assert_int_equal(cluster->codes[row], row / 3);
        assert_near(z->numbers[row], row < 3 ? 32.0 / 3 : 62.0 / 3, 1e-12);
    }
    cairn_table_free(answers);
    drop(&f);
}

/* In the printed tree of a report: that a leaf says this. */
static void assert_shown(const fitted *f, const char *part, bool wanted)
{
    char *text = NULL;
    assert_ok(f->ctx, cairn_report_print(f->ctx, f->report, CAIRN_FORMAT_TEXT, NULL, &text));
    if (!strstr(text, part) == wanted)
        fail_msg("'%s' is %s:\n%s", part, wanted ? "missing" : "there", text);
    cairn_string_free(text);
}

/* No row has y: where a leaf has no mean it says so. */
static void test_clusters__leaves_without_a_target(void **state)
{
    cairn_context *ctx = *state;
    static const char text[] = "a,y,c,z\n1,,u,1\n1,,u,1\n2,,v,9\n2,,,9\n";
    cairn_table *table = table_of(ctx, text, "z", "y=number"), *answers = NULL;
    assert_ok(ctx, cairn_table_set_role(ctx, table, "y", CAIRN_TARGET));
    assert_ok(ctx, cairn_table_set_role(ctx, table, "c", CAIRN_TARGET));
    fitted f = fit_table(ctx, table, "clustering-tree:max_depth=1", CAIRN_CLUSTER, false);
    assert_value(&f, "tree.leaves", 2);
    assert_shown(&f, "c u, y ?, z 1 ", true);
    assert_shown(&f, "c v, y ?, z 9 ", true);
    assert_shown(&f, "nan", false);
    assert_ok(ctx, cairn_model_predict(ctx, &answers, f.model, table, false));
    assert_int_equal(column_in(answers, "y")->n_missing, 4);
    cairn_table_free(answers);
    drop(&f);
}

/* Nothing could be answered for such a target, and its model could not be read again. */
static void test_clusters__levels_without_any_are_refused(void **state)
{
    cairn_context *ctx = *state;
    cairn_model *model = NULL;
    cairn_table *table = table_of(ctx, "a,c,z\n1,,1\n2,,9\n", "z", "c=level");
    assert_ok(ctx, cairn_table_set_role(ctx, table, "c", CAIRN_TARGET));
    assert_fails(ctx, try_fit(ctx, &model, table, "clustering-tree", CAIRN_CLUSTER, NULL),
                 CAIRN_BAD_DATA, "'c' has no value in any row");
    assert_null(model);
    cairn_table_free(table);
}

static void test_clusters__numbers_that_overflow_are_refused(void **state)
{
    cairn_context *ctx = *state;
    cairn_model *model = NULL;
    cairn_table *table = several(ctx, "u,v\n1,1\n2,1\n-3e200,9\n9,9\n", "");
    assert_fails(ctx, try_fit(ctx, &model, table, "clustering-tree", CAIRN_CLUSTER, NULL),
                 CAIRN_BAD_DATA, "column 'u', row 3: -3e+200 is too large");
    assert_null(model);
    cairn_table_free(table);
}

static void test_clusters__medoid_is_the_nearest_row(void **state)
{
    fitted f = fit_table(*state, several(*state, both, "y,z"),
                         "clustering-tree:max_depth=1,leaf=medoid", CAIRN_CLUSTER, false);
    /* mean 5/3, 32/3: row 1 is off by 8/9, rows 2 and 3 by 20/9 */
    assert_word(&f, "leaf2.medoid", "row 1");
    assert_value(&f, "leaf2.mean.y", 1);
    assert_value(&f, "leaf2.mean.z", 10);
    drop(&f);
}

static void test_clusters__all_columns_without_a_target(void **state)
{
    cairn_table *table = several(*state, "u,v\n1,1\n2,1\n8,9\n9,9\n", "");
    fitted f = fit_table(*state, table, "clustering-tree:max_leaves=2", CAIRN_CLUSTER, false);
    assert_value(&f, "tree.leaves", 2);
    assert_value(&f, "tree.before", 12.5 + 16);
    assert_value(&f, "tree.after", 0.25);
    drop(&f);
}

/* The dissimilarities |i - j| of four rows. */
static fitted fit_matrix(cairn_context *ctx, const char *source, const char *options)
{
    char path[] = "/tmp/cairn-test-goals-XXXXXX", spec[200];
    static const char matrix[] = "row,a,b,c,d\na,0,1,2,3\nb,1,0,1,2\nc,2,1,0,1\nd,3,2,1,0\n";
    int file = mkstemp(path);
    assert_true(file >= 0 && write(file, matrix, strlen(matrix)) == (ssize_t)strlen(matrix));
    close(file);
    snprintf(spec, sizeof spec, "clustering-tree:matrix=%s%s", path, options);
    fitted f = fit_table(ctx, several(ctx, source, ""), spec, CAIRN_CLUSTER, true);
    unlink(path);
    return f;
}

static void test_clusters__matrix_cuts_and_levels(void **state)
{
    fitted f = fit_matrix(*state, "x\n4\n3\n2\n1\n", ",max_depth=1");
    assert_value(&f, "node1.dissimilarity", 20.0 / 16);
    assert_value(&f, "node1.split.x", 0.5);
    assert_value(&f, "node1.cut.x", 2.5);
    assert_word(&f, "leaf2.medoid", "c");
    drop(&f);
    f = fit_matrix(*state, "x\nk\nl\nl\nm\n", ",max_depth=1,split=binary");
    /* k against l l m: 0 + 8/9 · 3/4; l against k m: 1/2 + 3/2, halves; m as k */
    assert_value(&f, "node1.split.x", 2.0 / 3);
    drop(&f);
    f = fit_matrix(*state, "x\nk\nl\nl\nm\n", "");
    assert_value(&f, "node1.split.x", 0.25);
    assert_value(&f, "tree.leaves", 3);
    drop(&f);
}

/* What the best cut of x gains for two targets of many levels, every cut by hand. */
static double best_of_levels(const cairn_table *table, cairn_impurity impurity, double least)
{
    enum { LEVELS = 40 };
    double best = 0;
    for (double cut = 0.5; cut < 63; cut++) {
        double gain = 0, sizes[2] = {0, 0};
        for (size_t t = 1; t < 3; t++) {
            const cairn_column *y = table->slots[t].column;
            double parts[2 * LEVELS] = {0}, all[LEVELS] = {0};
            sizes[0] = sizes[1] = 0;
            for (size_t i = 0; i < table->n_rows; i++) {
                bool right = table->slots[0].column->numbers[i] > cut;
                parts[right * LEVELS + y->codes[i]]++;
                all[y->codes[i]]++;
                sizes[right]++;
            }
            gain += cairn_impurity_of(impurity, all, LEVELS) -
                    cairn_impurity_after(impurity, parts, 2, LEVELS);
        }
        if (sizes[0] >= least && sizes[1] >= least && gain > best) best = gain;
    }
    return best;
}

static void test_together__many_levels_are_cut_best(void **state)
{
    static const struct {
        const char *spec;
        cairn_impurity impurity;
        double least;
    } cases[] = {{"tree:together=yes,max_depth=1", CAIRN_ENTROPY, 1},
                 {"tree:together=yes,max_depth=1,impurity=gini", CAIRN_GINI, 1},
                 {"tree:together=yes,max_depth=1,min_leaf=150", CAIRN_ENTROPY, 150},
                 {"tree:together=yes,max_depth=1,target_scale=none", CAIRN_GINI, 1},
                 {"tree:together=yes,max_depth=1,impurity=sqrtgini", CAIRN_SQRT_GINI, 1}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        cairn_text text = cairn_text_start(*state);
        uint32_t random = 11;
        cairn_text_add(&text, "x,y,z\n");
        for (size_t i = 0; i < 400; i++) {
            random = random * 1664525 + 1013904223;
            unsigned x = random >> 26, y = i < 40 ? (unsigned)i : (x + (random >> 10 & 31)) % 40;
            cairn_text_addf(&text, "%u,y%u,z%u\n", x, y, i < 40 ? (unsigned)i : y * x % 40);
        }
        cairn_table *table = several(*state, cairn_text_string(&text), "y,z");
        double best = best_of_levels(table, cases[c].impurity, cases[c].least);
        fitted f = fit_table(*state, table, cases[c].spec, CAIRN_CLASSIFY, false);
        assert_near(tree_in(&f)->nodes[0].gain, best, 1e-9);
        cairn_text_clear(&text);
        drop(&f);
    }
}

enum { WIDE_ROWS = 6, WIDE_COLUMNS = 1500 };

/* A table without a target: every third column has levels, the others numbers. */
static cairn_table *wide_table(cairn_context *ctx, double *cells, bool missing)
{
    cairn_text text = cairn_text_start(ctx);
    cairn_table *table = NULL;
    uint32_t random = 7;
    for (size_t c = 0; c < WIDE_COLUMNS; c++) cairn_text_addf(&text, "%sc%zu", c ? "," : "", c);
    for (size_t r = 0; r < WIDE_ROWS; r++)
        for (size_t c = 0; c < WIDE_COLUMNS; c++) {
            random = random * 1664525 + 1013904223;
            unsigned cell = random >> 24;
            cells[r * WIDE_COLUMNS + c] = c % 3 ? cell : cell % 3;
            cairn_text_add(&text, c ? "," : "\n");
            if (missing && r == 1 && c == 1)
                cairn_text_add(&text, "?");
            else
                cairn_text_addf(&text, c % 3 ? "%u" : "l%u", c % 3 ? cell : cell % 3);
        }
    cairn_text_add(&text, "\n");
    assert_ok(ctx, cairn_table_read_memory(ctx, &table, "wide.csv", cairn_text_string(&text),
                                           text.length, NULL));
    cairn_text_clear(&text);
    return table;
}

/* Sum of the variances of all columns over some rows; levels count as columns of 0 and 1. */
static double spread_of(const double *cells, const bool *in)
{
    double sum = 0, n = 0;
    for (size_t r = 0; r < WIDE_ROWS; r++) n += in[r];
    for (size_t c = 0; c < WIDE_COLUMNS; c++)
        for (size_t level = 0; level < (c % 3 ? 1 : 3); level++) {
            double mean = 0, square = 0;
            for (size_t r = 0; r < WIDE_ROWS; r++) {
                double x = cells[r * WIDE_COLUMNS + c];
                if (c % 3 == 0) x = x == (double)level;
                if (in[r]) mean += x / n, square += x * x / n;
            }
            sum += square - mean * mean;
        }
    return sum;
}

static void test_clusters__few_rows_with_very_many_columns(void **state)
{
    double *cells = malloc(sizeof *cells * WIDE_ROWS * WIDE_COLUMNS);
    assert_non_null(cells);
    fitted f = fit_table(*state, wide_table(*state, cells, false), "clustering-tree:max_depth=1",
                         CAIRN_CLUSTER, true);
    bool all[WIDE_ROWS], in[WIDE_ROWS], out[WIDE_ROWS];
    double best = INFINITY;
    for (size_t r = 0; r < WIDE_ROWS; r++) all[r] = true;
    double before = spread_of(cells, all);
    assert_near(value(&f, "node1.dissimilarity"), before, 1e-6);
    for (size_t c = 0; c < WIDE_COLUMNS; c++)
        for (size_t at = 0; at < WIDE_ROWS; at++) { /* cuts of numbers, all levels at once */
            double after = 0, n = 0, more = 0;
            if (c % 3 == 0) {
                for (double level = 0; level < 3; level++) {
                    for (size_t r = n = 0; r < WIDE_ROWS; r++)
                        n += in[r] = cells[r * WIDE_COLUMNS + c] == level;
                    if (n > 0) after += n / WIDE_ROWS * spread_of(cells, in);
                }
                if (after < best && before - after > 1e-9) best = after;
                break;
            }
            for (size_t r = 0; r < WIDE_ROWS; r++) {
                in[r] = cells[r * WIDE_COLUMNS + c] <= cells[at * WIDE_COLUMNS + c];
                out[r] = !in[r];
                n += in[r], more += out[r];
            }
            if (more == 0) continue;
            after = (n * spread_of(cells, in) + more * spread_of(cells, out)) / WIDE_ROWS;
            if (after < best) best = after;
        }
    assert_near(value(&f, "tree.before"), before, 1e-6);
    assert_near(value(&f, "tree.after"), best, 1e-6);
    drop(&f);
    /* with a missing cell the same is searched by sums, which gives about the same */
    f = fit_table(*state, wide_table(*state, cells, true), "clustering-tree:max_depth=1",
                  CAIRN_CLUSTER, false);
    assert_near(value(&f, "tree.after"), best, best / 100);
    drop(&f);
    free(cells);
}

static void test_clusters__too_many_columns_are_refused(void **state)
{
    enum { COLUMNS = 125000 };
    cairn_context *ctx = *state;
    cairn_text text = cairn_text_start(ctx);
    cairn_table *table = NULL;
    cairn_model *model = NULL;
    for (size_t c = 0; c < COLUMNS; c++) cairn_text_addf(&text, "%sc%zu", c ? "," : "", c);
    for (size_t r = 0; r < 2; r++)
        for (size_t c = 0; c < COLUMNS; c++)
            cairn_text_addf(&text, "%s%s", c ? "," : "\n", r == 0 && c == 0 ? "?" : r ? "1" : "2");
    cairn_text_add(&text, "\n");
    assert_ok(ctx, cairn_table_read_memory(ctx, &table, "wide.csv", cairn_text_string(&text),
                                           text.length, NULL));
    assert_int_equal(try_fit(ctx, &model, table, "clustering-tree", CAIRN_CLUSTER, NULL),
                     CAIRN_BAD_DATA);
    assert_non_null(strstr(cairn_message(ctx), "with=impute"));
    cairn_text_clear(&text);
    cairn_table_free(table);
}

static void test_clusters__a_model_comes_back(void **state)
{
    char path[] = "/tmp/cairn-test-goals-XXXXXX";
    cairn_model *model = NULL;
    cairn_table *a = NULL, *b = NULL;
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    fitted f = fit_table(*state, several(*state, both, "y,c"), "clustering-tree:leaf=medoid",
                         CAIRN_CLUSTER, false);
    assert_ok(f.ctx, cairn_model_save(f.ctx, f.model, path));
    assert_ok(f.ctx, cairn_model_load(f.ctx, &model, path));
    assert_ok(f.ctx, cairn_model_predict(f.ctx, &a, f.model, f.table, false));
    assert_ok(f.ctx, cairn_model_predict(f.ctx, &b, model, f.table, false));
    assert_int_equal(cairn_table_hash(a), cairn_table_hash(b));
    unlink(path);
    cairn_table_free(a);
    cairn_table_free(b);
    cairn_model_free(model);
    drop(&f);
}

static cairn_status fit_and_show(cairn_context *ctx, void *spec)
{
    cairn_table *table = NULL, *answers = NULL;
    cairn_model *model = NULL;
    cairn_report *report = NULL;
    cairn_status status;
    TRY(cairn_table_read_memory(ctx, &table, "data.csv", both, strlen(both), NULL));
    TRY(cairn_table_set_role(ctx, table, "y", CAIRN_TARGET));
    TRY(cairn_table_set_role(ctx, table, "c", CAIRN_TARGET));
    TRY(cairn_report_new(ctx, &report));
    TRY(try_fit(ctx, &model, table, spec, CAIRN_TASK_AUTO, report));
    TRY(cairn_model_describe(ctx, report, model));
    TRY(cairn_report_status(report));
    TRY(cairn_model_predict(ctx, &answers, model, table, true));
done:
    cairn_table_free(answers);
    cairn_report_free(report);
    cairn_model_free(model);
    cairn_table_free(table);
    return status;
}

static void test_targets__survive_failing_allocations(void **state)
{
    static char together[] = "tree:together=yes", clusters[] = "clustering-tree:leaf=medoid";
    (void)state;
    assert_survives_allocation_failures(fit_and_show, together);
    assert_survives_allocation_failures(fit_and_show, clusters);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_together__scores_add_up),
        context_test(test_together__kinds_mix_by_their_own_scores),
        context_test(test_together__order_of_targets_does_not_matter),
        context_test(test_together__one_number_is_an_ordinary_tree),
        context_test(test_together__rows_may_lack_targets),
        context_test(test_together__what_is_about_one_target_is_refused),
        context_test(test_category__contribution_of_one_class),
        context_test(test_order__columns_by_depth),
        context_test(test_clusters__means_and_numbers),
        context_test(test_clusters__leaves_without_a_target),
        context_test(test_clusters__levels_without_any_are_refused),
        context_test(test_clusters__numbers_that_overflow_are_refused),
        context_test(test_clusters__medoid_is_the_nearest_row),
        context_test(test_clusters__all_columns_without_a_target),
        context_test(test_clusters__matrix_cuts_and_levels),
        context_test(test_together__many_levels_are_cut_best),
        context_test(test_clusters__few_rows_with_very_many_columns),
        context_test(test_clusters__too_many_columns_are_refused),
        context_test(test_clusters__a_model_comes_back),
        context_test(test_targets__survive_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
