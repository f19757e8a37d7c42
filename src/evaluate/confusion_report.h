/* SPDX-License-Identifier: MIT */
/* Several classes: what a confusion table says beyond its cells. Tables are n x n, rows actual. */
#ifndef CAIRN_EVALUATE_CONFUSION_REPORT_H
#define CAIRN_EVALUATE_CONFUSION_REPORT_H

#include "report/report.h"

/* Each row divided by its sum: share.ACTUAL.PREDICTED; the diagonal is the recall of the class. */
void cairn_report_class_shares(cairn_report *out, const double *cells, const char *const *names,
                               size_t n);
/* Every ordered pair in its own 2 x 2 table: pair.CLASS.OTHER.precision, .recall, .confused. */
void cairn_report_class_pairs(cairn_report *out, const double *cells, const char *const *names,
                              size_t n);
/* The largest cells off the diagonal: confusedN.actual, .predicted, .rows; nothing when all are
 * 0. */
void cairn_report_most_confused(cairn_report *out, const double *cells, const char *const *names,
                                size_t n);

#endif
