/* SPDX-License-Identifier: MIT */
/* Measures of confusion tables, numbers, margins, probabilities and several classes; curves. */
#include "support/fail_alloc.h"
#include "base/memory.h"
#include "stats/confusion.h"
#include "stats/curves.h"
#include "stats/errors.h"
#include "stats/losses.h"
#include "stats/multiclass.h"
#include "stats/probability_loss.h"
#include "stats/smoothing.h"
#include <math.h>

static void assert_near(double got, double wanted)
{
    if (isnan(wanted) && isnan(got)) return;
    if (!(fabs(got - wanted) <= 1e-12 * (1 + fabs(wanted))))
        fail_msg("got %.17g, wanted %.17g", got, wanted);
}

/* -- confusion -- */

static void test_confusion__measures_of_two_classes(void **state)
{
    cairn_binary_measures m;
    cairn_binary_counts c = {60, 15, 10, 15};
    (void)state;
    cairn_binary_measures_of(&m, c, CAIRN_UNDEFINED_NA);
    assert_near(m.accuracy, 0.75);
    assert_near(m.pos * m.tpr + m.neg * m.tnr, m.accuracy);
    assert_near(m.tpr, 0.8);
    assert_near(m.precision, 6.0 / 7);
    assert_near(m.f, 120.0 / 145);
    assert_near(m.f, m.f_harmonic);
    assert_near(m.average_recall, 0.7);
    assert_near(m.correlation, (60 * 15 - 10 * 15) / sqrt(75.0 * 25 * 70 * 30));
    assert_near(cairn_f_measure(c, 2), 5 * 60.0 / (5 * 60 + 4 * 15 + 10));
    cairn_binary_counts swapped = cairn_binary_swap(c);
    assert_true(swapped.tp == 15 && swapped.fn == 10 && swapped.fp == 15 && swapped.tn == 60);
    cairn_binary_counts chance = cairn_binary_by_chance(c);
    assert_near(chance.tp, 52.5);
    assert_near(chance.tn, 7.5);
}

static void test_confusion__nothing_over_nothing_is_undefined(void **state)
{
    cairn_binary_measures m;
    const cairn_binary_counts silent = {0, 1, 0, 99};
    (void)state;
    cairn_binary_measures_of(&m, silent, CAIRN_UNDEFINED_NA);
    assert_true(isnan(m.precision) && isnan(m.f_harmonic) && m.f == 0 && m.tpr == 0);
    cairn_binary_measures_of(&m, silent, CAIRN_UNDEFINED_ZERO);
    assert_true(m.precision == 0 && m.f_harmonic == 0);
    cairn_binary_measures_of(&m, silent, CAIRN_UNDEFINED_ONE);
    assert_true(m.precision == 1);
    cairn_binary_measures_of(&m, (cairn_binary_counts){0, 0, 0, 0}, CAIRN_UNDEFINED_NA);
    assert_true(isnan(m.accuracy) && isnan(m.f) && isnan(m.class_ratio));
    cairn_binary_measures_of(&m, (cairn_binary_counts){3, 1, 0, 0}, CAIRN_UNDEFINED_NA);
    assert_true(isinf(m.class_ratio) && isnan(m.tnr) && isnan(m.average_recall));
}

static void test_confusion__of_three_classes(void **state)
{
    const double cells[9] = {5, 3, 0, 2, 3, 1, 0, 2, 11};
    cairn_confusion_summary s;
    (void)state;
    cairn_confusion_summary_of(&s, cells, 3, CAIRN_UNDEFINED_NA);
    assert_near(s.accuracy, 19.0 / 27);
    assert_near(s.weighted_recall, s.accuracy);
    assert_near(s.precision, (5.0 / 7 + 3.0 / 8 + 11.0 / 12) / 3);
    assert_near(s.majority, 13.0 / 27);
    assert_int_equal(s.majority_class, 2);
    cairn_binary_counts dog = cairn_confusion_against_rest(cells, 3, 1);
    assert_true(dog.tp == 3 && dog.fn == 3 && dog.fp == 5 && dog.tn == 16);
    cairn_binary_counts pair = cairn_confusion_pair(cells, 3, 0, 1);
    assert_true(pair.tp == 5 && pair.fn == 3 && pair.fp == 2 && pair.tn == 3);
    const double costs[9] = {0, 1, 2, 3, 0, 4, 5, 6, 0};
    assert_near(cairn_confusion_cost(cells, costs, 3), 3 + 6 + 4 + 12);
}

