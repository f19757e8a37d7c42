/* SPDX-License-Identifier: MIT */
/* Rows of steps, and the passes through a recurrent network. */
#include "base/functions.h"
#include "base/memory.h"
#include "learners/network/recurrent.h"
#include "stats/activations.h"
#include <math.h>
#include <string.h>

size_t cairn_recurrent_n_weights(const cairn_recurrent_model *m)
{
    size_t hidden = cairn_product(m->n_hidden, cairn_recurrent_wide(m));
    size_t last = cairn_product(m->n_out, m->n_hidden + 1);
    return hidden < SIZE_MAX - last ? hidden + last : SIZE_MAX; /* which no memory can hold */
}

/* -- rows -- */

static size_t count_kind(const cairn_view *view, cairn_kind kind)
{
    size_t n = 0;
    for (size_t f = 0; f < view->n_features; f++) n += view->features[f]->kind == kind;
    return n;
}

static size_t most_steps(const cairn_view *view, const cairn_recurrent_model *m)
{
    size_t most = 0;
    if (m->shape == CAIRN_RECURRENT_COLUMNS) return count_kind(view, CAIRN_NUMBER);
    ptrdiff_t f = cairn_view_steps(view);
    for (size_t i = 0; f >= 0 && i < view->rows.n; i++) {
        size_t n = cairn_view_n_steps(view, (size_t)f, i);
        if (n > most) most = n;
    }
    return most;
}

cairn_status cairn_recurrent_open(cairn_context *ctx, cairn_recurrent_rows *rows,
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
    CHECK(SCRATCH(ctx, &pass->y, m->n_out));
    CHECK(SCRATCH(ctx, &pass->t, m->n_out));
    CHECK(SCRATCH(ctx, &pass->read, m->n_hidden));
    CHECK(SCRATCH(ctx, &pass->each, m->n_hidden));
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

static cairn_status read_columns(cairn_context *ctx, cairn_recurrent_rows *rows, size_t i)
{
    size_t row = cairn_view_row(rows->view, i);
    rows->n = 0;
    for (size_t f = 0; f < rows->view->n_features; f++) {
        const cairn_column *column = rows->view->features[f];
        if (column->kind != CAIRN_NUMBER) continue;
        CHECK(take_number(ctx, rows, f, i, 0, column->numbers[row], &rows->x[rows->n]));
        rows->n++;
    }
    return CAIRN_OK;
}

cairn_status cairn_recurrent_read(cairn_context *ctx, cairn_recurrent_rows *rows, size_t i)
{
    cairn_sequence sequence;
    ptrdiff_t f = cairn_view_first(rows->view, CAIRN_SEQUENCE);
    if (rows->model->shape == CAIRN_RECURRENT_SERIES) return read_series(ctx, rows, i);
    if (rows->model->shape == CAIRN_RECURRENT_COLUMNS) return read_columns(ctx, rows, i);
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
