/* SPDX-License-Identifier: MIT */
/* Discs of the plane.
 *
 * A centre is admissible when it is nearer to every positive point p than to any negative point n:
 * a half-plane for each pair. Of all these pairs few matter, and they are found as they are needed:
 * a very large square is cut by the half-plane of the farthest positive and the nearest negative
 * point of a corner, as long as a corner lies outside. How far a place lies outside the worst
 * half-plane is a convex function, so a polygon whose corners are inside is inside. Each side
 * remembers its line, and corners are computed from the two lines that meet there, so that the
 * square leaves no trace of rounding.
 *
 * The farthest positive point is a corner of their convex hull, and so are those on the smallest
 * disc, which grows point by point in a random order: a point outside lies on the border of the new
 * one. */
#include "concepts/shapes.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The points with a x + b y < c. */
typedef struct half_plane {
    double a, b, c;
    bool frame; /* a side of the square that stands for infinity */
} half_plane;

typedef struct polygon {
    half_plane *sides; /* side i goes from corner i to corner i + 1 */
    double *x, *y;
    bool *inside; /* corners that are known to be admissible, or limits of such */
    size_t n, buffer;
} polygon;

static void meet(const half_plane *p, const half_plane *q, double *x, double *y)
{
    double det = p->a * q->b - q->a * p->b;
    *x = (p->c * q->b - q->c * p->b) / det;
    *y = (p->a * q->c - q->a * p->c) / det;
}

/* What rounding may do to places and lines. A corner may lie outside of a side that was dropped
 * because it had no length, so it is not cut again by what is about as small. */
#define ROUNDING  1e-12
#define NO_LENGTH 1e-11
#define CUT_AGAIN 1e-10

/* How far a place lies outside, 0 when it is on the line up to the tolerance. */
static double beyond(const half_plane *h, double x, double y, double tolerance)
{
    double scale = fabs(h->a) + fabs(h->b);
    double tiny = tolerance * (scale * (1 + fabs(x) + fabs(y)) + fabs(h->c));
    double found = h->a * x + h->b * y - h->c;
    return fabs(found) <= tiny ? 0 : found;
}

/* Keep the part of the polygon in the half-plane; `work` has room for one more corner. Corners that
 * lie on the line, up to rounding, count as outside: the region is open. */
static void cut(polygon *p, polygon *work, const half_plane *h)
{
    size_t n = 0;
    for (size_t i = 0; i < p->n; i++) {
        size_t next = (i + 1) % p->n;
        bool in = beyond(h, p->x[i], p->y[i], ROUNDING) < 0;
        bool next_in = beyond(h, p->x[next], p->y[next], ROUNDING) < 0;
        if (in) {
            work->x[n] = p->x[i];
            work->y[n] = p->y[i];
            work->inside[n] = p->inside[i];
            work->sides[n++] = p->sides[i];
        }
        if (in == next_in) continue;
        meet(&p->sides[i], h, &work->x[n], &work->y[n]);
        work->inside[n] = false;
        work->sides[n++] = in ? *h : p->sides[i];
    }
    work->n = n;
    /* Lines that meet in one point leave sides without length; a polygon of two corners is
     * nothing. */
    size_t kept = 0;
    double first_x = work->n ? work->x[0] : 0, first_y = work->n ? work->y[0] : 0;
    for (size_t i = 0; i < work->n; i++) {
        double next_x = i + 1 < work->n ? work->x[i + 1] : first_x;
        double next_y = i + 1 < work->n ? work->y[i + 1] : first_y;
        double size = 1 + fabs(work->x[i]) + fabs(work->y[i]);
        if (cairn_hypot(next_x - work->x[i], next_y - work->y[i]) <= NO_LENGTH * size) continue;
        work->x[kept] = work->x[i];
        work->y[kept] = work->y[i];
        work->inside[kept] = work->inside[i];
        work->sides[kept++] = work->sides[i];
    }
    work->n = kept < 3 ? 0 : kept;
}

