/* SPDX-License-Identifier: MIT */
#include "base/memory.h"
#include "data/shape.h"
#include "data/view.h"
#include "learners/cluster/hierarchy.h"
#include "support/fail_alloc.h"
#include "support/unit.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 60 };

static uint64_t next_bits(uint64_t *s)
{
    *s = *s * 6364136223846793005u + 1442695040888963407u;
    return *s >> 33;
}

typedef struct given {
    cairn_table *table;
    cairn_view view;
    cairn_distance_rows rows;
    cairn_hierarchy_data data;
    cairn_hierarchy_params params;
    char names[MOST][24];
    const char *pointers[MOST];
    double weights[MOST];
} given;

static void clear_given(given *g)
{
    cairn_distance_rows_clear(&g->rows);
    cairn_table_free(g->table);
}

static cairn_status take(cairn_context *ctx, given *g, int method, bool distances)
{
    if (distances) CHECK(cairn_table_reshape(ctx, &g->table, CAIRN_SHAPE_DISTANCES));
    CHECK(cairn_view_make(ctx, &g->view, g->table, cairn_all_rows(g->table)));
    CHECK(cairn_distance_rows_open(ctx, &g->rows, &g->view, "euclidean"));
    for (size_t i = 0; i < g->rows.n; i++) {
        snprintf(g->names[i], sizeof g->names[i], "%zu", i + 1);
        g->pointers[i] = g->names[i];
    }
    g->data = (cairn_hierarchy_data){
        .view = &g->view, .n = g->rows.n, .rows = &g->rows, .names = g->pointers};
    g->params = (cairn_hierarchy_params){.method = method, .distance = "euclidean"};
    return CAIRN_OK;
}

static cairn_status read_csv(cairn_context *ctx, given *g, const char *csv, int method,
                             bool distances)
{
    *g = (given){0};
    CHECK(cairn_table_read_memory(ctx, &g->table, "d.csv", csv, strlen(csv), NULL));
    return take(ctx, g, method, distances);
}

static cairn_status divide(cairn_context *ctx, cairn_dendrogram *tree, const given *g,
                           cairn_report *steps)
{
    CHECK(cairn_dendrogram_new(ctx, tree, g->data.n));
    if (g->data.weights) {
        CHECK(NEW(ctx, &tree->weights, g->data.n));
        memcpy(tree->weights, g->data.weights, g->data.n * sizeof *tree->weights);
    }
    return cairn_hierarchy_divide(ctx, tree, &g->data, &g->params, steps);
}

static void assert_merge(const cairn_dendrogram *tree, size_t i, uint32_t left, uint32_t right,
                         double height)
{
    assert_int_equal(tree->merges[i].left, left);
    assert_int_equal(tree->merges[i].right, right);
    assert_float_equal(tree->merges[i].height, height, 1e-9);
}

static const char exercise[] = "A,B,C,D,E\n0,1,2,2,3\n1,0,2,4,3\n2,2,0,1,5\n2,4,1,0,3\n3,3,5,3,0\n";

/* Worked by hand: E leaves, then {A, B} and {C, D} part, whichever of B and D begins. */
static void test_diana__five_rows_by_hand(void **state)
{
    cairn_context *ctx = *state;
    SCOPED_SCRATCH(ctx);
    SCOPED(clear_given) given g;
    SCOPED(cairn_dendrogram_clear) cairn_dendrogram first = {0}, last = {0};
    assert_ok(ctx, read_csv(ctx, &g, exercise, CAIRN_HIERARCHY_DIANA, true));
    assert_ok(ctx, divide(ctx, &first, &g, NULL));
    assert_merge(&first, 0, 1, 0, 1);
    assert_merge(&first, 1, 3, 2, 1);
    assert_merge(&first, 2, 6, 5, 4);
    assert_merge(&first, 3, 7, 4, 5);
    g.params.tie = CAIRN_HIERARCHY_LAST;
    assert_ok(ctx, divide(ctx, &last, &g, NULL));
    assert_merge(&last, 0, 2, 3, 1);
    assert_merge(&last, 1, 0, 1, 1);
    assert_merge(&last, 2, 6, 5, 4);
    assert_merge(&last, 3, 7, 4, 5);
}

static double report_value(cairn_context *ctx, const cairn_report *report, const char *name)
{
    double value = NAN;
    (void)ctx;
    assert_true(cairn_report_number(report, name, &value));
    return value;
}

