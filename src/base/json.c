/* SPDX-License-Identifier: MIT */
/* JSON through jansson, whose name appears here only. */
#include "base/json.h"
#include <jansson.h>

static json_t *plain(const cairn_json *value)
{
    return (json_t *)value;
}

static cairn_json *ours(json_t *value)
{
    return (cairn_json *)value;
}

/* What the parser found; the text begins at that line, behind so many columns of it. */
static cairn_status refuse(cairn_context *ctx, const char *name, const json_error_t *error,
                           size_t line, size_t column)
{
    line += (size_t)(error->line > 0 ? error->line - 1 : 0);
    column = (size_t)error->column + (error->line <= 1 ? column : 0);
    switch (json_error_code(error)) {
    case json_error_out_of_memory:
        return cairn_fail(ctx, CAIRN_NO_MEMORY, "%s: not enough memory to read it", name);
    case json_error_stack_overflow:
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s, line %zu, column %zu: nested more than %d deep, which is fixed; "
                          "flatten it",
                          name, line, column, JSON_PARSER_MAX_DEPTH);
    default:
        return cairn_fail(ctx, CAIRN_BAD_DATA, "%s, line %zu, column %zu: %s", name, line, column,
                          error->text);
    }
}

cairn_status cairn_json_parse(cairn_context *ctx, cairn_json **out, const char *name,
                              const char *bytes, size_t length)
{
    json_error_t error;
    json_t *document = json_loadb(bytes, length, JSON_REJECT_DUPLICATES, &error);
    if (!document) return refuse(ctx, name, &error, 1, 0);
    *out = ours(document);
    return CAIRN_OK;
}

cairn_status cairn_json_parse_one(cairn_context *ctx, cairn_json **out, const char *name,
                                  const char *bytes, size_t length, size_t line, size_t column,
                                  size_t *used)
{
    json_error_t error;
    size_t flags = JSON_REJECT_DUPLICATES | JSON_DISABLE_EOF_CHECK | JSON_DECODE_ANY;
    json_t *value = json_loadb(bytes, length, flags, &error);
    if (!value) return refuse(ctx, name, &error, line, column);
    *used = (size_t)error.position;
    *out = ours(value);
    return CAIRN_OK;
}

void cairn_json_free(cairn_json *document)
{
    json_decref(plain(document));
}

const cairn_json *cairn_json_get(const cairn_json *object, const char *key)
{
    return ours(json_object_get(plain(object), key));
}

size_t cairn_json_size(const cairn_json *value)
{
    return json_is_object(plain(value)) ? json_object_size(plain(value))
                                        : json_array_size(plain(value));
}

const cairn_json *cairn_json_at(const cairn_json *array, size_t i)
{
    return ours(json_array_get(plain(array), i));
}

const char *cairn_json_member(const cairn_json *object, size_t i, const cairn_json **value)
{
    json_t *o = plain(object);
    void *at = json_object_iter(o);
    while (at && i-- > 0) at = json_object_iter_next(o, at);
    if (!at) return NULL;
    *value = ours(json_object_iter_value(at));
    return json_object_iter_key(at);
}

void *cairn_json_next(const cairn_json *object, void *at, const char **key,
                      const cairn_json **value)
{
    json_t *o = plain(object);
    at = at ? json_object_iter_next(o, at) : json_object_iter(o);
    if (!at) return NULL;
    *key = json_object_iter_key(at);
    *value = ours(json_object_iter_value(at));
    return at;
}

bool cairn_json_is_object(const cairn_json *value)
{
    return json_is_object(plain(value));
}

bool cairn_json_is_array(const cairn_json *value)
{
    return json_is_array(plain(value));
}

bool cairn_json_is_null(const cairn_json *value)
{
    return json_is_null(plain(value));
}

const char *cairn_json_string(const cairn_json *value)
{
    return json_string_value(plain(value));
}

bool cairn_json_number(const cairn_json *value, double *out)
{
    if (!json_is_number(plain(value))) return false;
    *out = json_number_value(plain(value));
    return true;
}

bool cairn_json_integer(const cairn_json *value, int64_t *out)
{
    if (!json_is_integer(plain(value))) return false;
    *out = json_integer_value(plain(value));
    return true;
}

bool cairn_json_truth(const cairn_json *value, bool *out)
{
    if (!json_is_boolean(plain(value))) return false;
    *out = json_is_true(plain(value));
    return true;
}
