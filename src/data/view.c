/* SPDX-License-Identifier: MIT */
/* Views: which columns and rows a learner reads, and blocks of them as matrices. */
#include "data/view.h"
#include "base/number.h"
#include "data/cell.h"
#include "data/column.h"
#include <math.h>
#include <string.h>

cairn_rows cairn_all_rows(const cairn_table *table)
{
    return (cairn_rows){.n = table->n_rows};
}

/* A weight of 0 is fine and leaves the row out; a missing one is told apart because its remedy is
 * another. */
cairn_status cairn_check_weights(cairn_context *ctx, const cairn_slot *slot)
{
    const double *weights = slot->column->numbers;
    if (slot->column->kind != CAIRN_NUMBER) {
        /* Weights of another kind: name the first cell that is no number, if there is one. */
        for (size_t i = 0; i < slot->column->n_rows; i++) {
            char text[61];
            double number;
            size_t length = cairn_column_cell(slot->column, i, text, sizeof text);
            if (cairn_column_is_missing(slot->column, i)) continue;
            if (length < sizeof text && cairn_cell_number(text, length, '.', &number)) continue;
            return cairn_fail(
                ctx, CAIRN_BAD_DATA,
                "the weight column '%s' has '%s' in row %zu; weights must be numbers, so "
                "correct the cell or name another {weight}",
                slot->name, text, i + 1);
        }
        return cairn_fail(
            ctx, CAIRN_BAD_DATA,
            "the weight column '%s' is of kind %s; weights must be numbers, so declare it "
            "with {kinds '%s=number'}",
            slot->name, cairn_kind_name(slot->column->kind), slot->name);
    }
    for (size_t i = 0; i < slot->column->n_rows; i++) {
        if (weights[i] >= 0 && !isinf(weights[i])) continue;
        if (isnan(weights[i]))
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "the weight column '%s' is missing in row %zu; fill it or leave the "
                              "row out",
                              slot->name, i + 1);
        char value[CAIRN_NUMBER_SIZE];
        cairn_number_format(value, weights[i], CAIRN_SHORTEST);
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "the weight column '%s' has %s in row %zu; weights must be finite and "
                          "not negative",
                          slot->name, value, i + 1);
    }
    return CAIRN_OK;
}

cairn_status cairn_need_finite(cairn_context *ctx, const char *who, const char *column, size_t row,
                               double value)
{
    if (isnan(value))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s: column '%s' is missing in row %zu; fill it first ({with impute} "
                          "before %s, or cairn convert IN OUT --with impute), or leave the "
                          "column out with {ignore}",
                          who, column, row + 1, who);
    if (isinf(value))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s: column '%s' is infinite in row %zu; correct the cell or treat it as "
                          "missing with {missing-mark}",
                          who, column, row + 1);
    return CAIRN_OK;
}

cairn_status cairn_view_make(cairn_context *ctx, cairn_view *out, const cairn_table *table,
                             cairn_rows rows)
{
    cairn_view view = {.table = table, .rows = rows};
    size_t n = cairn_table_role_count(table, CAIRN_FEATURE);
    CHECK(SCRATCH_EACH(ctx, n, &view.features, &view.names));
    for (size_t i = 0; i < table->n_columns; i++) {
        const cairn_slot *slot = &table->slots[i];
        if (slot->role == CAIRN_FEATURE) {
            view.features[view.n_features] = slot->column;
            view.names[view.n_features++] = slot->name;
        } else if (slot->role == CAIRN_TARGET && !view.target) {
            view.target = slot->column;
            view.target_name = slot->name;
        } else if (slot->role == CAIRN_WEIGHT && !view.row_weights) {
            CHECK(cairn_check_weights(ctx, slot));
            view.row_weights = slot->column->numbers;
        }
    }
    *out = view;
    return CAIRN_OK;
}

bool cairn_view_is_weighted(const cairn_view *view)
{
    if (!view->rows.weights && !view->row_weights) return false;
    for (size_t i = 0; i < view->rows.n; i++)
        if (cairn_view_weight(view, i) != 1) return true;
    return false;
}

/* Columns are walked in small groups of rows, so that the lines of `out` stay in the cache. */
void cairn_view_block(const cairn_view *view, size_t first, size_t n, double *out)
{
    enum { ROWS = 16 };
    size_t width = view->n_features;
    const uint32_t *indices = view->rows.indices;
    for (size_t begin = 0; begin < n; begin += ROWS) {
        size_t end = begin + ROWS < n ? begin + ROWS : n;
        for (size_t j = 0; j < width; j++) {
            const double *numbers = view->features[j]->numbers;
            double *cell = out + begin * width + j;
            if (indices)
                for (size_t i = begin; i < end; i++, cell += width)
                    *cell = numbers[indices[first + i]];
            else
                for (size_t i = begin; i < end; i++, cell += width) *cell = numbers[first + i];
        }
    }
}

