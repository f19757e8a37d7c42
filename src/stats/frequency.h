/* SPDX-License-Identifier: MIT */
/* Frequency tables: bins of numbers, how many fall into each, and the peaks of what results.
 *
 * Bins are closed on the left by default, [a,b); the last one then also holds its right end. Closed
 * on the right, (a,b], the first one also holds its left end. */
#ifndef CAIRN_STATS_FREQUENCY_H
#define CAIRN_STATS_FREQUENCY_H

#include "stats/summary.h"

typedef struct cairn_bins {
    double *edges; /* n + 1, ascending */
    size_t n;
    bool closed_right;
} cairn_bins;

/* Choices of a parameter that names the closed side; the default is "left", value 0. */
extern const cairn_choice cairn_closed_sides[];

/* Rules for the number of equally wide bins. */
typedef enum cairn_bin_rule {
    CAIRN_BINS_STURGES,  /* ceil(log2 n) + 1 */
    CAIRN_BINS_SCOTT,    /* width 3.49 sd / n^(1/3) */
    CAIRN_BINS_FREEDMAN, /* width 2 IQR / n^(1/3) */
    CAIRN_BINS_SQRT,     /* ceil(sqrt n) */
    CAIRN_BINS_RICE      /* ceil(2 n^(1/3)) */
} cairn_bin_rule;
extern const cairn_choice cairn_bin_rules[];

/* What the user may say about bins; a shared group of parameters. The first that is given decides:
 * cuts, bin_width, bins, rule. */
typedef struct cairn_bin_options {
    const char *cuts; /* list of edges */
    double bin_width;
    const char *start; /* a number; NULL = a multiple of the width */
    int bins;          /* 0 = by rule */
    int bin_rule, closed;
} cairn_bin_options;
extern const cairn_param cairn_bin_params[];

/* Bins for a sample by the options; the edges are scratch. Infinite values have no bin. */
CAIRN_CHECKED cairn_status cairn_bins_make(cairn_context *ctx, cairn_bins *out,
                                           const cairn_bin_options *options,
                                           const cairn_sample *sample);
/* The same for a picture: where nothing is asked for and all values are whole, every bin holds the
 * same number of whole numbers, so that none is empty or full for the place of its edges. */
CAIRN_CHECKED cairn_status cairn_bins_show(cairn_context *ctx, cairn_bins *out,
                                           const cairn_bin_options *options,
                                           const cairn_sample *sample);
/* n equally wide bins from low to high (low < high). */
CAIRN_CHECKED cairn_status cairn_bins_equal(cairn_context *ctx, cairn_bins *out, double low,
                                            double high, size_t n);
/* The bin of x, or -1 when it has none. */
ptrdiff_t cairn_bins_find(const cairn_bins *bins, double x);
/* Weight of the sample in each bin; returns what lies outside. */
double cairn_bins_count(double *counts, const cairn_bins *bins, const cairn_sample *sample);

/* A peak of a row of heights, or (a peak's opposite) the lowest stretch between two peaks. */
typedef struct cairn_peak {
    size_t first, last; /* the level stretch of equal heights; one place when they are equal */
    double height;
} cairn_peak;

/* Peaks: level stretches that are higher than what is on either side (the ends count as falling
 * off). One that does not rise by more than `prominence` over the higher of the valleys beside it,
 * before a higher peak is reached, is passed over. `peaks` has room for n / 2 + 1, `valleys` for
 * one less. Returns the number of peaks. Heights that are all 0 have none. */
size_t cairn_find_peaks(cairn_peak *peaks, cairn_peak *valleys, const double *heights, size_t n,
                        double prominence);
/* "unimodal", "bimodal", "multimodal" (or "no peak"). */
const char *cairn_modality_name(size_t n_peaks);

#endif
