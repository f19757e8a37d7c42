/* SPDX-License-Identifier: MIT */
/* The passes of k-means over the rows: assigning them to their nearest centres and summing them.
 *
 * Every block of rows has its own partial sums, joined in block order, so the number of threads
 * does not show.
 *
 * With bounds (after Hamerly, Making k-means even faster, 2010) a row remembers how near any centre
 * but its own can be. Centres that move by m lower that bound by at most m. A row whose own centre
 * is nearer than the bound, or nearer than half the way from there to the next centre, keeps its
 * centre without looking at the others. A margin well above rounding keeps the answer exactly that
 * of the plain search. */
#include "base/memory.h"
#include "base/number.h"
#include "kernels/kernels.h"
#include "learners/cluster/kmeans.h"
#include "parallel/parallel.h"
#include <math.h>
#include <string.h>

enum {
    MOST_BLOCKS = 64,
    LEAST_BLOCK = 1024,
    PIECE = 1024,      /* most rows of a piece */
    BOUNDS_FROM = 16,  /* clusters from which bounds are worth their cost */
    MOST_APART = 1024, /* clusters up to which distances between all centres are worth it */
    PIECE_NUMBERS = 8 * 1024,
    MOST_PARTIAL = 1 << 24 /* numbers in all partial results, where that is possible */
};

/* Rounding in the bounds is far below this share of a distance. */
static const double MARGIN = 1e-10;

const double *cairn_kmeans_read(const cairn_kmeans_data *data, size_t first, size_t n, int worker,
                                const double **weights)
{
    double *rows = data->buffers + (size_t)worker * data->piece * data->d;
    double *w = data->weights + (size_t)worker * data->piece;
    const uint32_t *indices = data->view->rows.indices;
    cairn_pack_rows(rows, data->d, data->columns, data->d, indices ? indices + first : NULL,
                    indices ? 0 : first, n);
    if (data->weighted) cairn_view_weights(data->view, first, n, w);
    *weights = data->weighted ? w : NULL;
    return rows;
}

void cairn_kmeans_row(const cairn_kmeans_data *data, size_t row, double *out)
{
    size_t at = cairn_view_row(data->view, row);
    for (size_t j = 0; j < data->d; j++) out[j] = data->columns[j][at];
}

/* -- overall mean and spread -- */

typedef struct moments_work {
    const cairn_kmeans_data *data;
    const double *shift;
    double *partial; /* per block: sums d, squares d, weight */
} moments_work;

static void moments_block(void *work_data, size_t block, size_t begin, size_t end, int worker)
{
    const moments_work *work = work_data;
    const cairn_kmeans_data *data = work->data;
    size_t d = data->d;
    double *sums = work->partial + block * (2 * d + 1), *squares = sums + d;
    for (size_t start = begin; start < end; start += data->piece) {
        size_t n = end - start < data->piece ? end - start : data->piece;
        const double *w, *rows = cairn_kmeans_read(data, start, n, worker, &w);
        for (size_t i = 0; i < n; i++) {
            double weight = w ? w[i] : 1;
            for (size_t j = 0; j < d; j++) {
                double x = rows[i * d + j] - work->shift[j];
                sums[j] += weight * x;
                squares[j] += weight * x * x;
            }
            squares[d] += weight;
        }
    }
}

static cairn_status complain_not_finite(cairn_context *ctx, const cairn_kmeans_data *data)
{
    for (size_t j = 0; j < data->d; j++)
        for (size_t i = 0; i < data->n; i++) {
            size_t row = cairn_view_row(data->view, i);
            if (isfinite(data->columns[j][row])) continue;
            char value[CAIRN_NUMBER_SIZE];
            cairn_number_format(value, data->columns[j][row], CAIRN_SHORTEST);
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "column '%s', row %zu: %s is not a finite number; leave the row out "
                              "or treat the cell as missing",
                              data->view->names[j], row + 1, value);
        }
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "the squared distances overflow: some numbers are too large for k-means; "
                      "standardise or rescale the columns");
}

static cairn_status find_moments(cairn_context *ctx, cairn_kmeans_data *data)
{
    size_t d = data->d, size = 2 * d + 1;
    moments_work work = {.data = data};
    double *shift, *sums;
    CHECK(SCRATCH(ctx, &shift, d));
    CHECK(SCRATCH(ctx, &sums, size));
    CHECK(SCRATCH(ctx, &work.partial, data->n_blocks * size));
    cairn_kmeans_row(data, 0, shift);
    work.shift = shift;
    CHECK(cairn_blocks(ctx, data->n, data->chunk, moments_block, &work));
    for (size_t b = 0; b < data->n_blocks; b++)
        for (size_t i = 0; i < size; i++) sums[i] += work.partial[b * size + i];
    CHECK(cairn_all_sum(ctx, sums, size));
    data->weight = sums[2 * d];
    data->total = 0;
    for (size_t j = 0; j < d; j++) {
        double mean = sums[j] / data->weight;
        data->mean[j] = shift[j] + mean;
        double square = sums[d + j] - sums[j] * mean;
        data->spread[j] = square < 0 ? 0 : square; /* keeps what is not a number */
        data->total += data->spread[j];
    }
    if (!isfinite(data->total)) CHECK(complain_not_finite(ctx, data));
    return CAIRN_OK;
}

