/* SPDX-License-Identifier: MIT */
/* The proof of kernel k-means: where the rounds end, no row is nearer to another cluster than to
 * its
 * own. Kernel values are made anew, a row at a time; of more rows than n² up to MOST_PAIRS those
 * that are spread evenly are looked at, and then the squared lengths of the means, which are sums
 * over all pairs, are the model's. */
#include "base/memory.h"
#include "learners/cluster/kernel_kmeans.h"
#include <math.h>
#include <string.h>

enum { LINES = 16 };
static const double MOST_PAIRS = 2e7;

/* The sums of every so-many-th row, and what they add to the squared lengths of the means. */
static cairn_status sum_rows(cairn_context *ctx, const cairn_kernel_kmeans_run *run, size_t every,
                             double *sums, double *lengths)
{
    uint32_t which[LINES];
    double *lines;
    CHECK(SCRATCH_RAW(ctx, &lines, cairn_product(LINES, run->n)));
    for (size_t i = 0; i < run->n;) {
        size_t some = 0;
        for (; i < run->n && some < LINES; i += every) which[some++] = (uint32_t)i;
        CHECK(cairn_kernel_block(ctx, run->kernel, run->rows, which, some, run->rows, 0, run->n,
                                 lines, run->n));
        for (size_t l = 0; l < some; l++, sums += run->k) {
            size_t row = which[l], own = (size_t)run->codes[row];
            /* Σ w k(x, y), or Σ w |x − y|, of a row with these kernel values over the members of
             * each cluster. */
            const double *line = lines + l * run->n;
            memset(sums, 0, run->k * sizeof *sums);
            for (size_t j = 0; j < run->n; j++) {
                double square = run->diagonal[row] - 2 * line[j] + run->diagonal[j];
                sums[run->codes[j]] +=
                    run->weights[j] * (run->mean ? line[j] : sqrt(fmax(0, square)));
            }
            lengths[own] += run->weights[row] * sums[own] / run->sizes[own] / run->sizes[own];
        }
        CHECK(cairn_tick(ctx, NULL, 0, 0));
    }
    return CAIRN_OK;
}

/* What the rows could gain by going elsewhere; the score of a cluster without rows is none. */
static double gain_of(const cairn_kernel_kmeans_run *run, const double *sums, const double *lengths,
                      size_t row, double *size)
{
    double own = INFINITY, least = INFINITY;
    for (size_t c = 0; c < run->k; c++) {
        double mean = sums[c] / run->sizes[c];
        double score = run->mean ? run->diagonal[row] - 2 * mean + lengths[c] : mean;
        if (!(run->sizes[c] > 0)) continue;
        if ((size_t)run->codes[row] == c) own = score;
        least = fmin(least, score);
    }
    *size += run->weights[row] * (run->mean ? fabs(run->diagonal[row]) + fabs(own) : own);
    return run->weights[row] * (own - least);
}

cairn_status cairn_kernel_kmeans_prove(cairn_context *ctx, cairn_certificate *out,
                                       const cairn_kernel_kmeans_run *run, bool converged)
{
    SCOPED_SCRATCH(ctx);
    size_t n = run->n, k = run->k, every = 1 + (size_t)((double)n * (double)n / MOST_PAIRS);
    double *sums, *lengths, gain = 0, size = 0;
    if (!out) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &lengths, k));
    CHECK(SCRATCH_RAW(ctx, &sums, cairn_product(n / every + 1, k)));
    CHECK(sum_rows(ctx, run, every, sums, lengths));
    for (size_t i = 0; i < n; i += every, sums += k)
        gain += gain_of(run, sums, every == 1 ? lengths : run->constants, i, &size);
    cairn_certify(out, CAIRN_PROOF_SWAP, gain > 0 ? gain / size : 0, 1e-9);
    out->limited |= !converged;
    out->remedy = "raise {max-iter}";
    return CAIRN_OK;
}
