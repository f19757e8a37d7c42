/* SPDX-License-Identifier: MIT */
/* Zip files: parts one after the other, packed as they come, into an output that is only appended
 * to. They carry no time, so that the same parts are the same bytes. */
#ifndef CAIRN_BASE_ZIP_WRITE_H
#define CAIRN_BASE_ZIP_WRITE_H

#include "base/file.h"
#include <zlib.h>

enum { CAIRN_ZIP_PARTS = 16, CAIRN_ZIP_BUFFER = 1 << 15 };

typedef struct cairn_zip_part {
    const char *name; /* lives as long as the zip */
    uint64_t at, packed, length;
    uint32_t crc;
} cairn_zip_part;

/* Begin with zeros but `file`. */
typedef struct cairn_zip {
    cairn_output_file *file;
    cairn_zip_part parts[CAIRN_ZIP_PARTS];
    size_t n;
    uint64_t at;    /* bytes written so far */
    bool inside;    /* of the last part */
    z_stream *pack; /* NULL before the first part */
    unsigned char *buffer;
} cairn_zip;

CAIRN_CHECKED cairn_status cairn_zip_begin(cairn_context *ctx, cairn_zip *zip, const char *name);
CAIRN_CHECKED cairn_status cairn_zip_add(cairn_context *ctx, cairn_zip *zip, const void *bytes,
                                         size_t length);
/* The list of all parts, at the end. */
CAIRN_CHECKED cairn_status cairn_zip_end(cairn_context *ctx, cairn_zip *zip);
/* The file is left to its owner. */
void cairn_zip_clear(cairn_zip *zip);

#endif
