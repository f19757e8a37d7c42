/* SPDX-License-Identifier: MIT */
/* Compiles product_body.h for every level with the type that the includer has defined: REAL, WORD
 * (an integer as wide), PRODUCT (the struct), LANES_128 to LANES_512, ONE_FMA, SOFT_FMA, SUFFIX and
 * the constants of exp_body.h. */
#include "kernels/product_rule.h"
#include "kernels/products.h"
#include "parallel/parallel.h"
#include "base/memory.h"

/* the halves of two vectors, interleaved */
#define LOW_2   0, 2
#define HIGH_2  1, 3
#define LOW_4   0, 4, 1, 5
#define HIGH_4  2, 6, 3, 7
#define LOW_8   0, 8, 1, 9, 2, 10, 3, 11
#define HIGH_8  4, 12, 5, 13, 6, 14, 7, 15
#define LOW_16  0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define HIGH_16 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31

/* What one level offers to the driver. */
typedef struct kernels {
    size_t rows, width; /* of a tile */
    void (*pack_left)(REAL *out, const REAL *from, size_t line_step, size_t k_step, size_t n,
                      size_t depth);
    void (*pack_right)(REAL *out, const REAL *from, size_t line_step, size_t k_step, size_t n,
                       size_t depth);
    void (*strip)(const PRODUCT *p, size_t i0, size_t i1, size_t j0, size_t j1, const REAL *a,
                  size_t a_k, size_t a_panel, const REAL *b, size_t depth, bool last);
    void (*norms)(REAL *norms, const REAL *a, size_t n, size_t depth);
} kernels;

#define TILE_BODY "kernels/product_body.h"
#include "kernels/tile_levels.h"