static void clear_polygon(polygon *p)
{
    FREE_EACH(p->sides, p->x, p->y, p->inside);
    *p = (polygon){0};
}

static cairn_status make_buffer(cairn_context *ctx, polygon *p, size_t buffer)
{
    if (p->x && p->y && buffer <= p->buffer) return CAIRN_OK;
    CHECK(RESIZE(ctx, &p->sides, 2 * buffer));
    CHECK(RESIZE(ctx, &p->x, 2 * buffer));
    CHECK(RESIZE(ctx, &p->y, 2 * buffer));
    CHECK(RESIZE(ctx, &p->inside, 2 * buffer));
    p->buffer = 2 * buffer;
    return CAIRN_OK;
}

/* -- points -- */

/* The points around their middle: the corners of the positives' hull, and all negatives. */
typedef struct cloud {
    double *positive, *negative; /* x, y of each */
    size_t *positive_row, *negative_row;
    size_t n_positive, n_negative;
    size_t rows_positive; /* of the hull and within */
    size_t limit;         /* most corners of a region */
} cloud;

typedef struct dot {
    double x, y;
    size_t row;
} dot;

static int by_place(const void *a, const void *b)
{
    const dot *p = a, *q = b;
    if (p->x != q->x) return p->x < q->x ? -1 : 1;
    if (p->y != q->y) return p->y < q->y ? -1 : 1;
    return (p->row > q->row) - (p->row < q->row);
}

/* Whether c lies on the left of the way from a to b, or on it. */
static bool turns_right(const dot *a, const dot *b, const dot *c)
{
    return (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x) <= 0;
}

/* The corners of the convex hull of the dots, which are sorted; returns their number. */
static size_t find_hull(dot *out, dot *dots, size_t n)
{
    size_t kept = 0;
    if (n) qsort(dots, n, sizeof *dots, by_place);
    for (int side = 0; side < 2; side++) { /* below from left to right, above back */
        size_t begin = kept;
        for (size_t k = 0; k < n; k++) {
            const dot *d = &dots[side ? n - 1 - k : k];
            while (kept >= begin + 2 && turns_right(&out[kept - 2], &out[kept - 1], d)) kept--;
            out[kept++] = *d;
        }
        if (n > 1) kept--; /* it begins the other side */
    }
    return n < 2 ? n : kept;
}

/* The points are moved to the middle and scaled to about 1, by a power of 2 so that nothing is
 * rounded. */
typedef struct frame {
    double x, y, scale;
} frame;

static frame frame_of(const cairn_labelled *points)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (size_t i = 0; i < 2 * points->n; i++) {
        low[i % 2] = fmin(low[i % 2], points->x[i]);
        high[i % 2] = fmax(high[i % 2], points->x[i]);
    }
    if (!points->n) return (frame){0, 0, 1};
    double half = fmax(high[0] / 2 - low[0] / 2, high[1] / 2 - low[1] / 2);
    return (frame){low[0] / 2 + high[0] / 2, low[1] / 2 + high[1] / 2,
                   half > 0 ? cairn_exp2(ceil(cairn_log2(half))) : 1};
}

static dot place_in(const frame *f, const cairn_labelled *points, size_t i)
{
    return (dot){(points->x[2 * i] - f->x) / f->scale, (points->x[2 * i + 1] - f->y) / f->scale, i};
}

