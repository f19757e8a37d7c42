/* SPDX-License-Identifier: MIT */
/* The tail is summed term by term from the wanted overlap on, each term from the one before; the
 * first one comes from logarithms of factorials. When the overlap is below the expected one, the
 * other tail is the shorter sum. */
#include "stats/hypergeometric.h"
#include "base/functions.h"

#include <math.h>

static double log_factorial(uint64_t n)
{
    return cairn_lgamma((double)n + 1);
}

static double log_choose(uint64_t n, uint64_t k)
{
    return log_factorial(n) - log_factorial(k) - log_factorial(n - k);
}

static double chance_of(uint64_t k, uint64_t a, uint64_t b, uint64_t total)
{
    return cairn_exp(log_choose(a, k) + log_choose(total - a, b - k) - log_choose(total, b));
}

double cairn_hypergeometric_upper(uint64_t common, uint64_t a, uint64_t b, uint64_t total)
{
    uint64_t most = a < b ? a : b, least = a + b > total ? a + b - total : 0;
    if (common <= least) return 1;
    if (common > most) return 0;
    double expected = (double)a * (double)b / (double)total, sum = 0, term;
    if ((double)common > expected) {
        term = chance_of(common, a, b, total);
        for (uint64_t k = common; k <= most && (sum == 0 || term > sum * 1e-17); k++) {
            sum += term;
            term *= (double)(a - k) * (double)(b - k) /
                    ((double)(k + 1) * (double)(total + k + 1 - a - b));
        }
        return fmin(sum, 1);
    }
    term = chance_of(common - 1, a, b, total);
    for (uint64_t k = common - 1;; k--) {
        sum += term;
        if (k == least || term <= sum * 1e-17) break;
        term *=
            (double)k * (double)(total + k - a - b) / ((double)(a - k + 1) * (double)(b - k + 1));
    }
    return fmax(0, 1 - sum);
}

double cairn_fisher_two_sided(uint64_t common, uint64_t a, uint64_t b, uint64_t total)
{
    enum { MOST_TABLES = 1000000 };
    uint64_t most = a < b ? a : b, least = a + b > total ? a + b - total : 0;
    double sum = 0, limit = chance_of(common, a, b, total) * (1 + 1e-7);
    if (most - least > MOST_TABLES) return NAN;
    for (uint64_t k = least; k <= most; k++) {
        double chance = chance_of(k, a, b, total);
        if (chance <= limit) sum += chance;
    }
    return fmin(sum, 1);
}
