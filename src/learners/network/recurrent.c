/* SPDX-License-Identifier: MIT */
/* Simple recurrent networks (Elman).
 *
 * Problem: a row is a sequence of steps of any length, and what matters may lie far back.
 *
 * Method: one layer of hidden nodes reads the step and what it put out itself one step before,
 * h(t) = tanh(b + W x(t) + U h(t-1)) with h(0) = 0; the outputs read the mean of h over the steps,
 * or h after the last of them. The
 * error goes back through all steps (backpropagation through time), and the weights, which all
 * steps share, move after every row.
 *
 * Choices: softmax and log loss for classes, a linear output and squares for numbers, which are
 * standardised inside; steps of Adam; slopes longer than --clip are shortened to it, since a
 * product over many steps may explode; what all steps say together is learned from far fewer rows
 * than what the last one remembers of them, so the mean is read unless asked; the weights of the
 * epoch with the least error are kept.
 *
 * Cost: steps x hidden x (inputs + hidden) per epoch, an input of symbols being one look.
 *
 * Sources: Elman, Finding structure in time (1990); Werbos, Backpropagation through time (1990). */
#include "base/functions.h"
#include "base/memory.h"
#include "base/need.h"
#include "base/number.h"
#include "base/random.h"
#include "kernels/steps.h"
#include "learners/network/recurrent.h"
#include "report/table_rows.h"
#include "rows/matrix.h"
#include "stats/activations.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* What a recurrent network shows: a row through time, and the weights that all steps share. */

enum { BOARD_STEPS = 20, BOARD_NODES = 8, BOARD_WEIGHTS = 2000, SHOWN_WEIGHTS = 200 };

/* recurrent_report.c */
static void cairn_recurrent_show_rule(cairn_report *out, const cairn_recurrent_model *m,
                                      bool classes)
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

/* Slopes are checked against small differences only where the weights are few, as the check
 * changes one weight after another. */
