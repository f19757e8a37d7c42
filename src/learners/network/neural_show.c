/* SPDX-License-Identifier: MIT */
/* What a network tells of itself: its layers, its weights, how it learned. */
#include "learners/network/neural.h"
#include "learners/network/recurrent.h"
#include "base/memory.h"
#include "model/learned.h"
#include "model/weights_text.h"
#include "report/table_rows.h"
#include "rows/matrix.h"
#include <math.h>
#include <string.h>

/* The weights of networks as tables. */

/* One weight; `from` NULL is the bias. Nodes are numbered from 1 in their layers. */
static void write_weight(cairn_ledger *out, size_t layer, size_t node, const char *from,
                         double weight)
{
    cairn_ledger_cells(out, layer, (double)node + 1, from, weight);
}

/* The same with a node of a layer as its origin. */
static void write_link(cairn_ledger *out, size_t layer, size_t node, const char *kind, size_t from,
                       double weight)
{
    cairn_ledger_cells(out, layer, (double)node + 1);
    cairn_ledger_wordf(out, "%s%zu", kind, from + 1);
    cairn_ledger_number(out, weight);
}

static void begin(cairn_ledger *out)
{
    cairn_ledger_columns(out, "nntn", "layer", "node", "from", "weight");
}

static void write_layer(cairn_ledger *out, const cairn_neural_model *m, size_t k,
                        const char *const *inputs)
{
    const cairn_neural_layer *layer = &m->layers.list[k];
    for (size_t j = 0; j < layer->n_out; j++) {
        const double *w = cairn_node_weights(layer, m->weights, j);
        for (size_t i = 0; i < layer->n_in; i++) {
            if (k == 0)
                write_weight(out, 1, j, inputs[i], w[i]);
            else
                write_link(out, k + 1, j, "node ", i, w[i]);
        }
        write_weight(out, k + 1, j, "(bias)", w[layer->n_in]);
    }
}

static void write_weights(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_neural_model *m = model;
    const char *const *inputs;
    begin(out);
    cairn_ledger_failed(out, cairn_term_names(out->ctx, &inputs, job->schema));
    for (size_t k = 0; k < m->layers.n && !out->status; k++) write_layer(out, m, k, inputs);
}

static void write_outputs(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_neural_model *m = model;
    (void)job;
    cairn_ledger_columns(out, "nnn", "output", "shift", "unit");
    for (size_t j = 0; j < cairn_neural_layers_last(&m->layers)->n_out; j++) {
        cairn_ledger_cells(out, (double)j + 1, m->shift ? m->shift[j] : NAN,
                           m->unit ? m->unit[j] : NAN);
    }
}

const cairn_learned cairn_neural_tables[] = {
    CAIRN_LEARNED("weights", "weight of a node: of an input, of a node before, or its bias",
                  write_weights),
    CAIRN_LEARNED("outputs", "output; a number is shift + unit times what it gives", write_outputs),
    CAIRN_LEARNED_END};

/* Layer 1 reads the inputs and its own nodes of the step before; layer 2 holds the outputs. */
static void write_recurrent(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_recurrent_model *m = model;
    size_t wide = cairn_recurrent_wide(m);
    (void)job;
    begin(out);
    for (size_t j = 0; j < m->n_hidden; j++) {
        const double *w = m->weights + j * wide;
        for (size_t i = 0; i < m->n_in; i++) write_link(out, 1, j, "input ", i, w[i]);
        for (size_t i = 0; i < m->n_hidden; i++)
            write_link(out, 1, j, "node before ", i, w[m->n_in + i]);
        write_weight(out, 1, j, "(bias)", w[wide - 1]);
    }
    for (size_t j = 0; j < m->n_out; j++) {
        const double *w = cairn_recurrent_last(m, m->weights) + j * (m->n_hidden + 1);
        for (size_t i = 0; i < m->n_hidden; i++) write_link(out, 2, j, "node ", i, w[i]);
        write_weight(out, 2, j, "(bias)", w[m->n_hidden]);
    }
}

