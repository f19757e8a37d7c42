/* SPDX-License-Identifier: MIT */
/* Factors of a matrix.
 *
 * SVD: exact, cut after g singular values.
 * Non-negative: hierarchical alternating least squares. Rows of the right factor, then columns of
 * the left one, are each set to the least-squares answer with the others held, negative numbers cut
 * to 0. The first start is the singular vectors without their signs, the others are random; the
 * start with the least error wins, the first of equals. The answer is a local minimum.
 * Boolean: factors.c. */
#include "base/memory.h"
#include "base/random.h"
#include "kernels/kernels.h"
#include "decompose/linalg.h"
#include "kernels/products.h"
#include "parallel/parallel.h"
#include "solve/solvers.h"
#include "stats/components.h"
#include "stats/factors.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
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
    const cairn_factor_options *options;
    size_t n, m, g;
    double *left, *right; /* per start */
    double *errors, *rises;
    cairn_progress *progress;
    double total;
} nonnegative_work;

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
    CHECK(cairn_multiply(ctx, a, left, CAIRN_TRANSPOSED, w->r, CAIRN_AS_IT_IS, g, n, m));
    CHECK(cairn_multiply(ctx, b, left, CAIRN_TRANSPOSED, left, CAIRN_AS_IT_IS, g, n, g));
    update(right, a, b, g, m, m, 1);
    CHECK(cairn_multiply(ctx, a, w->r, CAIRN_AS_IT_IS, right, CAIRN_TRANSPOSED, n, m, g));
    CHECK(cairn_multiply(ctx, b, right, CAIRN_AS_IT_IS, right, CAIRN_TRANSPOSED, g, m, g));
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
    *p = cairn_factors_progress(w->options);
    CHECK(SCRATCH_RAW(ctx, &a, cairn_product(n > m ? n : m, g)));
    CHECK(SCRATCH_RAW(ctx, &b, g * g));
    CHECK(SCRATCH_RAW(ctx, &product, cairn_product(n, m)));
    /* The singular vectors without signs, or random numbers of the right size. */
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
    } else {
        for (size_t i = 0; i < w->n * w->m; i++) mean += w->r[i] / (double)(w->n * w->m);
        cairn_random_start(&random, w->options->seed, start);
        for (size_t i = 0; i < w->n * w->g; i++)
            left[i] = cairn_random_uniform(&random) * sqrt(mean / (double)w->g) * 2;
        for (size_t i = 0; i < w->g * w->m; i++)
            right[i] = cairn_random_uniform(&random) * sqrt(mean / (double)w->g) * 2;
    }
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

/* The rounds lead to local optima, hence several starts; a later start must be better by more than
 * rounding to replace an earlier one. */
