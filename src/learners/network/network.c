/* SPDX-License-Identifier: MIT */
/* Feed-forward networks, learned by backpropagation.
 *
 * Problem: weights of layers of neurons, out = f(b + Σ w x), with which the last layer's outputs
 * are near the targets: numbers, or one output for every class.
 *
 * Method: the error of a row is carried back through the layers (stats/layers.c), which gives the
 * slope of E by every weight; the weights move against it after every row, after every mini-batch,
 * or once per epoch by the sum over all rows, with momentum, Nesterov's or Adam's steps or by
 * L-BFGS. The weights of the least error are kept.
 *
 * Choices: unless said otherwise the outputs follow the task (linear for numbers, one sigmoid for
 * two classes, softmax for more) and so does the cost (squares, log loss); number targets of linear
 * outputs are standardised inside and brought back; weights of few rows move after every row in a
 * new random order each epoch, and of 100 rows and more a tenth is held out to end by. The error
 * of an epoch is the mean E of its rows as they were met, so that it costs no further pass.
 *
 * Sources: Rumelhart, Hinton and Williams, Learning representations by back-propagating errors
 * (1986); Glorot and Bengio (2010), He et al. (2015) for the first weights; Kingma and Ba, Adam
 * (2015). */
#include "learners/network/neural.h"
#include "base/file.h"
#include "base/memory.h"
#include "data/scaled.h"
#include "model/weights_text.h"
#include "parallel/parallel.h"
#include "transforms/computing.h"
#include <math.h>
#include <string.h>

/* The shape of a network and its first weights. */

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
    bool levels = run->list[0].field->kind == CAIRN_LEVEL;
    for (size_t t = 1; t < run->n_targets; t++)
        if ((run->list[t].field->kind == CAIRN_LEVEL) != levels)
            return cairn_fail(ctx, CAIRN_USAGE,
                              "the targets '%s' and '%s' are a number and classes; one network "
                              "learns several numbers or several columns of classes, so fit two",
                              run->list[0].field->name, run->list[t].field->name);
    return CAIRN_OK;
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

/* The lines themselves, which semicolons may separate, or the name of a file with them. */
static cairn_status take_start(cairn_context *ctx, cairn_neural_run *run, const char *start)
{
    OWNED(cairn_free) char *bytes = NULL;
    size_t length = strlen(start);
    bool typed = strchr(start, '=') != NULL;
    if (typed) {
        CHECK(NEW(ctx, &bytes, length + 1));
        for (size_t i = 0; i < length; i++) bytes[i] = start[i] == ';' ? '\n' : start[i];
    } else {
        CHECK(cairn_file_read_all(ctx, start, &bytes, &length));
    }
    cairn_given given = {
        .name = typed ? "the typed network" : start, .text = bytes, .length = length};
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

/* The answers of a network: outputs of the last layer as numbers and classes. */

enum { PIECE = 256 };

/* -- outputs -- */

/* Shares of a target's classes from its outputs: as they are, the second class being the rest of
 * one, or brought to a sum of 1 where each output is a share of its own. */
static void class_scores(const cairn_neural_model *m, const cairn_neural_target *target,
                         int32_t positive, const double *y, double *scores)
{
    size_t n = target->field->names.n;
    const cairn_activated *a = &cairn_neural_layers_last(&m->layers)->activation;
    if (target->n == 1 && n == 2) {
        size_t yes = cairn_neural_yes(target, positive);
        scores[yes] = (*y - m->low) / (m->high - m->low);
        scores[1 - yes] = 1 - scores[yes];
        return;
    }
    double sum = 0;
    for (size_t k = 0; k < target->n; k++) sum += scores[k] = y[k];
    for (size_t k = 0; k < target->n && strcmp(a->f->name, "sigmoid") == 0; k++)
        scores[k] = sum > 0 ? scores[k] / sum : 1 / (double)target->n;
}

typedef struct answers {
    const cairn_neural_model *m;
    const cairn_job *job;
    cairn_neural_target *list;
    const cairn_neural_target *lead;
    size_t n, n_out;
    double *all; /* rows x n_out, kept where further targets are wanted */
    cairn_prediction *out;
    cairn_row_matrix x;
    cairn_pass *passes; /* of every worker */
    double *z;          /* of every worker PIECE x n_in */
} answers;

/* Answers of rows from `first` on, from their outputs. */
static void put_rows(const answers *a, const double *y, size_t first, size_t n)
{
    cairn_prediction *out = a->out;
    size_t k = a->lead->first;
    for (size_t i = 0; i < n; i++) {
        const double *row = y + i * a->n_out + k;
        if (out->numbers) out->numbers[first + i] = a->m->shift[k] + a->m->unit[k] * *row;
        if (out->scores)
            class_scores(a->m, a->lead, a->job->positive, row,
                         out->scores + (first + i) * out->n_classes);
    }
    if (a->all) memcpy(a->all + first * a->n_out, y, n * a->n_out * sizeof *y);
}

/* A pass with room of its own does not fail. */
static void rows_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const answers *a = data;
    cairn_pass *pass = &a->passes[worker];
    double *z = a->z + (size_t)worker * PIECE * a->m->layers.n_in;
    (void)block;
    cairn_matrix_rows(&a->x, begin, end - begin, z);
    if (cairn_pass_forward(NULL, pass, &a->m->layers, a->m->weights, z, end - begin)) return;
    put_rows(a, pass->outs[a->m->layers.n - 1], begin, end - begin);
}

