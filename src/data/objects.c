/* SPDX-License-Identifier: MIT */
/* Named tables and models of a caller: the set itself, and its tables (its models: see
 * model/model_objects.c). Sets are small, so that a name is looked for one by one. */
#include "data/objects.h"

#include "base/call.h"
#include "base/text.h"
#include "data/table.h"

#include <string.h>

static const char *without_mark(const char *name)
{
    return name + (*name == '@');
}

static cairn_object *find_own(const cairn_objects *objects, const char *name)
{
    if (!objects || !name) return NULL;
    name = without_mark(name);
    for (size_t i = 0; i < objects->n; i++)
        if (strcmp(objects->list[i].name, name) == 0) return &objects->list[i];
    return NULL;
}

cairn_object *cairn_objects_find(const cairn_objects *objects, const char *name)
{
    for (; objects; objects = objects->around) {
        cairn_object *found = find_own(objects, name);
        if (found) return found;
    }
    return NULL;
}

static bool is_letter_of_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
}

cairn_status cairn_objects_check(cairn_context *ctx, const char *name)
{
    if (!name) return cairn_fail(ctx, CAIRN_USAGE, "an object needs a name, not NULL");
    name = without_mark(name);
    size_t length = strlen(name), good = 0;
    if (length == 0)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "an object needs a name, such as @train; this one is "
                          "empty");
    while (good < length && is_letter_of_name(name[good])) good++;
    if (good < length)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "the name of an object has letters a to z, digits, - _ and . only, not "
                          "'@%s'",
                          name);
    if (length >= CAIRN_OBJECT_NAME)
        return cairn_fail(ctx, CAIRN_USAGE, "the name of an object has at most %d bytes, not %zu",
                          CAIRN_OBJECT_NAME - 1, length);
    return CAIRN_OK;
}

cairn_status cairn_objects_new(cairn_context *ctx, cairn_objects **out)
{
    PUBLIC_CALL(ctx);
    return NEW(ctx, out, 1);
}

void cairn_objects_free(cairn_objects *objects)
{
    if (!objects) return;
    for (size_t i = 0; i < objects->n; i++) cairn_object_clear(&objects->list[i]);
    FREE_EACH(objects->list, objects);
}

cairn_status cairn_objects_place(cairn_context *ctx, cairn_objects *objects, const char *name,
                                 cairn_object **out)
{
    CHECK(cairn_objects_check(ctx, name));
    if (!objects)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "there is no set of objects to put '%s' into: it is NULL", name);
    name = without_mark(name);
    *out = find_own(objects, name);
    if (*out) return CAIRN_OK;
    if (objects->around) return cairn_objects_place(ctx, objects->around, name, out);
    CHECK(GROW(ctx, &objects->list, &objects->capacity, objects->n + 1));
    *out = &objects->list[objects->n++];
    **out = (cairn_object){0};
    memcpy((*out)->name, name, strlen(name) + 1);
    return CAIRN_OK;
}

cairn_status cairn_objects_put_table(cairn_context *ctx, cairn_objects *objects, const char *name,
                                     const cairn_table *table)
{
    PUBLIC_CALL(ctx);
    OWNED(cairn_table_free) cairn_table *shared = NULL;
    cairn_object *object;
    CHECK(cairn_objects_check(ctx, name));
    if (!table) return cairn_fail(ctx, CAIRN_USAGE, "the table '%s' is NULL", name);
    CHECK(cairn_table_share(ctx, &shared, table));
    CHECK(cairn_objects_place(ctx, objects, name, &object));
    cairn_object_clear(object);
    object->table = TAKE(shared);
    return CAIRN_OK;
}

const cairn_table *cairn_objects_table(const cairn_objects *objects, const char *name)
{
    const cairn_object *object = cairn_objects_find(objects, name);
    return object ? object->table : NULL;
}

const cairn_model *cairn_objects_model(const cairn_objects *objects, const char *name)
{
    const cairn_object *object = cairn_objects_find(objects, name);
    return object ? object->model : NULL;
}

/* The object without what was in it leaves the set; the others keep their order. */
static void remove_object(cairn_objects *objects, cairn_object *object)
{
    size_t after = (size_t)(objects->list + objects->n - object) - 1;
    memmove(object, object + 1, after * sizeof *object);
    objects->n--;
}

cairn_table *cairn_objects_take_table(cairn_objects *objects, const char *name)
{
    cairn_object *object = find_own(objects, name);
    if (!object || !object->table) return NULL;
    cairn_table *table = object->table;
    remove_object(objects, object);
    return table;
}

cairn_model *cairn_objects_take_model(cairn_objects *objects, const char *name)
{
    cairn_object *object = find_own(objects, name);
    if (!object || !object->model) return NULL;
    cairn_model *model = object->model;
    remove_object(objects, object);
    return model;
}

void cairn_objects_drop(cairn_objects *objects, const char *name)
{
    cairn_object *object = find_own(objects, name);
    if (!object) return;
    cairn_object_clear(object);
    remove_object(objects, object);
}

size_t cairn_objects_count(const cairn_objects *objects)
{
    return objects ? objects->n : 0;
}

const char *cairn_objects_name(const cairn_objects *objects, size_t i)
{
    return i < cairn_objects_count(objects) ? objects->list[i].name : NULL;
}

const char *cairn_objects_candidate(const cairn_objects *objects, size_t i)
{
    for (; objects; objects = objects->around) {
        if (i < objects->n) return objects->list[i].name;
        i -= objects->n;
    }
    return NULL;
}

/* An own table under the name that the command used, whatever it was called when it came in. */
cairn_status cairn_objects_read(cairn_context *ctx, cairn_table **out, const char *name)
{
    const cairn_object *object = cairn_objects_find(ctx->objects, name);
    OWNED(cairn_table_free) cairn_table *table = NULL;
    SCOPED(cairn_text_clear) cairn_text source = cairn_text_start(ctx);
    char *kept = NULL;
    if (!object || (!object->table && !object->model)) return CAIRN_OK;
    if (object->model)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "@%s is a model, but data is needed here",
                          object->name);
    CHECK(cairn_table_share(ctx, &table, object->table));
    cairn_text_addf(&source, "@%s", object->name);
    CHECK(cairn_text_take(&source, &kept));
    cairn_free(table->source);
    table->source = kept;
    *out = TAKE(table);
    return CAIRN_OK;
}