/* The matrix {a .. e}: b and e are tied, b begins, d goes over; then {a, c, e} is split. */
static void test_diana__steps_hold_the_tables(void **state)
{
    cairn_context *ctx = *state;
    SCOPED_SCRATCH(ctx);
    SCOPED(clear_given) given g;
    SCOPED(cairn_dendrogram_clear) cairn_dendrogram tree = {0};
    OWNED(cairn_report_free) cairn_report *steps = NULL;
    assert_ok(ctx, cairn_report_new(ctx, &steps));
    assert_ok(ctx, read_csv(ctx, &g,
                            "a,b,c,d,e\n0,9,3,6,11\n9,0,7,5,10\n3,7,0,9,2\n6,5,9,0,8\n"
                            "11,10,2,8,0\n",
                            CAIRN_HIERARCHY_DIANA, true));
    assert_ok(ctx, divide(ctx, &tree, &g, steps));
    assert_float_equal(report_value(ctx, steps, "split1.average.1"), 7.25, 1e-12);
    assert_float_equal(report_value(ctx, steps, "split1.average.2"), 7.75, 1e-12);
    assert_float_equal(report_value(ctx, steps, "split1.average.3"), 5.25, 1e-12);
    assert_float_equal(report_value(ctx, steps, "split1.average.4"), 7, 1e-12);
    assert_float_equal(report_value(ctx, steps, "split1.average.5"), 7.75, 1e-12);
    assert_float_equal(report_value(ctx, steps, "split1.round2.d.1"), 20.0 / 3 - 9, 1e-12);
    assert_float_equal(report_value(ctx, steps, "split1.round2.d.3"), 14.0 / 3 - 7, 1e-12);
    assert_float_equal(report_value(ctx, steps, "split1.round2.d.4"), 23.0 / 3 - 5, 1e-12);
    assert_float_equal(report_value(ctx, steps, "split1.round2.d.5"), 21.0 / 3 - 10, 1e-12);
    assert_float_equal(report_value(ctx, steps, "split1.round3.d.1"), -0.5, 1e-12);
    assert_float_equal(report_value(ctx, steps, "split1.round3.d.3"), -5.5, 1e-12);
    assert_float_equal(report_value(ctx, steps, "split1.round3.d.5"), -2.5, 1e-12);
    assert_float_equal(report_value(ctx, steps, "split1.diameter"), 11, 0);
    assert_float_equal(report_value(ctx, steps, "split2.diameter"), 11, 0);
    assert_float_equal(report_value(ctx, steps, "split3.diameter"), 5, 0);
    assert_float_equal(report_value(ctx, steps, "split4.diameter"), 2, 0);
}

/* -- the method as it is told, with nothing kept from one step to the next -- */

typedef struct plain {
    double d[MOST][MOST];
    double w[MOST];
    size_t n;
} plain;

static double plain_average(const plain *p, size_t x, const int *of, int which)
{
    double sum = 0, weight = 0;
    for (size_t y = 0; y < p->n; y++) {
        if (of[y] != which || y == x) continue;
        sum += p->w[y] * p->d[x][y];
        weight += p->w[y];
    }
    return sum / weight;
}

static double plain_diameter(const plain *p, const int *of, int which)
{
    double most = 0;
    for (size_t i = 0; i < p->n; i++)
        for (size_t j = 0; j < i; j++)
            if (of[i] == which && of[j] == which) most = fmax(most, p->d[i][j]);
    return most;
}

static size_t plain_count(const plain *p, const int *of, int which)
{
    size_t count = 0;
    for (size_t i = 0; i < p->n; i++) count += of[i] == which;
    return count;
}

/* Split cluster `which` of `of`; the splinter group becomes cluster `fresh`. */
static void plain_split(const plain *p, int *of, int which, int fresh)
{
    for (int round = 0; plain_count(p, of, which) > 1; round++) {
        size_t best = p->n;
        double most = -INFINITY;
        for (size_t x = 0; x < p->n; x++) {
            if (of[x] != which) continue;
            double own = plain_average(p, x, of, which);
            double gain = round ? own - plain_average(p, x, of, fresh) : own;
            if (gain > most + 1e-12 * fabs(own)) best = x, most = gain;
        }
        if (round && !(most > 1e-12)) return;
        of[best] = fresh;
    }
}

