/* SPDX-License-Identifier: MIT */
/* Rows prepared for kernels: read, kept, saved. */
#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "data/shape.h"
#include "kernels/elementwise.h"
#include "kernels/kernels.h"
#include "kernels/products.h"
#include "parallel/parallel.h"
#include "rows/kernel.h"
#include "rows/matrix.h"

#include <math.h>
#include <string.h>

/* Kernel values one by one, for rows that are no matrix of numbers, and what of a kernel a product
 * of matrices is told. */

/* A term that a sparse row does not name counts as 0. */
static double manhattan(const cairn_kernel_rows *a, size_t i, const cairn_kernel_rows *b, size_t j)
{
    size_t width = a->n_terms;
    if (a->layout == CAIRN_KERNEL_SPARSE) {
        /* The sum of absolute differences of two sparse rows, by their terms in order. */
        size_t x = a->starts[i], y = b->starts[j], x_end = a->starts[i + 1],
               y_end = b->starts[j + 1];
        double sum = 0;
        while (x < x_end || y < y_end) {
            int32_t left = x < x_end ? a->items[x] : INT32_MAX;
            int32_t right = y < y_end ? b->items[y] : INT32_MAX;
            double u = left <= right ? a->values[x] : 0, v = right <= left ? b->values[y] : 0;
            sum += fabs(u - v);
            x += left <= right;
            y += right <= left;
        }
        return sum;
    }
    return cairn_absolute_distance(a->dense + i * width, b->dense + j * width, width);
}

bool cairn_kernel_by_product(const cairn_kernel *kernel, const cairn_kernel_rows *rows)
{
    bool numbers = rows->layout == CAIRN_KERNEL_DENSE || rows->layout == CAIRN_KERNEL_FLOATS;
    return numbers && !kernel->manhattan;
}

/* The kernel's values in place of what rows have together. */
static void finish(const cairn_kernel *kernel, double *x, size_t n)
{
    double gamma = kernel->gamma;
    switch (cairn_kernel_kind_of(kernel)) {
    case CAIRN_KERNEL_LAPLACE:
        for (size_t j = 0; j < n; j++) x[j] = -gamma * (kernel->manhattan ? x[j] : sqrt(x[j]));
        cairn_exp_each(x, x, n);
        return;
    case CAIRN_KERNEL_RBF:
        for (size_t j = 0; j < n; j++) x[j] *= -gamma;
        cairn_exp_each(x, x, n);
        return;
    case CAIRN_KERNEL_SIGMOID:
        for (size_t j = 0; j < n; j++) x[j] = kernel->factor * x[j] + kernel->offset;
        cairn_tanh_each(x, x, n);
        return;
    case CAIRN_KERNEL_POLY:
        for (size_t j = 0; j < n; j++) x[j] = cairn_kernel_together(kernel, x[j]);
        return;
    default: return;
    }
}

/* The inner product is finished, too: a product that is not might be summed in other blocks when
 * other rows are asked for with it. */
cairn_kernel_finish cairn_kernel_finish_of(const cairn_kernel *kernel)
{
    cairn_kernel_finish out = {.finish = CAIRN_FINISH_POLYNOMIAL, .gamma = 1, .degree = 1};
    switch (cairn_kernel_kind_of(kernel)) {
    case CAIRN_KERNEL_RBF: out.finish = CAIRN_FINISH_GAUSSIAN; break;
    case CAIRN_KERNEL_LAPLACE: out.finish = CAIRN_FINISH_LAPLACIAN; break;
    case CAIRN_KERNEL_SIGMOID: out.finish = CAIRN_FINISH_TANH; break;
    case CAIRN_KERNEL_POLY: out.degree = kernel->degree; break;
    default: return out;
    }
    bool of_distance = kernel->function->of_distance;
    out.gamma = of_distance ? kernel->gamma : kernel->factor;
    out.shift = kernel->offset;
    return out;
}

