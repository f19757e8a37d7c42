/* SPDX-License-Identifier: MIT */
/* What a cell of text means: a number, a missing mark, or text. */
#ifndef CAIRN_DATA_CELL_H
#define CAIRN_DATA_CELL_H

#include "base/map.h"

/* A number with blanks around it and perhaps a suffix: K, M, G, T (thousand and up) or % (a
 * hundredth). False when it is anything else, or infinite or not a number by name. */
bool cairn_cell_number(const char *text, size_t length, char decimal, double *out);

/* The same with a mark between thousands: 1,234,567 or 1.234.567,89. The blank stands for blanks
 * that do not break as well, the apostrophe for the curved one. False when there is no mark, or
 * one that does not have three digits behind it. */
bool cairn_cell_grouped(const char *text, size_t length, char decimal, char thousands, double *out);

/* Digits that a number would lose: a leading zero, as in the postal code 02134, or a whole number
 * beyond 2^53. Blanks around them do not count. */
bool cairn_cell_is_code(const char *text, size_t length);

/* "inf", "-Infinity": a number that no table may hold. */
bool cairn_cell_is_infinite(const char *text, size_t length);

/* Without the blanks and tabs around it. */
void cairn_cell_trim(const char **text, size_t *length);

/* The marks of missing cells: those of a comma-separated list (may be NULL), `?`, the empty cell
 * and, unless `only`, NA, N/A, NaN, null in their usual spellings. */
CAIRN_CHECKED cairn_status cairn_cell_marks(cairn_context *ctx, cairn_map *out, const char *list,
                                            bool only);
bool cairn_cell_is_missing(const cairn_map *marks, const char *text, size_t length);

#endif
