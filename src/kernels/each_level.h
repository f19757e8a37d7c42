/* SPDX-License-Identifier: MIT */
/* Compiles one body for every level. The including file defines KERNEL_BODY, the body's file; the
 * body's functions are `static TARGET ... NAMED(name)(...)` and CHOOSE(name) picks one of them.
 *
 * The body sees LANES (doubles per vector) and vec with LOAD, STORE, splat, multiply_add,
 * add_lanes and where_less. Explicit vectors, because only they give the same good code from both
 * compilers at every optimisation level; explicit multiply_add, because the build forbids the
 * compiler to fuse by itself. */
#include "kernels/level.h"

#define NAMED_JOIN(name, suffix) name##_##suffix
#define NAMED_FOR(name, suffix)  NAMED_JOIN(name, suffix)
#define NAMED(name)              NAMED_FOR(name, LEVEL)
#define KERNEL                   static inline __attribute__((always_inline)) TARGET

#define vec               NAMED(vec)
#define splat             NAMED(splat)
#define multiply_add      NAMED(multiply_add)
#define add_lanes         NAMED(add_lanes)
#define where_less        NAMED(where_less)
#define LOAD(pointer)     ((vec)(*(const NAMED(loose_vec) *)(pointer)))
#define STORE(pointer, v) (*(NAMED(loose_vec) *)(pointer) = (v))

#define LEVEL generic
#define LANES 2
#define TARGET
#include "kernels/simd.h"
#include KERNEL_BODY
#undef LEVEL
#undef LANES
#undef TARGET

#if defined(__x86_64__)
#include <immintrin.h>

#define LEVEL  avx2
#define LANES  4
#define TARGET __attribute__((target("avx2,fma")))
#include "kernels/simd.h"
#include KERNEL_BODY
#undef LEVEL
#undef LANES
#undef TARGET

#define LEVEL  avx512
#define LANES  8
#define TARGET __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma")))
#include "kernels/simd.h"
#include KERNEL_BODY
#undef LEVEL
#undef LANES
#undef TARGET

#define CHOOSE(name)                                                                               \
    (cairn_kernel_level() == CAIRN_AVX512 ? name##_avx512                                          \
     : cairn_kernel_level() == CAIRN_AVX2 ? name##_avx2                                            \
                                          : name##_generic)
#else
#define CHOOSE(name) (name##_generic)
#endif
