/* SPDX-License-Identifier: MIT */
/* What pictures ask of a model of the learner `nearest-exemplar`. */
#ifndef CAIRN_LEARNERS_NEAREST_EXEMPLAR_H
#define CAIRN_LEARNERS_NEAREST_EXEMPLAR_H

#include <stddef.h>
#include <stdint.h>

/* The exemplars as numbers, n x width, and their classes. Borrowed; values are NULL when not all
 * columns are numbers. */
typedef struct cairn_exemplar_places {
    size_t n, width;
    const double *values;
    const int32_t *codes; /* n */
} cairn_exemplar_places;
cairn_exemplar_places cairn_nearest_exemplar_places(const void *model);

#endif
