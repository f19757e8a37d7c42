/* SPDX-License-Identifier: MIT */
/* Eigenvectors of a symmetric tridiagonal matrix by division (Cuppen 1981; Gu & Eisenstat 1995),
 * and singular vectors of a bidiagonal one (Gu & Eisenstat 1995):
 *
 * 1. T is two smaller ones and a matrix of rank one, rho v v'; B is two smaller ones and a row
 *    between them. Each is solved in the same way, a small one by QL or QR steps.
 * 2. In the coordinates of their vectors T is D + rho z z' and B is D with z in the row of a 0:
 *    then B'B is D^2 + z z'. What hardly has a part in z, and one of two that are nearly equal,
 *    is a value already.
 * 3. The rest are roots of a secular equation with poles D or D^2; their vectors are z / (pole -
 *    root), and D z / (pole - root) on the left of B. Products of matrices bring these back, half
 *    by half, since most of the old vectors have zeros in one half.
 *
 * B is taken with one more column, so that all its parts have one: V has a vector more then, which
 * B makes 0. Residuals and products of different vectors are a modest multiple of the rounding
 * error times the largest value, however near the values are. */
#include "decompose/divide.h"
#include "base/memory.h"
#include "decompose/parts.h"
#include "decompose/tridiagonal.h"
#include "kernels/many_columns.h"
#include "kernels/kernels.h"
#include "kernels/products.h"
#include "parallel/parallel.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* In place of a 0 that must not be one; its square is still a double. */
#define NOTHING 0x1p-500

/* Which columns of an old vector may differ from 0. */
typedef enum part { FIRST, BOTH, SECOND, DONE, PARTS } part;

/* Vectors as rows, `extra` more numbers in each than there are values. */
typedef struct vectors {
    double *rows, *old, *fresh; /* in place; by part; new ones */
    double *factors;            /* of the new ones in the old; those of the first are gaps before */
    size_t lead, extra;
} vectors;

typedef struct division {
    double *d, *e;
    vectors sets[2]; /* eigenvectors; right and left ones of a bidiagonal matrix */
    size_t n_sets;
    double *weights, *poles, *squares, *values; /* n each */
    size_t *order, *rest, *place, *places;      /* n each */
    part *parts;
} division;

/* One joining of values [from, from + n). */
typedef struct joining {
    const division *c;
    size_t from, n;
    size_t m, columns; /* values and columns of the first half */
    double rho;
    size_t n_rest;      /* roots to find: values rest[0 .. n_rest - 1], rising */
    size_t first;       /* root whose vector is wanted, and all after it */
    size_t ends[PARTS]; /* how many old vectors there are up to each part */
} joining;

static bool is_singular(const division *c)
{
    return c->n_sets == 2;
}

static double *row_of(const joining *j, const vectors *set, size_t i)
{
    return set->rows + (j->from + i) * set->lead + j->from;
}

static size_t width_of(const joining *j, const vectors *set)
{
    return j->n + set->extra;
}

/* The order in which the values of both halves rise, from place `at` of it on. */
static void order_values(const joining *j, size_t at, size_t second)
{
    const double *d = j->c->d + j->from;
    for (size_t i = at, a = 0, b = second; i < j->n; i++)
        j->c->order[i] = b == j->n || (a < j->m && d[a] <= d[b]) ? a++ : b++;
}

/* z, of length 1. */
static void prepare_tridiagonal(joining *j)
{
    const division *c = j->c;
    double sign = j->rho < 0 ? -1 : 1;
    for (size_t i = 0; i < j->n; i++) {
        const double *row = row_of(j, c->sets, i);
        c->weights[i] = (i < j->m ? row[j->m - 1] : sign * row[j->m]) * 0x1.6a09e667f3bcdp-1;
        c->parts[i] = i < j->m ? FIRST : SECOND;
    }
    j->rho = 2 * fabs(j->rho);
    order_values(j, 0, j->m);
}

/* The row between the halves in the coordinates of their right vectors. Both halves have one that
 * they make 0: these are turned so that only one of them has a part in the row. */
