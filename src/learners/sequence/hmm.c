/* SPDX-License-Identifier: MIT */
/* Hidden Markov models that are learned.
 *
 * Problem: each step of a sequence was given off by a state that is not seen, and the next state
 * depends only on the present one: P(o, q) = π(q1) b(q1, o1) Π a(qt-1, qt) b(qt, ot). What a state
 * gives off is a symbol, or a vector of numbers by a normal density.
 *
 * Method:
 * 1. hmm: Baum and Welch. E: the expected numbers of starts, moves and symbols (or weights, sums
 *    and products of numbers) under the present model, by forward and backward passes. M: their
 *    shares (or means and covariances, none below the floor) are the next model. So on until the
 *    log-likelihood gains next to nothing; the likeliest of several random starts is kept.
 *    A row that is a step is labelled with its state on the most probable path (Viterbi), a row
 *    that is a sequence with the last state of its path.
 * 2. hmm-classifier: such a model for each class; a sequence gets the class that makes
 *    ln P(class) + ln P(sequence | class) largest.
 * 3. hmm-classifier with a target of sequences: the states are known, and shares of counts are the
 *    model. Items of new sequences are labelled with the most probable path.
 *
 * A step that is missing, or a symbol that training did not have, is summed over, and so is a
 * missing number of a vector (hmm.h). A sequence that
 * is impossible gets the path under a model in which nothing is less probable than 1e-9.
 *
 * Cost: steps x states² per iteration. Ties go to the first state.
 *
 * Sources: Baum, Petrie, Soules and Weiss (1970); Rabiner (1989). */
#include "learners/sequence/hmm.h"

#include "base/functions.h"
#include "base/memory.h"
#include "decompose/linalg.h"
#include "report/table_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct hmm_gaps {
    size_t unvisited; /* states of which nothing was counted */
    size_t floored;   /* states whose covariance met the floor */
} hmm_gaps;

/* -- sums of Baum and Welch -- */

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
                                    size_t state, const cairn_hmm_floor *floor, hmm_gaps *gaps)
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

/* -- Baum and Welch, and counts of known states -- */

typedef struct learning {
    cairn_hmm *model;
    cairn_hmm best, first; /* copies of its numbers; scratch */
    const cairn_hmm_data *data;
    const cairn_hmm_options *options;
    cairn_hmm_plan *plan;
    cairn_hmm_sums sums;
    hmm_gaps gaps, best_gaps;
    double *logs;      /* of the sequences */
    double *total;     /* n_symbols: how often each is seen */
    double *means;     /* d: of all numbers */
    double *variances; /* d: of all numbers, none below the floor */
    double *floor;     /* d */
    size_t n_seen;     /* steps that have a number */
    bool gaps_seen;    /* some of them lack another */
} learning;

/* -- numbers of models -- */

static cairn_status copy_buffer(cairn_context *ctx, cairn_hmm *out, const cairn_hmm *m)
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

/* States that are all alike: for a model of which nothing is known. */
static void hmm_even(cairn_hmm *m)
{
    size_t n = m->n_states, d = m->n_numbers;
    for (size_t i = 0; i < n; i++) m->start[i] = 1 / (double)n;
    for (size_t i = 0; i < n * n; i++) m->move[i] = 1 / (double)n;
    for (size_t i = 0; i < n * m->n_symbols; i++) m->emit[i] = 1 / (double)m->n_symbols;
    for (size_t i = 0; i < n * d * d; i++) m->covariance[i] = i % (d * d) / d == i % d ? 1 : 0;
}

/* -- what all sequences are like -- */

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
    CHECK(SCRATCH_EACH(ctx, d, &x->means, &x->variances, &x->floor));
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

