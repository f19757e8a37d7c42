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

typedef uint64_t NAMED(bits) __attribute__((vector_size(8 * LANES)));
typedef uint64_t NAMED(loose_bits) __attribute__((vector_size(8 * LANES), aligned(8), may_alias));
#define bits NAMED(bits)

KERNEL bits NAMED(both)(const uint64_t *a, const uint64_t *b, size_t i)
{
    return (bits)(*(const NAMED(loose_bits) *)(a + i) & *(const NAMED(loose_bits) *)(b + i));
}

/* Three bits in every place become their sum: what stays and what is carried. */
KERNEL bits NAMED(carry)(bits *sum, bits a, bits b)
{
    bits odd = *sum ^ a, carried = (*sum & a) | (odd & b);
    *sum = odd ^ b;
    return carried;
}

/* Bits that are set, in every lane. */
KERNEL bits NAMED(ones_of)(bits x)
{
    x = x - ((x >> 1) & 0x5555555555555555u);
    x = (x & 0x3333333333333333u) + ((x >> 2) & 0x3333333333333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    x = x + (x >> 8);
    x = x + (x >> 16);
    return (x + (x >> 32)) & 0xffu;
}

/* Eight vectors at a time: full adders join them, so that bits are counted in one of eight only. */
static TARGET uint64_t NAMED(bits_common)(const uint64_t *a, const uint64_t *b, size_t n)
{
    bits ones = {0}, twos = {0}, fours = {0}, eights = {0};
    uint64_t count = 0;
    size_t i = 0;
    for (; i + 8 * LANES <= n; i += 8 * LANES) {
        bits two[4];
        _Pragma("GCC unroll 4") for (size_t k = 0; k < 4; k++) two[k] =
            NAMED(carry)(&ones, NAMED(both)(a, b, i + 2 * k * LANES),
                         NAMED(both)(a, b, i + (2 * k + 1) * LANES));
        bits first = NAMED(carry)(&twos, two[0], two[1]);
        bits second = NAMED(carry)(&twos, two[2], two[3]);
        eights += NAMED(ones_of)(NAMED(carry)(&fours, first, second));
    }
    eights =
        8 * eights + 4 * NAMED(ones_of)(fours) + 2 * NAMED(ones_of)(twos) + NAMED(ones_of)(ones);
    for (size_t l = 0; l < LANES; l++) count += eights[l];
    for (; i < n; i++) count += (uint64_t)__builtin_popcountll(a[i] & b[i]);
    return count;
}
#undef bits
