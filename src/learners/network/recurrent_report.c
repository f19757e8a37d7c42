/* SPDX-License-Identifier: MIT */
/* What a recurrent network shows: a row through time, and the weights that all steps share. */
#include "base/memory.h"
#include "learners/network/recurrent.h"
#include "report/table_rows.h"
#include <math.h>
#include <stdio.h>

enum { BOARD_STEPS = 20, BOARD_NODES = 8, BOARD_WEIGHTS = 2000, SHOWN_WEIGHTS = 200 };

void cairn_recurrent_show_rule(cairn_report *out, const cairn_recurrent_model *m, bool classes)
{
    bool mean = m->reading == CAIRN_RECURRENT_MEAN;
    cairn_report_step_begin(out, "The rule");
    cairn_report_formula(out, "h(t) = tanh(b + W·x(t) + U·h(t−1)),  h(0) = 0");
    if (mean) cairn_report_formula(out, "r = Σ h(t) / T");
    cairn_report_formula(
        out, classes ? "y = softmax(c + V·%s),  E = −Σ t ln y" : "y = c + V·%s,  E = ½ (t − y)²",
        mean ? "r" : "h(T)");
    cairn_report_formula(out, "δ(output) = t − y,  δ(T) = (1 − h(T)²)·Vᵀδ(output)%s",
                         mean ? "/T" : "");
    cairn_report_formula(out, mean ? "δ(t−1) = (1 − h(t−1)²)·(Uᵀδ(t) + Vᵀδ(output)/T)"
                                   : "δ(t−1) = (1 − h(t−1)²)·Uᵀδ(t)");
    cairn_report_formula(out, "∂E/∂W = −Σ δ(t) x(t),  ∂E/∂U = −Σ δ(t) h(t−1),  ∂E/∂b = −Σ δ(t)");
    cairn_report_step_end(out);
}

/* -- the first row -- */

/* One line for every step, with what `numbers` hold of the nodes. */
static void show_nodes(cairn_report *out, const cairn_recurrent_rows *rows, const char *title,
                       const char *name, const double *numbers)
{
    size_t n = rows->model->n_hidden;
    cairn_report_table_of(out, title, BOARD_STEPS, "r", "step");
    for (size_t j = 0; j < n && j < BOARD_NODES; j++) {
        char head[32];
        snprintf(head, sizeof head, "%s%zu", name, j + 1);
        cairn_report_column(out, head, 'r');
    }
    for (size_t t = 0; t < rows->n; t++) {
        cairn_report_cellf(out, "%zu", t + 1);
        for (size_t j = 0; j < n && j < BOARD_NODES; j++)
            cairn_report_cell_number(out, numbers[t * n + j], 0, "row.step%zu.%s%zu", t + 1, name,
                                     j + 1);
    }
}

/* The largest distance between slopes by backpropagation and by small differences. */
static double largest_difference(cairn_recurrent_rows *rows, cairn_recurrent_pass *pass,
                                 bool classes, const double *slopes)
{
    double worst = 0, *w = rows->model->weights;
    for (size_t i = 0; i < cairn_recurrent_n_weights(rows->model); i++) {
        double before = w[i], h = 1e-5 * fmax(1, fabs(before)), e[2];
        for (int side = 0; side < 2; side++) {
            w[i] = before + (side ? h : -h);
            cairn_recurrent_forward(rows, pass, classes);
            e[side] = cairn_recurrent_cost(rows, pass, classes);
        }
        w[i] = before;
        worst = fmax(worst, fabs((e[1] - e[0]) / (2 * h) + slopes[i]));
    }
    return worst;
}

static void show_outputs(cairn_report *out, const cairn_recurrent_rows *rows,
                         const cairn_recurrent_pass *pass, bool classes)
{
    cairn_report_table_of(out, "Outputs after the last step", BOARD_STEPS, "rrrr", "output", "y",
                          "t", "δ = t − y");
    for (size_t k = 0; k < rows->model->n_out; k++) {
        cairn_report_cells(out, "- row.y# - row.delta.o#", k + 1, pass->y[k], pass->t[k],
                           pass->t[k] - pass->y[k]);
    }
    cairn_report_value(out, "E", cairn_recurrent_cost(rows, pass, classes), "row.E");
}

