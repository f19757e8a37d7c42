/* SPDX-License-Identifier: MIT */
/* Measures of clusters against numbers that scikit-learn and scipy give for the same rows; weights
 * against the rows repeated. */
#include "support/unit.h"
#include "base/memory.h"
#include "cairn/table.h"
#include "stats/clustering.h"
#include <math.h>

enum { ROWS = 24 };

typedef struct known_value {
    const char *name;
    double value;
} known_value;

static const known_value plain[] = {
    {"adjusted-mutual-information", -0.0868656413204116},
    {"adjusted-rand", -0.0643863179074447},
    {"between-scatter", 336.359126984127},
    {"calinski-harabasz", 5.1930230183505},
    {"completeness", 0.0550435058962422},
    {"davies-bouldin", 6.26347889557313},
    {"dunn", 0.056165595630173},
    {"fowlkes-mallows", 0.210042012604201},
    {"homogeneity", 0.0434136049813828},
    {"normalised-mutual-information", 0.0485416848101508},
    {"purity", 0.333333333333333},
    {"rand", 0.583333333333333},
    {"silhouette", -0.0488946343547092},
    {"simplified-silhouette", 0.012470576306088},
    {"v-measure", 0.0485416848101508},
    {"within-scatter", 680.099206349206},
    {"mutual-information", 0.0601840357815774},
    {"pair-f", 0.206896551724138},
    {"pair-jaccard", 0.115384615384615},
    {"pair-precision", 0.176470588235294},
    {"pair-recall", 0.25},
    {"variation-of-information", 2.35931659603585},
};

static const known_value repeated[] = {
    {"adjusted-mutual-information", 0.00251431622965473},
    {"adjusted-rand", 0.011718027844537},
    {"between-scatter", 726.522135683541},
    {"calinski-harabasz", 12.6895342140856},
    {"completeness", 0.0804340612535651},
    {"davies-bouldin", 7.33094599350883},
    {"dunn", 0.056165595630173},
    {"fowlkes-mallows", 0.300543138109175},
    {"homogeneity", 0.064848644280856},
    {"normalised-mutual-information", 0.0718053784462489},
    {"purity", 0.414634146341463},
    {"rand", 0.586585365853659},
    {"silhouette", 0.0575301254430909},
    {"simplified-silhouette", 0.0592275766203096},
    {"v-measure", 0.0718053784462489},
    {"within-scatter", 1087.81932773109},
    {"mutual-information", 0.0865532773519566},
    {"pair-f", 0.298136645962733},
    {"pair-jaccard", 0.175182481751825},
    {"pair-precision", 0.264705882352941},
    {"pair-recall", 0.341232227488152},
    {"variation-of-information", 2.23766765817061},
};

/* 24 points in three clusters, with classes and weights. */
typedef struct small {
    double places[ROWS * 2], weights[ROWS];
    int32_t classes[ROWS], clusters[ROWS];
    cairn_table *table;
    cairn_view view;
    cairn_metric metric;
    cairn_points points;
    cairn_cluster_space space;
    cairn_judged j;
} small;

static void make(cairn_context *ctx, small *s, const char *distance)
{
    double column[2][ROWS];
    *s = (small){0};
    for (int i = 0; i < ROWS; i++) {
        column[0][i] = s->places[2 * i] = (i * 7) % 13 + (i % 3) * 4;
        column[1][i] = s->places[2 * i + 1] = (i * 5) % 11 - (i % 3) * 3;
        s->clusters[i] = i % 7 == 0 ? (i + 1) % 3 : i % 3;
        s->classes[i] = (i / 2) % 4;
        s->weights[i] = 1 + (i % 5 == 0) + 2 * (i % 4 == 1);
    }
    assert_ok(ctx, cairn_table_new(ctx, &s->table, ROWS));
    assert_ok(ctx, cairn_table_add_numbers(ctx, s->table, "x", column[0]));
    assert_ok(ctx, cairn_table_add_numbers(ctx, s->table, "y", column[1]));
    assert_ok(ctx, cairn_view_make(ctx, &s->view, s->table, cairn_all_rows(s->table)));
    assert_ok(ctx, cairn_metric_open(ctx, &s->metric, "distance", distance));
    assert_ok(ctx, cairn_metric_learn(ctx, &s->metric, &s->view));
    assert_ok(ctx, cairn_metric_points(ctx, &s->metric, &s->points, &s->view, NULL));
    s->space = (cairn_cluster_space){
        .metric = &s->metric, .points = &s->points, .places = s->places, .width = 2};
    s->j = (cairn_judged){.n = ROWS,
                          .n_classes = 4,
                          .n_answers = 3,
                          .positive = -1,
                          .actual = s->classes,
                          .predicted = s->clusters,
                          .space = &s->space};
}

