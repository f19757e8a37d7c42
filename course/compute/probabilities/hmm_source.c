/* SPDX-License-Identifier: MIT */
/* Copies of learned hidden Markov models: through their text form, which keeps every digit. */
#include "compute/probabilities/hmm_source.h"

#include "learners/sequence/hmm.h"

cairn_status cairn_hmm_saved_count(cairn_context *ctx, const cairn_model *model, size_t *n)
{
    const char *learner = model->learner ? model->learner->entry.name : "a recipe";
    if (!cairn_same(learner, "hmm") && !cairn_same(learner, "hmm-classifier"))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "%s is no hidden Markov model; cairn fit hmm and cairn fit "
                          "hmm-classifier make such models",
                          learner);
    *n = ((const cairn_hmm_model *)model->state)->n_models;
    return CAIRN_OK;
}

cairn_status cairn_hmm_saved(cairn_context *ctx, cairn_hmm *out, const cairn_model *model, size_t i,
                             const char **name)
{
    const cairn_hmm_model *m = model->state;
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    *name = m->n_models > 1 ? cairn_map_key(&cairn_model_target(model)->names, i) : NULL;
    cairn_hmm_write(&text, &m->models[i]);
    CHECK(cairn_text_status(&text));
    CHECK(cairn_hmm_read(ctx, out, "the model", cairn_text_string(&text), text.length));
    return cairn_hmm_name_numbers(ctx, &out->columns, &model->inner, m->shape);
}

cairn_status cairn_hmm_saved_alone(cairn_context *ctx, cairn_hmm *out, const cairn_model *model)
{
    size_t n;
    const char *name;
    CHECK(cairn_hmm_saved_count(ctx, model, &n));
    if (n != 1)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "the model has a hidden Markov model for each of %zu classes, and one is "
                          "needed here; 'cairn compute hmm' compares them",
                          n);
    return cairn_hmm_saved(ctx, out, model, 0, &name);
}