static void test_confusion__codes_outside_are_left_out(void **state)
{
    double cells[4] = {0};
    const int32_t actual[] = {0, 1, -1, 1, 2, 1}, said[] = {0, 0, 0, -1, 0, 1};
    const double weights[] = {2, 0.5, 1, 1, 1, 3};
    (void)state;
    cairn_confusion_add(cells, 2, actual, said, weights, 6);
    assert_true(cells[0] == 2 && cells[1] == 0 && cells[2] == 0.5 && cells[3] == 3);
}

/* -- numbers, margins, counts -- */

static void test_errors__of_numbers(void **state)
{
    const double y[] = {1, 2, NAN, 4}, p[] = {2, 2, 3, 2}, w[] = {1, 2, 1, 1};
    cairn_errors e;
    (void)state;
    cairn_errors_of(&e, y, p, NULL, 4);
    assert_int_equal(e.n, 3);
    assert_near(e.sse, 5);
    assert_near(e.half_sse, 2.5);
    assert_near(e.mse, 5.0 / 3);
    assert_near(e.mae, 1);
    assert_near(e.mae_percent, 100.0 / 3);
    assert_near(e.bias, -1.0 / 3);
    assert_near(e.relative, (1 + 0 + 0.5) / 3);
    assert_near(e.largest, 2);
    cairn_errors_of(&e, y, p, w, 4);
    assert_near(e.mse, 5.0 / 4);
    cairn_errors_of(&e, y, p, NULL, 0);
    assert_true(isnan(e.mse) && isnan(e.r2) && e.n == 0);
}

static void test_losses__are_one_at_margin_zero(void **state)
{
    (void)state;
    for (int l = 0; l < CAIRN_N_LOSSES; l++) {
        assert_near(cairn_margin_loss((cairn_loss)l, 0, 2), 1);
        assert_true(isnan(cairn_margin_loss((cairn_loss)l, NAN, 2)));
        assert_true(cairn_margin_loss((cairn_loss)l, -3, 2) >= 1);
    }
    assert_near(cairn_margin_loss(CAIRN_LOSS_LOGISTIC, -2000, 2), 2000 / log(2));
    assert_near(cairn_margin_loss(CAIRN_LOSS_SQUARED_ONE_SIDE, 3, 2), 0);
    assert_near(cairn_margin_loss(CAIRN_LOSS_LOGISTIC, 1, cairn_log_base(1)), log1p(exp(-1)));
}

static void test_smoothing__of_counts(void **state)
{
    cairn_context *ctx = *state;
    const double counts[] = {8, 2, 0}, prior[] = {0.5, 0.25, 0.25};
    double p[3];
    cairn_smoothing s;
    assert_ok(ctx, cairn_smoothing_read(ctx, &s, "laplace"));
    cairn_smooth_counts(p, s, counts, 3, NULL);
    assert_near(p[0], 9.0 / 13);
    assert_ok(ctx, cairn_smoothing_read(ctx, &s, "lambda:0.5"));
    cairn_smooth_counts(p, s, counts, 3, NULL);
    assert_near(p[2], 0.5 / 11.5);
    assert_ok(ctx, cairn_smoothing_read(ctx, &s, "m:4"));
    cairn_smooth_counts(p, s, counts, 3, prior);
    assert_near(p[0], 10.0 / 14);
    assert_near(p[2], 1.0 / 14);
    assert_ok(ctx, cairn_smoothing_read(ctx, &s, NULL));
    assert_true(isnan(cairn_smoothed(s, 0, 0, 2, NULL, 0)));
    assert_fails(ctx, cairn_smoothing_read(ctx, &s, "m"), CAIRN_USAGE, "m:X");
    assert_fails(ctx, cairn_smoothing_read(ctx, &s, "m:-1"), CAIRN_USAGE, "not negative");
    assert_fails(ctx, cairn_smoothing_read(ctx, &s, "laplace:2"), CAIRN_USAGE, "no number");
    assert_fails(ctx, cairn_smoothing_read(ctx, &s, "good"), CAIRN_USAGE, "choose none");
}

