/* SPDX-License-Identifier: MIT */
/* The shape of a network and its first weights. */
#include "base/file.h"
#include "base/memory.h"
#include "learners/network/neural.h"
#include "model/weights_text.h"
#include <math.h>
#include <string.h>

enum { MOST_NODES = 1000000, MOST_LAYERS = 100 };

/* -- biases -- */

static bool has_biases(const cairn_neural_model *m, size_t layer)
{
    return m->biases != CAIRN_NEURAL_BIAS_NONE || layer + 1 < m->layers.n;
}

double cairn_neural_parameters(const cairn_neural_model *m)
{
    double n = 0;
    for (size_t l = 0; l < m->layers.n; l++) {
        const cairn_neural_layer *layer = &m->layers.list[l];
        n += (double)layer->n_in * (double)layer->n_out;
        if (has_biases(m, l)) n += m->biases == CAIRN_NEURAL_BIAS_LAYER ? 1 : (double)layer->n_out;
    }
    return n;
}

void cairn_neural_tie(const cairn_neural_model *m, double *numbers, bool sum)
{
    for (size_t l = 0; l < m->layers.n; l++) {
        const cairn_neural_layer *layer = &m->layers.list[l];
        double *bias = numbers + layer->first + layer->n_in, all = 0;
        size_t step = layer->n_in + 1;
        bool there = has_biases(m, l);
        if (there && m->biases != CAIRN_NEURAL_BIAS_LAYER) continue;
        for (size_t j = 0; there && j < layer->n_out; j++) all += bias[j * step];
        if (!sum) all /= (double)layer->n_out;
        for (size_t j = 0; j < layer->n_out; j++) bias[j * step] = all;
    }
}

/* -- shape -- */

static cairn_status refuse_mixture(cairn_context *ctx, const cairn_neural_run *run)
{
    bool levels = run->list[0].field->kind == CAIRN_LEVEL;
    for (size_t t = 1; t < run->n_targets; t++)
        if ((run->list[t].field->kind == CAIRN_LEVEL) != levels)
            return cairn_fail(ctx, CAIRN_USAGE,
                              "the targets '%s' and '%s' are a number and classes; one network "
                              "learns several numbers or several columns of classes, so fit two",
                              run->list[0].field->name, run->list[t].field->name);
    return CAIRN_OK;
}

/* The output function that the task asks for. */
static const char *usual_output(const cairn_neural_run *run)
{
    const cairn_field *field = run->list[0].field;
    if (field->kind != CAIRN_LEVEL) return "linear";
    return run->n_targets == 1 && field->names.n != 2 ? "softmax" : "sigmoid";
}

static cairn_status find_targets(cairn_context *ctx, cairn_neural_run *run, bool one_of_two)
{
    CHECK(cairn_neural_targets(ctx, &run->list, &run->n_targets, &run->n_out, run->job->schema,
                               one_of_two));
    if (!run->n_targets)
        return cairn_fail(ctx, CAIRN_USAGE, "network needs a target: name it with {target}");
    return refuse_mixture(ctx, run);
}

static cairn_status read_sizes(cairn_context *ctx, const char *list, double **out, size_t *n)
{
    CHECK(cairn_list_numbers(ctx, cairn_say(ctx, "{hidden}"), list, out, n));
    if (*n == 1 && (*out)[0] == 0) *n = 0;
    if (*n > MOST_LAYERS)
        return cairn_fail(ctx, CAIRN_USAGE, "{hidden} has %zu layers; at most %d are possible", *n,
                          MOST_LAYERS);
    for (size_t i = 0; i < *n; i++)
        if (!((*out)[i] >= 1 && (*out)[i] <= MOST_NODES && (*out)[i] == floor((*out)[i])))
            return cairn_fail(ctx, CAIRN_USAGE,
                              "{hidden} %s: a layer has a whole number of nodes, from 1 to %d (0 "
                              "alone = no hidden layer)",
                              list, MOST_NODES);
    return CAIRN_OK;
}

