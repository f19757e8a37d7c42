/* SPDX-License-Identifier: MIT */
/* The first centres of k-means: drawn rows, the overall mean with noise, intervals of the first
 * principal component, a random or a given partition, or centres from a file.
 *
 * Random starts use one stream of random numbers per start. Rows of weight 0 are never drawn; in
 * `plusplus` and for its first row the chance is proportional to the weight. */
#include "base/memory.h"
#include "base/text.h"
#include "entry/entry.h"
#include "kernels/kernels.h"
#include "decompose/linalg.h"
#include "learners/cluster/given_clusters.h"
#include "learners/cluster/kmeans.h"
#include "report/table_rows.h"
#include <math.h>
#include <string.h>
#include <unistd.h>

/* The passes of k-means over the rows: assigning them to their nearest centres and summing them.
 *
 * With bounds (after Hamerly, Making k-means even faster, 2010) a row remembers how near any centre
 * but its own can be. Centres that move by m lower that bound by at most m. A row whose own centre
 * is nearer than the bound, or nearer than half the way from there to the next centre, keeps its
 * centre without looking at the others. A margin well above rounding keeps the answer exactly that
 * of the plain search. */

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
    cairn_matrix_options options = {
        .buffer = d, .sum_size = cairn_product(n_clusters, d + 2) + 1, .unit = spherical};
    *out = (cairn_kmeans_data){.view = view, .n = view->rows.n, .d = d, .spherical = spherical};
    CHECK(cairn_matrix_open(ctx, &out->x, view, &options));
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
    double *compact = piece->buffer; /* rows that look at all centres */
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

/* -- drawn rows -- */

static cairn_status used_rows(cairn_context *ctx, size_t **out, const cairn_kmeans_data *data)
{
    size_t n = 0, *rows;
    CHECK(SCRATCH_RAW(ctx, &rows, data->n));
    for (size_t i = 0; i < data->n; i++)
        if (cairn_view_weight(data->view, i) > 0) rows[n++] = i;
    *out = rows;
    return CAIRN_OK;
}

static cairn_status start_first(cairn_context *ctx, double *centres, const cairn_kmeans_data *data,
                                size_t k, cairn_random *random)
{
    size_t *rows;
    CHECK(used_rows(ctx, &rows, data));
    for (size_t c = 0; c < k; c++) {
        if (random) {
            size_t at = c + cairn_random_below(random, data->n_used - c), row = rows[at];
            rows[at] = rows[c];
            rows[c] = row;
        }
        cairn_kmeans_row(data, rows[c], centres + c * data->d);
    }
    return CAIRN_OK;
}

typedef struct far_work {
    const cairn_kmeans_data *data;
    const double *centre;
    double *nearest; /* n: squared distance to the nearest centre so far */
    double *partial; /* per block: weighted sum of them */
} far_work;

static void far_piece(void *data, const cairn_piece *piece, double *sums)
{
    const far_work *work = data;
    size_t d = work->data->d;
    if (piece->opens) work->partial[piece->block] = 0;
    for (size_t i = 0; i < piece->n; i++) {
        double *best = work->nearest + piece->first + i;
        if (work->centre)
            *best = fmin(*best, cairn_squared_distance(piece->z + i * d, work->centre, d));
        work->partial[piece->block] += piece->weights ? piece->weights[i] * *best : *best;
    }
    (void)sums;
}

/* A row drawn with a chance proportional to weight times squared distance. */
static size_t draw_far(const far_work *work, cairn_random *random)
{
    const cairn_kmeans_data *data = work->data;
    double total = 0, at;
    size_t last = 0;
    for (size_t b = 0; b < data->x.n_blocks; b++) total += work->partial[b];
    at = cairn_random_uniform(random) * total;
    if (!(total > 0)) { /* all rows coincide with centres: any row will do */
        size_t row = cairn_random_below(random, data->n);
        while (!(cairn_view_weight(data->view, row) > 0)) row = (row + 1) % data->n;
        return row;
    }
    for (size_t b = 0; b < data->x.n_blocks; b++) {
        if (at >= work->partial[b] && b + 1 < data->x.n_blocks) {
            at -= work->partial[b];
            continue;
        }
        size_t end = (b + 1) * data->x.block < data->n ? (b + 1) * data->x.block : data->n;
        for (size_t i = b * data->x.block; i < end; i++) {
            double share = cairn_view_weight(data->view, i) * work->nearest[i];
            if (share > 0) last = i;
            if (share > 0 && at < share) return i;
            at -= share;
        }
    }
    return last;
}

