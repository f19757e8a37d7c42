/* SPDX-License-Identifier: MIT */
/* Thresholds, boxes and discs against searches that look at every candidate. */
#include "support/unit.h"
#include "base/memory.h"
#include "concepts/shapes.h"

#include <math.h>

enum { MOST = 9 };

static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

typedef struct sample {
    double x[2 * MOST];
    uint8_t positive[MOST];
    cairn_labelled points;
} sample;

/* Points on a small grid, so that many lie on a line with others. */
static void draw(sample *s, size_t d, uint64_t *state, unsigned share)
{
    size_t n = 2 + next_random(state) % (MOST - 1);
    for (size_t i = 0; i < n * d; i++) s->x[i] = (double)(next_random(state) % 8);
    for (size_t i = 0; i < n; i++) s->positive[i] = next_random(state) % share == 0;
    s->points = (cairn_labelled){s->x, n, d, s->positive};
}

static bool says(cairn_side side, double x, double m)
{
    switch (side) {
    case CAIRN_SIDE_AT_LEAST: return x >= m;
    case CAIRN_SIDE_ABOVE: return x > m;
    case CAIRN_SIDE_AT_MOST: return x <= m;
    default: return x < m;
    }
}

static void test_thresholds__are_all_that_fit(void **state)
{
    uint64_t random = 3;
    (void)state;
    for (int round = 0; round < 2000; round++)
        for (int side = 0; side < 4; side++) {
            sample s;
            cairn_thresholds t;
            draw(&s, 1, &random, 2);
            cairn_thresholds_find(&t, &s.points, 0, (cairn_side)side);
            for (double m = -1; m <= 9; m += 0.25) {
                bool fits = true;
                for (size_t i = 0; i < s.points.n; i++)
                    fits &= says((cairn_side)side, s.x[i], m) == s.positive[i];
                bool inside = !t.empty && (t.low_open ? m > t.low : m >= t.low) &&
                              (t.high_open ? m < t.high : m <= t.high);
                assert_int_equal(fits, inside);
            }
        }
}

/* Whether the open box is free of negatives and holds the tightest one. */
static bool fits(const cairn_labelled *points, const double *tightest, const double *box)
{
    for (size_t i = 0; i < points->n; i++)
        if (!points->positive[i] && cairn_box_holds(box, 2, points->x + 2 * i, false)) return false;
    for (size_t j = 0; j < 2; j++)
        if (!(box[2 * j] < tightest[2 * j] && box[2 * j + 1] > tightest[2 * j + 1])) return false;
    return true;
}

/* The k-th candidate side of a column: a coordinate, or infinity. */
static double side_of(const cairn_labelled *points, size_t column, size_t k, bool high)
{
    if (k == points->n) return high ? INFINITY : -INFINITY;
    return points->x[2 * k + column];
}

static void check_boxes(cairn_context *ctx, const cairn_labelled *points, const double *tightest)
{
    cairn_boxes largest = {0};
    size_t n = points->n + 1;
    assert_ok(ctx, cairn_boxes_largest(ctx, &largest, points, tightest, 20000));
    for (size_t g = 0; g < largest.n; g++) {
        assert_true(fits(points, tightest, largest.sides + 4 * g));
        for (size_t h = 0; h < largest.n; h++)
            if (h != g)
                assert_false(cairn_box_within(largest.sides + 4 * g, largest.sides + 4 * h, 2));
    }
    for (size_t c = 0; c < n * n * n * n; c++) {
        double box[4] = {side_of(points, 0, c % n, false), side_of(points, 0, c / n % n, true),
                         side_of(points, 1, c / n / n % n, false),
                         side_of(points, 1, c / n / n / n, true)};
        bool within = false;
        if (!fits(points, tightest, box)) continue;
        for (size_t g = 0; g < largest.n; g++)
            within |= cairn_box_within(box, largest.sides + 4 * g, 2);
        assert_true(within);
    }
    cairn_boxes_clear(&largest);
}

static void test_boxes__every_box_that_fits_lies_in_a_largest_one(void **state)
{
    cairn_context *ctx = *state;
    uint64_t random = 11;
    size_t checked = 0;
    for (int round = 0; round < 300; round++) {
        sample s;
        double tightest[4];
        bool possible;
        draw(&s, 2, &random, 3);
        possible = cairn_box_tightest(tightest, &s.points);
        for (size_t i = 0; i < s.points.n && possible; i++)
            if (!s.positive[i] && cairn_box_holds(tightest, 2, s.x + 2 * i, true)) {
                size_t blamed = cairn_box_blame(&s.points, i);
                assert_true(blamed < s.points.n && s.positive[blamed]);
                possible = false;
            }
        if (!possible) continue;
        checked++;
        check_boxes(ctx, &s.points, tightest);
    }
    assert_true(checked > 50);
}

/* 1 inside, 0 outside, -1 on the border up to rounding. */
static int admissible(const cairn_labelled *points, double x, double y)
{
    double low, high;
    cairn_disc_radii(points, x, y, &low, &high);
    return fabs(low - high) < 1e-9 ? -1 : low < high;
}

static bool in_polygon(const cairn_centres *c, double x, double y)
{
    for (size_t i = 0; i < c->n; i++) {
        size_t k = (i + 1) % c->n;
        double turn = (c->x[k] - c->x[i]) * (y - c->y[i]) - (c->y[k] - c->y[i]) * (x - c->x[i]);
        if (turn < 0) return false;
    }
    return true;
}