static void cairn_recurrent_show_row(cairn_context *ctx, cairn_report *out,
                                     cairn_recurrent_rows *rows, cairn_recurrent_pass *pass,
                                     bool classes)
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
                              char buffer[48])
{
    size_t seen = 0;
    if (i >= m->n_in) {
        if (i == m->n_in + m->n_hidden) return "bias";
        snprintf(buffer, 48, "before.h%zu", i - m->n_in + 1);
        return buffer;
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
    char buffer[48];
    cairn_report_table_of(out, "Weights", SHOWN_WEIGHTS, "llr", "node", "input", "weight");
    for (size_t i = 0; i < m->n_hidden * wide; i++) {
        const char *from = input_name(m, schema, i % wide, buffer);
        cairn_report_cellf(out, "h%zu", i / wide + 1);
        cairn_report_cell(out, from);
        cairn_report_cell_number(out, m->weights[i], 6, "weight.h%zu.%s", i / wide + 1,
                                 from == buffer ? from : cairn_report_key(out, from));
    }
    for (size_t i = 0; i < m->n_out * (m->n_hidden + 1); i++) {
        size_t node = i / (m->n_hidden + 1) + 1, from = i % (m->n_hidden + 1) + 1;
        bool bias = from > m->n_hidden;
        snprintf(buffer, sizeof buffer, "h%zu", from);
        cairn_report_cellf(out, "o%zu", node);
        cairn_report_cell(out, bias ? "bias" : buffer);
        cairn_report_cell_number(out, last[i], 6, "weight.o%zu.%s", node, bias ? "bias" : buffer);
    }
}

/* The row that was read, forward and back, with its slopes by small differences. */
static void cairn_recurrent_describe(cairn_report *out, const void *model, const cairn_job *job)
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

/* Rows of steps, and the passes through a recurrent network. */

size_t cairn_recurrent_n_weights(const cairn_recurrent_model *m)
{
    size_t hidden = cairn_product(m->n_hidden, cairn_recurrent_wide(m));
    size_t last = cairn_product(m->n_out, m->n_hidden + 1);
    return hidden < SIZE_MAX - last ? hidden + last : SIZE_MAX; /* which no memory can hold */
}

/* -- rows -- */

static size_t most_steps(const cairn_view *view, const cairn_recurrent_model *m)
{
    size_t most = 0;
    if (m->shape == CAIRN_RECURRENT_COLUMNS) {
        cairn_kind kind = CAIRN_NUMBER;
        size_t n = 0;
        for (size_t f = 0; f < view->n_features; f++) n += view->features[f]->kind == kind;
        return n;
    }
    ptrdiff_t f = cairn_view_steps(view);
    for (size_t i = 0; f >= 0 && i < view->rows.n; i++) {
        size_t n = cairn_view_n_steps(view, (size_t)f, i);
        if (n > most) most = n;
    }
    return most;
}

static cairn_status recurrent_open(cairn_context *ctx, cairn_recurrent_rows *rows,
                                   cairn_recurrent_pass *pass, const cairn_view *view,
                                   const cairn_recurrent_model *m)
{
    *rows = (cairn_recurrent_rows){.view = view, .model = m};
    if (m->shape == CAIRN_RECURRENT_SERIES) CHECK(cairn_view_check_steps(ctx, view));
    rows->most = most_steps(view, m);
    if (m->shape != CAIRN_RECURRENT_SYMBOLS)
        CHECK(SCRATCH(ctx, &rows->x, cairn_product(rows->most, m->n_in) + 1));
    CHECK(SCRATCH(ctx, &pass->h, cairn_product(rows->most + 1, m->n_hidden)));
    CHECK(SCRATCH(ctx, &pass->deltas, cairn_product(rows->most, m->n_hidden) + 1));
    CHECK(SCRATCH_EACH(ctx, m->n_out, &pass->y, &pass->t));
    CHECK(SCRATCH_EACH(ctx, m->n_hidden, &pass->read, &pass->each));
    return SCRATCH(ctx, &pass->back, m->n_hidden);
}

/* A number in the units of the inputs; a missing one is taken as the mean. */
static cairn_status take_number(cairn_context *ctx, cairn_recurrent_rows *rows, size_t feature,
                                size_t i, size_t input, double number, double *out)
{
    const cairn_recurrent_model *m = rows->model;
    *out = 0;
    if (isnan(number)) return CAIRN_OK;
    if (isinf(number))
        return cairn_need_finite(ctx, "recurrent", rows->view->names[feature],
                                 cairn_view_row(rows->view, i), number);
    *out = (number - m->shift[input]) / m->unit[input];
    return CAIRN_OK;
}

static cairn_status read_series(cairn_context *ctx, cairn_recurrent_rows *rows, size_t i)
{
    size_t input = 0, n_in = rows->model->n_in;
    rows->n = 0;
    for (size_t f = 0; f < rows->view->n_features && input < n_in; f++) {
        cairn_number_series series;
        if (rows->view->features[f]->kind != CAIRN_SERIES) continue;
        cairn_view_series(rows->view, f, i, 1, &series);
        for (size_t t = 0; t < series.n && t < rows->most; t++)
            CHECK(
                take_number(ctx, rows, f, i, input, series.values[t], &rows->x[t * n_in + input]));
        if (series.n > rows->n) rows->n = series.n;
        input++;
    }
    return CAIRN_OK;
}

/* Reads row i; fails on a number that is infinite. */
static cairn_status recurrent_read(cairn_context *ctx, cairn_recurrent_rows *rows, size_t i)
{
    cairn_sequence sequence;
    ptrdiff_t f = cairn_view_first(rows->view, CAIRN_SEQUENCE);
    if (rows->model->shape == CAIRN_RECURRENT_SERIES) return read_series(ctx, rows, i);
    if (rows->model->shape == CAIRN_RECURRENT_COLUMNS) {
        size_t row = cairn_view_row(rows->view, i);
        rows->n = 0;
        for (size_t j = 0; j < rows->view->n_features; j++) {
            const cairn_column *column = rows->view->features[j];
            if (column->kind != CAIRN_NUMBER) continue;
            CHECK(take_number(ctx, rows, j, i, 0, column->numbers[row], &rows->x[rows->n]));
            rows->n++;
        }
        return CAIRN_OK;
    }
    rows->n = 0;
    if (f < 0) return CAIRN_OK;
    cairn_view_sequences(rows->view, (size_t)f, i, 1, &sequence);
    rows->items = sequence.items;
    rows->n = sequence.n;
    return CAIRN_OK;
}

/* -- forward -- */

/* What the inputs of step t add to a node with these weights. */
static double input_sum(const cairn_recurrent_rows *rows, const double *w, size_t t)
{
    const cairn_recurrent_model *m = rows->model;
    double sum = 0;
    if (m->shape == CAIRN_RECURRENT_SYMBOLS) {
        int32_t item = rows->items[t];
        return item >= 0 && (size_t)item < m->n_in ? w[item] : 0;
    }
    for (size_t i = 0; i < m->n_in; i++) sum += w[i] * rows->x[t * m->n_in + i];
    return sum;
}

/* What the outputs read of a row that went through the hidden nodes; of no steps it is 0. */
static void read_nodes(const cairn_recurrent_rows *rows, cairn_recurrent_pass *pass)
{
    size_t n = rows->model->n_hidden, from = 1;
    if (rows->model->reading == CAIRN_RECURRENT_LAST) from = rows->n ? rows->n : 1;
    memset(pass->read, 0, n * sizeof *pass->read);
    for (size_t t = from; t <= rows->n; t++)
        for (size_t j = 0; j < n; j++) pass->read[j] += pass->h[t * n + j];
    for (size_t j = 0; from < rows->n && j < n; j++) pass->read[j] /= (double)rows->n;
}

void cairn_recurrent_forward(const cairn_recurrent_rows *rows, cairn_recurrent_pass *pass,
                             bool classes)
{
    const cairn_recurrent_model *m = rows->model;
    size_t n = m->n_hidden, wide = cairn_recurrent_wide(m);
    memset(pass->h, 0, n * sizeof *pass->h);
    for (size_t t = 0; t < rows->n; t++) {
        const double *before = pass->h + t * n, *w = m->weights;
        for (size_t j = 0; j < n; j++, w += wide) {
            double net = w[wide - 1] + input_sum(rows, w, t);
            for (size_t i = 0; i < n; i++) net += w[m->n_in + i] * before[i];
            pass->h[(t + 1) * n + j] = cairn_tanh(net);
        }
    }
    read_nodes(rows, pass);
    const double *w = cairn_recurrent_last(m, m->weights);
    for (size_t k = 0; k < m->n_out; k++, w += n + 1) {
        pass->y[k] = w[n];
        for (size_t j = 0; j < n; j++) pass->y[k] += w[j] * pass->read[j];
    }
    if (!classes) return;
    cairn_activated softmax = cairn_activation_named("softmax");
    cairn_activate_layer(&softmax, pass->y, m->n_out, pass->y);
}

double cairn_recurrent_cost(const cairn_recurrent_rows *rows, const cairn_recurrent_pass *pass,
                            bool classes)
{
    double sum = 0;
    for (size_t k = 0; k < rows->model->n_out; k++) {
        double y = pass->y[k], t = pass->t[k];
        if (isnan(y)) return y;
        sum += !classes ? (t - y) * (t - y) / 2 : t == 0 ? 0 : -t * cairn_log(fmax(y, 1e-300));
    }
    return sum;
}

/* -- back -- */

/* The last layer: the delta of an output is t - y by either cost. Of a mean every step gets its
 * share, else the last one all of it. */
static void back_from_outputs(const cairn_recurrent_rows *rows, cairn_recurrent_pass *pass,
                              double by, double *into)
{
    const cairn_recurrent_model *m = rows->model;
    size_t n = m->n_hidden;
    const double *w = cairn_recurrent_last(m, m->weights);
    double *g = cairn_recurrent_last(m, into);
    memset(pass->back, 0, n * sizeof *pass->back);
    for (size_t k = 0; k < m->n_out; k++, w += n + 1, g += n + 1) {
        double delta = by * (pass->t[k] - pass->y[k]);
        for (size_t j = 0; j < n; j++) {
            g[j] += delta * pass->read[j];
            pass->back[j] += delta * w[j];
        }
        g[n] += delta;
    }
    bool shared = m->reading == CAIRN_RECURRENT_MEAN && rows->n;
    for (size_t j = 0; shared && j < n; j++) pass->back[j] /= (double)rows->n;
    memset(pass->each, 0, n * sizeof *pass->each);
    if (shared) memcpy(pass->each, pass->back, n * sizeof *pass->each);
}

static void add_inputs(const cairn_recurrent_rows *rows, double *g, size_t t, double delta)
{
    const cairn_recurrent_model *m = rows->model;
    if (m->shape != CAIRN_RECURRENT_SYMBOLS) {
        for (size_t i = 0; i < m->n_in; i++) g[i] += delta * rows->x[t * m->n_in + i];
        return;
    }
    int32_t item = rows->items[t];
    if (item >= 0 && (size_t)item < m->n_in) g[item] += delta;
}

void cairn_recurrent_backward(const cairn_recurrent_rows *rows, cairn_recurrent_pass *pass,
                              double by, double *into)
{
    const cairn_recurrent_model *m = rows->model;
    size_t n = m->n_hidden, wide = cairn_recurrent_wide(m);
    back_from_outputs(rows, pass, by, into);
    for (size_t t = rows->n; t-- > 0;) {
        const double *h = pass->h + (t + 1) * n, *before = pass->h + t * n, *w = m->weights;
        double *deltas = pass->deltas + t * n, *g = into;
        for (size_t j = 0; j < n; j++) deltas[j] = (1 + h[j]) * (1 - h[j]) * pass->back[j];
        memcpy(pass->back, pass->each, n * sizeof *pass->back);
        for (size_t j = 0; j < n; j++, w += wide, g += wide) {
            add_inputs(rows, g, t, deltas[j]);
            for (size_t i = 0; i < n; i++) {
                g[m->n_in + i] += deltas[j] * before[i];
                pass->back[i] += deltas[j] * w[m->n_in + i];
            }
            g[wide - 1] += deltas[j];
        }
    }
}

enum { RECURRENT_PLAIN, RECURRENT_ADAM };
enum { MOST_INPUTS = 1 << 24, MOST_HIDDEN = 4096, SHOWN_EPOCHS = 50, MANY_OUTPUTS = 1000 };
static const double GROWN = 1e6; /* times the error of the first epoch, and 1, is divergence */

typedef struct recurrent_params {
    int hidden, epochs, solver, reading;
    double eta, clip, change;
    bool keep_best;
} recurrent_params;

static const cairn_choice solver_choices[] = {
    {"adam", RECURRENT_ADAM, "steps by the size of each slope"},
    {"plain", RECURRENT_PLAIN, "steps along the gradient"},
    {NULL, 0, NULL},
};

static const cairn_choice reading_choices[] = {
    {"mean", CAIRN_RECURRENT_MEAN, "of what they put out over all steps"},
    {"last", CAIRN_RECURRENT_LAST, "what they put out at the last step"},
    {NULL, 0, NULL},
};

static const cairn_param recurrent_table[] = {
    CAIRN_PARAM(recurrent_params, hidden, "10", "[1,4096]", "hidden nodes", .often = true),
    CAIRN_PARAM_CHOICE(recurrent_params, reading, "mean", reading_choices,
                       "what the outputs read of the hidden nodes", .often = true),
    CAIRN_PARAM(recurrent_params, epochs, "50", "[1,1000000]", "most passes over the rows",
                .often = true),
    CAIRN_PARAM(recurrent_params, eta, "0.01", "(0,inf)", "learning rate η", .often = true),
    CAIRN_PARAM_CHOICE(recurrent_params, solver, "adam", solver_choices, "how weights move"),
    CAIRN_PARAM(recurrent_params, clip, "1", "[0,inf)",
                "most length of the slopes of a row; longer ones are shortened; 0 = never"),
    CAIRN_PARAM_CALLED("tolerance", recurrent_params, change, "0", "[0,inf)",
                       "end when an epoch changes the mean E by less", .was = "change"),
    CAIRN_PARAM(recurrent_params, keep_best, "yes", NULL,
                "keep the weights of the epoch with the least error, not the last ones"),
    CAIRN_PARAM_END,
};

/* -- what there is -- */

typedef struct run {
    const cairn_job *job;
    const recurrent_params *params;
    cairn_recurrent_model *m;
    cairn_recurrent_rows rows;
    cairn_recurrent_pass pass;
    double *targets, *by; /* of every row: code or number; weight */
    size_t *order, n;     /* rows that are learned from */
    double total;
    double *gradient, *first, *second, *best;
    double *values;
    size_t steps;
    bool classes;
} run;

static const cairn_field *feature_of(const cairn_schema *schema, cairn_kind kind, size_t *n)
{
    const cairn_field *first = NULL;
    *n = 0;
    for (size_t i = 0; i < schema->n_fields; i++) {
        const cairn_field *field = &schema->fields[i];
        if (field->role != CAIRN_FEATURE || field->kind != (int32_t)kind) continue;
        if (!first) first = field;
        ++*n;
    }
    return first;
}

/* The steps that the columns have, and how many inputs they make. */
static bool find_shape(const cairn_schema *schema, int32_t *shape, size_t *n_in)
{
    size_t n;
    const cairn_field *field = feature_of(schema, CAIRN_SEQUENCE, &n);
    *shape = CAIRN_RECURRENT_SYMBOLS;
    if (field) *n_in = field->names.n;
    if (field) return true;
    *shape = CAIRN_RECURRENT_SERIES;
    if (feature_of(schema, CAIRN_SERIES, n_in)) return true;
    *shape = CAIRN_RECURRENT_COLUMNS;
    *n_in = 1;
    return feature_of(schema, CAIRN_NUMBER, &n) != NULL;
}

/* -- rows -- */

/* Mean and deviation of every input over all steps, so that numbers of any size can be learned. */
static cairn_status find_units(cairn_context *ctx, run *r)
{
    cairn_recurrent_model *m = r->m;
    size_t n_in = m->n_in;
    double *count, *mean, *squares;
    CHECK(SCRATCH_EACH(ctx, n_in, &count, &mean, &squares));
    for (size_t i = 0; i < r->n; i++) {
        CHECK(recurrent_read(ctx, &r->rows, r->order[i]));
        for (size_t t = 0; t < r->rows.n * n_in; t++) {
            double x = r->rows.x[t], away = x - mean[t % n_in];
            count[t % n_in]++;
            mean[t % n_in] += away / count[t % n_in];
            squares[t % n_in] += away * (x - mean[t % n_in]);
        }
    }
    for (size_t k = 0; k < n_in; k++) {
        double spread = count[k] > 0 ? sqrt(squares[k] / count[k]) : 1;
        m->shift[k] = isfinite(mean[k]) ? mean[k] : 0;
        m->unit[k] = spread > 0 && isfinite(spread) ? spread : 1;
    }
    return CAIRN_OK;
}

static void find_centre(run *r)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < r->n; i++)
        sum += r->by[r->order[i]] / r->total * r->targets[r->order[i]];
    for (size_t i = 0; i < r->n; i++) {
        double away = r->targets[r->order[i]] - sum;
        squares += r->by[r->order[i]] / r->total * away * away;
    }
    r->m->centre = sum;
    r->m->spread = squares > 0 && isfinite(squares) ? sqrt(squares) : 1;
}

