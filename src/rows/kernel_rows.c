/* SPDX-License-Identifier: MIT */
/* Rows prepared for kernels: read, kept, saved. */
#include "rows/kernel.h"
#include "base/number.h"
#include "data/shape.h"
#include "kernels/products.h"
#include "parallel/parallel.h"
#include "rows/matrix.h"
#include <math.h>
#include <string.h>

enum {
    READ_ROWS = 256,    /* read at a time */
    DENSE_TERMS = 1024, /* up to so many terms bags are written out, ... */
    DENSE_SHARE = 8     /* ... and where one number of so many is not 0 */
};

void cairn_kernel_rows_clear(cairn_kernel_rows *rows)
{
    cairn_free(rows->dense);
    cairn_free(rows->norms);
    cairn_free(rows->floats);
    cairn_free(rows->floats_norms);
    cairn_free(rows->shift);
    cairn_free(rows->starts);
    cairn_free(rows->items);
    cairn_free(rows->values);
    cairn_free(rows->columns);
    cairn_points_clear(&rows->texts);
    cairn_free(rows->orders);
    *rows = (cairn_kernel_rows){0};
}

/* -- reading -- */

typedef struct packing {
    const cairn_row_matrix *matrix;
    cairn_kernel_rows *rows;
    double *room; /* floats: a worker's rows in double */
} packing;

static void read_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)block;
    const packing *r = data;
    cairn_kernel_rows *rows = r->rows;
    size_t n = end - begin, n_terms = rows->n_terms;
    bool floats = rows->layout == CAIRN_KERNEL_FLOATS;
    double *z =
        floats ? r->room + (size_t)worker * READ_ROWS * n_terms : rows->dense + begin * n_terms;
    cairn_matrix_rows(r->matrix, begin, n, z);
    if (!floats) {
        cairn_matmul_norms(rows->norms + begin, z, n, n_terms);
        return;
    }
    float *to = rows->floats + begin * n_terms;
    for (size_t t = 0; t < n * n_terms; t++) to[t] = (float)z[t];
    cairn_matmul_floats_norms(rows->floats_norms + begin, to, n, n_terms);
}

/* Numbers without gaps, in the precision of the layout. */
static cairn_status read_dense(cairn_context *ctx, cairn_kernel_rows *rows,
                               const cairn_row_matrix *matrix)
{
    packing r = {.matrix = matrix, .rows = rows};
    SCOPED_SCRATCH(ctx);
    size_t size = cairn_product(rows->n, rows->n_terms);
    bool floats = rows->layout == CAIRN_KERNEL_FLOATS;
    size_t room = floats ? cairn_product((size_t)cairn_workers(ctx) * READ_ROWS, rows->n_terms) : 0;
    CHECK(SCRATCH_RAW(ctx, &r.room, room));
    if (floats) {
        CHECK(NEW_RAW(ctx, &rows->floats, size));
        CHECK(NEW_RAW(ctx, &rows->floats_norms, rows->n));
    } else {
        CHECK(NEW_RAW(ctx, &rows->dense, size));
        CHECK(NEW_RAW(ctx, &rows->norms, rows->n));
    }
    return cairn_blocks_sized(ctx, rows->n, READ_ROWS, (double)size, read_block, &r);
}

/* Squared lengths of sparse rows, summed in the order in which two of them are multiplied. */
static void sparse_norms(cairn_kernel_rows *rows)
{
    for (size_t i = 0; i < rows->n; i++) {
        double sum = 0;
        for (size_t e = rows->starts[i]; e < rows->starts[i + 1]; e++)
            sum += rows->values[e] * rows->values[e];
        rows->norms[i] = sum;
    }
}

static size_t count_entries(const cairn_row_matrix *m, size_t i)
{
    size_t n = m->n_dense, row = cairn_view_row(m->view, i);
    for (size_t b = 0; b < m->n_bags; b++)
        n += m->bags[b]->starts[row + 1] - m->bags[b]->starts[row];
    return n;
}

