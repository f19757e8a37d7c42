/* SPDX-License-Identifier: MIT */
/* The inner loops of searches for nearest points: the few points of a tree's leaf against a query,
 * and the small values of a row of products. */
#include "kernels/kernels.h"

#define KERNEL_BODY "kernels/leaf_body.h"
#include "kernels/each_level.h"

uint32_t cairn_leaf_sums(double *sums, const double *points, const double *query, size_t n_columns,
                         double limit, cairn_summing summing)
{
    switch (summing) {
    case CAIRN_SUM_ABSOLUTES: return CHOOSE(leaf_absolutes)(sums, points, query, n_columns, limit);
    case CAIRN_SUM_LARGEST: return CHOOSE(leaf_largest)(sums, points, query, n_columns, limit);
    default: return CHOOSE(leaf_squares)(sums, points, query, n_columns, limit);
    }
}

size_t cairn_find_below(uint32_t *out, const float *dots, const float *norms, size_t n, float limit)
{
    return CHOOSE(find_below)(out, dots, norms, n, limit);
}
