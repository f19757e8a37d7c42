/* SPDX-License-Identifier: MIT */
/* Expressions that can be undone: functions of one column that is read once, such as log(y),
 * (y - 3)^2 / 10 or 100 / sqrt(y), and the way back from their value to the column's. */
#ifndef CAIRN_DATA_EXPRESSION_UNDO_H
#define CAIRN_DATA_EXPRESSION_UNDO_H

#include "base/text.h"

enum { CAIRN_MOST_UNDO = 16 };

/* What is done with a value v and the step's number c. */
typedef enum cairn_undo_kind {
    CAIRN_UNDO_ADD,       /* v + c */
    CAIRN_UNDO_FROM,      /* c - v */
    CAIRN_UNDO_TIMES,     /* v c */
    CAIRN_UNDO_DIVIDE,    /* v / c */
    CAIRN_UNDO_INTO,      /* c / v */
    CAIRN_UNDO_POWER,     /* v^c; of a value below 0, which an even power cannot have, 0^c */
    CAIRN_UNDO_ODD_POWER, /* |v|^c with the sign of v */
    CAIRN_UNDO_BASE,      /* c^v */
    CAIRN_UNDO_EXP,
    CAIRN_UNDO_EXPM1,
    CAIRN_UNDO_LOG,
    CAIRN_UNDO_LOG1P
} cairn_undo_kind;

typedef struct cairn_undo_step {
    cairn_undo_kind kind;
    double number;
} cairn_undo_step;

typedef struct cairn_undo {
    size_t n;
    cairn_undo_step steps[CAIRN_MOST_UNDO]; /* from the value of the expression to the column's */
} cairn_undo;

/* The steps back, and the name of the column (scratch). Fails with CAIRN_USAGE and the place on
 * what cannot be undone. */
CAIRN_CHECKED cairn_status cairn_expression_undo(cairn_context *ctx, cairn_undo *out, char **column,
                                                 const char *text);
double cairn_undo_of(const cairn_undo *undo, double value);
/* "exp(NAME)" */
void cairn_undo_add(cairn_text *out, const cairn_undo *undo, const char *name);

#endif
