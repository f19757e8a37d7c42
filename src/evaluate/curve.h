/* SPDX-License-Identifier: MIT */
/* Learning curves: how training and held-out results change with the number of training rows. */
#ifndef CAIRN_EVALUATE_CURVE_H
#define CAIRN_EVALUATE_CURVE_H

#include "evaluate/evaluate.h"

typedef struct cairn_curve {
    double *sizes;   /* n: shares of a split's training rows up to 1, numbers of rows above */
    size_t n;        /* points of the curve */
    size_t n_splits; /* the arrays below are n_splits x n */
    double *rows, *training, *held_out; /* NaN = could not be fitted */
} cairn_curve;

/* "10" is ten equal steps up to all training rows, "0.1,0.5,1" are shares and "20,50,100" numbers
 * of rows. Owned: cairn_curve_clear. */
CAIRN_CHECKED cairn_status cairn_curve_parse(cairn_context *ctx, cairn_curve *out,
                                             const char *text);
void cairn_curve_clear(cairn_curve *curve);
/* What an evaluation is to do in every split. */
cairn_split_visit cairn_curve_visit(cairn_curve *curve);
/* Mean over the splits of `values` (the rows, training or held_out of the curve) at a point; NaN =
 * in none. */
double cairn_curve_mean(const cairn_curve *curve, const double *values, size_t point);
/* Table and figure, once the evaluation is done. */
CAIRN_CHECKED cairn_status cairn_curve_report(cairn_context *ctx, cairn_report *out,
                                              const cairn_curve *curve, const cairn_evaluation *e);

#endif