static cairn_status find_nonnegative(cairn_context *ctx, cairn_factors *f, const double *r,
                                     const svd_parts *s, const cairn_factor_options *options)
{
    size_t starts = options->starts + 1, best = 0;
    nonnegative_work w = {.r = r, .s = s, .options = options, .n = f->n, .m = f->m, .g = f->g};
    w.total = f->total;
    CHECK(SCRATCH(ctx, &w.left, cairn_product(starts, f->n * f->g)));
    CHECK(SCRATCH(ctx, &w.right, cairn_product(starts, f->g * f->m)));
    CHECK(SCRATCH_EACH(ctx, starts, &w.errors, &w.rises, &w.progress));
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
    /* The largest entry of every part becomes 1; the sizes go to the weights. */
    for (size_t k = 0; k < f->g; k++) {
        double a = 0, b = 0;
        for (size_t i = 0; i < f->n; i++) a = fmax(a, f->left[i * f->g + k]);
        for (size_t j = 0; j < f->m; j++) b = fmax(b, f->right[k * f->m + j]);
        f->weights[k] = a * b;
        for (size_t i = 0; a > 0 && i < f->n; i++) f->left[i * f->g + k] /= a;
        for (size_t j = 0; b > 0 && j < f->m; j++) f->right[k * f->m + j] /= b;
    }
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

typedef struct boolean_run {
    const double *r;
    size_t n, m, g;
    double *left;       /* n x g */
    double *transposed; /* m x g: the right factor by columns */
    double *weights;    /* g */
    double *normal, *side, *buffer, *real;
    double error;
    cairn_progress progress;
} boolean_run;

static cairn_status run_make(cairn_context *ctx, boolean_run *run, const double *r, size_t n,
                             size_t m, size_t g)
{
    *run = (boolean_run){.r = r, .n = n, .m = m, .g = g};
    CHECK(SCRATCH(ctx, &run->left, cairn_product(n, g)));
    CHECK(SCRATCH(ctx, &run->transposed, cairn_product(m, g)));
    CHECK(SCRATCH(ctx, &run->weights, g));
    CHECK(SCRATCH(ctx, &run->normal, g * g));
    CHECK(SCRATCH(ctx, &run->side, g));
    CHECK(SCRATCH(ctx, &run->buffer, 2 * g + g * g));
    return SCRATCH(ctx, &run->real, cairn_product(n, g));
}

typedef struct ranked {
    double mean;
    size_t row;
} ranked;

static void associate(uint8_t *pattern, const double *products, size_t m, size_t column, double t)
{
    double own = products[column * m + column];
    for (size_t k = 0; k < m; k++)
        pattern[k] = own > 0 && products[column * m + k] >= t * own * (1 - 1e-12);
}

static int by_mean(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->mean != y->mean) return x->mean < y->mean ? 1 : -1;
    return (x->row > y->row) - (x->row < y->row);
}

/* What a pattern lowers the error by, with the best rows and weight; rows are left in `order`. */
static double gain_of(const double *rest, size_t n, size_t m, const uint8_t *pattern, ranked *order,
                      size_t *count, double *weight)
{
    double size = 0, sum = 0, best = 0;
    for (size_t j = 0; j < m; j++) size += pattern[j];
    *count = 0;
    if (size == 0) return 0;
    for (size_t i = 0; i < n; i++) {
        order[i] = (ranked){0, i};
        for (size_t j = 0; j < m; j++)
            if (pattern[j]) order[i].mean += rest[i * m + j] / size;
    }
    qsort(order, n, sizeof *order, by_mean);
    for (size_t i = 0; i < n && order[i].mean > 0; i++) {
        sum += order[i].mean;
        double q = sum / (double)(i + 1), gain = size * (double)(i + 1) * q * q;
        if (gain > best * (1 + 1e-12)) best = gain, *count = i + 1, *weight = q;
    }
    return best;
}

/* g patterns by association, each with what the ones before it left over. */
static cairn_status greedy_patterns(cairn_context *ctx, boolean_run *run)
{
    static const double thresholds[] = {0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1};
    SCOPED_SCRATCH(ctx);
    size_t n = run->n, m = run->m, count;
    double *rest, *products, weight = 0;
    uint8_t *pattern, *best;
    ranked *order;
    CHECK(SCRATCH_RAW(ctx, &rest, cairn_product(n, m)));
    CHECK(SCRATCH_RAW(ctx, &products, cairn_product(m, m)));
    CHECK(SCRATCH_EACH(ctx, m, &pattern, &best));
    CHECK(SCRATCH(ctx, &order, n));
    memcpy(rest, run->r, n * m * sizeof *rest);
    CHECK(cairn_multiply(ctx, products, rest, CAIRN_TRANSPOSED, rest, CAIRN_AS_IT_IS, m, n, m));
    for (size_t k = 0; k < run->g; k++) {
        double most = 0;
        memset(best, 0, m);
        for (size_t j = 0; j < m; j++)
            for (size_t t = 0; t < sizeof thresholds / sizeof *thresholds; t++) {
                associate(pattern, products, m, j, thresholds[t]);
                double gain = gain_of(rest, n, m, pattern, order, &count, &weight);
                if (gain > most * (1 + 1e-12)) most = gain, memcpy(best, pattern, m);
            }
        (void)gain_of(rest, n, m, best, order, &count, &weight);
        for (size_t i = 0; i < count; i++)
            for (size_t j = 0; j < m; j++) rest[order[i].row * m + j] -= best[j] ? weight : 0;
        for (size_t j = 0; j < m; j++) run->transposed[j * run->g + k] = best[j];
        CHECK(cairn_tick(ctx, NULL, 0, 1));
    }
    return CAIRN_OK;
}

