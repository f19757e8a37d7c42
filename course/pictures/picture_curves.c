/* SPDX-License-Identifier: MIT */
/* cairn draw curves: functions of one number. They are typed, or one of the families that courses
 * draw: activation functions, logistic curves, losses of an error, weights by distance, kernels.
 * A family is a list of expressions, but for kernels and windows, whose records compute them. What
 * a function needs beside x varies over lists of numbers: one curve for each combination. */
#include "pictures/picture.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "stats/kernel_functions.h"
#include "typed/typed_functions.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { OF_TYPED, OF_ACTIVATIONS, OF_LOGISTIC, OF_ERRORS, OF_INSENSITIVE, OF_WINDOWS, OF_KERNELS };
enum { STEPS = 480, MOST_CURVES = 24, MOST_VARIED = 4 };

typedef struct curves_params {
    const char *function, *vary, *kernel;
    double low, high, y_low, y_high, at;
    int of;
    bool panels, slopes;
} curves_params;

static const cairn_choice families[] = {
    {"typed", OF_TYPED, "what is typed"},
    {"activations", OF_ACTIVATIONS, "of neurons: threshold, sign, linear, ramp, sigmoid, tanh"},
    {"logistic", OF_LOGISTIC, "1 / (1 + exp(-gamma (x - d0))) for several gamma and d0"},
    {"errors", OF_ERRORS, "losses of an error: squared, absolute, Huber's, eps-insensitive"},
    {"insensitive", OF_INSENSITIVE, "max(0, |x| - eps) for several eps"},
    {"windows", OF_WINDOWS, "weights of a point by its distance"},
    {"kernels", OF_KERNELS, "of x and one fixed place"},
    {NULL, 0, NULL}};

static const cairn_param curves_table[] = {
    CAIRN_PARAM_CHOICE(curves_params, of, "typed", families, "which functions", .often = true),
    {.name = "function",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(curves_params, function),
     .help = "an expression of x, perhaps with a name in front: 'bump=exp(-x^2)'",
     .when = "of=typed",
     .often = true,
     .repeated = true},
    {.name = "vary",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(curves_params, vary),
     .help = "values of a further letter in the functions, such as gamma=0.5,1,2",
     .when = "of=typed|logistic|insensitive",
     .repeated = true},
    {.name = "kernel",
     .names = "kernel",
     .type = CAIRN_TYPE_SPEC,
     .offset = offsetof(curves_params, kernel),
     .help = "a kernel, such as rbf:gamma=2; all with their defaults if not given",
     .when = "of=kernels",
     .repeated = true},
    CAIRN_PARAM(curves_params, at, "1", NULL, "the fixed place that a kernel compares x with",
                .when = "of=kernels"),
    CAIRN_PARAM(curves_params, low, CAIRN_NOT_GIVEN, NULL, "left end; -4 if not given"),
    CAIRN_PARAM(curves_params, high, CAIRN_NOT_GIVEN, NULL, "right end; 4 if not given"),
    CAIRN_PARAM(curves_params, y_low, CAIRN_NOT_GIVEN, NULL, "lower end of the vertical axis"),
    CAIRN_PARAM(curves_params, y_high, CAIRN_NOT_GIVEN, NULL, "upper end of the vertical axis"),
    CAIRN_PARAM(curves_params, panels, "no", NULL, "each function on axes of its own"),
    CAIRN_PARAM(curves_params, slopes, "no", NULL,
                "the derivative of every function as a dashed line, by central differences",
                .when = "of=typed|activations|logistic|errors|insensitive"),
    CAIRN_PARAM_END,
};

/* A family: its functions, what varies in them, and the words of the axes. */
typedef struct family {
    const char *title, *x_title, *y_title;
    const char *functions, *vary; /* lines */
} family;

static const family family_table[] = {
    [OF_TYPED] = {"", "x", "value", NULL, NULL},
    [OF_ACTIVATIONS] = {"Activation functions", "activation", "output",
                        "threshold=if(x > 0, 1, -1)\nstep=if(x >= 0, 1, 0)\nlinear=x\n"
                        "relu=relu(x)\nsigmoid=sigmoid(x)\ntanh=tanh(x)",
                        NULL},
    [OF_LOGISTIC] = {"Logistic curves", "d", "probability", "sigmoid(gamma * (x - d0))",
                     "gamma=0.5,1,2,8\nd0=0"},
    [OF_ERRORS] = {"Losses of an error", "error", "loss",
                   "squared=x^2\nabsolute=abs(x)\n"
                   "Huber=if(abs(x) <= 1, x^2 / 2, abs(x) - 0.5)\n"
                   "eps-insensitive=max(0, abs(x) - 1)",
                   NULL},
    [OF_INSENSITIVE] = {"Eps-insensitive error", "error", "loss", "max(0, abs(x) - eps)",
                        "eps=0,0.5,1"},
    [OF_WINDOWS] = {"Weights by distance", "distance in widths", "weight", NULL, NULL},
    [OF_KERNELS] = {"Kernels", "x", "k(x, y)", NULL, NULL},
};

