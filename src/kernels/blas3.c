/* SPDX-License-Identifier: MIT */
/* BLAS level 3 by its Fortran names over our own products, and what else LAPACK wants of others.
 * Linked before the reference BLAS, so LAPACK calls these. Fortran stores columns, so C here is C'
 * there and the factors change places. */
#include "kernels/blas.h"
#include "kernels/products.h"
#include "base/memory.h"
#include <math.h>
#include <string.h>

enum {
    BLOCK = 64, /* triangles this large are treated as squares */
    LEAF = 8,   /* triangles this small are solved by hand */
    SMALL = 16, /* matrices this small are factored by hand */
    CHUNK = 256 /* columns of B that a triangle is multiplied with at a time */
};

/* Numbers that are multiplied before the caller is asked whether to go on: milliseconds; and in one
 * product. */
#define ASK_AFTER    1e7
#define MOST_AT_ONCE 1e9

_Thread_local cairn_blas_buffer cairn_blas;

cairn_status cairn_blas_prepare(cairn_context *ctx, size_t longest)
{
    cairn_blas_buffer buffer = {.longest = longest, .ctx = ctx};
    size_t most = longest, square = most < BLOCK ? most : BLOCK;
    size_t chunk = most < CHUNK ? most : CHUNK;
    cairn_blas.longest = 0;
    CHECK(SCRATCH_RAW(ctx, &buffer.product, cairn_matmul_buffer(most, most, most)));
    CHECK(SCRATCH_RAW(ctx, &buffer.square, square * square));
    CHECK(SCRATCH_RAW(ctx, &buffer.old, square * chunk));
    CHECK(SCRATCH_RAW(ctx, &buffer.vectors, cairn_product(2, most)));
    cairn_blas = buffer;
    return CAIRN_OK;
}

bool cairn_blas_stops(double work)
{
    cairn_blas_buffer *buffer = &cairn_blas;
    buffer->work += work;
    if (buffer->work < ASK_AFTER || buffer->stopped) return buffer->stopped != CAIRN_OK;
    buffer->work = 0;
    buffer->stopped = cairn_tick(buffer->ctx, NULL, 0, 0);
    return buffer->stopped != CAIRN_OK;
}

cairn_status cairn_blas_end(void)
{
    return cairn_blas.stopped;
}

/* LAPACK's own, which is recursive. */
void dpotrf2_(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t length);

/* The routines' prototypes: Fortran names them, no header of ours does. */
void xerbla_(const char *name, const int *info, size_t length);
void _gfortran_concat_string(size_t length, char *out, size_t n_a, const char *a, size_t n_b,
                             const char *b);
void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc, size_t la, size_t lb);
void dsyrk_(const char *uplo, const char *trans, const int *n, const int *k, const double *alpha,
            const double *a, const int *lda, const double *beta, double *c, const int *ldc,
            size_t lu, size_t lt);
void dsyr2k_(const char *uplo, const char *trans, const int *n, const int *k, const double *alpha,
             const double *a, const int *lda, const double *b, const int *ldb, const double *beta,
             double *c, const int *ldc, size_t lu, size_t lt);
void dtrmm_(const char *side, const char *uplo, const char *trans, const char *diag, const int *m,
            const int *n, const double *alpha, const double *a, const int *lda, double *b,
            const int *ldb, size_t ls, size_t lu, size_t lt, size_t ld);
void dtrsm_(const char *side, const char *uplo, const char *trans, const char *diag, const int *m,
            const int *n, const double *alpha, const double *a, const int *lda, double *b,
            const int *ldb, size_t ls, size_t lu, size_t lt, size_t ld);

void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t length);

/* LAPACK's own would print and stop; the wrong argument also comes back as info below 0. */
void xerbla_(const char *name, const int *info, size_t length)
{
    (void)name, (void)info, (void)length;
}

/* The one thing LAPACK wants of Fortran's run time: it joins option letters for ilaenv. */
void _gfortran_concat_string(size_t length, char *out, size_t n_a, const char *a, size_t n_b,
                             const char *b)
{
    for (size_t i = 0; i < length; i++) out[i] = i < n_a ? a[i] : i - n_a < n_b ? b[i - n_a] : ' ';
}