static cairn_status read_sparse(cairn_context *ctx, cairn_kernel_rows *rows,
                                const cairn_row_matrix *matrix)
{
    SCOPED_SCRATCH(ctx);
    size_t most = 0, all = 0, at = 0, *terms;
    double *values;
    for (size_t i = 0; i < rows->n; i++) {
        size_t n = count_entries(matrix, i);
        all += n;
        most = n > most ? n : most;
    }
    CHECK(SCRATCH_RAW(ctx, &terms, most + 1)); /* one more: an entry is written, then counted */
    CHECK(SCRATCH_RAW(ctx, &values, most + 1));
    CHECK(NEW_RAW(ctx, &rows->starts, rows->n + 1));
    CHECK(NEW_RAW(ctx, &rows->items, all));
    CHECK(NEW_RAW(ctx, &rows->values, all));
    CHECK(NEW_RAW(ctx, &rows->norms, rows->n));
    for (size_t i = 0; i < rows->n; i++) {
        size_t n = cairn_matrix_entries(matrix, i, terms, values);
        rows->starts[i] = at;
        for (size_t e = 0; e < n; e++, at++) {
            rows->items[at] = (int32_t)terms[e];
            rows->values[at] = values[e];
        }
    }
    rows->starts[rows->n] = at;
    sparse_norms(rows);
    return CAIRN_OK;
}

/* -- a given matrix -- */

/* The values of the view's rows to the training rows. Fitting, the matrix is square, and training
 * row i is the column of its own number; predicting, the columns are the model's. */
static cairn_status read_values(cairn_context *ctx, cairn_kernel_rows *rows, const cairn_view *view,
                                const cairn_kernel_rows *like)
{
    size_t n = view->rows.n, width = view->n_features;
    if (like ? width != like->n_terms : width != view->table->n_rows)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "a matrix of kernel values has a column for every training row, but "
                          "there are %zu columns and %zu rows; use no transforms with {as gram}",
                          width, like ? like->n_terms : view->table->n_rows);
    CHECK(NEW_RAW(ctx, &rows->dense, cairn_product(n, width)));
    CHECK(NEW_RAW(ctx, &rows->columns, n));
    cairn_view_block(view, 0, n, rows->dense);
    for (size_t i = 0; i < n; i++) rows->columns[i] = (int32_t)cairn_view_row(view, i);
    for (size_t i = 0; i < n * width; i++)
        if (!isfinite(rows->dense[i]))
            return cairn_refuse_number(ctx, view->names[i % width], cairn_view_row(view, i / width),
                                       rows->dense[i]);
    return CAIRN_OK;
}

/* Whether the table is the kernel, and whether that is what was asked for. */
static cairn_status find_kernel(cairn_context *ctx, cairn_kernel *kernel, const cairn_view *view)
{
    bool gram = view->table->shape == CAIRN_SHAPE_GRAM;
    cairn_kernel_kind kind = cairn_kernel_kind_of(kernel);
    if (gram && kind != CAIRN_KERNEL_GIVEN && kind != CAIRN_KERNEL_RBF)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "the data are a matrix of kernel values, of which {kernel %s} cannot be "
                          "taken; leave {kernel} out",
                          kernel->function->entry.name);
    if (!gram && kind == CAIRN_KERNEL_GIVEN)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{kernel precomputed} needs a matrix of kernel values; read one with "
                          "{as gram}");
    if (gram) *kernel = (cairn_kernel){0};
    return CAIRN_OK;
}

/* -- opening -- */

/* A column far from 0 is brought near it, since distances do not mind and their digits are saved.
 * New rows move as those of the model did. */
static cairn_status find_shift(cairn_context *ctx, cairn_kernel_rows *rows,
                               cairn_row_matrix *matrix, const cairn_kernel *kernel,
                               const cairn_kernel_rows *like)
{
    size_t n = rows->n_terms;
    bool moved = false;
    for (size_t t = 0; t <= n; t++) {
        matrix->scale[t] = 1;
        if (like)
            matrix->shift[t] = like->shift && t < n ? like->shift[t] : 0;
        else if (!kernel->function->of_distance || rows->layout == CAIRN_KERNEL_SPARSE)
            matrix->shift[t] = 0;
        moved |= matrix->shift[t] != 0;
    }
    matrix->plain = !moved;
    if (!moved) return CAIRN_OK;
    CHECK(NEW_RAW(ctx, &rows->shift, n));
    memcpy(rows->shift, matrix->shift, n * sizeof *rows->shift);
    return CAIRN_OK;
}

static bool are_sparse(const cairn_row_matrix *matrix)
{
    double entries = 0, all = (double)matrix->n * (double)matrix->n_terms;
    if (!matrix->n_bags || matrix->n_terms <= DENSE_TERMS) return false;
    for (size_t i = 0; i < matrix->n; i++) entries += (double)count_entries(matrix, i);
    return entries * DENSE_SHARE < all;
}

