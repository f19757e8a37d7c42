/* SPDX-License-Identifier: MIT */
/* Decompositions of matrices that are hard on them: residuals and orthogonality against bounds in
 * rounding errors, and, where the build found a LAPACK, against twice what that leaves.
 *
 * All measures are Frobenius norms in units of the rounding error 2^-52: |A - product| / |A| and
 * |Q'Q - I|. */
#include "support/unit.h"
#include "decompose/linalg.h"
#include "decompose/reflections.h"
#include "kernels/products.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 160, TALL = 260 };

/* What is left of a few rounding errors is luck: as much is allowed where LAPACK leaves less. */
#define LUCK 8.0

static uint64_t number_state = 2463534242u;

static double draw(void)
{
    number_state ^= number_state << 13;
    number_state ^= number_state >> 7;
    number_state ^= number_state << 17;
    return (double)(number_state >> 11) * 0x1p-52 - 1;
}

static double *numbers(size_t n)
{
    double *x = calloc(n ? n : 1, sizeof *x);
    if (!x) exit(1);
    return x;
}

static double *copy_of(const double *x, size_t n)
{
    double *y = numbers(n);
    memcpy(y, x, n * sizeof *x);
    return y;
}

/* -- the matrices -- */

static void fill(double *a, size_t n)
{
    for (size_t i = 0; i < n; i++) a[i] = draw();
}

static void orthogonal(cairn_context *ctx, double *q, size_t n)
{
    double *x = numbers(n * n), *taus = numbers(n);
    fill(x, n * n);
    assert_ok(ctx, cairn_qr_factor(ctx, x, taus, n, n));
    cairn_reflections r = cairn_qr_reflections(x, taus, n, n);
    memset(q, 0, n * n * sizeof *q);
    for (size_t i = 0; i < n; i++) q[i * n + i] = 1;
    assert_ok(ctx, cairn_reflect_rows(ctx, &r, q, n, n, false));
    free(x), free(taus);
}

/* Q' diag(d) Q */
static void with_values(cairn_context *ctx, double *a, const double *d, size_t n)
{
    double *q = numbers(n * n), *scaled = numbers(n * n);
    orthogonal(ctx, q, n);
    for (size_t i = 0; i < n * n; i++) scaled[i] = q[i] * d[i / n];
    assert_ok(ctx, cairn_multiply(ctx, a, q, CAIRN_TRANSPOSED, scaled, CAIRN_AS_IT_IS, n, n, n));
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) a[i * n + j] = a[j * n + i];
    free(q), free(scaled);
}

static void make_random(cairn_context *ctx, double *a, size_t n)
{
    (void)ctx;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i; j < n; j++) a[i * n + j] = a[j * n + i] = draw();
}

static void make_hilbert(cairn_context *ctx, double *a, size_t n)
{
    (void)ctx;
    for (size_t i = 0; i < n * n; i++) a[i] = 1 / (double)(i / n + i % n + 1);
}

/* rows and columns of falling or rising size */
static void grade(double *a, size_t n, double step)
{
    for (size_t i = 0; i < n * n; i++) a[i] = draw();
    for (size_t i = 0; i < n; i++)
        for (size_t j = i; j < n; j++)
            a[i * n + j] = a[j * n + i] = a[i * n + j] * pow(10, step * (double)(i + j));
}

static void make_falling(cairn_context *ctx, double *a, size_t n)
{
    (void)ctx;
    grade(a, n, -0.1);
}

static void make_rising(cairn_context *ctx, double *a, size_t n)
{
    (void)ctx;
    grade(a, n, 0.1);
}

static void make_clusters(cairn_context *ctx, double *a, size_t n)
{
    double *d = numbers(n);
    for (size_t i = 0; i < n; i++)
        d[i] = i < n / 3 ? 1 + 1e-14 * draw() : i < 2 * n / 3 ? 1e-8 : -1 + 1e-9 * draw();
    with_values(ctx, a, d, n);
    free(d);
}

static void make_geometric(cairn_context *ctx, double *a, size_t n)
{
    double *d = numbers(n);
    for (size_t i = 0; i < n; i++) d[i] = pow(10, -(double)i / 4);
    with_values(ctx, a, d, n);
    free(d);
}