/* Targets, weights, and the rows that have both. */
static cairn_status open_rows(cairn_context *ctx, run *r)
{
    const cairn_view *view = r->job->view;
    size_t n = view->rows.n;
    CHECK(SCRATCH_EACH(ctx, n + 1, &r->targets, &r->by, &r->order));
    for (size_t i = 0; i < n; i++) {
        size_t row = cairn_view_row(view, i);
        r->by[i] = cairn_view_weight(view, i);
        if (!(r->by[i] > 0) || cairn_column_is_missing(view->target, row)) continue;
        r->targets[i] = r->classes ? (double)view->target->codes[row] : view->target->numbers[row];
        if (!isfinite(r->targets[i]))
            return cairn_refuse_number(ctx, view->target_name, row, r->targets[i]);
        r->order[r->n++] = i;
        r->total += r->by[i];
    }
    if (!r->n)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "there is no row to learn from: recurrent needs at least one row with a "
                          "positive weight and a target");
    return CAIRN_OK;
}

static void set_target(run *r, size_t i)
{
    if (!r->classes)
        r->pass.t[0] = (r->targets[i] - r->m->centre) / r->m->spread;
    else
        for (size_t k = 0; k < r->m->n_out; k++) r->pass.t[k] = k == (size_t)r->targets[i] ? 1 : 0;
}

