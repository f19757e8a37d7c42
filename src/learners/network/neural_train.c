/* SPDX-License-Identifier: MIT */
/* The training of a network: rows forward, errors back, a step, until a reason to end is found. */
#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "kernels/steps.h"
#include "learners/network/neural.h"
#include "solve/solvers.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LOOK_ROWS = 1024 };
static const double GROWN = 1e6; /* times the error of the first weights is divergence */
static const double WORSE = 10;  /* times it, epoch after epoch, is divergence as well: a cost of
                                    probabilities has a bound */
enum { WORSE_EPOCHS = 3 };

/* -- errors -- */

/* Outputs of m rows stand in the pass, and their targets and weights are at hand. */
static cairn_status outputs_of(cairn_context *ctx, cairn_neural_run *run, const size_t *rows,
                               size_t m)
{
    const cairn_neural_model *model = run->model;
    if (run->floats) {
        cairn_neural_take_targets(run, rows, m);
        return cairn_neural_floats_outputs(ctx, run, rows, m, run->pass.outs[model->layers.n - 1]);
    }
    cairn_neural_take_rows(run, rows, m);
    return cairn_pass_forward(ctx, &run->pass, &model->layers, model->weights, run->z, m);
}

cairn_status cairn_neural_error(cairn_context *ctx, cairn_neural_run *run, size_t from, size_t to,
                                double *out)
{
    const cairn_neural_layers *layers = &run->model->layers;
    double sum = 0, total = 0;
    for (size_t first = from; first < to; first += run->pass.rows) {
        size_t m = to - first < run->pass.rows ? to - first : run->pass.rows;
        CHECK(outputs_of(ctx, run, run->order + first, m));
        for (size_t i = 0; i < m; i++) {
            sum += run->v[i] * cairn_pass_cost(&run->pass, layers, run->cost, run->t, i);
            total += run->v[i];
        }
    }
    *out = sum / total;
    return CAIRN_OK;
}

/* Range of output k's targets. */
static double target_range(const cairn_neural_run *run, size_t k)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < run->n_train; i++) {
        double t = run->targets[run->order[i] * run->n_out + k];
        low = fmin(low, t);
        high = fmax(high, t);
    }
    return high - low;
}

cairn_status cairn_neural_distances(cairn_context *ctx, cairn_neural_run *run, double *percent,
                                    double *rms, double *error)
{
    const cairn_neural_layers *layers = &run->model->layers;
    double squares = 0, sum = 0;
    if (run->floats) cairn_neural_floats_load(run);
    memset(percent, 0, run->n_out * sizeof *percent);
    for (size_t first = 0; first < run->n_train; first += run->pass.rows) {
        size_t m = run->n_train - first < run->pass.rows ? run->n_train - first : run->pass.rows;
        CHECK(outputs_of(ctx, run, run->order + first, m));
        for (size_t i = 0; i < m; i++)
            sum += run->v[i] * cairn_pass_cost(&run->pass, layers, run->cost, run->t, i);
        for (size_t i = 0; i < m * run->n_out; i++) {
            double e = run->t[i] - run->pass.outs[layers->n - 1][i], v = run->v[i / run->n_out];
            percent[i % run->n_out] += v * fabs(e);
            squares += v * e * e;
        }
    }
    for (size_t k = 0; k < run->n_out; k++) {
        double range = target_range(run, k);
        percent[k] = range > 0 ? 100 * (percent[k] / run->total) / range : NAN;
    }
    *rms = sqrt(squares / run->total / (double)run->n_out);
    *error = sum / run->total;
    return CAIRN_OK;
}

/* -- steps of the solvers -- */

/* w += η (g − λ w), and what each solver remembers of the directions before. */
static void step(cairn_neural_run *run, double eta)
{
    const cairn_neural_params *p = run->params;
    double *w = run->model->weights, *g = run->gradient;
    size_t n = run->model->layers.n_weights;
    double mu = p->momentum;
    run->steps_taken++;
    if (p->solver == CAIRN_NEURAL_ADAM) {
        cairn_adam adam = cairn_adam_at(eta, run->steps_taken);
        cairn_adam_step_doubles(w, run->first, run->second, g, n, &adam);
    }
    for (size_t i = 0; p->solver != CAIRN_NEURAL_ADAM && i < n; i++) {
        switch (p->solver) {
        case CAIRN_NEURAL_MOMENTUM:
            run->first[i] = mu * run->first[i] + eta * g[i];
            w[i] += run->first[i];
            break;
        case CAIRN_NEURAL_NESTEROV:
            run->first[i] = mu * run->first[i] + eta * g[i];
            w[i] += mu * run->first[i] + eta * g[i];
            break;
        default: w[i] += eta * g[i];
        }
    }
    cairn_neural_tie(run->model, w, false);
}

