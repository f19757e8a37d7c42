/* SPDX-License-Identifier: MIT */
/* Whether all numbers of a row are finite. */
#ifndef CAIRN_KERNELS_ROW_FINITE_H
#define CAIRN_KERNELS_ROW_FINITE_H

#include <stdbool.h>
#include <stddef.h>

typedef bool (*cairn_row_finite)(const double *x, size_t n);
/* The one for this machine: asked for once, called for many rows. */
cairn_row_finite cairn_row_finite_check(void);

#endif
