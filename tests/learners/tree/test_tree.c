/* SPDX-License-Identifier: MIT */
/* Behaviour of the tree learner: weights, missing cells, ties, limits, threads, edges. */
#include "fitted.h"
#include "base/random.h"
#include "base/text.h"
#include "stats/impurity.h"
#include "support/fail_alloc.h"

/* -- random tables -- */

typedef struct random_table {
    size_t n_rows;
    int distinct;  /* values of the number columns */
    bool weights;  /* a column w of whole weights 1 .. 3 */
    bool repeated; /* instead: every row as often as its weight */
    bool missing;  /* some cells missing */
    bool levels;   /* two columns of levels */
    bool number;   /* a number as target */
} random_table;

/* Columns x1 to x4 (x4 of two values), l1, l2, w and target y; row i depends on the stream only. */
static cairn_table *make_random(cairn_context *ctx, random_table r)
{
    cairn_random random;
    cairn_text csv = cairn_text_start(ctx), line = cairn_text_start(ctx);
    cairn_random_start(&random, 42, 1);
    cairn_text_addf(&csv, "x1,x2,x3,x4,%s%sy\n", r.levels ? "l1,l2," : "", r.weights ? "w," : "");
    for (size_t i = 0; i < r.n_rows; i++) {
        uint64_t d = (uint64_t)r.distinct, weight = 1 + cairn_random_below(&random, 3);
        uint64_t a = cairn_random_below(&random, d), b = cairn_random_below(&random, d);
        uint64_t c = cairn_random_below(&random, d), e = cairn_random_below(&random, 2);
        uint64_t l = cairn_random_below(&random, 3), m = cairn_random_below(&random, 5);
        uint64_t noise = cairn_random_below(&random, 6), gap = cairn_random_below(&random, 12);
        line.length = 0;
        if (r.missing && gap == 0)
            cairn_text_addf(&line, "?,");
        else
            cairn_text_addf(&line, "%llu,", (unsigned long long)a);
        cairn_text_addf(&line, "%llu,%llu,%llu,", (unsigned long long)b, (unsigned long long)c,
                        (unsigned long long)e);
        if (r.levels && r.missing && gap == 1)
            cairn_text_addf(&line, "?,");
        else if (r.levels)
            cairn_text_addf(&line, "k%llu,", (unsigned long long)l);
        if (r.levels) cairn_text_addf(&line, "m%llu,", (unsigned long long)m);
        if (r.weights) cairn_text_addf(&line, "%llu,", (unsigned long long)weight);
        uint64_t class = ((2 * a > d) + (b + c > d) + l + (noise == 0) + e * (m == 2)) % 3;
        if (r.number)
            cairn_text_addf(&line, "%llu.%llu\n", (unsigned long long)(class * 3 + a),
                            (unsigned long long)noise);
        else
            cairn_text_addf(&line, "c%llu\n", (unsigned long long)class);
        for (uint64_t k = 0; k < (r.repeated ? weight : 1); k++)
            cairn_text_add(&csv, cairn_text_string(&line));
    }
    cairn_table *table = table_of(ctx, cairn_text_string(&csv), "y", NULL);
    if (r.weights) assert_ok(ctx, cairn_table_set_role(ctx, table, "w", CAIRN_WEIGHT));
    cairn_text_clear(&csv);
    cairn_text_clear(&line);
    return table;
}

static cairn_task task_of(random_table r)
{
    return r.number ? CAIRN_REGRESS : CAIRN_CLASSIFY;
}

static fitted fit_random(cairn_context *ctx, random_table r, const char *spec)
{
    return fit_table(ctx, make_random(ctx, r), spec, task_of(r), false);
}

/* Same nodes, bit for bit. */
static void assert_same_nodes(const cairn_tree_model *s, const cairn_tree_model *t)
{
    assert_int_equal(s->n_nodes, t->n_nodes);
    for (size_t i = 0; i < s->n_nodes; i++) {
        const cairn_tree_node *m = &s->nodes[i], *n = &t->nodes[i];
        if (m->column != n->column || m->label != n->label || m->weight != n->weight ||
            m->mean != n->mean || m->gain != n->gain || m->test != n->test ||
            (m->column >= 0 && (m->cut != n->cut || m->level != n->level)) ||
            m->reason != n->reason || m->n_counts != n->n_counts)
            fail_msg("node %zu differs", i + 1);
    }
    assert_int_equal(s->n_links, t->n_links);
    assert_memory_equal(s->links, t->links, s->n_links * sizeof *s->links);
    assert_int_equal(s->n_counts, t->n_counts);
    if (s->n_counts) assert_memory_equal(s->weights, t->weights, s->n_counts * sizeof *s->weights);
}

static void assert_same_tree(const fitted *a, const fitted *b)
{
    assert_same_nodes(tree_in(a), tree_in(b));
}

