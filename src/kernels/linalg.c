/* SPDX-License-Identifier: MIT */
/* LAPACK behind our own names: sizes checked, workspace from scratch, answers in our layout.
 *
 * LAPACK stores matrices by columns. A symmetric matrix is the same both ways, and our upper
 * triangle is its lower one, so symmetric routines get "L". */
#include "kernels/linalg.h"
#include "kernels/blas.h"
#include "kernels/kernels.h"
#include "kernels/lapack.h"
#include "kernels/products.h"
#include "base/memory.h"
#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

static cairn_status check_size(cairn_context *ctx, size_t rows, size_t columns)
{
    if (rows <= INT_MAX && columns <= INT_MAX) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "a matrix of %zu x %zu is too large: at most %d rows and columns", rows,
                      columns, INT_MAX);
}

/* Before LAPACK gets a matrix of this size: its numbers of rows fit, and BLAS has room. */
static cairn_status prepare(cairn_context *ctx, size_t rows, size_t columns)
{
    CHECK(check_size(ctx, rows, columns));
#ifndef CAIRN_SHARED_LAPACK /* which comes with a BLAS of its own */
    CHECK(cairn_blas_prepare(ctx, rows > columns ? rows : columns));
#endif
    return CAIRN_OK;
}

/* After it: fails when the caller wanted to stop. */
static cairn_status finish(void)
{
#ifdef CAIRN_SHARED_LAPACK
    return CAIRN_OK;
#else
    return cairn_blas_end();
#endif
}

bool cairn_lapack_is_built_in(void)
{
#ifdef CAIRN_SHARED_LAPACK
    return false;
#else
    return true;
#endif
}

const char *cairn_same_bits(void)
{
    return cairn_lapack_is_built_in() ? "on any x86-64 processor"
                                      : "on this machine, with its LAPACK";
}

static cairn_status check_finite(cairn_context *ctx, const double *numbers, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(numbers[i]))
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "a matrix holds a number that is missing or not finite");
    return CAIRN_OK;
}

/* prepare() for a symmetric matrix, of which the upper triangle is looked at. */
static cairn_status prepare_upper(cairn_context *ctx, const double *a, size_t n)
{
    CHECK(prepare(ctx, n, n));
    for (size_t i = 0; i < n; i++) CHECK(check_finite(ctx, a + i * n + i, n - i));
    return CAIRN_OK;
}

static cairn_status no_solution(cairn_context *ctx, const char *what, int info)
{
    if (info < 0) return cairn_fail(ctx, CAIRN_INTERNAL, "%s: argument %d is wrong", what, -info);
    return cairn_fail(ctx, CAIRN_NO_SOLUTION, "%s did not converge", what);
}

cairn_status cairn_multiply(cairn_context *ctx, double *out, const double *a,
                            cairn_transposed a_transposed, const double *b,
                            cairn_transposed b_transposed, size_t n_rows, size_t n_inner,
                            size_t n_columns)
{
    cairn_matmul p = {.m = n_rows, .n = n_columns, .k = n_inner, .a = a, .b = b, .c = out};
    p.a_i = a_transposed ? 1 : n_inner, p.a_k = a_transposed ? n_rows : 1;
    p.b_k = b_transposed ? 1 : n_columns, p.b_j = b_transposed ? n_inner : 1;
    p.c_i = n_columns, p.alpha = 1, p.set = true;
    return cairn_matmul_run(ctx, &p);
}

