/* SPDX-License-Identifier: MIT */
/* The search for one rule: start with no condition and add the best one until the rows that are
 * left are what is wanted, keeping the best few conjunctions side by side (beam). What "best" means
 * is up to the caller. */
#ifndef CAIRN_LEARNERS_RULES_RULE_SEARCH_H
#define CAIRN_LEARNERS_RULES_RULE_SEARCH_H

#include "learners/rules/rules.h"

/* -- rule_search.c: rows and tallies -- */

#define CAIRN_NO_BIN UINT32_MAX

/* The training rows, column by column, without rows of weight 0. Scratch. */
typedef struct cairn_rule_rows {
    size_t n, n_columns, n_classes;
    uint32_t **bins;  /* n: the level, or the place of the number among the different numbers of the
                          column; CAIRN_NO_BIN = missing */
    size_t *n_bins;   /* levels, or different numbers */
    int32_t **codes;  /* level columns: n (the bins); else NULL */
    double **numbers; /* number columns: n; else NULL */
    double **values;  /* number columns: the different numbers, ascending */
    uint32_t **orders; /* number columns: rows with a value, ascending */
    size_t *n_ordered;
    int32_t *classes; /* n */
    double *weights;  /* n */
    bool plain;       /* all weights are 1 */
    const char **class_names;
    const cairn_schema *schema;
} cairn_rule_rows;

/* Rows without a class or weight are left out; all scratch. */
CAIRN_CHECKED cairn_status cairn_rule_rows_make(cairn_context *ctx, cairn_rule_rows *out,
                                                const cairn_job *job);

/* The same rows with two classes: `target`, which becomes class 0, and all others, whose name is
 * cairn_other_classes itself. Scratch. */
extern const char cairn_other_classes[];
CAIRN_CHECKED cairn_status cairn_rule_rows_against(cairn_context *ctx, cairn_rule_rows *out,
                                                   const cairn_rule_rows *rows, int32_t target);

/* Rows of each bin of a column by class: how many, and their weights. */
typedef struct cairn_tally {
    uint32_t *n;       /* bins x classes */
    double *weights;   /* likewise; NULL = all weights are 1 */
    uint64_t *present; /* a bit per bin: it has rows */
    uint32_t *sums;    /* classes: rows of all bins */
    uint32_t *words;   /* words of `present` x classes: rows of their bins; NULL = not kept */
} cairn_tally;

/* Tallies of all columns over the rows that are not covered yet, from which every search begins:
 * kept up to date instead of counted anew for each rule. */
typedef struct cairn_root {
    const cairn_rule_rows *rows;
    cairn_tally *columns; /* NULL = too large to keep: searches count for themselves */
} cairn_root;

/* Tallies that are kept are scratch and empty; filling counts the rows of `list`, removing takes
 * them out again. Without tallies both do nothing. */
CAIRN_CHECKED cairn_status cairn_root_make(cairn_context *ctx, cairn_root *out,
                                           const cairn_rule_rows *rows);
CAIRN_CHECKED cairn_status cairn_root_fill(cairn_context *ctx, cairn_root *root,
                                           const uint32_t *list, size_t n);
void cairn_root_remove(cairn_root *root, const uint32_t *list, size_t n);

/* -- rule_search.c: the search -- */

typedef enum cairn_rule_tie {
    CAIRN_TIE_COVERAGE, /* larger coverage, then first */
    CAIRN_TIE_FIRST,
    CAIRN_TIE_RARE /* larger coverage, then the class of which fewer rows are left, then first */
} cairn_rule_tie;

/* When a conjunction is long enough. */
typedef enum cairn_rule_grow {
    CAIRN_GROW_PURE, /* the best one covers one class only */
    CAIRN_GROW_BEST  /* nothing can be refined any more; the best of any length is the rule */
} cairn_rule_grow;

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
    const cairn_root *root; /* of the rows that a search begins with; NULL = count them */
    cairn_rule_tie tie;
    cairn_rule_grow grow;
    size_t beam;
    size_t most_literals; /* 0 = any number */
    double least_cover;   /* a candidate must cover at least this */
    bool gains;           /* only candidates of a score above 0 */
    double level;         /* CAIRN_GROW_BEST: what is chosen is significant; 0 = no test */
    ptrdiff_t seed_row;   /* only literals that this row meets; -1 = all */
    int32_t target;       /* the class that is learned; -1 = the largest of what is covered */
    /* Larger is better; `before` are the counts of what is refined. */
    double (*score)(const void *data, const double *counts, const double *before, size_t n_classes);
    bool rises; /* more rows of the target never score less, more of the others never more */
    /* Whether `counts` certainly score less than `best` do, found without much work; NULL = never
     * known. */
    bool (*worse)(const void *data, const double *counts, const double *best, size_t n_classes);
    const void *data;
    bool again;          /* a number column may be cut again from the same side */
    int32_t upward;      /* two classes: the one that counts upwards in pictures; else -1 */
    cairn_report *steps; /* NULL = nothing is shown */
    const char *prefix;  /* of names of values: "rule3" */
    const char *score_name;
} cairn_rule_search;

/* The best conjunction that starts from `n` rows (ascending); without conditions when there is
 * none. Scratch. */