/* -- frequent values -- */

/* Number columns in which one value, in the middle of the others, is frequent; whole weights. */
static cairn_table *make_frequent(cairn_context *ctx, size_t distinct)
{
    cairn_random random;
    cairn_text csv = cairn_text_start(ctx);
    cairn_random_start(&random, 7, 1);
    cairn_text_add(&csv, "x1,x2,x3,w,y\n");
    for (size_t i = 0; i < 600; i++) {
        uint64_t half = distinct / 2, x[3];
        for (size_t j = 0; j < 3; j++)
            x[j] = cairn_random_below(&random, 10) ? half : cairn_random_below(&random, distinct);
        uint64_t class =
            (2 * (x[0] > half) + (x[1] < half) + cairn_random_below(&random, 5) / 4) % 3;
        cairn_text_addf(&csv, "%zu,%zu,%zu,%zu,c%zu\n", (size_t)x[0], (size_t)x[1], (size_t)x[2],
                        (size_t)(1 + i % 2), (size_t) class);
    }
    cairn_table *table = table_of(ctx, cairn_text_string(&csv), "y", NULL);
    assert_ok(ctx, cairn_table_set_role(ctx, table, "w", CAIRN_WEIGHT));
    cairn_text_clear(&csv);
    return table;
}

/* The search in whole numbers leaves their rows out; an addition that changes no double makes the
 * tree by the other search. */
static void test_tree__frequent_values_are_counted_by_what_is_left(void **state)
{
    static const char *const specs[][2] = {{"tree:full", "tree:full,cell-add=1e-300"},
                                           {"tree:full,impurity=gini,min-leaf=3",
                                            "tree:full,impurity=gini,min-leaf=3,cell-add=1e-300"}};
    for (size_t i = 0; i < 2; i++)
        for (size_t distinct = 9; distinct < 1e9; distinct *= 3000) {
            fitted fast = fit_table(*state, make_frequent(*state, distinct), specs[i][0],
                                    CAIRN_CLASSIFY, false);
            fitted slow = fit_table(*state, make_frequent(*state, distinct), specs[i][1],
                                    CAIRN_CLASSIFY, false);
            assert_true(tree_in(&fast)->n_nodes > 20);
            assert_same_tree(&fast, &slow);
            drop(&fast);
            drop(&slow);
        }
}

/* A column of many levels makes no empty leaves. */
static void test_tree__many_levels_make_no_empty_leaves(void **state)
{
    cairn_text csv = cairn_text_start(*state);
    cairn_text_add(&csv, "l,m,y\n");
    for (size_t i = 0; i < 900; i++)
        cairn_text_addf(&csv, "l%zu,m%zu,%s\n", i % 300, i / 300, (i + i / 7) % 3 ? "p" : "n");
    cairn_table *table = table_of(*state, cairn_text_string(&csv), "y", "l=level");
    fitted f = fit_table(*state, table, "tree:full", CAIRN_CLASSIFY, false);
    const cairn_tree_model *tree = tree_in(&f);
    assert_true(tree->n_nodes > 300 && tree->n_nodes < 1800);
    for (size_t i = 0; i < tree->n_nodes; i++)
        assert_true(tree->nodes[i].weight > 0 ||
                    tree->nodes[tree->nodes[i].parent].n_branches == 3);
    cairn_text_clear(&csv);
    drop(&f);
}

/* -- weights -- */

static void test_tree__weights_are_repeated_rows(void **state)
{
    static const char *const specs[] = {"tree:full",
                                        "tree:full,impurity=gini",
                                        "tree:full,score=ratio",
                                        "tree:full,split=binary,impurity=sqrtgini",
                                        "tree:full,missing-in-model=branch",
                                        "tree:full,score=chi",
                                        "tree:full,split=subset",
                                        "tree:full,split=subset,missing-in-model=surrogate",
                                        "tree:full,cut-penalty=yes,cut-share=0.01,q-rule=two",
                                        "tree:full,cut=observed,above-average=yes"};
    for (int number = 0; number < 2; number++)
        for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
            random_table r = {.n_rows = 300,
                              .distinct = 7,
                              .levels = true,
                              .number = number,
                              .missing = i == 4 || i == 7,
                              .weights = true};
            fitted weighted = fit_random(*state, r, specs[i]);
            r.weights = false, r.repeated = true;
            fitted repeated = fit_random(*state, r, specs[i]);
            assert_true(tree_in(&weighted)->n_nodes > 20);
            assert_same_tree(&weighted, &repeated);
            drop(&weighted);
            drop(&repeated);
        }
}