/* Workspace of the size that a query call wrote into *query. */
static cairn_status workspace(cairn_context *ctx, double **work, int *size, double query)
{
    *size = query < 1 ? 1 : query > INT_MAX ? INT_MAX : (int)query;
    return SCRATCH_RAW(ctx, work, (size_t)*size);
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

cairn_status cairn_cholesky(cairn_context *ctx, double *a, size_t n, double *condition,
                            size_t *pivot)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_status status;
    double *work, norm;
    int *integers, size = (int)n, lead = n ? size : 1, info;
    TRY(prepare_upper(ctx, a, n));
    TRY(SCRATCH(ctx, &work, 3 * n + 1));
    TRY(SCRATCH(ctx, &integers, n + 1));
    norm = symmetric_norm(a, n, work);
    *condition = n ? 0 : 1;
    *pivot = n;
    dpotrf_("L", &size, a, &lead, &info, 1);
    if (info > 0)
        *pivot = (size_t)info - 1;
    else if (n)
        dpocon_("L", &size, a, &lead, &norm, condition, work, integers, &info, 1);
    TRY(finish());
    if (*condition > 1) *condition = 1; /* rounding */
    if (info < 0) status = no_solution(ctx, "the Cholesky decomposition", info);
done:
    cairn_scratch_release(ctx, mark);
    return status;
}

cairn_status cairn_cholesky_solve(cairn_context *ctx, const double *factor, size_t n, double *b,
                                  size_t n_right)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_status status;
    int size = (int)n, right = (int)n_right, lead = n ? size : 1, info;
    TRY(prepare(ctx, n, n_right));
    dpotrs_("L", &size, &right, factor, &lead, b, &lead, &info, 1);
    TRY(finish());
    if (info) status = no_solution(ctx, "solving by Cholesky", info);
done:
    cairn_scratch_release(ctx, mark);
    return status;
}

cairn_status cairn_cholesky_inverse(cairn_context *ctx, double *factor, size_t n)
{
    SCOPED_SCRATCH(ctx);
    int size = (int)n, lead = n ? size : 1, info;
    CHECK(prepare(ctx, n, n));
    dpotri_("L", &size, factor, &lead, &info, 1);
    CHECK(finish());
    if (info > 0)
        CHECK(cairn_fail(ctx, CAIRN_NO_SOLUTION, "the matrix has no inverse: row %d", info));
    if (info) CHECK(no_solution(ctx, "inverting by Cholesky", info));
    cairn_mirror_upper(factor, n);
    return CAIRN_OK;
}

/* LAPACK sees the transpose of our rows, so they are turned first. */
static void turn_square(double *a, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            double kept = a[i * n + j];
            a[i * n + j] = a[j * n + i];
            a[j * n + i] = kept;
        }
}

static double column_norm(const double *a, size_t n)
{
    double norm = 0;
    for (size_t j = 0; j < n; j++) {
        double sum = 0;
        for (size_t i = 0; i < n; i++) sum += fabs(a[j * n + i]);
        if (sum > norm) norm = sum;
    }
    return norm;
}

cairn_status cairn_solve(cairn_context *ctx, double *a, size_t n, double *b, size_t n_right,
                         double *condition)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_status status;
    double *work, norm;
    int *exchanges, size = (int)n, right = (int)n_right, lead = n ? size : 1, info;
    TRY(prepare(ctx, n, n_right));
    TRY(check_finite(ctx, a, n * n));
    TRY(SCRATCH(ctx, &work, 4 * n + 1));
    TRY(SCRATCH(ctx, &exchanges, n + 1));
    turn_square(a, n);
    norm = column_norm(a, n);
    *condition = n ? 0 : 1;
    dgesv_(&size, &right, a, &lead, exchanges, b, &lead, &info);
    if (info == 0 && n) dgecon_("1", &size, a, &lead, &norm, condition, work, exchanges, &info, 1);
    TRY(finish());
    if (*condition > 1) *condition = 1; /* rounding */
    if (info < 0) status = no_solution(ctx, "elimination", info);
