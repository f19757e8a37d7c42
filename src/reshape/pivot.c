/* SPDX-License-Identifier: MIT */
/* From long to wide and back.
 *
 * Pivot: rows of the result are the groups of the row columns, its columns the values of one column
 * in ascending order; a matrix holds for each cell the row that it comes from. Unpivot: the columns
 * are put behind each other and read across. */
#include "base/call.h"
#include "base/memory.h"
#include "base/text.h"
#include "cairn/reshape.h"
#include "data/column.h"
#include "entry/entry.h"
#include "reshape/aggregate.h"
#include "reshape/keys.h"

#include <stdio.h>
#include <string.h>

/* -- pivot -- */

typedef struct pivot {
    const cairn_table *table;
    size_t column; /* whose values become columns */
    size_t *values, n_values, *ids, n_ids;
    cairn_row_groups rows, columns;
    uint32_t *place;          /* of a value of the column among the new columns */
    cairn_column *heads;      /* the values of the column, one each, in order of arrival */
    const uint32_t *in_order; /* n columns: positions in `heads` */
    uint32_t *matrix;         /* columns x rows: the row of the cell, CAIRN_NO_ROW = none */
} pivot;

static bool is_in(const size_t *columns, size_t n, size_t column)
{
    for (size_t i = 0; i < n; i++)
        if (columns[i] == column) return true;
    return false;
}

/* Which columns are turned, hold the values and tell rows apart; none does two of these. */
static cairn_status find_columns(cairn_context *ctx, pivot *p, const char *column,
                                 const char *values, const char *rows)
{
    CHECK(cairn_table_get(ctx, p->table, column, &p->column));
    CHECK(cairn_pick_columns(ctx, &p->values, &p->n_values, p->table, values));
    const cairn_slot *slot = &p->table->slots[p->column];
    if (cairn_kind_is_many(slot->column->kind))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "'%s' is a %s column, whose values are no names of "
                          "columns",
                          slot->name, cairn_kind_name(slot->column->kind));
    if (!p->n_values) return cairn_fail(ctx, CAIRN_USAGE, "{values} names no column");
    if (!rows) {
        /* Every column that is neither turned nor a value. */
        CHECK(SCRATCH(ctx, &p->ids, p->table->n_columns + 1));
        for (size_t i = 0; i < p->table->n_columns; i++)
            if (i != p->column && !is_in(p->values, p->n_values, i)) p->ids[p->n_ids++] = i;
        return CAIRN_OK;
    }
    CHECK(cairn_pick_columns(ctx, &p->ids, &p->n_ids, p->table, rows));
    for (size_t i = 0; i < p->n_ids; i++)
        if (p->ids[i] == p->column || is_in(p->values, p->n_values, p->ids[i]))
            return cairn_fail(ctx, CAIRN_USAGE,
                              "'%s' cannot tell rows apart and be pivoted at the same time",
                              p->table->slots[p->ids[i]].name);
    return CAIRN_OK;
}

/* Name both rows of a cell that has two values, and what they have in common. */
static cairn_status refuse_second(cairn_context *ctx, const pivot *p, size_t first, size_t second)
{
    const cairn_slot *slot = &p->table->slots[p->column];
    char value[80], row[200] = "";
    size_t length = 0;
    cairn_table_cell(p->table, p->column, second, value, sizeof value);
    for (size_t i = 0; i < p->n_ids && length < 120; i++) {
        char cell[40];
        cairn_table_cell(p->table, p->ids[i], second, cell, sizeof cell);
        length += (size_t)snprintf(row + length, sizeof row - length, "%s%.30s = %s",
                                   i ? ", " : " with ", p->table->slots[p->ids[i]].name, cell);
    }
    return cairn_fail(
        ctx, CAIRN_BAD_DATA,
        "%s: rows %zu and %zu%s both have '%s' = %s, so one cell would have two "
        "values; in place of {values}, say what to make of them, as in {aggregate first(%s)}",
        p->table->source ? p->table->source : "the table", first + 1, second + 1, row, slot->name,
        value, p->table->slots[p->values[0]].name);
}

static cairn_status fill_matrix(cairn_context *ctx, pivot *p)
{
    size_t n_rows = p->rows.n_groups, n = n_rows * p->columns.n_groups;
    CHECK(SCRATCH_RAW(ctx, &p->matrix, n + 1));
    memset(p->matrix, 0xff, n * sizeof *p->matrix);
    for (size_t i = 0; i < p->table->n_rows; i++) {
        size_t column = p->place[p->columns.group_of[i]];
        uint32_t *cell = &p->matrix[column * n_rows + p->rows.group_of[i]];
        if (*cell != CAIRN_NO_ROW) return refuse_second(ctx, p, *cell, i);
        *cell = (uint32_t)i;
    }
    return CAIRN_OK;
}

