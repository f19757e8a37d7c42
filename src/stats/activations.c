/* SPDX-License-Identifier: MIT */
#include "stats/activations.h"
#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "entry/entry.h"
#include <math.h>
#include <string.h>

/* -- the functions -- */

/* What is told at 0 is the last parameter of the functions with a jump. */
static double threshold_value(double x, const double *p)
{
    return x > 0 ? 1 : x < 0 ? -1 : isnan(x) ? x : p[0];
}

static double step_value(double x, const double *p)
{
    return x > 0 ? 1 : x < 0 ? 0 : isnan(x) ? x : p[0];
}

static double flat(double x, double y, const double *p)
{
    (void)x, (void)y, (void)p;
    return 0;
}

static double sigmoid_value(double x, const double *p)
{
    (void)p;
    double e = cairn_exp(-fabs(x));
    return x >= 0 ? 1 / (1 + e) : e / (1 + e);
}

static double sigmoid_slope(double x, double y, const double *p)
{
    (void)x, (void)p;
    return y * (1 - y);
}

static double linear_value(double x, const double *p)
{
    return p[0] * x + p[1];
}

static double linear_slope(double x, double y, const double *p)
{
    (void)x, (void)y;
    return p[0];
}

/* m x + c between two ends; outside it stays what it is there, or, as it is sometimes printed, is 0
 * above the upper one. */
static double piecewise_value(double x, const double *p)
{
    if (x > p[3] && p[4] == 0) return 0;
    double at = x < p[2] ? p[2] : x > p[3] ? p[3] : x;
    return p[0] * at + p[1];
}

static double piecewise_slope(double x, double y, const double *p)
{
    (void)y;
    return x > p[2] && x <= p[3] ? p[0] : 0;
}

static double gaussian_value(double x, const double *p)
{
    double z = (x - p[0]) / p[1];
    return cairn_exp(-z * z / 2) / (p[1] * sqrt(2 * 3.14159265358979323846));
}

static double gaussian_slope(double x, double y, const double *p)
{
    double away = (x - p[0]) / p[1] / p[1];
    return y == 0 ? 0 : -away * y;
}

static double tanh_value(double x, const double *p)
{
    (void)p;
    return cairn_tanh(x);
}

static double tanh_slope(double x, double y, const double *p)
{
    (void)x, (void)p;
    return (1 + y) * (1 - y);
}

/* 2 s(x) - 1, without the loss of digits near 0. */
static double th_value(double x, const double *p)
{
    (void)p;
    return cairn_tanh(x / 2);
}

static double th_slope(double x, double y, const double *p)
{
    (void)x, (void)p;
    return (1 + y) * (1 - y) / 2;
}

static double relu_value(double x, const double *p)
{
    return x > 0 || isnan(x) ? x : p[0] == 0 ? 0 : p[0] * x;
}

static double relu_slope(double x, double y, const double *p)
{
    (void)y;
    return x > 0 ? 1 : p[0];
}

static double softplus_value(double x, const double *p)
{
    (void)p;
    return (x > 0 ? x : 0) + cairn_log1p(cairn_exp(-fabs(x)));
}

static double softplus_slope(double x, double y, const double *p)
{
    (void)y;
    return sigmoid_value(x, p);
}

static double exp_value(double x, const double *p)
{
    (void)p;
    return cairn_exp(x);
}

static double exp_slope(double x, double y, const double *p)
{
    (void)x, (void)p;
    return y;
}

/* -- their ranges -- */

static void range_unit(const double *p, double *low, double *high)
{
    (void)p;
    *low = 0;
    *high = 1;
}

static void range_signed(const double *p, double *low, double *high)
{
    (void)p;
    *low = -1;
    *high = 1;
}

static void range_linear(const double *p, double *low, double *high)
{
    *low = p[0] == 0 ? p[1] : -INFINITY;
    *high = p[0] == 0 ? p[1] : INFINITY;
}

static void range_piecewise(const double *p, double *low, double *high)
{
    double a = p[0] * p[2] + p[1], b = p[0] * p[3] + p[1];
    *low = fmin(a, b);
    *high = fmax(a, b);
    if (p[4] == 0) {
        *low = fmin(*low, 0);
        *high = fmax(*high, 0);
    }
}

static void range_gaussian(const double *p, double *low, double *high)
{
    *low = 0;
    *high = gaussian_value(p[0], p);
}

static void range_relu(const double *p, double *low, double *high)
{
    *low = p[0] > 0 ? -INFINITY : 0;
    *high = INFINITY;
}

static void range_positive(const double *p, double *low, double *high)
{
    (void)p;
    *low = 0;
    *high = INFINITY;
}

