/* SPDX-License-Identifier: MIT */
/* Streams of the Arrow C data interface: every array becomes a table, and these are joined. Text is
 * kept as text until all of it is there, since whether it is levels depends on the whole. */
#include "base/call.h"
#include "base/memory.h"
#include "data/arrow.h"
#include "data/column.h"
#include "data/table_limits.h"
#include <string.h>

typedef struct parts {
    cairn_table *const *tables;
    size_t n;
    size_t n_rows;
} parts;

/* -- joining -- */

/* Text with few values becomes levels, unless it is noted to be text. */
static cairn_status settle_text(cairn_context *ctx, cairn_column **column, const char *name)
{
    cairn_column *levels;
    if ((*column)->declared) return CAIRN_OK;
    cairn_status status =
        cairn_column_convert(ctx, &levels, *column, CAIRN_LEVEL, name, NULL, NULL, NULL);
    if (status) return status;
    if (levels->names.n > cairn_most_levels(levels->n_rows)) {
        cairn_column_drop(levels);
        return CAIRN_OK;
    }
    cairn_column_drop(*column);
    *column = levels;
    return CAIRN_OK;
}

/* A single part is taken over without a copy. Text is settled only when all parts are there,
 * because a part alone does not show how many different values there are. */
static cairn_status join_column(cairn_context *ctx, cairn_table *table, const parts *p, size_t j)
{
    SCOPED_SCRATCH(ctx);
    OWNED(cairn_column_drop) cairn_column *column = NULL;
    const cairn_slot *slot = &p->tables[0]->slots[j];
    cairn_column **all;
    cairn_kind kind = slot->column->kind;
    if (p->n == 1) {
        column = cairn_column_hold(slot->column);
    } else {
        CHECK(SCRATCH(ctx, &all, p->n));
        for (size_t i = 0; i < p->n; i++) all[i] = p->tables[i]->slots[j].column;
        CHECK(cairn_column_new(ctx, &column, kind, p->n_rows));
        column->ordered = slot->column->ordered;
        column->declared = slot->column->declared;
        CHECK(cairn_column_join(ctx, column, all, p->n));
        cairn_column_count_missing(column);
    }
    if (kind == CAIRN_TEXT) CHECK(settle_text(ctx, &column, slot->name));
    CHECK(cairn_table_append(ctx, table, slot->name, slot->role, TAKE(column)));
    table->slots[j].chosen = slot->chosen;
    return CAIRN_OK;
}

cairn_status cairn_arrow_join(cairn_context *ctx, cairn_table **out, cairn_table *const *tables,
                              size_t n)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    parts p = {.tables = tables, .n = n};
    for (size_t i = 0; i < n; i++) p.n_rows += tables[i]->n_rows;
    if (p.n_rows > UINT32_MAX)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "the Arrow stream has more than 4294967295 rows");
    CHECK(cairn_table_new(ctx, &table, p.n_rows));
    for (size_t j = 0; j < tables[0]->n_columns; j++) CHECK(join_column(ctx, table, &p, j));
    CHECK(cairn_table_allowed(ctx, table));
    *out = TAKE(table);
    return CAIRN_OK;
}

/* -- the stream -- */

static cairn_status failure(cairn_context *ctx, struct ArrowArrayStream *stream, int code)
{
    const char *why = stream->get_last_error ? stream->get_last_error(stream) : NULL;
    return cairn_fail(ctx, CAIRN_BAD_DATA, "the Arrow stream failed: %s (error %d)",
                      why ? why : "no reason given", code);
}

/* An array that was received must be released by us; the import takes it over, so only a failure
 * before that does it here. */
static cairn_status read_parts(cairn_context *ctx, cairn_table ***tables, size_t *n,
                               struct ArrowArrayStream *stream, const struct ArrowSchema *schema)
{
    size_t capacity = 0;
    cairn_status status;
    for (;;) {
        struct ArrowArray array = {0};
        int code = stream->get_next(stream, &array);
        if (code) return failure(ctx, stream, code);
        if (!array.release) break;
        status = GROW(ctx, tables, &capacity, *n + 1);
        if (status) {
            array.release(&array);
            return status;
        }
        TRY(cairn_arrow_import(ctx, *tables + *n, schema, &array, true));
        ++*n;
        TRY(cairn_tick(ctx, NULL, 0, 0));
    }
    if (*n == 0) TRY(cairn_fail(ctx, CAIRN_BAD_DATA, "the Arrow stream has no array"));
done:
    return status;
}

cairn_status cairn_table_from_arrow_stream(cairn_context *ctx, cairn_table **out,
                                           struct ArrowArrayStream *stream)
{
    PUBLIC_CALL(ctx);
    cairn_status status;
    struct ArrowSchema schema = {0};
    cairn_table **tables = NULL;
    size_t n = 0;
    if (!stream || !stream->release || !stream->get_schema || !stream->get_next)
        return cairn_fail(ctx, CAIRN_USAGE, "there is no Arrow stream, or it was released already");
    int code = stream->get_schema(stream, &schema);
    if (code) TRY(failure(ctx, stream, code));
    TRY(read_parts(ctx, &tables, &n, stream, &schema));
    TRY(cairn_arrow_join(ctx, out, tables, n));
done:
    for (size_t i = 0; i < n; i++) cairn_table_free(tables[i]);
    cairn_free(tables);
    if (schema.release) schema.release(&schema);
    stream->release(stream);
    stream->release = NULL;
    return status;
}
