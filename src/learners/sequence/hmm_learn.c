/* SPDX-License-Identifier: MIT */
/* Baum and Welch, and counts of known states. */
#include "learners/sequence/hmm_learn.h"

#include "base/functions.h"
#include "base/memory.h"
#include "solve/em.h"

#include <math.h>
#include <string.h>

typedef struct learning {
    cairn_hmm *model;
    cairn_hmm best, first; /* copies of its numbers; scratch */
    const cairn_hmm_data *data;
    const cairn_hmm_options *options;
    cairn_hmm_plan *plan;
    cairn_hmm_sums sums;
    cairn_hmm_gaps gaps, best_gaps;
    double *logs;      /* of the sequences */
    double *total;     /* n_symbols: how often each is seen */
    double *means;     /* d: of all numbers */
    double *variances; /* d x d: covariance of all numbers */
    double *floor;     /* d */
    size_t n_seen;     /* steps of numbers that are whole */
} learning;

/* -- numbers of models -- */

static cairn_status copy_room(cairn_context *ctx, cairn_hmm *out, const cairn_hmm *m)
{
    *out = *m;
    CHECK(SCRATCH(ctx, &out->start, m->n_states));
    CHECK(SCRATCH(ctx, &out->move, m->n_states * m->n_states));
    CHECK(SCRATCH(ctx, &out->emit, m->n_states * m->n_symbols));
    CHECK(SCRATCH(ctx, &out->mean, m->n_states * m->n_numbers));
    return SCRATCH(ctx, &out->covariance, m->n_states * m->n_numbers * m->n_numbers);
}

static void copy_numbers(cairn_hmm *to, const cairn_hmm *from)
{
    size_t n = to->n_states, d = to->n_numbers;
    memcpy(to->start, from->start, n * sizeof *to->start);
    memcpy(to->move, from->move, n * n * sizeof *to->move);
    if (to->n_symbols) memcpy(to->emit, from->emit, n * to->n_symbols * sizeof *to->emit);
    if (!d) return;
    memcpy(to->mean, from->mean, n * d * sizeof *to->mean);
    memcpy(to->covariance, from->covariance, n * d * d * sizeof *to->covariance);
}

void cairn_hmm_even(cairn_hmm *m)
{
    size_t n = m->n_states, d = m->n_numbers;
    for (size_t i = 0; i < n; i++) m->start[i] = 1 / (double)n;
    for (size_t i = 0; i < n * n; i++) m->move[i] = 1 / (double)n;
    for (size_t i = 0; i < n * m->n_symbols; i++) m->emit[i] = 1 / (double)m->n_symbols;
    for (size_t i = 0; i < n * d * d; i++) m->covariance[i] = i % (d * d) / d == i % d ? 1 : 0;
}

/* -- what all sequences are like -- */

static void look_at_symbols(learning *x)
{
    for (size_t i = 0; i < x->data->n; i++) {
        double weight = x->data->weights ? x->data->weights[i] : 1;
        for (size_t t = x->data->begins[i]; t < x->data->begins[i + 1]; t++)
            if (x->data->symbols[t] >= 0) x->total[x->data->symbols[t]] += weight;
    }
}

static bool is_whole(const double *v, size_t d)
{
    for (size_t k = 0; k < d; k++)
        if (isnan(v[k])) return false;
    return true;
}

/* Mean and covariance of all numbers: from them come the first model and the floor. */
static cairn_status look_at_numbers(cairn_context *ctx, learning *x)
{
    size_t d = x->model->n_numbers, steps = x->data->begins[x->data->n];
    for (size_t t = 0; t < steps; t++) {
        const double *v = x->data->numbers + t * d;
        if (!is_whole(v, d)) continue;
        x->n_seen++;
        for (size_t k = 0; k < d; k++) x->means[k] += (v[k] - x->means[k]) / (double)x->n_seen;
    }
    for (size_t t = 0; t < steps; t++) {
        const double *v = x->data->numbers + t * d;
        if (!is_whole(v, d)) continue;
        for (size_t k = 0; k < d; k++)
            for (size_t l = 0; l < d; l++)
                x->variances[k * d + l] +=
                    (v[k] - x->means[k]) * (v[l] - x->means[l]) / (double)x->n_seen;
    }
    for (size_t k = 0; k < d; k++) {
        double variance = x->variances[k * d + k];
        if (!isfinite(variance))
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "number %zu of the steps is so large that it has no variance; divide "
                              "the column first",
                              k + 1);
        x->floor[k] = x->options->floor * (variance > 0 ? variance : fmax(1, fabs(x->means[k])));
    }
    return CAIRN_OK;
}

/* -- starts -- */