/* Rows and weights of given patterns: real row factors R V' (V V')^-1, cut at half their size. */
static cairn_status begin_run(cairn_context *ctx, boolean_run *run)
{
    size_t n = run->n, m = run->m, g = run->g;
    double condition;
    CHECK(cairn_multiply(ctx, run->normal, run->transposed, CAIRN_TRANSPOSED, run->transposed,
                         CAIRN_AS_IT_IS, g, m, g));
    /* patterns that depend on each other are kept apart by a little */
    for (size_t k = 0; k < g; k++) run->normal[k * g + k] += 1e-9 * (double)m;
    CHECK(cairn_multiply(ctx, run->real, run->r, CAIRN_AS_IT_IS, run->transposed, CAIRN_AS_IT_IS, n,
                         m, g));
    CHECK(cairn_solve(ctx, run->normal, g, run->real, n, &condition));
    for (size_t k = 0; k < g; k++) {
        double most = 0, sum = 0, count = 0;
        for (size_t i = 0; i < n; i++) most = fmax(most, run->real[i * g + k]);
        for (size_t i = 0; i < n; i++)
            if (run->real[i * g + k] > most / 2) sum += run->real[i * g + k], count++;
        run->weights[k] = count > 0 ? sum / count : 0;
        for (size_t i = 0; i < n; i++)
            run->left[i * g + k] = run->real[i * g + k] > run->weights[k] / 2 && count > 0;
    }
    return CAIRN_OK;
}

enum { MOST_SETS = 20000, MOST_CHOICES = 10, WEIGHT_ROUNDS = 200 };

/* Weights by least squares, not negative: one after another. */
static void fit_weights(boolean_run *run)
{
    size_t n = run->n, m = run->m, g = run->g;
    for (size_t k = 0; k < g; k++) {
        for (size_t l = 0; l < g; l++) {
            double rows = 0, columns = 0;
            for (size_t i = 0; i < n; i++) rows += run->left[i * g + k] * run->left[i * g + l];
            for (size_t j = 0; j < m; j++)
                columns += run->transposed[j * g + k] * run->transposed[j * g + l];
            run->normal[k * g + l] = rows * columns;
        }
        run->side[k] = 0;
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; run->left[i * g + k] > 0 && j < m; j++)
                run->side[k] += run->r[i * m + j] * run->transposed[j * g + k];
    }
    cairn_nonnegative_descent(run->weights, run->normal, run->side, g, 1e-13, WEIGHT_ROUNDS);
}

/* Error of choice `bits`, up to a constant. */
static double choice_error(unsigned bits, const double *c, const double *gram, size_t g)
{
    double error = 0;
    for (size_t k = 0; k < g; k++) {
        if (!(bits >> k & 1)) continue;
        error += gram[k * g + k] - 2 * c[k];
        for (size_t l = 0; l < k; l++)
            if (bits >> l & 1) error += 2 * gram[k * g + l];
    }
    return error;
}

static void try_all(double *out, const double *c, const double *gram, size_t g)
{
    unsigned best = 0;
    double least = 0, size = 0;
    for (size_t k = 0; k < g; k++) size += gram[k * g + k];
    for (unsigned bits = 1; bits < 1u << g; bits++) {
        double error = choice_error(bits, c, gram, g);
        if (error < least - 1e-12 * size) least = error, best = bits;
    }
    for (size_t k = 0; k < g; k++) out[k] = best >> k & 1;
}

