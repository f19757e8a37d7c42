/* SPDX-License-Identifier: MIT */
#include "support/fail_alloc.h"
#include "base/memory.h"
#include "stats/ranking.h"
#include <math.h>

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13, *state ^= *state >> 7, *state ^= *state << 17;
    return *state;
}

static void assert_near(double got, double wanted)
{
    if (!(fabs(got - wanted) <= 1e-12 * (1 + fabs(wanted))))
        fail_msg("got %.17g, wanted %.17g", got, wanted);
}

static void test_ranking__ties_share_a_segment(void **state)
{
    cairn_context *ctx = *state;
    const double scores[] = {1, 3, 2, 2, -0.0, 0.0, 9};
    const int8_t classes[] = {0, 1, 1, 0, 1, 0, 7};
    cairn_ranking r;
    assert_ok(ctx, cairn_ranking_make(ctx, &r, scores, classes, NULL, 7));
    assert_int_equal(r.n, 4);
    assert_true(r.positives == 3 && r.negatives == 3);
    const double wanted[4][3] = {{3, 1, 0}, {2, 1, 1}, {1, 0, 1}, {0, 1, 1}};
    for (int i = 0; i < 4; i++) {
        assert_true(r.segments[i].score == wanted[i][0]);
        assert_true(r.segments[i].positives == wanted[i][1]);
        assert_true(r.segments[i].negatives == wanted[i][2]);
    }
    cairn_ranking_pairs pairs = cairn_ranking_count_pairs(&r);
    assert_true(pairs.wrong == 2 && pairs.tied == 2);
    assert_near(cairn_ranking_auc(&r), 1 - 3.0 / 9);
}

