/* SPDX-License-Identifier: MIT */
/* Cutting text at a separator that is not inside quotes or brackets. */
#ifndef CAIRN_ENTRY_SPLIT_H
#define CAIRN_ENTRY_SPLIT_H

#include "base/context.h"

/* The next such separator, or the end of the text. */
const char *cairn_split_next(const char *at, char separator);
/* As cairn_list_split, but brackets around the whole of it stay. */
CAIRN_CHECKED cairn_status cairn_split_list(cairn_context *ctx, const char *list, char ***out,
                                            size_t *n);

/* Read one segment "[20+,5-]" at *at, of counts with the signs of their classes; a sign alone is
 * one. Adds them up: the negatives in amounts[0], the positives in amounts[1]. *at stands behind
 * the bracket then, else where reading failed. */
bool cairn_segment_scan(const char **at, double amounts[2]);

/* As cairn_list_numbers, which refuses what is not finite, for the few lists in which inf or nan
 * mean something. */
CAIRN_CHECKED cairn_status cairn_list_any_numbers(cairn_context *ctx, const char *what,
                                                  const char *list, double **out, size_t *n);
/* Fails when a name stands twice among those of an option. */
CAIRN_CHECKED cairn_status cairn_names_differ(cairn_context *ctx, const char *const *names,
                                              size_t n, const char *option);
/* Names as typed in a list, or the prefix with "1", "2" ...; fails when there are not n of them.
 * Scratch. */
CAIRN_CHECKED cairn_status cairn_read_names(cairn_context *ctx, const char ***out, const char *list,
                                            size_t n, const char *option, const char *prefix);

#endif
