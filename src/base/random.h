/* SPDX-License-Identifier: MIT */
/* Random numbers: xoshiro256++ seeded through splitmix64. A stream is made from (seed, stream
 * number), one per task and never one per thread, so results do not depend on the threads. */
#ifndef CAIRN_BASE_RANDOM_H
#define CAIRN_BASE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

typedef struct cairn_random {
    uint64_t state[4];
} cairn_random;

/* Begin a stream; the same seed and stream give the same numbers everywhere. */
void cairn_random_start(cairn_random *random, uint64_t seed, uint64_t stream);
uint64_t cairn_random_bits(cairn_random *random);
double cairn_random_uniform(cairn_random *random);             /* [0, 1), 53 bits */
uint64_t cairn_random_below(cairn_random *random, uint64_t n); /* 0 .. n-1, unbiased */
double cairn_random_normal(cairn_random *random);              /* mean 0, deviation 1 */
void cairn_random_shuffle(cairn_random *random, size_t *items, size_t n);

#endif
