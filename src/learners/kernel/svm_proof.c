/* SPDX-License-Identifier: MIT */
/* Support vector machines: what is left of the conditions of a solution, from rows, multipliers,
 * weights and constant alone.
 *
 * The gap is the primal less the dual objective. The forms with ν are those with C and epsilon
 * whose margin and tube they have found, so that one gap serves both; what their sums must be is
 * among the conditions:
 *  - 0 <= α <= C, and the sign of β is that of its class;
 *  - Σ β = 0; with ν also Σ α = ν Σ C, of numbers at most; of one class Σ β = ν Σ C;
 *  - every row: α is 0 or the row is not beyond the margin, α is C or it is not inside. Of the two
 *    the smaller counts, as parts of the largest α and of 1 (numbers: of half their range).
 * A linear kernel is judged by the weights of the model, not by the sum over β. */
#include "learners/kernel/svm_fit.h"

#include "base/functions.h"
#include "base/memory.h"
#include "solve/constrained.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BATCH = 64 };
#define MOST_DIGITS 1e-4 /* more than that is no proof, whatever the reason */

typedef cairn_wide wide;

typedef struct proof {
    const cairn_svm_fitting *f;
    const cairn_svm_problem *m;
    wide *scores;         /* n, without the constant */
    wide squared, length; /* |w|² of the multipliers and of the weights */
    wide size;            /* of the scores */
    wide largest;         /* sum of sizes that a score is the sum of */
    wide terms;           /* of the numbers that scores are sums of, at most */
    wide lengths;         /* sum of those that the weights are the sum of */
    double epsilon;
    bool numbers, alone, squared_loss;
} proof;

/* -- scores -- */

/* Terms of the sums over β, some rows of the matrix at a time. */
static cairn_status kernel_scores(cairn_context *ctx, proof *p, const cairn_kernel_rows *rows)
{
    bool floats = rows->layout == CAIRN_KERNEL_FLOATS;
    size_t n = p->m->n, m = 0;
    uint32_t which[BATCH];
    double *values, *part;
    float *small;
    CHECK(SCRATCH_RAW(ctx, &part, n + 1));
    CHECK(SCRATCH_RAW(ctx, &values, floats ? 1 : cairn_product(BATCH, n)));
    CHECK(SCRATCH_RAW(ctx, &small, floats ? cairn_product(BATCH, n) : 1));
    for (size_t i = 0; i <= n; i++) {
        if (i < n && p->m->betas[i] != 0) which[m++] = (uint32_t)i;
        if (m < BATCH && i < n) continue;
        if (floats)
            CHECK(cairn_kernel_block_floats(ctx, &p->f->kernel, rows, which, m, rows, 0, n, small,
                                            n));
        else
            CHECK(cairn_kernel_block(ctx, &p->f->kernel, rows, which, m, rows, 0, n, values, n));
        for (size_t r = 0; r < m && !floats; r++)
            for (size_t j = 0; j < n; j++)
                p->scores[j] += (wide)p->m->betas[which[r]] * values[r * n + j];
        memset(part, 0, n * sizeof *part);
        for (size_t r = 0; r < m && floats; r++)
            for (size_t j = 0; j < n; j++)
                part[j] += p->m->betas[which[r]] * (double)small[r * n + j];
        for (size_t j = 0; j < n && floats; j++) p->scores[j] += part[j];
        m = 0;
        CHECK(cairn_tick(ctx, NULL, 0, 0));
    }
    for (size_t i = 0; i < n; i++) p->squared += p->m->betas[i] * p->scores[i];
    p->length = p->squared;
    return CAIRN_OK;
}

/* Multiplier i with as many digits as there are. */
static cairn_quad beta_of(const cairn_svm_problem *m, size_t i)
{
    return m->exact ? m->exact[i] / m->divide : m->betas[i];
}

