/* SPDX-License-Identifier: MIT */
/* QR by Householder reflections, with and without exchanges of columns. QR differs from the matrix
 * by a modest multiple of n_rows times n_columns rounding errors, column by column (Higham, theorem
 * 19.4).
 *
 * 1. Plain: a panel of columns is reduced one by one; the columns after it get all of its
 *    reflections at once.
 * 2. With exchanges (Businger & Golub 1965): the longest column that is left comes next, and its
 *    place must be known before it is reduced. So each reflection's products with all columns are
 *    kept (F = A'V T), only the row and the column in hand are brought up to date, and the rest of
 *    a panel waits for one product (Quintana-Orti, Sun & Bischof 1998). Lengths are reduced by what
 *    a row takes from them and computed anew where that has lost half of their digits (Drmac &
 *    Bujanovic 2008). */
#include "base/memory.h"
#include "decompose/parts.h"
#include "decompose/reflections.h"
#include "kernels/many_columns.h"
#include "kernels/kernels.h"
#include "kernels/products.h"
#include "parallel/parallel.h"
#include <float.h>
#include <math.h>

enum { PANEL = CAIRN_DECOMPOSE_PANEL };

/* Columns [from, to) among themselves. */
static void factor_panel(double *x, double *taus, size_t n_rows, size_t from, size_t to)
{
    double along[PANEL];
    for (size_t k = from; k < to; k++) {
        double *column = x + k * n_rows + k, *next = column + n_rows, first;
        size_t n = n_rows - k, rest = to - k - 1;
        taus[k] = cairn_reflection(column, column + 1, n - 1);
        first = *column;
        *column = 1;
        cairn_columns_dot(along, next, n_rows, column, n, rest);
        for (size_t j = 0; j < rest; j++)
            cairn_axpy(next + j * n_rows, -taus[k] * along[j], column, n);
        *column = first;
    }
}

cairn_status cairn_qr_factor(cairn_context *ctx, double *x, double *taus, size_t n_rows,
                             size_t n_columns)
{
    size_t least = n_rows < n_columns ? n_rows : n_columns;
    for (size_t from = 0, to; from < least; from = to) {
        to = least - from < PANEL ? least : from + PANEL;
        factor_panel(x, taus, n_rows, from, to);
        cairn_reflections r = {.v = x + from * n_rows + from, .taus = taus + from, .lead = n_rows};
        r.count = to - from, r.length = n_rows - from;
        CHECK(cairn_reflect_rows(ctx, &r, x + to * n_rows + from, n_rows, n_columns - to, true));
        CHECK(cairn_tick(ctx, NULL, 0, 0));
    }
    return CAIRN_OK;
}

typedef struct pivoting {
    double *x, *taus;
    size_t *order, n_rows, n_columns;
    double *f;                /* PANEL x n_columns: what the panel's reflections take off columns */
    double *row;              /* n_columns */
    double *lengths, *exacts; /* of what is left of the columns; when last computed */
    size_t from;              /* of the panel */
} pivoting;

static void swap(double *a, double *b, size_t n, size_t step)
{
    for (size_t i = 0; i < n; i++) {
        double kept = a[i * step];
        a[i * step] = b[i * step];
        b[i * step] = kept;
    }
}

static void bring_longest(const pivoting *p, size_t at)
{
    size_t best = at, kept = p->order[at];
    for (size_t j = at + 1; j < p->n_columns; j++)
        if (p->lengths[j] > p->lengths[best]) best = j;
    if (best == at) return;
    swap(p->x + at * p->n_rows, p->x + best * p->n_rows, p->n_rows, 1);
    swap(p->f + at, p->f + best, at - p->from, p->n_columns);
    p->lengths[best] = p->lengths[at], p->exacts[best] = p->exacts[at];
    p->order[at] = p->order[best], p->order[best] = kept;
}

typedef struct products {
    const pivoting *p;
    size_t at;
} products;

/* Columns at + 1 + [begin, end) times the vector of reflection `at`. */
static void multiply_columns(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)block, (void)worker;
    const products *d = data;
    const pivoting *p = d->p;
    size_t at = d->at, first = at + 1 + begin;
    cairn_columns_dot(p->f + (at - p->from) * p->n_columns + first, p->x + first * p->n_rows + at,
                      p->n_rows, p->x + at * p->n_rows + at, p->n_rows - at, end - begin);
}

/* Row `at` of the columns to come, up to date; true when the length of one is to be computed
 * anew. */
