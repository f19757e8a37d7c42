/* SPDX-License-Identifier: MIT */
/* Nodes of the Arrow C data interface. What a node owns hangs on its private data, which the one
 * release function of its kind knows. */
#include "data/arrow_nodes.h"
#include "base/memory.h"
#include <string.h>

/* -- schemas -- */

typedef struct schema_data {
    char *format, *name, *notes;
    size_t notes_length;
    struct ArrowSchema **children;
} schema_data;

static void release_schema(struct ArrowSchema *schema)
{
    schema_data *data = schema->private_data;
    for (int64_t i = 0; i < schema->n_children; i++) {
        cairn_arrow_schema_drop(data->children[i]);
        cairn_free(data->children[i]);
    }
    cairn_arrow_schema_drop(schema->dictionary);
    FREE_EACH(schema->dictionary, data->children, data->notes, data->name, data->format, data);
    schema->release = NULL;
}

void cairn_arrow_schema_drop(struct ArrowSchema *schema)
{
    if (schema && schema->release) schema->release(schema);
}

cairn_status cairn_arrow_schema(cairn_context *ctx, struct ArrowSchema *out, const char *format,
                                const char *name, size_t n_children)
{
    cairn_status status;
    schema_data *data = NULL;
    *out = (struct ArrowSchema){0};
    TRY(NEW(ctx, &data, 1));
    TRY(cairn_copy_text(ctx, &data->format, format, strlen(format)));
    TRY(cairn_copy_text(ctx, &data->name, name, strlen(name)));
    TRY(NEW(ctx, &data->children, n_children));
    *out = (struct ArrowSchema){.format = data->format,
                                .name = data->name,
                                .n_children = (int64_t)n_children,
                                .children = data->children,
                                .release = release_schema,
                                .private_data = data};
    return CAIRN_OK;
done:
    if (data) FREE_EACH(data->format, data->name);
    cairn_free(data);
    return status;
}

cairn_status cairn_arrow_schema_child(cairn_context *ctx, struct ArrowSchema *schema, size_t i,
                                      const char *format, const char *name, size_t n_children)
{
    CHECK(NEW(ctx, &schema->children[i], 1));
    return cairn_arrow_schema(ctx, schema->children[i], format, name, n_children);
}

cairn_status cairn_arrow_schema_dictionary(cairn_context *ctx, struct ArrowSchema *schema,
                                           const char *format)
{
    CHECK(NEW(ctx, &schema->dictionary, 1));
    return cairn_arrow_schema(ctx, schema->dictionary, format, "", 0);
}

cairn_status cairn_arrow_reformat(cairn_context *ctx, struct ArrowSchema *schema,
                                  const char *format)
{
    schema_data *data = schema->private_data;
    char *own;
    CHECK(cairn_copy_text(ctx, &own, format, strlen(format)));
    cairn_free(data->format);
    schema->format = data->format = own;
    return CAIRN_OK;
}

/* Notes are a count, then for each pair the length and the bytes of its key and of its value. */
static char *put_piece(char *at, const char *bytes, size_t length)
{
    int32_t n = (int32_t)length;
    memcpy(at, &n, sizeof n);
    if (length) memcpy(at + sizeof n, bytes, length);
    return at + sizeof n + length;
}

cairn_status cairn_arrow_note(cairn_context *ctx, struct ArrowSchema *schema,
                              const cairn_arrow_pair *pair)
{
    schema_data *data = schema->private_data;
    int32_t n = 0;
    size_t at = data->notes ? data->notes_length : sizeof n;
    bool first = !data->notes;
    CHECK(RESIZE(ctx, &data->notes, at + 2 * sizeof n + pair->key_length + pair->value_length));
    if (!first) memcpy(&n, data->notes, sizeof n);
    n++;
    memcpy(data->notes, &n, sizeof n);
    char *end = put_piece(data->notes + at, pair->key, pair->key_length);
    data->notes_length = (size_t)(put_piece(end, pair->value, pair->value_length) - data->notes);
    schema->metadata = data->notes;
    return CAIRN_OK;
}

/* A length and so many bytes; the place behind them. */
static const char *take_piece(const char *at, const char **bytes, size_t *length)
{
    int32_t n;
    memcpy(&n, at, sizeof n);
    *bytes = at + sizeof n;
    *length = n > 0 ? (size_t)n : 0;
    return *bytes + *length;
}

