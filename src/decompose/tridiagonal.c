/* SPDX-License-Identifier: MIT */
/* Tridiagonal form by reflections (Golub & Van Loan, section 8.3), in panels: the products of a row
 * with the matrix are worked out from the matrix at the panel's begin and what its reflections took
 * off, A - VW' - WV' (Dongarra, Hammarling & Sorensen 1989), and the rest of the matrix loses that
 * in one product of matrices. Eigenvalues by the QL method of Francis and Kublanovskaya with
 * Wilkinson's shift (Dubrulle, Martin & Wilkinson 1968). */
#include "decompose/tridiagonal.h"
#include "base/memory.h"
#include "decompose/parts.h"
#include "kernels/many_columns.h"
#include "kernels/kernels.h"
#include "kernels/products.h"
#include "parallel/parallel.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum {
    PANEL = CAIRN_DECOMPOSE_PANEL,
    RANGES = 4,      /* of rows whose products are worked out side by side ... */
    LARGE_ROW = 1000 /* ... where there are so many */
};

typedef struct reduction {
    double *a, *taus, *d, *e;
    size_t n, from; /* of the panel */
    double *v, *w;  /* PANEL x n each: v, w and v again lie one after the other */
    double *sums;   /* RANGES x n */
} reduction;

typedef struct symmetric_product {
    const double *a, *x;
    double *sums;
    size_t lead, n;
} symmetric_product;

/* Ranges of about as many numbers each: the triangle's rows become shorter. */
static size_t range_start(size_t n, size_t range)
{
    static const double shares[RANGES + 1] = {0, 0.134, 0.293, 0.5, 1};
    return range == RANGES ? n : (size_t)(shares[range] * (double)n) / 4 * 4;
}

static void multiply_range(void *data, size_t range, size_t begin, size_t end, int worker)
{
    (void)begin, (void)end, (void)worker;
    const symmetric_product *p = data;
    cairn_symmetric_times(p->sums + range * p->n, p->a, p->lead, p->x, p->n,
                          range_start(p->n, range), range_start(p->n, range + 1));
}

/* out = A x for a symmetric matrix of n rows. */
static cairn_status multiply(cairn_context *ctx, const reduction *r, double *out, const double *a,
                             const double *x, size_t n)
{
    if (n < LARGE_ROW) {
        cairn_symmetric_times(out, a, r->n, x, n, 0, n);
        return CAIRN_OK;
    }
    symmetric_product p = {a, x, r->sums, r->n, n};
    CHECK(cairn_blocks_sized(ctx, RANGES, 1, (double)n * (double)n / 8, multiply_range, &p));
    memcpy(out, p.sums, n * sizeof *out);
    for (size_t k = 1; k < RANGES; k++) cairn_axpy(out, 1, p.sums + k * n, n);
    return CAIRN_OK;
}

/* x -= V' W_at + W' V_at: what the panel's reflections took off row `at`, from there on. */
static void update_row(const reduction *r, size_t at)
{
    size_t n = r->n, known = at - r->from;
    double by_v[PANEL], by_w[PANEL], *row = r->a + at * n + at;
    for (size_t k = 0; k < known; k++) by_v[k] = -r->w[k * n + at], by_w[k] = -r->v[k * n + at];
    cairn_columns_add(row, r->v + at, n, by_v, n - at, known);
    cairn_columns_add(row, r->w + at, n, by_w, n - at, known);
}

/* w = tau (A v - V W'v - W V'v) less its share along v. */
static cairn_status find_w(cairn_context *ctx, const reduction *r, size_t at)
{
    size_t n = r->n, known = at - r->from, next = at + 1, rest = n - next;
    double by_v[PANEL], by_w[PANEL], tau = r->taus[at];
    const double *v = r->v + known * n + next;
    double *w = r->w + known * n + next;
    CHECK(multiply(ctx, r, w, r->a + next * n + next, v, rest));
    cairn_columns_dot(by_v, r->w + next, n, v, rest, known);
    cairn_columns_dot(by_w, r->v + next, n, v, rest, known);
    for (size_t k = 0; k < known; k++) by_v[k] = -by_v[k], by_w[k] = -by_w[k];
    cairn_columns_add(w, r->v + next, n, by_v, rest, known);
    cairn_columns_add(w, r->w + next, n, by_w, rest, known);
    for (size_t j = 0; j < rest; j++) w[j] *= tau;
    cairn_axpy(w, -tau / 2 * cairn_dot(w, v, rest), v, rest);
    return CAIRN_OK;
}

