/* SPDX-License-Identifier: MIT */
/* A network as a program: a weighted sum and a formula for every layer, then the answer. */
#include "base/memory.h"
#include "learners/network/neural.h"
#include "transforms/computing.h"
#include <math.h>
#include <string.h>

/* 1/(1 + e⁻ˣ) of the top of the stack; e to a large power is infinite, and the quotient 0. */
static void sigmoid(cairn_computing *c, int32_t slot)
{
    cairn_computing_number(c, 1);
    cairn_computing_number(c, 1);
    cairn_computing_number(c, 0);
    cairn_computing_slot(c, slot);
    cairn_computing_do(c, CAIRN_DO_SUBTRACT, 2);
    (void)cairn_computing_function(c, "exp");
    cairn_computing_do(c, CAIRN_DO_SUM, 2);
    cairn_computing_do(c, CAIRN_DO_DIVIDE, 2);
}

static void times(cairn_computing *c, double factor)
{
    cairn_computing_number(c, factor);
    cairn_computing_do(c, CAIRN_DO_MULTIPLY, 2);
}

/* leak·min(x, 0) + max(x, 0) */
static void relu(cairn_computing *c, int32_t slot, double leak)
{
    cairn_computing_slot(c, slot);
    cairn_computing_number(c, 0);
    cairn_computing_do(c, CAIRN_DO_MAX, 2);
    if (leak == 0) return;
    cairn_computing_slot(c, slot);
    cairn_computing_number(c, 0);
    cairn_computing_do(c, CAIRN_DO_MIN, 2);
    times(c, leak);
    cairn_computing_do(c, CAIRN_DO_SUM, 2);
}

/* max(x, 0) + ln(1 + e^−|x|) */
static void softplus(cairn_computing *c, int32_t slot)
{
    relu(c, slot, 0);
    cairn_computing_number(c, 1);
    cairn_computing_slot(c, slot);
    (void)cairn_computing_function(c, "abs");
    times(c, -1);
    (void)cairn_computing_function(c, "exp");
    cairn_computing_do(c, CAIRN_DO_SUM, 2);
    (void)cairn_computing_function(c, "log");
    cairn_computing_do(c, CAIRN_DO_SUM, 2);
}

static void linear(cairn_computing *c, int32_t slot, const double *p)
{
    cairn_computing_slot(c, slot);
    times(c, p[0]);
    cairn_computing_number(c, p[1]);
    cairn_computing_do(c, CAIRN_DO_SUM, 2);
}

/* Puts f(slot) on the stack; false = there is no formula for it. */
static bool function(cairn_computing *c, const cairn_activated *a, int32_t slot)
{
    const char *name = a->f->name;
    if (strcmp(name, "sigmoid") == 0)
        sigmoid(c, slot);
    else if (strcmp(name, "relu") == 0)
        relu(c, slot, a->p[0]);
    else if (strcmp(name, "softplus") == 0)
        softplus(c, slot);
    else if (strcmp(name, "linear") == 0)
        linear(c, slot, a->p);
    else if (strcmp(name, "tanh") == 0 || strcmp(name, "th") == 0) {
        cairn_computing_slot(c, slot);
        if (name[1] == 'h') times(c, 0.5);
        return cairn_computing_function(c, "tanh");
    } else
        return false;
    return true;
}

static cairn_status lower_function(cairn_program *p, const cairn_neural_layer *layer,
                                   int32_t *first)
{
    cairn_computing c = cairn_computing_start(p);
    for (size_t j = 0; j < layer->n_out; j++) {
        if (!function(&c, &layer->activation, *first + (int32_t)j))
            return cairn_program_refuse(p, "the activation function %s has no closed form here",
                                        layer->activation.f->name);
        cairn_computing_write(&c);
    }
    return cairn_computing_end(&c, first);
}

