/* SPDX-License-Identifier: MIT */
/* Householder reflections (Golub & Van Loan, sections 5.1 and 5.2). */
#include "decompose/reflections.h"
#include "base/memory.h"
#include "decompose/parts.h"
#include "kernels/many_columns.h"
#include "kernels/kernels.h"
#include "kernels/products.h"
#include <math.h>
#include <string.h>

double cairn_length(const double *x, size_t n)
{
    double square = cairn_dot(x, x, n), most, sum = 0;
    if (square > 1e-280 && square < 1e280) return sqrt(square);
    most = cairn_largest(x, n);
    if (most == 0) return 0;
    for (size_t i = 0; i < n; i++) sum += (x[i] / most) * (x[i] / most);
    return most * sqrt(sum);
}

/* b has the other sign than *first, so that nothing cancels. Numbers that are nearly too small for
 * a double are taken at another scale. */
double cairn_reflection(double *first, double *x, size_t n)
{
    const double up = 0x1p600, least = 0x1p-900;
    double rest = cairn_length(x, n);
    if (rest == 0) return 0;
    bool small = rest < least && fabs(*first) < least;
    for (size_t i = 0; small && i < n; i++) x[i] *= up;
    if (small) rest = cairn_length(x, n), *first *= up;
    double both[2] = {*first, rest}, b = copysign(cairn_length(both, 2), -*first);
    double head = *first - b, tau = -head / b;
    for (size_t i = 0; i < n; i++) x[i] /= head;
    *first = small ? b / up : b;
    return tau;
}

/* A block of reflections with their zeros and ones, and T. */
typedef struct block {
    double *v, *t, *products, *turned; /* n x length; n x n; n_rows x n, twice */
    size_t n, length;
} block;

enum { PANEL = CAIRN_DECOMPOSE_PANEL };

static void copy_vectors(const cairn_reflections *r, size_t from, block *b)
{
    for (size_t k = 0; k < b->n; k++) {
        double *v = b->v + k * b->length;
        const double *row = r->v + (from + k) * r->lead + r->offset + from;
        memset(v, 0, k * sizeof *v);
        v[k] = 1;
        memcpy(v + k + 1, row + k + 1, (b->length - k - 1) * sizeof *v);
    }
}

/* T column by column from the products of the vectors: t_k = -tau_k T_k (V v_k). */
static void join(const block *b, const double *taus)
{
    size_t n = b->n;
    double along[PANEL];
    memset(b->t, 0, n * n * sizeof *b->t);
    for (size_t k = 0; k < n; k++) {
        cairn_columns_dot(along, b->v, b->length, b->v + k * b->length, b->length, k);
        for (size_t i = 0; i < k; i++) {
            double sum = 0;
            for (size_t j = i; j < k; j++) sum += b->t[i * n + j] * along[j];
            b->t[i * n + k] = -taus[k] * sum;
        }
        b->t[k * n + k] = taus[k];
    }
}

/* Z -= ((Z V') T) V, with T' where it is not the transpose that is wanted: z is a row here. Sums of
 * some terms at a time lose less where all terms are alike. */
static cairn_status apply(cairn_context *ctx, const block *b, double *z, size_t lead, size_t n_rows,
                          bool transposed)
{
    enum { TERMS = 96 };
    size_t n = b->n;
    cairn_matmul p = {.m = n_rows, .n = n, .a_i = lead, .a_k = 1, .b_k = 1, .b_j = b->length};
    p.c = b->products, p.c_i = n, p.alpha = 1;
    for (size_t k = 0; k < b->length; k += TERMS) {
        p.k = b->length - k < TERMS ? b->length - k : TERMS;
        p.a = z + k, p.b = b->v + k, p.set = k == 0;
        CHECK(cairn_matmul_run(ctx, &p));
    }
    cairn_matmul q = {.m = n_rows, .n = n, .k = n, .a = b->products, .a_i = n, .a_k = 1};
    q.b = b->t, q.b_k = transposed ? n : 1, q.b_j = transposed ? 1 : n;
    q.c = b->turned, q.c_i = n, q.alpha = 1, q.set = true;
    CHECK(cairn_matmul_run(ctx, &q));
    cairn_matmul s = {.m = n_rows, .n = b->length, .k = n, .a = b->turned, .a_i = n, .a_k = 1};
    s.b = b->v, s.b_k = b->length, s.b_j = 1, s.c = z, s.c_i = lead, s.alpha = -1;
    return cairn_matmul_run(ctx, &s);
}

/* A few vectors, one reflection after the other. */
static void reflect_each(const cairn_reflections *r, double *rows, size_t lead, size_t n_rows,
                         bool transposed)
{
    for (size_t s = 0; s < r->count; s++) {
        size_t k = transposed ? s : r->count - 1 - s, at = k + r->offset, n = r->length - at - 1;
        const double *v = r->v + k * r->lead + at + 1;
        for (size_t i = 0; i < n_rows; i++) {
            double *z = rows + i * lead + at, along = r->taus[k] * (*z + cairn_dot(v, z + 1, n));
            *z -= along;
            cairn_axpy(z + 1, -along, v, n);
        }
    }
}

cairn_status cairn_reflect_rows(cairn_context *ctx, const cairn_reflections *r, double *rows,
                                size_t lead, size_t n_rows, bool transposed)
{
    enum { FEW = 4 };
    SCOPED_SCRATCH(ctx);
    block b;
    size_t blocks = (r->count + PANEL - 1) / PANEL, room = cairn_product(n_rows, PANEL);
    if (n_rows <= FEW) {
        reflect_each(r, rows, lead, n_rows, transposed);
        return cairn_tick(ctx, NULL, 0, 0);
    }
    CHECK(SCRATCH_RAW(ctx, &b.v, cairn_product(PANEL, r->length)));
    CHECK(SCRATCH_RAW(ctx, &b.t, PANEL * PANEL));
    CHECK(SCRATCH_RAW_EACH(ctx, room, &b.products, &b.turned));
    for (size_t s = 0; s < blocks; s++) {
        size_t from = (transposed ? s : blocks - 1 - s) * PANEL;
        b.n = r->count - from < PANEL ? r->count - from : PANEL;
        b.length = r->length - r->offset - from;
        copy_vectors(r, from, &b);
        join(&b, r->taus + from);
        CHECK(apply(ctx, &b, rows + r->offset + from, lead, n_rows, transposed));
        CHECK(cairn_tick(ctx, NULL, 0, 0));
    }
    return CAIRN_OK;
}

cairn_reflections cairn_qr_reflections(const double *x, const double *taus, size_t n_rows,
                                       size_t n_columns)
{
    size_t count = n_rows < n_columns ? n_rows : n_columns;
    return (cairn_reflections){
        .v = x, .taus = taus, .lead = n_rows, .count = count, .length = n_rows};
}
