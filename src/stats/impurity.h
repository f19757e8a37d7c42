/* SPDX-License-Identifier: MIT */
/* How mixed a set of classes is, and how much a partition sorts it out.
 *
 * Counts are non-negative weights, whole or not. Tables are n_parts x n_classes, row-major: a row
 * is a part of the partition. With p the shares of the classes, 0 log 0 = 0, and an empty set has
 * impurity 0:
 *
 *     entropy    - sum p log2 p               0 .. log2 k
 *     Gini       1 - sum p^2                  2p(1-p) for two classes
 *     minority   1 - max p
 *     sqrt-Gini  1/2 sum sqrt(p (1-p))        sqrt(p(1-p)) for two classes */
#ifndef CAIRN_STATS_IMPURITY_H
#define CAIRN_STATS_IMPURITY_H

#include "base/text.h"
#include <stddef.h>

typedef enum cairn_impurity {
    CAIRN_ENTROPY,
    CAIRN_GINI,
    CAIRN_MINORITY,
    CAIRN_SQRT_GINI
} cairn_impurity;

double cairn_entropy(const double *counts, size_t n_classes);
double cairn_gini(const double *counts, size_t n_classes);
double cairn_minority(const double *counts, size_t n_classes);
double cairn_sqrt_gini(const double *counts, size_t n_classes);
double cairn_impurity_of(cairn_impurity kind, const double *counts, size_t n_classes);

/* Write the terms of an impurity with the counts put in: "−9/14·log₂(9/14) − 5/14·log₂(5/14)";
 * nothing for an empty set. `log_base` is 2, 10 or e, of the entropy. */
void cairn_impurity_add_terms(cairn_text *out, cairn_impurity kind, const double *counts, size_t n,
                              double log_base);

/* Average impurity of the parts, weighted by their sizes ("Gini split index" for Gini). */
double cairn_impurity_after(cairn_impurity kind, const double *table, size_t n_parts,
                            size_t n_classes);

typedef struct cairn_split_scores {
    double total;               /* sum of all cells */
    double entropy;             /* of the classes before the split */
    double gini;                /* likewise */
    double gain;                /* information gain in bits: what the entropy falls by */
    double split_information;   /* entropy of the sizes of the parts */
    double gain_ratio;          /* gain / split_information; 0 where that is 0 */
    double gini_reduction;      /* what Gini falls by */
    double minority_reduction;  /* what the minority share falls by */
    double sqrt_gini_reduction; /* what sqrt-Gini falls by */
    double chi_squared;         /* X2 of independence */
    double chi_squared_share;   /* X2 / total, at most min(parts, classes) - 1 */
    size_t degrees;             /* degrees of freedom of X2: empty parts and classes do not count */
} cairn_split_scores;

/* All scores of a partition after adding `cell_add` to every cell (0 is the definition). A fall
 * smaller than 1e-12 is taken as 0. */
void cairn_split_scores_of(cairn_split_scores *out, const double *table, size_t n_parts,
                           size_t n_classes, double cell_add);

/* The scale b of a class in its scatter contribution; p is the class's share. */
typedef enum cairn_contribution {
    CAIRN_CONTRIBUTION_PLAIN,    /* b = 1: the sum over the table is N times the Gini reduction */
    CAIRN_CONTRIBUTION_POISSON,  /* b = sqrt(p): the sum is X2 */
    CAIRN_CONTRIBUTION_BERNOULLI /* b = sqrt(p (1-p)) */
} cairn_contribution;

/* What each part contributes to each class: out[k][l] = N (p_kl - p_k p_l)^2 / (p_k b_l^2), of the
 * shape of the table. Empty parts and classes, and classes of scale 0, contribute 0. */
void cairn_class_contributions(double *out, cairn_contribution scale, const double *table,
                               size_t n_parts, size_t n_classes);

#endif