/* A start: what was given, or at random, every start with numbers of its own. */
static cairn_status begin(cairn_context *ctx, void *data, size_t start)
{
    learning *x = data;
    cairn_hmm *m = x->model;
    cairn_random random;
    x->gaps = (hmm_gaps){0};
    if (x->options->given) {
        copy_numbers(m, &x->first);
        return CAIRN_OK;
    }
    cairn_random_start(&random, ctx->seed, x->options->stream + start);
    draw_shares(&random, m->start, NULL, m->n_states);
    for (size_t i = 0; i < m->n_states; i++) {
        draw_shares(&random, m->move + i * m->n_states, NULL, m->n_states);
        if (m->n_symbols) draw_shares(&random, m->emit + i * m->n_symbols, x->total, m->n_symbols);
        if (m->n_numbers) {
            draw_vector(x, &random, x->model->mean + i * x->model->n_numbers);
            spread_normal(x, i);
        }
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

/* An impossible sequence ends the learning, unless its weight is 0; `log` is the weighted
 * likelihood with the prior. */
static cairn_status expect(cairn_context *ctx, void *data, double *log)
{
    learning *x = data;
    cairn_hmm_wanted wanted = {.logs = x->logs, .sums = &x->sums};
    CHECK(cairn_hmm_expect(ctx, &wanted, x->plan, x->model, x->data));
    *log = log_prior(x->model, x->options->smooth);
    for (size_t i = 0; i < x->data->n; i++) {
        double weight = x->data->weights ? x->data->weights[i] : 1;
        if (!(weight > 0)) continue;
        if (isinf(x->logs[i])) {
            /* The first step of a sequence that is impossible, for the message. */
            cairn_hmm_seen seen = cairn_hmm_sequence(x->data, x->model->n_numbers, i);
            cairn_hmm_tables tables;
            CHECK(cairn_hmm_tables_make(ctx, &tables, x->model, &seen));
            return cairn_fail(
                ctx, CAIRN_BAD_DATA,
                "sequence %zu is impossible under the model (step %zu), so that nothing can "
                "be learned from it; give every move and symbol a small probability",
                i + 1, tables.impossible + 1);
        }
        *log += weight * x->logs[i];
    }
    return CAIRN_OK;
}

static cairn_status maximise(cairn_context *ctx, void *data)
{
    learning *x = data;
    cairn_hmm_floor floor = {x->floor, x->options->diagonal};
    /* Shares of the sums: start, moves and what is given off. A row of which nothing was counted
     * stays as it is in the model. `more` is added to every count of moves and symbols. */
    cairn_hmm *m = x->model;
    double more = x->options->smooth;
    size_t n = m->n_states;
    x->gaps = (hmm_gaps){0};
    share(m->start, x->sums.start, 1, n, 0);
    for (size_t i = 0; i < n; i++) {
        share(m->move + i * n, x->sums.move + i * n, 1, n, more);
        if (m->n_symbols)
            x->gaps.unvisited +=
                !share(m->emit + i * m->n_symbols, x->sums.emit + i, n, m->n_symbols, more);
        if (m->n_numbers) CHECK(maximise_normal(ctx, m, &x->sums, i, &floor, &x->gaps));
    }
    return CAIRN_OK;
}

static void keep(void *data, size_t start)
{
    learning *x = data;
    (void)start;
    copy_numbers(&x->best, x->model);
    x->best_gaps = x->gaps;
}

static void watch_round(void *data, size_t start, size_t iteration, double log)
{
    learning *x = data;
    if (x->options->watch) x->options->watch(x->options->data, start, iteration, log);
}

/* The best model so far and the first one are kept apart from the one that learning changes. */
static cairn_status open_learning(cairn_context *ctx, learning *x)
{
    CHECK(copy_buffer(ctx, &x->best, x->model));
    CHECK(copy_buffer(ctx, &x->first, x->model));
    copy_numbers(&x->first, x->model);
    CHECK(SCRATCH(ctx, &x->logs, x->data->n));
    CHECK(SCRATCH(ctx, &x->total, x->model->n_symbols));
    if (x->data->symbols) {
        /* A symbol that these sequences lack begins with what is added to its count: from a
         * share of 0 the prior would be impossible, and nothing learned. */
        for (size_t i = 0; i < x->data->n; i++) {
            double weight = x->data->weights ? x->data->weights[i] : 1;
            for (size_t t = x->data->begins[i]; t < x->data->begins[i + 1]; t++)
                if (x->data->symbols[t] >= 0) x->total[x->data->symbols[t]] += weight;
        }
        for (size_t s = 0; s < x->model->n_symbols; s++)
            if (!(x->total[s] > 0)) x->total[s] = x->options->smooth;
    }
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

/* Which start is kept shows at the end, so that its first iterations are gone through again. */
static cairn_status show_again(cairn_context *ctx, learning *x, size_t start, size_t iterations)
{
    const cairn_hmm_data *data = x->data;
    /* The first sequence that has steps. */
    size_t first = 0;
    while (first + 1 < data->n && data->begins[first] == data->begins[first + 1]) first++;
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
                   .watch = watch_round};
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

/* Count, and make the model of it. */
static cairn_status count_all(cairn_context *ctx, learning *x, const int32_t *states)
{
    SCOPED_SCRATCH(ctx);
    cairn_hmm_normals normals;
    cairn_hmm_filling filling;
    CHECK(cairn_hmm_normals_make(ctx, &normals, x->model));
    CHECK(cairn_hmm_filling_make(ctx, &filling, x->model->n_numbers));
    memset(x->sums.start, 0, x->sums.size * sizeof *x->sums.start);
    for (size_t i = 0; i < x->data->n; i++) {
        /* One sequence: its start, moves, and what they give off, as the present model expects
         * of missing numbers. */
        const cairn_hmm_data *data = x->data;
        const cairn_hmm_sums *sums = &x->sums;
        double weight = data->weights ? data->weights[i] : 1;
        size_t n = x->model->n_states, begin = data->begins[i], end = data->begins[i + 1];
        if (begin < end && states[begin] >= 0) sums->start[states[begin]] += weight;
        for (size_t t = begin; t < end; t++) {
            if (states[t] < 0) continue;
            size_t state = (size_t)states[t];
            if (!data->symbols)
                cairn_hmm_add_vector(sums, x->model, &normals, state,
                                     data->numbers + t * x->model->n_numbers, weight, &filling);
            else if (data->symbols[t] >= 0)
                sums->emit[(size_t)data->symbols[t] * n + state] += weight;
            if (t + 1 < end && states[t + 1] >= 0)
                sums->move[state * n + (size_t)states[t + 1]] += weight;
        }
    }
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
    CHECK(copy_buffer(ctx, &x.first, m));
    hmm_even(m);
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

/* What learned hidden Markov models say of new rows: paths, posteriors, likelihoods, classes. */

/* Paths of all steps, of impossible sequences under the lenient model; ln P of each path with its
 * sequence (may be NULL), -inf of those. */
static cairn_status find_paths(cairn_context *ctx, const cairn_hmm *m, const cairn_hmm_data *data,
                               int32_t *states, double *logs)
{
    SCOPED_SCRATCH(ctx);
    cairn_hmm lenient;
    CHECK(cairn_hmm_paths(ctx, states, logs, m, data));
    /* Nothing is impossible: for sequences that the model rules out. */
    double least = 1e-9;
    lenient = *m;
    CHECK(SCRATCH(ctx, &lenient.start, m->n_states));
    CHECK(SCRATCH(ctx, &lenient.move, m->n_states * m->n_states));
    CHECK(SCRATCH(ctx, &lenient.emit, m->n_states * m->n_symbols));
    for (size_t i = 0; i < m->n_states; i++) lenient.start[i] = fmax(m->start[i], least);
    for (size_t i = 0; i < m->n_states * m->n_states; i++)
        lenient.move[i] = fmax(m->move[i], least);
    for (size_t i = 0; i < m->n_states * m->n_symbols; i++)
        lenient.emit[i] = fmax(m->emit[i], least);
    for (size_t i = 0; i < data->n; i++) {
        size_t begin = data->begins[i], end = data->begins[i + 1], begins[2] = {0, end - begin};
        if (begin == end || states[begin] >= 0) continue;
        cairn_hmm_seen seen = cairn_hmm_sequence(data, m->n_numbers, i);
        cairn_hmm_data one = {1, begins, seen.symbols, seen.numbers, NULL};
        CHECK(cairn_hmm_paths(ctx, states + begin, NULL, &lenient, &one));
        for (size_t t = begin; t < end; t++)
            if (states[t] < 0) states[t] = 0;
    }
    return CAIRN_OK;
}

/* Posteriors of all steps; even ones where a sequence is impossible. */
static cairn_status find_posteriors(cairn_context *ctx, const cairn_hmm *m,
                                    const cairn_hmm_data *data, double *gamma, double *logs)
{
    SCOPED_SCRATCH(ctx);
    size_t n = m->n_states;
    cairn_hmm_plan *plan;
    cairn_hmm_wanted wanted = {.logs = logs, .gamma = gamma};
    CHECK(cairn_hmm_plan_make(ctx, &plan, m, data));
    CHECK(cairn_hmm_expect(ctx, &wanted, plan, m, data));
    for (size_t i = 0; i < data->n && gamma; i++)
        for (size_t t = data->begins[i]; t < data->begins[i + 1] && isinf(logs[i]); t++)
            for (size_t j = 0; j < n; j++) gamma[t * n + j] = 1 / (double)n;
    return CAIRN_OK;
}

static bool is_known(const cairn_hmm *m, const cairn_hmm_data *data, size_t t)
{
    size_t d = m->n_numbers;
    return data->symbols ? data->symbols[t] >= 0 : cairn_hmm_missing(data->numbers + t * d, d) < d;
}

/* How many steps of each row are known: of one that is a sequence, or that is a step itself. */
static cairn_status add_steps(cairn_context *ctx, cairn_table *extra, const cairn_hmm *m,
                              const cairn_hmm_data *data, bool rows_are_steps)
{
    double *known;
    CHECK(SCRATCH(ctx, &known, extra->n_rows + 1));
    for (size_t i = 0; i < data->n; i++)
        for (size_t t = data->begins[i]; t < data->begins[i + 1]; t++)
            known[rows_are_steps ? t : i] += is_known(m, data, t);
    return cairn_table_put_numbers(ctx, extra, "steps", known);
}

/* Of rows that are steps: ln P(row | rows before it), which add up to that of the sequence. */
static cairn_status add_step_logs(cairn_context *ctx, cairn_table *extra, const cairn_hmm *m,
                                  const cairn_hmm_data *data)
{
    double *logs;
    CHECK(SCRATCH(ctx, &logs, extra->n_rows + 1));
    for (size_t i = 0; i < data->n; i++) {
        cairn_hmm_seen seen = cairn_hmm_sequence(data, m->n_numbers, i);
        CHECK(cairn_hmm_foretell(ctx, logs + data->begins[i], m, &seen));
    }
    CHECK(cairn_table_put_numbers(ctx, extra, "log_likelihood", logs));
    return add_steps(ctx, extra, m, data, true);
}

/* Where rows are steps, or items are labelled, every step has an answer. */
static cairn_status answer_steps(cairn_context *ctx, cairn_prediction *out, const cairn_hmm *m,
                                 const cairn_hmm_data *data)
{
    double *logs;
    CHECK(SCRATCH(ctx, &logs, data->n));
    if (out->codes) CHECK(find_paths(ctx, m, data, out->codes, NULL));
    if (out->scores) CHECK(find_posteriors(ctx, m, data, out->scores, logs));
    out->codes_set = true;
    out->n_classes = m->n_states;
    return out->extra ? add_step_logs(ctx, out->extra, m, data) : CAIRN_OK;
}

/* The path of a row in words. */
static cairn_status add_paths(cairn_context *ctx, cairn_table *extra, const cairn_hmm *m,
                              const cairn_hmm_data *data, const int32_t *states)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    const char **cells;
    size_t *at;
    CHECK(SCRATCH_EACH(ctx, data->n, &cells, &at));
    for (size_t i = 0; i < data->n; i++) {
        at[i] = text.length;
        for (size_t t = data->begins[i]; t < data->begins[i + 1]; t++)
            cairn_text_addf(&text, t > data->begins[i] ? " %s" : "%s",
                            cairn_map_key(&m->states, (size_t)states[t]));
        cairn_text_add_char(&text, '\0');
    }
    CHECK(cairn_text_status(&text));
    for (size_t i = 0; i < data->n; i++) cells[i] = cairn_text_string(&text) + at[i];
    return cairn_table_add_texts(ctx, extra, "path", cells);
}

/* Where a row is a sequence, its answer is the state in which it ends. */
static cairn_status answer_rows(cairn_context *ctx, cairn_prediction *out, const cairn_hmm *m,
                                const cairn_hmm_data *data)
{
    size_t n = m->n_states;
    double *logs, *path_logs, *gamma;
    size_t n_empty = 0;
    int32_t *states;
    CHECK(SCRATCH(ctx, &states, data->begins[data->n]));
    CHECK(SCRATCH(ctx, &gamma, cairn_product(data->begins[data->n], n)));
    CHECK(SCRATCH_EACH(ctx, data->n + 1, &logs, &path_logs));
    CHECK(find_paths(ctx, m, data, states, path_logs));
    CHECK(find_posteriors(ctx, m, data, gamma, logs));
    out->codes_set = true;
    out->n_classes = n;
    for (size_t i = 0; i < data->n; i++) {
        size_t end = data->begins[i + 1];
        bool empty = end == data->begins[i];
        n_empty += empty;
        if (out->codes) out->codes[i] = empty ? -1 : states[end - 1];
        for (size_t j = 0; j < n && out->scores; j++)
            out->scores[i * n + j] = empty ? m->start[j] : gamma[(end - 1) * n + j];
    }
    if (n_empty)
        cairn_warn(ctx,
                   "rows without steps: %zu; they end in no state, and their scores are those of a "
                   "first step",
                   n_empty);
    if (!out->extra) return CAIRN_OK;
    CHECK(add_paths(ctx, out->extra, m, data, states));
    CHECK(cairn_table_put_numbers(ctx, out->extra, "log_path", path_logs));
    CHECK(cairn_table_put_numbers(ctx, out->extra, "log_likelihood", logs));
    return add_steps(ctx, out->extra, m, data, false);
}

/* Shares of the classes: P(class) P(sequence | class); those of training where none can have given
 * the sequence off. */
static void share_classes(const cairn_hmm_model *m, double *scores)
{
    double most = -INFINITY, sum = 0;
    for (size_t c = 0; c < m->n_models; c++) most = fmax(most, scores[c]);
    for (size_t c = 0; c < m->n_models; c++) {
        scores[c] = isinf(most) ? m->weights[c] : cairn_exp(scores[c] - most);
        sum += scores[c];
    }
    for (size_t c = 0; c < m->n_models; c++) scores[c] /= sum;
}

/* With classes, the likelihood under the model of each class times the weight of the class
 * decides. */
static cairn_status hmm_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                const cairn_job *job)
{
    const cairn_hmm_model *m = model;
    cairn_map symbols = m->models->symbols; /* looked at only */
    cairn_hmm_data data;
    CHECK(cairn_hmm_read_steps(ctx, &data, job->view, m->shape, NULL, job->view->rows.n, &symbols,
                               false));
    if (job->task == CAIRN_CLASSIFY) {
        double *logs;
        CHECK(SCRATCH(ctx, &logs, data.n));
        for (size_t c = 0; c < m->n_models; c++) {
            CHECK(find_posteriors(ctx, &m->models[c], &data, NULL, logs));
            for (size_t i = 0; i < data.n; i++)
                out->scores[i * m->n_models + c] = cairn_log(m->weights[c]) + logs[i];
        }
        for (size_t i = 0; i < data.n; i++) share_classes(m, out->scores + i * m->n_models);
        return CAIRN_OK;
    }
    bool steps = m->known || m->shape == CAIRN_HMM_NUMBER_ROWS || m->shape == CAIRN_HMM_LEVEL_ROWS;
    return steps ? answer_steps(ctx, out, m->models, &data)
                 : answer_rows(ctx, out, m->models, &data);
}

enum { MOST_MODELS = 1 << 20, WATCHED = 3, WATCHED_STATES = 6 };

typedef struct hmm_params {
    int states, starts, max_iter;
    double tolerance, smooth, floor;
    int covariance;
} hmm_params;

enum { FULL, DIAGONAL };

static const cairn_choice forms[] = {
    {"full", FULL, "a covariance matrix for each state"},
    {"diagonal", DIAGONAL, "a variance for each state and number"},
    {0},
};

static const cairn_param hmm_table[] = {
    CAIRN_PARAM(hmm_params, states, "2", "[1,4096]", "number of hidden states", .often = true),
    CAIRN_PARAM(hmm_params, starts, "5", "[1,10000]", "random starts, the likeliest is kept",
                .often = true),
    CAIRN_PARAM(hmm_params, max_iter, "100", "[0,inf)", "most iterations of a start",
                .often = true),
    CAIRN_PARAM(hmm_params, tolerance, "1e-8", "[0,1)",
                "stop when an iteration gains no more than this part of the log-likelihood"),
    CAIRN_PARAM(hmm_params, smooth, "0", "[0,inf)",
                "added to every count of moves and symbols, so that none is impossible"),
    CAIRN_PARAM_CHOICE(hmm_params, covariance, "full", forms,
                       "what covariances of several numbers are like"),
    CAIRN_PARAM(hmm_params, floor, "1e-3", "[1e-10,1)",
                "least variance of a state in any direction, as a part of that of all steps (of 1 "
                "where all are equal): keeps a state from collapsing on one step"),
    CAIRN_PARAM_END,
};

/* -- fitting -- */

static cairn_status copy_names(cairn_context *ctx, cairn_map *to, const cairn_map *from)
{
    for (size_t i = 0; i < from->n; i++) {
        size_t index;
        const char *name = cairn_map_key(from, i);
        CHECK(cairn_map_add(ctx, to, name, strlen(name), &index));
    }
    return CAIRN_OK;
}

/* What is learned, and how it is shown. */
typedef struct fitting {
    cairn_hmm_model *m;
    const cairn_job *job;
    const hmm_params *p;
    const char *name; /* of the model being learned */
    cairn_hmm given;  /* start that was written by hand; empty = none */
    /* of the starts of one model, where the work is shown; scratch */
    double *ends, *rounds; /* log-likelihood and iterations */
} fitting;

/* Without a given model the states are called s1, s2 and so on. */
static cairn_status make_model(cairn_context *ctx, fitting *f, cairn_hmm *out,
                               const cairn_map *symbols)
{
    size_t width = cairn_hmm_width(f->job->view, f->m->shape);
    bool given = f->given.n_states > 0;
    CHECK(cairn_hmm_make(ctx, out, given ? f->given.n_states : (size_t)f->p->states,
                         width ? 0 : symbols->n, width));
    if (given)
        CHECK(copy_names(ctx, &out->states, &f->given.states));
    else {
        size_t n = out->n_states;
        for (size_t i = 0; i < n; i++) {
            char name[32];
            size_t index;
            int length = snprintf(name, sizeof name, "s%zu", i + 1);
            CHECK(cairn_map_add(ctx, &out->states, name, (size_t)length, &index));
        }
    }
    if (!width) CHECK(copy_names(ctx, &out->symbols, symbols));
    CHECK(cairn_hmm_name_numbers(ctx, &out->columns, f->job->schema, f->m->shape));
    hmm_even(out);
    return CAIRN_OK;
}

/* Where a start has come to. */
static void watch(void *data, size_t start, size_t iteration, double log)
{
    fitting *f = data;
    f->ends[start] = log;
    f->rounds[start] = (double)iteration;
}

/* An iteration of the start that is kept: the model, the counts that it expects, and what these
 * become. */
static void show_iteration(void *data, const cairn_hmm_moment *at)
{
    fitting *f = data;
    cairn_report *out = f->job->steps;
    char prefix[200];
    if (at->model->n_states > WATCHED_STATES) return;
    const char *key = cairn_report_key(out, f->name);
    snprintf(prefix, sizeof prefix, "%.150s%siteration%zu.", key, *key ? "." : "", at->iteration);
    cairn_report_step_begin(
        out, *f->name ? "Start %zu, iteration %zu, class %s" : "Start %zu, iteration %zu%s",
        at->start + 1, at->iteration, f->name);
    cairn_report_value(out, "log-likelihood", at->log, "%slog", prefix);
    cairn_hmm_report_model(out, at->model, prefix);
    if (!at->last && at->iteration + 1 < WATCHED) cairn_hmm_work(out, at, prefix);
    cairn_report_step_end(out);
}

/* Where every start came to, and which was kept. */
static void show_starts(const fitting *f, size_t n, const cairn_hmm_course *course)
{
    cairn_report *out = f->job->steps;
    const char *key = cairn_report_key(out, f->name), *dot = *key ? "." : "";
    cairn_report_step_begin(out, *f->name ? "The starts of class %s" : "The starts%s", f->name);
    cairn_report_table_of(out, "Starts", 0, "rrr", "start", "iterations", "log-likelihood");
    for (size_t i = 0; i < n; i++) {
        if (i == course->best_start) cairn_report_row_mark(out);
        cairn_report_prefix(out, "%s%sstart%zu", key, dot, i + 1);
        cairn_report_cells(out, "- @.iterations @.log", i + 1, f->rounds[i], f->ends[i]);
    }
    cairn_report_table_end(out);
    cairn_report_step_end(out);
}

/* A start by hand: its symbols may stand in another order, and those that it lacks are
 * impossible. */
static void take_given(cairn_hmm *to, const cairn_hmm *from)
{
    size_t n = to->n_states;
    memcpy(to->start, from->start, n * sizeof *to->start);
    memcpy(to->move, from->move, n * n * sizeof *to->move);
    for (size_t k = 0; k < to->n_symbols; k++) {
        const char *name = cairn_map_key(&to->symbols, k);
        int64_t at = cairn_map_find(&from->symbols, name, strlen(name));
        for (size_t j = 0; j < n; j++)
            to->emit[j * to->n_symbols + k] =
                at < 0 ? 0 : from->emit[j * from->n_symbols + (size_t)at];
    }
    if (!to->n_numbers) return;
    memcpy(to->mean, from->mean, n * to->n_numbers * sizeof *to->mean);
    memcpy(to->covariance, from->covariance,
           n * to->n_numbers * to->n_numbers * sizeof *to->covariance);
}

/* Vectors of many numbers: what a model can hold, and what steps can tell of covariances. */
static cairn_status check_width(cairn_context *ctx, const fitting *f, size_t steps)
{
    size_t d = cairn_hmm_width(f->job->view, f->m->shape);
    if (d > CAIRN_MOST_STATES)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "a step has %zu numbers, and at most %d are taken; choose some by "
                          "{features}, or join them by {with pca:components=10}",
                          d, CAIRN_MOST_STATES);
    if (f->p->covariance == FULL && d > 50 && d > steps)
        cairn_warn(ctx,
                   "%zu numbers of a step are to vary together in every state, and there are %zu "
                   "steps to tell how; {covariance diagonal} has only their variances, and is much "
                   "faster",
                   d, steps);
    return CAIRN_OK;
}

/* Each state needs a step of its own to be found; sequences without steps are said. */
static cairn_status check_steps(cairn_context *ctx, const fitting *f, const cairn_hmm_data *data)
{
    size_t steps = data->begins[data->n], empty = 0, states = (size_t)f->p->states;
    for (size_t i = 0; i < data->n; i++) empty += data->begins[i] == data->begins[i + 1];
    if (empty)
        cairn_warn(ctx, "%zu of %zu sequences %s empty: nothing is learned from %s", empty, data->n,
                   empty == 1 ? "is" : "are", empty == 1 ? "it" : "them");
    if (f->job->task != CAIRN_CLUSTER || f->given.n_states || states <= steps) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "%zu states cannot be found in %zu step%s; {states} must be at most %zu here",
                      states, steps, steps == 1 ? "" : "s", steps);
}

