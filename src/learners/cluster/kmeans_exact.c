/* SPDX-License-Identifier: MIT */
/* The best partition of a few rows, by trying all of them.
 *
 * Rows are placed one after the other: into one of the clusters that have rows, or into the next
 * new one, so that every partition comes up once. Adding row x of weight w to a cluster of weight W
 * and mean m raises its sum of squares by wW/(w+W) |x - m|^2; a branch that is already worse than
 * the best partition so far is left. */
#include "base/memory.h"
#include "base/number.h"
#include "kernels/kernels.h"
#include "learners/cluster/kmeans.h"
#include <math.h>
#include <string.h>

static const double MOST_PARTITIONS = 2e7;
enum { MOST_ROWS = 1000 };

typedef struct search {
    cairn_context *ctx;
    size_t n, k, d;
    double *rows;    /* n x d */
    double *weights; /* n */
    double *means;   /* k x d */
    double *sizes;   /* k */
    double *saved;   /* n x d: the mean before the row at this depth came */
    double best;
    double optima;
    double *centres; /* k x d: of the best */
    uint64_t steps;
    cairn_status status;
} search;

/* Number of partitions of n things into k groups; huge ones become infinite. */
static double count_partitions(double *row, size_t n, size_t k)
{
    memset(row, 0, (k + 1) * sizeof *row);
    row[0] = 1;
    for (size_t i = 1; i <= n; i++) {
        for (size_t j = k; j > 0; j--) row[j] = (double)j * row[j] + row[j - 1];
        row[0] = 0;
    }
    return row[k];
}

static void place(search *s, size_t depth, size_t used, double sum);

/* Try row `depth` in cluster c and go on. */
static void try_cluster(search *s, size_t depth, size_t c, size_t used, double sum)
{
    double *mean = s->means + c * s->d, *saved = s->saved + depth * s->d, w = s->weights[depth];
    const double *row = s->rows + depth * s->d;
    double size = s->sizes[c], more = 0;
    if (size > 0) more = w * size / (w + size) * cairn_squared_distance(row, mean, s->d);
    memcpy(saved, mean, s->d * sizeof *mean);
    for (size_t j = 0; j < s->d; j++)
        mean[j] = size > 0 ? mean[j] + (row[j] - mean[j]) * (w / (w + size)) : row[j];
    s->sizes[c] = size + w;
    place(s, depth + 1, c == used ? used + 1 : used, sum + more);
    s->sizes[c] = size;
    memcpy(mean, saved, s->d * sizeof *mean);
}

static void place(search *s, size_t depth, size_t used, double sum)
{
    double slack = 1e-9 * s->best;
    if (s->status != CAIRN_OK || s->n - depth < s->k - used || sum > s->best + slack) return;
    if (depth == s->n) {
        s->optima = sum < s->best - slack || isinf(s->best) ? 1 : s->optima + 1;
        if (sum < s->best) {
            s->best = sum;
            memcpy(s->centres, s->means, s->k * s->d * sizeof *s->centres);
        }
        return;
    }
    if (++s->steps % 65536 == 0) s->status = cairn_tick(s->ctx, "all partitions", 0, 1);
    for (size_t c = 0; c < used; c++) try_cluster(s, depth, c, used, sum);
    if (used < s->k) try_cluster(s, depth, used, used, sum);
}

/* The number of partitions grows so fast that it is counted before the search; beyond the limit
 * the program would seem to hang. */
static cairn_status check_size(cairn_context *ctx, const cairn_kmeans_data *data, size_t k,
                               double *partitions)
{
    double *row;
    char count[CAIRN_NUMBER_SIZE];
    cairn_status status;
    *partitions = INFINITY;
    if (data->n_used <= MOST_ROWS) {
        TRY(SCRATCH(ctx, &row, k + 1));
        *partitions = count_partitions(row, data->n_used, k);
    }
    if (*partitions <= MOST_PARTITIONS) return CAIRN_OK;
    cairn_number_format(count, *partitions, 3);
    status =
        cairn_fail(ctx, CAIRN_BAD_DATA,
                   "{exact} would try %s%s partitions of %zu rows into %zu clusters, more than "
                   "20 million; leave it out or use fewer rows",
                   isinf(*partitions) ? "" : "about ", isinf(*partitions) ? "far too many" : count,
                   data->n_used, k);
done:
    return status;
}

cairn_status cairn_kmeans_exact(cairn_context *ctx, const cairn_kmeans_data *data, size_t k,
                                double *centres, double *partitions, double *optima)
{
    search s = {.ctx = ctx, .k = k, .d = data->d, .n = data->n_used, .centres = centres};
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    size_t at = 0;
    cairn_status status;
    TRY(check_size(ctx, data, k, partitions));
    TRY(SCRATCH(ctx, &s.rows, s.n * s.d));
    TRY(SCRATCH(ctx, &s.weights, s.n));
    TRY(SCRATCH(ctx, &s.means, k * s.d));
    TRY(SCRATCH(ctx, &s.sizes, k));
    TRY(SCRATCH(ctx, &s.saved, s.n * s.d));
    for (size_t i = 0; i < data->n; i++) {
        double w = cairn_view_weight(data->view, i);
        if (!(w > 0)) continue;
        cairn_kmeans_row(data, i, s.rows + at * s.d);
        s.weights[at++] = w;
    }
    s.best = INFINITY;
    place(&s, 0, 0, 0);
    *optima = s.optima;
    TRY(s.status);
done:
    cairn_scratch_release(ctx, mark);
    return status;
}
