/* SPDX-License-Identifier: MIT */
/* Models written down: in the forms that their learners have, or as programs. */
#include "export/export.h"
#include "base/call.h"
#include "base/memory.h"
#include "export/export_rows.h"

const cairn_export_format cairn_export_formats[] = {
    {"c", "a C file of its own, from raw columns to the answer, with a self-test", cairn_export_c},
    {"json", "the program as data: see docs/export.md", cairn_export_json},
    {"dot", "the program as a graph for Graphviz", cairn_export_dot},
    {NULL, NULL, NULL},
};

size_t cairn_export_forms(cairn_form_help out[CAIRN_MOST_FORMS], const cairn_learner *learner)
{
    size_t n = 0, buffer = CAIRN_MOST_FORMS - 4;
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
                                  const cairn_export_format *format, const cairn_table *rows,
                                  size_t n_tests)
{
    cairn_context *ctx = out->ctx;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_export e = {.ctx = ctx, .model = model};
    cairn_status status;
    TRY(cairn_program_of(ctx, &e.program, model));
    TRY(name_classes(&e));
    TRY(cairn_export_take_rows(&e, rows));
    TRY(cairn_export_check(&e));
    if (e.rows.n > n_tests) e.rows.n = n_tests;
    format->write(out, &e);
    TRY(cairn_text_status(out));
done:
    cairn_program_clear(&e.program);
    cairn_scratch_release(ctx, mark);
    return status;
}

/* -- the learner's own forms -- */

cairn_status cairn_export_write(cairn_context *ctx, const cairn_model *model, const char *form,
                                const cairn_table *rows, size_t n_tests, char **text)
{
    const cairn_learner *learner = model->learner;
    SCOPED(cairn_text_clear) cairn_text written = cairn_text_start(ctx);
    if (!learner || (!learner->forms && !learner->lower))
        return cairn_fail(ctx, CAIRN_USAGE, "a %s%s cannot be exported; cairn describe shows it",
                          learner ? "model of " : "recipe", learner ? learner->entry.name : "");
    const cairn_export_form *own = learner->forms;
    while (own && own->name && !cairn_same(own->name, form)) own++;
    const cairn_export_format *format = cairn_export_formats;
    while (format->name && !cairn_same(format->name, form)) format++;
    if (own && own->name) {
        cairn_job job = cairn_model_job(model);
        job.history = model->history;
        own->write(&written, model->state, &job);
        CHECK(cairn_text_status(&written));
    } else if (format->name && learner->lower)
        CHECK(write_program(&written, model, format, rows, n_tests));
    else
        CHECK(unknown_form(ctx, learner, form));
    return cairn_text_take(&written, text);
}

cairn_status cairn_model_export(cairn_context *ctx, const cairn_model *model, const char *form,
                                char **text)
{
    PUBLIC_CALL(ctx);
    enum { TESTS = 20 };
    return cairn_export_write(ctx, model, form, NULL, TESTS, text);
}
