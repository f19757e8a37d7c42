/* SPDX-License-Identifier: MIT */
/* Correlations by Gram matrices. Columns are centred first, so sums of products lose no digits.
 * Cells that are missing become 0 and stay out by a mask: with X the centred values, M the mask and Q the
 * squares, the Gram matrix of [X M Q] holds every sum that a pair needs over the rows they share.
 * Rows are cut into a fixed number of parts, each summed by itself and added up in order. */
#include "stats/correlation.h"

#include "base/memory.h"
#include "kernels/kernels.h"
#include "parallel/parallel.h"
#include "stats/distributions.h"
#include "stats/significance.h"

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

static cairn_status sum_part(cairn_context *ctx, void *data, size_t part)
{
    const gram_work *g = data;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    double *x, *gram = g->grams + part * g->width * g->width;
    size_t begin = part * g->part_rows, end = begin + g->part_rows;
    cairn_status status;
    if (end > g->n_rows) end = g->n_rows;
    TRY(SCRATCH_RAW(ctx, &x, BLOCK_ROWS * g->width));
    for (size_t first = begin; first < end; first += BLOCK_ROWS) {
        size_t rows = end - first < BLOCK_ROWS ? end - first : BLOCK_ROWS;
        if (cairn_is_cancelled(ctx)) TRY(cairn_tick(ctx, NULL, 0, 0));
        cairn_pack_rows(x, g->width, g->columns, g->n, NULL, first, rows);
        cairn_standardise_rows(x, g->width, rows, g->n, g->centres, NULL);
        if (g->width > g->n) add_masks(x, g->n, rows);
        cairn_gram_add(gram, NULL, x, g->width, NULL, g->weights ? g->weights + first : NULL, rows,
                       g->width);
    }
done:
    cairn_scratch_release(ctx, mark);
    return status;
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

static pair_sums sums_of(const double *g, size_t width, size_t n, size_t i, size_t j, double total)
{
    if (width == n) /* nothing is missing; the column sums are added below */
        return (pair_sums){total, 0, 0, g[i * n + i], g[j * n + j], g[i * n + j]};
    return (pair_sums){.weight = g[(n + i) * width + n + j],
                       .x = g[i * width + n + j],
                       .y = g[j * width + n + i],
                       .xx = g[(n + j) * width + 2 * n + i],
                       .yy = g[(n + i) * width + 2 * n + j],
                       .xy = g[i * width + j]};
}

/* Fill both triangles from the Gram matrix; `means` (weighted, of the centred columns) serve when
 * nothing is missing. */
static void fill(cairn_correlations *out, double *gram, size_t width, size_t n, double total,
                 const double *means)
{
    cairn_mirror_upper(gram, width);
    for (size_t i = 0; i < n; i++)
        for (size_t j = i; j < n; j++) {
            pair_sums s = sums_of(gram, width, n, i, j, total);
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
    cairn_status status;
    *out = (cairn_correlations){.n = n};
    TRY(SCRATCH(ctx, &out->correlation, cairn_product(n, n)));
    TRY(SCRATCH(ctx, &out->covariance, cairn_product(n, n)));
    TRY(SCRATCH(ctx, &out->weight, cairn_product(n, n)));
done:
    return status;
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
    cairn_status status;
    double *centres, *means, total = 0;
    gram_work g = {.columns = columns, .weights = weights, .n = n, .n_rows = n_rows};
    TRY(allocate(ctx, out, n));
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    TRY(SCRATCH(ctx, &centres, n + 1));
    TRY(SCRATCH(ctx, &means, n + 1));
    g.width = find_centres(centres, columns, n, n_rows) ? 3 * n : n;
    g.centres = centres;
    size_t n_parts =
        (size_t)fmin(fmax(3e7 / ((double)g.width * (double)g.width + 1), 1), MOST_PARTS);
    g.part_rows = (n_rows + n_parts - 1) / n_parts;
    if (g.part_rows < BLOCK_ROWS) g.part_rows = BLOCK_ROWS;
    n_parts = cairn_block_count(n_rows, g.part_rows);
    TRY(SCRATCH(ctx, &g.grams, cairn_product(n_parts + 1, g.width * g.width)));
    TRY(cairn_tasks_sized(ctx, n_parts, (double)n_rows * (double)g.width * (double)g.width / 4,
                          sum_part, &g));
    for (size_t p = 1; p < n_parts; p++)
        cairn_axpy(g.grams, 1, g.grams + p * g.width * g.width, g.width * g.width);
    if (g.width == n) total = weighted_means(means, &g);
    fill(out, g.grams, g.width, n, total, means);
    cairn_scratch_release(ctx, mark);
done:
    return status;
}

/* -- Spearman -- */

typedef struct rank_work {
    const double *const *columns;
    double **ranks;
    size_t n_rows;
} rank_work;

static cairn_status rank_column(cairn_context *ctx, void *data, size_t j)
{
    rank_work *w = data;
    double ties;
    return cairn_rank_values(ctx, w->ranks[j], w->columns[j], w->n_rows, &ties);
}

static bool lacks_any(const double *column, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(column[i])) return true;
    return false;
}

/* Ranks among the rows that both columns have, then their correlation. */
static cairn_status rank_pair(cairn_context *ctx, double *r, const double *x, const double *y,
                              size_t n_rows, const double *weights)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_status status;
    cairn_correlations pair;
    double *xs, *ys, *ws = NULL, ties;
    size_t m = 0;
    TRY(SCRATCH_RAW(ctx, &xs, n_rows));
    TRY(SCRATCH_RAW(ctx, &ys, n_rows));
    if (weights) TRY(SCRATCH_RAW(ctx, &ws, n_rows));
    for (size_t i = 0; i < n_rows; i++) {
        if (!isfinite(x[i]) || !isfinite(y[i])) continue;
        if (ws) ws[m] = weights[i];
        xs[m] = x[i];
        ys[m++] = y[i];
    }
    double *ranks[2];
    TRY(SCRATCH_RAW(ctx, &ranks[0], m));
    TRY(SCRATCH_RAW(ctx, &ranks[1], m));
    TRY(cairn_rank_values(ctx, ranks[0], xs, m, &ties));
    TRY(cairn_rank_values(ctx, ranks[1], ys, m, &ties));
    TRY(cairn_correlations_make(ctx, &pair, (const double *const *)ranks, 2, m, ws));
    *r = pair.correlation[1];
done:
    cairn_scratch_release(ctx, mark);
    return status;
}