const cairn_learned cairn_recurrent_tables[] = {
    CAIRN_LEARNED("weights",
                  "weight of a node: of an input, of a node one step before, or its bias",
                  write_recurrent),
    CAIRN_LEARNED_END};

enum { SHOWN_WEIGHTS = 200 };

const char *const cairn_neural_reasons[CAIRN_NEURAL_REASONS] = {
    [CAIRN_NEURAL_STILL] = "it did not end",
    [CAIRN_NEURAL_EPOCHS] = "all epochs were done",
    [CAIRN_NEURAL_LEVEL] = "the error reached the level",
    [CAIRN_NEURAL_CHANGE] = "an epoch hardly changed the error",
    [CAIRN_NEURAL_STABLE] = "the weights are stable",
    [CAIRN_NEURAL_CHOSEN] = "as many were best for rows that were held out first",
    [CAIRN_NEURAL_PATIENCE] = "the rows held out were no better for long",
    [CAIRN_NEURAL_DIVERGED] = "the error grew beyond all bounds",
    [CAIRN_NEURAL_SOLVED] = "no step lowers the error any more",
    [CAIRN_NEURAL_READ] = "the weights were given",
};

static cairn_status find_names(cairn_context *ctx, cairn_neural_names *out,
                               const cairn_neural_model *m, const cairn_job *job)
{
    CHECK(cairn_term_names(ctx, &out->inputs, job->schema));
    return cairn_neural_node_names(ctx, &out->nodes, &m->layers, out->inputs);
}

static void show_layers(cairn_report *out, const cairn_neural_model *m)
{
    cairn_text name = cairn_text_start(cairn_report_context(out));
    cairn_report_table_of(out, "Layers", 0, "rrrl", "layer", "inputs", "nodes", "activation");
    for (size_t l = 0; l < m->layers.n; l++) {
        name.length = 0;
        cairn_activation_write(&name, &m->layers.list[l].activation);
        cairn_report_cells(out, "- - - layer#.activation", l + 1, m->layers.list[l].n_in,
                           m->layers.list[l].n_out, cairn_text_string(&name));
    }
    cairn_report_text_end(out, &name);
    cairn_report_value(out, "parameters", cairn_neural_parameters(m), "parameters");
}

/* All weights, the bias of a node first; values are named weight.NODE.INPUT. */
static void show_weights(cairn_report *out, const cairn_neural_model *m,
                         const cairn_neural_names *names)
{
    cairn_report_table_of(out, "Weights", SHOWN_WEIGHTS, "llr", "node", "input", "weight");
    for (size_t l = 0; l < m->layers.n; l++) {
        const cairn_neural_layer *layer = &m->layers.list[l];
        bool biases = m->biases != CAIRN_NEURAL_BIAS_NONE || l + 1 < m->layers.n;
        for (size_t j = 0; j < layer->n_out; j++)
            for (size_t i = biases ? 0 : 1; i <= layer->n_in; i++) {
                const double *w = m->weights + layer->first + j * (layer->n_in + 1);
                const char *node = names->nodes[l][j];
                const char *from = !i  ? "bias"
                                   : l ? names->nodes[l - 1][i - 1]
                                       : names->inputs[i - 1];
                cairn_report_prefix(
                    out, "%s", i && !l ? cairn_term_key(out, from) : cairn_report_key(out, from));
                cairn_report_cells(out, "- - weight.$1.@", node, from, w[i ? i - 1 : layer->n_in]);
            }
    }
}

