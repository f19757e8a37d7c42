/* SPDX-License-Identifier: MIT */
/* Models among the named objects of a caller (data/objects.h). A model counts its holders, so that
 * it is put in, loaded and taken out without being copied. */
#include "model/model_objects.h"

#include "base/call.h"
#include "base/text.h"
#include "model/model.h"

cairn_model *cairn_model_hold(const cairn_model *model)
{
    cairn_model *held = (cairn_model *)model; /* the count is not part of what it says */
    __atomic_add_fetch(&held->holders, 1, __ATOMIC_RELAXED);
    return held;
}

cairn_status cairn_model_copy(cairn_context *ctx, cairn_model **out, const cairn_model *model,
                              const char *name)
{
    OWNED(cairn_string_free) char *bytes = NULL;
    size_t length;
    CHECK(cairn_model_save_memory(ctx, model, &bytes, &length));
    return cairn_model_load_memory(ctx, out, name, bytes, length);
}

void cairn_object_clear(cairn_object *object)
{
    cairn_table_free(object->table);
    cairn_model_free(object->model);
    object->table = NULL;
    object->model = NULL;
}

cairn_status cairn_objects_put_model(cairn_context *ctx, cairn_objects *objects, const char *name,
                                     const cairn_model *model)
{
    PUBLIC_CALL(ctx);
    cairn_object *object;
    CHECK(cairn_objects_check(ctx, name));
    if (!model) return cairn_fail(ctx, CAIRN_USAGE, "the model '%s' is NULL", name);
    CHECK(cairn_objects_place(ctx, objects, name, &object));
    cairn_model *held = cairn_model_hold(model); /* first: it may be the one that is replaced */
    cairn_object_clear(object);
    object->model = held;
    return CAIRN_OK;
}

/* The i-th object that is a model. */
static const char *candidate_model(size_t i, const void *data)
{
    const char *name;
    for (size_t at = 0; (name = cairn_objects_candidate(data, at)); at++)
        if (cairn_objects_model(data, name) && i-- == 0) return name;
    return NULL;
}

cairn_status cairn_objects_load(cairn_context *ctx, cairn_model **out, const char *name)
{
    const cairn_object *object = cairn_objects_find(ctx->objects, name);
    const char *near;
    if (object && object->model) {
        *out = cairn_model_hold(object->model);
        return CAIRN_OK;
    }
    if (object && object->table)
        return cairn_fail(ctx, CAIRN_USAGE, "@%s is a table, but a model is needed here",
                          object->name);
    name += *name == '@';
    near = cairn_nearest_word(name, candidate_model, ctx->objects);
    if (near)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "there is no model '@%s' among the objects; did you mean '@%s'?", name,
                          near);
    return cairn_fail(ctx, CAIRN_USAGE, "there is no model '@%s' among the objects", name);
}
