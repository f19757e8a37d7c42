/* SPDX-License-Identifier: MIT */
/* Functions that a user types: expressions (docs/expressions.md) of a few variables, each perhaps
 * with a name in front, NAME=EXPRESSION. */
#ifndef CAIRN_TYPED_TYPED_FUNCTIONS_H
#define CAIRN_TYPED_TYPED_FUNCTIONS_H

#include "base/context.h"

typedef struct cairn_typed_function {
    const char *name; /* the expression itself where no name was given */
    const char *expression;
} cairn_typed_function;

/* The lines of a parameter that may be given several times; none for NULL. Scratch. */
CAIRN_CHECKED cairn_status cairn_functions_read(cairn_context *ctx, cairn_typed_function **out,
                                                size_t *n, const char *lines);

/* The names that an expression reads, sorted, numbers in them by their size: w2 before w10. A wrong
 * expression fails with {option} before the message. Scratch. */
CAIRN_CHECKED cairn_status cairn_function_names(cairn_context *ctx, const char ***out, size_t *n,
                                                const char *expression, const char *option);

/* Values of the variables of functions: n_variables columns of n numbers. */
typedef struct cairn_variables {
    const char *const *names;
    const double *const *columns;
    size_t n_variables, n;
} cairn_variables;

/* The value of an expression for each of the n places, NaN where it has none. A wrong expression
 * fails with {option} before the message. */
CAIRN_CHECKED cairn_status cairn_function_values(cairn_context *ctx, double *out,
                                                 const char *expression,
                                                 const cairn_variables *variables,
                                                 const char *option);

#endif
