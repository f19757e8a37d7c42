/* SPDX-License-Identifier: MIT */
/* A table with one score or probability per class, and the class: for the calculators. */
#ifndef CAIRN_TYPED_CLASS_SCORES_H
#define CAIRN_TYPED_CLASS_SCORES_H

#include "model/calculator.h"

typedef struct cairn_class_scores_option {
    const char *scores;
} cairn_class_scores_option;

extern const cairn_param cairn_class_scores_group[];

typedef struct cairn_class_scores {
    size_t n, k;
    double *scores;         /* n x k */
    const int32_t *classes; /* n; -1 = missing */
    const double *weights;  /* NULL = all 1 */
    const char **names;     /* k */
    const char **columns;   /* k; of a single probability: the same for both classes */
    int32_t positive;       /* of two classes; else -1 */
} cairn_class_scores;

/* Whether a column of this name holds the score of the class: "yes", "p(yes)" or
 * "score(yes)". */
bool cairn_is_score_of(const char *column, const char *class);

/* The columns of --scores, or all number columns. A column that has the name of a class belongs to
 * it; otherwise the first column belongs to the first class and so on. One column p of two classes
 * stands for p of the positive one (`positive`, else by the usual words) and 1 - p. A score that is
 * not a number fails with its row. Scratch. */
CAIRN_CHECKED cairn_status cairn_read_class_scores(cairn_context *ctx, cairn_class_scores *out,
                                                   const cairn_class_scores_option *option,
                                                   const char *positive, const cairn_table *table,
                                                   const char *topic);

#endif
