/* SPDX-License-Identifier: MIT */
/* Concepts over columns of levels: a set of allowed values for each column.
 *
 * In the language of conjunctions a set holds one value or all of them (`?`, any); with internal
 * disjunction it is any set of values. A concept covers an instance when every cell is allowed, and
 * is more general than another when each of its sets contains the other's. The empty concept covers
 * nothing and is the most special one.
 *
 * A concept is an array of masks, one per attribute; bit v stands for value v. The mask of `any`
 * has one more bit when the attribute may take values that were not seen: then `any` is more than
 * all the values together. All memory is scratch unless a clear function is named. */
#ifndef CAIRN_CONCEPTS_CONCEPTS_H
#define CAIRN_CONCEPTS_CONCEPTS_H

#include "base/text.h"
#include "data/view.h"

enum { CAIRN_CONCEPT_VALUES = 62 }; /* most values of an attribute */

typedef struct cairn_attribute {
    const char *name;
    const char **values; /* n_values names */
    size_t n_values;
    const double *numbers; /* of a number column, ascending; else NULL */
    bool interval;         /* its sets are intervals */
    bool coarse;           /* values 1, 3, 5 ... are the numbers, those between them are runs */
    uint64_t seen, any;
} cairn_attribute;

typedef struct cairn_domain {
    cairn_attribute *attributes;
    size_t n;
    bool disjunction; /* internal disjunction is allowed */
} cairn_domain;

/* Which attributes may take values that the table does not name. */
typedef enum cairn_unseen {
    CAIRN_UNSEEN_SINGLE, /* those with one value only, so that naming it is a condition */
    CAIRN_UNSEEN_ALL,
    CAIRN_UNSEEN_NONE
} cairn_unseen;

typedef struct cairn_language {
    bool disjunction;
    cairn_unseen unseen;
    bool intervals; /* number columns are taken as intervals of their values */
    /* Of the rows, 1 = positive. With very many numbers only those count that widened the interval
     * of the positive rows so far. NULL = all rows. */
    const int8_t *classes;
} cairn_language;

/* The attributes of the view's features. A number column of whole numbers, at most 20 different
 * ones, is taken by its values. Fails for other columns that are not levels, that have more than
 * CAIRN_CONCEPT_VALUES values, or when there is none. */
CAIRN_CHECKED cairn_status cairn_domain_make(cairn_context *ctx, cairn_domain *out,
                                             const cairn_view *view,
                                             const cairn_language *language);
/* Values of attribute j for row i of the view; a missing cell fails, naming row and column. */
CAIRN_CHECKED cairn_status cairn_domain_codes(cairn_context *ctx, int32_t **out,
                                              const cairn_domain *domain, const cairn_view *view);
/* "sunny, hot, high, weak", with or without (): the value of each attribute. */
CAIRN_CHECKED cairn_status cairn_domain_instance(cairn_context *ctx, int32_t *out,
                                                 const cairn_domain *domain, const char *text);

/* The value of an attribute that a word may be meant for; NULL = none. */
const char *cairn_nearest_value(const cairn_attribute *attribute, const char *word);

/* -- sizes: exact while they are below 2^53, inf when they are too large for a double -- */
double cairn_domain_instances(const cairn_domain *domain);
/* Concepts that cover something. */
double cairn_domain_concepts(const cairn_domain *domain);
double cairn_domain_concepts_log2(const cairn_domain *domain);
/* Those of them that include `above` (empty = all). */
double cairn_domain_concepts_above(const cairn_domain *domain, const uint64_t *above);

/* -- single concepts -- */
/* Whether the instance of these value codes, one per attribute, is covered. */
bool cairn_concept_covers(const cairn_domain *domain, const uint64_t *concept,
                          const int32_t *codes);
bool cairn_concept_is_empty(const cairn_domain *domain, const uint64_t *concept);
/* Whether everything that b covers is covered by a. */
bool cairn_concept_includes(const cairn_domain *domain, const uint64_t *a, const uint64_t *b);
bool cairn_concept_equals(const cairn_domain *domain, const uint64_t *a, const uint64_t *b);
void cairn_concept_any(const cairn_domain *domain, uint64_t *out);
/* The least general concept that includes both; `out` may be a or b. */
void cairn_concept_join(const cairn_domain *domain, uint64_t *out, const uint64_t *a,
                        const uint64_t *b);
void cairn_concept_of(const cairn_domain *domain, uint64_t *out, const int32_t *codes);
/* Attributes with a condition. */
size_t cairn_concept_conditions(const cairn_domain *domain, const uint64_t *concept);
/* Grows with generality. */
double cairn_concept_volume(const cairn_domain *domain, const uint64_t *concept);

typedef enum cairn_notation { CAIRN_NOTATION_VECTOR, CAIRN_NOTATION_LITERALS } cairn_notation;

/* "(sunny, ?, ?, weak)" or "outlook=sunny & wind=weak"; "length=[3,4]"; "true", "false". */
void cairn_concept_add_text(cairn_text *out, const cairn_domain *domain, const uint64_t *concept,
                            cairn_notation notation);
/* What it says about attribute j: "sunny", "3|4", "?" for any value, "∅" for none. */
void cairn_concept_add_place(cairn_text *out, const cairn_domain *domain, const uint64_t *concept,
                             size_t j);
/* Whether a text is a vector, "(sunny, ?, high|normal)", "<sunny, ?, high>" or the same without
 * brackets: commas or ?, and nothing is compared. What is inside begins at *first. */
bool cairn_vector_inside(const char *text, size_t *first, size_t *length);
/* Either notation. A mistake fails with the text and a mark below the place. */
CAIRN_CHECKED cairn_status cairn_concept_parse(cairn_context *ctx, uint64_t *out,
                                               const cairn_domain *domain, const char *text);