static cairn_status start_plusplus(cairn_context *ctx, double *centres,
                                   const cairn_kmeans_data *data, size_t k, cairn_random *random)
{
    far_work work = {.data = data};
    cairn_row_sum sum = {.piece = far_piece, .data = &work};
    CHECK(SCRATCH_RAW(ctx, &work.nearest, data->n));
    CHECK(SCRATCH(ctx, &work.partial, data->x.n_blocks));
    for (size_t i = 0; i < data->n; i++) work.nearest[i] = 1;
    for (size_t c = 0; c < k; c++) {
        CHECK(cairn_matrix_sum(ctx, &data->x, &sum, NULL));
        size_t row = draw_far(&work, random);
        cairn_kmeans_row(data, row, centres + c * data->d);
        if (c == 0)
            for (size_t i = 0; i < data->n; i++) work.nearest[i] = INFINITY;
        work.centre = centres + c * data->d;
    }
    return CAIRN_OK;
}

/* -- means of groups of rows -- */

/* Rows without weight do not count; a group without weight keeps its centre and is told. */
static cairn_status group_means(cairn_context *ctx, double *centres, bool *empty,
                                const cairn_kmeans_data *data, size_t k, const int32_t *groups)
{
    double *row, *sizes;
    CHECK(SCRATCH(ctx, &row, data->d));
    CHECK(SCRATCH(ctx, &sizes, k));
    /* Centres as the means of groups; those without rows are told in `empty` (k) and left alone. */
    size_t d = data->d;
    memset(sizes, 0, k * sizeof *sizes);
    for (size_t i = 0; i < data->n; i++) sizes[groups[i]] += cairn_view_weight(data->view, i);
    for (size_t c = 0; c < k; c++) {
        empty[c] = !(sizes[c] > 0);
        if (!empty[c]) memset(centres + c * d, 0, d * sizeof *centres);
    }
    for (size_t i = 0; i < data->n; i++) {
        double *centre = centres + (size_t)groups[i] * d, w = cairn_view_weight(data->view, i);
        if (w == 0) continue;
        cairn_kmeans_row(data, i, row);
        cairn_axpy(centre, w, row, d);
    }
    for (size_t c = 0; c < k; c++)
        for (size_t j = 0; j < d && !empty[c]; j++) centres[c * d + j] /= sizes[c];
    return CAIRN_OK;
}

static cairn_status start_partition(cairn_context *ctx, double *centres,
                                    const cairn_kmeans_data *data, size_t k, cairn_random *random)
{
    int32_t *groups;
    bool *empty;
    CHECK(SCRATCH(ctx, &groups, data->n));
    CHECK(SCRATCH(ctx, &empty, k));
    CHECK(start_first(ctx, centres, data, k, random)); /* for groups that stay empty */
    for (size_t i = 0; i < data->n; i++) groups[i] = (int32_t)cairn_random_below(random, k);
    return group_means(ctx, centres, empty, data, k, groups);
}

static void start_mean(double *centres, const cairn_kmeans_data *data, size_t k,
                       cairn_random *random)
{
    for (size_t c = 0; c < k; c++)
        for (size_t j = 0; j < data->d; j++)
            centres[c * data->d + j] = data->mean[j] + 0.1 * sqrt(data->spread[j] / data->weight) *
                                                           cairn_random_normal(random);
}

/* -- principal component -- */

enum { SHOWN = 50 }; /* most rows of a table in the steps */

