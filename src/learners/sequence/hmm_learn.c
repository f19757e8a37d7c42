/* SPDX-License-Identifier: MIT */
/* Baum and Welch, and counts of known states. */
#include "learners/sequence/hmm_learn.h"

#include "base/functions.h"
#include "base/memory.h"

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
    double *variances; /* d: of all numbers, none below the floor */
    double *floor;     /* d */
    size_t n_seen;     /* steps that have a number */
    bool gaps_seen;    /* some of them lack another */
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

/* A symbol that these sequences lack begins with what is added to its count: from a share of 0 the
 * prior would be impossible, and nothing learned. */
static void look_at_symbols(learning *x)
{
    for (size_t i = 0; i < x->data->n; i++) {
        double weight = x->data->weights ? x->data->weights[i] : 1;
        for (size_t t = x->data->begins[i]; t < x->data->begins[i + 1]; t++)
            if (x->data->symbols[t] >= 0) x->total[x->data->symbols[t]] += weight;
    }
    for (size_t s = 0; s < x->model->n_symbols; s++)
        if (!(x->total[s] > 0)) x->total[s] = x->options->smooth;
}

/* Mean and variance of number k over the steps that have it, and from them its floor. */
static cairn_status look_at_number(cairn_context *ctx, learning *x, size_t k)
{
    size_t d = x->model->n_numbers, steps = x->data->begins[x->data->n];
    double seen = 0, mean = 0, variance = 0;
    for (size_t t = 0; t < steps; t++) {
        double value = x->data->numbers[t * d + k];
        if (!isnan(value)) mean += (value - mean) / ++seen;
    }
    for (size_t t = 0; t < steps; t++) {
        double off = x->data->numbers[t * d + k] - mean;
        if (!isnan(off)) variance += off * off / seen;
    }
    if (!isfinite(variance) && k < x->model->columns.n)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "the numbers of '%s' are so large that they have no variance; divide "
                          "the column first",
                          cairn_map_key(&x->model->columns, k));
    if (!isfinite(variance))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "the numbers of the steps are so large that they have no variance; "
                          "divide them first");
    x->means[k] = mean;
    x->floor[k] = x->options->floor * (variance > 0 ? variance : 1);
    x->variances[k] = fmax(variance, x->floor[k]);
    return CAIRN_OK;
}