static void prepare_bidiagonal(joining *j)
{
    const division *c = j->c;
    double alpha = c->d[j->from + j->m], beta = c->e[j->from + j->m];
    double *mine = row_of(j, c->sets, j->m), *other = row_of(j, c->sets, j->n);
    double a = alpha * mine[j->m], b = beta * other[j->m + 1], r = sqrt(a * a + b * b);
    for (size_t i = 0; i < j->n; i++) {
        const double *row = row_of(j, c->sets, i);
        c->weights[i] = i < j->m ? alpha * row[j->m] : beta * row[j->m + 1];
        c->parts[i] = i < j->m ? FIRST : SECOND;
    }
    if (r > 0) cairn_rotate(mine, other, a / r, b / r, j->n + 1);
    c->weights[j->m] = r;
    c->parts[j->m] = BOTH;
    c->d[j->from + j->m] = 0;
    row_of(j, c->sets + 1, j->m)[j->m] = 1;
    c->order[0] = j->m;
    order_values(j, 1, j->m + 1);
}

/* Value `a`, which is nearly that of `b`, gives its part in z to it and is done. */
static void merge_pair(const joining *j, size_t a, size_t b, double cosine, double sine)
{
    const division *c = j->c;
    double *d = c->d + j->from, x = d[a], y = d[b];
    c->weights[b] = sqrt(c->weights[a] * c->weights[a] + c->weights[b] * c->weights[b]);
    for (const vectors *s = c->sets; s < c->sets + c->n_sets; s++)
        cairn_rotate(row_of(j, s, a), row_of(j, s, b), cosine, -sine, width_of(j, s));
    d[a] = x * cosine * cosine + y * sine * sine;
    d[b] = x * sine * sine + y * cosine * cosine;
    if (c->parts[a] != c->parts[b]) c->parts[b] = BOTH;
    c->parts[a] = DONE;
}

static double noise_of(const joining *j)
{
    const double *d = j->c->d + j->from, *z = j->c->weights;
    double most = 0;
    for (size_t i = 0; i < j->n; i++) most = fmax(most, fmax(fabs(d[i]), fabs(z[i])));
    return DBL_EPSILON * most;
}

/* What is a value already leaves; `rest` is left. The 0 of a bidiagonal matrix has no vector of its
 * own and stays. */
static void deflate(joining *j)
{
    const division *c = j->c;
    const double *d = c->d + j->from;
    double noise = noise_of(j);
    size_t kept = j->n, from = is_singular(c);
    if (from) {
        c->weights[j->m] = fmax(c->weights[j->m], fmax(noise, NOTHING));
        c->rest[j->n_rest++] = j->m;
    }
    for (size_t s = from; s < j->n; s++) {
        size_t i = c->order[s];
        if (j->rho * fabs(c->weights[i]) <= noise) {
            c->parts[i] = DONE;
            continue;
        }
        if (kept < j->n) {
            double a = c->weights[kept], b = c->weights[i], r = sqrt(a * a + b * b);
            if (fabs((d[i] - d[kept]) * (a / r) * (b / r)) <= noise)
                merge_pair(j, kept, i, b / r, a / r);
            else
                c->rest[j->n_rest++] = kept;
        }
        kept = i;
    }
    if (kept < j->n) c->rest[j->n_rest++] = kept;
    if (from && j->n_rest > 1) { /* the next pole may not be another 0 */
        double *next = c->d + j->from + c->rest[1];
        *next = fmax(*next, noise / 2);
    }
}

static cairn_secular secular_of(const joining *j)
{
    return (cairn_secular){j->c->poles, j->c->squares, j->rho, j->n_rest, is_singular(j->c)};
}

static void find_roots(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)block, (void)worker;
    const joining *j = data;
    const division *c = j->c;
    cairn_secular s = secular_of(j);
    for (size_t i = begin, origin; i < end; i++) {
        double off = cairn_secular_root(&s, i, c->sets->factors + i * s.n, &origin);
        double pole = c->poles[origin];
        c->values[i] = s.squared ? sqrt(fmax(0, pole * pole + off)) : pole + off;
        if (s.squared && c->values[i] <= 2 * NOTHING) c->values[i] = 0;
    }
}

/* Old vectors by part, so that each half takes a run of them. */
static void gather(joining *j)
{
    const division *c = j->c;
    size_t at = 0;
    for (part p = FIRST; p < PARTS; p++) {
        for (size_t i = 0; i < j->n; i++) {
            if (c->parts[i] != p) continue;
            for (const vectors *s = c->sets; s < c->sets + c->n_sets; s++)
                memcpy(s->old + at * width_of(j, s), row_of(j, s, i),
                       width_of(j, s) * sizeof *s->old);
            c->place[i] = at++;
        }
        j->ends[p] = at;
    }
}

