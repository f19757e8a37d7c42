/* SPDX-License-Identifier: MIT */
/* cairn compute forward: a typed network computes the outputs of every node, for typed inputs or
 * the rows of a table; and cairn draw neural-network. */
#include "compute/networks/forward.h"

#include "base/memory.h"
#include "base/number.h"
#include "model/model.h"
#include "plots/neuron_plot.h"
#include "typed/numbers.h"
#include "typed/vectors.h"
#include "report/table_rows.h"

#include <math.h>
#include <stdio.h>

enum { SHOWN_ROWS = 200, WORKED_ROWS = 10, MOST_COLUMNS = 8, MOST_NUMBERS = 48 };

typedef struct forward_params {
    const char *network, *inputs, *targets;
    cairn_unit_options options;
} forward_params;

static const cairn_param forward_table[] = {
    CAIRN_PARAM(forward_params, network, NULL, NULL,
                "the network, or a file with it: a line for every node, or separated by ;, such as "
                "'h1 = sigmoid(0.3 + 0.5*x1 - 0.2*x2); o1 = sigmoid(-0.1 + 0.4*h1)'",
                .required = true, .often = true),
    CAIRN_PARAM(forward_params, inputs, NULL, NULL,
                "the inputs in the order in which the network names them, such as 0.05,0.1; "
                "several rows are separated by ;; else the rows of DATA",
                .often = true),
    CAIRN_PARAM(forward_params, targets, NULL, NULL,
                "the outputs that are wanted, such as 0.01,0.99, for every row; with DATA its "
                "targets"),
    CAIRN_PARAM_GROUP(forward_params, options, cairn_unit_params),
    CAIRN_PARAM_END,
};

typedef struct passes {
    cairn_forward f;
    cairn_vectors inputs;
    size_t n_out;
    const double *targets; /* rows x n_out; NULL = none */
    double *nets, *outs;   /* rows x n_nodes */
} passes;

/* -- reading -- */

/* The columns that the network names, of rows without a gap. */
static cairn_status read_columns(cairn_context *ctx, passes *s, const cairn_table *table)
{
    size_t p = s->f.text.layers.n_in, n = table->n_rows;
    s->inputs = (cairn_vectors){.n = n, .width = p};
    CHECK(SCRATCH_RAW(ctx, &s->inputs.values, cairn_product(n, p)));
    CHECK(SCRATCH(ctx, &s->inputs.names, n));
    for (size_t j = 0; j < p; j++) {
        const char *name = s->f.text.names.inputs[j];
        const double *values;
        size_t column;
        CHECK(cairn_table_get(ctx, table, name, &column));
        CHECK(cairn_number_column(ctx, &values, table, column, "network"));
        for (size_t i = 0; i < n; i++) {
            if (!isfinite(values[i]))
                return cairn_fail(ctx, CAIRN_BAD_DATA,
                                  "%s, row %zu: '%s' is missing or infinite; a forward pass needs "
                                  "all inputs",
                                  table->source ? table->source : "the table", i + 1, name);
            s->inputs.values[i * p + j] = values[i];
        }
    }
    for (size_t i = 0; i < n; i++) {
        char *name;
        CHECK(SCRATCH(ctx, &name, 28));
        snprintf(name, 28, "row%zu", i + 1);
        s->inputs.names[i] = name;
    }
    return CAIRN_OK;
}

/* Target columns, where there are as many as outputs; others are none of the network's. */
static cairn_status read_targets(cairn_context *ctx, passes *s, const cairn_table *table)
{
    size_t n = table->n_rows, k = 0;
    double *targets;
    if (cairn_table_role_count(table, CAIRN_TARGET) != s->n_out) return CAIRN_OK;
    CHECK(SCRATCH_RAW(ctx, &targets, cairn_product(n, s->n_out)));
    for (size_t j = 0; j < table->n_columns; j++) {
        const double *values = cairn_table_numbers(table, j);
        if (cairn_table_role(table, j) != CAIRN_TARGET) continue;
        if (!values) return CAIRN_OK; /* classes */
        for (size_t i = 0; i < n; i++) {
            if (!isfinite(values[i])) return CAIRN_OK;
            targets[i * s->n_out + k] = values[i];
        }
        k++;
    }
    s->targets = targets;
    return CAIRN_OK;
}