static cairn_status reduce_row(cairn_context *ctx, const reduction *r, size_t at)
{
    size_t n = r->n, rest = n - at - 1, known = at - r->from;
    double *row = r->a + at * n + at, *v = r->v + known * n + at + 1;
    update_row(r, at);
    r->d[at] = row[0];
    r->taus[at] = cairn_reflection(row + 1, row + 2, rest - 1);
    r->e[at] = row[1];
    v[0] = 1;
    memcpy(v + 1, row + 2, (rest - 1) * sizeof *v);
    return find_w(ctx, r, at);
}

cairn_status cairn_tridiagonalise(cairn_context *ctx, double *a, double *taus, double *d, double *e,
                                  size_t n)
{
    SCOPED_SCRATCH(ctx);
    reduction r = {.a = a, .taus = taus, .d = d, .e = e, .n = n};
    size_t part = cairn_product(PANEL, n), last = n - 1;
    CHECK(SCRATCH_RAW(ctx, &r.v, cairn_product(3, part)));
    CHECK(SCRATCH_RAW(ctx, &r.sums, cairn_product(RANGES, n)));
    r.w = r.v + part;
    for (size_t to; r.from < last; r.from = to) {
        to = last - r.from < PANEL ? last : r.from + PANEL;
        memset(r.v, 0, 2 * part * sizeof *r.v);
        for (size_t at = r.from; at < to; at++) {
            CHECK(reduce_row(ctx, &r, at));
            CHECK(cairn_tick(ctx, NULL, 0, 0));
        }
        memcpy(r.w + part, r.v, part * sizeof *r.v);
        cairn_matmul p = {.m = n - to, .n = n - to, .k = (size_t)2 * PANEL, .alpha = -1};
        p.a = r.v + to, p.b = r.w + to, p.c = a + to * n + to, p.upper = true;
        p.a_i = p.b_j = 1, p.a_k = p.b_k = p.c_i = n;
        CHECK(cairn_matmul_run(ctx, &p));
    }
    d[last] = a[last * n + last];
    return CAIRN_OK;
}

/* The first place from `at` on whose neighbour no longer matters. */
static size_t block_end(const double *d, const double *e, size_t at, size_t n)
{
    for (; at + 1 < n; at++)
        if (fabs(e[at]) <= DBL_EPSILON / 2 * (fabs(d[at]) + fabs(d[at + 1])) + CAIRN_NEGLIGIBLE)
            break;
    return at;
}

/* One step on places [low, high], from the end up. */
static void step(double *d, double *e, size_t low, size_t high, double *z, size_t lead,
                 size_t width)
{
    double g = (d[low + 1] - d[low]) / (2 * e[low]), r = sqrt(g * g + 1), s = 1, c = 1, p = 0;
    g = d[high] - d[low] + e[low] / (g + copysign(r, g));
    for (size_t i = high; i-- > low;) {
        double f = s * e[i], b = c * e[i];
        e[i + 1] = r = sqrt(f * f + g * g);
        if (r == 0) { /* it fell apart on the way */
            d[i + 1] -= p;
            e[high] = 0;
            return;
        }
        s = f / r, c = g / r;
        g = d[i + 1] - p;
        r = (d[i] - g) * s + 2 * c * b;
        p = s * r;
        d[i + 1] = g + p;
        g = c * r - b;
        if (width) cairn_rotate(z + i * lead, z + (i + 1) * lead, c, -s, width);
    }
    d[low] -= p;
    e[low] = g;
    e[high] = 0;
}

static void sort_rows(double *d, size_t n, double *z, size_t lead, size_t width)
{
    for (size_t i = 0; i < n; i++) {
        size_t least = i;
        for (size_t j = i + 1; j < n; j++)
            if (d[j] < d[least]) least = j;
        double kept = d[i];
        d[i] = d[least], d[least] = kept;
        if (width == 0 || least == i) continue;
        double *row = z + i * lead, *other = z + least * lead;
        for (size_t k = 0; k < width; k++) {
            kept = row[k];
            row[k] = other[k];
            other[k] = kept;
        }
    }
}

cairn_status cairn_tridiagonal_ql(cairn_context *ctx, double *d, double *e, size_t n, double *z,
                                  size_t lead, size_t width)
{
    enum { STEPS = 60 }; /* for a value; two are usual */
    for (size_t low = 0; low < n; low++) {
        for (size_t steps = 0, high; (high = block_end(d, e, low, n)) > low; steps++) {
            if (steps == STEPS)
                return cairn_fail(ctx, CAIRN_NO_SOLUTION,
                                  "the eigenvalue iteration did not converge");
            step(d, e, low, high, z, lead, width);
        }
        CHECK(cairn_tick(ctx, NULL, 0, 0));
    }
    sort_rows(d, n, z, lead, width);
    return CAIRN_OK;
}
