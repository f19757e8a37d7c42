/* SPDX-License-Identifier: MIT */
/* Support vector machines of few rows, solved exactly but for rounding: by an active set over the
 * whole kernel matrix.
 *
 * A hard margin (C infinite) has a solution only where the classes can be separated; else the
 * least total violation of y f >= 1 is found by linear programming and told. With C (Σ ξ)^k as the
 * cost of errors the conditions are those of the usual machine with the cost c = C k S^(k-1), where
 * S is the sum of its slacks: S falls while c rises, so that there is one such c, and halving finds
 * it. */
#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "kernels/kernels.h"
#include "learners/kernel/svm_fit.h"
#include "solve/certificate.h"
#include "solve/constrained.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { HALVINGS = 200, REFINES = 60 };

typedef struct exact {
    const cairn_svm_fitting *f;
    cairn_svm_problem *m;
    cairn_pairs *pairs;
    cairn_wide *gram;  /* n x n */
    cairn_quad *beta;  /* of the pairs, with all digits */
    double *start;     /* β at which the problem begins */
    double *points;    /* linear kernel: n x p, less their means; else NULL */
    cairn_wide *means; /* p */
    double *ridges;    /* n: what a squared loss adds to the diagonal; NULL = nothing */
    size_t p;
} exact;

bool cairn_svm_is_small(const cairn_svm_fitting *f, const cairn_svm_problem *m)
{
    bool wide =
        f->params->slack_power > 1 || isinf(f->params->c) || f->params->solver == CAIRN_SVM_EXACTLY;
    if (f->params->solver == CAIRN_SVM_BY_PAIRS) return false;
    return m->n <= (wide ? CAIRN_SVM_EXACT_MOST : CAIRN_SVM_EXACT_ROWS);
}

/* -- classes that are to be separated -- */

/* What a plane is sought over: the coordinates of a linear kernel, else the rows of the matrix. */
static cairn_status list_points(cairn_context *ctx, const cairn_svm_fitting *f,
                                const cairn_kernel_rows *rows, double **out, size_t *p)
{
    bool linear =
        cairn_kernel_kind_of(&f->kernel) == CAIRN_KERNEL_LINEAR && rows->n_terms < rows->n;
    *p = linear ? rows->n_terms : rows->n;
    CHECK(SCRATCH_RAW(ctx, out, cairn_product(rows->n, *p) + 1));
    if (!linear) return cairn_kernel_gram(ctx, &f->kernel, rows, false, *out);
    for (size_t i = 0; i < rows->n; i++) cairn_kernel_rows_read(rows, i, *out + i * *p);
    return CAIRN_OK;
}

/* Rows whose classes the plane with the least violation cannot serve. */
static void add_rows(cairn_text *text, const cairn_svm_fitting *f, const cairn_svm_problem *m,
                     const double *points, size_t p, const double *plane)
{
    size_t reported = 0;
    for (size_t i = 0; i < m->n && reported < 6; i++) {
        double score = plane[p] + cairn_dot(plane, points + i * p, p);
        if (m->targets[i] * score >= 1 - 1e-6) continue;
        size_t row = m->which ? m->which[i] : i;
        cairn_text_addf(text, "%s%zu", reported ? ", " : "",
                        cairn_view_row(f->job->view, f->used[row]) + 1);
        reported++;
    }
}

