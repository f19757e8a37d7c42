/* SPDX-License-Identifier: MIT */
/* The rows of a view as a matrix: the one reader of numbers and bags for whatever works by sums
 * over rows.
 *
 * Terms are the columns of the matrix: the number columns first, then the items of the bags. In a
 * row that is written out, the target follows them when it was wished for, and then a 1. Nothing is
 * copied: rows are read in blocks, whose size depends on the shape of the data only, and within a
 * block piece by piece through a worker's buffer. Every block has a partial result of its own, and
 * these are joined in block order, so the number of threads does not show. */
#ifndef CAIRN_ROWS_MATRIX_H
#define CAIRN_ROWS_MATRIX_H

#include "base/archive.h"
#include "base/text.h"
#include "data/schema.h"
#include "data/view.h"
#include "report/report.h"

/* In which units terms and target are read. */
typedef enum cairn_units {
    CAIRN_UNITS_OWN,    /* as they are */
    CAIRN_UNITS_SCALED, /* z = x scale: a power of two brings numbers of any size near 1 */
    CAIRN_UNITS_SHIFTED /* z = (x - shift) scale, with the shift near the mean: sums of squares lose
                           no digits to large means. Where the mean is small beside the spread and
                           the numbers are neither huge nor tiny, z is x itself */
} cairn_units;

typedef struct cairn_matrix_options {
    cairn_units units;
    double largest_scale; /* of a column; 0 = any */
    bool target;          /* numbers of the target are the column after the terms */
    bool ones;            /* a 1 is the last column */
    size_t sum_size;      /* numbers of the widest sum: bounds the number of blocks in memory */
    size_t buffer;        /* numbers of working memory for each row of a piece */
    size_t scores;        /* of a row: products of pieces with so many vectors get room */
    size_t n_terms;       /* predicting: terms that the model knows, the others are left out; 0 =
                             all. Fails when the data have fewer */
    bool apart;           /* rows that are written out hold the number columns only */
    bool unit;            /* terms of a row are divided by its length; zeros stay. Not `apart` */
    size_t
        tile; /* `apart`, and scores of a row: bags are turned into tiles by columns (see tiles.h);
                             0 = not */
} cairn_matrix_options;

typedef struct cairn_tile cairn_tile;

typedef struct cairn_row_matrix {
    const cairn_view *view;
    size_t n;                /* rows */
    size_t n_dense, n_terms; /* number columns; with the items of bags */
    size_t width;            /* columns with the target and the 1 */
    size_t written;          /* of them in a row that is written out */
    bool target, ones;
    bool unit;              /* rows that are written out have the length 1 */
    const double **columns; /* n_dense, and the target */
    double *shift, *scale;  /* n_terms, and the target's */
    bool plain;             /* z is x in every column */
    size_t n_bags;
    const cairn_column **bags;
    size_t *bag_starts;    /* n_bags + 1: first term of each */
    const double *weights; /* n: given by the learner in place of the view's; NULL = the view's */
    bool weighted;         /* some weight is not 1 */
    size_t block, n_blocks, piece; /* rows of a block, blocks, rows of a buffer */
    size_t buffer, sum_size;
    size_t scores, product; /* numbers that products of a piece with so many scores work in */
    double *buffers; /* a worker's piece x (written + room + 1) numbers, and `product` more */
    cairn_tile *tiles;
    size_t n_ranges, range; /* of so many terms, for products with the transposed matrix */
} cairn_row_matrix;

/* Scratch memory of now. The view and the wish's answers are borrowed. */
CAIRN_CHECKED cairn_status cairn_matrix_open(cairn_context *ctx, cairn_row_matrix *out,
                                             const cairn_view *view,
                                             const cairn_matrix_options *options);
/* The rows `rows` of a matrix, without tiles, as a matrix of its own with the same units. */
CAIRN_CHECKED cairn_status cairn_matrix_part(cairn_context *ctx, cairn_row_matrix *out,
                                             cairn_view *view, const cairn_row_matrix *matrix,
                                             const uint32_t *rows, size_t n);

/* -- sums over the rows -- */

enum { CAIRN_PIECE_ROWS = 1024 }; /* most rows of a piece that is read */

typedef struct cairn_piece {
    size_t first, n;       /* rows of the view */
    const double *z;       /* n x written, no gaps */
    const double *weights; /* n; NULL = all 1 */
    double *buffer;        /* n x the room of the wish, and not kept */
    double *product;       /* what products with the scores of the wish work in */
    size_t block;
    bool opens; /* the first of its block: the sums are all 0 */
} cairn_piece;

typedef void (*cairn_piece_function)(void *data, const cairn_piece *piece, double *sums);
/* Add a block's sums to those of the blocks before it. */
typedef void (*cairn_join_function)(const void *data, double *sums, const double *part,
                                    size_t size);

typedef struct cairn_row_sum {
    size_t size; /* numbers */
    cairn_piece_function piece;
    cairn_join_function join; /* NULL = they are added */
    bool unread;              /* the function reads the rows itself: no z, no weights */
    size_t rows;              /* of a piece, where it does and needs no room; 0 = as others */
    void *data;
} cairn_row_sum;

/* out (size numbers) = sums over all rows, over threads and ranks. */
CAIRN_CHECKED cairn_status cairn_matrix_sum(cairn_context *ctx, const cairn_row_matrix *matrix,
                                            const cairn_row_sum *sum, double *out);

/* -- reading -- */

