/* SPDX-License-Identifier: MIT */
/* Evaluations of several targets of the same rows, seen together. */
#ifndef CAIRN_EVALUATE_SEVERAL_H
#define CAIRN_EVALUATE_SEVERAL_H

#include "evaluate/evaluate.h"

typedef struct cairn_several {
    const cairn_evaluation *parts; /* one per target */
    size_t n;
    const char *labels;        /* the column whose labels the targets are; NULL = none */
    const bool *unknown;       /* per table row: it has labels beyond these; NULL = none has */
    cairn_undefined undefined; /* precision, recall and F of 0/0 */
} cairn_several;

/* A line per target, then what they come to together: squared errors of all numbers, rows whose
 * classes are all right, the share of wrong classes; of labels also the averages of precision,
 * recall and F1 over the labels and over all decisions. */
CAIRN_CHECKED cairn_status cairn_several_judge(cairn_context *ctx, cairn_report *out,
                                               const cairn_several *several);

/* row, then actual and predicted of every target, for rows that all of them judge. */
CAIRN_CHECKED cairn_status cairn_several_table(cairn_context *ctx, cairn_table **out,
                                               const cairn_several *several);

#endif
