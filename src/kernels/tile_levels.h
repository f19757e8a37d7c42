/* SPDX-License-Identifier: MIT */
/* Compiles TILE_BODY, which the includer defines and which ends with NAMED(kernels), a `kernels`
 * that has what the level offers, for every level with the type of real_double.h or real_float.h.
 * The tiles fill the registers: 12 of 16 and 28 of 32 hold sums, the rest one row of B and one
 * element of A. HEIGHTS(X) is X of every number of rows that a tile can have. */
#define LEVEL generic
#define TARGET
#define LANES      LANES_128
#define ROWS       4
#define VECTORS    2
#define HEIGHTS(X) X(1) X(2) X(3) X(4)
#include TILE_BODY
#undef LEVEL
#undef TARGET
#undef LANES
#undef ROWS
#undef HEIGHTS

#if defined(__x86_64__)

#define LEVEL        avx2
#define TARGET       __attribute__((target("avx2,fma")))
#define LANES        LANES_256
#define ROWS         6
#define HEIGHTS(X)   X(1) X(2) X(3) X(4) X(5) X(6)
#define FUSE_VECTORS _mm256_fmadd
#include TILE_BODY
#undef LEVEL
#undef TARGET
#undef LANES
#undef ROWS
#undef HEIGHTS
#undef FUSE_VECTORS

#define LEVEL        avx512
#define TARGET       __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma")))
#define LANES        LANES_512
#define ROWS         14
#define HEIGHTS(X)   X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14)
#define FUSE_VECTORS _mm512_fmadd
#include TILE_BODY
#undef LEVEL
#undef TARGET
#undef LANES
#undef ROWS
#undef HEIGHTS
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
