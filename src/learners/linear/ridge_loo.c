/* SPDX-License-Identifier: MIT */
/* Leaving one out without fitting again: with e the residual of a row and h = x'(X'X + λI)⁻¹x its
 * leverage (and 1/n for a free constant), the row's error when it is left out is e / (1 − h).
 *
 * One eigendecomposition X'X = V'DV serves all strengths. With t = Vx for a row,
 * h = Σ_k t_k² / (d_k + λ), and the prediction is Σ_k t_k a_k / (d_k + λ) with a = VX'y: two
 * products of a block of rows with a matrix that has a column for every strength.
 *
 * Cost: n p² for the turning and 2 n p L for L strengths, a pass over the rows; p³ once. */
#include "learners/linear/ridge_loo.h"
#include "base/memory.h"
#include "kernels/kernels.h"
#include "kernels/linalg.h"
#include <math.h>
#include <string.h>

typedef struct turning {
    const cairn_ridge_rows *rows;
    cairn_row_matrix x;
    size_t width, n; /* columns of the matrix, coefficients with a penalty */
    double *turn;    /* width x n: from columns of the matrix to t */
    double *shares;  /* n x n_lambdas: 1 / (d + λ) */
    double *fits;    /* n x n_lambdas: a / (d + λ) */
    double constant; /* leverage of a free constant */
} turning;

/* Errors of a piece: sums of w e² and w e⁴ by strength. */
static void add_errors(const turning *t, const cairn_piece *piece, const double *fits,
                       const double *leverages, double *sums)
{
    const cairn_squares_loss *squares = t->rows->squares;
    size_t m = t->rows->n_lambdas;
    for (size_t i = 0; i < piece->n; i++) {
        double w = squares->weights[piece->first + i], y = squares->targets[piece->first + i];
        if (w == 0) continue;
        for (size_t l = 0; l < m; l++) {
            double left = 1 - t->constant - leverages[i * m + l];
            double e = left > 1e-12 ? (y - fits[i * m + l]) / left : INFINITY;
            sums[l] += w * e * e;
            sums[m + l] += w * e * e * e * e;
        }
    }
}

static void loo_piece(void *data, const cairn_piece *piece, double *sums)
{
    const turning *t = data;
    size_t rows = piece->n, n = t->n, m = t->rows->n_lambdas;
    double *turned = piece->room, *squares = turned + rows * n, *fits = squares + rows * n;
    double *leverages = fits + rows * m;
    cairn_rows_product(turned, n, piece->z, t->width, rows, t->width, t->turn, n, n,
                       piece->product);
    for (size_t i = 0; i < rows * n; i++) squares[i] = turned[i] * turned[i];
    cairn_rows_product(fits, m, turned, n, rows, n, t->fits, m, m, piece->product);
    cairn_rows_product(leverages, m, squares, n, rows, n, t->shares, m, m, piece->product);
    add_errors(t, piece, fits, leverages, sums);
}

/* X'X of the columns in their own units, about their means where the constant is free, and X'y. */
static cairn_status own_sums(cairn_context *ctx, const turning *t, double *gram, double *side,
                             double *means)
{
    const cairn_ridge_rows *rows = t->rows;
    const cairn_quadratic *q = rows->quadratic;
    const cairn_row_matrix *x = &t->x;
    size_t n = t->n;
    double total = rows->squares->total;
    for (size_t j = 0; j < n; j++) {
        means[j] = rows->free ? q->hessian[(q->n - 1) * q->n + j] / total : 0;
        double unit = j < x->n_terms ? x->scale[j] : 1, moved = 0;
        if (rows->free) moved = means[j] * q->gradient[q->n - 1];
        side[j] = (moved - q->gradient[j]) / unit;
    }
    for (size_t j = 0; j < n; j++)
        for (size_t k = 0; k < n; k++) {
            double a = j < x->n_terms ? x->scale[j] : 1, b = k < x->n_terms ? x->scale[k] : 1;
            gram[j * n + k] = (q->hessian[j * q->n + k] - total * means[j] * means[k]) / a / b;
            if (!isfinite(gram[j * n + k]))
                return cairn_matrix_refuse(ctx, x,
                                           "leaving rows out: the squares of some columns are no "
                                           "numbers (the largest number is %s); rescale them");
        }
    return CAIRN_OK;
}

/* What rows are multiplied by. The means are taken out through the column of ones. */
static cairn_status make_turning(cairn_context *ctx, turning *t)
{
    const cairn_ridge_rows *rows = t->rows;
    size_t n = t->n, m = rows->n_lambdas;
    double *gram, *side, *means, *values, *vectors;
    CHECK(SCRATCH_RAW(ctx, &gram, n * n + 1));
    CHECK(SCRATCH_RAW(ctx, &side, n + 1));
    CHECK(SCRATCH_RAW(ctx, &means, n + 1));
    CHECK(SCRATCH_RAW(ctx, &values, n + 1));
    CHECK(SCRATCH_RAW(ctx, &vectors, n * n + 1));
    CHECK(SCRATCH(ctx, &t->turn, t->width * n + 1));
    CHECK(SCRATCH(ctx, &t->shares, n * m + 1));
    CHECK(SCRATCH(ctx, &t->fits, n * m + 1));
    CHECK(own_sums(ctx, t, gram, side, means));
    CHECK(cairn_symmetric_eigen(ctx, values, vectors, gram, n));
    for (size_t k = 0; k < n; k++) {
        const double *v = vectors + k * n;
        double a = cairn_dot(v, side, n), floor = 1e-14 * values[0];
        for (size_t j = 0; j < n; j++) {
            double unit = j < t->x.n_terms ? t->x.scale[j] : 1;
            t->turn[j * n + k] = v[j] / unit;
            if (rows->free) t->turn[(t->width - 1) * n + k] -= means[j] * v[j] / unit;
        }
        for (size_t l = 0; l < m; l++) {
            double whole = fmax(0, values[k]) + rows->lambdas[l];
            if (!(whole > floor)) continue; /* nothing varies that way */
            t->shares[k * m + l] = 1 / whole;
            t->fits[k * m + l] = a / whole;
        }
    }
    return CAIRN_OK;
}

cairn_status cairn_ridge_loo(cairn_context *ctx, const cairn_ridge_rows *rows, double *means,
                             double *errors)
{
    SCOPED_SCRATCH(ctx);
    size_t m = rows->n_lambdas, n = rows->quadratic->n;
    double *sums, total = rows->squares->total;
    turning t = {.rows = rows, .width = n, .n = n - (rows->free ? 1 : 0)};
    cairn_row_sum sum = {.size = 2 * m, .piece = loo_piece, .data = &t};
    cairn_matrix_wish wish = {.units = rows->units, .ones = rows->ones, .room = 2 * (n + m)};
    wish.scores = n > m ? n : m;
    t.constant = rows->free ? 1 / total : 0;
    CHECK(cairn_matrix_open(ctx, &t.x, rows->view, &wish));
    CHECK(SCRATCH_RAW(ctx, &sums, 2 * m + 1));
    CHECK(make_turning(ctx, &t));
    CHECK(cairn_matrix_sum(ctx, &t.x, &sum, sums));
    for (size_t l = 0; l < m; l++) {
        means[l] = sums[l] / total;
        double spread = sums[m + l] / total - means[l] * means[l];
        errors[l] = total > 1 ? sqrt(fmax(0, spread) / (total - 1)) : NAN;
    }
    return CAIRN_OK;
}
