/* SPDX-License-Identifier: MIT */
/* A fast 64-bit hash of bytes: for provenance and tables of names, not for secrets. */
#ifndef CAIRN_BASE_HASH_H
#define CAIRN_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* The hash of the bytes; chain pieces by handing the last result on as `seed` (first 0). */
uint64_t cairn_hash(const void *bytes, size_t length, uint64_t seed);

#endif