/* -- learning -- */

static void first_weights(cairn_context *ctx, cairn_recurrent_model *m)
{
    size_t wide = cairn_recurrent_wide(m), n = m->n_hidden;
    double far = sqrt(6 / (double)(wide - 1 + n)), end = sqrt(6 / (double)(n + m->n_out));
    double *last = cairn_recurrent_last(m, m->weights);
    cairn_random random;
    cairn_random_start(&random, cairn_context_seed(ctx), 2);
    for (size_t i = 0; i < n * wide; i++)
        if ((i + 1) % wide) m->weights[i] = far * (2 * cairn_random_uniform(&random) - 1);
    for (size_t i = 0; i < m->n_out * (n + 1); i++)
        if ((i + 1) % (n + 1)) last[i] = end * (2 * cairn_random_uniform(&random) - 1);
}

/* Slopes that are longer than the limit are shortened: they keep their direction. */
static void clip(const run *r, size_t n)
{
    double square = 0, most = r->params->clip;
    for (size_t i = 0; i < n; i++) square += r->gradient[i] * r->gradient[i];
    if (most == 0 || !(square > most * most)) return;
    for (size_t i = 0; i < n; i++) r->gradient[i] *= most / sqrt(square);
}

/* One pass over the rows; *error is the mean E of the rows as they were met. */
static cairn_status epoch(cairn_context *ctx, run *r, double *error)
{
    double sum = 0;
    for (size_t i = 0; i < r->n && isfinite(sum); i++) {
        size_t row = r->order[i];
        CHECK(cairn_tick(ctx, NULL, 0, 0));
        CHECK(recurrent_read(ctx, &r->rows, row));
        set_target(r, row);
        cairn_recurrent_forward(&r->rows, &r->pass, r->classes);
        sum += r->by[row] * cairn_recurrent_cost(&r->rows, &r->pass, r->classes);
        cairn_recurrent_backward(&r->rows, &r->pass, r->by[row], r->gradient);
        size_t n = cairn_recurrent_n_weights(r->m);
        double *w = r->m->weights, *g = r->gradient, eta = r->params->eta;
        cairn_adam adam = cairn_adam_at(eta, ++r->steps);
        clip(r, n);
        if (r->params->solver == RECURRENT_ADAM)
            cairn_adam_step_doubles(w, r->first, r->second, g, n, &adam);
        for (size_t j = 0; r->params->solver == RECURRENT_PLAIN && j < n; j++) w[j] += eta * g[j];
        memset(g, 0, n * sizeof *g);
    }
    *error = sum / r->total;
    return CAIRN_OK;
}

