/* SPDX-License-Identifier: MIT */
/* The passes through layers for one type of numbers; included by layers.c and layers_floats.c,
 * which define REAL, PASS and the functions of many numbers. */
#include "base/functions.h"
#include "base/memory.h"
#include "kernels/elementwise.h"
#include "kernels/products.h"
#include "stats/layers.h"
#include <math.h>
#include <string.h>

#define PASS_JOIN(pass, name) pass##_##name
#define PASS_OF(pass, name)   PASS_JOIN(pass, name)
#define PASS_NAME(name)       PASS_OF(PASS, name)
#define MATMUL_NAME(name)     PASS_OF(MATMUL, name)

cairn_status PASS_NAME(open)(cairn_context *ctx, PASS *out, const cairn_neural_layers *layers,
                             size_t rows)
{
    *out = (PASS){.rows = rows};
    CHECK(SCRATCH_EACH(ctx, layers->n, &out->nets, &out->outs, &out->deltas, &out->keep));
    for (size_t l = 0; l < layers->n; l++) {
        size_t size = cairn_product(rows, layers->list[l].n_out);
        CHECK(SCRATCH_EACH(ctx, size, &out->nets[l], &out->outs[l], &out->deltas[l]));
    }
    return CAIRN_OK;
}

/* -- functions of many numbers -- */

/* One row exactly as the function says. */
static void activate_row(const cairn_activated *a, const REAL *nets, size_t n, REAL *outs)
{
    if (a->f->together) {
        memmove(outs, nets, n * sizeof *outs);
        SOFTMAX_ROWS(outs, NULL, n, 1, n);
        return;
    }
    for (size_t i = 0; i < n; i++) outs[i] = (REAL)cairn_activate(a, nets[i]);
}

/* 1/(1 + e⁻ˣ): e to a large power is infinite, and the quotient 0. */
static void sigmoids(const REAL *nets, size_t n, REAL *outs)
{
    for (size_t i = 0; i < n; i++) outs[i] = -nets[i];
    EXP_EACH(outs, outs, n);
    for (size_t i = 0; i < n; i++) outs[i] = 1 / (1 + outs[i]);
}

static void half_tanh(const REAL *nets, size_t n, REAL *outs)
{
    for (size_t i = 0; i < n; i++) outs[i] = nets[i] / 2;
    TANH_EACH(outs, outs, n);
}

/* Written so that what is no number stays so, and that both sides of the choice are at hand, which
 * makes it one over vectors. */
static void relus(const REAL *nets, size_t n, REAL leak, REAL *outs)
{
    if (leak == 0)
        for (size_t i = 0; i < n; i++) outs[i] = nets[i] <= 0 ? 0 : nets[i];
    else
        for (size_t i = 0; i < n; i++) {
            REAL low = leak * nets[i];
            outs[i] = nets[i] > 0 ? nets[i] : low;
        }
}

/* m rows of n nodes at once. */
static void activate_rows(const cairn_activated *a, const REAL *nets, size_t m, size_t n,
                          REAL *outs)
{
    switch (a->f->loop) {
    case CAIRN_LOOP_SOFTMAX:
        memcpy(outs, nets, m * n * sizeof *outs);
        SOFTMAX_ROWS(outs, NULL, n, m, n);
        break;
    case CAIRN_LOOP_SIGMOID: sigmoids(nets, m * n, outs); break;
    case CAIRN_LOOP_TANH: TANH_EACH(outs, nets, m * n); break;
    case CAIRN_LOOP_TH: half_tanh(nets, m * n, outs); break;
    case CAIRN_LOOP_RELU: relus(nets, m * n, (REAL)a->p[0], outs); break;
    default: activate_row(a, nets, m * n, outs);
    }
}

/* -- forward -- */

/* On the calling thread where the pass has room for it, else on all threads. */
static cairn_status multiply(cairn_context *ctx, const PASS *pass, const MATMUL *product)
{
    if (!pass->buffer) return MATMUL_NAME(run)(ctx, product);
    MATMUL_NAME(alone)(product, pass->buffer);
    return CAIRN_OK;
}

size_t PASS_NAME(buffer)(const cairn_neural_layers *layers, size_t rows)
{
    size_t most = 0;
    for (size_t l = 0; l < layers->n; l++) {
        const cairn_neural_layer *layer = &layers->list[l];
        size_t there = MATMUL_NAME(buffer)(rows, layer->n_out, layer->n_in);
        size_t back = MATMUL_NAME(buffer)(rows, layer->n_in, layer->n_out);
        if (there > most) most = there;
        if (back > most) most = back;
    }
    return most;
}

/* Net inputs of one row, node by node: what a product costs to prepare is more than this. */
static void net_row(const cairn_neural_layer *layer, const REAL *weights, const REAL *x, REAL *nets)
{
    const REAL *w = weights + layer->first;
    for (size_t j = 0; j < layer->n_out; j++, w += layer->n_in + 1) {
        REAL net = w[layer->n_in];
        for (size_t i = 0; i < layer->n_in; i++) net += w[i] * x[i];
        nets[j] = net;
    }
}

