/* SPDX-License-Identifier: MIT */
/* Gradient boosting: leaves, constraints, levels and missing cells, stopping, refusals. Sums of
 * rounds are those of an independent calculation; the lessons have more of them. */
#include "learners/tree/fitted.h"
#include "base/text.h"
#include "learners/boost/boost.h"

static const cairn_boost_model *boost_in(const fitted *f)
{
    return f->model->state;
}

static fitted fit_numbers(cairn_context *ctx, const char *csv, const char *spec)
{
    return fit_table(ctx, table_of(ctx, csv, NULL, NULL), spec, CAIRN_REGRESS, true);
}

static double answer(const fitted *f, size_t row)
{
    cairn_table *table = NULL;
    assert_ok(f->ctx, cairn_model_predict(f->ctx, &table, f->model, f->table, false));
    double number = cairn_table_numbers(table, 0)[row];
    cairn_table_free(table);
    return number;
}

/* One round that adds all of its tree, without a penalty: leaves are means. */
static void test_boost__one_whole_round_is_a_tree(void **state)
{
    fitted f = fit_numbers(*state, "x,y\n1,1\n2,3\n3,10\n4,14\n",
                           "boost:rounds=1,eta=1,l2=0,min-leaf=1,max-leaves=2");
    assert_value(&f, "start", 7);
    assert_value(&f, "round1.leaf1", -5);
    assert_value(&f, "round1.leaf2", 5);
    assert_value(&f, "round1.loss", 2.5);
    assert_near(answer(&f, 3), 12, 1e-12);
    drop(&f);
}

/* T(G) = |G| - l1 and H + l2: 10 - 2 over 2 + 2. */
static void test_boost__penalties_shrink_leaves(void **state)
{
    fitted f = fit_numbers(*state, "x,y\n1,1\n2,3\n3,10\n4,14\n",
                           "boost:rounds=1,eta=1,l2=2,l1=2,min-leaf=1,max-leaves=2");
    assert_value(&f, "round1.leaf1", -2);
    assert_value(&f, "round1.leaf2", 2);
    drop(&f);
}

/* Leaves are medians (of -1, 1 and of 8, 12 less the median 6.5 of all: -5.5, -3.5, 3.5, 7.5). */
static void test_boost__absolute_leaves_are_medians(void **state)
{
    fitted f = fit_numbers(*state, "x,y\n1,1\n2,3\n3,10\n4,14\n",
                           "boost:rounds=1,eta=1,l2=0,min-leaf=1,max-leaves=2,loss=absolute");
    assert_value(&f, "start", 6.5);
    assert_value(&f, "round1.leaf1", -4.5);
    assert_value(&f, "round1.leaf2", 5.5);
    drop(&f);
}

/* The mean of counts 1, 1, 4, 6 is 3: one step on the right is (10 - 6) / 6. */
static void test_boost__poisson_steps_from_the_log_of_the_mean(void **state)
{
    fitted f = fit_numbers(*state, "x,y\n1,1\n2,1\n3,4\n4,6\n",
                           "boost:rounds=1,eta=1,l2=0,min-leaf=1,max-leaves=2,loss=poisson");
    assert_value(&f, "start", log(3));
    assert_value(&f, "round1.leaf1", -2.0 / 3);
    assert_value(&f, "round1.leaf2", 2.0 / 3);
    assert_near(answer(&f, 3), 3 * exp(2.0 / 3), 1e-9);
    drop(&f);
}

/* The missing cells are like the large ones, and go with them. */
static void test_boost__missing_cells_go_where_they_gain(void **state)
{
    fitted f = fit_numbers(*state, "x,y\n1,1\n2,1\n?,9\n8,9\n9,9\n?,9\n",
                           "boost:rounds=1,eta=1,l2=0,min-leaf=1,max-leaves=2");
    assert_int_equal(boost_in(&f)->nodes[0].missing_right, 1);
    assert_near(boost_in(&f)->cuts[0], 5, 0);
    assert_near(answer(&f, 2), 9, 1e-12);
    drop(&f);
}

