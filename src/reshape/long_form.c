/* SPDX-License-Identifier: MIT */
/* Rows that are steps gathered into rows that are sequences. */
#include "reshape/long_form.h"

#include "base/memory.h"
#include "data/column.h"
#include "reshape/keys.h"

#include <math.h>
#include <string.h>

typedef struct gathering {
    cairn_context *ctx;
    const cairn_table *table;
    size_t sequence;
    ptrdiff_t order;         /* -1 = none */
    bool *step;              /* n_columns */
    cairn_row_groups groups; /* the sequences */
    cairn_row_lists lists;   /* their rows */
} gathering;

static const cairn_column *column_at(const gathering *g, size_t i)
{
    return g->table->slots[i].column;
}

/* The name of the sequence that a row belongs to, in `out`. */
static const char *name_sequence(const gathering *g, size_t row, char *out, size_t size)
{
    cairn_column_cell(column_at(g, g->sequence), row, out, size);
    return out;
}

/* -- which rows -- */

static cairn_status find_columns(gathering *g, const cairn_long_form *form)
{
    size_t at;
    g->order = -1;
    CHECK(cairn_table_get(g->ctx, g->table, form->sequence, &g->sequence));
    if (!form->order) return CAIRN_OK;
    CHECK(cairn_table_get(g->ctx, g->table, form->order, &at));
    if (column_at(g, at)->kind != CAIRN_NUMBER && column_at(g, at)->kind != CAIRN_TIME)
        return cairn_fail(g->ctx, CAIRN_BAD_DATA,
                          "{order %s}: the column has %s, but only numbers and times have an order",
                          form->order, cairn_kind_plural(column_at(g, at)->kind));
    if (at == g->sequence)
        return cairn_fail(g->ctx, CAIRN_USAGE, "{sequence} and {order} both name '%s'",
                          form->order);
    g->order = (ptrdiff_t)at;
    return CAIRN_OK;
}

/* Two neighbours in a sequence; fails where the order does not grow. */
static cairn_status check_pair(const gathering *g, size_t before, size_t row)
{
    const double *when = column_at(g, (size_t)g->order)->numbers;
    char name[80];
    if (when[row] > when[before]) return CAIRN_OK;
    return cairn_fail(
        g->ctx, CAIRN_BAD_DATA,
        "row %zu: in the sequence '%s' the column '%s' %s row %zu; sort the rows, "
        "or leave {order} out to take them as they come",
        row + 1, name_sequence(g, row, name, sizeof name), g->table->slots[g->order].name,
        when[row] < when[before] ? "goes back behind" : "is the same as in", before + 1);
}

/* Whether whole numbers leave something out between two rows. */
static bool is_gap(const gathering *g, size_t before, size_t row)
{
    const cairn_column *column = column_at(g, (size_t)g->order);
    double a = column->numbers[before], b = column->numbers[row];
    return column->kind == CAIRN_NUMBER && a == floor(a) && b == floor(b) && b - a > 1;
}

/* Rows of a sequence must come in order; gaps in it are allowed, and said. */
static cairn_status check_order(const gathering *g)
{
    size_t n_gaps = 0, first = 0;
    char name[80];
    if (g->order < 0) return CAIRN_OK;
    for (size_t i = 0; i < g->table->n_rows; i++)
        if (cairn_column_is_missing(column_at(g, (size_t)g->order), i))
            return cairn_fail(g->ctx, CAIRN_BAD_DATA,
                              "row %zu: the cell of '%s', which says the order of the steps, is "
                              "missing",
                              i + 1, g->table->slots[g->order].name);
    for (size_t k = 0; k < g->groups.n_groups; k++)
        for (size_t i = g->lists.starts[k] + 1; i < g->lists.starts[k + 1]; i++) {
            size_t before = g->lists.order[i - 1], row = g->lists.order[i];
            CHECK(check_pair(g, before, row));
            if (is_gap(g, before, row) && !n_gaps++) first = row;
        }
    if (n_gaps)
        cairn_warn(g->ctx,
                   "steps are missing in '%s' at %zu %s, first before row %zu (sequence '%s'); "
                   "what stands before and after a gap is taken for neighbours",
                   g->table->slots[g->order].name, n_gaps, n_gaps == 1 ? "place" : "places",
                   first + 1, name_sequence(g, first, name, sizeof name));
    return CAIRN_OK;
}

/* -- which columns -- */

