/* SPDX-License-Identifier: MIT */
/* Rows drawn from a model that says how they come about: a class, then the columns. */
#ifndef CAIRN_MODEL_SAMPLE_H
#define CAIRN_MODEL_SAMPLE_H

#include "model/model.h"

/* n rows in the units of the data, where transforms can be undone; *inner tells that some column is
 * one that a transform made, such as an indicator, and is left as the learner sees it. A learner
 * that draws no rows fails (CAIRN_USAGE) with those that do. */
CAIRN_CHECKED cairn_status cairn_model_sample(cairn_context *ctx, cairn_table **out,
                                              const cairn_model *model, size_t n, uint64_t seed,
                                              bool *inner);

/* -- for `sample` of a learner -- */

/* One of n by their weights, which are not negative and not all 0. */
size_t cairn_sample_one(cairn_random *random, const double *weights, size_t n);
/* Add a column of levels with the names of the field; -1 is a missing cell. */
CAIRN_CHECKED cairn_status cairn_sample_add_levels(cairn_context *ctx, cairn_table *out,
                                                   const cairn_field *field, const int32_t *codes);
/* The class of every row by the priors of n classes, as the column of the target; scratch. */
CAIRN_CHECKED cairn_status cairn_sample_classes(cairn_context *ctx, int32_t **out,
                                                cairn_table *table, const cairn_job *job,
                                                const double *priors, size_t n,
                                                cairn_random *random);

#endif
