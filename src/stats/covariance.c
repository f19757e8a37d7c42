/* SPDX-License-Identifier: MIT */
/* Sums of products of columns about their means.
 *
 * 1. One pass per column gives sum, extent and whether it holds whole numbers only.
 * 2. Few columns: rows in fixed blocks, each block's products in a matrix of its own, added in
 *    order. Many columns: rows in slabs, packed row by row with the mean taken off; then the
 *    squares of the result, cut into tiles, are computed side by side, each over the whole slab, so
 *    that no second copy of a large matrix is needed.
 *
 * Whole numbers that span at most 512 (pixels, ratings, marks) are shifted by the middle of their
 * range instead of the mean and multiplied as floats: a sum over at most 2^24 / span^2 * 4 rows is
 * a whole number below 2^24, so nothing is rounded, whatever the order. The shift is undone at the
 * end: sum (x-c)(y-d) - W (mean_x - c)(mean_y - d). */
#include "stats/covariance.h"
#include "base/number.h"
#include "data/column.h"
#include "kernels/kernels.h"
#include "kernels/products.h"
#include "parallel/parallel.h"
#include <limits.h>
#include <math.h>
#include <string.h>

enum {
    LOOK_ROWS = 1 << 12, /* gathered at a time */
    NARROW = 96,         /* columns up to which blocks of rows keep matrices of their own */
    MOST_BLOCKS = 64,
    LEAST_BLOCK = 1024,
    SLAB_NUMBERS = 1 << 21, /* of a slab */
    PACK_ROWS = 64,
    TILE = 256,
    MOST_HALF = 256, /* of the span of columns that are multiplied as floats */
    EXACT_FLOATS = 1 << 24
};

/* -- the first pass -- */

typedef struct look_work {
    const cairn_view *view;
    cairn_centre *out;
    double *rests;   /* per column */
    double *buffers; /* 2 * LOOK_ROWS per worker */
} look_work;

/* One pass over a column finds its sum and range, and whether all its numbers are whole (`rest` 0),
 * in which case sums of products are exact. */
static void look_column(void *data, size_t column, size_t begin, size_t end, int worker)
{
    (void)begin, (void)end;
    const look_work *work = data;
    const cairn_view *view = work->view;
    const double *numbers = view->features[column]->numbers;
    double *buffer = work->buffers + (size_t)worker * 2 * LOOK_ROWS, *w = buffer + LOOK_ROWS;
    double sum = 0, low = INFINITY, high = -INFINITY, rest = 0;
    for (size_t first = 0; first < view->rows.n; first += LOOK_ROWS) {
        size_t n = view->rows.n - first < LOOK_ROWS ? view->rows.n - first : LOOK_ROWS;
        const double *x = numbers + first;
        cairn_look look;
        if (view->rows.indices) {
            cairn_gather(buffer, numbers, view->rows.indices + first, n);
            x = buffer;
        }
        cairn_look_at(&look, x, n);
        if (work->out->weighted) {
            cairn_view_weights(view, first, n, w);
            sum += cairn_dot(w, x, n) + 0 * look.sum; /* weight 0 hides no missing cell */
        } else {
            sum += look.sum;
        }
        low = look.low < low ? look.low : low;
        high = look.high > high ? look.high : high;
        rest += look.rest;
    }
    work->out->means[column] = sum;
    work->out->lows[column] = low;
    work->out->highs[column] = high;
    work->rests[column] = rest;
}

/* Called when the sums are not finite: finds the first cell that explains it, else the squares
 * overflow. */
static cairn_status refuse_cell(cairn_context *ctx, const cairn_view *view, size_t column,
                                const char *who)
{
    const double *numbers = view->features[column]->numbers;
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i);
        CHECK(cairn_need_finite(ctx, who, view->names[column], row, numbers[row]));
    }
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "%s: the numbers of column '%s' are too large for sums of their squares; "
                      "rescale the column",
                      who, view->names[column]);
}

static double sum_weights(const cairn_view *view)
{
    double sum = 0;
    for (size_t i = 0; i < view->rows.n; i++) sum += cairn_view_weight(view, i);
    return sum;
}