/* A letter that varies. */
typedef struct varied {
    const char *name;
    double *values;
    size_t n;
} varied;

typedef struct curve {
    const char *name;
    double *y;     /* STEPS + 1 */
    double *slope; /* the same; NULL = not wanted */
} curve;

typedef struct sheet {
    cairn_context *ctx;
    const curves_params *p;
    double low, high;
    double *x;
    varied letters[MOST_VARIED];
    size_t n_letters;
    curve list[MOST_CURVES];
    size_t n;
} sheet;

static cairn_status add_curve(sheet *s, const char *name, double **y)
{
    if (s->n == MOST_CURVES)
        return cairn_fail(s->ctx, CAIRN_USAGE, "more than %d curves cannot be told apart",
                          MOST_CURVES);
    CHECK(SCRATCH(s->ctx, y, STEPS + 1));
    s->list[s->n++] = (curve){.name = name, .y = *y};
    return CAIRN_OK;
}

/* -- what varies -- */

/* A letter that is named twice has the later values, so that those of a family can be replaced. */
static cairn_status add_letter(sheet *s, const char *line)
{
    const char *equals = strchr(line, '=');
    char *name;
    varied *letter = NULL;
    if (!equals || equals == line)
        return cairn_fail(s->ctx, CAIRN_USAGE, "{vary}: '%s' is not of the form NAME=1,2,3", line);
    CHECK(SCRATCH(s->ctx, &name, (size_t)(equals - line) + 1));
    memcpy(name, line, (size_t)(equals - line));
    if (cairn_same(name, "x"))
        return cairn_fail(s->ctx, CAIRN_USAGE, "{vary}: x runs along the axis; {low} and {high}");
    for (size_t i = 0; i < s->n_letters; i++)
        if (cairn_same(s->letters[i].name, name)) letter = &s->letters[i];
    if (!letter && s->n_letters == MOST_VARIED)
        return cairn_fail(s->ctx, CAIRN_USAGE, "{vary}: at most %d letters vary", MOST_VARIED);
    if (!letter) letter = &s->letters[s->n_letters++];
    letter->name = name;
    return cairn_list_numbers(s->ctx, cairn_say(s->ctx, "{vary}"), equals + 1, &letter->values,
                              &letter->n);
}

static cairn_status read_letters(sheet *s, const char *lines)
{
    const char *const *list;
    CHECK(cairn_list_lines(s->ctx, lines, &list));
    for (size_t i = 0; list[i]; i++) CHECK(add_letter(s, list[i]));
    return CAIRN_OK;
}

/* "sigmoid, gamma = 2": letters of one value are the same in all curves and not named. */
static cairn_status combination_name(sheet *s, const char **out, const char *name, bool single,
                                     const double *values)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(s->ctx);
    bool any = false;
    if (!single) cairn_text_add(&text, name);
    for (size_t v = 0; v < s->n_letters; v++) {
        char number[CAIRN_NUMBER_SIZE];
        if (s->letters[v].n < 2) continue;
        cairn_number_format(number, values[v], 6);
        cairn_text_addf(&text, "%s%s = %s", any || !single ? ", " : "", s->letters[v].name, number);
        any = true;
    }
    if (single && !any) cairn_text_add(&text, name);
    CHECK(cairn_text_status(&text));
    char *copy;
    CHECK(SCRATCH(s->ctx, &copy, strlen(cairn_text_string(&text)) + 1));
    memcpy(copy, cairn_text_string(&text), strlen(cairn_text_string(&text)));
    *out = copy;
    return CAIRN_OK;
}