static void test_tree__rows_of_weight_0_are_not_there(void **state)
{
    static const char with[] = "x,w,y\n1,1,a\n2,0,b\n3,1,c\n4,1,a\n";
    static const char without[] = "x,w,y\n1,1,a\n3,1,c\n4,1,a\n";
    cairn_table *table = table_of(*state, with, "y", NULL);
    assert_ok(*state, cairn_table_set_role(*state, table, "w", CAIRN_WEIGHT));
    fitted f = fit_table(*state, table, "tree:full", CAIRN_TASK_AUTO, false);
    table = table_of(*state, without, "y", NULL);
    assert_ok(*state, cairn_table_set_role(*state, table, "w", CAIRN_WEIGHT));
    fitted g = fit_table(*state, table, "tree:full", CAIRN_TASK_AUTO, false);
    assert_string_equal(word(&f, "tree.text"), word(&g, "tree.text"));
    assert_value(&f, "tree.leaves", 3);
    drop(&f);
    drop(&g);
}

/* -- the fast search against the general one, which a watcher brings about -- */

static bool keep_looking(void *data, const cairn_grow_event *event)
{
    (void)event;
    ++*(size_t *)data;
    return true;
}

static void grow_random(cairn_context *ctx, cairn_tree_model *tree, random_table r,
                        const cairn_grow_options *options)
{
    cairn_table *table = make_random(ctx, r);
    cairn_binned data;
    cairn_view view;
    *tree = (cairn_tree_model){0};
    assert_ok(ctx, cairn_view_make(ctx, &view, table, cairn_all_rows(table)));
    assert_ok(ctx, cairn_binned_make(ctx, &data, &view, view.target->names.n));
    assert_ok(ctx, cairn_tree_grow(ctx, tree, &data, options));
    cairn_binned_clear(&data);
    cairn_table_free(table);
}

static void test_tree__fast_and_general_search_agree(void **state)
{
    static const cairn_grow_options cases[] = {
        {.purity = 1},
        {.purity = 1, .impurity = CAIRN_GINI},
        {.purity = 1, .score = CAIRN_TREE_RATIO},
        {.purity = 1, .impurity = CAIRN_GINI, .min_leaf = 4},
        {.purity = 1, .tie = CAIRN_TREE_LAST, .cut = CAIRN_TREE_LE},
        {.purity = 1, .tie = CAIRN_TREE_RANDOM, .class_tie = CAIRN_TREE_RANDOM, .seed = 5},
        {.purity = 1, .missing = CAIRN_TREE_MODE},
    };
    static const int distinct[] = {3, 9, 200, 100000};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t d = 0; d < 4; d++) {
            random_table r = {
                .n_rows = 1200, .distinct = distinct[d], .levels = d % 2, .missing = d == 1};
            cairn_grow_options options = cases[i];
            cairn_tree_model fast, general;
            size_t seen = 0;
            grow_random(*state, &fast, r, &options);
            options.watch = keep_looking;
            options.watch_data = &seen;
            grow_random(*state, &general, r, &options);
            assert_int_equal(seen, general.n_nodes);
            assert_same_nodes(&fast, &general);
            cairn_tree_clear(&fast);
            cairn_tree_clear(&general);
        }
}

static void test_tree__steps_do_not_change_the_tree(void **state)
{
    random_table r = {.n_rows = 1200, .distinct = 9, .levels = true, .missing = true};
    fitted silent = fit_random(*state, r, "tree:full");
    fitted shown = fit_table(*state, make_random(*state, r), "tree:full", CAIRN_CLASSIFY, true);
    assert_same_tree(&silent, &shown);
    assert_value(&shown, "node50.n", tree_in(&shown)->nodes[49].weight);
    assert_null(cairn_report_string(shown.report, "node51.label"));
    drop(&silent);
    drop(&shown);
}

/* The same bytes for any number of threads, with all pieces of the presets. */
static void test_tree__presets_have_the_same_bytes_for_any_threads(void **state)
{
    static const char *const specs[] = {"tree:c4.5", "tree:cart,prune=none",
                                        "tree:quest,prune=none", "tree:c5.0,split=subset"};
    random_table r = {.n_rows = 9000, .distinct = 500, .missing = true, .levels = true};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        char *bytes[2];
        size_t lengths[2];
        for (int t = 0; t < 2; t++) {
            cairn_context_set_threads(*state, t ? 3 : 1);
            fitted f = fit_random(*state, r, specs[i]);
            assert_ok(*state, cairn_model_save_memory(*state, f.model, &bytes[t], &lengths[t]));
            drop(&f);
        }
        assert_int_equal(lengths[0], lengths[1]);
        assert_memory_equal(bytes[0], bytes[1], lengths[0]);
        for (int t = 0; t < 2; t++) cairn_string_free(bytes[t]);
    }
}