cairn_status cairn_kmeans_data_make(cairn_context *ctx, cairn_kmeans_data *out,
                                    const cairn_view *view, size_t n_clusters)
{
    size_t n = view->rows.n, d = view->n_features, workers = (size_t)cairn_workers(ctx);
    size_t most = MOST_BLOCKS, partial = cairn_product(n_clusters, d + 2);
    *out = (cairn_kmeans_data){.view = view, .n = n, .d = d};
    if (partial > MOST_PARTIAL / MOST_BLOCKS)
        most = partial >= MOST_PARTIAL / 4 ? 4 : MOST_PARTIAL / partial;
    out->chunk = (n + most - 1) / most;
    if (out->chunk < LEAST_BLOCK) out->chunk = LEAST_BLOCK;
    out->n_blocks = cairn_block_count(n, out->chunk);
    out->piece = PIECE_NUMBERS / (d ? d : 1) / 32 * 32;
    if (out->piece < 32) out->piece = 32;
    if (out->piece > PIECE) out->piece = PIECE;
    out->weighted = cairn_view_is_weighted(view);
    for (size_t i = 0; i < n; i++) out->n_used += cairn_view_weight(view, i) > 0;
    CHECK(SCRATCH(ctx, &out->columns, d));
    for (size_t j = 0; j < d; j++) out->columns[j] = view->features[j]->numbers;
    CHECK(SCRATCH_RAW(ctx, &out->buffers, cairn_product(workers * out->piece, d)));
    CHECK(SCRATCH_RAW(ctx, &out->weights, workers * out->piece));
    CHECK(SCRATCH(ctx, &out->mean, d));
    CHECK(SCRATCH(ctx, &out->spread, d));
    return find_moments(ctx, out);
}

/* -- rounds -- */

void cairn_kmeans_order(double *ordered, const double *centres, size_t k, size_t d, bool last)
{
    for (size_t c = 0; c < k; c++)
        memcpy(ordered + c * d, centres + (last ? k - 1 - c : c) * d, d * sizeof *ordered);
}

void cairn_kmeans_nearest(int32_t *nearest, double *squares, const double *rows, size_t n, size_t d,
                          const double *ordered, size_t k, bool last)
{
    cairn_nearest_centres(nearest, squares, rows, d, n, d, ordered, k);
    if (!last) return;
    for (size_t i = 0; i < n; i++) nearest[i] = (int32_t)k - 1 - nearest[i];
}

cairn_status cairn_kmeans_run_make(cairn_context *ctx, cairn_kmeans_run *out,
                                   const cairn_kmeans_data *data, size_t k,
                                   const cairn_kmeans_params *params)
{
    size_t d = data->d;
    cairn_status status;
    *out = (cairn_kmeans_run){.data = data, .k = k, .last = params->tie == CAIRN_KMEANS_LAST};
    out->partial_size = k * (d + 2) + 1;
    TRY(SCRATCH(ctx, &out->centres, k * d));
    TRY(SCRATCH(ctx, &out->ordered, k * d));
    TRY(SCRATCH_RAW(ctx, &out->assign, data->n));
    TRY(SCRATCH_RAW(ctx, &out->partial, cairn_product(data->n_blocks, out->partial_size)));
    TRY(SCRATCH(ctx, &out->sums, k * d));
    TRY(SCRATCH(ctx, &out->sizes, k));
    TRY(SCRATCH(ctx, &out->within, k));
    memset(out->assign, -1, data->n * sizeof *out->assign);
    out->can_bound = params->method == CAIRN_KMEANS_BOUNDS ||
                     (params->method == CAIRN_KMEANS_AUTO && k >= BOUNDS_FROM);
    if (!out->can_bound) goto done;
    TRY(SCRATCH_RAW(ctx, &out->lower, data->n));
    TRY(SCRATCH(ctx, &out->old, k * d));
    TRY(SCRATCH(ctx, &out->drift, k));
    TRY(SCRATCH(ctx, &out->half, k));
    TRY(SCRATCH_RAW(ctx, &out->compact,
                    cairn_product((size_t)cairn_workers(ctx) * data->piece, d)));
done:
    return status;
}

