/* SPDX-License-Identifier: MIT */
/* Decompositions of dense matrices and what they solve; on all threads of the context where they
 * are large. All of them hear when the caller wants to stop.
 *
 * A singular problem is an answer (a rank, a condition of 0), not a failure. What fails: memory;
 * numbers that are not finite (CAIRN_BAD_DATA); an iteration that does not end (CAIRN_NO_SOLUTION).
 * Working memory comes from the context's scratch and is given back before returning.
 *
 * "By columns" means n_columns runs of n_rows numbers, the way a table holds them; otherwise
 * matrices are row-major. */
#ifndef CAIRN_DECOMPOSE_LINALG_H
#define CAIRN_DECOMPOSE_LINALG_H

#include "base/context.h"

/* Cholesky factor of a symmetric n x n matrix, of which only the upper triangle is read: on return
 * the upper triangle is R with A = R'R. *condition is about 1 / (|A| |A^-1|) in the 1-norm: near 1
 * is good, below about 1e-12 few digits are left, 0 means not positive definite (then *pivot is
 * the first row that shows it, and `a` is useless; otherwise *pivot is n). */
CAIRN_CHECKED cairn_status cairn_cholesky(cairn_context *ctx, double *a, size_t n,
                                          double *condition, size_t *pivot);

/* The same without the condition: *pivot is n, or the first row that shows that the matrix is not
 * positive definite. The lower triangle is left alone. */
CAIRN_CHECKED cairn_status cairn_cholesky_large(cairn_context *ctx, double *a, size_t n,
                                                size_t *pivot);

/* Solve A x = b in place for n_right right sides of n numbers each, one after the other. */
CAIRN_CHECKED cairn_status cairn_cholesky_solve(cairn_context *ctx, const double *factor, size_t n,
                                                double *b, size_t n_right);

/* Replace the factor by the whole (both triangles) of the inverse of A. */
CAIRN_CHECKED cairn_status cairn_cholesky_inverse(cairn_context *ctx, double *factor, size_t n);

/* Solve A x = b for a square n x n matrix (destroyed) by elimination with row exchanges; b holds
 * n_right right sides of n numbers each and receives the solutions. *condition as above; 0 means
 * singular, and b is useless then. */
CAIRN_CHECKED cairn_status cairn_solve(cairn_context *ctx, double *a, size_t n, double *b,
                                       size_t n_right, double *condition);

/* Add rows to a triangular factor: r (n_columns x n_columns, upper; start with zeros) becomes the R
 * of a QR decomposition of its old rows with the n_rows new ones below. x is by columns and is
 * destroyed. So a tall matrix is reduced block by block: R'R = X'X without the squared condition.
 */
CAIRN_CHECKED cairn_status cairn_qr_add(cairn_context *ctx, double *r, double *x, size_t n_rows,
                                        size_t n_columns);

/* Least squares by QR with column exchanges. x is by columns (destroyed), y has n_rows numbers
 * (destroyed). Columns that are, within `tolerance` times the largest, combinations of those before
 * them in `order` get the coefficient 0: these are order[rank] and on. tolerance 0 means
 * max(n_rows, n_columns) times the rounding error. `order` (n_columns) may be NULL. */
CAIRN_CHECKED cairn_status cairn_qr_least_squares(cairn_context *ctx, double *coefficients,
                                                  size_t *order, size_t *rank, double *x, double *y,
                                                  size_t n_rows, size_t n_columns,
                                                  double tolerance);

/* The least-squares solution of least length, by singular values; x and y as above. Singular values
 * below tolerance times the largest count as 0. `singular_values`, min(n_rows, n_columns) of them,
 * falling, may be NULL. */
CAIRN_CHECKED cairn_status cairn_svd_least_squares(cairn_context *ctx, double *coefficients,
                                                   double *singular_values, size_t *rank, double *x,
                                                   const double *y, size_t n_rows, size_t n_columns,
                                                   double tolerance);

/* Eigenvalues, falling, and eigenvectors (row i belongs to value i, length 1, its largest
 * component positive) of a symmetric n x n matrix, of which the upper triangle is read; `a` is
 * destroyed. `vectors` may be NULL. */
CAIRN_CHECKED cairn_status cairn_symmetric_eigen(cairn_context *ctx, double *values,
                                                 double *vectors, double *a, size_t n);

/* All eigenvalues, falling, and only the vectors (n_vectors x n, signed as above) that belong to
 * the first n_vectors of them: for a few vectors of a large matrix much cheaper than all. `a` as
 * above. */
CAIRN_CHECKED cairn_status cairn_symmetric_top(cairn_context *ctx, double *values, double *vectors,
                                               double *a, size_t n, size_t n_vectors);

/* The singular value decomposition A = U S V' of a row-major n_rows x n_columns matrix (destroyed).
 * With r = min(n_rows, n_columns): `values` has r numbers, falling; `left` is n_rows x r (U),
 * `right` is r x n_columns (V'). */
CAIRN_CHECKED cairn_status cairn_svd(cairn_context *ctx, double *values, double *left,
                                     double *right, double *a, size_t n_rows, size_t n_columns);

#endif
