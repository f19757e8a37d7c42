/* SPDX-License-Identifier: MIT */
/* Digests of what tests made, for comparing processes that run with other kernels: see
 * contract/levels.sh. Written only where the environment variable CAIRN_DIGESTS names a file. */
#ifndef CAIRN_TESTS_DIGEST_H
#define CAIRN_TESTS_DIGEST_H

#include "support/unit.h"
#include <stdio.h>
#include <stdlib.h>

enum { DIGEST_START = 1 };

static inline uint64_t digest_add(uint64_t digest, const void *bytes, size_t length)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < length; i++) digest = (digest ^ at[i]) * UINT64_C(0x100000001b3);
    return digest;
}

/* One line: what it is of, and the digest. */
static inline void digest_write(const char *kind, const char *name, uint64_t digest)
{
    const char *path = getenv("CAIRN_DIGESTS");
    FILE *file = path ? fopen(path, "a") : NULL;
    if (path) assert_non_null(file);
    if (!file) return;
    fprintf(file, "%s %s %016llx\n", kind, name, (unsigned long long)digest);
    fclose(file);
}

/* A word after the program's name: only the tests that match it are run. */
static inline void only_tests(int argc, char **argv)
{
    if (argc > 1) cmocka_set_test_filter(argv[1]);
}

#endif
