/* SPDX-License-Identifier: MIT */
/* Chances of the overlap of two sets that are drawn independently. */
#ifndef CAIRN_STATS_HYPERGEOMETRIC_H
#define CAIRN_STATS_HYPERGEOMETRIC_H

#include <stdint.h>

/* Chance that sets of `a` and `b` of `total` things have at least `common` in common: Fisher's
 * exact test, one sided. */
double cairn_hypergeometric_upper(uint64_t common, uint64_t a, uint64_t b, uint64_t total);

/* Fisher's exact test, two sided: the chances of all tables with these margins that are no likelier
 * than `common`. NaN where there are too many tables to add up. */
double cairn_fisher_two_sided(uint64_t common, uint64_t a, uint64_t b, uint64_t total);

#endif
