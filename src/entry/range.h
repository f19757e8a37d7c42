/* SPDX-License-Identifier: MIT */
/* Ranges as the user reads them: "[1,inf)", "(0,1]". */
#ifndef CAIRN_ENTRY_RANGE_H
#define CAIRN_ENTRY_RANGE_H

#include <stdbool.h>

typedef struct cairn_range {
    double low, high;
    bool low_open, high_open;
} cairn_range;

/* False when the text is not a range: a bug in a parameter table. */
bool cairn_range_parse(const char *text, cairn_range *out);
bool cairn_range_contains(const cairn_range *range, double value);

/* How a share is written, for a refusal of a number that may be one in per cent: 90 for "(0,1)";
 * else empty. */
enum { CAIRN_HINT = 160 };
void cairn_range_hint(char out[CAIRN_HINT], const char *range, double number);

#endif
