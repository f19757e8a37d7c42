/* SPDX-License-Identifier: MIT */
/* Smoothed relative frequencies. */
#include "stats/smoothing.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

const cairn_param cairn_smoothing_group[] = {
    CAIRN_PARAM(cairn_smoothing_option, smooth, "none", NULL,
                "how counts become probabilities: none, laplace (one more of each), lambda:X (X "
                "more of each), m:X (X more, shared out by the prior), bits (n + 1) / (N + 2)"),
    CAIRN_PARAM_END,
};

cairn_status cairn_smoothing_read(cairn_context *ctx, cairn_smoothing *out, const char *text)
{
    static const struct {
        const char *name;
        cairn_smoothing_kind kind;
        bool amount;
    } kinds[] = {{"none", CAIRN_SMOOTH_NONE, false},
                 {"laplace", CAIRN_SMOOTH_LAPLACE, false},
                 {"lambda", CAIRN_SMOOTH_LAMBDA, true},
                 {"m", CAIRN_SMOOTH_M, true},
                 {"bits", CAIRN_SMOOTH_BITS, false}};
    size_t length = text ? strcspn(text, ":") : 0;
    double more;
    if (!text) text = "none", length = 4;
    if (cairn_number_parse(text, strlen(text), &more) && more >= 0 && !isinf(more)) {
        *out = (cairn_smoothing){CAIRN_SMOOTH_LAMBDA, more};
        return CAIRN_OK;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        double amount = 0;
        if (strlen(kinds[i].name) != length || strncmp(text, kinds[i].name, length) != 0) continue;
        bool given = text[length] == ':';
        const char *number = text + length + 1;
        if (given != kinds[i].amount ||
            (given && (!cairn_number_parse(number, strlen(number), &amount) || !(amount >= 0) ||
                       isinf(amount))))
            return cairn_fail(ctx, CAIRN_USAGE,
                              kinds[i].amount ? "{smooth %s}: write %s:X with a number X that is "
                                                "not negative, such as %s:1"
                                              : "{smooth %s}: '%s' takes no number; lambda:X and "
                                                "m:X do, unlike %s",
                              text, kinds[i].name, kinds[i].name);
        *out = (cairn_smoothing){kinds[i].kind, amount};
        return CAIRN_OK;
    }
    return cairn_fail(ctx, CAIRN_USAGE, "{smooth %s}: choose none, laplace, lambda:X, m:X or bits",
                      text);
}

static double quotient(double a, double b)
{
    return b > 0 ? a / b : NAN;
}

double cairn_smoothed(cairn_smoothing smoothing, double count, double total, size_t n_values,
                      const double *prior, size_t i)
{
    double k = (double)n_values, x = smoothing.amount;
    switch (smoothing.kind) {
    case CAIRN_SMOOTH_NONE: return quotient(count, total);
    case CAIRN_SMOOTH_LAPLACE: return quotient(count + 1, total + k);
    case CAIRN_SMOOTH_LAMBDA: return quotient(count + x, total + x * k);
    case CAIRN_SMOOTH_M: return quotient(count + x * (prior ? prior[i] : 1 / k), total + x);
    case CAIRN_SMOOTH_BITS: return quotient(count + 1, total + 2);
    }
    return NAN;
}

void cairn_smooth_counts(double *out, cairn_smoothing smoothing, const double *counts, size_t n,
                         const double *prior)
{
    double total = 0;
    for (size_t i = 0; i < n; i++) total += counts[i];
    for (size_t i = 0; i < n; i++)
        out[i] = cairn_smoothed(smoothing, counts[i], total, n, prior, i);
}
