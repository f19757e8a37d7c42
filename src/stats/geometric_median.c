/* SPDX-License-Identifier: MIT */
/* Weiszfeld's iteration: the mean of the rows, each weighted by 1 / its distance. A row on which a
 * place falls has no such weight: it holds the place back with its own weight against the pull of
 * the others, and where the pull is not stronger, the row is the median.
 *
 * The steps shrink by a constant factor, slowly when the median is a row; so the row next to the
 * place is asked, too, whether it is the median. Where the rows are nearly in a line, as with
 * columns
 * of very different scales, they hardly move at all: then Newton's steps take over, with the length
 * at which the sum of distances is least.
 *
 * Sources: Weiszfeld, Sur le point pour lequel la somme des distances de n points donnés est
 * minimum (1937); Vardi and Zhang, The multivariate L1-median and associated data depth (2000). */
#include "stats/geometric_median.h"
#include "base/memory.h"
#include "kernels/kernels.h"
#include "decompose/linalg.h"
#include <math.h>
#include <string.h>

enum {
    MOST_STEPS = 20000,
    ASK_ROW = 32,
    CRAWLS = 500,    /* steps of Weiszfeld after which it is Newton's turn */
    MOST_WIDTH = 128 /* columns up to which there is one */
};
static const double least_step = 1e-13, next_to = 1e-6; /* of the spread */

typedef struct pull {
    double *towards; /* width: Σ w x / d */
    double *force;   /* width: Σ w (x - place) / d */
    double sum;      /* Σ w / d */
    double own;      /* weight of the rows that are the place */
} pull;

static double weight_of(const double *weights, size_t i)
{
    return weights ? weights[i] : 1;
}

void cairn_mean_place(double *out, const double *rows, const double *weights, size_t n,
                      size_t width)
{
    double total = 0;
    memset(out, 0, width * sizeof *out);
    for (size_t i = 0; i < n; i++) {
        double w = weight_of(weights, i);
        total += w;
        for (size_t t = 0; total > 0 && t < width; t++)
            out[t] += w / total * (rows[i * width + t] - out[t]);
    }
}

double cairn_total_distance(const double *place, const double *rows, const double *weights,
                            size_t n, size_t width)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += weight_of(weights, i) * sqrt(cairn_squared_distance(rows + i * width, place, width));
    return sum;
}

/* What all rows do to a place. */
static void find_pull(pull *p, const double *place, const double *rows, const double *weights,
                      size_t n, size_t width)
{
    memset(p->towards, 0, width * sizeof *p->towards);
    memset(p->force, 0, width * sizeof *p->force);
    p->sum = p->own = 0;
    for (size_t i = 0; i < n; i++) {
        const double *x = rows + i * width;
        double d = sqrt(cairn_squared_distance(x, place, width)), w = weight_of(weights, i);
        if (!(d > 0)) {
            p->own += w;
            continue;
        }
        p->sum += w / d;
        for (size_t t = 0; t < width; t++) {
            p->towards[t] += w / d * x[t];
            p->force[t] += w / d * (x[t] - place[t]);
        }
    }
}

static double force_of(const pull *p, size_t width)
{
    return sqrt(cairn_dot(p->force, p->force, width));
}

/* The next place into `place`; returns how far it moved. */
static double step(double *place, const pull *p, size_t width)
{
    double force = force_of(p, width), moved = 0;
    double stays = !(force > 0) || !(p->sum > 0) ? 1 : fmin(1, p->own / force);
    for (size_t t = 0; stays < 1 && t < width; t++) {
        double to = (1 - stays) * p->towards[t] / p->sum + stays * place[t];
        moved += (to - place[t]) * (to - place[t]);
        place[t] = to;
    }
    return sqrt(moved);
}

/* -- Newton's step -- */

