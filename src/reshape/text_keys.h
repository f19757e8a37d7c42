/* SPDX-License-Identifier: MIT */
/* Texts of key columns: numbered, or put in order. */
#ifndef CAIRN_RESHAPE_TEXT_KEYS_H
#define CAIRN_RESHAPE_TEXT_KEYS_H

#include "data/column.h"

/* The bytes of cells, whether they lie behind each other or are names that codes stand for. */
typedef struct cairn_texts {
    size_t n;
    const char *bytes;
    const size_t *starts;
    const uint32_t *lengths; /* NULL: up to the next start */
    const int32_t *codes;    /* of the cells, -1 = missing; NULL: cell i is text i */
    const uint8_t *absent;   /* of the cells; may be NULL */
} cairn_texts;

static inline size_t cairn_texts_get(const cairn_texts *texts, size_t i, const char **bytes)
{
    size_t k = texts->codes ? (size_t)texts->codes[i] : i, start = texts->starts[k];
    *bytes = texts->bytes + start;
    return texts->lengths ? texts->lengths[k] : texts->starts[k + 1] - start;
}

static inline bool cairn_texts_missing(const cairn_texts *texts, size_t i)
{
    return (texts->codes && texts->codes[i] < 0) || (texts->absent && texts->absent[i]);
}

cairn_texts cairn_texts_of(const cairn_column *column); /* of a text or level column */
cairn_texts cairn_texts_of_names(const cairn_map *names);

/* Number the cells of one or two lists, the second behind the first, in the order of arrival; a
 * missing one gets *n_ids, how many there are. Scratch. */
CAIRN_CHECKED cairn_status cairn_number_texts(cairn_context *ctx, uint32_t **ids, size_t *n_ids,
                                              const cairn_texts *sides, size_t n_sides);
/* Cells by their bytes, equal ones as they stand, missing ones last; scratch. */
CAIRN_CHECKED cairn_status cairn_order_texts(cairn_context *ctx, uint32_t **order,
                                             const cairn_texts *texts);
/* The place of each cell's text among the different ones in that order; a missing one gets *n_ids,
 * how many there are. Scratch. */
CAIRN_CHECKED cairn_status cairn_rank_texts(cairn_context *ctx, uint32_t **ranks, size_t *n_ids,
                                            const cairn_texts *texts, const uint32_t *order);

#endif
