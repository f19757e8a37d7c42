/* SPDX-License-Identifier: MIT */
/* Tests of differences: of an accuracy from a given one, of two errors, of two learners over folds,
 * of several learners over data sets. A p-value that is not defined is NaN. */
#ifndef CAIRN_STATS_SIGNIFICANCE_H
#define CAIRN_STATS_SIGNIFICANCE_H

#include "base/context.h"
#include "entry/entry.h"
#include "stats/intervals.h"

/* Mid-ranks from 1 (smallest); equal values share the mean of their places. `out` has n places; the
 * value returned is the sum of t^3 - t over groups of t equal values. Scratch is used. */
CAIRN_CHECKED cairn_status cairn_rank_values(cairn_context *ctx, double *out, const double *values,
                                             size_t n, double *ties);

/* -- one proportion, two proportions -- */

typedef struct cairn_proportion_test {
    double estimate, deviation;                 /* the deviation is that under the hypothesis p0 */
    double z, p_lower, p_upper, p_two;          /* by the normal distribution */
    double exact_lower, exact_upper, exact_two; /* by the binomial one: P(X <= x), P(X >= x), and
                                                   the sum over counts no likelier than x */
} cairn_proportion_test;

/* `successes` (whole) of n trials against the chance p0. */
void cairn_proportion_test_of(cairn_proportion_test *out, double successes, double n, double p0);

typedef struct cairn_difference {
    double difference;          /* first error less second: positive when the second is better */
    double deviation, z, p_two; /* each share with a variance of its own */
    double pooled_z,
        pooled_p;          /* with that of both together, which is theirs if they are the same */
    double least_expected; /* smallest count that is expected if they are the same */
    cairn_interval interval;
} cairn_difference;

/* Errors e1, e2 measured on independent samples of n1, n2. */
void cairn_difference_of(cairn_difference *out, double e1, double n1, double e2, double n2,
                         double level);

/* -- two learners on the same rows or folds -- */

typedef struct cairn_mcnemar {
    double statistic, p;                     /* (b - c)^2 / (b + c), chi-squared, 1 degree */
    double corrected_statistic, corrected_p; /* with |b - c| - 1 */
    double exact_p, mid_p;                   /* binomial, two-sided */
} cairn_mcnemar;

/* b rows that only the first has right, c that only the second has; whole numbers. */
void cairn_mcnemar_of(cairn_mcnemar *out, double b, double c);

typedef struct cairn_t_test {
    size_t n;
    double mean, deviation; /* deviation by n - 1 */
    double error;           /* of the mean */
    double t, df;
    double p_two, p_lower, p_upper; /* lower: the mean is below 0 */
    cairn_interval interval;
} cairn_t_test;

/* Student's test that n differences have the mean 0. `share` = test rows / training rows corrects
 * for the overlap of training sets in resampling: error^2 = deviation^2 (1/n + share); 0 =
 * plain. t and p are NaN where all differences are the same. */
void cairn_t_test_of(cairn_t_test *out, const double *differences, size_t n, double share,
                     double level);

typedef struct cairn_five_by_two {
    double t, p_t; /* 5 degrees of freedom; the first difference over the mean variance */
    double f, p_f; /* 10 and 5 degrees; all ten differences */
} cairn_five_by_two;

/* Differences of five halvings, both ways: d[2i], d[2i+1] belong to halving i. NaN when they are
 * the same both ways in every halving. */
void cairn_five_by_two_of(cairn_five_by_two *out, const double differences[10]);

typedef enum cairn_exactness { CAIRN_EXACT_AUTO, CAIRN_EXACT_YES, CAIRN_EXACT_NO } cairn_exactness;

typedef struct cairn_wilcoxon {
    size_t n;                  /* differences that are not 0 */
    size_t zeros;              /* left out */
    bool tied;                 /* some differences have the same size */
    double positive, negative; /* sums of ranks */
    double statistic;          /* the smaller one */
    double z, p_normal;        /* two-sided; the variance allows for ties */
    double p_exact;            /* two-sided over all signs of these ranks; NaN when not computed */
    double p;                  /* the one to use */
    bool exact;                /* that is the exact one */
    double critical; /* largest statistic that is significant at alpha (exact); -1 = none is */
} cairn_wilcoxon;