/* Letters, items and numbers of two cells one by one. */
static bool same_run(const cairn_column *column, size_t a, size_t b)
{
    size_t at = column->starts[a], other = column->starts[b], n = column->starts[a + 1] - at;
    if (n != column->starts[b + 1] - other) return false;
    if (column->bytes && memcmp(column->bytes + at, column->bytes + other, n)) return false;
    if (column->items &&
        memcmp(column->items + at, column->items + other, n * sizeof *column->items))
        return false;
    return !column->amounts ||
           !memcmp(column->amounts + at, column->amounts + other, n * sizeof *column->amounts);
}

/* Whether two cells say the same; missing ones are equal. */
static bool same_cell(const cairn_column *column, size_t a, size_t b)
{
    bool missing = cairn_column_is_missing(column, a);
    if (missing || cairn_column_is_missing(column, b))
        return missing == cairn_column_is_missing(column, b);
    switch (column->kind) {
    case CAIRN_NUMBER:
    case CAIRN_TIME: return column->numbers[a] == column->numbers[b];
    case CAIRN_LEVEL: return column->codes[a] == column->codes[b];
    default: return same_run(column, a, b);
    }
}

/* The first row whose cell is another than in the first row of its sequence; n_rows = none. */
static size_t first_change(const gathering *g, const cairn_column *column)
{
    for (size_t i = 0; i < g->table->n_rows; i++)
        if (!same_cell(column, g->groups.first[g->groups.group_of[i]], i)) return i;
    return g->table->n_rows;
}

static cairn_status mark_named(gathering *g, const char *list)
{
    size_t *columns, n;
    CHECK(cairn_pick_columns(g->ctx, &columns, &n, g->table, list));
    for (size_t i = 0; i < n; i++) {
        if (columns[i] == g->sequence || (ptrdiff_t)columns[i] == g->order)
            return cairn_fail(g->ctx, CAIRN_USAGE,
                              "{steps-in} names '%s', which {sequence} or {order} name, too",
                              g->table->slots[columns[i]].name);
        g->step[columns[i]] = true;
    }
    return CAIRN_OK;
}

/* Steps are the columns that are named, or those that change within a sequence. */
static cairn_status mark_steps(gathering *g, const char *list)
{
    size_t n = 0;
    char name[80];
    if (list) CHECK(mark_named(g, list));
    for (size_t i = 0; i < g->table->n_columns; i++) {
        if (i == g->sequence || (ptrdiff_t)i == g->order ||
            g->table->slots[i].role == CAIRN_IGNORED)
            continue;
        size_t row = g->step[i] ? g->table->n_rows : first_change(g, column_at(g, i));
        if (row < g->table->n_rows && list)
            return cairn_fail(
                g->ctx, CAIRN_BAD_DATA,
                "row %zu: '%s' changes within the sequence '%s'; name it in {steps-in}, "
                "too, or {ignore} the column",
                row + 1, g->table->slots[i].name, name_sequence(g, row, name, sizeof name));
        g->step[i] = g->step[i] || row < g->table->n_rows;
        n += g->step[i];
    }
    if (n) return CAIRN_OK;
    return cairn_fail(g->ctx, CAIRN_BAD_DATA,
                      "no column changes within a sequence of '%s'; name the steps by {steps-in}",
                      g->table->slots[g->sequence].name);
}

/* -- the new table -- */

/* The items of a row behind those that are there: its level, its text, or its own sequence; -1
 * where it has none. */
static cairn_status add_items(cairn_context *ctx, cairn_column *to, const cairn_column *from,
                              size_t row, size_t *at)
{
    size_t item;
    if (from->kind == CAIRN_SEQUENCE) {
        for (size_t k = from->starts[row]; k < from->starts[row + 1]; k++)
            to->items[(*at)++] = from->items[k];
        return CAIRN_OK;
    }
    if (cairn_column_is_missing(from, row)) {
        to->items[(*at)++] = -1;
        return CAIRN_OK;
    }
    if (from->kind == CAIRN_LEVEL) {
        to->items[(*at)++] = from->codes[row];
        return CAIRN_OK;
    }
    CHECK(cairn_map_add(ctx, &to->names, from->bytes + from->starts[row],
                        from->starts[row + 1] - from->starts[row], &item));
    to->items[(*at)++] = (int32_t)item;
    return CAIRN_OK;
}

