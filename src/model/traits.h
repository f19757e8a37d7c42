/* SPDX-License-Identifier: MIT */
/* What a learner's record declares about it, in words: the same in lists, help and run card. */
#ifndef CAIRN_MODEL_TRAITS_H
#define CAIRN_MODEL_TRAITS_H

#include "model/learner.h"

typedef struct cairn_flag_word {
    unsigned flag;
    const char *word; /* NULL ends the list */
} cairn_flag_word;

extern const cairn_flag_word cairn_task_words[], /* classify, regress, cluster */
    cairn_purpose_words[],                       /* predictive, descriptive */
    cairn_supervision_words[],                   /* supervised, unsupervised */
    cairn_family_words[],                        /* logical, geometric, probabilistic ... */
    cairn_division_words[],                      /* grouping, grading */
    cairn_accept_words[];                        /* numbers, levels, missing ... */

/* "logical, grouping": the words whose flags are set; `quoted` as strings of JSON. */
void cairn_flags_add(cairn_text *out, const cairn_flag_word *words, unsigned flags, bool quoted);

/* "logical, grouping", or that it is as the learner inside. */
void cairn_learner_model_words(cairn_text *out, const cairn_learner *learner);
/* Its answers: class, probabilities, number, cluster, unknown; then its further outputs. */
void cairn_learner_answers(cairn_text *out, const cairn_learner *learner, bool quoted);
/* Head of a column with the scores of a class, scratch: "p(CLASS)" for probabilities, else
 * "score(CLASS)"; with `who` before it and a space, unless that is NULL. */
CAIRN_CHECKED cairn_status cairn_score_head(cairn_context *ctx, char **out, const char *who,
                                            bool probabilities, const char *class);

#endif