/* Every row has a number for each input, and every target one for each output. */
static cairn_status read_typed(cairn_context *ctx, passes *s, const forward_params *p)
{
    cairn_vectors targets;
    size_t n_in = s->f.text.layers.n_in;
    CHECK(cairn_read_vectors(ctx, &s->inputs, "inputs", p->inputs, "row"));
    if (!n_in) return cairn_fail(ctx, CAIRN_USAGE, "{network}: no node reads an input");
    if (s->inputs.width != n_in)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{inputs}: the network reads %zu input%s, the first '%s', but %zu %s "
                          "typed",
                          n_in, n_in == 1 ? "" : "s", s->f.text.names.inputs[0], s->inputs.width,
                          s->inputs.width == 1 ? "is" : "are");
    if (!p->targets) return CAIRN_OK;
    CHECK(cairn_read_vectors(ctx, &targets, "targets", p->targets, "row"));
    if (targets.width != s->n_out || targets.n != s->inputs.n)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{targets}: %zu row%s of %zu number%s, one for each output, %s needed, "
                          "but %zu of %zu are typed",
                          s->inputs.n, s->inputs.n == 1 ? "" : "s", s->n_out,
                          s->n_out == 1 ? "" : "s", s->inputs.n == 1 ? "is" : "are", targets.n,
                          targets.width);
    s->targets = targets.values;
    return CAIRN_OK;
}

/* The rows through the network, which has been read. */
static cairn_status pass_rows(cairn_context *ctx, passes *s, const forward_params *p,
                              const cairn_table *table)
{
    s->n_out = s->f.text.layers.list[s->f.text.layers.n - 1].n_out;
    if (!p->inputs == !table || (p->targets && table))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "give the inputs either as {inputs 0.05,0.1} (with {targets}) or as the "
                          "rows of a table");
    if (table) {
        CHECK(read_columns(ctx, s, table));
        CHECK(read_targets(ctx, s, table));
    } else {
        CHECK(read_typed(ctx, s, p));
    }
    size_t cells = cairn_product(s->inputs.n, s->f.n_nodes);
    CHECK(SCRATCH_EACH(ctx, cells, &s->nets, &s->outs));
    for (size_t i = 0; i < s->inputs.n; i++)
        CHECK(cairn_forward_row(ctx, &s->f, s->inputs.values + i * s->inputs.width,
                                s->inputs.names[i], s->nets + i * s->f.n_nodes,
                                s->outs + i * s->f.n_nodes));
    return CAIRN_OK;
}

/* -- the report -- */

static const double *outputs_of(const passes *s, size_t row)
{
    return cairn_forward_last(&s->f, s->outs + row * s->f.n_nodes);
}

/* Inputs, where they are few, and outputs of every row, with targets beside them. */
static void show_outputs(cairn_report *out, const passes *s)
{
    size_t n_in = s->inputs.width <= MOST_COLUMNS ? s->inputs.width : 0;
    const char *const *names = s->f.text.names.nodes[s->f.text.layers.n - 1];
    cairn_report_table_of(out, "Outputs", SHOWN_ROWS, "l", "row");
    for (size_t j = 0; j < n_in; j++) cairn_report_column(out, s->f.text.names.inputs[j], 'r');
    for (size_t k = 0; k < s->n_out; k++) {
        cairn_report_column(out, names[k], 'r');
        if (s->targets) cairn_report_column(out, "target", 'r');
    }
    for (size_t i = 0; i < s->inputs.n; i++) {
        cairn_report_cells(out, NULL, s->inputs.names[i],
                           cairn_cell_row(s->inputs.values + i * s->inputs.width, n_in));
        for (size_t k = 0; k < s->n_out; k++) {
            double y = outputs_of(s, i)[k];
            if (isnan(y))
                cairn_report_cell(out, "rejected");
            else
                cairn_report_cell_number(out, y, 0, NULL);
            if (s->targets) cairn_report_cell_number(out, s->targets[i * s->n_out + k], 0, NULL);
        }
    }
}

