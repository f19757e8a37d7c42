/* SPDX-License-Identifier: MIT */
/* Which variant of the kernels runs on this machine. */
#ifndef CAIRN_KERNELS_LEVEL_H
#define CAIRN_KERNELS_LEVEL_H

typedef enum cairn_level { CAIRN_GENERIC, CAIRN_AVX2, CAIRN_AVX512 } cairn_level;

/* Picked at the first call and the same from then on: the best that the processor offers, or what
 * the environment variable CAIRN_KERNELS says (generic, avx2 or avx512), which changes the speed
 * and no number. Safe from every thread. */
cairn_level cairn_kernel_level(void);
const char *cairn_kernel_level_name(void);

/* What CAIRN_KERNELS says where that is no level or one that the processor lacks, cut to 31 bytes;
 * else NULL. The best level is picked then. See also cairn_kernels in cairn/base.h. */
const char *cairn_kernel_refused(void);

#endif
