/* SPDX-License-Identifier: MIT */
/* Box plots: quartiles, whiskers and what lies outside them, as numbers and as a figure. */
#ifndef CAIRN_PLOTS_BOX_PLOT_H
#define CAIRN_PLOTS_BOX_PLOT_H

#include "draw/figure.h"
#include "stats/summary.h"

/* Tukey's summary of a sample. The whiskers end at the farthest values that lie at most `reach`
 * times the interquartile range beyond the box. */
typedef struct cairn_five_numbers {
    cairn_sample sample; /* ascending; empty = all below are NaN */
    cairn_summary s;
    double fence_low, fence_high;
    double low, high;             /* ends of the whiskers */
    double notch_low, notch_high; /* median -+ 1.57 IQR / sqrt n: about 95 % for comparing two */
    size_t n_below, n_above;      /* values of the sample outside the whiskers */
} cairn_five_numbers;

/* `reach` 0 = whiskers to the extremes. */
void cairn_five_numbers_of(cairn_five_numbers *out, const cairn_sample *sample,
                           cairn_quantile_rule rule, double reach);

typedef struct cairn_box_look {
    bool notches, means, points;
} cairn_box_look;

/* One box for each of n samples with their names (NULL = one without a name). */
CAIRN_CHECKED cairn_status cairn_plot_boxes(cairn_context *ctx, cairn_figure **out,
                                            const cairn_five_numbers *boxes,
                                            const char *const *names, size_t n,
                                            cairn_box_look look);

/* Width of a figure with n groups side by side. */
double cairn_boxes_width(size_t n);

#endif
