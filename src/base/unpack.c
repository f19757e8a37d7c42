/* SPDX-License-Identifier: MIT */
/* Unpacking blocks in memory. Snappy is read here: Debian's library is C++, and loading that
 * language's run time would double the start of every command. */
#include "base/unpack.h"
#include <limits.h>
#include <lz4.h>
#include <lz4frame.h>
#include <stdint.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

/* A byte of LZ4 stands for at most 255 others, one of deflate for 1,032, and three of snappy for
 * 64; a frame of zstd may say what it holds. */
bool cairn_unpack_possible(cairn_codec codec, const void *from, size_t n, size_t size)
{
    enum { LZ4_MOST = 256, DEFLATE_MOST = 1040, SNAPPY_MOST = 64 };
    if (codec == CAIRN_CODEC_ZSTD) {
        unsigned long long told = ZSTD_getFrameContentSize(from, n);
        return told == ZSTD_CONTENTSIZE_UNKNOWN || told == size;
    }
    size_t most = codec == CAIRN_CODEC_GZIP     ? DEFLATE_MOST
                  : codec == CAIRN_CODEC_SNAPPY ? SNAPPY_MOST
                                                : LZ4_MOST;
    return size / most <= n;
}

static bool unpack_frames(char *to, size_t size, const char *from, size_t n)
{
    LZ4F_dctx *state;
    size_t done = 0, rest = 1;
    if (LZ4F_isError(LZ4F_createDecompressionContext(&state, LZ4F_VERSION))) return false;
    while (rest && n) {
        size_t made = size - done, taken = n;
        rest = LZ4F_decompress(state, to + done, &made, from, &taken, NULL);
        if (LZ4F_isError(rest) || (!made && !taken)) break;
        done += made;
        from += taken;
        n -= taken;
    }
    LZ4F_freeDecompressionContext(state);
    return rest == 0 && done == size;
}

static bool unpack_block(char *to, size_t size, const char *from, size_t n)
{
    return size <= INT_MAX && n <= INT_MAX &&
           LZ4_decompress_safe(from, to, (int)n, (int)size) == (int)size;
}

static size_t big_endian(const char *at)
{
    const unsigned char *b = (const unsigned char *)at;
    return (size_t)b[0] << 24 | (size_t)b[1] << 16 | (size_t)b[2] << 8 | b[3];
}

static bool unpack_hadoop(char *to, size_t size, const char *from, size_t n)
{
    enum { HEAD = 8 };
    size_t at = 0, done = 0;
    while (n - at > HEAD) {
        size_t whole = big_endian(from + at), packed = big_endian(from + at + 4);
        if (packed > n - at - HEAD || whole > size - done ||
            !unpack_block(to + done, whole, from + at + HEAD, packed))
            break;
        at += HEAD + packed;
        done += whole;
    }
    return (at == n && done == size) || unpack_block(to, size, from, n);
}

static bool unpack_gzip(void *to, size_t size, const void *from, size_t n)
{
    enum { ANY_HEADER = 32 };
    z_stream z = {.next_in = (Bytef *)(uintptr_t)from,
                  .avail_in = (uInt)n,
                  .next_out = to,
                  .avail_out = (uInt)size};
    if (size > UINT_MAX || n > UINT_MAX || inflateInit2(&z, MAX_WBITS + ANY_HEADER) != Z_OK)
        return false;
    int end = inflate(&z, Z_FINISH);
    inflateEnd(&z);
    return end == Z_STREAM_END && z.avail_out == 0;
}

/* A length, then literals and copies of what stands before. The two lowest bits of a tag say which:
 * 0 = literals, else a copy whose offset has 1, 2 or 4 bytes. */
static bool unpack_snappy(unsigned char *to, size_t size, const unsigned char *from, size_t n)
{
    size_t at = 0, done = 0, told = 0;
    for (int shift = 0;; shift += 7) {
        if (at == n || shift > 28) return false;
        told |= (size_t)(from[at] & 127) << shift;
        if (!(from[at++] & 128)) break;
    }
    if (told != size) return false;
    while (at < n) {
        unsigned tag = from[at++];
        size_t length = (tag >> 2) + 1, offset = 0, n_more = tag & 3;
        if (n_more == 0) {
            size_t bytes = length > 60 ? length - 60 : 0;
            if (bytes > n - at) return false;
            if (bytes) length = 1;
            for (size_t i = 0; i < bytes; i++) length += (size_t)from[at + i] << 8 * i;
            at += bytes;
            if (length > n - at || length > size - done) return false;
            memcpy(to + done, from + at, length);
            at += length;
            done += length;
            continue;
        }
        if (n_more == 3) n_more = 4;
        if (n_more > n - at) return false;
        for (size_t i = 0; i < n_more; i++) offset |= (size_t)from[at + i] << 8 * i;
        at += n_more;
        if (n_more == 1) {
            length = (tag >> 2 & 7) + 4;
            offset |= (size_t)(tag >> 5) << 8;
        }
        if (!offset || offset > done || length > size - done) return false;
        if (offset >= length) {
            memcpy(to + done, to + done - offset, length);
        } else {
            for (size_t i = 0; i < length; i++) to[done + i] = to[done + i - offset];
        }
        done += length;
    }
    return done == size;
}

bool cairn_unpack(cairn_codec codec, void *to, size_t size, const void *from, size_t n)
{
    switch (codec) {
    case CAIRN_CODEC_LZ4_FRAME: return unpack_frames(to, size, from, n);
    case CAIRN_CODEC_LZ4_BLOCK: return unpack_block(to, size, from, n);
    case CAIRN_CODEC_LZ4_HADOOP: return unpack_hadoop(to, size, from, n);
    case CAIRN_CODEC_ZSTD: return ZSTD_decompress(to, size, from, n) == size;
    case CAIRN_CODEC_GZIP: return unpack_gzip(to, size, from, n);
    case CAIRN_CODEC_SNAPPY: return unpack_snappy(to, size, from, n);
    default: return false;
    }
}

size_t cairn_pack_room(size_t n)
{
    return ZSTD_compressBound(n);
}

size_t cairn_pack(void *to, size_t room, const void *from, size_t n)
{
    enum { QUICK = 1 };
    size_t length = ZSTD_compress(to, room, from, n, QUICK);
    return ZSTD_isError(length) ? 0 : length;
}