size_t cairn_kernel_pairs_buffer(const cairn_kernel *kernel, const cairn_kernel_rows *a,
                                 const cairn_kernel_rows *b)
{
    if (a->layout == CAIRN_KERNEL_SPARSE) return a->n_terms;
    if (a->layout != CAIRN_KERNEL_LETTERS) return 0;
    size_t x = a->texts.longest, y = b->texts.longest;
    return cairn_text_kernel_buffer(kernel, x > y ? x : y);
}

/* Inner products, or squared distances, of a row that is written out and sparse rows. */
static void sparse_pairs(const double *row, double norm, bool apart, const cairn_kernel_rows *b,
                         size_t first, size_t n, double *out)
{
    for (size_t j = first; j < first + n; j++) {
        double sum = 0;
        for (size_t e = b->starts[j]; e < b->starts[j + 1]; e++)
            sum += b->values[e] * row[b->items[e]];
        out[j - first] = apart ? fmax(0, norm + b->norms[j] - 2 * sum) : sum;
    }
}

static cairn_letters letters_of(const cairn_kernel_rows *rows, size_t i, size_t column)
{
    const cairn_points *p = &rows->texts;
    size_t at = column * p->n + i, start = p->starts[at];
    return (cairn_letters){p->letters + start, (size_t)p->lengths[at],
                           rows->orders ? rows->orders + start : NULL};
}

/* Sum over the columns, not divided by lengths. */
static double raw_value(const cairn_kernel *kernel, const cairn_kernel_rows *a, size_t i,
                        const cairn_kernel_rows *b, size_t j, double *buffer)
{
    double sum = 0;
    for (size_t t = 0; t < a->n_terms; t++) {
        cairn_letters x = letters_of(a, i, t), y = letters_of(b, j, t);
        sum += cairn_text_kernel(kernel, &x, &y, buffer);
    }
    return sum;
}

double cairn_kernel_texts_value(const cairn_kernel *kernel, const cairn_kernel_rows *a, size_t i,
                                const cairn_kernel_rows *b, size_t j, double *buffer)
{
    double value = raw_value(kernel, a, i, b, j, buffer);
    if (cairn_kernel_kind_of(kernel) == CAIRN_KERNEL_EDIT) return cairn_exp(-kernel->gamma * value);
    if (!kernel->normalise) return value;
    double lengths = a->norms[i] * b->norms[j];
    return lengths > 0 ? value / sqrt(lengths) : 0;
}

void cairn_kernel_pairs(const cairn_kernel *kernel, const cairn_kernel_rows *a, size_t i,
                        const cairn_kernel_rows *b, size_t first, size_t n, double *out,
                        double *buffer)
{
    if (a->layout == CAIRN_KERNEL_VALUES) {
        const double *row = a->dense + i * a->n_terms;
        for (size_t j = 0; j < n; j++) out[j] = row[b->columns[first + j]];
        return;
    }
    if (a->layout == CAIRN_KERNEL_LETTERS) {
        for (size_t j = 0; j < n; j++)
            out[j] = cairn_kernel_texts_value(kernel, a, i, b, first + j, buffer);
        return;
    }
    if (kernel->manhattan) {
        for (size_t j = 0; j < n; j++) out[j] = manhattan(a, i, b, first + j);
    } else {
        memset(buffer, 0, a->n_terms * sizeof *buffer);
        for (size_t e = a->starts[i]; e < a->starts[i + 1]; e++) buffer[a->items[e]] = a->values[e];
        sparse_pairs(buffer, a->norms[i], kernel->function->of_distance, b, first, n, out);
    }
    finish(kernel, out, n);
}

/* Rows of texts for kernels: letters as the distance of edits has them. Several columns of texts
 * are compared one by one, and their kernels added, or their edits. */