/* Weights, not biases, are drawn towards 0. */
static void add_decay(const cairn_neural_run *run, double *direction, double decay)
{
    const cairn_neural_layers *layers = &run->model->layers;
    if (decay == 0) return;
    for (size_t l = 0; l < layers->n; l++) {
        const cairn_neural_layer *layer = &layers->list[l];
        for (size_t j = 0; j < layer->n_out; j++) {
            size_t at = layer->first + j * (layer->n_in + 1);
            for (size_t i = 0; i < layer->n_in; i++)
                direction[at + i] -= decay * run->model->weights[at + i];
        }
    }
}

/* Some outputs of hidden nodes are left out, the others raised so that the sum stays as it was. */
static void draw_dropout(cairn_neural_run *run, size_t m)
{
    double share = run->params->dropout;
    for (size_t l = 0; share > 0 && l + 1 < run->model->layers.n; l++) {
        size_t n = m * run->model->layers.list[l].n_out;
        for (size_t i = 0; i < n; i++)
            run->keep[l][i] = cairn_random_uniform(&run->drop) < share ? 0 : 1 / (1 - share);
        run->pass.keep[l] = run->keep[l];
    }
}

static void end_dropout(cairn_neural_run *run)
{
    for (size_t l = 0; l < run->model->layers.n; l++) run->pass.keep[l] = NULL;
}

/* Forward and back for m rows that are taken: adds to the gradient and to the error. */
static cairn_status add_rows(cairn_context *ctx, cairn_neural_run *run, size_t m, double *error)
{
    const cairn_neural_layers *layers = &run->model->layers;
    const double *w = run->model->weights;
    draw_dropout(run, m);
    CHECK(cairn_pass_forward(ctx, &run->pass, layers, w, run->z, m));
    for (size_t i = 0; i < m; i++)
        *error += run->v[i] * cairn_pass_cost(&run->pass, layers, run->cost, run->t, i);
    cairn_pass_deltas(&run->pass, layers, run->cost, run->t, run->v, m);
    CHECK(cairn_pass_backward(ctx, &run->pass, layers, w, run->z, m, run->gradient));
    end_dropout(run);
    return CAIRN_OK;
}

/* The direction of the rows that were added, and the step along it. Over a mini-batch it is the
 * mean; of one row, and of all rows, the sum, as it is done by hand. */
static cairn_status take_step(cairn_context *ctx, cairn_neural_run *run, const size_t *rows,
                              double by, double eta)
{
    size_t n = run->model->layers.n_weights;
    bool shown =
        run->job->steps && run->shown < CAIRN_NEURAL_SHOWN && run->update == CAIRN_NEURAL_ROW;
    cairn_neural_tie(run->model, run->gradient, true);
    if (by != 1)
        for (size_t i = 0; i < n; i++) run->gradient[i] /= by;
    add_decay(run, run->gradient, run->params->decay);
    if (shown) cairn_neural_show_update(ctx, run, rows[0], eta);
    step(run, eta);
    if (shown) cairn_neural_show_weights(ctx, run);
    memset(run->gradient, 0, n * sizeof *run->gradient);
    return CAIRN_OK;
}

/* -- epochs -- */

/* One pass over the rows in the order; *error is the mean E that was met on the way. */
static cairn_status epoch(cairn_context *ctx, cairn_neural_run *run, double eta, double *error)
{
    enum { ASK_AFTER = 256 }; /* rows */
    size_t most = run->update == CAIRN_NEURAL_ROW ? 1 : run->batch;
    double sum = 0;
    for (size_t first = 0; first < run->n_train; first += most) {
        size_t m = run->n_train - first < most ? run->n_train - first : most;
        double by = 0;
        if (first % ASK_AFTER < m) CHECK(cairn_tick(ctx, NULL, 0, 0));
        cairn_neural_take_rows(run, run->order + first, m);
        CHECK(add_rows(ctx, run, m, &sum));
        for (size_t i = 0; i < m; i++) by += run->v[i];
        if (run->update != CAIRN_NEURAL_EPOCH)
            CHECK(take_step(ctx, run, run->order + first,
                            run->update == CAIRN_NEURAL_BATCH ? by : 1, eta));
        if (!isfinite(sum)) break;
    }
    if (run->update == CAIRN_NEURAL_EPOCH) CHECK(take_step(ctx, run, run->order, 1, eta));
    *error = sum / run->total;
    return CAIRN_OK;
}

