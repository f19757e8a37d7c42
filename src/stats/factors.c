/* SPDX-License-Identifier: MIT */
/* Factors of a matrix.
 *
 * SVD: exact, cut after g singular values.
 * Non-negative: hierarchical alternating least squares. Rows of the right factor, then columns of
 * the left one, are each set to the least-squares answer with the others held, negative numbers cut
 * to 0. The first start is the singular vectors without their signs, the others are random; the
 * start with the least error wins, the first of equals. The answer is a local minimum.
 * Boolean: factors_boolean.c. */
#include "stats/factors.h"
#include "base/memory.h"
#include "base/random.h"
#include "kernels/kernels.h"
#include "kernels/linalg.h"
#include "parallel/parallel.h"
#include "solve/solvers.h"
#include "stats/components.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* -- singular values -- */

typedef struct svd_parts {
    size_t r; /* min(n, m) */
    double *values, *left, *right;
} svd_parts;

static cairn_status run_svd(cairn_context *ctx, svd_parts *out, const double *r, size_t n, size_t m)
{
    double *copy;
    svd_parts s = {.r = n < m ? n : m};
    CHECK(SCRATCH_RAW(ctx, &copy, cairn_product(n, m)));
    CHECK(SCRATCH(ctx, &s.values, s.r));
    CHECK(SCRATCH(ctx, &s.left, cairn_product(n, s.r)));
    CHECK(SCRATCH(ctx, &s.right, cairn_product(s.r, m)));
    memcpy(copy, r, n * m * sizeof *copy);
    CHECK(cairn_svd(ctx, s.values, s.left, s.right, copy, n, m));
    *out = s;
    return CAIRN_OK;
}

static size_t rank_of(const double *values, size_t n_values, size_t n, size_t m)
{
    double least = (double)(n > m ? n : m) * DBL_EPSILON * (n_values ? values[0] : 0);
    size_t rank = 0;
    while (rank < n_values && values[rank] > least) rank++;
    return rank;
}

/* -- product and error -- */

static cairn_status multiply(cairn_context *ctx, double *product, const cairn_factors *f)
{
    SCOPED_SCRATCH(ctx);
    double *weighted;
    CHECK(SCRATCH_RAW(ctx, &weighted, cairn_product(f->g, f->m)));
    for (size_t k = 0; k < f->g; k++)
        for (size_t j = 0; j < f->m; j++)
            weighted[k * f->m + j] = f->weights[k] * f->right[k * f->m + j];
    return cairn_multiply(ctx, product, f->left, CAIRN_AS_IT_IS, weighted, CAIRN_AS_IT_IS, f->n,
                          f->g, f->m);
}

cairn_status cairn_factors_judge(cairn_context *ctx, cairn_factors *f, double **product,
                                 const double *r)
{
    svd_parts s;
    CHECK(SCRATCH_RAW(ctx, product, cairn_product(f->n, f->m)));
    CHECK(multiply(ctx, *product, f));
    if (r) {
        f->error = cairn_squared_distance(*product, r, f->n * f->m);
        f->total = cairn_dot(r, r, f->n * f->m);
    }
    if (!f->singular) {
        CHECK(run_svd(ctx, &s, r ? r : *product, f->n, f->m));
        f->singular = s.values;
        f->rank = rank_of(s.values, s.r, f->n, f->m);
    }
    return CAIRN_OK;
}

/* -- order and size of the parts -- */

static double column_length(const double *left, size_t n, size_t g, size_t k)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += left[i * g + k] * left[i * g + k];
    return sqrt(sum);
}

static void swap_parts(cairn_factors *f, size_t a, size_t b)
{
    double kept = f->weights[a];
    f->weights[a] = f->weights[b], f->weights[b] = kept;
    for (size_t i = 0; i < f->n; i++) {
        kept = f->left[i * f->g + a];
        f->left[i * f->g + a] = f->left[i * f->g + b], f->left[i * f->g + b] = kept;
    }
    for (size_t j = 0; j < f->m; j++) {
        kept = f->right[a * f->m + j];
        f->right[a * f->m + j] = f->right[b * f->m + j], f->right[b * f->m + j] = kept;
    }
}

/* The longest contribution first; of equals the one that was first. */
static void order_parts(cairn_factors *f, double *lengths)
{
    for (size_t k = 0; k < f->g; k++) {
        const double *v = f->right + k * f->m;
        lengths[k] =
            f->weights[k] * column_length(f->left, f->n, f->g, k) * sqrt(cairn_dot(v, v, f->m));
    }
    for (size_t k = 0; k + 1 < f->g; k++) {
        size_t most = k;
        for (size_t i = k + 1; i < f->g; i++)
            if (lengths[i] > lengths[most] * (1 + 1e-12)) most = i;
        if (most == k) continue;
        double kept = lengths[k];
        lengths[k] = lengths[most], lengths[most] = kept;
        swap_parts(f, k, most);
    }
}

/* -- non-negative -- */

typedef struct nonnegative_work {
    const double *r;
    const svd_parts *s;
    const cairn_factor_wish *wish;
    size_t n, m, g;
    double *left, *right; /* per start */
    double *errors, *rises;
    cairn_progress *progress;
    double total;
} nonnegative_work;

