/* SPDX-License-Identifier: MIT */
/* More rows for a fitted model.
 *
 *  1. classes and levels that are new are put behind those that the schema knows, where the chain
 *     hands the column through as it is; a declared list of levels stays closed
 *  2. the rows are matched to the schema and go through the chain, which is not fitted again
 *  3. the learner takes them in; provenance is brought up to date */
#include "base/call.h"
#include "base/hash.h"
#include "base/text.h"
#include "data/column.h"
#include "model/chain.h"
#include "model/prepare.h"
#include <string.h>

static bool same_names(const cairn_map *a, const cairn_map *b)
{
    if (a->n != b->n) return false;
    for (size_t i = 0; i < a->n; i++)
        if (strcmp(cairn_map_key(a, i), cairn_map_key(b, i)) != 0) return false;
    return true;
}

/* The field behind the chain when the chain hands the column through, else NULL. */
static cairn_field *inner_field(cairn_model *model, const cairn_field *field)
{
    for (size_t i = 0; i < model->inner.n_fields; i++) {
        cairn_field *inner = &model->inner.fields[i];
        if (strcmp(inner->name, field->name) == 0)
            return inner->kind == field->kind && inner->role == field->role &&
                           same_names(&inner->names, &field->names)
                       ? inner
                       : NULL;
    }
    return NULL;
}

/* Names that are numbers match by value, "01" and 1: a level is new only when matching fails. */
static cairn_status grow_field(cairn_context *ctx, cairn_model *model, size_t at,
                               const cairn_table *table, size_t *n_new)
{
    cairn_field *field = &model->schema.fields[at], *inner = inner_field(model, field);
    ptrdiff_t from = cairn_table_find(table, field->name);
    SCOPED_SCRATCH(ctx);
    cairn_schema alone = {field, 1};
    OWNED(cairn_table_free) cairn_table *matched = NULL;
    OWNED(cairn_table_free) cairn_table *unseen = NULL;
    OWNED(cairn_column_drop) cairn_column *levels = NULL;
    cairn_match match = {.first_field = -1};
    uint32_t *rows;
    size_t n = 0;
    bool grows = field->kind == CAIRN_LEVEL && !field->declared && inner && from >= 0 &&
                 (field->role == CAIRN_TARGET || field->role == CAIRN_FEATURE);
    if (!grows) return CAIRN_OK;
    CHECK(cairn_schema_match(ctx, &matched, &alone, table, true, &match));
    if (!match.n_unseen) return CAIRN_OK;
    const cairn_column *column = table->slots[from].column, *found = matched->slots[0].column;
    CHECK(SCRATCH_RAW(ctx, &rows, table->n_rows + 1));
    for (size_t i = 0; i < table->n_rows; i++)
        if (found->codes[i] < 0 && !cairn_column_is_missing(column, i)) rows[n++] = (uint32_t)i;
    CHECK(cairn_table_take_rows(ctx, &unseen, table, rows, n));
    CHECK(cairn_column_convert(ctx, &levels, unseen->slots[from].column, CAIRN_LEVEL, field->name,
                               table->source, NULL, NULL));
    /* Put the levels of the column that the field does not know behind its own. */
    bool *used;
    size_t index;
    CHECK(SCRATCH(ctx, &used, levels->names.n + 1));
    for (size_t i = 0; i < levels->n_rows; i++)
        if (levels->codes[i] >= 0) used[levels->codes[i]] = true;
    for (size_t i = 0; i < levels->names.n; i++) {
        const char *name = cairn_map_key(&levels->names, i);
        size_t length = levels->names.lengths[i], before = field->names.n;
        if (!used[i]) continue;
        CHECK(cairn_map_add(ctx, &field->names, name, length, &index));
        CHECK(cairn_map_add(ctx, &inner->names, name, length, &index));
        *n_new += field->names.n - before;
    }
    return CAIRN_OK;
}

/* New classes are put behind the known ones so that codes in the model stay valid; with more
 * than two there is no positive class. */
static cairn_status grow_schema(cairn_context *ctx, cairn_model *model, const cairn_table *table)
{
    for (size_t i = 0; i < model->schema.n_fields; i++) {
        const cairn_field *field = &model->schema.fields[i];
        bool target = field->role == CAIRN_TARGET && model->task == CAIRN_CLASSIFY;
        size_t n_new = 0;
        CHECK(grow_field(ctx, model, i, table, &n_new));
        if (!target || !n_new) continue;
        model->n_classes = field->names.n;
        if (model->n_classes > 2) model->positive = -1;
        cairn_text why = cairn_text_start(ctx);
        cairn_text_addf(&why, "'%s' is classified; it holds %zu classes so far", field->name,
                        model->n_classes);
        cairn_free(model->decision);
        model->decision = NULL;
        CHECK(cairn_text_take(&why, &model->decision));
    }
    return CAIRN_OK;
}

