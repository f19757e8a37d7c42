/* SPDX-License-Identifier: MIT */
/* Confusion tables and what they say. Cells are non-negative weights; tables are n x n, row-major,
 * rows actual and columns predicted. 0/0 is undefined (NaN) unless a policy says otherwise. */
#ifndef CAIRN_STATS_CONFUSION_H
#define CAIRN_STATS_CONFUSION_H

#include "entry/entry.h"

#include <stddef.h>
#include <stdint.h>

typedef struct cairn_binary_counts {
    double tp, fn, fp, tn;
} cairn_binary_counts;

/* What precision is when nothing is predicted positive, and recall when nothing is positive. */
typedef enum cairn_undefined {
    CAIRN_UNDEFINED_NA,
    CAIRN_UNDEFINED_ZERO,
    CAIRN_UNDEFINED_ONE
} cairn_undefined;
extern const cairn_choice cairn_undefined_choices[];

typedef struct cairn_binary_measures {
    double total, positives, negatives, predicted_positives, predicted_negatives;
    double pos, neg;    /* shares of the classes; pos is the prevalence */
    double class_ratio; /* positives / negatives */
    double accuracy, error;
    double tpr, tnr, fpr,
        fnr;          /* tpr = recall = sensitivity, tnr = specificity, fpr = false alarms */
    double precision; /* confidence */
    double negative_precision; /* share of right ones among those predicted negative */
    double average_recall;     /* (tpr + tnr) / 2 */
    double f;                  /* 2 tp / (2 tp + fp + fn) */
    double f_harmonic;         /* harmonic mean of precision and recall: undefined where one is */
    double youden;             /* tpr - fpr */
    double kappa;              /* agreement beyond chance */
    double correlation;        /* Matthews: correlation of actual and predicted */
    double quetelet_absolute;  /* precision - pos */
    double quetelet_relative;  /* precision / pos - 1 */
    double distance;           /* of (fpr, tpr) to the perfect point (0,1) */
} cairn_binary_measures;

/* `undefined` is what recall, precision, their counterparts and F are where they divide 0 by 0; all
 * else is NaN there. */
void cairn_binary_measures_of(cairn_binary_measures *out, cairn_binary_counts counts,
                              cairn_undefined undefined);
/* F with recall weighing beta times as much as precision. */
double cairn_f_measure(cairn_binary_counts counts, double beta);
/* Variances of measures that are no plain shares, by the delta method for counts that fall into the
 * four cells at random: average recall, F-beta. */
double cairn_average_recall_variance(cairn_binary_counts counts);
double cairn_f_variance(cairn_binary_counts counts, double beta);
/* The other class as the positive one: fp and fn, tp and tn change places. */
cairn_binary_counts cairn_binary_swap(cairn_binary_counts counts);
/* The table with the same margins in which prediction and class are independent. */
cairn_binary_counts cairn_binary_by_chance(cairn_binary_counts counts);

/* -- any number of classes -- */

/* Add rows to the cells; codes outside 0 .. n-1 are left out. weights NULL = all 1. */
void cairn_confusion_add(double *cells, size_t n, const int32_t *actual, const int32_t *predicted,
                         const double *weights, size_t n_rows);
/* Class against the rest, and class i (positive) against class j in their own 2 x 2 table. */
cairn_binary_counts cairn_confusion_against_rest(const double *cells, size_t n, size_t class);
cairn_binary_counts cairn_confusion_pair(const double *cells, size_t n, size_t i, size_t j);

typedef struct cairn_confusion_summary {
    double total, right, accuracy, error;
    double precision, recall, f; /* plain means over the classes */
    double weighted_precision, weighted_recall,
        weighted_f; /* by share of rows; recall = accuracy */
    double kappa;
    double majority; /* accuracy of always naming the most frequent class */
    size_t majority_class;
} cairn_confusion_summary;

/* Means leave out classes without rows. The precision of a class that has rows and is never
 * predicted counts as 0 in both means, or as 1 where the policy says so: were it left out, never
 * naming a rare class would pay. */
void cairn_confusion_summary_of(cairn_confusion_summary *out, const double *cells, size_t n,
                                cairn_undefined undefined);
/* Variance of kappa (Fleiss, Cohen and Everitt 1969). */
double cairn_kappa_variance(const double *cells, size_t n);
/* Sum of cells times costs (both n x n). */
double cairn_confusion_cost(const double *cells, const double *costs, size_t n);

#endif
