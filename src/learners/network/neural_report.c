/* SPDX-License-Identifier: MIT */
/* What a network tells of itself: its layers, its weights, how it learned. */
#include "base/memory.h"
#include "learners/network/neural.h"
#include "model/weights_text.h"
#include "report/table_rows.h"
#include <math.h>

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

/* How the training went: what only the account knows. */
static void show_course(cairn_report *out, const cairn_neural_account *account,
                        const cairn_job *job)
{
    cairn_neural_target *list;
    size_t n, n_out;
    cairn_report_value(out, "epochs", (double)account->epochs, "epochs");
    cairn_report_word(out, "ended because", cairn_neural_reasons[account->reason], "ended");
    if (!isnan(account->eta)) cairn_report_value(out, "learning rate η", account->eta, "eta");
    cairn_report_value(out, "epoch of the weights kept", (double)account->best, "best.epoch");
    cairn_report_value(out, "mean E of the training rows", account->error, "training.E");
    cairn_report_value(out, "root mean squared error of the outputs", account->rms, "training.rms");
    cairn_report_failed(
        out, cairn_neural_targets(cairn_report_context(out), &list, &n, &n_out, job->schema, true));
    for (size_t t = 0; t < n && t < account->n_outputs; t++)
        if (list[t].field->kind != CAIRN_LEVEL)
            cairn_report_value(out, list[t].field->name, account->absolute[t],
                               "training.percent.%s", cairn_report_key(out, list[t].field->name));
    if (account->reason == CAIRN_NEURAL_CHOSEN)
        cairn_report_note(out, "A fifth of the rows was held out first, to choose the number of "
                               "epochs; the network is learned from all rows. {held 0} makes all "
                               "epochs.");
    else if (account->n_held)
        cairn_report_note(out,
                          "The weights kept are those of the epoch in which the rows that were "
                          "held out lost least; {held 0} learns from all rows.");
    if (account->reason == CAIRN_NEURAL_DIVERGED)
        cairn_report_note(out, "The error grew beyond all bounds: lower {eta}. The last good "
                               "weights are kept.");
}

/* Error by epoch of the training rows and of those held out. */
static cairn_status draw_epochs(cairn_context *ctx, cairn_figure **out, const void *model,
                                const cairn_job *job)
{
    const cairn_neural_account *account = job->account;
    double *at;
    (void)model;
    *out = NULL;
    if (!account || account->n_history < 3) return CAIRN_OK;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH(ctx, &at, account->n_history));
    for (size_t i = 0; i < account->n_history; i++) at[i] = (double)i + 1;
    CHECK(cairn_figure_new(ctx, out, "epochs", "Error of every epoch"));
    cairn_figure_axes(*out, "epoch", "mean E");
    cairn_figure_line(*out, "training rows", at, account->history, account->n_history);
    if (account->n_held)
        cairn_figure_line(*out, "rows held out", at, account->held, account->n_held);
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
    if (!job->account) return;
    show_course(out, job->account, job);
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
