/* SPDX-License-Identifier: MIT */
/* cairn compute neuron and cairn draw neuron: the weighted sum of one neuron and its output. */
#include "compute/networks/units.h"

#include "base/memory.h"
#include "plots/neuron_plot.h"
#include "typed/shown.h"
#include "typed/vectors.h"
#include "report/table_rows.h"

#include <math.h>

enum { SHOWN_ROWS = 200, WORKED_ROWS = 10 };

typedef struct neuron_params {
    const char *inputs, *activation;
    cairn_list weights;
    double bias, threshold;
    int form;
    cairn_unit_options options;
} neuron_params;

static const cairn_choice forms[] = {{"detailed", 1, "the sum and the function each for itself"},
                                     {"simplified", 0, "one disc for both"},
                                     {NULL, 0, NULL}};

static const cairn_param neuron_table[] = {
    CAIRN_PARAM(neuron_params, inputs, NULL, NULL,
                "the inputs, such as 4,8,5,6; several sets are separated by ; and may have names: "
                "A=0,1;B=1,1; else the rows of DATA",
                .often = true),
    CAIRN_PARAM_CELLS(neuron_params, weights, NUMBERS, NULL, NULL, "a weight for each input",
                      .required = true, .often = true),
    CAIRN_PARAM(neuron_params, bias, CAIRN_NOT_GIVEN, NULL,
                "bias w₀, the weight of the constant input x₀ = 1; 0 if not given", .often = true),
    CAIRN_PARAM(neuron_params, threshold, CAIRN_NOT_GIVEN, NULL,
                "the sum that the inputs must exceed, in place of the bias, which is −threshold"),
    {.name = "activation",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(neuron_params, activation),
     .initial = "threshold",
     .help = "the activation function, such as sigmoid or linear(m=2), as 'compute activation' "
             "lists them; several may be compared",
     .often = true,
     .repeated = true},
    CAIRN_PARAM_CHOICE(neuron_params, form, "detailed", forms, "how the neuron is drawn"),
    CAIRN_PARAM_GROUP(neuron_params, options, cairn_unit_params),
    CAIRN_PARAM_END,
};

typedef struct neuron {
    cairn_vectors inputs; /* rows */
    const char **names;   /* of the inputs */
    const double *weights;
    size_t n;
    double bias;
    cairn_unit_functions f;
} neuron;

/* -- reading -- */

static double net_of(const neuron *u, size_t row)
{
    return cairn_unit_net(u->weights, u->inputs.values + row * u->n, u->n, u->bias);
}

static cairn_status read_bias(cairn_context *ctx, neuron *u, const neuron_params *p)
{
    if (!isnan(p->bias) && !isnan(p->threshold))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{bias} and {threshold} say the same with another sign; give one of "
                          "them");
    u->bias = !isnan(p->threshold) ? 0 - p->threshold : isnan(p->bias) ? 0 : p->bias;
    if (isfinite(u->bias)) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE, "{bias} and {threshold} are finite numbers");
}

/* Typed inputs or rows; a picture needs neither. */
static cairn_status read_inputs(cairn_context *ctx, neuron *u, const cairn_compute_job *job,
                                bool picture)
{
    const neuron_params *p = job->params;
    if (picture && !p->inputs && !job->table) {
        u->inputs.width = u->n;
        return cairn_unit_input_names(ctx, &u->names, u->n);
    }
    if (!p->inputs == !job->table)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "give the inputs either as {inputs 4,8,5,6} or as the rows of a table");
    if (job->table) {
        cairn_class_points rows;
        CHECK(cairn_class_points_read(ctx, &rows, job->table, false, job->what));
        u->inputs = rows.points;
        u->names = rows.columns;
        return CAIRN_OK;
    }
    CHECK(cairn_read_vectors(ctx, &u->inputs, "inputs", p->inputs, ""));
    return cairn_unit_input_names(ctx, &u->names, u->inputs.width);
}

/* The bias is no weight: it stands apart, so the weights are as many as the inputs. */
static cairn_status read_neuron(cairn_context *ctx, neuron *u, const cairn_compute_job *job,
                                bool picture)
{
    const neuron_params *p = job->params;
    *u = (neuron){0};
    CHECK(read_bias(ctx, u, p));
    CHECK(cairn_unit_functions_read(ctx, &u->f, "activation", p->activation, &p->options));
    u->n = p->weights.n;
    u->weights = p->weights.values;
    CHECK(read_inputs(ctx, u, job, picture));
    if (u->n != u->inputs.width)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{weights} has %zu number%s for %zu input%s; the bias stands apart, in "
                          "{bias}",
                          u->n, u->n == 1 ? "" : "s", u->inputs.width,
                          u->inputs.width == 1 ? "" : "s");
    for (size_t i = 0; i < u->inputs.n; i++)
        CHECK(cairn_unit_check(ctx, net_of(u, i), u->inputs.names[i]));
    return CAIRN_OK;
}

/* -- the report -- */