CAIRN_CHECKED cairn_status cairn_rule_find(cairn_context *ctx, cairn_conjunction *out,
                                           const cairn_rule_search *search, const uint32_t *rows,
                                           size_t n);
/* Likelihood ratio test of whether covered rows are like all of `before`: 2 Σ o·ln(o/e), which is
 * chi-squared distributed when they are. Of a learned class, it against the rest. */
typedef struct cairn_ratio_test {
    double statistic, df, p;
} cairn_ratio_test;
cairn_ratio_test cairn_rule_test(const double *counts, const double *before, size_t n_classes,
                                 int32_t target);
/* A missing cell meets no condition. */
static inline bool cairn_literal_holds(const cairn_literal *literal, const cairn_rule_rows *rows,
                                       size_t row)
{
    if (literal->relation == CAIRN_EQUAL)
        return rows->codes[literal->column][row] == literal->level;
    double x = rows->numbers[literal->column][row];
    return literal->relation == CAIRN_AT_MOST ? x <= literal->number : x > literal->number;
}
void cairn_literals_add(cairn_text *out, const cairn_literal *literals, size_t n,
                        const cairn_schema *schema);

/* -- rule_cover.c -- */

/* Rules that were found, in memory of their own: the scratch of each search can be released. */
typedef struct cairn_kept_rule {
    size_t first, n; /* literals */
    int32_t label;
} cairn_kept_rule;

typedef struct cairn_kept_rules {
    cairn_literal *literals;
    cairn_kept_rule *rules;
    size_t n_literals, n, literal_buffer, rule_buffer;
} cairn_kept_rules;

/* Copies the conditions behind those that are kept already; cleared by the caller. */
CAIRN_CHECKED cairn_status cairn_kept_add(cairn_context *ctx, cairn_kept_rules *kept,
                                          const cairn_conjunction *found, int32_t label);
void cairn_kept_rules_clear(cairn_kept_rules *kept);
/* As drafts, n + 1 of them: the last is the default rule, whose class the rows say. Scratch. */
CAIRN_CHECKED cairn_status cairn_kept_drafts(cairn_context *ctx, cairn_rule_draft **out,
                                             const cairn_kept_rules *kept);
/* "Rule 2: if teeth = many then pos, which covers ..." `label` is a class of `rows`. */
void cairn_rule_show_found(cairn_report *out, const cairn_conjunction *found,
                           const cairn_rule_rows *rows, size_t number, int32_t label);

/* What learners that cover rows rule by rule let the user choose about the search. */
typedef struct cairn_cover_options {
    int grow, tie, beam, max_literals, max_rules;
    double min_cover, rule_level, prune_share;
} cairn_cover_options;
extern const cairn_param cairn_cover_group[];

/* Separate and conquer: one rule after the other, rows that a rule covers are taken away. */
typedef struct cairn_covering {
    cairn_context *ctx;
    const cairn_job *job;
    const cairn_cover_options *options;
    bool seeded; /* only literals of the first row of the class that is not covered */
    cairn_rule_rows all;
    cairn_rule_rows rows;     /* what is searched: `all`, or a class against the others */
    int32_t label;            /* the class that is learned, as the target has it; -1 = any */
    cairn_rule_search search; /* score, data and names are the caller's */
    cairn_root root;
    uint32_t *alive; /* rows to learn from; of a learned class those that no rule covers */
    size_t n_alive;
    uint32_t *held; /* likewise, rows that rules are pruned on */
    size_t n_held;
    uint8_t *is_held; /* rows */
    size_t n_target;  /* alive rows of the class that is learned, of any class otherwise */
    cairn_kept_rules kept;
} cairn_covering;

/* Codes the rows and divides off those to prune on; the caller sets score, data and names of the
 * search, and clears it also after a failure. */
CAIRN_CHECKED cairn_status cairn_covering_start(cairn_covering *out, cairn_context *ctx,
                                                const cairn_job *job,
                                                const cairn_cover_options *options);
/* What conditions are judged by, and how ties are broken, in front of the steps. */
void cairn_covering_show_score(const cairn_covering *c, const char *formula);
/* Where this class stands among the classes that are searched. */
int32_t cairn_covering_target(const cairn_covering *c, int32_t target);
/* Rules for class `target`, whose covered rows are taken away and no others; -1: for whatever class
 * is best, and all covered rows are taken away. Begins with all rows. */
CAIRN_CHECKED cairn_status cairn_covering_learn(cairn_covering *c, int32_t target);
/* Another covering of the same rows, without rules, that learns beside the first: what differs is
 * scratch of `ctx`, the rest is the first's. */
CAIRN_CHECKED cairn_status cairn_covering_fork(cairn_covering *out, cairn_context *ctx,
                                               const cairn_covering *c);
/* Append the rules of a fork. */
CAIRN_CHECKED cairn_status cairn_covering_join(cairn_covering *c, const cairn_kept_rules *more);
/* The rules as a model. */
CAIRN_CHECKED cairn_status cairn_covering_finish(cairn_covering *c, cairn_rules *out, bool ordered);
void cairn_covering_clear(cairn_covering *c);

#endif
