/* SPDX-License-Identifier: MIT */
/* Lines of JSON objects, for who reads some of them at a time. */
#ifndef CAIRN_DATA_FORMAT_JSON_H
#define CAIRN_DATA_FORMAT_JSON_H

#include "data/format.h"

/* A table of whole lines, the first of which is number `line` of `name`. Columns of `known` (may be
 * NULL) are there even if no object has them, and new ones are added to it. Kinds that `options`
 * declare are not applied yet. *out must be NULL and stays so on failure. */
CAIRN_CHECKED cairn_status cairn_ndjson_read(cairn_context *ctx, cairn_table **out,
                                             const char *name, const char *bytes, size_t length,
                                             size_t line, const cairn_read_options *options,
                                             cairn_map *known);

#endif
