/* SPDX-License-Identifier: MIT */
/* The exact feature map of a polynomial kernel, for the transform and for calculators. */
#ifndef CAIRN_TRANSFORMS_KERNEL_MAP_H
#define CAIRN_TRANSFORMS_KERNEL_MAP_H

#include "transforms/monomials.h"

/* The terms of phi with phi(x).phi(y) = (factor x.y + offset)^degree, and their coefficients, both
 * owned by the caller also on failure; the offset is not negative. Fails when that many columns of
 * so many rows do not fit into memory. */
CAIRN_CHECKED cairn_status cairn_kernel_terms(cairn_context *ctx, cairn_monomials *terms,
                                              double **coefficients, size_t n_columns, int degree,
                                              double factor, double offset, size_t n_rows);

#endif
