/* SPDX-License-Identifier: MIT */
/* Labels for rows that have none, from a model that was written by hand. */
#include "command/unlabelled.h"

#include "base/file.h"
#include "base/memory.h"
#include "data/column.h"
#include "model/given.h"
#include "model/model.h"

#include <string.h>

/* The classes that the file names; a target of numbers has none and cannot be made. */
static cairn_status read_classes(cairn_command *c, cairn_map *out, const char *path,
                                 const char *target)
{
    OWNED(cairn_free) char *text = NULL;
    size_t length = 0;
    CHECK(cairn_file_read_all(c->ctx, path, &text, &length));
    CHECK(cairn_given_answers(c->ctx, &(cairn_given){path, text, length}, out));
    if (out->n >= 2) return CAIRN_OK;
    return cairn_fail(c->ctx, CAIRN_BAD_DATA,
                      "no row has a known '%s', and %s names %zu class%s: a model for rows without "
                      "labels names at least two",
                      target, path, out->n, out->n == 1 ? "" : "es");
}

/* Any labels: each class in turn, so that none is without rows as long as there are enough. */
static cairn_status make_column(cairn_command *c, cairn_column **out, cairn_map *classes,
                                size_t n_rows)
{
    CHECK(cairn_column_new(c->ctx, out, CAIRN_LEVEL, n_rows));
    for (size_t i = 0; i < n_rows; i++) (*out)->codes[i] = (int32_t)(i % classes->n);
    (*out)->names = *classes;
    (*out)->declared = true;
    *classes = (cairn_map){0};
    return CAIRN_OK;
}

cairn_status cairn_unlabelled_make(cairn_command *c, cairn_table *table, bool *out)
{
    SCOPED(cairn_map_clear) cairn_map classes = {0};
    OWNED(cairn_column_drop) cairn_column *column = NULL;
    *out = false;
    if (c->verb != &cairn_verb_fit) return CAIRN_OK;
    const char *target = c->common->roles.target, *path = c->common->fitting.given;
    if (!path || !target || table->n_rows == 0) return CAIRN_OK;
    ptrdiff_t at = cairn_table_find(table, target);
    if (at >= 0 && table->slots[at].column->n_missing < table->n_rows) return CAIRN_OK;
    CHECK(read_classes(c, &classes, path, target));
    CHECK(make_column(c, &column, &classes, table->n_rows));
    *out = true;
    cairn_warn(c->ctx,
               "no row has a known '%s': the classes are those that %s names, and the model's own "
               "answers are counted",
               target, path);
    if (at < 0) return cairn_table_add_column(c->ctx, table, target, CAIRN_FEATURE, TAKE(column));
    cairn_table_replace_column(table, (size_t)at, TAKE(column));
    return CAIRN_OK;
}

cairn_status cairn_unlabelled_answer(cairn_command *c, cairn_table *table, const cairn_model *model)
{
    SCOPED(cairn_prediction_clear) cairn_prediction p = {0};
    cairn_match match = {0};
    cairn_predict_wants wants = {0};
    cairn_rows rows = {.n = table->n_rows};
    ptrdiff_t at = cairn_table_role_column(table, CAIRN_TARGET);
    cairn_column *column = table->slots[at].column;
    CHECK(cairn_model_predict_rows(c->ctx, &p, model, table, rows, wants, &match));
    for (size_t i = 0; i < table->n_rows; i++) column->codes[i] = p.codes[i] < 0 ? -1 : p.codes[i];
    cairn_column_count_missing(column);
    return CAIRN_OK;
}
