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

/* A cell of the matrix, not of a name, label, weight or the like. */
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

/* A column of a matrix; where half of it is written one may be empty, and of no kind. */
static bool is_side(const cairn_slot *slot)
{
    const cairn_column *cells = slot->column;
    bool empty = cells->n_rows > 1 && cells->n_missing == cells->n_rows;
    return is_body(slot) || (slot->role == CAIRN_FEATURE && empty);
}

static size_t count_sides(const cairn_table *table)
{
    size_t n = 0;
    for (size_t i = 0; i < table->n_columns; i++) n += is_side(&table->slots[i]);
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

/* Whether the cells are the names of the matrix's columns, in their order, or count the rows
 * from 1 on, as no distances do. */
static bool numbers_rows(const cairn_table *table, size_t column)
{
    const double *numbers = table->slots[column].column->numbers;
    bool counts = true, spells = true;
    size_t row = 0;
    for (size_t j = 0; j < table->n_columns && row < table->n_rows; j++) {
        char cell[CAIRN_NUMBER_SIZE];
        if (j == column || !is_side(&table->slots[j])) continue;
        cairn_number_format(cell, numbers[row], CAIRN_SHORTEST);
        spells &= strcmp(cell, table->slots[j].name) == 0;
        counts &= numbers[row] == (double)row + 1;
        row++;
    }
    return counts || spells;
}

/* The column that names the rows, or -1: the one that has this role, or else is none of numbers and
 * differs in all rows. Numbers are names where there is a column of them too many. */
static ptrdiff_t names_of_rows(const cairn_table *table)
{
    ptrdiff_t id = cairn_table_role_column(table, CAIRN_ID);
    size_t n_sides = count_sides(table), n = table->n_rows;
    for (size_t i = 0; i < table->n_columns && id < 0; i++) {
        const cairn_slot *slot = &table->slots[i];
        const cairn_column *cells = slot->column;
        if (slot->role != CAIRN_FEATURE) continue;
        if (is_side(slot) && cells->kind != CAIRN_NUMBER) continue;
        bool names = cells->kind == CAIRN_NUMBER ? n_sides == n + 1 && numbers_rows(table, i)
                     : cells->kind == CAIRN_LEVEL
                         ? !cells->n_missing && !cells->declared && cells->names.n == n
                         : cells->kind == CAIRN_TEXT;
        if (names) return (ptrdiff_t)i;
    }
    return id;
}

/* Rows and columns that go by the same names are in the same order. */
static cairn_status check_names(cairn_context *ctx, const cairn_table *table,
                                const cairn_square_matrix *m, ptrdiff_t names)
{
    for (size_t i = 0, at = 0; names >= 0 && i < m->n; i++, at = 0) {
        char *cell;
        size_t length = cairn_table_cell(table, (size_t)names, i, NULL, 0);
        CHECK(SCRATCH(ctx, &cell, length + 1));
        cairn_table_cell(table, (size_t)names, i, cell, length + 1);
        if (strcmp(cell, m->names[i]) == 0) continue;
        while (at < m->n && strcmp(cell, m->names[at]) != 0) at++;
        if (at < m->n)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "%s: row %zu is '%s', as column %zu of the matrix is, and column %zu "
                              "is '%s': rows and columns stand in the same order",
                              source_of(table), i + 1, cell, at + 1, i + 1, m->names[i]);
    }
    return CAIRN_OK;
}

/* Half of a matrix is written down where the other half says the same: whichever cells are missing
 * on one side of the diagonal, and on it those of distances. */
static void fill_half(cairn_square_matrix *m, cairn_shape shape)
{
    size_t lower = 0, upper = 0, diagonal = 0, n = m->n, half = n * (n - 1) / 2;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            *(i > j ? &lower : i < j ? &upper : &diagonal) += isnan(m->values[i * n + j]);
    m->filled = n > 1 && ((lower == half && !upper) || (upper == half && !lower)) &&
                (!diagonal || (diagonal == n && shape == CAIRN_SHAPE_DISTANCES));
    for (size_t i = 0; i < n && m->filled; i++)
        for (size_t j = 0; j < n; j++) {
            double *x = &m->values[i * n + j];
            if (isnan(*x)) *x = i == j ? 0 : m->values[j * n + i];
        }
}

/* Number columns in order, as many as rows, their names as names of the rows. */
static cairn_status gather(cairn_context *ctx, cairn_square_matrix *out, const cairn_table *table,
                           ptrdiff_t names, cairn_shape shape)
{
    size_t n = out->n = table->n_rows, at = 0;
    CHECK(SCRATCH(ctx, &out->values, n * n));
    CHECK(SCRATCH(ctx, &out->names, n));
    for (size_t j = 0; j < table->n_columns; j++) {
        const cairn_slot *slot = &table->slots[j];
        if (!is_side(slot) || (ptrdiff_t)j == names) continue;
        out->names[at] = slot->name;
        const double *numbers = slot->column->numbers;
        for (size_t i = 0; i < n; i++) out->values[i * n + at] = numbers ? numbers[i] : NAN;
        at++;
    }
    fill_half(out, shape);
    return CAIRN_OK;
}

cairn_status cairn_matrix_of_table(cairn_context *ctx, cairn_square_matrix *out,
                                   const cairn_table *table, cairn_shape shape)
{
    ptrdiff_t names = names_of_rows(table);
    size_t n = table->n_rows, n_sides = count_sides(table);
    n_sides -= names >= 0 && is_side(&table->slots[names]);
    if (n_sides != n)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s: a matrix of %s has as many number columns as rows, but there are "
                          "%zu columns and %zu rows; name columns that are not part of it with "
                          "{id} or {ignore}, or read it {as table}",
                          source_of(table), cairn_shape_name(shape), n_sides, n);
    CHECK(gather(ctx, out, table, names, shape));
    CHECK(check_names(ctx, table, out, names));
    CHECK(check_entries(ctx, table, out, shape));
    return make_symmetric(ctx, table, out);
}

