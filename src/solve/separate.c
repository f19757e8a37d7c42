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
#include "solve/certificate.h"

#include <math.h>

typedef struct separating {
    const double *points, *signs;
    size_t n, p;
    double *middle, *half; /* p: of the range of each coordinate, so that all have the same size */
} separating;

static cairn_status find_scales(cairn_context *ctx, separating *s)
{
    CHECK(SCRATCH_EACH(ctx, s->p, &s->middle, &s->half));
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

/* What is left of the proof, from points, plane and α alone. */
static void prove(const separating *s, cairn_least_violation *out)
{
    cairn_wide slacks = 0, sum = 0, balance = 0, apart = 0, least = INFINITY;
    for (size_t i = 0; i < s->n; i++) {
        cairn_wide value = out->plane[s->p], alpha = out->alpha[i];
        for (size_t j = 0; j < s->p; j++)
            value += (cairn_wide)out->plane[j] * s->points[i * s->p + j];
        least = fminl(least, s->signs[i] * value);
        slacks += fmaxl(0, 1 - s->signs[i] * value);
        sum += alpha;
        balance += alpha * s->signs[i];
        if (!(alpha >= -1e-9L && alpha <= 1 + 1e-9L)) apart = INFINITY;
    }
    for (size_t j = 0; !out->separable && j < s->p; j++) {
        cairn_wide off = 0;
        for (size_t i = 0; i < s->n; i++)
            off += out->alpha[i] * s->signs[i] * (cairn_wide)s->points[i * s->p + j];
        off -= balance * s->middle[j];
        apart = fmaxl(apart, fabsl(off) / (sum * s->half[j]));
    }
    out->gap = (double)(fabsl(slacks - sum) / fmaxl(1, sum));
    out->conditions =
        (double)(out->separable ? fmaxl(0, 1 - least) : fmaxl(apart, fabsl(balance) / sum));
}

void cairn_separate_certify(const cairn_least_violation *found, cairn_certificate *certificate)
{
    double bound = found->separable ? 1e-3 : 1e-6; /* margins need only be above 0 */
    cairn_certify(certificate, CAIRN_PROOF_GAP, found->gap, bound);
    cairn_certify(certificate, CAIRN_PROOF_CONDITIONS, found->conditions, bound);
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
    CHECK(SCRATCH_EACH(ctx, p + 1, &zeros, &out->plane));
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
    prove(&s, out);
    return CAIRN_OK;
}