/* Shares at random: every one is possible, none is alike. */
static void draw_shares(cairn_random *random, double *row, const double *factors, size_t n)
{
    double sum = 0;
    for (size_t j = 0; j < n; j++) {
        row[j] = (factors ? factors[j] : 1) * (0.1 - cairn_log(1 - cairn_random_uniform(random)));
        sum += row[j];
    }
    for (size_t j = 0; j < n; j++) row[j] = sum > 0 ? row[j] / sum : 1 / (double)n;
}

/* A step whose vector is whole, at random; the mean of all where there is none. */
static const double *draw_vector(const learning *x, cairn_random *random)
{
    size_t d = x->model->n_numbers, steps = x->data->begins[x->data->n];
    for (size_t tries = 0; x->n_seen && tries < 1000; tries++) {
        const double *v = x->data->numbers + cairn_random_below(random, steps) * d;
        if (is_whole(v, d)) return v;
    }
    return x->means;
}

static void draw_normal(learning *x, cairn_random *random, size_t state)
{
    size_t d = x->model->n_numbers;
    double *covariance = x->model->covariance + state * d * d;
    memcpy(x->model->mean + state * d, draw_vector(x, random), d * sizeof *x->model->mean);
    for (size_t k = 0; k < d; k++)
        for (size_t l = 0; l < d; l++)
            covariance[k * d + l] = k == l ? fmax(x->variances[k * d + l], x->floor[k]) : 0;
}

/* A start: what was given, or at random, every start with numbers of its own. */
static cairn_status begin(cairn_context *ctx, void *data, size_t start)
{
    learning *x = data;
    cairn_hmm *m = x->model;
    cairn_random random;
    x->gaps = (cairn_hmm_gaps){0};
    if (x->options->given) {
        copy_numbers(m, &x->first);
        return CAIRN_OK;
    }
    cairn_random_start(&random, ctx->seed, x->options->stream + start);
    draw_shares(&random, m->start, NULL, m->n_states);
    for (size_t i = 0; i < m->n_states; i++) {
        draw_shares(&random, m->move + i * m->n_states, NULL, m->n_states);
        if (m->n_symbols) draw_shares(&random, m->emit + i * m->n_symbols, x->total, m->n_symbols);
        if (m->n_numbers) draw_normal(x, &random, i);
    }
    return CAIRN_OK;
}

/* -- the two steps -- */

/* smooth · Σ ln of the probabilities: what is added to counts is a prior. */
static double log_prior(const cairn_hmm *m, double smooth)
{
    double log = 0;
    if (!(smooth > 0)) return 0;
    for (size_t i = 0; i < m->n_states * m->n_states; i++) log += cairn_log(m->move[i]);
    for (size_t i = 0; i < m->n_states * m->n_symbols; i++) log += cairn_log(m->emit[i]);
    return smooth * log;
}

/* The first step of a sequence that is impossible, for the message. */
static cairn_status fail_impossible(cairn_context *ctx, const learning *x, size_t i)
{
    cairn_hmm_seen seen = cairn_hmm_sequence(x->data, x->model->n_numbers, i);
    cairn_hmm_tables tables;
    CHECK(cairn_hmm_tables_make(ctx, &tables, x->model, &seen));
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "sequence %zu is impossible under the model (step %zu), so that nothing can "
                      "be learned from it; give every move and symbol a small probability",
                      i + 1, tables.impossible + 1);
}

static cairn_status expect(cairn_context *ctx, void *data, double *log)
{
    learning *x = data;
    cairn_hmm_wanted wanted = {.logs = x->logs, .sums = &x->sums};
    CHECK(cairn_hmm_expect(ctx, &wanted, x->plan, x->model, x->data));
    *log = log_prior(x->model, x->options->smooth);
    for (size_t i = 0; i < x->data->n; i++) {
        double weight = x->data->weights ? x->data->weights[i] : 1;
        if (!(weight > 0)) continue;
        if (isinf(x->logs[i])) return fail_impossible(ctx, x, i);
        *log += weight * x->logs[i];
    }
    return CAIRN_OK;
}

static cairn_status maximise(cairn_context *ctx, void *data)
{
    learning *x = data;
    cairn_hmm_floor floor = {x->floor, x->options->diagonal};
    return cairn_hmm_maximise(ctx, x->model, &x->sums, x->options->smooth, &floor, &x->gaps);
}

static void keep(void *data, size_t start)
{
    learning *x = data;
    (void)start;
    copy_numbers(&x->best, x->model);
    x->best_gaps = x->gaps;
}

static void watch(void *data, size_t start, size_t iteration, double log)
{
    learning *x = data;
    if (x->options->watch) x->options->watch(x->options->data, x->model, start, iteration, log);
}

