/* SPDX-License-Identifier: MIT */
/* Boxes with sides along the axes.
 *
 * The largest boxes come from all of space by cutting: a box with a negative point inside is
 * replaced by the parts that have the point on a side and still hold the tightest box, and what
 * lies in another box is dropped. Points near the tightest box come first, so that those behind
 * them cost one look at each box. */
#include "concepts/shapes.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void cairn_boxes_clear(cairn_boxes *boxes)
{
    cairn_free(boxes->sides);
    *boxes = (cairn_boxes){0};
}

static void widen(double *box, const double *x, size_t d)
{
    for (size_t j = 0; j < d; j++) {
        if (x[j] < box[2 * j]) box[2 * j] = x[j];
        if (x[j] > box[2 * j + 1]) box[2 * j + 1] = x[j];
    }
}

bool cairn_box_tightest(double *out, const cairn_labelled *points)
{
    bool any = false;
    for (size_t j = 0; j < points->d; j++) {
        out[2 * j] = INFINITY;
        out[2 * j + 1] = -INFINITY;
    }
    for (size_t i = 0; i < points->n; i++) {
        if (!points->positive[i]) continue;
        widen(out, points->x + i * points->d, points->d);
        any = true;
    }
    return any;
}

bool cairn_box_holds(const double *box, size_t d, const double *x, bool closed)
{
    for (size_t j = 0; j < d; j++) {
        double low = box[2 * j], high = box[2 * j + 1];
        if (closed ? x[j] < low || x[j] > high : x[j] <= low || x[j] >= high) return false;
    }
    return true;
}

bool cairn_box_within(const double *a, const double *b, size_t d)
{
    for (size_t j = 0; j < d; j++)
        if (a[2 * j] < b[2 * j] || a[2 * j + 1] > b[2 * j + 1]) return false;
    return true;
}

static double *box_at(const cairn_boxes *boxes, size_t i)
{
    return boxes->sides + i * boxes->width;
}

static cairn_status add_box(cairn_context *ctx, cairn_boxes *boxes, const double *box)
{
    CHECK(GROW(ctx, &boxes->sides, &boxes->capacity, (boxes->n + 1) * boxes->width));
    memcpy(box_at(boxes, boxes->n++), box, boxes->width * sizeof *box);
    return CAIRN_OK;
}

/* Cut the point out of all boxes; `parts` is room for work. */
static cairn_status cut_out(cairn_context *ctx, cairn_boxes *boxes, cairn_boxes *parts,
                            const double *tightest, const double *x, size_t d, double *work)
{
    size_t kept = 0;
    parts->n = 0;
    for (size_t i = 0; i < boxes->n; i++) {
        const double *box = box_at(boxes, i);
        if (cairn_box_holds(box, d, x, false)) {
            /* The parts of a box beside the point x that hold the tightest box. */
            memcpy(work, box, 2 * d * sizeof *work);
            for (size_t j = 0; j < d; j++) {
                if (!tightest || x[j] < tightest[2 * j]) {
                    work[2 * j] = x[j];
                    CHECK(add_box(ctx, parts, work));
                    work[2 * j] = box[2 * j];
                }
                if (!tightest || x[j] > tightest[2 * j + 1]) {
                    work[2 * j + 1] = x[j];
                    CHECK(add_box(ctx, parts, work));
                    work[2 * j + 1] = box[2 * j + 1];
                }
            }
        } else if (kept++ != i)
            memcpy(box_at(boxes, kept - 1), box, boxes->width * sizeof *box);
    }
    boxes->n = kept;
    if (parts->n) {
        /* Add the parts that lie in no other box. The boxes were largest before the cut, so none
         * of them lies in a part. */
        size_t untouched = boxes->n;
        for (size_t i = 0; i < parts->n; i++) {
            const double *part = box_at(parts, i);
            bool wanted = true;
            for (size_t k = 0; k < parts->n && wanted; k++) /* of equal parts the first stays */
                wanted = k == i || !cairn_box_within(part, box_at(parts, k), d) ||
                         (i < k && cairn_box_within(box_at(parts, k), part, d));
            for (size_t k = 0; k < untouched && wanted; k++)
                wanted = !cairn_box_within(part, box_at(boxes, k), d);
            if (wanted) CHECK(add_box(ctx, boxes, part));
        }
    }
    return CAIRN_OK;
}

typedef struct outsider {
    double distance;
    size_t row;
} outsider;

