/* SPDX-License-Identifier: MIT */
/* The training of a network: rows forward, errors back, a step, until a reason to end is found. */
#include "learners/network/neural.h"
#include "base/functions.h"
#include "base/memory.h"
#include "base/need.h"
#include "base/number.h"
#include "kernels/steps.h"
#include "parallel/parallel.h"
#include "solve/solvers.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The rows of a network: features as they are, targets as what its outputs should be. */

enum { PACKED_ROWS = 256 };

cairn_status cairn_neural_targets(cairn_context *ctx, cairn_neural_target **out, size_t *n,
                                  size_t *n_out, const cairn_schema *schema, bool one_of_two)
{
    *n = *n_out = 0;
    CHECK(SCRATCH(ctx, out, schema->n_fields + 1));
    for (size_t i = 0; i < schema->n_fields; i++) {
        const cairn_field *field = &schema->fields[i];
        if (field->role != CAIRN_TARGET) continue;
        size_t outputs = field->kind == CAIRN_LEVEL ? field->names.n : 1;
        if (outputs == 2 && one_of_two) outputs = 1;
        size_t at = (*n)++;
        for (; at && strcmp((*out)[at - 1].field->name, field->name) > 0; at--)
            (*out)[at] = (*out)[at - 1];
        (*out)[at] = (cairn_neural_target){.field = field, .n = outputs, .leads = *n == 1};
    }
    for (size_t t = 0; t < *n; t++) {
        (*out)[t].first = *n_out;
        *n_out += (*out)[t].n;
    }
    return CAIRN_OK;
}

cairn_status cairn_neural_model_targets(cairn_context *ctx, cairn_neural_target **out, size_t *n,
                                        const cairn_schema *schema,
                                        const cairn_neural_layers *layers,
                                        const cairn_neural_target **lead)
{
    const cairn_neural_layer *last = cairn_neural_layers_last(layers);
    size_t n_out;
    CHECK(cairn_neural_targets(ctx, out, n, &n_out, schema, !last->activation.f->together));
    if (n_out != last->n_out) CHECK(cairn_neural_targets(ctx, out, n, &n_out, schema, false));
    *lead = NULL;
    for (size_t t = 0; t < *n && n_out == last->n_out; t++)
        if ((*out)[t].leads) *lead = &(*out)[t];
    return CAIRN_OK;
}

size_t cairn_neural_yes(const cairn_neural_target *target, int32_t positive)
{
    return target->leads && positive >= 0 ? (size_t)positive : 1;
}

/* What output k of a target should be for a table row. */
static double wanted(const cairn_neural_run *run, const cairn_neural_target *target, size_t k,
                     size_t row)
{
    const cairn_neural_model *m = run->model;
    if (target->field->kind != CAIRN_LEVEL) return target->column->numbers[row];
    size_t code = (size_t)target->column->codes[row];
    if (target->n == 1 && target->field->names.n == 2)
        return code == cairn_neural_yes(target, run->job->positive) ? m->high : m->low;
    return code == k ? m->high : m->low;
}

/* Targets as the outputs should be; a row without one of them has no weight. */
static cairn_status read_targets(cairn_context *ctx, cairn_neural_run *run)
{
    const cairn_view *view = run->job->view;
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i);
        run->by[i] = cairn_view_weight(view, i);
        for (size_t t = 0; t < run->n_targets; t++) {
            const cairn_neural_target *target = &run->list[t];
            bool missing = cairn_column_is_missing(target->column, row);
            if (missing) run->by[i] = 0;
            for (size_t k = 0; k < target->n && !missing; k++) {
                double number = wanted(run, target, k, row);
                if (!isfinite(number))
                    return cairn_refuse_number(ctx, target->field->name, row, number);
                run->targets[i * run->n_out + target->first + k] = number;
            }
        }
    }
    return CAIRN_OK;
}