/* Two of four levels against the others, in one split. */
static void test_boost__levels_are_divided_into_sets(void **state)
{
    fitted f = fit_numbers(*state, "x,y\na,1\nb,9\nc,1\nd,9\na,1\nb,9\nc,1\nd,9\n",
                           "boost:rounds=1,eta=1,l2=0,min-leaf=1,max-leaves=2");
    const cairn_boost_model *m = boost_in(&f);
    assert_int_equal(m->n_nodes, 1);
    assert_int_equal(m->sets[0], 4);
    assert_int_equal(m->sets[1], m->sets[3]);
    assert_int_equal(m->sets[2], m->sets[4]);
    assert_true(m->sets[1] != m->sets[2]);
    assert_near(answer(&f, 0), 1, 1e-12);
    assert_near(answer(&f, 1), 9, 1e-12);
    drop(&f);
}

/* Without the constraint the answer for 3 is below that for 2. */
static void test_boost__constraints_hold(void **state)
{
    static const char *const data = "x,y\n1,1\n2,6\n3,2\n4,7\n5,5\n6,9\n";
    fitted f = fit_numbers(*state, data, "boost:rounds=30,min-leaf=1,l2=0,monotone=+x");
    fitted free = fit_numbers(*state, data, "boost:rounds=30,min-leaf=1,l2=0");
    for (size_t i = 1; i < 6; i++) assert_true(answer(&f, i) >= answer(&f, i - 1) - 1e-12);
    assert_true(answer(&free, 2) < answer(&free, 1));
    drop(&f);
    drop(&free);
}

/* r = -5.4, -3.4, -2.4, 3.6, 7.6: after three rows G is 11.2 and -11.2, of 3 + 1 and 2 + 1. */
static void test_boost__steps_show_what_splits_gain(void **state)
{
    fitted f = fit_numbers(*state, "x,y\n1,1\n2,3\n3,4\n4,10\n5,14\n",
                           "boost:rounds=2,eta=0.5,max-leaves=2,min-leaf=1");
    assert_value(&f, "round1.split1.candidate1.gain", 5.4 * 5.4 / 2 + 5.4 * 5.4 / 5);
    assert_value(&f, "round1.split1.candidate2.gain", 8.8 * 8.8 / 3 + 8.8 * 8.8 / 4);
    assert_value(&f, "round1.split1.candidate3.gain", 11.2 * 11.2 / 4 + 11.2 * 11.2 / 3);
    assert_value(&f, "round1.split1.candidate4.gain", 7.6 * 7.6 / 5 + 7.6 * 7.6 / 2);
    assert_value(&f, "round1.split1.gain", 11.2 * 11.2 / 4 + 11.2 * 11.2 / 3);
    assert_true(value(&f, "round2.split1.gain") > 0);
    drop(&f);
}

/* How often the log odds after 20 rounds rise with x, in rows that differ in x alone. */
static size_t count_rises(cairn_context *ctx, const char *csv, const char *spec)
{
    fitted f = fit_table(ctx, table_of(ctx, csv, NULL, NULL), spec, CAIRN_CLASSIFY, true);
    size_t n_rises = 0;
    double last = 0;
    for (size_t i = 0; i < 60; i++) {
        char name[40];
        (void)snprintf(name, sizeof name, "round20.row%zu.after", i + 1);
        double sum = value(&f, name);
        n_rises += i % 12 && sum > last + 1e-12;
        last = sum;
    }
    drop(&f);
    return n_rises;
}

/* Twelve values of x for each of five of z; the classes fall with x, with noise. */
static void test_boost__constraints_hold_for_classes(void **state)
{
    SCOPED(cairn_text_clear) cairn_text csv = cairn_text_start(*state);
    cairn_text_add(&csv, "x,z,y\n");
    for (unsigned i = 0; i < 60; i++)
        cairn_text_addf(&csv, "%u,%u,%s\n", i % 12, i / 12,
                        (i * 7919u + i * i * 31u) % 17 > 3 + i % 12 ? "yes" : "no");
    const char *text = cairn_text_string(&csv);
    assert_int_equal(count_rises(*state, text, "boost:rounds=20,min-leaf=1,eta=0.3,monotone=-x"),
                     0);
    assert_true(count_rises(*state, text, "boost:rounds=20,min-leaf=1,eta=0.3") > 0);
}

/* The model ends with the round that was best for the rows held out. */
static void test_boost__held_out_rows_stop_it(void **state)
{
    fitted f = fit(*state, "@iris", "boost:rounds=300,hold-out=0.3,patience=5,eta=0.3");
    const cairn_boost_history *history = f.model->history;
    assert_true(history->n_rounds < 300);
    assert_int_equal(history->kept + 5, history->n_rounds);
    assert_int_equal(boost_in(&f)->n_trees, 3 * history->kept);
    for (size_t r = 0; r <= history->n_rounds; r++)
        assert_true(history->held[r] >= history->held[history->kept]);
    drop(&f);
}