static int by_distance(const void *a, const void *b)
{
    const outsider *x = a, *y = b;
    if (x->distance != y->distance) return x->distance < y->distance ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* How far a point lies outside the tightest box, all columns together in units of their ranges. */
static double distance_from(const double *tightest, const double *range, const double *x, size_t d)
{
    double sum = 0;
    for (size_t j = 0; j < d; j++) {
        double low = tightest[2 * j] - x[j], high = x[j] - tightest[2 * j + 1];
        double out = low > 0 ? low : high > 0 ? high : 0;
        if (out > 0) sum += out / range[j];
    }
    return sum;
}

/* The negative points, those near the tightest box first: what lies behind another one, seen from
 * the box, then finds no box that holds it. */
static cairn_status order_negatives(cairn_context *ctx, outsider **out, size_t *n,
                                    const cairn_labelled *points, const double *tightest)
{
    size_t d = points->d;
    double *range;
    *n = 0;
    CHECK(SCRATCH(ctx, out, points->n));
    CHECK(SCRATCH(ctx, &range, d));
    for (size_t j = 0; j < d; j++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < points->n; i++) {
            low = fmin(low, points->x[i * d + j]);
            high = fmax(high, points->x[i * d + j]);
        }
        range[j] = high > low && isfinite(high - low) ? high - low : 1;
    }
    for (size_t i = 0; i < points->n; i++)
        if (!points->positive[i])
            (*out)[(*n)++] =
                (outsider){tightest ? distance_from(tightest, range, points->x + i * d, d) : 0, i};
    if (*n) qsort(*out, *n, sizeof **out, by_distance);
    return CAIRN_OK;
}

typedef struct placed {
    const double *sides;
    size_t width;
} placed;

static int by_sides(const void *a, const void *b)
{
    const placed *x = a, *y = b;
    for (size_t j = 0; j < x->width; j++)
        if (x->sides[j] != y->sides[j]) return x->sides[j] < y->sides[j] ? -1 : 1;
    return 0;
}

/* In the order of their sides, from the first column on. */
static cairn_status sort_boxes(cairn_context *ctx, cairn_boxes *boxes)
{
    placed *order;
    double *copy;
    size_t width = boxes->width;
    CHECK(SCRATCH(ctx, &order, boxes->n));
    CHECK(SCRATCH_RAW(ctx, &copy, boxes->n * width));
    for (size_t i = 0; i < boxes->n; i++) order[i] = (placed){box_at(boxes, i), width};
    if (boxes->n) qsort(order, boxes->n, sizeof *order, by_sides);
    for (size_t i = 0; i < boxes->n; i++)
        memcpy(copy + i * width, order[i].sides, width * sizeof *copy);
    if (boxes->n) memcpy(boxes->sides, copy, boxes->n * width * sizeof *copy);
    return CAIRN_OK;
}

cairn_status cairn_boxes_largest(cairn_context *ctx, cairn_boxes *out, const cairn_labelled *points,
                                 const double *tightest, size_t limit)
{
    SCOPED(cairn_boxes_clear) cairn_boxes parts = {.width = 2 * points->d};
    outsider *order;
    double *work;
    size_t n;
    out->width = 2 * points->d;
    CHECK(SCRATCH(ctx, &work, out->width));
    CHECK(order_negatives(ctx, &order, &n, points, tightest));
    for (size_t j = 0; j < points->d; j++) {
        work[2 * j] = -INFINITY;
        work[2 * j + 1] = INFINITY;
    }
    CHECK(add_box(ctx, out, work));
    for (size_t i = 0; i < n; i++) {
        CHECK(cairn_tick(ctx, "negative points", (double)i, (double)n));
        CHECK(cut_out(ctx, out, &parts, tightest, points->x + order[i].row * points->d, points->d,
                      work));
        if (out->n > limit)
            CHECK(cairn_fail(ctx, CAIRN_NO_SOLUTION,
                             "%zu largest boxes after %zu of %zu negative points are more than the "
                             "limit of %zu; use fewer columns or rows, or allow more with {limit}",
                             out->n, i + 1, n, limit));
    }
    return sort_boxes(ctx, out);
}

size_t cairn_box_blame(const cairn_labelled *points, size_t negative)
{
    const double *x = points->x + negative * points->d;
    size_t blamed = 0;
    for (size_t j = 0; j < points->d; j++) { /* the column whose sides reach the point last */
        bool below = false, above = false;
        size_t i = 0;
        for (; i < points->n && !(below && above); i++) {
            if (!points->positive[i]) continue;
            below |= points->x[i * points->d + j] <= x[j];
            above |= points->x[i * points->d + j] >= x[j];
        }
        if (!(below && above)) return SIZE_MAX;
        if (i - 1 > blamed) blamed = i - 1;
    }
    return blamed;
}