static cairn_status add_named(cairn_context *ctx, cairn_table *out, cairn_map *names,
                              const char *name, cairn_role role, cairn_column *column)
{
    cairn_status status = cairn_name_column(ctx, names, name, strlen(name), "the pivoted table");
    if (status) {
        cairn_column_drop(column);
        return status;
    }
    return cairn_table_append(ctx, out, cairn_map_key(names, names->n - 1), role, column);
}

/* The new columns, by the column of values and then by the value that they stand for. */
static cairn_status add_cells(cairn_context *ctx, cairn_table *out, cairn_map *names,
                              const pivot *p)
{
    SCOPED(cairn_text_clear) cairn_text name = cairn_text_start(ctx);
    size_t n_rows = p->rows.n_groups;
    cairn_column *column;
    for (size_t v = 0; v < p->n_values; v++) {
        const cairn_slot *slot = &p->table->slots[p->values[v]];
        for (size_t c = 0; c < p->columns.n_groups; c++) {
            CHECK(cairn_tick(ctx, NULL, 0, 0));
            /* The name of a new column: the value, behind that of the values where there are
             * several. */
            size_t head = p->in_order[c];
            char cell[256];
            name.length = 0;
            if (p->n_values > 1) cairn_text_addf(&name, "%s_", p->table->slots[p->values[v]].name);
            bool missing = cairn_column_is_missing(p->heads, head);
            cairn_column_cell(p->heads, head, cell, sizeof cell);
            cairn_text_add(&name, missing ? "missing" : cell);
            CHECK(cairn_text_status(&name));
            CHECK(cairn_column_take(ctx, &column, slot->column, p->matrix + c * n_rows, n_rows));
            CHECK(add_named(ctx, out, names, cairn_text_string(&name), slot->role, column));
        }
    }
    return CAIRN_OK;
}

/* The columns that tell rows apart, then the new ones. */
static cairn_status pivot_result(cairn_context *ctx, cairn_table **out, const pivot *p)
{
    OWNED(cairn_table_free) cairn_table *made = NULL;
    SCOPED(cairn_map_clear) cairn_map names = {0};
    CHECK(cairn_table_new(ctx, &made, p->rows.n_groups));
    CHECK(cairn_table_copy_source(ctx, made, p->table));
    for (size_t i = 0; i < p->n_ids; i++) {
        const cairn_slot *slot = &p->table->slots[p->ids[i]];
        cairn_column *column;
        CHECK(cairn_column_take(ctx, &column, slot->column, p->rows.first, made->n_rows));
        CHECK(add_named(ctx, made, &names, slot->name, slot->role, column));
    }
    CHECK(add_cells(ctx, made, &names, p));
    *out = TAKE(made);
    return CAIRN_OK;
}

/* A pivot in which every cell has at most one row. */
static cairn_status pivot_cells(cairn_context *ctx, cairn_table **out, const cairn_table *table,
                                const char *column, const char *values, const char *rows)
{
    pivot p = {.table = table};
    cairn_status status;
    TRY(find_columns(ctx, &p, column, values, rows));
    TRY(cairn_group_rows(ctx, &p.rows, table, p.ids, p.n_ids));
    TRY(cairn_group_rows(ctx, &p.columns, table, &p.column, 1));
    if (!table->n_rows) p.rows.n_groups = 0;
    /* The new columns in the order of the values that they stand for. */
    const cairn_slot *slot = &p.table->slots[p.column];
    size_t n = p.columns.n_groups;
    cairn_coder coder;
    uint32_t *order;
    TRY(cairn_column_take(ctx, &p.heads, slot->column, p.columns.first, n));
    TRY(cairn_coder_order(ctx, &coder, p.heads, true));
    TRY(cairn_order_rows(ctx, &order, &coder, 1, n));
    TRY(SCRATCH(ctx, &p.place, n + 1));
    for (size_t i = 0; i < n; i++) p.place[order[i]] = (uint32_t)i;
    p.in_order = order;
    double cells = (double)p.rows.n_groups * (double)p.columns.n_groups;
    char what[160];
    snprintf(what, sizeof what, "a table of %zu rows and %zu columns", p.rows.n_groups,
             p.n_ids + p.columns.n_groups * p.n_values);
    TRY(cairn_memory_check(ctx, cells * (4 + 8 * (double)p.n_values), what,
                           "pivot a column with fewer values, or keep fewer rows"));
    TRY(fill_matrix(ctx, &p));
    TRY(pivot_result(ctx, out, &p));
done:
    cairn_column_drop(p.heads);
    return status;
}

static void add_listed(cairn_text *list, const char *name)
{
    cairn_text_addf(list, "%s\"%s\"", list->length ? "," : "", name);
}