const cairn_activation cairn_activations[] = {
    {.name = "threshold",
     .title = "threshold function",
     .formula = "1 if x > 0, else −1",
     .params = {{"zero", -1, "the value at x = 0"}},
     .value = threshold_value,
     .derivative = flat,
     .range = range_signed,
     .reaches = true},
    {.name = "sign",
     .title = "sign function",
     .formula = "1 if x > 0, 0 at 0, −1 if x < 0",
     .params = {{"zero", 0, "the value at x = 0"}},
     .value = threshold_value,
     .derivative = flat,
     .range = range_signed,
     .reaches = true},
    {.name = "step",
     .title = "unit step function",
     .formula = "1 if x ≥ 0, else 0",
     .params = {{"zero", 1, "the value at x = 0"}},
     .value = step_value,
     .derivative = flat,
     .range = range_unit,
     .reaches = true},
    {.name = "sigmoid",
     .loop = CAIRN_LOOP_SIGMOID,
     .title = "sigmoid (logistic) function",
     .formula = "1/(1 + e⁻ˣ)",
     .slope = "y(1 − y)",
     .value = sigmoid_value,
     .derivative = sigmoid_slope,
     .range = range_unit},
    {.name = "linear",
     .title = "linear function",
     .formula = "mx + c",
     .slope = "m",
     .params = {{"m", 1, "slope"}, {"c", 0, "value at x = 0"}},
     .value = linear_value,
     .derivative = linear_slope,
     .range = range_linear,
     .reaches = true},
    {.name = "piecewise",
     .title = "piecewise linear function",
     .formula = "mx + c between two ends, constant outside",
     .slope = "m between the ends, 0 outside",
     .params = {{"m", 1, "slope"},
                {"c", 0, "value at x = 0"},
                {"from", -1, "the lower end"},
                {"to", 1, "the upper end"},
                {"saturate", 1, "1 = constant above the upper end, 0 = the value is 0 there"}},
     .value = piecewise_value,
     .derivative = piecewise_slope,
     .range = range_piecewise,
     .reaches = true},
    {.name = "gaussian",
     .title = "Gaussian function",
     .formula = "e^(−(x − μ)²/(2σ²)) / (σ√(2π))",
     .slope = "−y(x − μ)/σ²",
     .params = {{"mu", 0, "centre"}, {"sigma", 1, "spread"}},
     .value = gaussian_value,
     .derivative = gaussian_slope,
     .range = range_gaussian},
    {.name = "tanh",
     .loop = CAIRN_LOOP_TANH,
     .title = "hyperbolic tangent",
     .formula = "(eˣ − e⁻ˣ)/(eˣ + e⁻ˣ)",
     .slope = "(1 + y)(1 − y)",
     .value = tanh_value,
     .derivative = tanh_slope,
     .range = range_signed},
    {.name = "th",
     .loop = CAIRN_LOOP_TH,
     .title = "symmetric sigmoid",
     .formula = "2/(1 + e⁻ˣ) − 1 = tanh(x/2)",
     .slope = "(1 + y)(1 − y)/2",
     .value = th_value,
     .derivative = th_slope,
     .range = range_signed},
    {.name = "relu",
     .loop = CAIRN_LOOP_RELU,
     .title = "rectified linear function",
     .formula = "x if x > 0, else leak·x",
     .slope = "1 if x > 0, else leak",
     .params = {{"leak", 0, "slope below 0"}},
     .value = relu_value,
     .derivative = relu_slope,
     .range = range_relu,
     .reaches = true},
    {.name = "softplus",
     .title = "softplus function",
     .formula = "ln(1 + eˣ)",
     .slope = "1/(1 + e⁻ˣ) = 1 − e⁻ʸ",
     .value = softplus_value,
     .derivative = softplus_slope,
     .range = range_positive},
    {.name = "softmax",
     .loop = CAIRN_LOOP_SOFTMAX,
     .title = "softmax of a layer",
     .formula = "eˣ / Σ eˣ over the nodes of the layer",
     .slope = "yᵢ(1 − yᵢ), and −yᵢyⱼ by the others",
     .value = exp_value,
     .derivative = exp_slope,
     .range = range_unit,
     .together = true},
    {.name = NULL},
};

/* -- with parameters -- */

cairn_activated cairn_activation_named(const char *name)
{
    cairn_activated out = {0};
    for (const cairn_activation *f = cairn_activations; f->name && !out.f; f++)
        if (strcmp(f->name, name) == 0) out.f = f;
    for (size_t i = 0; out.f && out.f->params[i].name; i++) out.p[i] = out.f->params[i].initial;
    return out;
}

bool cairn_activation_set(cairn_activated *a, const char *key, size_t at, double value)
{
    size_t i = 0;
    while (a->f->params[i].name && (key ? strcmp(a->f->params[i].name, key) != 0 : i != at)) i++;
    if (!a->f->params[i].name || !isfinite(value)) return false;
    a->p[i] = value;
    return true;
}

