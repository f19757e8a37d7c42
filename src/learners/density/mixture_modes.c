/* SPDX-License-Identifier: MIT */
/* Where the density of one number column has its hills and the valleys between them: where its
 * slope changes its sign, which it does only between the least and the largest mean. */
#include "base/memory.h"
#include "base/sort_by.h"
#include "learners/density/mixture.h"
#include "stats/density.h"
#include <math.h>
#include <stdlib.h>

enum { PLACES = 33 }; /* around each mean, over four deviations to both sides */

static cairn_status make_curve(cairn_context *ctx, cairn_normal_mixture *out,
                               const cairn_mixture_model *m)
{
    *out = (cairn_normal_mixture){.n = m->k};
    CHECK(SCRATCH_EACH(ctx, m->k, &out->weights, &out->means, &out->sds));
    for (size_t c = 0; c < m->k; c++) {
        out->weights[c] = m->values[c];
        out->means[c] = cairn_mixture_mean_in_units(m, c, 0);
        out->sds[c] = sqrt(cairn_mixture_covariance_in_units(m, c, 0, 0));
    }
    return CAIRN_OK;
}

/* The place between `low` and `high` where the slope, which has `sign` at `low`, is 0. */
static double find_turn(const cairn_normal_mixture *curve, double low, double high, double sign)
{
    for (int i = 0; i < 200; i++) {
        double at = low + (high - low) / 2;
        if (at == low || at == high) break;
        *(sign * cairn_mixture_slope(curve, at) > 0 ? &low : &high) = at;
    }
    return low + (high - low) / 2;
}

/* Places that no hill of a component hides between, from the least to the largest mean. */
static cairn_status make_places(cairn_context *ctx, double **out, size_t *n,
                                const cairn_normal_mixture *curve)
{
    double low = INFINITY, high = -INFINITY, *x;
    CHECK(SCRATCH(ctx, out, curve->n * PLACES));
    x = *out;
    for (size_t c = 0; c < curve->n; c++) {
        low = fmin(low, curve->means[c] - curve->sds[c] * 1e-3);
        high = fmax(high, curve->means[c] + curve->sds[c] * 1e-3);
        for (size_t i = 0; i < PLACES; i++)
            *x++ = curve->means[c] + curve->sds[c] * ((double)i / 4 - 4);
    }
    *n = curve->n * PLACES;
    for (size_t i = 0; i < *n; i++) (*out)[i] = fmin(high, fmax(low, (*out)[i]));
    qsort(*out, *n, sizeof **out, cairn_by_number);
    return CAIRN_OK;
}

cairn_status cairn_mixture_turns(cairn_context *ctx, const cairn_mixture_model *m, double **at,
                                 double **heights, size_t *n)
{
    cairn_normal_mixture curve;
    double *x, sign = 0, last = 0;
    size_t n_places;
    *n = 0;
    CHECK(make_curve(ctx, &curve, m));
    CHECK(make_places(ctx, &x, &n_places, &curve));
    CHECK(SCRATCH_EACH(ctx, n_places, at, heights));
    for (size_t i = 0; i < n_places; i++) {
        double slope = cairn_mixture_slope(&curve, x[i]);
        if (slope == 0) continue;
        if (sign * slope < 0) {
            (*at)[*n] = find_turn(&curve, last, x[i], sign);
            (*heights)[*n] = cairn_mixture_density(&curve, (*at)[*n]);
            ++*n;
        }
        sign = slope > 0 ? 1 : -1;
        last = x[i];
    }
    return CAIRN_OK;
}
