/* SPDX-License-Identifier: MIT */
/* Baum and Welch against numbers of an independent calculation (numpy, scipy), restarts, floors,
 * counts of known states. */
#include "base/memory.h"
#include "learners/sequence/hmm.h"
#include "support/unit.h"

#include <math.h>

static cairn_hmm read_model(void *state, const char *text)
{
    cairn_hmm m = {0};
    assert_ok(state, cairn_hmm_read(state, &m, "model", text, strlen(text)));
    return m;
}

static void assert_near(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance * fmax(1, fabs(b)))) fail_msg("%.17g is not %.17g", a, b);
}

/* Ten vectors, two states, three iterations. */
static void test_hmm_learn__numbers(void **state)
{
    SCOPED_SCRATCH(*state);
    static const double x[] = {1,   2,   1.5, 1, 0.5, 2.5, 4,   0,   5,   -1,
                               4.5, 0.5, 0,   2, 1,   1.5, 5.5, 0.2, 4.8, -0.6};
    static const double logs[] = {-37.2362037150763, -20.969692817100366, -18.781470321627058,
                                  -18.774441675394037};
    static const double means[] = {0.8000000017796418, 1.799999999096275, 4.759999999681047,
                                   -0.17999999982661946};
    static const double covariances[] = {
        0.2600000060181542, -0.19000000330096667, -0.19000000330096667, 0.26000000172247273,
        0.2504000022887369, -0.0492000008573752,  -0.04920000085737521, 0.2976000004240659};
    static const double moves[] = {0.5999999999080718, 0.40000000009192815, 0.2500000004146103,
                                   0.7499999995853897};
    size_t begins[] = {0, 10};
    cairn_hmm m = read_model(*state, "states a b; from a 0.8 0.2; from b 0.3 0.7; mean a 0 1;"
                                     "covariance a 2 2; mean b 4 1; covariance b 2 2");
    cairn_hmm_data data = {.n = 1, .begins = begins, .numbers = x};
    cairn_hmm_options options = {.starts = 1, .given = true, .floor = 1e-10};
    cairn_progress progress = {.most = 3};
    cairn_hmm_course course;
    assert_ok(*state, cairn_hmm_learn(*state, &m, &data, &options, &progress, &course));
    assert_int_equal(progress.n_values, 4);
    for (int i = 0; i < 4; i++) {
        assert_near(progress.values[i], logs[i], 1e-12);
        assert_near(m.mean[i], means[i], 1e-10);
        assert_near(m.move[i], moves[i], 1e-10);
    }
    for (int i = 0; i < 8; i++) assert_near(m.covariance[i], covariances[i], 1e-10);
    assert_int_equal(course.floored, 0);
    cairn_hmm_clear(&m);
}

/* Two coins, 20 iterations: the last log-likelihood of the worked example. The same sequence twice
 * is a weight of 2. */
static void test_hmm_learn__symbols_and_weights(void **state)
{
    SCOPED_SCRATCH(*state);
    static const int32_t twice[] = {0, 0, 1, 0, 0, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 1, 1, 0};
    static const char text[] = "states a b; symbols H T; start 0.6 0.4; from a 0.7 0.3;"
                               "from b 0.4 0.6; emit a 0.5 0.5; emit b 0.8 0.2";
    size_t begins[] = {0, 9, 18};
    double weight = 2;
    cairn_hmm_options options = {.starts = 1, .given = true};
    for (int round = 0; round < 3; round++) {
        cairn_hmm m = read_model(*state, text);
        cairn_progress progress = {.most = 20};
        cairn_hmm_course course;
        cairn_hmm_data data = {.n = round == 1 ? 2 : 1, .begins = begins, .symbols = twice};
        if (round == 2) data.weights = &weight;
        assert_ok(*state, cairn_hmm_learn(*state, &m, &data, &options, &progress, &course));
        assert_near(course.log_likelihood, -5.473911596081392 * (round ? 2 : 1), 1e-9);
        cairn_hmm_clear(&m);
    }
}

/* Equal numbers have no variance: the floor holds, and is told. A million of them is far off. */
static void test_hmm_learn__floor(void **state)
{
    SCOPED_SCRATCH(*state);
    static const double x[] = {1, 1, 1, 1, 9, 8, 7, 10, 1, 1, 1, 9, 11, 1e6, 1, 1};
    size_t begins[] = {0, 16};
    cairn_hmm m = read_model(*state, "states a b; from a 0.8 0.2; from b 0.3 0.7; mean a 0;"
                                     "covariance a 1; mean b 4; covariance b 1");
    cairn_hmm_data data = {.n = 1, .begins = begins, .numbers = x};
    cairn_hmm_options options = {.starts = 3, .floor = 1e-8};
    cairn_progress progress = {.most = 50, .tolerance = 1e-8};
    cairn_hmm_course course;
    assert_ok(*state, cairn_hmm_learn(*state, &m, &data, &options, &progress, &course));
    assert_true(course.floored > 0);
    for (size_t i = 1; i < progress.n_values; i++)
        assert_true(progress.values[i] >= progress.values[i - 1] - 1e-9);
    cairn_hmm_clear(&m);
}

