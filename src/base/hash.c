/* SPDX-License-Identifier: MIT */
/* Hashes by xxhash. */
#include "base/hash.h"
#include <xxhash.h>

uint64_t cairn_hash(const void *bytes, size_t length, uint64_t seed)
{
    return XXH3_64bits_withSeed(length ? bytes : "", length, seed);
}
