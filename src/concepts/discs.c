/* SPDX-License-Identifier: MIT */
/* Discs of the plane.
 *
 * A centre is admissible when it is nearer to every positive point p than to any negative point n:
 * a half-plane for each pair. Their intersection is found by cutting a very large square with one
 * after the other; each side remembers its line, and corners are computed from the two lines that
 * meet there, so that the square leaves no trace of rounding. The smallest disc grows point by
 * point: a point outside lies on the border of the new one. */
#include "concepts/shapes.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

/* The points with a x + b y < c. */
typedef struct half_plane {
    double a, b, c;
    bool frame; /* a side of the square that stands for infinity */
} half_plane;

typedef struct polygon {
    half_plane *sides; /* side i goes from corner i to corner i + 1 */
    double *x, *y;
    size_t n, room;
} polygon;

static void meet(const half_plane *p, const half_plane *q, double *x, double *y)
{
    double det = p->a * q->b - q->a * p->b;
    *x = (p->c * q->b - q->c * p->b) / det;
    *y = (p->a * q->c - q->a * p->c) / det;
}

/* Lines that meet in one point leave sides without length; a polygon of two corners is nothing. */
static void drop_void(polygon *p)
{
    size_t kept = 0;
    double first_x = p->n ? p->x[0] : 0, first_y = p->n ? p->y[0] : 0;
    for (size_t i = 0; i < p->n; i++) {
        double next_x = i + 1 < p->n ? p->x[i + 1] : first_x;
        double next_y = i + 1 < p->n ? p->y[i + 1] : first_y;
        double size = 1 + fabs(p->x[i]) + fabs(p->y[i]);
        if (hypot(next_x - p->x[i], next_y - p->y[i]) <= 1e-11 * size) continue;
        p->x[kept] = p->x[i];
        p->y[kept] = p->y[i];
        p->sides[kept++] = p->sides[i];
    }
    p->n = kept < 3 ? 0 : kept;
}

/* Keep the part of the polygon in the half-plane; `work` has room for one more corner. Corners that
 * lie on the line, up to rounding, count as outside: the region is open. */
static void cut(polygon *p, polygon *work, const half_plane *h)
{
    double scale = fabs(h->a) + fabs(h->b);
    size_t n = 0;
    for (size_t i = 0; i < p->n; i++) {
        size_t next = (i + 1) % p->n;
        double here = h->a * p->x[i] + h->b * p->y[i] - h->c;
        double there = h->a * p->x[next] + h->b * p->y[next] - h->c;
        double tiny = 1e-12 * (scale * (1 + fabs(p->x[i]) + fabs(p->y[i])) + fabs(h->c));
        double tiny_there =
            1e-12 * (scale * (1 + fabs(p->x[next]) + fabs(p->y[next])) + fabs(h->c));
        bool in = here < -tiny, next_in = there < -tiny_there;
        if (in) {
            work->x[n] = p->x[i];
            work->y[n] = p->y[i];
            work->sides[n++] = p->sides[i];
        }
        if (in == next_in) continue;
        meet(&p->sides[i], h, &work->x[n], &work->y[n]);
        work->sides[n++] = in ? *h : p->sides[i];
    }
    work->n = n;
    drop_void(work);
}

static cairn_status new_polygon(cairn_context *ctx, polygon *out, size_t room)
{
    cairn_status status;
    TRY(SCRATCH(ctx, &out->sides, room));
    TRY(SCRATCH(ctx, &out->x, room));
    TRY(SCRATCH(ctx, &out->y, room));
    out->room = room;
done:
    return status;
}

/* A square around the points that is large enough to stand for the plane. */
static void start_square(polygon *p, const cairn_labelled *points)
{
    double size = 1;
    for (size_t i = 0; i < 2 * points->n; i++)
        if (fabs(points->x[i]) > size) size = fabs(points->x[i]);
    size *= 1e6;
    p->n = 4;
    for (size_t i = 0; i < 4; i++) {
        static const double corner[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
        static const double side[4][2] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};
        p->x[i] = corner[i][0] * size;
        p->y[i] = corner[i][1] * size;
        p->sides[i] = (half_plane){side[i][0], side[i][1], size, true};
    }
}