static cairn_status check_able(cairn_context *ctx, const cairn_model *model)
{
    const char *name = model->learner ? model->learner->entry.name : "a recipe";
    if (model->learner && model->learner->update && model->task != CAIRN_LABEL_ITEMS)
        return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE,
                      "%s cannot take more rows into a fitted model; fit it on all rows at once",
                      name);
}

/* The new rows as the learner sees them. */
static cairn_status prepare_rows(cairn_context *ctx, cairn_model *model, cairn_table **out,
                                 cairn_rows *rows, const cairn_table *table)
{
    OWNED(cairn_table_free) cairn_table *matched = NULL;
    cairn_match match = {.first_field = -1};
    CHECK(grow_schema(ctx, model, table));
    CHECK(cairn_schema_match(ctx, &matched, &model->schema, table, true, &match));
    cairn_warn_unseen(ctx, &model->schema, &match);
    ptrdiff_t target = cairn_table_role_column(matched, CAIRN_TARGET);
    if (model->task != CAIRN_CLUSTER && target < 0)
        CHECK(cairn_fail(ctx, CAIRN_BAD_DATA,
                         "%s lacks the target '%s', without which nothing can be "
                         "learned from it",
                         table->source ? table->source : "the table",
                         cairn_model_target(model)->name));
    *rows = cairn_all_rows(matched);
    CHECK(cairn_learnable_rows(ctx, model, matched, rows, false));
    return cairn_chain_apply(ctx, model, out, matched);
}

static cairn_status keep_provenance(cairn_context *ctx, cairn_model *model,
                                    const cairn_table *table, const cairn_view *view,
                                    const char *command)
{
    uint64_t hash;
    char *copy;
    CHECK(cairn_table_hash_parallel(ctx, table, &hash));
    model->data_hash = cairn_hash(&hash, sizeof hash, model->data_hash);
    model->n_rows += view->rows.n;
    for (size_t i = 0; i < view->rows.n; i++) model->total_weight += cairn_view_weight(view, i);
    if (!command) return CAIRN_OK;
    CHECK(cairn_copy_text(ctx, &copy, command, strlen(command)));
    cairn_free(model->command);
    model->command = copy;
    return CAIRN_OK;
}

/* Others who hold the model rely on what it says now: a set of objects, an ensemble. */
static cairn_status check_alone(cairn_context *ctx, const cairn_model *model)
{
    if (__atomic_load_n(&model->holders, __ATOMIC_ACQUIRE) == 0) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE,
                      "the model takes no more rows in while a set of objects or an ensemble holds "
                      "it as well; free them first, or save and load it for one of its own");
}

cairn_status cairn_model_update(cairn_context *ctx, cairn_model *model, const cairn_table *table,
                                const cairn_fit_options *options)
{
    PUBLIC_CALL(ctx);
    cairn_fit_options full;
    SCOPED_SCRATCH(ctx);
    OWNED(cairn_table_free) cairn_table *inner = NULL;
    cairn_rows rows;
    cairn_view view;
    CHECK(cairn_fit_options_full(ctx, &full, options));
    options = &full;
    CHECK(check_able(ctx, model));
    CHECK(check_alone(ctx, model));
    CHECK(prepare_rows(ctx, model, &inner, &rows, table));
    CHECK(cairn_view_make(ctx, &view, inner, rows));
    if (!(model->learner->accepts & CAIRN_ACCEPTS_WEIGHTS) && cairn_view_is_weighted(&view))
        CHECK(cairn_fail(ctx, CAIRN_BAD_DATA, "%s cannot use row weights; leave out {weight}",
                         model->learner->entry.name));
    cairn_job job = cairn_model_job(model);
    job.view = &view;
    job.steps = options->steps;
    job.history = model->history;
    model->certificate = (cairn_certificate){.has = 0};
    job.certificate = &model->certificate;
    CHECK(model->learner->update(ctx, model->state, &job));
    CHECK(cairn_certificate_judge(ctx, &model->certificate, model->learner->entry.name));
    if (options->steps) CHECK(cairn_report_status(options->steps));
    return keep_provenance(ctx, model, table, &view, options->command);
}
