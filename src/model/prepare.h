/* SPDX-License-Identifier: MIT */
/* What fitting a model and fitting a recipe begin with. */
#ifndef CAIRN_MODEL_PREPARE_H
#define CAIRN_MODEL_PREPARE_H

#include "model/model.h"

/* Decide the task, keep schema and provenance, leave out rows that cannot be learned from, count
 * classes and choose the positive one. *out has the target in the kind of the task (freed by the
 * caller); *rows may become a smaller set, in scratch. A model without learner is a recipe: any
 * task is welcome, and so is none. */
CAIRN_CHECKED cairn_status cairn_prepare(cairn_context *ctx, cairn_model *model, cairn_table **out,
                                         const cairn_table *table, cairn_rows *rows,
                                         const cairn_fit_options *options);

/* Narrow *rows (in scratch) to those that can be learned from: the target is there and, with
 * `drop`, every feature too. What is left out is told; when nothing is left it fails. */
CAIRN_CHECKED cairn_status cairn_learnable_rows(cairn_context *ctx, cairn_model *model,
                                                const cairn_table *table, cairn_rows *rows,
                                                bool drop);

#endif
