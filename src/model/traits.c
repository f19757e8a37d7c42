/* SPDX-License-Identifier: MIT */
/* The words of what records declare: see traits.h. */
#include "model/traits.h"

#include "base/memory.h"
#include <stdio.h>
#include <string.h>

const cairn_flag_word cairn_task_words[] = {{CAIRN_CLASSIFY, "classify"},
                                            {CAIRN_REGRESS, "regress"},
                                            {CAIRN_CLUSTER, "cluster"},
                                            {CAIRN_LABEL_ITEMS, "label"},
                                            {0}};

const cairn_flag_word cairn_purpose_words[] = {
    {CAIRN_PREDICTIVE, "predictive"}, {CAIRN_DESCRIPTIVE, "descriptive"}, {0}};

const cairn_flag_word cairn_supervision_words[] = {
    {CAIRN_SUPERVISED, "supervised"}, {CAIRN_UNSUPERVISED, "unsupervised"}, {0}};

const cairn_flag_word cairn_family_words[] = {{CAIRN_LOGICAL, "logical"},
                                              {CAIRN_GEOMETRIC, "geometric"},
                                              {CAIRN_PROBABILISTIC, "probabilistic"},
                                              {CAIRN_CONSTANT, "constant"},
                                              {CAIRN_AS_BASE, "as the learner inside"},
                                              {0}};

const cairn_flag_word cairn_division_words[] = {
    {CAIRN_GROUPING, "grouping"}, {CAIRN_GRADING, "grading"}, {0}};

const cairn_flag_word cairn_accept_words[] = {{CAIRN_ACCEPTS_NUMBERS, "numbers"},
                                              {CAIRN_ACCEPTS_LEVELS, "levels"},
                                              {CAIRN_ACCEPTS_MISSING, "missing"},
                                              {CAIRN_ACCEPTS_WEIGHTS, "weights"},
                                              {CAIRN_ACCEPTS_BAGS, "bags"},
                                              {CAIRN_ACCEPTS_DISTANCES, "distances"},
                                              {CAIRN_ACCEPTS_GRAM, "inner products"},
                                              {CAIRN_ACCEPTS_TEXTS, "texts"},
                                              {CAIRN_ACCEPTS_SEQUENCES, "sequences"},
                                              {CAIRN_ACCEPTS_SERIES, "series"},
                                              {0}};

static void add_word(cairn_text *out, const char *word, bool quoted, bool *first)
{
    if (!*first) cairn_text_add(out, quoted ? "," : ", ");
    *first = false;
    if (quoted)
        cairn_text_add_json(out, word);
    else
        cairn_text_add(out, word);
}

void cairn_flags_add(cairn_text *out, const cairn_flag_word *words, unsigned flags, bool quoted)
{
    bool first = true;
    for (; words->word; words++)
        if (flags & words->flag) add_word(out, words->word, quoted, &first);
}

void cairn_learner_model_words(cairn_text *out, const cairn_learner *learner)
{
    cairn_flags_add(out, cairn_family_words, learner->traits, false);
    if (!(learner->traits & (CAIRN_GROUPING | CAIRN_GRADING))) return;
    cairn_text_add(out, ", ");
    cairn_flags_add(out, cairn_division_words, learner->traits, false);
}

void cairn_learner_answers(cairn_text *out, const cairn_learner *learner, bool quoted)
{
    bool first = true, shares = learner->traits & CAIRN_GIVES_PROBABILITIES;
    if (learner->tasks & CAIRN_CLASSIFY) add_word(out, "class", quoted, &first);
    if (learner->gives_scores) add_word(out, shares ? "probabilities" : "scores", quoted, &first);
    if (learner->tasks & CAIRN_REGRESS) add_word(out, "number", quoted, &first);
    if (learner->tasks & CAIRN_CLUSTER) add_word(out, "cluster", quoted, &first);
    if (learner->tasks & CAIRN_LABEL_ITEMS) add_word(out, "class of every item", quoted, &first);
    if (learner->traits & CAIRN_MAY_ABSTAIN) add_word(out, "unknown", quoted, &first);
    for (const cairn_output *o = learner->outputs; o && o->name; o++)
        add_word(out, o->name, quoted, &first);
}

cairn_status cairn_score_head(cairn_context *ctx, char **out, const char *who, bool probabilities,
                              const char *class)
{
    size_t buffer = strlen(class) + 10 + (who ? strlen(who) : 0);
    CHECK(SCRATCH(ctx, out, buffer));
    snprintf(*out, buffer, "%s%s%s(%s)", who ? who : "", who ? " " : "",
             probabilities ? "p" : "score", class);
    return CAIRN_OK;
}
