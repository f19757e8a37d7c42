/* SPDX-License-Identifier: MIT */
/* The work of `glm` in steps; all do nothing without a report for them. */
#ifndef CAIRN_LEARNERS_GLM_STEPS_H
#define CAIRN_LEARNERS_GLM_STEPS_H

#include "learners/linear/glm.h"
#include "rows/family_loss.h"

/* Family, link and formulas, and the weights (of z) that the iteration starts from. */
CAIRN_CHECKED cairn_status cairn_glm_show_start(cairn_context *ctx, const cairn_job *job,
                                                const cairn_row_matrix *x, const double *theta,
                                                double deviance, const cairn_family *family);
/* The weights after an iteration. */
CAIRN_CHECKED cairn_status cairn_glm_show_iteration(cairn_context *ctx, const cairn_job *job,
                                                    const cairn_row_matrix *x, const double *theta,
                                                    double deviance, size_t number);
/* Rows with their means and residuals, deviances, dispersion, standard errors. */
CAIRN_CHECKED cairn_status cairn_glm_show_end(cairn_context *ctx, const cairn_job *job,
                                              const cairn_glm_model *m,
                                              const cairn_glm_history *history,
                                              const cairn_family_rows *rows, const double *means);

#endif
