/* SPDX-License-Identifier: MIT */
/* Tables as transactions: baskets, Boolean tables, and ordinary tables whose cells are items
 * "column=value". */
#include "items/items.h"

#include "base/number.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct maker {
    cairn_context *ctx;
    cairn_transactions *out;
    const cairn_view *view;
    int32_t **map; /* per column: item number of each of its levels or items, or of the column;
                      columns may share an item, for a name is an item */
    const char *present;   /* level that makes an item of its column's name; NULL = all levels do */
    int32_t *present_code; /* per level column */
    size_t capacity;
    size_t n_found;
} maker;

void cairn_transactions_clear(cairn_transactions *t)
{
    FREE_EACH(t->starts, t->items, t->counts, t->rows);
    cairn_map_clear(&t->names);
    *t = (cairn_transactions){0};
}

/* Numbers are items only as 0 and 1; any other number would need a decision on ranges that is the
 * user's. */
static cairn_status check_column(cairn_context *ctx, const cairn_view *view, size_t c)
{
    const cairn_column *column = view->features[c];
    if (column->kind == CAIRN_BAG || column->kind == CAIRN_LEVEL) return CAIRN_OK;
    if (column->kind != CAIRN_NUMBER)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "column '%s' holds neither items nor levels; leave it out with {ignore "
                          "\"%s\"}, or make items of the words of texts with {with bag} (a file "
                          "with a transaction in each line is read by {input-format basket})",
                          view->names[c], view->names[c]);
    for (size_t i = 0; i < view->rows.n; i++) {
        double x = column->numbers[cairn_view_row(view, i)];
        if (x == 0 || x == 1 || isnan(x)) continue;
        char number[CAIRN_NUMBER_SIZE];
        cairn_number_format(number, x, 6);
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "column '%s', row %zu: a number column of transactions holds 0 and 1, "
                          "not %s; {with bins} makes items of ranges, {kinds \"%s=level\"} of "
                          "its values (a file with a transaction in each line is read by "
                          "{input-format basket})",
                          view->names[c], cairn_view_row(view, i) + 1, number, view->names[c]);
    }
    return CAIRN_OK;
}

/* Names of the items of a column, in front of those that follow. */
static cairn_status name_column(maker *m, size_t c)
{
    const cairn_column *column = m->view->features[c];
    cairn_map *names = &m->out->names;
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(m->ctx);
    size_t code;
    CHECK(SCRATCH(m->ctx, &m->map[c], column->names.n + 1));
    if (m->present && column->kind == CAIRN_LEVEL)
        m->present_code[c] =
            (int32_t)cairn_map_find(&column->names, m->present, strlen(m->present));
    if (column->kind == CAIRN_NUMBER || (m->present && column->kind == CAIRN_LEVEL)) {
        CHECK(cairn_map_add(m->ctx, names, m->view->names[c], strlen(m->view->names[c]), &code));
        m->map[c][0] = (int32_t)code;
        return CAIRN_OK;
    }
    for (size_t l = 0; l < column->names.n; l++) {
        const char *name = cairn_map_key(&column->names, l);
        text.length = 0;
        if (column->kind == CAIRN_LEVEL) cairn_text_addf(&text, "%s=", m->view->names[c]);
        cairn_text_add(&text, name);
        CHECK(cairn_text_status(&text));
        CHECK(cairn_map_add(m->ctx, names, cairn_text_string(&text), text.length, &code));
        m->map[c][l] = (int32_t)code;
    }
    return CAIRN_OK;
}

static int by_number(const void *a, const void *b)
{
    int32_t p = *(const int32_t *)a, q = *(const int32_t *)b;
    return (p > q) - (p < q);
}

/* Put items in order, each once; returns how many are left. Mostly they are in order already. */
static size_t order_items(int32_t *items, size_t n)
{
    size_t i = 1, kept = 1;
    while (i < n && items[i - 1] < items[i]) i++;
    if (i >= n) return n;
    qsort(items, n, sizeof *items, by_number);
    for (i = 1; i < n; i++)
        if (items[i] != items[kept - 1]) items[kept++] = items[i];
    return kept;
}

