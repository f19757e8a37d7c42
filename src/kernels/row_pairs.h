/* SPDX-License-Identifier: MIT */
/* All pairs of the rows of two blocks, compared column by column; conventions as in kernels.h. */
#ifndef CAIRN_KERNELS_ROW_PAIRS_H
#define CAIRN_KERNELS_ROW_PAIRS_H

#include <stdbool.h>
#include <stddef.h>

/* What is made of the columns of two rows. */
typedef enum cairn_pairing {
    CAIRN_PAIR_SQUARES,   /* sum of squared differences */
    CAIRN_PAIR_ABSOLUTES, /* sum of absolute differences */
    CAIRN_PAIR_LARGEST,   /* largest absolute difference; NaN when one is */
    CAIRN_PAIR_PRODUCTS   /* sum of products */
} cairn_pairing;

/* Rows of at most CAIRN_PAIR_PLAIN columns are added up in a plain loop (the first two), all others
 * as by cairn_squared_distance, cairn_absolute_distance and cairn_dot, to the last bit. */
enum { CAIRN_PAIR_PLAIN = 8 };

/* out[r][j] for row rows[r], r < m, and row j < n of b (n x width, no gaps); with `root` the square
 * root of it. A pair's number does not depend on the pairs around it. */
void cairn_pair_rows(double *const *out, const double *const *rows, size_t m, const double *b,
                     size_t n, size_t width, cairn_pairing pairing, bool root);

#endif
