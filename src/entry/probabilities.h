/* SPDX-License-Identifier: MIT */
/* Probabilities that a user types, such as the prior of each class: the one place that says when
 * numbers are not probabilities. Where they do not add up to 1 it is told what they add up to. */
#ifndef CAIRN_ENTRY_PROBABILITIES_H
#define CAIRN_ENTRY_PROBABILITIES_H

#include "base/context.h"

/* Fails (CAIRN_USAGE) unless the n numbers are not negative and add up to 1, but for rounding in
 * the sixth place; that is taken off. `what` is the option's name. */
CAIRN_CHECKED cairn_status cairn_check_probabilities(cairn_context *ctx, const char *what,
                                                     double *numbers, size_t n);
/* A list of such numbers (scratch). */
CAIRN_CHECKED cairn_status cairn_list_probabilities(cairn_context *ctx, const char *what,
                                                    const char *list, double **out, size_t *n);

#endif