static void show_nodes(cairn_report *out, const passes *s)
{
    cairn_report_table_of(out, "Every node", SHOWN_ROWS, "llrr", "row", "node", "net input",
                          "output");
    for (size_t i = 0; i < s->inputs.n; i++) {
        const double *nets = s->nets + i * s->f.n_nodes, *outs = s->outs + i * s->f.n_nodes;
        const char *row = cairn_report_key(out, s->inputs.names[i]);
        for (size_t l = 0; l < s->f.text.layers.n; l++)
            for (size_t j = 0; j < s->f.text.layers.list[l].n_out; j++, nets++, outs++) {
                const char *node = s->f.text.names.nodes[l][j];
                const char *key = cairn_report_key(out, node);
                cairn_report_cells(out, "- - $1.net.$2", s->inputs.names[i], node, *nets);
                if (isnan(*outs))
                    cairn_report_cell(out, "rejected");
                else
                    cairn_report_cell_number(out, *outs, 0, "%s.out.%s", row, key);
            }
    }
}

/* Squared errors of all outputs; NaN where one was rejected. */
static double sum_squares(const passes *s)
{
    double sum = 0;
    for (size_t i = 0; i < s->inputs.n; i++)
        for (size_t k = 0; k < s->n_out; k++) {
            double error = s->targets[i * s->n_out + k] - outputs_of(s, i)[k];
            sum += error * error;
        }
    return sum;
}

/* A rejected output leaves no cost; the first target that the last layer cannot reach is noted. */
static void show_costs(cairn_report *out, const passes *s)
{
    double sum = sum_squares(s), n = (double)(s->inputs.n * s->n_out);
    if (isnan(sum)) return;
    cairn_report_value(out, "sum of squared errors", sum, "cost.sse");
    cairn_report_value(out, "half of it, E", sum / 2, "cost.half");
    cairn_report_value(out, "mean squared error", sum / n, "cost.mse");
    cairn_report_value(out, "its root", sqrt(sum / n), "cost.rms");
    /* The first target that the function of the last layer never gives. */
    const cairn_activated *a = &cairn_neural_layers_last(&s->f.text.layers)->activation;
    double low, high;
    a->f->range(a->p, &low, &high);
    for (size_t i = 0; i < s->inputs.n * s->n_out; i++) {
        char number[CAIRN_NUMBER_SIZE];
        if (s->targets[i] >= low && s->targets[i] <= high) continue;
        cairn_number_format(number, s->targets[i], 6);
        cairn_report_note(out,
                          "%s: the target %s is out of reach of %s; bring targets into its range, "
                          "or choose another function for the last layer.",
                          s->inputs.names[i / s->n_out], number, a->f->name);
        return;
    }
}

/* The costs on the board, after the rows that they are summed over. */
static cairn_status work_costs(cairn_context *ctx, cairn_report *out, const passes *s)
{
    double sum = sum_squares(s), *pairs;
    size_t n = s->inputs.n * s->n_out;
    if (isnan(sum)) return CAIRN_OK;
    CHECK(SCRATCH_RAW(ctx, &pairs, cairn_product(2, n)));
    for (size_t i = 0; i < n; i++) {
        pairs[2 * i] = s->targets[i];
        pairs[2 * i + 1] = outputs_of(s, i / s->n_out)[i % s->n_out];
    }
    cairn_report_step_begin(out, "Costs");
    cairn_report_formula(out, "SSE = Σ (t − y)² over all rows and outputs");
    cairn_report_worked_sum(out, "SSE", "(# − #)²", pairs, 2, n, sum);
    cairn_report_worked(out, "E", "½ · # = #", sum, sum / 2);
    cairn_report_worked(out, "MSE", "# / # = #", sum, (double)n, sum / (double)n);
    cairn_report_worked(out, "RMS", "√# = #", sum / (double)n, sqrt(sum / (double)n));
    cairn_report_step_end(out);
    return CAIRN_OK;
}