static bool is_sound(const run *r, double error)
{
    size_t n = cairn_recurrent_n_weights(r->m);
    if (!isfinite(error) || error > GROWN * (r->values[0] + 1)) return false;
    for (size_t i = 0; i < n; i++)
        if (!isfinite(r->m->weights[i])) return false;
    return true;
}

/* Epochs until there is a reason to end; then the model has the weights that are kept. */
static cairn_status learn(cairn_context *ctx, run *r)
{
    cairn_recurrent_model *m = r->m;
    size_t bytes = cairn_recurrent_n_weights(m) * sizeof *m->weights;
    cairn_random random;
    bool on = true, sound = true;
    cairn_random_start(&random, cairn_context_seed(ctx), 0);
    memcpy(r->best, m->weights, bytes);
    m->error = INFINITY;
    for (size_t e = 0; on && e < (size_t)r->params->epochs; e++) {
        CHECK(cairn_tick(ctx, "epochs", (double)e, (double)r->params->epochs));
        cairn_random_shuffle(&random, r->order, r->n);
        CHECK(epoch(ctx, r, &r->values[e]));
        m->epochs = e + 1;
        sound = is_sound(r, r->values[e]);
        if (sound && (r->values[e] < m->error || !r->params->keep_best)) {
            m->error = r->values[e];
            m->kept = e + 1;
            memcpy(r->best, m->weights, bytes);
        }
        on = sound && !(e && fabs(r->values[e] - r->values[e - 1]) < r->params->change);
    }
    memcpy(m->weights, r->best, bytes);
    if (!sound) {
        char eta[CAIRN_NUMBER_SIZE];
        cairn_number_format(eta, r->params->eta, 6);
        cairn_warn(
            ctx,
            "the error grew beyond all bounds in epoch %zu with {eta} %s: the last good weights "
            "are kept; lower {eta}",
            r->m->epochs, eta);
    }
    if (!isfinite(m->error)) m->error = NAN;
    return CAIRN_OK;
}

