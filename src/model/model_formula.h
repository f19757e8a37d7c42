/* SPDX-License-Identifier: MIT */
/* Model formulas: target ~ terms, as in `price ~ age*km + poly(hp,2) - 1`.
 *
 *     formula = [ left "~" ] sum                        left: a column, or a function of one
 *     sum     = [ "+" | "-" ] product { ( "+" | "-" ) product }
 *     product = crossed { ( "*" | "/" ) crossed }       a*b = a + b + a:b, a/b = a + a:b
 *     crossed = power { ( ":" | "%in%" ) power }
 *     power   = atom [ "^" digits ]                     (a+b)^2 = a + b + a:b
 *     atom    = "0" | "1" | "." | column | function "(" ... ")" | "(" sum ")"
 *
 * A term is a set of variables whose product is meant; the empty one is the constant. A variable is
 * a column, an expression in the language of data/expression.h (log(x), I(x^2)), a number taken as
 * levels (factor(x)) or a polynomial (poly(x,2)). */
#ifndef CAIRN_MODEL_MODEL_FORMULA_H
#define CAIRN_MODEL_MODEL_FORMULA_H

#include "data/expression_undo.h"
#include "data/table.h"

enum { CAIRN_MOST_CROSSED = 8, CAIRN_MOST_POLY = 30 };

typedef enum cairn_variable_kind {
    CAIRN_VARIABLE_COLUMN,     /* as it is */
    CAIRN_VARIABLE_EXPRESSION, /* I(x^2), log(x) */
    CAIRN_VARIABLE_FACTOR,     /* factor(x) */
    CAIRN_VARIABLE_POLY        /* poly(x,degree) */
} cairn_variable_kind;

typedef struct cairn_formula_variable {
    cairn_variable_kind kind;
    char *name;       /* as typed, without blanks; of a column its name */
    char *expression; /* what is computed; NULL for a column */
    int degree;       /* POLY */
    bool raw;         /* POLY: powers as they are, not orthogonal ones */
    size_t at;        /* where it stands in the text */
} cairn_formula_variable;

typedef struct cairn_formula_term {
    size_t n;
    int32_t variables[CAIRN_MOST_CROSSED]; /* ascending */
} cairn_formula_term;

/* Everything comes from scratch. */
typedef struct cairn_model_formula {
    const char *text;
    char *target; /* the column on the left; NULL = nothing stands there */
    size_t target_at;
    char *target_name;       /* as typed, without blanks, of a function of the column; else NULL */
    char *target_expression; /* what is computed then */
    cairn_undo target_undo;  /* and how answers are brought back */
    bool intercept;
    bool all; /* a dot stands in it */
    cairn_formula_variable *variables;
    size_t n_variables, variables_buffer;
    cairn_formula_term *terms; /* without the constant; those of fewer variables first */
    size_t n_terms;
    cairn_formula_variable *offsets; /* what stands in offset() */
    size_t n_offsets, offsets_buffer;
} cairn_model_formula;

/* Read a formula; a dot stands for the names in `all`, but for the target. A mistake fails with
 * CAIRN_USAGE and shows the place. */
CAIRN_CHECKED cairn_status cairn_model_formula_read(cairn_context *ctx, cairn_model_formula *out,
                                                    const char *text, const char *const *all,
                                                    size_t n_all);
/* The same with the columns of a table for the dot: those that are features and not the target. */
CAIRN_CHECKED cairn_status cairn_model_formula_of_table(cairn_context *ctx,
                                                        cairn_model_formula *out, const char *text,
                                                        const cairn_table *table);
/* Set the places of the columns that its variables and offsets read; `used` has one per column of
 * the table. A column that is not there, or is the target, fails. */
CAIRN_CHECKED cairn_status cairn_model_formula_reads(cairn_context *ctx,
                                                     const cairn_model_formula *formula,
                                                     const cairn_table *table, bool *used);
/* Give the table the roles of a formula: its target, and the columns that it reads as features; the
 * other features are ignored. */
CAIRN_CHECKED cairn_status cairn_model_formula_roles(cairn_context *ctx, cairn_table *table,
                                                     const char *text);
/* Whether variable v of term t is coded by contrasts, where it has levels: all but one of them get
 * a column. It is when the term without it is part of the model, so that the columns of all levels
 * would add up to those of an earlier term (the rule of R's terms). The first variable with levels
 * is another case when there is no constant. */
bool cairn_formula_contrasts(const cairn_model_formula *formula, size_t term, int32_t variable);

#endif