cairn_status cairn_svm_check_separable(cairn_context *ctx, const cairn_svm_fitting *f,
                                       const cairn_svm_problem *m, const cairn_kernel_rows *rows)
{
    cairn_least_violation least;
    char number[CAIRN_NUMBER_SIZE];
    double *points;
    size_t p;
    SCOPED(cairn_text_clear) cairn_text list = cairn_text_start(ctx);
    SCOPED_SCRATCH(ctx);
    if (!isinf(f->params->c) || f->params->type != CAIRN_SVM_C || f->job->task != CAIRN_CLASSIFY)
        return CAIRN_OK;
    if (rows->layout == CAIRN_KERNEL_FLOATS) return CAIRN_OK;
    CHECK(list_points(ctx, f, rows, &points, &p));
    CHECK(cairn_separate(ctx, &least, points, m->targets, m->n, p, CAIRN_SEPARATE_TINY));
    cairn_certificate proof = {.remedy = "scale the columns"};
    cairn_separate_certify(&least, &proof);
    CHECK(cairn_certificate_judge(ctx, &proof, "separability"));
    if (least.separable) return CAIRN_OK;
    cairn_number_format(number, least.violation, 6);
    add_rows(&list, f, m, points, p, least.plane);
    CHECK(cairn_text_status(&list));
    return cairn_fail(ctx, CAIRN_NO_SOLUTION,
                      "no boundary of this kernel separates the classes, so that there is no hard "
                      "margin: the least total violation of y f(x) >= 1 is %s (row %s); allow "
                      "errors by a finite cost, such as {c 1}, or take another {kernel}",
                      number, cairn_text_string(&list));
}

/* -- the program -- */

/* The products of points less their means, with all digits. */
static void fill_products(exact *e)
{
    size_t n = e->m->n, p = e->p;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            cairn_wide sum = 0;
            for (size_t t = 0; t < p; t++)
                sum += (e->points[i * p + t] - e->means[t]) * (e->points[j * p + t] - e->means[t]);
            e->gram[i * n + j] = e->gram[j * n + i] = sum;
        }
}

/* The matrix of a linear kernel. The sum of β is 0, so that the means change nothing else. */
static cairn_status linear_gram(cairn_context *ctx, exact *e, const cairn_kernel_rows *rows)
{
    size_t n = rows->n, p = rows->n_terms;
    bool centred = e->f->params->type != CAIRN_SVM_ONE_CLASS;
    e->p = p;
    CHECK(SCRATCH_RAW(ctx, &e->points, cairn_product(n, p) + 1));
    CHECK(SCRATCH(ctx, &e->means, p + 1));
    for (size_t i = 0; i < n; i++) {
        cairn_kernel_rows_read(rows, i, e->points + i * p);
        for (size_t t = 0; t < p && centred; t++)
            e->means[t] += (cairn_wide)e->points[i * p + t] / (cairn_wide)n;
    }
    fill_products(e);
    return CAIRN_OK;
}

static cairn_status fill_gram(cairn_context *ctx, exact *e, const cairn_kernel_rows *rows)
{
    size_t n = cairn_product(rows->n, rows->n);
    double *gram;
    CHECK(SCRATCH_RAW(ctx, &e->gram, n + 1));
    if (e->m->weights) return linear_gram(ctx, e, rows);
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH_RAW(ctx, &gram, n + 1));
    CHECK(cairn_kernel_gram(ctx, &e->f->kernel, rows, false, gram));
    for (size_t i = 0; i < n; i++) e->gram[i] = gram[i];
    return CAIRN_OK;
}

static size_t point_of(const exact *e, size_t v)
{
    return v < e->m->n ? v : v - e->m->n;
}

/* The weights with all of their digits, and everything moved back to the points' own place. */
static void set_weights(exact *e)
{
    cairn_pairs *p = e->pairs;
    cairn_wide back = 0;
    for (size_t t = 0; t < e->p; t++) {
        cairn_quad sum = 0;
        for (size_t v = 0; v < p->n; v++)
            sum += e->beta[v] * ((cairn_quad)e->points[point_of(e, v) * e->p + t] - e->means[t]);
        e->m->weights[t] = (double)sum;
        back += (cairn_wide)sum * e->means[t];
    }
    for (size_t v = 0; v < p->n; v++) p->rest[v] -= (double)back;
    for (size_t g = 0; g < 2; g++) {
        p->groups[g].top -= (double)back;
        p->groups[g].bottom -= (double)back;
        p->groups[g].middle -= (double)back;
    }
}