/* The singular vectors without signs, or random numbers of the right size. */
static void begin_start(const nonnegative_work *w, size_t start, double *left, double *right)
{
    double mean = 0;
    cairn_random random;
    if (start == 0) {
        for (size_t k = 0; k < w->g; k++) {
            double root = k < w->s->r ? sqrt(w->s->values[k]) : 0;
            for (size_t i = 0; i < w->n; i++)
                left[i * w->g + k] = k < w->s->r ? root * fabs(w->s->left[i * w->s->r + k]) : 0;
            for (size_t j = 0; j < w->m; j++)
                right[k * w->m + j] = k < w->s->r ? root * fabs(w->s->right[k * w->m + j]) : 0;
        }
        return;
    }
    for (size_t i = 0; i < w->n * w->m; i++) mean += w->r[i] / (double)(w->n * w->m);
    cairn_random_start(&random, w->wish->seed, start);
    for (size_t i = 0; i < w->n * w->g; i++)
        left[i] = cairn_random_uniform(&random) * sqrt(mean / (double)w->g) * 2;
    for (size_t i = 0; i < w->g * w->m; i++)
        right[i] = cairn_random_uniform(&random) * sqrt(mean / (double)w->g) * 2;
}

/* x[k] (rows of m numbers) = max(0, x[k] + (a[k] - sum_l b_kl x[l]) / b_kk), one k after another;
 * `step` is the distance between numbers of a row, `row` between rows. */
static void update(double *x, const double *a, const double *b, size_t g, size_t m, size_t row,
                   size_t step)
{
    for (size_t k = 0; k < g; k++) {
        if (!(b[k * g + k] > 0)) continue;
        for (size_t j = 0; j < m; j++) {
            double sum = a[k * row + j * step];
            for (size_t l = 0; l < g; l++) sum -= b[k * g + l] * x[l * row + j * step];
            double value = x[k * row + j * step] + sum / b[k * g + k];
            x[k * row + j * step] = value > 0 ? value : 0;
        }
    }
}

static cairn_status one_round(cairn_context *ctx, const nonnegative_work *w, double *left,
                              double *right, double *a, double *b)
{
    size_t n = w->n, m = w->m, g = w->g;
    CHECK(cairn_multiply(ctx, a, left, CAIRN_TURNED, w->r, CAIRN_AS_IT_IS, g, n, m));
    CHECK(cairn_multiply(ctx, b, left, CAIRN_TURNED, left, CAIRN_AS_IT_IS, g, n, g));
    update(right, a, b, g, m, m, 1);
    CHECK(cairn_multiply(ctx, a, w->r, CAIRN_AS_IT_IS, right, CAIRN_TURNED, n, m, g));
    CHECK(cairn_multiply(ctx, b, right, CAIRN_AS_IT_IS, right, CAIRN_TURNED, g, m, g));
    update(left, a, b, g, n, 1, g);
    return CAIRN_OK;
}

/* A start is a task with its own numbers, so that the best start does not depend on which thread
 * ran it. */
static cairn_status nonnegative_start(cairn_context *ctx, void *data, size_t start)
{
    const nonnegative_work *w = data;
    SCOPED_SCRATCH(ctx);
    size_t n = w->n, m = w->m, g = w->g;
    double *left = w->left + start * n * g, *right = w->right + start * g * m;
    double *a, *b, *product, before = INFINITY;
    cairn_progress *p = w->progress + start;
    *p = cairn_factors_progress(w->wish);
    CHECK(SCRATCH_RAW(ctx, &a, cairn_product(n > m ? n : m, g)));
    CHECK(SCRATCH_RAW(ctx, &b, g * g));
    CHECK(SCRATCH_RAW(ctx, &product, cairn_product(n, m)));
    begin_start(w, start, left, right);
    CHECK(cairn_progress_start(ctx, p, before));
    while (cairn_progress_goes_on(p)) {
        CHECK(one_round(ctx, w, left, right, a, b));
        CHECK(cairn_multiply(ctx, product, left, CAIRN_AS_IT_IS, right, CAIRN_AS_IT_IS, n, g, m));
        double error = cairn_squared_distance(product, w->r, n * m);
        w->rises[start] = fmax(w->rises[start], error - before);
        CHECK(cairn_progress_next(ctx, p, error, before - error, w->total));
        w->errors[start] = before = error;
    }
    return CAIRN_OK;
}

/* The largest entry of every part becomes 1; the sizes go to the weights. */
static void scale_parts(cairn_factors *f)
{
    for (size_t k = 0; k < f->g; k++) {
        double a = 0, b = 0;
        for (size_t i = 0; i < f->n; i++) a = fmax(a, f->left[i * f->g + k]);
        for (size_t j = 0; j < f->m; j++) b = fmax(b, f->right[k * f->m + j]);
        f->weights[k] = a * b;
        for (size_t i = 0; a > 0 && i < f->n; i++) f->left[i * f->g + k] /= a;
        for (size_t j = 0; b > 0 && j < f->m; j++) f->right[k * f->m + j] /= b;
    }
}

