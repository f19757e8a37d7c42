/* SPDX-License-Identifier: MIT */
/* Measures by hand on a few predictions. */
#include "support/unit.h"
#include "base/memory.h"
#include "evaluate/measured.h"
#include <math.h>

static double value_of(cairn_context *ctx, const char *name, const cairn_evaluation *e)
{
    const cairn_measure *measure;
    double value;
    assert_ok(ctx, cairn_measure_get(ctx, &measure, name, e));
    cairn_judged judged = cairn_evaluation_judged(e);
    assert_ok(ctx, measure->value(ctx, &value, &judged));
    return value;
}

static void assert_value(cairn_context *ctx, const char *name, const cairn_evaluation *e,
                         double wanted)
{
    double got = value_of(ctx, name, e);
    if (!(fabs(got - wanted) < 1e-12)) fail_msg("%s: got %.17g, wanted %.17g", name, got, wanted);
}

static void test_measures__of_two_classes(void **state)
{
    cairn_context *ctx = *state;
    int32_t actual[] = {1, 1, 0, 0}, predicted[] = {1, 0, 0, 1};
    double weights[] = {1, 1, 2, 1}, scores[] = {0.2, 0.8, 0.6, 0.4, 0.9, 0.1, 0.4, 0.6};
    cairn_evaluation e = {.task = CAIRN_CLASSIFY,
                          .learner = "tree",
                          .target = (char *)"y",
                          .n = 4,
                          .positive = 1,
                          .actual = actual,
                          .predicted = predicted,
                          .weights = weights,
                          .scores = scores};
    size_t index;
    assert_ok(ctx, cairn_map_add(ctx, &e.classes, "no", 2, &index));
    assert_ok(ctx, cairn_map_add(ctx, &e.classes, "yes", 3, &index));
    assert_value(ctx, "accuracy", &e, 3.0 / 5);
    assert_value(ctx, "error", &e, 2.0 / 5);
    assert_value(ctx, "precision", &e, 0.5);
    assert_value(ctx, "recall", &e, 0.5);
    assert_value(ctx, "f1", &e, 0.5);
    assert_value(ctx, "average-recall", &e, (0.5 + 2.0 / 3) / 2);
    /* pairs (0.8, 0.1) (0.8, 0.6) (0.4, 0.1) are right, (0.4, 0.6) is wrong: weights 2 1 2 1 */
    assert_value(ctx, "auc", &e, 5.0 / 6);
    assert_value(ctx, "average-precision", &e, (1 + 2.0 / 3) / 2);
    /* chance agrees in (2 x 2 + 3 x 3) / 25, and both margins are the same */
    assert_value(ctx, "kappa", &e, (3.0 / 5 - 13.0 / 25) / (1 - 13.0 / 25));
    assert_value(ctx, "mcc", &e, (3.0 / 5 - 13.0 / 25) / (1 - 13.0 / 25));
    assert_value(ctx, "brier", &e, (0.04 + 0.36 + 2 * 0.01 + 0.36) / 5);
    assert_value(ctx, "log-loss", &e, -(log(0.8) + log(0.4) + 2 * log(0.9) + log(0.4)) / 5);
    const cairn_measure *measure;
    assert_int_equal(cairn_measure_get(ctx, &measure, "mse", &e), CAIRN_USAGE);
    e.scores = NULL;
    assert_int_equal(cairn_measure_get(ctx, &measure, "auc", &e), CAIRN_USAGE);
    e.positive = -1; /* plain means over both classes */
    assert_value(ctx, "precision", &e, (0.5 + 2.0 / 3) / 2);
    cairn_map_clear(&e.classes);
}

