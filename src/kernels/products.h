/* SPDX-License-Identifier: MIT */
/* Matrix products whose bits depend on the numbers and the shape only: not on the instruction set,
 * not on the number of threads.
 *
 * Every c_ij is made in the same way everywhere. k is cut into panels by a rule that knows only its
 * length; a panel is summed term by term with fma, starting from zero, and added to c_ij times
 * alpha with one more fma, panels in order. Vectors run over j and registers over i, so neither
 * width nor blocking touches that order. docs/same-bits.md states the rule; it is part of the
 * results' definition and tests/kernels/test_products.c holds it fast. */
#ifndef CAIRN_KERNELS_PRODUCTS_H
#define CAIRN_KERNELS_PRODUCTS_H

#include "base/context.h"

/* What happens to c_ij once it is complete. With finishing, `set` must be given and `upper` not. */
typedef enum cairn_product_finish {
    CAIRN_FINISH_NONE,
    CAIRN_FINISH_DISTANCE,   /* |a_i|^2 + |b_j|^2 - 2 c_ij, at least 0 */
    CAIRN_FINISH_GAUSSIAN,   /* exp(-gamma distance) */
    CAIRN_FINISH_POLYNOMIAL, /* (gamma c_ij + shift)^degree */
    CAIRN_FINISH_LAPLACIAN,  /* exp(-gamma sqrt(distance)) */
    CAIRN_FINISH_TANH        /* tanh(gamma c_ij + shift) */
} cairn_product_finish;

/* The four functions of a product, for double (cairn_matmul) and float (cairn_matmul_floats):
 *
 * _run: on all threads of the context; working memory from its scratch. A result of at most 65,536
 * numbers with k above 12,896 is summed in blocks of k that are added in order. Fails when memory
 * is short or the context is cancelled; C is then useless.
 * _alone: on the calling thread, in room that the caller gives, for work that is parallel already.
 * _buffer: how many numbers of working memory _alone needs for any product of at most these sizes.
 * _norms: squared lengths of n rows of k numbers without gaps, each summed exactly as the product
 * sums: the distance of a row to itself is 0.
 *
 * The product is C (m x n, rows c_i apart) += alpha A B, where A's element (i, k) is
 * a[i * a_i + k * a_k] and B's element (k, j) is b[k * b_k + j * b_j]: any of the four
 * transpositions. C overlaps neither. Any of m, n, k may be 0. */
#define CAIRN_DECLARE_PRODUCT(real, name)                                                          \
    typedef struct name {                                                                          \
        size_t m, n, k;                                                                            \
        const real *a;                                                                             \
        size_t a_i, a_k;                                                                           \
        const real *b;                                                                             \
        size_t b_k, b_j;                                                                           \
        real *c;                                                                                   \
        size_t c_i;                                                                                \
        real alpha;                                                                                \
        bool set;   /* C = instead of C += */                                                      \
        bool upper; /* m == n and only c_ij with j >= i are touched */                             \
        cairn_product_finish finish;                                                               \
        const real *a_norms; /* m and n squared lengths, from ..._norms */                         \
        const real *b_norms;                                                                       \
        real gamma, shift;                                                                         \
        int degree; /* at least 1 */                                                               \
    } name;                                                                                        \
    CAIRN_CHECKED cairn_status name##_run(cairn_context *ctx, const name *p);                      \
    size_t name##_buffer(size_t m, size_t n, size_t k);                                            \
    void name##_alone(const name *p, real *buffer);                                                \
    void name##_norms(real *norms, const real *a, size_t n, size_t k);

CAIRN_DECLARE_PRODUCT(double, cairn_matmul)
CAIRN_DECLARE_PRODUCT(float, cairn_matmul_floats)

/* How a factor of a product is stored. */
typedef enum cairn_transposed { CAIRN_AS_IT_IS, CAIRN_TRANSPOSED } cairn_transposed;

/* out (n_rows x n_columns) = op(a) op(b), where op(a) is n_rows x n_inner and op(b) is n_inner x
 * n_columns. A turned factor is stored the other way round: a as n_inner x n_rows, b as n_columns x
 * n_inner. No gaps between rows. */
CAIRN_CHECKED cairn_status cairn_multiply(cairn_context *ctx, double *out, const double *a,
                                          cairn_transposed a_transposed, const double *b,
                                          cairn_transposed b_transposed, size_t n_rows,
                                          size_t n_inner, size_t n_columns);

/* For each of the m rows of `a` the nearest of the n rows of `b` (k numbers each, no gaps) and its
 * squared distance, by products: exact for equal rows, otherwise off by some rounding errors of the
 * rows' squared lengths. A tie goes to the first; a row without a finite distance, or with n = 0,
 * has nearest 0 at an infinite distance. On all threads of the context; fails when memory is short
 * or it is cancelled. */
CAIRN_CHECKED cairn_status cairn_nearest_rows(cairn_context *ctx, size_t *nearest,
                                              double *distances, const double *a, size_t m,
                                              const double *b, size_t n, size_t k);

#endif