static cairn_status show_rows(cairn_context *ctx, cairn_report *out, const neuron *u)
{
    cairn_report_table_of(out, NULL, SHOWN_ROWS, "lr", "input", "net input");
    for (size_t k = 0; k < u->f.n; k++) cairn_report_column(out, u->f.texts[k], 'r');
    for (size_t i = 0; i < u->inputs.n; i++) {
        const char *prefix;
        SCOPED_SCRATCH(ctx);
        CHECK(cairn_value_prefix(ctx, &prefix, out, u->inputs.n > 1 ? u->inputs.names[i] : NULL));
        /* The output of a function has the name `output`, of one among several output.KEY. */
        double net = net_of(u, i);
        cairn_report_cell(out, u->inputs.names[i]);
        cairn_report_cell_number(out, net, 0, "%snet", prefix);
        for (size_t k = 0; k < u->f.n; k++) {
            double y = cairn_unit_value(&u->f.list[k], u->f.reject, net);
            if (isnan(y))
                cairn_report_cell(out, "rejected");
            else if (u->f.n == 1)
                cairn_report_cell_number(out, y, 0, "%soutput", prefix);
            else
                cairn_report_cell_number(out, y, 0, "%soutput.%s", prefix, u->f.keys[k]);
        }
    }
    return CAIRN_OK;
}

/* The sum and its output with the numbers of one row. */
static cairn_status work(cairn_context *ctx, cairn_report *out, const neuron *u, size_t row)
{
    double net = net_of(u, row);
    cairn_report_step_begin(out, "Input %s", u->inputs.names[row]);
    cairn_report_formula(out, "net = w₀·1 + Σ wᵢ·xᵢ,   y = f(net)");
    CHECK(cairn_unit_work_net(ctx, out, "net", u->weights, u->inputs.values + row * u->n, u->n,
                              u->bias));
    for (size_t k = 0; k < u->f.n; k++) {
        const cairn_activated *a = &u->f.list[k];
        double y = cairn_unit_value(a, u->f.reject, net);
        cairn_report_formula(out, "f(x) = %s", a->f->formula);
        if (isnan(y))
            cairn_report_paragraph(out, "At 0 the unit gives no output.");
        else
            cairn_unit_work_output(out, "y", a, net, y);
    }
    cairn_report_step_end(out);
    return CAIRN_OK;
}

/* With the numbers of the first input, where there is one, and of the first function. */
static cairn_status make_figure(cairn_context *ctx, cairn_figure **out, const neuron *u,
                                const neuron_params *p)
{
    cairn_neuron_scene scene = {.inputs = u->names,
                                .weights = u->weights,
                                .n = u->n,
                                .bias = u->bias,
                                .function = u->f.list[0].f->name,
                                .detailed = p->form};
    if (u->inputs.n) {
        scene.x = u->inputs.values;
        scene.net = net_of(u, 0);
        scene.output = cairn_unit_value(&u->f.list[0], u->f.reject, scene.net);
    }
    return cairn_neuron_plot(ctx, out, &scene);
}

static cairn_status neuron_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    neuron u;
    cairn_figure *figure;
    CHECK(read_neuron(ctx, &u, job, false));
    cairn_report_heading(out, 1, "A neuron with %zu input%s", u.n, u.n == 1 ? "" : "s");
    cairn_report_table_of(out, "Weights", 0, "lr", "input", "weight");
    cairn_report_cells(out, "- weight.bias", "1 (bias)", u.bias);
    for (size_t i = 0; i < u.n; i++) {
        cairn_report_cells(out, "- weight.$1", u.names[i], u.weights[i]);
    }
    cairn_report_value(out, "threshold of the sum without the bias", 0 - u.bias, "threshold");
    CHECK(show_rows(ctx, out, &u));
    for (size_t i = 0; i < u.inputs.n && i < WORKED_ROWS && job->steps; i++)
        CHECK(work(ctx, out, &u, i));
    if (u.n > CAIRN_MOST_DRAWN_NODES) return CAIRN_OK;
    CHECK(make_figure(ctx, &figure, &u, job->params));
    cairn_report_page_figure(out, figure);
    return CAIRN_OK;
}

static cairn_status neuron_draw(cairn_context *ctx, cairn_figure **out,
                                const cairn_compute_job *job)
{
    neuron u;
    CHECK(read_neuron(ctx, &u, job, true));
    return make_figure(ctx, out, &u, job->params);
}

const cairn_calculator cairn_compute_neuron = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "neuron",
              .also = "artificial neuron, unit, perceptron unit, weighted sum, net input, "
                      "threshold unit, McCulloch-Pitts neuron",
              .about = "axon, dendrite, synapse, biological neuron, biological motivation",
              .title = "Weighted sum and output of a neuron",
              .summary = "One neuron: the sum of the inputs times their weights, with the bias as "
                         "the weight of a constant input 1, and what the activation function makes "
                         "of it; several functions and several inputs, typed or the rows of a "
                         "table, are compared.",
              .references = "McCulloch and Pitts: A logical calculus of the ideas immanent in "
                            "nervous activity, 1943",
              .example = "cairn compute neuron --inputs 4,8,5,6 --weights 1,2,3,4 --activation "
                         "'linear(m=2)' --steps",
              .params = neuron_table,
              .params_size = sizeof(neuron_params)},
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "neuron",
                .also = "artificial neuron, perceptron unit, unit of a network",
                .title = "A neuron with its weights",
                .summary =
                    "Inputs, weights, sum and activation function of one neuron, detailed or "
                    "simplified, with the numbers of one input where it is given.",
                .example = "cairn draw neuron --weights 0.5,0.5 --bias=-0.8 --inputs 1,1",
                .params = neuron_table,
                .params_size = sizeof(neuron_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_TARGET | CAIRN_READS_COLUMNS,
    .run = neuron_run,
    .draw = neuron_draw,
};
