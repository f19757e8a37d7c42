/* SPDX-License-Identifier: MIT */
/* Transforms of a program's own: see own_learner.c. */
#include "base/call.h"
#include "base/options.h"
#include "model/own.h"

typedef struct own_transform {
    cairn_own own; /* first: the block is freed through it */
    cairn_transform transform;
    cairn_plugin_transform record; /* as this library knows it */
} own_transform;

typedef struct own_link {
    const own_transform *mine; /* held by the settings of the link */
    void *state;               /* the record's; NULL where it learns nothing */
} own_link;

cairn_status cairn_transform_begin(cairn_context *ctx, void **state,
                                   const cairn_transform *transform)
{
    CHECK(NEW(ctx, (char **)state, transform->state_size));
    if (transform->begin) transform->begin(*state, transform);
    return CAIRN_OK;
}

static void own_begin(void *state, const cairn_transform *transform)
{
    own_link *link = state;
    link->mine = (const own_transform *)transform->entry.own;
}

static cairn_status own_fit(cairn_context *ctx, void *state, const cairn_job *job)
{
    own_link *link = state;
    const cairn_plugin_transform *r = &link->mine->record;
    if (!r->fit) return CAIRN_OK;
    cairn_own_begins(ctx);
    cairn_status status = r->fit(ctx, job, &link->state, r->data);
    return cairn_own_ended(ctx, &link->mine->transform.entry, "fit", status);
}

/* Rows, and columns with a role of their own, are what the rest of the chain relies on. */
static cairn_status check_made(cairn_context *ctx, const cairn_plugin_transform *r,
                               const cairn_table *before, const cairn_table *made)
{
    if (!made)
        return cairn_fail(ctx, CAIRN_INTERNAL, "'apply' of the transform '%s' gave no table",
                          r->name);
    if (made->n_rows != before->n_rows && !(r->flags & CAIRN_PLUGIN_CHANGES_ROWS))
        return cairn_fail(ctx, CAIRN_INTERNAL,
                          "the transform '%s' made %zu rows of %zu, and its record does not say "
                          "that it changes rows",
                          r->name, made->n_rows, before->n_rows);
    for (size_t i = 0; i < before->n_columns; i++) {
        const cairn_slot *slot = &before->slots[i];
        if (slot->role == CAIRN_FEATURE || slot->role == CAIRN_IGNORED) continue;
        ptrdiff_t at = cairn_table_find(made, slot->name);
        if (at >= 0 && made->slots[at].role == slot->role) continue;
        return cairn_fail(ctx, CAIRN_INTERNAL,
                          "the transform '%s' lost the column '%s' or its role; leave targets, "
                          "weights, ids and groups as they are",
                          r->name, slot->name);
    }
    return CAIRN_OK;
}

static cairn_status own_apply(cairn_context *ctx, cairn_table **out, const void *state,
                              const void *params, const cairn_table *table)
{
    const own_link *link = state;
    const cairn_plugin_transform *r = &link->mine->record;
    OWNED(cairn_table_free) cairn_table *made = NULL;
    cairn_own_begins(ctx);
    cairn_status status = r->apply(ctx, params, link->state, table, &made, r->data);
    CHECK(cairn_own_ended(ctx, &link->mine->transform.entry, "apply", status));
    CHECK(check_made(ctx, r, table, made));
    *out = TAKE(made);
    return CAIRN_OK;
}

static void own_describe(cairn_report *out, const void *state, const void *params)
{
    const own_link *link = state;
    const cairn_plugin_transform *r = &link->mine->record;
    cairn_job job = {.params = params};
    if (r->describe) r->describe(out, &job, link->state, r->data);
}

static cairn_status own_archive(cairn_archive *a, void *state)
{
    own_link *link = state;
    const cairn_plugin_transform *r = &link->mine->record;
    cairn_context *ctx = cairn_archive_context(a);
    OWNED(cairn_free) uint8_t *bytes = NULL;
    size_t n = 0;
    CHECK(cairn_own_archive(a, &link->mine->transform.entry, r->save, link->state, r->data, &bytes,
                            &n));
    if (!cairn_archive_reading(a) || !r->load) return CAIRN_OK;
    cairn_job job = {.task = CAIRN_TASK_AUTO, .positive = -1};
    cairn_own_begins(ctx);
    cairn_status status = r->load(ctx, &job, bytes, n, &link->state, r->data);
    return cairn_own_loaded(a, &link->mine->transform.entry, status);
}

static void own_clear(void *state)
{
    own_link *link = state;
    if (link->state) link->mine->record.release(link->state, link->mine->record.data);
}

/* What a record needs to be a transform: one that keeps something can write it down and free it. */
static cairn_status check_transform(cairn_context *ctx, const cairn_plugin_transform *r)
{
    const unsigned known = CAIRN_PLUGIN_CHANGES_ROWS | CAIRN_PLUGIN_COMPLETE;
    CHECK(cairn_own_needs(ctx, r->name, "apply", r->apply));
    CHECK(cairn_own_needs(ctx, r->name, "save", r->save || !r->fit));
    CHECK(cairn_own_needs(ctx, r->name, "load", r->load || !r->fit));
    CHECK(cairn_own_needs(ctx, r->name, "release", r->release || !(r->fit || r->load)));
    return cairn_own_needs(ctx, r->name, "meaning for some of its flags", !(r->flags & ~known));
}

/* The record of the library, whose functions call those of the program. */
static cairn_transform transform_of(const cairn_plugin_transform *r)
{
    return (cairn_transform){.state_size = sizeof(own_link),
                             .changes_rows = r->flags & CAIRN_PLUGIN_CHANGES_ROWS,
                             .wants_complete = r->flags & CAIRN_PLUGIN_COMPLETE,
                             .begin = own_begin,
                             .fit = own_fit,
                             .apply = own_apply,
                             .describe = own_describe,
                             .archive = own_archive,
                             .clear = own_clear};
}

cairn_status cairn_register_transform(cairn_context *ctx, const cairn_plugin_transform *record)
{
    PUBLIC_CALL(ctx);
    own_transform *mine;
    cairn_plugin_transform full = {.size = sizeof full};
    CHECK(cairn_options_take(ctx, &full, sizeof full, record, "cairn_plugin_transform"));
    CHECK(NEW(ctx, &mine, 1));
    mine->record = full;
    mine->transform = transform_of(&full);
    cairn_own_words words = {.kind = CAIRN_ENTRY_TRANSFORM,
                             .name = full.name,
                             .title = full.title,
                             .summary = full.summary,
                             .also = full.also,
                             .example = full.example,
                             .params = full.params,
                             .params_size = full.params_size};
    cairn_status status = cairn_own_fill(ctx, &mine->own, &mine->transform.entry, &words);
    if (!status) status = check_transform(ctx, &full);
    if (!status) status = cairn_own_register(ctx, &mine->transform.entry);
    cairn_entry_drop(&mine->transform.entry);
    return status;
}
