/* SPDX-License-Identifier: MIT */
/* Means of the classes, and how the rows scatter about them: what discriminants are made of. */
#ifndef CAIRN_ROWS_CLASS_SUMS_H
#define CAIRN_ROWS_CLASS_SUMS_H

#include "rows/matrix.h"

typedef struct cairn_class_sums {
    size_t n_terms, n_classes;
    double total;   /* weight of the rows */
    double *totals; /* n_classes */
    double *means;  /* n_classes x n_terms */
    double *mean;   /* n_terms: of all rows */
    double *within; /* n_terms x n_terms, both triangles: Σ (x − m)(x − m)' about the mean of its
                       class; NULL = not wanted */
    double *spread; /* n_terms: Σ (x − mean)² about the mean of all rows; NULL = not wanted */
    double *own;    /* of each class about its mean: n_classes x n_terms squares, or n_classes
                       matrices such as `within`; NULL = not wanted */
} cairn_class_sums;

enum {
    CAIRN_CLASS_MEANS,
    CAIRN_CLASS_SPREADS,
    CAIRN_CLASS_SCATTER,
    CAIRN_CLASS_OWN_SPREADS, /* means and `own`, squares only */
    CAIRN_CLASS_OWN_SCATTER  /* means and `own`, matrices */
};

/* One pass over the rows; `places` has the class of each code of the target (-1 = none of them).
 * `wanted` is one of the above: means alone, with `spread`, with both, or with what each class has
 * of its own. Scratch. Numbers that overflow are refused with their place. */
CAIRN_CHECKED cairn_status cairn_class_sums_of(cairn_context *ctx, cairn_class_sums *out,
                                               const cairn_view *view, const int32_t *places,
                                               size_t n_classes, int wanted);

/* out (n_terms x n_terms) = Σ n_k (m_k − m)(m_k − m)'. */
void cairn_class_sums_between(const cairn_class_sums *sums, double *out);

/* Discriminant axes: directions in which the classes lie apart most, measured in their scatter, one
 * less than the classes at most. `values` are ratios of the squares between and within the classes,
 * falling; an axis has variance 1 within the classes (divisor n − K) and its largest number is
 * positive. Both have room for n_terms (x n_terms); *n is how many there are. */
CAIRN_CHECKED cairn_status cairn_class_axes(cairn_context *ctx, const cairn_class_sums *sums,
                                            double *values, double *axes, size_t *n);

#endif
