/* SPDX-License-Identifier: MIT */
/* Body of bits.c for one instruction set. */

static TARGET uint64_t NAMED(bits_meet)(uint64_t *restrict out, const uint64_t *restrict a,
                                        const uint64_t *restrict b, size_t n)
{
    uint64_t count = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t both = a[i] & b[i];
        out[i] = both;
        count += (uint64_t)__builtin_popcountll(both);
    }
    return count;
}
