/* SPDX-License-Identifier: MIT */
/* All pairs of rows. Differences are taken and then squared, never |x|^2 - 2xy + |y|^2, which loses
 * the digits of what is near. */
#include "kernels/row_pairs.h"
#include "kernels/kernels.h"
#include <math.h>
#include <stdint.h>

/* Wider rows are compared pair by pair: a lane is a column then. So are few rows, for which turning
 * the others would cost more than it saves. */
enum { TRANSPOSED_COLUMNS = 128, FEW_ROWS = 3 };

#define KERNEL_BODY "kernels/row_pairs_body.h"
#include "kernels/each_level.h"

static double plain_pair(const double *a, const double *b, size_t n, cairn_pairing pairing)
{
    double sum = 0;
    for (size_t t = 0; t < n; t++) {
        double d = a[t] - b[t];
        sum += pairing == CAIRN_PAIR_SQUARES ? d * d : fabs(d);
    }
    return sum;
}

static double one_pair(const double *a, const double *b, size_t n, cairn_pairing pairing)
{
    if (pairing == CAIRN_PAIR_LARGEST) return cairn_largest_distance(a, b, n);
    if (pairing == CAIRN_PAIR_PRODUCTS) return cairn_dot(a, b, n);
    if (n <= CAIRN_PAIR_PLAIN) return plain_pair(a, b, n, pairing);
    return pairing == CAIRN_PAIR_SQUARES ? cairn_squared_distance(a, b, n)
                                         : cairn_absolute_distance(a, b, n);
}

typedef void (*pair_function)(double *const *out, const double *const *rows, size_t m,
                              const double *b, size_t n, size_t width, const int root);

void cairn_pair_rows(double *const *out, const double *const *rows, size_t m, const double *b,
                     size_t n, size_t width, cairn_pairing pairing, bool root)
{
    bool plain = width <= CAIRN_PAIR_PLAIN;
    if (width <= TRANSPOSED_COLUMNS && m > FEW_ROWS) {
        pair_function function = pairing == CAIRN_PAIR_PRODUCTS  ? CHOOSE(pair_products)
                                 : pairing == CAIRN_PAIR_LARGEST ? CHOOSE(pair_largest)
                                 : pairing == CAIRN_PAIR_SQUARES
                                     ? (plain ? CHOOSE(plain_squares) : CHOOSE(pair_squares))
                                     : (plain ? CHOOSE(plain_absolutes) : CHOOSE(pair_absolutes));
        function(out, rows, m, b, n, width, root);
        return;
    }
    for (size_t r = 0; r < m; r++)
        for (size_t j = 0; j < n; j++) {
            double x = one_pair(rows[r], b + j * width, width, pairing);
            out[r][j] = root ? sqrt(x) : x;
        }
}
