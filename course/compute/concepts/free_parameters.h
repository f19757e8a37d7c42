/* SPDX-License-Identifier: MIT */
/* Conditions in which a free parameter stands anywhere in its comparison, written with the
 * parameter alone on its side. */
#ifndef CAIRN_COMPUTE_FREE_PARAMETERS_H
#define CAIRN_COMPUTE_FREE_PARAMETERS_H

#include "data/expression.h"
#include "data/table.h"
#include "typed/rule_text.h"

/* The tables that conditions are evaluated on: that of the rows, and that of new rows or NULL. */
typedef struct cairn_rule_grounds {
    cairn_table *rows, *fresh;
    size_t made; /* pairs of columns */
} cairn_rule_grounds;

/* Whether the token ends a side of a comparison. */
bool cairn_ends_side(const cairn_token *t);
/* The condition or number in every row; NaN where it is missing. */
CAIRN_CHECKED cairn_status cairn_rule_evaluate(cairn_context *ctx, double *out,
                                               const char *condition, const cairn_table *table,
                                               bool truth);
/* The condition with every parameter alone on its side; the tables get the columns for it. */
CAIRN_CHECKED cairn_status cairn_free_parameters(cairn_context *ctx, const char **condition,
                                                 char **names, size_t n_names,
                                                 cairn_rule_grounds *g);

#endif