void cairn_recurrent_show_row(cairn_context *ctx, cairn_report *out, cairn_recurrent_rows *rows,
                              cairn_recurrent_pass *pass, bool classes)
{
    size_t n = cairn_recurrent_n_weights(rows->model);
    double *slopes;
    SCOPED_SCRATCH(ctx);
    cairn_report_step_begin(out, "The first row, with the first weights");
    cairn_status status = SCRATCH(ctx, &slopes, n);
    cairn_report_failed(out, status);
    if (!status) {
        cairn_recurrent_forward(rows, pass, classes);
        show_nodes(out, rows, "Forward: h(t)", "h", pass->h + rows->model->n_hidden);
        show_outputs(out, rows, pass, classes);
        cairn_recurrent_backward(rows, pass, 1, slopes);
        show_nodes(out, rows, "Back: δ(t)", "delta", pass->deltas);
        if (n <= BOARD_WEIGHTS)
            cairn_report_value(out, "largest difference from slopes by small differences",
                               largest_difference(rows, pass, classes, slopes), "row.check");
    }
    cairn_report_step_end(out);
}

/* -- the model -- */

/* Name of input i of a hidden node: a symbol, a column, a hidden node before, or the bias. */
static const char *input_name(const cairn_recurrent_model *m, const cairn_schema *schema, size_t i,
                              char room[48])
{
    size_t seen = 0;
    if (i >= m->n_in) {
        if (i == m->n_in + m->n_hidden) return "bias";
        snprintf(room, 48, "before.h%zu", i - m->n_in + 1);
        return room;
    }
    if (m->shape == CAIRN_RECURRENT_COLUMNS) return "x";
    for (size_t f = 0; f < schema->n_fields; f++) {
        const cairn_field *field = &schema->fields[f];
        if (field->role != CAIRN_FEATURE) continue;
        if (m->shape == CAIRN_RECURRENT_SYMBOLS && field->kind == CAIRN_SEQUENCE)
            return i < field->names.n ? cairn_map_key(&field->names, i) : "?";
        if (m->shape == CAIRN_RECURRENT_SERIES && field->kind == CAIRN_SERIES && seen++ == i)
            return field->name;
    }
    return "?";
}

static void show_weights(cairn_report *out, const cairn_recurrent_model *m,
                         const cairn_schema *schema)
{
    size_t wide = cairn_recurrent_wide(m);
    const double *last = cairn_recurrent_last(m, m->weights);
    char room[48];
    cairn_report_table_of(out, "Weights", SHOWN_WEIGHTS, "llr", "node", "input", "weight");
    for (size_t i = 0; i < m->n_hidden * wide; i++) {
        const char *from = input_name(m, schema, i % wide, room);
        cairn_report_cellf(out, "h%zu", i / wide + 1);
        cairn_report_cell(out, from);
        cairn_report_cell_number(out, m->weights[i], 6, "weight.h%zu.%s", i / wide + 1,
                                 from == room ? from : cairn_report_key(out, from));
    }
    for (size_t i = 0; i < m->n_out * (m->n_hidden + 1); i++) {
        size_t node = i / (m->n_hidden + 1) + 1, from = i % (m->n_hidden + 1) + 1;
        bool bias = from > m->n_hidden;
        snprintf(room, sizeof room, "h%zu", from);
        cairn_report_cellf(out, "o%zu", node);
        cairn_report_cell(out, bias ? "bias" : room);
        cairn_report_cell_number(out, last[i], 6, "weight.o%zu.%s", node, bias ? "bias" : room);
    }
}

void cairn_recurrent_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    static const char *const steps[CAIRN_RECURRENT_SHAPES] = {
        [CAIRN_RECURRENT_SYMBOLS] = "symbols of a column of sequences",
        [CAIRN_RECURRENT_SERIES] = "numbers of columns of series",
        [CAIRN_RECURRENT_COLUMNS] = "columns of numbers from left to right",
    };
    const cairn_recurrent_model *m = model;
    cairn_report_heading(out, 2, "Recurrent network");
    cairn_report_word(out, "steps", steps[m->shape], "steps.kind");
    cairn_report_word(out, "outputs read",
                      m->reading == CAIRN_RECURRENT_MEAN
                          ? "the mean of the hidden nodes over all steps"
                          : "the hidden nodes at the last step",
                      "reading");
    cairn_report_value(out, "inputs", (double)m->n_in, "inputs");
    cairn_report_value(out, "hidden nodes", (double)m->n_hidden, "hidden");
    cairn_report_value(out, "outputs", (double)m->n_out, "outputs");
    cairn_report_value(out, "parameters", (double)cairn_recurrent_n_weights(m), "parameters");
    cairn_report_value(out, "epochs", (double)m->epochs, "epochs");
    cairn_report_value(out, "epoch of the weights kept", (double)m->kept, "best.epoch");
    cairn_report_value(out, "mean E of that epoch", m->error, "training.E");
    if (cairn_recurrent_n_weights(m) <= 100 * SHOWN_WEIGHTS) show_weights(out, m, job->schema);
}