/* The first `n` points. Scratch. */
static cairn_status make_cloud(cairn_context *ctx, cloud *out, const cairn_labelled *points,
                               size_t n, const frame *f, size_t limit)
{
    dot *dots, *hull;
    size_t n_dots = 0;
    *out = (cloud){.limit = limit};
    CHECK(SCRATCH_RAW(ctx, &dots, n));
    CHECK(SCRATCH_RAW(ctx, &hull, 2 * n + 2));
    CHECK(SCRATCH_RAW(ctx, &out->negative, 2 * n));
    CHECK(SCRATCH_RAW(ctx, &out->negative_row, n));
    for (size_t i = 0; i < n; i++) {
        dot d = place_in(f, points, i);
        if (points->positive[i]) {
            dots[n_dots++] = d;
            continue;
        }
        out->negative[2 * out->n_negative] = d.x;
        out->negative[2 * out->n_negative + 1] = d.y;
        out->negative_row[out->n_negative++] = i;
    }
    out->rows_positive = n_dots;
    out->n_positive = find_hull(hull, dots, n_dots);
    CHECK(SCRATCH_RAW(ctx, &out->positive, 2 * out->n_positive));
    CHECK(SCRATCH_RAW(ctx, &out->positive_row, out->n_positive));
    for (size_t i = 0; i < out->n_positive; i++) {
        out->positive[2 * i] = hull[i].x;
        out->positive[2 * i + 1] = hull[i].y;
        out->positive_row[i] = hull[i].row;
    }
    return CAIRN_OK;
}

/* The point with the largest |p|² - 2 v p (sign 1) or the smallest (sign -1), which is the farthest
 * or nearest one of v. */
static size_t extreme(const double *p, size_t n, double x, double y, double sign)
{
    size_t best = 0;
    double most = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        double a = p[2 * i], b = p[2 * i + 1];
        double now = sign * (a * (a - 2 * x) + b * (b - 2 * y));
        if (now > most) {
            most = now;
            best = i;
        }
    }
    return best;
}

/* -- cutting -- */

typedef struct pair {
    size_t positive, negative;
} pair;

/* The half-plane that a place lies outside of most, and the pair it belongs to. */
static half_plane worst(const cloud *c, double x, double y, pair *out)
{
    size_t i = extreme(c->positive, c->n_positive, x, y, 1);
    size_t k = extreme(c->negative, c->n_negative, x, y, -1);
    const double *p = c->positive + 2 * i, *n = c->negative + 2 * k;
    *out = (pair){c->positive_row[i], c->negative_row[k]};
    return (half_plane){2 * (n[0] - p[0]), 2 * (n[1] - p[1]),
                        (n[0] - p[0]) * (n[0] + p[0]) + (n[1] - p[1]) * (n[1] + p[1]), false};
}

/* Cut until every corner is admissible or nothing is left; `last` is the pair of the last cut. */
static cairn_status cut_all(cairn_context *ctx, polygon *now, polygon *next, const cloud *c,
                            pair *last)
{
    double x = 0, y = 0;
    pair at = {0};
    if (!c->n_positive || !c->n_negative) return CAIRN_OK;
    for (size_t i = 0; i < now->n;) {
        if (now->inside[i]) {
            i++;
            continue;
        }
        CHECK(cairn_tick(ctx, NULL, 0, 0));
        half_plane h = worst(c, now->x[i], now->y[i], &at);
        if (beyond(&h, now->x[i], now->y[i], CUT_AGAIN) <= 0) {
            now->inside[i++] = true;
            continue;
        }
        CHECK(make_buffer(ctx, next, now->n + 1));
        cut(now, next, &h);
        polygon swap = *now;
        *now = *next;
        *next = swap;
        *last = at;
        if (now->n > c->limit)
            CHECK(
                cairn_fail(ctx, CAIRN_NO_SOLUTION,
                           "the region of the centres has more than %zu corners; use fewer of the "
                           "%zu positive and %zu negative rows, or allow more with {limit}",
                           c->limit, c->rows_positive, c->n_negative));
        i = 0;
    }
    for (size_t i = 0; i < now->n; i++) {
        x += now->x[i] / (double)now->n;
        y += now->y[i] / (double)now->n;
    }
    if (!now->n) return CAIRN_OK;
    half_plane h = worst(c, x, y, &at);
    if (beyond(&h, x, y, ROUNDING) < 0)
        return CAIRN_OK; /* a polygon without an inside is nothing */
    now->n = 0;
    *last = at;
    return CAIRN_OK;
}