/* What is made of the letters: sorted runs, and k of every row with itself. */
static cairn_status prepare(cairn_context *ctx, cairn_kernel_rows *rows, const cairn_kernel *kernel)
{
    const cairn_points *p = &rows->texts;
    bool edits = cairn_kernel_kind_of(kernel) == CAIRN_KERNEL_EDIT;
    SCOPED_SCRATCH(ctx);
    double *buffer;
    CHECK(SCRATCH_RAW(ctx, &buffer, cairn_text_kernel_buffer(kernel, p->longest)));
    CHECK(NEW_RAW(ctx, &rows->norms, rows->n));
    if (cairn_kernel_kind_of(kernel) == CAIRN_KERNEL_SPECTRUM) {
        CHECK(NEW(ctx, &rows->orders, p->n_letters));
        for (size_t c = 0; c < p->n * p->n_texts; c++)
            (void)cairn_letters_sort(rows->orders + p->starts[c], p->letters + p->starts[c],
                                     (size_t)p->lengths[c], (size_t)kernel->length);
    }
    for (size_t i = 0; i < rows->n; i++)
        rows->norms[i] = edits ? 1 : raw_value(kernel, rows, i, rows, i, buffer);
    return CAIRN_OK;
}

cairn_status cairn_kernel_texts_open(cairn_context *ctx, cairn_kernel_rows *rows,
                                     const cairn_kernel *kernel, const cairn_view *view,
                                     const cairn_kernel_rows *like)
{
    SCOPED(cairn_metric_clear) cairn_metric metric = {0};
    for (size_t j = 0; j < view->n_features; j++) {
        cairn_kind kind = view->features[j]->kind;
        if (kind != CAIRN_TEXT && kind != CAIRN_LEVEL && kind != CAIRN_SEQUENCE)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "{kernel %s} compares texts, and '%s' holds %s; {ignore} leaves the "
                              "column out",
                              kernel->function->entry.name, view->names[j],
                              cairn_kind_plural(kind));
    }
    if (like && view->n_features != like->n_terms)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "the model has %zu columns of texts, the data %zu",
                          like->n_terms, view->n_features);
    rows->layout = CAIRN_KERNEL_LETTERS;
    rows->n_terms = view->n_features;
    CHECK(cairn_metric_open(ctx, &metric, "kernel", "edit"));
    CHECK(cairn_metric_points(ctx, &metric, &rows->texts, view, NULL));
    return prepare(ctx, rows, kernel);
}

cairn_status cairn_kernel_texts_keep(cairn_context *ctx, cairn_kernel_rows *out,
                                     const cairn_kernel_rows *from, const uint32_t *which)
{
    const cairn_points *p = &from->texts;
    cairn_points *to = &out->texts;
    size_t at = 0, n = out->n;
    *to = (cairn_points){.n = n, .n_texts = p->n_texts};
    CHECK(NEW_RAW_EACH(ctx, cairn_product(n, p->n_texts), &to->lengths, &to->starts));
    for (size_t t = 0; t < p->n_texts; t++)
        for (size_t r = 0; r < n; r++) {
            size_t length = (size_t)p->lengths[t * p->n + which[r]];
            to->lengths[t * n + r] = (int32_t)length;
            to->starts[t * n + r] = at;
            to->longest = length > to->longest ? length : to->longest;
            at += length;
        }
    to->n_letters = at;
    CHECK(NEW_RAW(ctx, &to->letters, at));
    if (from->orders) CHECK(NEW_RAW(ctx, &out->orders, at));
    for (size_t t = 0; t < p->n_texts; t++)
        for (size_t r = 0; r < n; r++) {
            size_t start = p->starts[t * p->n + which[r]], to_start = to->starts[t * n + r];
            size_t size = (size_t)to->lengths[t * n + r] * sizeof *to->letters;
            if (size) memcpy(to->letters + to_start, p->letters + start, size);
            if (size && from->orders) memcpy(out->orders + to_start, from->orders + start, size);
        }
    return CAIRN_OK;
}

