/* SPDX-License-Identifier: MIT */
/* Bags by columns, in blocks of rows. A block is as large as its scores fit into the second-level
 * cache. Within a block the entries of the bags lie by item, so that a product with weights reads
 * these in order, once per block, and jumps about in the block's scores only; the product with the
 * transposed matrix does the same for a range of items, one block after the other. */
#ifndef CAIRN_ROWS_TILES_H
#define CAIRN_ROWS_TILES_H

#include "rows/matrix.h"

struct cairn_tile {
    uint32_t *starts; /* n_items + 1 */
    int32_t *items;   /* terms, ascending */
    size_t n_items;
    uint32_t *rows; /* within the block */
    double *values;
    double *squares; /* of the values; NULL until they are asked for */
    size_t *ranges;  /* n_ranges + 1: the first of `items` that is in the range of terms */
};

/* Rows of a block whose rows have so many scores. */
size_t cairn_tile_rows(size_t n_scores);
/* Fill the tiles of a matrix, from scratch memory. */
CAIRN_CHECKED cairn_status cairn_tiles_make(cairn_context *ctx, cairn_row_matrix *matrix);
/* Fill in the squares of the values. */
CAIRN_CHECKED cairn_status cairn_tiles_square(cairn_context *ctx, cairn_row_matrix *matrix);
/* scores (rows of the block x stride) += the bags times the weights (width x stride). */
void cairn_tile_times(const cairn_row_matrix *matrix, size_t block, const double *weights,
                      double *scores, size_t stride);
/* Terms [*first, *last) of range r. */
void cairn_range_of(const cairn_row_matrix *matrix, size_t r, size_t *first, size_t *last);
/* out (width x stride), in range r = transposed bags, squared if asked, times r (n x stride). */
void cairn_range_transposed(const cairn_row_matrix *matrix, size_t range, const double *r,
                            double *out, size_t stride, bool squared);

#endif
