/* SPDX-License-Identifier: MIT */
/* A file or pipe of CSV, or of JSON objects in lines, as a run of tables of some rows each, so that
 * no more than these are in memory at once. Dialect and header are found once, from the first part,
 * the kinds of the columns in each table anew, so a schema must bring them in line. */
#ifndef CAIRN_DATA_CHUNKS_H
#define CAIRN_DATA_CHUNKS_H

#include "base/file.h"
#include "cairn/table.h"

typedef struct cairn_chunks cairn_chunks;

/* Takes the input over, also on failure. Other formats, transposed files
 * and foreign encodings fail (CAIRN_USAGE). */
CAIRN_CHECKED cairn_status cairn_chunks_open(cairn_context *ctx, cairn_chunks **out,
                                             cairn_input *input, const cairn_read_options *options);
/* Read the rows that follow as the schema (which must outlive the chunks) knows them. */
void cairn_chunks_expect(cairn_chunks *chunks, const struct cairn_schema *schema);
/* The next n_rows rows, fewer at the end, NULL behind it. */
CAIRN_CHECKED cairn_status cairn_chunks_next(cairn_context *ctx, cairn_chunks *chunks,
                                             size_t n_rows, cairn_table **out);
/* Rows that were handed out so far. */
size_t cairn_chunks_rows(const cairn_chunks *chunks);
void cairn_chunks_close(cairn_chunks *chunks);

#endif
