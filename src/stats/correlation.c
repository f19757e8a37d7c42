/* SPDX-License-Identifier: MIT */
/* Correlations by Gram matrices. Columns are centred first, so sums of products lose no digits.
 * Cells that are missing become 0 and stay out by a mask: with X the centred values, M the mask and
 * Q the squares, the Gram matrix of [X M Q] holds every sum that a pair needs over the rows they
 * share. Rows are cut into a fixed number of parts, each summed by itself and added up in order. */
#include "stats/correlation.h"

#include "base/memory.h"
#include "kernels/kernels.h"
#include "parallel/parallel.h"
#include "parallel/sort.h"
#include "stats/distributions.h"

#include <math.h>

enum { BLOCK_ROWS = 256, MOST_PARTS = 16 };

typedef struct gram_work {
    const double *const *columns;
    const double *weights;
    size_t n, n_rows, width; /* width: columns of the Gram matrix, n or 3 n */
    const double *centres;   /* n */
    double *grams;           /* n_parts x width x width */
    size_t part_rows;
} gram_work;

/* Values in the first n columns become the mask and the squares in the others. */
static void add_masks(double *x, size_t n, size_t rows)
{
    for (size_t r = 0; r < rows; r++) {
        double *row = x + r * 3 * n;
        for (size_t j = 0; j < n; j++) {
            bool there = isfinite(row[j]);
            if (!there) row[j] = 0;
            row[n + j] = there;
            row[2 * n + j] = row[j] * row[j];
        }
    }
}

/* One part of fixed size adds its rows in blocks; with missing cells the masks are columns of their
 * own, and their products count the complete pairs. */
static cairn_status sum_part(cairn_context *ctx, void *data, size_t part)
{
    const gram_work *g = data;
    SCOPED_SCRATCH(ctx);
    double *x, *gram = g->grams + part * g->width * g->width;
    size_t begin = part * g->part_rows, end = begin + g->part_rows;
    if (end > g->n_rows) end = g->n_rows;
    CHECK(SCRATCH_RAW(ctx, &x, BLOCK_ROWS * g->width));
    for (size_t first = begin; first < end; first += BLOCK_ROWS) {
        size_t rows = end - first < BLOCK_ROWS ? end - first : BLOCK_ROWS;
        if (cairn_is_cancelled(ctx)) CHECK(cairn_tick(ctx, NULL, 0, 0));
        cairn_pack_rows(x, g->width, g->columns, g->n, NULL, first, rows);
        cairn_standardise_rows(x, g->width, rows, g->n, g->centres, NULL);
        if (g->width > g->n) add_masks(x, g->n, rows);
        cairn_gram_add(gram, NULL, x, g->width, NULL, g->weights ? g->weights + first : NULL, rows,
                       g->width);
    }
    return CAIRN_OK;
}

/* The mean of the finite values of each column, and whether any value is not finite. */
static bool find_centres(double *centres, const double *const *columns, size_t n, size_t n_rows)
{
    bool gaps = false;
    for (size_t j = 0; j < n; j++) {
        double sum = 0, count = 0;
        for (size_t i = 0; i < n_rows; i++) {
            if (!isfinite(columns[j][i])) continue;
            sum += columns[j][i];
            count++;
        }
        gaps |= count < (double)n_rows;
        centres[j] = count > 0 && isfinite(sum) ? sum / count : 0;
    }
    return gaps;
}

/* Sums of one pair over the rows that both have. */
typedef struct pair_sums {
    double weight, x, y, xx, yy, xy;
} pair_sums;

/* Fill both triangles from the Gram matrix; `means` (weighted, of the centred columns) serve when
 * nothing is missing. */
