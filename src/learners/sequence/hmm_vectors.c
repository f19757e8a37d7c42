/* SPDX-License-Identifier: MIT */
/* Normal densities and sums of vectors.
 *
 * With the precision A = W'W, h the missing numbers and y = x − mean with 0 for these: given the
 * others they have the mean mean_h − A_hh⁻¹ (A y)_h and the covariance A_hh⁻¹. With that mean in
 * their place the exponent is that of the numbers that are there, because it is least for it; the
 * determinant of their covariance is |Σ| |A_hh|. */
#include "learners/sequence/hmm_vectors.h"

#include "base/functions.h"
#include "base/memory.h"
#include "kernels/linalg.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double ln_two_pi = 1.8378770664093454836;

/* -- densities -- */

/* W = inverse of R', where covariance = R'R: row by row by substitution. */
static cairn_status invert_factor(cairn_context *ctx, const double *r, size_t d, double *white)
{
    memset(white, 0, d * d * sizeof *white);
    for (size_t c = 0; c < d; c++) {
        CHECK(cairn_tick(ctx, NULL, 0, 0));
        for (size_t i = c; i < d; i++) {
            double sum = i == c;
            for (size_t k = c; k < i; k++) sum -= r[k * d + i] * white[k * d + c];
            white[i * d + c] = sum / r[i * d + i];
        }
    }
    return CAIRN_OK;
}

cairn_status cairn_hmm_normals_make(cairn_context *ctx, cairn_hmm_normals *out, const cairn_hmm *m)
{
    size_t n = m->n_states, d = m->n_numbers, pivot;
    double condition, *factor;
    *out = (cairn_hmm_normals){0};
    if (!d) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &out->whites, cairn_product(n, d * d)));
    CHECK(SCRATCH(ctx, &out->constants, n));
    CHECK(SCRATCH_RAW(ctx, &factor, d * d));
    for (size_t i = 0; i < n; i++) {
        memcpy(factor, m->covariance + i * d * d, d * d * sizeof *factor);
        CHECK(cairn_cholesky(ctx, factor, d, &condition, &pivot));
        if (pivot < d)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "the covariance of state '%s' is none: it is not positive definite "
                              "(row %zu)",
                              cairn_map_key(&m->states, i), pivot + 1);
        out->constants[i] = -0.5 * (double)d * ln_two_pi;
        for (size_t k = 0; k < d; k++) out->constants[i] -= cairn_log(factor[k * d + k]);
        CHECK(invert_factor(ctx, factor, d, out->whites + i * d * d));
    }
    return CAIRN_OK;
}

static double normal_log(const cairn_hmm *m, const cairn_hmm_normals *normals, size_t state,
                         const double *x)
{
    size_t d = m->n_numbers;
    const double *mean = m->mean + state * d, *white = normals->whites + state * d * d;
    double square = 0;
    for (size_t k = 0; k < d; k++) {
        double z = 0;
        for (size_t l = 0; l <= k; l++) z += white[k * d + l] * (x[l] - mean[l]);
        square += z * z;
    }
    return normals->constants[state] - square / 2;
}

/* -- what is missing -- */

cairn_status cairn_hmm_filling_make(cairn_context *ctx, cairn_hmm_filling *out, size_t d)
{
    size_t square = cairn_product(d, d);
    *out = (cairn_hmm_filling){0};
    CHECK(SCRATCH(ctx, &out->x, d));
    CHECK(SCRATCH(ctx, &out->spread, square));
    CHECK(SCRATCH(ctx, &out->factor, square));
    return SCRATCH(ctx, &out->holes, d);
}

size_t cairn_hmm_missing(const double *x, size_t d)
{
    size_t n = 0;
    for (size_t k = 0; k < d; k++) n += isnan(x[k]) != 0;
    return n;
}

/* The lower factor of A_hh; returns ln of the root of its determinant. */
static double factorise_holes(cairn_hmm_filling *f, const double *white, size_t d)
{
    size_t n = f->n_holes;
    double *a = f->factor, log_root = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j <= i; j++) {
            double sum = 0;
            for (size_t k = f->holes[i]; k < d; k++)
                sum += white[k * d + f->holes[i]] * white[k * d + f->holes[j]];
            for (size_t k = 0; k < j; k++) sum -= a[i * n + k] * a[j * n + k];
            a[i * n + j] = i == j ? sqrt(fmax(sum, DBL_MIN)) : sum / a[j * n + j];
        }
        log_root += cairn_log(a[i * n + i]);
    }
    return log_root;
}

