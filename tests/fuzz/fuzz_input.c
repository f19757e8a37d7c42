/* SPDX-License-Identifier: MIT */
/* Compressed input of any bytes, read whole and in small pieces: both ways agree, unless there is
 * too little memory for one of them. */
#include "fuzz/fuzz.h"
#include "base/file.h"
#include "base/memory.h"

/* The same bytes in pieces; their number and a checksum of them. */
static cairn_status read_pieces(cairn_context *ctx, const uint8_t *data, size_t size, size_t *n,
                                uint32_t *sum)
{
    cairn_input *input;
    cairn_status status = cairn_input_memory(ctx, &input, "fuzz", data, size);
    if (status) return status;
    char piece[101];
    size_t got = 0;
    do {
        status = cairn_input_read(ctx, input, piece, sizeof piece, &got);
        if (status == CAIRN_OK) *n += got;
        for (size_t i = 0; status == CAIRN_OK && i < got; i++)
            *sum = *sum * 31 + (unsigned char)piece[i];
    } while (status == CAIRN_OK && got && *n < (16u << 20));
    cairn_input_close(input);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cairn_context *ctx = fuzz_begin();
    cairn_input *input = NULL;
    char *bytes = NULL;
    size_t length = 0, n = 0;
    uint32_t sum = 0, other = 0;
    cairn_context_set_memory(ctx, 8 << 20);
    cairn_status status = cairn_input_memory(ctx, &input, "fuzz", data, size);
    if (status == CAIRN_OK) status = cairn_input_read_all(ctx, input, &bytes, &length);
    fuzz_check(ctx, status);
    cairn_input_close(input);
    if (status != CAIRN_NO_MEMORY) {
        cairn_context_set_memory(ctx, 24 << 20); /* with room for both */
        cairn_status again = read_pieces(ctx, data, size, &n, &sum);
        fuzz_check(ctx, again);
        /* zstd unpacks into large room at once, and needs a window for small pieces only */
        if (again == CAIRN_NO_MEMORY) status = again;
        if (again != status) abort();
    }
    if (status == CAIRN_OK) {
        for (size_t i = 0; i < length; i++) other = other * 31 + (unsigned char)bytes[i];
        if (n != length || sum != other) abort();
    }
    cairn_free(bytes);
    fuzz_end();
    return 0;
}