/* Every worker's pass and rows. */
static cairn_status open_passes(cairn_context *ctx, answers *a)
{
    size_t workers = (size_t)cairn_workers(ctx);
    size_t buffer = cairn_pass_buffer(&a->m->layers, PIECE);
    CHECK(SCRATCH(ctx, &a->passes, workers));
    for (size_t i = 0; i < workers; i++) {
        CHECK(cairn_pass_open(ctx, &a->passes[i], &a->m->layers, PIECE));
        CHECK(SCRATCH_RAW(ctx, &a->passes[i].buffer, buffer));
        a->passes[i].products = true;
    }
    return SCRATCH_RAW(ctx, &a->z,
                       cairn_product(cairn_product(workers, PIECE), a->m->layers.n_in) + 1);
}

/* -- further targets -- */

static cairn_status add_classes(cairn_context *ctx, cairn_table *out, const answers *a,
                                const cairn_neural_target *target)
{
    const cairn_map *names = &target->field->names;
    const char **keys;
    double *scores;
    int32_t *codes;
    CHECK(SCRATCH_EACH(ctx, names->n + 1, &keys, &scores));
    CHECK(SCRATCH(ctx, &codes, out->n_rows + 1));
    for (size_t k = 0; k < names->n; k++) keys[k] = cairn_map_key(names, k);
    for (size_t i = 0; i < out->n_rows; i++) {
        class_scores(a->m, target, a->job->positive, a->all + i * a->n_out + target->first, scores);
        for (size_t k = 1; k < names->n; k++)
            if (scores[k] > scores[codes[i]]) codes[i] = (int32_t)k;
    }
    return cairn_table_add_levels(ctx, out, target->field->name, codes, keys, names->n);
}

static cairn_status add_others(cairn_context *ctx, cairn_table *out, const answers *a)
{
    for (size_t t = 0; t < a->n; t++) {
        if (a->list[t].leads) continue;
        if (a->list[t].field->kind == CAIRN_LEVEL)
            CHECK(add_classes(ctx, out, a, &a->list[t]));
        else {
            const cairn_neural_target *target = &a->list[t];
            double *column;
            size_t k = target->first;
            CHECK(SCRATCH(ctx, &column, out->n_rows + 1));
            for (size_t i = 0; i < out->n_rows; i++)
                column[i] = a->m->shift[k] + a->m->unit[k] * a->all[i * a->n_out + k];
            CHECK(cairn_table_put_numbers(ctx, out, target->field->name, column));
        }
    }
    return CAIRN_OK;
}

/* A network whose outputs are not those of the schema's targets is refused, since its answers
 * would have no meaning. */
static cairn_status neural_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                   const cairn_job *job)
{
    const cairn_neural_model *m = model;
    size_t n = job->view->rows.n;
    answers a = {.m = m, .job = job, .out = out};
    cairn_matrix_options options = {.n_terms = m->layers.n_in};
    a.n_out = cairn_neural_layers_last(&m->layers)->n_out;
    CHECK(cairn_neural_model_targets(ctx, &a.list, &a.n, job->schema, &m->layers, &a.lead));
    if (!a.lead)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "the network has %zu outputs, which are not those of its targets",
                          a.n_out);
    CHECK(cairn_matrix_open(ctx, &a.x, job->view, &options));
    CHECK(open_passes(ctx, &a));
    if (out->extra && a.n > 1) CHECK(SCRATCH(ctx, &a.all, cairn_product(n, a.n_out) + 1));
    CHECK(cairn_blocks_sized(ctx, n, PIECE, (double)n * (double)m->layers.n_weights / 4, rows_block,
                             &a));
    return a.all && out->extra ? add_others(ctx, out->extra, &a) : CAIRN_OK;
}