/* Net inputs of a layer from slots. */
static cairn_status lower_nets(cairn_program *p, const cairn_neural_model *m,
                               const cairn_neural_layer *layer, const int32_t *in, int32_t *first)
{
    double *weights, *biases;
    CHECK(SCRATCH(p->ctx, &weights, cairn_product(layer->n_in, layer->n_out) + 1));
    CHECK(SCRATCH(p->ctx, &biases, layer->n_out));
    for (size_t j = 0; j < layer->n_out; j++) {
        const double *w = m->weights + layer->first + j * (layer->n_in + 1);
        memcpy(weights + j * layer->n_in, w, layer->n_in * sizeof *w);
        biases[j] = w[layer->n_in];
    }
    return cairn_lower_affine(p, in, layer->n_in, layer->n_out, biases, weights, NULL, first);
}

static cairn_status follow(cairn_program *p, int32_t first, size_t n, int32_t **out)
{
    CHECK(SCRATCH(p->ctx, out, n + 1));
    for (size_t i = 0; i < n; i++) (*out)[i] = first + (int32_t)i;
    return CAIRN_OK;
}

/* Scores of two classes from one output: it and the rest of 1, in the places of the classes. */
static cairn_status lower_two(cairn_program *p, const cairn_neural_model *m, const cairn_job *job,
                              int32_t y)
{
    size_t yes = job->positive < 0 ? 1 : (size_t)job->positive; /* as cairn_neural_yes */
    double unit = 1 / (m->high - m->low), constants[2], weights[2];
    constants[yes] = -m->low * unit;
    weights[yes] = unit;
    constants[1 - yes] = 1 + m->low * unit;
    weights[1 - yes] = -unit;
    return cairn_lower_affine(p, &y, 1, 2, constants, weights, NULL, &p->answer.scores);
}

static cairn_status lower_softmax(cairn_program *p, const int32_t *in, size_t n)
{
    cairn_operation *op;
    int32_t *places;
    CHECK(cairn_program_add(p, CAIRN_OP_SOFTMAX, in, n, n, &op));
    CHECK(cairn_op_codes(p, op, 0, n, &places));
    for (size_t k = 0; k < n; k++) places[k] = (int32_t)k;
    p->answer.scores = op->out;
    return CAIRN_OK;
}

/* What the last layer's outputs say: a number in its units, or scores of the classes. */
static cairn_status lower_answer(cairn_program *p, const cairn_neural_model *m,
                                 const cairn_job *job, int32_t first)
{
    const cairn_neural_layer *last = cairn_neural_layers_last(&m->layers);
    cairn_operation *op;
    int32_t *in;
    if (job->task == CAIRN_REGRESS)
        return cairn_lower_affine(p, &first, 1, 1, m->shift, m->unit, NULL, &p->answer.number);
    if (last->n_out == 1) return lower_two(p, m, job, first);
    p->answer.scores = first;
    if (strcmp(last->activation.f->name, "sigmoid") != 0) return CAIRN_OK;
    CHECK(follow(p, first, last->n_out, &in));
    CHECK(cairn_program_add(p, CAIRN_OP_SHARES, in, last->n_out, last->n_out, &op));
    p->answer.scores = op->out;
    return CAIRN_OK;
}

static bool has_several(const cairn_schema *schema)
{
    size_t n = 0;
    for (size_t i = 0; i < schema->n_fields; i++) n += schema->fields[i].role == CAIRN_TARGET;
    return n > 1;
}

cairn_status cairn_neural_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    const cairn_neural_model *m = model;
    int32_t *in, first = 0;
    size_t n;
    if (has_several(job->schema))
        return cairn_program_refuse(out, "it answers several targets; fit them one by one");
    CHECK(cairn_program_terms(out, &in, &n));
    for (size_t l = 0; l < m->layers.n; l++) {
        const cairn_neural_layer *layer = &m->layers.list[l];
        CHECK(lower_nets(out, m, layer, in, &first));
        CHECK(follow(out, first, layer->n_out, &in));
        if (layer->activation.f->together) return lower_softmax(out, in, layer->n_out);
        CHECK(lower_function(out, layer, &first));
        CHECK(follow(out, first, layer->n_out, &in));
    }
    return lower_answer(out, m, job, first);
}
