/* SPDX-License-Identifier: MIT */
/* Sequences in long form: a row for every step, with a column that says which sequence it belongs
 * to and perhaps one that says when. */
#ifndef CAIRN_RESHAPE_LONG_FORM_H
#define CAIRN_RESHAPE_LONG_FORM_H

#include "data/table.h"

typedef struct cairn_long_form {
    const char *sequence; /* the column whose equal cells make a sequence */
    const char *order;    /* a number or time that grows within each; NULL = as the rows come */
    const char *steps_in; /* columns whose cells are the steps; NULL = those that change within a
                             sequence and are not ignored */
} cairn_long_form;

/* A table with a row for every sequence, in the order in which they first occur: columns of levels
 * that are steps become sequences and those of numbers series, the others keep their one cell; the
 * column `order` goes, and `sequence` names the rows. Fails with the row where the order does not
 * grow, where a cell of either column is missing, or where another column than the steps changes
 * within a sequence; a gap in whole numbers is warned of. */
CAIRN_CHECKED cairn_status cairn_table_gather_steps(cairn_context *ctx, cairn_table **out,
                                                    const cairn_table *table,
                                                    const cairn_long_form *form);

#endif