static void fill(cairn_correlations *out, double *gram, size_t width, size_t n, double total,
                 const double *means)
{
    cairn_mirror_upper(gram, width);
    for (size_t i = 0; i < n; i++)
        for (size_t j = i; j < n; j++) {
            pair_sums s;
            if (width == n) /* nothing is missing; the column sums are added below */
                s = (pair_sums){total, 0, 0, gram[i * n + i], gram[j * n + j], gram[i * n + j]};
            else
                s = (pair_sums){.weight = gram[(n + i) * width + n + j],
                                .x = gram[i * width + n + j],
                                .y = gram[j * width + n + i],
                                .xx = gram[(n + j) * width + 2 * n + i],
                                .yy = gram[(n + i) * width + 2 * n + j],
                                .xy = gram[i * width + j]};
            double mx = width == n ? means[i] : s.x / s.weight;
            double my = width == n ? means[j] : s.y / s.weight;
            double xy = s.xy / s.weight - mx * my;
            double xx = s.xx / s.weight - mx * mx, yy = s.yy / s.weight - my * my;
            bool varies = xx > 1e-14 * (s.xx / s.weight) && yy > 1e-14 * (s.yy / s.weight);
            double r = s.weight > 0 && varies ? xy / (sqrt(xx) * sqrt(yy)) : NAN;
            out->weight[i * n + j] = out->weight[j * n + i] = s.weight;
            out->covariance[i * n + j] = out->covariance[j * n + i] = s.weight > 0 ? xy : NAN;
            out->correlation[i * n + j] = out->correlation[j * n + i] =
                i == j && varies ? 1 : fmin(fmax(r, -1), 1);
            if (isnan(r)) out->correlation[i * n + j] = out->correlation[j * n + i] = NAN;
        }
}

static cairn_status allocate(cairn_context *ctx, cairn_correlations *out, size_t n)
{
    *out = (cairn_correlations){.n = n};
    CHECK(SCRATCH_EACH(ctx, cairn_product(n, n), &out->correlation, &out->covariance));
    return SCRATCH(ctx, &out->weight, cairn_product(n, n));
}

/* Weighted means of the centred columns: not exactly 0 with weights. */
static double weighted_means(double *means, const gram_work *g)
{
    double total = g->weights ? cairn_sum(g->weights, g->n_rows) : (double)g->n_rows;
    for (size_t j = 0; j < g->n; j++) {
        double sum = 0;
        for (size_t i = 0; i < g->n_rows; i++)
            sum += (g->weights ? g->weights[i] : 1) * (g->columns[j][i] - g->centres[j]);
        means[j] = sum / total;
    }
    return total;
}

cairn_status cairn_correlations_make(cairn_context *ctx, cairn_correlations *out,
                                     const double *const *columns, size_t n, size_t n_rows,
                                     const double *weights)
{
    double *centres, *means, total = 0;
    gram_work g = {.columns = columns, .weights = weights, .n = n, .n_rows = n_rows};
    CHECK(allocate(ctx, out, n));
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    CHECK(SCRATCH_EACH(ctx, n + 1, &centres, &means));
    g.width = find_centres(centres, columns, n, n_rows) ? 3 * n : n;
    g.centres = centres;
    size_t n_parts =
        (size_t)fmin(fmax(3e7 / ((double)g.width * (double)g.width + 1), 1), MOST_PARTS);
    g.part_rows = (n_rows + n_parts - 1) / n_parts;
    if (g.part_rows < BLOCK_ROWS) g.part_rows = BLOCK_ROWS;
    n_parts = cairn_block_count(n_rows, g.part_rows);
    CHECK(SCRATCH(ctx, &g.grams, cairn_product(n_parts + 1, g.width * g.width)));
    CHECK(cairn_tasks_sized(ctx, n_parts, (double)n_rows * (double)g.width * (double)g.width / 4,
                            sum_part, &g));
    for (size_t p = 1; p < n_parts; p++)
        cairn_axpy(g.grams, 1, g.grams + p * g.width * g.width, g.width * g.width);
    if (g.width == n) total = weighted_means(means, &g);
    fill(out, g.grams, g.width, n, total, means);
    cairn_scratch_release(ctx, mark);
    return CAIRN_OK;
}

/* -- Spearman -- */

typedef struct rank_work {
    const double *const *columns;
    const double *weights;
    size_t n, n_rows;
    uint64_t **orders; /* per column: rows in ascending order */
    double **ranks;    /* per column: ranks among its own values, NaN where there is none */
    bool *gaps;        /* per column: some value is missing */
    cairn_correlations *out;
} rank_work;

/* Mid-ranks of x among the rows where `other` (NULL = any) has a value too; `kept` is working
 * memory for n_rows places. Other rows get NaN. */