bool cairn_arrow_note_at(const struct ArrowSchema *schema, size_t i, cairn_arrow_pair *out)
{
    int32_t n = 0;
    const char *at = schema->metadata;
    if (!at) return false;
    memcpy(&n, at, sizeof n);
    if (n < 0 || i >= (size_t)n) return false;
    at += sizeof n;
    for (size_t k = 0; k <= i; k++) {
        at = take_piece(at, &out->key, &out->key_length);
        at = take_piece(at, &out->value, &out->value_length);
    }
    return true;
}

const char *cairn_arrow_noted(const struct ArrowSchema *schema, const char *key, size_t *length)
{
    cairn_arrow_pair pair;
    for (size_t i = 0; cairn_arrow_note_at(schema, i, &pair); i++)
        if (pair.key_length == strlen(key) && memcmp(pair.key, key, pair.key_length) == 0) {
            *length = pair.value_length;
            return pair.value;
        }
    return NULL;
}

/* -- arrays -- */

typedef struct array_data {
    const void **buffers;
    void **made; /* those of the buffers that belong to the array */
    struct ArrowArray **children;
    void (*release)(void *owner);
    void *owner;
} array_data;

static void release_array(struct ArrowArray *array)
{
    array_data *data = array->private_data;
    for (int64_t i = 0; i < array->n_children; i++) {
        cairn_arrow_array_drop(data->children[i]);
        cairn_free(data->children[i]);
    }
    cairn_arrow_array_drop(array->dictionary);
    cairn_free(array->dictionary);
    if (data->release) data->release(data->owner);
    for (int64_t i = 0; i < array->n_buffers; i++) cairn_free(data->made[i]);
    FREE_EACH(data->made, data->buffers, data->children, data);
    array->release = NULL;
}

void cairn_arrow_array_drop(struct ArrowArray *array)
{
    if (array && array->release) array->release(array);
}

cairn_status cairn_arrow_array(cairn_context *ctx, struct ArrowArray *out, size_t length,
                               size_t n_buffers, size_t n_children)
{
    cairn_status status;
    array_data *data = NULL;
    *out = (struct ArrowArray){0};
    TRY(NEW(ctx, &data, 1));
    TRY(NEW_EACH(ctx, n_buffers, &data->buffers, &data->made));
    TRY(NEW(ctx, &data->children, n_children));
    *out = (struct ArrowArray){.length = (int64_t)length,
                               .n_buffers = (int64_t)n_buffers,
                               .n_children = (int64_t)n_children,
                               .buffers = data->buffers,
                               .children = data->children,
                               .release = release_array,
                               .private_data = data};
    return CAIRN_OK;
done:
    if (data) FREE_EACH(data->buffers, data->made);
    cairn_free(data);
    return status;
}

cairn_status cairn_arrow_array_child(cairn_context *ctx, struct ArrowArray *array, size_t i,
                                     size_t length, size_t n_buffers, size_t n_children)
{
    CHECK(NEW(ctx, &array->children[i], 1));
    return cairn_arrow_array(ctx, array->children[i], length, n_buffers, n_children);
}

cairn_status cairn_arrow_array_dictionary(cairn_context *ctx, struct ArrowArray *array,
                                          size_t length, size_t n_buffers)
{
    CHECK(NEW(ctx, &array->dictionary, 1));
    return cairn_arrow_array(ctx, array->dictionary, length, n_buffers, 0);
}

void cairn_arrow_lend(struct ArrowArray *array, void (*release)(void *owner), void *owner)
{
    array_data *data = array->private_data;
    data->release = release;
    data->owner = owner;
}

void cairn_arrow_buffer(struct ArrowArray *array, size_t i, const void *bytes)
{
    array_data *data = array->private_data;
    data->buffers[i] = bytes;
}

cairn_status cairn_arrow_own(cairn_context *ctx, struct ArrowArray *array, size_t i, size_t bytes,
                             void *out)
{
    array_data *data = array->private_data;
    char *made;
    CHECK(NEW(ctx, &made, bytes));
    data->buffers[i] = data->made[i] = made;
    memcpy(out, &made, sizeof made);
    return CAIRN_OK;
}