/* How the training went: what only the history knows. */
static void show_course(cairn_report *out, const cairn_neural_history *history,
                        const cairn_job *job)
{
    cairn_neural_target *list;
    size_t n, n_out;
    cairn_report_value(out, "epochs", (double)history->epochs, "epochs");
    cairn_report_word(out, "ended because", cairn_neural_reasons[history->reason], "ended");
    if (!isnan(history->eta)) cairn_report_value(out, "learning rate η", history->eta, "eta");
    cairn_report_value(out, "epoch of the weights kept", (double)history->best, "best.epoch");
    cairn_report_value(out, "mean E of the training rows", history->error, "training.E");
    cairn_report_value(out, "root mean squared error of the outputs", history->rms, "training.rms");
    cairn_report_failed(
        out, cairn_neural_targets(cairn_report_context(out), &list, &n, &n_out, job->schema, true));
    for (size_t t = 0; t < n && t < history->n_outputs; t++)
        if (list[t].field->kind != CAIRN_LEVEL)
            cairn_report_value(out, list[t].field->name, history->absolute[t],
                               "training.percent.%s", cairn_report_key(out, list[t].field->name));
    if (history->reason == CAIRN_NEURAL_CHOSEN)
        cairn_report_note(out,
                          "A fifth of the rows was held out first, to choose the number of "
                          "epochs; the network is learned from all rows. {hold-out 0} makes all "
                          "epochs.");
    else if (history->n_held)
        cairn_report_note(out,
                          "The weights kept are those of the epoch in which the rows that were "
                          "held out lost least; {hold-out 0} learns from all rows.");
    if (history->reason == CAIRN_NEURAL_DIVERGED)
        cairn_report_note(out, "The error grew beyond all bounds: lower {eta}. The last good "
                               "weights are kept.");
}

/* Error by epoch of the training rows and of those held out. */
static cairn_status draw_epochs(cairn_context *ctx, cairn_figure **out, const void *model,
                                const cairn_job *job)
{
    const cairn_neural_history *history = job->history;
    double *at;
    (void)model;
    *out = NULL;
    if (!history || history->n_values < 3) return CAIRN_OK;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH(ctx, &at, history->n_values));
    for (size_t i = 0; i < history->n_values; i++) at[i] = (double)i + 1;
    CHECK(cairn_figure_new(ctx, out, "epochs", "Error of every epoch"));
    cairn_figure_axes(*out, "epoch", "mean E");
    cairn_figure_line(*out, "training rows", at, history->values, history->n_values);
    if (history->n_held)
        cairn_figure_line(*out, "rows held out", at, history->held, history->n_held);
    return CAIRN_OK;
}

const cairn_model_figure cairn_neural_figures[] = {{"loss", draw_epochs, false}, {0}};

void cairn_neural_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const cairn_neural_model *m = model;
    cairn_context *ctx = cairn_report_context(out);
    cairn_figure *figure = NULL;
    cairn_neural_names names;
    if (!ctx) return;
    SCOPED_SCRATCH(ctx);
    cairn_status status = find_names(ctx, &names, m, job);
    cairn_report_failed(out, status);
    if (status) return;
    cairn_report_heading(out, 2, "Network");
    show_layers(out, m);
    if (m->layers.n_weights <= 100 * SHOWN_WEIGHTS) show_weights(out, m, &names);
    if (!job->history) return;
    show_course(out, job->history, job);
    status = draw_epochs(ctx, &figure, model, job);
    if (figure || status) cairn_describe_figure(out, status, &figure, false);
}

static void write_text(cairn_text *out, const void *model, const cairn_job *job)
{
    const cairn_neural_model *m = model;
    cairn_neural_names names;
    SCOPED_SCRATCH(out->ctx);
    cairn_status status = find_names(out->ctx, &names, m, job);
    if (status && !out->status) out->status = status;
    cairn_text_add(out, "# node = function(bias + weight*input ...)\n");
    if (!status) cairn_neural_text_write(out, &m->layers, m->weights, &names);
}

const cairn_export_form cairn_neural_forms[] = {
    {"text", "a line for every node, which --start and --given read again", write_text},
    {NULL, NULL, NULL},
};

/* Backpropagation as it is written on a board: the first updates with all their numbers. */

