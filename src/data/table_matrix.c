/* SPDX-License-Identifier: MIT */
/* A matrix of the caller as a table: its columns are copied into one block, or borrowed where they
 * lie. Either way every number is looked at once, in parts that stay in the cache: infinite ones
 * are refused and missing ones counted on the way. */
#include "cairn/columns.h"
#include "base/call.h"
#include "data/column.h"
#include "data/given_matrix.h"
#include "data/lent.h"
#include "data/odd_numbers.h"
#include "parallel/parallel.h"

/* Rows of one part: of one column when columns lie together, of all columns when rows do. */
enum { COLUMN_PART = 1 << 15, ROW_PART = 128 };

typedef struct filling {
    const cairn_matrix *from;
    cairn_table *table;
    bool lent;         /* the numbers are in place */
    size_t n_parts;    /* of a column */
    size_t n_infinite; /* atomic */
} filling;

static void fill_part(filling *f, size_t j, size_t first, size_t n)
{
    cairn_column *column = f->table->slots[j].column;
    if (!f->lent) cairn_matrix_read(f->from, j, first, n, column->numbers + first);
    cairn_odd_numbers odd = cairn_count_odd(column->numbers + first, n);
    if (odd.n_missing) __atomic_add_fetch(&column->n_missing, odd.n_missing, __ATOMIC_RELAXED);
    if (odd.n_infinite) __atomic_add_fetch(&f->n_infinite, odd.n_infinite, __ATOMIC_RELAXED);
}

static void fill_column_part(void *data, size_t block, size_t begin, size_t end, int worker)
{
    filling *f = data;
    (void)begin, (void)end, (void)worker;
    size_t first = block % f->n_parts * COLUMN_PART, left = f->table->n_rows - first;
    fill_part(f, block / f->n_parts, first, left < COLUMN_PART ? left : COLUMN_PART);
}

static void fill_rows(void *data, size_t block, size_t begin, size_t end, int worker)
{
    filling *f = data;
    (void)block, (void)worker;
    for (size_t j = 0; j < f->table->n_columns; j++) fill_part(f, j, begin, end - begin);
}

static size_t distance(ptrdiff_t stride)
{
    return stride < 0 ? (size_t)0 - (size_t)stride : (size_t)stride;
}

/* Goes through the matrix in the order in which it lies, and fails at an infinite number. */
static cairn_status fill(cairn_context *ctx, filling *f)
{
    const cairn_matrix *m = f->from;
    double work = (double)m->n_rows * (double)m->n_columns;
    f->n_parts = cairn_block_count(m->n_rows, COLUMN_PART);
    if (f->lent || distance(m->row_stride) <= distance(m->column_stride))
        CHECK(cairn_blocks_sized(ctx, m->n_columns * f->n_parts, 1, work, fill_column_part, f));
    else
        CHECK(cairn_blocks_sized(ctx, m->n_rows, ROW_PART, work, fill_rows, f));
    for (size_t j = 0; f->n_infinite && j < m->n_columns; j++) {
        const cairn_slot *slot = &f->table->slots[j];
        if (cairn_count_odd(slot->column->numbers, m->n_rows).n_infinite)
            return cairn_refuse_infinite(ctx, slot->name, slot->column->numbers);
    }
    return CAIRN_OK;
}

/* Columns that lie in the caller's memory. */
static cairn_status borrow_columns(cairn_context *ctx, cairn_column **out, const cairn_matrix *m,
                                   cairn_lent *lent)
{
    for (size_t j = 0; j < m->n_columns; j++) {
        cairn_status status = cairn_column_over_numbers(
            ctx, &out[j], (const double *)(uintptr_t)cairn_matrix_at(m, 0, j), m->n_rows,
            cairn_lent_release, cairn_lent_hold(lent));
        if (!status) continue;
        cairn_columns_drop(out, j);
        return status;
    }
    return CAIRN_OK;
}

/* The columns are in the table before they have numbers, so that a bad name costs nothing. */
static cairn_status make_table(cairn_context *ctx, cairn_table **out, const cairn_matrix *m,
                               const char *const *names, cairn_lent *lent)
{
    SCOPED_SCRATCH(ctx);
    OWNED(cairn_table_free) cairn_table *table = NULL;
    cairn_column **columns;
    CHECK(cairn_table_new(ctx, &table, m->n_rows));
    CHECK(SCRATCH(ctx, &columns, m->n_columns));
    CHECK(lent ? borrow_columns(ctx, columns, m, lent)
               : cairn_columns_new(ctx, columns, m->n_columns, m->n_rows, true));
    CHECK(cairn_table_append_all(ctx, table, columns, m->n_columns, names, "x", 1));
    filling f = {.from = m, .table = table, .lent = lent != NULL};
    CHECK(fill(ctx, &f));
    *out = TAKE(table);
    return CAIRN_OK;
}

cairn_status cairn_table_from_matrix(cairn_context *ctx, cairn_table **out,
                                     const cairn_matrix *matrix, const char *const *names)
{
    PUBLIC_CALL(ctx);
    cairn_matrix m;
    CHECK(cairn_matrix_take(ctx, &m, matrix));
    return make_table(ctx, out, &m, names, NULL);
}

static bool can_borrow(const cairn_matrix *m)
{
    const size_t width = sizeof(double);
    return m->type == CAIRN_FLOAT64 && m->row_stride == (ptrdiff_t)width &&
           (uintptr_t)m->data % width == 0 && distance(m->column_stride) % width == 0;
}

cairn_status cairn_table_lend_matrix(cairn_context *ctx, cairn_table **out,
                                     const cairn_matrix *matrix, const char *const *names,
                                     cairn_release_function release, void *owner)
{
    PUBLIC_CALL(ctx);
    OWNED(cairn_lent_drop) cairn_lent *lent = NULL;
    cairn_matrix m;
    CHECK(cairn_lent_new(ctx, &lent, release, owner));
    CHECK(cairn_matrix_take(ctx, &m, matrix));
    return make_table(ctx, out, &m, names, can_borrow(&m) ? lent : NULL);
}
