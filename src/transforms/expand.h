/* SPDX-License-Identifier: MIT */
/* What transforms share that make several number columns of several number columns. */
#ifndef CAIRN_TRANSFORMS_EXPAND_H
#define CAIRN_TRANSFORMS_EXPAND_H

#include "transforms/columns.h"

/* Keep the names of the chosen number features; all number features when `list` is NULL. */
CAIRN_CHECKED cairn_status cairn_expand_choose(cairn_context *ctx, cairn_map *names,
                                               const cairn_view *view, const char *transform,
                                               const char *list, size_t **chosen);

/* Fail with an estimate when so many new columns do not fit into memory. */
CAIRN_CHECKED cairn_status cairn_expand_check(cairn_context *ctx, const char *transform,
                                              double n_new, size_t n_rows);

/* Name the next new column: exactly one name is added to `made`, so that name i is that of column
 * i, and a name that is there already gets a number behind it and a warning. Empties `name`. */
CAIRN_CHECKED cairn_status cairn_expand_name(cairn_context *ctx, cairn_map *made, cairn_text *name,
                                             const char *transform);

/* A table with the columns of `table`, the named ones left out unless `keep`, and then one new
 * number column per name of `made`, zeroed, whose numbers are given in `numbers` (scratch). The
 * numbers of the named columns are given in `columns` (scratch). */
CAIRN_CHECKED cairn_status cairn_expand_table(cairn_context *ctx, cairn_table **out,
                                              const cairn_table *table, const cairn_map *names,
                                              bool keep, const cairn_map *made,
                                              const double *const **columns,
                                              double *const **numbers);
/* Count missing cells of the last n columns, which were filled. */
CAIRN_CHECKED cairn_status cairn_expand_done(cairn_context *ctx, cairn_table *table, size_t n);

/* "2 columns become 5" with the values NAME.columns and NAME.dimension. */
void cairn_expand_describe(cairn_report *out, const char *transform, size_t n_before,
                           size_t n_after);

#endif
