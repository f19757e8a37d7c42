/* SPDX-License-Identifier: MIT */
/* Degrees in which a row belongs to clusters: see memberships.h. */
#include "stats/memberships.h"

#include "base/functions.h"

#include <math.h>

static double least_of(const double *squares, size_t k)
{
    double least = INFINITY;
    for (size_t c = 0; c < k; c++) {
        if (isnan(squares[c])) return NAN;
        if (squares[c] < least) least = squares[c];
    }
    return least;
}

/* Shares of the sum, which is at least 1: the nearest exemplar counts 1. */
static void divide(double *out, size_t k)
{
    double sum = 0;
    for (size_t c = 0; c < k; c++) sum += out[c];
    for (size_t c = 0; c < k; c++) out[c] /= sum;
}

void cairn_memberships_fuzzy(double *out, const double *squares, size_t k, double fuzzifier)
{
    double least = least_of(squares, k), power = 1 / (fuzzifier - 1);
    for (size_t c = 0; c < k; c++) {
        double ratio = squares[c] == least ? 1 : least / squares[c];
        out[c] = power == 1 || ratio == 0 || ratio == 1 ? ratio : cairn_pow(ratio, power);
        if (isnan(least)) out[c] = NAN;
    }
    divide(out, k);
}

void cairn_memberships_bell(double *out, const double *squares, size_t k, double width)
{
    double least = least_of(squares, k);
    for (size_t c = 0; c < k; c++)
        out[c] = squares[c] == least ? 1 : cairn_exp(-(squares[c] - least) / width / width / 2);
    for (size_t c = 0; isnan(least) && c < k; c++) out[c] = NAN;
    divide(out, k);
}

int32_t cairn_membership_harden(const double *memberships, size_t k)
{
    size_t best = 0;
    for (size_t c = 0; c < k; c++) {
        if (isnan(memberships[c])) return -1;
        if (memberships[c] > memberships[best]) best = c;
    }
    return k ? (int32_t)best : -1;
}
