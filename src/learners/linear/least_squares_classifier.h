/* SPDX-License-Identifier: MIT */
/* Classes as numbers, fitted by least squares: shared by the parts of the learner
 * `least-squares-classifier`. */
#ifndef CAIRN_LEARNERS_LEAST_SQUARES_CLASSIFIER_H
#define CAIRN_LEARNERS_LEAST_SQUARES_CLASSIFIER_H

#include "learners/linear/least_squares.h"
#include "model/learner.h"
#include "rows/matrix.h"

enum { CAIRN_CODING_PM1, CAIRN_CODING_FISHER, CAIRN_CODING_ONEHOT, CAIRN_CODING_GIVEN };
enum { CAIRN_ZERO_NEGATIVE, CAIRN_ZERO_UNKNOWN, CAIRN_ZERO_POSITIVE, CAIRN_ZERO_REJECT };
enum { CAIRN_CODES_WRONG_ROWS = 1000 }; /* most misclassified rows that are listed */

typedef struct cairn_codes_params {
    const char *coding;
    int intercept; /* CAIRN_INTERCEPT_... of logistic.h */
    int at_zero;
} cairn_codes_params;

typedef struct cairn_codes_model {
    size_t n_terms, n_classes;
    size_t n_scores; /* 1, or one for each class */
    int32_t coding;
    int32_t positive; /* the class on the positive side; -1 with several scores */
    int32_t at_zero;
    double high, low; /* codes of the positive class and of the other */
    double threshold; /* the score above which the class is the positive one */
    double *weights;  /* (n_terms + 1) x n_scores, the constants last */
} cairn_codes_model;

typedef struct cairn_codes_history {
    double total; /* sum of weights */
    size_t rank;
    double squares; /* sum of squared residuals over all scores */
    double spread;  /* sum of squares of the codes about their mean */
    double right, rejected;
    size_t n_wrong; /* rows of which the answer is another class */
    size_t n_listed;
    int32_t *wrong; /* n_listed x 3: row of the table from 0, class, answer */
} cairn_codes_history;

/* Class of a row by its scores: -2 rejected, -1 unknown. */
int32_t cairn_codes_answer(const cairn_codes_model *m, const double *scores);
/* Code of a class where there is one score. */
static inline double cairn_codes_code(const cairn_codes_model *m, size_t class)
{
    return (int32_t) class == m->positive ? m->high : m->low;
}

/* Functions of the learner's record, and the work in steps. */
void cairn_codes_describe(cairn_report *out, const void *model, const cairn_job *job);
void cairn_codes_explain(cairn_report *out, const void *model, const cairn_job *job, size_t row);
CAIRN_CHECKED cairn_status cairn_codes_show_steps(cairn_context *ctx, const cairn_codes_model *m,
                                                  const cairn_least_squares *fit,
                                                  const cairn_job *job);

#endif