enum {
    BOARD_LINES = 40,
    BOARD_WEIGHTS = 200,
    BOARD_EPOCHS = 50,
    BOARD_ROWS = 20,
    BOARD_OUTPUTS = 8
};

static bool fits(const cairn_neural_run *run)
{
    return run->model->layers.n_weights <= BOARD_WEIGHTS;
}

/* Name of input i of a layer. */
static const char *from_name(const cairn_neural_run *run, size_t l, size_t i)
{
    return l ? run->nodes[l - 1][i] : run->inputs[i];
}

/* -- the rule -- */

void cairn_neural_show_rule(const cairn_neural_run *run)
{
    cairn_report *out = run->job->steps;
    bool direct = run->cost == CAIRN_NEURAL_COST_LOG;
    const cairn_neural_layers *layers = &run->model->layers;
    bool shares = layers->list[layers->n - 1].activation.f->together;
    cairn_report_step_begin(out, "The rule");
    cairn_report_formula(out, "net = b + Σ w·x,  out = f(net)");
    cairn_report_formula(out, direct && shares ? "E = −Σ t ln y,  δ(output) = t − y"
                              : direct ? "E = −Σ (t ln y + (1 − t) ln(1 − y)),  δ(output) = t − y"
                                       : "E = ½ Σ (t − y)²,  δ(output) = f'(net)·(t − y)");
    cairn_report_formula(out, "δ(hidden) = f'(net)·Σ δ(next)·w(next), with the weights as they "
                              "were");
    cairn_report_formula(out, "∂E/∂w = −δ·x,  w ← w + η δ x,  b ← b + η δ");
    for (size_t l = 0; l < run->model->layers.n; l++) {
        const cairn_activation *f = run->model->layers.list[l].activation.f;
        cairn_report_formula(out, "layer %zu: f(x) = %s,  f' = %s", l + 1, f->formula,
                             f->slope ? f->slope : "none");
    }
    if (!isnan(run->eta)) cairn_report_value(out, "η", run->eta, "eta");
    cairn_report_step_end(out);
}

/* -- forward -- */

/* net(h1) = 0.35 + 0.15·0.05 + 0.2·0.1 = 0.3775 */
static void show_net(const cairn_neural_run *run, size_t l, size_t j, double *numbers)
{
    cairn_report *out = run->job->steps;
    const cairn_neural_layer *layer = &run->model->layers.list[l];
    const double *w = run->model->weights + layer->first + j * (layer->n_in + 1);
    const double *x = l ? run->pass.outs[l - 1] : run->z;
    cairn_text label = cairn_text_start(cairn_report_context(out));
    numbers[0] = w[layer->n_in];
    numbers[1] = 1;
    for (size_t i = 0; i < layer->n_in; i++) {
        numbers[2 * i + 2] = w[i];
        numbers[2 * i + 3] = x[i];
    }
    cairn_text_addf(&label, "net(%s)", run->nodes[l][j]);
    cairn_report_failed(out, cairn_text_status(&label));
    cairn_report_worked_sum(out, cairn_text_string(&label), "#·#", numbers, 2, layer->n_in + 1,
                            run->pass.nets[l][j]);
    cairn_text_clear(&label);
}

static void show_forward(const cairn_neural_run *run, double *numbers)
{
    cairn_report *out = run->job->steps;
    const cairn_neural_layers *layers = &run->model->layers;
    for (size_t l = 0; l < layers->n; l++)
        for (size_t j = 0; j < layers->list[l].n_out; j++) show_net(run, l, j, numbers);
    cairn_report_table_of(out, "Forward pass", BOARD_WEIGHTS, "lrr", "node", "net", "out");
    for (size_t l = 0; l < layers->n; l++)
        for (size_t j = 0; j < layers->list[l].n_out; j++) {
            cairn_report_prefix(out, "update%zu", run->shown);
            cairn_report_cells(out, "- @.net.$1 @.out.$1", run->nodes[l][j], run->pass.nets[l][j],
                               run->pass.outs[l][j]);
        }
}