static void show_epochs(const run *r)
{
    cairn_report *out = r->job->steps;
    cairn_report_step_begin(out, "Error of every epoch");
    cairn_report_table_of(out, "Epochs: mean E of the rows as they were met", SHOWN_EPOCHS, "rr",
                          "epoch", "E");
    for (size_t e = 0; e < r->m->epochs; e++) {
        cairn_report_cells(out, "- epoch#.E", e + 1, r->values[e]);
    }
    cairn_report_step_end(out);
}

/* -- fitting -- */

static cairn_status open_model(cairn_context *ctx, run *r)
{
    cairn_recurrent_model *m = r->m;
    if (!find_shape(r->job->schema, &m->shape, &m->n_in))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "recurrent needs a column of sequences, columns of series, or columns of "
                          "numbers for the steps; declare one with {kinds COLUMN=sequence} or "
                          "{kinds COLUMN=series}");
    m->n_hidden = (size_t)r->params->hidden;
    m->reading = r->params->reading;
    m->n_out = r->classes ? r->job->n_classes : 1;
    m->spread = 1;
    CHECK(NEW(ctx, &m->weights, cairn_recurrent_n_weights(m)));
    CHECK(NEW_EACH(ctx, m->n_in, &m->shift, &m->unit));
    for (size_t k = 0; k < m->n_in; k++) m->unit[k] = 1;
    return CAIRN_OK;
}