static double mean_length(const cairn_hmm_data *data)
{
    return data->n ? (double)data->begins[data->n] / (double)data->n : 0;
}

/* One model from its rows. */
static cairn_status learn_one(cairn_context *ctx, fitting *f, size_t i, const uint32_t *list,
                              size_t n, const cairn_map *symbols)
{
    SCOPED_SCRATCH(ctx);
    cairn_hmm *model = &f->m->models[i];
    cairn_map known = *symbols; /* looked at only */
    cairn_hmm_data data;
    cairn_hmm_course course;
    cairn_progress progress = {
        .what = "Baum-Welch", .most = (size_t)f->p->max_iter, .tolerance = f->p->tolerance};
    cairn_hmm_options options = {.starts = (size_t)f->p->starts,
                                 .given = f->given.n_states > 0,
                                 .stream = i * 10007,
                                 .smooth = f->p->smooth,
                                 .floor = f->p->floor,
                                 .diagonal = f->p->covariance == DIAGONAL,
                                 .watch = f->job->steps ? watch : NULL,
                                 .show = f->job->steps ? show_iteration : NULL,
                                 .shown = WATCHED,
                                 .data = f,
                                 .certificate = f->job->certificate};
    double *weights;
    CHECK(cairn_hmm_read_steps(ctx, &data, f->job->view, f->m->shape, list, n, &known, false));
    CHECK(check_width(ctx, f, data.begins[data.n]));
    CHECK(make_model(ctx, f, model, symbols));
    if (options.given) take_given(model, &f->given);
    CHECK(SCRATCH(ctx, &weights, n));
    for (size_t k = 0; k < n && data.n == n; k++)
        weights[k] = cairn_view_weight(f->job->view, list ? list[k] : k);
    if (data.n == n && list) data.weights = weights;
    CHECK(check_steps(ctx, f, &data));
    f->m->lengths[i] = mean_length(&data);
    f->name = cairn_hmm_model_name(f->m, f->job, i);
    CHECK(SCRATCH_EACH(ctx, options.starts, &f->ends, &f->rounds));
    CHECK(cairn_hmm_learn(ctx, model, &data, &options, &progress, &course));
    if (f->job->steps) show_starts(f, options.given ? 1 : options.starts, &course);
    cairn_hmm_history *a = f->job->history;
    if (!a) return CAIRN_OK;
    a->lengths[i] = (double)progress.n_values;
    a->iterations[i] = (double)progress.iterations;
    a->converged[i] = progress.converged;
    a->floored[i] = (double)course.floored;
    CHECK(RESIZE(ctx, &a->values, a->n_values + progress.n_values));
    memcpy(a->values + a->n_values, progress.values, progress.n_values * sizeof *a->values);
    a->n_values += progress.n_values;
    return CAIRN_OK;
}