/* -- back -- */

/* What comes back to node j of a hidden layer: Σ δ w to h1 = δ(o1)·w + δ(o2)·w. */
static double show_back(const cairn_neural_run *run, size_t l, size_t j, double *numbers)
{
    cairn_report *out = run->job->steps;
    const cairn_neural_layer *next = &run->model->layers.list[l + 1];
    cairn_text label = cairn_text_start(cairn_report_context(out));
    double back = 0;
    for (size_t k = 0; k < next->n_out; k++) {
        numbers[2 * k] = run->pass.deltas[l + 1][k];
        numbers[2 * k + 1] = run->model->weights[next->first + k * (next->n_in + 1) + j];
        back += numbers[2 * k] * numbers[2 * k + 1];
    }
    cairn_text_addf(&label, "Σ δ w to %s", run->nodes[l][j]);
    cairn_report_failed(out, cairn_text_status(&label));
    cairn_report_worked_sum(out, cairn_text_string(&label), "#·#", numbers, 2, next->n_out, back);
    cairn_text_clear(&label);
    return back;
}

/* δ(h1) = f'·Σ: the slope and the sum of what comes back, as one line. */
static void show_delta(const cairn_neural_run *run, size_t l, size_t j, double *numbers)
{
    cairn_report *out = run->job->steps;
    const cairn_neural_layers *layers = &run->model->layers;
    const cairn_neural_layer *layer = &layers->list[l];
    double y = run->pass.outs[l][j], delta = run->pass.deltas[l][j], back = 0, slope;
    cairn_text label = cairn_text_start(cairn_report_context(out));
    bool last = l + 1 == layers->n;
    cairn_text_addf(&label, "δ(%s)", run->nodes[l][j]);
    cairn_report_failed(out, cairn_text_status(&label));
    if (last && (run->cost == CAIRN_NEURAL_COST_LOG || layer->activation.f->together)) {
        cairn_report_worked(out, cairn_text_string(&label), "t − y = # − # = #", run->t[j], y,
                            delta);
        cairn_text_clear(&label);
        return;
    }
    /* with dropout an output is multiplied by a factor that its slope does not have */
    double kept = !last && run->params->dropout > 0 ? run->keep[l][j] : 1;
    slope =
        cairn_activation_slope(&layer->activation, run->pass.nets[l][j], kept > 0 ? y / kept : y);
    if (!last) back = show_back(run, l, j, numbers);
    if (last)
        cairn_report_worked(out, cairn_text_string(&label), "f'·(t − y) = #·(# − #) = #", slope,
                            run->t[j], y, delta);
    else if (!last && run->params->dropout > 0)
        cairn_report_worked(out, cairn_text_string(&label),
                            "factor of dropout · f'·Σ δ w = #·#·# = #", kept, slope, back, delta);
    else
        cairn_report_worked(out, cairn_text_string(&label), "f'·Σ δ w = #·# = #", slope, back,
                            delta);
    cairn_text_clear(&label);
}

static void show_deltas(const cairn_neural_run *run, double *numbers)
{
    cairn_report *out = run->job->steps;
    const cairn_neural_layers *layers = &run->model->layers;
    for (size_t l = layers->n; l-- > 0;)
        for (size_t j = 0; j < layers->list[l].n_out; j++) show_delta(run, l, j, numbers);
    for (size_t l = layers->n; l-- > 0;)
        for (size_t j = 0; j < layers->list[l].n_out; j++)
            cairn_report_hidden(out, run->pass.deltas[l][j], "update%zu.delta.%s", run->shown,
                                cairn_report_key(out, run->nodes[l][j]));
}

/* -- gradients -- */

