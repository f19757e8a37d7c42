/* SPDX-License-Identifier: MIT */
/* One row per group, one column per aggregate. Rows are listed by group; blocks of whole groups are
 * worked on side by side, each group's rows in their order, so that sums do not depend on
 * threads. */
#include "base/call.h"
#include "base/memory.h"
#include "base/sort_by.h"
#include "cairn/reshape.h"
#include "parallel/parallel.h"
#include "reshape/aggregate.h"
#include "reshape/keys.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 1 << 16 }; /* rows whose groups are worked on together, about */

typedef struct aggregation {
    const cairn_row_lists *lists;
    size_t n, n_groups;
    const cairn_column *column;
    const double *weights;
    const cairn_aggregate_use *use;
    const uint32_t *ids; /* numbers of the cells of a text column; NULL = other kinds */
    uint32_t missing_id;
    double *numbers; /* n_groups */
    uint32_t *rows;  /* n_groups */
} aggregation;

/* The first group whose rows begin at `place` or behind. */
static size_t group_at(const aggregation *w, size_t place)
{
    size_t low = 0, high = w->n_groups;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (w->lists->starts[middle] < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool cell_before(const void *a, const void *b, const void *data)
{
    (void)data;
    return ((const cairn_group_cell *)a)->value < ((const cairn_group_cell *)b)->value;
}

/* The cells of a group that are not missing, by value. */
static void sort_cells(const aggregation *w, cairn_group *g, cairn_group_cell *buffer)
{
    g->n_cells = 0;
    for (size_t i = 0; i < g->n; i++) {
        uint32_t row = g->rows[i];
        double value;
        if (w->column->numbers)
            value = w->column->numbers[row];
        else if (w->ids)
            value = w->ids[row] == w->missing_id ? NAN : w->ids[row];
        else
            value = w->column->codes[row] < 0 ? NAN : w->column->codes[row];
        if (value == value) g->cells[g->n_cells++] = (cairn_group_cell){value, g->rows[i]};
    }
    cairn_sort_in(g->cells, buffer, g->n_cells, sizeof *g->cells, cell_before, NULL);
}

/* The groups whose rows begin in a block. */
static cairn_status aggregate_block(cairn_context *ctx, void *data, size_t block)
{
    const aggregation *w = data;
    size_t from = group_at(w, block * BLOCK), to = group_at(w, (block + 1) * BLOCK);
    SCOPED_SCRATCH(ctx);
    cairn_group g = {.column = w->column, .weights = w->weights, .parameter = w->use->parameter};
    cairn_group_cell *buffer = NULL;
    if ((block + 1) * BLOCK > w->n) to = w->n_groups;
    /* Working memory for the largest of some groups, where the aggregate sorts. */
    size_t most = 0;
    if (w->use->aggregate->sorted) {
        for (size_t i = from; i < to; i++) {
            size_t n = w->lists->starts[i + 1] - w->lists->starts[i];
            if (n > most) most = n;
        }
        CHECK(SCRATCH_RAW_EACH(ctx, most + 1, &g.cells, &buffer));
        g.buffer = (double *)(void *)*&buffer; /* two numbers in the place of a cell */
    }
    for (size_t i = from; i < to; i++) {
        const cairn_aggregate *a = w->use->aggregate;
        g.rows = w->lists->order + w->lists->starts[i];
        g.n = w->lists->starts[i + 1] - w->lists->starts[i];
        if (a->sorted) sort_cells(w, &g, buffer);
        if (a->number)
            w->numbers[i] = a->number(&g);
        else
            w->rows[i] = a->row(&g);
    }
    return CAIRN_OK;
}

static void divide_by_total(double *numbers, size_t n)
{
    double total = 0;
    for (size_t i = 0; i < n; i++) total += numbers[i];
    for (size_t i = 0; i < n; i++) numbers[i] = total != 0 ? numbers[i] / total : NAN;
}

/* Texts are told apart by numbers. */
static cairn_status number_texts(cairn_context *ctx, aggregation *w)
{
    cairn_coder coder;
    if (!w->use->aggregate->sorted || !w->column || w->column->kind != CAIRN_TEXT) return CAIRN_OK;
    CHECK(cairn_coder_start(ctx, &coder, w->column, NULL));
    w->ids = coder.ids;
    w->missing_id = (uint32_t)(coder.span - 1);
    return CAIRN_OK;
}

/* Compute one aggregate for all groups and put it at the end. */
static cairn_status add_aggregate(cairn_context *ctx, cairn_table *out, aggregation w)
{
    SCOPED_SCRATCH(ctx);
    cairn_column *column = NULL;
    CHECK(number_texts(ctx, &w));
    if (w.use->aggregate->number) {
        /* The column of numbers of an aggregate, a time where it keeps times. */
        const cairn_aggregate *a = w.use->aggregate;
        bool time = a->keeps_time && w.column && w.column->kind == CAIRN_TIME;
        size_t n_blocks = w.n / BLOCK + 1;
        OWNED(cairn_column_drop) cairn_column *made = NULL;
        CHECK(cairn_column_new(ctx, &made, time ? CAIRN_TIME : CAIRN_NUMBER, w.n_groups));
        w.numbers = made->numbers;
        CHECK(cairn_tasks_sized(ctx, n_blocks, 8 * (double)w.n, aggregate_block, &w));
        if (a->share) divide_by_total(made->numbers, w.n_groups);
        if (time) cairn_column_set_pattern(made);
        cairn_column_count_missing(made);
        column = TAKE(made);
    } else {
        CHECK(SCRATCH_RAW(ctx, &w.rows, w.n_groups + 1));
        CHECK(cairn_tasks_sized(ctx, w.n / BLOCK + 1, 8 * (double)w.n, aggregate_block, &w));
        CHECK(cairn_column_take(ctx, &column, w.column, w.rows, w.n_groups));
    }
    if (cairn_table_find(out, w.use->name) >= 0) {
        cairn_column_drop(column);
        CHECK(cairn_fail(ctx, CAIRN_USAGE,
                         "two columns would be called '%s'; give one of them a name, as in "
                         "other=%s(...)",
                         w.use->name, w.use->aggregate->name));
    }
    return cairn_table_append(ctx, out, w.use->name, CAIRN_FEATURE, column);
}

/* The weights of the table; *zeros says whether some rows do not count. */
static cairn_status find_weights(cairn_context *ctx, const cairn_table *table,
                                 const double **weights, bool *zeros)
{
    ptrdiff_t at = cairn_table_role_column(table, CAIRN_WEIGHT);
    *weights = NULL;
    *zeros = false;
    if (at < 0) return CAIRN_OK;
    const cairn_slot *slot = &table->slots[at];
    if (slot->column->kind != CAIRN_NUMBER)
        return cairn_fail(ctx, CAIRN_USAGE, "the weight column '%s' is a %s column, not numbers",
                          slot->name, cairn_kind_name(slot->column->kind));
    *weights = slot->column->numbers;
    for (size_t i = 0; i < table->n_rows; i++) {
        double w = slot->column->numbers[i];
        if (!(w >= 0 && w < INFINITY))
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "%s: row %zu: column '%s': the weight is %s; weights are numbers of "
                              "at least 0",
                              table->source ? table->source : "the table", i + 1, slot->name,
                              w != w  ? "missing"
                              : w < 0 ? "negative"
                                      : "infinite");
        *zeros = *zeros || w == 0;
    }
    return CAIRN_OK;
}

static cairn_status add_group_columns(cairn_context *ctx, cairn_table *out,
                                      const cairn_table *table, const size_t *keys, size_t n_keys,
                                      const uint32_t *first)
{
    for (size_t i = 0; i < n_keys; i++) {
        const cairn_slot *slot = &table->slots[keys[i]];
        cairn_column *column;
        CHECK(cairn_column_take(ctx, &column, slot->column, first, out->n_rows));
        CHECK(cairn_table_append(ctx, out, slot->name, slot->role, column));
    }
    return CAIRN_OK;
}

/* Groups, and the columns that describe them. */
static cairn_status aggregate_rows(cairn_context *ctx, cairn_table **out, const cairn_table *table,
                                   const char *group_by, const char *aggregates)
{
    ptrdiff_t weight = cairn_table_role_column(table, CAIRN_WEIGHT);
    aggregation w = {.n = table->n_rows,
                     .weights = weight < 0 ? NULL : table->slots[weight].column->numbers};
    cairn_aggregate_use *uses;
    cairn_row_groups groups;
    cairn_row_lists lists;
    OWNED(cairn_table_free) cairn_table *made = NULL;
    size_t *keys, n_keys = 0, n_uses;
    if (group_by) CHECK(cairn_pick_columns(ctx, &keys, &n_keys, table, group_by));
    CHECK(cairn_aggregates_parse(ctx, &uses, &n_uses, table, aggregates ? aggregates : "count()"));
    CHECK(cairn_group_rows(ctx, &groups, table, n_keys ? keys : NULL, n_keys));
    CHECK(cairn_list_rows(ctx, &lists, groups.group_of, w.n, groups.n_groups));
    CHECK(cairn_table_new(ctx, &made, groups.n_groups));
    CHECK(cairn_table_copy_source(ctx, made, table));
    if (n_keys) CHECK(add_group_columns(ctx, made, table, keys, n_keys, groups.first));
    w.lists = &lists;
    w.n_groups = groups.n_groups;
    for (size_t i = 0; i < n_uses; i++) {
        w.use = &uses[i];
        w.column = uses[i].column < 0 ? NULL : table->slots[uses[i].column].column;
        CHECK(add_aggregate(ctx, made, w));
    }
    *out = TAKE(made);
    return CAIRN_OK;
}

cairn_status cairn_table_aggregate(cairn_context *ctx, cairn_table **out, const cairn_table *table,
                                   const char *group_by, const char *aggregates)
{
    PUBLIC_CALL(ctx);
    SCOPED_SCRATCH(ctx);
    OWNED(cairn_table_free) cairn_table *counting = NULL;
    const double *weights;
    bool zeros;
    CHECK(find_weights(ctx, table, &weights, &zeros));
    if (zeros) {
        /* The rows that count: all but those of weight 0. */
        uint32_t *rows;
        size_t n = 0;
        CHECK(SCRATCH_RAW(ctx, &rows, table->n_rows + 1));
        for (size_t i = 0; i < table->n_rows; i++)
            if (weights[i] > 0) rows[n++] = (uint32_t)i;
        CHECK(cairn_table_take_rows(ctx, &counting, table, rows, n));
    }
    return aggregate_rows(ctx, out, counting ? counting : table, group_by, aggregates);
}