/* Whole numbers make many ties, other distances none. */
static void random_distances(cairn_context *ctx, given *g, plain *p, size_t n, bool ties,
                             uint64_t *s)
{
    *g = (given){0};
    p->n = n;
    for (size_t i = 0; i < n; i++) {
        p->w[i] = 1;
        for (size_t j = 0; j <= i; j++)
            p->d[i][j] = p->d[j][i] = i == j ? 0
                                      : ties ? (double)(1 + next_bits(s) % 6)
                                             : (double)next_bits(s) / 1e6;
    }
    assert_ok(ctx, cairn_table_new(ctx, &g->table, n));
    for (size_t j = 0; j < n; j++) {
        char name[24];
        snprintf(name, sizeof name, "r%zu", j);
        assert_ok(ctx, cairn_table_add_numbers(ctx, g->table, name, p->d[j]));
    }
    assert_ok(ctx, take(ctx, g, CAIRN_HIERARCHY_DIANA, true));
}

static void test_diana__is_the_method_as_reported(void **state)
{
    cairn_context *ctx = *state;
    uint64_t s = 9;
    for (int run = 0; run < 60; run++) {
        SCOPED_SCRATCH(ctx);
        SCOPED(clear_given) given g;
        SCOPED(cairn_dendrogram_clear) cairn_dendrogram tree = {0};
        plain p;
        int of[MOST] = {0};
        size_t n = 2 + next_bits(&s) % (MOST - 2);
        random_distances(ctx, &g, &p, n, run % 2, &s);
        if (run % 3 == 0) {
            for (size_t i = 0; i < n; i++) p.w[i] = g.weights[i] = 1 + (double)(next_bits(&s) % 3);
            g.data.weights = g.weights;
        }
        assert_ok(ctx, divide(ctx, &tree, &g, NULL));
        for (size_t k = 0; k + 1 < n; k++) {
            cairn_cut cut;
            assert_ok(ctx, cairn_dendrogram_cut_number(ctx, &cut, &tree, k + 1));
            for (size_t i = 0; i < n; i++)
                for (size_t j = 0; j < i; j++)
                    assert_int_equal(cut.codes[i] == cut.codes[j], of[i] == of[j]);
            double height = tree.merges[n - 2 - k].height, widest = 0;
            int which = -1;
            for (int c = 0; c <= (int)k; c++) widest = fmax(widest, plain_diameter(&p, of, c));
            assert_float_equal(height, widest, 1e-9 * widest);
            /* which of several as wide ones comes next follows from the tree */
            assert_ok(ctx, cairn_dendrogram_cut_number(ctx, &cut, &tree, k + 2));
            for (size_t i = 0; i < n && which < 0; i++)
                for (size_t j = 0; j < i && which < 0; j++)
                    if (of[i] == of[j] && cut.codes[i] != cut.codes[j]) which = of[i];
            assert_float_equal(plain_diameter(&p, of, which), widest, 1e-9 * widest);
            plain_split(&p, of, which, (int)k + 1);
        }
    }
}

/* -- bisecting -- */

/* Two pairs far apart: 1, 2 and 11, 13; heights are Ward's distances: sqrt(2 * 2 * 2 / 4) * 10.5,
 * then sqrt(2 / 2) * 2 and sqrt(2 / 2) * 1. */
static void test_bisecting__four_rows_by_hand(void **state)
{
    cairn_context *ctx = *state;
    SCOPED_SCRATCH(ctx);
    SCOPED(clear_given) given g;
    SCOPED(cairn_dendrogram_clear) cairn_dendrogram tree = {0};
    assert_ok(ctx, read_csv(ctx, &g, "x\n1\n11\n2\n13\n", CAIRN_HIERARCHY_BISECTING, false));
    assert_ok(ctx, divide(ctx, &tree, &g, NULL));
    assert_merge(&tree, 0, 0, 2, 1);
    assert_merge(&tree, 1, 1, 3, 2);
    assert_merge(&tree, 2, 4, 5, sqrt(2) * 10.5);
}