/* -- curves -- */

static cairn_ranking ranking_of(cairn_segment *segments, const double (*counts)[2], size_t n)
{
    cairn_ranking r = {segments, n, 0, 0};
    for (size_t i = 0; i < n; i++) {
        double score = (double)(n - i);
        segments[i] = (cairn_segment){score, score, counts[i][0], counts[i][1]};
        r.positives += counts[i][0];
        r.negatives += counts[i][1];
    }
    return r;
}

static void test_curves__all_equally_good_splits_are_found(void **state)
{
    cairn_context *ctx = *state;
    static const double counts[10][2] = {{1, 0}, {1, 0}, {0, 1}, {1, 0}, {1, 0},
                                         {0, 1}, {1, 0}, {1, 0}, {0, 1}, {0, 1}};
    cairn_segment segments[10];
    cairn_ranking r = ranking_of(segments, counts, 10);
    cairn_curve_split *best;
    size_t n;
    assert_ok(ctx, cairn_best_splits(ctx, &best, &n, &r, cairn_operating_context_of(&r, 1, 1, 0)));
    assert_int_equal(n, 1);
    assert_int_equal(best[0].split, 8);
    assert_near(best[0].value, 0.8);
    assert_near(best[0].threshold, 2.5);
    cairn_operating_context doubled = cairn_operating_context_of(&r, 1, 2, 0);
    assert_near(cairn_isometric_slope(&r, doubled), 4.0 / 3);
    assert_ok(ctx, cairn_best_splits(ctx, &best, &n, &r, doubled));
    assert_int_equal(n, 3);
    assert_int_equal(best[1].split, 5);
    assert_near(cairn_isometric_slope(&r, cairn_operating_context_of(&r, 1, 1, 1)), 1);
    assert_true(cairn_split_threshold(&r, 0) == INFINITY);
    assert_true(cairn_split_threshold(&r, 10) == -INFINITY);
}

/* Cut anywhere, ties in random order: the mean over all cuts and both orders of a tied pair. */
static void test_curves__expected_accuracy(void **state)
{
    (void)state;
    static const double plain[6][2] = {{1, 0}, {1, 0}, {0, 1}, {0, 1}, {1, 0}, {0, 1}};
    static const double tied[1][2] = {{1, 1}};
    cairn_segment segments[6];
    cairn_ranking r = ranking_of(segments, plain, 6);
    assert_near(cairn_expected_accuracy(&r), 26.0 / 42);
    r = ranking_of(segments, tied, 1);
    assert_near(cairn_expected_accuracy(&r), (0.5 + 0.5 + 0.5) / 3);
}

static void test_curves__lift_cuts_a_segment_in_proportion(void **state)
{
    (void)state;
    static const double groups[4][2] = {{30, 70}, {40, 360}, {10, 240}, {0, 250}};
    cairn_segment segments[4];
    cairn_ranking r = ranking_of(segments, groups, 4);
    assert_near(cairn_positives_in_best(&r, 0.1), 30);
    assert_near(cairn_positives_in_best(&r, 0.3), 50);
    assert_near(cairn_positives_in_best(&r, 1), 80);
    assert_near(cairn_positives_in_best(&r, 0), 0);
}

static void test_curves__dominance(void **state)
{
    (void)state;
    static const double good[3][2] = {{3, 1}, {1, 1}, {0, 2}}, bad[3][2] = {{2, 1}, {1, 1}, {1, 2}},
                        other[3][2] = {{1, 0}, {1, 3}, {2, 1}};
    cairn_segment a[3], b[3], c[3];
    cairn_ranking g = ranking_of(a, good, 3), w = ranking_of(b, bad, 3),
                  o = ranking_of(c, other, 3);
    assert_true(cairn_curve_dominates(&g, &w));
    assert_false(cairn_curve_dominates(&w, &g));
    assert_false(cairn_curve_dominates(&g, &g));
    assert_false(cairn_curve_dominates(&o, &w));
    assert_false(cairn_curve_dominates(&w, &o) && cairn_curve_dominates(&o, &w));
}