done:
    cairn_scratch_release(ctx, mark);
    return status;
}

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
    double *stacked, *tau, *work, query;
    int m = (int)height, p = (int)n_columns, asked = -1, size, info;
    if (n_columns == 0) return CAIRN_OK;
    CHECK(prepare(ctx, height, n_columns));
    CHECK(check_finite(ctx, x, n_rows * n_columns));
    CHECK(SCRATCH_RAW(ctx, &stacked, cairn_product(height, n_columns)));
    CHECK(SCRATCH_RAW(ctx, &tau, n_columns));
    stack_rows(stacked, r, x, n_rows, n_columns);
    dgeqrf_(&m, &p, stacked, &m, tau, &query, &asked, &info);
    CHECK(workspace(ctx, &work, &size, query));
    dgeqrf_(&m, &p, stacked, &m, tau, work, &size, &info);
    CHECK(finish());
    if (info) CHECK(no_solution(ctx, "the QR decomposition", info));
    for (size_t i = 0; i < n_columns; i++)
        for (size_t j = i; j < n_columns; j++) r[i * n_columns + j] = stacked[j * height + i];
    return CAIRN_OK;
}

typedef struct pivoted_qr {
    double *x, *tau;
    int *order;  /* 1-based */
    int m, p, k; /* k = min(m, p) */
} pivoted_qr;

static cairn_status factor_pivoted(cairn_context *ctx, pivoted_qr *qr)
{
    cairn_status status;
    double *work, query;
    int asked = -1, size, info;
    TRY(SCRATCH(ctx, &qr->order, (size_t)qr->p));
    TRY(SCRATCH_RAW(ctx, &qr->tau, (size_t)qr->k));
    dgeqp3_(&qr->m, &qr->p, qr->x, &qr->m, qr->order, qr->tau, &query, &asked, &info);
    TRY(workspace(ctx, &work, &size, query));
    dgeqp3_(&qr->m, &qr->p, qr->x, &qr->m, qr->order, qr->tau, work, &size, &info);
    TRY(finish());
    if (info) status = no_solution(ctx, "the QR decomposition", info);
done:
    return status;
}

static size_t rank_of(const pivoted_qr *qr, double tolerance)
{
    size_t rank = 0, m = (size_t)qr->m;
    double larger = qr->m > qr->p ? qr->m : qr->p;
    double least = (tolerance > 0 ? tolerance : larger * DBL_EPSILON) * fabs(qr->x[0]);
    while (rank < (size_t)qr->k && fabs(qr->x[rank * m + rank]) > least) rank++;
    return rank;
}

/* y := the first `rank` coefficients, in the order of the exchanged columns. */
static cairn_status solve_pivoted(cairn_context *ctx, const pivoted_qr *qr, double *y, int rank)
{
    cairn_status status;
    double *work, query;
    int one = 1, asked = -1, size, info;
    dormqr_("L", "T", &qr->m, &one, &qr->k, qr->x, &qr->m, qr->tau, y, &qr->m, &query, &asked,
            &info, 1, 1);
    TRY(workspace(ctx, &work, &size, query));
    dormqr_("L", "T", &qr->m, &one, &qr->k, qr->x, &qr->m, qr->tau, y, &qr->m, work, &size, &info,
            1, 1);
    if (!info && rank)
        dtrtrs_("U", "N", "N", &rank, &one, qr->x, &qr->m, y, &qr->m, &info, 1, 1, 1);
    TRY(finish());
    if (info) status = no_solution(ctx, "solving by QR", info);
done:
    return status;
}

cairn_status cairn_qr_least_squares(cairn_context *ctx, double *coefficients, size_t *order,
                                    size_t *rank, double *x, double *y, size_t n_rows,
                                    size_t n_columns, double tolerance)
{
    SCOPED_SCRATCH(ctx);
    size_t least = n_rows < n_columns ? n_rows : n_columns;
    pivoted_qr qr = {.x = x, .m = (int)n_rows, .p = (int)n_columns, .k = (int)least};
    *rank = 0;
    for (size_t j = 0; j < n_columns; j++) {
        coefficients[j] = 0;
        if (order) order[j] = j;
    }
    if (least == 0) return CAIRN_OK;
    CHECK(prepare(ctx, n_rows, n_columns));
    CHECK(check_finite(ctx, x, n_rows * n_columns));
    CHECK(check_finite(ctx, y, n_rows));
    CHECK(factor_pivoted(ctx, &qr));
    *rank = rank_of(&qr, tolerance);
    CHECK(solve_pivoted(ctx, &qr, y, (int)*rank));
    for (size_t j = 0; j < n_columns; j++) {
        if (order) order[j] = (size_t)qr.order[j] - 1;
        if (j < *rank) coefficients[qr.order[j] - 1] = y[j];
    }
    return CAIRN_OK;
}