static void test_tree__same_bytes_for_any_threads(void **state)
{
    static const random_table tables[] = {
        {.n_rows = 40000, .distinct = 3000, .levels = true},
        {.n_rows = 40000, .distinct = 300, .number = true},
        {.n_rows = 3000, .distinct = 40, .missing = true, .levels = true},
    };
    for (size_t i = 0; i < 3; i++) {
        char *first = NULL, *bytes;
        size_t first_length = 0, length;
        for (int threads = 1; threads <= 4; threads *= 2) {
            cairn_context_set_threads(*state, threads);
            fitted f = fit_random(*state, tables[i], "tree:full,min-leaf=2");
            assert_ok(*state, cairn_model_save_memory(*state, f.model, &bytes, &length));
            if (first) {
                assert_int_equal(length, first_length);
                assert_memory_equal(bytes, first, length);
                cairn_string_free(bytes);
            } else {
                first = bytes;
                first_length = length;
            }
            drop(&f);
        }
        cairn_string_free(first);
    }
}

/* -- prediction -- */

static cairn_table *ask(const fitted *f, const char *csv)
{
    cairn_table *asked = NULL, *answer = NULL;
    assert_ok(f->ctx, cairn_table_read_memory(f->ctx, &asked, "asked.csv", csv, strlen(csv), NULL));
    assert_ok(f->ctx, cairn_model_predict(f->ctx, &answer, f->model, asked, true));
    cairn_table_free(asked);
    return answer;
}

static const double *numbers_of(const cairn_table *table, const char *name)
{
    ptrdiff_t at = cairn_table_find(table, name);
    assert_true(at >= 0);
    return cairn_table_numbers(table, (size_t)at);
}

static const char *text_of(const cairn_table *table, const char *name, size_t row)
{
    static char text[200];
    ptrdiff_t at = cairn_table_find(table, name);
    assert_true(at >= 0);
    cairn_table_cell(table, (size_t)at, row, text, sizeof text);
    return text;
}

static void test_tree__missing_cells_go_down_all_branches(void **state)
{
    fitted f = fit(*state, "@weather", "tree:full");
    cairn_table *answer = ask(&f, "outlook,temperature,humidity,wind\n"
                                  "?,hot,high,weak\n"
                                  "foggy,hot,high,weak\n"
                                  "?,hot,?,?\n"
                                  "rain,hot,high,strong\n");
    assert_near(numbers_of(answer, "p(no)")[0], 5 / 14.0, 1e-12);
    assert_near(numbers_of(answer, "p(yes)")[0], 9 / 14.0, 1e-12);
    assert_string_equal(text_of(answer, "play", 0), "yes");
    assert_near(numbers_of(answer, "p(no)")[1], 5 / 14.0, 1e-12);
    assert_near(numbers_of(answer, "p(no)")[2], 5 / 14.0, 1e-12);
    assert_near(numbers_of(answer, "p(no)")[3], 1, 0);
    assert_near(numbers_of(answer, "leaf")[3], 8, 0);
    assert_string_equal(text_of(answer, "path", 3), "outlook=rain & wind=strong");
    cairn_table_free(answer);
    drop(&f);
}

static void test_tree__missing_cells_by_branch_and_by_mode(void **state)
{
    static const char data[] = "x,y\n1,a\n2,a\n3,a\n8,b\n9,b\n?,c\n?,c\n";
    fitted f = fit(*state, data, "tree:full,missing-in-model=branch");
    assert_word(&f, "tree.text", "x(<= 5.5: a, > 5.5: b, missing: c)");
    cairn_table *answer = ask(&f, "x\n?\n4\n");
    assert_string_equal(text_of(answer, "y", 0), "c");
    assert_string_equal(text_of(answer, "y", 1), "a");
    cairn_table_free(answer);
    drop(&f);
    f = fit(*state, "x,y\n1,a\n2,a\n3,a\n8,b\n9,b\n", "tree:full,missing-in-model=mode");
    answer = ask(&f, "x\n?\n");
    assert_string_equal(text_of(answer, "y", 0), "a");
    assert_near(numbers_of(answer, "p(a)")[0], 1, 0);
    cairn_table_free(answer);
    drop(&f);
}

static void test_tree__predicts_means_of_numbers(void **state)
{
    fitted f =
        fit_table(*state, table_of(*state, "x,y\n1,10.5\n2,11.5\n8,30.5\n9,31.5\n", "y", NULL),
                  "tree:full,max-depth=1", CAIRN_REGRESS, false);
    cairn_table *answer = ask(&f, "x\n0\n100\n?\n");
    assert_near(numbers_of(answer, "y")[0], 11, 1e-12);
    assert_near(numbers_of(answer, "y")[1], 31, 1e-12);
    assert_near(numbers_of(answer, "y")[2], 21, 1e-12);
    cairn_table_free(answer);
    drop(&f);
}