/* The learning rate of epoch e, counted from 0. */
static double scheduled(const cairn_neural_run *run, size_t e)
{
    const cairn_neural_params *p = run->params;
    if (p->schedule == CAIRN_NEURAL_DECREASING) return run->eta / (1 + (double)e / p->rate_every);
    if (p->schedule != CAIRN_NEURAL_STEP) return run->eta;
    size_t steps = e / (size_t)p->rate_every;
    return run->eta * cairn_pow(p->rate_factor, (double)steps);
}

/* Adaptive: a little faster while the error falls, slower once it rises. */
static void adapt(cairn_neural_run *run, size_t e)
{
    if (run->params->schedule != CAIRN_NEURAL_ADAPTIVE || e == 0) return;
    run->eta *= run->history[e] < run->history[e - 1] ? 1.05 : run->params->rate_factor;
}

static bool are_finite(const double *numbers, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(numbers[i])) return false;
    return true;
}

/* How far any weight has moved in the epoch. */
static double moved(const cairn_neural_run *run)
{
    double most = 0;
    for (size_t i = 0; i < run->model->layers.n_weights; i++)
        most = fmax(most, fabs(run->model->weights[i] - run->moved[i]));
    return most;
}

/* Whether the weights are numbers, and the error one that learning could have come to. */
static bool is_sound(const cairn_neural_run *run, double error)
{
    return isfinite(error) && error <= GROWN * (run->start_error + 1) &&
           are_finite(run->model->weights, run->model->layers.n_weights);
}

/* A reason to end after epoch e, looked for in the order of importance. */
static cairn_neural_reason reason_after(const cairn_neural_run *run, size_t e)
{
    const cairn_neural_params *p = run->params;
    double error = run->history[e];
    if (!is_sound(run, error) || run->n_worse == WORSE_EPOCHS) return CAIRN_NEURAL_DIVERGED;
    if (error <= p->level) return CAIRN_NEURAL_LEVEL;
    if (e > 0 && fabs(error - run->history[e - 1]) < p->change) return CAIRN_NEURAL_CHANGE;
    if (p->stable > 0 && moved(run) < p->stable) return CAIRN_NEURAL_STABLE;
    if (run->n_held && p->patience && e >= run->best_epoch + (size_t)p->patience)
        return CAIRN_NEURAL_PATIENCE;
    return e + 1 == (size_t)p->epochs ? CAIRN_NEURAL_EPOCHS : CAIRN_NEURAL_STILL;
}

/* The weights of the least error so far, of the rows held out where there are some. */
static void keep_best(cairn_neural_run *run, size_t e, double error)
{
    size_t bytes = run->model->layers.n_weights * sizeof *run->best;
    bool better = error < run->best_error;
    if (!is_sound(run, run->history[e]) || !isfinite(error)) return;
    if (!better && run->params->keep_best) return;
    if (better) {
        run->best_error = error;
        run->best_epoch = e;
    }
    memcpy(run->best, run->model->weights, bytes);
    run->kept = e + 1;
}

static void shuffle(cairn_neural_run *run)
{
    if (run->params->order == CAIRN_NEURAL_SHUFFLED && run->update != CAIRN_NEURAL_EPOCH)
        cairn_random_shuffle(&run->random, run->order, run->n_train);
}

/* Count epochs in a row that were far worse than the first weights; none since the start was
 * better. */
static void count_worse(cairn_neural_run *run, size_t e)
{
    bool worse = run->history[e] > WORSE * run->start_error && run->start_error > 0 &&
                 run->best_error > run->start_error;
    run->n_worse = worse ? run->n_worse + 1 : 0;
}

