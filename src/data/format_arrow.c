/* SPDX-License-Identifier: MIT */
/* arrow: files (Feather 2) and streams of Apache Arrow.
 *
 * A plain file is mapped, and columns of 64-bit reals and of level codes are used where they lie;
 * what is compressed as a whole, or comes from a pipe, is read into memory first. A file that
 * somebody shortens while it is mapped ends the program, as it does with any program that maps
 * files. */
#include "data/format.h"
#include "data/ipc.h"
#include "data/mapped.h"
#include <string.h>

static cairn_status read_arrow(cairn_context *ctx, cairn_table **out, cairn_input *input,
                               const cairn_read_options *options)
{
    OWNED(cairn_lent_drop) cairn_lent *memory = NULL;
    const uint8_t *bytes;
    size_t length;
    CHECK(cairn_input_map(ctx, input, &bytes, &length, &memory));
    return cairn_ipc_read(ctx, out, bytes, length, memory, cairn_input_name(input), options);
}

/* The magic of a file, or the mark and the length of a message with its schema. */
static bool detect_arrow(const char *name, const char *head, size_t n)
{
    (void)name;
    if (n >= 8 && memcmp(head, CAIRN_IPC_MAGIC "\0", 8) == 0) return true;
    return n >= 8 && memcmp(head, "\xFF\xFF\xFF\xFF", 4) == 0 && head[7] == 0;
}

static cairn_status write_file(cairn_context *ctx, const cairn_table *table,
                               cairn_output_file *file)
{
    return cairn_ipc_write(ctx, table, file, false);
}

static cairn_status write_stream(cairn_context *ctx, const cairn_table *table,
                                 cairn_output_file *file)
{
    return cairn_ipc_write(ctx, table, file, true);
}

const cairn_data_format cairn_arrow_format = {
    .entry =
        {
            .kind = CAIRN_ENTRY_FORMAT,
            .name = "arrow",
            .also = "Apache Arrow, Feather, IPC",
            .title = "Columns of Apache Arrow (Feather 2)",
            .summary =
                "Whole and real numbers, decimals, truth values, dates, times, timestamps, "
                "durations (in seconds), texts, dictionaries, lists of texts (bags) and of numbers "
                "(series), maps from texts to numbers (bags with amounts); buffers as they are or "
                "compressed by lz4 or zstd. A plain file is mapped, and its reals and codes are "
                "used where they lie. Written, it keeps what Cairn knows of the columns: kinds, "
                "levels and their order, roles, how times are written.",
            .example = "cairn convert @iris iris.arrow",
        },
    .extensions = "arrow feather ipc",
    .detect = detect_arrow,
    .read = read_arrow,
    .write = write_file,
};

const cairn_data_format cairn_arrows_format = {
    .entry =
        {
            .kind = CAIRN_ENTRY_FORMAT,
            .name = "arrows",
            .also = "Arrow stream",
            .title = "Stream of Apache Arrow",
            .summary = "The same as arrow, written so that it can be read while it comes: without "
                       "the foot that says where batches lie. Both are read by either name.",
            .example = "cairn convert @iris iris.arrows",
        },
    .extensions = "arrows",
    .read = read_arrow,
    .write = write_stream,
};
