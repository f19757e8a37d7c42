/* SPDX-License-Identifier: MIT */
/* Bringing number columns to a common scale. */
#include "model/scale_choice.h"

#include "base/memory.h"
#include "base/text.h"

const cairn_choice cairn_scale_choices[] = {
    {"auto", CAIRN_SCALE_AUTO, "standardise for learners that use distances or penalties"},
    {"none", CAIRN_SCALE_NONE, "columns count in their own units"},
    {"standardise", CAIRN_SCALE_STANDARDISE, "(x - mean) / deviation"},
    {"range", CAIRN_SCALE_RANGE, "(x - least) / (largest - least)"},
    {"robust", CAIRN_SCALE_ROBUST, "(x - median) / (q3 - q1)"},
    {0},
};

cairn_status cairn_scaled_with(cairn_context *ctx, const cairn_params *transforms, int choice,
                               cairn_params **out)
{
    static const char *const specs[] = {NULL, "scale:method=none", "standardise",
                                        "scale:method=range", "scale:method=robust"};
    OWNED(cairn_params_free) cairn_params *all = NULL;
    CHECK(cairn_params_copy_list(ctx, &all, transforms));
    CHECK(cairn_params_append_specs(ctx, &all, CAIRN_ENTRY_TRANSFORM,
                                    (const char *const[]){specs[choice], NULL}));
    *out = TAKE(all);
    return CAIRN_OK;
}

/* How a transform that scales does it: "z", "range" ..., or "none", which leaves units. */
static const char *method_of(const cairn_link *link)
{
    return cairn_params_has(&link->transform->entry, "method")
               ? cairn_params_text(link->params, "method")
               : "z";
}

bool cairn_link_keeps_units(const cairn_link *link)
{
    return link->transform->scales && cairn_same(method_of(link), "none");
}

/* The last transform that is about scale counts. */
const char *cairn_model_scaled(const cairn_model *model)
{
    const char *scaled = NULL;
    for (size_t i = 0; i < model->n_chain; i++) {
        const cairn_link *link = &model->chain[i];
        if (!link->transform->scales || cairn_link_keeps_units(link)) continue;
        scaled = cairn_same(method_of(link), "z") ? "standardised columns" : "scaled columns";
    }
    return scaled;
}