/* All symbols: those of a start by hand, then of the view as their column has them. */
static cairn_status find_symbols(cairn_context *ctx, fitting *f, cairn_map *out)
{
    SCOPED_SCRATCH(ctx);
    cairn_hmm_data data;
    const cairn_view *view = f->job->view;
    if (cairn_hmm_width(view, f->m->shape)) return CAIRN_OK;
    CHECK(copy_names(ctx, out, &f->given.symbols));
    CHECK(cairn_hmm_read_steps(ctx, &data, view, f->m->shape, NULL, view->rows.n, out, true));
    if (!data.begins[data.n])
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "all sequences are empty; there is nothing to learn from");
    return CAIRN_OK;
}

static cairn_status make_buffer(cairn_context *ctx, fitting *f, size_t n_models)
{
    cairn_hmm_history *a = f->job->history;
    f->m->n_models = n_models;
    CHECK(NEW_EACH(ctx, n_models, &f->m->models, &f->m->weights, &f->m->lengths));
    if (!a) return CAIRN_OK;
    a->n = n_models;
    CHECK(NEW_EACH(ctx, n_models, &a->lengths, &a->iterations, &a->converged));
    return NEW(ctx, &a->floored, n_models);
}

static cairn_status fit_states(cairn_context *ctx, fitting *f)
{
    SCOPED(cairn_map_clear) cairn_map symbols = {0};
    size_t n = f->job->view->rows.n;
    CHECK(cairn_tick(ctx, "rows", 0, (double)n));
    CHECK(cairn_hmm_find_steps(ctx, f->job->view, true, &f->m->shape));
    CHECK(make_buffer(ctx, f, 1));
    f->m->weights[0] = (double)n;
    CHECK(find_symbols(ctx, f, &symbols));
    return learn_one(ctx, f, 0, NULL, n, &symbols);
}

