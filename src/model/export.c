/* SPDX-License-Identifier: MIT */
/* Models written down in the forms that their learners have. */
#include "model/model.h"

static const char *form_name(size_t i, const void *data)
{
    const cairn_export_form *forms = data;
    return forms[i].name;
}

static void add_names(cairn_text *out, const cairn_export_form *forms)
{
    for (size_t i = 0; forms[i].name; i++)
        cairn_text_addf(out, "%s%s",
                        i == 0              ? ""
                        : forms[i + 1].name ? ", "
                                            : " or ",
                        forms[i].name);
}

static cairn_status unknown_form(cairn_context *ctx, const cairn_learner *learner, const char *form)
{
    const char *near = cairn_nearest_word(form, form_name, learner->forms);
    cairn_text names = cairn_text_start(ctx);
    add_names(&names, learner->forms);
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

cairn_status cairn_model_export(cairn_context *ctx, const cairn_model *model, const char *form,
                                char **text)
{
    const cairn_learner *learner = model->learner;
    cairn_text written = cairn_text_start(ctx);
    cairn_status status;
    if (!learner || !learner->forms)
        return cairn_fail(ctx, CAIRN_USAGE, "a %s%s cannot be exported; cairn describe shows it",
                          learner ? "model of " : "recipe", learner ? learner->entry.name : "");
    size_t i = 0;
    while (learner->forms[i].name && !cairn_same(learner->forms[i].name, form)) i++;
    if (!learner->forms[i].name) return unknown_form(ctx, learner, form);
    cairn_job job = cairn_model_job(model);
    job.account = model->account;
    learner->forms[i].write(&written, model->state, &job);
    TRY(cairn_text_status(&written));
    TRY(cairn_text_take(&written, text));
done:
    cairn_text_clear(&written);
    return status;
}