/* Σ β x; large multipliers cancel. */
static cairn_status weights_of(cairn_context *ctx, const proof *p, const cairn_kernel_rows *rows,
                               wide *out)
{
    size_t terms = rows->n_terms;
    double *row;
    cairn_quad *sums;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH_RAW(ctx, &row, terms + 1));
    CHECK(SCRATCH(ctx, &sums, terms + 1));
    for (size_t i = 0; i < p->m->n; i++) {
        if (p->m->betas[i] == 0) continue;
        cairn_kernel_rows_read(rows, i, row);
        for (size_t t = 0; t < terms && !p->m->exact; t++) out[t] += (wide)p->m->betas[i] * row[t];
        for (size_t t = 0; t < terms && p->m->exact; t++) sums[t] += beta_of(p->m, i) * row[t];
    }
    for (size_t t = 0; t < terms && p->m->exact; t++) out[t] = (wide)sums[t];
    return CAIRN_OK;
}

/* The weights of the model, or of the multipliers where they are the same. */
static cairn_status linear_scores(cairn_context *ctx, proof *p, const cairn_kernel_rows *rows)
{
    size_t terms = rows->n_terms;
    double *row;
    wide *sums;
    CHECK(SCRATCH_RAW(ctx, &row, terms + 1));
    CHECK(SCRATCH(ctx, &sums, terms + 1));
    CHECK(weights_of(ctx, p, rows, sums));
    for (size_t t = 0; t < terms; t++) {
        p->squared += sums[t] * sums[t];
        if (p->m->weights) sums[t] = p->m->weights[t];
        p->length += sums[t] * sums[t];
    }
    for (size_t i = 0; i < p->m->n; i++) {
        cairn_kernel_rows_read(rows, i, row);
        wide size = 0;
        for (size_t t = 0; t < terms; t++) {
            p->scores[i] += sums[t] * row[t];
            size += fabsl(sums[t] * row[t]);
        }
        p->largest = fmaxl(p->largest, size);
    }
    return CAIRN_OK;
}

static cairn_status find_scores(cairn_context *ctx, proof *p, const cairn_kernel_rows *rows)
{
    bool dense = rows->layout == CAIRN_KERNEL_DENSE || rows->layout == CAIRN_KERNEL_FLOATS;
    CHECK(SCRATCH(ctx, &p->scores, p->m->n + 1));
    if (dense && cairn_kernel_kind_of(&p->f->kernel) == CAIRN_KERNEL_LINEAR)
        return linear_scores(ctx, p, rows);
    return kernel_scores(ctx, p, rows);
}

/* -- the two objectives -- */

/* How far a row is inside the margin, or outside of the tube. */
static wide over(const proof *p, size_t i)
{
    wide f = p->scores[i] + p->m->best;
    if (p->alone) return -f;
    if (!p->numbers) return 1 - p->m->targets[i] * f;
    double beta = p->m->betas[i];
    wide rest = p->m->targets[i] - f;
    return (beta < 0 || (beta == 0 && rest < 0) ? -rest : rest) - p->epsilon;
}

/* A hard margin allows no slack: weights and constant grow until there is none. */
static wide hard_length(const proof *p)
{
    wide most = 0;
    for (size_t i = 0; i < p->m->n; i++) most = fmaxl(most, over(p, i));
    return most < 1 ? p->length / ((1 - most) * (1 - most)) : INFINITY;
}

/* What the errors cost, and what the dual problem takes off for it. */
static wide cost_of(const proof *p, wide *less)
{
    const cairn_svm_params *params = p->f->params;
    const cairn_svm_problem *m = p->m;
    wide sum = 0, most = 0, k = params->slack_power;
    *less = 0;
    for (size_t i = 0; i < m->n; i++) {
        wide slack = fmaxl(over(p, i), 0);
        if (p->numbers)
            slack = fmaxl(fabsl(m->targets[i] - p->scores[i] - m->best) - p->epsilon, 0);
        if (slack > 0 && isfinite(m->bounds[i]))
            sum += m->bounds[i] * (p->squared_loss ? slack * slack : slack);
        if (p->squared_loss && m->bounds[i] > 0)
            *less += (wide)m->betas[i] * m->betas[i] / (4 * m->bounds[i]);
        if (m->bounds[i] > 0 && isfinite(m->bounds[i]))
            most = fmaxl(most, fabs(m->betas[i]) / m->bounds[i]);
    }
    if (params->slack_power == 1 || params->type != CAIRN_SVM_C) return sum;
    /* bounds are weight times c = C k S^(k-1) here, so that the largest share of them tells S */
    wide c = m->power_cost, slacks = sum / c, largest = most * c;
    double root = cairn_pow((double)(largest / (params->c * k)), 1 / (double)(k - 1));
    *less = (k - 1) * params->c * cairn_pow(root, (double)k);
    return params->c * cairn_pow((double)slacks, (double)k);
}

