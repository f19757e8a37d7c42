/* SPDX-License-Identifier: MIT */
/* What the numbers of a file are: a table of rows, or a matrix that stands for one.
 *
 *     table      one row per case
 *     distances  n x n, entry (i, j) is the distance of cases i and j; or one column with those of
 *                cases 1 and 2, 1 and 3, ..., then 2 and 3, ..., which becomes such a matrix
 *     gram       n x n, entry (i, j) is the inner product (or kernel) of cases i and j
 *     counts     a cell says how often its row and column occurred together
 *
 * A matrix may have one column that names its rows, also by numbers; otherwise its columns name
 * them. Half of it is enough. */
#ifndef CAIRN_DATA_SHAPE_H
#define CAIRN_DATA_SHAPE_H

#include "data/table.h"

typedef enum cairn_shape {
    CAIRN_SHAPE_TABLE,
    CAIRN_SHAPE_DISTANCES,
    CAIRN_SHAPE_GRAM,
    CAIRN_SHAPE_COUNTS
} cairn_shape;

const char *cairn_shape_name(cairn_shape shape); /* "distances" */
/* Fails (CAIRN_USAGE) for a word that is none of the four; NULL is a table. */
CAIRN_CHECKED cairn_status cairn_shape_find(cairn_context *ctx, cairn_shape *out, const char *word);

/* A square matrix of a table: its values (row-major) and the names of its rows. Scratch. */
typedef struct cairn_square_matrix {
    size_t n;
    double *values;
    const char **names;
    bool filled; /* half of it was missing */
} cairn_square_matrix;

/* Take the table for distances or a Gram matrix: as many number columns as rows, finite, symmetric
 * (to 1e-9 of the larger entry, then made exactly so); distances are not negative and 0 on the
 * diagonal. Fails naming row, column and value. */
CAIRN_CHECKED cairn_status cairn_matrix_of_table(cairn_context *ctx, cairn_square_matrix *out,
                                                 const cairn_table *table, cairn_shape shape);

/* Give *table the shape. Matrices are checked and marked. A table of counts is unfolded in place:
 * one row per cell that is not 0, with the columns that are not counts, the level column "column"
 * (left out when there is a single column of counts) and the weight "count". */
CAIRN_CHECKED cairn_status cairn_table_reshape(cairn_context *ctx, cairn_table **table,
                                               cairn_shape shape);

/* A table that nobody announced as a matrix of distances becomes one, with a warning that says how
 * to have it otherwise, where rows and columns have the same names. Where it only could be one it
 * is refused with both commands (CAIRN_USAGE) if the caller asks. */
CAIRN_CHECKED cairn_status cairn_table_find_distances(cairn_context *ctx, cairn_table *table,
                                                      bool asks);

#endif
