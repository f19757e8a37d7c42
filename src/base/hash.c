/* SPDX-License-Identifier: MIT */
/* Hashes by xxhash. */
#include "base/hash.h"
#include <xxhash.h>

uint64_t cairn_hash(const void *bytes, size_t length, uint64_t seed)
{
    return XXH3_64bits_withSeed(length ? bytes : "", length, seed);
}

cairn_wide_hash cairn_hash_wide(const void *bytes, size_t length)
{
    XXH128_hash_t hash = XXH3_128bits(length ? bytes : "", length);
    return (cairn_wide_hash){hash.low64, hash.high64};
}
