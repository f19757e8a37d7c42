/* SPDX-License-Identifier: MIT */
/* Cholesky factors by halves, so that nearly all of the work is in products of matrices (Golub &
 * Van Loan, section 4.2). R'R differs from A by about n rounding errors of its diagonal (Demmel
 * 1989). Halves depend on n only. */
#include "base/memory.h"
#include "decompose/linalg.h"
#include "decompose/parts.h"
#include "kernels/kernels.h"
#include "kernels/products.h"
#include <math.h>
#include <string.h>

enum { LEAF = CAIRN_DECOMPOSE_LEAF };

/* By hand; the number of the first pivot that is not above 0, or n. */
static size_t factor_leaf(double *a, size_t lead, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        double *row = a + k * lead;
        if (!(row[k] > 0)) return k;
        row[k] = sqrt(row[k]);
        for (size_t j = k + 1; j < n; j++) row[j] /= row[k];
        for (size_t i = k + 1; i < n; i++) {
            double *restrict below = a + i * lead, factor = row[i];
            for (size_t j = i; j < n; j++) below[j] -= factor * row[j];
        }
    }
    return n;
}

static size_t half_of(size_t n)
{
    return (n / 2 + LEAF - 1) / LEAF * LEAF;
}

/* The depth is the logarithm of n. */
static cairn_status factor(cairn_context *ctx, double *a, size_t lead, size_t n, size_t *pivot)
{
    if (n <= LEAF) {
        *pivot = factor_leaf(a, lead, n);
        return CAIRN_OK;
    }
    size_t half = half_of(n), rest = n - half;
    double *right = a + half, *below = a + half * lead + half;
    cairn_triangle t = {.at = a, .n = half, .row = 1, .column = lead, .lower = true};
    CHECK(cairn_tick(ctx, NULL, 0, 0));
    CHECK(factor(ctx, a, lead, half, pivot));
    if (*pivot < half) return CAIRN_OK;
    CHECK(cairn_triangle_solve(ctx, &t, right, lead, rest));
    cairn_matmul p = {.m = rest, .n = rest, .k = half, .a = right, .b = right, .c = below};
    p.a_i = p.b_j = 1, p.a_k = p.b_k = p.c_i = lead, p.alpha = -1, p.upper = true;
    CHECK(cairn_matmul_run(ctx, &p));
    CHECK(factor(ctx, below, lead, rest, pivot));
    *pivot += half;
    return CAIRN_OK;
}

/* The largest sum of absolute values in a row of a symmetric matrix given by its upper triangle. */
static double symmetric_norm(const double *a, size_t n, double *sums)
{
    double norm = 0;
    for (size_t i = 0; i < n; i++) {
        sums[i] += fabs(a[i * n + i]);
        for (size_t j = i + 1; j < n; j++) {
            sums[i] += fabs(a[i * n + j]);
            sums[j] += fabs(a[i * n + j]);
        }
        if (sums[i] > norm) norm = sums[i];
    }
    return norm;
}

static void solve_vector(const cairn_triangle *r, double *x)
{
    cairn_triangle turned = cairn_triangle_turned(*r);
    cairn_triangle_solve_vector(&turned, x);
    cairn_triangle_solve_vector(r, x);
}

static void inverse_times(const void *data, double *x, bool transposed)
{
    (void)transposed;
    solve_vector(data, x);
}

static cairn_triangle triangle_of(const double *r, size_t n)
{
    return (cairn_triangle){.at = r, .n = n, .row = n, .column = 1};
}

cairn_status cairn_cholesky(cairn_context *ctx, double *a, size_t n, double *condition,
                            size_t *pivot)
{
    SCOPED_SCRATCH(ctx);
    cairn_triangle r = triangle_of(a, n);
    double *sums;
    *condition = n ? 0 : 1;
    *pivot = n;
    if (n == 0) return CAIRN_OK;
    CHECK(cairn_check_upper(ctx, a, n));
    CHECK(SCRATCH(ctx, &sums, n));
    double norm = symmetric_norm(a, n, sums);
    CHECK(factor(ctx, a, n, n, pivot));
    if (*pivot < n) return CAIRN_OK;
    return cairn_estimate_condition(ctx, condition, n, norm, inverse_times, &r);
}

cairn_status cairn_cholesky_large(cairn_context *ctx, double *a, size_t n, size_t *pivot)
{
    *pivot = n;
    CHECK(cairn_check_upper(ctx, a, n));
    return factor(ctx, a, n, n, pivot);
}

