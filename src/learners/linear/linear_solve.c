/* SPDX-License-Identifier: MIT */
/* Least squares in unit columns: Cholesky of the cross products, or QR with column exchanges of an
 * orthogonal triangle.
 *
 * With the independent columns first, the triangle is R = [R11 R12; 0 0]. R11 gives a solution in
 * which the dependent columns have no part, the inverse of the cross products, and the dependences:
 * a dependent column k is the combination R11^-1 R12[k] of the independent ones. Adding any
 * multiple of a dependence changes no fitted value, so the solution of least norm is a small
 * least-squares problem of its own, in the units of the features. */
#include "base/memory.h"
#include "kernels/kernels.h"
#include "kernels/linalg.h"
#include "learners/linear/linear.h"
#include <math.h>
#include <string.h>

/* Reciprocal condition of the cross products below which a better method is called for: at 1e-5 the
 * normal equations have lost five of sixteen digits more than an orthogonal method would. */
static const double SAFE = 1e-5, POSSIBLE = 1e-13;

cairn_status cairn_linear_solve_gram(cairn_context *ctx, cairn_linear_system *s, bool forced,
                                     bool *good)
{
    size_t q = s->q, pivot;
    double rcond;
    memcpy(s->inverse, s->cross, q * q * sizeof *s->cross);
    memcpy(s->slopes, s->right, q * sizeof *s->slopes);
    CHECK(cairn_cholesky(ctx, s->inverse, q, &rcond, &pivot));
    *good = rcond >= (forced ? POSSIBLE : SAFE);
    if (!*good) return CAIRN_OK;
    CHECK(cairn_cholesky_solve(ctx, s->inverse, q, s->slopes, 1));
    CHECK(cairn_cholesky_inverse(ctx, s->inverse, q));
    s->condition = sqrt(1 / rcond);
    s->rank = q;
    for (size_t a = 0; a < q; a++) s->order[a] = a;
    return CAIRN_OK;
}

/* Order and rank of the columns. */
static cairn_status find_rank(cairn_context *ctx, cairn_linear_system *s, bool svd)
{
    size_t q = s->q, n = s->n_triangle, rank;
    double *x, *y, *values = NULL;
    CHECK(SCRATCH(ctx, &x, n * q));
    CHECK(SCRATCH(ctx, &y, n));
    for (size_t i = 0; i < n * q; i++) x[i % q * n + i / q] = s->triangle[i];
    memcpy(y, s->rotated, n * sizeof *y);
    CHECK(cairn_qr_least_squares(ctx, s->slopes, s->order, &s->rank, x, y, n, q, s->tolerance));
    if (svd) {
        CHECK(SCRATCH(ctx, &values, n < q ? n : q));
        for (size_t i = 0; i < n * q; i++) x[i % q * n + i / q] = s->triangle[i];
        CHECK(cairn_svd_least_squares(ctx, s->slopes, values, &rank, x, s->rotated, n, q,
                                      s->tolerance));
        s->rank = rank;
    }
    s->n_null = q - s->rank;
    return CAIRN_OK;
}

static double largest_column_sum(const double *r, size_t n, size_t stride, double *sums)
{
    double most = 0;
    memset(sums, 0, n * sizeof *sums);
    for (size_t i = 0; i < n; i++)
        for (size_t j = i; j < n; j++) sums[j] += fabs(r[i * stride + j]);
    for (size_t j = 0; j < n; j++) most = fmax(most, sums[j]);
    return most;
}

/* In place of the upper triangle r (n x n, rows `stride` apart) its inverse; returns the product of
 * the largest column sums of both: the condition. `row` has room for n numbers. */
static double invert_triangle(double *r, size_t n, size_t stride, double *row)
{
    double before = largest_column_sum(r, n, stride, row);
    for (size_t i = n; i-- > 0;) {
        double *here = r + i * stride, pivot = 1 / here[i];
        /* row i of the inverse: -(1/r_ii) sum of r_ik times row k of the inverse, k > i */
        memset(row, 0, n * sizeof *row);
        for (size_t k = i + 1; k < n; k++)
            cairn_axpy(row + k, -pivot * here[k], r + k * stride + k, n - k);
        memcpy(here + i + 1, row + i + 1, (n - i - 1) * sizeof *here);
        here[i] = pivot;
    }
    return n ? before * largest_column_sum(r, n, stride, row) : 1;
}

/* Inverse and dependences from the triangle of the ordered columns, whose inverse takes its
 * place. */
