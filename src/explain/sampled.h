/* SPDX-License-Identifier: MIT */
/* Shapley values of any model, by asking it.
 *
 * An order of the columns is drawn. A background row becomes the row to be explained, one column
 * after the other in this order; what the answer changes by is a draw of the value of the column.
 * The same is done in the opposite order, whose errors lie on the other side as a rule; the mean of
 * the two counts as one. Background rows take turns, each equally often, so the values of a row add
 * up exactly. */
#ifndef CAIRN_EXPLAIN_SAMPLED_H
#define CAIRN_EXPLAIN_SAMPLED_H

#include "explain/shapley.h"

/* Fills names, classes, base, values, errors and sums; `background` is matched to the
 * schema, its weights are NULL where all are 1. `permutations` is rounded up to whole turns. */
CAIRN_CHECKED cairn_status cairn_shapley_sample(cairn_context *ctx, cairn_shapley *out,
                                                const cairn_model *model,
                                                const cairn_table *background,
                                                const double *weights, size_t permutations);

#endif
