/* SPDX-License-Identifier: MIT */
/* How computed times are written. */
#ifndef CAIRN_DATA_TIME_PATTERN_H
#define CAIRN_DATA_TIME_PATTERN_H

#include "data/time.h"

/* The pattern for these times that is most like the given one (NULL or "" = none): a time of day,
 * seconds and their fraction are added where some time needs them and the pattern ends before. */
void cairn_time_fit_pattern(char out[CAIRN_TIME_PATTERN], const char *pattern,
                            const double *seconds, size_t n);

#endif
