/* SPDX-License-Identifier: MIT */
/* Functions of neurons with their numbers put in. */
#include "compute/networks/units.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const cairn_choice zeros[] = {
    {"usual", CAIRN_JUMP_USUAL, "threshold −1, sign 0, unit step 1"},
    {"-1", CAIRN_JUMP_MINUS, "−1"},
    {"0", CAIRN_JUMP_ZERO, "0"},
    {"1", CAIRN_JUMP_PLUS, "1"},
    {"reject", CAIRN_JUMP_REJECT, "no output"},
    {NULL, 0, NULL}};

const cairn_param cairn_unit_params[] = {
    CAIRN_PARAM_CHOICE(cairn_unit_options, at_zero, "usual", zeros,
                       "output of functions with a jump (threshold, sign, step) at exactly 0"),
    CAIRN_PARAM(cairn_unit_options, saturate, "yes", NULL,
                "the piecewise linear function stays what it is at its upper end; no = it is 0 "
                "above it, as some print it"),
    CAIRN_PARAM_END,
};

/* -- functions -- */

static bool has_jump(const cairn_activated *a)
{
    return a->f->params[0].name && strcmp(a->f->params[0].name, "zero") == 0;
}

void cairn_unit_adapt(cairn_activated *a, const cairn_unit_options *options)
{
    static const double values[] = {0, -1, 0, 1, 0};
    bool reported = options->at_zero != CAIRN_JUMP_USUAL && options->at_zero != CAIRN_JUMP_REJECT;
    if (reported && has_jump(a)) (void)cairn_activation_set(a, "zero", 0, values[options->at_zero]);
    if (!options->saturate) (void)cairn_activation_set(a, "saturate", 0, 0);
}

double cairn_unit_value(const cairn_activated *a, bool reject, double net)
{
    return reject && net == 0 && has_jump(a) ? NAN : cairn_activate(a, net);
}

/* The text of function i, and its name with a number where others have it as well. */
static cairn_status name_function(cairn_context *ctx, cairn_unit_functions *f, size_t i)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    size_t before = 0, size;
    char *copy, *key;
    cairn_activation_write(&text, &f->list[i]);
    CHECK(cairn_text_status(&text));
    size = strlen(cairn_text_string(&text)) + 1;
    CHECK(SCRATCH(ctx, &copy, size));
    memcpy(copy, cairn_text_string(&text), size);
    for (size_t j = 0; j < i; j++) before += f->list[j].f == f->list[i].f;
    size = strlen(f->list[i].f->name) + 24;
    CHECK(SCRATCH(ctx, &key, size));
    if (before)
        snprintf(key, size, "%s%zu", f->list[i].f->name, before + 1);
    else
        snprintf(key, size, "%s", f->list[i].f->name);
    f->texts[i] = copy;
    f->keys[i] = key;
    return CAIRN_OK;
}

cairn_status cairn_unit_functions_read(cairn_context *ctx, cairn_unit_functions *out,
                                       const char *option, const char *lines,
                                       const cairn_unit_options *options)
{
    const char *const *list;
    char what[80];
    snprintf(what, sizeof what, "{%.70s}", option);
    CHECK(cairn_list_lines(ctx, lines, &list));
    *out = (cairn_unit_functions){.reject = options->at_zero == CAIRN_JUMP_REJECT};
    while (list[out->n]) out->n++;
    CHECK(SCRATCH_EACH(ctx, out->n + 1, &out->list, &out->texts, &out->keys));
    for (size_t i = 0; i < out->n; i++) {
        CHECK(cairn_activation_read(ctx, &out->list[i], cairn_say(ctx, what), list[i]));
        if (out->list[i].f->together)
            return cairn_fail(ctx, CAIRN_USAGE,
                              "%s: %s is a function of all nodes of a layer; 'compute forward' has "
                              "it",
                              cairn_say(ctx, what), list[i]);
        cairn_unit_adapt(&out->list[i], options);
        CHECK(name_function(ctx, out, i));
    }
    return CAIRN_OK;
}

/* -- net inputs -- */

cairn_status cairn_unit_input_names(cairn_context *ctx, const char ***out, size_t n)
{
    enum { BUFFER = 24 };
    char *buffer;
    CHECK(SCRATCH(ctx, out, n + 1));
    CHECK(SCRATCH(ctx, &buffer, cairn_product(n, BUFFER) + 1));
    for (size_t i = 0; i < n; i++, buffer += BUFFER) {
        snprintf(buffer, BUFFER, "x%zu", i + 1);
        (*out)[i] = buffer;
    }
    return CAIRN_OK;
}