typedef struct svd_run {
    double *x, *right, *values;
    double tolerance;
    int m, p, right_size, rank;
} svd_run;

static cairn_status run_svd(cairn_context *ctx, svd_run *run)
{
    cairn_status status;
    double *work, query;
    int *integers, one = 1, asked = -1, size, integer_size, info;
    dgelsd_(&run->m, &run->p, &one, run->x, &run->m, run->right, &run->right_size, run->values,
            &run->tolerance, &run->rank, &query, &asked, &integer_size, &info);
    TRY(workspace(ctx, &work, &size, query));
    TRY(SCRATCH(ctx, &integers, integer_size > 1 ? (size_t)integer_size : 1));
    dgelsd_(&run->m, &run->p, &one, run->x, &run->m, run->right, &run->right_size, run->values,
            &run->tolerance, &run->rank, work, &size, integers, &info);
    TRY(finish());
    if (info) status = no_solution(ctx, "the singular value decomposition", info);
done:
    return status;
}

cairn_status cairn_svd_least_squares(cairn_context *ctx, double *coefficients,
                                     double *singular_values, size_t *rank, double *x,
                                     const double *y, size_t n_rows, size_t n_columns,
                                     double tolerance)
{
    SCOPED_SCRATCH(ctx);
    size_t least = n_rows < n_columns ? n_rows : n_columns;
    size_t most = n_rows < n_columns ? n_columns : n_rows;
    svd_run run = {.x = x, .m = (int)n_rows, .p = (int)n_columns, .right_size = (int)most};
    *rank = 0;
    for (size_t j = 0; j < n_columns; j++) coefficients[j] = 0;
    if (least == 0) return CAIRN_OK;
    CHECK(prepare(ctx, n_rows, n_columns));
    CHECK(check_finite(ctx, x, n_rows * n_columns));
    CHECK(check_finite(ctx, y, n_rows));
    CHECK(SCRATCH(ctx, &run.right, most));
    CHECK(SCRATCH(ctx, &run.values, least));
    memcpy(run.right, y, n_rows * sizeof *y);
    run.tolerance = tolerance > 0 ? tolerance : (double)most * DBL_EPSILON;
    CHECK(run_svd(ctx, &run));
    memcpy(coefficients, run.right, n_columns * sizeof *coefficients);
    if (singular_values) memcpy(singular_values, run.values, least * sizeof *singular_values);
    *rank = (size_t)run.rank;
    return CAIRN_OK;
}

cairn_status cairn_short_least_squares(cairn_context *ctx, double *coefficients, size_t *rank,
                                       double *x, const double *y, size_t n_rows, size_t n_columns,
                                       double tolerance)
{
    SCOPED_SCRATCH(ctx);
    size_t most = n_rows < n_columns ? n_columns : n_rows;
    int m = (int)n_rows, p = (int)n_columns, right_size = (int)most, one = 1, asked = -1;
    int found = 0, size, info, *order;
    double *right, *work, query;
    *rank = 0;
    for (size_t j = 0; j < n_columns; j++) coefficients[j] = 0;
    if (n_rows == 0 || n_columns == 0) return CAIRN_OK;
    CHECK(prepare(ctx, n_rows, n_columns));
    CHECK(check_finite(ctx, x, n_rows * n_columns));
    CHECK(check_finite(ctx, y, n_rows));
    CHECK(SCRATCH(ctx, &right, most));
    CHECK(SCRATCH(ctx, &order, n_columns));
    memcpy(right, y, n_rows * sizeof *y);
    dgelsy_(&m, &p, &one, x, &m, right, &right_size, order, &tolerance, &found, &query, &asked,
            &info);
    CHECK(workspace(ctx, &work, &size, query));
    dgelsy_(&m, &p, &one, x, &m, right, &right_size, order, &tolerance, &found, work, &size, &info);
    CHECK(finish());
    memcpy(coefficients, right, n_columns * sizeof *coefficients);
    *rank = (size_t)found;
    return CAIRN_OK;
}

