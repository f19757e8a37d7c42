/* SPDX-License-Identifier: MIT */
/* Codes of all rows, made once for trees that are fitted to samples of them: what cairn_shared
 * holds for trees. */
#ifndef CAIRN_LEARNERS_TREE_TREE_CODES_H
#define CAIRN_LEARNERS_TREE_TREE_CODES_H

#include "learners/tree/grow/grow.h"
#include "model/learner.h"

/* Code the rows of the view; bins as in cairn_binned_make_bins. `out` is cleared by its `clear`. */
CAIRN_CHECKED cairn_status cairn_tree_codes_make(cairn_context *ctx, cairn_shared *out,
                                                 const cairn_view *view, size_t n_classes,
                                                 size_t bins);
/* The coded rows of a view of the same columns and target, with their weights there; *taken is
 * false where the columns are others. Scratch, nothing is to be cleared. */
CAIRN_CHECKED cairn_status cairn_tree_codes_take(cairn_context *ctx, cairn_binned *out, bool *taken,
                                                 const cairn_shared *shared,
                                                 const cairn_view *view);
/* The side of every coded row, in their order, in a tree of one cut that was grown from these
 * codes: 0 below it, 1 above. *found is false where the tree is another one, or there are not n
 * coded rows. */
CAIRN_CHECKED cairn_status cairn_tree_codes_sides(cairn_context *ctx, uint8_t *out, bool *found,
                                                  size_t n, const cairn_shared *shared,
                                                  const cairn_tree_model *tree);

#endif