/* Right sides are rows of b, and columns of what the products take. */
static void turn(double *out, const double *in, size_t rows, size_t columns)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++) out[j * rows + i] = in[i * columns + j];
}

cairn_status cairn_cholesky_solve(cairn_context *ctx, const double *factor, size_t n, double *b,
                                  size_t n_right)
{
    enum { FEW = 8 };
    SCOPED_SCRATCH(ctx);
    cairn_triangle r = triangle_of(factor, n), turned = cairn_triangle_turned(r);
    double *columns;
    if (n == 0 || n_right == 0) return CAIRN_OK;
    for (size_t k = 0; n_right <= FEW && k < n_right; k++) {
        CHECK(cairn_tick(ctx, NULL, 0, 0));
        solve_vector(&r, b + k * n);
    }
    if (n_right <= FEW) return CAIRN_OK;
    CHECK(SCRATCH_RAW(ctx, &columns, cairn_product(n, n_right)));
    turn(columns, b, n_right, n);
    CHECK(cairn_triangle_solve(ctx, &turned, columns, n_right, n_right));
    CHECK(cairn_triangle_solve(ctx, &r, columns, n_right, n_right));
    turn(b, columns, n, n_right);
    return CAIRN_OK;
}

/* X X' of an upper triangle X in its place, and in what mirrors it, row by row. */
static void square_leaf(double *x, size_t lead, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = i; j < n; j++) {
            double sum = 0;
            for (size_t k = j; k < n; k++) sum += x[i * lead + k] * x[j * lead + k];
            x[i * lead + j] = sum;
        }
}

/* The same by halves; `room` is for what lies beside the first half. */
static cairn_status square(cairn_context *ctx, double *x, size_t lead, size_t n, double *room)
{
    if (n <= LEAF) {
        square_leaf(x, lead, n);
        return CAIRN_OK;
    }
    size_t half = half_of(n), rest = n - half;
    double *right = x + half, *below = x + half * lead + half;
    CHECK(cairn_tick(ctx, NULL, 0, 0));
    CHECK(square(ctx, x, lead, half, room));
    cairn_matmul p = {.m = half, .n = half, .k = rest, .a = right, .b = right, .c = x};
    p.a_i = p.b_j = p.c_i = lead, p.a_k = p.b_k = p.alpha = 1, p.upper = true;
    CHECK(cairn_matmul_run(ctx, &p));
    for (size_t i = 0; i < half; i++) memcpy(room + i * rest, right + i * lead, rest * sizeof *x);
    p = (cairn_matmul){.m = half, .n = rest, .k = rest, .a = room, .b = below, .c = right};
    p.a_i = rest, p.a_k = p.b_k = 1, p.b_j = p.c_i = lead, p.alpha = 1, p.set = true;
    CHECK(cairn_matmul_run(ctx, &p));
    return square(ctx, below, lead, rest, room);
}

/* A^-1 = R^-1 R'^-1, with R^-1 from R X = I. */
cairn_status cairn_cholesky_inverse(cairn_context *ctx, double *factor, size_t n)
{
    SCOPED_SCRATCH(ctx);
    cairn_triangle r = triangle_of(factor, n);
    double *x, *room;
    if (n == 0) return CAIRN_OK;
    for (size_t i = 0; i < n; i++)
        if (factor[i * n + i] == 0)
            return cairn_fail(ctx, CAIRN_NO_SOLUTION, "the matrix has no inverse: row %zu", i + 1);
    size_t half = half_of(n), quarter = n > LEAF ? cairn_product(half, n - half) : 1;
    CHECK(SCRATCH(ctx, &x, cairn_product(n, n)));
    CHECK(SCRATCH_RAW(ctx, &room, quarter));
    for (size_t i = 0; i < n; i++) x[i * n + i] = 1;
    for (size_t from = 0, m; from < n; from += m) { /* below these columns' last row are zeros */
        m = n - from < 4 * LEAF ? n - from : 4 * LEAF;
        r.n = from + m;
        CHECK(cairn_triangle_solve(ctx, &r, x + from, n, m));
    }
    for (size_t i = 0; i < n; i++) memset(x + i * n, 0, i * sizeof *x);
    CHECK(square(ctx, x, n, n, room));
    memcpy(factor, x, n * n * sizeof *x);
    cairn_mirror_upper(factor, n);
    return CAIRN_OK;
}
