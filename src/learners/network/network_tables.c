/* SPDX-License-Identifier: MIT */
/* The weights of networks as tables. */
#include "learners/network/neural.h"
#include "learners/network/recurrent.h"
#include "model/learned.h"
#include "rows/matrix.h"
#include <math.h>

/* One weight; `from` NULL is the bias. Nodes are numbered from 1 in their layers. */
static void write_weight(cairn_ledger *out, size_t layer, size_t node, const char *from,
                         double weight)
{
    cairn_ledger_cells(out, layer, (double)node + 1, from, weight);
}

/* The same with a node of a layer as its origin. */
static void write_link(cairn_ledger *out, size_t layer, size_t node, const char *kind, size_t from,
                       double weight)
{
    cairn_ledger_cells(out, layer, (double)node + 1);
    cairn_ledger_wordf(out, "%s%zu", kind, from + 1);
    cairn_ledger_number(out, weight);
}

static void begin(cairn_ledger *out)
{
    cairn_ledger_columns(out, "nntn", "layer", "node", "from", "weight");
}

static void write_layer(cairn_ledger *out, const cairn_neural_model *m, size_t k,
                        const char *const *inputs)
{
    const cairn_neural_layer *layer = &m->layers.list[k];
    for (size_t j = 0; j < layer->n_out; j++) {
        const double *w = cairn_node_weights(layer, m->weights, j);
        for (size_t i = 0; i < layer->n_in; i++) {
            if (k == 0)
                write_weight(out, 1, j, inputs[i], w[i]);
            else
                write_link(out, k + 1, j, "node ", i, w[i]);
        }
        write_weight(out, k + 1, j, "(bias)", w[layer->n_in]);
    }
}

static void write_weights(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_neural_model *m = model;
    const char *const *inputs;
    begin(out);
    cairn_ledger_failed(out, cairn_term_names(out->ctx, &inputs, job->schema));
    for (size_t k = 0; k < m->layers.n && !out->status; k++) write_layer(out, m, k, inputs);
}

static void write_outputs(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_neural_model *m = model;
    (void)job;
    cairn_ledger_columns(out, "nnn", "output", "shift", "unit");
    for (size_t j = 0; j < cairn_neural_layers_last(&m->layers)->n_out; j++) {
        cairn_ledger_cells(out, (double)j + 1, m->shift ? m->shift[j] : NAN,
                           m->unit ? m->unit[j] : NAN);
    }
}

const cairn_learned cairn_neural_tables[] = {
    CAIRN_LEARNED("weights", "weight of a node: of an input, of a node before, or its bias",
                  write_weights),
    CAIRN_LEARNED("outputs", "output; a number is shift + unit times what it gives", write_outputs),
    CAIRN_LEARNED_END};

static void write_recurrent(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_recurrent_model *m = model;
    size_t wide = cairn_recurrent_wide(m);
    (void)job;
    begin(out);
    for (size_t j = 0; j < m->n_hidden; j++) {
        const double *w = m->weights + j * wide;
        for (size_t i = 0; i < m->n_in; i++) write_link(out, 1, j, "input ", i, w[i]);
        for (size_t i = 0; i < m->n_hidden; i++)
            write_link(out, 1, j, "node before ", i, w[m->n_in + i]);
        write_weight(out, 1, j, "(bias)", w[wide - 1]);
    }
    for (size_t j = 0; j < m->n_out; j++) {
        const double *w = cairn_recurrent_last(m, m->weights) + j * (m->n_hidden + 1);
        for (size_t i = 0; i < m->n_hidden; i++) write_link(out, 2, j, "node ", i, w[i]);
        write_weight(out, 2, j, "(bias)", w[m->n_hidden]);
    }
}

const cairn_learned cairn_recurrent_tables[] = {
    CAIRN_LEARNED("weights",
                  "weight of a node: of an input, of a node one step before, or its bias",
                  write_recurrent),
    CAIRN_LEARNED_END};
