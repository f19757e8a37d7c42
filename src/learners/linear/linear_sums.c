/* SPDX-License-Identifier: MIT */
/* The passes of least squares over the rows: cross products, an orthogonal triangle, residuals.
 *
 * A pass reads blocks of rows, whose size depends on the shape of the data only; every block has
 * its own partial result, and these are joined in block order, so the number of threads does not
 * show. Within a block the rows go piece by piece through a worker's buffer. */
#include "learners/linear/linear.h"
#include "base/memory.h"
#include "base/number.h"
#include "kernels/kernels.h"
#include "kernels/linalg.h"
#include "parallel/parallel.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum {
    ROUGH_ROWS = 1024,         /* sample behind shift and scale */
    MOST_BLOCKS = 64,          /* partial results in memory */
    LEAST_BLOCK = 2048,        /* rows */
    PIECE_NUMBERS = 16 * 1024, /* numbers in a worker's buffer */
    RESIDUAL_ROWS = 4096,      /* rows whose residuals are made together */
    MOST_PARTIAL = 1 << 24     /* numbers in all partial results, where that is possible */
};

/* Places in the partial result of the residual pass; the moments follow. */
enum {
    AT_E1,
    AT_E2,
    AT_E3,
    AT_E4,
    AT_LARGEST,
    AT_ROW,
    AT_F1,
    AT_F2,
    AT_FE2,
    AT_STEPS,
    AT_FIRST,
    AT_LAST,
    AT_ANY,
    AT_MOMENTS
};

void cairn_linear_rough_scale(const cairn_view *view, const double *column, double *shift,
                              double *scale)
{
    size_t n = view->rows.n, m = n < ROUGH_ROWS ? n : ROUGH_ROWS;
    double first = column[cairn_view_row(view, 0)], mean = 0, size = 0;
    bool same = true;
    for (size_t i = 0; i < m; i++) {
        double x = column[cairn_view_row(view, i * n / m)];
        mean += (x - mean) / (double)(i + 1);
        same = same && x == first;
    }
    if (same || !isfinite(mean)) mean = first;
    for (size_t i = 0; i < m; i++)
        size = fmax(size, fabs(column[cairn_view_row(view, i * n / m)] - mean));
    if (!(size > 0) || !isfinite(size)) size = fabs(mean);
    if (!(size > 0) || !isfinite(size)) size = 1;
    int exponent;
    frexp(size, &exponent);
    if (exponent < -1000) exponent = -1000;
    if (!same && fabs(mean) <= size && exponent > -100 && exponent < 100) mean = exponent = 0;
    *shift = isfinite(mean) ? mean : 0;
    *scale = ldexp(1, exponent > 1000 ? -1000 : -exponent);
}

/* Rows per block and per piece, by the shape of the data alone. */
static void choose_sizes(cairn_linear_pass *pass)
{
    size_t n = pass->n_rows, width = pass->stride, most = MOST_BLOCKS;
    size_t square = cairn_product(width, width);
    if (square > MOST_PARTIAL / MOST_BLOCKS)
        most = square >= MOST_PARTIAL / 4 ? 4 : MOST_PARTIAL / square;
    pass->chunk = (n + most - 1) / most;
    if (pass->chunk < LEAST_BLOCK) pass->chunk = LEAST_BLOCK;
    if (pass->chunk < 2 * width) pass->chunk = 2 * width;
    pass->piece = PIECE_NUMBERS / width / 8 * 8;
    if (pass->piece < 64) pass->piece = 64;
    if (pass->piece > pass->chunk) pass->piece = pass->chunk;
}

cairn_status cairn_linear_pass_make(cairn_context *ctx, cairn_linear_pass *out,
                                    const cairn_view *view, bool shifted)
{
    size_t p = view->n_features, workers = (size_t)cairn_workers(ctx);
    *out = (cairn_linear_pass){.view = view, .p = p, .stride = p + 2, .n_rows = view->rows.n};
    out->plain = true;
    out->weighted = cairn_view_is_weighted(view);
    choose_sizes(out);
    CHECK(SCRATCH(ctx, &out->columns, p + 1));
    CHECK(SCRATCH(ctx, &out->shift, p + 1));
    CHECK(SCRATCH(ctx, &out->scale, p + 1));
    CHECK(SCRATCH_RAW(ctx, &out->buffers, cairn_product(workers, out->piece * out->stride)));
    CHECK(SCRATCH_RAW(ctx, &out->weights, workers * out->piece));
    for (size_t j = 0; j <= p; j++) {
        out->columns[j] = j < p ? view->features[j]->numbers : view->target->numbers;
        cairn_linear_rough_scale(view, out->columns[j], &out->shift[j], &out->scale[j]);
        if (!shifted) out->shift[j] = 0;
        out->plain = out->plain && out->shift[j] == 0 && out->scale[j] == 1;
    }
    for (size_t i = 0; i < workers * out->piece; i++) out->buffers[i * out->stride + p + 1] = 1;
    return CAIRN_OK;
}

