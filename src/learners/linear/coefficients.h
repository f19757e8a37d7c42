/* SPDX-License-Identifier: MIT */
/* The table "coefficients" of linear models: a row for each term, the constant last, of each class
 * or other score that has weights of its own. */
#ifndef CAIRN_LEARNERS_COEFFICIENTS_H
#define CAIRN_LEARNERS_COEFFICIENTS_H

#include "data/ledger.h"
#include "model/learner.h"

typedef struct cairn_coefficients {
    const char *class;     /* whose score it is; NULL = that of a number */
    size_t n_terms;        /* weights; the constant stands behind them */
    const double *weights; /* n_terms + 1, `stride` apart */
    size_t stride;         /* 0 = 1 */
    bool intercept;        /* else the constant is left out */
    const double *errors;  /* n_terms + 1 standard errors, `stride` apart; NULL = not known */
    double df;             /* of the t distribution; infinite = the normal one */
    bool linked;           /* the score is a function of the target, not in its units */
} cairn_coefficients;

/* The columns, then the rows of each score. `coefficient` is of the terms as the learner saw them,
 * `raw` in the units of the data: multiplied out with the raw cells it gives the same score. It is
 * missing where a transform changed a term otherwise than by shifting and scaling it. */
void cairn_coefficients_begin(cairn_ledger *out);
void cairn_coefficients_write(cairn_ledger *out, const cairn_job *job,
                              const cairn_coefficients *score);

/* The same in a report, where a transform changed the units: an equation (of a number) and a table
 * of coefficients that are multiplied with the cells of the data, as values coefficient.raw.TERM,
 * or coefficient.raw.CLASS.TERM. Nothing where the units are those of the data. */
void cairn_coefficients_show_raw(cairn_report *out, const cairn_job *job,
                                 const cairn_coefficients *score);

#define CAIRN_COEFFICIENTS(WRITE, ...)                                                             \
    CAIRN_LEARNED("coefficients", "term of a score, the constant last", WRITE, __VA_ARGS__)

#endif
