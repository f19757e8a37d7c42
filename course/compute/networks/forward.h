/* SPDX-License-Identifier: MIT */
/* Typed networks and what one row does in them, node by node. */
#ifndef CAIRN_COMPUTE_NETWORKS_FORWARD_H
#define CAIRN_COMPUTE_NETWORKS_FORWARD_H

#include "compute/networks/units.h"
#include "cairn/model.h"
#include "model/weights_text.h"

/* A network; all scratch. */
typedef struct cairn_forward {
    cairn_neural_text text;
    size_t n_nodes; /* of all layers, without inputs */
    bool reject;    /* a unit with a jump has no output at 0 */
} cairn_forward;

/* A text of lines 'h1 = sigmoid(0.3 + 0.5*x)', or the name of a file with one: whatever has no '='
 * in it. */
CAIRN_CHECKED cairn_status cairn_forward_read(cairn_context *ctx, cairn_forward *out,
                                              const char *network,
                                              const cairn_unit_options *options);
/* The network of a model of the learner network, in the notation in which that writes it down; its
 * inputs are what transforms make of columns. */
CAIRN_CHECKED cairn_status cairn_forward_of_model(cairn_context *ctx, cairn_forward *out,
                                                  const cairn_model *model);
/* Net inputs and outputs of all nodes, layer after layer (n_nodes each), for one row. Fails where a
 * sum leaves the numbers; `row` names it. A rejected output is NaN, and so is what reads it. */
CAIRN_CHECKED cairn_status cairn_forward_row(cairn_context *ctx, const cairn_forward *f,
                                             const double *x, const char *row, double *nets,
                                             double *outs);
/* The outputs of the last layer among those of all nodes. */
static inline const double *cairn_forward_last(const cairn_forward *f, const double *outs)
{
    return outs + f->n_nodes - f->text.layers.list[f->text.layers.n - 1].n_out;
}
/* Every sum and every output with the numbers put in. */
CAIRN_CHECKED cairn_status cairn_forward_work(cairn_context *ctx, cairn_report *out,
                                              const cairn_forward *f, const double *x,
                                              const double *nets, const double *outs);

#endif