/* The derivative of the newest curve; none across a jump. */
static cairn_status add_slope(sheet *s, const cairn_typed_function *f, const cairn_variables *at)
{
    const double *columns[MOST_VARIED + 1], h = 1e-5 * (s->high - s->low), steepest = 1e3;
    double *moved, *sides[2];
    CHECK(SCRATCH(s->ctx, &moved, STEPS + 1));
    memcpy(columns, at->columns, at->n_variables * sizeof *columns);
    columns[0] = moved;
    for (int side = 0; side < 2; side++) {
        CHECK(SCRATCH(s->ctx, &sides[side], STEPS + 1));
        for (size_t i = 0; i <= STEPS; i++) moved[i] = s->x[i] + (side ? h : -h);
        CHECK(cairn_function_values(s->ctx, sides[side], f->expression,
                                    &(cairn_variables){at->names, columns, at->n_variables, at->n},
                                    "function"));
    }
    for (size_t i = 0; i <= STEPS; i++) {
        sides[0][i] = (sides[1][i] - sides[0][i]) / (2 * h);
        if (fabs(sides[0][i]) > steepest) sides[0][i] = NAN;
    }
    s->list[s->n - 1].slope = sides[0];
    return CAIRN_OK;
}

/* One function with the values of the letters that combination k stands for, the last letter
 * fastest. */
static cairn_status add_combination(sheet *s, const cairn_typed_function *f, bool single, size_t k)
{
    const char *names[MOST_VARIED + 1] = {"x"}, *name;
    const double *columns[MOST_VARIED + 1] = {s->x};
    double values[MOST_VARIED], *y;
    for (size_t v = s->n_letters; v-- > 0; k /= s->letters[v].n) {
        double *column;
        values[v] = s->letters[v].values[k % s->letters[v].n];
        CHECK(SCRATCH(s->ctx, &column, STEPS + 1));
        for (size_t i = 0; i <= STEPS; i++) column[i] = values[v];
        names[v + 1] = s->letters[v].name;
        columns[v + 1] = column;
    }
    const cairn_variables all = {names, columns, s->n_letters + 1, STEPS + 1};
    CHECK(combination_name(s, &name, f->name, single, values));
    CHECK(add_curve(s, name, &y));
    CHECK(cairn_function_values(s->ctx, y, f->expression, &all, "function"));
    return s->p->slopes ? add_slope(s, f, &all) : CAIRN_OK;
}

static cairn_status add_functions(sheet *s, const char *lines)
{
    cairn_typed_function *list;
    size_t n, combinations = 1;
    CHECK(cairn_functions_read(s->ctx, &list, &n, lines));
    if (n == 0)
        return cairn_fail(s->ctx, CAIRN_USAGE,
                          "nothing to draw: type a {function}, such as {function 'tanh(x)'}, or "
                          "choose a family with {of}");
    for (size_t v = 0; v < s->n_letters; v++) combinations *= s->letters[v].n;
    for (size_t f = 0; f < n; f++)
        for (size_t k = 0; k < combinations; k++) CHECK(add_combination(s, &list[f], n == 1, k));
    return CAIRN_OK;
}

/* -- what records compute -- */

static cairn_status add_windows(sheet *s)
{
    double *y;
    for (const cairn_choice *c = cairn_windows; c->name; c++) {
        CHECK(add_curve(s, c->name, &y));
        for (size_t i = 0; i <= STEPS; i++)
            y[i] = cairn_window_weight((cairn_window)c->value, fabs(s->x[i]));
    }
    return CAIRN_OK;
}

static cairn_status add_kernels(sheet *s)
{
    const char *const *list;
    CHECK(cairn_list_lines(
        s->ctx, s->p->kernel ? s->p->kernel : "rbf\nlaplace\nlinear\npoly\nsigmoid", &list));
    for (size_t i = 0; list[i]; i++) {
        const char *spec = list[i];
        cairn_kernel kernel;
        double *y;
        CHECK(add_curve(s, spec, &y));
        CHECK(cairn_kernel_open(s->ctx, &kernel, cairn_say(s->ctx, "{kernel}"), spec));
        for (size_t j = 0; j <= STEPS; j++)
            y[j] = cairn_kernel_value(&kernel, &s->x[j], &s->p->at, 1);
    }
    return CAIRN_OK;
}

/* -- drawing -- */

static cairn_status set_ends(sheet *s)
{
    const curves_params *p = s->p;
    s->low = isnan(p->low) ? -4 : p->low;
    s->high = isnan(p->high) ? 4 : p->high;
    if (!(s->low < s->high) || !isfinite(s->low) || !isfinite(s->high) || p->y_low >= p->y_high)
        return cairn_fail(s->ctx, CAIRN_USAGE,
                          "the axes need a beginning below their end: {low} below {high}, {y-low} "
                          "below {y-high}, and finite");
    CHECK(SCRATCH(s->ctx, &s->x, STEPS + 1));
    for (size_t i = 0; i <= STEPS; i++) /* in this order 0 is met exactly between -a and a */
        s->x[i] = (s->low * (double)(STEPS - i) + s->high * (double)i) / STEPS;
    return CAIRN_OK;
}