static cairn_status use_triangle(cairn_context *ctx, cairn_linear_system *s, double *r,
                                 size_t width)
{
    size_t q = s->q, rank = s->rank;
    double *row;
    CHECK(SCRATCH(ctx, &s->null, q * s->n_null));
    CHECK(SCRATCH(ctx, &row, rank));
    double condition = invert_triangle(r, rank, width, row);
    if (!(s->condition > 1)) s->condition = condition;
    memset(s->inverse, 0, q * q * sizeof *s->inverse);
    for (size_t i = 0; i < rank; i++) {
        size_t a = s->order[i];
        for (size_t k = i; k < rank; k++)
            cairn_axpy(s->null + a * s->n_null, -r[i * width + k], r + k * width + rank, s->n_null);
        for (size_t j = 0; j < rank; j++) {
            size_t from = i > j ? i : j;
            s->inverse[a * q + s->order[j]] =
                cairn_dot(r + i * width + from, r + j * width + from, rank - from);
        }
    }
    for (size_t d = 0; d < s->n_null; d++) s->null[s->order[rank + d] * s->n_null + d] = 1;
    for (size_t a = 0; a < q; a++)
        for (size_t d = 0; d < s->n_null; d++)
            if (fabs(s->null[a * s->n_null + d]) > 1e-9) s->loose[a] = 1;
    return CAIRN_OK;
}

cairn_status cairn_linear_least_norm(cairn_context *ctx, cairn_linear_system *s)
{
    size_t q = s->q, k = s->n_null, n = q + 1, rank;
    double *x, *y, *lengths, *t, least = INFINITY;
    CHECK(SCRATCH(ctx, &x, n * k));
    CHECK(SCRATCH(ctx, &y, n));
    CHECK(SCRATCH(ctx, &lengths, k));
    CHECK(SCRATCH(ctx, &t, k));
    for (size_t a = 0; a < q; a++) least = fmin(least, s->units[a]);
    if (s->means) y[q] = -s->target_mean / s->target_unit * least;
    for (size_t a = 0; a < q; a++) {
        double size = least / s->units[a], mean = s->means ? s->means[a] : 0;
        y[a] = -size * s->slopes[a];
        if (s->means) y[q] += size * mean * s->slopes[a];
        for (size_t d = 0; d < k; d++) {
            x[d * n + a] = size * s->null[a * k + d];
            x[d * n + q] -= mean * x[d * n + a];
        }
    }
    for (size_t d = 0; d < k; d++) {
        lengths[d] = sqrt(cairn_dot(x + d * n, x + d * n, n));
        for (size_t i = 0; i < n && lengths[d] > 0; i++) x[d * n + i] /= lengths[d];
    }
    CHECK(cairn_qr_least_squares(ctx, t, NULL, &rank, x, y, n, k, 0));
    for (size_t d = 0; d < k; d++)
        for (size_t a = 0; a < q && lengths[d] > 0; a++)
            s->slopes[a] += s->null[a * k + d] * (t[d] / lengths[d]);
    return CAIRN_OK;
}

cairn_status cairn_linear_solve_qr(cairn_context *ctx, cairn_linear_system *s, bool svd)
{
    size_t q = s->q, n = s->n_triangle, m = s->n_rotated ? s->n_rotated : 1, width = q + m;
    double *x, *r;
    s->condition = 1;
    CHECK(find_rank(ctx, s, svd));
    CHECK(SCRATCH(ctx, &x, n * width));
    CHECK(SCRATCH(ctx, &r, width * width));
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < q; j++) x[j * n + i] = s->triangle[i * q + s->order[j]];
        for (size_t k = 0; k < m; k++) x[(q + k) * n + i] = s->rotated[k * n + i];
    }
    CHECK(cairn_qr_add(ctx, r, x, n, width));
    CHECK(use_triangle(ctx, s, r, width));
    for (size_t t = m; t-- > 0;) { /* the first is left in `slopes` */
        memset(s->slopes, 0, q * sizeof *s->slopes);
        for (size_t i = 0; i < s->rank; i++)
            for (size_t k = i; k < s->rank; k++)
                s->slopes[s->order[i]] += r[i * width + k] * r[k * width + q + t];
        if (s->n_null) CHECK(cairn_linear_least_norm(ctx, s));
        if (s->n_rotated) memcpy(s->many + t * q, s->slopes, q * sizeof *s->slopes);
    }
    return CAIRN_OK;
}
