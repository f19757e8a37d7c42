/* SPDX-License-Identifier: MIT */
/* A falling row of strengths of the penalty, each solved from the one before. */
#ifndef CAIRN_LEARNERS_LOGISTIC_PATH_H
#define CAIRN_LEARNERS_LOGISTIC_PATH_H

#include "learners/linear/logistic.h"

/* Fill the path of the model. With --lambda cv also the losses of held-out rows, and *strength
 * becomes the chosen one. */
CAIRN_CHECKED cairn_status cairn_logistic_path(cairn_context *ctx, cairn_logistic_history *history,
                                               const cairn_logistic_plan *plan,
                                               cairn_logistic_solver solver, double mix,
                                               const cairn_job *job, double *strength);

#endif
