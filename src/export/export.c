/* SPDX-License-Identifier: MIT */
/* Models written down: in the forms that their learners have, or as programs. */
#include "export/export.h"
#include "base/call.h"
#include "base/memory.h"
#include "export/export_rows.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

const cairn_export_format cairn_export_formats[] = {
    {"c", "a C file of its own, from raw columns to the answer, with a self-test", cairn_export_c,
     false},
    {"py", "a Python file of its own, with a self-test; answers rows and CSV files",
     cairn_export_python, false},
    {"js", "a JavaScript file of its own for browsers and node, with a self-test",
     cairn_export_javascript, false},
    {"json", "the program as data: see docs/export.md", cairn_export_json, false},
    {"onnx", "ONNX, in double: for onnxruntime and whatever else reads it", cairn_export_onnx,
     true},
    {"dot", "the program as a graph for Graphviz", cairn_export_dot, false},
    {NULL, NULL, NULL, false},
};

size_t cairn_export_forms(cairn_form_help out[CAIRN_MOST_FORMS], const cairn_learner *learner)
{
    size_t n = 0, n_programs = sizeof cairn_export_formats / sizeof *cairn_export_formats;
    size_t buffer = CAIRN_MOST_FORMS - n_programs;
    for (const cairn_export_form *f = learner->forms; f && f->name && n < buffer; f++)
        out[n++] = (cairn_form_help){f->name, f->help};
    for (const cairn_export_format *f = cairn_export_formats; learner->lower && f->name; f++) {
        bool there = false;
        for (size_t i = 0; i < n; i++) there |= cairn_same(out[i].name, f->name);
        if (!there) out[n++] = (cairn_form_help){f->name, f->help};
    }
    out[n] = (cairn_form_help){NULL, NULL};
    return n;
}

static const char *form_name(size_t i, const void *data)
{
    const cairn_form_help *forms = data;
    return forms[i].name;
}

/* Lists the forms that this learner has, since they differ from learner to learner. */
static cairn_status unknown_form(cairn_context *ctx, const cairn_learner *learner, const char *form)
{
    cairn_form_help forms[CAIRN_MOST_FORMS];
    size_t n = cairn_export_forms(forms, learner);
    const char *near = cairn_nearest_word(form, form_name, forms);
    cairn_text names = cairn_text_start(ctx);
    for (size_t i = 0; i < n; i++)
        cairn_text_addf(&names, "%s%s", i == 0 ? "" : i + 1 < n ? ", " : " or ", forms[i].name);
    cairn_status status = cairn_text_status(&names);
    if (status == CAIRN_OK && near)
        status = cairn_fail(ctx, CAIRN_USAGE,
                            "a model of %s has no form '%s'; did you mean '%s'? It has %s",
                            learner->entry.name, form, near, cairn_text_string(&names));
    else if (status == CAIRN_OK)
        status = cairn_fail(ctx, CAIRN_USAGE, "a model of %s has no form '%s'; it has %s",
                            learner->entry.name, form, cairn_text_string(&names));
    cairn_text_clear(&names);
    return status;
}

/* -- what several formats share -- */

void cairn_export_part(cairn_text *out, const char *runtime, const char *comment, const char *name)
{
    char mark[64];
    (void)snprintf(mark, sizeof mark, "\n%s == %s ==", comment, name);
    const char *begin = strstr(runtime, mark);
    if (!begin) return;
    begin = strchr(begin + 1, '\n') + 1;
    (void)snprintf(mark, sizeof mark, "\n%s == ", comment);
    const char *end = strstr(begin, mark);
    cairn_text_add_bytes(out, begin, end ? (size_t)(end - begin) : strlen(begin));
    cairn_text_add_char(out, '\n');
}

void cairn_export_parts(cairn_text *out, const cairn_export *e, const char *runtime,
                        const char *comment)
{
    const cairn_program *p = &e->program;
    bool used[CAIRN_OP_KINDS] = {false}, reads = false;
    for (size_t i = 0; i < p->n_ops; i++) {
        used[p->ops[i]->kind] = true;
        reads |= p->ops[i]->n_in > 0;
    }
    cairn_export_part(out, runtime, comment, "always");
    if (reads) cairn_export_part(out, runtime, comment, "cell");
    for (size_t kind = 0; kind < CAIRN_OP_KINDS; kind++)
        if (used[kind]) cairn_export_part(out, runtime, comment, cairn_op_forms[kind].name);
}

/* About the largest kernel of a row: that of a row of the model with itself where it is an inner
 * product, and 1 where it falls with the distance. */
static double largest_kernel(const cairn_operation *op)
{
    const double *p = op->numbers[3];
    double most = 0;
    if (op->sizes[1] >= 2) return 1;
    for (int32_t i = 0; i < op->sizes[0]; i++) {
        const double *row = op->numbers[0] + (size_t)i * op->n_in;
        double dot = 0;
        for (size_t j = 0; j < op->n_in; j++) dot += row[j] * row[j];
        most = fmax(most, op->sizes[1] ? fabs(p[1]) * dot + fabs(p[2]) : dot);
    }
    double power = fmax(most, 1);
    for (int32_t d = 1; op->sizes[1] && d < op->sizes[2]; d++) power *= fmax(most, 1);
    return power;
}