/* Wilkinson's W21+, pairs of nearly equal values, many of them joined by little */
static void make_wilkinson(cairn_context *ctx, double *a, size_t n)
{
    (void)ctx;
    memset(a, 0, n * n * sizeof *a);
    for (size_t i = 0; i < n; i++) {
        a[i * n + i] = fabs((double)(i % 21) - 10);
        if (i + 1 < n) a[i * n + i + 1] = a[(i + 1) * n + i] = i % 21 == 20 ? 1e-8 : 1;
    }
}

static void make_deficient(cairn_context *ctx, double *a, size_t n)
{
    double *x = numbers(5 * n);
    fill(x, 5 * n);
    assert_ok(ctx, cairn_multiply(ctx, a, x, CAIRN_TRANSPOSED, x, CAIRN_AS_IT_IS, n, 5, n));
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) a[i * n + j] = a[j * n + i];
    free(x);
}

static void make_tiny(cairn_context *ctx, double *a, size_t n)
{
    make_random(ctx, a, n);
    for (size_t i = 0; i < n * n; i++) a[i] *= 1e-300;
}

static void make_huge(cairn_context *ctx, double *a, size_t n)
{
    make_random(ctx, a, n);
    for (size_t i = 0; i < n * n; i++) a[i] *= 1e300;
}

/* numbers of all sizes, 1e-300 to 1e300 */
static void make_wild(cairn_context *ctx, double *a, size_t n)
{
    make_random(ctx, a, n);
    for (size_t i = 0; i < n; i++)
        for (size_t j = i; j < n; j++)
            a[i * n + j] = a[j * n + i] = a[i * n + j] * pow(10, floor(300 * draw()));
}

static void make_ones(cairn_context *ctx, double *a, size_t n)
{
    (void)ctx;
    for (size_t i = 0; i < n * n; i++) a[i] = 1;
}

static void make_unit(cairn_context *ctx, double *a, size_t n)
{
    (void)ctx;
    memset(a, 0, n * n * sizeof *a);
    for (size_t i = 0; i < n; i++) a[i * n + i] = 1;
}

static void make_zero(cairn_context *ctx, double *a, size_t n)
{
    (void)ctx;
    memset(a, 0, n * n * sizeof *a);
}

static const struct {
    const char *name;
    void (*make)(cairn_context *, double *, size_t);
} matrices[] = {
    {"random", make_random},       {"Hilbert", make_hilbert},    {"falling", make_falling},
    {"rising", make_rising},       {"clusters", make_clusters},  {"geometric", make_geometric},
    {"Wilkinson", make_wilkinson}, {"rank 5", make_deficient},   {"1e-300", make_tiny},
    {"1e300", make_huge},          {"1e-300..1e300", make_wild}, {"ones", make_ones},
    {"unit", make_unit},           {"zero", make_zero}};
enum { MATRICES = sizeof matrices / sizeof *matrices };

/* -- measures -- */

static double length(const double *x, size_t n)
{
    double most = 0, sum = 0;
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    for (size_t i = 0; i < n && most > 0; i++) sum += (x[i] / most) * (x[i] / most);
    return most * sqrt(sum);
}

/* |a - l diag(d) r| / |a|: l is rows x n, r is n x columns; NULL for d stands for ones */
static double residual(cairn_context *ctx, const double *a, const double *l, const double *d,
                       const double *r, size_t rows, size_t n, size_t columns)
{
    double *left = copy_of(l, rows * n), *product = numbers(rows * columns);
    double *scaled = copy_of(a, rows * columns), whole, most = 0, bad;
    for (size_t i = 0; i < rows * columns; i++) most = fmax(most, fabs(a[i]));
    int exponent = 0;
    (void)frexp(most, &exponent);
    for (size_t i = 0; i < rows * columns; i++) scaled[i] = ldexp(a[i], -exponent);
    for (size_t i = 0; i < rows * n; i++)
        left[i] = d ? left[i] * ldexp(d[i % n], -exponent) : ldexp(left[i], -exponent);
    assert_ok(ctx, cairn_multiply(ctx, product, left, CAIRN_AS_IT_IS, r, CAIRN_AS_IT_IS, rows, n,
                                  columns));
    whole = length(scaled, rows * columns);
    for (size_t i = 0; i < rows * columns; i++) product[i] -= scaled[i];
    bad = length(product, rows * columns);
    free(left), free(product), free(scaled);
    return (whole > 0 ? bad / whole : bad) / DBL_EPSILON;
}

