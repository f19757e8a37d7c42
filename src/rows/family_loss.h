/* SPDX-License-Identifier: MIT */
/* Rows of a generalised linear model: half their deviance by a linear score, one score. The
 * curvature is the expected one, so that Newton's method is Fisher scoring; with the family's own
 * link they are the same. */
#ifndef CAIRN_ROWS_FAMILY_LOSS_H
#define CAIRN_ROWS_FAMILY_LOSS_H

#include "rows/scored.h"
#include "stats/families.h"

typedef struct cairn_family_rows {
    cairn_family family;
    const double *values;    /* of each row */
    const double *weights;   /* of each row */
    const double *offsets;   /* added to the score of each row; NULL = none */
    const double *constants; /* of each row: what of the half deviance no mean changes, where the
                                fast way for counts uses it; else NULL */
    double total;            /* of the weights */
    double *means;           /* of each row, which the half deviance writes; NULL = not wanted */
} cairn_family_rows;

/* Values, weights and constants of a view, scratch; of a target with levels 1 for the level
 * `positive` and 0 for others. Fails on a value that the family cannot have,
 * and when no row has a positive weight. */
CAIRN_CHECKED cairn_status cairn_family_rows_open(cairn_context *ctx, cairn_family_rows *out,
                                                  cairn_family family, const cairn_view *view,
                                                  int32_t positive);
/* The half deviance; infinite where a score has no mean. `rows` is borrowed. */
cairn_row_loss cairn_family_row_loss(const cairn_family_rows *rows);
/* The first step of iteratively reweighted least squares: a quadratic function of the score whose
 * minimum is that of the working response at the means that cairn_family_start gives. */
cairn_row_loss cairn_family_start_loss(const cairn_family_rows *rows);

#endif