/* Cross products of the rows' deviations from the mean, upper triangle. */
static void cross_piece(void *work, const cairn_piece *piece, double *gram)
{
    const cairn_kmeans_data *data = work;
    size_t d = data->d;
    memcpy(piece->buffer, piece->z, piece->n * d * sizeof *piece->z);
    cairn_standardise_rows(piece->buffer, d, piece->n, d, data->mean, NULL);
    cairn_gram_add(gram, NULL, piece->buffer, d, NULL, piece->weights, piece->n, d);
}

/* The component and all variances (sums of squares) along the components, falling. */
static cairn_status first_component(cairn_context *ctx, double *out, double *values,
                                    const cairn_kmeans_data *data, bool largest)
{
    size_t d = data->d;
    double *gram, *vectors;
    CHECK(SCRATCH_EACH(ctx, cairn_product(d, d), &gram, &vectors));
    cairn_row_sum sum = {.size = d * d, .piece = cross_piece, .data = (void *)data};
    CHECK(cairn_matrix_sum(ctx, &data->x, &sum, gram));
    CHECK(cairn_symmetric_eigen(ctx, values, vectors, gram, d));
    memcpy(out, vectors, d * sizeof *out);
    size_t first = 0;
    while (first + 1 < d && fabs(out[first]) < 1e-12) first++;
    if (!largest && out[first] < 0)
        for (size_t j = 0; j < d; j++) out[j] = -out[j];
    return CAIRN_OK;
}

static double score_of(const cairn_kmeans_data *data, const double *component, size_t i)
{
    size_t row = cairn_view_row(data->view, i);
    double sum = 0;
    for (size_t j = 0; j < data->d; j++)
        sum += component[j] * (data->x.columns[j][row] - data->mean[j]);
    return sum;
}

/* A first component with the range of the rows along it. */
typedef struct component_range {
    double *component, *values;
    double low, high;
} component_range;

static void show_component_columns(cairn_report *steps, const cairn_kmeans_data *data,
                                   const component_range *c)
{
    cairn_report_table_of(steps, "The first principal component", SHOWN, "lrr", "column", "mean",
                          "component");
    for (size_t j = 0; j < data->d && j <= SHOWN; j++) {
        cairn_report_cells(steps, "- pc.mean.$1 pc.component.$1", data->view->names[j],
                           data->mean[j], c->component[j]);
    }
    cairn_report_table_end(steps);
    for (size_t j = 0; j < data->d && j < 2; j++)
        cairn_report_value(steps, j ? "variance along the second" : "variance along it",
                           c->values[j] / (data->weight - 1), "pc.variance.%zu", j + 1);
}

/* The direction, the cuts and every row's score, from which the first centres can be found by
 * hand. */
static void show_component(cairn_report *steps, const cairn_kmeans_data *data,
                           const component_range *c, size_t k, const int32_t *groups)
{
    if (!steps) return;
    cairn_report_step_begin(steps, "First centres from the first principal component");
    cairn_report_paragraph(steps,
                           "The rows are measured along the direction in which they spread most; "
                           "the range is cut into %zu equal intervals, and the mean of the rows in "
                           "each is a first centre.",
                           k);
    show_component_columns(steps, data, c);
    for (size_t i = 1; i < k && i <= SHOWN; i++)
        cairn_report_value(steps, "cut at", c->low + (c->high - c->low) * (double)i / (double)k,
                           "pc.cut.%zu", i);
    cairn_report_table_of(steps, "Scores", SHOWN, "rrr", "row", "score", "interval");
    for (size_t i = 0; i < data->n && i <= SHOWN; i++) {
        size_t number = cairn_view_row(data->view, i) + 1;
        cairn_report_cells(steps, "- pc.score.$1 pc.group.$1", number,
                           score_of(data, c->component, i), groups[i] + 1.0);
    }
    cairn_report_table_end(steps);
    cairn_report_step_end(steps);
}

