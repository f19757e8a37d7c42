/* SPDX-License-Identifier: MIT */
/* The passes of k-means over the rows: assigning them to their nearest centres and summing them.
 *
 * With bounds (after Hamerly, Making k-means even faster, 2010) a row remembers how near any centre
 * but its own can be. Centres that move by m lower that bound by at most m. A row whose own centre
 * is nearer than the bound, or nearer than half the way from there to the next centre, keeps its
 * centre without looking at the others. A margin well above rounding keeps the answer exactly that
 * of the plain search. */
#include "base/memory.h"
#include "kernels/kernels.h"
#include "learners/cluster/kmeans.h"
#include <math.h>
#include <string.h>

enum {
    BOUNDS_FROM = 16,  /* clusters from which bounds are worth their cost */
    TIE_ROWS = 100000, /* above this, ties are not worth another pass */
    MOST_APART = 1024  /* clusters up to which distances between all centres are worth it */
};

/* Rounding in the bounds is far below this share of a distance. */
static const double MARGIN = 1e-10;

void cairn_kmeans_row(const cairn_kmeans_data *data, size_t row, double *out)
{
    cairn_matrix_rows(&data->x, row, 1, out);
}

/* -- overall mean and spread -- */

typedef struct moments_work {
    size_t d;
    const double *shift;
} moments_work;

/* Sums, squares and weight of a piece about the shift. */
static void moments_piece(void *data, const cairn_piece *piece, double *sums)
{
    const moments_work *work = data;
    size_t d = work->d;
    double *squares = sums + d;
    for (size_t i = 0; i < piece->n; i++) {
        double weight = piece->weights ? piece->weights[i] : 1;
        for (size_t j = 0; j < d; j++) {
            double x = piece->z[i * d + j] - work->shift[j];
            sums[j] += weight * x;
            squares[j] += weight * x * x;
        }
        squares[d] += weight;
    }
}

/* Sums are around the first row so that they do not cancel; numbers too large to be squared are
 * refused here, before they make every distance infinite. */
static cairn_status find_moments(cairn_context *ctx, cairn_kmeans_data *data)
{
    size_t d = data->d;
    moments_work work = {.d = d};
    cairn_row_sum sum = {.size = 2 * d + 1, .piece = moments_piece, .data = &work};
    double *shift, *sums;
    CHECK(SCRATCH(ctx, &shift, d));
    CHECK(SCRATCH(ctx, &sums, sum.size));
    cairn_kmeans_row(data, 0, shift);
    work.shift = shift;
    CHECK(cairn_matrix_sum(ctx, &data->x, &sum, sums));
    data->weight = sums[2 * d];
    data->total = 0;
    for (size_t j = 0; j < d; j++) {
        double mean = sums[j] / data->weight;
        data->mean[j] = shift[j] + mean;
        double square = sums[d + j] - sums[j] * mean;
        data->spread[j] = square < 0 ? 0 : square; /* keeps what is not a number */
        data->total += data->spread[j];
    }
    if (isfinite(data->total)) return CAIRN_OK;
    return cairn_matrix_refuse(ctx, &data->x,
                               "the squared distances overflow: some numbers are too large for "
                               "k-means (the largest is %s); standardise or rescale the columns");
}