/* |Q Q' - I| of n rows */
static double skew(cairn_context *ctx, const double *q, size_t n, size_t columns)
{
    double *product = numbers(n * n);
    assert_ok(ctx,
              cairn_multiply(ctx, product, q, CAIRN_AS_IT_IS, q, CAIRN_TRANSPOSED, n, columns, n));
    for (size_t i = 0; i < n; i++) product[i * n + i] -= 1;
    double bad = length(product, n * n);
    free(product);
    return bad / DBL_EPSILON;
}

static double *turned(const double *a, size_t rows, size_t columns)
{
    double *out = numbers(rows * columns);
    for (size_t i = 0; i < rows * columns; i++) out[i % columns * rows + i / columns] = a[i];
    return out;
}

/* At most `bound` rounding errors, and at most twice the peer's; NaN fails. */
static void check(const char *what, const char *name, double ours, double bound, double theirs)
{
    if (getenv("SHOW")) printf("%-22s %-14s %9.3g %9.3g\n", what, name, ours, theirs);
    if (!(ours <= bound)) fail_msg("%s, %s: %g rounding errors", what, name, ours);
    if (!(ours <= fmax(2 * theirs, LUCK)))
        fail_msg("%s, %s: %g rounding errors, %g by LAPACK", what, name, ours, theirs);
}

/* -- the peer -- */

typedef struct measured {
    double residual, left, right; /* of no peer: infinite */
} measured;

#ifdef WITH_LAPACK
void dsyevr_(const char *, const char *, const char *, const int *, double *, const int *,
             const double *, const double *, const int *, const int *, const double *, int *,
             double *, double *, const int *, int *, double *, const int *, int *, const int *,
             int *, size_t, size_t, size_t);
void dsyevd_(const char *, const char *, const int *, double *, const int *, double *, double *,
             const int *, int *, const int *, int *, size_t, size_t);
void dgesdd_(const char *, const int *, const int *, double *, const int *, double *, double *,
             const int *, double *, const int *, double *, const int *, int *, int *, size_t);
void dgeqp3_(const int *, const int *, double *, const int *, int *, double *, double *,
             const int *, int *);
void dgeqrf_(const int *, const int *, double *, const int *, double *, double *, const int *,
             int *);
void dorgqr_(const int *, const int *, const int *, double *, const int *, const double *, double *,
             const int *, int *);
void dpotrf_(const char *, const int *, double *, const int *, int *, size_t);
void dgesv_(const int *, const int *, double *, const int *, int *, double *, const int *, int *);
#endif

/* The larger of what its two methods leave. */
static measured peer_eigen(cairn_context *ctx, const double *a, size_t n)
{
    measured out = {INFINITY, INFINITY, INFINITY};
#ifdef WITH_LAPACK
    int m = (int)n, found, size = 100000, info, zero = 0;
    double *x = copy_of(a, n * n), *d = numbers(n), *v = numbers(n * n), *work = numbers(100000);
    double *divided = copy_of(a, n * n), *e = numbers(n), none = 0;
    int *support = calloc(2 * n, sizeof *support), *integers = calloc(100000, sizeof *integers);
    dsyevr_("V", "A", "L", &m, x, &m, &none, &none, &zero, &zero, &none, &found, d, v, &m, support,
            work, &size, integers, &size, &info, 1, 1, 1);
    if (info == 0) dsyevd_("V", "L", &m, divided, &m, e, work, &size, integers, &size, &info, 1, 1);
    if (info == 0) {
        double *t = turned(v, n, n), *u = turned(divided, n, n);
        out.residual =
            fmax(residual(ctx, a, t, d, v, n, n, n), residual(ctx, a, u, e, divided, n, n, n));
        out.left = fmax(skew(ctx, v, n, n), skew(ctx, divided, n, n));
        free(t), free(u);
    }
    free(x), free(d), free(v), free(work), free(divided), free(e), free(support), free(integers);
#else
    (void)ctx, (void)a, (void)n;
#endif
    return out;
}