static cairn_status open_buffer(cairn_context *ctx, run *r)
{
    size_t n = cairn_recurrent_n_weights(r->m);
    CHECK(SCRATCH_EACH(ctx, n, &r->gradient, &r->first, &r->second, &r->best));
    return SCRATCH(ctx, &r->values, (size_t)r->params->epochs);
}

/* The row on the board is worked with the first weights, thus before any is learned. */
static cairn_status recurrent_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    run r = {.job = job, .params = job->params, .m = model};
    r.classes = job->task == CAIRN_CLASSIFY;
    CHECK(open_model(ctx, &r));
    CHECK(open_rows(ctx, &r));
    if (r.m->n_out > MANY_OUTPUTS)
        CHECK(cairn_need_work(
            ctx, (double)r.params->epochs * (double)r.n * (double)cairn_recurrent_n_weights(r.m),
            "moving all weights after every row", CAIRN_FEWER_CLASSES));
    CHECK(recurrent_open(ctx, &r.rows, &r.pass, job->view, r.m));
    CHECK(open_buffer(ctx, &r));
    if (r.m->shape != CAIRN_RECURRENT_SYMBOLS) CHECK(find_units(ctx, &r));
    if (!r.classes) find_centre(&r);
    first_weights(ctx, r.m);
    if (job->steps) {
        CHECK(recurrent_read(ctx, &r.rows, r.order[0]));
        set_target(&r, r.order[0]);
        cairn_recurrent_show_rule(job->steps, r.m, r.classes);
        cairn_recurrent_show_row(ctx, job->steps, &r.rows, &r.pass, r.classes);
    }
    CHECK(learn(ctx, &r));
    if (job->steps) show_epochs(&r);
    return CAIRN_OK;
}

static cairn_status recurrent_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                      const cairn_job *job)
{
    const cairn_recurrent_model *m = model;
    cairn_recurrent_rows rows;
    cairn_recurrent_pass pass;
    bool classes = job->task == CAIRN_CLASSIFY;
    CHECK(recurrent_open(ctx, &rows, &pass, job->view, m));
    for (size_t i = 0; i < out->n_rows; i++) {
        if (i % 1024 == 0) CHECK(cairn_tick(ctx, "rows", (double)i, (double)out->n_rows));
        CHECK(recurrent_read(ctx, &rows, i));
        cairn_recurrent_forward(&rows, &pass, classes);
        if (out->numbers) out->numbers[i] = m->centre + m->spread * pass.y[0];
        if (out->scores) memcpy(out->scores + i * m->n_out, pass.y, m->n_out * sizeof *pass.y);
    }
    return CAIRN_OK;
}

/* -- keeping -- */