/* Many rows with ties against counting every pair, weighted and not, for 1 and 4 threads. */
static void check_pairs(cairn_context *ctx, int levels, bool weighted)
{
    enum { N = 3000 };
    double scores[N], weights[N], right = 0, totals[2] = {0, 0};
    int8_t classes[N];
    uint64_t seed = 12345;
    cairn_ranking r, again;
    for (int i = 0; i < N; i++) {
        scores[i] = (double)(next_random(&seed) % (unsigned)levels) / 7 - 3;
        classes[i] = (int8_t)(next_random(&seed) % 3 == 0);
        weights[i] = weighted ? (double)(next_random(&seed) % 5) / 4 : 1;
        totals[classes[i]] += weights[i];
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            if (classes[i] == 1 && classes[j] == 0)
                right += weights[i] * weights[j] *
                         (scores[i] > scores[j]    ? 1
                          : scores[i] == scores[j] ? 0.5
                                                   : 0);
    cairn_context_set_threads(ctx, 1);
    assert_ok(ctx, cairn_ranking_make(ctx, &r, scores, classes, weighted ? weights : NULL, N));
    assert_near(cairn_ranking_auc(&r), right / totals[0] / totals[1]);
    cairn_context_set_threads(ctx, 4);
    assert_ok(ctx, cairn_ranking_make(ctx, &again, scores, classes, weighted ? weights : NULL, N));
    assert_int_equal(r.n, again.n);
    assert_memory_equal(r.segments, again.segments, r.n * sizeof *r.segments);
    for (size_t i = 1; i < r.n; i++) assert_true(r.segments[i - 1].score > r.segments[i].score);
}

static void test_ranking__auc_is_the_share_of_right_pairs(void **state)
{
    const int levels[] = {1, 2, 50, 1000000};
    for (int l = 0; l < 4; l++) {
        check_pairs(*state, levels[l], false);
        check_pairs(*state, levels[l], true);
    }
}

/* The hull must lie above every point, and its vertices must be points of the curve. */
static void check_hull(const cairn_ranking *r, const cairn_ranking *hull, bool lower)
{
    double x = 0, y = 0, hx = 0, hy = 0;
    size_t h = 0;
    for (size_t i = 0; i < r->n; i++) {
        const cairn_segment *s = &hull->segments[h];
        x += r->segments[i].negatives, y += r->segments[i].positives;
        double side = (y - hy) * s->negatives - (x - hx) * s->positives;
        assert_true(lower ? side >= 0 : side <= 0);
        if (r->segments[i].score == s->low_score) {
            hx += s->negatives, hy += s->positives, h++;
            assert_true(hx == x && hy == y);
        }
    }
    assert_int_equal(h, hull->n);
    for (size_t i = 1; i < hull->n; i++) {
        const cairn_segment *a = &hull->segments[i - 1], *b = &hull->segments[i];
        double turn = a->positives * b->negatives - b->positives * a->negatives;
        assert_true(lower ? turn < 0 : turn > 0);
    }
}

static void test_ranking__hulls_of_many_rows(void **state)
{
    cairn_context *ctx = *state;
    enum { N = 200000 };
    double *scores;
    int8_t *classes;
    uint64_t seed = 99;
    cairn_ranking r, hull, again;
    assert_ok(ctx, SCRATCH(ctx, &scores, N));
    assert_ok(ctx, SCRATCH(ctx, &classes, N));
    for (int i = 0; i < N; i++) {
        scores[i] = (double)(next_random(&seed) >> 12);
        classes[i] = (int8_t)(scores[i] > (double)(next_random(&seed) >> 12));
    }
    assert_ok(ctx, cairn_ranking_make(ctx, &r, scores, classes, NULL, N));
    cairn_context_set_threads(ctx, 1);
    assert_ok(ctx, cairn_ranking_hull(ctx, &hull, &r, false));
    check_hull(&r, &hull, false);
    cairn_context_set_threads(ctx, 4);
    assert_ok(ctx, cairn_ranking_hull(ctx, &again, &r, false));
    assert_int_equal(hull.n, again.n);
    assert_memory_equal(hull.segments, again.segments, hull.n * sizeof *hull.segments);
    assert_ok(ctx, cairn_ranking_lower_hull(ctx, &hull, &r, false));
    check_hull(&r, &hull, true);
}

static void test_ranking__collinear_segments_are_kept_or_merged(void **state)
{
    cairn_context *ctx = *state;
    const double scores[] = {4, 3, 3, 2, 2, 1};
    const int8_t classes[] = {1, 1, 0, 1, 0, 0};
    cairn_ranking r, hull;
    assert_ok(ctx, cairn_ranking_make(ctx, &r, scores, classes, NULL, 6));
    assert_ok(ctx, cairn_ranking_hull(ctx, &hull, &r, true));
    assert_int_equal(hull.n, 4);
    assert_ok(ctx, cairn_ranking_hull(ctx, &hull, &r, false));
    assert_int_equal(hull.n, 3);
    assert_true(hull.segments[1].score == 3 && hull.segments[1].low_score == 2);
}

static void test_ranking__bad_rows_are_named(void **state)
{
    cairn_context *ctx = *state;
    const double scores[] = {1, NAN, 2}, good[] = {1, 2, 3}, weights[] = {1, 1, -1};
    const int8_t classes[] = {0, 1, 1}, none[] = {0, -1, 0};
    cairn_ranking r;
    assert_fails(ctx, cairn_ranking_make(ctx, &r, scores, classes, NULL, 3), CAIRN_BAD_DATA,
                 "score of row 2");
    assert_fails(ctx, cairn_ranking_make(ctx, &r, good, classes, weights, 3), CAIRN_BAD_DATA,
                 "weight of row 3");
    assert_ok(ctx, cairn_ranking_make(ctx, &r, scores, none, NULL, 3));
    assert_true(isnan(cairn_ranking_auc(&r)));
    assert_ok(ctx, cairn_ranking_make(ctx, &r, scores, none, NULL, 0));
    assert_int_equal(r.n, 0);
}

static cairn_status rank_some(cairn_context *ctx, void *data)
{
    const double scores[] = {1, 2, 3, 4}, weights[] = {1, 2, 1, 1};
    const int8_t classes[] = {0, 1, 1, 0};
    cairn_ranking r, hull;
    cairn_status status;
    (void)data;
    TRY(cairn_ranking_make(ctx, &r, scores, classes, weights, 4));
    TRY(cairn_ranking_hull(ctx, &hull, &r, false));
done:
    return status;
}

static void test_ranking__survives_failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(rank_some, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_ranking__ties_share_a_segment),
        context_test(test_ranking__auc_is_the_share_of_right_pairs),
        context_test(test_ranking__hulls_of_many_rows),
        context_test(test_ranking__collinear_segments_are_kept_or_merged),
        context_test(test_ranking__bad_rows_are_named),
        cmocka_unit_test(test_ranking__survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