/* A_hh⁻¹ v in place, by the factor. */
static void solve_holes(const cairn_hmm_filling *f, double *v)
{
    size_t n = f->n_holes;
    const double *a = f->factor;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++) v[i] -= a[i * n + k] * v[k];
        v[i] /= a[i * n + i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; k++) v[i] -= a[k * n + i] * v[k];
        v[i] /= a[i * n + i];
    }
}

/* Put the means of the missing numbers, given the others, into the room's vector; returns what the
 * logarithm of the density gains because it is one of fewer numbers. */
static double fill(const cairn_hmm *m, const cairn_hmm_normals *normals, size_t state,
                   const double *x, cairn_hmm_filling *f)
{
    size_t d = m->n_numbers;
    const double *mean = m->mean + state * d, *white = normals->whites + state * d * d;
    double *pull = f->spread; /* of which the first n_holes are used here */
    f->n_holes = 0;
    for (size_t k = 0; k < d; k++) {
        if (isnan(x[k])) f->holes[f->n_holes++] = k;
        f->x[k] = isnan(x[k]) ? mean[k] : x[k];
    }
    double log_root = factorise_holes(f, white, d);
    memset(pull, 0, f->n_holes * sizeof *pull);
    for (size_t k = 0; k < d; k++) {
        double z = 0;
        for (size_t l = 0; l <= k; l++) z += white[k * d + l] * (f->x[l] - mean[l]);
        for (size_t i = 0; i < f->n_holes; i++) pull[i] += white[k * d + f->holes[i]] * z;
    }
    solve_holes(f, pull);
    for (size_t i = 0; i < f->n_holes; i++) f->x[f->holes[i]] -= pull[i];
    return 0.5 * (double)f->n_holes * ln_two_pi - log_root;
}

/* The covariance of the missing numbers, given the others: A_hh⁻¹ in its places. */
static void fill_spread(cairn_hmm_filling *f, size_t d)
{
    size_t n = f->n_holes;
    double *spread = f->spread;
    memset(spread, 0, d * d * sizeof *spread);
    for (size_t j = 0; j < n; j++) {
        double *row = spread + f->holes[j] * d;
        row[j] = 1;
        solve_holes(f, row);
        for (size_t i = n; i-- > 0;) { /* from the last, so that none is overwritten */
            double value = row[i];
            row[i] = 0;
            row[f->holes[i]] = value;
        }
    }
}

double cairn_hmm_density(const cairn_hmm *m, const cairn_hmm_normals *normals, size_t state,
                         const double *x, cairn_hmm_filling *room)
{
    size_t missing = cairn_hmm_missing(x, m->n_numbers);
    if (!missing) return normal_log(m, normals, state, x);
    if (missing == m->n_numbers) return 0;
    double more = fill(m, normals, state, x, room);
    return normal_log(m, normals, state, room->x) + more;
}

void cairn_hmm_add_vector(const cairn_hmm_sums *sums, const cairn_hmm *m,
                          const cairn_hmm_normals *normals, size_t state, const double *x,
                          double weight, cairn_hmm_filling *room)
{
    size_t d = m->n_numbers, missing = cairn_hmm_missing(x, d);
    double *to = sums->normal + state * (1 + d + d * (d + 1) / 2), *square = to + 1 + d;
    if (missing == d) return;
    if (missing) {
        fill(m, normals, state, x, room);
        fill_spread(room, d);
        x = room->x;
    }
    *to += weight;
    for (size_t k = 0; k < d; k++) {
        double off = x[k] - (sums->shift ? sums->shift[k] : 0);
        to[1 + k] += weight * off;
        for (size_t l = k; l < d; l++) {
            double other = x[l] - (sums->shift ? sums->shift[l] : 0);
            *square++ += weight * (off * other + (missing ? room->spread[k * d + l] : 0));
        }
    }
}