/* Every split is a fixed point of 2-means, and its height is Ward's distance. */
static void test_bisecting__splits_are_stationary(void **state)
{
    cairn_context *ctx = *state;
    SCOPED_SCRATCH(ctx);
    SCOPED(clear_given) given g = {0};
    SCOPED(cairn_dendrogram_clear) cairn_dendrogram tree = {0};
    enum { N = 50 };
    double x[N], y[N];
    uint64_t s = 4;
    for (size_t i = 0; i < N; i++) {
        x[i] = (double)(next_bits(&s) % 1000) / 100;
        y[i] = (double)(next_bits(&s) % 1000) / 100;
    }
    assert_ok(ctx, cairn_table_new(ctx, &g.table, N));
    assert_ok(ctx, cairn_table_add_numbers(ctx, g.table, "x", x));
    assert_ok(ctx, cairn_table_add_numbers(ctx, g.table, "y", y));
    assert_ok(ctx, take(ctx, &g, CAIRN_HIERARCHY_BISECTING, false));
    assert_ok(ctx, divide(ctx, &tree, &g, NULL));
    for (size_t k = 0; k + 1 < N; k++) {
        bool in[2][N] = {{0}};
        double mean[2][2] = {{0}}, count[2] = {0};
        for (int side = 0; side < 2; side++) {
            uint32_t pile[2 * N], depth = 1;
            pile[0] = side ? tree.merges[k].right : tree.merges[k].left;
            while (depth) {
                uint32_t at = pile[--depth];
                if (at < N) {
                    in[side][at] = true;
                    count[side]++;
                    mean[side][0] += x[at];
                    mean[side][1] += y[at];
                    continue;
                }
                pile[depth++] = tree.merges[at - N].left;
                pile[depth++] = tree.merges[at - N].right;
            }
            mean[side][0] /= count[side];
            mean[side][1] /= count[side];
        }
        for (size_t i = 0; i < N; i++) {
            double from[2];
            for (int side = 0; side < 2; side++)
                from[side] = hypot(x[i] - mean[side][0], y[i] - mean[side][1]);
            if (in[0][i]) assert_true(from[0] <= from[1] + 1e-9);
            if (in[1][i]) assert_true(from[1] <= from[0] + 1e-9);
        }
        double apart = hypot(mean[0][0] - mean[1][0], mean[0][1] - mean[1][1]);
        assert_float_equal(tree.merges[k].height,
                           sqrt(2 * count[0] * count[1] / (count[0] + count[1])) * apart, 1e-9);
    }
}

static void test_bisecting__equal_rows_are_halved(void **state)
{
    cairn_context *ctx = *state;
    SCOPED_SCRATCH(ctx);
    SCOPED(clear_given) given g;
    SCOPED(cairn_dendrogram_clear) cairn_dendrogram tree = {0};
    assert_ok(
        ctx, read_csv(ctx, &g, "x,y\n3,1\n3,1\n3,1\n3,1\n3,1\n", CAIRN_HIERARCHY_BISECTING, false));
    assert_ok(ctx, divide(ctx, &tree, &g, NULL));
    for (size_t i = 0; i < 4; i++) assert_float_equal(tree.merges[i].height, 0, 0);
    assert_float_equal(tree.merges[3].size, 5, 0);
}

static void test_bisecting__distances_are_refused(void **state)
{
    cairn_context *ctx = *state;
    SCOPED_SCRATCH(ctx);
    SCOPED(clear_given) given g;
    SCOPED(cairn_dendrogram_clear) cairn_dendrogram tree = {0};
    assert_ok(ctx, read_csv(ctx, &g, exercise, CAIRN_HIERARCHY_BISECTING, true));
    assert_fails(ctx, divide(ctx, &tree, &g, NULL), CAIRN_USAGE, "works with distances alone");
}

static cairn_status divide_shown(cairn_context *ctx, void *data)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(clear_given) given g = {0};
    SCOPED(cairn_dendrogram_clear) cairn_dendrogram tree = {0};
    OWNED(cairn_report_free) cairn_report *steps = NULL;
    bool distances = *(const int *)data == CAIRN_HIERARCHY_DIANA;
    CHECK(cairn_report_new(ctx, &steps));
    CHECK(read_csv(ctx, &g, distances ? exercise : "x,y\n1,2\n3,4\n9,9\n8,9\n", *(int *)data,
                   distances));
    CHECK(divide(ctx, &tree, &g, steps));
    return cairn_report_status(steps);
}

static void test_divisive__survives_allocation_failures(void **state)
{
    int methods[] = {CAIRN_HIERARCHY_DIANA, CAIRN_HIERARCHY_BISECTING};
    (void)state;
    for (int i = 0; i < 2; i++) assert_survives_allocation_failures(divide_shown, &methods[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_diana__five_rows_by_hand),
        context_test(test_diana__steps_hold_the_tables),
        context_test(test_diana__is_the_method_as_reported),
        context_test(test_bisecting__four_rows_by_hand),
        context_test(test_bisecting__splits_are_stationary),
        context_test(test_bisecting__equal_rows_are_halved),
        context_test(test_bisecting__distances_are_refused),
        cmocka_unit_test(test_divisive__survives_allocation_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
