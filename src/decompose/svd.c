/* SPDX-License-Identifier: MIT */
/* Singular values: QR of a tall matrix, bidiagonal form of its triangle, values and vectors of that
 * by division, and vectors turned back (Golub & Van Loan, section 8.6; Chan 1982). A wide matrix is
 * taken by its transpose. */
#include "base/memory.h"
#include "decompose/bidiagonal.h"
#include "decompose/divide.h"
#include "decompose/linalg.h"
#include "decompose/parts.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* U S V' of a matrix by n columns of m >= n numbers. */
typedef struct parts {
    double *x, *taus;        /* the QR, where m > n */
    cairn_bidiagonal square; /* and of its triangle the form; d is rising in the end */
    double *u, *v;           /* the form's vectors as rows: n x n; n + 1 x n + 1 */
    size_t m, n;
    int exponent; /* of what the matrix was divided by */
} parts;

static cairn_status make_room(cairn_context *ctx, parts *p)
{
    cairn_bidiagonal *b = &p->square;
    b->n = p->n;
    CHECK(SCRATCH_RAW_EACH(ctx, cairn_product(p->n, p->n), &b->a, &b->left, &b->right, &p->u));
    CHECK(SCRATCH_RAW(ctx, &p->v, cairn_product(p->n + 1, p->n + 1)));
    CHECK(SCRATCH_EACH(ctx, p->n, &p->taus, &b->left_taus, &b->right_taus, &b->d, &b->e));
    return CAIRN_OK;
}

static cairn_status decompose(cairn_context *ctx, parts *p)
{
    cairn_bidiagonal *b = &p->square;
    size_t m = p->m, n = p->n;
    int first = cairn_wild_exponent(cairn_largest(p->x, m * n));
    CHECK(make_room(ctx, p));
    cairn_scale_by_two(p->x, m * n, -first);
    if (m > n) CHECK(cairn_qr_factor(ctx, p->x, p->taus, m, n));
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) b->a[i * n + j] = m > n && i > j ? 0 : p->x[j * m + i];
    CHECK(cairn_bidiagonalise(ctx, b));
    int second = cairn_exponent_of(fmax(cairn_largest(b->d, n), cairn_largest(b->e, n - 1)));
    cairn_scale_by_two(b->d, n, -second);
    cairn_scale_by_two(b->e, n, -second);
    p->exponent = first + second;
    return cairn_bidiagonal_divide(ctx, b->d, b->e, p->u, p->v, n);
}

static cairn_reflections left_of(const parts *p)
{
    const cairn_bidiagonal *b = &p->square;
    return (cairn_reflections){
        .v = b->left, .taus = b->left_taus, .lead = p->n, .count = p->n, .length = p->n};
}

static cairn_reflections right_of(const parts *p)
{
    const cairn_bidiagonal *b = &p->square;
    return (cairn_reflections){.v = b->right,
                               .taus = b->right_taus,
                               .lead = p->n,
                               .count = p->n - 1,
                               .length = p->n,
                               .offset = 1};
}

/* Left vectors as rows of m numbers, right ones as rows of n, both falling. */
static cairn_status turn_back(cairn_context *ctx, const parts *p, double *left, double *right)
{
    size_t m = p->m, n = p->n;
    cairn_reflections q = left_of(p), r = right_of(p), above;
    memset(left, 0, n * m * sizeof *left);
    for (size_t i = 0; i < n; i++) {
        memcpy(left + i * m, p->u + (n - 1 - i) * n, n * sizeof *left);
        memcpy(right + i * n, p->v + (n - 1 - i) * (n + 1), n * sizeof *right);
    }
    CHECK(cairn_reflect_rows(ctx, &q, left, m, n, false));
    CHECK(cairn_reflect_rows(ctx, &r, right, n, n, false));
    if (m == n) return CAIRN_OK;
    above = cairn_qr_reflections(p->x, p->taus, m, n);
    return cairn_reflect_rows(ctx, &above, left, m, n, false);
}

static void turn(double *out, const double *in, size_t rows, size_t columns)
{
    enum { SIDE = 16 }; /* squares of both stay in the cache */
    for (size_t a = 0; a < rows; a += SIDE)
        for (size_t b = 0; b < columns; b += SIDE)
            for (size_t i = a; i < rows && i < a + SIDE; i++)
                for (size_t j = b; j < columns && j < b + SIDE; j++)
                    out[j * rows + i] = in[i * columns + j];
}

