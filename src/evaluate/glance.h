/* SPDX-License-Identifier: MIT */
/* The brief form of an evaluation: what a reader came for, on a screen. Everything here is for the
 * brief length of the report alone; the full form has the numbers with all digits. */
#ifndef CAIRN_EVALUATE_GLANCE_H
#define CAIRN_EVALUATE_GLANCE_H

#include "base/number.h"
#include "evaluate/evaluate.h"
#include "stats/intervals.h"

/* "10-fold cross-validation" of "cv:10"; what has no such name stands as it was typed. */
void cairn_add_resampling_words(cairn_text *out, const char *by);
/* A share with three decimals, or as many as tell it from 0 and 1. */
void cairn_share_shown(char out[CAIRN_NUMBER_SIZE], double share);
/* A number in the units of a target, with four digits. */
void cairn_amount_shown(char out[CAIRN_NUMBER_SIZE], double amount);

/* Area under the ROC curve of two classes with its interval, and whose it is. False in *out where
 * there is none: other classes, no scores, or those of different models. */
typedef struct cairn_area {
    bool there;
    double auc;
    cairn_interval interval;
    const char *how;
} cairn_area;
CAIRN_CHECKED cairn_status cairn_evaluation_area(cairn_context *ctx, cairn_area *out,
                                                 const cairn_evaluation *e);
/* The interval of accuracy, or of the root mean squared error, and how it is made. */
CAIRN_CHECKED cairn_status cairn_evaluation_interval(cairn_context *ctx, cairn_interval *out,
                                                     const char **how, const cairn_evaluation *e);

/* What is predicted, how many rows there are and how they were held out, on a line. */
void cairn_glance_rows(cairn_report *out, const cairn_evaluation *e);
/* That line and the measures with the baseline beside them. */
CAIRN_CHECKED cairn_status cairn_glance_measures(cairn_context *ctx, cairn_report *out,
                                                 const cairn_evaluation *e);
/* Which classes are taken for which: the confusion table where a screen has room for it, else the
 * classes that are found least. */
CAIRN_CHECKED cairn_status cairn_glance_classes(cairn_context *ctx, cairn_report *out,
                                                const cairn_evaluation *e, bool rows_predicted);

#endif
