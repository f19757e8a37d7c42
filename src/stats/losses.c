/* SPDX-License-Identifier: MIT */
/* Margin losses. */
#include "stats/losses.h"

#include <math.h>

double cairn_margin_loss(cairn_loss loss, double z, double log_base)
{
    if (isnan(z)) return NAN;
    switch (loss) {
    case CAIRN_LOSS_ZERO_ONE: return z <= 0;
    case CAIRN_LOSS_HINGE: return fmax(0, 1 - z);
    case CAIRN_LOSS_LOGISTIC: return (z < 0 ? -z + log1p(exp(z)) : log1p(exp(-z))) / log(log_base);
    case CAIRN_LOSS_EXPONENTIAL: return exp(-z);
    case CAIRN_LOSS_SQUARED: return (1 - z) * (1 - z);
    case CAIRN_LOSS_SQUARED_ONE_SIDE: return z > 1 ? 0 : (1 - z) * (1 - z);
    }
    return NAN;
}

const cairn_choice cairn_loss_choices[] = {
    {"zero-one", CAIRN_LOSS_ZERO_ONE, "1 for a margin of 0 or less, else 0"},
    {"hinge", CAIRN_LOSS_HINGE, "1 - z, but not below 0"},
    {"logistic", CAIRN_LOSS_LOGISTIC, "logarithm of 1 + exp(-z), to base 2 unless --log says"},
    {"exponential", CAIRN_LOSS_EXPONENTIAL, "exp(-z)"},
    {"squared", CAIRN_LOSS_SQUARED, "(1 - z) squared"},
    {"squared-truncated", CAIRN_LOSS_SQUARED_ONE_SIDE, "(1 - z) squared, 0 above z = 1"},
    {NULL, 0, NULL},
};

const char *cairn_loss_name(cairn_loss loss)
{
    static const char *const names[] = {"zero_one",    "hinge",   "logistic",
                                        "exponential", "squared", "squared_truncated"};
    return names[loss];
}

const char *cairn_loss_title(cairn_loss loss)
{
    static const char *const titles[] = {"0–1",         "hinge",   "logistic",
                                         "exponential", "squared", "squared, cut at 1"};
    return titles[loss];
}