/* `factors` over their length, where the old vectors are. */
static void place_factors(const joining *j, double *out, const double *factors)
{
    double over = 1 / sqrt(cairn_dot(factors, factors, j->n_rest));
    for (size_t k = 0; k < j->n_rest; k++) out[j->c->places[k]] = factors[k] * over;
}

/* Gaps of a root become its vectors in the old ones. Rows of `fresh` are room until then. */
static void find_factors(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)block, (void)worker;
    const joining *j = data;
    const division *c = j->c;
    size_t n = j->n_rest;
    for (size_t i = j->first + begin; i < j->first + end; i++) {
        double *gaps = c->sets[0].factors + i * n;
        double *row = c->sets[0].fresh + i * width_of(j, c->sets);
        for (size_t k = 0; k < n; k++) row[k] = c->weights[k] / gaps[k];
        place_factors(j, gaps, row);
        if (!is_singular(c)) continue;
        for (size_t k = 1; k < n; k++) row[k] *= c->poles[k];
        row[0] = -1;
        place_factors(j, c->sets[1].factors + i * n, row);
    }
}

/* New vectors [first, n_rest) from the old ones. */
static cairn_status multiply(cairn_context *ctx, const joining *j, const vectors *s)
{
    size_t n = j->n_rest, begin = j->ends[FIRST], width = width_of(j, s);
    cairn_matmul p = {.m = n - j->first, .n = j->columns, .k = j->ends[BOTH], .alpha = 1};
    p.a = s->factors + j->first * n, p.a_i = n, p.a_k = 1, p.b = s->old, p.b_k = width, p.b_j = 1;
    p.c = s->fresh + j->first * width, p.c_i = width, p.set = true;
    CHECK(cairn_matmul_run(ctx, &p));
    p.n = width - j->columns, p.k = j->ends[SECOND] - begin;
    p.a += begin, p.b += begin * width + j->columns, p.c += j->columns;
    return cairn_matmul_run(ctx, &p);
}

/* The roots of what is left and their vectors. */
static cairn_status solve_rest(cairn_context *ctx, const joining *j)
{
    enum { BLOCK = 16 };
    const division *c = j->c;
    size_t n = j->n_rest;
    double work = (double)n * (double)n, *signs = c->squares;
    for (size_t k = 0; k < n; k++) {
        size_t i = c->rest[k];
        c->poles[k] = c->d[j->from + i];
        c->squares[k] = c->weights[i] * c->weights[i];
        c->places[k] = c->place[i];
    }
    CHECK(cairn_blocks_sized(ctx, n, BLOCK, 10 * work, find_roots, (void *)j));
    cairn_secular s = secular_of(j);
    for (size_t k = 0; k < n; k++) signs[k] = c->weights[c->rest[k]];
    cairn_secular_weights(&s, c->sets->factors, c->weights);
    for (size_t k = 0; k < n; k++) c->weights[k] = copysign(sqrt(c->weights[k]), signs[k]);
    CHECK(cairn_blocks_sized(ctx, n - j->first, BLOCK, work, find_factors, (void *)j));
    for (const vectors *set = c->sets; set < c->sets + c->n_sets; set++)
        CHECK(multiply(ctx, j, set));
    return CAIRN_OK;
}

/* The values that were done, rising, into `poles`, and where their vectors are into `order`. */
static size_t order_done(const joining *j)
{
    const division *c = j->c;
    size_t n = 0;
    for (size_t i = 0; i < j->n; i++) {
        if (c->parts[i] != DONE) continue;
        size_t at = n++;
        for (; at > 0 && c->poles[at - 1] > c->d[j->from + i]; at--)
            c->poles[at] = c->poles[at - 1], c->order[at] = c->order[at - 1];
        c->poles[at] = c->d[j->from + i];
        c->order[at] = c->place[i];
    }
    return n;
}

/* Values and vectors of both kinds in one rising order. */
static void put_in_order(const joining *j)
{
    const division *c = j->c;
    size_t done = order_done(j);
    for (size_t i = 0, a = 0, b = 0; i < j->n; i++) {
        bool root = b == done || (a < j->n_rest && c->values[a] <= c->poles[b]);
        for (const vectors *s = c->sets; s < c->sets + c->n_sets; s++) {
            size_t width = width_of(j, s);
            const double *row = root ? s->fresh + a * width : s->old + c->order[b] * width;
            if (!root || a >= j->first) memcpy(row_of(j, s, i), row, width * sizeof *row);
        }
        c->d[j->from + i] = root ? c->values[a++] : c->poles[b++];
    }
}