cairn_status cairn_svd(cairn_context *ctx, double *values, double *left, double *right, double *a,
                       size_t n_rows, size_t n_columns)
{
    SCOPED_SCRATCH(ctx);
    bool tall = n_rows >= n_columns;
    parts p = {.x = a, .m = tall ? n_rows : n_columns, .n = tall ? n_columns : n_rows};
    double *rows;
    if (p.n == 0) return CAIRN_OK;
    size_t size = cairn_product(tall ? p.m : p.n, p.n);
    CHECK(cairn_check_finite(ctx, a, n_rows * n_columns));
    CHECK(SCRATCH_RAW(ctx, &rows, size));
    if (tall) CHECK(SCRATCH_RAW(ctx, &p.x, size));
    if (tall) turn(p.x, a, n_rows, n_columns);
    CHECK(decompose(ctx, &p));
    for (size_t i = 0; i < p.n; i++) values[i] = ldexp(p.square.d[p.n - 1 - i], p.exponent);
    CHECK(turn_back(ctx, &p, tall ? rows : right, tall ? right : rows));
    turn(left, rows, p.n, n_rows);
    return CAIRN_OK;
}

/* V S^-1 U' y: what lies along values that count, and only there. */
static cairn_status solve_tall(cairn_context *ctx, const parts *p, double *coefficients, double *y,
                               size_t rank)
{
    size_t n = p->n;
    cairn_reflections q = left_of(p), r = right_of(p);
    cairn_reflections above = cairn_qr_reflections(p->x, p->taus, p->m, n);
    if (p->m > n) CHECK(cairn_reflect_rows(ctx, &above, y, p->m, 1, true));
    CHECK(cairn_reflect_rows(ctx, &q, y, n, 1, true));
    for (size_t i = n - rank; i < n; i++) {
        double along = 0, value = ldexp(p->square.d[i], p->exponent);
        for (size_t k = 0; k < n; k++) along += p->u[i * n + k] * y[k];
        for (size_t k = 0; k < n; k++) coefficients[k] += along / value * p->v[i * (n + 1) + k];
    }
    return cairn_reflect_rows(ctx, &r, coefficients, n, 1, false);
}

/* U S^-1 V' y for the transpose of a wide matrix. */
static cairn_status solve_wide(cairn_context *ctx, const parts *p, double *coefficients, double *y,
                               size_t rank)
{
    size_t n = p->n;
    cairn_reflections q = left_of(p), r = right_of(p);
    cairn_reflections above = cairn_qr_reflections(p->x, p->taus, p->m, n);
    CHECK(cairn_reflect_rows(ctx, &r, y, n, 1, true));
    for (size_t i = n - rank; i < n; i++) {
        double along = 0, value = ldexp(p->square.d[i], p->exponent);
        for (size_t k = 0; k < n; k++) along += p->v[i * (n + 1) + k] * y[k];
        for (size_t k = 0; k < n; k++) coefficients[k] += along / value * p->u[i * n + k];
    }
    CHECK(cairn_reflect_rows(ctx, &q, coefficients, n, 1, false));
    return cairn_reflect_rows(ctx, &above, coefficients, p->m, 1, false);
}

cairn_status cairn_svd_least_squares(cairn_context *ctx, double *coefficients,
                                     double *singular_values, size_t *rank, double *x,
                                     const double *y, size_t n_rows, size_t n_columns,
                                     double tolerance)
{
    SCOPED_SCRATCH(ctx);
    bool tall = n_rows >= n_columns;
    parts p = {.x = x, .m = tall ? n_rows : n_columns, .n = tall ? n_columns : n_rows};
    double *right, least = tolerance > 0 ? tolerance : (double)p.m * DBL_EPSILON;
    *rank = 0;
    for (size_t j = 0; j < n_columns; j++) coefficients[j] = 0;
    if (p.n == 0) return CAIRN_OK;
    CHECK(cairn_check_finite(ctx, x, n_rows * n_columns));
    CHECK(cairn_check_finite(ctx, y, n_rows));
    CHECK(SCRATCH_RAW(ctx, &right, n_rows));
    memcpy(right, y, n_rows * sizeof *y);
    if (!tall) {
        CHECK(SCRATCH_RAW(ctx, &p.x, cairn_product(p.m, p.n)));
        turn(p.x, x, n_columns, n_rows);
    }
    CHECK(decompose(ctx, &p));
    const double *d = p.square.d;
    while (*rank < p.n && d[p.n - 1 - *rank] > least * d[p.n - 1]) ++*rank;
    for (size_t i = 0; singular_values && i < p.n; i++)
        singular_values[i] = ldexp(d[p.n - 1 - i], p.exponent);
    return tall ? solve_tall(ctx, &p, coefficients, right, *rank)
                : solve_wide(ctx, &p, coefficients, right, *rank);
}