/* Mark the table as a matrix: names of rows have that role, and a half that was not written is
 * there. Another column is no part of it. */
static cairn_status mark_matrix(cairn_context *ctx, cairn_table *table,
                                const cairn_square_matrix *m, cairn_shape shape)
{
    ptrdiff_t names = names_of_rows(table);
    if (names >= 0) table->slots[names].role = CAIRN_ID;
    for (size_t j = 0, at = 0; j < table->n_columns; j++) {
        OWNED(cairn_column_drop) cairn_column *column = NULL;
        const cairn_slot *slot = &table->slots[j];
        if (slot->role != CAIRN_FEATURE) continue;
        if (!is_side(slot))
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "%s: '%s' holds %s and is no part of a matrix of %s; say what it is "
                              "with {target '%s'} or {ignore '%s'}",
                              source_of(table), slot->name, cairn_kind_plural(slot->column->kind),
                              cairn_shape_name(shape), slot->name, slot->name);
        if (m->filled) {
            CHECK(cairn_columns_new(ctx, &column, 1, m->n, true));
            for (size_t i = 0; i < m->n; i++) column->numbers[i] = m->values[i * m->n + at];
            cairn_column_count_missing(column);
            cairn_table_replace_column(table, j, TAKE(column));
        }
        at++;
    }
    if (m->filled)
        cairn_warn(ctx,
                   "%s: half of the matrix is written, and the other half is taken to say the "
                   "same",
                   source_of(table));
    table->shape = shape;
    return CAIRN_OK;
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
    if (count_sides(table) != 1 || table->n_columns != 1 || !rows_of_pairs(table->n_rows))
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
    TRY(SCRATCH_EACH(ctx, table->n_rows * n_body, &out->rows, &out->columns, &out->counts));
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
    (*table)->shape = CAIRN_SHAPE_TABLE;
    if (shape == CAIRN_SHAPE_TABLE) return CAIRN_OK;
    CHECK(cairn_matrix_of_table(ctx, &matrix, *table, shape));
    return mark_matrix(ctx, *table, &matrix, shape);
}

/* -- matrices that nobody announced -- */

/* Whether the table could be one of distances: a square of numbers from 0 on, 0 on the diagonal,
 * where both halves say the same, and besides it at most a column of names. `same` says whether
 * rows and columns go by the same names, `apart` whether no two rows lie in the same place. */
static cairn_status seems_distances(cairn_context *ctx, cairn_square_matrix *m, bool *same,
                                    bool *apart, const cairn_table *table)
{
    ptrdiff_t names = names_of_rows(table);
    size_t n = table->n_rows, n_sides = count_sides(table);
    *same = *apart = false;
    n_sides -= names >= 0 && is_side(&table->slots[names]);
    if (n < 3 || n_sides != n) return CAIRN_OK;
    for (size_t j = 0; j < table->n_columns; j++) {
        const cairn_slot *slot = &table->slots[j];
        if (slot->role != CAIRN_FEATURE || (ptrdiff_t)j == names) continue;
        if (slot->chosen != CAIRN_ROLE_OPEN || !is_side(slot)) return CAIRN_OK;
    }
    CHECK(gather(ctx, m, table, names, CAIRN_SHAPE_DISTANCES));
    bool nowhere = true;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            double a = m->values[i * n + j], b = m->values[j * n + i];
            if (i == j ? a != 0 : !(a >= 0) || fabs(a - b) > 1e-9 * fmax(a, b)) return CAIRN_OK;
            nowhere &= i == j || a > 0;
        }
    *apart = nowhere;
    *same = names >= 0;
    for (size_t i = 0; i < n && *same; i++) {
        char cell[128];
        cairn_table_cell(table, (size_t)names, i, cell, sizeof cell);
        *same = strcmp(cell, m->names[i]) == 0;
    }
    return CAIRN_OK;
}

cairn_status cairn_table_find_distances(cairn_context *ctx, cairn_table *table, bool asks)
{
    SCOPED_SCRATCH(ctx);
    bool same, apart;
    cairn_square_matrix matrix = {0};
    if (table->shape != CAIRN_SHAPE_TABLE) return CAIRN_OK;
    CHECK(seems_distances(ctx, &matrix, &same, &apart, table));
    if (!same && !apart) return CAIRN_OK;
    if (same && apart) {
        cairn_warn(ctx,
                   "%s is read as a matrix of distances, because rows and columns have the same "
                   "names, both halves say the same and the diagonal is 0; {as distances} says so, "
                   "{as table} takes its columns as features",
                   source_of(table));
        return mark_matrix(ctx, table, &matrix, CAIRN_SHAPE_DISTANCES);
    }
    if (!asks) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE,
                      "%s may be a matrix of distances, because both halves of the square say the "
                      "same and its diagonal is 0: {as distances} reads it so, {as table} takes "
                      "its columns as features",
                      source_of(table));
}

cairn_status cairn_table_as(cairn_context *ctx, cairn_table **table, const char *shape)
{
    PUBLIC_CALL(ctx);
    cairn_shape found;
    cairn_status status = cairn_shape_find(ctx, &found, shape);
    return status ? status : cairn_table_reshape(ctx, table, found);
}
