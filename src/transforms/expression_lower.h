/* SPDX-License-Identifier: MIT */
/* An expression as operations of a program. */
#ifndef CAIRN_TRANSFORMS_EXPRESSION_LOWER_H
#define CAIRN_TRANSFORMS_EXPRESSION_LOWER_H

#include "data/expression.h"
#include "model/program.h"

/* Numbers and conditions (0, 1), in slot *out; `slots` are those of the columns of the expression's
 * table, -1 = it cannot be read. Chance, row numbers and texts that are no levels are refused. */
CAIRN_CHECKED cairn_status cairn_lower_expression(cairn_program *program, const cairn_expression *e,
                                                  const int32_t *slots, int32_t *out);

#endif
