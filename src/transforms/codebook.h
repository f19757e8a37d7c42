/* SPDX-License-Identifier: MIT */
/* Code books: a few vectors that stand for many. A row is encoded by the number of the nearest one
 * and decoded by that vector. */
#ifndef CAIRN_TRANSFORMS_CODEBOOK_H
#define CAIRN_TRANSFORMS_CODEBOOK_H

#include "base/kept.h"
#include "base/archive.h"
#include "data/view.h"

typedef struct cairn_codebook {
    size_t n, width;
    double *centres; /* n x width */
} cairn_codebook;

/* The centres that k-means finds in some features of the view: the means of its clusters that have
 * rows, after the usual scaling unless the columns are to count in their own units; rows that lack
 * a cell are left out. Clear it also after a failure. */
CAIRN_CHECKED cairn_status cairn_codebook_fit(cairn_context *ctx, cairn_codebook *out,
                                              const cairn_view *view, const size_t *chosen,
                                              size_t width, int count, bool own_units);
void cairn_codebook_clear(cairn_codebook *book);
extern const cairn_kept cairn_codebook_keeps[];

/* The code of n packed rows, of equally near vectors the first, and the squared distance; -1 and
 * NaN for a row that lacks a number. `squares` may be NULL. */
CAIRN_CHECKED cairn_status cairn_codebook_encode(cairn_context *ctx, const cairn_codebook *book,
                                                 const double *rows, size_t n, int32_t *codes,
                                                 double *squares);

/* Bits of a code: the least whole number of them that tells n codes apart. */
double cairn_code_bits(size_t n);

#endif
