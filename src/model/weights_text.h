/* SPDX-License-Identifier: MIT */
/* The weights of a network as text, which can be typed, written and read again: a line for every
 * node, with the function of its net input.
 *
 *     h1 = sigmoid(0.35 + 0.15*i1 + 0.2*i2)
 *     h2 = sigmoid(0.35 + 0.25*i1 + 0.3*i2)
 *     o1 = sigmoid(0.6 + 0.4*h1 + 0.45*h2)
 *
 * A number alone is the bias; an input that is left out has the weight 0. The nodes of a layer
 * stand in front of those that read them, and have one function: without one, the sum is the
 * output. Blanks between terms can be left out, but for that in front of a minus sign behind a
 * name, which may be part of it. Parameters stand in square brackets, piecewise[from=0, to=2](...).
 * Names that are not plain words are quoted, with a blank in front, 0.2 * "blood pressure"; a
 * semicolon ends a line as well. */
#ifndef CAIRN_MODEL_WEIGHTS_TEXT_H
#define CAIRN_MODEL_WEIGHTS_TEXT_H

#include "model/given.h"
#include "stats/layers.h"

typedef struct cairn_neural_names {
    const char *const *inputs;       /* n_in */
    const char *const *const *nodes; /* of every layer, n_out */
} cairn_neural_names;

/* All scratch. */
typedef struct cairn_neural_text {
    cairn_neural_layers layers;
    cairn_neural_names names;
    double *weights;   /* layers.n_weights */
    uint8_t *reported; /* the same: which of them the text names; a bias that is not told is 0 */
} cairn_neural_text;

/* `inputs` are the names that there are, in their order; NULL = as the text names them. Fails with
 * the place of a mistake. */
CAIRN_CHECKED cairn_status cairn_neural_text_read(cairn_context *ctx, cairn_neural_text *out,
                                                  const cairn_given *given,
                                                  const char *const *inputs, size_t n_inputs);
/* Weights that are 0 are left out, but for the first node of a layer, which names all inputs. */
void cairn_neural_text_write(cairn_text *out, const cairn_neural_layers *layers,
                             const double *weights, const cairn_neural_names *names);
/* Names h1, h2 ... of the nodes (of several hidden layers h1.1, h1.2 ..., h2.1 ...) and o1, o2 ...
 * of the outputs, with node_ in front where an input (NULL ends them; the list may be NULL) has a
 * name of that kind. Scratch. */
CAIRN_CHECKED cairn_status cairn_neural_node_names(cairn_context *ctx,
                                                   const char *const *const **out,
                                                   const cairn_neural_layers *layers,
                                                   const char *const *inputs);

#endif