static cairn_status check_ending(cairn_context *ctx, cairn_ending ending)
{
    if (ending != CAIRN_ENDING_UNBOUNDED) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_NO_SOLUTION,
                      "the multipliers grow beyond all bounds: no boundary separates the "
                      "classes by more than rounding; allow errors by a finite cost, such as "
                      "{c 1}");
}

static cairn_status solve(cairn_context *ctx, exact *e)
{
    cairn_ending ending;
    memcpy(e->pairs->beta, e->start, e->pairs->n * sizeof *e->start);
    CHECK(cairn_pairs_exact(ctx, e->pairs, e->gram, &ending, e->beta));
    return check_ending(ctx, ending);
}

/* b - Kβ of the pairs with all digits. The weights of large multipliers are small: their terms
 * cancel, and so do those of the sum over the matrix. */
static cairn_status find_rest(cairn_context *ctx, const exact *e, cairn_quad *rest)
{
    const cairn_pairs *p = e->pairs;
    size_t n = e->m->n;
    cairn_quad *weights, *scores;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH(ctx, &weights, e->p + 1));
    CHECK(SCRATCH(ctx, &scores, n + 1));
    for (size_t v = 0; v < p->n; v++) {
        size_t i = point_of(e, v);
        for (size_t t = 0; e->points && e->beta[v] != 0 && t < e->p; t++)
            weights[t] += e->beta[v] * ((cairn_quad)e->points[i * e->p + t] - e->means[t]);
        for (size_t j = 0; !e->points && e->beta[v] != 0 && j < n; j++)
            scores[j] += e->beta[v] * e->gram[i * n + j];
    }
    for (size_t i = 0; e->points && i < n; i++)
        for (size_t t = 0; t < e->p; t++)
            scores[i] += weights[t] * ((cairn_quad)e->points[i * e->p + t] - e->means[t]);
    for (size_t v = 0; v < p->n; v++) {
        rest[v] = p->linear[v] - scores[point_of(e, v)];
        if (e->points && e->ridges) rest[v] -= e->beta[v] * e->ridges[v];
    }
    return CAIRN_OK;
}

/* The sum of β is 0. Where it has lost its last digits a number within its bounds, the largest one
 * of the last group, gives them back. */
static void keep_sum(const exact *e)
{
    const cairn_pairs *p = e->pairs;
    size_t found = p->n;
    cairn_quad sum = 0;
    if (e->f->params->type == CAIRN_SVM_ONE_CLASS) return;
    for (size_t v = 0; v < p->n; v++) {
        double beta = p->beta[v];
        sum += e->beta[v];
        if (v < p->split || beta == 0 || beta <= p->lower[v] || beta >= p->upper[v]) continue;
        if (found == p->n || fabs(beta) > fabs(p->beta[found])) found = v;
    }
    if (found < p->n) e->beta[found] -= sum;
}

/* The active set from its own end, where sums of wide numbers had too few digits. */
static cairn_status refine(cairn_context *ctx, exact *e)
{
    const cairn_pairs *p = e->pairs;
    cairn_quad *rest;
    cairn_ending ending;
    double size = 0;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH_RAW(ctx, &rest, p->n + 1));
    for (size_t v = 0; v < p->n; v++) size = fmax(size, fmax(fabs(p->linear[v]), fabs(p->rest[v])));
    for (int round = 0; round < REFINES; round++) {
        double off = 0;
        CHECK(find_rest(ctx, e, rest));
        for (size_t v = 0; v < p->n; v++) off = fmax(off, fabs((double)(rest[v] - p->rest[v])));
        if (!(off > 1e-13 * size)) break;
        keep_sum(e);
        CHECK(find_rest(ctx, e, rest));
        CHECK(cairn_pairs_refine(ctx, e->pairs, e->gram, rest, &ending, e->beta));
        CHECK(check_ending(ctx, ending));
    }
    return CAIRN_OK;
}

/* What the model is made of. */
static void hand_out(exact *e)
{
    cairn_pairs *p = e->pairs;
    /* of two large multipliers of a row the difference counts, before it is rounded */
    if (e->points) set_weights(e);
    for (size_t v = e->m->n; v < p->n; v++) {
        e->beta[v - e->m->n] += e->beta[v];
        p->beta[v - e->m->n] = (double)e->beta[v - e->m->n];
        p->beta[v] = 0;
    }
    if (e->points) e->m->exact = e->beta;
}