/* All numbers at once are the numbers one by one, also over many blocks. */
static void test_curves__reading_is_the_single_functions(void **state)
{
    cairn_context *ctx = *state;
    enum { N = 100000 };
    cairn_segment *segments;
    cairn_ranking_reading reading;
    uint64_t seed = 5;
    assert_ok(ctx, SCRATCH(ctx, &segments, N));
    cairn_ranking r = {segments, N, 0, 0};
    for (size_t i = 0; i < N; i++) {
        seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
        double p = (double)(seed % 3), n = (double)(seed / 3 % 3 + (p == 0));
        segments[i] = (cairn_segment){(double)(N - i), (double)(N - i), p, n};
        r.positives += p;
        r.negatives += n;
    }
    for (int threads = 1; threads <= 4; threads += 3) {
        double *x, *y;
        size_t *at, n;
        cairn_context_set_threads(ctx, threads);
        assert_ok(ctx, cairn_ranking_read(ctx, &reading, &r));
        assert_near(reading.auc, cairn_ranking_auc(&r));
        assert_near(reading.average_precision, cairn_average_precision(&r));
        assert_int_equal(reading.nearest.split, cairn_nearest_split(&r).split);
        assert_int_equal(reading.youden.split, cairn_youden_split(&r).split);
        assert_near(reading.youden.value, cairn_youden_split(&r).value);
        assert_ok(ctx, cairn_curve_points(ctx, &x, &y, &at, &n, &r, 50));
        assert_true(n <= 51 && at[0] == 0 && at[n - 1] == N && x[n - 1] == r.negatives);
        for (size_t i = 0; i < n; i++) {
            cairn_curve_split s = cairn_split_at(&r, (cairn_operating_context){1, 1}, at[i]);
            assert_true(x[i] == s.fp && y[i] == s.tp);
        }
    }
}

/* -- probabilities -- */

static void test_probabilities__decompose(void **state)
{
    cairn_context *ctx = *state;
    const double p[] = {0.8, 0.2, 0.8, 0.2, 0.8, 0.2, 0.5, 0.5, 0.5, 0.5};
    const int32_t classes[] = {0, 0, 1, 1, 0};
    cairn_probability_quality q;
    assert_ok(ctx, cairn_probability_quality_of(ctx, &q, p, classes, NULL, 5, 2, 0.5, exp(1), 0));
    assert_int_equal(q.n_segments, 2);
    assert_near(q.squared, (0.04 + 0.04 + 0.64 + 0.25 + 0.25) / 5);
    assert_near(q.calibration + q.refinement, q.squared);
    assert_near(q.refinement, (3 * 2.0 / 9 + 2 * 0.25) / 5);
    assert_near(q.log_loss, -(2 * log(0.8) + log(0.2) + 2 * log(0.5)) / 5);
    const double sure[] = {1, 0}, holes[] = {NAN, 1};
    const int32_t wrong[] = {1};
    assert_ok(ctx, cairn_probability_quality_of(ctx, &q, sure, wrong, NULL, 1, 2, 1, 2, 0));
    assert_true(isinf(q.log_loss) && q.n_impossible == 1);
    assert_near(q.squared, 2);
    assert_fails(ctx, cairn_probability_quality_of(ctx, &q, holes, wrong, NULL, 1, 2, 1, 2, 0),
                 CAIRN_BAD_DATA, "row 1");
}

/* -- several classes -- */

static const double three[] = {0.6, 0.3, 0.1, 0.5,  0.4,  0.1, 0.4, 0.5, 0.1,
                               0.2, 0.5, 0.3, 0.45, 0.25, 0.3, 0.3, 0.3, 0.4,
                               0.1, 0.5, 0.4, 0.2,  0.2,  0.6, 0.5, 0.1, 0.4};
static const int32_t three_classes[] = {0, 0, 1, 1, 1, 2, 2, 2, 2};

