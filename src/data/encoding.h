/* SPDX-License-Identifier: MIT */
/* Text in other encodings than UTF-8. */
#ifndef CAIRN_DATA_ENCODING_H
#define CAIRN_DATA_ENCODING_H

#include "base/file.h"

/* Whether the name (may be NULL) stands for UTF-8, which needs no change. */
bool cairn_encoding_is_utf8(const char *encoding);

/* Read everything and turn it into UTF-8; the caller frees *out. An unknown encoding fails
 * (CAIRN_USAGE), bytes that are not of it fail (CAIRN_BAD_DATA). */
CAIRN_CHECKED cairn_status cairn_encoding_read(cairn_context *ctx, cairn_input *input,
                                               const char *encoding, char **out, size_t *length);

#endif