/* One function for all hidden layers, or one for each. */
static cairn_status read_functions(cairn_context *ctx, cairn_neural_layers *layers,
                                   const char *list)
{
    const char *what = cairn_say(ctx, "{activation}");
    char **names;
    size_t n, hidden = layers->n - 1;
    CHECK(cairn_list_split(ctx, list, &names, &n));
    if (n != 1 && n != hidden)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{activation} names %zu functions for %zu hidden layer%s; name one for "
                          "all, or one for each",
                          n, hidden, hidden == 1 ? "" : "s");
    for (size_t l = 0; l < hidden; l++) {
        cairn_activated *a = &layers->list[l].activation;
        CHECK(cairn_activation_read(ctx, a, what, names[n == 1 ? 0 : l]));
        if (!a->f->slope || a->f->together)
            return cairn_fail(ctx, CAIRN_USAGE,
                              "{activation} %s has no slope to learn by; sigmoid, tanh, th and "
                              "relu have",
                              a->f->name);
    }
    return CAIRN_OK;
}

/* Layers by the parameters; outputs by the targets. */
static cairn_status make_shape(cairn_context *ctx, cairn_neural_run *run)
{
    const cairn_neural_params *p = run->params;
    cairn_neural_layers *layers = &run->model->layers;
    double *sizes;
    size_t hidden;
    cairn_activated output;
    CHECK(find_targets(ctx, run, false));
    CHECK(cairn_activation_read(ctx, &output, cairn_say(ctx, "{output}"),
                                p->output ? p->output : usual_output(run)));
    CHECK(find_targets(ctx, run, !output.f->together));
    CHECK(read_sizes(ctx, p->hidden, &sizes, &hidden));
    CHECK(NEW(ctx, &layers->list, hidden + 1));
    layers->n = hidden + 1;
    layers->n_in = run->n_in;
    for (size_t l = 0; l < hidden; l++) layers->list[l].n_out = (size_t)sizes[l];
    layers->list[hidden].n_out = run->n_out;
    layers->list[hidden].activation = output;
    if (hidden) CHECK(read_functions(ctx, layers, p->activation));
    cairn_neural_layers_place(layers);
    return NEW(ctx, &run->model->weights, layers->n_weights);
}

/* Layers and weights of a text, whose last layer must have an output for every target. */
static cairn_status take_text(cairn_context *ctx, cairn_neural_run *run, const cairn_given *given)
{
    cairn_neural_text text;
    cairn_neural_layers *layers = &run->model->layers;
    CHECK(cairn_neural_text_read(ctx, &text, given, run->inputs, run->n_in));
    const cairn_neural_layer *last = cairn_neural_layers_last(&text.layers);
    if (text.layers.n > MOST_LAYERS)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "%s has %zu layers; at most %d are possible",
                          given->name, text.layers.n, MOST_LAYERS);
    CHECK(find_targets(ctx, run, !last->activation.f->together));
    if (last->n_out != run->n_out) {
        size_t one = run->n_out;
        CHECK(find_targets(ctx, run, false));
        if (last->n_out != run->n_out)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "%s: the last layer has %zu node%s, but the target needs %zu "
                              "output%s; write a line for each",
                              given->name, last->n_out, last->n_out == 1 ? "" : "s", one,
                              one == 1 ? "" : "s");
    }
    *layers = (cairn_neural_layers){text.layers.n, text.layers.n_in, text.layers.n_weights, NULL};
    CHECK(NEW(ctx, &layers->list, layers->n));
    memcpy(layers->list, text.layers.list, layers->n * sizeof *layers->list);
    CHECK(NEW(ctx, &run->model->weights, layers->n_weights));
    memcpy(run->model->weights, text.weights, layers->n_weights * sizeof *text.weights);
    run->nodes = text.names.nodes;
    run->begun = true;
    return CAIRN_OK;
}

static cairn_status take_file(cairn_context *ctx, cairn_neural_run *run, const char *path)
{
    OWNED(cairn_free) char *bytes = NULL;
    size_t length;
    CHECK(cairn_file_read_all(ctx, path, &bytes, &length));
    cairn_given given = {.name = path, .text = bytes, .length = length};
    return take_text(ctx, run, &given);
}

