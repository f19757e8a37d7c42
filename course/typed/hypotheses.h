/* SPDX-License-Identifier: MIT */
/* Hypotheses that are typed as conditions on columns, and what they cover. */
#ifndef CAIRN_TYPED_HYPOTHESES_H
#define CAIRN_TYPED_HYPOTHESES_H

#include "base/text.h"
#include "model/calculator.h"

enum { CAIRN_MOST_TYPED = 200 };

typedef struct cairn_variable {
    const char *name;
    const cairn_column *levels; /* NULL = numbers */
    double *values;             /* numbers, those between others first */
    size_t n;
} cairn_variable;

/* All memory is scratch. */
typedef struct cairn_typed {
    const char *const *texts;
    const char **conditions;
    size_t n;
    cairn_variable *variables;
    size_t n_variables;
    double *truth; /* n x n_instances: 1, 0, NaN = undecided */
    size_t n_instances;
} cairn_typed;

/* From the lines of a repeated option --hypothesis; at least `least` of them. Without a table all
 * columns hold numbers; with one, "(sunny, ?, high|normal)" is read as well, a place for each
 * feature. */
CAIRN_CHECKED cairn_status cairn_typed_read(cairn_context *ctx, cairn_typed *out, const char *typed,
                                            size_t least, const cairn_table *table);
/* Their truth for every combination of values that matters; more than `limit` are refused. */
CAIRN_CHECKED cairn_status cairn_typed_try_all(cairn_context *ctx, cairn_typed *h, double limit);
/* The same for the rows of a table. */
CAIRN_CHECKED cairn_status cairn_typed_try_rows(cairn_context *ctx, cairn_typed *h,
                                                const cairn_table *table);
/* The first instance that i covers and k does not; n_instances when there is none. */
size_t cairn_typed_witness(const cairn_typed *h, size_t i, size_t k);
/* "x=3, outlook=sunny" */
void cairn_typed_add_instance(cairn_text *out, const cairn_typed *h, size_t at);
/* n x n: i covers all that k covers, and more. */
CAIRN_CHECKED cairn_status cairn_typed_order(cairn_context *ctx, const cairn_typed *h, bool **out);

#endif
