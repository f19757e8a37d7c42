/* SPDX-License-Identifier: MIT */
/* The training rows that a model keeps: see background.h.
 *
 * Columns are kept without the names of levels and items, which the schema has. They are few and
 * small: at most MOST_ROWS, and fewer where rows are so wide that MOST_BYTES would be passed, but
 * LEAST_ROWS in any case. */
#include "model/background.h"
#include "base/random.h"
#include "data/column.h"

#include <stdio.h>

enum { MOST_ROWS = 500, LEAST_ROWS = 10, MOST_BYTES = 1 << 19, MOST_CELLS = 1 << 28 };
enum { STREAM = 0x6b67 }; /* of the seed, for nothing else */

/* What a row is explained by, or counts by. */
static bool is_kept(int32_t role)
{
    return role == CAIRN_FEATURE || role == CAIRN_WEIGHT;
}

static size_t kept_fields(const cairn_schema *schema)
{
    size_t n = 0;
    for (size_t i = 0; i < schema->n_fields; i++) n += is_kept(schema->fields[i].role);
    return n;
}

/* Bytes of a row of the column, on average. */
static double row_bytes(const cairn_column *column)
{
    if (!column->starts) return column->numbers ? sizeof(double) : sizeof(int32_t);
    double unit = (double)cairn_column_width(column) + (column->amounts ? sizeof(double) : 0);
    return unit * (double)column->starts[column->n_rows] / (double)(column->n_rows + 1);
}

static size_t rows_wanted(const cairn_schema *schema, const cairn_table *table, size_t n)
{
    double bytes = 1;
    for (size_t i = 0; i < schema->n_fields; i++)
        if (is_kept(schema->fields[i].role)) bytes += row_bytes(table->slots[i].column);
    double fit = MOST_BYTES / bytes;
    size_t most = fit > MOST_ROWS ? MOST_ROWS : fit < LEAST_ROWS ? LEAST_ROWS : (size_t)fit;
    return n < most ? n : most;
}

/* One row from each of k stretches of the same length, so that rows in order are met evenly. */
static void choose_rows(cairn_context *ctx, cairn_rows rows, uint32_t *chosen, size_t k)
{
    cairn_random random;
    cairn_random_start(&random, cairn_context_seed(ctx), STREAM);
    for (size_t i = 0; i < k; i++) {
        size_t begin = rows.n * i / k, end = rows.n * (i + 1) / k;
        size_t at = begin + (size_t)cairn_random_below(&random, end - begin);
        chosen[i] = rows.indices ? rows.indices[at] : (uint32_t)at;
    }
}

cairn_status cairn_background_keep(cairn_context *ctx, cairn_model *model, const cairn_table *table,
                                   cairn_rows rows)
{
    cairn_background *b = &model->background;
    size_t k = rows_wanted(&model->schema, table, rows.n);
    uint32_t *chosen;
    if (!model->learner->predict || model->task == CAIRN_LABEL_ITEMS) return CAIRN_OK;
    CHECK(SCRATCH_RAW(ctx, &chosen, k + 1));
    choose_rows(ctx, rows, chosen, k);
    CHECK(NEW(ctx, &b->columns, kept_fields(&model->schema) + 1));
    b->n_rows = k;
    b->n_from = rows.n;
    b->shape = table->shape;
    for (size_t i = 0; i < model->schema.n_fields; i++) {
        if (!is_kept(model->schema.fields[i].role)) continue;
        CHECK(cairn_column_take(ctx, &b->columns[b->n_columns], table->slots[i].column, chosen, k));
        cairn_map_clear(&b->columns[b->n_columns++]->names);
    }
    return CAIRN_OK;
}

void cairn_background_clear(cairn_background *background)
{
    for (size_t i = 0; i < background->n_columns; i++) cairn_column_drop(background->columns[i]);
    cairn_free(background->columns);
    *background = (cairn_background){0};
}

/* -- the file -- */

