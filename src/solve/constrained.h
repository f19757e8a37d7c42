/* SPDX-License-Identifier: MIT */
/* Small dense programs with constraints, solved exactly but for rounding: linear ones by the
 * simplex method, convex quadratic ones by an active set. Both go from corner to corner (face to
 * face), and where a step moves nothing they take the number that comes first (Bland), so that they
 * end. For hundreds of numbers; what is larger is for the solvers of solvers.h. */
#ifndef CAIRN_SOLVE_CONSTRAINED_H
#define CAIRN_SOLVE_CONSTRAINED_H

#include "base/context.h"

/* Multipliers of machines with a large cost are large numbers whose sums nearly cancel: 64 bits
 * leave digits that 53 lose. */
typedef long double cairn_wide;

/* Sums that cancel further than that: 113 bits, many times slower. */
#if __LDBL_MANT_DIG__ >= 113
typedef long double cairn_quad;
#else
__extension__ typedef __float128 cairn_quad;
#endif

typedef enum cairn_ending {
    CAIRN_ENDING_OPTIMAL,
    CAIRN_ENDING_INFEASIBLE, /* nothing fulfils the constraints */
    CAIRN_ENDING_UNBOUNDED,
    CAIRN_ENDING_LIMIT /* the limit of steps came first */
} cairn_ending;

/* The most of gain'x with A x = b and 0 <= x <= upper. All borrowed. */
typedef struct cairn_linear_program {
    size_t rows, columns;
    const double *matrix; /* A: rows x columns */
    const double *side;   /* b: rows */
    const double *gain;   /* columns; NULL = zeros: is there an x at all? */
    const double *upper;  /* columns, may be infinite; NULL = infinite */
    double tiny;          /* numbers of this size cannot be told from rounding */
} cairn_linear_program;

typedef struct cairn_linear_answer {
    cairn_ending ending;
    double value;         /* gain'x; when infeasible, the least Σ |A x - b| */
    const double *x;      /* columns */
    const double *prices; /* rows: what a unit more of each side is worth; when infeasible, the
                             proof: prices'A >= 0 and prices'b < 0, where no bound is finite */
    size_t steps;
    double left; /* of the proof, relative: of A x = b and the bounds, of the worth of changes that
                    would pay; when infeasible, of the prices' proof */
} cairn_linear_answer;

/* The arrays of the answer are scratch. Fails when cancelled or out of memory. */
CAIRN_CHECKED cairn_status cairn_simplex(cairn_context *ctx, cairn_linear_answer *out,
                                         const cairn_linear_program *program);

/* Two classes of points and a hyperplane w·x + c: the least Σ ξ with sign (w·x + c) >= 1 - ξ and
 * ξ >= 0, which is 0 exactly where a plane separates them, and else 2 at least. */
typedef struct cairn_least_violation {
    cairn_ending ending; /* optimal, or the limit of steps */
    bool separable;
    double violation;    /* Σ ξ; 0 when separable */
    double *plane;       /* w and c: p + 1 */
    const double *alpha; /* n: not separable: the means of both classes with these weights are the
                            same point, which both hulls hold */
    size_t steps;
    double gap;        /* Σ ξ of the plane less Σ α, as a part of it (of 1 where it is less) */
    double conditions; /* how far the two means are apart, as a part of the coordinates' ranges, and
                          their weights of one sum; how far a plane that separates is from margins
                          of 1 */
} cairn_least_violation;

/* The usual `tiny`. */
#define CAIRN_SEPARATE_TINY 1e-10

/* Points are n x p, signs 1 and -1; both occur. Gaps of the size `tiny` beside the range of a
 * coordinate are rounding. The arrays are scratch. */
CAIRN_CHECKED cairn_status cairn_separate(cairn_context *ctx, cairn_least_violation *out,
                                          const double *points, const double *signs, size_t n,
                                          size_t p, double tiny);

/* The proof of either answer: a plane with positive margins, or a point that both hulls hold. */
struct cairn_certificate;
void cairn_separate_certify(const cairn_least_violation *found,
                            struct cairn_certificate *certificate);

/* The least of x'Hx/2 + g'x with lower <= x <= upper, where sums Σ factor x over groups of numbers
 * keep the value that they have at the start. H is symmetric and positive semidefinite. All
 * borrowed. */
typedef struct cairn_box_program {
    size_t n;
    const cairn_wide *hessian;  /* n x n */
    const cairn_wide *gradient; /* n, at x = 0 */
    const cairn_wide *lower, *upper;
    const double *factors; /* n, none 0 */
    const size_t *groups;  /* n: the sum that a number belongs to; NULL = all to the first */
    size_t n_groups;
} cairn_box_program;

typedef struct cairn_box_answer {
    cairn_ending ending; /* unbounded: x falls for ever along `ray` */
    double value;
    double *multipliers; /* n_groups: H x + g + multiplier factor is 0 for numbers within bounds;
                            the middle of the interval where there is none */
    double *low, *high; /* n_groups: between these the multiplier may lie; equal when it is known */
    const cairn_wide *ray; /* n; NULL unless unbounded */
    size_t steps;
} cairn_box_answer;

/* From the feasible x, in place. The arrays of the answer are scratch. */
CAIRN_CHECKED cairn_status cairn_active_set(cairn_context *ctx, cairn_box_answer *out,
                                            cairn_wide *x, const cairn_box_program *program);

struct cairn_pairs;
/* A problem of pairs.h by the active set, from its β: `gram` is the matrix K over its points; rows,
 * cache, tolerance and limit are not looked at. For the same fields as cairn_pairs_solve fills;
 * unbounded where bounds are infinite and nothing holds the variables. `beta` (n, NULL = not
 * wanted) gets the solution with all of its digits. pairs.c. */
CAIRN_CHECKED cairn_status cairn_pairs_exact(cairn_context *ctx, struct cairn_pairs *pairs,
                                             const cairn_wide *gram, cairn_ending *ending,
                                             cairn_quad *beta);
/* The same from `beta`, whose `rest` b - Kβ is known with more digits than sums with `gram` have:
 * the solution is looked for as a change of β, and its digits are beyond those of the sums. */
CAIRN_CHECKED cairn_status cairn_pairs_refine(cairn_context *ctx, struct cairn_pairs *pairs,
                                              const cairn_wide *gram, const cairn_quad *rest,
                                              cairn_ending *ending, cairn_quad *beta);

#endif