/* A' = V S U' as LAPACK sees it */
static measured peer_svd(cairn_context *ctx, const double *a, size_t rows, size_t columns)
{
    measured out = {INFINITY, INFINITY, INFINITY};
#ifdef WITH_LAPACK
    size_t r = rows < columns ? rows : columns;
    int m = (int)columns, n = (int)rows, least = (int)r, size = 400000, info;
    double *x = copy_of(a, rows * columns), *d = numbers(r), *u = numbers(rows * r);
    double *v = numbers(columns * r), *work = numbers(400000);
    int *integers = calloc(8 * r, sizeof *integers);
    dgesdd_("S", &m, &n, x, &m, d, v, &m, u, &least, work, &size, integers, &info, 1);
    if (info == 0) {
        double *t = turned(u, rows, r);
        out.residual = residual(ctx, a, u, d, v, rows, r, columns);
        out.left = skew(ctx, t, r, rows);
        out.right = skew(ctx, v, r, columns);
        free(t);
    }
    free(x), free(d), free(u), free(v), free(work), free(integers);
#else
    (void)ctx, (void)a, (void)rows, (void)columns;
#endif
    return out;
}

/* |AP - QR| / |A| and |Q'Q - I| of a matrix by columns that is reduced to `x` with its order */
static measured measure_qr(cairn_context *ctx, const double *a, const double *x, const double *q,
                           const size_t *order, size_t rows, size_t n)
{
    double *r = numbers(n * n), *moved = numbers(rows * n);
    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i <= j; i++) r[j * n + i] = x[j * rows + i];
        memcpy(moved + j * rows, a + order[j] * rows, rows * sizeof *a);
    }
    measured out = {.residual = residual(ctx, moved, r, NULL, q, n, n, rows)};
    out.left = skew(ctx, q, n, rows);
    free(r), free(moved);
    return out;
}

static measured peer_qr(cairn_context *ctx, const double *a, size_t rows, size_t n, bool pivoted)
{
    measured out = {INFINITY, INFINITY, INFINITY};
#ifdef WITH_LAPACK
    int m = (int)rows, p = (int)n, size = 100000, info;
    double *x = copy_of(a, rows * n), *taus = numbers(n), *work = numbers(100000);
    int *places = calloc(n, sizeof *places);
    size_t *order = calloc(n, sizeof *order);
    if (pivoted)
        dgeqp3_(&m, &p, x, &m, places, taus, work, &size, &info);
    else
        dgeqrf_(&m, &p, x, &m, taus, work, &size, &info);
    for (size_t j = 0; j < n; j++) order[j] = pivoted ? (size_t)places[j] - 1 : j;
    double *q = copy_of(x, rows * n);
    dorgqr_(&m, &p, &p, q, &m, taus, work, &size, &info);
    out = measure_qr(ctx, a, x, q, order, rows, n);
    free(x), free(taus), free(work), free(places), free(order), free(q);
#else
    (void)ctx, (void)a, (void)rows, (void)n, (void)pivoted;
#endif
    return out;
}

static double peer_cholesky(cairn_context *ctx, const double *a, size_t n)
{
    double out = INFINITY;
#ifdef WITH_LAPACK
    int m = (int)n, info;
    double *x = copy_of(a, n * n), *t;
    dpotrf_("L", &m, x, &m, &info, 1);
    for (size_t i = 0; i < n; i++) memset(x + i * n, 0, i * sizeof *x);
    t = turned(x, n, n);
    if (info == 0) out = residual(ctx, a, t, NULL, x, n, n, n);
    free(x), free(t);
#else
    (void)ctx, (void)a, (void)n;
#endif
    return out;
}

/* |A x - b| / (|A| |x|) */
static double left_over(cairn_context *ctx, const double *a, const double *x, const double *b,
                        size_t n)
{
    double *product = numbers(n);
    assert_ok(ctx, cairn_multiply(ctx, product, a, CAIRN_AS_IT_IS, x, CAIRN_AS_IT_IS, n, n, 1));
    for (size_t i = 0; i < n; i++) product[i] -= b[i];
    double bad = length(product, n), whole = length(a, n * n) * length(x, n);
    free(product);
    return bad / whole / DBL_EPSILON;
}