/* Corners between two real sides, the lowest first. */
static cairn_status keep_corners(cairn_context *ctx, cairn_centres *out, const polygon *p)
{
    cairn_status status;
    size_t first = 0;
    TRY(SCRATCH(ctx, &out->x, p->n));
    TRY(SCRATCH(ctx, &out->y, p->n));
    for (size_t i = 0; i < p->n; i++) {
        out->unbounded |= p->sides[i].frame;
        if (p->y[i] < p->y[first] || (p->y[i] == p->y[first] && p->x[i] < p->x[first])) first = i;
    }
    for (size_t k = 0; k < p->n; k++) {
        size_t i = (first + k) % p->n, before = (i + p->n - 1) % p->n;
        if (p->sides[i].frame || p->sides[before].frame) continue;
        out->x[out->n] = p->x[i];
        out->y[out->n++] = p->y[i];
    }
done:
    return status;
}

cairn_status cairn_centres_find(cairn_context *ctx, cairn_centres *out,
                                const cairn_labelled *points)
{
    cairn_status status;
    polygon now = {0}, next = {0};
    const double *x = points->x;
    *out = (cairn_centres){.positive = SIZE_MAX, .negative = SIZE_MAX};
    TRY(new_polygon(ctx, &now, 64));
    TRY(new_polygon(ctx, &next, 64));
    start_square(&now, points);
    for (size_t i = 0; i < points->n; i++) {
        if (!points->positive[i]) continue;
        TRY(cairn_tick(ctx, "positive points", (double)i, (double)points->n));
        for (size_t k = 0; k < points->n; k++) {
            if (points->positive[k]) continue;
            const double *p = x + 2 * i, *n = x + 2 * k;
            half_plane h = {2 * (n[0] - p[0]), 2 * (n[1] - p[1]),
                            n[0] * n[0] + n[1] * n[1] - p[0] * p[0] - p[1] * p[1], false};
            if (now.n + 1 > next.room) {
                polygon larger = {0};
                TRY(new_polygon(ctx, &next, 2 * now.room));
                TRY(new_polygon(ctx, &larger, 2 * now.room));
                memcpy(larger.sides, now.sides, now.n * sizeof *now.sides);
                memcpy(larger.x, now.x, now.n * sizeof *now.x);
                memcpy(larger.y, now.y, now.n * sizeof *now.y);
                larger.n = now.n;
                now = larger;
            }
            cut(&now, &next, &h);
            polygon swap = now;
            now = next;
            next = swap;
            if (now.n) continue;
            out->empty = true;
            out->positive = i;
            out->negative = k;
            return CAIRN_OK;
        }
    }
    TRY(keep_corners(ctx, out, &now));
done:
    return status;
}

/* -- the smallest disc -- */

static bool outside(const cairn_disc *disc, const double *p)
{
    return hypot(p[0] - disc->x, p[1] - disc->y) > disc->radius * (1 + 1e-12) + 1e-300;
}

static cairn_disc through_two(const double *p, const double *q)
{
    cairn_disc disc = {(p[0] + q[0]) / 2, (p[1] + q[1]) / 2, 0};
    disc.radius = hypot(p[0] - disc.x, p[1] - disc.y);
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
    return (cairn_disc){p[0] + x, p[1] + y, hypot(x, y)};
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
    cairn_status status;
    double *positive;
    size_t n = 0;
    TRY(SCRATCH(ctx, &positive, 2 * points->n));
    for (size_t i = 0; i < points->n; i++) {
        if (!points->positive[i]) continue;
        positive[2 * n] = points->x[2 * i];
        positive[2 * n++ + 1] = points->x[2 * i + 1];
    }
    *out = (cairn_disc){NAN, NAN, NAN};
    if (n) *out = (cairn_disc){positive[0], positive[1], 0};
    for (size_t i = 1; i < n; i++)
        if (outside(out, positive + 2 * i)) *out = with_border(positive, i, positive + 2 * i, NULL);
done:
    return status;
}

void cairn_disc_radii(const cairn_labelled *points, double x, double y, double *low, double *high)
{
    *low = 0;
    *high = INFINITY;
    for (size_t i = 0; i < points->n; i++) {
        double distance = hypot(points->x[2 * i] - x, points->x[2 * i + 1] - y);
        if (points->positive[i] && distance > *low) *low = distance;
        if (!points->positive[i] && distance < *high) *high = distance;
    }
}
