/* SPDX-License-Identifier: MIT */
/* Bidiagonal form by reflections from both sides (Golub & Kahan 1965), in panels: until a panel's
 * end the matrix is A - VY' - XU', with its left and right vectors in V and U (Dongarra, Hammarling
 * & Sorensen 1989). Then QR steps for singular values (Golub & Reinsch 1970), without a shift where
 * one would spoil small values (Demmel & Kahan 1990). */
#include "decompose/bidiagonal.h"
#include "base/memory.h"
#include "decompose/divide.h"
#include "decompose/parts.h"
#include "kernels/many_columns.h"
#include "kernels/kernels.h"
#include "kernels/products.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { PANEL = CAIRN_DECOMPOSE_PANEL };

typedef struct reduction {
    const cairn_bidiagonal *b;
    double *x, *y; /* PANEL x n */
    size_t from;   /* of the panel */
} reduction;

/* out -= sum over k of p_k s_k, `count` rows of n numbers; rows and factors n_all apart. */
static void take_off(double *out, const double *rows, const double *factors, size_t step, size_t n,
                     size_t count)
{
    double by[PANEL];
    for (size_t k = 0; k < count; k++) by[k] = -factors[k * step];
    cairn_columns_add(out, rows, step, by, n, count);
}

/* out -= sum over k of p_k (q_k . v), where q_k have `length` numbers. */
static void take_off_products(double *out, const double *p, const double *q, const double *v,
                              size_t step, size_t n, size_t length, size_t count)
{
    double by[PANEL];
    cairn_columns_dot(by, q, step, v, length, count);
    for (size_t k = 0; k < count; k++) by[k] = -by[k];
    cairn_columns_add(out, p, step, by, n, count);
}

/* The reflection of column `at`, and y = tau (A'v - Y V'v - U X'v). */
static void reduce_column(const reduction *r, size_t at)
{
    const cairn_bidiagonal *b = r->b;
    size_t n = b->n, known = at - r->from, rest = n - at, next = at + 1;
    double *v = b->left + at * n + at, *y = r->y + known * n + next;
    double *lefts = b->left + r->from * n, *rights = b->right + r->from * n;
    for (size_t i = 0; i < rest; i++) v[i] = b->a[(at + i) * n + at];
    take_off(v, lefts + at, r->y + at, n, rest, known);
    take_off(v, r->x + at, rights + at, n, rest, known);
    b->left_taus[at] = cairn_reflection(v, v + 1, rest - 1);
    b->d[at] = *v;
    *v = 1;
    memset(y, 0, (rest - 1) * sizeof *y);
    cairn_columns_add(y, b->a + at * n + next, n, v, rest - 1, rest);
    take_off_products(y, r->y + next, lefts + at, v, n, rest - 1, rest, known);
    take_off_products(y, rights + next, r->x + at, v, n, rest - 1, rest, known);
    for (size_t i = 0; i < rest - 1; i++) y[i] *= b->left_taus[at];
}

/* The reflection of row `at`, and x = tau (A u - V Y'u - X U'u). */
static void reduce_row(const reduction *r, size_t at)
{
    const cairn_bidiagonal *b = r->b;
    size_t n = b->n, known = at - r->from, next = at + 1, rest = n - next;
    double *u = b->right + at * n + next, *x = r->x + known * n + next;
    double *lefts = b->left + r->from * n, *rights = b->right + r->from * n;
    memcpy(u, b->a + at * n + next, rest * sizeof *u);
    take_off(u, r->y + next, lefts + at, n, rest, known + 1);
    take_off(u, rights + next, r->x + at, n, rest, known);
    b->right_taus[at] = cairn_reflection(u, u + 1, rest - 1);
    b->e[at] = *u;
    *u = 1;
    cairn_columns_dot(x, b->a + next * n + next, n, u, rest, rest);
    take_off_products(x, lefts + next, r->y + next, u, n, rest, rest, known + 1);
    take_off_products(x, r->x + next, rights + next, u, n, rest, rest, known);
    for (size_t i = 0; i < rest; i++) x[i] *= b->right_taus[at];
}

