/* SPDX-License-Identifier: MIT */
/* Formats that a program registered (cairn/plugin.h), and the sinks and streams of its functions.
 */
#ifndef CAIRN_DATA_OWN_FORMAT_H
#define CAIRN_DATA_OWN_FORMAT_H

#include "cairn/plugin.h"
#include "data/format.h"

struct cairn_sink {
    cairn_output_file *file;
};
struct cairn_stream {
    cairn_input *input;
};

bool cairn_own_format_detects(const cairn_data_format *format, const char *name, const char *head,
                              size_t n);
CAIRN_CHECKED cairn_status cairn_own_format_read(cairn_context *ctx,
                                                 const cairn_data_format *format, cairn_table **out,
                                                 cairn_input *input);
CAIRN_CHECKED cairn_status cairn_own_format_write(cairn_context *ctx,
                                                  const cairn_data_format *format,
                                                  const cairn_table *table,
                                                  cairn_output_file *file);

#endif
