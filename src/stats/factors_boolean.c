/* SPDX-License-Identifier: MIT */
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
#include "stats/factors.h"
#include "base/memory.h"
#include "base/random.h"
#include "kernels/kernels.h"
#include "kernels/linalg.h"
#include "parallel/parallel.h"
#include "solve/solvers.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SETS = 20000, MOST_CHOICES = 10, WEIGHT_ROUNDS = 200 };

/* -- the best 0/1 choice -- */

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
                        size_t right_column, size_t g, double *room)
{
    double *c = room, *gram = room + 2 * g;
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

/* -- turns -- */

typedef struct boolean_run {
    const double *r;
    size_t n, m, g;
    double *left;    /* n x g */
    double *turned;  /* m x g: the right factor by columns */
    double *weights; /* g */
    double *normal, *side, *room, *real;
    double error;
    cairn_progress progress;
} boolean_run;

static cairn_status run_make(cairn_context *ctx, boolean_run *run, const double *r, size_t n,
                             size_t m, size_t g)
{
    *run = (boolean_run){.r = r, .n = n, .m = m, .g = g};
    CHECK(SCRATCH(ctx, &run->left, cairn_product(n, g)));
    CHECK(SCRATCH(ctx, &run->turned, cairn_product(m, g)));
    CHECK(SCRATCH(ctx, &run->weights, g));
    CHECK(SCRATCH(ctx, &run->normal, g * g));
    CHECK(SCRATCH(ctx, &run->side, g));
    CHECK(SCRATCH(ctx, &run->room, 2 * g + g * g));
    return SCRATCH(ctx, &run->real, cairn_product(n, g));
}

static double error_of(const boolean_run *run)
{
    double error = 0;
    for (size_t i = 0; i < run->n; i++)
        for (size_t j = 0; j < run->m; j++) {
            double value = run->r[i * run->m + j];
            for (size_t k = 0; k < run->g; k++)
                value -= run->weights[k] * run->left[i * run->g + k] * run->turned[j * run->g + k];
            error += value * value;
        }
    return error;
}

/* Weights by least squares, not negative: one after another. */
static void fit_weights(boolean_run *run)
{
    size_t n = run->n, m = run->m, g = run->g;
    for (size_t k = 0; k < g; k++) {
        for (size_t l = 0; l < g; l++) {
            double rows = 0, columns = 0;
            for (size_t i = 0; i < n; i++) rows += run->left[i * g + k] * run->left[i * g + l];
            for (size_t j = 0; j < m; j++)
                columns += run->turned[j * g + k] * run->turned[j * g + l];
            run->normal[k * g + l] = rows * columns;
        }
        run->side[k] = 0;
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; run->left[i * g + k] > 0 && j < m; j++)
                run->side[k] += run->r[i * m + j] * run->turned[j * g + k];
    }
    cairn_nonnegative_descent(run->weights, run->normal, run->side, g, 1e-13, WEIGHT_ROUNDS);
}