/* Any number of threads gives the same answers to the last bit. */
static void test_boost__threads_change_nothing(void **state)
{
    double sums[2];
    for (int threads = 1; threads <= 2; threads++) {
        cairn_context_set_threads(*state, threads == 1 ? 1 : 4);
        fitted f = fit(*state, "@iris", "boost:rounds=20,row-share=0.7,column-share=0.5");
        sums[threads - 1] = 0;
        for (size_t i = 0; i < boost_in(&f)->n_leaves; i++)
            sums[threads - 1] += boost_in(&f)->values[i] * (double)(i + 1);
        drop(&f);
    }
    assert_true(sums[0] == sums[1]);
}

/* Five rounds and five more on the same rows are ten. */
static void test_boost__goes_on_from_a_model(void **state)
{
    static const char *const specs[] = {"boost:rounds=5", "boost:rounds=10"};
    fitted f[2] = {fit(*state, "@iris", specs[0]), fit(*state, "@iris", specs[1])};
    assert_ok(*state, cairn_model_update(*state, f[0].model, f[0].table, NULL));
    const cairn_boost_model *a = boost_in(&f[0]), *b = boost_in(&f[1]);
    const cairn_boost_history *history = f[0].model->history;
    assert_int_equal(a->n_trees, b->n_trees);
    assert_int_equal(a->n_leaves, b->n_leaves);
    for (size_t i = 0; i < a->n_leaves; i++) assert_true(a->values[i] == b->values[i]);
    assert_int_equal(history->n_rounds, 10);
    for (int i = 0; i < 2; i++) drop(&f[i]);
}

/* Rows with a number, a level of 300, six indicators, missing cells, and three classes or two. */
static cairn_table *many_rows(cairn_context *ctx, unsigned n, unsigned n_classes)
{
    SCOPED(cairn_text_clear) cairn_text csv = cairn_text_start(ctx);
    cairn_text_add(&csv, "x,z,level,a,b,c,d,e,f,y\n");
    for (unsigned i = 0; i < n; i++) {
        unsigned h = i * 2654435761u >> 4, level = h / 7 % 300, one = h / 11 % 6;
        unsigned score = h % 1000 + 3 * (level % 100) + 200 * (one == 2) + h / 13 % 400;
        cairn_text_addf(&csv, "%u,", h % 1000);
        cairn_text_addf(&csv, h % 17 ? "%u," : ",", h / 19 % 50);
        cairn_text_addf(&csv, "l%u", level);
        for (unsigned k = 0; k < 6; k++) cairn_text_addf(&csv, ",%d", one == k);
        cairn_text_addf(&csv, ",k%u\n", score * n_classes / 1900);
    }
    assert_ok(ctx, cairn_text_status(&csv));
    return table_of(ctx, cairn_text_string(&csv), NULL, NULL);
}

/* Derivatives of many rows are rounded; with class weights of 2 they are not, and twice the
 * penalties and limits make that the same task. */
static void test_boost__rounded_sums_are_near(void **state)
{
    for (unsigned classes = 2; classes <= 3; classes++) {
        char spec[200];
        fitted f = fit_table(*state, many_rows(*state, 40000, classes), "boost:rounds=15,eta=0.3",
                             CAIRN_CLASSIFY, false);
        snprintf(spec, sizeof spec,
                 "boost:rounds=15,eta=0.3,min-leaf=10,min-hessian=0.002,l2=2,level-smoothing=20,"
                 "class-weight=(2,2%s)",
                 classes > 2 ? ",2" : "");
        fitted exact =
            fit_table(*state, many_rows(*state, 40000, classes), spec, CAIRN_CLASSIFY, false);
        assert_near(value(&f, "boost.loss.end"), value(&exact, "boost.loss.end"), 2e-3);
        assert_true(value(&f, "boost.loss.end") < 0.7 * value(&f, "boost.loss.start"));
        drop(&f);
        drop(&exact);
    }
}

