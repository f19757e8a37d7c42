/* SPDX-License-Identifier: MIT */
/* Picking the kernels' level once. */
#include "kernels/level.h"
#include "cairn/base.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_once_t picked_once = PTHREAD_ONCE_INIT;
static cairn_level picked;
static char refused[32], reported[128]; /* what cairn_kernel_refused and cairn_kernels say */

static const char *const level_names[] = {"generic", "avx2", "avx512"};
static const char *const up_to[] = {"generic", "generic, avx2", "generic, avx2, avx512"};

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

/* A word that is no level of this machine is kept for a warning; the best level then stands. */
static void follow(const char *wanted, cairn_level best)
{
    for (int level = CAIRN_GENERIC; level <= (int)best; level++)
        if (!strcmp(wanted, level_names[level])) {
            picked = (cairn_level)level;
            return;
        }
    snprintf(refused, sizeof refused, "%s", wanted);
}

static void pick(void)
{
    const char *wanted = getenv("CAIRN_KERNELS");
    cairn_level best = picked = machine_level();
    if (wanted && *wanted) follow(wanted, best);
    snprintf(reported, sizeof reported, "%s (there are %s%s)", level_names[picked], up_to[best],
             *refused ? "; CAIRN_KERNELS names none of them" : "");
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

const char *cairn_kernel_refused(void)
{
    pthread_once(&picked_once, pick);
    return *refused ? refused : NULL;
}

const char *cairn_kernels(void)
{
    pthread_once(&picked_once, pick);
    return reported;
}

const char *cairn_same_bits(void)
{
    return "on any x86-64 processor";
}
