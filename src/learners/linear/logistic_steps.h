/* SPDX-License-Identifier: MIT */
/* The work of logistic regression as it goes on; for the solvers. */
#ifndef CAIRN_LEARNERS_LOGISTIC_STEPS_H
#define CAIRN_LEARNERS_LOGISTIC_STEPS_H

#include "learners/linear/logistic.h"

/* One iteration of Newton's method, before theta moves by `change`. */
CAIRN_CHECKED cairn_status cairn_logistic_show_iteration(cairn_context *ctx,
                                                         const cairn_logistic_fit *fit,
                                                         const double *change);
/* At the end: probabilities of the rows, and what they must add up to. */
CAIRN_CHECKED cairn_status cairn_logistic_show_rows(cairn_context *ctx,
                                                    const cairn_logistic_fit *fit);
/* The loss before the first and after every iteration or epoch; `what` is the word for them, NULL
 * for the iterations of Newton's method, which have named it themselves. */
void cairn_logistic_show_curve(const cairn_logistic_fit *fit, const char *what);
/* Slopes of the loss in the columns' own units ((n_terms + 1) x n_vectors) from the fit's gradient,
 * without the penalty's part. */
CAIRN_CHECKED cairn_status cairn_logistic_raw_slopes(cairn_context *ctx,
                                                     const cairn_logistic_fit *fit, double *out);
/* Name of class k of the data. */
const char *cairn_logistic_class(const cairn_logistic_data *data, size_t k);

#endif
