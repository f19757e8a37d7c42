/* SPDX-License-Identifier: MIT */
/* Matrices that stand for tables: checking distances and Gram matrices, unfolding counts. */
#include "data/shape.h"

#include "base/call.h"
#include "base/number.h"
#include "base/text.h"
#include "data/column.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const shape_names[] = {"table", "distances", "gram", "counts"};

const char *cairn_shape_name(cairn_shape shape)
{
    return shape_names[shape];
}

cairn_status cairn_shape_find(cairn_context *ctx, cairn_shape *out, const char *word)
{
    *out = CAIRN_SHAPE_TABLE;
    if (!word) return CAIRN_OK;
    for (int i = 0; i < 4; i++)
        if (cairn_same(word, shape_names[i])) {
            *out = (cairn_shape)i;
            return CAIRN_OK;
        }
    return cairn_fail(ctx, CAIRN_USAGE, "{as} must be table, distances, gram or counts, not '%s'",
                      word);
}

/* A cell of the matrix, not of a label, weight or the like. */
static bool is_body(const cairn_slot *slot)
{
    return slot->role == CAIRN_FEATURE && slot->column->kind == CAIRN_NUMBER;
}

static size_t count_body(const cairn_table *table)
{
    size_t n = 0;
    for (size_t i = 0; i < table->n_columns; i++) n += is_body(&table->slots[i]);
    return n;
}

/* -- distances and Gram matrices -- */

static const char *source_of(const cairn_table *table)
{
    return table->source ? table->source : "the table";
}

static cairn_status refuse_entry(cairn_context *ctx, const cairn_table *table,
                                 const cairn_square_matrix *m, size_t i, size_t j, const char *why)
{
    char number[CAIRN_NUMBER_SIZE];
    cairn_number_format(number, m->values[i * m->n + j], 0);
    return cairn_fail(ctx, CAIRN_BAD_DATA, "%s: row %zu, column '%s': %s %s", source_of(table),
                      i + 1, m->names[j], number, why);
}

/* Distances must be finite, not negative and 0 on the diagonal; similarities only finite. Symmetry
 * is looked at afterwards. */
static cairn_status check_entries(cairn_context *ctx, const cairn_table *table,
                                  const cairn_square_matrix *m, cairn_shape shape)
{
    for (size_t i = 0; i < m->n; i++)
        for (size_t j = 0; j < m->n; j++) {
            double x = m->values[i * m->n + j];
            if (!isfinite(x))
                return refuse_entry(ctx, table, m, i, j,
                                    "is missing or not finite; every pair needs a number");
            if (shape == CAIRN_SHAPE_GRAM) continue;
            if (x < 0) return refuse_entry(ctx, table, m, i, j, "is negative: not a distance");
            if (i == j && x != 0)
                return refuse_entry(
                    ctx, table, m, i, j,
                    cairn_say(ctx,
                              "is the distance of a case to itself and must be 0; similarities "
                              "are read {as gram}"));
        }
    return CAIRN_OK;
}

static cairn_status make_symmetric(cairn_context *ctx, const cairn_table *table,
                                   cairn_square_matrix *m)
{
    for (size_t i = 0; i < m->n; i++)
        for (size_t j = 0; j < i; j++) {
            double *a = &m->values[i * m->n + j], *b = &m->values[j * m->n + i];
            if (fabs(*a - *b) > 1e-9 * fmax(fabs(*a), fabs(*b)))
                return refuse_entry(
                    ctx, table, m, i, j,
                    cairn_say(ctx, "differs from the entry on the other side of the diagonal; a "
                                   "matrix of pairs is symmetric ('cairn compute metric DATA "
                                   "{matrix}' shows all that breaks a rule)"));
            *a = *b = *a + (*b - *a) / 2;
        }
    return CAIRN_OK;
}

