/* SPDX-License-Identifier: MIT */
/* How two columns go together: tables of counts, numbers by groups, two samples of numbers.
 *
 * Tables are n_rows x n_columns of non-negative weights, row-major. Rows and columns of nothing but
 * zeros do not count for degrees of freedom. What is undefined is NaN. */
#ifndef CAIRN_STATS_CONTINGENCY_H
#define CAIRN_STATS_CONTINGENCY_H

#include "stats/summary.h"

typedef struct cairn_contingency {
    const double *cells; /* as given */
    size_t n_rows, n_columns;
    double *row_totals, *column_totals; /* scratch */
    double total;
    double chi_squared; /* sum (o - e)^2 / e */
    size_t degrees;
    double p_value;        /* chance of at least this chi-squared when the two are independent */
    double share;          /* chi-squared / total: the average relative Quetelet index */
    double gini_reduction; /* the average absolute Quetelet index */
    double cramer_v;       /* sqrt(share / (least of rows, columns - 1)): 0 .. 1 */
    double least_expected; /* of the cells that count */
    size_t n_small_expected, n_cells; /* cells that count, and those expected below 5 */
} cairn_contingency;

/* Cells are borrowed. What an empty table, or one of a single row or column, cannot tell is NaN. */
CAIRN_CHECKED cairn_status cairn_contingency_make(cairn_context *ctx, cairn_contingency *out,
                                                  const double *cells, size_t n_rows,
                                                  size_t n_columns);
/* Row total * column total / total. */
double cairn_contingency_expected(const cairn_contingency *table, size_t row, size_t column);
/* Quetelet's indices of a cell: by what share, P(column | row) / P(column) - 1, and by how much,
 * P(column | row) - P(column), the row changes the chance of the column. */
double cairn_quetelet_relative(const cairn_contingency *table, size_t row, size_t column);
double cairn_quetelet_absolute(const cairn_contingency *table, size_t row, size_t column);

/* A number by groups. Variances divide by the weight. */
typedef struct cairn_group_stats {
    double weight, mean, variance;
} cairn_group_stats;

typedef struct cairn_correlation_ratio {
    double total, mean, variance;
    double within;      /* mean variance inside the groups */
    double between;     /* variance - within: what the groups explain */
    double eta_squared; /* between / variance */
    size_t n_groups;    /* that are not empty */
    double f, p_value;  /* analysis of variance: F and its upper tail */
} cairn_correlation_ratio;

/* `groups` (n_groups) receives the parts. Rows with a missing value or code, and of weight 0, are
 * left out. */
void cairn_correlation_ratio_of(cairn_correlation_ratio *out, cairn_group_stats *groups,
                                size_t n_groups, const double *values, const int32_t *codes,
                                const double *weights, size_t n);

/* Kolmogorov and Smirnov: the largest distance between two distribution functions, where it is,
 * and the chance of one at least as large when both come from the same distribution. The chance is
 * exact (ties left aside) while the product of the sizes is at most four million, asymptotic
 * beyond. Weights count in the distance only: the sizes are numbers of rows. */
typedef struct cairn_ks {
    double distance, at, p_value;
    bool exact;
} cairn_ks;
CAIRN_CHECKED cairn_status cairn_ks_test(cairn_context *ctx, cairn_ks *out, const cairn_sample *a,
                                         const cairn_sample *b);
/* P(K > x) of Kolmogorov's limiting distribution. */
double cairn_kolmogorov_upper(double x);

#endif