/* The range of the scores in k equal intervals; an interval without rows has its middle. */
static cairn_status start_component(cairn_context *ctx, double *centres,
                                    const cairn_kmeans_data *data, size_t k, bool largest,
                                    cairn_report *steps)
{
    size_t d = data->d;
    double *component, *values, low = INFINITY, high = -INFINITY;
    int32_t *groups;
    bool *empty;
    CHECK(SCRATCH_EACH(ctx, d, &component, &values));
    CHECK(SCRATCH(ctx, &groups, data->n));
    CHECK(SCRATCH(ctx, &empty, k));
    CHECK(first_component(ctx, component, values, data, largest));
    for (size_t i = 0; i < data->n; i++) {
        if (!(cairn_view_weight(data->view, i) > 0)) continue;
        double score = score_of(data, component, i);
        low = fmin(low, score);
        high = fmax(high, score);
    }
    for (size_t i = 0; i < data->n; i++) {
        double share = high > low ? (score_of(data, component, i) - low) / (high - low) : 0;
        double at = fmax(0, floor(share * (double)k));
        groups[i] = (int32_t)fmin(at, (double)(k - 1));
    }
    show_component(steps, data, &(component_range){component, values, low, high}, k, groups);
    for (size_t c = 0; c < k; c++)
        for (size_t j = 0; j < d; j++)
            centres[c * d + j] =
                data->mean[j] + component[j] * (low + (high - low) * ((double)c + 0.5) / (double)k);
    return group_means(ctx, centres, empty, data, k, groups);
}

/* -- from outside -- */

static cairn_status start_given(cairn_context *ctx, double *centres, const cairn_kmeans_data *data,
                                size_t k, const char *given)
{
    int32_t *groups;
    bool *empty;
    CHECK(cairn_given_clusters(ctx, &groups, data->n, k, given));
    CHECK(SCRATCH(ctx, &empty, k));
    CHECK(group_means(ctx, centres, empty, data, k, groups));
    for (size_t c = 0; c < k; c++)
        if (empty[c])
            CHECK(cairn_fail(ctx, CAIRN_BAD_DATA, "{given} puts no row in cluster %zu", c + 1));
    return CAIRN_OK;
}

/* Which column of the file holds feature j: the one of its name, else the j-th when the file has
 * as many columns as there are features. */
static cairn_status centre_column(cairn_context *ctx, size_t *out, const cairn_table *table,
                                  const cairn_kmeans_data *data, size_t j, const char *path)
{
    ptrdiff_t at = cairn_table_find(table, data->view->names[j]);
    if (at < 0 && cairn_table_columns(table) == data->d) at = (ptrdiff_t)j;
    if (at < 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "%s: there is no column '%s' for the first centres",
                          path, data->view->names[j]);
    if (!cairn_table_numbers(table, (size_t)at))
        return cairn_fail(ctx, CAIRN_BAD_DATA, "%s: column '%s' is not a column of numbers", path,
                          cairn_table_name(table, (size_t)at));
    *out = (size_t)at;
    return CAIRN_OK;
}

static bool is_typed(const char *text)
{
    return *text && text[strspn(text, "0123456789.,;+-eE/[]() ")] == 0;
}

/* "1,1;5,4": a row per centre, or of one column a number each, "2,16,38". */
static cairn_status start_typed(cairn_context *ctx, double *centres, const cairn_kmeans_data *data,
                                size_t k, const char *text)
{
    double *given;
    size_t rows, columns;
    CHECK(cairn_read_matrix(ctx, "init", text, &given, &rows, &columns));
    bool numbers = data->d == 1 && rows == 1 && columns == k;
    if (!numbers && (rows != k || columns != data->d))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{init %s}: %zu centre%s of %zu number%s; %zu of %zu are needed, one for "
                          "each cluster with a number for each feature, such as %s",
                          text, rows, rows == 1 ? "" : "s", columns, columns == 1 ? "" : "s", k,
                          data->d, data->d == 1 ? "2,16,38" : "1,1;5,4");
    memcpy(centres, given, k * data->d * sizeof *centres);
    return CAIRN_OK;
}

/* A file has one row per centre; columns are found by name, so that their order is free, else by
 * place where there are as many as features. */
