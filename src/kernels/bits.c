/* SPDX-License-Identifier: MIT */
/* Sets as bits. */
#include "kernels/bits.h"

#include "kernels/kernels.h"

#define KERNEL_BODY "kernels/bits_body.h"
#include "kernels/each_level.h"

uint64_t cairn_bits_meet(uint64_t *out, const uint64_t *a, const uint64_t *b, size_t n)
{
    return CHOOSE(bits_meet)(out, a, b, n);
}

uint64_t cairn_bits_common(const uint64_t *a, const uint64_t *b, size_t n)
{
    return CHOOSE(bits_common)(a, b, n);
}
