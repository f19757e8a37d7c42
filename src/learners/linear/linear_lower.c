/* SPDX-License-Identifier: MIT */
/* Least squares as a program: one affine operation. */
#include "learners/linear/linear.h"

cairn_status cairn_linear_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    const cairn_linear_model *m = model;
    (void)job;
    return cairn_lower_linear(out, m->intercept ? m->target_mean : 0, m->coefficients,
                              m->intercept ? m->means : NULL);
}