/* The same bytes for any number of threads, also where many rows are counted in parts. */
static void test_boost__threads_change_nothing_for_many_rows(void **state)
{
    double leaves[2] = {0};
    for (int threads = 1; threads <= 2; threads++) {
        cairn_context_set_threads(*state, threads == 1 ? 1 : 3);
        fitted f = fit_table(*state, many_rows(*state, 70000, 3), "boost:rounds=3,hold-out=0.2",
                             CAIRN_CLASSIFY, false);
        for (size_t i = 0; i < boost_in(&f)->n_leaves; i++)
            leaves[threads - 1] += boost_in(&f)->values[i] * (double)(i + 1);
        drop(&f);
    }
    assert_true(leaves[0] == leaves[1]);
}

/* Levels too many for a byte, without another column, and many rows. */
static void test_boost__columns_of_many_levels_alone(void **state)
{
    SCOPED(cairn_text_clear) cairn_text csv = cairn_text_start(*state);
    cairn_text_add(&csv, "level,y\n");
    for (unsigned i = 0; i < 40000; i++)
        cairn_text_addf(&csv, "l%u,%s\n", i % 400, i % 400 % 3 ? "a" : "b");
    fitted f = fit_table(*state, table_of(*state, cairn_text_string(&csv), NULL, NULL),
                         "boost:rounds=10,eta=0.5", CAIRN_CLASSIFY, false);
    assert_true(value(&f, "boost.loss.end") < 0.02);
    drop(&f);
}

/* Indicators share their codes; the tree asks for the one that matters. */
static void test_boost__indicators_are_divided_one_by_one(void **state)
{
    fitted f = fit_numbers(*state,
                           "a,b,c,d,y\n1,0,0,0,1\n0,1,0,?,1\n0,0,1,1,9\n0,0,1,0,9\n1,0,0,1,1\n"
                           "0,1,0,0,1\n0,0,1,?,9\n0,0,0,0,1\n",
                           "boost:rounds=1,eta=1,l2=0,min-leaf=1,max-leaves=2");
    assert_int_equal(boost_in(&f)->nodes[0].column, 2);
    assert_near(boost_in(&f)->cuts[0], 0.5, 0);
    assert_near(answer(&f, 2), 9, 1e-12);
    assert_near(answer(&f, 7), 1, 1e-12);
    drop(&f);
}

/* From 4 the residuals are -3, -1, 6 and 10; from a probability of 1/2 the log odds are 0, and a
 * rate of 2 is ln 2. */
static void test_boost__begins_where_it_is_told(void **state)
{
    static const char four[] = "x,y\n1,1\n2,3\n3,10\n4,14\n";
    fitted f =
        fit_numbers(*state, four, "boost:rounds=1,eta=1,l2=0,min-leaf=1,max-leaves=2,start=4");
    assert_value(&f, "start", 4);
    assert_value(&f, "round1.leaf1", -2);
    assert_value(&f, "round1.leaf2", 8);
    assert_near(answer(&f, 3), 12, 1e-12);
    drop(&f);
    f = fit_numbers(*state, four, "boost:rounds=1,min-leaf=1,loss=poisson,start=2");
    assert_value(&f, "start", log(2));
    drop(&f);
    f = fit_table(*state, table_of(*state, "x,y\n1,a\n2,a\n3,a\n4,b\n", NULL, NULL),
                  "boost:rounds=1,eta=1,l2=0,min-leaf=1,max-leaves=2,start=0.5", CAIRN_CLASSIFY,
                  true);
    assert_value(&f, "start", 0);
    drop(&f);
    f = fit_table(*state, table_of(*state, "x,y\n1,a\n2,a\n3,c\n4,b\n", NULL, NULL),
                  "boost:rounds=1,min-leaf=1,start=(0.5,0.25,0.25)", CAIRN_CLASSIFY, true);
    assert_value(&f, "start.a", log(0.5));
    drop(&f);
}

/* Every way from a root to a leaf, down from a reference: its columns are in a set together. */
static void assert_sets(const cairn_boost_model *m, int32_t at, unsigned above,
                        const unsigned *sets, size_t n_sets)
{
    bool together = false;
    if (at < 0) return;
    above |= 1u << m->nodes[at].column;
    for (size_t s = 0; s < n_sets; s++) together |= (above & ~sets[s]) == 0;
    assert_true(together);
    assert_sets(m, m->nodes[at].left, above, sets, n_sets);
    assert_sets(m, m->nodes[at].right, above, sets, n_sets);
}

/* y has a product of a and b, and one of c and d. Where columns stand alone the answer is a sum:
 * what a changes does not depend on b. */
