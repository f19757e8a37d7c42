/* SPDX-License-Identifier: MIT */
/* The chain of transforms before a learner: what the user asked for, then what the learner
 * needs. */
#ifndef CAIRN_MODEL_CHAIN_H
#define CAIRN_MODEL_CHAIN_H

#include "model/model.h"

/* Fit the user's transforms and those that the learner needs, one after the other, on the rows;
 * *out is the table after the last one (shared columns, freed by the caller), and *rows become the
 * training rows of that table, which are others where a transform changed them. */
CAIRN_CHECKED cairn_status cairn_chain_fit(cairn_context *ctx, cairn_model *model,
                                           cairn_table **out, const cairn_table *table,
                                           cairn_rows *rows, const cairn_fit_options *options);

/* After that: the model's schema asks of new rows nothing that was left out of all training rows
 * unasked, texts and columns without a value. `table` and `rows` as they were before the chain. */
CAIRN_CHECKED cairn_status cairn_chain_forget(cairn_context *ctx, cairn_model *model,
                                              const cairn_table *table, cairn_rows rows);

/* Warn of the columns that every fit to these rows will leave out, once before many fits that say
 * nothing; fails where nothing would be left. Only where no transform of the user's comes first,
 * which may make something of them. */
CAIRN_CHECKED cairn_status cairn_chain_foretell(cairn_context *ctx, const cairn_params *params,
                                                const cairn_table *table, cairn_rows rows,
                                                const cairn_fit_options *options);

/* Apply the fitted chain to a matched table. What a learner is given fits its schema: fails where a
 * model file was made up so that it does not. */
CAIRN_CHECKED cairn_status cairn_chain_apply(cairn_context *ctx, const cairn_model *model,
                                             cairn_table **out, const cairn_table *table);

/* The same for a learner that predicts: one that reads columns of items gets them without numbers
 * (data/item_columns.h). */
CAIRN_CHECKED cairn_status cairn_chain_answer(cairn_context *ctx, const cairn_model *model,
                                              cairn_table **out, const cairn_table *table);

/* Fail because of such a file. */
CAIRN_CHECKED cairn_status cairn_chain_damaged(cairn_context *ctx);

/* Numbers that the learner predicted, back into the units of the raw target; in place. */
void cairn_chain_invert(const cairn_model *model, double *numbers, size_t n);

/* A number of a column that the learner saw, such as a centre, back into the units of the data; in
 * place. Returns whether a transform had changed them. */
bool cairn_chain_restore(const cairn_model *model, const char *column, double *value);

/* Fit a recipe, describe it in `steps` (may be NULL) and keep only the table that it makes. */
CAIRN_CHECKED cairn_status cairn_transforms_run(cairn_context *ctx, cairn_table **out,
                                                const cairn_table *table,
                                                const cairn_params *transforms,
                                                cairn_report *steps);

/* -- single links, also for transforms that are made of others -- */

/* A link with these settings, which pass over; it is left empty on failure. */
CAIRN_CHECKED cairn_status cairn_link_open(cairn_context *ctx, cairn_link *link,
                                           cairn_params *params);
/* Fit it on rows of a table; task, classes and steps are those of `like`. */
CAIRN_CHECKED cairn_status cairn_link_fit(cairn_context *ctx, cairn_link *link,
                                          const cairn_job *like, const cairn_table *table,
                                          cairn_rows rows);
/* Apply it to new rows, or to the rows it was fitted on. */
CAIRN_CHECKED cairn_status cairn_link_apply(cairn_context *ctx, const cairn_link *link,
                                            cairn_table **out, const cairn_table *table,
                                            bool training);
/* How it treats training rows and new ones, with the parameters it has. */
cairn_acting cairn_link_acting(const cairn_link *link);
CAIRN_CHECKED cairn_status cairn_link_archive(cairn_archive *a, cairn_link *link);
void cairn_link_clear(cairn_link *link);

#endif