/* E of the row with weight `at` moved by h. */
static cairn_status moved_cost(cairn_context *ctx, cairn_neural_run *run, cairn_pass *pass,
                               size_t at, double h, double *out)
{
    double *w = &run->model->weights[at], before = *w;
    *w = before + h;
    cairn_status status =
        cairn_pass_forward(ctx, pass, &run->model->layers, run->model->weights, run->z, 1);
    *out = run->v[0] * cairn_pass_cost(pass, &run->model->layers, run->cost, run->t, 0);
    *w = before;
    return status;
}

/* The slope of E by every weight as a quotient of small differences. */
static cairn_status differences(cairn_context *ctx, cairn_neural_run *run, double *out)
{
    cairn_pass pass;
    CHECK(cairn_pass_open(ctx, &pass, &run->model->layers, 1));
    for (size_t l = 0; l < run->model->layers.n; l++)
        pass.keep[l] = run->params->dropout > 0 ? run->keep[l] : NULL;
    for (size_t i = 0; i < run->model->layers.n_weights; i++) {
        double h = 1e-5 * fmax(1, fabs(run->model->weights[i])), up, down;
        CHECK(moved_cost(ctx, run, &pass, i, h, &up));
        CHECK(moved_cost(ctx, run, &pass, i, -h, &down));
        out[i] = (up - down) / (2 * h);
    }
    return CAIRN_OK;
}

/* Every slope beside the quotient of differences, and the largest distance between the two. */
static void show_slopes(const cairn_neural_run *run, const double *checked)
{
    cairn_report *out = run->job->steps;
    const cairn_neural_layers *layers = &run->model->layers;
    double worst = 0;
    cairn_report_table_of(out, "Slopes of E, and the same by small differences", BOARD_WEIGHTS,
                          "llrrr", "node", "input", "weight", "∂E/∂w = −δ·x", "ΔE/Δw");
    for (size_t l = 0; l < layers->n; l++)
        for (size_t j = 0; j < layers->list[l].n_out; j++)
            for (size_t k = 0; k <= layers->list[l].n_in; k++) {
                size_t n_in = layers->list[l].n_in, i = k ? k - 1 : n_in;
                size_t at = layers->list[l].first + j * (n_in + 1) + i;
                const char *from = i < n_in ? from_name(run, l, i) : "bias";
                /* Slope by backpropagation: −δ x of a weight, −δ of a bias. */
                const double *x = l ? run->pass.outs[l - 1] : run->z;
                double delta = run->pass.deltas[l][j];
                double slope = i < run->model->layers.list[l].n_in ? -delta * x[i] : -delta;
                cairn_report_prefix(out, "update%zu", run->shown);
                cairn_report_cells(out, "- - - @.gradient.$1.$2", run->nodes[l][j], from,
                                   run->model->weights[at], slope, checked[at]);
                worst = fmax(worst, fabs(slope - checked[at]));
            }
    cairn_report_value(out, "largest difference of the two", worst, "update%zu.check", run->shown);
}

/* Of a small network the first update of every weight, as a line: w(o1, h1) = w + η δ x. */
static void show_moves(const cairn_neural_run *run, double eta)
{
    cairn_report *out = run->job->steps;
    const cairn_neural_layers *layers = &run->model->layers;
    cairn_text label = cairn_text_start(cairn_report_context(out));
    for (size_t at = 0, l = 0; l < layers->n; l++) {
        const cairn_neural_layer *layer = &layers->list[l];
        const double *x = l ? run->pass.outs[l - 1] : run->z;
        for (size_t n = 0; n < layer->n_out * (layer->n_in + 1); n++, at++) {
            size_t j = n / (layer->n_in + 1), i = n % (layer->n_in + 1);
            double w = run->model->weights[at], delta = run->pass.deltas[l][j];
            bool bias = i == layer->n_in;
            label.length = 0;
            cairn_text_addf(&label, bias ? "b(%s" : "w(%s, ", run->nodes[l][j]);
            cairn_text_addf(&label, "%s)", bias ? "" : from_name(run, l, i));
            if (bias)
                cairn_report_worked(out, cairn_text_string(&label), "b + η δ = # + #·# = #", w, eta,
                                    delta, w + eta * delta);
            else
                cairn_report_worked(out, cairn_text_string(&label), "w + η δ x = # + #·#·# = #", w,
                                    eta, delta, x[i], w + eta * delta * x[i]);
        }
    }
    cairn_report_text_end(out, &label);
}