static bool is_aggregated(const cairn_aggregate_use *uses, size_t n, size_t column)
{
    for (size_t i = 0; i < n; i++)
        if (uses[i].column == (ptrdiff_t)column) return true;
    return false;
}

/* What the cells are grouped by: the columns that tell rows apart, and the pivoted one. Columns
 * that are aggregated or weigh tell nothing apart. */
static cairn_status list_groups(cairn_context *ctx, cairn_text *list, const cairn_table *table,
                                const char *column, const char *rows, const char *aggregates)
{
    cairn_aggregate_use *uses;
    size_t n_uses, n, at, *columns;
    CHECK(cairn_aggregates_parse(ctx, &uses, &n_uses, table, aggregates));
    CHECK(cairn_table_get(ctx, table, column, &at));
    if (rows) {
        CHECK(cairn_pick_columns(ctx, &columns, &n, table, rows));
        for (size_t i = 0; i < n; i++) add_listed(list, table->slots[columns[i]].name);
    }
    for (size_t i = 0; !rows && i < table->n_columns; i++)
        if (i != at && !is_aggregated(uses, n_uses, i) && table->slots[i].role != CAIRN_WEIGHT)
            add_listed(list, table->slots[i].name);
    add_listed(list, column);
    return cairn_text_status(list);
}

/* Aggregate first, so that every cell has one value. */
static cairn_status pivot_aggregates(cairn_context *ctx, cairn_table **out,
                                     const cairn_table *table, const char *column, const char *rows,
                                     const char *aggregates)
{
    SCOPED(cairn_text_clear) cairn_text list = cairn_text_start(ctx);
    OWNED(cairn_table_free) cairn_table *groups = NULL;
    CHECK(list_groups(ctx, &list, table, column, rows, aggregates));
    CHECK(cairn_table_aggregate(ctx, &groups, table, cairn_text_string(&list), aggregates));
    size_t at;
    CHECK(cairn_table_get(ctx, groups, column, &at));
    list.length = 0;
    for (size_t i = at + 1; i < groups->n_columns; i++) add_listed(&list, groups->slots[i].name);
    CHECK(cairn_text_status(&list));
    return pivot_cells(ctx, out, groups, column, cairn_text_string(&list), NULL);
}

cairn_status cairn_table_pivot(cairn_context *ctx, cairn_table **out, const cairn_table *table,
                               const char *column, const char *values, const char *rows,
                               const char *aggregates)
{
    PUBLIC_CALL(ctx);
    SCOPED_SCRATCH(ctx);
    if (!values == !aggregates)
        CHECK(cairn_fail(
            ctx, CAIRN_USAGE,
            "a pivot needs {values} for the columns whose cells it holds, or {aggregate} "
            "for what is computed of them, and not both"));
    if (aggregates)
        CHECK(pivot_aggregates(ctx, out, table, column, rows, aggregates));
    else
        CHECK(pivot_cells(ctx, out, table, column, values, rows));
    return CAIRN_OK;
}

/* -- unpivot -- */

typedef struct unpivot {
    const cairn_table *table;
    size_t *columns, n_columns;
    const char *names_to, *values_to;
    cairn_column *stacked;  /* all cells, column by column */
    uint32_t *rows, *cells; /* of the result: the row that it comes of, and its cell in `stacked` */
    size_t n_out;
} unpivot;

static cairn_status find_transposed(cairn_context *ctx, unpivot *u, const char *list)
{
    if (strcmp(list, "*") != 0)
        CHECK(cairn_pick_columns(ctx, &u->columns, &u->n_columns, u->table, list));
    else {
        CHECK(SCRATCH(ctx, &u->columns, u->table->n_columns + 1));
        for (size_t i = 0; i < u->table->n_columns; i++)
            if (u->table->slots[i].role == CAIRN_FEATURE) u->columns[u->n_columns++] = i;
    }
    if (!u->n_columns)
        return cairn_fail(ctx, CAIRN_USAGE, "{unpivot} names no column that could become rows");
    return CAIRN_OK;
}

/* The two new names must be free among the columns that stay. */
static cairn_status check_names(cairn_context *ctx, const unpivot *u)
{
    const char *names[2] = {u->names_to, u->values_to};
    if (strcmp(names[0], names[1]) == 0)
        return cairn_fail(ctx, CAIRN_USAGE, "{names-to} and {values-to} are both '%s'", names[0]);
    for (int i = 0; i < 2; i++) {
        ptrdiff_t at = cairn_table_find(u->table, names[i]);
        if (at >= 0 && !is_in(u->columns, u->n_columns, (size_t)at))
            return cairn_fail(ctx, CAIRN_USAGE,
                              "there is a column '%s' already; say another name with %s", names[i],
                              cairn_say(ctx, i ? "{values-to}" : "{names-to}"));
    }
    return CAIRN_OK;
}