/* Rows first .. first + n - 1 written out, n x width; of the number columns alone, n x n_dense. */
void cairn_matrix_rows(const cairn_row_matrix *matrix, size_t first, size_t n, double *z);
void cairn_matrix_dense(const cairn_row_matrix *matrix, size_t first, size_t n, double *z);
/* Terms of row i that are not 0 in their own units, n_terms at most; returns how many. */
size_t cairn_matrix_entries(const cairn_row_matrix *matrix, size_t i, size_t *terms,
                            double *values);
/* Value of term t in row i, in own units. */
double cairn_matrix_value(const cairn_row_matrix *matrix, size_t i, size_t t);
/* Rows with a positive weight. */
size_t cairn_matrix_used(const cairn_row_matrix *matrix);
/* Weights of those rows; NULL when all are 1, else in `buffer` or the learner's. */
const double *cairn_matrix_weights(const cairn_row_matrix *matrix, size_t first, size_t n,
                                   double *buffer);
/* The target's z, where it was wished for: where it lies in the table, or made in `buffer` (n). */
const double *cairn_matrix_target(const cairn_row_matrix *matrix, size_t first, size_t n,
                                  double *buffer);
/* out[i] += Σ_t z_it w_t and out[t] += Σ_i z_it r_i over the terms, column by column: nothing is
 * written out where z is x. `buffer` has n numbers. */
void cairn_matrix_times(const cairn_row_matrix *matrix, size_t first, size_t n, const double *w,
                        double *out, double *buffer);
void cairn_matrix_transposed(const cairn_row_matrix *matrix, size_t first, size_t n,
                             const double *r, double *out, double *buffer);
/* out[k] += Σ_i z_it r_i of the number columns t = which[k] only. */
void cairn_matrix_transposed_some(const cairn_row_matrix *matrix, size_t first, size_t n,
                                  const double *r, const uint32_t *which, size_t n_which,
                                  double *out, double *buffer);
/* out[t] += Σ_i w_i z_it²; w NULL = ones. */
void cairn_matrix_squares(const cairn_row_matrix *matrix, size_t first, size_t n, const double *w,
                          double *out, double *buffer);

/* Scores of a linear model, n x m: the constants, weights[n_terms * m + k], and Σ_t x_t
 * weights[t * m + k], in own units; the room of the piece has n x (m + n_dense) numbers and begins
 * with the scores. */
void cairn_matrix_scores(const cairn_row_matrix *matrix, const cairn_piece *piece,
                         const double *weights, size_t m);
/* The same for one row whose scores are beyond all numbers: without the constants, numbers and
 * weights made so small that only their order is left. */
void cairn_matrix_small_scores(const cairn_row_matrix *matrix, size_t i, const double *weights,
                               size_t m, double *out);

/* -- numbers that are none -- */

/* Fails with the place of a number that is not finite; rows count from 0. */
cairn_status cairn_refuse_number(cairn_context *ctx, const char *column, size_t row, double number);
/* The number of largest size (or one that is none), its column (NULL = there is no number) and its
 * row in the table. */
double cairn_matrix_largest(const cairn_row_matrix *matrix, const char **column, size_t *row);
/* Fails with the column and the row of a number that is not finite, and with `otherwise`, in which
 * a %s stands for "V in column 'C', row R" of the largest number, when all are; NULL = that the
 * sums of squares overflow. */
CAIRN_CHECKED cairn_status cairn_matrix_refuse(cairn_context *ctx, const cairn_row_matrix *matrix,
                                               const char *otherwise);

/* -- units -- */

/* Weights of m scores in the columns' own units, (n_terms + 1) x m with the constants last, from
 * weights of z, width x m `stride` apart (the constants those of the ones; 0 without); also right
 * for differences of weights. And back. */
void cairn_matrix_raw(const cairn_row_matrix *matrix, const double *theta, size_t stride, size_t m,
                      double *out);
void cairn_matrix_from_raw(const cairn_row_matrix *matrix, const double *weights, size_t m,
                           double *theta, size_t stride);
/* Slopes of a sum by weights of z become those by weights in own units, (n_terms + 1) x m; NaN for
 * the constants without ones. */
void cairn_matrix_raw_slopes(const cairn_row_matrix *matrix, const double *slopes, size_t stride,
                             size_t m, double *out);

/* -- names -- */

/* Number columns and terms of a schema's features. */
void cairn_terms_count(const cairn_schema *schema, size_t *n_dense, size_t *n_terms);
/* Name of a term, borrowed or made in `buffer`: the column, or BAG=ITEM. */
const char *cairn_term_name(cairn_text *buffer, const cairn_schema *schema, size_t n_dense,
                            size_t term);
/* All of them, scratch; the last is NULL. */
CAIRN_CHECKED cairn_status cairn_term_names(cairn_context *ctx, const char *const **out,
                                            const cairn_schema *schema);
/* A term as part of a value's name; a column that is called intercept is "intercept" in quotes,
 * beside the constant of the model. Borrowed until the report's next key. */
const char *cairn_term_key(cairn_report *report, const char *name);
/* For `check` of a learner: whether the schema has as many terms as the model. */
CAIRN_CHECKED cairn_status cairn_terms_check(cairn_archive *archive, const cairn_schema *schema,
                                             size_t n_terms);
/* Add a term of a sum to its text: " + 2·name", "−name" when it is the first (*any is false then)
 * and the factor -1. With `name` NULL the number alone. */
void cairn_add_term(cairn_text *text, bool *any, double factor, const char *name, bool hide_one);

#endif
