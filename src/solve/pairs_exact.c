/* SPDX-License-Identifier: MIT */
/* Problems of pairs.h of few variables, solved by an active set: exact but for rounding.
 *
 * Without a width the numbers of the program are the β themselves. With one, |β| is no quadratic
 * function: then β = α - α' with two numbers that are not negative, of which one is 0 in the
 * end. */
#include "solve/pairs.h"

#include "base/memory.h"
#include "solve/constrained.h"

#include <math.h>

typedef struct program {
    cairn_box_program box;
    cairn_wide *x; /* box.n: β, or α and then α' */
    bool twice;
} program;

static size_t point_of(const cairn_pairs *p, size_t v)
{
    return v < p->n_points ? v : v - p->n_points;
}

/* Variable and sign of number k of the program. */
static size_t variable(const cairn_pairs *p, size_t k, double *sign)
{
    *sign = k < p->n ? 1 : -1;
    return k < p->n ? k : k - p->n;
}

/* Bounds, signs and sums of the program's numbers, and where they start. */
static cairn_status set_numbers(cairn_context *ctx, program *out, const cairn_pairs *p)
{
    size_t n = out->box.n, *groups;
    double *gradient, *lower, *upper, *factors, sign;
    CHECK(SCRATCH(ctx, &out->x, n));
    CHECK(SCRATCH(ctx, &gradient, n));
    CHECK(SCRATCH(ctx, &lower, n));
    CHECK(SCRATCH(ctx, &upper, n));
    CHECK(SCRATCH(ctx, &factors, n));
    CHECK(SCRATCH(ctx, &groups, n));
    for (size_t k = 0; k < n; k++) {
        size_t v = variable(p, k, &sign);
        gradient[k] = p->width - sign * p->linear[v];
        lower[k] = out->twice ? 0 : p->lower[v];
        upper[k] = sign > 0 ? p->upper[v] : -p->lower[v];
        factors[k] = sign;
        groups[k] = p->split && v >= p->split;
        out->x[k] = out->twice ? fmax(sign * p->beta[v], 0) : p->beta[v];
    }
    out->box.gradient = gradient;
    out->box.lower = lower;
    out->box.upper = upper;
    out->box.factors = factors;
    out->box.groups = groups;
    return CAIRN_OK;
}

static cairn_status set_hessian(cairn_context *ctx, program *out, const cairn_pairs *p,
                                const cairn_wide *gram)
{
    size_t n = out->box.n;
    cairn_wide *hessian;
    double one, other;
    CHECK(SCRATCH_RAW(ctx, &hessian, cairn_product(n, n)));
    for (size_t k = 0; k < n; k++)
        for (size_t l = 0; l < n; l++) {
            size_t a = variable(p, k, &one), b = variable(p, l, &other);
            hessian[k * n + l] = one * other * gram[point_of(p, a) * p->n_points + point_of(p, b)];
        }
    out->box.hessian = hessian;
    return CAIRN_OK;
}

/* β, the rest b - Kβ and what free variables there are. */
static void read_back(cairn_pairs *p, const program *from, const cairn_wide *gram, cairn_wide *beta)
{
    p->groups[0].n_free = p->groups[1].n_free = 0;
    for (size_t v = 0; v < p->n; v++) {
        beta[v] = from->x[v] - (from->twice ? from->x[p->n + v] : 0);
        p->beta[v] = (double)beta[v];
        bool inside = p->beta[v] > p->lower[v] && p->beta[v] < p->upper[v];
        if (inside && (!from->twice || beta[v] != 0)) p->groups[p->split && v >= p->split].n_free++;
    }
    for (size_t v = 0; v < p->n; v++) {
        cairn_wide rest = p->linear[v];
        for (size_t u = 0; u < p->n; u++)
            rest -= gram[point_of(p, v) * p->n_points + point_of(p, u)] * beta[u];
        p->rest[v] = (double)rest;
    }
}

cairn_status cairn_pairs_exact(cairn_context *ctx, cairn_pairs *p, const cairn_wide *gram,
                               cairn_ending *ending, cairn_wide *beta)
{
    program own = {.twice = p->width > 0};
    cairn_box_answer answer;
    SCOPED_SCRATCH(ctx);
    if (!beta) CHECK(SCRATCH_RAW(ctx, &beta, p->n + 1));
    own.box.n = own.twice ? 2 * p->n : p->n;
    own.box.n_groups = p->split ? 2 : 1;
    CHECK(set_numbers(ctx, &own, p));
    CHECK(set_hessian(ctx, &own, p, gram));
    CHECK(cairn_active_set(ctx, &answer, own.x, &own.box));
    *ending = answer.ending;
    read_back(p, &own, gram, beta);
    for (size_t g = 0; g < own.box.n_groups; g++) {
        p->groups[g].top = answer.low[g];
        p->groups[g].bottom = answer.high[g];
        p->groups[g].middle = answer.multipliers[g];
    }
    p->value = answer.value;
    p->gap = 0;
    p->steps = answer.steps;
    p->converged = answer.ending == CAIRN_ENDING_OPTIMAL;
    return CAIRN_OK;
}
