/* SPDX-License-Identifier: MIT */
/* Rules: "if conditions then class", in a list whose first firing rule answers, or in a set whose
 * firing rules answer together. The model that the rule learners share, how it is read, written,
 * counted, matched and shown. */
#ifndef CAIRN_LEARNERS_RULES_RULES_H
#define CAIRN_LEARNERS_RULES_RULES_H

#include "model/learner.h"
#include "stats/smoothing.h"

/* A rule while it is built: conditions and their levels are scratch. */
typedef struct cairn_rule_draft {
    cairn_condition *body; /* n conditions, all of which must hold; none = always */
    size_t n;
    int32_t label;  /* class of the head; -1 = what the rows say */
    int32_t stated; /* class whose probability the head states; -1 = none */
    double probability;
} cairn_rule_draft;

/* How rules that fire together answer. */
typedef enum cairn_rule_overlap {
    CAIRN_OVERLAP_AVERAGE, /* of their coverages */
    CAIRN_OVERLAP_SUM,
    CAIRN_OVERLAP_FIRST, /* the first of them alone: the set as a list */
    CAIRN_OVERLAP_TREE   /* what the training rows with exactly these rules were */
} cairn_rule_overlap;

/* How the rules of a learner answer: the first member of the parameters of every rule learner. */
typedef struct cairn_rules_options {
    cairn_smoothing_option smoothing; /* first: cairn_smoothing_group alone is the group of lists */
    int overlap;                      /* cairn_rule_overlap, of sets */
} cairn_rules_options;

/* Rules with their counts. The last rule has no conditions: it answers where no other fires. */
typedef struct cairn_rules {
    bool ordered;  /* a list: the first rule that fires answers */
    bool fallback; /* the default rule was asked for or has rows of its own */
    size_t n_columns, n_classes, n_rules, n_literals, n_levels;
    int32_t positive;       /* -1 unless there are two classes */
    int32_t *starts;        /* n_rules + 1: first literal of each */
    int32_t *labels;        /* n_rules */
    int32_t *stated;        /* n_rules: class whose probability the text states, -1 = none */
    double *probabilities;  /* n_rules: that probability */
    int32_t *columns;       /* n_literals */
    int32_t *relations;     /* n_literals: cairn_relation */
    double *numbers;        /* n_literals: of number columns */
    int32_t *level_starts;  /* n_literals + 1 */
    int32_t *levels;        /* n_levels */
    uint8_t *is_number;     /* n_columns */
    double *segments;       /* n_rules x n_classes: training rows in which it is the first rule that
                               fires; of the default rule those in which no other does */
    double *whole;          /* n_rules x n_classes: all training rows that it covers */
    size_t n_bytes;         /* of a combination of rules: bit r % 8 of byte r / 8 for rule r */
    cairn_map patterns;     /* sets: combinations that training rows have, as bytes */
    double *pattern_counts; /* patterns x n_classes */
} cairn_rules;

/* Where the training rows of a rule set lie: rows of every region (rules_regions.c) of which all
 * cells that decide are known; 0 regions = they were too many, or nobody counted. */
typedef struct cairn_rules_history {
    size_t n_regions;
    double *regions;
} cairn_rules_history;
extern const cairn_history cairn_rules_histories;

/* -- rules_model.c: rules on rows -- */
/* x = with, x <= with ...; false for IS_MISSING. */
bool cairn_relation_holds(cairn_relation relation, double x, double with);
/* Whether a cell, given as code or number, meets the literal. */
bool cairn_literal_meets(const cairn_rules *rules, size_t literal, int32_t code, double number);
/* The bits of all rules but the default that fire in table row `row`. */
void cairn_rules_pattern(uint8_t *out, const cairn_rules *rules, const cairn_view *view,
                         size_t row);
static inline bool cairn_pattern_has(const uint8_t *pattern, size_t rule)
{
    return pattern[rule / 8] >> (rule % 8) & 1;
}
/* The first rule of the pattern from `rule` on; n when there is none before the n-th. */
size_t cairn_pattern_next(const uint8_t *pattern, size_t rule, size_t n);

enum { CAIRN_MATCH_ROWS = 64 };
/* Matches rules with the rows of a view, 64 of them at a time: bit i of word w is view row
 * 64 w + i. Scratch. */
