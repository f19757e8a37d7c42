/* SPDX-License-Identifier: MIT */
/* Classical scaling (Torgerson, Gower):
 *
 * 1. Square the distances.
 * 2. Centre doubly: b_ij = -1/2 (d_ij^2 - mean of row i - mean of column j + mean of all). For
 *    points of a Euclidean space these are their inner products about the centroid.
 * 3. Eigenvalues and unit vectors of B; coordinate k is vector k times the root of value k.
 *
 * Distances that fit no space give negative eigenvalues; they are told, not hidden. */
#include "stats/scaling.h"
#include "base/memory.h"
#include "base/number.h"
#include "decompose/linalg.h"
#include <math.h>
#include <string.h>

void cairn_double_centre(double *m, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double mean = 0;
        for (size_t j = 0; j < n; j++) mean += m[i * n + j];
        mean /= (double)n;
        for (size_t j = 0; j < n; j++) m[i * n + j] -= mean;
    }
    for (size_t j = 0; j < n; j++) {
        double mean = 0;
        for (size_t i = 0; i < n; i++) mean += m[i * n + j];
        mean /= (double)n;
        for (size_t i = 0; i < n; i++) m[i * n + j] = -0.5 * (m[i * n + j] - mean);
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) m[i * n + j] = m[j * n + i];
}

/* Distances between the places, and how far they are from the given ones. */
static void judge(cairn_scaling *s, const double *distances)
{
    double off = 0, sum = 0, kept = 0, positive = 0, absolute = 0;
    size_t n = s->n;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double squares = 0;
            for (size_t k = 0; k < s->n_dimensions; k++) {
                double d = s->places[k * n + i] - s->places[k * n + j];
                squares += d * d;
            }
            double away = distances[i * n + j] - sqrt(squares);
            off += away * away;
            sum += distances[i * n + j] * distances[i * n + j];
        }
    for (size_t k = 0; k < n; k++) {
        double value = s->values[k];
        if (k < s->n_dimensions) kept += fmax(value, 0);
        positive += fmax(value, 0);
        absolute += fabs(value);
        s->n_negative += value < -1e-10 * fabs(s->values[0]);
    }
    s->stress = sum > 0 ? sqrt(off / sum) : NAN;
    s->goodness = positive > 0 ? kept / positive : NAN;
    s->goodness_all = absolute > 0 ? kept / absolute : NAN;
}

cairn_status cairn_classical_scaling(cairn_context *ctx, cairn_scaling *out,
                                     const double *distances, size_t n, size_t n_dimensions,
                                     cairn_sign sign, double **centred)
{
    double *b;
    cairn_scaling s = {.n = n, .n_dimensions = n_dimensions};
    CHECK(SCRATCH(ctx, &s.values, n));
    CHECK(SCRATCH(ctx, &s.places, cairn_product(n_dimensions, n)));
    CHECK(SCRATCH_RAW(ctx, &b, cairn_product(n, n)));
    for (size_t i = 0; i < n * n; i++) b[i] = distances[i] * distances[i];
    cairn_double_centre(b, n);
    if (centred) {
        CHECK(SCRATCH_RAW(ctx, centred, cairn_product(n, n)));
        memcpy(*centred, b, n * n * sizeof *b);
    }
    CHECK(cairn_symmetric_top(ctx, s.values, s.places, b, n, n_dimensions));
    /* what rounding leaves of 0 */
    for (size_t k = 0; k < n; k++)
        if (fabs(s.values[k]) < 1e-13 * fabs(s.values[0])) s.values[k] = 0;
    for (size_t k = 0; k < n_dimensions; k++) {
        double root = sqrt(fmax(s.values[k], 0));
        cairn_vector_sign(s.places + k * n, n, sign);
        for (size_t i = 0; i < n; i++) s.places[k * n + i] *= root;
    }
    judge(&s, distances);
    *out = s;
    return CAIRN_OK;
}

cairn_status cairn_distances_of_gram(cairn_context *ctx, double *out, const double *gram, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double size = fabs(gram[i * n + i]) + fabs(gram[j * n + j]);
            double square = gram[i * n + i] + gram[j * n + j] - 2 * gram[i * n + j];
            if (square < -1e-9 * size) {
                char value[CAIRN_NUMBER_SIZE];
                cairn_number_format(value, gram[i * n + j], 6);
                return cairn_fail(ctx, CAIRN_BAD_DATA,
                                  "rows %zu and %zu have the inner product %s, more than their "
                                  "own lengths allow; this is no Gram matrix, correct it or take "
                                  "it for distances with {as distances}",
                                  i + 1, j + 1, value);
            }
            out[i * n + j] = sqrt(fmax(square, 0));
        }
    return CAIRN_OK;
}
