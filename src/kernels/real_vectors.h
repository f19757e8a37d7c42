/* SPDX-License-Identifier: MIT */
/* Vectors of one level and of the type of real_double.h or real_float.h; included once per level,
 * so it has no guard. The includer defines LANES, TARGET, NAMED and, where the level has it,
 * FUSE_VECTORS (the instruction's name). */

#ifndef UNCHECKED /* of unroll.h, where sanitizers would make the compiler slow */
#define UNCHECKED
#endif
#define KERNEL            static inline __attribute__((always_inline)) UNCHECKED TARGET
#define vec               NAMED(vec)
#define words             NAMED(words)
#define uwords            NAMED(uwords)
#define LOAD(pointer)     ((vec)(*(const NAMED(loose) *)(pointer)))
#define STORE(pointer, v) (*(NAMED(loose) *)(pointer) = (v))
#define SPLAT(x)          ((REAL)(x) - (vec){0}) /* minus: keeps the sign of -0 */

typedef REAL vec __attribute__((vector_size(sizeof(REAL) * LANES)));
typedef WORD words __attribute__((vector_size(sizeof(REAL) * LANES)));
typedef UWORD uwords __attribute__((vector_size(sizeof(REAL) * LANES)));
typedef REAL NAMED(loose)
    __attribute__((vector_size(sizeof(REAL) * LANES), aligned(sizeof(REAL)), may_alias));

#undef UNROLL_TERMS
#define UNROLL_TERMS UNROLL_SOME
#if defined(FUSE_VECTORS)
#define FUSE(a, b, c) JOIN(FUSE_VECTORS, SUFFIX)(a, b, c)
#elif defined(__x86_64__)
#undef UNROLL_TERMS
#define UNROLL_TERMS  /* beside calls a loop costs nothing */
#define FUSE(a, b, c) ((vec)SOFT_FMA((a), (b), (c)))
#else /* the processor has it, or libm */
KERNEL vec NAMED(fuse)(vec a, vec b, vec c)
{
    for (size_t i = 0; i < LANES; i++) c[i] = ONE_FMA(a[i], b[i], c[i]);
    return c;
}
#define FUSE(a, b, c) NAMED(fuse)(a, b, c)
#endif
