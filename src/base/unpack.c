/* SPDX-License-Identifier: MIT */
#include "base/unpack.h"
#include <lz4frame.h>
#include <zstd.h>

/* A byte of LZ4 stands for at most 255 others; a frame of zstd may say what it holds. */
bool cairn_unpack_possible(cairn_codec codec, const void *from, size_t n, size_t size)
{
    enum { LZ4_MOST = 256 };
    if (codec == CAIRN_CODEC_LZ4_FRAME) return size / LZ4_MOST <= n;
    unsigned long long told = ZSTD_getFrameContentSize(from, n);
    return told == ZSTD_CONTENTSIZE_UNKNOWN || told == size;
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

bool cairn_unpack(cairn_codec codec, void *to, size_t size, const void *from, size_t n)
{
    if (codec == CAIRN_CODEC_LZ4_FRAME) return unpack_frames(to, size, from, n);
    return ZSTD_decompress(to, size, from, n) == size;
}
