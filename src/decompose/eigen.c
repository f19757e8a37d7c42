/* SPDX-License-Identifier: MIT */
/* Eigenvalues and eigenvectors of symmetric matrices: tridiagonal form, its values and vectors, and
 * the vectors turned back. Residuals and orthogonality are a modest multiple of n rounding errors
 * of the largest eigenvalue. */
#include "base/memory.h"
#include "decompose/divide.h"
#include "decompose/linalg.h"
#include "decompose/parts.h"
#include "decompose/tridiagonal.h"
#include <math.h>
#include <string.h>

/* Squares of the matrix's numbers shall neither overflow nor vanish; the exponent taken off. */
static int tame(double *a, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++) most = fmax(most, cairn_largest(a + i * n + i, n - i));
    int exponent = cairn_wild_exponent(most);
    for (size_t i = 0; i < n; i++) cairn_scale_by_two(a + i * n + i, n - i, -exponent);
    return exponent;
}

/* Copy a vector with the sign that makes its largest component positive. */
static void copy_signed(double *out, const double *vector, size_t n)
{
    size_t most = 0;
    for (size_t i = 1; i < n; i++)
        if (fabs(vector[i]) > fabs(vector[most])) most = i;
    double sign = vector[most] < 0 ? -1 : 1;
    for (size_t i = 0; i < n; i++) out[i] = sign * vector[i];
}

cairn_status cairn_symmetric_top(cairn_context *ctx, double *values, double *vectors, double *a,
                                 size_t n, size_t n_vectors)
{
    SCOPED_SCRATCH(ctx);
    double *d, *e, *taus, *z = NULL;
    if (n == 0) return CAIRN_OK;
    CHECK(cairn_check_upper(ctx, a, n));
    CHECK(SCRATCH(ctx, &d, n));
    CHECK(SCRATCH(ctx, &e, n));
    CHECK(SCRATCH(ctx, &taus, n));
    int exponent = tame(a, n);
    CHECK(cairn_tridiagonalise(ctx, a, taus, d, e, n));
    int more = cairn_exponent_of(fmax(cairn_largest(d, n), cairn_largest(e, n - 1)));
    cairn_scale_by_two(d, n, -more);
    cairn_scale_by_two(e, n, -more);
    if (n_vectors) {
        CHECK(SCRATCH_RAW(ctx, &z, cairn_product(n, n)));
        CHECK(cairn_tridiagonal_divide(ctx, d, e, z, n, n_vectors));
        cairn_reflections q = {.v = a, .taus = taus, .lead = n, .length = n, .offset = 1};
        q.count = n - 1;
        z += (n - n_vectors) * n;
        CHECK(cairn_reflect_rows(ctx, &q, z, n, n_vectors, false));
    } else {
        CHECK(cairn_tridiagonal_ql(ctx, d, e, n, NULL, 0, 0));
    }
    for (size_t i = 0; i < n; i++) values[i] = ldexp(d[n - 1 - i], more + exponent);
    for (size_t i = 0; i < n_vectors; i++)
        copy_signed(vectors + i * n, z + (n_vectors - 1 - i) * n, n);
    return CAIRN_OK;
}

cairn_status cairn_symmetric_eigen(cairn_context *ctx, double *values, double *vectors, double *a,
                                   size_t n)
{
    return cairn_symmetric_top(ctx, values, vectors, a, n, vectors ? n : 0);
}