/* A network as a program: a weighted sum and a formula for every layer, then the answer. */

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
    if (strcmp(name, "sigmoid") == 0) {
        /* 1/(1 + e⁻ˣ) of the top of the stack; e to a large power is infinite, and the quotient
         * 0. */
        cairn_computing_number(c, 1);
        cairn_computing_number(c, 1);
        cairn_computing_number(c, 0);
        cairn_computing_slot(c, slot);
        cairn_computing_do(c, CAIRN_DO_SUBTRACT, 2);
        (void)cairn_computing_function(c, "exp");
        cairn_computing_do(c, CAIRN_DO_SUM, 2);
        cairn_computing_do(c, CAIRN_DO_DIVIDE, 2);
    } else if (strcmp(name, "relu") == 0)
        relu(c, slot, a->p[0]);
    else if (strcmp(name, "softplus") == 0) {
        /* max(x, 0) + ln(1 + e^−|x|) */
        relu(c, slot, 0);
        cairn_computing_number(c, 1);
        cairn_computing_slot(c, slot);
        (void)cairn_computing_function(c, "abs");
        times(c, -1);
        (void)cairn_computing_function(c, "exp");
        cairn_computing_do(c, CAIRN_DO_SUM, 2);
        (void)cairn_computing_function(c, "log");
        cairn_computing_do(c, CAIRN_DO_SUM, 2);
    } else if (strcmp(name, "linear") == 0)
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
    if (last->n_out == 1) {
        /* Scores of two classes from one output: it and the rest of 1, in the places of the
         * classes. */
        int32_t y = first;
        size_t yes = job->positive < 0 ? 1 : (size_t)job->positive; /* as cairn_neural_yes */
        double unit = 1 / (m->high - m->low), constants[2], weights[2];
        constants[yes] = -m->low * unit;
        weights[yes] = unit;
        constants[1 - yes] = 1 + m->low * unit;
        weights[1 - yes] = -unit;
        return cairn_lower_affine(p, &y, 1, 2, constants, weights, NULL, &p->answer.scores);
    }
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

static cairn_status neural_lower(const void *model, const cairn_job *job, cairn_program *out)
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

static const cairn_choice loss_choices[] = {
    {"auto", CAIRN_NEURAL_LOSS_AUTO, "log for classes with sigmoid or softmax, else squares"},
    {"log", CAIRN_NEURAL_LOSS_LOG, "−Σ t ln y; of sigmoids −Σ (t ln y + (1 − t) ln(1 − y))"},
    {"squares", CAIRN_NEURAL_LOSS_SQUARES, "½ Σ (t − y)²"},
    {NULL, 0, NULL},
};
static const cairn_choice bias_choices[] = {
    {"node", CAIRN_NEURAL_BIAS_NODE, "one of every node"},
    {"layer", CAIRN_NEURAL_BIAS_LAYER, "one for all nodes of a layer"},
    {"none", CAIRN_NEURAL_BIAS_NONE, "none at the outputs, one of every hidden node"},
    {NULL, 0, NULL},
};
static const cairn_choice unit_choices[] = {
    {"auto", CAIRN_NEURAL_UNITS_AUTO, "standard with linear outputs, else none"},
    {"none", CAIRN_NEURAL_UNITS_NONE, "as they are"},
    {"standard", CAIRN_NEURAL_UNITS_STANDARD, "mean 0, standard deviation 1"},
    {"ten", CAIRN_NEURAL_UNITS_TEN, "from −10 to 10"},
    {NULL, 0, NULL},
};
static const cairn_choice update_choices[] = {
    {"auto", CAIRN_NEURAL_UPDATE_AUTO, "row for plain steps, epoch for lbfgs, else batch"},
    {"row", CAIRN_NEURAL_ROW, "after every row"},
    {"batch", CAIRN_NEURAL_BATCH, "after every mini-batch, by the mean over its rows"},
    {"epoch", CAIRN_NEURAL_EPOCH, "once per epoch, by the sum over all rows"},
    {NULL, 0, NULL},
};
static const cairn_choice solver_choices[] = {
    {"auto", CAIRN_NEURAL_SOLVER_AUTO, "adam from 100 training rows on, else plain"},
    {"plain", CAIRN_NEURAL_PLAIN, "steps along the gradient"},
    {"momentum", CAIRN_NEURAL_MOMENTUM, "with a part of the step before"},
    {"nesterov", CAIRN_NEURAL_NESTEROV, "momentum that looks ahead"},
    {"adam", CAIRN_NEURAL_ADAM, "steps by the size of each slope"},
    {"lbfgs", CAIRN_NEURAL_LBFGS, "L-BFGS on all rows"},
    {NULL, 0, NULL},
};
static const cairn_choice schedule_choices[] = {
    {"constant", CAIRN_NEURAL_CONSTANT, "η stays"},
    {"decreasing", CAIRN_NEURAL_DECREASING, "η/(1 + epoch/{rate-every})"},
    {"step", CAIRN_NEURAL_STEP, "times {rate-factor} after every {rate-every} epochs"},
    {"adaptive", CAIRN_NEURAL_ADAPTIVE,
     "5 per cent more after an epoch that lowers the error, times {rate-factor} after one that "
     "does not"},
    {NULL, 0, NULL},
};
static const cairn_choice init_choices[] = {
    {"auto", CAIRN_NEURAL_INIT_AUTO, "he for relu, else glorot"},
    {"glorot", CAIRN_NEURAL_INIT_GLOROT, "uniform up to √(6/(inputs + nodes))"},
    {"he", CAIRN_NEURAL_INIT_HE, "uniform up to √(6/inputs)"},
    {"small", CAIRN_NEURAL_INIT_SMALL, "uniform from −0.05 to 0.05"},
    {"normal", CAIRN_NEURAL_INIT_NORMAL, "normal with mean 0 and deviation 1"},
    {NULL, 0, NULL},
};
static const cairn_choice order_choices[] = {
    {"random", CAIRN_NEURAL_SHUFFLED, "a new random order in every epoch"},
    {"given", CAIRN_NEURAL_GIVEN_ORDER, "as they stand in the table"},
    {NULL, 0, NULL},
};