/* -- lists of concepts -- */
typedef struct cairn_concepts {
    uint64_t *masks; /* n x n_attributes */
    size_t n, capacity, width;
} cairn_concepts;

/* Free the masks; added concepts are copied. */
void cairn_concepts_clear(cairn_concepts *list);
CAIRN_CHECKED cairn_status cairn_concepts_add(cairn_context *ctx, cairn_concepts *list,
                                              const cairn_domain *domain, const uint64_t *concept);
static inline uint64_t *cairn_concepts_at(const cairn_concepts *list, size_t i)
{
    return list->masks + i * list->width;
}
/* Keep the most general ones, once each, in their order. */
void cairn_concepts_maximal(cairn_concepts *list, const cairn_domain *domain);
/* The same when the first ones are known to be incomparable with each other and none of them lies
 * in a later one. */
void cairn_concepts_keep_maximal(cairn_concepts *list, const cairn_domain *domain, size_t first);
/* Special ones first: by volume, else in their order. */
CAIRN_CHECKED cairn_status cairn_concepts_sort(cairn_context *ctx, cairn_concepts *list);

/* -- all concepts, or those that include a given one -- */
typedef struct cairn_walk {
    const cairn_domain *domain;
    uint64_t **options; /* what each attribute may be, special first */
    size_t *n_options, *at;
    uint64_t *concept; /* the current one */
    double size;
    bool begun;
} cairn_walk;

/* `above` NULL or empty = all that cover something. More than `limit` fails: the size is told with
 * `advice`. */
CAIRN_CHECKED cairn_status cairn_walk_start(cairn_context *ctx, cairn_walk *out,
                                            const cairn_domain *domain, const uint64_t *above,
                                            double limit, const char *advice);
bool cairn_walk_next(cairn_walk *walk);

/* -- version spaces -- */
typedef struct cairn_examples {
    int32_t *codes;    /* n x n_attributes */
    uint8_t *positive; /* n */
    const char **names;
    size_t n;
} cairn_examples;

static inline const int32_t *cairn_example(const cairn_examples *examples,
                                           const cairn_domain *domain, size_t i)
{
    return examples->codes + i * domain->n;
}

/* The different ones of the examples: the place of each one's first, in their order. The same
 * instance in both classes counts twice. Scratch. */
CAIRN_CHECKED cairn_status cairn_examples_distinct(cairn_context *ctx, size_t **out, size_t *n,
                                                   const cairn_domain *domain,
                                                   const cairn_examples *examples);

/* Most hypotheses of a general boundary: keeping the most general of n takes n² comparisons. */
enum { CAIRN_GENERAL_MOST = 10000 };

typedef struct cairn_boundaries {
    uint64_t *special; /* the one most special concept; empty before the first positive */
    cairn_concepts general;
    size_t too_many; /* not 0: so many general ones were given up, and `general` is unknown */
    bool collapsed;  /* never set any more once there are too many */
} cairn_boundaries;

/* Nothing seen yet: the empty concept and `any`. */
CAIRN_CHECKED cairn_status cairn_boundaries_start(cairn_context *ctx, cairn_boundaries *out,
                                                  const cairn_domain *domain);
void cairn_boundaries_clear(cairn_boundaries *boundaries);
/* A step of candidate elimination. A general boundary that becomes too long is given up. */
CAIRN_CHECKED cairn_status cairn_boundaries_add(cairn_context *ctx, cairn_boundaries *boundaries,
                                                const cairn_domain *domain, const int32_t *codes,
                                                bool positive);
/* The concepts below `from` that cover none of the codes' instances and are as general as can be;
 * only those that include `above` (NULL = any). `n_found` (may be NULL) counts what the
 * specialisation met before less general ones were dropped. */
CAIRN_CHECKED cairn_status cairn_specialise(cairn_context *ctx, cairn_concepts *out,
                                            const cairn_domain *domain, const uint64_t *from,
                                            const uint64_t *above, const int32_t *const *negatives,
                                            size_t n);

/* The first example after which nothing is consistent, and the negative and positive one that
 * cannot both be right; false when there is none. */
typedef struct cairn_conflict {
    size_t at, negative, positive;
    bool same; /* the two are the same instance */
} cairn_conflict;
CAIRN_CHECKED cairn_status cairn_find_conflict(cairn_context *ctx, bool *found, cairn_conflict *out,
                                               const cairn_domain *domain,
                                               const cairn_examples *examples);

/* 1 every member covers it, 0 none does, -1 they disagree. The examples are asked when the general
 * boundary was given up. `work` has room for a concept. */
int cairn_boundaries_decide(const cairn_boundaries *boundaries, const cairn_domain *domain,
                            const cairn_examples *examples, const int32_t *codes, uint64_t *work);
/* The members of the version space. */
CAIRN_CHECKED cairn_status cairn_version_members(cairn_context *ctx, cairn_concepts *out,
                                                 const cairn_domain *domain,
                                                 const cairn_examples *examples,
                                                 const uint64_t *special, double limit);
/* How many there are, found without a list; NaN when that would take too long. Those that cover an
 * instance, too, are counted from the join of `special` and the instance. The empty concept does
 * not count. */
CAIRN_CHECKED cairn_status cairn_version_count(cairn_context *ctx, double *out,
                                               const cairn_domain *domain,
                                               const cairn_examples *examples,
                                               const uint64_t *special);
/* How many instances of the values that are named no concept of the list covers; NaN likewise. */
CAIRN_CHECKED cairn_status cairn_count_uncovered(cairn_context *ctx, double *out,
                                                 const cairn_domain *domain,
                                                 const cairn_concepts *list);

#endif
