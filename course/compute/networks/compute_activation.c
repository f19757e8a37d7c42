/* SPDX-License-Identifier: MIT */
/* cairn compute activation and cairn draw activation: values, derivatives and graphs of the
 * activation functions of neurons. */
#include "compute/networks/units.h"

#include "base/memory.h"
#include "base/number.h"
#include "model/calculator.h"

#include <math.h>
#include <stdio.h>

enum { STEPS = 480, WORKED = 12, MOST_FUNCTIONS = 12 };

typedef struct activation_params {
    const char *function;
    cairn_list at;
    cairn_unit_options options;
    double low, high;
    bool slopes, panels;
} activation_params;

static const cairn_param activation_table[] = {
    {.name = "function",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(activation_params, function),
     .help = "the functions: threshold, sign, step, sigmoid, linear(m=2, c=1), piecewise(m=0.5, "
             "c=0.5, from=-1, to=1), gaussian(mu=0, sigma=1), tanh, th, relu(leak=0.1), softplus; "
             "all of them if not given",
     .often = true,
     .repeated = true},
    CAIRN_PARAM_CELLS(activation_params, at, NUMBERS, "-4,-2,-1,-0.5,0,0.5,1,2,4", NULL,
                      "where their values are wanted", .often = true),
    CAIRN_PARAM_GROUP(activation_params, options, cairn_unit_params),
    CAIRN_PARAM(activation_params, low, "-4", NULL, "left end of the graphs"),
    CAIRN_PARAM(activation_params, high, "4", NULL, "right end of the graphs"),
    CAIRN_PARAM(activation_params, slopes, "no", NULL, "draw the derivatives as dashed lines"),
    CAIRN_PARAM(activation_params, panels, "no", NULL, "each function on axes of its own"),
    CAIRN_PARAM_END,
};

static cairn_status read_functions(cairn_context *ctx, cairn_unit_functions *out,
                                   const activation_params *p)
{
    SCOPED(cairn_text_clear) cairn_text all = cairn_text_start(ctx);
    for (const cairn_activation *f = cairn_activations; f->name; f++)
        if (!f->together)
            cairn_text_addf(&all, "%s%s", f == cairn_activations ? "" : "\n", f->name);
    CHECK(cairn_text_status(&all));
    CHECK(cairn_unit_functions_read(
        ctx, out, "function", p->function ? p->function : cairn_text_string(&all), &p->options));
    if (out->n <= MOST_FUNCTIONS) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE, "{function}: at most %d can be told apart", MOST_FUNCTIONS);
}

/* -- values -- */

/* A table over the places: values, or with `slopes` derivatives. */
static void show_table(cairn_report *out, const cairn_unit_functions *f, const double *x, size_t n,
                       bool slopes)
{
    cairn_report_table_of(out, slopes ? "Derivatives" : "Values", n, "r", "x");
    for (size_t k = 0; k < f->n; k++) cairn_report_column(out, f->texts[k], 'r');
    for (size_t i = 0; i < n; i++) {
        cairn_report_cell_number(out, x[i], 0, "x%zu", i + 1);
        for (size_t k = 0; k < f->n; k++) {
            double y = cairn_unit_value(&f->list[k], f->reject, x[i]);
            if (slopes)
                cairn_report_cell_number(out, cairn_activation_slope(&f->list[k], x[i], y), 0,
                                         "derivative.%s.%zu", f->keys[k], i + 1);
            else
                cairn_report_cell_number(out, y, 0, "value.%s.%zu", f->keys[k], i + 1);
        }
    }
}

/* The formula of a function, its derivative through the value, and both with the first places. */
static void work(cairn_report *out, const cairn_unit_functions *f, size_t k, const double *x,
                 size_t n)
{
    const cairn_activated *a = &f->list[k];
    cairn_report_step_begin(out, "%s", f->texts[k]);
    cairn_report_formula(out, "y = f(x) = %s", a->f->formula);
    if (a->f->slope)
        cairn_report_formula(out, "f′(x) = %s", a->f->slope);
    else
        cairn_report_paragraph(out, "It is flat but for its jump: a network cannot learn by it.");
    for (size_t i = 0; i < n && i < WORKED; i++) {
        double y = cairn_unit_value(a, f->reject, x[i]);
        char label[80], number[CAIRN_NUMBER_SIZE];
        cairn_number_format(number, x[i], 6);
        snprintf(label, sizeof label, "f(%s)", number);
        cairn_unit_work_output(out, label, a, x[i], y);
        snprintf(label, sizeof label, "f′(%s)", number);
        if (a->f->slope) cairn_unit_work_slope(out, label, a, x[i], y);
    }
    cairn_report_step_end(out);
}

/* -- graphs -- */