static const cairn_choice precision_choices[] = {
    {"auto", CAIRN_NEURAL_PRECISION_AUTO, "single for mini-batches of large networks"},
    {"double", CAIRN_NEURAL_DOUBLE, "64 bits"},
    {"single", CAIRN_NEURAL_SINGLE, "32 bits, for mini-batches; answers are made with 64"},
    {NULL, 0, NULL},
};

static const cairn_param neural_parameters[] = {
    CAIRN_PARAM_AS(cairn_neural_params, hidden, CAIRN_TYPE_LIST, NULL,
                   "nodes of the hidden layers, such as 4,3; 0 = no hidden layer; unless given 100 "
                   "from 100 training rows on, else 10",
                   .often = true, .when = "!start"),
    CAIRN_PARAM(cairn_neural_params, activation, NULL, NULL,
                "activation function of the hidden layers: one, or one for each; unless given relu "
                "for adam from 100 training rows on, else tanh",
                .often = true, .when = "!start"),
    CAIRN_PARAM(cairn_neural_params, output, NULL, NULL,
                "activation function of the outputs; unless given linear for numbers, sigmoid for "
                "two classes, softmax for more",
                .when = "!start"),
    CAIRN_PARAM_CHOICE(cairn_neural_params, loss, "auto", loss_choices,
                       "how outputs are held against targets"),
    CAIRN_PARAM_CHOICE(cairn_neural_params, biases, "node", bias_choices, "which biases there are"),
    CAIRN_PARAM_CHOICE(cairn_neural_params, target_scale, "auto", unit_choices,
                       "units of number targets inside the network"),
    CAIRN_PARAM_CHOICE(cairn_neural_params, solver, "auto", solver_choices, "how weights move",
                       .often = true),
    CAIRN_PARAM_CHOICE(cairn_neural_params, update, "auto", update_choices, "when weights move",
                       .when = "!solver=lbfgs"),
    CAIRN_PARAM_CALLED("batch_size", cairn_neural_params, batch, "32", "[1,1000000]",
                       "rows of a mini-batch", .when = "update=batch|auto", .was = "batch"),
    CAIRN_PARAM_CHOICE(cairn_neural_params, precision, "auto", precision_choices,
                       "numbers that mini-batches are worked out with",
                       .when = "update=batch|auto,!solver=lbfgs"),
    CAIRN_PARAM(
        cairn_neural_params, eta, CAIRN_NOT_GIVEN, "(0,inf)",
        "learning rate η; unless given 0.01 for adam (0.002 from 100 training rows on), else 0.1 "
        "(0.1(1 − μ) with momentum), or less where rows are long",
        .often = true, .when = "!solver=lbfgs"),
    CAIRN_PARAM(cairn_neural_params, momentum, "0.9", "[0,1)", "part of the step before",
                .when = "solver=momentum|nesterov"),
    CAIRN_PARAM_CHOICE(cairn_neural_params, schedule, "constant", schedule_choices,
                       "how η changes from epoch to epoch", .when = "!solver=lbfgs"),
    CAIRN_PARAM(cairn_neural_params, rate_factor, "0.5", "(0,1)", "factor of η",
                .when = "schedule=step|adaptive"),
    CAIRN_PARAM(cairn_neural_params, rate_every, "10", "[1,1000000]", "epochs of a step of η",
                .when = "schedule=step|decreasing"),
    CAIRN_PARAM(cairn_neural_params, decay, CAIRN_NOT_GIVEN, "[0,inf)",
                "weight decay λ: every step draws the weights towards 0 by η λ w; unless given "
                "0.001 for adam from 100 training rows on, else 0"),
    CAIRN_PARAM(cairn_neural_params, dropout, "0", "[0,1)",
                "share of hidden outputs that is left out of each pass while learning",
                .when = "!solver=lbfgs"),
    CAIRN_PARAM_CHOICE(cairn_neural_params, init, "auto", init_choices, "first weights",
                       .when = "!start"),
    CAIRN_PARAM_AS(cairn_neural_params, start, CAIRN_TYPE_FILE, NULL,
                   "the weights to start from, and with them the layers: lines such as h1 = "
                   "sigmoid(0.3 + 0.5*x), separated by ;, or a file with them"),
    CAIRN_PARAM_CHOICE(cairn_neural_params, order, "random", order_choices, "order of the rows",
                       .when = "protocol=batch"),
    CAIRN_PARAM_CHOICE(cairn_neural_params, protocol, "batch", cairn_protocol_choices,
                       "which rows are taken", .when = "!solver=lbfgs"),
    CAIRN_PARAM(cairn_neural_params, epochs, "200", "[1,1000000]", "most passes over the rows",
                .often = true, .when = "!protocol=online"),
    CAIRN_PARAM(cairn_neural_params, level, "0", "[0,inf)",
                "end when the mean E of an epoch is at most this", .when = "!solver=lbfgs"),
    CAIRN_PARAM_CALLED("tolerance", cairn_neural_params, change, "0", "[0,inf)",
                       "end when an epoch changes the mean E by less", .was = "change"),
    CAIRN_PARAM(cairn_neural_params, stable, "0", "[0,inf)",
                "end when no weight moves further than this in an epoch", .when = "!solver=lbfgs"),
    CAIRN_PARAM_CALLED(
        "hold_out", cairn_neural_params, held, CAIRN_NOT_GIVEN, "[0,1)",
        "share of the rows that is held out, to judge the weights by; unless given 0.1 "
        "from 100 training rows on (of up to 5000 for adam 0.2, to choose the epochs by, "
        "after which all are learned from), else 0",
        .when = "!solver=lbfgs", .was = "held"),
    CAIRN_PARAM(cairn_neural_params, patience, "20", "[0,1000000]",
                "end after so many epochs in which the rows held out were not better; 0 = never",
                .when = "!hold_out=0"),
    CAIRN_PARAM(cairn_neural_params, keep_best, "yes", NULL,
                "keep the weights of the least error, not the last ones", .when = "!solver=lbfgs"),
    CAIRN_PARAM_END,
};