static cairn_status check_long(cairn_context *ctx, const unpivot *u)
{
    size_t n = cairn_product(u->table->n_rows, u->n_columns);
    char what[100];
    if (n >= UINT32_MAX)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%zu rows of %zu columns make %zu rows; a table has at most %zu: unpivot "
                          "fewer columns",
                          u->table->n_rows, u->n_columns, n, (size_t)UINT32_MAX - 1);
    snprintf(what, sizeof what, "a table of %zu rows", n);
    return cairn_memory_check(ctx, (double)n * (cairn_table_row_bytes(u->table) + 24), what,
                              "unpivot fewer columns, or keep fewer rows");
}

static cairn_status stack_columns(cairn_context *ctx, unpivot *u)
{
    cairn_column **columns;
    const char **names;
    CHECK(SCRATCH_EACH(ctx, u->n_columns, &columns, &names));
    for (size_t i = 0; i < u->n_columns; i++) {
        columns[i] = u->table->slots[u->columns[i]].column;
        names[i] = u->table->slots[u->columns[i]].name;
    }
    return cairn_column_stack(ctx, &u->stacked, columns, names, u->n_columns);
}

/* Row by row, in each the columns as they were named. */
static cairn_status list_cells(cairn_context *ctx, unpivot *u, bool drop_missing)
{
    size_t n = u->table->n_rows;
    CHECK(SCRATCH_RAW_EACH(ctx, n * u->n_columns + 1, &u->rows, &u->cells));
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < u->n_columns; k++) {
            size_t cell = k * n + i;
            if (drop_missing && cairn_column_is_missing(u->stacked, cell)) continue;
            u->rows[u->n_out] = (uint32_t)i;
            u->cells[u->n_out++] = (uint32_t)cell;
        }
    return CAIRN_OK;
}

/* The column of names: a level per column, in their order. */
static cairn_status make_names(cairn_context *ctx, cairn_column **out, const unpivot *u)
{
    OWNED(cairn_column_drop) cairn_column *made = NULL;
    size_t index;
    CHECK(cairn_column_new(ctx, &made, CAIRN_LEVEL, u->n_out));
    for (size_t k = 0; k < u->n_columns; k++) {
        const char *name = u->table->slots[u->columns[k]].name;
        CHECK(cairn_map_add(ctx, &made->names, name, strlen(name), &index));
    }
    for (size_t i = 0; i < u->n_out; i++)
        made->codes[i] = (int32_t)(u->cells[i] / u->table->n_rows);
    made->declared = true;
    *out = TAKE(made);
    return CAIRN_OK;
}

/* The columns that stay, repeated, then names and values. */
static cairn_status unpivot_result(cairn_context *ctx, cairn_table **out, const unpivot *u)
{
    OWNED(cairn_table_free) cairn_table *made = NULL;
    cairn_column *column;
    CHECK(cairn_table_new(ctx, &made, u->n_out));
    CHECK(cairn_table_copy_source(ctx, made, u->table));
    for (size_t i = 0; i < u->table->n_columns; i++) {
        const cairn_slot *slot = &u->table->slots[i];
        if (is_in(u->columns, u->n_columns, i)) continue;
        CHECK(cairn_column_take(ctx, &column, slot->column, u->rows, u->n_out));
        CHECK(cairn_table_append(ctx, made, slot->name, slot->role, column));
    }
    CHECK(make_names(ctx, &column, u));
    CHECK(cairn_table_append(ctx, made, u->names_to, CAIRN_FEATURE, column));
    CHECK(cairn_column_take(ctx, &column, u->stacked, u->cells, u->n_out));
    CHECK(cairn_table_append(ctx, made, u->values_to, CAIRN_FEATURE, column));
    *out = TAKE(made);
    return CAIRN_OK;
}

cairn_status cairn_table_unpivot(cairn_context *ctx, cairn_table **out, const cairn_table *table,
                                 const char *columns, const char *names_to, const char *values_to,
                                 bool drop_missing)
{
    PUBLIC_CALL(ctx);
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    unpivot u = {.table = table,
                 .names_to = names_to ? names_to : "name",
                 .values_to = values_to ? values_to : "value"};
    cairn_status status;
    TRY(find_transposed(ctx, &u, columns));
    TRY(check_names(ctx, &u));
    TRY(check_long(ctx, &u));
    TRY(stack_columns(ctx, &u));
    TRY(list_cells(ctx, &u, drop_missing));
    TRY(unpivot_result(ctx, out, &u));
done:
    cairn_column_drop(u.stacked);
    cairn_scratch_release(ctx, mark);
    return status;
}
