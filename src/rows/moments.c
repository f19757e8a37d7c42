/* SPDX-License-Identifier: MIT */
/* Moments and means of number columns: see moments.h. */
#include "rows/moments.h"
#include "base/memory.h"
#include "data/scaled.h"
#include "kernels/kernels.h"
#include "parallel/parallel.h"
#include <float.h>
#include <math.h>

enum { MOMENT_BLOCK = 1 << 15 };

#define SQUARES_LOST 0x1p-960 /* sums of squares below it have lost digits on the way */
#define SMALLER      0x1p-64  /* times which four thousand million numbers have a sum */

/* Sums of one block. */
typedef struct block_sums {
    double weight, sum, squares, low, high;
} block_sums;

typedef struct moment_work {
    const cairn_view *view;
    const double *numbers;
    double factor; /* a power of two that the numbers are multiplied by */
    double mean;
    block_sums *sums;
} moment_work;

static void sum_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)worker;
    const moment_work *work = data;
    block_sums s = {.low = INFINITY, .high = -INFINITY};
    for (size_t i = begin; i < end; i++) {
        double x = work->numbers[cairn_view_row(work->view, i)] * work->factor;
        if (isnan(x)) continue;
        double w = cairn_view_weight(work->view, i);
        s.weight += w;
        s.sum += w * x;
        s.low = x < s.low ? x : s.low;
        s.high = x > s.high ? x : s.high;
    }
    work->sums[block] = s;
}

static void square_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)worker;
    const moment_work *work = data;
    double squares = 0;
    for (size_t i = begin; i < end; i++) {
        double x = work->numbers[cairn_view_row(work->view, i)] * work->factor;
        if (isnan(x)) continue;
        squares += cairn_view_weight(work->view, i) * (x - work->mean) * (x - work->mean);
    }
    work->sums[block].squares = squares;
}

/* Both passes over the numbers times the factor. */
static cairn_status moments_times(cairn_context *ctx, const cairn_view *view, const double *numbers,
                                  double factor, cairn_moments *out)
{
    SCOPED_SCRATCH(ctx);
    size_t n = view->rows.n, n_blocks = cairn_block_count(n, MOMENT_BLOCK);
    moment_work work = {.view = view, .numbers = numbers, .factor = factor};
    cairn_moments m = {.unit = 1, .low = INFINITY, .high = -INFINITY};
    CHECK(SCRATCH(ctx, &work.sums, n_blocks + 1));
    CHECK(cairn_blocks(ctx, n, MOMENT_BLOCK, sum_block, &work));
    for (size_t b = 0; b < n_blocks; b++) {
        m.weight += work.sums[b].weight;
        m.mean += work.sums[b].sum;
        if (work.sums[b].low < m.low) m.low = work.sums[b].low;
        if (work.sums[b].high > m.high) m.high = work.sums[b].high;
    }
    m.mean = m.weight > 0 ? m.mean / m.weight : NAN;
    work.mean = m.mean;
    CHECK(cairn_blocks(ctx, n, MOMENT_BLOCK, square_block, &work));
    for (size_t b = 0; b < n_blocks; b++) m.squares += work.sums[b].squares;
    *out = m;
    return CAIRN_OK;
}

/* The power of two that brings the largest of the numbers near 1. */
static double factor_for(double low, double high)
{
    int exponent;
    (void)frexp(fmax(fabs(low), fabs(high)), &exponent);
    return ldexp(1, exponent < -1000 ? 1000 : exponent > 1000 ? -1000 : -exponent);
}

