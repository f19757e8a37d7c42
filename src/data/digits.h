/* SPDX-License-Identifier: MIT */
/* Decimal numbers that have more digits than a double gives back. */
#ifndef CAIRN_DATA_DIGITS_H
#define CAIRN_DATA_DIGITS_H

#include "base/context.h"

/* How many of the digits of a number in text are lost in `number`, the double nearest to it; 0 when
 * writing the double gives the same digits, as it always does up to 15 of them. */
size_t cairn_digits_lost(const char *text, size_t length, double number);

/* What was lost in a column: begin with zeros, take every cell, warn at its end. */
typedef struct cairn_lost_digits {
    size_t n_cells, most;
} cairn_lost_digits;

void cairn_digits_take(cairn_lost_digits *lost, const char *text, size_t length, double number);
/* Nothing is said when nothing was lost. */
void cairn_digits_warn(cairn_context *ctx, const cairn_lost_digits *lost, const char *source,
                       const char *column);

#endif