static bool reduce_row(const pivoting *p, size_t at)
{
    size_t known = at - p->from + 1, rest = p->n_columns - at - 1;
    double factors[PANEL];
    bool lost = false;
    for (size_t t = 0; t < known; t++) factors[t] = -p->x[(p->from + t) * p->n_rows + at];
    for (size_t j = 0; j < rest; j++) p->row[j] = p->x[(at + 1 + j) * p->n_rows + at];
    cairn_columns_add(p->row, p->f + at + 1, p->n_columns, factors, rest, known);
    for (size_t j = 0; j < rest; j++) {
        double *length = p->lengths + at + 1 + j, exact = p->exacts[at + 1 + j];
        p->x[(at + 1 + j) * p->n_rows + at] = p->row[j];
        if (*length == 0) continue;
        double share = fabs(p->row[j]) / *length, left = fmax(0, (1 - share) * (1 + share));
        double kept = *length / exact;
        if (left * kept * kept <= 0x1p-26) {
            p->exacts[at + 1 + j] = 0; /* marked */
            lost = true;
        } else {
            *length *= sqrt(left);
        }
    }
    return lost;
}

/* Column `at`: exchanged, up to date, reflected, with its products. */
static cairn_status reduce_column(cairn_context *ctx, const pivoting *p, size_t at, bool *lost)
{
    enum { BLOCK = 64 };
    size_t known = at - p->from, n = p->n_rows - at, rest = p->n_columns - at - 1;
    double factors[PANEL], *column = p->x + at * p->n_rows + at, first;
    double *f = p->f + known * p->n_columns, *before = p->x + p->from * p->n_rows + at;
    products d = {p, at};
    bring_longest(p, at);
    for (size_t t = 0; t < known; t++) factors[t] = -p->f[t * p->n_columns + at];
    cairn_columns_add(column, before, p->n_rows, factors, n, known);
    p->taus[at] = cairn_reflection(column, column + 1, n - 1);
    first = *column;
    *column = 1;
    CHECK(cairn_blocks_sized(ctx, rest, BLOCK, (double)rest * (double)n / 8, multiply_columns, &d));
    cairn_columns_dot(factors, before, p->n_rows, column, n, known);
    for (size_t t = 0; t < known; t++) factors[t] *= -1;
    cairn_columns_add(f + at + 1, p->f + at + 1, p->n_columns, factors, rest, known);
    for (size_t j = at + 1; j < p->n_columns; j++) f[j] *= p->taus[at];
    *lost = reduce_row(p, at);
    *column = first;
    return cairn_tick(ctx, NULL, 0, 0);
}

/* What waited: rows and columns from `to` on lose the panel's products. */
static cairn_status reduce_rest(cairn_context *ctx, const pivoting *p, size_t to)
{
    cairn_matmul product = {.m = p->n_columns - to, .n = p->n_rows - to, .k = to - p->from};
    product.a = p->f + to, product.a_i = 1, product.a_k = p->n_columns;
    product.b = p->x + p->from * p->n_rows + to, product.b_k = p->n_rows, product.b_j = 1;
    product.c = p->x + to * p->n_rows + to, product.c_i = p->n_rows, product.alpha = -1;
    CHECK(cairn_matmul_run(ctx, &product));
    for (size_t j = to; j < p->n_columns; j++)
        if (p->exacts[j] == 0)
            p->lengths[j] = p->exacts[j] = cairn_length(p->x + j * p->n_rows + to, p->n_rows - to);
    return CAIRN_OK;
}

cairn_status cairn_qr_factor_pivoted(cairn_context *ctx, double *x, double *taus, size_t *order,
                                     size_t n_rows, size_t n_columns)
{
    SCOPED_SCRATCH(ctx);
    pivoting p = {.x = x, .taus = taus, .order = order, .n_rows = n_rows, .n_columns = n_columns};
    size_t least = n_rows < n_columns ? n_rows : n_columns;
    CHECK(SCRATCH_RAW(ctx, &p.f, cairn_product(PANEL, n_columns)));
    CHECK(SCRATCH_RAW_EACH(ctx, n_columns, &p.row, &p.lengths, &p.exacts));
    for (size_t j = 0; j < n_columns; j++) {
        p.lengths[j] = p.exacts[j] = cairn_length(x + j * n_rows, n_rows);
        order[j] = j;
    }
    while (p.from < least) {
        size_t at = p.from, most = least - at < PANEL ? least : at + PANEL;
        for (bool lost = false; at < most && !lost; at++) CHECK(reduce_column(ctx, &p, at, &lost));
        CHECK(reduce_rest(ctx, &p, at));
        p.from = at;
    }
    return CAIRN_OK;
}
