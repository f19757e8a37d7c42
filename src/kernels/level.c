/* SPDX-License-Identifier: MIT */
/* Picking the kernels' level once. */
#include "kernels/level.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_once_t picked_once = PTHREAD_ONCE_INIT;
static cairn_level picked;

static const char *const level_names[] = {"generic", "avx2", "avx512"};

static cairn_level machine_level(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return CAIRN_GENERIC;
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512dq") ||
        !__builtin_cpu_supports("avx512vl"))
        return CAIRN_AVX2;
    return CAIRN_AVX512;
#else
    return CAIRN_GENERIC;
#endif
}

static void pick(void)
{
    const char *wanted = getenv("CAIRN_KERNELS");
    picked = machine_level();
    for (int level = CAIRN_GENERIC; wanted && level < (int)picked; level++)
        if (!strcmp(wanted, level_names[level])) picked = (cairn_level)level;
}

cairn_level cairn_kernel_level(void)
{
    pthread_once(&picked_once, pick);
    return picked;
}

const char *cairn_kernel_level_name(void)
{
    return level_names[cairn_kernel_level()];
}