/* -- C (Σ ξ)^k -- */

/* What the slacks add up to, each as heavy as its row. */
static double slacks(const exact *e)
{
    const cairn_pairs *p = e->pairs;
    bool numbers = e->f->job->task == CAIRN_REGRESS;
    double sum = 0, constant = p->groups[0].middle;
    for (size_t i = 0; i < e->m->n; i++) {
        double rest = p->rest[i] - constant;
        double over = numbers ? fabs(rest) - p->width : e->m->targets[i] * rest;
        if (over > 0) sum += over * (e->m->bounds[i] / e->f->params->c);
    }
    return sum;
}

/* The cost c at which C k S^(k-1) is c: doubled until it is passed, then halved in between. */
static cairn_status solve_power(cairn_context *ctx, exact *e)
{
    double *lower, *upper, low = 0, high = e->f->params->c, k = e->f->params->slack_power;
    bool inside = false;
    CHECK(SCRATCH_EACH(ctx, e->m->n, &lower, &upper));
    e->pairs->lower = lower;
    e->pairs->upper = upper;
    for (int round = 0; round < HALVINGS && (!inside || high - low > 1e-13 * high); round++) {
        double c = inside ? low / 2 + high / 2 : high;
        /* The bounds of a machine whose errors cost c. */
        double factor = c / e->f->params->c;
        for (size_t i = 0; i < e->m->n; i++) {
            double bound = e->m->bounds[i] * factor;
            bool both = e->f->job->task == CAIRN_REGRESS;
            lower[i] = both || e->m->targets[i] < 0 ? -bound : 0;
            upper[i] = both || e->m->targets[i] > 0 ? bound : 0;
        }
        e->m->power_cost = c;
        CHECK(solve(ctx, e));
        if (e->points) CHECK(refine(ctx, e)); /* the slacks are what large multipliers leave */
        double asked = e->f->params->c * k * cairn_pow(slacks(e), k - 1);
        if (asked <= c) {
            high = c;
            inside = true;
        } else {
            low = c;
            if (!inside) high = 2 * c;
        }
    }
    for (size_t i = 0; i < e->m->n; i++) e->m->bounds[i] *= e->m->power_cost / e->f->params->c;
    return CAIRN_OK;
}

/* -- a squared loss -- */

/* C slack² has no bound on β, and adds β²/4C to the dual problem. */
static cairn_status square_losses(cairn_context *ctx, exact *e)
{
    cairn_pairs *p = e->pairs;
    size_t n = e->m->n;
    double *lower, *upper;
    CHECK(SCRATCH_RAW_EACH(ctx, p->n + 1, &lower, &upper));
    CHECK(SCRATCH(ctx, &e->ridges, n + 1));
    for (size_t i = 0; i < n; i++) {
        lower[i] = p->lower[i] < 0 ? -INFINITY : 0;
        upper[i] = p->upper[i] > 0 ? INFINITY : 0;
        if (isfinite(e->m->bounds[i])) e->ridges[i] = 1 / (2 * e->m->bounds[i]);
        e->gram[i * n + i] += e->ridges[i];
    }
    p->lower = lower;
    p->upper = upper;
    return CAIRN_OK;
}

/* -- machines whose constant is the weight of a column of ones -- */