/* A curve is left out where it leaves an axis that was given, and broken where it jumps through
 * infinity; one without any value fails. */
static cairn_status draw_curve(const sheet *s, cairn_figure *figure, const curve *c,
                               const char *label)
{
    size_t seen = 0;
    for (size_t i = 0; i <= STEPS; i++) {
        if (c->y[i] < s->p->y_low || c->y[i] > s->p->y_high) c->y[i] = NAN;
        if (isfinite(c->y[i])) seen++;
    }
    if (seen == 0)
        return cairn_fail(s->ctx, CAIRN_USAGE, "'%s' has no value on these axes", c->name);
    cairn_figure_line(figure, label, s->x, c->y, STEPS + 1);
    char slope[160];
    (void)snprintf(slope, sizeof slope, "slope of %.140s", c->name);
    if (c->slope) cairn_figure_beside(figure, label ? slope : NULL, s->x, c->slope, STEPS + 1);
    return CAIRN_OK;
}

static cairn_status start_axes(const sheet *s, cairn_figure **out, const char *title)
{
    const family *f = &family_table[s->p->of];
    CHECK(cairn_figure_new(s->ctx, out, "curves", title));
    cairn_figure_axes(*out, f->x_title, f->y_title);
    cairn_figure_x_range(*out, s->low, s->high);
    if (!isnan(s->p->y_low) || !isnan(s->p->y_high))
        cairn_figure_y_range(*out, s->p->y_low, s->p->y_high);
    return CAIRN_OK;
}

static cairn_status draw_panels(const sheet *s, cairn_figure *figure)
{
    enum { SIDE = 230 };
    for (size_t i = 0; i < s->n; i++) {
        cairn_figure *panel = NULL;
        CHECK(start_axes(s, &panel, s->list[i].name));
        cairn_figure_size(panel, SIDE, SIDE);
        cairn_status status = draw_curve(s, panel, &s->list[i], NULL);
        cairn_figure_panel(figure, panel);
        CHECK(status);
    }
    cairn_figure_columns(figure, s->n > 3 ? (s->n + 1) / 2 < 4 ? (s->n + 1) / 2 : 4 : s->n);
    return CAIRN_OK;
}

/* Panels are made of several curves only; one curve alone gives the figure its title. */
static cairn_status curves_draw(cairn_context *ctx, cairn_figure **out,
                                const cairn_compute_job *job)
{
    const curves_params *p = job->params;
    const family *f = &family_table[p->of];
    sheet s = {.ctx = ctx, .p = p};
    CHECK(set_ends(&s));
    CHECK(read_letters(&s, f->vary));
    CHECK(read_letters(&s, p->vary));
    if (p->of == OF_WINDOWS)
        CHECK(add_windows(&s));
    else if (p->of == OF_KERNELS)
        CHECK(add_kernels(&s));
    else
        CHECK(add_functions(&s, f->functions ? f->functions : p->function));
    const char *title = s.n == 1 ? s.list[0].name : f->title;
    if (p->panels && s.n > 1) {
        CHECK(cairn_figure_new(ctx, out, "curves", f->title));
        return draw_panels(&s, *out);
    }
    CHECK(start_axes(&s, out, title));
    for (size_t i = 0; i < s.n; i++)
        CHECK(draw_curve(&s, *out, &s.list[i], s.n == 1 ? NULL : s.list[i].name));
    return CAIRN_OK;
}

const cairn_calculator cairn_picture_curves = {
    .picture =
        {.kind = CAIRN_ENTRY_PICTURE,
         .name = "curves",
         .also = "function plot, activation functions, sigmoid curve, logistic curve, "
                 "eps-insensitive loss, Huber loss, kernel profiles",
         .title = "Functions of one number",
         .summary =
             "Draws typed functions of x, or a family of them: activation functions of neurons, "
             "logistic curves for several slopes and centres, losses of an error, the "
             "eps-insensitive error, weights by distance, kernels between x and a fixed place. "
             "A further letter in a function varies over a list of numbers. Losses against the "
             "margin are drawn by 'draw losses', impurities by 'draw impurity', activation "
             "functions "
             "with parameters by 'draw activation', the functions of "
             "a basis by 'draw basis'.",
         .example = "cairn draw curves --of logistic --vary gamma=0.5,1,4 --vary d0=1",
         .params = curves_table,
         .params_size = sizeof(curves_params)},
    .arguments = "",
    .draw = curves_draw,
};
