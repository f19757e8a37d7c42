/* SPDX-License-Identifier: MIT */
/* Columns behind each other as one. Levels are joined by name: those of the first column keep their
 * codes, new names of later ones follow. */
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
        if (kind == CAIRN_BAG || kind == CAIRN_SEQUENCE)
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

/* Levels are joined by name, in order of appearance; an order or a declaration survives only if all
 * parts agree on the names. */
static cairn_status stack_levels(cairn_context *ctx, cairn_column *to, cairn_column *const *columns,
                                 size_t n)
{
    bool same = same_names(columns, n);
    size_t at = 0, index;
    to->ordered = same && columns[0]->ordered;
    to->declared = same && columns[0]->declared;
    for (size_t i = 0; i < n; i++) {
        const cairn_column *from = columns[i];
        int32_t *codes;
        CHECK(SCRATCH(ctx, &codes, from->names.n + 1));
        for (size_t k = 0; k < from->names.n; k++) {
            CHECK(cairn_map_add(ctx, &to->names, cairn_map_key(&from->names, k),
                                from->names.lengths[k], &index));
            codes[k] = (int32_t)index;
        }
        for (size_t row = 0; row < from->n_rows; row++)
            to->codes[at++] = from->codes[row] < 0 ? -1 : codes[from->codes[row]];
    }
    return CAIRN_OK;
}

static cairn_status stack_numbers(cairn_column *to, cairn_column *const *columns, size_t n)
{
    size_t at = 0;
    memcpy(to->pattern, columns[0]->pattern, sizeof to->pattern);
    for (size_t i = 0; i < n; i++) {
        if (columns[i]->n_rows)
            memcpy(to->numbers + at, columns[i]->numbers, columns[i]->n_rows * sizeof(double));
        if (strcmp(columns[i]->pattern, to->pattern) != 0) *to->pattern = 0;
        at += columns[i]->n_rows;
    }
    if (to->kind == CAIRN_TIME) cairn_column_set_pattern(to);
    return CAIRN_OK;
}

/* The bytes of all parts are counted before any is copied, and the starts of a part move by what
 * came before. */
static cairn_status stack_texts(cairn_context *ctx, cairn_column *to, cairn_column *const *columns,
                                size_t n)
{
    size_t total = 0, at = 0;
    for (size_t i = 0; i < n; i++) total += columns[i]->starts[columns[i]->n_rows];
    CHECK(NEW_RAW(ctx, &to->bytes, total));
    total = 0;
    for (size_t i = 0; i < n; i++) {
        const cairn_column *from = columns[i];
        size_t length = from->starts[from->n_rows];
        if (length) memcpy(to->bytes + total, from->bytes, length);
        for (size_t row = 0; row < from->n_rows; row++, at++) {
            to->starts[at] = total + from->starts[row];
            if (from->absent && from->absent[row]) CHECK(cairn_column_mark_absent(ctx, to, at));
        }
        total += length;
    }
    to->starts[at] = total;
    return CAIRN_OK;
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

static cairn_status fill_stack(cairn_context *ctx, cairn_column *to, cairn_column *const *columns,
                               const char *const *names, size_t n)
{
    cairn_column **texts;
    if (to->kind == CAIRN_LEVEL) return stack_levels(ctx, to, columns, n);
    if (to->kind != CAIRN_TEXT) return stack_numbers(to, columns, n);
    CHECK(SCRATCH(ctx, &texts, n));
    cairn_status status = as_texts(ctx, texts, columns, names, n);
    if (status == CAIRN_OK) status = stack_texts(ctx, to, texts, n);
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
