/* SPDX-License-Identifier: MIT */
/* Summary statistics of numbers. A sample is what is left of a column when missing cells (and rows
 * of weight 0) are out, in ascending order; everything else is read off it.
 *
 * Weights count like repeated rows. Where that would make the sample smaller than its number of
 * rows (weights that sum to 1), they are first scaled to the mean 1: so the divisor n - 1 and the
 * quantiles mean something for any weights. */
#ifndef CAIRN_STATS_SUMMARY_H
#define CAIRN_STATS_SUMMARY_H

#include "base/context.h"
#include "stats/quantile.h"

typedef struct cairn_sample {
    double *values;  /* n, ascending */
    double *weights; /* n, positive; NULL = all 1 */
    size_t n;
    double total; /* sum of the weights as given; n without */
    double size;  /* the number of rows that it counts as */
} cairn_sample;

/* Which rows of a column go in: those whose code is `group`, or all when codes is NULL. */
typedef struct cairn_part {
    const int32_t *codes;
    int32_t group;
} cairn_part;

/* From n values with weights (NULL = all 1). Memory is scratch. */
CAIRN_CHECKED cairn_status cairn_sample_make(cairn_context *ctx, cairn_sample *out,
                                             const double *values, const double *weights, size_t n,
                                             cairn_part part);
double cairn_sample_quantile(const cairn_sample *sample, double p, cairn_quantile_rule rule);
/* Share of the weight at or below x, and below x; NaN when the sample is empty. */
double cairn_sample_share(const cairn_sample *sample, double x);
double cairn_sample_share_below(const cairn_sample *sample, double x);
/* Number of values below x or, with `or_equal`, at or below x: the place of x. */
size_t cairn_sample_place(const cairn_sample *sample, double x, bool or_equal);

/* The modes: values of the largest weight, ascending. Writes the first `buffer` of them and returns
 * how many there are; *weight is what each has. */
size_t cairn_sample_modes(const cairn_sample *sample, double *out, size_t buffer, double *weight);

typedef enum cairn_divisor { CAIRN_DIVISOR_N_1, CAIRN_DIVISOR_N } cairn_divisor;
/* Choices of a parameter that selects it; the default is "n-1". */
extern const cairn_choice cairn_divisors[];

enum { CAIRN_SUMMARY_MODES = 3 };

/* Undefined statistics are NaN: all of an empty sample; variance by n - 1 of one row; skewness and
 * kurtosis of equal values. */
typedef struct cairn_summary {
    double n; /* rows that it counts as: the divisor */
    double sum, mean, min, max, range, midrange;
    double median, q1, q3, iqr;
    double variance, sd;               /* by the divisor asked for */
    double m2, m3, m4;                 /* central moments, by n */
    double skewness, kurtosis, excess; /* m3 / sd^3, m4 / sd^4, kurtosis - 3, with sd by n */
    size_t n_distinct;
    double n_modes, mode_weight;       /* how many modes, and the weight of each */
    double modes[CAIRN_SUMMARY_MODES]; /* the least of them, NaN beyond */
    bool whole;                        /* every value is a whole number */
} cairn_summary;

void cairn_summarise(cairn_summary *out, const cairn_sample *sample, cairn_divisor divisor,
                     cairn_quantile_rule rule);

#endif
