/* SPDX-License-Identifier: MIT */
/* Weiszfeld's iteration: the mean of the rows, each weighted by 1 / its distance. A row on which a
 * place falls has no such weight: it holds the place back with its own weight against the pull of
 * the others, and where the pull is not stronger, the row is the median.
 *
 * The steps shrink by a constant factor, slowly when the median is a row; so the row next to the
 * place is asked, too, whether it is the median.
 *
 * Sources: Weiszfeld, Sur le point pour lequel la somme des distances de n points donnés est
 * minimum (1937); Vardi and Zhang, The multivariate L1-median and associated data depth (2000). */
#include "stats/geometric_median.h"
#include "base/memory.h"
#include "kernels/kernels.h"
#include <math.h>
#include <string.h>

enum { MOST_STEPS = 20000, ASK_ROW = 32 };
static const double least_step = 1e-13; /* of the spread */

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

cairn_status cairn_geometric_median(cairn_context *ctx, double *out, cairn_median_path *how,
                                    const double *rows, const double *weights, size_t n,
                                    size_t width, size_t keep)
{
    pull p;
    size_t at = 0;
    *how = (cairn_median_path){.at = -1};
    CHECK(SCRATCH(ctx, &p.towards, width));
    CHECK(SCRATCH(ctx, &p.force, width));
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
        how->iterations++;
        how->converged = step(out, &p, width) <= least_step * spread;
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