/* Rows and weights of given patterns: real row factors R V' (V V')^-1, cut at half their size. */
static cairn_status begin_run(cairn_context *ctx, boolean_run *run)
{
    size_t n = run->n, m = run->m, g = run->g;
    double condition;
    CHECK(cairn_multiply(ctx, run->normal, run->turned, CAIRN_TURNED, run->turned, CAIRN_AS_IT_IS,
                         g, m, g));
    /* patterns that depend on each other are kept apart by a little */
    for (size_t k = 0; k < g; k++) run->normal[k * g + k] += 1e-9 * (double)m;
    CHECK(cairn_multiply(ctx, run->real, run->r, CAIRN_AS_IT_IS, run->turned, CAIRN_AS_IT_IS, n, m,
                         g));
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

/* From the patterns in `turned` until the error stays. */
static cairn_status take_turns(cairn_context *ctx, boolean_run *run, double total)
{
    size_t n = run->n, m = run->m, g = run->g;
    CHECK(begin_run(ctx, run));
    run->error = INFINITY;
    CHECK(cairn_progress_start(ctx, &run->progress, run->error));
    while (cairn_progress_goes_on(&run->progress)) {
        fit_weights(run);
        cairn_boolean_rows(run->left, run->r, m, 1, n, m, run->weights, run->turned, 1, g, g,
                           run->room);
        cairn_boolean_rows(run->turned, run->r, 1, m, m, n, run->weights, run->left, 1, g, g,
                           run->room);
        fit_weights(run);
        double error = error_of(run);
        CHECK(cairn_progress_next(ctx, &run->progress, error, run->error - error, total));
        run->error = error;
    }
    return CAIRN_OK;
}

/* -- starts -- */

typedef struct ranked {
    double mean;
    size_t row;
} ranked;

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

static void associate(uint8_t *pattern, const double *products, size_t m, size_t column, double t)
{
    double own = products[column * m + column];
    for (size_t k = 0; k < m; k++)
        pattern[k] = own > 0 && products[column * m + k] >= t * own * (1 - 1e-12);
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
    CHECK(SCRATCH(ctx, &pattern, m));
    CHECK(SCRATCH(ctx, &best, m));
    CHECK(SCRATCH(ctx, &order, n));
    memcpy(rest, run->r, n * m * sizeof *rest);
    CHECK(cairn_multiply(ctx, products, rest, CAIRN_TURNED, rest, CAIRN_AS_IT_IS, m, n, m));
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
        for (size_t j = 0; j < m; j++) run->turned[j * run->g + k] = best[j];
        CHECK(cairn_tick(ctx, NULL, 0, 1));
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

static void keep_run(cairn_factors *f, const boolean_run *run, size_t start)
{
    memcpy(f->left, run->left, f->n * f->g * sizeof *f->left);
    memcpy(f->weights, run->weights, f->g * sizeof *f->weights);
    for (size_t k = 0; k < f->g; k++)
        for (size_t j = 0; j < f->m; j++) f->right[k * f->m + j] = run->turned[j * f->g + k];
    f->error = run->error;
    f->converged = run->progress.converged;
    f->iterations = run->progress.iterations;
    f->best_start = start;
}

/* Run from the patterns in `turned` and keep the result when it is the best so far. */
static cairn_status try_start(cairn_context *ctx, cairn_factors *f, boolean_run *run)
{
    CHECK(cairn_tick(ctx, NULL, 0, 1));
    CHECK(take_turns(ctx, run, f->total));
    f->n_starts++;
    if (f->n_starts == 1 || run->error < f->error - 1e-12 * f->total) keep_run(f, run, f->n_starts);
    return CAIRN_OK;
}

static cairn_status try_all_sets(cairn_context *ctx, cairn_factors *f, boolean_run *run)
{
    size_t *set, end = (size_t)1 << f->m;
    CHECK(SCRATCH(ctx, &set, f->g));
    for (size_t k = 0; k < f->g; k++) set[k] = k + 1;
    do {
        for (size_t k = 0; k < f->g; k++)
            for (size_t j = 0; j < f->m; j++) run->turned[j * f->g + k] = set[k] >> j & 1;
        CHECK(try_start(ctx, f, run));
    } while (next_set(set, f->g, end) && f->error > 1e-14 * f->total);
    return CAIRN_OK;
}

cairn_status cairn_boolean_factors(cairn_context *ctx, cairn_factors *f, const double *r,
                                   const cairn_factor_wish *wish)
{
    boolean_run run;
    CHECK(run_make(ctx, &run, r, f->n, f->m, f->g));
    run.progress = cairn_factors_progress(wish);
    CHECK(greedy_patterns(ctx, &run));
    CHECK(try_start(ctx, f, &run));
    if (f->m <= 14 && count_sets(ldexp(1, (int)f->m) - 1, f->g, MOST_SETS) <= MOST_SETS &&
        f->g < (size_t)1 << f->m)
        CHECK(try_all_sets(ctx, f, &run));
    for (size_t s = 0; s < wish->starts; s++) {
        cairn_random random;
        cairn_random_start(&random, wish->seed, s + 1);
        for (size_t i = 0; i < f->m * f->g; i++)
            run.turned[i] = cairn_random_uniform(&random) < 0.5;
        CHECK(try_start(ctx, f, &run));
    }
    return CAIRN_OK;
}