cairn_status cairn_kernel_texts_archive(cairn_archive *a, const cairn_kernel *kernel,
                                        cairn_kernel_rows *rows)
{
    CHECK(cairn_points_archive(a, &rows->texts));
    if (!cairn_archive_reading(a)) return CAIRN_OK;
    if (rows->texts.n != rows->n || rows->texts.n_texts != rows->n_terms)
        CHECK(cairn_archive_damaged(a, "texts and rows do not fit together"));
    if (rows->texts.n_texts == 0) CHECK(cairn_archive_damaged(a, "there are no texts"));
    return prepare(cairn_archive_context(a), rows, kernel);
}

enum {
    READ_ROWS = 256,    /* read at a time */
    DENSE_TERMS = 1024, /* up to so many terms bags are written out, ... */
    DENSE_SHARE = 8     /* ... and where one number of so many is not 0 */
};

void cairn_kernel_rows_clear(cairn_kernel_rows *rows)
{
    FREE_EACH(rows->dense, rows->norms, rows->floats, rows->floats_norms, rows->shift, rows->starts,
              rows->items, rows->values, rows->columns);
    cairn_points_clear(&rows->texts);
    cairn_free(rows->orders);
    *rows = (cairn_kernel_rows){0};
}

/* -- reading -- */

typedef struct packing {
    const cairn_row_matrix *matrix;
    cairn_kernel_rows *rows;
    double *buffer; /* floats: a worker's rows in double */
} packing;

static void read_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)block;
    const packing *r = data;
    cairn_kernel_rows *rows = r->rows;
    size_t n = end - begin, n_terms = rows->n_terms;
    bool floats = rows->layout == CAIRN_KERNEL_FLOATS;
    double *z =
        floats ? r->buffer + (size_t)worker * READ_ROWS * n_terms : rows->dense + begin * n_terms;
    cairn_matrix_rows(r->matrix, begin, n, z);
    if (!floats) {
        cairn_matmul_norms(rows->norms + begin, z, n, n_terms);
        return;
    }
    float *to = rows->floats + begin * n_terms;
    for (size_t t = 0; t < n * n_terms; t++) to[t] = (float)z[t];
    cairn_matmul_floats_norms(rows->floats_norms + begin, to, n, n_terms);
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

/* Entries are counted before they are read, so that no more memory is taken than they need. */
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
    CHECK(NEW_RAW_EACH(ctx, all, &rows->items, &rows->values));
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
    else {
        /* Numbers without gaps, in the precision of the layout. */
        packing r = {.matrix = matrix, .rows = rows};
        SCOPED_SCRATCH(ctx);
        size_t size = cairn_product(rows->n, rows->n_terms);
        bool floats = rows->layout == CAIRN_KERNEL_FLOATS;
        size_t buffer =
            floats ? cairn_product((size_t)cairn_workers(ctx) * READ_ROWS, rows->n_terms) : 0;
        CHECK(SCRATCH_RAW(ctx, &r.buffer, buffer));
        if (floats) {
            CHECK(NEW_RAW(ctx, &rows->floats, size));
            CHECK(NEW_RAW(ctx, &rows->floats_norms, rows->n));
        } else {
            CHECK(NEW_RAW(ctx, &rows->dense, size));
            CHECK(NEW_RAW(ctx, &rows->norms, rows->n));
        }
        CHECK(cairn_blocks_sized(ctx, rows->n, READ_ROWS, (double)size, read_block, &r));
    }
    return CAIRN_OK;
}

/* Rows whose squares do not fit into single precision are read again in double, unless the rows of
 * a model are single. */