/* Wilcoxon's signed-rank test; differences whose sizes are the same but for rounding are tied.
 * `ranks` (may be NULL) gets the rank of each difference, 0 for those
 * left out. Auto is exact below 25 differences. */
CAIRN_CHECKED cairn_status cairn_wilcoxon_of(cairn_context *ctx, cairn_wilcoxon *out, double *ranks,
                                             const double *differences, size_t n, double alpha,
                                             cairn_exactness exactness);
/* P(W <= w) for n differences without ties, over all signs. */
CAIRN_CHECKED cairn_status cairn_wilcoxon_lower(cairn_context *ctx, double *out, double w,
                                                size_t n);

/* -- several learners over several data sets -- */

typedef struct cairn_friedman {
    size_t n, k;             /* data sets, learners */
    double middle;           /* (k + 1) / 2 */
    double between, overall; /* n sum (Rj - middle)^2; sum (rij - middle)^2 / (n (k - 1)) */
    double statistic;        /* between / overall */
    double p_chi2, critical_chi2;
    double f, p_f;                  /* Iman and Davenport; k - 1 and (k - 1)(n - 1) degrees */
    double p_exact, critical_exact; /* NaN when there are too many cases to count */
    double p;                       /* exact where it could be computed, unless told otherwise */
    bool exact;
} cairn_friedman;

/* `ranks` (n x k, row-major) and `averages` (k) are filled; values are n x k, higher = better
 * unless `lower_better`. Rank 1 is the best, ties share the mean. */
CAIRN_CHECKED cairn_status cairn_friedman_of(cairn_context *ctx, cairn_friedman *out, double *ranks,
                                             double *averages, const double *values, size_t n,
                                             size_t k, bool lower_better, double alpha,
                                             cairn_exactness exactness);

/* The same from average ranks alone, without ties within a data set. */
CAIRN_CHECKED cairn_status cairn_friedman_averages(cairn_context *ctx, cairn_friedman *out,
                                                   const double *averages, size_t n, size_t k,
                                                   double alpha, cairn_exactness exactness);

/* Multiplier of Nemenyi's test (all pairs of k) and of Bonferroni and Dunn's (k - 1 against
 * one). */
double cairn_nemenyi_q(size_t k, double alpha);
double cairn_dunn_q(size_t k, double alpha);
/* q sqrt(k (k + 1) / (6 n)) */
double cairn_critical_difference(double q, size_t k, size_t n);
/* p-values of a difference of two average ranks. */
double cairn_nemenyi_p(double difference, size_t k, size_t n);
double cairn_dunn_p(double difference, size_t k, size_t n);

/* Maximal runs of neighbours, in ascending order of average rank, whose ends differ by at most the
 * critical difference. order: k indices; first, last: places in it, of runs of two or more. Returns
 * the number of runs. All arrays have k places. */
size_t cairn_rank_groups(const double *averages, size_t k, double critical, size_t *order,
                         size_t *first, size_t *last);

/* Corrections of p-values for the number of tests. */
typedef enum cairn_correction {
    CAIRN_CORRECT_NONE,
    CAIRN_CORRECT_BONFERRONI,
    CAIRN_CORRECT_HOLM,
    CAIRN_CORRECT_FDR /* Benjamini and Hochberg: expected share of wrong ones among those found */
} cairn_correction;
extern const cairn_choice cairn_corrections[]; /* in the order of the values */
CAIRN_CHECKED cairn_status cairn_correct_p(cairn_context *ctx, double *corrected, const double *p,
                                           size_t n, cairn_correction correction);

/* Holm's step-down adjustment of n p-values. */
CAIRN_CHECKED cairn_status cairn_holm(cairn_context *ctx, double *adjusted, const double *p,
                                      size_t n);

#endif
