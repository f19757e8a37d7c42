/* SPDX-License-Identifier: MIT */
/* Random numbers (Blackman and Vigna's xoshiro256++; Marsaglia's polar method). */
#include "base/random.h"
#include "base/functions.h"
#include <math.h>

static uint64_t splitmix(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static uint64_t rotate_left(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

void cairn_random_start(cairn_random *random, uint64_t seed, uint64_t stream)
{
    /* The stream number is scrambled first, so that (1, 2) and (2, 1) have nothing in common. */
    uint64_t state = stream;
    state = splitmix(&state) ^ seed;
    for (int i = 0; i < 4; i++) random->state[i] = splitmix(&state);
}

uint64_t cairn_random_bits(cairn_random *random)
{
    uint64_t *s = random->state;
    uint64_t result = rotate_left(s[0] + s[3], 23) + s[0];
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate_left(s[3], 45);
    return result;
}

double cairn_random_uniform(cairn_random *random)
{
    return (double)(cairn_random_bits(random) >> 11) * 0x1.0p-53;
}

uint64_t cairn_random_below(cairn_random *random, uint64_t n)
{
    if (n <= 1) return 0;
    uint64_t limit = -n % n; /* reject the uneven rest */
    for (;;) {
        unsigned __int128 product = (unsigned __int128)cairn_random_bits(random) * n;
        if ((uint64_t)product >= limit) return (uint64_t)(product >> 64);
    }
}

double cairn_random_normal(cairn_random *random)
{
    for (;;) {
        double u = 2 * cairn_random_uniform(random) - 1, v = 2 * cairn_random_uniform(random) - 1;
        double s = u * u + v * v;
        if (s > 0 && s < 1) return u * sqrt(-2 * cairn_log(s) / s);
    }
}

void cairn_random_shuffle(cairn_random *random, size_t *items, size_t n)
{
    for (size_t i = n; i > 1; i--) {
        size_t j = (size_t)cairn_random_below(random, i), kept = items[i - 1];
        items[i - 1] = items[j];
        items[j] = kept;
    }
}