static void drop(small *s)
{
    cairn_metric_clear(&s->metric);
    cairn_points_clear(&s->points);
    cairn_table_free(s->table);
}

static double measured(cairn_context *ctx, const char *name, const cairn_judged *j)
{
    const cairn_measure *m =
        (const cairn_measure *)cairn_entry_find(NULL, CAIRN_ENTRY_MEASURE, name);
    double value;
    assert_non_null(m);
    assert_int_equal(m->task, CAIRN_CLUSTER);
    assert_ok(ctx, m->value(ctx, &value, j));
    return value;
}

static void check(cairn_context *ctx, const cairn_judged *j, const known_value *known, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double got = measured(ctx, known[i].name, j);
        if (!(fabs(got - known[i].value) < 1e-11 * fmax(1, fabs(known[i].value))))
            fail_msg("%s: %.15g is not %.15g", known[i].name, got, known[i].value);
    }
}

static void test_clusters__known_values(void **state)
{
    small s;
    make(*state, &s, "euclidean");
    check(*state, &s.j, plain, sizeof plain / sizeof *plain);
    s.j.weights = s.weights;
    check(*state, &s.j, repeated, sizeof repeated / sizeof *repeated);
    drop(&s);
    make(*state, &s, "manhattan");
    assert_true(fabs(measured(*state, "silhouette", &s.j) + 0.057008905029497486) < 1e-12);
    drop(&s);
}

/* A part of the answers is measured with its own points. */
static void test_clusters__parts(void **state)
{
    cairn_context *ctx = *state;
    small s;
    make(ctx, &s, "euclidean");
    cairn_judged part = cairn_judged_part(&s.j, 8, 20);
    cairn_judged same = s.j;
    double weights[ROWS] = {0};
    for (size_t i = 8; i < 20; i++) weights[i] = 1;
    same.weights = weights;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        double a = measured(ctx, plain[i].name, &part), b = measured(ctx, plain[i].name, &same);
        assert_true(fabs(a - b) < 1e-12 * fmax(1, fabs(b)));
    }
    drop(&s);
}

/* Logarithms of rows: by weight, over rows and over steps; unknown ones are left out, an impossible
 * one makes the rest pale. */
static void test_clusters__likelihood(void **state)
{
    cairn_context *ctx = *state;
    double logs[] = {-1, -2.5, NAN, -4}, steps[] = {2, 3, 9, 5}, weights[] = {1, 2, 1, 0.5};
    cairn_judged j = {.n = 4, .positive = -1, .logs = logs};
    assert_true(fabs(measured(ctx, "log-likelihood", &j) + 2.5) < 1e-15);
    assert_true(isnan(measured(ctx, "perplexity", &j)));
    j.steps = steps;
    assert_true(fabs(measured(ctx, "perplexity", &j) - exp(0.75)) < 1e-14);
    j.weights = weights;
    assert_true(fabs(measured(ctx, "log-likelihood", &j) + 8 / 3.5) < 1e-15);
    assert_true(fabs(measured(ctx, "perplexity", &j) - exp(8 / 10.5)) < 1e-14);
    cairn_judged part = cairn_judged_part(&j, 1, 4);
    assert_true(fabs(measured(ctx, "log-likelihood", &part) + 2.8) < 1e-15);
    logs[3] = -INFINITY;
    assert_true(isinf(measured(ctx, "log-likelihood", &j)));
    assert_true(isinf(measured(ctx, "perplexity", &j)));
    j.logs = NULL;
    assert_true(isnan(measured(ctx, "log-likelihood", &j)));
}