typedef struct eigen_run {
    double *a, *values, *vectors; /* rising values */
    int *support, n;
    const char *job;
} eigen_run;

static cairn_status run_eigen(cairn_context *ctx, eigen_run *run)
{
    cairn_status status;
    double none = 0, *work, query;
    int zero = 0, asked = -1, found, size, *integers, integer_size, info;
    dsyevr_(run->job, "A", "L", &run->n, run->a, &run->n, &none, &none, &zero, &zero, &none, &found,
            run->values, run->vectors, &run->n, run->support, &query, &asked, &integer_size, &asked,
            &info, 1, 1, 1);
    TRY(workspace(ctx, &work, &size, query));
    TRY(SCRATCH(ctx, &integers, integer_size > 1 ? (size_t)integer_size : 1));
    dsyevr_(run->job, "A", "L", &run->n, run->a, &run->n, &none, &none, &zero, &zero, &none, &found,
            run->values, run->vectors, &run->n, run->support, work, &size, integers, &integer_size,
            &info, 1, 1, 1);
    TRY(finish());
    if (info || found != run->n) status = no_solution(ctx, "the eigenvalue iteration", info);
done:
    return status;
}

/* The tridiagonal form of a matrix: T = Q'AQ, with Q kept in `a` and `tau`. */
typedef struct tridiagonal {
    double *a, *tau, *d, *e; /* e has n numbers, of which dstemr uses the last for itself */
    int n;
} tridiagonal;

static cairn_status make_tridiagonal(cairn_context *ctx, tridiagonal *t)
{
    cairn_status status;
    double *work, query;
    int asked = -1, size, info;
    dsytrd_("L", &t->n, t->a, &t->n, t->d, t->e, t->tau, &query, &asked, &info, 1);
    TRY(workspace(ctx, &work, &size, query));
    dsytrd_("L", &t->n, t->a, &t->n, t->d, t->e, t->tau, work, &size, &info, 1);
    TRY(finish());
    if (info) status = no_solution(ctx, "the tridiagonal form", info);
done:
    return status;
}

/* `count` vectors of T, turned into the coordinates of `a`. */
static cairn_status turn_vectors(cairn_context *ctx, const tridiagonal *t, double *vectors,
                                 int count)
{
    double *work, query;
    int asked = -1, size, info;
    dormtr_("L", "L", "N", &t->n, &count, t->a, &t->n, t->tau, vectors, &t->n, &query, &asked,
            &info, 1, 1, 1);
    CHECK(workspace(ctx, &work, &size, query));
    dormtr_("L", "L", "N", &t->n, &count, t->a, &t->n, t->tau, vectors, &t->n, work, &size, &info,
            1, 1, 1);
    CHECK(finish());
    return info ? no_solution(ctx, "turning the eigenvectors", info) : CAIRN_OK;
}

/* What dsyevr does with a matrix of usual numbers, in three steps: between them the caller may want
 * to stop, and without the products of the first the others could take very long. *done is false
 * where dsyevr must be asked. */
