/* SPDX-License-Identifier: MIT */
/* Compiles product_body.h for every level with the type that the includer has defined: REAL, WORD
 * (an integer as wide), PRODUCT (the struct), LANES_128 to LANES_512, ONE_FMA, SOFT_FMA, SUFFIX and
 * the constants of exp_body.h. The tiles fill the registers: 12 of 16 and 28 of 32 hold sums, the
 * rest one row of B and one element of A. */
#include "kernels/level.h"
#include "kernels/products.h"
#include "kernels/unroll.h"
#include "parallel/parallel.h"
#include "base/memory.h"
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#include "kernels/soft_fma.h"
#include <immintrin.h>
#endif

#define JOIN_(a, b) a##_##b
#define JOIN(a, b)  JOIN_(a, b)
#define NAMED(name) JOIN(name, LEVEL)

/* The panels are part of the result's definition: change them and the bits change. A sum of k
 * terms has as few panels as MAX_PANEL allows, of equal length up to RUN: a short last panel would
 * pay for a whole pass over C. 416 keeps B's panel of the AVX2 tile in a first-level cache of 32 KB
 * and gives images of 784 pixels two panels. */
enum { MAX_PANEL = 416, RUN = 32, AHEAD = 16 };

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t ceiling(size_t a, size_t b)
{
    return a / b + (a % b != 0);
}

static size_t panel_of(size_t k)
{
    return k ? ceiling(ceiling(k, ceiling(k, MAX_PANEL)), RUN) * RUN : RUN;
}

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

#define LEVEL generic
#define TARGET
#define LANES   LANES_128
#define ROWS    4
#define VECTORS 2
#include "kernels/product_body.h"
#undef LEVEL
#undef TARGET
#undef LANES
#undef ROWS

#if defined(__x86_64__)

#define LEVEL        avx2
#define TARGET       __attribute__((target("avx2,fma")))
#define LANES        LANES_256
#define ROWS         6
#define FUSE_VECTORS _mm256_fmadd
#include "kernels/product_body.h"
#undef LEVEL
#undef TARGET
#undef LANES
#undef ROWS
#undef FUSE_VECTORS

#define LEVEL        avx512
#define TARGET       __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma")))
#define LANES        LANES_512
#define ROWS         14
#define FUSE_VECTORS _mm512_fmadd
#include "kernels/product_body.h"
#undef LEVEL
#undef TARGET
#undef LANES
#undef ROWS
#undef FUSE_VECTORS

static const kernels *chosen_kernels(void)
{
    static const kernels *const all[] = {&kernels_generic, &kernels_avx2, &kernels_avx512};
    return all[cairn_kernel_level()];
}
#else
static const kernels *chosen_kernels(void)
{
    return &kernels_generic;
}
#endif
