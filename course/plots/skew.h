/* SPDX-License-Identifier: MIT */
/* Skewed columns in pictures: a scale that shows most of the values, and a word that says so. */
#ifndef CAIRN_PLOTS_SKEW_H
#define CAIRN_PLOTS_SKEW_H

#include "base/text.h"
#include "draw/figure.h"
#include "stats/summary.h"

/* The largest value lies twenty times as far from the median as the upper quartile, which a normal
 * sample of any size does not, and much farther than the least. */
bool cairn_skew_is(const cairn_sample *sample);
/* Where a frame ends that most values lie in; the words that say what lies beyond are added. */
double cairn_skew_cut(cairn_text *below, const cairn_sample *sample);
/* Where the values along the y axis are skewed, the frame ends behind most of them, or the axis is
 * logarithmic where all are above 0 and `may_log`; either is said below the title. */
CAIRN_CHECKED cairn_status cairn_skew_frame(cairn_context *ctx, cairn_figure *figure,
                                            const double *values, size_t n, bool may_log);

#endif