/* Of several starts the likeliest, and smoothing leaves nothing impossible. */
static void test_hmm_learn__starts_and_smoothing(void **state)
{
    SCOPED_SCRATCH(*state);
    static const int32_t seen[] = {0, 1, 0, 1, 0, 1, 2, 2, 2, 2, 2, 0, 1, 0, 1, 0, 1, 0};
    size_t begins[] = {0, 18};
    double last = -INFINITY;
    for (size_t starts = 1; starts <= 6; starts++) {
        cairn_hmm m = read_model(*state, "states a b c; symbols x y z; from a 1 0 0; from b 0 1 0;"
                                         "from c 0 0 1; emit a 1 0 0; emit b 0 1 0; emit c 0 0 1");
        cairn_hmm_data data = {.n = 1, .begins = begins, .symbols = seen};
        cairn_hmm_options options = {.starts = starts, .smooth = 0.01};
        cairn_progress progress = {.most = 200, .tolerance = 1e-10};
        cairn_hmm_course course;
        assert_ok(*state, cairn_hmm_learn(*state, &m, &data, &options, &progress, &course));
        assert_true(course.log_likelihood >= last - 1e-9);
        last = course.log_likelihood;
        for (int i = 0; i < 9; i++) assert_true(m.move[i] > 0 && m.emit[i] > 0);
        cairn_hmm_clear(&m);
    }
}

/* Symbols that no sequence has: what is added to their counts is where they begin, and the
 * certificate has what was learned. A start with a 0 that the prior excludes is refused. */
static void test_hmm_learn__symbols_that_are_lacking(void **state)
{
    SCOPED_SCRATCH(*state);
    static const int32_t symbols[] = {0, 0, 1, 0, 1, 1, 0, 0};
    size_t begins[] = {0, 4, 8};
    const char *text =
        "states a b; symbols x y z; from a 1 0; from b 0 1; emit a 1 0 0; emit b 0 1 0";
    cairn_hmm m = read_model(*state, text);
    cairn_hmm_data data = {.n = 2, .begins = begins, .symbols = symbols};
    cairn_certificate certificate = {0};
    cairn_hmm_options options = {.starts = 2, .smooth = 0.1, .certificate = &certificate};
    cairn_progress progress = {.most = 50, .tolerance = 1e-10};
    cairn_hmm_course course;
    assert_ok(*state, cairn_hmm_learn(*state, &m, &data, &options, &progress, &course));
    assert_true(progress.iterations > 0 && m.emit[2] > 0 && m.emit[5] > 0);
    assert_true(certificate.has && certificate.left[CAIRN_PROOF_FALL] < 1e-12);
    cairn_hmm_clear(&m);
    m = read_model(*state, "states a; symbols x y z; from a 1; emit a 1/2 1/2 0");
    options.given = true;
    assert_fails(*state, cairn_hmm_learn(*state, &m, &data, &options, &progress, &course),
                 CAIRN_NO_SOLUTION, "no start has a likelihood");
    cairn_hmm_clear(&m);
}

/* By hand: a goes on to a and to b once each, and gives x off three times of four. */
static void test_hmm_learn__known_states(void **state)
{
    SCOPED_SCRATCH(*state);
    static const int32_t states[] = {0, 0, 1, 0, 1, 1, -1, 0};
    static const int32_t symbols[] = {0, 0, 1, 1, 1, -1, 0, 0};
    size_t begins[] = {0, 4, 8};
    cairn_hmm m = read_model(*state, "states a b; symbols x y; from a 1 0; from b 0 1; emit a 1 0;"
                                     "emit b 0 1");
    cairn_hmm_data data = {.n = 2, .begins = begins, .symbols = symbols};
    cairn_hmm_sums sums;
    assert_ok(*state, cairn_hmm_count(*state, &m, &data, states, &(cairn_hmm_options){0}, &sums));
    assert_near(m.start[0], 0.5, 1e-15);
    assert_near(m.move[0], 0.5, 1e-15); /* a a, a b */
    assert_near(m.move[2], 0.5, 1e-15); /* b a, b b */
    assert_near(m.emit[0], 0.75, 1e-15);
    assert_near(m.emit[2], 0, 1e-15);
    cairn_hmm_clear(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_hmm_learn__numbers),
        context_test(test_hmm_learn__symbols_and_weights),
        context_test(test_hmm_learn__floor),
        context_test(test_hmm_learn__starts_and_smoothing),
        context_test(test_hmm_learn__symbols_that_are_lacking),
        context_test(test_hmm_learn__known_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
