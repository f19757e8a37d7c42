/* SPDX-License-Identifier: MIT */
/* Expressions over the columns of a table: `--where`, formula columns, generators. The language is
 * described in docs/expressions.md.
 *
 * Every value is a number, a truth or a text, and may be missing. An expression is read once,
 * checked against the names and kinds of a table, and computed for blocks of rows side by side; the
 * result does not depend on the number of threads. What has no value (a division by zero, the
 * logarithm of a negative number) is missing and counted. */
#ifndef CAIRN_DATA_EXPRESSION_H
#define CAIRN_DATA_EXPRESSION_H

#include "data/table.h"

typedef struct cairn_expression cairn_expression;

typedef enum cairn_value_type {
    CAIRN_VALUE_NUMBER,
    CAIRN_VALUE_TRUTH,
    CAIRN_VALUE_TEXT,
    CAIRN_VALUE_ANY /* the word `missing` before its neighbours say what it stands for */
} cairn_value_type;

/* Why a value that could have been there is missing. */
typedef enum cairn_fault {
    CAIRN_FAULT_DIVISION,
    CAIRN_FAULT_LOGARITHM,
    CAIRN_FAULT_ROOT,
    CAIRN_FAULT_POWER,
    CAIRN_FAULT_DOMAIN,
    CAIRN_FAULT_NUMBER,
    CAIRN_FAULT_TIME,
    CAIRN_FAULT_INFINITE,
    CAIRN_N_FAULTS
} cairn_fault;

typedef struct cairn_faults {
    size_t n[CAIRN_N_FAULTS];     /* rows */
    size_t first[CAIRN_N_FAULTS]; /* the first such row, from 0 */
} cairn_faults;

/* Read an expression and check it against the table, whose columns it borrows. A mistake fails
 * with CAIRN_USAGE and a message that shows the text with a mark below the place. */
CAIRN_CHECKED cairn_status cairn_expression_new(cairn_context *ctx, cairn_expression **out,
                                                const char *text, const cairn_table *table);
void cairn_expression_free(cairn_expression *expression);
CAIRN_CAN_OWN(cairn_expression_free, cairn_expression)
/* Whether the text follows the grammar; names and kinds are not looked at. */
CAIRN_CHECKED cairn_status cairn_expression_check(cairn_context *ctx, const char *text);
/* The names that the text reads, added to a map in the order of their first places; *more says
 * whether it reads columns that it does not name, by `*` or first:last. NULL for who need not
 * know. */
CAIRN_CHECKED cairn_status cairn_expression_names(cairn_context *ctx, cairn_map *out,
                                                  const char *text, bool *more);
/* The argument where the whole text is one call of that function of a number, as in sigmoid(a + b),
 * else NULL. Scratch. */
CAIRN_CHECKED cairn_status cairn_expression_argument(cairn_context *ctx, const char **out,
                                                     const char *text, const char *function);

/* What kind of values it has, as its check found. */
cairn_value_type cairn_expression_type(const cairn_expression *expression);
/* Set the places of the columns that are read; `used` has one per column of the table. */
void cairn_expression_reads(const cairn_expression *expression, bool *used);
/* uniform() and normal() of expressions with different salts have nothing in common. */
void cairn_expression_salt(cairn_expression *expression, const char *salt);

/* The values for all rows of the table. NUMBER and TRUTH (0 and 1): n_rows doubles. */
CAIRN_CHECKED cairn_status cairn_expression_numbers(cairn_context *ctx,
                                                    const cairn_expression *expression, double *out,
                                                    cairn_faults *faults);
/* The same as a new column: numbers; levels no and yes; levels, or text when most differ. */
CAIRN_CHECKED cairn_status cairn_expression_column(cairn_context *ctx,
                                                   const cairn_expression *expression,
                                                   cairn_column **out, cairn_faults *faults);

/* Counts are added; the first row of a fault is the lesser of both. */
void cairn_faults_add(cairn_faults *to, const cairn_faults *from);
size_t cairn_faults_total(const cairn_faults *faults);
/* "division by zero" */
const char *cairn_fault_name(cairn_fault fault);
/* "WHAT is missing in 3 rows: division by zero (first in row 7)", once per kind of fault. */
void cairn_faults_warn(cairn_context *ctx, const char *what, const cairn_faults *faults);

/* "name = expression" taken apart: the name may be quoted with `...`, [...] or double quotes. Both
 * texts come from scratch. */
CAIRN_CHECKED cairn_status cairn_assignment_split(cairn_context *ctx, const char *text, char **name,
                                                  char **expression);

/* What --where found. */
typedef struct cairn_filtered {
    size_t n_kept, n_dropped; /* rows that were not even read are among those dropped */
    size_t n_undecided;       /* of those dropped: the condition was missing */
} cairn_filtered;

/* A new table of the rows for which the condition holds; `filtered` may be NULL. No row at all is
 * allowed here. */
CAIRN_CHECKED cairn_status cairn_table_where(cairn_context *ctx, cairn_table **out,
                                             const cairn_table *table, const char *condition,
                                             cairn_filtered *filtered);

#endif
