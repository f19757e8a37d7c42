/* SPDX-License-Identifier: MIT */
/* Cluster numbers as a list: see given_clusters.h. */
#include "learners/cluster/given_clusters.h"

#include "base/memory.h"
#include "entry/entry.h"

#include <math.h>

cairn_status cairn_given_clusters(cairn_context *ctx, int32_t **out, size_t n, size_t k,
                                  const char *given)
{
    double *numbers;
    size_t n_given;
    int32_t *groups;
    CHECK(cairn_list_numbers(ctx, cairn_say(ctx, "{given}"), given, &numbers, &n_given));
    if (n_given != n)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "{given} has %zu cluster numbers for %zu rows",
                          n_given, n);
    CHECK(SCRATCH(ctx, &groups, n));
    for (size_t i = 0; i < n; i++) {
        if (!(numbers[i] >= 1 && numbers[i] <= (double)k) || numbers[i] != floor(numbers[i]))
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "{given}: number %zu is not one of the clusters 1 to %zu", i + 1, k);
        groups[i] = (int32_t)numbers[i] - 1;
    }
    *out = groups;
    return CAIRN_OK;
}

cairn_status cairn_given_used(cairn_context *ctx, int32_t **out, const cairn_view *view, size_t k,
                              const char *given)
{
    size_t at = 0;
    CHECK(cairn_given_clusters(ctx, out, view->rows.n, k, given));
    for (size_t i = 0; i < view->rows.n; i++)
        if (cairn_view_weight(view, i) > 0) (*out)[at++] = (*out)[i];
    return CAIRN_OK;
}
