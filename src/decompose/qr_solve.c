/* SPDX-License-Identifier: MIT */
/* Least squares by QR (Golub & Van Loan, sections 5.3 and 5.5). */
#include "base/memory.h"
#include "decompose/linalg.h"
#include "decompose/parts.h"
#include "decompose/reflections.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* The old triangle above the new rows, by columns. */
static void stack_rows(double *stacked, const double *r, const double *x, size_t n, size_t p)
{
    for (size_t j = 0; j < p; j++) {
        double *column = stacked + j * (p + n);
        for (size_t i = 0; i < p; i++) column[i] = i <= j ? r[i * p + j] : 0;
        memcpy(column + p, x + j * n, n * sizeof *x);
    }
}

cairn_status cairn_qr_add(cairn_context *ctx, double *r, double *x, size_t n_rows, size_t n_columns)
{
    SCOPED_SCRATCH(ctx);
    size_t height = n_rows + n_columns;
    double *stacked, *taus;
    if (n_columns == 0) return CAIRN_OK;
    CHECK(cairn_check_finite(ctx, x, n_rows * n_columns));
    CHECK(SCRATCH_RAW(ctx, &stacked, cairn_product(height, n_columns)));
    CHECK(SCRATCH_RAW(ctx, &taus, n_columns));
    stack_rows(stacked, r, x, n_rows, n_columns);
    CHECK(cairn_qr_factor(ctx, stacked, taus, height, n_columns));
    for (size_t i = 0; i < n_columns; i++)
        for (size_t j = i; j < n_columns; j++) r[i * n_columns + j] = stacked[j * height + i];
    return CAIRN_OK;
}

cairn_status cairn_qr_least_squares(cairn_context *ctx, double *coefficients, size_t *order,
                                    size_t *rank, double *x, double *y, size_t n_rows,
                                    size_t n_columns, double tolerance)
{
    SCOPED_SCRATCH(ctx);
    size_t least = n_rows < n_columns ? n_rows : n_columns, *places;
    double *taus, larger = (double)(n_rows < n_columns ? n_columns : n_rows);
    *rank = 0;
    memset(coefficients, 0, n_columns * sizeof *coefficients);
    for (size_t j = 0; order && j < n_columns; j++) order[j] = j;
    if (least == 0) return CAIRN_OK;
    CHECK(cairn_check_finite(ctx, x, n_rows * n_columns));
    CHECK(cairn_check_finite(ctx, y, n_rows));
    CHECK(SCRATCH_RAW(ctx, &places, n_columns));
    CHECK(SCRATCH_RAW(ctx, &taus, least));
    CHECK(cairn_qr_factor_pivoted(ctx, x, taus, places, n_rows, n_columns));
    double smallest = (tolerance > 0 ? tolerance : larger * DBL_EPSILON) * fabs(x[0]);
    while (*rank < least && fabs(x[*rank * n_rows + *rank]) > smallest) ++*rank;
    cairn_reflections q = cairn_qr_reflections(x, taus, n_rows, n_columns);
    CHECK(cairn_reflect_rows(ctx, &q, y, n_rows, 1, true));
    cairn_triangle r = {.at = x, .n = *rank, .row = 1, .column = n_rows};
    cairn_triangle_solve_vector(&r, y);
    for (size_t j = 0; j < *rank; j++) coefficients[places[j]] = y[j];
    for (size_t j = 0; order && j < n_columns; j++) order[j] = places[j];
    return CAIRN_OK;
}