/* Epochs until there is a reason to end; then the weights that are kept are those of the model. */
static cairn_status descend(cairn_context *ctx, cairn_neural_run *run)
{
    size_t bytes = run->model->layers.n_weights * sizeof *run->best, most;
    double *initial;
    most = (size_t)run->params->epochs;
    CHECK(SCRATCH_RAW(ctx, &initial, run->model->layers.n_weights));
    memcpy(initial, run->model->weights, bytes);
    memcpy(run->best, run->model->weights, bytes);
    for (size_t e = 0; run->reason == CAIRN_NEURAL_STILL; e++) {
        double judged;
        CHECK(cairn_tick(ctx, "epochs", (double)e, (double)most));
        memcpy(run->moved, run->model->weights, bytes);
        shuffle(run);
        CHECK((run->floats ? cairn_neural_floats_epoch : epoch)(ctx, run, scheduled(run, e),
                                                                &run->history[e]));
        judged = run->history[e];
        run->n_history = e + 1;
        if (run->n_held) {
            CHECK(cairn_neural_error(ctx, run, run->n_train, run->n_train + run->n_held, &judged));
            run->held[e] = judged;
        }
        keep_best(run, e, judged);
        count_worse(run, e);
        adapt(run, e);
        run->reason = reason_after(run, e);
    }
    if (run->n_worse == WORSE_EPOCHS) run->kept = 0;
    memcpy(run->model->weights, run->kept ? run->best : initial, bytes);
    return CAIRN_OK;
}

/* -- L-BFGS -- */

/* Mean E plus half the decay times the squares, and its gradient. */
static cairn_status look(cairn_context *ctx, void *data, const double *x, double *value,
                         double *gradient, double *hessian)
{
    cairn_neural_run *run = data;
    size_t n = run->model->layers.n_weights;
    double sum = 0;
    (void)hessian;
    memcpy(run->model->weights, x, n * sizeof *x);
    cairn_neural_tie(run->model, run->model->weights, false);
    memset(run->gradient, 0, n * sizeof *run->gradient);
    for (size_t first = 0; first < run->n_train; first += run->batch) {
        size_t m = run->n_train - first < run->batch ? run->n_train - first : run->batch;
        cairn_neural_take_rows(run, run->order + first, m);
        CHECK(add_rows(ctx, run, m, &sum));
    }
    for (size_t i = 0; i < n; i++) run->gradient[i] /= run->total;
    *value = sum / run->total;
    add_decay(run, run->gradient, run->params->decay);
    cairn_neural_tie(run->model, run->gradient, false); /* by the bias of each node */
    for (size_t l = 0; l < run->model->layers.n; l++) {
        const cairn_neural_layer *layer = &run->model->layers.list[l];
        for (size_t i = 0; i < layer->n_out * (layer->n_in + 1); i++) {
            double w = run->model->weights[layer->first + i];
            if ((i + 1) % (layer->n_in + 1)) *value += run->params->decay * w * w / 2;
        }
    }
    for (size_t i = 0; gradient && i < n; i++) gradient[i] = -run->gradient[i];
    return CAIRN_OK;
}

/* L-BFGS from the first weights; where it ends at no numbers, they are kept. */
static cairn_status solve(cairn_context *ctx, cairn_neural_run *run)
{
    const cairn_neural_params *p = run->params;
    size_t n = run->model->layers.n_weights;
    cairn_objective f = {.n = n, .data = run, .look = look};
    cairn_progress progress = {.what = "L-BFGS", .most = (size_t)p->epochs};
    cairn_place place = {.x = run->best, .gradient = run->first};
    progress.tolerance = p->change > 0 ? p->change : 1e-9;
    memcpy(run->best, run->model->weights, n * sizeof *run->best);
    memcpy(run->moved, run->model->weights, n * sizeof *run->best);
    CHECK(cairn_lbfgs(ctx, &f, &place, &progress, NULL));
    if (are_finite(run->best, n))
        memcpy(run->model->weights, run->best, n * sizeof *run->best);
    else
        memcpy(run->model->weights, run->moved, n * sizeof *run->best);
    cairn_neural_tie(run->model, run->model->weights, false);
    run->n_history = progress.n_history;
    if (run->n_history > (size_t)p->epochs) run->n_history = (size_t)p->epochs;
    if (run->n_history)
        memcpy(run->history, progress.history, run->n_history * sizeof *run->history);
    run->kept = run->n_history;
    run->steps_taken = progress.iterations;
    run->reason = progress.converged ? CAIRN_NEURAL_SOLVED : CAIRN_NEURAL_EPOCHS;
    return CAIRN_OK;
}