/* -- fitting -- */

/* What nobody said, by the rows: few are learned from one by one by a small network, as it is done
 * by hand. Many can spare some to judge the weights by, without which a network that can learn them
 * by heart does so (docs/defaults.md has the figures). */
static void fill_in(cairn_neural_run *run)
{
    enum { MANY = 100, TOO_MANY = 5000 };
    cairn_neural_params *p = &run->chosen;
    *p = *(const cairn_neural_params *)run->job->params;
    bool many = run->job->view->rows.n >= MANY && run->reason != CAIRN_NEURAL_READ;
    if (p->solver == CAIRN_NEURAL_SOLVER_AUTO)
        p->solver = many ? CAIRN_NEURAL_ADAM : CAIRN_NEURAL_PLAIN;
    bool quick = many && p->solver == CAIRN_NEURAL_ADAM;
    if (!p->hidden) p->hidden = many ? "100" : "10";
    if (!p->activation) p->activation = quick ? "relu" : "tanh";
    if (isnan(p->decay)) p->decay = quick ? 0.001 : 0;
    run->tries = isnan(p->held) && quick && p->keep_best && run->job->view->rows.n <= TOO_MANY;
    if (p->protocol == CAIRN_PROTOCOL_ONLINE) { /* every row once, so none is left to judge by */
        p->epochs = 1;
        p->order = CAIRN_NEURAL_GIVEN_ORDER;
        if (isnan(p->held)) p->held = 0;
        run->tries = false;
    }
    if (isnan(p->held)) p->held = many && p->solver != CAIRN_NEURAL_LBFGS ? 0.1 : 0;
    if (run->tries) p->held = 0.2;
    if (isnan(p->eta) && quick) p->eta = 0.002;
    run->params = p;
}

static void clear_history(void *data)
{
    cairn_neural_history *history = data;
    FREE_EACH(history->values, history->held, history->absolute);
    *history = (cairn_neural_history){0};
}

