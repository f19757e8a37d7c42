/* SPDX-License-Identifier: MIT */
/* Weights of classes: see class_weights.h. */
#include "stats/class_weights.h"
#include "base/memory.h"
#include "base/number.h"
#include "entry/entry.h"
#include <math.h>

/* What is to be read as numbers: all of it is above 0. */
static cairn_status read_numbers(cairn_context *ctx, double **out, size_t *n, const char *option,
                                 const char *given, const char *or_else)
{
    CHECK(cairn_list_numbers(ctx, cairn_say(ctx, option), given, out, n));
    for (size_t i = 0; i < *n; i++)
        if (!((*out)[i] > 0) || isinf((*out)[i]))
            return cairn_fail(ctx, CAIRN_USAGE, "%s %s: weights are numbers above 0; or %s",
                              cairn_say(ctx, option), given, or_else);
    return CAIRN_OK;
}

cairn_status cairn_class_weights_check(cairn_context *ctx, const char *option, const char *given,
                                       const char *or_else)
{
    double *numbers;
    size_t n;
    if (!given || cairn_same(given, "balanced")) return CAIRN_OK;
    return read_numbers(ctx, &numbers, &n, option, given, or_else);
}

void cairn_class_weights_balance(double *weights, size_t n_classes, double total)
{
    size_t present = 0;
    for (size_t c = 0; c < n_classes; c++) present += weights[c] > 0;
    for (size_t c = 0; c < n_classes; c++)
        weights[c] = weights[c] > 0 ? total / ((double)present * weights[c]) : 0;
}

cairn_status cairn_class_weights_given(cairn_context *ctx, double **out, const char *option,
                                       const char *given, size_t n_classes)
{
    size_t n;
    CHECK(read_numbers(ctx, out, &n, option, given, "balanced"));
    if (n == n_classes) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_BAD_DATA, "%s gives %zu weights for %zu classes",
                      cairn_say(ctx, option), n, n_classes);
}

cairn_status cairn_class_weights_of(cairn_context *ctx, double **out, const char *option,
                                    const char *given, const int32_t *codes, const double *weights,
                                    size_t n, size_t n_classes)
{
    double total = 0;
    if (!cairn_same(given, "balanced"))
        return cairn_class_weights_given(ctx, out, option, given, n_classes);
    CHECK(SCRATCH(ctx, out, n_classes + 1));
    for (size_t i = 0; i < n; i++) {
        (*out)[codes[i]] += weights[i];
        total += weights[i];
    }
    cairn_class_weights_balance(*out, n_classes, total);
    return CAIRN_OK;
}
