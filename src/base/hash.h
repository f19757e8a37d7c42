/* SPDX-License-Identifier: MIT */
/* A fast 64-bit hash of bytes: for provenance and tables of names, not for secrets. */
#ifndef CAIRN_BASE_HASH_H
#define CAIRN_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* The hash of the bytes; chain pieces by handing the last result on as `seed` (first 0). */
uint64_t cairn_hash(const void *bytes, size_t length, uint64_t seed);

/* 128 bits of it, for keys that are seldom compared by their bytes. */
typedef struct cairn_wide_hash {
    uint64_t low, high;
} cairn_wide_hash;
cairn_wide_hash cairn_hash_wide(const void *bytes, size_t length);

#endif