static void test_tree__loads_what_it_saved(void **state)
{
    for (int number = 0; number < 2; number++) {
        random_table r = {
            .n_rows = 500, .distinct = 20, .levels = true, .missing = true, .number = number};
        fitted f = fit_random(*state, r, "tree:full,min-rows=5");
        cairn_model *loaded = NULL;
        cairn_table *a = NULL, *b = NULL;
        char *bytes, *again;
        size_t length, again_length;
        assert_ok(*state, cairn_model_save_memory(*state, f.model, &bytes, &length));
        assert_ok(*state, cairn_model_load_memory(*state, &loaded, "m", bytes, length));
        assert_ok(*state, cairn_model_save_memory(*state, loaded, &again, &again_length));
        assert_int_equal(length, again_length);
        assert_memory_equal(bytes, again, length);
        assert_ok(*state, cairn_model_predict(*state, &a, f.model, f.table, true));
        assert_ok(*state, cairn_model_predict(*state, &b, loaded, f.table, true));
        assert_true(cairn_table_hash(a) == cairn_table_hash(b));
        cairn_string_free(bytes);
        cairn_string_free(again);
        cairn_table_free(a);
        cairn_table_free(b);
        cairn_model_free(loaded);
        drop(&f);
    }
}

/* -- options -- */

static void test_tree__forms_of_cuts_and_splits(void **state)
{
    static const char data[] = "x,l,y\n1,p,a\n2,q,a\n5,r,b\n7,p,b\n";
    fitted f = fit(*state, data, "tree:full");
    assert_word(&f, "tree.text", "x(<= 3.5: a, > 3.5: b)");
    drop(&f);
    f = fit(*state, data, "tree:full,cut=lt");
    assert_word(&f, "tree.text", "x(< 5: a, >= 5: b)");
    cairn_table *answer = ask(&f, "x,l\n5,p\n4.9,p\n");
    assert_string_equal(text_of(answer, "y", 0), "b");
    assert_string_equal(text_of(answer, "y", 1), "a");
    cairn_table_free(answer);
    drop(&f);
    f = fit(*state, data, "tree:full,cut=le");
    assert_word(&f, "tree.text", "x(<= 2: a, > 2: b)");
    drop(&f);
    static const char levels[] = "l,y\np,a\np,a\nq,b\nr,b\nr,c\n";
    f = fit(*state, levels, "tree:full,split=binary");
    assert_word(&f, "tree.text", "l(= p: a, != p: l(= q: b, != q: b))");
    drop(&f);
    f = fit(*state, "k,l,y\n1,p,a\n1,q,b\n2,p,c\n2,p,a\n", "tree:full,branches=present");
    assert_value(&f, "tree.leaves", 3);
    drop(&f);
}

static void test_tree__class_ties(void **state)
{
    /* at x > 1.5 the classes b and a tie, b is seen first there; the node above answers a */
    static const char data[] = "x,y\n1,a\n1,a\n2,b\n2,a\n";
    fitted f = fit(*state, data, "tree:full");
    assert_word(&f, "leaf.x>1\\.5", "b");
    drop(&f);
    f = fit(*state, data, "tree:full,class-tie=parent");
    assert_word(&f, "leaf.x>1\\.5", "a");
    drop(&f);
    f = fit(*state, data, "tree:full,class-tie=random");
    assert_value(&f, "training.errors", 1);
    drop(&f);
}

static void test_tree__limits(void **state)
{
    random_table r = {.n_rows = 600, .distinct = 30, .levels = true};
    fitted f = fit_random(*state, r, "tree:full,max-depth=3");
    assert_value(&f, "tree.depth", 3);
    drop(&f);
    f = fit_random(*state, r, "tree:full,min-leaf=20");
    for (size_t i = 0; i < tree_in(&f)->n_nodes; i++)
        assert_true(tree_in(&f)->nodes[i].weight == 0 || tree_in(&f)->nodes[i].weight >= 20);
    drop(&f);
    f = fit_random(*state, r, "tree:full,min-rows=50");
    for (size_t i = 0; i < tree_in(&f)->n_nodes; i++)
        assert_true(tree_in(&f)->nodes[i].column < 0 || tree_in(&f)->nodes[i].weight >= 50);
    drop(&f);
    f = fit_random(*state, r, "tree:full,purity=0.7");
    for (size_t i = 0; i < tree_in(&f)->n_nodes; i++) {
        const cairn_tree_node *node = &tree_in(&f)->nodes[i];
        assert_true(node->column < 0 || node->error > 0.3 * node->weight - 1e-9);
    }
    drop(&f);
    f = fit_random(*state, r, "tree:full,min-gain=0.05");
    for (size_t i = 0; i < tree_in(&f)->n_nodes; i++)
        assert_true(tree_in(&f)->nodes[i].column < 0 || tree_in(&f)->nodes[i].gain >= 0.05);
    drop(&f);
}