/* -- classes -- */

/* A model for each class, all over the symbols of all rows, so that their likelihoods compare. */
static cairn_status fit_classes(cairn_context *ctx, fitting *f)
{
    SCOPED(cairn_map_clear) cairn_map symbols = {0};
    uint32_t *list;
    CHECK(cairn_hmm_find_steps(ctx, f->job->view, false, &f->m->shape));
    CHECK(make_buffer(ctx, f, f->job->n_classes));
    CHECK(find_symbols(ctx, f, &symbols));
    CHECK(SCRATCH(ctx, &list, f->job->view->rows.n));
    for (size_t c = 0; c < f->m->n_models; c++) {
        /* Rows of one class; those of weight 0 are none. */
        double *weight = &f->m->weights[c];
        const cairn_view *view = f->job->view;
        size_t n = 0;
        *weight = 0;
        for (size_t i = 0; i < view->rows.n; i++) {
            double w = cairn_view_weight(view, i);
            if ((size_t)view->target->codes[cairn_view_row(view, i)] != c || !(w > 0)) continue;
            list[n++] = (uint32_t)i;
            *weight += w;
        }
        CHECK(cairn_tick(ctx, "classes", (double)c, (double)f->m->n_models));
        CHECK(learn_one(ctx, f, c, list, n, &symbols));
    }
    return CAIRN_OK;
}

