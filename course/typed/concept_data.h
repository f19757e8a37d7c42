/* SPDX-License-Identifier: MIT */
/* What the calculators about concepts share: examples of two classes from a table, and concepts as
 * words of a report. */
#ifndef CAIRN_TYPED_CONCEPT_DATA_H
#define CAIRN_TYPED_CONCEPT_DATA_H

#include "model/calculator.h"
#include "concepts/concepts.h"

typedef struct cairn_concept_option {
    const char *positive;
    int unseen;   /* cairn_unseen */
    int notation; /* cairn_notation, -1 = as usual in the language */
} cairn_concept_option;

extern const cairn_param cairn_concept_group[];

/* The same for those who choose between conjunctions and internal disjunction. */
typedef struct cairn_language_option {
    int language; /* 0 conjunctions, 1 with internal disjunction */
    cairn_concept_option concepts;
} cairn_language_option;

extern const cairn_param cairn_language_group[];

typedef struct cairn_concept_data {
    cairn_view view; /* of the rows that have a class, then of those that have none */
    cairn_domain domain;
    cairn_examples examples; /* rows with a class, in their order */
    cairn_examples others;   /* rows without one */
    const char *positive, *target;
    cairn_notation notation;
} cairn_concept_data;

/* All memory is scratch. `what` is the command, for messages. */
CAIRN_CHECKED cairn_status cairn_concept_data_read(cairn_context *ctx, cairn_concept_data *out,
                                                   const cairn_concept_option *option,
                                                   bool disjunction, bool intervals,
                                                   const cairn_table *table, const char *what);
/* The same in the language that was chosen. */
CAIRN_CHECKED cairn_status cairn_language_data_read(cairn_context *ctx, cairn_concept_data *out,
                                                    const cairn_language_option *option,
                                                    bool intervals, const cairn_table *table,
                                                    const char *what);
/* The classes of the target: its levels, or whole numbers (at most 20 different ones). */
typedef struct cairn_classes {
    const char *target;
    const char **names;
    size_t n;
    int32_t *codes; /* of the view's rows; -1 = none */
} cairn_classes;

CAIRN_CHECKED cairn_status cairn_read_classes(cairn_context *ctx, cairn_classes *out,
                                              const cairn_view *view, const char *what);
/* -1 = there is none of this name. */
int32_t cairn_find_class(const cairn_classes *classes, const char *name);
/* Code of the class that is meant: the wanted one, else the usual positive of two. */
CAIRN_CHECKED cairn_status cairn_find_positive(cairn_context *ctx, const cairn_classes *classes,
                                               size_t n_rows, const char *wanted, int32_t *out);
/* Which rows of a table are of the positive class: 1, 0, or -1 without a class. The name of the
 * class is borrowed from the table, or scratch. */
CAIRN_CHECKED cairn_status cairn_read_positive(cairn_context *ctx, const cairn_view *view,
                                               const char *wanted, const char *what, int8_t **out,
                                               const char **name);
/* The id of a row, or its number. Scratch. */
CAIRN_CHECKED cairn_status cairn_row_names(cairn_context *ctx, const cairn_table *table,
                                           const char ***out);

/* The concept as the data's notation writes it; scratch. */
CAIRN_CHECKED cairn_status cairn_concept_word(cairn_context *ctx, const char **out,
                                              const cairn_concept_data *data,
                                              const uint64_t *concept);
/* The names of the examples that it covers, separated by blanks; class 1, 0, or -1 for both. */
CAIRN_CHECKED cairn_status cairn_concept_covered(cairn_context *ctx, const char **out, size_t *n,
                                                 const cairn_concept_data *data,
                                                 const uint64_t *concept, int class);
/* A list: a table with a line for each, values NAME1, NAME2 ... and NAME.count. */
CAIRN_CHECKED cairn_status cairn_concepts_show(cairn_context *ctx, cairn_report *out,
                                               const cairn_concept_data *data,
                                               const cairn_concepts *list, const char *title,
                                               const char *name);
#endif
