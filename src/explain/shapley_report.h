/* SPDX-License-Identifier: MIT */
/* Shapley values as tables, steps and pictures. */
#ifndef CAIRN_EXPLAIN_SHAPLEY_REPORT_H
#define CAIRN_EXPLAIN_SHAPLEY_REPORT_H

#include "explain/shapley.h"
#include "model/explain.h"

/* Which class is spoken of. */
enum { CAIRN_CLASS_ANSWERED = -1 }; /* of every row the one that it is answered with */

/* The class of row i; -1 = a number. A row without an answer speaks for the first class. */
int32_t cairn_shapley_class(const cairn_shapley *s, size_t row, int32_t wanted);
/* Its name, "cluster 2", or "" of a number. */
const char *cairn_shapley_class_name(cairn_context *ctx, const cairn_model *model, int32_t code);
/* "log odds of yes", "share of yes", "price". */
void cairn_shapley_add_scale(cairn_text *text, const cairn_shapley *s, const cairn_model *model,
                             int32_t code);
/* The cell of a player as a text, numbers with six digits. */
void cairn_shapley_cell(const cairn_shapley *s, size_t player, size_t row, char *out, size_t size);
/* Players by the size of their values in a row, or by their means over all rows, the largest
 * first; scratch. */
CAIRN_CHECKED cairn_status cairn_shapley_order(cairn_context *ctx, size_t **out,
                                               const cairn_shapley *s, ptrdiff_t row,
                                               int32_t wanted);

/* How the values came about. */
void cairn_shapley_show_method(cairn_report *out, const cairn_shapley *s, const cairn_model *model);
/* The values of a row with base and sum; names of values are those of the row alone. */
CAIRN_CHECKED cairn_status cairn_shapley_show_row(cairn_report *out, const cairn_shapley *s,
                                                  const cairn_model *model, size_t row,
                                                  int32_t wanted);
/* Means over rows, and interactions. */
CAIRN_CHECKED cairn_status cairn_shapley_show_summary(cairn_report *out, const cairn_shapley *s,
                                                      const cairn_model *model, int32_t wanted);
/* v(S) of all sets of few columns, and how values are made of them, for one row. */
CAIRN_CHECKED cairn_status cairn_shapley_show_steps(cairn_report *out, const cairn_shapley *s,
                                                    size_t row, int32_t wanted);

/* Rows of a table with reasons, for predict: a step of the report for each, values named
 * "explain.ROW.…". */
CAIRN_CHECKED cairn_status cairn_shapley_explain(cairn_context *ctx, cairn_report *out,
                                                 const cairn_model *model, const cairn_table *table,
                                                 const cairn_explain_how *options);
/* Whether the model is a sum of trees or columns, so that its values are exact. */
CAIRN_CHECKED cairn_status cairn_shapley_is_exact(cairn_context *ctx, const cairn_model *model,
                                                  bool *out);

/* From the base to the sum of a row, a bar for each column. */
CAIRN_CHECKED cairn_status cairn_shapley_waterfall(cairn_context *ctx, cairn_figure **out,
                                                   const cairn_shapley *s, const cairn_model *model,
                                                   size_t row, int32_t wanted);
/* A dot for each row and column, coloured by the cell. */
CAIRN_CHECKED cairn_status cairn_shapley_swarm(cairn_context *ctx, cairn_figure **out,
                                               const cairn_shapley *s, const cairn_model *model,
                                               int32_t wanted);
/* Values of a column over its cells, coloured by those of another (n_players = the one with the
 * largest interaction, where these are there, else none). */
CAIRN_CHECKED cairn_status cairn_shapley_dependence(cairn_context *ctx, cairn_figure **out,
                                                    const cairn_shapley *s,
                                                    const cairn_model *model, size_t player,
                                                    size_t colour, int32_t wanted);

#endif