typedef struct cairn_matcher {
    const cairn_rules *rules;
    const cairn_view *view;
    int32_t *places; /* n_literals: place among those that occur more than once; -1 = once */
    size_t n_shared;
    uint64_t **masks; /* per worker, n_shared: the rows of a word that meet the condition */
    size_t **words;   /* per worker, n_shared: that word + 1; 0 = none yet */
    /* Long lists: where most rules ask for one level of the same column, the rules of each level
     * of it as chains, and the others; NULL = rules are tried one after the other. */
    size_t key;               /* that column */
    int32_t *heads, *follows; /* by level and by rule: the next rule of the chain, -1 = none */
    size_t n_heads, n_loose;
    int32_t *loose; /* rules that ask for no level of it, in order; the default is the last */
} cairn_matcher;
/* The rules that fire in a view row, in order, of a matcher with chains. */
typedef struct cairn_rule_walk {
    const cairn_matcher *matcher;
    size_t row; /* of the table */
    int32_t chain;
    size_t loose;
} cairn_rule_walk;
cairn_rule_walk cairn_rule_walk_start(const cairn_matcher *matcher, size_t view_row);
/* The next of them; the default rule, which fires in every row, is the last. */
size_t cairn_rule_walk_next(cairn_rule_walk *walk);

/* -- rules_model.c: the model -- */
/* The drafts as a model, the default rule last; counts come from the view. */
CAIRN_CHECKED cairn_status cairn_rules_make(cairn_context *ctx, cairn_rules *out,
                                            const cairn_rule_draft *drafts, size_t n, bool ordered,
                                            const cairn_job *job);
/* The counts that a rule answers by: of a list its segment, of a set all that it covers. */
const double *cairn_rule_counts(const cairn_rules *rules, size_t rule, bool as_list);
/* Class probabilities of one rule alone. */
void cairn_rule_shares(double *out, const cairn_rules *rules, size_t rule, bool as_list,
                       cairn_smoothing smoothing);
/* Class probabilities where exactly the rules of the pattern fire; `sums` has room for the
 * classes. */
void cairn_pattern_shares(double *out, double *sums, const cairn_rules *rules,
                          const uint8_t *pattern, cairn_rule_overlap overlap,
                          cairn_smoothing smoothing);
CAIRN_CHECKED cairn_status cairn_rules_archive(cairn_archive *archive, void *model);
CAIRN_CHECKED cairn_status cairn_rules_check(cairn_archive *archive, const void *model,
                                             const cairn_job *job);
void cairn_rules_clear(void *model);
cairn_model_size cairn_rules_size(const void *model);
double cairn_rules_count(const void *model); /* without the default rule */
/* The options as they are used; a list answers by its first rule. */
cairn_smoothing cairn_rules_smoothing(const cairn_job *job);
cairn_rule_overlap cairn_rules_overlap(const cairn_rules *rules, const cairn_job *job);
/* For the `check` of the entry. */
CAIRN_CHECKED cairn_status cairn_rules_check_params(cairn_context *ctx, const void *values);
/* Rules written by hand as the model. */
CAIRN_CHECKED cairn_status cairn_rules_read_list(cairn_context *ctx, void *model,
                                                 const cairn_job *job, const cairn_given *given);
CAIRN_CHECKED cairn_status cairn_rules_read_set(cairn_context *ctx, void *model,
                                                const cairn_job *job, const cairn_given *given);
/* Predict; extra columns "rule" and "overlap". */
CAIRN_CHECKED cairn_status cairn_rules_predict(cairn_context *ctx, cairn_prediction *out,
                                               const void *model, const cairn_job *job);
extern const cairn_output cairn_rules_outputs[];

/* -- rules_text.c -- */
/* Read rules that were written by hand; scratch. A list is "if ... then ...", "else if ...",
 * "otherwise ..."; a set has "if" lines only and may end with "otherwise". */
CAIRN_CHECKED cairn_status cairn_rules_read(cairn_context *ctx, cairn_rule_draft **out, size_t *n,
                                            const cairn_given *given, const cairn_job *job,
                                            bool ordered);
/* One or several conditions of a row of words, joined by & or "and"; *words moves behind them. */
CAIRN_CHECKED cairn_status cairn_conditions_read(cairn_context *ctx, const cairn_given *given,
                                                 const cairn_word **words,
                                                 const cairn_schema *schema, cairn_condition **out,
                                                 size_t *n);
void cairn_condition_add(cairn_text *out, const cairn_condition *condition,
                         const cairn_schema *schema);