static cairn_status run_large_eigen(cairn_context *ctx, eigen_run *run, bool *done)
{
    enum { LARGE = 500 };
    size_t n = (size_t)run->n;
    tridiagonal t = {.a = run->a, .n = run->n};
    double none = 0, query, *work, largest = 0;
    int zero = 0, careful = 1, asked = -1, found = 0, size, integer_size, info, *integers;
    *done = false;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i; j < n; j++) largest = fmax(largest, fabs(run->a[i * n + j]));
    if (n < LARGE || *run->job != 'V' || !(largest > 1e-60 && largest < 1e60)) return CAIRN_OK;
    CHECK(SCRATCH_EACH(ctx, n, &t.d, &t.e, &t.tau));
    CHECK(make_tridiagonal(ctx, &t));
    dstemr_("V", "A", &t.n, t.d, t.e, &none, &none, &zero, &zero, &found, run->values, run->vectors,
            &t.n, &t.n, run->support, &careful, &query, &asked, &integer_size, &asked, &info, 1, 1);
    CHECK(workspace(ctx, &work, &size, query));
    CHECK(SCRATCH(ctx, &integers, integer_size > 1 ? (size_t)integer_size : 1));
    dstemr_("V", "A", &t.n, t.d, t.e, &none, &none, &zero, &zero, &found, run->values, run->vectors,
            &t.n, &t.n, run->support, &careful, work, &size, integers, &integer_size, &info, 1, 1);
    CHECK(cairn_tick(ctx, NULL, 0, 0));
    if (info || found != t.n) return no_solution(ctx, "the eigenvalue iteration", info);
    *done = true;
    return turn_vectors(ctx, &t, run->vectors, t.n);
}

/* Copy a vector with the sign that makes its largest component positive. */
static void copy_signed(double *out, const double *vector, size_t n)
{
    size_t largest = 0;
    for (size_t i = 1; i < n; i++)
        if (fabs(vector[i]) > fabs(vector[largest])) largest = i;
    double sign = vector[largest] < 0 ? -1 : 1;
    for (size_t i = 0; i < n; i++) out[i] = sign * vector[i];
}

cairn_status cairn_symmetric_eigen(cairn_context *ctx, double *values, double *vectors, double *a,
                                   size_t n)
{
    SCOPED_SCRATCH(ctx);
    eigen_run run = {.a = a, .n = (int)n, .job = vectors ? "V" : "N"};
    bool done;
    if (n == 0) return CAIRN_OK;
    CHECK(prepare_upper(ctx, a, n));
    CHECK(SCRATCH(ctx, &run.values, n));
    CHECK(SCRATCH(ctx, &run.vectors, vectors ? cairn_product(n, n) : 1));
    CHECK(SCRATCH(ctx, &run.support, 2 * n));
    CHECK(run_large_eigen(ctx, &run, &done));
    if (!done) CHECK(run_eigen(ctx, &run));
    for (size_t i = 0; i < n; i++) {
        values[i] = run.values[n - 1 - i];
        if (vectors) copy_signed(vectors + i * n, run.vectors + (n - 1 - i) * n, n);
    }
    return CAIRN_OK;
}

/* The vectors of the `count` largest eigenvalues, rising, in the coordinates of `a`. */
static cairn_status top_vectors(cairn_context *ctx, tridiagonal *t, double *vectors, int count)
{
    cairn_status status;
    double none = 0, query, *work, *values;
    int first = t->n - count + 1, found = 0, careful = 1, asked = -1, size, integer_size, info;
    int *support, *integers;
    TRY(SCRATCH(ctx, &values, (size_t)t->n));
    TRY(SCRATCH(ctx, &support, 2 * (size_t)count));
    dstemr_("V", "I", &t->n, t->d, t->e, &none, &none, &first, &t->n, &found, values, vectors,
            &t->n, &count, support, &careful, &query, &asked, &integer_size, &asked, &info, 1, 1);
    TRY(workspace(ctx, &work, &size, query));
    TRY(SCRATCH(ctx, &integers, integer_size > 1 ? (size_t)integer_size : 1));
    dstemr_("V", "I", &t->n, t->d, t->e, &none, &none, &first, &t->n, &found, values, vectors,
            &t->n, &count, support, &careful, work, &size, integers, &integer_size, &info, 1, 1);
    TRY(cairn_tick(ctx, NULL, 0, 0));
    if (info || found != count) TRY(no_solution(ctx, "the eigenvalue iteration", info));
    TRY(turn_vectors(ctx, t, vectors, count));
done:
    return status;
}

