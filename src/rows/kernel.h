/* SPDX-License-Identifier: MIT */
/* Rows of a view prepared for kernels, and kernel values of many of them at once: what every kernel
 * method trains and predicts with.
 *
 *     kernel = cairn_kernel_of(&params->kernel, n_terms);
 *     CHECK(cairn_kernel_rows_open(ctx, &rows, &kernel, view, &(cairn_kernel_options){0}));
 *     CHECK(cairn_kernel_gram(ctx, &kernel, &rows, gram));            all pairs, or
 *     CHECK(cairn_kernel_block(ctx, &kernel, &rows, which, m, &rows, 0, rows.n, out, rows.n));
 *     CHECK(cairn_kernel_rows_keep(ctx, &model->rows, &rows, which, m));   the support vectors
 *     CHECK(cairn_kernel_scores(ctx, &kernel, &model->rows, coefficients, m, constants, view,
 *                               scores));                             predicting
 *
 * Values have the same bits for any number of threads, at every level, and whichever rows are asked
 * for together; k(x, y) = k(y, x) to the last bit, and the Gaussian kernel of a row and itself is
 * exactly 1. */
#ifndef CAIRN_ROWS_KERNEL_H
#define CAIRN_ROWS_KERNEL_H

#include "data/view.h"
#include "kernels/products.h"
#include "stats/distance.h"

/* How rows are held. */
typedef enum cairn_kernel_layout {
    CAIRN_KERNEL_DENSE,  /* numbers without gaps */
    CAIRN_KERNEL_FLOATS, /* likewise in single precision */
    CAIRN_KERNEL_SPARSE, /* bags of very many items: what is not 0 */
    CAIRN_KERNEL_VALUES, /* a given matrix: kernel values to the training rows */
    CAIRN_KERNEL_LETTERS /* texts */
} cairn_kernel_layout;

/* Owned; cleared by cairn_kernel_rows_clear. */
typedef struct cairn_kernel_rows {
    size_t n, n_terms;
    cairn_kernel_layout layout;
    double *dense, *norms;        /* DENSE, VALUES: n x n_terms; n squared lengths */
    float *floats, *floats_norms; /* FLOATS: the same */
    double *shift;                /* n_terms, taken off every row; NULL = nothing was */
    size_t *starts;               /* SPARSE: n + 1, where a row begins in the next two */
    int32_t *items;               /* terms, rising */
    double *values;
    int32_t *columns;   /* VALUES: n, the column that holds the values to this row */
    cairn_points texts; /* LETTERS; n_terms are the columns, norms are k of a row with itself */
    int32_t *orders;    /* spectrum: the runs of every text in order, beside its letters */
} cairn_kernel_rows;

typedef struct cairn_kernel_options {
    /* In single precision where the rows are dense and their squares stay within its range;
     * rounding errors of values are then some 1e-7 times what is squared. */
    bool floats;
    const cairn_kernel_rows
        *like; /* predicting: rows of the model, with which the new ones are to be
                                      compared; terms that it does not know are left out */
} cairn_kernel_options;

/* The rows of a view, all of them, in its order; weights are the caller's affair. A table of shape
 * gram makes VALUES and *kernel the given one; fails (CAIRN_USAGE) when another was asked for, and
 * when a matrix was and there is none. A number that is not finite, or so large that squares
 * overflow, fails with its column and row. */
CAIRN_CHECKED cairn_status cairn_kernel_rows_open(cairn_context *ctx, cairn_kernel_rows *out,
                                                  cairn_kernel *kernel, const cairn_view *view,
                                                  const cairn_kernel_options *options);
/* Some of the rows, copied. */
CAIRN_CHECKED cairn_status cairn_kernel_rows_keep(cairn_context *ctx, cairn_kernel_rows *out,
                                                  const cairn_kernel_rows *from,
                                                  const uint32_t *which, size_t n);
CAIRN_CHECKED cairn_status cairn_kernel_rows_archive(cairn_archive *archive,
                                                     const cairn_kernel *kernel,
                                                     cairn_kernel_rows *rows);
void cairn_kernel_rows_clear(cairn_kernel_rows *rows);
/* Row i of numbers written out, n_terms of them, in the columns' own units. */
void cairn_kernel_rows_read(const cairn_kernel_rows *rows, size_t i, double *out);

/* -- many values at once --
 *
 * out[r * stride + j] = k(row which[r] of a, row first + j of b), r < m, j < n. `which` NULL = rows
 * 0 .. m-1. Both sets have the same layout (rows of a model and rows that were opened `like` it
 * do); values of a given matrix are those of the rows of a. Any of m, n may be 0. A polynomial may
 * overflow: the caller looks at what it uses.
 *
 * _block: on all threads of the context. _alone: on the calling thread, in room that the caller
 * gives (_buffer numbers of the type, aligned for doubles), for work that is parallel already. */