/* A square around the points, which lie between -1 and 1, that is large enough to stand for the
 * plane. */
static cairn_status start_square(cairn_context *ctx, polygon *p)
{
    const double size = 1e6;
    CHECK(make_buffer(ctx, p, 64));
    p->n = 4;
    for (size_t i = 0; i < 4; i++) {
        static const double corner[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
        static const double side[4][2] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};
        p->x[i] = corner[i][0] * size;
        p->y[i] = corner[i][1] * size;
        p->inside[i] = false;
        p->sides[i] = (half_plane){side[i][0], side[i][1], size, true};
    }
    return CAIRN_OK;
}

/* Corners between two real sides, the lowest first. */
static cairn_status keep_corners(cairn_context *ctx, cairn_centres *out, const polygon *p,
                                 const frame *f)
{
    size_t first = 0;
    CHECK(SCRATCH_EACH(ctx, p->n, &out->x, &out->y));
    for (size_t i = 0; i < p->n; i++) {
        out->unbounded |= p->sides[i].frame;
        if (p->y[i] < p->y[first] || (p->y[i] == p->y[first] && p->x[i] < p->x[first])) first = i;
    }
    for (size_t k = 0; k < p->n; k++) {
        size_t i = (first + k) % p->n, before = (i + p->n - 1) % p->n;
        if (p->sides[i].frame || p->sides[before].frame) continue;
        out->x[out->n] = p->x[i] * f->scale + f->x;
        out->y[out->n++] = p->y[i] * f->scale + f->y;
    }
    return CAIRN_OK;
}

/* Of an empty region: the first row at which nothing is left, and the row of the other class that
 * it meets there. */
static cairn_status find_blame(cairn_context *ctx, cairn_centres *out, const cairn_labelled *points,
                               const frame *f, size_t limit)
{
    cairn_status status;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    polygon now = {0}, next = {0};
    pair last = {0};
    cloud c;
    size_t low = 0, high = points->n; /* something is left after low rows, nothing after high */
    while (high - low > 1) {
        size_t n = low + (high - low) / 2;
        TRY(start_square(ctx, &now));
        TRY(make_cloud(ctx, &c, points, n, f, limit));
        TRY(cut_all(ctx, &now, &next, &c, &last));
        cairn_scratch_release(ctx, mark);
        if (now.n)
            low = n;
        else
            high = n;
    }
    TRY(start_square(ctx, &now));
    TRY(make_cloud(ctx, &c, points, low, f, limit));
    TRY(cut_all(ctx, &now, &next, &c, &last));
    for (size_t i = 0; i < now.n; i++) now.inside[i] = false;
    dot blamed = place_in(f, points, low);
    double place[2] = {blamed.x, blamed.y};
    if (points->positive[low]) {
        c.positive = place;
        c.positive_row = &low;
        c.n_positive = 1;
    } else {
        c.negative = place;
        c.negative_row = &low;
        c.n_negative = 1;
    }
    TRY(cut_all(ctx, &now, &next, &c, &last));
    out->positive = last.positive;
    out->negative = last.negative;
done:
    cairn_scratch_release(ctx, mark);
    clear_polygon(&now);
    clear_polygon(&next);
    return status;
}

cairn_status cairn_centres_find(cairn_context *ctx, cairn_centres *out,
                                const cairn_labelled *points, size_t limit)
{
    SCOPED(clear_polygon) polygon next = {0};
    SCOPED(clear_polygon) polygon now = {0};
    pair last;
    cloud c;
    frame f = frame_of(points);
    *out = (cairn_centres){.positive = SIZE_MAX, .negative = SIZE_MAX};
    CHECK(start_square(ctx, &now));
    CHECK(make_cloud(ctx, &c, points, points->n, &f, limit));
    CHECK(cut_all(ctx, &now, &next, &c, &last));
    out->empty = !now.n;
    if (out->empty)
        CHECK(find_blame(ctx, out, points, &f, limit));
    else
        CHECK(keep_corners(ctx, out, &now, &f));
    return CAIRN_OK;
}