/* The course is cut at the most epochs that are kept, but their number counts all of them. */
static cairn_status keep_history(cairn_context *ctx, cairn_neural_history *history,
                                 cairn_neural_run *run)
{
    size_t n = run->n_values < CAIRN_NEURAL_KEPT ? run->n_values : CAIRN_NEURAL_KEPT;
    history->epochs = run->n_values;
    history->n_values = n;
    const double *held = run->tried ? run->tried : run->held;
    history->n_held = run->n_held || run->tried ? n : 0;
    history->n_updates = run->steps_taken;
    history->best = run->kept;
    history->reason = (size_t)run->reason;
    history->eta = run->eta;
    CHECK(NEW(ctx, &history->values, n));
    CHECK(NEW(ctx, &history->held, history->n_held));
    memcpy(history->values, run->values, n * sizeof *history->values);
    memcpy(history->held, held, history->n_held * sizeof *history->held);
    history->n_outputs = run->n_out;
    CHECK(NEW(ctx, &history->absolute, run->n_out));
    return cairn_neural_distances(ctx, run, history->absolute, &history->rms, &history->error);
}

/* Rows, training and history of a network whose shape is there. */
static cairn_status train_network(cairn_context *ctx, cairn_neural_run *run)
{
    const cairn_job *job = run->job;
    SCOPED(cairn_neural_floats_close) __attribute__((unused)) cairn_neural_run *opened = run;
    CHECK(cairn_neural_open_rows(ctx, run));
    CHECK(cairn_neural_train(ctx, run));
    if (run->tried && run->reason == CAIRN_NEURAL_EPOCHS) run->reason = CAIRN_NEURAL_CHOSEN;
    if (job->steps) cairn_neural_show_epochs(run);
    if (job->steps) cairn_neural_show_rows(ctx, run);
    return job->history ? keep_history(ctx, job->history, run) : CAIRN_OK;
}

/* A given text decides the shape before a file to start from, and both before the parameters. */
static cairn_status make_network(cairn_context *ctx, cairn_neural_run *run,
                                 const cairn_given *given)
{
    const cairn_job *job = run->job;
    cairn_matrix_options options = {0};
    CHECK(cairn_matrix_open(ctx, &run->x, job->view, &options));
    run->n_in = run->x.n_terms;
    CHECK(cairn_term_names(ctx, &run->inputs, job->schema));
    /* The shape from the parameters and the job, or with weights from a text. */
    cairn_neural_model *m = run->model;
    m->biases = run->params->biases;
    if (given)
        CHECK(take_text(ctx, run, given));
    else if (run->params->start)
        CHECK(take_start(ctx, run, run->params->start));
    else
        CHECK(make_shape(ctx, run));
    CHECK(choose_cost(ctx, run));
    CHECK(NEW_EACH(ctx, run->n_out, &m->shift, &m->unit));
    for (size_t k = 0; k < run->n_out; k++) m->unit[k] = 1;
    if (!run->nodes) CHECK(cairn_neural_node_names(ctx, &run->nodes, &m->layers, run->inputs));
    return train_network(ctx, run);
}

static void neural_clear(void *model);

/* Of a table that is not large every row is worth learning from: a fifth is held out from a network
 * that is thrown away, to know after how many epochs it is best. */
static cairn_status choose_epochs(cairn_context *ctx, cairn_neural_run *run)
{
    SCOPED(neural_clear) cairn_neural_model model = {0};
    cairn_job job = *run->job;
    cairn_neural_run trial = *run;
    cairn_log_function log = ctx->log;
    job.steps = NULL;
    job.history = NULL;
    trial.job = &job;
    trial.model = &model;
    trial.params = &trial.chosen;
    ctx->log = NULL; /* the network that stays says the same */
    cairn_status status = make_network(ctx, &trial, NULL);
    ctx->log = log;
    CHECK(status);
    if (trial.reason == CAIRN_NEURAL_DIVERGED) return CAIRN_OK; /* which will be told */
    run->chosen.epochs = trial.kept ? (int)trial.kept : 1;
    run->chosen.held = 0;
    run->chosen.keep_best = false;
    run->tried = trial.held;
    return CAIRN_OK;
}

static cairn_status neural_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    cairn_neural_run run = {.job = job, .model = model};
    fill_in(&run);
    if (run.tries) CHECK(choose_epochs(ctx, &run));
    return make_network(ctx, &run, NULL);
}

static cairn_status neural_read(cairn_context *ctx, void *model, const cairn_job *job,
                                const cairn_given *given)
{
    cairn_neural_run run = {.job = job, .model = model};
    run.reason = CAIRN_NEURAL_READ;
    fill_in(&run);
    return make_network(ctx, &run, given);
}

