/* SPDX-License-Identifier: MIT */
/* Logistic regression written down and read again. */
#ifndef CAIRN_LEARNERS_LOGISTIC_FORMS_H
#define CAIRN_LEARNERS_LOGISTIC_FORMS_H

#include "learners/linear/logistic.h"

extern const cairn_export_form cairn_logistic_forms[];

/* A name as expressions read it. */
void cairn_forms_add_variable(cairn_text *out, const char *name);

/* Weights of a text, scratch: for each class of the plan a weight for every term of the view and
 * then the intercept. `named` says which classes have a line. */
CAIRN_CHECKED cairn_status cairn_logistic_read_weights(cairn_context *ctx, const cairn_given *given,
                                                       const cairn_job *job,
                                                       const cairn_logistic_plan *plan,
                                                       double **out, bool **named);

#endif