/* The first row whose squared length is no number, n = none. */
static size_t first_overflow(const cairn_kernel_rows *rows)
{
    for (size_t i = 0; i < rows->n; i++)
        if (!isfinite(rows->layout == CAIRN_KERNEL_FLOATS ? (double)rows->floats_norms[i]
                                                          : rows->norms[i]))
            return i;
    return rows->n;
}

static cairn_status read_rows(cairn_context *ctx, cairn_kernel_rows *rows,
                              const cairn_row_matrix *matrix)
{
    if (rows->layout == CAIRN_KERNEL_SPARSE)
        CHECK(read_sparse(ctx, rows, matrix));
    else
        CHECK(read_dense(ctx, rows, matrix));
    return CAIRN_OK;
}

/* Rows whose squares do not fit into single precision are read again in double, unless the rows of
 * a model are single. */
static cairn_status read_features(cairn_context *ctx, cairn_kernel_rows *rows,
                                  const cairn_kernel *kernel, const cairn_view *view,
                                  const cairn_kernel_wish *wish)
{
    SCOPED_SCRATCH(ctx);
    cairn_row_matrix matrix;
    cairn_matrix_wish how = {.units = CAIRN_UNITS_SHIFTED};
    if (wish->like) how.n_terms = wish->like->n_terms;
    CHECK(cairn_matrix_open(ctx, &matrix, view, &how));
    rows->n_terms = matrix.n_terms;
    rows->layout = wish->floats && !kernel->manhattan ? CAIRN_KERNEL_FLOATS : CAIRN_KERNEL_DENSE;
    if (are_sparse(&matrix)) rows->layout = CAIRN_KERNEL_SPARSE;
    if (wish->like) rows->layout = wish->like->layout;
    CHECK(find_shift(ctx, rows, &matrix, kernel, wish->like));
    CHECK(read_rows(ctx, rows, &matrix));
    size_t bad = first_overflow(rows);
    if (bad < rows->n && rows->layout == CAIRN_KERNEL_FLOATS && !wish->like) {
        cairn_free(rows->floats);
        cairn_free(rows->floats_norms);
        rows->floats = rows->floats_norms = NULL;
        rows->layout = CAIRN_KERNEL_DENSE;
        CHECK(read_rows(ctx, rows, &matrix));
        bad = first_overflow(rows);
    }
    if (bad == rows->n) return CAIRN_OK;
    return cairn_matrix_refuse(ctx, &matrix,
                               "the kernel overflows: %s is too large to be squared; rescale the "
                               "column or leave the row out");
}

cairn_status cairn_kernel_rows_open(cairn_context *ctx, cairn_kernel_rows *out,
                                    cairn_kernel *kernel, const cairn_view *view,
                                    const cairn_kernel_wish *wish)
{
    SCOPED(cairn_kernel_rows_clear) cairn_kernel_rows rows = {.n = view->rows.n};
    bool given = wish->like && wish->like->layout == CAIRN_KERNEL_VALUES;
    if (!wish->like) CHECK(find_kernel(ctx, kernel, view));
    if (given || cairn_kernel_kind_of(kernel) == CAIRN_KERNEL_GIVEN) {
        rows.layout = CAIRN_KERNEL_VALUES;
        rows.n_terms = view->n_features;
        CHECK(read_values(ctx, &rows, view, wish->like));
    } else if (kernel->function->of_texts) {
        CHECK(cairn_kernel_texts_open(ctx, &rows, kernel, view, wish->like));
    } else {
        CHECK(read_features(ctx, &rows, kernel, view, wish));
    }
    *out = rows;
    rows = (cairn_kernel_rows){0};
    return CAIRN_OK;
}

/* -- keeping -- */

/* Rows of `width` items of `size` bytes; nothing where there are none. `out` is the address of a
 * pointer. */
static cairn_status keep_items(cairn_context *ctx, void *out, const void *from,
                               const uint32_t *which, size_t n, size_t width, size_t size)
{
    char *made = NULL;
    size_t each = width * size;
    if (!from) return CAIRN_OK;
    CHECK(cairn_new(ctx, &made, cairn_product(n, width), size, false));
    for (size_t r = 0; r < n; r++)
        memcpy(made + r * each, (const char *)from + which[r] * each, each);
    memcpy(out, &made, sizeof made);
    return CAIRN_OK;
}

