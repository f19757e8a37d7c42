/* SPDX-License-Identifier: MIT */
/* A model as others ask about it, and its end. */
#include "model/background.h"
#include "model/chain.h"
#include "model/kept_parts.h"
#include <math.h>

/* The last of its holders frees it. A model has a state only when its learner was found. */
void cairn_model_free(cairn_model *model)
{
    if (!model || __atomic_fetch_sub(&model->holders, 1, __ATOMIC_ACQ_REL) > 0) return;
    const cairn_learner *learner = model->learner;
    if (model->state && learner->clear) learner->clear(model->state);
    if (model->state && learner->keeps) cairn_kept_clear(learner->keeps, model->state);
    cairn_free(model->state);
    if (model->history && learner->history->clear) learner->history->clear(model->history);
    if (model->history && learner->history->keeps)
        cairn_kept_clear(learner->history->keeps, model->history);
    cairn_free(model->history);
    for (size_t i = 0; model->chain && i < model->n_chain; i++) cairn_link_clear(&model->chain[i]);
    cairn_free(model->chain);
    cairn_schema_clear(&model->schema);
    cairn_schema_clear(&model->inner);
    cairn_params_free(model->params);
    FREE_EACH(model->means, model->command, model->marks, model->comment, model->decision,
              model->class_type, model->estimate.measure, model->fitted.codes);
    cairn_background_clear(&model->background);
    FREE_EACH(model->estimate.by, model);
}

cairn_job cairn_model_job(const cairn_model *model)
{
    return (cairn_job){.task = model->task,
                       .params = model->params ? model->params->values : NULL,
                       .schema = &model->inner,
                       .n_classes = model->n_classes,
                       .positive = model->positive};
}

const char *cairn_model_learner(const cairn_model *model)
{
    return model->learner ? model->learner->entry.name : NULL;
}

cairn_task cairn_model_task(const cairn_model *model)
{
    return model->task;
}

static void add_size(const void *model, void *data)
{
    cairn_model_size *all = data, size = cairn_model_size_of(*(cairn_model *const *)model);
    all->parameters += size.parameters;
    all->grows |= size.grows;
}

cairn_model_size cairn_model_size_of(const cairn_model *model)
{
    const cairn_learner *learner = model->learner;
    if (learner && learner->parameters) {
        double own = cairn_kept_count(learner->keeps, model->state, learner->parameters);
        cairn_model_size all = {own, learner->grows};
        cairn_kept_each_part(learner->keeps, model->state, &cairn_kept_model, add_size, &all);
        return all;
    }
    if (!learner || !learner->size) return (cairn_model_size){.parameters = NAN};
    return learner->size(model->state);
}

const cairn_field *cairn_model_target(const cairn_model *model)
{
    ptrdiff_t at = cairn_schema_role(&model->schema, CAIRN_TARGET);
    return at < 0 || model->task == CAIRN_CLUSTER ? NULL : &model->schema.fields[at];
}

bool cairn_model_changes_target(const cairn_model *model)
{
    double probe[3] = {0, 1, 2};
    if (model->task != CAIRN_REGRESS) return false;
    cairn_chain_invert(model, probe, 3);
    return probe[0] != 0 || probe[1] != 1 || probe[2] != 2;
}

unsigned cairn_model_reports(const cairn_model *model)
{
    size_t n_targets = 0;
    unsigned kinds = model->task == CAIRN_CLASSIFY ? CAIRN_REPORTS_ACCURACY | CAIRN_REPORTS_ERRORS
                                                   : CAIRN_REPORTS_MSE | CAIRN_REPORTS_ERRORS;
    for (size_t f = 0; f < model->schema.n_fields; f++)
        n_targets += model->schema.fields[f].role == CAIRN_TARGET;
    if (model->learner->history && !model->history) kinds &= ~model->learner->history->reports;
    return n_targets == 1 ? model->learner->reports & kinds : 0;
}