/* op(A) for elements (i, k): at, steps along i and along k */
typedef struct view {
    const double *at;
    size_t i, k;
} view;

static view view_of(const double *a, size_t lda, bool transposed)
{
    return transposed ? (view){a, lda, 1} : (view){a, 1, lda};
}

static view part(view v, size_t i, size_t k)
{
    return (view){v.at + i * v.i + k * v.k, v.i, v.k};
}

static bool is(const char *option, char letter)
{
    return (*option | 32) == letter;
}

/* A product of which some is done at a time; nothing of it once the caller wants to stop. */
static void run_part(const cairn_matmul *p)
{
    if (p->m == 0 || p->n == 0) return;
    if (!cairn_blas_stops((double)p->m * (double)p->n * (double)p->k))
        cairn_matmul_alone(p, cairn_blas.product);
    else
        for (size_t i = 0; p->set && i < p->m; i++)
            memset(p->c + i * p->c_i, 0, p->n * sizeof *p->c);
}

/* Rows from i on, m of them, and columns from j on, n of them. */
static cairn_matmul part_of_product(const cairn_matmul *p, size_t i, size_t m, size_t j, size_t n)
{
    cairn_matmul some = *p;
    some.m = m, some.n = n;
    some.a += i * p->a_i;
    some.b += j * p->b_j;
    some.c += i * p->c_i + j;
    return some;
}

/* Some rows at a time. Of an upper triangle these are a smaller one and what is right of it. */
static void run(const cairn_matmul *p)
{
    size_t most = cairn_blas.longest;
    if (p->m == 0 || p->n == 0) return;
    if (p->m > most || p->n > most || p->k > most) {
        *p->c = NAN; /* linalg.c did not prepare for this: a mistake, which must show */
        return;
    }
    double row = (double)p->n * (double)p->k;
    size_t rows = row * (double)p->m <= MOST_AT_ONCE ? p->m : 1 + (size_t)(MOST_AT_ONCE / row);
    for (size_t i = 0, m; i < p->m; i += m) {
        m = p->m - i < rows ? p->m - i : rows;
        size_t from = p->upper ? i : 0, width = p->upper && m < p->n - i ? m : p->n - from;
        cairn_matmul first = part_of_product(p, i, m, from, width), right = first;
        run_part(&first);
        if (!p->upper) continue;
        right = part_of_product(p, i, m, from + width, p->n - from - width);
        right.upper = false;
        run_part(&right);
    }
}

/* C (m x n by columns) += alpha A B, or = if set */
static void multiply(double *c, size_t ldc, size_t m, size_t n, size_t k, double alpha, view a,
                     view b, bool set)
{
    cairn_matmul p = {.m = n, .n = m, .k = k, .c = c, .c_i = ldc, .alpha = alpha, .set = set};
    p.a = b.at, p.a_i = b.k, p.a_k = b.i;
    p.b = a.at, p.b_k = a.k, p.b_j = a.i;
    run(&p);
}

/* The lower triangle of C (n x n by columns, the upper one of its rows) += alpha A B' */
static void multiply_lower(double *c, size_t ldc, size_t n, size_t k, double alpha, view a, view b)
{
    cairn_matmul p = {.m = n, .n = n, .k = k, .c = c, .c_i = ldc, .alpha = alpha, .upper = true};
    p.a = b.at, p.a_i = b.i, p.a_k = b.k;
    p.b = a.at, p.b_k = a.k, p.b_j = a.i;
    run(&p);
}

static void scale(double *c, size_t ldc, size_t m, size_t n, double beta)
{
    for (size_t j = 0; j < n && beta != 1; j++)
        for (size_t i = 0; i < m; i++) c[j * ldc + i] = beta == 0 ? 0 : beta * c[j * ldc + i];
}

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc, size_t la, size_t lb)
{
    (void)la, (void)lb;
    if (*m <= 0 || *n <= 0) return;
    bool none = *k <= 0 || *alpha == 0;
    if (*beta != 0 || none) scale(c, (size_t)*ldc, (size_t)*m, (size_t)*n, *beta);
    if (none) return;
    multiply(c, (size_t)*ldc, (size_t)*m, (size_t)*n, (size_t)*k, *alpha,
             view_of(a, (size_t)*lda, !is(transa, 'n')), view_of(b, (size_t)*ldb, !is(transb, 'n')),
             *beta == 0);
}

