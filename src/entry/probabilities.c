/* SPDX-License-Identifier: MIT */
/* Typed probabilities: see probabilities.h. */
#include "entry/probabilities.h"
#include "base/number.h"
#include "entry/entry.h"
#include <math.h>

cairn_status cairn_check_probabilities(cairn_context *ctx, const char *what, double *numbers,
                                       size_t n)
{
    const double rounding = 1.5e-6, exact = 1e-12;
    char text[CAIRN_NUMBER_SIZE];
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        if (!(numbers[i] >= 0))
            return cairn_fail(ctx, CAIRN_USAGE,
                              "{%s}: number %zu is negative or missing; probabilities lie between "
                              "0 and 1",
                              what, i + 1);
        sum += numbers[i];
    }
    if (!(fabs(sum - 1) <= rounding)) {
        cairn_number_format(text, sum, 10);
        return cairn_fail(ctx, CAIRN_USAGE, "{%s}: the probabilities add up to %s, not to 1", what,
                          text);
    }
    for (size_t i = 0; fabs(sum - 1) > exact && i < n; i++) numbers[i] /= sum;
    return CAIRN_OK;
}

cairn_status cairn_list_probabilities(cairn_context *ctx, const char *what, const char *list,
                                      double **out, size_t *n)
{
    CHECK(cairn_list_numbers(ctx, what, list, out, n));
    return cairn_check_probabilities(ctx, what, *out, *n);
}
