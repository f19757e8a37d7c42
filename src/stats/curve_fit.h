/* SPDX-License-Identifier: MIT */
/* Curves of one input fitted by least squares: polynomials, steps, power laws and logarithms. */
#ifndef CAIRN_STATS_CURVE_FIT_H
#define CAIRN_STATS_CURVE_FIT_H

#include "solve/certificate.h"

typedef enum cairn_curve_form {
    CAIRN_CURVE_POLYNOMIAL,   /* w0 + w1 x + ... + wd x^d */
    CAIRN_CURVE_STEPS,        /* a constant on each of some segments */
    CAIRN_CURVE_POWER,        /* a x^b, fitted as ln y = ln a + b ln x */
    CAIRN_CURVE_POWER_DIRECT, /* a x^b, with the least squared errors of y itself */
    CAIRN_CURVE_LOGARITHM     /* a + b ln x */
} cairn_curve_form;

/* Points with finite numbers; weights NULL = all 1. Borrowed. */
typedef struct cairn_points_xy {
    const double *x, *y, *weights;
    size_t n;
} cairn_points_xy;

typedef struct cairn_curve_fit {
    cairn_curve_form kind;
    size_t size;          /* degree, or segments */
    size_t n_parameters;  /* degree + 1, 2 segments - 1, or 2 */
    double *coefficients; /* of powers of x, rising; values of the segments; a and b */
    double *cuts;         /* segments - 1, rising */
    double sse;           /* weighted sum of squared residuals */
    bool loose;           /* more parameters than different x: the coefficients of least norm */
    bool converged;       /* of the direct fit */
    /* inside: a polynomial in (x - middle) / half, from which it is evaluated; NULL = not */
    double *centred, middle, half;
} cairn_curve_fit;

/* Scratch memory of now. Fails (CAIRN_BAD_DATA) where the points cannot have such a curve: no
 * points, logarithms of numbers that are not positive, more segments than different x. */
CAIRN_CHECKED cairn_status cairn_curve_polynomial(cairn_context *ctx, cairn_curve_fit *out,
                                                  const cairn_points_xy *points, size_t degree);
CAIRN_CHECKED cairn_status cairn_curve_of_form(cairn_context *ctx, cairn_curve_fit *out,
                                               const cairn_points_xy *points,
                                               cairn_curve_form kind);
/* The best steps with 1 .. `most` segments each, by dynamic programming: out has `most` curves. Of
 * equally good cuts the first are taken. At most 5000 different x. */
CAIRN_CHECKED cairn_status cairn_curve_steps(cairn_context *ctx, cairn_curve_fit *out,
                                             const cairn_points_xy *points, size_t most);
/* The polynomial with the least SSE/2 + lambda Σ w²/2, the constant penalised, too; `objective` is
 * that sum. */
CAIRN_CHECKED cairn_status cairn_curve_ridge(cairn_context *ctx, cairn_curve_fit *out,
                                             const cairn_points_xy *points, size_t degree,
                                             double lambda, double *objective);

/* What is left of the conditions of the least squares, by code that no fit uses. `lambda` is that
 * of a ridge, else 0. */
CAIRN_CHECKED cairn_status cairn_curve_certify(cairn_context *ctx, cairn_certificate *c,
                                               const cairn_curve_fit *curve,
                                               const cairn_points_xy *points, double lambda);

/* NaN where the curve is not defined (x <= 0 of a power or logarithm). */
double cairn_curve_at(const cairn_curve_fit *curve, double x);
/* How many different x there are. */
CAIRN_CHECKED cairn_status cairn_points_distinct(cairn_context *ctx, size_t *out,
                                                 const cairn_points_xy *points);

#endif