static double peer_solve(cairn_context *ctx, const double *a, const double *b, size_t n)
{
    double out = INFINITY;
#ifdef WITH_LAPACK
    int m = (int)n, one = 1, info, *places = calloc(n, sizeof *places);
    double *x = turned(a, n, n), *y = copy_of(b, n);
    dgesv_(&m, &one, x, &m, places, y, &m, &info);
    if (info == 0) out = left_over(ctx, a, y, b, n);
    free(places), free(x), free(y);
#else
    (void)ctx, (void)a, (void)b, (void)n;
#endif
    return out;
}

/* -- the tests -- */

static void test_eigen__is_as_accurate(void **state)
{
    cairn_context *ctx = *state;
    double *a = numbers(N * N), *d = numbers(N), *v = numbers(N * N), *only = numbers(N);
    for (size_t k = 0; k < MATRICES; k++) {
        matrices[k].make(ctx, a, N);
        double *x = copy_of(a, N * N), *y = copy_of(a, N * N), *z = copy_of(a, N * N);
        measured peer = peer_eigen(ctx, a, N);
        assert_ok(ctx, cairn_symmetric_eigen(ctx, d, v, x, N));
        double *t = turned(v, N, N);
        check("eigen residual", matrices[k].name, residual(ctx, a, t, d, v, N, N, N), N,
              peer.residual);
        check("eigen vectors", matrices[k].name, skew(ctx, v, N, N), 8 * N, peer.left);
        assert_ok(ctx, cairn_symmetric_eigen(ctx, only, NULL, y, N));
        double most = fmax(fabs(d[0]), fabs(d[N - 1]));
        for (size_t i = 0; i < N; i++) assert_true(fabs(only[i] - d[i]) <= 1e-14 * most);
        memset(t, 0, N * N * sizeof *t);
        assert_ok(ctx, cairn_symmetric_top(ctx, only, t, z, N, N / 5));
        for (size_t i = 0; i < N; i++) assert_true(fabs(only[i] - d[i]) <= 1e-14 * most);
        check("top vectors", matrices[k].name, skew(ctx, t, N / 5, N), 8 * N, peer.left);
        free(x), free(y), free(z), free(t);
    }
    free(a), free(d), free(v), free(only);
}

static void test_svd__is_as_accurate(void **state)
{
    cairn_context *ctx = *state;
    static const size_t shapes[][2] = {{N, N}, {TALL, N}, {N / 2, N}};
    double *a = numbers(TALL * TALL), *d = numbers(N), *u = numbers(TALL * N);
    double *v = numbers(TALL * N);
    for (size_t k = 0; k < MATRICES * 3; k++) {
        const char *name = matrices[k / 3].name;
        size_t rows = shapes[k % 3][0], columns = shapes[k % 3][1];
        size_t r = rows < columns ? rows : columns;
        matrices[k / 3].make(ctx, a, rows > columns ? rows : columns);
        double *x = copy_of(a, rows * columns);
        measured peer = peer_svd(ctx, a, rows, columns);
        assert_ok(ctx, cairn_svd(ctx, d, u, v, x, rows, columns));
        double *t = turned(u, rows, r);
        for (size_t i = 0; i < r; i++) assert_true(d[i] >= 0 && (i == 0 || d[i] <= d[i - 1]));
        check("svd residual", name, residual(ctx, a, u, d, v, rows, r, columns), N, peer.residual);
        check("svd left", name, skew(ctx, t, r, rows), 8 * N, peer.left);
        check("svd right", name, skew(ctx, v, r, columns), 8 * N, peer.right);
        free(x), free(t);
    }
    free(a), free(d), free(u), free(v);
}