/* Mean E at weights, with the decay. */
static cairn_status value_at(cairn_context *ctx, cairn_neural_run *run, const double *weights,
                             double *out)
{
    memcpy(run->model->weights, weights, run->model->layers.n_weights * sizeof *weights);
    cairn_neural_tie(run->model, run->model->weights, false);
    CHECK(cairn_neural_error(ctx, run, 0, run->n_train, out));
    for (size_t l = 0; l < run->model->layers.n; l++) {
        const cairn_neural_layer *layer = &run->model->layers.list[l];
        for (size_t i = 0; i < layer->n_out * (layer->n_in + 1); i++) {
            double w = run->model->weights[layer->first + i];
            if ((i + 1) % (layer->n_in + 1)) *out += run->params->decay * w * w / 2;
        }
    }
    return CAIRN_OK;
}

/* The slope along a few fixed directions, by differences of the error alone: relative to the error,
 * for a change of all weights by their size. An error with many minima is told, not judged. */
static cairn_status certify(cairn_context *ctx, cairn_neural_run *run)
{
    enum { DIRECTIONS = 4 };
    const double step = 1e-5;
    size_t n = run->model->layers.n_weights;
    double *at, *moved;
    if (!run->job->certificate) return CAIRN_OK;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH_RAW(ctx, &at, n));
    CHECK(SCRATCH_RAW(ctx, &moved, n));
    memcpy(at, run->model->weights, n * sizeof *at);
    for (uint64_t d = 0; d < DIRECTIONS; d++) {
        double value[2];
        for (int side = 0; side < 2; side++) {
            cairn_random random;
            cairn_random_start(&random, 1, d);
            for (size_t i = 0; i < n; i++)
                moved[i] = at[i] * (1 + (side ? step : -step) * cairn_random_normal(&random));
            CHECK(value_at(ctx, run, moved, &value[side]));
        }
        double size = (value[0] + value[1]) / 2;
        cairn_certify(run->job->certificate, CAIRN_PROOF_GRADIENT,
                      size > 0 ? fabs(value[1] - value[0]) / (2 * step) / size : 0, INFINITY);
    }
    memcpy(run->model->weights, at, n * sizeof *at);
    return CAIRN_OK;
}

/* -- the whole -- */

/* What the first weights come to, by the first rows, to know divergence by. */
static cairn_status look_at_start(cairn_context *ctx, cairn_neural_run *run)
{
    size_t n = run->n_train < LOOK_ROWS ? run->n_train : LOOK_ROWS;
    CHECK(cairn_neural_error(ctx, run, 0, n, &run->start_error));
    if (isfinite(run->start_error)) return CAIRN_OK;
    return cairn_matrix_refuse(
        ctx, &run->x,
        cairn_say(
            ctx,
            "with the first weights the outputs are beyond all numbers; the largest "
            "number is %s: bring the columns to one scale ({scale standardise}), or give smaller "
            "weights"));
}

/* Squared length of the rows with the 1 of the bias: their mean, or their sum. */
static double lengths(cairn_neural_run *run, bool sum)
{
    double all = 0;
    for (size_t i = 0; i < run->n_train; i++) {
        double square = 1;
        cairn_neural_take_rows(run, run->order + i, 1);
        for (size_t j = 0; j < run->n_in; j++) square += run->z[j] * run->z[j];
        all += run->v[0] * square;
    }
    return sum ? all : all / run->total;
}

/* Unless it is given: 0.01 of Adam, else 0.1, or less where the rows are long; with momentum, which
 * adds up to 1/(1 − μ) steps, so much less. */
static void choose_eta(cairn_neural_run *run)
{
    const cairn_neural_params *p = run->params;
    run->eta = p->eta;
    if (!isnan(p->eta) || p->solver == CAIRN_NEURAL_LBFGS) return;
    run->eta = 0.01;
    if (p->solver == CAIRN_NEURAL_ADAM) return;
    double most = lengths(run, run->update == CAIRN_NEURAL_EPOCH);
    run->eta = most > 10 ? 1 / most : 0.1;
    if (p->solver != CAIRN_NEURAL_PLAIN) run->eta *= 1 - p->momentum;
}

static void choose_update(cairn_neural_run *run)
{
    const cairn_neural_params *p = run->params;
    run->update = (cairn_neural_update)p->update;
    if (run->update == CAIRN_NEURAL_UPDATE_AUTO)
        run->update = p->solver == CAIRN_NEURAL_PLAIN   ? CAIRN_NEURAL_ROW
                      : p->solver == CAIRN_NEURAL_LBFGS ? CAIRN_NEURAL_EPOCH
                                                        : CAIRN_NEURAL_BATCH;
    run->batch = run->update == CAIRN_NEURAL_BATCH ? (size_t)p->batch : LOOK_ROWS;
    if (run->batch > run->x.n) run->batch = run->x.n ? run->x.n : 1;
}