/* z of some rows, in the worker's buffer; *weights is NULL when all are 1. */
static double *read_piece(const cairn_linear_pass *pass, size_t first, size_t n, int worker,
                          const double **weights)
{
    double *z = pass->buffers + (size_t)worker * pass->piece * pass->stride;
    double *w = pass->weights + (size_t)worker * pass->piece;
    const uint32_t *rows = pass->view->rows.indices;
    cairn_pack_rows(z, pass->stride, pass->columns, pass->p + 1, rows ? rows + first : NULL,
                    rows ? 0 : first, n);
    if (!pass->plain)
        cairn_standardise_rows(z, pass->stride, n, pass->p + 1, pass->shift, pass->scale);
    if (pass->weighted) cairn_view_weights(pass->view, first, n, w);
    *weights = pass->weighted ? w : NULL;
    return z;
}

static cairn_status run_pass(cairn_context *ctx, cairn_linear_pass *pass, size_t partial_size,
                             cairn_block_function function, size_t *n_blocks)
{
    *n_blocks = cairn_block_count(pass->n_rows, pass->chunk);
    pass->partial_size = partial_size;
    CHECK(SCRATCH(ctx, &pass->partial, cairn_product(*n_blocks, partial_size)));
    return cairn_blocks(ctx, pass->n_rows, pass->chunk, function, pass);
}

static void gram_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const cairn_linear_pass *pass = data;
    double *gram = pass->partial + block * pass->partial_size;
    for (size_t i = begin; i < end; i += pass->piece) {
        size_t n = end - i < pass->piece ? end - i : pass->piece;
        const double *w, *z = read_piece(pass, i, n, worker, &w);
        cairn_gram_add(gram, NULL, z, pass->stride, NULL, w, n, pass->stride);
    }
}

cairn_status cairn_linear_refuse_number(cairn_context *ctx, const char *column, size_t row,
                                        double number)
{
    char value[CAIRN_NUMBER_SIZE];
    cairn_number_format(value, number, CAIRN_SHORTEST);
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "column '%s', row %zu: %s is not a finite number; leave the row out or treat "
                      "the cell as missing",
                      column, row + 1, value);
}

/* The first cell that is not a finite number, told by its column and row. */
static cairn_status complain_not_finite(cairn_context *ctx, const cairn_linear_pass *pass)
{
    const cairn_view *view = pass->view;
    for (size_t j = 0; j <= pass->p; j++)
        for (size_t i = 0; i < pass->n_rows; i++) {
            size_t row = cairn_view_row(view, i);
            if (isfinite(pass->columns[j][row])) continue;
            return cairn_linear_refuse_number(ctx, j < pass->p ? view->names[j] : view->target_name,
                                              row, pass->columns[j][row]);
        }
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "the sums of squares overflow: some numbers are too large for least squares; "
                      "rescale the columns");
}

cairn_status cairn_linear_gram(cairn_context *ctx, cairn_linear_pass *pass, double *gram)
{
    size_t size = pass->stride * pass->stride, n_blocks;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_status status;
    TRY(run_pass(ctx, pass, size, gram_block, &n_blocks));
    memset(gram, 0, size * sizeof *gram);
    for (size_t b = 0; b < n_blocks; b++)
        for (size_t i = 0; i < size; i++) gram[i] += pass->partial[b * size + i];
    TRY(cairn_all_sum(ctx, gram, size));
    for (size_t j = 0; j < pass->stride; j++)
        if (!isfinite(gram[j * pass->stride + j])) TRY(complain_not_finite(ctx, pass));
    cairn_mirror_upper(gram, pass->stride);
done:
    cairn_scratch_release(ctx, mark);
    return status;
}

typedef struct triangle_work {
    const cairn_linear_pass *pass;
    bool intercept;
    double *triangles; /* one per block */
} triangle_work;

/* z by columns, rows multiplied by the roots of their weights: ones, features, target. */
static void turn_piece(double *out, const double *z, const double *w, size_t n, size_t width,
                       bool intercept)
{
    for (size_t j = 0; j < width; j++) {
        size_t from = j == 0 ? width - 1 : j - 1;
        for (size_t i = 0; i < n; i++) out[j * n + i] = (w ? sqrt(w[i]) : 1) * z[i * width + from];
    }
    if (!intercept) memset(out, 0, n * sizeof *out);
}