/* The cost by the parameter, or the one that goes with the output. */
static cairn_status choose_cost(cairn_context *ctx, cairn_neural_run *run)
{
    const cairn_activated *a = &cairn_neural_layers_last(&run->model->layers)->activation;
    bool shares = a->f->together || strcmp(a->f->name, "sigmoid") == 0;
    bool classes = run->list[0].field->kind == CAIRN_LEVEL;
    double low, high;
    int loss = run->params->loss;
    if (loss == CAIRN_NEURAL_LOSS_AUTO)
        loss = classes && shares ? CAIRN_NEURAL_LOSS_LOG : CAIRN_NEURAL_LOSS_SQUARES;
    if (loss == CAIRN_NEURAL_LOSS_LOG && !(classes && shares))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{loss log} is about probabilities of classes, which %s does not give; "
                          "leave it out, or choose {output sigmoid} or {output softmax} for "
                          "classes",
                          classes ? a->f->name : "a number");
    run->cost = loss == CAIRN_NEURAL_LOSS_LOG ? CAIRN_NEURAL_COST_LOG : CAIRN_NEURAL_COST_SQUARES;
    run->model->cost = (int32_t)run->cost;
    a->f->range(a->p, &low, &high);
    run->model->low = low == -1 ? -1 : 0;
    run->model->high = 1;
    return CAIRN_OK;
}

cairn_status cairn_neural_shape(cairn_context *ctx, cairn_neural_run *run, const cairn_given *given)
{
    cairn_neural_model *m = run->model;
    m->biases = run->params->biases;
    if (given)
        CHECK(take_text(ctx, run, given));
    else if (run->params->start)
        CHECK(take_file(ctx, run, run->params->start));
    else
        CHECK(make_shape(ctx, run));
    CHECK(choose_cost(ctx, run));
    CHECK(NEW(ctx, &m->shift, run->n_out));
    CHECK(NEW(ctx, &m->unit, run->n_out));
    for (size_t k = 0; k < run->n_out; k++) m->unit[k] = 1;
    if (!run->nodes) CHECK(cairn_neural_node_names(ctx, &run->nodes, &m->layers, run->inputs));
    return CAIRN_OK;
}

/* -- first weights -- */

/* How far the weights of a layer reach, and by which law: uniform, or normal with that spread. */
static double reach(const cairn_neural_layer *layer, int init, bool *normal)
{
    bool relu = strcmp(layer->activation.f->name, "relu") == 0;
    double in = (double)layer->n_in, out = (double)layer->n_out;
    *normal = init == CAIRN_NEURAL_INIT_NORMAL;
    if (*normal) return 1;
    if (init == CAIRN_NEURAL_INIT_SMALL) return 0.05;
    if (init == CAIRN_NEURAL_INIT_HE || (init == CAIRN_NEURAL_INIT_AUTO && relu))
        return sqrt(6 / fmax(in, 1));
    return sqrt(6 / (in + out));
}

/* Glorot's and He's weights keep the spread of what goes through the layers, and begin without
 * biases; the others draw these as well. */
cairn_status cairn_neural_first_weights(cairn_context *ctx, cairn_neural_run *run)
{
    cairn_neural_model *m = run->model;
    int init = run->params->init;
    bool biases = init == CAIRN_NEURAL_INIT_SMALL || init == CAIRN_NEURAL_INIT_NORMAL, normal;
    cairn_random random;
    cairn_random_start(&random, cairn_context_seed(ctx), 2);
    for (size_t l = 0; l < m->layers.n && !run->begun; l++) {
        const cairn_neural_layer *layer = &m->layers.list[l];
        double far = reach(layer, init, &normal), *w = m->weights + layer->first;
        for (size_t j = 0; j < layer->n_out; j++)
            for (size_t i = 0; i <= layer->n_in; i++, w++)
                if (i < layer->n_in || biases)
                    *w = normal ? cairn_random_normal(&random)
                                : far * (2 * cairn_random_uniform(&random) - 1);
    }
    run->begun = true;
    cairn_neural_tie(m, m->weights, false);
    return CAIRN_OK;
}