/* "gills = no & length = 5"; "true" without conditions. */
void cairn_rule_add_body(cairn_text *out, const cairn_rules *rules, size_t rule,
                         const cairn_schema *schema);
enum { CAIRN_RULE_NAME = 48 };
/* "A", "B" ..., or "R27" where there are more than letters; "rest" for the default rule. */
void cairn_rule_name(char out[CAIRN_RULE_NAME], const cairn_rules *rules, size_t rule);
/* "AB", "R3 R28", "none". */
void cairn_pattern_add_name(cairn_text *out, const cairn_rules *rules, const uint8_t *pattern);
extern const cairn_export_form cairn_rules_forms[];

/* -- rules_model.c: as a program -- */
CAIRN_CHECKED cairn_status cairn_rules_lower(const void *model, const cairn_job *job,
                                             cairn_program *out);

/* -- rules_show.c -- */
void cairn_rules_describe(cairn_report *out, const void *model, const cairn_job *job);
void cairn_rules_explain(cairn_report *out, const void *model, const cairn_job *job, size_t row);
/* Rows of the job's view in which rules contradict each other or none fires. */
CAIRN_CHECKED cairn_status cairn_rules_show_rows(cairn_context *ctx, cairn_report *out,
                                                 const cairn_rules *rules, const cairn_job *job);

/* "tree", "rule-regions", "rule-curves", "rule-orders" */
extern const cairn_model_figure cairn_rules_figures[];

/* -- rules_regions.c -- */
/* Which combinations of values meet which rules, where rules contradict each other and where none
 * fires; `history` may be NULL. */
void cairn_rules_show_regions(cairn_report *out, const cairn_rules *rules,
                              const cairn_rules_history *history, const cairn_schema *schema);
/* Those of one or two columns as a figure "rule-regions"; NULL where there are more. */
CAIRN_CHECKED cairn_status cairn_rules_draw_regions(cairn_context *ctx, cairn_figure **out,
                                                    const cairn_rules *rules,
                                                    const cairn_schema *schema);
/* Count the rows of the job's view in every region into job->history. */
CAIRN_CHECKED cairn_status cairn_rules_count_regions(cairn_context *ctx, const cairn_rules *rules,
                                                     const cairn_job *job);
/* Rules of a list that can never be the first to fire. */
void cairn_rules_show_idle(cairn_report *out, const cairn_rules *rules, const cairn_schema *schema);
/* "none", "one", "agree" or "conflict". */
const char *cairn_overlap_word(const cairn_rules *rules, const uint8_t *pattern);
/* The same of a row, by the chains of a matcher. */
const char *cairn_overlap_of_row(const cairn_matcher *matcher, size_t view_row);
/* The classes of the rules that fire, each once: "spam, ham". */
void cairn_pattern_add_classes(cairn_text *out, const cairn_rules *rules, const uint8_t *pattern,
                               const cairn_schema *schema);

enum {
    CAIRN_RULES_ACCEPTS = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_LEVELS | CAIRN_ACCEPTS_MISSING |
                          CAIRN_ACCEPTS_WEIGHTS | CAIRN_ACCEPTS_ONE_CLASS
};

/* The end of the record of a learner whose parameters begin with cairn_rules_options and whose
 * model begins with cairn_rules. */
extern const cairn_learned cairn_rules_tables[];
#define CAIRN_RULES_RECORD                                                                         \
    .tasks = CAIRN_CLASSIFY, .accepts = CAIRN_RULES_ACCEPTS,                                       \
    .traits = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_LOGICAL | CAIRN_GROUPING |               \
              CAIRN_GIVES_PROBABILITIES,                                                           \
    .gives_scores = true, .sets_codes = true, .outputs = cairn_rules_outputs,                      \
    .forms = cairn_rules_forms, .lower = cairn_rules_lower, .predict = cairn_rules_predict,        \
    .figures = cairn_rules_figures, .explain = cairn_rules_explain, .check = cairn_rules_check,    \
    .size = cairn_rules_size, .pieces = cairn_rules_count, .pieces_name = "rules",                 \
    .tables = cairn_rules_tables
/* And where the model is cairn_rules and nothing more. */
#define CAIRN_RULES_ALONE                                                                          \
    .model_size = sizeof(cairn_rules), .describe = cairn_rules_describe,                           \
    .archive = cairn_rules_archive, .clear = cairn_rules_clear

#endif