/* Change the number that helps most while one does. */
static void try_single(double *out, const double *c, const double *gram, size_t g)
{
    for (size_t rounds = 0; rounds < 4 * g; rounds++) {
        size_t best = g;
        double most = 1e-12;
        for (size_t k = 0; k < g; k++) {
            double others = 0;
            for (size_t l = 0; l < g; l++)
                if (l != k) others += gram[k * g + l] * out[l];
            double with = gram[k * g + k] - 2 * c[k] + 2 * others;
            double gain = out[k] > 0 ? with : -with;
            if (gain > most * (1 + gram[k * g + k])) most = gain, best = k;
        }
        if (best == g) return;
        out[best] = 1 - out[best];
    }
}

void cairn_boolean_rows(double *out, const double *r, size_t r_row, size_t r_column, size_t n,
                        size_t m, const double *weights, const double *right, size_t right_row,
                        size_t right_column, size_t g, double *buffer)
{
    double *c = buffer, *gram = buffer + 2 * g;
    for (size_t k = 0; k < g; k++)
        for (size_t l = 0; l < g; l++) {
            double sum = 0;
            for (size_t j = 0; j < m; j++)
                sum += right[k * right_row + j * right_column] *
                       right[l * right_row + j * right_column];
            gram[k * g + l] = weights[k] * weights[l] * sum;
        }
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < g; k++) {
            c[k] = 0;
            for (size_t j = 0; j < m; j++)
                c[k] += r[i * r_row + j * r_column] * right[k * right_row + j * right_column];
            c[k] *= weights[k];
        }
        if (g <= MOST_CHOICES)
            try_all(out + i * g, c, gram, g);
        else
            try_single(out + i * g, c, gram, g);
    }
}

/* From the patterns in `transposed` until the error stays. */
static cairn_status take_turns(cairn_context *ctx, boolean_run *run, double total)
{
    size_t n = run->n, m = run->m, g = run->g;
    CHECK(begin_run(ctx, run));
    run->error = INFINITY;
    CHECK(cairn_progress_start(ctx, &run->progress, run->error));
    while (cairn_progress_goes_on(&run->progress)) {
        fit_weights(run);
        cairn_boolean_rows(run->left, run->r, m, 1, n, m, run->weights, run->transposed, 1, g, g,
                           run->buffer);
        cairn_boolean_rows(run->transposed, run->r, 1, m, m, n, run->weights, run->left, 1, g, g,
                           run->buffer);
        fit_weights(run);
        double error = 0;
        for (size_t i = 0; i < run->n; i++)
            for (size_t j = 0; j < run->m; j++) {
                double value = run->r[i * run->m + j];
                for (size_t k = 0; k < run->g; k++)
                    value -= run->weights[k] * run->left[i * run->g + k] *
                             run->transposed[j * run->g + k];
                error += value * value;
            }
        CHECK(cairn_progress_next(ctx, &run->progress, error, run->error - error, total));
        run->error = error;
    }
    return CAIRN_OK;
}

/* Run from the patterns in `transposed` and keep the result when it is the best so far. */
static cairn_status try_start(cairn_context *ctx, cairn_factors *f, boolean_run *run)
{
    CHECK(cairn_tick(ctx, NULL, 0, 1));
    CHECK(take_turns(ctx, run, f->total));
    f->n_starts++;
    if (f->n_starts == 1 || run->error < f->error - 1e-12 * f->total) {
        size_t start = f->n_starts;
        memcpy(f->left, run->left, f->n * f->g * sizeof *f->left);
        memcpy(f->weights, run->weights, f->g * sizeof *f->weights);
        for (size_t k = 0; k < f->g; k++)
            for (size_t j = 0; j < f->m; j++)
                f->right[k * f->m + j] = run->transposed[j * f->g + k];
        f->error = run->error;
        f->converged = run->progress.converged;
        f->iterations = run->progress.iterations;
        f->best_start = start;
    }
    return CAIRN_OK;
}