/* How many letters, items or numbers each cell holds. */
static cairn_status archive_starts(cairn_archive *a, cairn_column *column)
{
    cairn_context *ctx = cairn_archive_context(a);
    OWNED(cairn_free) int32_t *counts = NULL;
    size_t n = column->n_rows;
    bool reading = cairn_archive_reading(a);
    if (!reading) CHECK(NEW(ctx, &counts, n + 1));
    for (size_t i = 0; !reading && i < n; i++)
        counts[i] = (int32_t)(column->starts[i + 1] - column->starts[i]);
    CHECK(cairn_archive_ints(a, "counts", &counts, n));
    for (size_t i = 0; reading && i < n; i++) {
        if (counts[i] < 0 || column->starts[i] + (size_t)counts[i] > MOST_CELLS)
            return cairn_archive_damaged(a, "a background cell has no length");
        column->starts[i + 1] = column->starts[i] + (size_t)counts[i];
    }
    return CAIRN_OK;
}

/* Items are those of the schema; in a bag they ascend, in a sequence one may be unknown. */
static cairn_status check_items(cairn_archive *a, const cairn_column *column, size_t n_names)
{
    bool bag = column->kind == CAIRN_BAG;
    for (size_t i = 0; i < column->n_rows; i++)
        for (size_t e = column->starts[i]; e < column->starts[i + 1]; e++) {
            int32_t item = column->items[e];
            bool falls = bag && e > column->starts[i] && item <= column->items[e - 1];
            if (item < (bag ? 0 : -1) || item >= (int64_t)n_names || falls)
                return cairn_archive_damaged(a, "a background row has an item that is none");
        }
    return CAIRN_OK;
}

/* Cells that hold several things. The array of them takes the place of the one that a new column
 * has. */
static cairn_status archive_runs(cairn_archive *a, cairn_column *column, size_t n_names)
{
    bool amounts = column->amounts, absent = column->absent;
    CHECK(archive_starts(a, column));
    size_t n = column->starts[column->n_rows];
    if (column->kind == CAIRN_TEXT)
        CHECK(cairn_archive_bytes(a, "letters", (uint8_t **)&column->bytes, n));
    if (column->kind == CAIRN_BAG || column->kind == CAIRN_SEQUENCE)
        CHECK(cairn_archive_ints(a, "items", &column->items, n));
    CHECK(cairn_archive_bool(a, "has_amounts", &amounts));
    if (amounts) CHECK(cairn_archive_reals(a, "amounts", &column->amounts, n));
    CHECK(cairn_archive_bool(a, "has_absent", &absent));
    if (absent) CHECK(cairn_archive_bytes(a, "absent", &column->absent, column->n_rows));
    if (amounts != (column->kind == CAIRN_SERIES) && column->kind != CAIRN_BAG)
        return cairn_archive_damaged(a, "a background column has no cells");
    return column->items ? check_items(a, column, n_names) : CAIRN_OK;
}

static cairn_status archive_column(cairn_archive *a, cairn_column *column, const cairn_field *field)
{
    if (column->numbers) return cairn_archive_reals(a, "cells", &column->numbers, column->n_rows);
    if (!column->codes) return archive_runs(a, column, field->names.n);
    CHECK(cairn_archive_ints(a, "cells", &column->codes, column->n_rows));
    for (size_t i = 0; i < column->n_rows; i++)
        if (column->codes[i] < -1 || column->codes[i] >= (int64_t)field->names.n)
            return cairn_archive_damaged(a, "'%s' has no such level in a background row",
                                         field->name);
    return CAIRN_OK;
}

/* A column of the field's kind without cells; kinds that have the arrays made get them. */
static cairn_status start_column(cairn_context *ctx, cairn_column **out, const cairn_field *field,
                                 size_t n)
{
    CHECK(cairn_column_new(ctx, out, (cairn_kind)field->kind, n));
    (*out)->ordered = field->ordered;
    (*out)->declared = field->declared;
    return CAIRN_OK;
}