#define KEEP(ctx, out, from, which, n, width)                                                      \
    keep_items(ctx, out, from, which, n, width, sizeof *(from))

static cairn_status keep_entries(cairn_context *ctx, cairn_kernel_rows *out,
                                 const cairn_kernel_rows *from, const uint32_t *which)
{
    size_t at = 0;
    CHECK(NEW_RAW(ctx, &out->starts, out->n + 1));
    for (size_t r = 0; r < out->n; r++) at += from->starts[which[r] + 1] - from->starts[which[r]];
    CHECK(NEW_RAW(ctx, &out->items, at));
    CHECK(NEW_RAW(ctx, &out->values, at));
    at = 0;
    for (size_t r = 0; r < out->n; r++) {
        size_t begin = from->starts[which[r]], n = from->starts[which[r] + 1] - begin;
        out->starts[r] = at;
        if (n) memcpy(out->items + at, from->items + begin, n * sizeof *out->items);
        if (n) memcpy(out->values + at, from->values + begin, n * sizeof *out->values);
        at += n;
    }
    out->starts[out->n] = at;
    return CAIRN_OK;
}

/* Of a given matrix a row is its column; the values are those of rows to be compared with it. */
cairn_status cairn_kernel_rows_keep(cairn_context *ctx, cairn_kernel_rows *out,
                                    const cairn_kernel_rows *from, const uint32_t *which, size_t n)
{
    SCOPED(cairn_kernel_rows_clear) cairn_kernel_rows rows = {.n = n, .n_terms = from->n_terms};
    bool given = from->layout == CAIRN_KERNEL_VALUES;
    rows.layout = from->layout;
    if (given) {
        CHECK(NEW_RAW(ctx, &rows.columns, n));
        for (size_t r = 0; r < n; r++) rows.columns[r] = from->columns[which[r]];
    } else if (from->layout == CAIRN_KERNEL_LETTERS) {
        CHECK(KEEP(ctx, &rows.norms, from->norms, which, n, 1));
        CHECK(cairn_kernel_texts_keep(ctx, &rows, from, which));
    } else {
        CHECK(KEEP(ctx, &rows.dense, from->dense, which, n, from->n_terms));
        CHECK(KEEP(ctx, &rows.norms, from->norms, which, n, 1));
        CHECK(KEEP(ctx, &rows.floats, from->floats, which, n, from->n_terms));
        CHECK(KEEP(ctx, &rows.floats_norms, from->floats_norms, which, n, 1));
        if (from->starts) CHECK(keep_entries(ctx, &rows, from, which));
        if (from->shift) {
            CHECK(NEW_RAW(ctx, &rows.shift, rows.n_terms));
            memcpy(rows.shift, from->shift, rows.n_terms * sizeof *rows.shift);
        }
    }
    *out = rows;
    rows = (cairn_kernel_rows){0};
    return CAIRN_OK;
}

void cairn_kernel_rows_read(const cairn_kernel_rows *rows, size_t i, double *out)
{
    size_t n = rows->n_terms;
    if (rows->layout == CAIRN_KERNEL_SPARSE) {
        memset(out, 0, n * sizeof *out);
        for (size_t e = rows->starts[i]; e < rows->starts[i + 1]; e++)
            out[rows->items[e]] = rows->values[e];
    }
    for (size_t t = 0; t < n; t++) {
        if (rows->dense) out[t] = rows->dense[i * n + t];
        if (rows->floats) out[t] = (double)rows->floats[i * n + t];
        if (rows->shift) out[t] += rows->shift[t];
    }
}

/* -- saving -- */