/* With two leaves it is the best split, and each more leaf never makes the training error worse. */
static void test_tree__most_leaves(void **state)
{
    double before = 1;
    for (int most = 1; most <= 40; most++) {
        char spec[64];
        snprintf(spec, sizeof spec, "tree:full,split=binary,max-leaves=%d", most);
        fitted f =
            fit_random(*state, (random_table){.n_rows = 300, .distinct = 9, .levels = true}, spec);
        assert_value(&f, "tree.leaves", most);
        assert_true(value(&f, "training.error") <= before);
        before = value(&f, "training.error");
        drop(&f);
    }
}

static void test_tree__cell_add_makes_scores_milder(void **state)
{
    fitted f = fit(*state, "@weather", "tree:full,cell-add=1");
    /* outlook with 1 added: 4/3, 1/5, 3/4 of 8/12 */
    double h = -0.4 * log2(0.4) - 0.6 * log2(0.6),
           a = -3 / 7.0 * log2(3 / 7.0) - 4 / 7.0 * log2(4 / 7.0);
    double b = -1 / 6.0 * log2(1 / 6.0) - 5 / 6.0 * log2(5 / 6.0);
    assert_value(&f, "node1.gain.outlook", h - 14 / 20.0 * a - 6 / 20.0 * b);
    drop(&f);
}

/* -- edges -- */

static void test_tree__constant_and_empty_columns(void **state)
{
    fitted f = fit(*state, "a,b,l,y\n1,?,p,x\n1,?,p,x\n1,?,p,z\n", "tree:full");
    assert_value(&f, "tree.nodes", 1);
    assert_word(&f, "node1.reason", "no column is left that could divide its rows");
    assert_value(&f, "training.errors", 1);
    drop(&f);
    f = fit(*state, "a,b,y\n1,?,x\n2,?,x\n3,?,z\n", "tree:full");
    assert_word(&f, "tree.text", "a(<= 2.5: x, > 2.5: z)");
    drop(&f);
}

static void test_tree__one_row(void **state)
{
    fitted f = fit_table(*state, table_of(*state, "x,y\n1,2.5\n", "y", NULL), "tree:full",
                         CAIRN_REGRESS, true);
    assert_value(&f, "leaf.everything", 2.5);
    drop(&f);
}

static void test_tree__one_class_is_refused(void **state)
{
    cairn_table *table = table_of(*state, "x,y\n1,a\n2,a\n", "y", NULL);
    cairn_model *model = NULL;
    assert_fails(*state, try_fit(*state, &model, table, "tree:full", CAIRN_TASK_AUTO, NULL),
                 CAIRN_BAD_DATA, "one class only");
    cairn_table_free(table);
}

static void test_tree__class_mode_needs_classes(void **state)
{
    cairn_table *table = table_of(*state, "x,y\n1,2.5\n2,3.5\n", "y", NULL);
    cairn_model *model = NULL;
    assert_fails(*state,
                 try_fit(*state, &model, table, "tree:full,missing-in-model=class-mode",
                         CAIRN_REGRESS, NULL),
                 CAIRN_USAGE, "class-mode needs classes");
    cairn_table_free(table);
}

static void test_tree__a_thousand_levels_and_a_hundred_classes(void **state)
{
    cairn_text csv = cairn_text_start(*state);
    cairn_text_add(&csv, "l,x,y\n");
    for (int i = 0; i < 4000; i++)
        cairn_text_addf(&csv, "v%d,%d,c%d\n", i % 1000, i / 7, (i % 1000 + i / 1000 % 2) % 100);
    static const char *const specs[] = {"tree:full", "tree:full,split=binary,max-depth=12"};
    for (int i = 0; i < 2; i++) {
        cairn_table *table = table_of(*state, cairn_text_string(&csv), "y", "l=level");
        fitted f = fit_table(*state, table, specs[i], CAIRN_TASK_AUTO, i == 0);
        if (i == 0)
            assert_value(&f, "training.errors", 0);
        else
            assert_true(value(&f, "tree.depth") == 12);
        drop(&f);
    }
    cairn_text_clear(&csv);
}

static void test_tree__infinite_numbers(void **state)
{
    fitted f = fit_table(*state, table_of(*state, "x,y\n-1e308,1.5\n1e308,2.5\n", "y", NULL),
                         "tree:full", CAIRN_REGRESS, false);
    assert_word(&f, "tree.text", "x(<= 0: 1.5, > 0: 2.5)");
    drop(&f);
}

static void test_tree__stops_when_cancelled(void **state)
{
    cairn_table *table = make_random(*state, (random_table){.n_rows = 2000, .distinct = 50});
    cairn_model *model = NULL;
    cairn_context_cancel(*state);
    assert_int_equal(try_fit(*state, &model, table, "tree:full", CAIRN_TASK_AUTO, NULL),
                     CAIRN_CANCELLED);
    cairn_table_free(table);
}