/* The centres of 400 samples, each looked at by `check`, which says whether the sample counts. */
static size_t check_centres(cairn_context *ctx, uint64_t random, unsigned share,
                            bool (*check)(cairn_context *, const cairn_labelled *,
                                          const cairn_centres *))
{
    size_t counted = 0;
    for (int round = 0; round < 400; round++) {
        sample s;
        cairn_centres centres;
        cairn_scratch_mark mark = cairn_scratch_now(ctx);
        draw(&s, 2, &random, share);
        assert_ok(ctx, cairn_centres_find(ctx, &centres, &s.points, 5000));
        counted += check(ctx, &s.points, &centres);
        cairn_scratch_release(ctx, mark);
    }
    return counted;
}

static bool check_region(cairn_context *ctx, const cairn_labelled *points, const cairn_centres *c)
{
    (void)ctx;
    for (double x = -3.05; x < 11; x += 0.37)
        for (double y = -3.1; y < 11; y += 0.41) {
            int good = admissible(points, x, y);
            if (good < 0) continue;
            if (c->empty)
                assert_false(good);
            else if (!c->unbounded)
                assert_int_equal(good, in_polygon(c, x, y));
        }
    return !c->empty && !c->unbounded;
}

static void test_discs__centres_are_those_nearer_to_the_positives(void **state)
{
    assert_true(check_centres(*state, 5, 3, check_region) > 5);
}

/* The rows before the later one of the blamed pair leave a disc, with it none is left. */
static bool check_blame(cairn_context *ctx, const cairn_labelled *points, const cairn_centres *c)
{
    cairn_centres before;
    if (!c->empty) return false;
    size_t later = c->positive > c->negative ? c->positive : c->negative;
    cairn_labelled some = *points;
    assert_true(points->positive[c->positive] && !points->positive[c->negative]);
    some.n = later;
    assert_ok(ctx, cairn_centres_find(ctx, &before, &some, 5000));
    assert_false(before.empty);
    some.n = later + 1;
    assert_ok(ctx, cairn_centres_find(ctx, &before, &some, 5000));
    assert_true(before.empty);
    return true;
}

static void test_discs__empty_regions_name_a_pair(void **state)
{
    assert_true(check_centres(*state, 21, 2, check_blame) > 50);
}

/* Points on two rings: a region of as many corners as there are points. */
static void test_shapes__sizes_are_limited(void **state)
{
    enum { N = 400 };
    static double x[2 * N];
    static uint8_t positive[N];
    cairn_context *ctx = *state;
    cairn_centres centres;
    cairn_boxes boxes = {0};
    cairn_labelled points = {x, N, 2, positive};
    for (size_t i = 0; i < N; i++) {
        double angle = 6.283185307179586 * (double)(i / 2) / (N / 2.0);
        positive[i] = i % 2;
        x[2 * i] = 1e9 + (positive[i] ? 1e-3 : 1.5e-3) * cos(angle);
        x[2 * i + 1] = -1e9 + (positive[i] ? 1e-3 : 1.5e-3) * sin(angle);
    }
    assert_fails(ctx, cairn_centres_find(ctx, &centres, &points, 3), CAIRN_NO_SOLUTION,
                 "more than 3 corners");
    assert_ok(ctx, cairn_centres_find(ctx, &centres, &points, 5000));
    assert_false(centres.empty || centres.unbounded);
    for (size_t i = 0; i < N; i++) { /* a stair of negatives */
        positive[i] = 0;
        x[2 * i] = 1 + (double)i;
        x[2 * i + 1] = (double)(N - i);
    }
    double tightest[4] = {0, 0.5, 0, 0.5};
    assert_fails(ctx, cairn_boxes_largest(ctx, &boxes, &points, tightest, 100), CAIRN_NO_SOLUTION,
                 "101 largest boxes after 100 of 400");
    cairn_boxes_clear(&boxes);
    boxes = (cairn_boxes){0};
    assert_ok(ctx, cairn_boxes_largest(ctx, &boxes, &points, tightest, 1000));
    assert_int_equal(boxes.n, N + 1);
    cairn_boxes_clear(&boxes);
}

static void test_discs__smallest_holds_all_and_has_a_border(void **state)
{
    cairn_context *ctx = *state;
    uint64_t random = 9;
    for (int round = 0; round < 500; round++) {
        sample s;
        cairn_disc disc;
        double best = INFINITY;
        draw(&s, 2, &random, 1);
        assert_ok(ctx, cairn_disc_smallest(ctx, &disc, &s.points));
        double low, high;
        cairn_disc_radii(&s.points, disc.x, disc.y, &low, &high);
        assert_true(fabs(low - disc.radius) < 1e-9);
        for (double x = 0; x <= 7; x += 0.1)
            for (double y = 0; y <= 7; y += 0.1) {
                cairn_disc_radii(&s.points, x, y, &low, &high);
                if (low < best) best = low;
            }
        assert_true(disc.radius <= best + 1e-9 && disc.radius > best - 0.1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_thresholds__are_all_that_fit),
        context_test(test_boxes__every_box_that_fits_lies_in_a_largest_one),
        context_test(test_discs__centres_are_those_nearer_to_the_positives),
        context_test(test_discs__empty_regions_name_a_pair),
        context_test(test_shapes__sizes_are_limited),
        context_test(test_discs__smallest_holds_all_and_has_a_border),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