/* What all numbers are like: from it come the first model and the floor. */
static cairn_status look_at_numbers(cairn_context *ctx, learning *x)
{
    size_t d = x->model->n_numbers, steps = x->data->begins[x->data->n];
    CHECK(SCRATCH(ctx, &x->means, d));
    CHECK(SCRATCH(ctx, &x->variances, d));
    CHECK(SCRATCH(ctx, &x->floor, d));
    for (size_t k = 0; k < d; k++) CHECK(look_at_number(ctx, x, k));
    for (size_t t = 0; t < steps && d; t++) {
        size_t missing = cairn_hmm_missing(x->data->numbers + t * d, d);
        x->n_seen += missing < d;
        x->gaps_seen = x->gaps_seen || (missing && missing < d);
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

/* The vector of a step at random, with the mean of all for what it lacks. */
static void draw_vector(const learning *x, cairn_random *random, double *out)
{
    size_t d = x->model->n_numbers, steps = x->data->begins[x->data->n];
    memcpy(out, x->means, d * sizeof *out);
    for (size_t tries = 0; x->n_seen && tries < 1000; tries++) {
        const double *v = x->data->numbers + cairn_random_below(random, steps) * d;
        if (cairn_hmm_missing(v, d) == d) continue;
        for (size_t k = 0; k < d; k++)
            if (!isnan(v[k])) out[k] = v[k];
        return;
    }
}

/* The covariance of a state of which nothing is known: the variances of all numbers. */
static void spread_normal(learning *x, size_t state)
{
    size_t d = x->model->n_numbers;
    double *covariance = x->model->covariance + state * d * d;
    memset(covariance, 0, d * d * sizeof *covariance);
    for (size_t k = 0; k < d; k++) covariance[k * d + k] = x->variances[k];
}

static void draw_normal(learning *x, cairn_random *random, size_t state)
{
    draw_vector(x, random, x->model->mean + state * x->model->n_numbers);
    spread_normal(x, state);
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
    if (x->options->watch) x->options->watch(x->options->data, start, iteration, log);
}

static cairn_status open_learning(cairn_context *ctx, learning *x)
{
    CHECK(copy_room(ctx, &x->best, x->model));
    CHECK(copy_room(ctx, &x->first, x->model));
    copy_numbers(&x->first, x->model);
    CHECK(SCRATCH(ctx, &x->logs, x->data->n));
    CHECK(SCRATCH(ctx, &x->total, x->model->n_symbols));
    if (x->data->symbols) look_at_symbols(x);
    CHECK(look_at_numbers(ctx, x));
    CHECK(cairn_hmm_sums_make(ctx, &x->sums, x->model));
    return cairn_hmm_plan_make(ctx, &x->plan, x->model, x->data);
}

/* No likelihood fell, and the last is that of the model. */
static cairn_status prove(cairn_context *ctx, const learning *x, const cairn_em_result *result,
                          const cairn_progress *progress)
{
    cairn_em_again again;
    if (!x->options->certificate) return CAIRN_OK;
    CHECK(cairn_hmm_again(ctx, &again, x->model, x->data, x->options->smooth));
    cairn_em_certify(x->options->certificate, result, progress, &again);
    return CAIRN_OK;
}

/* The first sequence that has steps. */
static size_t first_steps(const cairn_hmm_data *data)
{
    size_t i = 0;
    while (i + 1 < data->n && data->begins[i] == data->begins[i + 1]) i++;
    return i;
}

/* Which start is kept shows at the end, so that its first iterations are gone through again. */
static cairn_status show_again(cairn_context *ctx, learning *x, size_t start, size_t iterations)
{
    const cairn_hmm_data *data = x->data;
    size_t first = first_steps(data);
    cairn_hmm_moment at = {.model = x->model,
                           .sums = &x->sums,
                           .floor = {x->floor, x->options->diagonal},
                           .smooth = x->options->smooth,
                           .number = first + 1,
                           .n_sequences = data->n,
                           .start = start};
    if (data->n) at.seen = cairn_hmm_sequence(data, x->model->n_numbers, first);
    CHECK(begin(ctx, x, start));
    for (; at.iteration < x->options->shown && !at.last; at.iteration++) {
        if (at.iteration) CHECK(maximise(ctx, x));
        CHECK(expect(ctx, x, &at.log));
        at.last = at.iteration == iterations;
        x->options->show(x->options->data, &at);
    }
    return CAIRN_OK;
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
    if (result.best_start == em.n_starts)
        return cairn_fail(ctx, CAIRN_NO_SOLUTION,
                          "no start has a likelihood: a probability is 0 that {smooth} makes "
                          "impossible; give every move and symbol a small probability");
    if (options->show) CHECK(show_again(ctx, &x, result.best_start, progress->iterations));
    copy_numbers(model, &x.best);
    CHECK(prove(ctx, &x, &result, progress));
    *out = (cairn_hmm_course){result.log_likelihood, result.best_start, x.best_gaps.floored};
    return CAIRN_OK;
}

/* -- known states -- */

/* One sequence: its start, moves, and what they give off, as the present model expects of missing
 * numbers. */
static void count_sequence(learning *x, const cairn_hmm_normals *normals,
                           cairn_hmm_filling *filling, const int32_t *states, size_t i)
{
    const cairn_hmm_data *data = x->data;
    const cairn_hmm_sums *sums = &x->sums;
    double weight = data->weights ? data->weights[i] : 1;
    size_t n = x->model->n_states, begin = data->begins[i], end = data->begins[i + 1];
    if (begin < end && states[begin] >= 0) sums->start[states[begin]] += weight;
    for (size_t t = begin; t < end; t++) {
        if (states[t] < 0) continue;
        size_t state = (size_t)states[t];
        if (!data->symbols)
            cairn_hmm_add_vector(sums, x->model, normals, state,
                                 data->numbers + t * x->model->n_numbers, weight, filling);
        else if (data->symbols[t] >= 0)
            sums->emit[(size_t)data->symbols[t] * n + state] += weight;
        if (t + 1 < end && states[t + 1] >= 0)
            sums->move[state * n + (size_t)states[t + 1]] += weight;
    }
}

/* Count, and make the model of it. */
static cairn_status count_all(cairn_context *ctx, learning *x, const int32_t *states)
{
    SCOPED_SCRATCH(ctx);
    cairn_hmm_normals normals;
    cairn_hmm_filling filling;
    CHECK(cairn_hmm_normals_make(ctx, &normals, x->model));
    CHECK(cairn_hmm_filling_make(ctx, &filling, x->model->n_numbers));
    memset(x->sums.start, 0, x->sums.size * sizeof *x->sums.start);
    for (size_t i = 0; i < x->data->n; i++) count_sequence(x, &normals, &filling, states, i);
    return maximise(ctx, x);
}

/* How far the densities moved from `first`, in deviations and variances of all numbers. */
static double moved(const learning *x)
{
    const cairn_hmm *m = x->model, *before = &x->first;
    size_t d = m->n_numbers;
    double most = 0;
    for (size_t i = 0; i < m->n_states * d; i++)
        most = fmax(most, fabs(m->mean[i] - before->mean[i]) / sqrt(x->variances[i % d]));
    for (size_t i = 0; i < m->n_states * d * d; i++)
        most = fmax(most, fabs(m->covariance[i] - before->covariance[i]) /
                              sqrt(x->variances[i / d % d]) / sqrt(x->variances[i % d]));
    return most;
}

cairn_status cairn_hmm_count(cairn_context *ctx, cairn_hmm *m, const cairn_hmm_data *data,
                             const int32_t *states, const cairn_hmm_options *options,
                             cairn_hmm_sums *sums)
{
    enum { MOST_ROUNDS = 1000 };
    size_t d = m->n_numbers;
    learning x = {.model = m, .data = data, .options = options};
    CHECK(cairn_hmm_sums_make(ctx, &x.sums, m));
    CHECK(copy_room(ctx, &x.first, m));
    cairn_hmm_even(m);
    CHECK(look_at_numbers(ctx, &x));
    x.sums.shift = x.means;
    for (size_t i = 0; i < m->n_states && d; i++) {
        memcpy(m->mean + i * d, x.means, d * sizeof *m->mean);
        spread_normal(&x, i);
    }
    for (int round = 0; round < MOST_ROUNDS; round++) {
        copy_numbers(&x.first, m);
        CHECK(cairn_tick(ctx, "rounds", round, MOST_ROUNDS));
        CHECK(count_all(ctx, &x, states));
        if (!x.gaps_seen || moved(&x) <= 1e-10) break;
    }
    *sums = x.sums;
    return CAIRN_OK;
}
