/* SPDX-License-Identifier: MIT */
/* How the terms of a product are cut into panels (products.h): for what makes products. */
#ifndef CAIRN_KERNELS_PRODUCT_PANEL_H
#define CAIRN_KERNELS_PRODUCT_PANEL_H

#include <stddef.h>

/* The panels are part of the result's definition: change them and the bits change. A sum of k
 * terms has as few panels as MAX_PANEL allows, of equal length up to RUN: a short last panel would
 * pay for a whole pass over C. 416 keeps B's panel of the AVX2 tile in a first-level cache of 32 KB
 * and gives images of 784 pixels two panels. */
enum { MAX_PANEL = 416, RUN = 32 };

static inline size_t ceiling(size_t a, size_t b)
{
    return a / b + (a % b != 0);
}

static inline size_t panel_of(size_t k)
{
    return k ? ceiling(ceiling(k, ceiling(k, MAX_PANEL)), RUN) * RUN : RUN;
}

#endif
