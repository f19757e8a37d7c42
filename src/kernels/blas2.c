/* SPDX-License-Identifier: MIT */
/* The level-2 routines of BLAS that LAPACK's reductions spend half their time in: dgemv, dsymv and
 * dger, by their Fortran names. Vectors of a stride other than 1 are copied. */
#include "kernels/blas.h"
#include "kernels/level.h"
#include "kernels/unroll.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define JOIN_(a, b) a##_##b
#define JOIN(a, b)  JOIN_(a, b)
#define NAMED(name) JOIN(name, LEVEL)

typedef void (*sweep_function)(double *y, double *t, const double *a, size_t lda, const double *s,
                               const double *x, size_t n);
typedef struct column_kernels {
    sweep_function axpy[2], dot[2], both[2]; /* one column, four columns */
} column_kernels;

#define LEVEL generic
#define LANES 2
#define TARGET
#include "kernels/columns_body.h"
#undef LEVEL
#undef LANES
#undef TARGET

#if defined(__x86_64__)
#define LEVEL  avx2
#define LANES  4
#define TARGET __attribute__((target("avx2")))
#include "kernels/columns_body.h"
#undef LEVEL
#undef LANES
#undef TARGET
#define LEVEL  avx512
#define LANES  8
#define TARGET __attribute__((target("avx512f,avx512vl,avx512dq")))
#include "kernels/columns_body.h"
#undef LEVEL
#undef LANES
#undef TARGET
#endif

static const column_kernels *chosen(void)
{
#if defined(__x86_64__)
    static const column_kernels *const all[] = {&columns_generic, &columns_avx2, &columns_avx512};
    return all[cairn_kernel_level()];
#else
    return &columns_generic;
#endif
}

void dgemv_(const char *trans, const int *m, const int *n, const double *alpha, const double *a,
            const int *lda, const double *x, const int *incx, const double *beta, double *y,
            const int *incy, size_t length);
void dsymv_(const char *uplo, const int *n, const double *alpha, const double *a, const int *lda,
            const double *x, const int *incx, const double *beta, double *y, const int *incy,
            size_t length);
void dger_(const int *m, const int *n, const double *alpha, const double *x, const int *incx,
           const double *y, const int *incy, double *a, const int *lda);

/* A vector of n numbers; a Fortran stride below 0 counts from the end. */
static double *first_of(double *x, size_t n, ptrdiff_t step)
{
    return step < 0 ? x - ((ptrdiff_t)n - 1) * step : x;
}

/* The numbers of x side by side, in the thread's room where they are not so already. */
static const double *tight(const double *x, size_t n, ptrdiff_t step)
{
    if (step == 1) return x;
    const double *from = step < 0 ? x - ((ptrdiff_t)n - 1) * step : x;
    for (size_t i = 0; i < n; i++) cairn_blas.vectors[i] = from[(ptrdiff_t)i * step];
    return cairn_blas.vectors;
}

/* Longer than linalg.c prepared for: a mistake there, which must show and not overrun. */
static bool is_too_long(double *out, size_t m, size_t n)
{
    bool bad = m > cairn_blas.longest || n > cairn_blas.longest;
    if (bad) *out = NAN;
    return bad;
}

static void scale(double *y, size_t n, ptrdiff_t step, double beta)
{
    y = first_of(y, n, step);
    for (size_t i = 0; i < n && beta != 1; i++) {
        double *at = y + (ptrdiff_t)i * step;
        *at = beta == 0 ? 0 : *at * beta;
    }
}

static void add_to(double *y, size_t n, ptrdiff_t step, const double *add)
{
    y = first_of(y, n, step);
    for (size_t i = 0; i < n; i++) y[(ptrdiff_t)i * step] += add[i];
}

/* y += alpha A'x, four columns at a time */
static void add_transposed(double *y, ptrdiff_t step, double alpha, const double *a, size_t lda,
                           const double *x, size_t m, size_t n)
{
    const column_kernels *k = chosen();
    double s[4];
    y = first_of(y, n, step);
    for (size_t j = 0, columns; j < n; j += columns) {
        columns = n - j >= 4 ? 4 : 1;
        k->dot[columns == 4](NULL, s, a + j * lda, lda, NULL, x, m);
        for (size_t c = 0; c < columns; c++) y[(ptrdiff_t)(j + c) * step] += alpha * s[c];
    }
}