/* -- the smallest disc -- */

static bool outside(const cairn_disc *disc, const double *p)
{
    return cairn_hypot(p[0] - disc->x, p[1] - disc->y) > disc->radius * (1 + 1e-12) + 1e-300;
}

static cairn_disc through_two(const double *p, const double *q)
{
    cairn_disc disc = {(p[0] + q[0]) / 2, (p[1] + q[1]) / 2, 0};
    disc.radius = cairn_hypot(p[0] - disc.x, p[1] - disc.y);
    return disc;
}

/* Through three points; of three on a line the two that are farthest apart. */
static cairn_disc through_three(const double *p, const double *q, const double *r)
{
    double bx = q[0] - p[0], by = q[1] - p[1], cx = r[0] - p[0], cy = r[1] - p[1];
    double det = 2 * (bx * cy - by * cx), b = bx * bx + by * by, c = cx * cx + cy * cy;
    if (det == 0) {
        cairn_disc best = through_two(p, q), other = through_two(p, r), third = through_two(q, r);
        if (other.radius > best.radius) best = other;
        return third.radius > best.radius ? third : best;
    }
    double x = (cy * b - by * c) / det, y = (bx * c - cx * b) / det;
    return (cairn_disc){p[0] + x, p[1] + y, cairn_hypot(x, y)};
}

/* The smallest disc of the first n points with q (and r, may be NULL) on its border. */
static cairn_disc with_border(const double *points, size_t n, const double *q, const double *r)
{
    cairn_disc disc = r ? through_two(q, r) : (cairn_disc){q[0], q[1], 0};
    for (size_t i = 0; i < n; i++) {
        const double *p = points + 2 * i;
        if (!outside(&disc, p)) continue;
        disc = r ? through_three(p, q, r) : with_border(points, i, p, q);
    }
    return disc;
}

cairn_status cairn_disc_smallest(cairn_context *ctx, cairn_disc *out, const cairn_labelled *points)
{
    cloud c;
    cairn_random random;
    frame f = frame_of(points);
    size_t *order;
    double *p;
    CHECK(make_cloud(ctx, &c, points, points->n, &f, 0));
    CHECK(SCRATCH(ctx, &order, c.n_positive));
    CHECK(SCRATCH(ctx, &p, 2 * c.n_positive));
    for (size_t i = 0; i < c.n_positive; i++) order[i] = i;
    cairn_random_start(&random, 1, 0);
    cairn_random_shuffle(&random, order, c.n_positive);
    for (size_t i = 0; i < c.n_positive; i++)
        memcpy(p + 2 * i, c.positive + 2 * order[i], 2 * sizeof *p);
    *out = (cairn_disc){NAN, NAN, NAN};
    if (c.n_positive) *out = (cairn_disc){p[0], p[1], 0};
    for (size_t i = 1; i < c.n_positive; i++)
        if (outside(out, p + 2 * i)) *out = with_border(p, i, p + 2 * i, NULL);
    *out = (cairn_disc){out->x * f.scale + f.x, out->y * f.scale + f.y, out->radius * f.scale};
    return CAIRN_OK;
}

void cairn_disc_radii(const cairn_labelled *points, double x, double y, double *low, double *high)
{
    *low = 0;
    *high = INFINITY;
    for (size_t i = 0; i < points->n; i++) {
        double distance = cairn_hypot(points->x[2 * i] - x, points->x[2 * i + 1] - y);
        if (points->positive[i] && distance > *low) *low = distance;
        if (!points->positive[i] && distance < *high) *high = distance;
    }
}
