/* SPDX-License-Identifier: MIT */
/* Classifiers as points: typed, or from a table with the columns tp, fn, fp and tn. */
#ifndef CAIRN_TYPED_POINTS_H
#define CAIRN_TYPED_POINTS_H

#include "model/calculator.h"
#include "plots/roc_plot.h"

typedef struct cairn_typed_points {
    cairn_roc_point *points;
    size_t n;
} cairn_typed_points;

/* "A=30,20,10,40;B=..." (tp,fn,fp,tn), else the table. Fails when there is none of them, or a
 * point without rows of one class. `what` is the command, for messages. Scratch. */
CAIRN_CHECKED cairn_status cairn_read_points(cairn_context *ctx, cairn_typed_points *out,
                                             const char *text, const cairn_table *table,
                                             const char *what);
/* Whether a has no lower tpr and no higher fpr than b, and one of them is better. */
bool cairn_point_dominates(const cairn_roc_point *a, const cairn_roc_point *b);

#endif