/* Nothing to measure is no number: one cluster, no labelling, no space, weights that are parts. */
static void test_clusters__undefined(void **state)
{
    cairn_context *ctx = *state;
    small s;
    make(ctx, &s, "euclidean");
    cairn_judged j = s.j;
    int32_t one[ROWS] = {0};
    j.predicted = one;
    assert_true(isnan(measured(ctx, "silhouette", &j)));
    assert_true(isnan(measured(ctx, "dunn", &j)));
    assert_true(isnan(measured(ctx, "davies-bouldin", &j)));
    assert_true(isnan(measured(ctx, "calinski-harabasz", &j)));
    j = s.j;
    j.actual = NULL;
    j.space = NULL;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        assert_true(isnan(measured(ctx, plain[i].name, &j)));
    for (size_t i = 0; i < ROWS; i++) s.weights[i] = 0.5;
    s.j.weights = s.weights;
    assert_true(isnan(measured(ctx, "adjusted-mutual-information", &s.j)));
    assert_false(isnan(measured(ctx, "adjusted-rand", &s.j)));
    drop(&s);
}

/* Clusters that are the classes agree fully; rows without a cluster or a class do not crash. */
static void test_clusters__agreement_and_gaps(void **state)
{
    static const char *const full[] = {"adjusted-mutual-information",
                                       "adjusted-rand",
                                       "rand",
                                       "purity",
                                       "v-measure",
                                       "fowlkes-mallows"};
    cairn_context *ctx = *state;
    small s;
    make(ctx, &s, "euclidean");
    s.j.predicted = s.classes;
    s.j.n_answers = 4;
    for (size_t i = 0; i < 6; i++) assert_true(fabs(measured(ctx, full[i], &s.j) - 1) < 1e-12);
    s.clusters[3] = -1;
    s.classes[5] = -1;
    s.j.predicted = s.clusters;
    s.j.n_answers = 3;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        assert_false(isnan(measured(ctx, plain[i].name, &s.j)));
    drop(&s);
}

/* Five points in two clusters, compared by a matrix that is given: distances and their squares, the
 * point itself counted or not. */
static void test_silhouettes__options(void **state)
{
    static const double x[5] = {0, 3, 3, -2, -4}, y[5] = {3, 3, 0, -4, -2};
    static const int32_t clusters[5] = {0, 0, 1, 1, 1};
    static const struct {
        bool self, squared;
        double values[5], mean;
    } cases[] = {{false,
                  true,
                  {0.7589285714285714, 0.8280254777070064, -0.7127659574468085, 0.6141732283464567,
                   0.46956521739130436},
                  0.39158530748530607},
                 {true,
                  true,
                  {0.8794642857142857, 0.9140127388535032, -0.5691489361702128, 0.7427821522309712,
                   0.646376811594203},
                  0.5226974104445501},
                 {false,
                  false,
                  {0.4979324527551049, 0.5545579971889641, -0.47069233632568663, 0.4187571823012445,
                   0.3263422724516336},
                  0.2653795136742521},
                 {true,
                  false,
                  {0.7489662263775524, 0.7772789985944821, -0.20603850448852998, 0.6125047882008297,
                   0.550894848301089},
                  0.49672127139708466}};
    static const uint32_t places[5] = {4, 3, 2, 1, 0};
    double given[25];
    const double *columns[5];
    cairn_silhouettes s;
    for (int i = 0; i < 5; i++) columns[i] = given + 5 * i;
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 5; k++) given[5 * (4 - i) + 4 - k] = hypot(x[i] - x[k], y[i] - y[k]);
    cairn_cluster_space space = {.given = columns, .in_given = places};
    cairn_judged j = {.n = 5, .n_answers = 2, .predicted = clusters, .space = &space};
    for (size_t c = 0; c < 4; c++) {
        cairn_silhouette_options how = {.self = cases[c].self, .squared = cases[c].squared};
        assert_ok(*state, cairn_silhouettes_of(*state, &s, &j, &how));
        assert_int_equal(s.n, 5);
        assert_int_equal(s.n_negative, 1);
        assert_true(fabs(s.mean - cases[c].mean) < 1e-12);
        for (int i = 0; i < 5; i++) {
            assert_true(fabs(s.values[i] - cases[c].values[i]) < 1e-12);
            assert_true(fabs((s.other[i] - s.own[i]) / fmax(s.own[i], s.other[i]) - s.values[i]) <
                        1e-12);
            assert_int_equal(s.neighbours[i], 1 - clusters[i]);
        }
        assert_true(fabs(s.means[0] - (s.values[0] + s.values[1]) / 2) < 1e-12);
    }
}