static cairn_status read_features(cairn_context *ctx, cairn_kernel_rows *rows,
                                  const cairn_kernel *kernel, const cairn_view *view,
                                  const cairn_kernel_options *options)
{
    SCOPED_SCRATCH(ctx);
    cairn_row_matrix matrix;
    cairn_matrix_options how = {.units = CAIRN_UNITS_SHIFTED};
    if (options->like) how.n_terms = options->like->n_terms;
    CHECK(cairn_matrix_open(ctx, &matrix, view, &how));
    rows->n_terms = matrix.n_terms;
    rows->layout = options->floats && !kernel->manhattan ? CAIRN_KERNEL_FLOATS : CAIRN_KERNEL_DENSE;
    if (are_sparse(&matrix)) rows->layout = CAIRN_KERNEL_SPARSE;
    if (options->like) rows->layout = options->like->layout;
    CHECK(find_shift(ctx, rows, &matrix, kernel, options->like));
    CHECK(read_rows(ctx, rows, &matrix));
    size_t bad = first_overflow(rows);
    if (bad < rows->n && rows->layout == CAIRN_KERNEL_FLOATS && !options->like) {
        FREE_EACH(rows->floats, rows->floats_norms);
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
                                    const cairn_kernel_options *options)
{
    SCOPED(cairn_kernel_rows_clear) cairn_kernel_rows rows = {.n = view->rows.n};
    bool given = options->like && options->like->layout == CAIRN_KERNEL_VALUES;
    if (!options->like) CHECK(find_kernel(ctx, kernel, view));
    if (given || cairn_kernel_kind_of(kernel) == CAIRN_KERNEL_GIVEN) {
        rows.layout = CAIRN_KERNEL_VALUES;
        rows.n_terms = view->n_features;
        CHECK(read_values(ctx, &rows, view, options->like));
    } else if (kernel->function->of_texts) {
        CHECK(cairn_kernel_texts_open(ctx, &rows, kernel, view, options->like));
    } else {
        CHECK(read_features(ctx, &rows, kernel, view, options));
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
    CHECK(NEW_RAW_EACH(ctx, at, &out->items, &out->values));
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

/* -- what is made of kernel values: diagonal, Gram matrix, scores -- */

enum {
    GRAM_ROWS = 256,   /* rows of the Gram matrix computed at a time */
    CHUNK_ROWS = 8192, /* new rows prepared at a time */
    PIECE_ROWS = 252,  /* of them scored at a time, */
    TILE_ROWS = 256,   /* with so many rows of the model */
    FEW_SCORES = 4     /* up to which each is an inner product of its own */
};

static cairn_status refuse_value(cairn_context *ctx, const cairn_kernel *kernel, size_t row)
{
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "the kernel%s%s overflows for row %zu of the training rows; rescale the "
                      "columns, or take a lower {degree} or a smaller {factor}",
                      kernel->function ? " " : "",
                      kernel->function ? kernel->function->entry.name : "", row + 1);
}

cairn_status cairn_kernel_diagonal(cairn_context *ctx, const cairn_kernel *kernel,
                                   const cairn_kernel_rows *rows, double *out)
{
    for (size_t i = 0; i < rows->n; i++) {
        if (rows->layout == CAIRN_KERNEL_LETTERS)
            out[i] = kernel->normalise ? rows->norms[i] > 0 : rows->norms[i];
        else if (rows->layout == CAIRN_KERNEL_VALUES)
            out[i] = rows->dense[i * rows->n_terms + (size_t)rows->columns[i]];
        else if (kernel->function->of_distance)
            out[i] = 1;
        else
            out[i] = cairn_kernel_together(kernel, rows->layout == CAIRN_KERNEL_FLOATS
                                                       ? (double)rows->floats_norms[i]
                                                       : rows->norms[i]);
        if (!isfinite(out[i])) return refuse_value(ctx, kernel, i);
    }
    return CAIRN_OK;
}

/* Rows from `first` on as a set of their own, borrowed. Of texts that cannot be: they are columns;
 * whoever takes them says which. */
static cairn_kernel_rows rows_from(const cairn_kernel_rows *rows, size_t first)
{
    cairn_kernel_rows part = *rows;
    if (part.dense) part.dense += first * rows->n_terms;
    if (part.norms) part.norms += first;
    if (part.floats) part.floats += first * rows->n_terms;
    if (part.floats_norms) part.floats_norms += first;
    if (part.starts) part.starts += first;
    return part;
}

/* Rows [i, i + m) from column i on. */
static cairn_status gram_strip(cairn_context *ctx, const cairn_kernel *kernel,
                               const cairn_kernel_rows *rows, size_t i, size_t m, double *out)
{
    SCOPED_SCRATCH(ctx);
    size_t n = rows->n;
    bool texts = rows->layout == CAIRN_KERNEL_LETTERS;
    cairn_kernel_rows part = texts ? *rows : rows_from(rows, i);
    uint32_t *which = NULL;
    if (texts) CHECK(SCRATCH_RAW(ctx, &which, m));
    for (size_t r = 0; texts && r < m; r++) which[r] = (uint32_t)(i + r);
    CHECK(cairn_kernel_block(ctx, kernel, &part, which, m, rows, i, n - i, out + i * n + i, n));
    bool bounded = kernel->function && (kernel->function->of_distance ||
                                        cairn_kernel_kind_of(kernel) == CAIRN_KERNEL_SIGMOID);
    for (size_t r = i; !bounded && r < i + m; r++)
        for (size_t j = r; j < n; j++)
            if (!isfinite(out[r * n + j])) return refuse_value(ctx, kernel, r);
    return CAIRN_OK;
}

cairn_status cairn_kernel_gram(cairn_context *ctx, const cairn_kernel *kernel,
                               const cairn_kernel_rows *rows, bool upper, double *out)
{
    for (size_t i = 0; i < rows->n; i += GRAM_ROWS) {
        size_t m = rows->n - i < GRAM_ROWS ? rows->n - i : GRAM_ROWS;
        CHECK(gram_strip(ctx, kernel, rows, i, m, out));
        CHECK(cairn_tick(ctx, "kernel values", (double)i, (double)rows->n));
    }
    if (!upper) cairn_mirror_upper(out, rows->n);
    return CAIRN_OK;
}

/* -- scores -- */

typedef struct scoring {
    const cairn_kernel *kernel;
    const cairn_kernel_rows *model, *rows;
    const double *coefficients, *constants;
    size_t m, tile;
    double *scores;
    size_t buffer; /* numbers of a worker's room */
    double *buffers;
} scoring;

/* values (n x tile) are k(new row, row first + j of the model). */
static void add_values(const scoring *s, const double *values, size_t n, size_t first, size_t tile,
                       double *scores, double *buffer)
{
    const double *c = s->coefficients + first;
    if (s->m > FEW_SCORES) {
        cairn_matmul p = {.m = n, .n = s->m, .k = tile, .a = values, .a_i = tile, .a_k = 1};
        p.b = c, p.b_k = 1, p.b_j = s->model->n;
        p.c = scores, p.c_i = s->m, p.alpha = 1;
        cairn_matmul_alone(&p, buffer);
        return;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < s->m; k++)
            scores[i * s->m + k] += cairn_dot(values + i * tile, c + k * s->model->n, tile);
}

/* Values of a piece of the new rows and a tile of the model's, in double. */
static void take_values(const scoring *s, const cairn_kernel_rows *piece, const uint32_t *which,
                        size_t n, size_t first, size_t tile, double *values, double *buffer)
{
    if (s->model->layout != CAIRN_KERNEL_FLOATS) {
        cairn_kernel_block_alone(s->kernel, piece, which, n, s->model, first, tile, values, tile,
                                 buffer);
        return;
    }
    float *floats = (float *)(void *)buffer;
    cairn_kernel_block_alone_floats(s->kernel, piece, which, n, s->model, first, tile, floats, tile,
                                    floats + n * tile);
    for (size_t i = 0; i < n * tile; i++) values[i] = (double)floats[i];
}

/* Texts cannot be cut into a piece of their own, so their rows are named by number. */
static void score_piece(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)block;
    const scoring *s = data;
    bool texts = s->rows->layout == CAIRN_KERNEL_LETTERS;
    cairn_kernel_rows piece = texts ? *s->rows : rows_from(s->rows, begin);
    double *values = s->buffers + (size_t)worker * s->buffer,
           *buffer = values + PIECE_ROWS * s->tile;
    double *scores = s->scores + begin * s->m;
    size_t n = end - begin;
    uint32_t which[PIECE_ROWS];
    for (size_t i = 0; i < n; i++) which[i] = (uint32_t)(begin + i);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < s->m; k++) scores[i * s->m + k] = s->constants ? s->constants[k] : 0;
    for (size_t first = 0; first < s->model->n; first += s->tile) {
        size_t tile = s->model->n - first < s->tile ? s->model->n - first : s->tile;
        take_values(s, &piece, texts ? which : NULL, n, first, tile, values, buffer);
        add_values(s, values, n, first, tile, scores, buffer);
    }
}

