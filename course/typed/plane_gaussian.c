/* SPDX-License-Identifier: MIT */
/* Typed Gaussians of two numbers. */
#include "typed/plane_gaussian.h"

#include "base/functions.h"
#include "entry/entry.h"

#include <math.h>

cairn_status cairn_plane_gaussian_read(cairn_context *ctx, cairn_plane_gaussian *out,
                                       const char *text)
{
    double *v;
    size_t n;
    CHECK(cairn_list_numbers(ctx, "gaussian", text, &v, &n));
    bool right = n == 5;
    for (size_t i = 0; i < n && right; i++) right = isfinite(v[i]);
    if (!right || !(v[2] > 0) || !(v[3] > 0) || !(fabs(v[4]) < 1))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{gaussian %s}: five numbers are needed, mean of x and y, two positive "
                          "standard deviations and a correlation between -1 and 1",
                          text);
    *out = (cairn_plane_gaussian){v[0], v[1], v[2] * v[2], v[2] * v[3] * v[4], v[3] * v[3]};
    return CAIRN_OK;
}

double cairn_plane_gaussian_log_density(const cairn_plane_gaussian *g, double x, double y)
{
    const double log_two_pi = 1.8378770664093454836;
    double rest = g->xx * g->yy - g->xy * g->xy, dx = x - g->x, dy = y - g->y;
    double square = (g->yy * dx * dx - 2 * g->xy * dx * dy + g->xx * dy * dy) / rest;
    return -log_two_pi - 0.5 * cairn_log(rest) - 0.5 * square;
}