/* Shift and unit of a number target; of rows that are all the same, its value and 1. */
static void find_unit(cairn_neural_run *run, size_t k, bool standard)
{
    double low = INFINITY, high = -INFINITY, sum = 0, squares = 0, total = 0;
    const double *t = run->targets + k;
    for (size_t i = 0; i < run->x.n; i++) {
        if (!(run->by[i] > 0)) continue;
        low = fmin(low, t[i * run->n_out]);
        high = fmax(high, t[i * run->n_out]);
        total += run->by[i];
        sum += run->by[i] * (t[i * run->n_out] / 2);
    }
    double mean = 2 * (sum / total), half = high / 2 - low / 2;
    for (size_t i = 0; standard && half > 0 && i < run->x.n; i++) {
        double away = (t[i * run->n_out] - mean) / half;
        if (run->by[i] > 0) squares += run->by[i] * away * away;
    }
    double spread = standard ? half * sqrt(squares / total) : half / 10;
    run->model->shift[k] = standard ? mean : low / 2 + high / 2;
    run->model->unit[k] = spread > 0 && isfinite(spread) ? spread : 1;
}

/* The same for who reads the steps; warnings of models inside others are not told. */
static void note_unreachable(cairn_report *out, const cairn_neural_target *target, double number,
                             const char *value, const char *ends)
{
    cairn_report_hidden(out, number, "unreachable.%s", cairn_report_key(out, target->field->name));
    cairn_report_note(out,
                      "The target '%s' has a value of %s, which an output %s never reaches: choose "
                      "{output linear}, or bring the target into that range.",
                      target->field->name, value, ends);
}

/* The first row whose target an output never reaches; NULL = there is none. */
static const double *find_unreachable(const cairn_neural_run *run, size_t t, double low,
                                      double high, size_t *row)
{
    for (size_t i = 0; i < run->x.n; i++) {
        const double *number = &run->targets[i * run->n_out + run->list[t].first];
        if (!(run->by[i] > 0) || (*number >= low && *number <= high)) continue;
        *row = cairn_view_row(run->job->view, i);
        return number;
    }
    return NULL;
}

/* A target that the output can never reach is worth a warning: the network will go on trying. */
static cairn_status warn_unreachable(cairn_context *ctx, const cairn_neural_run *run)
{
    const cairn_activated *a = &cairn_neural_layers_last(&run->model->layers)->activation;
    double low, high;
    size_t row;
    SCOPED(cairn_text_clear) cairn_text ends = cairn_text_start(ctx);
    a->f->range(a->p, &low, &high);
    /* "between 0 and 1", "above 0" or "below 1". */
    bool both = isfinite(low) && isfinite(high);
    cairn_text_add(&ends, both ? "between " : isfinite(low) ? "above " : "below ");
    if (isfinite(low)) cairn_text_add_number(&ends, low, 6);
    if (both) cairn_text_add(&ends, " and ");
    if (isfinite(high)) cairn_text_add_number(&ends, high, 6);
    CHECK(cairn_text_status(&ends));
    for (size_t t = 0; t < run->n_targets; t++) {
        const double *number = find_unreachable(run, t, low, high, &row);
        char value[CAIRN_NUMBER_SIZE];
        if (!number) continue;
        cairn_number_format(value, *number, 6);
        if (run->job->steps)
            note_unreachable(run->job->steps, &run->list[t], *number, value,
                             cairn_text_string(&ends));
        cairn_warn(ctx,
                   "the target '%s' is %s in row %zu, but the output function %s stays %s: it is "
                   "never reached; choose {output linear}, or bring the target into that range",
                   run->list[t].field->name, value, row + 1, a->f->name, cairn_text_string(&ends));
    }
    return CAIRN_OK;
}

/* Rows without weight are not learned from; some of the others are held out, drawn by the seed. */
static cairn_status divide_rows(cairn_context *ctx, cairn_neural_run *run)
{
    size_t n = 0;
    cairn_random random;
    CHECK(SCRATCH(ctx, &run->order, run->x.n + 1));
    for (size_t i = 0; i < run->x.n; i++)
        if (run->by[i] > 0) run->order[n++] = i;
    if (!n)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "there is no row to learn from: network needs at least one row with a "
                          "positive weight and all targets");
    run->n_held = (size_t)((double)n * run->params->held);
    if (run->params->held > 0 && (run->n_held == 0 || run->n_held == n)) {
        char share[CAIRN_NUMBER_SIZE];
        cairn_number_format(share, run->params->held, 6);
        return cairn_fail(
            ctx, CAIRN_USAGE,
            "{hold-out} %s of %zu row%s leaves no row to %s; change it, or leave it out", share, n,
            n == 1 ? "" : "s", run->n_held ? "learn from" : "hold out");
    }
    cairn_random_start(&random, cairn_context_seed(ctx), 1);
    if (run->n_held) cairn_random_shuffle(&random, run->order, n);
    run->n_train = n - run->n_held;
    for (size_t i = 0; i < run->n_train; i++) run->total += run->by[run->order[i]];
    return CAIRN_OK;
}

