/* SPDX-License-Identifier: MIT */
/* cairn compute neuron: the weighted sum of one neuron and its output. */
#include "compute/networks/units.h"

#include "base/memory.h"
#include "typed/shown.h"
#include "typed/vectors.h"

#include <math.h>
#include <stdio.h>

enum { SHOWN_ROWS = 200, WORKED_ROWS = 10 };

typedef struct neuron_params {
    const char *inputs, *weights, *activation;
    double bias, threshold;
    cairn_unit_options options;
} neuron_params;

static const cairn_param neuron_table[] = {
    CAIRN_PARAM(neuron_params, inputs, NULL, NULL,
                "the inputs, such as 4,8,5,6; several sets are separated by ; and may have names: "
                "A=0,1;B=1,1; else the rows of DATA",
                .often = true),
    CAIRN_PARAM_AS(neuron_params, weights, CAIRN_TYPE_LIST, NULL, "a weight for each input",
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

static cairn_status read_inputs(cairn_context *ctx, neuron *u, const cairn_compute_job *job)
{
    const neuron_params *p = job->params;
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
    CHECK(SCRATCH(ctx, &u->names, u->inputs.width));
    for (size_t i = 0; i < u->inputs.width; i++) {
        char *name;
        CHECK(SCRATCH(ctx, &name, 24));
        snprintf(name, 24, "x%zu", i + 1);
        u->names[i] = name;
    }
    return CAIRN_OK;
}

static cairn_status read_neuron(cairn_context *ctx, neuron *u, const cairn_compute_job *job)
{
    const neuron_params *p = job->params;
    double *weights;
    *u = (neuron){0};
    CHECK(read_bias(ctx, u, p));
    CHECK(cairn_unit_functions_read(ctx, &u->f, "activation", p->activation, &p->options));
    CHECK(cairn_list_numbers(ctx, "weights", p->weights, &weights, &u->n));
    for (size_t i = 0; i < u->n; i++)
        if (!isfinite(weights[i]))
            return cairn_fail(ctx, CAIRN_USAGE, "{weights}: number %zu is not finite", i + 1);
    u->weights = weights;
    CHECK(read_inputs(ctx, u, job));
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

/* The output of a function has the name `output`, of one among several output.KEY. */
static void show_row(cairn_report *out, const neuron *u, size_t row, const char *prefix)
{
    double net = net_of(u, row);
    cairn_report_cell(out, u->inputs.names[row]);
    cairn_report_cell_number(out, net, 0, "%snet", prefix);
    for (size_t k = 0; k < u->f.n; k++) {
        double y = cairn_unit_output(&u->f.list[k], u->f.reject, net);
        if (isnan(y))
            cairn_report_cell(out, "rejected");
        else if (u->f.n == 1)
            cairn_report_cell_number(out, y, 0, "%soutput", prefix);
        else
            cairn_report_cell_number(out, y, 0, "%soutput.%s", prefix, u->f.keys[k]);
    }
}

static cairn_status show_rows(cairn_context *ctx, cairn_report *out, const neuron *u)
{
    cairn_report_table_of(out, NULL, SHOWN_ROWS, "lr", "input", "net input");
    for (size_t k = 0; k < u->f.n; k++) cairn_report_column(out, u->f.texts[k], 'r');
    for (size_t i = 0; i < u->inputs.n; i++) {
        const char *prefix;
        SCOPED_SCRATCH(ctx);
        CHECK(cairn_value_prefix(ctx, &prefix, out, u->inputs.n > 1 ? u->inputs.names[i] : NULL));
        show_row(out, u, i, prefix);
    }
    cairn_report_table_end(out);
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
        double y = cairn_unit_output(a, u->f.reject, net);
        cairn_report_formula(out, "f(x) = %s", a->f->formula);
        if (isnan(y))
            cairn_report_paragraph(out, "At 0 the unit gives no output.");
        else
            cairn_unit_work_output(out, "y", a, net, y);
    }
    cairn_report_step_end(out);
    return CAIRN_OK;
}

static cairn_status neuron_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    neuron u;
    CHECK(read_neuron(ctx, &u, job));
    cairn_report_heading(out, 1, "A neuron with %zu input%s", u.n, u.n == 1 ? "" : "s");
    cairn_report_table_of(out, "Weights", 0, "lr", "input", "weight");
    cairn_report_cell(out, "1 (bias)");
    cairn_report_cell_number(out, u.bias, 0, "weight.bias");
    for (size_t i = 0; i < u.n; i++) {
        cairn_report_cell(out, u.names[i]);
        cairn_report_cell_number(out, u.weights[i], 0, "weight.%s",
                                 cairn_report_key(out, u.names[i]));
    }
    cairn_report_table_end(out);
    cairn_report_value(out, "threshold of the sum without the bias", 0 - u.bias, "threshold");
    CHECK(show_rows(ctx, out, &u));
    for (size_t i = 0; i < u.inputs.n && i < WORKED_ROWS && job->steps; i++)
        CHECK(work(ctx, out, &u, i));
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_neuron = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "neuron",
              .also = "artificial neuron, unit, perceptron unit, weighted sum, net input, "
                      "threshold unit, McCulloch-Pitts neuron",
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
    .arguments = "[DATA]",
    .takes_data = true,
    .run = neuron_run,
};