/* One triangle of a rank-k update, as dsyrk and dsyr2k are told it. */
typedef struct update {
    bool upper, both; /* both: A B' + B A' */
    size_t n, k;
    double alpha, beta;
    view a, b;
} update;

static void update_lower(const update *u, double *c, size_t ldc)
{
    for (size_t j = 0; j < u->n && u->beta != 1; j++)
        scale(c + j * ldc + j, ldc, u->n - j, 1, u->beta);
    if (u->k == 0 || u->alpha == 0) return;
    multiply_lower(c, ldc, u->n, u->k, u->alpha, u->a, u->b);
    if (u->both) multiply_lower(c, ldc, u->n, u->k, u->alpha, u->b, u->a);
}

/* Column by column of blocks; LAPACK as linalg.c calls it asks for lower triangles only, so this
 * may be slow. The block on the diagonal goes through a copy: half of it must stay as it is. */
static void update_upper(const update *u, double *c, size_t ldc)
{
    double *square = cairn_blas.square;
    update part_of = *u;
    for (size_t j = 0; j < u->n; j += BLOCK) {
        size_t w = u->n - j < BLOCK ? u->n - j : BLOCK;
        view bt = {u->b.at, u->b.k, u->b.i}, at = {u->a.at, u->a.k, u->a.i};
        scale(c + j * ldc, ldc, j, w, u->beta);
        multiply(c + j * ldc, ldc, j, w, u->k, u->alpha, u->a, part(bt, 0, j), false);
        if (u->both) multiply(c + j * ldc, ldc, j, w, u->k, u->alpha, u->b, part(at, 0, j), false);
        for (size_t q = 0; q < w; q++) /* turned, the triangle is a lower one */
            for (size_t p = 0; p <= q; p++) square[p * w + q] = c[(j + q) * ldc + j + p];
        part_of.n = w, part_of.a = part(u->a, j, 0), part_of.b = part(u->b, j, 0);
        update_lower(&part_of, square, w);
        for (size_t q = 0; q < w; q++)
            for (size_t p = 0; p <= q; p++) c[(j + q) * ldc + j + p] = square[p * w + q];
    }
}

static void update_triangle(const update *u, double *c, size_t ldc)
{
    if (u->upper)
        update_upper(u, c, ldc);
    else
        update_lower(u, c, ldc);
}

void dsyrk_(const char *uplo, const char *trans, const int *n, const int *k, const double *alpha,
            const double *a, const int *lda, const double *beta, double *c, const int *ldc,
            size_t lu, size_t lt)
{
    (void)lu, (void)lt;
    if (*n <= 0) return;
    view v = view_of(a, (size_t)*lda, !is(trans, 'n'));
    update u = {is(uplo, 'u'), false, (size_t)*n, (size_t)(*k > 0 ? *k : 0), *alpha, *beta, v, v};
    update_triangle(&u, c, (size_t)*ldc);
}

void dsyr2k_(const char *uplo, const char *trans, const int *n, const int *k, const double *alpha,
             const double *a, const int *lda, const double *b, const int *ldb, const double *beta,
             double *c, const int *ldc, size_t lu, size_t lt)
{
    (void)lu, (void)lt;
    if (*n <= 0) return;
    bool transposed = !is(trans, 'n');
    update u = {is(uplo, 'u'),
                true,
                (size_t)*n,
                (size_t)(*k > 0 ? *k : 0),
                *alpha,
                *beta,
                view_of(a, (size_t)*lda, transposed),
                view_of(b, (size_t)*ldb, transposed)};
    update_triangle(&u, c, (size_t)*ldc);
}

/* A triangle op(T) of `order` rows; `above` says which side of the diagonal it holds. */
typedef struct triangle {
    view at;
    size_t order;
    bool left, above, unit; /* left: T X, otherwise X T */
} triangle;