cairn_status cairn_svm_finish_rows(cairn_context *ctx, const cairn_svm_fitting *f,
                                   cairn_svm_problem *m, double *points, size_t p, double clear)
{
    double *linear, *lower, *upper;
    cairn_pairs pairs = {.n = m->n, .n_points = m->n, .beta = m->betas, .rest = m->rest};
    exact e = {.f = f, .m = m, .pairs = &pairs, .points = points, .p = p};
    CHECK(SCRATCH_RAW_EACH(ctx, m->n + 1, &linear, &lower, &upper, &e.start, &e.beta));
    CHECK(SCRATCH_RAW(ctx, &e.gram, cairn_product(m->n, m->n) + 1));
    CHECK(SCRATCH(ctx, &e.means, p + 1));
    for (size_t i = 0; i < m->n; i++) {
        double t = m->targets[i];
        linear[i] = t * (1 + clear);
        lower[i] = t > 0 ? 0 : -m->bounds[i];
        upper[i] = t < 0 ? 0 : m->bounds[i];
        e.start[i] = m->betas[i];
    }
    lower[0] = -m->bounds[0], upper[0] = m->bounds[0];
    pairs.linear = linear, pairs.lower = lower, pairs.upper = upper;
    fill_products(&e);
    if (f->params->loss == CAIRN_SVM_SQUARED) CHECK(square_losses(ctx, &e));
    CHECK(solve(ctx, &e));
    CHECK(refine(ctx, &e));
    hand_out(&e);
    return CAIRN_OK;
}

cairn_status cairn_svm_solve_exact(cairn_context *ctx, const cairn_svm_fitting *f,
                                   cairn_svm_problem *m, const cairn_kernel_rows *rows,
                                   cairn_pairs *pairs)
{
    exact e = {.f = f, .m = m, .pairs = pairs};
    CHECK(SCRATCH_RAW_EACH(ctx, pairs->n + 1, &e.start, &e.beta));
    CHECK(fill_gram(ctx, &e, rows));
    memcpy(e.start, pairs->beta, pairs->n * sizeof *e.start);
    if (f->params->loss == CAIRN_SVM_SQUARED) CHECK(square_losses(ctx, &e));
    if (f->params->slack_power > 1 && f->params->type == CAIRN_SVM_C)
        CHECK(solve_power(ctx, &e));
    else
        CHECK(solve(ctx, &e));
    CHECK(refine(ctx, &e));
    hand_out(&e);
    return CAIRN_OK;
}

cairn_status cairn_svm_refuse_large(cairn_context *ctx, const cairn_svm_fitting *f, size_t n)
{
    if (f->params->slack_power > 1)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{slack-power} above 1 is for up to %d rows, and there are %zu; take a "
                          "sample, or {slack-power 1}",
                          CAIRN_SVM_EXACT_MOST, n);
    if (f->params->solver == CAIRN_SVM_EXACTLY)
        return cairn_fail(
            ctx, CAIRN_USAGE,
            "{solver exact} is for up to %d rows of a machine, and there are %zu; take "
            "{solver pairs}",
            CAIRN_SVM_EXACT_MOST, n);
    return CAIRN_OK;
}

cairn_status cairn_svm_check_hard(cairn_context *ctx, const cairn_svm_fitting *f,
                                  const cairn_pairs *pairs)
{
    if (pairs->converged || !isinf(f->params->c) || f->params->type != CAIRN_SVM_C) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_NO_SOLUTION,
                      "no hard margin was found within %zu steps; take {solver exact}, raise "
                      "{max-iter}, or allow errors by a finite cost, such as {c 1}",
                      pairs->steps);
}

/* -- the constant -- */

double cairn_svm_constant(const cairn_svm_params *params, const cairn_pairs *p,
                          const double *targets)
{
    double least = INFINITY, most = -INFINITY;
    if (params->bias_from == CAIRN_SVM_FREE || p->split || p->width > 0) return p->groups[0].middle;
    for (size_t i = 0; i < p->n; i++) {
        double score = p->linear[i] - p->rest[i]; /* without a constant */
        bool free = p->beta[i] > p->lower[i] && p->beta[i] < p->upper[i];
        if (params->bias_from == CAIRN_SVM_FIRST && free && p->beta[i] != 0) return p->rest[i];
        if (targets[i] > 0)
            least = fmin(least, score);
        else
            most = fmax(most, score);
    }
    if (params->bias_from == CAIRN_SVM_FIRST) return p->groups[0].middle;
    return -(least / 2 + most / 2);
}