static void keep_message(cairn_log_level level, const char *message, void *data)
{
    (void)level;
    snprintf(data, 200, "%s", message);
}

static void test_tree__warns_of_columns_that_name_rows(void **state)
{
    char message[200] = "";
    cairn_context_set_log(*state, keep_message, message);
    cairn_table *table = table_of(*state, "@weather", "play", "day=level");
    assert_ok(*state, cairn_table_set_role(*state, table, "day", CAIRN_FEATURE));
    fitted f = fit_table(*state, table, "tree:full", CAIRN_TASK_AUTO, false);
    assert_non_null(strstr(message, "id=day"));
    drop(&f);
}

/* Under every way of growing, whether the tree asks the column or not. */
static void test_tree__names_are_warned_of_by_all_presets(void **state)
{
    static const char *const presets[] = {"c4.5", "c5.0", "cart", "chaid", "quest", "clatree"};
    for (size_t p = 0; p < sizeof presets / sizeof *presets; p++) {
        char spec[40], message[200] = "";
        cairn_context_set_log(*state, keep_message, message);
        snprintf(spec, sizeof spec, "tree:preset=%s", presets[p]);
        cairn_table *table = table_of(*state, "@weather", "play", "day=level");
        assert_ok(*state, cairn_table_set_role(*state, table, "day", CAIRN_FEATURE));
        fitted f = fit_table(*state, table, spec, CAIRN_TASK_AUTO, false);
        if (!strstr(message, "id=day")) fail_msg("%s: %s", presets[p], message);
        drop(&f);
    }
}

static void test_tree__refuses_what_memory_does_not_allow(void **state)
{
    cairn_table *table = make_random(*state, (random_table){.n_rows = 20000, .distinct = 50});
    cairn_model *model = NULL;
    cairn_context_set_memory(*state, cairn_memory_in_use(*state) + 2500000);
    assert_fails(*state, try_fit(*state, &model, table, "tree:full", CAIRN_TASK_AUTO, NULL),
                 CAIRN_NO_MEMORY, "growing the tree");
    cairn_table_free(table);
}

/* -- memory -- */

static cairn_status fit_and_show(cairn_context *ctx, void *data)
{
    cairn_table *table = NULL, *answer = NULL;
    cairn_params *params = NULL;
    cairn_model *model = NULL;
    cairn_report *report = NULL;
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    cairn_status status;
    TRY(cairn_table_read(ctx, &table, "@weather-missing", NULL));
    TRY(cairn_table_set_role(ctx, table, "play", CAIRN_TARGET));
    TRY(cairn_params_new(ctx, &params, data));
    TRY(cairn_report_new(ctx, &report));
    options.steps = report;
    TRY(cairn_model_fit(ctx, &model, params, table, &options));
    TRY(cairn_model_describe(ctx, report, model));
    TRY(cairn_report_status(report));
    TRY(cairn_model_predict(ctx, &answer, model, table, true));
done:
    cairn_table_free(table);
    cairn_table_free(answer);
    cairn_params_free(params);
    cairn_model_free(model);
    cairn_report_free(report);
    return status;
}

static void test_tree__survives_failing_allocations(void **state)
{
    static char plain[] = "tree:full", limited[] = "tree:full,max-leaves=3",
                rejecting[] = "tree:full,node-table=yes,leaf-label=relative,reject-below=2",
                rules[] = "tree-rules", c50[] = "tree:c5.0,attribute-costs=wind=2",
                cart[] = "tree:cart,alpha=0.01", quest[] = "tree:quest,alpha=0.01";
    (void)state;
    assert_survives_allocation_failures(fit_and_show, plain);
    assert_survives_allocation_failures(fit_and_show, limited);
    assert_survives_allocation_failures(fit_and_show, rejecting);
    assert_survives_allocation_failures(fit_and_show, rules);
    assert_survives_allocation_failures(fit_and_show, c50);
    assert_survives_allocation_failures(fit_and_show, cart);
    assert_survives_allocation_failures(fit_and_show, quest);
}

/* Noise with missing cells: three classes, four columns. */
static cairn_table *holes(cairn_context *ctx)
{
    cairn_text text = cairn_text_start(ctx);
    uint32_t random = 3;
    cairn_text_add(&text, "a,b,c,d,y\n");
    for (size_t i = 0; i < 300; i++) {
        unsigned sum = 0;
        for (size_t c = 0; c < 4; c++) {
            random = random * 1664525 + 1013904223;
            unsigned cell = random >> 20 & 63;
            sum += cell * (c < 2);
            if ((random >> 27) % 5 == 0)
                cairn_text_add(&text, "?,");
            else
                cairn_text_addf(&text, "%u,", cell);
        }
        random = random * 1664525 + 1013904223;
        cairn_text_addf(&text, "%c\n", "pqr"[(sum + (random >> 28) * 3) / 60 % 3]);
    }
    cairn_table *table = table_of(ctx, cairn_text_string(&text), "y", NULL);
    cairn_text_clear(&text);
    return table;
}

