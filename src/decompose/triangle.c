/* SPDX-License-Identifier: MIT */
/* Triangular systems (Golub & Van Loan, Matrix Computations, section 3.1). The computed solution of
 * each right side is that of a triangle whose elements differ by n rounding errors at most. */
#include "base/memory.h"
#include "decompose/parts.h"
#include "kernels/many_columns.h"
#include "kernels/kernels.h"
#include "kernels/products.h"
#include "parallel/parallel.h"
#include <math.h>

cairn_status cairn_check_finite(cairn_context *ctx, const double *numbers, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(numbers[i]))
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "a matrix holds a number that is missing or not finite");
    return CAIRN_OK;
}

cairn_status cairn_check_upper(cairn_context *ctx, const double *a, size_t n)
{
    for (size_t i = 0; i < n; i++) CHECK(cairn_check_finite(ctx, a + i * n + i, n - i));
    return CAIRN_OK;
}

double cairn_largest(const double *x, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

int cairn_exponent_of(double x)
{
    int exponent = 0;
    if (x > 0) (void)frexp(x, &exponent);
    return exponent;
}

int cairn_wild_exponent(double most)
{
    return most > 1e100 || most < 1e-100 ? cairn_exponent_of(most) : 0;
}

void cairn_scale_by_two(double *x, size_t n, int exponent)
{
    for (size_t i = 0; exponent && i < n; i++) x[i] = ldexp(x[i], exponent);
}

cairn_triangle cairn_triangle_turned(cairn_triangle t)
{
    return (cairn_triangle){t.at, t.n, t.column, t.row, !t.lower, t.unit};
}

static const double *element(const cairn_triangle *t, size_t i, size_t j)
{
    return t->at + i * t->row + j * t->column;
}

static cairn_triangle part(const cairn_triangle *t, size_t from, size_t n)
{
    cairn_triangle some = *t;
    some.at = element(t, from, from);
    some.n = n;
    return some;
}

/* Rows side by side: every number from those before it, by one sum. */
static void solve_by_rows(const cairn_triangle *t, double *x)
{
    for (size_t s = 0; s < t->n; s++) {
        size_t i = t->lower ? s : t->n - 1 - s, from = t->lower ? 0 : i + 1;
        x[i] -= cairn_dot(element(t, i, from), x + from, s);
        if (!t->unit) x[i] /= *element(t, i, i);
    }
}

/* Columns side by side: every number, once known, is taken off those after it. */
static void solve_by_columns(const cairn_triangle *t, double *x)
{
    for (size_t s = 0; s < t->n; s++) {
        size_t j = t->lower ? s : t->n - 1 - s, from = t->lower ? j + 1 : 0;
        if (!t->unit) x[j] /= *element(t, j, j);
        if (x[j] != 0) cairn_axpy(x + from, -x[j], element(t, from, j), t->n - 1 - s);
    }
}

void cairn_triangle_solve_vector(const cairn_triangle *t, double *x)
{
    if (t->column == 1)
        solve_by_rows(t, x);
    else
        solve_by_columns(t, x);
}

typedef struct leaf {
    const cairn_triangle *t;
    double *b;
    size_t lead;
} leaf;

/* Columns [begin, end) of a small triangle's right sides, row after row. */
static void solve_leaf(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)block, (void)worker;
    const leaf *l = data;
    const cairn_triangle *t = l->t;
    double factors[CAIRN_DECOMPOSE_LEAF];
    for (size_t s = 0; s < t->n; s++) {
        size_t i = t->lower ? s : t->n - 1 - s, from = t->lower ? 0 : i + 1;
        double *row = l->b + i * l->lead + begin, over = *element(t, i, i);
        for (size_t k = 0; k < s; k++) factors[k] = -*element(t, i, from + k);
        cairn_columns_add(row, l->b + from * l->lead + begin, l->lead, factors, end - begin, s);
        for (size_t j = 0; !t->unit && j < end - begin; j++) row[j] /= over;
    }
}