static cairn_status triangle_task(cairn_context *ctx, void *data, size_t block)
{
    const triangle_work *work = data;
    cairn_linear_pass pass = *work->pass;
    size_t width = pass.stride, begin = block * pass.chunk;
    size_t end = begin + pass.chunk < pass.n_rows ? begin + pass.chunk : pass.n_rows;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    double *turned;
    cairn_status status;
    if (pass.piece < 2 * width)
        pass.piece = 2 * width; /* or the triangle costs more than the rows */
    if (pass.piece > pass.chunk) pass.piece = pass.chunk;
    TRY(SCRATCH_RAW(ctx, &pass.buffers, pass.piece * width));
    TRY(SCRATCH_RAW(ctx, &pass.weights, pass.piece));
    TRY(SCRATCH_RAW(ctx, &turned, pass.piece * width));
    for (size_t i = 0; i < pass.piece; i++) pass.buffers[i * width + width - 1] = 1;
    for (size_t i = begin; i < end; i += pass.piece) {
        size_t n = end - i < pass.piece ? end - i : pass.piece;
        const double *w, *z = read_piece(&pass, i, n, 0, &w);
        turn_piece(turned, z, w, n, width, work->intercept);
        TRY(cairn_qr_add(ctx, work->triangles + block * width * width, turned, n, width));
        TRY(cairn_tick(ctx, NULL, 0, 1));
    }
done:
    cairn_scratch_release(ctx, mark);
    return status;
}

cairn_status cairn_linear_triangle(cairn_context *ctx, cairn_linear_pass *pass, bool intercept,
                                   double *triangle)
{
    size_t width = pass->stride, size = width * width;
    size_t n_blocks = cairn_block_count(pass->n_rows, pass->chunk);
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    triangle_work work = {.pass = pass, .intercept = intercept};
    cairn_status status;
    double *turned;
    TRY(SCRATCH(ctx, &work.triangles, cairn_product(n_blocks, size)));
    TRY(SCRATCH_RAW(ctx, &turned, size));
    TRY(cairn_tasks(ctx, n_blocks, triangle_task, &work));
    memset(triangle, 0, size * sizeof *triangle);
    for (size_t b = 0; b < n_blocks; b++) {
        const double *part = work.triangles + b * size;
        for (size_t i = 0; i < size; i++) turned[i % width * width + i / width] = part[i];
        TRY(cairn_qr_add(ctx, triangle, turned, width, width));
    }
done:
    cairn_scratch_release(ctx, mark);
    return status;
}

/* One row's residual into the sums; e and f are residual and fitted value. */
static void count_residual(double *sums, double w, double e, double f, size_t row)
{
    double e2 = e * e;
    sums[AT_E1] += w * e;
    sums[AT_E2] += w * e2;
    sums[AT_E3] += w * e2 * e;
    sums[AT_E4] += w * e2 * e2;
    sums[AT_F1] += w * f;
    sums[AT_F2] += w * f * f;
    sums[AT_FE2] += w * f * e2;
    if (sums[AT_ANY] == 0)
        sums[AT_FIRST] = e;
    else
        sums[AT_STEPS] += (e - sums[AT_LAST]) * (e - sums[AT_LAST]);
    if (sums[AT_ANY] == 0 || fabs(e) > fabs(sums[AT_LARGEST]))
        sums[AT_LARGEST] = e, sums[AT_ROW] = (double)row;
    sums[AT_LAST] = e;
    sums[AT_ANY] = 1;
}

/* Column j of z for some rows: where it lies in the table, or made in `room`. */
static const double *read_column(const cairn_linear_pass *pass, size_t j, size_t first, size_t n,
                                 double *room)
{
    const uint32_t *rows = pass->view->rows.indices;
    const double *from = pass->columns[j] + (rows ? 0 : first);
    double shift = pass->shift[j], scale = pass->scale[j];
    if (!rows && shift == 0 && scale == 1) return from;
    if (rows) cairn_gather(room, from, rows + first, n);
    for (size_t i = 0; i < n; i++) room[i] = ((rows ? room[i] : from[i]) - shift) * scale;
    return room;
}

