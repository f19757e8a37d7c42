/* SPDX-License-Identifier: MIT */
/* Margin losses. */
#include "stats/losses.h"
#include "base/functions.h"

#include <math.h>

double cairn_margin_loss(cairn_loss loss, double z, double log_base)
{
    if (isnan(z)) return NAN;
    switch (loss) {
    case CAIRN_LOSS_ZERO_ONE: return z <= 0;
    case CAIRN_LOSS_HINGE: return fmax(0, 1 - z);
    case CAIRN_LOSS_LOGISTIC:
        return (z < 0 ? -z + cairn_log1p(cairn_exp(z)) : cairn_log1p(cairn_exp(-z))) /
               cairn_log(log_base);
    case CAIRN_LOSS_EXPONENTIAL: return cairn_exp(-z);
    case CAIRN_LOSS_SQUARED: return (1 - z) * (1 - z);
    case CAIRN_LOSS_SQUARED_ONE_SIDE: return z > 1 ? 0 : (1 - z) * (1 - z);
    }
    return NAN;
}

enum { LOG_2, LOG_E, LOG_10 };

const cairn_choice cairn_log_choices[] = {
    {"2", LOG_2, "bits"},
    {"e", LOG_E, "natural logarithm"},
    {"10", LOG_10, "decimal logarithm"},
    {NULL, 0, NULL},
};

double cairn_log_base(int choice)
{
    return choice == LOG_2 ? 2 : choice == LOG_E ? 2.718281828459045235 : 10;
}

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
