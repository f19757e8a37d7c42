/* SPDX-License-Identifier: MIT */
/* Predictions beside the truth: the only thing that a measure sees, whoever made the predictions
 * and however the rows were chosen. Nothing here is owned. */
#ifndef CAIRN_STATS_JUDGED_H
#define CAIRN_STATS_JUDGED_H

#include "stats/ranking.h"

#include <math.h>

struct cairn_cluster_space;

typedef struct cairn_judged {
    size_t n;              /* answers */
    const double *weights; /* n; NULL = all 1 */
    const uint32_t *units; /* n: rows of one unit (a group, a patient) say the same thing several
                              times; NULL = every row stands for itself */
    double repeats;        /* how often each row is among the answers; 0 = once */
    /* classes, n_classes > 0 */
    size_t n_classes;
    size_t n_answers;         /* codes that answers may have where they are no classes (clusters);
                                 0 = n_classes */
    int32_t positive;         /* of two classes; -1 = none */
    const int32_t *actual;    /* n; -1 = a class that the model does not know */
    const int32_t *predicted; /* n; below 0 = no answer (unknown, rejected) */
    const double *scores;     /* n x n_classes; NULL = there are none */
    /* numbers, n_classes = 0 */
    const double *actual_number, *predicted_number; /* n; NaN = missing, no answer */
    /* clusters: where the rows lie (stats/clustering.h), and which of its points the first one is;
     * NULL = not known, then shapes cannot be measured */
    const struct cairn_cluster_space *space;
    size_t space_at;
    /* how probable the model makes the rows, ln of a probability or a density, and of how many
     * steps that is; NULL = it does not say, a row is not made of steps */
    const double *logs, *steps; /* n */
} cairn_judged;

static inline double cairn_judged_weight(const cairn_judged *j, size_t i)
{
    return j->weights ? j->weights[i] : 1;
}

/* No answer is never right, not even where the class is one that the model does not know. */
static inline bool cairn_judged_right(const cairn_judged *j, size_t i)
{
    return j->predicted[i] >= 0 && j->predicted[i] == j->actual[i];
}

static inline bool cairn_judged_answered(const cairn_judged *j, size_t i)
{
    return j->n_classes ? j->predicted[i] >= 0 : !isnan(j->predicted_number[i]);
}

/* Answers begin .. end-1. */
cairn_judged cairn_judged_part(const cairn_judged *judged, size_t begin, size_t end);
/* The same rows with other answers and no scores; the one of the two that the rows' kind has. */
cairn_judged cairn_judged_with(const cairn_judged *judged, const int32_t *codes,
                               const double *numbers);

/* Share by weight of right answers; NaN without weight. */
double cairn_judged_accuracy(const cairn_judged *judged);
/* The same of units whose answers lie side by side (the items of a sequence) and are all right. */
double cairn_judged_whole_accuracy(const cairn_judged *judged);
size_t cairn_judged_unanswered(const cairn_judged *judged);
/* Independent rows that carry as much information: (sum w)^2 / sum w^2 over units, each of which
 * counts once however often it is repeated. Numbers without an answer are left out. */
CAIRN_CHECKED cairn_status cairn_judged_effective(cairn_context *ctx, double *out,
                                                  const cairn_judged *judged);

/* Weights of a class: rows that have it, rows said to have it, rows correctly said so. */
typedef struct cairn_class_counts {
    double actual, predicted, right;
} cairn_class_counts;
/* Of every class. Scratch. */
CAIRN_CHECKED cairn_status cairn_judged_counts(cairn_context *ctx, cairn_class_counts **out,
                                               const cairn_judged *judged);

/* Rows in the order of the score of one class, which are its own and which not; rows of unknown
 * class are left out. Scratch. */
CAIRN_CHECKED cairn_status cairn_judged_ranking(cairn_context *ctx, cairn_ranking *out,
                                                const cairn_judged *judged, size_t class);
/* Whether there are scores and every row has them. */
bool cairn_judged_has_scores(const cairn_judged *judged);
/* Whether the scores are shares: between 0 and 1 and summing to 1. */
bool cairn_judged_has_probabilities(const cairn_judged *judged);

/* What the answers cost, by weight. */
typedef struct cairn_cost {
    double total, mean;
    double error;    /* share of the most that these rows can cost */
    double baseline; /* mean cost of the answer that, given to every row, costs least ... */
    size_t cheapest; /* ... and its class; of equally cheap ones the first */
} cairn_cost;
/* `costs` is n_classes x n_classes, rows actual; no answer costs as much as the worst one. Rows of
 * unknown class are left out. Scratch. */
CAIRN_CHECKED cairn_status cairn_judged_cost(cairn_context *ctx, cairn_cost *out,
                                             const cairn_judged *judged, const double *costs);

#endif
