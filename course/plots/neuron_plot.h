/* SPDX-License-Identifier: MIT */
/* Pictures of neurons and of layered networks: discs for inputs and nodes, arrows with weights. */
#ifndef CAIRN_PLOTS_NEURON_PLOT_H
#define CAIRN_PLOTS_NEURON_PLOT_H

#include "draw/figure.h"
#include "stats/layers.h"

enum { CAIRN_MOST_DRAWN_NODES = 24, CAIRN_MOST_DRAWN_LAYERS = 12 };

/* One neuron; all borrowed. */
typedef struct cairn_neuron_scene {
    const char *const *inputs; /* n names */
    const double *weights;     /* n */
    size_t n;                  /* at most CAIRN_MOST_DRAWN_NODES */
    double bias;
    const double *x; /* n inputs with the net input and the output that they make; NULL = none */
    double net, output;
    const char *function;
    bool detailed; /* sum and function in boxes of their own, not one disc for both */
} cairn_neuron_scene;

CAIRN_CHECKED cairn_status cairn_neuron_plot(cairn_context *ctx, cairn_figure **out,
                                             const cairn_neuron_scene *scene);

/* How biases are drawn. */
typedef enum { CAIRN_BIASES_NONE, CAIRN_BIASES_NUMBERS, CAIRN_BIASES_NODES } cairn_drawn_biases;

/* A network; all borrowed. */
typedef struct cairn_layers_scene {
    const cairn_neural_layers *layers;
    const double *weights; /* as in stats/layers.h; NULL = the arrows bear no numbers */
    const char *const *inputs;
    const char *const *const *nodes;
    const double *x, *outs;     /* inputs, and outputs of all nodes; NULL = none */
    const char *const *targets; /* of the outputs; NULL = none */
    cairn_drawn_biases biases;
    bool notation; /* Y and W with the numbers of layer, node and input, in place of names */
    bool bare;     /* arrows without weights or W */
} cairn_layers_scene;

/* Of a layer with too many nodes the first ones and the last are drawn, with dots between them.
 * More than CAIRN_MOST_DRAWN_LAYERS layers fail. */
CAIRN_CHECKED cairn_status cairn_layers_plot(cairn_context *ctx, cairn_figure **out,
                                             const cairn_layers_scene *scene);

#endif
