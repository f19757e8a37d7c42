/* SPDX-License-Identifier: MIT */
/* What is to be learned: the task, decided from the target, the learner and the user's word. */
#ifndef CAIRN_MODEL_TASK_H
#define CAIRN_MODEL_TASK_H

#include "model/model.h"

/* What a task is decided for, and the decision. */
typedef struct cairn_decision {
    const cairn_learner *learner; /* NULL = a recipe */
    const cairn_params *params;   /* the learner's */
    cairn_task task;              /* decided; AUTO for a recipe without a target */
    char *why;                    /* one sentence; owned by the caller, NULL = there is none */
} cairn_decision;

/* Decide d->task and say why. The target of `table` gets the kind that the task needs. */
CAIRN_CHECKED cairn_status cairn_task_decide(cairn_context *ctx, cairn_decision *d,
                                             cairn_table *table, cairn_task wanted);

/* Whether something that can do these tasks learns without a target here: it knows nothing else,
 * the user wants that, or the table has none. */
bool cairn_learns_alone(unsigned tasks, const cairn_table *table, cairn_task wanted);

/* Whether a class of this name is usually the positive one: +, 1, yes, true, pos and the like. */
bool cairn_is_positive_word(const char *name);
/* Code of the positive class of two: the named one, else the one that stands against the rest (*),
 * else a usual word for yes, else the rarer. -1 when there are not two. */
CAIRN_CHECKED cairn_status cairn_task_positive(cairn_context *ctx, int32_t *out,
                                               const cairn_view *view, const char *wanted);

/* Whether the commonest class has so large a share of the rows that accuracy says little. */
static inline bool cairn_is_skewed(double share)
{
    return share > 0.8;
}

/* "classification", "regression", "clustering", "labelling of items". */
const char *cairn_task_name(cairn_task task);
/* What its answers are: "classes", "numbers", "clusters", "classes of items". */
const char *cairn_task_answers(cairn_task task);
/* The measure by which the task is judged. */
const char *cairn_task_measure(cairn_task task);

/* Whether a number column holds whole numbers, at most 20 distinct ones, which can be classes. */
bool cairn_holds_few_integers(const cairn_column *column, size_t *n_distinct);
/* Whether they are taken as classes where nobody says: two of them, or each twice on average. */
bool cairn_looks_like_classes(const cairn_column *column, size_t *n_distinct);

#endif