/* Rows are saved by their counts; when read, items must rise within a row and be terms. */
static cairn_status archive_sparse(cairn_archive *a, cairn_kernel_rows *rows)
{
    bool reading = cairn_archive_reading(a);
    cairn_context *ctx = cairn_archive_context(a);
    size_t n_entries = reading ? 0 : rows->starts[rows->n], at = 0;
    OWNED(cairn_free) int32_t *counts = NULL;
    if (!reading) CHECK(NEW_RAW(ctx, &counts, rows->n));
    for (size_t i = 0; !reading && i < rows->n; i++)
        counts[i] = (int32_t)(rows->starts[i + 1] - rows->starts[i]);
    CHECK(cairn_archive_size(a, "entries", &n_entries, (size_t)1 << 40));
    CHECK(cairn_archive_ints(a, "counts", &counts, rows->n));
    CHECK(cairn_archive_ints(a, "items", &rows->items, n_entries));
    CHECK(cairn_archive_reals(a, "values", &rows->values, n_entries));
    if (!reading) return CAIRN_OK;
    CHECK(NEW_RAW(ctx, &rows->starts, rows->n + 1));
    CHECK(NEW_RAW(ctx, &rows->norms, rows->n));
    for (size_t i = 0; i < rows->n; i++) {
        int32_t last = -1;
        rows->starts[i] = at;
        if (counts[i] < 0 || (size_t)counts[i] > n_entries - at)
            CHECK(cairn_archive_damaged(a, "row %zu has more terms than there are", i + 1));
        for (size_t end = at + (size_t)counts[i]; at < end; last = rows->items[at++])
            if (rows->items[at] <= last || (size_t)rows->items[at] >= rows->n_terms)
                CHECK(cairn_archive_damaged(a, "the terms of row %zu are out of order", i + 1));
    }
    rows->starts[rows->n] = at;
    if (at != n_entries) CHECK(cairn_archive_damaged(a, "there are terms of no row"));
    sparse_norms(rows);
    return CAIRN_OK;
}

/* Squared lengths are made again rather than saved. */
static cairn_status archive_numbers(cairn_archive *a, cairn_kernel_rows *rows)
{
    bool reading = cairn_archive_reading(a);
    cairn_context *ctx = cairn_archive_context(a);
    size_t size = cairn_product(rows->n, rows->n_terms);
    if (rows->layout == CAIRN_KERNEL_FLOATS) {
        CHECK(cairn_archive_floats(a, "rows", &rows->floats, size));
        if (!reading) return CAIRN_OK;
        CHECK(NEW_RAW(ctx, &rows->floats_norms, rows->n));
        cairn_matmul_floats_norms(rows->floats_norms, rows->floats, rows->n, rows->n_terms);
        return CAIRN_OK;
    }
    CHECK(cairn_archive_reals(a, "rows", &rows->dense, size));
    if (!reading) return CAIRN_OK;
    CHECK(NEW_RAW(ctx, &rows->norms, rows->n));
    cairn_matmul_norms(rows->norms, rows->dense, rows->n, rows->n_terms);
    return CAIRN_OK;
}

static cairn_status archive_columns(cairn_archive *a, cairn_kernel_rows *rows)
{
    CHECK(cairn_archive_ints(a, "columns", &rows->columns, rows->n));
    for (size_t i = 0; i < rows->n; i++)
        if (rows->columns[i] < 0 || (size_t)rows->columns[i] >= rows->n_terms)
            CHECK(cairn_archive_damaged(a, "row %zu is no column of the matrix", i + 1));
    return CAIRN_OK;
}

cairn_status cairn_kernel_rows_archive(cairn_archive *a, const cairn_kernel *kernel,
                                       cairn_kernel_rows *rows)
{
    int32_t layout = (int32_t)rows->layout;
    bool shifted = rows->shift != NULL;
    CHECK(cairn_archive_size(a, "n_rows", &rows->n, UINT32_MAX));
    CHECK(cairn_archive_size(a, "n_terms", &rows->n_terms, INT32_MAX));
    CHECK(cairn_archive_int(a, "layout", &layout));
    CHECK(cairn_archive_bool(a, "shifted", &shifted));
    if (layout < 0 || layout > CAIRN_KERNEL_LETTERS)
        CHECK(cairn_archive_damaged(a, "rows are held in a way that there is not"));
    rows->layout = (cairn_kernel_layout)layout;
    if ((kernel->function == NULL) != (rows->layout == CAIRN_KERNEL_VALUES) ||
        (kernel->function && kernel->function->of_texts) !=
            (rows->layout == CAIRN_KERNEL_LETTERS) ||
        (kernel->manhattan && rows->layout == CAIRN_KERNEL_FLOATS))
        CHECK(cairn_archive_damaged(a, "the kernel is none of such rows"));
    if (shifted) CHECK(cairn_archive_reals(a, "shift", &rows->shift, rows->n_terms));
    if (rows->layout == CAIRN_KERNEL_VALUES) return archive_columns(a, rows);
    if (rows->layout == CAIRN_KERNEL_SPARSE) return archive_sparse(a, rows);
    if (rows->layout == CAIRN_KERNEL_LETTERS) return cairn_kernel_texts_archive(a, kernel, rows);
    return archive_numbers(a, rows);
}