/* The outputs of all nodes as a table. */
static cairn_status make_table(cairn_context *ctx, cairn_table **out, const passes *s)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    double *column;
    size_t n = s->inputs.n, at = 0;
    CHECK(SCRATCH_RAW(ctx, &column, n));
    CHECK(cairn_table_new(ctx, &table, n));
    for (size_t l = 0; l < s->f.text.layers.n; l++)
        for (size_t j = 0; j < s->f.text.layers.list[l].n_out; j++, at++) {
            for (size_t i = 0; i < n; i++) column[i] = s->outs[i * s->f.n_nodes + at];
            CHECK(cairn_table_put_numbers(ctx, table, s->f.text.names.nodes[l][j], column));
        }
    *out = TAKE(table);
    return CAIRN_OK;
}

/* "2-2-1", and how many weights and biases that makes. */
static cairn_status show_shape(cairn_context *ctx, cairn_report *out, const passes *s)
{
    SCOPED(cairn_text_clear) cairn_text shape = cairn_text_start(ctx);
    cairn_text_addf(&shape, "%zu", s->f.text.layers.n_in);
    for (size_t l = 0; l < s->f.text.layers.n; l++)
        cairn_text_addf(&shape, "-%zu", s->f.text.layers.list[l].n_out);
    CHECK(cairn_text_status(&shape));
    cairn_report_heading(out, 1, "Forward pass through a network of %s nodes",
                         cairn_text_string(&shape));
    cairn_report_value(out, "weights and biases", (double)s->f.text.layers.n_weights, "parameters");
    return CAIRN_OK;
}

/* -- the picture -- */

typedef enum { WEIGHTS_AUTO, WEIGHTS_YES, WEIGHTS_NO } drawn_weights;
typedef enum { BIASES_AUTO, BIASES_NUMBERS, BIASES_NODES, BIASES_NONE } asked_biases;

typedef struct layers_params {
    forward_params forward; /* targets are words here */
    cairn_list layers;
    int weights, biases, labels;
} layers_params;

static const cairn_choice weight_choices[] = {{"auto", WEIGHTS_AUTO, "where they are few"},
                                              {"yes", WEIGHTS_YES, "in any case"},
                                              {"no", WEIGHTS_NO, "arrows alone"},
                                              {NULL, 0, NULL}};
static const cairn_choice bias_choices[] = {
    {"auto", BIASES_AUTO, "as numbers, where weights are drawn"},
    {"numbers", BIASES_NUMBERS, "below the nodes"},
    {"nodes", BIASES_NODES, "as weights of a node 1 in every layer"},
    {"none", BIASES_NONE, "not at all"},
    {NULL, 0, NULL}};
static const cairn_choice label_choices[] = {
    {"names", 0, "names of inputs and nodes"},
    {"notation", 1, "Y and W with the numbers of layer, node and input"},
    {NULL, 0, NULL}};

static const cairn_param layers_table[] = {
    {.name = "network",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(layers_params, forward.network),
     .help = "the network, or a file with it, as 'compute forward' reads it",
     .often = true},
    CAIRN_PARAM_CELLS(layers_params, layers, WHOLE, NULL, "[1,1000000]",
                      "in place of a network its sizes, inputs first, such as 4,3,2",
                      .often = true),
    {.name = "inputs",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(layers_params, forward.inputs),
     .help = "one row of inputs, whose outputs stand above the nodes; else the first row of DATA",
     .when = "network"},
    {.name = "targets",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(layers_params, forward.targets),
     .help = "what stands beside the outputs: numbers or names, separated by commas"},
    CAIRN_PARAM_CHOICE(layers_params, weights, "auto", weight_choices,
                       "numbers, or W, on the arrows"),
    CAIRN_PARAM_CHOICE(layers_params, biases, "auto", bias_choices, "how biases are drawn"),
    CAIRN_PARAM_CHOICE(layers_params, labels, "names", label_choices, "what nodes are called"),
    {.name = "options",
     .offset = offsetof(layers_params, forward.options),
     .group = cairn_unit_params,
     .when = "network"},
    CAIRN_PARAM_END,
};

