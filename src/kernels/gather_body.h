/* SPDX-License-Identifier: MIT */
/* From columns to rows: squares of LANES x LANES numbers are turned in registers; what does not
 * fill a square goes number by number. */

#include "kernels/turn.h"

static TARGET void NAMED(pack_range)(double *restrict out, size_t stride,
                                     const double *const *restrict columns, size_t n_columns,
                                     size_t first, size_t n)
{
    size_t j = 0;
    for (; j + LANES <= n_columns; j += LANES) {
        const double *from[LANES];
        size_t i = 0;
        for (int l = 0; l < LANES; l++) from[l] = columns[j + l] + first;
        for (; i + LANES <= n; i += LANES) {
            vec square[LANES];
#pragma GCC unroll 8
            for (int l = 0; l < LANES; l++) square[l] = LOAD(from[l] + i);
            NAMED(turn_square)(square);
#pragma GCC unroll 8
            for (int l = 0; l < LANES; l++) STORE(out + (i + l) * stride + j, square[l]);
        }
        for (; i < n; i++)
            for (int l = 0; l < LANES; l++) out[i * stride + j + l] = from[l][i];
    }
    for (; j < n_columns; j++)
        for (size_t i = 0; i < n; i++) out[i * stride + j] = columns[j][first + i];
}

static TARGET void NAMED(pack_chosen)(double *restrict out, size_t stride,
                                      const double *const *restrict columns, size_t n_columns,
                                      const uint32_t *restrict rows, size_t n)
{
    size_t j = 0;
    for (; j + 8 <= n_columns; j += 8)
        for (size_t i = 0; i < n; i++)
            for (int l = 0; l < 8; l++) out[i * stride + j + l] = columns[j + l][rows[i]];
    for (; j < n_columns; j++)
        for (size_t i = 0; i < n; i++) out[i * stride + j] = columns[j][rows[i]];
}

static TARGET void NAMED(standardise)(double *restrict out, size_t stride, size_t n,
                                      size_t n_columns, const double *restrict shift,
                                      const double *restrict scale)
{
    for (size_t i = 0; i < n; i++) {
        double *row = out + i * stride;
        size_t j = 0;
        for (; j + LANES <= n_columns; j += LANES) {
            vec v = LOAD(row + j);
            if (shift) v -= LOAD(shift + j);
            if (scale) v *= LOAD(scale + j);
            STORE(row + j, v);
        }
        for (; j < n_columns; j++)
            row[j] = (row[j] - (shift ? shift[j] : 0)) * (scale ? scale[j] : 1);
    }
}