/* Residuals of a few rows, column by column: nothing is turned or copied where z is x. */
static void residual_piece(const cairn_linear_pass *pass, double *sums, size_t first, size_t n)
{
    double fits[RESIDUAL_ROWS], rests[RESIDUAL_ROWS], room[RESIDUAL_ROWS], w[RESIDUAL_ROWS];
    size_t p = pass->p;
    for (size_t i = 0; i < n; i++) fits[i] = pass->slopes[p];
    for (size_t j = 0; j < p; j++)
        cairn_axpy(fits, pass->slopes[j], read_column(pass, j, first, n, room), n);
    const double *target = read_column(pass, p, first, n, room);
    if (pass->weighted) cairn_view_weights(pass->view, first, n, w);
    for (size_t i = 0; i < n; i++) {
        double e = rests[i] = target[i] - fits[i], weight = pass->weighted ? w[i] : 1;
        if ((first + i) % pass->sample_step == 0) {
            size_t at = (first + i) / pass->sample_step;
            pass->residuals[at] = e / pass->scale[p];
            pass->fitted[at] = fits[i] / pass->scale[p] + pass->shift[p];
        }
        if (weight == 0)
            rests[i] = 0;
        else
            count_residual(sums, weight, e, fits[i], first + i);
        if (pass->weighted) rests[i] *= weight;
        sums[AT_MOMENTS + p] += rests[i];
    }
    for (size_t j = 0; j < p && pass->correct; j++)
        sums[AT_MOMENTS + j] += cairn_dot(rests, read_column(pass, j, first, n, room), n);
}

static void residual_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const cairn_linear_pass *pass = data;
    double *sums = pass->partial + block * pass->partial_size;
    (void)worker;
    for (size_t start = begin; start < end; start += RESIDUAL_ROWS)
        residual_piece(pass, sums, start,
                       end - start < RESIDUAL_ROWS ? end - start : RESIDUAL_ROWS);
}

/* Add a block's sums to those of the blocks before it. */
static void join_residuals(double *sums, const double *part, size_t size)
{
    if (part[AT_ANY] == 0) return;
    bool any = sums[AT_ANY] != 0;
    double last = sums[AT_LAST];
    bool larger = !any || fabs(part[AT_LARGEST]) > fabs(sums[AT_LARGEST]);
    double largest = larger ? part[AT_LARGEST] : sums[AT_LARGEST];
    double row = larger ? part[AT_ROW] : sums[AT_ROW];
    double first = any ? sums[AT_FIRST] : part[AT_FIRST];
    double gap = any ? part[AT_FIRST] - last : 0;
    for (size_t i = 0; i < size; i++) sums[i] += part[i];
    sums[AT_STEPS] += gap * gap;
    sums[AT_LARGEST] = largest;
    sums[AT_ROW] = row;
    sums[AT_FIRST] = first;
    sums[AT_LAST] = part[AT_LAST];
    sums[AT_ANY] = 1;
}

/* The checks from the sums; `total` is the sum of weights, `unit` turns z into target units. */
static void finish_checks(cairn_linear_checks *out, const double *sums, double total, double unit)
{
    double m1 = sums[AT_E1] / total, r2 = sums[AT_E2] / total, r3 = sums[AT_E3] / total;
    double m2 = r2 - m1 * m1, m3 = r3 - 3 * m1 * r2 + 2 * m1 * m1 * m1;
    double r4 = sums[AT_E4] / total;
    double m4 = r4 - 4 * m1 * r3 + 6 * m1 * m1 * r2 - 3 * m1 * m1 * m1 * m1;
    double f1 = sums[AT_F1] / total, f_var = sums[AT_F2] / total - f1 * f1, e2_var = r4 - r2 * r2;
    out->sum = sums[AT_E1] * unit;
    out->largest = sums[AT_LARGEST] * unit;
    out->skewness = m2 > 0 ? m3 / (m2 * sqrt(m2)) : NAN;
    out->kurtosis = m2 > 0 ? m4 / (m2 * m2) : NAN;
    out->durbin_watson = sums[AT_E2] > 0 ? sums[AT_STEPS] / sums[AT_E2] : NAN;
    out->spread =
        f_var > 0 && e2_var > 0 ? (sums[AT_FE2] / total - f1 * r2) / sqrt(f_var * e2_var) : NAN;
}

cairn_status cairn_linear_residuals(cairn_context *ctx, cairn_linear_pass *pass,
                                    cairn_linear_checks *checks, double *sse, double *moments)
{
    size_t size = AT_MOMENTS + pass->p + 1, n_blocks;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_status status;
    double *sums, unit = 1 / pass->scale[pass->p];
    TRY(SCRATCH(ctx, &sums, size));
    TRY(run_pass(ctx, pass, size, residual_block, &n_blocks));
    for (size_t b = 0; b < n_blocks; b++) join_residuals(sums, pass->partial + b * size, size);
    finish_checks(checks, sums, pass->total, unit);
    checks->largest_row = (int64_t)cairn_view_row(pass->view, (size_t)sums[AT_ROW]);
    *sse = sums[AT_E2] * unit * unit;
    memcpy(moments, sums + AT_MOMENTS, (pass->p + 1) * sizeof *moments);
done:
    cairn_scratch_release(ctx, mark);
    return status;
}