/* -- known states -- */

/* The counts that shares are made of: a row for each state. */
static void show_counts(cairn_report *out, const cairn_hmm *m, const cairn_hmm_sums *sums)
{
    size_t n = m->n_states;
    if (n > WATCHED_STATES || m->n_symbols > 30) return;
    cairn_report_step_begin(out, "Count starts, moves and symbols of the known states");
    cairn_report_table_of(out, "Counts", 0, "lr", "state", "first");
    for (size_t j = 0; j < n; j++) cairn_report_column(out, cairn_map_key(&m->states, j), 'r');
    for (size_t k = 0; k < m->n_symbols; k++)
        cairn_report_column(out, cairn_map_key(&m->symbols, k), 'r');
    for (size_t i = 0; i < n; i++) {
        const char *key = cairn_report_key(out, cairn_map_key(&m->states, i));
        cairn_report_cells(out, "- count.start.$1", cairn_map_key(&m->states, i), sums->start[i]);
        for (size_t j = 0; j < n; j++)
            cairn_report_cell_number(out, sums->move[i * n + j], 0, "count.move.%s.%s", key,
                                     cairn_report_key(out, cairn_map_key(&m->states, j)));
        for (size_t k = 0; k < m->n_symbols; k++)
            cairn_report_cell_number(out, sums->emit[k * n + i], 0, "count.emit.%s.%s", key,
                                     cairn_report_key(out, cairn_map_key(&m->symbols, k)));
    }
    cairn_report_table_end(out);
    cairn_report_step_end(out);
}

/* States are the items of the target, so that counting is all. */
static cairn_status fit_known(cairn_context *ctx, fitting *f)
{
    SCOPED(cairn_map_clear) cairn_map symbols = {0};
    const cairn_job *job = f->job;
    size_t n = job->view->rows.n;
    cairn_hmm *model;
    cairn_hmm_data data;
    cairn_hmm_sums sums;
    double *weights;
    int32_t *states;
    CHECK(cairn_tick(ctx, "rows", 0, (double)n));
    f->m->known = true;
    CHECK(cairn_hmm_find_steps(ctx, job->view, false, &f->m->shape));
    if (f->m->shape != CAIRN_HMM_SEQUENCES && f->m->shape != CAIRN_HMM_SERIES)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "the states of '%s' need a column of sequences or of series beside them",
                          job->view->target_name);
    CHECK(make_buffer(ctx, f, 1));
    f->m->weights[0] = 1;
    CHECK(find_symbols(ctx, f, &symbols));
    model = f->m->models;
    CHECK(check_width(ctx, f, SIZE_MAX));
    size_t width = cairn_hmm_width(job->view, f->m->shape);
    CHECK(cairn_hmm_make(ctx, model, job->n_classes, width ? 0 : symbols.n, width));
    CHECK(copy_names(ctx, &model->states, &job->view->target->names));
    CHECK(copy_names(ctx, &model->symbols, &symbols));
    CHECK(cairn_hmm_name_numbers(ctx, &model->columns, job->schema, f->m->shape));
    CHECK(cairn_hmm_read_steps(ctx, &data, job->view, f->m->shape, NULL, n, &symbols, false));
    CHECK(SCRATCH(ctx, &weights, n));
    for (size_t i = 0; i < n; i++) weights[i] = cairn_view_weight(job->view, i);
    data.weights = weights;
    f->m->lengths[0] = mean_length(&data);
    /* The states of all steps: the items of the target. */
    CHECK(SCRATCH(ctx, &states, data.begins[data.n]));
    for (size_t i = 0; i < data.n; i++) {
        cairn_sequence run;
        cairn_view_target_sequences(job->view, i, 1, &run);
        for (size_t t = data.begins[i]; t < data.begins[i + 1]; t++) {
            size_t at = t - data.begins[i];
            (states)[t] = at < run.n ? run.items[at] : -1;
        }
    }
    cairn_hmm_options options = {
        .smooth = f->p->smooth, .floor = f->p->floor, .diagonal = f->p->covariance == DIAGONAL};
    CHECK(cairn_hmm_count(ctx, model, &data, states, &options, &sums));
    if (job->steps) show_counts(job->steps, model, &sums);
    return CAIRN_OK;
}

static cairn_status hmm_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    fitting f = {.m = model, .job = job, .p = job->params};
    return job->task == CAIRN_CLUSTER       ? fit_states(ctx, &f)
           : job->task == CAIRN_LABEL_ITEMS ? fit_known(ctx, &f)
                                            : fit_classes(ctx, &f);
}

/* A start that was written by hand, from which Baum and Welch go on ({max-iter 0} keeps it). */
static cairn_status hmm_read(cairn_context *ctx, void *model, const cairn_job *job,
                             const cairn_given *given)
{
    fitting f = {.m = model, .job = job, .p = job->params};
    cairn_status status;
    if (job->task == CAIRN_LABEL_ITEMS)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "the states of '%s' are known and counted, so that there is nothing to "
                          "begin with; leave {given} out",
                          job->view->target_name);
    CHECK(cairn_hmm_find_steps(ctx, job->view, job->task == CAIRN_CLUSTER, &f.m->shape));
    CHECK(cairn_hmm_read(ctx, &f.given, given->name, given->text, given->length));
    size_t width = cairn_hmm_width(job->view, f.m->shape);
    if (f.given.n_numbers != width || !f.given.n_symbols != (width > 0))
        status = cairn_fail(ctx, CAIRN_BAD_DATA,
                            "%s: the model gives off %zu numbers and %zu symbols, the data has "
                            "%zu numbers in a step",
                            given->name, f.given.n_numbers, f.given.n_symbols, width);
    else
        status = job->task == CAIRN_CLUSTER ? fit_states(ctx, &f) : fit_classes(ctx, &f);
    cairn_hmm_clear(&f.given);
    return status;
}

