/* SPDX-License-Identifier: MIT */
/* Shared by transforms that expand columns: see expand.h. */
#include "transforms/expand.h"

#include "base/number.h"
#include "data/column.h"
#include "data/table_limits.h"
#include "parallel/parallel.h"

#include <stdio.h>
#include <string.h>

cairn_status cairn_expand_choose(cairn_context *ctx, cairn_map *names, const cairn_view *view,
                                 const char *transform, const char *list, size_t **chosen)
{
    size_t n, index;
    CHECK(cairn_choose_features(ctx, view, transform, list, cairn_fits_number, "a number column",
                                chosen, &n));
    for (size_t i = 0; i < n; i++) {
        const char *name = view->names[(*chosen)[i]];
        CHECK(cairn_map_add(ctx, names, name, strlen(name), &index));
    }
    return CAIRN_OK;
}

cairn_status cairn_expand_check(cairn_context *ctx, const char *transform, double n_new,
                                size_t n_rows)
{
    char what[160], count[CAIRN_NUMBER_SIZE];
    cairn_number_format(count, n_new, 7);
    snprintf(what, sizeof what, "%s: making %s columns of %zu rows", transform, count, n_rows);
    CHECK(cairn_memory_check(ctx, n_new * (8.0 * (double)n_rows + 200), what,
                             "lower the degree or the number of centres, or name fewer columns"));
    return cairn_columns_allowed(ctx, n_new < INT32_MAX ? (size_t)n_new : INT32_MAX, transform);
}

cairn_status cairn_expand_name(cairn_context *ctx, cairn_map *made, cairn_text *name,
                               const char *transform)
{
    cairn_status status = cairn_text_status(name);
    if (status == CAIRN_OK)
        status = cairn_name_column(ctx, made, cairn_text_string(name), name->length, transform);
    cairn_text_clear(name);
    return status;
}

/* The chosen columns in the order of their names. */
static cairn_status find_columns(cairn_context *ctx, const cairn_table *table,
                                 const cairn_map *names, const double ***out)
{
    CHECK(SCRATCH(ctx, out, names->n + 1));
    for (size_t i = 0, at = 0; i < names->n; i++) {
        CHECK(cairn_next_column(ctx, table, cairn_map_key(names, i), &at));
        CHECK(cairn_expect_kind(ctx, &table->slots[at], CAIRN_NUMBER));
        (*out)[i] = table->slots[at].column->numbers;
    }
    return CAIRN_OK;
}

static bool is_kept(const cairn_slot *slot, const cairn_map *names, bool keep)
{
    return keep || cairn_map_find(names, slot->name, strlen(slot->name)) < 0;
}

/* A new column whose name is not taken by one that stays. */
static cairn_status add_new(cairn_context *ctx, cairn_table *table, const cairn_map *taken,
                            const char *name, double **numbers)
{
    cairn_column *column;
    if (cairn_map_find(taken, name, strlen(name)) >= 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "a new column would be called '%s', but there is one of that name; "
                          "leave it out with {ignore} or rename it",
                          name);
    CHECK(cairn_column_new(ctx, &column, CAIRN_NUMBER, table->n_rows));
    *numbers = column->numbers;
    return cairn_table_append(ctx, table, name, CAIRN_FEATURE, column);
}

cairn_status cairn_expand_table(cairn_context *ctx, cairn_table **out, const cairn_table *table,
                                const cairn_map *names, bool keep, const cairn_map *made,
                                const double *const **columns, double *const **numbers)
{
    OWNED(cairn_table_free) cairn_table *grown = NULL;
    SCOPED(cairn_map_clear) cairn_map taken = {0};
    const double **from;
    double **to;
    size_t index;
    CHECK(cairn_expand_check(ctx, "expanding columns", (double)made->n, table->n_rows));
    CHECK(find_columns(ctx, table, names, &from));
    CHECK(SCRATCH(ctx, &to, made->n + 1));
    CHECK(cairn_table_new(ctx, &grown, table->n_rows));
    for (size_t i = 0; i < table->n_columns; i++) {
        const cairn_slot *slot = &table->slots[i];
        if (!is_kept(slot, names, keep)) continue;
        CHECK(cairn_map_add(ctx, &taken, slot->name, strlen(slot->name), &index));
        CHECK(cairn_table_append(ctx, grown, slot->name, slot->role,
                                 cairn_column_hold(slot->column)));
    }
    for (size_t i = 0; i < made->n; i++)
        CHECK(add_new(ctx, grown, &taken, cairn_map_key(made, i), &to[i]));
    *columns = from;
    *numbers = to;
    *out = TAKE(grown);
    return CAIRN_OK;
}

static void count_column(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)block, (void)end, (void)worker;
    cairn_slot *slots = data;
    cairn_column_count_missing(slots[begin].column);
}

cairn_status cairn_expand_done(cairn_context *ctx, cairn_table *table, size_t n)
{
    return cairn_blocks(ctx, n, 1, count_column, table->slots + (table->n_columns - n));
}

void cairn_expand_describe(cairn_report *out, const char *transform, size_t n_before,
                           size_t n_after)
{
    cairn_report_paragraph(out, "%zu column%s become%s %zu.", n_before, n_before == 1 ? "" : "s",
                           n_before == 1 ? "s" : "", n_after);
    cairn_report_hidden(out, (double)n_before, "%s.columns", transform);
    cairn_report_hidden(out, (double)n_after, "%s.dimension", transform);
}