/* The rounds lead to local optima, hence several starts; a later start must be better by more than
 * rounding to replace an earlier one. */
static cairn_status find_nonnegative(cairn_context *ctx, cairn_factors *f, const double *r,
                                     const svd_parts *s, const cairn_factor_wish *wish)
{
    size_t starts = wish->starts + 1, best = 0;
    nonnegative_work w = {.r = r, .s = s, .wish = wish, .n = f->n, .m = f->m, .g = f->g};
    w.total = f->total;
    CHECK(SCRATCH(ctx, &w.left, cairn_product(starts, f->n * f->g)));
    CHECK(SCRATCH(ctx, &w.right, cairn_product(starts, f->g * f->m)));
    CHECK(SCRATCH(ctx, &w.errors, starts));
    CHECK(SCRATCH(ctx, &w.rises, starts));
    CHECK(SCRATCH(ctx, &w.progress, starts));
    CHECK(cairn_tasks(ctx, starts, nonnegative_start, &w));
    for (size_t i = 1; i < starts; i++)
        if (w.errors[i] < w.errors[best] * (1 - 1e-12)) best = i;
    memcpy(f->left, w.left + best * f->n * f->g, f->n * f->g * sizeof *f->left);
    memcpy(f->right, w.right + best * f->g * f->m, f->g * f->m * sizeof *f->right);
    f->converged = w.progress[best].converged;
    f->iterations = w.progress[best].iterations;
    f->n_starts = starts;
    f->best_start = best + 1;
    f->rise = w.rises[best];
    scale_parts(f);
    return CAIRN_OK;
}

/* -- all kinds -- */

static void take_svd(cairn_factors *f, const svd_parts *s)
{
    for (size_t k = 0; k < f->g; k++) {
        double *v = f->right + k * f->m;
        memcpy(v, s->right + k * f->m, f->m * sizeof *v);
        double sign = cairn_vector_sign(v, f->m, CAIRN_SIGN_FIRST) ? -1 : 1;
        for (size_t i = 0; i < f->n; i++) f->left[i * f->g + k] = sign * s->left[i * s->r + k];
        f->weights[k] = s->values[k];
    }
    f->converged = true;
}

cairn_status cairn_factors_find(cairn_context *ctx, cairn_factors *out, const double *r, size_t n,
                                size_t m, const cairn_factor_wish *wish)
{
    svd_parts s;
    double *product, *lengths;
    cairn_factors f = {.kind = wish->kind, .n = n, .m = m, .g = wish->g};
    CHECK(run_svd(ctx, &s, r, n, m));
    f.singular = s.values;
    f.rank = rank_of(s.values, s.r, n, m);
    f.total = cairn_dot(r, r, n * m);
    if (f.g == 0) f.g = f.rank ? f.rank : 1;
    CHECK(SCRATCH(ctx, &f.left, cairn_product(n, f.g)));
    CHECK(SCRATCH(ctx, &f.weights, f.g));
    CHECK(SCRATCH(ctx, &f.right, cairn_product(f.g, m)));
    if (f.kind == CAIRN_FACTORS_SVD) {
        take_svd(&f, &s);
    } else {
        CHECK(SCRATCH(ctx, &lengths, f.g));
        if (f.kind == CAIRN_FACTORS_NONNEGATIVE)
            CHECK(find_nonnegative(ctx, &f, r, &s, wish));
        else
            CHECK(cairn_boolean_factors(ctx, &f, r, wish));
        order_parts(&f, lengths);
    }
    CHECK(cairn_factors_judge(ctx, &f, &product, r));
    *out = f;
    return CAIRN_OK;
}

/* -- one new row -- */

/* Non-negative least squares by changing one number after another. */
static void nonnegative_row(double *out, const double *row, const double *weights,
                            const double *right, size_t g, size_t m, double *room)
{
    enum { ROUNDS = 2000 };
    double *a = room, *b = room + 2 * g;
    for (size_t k = 0; k < g; k++) {
        out[k] = 0;
        a[k] = weights[k] * cairn_dot(row, right + k * m, m);
        for (size_t l = 0; l < g; l++)
            b[k * g + l] = weights[k] * weights[l] * cairn_dot(right + k * m, right + l * m, m);
    }
    cairn_nonnegative_descent(out, b, a, g, 1e-12, ROUNDS);
}

void cairn_factors_row(double *out, cairn_factor_kind kind, const double *row,
                       const double *weights, const double *right, size_t g, size_t m, double *room)
{
    if (kind == CAIRN_FACTORS_NONNEGATIVE) {
        nonnegative_row(out, row, weights, right, g, m, room);
    } else if (kind == CAIRN_FACTORS_BOOLEAN) {
        memset(out, 0, g * sizeof *out);
        cairn_boolean_rows(out, row, m, 1, 1, m, weights, right, m, 1, g, room);
    } else {
        for (size_t k = 0; k < g; k++)
            out[k] = weights[k] > 0 ? cairn_dot(row, right + k * m, m) / weights[k] : 0;
    }
}