/* One function: a jump is a gap, so that no line stands for it. */
static cairn_status draw_function(cairn_context *ctx, cairn_figure *figure,
                                  const cairn_unit_functions *f, size_t k,
                                  const activation_params *p, bool label)
{
    const cairn_activated *a = &f->list[k];
    double *x, *y, *slope, width = p->high - p->low;
    SCOPED(cairn_text_clear) cairn_text name = cairn_text_start(ctx);
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH_EACH(ctx, STEPS + 1, &x, &y, &slope));
    for (size_t i = 0; i <= STEPS; i++) { /* in this order 0 is met exactly between -a and a */
        x[i] = (p->low * (double)(STEPS - i) + p->high * (double)i) / STEPS;
        y[i] = cairn_activate(a, x[i]);
        slope[i] = cairn_activation_slope(a, x[i], y[i]);
    }
    for (size_t i = 1; i <= STEPS && !a->f->slope; i++)
        if (y[i] != cairn_activate(a, x[i - 1])) y[i] = NAN;
    cairn_figure_line(figure, label ? f->texts[k] : NULL, x, y, STEPS + 1);
    cairn_text_addf(&name, "derivative of %s", f->texts[k]);
    CHECK(cairn_text_status(&name));
    if (p->slopes && a->f->slope && width > 0)
        cairn_figure_beside(figure, label ? cairn_text_string(&name) : NULL, x, slope, STEPS + 1);
    return CAIRN_OK;
}

static cairn_status start_axes(cairn_context *ctx, cairn_figure **out, const char *title,
                               const activation_params *p)
{
    CHECK(cairn_figure_new(ctx, out, "activation", title));
    cairn_figure_axes(*out, "net input", "output");
    cairn_figure_x_range(*out, p->low, p->high);
    return CAIRN_OK;
}

/* Panels keep functions apart that would hide each other; a single function needs none. */
static cairn_status make_figure(cairn_context *ctx, cairn_figure **out,
                                const cairn_unit_functions *f, const activation_params *p)
{
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    if (!(p->low < p->high) || !isfinite(p->high - p->low))
        return cairn_fail(ctx, CAIRN_USAGE, "{low} must be below {high}, and both finite");
    if (p->panels && f->n > 1) {
        CHECK(cairn_figure_new(ctx, &figure, "activation", "Activation functions"));
        for (size_t k = 0; k < f->n; k++) {
            cairn_figure *panel;
            CHECK(start_axes(ctx, &panel, f->texts[k], p));
            cairn_figure_size(panel, 270, 220);
            cairn_status status = draw_function(ctx, panel, f, k, p, false);
            cairn_figure_panel(figure, panel);
            CHECK(status);
        }
        cairn_figure_columns(figure, f->n > 4 ? 4 : f->n);
    } else {
        CHECK(start_axes(ctx, &figure, f->n == 1 ? f->texts[0] : "Activation functions", p));
        for (size_t k = 0; k < f->n; k++)
            CHECK(draw_function(ctx, figure, f, k, p, f->n > 1 || p->slopes));
    }
    *out = TAKE(figure);
    return CAIRN_OK;
}

/* -- the record -- */

static cairn_status activation_run(cairn_context *ctx, cairn_report *out,
                                   const cairn_compute_job *job)
{
    const activation_params *p = job->params;
    cairn_unit_functions f;
    cairn_figure *figure;
    const double *x = p->at.values;
    size_t n = p->at.n;
    CHECK(read_functions(ctx, &f, p));
    cairn_report_heading(out, 1, "Activation functions");
    cairn_report_table_of(out, NULL, 0, "llll", "function", "title", "formula", "derivative");
    for (size_t k = 0; k < f.n; k++) {
        cairn_report_cells(out, NULL, f.texts[k], f.list[k].f->title, f.list[k].f->formula,
                           f.list[k].f->slope ? f.list[k].f->slope : "0, but for the jump");
    }
    show_table(out, &f, x, n, false);
    show_table(out, &f, x, n, true);
    for (size_t k = 0; k < f.n && job->steps; k++) work(out, &f, k, x, n);
    CHECK(make_figure(ctx, &figure, &f, p));
    cairn_report_page_figure(out, figure);
    return CAIRN_OK;
}

static cairn_status activation_draw(cairn_context *ctx, cairn_figure **out,
                                    const cairn_compute_job *job)
{
    cairn_unit_functions f;
    CHECK(read_functions(ctx, &f, job->params));
    return make_figure(ctx, out, &f, job->params);
}

const cairn_calculator cairn_compute_activation = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "activation",
              .also = "activation function, transfer function, sigmoid, logistic function, tanh, "
                      "hyperbolic tangent, step function, threshold, rectifier, ReLU, derivative",
              .about = "unit step, unit step function, saturated linear, saturated linear "
                       "function, threshold function",
              .title = "Values and derivatives of activation functions",
              .summary =
                  "The activation functions of neurons at any places, with their derivatives, "
                  "which are written through the value where that is usual: s(1 − s) of the "
                  "sigmoid. tanh and th = 2s − 1 = tanh(x/2), which some texts call by the same "
                  "name, are two functions here.",
              .references = "Rumelhart, Hinton and Williams: Learning representations by "
                            "back-propagating errors, Nature 323, 1986",
              .example =
                  "cairn compute activation --function sigmoid --function th --at -2,0,2 --steps",
              .params = activation_table,
              .params_size = sizeof(activation_params)},
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "activation",
                .also = "activation functions, transfer functions, sigmoid curve, step function",
                .title = "Graphs of activation functions",
                .summary = "The activation functions of neurons on one pair of axes or on one each "
                           "(--panels), with their derivatives as dashed lines (--slopes).",
                .example = "cairn draw activation --function sigmoid --function tanh --slopes",
                .params = activation_table,
                .params_size = sizeof(activation_params)},
    .arguments = "",
    .run = activation_run,
    .draw = activation_draw,
};