/* Further rows: the weights go on from where they are, in the units that they have. */
static cairn_status neural_update(cairn_context *ctx, void *model, const cairn_job *job)
{
    cairn_neural_run run = {.job = job, .model = model};
    cairn_matrix_options options = {0};
    const cairn_neural_target *lead;
    fill_in(&run);
    run.again = run.begun = true;
    run.cost = (cairn_neural_cost)run.model->cost;
    run.n_out = cairn_neural_layers_last(&run.model->layers)->n_out;
    CHECK(cairn_matrix_open(ctx, &run.x, job->view, &options));
    run.n_in = run.x.n_terms;
    CHECK(cairn_neural_model_targets(ctx, &run.list, &run.n_targets, job->schema,
                                     &run.model->layers, &lead));
    if (!lead || run.n_in != run.model->layers.n_in)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "the new rows have a class or a column that the network has no node for; "
                          "fit it again on all rows");
    CHECK(cairn_term_names(ctx, &run.inputs, job->schema));
    CHECK(cairn_neural_node_names(ctx, &run.nodes, &run.model->layers, run.inputs));
    if (job->history) clear_history(job->history);
    return train_network(ctx, &run);
}

/* -- keeping -- */

/* A layer: its nodes, and its function by name with the parameters that this one has. */
static cairn_status archive_layer(cairn_archive *a, cairn_neural_layer *layer)
{
    bool reading = cairn_archive_reading(a);
    char *name = NULL;
    double *p = layer->activation.p;
    cairn_status status;
    if (!reading) name = (char *)(uintptr_t)layer->activation.f->name;
    TRY(cairn_archive_size(a, "n_out", &layer->n_out, UINT32_MAX));
    TRY(cairn_archive_text(a, "activation", &name));
    if (reading) layer->activation = cairn_activation_named(name ? name : "");
    if (!layer->activation.f || !layer->n_out)
        TRY(cairn_archive_damaged(a, "a layer has no nodes, or no function that is known"));
    for (size_t i = 0; layer->activation.f->params[i].name; i++)
        TRY(cairn_archive_real(a, "parameter", &p[i]));
    if (cairn_activation_fault(&layer->activation))
        TRY(cairn_archive_damaged(a, "a function has parameters that it cannot have"));
done:
    if (reading) cairn_free(name);
    return status;
}

/* The layers come first: they say how many weights follow. */
static cairn_status neural_archive(cairn_archive *a, void *model)
{
    cairn_neural_model *m = model;
    cairn_context *ctx = cairn_archive_context(a);
    CHECK(cairn_archive_size(a, "n_layers", &m->layers.n, 1000));
    CHECK(cairn_archive_size(a, "n_in", &m->layers.n_in, UINT32_MAX));
    if (!m->layers.n) CHECK(cairn_archive_damaged(a, "the network has no layers"));
    if (cairn_archive_reading(a)) CHECK(NEW(ctx, &m->layers.list, m->layers.n));
    for (size_t l = 0; l < m->layers.n; l++) CHECK(archive_layer(a, &m->layers.list[l]));
    if (cairn_archive_reading(a)) cairn_neural_layers_place(&m->layers);
    size_t n_out = cairn_neural_layers_last(&m->layers)->n_out;
    CHECK(cairn_archive_int(a, "biases", &m->biases));
    CHECK(cairn_archive_int(a, "cost", &m->cost));
    CHECK(cairn_archive_real(a, "low", &m->low));
    CHECK(cairn_archive_real(a, "high", &m->high));
    CHECK(cairn_archive_reals(a, "shift", &m->shift, n_out));
    CHECK(cairn_archive_reals(a, "unit", &m->unit, n_out));
    return cairn_archive_reals(a, "weights", &m->weights, m->layers.n_weights);
}

static cairn_status neural_check(cairn_archive *a, const void *model, const cairn_job *job)
{
    const cairn_neural_model *m = model;
    cairn_neural_target *list;
    const cairn_neural_target *lead;
    size_t n;
    cairn_context *ctx = cairn_archive_context(a);
    SCOPED_SCRATCH(ctx);
    CHECK(cairn_terms_check(a, job->schema, m->layers.n_in));
    CHECK(cairn_neural_model_targets(ctx, &list, &n, job->schema, &m->layers, &lead));
    if (!lead)
        CHECK(cairn_archive_damaged(a, "the network has another number of outputs than targets"));
    if (!(m->high > m->low)) CHECK(cairn_archive_damaged(a, "the codes of classes are the same"));
    return CAIRN_OK;
}

static void neural_clear(void *model)
{
    cairn_neural_model *m = model;
    FREE_EACH(m->layers.list, m->weights, m->shift, m->unit);
    *m = (cairn_neural_model){0};
}

static cairn_model_size neural_size(const void *model)
{
    return (cairn_model_size){.parameters = cairn_neural_parameters(model)};
}