/* The depth is the logarithm of n. */
cairn_status cairn_triangle_solve(cairn_context *ctx, const cairn_triangle *t, double *b,
                                  size_t lead, size_t m)
{
    enum { LEAF = CAIRN_DECOMPOSE_LEAF, COLUMNS = 256 };
    if (t->n == 0 || m == 0) return CAIRN_OK;
    if (t->n <= LEAF) {
        leaf l = {t, b, lead};
        double work = (double)t->n * (double)t->n * (double)m / 8;
        return cairn_blocks_sized(ctx, m, COLUMNS, work, solve_leaf, &l);
    }
    size_t half = (t->n / 2 + LEAF - 1) / LEAF * LEAF, rest = t->n - half;
    cairn_triangle above = part(t, 0, half), below = part(t, half, rest);
    double *first = t->lower ? b : b + half * lead, *second = t->lower ? b + half * lead : b;
    CHECK(cairn_tick(ctx, NULL, 0, 0));
    CHECK(cairn_triangle_solve(ctx, t->lower ? &above : &below, first, lead, m));
    cairn_matmul p = {.m = t->lower ? rest : half, .n = m, .k = t->lower ? half : rest};
    p.a = t->lower ? element(t, half, 0) : element(t, 0, half), p.a_i = t->row, p.a_k = t->column;
    p.b = first, p.b_k = lead, p.b_j = 1, p.c = second, p.c_i = lead, p.alpha = -1;
    CHECK(cairn_matmul_run(ctx, &p));
    return cairn_triangle_solve(ctx, t->lower ? &below : &above, second, lead, m);
}

static double absolute_sum(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += fabs(x[i]);
    return sum;
}

/* x = A^-1 x |A|, which is of usual size where A is very small or large; its length. */
static double scaled_times(cairn_inverse_times times, const void *data, double *x, size_t n,
                           double norm, bool transposed)
{
    for (size_t i = 0; i < n; i++) x[i] *= norm;
    times(data, x, transposed);
    return absolute_sum(x, n);
}

static size_t largest(const double *x, size_t n)
{
    size_t best = 0;
    for (size_t i = 1; i < n; i++)
        if (fabs(x[i]) > fabs(x[best])) best = i;
    return best;
}

/* The signs of x in its place; false where they are those of the last time. */
static bool take_signs(double *x, double *signs, size_t n)
{
    bool changed = false;
    for (size_t i = 0; i < n; i++) {
        double sign = x[i] < 0 ? -1 : 1;
        changed |= sign != signs[i];
        x[i] = signs[i] = sign;
    }
    return changed;
}

/* Uphill over the corners of the unit ball, where |A^-1 x| is convex. */
static double climb(cairn_inverse_times times, const void *data, double *x, double *signs, size_t n,
                    double norm)
{
    enum { STEPS = 4 };
    for (size_t i = 0; i < n; i++) x[i] = 1 / (double)n;
    double best = scaled_times(times, data, x, n, norm, false);
    size_t corner = n;
    for (int step = 0; step < STEPS && n > 1 && take_signs(x, signs, n); step++) {
        (void)scaled_times(times, data, x, n, norm, true);
        size_t next = largest(x, n);
        if (corner < n && fabs(x[next]) <= fabs(x[corner])) break;
        corner = next;
        for (size_t i = 0; i < n; i++) x[i] = i == corner;
        double here = scaled_times(times, data, x, n, norm, false);
        if (!(here > best)) break;
        best = here;
    }
    return best;
}

cairn_status cairn_estimate_condition(cairn_context *ctx, double *condition, size_t n, double norm,
                                      cairn_inverse_times times, const void *data)
{
    SCOPED_SCRATCH(ctx);
    double *x, *signs;
    CHECK(SCRATCH_EACH(ctx, n, &x, &signs));
    double best = climb(times, data, x, signs, n, norm);
    for (size_t i = 0; i < n; i++) /* against matrices at which the climb stops too early */
        x[i] = (i % 2 ? -1 : 1) * (1 + (n > 1 ? (double)i / (double)(n - 1) : 0));
    double other = 2 * scaled_times(times, data, x, n, norm, false) / (3 * (double)n);
    if (other > best && n > 1) best = other;
    *condition = norm > 0 && isfinite(best) && isfinite(other) && best > 0 ? 1 / best : 0;
    if (*condition > 1) *condition = 1; /* rounding */
    return CAIRN_OK;
}
