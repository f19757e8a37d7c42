/* SPDX-License-Identifier: MIT */
/* What is minimised: a smooth function f(x) of n numbers plus Σ lasso_j |x_j|. Solvers know nothing
 * else of a problem; a problem fills in what its solver asks for. Functions fail when they are
 * cancelled or out of memory. */
#ifndef CAIRN_SOLVE_OBJECTIVE_H
#define CAIRN_SOLVE_OBJECTIVE_H

#include "base/context.h"

/* What a solver does with each stretch [first, last) of a product as soon as it is made; adds to
 * three sums. Stretches may be worked on side by side. */
typedef struct cairn_finish {
    void (*function)(void *data, size_t first, size_t last, double sums[3]);
    void *data;
} cairn_finish;

typedef struct cairn_objective {
    size_t n;
    void *data;           /* of the functions */
    const double *lassos; /* n factors of |x_j|; NULL = none */
    size_t
        tied; /* the last `tied` numbers may be raised by one and the same amount without changing
                    f: their sum is tied down */
    /* f at x; gradient (n) and Hessian (n x n, both triangles) where they are not NULL. What the
     * functions below answer is for the x of the last look. */
    cairn_status (*look)(cairn_context *ctx, void *data, const double *x, double *value,
                         double *gradient, double *hessian);
    /* product = H v; `finish` gets every stretch once, its sums in `sums` (NULL with it). */
    cairn_status (*times)(cairn_context *ctx, void *data, const double *v, double *product,
                          const cairn_finish *finish, double sums[3]);
    /* Diagonal of H; a number whose entry is 0 does not move. */
    cairn_status (*diagonal)(cairn_context *ctx, void *data, double *out);
    /* Going along a step that is made of multiples of vectors that `times` has seen, without a look
     * at every place: the step has grown by `part` of the last v (0 begins a new one at 0); f, its
     * slope and its curvature at x + t step; and the move there, to f and its gradient. */
    void (*follow)(void *data, double part);
    cairn_status (*along)(cairn_context *ctx, void *data, const double *x, const double *step,
                          double t, double out[3]);
    cairn_status (*move)(cairn_context *ctx, void *data, const double *x, double t, double *value,
                         double *gradient);
} cairn_objective;

/* f(x) = value + g'x + x'Hx/2 + Σ ridge x²/2: what a sum of squares over rows comes to, so that
 * many penalties cost one pass over the rows. All borrowed. */
typedef struct cairn_quadratic {
    size_t n;
    double value;
    const double *gradient; /* n, at 0 */
    const double *hessian;  /* n x n, both triangles */
    const double *ridges;   /* n; NULL = zeros */
} cairn_quadratic;
/* The objective of a quadratic function: `look` only. */
cairn_objective cairn_quadratic_objective(const cairn_quadratic *quadratic);
/* What an objective that is quadratic comes to, by one look at 0; scratch. */
CAIRN_CHECKED cairn_status cairn_quadratic_of(cairn_context *ctx, cairn_quadratic *out,
                                              const cairn_objective *objective);

/* Where a solver stands; the arrays are the caller's. */
typedef struct cairn_place {
    double *x;        /* n */
    double *gradient; /* n: of the smooth part */
    double *hessian;  /* n x n, for the solvers that want it */
    double value;     /* with the penalty */
    double taken;     /* part of the last step that was taken; 0 = there was none */
} cairn_place;

/* Σ lasso |x|. */
double cairn_lasso_sum(const cairn_objective *f, const double *x);
/* x moved towards 0 by `by`, at most to 0. */
static inline double cairn_soft(double x, double by)
{
    return x > by ? x - by : x < -by ? x + by : 0;
}

#endif
