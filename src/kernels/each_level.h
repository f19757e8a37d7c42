/* SPDX-License-Identifier: MIT */
/* Compiles one body for every level. The including file defines KERNEL_BODY, the body's file; the
 * body's functions are `static TARGET ... NAMED(name)(...)` and CHOOSE(name) picks one of them.
 *
 * The body sees LANES (doubles per vector) and vec with LOAD, STORE, splat, multiply_add,
 * load_some, store_some and where_less, and `eight` for sums across lanes (simd.h). Explicit
 * vectors, because only they give the same good code from both compilers at every optimisation
 * level; explicit multiply_add, because the build forbids the compiler to fuse by itself.
 *
 * A body gives the same bits at every level: it fuses everywhere alike, also in what is left over
 * at the end of a row, and adds across lanes through `eight` alone. */
#include "kernels/level.h"
#if defined(__x86_64__)
#include "kernels/soft_fma.h"
#endif

#define NAMED_JOIN(name, suffix) name##_##suffix
#define NAMED_FOR(name, suffix)  NAMED_JOIN(name, suffix)
#define NAMED(name)              NAMED_FOR(name, LEVEL)
#define KERNEL                   static inline __attribute__((always_inline)) TARGET

#define vec                NAMED(vec)
#define words              NAMED(words)
#define splat              NAMED(splat)
#define multiply_add       NAMED(multiply_add)
#define multiply_add_one   NAMED(multiply_add_one)
#define without_sign       NAMED(without_sign)
#define load_some          NAMED(load_some)
#define store_some         NAMED(store_some)
#define where_less         NAMED(where_less)
#define eight              NAMED(eight)
#define eight_of           NAMED(eight_of)
#define eight_at           NAMED(eight_at)
#define eight_some         NAMED(eight_some)
#define eight_add          NAMED(eight_add)
#define eight_subtract     NAMED(eight_subtract)
#define eight_multiply_add NAMED(eight_multiply_add)
#define eight_sum          NAMED(eight_sum)
#define LOAD(pointer)      ((vec)(*(const NAMED(loose_vec) *)(pointer)))
#define STORE(pointer, v)  (*(NAMED(loose_vec) *)(pointer) = (v))

#define EACH_PART(p) _Pragma("GCC unroll 8") for (int p = 0; p < PARTS; p++)

#define LEVEL generic
#define LANES 2
#define TARGET
#include "kernels/simd.h"
#include KERNEL_BODY
#undef LEVEL
#undef LANES
#undef PARTS
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
#undef PARTS
#undef TARGET

#define LEVEL  avx512
#define LANES  8
#define TARGET __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma")))
#include "kernels/simd.h"
#include KERNEL_BODY
#undef LEVEL
#undef LANES
#undef PARTS
#undef TARGET

#define CHOOSE(name)                                                                               \
    (cairn_kernel_level() == CAIRN_AVX512 ? name##_avx512                                          \
     : cairn_kernel_level() == CAIRN_AVX2 ? name##_avx2                                            \
                                          : name##_generic)
#else
#define CHOOSE(name) (name##_generic)
#endif
