/* SPDX-License-Identifier: MIT */
/* The pair of C4.5 files in one input: a line of dashes stands between them. */
#include "base/file.h"
#include "base/memory.h"
#include "data/c45.h"
#include <string.h>

static cairn_status read_part(cairn_context *ctx, cairn_lines *out, const char *bytes, size_t size)
{
    cairn_input *input = NULL;
    cairn_status status = cairn_input_memory(ctx, &input, "fuzz", bytes, size);
    if (status) return status;
    status = cairn_lines_read(ctx, out, input, NULL);
    out->name = "fuzz"; /* the input's own name goes with it */
    cairn_input_close(input);
    return status;
}

static cairn_status read_table(cairn_context *ctx, cairn_table **out, const uint8_t *data,
                               size_t size)
{
    static const char line[] = "\n---\n";
    cairn_status status;
    cairn_lines names = {0}, rows = {0};
    const char *bytes = (const char *)data;
    const char *cut = size ? memmem(bytes, size, line, sizeof line - 1) : NULL;
    size_t first = cut ? (size_t)(cut - bytes) : size;
    size_t second = cut ? first + sizeof line - 1 : size;
    TRY(read_part(ctx, &names, bytes, first));
    TRY(read_part(ctx, &rows, bytes + second, size - second));
    TRY(cairn_c45_read(ctx, out, &names, &rows));
done:
    cairn_lines_clear(&names);
    cairn_lines_clear(&rows);
    return status;
}

#include "fuzz/fuzz_format.h"