cairn_status cairn_matrix_of_table(cairn_context *ctx, cairn_square_matrix *out,
                                   const cairn_table *table, cairn_shape shape)
{
    /* Number columns in order, their names as names of the rows. */
    size_t n = table->n_rows, at = 0, n_body = count_body(table);
    if (n_body != n)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s: a matrix of %s has as many number columns as rows, but there are "
                          "%zu columns and %zu rows; name columns that are not part of it with "
                          "{id} or {ignore}, or read it {as table}",
                          source_of(table), cairn_shape_name(shape), n_body, n);
    out->n = n;
    CHECK(SCRATCH(ctx, &out->values, n * n));
    CHECK(SCRATCH(ctx, &out->names, n));
    for (size_t j = 0; j < table->n_columns; j++) {
        const cairn_slot *slot = &table->slots[j];
        if (!is_body(slot)) continue;
        out->names[at] = slot->name;
        for (size_t i = 0; i < n; i++) out->values[i * n + at] = slot->column->numbers[i];
        at++;
    }
    CHECK(check_entries(ctx, table, out, shape));
    return make_symmetric(ctx, table, out);
}

/* -- lists of pairs -- */

/* How many rows have so many pairs; 0 = none have. */
static size_t rows_of_pairs(size_t n)
{
    size_t m = (size_t)((1 + sqrt(1 + 8 * (double)n)) / 2);
    return m * (m - 1) / 2 == n ? m : 0;
}

/* One column of numbers that is no matrix: the distances of rows 1 and 2, 1 and 3, ... */
static bool is_condensed(const cairn_table *table)
{
    if (count_body(table) != 1 || table->n_columns != 1 || !rows_of_pairs(table->n_rows))
        return false;
    return table->n_rows > 1 || table->slots[0].column->numbers[0] != 0;
}

/* The list as the square that it stands for; its columns are r1, r2, ... */
static cairn_status unfold_pairs(cairn_context *ctx, cairn_table **table)
{
    OWNED(cairn_table_free) cairn_table *made = NULL;
    const double *pairs = (*table)->slots[0].column->numbers;
    size_t n = rows_of_pairs((*table)->n_rows);
    cairn_column **columns;
    CHECK(cairn_memory_check(ctx, 8.0 * (double)n * (double)n, "the matrix of a list of distances",
                             cairn_say(ctx, "raise {memory}")));
    CHECK(SCRATCH(ctx, &columns, n));
    CHECK(cairn_table_new(ctx, &made, n));
    CHECK(cairn_columns_new(ctx, columns, n, n, true));
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            columns[i]->numbers[j] = columns[j]->numbers[i] = *pairs++;
    for (size_t j = 0; j < n; j++) cairn_column_count_missing(columns[j]);
    CHECK(cairn_table_append_all(ctx, made, columns, n, NULL, "r", 1));
    CHECK(cairn_table_copy_source(ctx, made, *table));
    cairn_table_free(*table);
    *table = TAKE(made);
    return CAIRN_OK;
}

/* -- counts -- */

/* One cell per non-zero count: the row it came from, its column, the count. */
typedef struct unfolded {
    uint32_t *rows;
    int32_t *columns;
    double *counts;
    size_t n;
} unfolded;

/* Cells with a count of 0 are no cases and make no row. */
static cairn_status collect_cells(cairn_context *ctx, unfolded *out, const cairn_table *table,
                                  size_t n_body)
{
    cairn_status status;
    TRY(SCRATCH(ctx, &out->rows, table->n_rows * n_body));
    TRY(SCRATCH(ctx, &out->columns, table->n_rows * n_body));
    TRY(SCRATCH(ctx, &out->counts, table->n_rows * n_body));
    for (size_t i = 0; i < table->n_rows; i++) {
        int32_t at = 0;
        for (size_t j = 0; j < table->n_columns; j++) {
            const cairn_slot *slot = &table->slots[j];
            if (!is_body(slot)) continue;
            double count = slot->column->numbers[i];
            if (!isfinite(count) || !(count >= 0)) {
                TRY(cairn_fail(
                    ctx, CAIRN_BAD_DATA,
                    "%s: row %zu, column '%s': a count is a number from 0 on, not %s; columns "
                    "that are not counts are declared by {kinds '%s=level'}",
                    source_of(table), i + 1, slot->name,
                    isnan(count) ? "a missing cell"
                    : count < 0  ? "a negative one"
                                 : "an infinite one",
                    slot->name));
            }
            int32_t code = at++;
            if (slot->column->numbers[i] == 0) continue;
            out->rows[out->n] = (uint32_t)i;
            out->columns[out->n] = code;
            out->counts[out->n++] = slot->column->numbers[i];
        }
    }
    if (out->n == 0)
        status = cairn_fail(ctx, CAIRN_BAD_DATA, "%s: every count is 0", source_of(table));
done:
    return status;
}

