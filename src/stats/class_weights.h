/* SPDX-License-Identifier: MIT */
/* What the classes of a fit count: "balanced", or a number above 0 for each. */
#ifndef CAIRN_STATS_CLASS_WEIGHTS_H
#define CAIRN_STATS_CLASS_WEIGHTS_H

#include "base/context.h"

/* Refuse text (NULL = none is given) that is neither "balanced" nor numbers above 0; whether there
 * is one for every class is known later. `option` is the mark of the parameter, and `or_else`
 * what else it takes, for the message. */
CAIRN_CHECKED cairn_status cairn_class_weights_check(cairn_context *ctx, const char *option,
                                                     const char *given, const char *or_else);

/* The weights of all rows of each class become what makes the classes count alike and leaves their
 * sum, `total`, as it was: total / (classes that occur x weight of the class). A class without rows
 * gets 0. */
void cairn_class_weights_balance(double *weights, size_t n_classes, double total);

/* The numbers of text that is not "balanced"; fails unless every class has one. Scratch. */
CAIRN_CHECKED cairn_status cairn_class_weights_given(cairn_context *ctx, double **out,
                                                     const char *option, const char *given,
                                                     size_t n_classes);

/* What the rows of a class count, whichever was given; codes and weights are those of n rows.
 * Scratch. */
CAIRN_CHECKED cairn_status cairn_class_weights_of(cairn_context *ctx, double **out,
                                                  const char *option, const char *given,
                                                  const int32_t *codes, const double *weights,
                                                  size_t n, size_t n_classes);

#endif
