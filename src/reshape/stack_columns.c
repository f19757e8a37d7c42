/* SPDX-License-Identifier: MIT */
/* Columns behind each other as one, of the kind that all their cells fit. */
#include "base/memory.h"
#include "reshape/keys.h"

#include <string.h>

static bool is_words(cairn_kind kind)
{
    return kind == CAIRN_LEVEL || kind == CAIRN_TEXT;
}

/* The kind that all cells fit: that of the first, or text for levels and texts together. */
static cairn_status common_kind(cairn_context *ctx, cairn_kind *out, cairn_column *const *columns,
                                const char *const *names, size_t n)
{
    *out = columns[0]->kind;
    for (size_t i = 0; i < n; i++) {
        cairn_kind kind = columns[i]->kind;
        if (cairn_kind_is_many(kind))
            return cairn_fail(ctx, CAIRN_USAGE,
                              "column '%s' is a %s; only numbers, times, levels and text can stand "
                              "in one column with others",
                              names[i], cairn_kind_name(kind));
        if (kind == *out) continue;
        if (!is_words(kind) || !is_words(*out))
            return cairn_fail(ctx, CAIRN_USAGE,
                              "'%s' is a %s column and '%s' a %s column: they do not go into one; "
                              "{kinds %s=text,%s=text} reads both as text",
                              names[0], cairn_kind_name(columns[0]->kind), names[i],
                              cairn_kind_name(kind), names[0], names[i]);
        *out = CAIRN_TEXT;
    }
    return CAIRN_OK;
}

/* Whether all columns have the names of the first, in its order. */
static bool same_names(cairn_column *const *columns, size_t n)
{
    const cairn_map *first = &columns[0]->names;
    for (size_t i = 1; i < n; i++) {
        const cairn_map *names = &columns[i]->names;
        if (names->n != first->n) return false;
        for (size_t k = 0; k < names->n; k++)
            if (names->lengths[k] != first->lengths[k] ||
                memcmp(cairn_map_key(names, k), cairn_map_key(first, k), names->lengths[k]) != 0)
                return false;
    }
    return true;
}

/* All columns as text: those that are levels are converted, the others held. */
static cairn_status as_texts(cairn_context *ctx, cairn_column **out, cairn_column *const *columns,
                             const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (columns[i]->kind == CAIRN_TEXT)
            out[i] = cairn_column_hold(columns[i]);
        else
            CHECK(cairn_column_convert(ctx, &out[i], columns[i], CAIRN_TEXT, names[i], NULL, NULL,
                                       NULL));
    }
    return CAIRN_OK;
}

/* An order or a declaration of levels survives only if all columns agree on the names. */
static cairn_status fill_stack(cairn_context *ctx, cairn_column *to, cairn_column *const *columns,
                               const char *const *names, size_t n)
{
    cairn_column **texts;
    if (to->kind == CAIRN_LEVEL && same_names(columns, n)) {
        to->ordered = columns[0]->ordered;
        to->declared = columns[0]->declared;
    }
    if (to->kind != CAIRN_TEXT) return cairn_column_join(ctx, to, columns, n);
    CHECK(SCRATCH(ctx, &texts, n));
    cairn_status status = as_texts(ctx, texts, columns, names, n);
    if (status == CAIRN_OK) status = cairn_column_join(ctx, to, texts, n);
    for (size_t i = 0; i < n; i++) cairn_column_drop(texts[i]);
    return status;
}

cairn_status cairn_column_stack(cairn_context *ctx, cairn_column **out,
                                cairn_column *const *columns, const char *const *names, size_t n)
{
    OWNED(cairn_column_drop) cairn_column *stacked = NULL;
    cairn_kind kind;
    size_t n_rows = 0;
    for (size_t i = 0; i < n; i++) n_rows += columns[i]->n_rows;
    CHECK(common_kind(ctx, &kind, columns, names, n));
    CHECK(cairn_column_new(ctx, &stacked, kind, n_rows));
    CHECK(fill_stack(ctx, stacked, columns, names, n));
    cairn_column_count_missing(stacked);
    *out = TAKE(stacked);
    return CAIRN_OK;
}