/* Room for everything that is needed again and again. */
static cairn_status open_room(cairn_context *ctx, cairn_neural_run *run)
{
    const cairn_neural_layers *layers = &run->model->layers;
    size_t n = layers->n_weights, rows = run->batch;
    CHECK(cairn_pass_open(ctx, &run->pass, layers, rows));
    CHECK(SCRATCH(ctx, &run->z, cairn_product(rows, run->n_in) + 1));
    CHECK(SCRATCH(ctx, &run->t, cairn_product(rows, run->n_out)));
    CHECK(SCRATCH(ctx, &run->v, rows));
    CHECK(SCRATCH(ctx, &run->gradient, n));
    CHECK(SCRATCH(ctx, &run->first, n));
    CHECK(SCRATCH(ctx, &run->second, n));
    CHECK(SCRATCH(ctx, &run->best, n));
    CHECK(SCRATCH(ctx, &run->moved, n));
    CHECK(SCRATCH(ctx, &run->keep, layers->n));
    for (size_t l = 0; run->params->dropout > 0 && l + 1 < layers->n; l++)
        CHECK(SCRATCH(ctx, &run->keep[l], cairn_product(rows, layers->list[l].n_out)));
    CHECK(SCRATCH(ctx, &run->history, (size_t)run->params->epochs + 1));
    return SCRATCH(ctx, &run->held, (size_t)run->params->epochs + 1);
}

static void warn_divergence(cairn_context *ctx, const cairn_neural_run *run)
{
    char eta[CAIRN_NUMBER_SIZE], kept[64] = "the first weights";
    cairn_number_format(eta, run->eta, 6);
    if (run->kept) snprintf(kept, sizeof kept, "the weights of epoch %zu", run->kept);
    cairn_warn(ctx,
               run->n_worse == WORSE_EPOCHS
                   ? "up to epoch %zu the error was more than 10 times that of the first weights, "
                     "with {eta} %s: %s, the last good ones, are kept; lower {eta}, or standardise "
                     "the columns"
                   : "the error grew beyond all bounds in epoch %zu with {eta} %s: %s, the last "
                     "good ones, are kept; lower {eta}, or standardise the columns",
               run->n_history, eta, kept);
}

/* Weights in front of a function without a slope cannot be learned. */
static cairn_status check_slopes(cairn_context *ctx, const cairn_neural_layers *layers)
{
    for (size_t l = 0; l < layers->n; l++) {
        const cairn_activation *f = layers->list[l].activation.f;
        if (f->slope || f->together) continue;
        return cairn_fail(ctx, CAIRN_USAGE,
                          "%s of layer %zu has no slope to learn by; sigmoid, tanh, softmax and "
                          "linear have, and perceptron learns thresholds",
                          f->name, l + 1);
    }
    return CAIRN_OK;
}

cairn_status cairn_neural_train(cairn_context *ctx, cairn_neural_run *run)
{
    choose_update(run);
    CHECK(open_room(ctx, run));
    CHECK(cairn_neural_first_weights(ctx, run));
    if (run->reason != CAIRN_NEURAL_READ) {
        CHECK(check_slopes(ctx, &run->model->layers));
        CHECK(cairn_neural_floats_open(ctx, run));
    }
    if (!run->floats) CHECK(cairn_neural_pack_rows(ctx, run));
    choose_eta(run);
    cairn_random_start(&run->random, cairn_context_seed(ctx), 0);
    cairn_random_start(&run->drop, cairn_context_seed(ctx), 3);
    run->best_error = INFINITY;
    CHECK(look_at_start(ctx, run));
    if (run->job->steps) cairn_neural_show_rule(run);
    if (run->reason == CAIRN_NEURAL_READ) return CAIRN_OK;
    CHECK(run->params->solver == CAIRN_NEURAL_LBFGS ? solve(ctx, run) : descend(ctx, run));
    if (run->params->solver == CAIRN_NEURAL_LBFGS) CHECK(certify(ctx, run));
    if (run->reason == CAIRN_NEURAL_DIVERGED) warn_divergence(ctx, run);
    return CAIRN_OK;
}