/* The slope of the sum of distances at place + t way, along the way. */
static double slope_at(double *buffer, double t, const double *place, const double *way,
                       const double *rows, const double *weights, size_t n, size_t width)
{
    double slope = 0;
    for (size_t j = 0; j < width; j++) buffer[j] = place[j] + t * way[j];
    for (size_t i = 0; i < n; i++) {
        const double *x = rows + i * width;
        double d = sqrt(cairn_squared_distance(x, buffer, width)), along = 0;
        for (size_t j = 0; j < width; j++) along += (buffer[j] - x[j]) * way[j];
        if (d > 0) slope += weight_of(weights, i) * along / d;
    }
    return slope;
}

/* Where the slope along the way, which rises, is 0: the interval is doubled, then halved. */
static double best_step(double *buffer, const double *place, const double *way, const double *rows,
                        const double *weights, size_t n, size_t width)
{
    double low = 0, high = 1;
    for (int i = 0; i < 60; i++, low = high, high *= 2)
        if (slope_at(buffer, high, place, way, rows, weights, n, width) >= 0) break;
    for (int i = 0; i < 60; i++) {
        double t = low + (high - low) / 2;
        bool falls = slope_at(buffer, t, place, way, rows, weights, n, width) < 0;
        *(falls ? &low : &high) = t;
    }
    return low + (high - low) / 2;
}

/* One step of Newton's with the best length; how far it went, or -1 where there is none. The steps
 * of Weiszfeld crawl where the rows are nearly in a line; these do not. */
static cairn_status newton(cairn_context *ctx, double *place, const pull *p, const double *rows,
                           const double *weights, size_t n, size_t width, double *moved)
{
    SCOPED_SCRATCH(ctx);
    double *a, *way, *buffer, condition;
    size_t pivot;
    *moved = -1;
    CHECK(SCRATCH_RAW(ctx, &a, cairn_product(width, width)));
    CHECK(SCRATCH_RAW_EACH(ctx, width, &way, &buffer));
    /* Curvatures Σ w / d (1 − u u') with the directions u of the rows, and a little more, so
     * that there is an inverse where all rows lie in a line. */
    double trace = 0;
    memset(a, 0, width * width * sizeof *a);
    for (size_t i = 0; i < n; i++) {
        const double *x = rows + i * width;
        double square = cairn_squared_distance(x, place, width), w = weight_of(weights, i);
        if (!(square > 0)) continue;
        for (size_t j = 0; j < width; j++)
            for (size_t k = 0; k < width; k++)
                a[j * width + k] +=
                    w / sqrt(square) * ((j == k) - (x[j] - place[j]) / square * (x[k] - place[k]));
    }
    for (size_t j = 0; j < width; j++) trace += a[j * (width + 1)];
    for (size_t j = 0; j < width; j++) a[j * (width + 1)] += 1e-14 * trace;
    CHECK(cairn_cholesky(ctx, a, width, &condition, &pivot));
    if (pivot < width || p->own > 0) return CAIRN_OK;
    memcpy(way, p->force, width * sizeof *way);
    CHECK(cairn_cholesky_solve(ctx, a, width, way, 1));
    double t = best_step(buffer, place, way, rows, weights, n, width);
    for (size_t j = 0; j < width; j++) place[j] += t * way[j];
    *moved = t * sqrt(cairn_dot(way, way, width));
    return CAIRN_OK;
}

/* -- all -- */

/* The row next to the place, and whether the others cannot pull it away. */
static bool ask_nearest(pull *p, const double *place, const double *rows, const double *weights,
                        size_t n, size_t width, size_t *at)
{
    double least = INFINITY;
    for (size_t i = 0; i < n; i++) {
        double d = cairn_squared_distance(rows + i * width, place, width);
        if (weight_of(weights, i) > 0 && d < least) least = d, *at = i;
    }
    if (!(least < INFINITY)) return false;
    find_pull(p, rows + *at * width, rows, weights, n, width);
    return force_of(p, width) <= p->own * (1 + 1e-12);
}

/* A place next to a row is pulled back by it, so that steps end there though the others pull it
 * away: from that row it goes on in the direction of the pull `p` (of ask_nearest), if that leads
 * to less. */