cairn_status cairn_kmeans_data_make(cairn_context *ctx, cairn_kmeans_data *out,
                                    const cairn_view *view, size_t n_clusters, bool spherical)
{
    size_t d = view->n_features;
    cairn_matrix_wish wish = {
        .room = d, .sum_size = cairn_product(n_clusters, d + 2) + 1, .unit = spherical};
    *out = (cairn_kmeans_data){.view = view, .n = view->rows.n, .d = d, .spherical = spherical};
    CHECK(cairn_matrix_open(ctx, &out->x, view, &wish));
    out->n_used = cairn_matrix_used(&out->x);
    CHECK(SCRATCH_EACH(ctx, d, &out->mean, &out->spread));
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

void cairn_kmeans_resize(cairn_kmeans_run *run, size_t k)
{
    run->k = k;
    run->sizes = run->sums + k * run->data->d;
    run->within = run->sizes + k;
}

cairn_status cairn_kmeans_run_make(cairn_context *ctx, cairn_kmeans_run *out,
                                   const cairn_kmeans_data *data, size_t k,
                                   const cairn_kmeans_params *params)
{
    size_t d = data->d;
    *out = (cairn_kmeans_run){.data = data, .k = k, .last = params->tie == CAIRN_KMEANS_LAST};
    CHECK(SCRATCH_EACH(ctx, k * d, &out->centres, &out->ordered, &out->before));
    CHECK(SCRATCH_RAW(ctx, &out->assign, data->n));
    CHECK(SCRATCH(ctx, &out->sums, k * (d + 2) + 1));
    cairn_kmeans_resize(out, k);
    memset(out->assign, -1, data->n * sizeof *out->assign);
    out->can_bound = params->method == CAIRN_KMEANS_BOUNDS ||
                     (params->method == CAIRN_KMEANS_AUTO && k >= BOUNDS_FROM);
    if (!out->can_bound) return CAIRN_OK;
    CHECK(SCRATCH_RAW(ctx, &out->lower, data->n));
    CHECK(SCRATCH(ctx, &out->old, k * d));
    CHECK(SCRATCH(ctx, &out->drift, k));
    return SCRATCH(ctx, &out->half, k);
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

/* The nearest centres of the rows of a piece by the bounds. */
static void nearest_by_bounds(const cairn_kmeans_run *run, int32_t *nearest, double *squares,
                              const cairn_piece *piece)
{
    size_t d = run->data->d, n_open = 0, start = piece->first, n = piece->n;
    const double *rows = piece->z;
    double *compact = piece->room; /* rows that look at all centres */
    double *lower = run->lower + start, best[CAIRN_PIECE_ROWS], second[CAIRN_PIECE_ROWS];
    int32_t open[CAIRN_PIECE_ROWS], found[CAIRN_PIECE_ROWS];
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

/* Sums, sizes, the sum within each cluster and the changes of one piece stand in one array,
 * which the rows' room joins in a fixed order. */
static void assign_piece(void *data, const cairn_piece *piece, double *sums)
{
    const cairn_kmeans_run *run = data;
    size_t d = run->data->d, k = run->k, n = piece->n, changes = 0;
    double *sizes = sums + k * d, *within = sizes + k, squares[CAIRN_PIECE_ROWS];
    const double *w = piece->weights;
    int32_t nearest[CAIRN_PIECE_ROWS], *assign = run->assign + piece->first;
    if (run->bounded)
        nearest_by_bounds(run, nearest, squares, piece);
    else
        cairn_kmeans_nearest(nearest, squares, piece->z, n, d, run->ordered, k, run->last);
    cairn_centre_sums_add(sums, sizes, piece->z, d, n, d, nearest, w);
    for (size_t i = 0; i < n; i++) {
        within[nearest[i]] += w ? w[i] * squares[i] : squares[i];
        changes += assign[i] != nearest[i];
        assign[i] = nearest[i];
    }
    within[k] += (double)changes;
}

cairn_status cairn_kmeans_assign(cairn_context *ctx, cairn_kmeans_run *run)
{
    size_t k = run->k, d = run->data->d;
    cairn_row_sum sum = {.size = k * (d + 2) + 1, .piece = assign_piece, .data = run};
    cairn_kmeans_order(run->ordered, run->centres, k, d, run->last);
    if (run->bounded) measure_centres(run);
    CHECK(cairn_matrix_sum(ctx, &run->data->x, &sum, run->sums));
    if (run->bounded) run->fresh = false;
    run->changes = (size_t)run->within[k];
    run->inertia = 0;
    for (size_t c = 0; c < k; c++) run->inertia += run->within[c];
    return CAIRN_OK;
}

/* -- ties -- */

bool cairn_kmeans_is_tie(double a, double b)
{
    return fabs(a - b) <= 1e-12 * fmax(a, b);
}

/* Counts the rows whose second-nearest centre is as near. */
static void tie_piece(void *data, const cairn_piece *piece, double *sums)
{
    const cairn_kmeans_run *run = data;
    double best[CAIRN_PIECE_ROWS], second[CAIRN_PIECE_ROWS];
    int32_t nearest[CAIRN_PIECE_ROWS];
    size_t d = run->data->d;
    cairn_nearest_two_centres(nearest, best, second, piece->z, d, piece->n, d, run->ordered,
                              run->k);
    for (size_t i = 0; i < piece->n; i++)
        if (!piece->weights || piece->weights[i] > 0)
            sums[0] += cairn_kmeans_is_tie(best[i], second[i]);
}

cairn_status cairn_kmeans_count_ties(cairn_context *ctx, const cairn_kmeans_run *run, int64_t *ties)
{
    cairn_row_sum sum = {.size = 1, .piece = tie_piece, .data = (void *)run};
    double count = 0;
    *ties = -1;
    if (run->data->n > TIE_ROWS) return CAIRN_OK;
    if (run->k > 1) CHECK(cairn_matrix_sum(ctx, &run->data->x, &sum, &count));
    *ties = (int64_t)count;
    return CAIRN_OK;
}

void cairn_kmeans_to_sphere(const cairn_kmeans_data *data, double *centres, size_t k)
{
    size_t d = data->d;
    for (size_t c = 0; data->spherical && c < k; c++) {
        double length = sqrt(cairn_dot(centres + c * d, centres + c * d, d));
        for (size_t j = 0; length > 0 && j < d; j++) centres[c * d + j] /= length;
    }
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
        cairn_kmeans_to_sphere(run->data, run->centres + c * d, 1);
    }
}