/* `wanted`, with underscores until no column has that name. */
static cairn_status free_name(cairn_context *ctx, const cairn_table *table, const char *wanted,
                              char **out)
{
    size_t length = strlen(wanted);
    CHECK(SCRATCH(ctx, out, length + table->n_columns + 1));
    memcpy(*out, wanted, length);
    while (cairn_table_find(table, *out) >= 0) (*out)[length++] = '_';
    return CAIRN_OK;
}

static cairn_status add_column_names(cairn_context *ctx, cairn_table *to, const unfolded *cells,
                                     const cairn_table *from, size_t n_body)
{
    const char **names;
    char *name;
    size_t at = 0;
    CHECK(SCRATCH(ctx, &names, n_body));
    for (size_t j = 0; j < from->n_columns; j++)
        if (is_body(&from->slots[j])) names[at++] = from->slots[j].name;
    CHECK(free_name(ctx, to, "column", &name));
    CHECK(cairn_table_add_levels(ctx, to, name, cells->columns, names, n_body));
    to->slots[to->n_columns - 1].column->declared = true;
    return CAIRN_OK;
}

/* A table of counts becomes one row for each cell, with the count as weight; the names of columns
 * are a column of it only if there is more than one. */
static cairn_status unfold(cairn_context *ctx, cairn_table **out, const cairn_table *table)
{
    OWNED(cairn_table_free) cairn_table *made = NULL;
    OWNED(cairn_table_free) cairn_table *labels = NULL;
    unfolded cells = {0};
    char *name;
    size_t n_body = count_body(table);
    if (n_body == 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s: there is no column of numbers, so no counts; read it {as table}",
                          source_of(table));
    CHECK(collect_cells(ctx, &cells, table, n_body));
    CHECK(cairn_table_share(ctx, &labels, table));
    for (size_t j = 0; j < labels->n_columns; j++)
        if (is_body(&labels->slots[j])) cairn_table_take_out(labels, j);
    cairn_table_close_gaps(labels);
    CHECK(cairn_table_take_rows(ctx, &made, labels, cells.rows, cells.n));
    for (size_t j = 0; j < made->n_columns; j++) /* it is what the counts are about */
        if (made->slots[j].role == CAIRN_ID) made->slots[j].role = CAIRN_FEATURE;
    if (n_body > 1) CHECK(add_column_names(ctx, made, &cells, table, n_body));
    CHECK(free_name(ctx, made, "count", &name));
    CHECK(cairn_table_put_numbers(ctx, made, name, cells.counts));
    CHECK(cairn_table_set_role(ctx, made, name, CAIRN_WEIGHT));
    *out = TAKE(made);
    return CAIRN_OK;
}

cairn_status cairn_table_reshape(cairn_context *ctx, cairn_table **table, cairn_shape shape)
{
    SCOPED_SCRATCH(ctx);
    cairn_square_matrix matrix = {0};
    cairn_table *rows = NULL;
    if (shape == CAIRN_SHAPE_COUNTS) {
        CHECK(unfold(ctx, &rows, *table));
        cairn_table_free(*table);
        *table = rows;
        return CAIRN_OK;
    }
    if (shape == CAIRN_SHAPE_DISTANCES && is_condensed(*table)) CHECK(unfold_pairs(ctx, table));
    if (shape != CAIRN_SHAPE_TABLE) CHECK(cairn_matrix_of_table(ctx, &matrix, *table, shape));
    (*table)->shape = shape;
    return CAIRN_OK;
}

cairn_status cairn_table_as(cairn_context *ctx, cairn_table **table, const char *shape)
{
    PUBLIC_CALL(ctx);
    cairn_shape found;
    cairn_status status = cairn_shape_find(ctx, &found, shape);
    return status ? status : cairn_table_reshape(ctx, table, found);
}