static void test_multiclass__areas(void **state)
{
    cairn_context *ctx = *state;
    cairn_multiclass_auc a;
    assert_ok(ctx, cairn_multiclass_auc_of(ctx, &a, three, three_classes, NULL, 9, 3));
    assert_near(a.against_rest[0], 0.9642857142857143);
    assert_near(a.against_one[1 * 3 + 0], 2.0 / 3);
    assert_near(a.one_pairs, 0.8942307692307693);
    assert_true(isnan(a.against_one[0]));
    const int32_t none[] = {0, 0, 1, 1, 1, 1, 1, 1, 1};
    assert_ok(ctx, cairn_multiclass_auc_of(ctx, &a, three, none, NULL, 9, 3));
    assert_true(isnan(a.against_rest[2]) && !isnan(a.rest_mean));
}

static double accuracy_with(const double *weights)
{
    double right = 0;
    for (int i = 0; i < 9; i++)
        right += cairn_weighted_decision(three + 3 * i, weights, 3) == three_classes[i];
    return right / 9;
}

static void test_multiclass__weights_of_classes(void **state)
{
    cairn_context *ctx = *state;
    double weights[3];
    const double ones[3] = {1, 1, 1};
    const size_t order[] = {2, 0, 1};
    assert_ok(ctx, cairn_reweight_classes(ctx, weights, three, three_classes, NULL, 9, 3, NULL,
                                          NULL, NULL));
    assert_true(accuracy_with(weights) > accuracy_with(ones));
    assert_near(weights[0], 1);
    assert_ok(ctx, cairn_reweight_classes(ctx, weights, three, three_classes, NULL, 9, 3, order,
                                          NULL, NULL));
    assert_near(weights[2], 1);
    const double costs[9] = {0, 1, 1, 1, 0, 1, 0, 0, 0}; /* class 3 may be missed for nothing */
    assert_ok(ctx, cairn_reweight_classes(ctx, weights, three, three_classes, NULL, 9, 3, NULL,
                                          costs, NULL));
    for (int i = 0; i < 5; i++)
        assert_true(cairn_weighted_decision(three + 3 * i, weights, 3) != 2);
    const double negative[3] = {-1, 0, 1};
    assert_fails(
        ctx,
        cairn_reweight_classes(ctx, weights, negative, three_classes, NULL, 1, 3, NULL, NULL, NULL),
        CAIRN_BAD_DATA, "row 1");
}

static void test_multiclass__coverage_counts(void **state)
{
    (void)state;
    const double counts[] = {8, 0, 2, 2, 17, 1, 4, 2, 8}, fires[] = {1, 0, 1, 1, 1, 1};
    const double wanted[] = {12, 2, 10, 14, 19, 11};
    double scores[6];
    cairn_coverage_scores(scores, fires, counts, 2, 3, 3);
    for (int i = 0; i < 6; i++) assert_near(scores[i], wanted[i]);
}

static cairn_status judge_some(cairn_context *ctx, void *data)
{
    cairn_multiclass_auc a;
    cairn_probability_quality q;
    double weights[3];
    cairn_status status;
    (void)data;
    TRY(cairn_multiclass_auc_of(ctx, &a, three, three_classes, NULL, 9, 3));
    TRY(cairn_probability_quality_of(ctx, &q, three, three_classes, NULL, 9, 3, 0.5, 2, 0));
    TRY(cairn_reweight_classes(ctx, weights, three, three_classes, NULL, 9, 3, NULL, NULL, NULL));
done:
    return status;
}

static void test_measures__survive_failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(judge_some, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_confusion__measures_of_two_classes),
        cmocka_unit_test(test_confusion__nothing_over_nothing_is_undefined),
        cmocka_unit_test(test_confusion__of_three_classes),
        cmocka_unit_test(test_confusion__codes_outside_are_left_out),
        cmocka_unit_test(test_errors__of_numbers),
        cmocka_unit_test(test_losses__are_one_at_margin_zero),
        context_test(test_smoothing__of_counts),
        context_test(test_curves__all_equally_good_splits_are_found),
        cmocka_unit_test(test_curves__expected_accuracy),
        cmocka_unit_test(test_curves__lift_cuts_a_segment_in_proportion),
        cmocka_unit_test(test_curves__dominance),
        context_test(test_curves__reading_is_the_single_functions),
        context_test(test_probabilities__decompose),
        context_test(test_multiclass__areas),
        context_test(test_multiclass__weights_of_classes),
        cmocka_unit_test(test_multiclass__coverage_counts),
        cmocka_unit_test(test_measures__survive_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
