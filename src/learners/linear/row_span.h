/* SPDX-License-Identifier: MIT */
/* More columns than rows: whatever does not depend on the directions of the axes is solved in the
 * space that the rows span, with as many columns as there are rows, and brought back. Coefficients
 * of least norm are the same there. */
#ifndef CAIRN_LEARNERS_ROW_SPAN_H
#define CAIRN_LEARNERS_ROW_SPAN_H

#include "model/learner.h"

typedef struct cairn_row_span {
    size_t p, k;     /* terms, directions */
    double *means;   /* p: weighted; zeros unless they are taken out */
    double *basis;   /* k x p: directions of length 1 */
    double *values;  /* k: lengths of the weighted rows along them, falling */
    cairn_view view; /* the rows, with a column for each direction */
    cairn_job job;   /* the job for that view, without steps */
} cairn_row_span;

/* Whether it pays: at least 500 terms and fewer rows. */
bool cairn_row_span_pays(const cairn_view *view);
/* Scratch memory of now. Fails when a number is not finite. */
CAIRN_CHECKED cairn_status cairn_row_span_open(cairn_context *ctx, cairn_row_span *out,
                                               const cairn_job *job, bool centred);
/* Weights of the directions, the constant last, become those of the terms in own units (p + 1). */
void cairn_row_span_raw(const cairn_row_span *space, const double *weights, double *out);

#endif
