/* SPDX-License-Identifier: MIT */
/* Gaussian elimination with row exchanges, by halves of the columns (Toledo 1997; Golub & Van Loan,
 * section 3.4): PA = LU with the ones of L left out. */
#include "base/memory.h"
#include "decompose/linalg.h"
#include "decompose/parts.h"
#include "kernels/kernels.h"
#include "kernels/products.h"
#include <math.h>

/* The factors in place of A, and the row that row i changed places with. */
typedef struct factors {
    double *a;
    size_t n, *swapped;
} factors;

static void swap_numbers(double *x, double *y, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double kept = x[i];
        x[i] = y[i];
        y[i] = kept;
    }
}

/* Columns [from, to), of which rows from `from` on are left; whole rows change places. */
static void eliminate_leaf(const factors *f, size_t from, size_t to)
{
    size_t n = f->n;
    for (size_t k = from; k < to; k++) {
        size_t best = k;
        for (size_t i = k + 1; i < n; i++)
            if (fabs(f->a[i * n + k]) > fabs(f->a[best * n + k])) best = i;
        f->swapped[k] = best;
        if (best != k) swap_numbers(f->a + k * n, f->a + best * n, n);
        const double *row = f->a + k * n;
        for (size_t i = k + 1; i < n && row[k] != 0; i++) {
            double *restrict below = f->a + i * n;
            below[k] /= row[k];
            for (size_t j = k + 1; j < to; j++) below[j] -= below[k] * row[j];
        }
    }
}

/* The depth is the logarithm of n. */
static cairn_status eliminate(cairn_context *ctx, const factors *f, size_t from, size_t to)
{
    enum { LEAF = 8 };
    size_t n = f->n, middle = from + (to - from) / 2;
    CHECK(cairn_tick(ctx, NULL, 0, 0));
    if (to - from <= LEAF) {
        eliminate_leaf(f, from, to);
        return CAIRN_OK;
    }
    CHECK(eliminate(ctx, f, from, middle));
    cairn_triangle l = {.at = f->a + from * n + from, .n = middle - from, .row = n, .column = 1};
    l.lower = l.unit = true;
    double *right = f->a + from * n + middle;
    CHECK(cairn_triangle_solve(ctx, &l, right, n, to - middle));
    cairn_matmul p = {.m = n - middle, .n = to - middle, .k = middle - from, .alpha = -1};
    p.a = f->a + middle * n + from, p.a_i = n, p.a_k = 1, p.b = right, p.b_k = n, p.b_j = 1;
    p.c = f->a + middle * n + middle, p.c_i = n;
    CHECK(cairn_matmul_run(ctx, &p));
    return eliminate(ctx, f, middle, to);
}

static void inverse_times(const void *data, double *x, bool transposed)
{
    const factors *f = data;
    cairn_triangle u = {.at = f->a, .n = f->n, .row = f->n, .column = 1}, l = u;
    l.lower = l.unit = true;
    cairn_triangle first = transposed ? cairn_triangle_turned(u) : l;
    cairn_triangle second = transposed ? cairn_triangle_turned(l) : u;
    for (size_t i = 0; !transposed && i < f->n; i++) swap_numbers(x + i, x + f->swapped[i], 1);
    cairn_triangle_solve_vector(&first, x);
    cairn_triangle_solve_vector(&second, x);
    for (size_t i = f->n; transposed && i-- > 0;) swap_numbers(x + i, x + f->swapped[i], 1);
}

/* The largest sum of absolute values in a column. */
static double column_norm(const double *a, size_t n, double *sums)
{
    double norm = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) sums[j] += fabs(a[i * n + j]);
    for (size_t j = 0; j < n; j++) norm = fmax(norm, sums[j]);
    return norm;
}

cairn_status cairn_solve(cairn_context *ctx, double *a, size_t n, double *b, size_t n_right,
                         double *condition)
{
    SCOPED_SCRATCH(ctx);
    factors f = {.a = a, .n = n};
    double *sums;
    *condition = n ? 0 : 1;
    if (n == 0) return CAIRN_OK;
    CHECK(cairn_check_finite(ctx, a, n * n));
    CHECK(SCRATCH(ctx, &sums, n));
    CHECK(SCRATCH_RAW(ctx, &f.swapped, n));
    double norm = column_norm(a, n, sums);
    CHECK(eliminate(ctx, &f, 0, n));
    for (size_t i = 0; i < n; i++)
        if (a[i * n + i] == 0) return CAIRN_OK;
    for (size_t k = 0; k < n_right; k++) {
        CHECK(cairn_tick(ctx, NULL, 0, 0));
        inverse_times(&f, b + k * n, false);
    }
    return cairn_estimate_condition(ctx, condition, n, norm, inverse_times, &f);
}