/* A number within the two, which a mean that was rounded may leave. */
static double within(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

cairn_status cairn_number_moments(cairn_context *ctx, const cairn_view *view, const double *numbers,
                                  cairn_moments *out)
{
    cairn_moments m;
    cairn_status status = moments_times(ctx, view, numbers, 1, &m);
    if (status) return status;
    bool lost = !isfinite(m.mean) || !isfinite(m.squares);
    if (m.low < m.high) lost = lost || m.squares < SQUARES_LOST;
    if (lost && m.weight > 0 && isfinite(m.low) && isfinite(m.high)) {
        double low = m.low, high = m.high, factor = factor_for(low, high);
        status = moments_times(ctx, view, numbers, factor, &m);
        m.unit = 1 / factor;
        m.mean = within(m.mean / factor, low, high);
        m.low = low;
        m.high = high;
    }
    if (!status) *out = m;
    return status;
}

cairn_status cairn_column_moments(cairn_context *ctx, const cairn_view *view, size_t feature,
                                  cairn_moments *out)
{
    return cairn_number_moments(ctx, view, view->features[feature]->numbers, out);
}

typedef struct mean_work {
    const cairn_view *view;
    const size_t *features;
    double *means;
    double *rooms; /* of every worker a column that is worked out here; NULL = there is none */
} mean_work;

/* The mean of a column times the factor, summed in the same blocks as the moments. Where nothing
 * is missing, weighted or chosen, the column is summed as it lies. */
static double mean_times(const cairn_view *view, const cairn_column *column, const double *numbers,
                         double factor)
{
    double weight = 0, sum = 0;
    bool plain = !column->n_missing && !view->rows.indices && !view->rows.weights &&
                 !view->row_weights && factor == 1;
    for (size_t begin = 0; begin < view->rows.n; begin += MOMENT_BLOCK) {
        size_t left = view->rows.n - begin, n = left < MOMENT_BLOCK ? left : MOMENT_BLOCK;
        block_sums s = {.weight = (double)n};
        moment_work part = {.view = view, .numbers = numbers, .factor = factor, .sums = &s};
        if (plain)
            s.sum = cairn_sum(numbers + begin, n);
        else
            sum_block(&part, 0, begin, begin + n, 0);
        weight += s.weight;
        sum += s.sum;
    }
    return weight > 0 ? sum / weight : NAN;
}

/* The numbers of a column, worked out in the room of the worker where they are only promised. */
static const double *numbers_of(const mean_work *work, const cairn_column *column, int worker)
{
    const cairn_scaled *how = cairn_column_scaled(column);
    if (!how) return column->numbers;
    double *room = work->rooms + (size_t)worker * column->n_rows;
    cairn_scaled_numbers(how, how->from->numbers, column->n_rows, room);
    return room;
}

static void mean_of_column(void *data, size_t block, size_t first, size_t last, int worker)
{
    (void)first, (void)last;
    const mean_work *work = data;
    const cairn_column *column = work->view->features[work->features[block]];
    const double *numbers = numbers_of(work, column, worker);
    double mean = NAN;
    if (column->kind == CAIRN_NUMBER) mean = mean_times(work->view, column, numbers, 1);
    if (!isfinite(mean) && column->kind == CAIRN_NUMBER) { /* the sum may have been too large */
        mean = mean_times(work->view, column, numbers, SMALLER);
        if (isfinite(mean)) mean = within(mean / SMALLER, -DBL_MAX, DBL_MAX);
    }
    work->means[block] = mean;
}

cairn_status cairn_column_means(cairn_context *ctx, const cairn_view *view, const size_t *features,
                                size_t n, double *means)
{
    mean_work work = {.view = view, .features = features, .means = means};
    double cells = 0;
    bool promised = false;
    SCOPED_SCRATCH(ctx);
    for (size_t i = 0; i < n; i++) {
        if (view->features[features[i]]->kind == CAIRN_NUMBER) cells += (double)view->rows.n;
        promised |= cairn_column_scaled(view->features[features[i]]) != NULL;
    }
    if (promised)
        CHECK(SCRATCH_RAW(ctx, &work.rooms,
                          cairn_product((size_t)cairn_workers(ctx), view->table->n_rows)));
    return cairn_blocks_sized(ctx, n, 1, cells, mean_of_column, &work);
}