/* Cuts that cannot be the best are passed over, also because another column is better: the tree is
 * that of a search that somebody looks at, who sees the best cut of every column. */
static void test_tree__passing_over_bad_cuts_changes_nothing(void **state)
{
    static const char *const specs[] = {"tree:full",
                                        "tree:full,impurity=gini",
                                        "tree:full,score=ratio",
                                        "tree:full,missing_gain=known",
                                        "tree:full,missing_gain=discounted,impurity=gini",
                                        "tree:full,missing_in_model=surrogate",
                                        "tree:full,tie=last"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        fitted quick = fit_table(*state, holes(*state), specs[i], CAIRN_CLASSIFY, false);
        fitted seen = fit_table(*state, holes(*state), specs[i], CAIRN_CLASSIFY, true);
        const cairn_tree_model *a = tree_in(&quick), *b = tree_in(&seen);
        assert_int_equal(a->n_nodes, b->n_nodes);
        for (size_t n = 0; n < a->n_nodes; n++) {
            assert_int_equal(a->nodes[n].column, b->nodes[n].column);
            assert_true(a->nodes[n].cut == b->nodes[n].cut);
            assert_true(a->nodes[n].gain == b->nodes[n].gain);
        }
        drop(&quick);
        drop(&seen);
    }
}

/* The gain of the root by hand: every cut of every column, missing cells shared out. */
static double best_gain(const cairn_table *table)
{
    const cairn_column *y = table->slots[4].column;
    double best = 0, all[3] = {0};
    for (size_t i = 0; i < table->n_rows; i++) all[y->codes[i]]++;
    for (size_t c = 0; c < 4; c++)
        for (double cut = 0.5; cut < 63; cut++) {
            double left[3] = {0}, right[3] = {0}, missing[3] = {0}, a = 0, b = 0;
            for (size_t i = 0; i < table->n_rows; i++) {
                double x = table->slots[c].column->numbers[i];
                (isnan(x) ? missing : x < cut ? left : right)[y->codes[i]]++;
            }
            for (size_t l = 0; l < 3; l++) a += left[l], b += right[l];
            if (!(a > 0) || !(b > 0)) continue;
            for (size_t l = 0; l < 3; l++) {
                left[l] += missing[l] * a / (a + b);
                right[l] += missing[l] * b / (a + b);
            }
            double gain = cairn_entropy(all, 3) - a / (a + b) * cairn_entropy(left, 3) -
                          b / (a + b) * cairn_entropy(right, 3);
            if (gain > best) best = gain;
        }
    return best;
}

static void test_tree__missing_cells_are_shared_out_at_the_best_cut(void **state)
{
    fitted f = fit_table(*state, holes(*state), "tree:full,max_depth=1", CAIRN_CLASSIFY, false);
    assert_near(tree_in(&f)->nodes[0].gain, best_gain(f.table), 1e-9);
    drop(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_tree__frequent_values_are_counted_by_what_is_left),
        context_test(test_tree__many_levels_make_no_empty_leaves),
        context_test(test_tree__weights_are_repeated_rows),
        context_test(test_tree__rows_of_weight_0_are_not_there),
        context_test(test_tree__fast_and_general_search_agree),
        context_test(test_tree__steps_do_not_change_the_tree),
        context_test(test_tree__same_bytes_for_any_threads),
        context_test(test_tree__presets_have_the_same_bytes_for_any_threads),
        context_test(test_tree__missing_cells_go_down_all_branches),
        context_test(test_tree__missing_cells_by_branch_and_by_mode),
        context_test(test_tree__predicts_means_of_numbers),
        context_test(test_tree__loads_what_it_saved),
        context_test(test_tree__forms_of_cuts_and_splits),
        context_test(test_tree__class_ties),
        context_test(test_tree__limits),
        context_test(test_tree__most_leaves),
        context_test(test_tree__cell_add_makes_scores_milder),
        context_test(test_tree__constant_and_empty_columns),
        context_test(test_tree__one_row),
        context_test(test_tree__one_class_is_refused),
        context_test(test_tree__class_mode_needs_classes),
        context_test(test_tree__a_thousand_levels_and_a_hundred_classes),
        context_test(test_tree__infinite_numbers),
        context_test(test_tree__stops_when_cancelled),
        context_test(test_tree__passing_over_bad_cuts_changes_nothing),
        context_test(test_tree__missing_cells_are_shared_out_at_the_best_cut),
        context_test(test_tree__warns_of_columns_that_name_rows),
        context_test(test_tree__names_are_warned_of_by_all_presets),
        context_test(test_tree__refuses_what_memory_does_not_allow),
        context_test(test_tree__survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