void cairn_view_target_numbers(const cairn_view *view, size_t first, size_t n, double *out)
{
    const double *numbers = view->target->numbers;
    if (!view->rows.indices) {
        if (n) memcpy(out, numbers + first, n * sizeof *out);
        return;
    }
    for (size_t i = 0; i < n; i++) out[i] = numbers[view->rows.indices[first + i]];
}

void cairn_view_target_codes(const cairn_view *view, size_t first, size_t n, int32_t *out)
{
    const int32_t *codes = view->target->codes;
    if (!view->rows.indices) {
        if (n) memcpy(out, codes + first, n * sizeof *out);
        return;
    }
    for (size_t i = 0; i < n; i++) out[i] = codes[view->rows.indices[first + i]];
}

void cairn_view_weights(const cairn_view *view, size_t first, size_t n, double *out)
{
    for (size_t i = 0; i < n; i++) out[i] = cairn_view_weight(view, first + i);
}

static void take_runs(const cairn_view *view, const cairn_column *column, size_t first, size_t n,
                      cairn_sequence *out)
{
    for (size_t i = 0; i < n; i++) {
        size_t row = cairn_view_row(view, first + i), begin = column->starts[row];
        out[i] = (cairn_sequence){column->items + begin, column->starts[row + 1] - begin,
                                  cairn_column_is_missing(column, row)};
    }
}

void cairn_view_sequences(const cairn_view *view, size_t feature, size_t first, size_t n,
                          cairn_sequence *out)
{
    take_runs(view, view->features[feature], first, n, out);
}

void cairn_view_target_sequences(const cairn_view *view, size_t first, size_t n,
                                 cairn_sequence *out)
{
    take_runs(view, view->target, first, n, out);
}

void cairn_view_series(const cairn_view *view, size_t feature, size_t first, size_t n,
                       cairn_number_series *out)
{
    const cairn_column *column = view->features[feature];
    for (size_t i = 0; i < n; i++) {
        size_t row = cairn_view_row(view, first + i), begin = column->starts[row];
        out[i] = (cairn_number_series){column->amounts + begin, column->starts[row + 1] - begin,
                                       cairn_column_is_missing(column, row)};
    }
}

ptrdiff_t cairn_view_steps(const cairn_view *view)
{
    ptrdiff_t feature = cairn_view_first(view, CAIRN_SEQUENCE);
    return feature >= 0 ? feature : cairn_view_first(view, CAIRN_SERIES);
}

size_t cairn_view_n_steps(const cairn_view *view, size_t feature, size_t i)
{
    const size_t *starts = view->features[feature]->starts + cairn_view_row(view, i);
    return starts[1] - starts[0];
}

cairn_status cairn_view_check_steps(cairn_context *ctx, const cairn_view *view)
{
    ptrdiff_t first = cairn_view_steps(view);
    for (size_t f = 0; first >= 0 && f < view->n_features; f++) {
        cairn_kind kind = view->features[f]->kind;
        if (kind != CAIRN_SEQUENCE && kind != CAIRN_SERIES) continue;
        for (size_t i = 0; i < view->rows.n; i++) {
            size_t n = cairn_view_n_steps(view, (size_t)first, i), m;
            if ((m = cairn_view_n_steps(view, f, i)) != n)
                return cairn_fail(ctx, CAIRN_BAD_DATA,
                                  "row %zu: '%s' has %zu steps and '%s' has %zu; every step needs "
                                  "all of them, so correct the row or {ignore} a column",
                                  cairn_view_row(view, i) + 1, view->names[first], n,
                                  view->names[f], m);
        }
    }
    return CAIRN_OK;
}

ptrdiff_t cairn_view_first(const cairn_view *view, cairn_kind kind)
{
    for (size_t f = 0; f < view->n_features; f++)
        if (view->features[f]->kind == kind) return (ptrdiff_t)f;
    return -1;
}

cairn_status cairn_view_is_name(cairn_context *ctx, const cairn_view *view,
                                const cairn_column *column, bool *out)
{
    enum { FEW = 5 };
    SCOPED_SCRATCH(ctx);
    uint8_t *seen;
    *out = false;
    if (column->kind != CAIRN_LEVEL || view->rows.n < FEW || column->names.n < view->rows.n)
        return CAIRN_OK;
    CHECK(SCRATCH(ctx, &seen, column->names.n));
    for (size_t i = 0; i < view->rows.n; i++) {
        int32_t code = column->codes[cairn_view_row(view, i)];
        if (code >= 0 && seen[code]++) return CAIRN_OK;
    }
    *out = true;
    return CAIRN_OK;
}