/* The linear part of the dual problem, whose terms cancel where multipliers are large. */
static wide linear_part(const proof *p)
{
    const cairn_svm_problem *m = p->m;
    cairn_quad exact = 0;
    wide sum = 0;
    if (p->alone) return 0;
    for (size_t i = 0; i < m->n && !m->exact; i++)
        sum += m->betas[i] * (wide)m->targets[i] - p->epsilon * fabsl(m->betas[i]);
    for (size_t i = 0; i < m->n && m->exact; i++) {
        cairn_quad beta = beta_of(m, i);
        exact += beta * m->targets[i] - p->epsilon * (beta < 0 ? -beta : beta);
    }
    return m->exact ? (wide)exact : sum;
}

/* What both problems come to at the solution. Those of one class may both be 0, so that the gap is
 * a part of what adds up to them. */
static void compare_objectives(proof *p, cairn_svm_proof *out)
{
    const cairn_svm_problem *m = p->m;
    bool hard = isinf(p->f->params->c) && p->f->params->type == CAIRN_SVM_C;
    wide less, cost = cost_of(p, &less), linear = linear_part(p), sum = 0, size = 0;
    wide half = (hard && !p->numbers ? hard_length(p) : p->length) / 2;
    for (size_t i = 0; i < m->n; i++) {
        sum += p->alone ? m->betas[i] : 0;
        if (p->numbers && isfinite(m->bounds[i])) size += m->bounds[i] * fabs(m->targets[i]);
    }
    /* the width that ν finds counts in the objective, too */
    if (p->numbers && p->f->params->type == CAIRN_SVM_NU) {
        size = half + cost;
        for (size_t i = 0; i < m->n; i++) size += p->f->params->nu * m->bounds[i] * p->epsilon;
        size *= 1e12L;
    }
    wide primal = half + cost + m->best * sum, dual = linear - p->squared / 2 - less;
    /* of one class everything may be 0, and then its size is that of what adds up to it */
    if (p->alone) size = p->terms * sum;
    wide whole = fmaxl(half + cost, (p->alone ? 1e-7L : 1e-12L) * size);
    whole = fmaxl(whole, 1e-24L * p->lengths * p->lengths); /* rounding of weights that cancel */
    out->primal = (double)primal;
    out->dual = (double)dual;
    out->whole = (double)whole;
    out->gap = primal == dual ? 0 : (double)(fabsl(primal - dual) / whole);
}

/* -- the conditions -- */

/* The sums that the multipliers must have. */
static wide sums_left(const proof *p)
{
    const cairn_svm_problem *m = p->m;
    wide sum = 0, sizes = 0, bounds = 0, nu = p->f->params->nu;
    for (size_t i = 0; i < m->n; i++) {
        sum += m->betas[i];
        sizes += fabs(m->betas[i]);
        bounds += m->bounds[i];
    }
    if (sizes == 0) return p->f->params->type == CAIRN_SVM_C || p->numbers ? 0 : 1;
    if (p->alone) return fabsl(sum - nu * bounds) / (nu * bounds);
    if (p->f->params->type == CAIRN_SVM_C) return fabsl(sum) / sizes;
    wide off = (sizes - nu * bounds) / (nu * bounds);
    if (p->numbers && off < 0) off = off * p->epsilon / p->size;
    return fmaxl(fabsl(sum) / sizes, fabsl(off));
}

/* A row's multiplier within its bounds, and its part of the complementary slackness. */
static wide row_left(const proof *p, size_t i, wide largest)
{
    double beta = p->m->betas[i], bound = p->m->bounds[i];
    double sign = p->numbers ? 1 : p->alone ? 1 : p->m->targets[i];
    wide alpha = p->numbers ? fabs(beta) : sign * beta, side = over(p, i) / p->size;
    if (alpha < 0) return -alpha / largest;
    if (p->squared_loss) {
        wide slack = fmaxl(over(p, i), 0);
        return fminl(fabsl(alpha - 2 * bound * slack) / largest,
                     fabsl(slack - alpha / (2 * bound)) / p->size);
    }
    if (alpha > bound) return (alpha - bound) / bound;
    if (side < 0) return largest > 0 ? fminl(alpha / largest, -side) : 0;
    return isinf(bound) ? side : fminl((bound - alpha) / bound, side);
}

