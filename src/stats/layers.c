/* SPDX-License-Identifier: MIT */
#define REAL         double
#define PASS         cairn_pass
#define MATMUL       cairn_matmul
#define EXP_EACH     cairn_exp_each
#define TANH_EACH    cairn_tanh_each
#define SOFTMAX_ROWS cairn_softmax_rows
#include "stats/layers_body.h"

void cairn_neural_layers_place(cairn_neural_layers *layers)
{
    size_t at = 0, before = layers->n_in;
    for (size_t l = 0; l < layers->n; l++) {
        cairn_neural_layer *layer = &layers->list[l];
        layer->n_in = before;
        layer->first = at;
        size_t size = cairn_product(layer->n_out, before + 1);
        at = size < SIZE_MAX - at ? at + size : SIZE_MAX; /* which no memory can hold */
        before = layer->n_out;
    }
    layers->n_weights = at;
}
