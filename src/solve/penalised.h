/* SPDX-License-Identifier: MIT */
/* Least squares with a penalty that sets numbers to 0, from sums over the rows alone: minimise
 *
 *     x'Hx/2 − s'x + Σ lasso_j |x_j|^q + Σ ridge_j x_j²/2
 *
 * one number after the other ("covariance updates"): the slopes s − Hx are kept up to date, so a
 * number that stays costs nothing. */
#ifndef CAIRN_SOLVE_PENALISED_H
#define CAIRN_SOLVE_PENALISED_H

#include "base/context.h"

typedef struct cairn_penalised {
    size_t n;
    const double *gram;   /* H: n x n, both triangles */
    const double *side;   /* s: n */
    const double *lassos; /* n, at least 0 */
    const double *ridges; /* n, at least 0 */
    double q;             /* above 0; below 1 there may be several minima that are not the least */
    double size;          /* of what is minimised, such as the squares of the target */
    double tolerance;     /* it ends when no move is worth more than this part of the size */
} cairn_penalised;

/* The x that minimises a x²/2 − b x + lasso |x|^q, a > 0: exact but for rounding. Of two minima the
 * lower one, of equally low ones 0. */
double cairn_penalised_number(double a, double b, double lasso, double q);
/* The least lasso with which that x is 0; for q above 1, where it never is, one that leaves a
 * hundredth of b/a. */
double cairn_penalised_first(double a, double b, double q);

/* The minimum from where x stands, `slopes` being s − Hx at x before and after. *converged says
 * whether it was found, *sweeps (NULL = not asked) after how many rounds. */
CAIRN_CHECKED cairn_status cairn_penalised_solve(cairn_context *ctx, const cairn_penalised *p,
                                                 double *x, double *slopes, bool *converged,
                                                 size_t *sweeps);
/* What is minimised, at x with its slopes, without the squares of the target. */
double cairn_penalised_value(const cairn_penalised *p, const double *x, const double *slopes);
/* Degrees of freedom of a minimum with q = 1: the numbers other than 0, and with ridges
 * tr (H + ridges)⁻¹ H over them. */
CAIRN_CHECKED cairn_status cairn_penalised_freedom(cairn_context *ctx, const cairn_penalised *p,
                                                   const double *x, double *out);
/* Σ |x_j|^q with factors. */
double cairn_penalised_sum(const double *factors, const double *x, size_t n, double q);

#endif