static cairn_status archive_history(cairn_archive *a, void *data, const void *model)
{
    cairn_neural_history *history = data;
    (void)model;
    CHECK(cairn_archive_size(a, "epochs", &history->epochs, UINT32_MAX));
    CHECK(cairn_archive_size(a, "n_history", &history->n_values, CAIRN_NEURAL_KEPT));
    CHECK(cairn_archive_size(a, "n_held", &history->n_held, CAIRN_NEURAL_KEPT));
    CHECK(cairn_archive_size(a, "n_updates", &history->n_updates, SIZE_MAX >> 1));
    CHECK(cairn_archive_size(a, "best", &history->best, UINT32_MAX));
    CHECK(cairn_archive_size(a, "reason", &history->reason, CAIRN_NEURAL_REASONS - 1));
    CHECK(cairn_archive_size(a, "n_outputs", &history->n_outputs, UINT32_MAX));
    CHECK(cairn_archive_real(a, "eta", &history->eta));
    CHECK(cairn_archive_real(a, "error", &history->error));
    CHECK(cairn_archive_real(a, "rms", &history->rms));
    CHECK(cairn_archive_reals(a, "history", &history->values, history->n_values));
    CHECK(cairn_archive_reals(a, "held", &history->held, history->n_held));
    return cairn_archive_reals(a, "absolute", &history->absolute, history->n_outputs);
}

static const cairn_history neural_story = {
    .size = sizeof(cairn_neural_history), .archive = archive_history, .clear = clear_history};

static const cairn_output neural_outputs[] = {
    {"targets", "the answers for further targets, a column for each"},
    {NULL, NULL},
};

/* Shares of 1 come from sigmoid and softmax; of a file of weights it is not known before it is
 * read. */
static unsigned neural_traits(const void *params)
{
    const cairn_neural_params *p = params;
    bool shares =
        !p->output || strcmp(p->output, "sigmoid") == 0 || strcmp(p->output, "softmax") == 0;
    unsigned traits = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_GEOMETRIC | CAIRN_GRADING;
    return shares && !p->start ? traits | CAIRN_GIVES_PROBABILITIES : traits;
}

const cairn_learner cairn_neural_network = {
    .entry =
        {
            .kind = CAIRN_ENTRY_LEARNER,
            .name = "network",
            .also = "neural network, multilayer perceptron, MLP, backpropagation, deep network, "
                    "feed-forward network, artificial neural network, ANN, Adam (solver=adam), "
                    "MLPClassifier, MLPRegressor, MultilayerPerceptron, nnet, deep learning, deep "
                    "neural network, feedforward network",
            .about = "backward phase, hidden node, hidden layer, epoch, multi-layer network, "
                     "shallow network",
            .title = "Neural network",
            .summary =
                "Learns layers of neurons by backpropagation: any number of hidden layers, an "
                "activation function for each, one output for every number or class, several "
                "targets at once. The steps show the first updates with every net input, output, "
                "delta, slope and new weight, and check the slopes by small differences. Weights "
                "can be written as text, changed by hand and read again. Steps depend on the size "
                "of the columns, so they are standardised first unless --scale says otherwise.",
            .references =
                "Rumelhart, Hinton and Williams, Learning representations by back-propagating "
                "errors (1986); Kingma and Ba, Adam: a method for stochastic optimization (2015)",
            .example = "cairn fit network @iris --hidden 4,3 --epochs 50",
            .params = neural_parameters,
            .params_size = sizeof(cairn_neural_params),
        },
    .tasks = CAIRN_CLASSIFY | CAIRN_REGRESS,
    .space = "hidden=5,10,30\n"
             "decay=0.01,0.001,0",
    .accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_WEIGHTS | CAIRN_ACCEPTS_BAGS |
               CAIRN_ACCEPTS_NO_FEATURES | CAIRN_ACCEPTS_TARGETS | CAIRN_WANTS_SCALING |
               CAIRN_ACCEPTS_SCALED,
    .traits = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_GEOMETRIC | CAIRN_GRADING |
              CAIRN_GIVES_PROBABILITIES,
    .model_size = sizeof(cairn_neural_model),
    .tables = cairn_neural_tables,
    .history = &neural_story,
    .gives_scores = true,
    .outputs = neural_outputs,
    .fit = neural_fit,
    .read = neural_read,
    .forms = cairn_neural_forms,
    .lower = neural_lower,
    .predict = neural_predict,
    .update = neural_update,
    .traits_with = neural_traits,
    .describe = cairn_neural_describe,
    .figures = cairn_neural_figures,
    .archive = neural_archive,
    .check = neural_check,
    .clear = neural_clear,
    .size = neural_size,
};