/* Whether a weight moves by η δ x alone. */
static bool moves_plainly(const cairn_neural_run *run)
{
    const cairn_neural_params *p = run->params;
    return p->solver == CAIRN_NEURAL_PLAIN && p->decay == 0 && p->biases == CAIRN_NEURAL_BIAS_NODE;
}

void cairn_neural_show_update(cairn_context *ctx, cairn_neural_run *run, size_t row, double eta)
{
    cairn_report *out = run->job->steps;
    double *numbers, *checked;
    if (!fits(run)) return;
    SCOPED_SCRATCH(ctx);
    cairn_status status = SCRATCH(ctx, &numbers, 2 * run->model->layers.n_weights + 2);
    if (!status) status = SCRATCH(ctx, &checked, run->model->layers.n_weights);
    if (!status) status = differences(ctx, run, checked);
    cairn_report_failed(out, status);
    if (status) return;
    run->shown++;
    cairn_report_step_begin(out, "Update %zu, by row %zu", run->shown,
                            cairn_view_row(run->job->view, row) + 1);
    show_forward(run, numbers);
    cairn_report_value(out, "E",
                       cairn_pass_cost(&run->pass, &run->model->layers, run->cost, run->t, 0),
                       "update%zu.E", run->shown);
    show_deltas(run, numbers);
    show_slopes(run, checked);
    if (run->shown == 1 && moves_plainly(run) && run->model->layers.n_weights <= BOARD_LINES)
        show_moves(run, eta);
    cairn_report_hidden(out, eta, "update%zu.eta", run->shown);
}

/* The weights after the update that was shown last, and what E of its row is with them. */
void cairn_neural_show_weights(cairn_context *ctx, cairn_neural_run *run)
{
    cairn_report *out = run->job->steps;
    const cairn_neural_layers *layers = &run->model->layers;
    double after = NAN;
    if (!fits(run)) return;
    cairn_report_table_of(out, "Weights after the update", BOARD_WEIGHTS, "llr", "node", "input",
                          "w + η δ x");
    for (size_t l = 0; l < layers->n; l++)
        for (size_t j = 0; j < layers->list[l].n_out; j++)
            for (size_t k = 0; k <= layers->list[l].n_in; k++) {
                size_t n_in = layers->list[l].n_in, i = k ? k - 1 : n_in;
                const char *from = i < n_in ? from_name(run, l, i) : "bias";
                cairn_report_prefix(out, "update%zu", run->shown);
                cairn_report_cells(out, "- - @.weight.$1.$2", run->nodes[l][j], from,
                                   run->model->weights[layers->list[l].first + j * (n_in + 1) + i]);
            }
    cairn_report_failed(
        out, cairn_pass_forward(ctx, &run->pass, layers, run->model->weights, run->z, 1));
    after = cairn_pass_cost(&run->pass, layers, run->cost, run->t, 0);
    cairn_report_value(out, "E of the same row with them", after, "update%zu.after", run->shown);
    cairn_report_step_end(out);
}

/* -- epochs -- */

void cairn_neural_show_epochs(const cairn_neural_run *run)
{
    cairn_report *out = run->job->steps;
    cairn_report_step_begin(out, "Error of every epoch");
    cairn_report_table_of(out, "Epochs: mean E of the rows as they were met", BOARD_EPOCHS, "rr",
                          "epoch", "E");
    if (run->n_held) cairn_report_column(out, "E of rows held out", 'r');
    for (size_t e = 0; e < run->n_values && e < CAIRN_NEURAL_KEPT; e++) {
        cairn_report_cells(out, "- epoch#.E", e + 1, run->values[e]);
        if (run->n_held) cairn_report_cells(out, "epoch#.held", run->held[e]);
    }
    cairn_report_step_end(out);
}

