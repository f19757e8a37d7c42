/* SPDX-License-Identifier: MIT */
/* A part is a header, packed bytes, and behind them what is known only then: its sum and both
 * lengths. The list at the end repeats all of it, with where the part begins. */
#include "base/zip_write.h"
#include "base/memory.h"
#include <string.h>

enum {
    VERSION = 20,
    LENGTHS_FOLLOW = 1 << 3,
    NAMES_ARE_UTF8 = 1 << 11,
    METHOD_DEFLATE = 8,
    NO_DATE = 33, /* 1980-01-01, the first there is */
    QUICK = 2,    /* twice as fast as zlib's own choice, and a fifth larger */
    RAW_WINDOW = -15,
    MEMORY = 8
};

/* Numbers with the least byte first. */
static unsigned char *put(unsigned char *at, uint64_t number, int bytes)
{
    for (int i = 0; i < bytes; i++) *at++ = (unsigned char)(number >> 8 * i);
    return at;
}

static cairn_status append(cairn_context *ctx, cairn_zip *zip, const void *bytes, size_t n)
{
    zip->at += n;
    if (zip->at > UINT32_MAX)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "the table is larger than a zip file can be; write parquet or csv");
    return cairn_output_write(ctx, zip->file, bytes, n);
}

/* What a part's own header and the list have in common; sum and lengths are 0 in the first. */
static unsigned char *put_about(unsigned char *at, const cairn_zip_part *part, bool known)
{
    at = put(at, VERSION, 2);
    at = put(at, LENGTHS_FOLLOW | NAMES_ARE_UTF8, 2);
    at = put(at, METHOD_DEFLATE, 2);
    at = put(at, 0, 2);
    at = put(at, NO_DATE, 2);
    at = put(at, known ? part->crc : 0, 4);
    at = put(at, known ? part->packed : 0, 4);
    at = put(at, known ? part->length : 0, 4);
    at = put(at, strlen(part->name), 2);
    return put(at, 0, 2);
}

/* Write what the packer gives, until it has taken everything. */
static cairn_status drain(cairn_context *ctx, cairn_zip *zip, int flush)
{
    z_stream *z = zip->pack;
    int code;
    do {
        z->next_out = zip->buffer;
        z->avail_out = CAIRN_ZIP_BUFFER;
        code = deflate(z, flush);
        size_t n = CAIRN_ZIP_BUFFER - z->avail_out;
        zip->parts[zip->n - 1].packed += n;
        if (n) CHECK(append(ctx, zip, zip->buffer, n));
    } while (flush == Z_FINISH ? code != Z_STREAM_END : z->avail_out == 0);
    return CAIRN_OK;
}

static cairn_status end_part(cairn_context *ctx, cairn_zip *zip)
{
    unsigned char behind[16], *at = behind;
    if (!zip->inside) return CAIRN_OK;
    cairn_zip_part *part = &zip->parts[zip->n - 1];
    CHECK(drain(ctx, zip, Z_FINISH));
    if (part->length > UINT32_MAX)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "the table is larger than a part of a zip file can be; write parquet or "
                          "csv");
    memcpy(at, "PK\7\10", 4);
    at = put(at + 4, part->crc, 4);
    at = put(at, part->packed, 4);
    put(at, part->length, 4);
    zip->inside = false;
    return append(ctx, zip, behind, sizeof behind);
}

static cairn_status start_packer(cairn_context *ctx, cairn_zip *zip)
{
    if (zip->pack) {
        deflateReset(zip->pack);
        return CAIRN_OK;
    }
    CHECK(NEW(ctx, &zip->buffer, CAIRN_ZIP_BUFFER));
    CHECK(NEW(ctx, &zip->pack, 1));
    if (deflateInit2(zip->pack, QUICK, Z_DEFLATED, RAW_WINDOW, MEMORY, Z_DEFAULT_STRATEGY) == Z_OK)
        return CAIRN_OK;
    cairn_free(zip->pack);
    zip->pack = NULL;
    return cairn_fail(ctx, CAIRN_NO_MEMORY, "out of memory: packing a zip file");
}

cairn_status cairn_zip_begin(cairn_context *ctx, cairn_zip *zip, const char *name)
{
    unsigned char head[30];
    CHECK(end_part(ctx, zip));
    CHECK(start_packer(ctx, zip));
    cairn_zip_part *part = &zip->parts[zip->n++];
    *part = (cairn_zip_part){.name = name, .at = zip->at};
    zip->inside = true;
    memcpy(head, "PK\3\4", 4);
    put_about(head + 4, part, false);
    CHECK(append(ctx, zip, head, sizeof head));
    return append(ctx, zip, name, strlen(name));
}

cairn_status cairn_zip_add(cairn_context *ctx, cairn_zip *zip, const void *bytes, size_t length)
{
    cairn_zip_part *part = &zip->parts[zip->n - 1];
    const unsigned char *at = bytes;
    while (length) {
        size_t n = length < CAIRN_ZIP_BUFFER ? length : CAIRN_ZIP_BUFFER;
        part->crc = (uint32_t)crc32(part->crc, at, (uInt)n);
        part->length += n;
        zip->pack->next_in = (Bytef *)(uintptr_t)at;
        zip->pack->avail_in = (uInt)n;
        CHECK(drain(ctx, zip, Z_NO_FLUSH));
        at += n;
        length -= n;
    }
    return CAIRN_OK;
}

static cairn_status list_part(cairn_context *ctx, cairn_zip *zip, const cairn_zip_part *part)
{
    unsigned char entry[46], *at = entry;
    memcpy(at, "PK\1\2", 4);
    at = put(at + 4, VERSION, 2);
    at = put_about(at, part, true);
    at = put(at, 0, 8); /* comment, disk, attributes */
    at = put(at, 0, 2);
    put(at, part->at, 4);
    CHECK(append(ctx, zip, entry, sizeof entry));
    return append(ctx, zip, part->name, strlen(part->name));
}

cairn_status cairn_zip_end(cairn_context *ctx, cairn_zip *zip)
{
    unsigned char last[22], *at = last;
    CHECK(end_part(ctx, zip));
    uint64_t begun = zip->at;
    for (size_t i = 0; i < zip->n; i++) CHECK(list_part(ctx, zip, &zip->parts[i]));
    memcpy(at, "PK\5\6", 4);
    at = put(at + 4, 0, 4);
    at = put(at, zip->n, 2);
    at = put(at, zip->n, 2);
    at = put(at, zip->at - begun, 4);
    at = put(at, begun, 4);
    put(at, 0, 2);
    return append(ctx, zip, last, sizeof last);
}

void cairn_zip_clear(cairn_zip *zip)
{
    if (zip->pack) deflateEnd(zip->pack);
    FREE_EACH(zip->pack, zip->buffer);
}