static cairn_status open_learning(cairn_context *ctx, learning *x)
{
    size_t d = x->model->n_numbers;
    CHECK(copy_room(ctx, &x->best, x->model));
    CHECK(copy_room(ctx, &x->first, x->model));
    copy_numbers(&x->first, x->model);
    CHECK(SCRATCH(ctx, &x->logs, x->data->n));
    CHECK(SCRATCH(ctx, &x->total, x->model->n_symbols));
    CHECK(SCRATCH(ctx, &x->means, d));
    CHECK(SCRATCH(ctx, &x->variances, d * d));
    CHECK(SCRATCH(ctx, &x->floor, d));
    if (x->data->symbols) look_at_symbols(x);
    if (d) CHECK(look_at_numbers(ctx, x));
    CHECK(cairn_hmm_sums_make(ctx, &x->sums, x->model));
    return cairn_hmm_plan_make(ctx, &x->plan, x->model, x->data);
}

/* A fall beyond rounding is a fault of the program. */
static cairn_status check_fall(cairn_context *ctx, const cairn_em_result *result)
{
    if (result->largest_fall <= 1e-9 * fmax(1, fabs(result->log_likelihood))) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_INTERNAL, "the log-likelihood fell, which it cannot");
}

cairn_status cairn_hmm_learn(cairn_context *ctx, cairn_hmm *model, const cairn_hmm_data *data,
                             const cairn_hmm_options *options, cairn_progress *progress,
                             cairn_hmm_course *out)
{
    learning x = {.model = model, .data = data, .options = options};
    cairn_em em = {.n_starts = options->given ? 1 : options->starts,
                   .data = &x,
                   .begin = begin,
                   .expect = expect,
                   .maximise = maximise,
                   .keep = keep,
                   .watch = watch};
    cairn_em_result result;
    CHECK(open_learning(ctx, &x));
    CHECK(cairn_em_run(ctx, &result, &em, progress));
    CHECK(check_fall(ctx, &result));
    if (result.best_start < em.n_starts) copy_numbers(model, &x.best);
    *out = (cairn_hmm_course){result.log_likelihood, result.best_start, x.best_gaps.floored};
    return CAIRN_OK;
}

/* -- known states -- */

/* Moments of a vector, less the mean of all. */
static void count_vector(cairn_hmm_sums *sums, const cairn_hmm *m, const double *x, size_t state,
                         double weight)
{
    size_t d = m->n_numbers, width = 1 + d + d * (d + 1) / 2;
    double *to = sums->normal + state * width, *square = to + 1 + d;
    if (!is_whole(x, d)) return;
    to[0] += weight;
    for (size_t k = 0; k < d; k++) {
        double off = x[k] - sums->shift[k];
        to[1 + k] += weight * off;
        for (size_t l = k; l < d; l++) *square++ += weight * off * (x[l] - sums->shift[l]);
    }
}

static void count_sequence(cairn_hmm_sums *sums, const cairn_hmm *m, const cairn_hmm_data *data,
                           const int32_t *states, size_t i)
{
    double weight = data->weights ? data->weights[i] : 1;
    size_t n = m->n_states, begin = data->begins[i], end = data->begins[i + 1];
    if (begin < end && states[begin] >= 0) sums->start[states[begin]] += weight;
    for (size_t t = begin; t < end; t++) {
        if (states[t] < 0) continue;
        size_t state = (size_t)states[t];
        if (!data->symbols)
            count_vector(sums, m, data->numbers + t * m->n_numbers, state, weight);
        else if (data->symbols[t] >= 0)
            sums->emit[(size_t)data->symbols[t] * n + state] += weight;
        if (t + 1 < end && states[t + 1] >= 0)
            sums->move[state * n + (size_t)states[t + 1]] += weight;
    }
}

cairn_status cairn_hmm_count(cairn_context *ctx, cairn_hmm *m, const cairn_hmm_data *data,
                             const int32_t *states, const cairn_hmm_options *options,
                             cairn_hmm_sums *sums)
{
    size_t d = m->n_numbers;
    learning x = {.model = m, .data = data, .options = options};
    cairn_hmm_gaps gaps;
    cairn_hmm_floor floor = {NULL, options->diagonal};
    CHECK(cairn_hmm_sums_make(ctx, sums, m));
    CHECK(SCRATCH(ctx, &x.means, d));
    CHECK(SCRATCH(ctx, &x.variances, d * d));
    CHECK(SCRATCH(ctx, &x.floor, d));
    cairn_hmm_even(m);
    if (d) CHECK(look_at_numbers(ctx, &x));
    floor.variances = x.floor;
    sums->shift = x.means;
    for (size_t i = 0; i < m->n_states * d; i++) m->mean[i] = x.means[i % d];
    for (size_t i = 0; i < m->n_states * d * d; i++) {
        size_t k = i % (d * d) / d, l = i % d;
        m->covariance[i] = k == l ? fmax(x.variances[k * d + k], x.floor[k]) : 0;
    }
    for (size_t i = 0; i < data->n; i++) count_sequence(sums, m, data, states, i);
    return cairn_hmm_maximise(ctx, m, sums, options->smooth, &floor, &gaps);
}