CAIRN_CHECKED cairn_status cairn_kernel_block(cairn_context *ctx, const cairn_kernel *kernel,
                                              const cairn_kernel_rows *a, const uint32_t *which,
                                              size_t m, const cairn_kernel_rows *b, size_t first,
                                              size_t n, double *out, size_t stride);
void cairn_kernel_block_alone(const cairn_kernel *kernel, const cairn_kernel_rows *a,
                              const uint32_t *which, size_t m, const cairn_kernel_rows *b,
                              size_t first, size_t n, double *out, size_t stride, double *buffer);
size_t cairn_kernel_buffer(const cairn_kernel *kernel, const cairn_kernel_rows *a, size_t m,
                           const cairn_kernel_rows *b, size_t n);

/* The same in single precision; the products are, too, where the rows are held so. */
CAIRN_CHECKED cairn_status cairn_kernel_block_floats(cairn_context *ctx, const cairn_kernel *kernel,
                                                     const cairn_kernel_rows *a,
                                                     const uint32_t *which, size_t m,
                                                     const cairn_kernel_rows *b, size_t first,
                                                     size_t n, float *out, size_t stride);
void cairn_kernel_block_alone_floats(const cairn_kernel *kernel, const cairn_kernel_rows *a,
                                     const uint32_t *which, size_t m, const cairn_kernel_rows *b,
                                     size_t first, size_t n, float *out, size_t stride,
                                     float *buffer);
size_t cairn_kernel_buffer_floats(const cairn_kernel *kernel, const cairn_kernel_rows *a, size_t m,
                                  const cairn_kernel_rows *b, size_t n);

/* k of every row with itself, n numbers. Fails with the row when one is not finite: the kernel
 * overflows. */
CAIRN_CHECKED cairn_status cairn_kernel_diagonal(cairn_context *ctx, const cairn_kernel *kernel,
                                                 const cairn_kernel_rows *rows, double *out);
/* The whole matrix, n x n, of rows that are not in single precision: half of it is computed, and
 * the other half copied unless `upper`; then it is left alone. Fails when a value is not finite. */
CAIRN_CHECKED cairn_status cairn_kernel_gram(cairn_context *ctx, const cairn_kernel *kernel,
                                             const cairn_kernel_rows *rows, bool upper,
                                             double *out);

/* What a kernel method predicts: scores[i * m + s] = constants[s] + Σ_j coefficients[s * n + j]
 * k(row i of the view, row j of the model); the coefficients of a score lie together. Constants
 * NULL = all 0. On all threads, some rows of the view at a time. */
CAIRN_CHECKED cairn_status cairn_kernel_scores(cairn_context *ctx, const cairn_kernel *kernel,
                                               const cairn_kernel_rows *model,
                                               const double *coefficients, size_t m,
                                               const double *constants, const cairn_view *view,
                                               double *scores);
/* The same of the model's own rows, without constants: m scores of each. */
CAIRN_CHECKED cairn_status cairn_kernel_own_scores(cairn_context *ctx, const cairn_kernel *kernel,
                                                   const cairn_kernel_rows *model,
                                                   const double *coefficients, size_t m,
                                                   double *scores);

/* -- for kernel_block.c and kernel_block_floats.c -- */

/* Whether values of these rows come from a product of matrices; else they are made one by one. */
bool cairn_kernel_by_product(const cairn_kernel *kernel, const cairn_kernel_rows *rows);
/* out[j] = k(row i of a, row first + j of b) one by one; `buffer` has _pairs_buffer numbers. */
void cairn_kernel_pairs(const cairn_kernel *kernel, const cairn_kernel_rows *a, size_t i,
                        const cairn_kernel_rows *b, size_t first, size_t n, double *out,
                        double *buffer);
size_t cairn_kernel_pairs_buffer(const cairn_kernel *kernel, const cairn_kernel_rows *a,
                                 const cairn_kernel_rows *b);

/* -- for kernel_rows.c and kernel_rows.c: texts -- */
CAIRN_CHECKED cairn_status cairn_kernel_texts_open(cairn_context *ctx, cairn_kernel_rows *rows,
                                                   const cairn_kernel *kernel,
                                                   const cairn_view *view,
                                                   const cairn_kernel_rows *like);
CAIRN_CHECKED cairn_status cairn_kernel_texts_keep(cairn_context *ctx, cairn_kernel_rows *out,
                                                   const cairn_kernel_rows *from,
                                                   const uint32_t *which);
CAIRN_CHECKED cairn_status cairn_kernel_texts_archive(cairn_archive *archive,
                                                      const cairn_kernel *kernel,
                                                      cairn_kernel_rows *rows);
double cairn_kernel_texts_value(const cairn_kernel *kernel, const cairn_kernel_rows *a, size_t i,
                                const cairn_kernel_rows *b, size_t j, double *buffer);
/* What a product of matrices becomes in the end; of a kernel that comes from products. */
typedef struct cairn_kernel_finish {
    cairn_product_finish finish;
    double gamma, shift;
    int degree;
} cairn_kernel_finish;
cairn_kernel_finish cairn_kernel_finish_of(const cairn_kernel *kernel);

#endif
