/* SPDX-License-Identifier: MIT */
/* Atomic events with their probabilities, typed or counted, and propositions about them.
 *
 * A table has a row for every outcome and a column for every variable. Propositions are written as
 * they are on a board and become expressions (data/expression.h): `cavity` is cavity = "true",
 * `weather = sunny` needs no quotes, a comma is `and`, ¬ and ~ are `not`. */
#ifndef CAIRN_TYPED_OUTCOMES_H
#define CAIRN_TYPED_OUTCOMES_H

#include "data/table.h"
#include "entry/entry.h"

/* A group of parameters. */
typedef struct cairn_outcomes_option {
    const char *variables, *table; /* typed */
    const char *probability;       /* a column */
    const char *asked;             /* no parameter: questions, whose columns are variables, too */
} cairn_outcomes_option;
extern const cairn_param cairn_outcomes_params[];

/* Owned. */
typedef struct cairn_outcomes {
    cairn_table *table;  /* a row per outcome, the variables as features */
    cairn_table *levels; /* the same with the values of numbers as levels */
    double *p;           /* n_rows, sums to 1; scratch */
    double *n;           /* n_rows: rows that were counted; NULL = probabilities were given */
} cairn_outcomes;

/* Typed; or the rows of a table with a column of probabilities; or counted from the rows of a
 * table, which are gathered by the variables: those that are named, else all columns of levels,
 * those of few numbers and those of numbers that a question names.
 * Probabilities that are negative or do not sum to 1 fail with the sum. */
CAIRN_CHECKED cairn_status cairn_outcomes_read(cairn_context *ctx, cairn_outcomes *out,
                                               const cairn_outcomes_option *option,
                                               const cairn_table *table, const char *what);
void cairn_outcomes_clear(cairn_outcomes *outcomes);

/* Whether the proposition holds for each outcome: n_rows zeros and ones, scratch. `option` begins
 * the message of a failure. */
CAIRN_CHECKED cairn_status cairn_event_read(cairn_context *ctx, double **out, const char *option,
                                            const char *text, const cairn_table *outcomes);

/* The same of "NAME: PROPOSITION", or of a proposition whose text is its name. The name is
 * scratch. */
CAIRN_CHECKED cairn_status cairn_event_named(cairn_context *ctx, const char **name, double **out,
                                             const char *line, const cairn_table *outcomes);

/* "P(cavity or toothache | catch)" taken apart; `P(` and `)` may be left out. */
typedef struct cairn_event_query {
    const char *event, *given; /* as typed; given NULL = there is none. Scratch */
    double *holds, *known;     /* n_rows; known all 1 without `given` */
    ptrdiff_t variable;        /* the event is a variable by itself: its column; else -1 */
    bool whole;                /* ... which is no truth: its distribution is asked for, and
                                     `holds` is NULL */
} cairn_event_query;
CAIRN_CHECKED cairn_status cairn_event_query_read(cairn_context *ctx, cairn_event_query *out,
                                                  const char *option, const char *text,
                                                  const cairn_table *outcomes);

/* The same without a look at what stands in it: the two sides of the bar, scratch. */
CAIRN_CHECKED cairn_status cairn_event_split(cairn_context *ctx, const char **event,
                                             const char **given, const char *option,
                                             const char *text);

/* The sum of p where both hold; `b` may be NULL. */
double cairn_event_probability(const cairn_outcomes *outcomes, const double *a, const double *b);
/* The level of a variable that stands for true, of one that is 0 or 1 the number; -1 when it has
 * none. */
int32_t cairn_truth_level(const cairn_table *outcomes, size_t column);

#endif