/* The rows of a sample that are compared with all rows have the values that they have among all;
 * rows that cannot be compared do not count. */
static void test_silhouettes__sample_and_gaps(void **state)
{
    cairn_context *ctx = *state;
    small s;
    cairn_silhouettes all, some;
    make(ctx, &s, "euclidean");
    s.j.weights = s.weights;
    cairn_silhouette_options how = {.sample = 7, .against_all = true};
    assert_ok(ctx, cairn_silhouettes_of(ctx, &all, &s.j, NULL));
    assert_ok(ctx, cairn_silhouettes_of(ctx, &some, &s.j, &how));
    assert_int_equal(all.n, ROWS);
    assert_int_equal(some.n, 7);
    for (size_t i = 0; i < some.n; i++) assert_true(some.values[i] == all.values[some.rows[i]]);
    static const double given[16] = {0, 1, NAN, 4, 1, 0, 5, 6, NAN, 5, 0, 2, 4, 6, 2, 0};
    static const int32_t clusters[4] = {0, 0, 1, 1};
    static const uint32_t places[4] = {0, 1, 2, 3};
    static const double *const columns[4] = {given, given + 4, given + 8, given + 12};
    cairn_cluster_space space = {.given = columns, .in_given = places};
    cairn_judged j = {.n = 4, .n_answers = 2, .predicted = clusters, .space = &space};
    assert_ok(ctx, cairn_silhouettes_of(ctx, &all, &j, NULL));
    assert_true(all.other[0] == 4 && all.values[0] == 0.75);
    assert_true(all.other[1] == 5.5 && all.other[2] == 5);
    drop(&s);
}

/* Two columns of levels and two clusters, by hand: of the first column, whose level is the cluster,
 * all is known (0.5 of 1), of the second, which is the same in both, nothing. */
static void test_clusters__category_utility(void **state)
{
    static const char *const names[] = {"u", "v"};
    static const int32_t first[4] = {0, 0, 1, 1}, second[4] = {0, 1, 0, 1};
    static const int32_t clusters[4] = {1, 1, 0, 0};
    cairn_context *ctx = *state;
    cairn_table *table;
    cairn_view view;
    assert_ok(ctx, cairn_table_new(ctx, &table, 4));
    assert_ok(ctx, cairn_table_add_levels(ctx, table, "a", first, names, 2));
    assert_ok(ctx, cairn_table_add_levels(ctx, table, "b", second, names, 2));
    assert_ok(ctx, cairn_view_make(ctx, &view, table, cairn_all_rows(table)));
    cairn_cluster_space space = {.view = &view};
    cairn_judged j = {.n = 4, .n_answers = 2, .predicted = clusters, .space = &space};
    assert_true(fabs(measured(ctx, "category-utility", &j) - 0.25) < 1e-15);
    space.view = NULL;
    assert_true(isnan(measured(ctx, "category-utility", &j)));
    cairn_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_clusters__known_values),
        context_test(test_clusters__parts),
        context_test(test_clusters__undefined),
        context_test(test_clusters__likelihood),
        context_test(test_clusters__agreement_and_gaps),
        context_test(test_clusters__category_utility),
        context_test(test_silhouettes__options),
        context_test(test_silhouettes__sample_and_gaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
