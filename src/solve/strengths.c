/* SPDX-License-Identifier: MIT */
/* Strengths of a penalty, from the strongest to the weakest, and the choice among them. */
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

size_t cairn_strengths_choose(const cairn_held *held, bool one_se, double *means, double *errors)
{
    double total = 0;
    for (size_t f = 0; f < held->n_folds; f++) total += held->weights[f];
    for (size_t i = 0; i < held->n; i++) {
        /* Mean loss per unit of weight over all held-out rows, and its standard error over the
         * folds. */
        double *error = &errors[i];
        double sum = 0, squares = 0, folds = 0;
        for (size_t f = 0; f < held->n_folds; f++) sum += held->losses[f * held->n + i];
        double mean = sum / total;
        for (size_t f = 0; f < held->n_folds; f++) {
            if (!(held->weights[f] > 0)) continue;
            double off = held->losses[f * held->n + i] / held->weights[f] - mean;
            squares += off * off;
            folds++;
        }
        *error = folds > 1 ? sqrt(squares / (folds - 1) / folds) : NAN;
        means[i] = mean;
    }
    return cairn_strengths_least(means, errors, held->n, one_se);
}

size_t cairn_strengths_least(const double *means, const double *errors, size_t n, bool one_se)
{
    size_t best = 0;
    for (size_t i = 1; i < n; i++)
        if (means[i] < means[best]) best = i;
    if (!one_se || isnan(errors[best])) return best;
    double within = means[best] + errors[best];
    while (best > 0 && means[best - 1] <= within) best--;
    return best;
}
