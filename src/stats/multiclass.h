/* SPDX-License-Identifier: MIT */
/* Scores for several classes: areas under curves, scores from coverage counts, and weights of the
 * classes. Scores are n x k row-major; classes are codes 0 .. k-1, rows with others are left
 * out. */
#ifndef CAIRN_STATS_MULTICLASS_H
#define CAIRN_STATS_MULTICLASS_H

#include "base/context.h"

typedef struct cairn_multiclass_auc {
    size_t k;
    double *sizes;        /* k: weight of each class */
    double *against_rest; /* k: score i ranks class i against all others */
    double *against_one;  /* k x k: score i ranks class i against class j; NaN on the diagonal */
    double rest_mean, rest_weighted;        /* plain, and by the shares of the classes */
    double one_mean, one_pairs, one_shares; /* plain; by |C_i| |C_j|; by |C_i| + |C_j| */
} cairn_multiclass_auc;

/* Plain means are over what is defined (classes that have rows). Memory is scratch. */
CAIRN_CHECKED cairn_status cairn_multiclass_auc_of(cairn_context *ctx, cairn_multiclass_auc *out,
                                                   const double *scores, const int32_t *classes,
                                                   const double *weights, size_t n, size_t k);

/* The means from areas and sizes; what is NaN is left out. */
void cairn_multiclass_auc_average(cairn_multiclass_auc *a);

/* out (n x k) = fires (n x m, how often each of m rules fires) times counts (m x k): the classes of
 * all training rows that the firing rules cover. */
void cairn_coverage_scores(double *out, const double *fires, const double *counts, size_t n,
                           size_t m, size_t k);

/* Told of every candidate weight of a class: it may lie anywhere from low to high, `weight` is the
 * one that would be taken, and `cost` what the rows cost more than with none given to the class. */
typedef struct cairn_reweight_watch {
    void (*candidate)(void *data, size_t class, double low, double high, double weight,
                      double cost);
    void *data;
} cairn_reweight_watch;

/* Weights for the decision argmax w_i s_i, tuned one class after the other in `order` (k class
 * numbers; NULL = 0, 1, ...): the first has the weight 1, each next one is set so that rows of the
 * classes so far cost least, with `costs` (k x k, rows actual; NULL = 1 per error). Of equally good
 * weights the one nearest to 1. Scores must not be negative. `out` has k numbers; `watch`
 * may be NULL. */
CAIRN_CHECKED cairn_status cairn_reweight_classes(cairn_context *ctx, double *out,
                                                  const double *scores, const int32_t *classes,
                                                  const double *weights, size_t n, size_t k,
                                                  const size_t *order, const double *costs,
                                                  const cairn_reweight_watch *watch);
/* argmax w_i s_i over all classes; of equal ones the first. */
int32_t cairn_weighted_decision(const double *scores, const double *weights, size_t k);

#endif
