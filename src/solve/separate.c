/* SPDX-License-Identifier: MIT */
/* The plane with the least total violation, by linear programming.
 *
 * It is solved through its dual, the most of Σ α with Σ α sign x = 0, Σ α sign = 0 and
 * 0 <= α <= 1, whose prices are w and c: one row for each coordinate instead of one for each point.
 * An α other than 0 can be scaled until its largest is 1, and both classes have the same sum, so
 * that the violation of classes that no plane separates is 2 at least: there is no doubt by
 * rounding. */
#include "solve/constrained.h"

#include "base/memory.h"

#include <math.h>

typedef struct separating {
    const double *points, *signs;
    size_t n, p;
    double *middle, *half; /* p: of the range of each coordinate, so that all have the same size */
} separating;

static cairn_status find_scales(cairn_context *ctx, separating *s)
{
    CHECK(SCRATCH(ctx, &s->middle, s->p));
    CHECK(SCRATCH(ctx, &s->half, s->p));
    for (size_t j = 0; j < s->p; j++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < s->n; i++) {
            low = fmin(low, s->points[i * s->p + j]);
            high = fmax(high, s->points[i * s->p + j]);
        }
        s->middle[j] = low / 2 + high / 2;
        s->half[j] = high > low ? high / 2 - low / 2 : 1;
    }
    return CAIRN_OK;
}

/* Coordinates in scaled units, a row for each; the last row has the signs. */
static cairn_status fill_matrix(cairn_context *ctx, const separating *s, double **out)
{
    double *matrix;
    CHECK(SCRATCH(ctx, &matrix, cairn_product(s->p + 1, s->n)));
    for (size_t i = 0; i < s->n; i++) {
        for (size_t j = 0; j < s->p; j++)
            matrix[j * s->n + i] =
                s->signs[i] * ((s->points[i * s->p + j] - s->middle[j]) / s->half[j]);
        matrix[s->p * s->n + i] = s->signs[i];
    }
    *out = matrix;
    return CAIRN_OK;
}

/* The prices are the plane in scaled units. */
static void set_plane(const separating *s, const double *prices, double *plane)
{
    plane[s->p] = prices[s->p];
    for (size_t j = 0; j < s->p; j++) {
        plane[j] = prices[j] / s->half[j];
        plane[s->p] -= plane[j] * s->middle[j];
    }
}

cairn_status cairn_separate(cairn_context *ctx, cairn_least_violation *out, const double *points,
                            const double *signs, size_t n, size_t p, double tiny)
{
    separating s = {.points = points, .signs = signs, .n = n, .p = p};
    cairn_linear_program program = {.rows = p + 1, .columns = n, .tiny = tiny};
    cairn_linear_answer answer;
    double *matrix, *ones, *zeros;
    CHECK(find_scales(ctx, &s));
    CHECK(fill_matrix(ctx, &s, &matrix));
    CHECK(SCRATCH(ctx, &ones, n));
    CHECK(SCRATCH(ctx, &zeros, p + 1));
    CHECK(SCRATCH(ctx, &out->plane, p + 1));
    for (size_t i = 0; i < n; i++) ones[i] = 1;
    program.matrix = matrix;
    program.side = zeros;
    program.gain = program.upper = ones;
    CHECK(cairn_simplex(ctx, &answer, &program));
    out->ending = answer.ending;
    out->separable = answer.value < 1;
    out->violation = out->separable ? 0 : answer.value;
    out->alpha = answer.x;
    out->steps = answer.steps;
    set_plane(&s, answer.prices, out->plane);
    return CAIRN_OK;
}
