/* SPDX-License-Identifier: MIT */
/* Boxes with sides along the axes.
 *
 * The largest boxes come from all of space by cutting: a box with a negative point inside is
 * replaced by the parts that have the point on a side and still hold the tightest box, and what
 * lies in another box is dropped. */
#include "concepts/shapes.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

/* Keeping the largest of n boxes takes n² comparisons. */
enum { MOST_BOXES = 20000 };

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
    cairn_status status;
    TRY(GROW(ctx, &boxes->sides, &boxes->capacity, (boxes->n + 1) * boxes->width));
    memcpy(box_at(boxes, boxes->n++), box, boxes->width * sizeof *box);
done:
    return status;
}

static void keep_largest(cairn_boxes *boxes, size_t d)
{
    size_t kept = 0;
    for (size_t i = 0; i < boxes->n; i++) {
        const double *a = box_at(boxes, i);
        bool wanted = true;
        for (size_t k = 0; k < kept && wanted; k++)
            wanted = !cairn_box_within(a, box_at(boxes, k), d);
        for (size_t k = i + 1; k < boxes->n && wanted; k++)
            wanted = !cairn_box_within(a, box_at(boxes, k), d) ||
                     cairn_box_within(box_at(boxes, k), a, d);
        if (wanted) memmove(box_at(boxes, kept++), a, boxes->width * sizeof *a);
    }
    boxes->n = kept;
}

/* The parts of a box beside the point x that hold the tightest box. */
static cairn_status add_parts(cairn_context *ctx, cairn_boxes *out, const double *box,
                              const double *tightest, const double *x, size_t d, double *work)
{
    cairn_status status = CAIRN_OK;
    memcpy(work, box, 2 * d * sizeof *work);
    for (size_t j = 0; j < d; j++) {
        if (!tightest || x[j] < tightest[2 * j]) {
            work[2 * j] = x[j];
            TRY(add_box(ctx, out, work));
            work[2 * j] = box[2 * j];
        }
        if (!tightest || x[j] > tightest[2 * j + 1]) {
            work[2 * j + 1] = x[j];
            TRY(add_box(ctx, out, work));
            work[2 * j + 1] = box[2 * j + 1];
        }
    }
done:
    return status;
}

/* Cut the point out of all boxes. */
static cairn_status cut_out(cairn_context *ctx, cairn_boxes *boxes, const double *tightest,
                            const double *x, size_t d, double *work)
{
    cairn_status status = CAIRN_OK;
    cairn_boxes next = {.width = boxes->width};
    bool changed = false;
    for (size_t i = 0; i < boxes->n && !changed; i++)
        changed = cairn_box_holds(box_at(boxes, i), d, x, false);
    if (!changed) return CAIRN_OK;
    for (size_t i = 0; i < boxes->n; i++) {
        if (cairn_box_holds(box_at(boxes, i), d, x, false))
            TRY(add_parts(ctx, &next, box_at(boxes, i), tightest, x, d, work));
        else
            TRY(add_box(ctx, &next, box_at(boxes, i)));
    }
    if (next.n > MOST_BOXES)
        TRY(cairn_fail(ctx, CAIRN_NO_SOLUTION,
                       "there are more than %d largest boxes, too many to compare with each other; "
                       "use fewer columns or fewer negative points",
                       MOST_BOXES));
    keep_largest(&next, d);
    cairn_boxes_clear(boxes);
    *boxes = next;
    next = (cairn_boxes){0};
done:
    cairn_boxes_clear(&next);
    return status;
}

cairn_status cairn_boxes_largest(cairn_context *ctx, cairn_boxes *out, const cairn_labelled *points,
                                 const double *tightest)
{
    cairn_status status;
    double *work;
    out->width = 2 * points->d;
    TRY(SCRATCH(ctx, &work, out->width));
    for (size_t j = 0; j < points->d; j++) {
        work[2 * j] = -INFINITY;
        work[2 * j + 1] = INFINITY;
    }
    TRY(add_box(ctx, out, work));
    for (size_t i = 0; i < points->n; i++) {
        TRY(cairn_tick(ctx, "negative points", (double)i, (double)points->n));
        if (!points->positive[i])
            TRY(cut_out(ctx, out, tightest, points->x + i * points->d, points->d, work));
    }
done:
    return status;
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
