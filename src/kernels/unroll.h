/* SPDX-License-Identifier: MIT */
#ifndef CAIRN_KERNELS_UNROLL_H
#define CAIRN_KERNELS_UNROLL_H

/* The tiles live on full unrolling: sums must become registers. Each compiler has its own words.
 * SOME is 4 with care: at 2, GCC 12 keeps one vector of B on the stack and loses a fifth. */
#if defined(__clang__)
#define UNROLL      _Pragma("clang loop unroll(full)")
#define UNROLL_SOME _Pragma("clang loop unroll_count(4)")
#else
#define UNROLL      _Pragma("GCC unroll 32")
#define UNROLL_SOME _Pragma("GCC unroll 4")
#endif

/* Sanitizers leave such tiles alone: with a check at every one of their thousands of loads, a
 * compiler takes minutes for them. What packs their operands and takes their results is checked. */
#if defined(CAIRN_SANITIZED) && defined(__clang__)
#define UNCHECKED __attribute__((no_sanitize("address", "thread", "undefined")))
#else
#define UNCHECKED
#endif

#endif