static cairn_status net_rows(cairn_context *ctx, const PASS *pass, const cairn_neural_layer *layer,
                             const REAL *weights, const REAL *x, size_t m, REAL *nets)
{
    const REAL *w = weights + layer->first;
    size_t n_in = layer->n_in, n_out = layer->n_out;
    if (m == 1 && !pass->products) {
        net_row(layer, weights, x, nets);
        return CAIRN_OK;
    }
    for (size_t j = 0; j < n_out; j++) nets[j] = w[j * (n_in + 1) + n_in];
    for (size_t i = 1; i < m; i++) memcpy(nets + i * n_out, nets, n_out * sizeof *nets);
    MATMUL product = {.m = m, .n = n_out, .k = n_in, .a = x, .a_i = n_in, .a_k = 1};
    product.b = w;
    product.b_k = 1;
    product.b_j = n_in + 1;
    product.c = nets;
    product.c_i = n_out;
    product.alpha = 1;
    return multiply(ctx, pass, &product);
}

cairn_status PASS_NAME(forward)(cairn_context *ctx, PASS *pass, const cairn_neural_layers *layers,
                                const REAL *weights, const REAL *x, size_t m)
{
    for (size_t l = 0; l < layers->n; l++) {
        const cairn_neural_layer *layer = &layers->list[l];
        const REAL *keep = pass->keep[l];
        REAL *outs = pass->outs[l];
        if (l >= pass->made)
            CHECK(net_rows(ctx, pass, layer, weights, l ? pass->outs[l - 1] : x, m, pass->nets[l]));
        if (m == 1 && !pass->products)
            activate_row(&layer->activation, pass->nets[l], layer->n_out, outs);
        else
            activate_rows(&layer->activation, pass->nets[l], m, layer->n_out, outs);
        for (size_t i = 0; keep && i < m * layer->n_out; i++) outs[i] *= keep[i];
    }
    return CAIRN_OK;
}

/* -- cost -- */

/* −t ln y, with a y that is rounded to 0 taken from the net input's side: no infinity. */
static double log_term(double t, double y)
{
    return t == 0 ? 0 : -t * cairn_log(fmax(y, 1e-300));
}

double PASS_NAME(cost)(const PASS *pass, const cairn_neural_layers *layers, cairn_neural_cost cost,
                       const REAL *targets, size_t i)
{
    size_t n = cairn_neural_layers_last(layers)->n_out;
    bool apart = !cairn_neural_layers_last(layers)->activation.f->together;
    const REAL *y = pass->outs[layers->n - 1] + i * n, *t = targets + i * n;
    double sum = 0;
    for (size_t k = 0; k < n; k++) {
        double away = (double)t[k] - (double)y[k];
        if (cost == CAIRN_NEURAL_COST_SQUARES)
            sum += away * away / 2;
        else
            sum += log_term(t[k], y[k]);
        if (cost == CAIRN_NEURAL_COST_LOG && apart)
            sum += log_term(1 - (double)t[k], 1 - (double)y[k]);
        if (isnan(y[k])) sum = y[k];
    }
    return sum;
}

/* Of softmax every output depends on every net input. */
static void softmax_deltas(const REAL *y, const REAL *t, size_t n, REAL *deltas)
{
    REAL mean = 0;
    for (size_t k = 0; k < n; k++) mean += y[k] * (t[k] - y[k]);
    for (size_t k = 0; k < n; k++) deltas[k] = y[k] * (t[k] - y[k] - mean);
}

static void row_deltas(const cairn_neural_layer *layer, cairn_neural_cost cost, const REAL *nets,
                       const REAL *y, const REAL *t, REAL *deltas)
{
    size_t n = layer->n_out;
    if (cost == CAIRN_NEURAL_COST_SQUARES && layer->activation.f->together) {
        softmax_deltas(y, t, n, deltas);
        return;
    }
    for (size_t k = 0; k < n; k++) {
        deltas[k] = t[k] - y[k];
        if (cost == CAIRN_NEURAL_COST_SQUARES)
            deltas[k] *= (REAL)cairn_activation_slope(&layer->activation, nets[k], y[k]);
    }
}

void PASS_NAME(deltas)(PASS *pass, const cairn_neural_layers *layers, cairn_neural_cost cost,
                       const REAL *targets, const REAL *by, size_t m)
{
    const cairn_neural_layer *layer = cairn_neural_layers_last(layers);
    size_t n = layer->n_out, l = layers->n - 1;
    for (size_t i = 0; i < m; i++) {
        REAL *deltas = pass->deltas[l] + i * n;
        row_deltas(layer, cost, pass->nets[l] + i * n, pass->outs[l] + i * n, targets + i * n,
                   deltas);
        for (size_t k = 0; by && k < n; k++) deltas[k] *= by[i];
    }
}

/* -- backward -- */

