/* SPDX-License-Identifier: MIT */
/* The inside of the Arrow import. */
#ifndef CAIRN_DATA_ARROW_H
#define CAIRN_DATA_ARROW_H

#include "cairn/arrow.h"
#include "data/table.h"

/* A table from a schema that stays the caller's and an array that is moved in, also on failure.
 * With `keep_text` text stays text, however few values there are. */
CAIRN_CHECKED cairn_status cairn_arrow_import(cairn_context *ctx, cairn_table **out,
                                              const struct ArrowSchema *schema,
                                              struct ArrowArray *array, bool keep_text);

/* The rows of n tables with the same columns as one table; their texts become levels where there
 * are few. */
CAIRN_CHECKED cairn_status cairn_arrow_join(cairn_context *ctx, cairn_table **out,
                                            cairn_table *const *tables, size_t n);

/* The type and the bytes of a format of numbers (data/array.h), or the bytes of a format of times
 * and the seconds that their unit is; false when it is another. */
bool cairn_arrow_number_format(const char *format, char *type, size_t *width);
bool cairn_arrow_time_format(const char *format, size_t *width, double *seconds);
/* Whether all times of a column are midnight: then days say it all. */
bool cairn_arrow_is_dates(const cairn_column *column);
/* How the times of a column are written, by what is noted beside its schema. */
void cairn_arrow_set_pattern(const struct ArrowSchema *schema, cairn_column *column);

#endif
