/* SPDX-License-Identifier: MIT */
/* Whole files in memory that columns can hold on to. */
#ifndef CAIRN_DATA_MAPPED_H
#define CAIRN_DATA_MAPPED_H

#include "base/file.h"
#include "data/lent.h"

/* All bytes of an input: a plain file is mapped, anything else read. They are there until the last
 * holder of *memory lets go; the caller is one. A file that somebody shortens while it is mapped
 * ends the program, as it does with any program that maps files. */
CAIRN_CHECKED cairn_status cairn_input_map(cairn_context *ctx, cairn_input *input,
                                           const uint8_t **bytes, size_t *length,
                                           cairn_lent **memory);

/* The status as it is; the message of bad data gets the name of the file in front. */
CAIRN_CHECKED cairn_status cairn_in_file(cairn_context *ctx, const char *file, cairn_status status);

#endif
