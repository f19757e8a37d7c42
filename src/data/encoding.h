/* SPDX-License-Identifier: MIT */
/* Text in other encodings than UTF-8. */
#ifndef CAIRN_DATA_ENCODING_H
#define CAIRN_DATA_ENCODING_H

#include "base/file.h"

/* Whether the name (may be NULL) stands for UTF-8, which needs no change. */
bool cairn_encoding_is_utf8(const char *encoding);

/* The likely encoding of bytes that are not UTF-8: "cp1252" (Windows) when some of them are letters
 * there and control characters in Latin-1, such as the euro sign, else "latin1". */
const char *cairn_encoding_guess(const char *bytes, size_t length);

/* Read everything and turn it into UTF-8; the caller frees *out. An unknown encoding fails
 * (CAIRN_USAGE), bytes that are not of it fail (CAIRN_BAD_DATA). Control characters that come of
 * reading a file of Windows as Latin-1 are warned of. */
CAIRN_CHECKED cairn_status cairn_encoding_read(cairn_context *ctx, cairn_input *input,
                                               const char *encoding, char **out, size_t *length);

#endif