/* Classes a, b, c; no row is a c, though one is said to be; the last row's class is unknown. */
static void test_measures__with_absent_and_unknown_classes(void **state)
{
    cairn_context *ctx = *state;
    int32_t actual[] = {0, 0, 1, 1, -1}, predicted[] = {0, 2, 1, 1, -1};
    double weights[] = {1, 1, 1, 1, 1};
    double scores[] = {0.8, 0.1, 0.1, 0.3, 0.3, 0.4, 0, 1, 0, 0.5, 0.5, 0, 1, 0, 0};
    cairn_evaluation e = {.task = CAIRN_CLASSIFY,
                          .learner = "tree",
                          .target = (char *)"y",
                          .n = 5,
                          .positive = -1,
                          .actual = actual,
                          .predicted = predicted,
                          .baseline = predicted,
                          .weights = weights,
                          .scores = scores};
    size_t index;
    for (const char *name = "abc"; *name; name++)
        assert_ok(ctx, cairn_map_add(ctx, &e.classes, name, 1, &index));
    assert_value(ctx, "accuracy", &e, 3.0 / 5); /* no answer to an unknown class is wrong */
    assert_value(ctx, "recall", &e, (0.5 + 1) / 2);
    assert_value(ctx, "precision", &e, (1.0 + 1) / 2); /* c has no rows: not 0 for it */
    assert_value(ctx, "f1", &e, (2.0 / 3 + 1) / 2);
    /* the row without class and answer: one of five in both margins, but not right */
    assert_value(ctx, "kappa", &e, (3.0 / 5 - 6.0 / 25) / (1 - 6.0 / 25));
    assert_value(ctx, "mcc", &e, (5.0 * 3 - 6) / sqrt((25.0 - 9) * (25.0 - 7)));
    /* probabilities of the four known classes */
    assert_value(ctx, "brier", &e, (0.06 + 0.74 + 0 + 0.5) / 2 / 4);
    assert_value(ctx, "log-loss", &e, -(log(0.8) + log(0.3) + log(0.5)) / 4);
    const cairn_measure *measure;
    assert_ok(ctx, cairn_measure_get(ctx, &measure, "accuracy", &e));
    assert_true(cairn_measured_baseline(&e, measure) == 3.0 / 5);
    cairn_map_clear(&e.classes);
}

static void test_measures__of_numbers(void **state)
{
    cairn_context *ctx = *state;
    double actual[] = {1, 2, 4, 9}, predicted[] = {2, 2, 2, NAN}, weights[] = {1, 2, 1, 1};
    cairn_evaluation e = {.task = CAIRN_REGRESS,
                          .learner = "linear",
                          .target = (char *)"y",
                          .n = 4,
                          .actual_number = actual,
                          .predicted_number = predicted,
                          .weights = weights};
    assert_value(ctx, "mse", &e, 5.0 / 4);
    assert_value(ctx, "rmse", &e, sqrt(5.0 / 4));
    assert_value(ctx, "mae", &e, 3.0 / 4);
    double mean = 9.0 / 4,
           spread = (1 - mean) * (1 - mean) + 2 * (2 - mean) * (2 - mean) + (4 - mean) * (4 - mean);
    assert_value(ctx, "r2", &e, 1 - 5 / spread);
}

/* A single set of rows: samples of it spread as the binomial distribution does. */
static void test_measures__bootstrap_interval_of_one_set(void **state)
{
    enum { N = 400 };
    cairn_context *ctx = *state;
    int32_t actual[N], predicted[N];
    double weights[N];
    size_t starts[] = {0, N}, index;
    for (int i = 0; i < N; i++) actual[i] = i % 2, predicted[i] = i % 4 ? i % 2 : 1 - i % 2;
    for (int i = 0; i < N; i++) weights[i] = 1;
    cairn_evaluation e = {.task = CAIRN_CLASSIFY,
                          .learner = "tree",
                          .target = (char *)"y",
                          .level = 0.95,
                          .n = N,
                          .n_rows = N,
                          .n_splits = 1,
                          .starts = starts,
                          .positive = 1,
                          .actual = actual,
                          .predicted = predicted,
                          .weights = weights};
    const cairn_measure *measure;
    cairn_measured one, four;
    assert_ok(ctx, cairn_map_add(ctx, &e.classes, "no", 2, &index));
    assert_ok(ctx, cairn_map_add(ctx, &e.classes, "yes", 3, &index));
    assert_ok(ctx, cairn_measure_get(ctx, &measure, "accuracy", &e));
    cairn_context_set_threads(ctx, 1);
    assert_ok(ctx, cairn_measure_all(ctx, &one, measure, &e, NULL));
    cairn_context_set_threads(ctx, 4);
    assert_ok(ctx, cairn_measure_all(ctx, &four, measure, &e, NULL));
    double half = 1.96 * sqrt(0.75 * 0.25 / N);
    assert_true(fabs(one.value - 0.75) < 1e-12 && isnan(one.sd));
    assert_true(fabs(one.low - (0.75 - half)) < 0.01 && fabs(one.high - (0.75 + half)) < 0.01);
    assert_memory_equal(&one.low, &four.low, sizeof one.low);
    assert_memory_equal(&one.high, &four.high, sizeof one.high);
    cairn_map_clear(&e.classes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_measures__of_two_classes),
        context_test(test_measures__with_absent_and_unknown_classes),
        context_test(test_measures__of_numbers),
        context_test(test_measures__bootstrap_interval_of_one_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