static triangle triangle_of(const char *side, const char *uplo, const char *trans, const char *diag,
                            const int *m, const int *n, const double *a, const int *lda)
{
    bool left = is(side, 'l');
    return (triangle){view_of(a, (size_t)*lda, !is(trans, 'n')), (size_t)(left ? *m : *n), left,
                      is(uplo, 'u') == is(trans, 'n'), is(diag, 'u')};
}

/* The triangle of v's first w rows and columns as a square with zeros. */
static view square_of(double *out, view v, size_t w, bool above, bool unit)
{
    for (size_t k = 0; k < w; k++)
        for (size_t i = 0; i < w; i++) {
            bool inside = above ? i <= k : i >= k;
            out[k * w + i] = i == k && unit ? 1 : inside ? v.at[i * v.i + k * v.k] : 0;
        }
    return (view){out, 1, w};
}

/* B = alpha op(T) B or alpha B op(T) for `other` columns or rows of B, at most CHUNK;
 * block by block in the order that reads before it writes. */
static void multiply_triangle(const triangle *t, double alpha, double *b, size_t step, size_t other)
{
    double *old = cairn_blas.old;
    view v = t->at, all = {b, 1, step};
    size_t blocks = (t->order + BLOCK - 1) / BLOCK;
    bool after = t->left == t->above; /* the other blocks that each one needs */
    for (size_t s = 0; s < blocks; s++) {
        size_t at = (after ? s : blocks - 1 - s) * BLOCK;
        size_t w = t->order - at < BLOCK ? t->order - at : BLOCK;
        size_t from = after ? at + w : 0, count = after ? t->order - from : at;
        view square = square_of(cairn_blas.square, part(v, at, at), w, t->above, t->unit);
        size_t lines = t->left ? other : w, length = t->left ? w : other;
        double *to = b + at * (t->left ? 1 : step);
        for (size_t j = 0; j < lines; j++)
            memcpy(old + j * length, to + j * step, length * sizeof *old);
        if (t->left) {
            multiply(to, step, w, other, w, alpha, square, (view){old, 1, w}, true);
            multiply(to, step, w, other, count, alpha, part(v, at, from), part(all, from, 0),
                     false);
        } else {
            multiply(to, step, other, w, w, alpha, (view){old, 1, other}, square, true);
            multiply(to, step, other, w, count, alpha, part(all, 0, from), part(v, from, at),
                     false);
        }
    }
}

void dtrmm_(const char *side, const char *uplo, const char *trans, const char *diag, const int *m,
            const int *n, const double *alpha, const double *a, const int *lda, double *b,
            const int *ldb, size_t ls, size_t lu, size_t lt, size_t ld)
{
    (void)ls, (void)lu, (void)lt, (void)ld;
    if (*m <= 0 || *n <= 0) return;
    triangle t = triangle_of(side, uplo, trans, diag, m, n, a, lda);
    size_t other = (size_t)(t.left ? *n : *m), step = (size_t)*ldb;
    for (size_t i = 0; i < other; i += CHUNK) {
        size_t chunk = other - i < CHUNK ? other - i : CHUNK;
        multiply_triangle(&t, *alpha, b + i * (t.left ? step : 1), step, chunk);
    }
}

/* A small triangle by hand, one row or column of X after the other. */
static void solve_leaf(const triangle *t, size_t other, double *b, size_t step)
{
    size_t along = t->left ? 1 : step, across = t->left ? step : 1;
    bool backwards = t->left == t->above;
    for (size_t s = 0; s < t->order; s++) {
        size_t i = backwards ? t->order - 1 - s : s;
        double *restrict to = b + i * along;
        for (size_t r = 0; r < s; r++) {
            size_t k = backwards ? t->order - 1 - r : r, row = t->left ? i : k;
            double f = t->at.at[row * t->at.i + (t->left ? k : i) * t->at.k];
            const double *from = b + k * along;
            for (size_t j = 0; j < other; j++) to[j * across] -= f * from[j * across];
        }
        for (size_t j = 0; !t->unit && j < other; j++)
            to[j * across] /= t->at.at[i * t->at.i + i * t->at.k];
    }
}

