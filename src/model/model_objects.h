/* SPDX-License-Identifier: MIT */
/* Models among the named objects of a caller, and models with several holders. */
#ifndef CAIRN_MODEL_MODEL_OBJECTS_H
#define CAIRN_MODEL_MODEL_OBJECTS_H

#include "data/objects.h"

/* Another holder of the same model, who frees it with cairn_model_free and must not write to it. */
cairn_model *cairn_model_hold(const cairn_model *model);

/* A model of its own that says the same; messages call it `name`. */
CAIRN_CHECKED cairn_status cairn_model_copy(cairn_context *ctx, cairn_model **out,
                                            const cairn_model *model, const char *name);

/* The model '@name' of the context's objects, of which *out is a further holder. */
CAIRN_CHECKED cairn_status cairn_objects_load(cairn_context *ctx, cairn_model **out,
                                              const char *name);

#endif