static cairn_status leave_row(cairn_context *ctx, double *place, const pull *p, const double *row,
                              const double *rows, const double *weights, size_t n, size_t width,
                              bool *left)
{
    SCOPED_SCRATCH(ctx);
    double *to, total = cairn_total_distance(place, rows, weights, n, width);
    CHECK(SCRATCH_RAW(ctx, &to, width));
    double t = best_step(to, row, p->force, rows, weights, n, width);
    for (size_t j = 0; j < width; j++) to[j] = row[j] + t * p->force[j];
    *left = cairn_total_distance(to, rows, weights, n, width) < total * (1 - 1e-14);
    if (*left) memcpy(place, to, width * sizeof *place);
    return CAIRN_OK;
}

cairn_status cairn_geometric_median(cairn_context *ctx, double *out, cairn_median_path *how,
                                    const double *rows, const double *weights, size_t n,
                                    size_t width, size_t keep)
{
    pull p;
    size_t at = 0;
    *how = (cairn_median_path){.at = -1};
    CHECK(SCRATCH_EACH(ctx, width, &p.towards, &p.force));
    if (keep) CHECK(SCRATCH(ctx, &how->path, cairn_product(keep, width)));
    cairn_mean_place(out, rows, weights, n, width);
    double spread = 0;
    for (size_t i = 0; i < n; i++)
        spread = fmax(spread, sqrt(cairn_squared_distance(rows + i * width, out, width)));
    while (!how->converged && how->iterations < MOST_STEPS) {
        if (how->n_kept < keep) memcpy(how->path + width * how->n_kept++, out, width * sizeof *out);
        if (how->iterations % ASK_ROW == 0 && ask_nearest(&p, out, rows, weights, n, width, &at)) {
            memcpy(out, rows + at * width, width * sizeof *out);
            how->at = (ptrdiff_t)at;
            how->converged = true;
            break;
        }
        CHECK(cairn_tick(ctx, "geometric median", (double)how->iterations, MOST_STEPS));
        find_pull(&p, out, rows, weights, n, width);
        double moved = -1;
        if (how->iterations >= CRAWLS && width <= MOST_WIDTH)
            CHECK(newton(ctx, out, &p, rows, weights, n, width, &moved));
        how->iterations++;
        if (moved < 0) moved = step(out, &p, width);
        if (moved > least_step * spread) continue;
        how->converged = true;
        if (ask_nearest(&p, out, rows, weights, n, width, &at)) {
            memcpy(out, rows + at * width, width * sizeof *out);
            how->at = (ptrdiff_t)at;
        } else if (cairn_squared_distance(out, rows + at * width, width) <
                   next_to * next_to * spread * spread) {
            bool left;
            CHECK(leave_row(ctx, out, &p, rows + at * width, rows, weights, n, width, &left));
            how->converged = !left;
        }
    }
    how->total = cairn_total_distance(out, rows, weights, n, width);
    return CAIRN_OK;
}

double cairn_median_pull(const double *place, const double *rows, const double *weights, size_t n,
                         size_t width)
{
    double squares = 0, holds = 0, total = 0, far = 0;
    for (size_t i = 0; i < n * width; i++) far = fmax(far, fabs(rows[i] - place[i % width]));
    for (size_t t = 0; t < width; t++) {
        double pulled = 0;
        holds = total = 0;
        for (size_t i = 0; i < n; i++) {
            double square = 0, w = weights ? weights[i] : 1;
            for (size_t u = 0; u < width; u++) {
                double off = (rows[i * width + u] - place[u]) / (far > 0 ? far : 1);
                square += off * off;
            }
            total += w;
            if (square <= 1e-24) /* rounding apart from it */
                holds += w;
            else
                pulled += w * (rows[i * width + t] - place[t]) / far / sqrt(square);
        }
        squares += pulled * pulled;
    }
    return total > 0 ? fmax(0, sqrt(squares) - holds) / total : 0;
}