/* How many sets of g out of `from` there are, at most `most` + 1. */
static double count_sets(double from, size_t g, double most)
{
    double sets = 1;
    for (size_t k = 0; k < g && sets <= most; k++)
        sets = sets * (from - (double)k) / (double)(k + 1);
    return sets;
}

/* The next set of g numbers below `end` in order; false after the last. */
static bool next_set(size_t *set, size_t g, size_t end)
{
    for (size_t k = g; k-- > 0;) {
        if (set[k] + (g - k) >= end) continue;
        set[k]++;
        for (size_t l = k + 1; l < g; l++) set[l] = set[l - 1] + 1;
        return true;
    }
    return false;
}

static cairn_status try_all_sets(cairn_context *ctx, cairn_factors *f, boolean_run *run)
{
    size_t *set, end = (size_t)1 << f->m;
    CHECK(SCRATCH(ctx, &set, f->g));
    for (size_t k = 0; k < f->g; k++) set[k] = k + 1;
    do {
        for (size_t k = 0; k < f->g; k++)
            for (size_t j = 0; j < f->m; j++) run->transposed[j * f->g + k] = set[k] >> j & 1;
        CHECK(try_start(ctx, f, run));
    } while (next_set(set, f->g, end) && f->error > 1e-14 * f->total);
    return CAIRN_OK;
}

cairn_status cairn_boolean_factors(cairn_context *ctx, cairn_factors *f, const double *r,
                                   const cairn_factor_options *options)
{
    boolean_run run;
    CHECK(run_make(ctx, &run, r, f->n, f->m, f->g));
    run.progress = cairn_factors_progress(options);
    CHECK(greedy_patterns(ctx, &run));
    CHECK(try_start(ctx, f, &run));
    if (f->m <= 14 && count_sets(ldexp(1, (int)f->m) - 1, f->g, MOST_SETS) <= MOST_SETS &&
        f->g < (size_t)1 << f->m)
        CHECK(try_all_sets(ctx, f, &run));
    for (size_t s = 0; s < options->starts; s++) {
        cairn_random random;
        cairn_random_start(&random, options->seed, s + 1);
        for (size_t i = 0; i < f->m * f->g; i++)
            run.transposed[i] = cairn_random_uniform(&random) < 0.5;
        CHECK(try_start(ctx, f, &run));
    }
    return CAIRN_OK;
}

cairn_status cairn_factors_find(cairn_context *ctx, cairn_factors *out, const double *r, size_t n,
                                size_t m, const cairn_factor_options *options)
{
    svd_parts s;
    double *product, *lengths;
    cairn_factors f = {.kind = options->kind, .n = n, .m = m, .g = options->g};
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
            CHECK(find_nonnegative(ctx, &f, r, &s, options));
        else
            CHECK(cairn_boolean_factors(ctx, &f, r, options));
        order_parts(&f, lengths);
    }
    CHECK(cairn_factors_judge(ctx, &f, &product, r));
    *out = f;
    return CAIRN_OK;
}

/* -- one new row -- */

void cairn_factors_row(double *out, cairn_factor_kind kind, const double *row,
                       const double *weights, const double *right, size_t g, size_t m,
                       double *buffer)
{
    if (kind == CAIRN_FACTORS_NONNEGATIVE) {
        /* Non-negative least squares by changing one number after another. */
        enum { ROUNDS = 2000 };
        double *a = buffer, *b = buffer + 2 * g;
        for (size_t k = 0; k < g; k++) {
            out[k] = 0;
            a[k] = weights[k] * cairn_dot(row, right + k * m, m);
            for (size_t l = 0; l < g; l++)
                b[k * g + l] = weights[k] * weights[l] * cairn_dot(right + k * m, right + l * m, m);
        }
        cairn_nonnegative_descent(out, b, a, g, 1e-12, ROUNDS);
    } else if (kind == CAIRN_FACTORS_BOOLEAN) {
        memset(out, 0, g * sizeof *out);
        cairn_boolean_rows(out, row, m, 1, 1, m, weights, right, m, 1, g, buffer);
    } else {
        for (size_t k = 0; k < g; k++)
            out[k] = weights[k] > 0 ? cairn_dot(row, right + k * m, m) / weights[k] : 0;
    }
}