/* Rows in the opposite order. */
static void reverse_rows(double *rows, size_t n_rows, size_t n)
{
    for (size_t i = 0; i < n_rows / 2; i++)
        for (size_t j = 0; j < n; j++) {
            double kept = rows[i * n + j];
            rows[i * n + j] = rows[(n_rows - 1 - i) * n + j];
            rows[(n_rows - 1 - i) * n + j] = kept;
        }
}

/* All vectors, of which the first are kept: cheaper when most are wanted. */
static cairn_status all_then_top(cairn_context *ctx, double *values, double *vectors, double *a,
                                 size_t n, size_t n_vectors)
{
    double *all;
    CHECK(SCRATCH_RAW(ctx, &all, cairn_product(n, n)));
    CHECK(cairn_symmetric_eigen(ctx, values, all, a, n));
    if (n_vectors) memcpy(vectors, all, n_vectors * n * sizeof *all);
    return CAIRN_OK;
}

cairn_status cairn_symmetric_top(cairn_context *ctx, double *values, double *vectors, double *a,
                                 size_t n, size_t n_vectors)
{
    enum { SMALL = 64 };
    SCOPED_SCRATCH(ctx);
    tridiagonal t = {.a = a, .n = (int)n};
    double *e;
    int info;
    if (n == 0) return CAIRN_OK;
    CHECK(prepare_upper(ctx, a, n));
    if (n <= SMALL || n_vectors > n / 2) {
        CHECK(all_then_top(ctx, values, vectors, a, n, n_vectors));
        return CAIRN_OK;
    }
    CHECK(SCRATCH_EACH(ctx, n, &t.d, &t.e, &t.tau, &e));
    CHECK(make_tridiagonal(ctx, &t));
    memcpy(values, t.d, n * sizeof *values);
    memcpy(e, t.e, n * sizeof *e);
    dsterf_(&t.n, values, e, &info);
    if (info) CHECK(no_solution(ctx, "the eigenvalue iteration", info));
    reverse_rows(values, n, 1);
    if (n_vectors) CHECK(top_vectors(ctx, &t, vectors, (int)n_vectors));
    reverse_rows(vectors, n_vectors, n);
    return CAIRN_OK;
}

/* LAPACK sees A' = V S U', so its left vectors are our right ones. */
cairn_status cairn_svd(cairn_context *ctx, double *values, double *left, double *right, double *a,
                       size_t n_rows, size_t n_columns)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_status status;
    size_t least = n_rows < n_columns ? n_rows : n_columns;
    double *work, query;
    int m = (int)n_columns, n = (int)n_rows, r = (int)least, asked = -1, size, info, *integers;
    if (least == 0) return CAIRN_OK;
    TRY(prepare(ctx, n_rows, n_columns));
    TRY(check_finite(ctx, a, cairn_product(n_rows, n_columns)));
    TRY(SCRATCH(ctx, &integers, 8 * least));
    dgesdd_("S", &m, &n, a, &m, values, right, &m, left, &r, &query, &asked, integers, &info, 1);
    TRY(workspace(ctx, &work, &size, query));
    dgesdd_("S", &m, &n, a, &m, values, right, &m, left, &r, work, &size, integers, &info, 1);
    TRY(finish());
    if (info) status = no_solution(ctx, "the singular value decomposition", info);
done:
    cairn_scratch_release(ctx, mark);
    return status;
}