/* Σ δ(next) w(next) of every node, m x n_in of the next layer. */
static cairn_status back_rows(cairn_context *ctx, const PASS *pass, const cairn_neural_layer *next,
                              const REAL *weights, const REAL *deltas, size_t m, REAL *out)
{
    const REAL *w = weights + next->first;
    size_t n_in = next->n_in, n_out = next->n_out;
    if (m == 1 && !pass->products) {
        memset(out, 0, n_in * sizeof *out);
        for (size_t k = 0; k < n_out; k++, w += n_in + 1)
            for (size_t i = 0; i < n_in; i++) out[i] += deltas[k] * w[i];
        return CAIRN_OK;
    }
    MATMUL product = {.m = m, .n = n_in, .k = n_out, .a = deltas, .a_i = n_out, .a_k = 1};
    product.b = w;
    product.b_k = n_in + 1;
    product.b_j = 1;
    product.c = out;
    product.c_i = n_in;
    product.alpha = 1;
    product.set = true;
    return multiply(ctx, pass, &product);
}

/* into += Σ δ x over the rows, and Σ δ for the biases. */
static cairn_status add_gradient(cairn_context *ctx, const cairn_neural_layer *layer,
                                 const REAL *deltas, const REAL *x, size_t m, REAL *into)
{
    REAL *g = into + layer->first;
    size_t n_in = layer->n_in, n_out = layer->n_out;
    for (size_t i = 0; i < m; i++)
        for (size_t k = 0; k < n_out; k++) g[k * (n_in + 1) + n_in] += deltas[i * n_out + k];
    if (m == 1) {
        for (size_t k = 0; k < n_out; k++, g += n_in + 1)
            for (size_t i = 0; i < n_in; i++) g[i] += deltas[k] * x[i];
        return CAIRN_OK;
    }
    MATMUL product = {.m = n_out, .n = n_in, .k = m, .a = deltas, .a_i = 1, .a_k = n_out};
    product.b = x;
    product.b_k = n_in;
    product.b_j = 1;
    product.c = g;
    product.c_i = n_in + 1;
    product.alpha = 1;
    return MATMUL_NAME(run)(ctx, &product);
}

/* Of functions that are met often the slope is written out: the loop becomes one over vectors. */
static void times_slopes(const cairn_activated *a, const REAL *nets, const REAL *y, size_t n,
                         REAL *deltas)
{
    REAL p = (REAL)a->p[0];
    switch (a->f->loop) {
    case CAIRN_LOOP_SIGMOID:
        for (size_t i = 0; i < n; i++) deltas[i] *= y[i] * (1 - y[i]);
        break;
    case CAIRN_LOOP_TANH:
        for (size_t i = 0; i < n; i++) deltas[i] *= (1 + y[i]) * (1 - y[i]);
        break;
    case CAIRN_LOOP_TH:
        for (size_t i = 0; i < n; i++) deltas[i] *= (1 + y[i]) * (1 - y[i]) / 2;
        break;
    case CAIRN_LOOP_RELU:
        for (size_t i = 0; i < n; i++) {
            REAL slope = nets[i] > 0 ? 1 : p;
            deltas[i] *= slope;
        }
        break;
    default:
        for (size_t i = 0; i < n; i++) deltas[i] *= (REAL)cairn_activation_slope(a, nets[i], y[i]);
    }
}

/* Deltas of layer l from what came back to its outputs, which stands in their place. An output that
 * was left out has none; the others were raised, and their slope is that of the value before. */
static void hidden_deltas(PASS *pass, const cairn_neural_layer *layer, size_t l, size_t m)
{
    const REAL *keep = pass->keep[l];
    REAL *outs = pass->outs[l], *deltas = pass->deltas[l];
    size_t n = m * layer->n_out;
    for (size_t i = 0; keep && i < n; i++) {
        deltas[i] *= keep[i];
        if (keep[i] > 0) outs[i] /= keep[i];
    }
    times_slopes(&layer->activation, pass->nets[l], outs, n, deltas);
    for (size_t i = 0; keep && i < n; i++) outs[i] *= keep[i];
}

cairn_status PASS_NAME(carry_back)(cairn_context *ctx, PASS *pass,
                                   const cairn_neural_layers *layers, const REAL *weights, size_t m)
{
    for (size_t l = layers->n - 1; l > 0; l--) {
        CHECK(back_rows(ctx, pass, &layers->list[l], weights, pass->deltas[l], m,
                        pass->deltas[l - 1]));
        hidden_deltas(pass, &layers->list[l - 1], l - 1, m);
    }
    return CAIRN_OK;
}

cairn_status PASS_NAME(backward)(cairn_context *ctx, PASS *pass, const cairn_neural_layers *layers,
                                 const REAL *weights, const REAL *x, size_t m, REAL *into)
{
    CHECK(PASS_NAME(carry_back)(ctx, pass, layers, weights, m));
    for (size_t l = 0; l < layers->n; l++)
        CHECK(add_gradient(ctx, &layers->list[l], pass->deltas[l], l ? pass->outs[l - 1] : x, m,
                           into));
    return CAIRN_OK;
}
