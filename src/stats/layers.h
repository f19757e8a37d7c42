/* SPDX-License-Identifier: MIT */
/* Layers of neurons as plain numbers: the forward pass, and errors carried back through it.
 *
 *     net = b + Σ w x,  out = f(net)             node after node, layer after layer
 *     δ = −∂E/∂net                                of the last layer by the cost
 *     δ = f'(net) Σ δ(next) w(next)               of the others, with the weights as they are
 *     −∂E/∂w = δ x,  −∂E/∂b = δ
 *
 * All weights of a network are one array, so that solvers see n numbers: layer after layer, node
 * after node, the weights of its inputs and then its bias. */
#ifndef CAIRN_STATS_LAYERS_H
#define CAIRN_STATS_LAYERS_H

#include "stats/activations.h"

typedef struct cairn_neural_layer {
    size_t n_in, n_out;
    size_t first; /* of its n_out x (n_in + 1) weights */
    cairn_activated activation;
} cairn_neural_layer;

typedef struct cairn_neural_layers {
    size_t n;         /* layers, without the inputs; at least 1 */
    size_t n_in;      /* inputs of the first */
    size_t n_weights; /* of all */
    cairn_neural_layer *list;
} cairn_neural_layers;

/* How the output is held against the target. */
typedef enum cairn_neural_cost {
    CAIRN_NEURAL_COST_SQUARES, /* ½ Σ (t − y)² */
    CAIRN_NEURAL_COST_LOG /* −Σ t ln y of softmax; of others −Σ (t ln y + (1 − t) ln(1 − y)) */
} cairn_neural_cost;

/* Sets `first` and the sums from n_in, n_out and n. */
void cairn_neural_layers_place(cairn_neural_layers *layers);
static inline const cairn_neural_layer *cairn_neural_layers_last(const cairn_neural_layers *layers)
{
    return &layers->list[layers->n - 1];
}
/* The weights of node j of a layer; its bias is the one after them. */
static inline double *cairn_node_weights(const cairn_neural_layer *layer, double *weights, size_t j)
{
    return weights + layer->first + j * (layer->n_in + 1);
}

/* The passes, for double (cairn_pass) and float (cairn_pass_floats):
 *
 * keep: of every layer a factor for each output, rows x n_out, set by the caller (dropout); NULL =
 * all 1.
 * made: set by the caller to how many layers, from the first on, have their net inputs already.
 * room: set by the caller to as many numbers as _buffer says, so that products are made on the
 * calling thread, which then needs no context and does not fail; NULL = on all threads, where sums
 * of more than 12,896 terms may be made in another order (products.h).
 *
 * _open: room for at most so many rows at once; scratch.
 * _forward: net inputs and outputs of m rows, x being m x n_in without gaps.
 * _cost: E of row i after the forward pass.
 * _deltas: those of the last layer, m rows; `by` (NULL = all 1) are weights of the rows.
 * _carry_back: the deltas of the layers before it.
 * _backward: the same; and into += Σ δ x, the direction in which E falls.
 *
 * One row alone is summed node by node, which costs less than a product and differs from it by
 * rounding; with `products` it is not, and a row is the same among however many. */
#define CAIRN_DECLARE_PASS(real, name)                                                             \
    typedef struct name {                                                                          \
        size_t rows;                                                                               \
        bool products;                                                                             \
        real **nets, **outs, **deltas; /* of every layer, rows x n_out */                          \
        const real **keep;                                                                         \
        size_t made;                                                                               \
        real *buffer;                                                                              \
    } name;                                                                                        \
    CAIRN_CHECKED cairn_status name##_open(cairn_context *ctx, name *out,                          \
                                           const cairn_neural_layers *layers, size_t rows);        \
    CAIRN_CHECKED cairn_status name##_forward(cairn_context *ctx, name *pass,                      \
                                              const cairn_neural_layers *layers,                   \
                                              const real *weights, const real *x, size_t m);       \
    double name##_cost(const name *pass, const cairn_neural_layers *layers,                        \
                       cairn_neural_cost cost, const real *targets, size_t i);                     \
    void name##_deltas(name *pass, const cairn_neural_layers *layers, cairn_neural_cost cost,      \
                       const real *targets, const real *by, size_t m);                             \
    size_t name##_buffer(const cairn_neural_layers *layers, size_t rows);                          \
    CAIRN_CHECKED cairn_status name##_carry_back(cairn_context *ctx, name *pass,                   \
                                                 const cairn_neural_layers *layers,                \
                                                 const real *weights, size_t m);                   \
    CAIRN_CHECKED cairn_status name##_backward(                                                    \
        cairn_context *ctx, name *pass, const cairn_neural_layers *layers, const real *weights,    \
        const real *x, size_t m, real *into);

CAIRN_DECLARE_PASS(double, cairn_pass)
CAIRN_DECLARE_PASS(float, cairn_pass_floats)

#endif