/* Both halves are solved; the last `wanted` vectors are to be. */
static cairn_status join(cairn_context *ctx, joining *j, size_t wanted)
{
    CHECK(cairn_tick(ctx, NULL, 0, 0));
    if (is_singular(j->c))
        prepare_bidiagonal(j);
    else
        prepare_tridiagonal(j);
    deflate(j);
    gather(j);
    j->first = j->n_rest > wanted ? j->n_rest - wanted : 0;
    CHECK(solve_rest(ctx, j));
    put_in_order(j);
    return CAIRN_OK;
}

/* The depth is the logarithm of n. */
static cairn_status solve_tridiagonal(cairn_context *ctx, const division *c, size_t from, size_t n,
                                      size_t wanted)
{
    size_t lead = c->sets->lead, m = n / 2;
    double *z = c->sets->rows + from * lead + from, *d = c->d + from, *e = c->e + from;
    if (n <= CAIRN_DECOMPOSE_LEAF) {
        for (size_t i = 0; i < n; i++) z[i * lead + i] = 1;
        return cairn_tridiagonal_ql(ctx, d, e, n, z, lead, n);
    }
    joining j = {.c = c, .from = from, .n = n, .m = m, .columns = m, .rho = e[m - 1]};
    d[m - 1] -= fabs(j.rho);
    d[m] -= fabs(j.rho);
    CHECK(solve_tridiagonal(ctx, c, from, m, m));
    CHECK(solve_tridiagonal(ctx, c, from + m, n - m, n - m));
    return join(ctx, &j, wanted);
}

/* The same. Row m of the n is the one between the halves. */
static cairn_status solve_bidiagonal(cairn_context *ctx, const division *c, size_t from, size_t n)
{
    const vectors *right = c->sets, *left = c->sets + 1;
    double *v = right->rows + from * right->lead + from, *u = left->rows + from * left->lead + from;
    size_t m = n / 2;
    if (n <= CAIRN_DECOMPOSE_LEAF) {
        for (size_t i = 0; i < n; i++) u[i * left->lead + i] = 1;
        for (size_t i = 0; i <= n; i++) v[i * right->lead + i] = 1;
        return cairn_bidiagonal_qr(ctx, c->d + from, c->e + from, n, u, left->lead, v, right->lead);
    }
    joining j = {.c = c, .from = from, .n = n, .m = m, .columns = m + 1, .rho = 1};
    double beta = c->e[from + m];
    CHECK(solve_bidiagonal(ctx, c, from, m));
    CHECK(solve_bidiagonal(ctx, c, from + m + 1, n - m - 1));
    c->e[from + m] = beta;
    return join(ctx, &j, n);
}

static cairn_status make_room(cairn_context *ctx, division *c, size_t n)
{
    bool small = n <= CAIRN_DECOMPOSE_LEAF;
    for (size_t k = 0; k < c->n_sets; k++) {
        vectors *s = c->sets + k;
        size_t width = n + s->extra;
        s->lead = width;
        memset(s->rows, 0, width * width * sizeof *s->rows);
        CHECK(SCRATCH_RAW_EACH(ctx, small ? 1 : cairn_product(n, width), &s->old, &s->fresh));
        CHECK(SCRATCH_RAW(ctx, &s->factors, small ? 1 : cairn_product(n, n)));
    }
    CHECK(SCRATCH_RAW_EACH(ctx, n, &c->weights, &c->poles, &c->squares, &c->values));
    CHECK(SCRATCH_RAW_EACH(ctx, n, &c->order, &c->rest, &c->place, &c->places));
    return SCRATCH_RAW(ctx, &c->parts, n);
}

cairn_status cairn_tridiagonal_divide(cairn_context *ctx, double *d, double *e, double *z, size_t n,
                                      size_t n_vectors)
{
    SCOPED_SCRATCH(ctx);
    division c = {.d = d, .e = e, .sets = {{.rows = z}}, .n_sets = 1};
    CHECK(make_room(ctx, &c, n));
    return solve_tridiagonal(ctx, &c, 0, n, n_vectors);
}

cairn_status cairn_bidiagonal_divide(cairn_context *ctx, double *d, double *e, double *u, double *v,
                                     size_t n)
{
    SCOPED_SCRATCH(ctx);
    division c = {.d = d, .e = e, .sets = {{.rows = v, .extra = 1}, {.rows = u}}, .n_sets = 2};
    e[n - 1] = 0;
    CHECK(make_room(ctx, &c, n));
    return solve_bidiagonal(ctx, &c, 0, n);
}
