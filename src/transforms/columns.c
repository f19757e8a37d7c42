/* SPDX-License-Identifier: MIT */
/* Shared by the transforms: see columns.h. */
#include "data/ledger.h"
#include "transforms/columns.h"
#include "data/column.h"
#include "parallel/parallel.h"
#include "parallel/sort.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

bool cairn_fits_any(const cairn_column *column)
{
    (void)column;
    return true;
}

bool cairn_fits_number(const cairn_column *column)
{
    return column->kind == CAIRN_NUMBER;
}

bool cairn_fits_level(const cairn_column *column)
{
    return column->kind == CAIRN_LEVEL;
}

bool cairn_fits_number_or_level(const cairn_column *column)
{
    return cairn_fits_number(column) || cairn_fits_level(column);
}

cairn_status cairn_expect_kind(cairn_context *ctx, const cairn_slot *slot, cairn_kind kind)
{
    if (slot->column->kind == kind) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "the model is damaged: a transform wants column '%s' as %s, but it is %s; "
                      "fit and save the model again",
                      slot->name, cairn_kind_name(kind), cairn_kind_name(slot->column->kind));
}

cairn_status cairn_next_column(cairn_context *ctx, const cairn_table *table, const char *name,
                               size_t *at)
{
    for (size_t i = *at; i < table->n_columns; i++)
        if (strcmp(table->slots[i].name, name) == 0) {
            *at = i;
            return CAIRN_OK;
        }
    return cairn_table_get(ctx, table, name, at);
}

/* The number-th name behind `prefix` that no column which stays has. */
static void free_name(char *out, size_t size, const cairn_table *table, const uint8_t *used,
                      const char *prefix, size_t number)
{
    bool taken = true;
    for (int copy = 1; taken; copy++) {
        if (copy == 1)
            snprintf(out, size, "%s%zu", prefix, number);
        else
            snprintf(out, size, "%s%zu_%d", prefix, number, copy);
        ptrdiff_t at = cairn_table_find(table, out);
        taken = at >= 0 && !used[at];
    }
}

cairn_status cairn_put_columns(cairn_context *ctx, cairn_table **out, const cairn_table *table,
                               const uint8_t *used, const char *prefix, cairn_column **columns,
                               size_t n)
{
    OWNED(cairn_table_free) cairn_table *made = NULL;
    bool added = false;
    char name[80];
    CHECK(cairn_table_new(ctx, &made, table->n_rows));
    for (size_t i = 0; i < table->n_columns; i++) {
        const cairn_slot *slot = &table->slots[i];
        if (!used[i])
            CHECK(cairn_table_add_column(ctx, made, slot->name, slot->role,
                                         cairn_column_hold(slot->column)));
        for (size_t k = 0; used[i] && !added && k < n; k++) {
            cairn_column *column = columns[k];
            columns[k] = NULL;
            free_name(name, sizeof name, table, used, prefix, k + 1);
            CHECK(cairn_table_add_column(ctx, made, name, CAIRN_FEATURE, column));
        }
        added = added || used[i];
    }
    *out = TAKE(made);
    return CAIRN_OK;
}

cairn_status cairn_find_numbers(cairn_context *ctx, const double ***out, const cairn_table *table,
                                const cairn_map *names)
{
    size_t at = 0;
    CHECK(SCRATCH(ctx, out, names->n));
    for (size_t k = 0; k < names->n; k++) {
        CHECK(cairn_next_column(ctx, table, cairn_map_key(names, k), &at));
        CHECK(cairn_expect_kind(ctx, &table->slots[at], CAIRN_NUMBER));
        (*out)[k] = table->slots[at].column->numbers;
    }
    return CAIRN_OK;
}

cairn_status cairn_table_without(cairn_context *ctx, cairn_table **out, const cairn_table *table,
                                 const cairn_map *names)
{
    OWNED(cairn_table_free) cairn_table *made = NULL;
    CHECK(cairn_table_new(ctx, &made, table->n_rows));
    for (size_t i = 0; i < table->n_columns; i++) {
        const cairn_slot *slot = &table->slots[i];
        if (names && cairn_map_find(names, slot->name, strlen(slot->name)) >= 0) continue;
        CHECK(
            cairn_table_append(ctx, made, slot->name, slot->role, cairn_column_hold(slot->column)));
    }
    *out = TAKE(made);
    return CAIRN_OK;
}

static ptrdiff_t find_feature(const cairn_view *view, const char *name)
{
    for (size_t i = 0; i < view->n_features; i++)
        if (strcmp(view->names[i], name) == 0) return (ptrdiff_t)i;
    return -1;
}

static const char *feature_candidate(size_t i, const void *data)
{
    const cairn_view *view = data;
    return i < view->n_features ? view->names[i] : NULL;
}

