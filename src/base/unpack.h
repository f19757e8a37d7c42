/* SPDX-License-Identifier: MIT */
/* Unpacking and packing blocks in memory whose size is known, as they stand inside of files of
 * columns. */
#ifndef CAIRN_BASE_UNPACK_H
#define CAIRN_BASE_UNPACK_H

#include <stdbool.h>
#include <stddef.h>

typedef enum cairn_codec {
    CAIRN_CODEC_LZ4_FRAME,
    CAIRN_CODEC_LZ4_BLOCK,  /* without a frame */
    CAIRN_CODEC_LZ4_HADOOP, /* blocks, each behind both of its lengths; or one block alone */
    CAIRN_CODEC_ZSTD,
    CAIRN_CODEC_GZIP,
    CAIRN_CODEC_SNAPPY
} cairn_codec;

/* Whether n packed bytes can become `size`: what a file claims is looked at before memory is
 * taken. */
bool cairn_unpack_possible(cairn_codec codec, const void *from, size_t n, size_t size);
/* False when they are damaged or become more or fewer than `size` bytes. */
bool cairn_unpack(cairn_codec codec, void *to, size_t size, const void *from, size_t n);

/* Packing by zstd: room for n bytes, and the length of what they became, 0 = it failed. */
size_t cairn_pack_room(size_t n);
size_t cairn_pack(void *to, size_t room, const void *from, size_t n);

#endif