/* Solves T X = B (left) or X T = B in place; halves until LEAF, the rest is products. The depth is
 * the logarithm of the order. */
static void solve(const triangle *t, size_t other, double *b, size_t step)
{
    size_t order = t->order;
    if (cairn_blas.stopped) return;
    if (order <= LEAF) {
        solve_leaf(t, other, b, step);
        return;
    }
    size_t half = order > 2 * BLOCK ? (order / 2 + BLOCK - 1) / BLOCK * BLOCK : (order + 1) / 2;
    bool backwards = t->left == t->above; /* the second half comes first */
    size_t first = backwards ? half : 0, second = backwards ? 0 : half;
    size_t n1 = backwards ? order - half : half, n2 = order - n1;
    double *b1 = b + first * (t->left ? 1 : step), *b2 = b + second * (t->left ? 1 : step);
    triangle t1 = *t, t2 = *t;
    t1.at = part(t->at, first, first), t1.order = n1;
    t2.at = part(t->at, second, second), t2.order = n2;
    solve(&t1, other, b1, step);
    if (t->left)
        multiply(b2, step, n2, other, n1, -1, part(t->at, second, first), (view){b1, 1, step},
                 false);
    else
        multiply(b2, step, other, n2, n1, -1, (view){b1, 1, step}, part(t->at, first, second),
                 false);
    solve(&t2, other, b2, step);
}

void dtrsm_(const char *side, const char *uplo, const char *trans, const char *diag, const int *m,
            const int *n, const double *alpha, const double *a, const int *lda, double *b,
            const int *ldb, size_t ls, size_t lu, size_t lt, size_t ld)
{
    (void)ls, (void)lu, (void)lt, (void)ld;
    if (*m <= 0 || *n <= 0) return;
    triangle t = triangle_of(side, uplo, trans, diag, m, n, a, lda);
    scale(b, (size_t)*ldb, (size_t)*m, (size_t)*n, *alpha);
    if (*alpha != 0) solve(&t, (size_t)(t.left ? *n : *m), b, (size_t)*ldb);
}

/* Lower triangle of A = L L', by hand; the number of the first pivot that is not above 0, or 0. */
static size_t factor_small(double *a, size_t lda, size_t n)
{
    for (size_t j = 0; j < n; j++) {
        double *column = a + j * lda;
        if (!(column[j] > 0)) return j + 1;
        column[j] = sqrt(column[j]);
        for (size_t i = j + 1; i < n; i++) column[i] /= column[j];
        for (size_t k = j + 1; k < n; k++)
            for (size_t i = k; i < n; i++) a[k * lda + i] -= column[i] * column[k];
    }
    return 0;
}

/* The same by halves, so that nearly all of the work is in large products. */
static size_t factor_lower(double *a, size_t lda, size_t n)
{
    if (n <= SMALL) return factor_small(a, lda, n);
    size_t n1 = n > 2 * BLOCK ? (n / 2 + BLOCK - 1) / BLOCK * BLOCK : (n + 1) / 2, n2 = n - n1;
    double *below = a + n1, *rest = a + n1 * lda + n1;
    triangle t = {view_of(a, lda, true), n1, false, true, false}; /* below L1' = A21 */
    view v = view_of(below, lda, false);
    update u = {false, false, n2, n1, -1, 1, v, v};
    size_t pivot = factor_lower(a, lda, n1);
    if (pivot) return pivot;
    solve(&t, n2, below, lda);
    update_lower(&u, rest, lda);
    pivot = factor_lower(rest, lda, n2);
    return pivot ? n1 + pivot : 0;
}

/* In place of LAPACK's, which makes narrow products and packs its matrix anew for each of them. */
void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t length)
{
    *info = *n < 0 ? -2 : *lda < *n ? -4 : 0;
    if (*info || *n == 0) return;
    if (is(uplo, 'l'))
        *info = (int)factor_lower(a, (size_t)*lda, (size_t)*n);
    else
        dpotrf2_(uplo, n, a, lda, info, length);
}
