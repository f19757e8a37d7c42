/* SPDX-License-Identifier: MIT */
/* Linear regressions written down, and `linear` read again:
 *
 *     intercept = 3.2
 *     age = -0.4
 *     "blood pressure" = 0.01
 *
 * A line gives the weight of a term as it is after the transforms; what has no line is 0. */
#include "base/memory.h"
#include "base/number.h"
#include "learners/linear/linear.h"
#include "learners/linear/logistic_forms.h"
#include "learners/linear/weights.h"
#include <math.h>
#include <string.h>

/* What is written: the terms with their weights, and the constant. */
typedef struct sheet {
    cairn_text *out;
    const char *const *names;
    const char *target;
    const double *weights; /* n */
    double constant;
    size_t n;
    bool intercept;
} sheet;

static cairn_status open_sheet(sheet *s, cairn_text *out, const cairn_job *job)
{
    ptrdiff_t target = cairn_schema_role(job->schema, CAIRN_TARGET);
    s->out = out;
    s->target = target < 0 ? "target" : job->schema->fields[target].name;
    return cairn_term_names(out->ctx, &s->names, job->schema);
}

static void close_sheet(cairn_text *out, cairn_status status)
{
    if (out->status == CAIRN_OK) out->status = status;
}

/* -- the forms -- */

static void write_lines(const sheet *s)
{
    cairn_text_add(s->out, "# term = weight; what has no line is 0\n");
    if (s->intercept) {
        cairn_text_add(s->out, "intercept = ");
        cairn_text_add_number(s->out, s->constant, CAIRN_SHORTEST);
        cairn_text_add_char(s->out, '\n');
    }
    for (size_t t = 0; t < s->n; t++) {
        if (s->weights[t] == 0 && (t || s->intercept)) continue;
        if (strcmp(s->names[t], "intercept") == 0)
            cairn_text_add(s->out, "\"intercept\"");
        else
            cairn_given_add_name(s->out, s->names[t]);
        cairn_text_add(s->out, " = ");
        cairn_text_add_number(s->out, s->weights[t], CAIRN_SHORTEST);
        cairn_text_add_char(s->out, '\n');
    }
}

/* target = 1.5 - 0.3*x + 2*`the width` */
static void write_expression(const sheet *s)
{
    bool any = s->intercept;
    cairn_forms_add_variable(s->out, s->target);
    cairn_text_add(s->out, " = ");
    if (any) cairn_text_add_number(s->out, s->constant, CAIRN_SHORTEST);
    for (size_t t = 0; t < s->n; t++) {
        double w = s->weights[t];
        if (w == 0) continue;
        if (any) cairn_text_add(s->out, signbit(w) ? " - " : " + ");
        cairn_text_add_number(s->out, any ? fabs(w) : w, CAIRN_SHORTEST);
        cairn_text_add_char(s->out, '*');
        cairn_forms_add_variable(s->out, s->names[t]);
        any = true;
    }
    cairn_text_add(s->out, any ? "\n" : "0\n");
}

/* Name and numbers of a line of CSV; what is no number is an empty cell. */
static void write_cells(cairn_text *out, const char *name, const double *numbers, size_t n)
{
    cairn_text_add_csv(out, name);
    for (size_t i = 0; i < n; i++) {
        cairn_text_add_char(out, ',');
        if (isfinite(numbers[i])) cairn_text_add_number(out, numbers[i], CAIRN_SHORTEST);
    }
    cairn_text_add_char(out, '\n');
}

/* -- of models that are weights alone -- */

static cairn_status open_weights(sheet *s, cairn_text *out, const void *model, const cairn_job *job)
{
    const cairn_weights *m = model;
    *s = (sheet){.weights = m->weights, .n = m->n_terms, .intercept = m->intercept};
    s->constant = m->weights[m->n_terms];
    return open_sheet(s, out, job);
}

static void weights_formula(cairn_text *out, const void *model, const cairn_job *job)
{
    SCOPED_SCRATCH(out->ctx);
    sheet s;
    cairn_status status = open_weights(&s, out, model, job);
    if (!status) write_expression(&s);
    close_sheet(out, status);
}

static void weights_table(cairn_text *out, const void *model, const cairn_job *job)
{
    SCOPED_SCRATCH(out->ctx);
    sheet s;
    cairn_status status = open_weights(&s, out, model, job);
    if (!status) {
        cairn_text_add(out, "term,coefficient\n");
        if (s.intercept) write_cells(out, "intercept", &s.constant, 1);
        for (size_t t = 0; t < s.n; t++) write_cells(out, s.names[t], &s.weights[t], 1);
    }
    close_sheet(out, status);
}

const cairn_export_form cairn_weights_forms[] = {
    {"formula", "an expression for the target, as --with formula takes it", weights_formula},
    {"table", "CSV of the coefficients", weights_table},
    {NULL, NULL, NULL},
};

/* -- of linear -- */

static cairn_status open_linear(sheet *s, cairn_text *out, const void *model, const cairn_job *job)
{
    const cairn_linear_model *m = model;
    *s = (sheet){.weights = m->coefficients, .n = m->n_columns, .intercept = m->intercept};
    s->constant = m->constant;
    return open_sheet(s, out, job);
}

static void linear_text(cairn_text *out, const void *model, const cairn_job *job)
{
    SCOPED_SCRATCH(out->ctx);
    sheet s;
    cairn_status status = open_linear(&s, out, model, job);
    if (!status) write_lines(&s);
    close_sheet(out, status);
}

static void linear_formula(cairn_text *out, const void *model, const cairn_job *job)
{
    SCOPED_SCRATCH(out->ctx);
    sheet s;
    cairn_status status = open_linear(&s, out, model, job);
    if (!status) write_expression(&s);
    close_sheet(out, status);
}

static void linear_table(cairn_text *out, const void *model, const cairn_job *job)
{
    const cairn_linear_params *params = job->params;
    const cairn_linear_model *m = model;
    SCOPED_SCRATCH(out->ctx);
    sheet s;
    cairn_status status = open_linear(&s, out, model, job);
    cairn_text_add(out, "term,coefficient,standard_error,t,p,low,high,vif\n");
    for (size_t i = m->intercept ? 0 : 1; !status && i <= m->n_columns; i++) {
        size_t j = i ? i - 1 : m->n_columns;
        cairn_linear_row r = cairn_linear_row_of(m, j, params->level);
        double vif = i ? cairn_linear_variance_inflation(m, j) : NAN;
        double numbers[] = {r.coefficient, r.error, r.t, r.p, r.low, r.high, vif};
        write_cells(out, i ? s.names[j] : "intercept", numbers, 7);
    }
    close_sheet(out, status);
}

const cairn_export_form cairn_linear_forms[] = {
    {"text", "a line for every weight, which --given reads again", linear_text},
    {"formula", "an expression for the target, as --with formula takes it", linear_formula},
    {"table", "CSV of the coefficients with errors, tests, intervals and inflation", linear_table},
    {NULL, NULL, NULL},
};

/* -- reading -- */

cairn_status cairn_linear_read_weights(cairn_context *ctx, const cairn_given *given,
                                       const cairn_job *job, bool intercept, double **out)
{
    cairn_logistic_plan plan = {.schema = job->schema, .n_present = 1, .intercept = intercept};
    static const int32_t none[] = {-1};
    bool *named;
    plan.classes = none;
    return cairn_logistic_read_weights(ctx, given, job, &plan, out, &named);
}