static cairn_status no_feature(cairn_context *ctx, const cairn_view *view, const char *transform,
                               const char *name)
{
    const char *near = cairn_nearest_word(name, feature_candidate, view);
    ptrdiff_t at = cairn_table_find(view->table, name);
    if (at >= 0 && view->table->slots[at].role != CAIRN_FEATURE)
        return cairn_fail(ctx, CAIRN_USAGE, "%s: '%s' is no feature, its role is %s", transform,
                          name, cairn_role_name(view->table->slots[at].role));
    return cairn_fail(ctx, CAIRN_USAGE, "%s: there is no feature '%s'%s%s%s", transform, name,
                      near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

cairn_status cairn_no_class(cairn_context *ctx, const char *transform, const cairn_map *classes,
                            const char *name)
{
    enum { MOST_REPORTED = 8 };
    cairn_text list = cairn_text_start(ctx);
    for (size_t i = 0; i < classes->n && i < MOST_REPORTED; i++)
        cairn_text_addf(&list, "%s%s", i ? ", " : "", cairn_map_key(classes, i));
    if (classes->n > MOST_REPORTED) cairn_text_add(&list, ", ...");
    cairn_status status = cairn_text_status(&list);
    if (status == CAIRN_OK)
        status = cairn_fail(ctx, CAIRN_USAGE, "%s: there is no class '%s'; the classes are %s",
                            transform, name, cairn_text_string(&list));
    cairn_text_clear(&list);
    return status;
}

/* A column of another kind, with its first cell as a witness. */
static cairn_status unfit_feature(cairn_context *ctx, const cairn_view *view, const char *transform,
                                  size_t feature, const char *wanted)
{
    char cell[64] = "";
    size_t row = 0;
    ptrdiff_t at = cairn_table_find(view->table, view->names[feature]);
    for (size_t i = 0; i < view->rows.n; i++) {
        row = cairn_view_row(view, i);
        if (!cairn_column_is_missing(view->features[feature], row)) break;
    }
    if (at >= 0 && view->rows.n) cairn_table_cell(view->table, (size_t)at, row, cell, sizeof cell);
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "%s: column '%s' holds %s (row %zu: '%s'), %s is needed; leave it out of the "
                      "list or declare another kind with {kinds}",
                      transform, view->names[feature],
                      cairn_kind_plural(view->features[feature]->kind), row + 1, cell, wanted);
}

cairn_status cairn_choose_features(cairn_context *ctx, const cairn_view *view,
                                   const char *transform, const char *list,
                                   bool (*fits)(const cairn_column *column), const char *wanted,
                                   size_t **out, size_t *n)
{
    char **names = NULL;
    size_t n_names = 0, count = 0, *chosen;
    bool *taken;
    if (list) CHECK(cairn_list_split(ctx, list, &names, &n_names));
    CHECK(SCRATCH(ctx, &chosen, (list ? n_names : view->n_features) + 1));
    CHECK(SCRATCH(ctx, &taken, view->n_features + 1));
    for (size_t i = 0; !list && i < view->n_features; i++)
        if (fits(view->features[i])) chosen[count++] = i;
    for (size_t i = 0; i < n_names; i++) {
        ptrdiff_t at = find_feature(view, names[i]);
        if (at < 0) return no_feature(ctx, view, transform, names[i]);
        if (!fits(view->features[at]))
            return unfit_feature(ctx, view, transform, (size_t)at, wanted);
        if (taken[at])
            return cairn_fail(ctx, CAIRN_USAGE, "%s: column '%s' is named twice", transform,
                              names[i]);
        taken[at] = true;
        chosen[count++] = (size_t)at;
    }
    if (count == 0) cairn_warn(ctx, "%s changes nothing: no feature is %s", transform, wanted);
    *out = chosen;
    *n = count;
    return CAIRN_OK;
}

cairn_status cairn_sorted_numbers(cairn_context *ctx, const cairn_view *view, const double *numbers,
                                  double **sorted, double **weights, size_t *n)
{
    double *values, *given, *ordered = NULL;
    uint64_t *order;
    size_t count = 0;
    CHECK(SCRATCH_RAW_EACH(ctx, view->rows.n + 1, &values, &given));
    for (size_t i = 0; i < view->rows.n; i++) {
        double x = numbers[cairn_view_row(view, i)], w = cairn_view_weight(view, i);
        if (isnan(x) || w <= 0) continue;
        given[count] = w;
        values[count++] = x;
    }
    *weights = NULL;
    *n = count;
    *sorted = values;
    if (!cairn_view_is_weighted(view)) return cairn_sort_numbers(ctx, values, count);
    CHECK(SCRATCH_RAW(ctx, &order, count + 1));
    CHECK(SCRATCH_RAW(ctx, &ordered, 2 * count + 1));
    CHECK(cairn_sort_order(ctx, order, values, count));
    for (size_t i = 0; i < count; i++) {
        ordered[i] = values[order[i]];
        ordered[count + i] = given[order[i]];
    }
    *sorted = ordered;
    *weights = ordered + count;
    return CAIRN_OK;
}

cairn_status cairn_bag_copy(cairn_context *ctx, cairn_column **out, const cairn_column *from)
{
    OWNED(cairn_column_drop) cairn_column *column = NULL;
    size_t n_items = from->starts[from->n_rows];
    CHECK(cairn_column_new(ctx, &column, CAIRN_BAG, from->n_rows));
    CHECK(cairn_map_copy(ctx, &column->names, &from->names));
    CHECK(NEW_RAW_EACH(ctx, n_items, &column->items, &column->amounts));
    memcpy(column->starts, from->starts, (from->n_rows + 1) * sizeof *from->starts);
    if (n_items) memcpy(column->items, from->items, n_items * sizeof *from->items);
    for (size_t i = 0; i < n_items; i++) column->amounts[i] = from->amounts ? from->amounts[i] : 1;
    if (from->absent) CHECK(NEW_RAW(ctx, &column->absent, from->n_rows));
    if (from->absent) memcpy(column->absent, from->absent, from->n_rows);
    column->n_missing = from->n_missing;
    *out = TAKE(column);
    return CAIRN_OK;
}

cairn_status cairn_numbers_make(cairn_context *ctx, cairn_made_numbers *out, size_t n,
                                size_t n_rows)
{
    *out = (cairn_made_numbers){0};
    CHECK(SCRATCH_EACH(ctx, n + 1, &out->columns, &out->numbers));
    out->n = n;
    for (size_t k = 0; k < n; k++) {
        CHECK(cairn_column_new(ctx, &out->columns[k], CAIRN_NUMBER, n_rows));
        out->numbers[k] = out->columns[k]->numbers;
    }
    return CAIRN_OK;
}

cairn_status cairn_numbers_give(cairn_context *ctx, cairn_made_numbers *made, size_t k,
                                cairn_table *table, const char *name)
{
    cairn_column *column = made->columns[k];
    made->columns[k] = NULL;
    cairn_column_count_missing(column);
    return cairn_table_add_column(ctx, table, name, CAIRN_FEATURE, column);
}

void cairn_numbers_clear(cairn_made_numbers *made)
{
    for (size_t k = 0; k < made->n; k++) cairn_column_drop(made->columns[k]);
    made->n = 0;
}

cairn_status cairn_keep_names(cairn_context *ctx, cairn_map *out, const cairn_view *view,
                              const size_t *chosen, size_t n)
{
    size_t index;
    for (size_t i = 0; i < n; i++) {
        const char *name = view->names[chosen[i]];
        CHECK(cairn_map_add(ctx, out, name, strlen(name), &index));
    }
    return CAIRN_OK;
}

cairn_status cairn_columns_replaced(cairn_context *ctx, cairn_table **out, const cairn_map *names,
                                    bool keep, cairn_column_adder add, const void *state,
                                    const void *params, const cairn_table *table)
{
    OWNED(cairn_table_free) cairn_table *made = NULL;
    CHECK(cairn_table_without(ctx, &made, table, keep ? NULL : names));
    if (names->n) CHECK(add(ctx, made, state, params, table));
    *out = TAKE(made);
    return CAIRN_OK;
}

void cairn_directions_write(cairn_ledger *out, const char *const heads[2], const cairn_map *names,
                            const double *values, const double *vectors, size_t n)
{
    cairn_ledger_heads(out, "nn", heads);
    for (size_t j = 0; j < names->n; j++)
        cairn_ledger_column(out, CAIRN_NUMBER, cairn_map_key(names, j));
    for (size_t k = 0; k < n; k++) {
        cairn_ledger_cells(out, (double)k + 1, values[k]);
        cairn_ledger_numbers(out, vectors + k * names->n, names->n);
    }
}

cairn_status cairn_add_made(cairn_context *ctx, cairn_table *table, cairn_text *name,
                            cairn_column *column)
{
    cairn_status status = cairn_text_status(name);
    if (status)
        cairn_column_drop(column);
    else
        status = cairn_table_add_column(ctx, table, cairn_text_string(name), CAIRN_FEATURE, column);
    cairn_text_clear(name);
    return status;
}

void cairn_show_made(cairn_report *out, const char *transform, const cairn_view *view,
                     const cairn_table *made, size_t skip)
{
    enum { SHOWN_ROWS = 20, SHOWN = 12 };
    size_t n = made->n_columns < SHOWN ? made->n_columns : SHOWN;
    cairn_report_table_of(out, "Features", SHOWN_ROWS, "l", "row");
    for (size_t k = 0; k < n; k++) cairn_report_column(out, made->slots[k].name, 'r');
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i);
        cairn_report_cellf(out, "%zu", row + 1);
        for (size_t k = 0; k < n; k++)
            cairn_report_cell_number(out, made->slots[k].column->numbers[row], 0, "%s.row%zu.%s",
                                     transform, row + 1,
                                     cairn_report_key(out, made->slots[k].name + skip));
    }
    cairn_report_table_end(out);
}