/* -- keeping -- */

/* One model; what is read is checked as what is typed. */
static cairn_status archive_one(cairn_archive *a, cairn_hmm *m)
{
    size_t n, d;
    CHECK(cairn_archive_map(a, "states", &m->states));
    CHECK(cairn_archive_map(a, "symbols", &m->symbols));
    CHECK(cairn_archive_size(a, "numbers", &m->n_numbers, CAIRN_MOST_STATES));
    if (cairn_archive_reading(a)) {
        m->n_states = m->states.n;
        m->n_symbols = m->symbols.n;
        if (!m->n_states || m->n_states > CAIRN_MOST_STATES || !m->n_symbols == !m->n_numbers)
            return cairn_archive_damaged(a, "a hidden Markov model has impossible sizes");
    }
    n = m->n_states, d = m->n_numbers;
    CHECK(cairn_archive_reals(a, "start", &m->start, n));
    CHECK(cairn_archive_reals(a, "move", &m->move, n * n));
    CHECK(cairn_archive_reals(a, "emit", &m->emit, n * m->n_symbols));
    CHECK(cairn_archive_reals(a, "mean", &m->mean, n * d));
    CHECK(cairn_archive_reals(a, "covariance", &m->covariance, n * d * d));
    if (!cairn_archive_reading(a)) return CAIRN_OK;
    return cairn_hmm_check(cairn_archive_context(a), m, "model") == CAIRN_OK
               ? CAIRN_OK
               : cairn_archive_damaged(a, "a hidden Markov model has impossible probabilities");
}

/* Models are of the same symbols, or of equally many numbers, as their shape says. */
static cairn_status check_alike(cairn_archive *a, const cairn_hmm_model *m)
{
    double total = 0;
    for (size_t i = 0; i < m->n_models; i++) {
        const cairn_hmm *x = &m->models[i], *first = m->models;
        bool numbers = m->shape == CAIRN_HMM_NUMBER_COLUMNS || m->shape == CAIRN_HMM_NUMBER_ROWS ||
                       m->shape == CAIRN_HMM_SERIES;
        if (x->n_symbols != first->n_symbols || x->n_numbers != first->n_numbers ||
            numbers != (x->n_numbers > 0) ||
            (m->shape == CAIRN_HMM_NUMBER_COLUMNS && x->n_numbers != 1))
            return cairn_archive_damaged(a, "the models do not give off the same");
        if (!(m->weights[i] >= 0)) return cairn_archive_damaged(a, "a weight is negative");
        if (!(m->lengths[i] >= 0 && m->lengths[i] <= UINT32_MAX))
            return cairn_archive_damaged(a, "a mean length is none");
        total += m->weights[i];
    }
    return total > 0 && isfinite(total) ? CAIRN_OK
                                        : cairn_archive_damaged(a, "the models have no weight");
}

static cairn_status hmm_archive(cairn_archive *a, void *model)
{
    cairn_hmm_model *m = model;
    CHECK(cairn_archive_int(a, "shape", &m->shape));
    CHECK(cairn_archive_bool(a, "known", &m->known));
    CHECK(cairn_archive_size(a, "models", &m->n_models, MOST_MODELS));
    if (cairn_archive_reading(a)) {
        if (m->shape < 0 || m->shape >= CAIRN_HMM_SHAPES || !m->n_models)
            return cairn_archive_damaged(a, "the models are of no known shape");
        CHECK(NEW(cairn_archive_context(a), &m->models, m->n_models));
    }
    CHECK(cairn_archive_reals(a, "weights", &m->weights, m->n_models));
    CHECK(cairn_archive_reals(a, "lengths", &m->lengths, m->n_models));
    for (size_t i = 0; i < m->n_models; i++) CHECK(archive_one(a, &m->models[i]));
    return cairn_archive_reading(a) ? check_alike(a, m) : CAIRN_OK;
}

/* The columns must have the steps, and the classes must be those of the target. */
static cairn_status hmm_check(cairn_archive *a, const void *model, const cairn_job *job)
{
    const cairn_hmm_model *m = model;
    size_t numbers = 0, levels = 0, sequences = 0, series = 0;
    for (size_t i = 0; i < job->schema->n_fields; i++) {
        const cairn_field *field = &job->schema->fields[i];
        if (field->role != CAIRN_FEATURE) continue;
        numbers += field->kind == CAIRN_NUMBER;
        levels += field->kind == CAIRN_LEVEL;
        sequences += field->kind == CAIRN_SEQUENCE;
        series += field->kind == CAIRN_SERIES;
    }
    bool fits = m->shape == CAIRN_HMM_SEQUENCES        ? sequences > 0
                : m->shape == CAIRN_HMM_SERIES         ? series == m->models->n_numbers
                : m->shape == CAIRN_HMM_NUMBER_ROWS    ? numbers == m->models->n_numbers
                : m->shape == CAIRN_HMM_NUMBER_COLUMNS ? numbers > 0
                                                       : levels > 0;
    if (!fits) return cairn_archive_damaged(a, "the learner has other columns than the table");
    size_t classes = m->known ? m->models->n_states : m->n_models;
    bool right = job->task == CAIRN_CLUSTER       ? m->n_models == 1 && !m->known
                 : job->task == CAIRN_LABEL_ITEMS ? m->known && classes == job->n_classes
                                                  : !m->known && classes == job->n_classes;
    return right ? CAIRN_OK
                 : cairn_archive_damaged(a, "the learner has other classes than the target");
}

static void hmm_clear(void *model)
{
    cairn_hmm_model *m = model;
    for (size_t i = 0; i < m->n_models && m->models; i++) cairn_hmm_clear(&m->models[i]);
    FREE_EACH(m->models, m->weights, m->lengths);
}

/* The course of every model; lengths of a file may not lead out of its history. */
static cairn_status history_archive(cairn_archive *a, void *history, const void *model)
{
    cairn_hmm_history *x = history;
    double total = 0;
    CHECK(cairn_archive_size(a, "models", &x->n, MOST_MODELS));
    if (x->n != ((const cairn_hmm_model *)model)->n_models)
        return cairn_archive_damaged(a, "the account is of other models");
    CHECK(cairn_archive_reals(a, "lengths", &x->lengths, x->n));
    CHECK(cairn_archive_reals(a, "iterations", &x->iterations, x->n));
    CHECK(cairn_archive_reals(a, "converged", &x->converged, x->n));
    CHECK(cairn_archive_reals(a, "floored", &x->floored, x->n));
    CHECK(cairn_archive_size(a, "n_history", &x->n_values, SIZE_MAX / 16));
    for (size_t i = 0; i < x->n; i++) {
        if (!(x->lengths[i] >= 0) || x->lengths[i] != floor(x->lengths[i]))
            return cairn_archive_damaged(a, "a length of the course is none");
        if (!(x->floored[i] >= 0 && x->floored[i] <= UINT32_MAX))
            return cairn_archive_damaged(a, "a number of states that met the floor is none");
        total += x->lengths[i];
    }
    if (total != (double)x->n_values)
        return cairn_archive_damaged(a, "the course has another length");
    return cairn_archive_reals(a, "history", &x->values, x->n_values);
}