cairn_status cairn_rank_correlations(cairn_context *ctx, cairn_correlations *out,
                                     const double *const *columns, size_t n, size_t n_rows,
                                     const double *weights)
{
    cairn_status status;
    rank_work w = {.columns = columns, .n_rows = n_rows};
    TRY(SCRATCH(ctx, &w.ranks, n + 1));
    for (size_t j = 0; j < n; j++) TRY(SCRATCH_RAW(ctx, &w.ranks[j], n_rows));
    TRY(cairn_tasks_sized(ctx, n, (double)n * (double)n_rows * 20, rank_column, &w));
    TRY(cairn_correlations_make(ctx, out, (const double *const *)w.ranks, n, n_rows, weights));
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++) {
            double r;
            if (!lacks_any(columns[i], n_rows) && !lacks_any(columns[j], n_rows)) continue;
            TRY(rank_pair(ctx, &r, columns[i], columns[j], n_rows, weights));
            out->correlation[i * n + j] = out->correlation[j * n + i] = r;
        }
done:
    return status;
}

double cairn_correlation_p(double r, double n)
{
    if (!(n > 2) || isnan(r)) return NAN;
    if (fabs(r) >= 1) return 0;
    return 2 * cairn_t_upper(fabs(r) * sqrt((n - 2) / (1 - r * r)), n - 2);
}
