/* SPDX-License-Identifier: MIT */
/* Weights with their standard errors: the part of a history that regressions share which keep
 * nothing but weights (weights.h), and its table. */
#ifndef CAIRN_LEARNERS_TESTED_H
#define CAIRN_LEARNERS_TESTED_H

#include "learners/linear/weights.h"

typedef struct cairn_tested {
    size_t n_terms;
    double df;      /* of the t distribution; not above 0 = there are no tests */
    double *errors; /* n_terms + 1, the constant's last; NaN = not known */
} cairn_tested;

/* Room for the errors, which are NaN. */
CAIRN_CHECKED cairn_status cairn_tested_new(cairn_context *ctx, cairn_tested *out, size_t n_terms);
/* A covariance of weights of z (width x width) as that of weights in own units, n_terms + 1 numbers
 * on each side, the constant last. */
CAIRN_CHECKED cairn_status cairn_raw_covariance(cairn_context *ctx, const cairn_row_matrix *x,
                                                const double *covariance, double *out);
/* errors = root of the diagonal of a covariance of weights of z (width x width), in own units. */
CAIRN_CHECKED cairn_status cairn_tested_fill(cairn_context *ctx, cairn_tested *out,
                                             const cairn_row_matrix *x, const double *covariance);
CAIRN_CHECKED cairn_status cairn_tested_archive(cairn_archive *a, cairn_tested *tested,
                                                const cairn_weights *model);
void cairn_tested_clear(cairn_tested *tested);
/* Equation, coefficients, standard errors, t, p, intervals at the level. Without `tested` the
 * coefficients alone. */
void cairn_tested_show(cairn_report *out, const cairn_tested *tested, const cairn_weights *model,
                       const cairn_job *job, double level);

/* For the record of a learner whose model is a cairn_weights and whose history begins with a
 * cairn_tested. */
extern const cairn_learned cairn_tested_tables[];

#endif