double cairn_unit_net(const double *weights, const double *x, size_t n, double bias)
{
    static const double rounding = 1e-12;
    double sum = bias, size = fabs(bias);
    for (size_t i = 0; i < n; i++) {
        sum += weights[i] * x[i];
        size += fabs(weights[i] * x[i]);
    }
    return isfinite(size) && fabs(sum) <= rounding * size ? 0 : sum;
}

cairn_status cairn_unit_check(cairn_context *ctx, double net, const char *where)
{
    if (isfinite(net)) return CAIRN_OK;
    return cairn_fail(
        ctx, CAIRN_BAD_DATA,
        "input '%s': the weighted sum is too large for a number; scale the inputs or the "
        "weights down",
        where);
}

cairn_status cairn_unit_work_net(cairn_context *ctx, cairn_report *out, const char *label,
                                 const double *weights, const double *x, size_t n, double bias)
{
    double *terms;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH(ctx, &terms, cairn_product(n + 1, 2)));
    terms[0] = bias;
    terms[1] = 1;
    for (size_t i = 0; i < n; i++) {
        terms[2 * (i + 1)] = weights[i];
        terms[2 * (i + 1) + 1] = x[i];
    }
    cairn_report_worked_sum(out, label, "#·#", terms, 2, n + 1,
                            cairn_unit_net(weights, x, n, bias));
    return CAIRN_OK;
}

/* -- formulas with numbers -- */

/* How a function and its derivative are written: x and y stand for argument and value, d for the
 * derivative, 0 to 4 for parameters, each in braces. */
typedef struct written {
    const char *name, *value, *slope;
} written;

static const written forms[] = {
    {"sigmoid", "1 / (1 + e^(−{x})) = {y}", "{y} · (1 − {y}) = {d}"},
    {"linear", "{0} · {x} + {1} = {y}", "{d}"},
    {"gaussian", "e^(−({x} − {0})² / (2 · {1}²)) / ({1} · √(2π)) = {y}",
     "−{y} · ({x} − {0}) / {1}² = {d}"},
    {"tanh", "(e^{x} − e^(−{x})) / (e^{x} + e^(−{x})) = {y}", "(1 + {y}) · (1 − {y}) = {d}"},
    {"th", "2 / (1 + e^(−{x})) − 1 = {y}", "(1 + {y}) · (1 − {y}) / 2 = {d}"},
    {"softplus", "ln(1 + e^{x}) = {y}", "1 − e^(−{y}) = {d}"},
};

/* Writes a form: every brace becomes the mark of a number. */
static void work_form(cairn_report *out, const char *label, const char *form,
                      const cairn_activated *a, double x, double y)
{
    enum { MOST = 12 };
    char text[160];
    double numbers[MOST];
    size_t n = 0, used = 0;
    for (const char *at = form; *at && used + 1 < sizeof text && n < MOST; at++) {
        if (*at != '{') {
            text[used++] = *at;
            continue;
        }
        numbers[n++] = at[1] == 'x'   ? x
                       : at[1] == 'y' ? y
                       : at[1] == 'd' ? cairn_activation_slope(a, x, y)
                                      : a->p[at[1] - '0'];
        text[used++] = '#';
        at += 2;
    }
    text[used] = '\0';
    cairn_report_worked_numbers(out, label, text, numbers, n);
}

static const written *form_of(const cairn_activated *a)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strcmp(forms[i].name, a->f->name) == 0) return &forms[i];
    return NULL;
}

void cairn_unit_work_output(cairn_report *out, const char *label, const cairn_activated *a,
                            double x, double y)
{
    const written *form = form_of(a);
    char text[80];
    snprintf(text, sizeof text, "%.60s(#) = #", a->f->name);
    if (form)
        work_form(out, label, form->value, a, x, y);
    else
        cairn_report_worked(out, label, text, x, y);
}

void cairn_unit_work_slope(cairn_report *out, const char *label, const cairn_activated *a, double x,
                           double y)
{
    const written *form = form_of(a);
    work_form(out, label, form ? form->slope : "{d}", a, x, y);
}