static void test_qr__is_as_accurate(void **state)
{
    cairn_context *ctx = *state;
    size_t order[N];
    double *a = numbers(TALL * TALL), *q = numbers(TALL * N), taus[N];
    for (size_t k = 0; k < MATRICES * 2; k++) {
        const char *name = matrices[k / 2].name;
        matrices[k / 2].make(ctx, a, TALL);
        double *x = copy_of(a, TALL * N);
        measured peer = peer_qr(ctx, a, TALL, N, k % 2 == 0);
        for (size_t j = 0; j < N; j++) order[j] = j;
        if (k % 2)
            assert_ok(ctx, cairn_qr_factor(ctx, x, taus, TALL, N));
        else
            assert_ok(ctx, cairn_qr_factor_pivoted(ctx, x, taus, order, TALL, N));
        for (size_t j = 1; k % 2 == 0 && j < N; j++)
            assert_true(fabs(x[j * TALL + j]) <=
                        (1 + 1e-7) * fabs(x[(j - 1) * TALL + j - 1]) + 1e-15 * fabs(x[0]));
        cairn_reflections r = cairn_qr_reflections(x, taus, TALL, N);
        memset(q, 0, TALL * N * sizeof *q);
        for (size_t j = 0; j < N; j++) q[j * TALL + j] = 1;
        assert_ok(ctx, cairn_reflect_rows(ctx, &r, q, TALL, N, false));
        measured own = measure_qr(ctx, a, x, q, order, TALL, N);
        check(k % 2 ? "qr residual" : "pivoted qr residual", name, own.residual, 2 * N,
              peer.residual);
        check(k % 2 ? "qr vectors" : "pivoted qr vectors", name, own.left, 8 * N, peer.left);
        free(x);
    }
    free(a), free(q);
}

static void test_solving__is_as_accurate(void **state)
{
    cairn_context *ctx = *state;
    double *a = numbers(N * N), *b = numbers(N), condition;
    for (size_t k = 0; k < MATRICES; k++) {
        matrices[k].make(ctx, a, N);
        double most = 0;
        for (size_t i = 0; i < N * N; i++) most = fmax(most, fabs(a[i]));
        if (most > 1e100 || most < 1e-100) continue; /* products would overflow or vanish */
        for (size_t i = 0; i < N; i++) b[i] = draw();
        double *x = copy_of(a, N * N), *y = copy_of(b, N);
        assert_ok(ctx, cairn_solve(ctx, x, N, y, 1, &condition));
        if (condition > 1e-15)
            check("elimination", matrices[k].name, left_over(ctx, a, y, b, N), N,
                  peer_solve(ctx, a, b, N));
        else
            assert_true(k != 0);
        free(x), free(y);
    }
    free(a), free(b);
}

/* A'A with more on its diagonal, so that all have a factor; scaled ones, too. */
static void test_cholesky__is_as_accurate(void **state)
{
    cairn_context *ctx = *state;
    static const double scales[] = {1, 1e-300, 1e300};
    double *a = numbers(N * N), *g = numbers(N * N), condition;
    for (size_t k = 0; k < MATRICES * 3; k++) {
        size_t pivot;
        const char *name = matrices[k / 3].name;
        matrices[k / 3].make(ctx, a, N);
        double most = DBL_MIN;
        for (size_t i = 0; i < N * N; i++) most = fmax(most, fabs(a[i]));
        for (size_t i = 0; i < N * N; i++) a[i] /= most;
        assert_ok(ctx, cairn_multiply(ctx, g, a, CAIRN_TRANSPOSED, a, CAIRN_AS_IT_IS, N, N, N));
        for (size_t i = 0; i < N; i++) g[i * N + i] += 1e-11 * N;
        for (size_t i = 0; i < N * N; i++) g[i] *= scales[k % 3] / N;
        for (size_t i = 0; i < N; i++)
            for (size_t j = 0; j < i; j++) g[i * N + j] = g[j * N + i];
        double *x = copy_of(g, N * N);
        assert_ok(ctx, cairn_cholesky(ctx, x, N, &condition, &pivot));
        assert_int_equal(pivot, N);
        assert_true(condition > 1e-17 && condition <= 1);
        for (size_t i = 0; i < N; i++) memset(x + i * N, 0, i * sizeof *x);
        double *t = turned(x, N, N);
        check("Cholesky", name, residual(ctx, g, t, NULL, x, N, N, N), N, peer_cholesky(ctx, g, N));
        free(x), free(t);
    }
    free(a), free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_eigen__is_as_accurate),    context_test(test_svd__is_as_accurate),
        context_test(test_qr__is_as_accurate),       context_test(test_solving__is_as_accurate),
        context_test(test_cholesky__is_as_accurate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