/* Everything about the rows that stays the same while the network learns. */
cairn_status cairn_neural_open_rows(cairn_context *ctx, cairn_neural_run *run)
{
    const cairn_view *view = run->job->view;
    CHECK(SCRATCH_MATRIX(ctx, &run->targets, view->rows.n, run->n_out,
                         "the target of every row for every output", CAIRN_FEWER_CLASSES));
    CHECK(SCRATCH(ctx, &run->by, view->rows.n + 1));
    const cairn_table *table = run->job->view->table;
    for (size_t t = 0; t < run->n_targets; t++) {
        const char *name = run->list[t].field->name;
        ptrdiff_t at = cairn_table_find(table, name);
        if (at < 0) return cairn_fail(ctx, CAIRN_BAD_DATA, "there is no column '%s'", name);
        run->list[t].column = table->slots[at].column;
    }
    CHECK(read_targets(ctx, run));
    CHECK(divide_rows(ctx, run));
    /* Numbers are brought to the units of the outputs. */
    int units = run->params->target_scale;
    const char *output = cairn_neural_layers_last(&run->model->layers)->activation.f->name;
    if (run->again) units = CAIRN_NEURAL_UNITS_NONE; /* those of the model are kept */
    if (units == CAIRN_NEURAL_UNITS_AUTO && run->reason == CAIRN_NEURAL_READ)
        units = CAIRN_NEURAL_UNITS_NONE; /* weights by hand are for the numbers as they are */
    if (units == CAIRN_NEURAL_UNITS_AUTO)
        units =
            strcmp(output, "linear") == 0 ? CAIRN_NEURAL_UNITS_STANDARD : CAIRN_NEURAL_UNITS_NONE;
    for (size_t t = 0; t < run->n_targets; t++) {
        size_t k = run->list[t].first;
        if (run->list[t].field->kind == CAIRN_LEVEL) continue;
        if (units != CAIRN_NEURAL_UNITS_NONE)
            find_unit(run, k, units == CAIRN_NEURAL_UNITS_STANDARD);
        for (size_t i = 0; i < run->x.n; i++) {
            double *number = &run->targets[i * run->n_out + k];
            *number = (*number - run->model->shift[k]) / run->model->unit[k];
        }
    }
    return warn_unreachable(ctx, run);
}

typedef struct packing {
    const cairn_row_matrix *x;
    double *out;
} packing;

static void pack(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const packing *p = data;
    (void)block, (void)worker;
    cairn_matrix_rows(p->x, begin, end - begin, p->out + begin * p->x->n_terms);
}

/* Features side by side, where there is memory for them: rows are read again and again. */
static cairn_status neural_pack_rows(cairn_context *ctx, cairn_neural_run *run)
{
    double bytes = 8 * (double)run->x.n * (double)run->n_in;
    packing p = {.x = &run->x};
    if (bytes > (double)cairn_memory_available(ctx) / 4) return CAIRN_OK;
    CHECK(SCRATCH_RAW(ctx, &p.out, cairn_product(run->x.n, run->n_in) + 1));
    run->packed = p.out;
    return cairn_blocks_sized(ctx, run->x.n, PACKED_ROWS, bytes / 8, pack, &p);
}

static void neural_take_targets(cairn_neural_run *run, const size_t *rows, size_t m)
{
    for (size_t i = 0; i < m; i++) {
        memcpy(run->t + i * run->n_out, run->targets + rows[i] * run->n_out,
               run->n_out * sizeof *run->t);
        run->v[i] = run->by[rows[i]];
    }
}