/* Boolean factors with weights: R ~ sum_k w_k u_k v_k' with u_k and v_k of 0 and 1, w_k >= 0.
 *
 * A start is a set of g patterns v (rows of the right factor):
 * 1. by association: column j and a threshold t give the pattern of all columns k with
 *    <r_j, r_k> / <r_j, r_j> >= t. Patterns are taken one after the other; each time the one that
 *    lowers the error most, with its best rows and weight: for the rows in falling order of their
 *    mean over the pattern, the first c with mean q lower the error by size * c * q^2.
 * 2. every set of g different patterns, when there are at most MOST_SETS of them (tiny tables);
 * 3. random ones.
 * From a start: real row factors by least squares give the first weights and rows; then weights
 * (least squares, not negative), rows and patterns (the best 0/1 choice given the rest) take turns
 * until the error stays. The start with the least error wins, the first of equals. Each turn lowers
 * the error, so the search ends; the answer is a local minimum. */

/* -- the proof of factors: cell by cell, at about the cost of a round -- */

/* R v = s u of every part, as a part of the largest s. */
static double singular_left(const cairn_factors *f, const double *r)
{
    double most = 0, largest = 0;
    for (size_t k = 0; k < f->g; k++) {
        largest = fmax(largest, f->weights[k]);
        for (size_t i = 0; i < f->n; i++) {
            double sum = -f->weights[k] * f->left[i * f->g + k];
            for (size_t j = 0; j < f->m; j++) sum += r[i * f->m + j] * f->right[k * f->m + j];
            most = fmax(most, fabs(sum));
        }
    }
    return most > 0 ? most / largest : 0;
}

/* A number of the left factor that is 0 may only be pushed down, another not at all. */
static double conditions_left(const cairn_factors *f, const double *r, const double *off)
{
    double most = 0;
    for (size_t i = 0; i < f->n; i++)
        for (size_t k = 0; k < f->g; k++) {
            double push = 0, size = 0;
            for (size_t j = 0; j < f->m; j++) {
                double x = f->right[k * f->m + j];
                push += off[i * f->m + j] * x;
                size += r[i * f->m + j] * x;
            }
            if (!(f->left[i * f->g + k] > 0)) push = fmax(push, 0);
            if (size > 0) most = fmax(most, fabs(push) / size);
        }
    return most;
}

cairn_status cairn_factors_prove(cairn_context *ctx, cairn_certificate *out, const cairn_factors *f,
                                 const double *r)
{
    SCOPED_SCRATCH(ctx);
    double *off, error = 0;
    CHECK(SCRATCH_RAW(ctx, &off, cairn_product(f->n, f->m)));
    /* off (n x m) = what the product lacks of R. */
    for (size_t i = 0; i < f->n; i++)
        for (size_t j = 0; j < f->m; j++) {
            double sum = 0;
            for (size_t k = 0; k < f->g; k++)
                sum += f->left[i * f->g + k] * f->weights[k] * f->right[k * f->m + j];
            off[i * f->m + j] = r[i * f->m + j] - sum;
        }
    for (size_t i = 0; i < f->n * f->m; i++) error += off[i] * off[i];
    double apart = fmax(f->rise, fabs(error - f->error));
    cairn_certify(out, CAIRN_PROOF_FALL, apart > 0 ? apart / f->total : 0, 1e-9);
    if (f->kind == CAIRN_FACTORS_SVD)
        cairn_certify(out, CAIRN_PROOF_RESIDUAL, singular_left(f, r), 1e-10);
    if (f->kind == CAIRN_FACTORS_NONNEGATIVE)
        cairn_certify(out, CAIRN_PROOF_CONDITIONS, conditions_left(f, r, off), INFINITY);
    return CAIRN_OK;
}