static void test_boost__columns_stand_together_as_told(void **state)
{
    enum { N = 256 };
    static const struct {
        const char *interact;
        unsigned sets[4];
        size_t n;
        bool adds_up;
    } cases[] = {
        {"interact=(a,b;c,d),", {3, 12}, 2, false},
        {"interact=(a,b,c;c,d),", {7, 12}, 2, false},
        {"interact=(a,b),", {3, 4, 8}, 3, false},
        {"interact=(a;b;c;d),", {1, 2, 4, 8}, 4, true},
        {"", {15}, 1, false},
    };
    static char csv[N * 24];
    strcpy(csv, "a,b,c,d,y\n");
    for (int i = 0; i < N; i++) {
        int a = i & 3, b = i >> 2 & 3, c = i >> 4 & 3, d = i >> 6;
        sprintf(csv + strlen(csv), "%d,%d,%d,%d,%d\n", a, b, c, d, a * b + 2 * c * d + a * d);
    }
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char spec[160];
        bool adds_up = true;
        sprintf(spec, "boost:%srounds=40,min-leaf=1,eta=0.3", cases[k].interact);
        fitted f = fit_numbers(*state, csv, spec);
        const cairn_boost_model *m = boost_in(&f);
        for (size_t t = 0; t < m->n_trees; t++)
            assert_sets(m, m->roots[t], 0, cases[k].sets, cases[k].n);
        for (size_t i = 0; i < N; i += 16) {
            double change = answer(&f, i + 3) - answer(&f, i);
            adds_up &= fabs(answer(&f, i + 15) - answer(&f, i + 12) - change) < 1e-9;
        }
        assert_int_equal(adds_up, cases[k].adds_up);
        drop(&f);
    }
}

static void test_boost__refusals_say_why(void **state)
{
    static const struct {
        const char *data, *spec, *message;
    } cases[] = {
        {"x,y\n1,1\n2,-3\n", "boost:loss=poisson", "row 2: 'y' is -3"},
        {"x,y\n1,0\n2,0\n", "boost:loss=poisson", "all counts of 'y' are 0"},
        {"x,y\n1,1\n2,1e200\n", "boost", "too large"},
        {"x,y\na,1\nb,2\n", "boost:monotone=+x", "levels without an order"},
        {"x,y\n1,1\n2,2\n", "boost:monotone=x", "no feature with + or -"},
        {"x,y\n1,1\n2,2\n", "boost:loss=logistic", "is for classes"},
        {"x,y\n1,1\n2,2\n", "boost:start=(1,2)", "has 2 numbers, and needs 1"},
        {"x,y\n1,1\n2,2\n", "boost:loss=poisson,start=0", "a rate is above 0"},
        {"x,y\n1,1\n2,2\n", "boost:interact=(x,z)", "'z' is no feature"},
        {"x,y\n1,1\n2,2\n", "boost:interact=()", "names no column"},
        {"x,y\n1,1\n2,2\n", "boost:hold-out=0.000001", "none to judge by"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cairn_table *table = table_of(*state, cases[i].data, NULL, NULL);
        cairn_model *model = NULL;
        assert_true(try_fit(*state, &model, table, cases[i].spec, CAIRN_REGRESS, NULL) != CAIRN_OK);
        assert_non_null(strstr(cairn_message(*state), cases[i].message));
        assert_null(model);
        cairn_table_free(table);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_boost__one_whole_round_is_a_tree),
        context_test(test_boost__penalties_shrink_leaves),
        context_test(test_boost__absolute_leaves_are_medians),
        context_test(test_boost__poisson_steps_from_the_log_of_the_mean),
        context_test(test_boost__missing_cells_go_where_they_gain),
        context_test(test_boost__levels_are_divided_into_sets),
        context_test(test_boost__steps_show_what_splits_gain),
        context_test(test_boost__constraints_hold),
        context_test(test_boost__constraints_hold_for_classes),
        context_test(test_boost__held_out_rows_stop_it),
        context_test(test_boost__threads_change_nothing),
        context_test(test_boost__goes_on_from_a_model),
        context_test(test_boost__rounded_sums_are_near),
        context_test(test_boost__threads_change_nothing_for_many_rows),
        context_test(test_boost__columns_of_many_levels_alone),
        context_test(test_boost__indicators_are_divided_one_by_one),
        context_test(test_boost__begins_where_it_is_told),
        context_test(test_boost__columns_stand_together_as_told),
        context_test(test_boost__refusals_say_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