cairn_status cairn_centre_of(cairn_context *ctx, cairn_centre *out, const cairn_view *view,
                             const char *who)
{
    size_t n = view->n_features;
    look_work work = {.view = view, .out = out};
    *out = (cairn_centre){.n = n, .weighted = cairn_view_is_weighted(view), .whole = true};
    CHECK(SCRATCH_EACH(ctx, n, &out->means, &out->lows, &out->highs, &work.rests));
    CHECK(SCRATCH(ctx, &work.buffers, (size_t)cairn_workers(ctx) * 2 * LOOK_ROWS));
    out->weight = out->weighted ? sum_weights(view) : (double)view->rows.n;
    CHECK(cairn_blocks(ctx, n, 1, look_column, &work));
    for (size_t j = 0; j < n; j++) {
        bool bad = !isfinite(out->means[j]) || !isfinite(out->lows[j] * out->lows[j]) ||
                   !isfinite(out->highs[j] * out->highs[j]);
        if (bad && view->rows.n) CHECK(refuse_cell(ctx, view, j, who));
        out->means[j] = out->weight > 0 ? out->means[j] / out->weight : 0;
        out->whole = out->whole && work.rests[j] == 0;
    }
    return CAIRN_OK;
}

/* -- products of the columns of a long matrix that is made piece by piece -- */

/* Rows first .. first+n-1 of the long matrix, n x width. */
typedef void (*pack_function)(const void *source, size_t first, size_t n, double *out);

typedef struct product_work {
    const void *source;
    pack_function pack;
    size_t n, width;
    double *out; /* width x width, the upper triangle */
    size_t block, first, n_slab, panel, n_panels, run;
    double *partial;         /* narrow: one matrix per block */
    double *buffers;         /* per worker: PACK_ROWS x width */
    double *slab;            /* n_slab x width */
    float *floats;           /* the same, in place of it */
    float *tiles;            /* per worker: panel x panel */
    size_t buffer;           /* numbers that a product of tiles works in */
    double *product_buffers; /* per worker: room */
    float *float_buffers;    /* the same, in place of it */
} product_work;

static void narrow_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const product_work *work = data;
    double *buffer = work->buffers + (size_t)worker * PACK_ROWS * work->width;
    double *out = work->partial + block * work->width * work->width;
    for (size_t i = begin; i < end; i += PACK_ROWS) {
        size_t n = end - i < PACK_ROWS ? end - i : PACK_ROWS;
        work->pack(work->source, i, n, buffer);
        cairn_gram_add(out, NULL, buffer, work->width, NULL, NULL, n, work->width);
    }
}

static void pack_piece(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)block;
    const product_work *work = data;
    size_t width = work->width, n = end - begin;
    if (!work->floats) {
        work->pack(work->source, work->first + begin, n, work->slab + begin * width);
        return;
    }
    double *buffer = work->buffers + (size_t)worker * PACK_ROWS * width;
    float *to = work->floats + begin * width;
    work->pack(work->source, work->first + begin, n, buffer);
    for (size_t i = 0; i < n * width; i++) to[i] = (float)buffer[i];
}

/* Exact sums of floats, run by run, added to the tile of the result. */
static void float_tile(const product_work *work, double *out, size_t at_a, size_t at_b, size_t n_a,
                       size_t n_b, int worker)
{
    float *tile = work->tiles + (size_t)worker * work->panel * work->panel;
    for (size_t i = 0; i < work->n_slab; i += work->run) {
        size_t n = work->n_slab - i < work->run ? work->n_slab - i : work->run;
        const float *rows = work->floats + i * work->width;
        cairn_cross_floats(tile, n_b, rows + at_a, rows + at_b, work->width, n, n_a, n_b,
                           work->float_buffers + (size_t)worker * work->buffer);
        for (size_t a = 0; a < n_a; a++)
            for (size_t b = at_a == at_b ? a : 0; b < n_b; b++)
                out[a * work->width + b] += (double)tile[a * n_b + b];
    }
}