/* Targets as words, one for each output. */
static cairn_status read_words(cairn_context *ctx, const char *const **out, const char *targets,
                               size_t n_out)
{
    char **words;
    size_t n;
    *out = NULL;
    if (!targets) return CAIRN_OK;
    CHECK(cairn_list_split(ctx, targets, &words, &n));
    *out = (const char *const *)words;
    if (n == n_out) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE, "{targets}: %zu for %zu output%s", n, n_out,
                      n_out == 1 ? "" : "s");
}

/* With the numbers of the first row, where there is one. */
static cairn_status make_figure(cairn_context *ctx, cairn_figure **out, const passes *s,
                                const layers_params *p)
{
    const cairn_neural_layers *layers = &s->f.text.layers;
    bool few = layers->n_weights <= MOST_NUMBERS;
    cairn_layers_scene scene = {.layers = layers,
                                .inputs = s->f.text.names.inputs,
                                .nodes = s->f.text.names.nodes,
                                .notation = p->labels,
                                .bare = p->weights != WEIGHTS_YES &&
                                        !(p->weights == WEIGHTS_AUTO && few)};
    if (!scene.bare) scene.weights = s->f.text.weights;
    scene.biases = p->biases == BIASES_NODES                   ? CAIRN_BIASES_NODES
                   : p->biases == BIASES_NUMBERS               ? CAIRN_BIASES_NUMBERS
                   : p->biases == BIASES_AUTO && scene.weights ? CAIRN_BIASES_NUMBERS
                                                               : CAIRN_BIASES_NONE;
    if (s->inputs.n) {
        scene.x = s->inputs.values;
        scene.outs = s->outs;
    }
    if (!s->targets)
        CHECK(
            read_words(ctx, &scene.targets, p->forward.targets, layers->list[layers->n - 1].n_out));
    return cairn_layers_plot(ctx, out, &scene);
}

/* -- the record -- */

/* A model is refused, since its inputs are transformed columns; large networks are not drawn. */
static cairn_status forward_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const forward_params *p = job->params;
    passes s = {0};
    cairn_figure *figure;
    if (job->model)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "the inputs of a model are transformed columns; 'predict' takes it with "
                          "rows, and 'export' writes its weights as text for {network}");
    CHECK(cairn_forward_read(ctx, &s.f, p->network, &p->options));
    CHECK(pass_rows(ctx, &s, p, job->table));
    CHECK(show_shape(ctx, out, &s));
    show_outputs(out, &s);
    show_nodes(out, &s);
    if (s.targets) show_costs(out, &s);
    for (size_t i = 0; i < s.inputs.n && i < WORKED_ROWS && job->steps; i++) {
        cairn_report_step_begin(out, "%s", s.inputs.names[i]);
        cairn_report_formula(out, "net = bias·1 + Σ weight·input,   out = f(net)");
        CHECK(cairn_forward_work(ctx, out, &s.f, s.inputs.values + i * s.inputs.width,
                                 s.nets + i * s.f.n_nodes, s.outs + i * s.f.n_nodes));
        cairn_report_step_end(out);
    }
    if (s.targets && job->steps) CHECK(work_costs(ctx, out, &s));
    if (job->result) CHECK(make_table(ctx, job->result, &s));
    if (s.f.text.layers.n > CAIRN_MOST_DRAWN_LAYERS) return CAIRN_OK;
    CHECK(make_figure(ctx, &figure, &s, &(layers_params){.forward = *p}));
    cairn_report_page_figure(out, figure);
    return CAIRN_OK;
}

/* A network of given sizes, without weights. */
static cairn_status read_sizes(cairn_context *ctx, cairn_neural_text *out, const cairn_list *layers)
{
    const double *sizes = layers->values;
    size_t n = layers->n;
    const char **inputs;
    if (n < 2)
        return cairn_fail(ctx, CAIRN_USAGE, "{layers %s}: inputs and outputs at least are needed",
                          layers->text);
    out->layers = (cairn_neural_layers){.n = n - 1, .n_in = (size_t)sizes[0]};
    CHECK(SCRATCH(ctx, &out->layers.list, n - 1));
    for (size_t l = 1; l < n; l++) out->layers.list[l - 1].n_out = (size_t)sizes[l];
    cairn_neural_layers_place(&out->layers);
    CHECK(cairn_unit_input_names(ctx, &inputs, out->layers.n_in));
    out->names.inputs = inputs;
    return cairn_neural_node_names(ctx, &out->names.nodes, &out->layers, inputs);
}