static void history_clear(void *history)
{
    cairn_hmm_history *x = history;
    FREE_EACH(x->lengths, x->iterations, x->converged, x->floored, x->values);
}

static const cairn_history hmm_history = {
    .size = sizeof(cairn_hmm_history),
    .archive = history_archive,
    .clear = history_clear,
};

static cairn_model_size hmm_size(const void *model)
{
    const cairn_hmm_model *m = model;
    double total = 0;
    for (size_t i = 0; i < m->n_models; i++) total += cairn_hmm_free(&m->models[i]);
    return (cairn_model_size){total, false};
}

static size_t hmm_states(const void *model)
{
    return ((const cairn_hmm_model *)model)->models->n_states;
}

/* The text form of the model; of several, one after the other under comments. */
static void write_text(cairn_text *out, const void *model, const cairn_job *job)
{
    const cairn_hmm_model *m = model;
    for (size_t i = 0; i < m->n_models; i++) {
        if (m->n_models > 1) cairn_text_addf(out, "# %s\n", cairn_hmm_model_name(m, job, i));
        cairn_hmm_write(out, &m->models[i]);
    }
}

static const cairn_export_form export_forms[] = {
    {"text", "states, start, moves and what is given off, as 'cairn compute hmm' takes them",
     write_text},
    {0},
};

static const cairn_output state_outputs[] = {
    {"path", "most probable path of states of a row that is a sequence"},
    {"log_path", "logarithm of the probability of that path together with the row"},
    {"log_likelihood", "logarithm of the probability of a row; of one that is a step, after those "
                       "before it"},
    {"steps", "steps of the row that are known"},
    {0},
};

const cairn_learner cairn_hmm_learner = {
    .entry =
        {.kind = CAIRN_ENTRY_LEARNER,
         .name = "hmm",
         .also = "hidden Markov model, HMM, Baum-Welch, Viterbi, Gaussian HMM, regime "
                 "switching, state sequence",
         .title = "Hidden Markov model",
         .summary =
             "Learns hidden states from what they give off, by Baum and Welch: symbols of a "
             "column of sequences, vectors of numbers of columns of series, or, where there are "
             "neither, the rows of the table one after the other, as vectors of their numbers or "
             "as levels of one column. Rows that are "
             "steps are labelled with their state on the most probable path, rows that are "
             "sequences with the state in which their path ends. 'cairn compute hmm' shows all "
             "tables of a sequence. --given FILE begins with a model in its text form in place of "
             "random ones.",
         .references = "Rabiner, A tutorial on hidden Markov models, Proceedings of the IEEE "
                       "77 (1989); Baum, Petrie, Soules and Weiss, Annals of Mathematical "
                       "Statistics 41 (1970)",
         .example = "cairn fit hmm @iris --features petal_length,petal_width --states 3 --steps",
         .params = hmm_table,
         .params_size = sizeof(hmm_params)},
    .tasks = CAIRN_CLUSTER,
    .space = "states=1,2,3,4,5",
    .accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_LEVELS | CAIRN_ACCEPTS_MISSING |
               CAIRN_ACCEPTS_SEQUENCES | CAIRN_ACCEPTS_SERIES,
    .traits = CAIRN_PREDICTIVE | CAIRN_UNSUPERVISED | CAIRN_PROBABILISTIC | CAIRN_GRADING,
    .aims = "that states follow each other and give off what is seen as probably as can be",
    .model_size = sizeof(cairn_hmm_model),
    .tables = cairn_hmm_learned,
    .history = &hmm_history,
    .gives_scores = true,
    .sets_codes = true,
    .outputs = state_outputs,
    .fit = hmm_fit,
    .read = hmm_read,
    .forms = export_forms,
    .predict = hmm_predict,
    .describe = cairn_hmm_describe,
    .sample = cairn_hmm_sample_rows,
    .archive = hmm_archive,
    .check = hmm_check,
    .clear = hmm_clear,
    .size = hmm_size,
    .clusters = hmm_states,
};

const cairn_learner cairn_hmm_classifier_learner = {
    .entry =
        {.kind = CAIRN_ENTRY_LEARNER,
         .name = "hmm-classifier",
         .also = "hidden Markov model per class, word recognition, sequence classification, "
                 "sequence labelling, part-of-speech tagging",
         .title = "Hidden Markov model for each class",
         .summary =
             "Learns a hidden Markov model for each class and gives a sequence to the class "
             "that makes it most probable. The steps stand in a column of sequences, in columns "
             "of series, in columns of levels from left to right, or, where there are none, in "
             "columns of numbers. "
             "With a target of sequences the states are known: they are counted, and every item "
             "of a new sequence gets its state on the most probable path. --given FILE begins the "
             "model "
             "of every class with one in its text form in place of random ones.",
         .references = "Rabiner, A tutorial on hidden Markov models, Proceedings of the IEEE "
                       "77 (1989)",
         .example = "cairn fit hmm-classifier @weather --features outlook,temperature,humidity "
                    "--steps",
         .params = hmm_table,
         .params_size = sizeof(hmm_params)},
    .tasks = CAIRN_CLASSIFY | CAIRN_LABEL_ITEMS,
    .space = "states=1,2,3,4",
    .accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_LEVELS | CAIRN_ACCEPTS_MISSING |
               CAIRN_ACCEPTS_WEIGHTS | CAIRN_ACCEPTS_SEQUENCES | CAIRN_ACCEPTS_SERIES |
               CAIRN_ACCEPTS_ONE_CLASS,
    .traits = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_PROBABILISTIC | CAIRN_GRADING |
              CAIRN_GIVES_PROBABILITIES,
    .model_size = sizeof(cairn_hmm_model),
    .tables = cairn_hmm_learned,
    .history = &hmm_history,
    .gives_scores = true,
    .fit = hmm_fit,
    .read = hmm_read,
    .predict = hmm_predict,
    .describe = cairn_hmm_describe,
    .explain = cairn_hmm_explain,
    .sample = cairn_hmm_sample_rows,
    .archive = hmm_archive,
    .check = hmm_check,
    .clear = hmm_clear,
    .size = hmm_size,
};