static cairn_status make_buffers(cairn_context *ctx, scoring *s)
{
    const cairn_kernel_rows *model = s->model, *rows = s->rows;
    s->tile = model->n < TILE_ROWS ? model->n : TILE_ROWS;
    size_t values = cairn_product(PIECE_ROWS, s->tile);
    size_t add = s->m > FEW_SCORES ? cairn_matmul_buffer(PIECE_ROWS, s->m, s->tile) : 0;
    size_t take =
        model->layout == CAIRN_KERNEL_FLOATS
            ? (values + cairn_kernel_buffer_floats(s->kernel, rows, PIECE_ROWS, model, s->tile)) /
                      2 +
                  1
            : cairn_kernel_buffer(s->kernel, rows, PIECE_ROWS, model, s->tile);
    s->buffer = values + (add > take ? add : take);
    return SCRATCH_RAW(ctx, &s->buffers, cairn_product((size_t)cairn_workers(ctx), s->buffer));
}

static cairn_status score_rows(cairn_context *ctx, scoring *s)
{
    size_t n = s->rows->n;
    CHECK(make_buffers(ctx, s));
    double work = (double)n * (double)s->model->n * (double)(s->model->n_terms + 20);
    return cairn_blocks_sized(ctx, n, PIECE_ROWS, work, score_piece, s);
}