static void product_tile(void *data, size_t number, size_t begin, size_t end, int worker)
{
    (void)begin, (void)end;
    const product_work *work = data;
    size_t row = 0, column = number, width = work->width;
    while (column >= work->n_panels - row) column -= work->n_panels - row++;
    column += row;
    size_t at_a = row * work->panel, at_b = column * work->panel;
    size_t n_a = width - at_a < work->panel ? width - at_a : work->panel;
    size_t n_b = width - at_b < work->panel ? width - at_b : work->panel;
    double *out = work->out + at_a * width + at_b;
    if (work->floats)
        float_tile(work, out, at_a, at_b, n_a, n_b, worker);
    else
        cairn_cross_add(out, width, work->slab + at_a, work->slab + at_b, width, work->n_slab, n_a,
                        n_b, work->product_buffers + (size_t)worker * work->buffer);
}

/* Rows are packed in slabs that stay in the cache, and tiles of the triangle above the diagonal are
 * products of panels; their order is fixed, so threads do not change the sums. */
static cairn_status wide_products(cairn_context *ctx, product_work *work)
{
    size_t width = work->width, workers = (size_t)cairn_workers(ctx);
    size_t slab = SLAB_NUMBERS / width / PACK_ROWS * PACK_ROWS;
    if (slab < 4 * PACK_ROWS) slab = 4 * PACK_ROWS;
    if (slab > work->n) slab = work->n;
    work->n_panels = (width + TILE - 1) / TILE;
    work->panel = (width + work->n_panels - 1) / work->n_panels;
    work->panel = (work->panel + 7) / 8 * 8;
    work->n_panels = (width + work->panel - 1) / work->panel;
    if (work->run) {
        CHECK(SCRATCH_RAW(ctx, &work->floats, cairn_product(slab, width)));
        CHECK(SCRATCH_RAW(ctx, &work->tiles, workers * work->panel * work->panel));
        work->buffer = cairn_matmul_floats_buffer(work->panel, work->panel, work->run);
        CHECK(SCRATCH_RAW(ctx, &work->float_buffers, workers * work->buffer));
    } else {
        CHECK(SCRATCH_RAW(ctx, &work->slab, cairn_product(slab, width)));
        work->buffer = cairn_matmul_buffer(work->panel, work->panel, slab);
        CHECK(SCRATCH_RAW(ctx, &work->product_buffers, workers * work->buffer));
    }
    for (work->first = 0; work->first < work->n; work->first += slab) {
        work->n_slab = work->n - work->first < slab ? work->n - work->first : slab;
        CHECK(cairn_blocks(ctx, work->n_slab, PACK_ROWS, pack_piece, work));
        CHECK(cairn_blocks(ctx, work->n_panels * (work->n_panels + 1) / 2, 1, product_tile, work));
        CHECK(cairn_tick(ctx, "products", (double)work->first, (double)work->n));
    }
    return CAIRN_OK;
}

/* work->run > 0: the packed numbers are whole, and sums of that many products exact as floats. */
static cairn_status products_of(cairn_context *ctx, product_work *work)
{
    SCOPED_SCRATCH(ctx);
    size_t workers = (size_t)cairn_workers(ctx);
    memset(work->out, 0, cairn_product(work->width, work->width) * sizeof *work->out);
    if (work->width > INT_MAX)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "a matrix of %zu columns is too large", work->width);
    if (work->n == 0 || work->width == 0) return CAIRN_OK;
    CHECK(SCRATCH_RAW(ctx, &work->buffers, cairn_product(workers * PACK_ROWS, work->width)));
    if (work->width <= NARROW) {
        size_t square = work->width * work->width;
        work->block = (work->n + MOST_BLOCKS - 1) / MOST_BLOCKS;
        if (work->block < LEAST_BLOCK) work->block = LEAST_BLOCK;
        size_t n_blocks = cairn_block_count(work->n, work->block);
        CHECK(SCRATCH(ctx, &work->partial, cairn_product(n_blocks, square)));
        CHECK(cairn_blocks(ctx, work->n, work->block, narrow_block, work));
        for (size_t b = 0; b < n_blocks; b++)
            for (size_t i = 0; i < square; i++) work->out[i] += work->partial[b * square + i];
    } else
        CHECK(wide_products(ctx, work));
    return CAIRN_OK;
}