void cairn_neural_take_rows(cairn_neural_run *run, const size_t *rows, size_t m)
{
    size_t n_in = run->n_in;
    for (size_t i = 0; i < m; i++)
        if (run->packed)
            memcpy(run->z + i * n_in, run->packed + rows[i] * n_in, n_in * sizeof *run->z);
        else
            cairn_matrix_rows(&run->x, rows[i], 1, run->z + i * n_in);
    neural_take_targets(run, rows, m);
}

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
        neural_take_targets(run, rows, m);
        return cairn_neural_floats_outputs(ctx, run, rows, m, run->pass.outs[model->layers.n - 1]);
    }
    cairn_neural_take_rows(run, rows, m);
    return cairn_pass_forward(ctx, &run->pass, &model->layers, model->weights, run->z, m);
}

/* Mean E of rows [from, to) of the order. */
static cairn_status neural_error(cairn_context *ctx, cairn_neural_run *run, size_t from, size_t to,
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

/* Forward and back for m rows that are taken: adds to the gradient and to the error. */
static cairn_status add_rows(cairn_context *ctx, cairn_neural_run *run, size_t m, double *error)
{
    const cairn_neural_layers *layers = &run->model->layers;
    const double *w = run->model->weights;
    /* Some outputs of hidden nodes are left out, the others raised so that the sum stays as it
     * was. */
    double share = run->params->dropout;
    for (size_t l = 0; share > 0 && l + 1 < run->model->layers.n; l++) {
        size_t n = m * run->model->layers.list[l].n_out;
        for (size_t i = 0; i < n; i++)
            run->keep[l][i] = cairn_random_uniform(&run->drop) < share ? 0 : 1 / (1 - share);
        run->pass.keep[l] = run->keep[l];
    }
    CHECK(cairn_pass_forward(ctx, &run->pass, layers, w, run->z, m));
    for (size_t i = 0; i < m; i++)
        *error += run->v[i] * cairn_pass_cost(&run->pass, layers, run->cost, run->t, i);
    cairn_pass_deltas(&run->pass, layers, run->cost, run->t, run->v, m);
    CHECK(cairn_pass_backward(ctx, &run->pass, layers, w, run->z, m, run->gradient));
    for (size_t l = 0; l < run->model->layers.n; l++) run->pass.keep[l] = NULL;
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

/* Epoch e in a new order, or of as many rows drawn with repeats, which leave the order alone. */
static cairn_status run_epoch(cairn_context *ctx, cairn_neural_run *run, size_t e)
{
    SCOPED_SCRATCH(ctx);
    size_t *known, n = run->n_train;
    bool drawn = run->params->protocol == CAIRN_PROTOCOL_RANDOM;
    if (drawn) {
        CHECK(SCRATCH_RAW(ctx, &known, n));
        memcpy(known, run->order, n * sizeof *known);
        for (size_t i = 0; i < n; i++) run->order[i] = known[cairn_random_below(&run->random, n)];
    } else if (run->params->order == CAIRN_NEURAL_SHUFFLED && run->update != CAIRN_NEURAL_EPOCH)
        cairn_random_shuffle(&run->random, run->order, n);
    CHECK((run->floats ? cairn_neural_floats_epoch : epoch)(ctx, run, scheduled(run, e),
                                                            &run->values[e]));
    if (drawn) memcpy(run->order, known, n * sizeof *known);
    return CAIRN_OK;
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

/* The weights of the least error so far, of the rows held out where there are some. */
static void keep_best(cairn_neural_run *run, size_t e, double error)
{
    size_t bytes = run->model->layers.n_weights * sizeof *run->best;
    bool better = error < run->best_error;
    if (!is_sound(run, run->values[e]) || !isfinite(error)) return;
    if (!better && run->params->keep_best) return;
    if (better) {
        run->best_error = error;
        run->best_epoch = e;
    }
    memcpy(run->best, run->model->weights, bytes);
    run->kept = e + 1;
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
        CHECK(run_epoch(ctx, run, e));
        judged = run->values[e];
        run->n_values = e + 1;
        if (run->n_held) {
            CHECK(neural_error(ctx, run, run->n_train, run->n_train + run->n_held, &judged));
            run->held[e] = judged;
        }
        keep_best(run, e, judged);
        /* Count epochs in a row that were far worse than the first weights; none since the start
         * was better. */
        bool worse = run->values[e] > WORSE * run->start_error && run->start_error > 0 &&
                     run->best_error > run->start_error;
        run->n_worse = worse ? run->n_worse + 1 : 0;
        /* Adaptive: a little faster while the error falls, slower once it rises. */
        if (run->params->schedule == CAIRN_NEURAL_ADAPTIVE && e != 0) {
            run->eta *= run->values[e] < run->values[e - 1] ? 1.05 : run->params->rate_factor;
        }
        /* A reason to end after epoch e, looked for in the order of importance. */
        const cairn_neural_params *p = run->params;
        double error = run->values[e];
        if (!is_sound(run, error) || run->n_worse == WORSE_EPOCHS)
            run->reason = CAIRN_NEURAL_DIVERGED;
        else if (error <= p->level)
            run->reason = CAIRN_NEURAL_LEVEL;
        else if (e > 0 && fabs(error - run->values[e - 1]) < p->change)
            run->reason = CAIRN_NEURAL_CHANGE;
        else if (p->stable > 0 && moved(run) < p->stable)
            run->reason = CAIRN_NEURAL_STABLE;
        else if (run->n_held && p->patience && e >= run->best_epoch + (size_t)p->patience)
            run->reason = CAIRN_NEURAL_PATIENCE;
        else
            run->reason = e + 1 == (size_t)p->epochs ? CAIRN_NEURAL_EPOCHS : CAIRN_NEURAL_STILL;
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
    run->n_values = progress.n_values;
    if (run->n_values > (size_t)p->epochs) run->n_values = (size_t)p->epochs;
    if (run->n_values) memcpy(run->values, progress.values, run->n_values * sizeof *run->values);
    run->kept = run->n_values;
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
    CHECK(neural_error(ctx, run, 0, run->n_train, out));
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
    CHECK(SCRATCH_RAW_EACH(ctx, n, &at, &moved));
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
    CHECK(neural_error(ctx, run, 0, n, &run->start_error));
    if (isfinite(run->start_error)) return CAIRN_OK;
    return cairn_matrix_refuse(
        ctx, &run->x,
        cairn_say(
            ctx,
            "with the first weights the outputs are beyond all numbers; the largest "
            "number is %s: bring the columns to one scale ({scale standardise}), or give smaller "
            "weights"));
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
    /* Squared length of the rows with the 1 of the bias: their mean, or their sum. */
    bool sum = run->update == CAIRN_NEURAL_EPOCH;
    double all = 0;
    for (size_t i = 0; i < run->n_train; i++) {
        double square = 1;
        cairn_neural_take_rows(run, run->order + i, 1);
        for (size_t j = 0; j < run->n_in; j++) square += run->z[j] * run->z[j];
        all += run->v[0] * square;
    }
    double most = sum ? all : all / run->total;
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
static cairn_status open_buffer(cairn_context *ctx, cairn_neural_run *run)
{
    const cairn_neural_layers *layers = &run->model->layers;
    size_t n = layers->n_weights, rows = run->batch;
    CHECK(cairn_pass_open(ctx, &run->pass, layers, rows));
    CHECK(SCRATCH(ctx, &run->z, cairn_product(rows, run->n_in) + 1));
    CHECK(SCRATCH(ctx, &run->t, cairn_product(rows, run->n_out)));
    CHECK(SCRATCH(ctx, &run->v, rows));
    CHECK(SCRATCH_EACH(ctx, n, &run->gradient, &run->first, &run->second, &run->best, &run->moved));
    CHECK(SCRATCH(ctx, &run->keep, layers->n));
    for (size_t l = 0; run->params->dropout > 0 && l + 1 < layers->n; l++)
        CHECK(SCRATCH(ctx, &run->keep[l], cairn_product(rows, layers->list[l].n_out)));
    CHECK(SCRATCH(ctx, &run->values, (size_t)run->params->epochs + 1));
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
               run->n_values, eta, kept);
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
    CHECK(open_buffer(ctx, run));
    CHECK(cairn_neural_first_weights(ctx, run));
    if (run->reason != CAIRN_NEURAL_READ) {
        CHECK(check_slopes(ctx, &run->model->layers));
        CHECK(cairn_neural_floats_open(ctx, run));
    }
    if (!run->floats) CHECK(neural_pack_rows(ctx, run));
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