/* Sums cancel, and lose digits of their terms: of kernels, and of weights times numbers, which are
 * taken to be a few units of their spread. */
double cairn_export_slack(const cairn_program *p)
{
    double slack = 1e-14;
    for (size_t i = 0; i < p->n_ops; i++) {
        const cairn_operation *op = p->ops[i];
        bool kernels = op->kind == CAIRN_OP_KERNELS;
        if (!kernels && op->kind != CAIRN_OP_AFFINE) continue;
        size_t n = kernels ? (size_t)op->sizes[0] : op->n_in;
        double each = kernels ? 1e-14 * largest_kernel(op) : 4e-15;
        for (size_t k = 0; k < op->n_out; k++) {
            double sum = 0;
            for (size_t r = 0; r < n; r++) sum += fabs(op->numbers[1][k * n + r]);
            slack = fmax(slack, kernels ? each * sum : fmin(each * sum, 1e-9));
        }
    }
    return slack;
}

/* -- programs -- */

static cairn_status name_classes(cairn_export *e)
{
    const cairn_field *target = cairn_model_target(e->model);
    if (e->model->task != CAIRN_CLASSIFY || !target) return CAIRN_OK;
    CHECK(SCRATCH(e->ctx, &e->classes, e->model->n_classes + 1));
    for (size_t c = 0; c < e->model->n_classes; c++)
        e->classes[c] = cairn_map_key(&target->names, c);
    return CAIRN_OK;
}

static cairn_status write_program(cairn_text *out, const cairn_model *model,
                                  const cairn_export_format *format,
                                  const cairn_export_options *options)
{
    cairn_context *ctx = out->ctx;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_export e = {.ctx = ctx, .model = model, .matrix = options->matrix};
    cairn_status status;
    TRY(cairn_program_of(ctx, &e.program, model));
    TRY(name_classes(&e));
    TRY(cairn_export_take_rows(&e, options->rows));
    TRY(cairn_export_check(&e));
    if (e.rows.n > options->n_tests) e.rows.n = options->n_tests;
    format->write(out, &e);
    TRY(cairn_text_status(out));
done:
    cairn_program_clear(&e.program);
    cairn_scratch_release(ctx, mark);
    return status;
}

/* -- the learner's own forms -- */

static const cairn_export_format *format_of(const char *name)
{
    const cairn_export_format *format = cairn_export_formats;
    while (format->name && !cairn_same(format->name, name)) format++;
    return format->name ? format : NULL;
}

cairn_status cairn_export_write(cairn_text *out, const cairn_model *model, const char *form,
                                const cairn_export_options *options)
{
    cairn_context *ctx = out->ctx;
    const cairn_learner *learner = model->learner;
    if (!learner || (!learner->forms && !learner->lower))
        return cairn_fail(ctx, CAIRN_USAGE, "a %s%s cannot be exported; cairn describe shows it",
                          learner ? "model of " : "recipe", learner ? learner->entry.name : "");
    const cairn_export_form *own = learner->forms;
    while (own && own->name && !cairn_same(own->name, form)) own++;
    const cairn_export_format *format = format_of(form);
    if (own && own->name) {
        cairn_job job = cairn_model_job(model);
        job.history = model->history;
        own->write(out, model->state, &job);
    } else if (format && learner->lower)
        CHECK(write_program(out, model, format, options));
    else
        CHECK(unknown_form(ctx, learner, form));
    return cairn_text_status(out);
}

/* Forms that a program takes along rows of; as many as `export` takes. */
enum { TESTS = 20 };

cairn_status cairn_model_export(cairn_context *ctx, const cairn_model *model, const char *form,
                                char **text)
{
    PUBLIC_CALL(ctx);
    SCOPED(cairn_text_clear) cairn_text written = cairn_text_start(ctx);
    const cairn_export_format *format = form ? format_of(form) : NULL;
    if (format && format->is_bytes)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "the form '%s' is bytes and no text; cairn_model_export_bytes gives them",
                          form);
    CHECK(cairn_export_write(&written, model, form, &(cairn_export_options){.n_tests = TESTS}));
    return cairn_text_take(&written, text);
}

cairn_status cairn_model_export_bytes(cairn_context *ctx, const cairn_model *model,
                                      const char *form, char **bytes, size_t *n_bytes)
{
    PUBLIC_CALL(ctx);
    SCOPED(cairn_text_clear) cairn_text written = cairn_text_start(ctx);
    CHECK(cairn_export_write(&written, model, form, &(cairn_export_options){.n_tests = TESTS}));
    *n_bytes = written.length;
    return cairn_text_take(&written, bytes);
}