/* y += alpha A x, four columns at a time; y without gaps */
static void add_straight(double *y, double alpha, const double *a, size_t lda, const double *x,
                         size_t m, size_t n)
{
    const column_kernels *k = chosen();
    double s[4];
    for (size_t j = 0, columns; j < n; j += columns) {
        columns = n - j >= 4 ? 4 : 1;
        for (size_t c = 0; c < columns; c++) s[c] = alpha * x[j + c];
        k->axpy[columns == 4](y, NULL, a + j * lda, lda, s, NULL, m);
    }
}

void dgemv_(const char *trans, const int *m, const int *n, const double *alpha, const double *a,
            const int *lda, const double *x, const int *incx, const double *beta, double *y,
            const int *incy, size_t length)
{
    (void)length;
    if (*m <= 0 || *n <= 0) return;
    bool transposed = (*trans | 32) != 'n';
    size_t rows = (size_t)*m, columns = (size_t)*n, step = (size_t)*lda;
    if (is_too_long(y, rows, columns)) return;
    scale(y, transposed ? columns : rows, *incy, *beta);
    if (*alpha == 0 || cairn_blas_stops((double)rows * (double)columns)) return;
    x = tight(x, transposed ? rows : columns, *incx);
    if (transposed) {
        add_transposed(y, *incy, *alpha, a, step, x, rows, columns);
    } else if (*incy == 1) {
        add_straight(y, *alpha, a, step, x, rows, columns);
    } else {
        double *out = cairn_blas.vectors + cairn_blas.longest;
        memset(out, 0, rows * sizeof *out);
        add_straight(out, *alpha, a, step, x, rows, columns);
        add_to(y, rows, *incy, out);
    }
}

/* out += A x for the part of a symmetric A on or above (below) the diagonal within `columns`
 * columns from j on; `t` holds what the rest of these columns gives. */
static void add_diagonal(double *out, const double *a, size_t step, size_t j, size_t columns,
                         const double *x, const double *t, bool upper)
{
    for (size_t c = 0; c < columns; c++) {
        const double *column = a + (j + c) * step + j;
        out[j + c] += t[c] + column[c] * x[j + c];
        for (size_t r = upper ? 0 : c + 1; r < (upper ? c : columns); r++) {
            out[j + r] += column[r] * x[j + c];
            out[j + c] += column[r] * x[j + r];
        }
    }
}

/* Four columns at a time: their square on the diagonal by hand, the rest in one sweep. */
void dsymv_(const char *uplo, const int *n, const double *alpha, const double *a, const int *lda,
            const double *x, const int *incx, const double *beta, double *y, const int *incy,
            size_t length)
{
    (void)length;
    if (*n <= 0) return;
    bool upper = (*uplo | 32) == 'u';
    const column_kernels *k = chosen();
    size_t step = (size_t)*lda, size = (size_t)*n;
    double t[4], *out = cairn_blas.vectors + cairn_blas.longest;
    if (is_too_long(y, size, size)) return;
    scale(y, size, *incy, *beta);
    if (*alpha == 0 || cairn_blas_stops((double)size * (double)size)) return;
    x = tight(x, size, *incx);
    memset(out, 0, size * sizeof *out);
    for (size_t j = 0, columns; j < size; j += columns) {
        columns = size - j >= 4 ? 4 : 1;
        size_t from = upper ? 0 : j + columns, rest = upper ? j : size - from;
        k->both[columns == 4](out + from, t, a + j * step + from, step, x + j, x + from, rest);
        add_diagonal(out, a, step, j, columns, x, t, upper);
    }
    for (size_t i = 0; i < size; i++) out[i] *= *alpha;
    add_to(y, size, *incy, out);
}

void dger_(const int *m, const int *n, const double *alpha, const double *x, const int *incx,
           const double *y, const int *incy, double *a, const int *lda)
{
    if (*m <= 0 || *n <= 0 || *alpha == 0) return;
    const column_kernels *k = chosen();
    size_t rows = (size_t)*m, columns = (size_t)*n;
    if (is_too_long(a, rows, columns)) return;
    if (cairn_blas_stops((double)rows * (double)columns)) return;
    x = tight(x, rows, *incx);
    const double *from = *incy < 0 ? y - ((ptrdiff_t)columns - 1) * *incy : y;
    for (size_t j = 0; j < columns; j++) {
        double s = *alpha * from[(ptrdiff_t)j * *incy];
        if (s != 0) k->axpy[0](a + j * (size_t)*lda, NULL, x, 0, &s, NULL, rows);
    }
}
