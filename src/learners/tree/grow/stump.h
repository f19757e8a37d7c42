/* SPDX-License-Identifier: MIT */
/* Stumps, trees of one test, from sums: no row is sorted, moved or divided. What is found is what
 * cairn_tree_grow finds, but for rounding. */
#ifndef CAIRN_LEARNERS_TREE_STUMP_H
#define CAIRN_LEARNERS_TREE_STUMP_H

#include "learners/tree/grow/grow.h"

/* Whether trees of such data with these options can be found from sums: classes, numbers without
 * missing cells, one test. */
bool cairn_stump_fits(const cairn_binned *data, const cairn_grow_options *options);
/* As cairn_tree_grow. *done is false, and nothing was made, where the rows must be looked at after
 * all: classes of equal weight, a node that is not to be split. */
CAIRN_CHECKED cairn_status cairn_stump_grow(cairn_context *ctx, cairn_tree_model *out,
                                            const cairn_binned *data,
                                            const cairn_grow_options *options, bool *done);

#endif
