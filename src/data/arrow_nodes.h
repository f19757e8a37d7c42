/* SPDX-License-Identifier: MIT */
/* Schemas and arrays of the Arrow C data interface in the making. Each owns what was made for it
 * alone, and its children and dictionary unless somebody moved them away; it can be released from
 * its beginning on, also half filled. */
#ifndef CAIRN_DATA_ARROW_NODES_H
#define CAIRN_DATA_ARROW_NODES_H

#include "base/context.h"
#include "cairn/arrow.h"

/* Both texts are copied. Children are NULL until cairn_arrow_schema_child makes them. */
CAIRN_CHECKED cairn_status cairn_arrow_schema(cairn_context *ctx, struct ArrowSchema *out,
                                              const char *format, const char *name,
                                              size_t n_children);
CAIRN_CHECKED cairn_status cairn_arrow_schema_child(cairn_context *ctx, struct ArrowSchema *schema,
                                                    size_t i, const char *format, const char *name,
                                                    size_t n_children);
CAIRN_CHECKED cairn_status cairn_arrow_schema_dictionary(cairn_context *ctx,
                                                         struct ArrowSchema *schema,
                                                         const char *format);
/* Another format in place of its own. */
CAIRN_CHECKED cairn_status cairn_arrow_reformat(cairn_context *ctx, struct ArrowSchema *schema,
                                                const char *format);
void cairn_arrow_schema_drop(struct ArrowSchema *schema);

/* Pairs of texts that stand beside a schema: add one, look at number i (false when there are
 * fewer), or find one by its key (NULL when there is none). Texts are not zero-ended. */
typedef struct cairn_arrow_pair {
    const char *key, *value;
    size_t key_length, value_length;
} cairn_arrow_pair;
CAIRN_CHECKED cairn_status cairn_arrow_note(cairn_context *ctx, struct ArrowSchema *schema,
                                            const cairn_arrow_pair *pair);
bool cairn_arrow_note_at(const struct ArrowSchema *schema, size_t i, cairn_arrow_pair *out);
const char *cairn_arrow_noted(const struct ArrowSchema *schema, const char *key, size_t *length);

CAIRN_CHECKED cairn_status cairn_arrow_array(cairn_context *ctx, struct ArrowArray *out,
                                             size_t length, size_t n_buffers, size_t n_children);
CAIRN_CHECKED cairn_status cairn_arrow_array_child(cairn_context *ctx, struct ArrowArray *array,
                                                   size_t i, size_t length, size_t n_buffers,
                                                   size_t n_children);
CAIRN_CHECKED cairn_status cairn_arrow_array_dictionary(cairn_context *ctx,
                                                        struct ArrowArray *array, size_t length,
                                                        size_t n_buffers);
void cairn_arrow_array_drop(struct ArrowArray *array);
/* Buffer i lies in memory of somebody else's, who is told with `owner` when the array goes; one for
 * all buffers of an array. */
void cairn_arrow_lend(struct ArrowArray *array, void (*release)(void *owner), void *owner);
void cairn_arrow_buffer(struct ArrowArray *array, size_t i, const void *bytes);
/* Buffer i is memory of the array's own, zeroed. */
CAIRN_CHECKED cairn_status cairn_arrow_own(cairn_context *ctx, struct ArrowArray *array, size_t i,
                                           size_t bytes, void *out);

#endif
