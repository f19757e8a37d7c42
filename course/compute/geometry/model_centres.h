/* SPDX-License-Identifier: MIT */
/* The rows that answer for a model's clusters or classes: each place belongs to the nearest. */
#ifndef CAIRN_COMPUTE_MODEL_CENTRES_H
#define CAIRN_COMPUTE_MODEL_CENTRES_H

#include "model/calculator.h"

/* The centres of kmeans, the medoids of kmedoids or the exemplars of nearest-exemplar as a table:
 * the columns that the learner saw, and what each stands for in an id column. `distance` (borrowed)
 * is what the model compares by. Models of any other learner, and of more or fewer than two
 * columns, are refused. The caller frees the table. */
CAIRN_CHECKED cairn_status cairn_model_centres(cairn_context *ctx, cairn_table **out,
                                               const char **distance, const cairn_compute_job *job);

#endif
