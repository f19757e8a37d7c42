/* SPDX-License-Identifier: MIT */
/* The search for one rule: start with no condition and add the best one until the rows that are
 * left are what is wanted, keeping the best few conjunctions side by side (beam). What "best" means
 * is up to the caller. */
#ifndef CAIRN_LEARNERS_RULES_RULE_SEARCH_H
#define CAIRN_LEARNERS_RULES_RULE_SEARCH_H

#include "learners/rules/rules.h"

/* The training rows, column by column, without rows of weight 0. Scratch. */
typedef struct cairn_rule_rows {
    size_t n, n_columns, n_classes;
    int32_t **codes;   /* level columns: n; else NULL */
    double **numbers;  /* number columns: n; else NULL */
    uint32_t **orders; /* number columns: rows with a value, ascending */
    size_t *n_ordered;
    size_t *n_levels; /* level columns */
    int32_t *classes; /* n */
    double *weights;  /* n */
    const cairn_schema *schema;
} cairn_rule_rows;

CAIRN_CHECKED cairn_status cairn_rule_rows_make(cairn_context *ctx, cairn_rule_rows *out,
                                                const cairn_job *job);

typedef enum cairn_rule_tie {
    CAIRN_TIE_COVERAGE, /* larger coverage, then first */
    CAIRN_TIE_FIRST,
    CAIRN_TIE_RARE /* larger coverage, then the class of which fewer rows are left, then first */
} cairn_rule_tie;

/* A candidate: one more condition. */
typedef struct cairn_literal {
    int32_t column;
    cairn_relation relation;
    int32_t level;
    double number;
    size_t n_rows; /* that it covers; 0 = there is no such candidate */
    double score, cover;
    double rare; /* rows left of its largest class */
} cairn_literal;

/* A conjunction and the rows that it covers. */
typedef struct cairn_conjunction {
    cairn_literal *literals;
    size_t n_literals;
    uint32_t *rows;
    size_t n_rows;
    double *counts; /* by class */
    double score, cover, rare;
    bool closed; /* nothing can or need be added */
} cairn_conjunction;

typedef struct cairn_rule_search {
    const cairn_rule_rows *rows;
    cairn_rule_tie tie;
    size_t beam;
    size_t most_literals; /* 0 = any number */
    double least_cover;   /* a candidate must cover at least this */
    ptrdiff_t seed_row;   /* only literals that this row meets; -1 = all */
    int32_t goal;         /* the class that is learned; -1 = the largest of what is covered */
    /* Larger is better; `before` are the counts of what is refined. */
    double (*score)(const void *data, const double *counts, const double *before, size_t n_classes);
    const void *data;
    bool again;          /* a number column may be cut again from the same side */
    int32_t upward;      /* two classes: the one that counts upwards in pictures; else -1 */
    cairn_report *steps; /* NULL = nothing is shown */
    const char *prefix;  /* of names of values: "rule3" */
    const char *score_name;
} cairn_rule_search;

/* The best conjunction that starts from `n` rows (ascending); scratch. */
CAIRN_CHECKED cairn_status cairn_rule_find(cairn_context *ctx, cairn_conjunction *out,
                                           const cairn_rule_search *search, const uint32_t *rows,
                                           size_t n);

/* Rules that were found, in memory of their own: the scratch of each search can be released. */
typedef struct cairn_kept_rule {
    size_t first, n; /* literals */
    int32_t label;
} cairn_kept_rule;

typedef struct cairn_kept_rules {
    cairn_literal *literals;
    cairn_kept_rule *rules;
    size_t n_literals, n, literal_room, rule_room;
} cairn_kept_rules;

CAIRN_CHECKED cairn_status cairn_kept_add(cairn_context *ctx, cairn_kept_rules *kept,
                                          const cairn_conjunction *found, int32_t label);
void cairn_kept_clear(cairn_kept_rules *kept);
/* As drafts, n + 1 of them: the last is the default rule, whose class the rows say. Scratch. */
CAIRN_CHECKED cairn_status cairn_kept_drafts(cairn_context *ctx, cairn_rule_draft **out,
                                             const cairn_kept_rules *kept);

/* Leave the covered rows out of an ascending list, of class `only` (-1 = of any); returns how many
 * stay. */
size_t cairn_rows_without(uint32_t *rows, size_t n, const cairn_conjunction *found,
                          const cairn_rule_rows *data, int32_t only);
/* "Rule 2: if teeth = many then pos, which covers ..." */
void cairn_rule_show_found(cairn_report *out, const cairn_conjunction *found,
                           const cairn_rule_rows *rows, size_t number, int32_t label);
bool cairn_literal_holds(const cairn_literal *literal, const cairn_rule_rows *rows, size_t row);
void cairn_literal_add(cairn_text *out, const cairn_literal *literal, const cairn_schema *schema);

#endif