/* -- the rows at the end -- */

static void begin_rows(const cairn_neural_run *run)
{
    cairn_report *out = run->job->steps;
    cairn_text head = cairn_text_start(cairn_report_context(out));
    cairn_report_table_of(out, "Targets and outputs, in the units of the outputs", BOARD_ROWS, "r",
                          "row");
    for (size_t k = 0; k < run->n_out && k < BOARD_OUTPUTS; k++) {
        const char *node = run->nodes[run->model->layers.n - 1][k];
        head.length = 0;
        cairn_text_addf(&head, "t(%s)", node);
        cairn_report_columns(out, "rr", cairn_text_string(&head), node);
    }
    cairn_report_column(out, "E", 'r');
    cairn_report_text_end(out, &head);
}

/* All rows of a small table, in the order in which they were learned from last. */
static cairn_status list_rows(cairn_context *ctx, cairn_neural_run *run)
{
    begin_rows(run);
    for (size_t i = 0; i < run->n_train; i++) {
        cairn_neural_take_rows(run, run->order + i, 1);
        CHECK(cairn_pass_forward(ctx, &run->pass, &run->model->layers, run->model->weights, run->z,
                                 1));
        /* Target, output and E of one row. */
        size_t row = run->order[i];
        cairn_report *out = run->job->steps;
        const cairn_neural_layers *layers = &run->model->layers;
        size_t number = cairn_view_row(run->job->view, row) + 1;
        cairn_report_cellf(out, "%zu", number);
        for (size_t k = 0; k < run->n_out && k < BOARD_OUTPUTS; k++) {
            cairn_report_cell_number(out, run->t[k], 0, NULL);
            cairn_report_cell_number(out, run->pass.outs[layers->n - 1][k], 0, "row%zu.out.%s",
                                     number, cairn_report_key(out, run->nodes[layers->n - 1][k]));
        }
        cairn_report_cell_number(out, cairn_pass_cost(&run->pass, layers, run->cost, run->t, 0), 0,
                                 "row%zu.E", number);
    }
    return CAIRN_OK;
}

/* Mean distances of numbers in per cent of their range. */
static void show_percent(const cairn_neural_run *run, const double *percent)
{
    cairn_report *out = run->job->steps;
    if (run->list[0].field->kind == CAIRN_LEVEL) return;
    cairn_report_table_of(out, "Mean |t − y| in per cent of the range of the target", 0, "lr",
                          "target", "per cent");
    for (size_t t = 0; t < run->n_targets; t++) {
        const char *name = run->list[t].field->name;
        cairn_report_cells(out, "- percent.$1", name, percent[run->list[t].first]);
    }
}

void cairn_neural_show_rows(cairn_context *ctx, cairn_neural_run *run)
{
    cairn_report *out = run->job->steps;
    double *percent, rms = NAN, error;
    SCOPED_SCRATCH(ctx);
    cairn_report_step_begin(out, "The rows with the weights that are kept");
    cairn_status status = SCRATCH(ctx, &percent, run->n_out);
    if (!status && run->n_train <= BOARD_ROWS) status = list_rows(ctx, run);
    if (!status) status = cairn_neural_distances(ctx, run, percent, &rms, &error);
    cairn_report_failed(out, status);
    if (!status) show_percent(run, percent);
    cairn_report_value(out, "root mean squared error of the outputs", rms, "rms");
    cairn_report_word(out, "ended because", cairn_neural_reasons[run->reason], "steps.ended");
    cairn_report_value(out, "parameters", cairn_neural_parameters(run->model), "steps.parameters");
    cairn_report_step_end(out);
}