/* The items of a row, ascending and without repeats. */
static cairn_status add_row(maker *m, size_t row)
{
    cairn_transactions *t = m->out;
    size_t begin = m->n_found;
    for (size_t c = 0; c < m->view->n_features; c++) {
        const cairn_column *column = m->view->features[c];
        size_t n = column->kind == CAIRN_BAG ? column->starts[row + 1] - column->starts[row] : 1;
        CHECK(GROW(m->ctx, &t->items, &m->capacity, m->n_found + n));
        if (column->kind == CAIRN_BAG) {
            for (size_t j = column->starts[row]; j < column->starts[row + 1]; j++)
                if (!column->amounts || column->amounts[j] != 0)
                    t->items[m->n_found++] = m->map[c][column->items[j]];
        } else if (column->kind == CAIRN_LEVEL && m->present) {
            if (column->codes[row] >= 0 && column->codes[row] == m->present_code[c])
                t->items[m->n_found++] = m->map[c][0];
        } else if (column->kind == CAIRN_LEVEL) {
            if (column->codes[row] >= 0) t->items[m->n_found++] = m->map[c][column->codes[row]];
        } else if (column->numbers[row] == 1) {
            t->items[m->n_found++] = m->map[c][0];
        }
    }
    if (m->n_found > begin) m->n_found = begin + order_items(t->items + begin, m->n_found - begin);
    return CAIRN_OK;
}

static cairn_status add_count(maker *m, size_t i)
{
    double weight = cairn_view_weight(m->view, i);
    if (weight != floor(weight) || weight > UINT32_MAX) {
        char number[CAIRN_NUMBER_SIZE];
        cairn_number_format(number, weight, 6);
        return cairn_fail(m->ctx, CAIRN_BAD_DATA,
                          "row %zu has the weight %s: weights of transactions are whole numbers "
                          "up to %u, how often each occurs; round them or divide all by the same "
                          "number",
                          cairn_view_row(m->view, i) + 1, number, UINT32_MAX);
    }
    m->out->counts[m->out->n] = (uint32_t)weight;
    return CAIRN_OK;
}

/* A level that no column has is a slip of the pen. */
static cairn_status check_present(const maker *m)
{
    if (!m->present) return CAIRN_OK;
    for (size_t c = 0; c < m->view->n_features; c++)
        if (m->view->features[c]->kind == CAIRN_LEVEL && m->present_code[c] >= 0) return CAIRN_OK;
    return cairn_fail(m->ctx, CAIRN_BAD_DATA, "no column holds the level '%s'", m->present);
}

cairn_status cairn_transactions_make(cairn_context *ctx, cairn_transactions *out,
                                     const cairn_view *view)
{
    return cairn_transactions_present(ctx, out, view, NULL);
}

/* Items that are met once each say nothing about other rows. */
static cairn_status warn_of_names(cairn_context *ctx, const cairn_view *view, size_t c)
{
    bool names;
    CHECK(cairn_view_is_name(ctx, view, view->features[c], &names));
    if (names && view->n_features > 1)
        cairn_warn(ctx,
                   "column '%s' has another value in every row, so its items are met once each; "
                   "leave it out with {id %s}",
                   view->names[c], view->names[c]);
    return CAIRN_OK;
}

cairn_status cairn_transactions_present(cairn_context *ctx, cairn_transactions *out,
                                        const cairn_view *view, const char *present)
{
    SCOPED_SCRATCH(ctx);
    maker m = {.ctx = ctx, .out = out, .view = view, .present = present};
    bool weighted = cairn_view_is_weighted(view);
    *out = (cairn_transactions){0};
    if (view->n_features == 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "there is no column of items");
    CHECK(SCRATCH_EACH(ctx, view->n_features, &m.map, &m.present_code));
    for (size_t c = 0; c < view->n_features; c++) CHECK(check_column(ctx, view, c));
    for (size_t c = 0; c < view->n_features; c++) CHECK(warn_of_names(ctx, view, c));
    for (size_t c = 0; c < view->n_features; c++) CHECK(name_column(&m, c));
    CHECK(check_present(&m));
    out->n_items = out->names.n;
    CHECK(NEW_RAW_EACH(ctx, view->rows.n + 1, &out->starts, &out->rows));
    if (weighted) CHECK(NEW_RAW(ctx, &out->counts, view->rows.n + 1));
    out->starts[0] = 0;
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i);
        if (weighted) CHECK(add_count(&m, i));
        CHECK(add_row(&m, row));
        out->total += weighted ? out->counts[out->n] : 1;
        out->rows[out->n] = (uint32_t)row;
        out->starts[++out->n] = m.n_found;
    }
    return CAIRN_OK;
}
