/* SPDX-License-Identifier: MIT */
/* Sets as words of bits; see also cairn_bits_meet in kernels.h. */
#ifndef CAIRN_KERNELS_BITS_H
#define CAIRN_KERNELS_BITS_H

#include <stddef.h>
#include <stdint.h>

/* How many bits are set in both, of n words. */
uint64_t cairn_bits_common(const uint64_t *a, const uint64_t *b, size_t n);

#endif
