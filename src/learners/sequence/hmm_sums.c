/* SPDX-License-Identifier: MIT */
/* Sums of Baum and Welch. */
#include "learners/sequence/hmm_sums.h"

#include "base/memory.h"
#include "kernels/linalg.h"

#include <math.h>
#include <string.h>

/* Numbers of one state's moments. */
static size_t moments(size_t d)
{
    return d ? 1 + d + d * (d + 1) / 2 : 0;
}

size_t cairn_hmm_sums_size(const cairn_hmm *m)
{
    return m->n_states * (1 + m->n_states + m->n_symbols + moments(m->n_numbers));
}

cairn_hmm_sums cairn_hmm_sums_at(const cairn_hmm *m, double *numbers)
{
    size_t n = m->n_states;
    cairn_hmm_sums out = {.start = numbers, .size = cairn_hmm_sums_size(m)};
    out.move = out.start + n;
    out.emit = out.move + n * n;
    out.normal = out.emit + n * m->n_symbols;
    return out;
}

cairn_status cairn_hmm_sums_make(cairn_context *ctx, cairn_hmm_sums *out, const cairn_hmm *m)
{
    double *numbers;
    CHECK(SCRATCH(ctx, &numbers, cairn_hmm_sums_size(m)));
    *out = cairn_hmm_sums_at(m, numbers);
    return CAIRN_OK;
}

/* Shares of n counts, `stride` apart; where there is none they stay. Returns whether there was. */
static bool share(double *to, const double *counts, size_t stride, size_t n, double more)
{
    double sum = 0;
    for (size_t j = 0; j < n; j++) sum += counts[j * stride] + more;
    if (!(sum > 0)) return false;
    for (size_t j = 0; j < n; j++) to[j] = (counts[j * stride] + more) / sum;
    return true;
}

/* Mean and covariance of one state from its moments; false = nothing was counted. */
static bool take_normal(cairn_hmm *m, const cairn_hmm_sums *sums, size_t state, bool diagonal)
{
    size_t d = m->n_numbers;
    const double *from = sums->normal + state * moments(d), *square = from + 1 + d;
    double *mean = m->mean + state * d, *covariance = m->covariance + state * d * d;
    double weight = from[0];
    if (!(weight > 1e-300)) return false;
    for (size_t k = 0; k < d; k++) mean[k] = from[1 + k] / weight;
    for (size_t k = 0; k < d; k++)
        for (size_t l = k; l < d; l++, square++) {
            double value = *square / weight - mean[k] * mean[l];
            if (k == l) value = fmax(value, 0);
            if (k != l && diagonal) value = 0;
            covariance[k * d + l] = covariance[l * d + k] = value;
        }
    for (size_t k = 0; k < d && sums->shift; k++) mean[k] += sums->shift[k];
    return true;
}

/* The most probable covariance that is nowhere below the floor: measured in its units, eigenvalues
 * below 1 become 1. So the likelihood grows with every iteration, floor or not. */
static cairn_status raise(cairn_context *ctx, double *covariance, size_t d, const double *floor,
                          bool *raised)
{
    SCOPED_SCRATCH(ctx);
    double *scaled, *values, *vectors, *roots;
    CHECK(SCRATCH(ctx, &roots, d));
    CHECK(SCRATCH(ctx, &scaled, d * d));
    CHECK(SCRATCH(ctx, &values, d));
    CHECK(SCRATCH(ctx, &vectors, d * d));
    for (size_t k = 0; k < d; k++) roots[k] = sqrt(floor[k]);
    for (size_t k = 0; k < d; k++)
        for (size_t l = 0; l < d; l++)
            scaled[k * d + l] = covariance[k * d + l] / roots[k] / roots[l];
    CHECK(cairn_symmetric_eigen(ctx, values, vectors, scaled, d));
    *raised = values[d - 1] < 1;
    if (!*raised) return CAIRN_OK;
    memset(covariance, 0, d * d * sizeof *covariance);
    for (size_t i = 0; i < d; i++) {
        CHECK(cairn_tick(ctx, NULL, 0, 0));
        for (size_t k = 0; k < d; k++)
            for (size_t l = 0; l < d; l++)
                covariance[k * d + l] += fmax(values[i], 1) * (vectors[i * d + k] * roots[k]) *
                                         (vectors[i * d + l] * roots[l]);
    }
    return CAIRN_OK;
}

/* The same where numbers do not vary together. */
static void raise_diagonal(double *covariance, size_t d, const double *floor, bool *raised)
{
    for (size_t k = 0; k < d; k++) {
        double *variance = &covariance[k * d + k];
        *raised = *raised || *variance < floor[k];
        *variance = fmax(*variance, floor[k]);
    }
}

static cairn_status maximise_normal(cairn_context *ctx, cairn_hmm *m, const cairn_hmm_sums *sums,
                                    size_t state, const cairn_hmm_floor *floor,
                                    cairn_hmm_gaps *gaps)
{
    size_t d = m->n_numbers;
    double *covariance = m->covariance + state * d * d;
    bool raised = false, visited = take_normal(m, sums, state, floor && floor->diagonal);
    gaps->unvisited += !visited;
    if (!visited || !floor || !floor->variances) return CAIRN_OK;
    if (floor->diagonal)
        raise_diagonal(covariance, d, floor->variances, &raised);
    else
        CHECK(raise(ctx, covariance, d, floor->variances, &raised));
    gaps->floored += raised;
    return CAIRN_OK;
}

cairn_status cairn_hmm_maximise(cairn_context *ctx, cairn_hmm *m, const cairn_hmm_sums *sums,
                                double more, const cairn_hmm_floor *floor, cairn_hmm_gaps *gaps)
{
    size_t n = m->n_states;
    *gaps = (cairn_hmm_gaps){0};
    share(m->start, sums->start, 1, n, 0);
    for (size_t i = 0; i < n; i++) {
        share(m->move + i * n, sums->move + i * n, 1, n, more);
        if (m->n_symbols)
            gaps->unvisited +=
                !share(m->emit + i * m->n_symbols, sums->emit + i, n, m->n_symbols, more);
        if (m->n_numbers) CHECK(maximise_normal(ctx, m, sums, i, floor, gaps));
    }
    return CAIRN_OK;
}
