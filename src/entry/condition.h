/* SPDX-License-Identifier: MIT */
/* Conditions of parameters: under which settings of the others a parameter does something.
 *
 *     solver=ascent          the value in force is this one
 *     method=kd|ball         or one of these; a * at an end of a value stands for any text
 *     prune                  a yes-or-no parameter is yes; another one is not what it is by default
 *     !alpha                 the contrary
 *     prune=rep,!rows        both
 *     noise or missing_share either; binds less than the comma
 *
 * Names are those of the rows of the same entry, with underscores. */
#ifndef CAIRN_ENTRY_CONDITION_H
#define CAIRN_ENTRY_CONDITION_H

#include "entry/entry.h"

/* One term of a condition; the texts are parts of the condition, not ended by a zero. */
typedef struct cairn_condition_term {
    bool contrary, alternative; /* "!" stands in front; it follows an "or" */
    const char *name, *values;  /* values: "a|b"; NULL = the name alone */
    size_t name_length, values_length;
} cairn_condition_term;

/* The term at *at, which moves behind it; false at the end. */
bool cairn_condition_next(const char **at, cairn_condition_term *out);
/* The row that a term names, or NULL. `name` has room for 64 bytes. */
const cairn_param *cairn_term_row(const cairn_entry *entry, const cairn_condition_term *term,
                                  char name[64]);
/* Whether a text is one of the term's values. */
bool cairn_term_has(const cairn_condition_term *term, const char *text);
/* Whether the condition holds; *failed is the first term that does not where there is no way. */
bool cairn_condition_holds(const cairn_params *params, const char *when,
                           cairn_condition_term *failed);
/* "with --solver ascent and without --alpha", or with `dashes` false "with solver=ascent ...". */
void cairn_condition_words(cairn_text *out, const char *when, bool dashes);

#endif
