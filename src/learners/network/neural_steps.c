/* SPDX-License-Identifier: MIT */
/* Backpropagation as it is written on a board: the first updates with all their numbers. */
#include "base/memory.h"
#include "learners/network/neural.h"
#include "report/table_rows.h"
#include <math.h>
#include <string.h>

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
    slope = cairn_activation_slope(&layer->activation, run->pass.nets[l][j], y);
    if (!last) back = show_back(run, l, j, numbers);
    if (last)
        cairn_report_worked(out, cairn_text_string(&label), "f'·(t − y) = #·(# − #) = #", slope,
                            run->t[j], y, delta);
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

/* Slope by backpropagation: −δ x of a weight, −δ of a bias. */
static double slope_of(const cairn_neural_run *run, size_t l, size_t j, size_t i)
{
    const double *x = l ? run->pass.outs[l - 1] : run->z;
    double delta = run->pass.deltas[l][j];
    return i < run->model->layers.list[l].n_in ? -delta * x[i] : -delta;
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
                double slope = slope_of(run, l, j, i);
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
    for (size_t e = 0; e < run->n_history && e < CAIRN_NEURAL_KEPT; e++) {
        cairn_report_cells(out, "- epoch#.E", e + 1, run->history[e]);
        if (run->n_held) cairn_report_cells(out, "epoch#.held", run->held[e]);
    }
    cairn_report_step_end(out);
}

/* -- the rows at the end -- */

/* Target, output and E of one row. */
static void show_row(cairn_neural_run *run, size_t row)
{
    cairn_report *out = run->job->steps;
    const cairn_neural_layers *layers = &run->model->layers;
    size_t number = cairn_view_row(run->job->view, row) + 1;
    cairn_report_cellf(out, "%zu", number);
    for (size_t k = 0; k < run->n_out && k < BOARD_OUTPUTS; k++) {
        cairn_report_cell_number(out, run->t[k], 0, NULL);
        cairn_report_cell_number(out, run->pass.outs[layers->n - 1][k], 0, "row%zu.out.%s", number,
                                 cairn_report_key(out, run->nodes[layers->n - 1][k]));
    }
    cairn_report_cell_number(out, cairn_pass_cost(&run->pass, layers, run->cost, run->t, 0), 0,
                             "row%zu.E", number);
}

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
        cairn_report_column(out, cairn_text_string(&head), 'r');
        cairn_report_column(out, node, 'r');
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
        show_row(run, run->order[i]);
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