const char *cairn_activation_fault(const cairn_activated *a)
{
    if (a->f->value == gaussian_value && !(a->p[1] > 0)) return "sigma must be above 0";
    if (a->f->value == piecewise_value && !(a->p[2] < a->p[3])) return "from must be below to";
    return NULL;
}

/* "2" or "m=2" as parameter number `at`. */
static cairn_status read_param(cairn_context *ctx, cairn_activated *a, const char *what,
                               const char *text, size_t at)
{
    const char *equals = strchr(text, '=');
    const char *number = equals ? equals + 1 : text;
    double value;
    char *key = NULL;
    if (equals) {
        size_t length = (size_t)(equals - text);
        while (length && text[length - 1] == ' ') length--;
        CHECK(SCRATCH(ctx, &key, length + 1));
        memcpy(key, text, length);
    }
    while (*number == ' ') number++;
    if (!cairn_number_parse(number, strlen(number), &value) ||
        !cairn_activation_set(a, key, at, value)) {
        SCOPED(cairn_text_clear) cairn_text names = cairn_text_start(ctx);
        for (size_t i = 0; a->f->params[i].name; i++)
            cairn_text_addf(&names, "%s%s", i ? ", " : "", a->f->params[i].name);
        CHECK(cairn_text_status(&names));
        if (!a->f->params[0].name)
            return cairn_fail(ctx, CAIRN_USAGE, "%s: %s has no parameters; leave out '%s'", what,
                              a->f->name, text);
        return cairn_fail(
            ctx, CAIRN_USAGE, "%s: '%s' is no parameter of %s, which has %s; write %s(%s=1)", what,
            text, a->f->name, cairn_text_string(&names), a->f->name, a->f->params[0].name);
    }
    return CAIRN_OK;
}

/* The parameters between the brackets, by name or in their order. */
static cairn_status read_params(cairn_context *ctx, cairn_activated *a, const char *what,
                                const char *open)
{
    char **items, *inner;
    size_t n, length = strlen(open);
    if (length < 2 || open[length - 1] != ')')
        return cairn_fail(ctx, CAIRN_USAGE, "%s: the bracket after %s is not closed", what,
                          a->f->name);
    CHECK(SCRATCH(ctx, &inner, length));
    memcpy(inner, open + 1, length - 2);
    CHECK(cairn_list_split(ctx, inner, &items, &n));
    for (size_t i = 0; i < n; i++) CHECK(read_param(ctx, a, what, items[i], i));
    return CAIRN_OK;
}

cairn_status cairn_activation_read(cairn_context *ctx, cairn_activated *out, const char *what,
                                   const char *text)
{
    const char *open = strchr(text, '(');
    size_t length = open ? (size_t)(open - text) : strlen(text);
    char *name;
    CHECK(SCRATCH(ctx, &name, length + 1));
    memcpy(name, text, length);
    *out = cairn_activation_named(name);
    if (!out->f) {
        SCOPED(cairn_text_clear) cairn_text names = cairn_text_start(ctx);
        for (const cairn_activation *f = cairn_activations; f->name; f++)
            cairn_text_addf(&names, "%s%s", f == cairn_activations ? "" : ", ", f->name);
        CHECK(cairn_text_status(&names));
        return cairn_fail(ctx, CAIRN_USAGE,
                          "%s: there is no activation function '%s'; there are %s", what, name,
                          cairn_text_string(&names));
    }
    if (open) CHECK(read_params(ctx, out, what, open));
    const char *fault = cairn_activation_fault(out);
    if (fault) return cairn_fail(ctx, CAIRN_USAGE, "%s: %s: %s", what, text, fault);
    return CAIRN_OK;
}

void cairn_activation_write(cairn_text *out, const cairn_activated *a)
{
    bool any = false;
    cairn_text_add(out, a->f->name);
    for (size_t i = 0; a->f->params[i].name; i++) {
        if (a->p[i] == a->f->params[i].initial) continue;
        cairn_text_addf(out, "%s%s=", any ? ", " : "(", a->f->params[i].name);
        cairn_text_add_number(out, a->p[i], CAIRN_SHORTEST);
        any = true;
    }
    if (any) cairn_text_add_char(out, ')');
}

void cairn_activate_layer(const cairn_activated *a, const double *nets, size_t n, double *outs)
{
    if (a->f->together) {
        /* Softmax takes the largest net input away first, which changes nothing but keeps e to
         * its power a number. */
        double most = -INFINITY, sum = 0;
        for (size_t i = 0; i < n; i++) most = fmax(most, nets[i]);
        for (size_t i = 0; i < n; i++) sum += outs[i] = cairn_exp(nets[i] - most);
        for (size_t i = 0; i < n; i++) outs[i] /= sum;
        return;
    }
    for (size_t i = 0; i < n; i++) outs[i] = a->f->value(nets[i], a->p);
}