static cairn_status start_file(cairn_context *ctx, double *centres, const cairn_kmeans_data *data,
                               size_t k, const char *path)
{
    cairn_table *table = NULL;
    cairn_status status = cairn_table_read(ctx, &table, path, NULL);
    if (status != CAIRN_OK) {
        cairn_message_prefix(ctx, "{init} is plusplus, random, first, mean, pc, partition or a "
                                  "file with the first centres");
        return status;
    }
    if (cairn_table_rows(table) != k)
        TRY(cairn_fail(ctx, CAIRN_BAD_DATA, "%s has %zu rows, but there are %zu clusters to start",
                       path, cairn_table_rows(table), k));
    for (size_t j = 0; j < data->d; j++) {
        size_t at = 0;
        TRY(centre_column(ctx, &at, table, data, j, path));
        const double *numbers = cairn_table_numbers(table, at);
        for (size_t c = 0; c < k; c++) {
            if (!isfinite(numbers[c]))
                TRY(cairn_fail(ctx, CAIRN_BAD_DATA,
                               "%s: column '%s', row %zu: a centre needs a number", path,
                               cairn_table_name(table, at), c + 1));
            centres[c * data->d + j] = numbers[c];
        }
    }
done:
    cairn_table_free(table);
    return status;
}

static const char *start_word(size_t i, const void *data)
{
    static const char *const words[] = {"plusplus", "random", "first", "mean", "pc", "partition"};
    (void)data;
    return i < sizeof words / sizeof *words ? words[i] : NULL;
}

static bool is_word(const char *text)
{
    const char *word;
    for (size_t i = 0; (word = start_word(i, NULL)); i++)
        if (cairn_same(text, word)) return true;
    return false;
}

cairn_status cairn_kmeans_check(cairn_context *ctx, const void *values)
{
    const cairn_kmeans_params *params = values;
    const char *init = params->init;
    if (is_word(init) || is_typed(init) || *init == '@' || cairn_same(init, "-") ||
        access(init, F_OK) == 0)
        return CAIRN_OK;
    const char *near = cairn_nearest_word(init, start_word, NULL);
    if (near)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{init}: '%s' is neither a way to start nor a file; did you mean '%s'?",
                          init, near);
    return cairn_fail(ctx, CAIRN_USAGE,
                      "{init}: '%s' is neither a file nor numbers such as 1,1;5,4 nor plusplus, "
                      "random, first, mean, pc or partition",
                      init);
}

bool cairn_kmeans_start_is_file(const cairn_kmeans_params *params)
{
    return !params->given && !is_word(params->init);
}

bool cairn_kmeans_start_is_random(const cairn_kmeans_params *params)
{
    return !params->given && is_word(params->init) && !cairn_same(params->init, "first") &&
           !cairn_same(params->init, "pc");
}

cairn_status cairn_kmeans_start(cairn_context *ctx, double *centres, const cairn_kmeans_data *data,
                                size_t k, const cairn_kmeans_params *params, size_t start,
                                cairn_report *steps)
{
    SCOPED_SCRATCH(ctx);
    const char *init = params->init;
    cairn_random random;
    cairn_random_start(&random, cairn_context_seed(ctx), start);
    if (params->given)
        CHECK(start_given(ctx, centres, data, k, params->given));
    else if (cairn_same(init, "plusplus"))
        CHECK(start_plusplus(ctx, centres, data, k, &random));
    else if (cairn_same(init, "random"))
        CHECK(start_first(ctx, centres, data, k, &random));
    else if (cairn_same(init, "first"))
        CHECK(start_first(ctx, centres, data, k, NULL));
    else if (cairn_same(init, "mean"))
        start_mean(centres, data, k, &random);
    else if (cairn_same(init, "pc"))
        CHECK(start_component(ctx, centres, data, k, params->sign, steps));
    else if (cairn_same(init, "partition"))
        CHECK(start_partition(ctx, centres, data, k, &random));
    else if (is_typed(init))
        CHECK(start_typed(ctx, centres, data, k, init));
    else
        CHECK(start_file(ctx, centres, data, k, init));
    cairn_kmeans_to_sphere(data, centres, k);
    return CAIRN_OK;
}