static void rank_rows(double *ranks, uint64_t *kept, const uint64_t *order, const double *x,
                      const double *other, size_t n_rows)
{
    size_t n = 0;
    for (size_t k = 0; k < n_rows; k++) {
        uint64_t row = order[k];
        if (isfinite(x[row]) && (!other || isfinite(other[row])))
            kept[n++] = row;
        else
            ranks[row] = NAN;
    }
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && x[kept[end]] == x[kept[i]];) end++;
        for (size_t k = i; k < end; k++) ranks[kept[k]] = ((double)i + 1 + (double)end) / 2;
    }
}

static cairn_status rank_column(cairn_context *ctx, void *data, size_t j)
{
    rank_work *w = data;
    SCOPED_SCRATCH(ctx);
    uint64_t *kept;
    CHECK(SCRATCH_RAW(ctx, &kept, w->n_rows));
    CHECK(cairn_sort_order(ctx, w->orders[j], w->columns[j], w->n_rows));
    rank_rows(w->ranks[j], kept, w->orders[j], w->columns[j], NULL, w->n_rows);
    for (size_t i = 0; i < w->n_rows && !w->gaps[j]; i++) w->gaps[j] = isnan(w->ranks[j][i]);
    return CAIRN_OK;
}

/* The correlation of two columns that have values in the same rows. */
static double correlation_of(const double *x, const double *y, const double *weights, size_t n)
{
    double s = 0, sx = 0, sy = 0, xx = 0, yy = 0, xy = 0;
    for (size_t i = 0; i < n; i++) {
        double w = weights ? weights[i] : 1;
        if (isnan(x[i])) continue;
        s += w, sx += w * x[i], sy += w * y[i];
    }
    for (size_t i = 0; i < n; i++) {
        double w = weights ? weights[i] : 1, dx = x[i] - sx / s, dy = y[i] - sy / s;
        if (isnan(dx)) continue;
        xx += w * dx * dx, yy += w * dy * dy, xy += w * dx * dy;
    }
    return xx > 0 && yy > 0 ? fmin(fmax(xy / (sqrt(xx) * sqrt(yy)), -1), 1) : NAN;
}

/* Pairs of column i with those after it, ranked anew where one of the two lacks values. */
static cairn_status rank_pairs(cairn_context *ctx, void *data, size_t i)
{
    const rank_work *w = data;
    SCOPED_SCRATCH(ctx);
    double *x, *y, *r = w->out->correlation;
    uint64_t *kept;
    CHECK(SCRATCH_RAW_EACH(ctx, w->n_rows, &x, &y, &kept));
    for (size_t j = i + 1; j < w->n; j++) {
        if (!w->gaps[i] && !w->gaps[j]) continue;
        if (cairn_is_cancelled(ctx)) CHECK(cairn_tick(ctx, NULL, 0, 0));
        rank_rows(x, kept, w->orders[i], w->columns[i], w->columns[j], w->n_rows);
        rank_rows(y, kept, w->orders[j], w->columns[j], w->columns[i], w->n_rows);
        r[i * w->n + j] = r[j * w->n + i] = correlation_of(x, y, w->weights, w->n_rows);
    }
    return CAIRN_OK;
}

cairn_status cairn_rank_correlations(cairn_context *ctx, cairn_correlations *out,
                                     const double *const *columns, size_t n, size_t n_rows,
                                     const double *weights)
{
    double rows = (double)n_rows;
    rank_work w = {.columns = columns, .weights = weights, .n = n, .n_rows = n_rows, .out = out};
    CHECK(SCRATCH_EACH(ctx, n + 1, &w.orders, &w.ranks, &w.gaps));
    for (size_t j = 0; j < n; j++) {
        CHECK(SCRATCH_RAW_EACH(ctx, n_rows, &w.orders[j], &w.ranks[j]));
    }
    CHECK(cairn_tasks_sized(ctx, n, (double)n * rows * 20, rank_column, &w));
    CHECK(cairn_correlations_make(ctx, out, (const double *const *)w.ranks, n, n_rows, weights));
    return cairn_tasks_sized(ctx, n, (double)n * (double)n * rows * 5, rank_pairs, &w);
}

double cairn_correlation_p(double r, double n)
{
    if (!(n > 2) || isnan(r)) return NAN;
    if (fabs(r) >= 1) return 0;
    return 2 * cairn_t_upper(fabs(r) * sqrt((n - 2) / (1 - r * r)), n - 2);
}