/* Rows first .. first + n - 1 of the view: read as the model's were, then scored piece by piece. */
static cairn_status score_chunk(cairn_context *ctx, scoring *s, const cairn_view *view,
                                size_t first, size_t n)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_kernel_rows_clear) cairn_kernel_rows rows = {0};
    cairn_kernel kernel = *s->kernel;
    cairn_view part = *view;
    uint32_t *indices;
    CHECK(SCRATCH_RAW(ctx, &indices, n));
    for (size_t i = 0; i < n; i++) indices[i] = (uint32_t)cairn_view_row(view, first + i);
    part.rows = (cairn_rows){.indices = indices, .n = n};
    CHECK(cairn_kernel_rows_open(ctx, &rows, &kernel, &part,
                                 &(cairn_kernel_options){.like = s->model}));
    s->rows = &rows;
    return score_rows(ctx, s);
}

cairn_status cairn_kernel_scores(cairn_context *ctx, const cairn_kernel *kernel,
                                 const cairn_kernel_rows *model, const double *coefficients,
                                 size_t m, const double *constants, const cairn_view *view,
                                 double *scores)
{
    SCOPED_SCRATCH(ctx);
    scoring s = {.kernel = kernel, .model = model, .coefficients = coefficients, .m = m};
    s.constants = constants;
    for (size_t first = 0; first < view->rows.n; first += CHUNK_ROWS) {
        size_t left = view->rows.n - first, n = left < CHUNK_ROWS ? left : CHUNK_ROWS;
        s.scores = scores + first * m;
        CHECK(score_chunk(ctx, &s, view, first, n));
        CHECK(cairn_tick(ctx, "predicting", (double)first, (double)view->rows.n));
    }
    return CAIRN_OK;
}

cairn_status cairn_kernel_own_scores(cairn_context *ctx, const cairn_kernel *kernel,
                                     const cairn_kernel_rows *model, const double *coefficients,
                                     size_t m, double *scores)
{
    SCOPED_SCRATCH(ctx);
    scoring s = {.kernel = kernel, .model = model, .coefficients = coefficients, .m = m};
    s.rows = model;
    s.scores = scores;
    return score_rows(ctx, &s);
}