/* Rows of a sequence become its items, in the order of the rows. */
static cairn_status make_sequences(const gathering *g, const cairn_column *from, cairn_column *to)
{
    size_t n_items = 0;
    /* Room for the items of a new column of sequences: as many as the rows hold together. */
    size_t n = from->kind == CAIRN_SEQUENCE ? from->starts[from->n_rows] : from->n_rows;
    if (from->kind != CAIRN_TEXT) CHECK(cairn_map_copy(g->ctx, &to->names, &from->names));
    CHECK(NEW_RAW(g->ctx, &to->items, n + 1));
    for (size_t k = 0; k < g->groups.n_groups; k++) {
        for (size_t i = g->lists.starts[k]; i < g->lists.starts[k + 1]; i++)
            CHECK(add_items(g->ctx, to, from, g->lists.order[i], &n_items));
        to->starts[k + 1] = n_items;
    }
    return CAIRN_OK;
}

/* Numbers of the rows of a sequence become a series. */
static cairn_status make_series(const gathering *g, const cairn_column *from, cairn_column *to)
{
    size_t n = from->n_rows;
    CHECK(NEW_RAW(g->ctx, &to->amounts, n + 1));
    for (size_t i = 0; i < n; i++) to->amounts[i] = from->numbers[g->lists.order[i]];
    for (size_t k = 0; k <= g->groups.n_groups; k++) to->starts[k] = g->lists.starts[k];
    return CAIRN_OK;
}

static cairn_status make_steps(const gathering *g, size_t at, cairn_column **out)
{
    OWNED(cairn_column_drop) cairn_column *made = NULL;
    const cairn_column *from = column_at(g, at);
    bool numbers = from->kind == CAIRN_NUMBER;
    if (!numbers && from->kind != CAIRN_LEVEL && from->kind != CAIRN_TEXT &&
        from->kind != CAIRN_SEQUENCE)
        return cairn_fail(
            g->ctx, CAIRN_BAD_DATA,
            "'%s' changes within a sequence and has %s, but steps are numbers or levels; "
            "{kinds %s=level} takes its cells for names, {ignore} leaves the column out",
            g->table->slots[at].name, cairn_kind_plural(from->kind), "COLUMN");
    CHECK(cairn_column_new(g->ctx, &made, numbers ? CAIRN_SERIES : CAIRN_SEQUENCE,
                           g->groups.n_groups));
    CHECK(numbers ? make_series(g, from, made) : make_sequences(g, from, made));
    *out = TAKE(made);
    return CAIRN_OK;
}

static cairn_status add_column(const gathering *g, cairn_table *to, size_t at)
{
    const cairn_slot *slot = &g->table->slots[at];
    cairn_column *column;
    if ((ptrdiff_t)at == g->order) return CAIRN_OK;
    if (g->step[at])
        CHECK(make_steps(g, at, &column));
    else
        CHECK(
            cairn_column_take(g->ctx, &column, slot->column, g->groups.first, g->groups.n_groups));
    return cairn_table_add_column(g->ctx, to, slot->name, at == g->sequence ? CAIRN_ID : slot->role,
                                  column);
}

cairn_status cairn_table_gather_steps(cairn_context *ctx, cairn_table **out,
                                      const cairn_table *table, const cairn_long_form *form)
{
    SCOPED_SCRATCH(ctx);
    OWNED(cairn_table_free) cairn_table *made = NULL;
    gathering g = {.ctx = ctx, .table = table};
    CHECK(SCRATCH(ctx, &g.step, table->n_columns));
    CHECK(find_columns(&g, form));
    for (size_t i = 0; i < g.table->n_rows; i++)
        if (cairn_column_is_missing(column_at(&g, g.sequence), i))
            return cairn_fail(g.ctx, CAIRN_BAD_DATA,
                              "row %zu: the cell of '%s', which says what sequence the row belongs "
                              "to, is missing",
                              i + 1, g.table->slots[g.sequence].name);
    CHECK(cairn_group_rows(g.ctx, &g.groups, g.table, &g.sequence, 1));
    CHECK(cairn_list_rows(g.ctx, &g.lists, g.groups.group_of, g.groups.n, g.groups.n_groups));
    CHECK(check_order(&g));
    CHECK(mark_steps(&g, form->steps_in));
    CHECK(cairn_table_new(ctx, &made, g.groups.n_groups));
    for (size_t i = 0; i < table->n_columns; i++) CHECK(add_column(&g, made, i));
    CHECK(cairn_table_copy_source(ctx, made, table));
    made->format = table->format;
    *out = TAKE(made);
    return CAIRN_OK;
}
