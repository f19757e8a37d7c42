/* SPDX-License-Identifier: MIT */
/* First-order terms and atoms: reading, most general unifier, least general generalisation. */
#ifndef CAIRN_TYPED_TERMS_H
#define CAIRN_TYPED_TERMS_H

#include "base/map.h"
#include "base/memory.h"
#include "base/text.h"

/* Terms are numbers: equal terms have the same one. */
typedef struct cairn_term {
    int32_t name; /* in names */
    bool variable;
    uint32_t n_arguments;
    size_t first; /* its arguments are arguments[first] .. */
} cairn_term;

typedef struct cairn_terms {
    cairn_context *ctx;
    bool upper; /* variables begin with a capital letter, not with a small one */
    cairn_map names;
    cairn_term *list;
    size_t n, capacity;
    uint32_t *arguments;
    size_t n_arguments, arguments_capacity;
    uint32_t *slots; /* hash table of terms: number + 1, 0 = free */
    size_t n_slots;
} cairn_terms;

/* Free all terms; their numbers mean nothing afterwards. */
void cairn_terms_clear(cairn_terms *terms);

/* Read one term from text[*at ..] up to the end or the mark ';'. `option` is its name for
 * messages, which show the place. With `apart` > 0 variables get _ and that number behind their
 * name. */
CAIRN_CHECKED cairn_status cairn_term_read(cairn_terms *terms, uint32_t *out, const char *text,
                                           size_t *at, int apart, const char *option);

/* Unification: classes of terms that must be equal. */
typedef struct cairn_unifier {
    uint32_t *parent; /* n terms: towards the representative */
    uint32_t *schema; /* n terms: of a representative, a term of the class that is no variable, or
                         itself */
    bool unified;
    char reason[512]; /* why not */
} cairn_unifier;

/* Make all of the terms equal; scratch. With the occurs check off, cyclic solutions are let
 * through. */
CAIRN_CHECKED cairn_status cairn_terms_unify(cairn_terms *terms, cairn_unifier *out,
                                             const uint32_t *list, size_t n, bool occurs_check);

/* The term as text, with the substitution of the unifier applied (NULL = as it is). Very deep or
 * long ones are cut with an ellipsis. */
void cairn_term_add(cairn_text *out, const cairn_terms *terms, const cairn_unifier *unifier,
                    uint32_t term);

/* A variable of a generalisation and the subterms that it stands for. */
typedef struct cairn_generalised {
    uint32_t variable;
    const uint32_t *stands_for; /* one for each generalised term */
} cairn_generalised;

/* The least general generalisation: where the terms differ there is a variable, the same one for
 * the same subterms. Scratch. */
CAIRN_CHECKED cairn_status cairn_terms_generalise(cairn_terms *terms, uint32_t *out,
                                                  cairn_generalised **variables,
                                                  size_t *n_variables, const uint32_t *list,
                                                  size_t n);

#endif
