/* SPDX-License-Identifier: MIT */
/* What the files need that compile tiles for every level and one type of numbers. */
#ifndef CAIRN_KERNELS_PRODUCT_RULE_H
#define CAIRN_KERNELS_PRODUCT_RULE_H

#include "kernels/level.h"
#include "kernels/product_panel.h"
#include "kernels/unroll.h"
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#include "kernels/soft_fma.h"
#include <immintrin.h>
#endif

#define JOIN_(a, b) a##_##b
#define JOIN(a, b)  JOIN_(a, b)
#define NAMED(name) JOIN(name, LEVEL)

enum { AHEAD = 16 };

static inline size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

#endif
