/* SPDX-License-Identifier: MIT */
/* Zip files for tests: parts stored or deflated, with headers that may lie. */
#ifndef CAIRN_TESTS_ZIP_MAKER_H
#define CAIRN_TESTS_ZIP_MAKER_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

typedef struct zip_part {
    const char *name, *bytes;
    size_t length;
    int deflate;   /* 0 = stored */
    int encrypted; /* only the flag says so */
} zip_part;

typedef struct zip_bytes {
    char *bytes;
    size_t n, capacity;
} zip_bytes;

static inline void zip_add(zip_bytes *z, const void *bytes, size_t n)
{
    if (z->n + n > z->capacity) {
        z->capacity = 2 * (z->n + n) + 64;
        z->bytes = realloc(z->bytes, z->capacity);
        if (!z->bytes) abort();
    }
    if (n) memcpy(z->bytes + z->n, bytes, n);
    z->n += n;
}

static inline void zip_number(zip_bytes *z, uint64_t number, int size)
{
    for (int i = 0; i < size; i++) zip_add(z, &(unsigned char){(number >> 8 * i) & 255}, 1);
}

/* What the local and the central header have in common. */
static inline void zip_header(zip_bytes *z, const zip_part *p, uint64_t crc, size_t packed)
{
    zip_number(z, 20, 2);
    zip_number(z, p->encrypted ? 1 : 0, 2);
    zip_number(z, p->deflate ? 8 : 0, 2);
    zip_number(z, 0, 4);
    zip_number(z, crc, 4);
    zip_number(z, packed, 4);
    zip_number(z, p->length, 4);
    zip_number(z, strlen(p->name), 2);
    zip_number(z, 0, 2);
}

static inline size_t zip_pack(const zip_part *p, char **out)
{
    z_stream stream = {0};
    size_t buffer = p->length + p->length / 100 + 100;
    *out = malloc(buffer);
    if (!*out) abort();
    if (!p->deflate) {
        if (p->length) memcpy(*out, p->bytes, p->length);
        return p->length;
    }
    if (deflateInit2(&stream, 9, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK) abort();
    stream.next_in = (Bytef *)p->bytes;
    stream.avail_in = (uInt)p->length;
    stream.next_out = (Bytef *)*out;
    stream.avail_out = (uInt)buffer;
    if (deflate(&stream, Z_FINISH) != Z_STREAM_END) abort();
    deflateEnd(&stream);
    return buffer - stream.avail_out;
}

/* The file; the caller frees its bytes. */
static inline zip_bytes zip_make(const zip_part *parts, size_t n)
{
    zip_bytes z = {0}, directory = {0};
    for (size_t i = 0; i < n; i++) {
        const zip_part *p = &parts[i];
        char *packed;
        size_t at = z.n, size = zip_pack(p, &packed);
        uint64_t crc = crc32(0, (const Bytef *)p->bytes, (uInt)p->length);
        zip_add(&z, "PK\3\4", 4);
        zip_header(&z, p, crc, size);
        zip_add(&z, p->name, strlen(p->name));
        zip_add(&z, packed, size);
        free(packed);
        zip_add(&directory, "PK\1\2", 4);
        zip_number(&directory, 20, 2);
        zip_header(&directory, p, crc, size);
        zip_number(&directory, 0, 8); /* comment, disk, attributes */
        zip_number(&directory, 0, 2);
        zip_number(&directory, at, 4);
        zip_add(&directory, p->name, strlen(p->name));
    }
    size_t at = z.n;
    zip_add(&z, directory.bytes, directory.n);
    zip_add(&z, "PK\5\6", 4);
    zip_number(&z, 0, 4);
    zip_number(&z, n, 2);
    zip_number(&z, n, 2);
    zip_number(&z, directory.n, 4);
    zip_number(&z, at, 4);
    zip_number(&z, 0, 2);
    free(directory.bytes);
    return z;
}

#endif
