/* SPDX-License-Identifier: MIT */
/* Markov models: room, checks, and sequences drawn at random. */
#include "learners/sequence/hmm.h"

#include "base/memory.h"
#include "base/number.h"
#include "kernels/linalg.h"

#include <math.h>
#include <string.h>

cairn_status cairn_hmm_make(cairn_context *ctx, cairn_hmm *out, size_t n_states, size_t n_symbols,
                            size_t n_numbers)
{
    out->n_states = n_states;
    out->n_symbols = n_symbols;
    out->n_numbers = n_numbers;
    size_t square = cairn_product(n_numbers, n_numbers);
    CHECK(NEW(ctx, &out->start, n_states));
    CHECK(NEW(ctx, &out->move, cairn_product(n_states, n_states)));
    if (n_symbols) CHECK(NEW(ctx, &out->emit, cairn_product(n_states, n_symbols)));
    if (!n_numbers) return CAIRN_OK;
    CHECK(NEW(ctx, &out->mean, cairn_product(n_states, n_numbers)));
    return NEW(ctx, &out->covariance, cairn_product(n_states, square));
}

void cairn_hmm_clear(cairn_hmm *model)
{
    cairn_map_clear(&model->states);
    cairn_map_clear(&model->symbols);
    cairn_map_clear(&model->columns);
    cairn_free(model->start);
    cairn_free(model->move);
    cairn_free(model->emit);
    cairn_free(model->mean);
    cairn_free(model->covariance);
    *model = (cairn_hmm){0};
}

/* Whether no two numbers vary together in any state. */
static bool is_diagonal(const cairn_hmm *m)
{
    size_t d = m->n_numbers;
    for (size_t i = 0; i < m->n_states * d * d; i++)
        if (i % (d * d) / d != i % d && m->covariance[i] != 0) return false;
    return true;
}

double cairn_hmm_free(const cairn_hmm *m)
{
    double n = (double)m->n_states, d = (double)m->n_numbers;
    double total = n - 1 + n * (n - 1) + n * d + n * (is_diagonal(m) ? d : d * (d + 1) / 2);
    return m->n_symbols ? total + n * ((double)m->n_symbols - 1) : total;
}

/* -- checks -- */

/* Probabilities of one row; `what` names it in messages. */
static cairn_status check_row(cairn_context *ctx, const char *where, const char *what,
                              const char *state, const double *row, size_t n,
                              const cairn_map *names)
{
    char value[CAIRN_NUMBER_SIZE];
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += row[i];
        if (row[i] >= 0 && row[i] <= 1) continue;
        cairn_number_format(value, row[i], CAIRN_SHORTEST);
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s: %s%s: the probability of '%s' is %s, but probabilities lie between "
                          "0 and 1",
                          where, what, state, cairn_map_key(names, i), value);
    }
    if (fabs(sum - 1) <= 1e-6) return CAIRN_OK;
    cairn_number_format(value, sum, 6);
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "%s: %s%s: the probabilities sum to %s and not to 1; fractions such as 1/3 "
                      "are taken",
                      where, what, state, value);
}

/* Numbers of a normal density: finite, and variances above 0; whether the whole matrix is a
 * covariance shows when it is factorised. */
static cairn_status check_density(cairn_context *ctx, const cairn_hmm *m, const char *where,
                                  size_t state)
{
    size_t d = m->n_numbers;
    const double *c = m->covariance + state * d * d;
    for (size_t i = 0; i < d; i++)
        for (size_t j = 0; j < d; j++)
            if (!isfinite(m->mean[state * d + i]) || !isfinite(c[i * d + j]) ||
                !(c[i * d + i] > 0) || fabs(c[i * d + j] - c[j * d + i]) > 1e-9 * c[i * d + i])
                return cairn_fail(ctx, CAIRN_BAD_DATA,
                                  "%s: covariance %s: number %zu of row %zu: variances must be "
                                  "above 0, and both triangles the same",
                                  where, cairn_map_key(&m->states, state), j + 1, i + 1);
    return CAIRN_OK;
}

cairn_status cairn_hmm_check(cairn_context *ctx, const cairn_hmm *m, const char *where)
{
    CHECK(check_row(ctx, where, "start", "", m->start, m->n_states, &m->states));
    for (size_t i = 0; i < m->n_states; i++) {
        const char *name = cairn_map_key(&m->states, i);
        CHECK(check_row(ctx, where, "from ", name, m->move + i * m->n_states, m->n_states,
                        &m->states));
        if (m->n_symbols)
            CHECK(check_row(ctx, where, "emit ", name, m->emit + i * m->n_symbols, m->n_symbols,
                            &m->symbols));
        if (m->n_numbers) CHECK(check_density(ctx, m, where, i));
    }
    return CAIRN_OK;
}

/* -- sequences at random -- */

size_t cairn_hmm_pick(cairn_random *random, const double *shares, size_t n)
{
    double sum = 0, so_far = 0;
    size_t last = 0;
    for (size_t i = 0; i < n; i++) sum += shares[i];
    double reach = cairn_random_uniform(random) * sum;
    for (size_t i = 0; i < n; i++) {
        if (!(shares[i] > 0)) continue;
        last = i;
        so_far += shares[i];
        if (so_far > reach) break;
    }
    return last;
}

/* Upper factors of the covariances, from scratch. */
static cairn_status factorise(cairn_context *ctx, const cairn_hmm *m, double **out)
{
    size_t square = m->n_numbers * m->n_numbers, pivot;
    double condition;
    CHECK(SCRATCH_RAW(ctx, out, cairn_product(m->n_states, square)));
    memcpy(*out, m->covariance, m->n_states * square * sizeof **out);
    for (size_t i = 0; i < m->n_states; i++) {
        CHECK(cairn_cholesky(ctx, *out + i * square, m->n_numbers, &condition, &pivot));
        if (pivot < m->n_numbers)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "the covariance of state '%s' is none: it is not positive definite "
                              "(row %zu)",
                              cairn_map_key(&m->states, i), pivot + 1);
    }
    return CAIRN_OK;
}

/* mean + R'z, where z is standard normal. */
static void draw_vector(const cairn_hmm *m, cairn_random *random, size_t state,
                        const double *factors, double *out)
{
    size_t d = m->n_numbers;
    const double *r = factors + state * d * d;
    memcpy(out, m->mean + state * d, d * sizeof *out);
    for (size_t i = 0; i < d; i++) {
        double z = cairn_random_normal(random);
        for (size_t j = i; j < d; j++) out[j] += r[i * d + j] * z;
    }
}

cairn_status cairn_hmm_sample(cairn_context *ctx, const cairn_hmm *m, cairn_random *random,
                              size_t n, int32_t *states, int32_t *symbols, double *numbers)
{
    SCOPED_SCRATCH(ctx);
    double *factors = NULL;
    const double *shares = m->start;
    if (m->n_numbers && numbers) CHECK(factorise(ctx, m, &factors));
    for (size_t t = 0; t < n; t++) {
        if (t % 65536 == 0) CHECK(cairn_tick(ctx, "steps", (double)t, (double)n));
        size_t state = cairn_hmm_pick(random, shares, m->n_states);
        states[t] = (int32_t)state;
        shares = m->move + state * m->n_states;
        if (m->n_symbols && symbols)
            symbols[t] =
                (int32_t)cairn_hmm_pick(random, m->emit + state * m->n_symbols, m->n_symbols);
        if (factors) draw_vector(m, random, state, factors, numbers + t * m->n_numbers);
    }
    return CAIRN_OK;
}