/* Outputs of a model are called by the classes, or the number, that they stand for. */
static cairn_status name_outputs(cairn_context *ctx, cairn_neural_text *text,
                                 const cairn_model *model)
{
    const cairn_field *target = cairn_model_target(model);
    size_t last = text->layers.n - 1, n = text->layers.list[last].n_out;
    bool classes = model->task == CAIRN_CLASSIFY;
    const char **names, *const **nodes;
    if (!target || n != (classes ? model->n_classes : 1)) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &names, n));
    CHECK(SCRATCH(ctx, &nodes, text->layers.n));
    for (size_t k = 0; k < n; k++)
        names[k] = classes ? cairn_map_key(&target->names, k) : target->name;
    for (size_t l = 0; l < last; l++) nodes[l] = text->names.nodes[l];
    nodes[last] = names;
    text->names.nodes = nodes;
    return CAIRN_OK;
}

/* Sizes or a model give a picture of layers alone; inputs pass only through a typed network. */
static cairn_status layers_draw(cairn_context *ctx, cairn_figure **out,
                                const cairn_compute_job *job)
{
    const layers_params *p = job->params;
    passes s = {0};
    if (!p->forward.network + !p->layers.text + !job->model != 2)
        return cairn_fail(
            ctx, CAIRN_USAGE,
            "give one of: the {network}, the sizes of its {layers 4,3,2}, or a model");
    if ((p->layers.text || job->model) && (p->forward.inputs || job->table))
        return cairn_fail(ctx, CAIRN_USAGE, "inputs go through a typed {network}, not through %s",
                          p->layers.text ? "sizes without weights"
                                         : "a model, whose inputs are transformed columns");
    if (p->layers.text) CHECK(read_sizes(ctx, &s.f.text, &p->layers));
    if (job->model) {
        CHECK(cairn_forward_of_model(ctx, &s.f, job->model));
        CHECK(name_outputs(ctx, &s.f.text, job->model));
    }
    if (!p->forward.network) return make_figure(ctx, out, &s, p);
    CHECK(cairn_forward_read(ctx, &s.f, p->forward.network, &p->forward.options));
    forward_params typed = p->forward;
    typed.targets = NULL; /* in a picture they are words */
    if (typed.inputs || job->table) CHECK(pass_rows(ctx, &s, &typed, job->table));
    return make_figure(ctx, out, &s, p);
}

const cairn_calculator cairn_compute_forward = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "forward",
              .also = "forward pass, forward propagation, feed-forward network, multilayer "
                      "perceptron, net input, cost functions",
              .title = "Forward pass through a typed network",
              .summary = "Every net input and every output of a network of any layers, whose "
                         "weights are typed or in a file (as 'export' writes them of a model of "
                         "network), for typed inputs or the rows of a table; with targets the "
                         "costs: SSE, half of it, MSE and RMS.",
              .references = "Rumelhart, Hinton and Williams: Learning representations by "
                            "back-propagating errors, Nature 323, 1986",
              .example = "cairn compute forward --network 'h1 = sigmoid(0.35 + 0.15*a + 0.2*b); "
                         "o1 = sigmoid(0.6 + 0.4*h1)' --inputs 0.05,0.1 --steps",
              .params = forward_table,
              .params_size = sizeof(forward_params)},
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "neural-network",
                .also =
                    "network topology, multilayer perceptron, layers, architecture, deep network",
                .title = "A network of neurons, layer by layer",
                .summary =
                    "The layers of a network with their nodes, weights and biases: typed, in a "
                    "file, a model of network, or only its sizes. With inputs the outputs stand at "
                    "the nodes. Of large layers the first nodes and the last are drawn.",
                .example = "cairn draw neural-network --layers 4,3,2",
                .params = layers_table,
                .params_size = sizeof(layers_params)},
    .arguments = "[MODEL] [DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_TARGET,
    .takes_model = true,
    .run = forward_run,
    .draw = layers_draw,
};