/* -- columns -- */

typedef struct column_source {
    const cairn_view *view;
    const double **columns;
    const double *shifts;
    bool weighted;
} column_source;

static void pack_rows(const void *source, size_t first, size_t n, double *out)
{
    const column_source *s = source;
    const uint32_t *rows = s->view->rows.indices;
    size_t width = s->view->n_features;
    cairn_pack_rows(out, width, s->columns, width, rows ? rows + first : NULL, rows ? 0 : first, n);
    cairn_standardise_rows(out, width, n, width, s->shifts, NULL);
    for (size_t i = 0; s->weighted && i < n; i++) {
        double root = sqrt(cairn_view_weight(s->view, first + i));
        for (size_t j = 0; j < width; j++) out[i * width + j] *= root;
    }
}

/* Rows whose products may be summed as floats without rounding; 0 = never. The shifts become whole
 * numbers in the middle of the columns. */
static size_t exact_run(const cairn_centre *centre, double *shifts)
{
    double half = 1;
    if (!centre->whole || centre->weighted || centre->n <= NARROW) return 0;
    for (size_t j = 0; j < centre->n; j++) {
        double middle = floor((centre->lows[j] + centre->highs[j]) / 2);
        half = fmax(half, fmax(centre->highs[j] - middle, middle - centre->lows[j]));
        shifts[j] = middle;
    }
    return half <= MOST_HALF ? (size_t)(EXACT_FLOATS / (half * half)) : 0;
}

cairn_status cairn_column_products(cairn_context *ctx, double *products, const cairn_view *view,
                                   const cairn_centre *centre)
{
    SCOPED_SCRATCH(ctx);
    double *shifts;
    size_t n = view->n_features;
    column_source source = {.view = view, .weighted = centre->weighted};
    product_work work = {.source = &source, .pack = pack_rows, .n = view->rows.n, .width = n};
    CHECK(SCRATCH_EACH(ctx, n, &shifts, &source.columns));
    for (size_t j = 0; j < n; j++) source.columns[j] = view->features[j]->numbers;
    work.run = exact_run(centre, shifts);
    work.out = products;
    if (!work.run) memcpy(shifts, centre->means, n * sizeof *shifts);
    source.shifts = shifts;
    CHECK(products_of(ctx, &work));
    for (size_t j = 0; work.run && j < n; j++)
        for (size_t k = j; k < n; k++)
            products[j * n + k] -=
                centre->weight * (centre->means[j] - shifts[j]) * (centre->means[k] - shifts[k]);
    cairn_mirror_upper(products, n);
    return CAIRN_OK;
}

/* -- rows -- */

typedef struct row_source {
    const cairn_view *view;
    const cairn_centre *centre;
    const double *scales, *roots;
} row_source;

/* "Rows" of the long matrix are columns of the table here. */
static void pack_columns(const void *source, size_t first, size_t n, double *out)
{
    const row_source *s = source;
    size_t width = s->view->rows.n;
    for (size_t j = first; j < first + n; j++, out += width) {
        const double *x = s->view->features[j]->numbers;
        double mean = s->centre->means[j], scale = s->scales ? s->scales[j] : 1;
        for (size_t i = 0; i < width; i++)
            out[i] = (x[cairn_view_row(s->view, i)] - mean) / scale * s->roots[i];
    }
}

cairn_status cairn_row_products(cairn_context *ctx, double *products, const cairn_view *view,
                                const cairn_centre *centre, const double *scales)
{
    SCOPED_SCRATCH(ctx);
    double *roots;
    row_source source = {.view = view, .centre = centre, .scales = scales};
    product_work work = {.source = &source,
                         .pack = pack_columns,
                         .n = view->n_features,
                         .width = view->rows.n,
                         .out = products};
    CHECK(SCRATCH(ctx, &roots, view->rows.n));
    for (size_t i = 0; i < view->rows.n; i++) roots[i] = sqrt(cairn_view_weight(view, i));
    source.roots = roots;
    CHECK(products_of(ctx, &work));
    cairn_mirror_upper(products, view->rows.n);
    return CAIRN_OK;
}