cairn_status cairn_background_archive(cairn_archive *a, cairn_model *model)
{
    cairn_background *b = &model->background;
    bool reading = cairn_archive_reading(a);
    size_t at = 0;
    CHECK(cairn_archive_size(a, "rows", &b->n_rows, MOST_ROWS));
    CHECK(cairn_archive_size(a, "from", &b->n_from, SIZE_MAX / 2));
    CHECK(cairn_archive_int(a, "shape", &b->shape));
    if (b->n_rows == 0) return cairn_archive_damaged(a, "there are no background rows");
    if (reading) CHECK(NEW(cairn_archive_context(a), &b->columns, kept_fields(&model->schema) + 1));
    for (size_t i = 0; i < model->schema.n_fields; i++) {
        const cairn_field *field = &model->schema.fields[i];
        if (!is_kept(field->role)) continue;
        if (reading) {
            CHECK(start_column(cairn_archive_context(a), &b->columns[at], field, b->n_rows));
            b->n_columns = at + 1;
        }
        CHECK(archive_column(a, b->columns[at], field));
        if (reading) cairn_column_count_missing(b->columns[at]);
        at++;
    }
    return CAIRN_OK;
}

/* -- using them -- */

/* The kept rows as a raw table, with the names of the schema. */
static cairn_status open_kept(cairn_context *ctx, cairn_table **out, const cairn_model *model)
{
    const cairn_background *b = &model->background;
    OWNED(cairn_table_free) cairn_table *table = NULL;
    uint32_t *all;
    size_t at = 0;
    CHECK(cairn_table_new(ctx, &table, b->n_rows));
    CHECK(SCRATCH_RAW(ctx, &all, b->n_rows + 1));
    for (size_t i = 0; i < b->n_rows; i++) all[i] = (uint32_t)i;
    for (size_t i = 0; i < model->schema.n_fields; i++) {
        const cairn_field *field = &model->schema.fields[i];
        cairn_column *column;
        if (!is_kept(field->role)) continue;
        CHECK(cairn_column_take(ctx, &column, b->columns[at++], all, b->n_rows));
        cairn_status status = cairn_map_copy(ctx, &column->names, &field->names);
        if (status) cairn_column_drop(column);
        CHECK(status);
        CHECK(cairn_table_append(ctx, table, field->name, (cairn_role)field->role, column));
    }
    table->shape = b->shape;
    *out = TAKE(table);
    return CAIRN_OK;
}

cairn_status cairn_background_choose(cairn_context *ctx, cairn_background_rows *out,
                                     const cairn_model *model, const cairn_table *given,
                                     const cairn_table *data)
{
    *out = (cairn_background_rows){.from = given ? CAIRN_FROM_GIVEN : CAIRN_FROM_DATA,
                                   .table = given ? given : data};
    if (given || !model->background.n_rows) return CAIRN_OK;
    CHECK(open_kept(ctx, &out->own, model));
    out->table = out->own;
    out->from = CAIRN_FROM_TRAINING;
    out->n_from = model->background.n_from;
    return CAIRN_OK;
}

void cairn_background_rows_clear(cairn_background_rows *rows)
{
    cairn_table_free(rows->own);
    *rows = (cairn_background_rows){0};
}

/* "all 14 rows", "50 of the 891 rows". */
static const char *counted(char *out, size_t size, size_t n, size_t of)
{
    if (n < of)
        snprintf(out, size, "%zu of the %zu rows", n, of);
    else
        snprintf(out, size, of == 1 ? "the one row" : "all %zu rows", of);
    return out;
}

void cairn_background_show(cairn_report *out, const cairn_background_rows *rows, size_t n)
{
    static const char *const names[] = {"training", "data", "given"};
    char some[80];
    cairn_report_hidden_word(out, names[rows->from], "background.from");
    if (rows->from == CAIRN_FROM_TRAINING)
        cairn_report_paragraph(out, "The background: %s that the model was fitted to.",
                               counted(some, sizeof some, n, rows->n_from));
    else if (rows->from == CAIRN_FROM_GIVEN)
        cairn_report_paragraph(out, "The background: %s given for it.",
                               counted(some, sizeof some, n, rows->table->n_rows));
    else
        cairn_report_note(out,
                          "The model keeps none of the rows that it was fitted to (an older file, "
                          "or one without its account), so the background is %s of the data: the "
                          "values depend on which rows are asked about together%s.",
                          counted(some, sizeof some, n, rows->table->n_rows),
                          n == 1 ? ", and beside itself nothing in a row matters" : "");
}
