/* SPDX-License-Identifier: MIT */
/* Strengths of a penalty, from the strongest to the weakest. */
#include "base/functions.h"
#include "base/memory.h"
#include "entry/entry.h"
#include "solve/solvers.h"
#include <math.h>
#include <stdlib.h>

static int falling(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

cairn_status cairn_strengths(cairn_context *ctx, const char *name, const char *list, double first,
                             double ratio, size_t n_grid, double **out, size_t *n)
{
    if (!list) {
        *n = n_grid;
        CHECK(SCRATCH(ctx, out, n_grid));
        for (size_t i = 0; i < n_grid; i++)
            (*out)[i] =
                n_grid == 1 ? first : first * cairn_pow(ratio, (double)i / (double)(n_grid - 1));
        return CAIRN_OK;
    }
    CHECK(cairn_list_numbers(ctx, name, list, out, n));
    for (size_t i = 0; i < *n; i++)
        if (!((*out)[i] >= 0) || isinf((*out)[i]))
            return cairn_fail(ctx, CAIRN_USAGE, "%s: strengths are numbers of at least 0", name);
    qsort(*out, *n, sizeof **out, falling);
    return CAIRN_OK;
}