static wide conditions_left(const proof *p)
{
    wide largest = 0, left = sums_left(p);
    for (size_t i = 0; i < p->m->n; i++) largest = fmaxl(largest, fabs(p->m->betas[i]));
    for (size_t i = 0; i < p->m->n; i++) left = fmaxl(left, row_left(p, i, largest + DBL_MIN));
    return left;
}

/* The gap that rows within the tolerance may leave. */
static wide allowed_gap(const proof *p, double tolerance)
{
    wide sum = 0;
    for (size_t i = 0; i < p->m->n; i++) {
        double alpha = fabs(p->m->betas[i]), bound = p->m->bounds[i];
        sum += over(p, i) < 0 || isinf(bound) ? alpha : bound - alpha;
    }
    return sum * tolerance * p->size;
}

/* The gap that the digits of weights, values of the kernel and constant alone leave: errors of
 * scores, times what they cost. Large where columns are far off and errors dear. */
static wide rounded_gap(const proof *p)
{
    wide sum = 0;
    for (size_t i = 0; i < p->m->n; i++)
        if (isfinite(p->m->bounds[i])) sum += p->m->bounds[i];
    return 4 * DBL_EPSILON * sum * (p->largest + fabs(p->m->best)) / p->m->proof.whole;
}

cairn_status cairn_svm_prove(cairn_context *ctx, const cairn_svm_fitting *f, cairn_svm_problem *m,
                             const cairn_kernel_rows *rows, const double *diagonal,
                             double tolerance)
{
    proof p = {.f = f, .m = m, .size = 1};
    double low = INFINITY, high = -INFINITY, root = 0;
    SCOPED_SCRATCH(ctx);
    p.numbers = f->job->task == CAIRN_REGRESS;
    p.alone = f->params->type == CAIRN_SVM_ONE_CLASS;
    p.squared_loss = f->params->loss == CAIRN_SVM_SQUARED;
    p.epsilon = p.numbers ? m->reported.rho : 0;
    for (size_t i = 0; i < m->n; i++) p.terms += fabs(m->betas[i]) * sqrt(fabs(diagonal[i]));
    for (size_t i = 0; i < m->n; i++) root = fmax(root, sqrt(fabs(diagonal[i])));
    p.lengths = p.terms;
    p.terms *= root;
    CHECK(find_scores(ctx, &p, rows));
    if (p.largest == 0) p.largest = p.terms;
    for (size_t i = 0; i < m->n; i++) {
        double number = p.alone ? (double)p.scores[i] : m->targets[i];
        low = fmin(low, number), high = fmax(high, number);
    }
    if (p.numbers) p.size = fmax(DBL_MIN, fmax(p.epsilon, (high - low) / 2));
    if (p.alone) p.size = fmaxl(1e-7L * p.terms + DBL_MIN, fmax(fabs(low), fabs(high)));
    compare_objectives(&p, &m->proof);
    m->proof.conditions = (double)conditions_left(&p);
    /* of rows no more than the digits of their scores leave */
    double rounded = 4 * DBL_EPSILON * (double)((p.largest + fabs(m->best)) / p.size);
    m->proof.rounded = rounded;
    m->proof.bound = fmax(fmax(CAIRN_SVM_ROUNDING, tolerance), fmin(MOST_DIGITS, rounded));
    m->proof.gap_bound =
        fmax(CAIRN_SVM_ROUNDING, (double)(allowed_gap(&p, tolerance) / m->proof.whole));
    m->proof.digits = (double)rounded_gap(&p);
    m->proof.gap_bound = fmax(m->proof.gap_bound, fmin(MOST_DIGITS, m->proof.digits));
    for (size_t i = 0; i < m->n; i++) m->rest[i] = (double)(p.scores[i] + m->constant);
    return CAIRN_OK;
}
