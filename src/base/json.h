/* SPDX-License-Identifier: MIT */
/* Reading JSON. A document is parsed whole and then walked; every function accepts NULL and then
 * gives nothing, so a path that is not there needs no checks on the way. It lies in the context's
 * memory and is counted there. */
#ifndef CAIRN_BASE_JSON_H
#define CAIRN_BASE_JSON_H

#include "base/context.h"

typedef struct cairn_json cairn_json;

/* Parse; `name` is for messages, which tell line and column. The caller frees it. Values below are
 * borrowed from the document. Duplicate keys fail. */
CAIRN_CHECKED cairn_status cairn_json_parse(cairn_context *ctx, cairn_json **out, const char *name,
                                            const char *bytes, size_t length);
/* The same for one value of any kind at the beginning of the bytes, whatever follows it; *used is
 * where it ends. It begins in line `line`, behind `column` bytes, for messages. */
CAIRN_CHECKED cairn_status cairn_json_parse_one(cairn_context *ctx, cairn_json **out,
                                                const char *name, const char *bytes, size_t length,
                                                size_t line, size_t column, size_t *used);
void cairn_json_free(cairn_json *document); /* NULL is accepted */
CAIRN_CAN_OWN(cairn_json_free, cairn_json)

/* The member of that name; NULL when there is none or the value is no object. */
const cairn_json *cairn_json_get(const cairn_json *object, const char *key);
/* Number of items of an array or of members of an object. */
size_t cairn_json_size(const cairn_json *value);
const cairn_json *cairn_json_at(const cairn_json *array, size_t i);
/* The i-th member of an object in the order of the text, found at once: its key and value; NULL
 * at the end. */
const char *cairn_json_member(const cairn_json *object, size_t i, const cairn_json **value);

/* What a value is, NULL being nothing of all this; those with `out` leave it alone when they are
 * false. */
bool cairn_json_is_object(const cairn_json *value);
bool cairn_json_is_array(const cairn_json *value);
bool cairn_json_is_null(const cairn_json *value);
const char *cairn_json_string(const cairn_json *value); /* NULL when it is none */
bool cairn_json_number(const cairn_json *value, double *out);
bool cairn_json_integer(const cairn_json *value, int64_t *out); /* without a point or exponent */
bool cairn_json_truth(const cairn_json *value, bool *out);

#endif
