/* SPDX-License-Identifier: MIT */
/* Overfitting among the trials of a search. */
#ifndef CAIRN_EVALUATE_OVERFIT_H
#define CAIRN_EVALUATE_OVERFIT_H

#include "evaluate/tune.h"

/* A setting h overfits when there is another one, h', that is worse on the training rows and better
 * on new ones. */
typedef struct cairn_overfit {
    bool found;
    size_t overfits; /* h: of those that overfit the one with the best training value */
    size_t against;  /* h': the best on held-out rows */
    size_t n;        /* trials that overfit beside h' */
} cairn_overfit;

/* Whether the training values can be compared with the held-out ones: they are accuracies or mean
 * squared errors. */
bool cairn_overfit_comparable(const cairn_search *search);
cairn_overfit cairn_overfit_find(const cairn_search *search);
/* The statement, with both values of both settings; says so when there is no such pair. */
void cairn_overfit_report(cairn_report *out, const cairn_search *search);

#endif