/* What a panel took off rows and columns from `to` on. */
static cairn_status reduce_rest(cairn_context *ctx, const reduction *r, size_t to)
{
    const cairn_bidiagonal *b = r->b;
    size_t n = b->n, rest = n - to;
    cairn_matmul p = {.m = rest, .n = rest, .k = to - r->from, .alpha = -1};
    p.a_i = p.b_j = 1, p.a_k = p.b_k = p.c_i = n, p.c = b->a + to * n + to;
    p.a = b->left + r->from * n + to, p.b = r->y + to;
    CHECK(cairn_matmul_run(ctx, &p));
    p.a = r->x + to, p.b = b->right + r->from * n + to;
    return cairn_matmul_run(ctx, &p);
}

cairn_status cairn_bidiagonalise(cairn_context *ctx, const cairn_bidiagonal *b)
{
    SCOPED_SCRATCH(ctx);
    reduction r = {.b = b};
    size_t n = b->n;
    CHECK(SCRATCH_EACH(ctx, cairn_product(PANEL, n), &r.x, &r.y));
    memset(b->left, 0, n * n * sizeof *b->left);
    memset(b->right, 0, n * n * sizeof *b->right);
    for (size_t to; r.from < n; r.from = to) {
        to = n - r.from < PANEL ? n : r.from + PANEL;
        for (size_t at = r.from; at < to; at++) {
            reduce_column(&r, at);
            if (at + 1 < n) reduce_row(&r, at);
            CHECK(cairn_tick(ctx, NULL, 0, 0));
        }
        CHECK(reduce_rest(ctx, &r, to));
    }
    return CAIRN_OK;
}

/* A rotation that turns (f, g) into (r, 0). */
typedef struct turn {
    double c, s, r;
} turn;

static turn turn_for(double f, double g)
{
    double r = sqrt(f * f + g * g);
    return g == 0 || r == 0 ? (turn){1, 0, f} : (turn){f / r, g / r, r};
}

typedef struct sweep {
    double *d, *e, *u, *v;
    size_t n, u_lead, v_lead;
} sweep;

static void turn_right(const sweep *s, size_t i, size_t k, turn by)
{
    cairn_rotate(s->v + i * s->v_lead, s->v + k * s->v_lead, by.c, by.s, s->n + 1);
}

static void turn_left(const sweep *s, size_t i, turn by)
{
    cairn_rotate(s->u + i * s->u_lead, s->u + (i + 1) * s->u_lead, by.c, by.s, s->n);
}

/* The column too many goes: its number is chased up to the first row. */
static void drop_column(const sweep *s)
{
    double over = s->e[s->n - 1];
    for (size_t k = s->n; k-- > 0 && over != 0;) {
        turn by = turn_for(s->d[k], over);
        s->d[k] = by.r;
        turn_right(s, k, s->n, by);
        if (k == 0) break;
        over = -by.s * s->e[k - 1];
        s->e[k - 1] *= by.c;
    }
    s->e[s->n - 1] = 0;
}

/* One step on places [low, high] with a shift of 0, which subtracts nothing. */
static void step_plainly(const sweep *s, size_t low, size_t high)
{
    double *d = s->d, *e = s->e;
    turn right = {1, 0, 0}, left = {1, 0, 0};
    for (size_t i = low; i < high; i++) {
        right = turn_for(d[i] * right.c, e[i]);
        if (i > low) e[i - 1] = left.s * right.r;
        left = turn_for(left.c * right.r, d[i + 1] * right.s);
        d[i] = left.r;
        turn_right(s, i, i + 1, right);
        turn_left(s, i, left);
    }
    double last = d[high] * right.c;
    d[high] = last * left.c;
    e[high - 1] = last * left.s;
}