/* What the bounds need to know of the centres: how far they moved, and how far apart they are. */
static void measure_centres(cairn_kmeans_run *run)
{
    size_t k = run->k, d = run->data->d, mover = 0;
    double most = 0, next = 0;
    for (size_t c = 0; c < k; c++) {
        double moved = sqrt(cairn_squared_distance(run->centres + c * d, run->old + c * d, d));
        if (moved > most)
            next = most, most = moved, mover = c;
        else if (moved > next)
            next = moved;
    }
    for (size_t c = 0; c < k; c++) run->drift[c] = c == mover ? next : most;
    for (size_t c = 0; c < k && k <= MOST_APART; c++) {
        double least = INFINITY;
        for (size_t e = 0; e < k; e++)
            if (e != c)
                least = fmin(least,
                             cairn_squared_distance(run->centres + c * d, run->centres + e * d, d));
        run->half[c] = sqrt(least) / 2;
    }
    memcpy(run->old, run->centres, k * d * sizeof *run->old);
}

/* The nearest centres of some rows by the bounds; the rows start at `start`. */
static void nearest_by_bounds(const cairn_kmeans_run *run, int32_t *nearest, double *squares,
                              const double *rows, size_t start, size_t n, int worker)
{
    size_t d = run->data->d, n_open = 0;
    double *compact = run->compact + (size_t)worker * run->data->piece * d;
    double *lower = run->lower + start, best[PIECE], second[PIECE];
    int32_t open[PIECE], found[PIECE];
    for (size_t i = 0; i < n; i++) {
        int32_t own = run->assign[start + i];
        if (!run->fresh && own >= 0) {
            squares[i] = cairn_squared_distance(rows + i * d, run->centres + (size_t)own * d, d);
            lower[i] -= run->drift[own];
            double near = sqrt(squares[i]), bound = fmax(lower[i], run->half[own]);
            nearest[i] = own;
            if (bound - near > MARGIN * (bound + near)) continue;
        }
        memcpy(compact + n_open * d, rows + i * d, d * sizeof *rows);
        open[n_open++] = (int32_t)i;
    }
    cairn_nearest_two_centres(found, best, second, compact, d, n_open, d, run->ordered, run->k);
    for (size_t o = 0; o < n_open; o++) {
        size_t i = (size_t)open[o];
        nearest[i] = run->last ? (int32_t)run->k - 1 - found[o] : found[o];
        squares[i] = best[o];
        lower[i] = sqrt(second[o]);
    }
}

static void assign_block(void *work, size_t block, size_t begin, size_t end, int worker)
{
    const cairn_kmeans_run *run = work;
    const cairn_kmeans_data *data = run->data;
    size_t d = data->d, k = run->k, changes = 0;
    double *sums = run->partial + block * run->partial_size, *sizes = sums + k * d;
    double *within = sizes + k, squares[PIECE];
    int32_t nearest[PIECE];
    memset(sums, 0, run->partial_size * sizeof *sums);
    for (size_t start = begin; start < end; start += data->piece) {
        size_t n = end - start < data->piece ? end - start : data->piece;
        const double *w, *rows = cairn_kmeans_read(data, start, n, worker, &w);
        int32_t *assign = run->assign + start;
        if (run->bounded)
            nearest_by_bounds(run, nearest, squares, rows, start, n, worker);
        else
            cairn_kmeans_nearest(nearest, squares, rows, n, d, run->ordered, k, run->last);
        cairn_centre_sums_add(sums, sizes, rows, d, n, d, nearest, w);
        for (size_t i = 0; i < n; i++) {
            within[nearest[i]] += w ? w[i] * squares[i] : squares[i];
            changes += assign[i] != nearest[i];
            assign[i] = nearest[i];
        }
    }
    within[k] = (double)changes;
}

cairn_status cairn_kmeans_assign(cairn_context *ctx, cairn_kmeans_run *run)
{
    const cairn_kmeans_data *data = run->data;
    size_t k = run->k, d = data->d, size = run->partial_size;
    cairn_kmeans_order(run->ordered, run->centres, k, d, run->last);
    if (run->bounded) measure_centres(run);
    CHECK(cairn_blocks(ctx, data->n, data->chunk, assign_block, run));
    if (run->bounded) run->fresh = false;
    for (size_t b = 1; b < data->n_blocks; b++)
        for (size_t i = 0; i < size; i++) run->partial[i] += run->partial[b * size + i];
    CHECK(cairn_all_sum(ctx, run->partial, size));
    memcpy(run->sums, run->partial, k * d * sizeof *run->sums);
    memcpy(run->sizes, run->partial + k * d, k * sizeof *run->sizes);
    memcpy(run->within, run->partial + k * (d + 1), k * sizeof *run->within);
    run->changes = (size_t)run->partial[size - 1];
    run->inertia = 0;
    for (size_t c = 0; c < k; c++) run->inertia += run->within[c];
    return CAIRN_OK;
}

void cairn_kmeans_move(cairn_kmeans_run *run, size_t *empty)
{
    size_t d = run->data->d;
    *empty = 0;
    for (size_t c = 0; c < run->k; c++) {
        if (!(run->sizes[c] > 0)) {
            ++*empty;
            continue;
        }
        for (size_t j = 0; j < d; j++)
            run->centres[c * d + j] = run->sums[c * d + j] / run->sizes[c];
    }
}