/* Sizes first: they say how many weights follow. */
static cairn_status recurrent_archive(cairn_archive *a, void *model)
{
    cairn_recurrent_model *m = model;
    CHECK(cairn_archive_int(a, "shape", &m->shape));
    if (cairn_archive_version(a) >= 17) CHECK(cairn_archive_int(a, "reading", &m->reading));
    CHECK(cairn_archive_size(a, "inputs", &m->n_in, MOST_INPUTS));
    CHECK(cairn_archive_size(a, "hidden", &m->n_hidden, MOST_HIDDEN));
    CHECK(cairn_archive_size(a, "outputs", &m->n_out, MOST_INPUTS));
    if (m->shape < 0 || m->shape >= CAIRN_RECURRENT_SHAPES || !m->n_hidden || !m->n_out ||
        m->reading < CAIRN_RECURRENT_LAST || m->reading > CAIRN_RECURRENT_MEAN)
        CHECK(cairn_archive_damaged(a, "the network has impossible sizes"));
    CHECK(cairn_archive_size(a, "epochs", &m->epochs, UINT32_MAX));
    CHECK(cairn_archive_size(a, "kept", &m->kept, UINT32_MAX));
    CHECK(cairn_archive_real(a, "error", &m->error));
    CHECK(cairn_archive_real(a, "centre", &m->centre));
    CHECK(cairn_archive_real(a, "spread", &m->spread));
    CHECK(cairn_archive_reals(a, "shift", &m->shift, m->n_in));
    CHECK(cairn_archive_reals(a, "unit", &m->unit, m->n_in));
    return cairn_archive_reals(a, "weights", &m->weights, cairn_recurrent_n_weights(m));
}

static cairn_status recurrent_check(cairn_archive *a, const void *model, const cairn_job *job)
{
    const cairn_recurrent_model *m = model;
    int32_t shape;
    size_t n_in = 0, n_out = job->task == CAIRN_CLASSIFY ? job->n_classes : 1;
    if (!find_shape(job->schema, &shape, &n_in) || shape != m->shape || n_in != m->n_in)
        CHECK(cairn_archive_damaged(a, "the network reads other steps than the columns have"));
    if (n_out != m->n_out)
        CHECK(cairn_archive_damaged(a, "the network has another number of outputs than classes"));
    return CAIRN_OK;
}

static void recurrent_clear(void *model)
{
    cairn_recurrent_model *m = model;
    cairn_free(m->weights);
    cairn_free(m->shift);
    cairn_free(m->unit);
    *m = (cairn_recurrent_model){0};
}

static cairn_model_size recurrent_size(const void *model)
{
    return (cairn_model_size){.parameters = (double)cairn_recurrent_n_weights(model)};
}

const cairn_learner cairn_recurrent_network = {
    .entry =
        {
            .kind = CAIRN_ENTRY_LEARNER,
            .name = "recurrent",
            .also = "recurrent neural network, RNN, Elman network, simple recurrent network, "
                    "backpropagation through time, BPTT",
            .title = "Recurrent network",
            .summary =
                "Learns a layer of neurons that reads a sequence step by step together with what "
                "it put out one step before, so that it can remember; the outputs read its mean "
                "over the steps, or the last step, and give a class or a number. The steps stand "
                "in a column of sequences, in "
                "columns of series, or, where there are neither, in columns of numbers from left "
                "to right. The error goes back through all steps. --steps shows the first row with "
                "every hidden output and delta, and checks the slopes by small differences.",
            .references = "Elman, Finding structure in time, Cognitive Science 14 (1990); Werbos, "
                          "Backpropagation through time, Proceedings of the IEEE 78 (1990)",
            .example = "cairn fit recurrent @iris --hidden 4 --epochs 20 --steps",
            .params = recurrent_table,
            .params_size = sizeof(recurrent_params),
        },
    .tasks = CAIRN_CLASSIFY | CAIRN_REGRESS,
    .space = "hidden=5,10,20\n"
             "eta=0.003,0.01,0.03",
    .accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_WEIGHTS | CAIRN_ACCEPTS_SEQUENCES |
               CAIRN_ACCEPTS_SERIES,
    .traits = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_GEOMETRIC | CAIRN_GRADING |
              CAIRN_GIVES_PROBABILITIES,
    .model_size = sizeof(cairn_recurrent_model),
    .tables = cairn_recurrent_tables,
    .gives_scores = true,
    .fit = recurrent_fit,
    .predict = recurrent_predict,
    .describe = cairn_recurrent_describe,
    .archive = recurrent_archive,
    .check = recurrent_check,
    .clear = recurrent_clear,
    .size = recurrent_size,
};