static void step_shifted(const sweep *s, size_t low, size_t high, double shift)
{
    double *d = s->d, *e = s->e, g = e[low];
    double f = (fabs(d[low]) - shift) * (copysign(1, d[low]) + shift / d[low]);
    for (size_t i = low; i < high; i++) {
        turn right = turn_for(f, g);
        if (i > low) e[i - 1] = right.r;
        f = right.c * d[i] + right.s * e[i];
        e[i] = right.c * e[i] - right.s * d[i];
        g = right.s * d[i + 1];
        d[i + 1] *= right.c;
        turn left = turn_for(f, g);
        d[i] = left.r;
        f = left.c * e[i] + left.s * d[i + 1];
        d[i + 1] = left.c * d[i + 1] - left.s * e[i];
        if (i + 1 < high) {
            g = left.s * e[i + 1];
            e[i + 1] *= left.c;
        }
        turn_right(s, i, i + 1, right);
        turn_left(s, i, left);
    }
    e[high - 1] = f;
}

/* The smaller singular value of the last two rows and columns. */
static double shift_of(const sweep *s, size_t high)
{
    double f = fabs(s->d[high - 1]), g = fabs(s->e[high - 1]), h = fabs(s->d[high]);
    double least = fmin(f, h), most = fmax(f, h);
    if (least == 0) return 0;
    double sum = sqrt((most + least) * (most + least) + g * g);
    double off = sqrt((most - least) * (most - least) + g * g);
    return 2 * least * (most / (sum + off));
}

static void step(const sweep *s, size_t low, size_t high)
{
    double shift = shift_of(s, high), first = fabs(s->d[low]);
    bool plainly = first == 0 || (shift / first) * (shift / first) < DBL_EPSILON;
    for (size_t i = low; i <= high; i++) plainly |= s->d[i] == 0;
    if (plainly)
        step_plainly(s, low, high);
    else
        step_shifted(s, low, high, shift);
}

/* Values above 0 and rising, with their vectors. */
static void put_in_order(const sweep *s)
{
    for (size_t i = 0; i < s->n; i++) {
        double *row = s->v + i * s->v_lead;
        for (size_t k = 0; s->d[i] < 0 && k <= s->n; k++) row[k] = -row[k];
        s->d[i] = fabs(s->d[i]);
    }
    for (size_t i = 0; i < s->n; i++) {
        size_t least = i;
        for (size_t k = i + 1; k < s->n; k++)
            if (s->d[k] < s->d[least]) least = k;
        if (least == i) continue;
        double kept = s->d[i];
        s->d[i] = s->d[least], s->d[least] = kept;
        turn swap = {0, 1, 0}; /* one of the two with the other sign, on both sides */
        turn_right(s, i, least, swap);
        cairn_rotate(s->u + i * s->u_lead, s->u + least * s->u_lead, 0, 1, s->n);
    }
}

cairn_status cairn_bidiagonal_qr(cairn_context *ctx, double *d, double *e, size_t n, double *u,
                                 size_t u_lead, double *v, size_t v_lead)
{
    enum { STEPS = 100 }; /* for a value; two or three are usual */
    sweep s = {d, e, u, v, n, u_lead, v_lead};
    drop_column(&s);
    for (size_t high = n - 1, steps = 0; high > 0 && high < n;) {
        size_t low = high;
        while (low > 0 && fabs(e[low - 1]) > DBL_EPSILON / 2 * (fabs(d[low - 1]) + fabs(d[low])) +
                                                 CAIRN_NEGLIGIBLE)
            low--;
        if (low == high) {
            e[high - 1] = 0;
            high--, steps = 0;
            continue;
        }
        if (steps++ == STEPS)
            return cairn_fail(ctx, CAIRN_NO_SOLUTION,
                              "the iteration for singular values did not converge");
        if (low > 0) e[low - 1] = 0;
        step(&s, low, high);
    }
    put_in_order(&s);
    return cairn_tick(ctx, NULL, 0, 0);
}
