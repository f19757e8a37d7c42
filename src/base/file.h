/* SPDX-License-Identifier: MIT */
/* Files: streamed input of plain, gzip and zstd data by its magic bytes, and atomic output.
 *
 * Output goes to a temporary file beside the target, is flushed to disk and renamed on commit;
 * anything else leaves the old file as it was. Names "-" mean standard input or output. */
#ifndef CAIRN_BASE_FILE_H
#define CAIRN_BASE_FILE_H

#include "base/context.h"
#include "base/text.h"

typedef struct cairn_input cairn_input;
typedef struct cairn_output_file cairn_output_file;

/* Open for reading. A directory, a missing or an unreadable file fails with a message. */
CAIRN_CHECKED cairn_status cairn_input_open(cairn_context *ctx, cairn_input **out,
                                            const char *path);

/* Read from memory that must outlive the input; `name` is used in messages. Compressed bytes are
 * recognised as in files. */
CAIRN_CHECKED cairn_status cairn_input_memory(cairn_context *ctx, cairn_input **out,
                                              const char *name, const void *bytes, size_t length);

/* Read up to `size` bytes; *got is 0 only at the end. Damaged compressed data fails. */
CAIRN_CHECKED cairn_status cairn_input_read(cairn_context *ctx, cairn_input *input, void *buffer,
                                            size_t size, size_t *got);

/* The next bytes, decoded, without consuming them: CAIRN_PEEK_SIZE of them unless the input ends
 * before. Borrowed until the next read. */
enum { CAIRN_PEEK_SIZE = 1 << 14 };
CAIRN_CHECKED cairn_status cairn_input_peek(cairn_context *ctx, cairn_input *input,
                                            const char **out, size_t *length);

/* As messages call it: the path, or what stands for it. */
const char *cairn_input_name(const cairn_input *input);

/* Size in bytes when it is known without reading (a plain regular file, memory), else -1. */
int64_t cairn_input_size(const cairn_input *input);

/* The file descriptor of a plain, uncompressed regular file, else -1: lets a reader use pread from
 * several threads (its own position has moved already). */
int cairn_input_plain_descriptor(const cairn_input *input);

/* NULL is accepted; standard input stays open. */
void cairn_input_close(cairn_input *input);

/* Read everything; the bytes end with an extra zero byte that is not counted. */
CAIRN_CHECKED cairn_status cairn_input_read_all(cairn_context *ctx, cairn_input *input, char **out,
                                                size_t *length);
CAIRN_CHECKED cairn_status cairn_file_read_all(cairn_context *ctx, const char *path, char **out,
                                               size_t *length);

/* Open for writing; the target's folder must exist and be writable. */
CAIRN_CHECKED cairn_status cairn_output_open(cairn_context *ctx, cairn_output_file **out,
                                             const char *path);
/* The same, but everything goes to the end of `into`, which must outlive the file. */
CAIRN_CHECKED cairn_status cairn_output_memory(cairn_context *ctx, cairn_output_file **out,
                                               cairn_text *into);
/* Buffered. */
CAIRN_CHECKED cairn_status cairn_output_write(cairn_context *ctx, cairn_output_file *file,
                                              const void *bytes, size_t length);
/* Flush, sync and rename; frees the file also when it fails. */
CAIRN_CHECKED cairn_status cairn_output_commit(cairn_context *ctx, cairn_output_file *file);
/* Throw away what was written; NULL is accepted. */
void cairn_output_abort(cairn_output_file *file);

/* All at once. */
CAIRN_CHECKED cairn_status cairn_file_write_all(cairn_context *ctx, const char *path,
                                                const void *bytes, size_t length);

#endif
