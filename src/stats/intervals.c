/* SPDX-License-Identifier: MIT */
/* Intervals for a proportion. */
#include "stats/intervals.h"
#include "base/number.h"
#include "stats/distributions.h"
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

static bool is_valid(double successes, double n, double level)
{
    return successes >= 0 && successes <= n && isfinite(n) && level > 0 && level < 1;
}

cairn_interval cairn_wilson_interval(double successes, double n, double level)
{
    if (!is_valid(successes, n, level)) return (cairn_interval){NAN, NAN};
    if (n == 0) return (cairn_interval){0, 1};
    double z = cairn_normal_quantile_upper((1 - level) / 2), square = z * z;
    double failures = n - successes, wide = n + square;
    double middle = (successes + square / 2) / wide;
    double half = z / wide * sqrt(successes / n * failures + square / 4);
    /* the ends of none and all are exact, whatever the rounding */
    double low = successes == 0 ? 0 : fmax(middle - half, 0);
    double high = failures == 0 ? 1 : fmin(middle + half, 1);
    return (cairn_interval){low, high};
}

cairn_interval cairn_exact_interval(double successes, double n, double level)
{
    if (!is_valid(successes, n, level)) return (cairn_interval){NAN, NAN};
    double tail = (1 - level) / 2, failures = n - successes;
    double low = successes == 0 ? 0 : cairn_beta_quantile(tail, successes, failures + 1);
    double high = failures == 0 ? 1 : cairn_beta_quantile_upper(tail, successes + 1, failures);
    return (cairn_interval){low, high};
}

const char *cairn_share_interval(double share, double n, double level, cairn_interval *out)
{
    double spread = n * share * (1 - share);
    if (n < 30 || spread < 5) {
        *out = cairn_exact_interval(share * n, n, level);
        return "exact binomial";
    }
    double reach = cairn_normal_quantile(0.5 + level / 2) * sqrt(share * (1 - share) / n);
    *out = (cairn_interval){fmax(0, share - reach), fmin(1, share + reach)};
    return "normal";
}

void cairn_report_interval(cairn_report *out, cairn_interval interval, double level,
                           const char *how, const char *name)
{
    char text[200], a[CAIRN_NUMBER_SIZE], b[CAIRN_NUMBER_SIZE], percent[CAIRN_NUMBER_SIZE];
    cairn_number_format(a, interval.low, 4);
    cairn_number_format(b, interval.high, 4);
    cairn_number_format(percent, 100 * level, 4);
    snprintf(text, sizeof text, "%s to %s (%s%%%s%s)", a, b, percent, how ? ", " : "",
             how ? how : "");
    cairn_report_word(out, "  interval", text, NULL);
    cairn_report_hidden(out, interval.low, "%s.low", name);
    cairn_report_hidden(out, interval.high, "%s.high", name);
}
