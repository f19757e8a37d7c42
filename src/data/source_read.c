/* SPDX-License-Identifier: MIT */
/* Rows of a database into columns: the module hands them over, row_gather.c keeps them. */
#include "base/memory.h"
#include "base/text.h"
#include "data/cell.h"
#include "data/row_gather.h"
#include "data/source.h"
#include <string.h>

static bool is_cancelled(const void *data)
{
    return cairn_is_cancelled(((const cairn_gather *)data)->ctx);
}

/* What the database holds lies beside the table that it fills, under the same limit. */
static size_t count_foreign(void *data, size_t bytes)
{
    cairn_gather *g = data;
    cairn_free(g->foreign);
    g->foreign = NULL;
    if (!g->status) g->status = cairn_count(g->ctx, &g->foreign, bytes);
    return g->status ? 0 : cairn_source_memory(g->ctx);
}

static cairn_status run_query(cairn_gather *g, const cairn_locator *l, const char *query)
{
    cairn_source_job job = {.place = l->place,
                            .query = query,
                            .memory = cairn_source_memory(g->ctx),
                            .data = g,
                            .begin = cairn_gather_names,
                            .levels = cairn_gather_levels,
                            .row = cairn_gather_row,
                            .is_cancelled = is_cancelled,
                            .holds = count_foreign};
    cairn_source_end end = l->module->read(&job);
    cairn_free(g->foreign);
    g->foreign = NULL;
    if (g->status) return g->status;
    return cairn_source_failed(g->ctx, l, end, job.message);
}

/* -- which table -- */

static cairn_status refuse_choice(const cairn_gather *tables, const cairn_locator *l)
{
    cairn_text list = cairn_text_start(tables->ctx);
    const cairn_map *names = tables->n_columns ? &tables->columns[0].words : &tables->names;
    for (size_t i = 0; i < names->n && i < 20; i++)
        cairn_text_addf(&list, "%s%s", i ? ", " : "", cairn_map_key(names, i));
    if (names->n > 20) cairn_text_addf(&list, ", ... (%zu in all)", names->n);
    cairn_status status = cairn_text_status(&list);
    if (!status && !tables->n_rows)
        status = cairn_fail(tables->ctx, CAIRN_BAD_DATA, "%s: the database has no table", l->shown);
    else if (!status)
        status = cairn_fail(tables->ctx, CAIRN_USAGE,
                            "%s: the database has several tables; add ?table=NAME or ?query=SQL. "
                            "There are: %s",
                            l->shown, cairn_text_string(&list));
    cairn_text_clear(&list);
    return status;
}

/* The only table of the database. */
static cairn_status only_table(cairn_context *ctx, const cairn_locator *l, cairn_text *query)
{
    cairn_status status;
    cairn_gather tables = {.ctx = ctx, .shown = l->shown};
    TRY(run_query(&tables, l, l->module->list_tables));
    if (tables.n_rows != 1 || tables.columns[0].words.n != 1) TRY(refuse_choice(&tables, l));
    cairn_source_add_name(query, l, cairn_map_key(&tables.columns[0].words, 0));
done:
    cairn_gather_clear(&tables);
    return status;
}

static cairn_status make_query(cairn_context *ctx, const cairn_locator *l, cairn_text *query)
{
    cairn_status status = CAIRN_OK;
    if (l->query) {
        cairn_text_add(query, l->query);
    } else {
        cairn_text_add(query, "SELECT * FROM ");
        if (l->table)
            cairn_source_add_name(query, l, l->table);
        else
            TRY(only_table(ctx, l, query));
    }
    status = cairn_text_status(query);
done:
    return status;
}

cairn_status cairn_source_read(cairn_context *ctx, cairn_table **out, const char *path,
                               const cairn_read_options *options)
{
    cairn_status status;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_text query = cairn_text_start(ctx);
    cairn_locator l;
    cairn_gather g = {.ctx = ctx, .shown = NULL};
    cairn_table *table = NULL;
    if (options->missing) TRY(cairn_cell_marks(ctx, &g.marks, options->missing, true));
    g.has_marks = options->missing != NULL;
    TRY(cairn_locator_open(ctx, &l, path));
    g.shown = l.shown;
    TRY(make_query(ctx, &l, &query));
    TRY(run_query(&g, &l, cairn_text_string(&query)));
    if (!g.n_columns)
        TRY(cairn_fail(ctx, CAIRN_USAGE, "%s: the statement gives no rows; write a SELECT",
                       l.shown));
    if (!g.n_rows)
        TRY(cairn_fail(ctx, CAIRN_BAD_DATA, "%s: the query gave no row of data", l.shown));
    TRY(cairn_gather_table(&g, &table, options));
    TRY(cairn_copy_text(ctx, &table->source, l.shown, strlen(l.shown)));
    *out = table;
    table = NULL;
done:
    cairn_table_free(table);
    cairn_gather_clear(&g);
    cairn_text_clear(&query);
    cairn_scratch_release(ctx, mark);
    return status;
}
