/* SPDX-License-Identifier: MIT */
/* Reading files: see file.h. Compression is recognised by the first bytes, never by the name. */
#include "base/file.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/number.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

typedef enum { PLAIN, GZIP, ZSTANDARD } coding;

enum { INPUT_BUFFER = 1 << 17, LEAST_BUFFER = 1 << 10, MAGIC_SIZE = 4 };

/* Windows of zstd, as powers of two: what its decoder takes unasked, and the least there is. */
enum { LARGEST_WINDOW = 27, SMALLEST_WINDOW = 10 };

struct cairn_input {
    char *name;
    int file;         /* -1 = memory */
    bool is_standard; /* standard input: not ours to close */
    bool is_regular;
    int64_t size;       /* of a regular file */
    const char *memory; /* when file is -1 */
    size_t memory_length, memory_at;
    coding coding;
    unsigned char *buffer; /* raw bytes: a peeked head when plain, compressed input otherwise */
    size_t buffer_size, buffer_at, buffer_length;
    bool raw_ended;
    z_stream gzip;
    bool gzip_open;
    ZSTD_DStream *zstd;
    int window_log; /* of what zstd may keep, at most */
    size_t kept;    /* bytes that it keeps */
    void *counted;  /* them, in the context's memory */
    char *head;     /* decoded bytes that were looked at ahead; NULL when none were */
    size_t head_at, head_length;
    uint64_t unpacked; /* bytes that came out so far */
    bool inside_frame; /* compressed data that stops here has been cut short */
    uint64_t declared; /* bytes of the frame of zstd, by its head; or ZSTD_CONTENTSIZE_... */
    uint64_t unframed; /* bytes of it that came out so far */
};

static cairn_status system_failure(cairn_context *ctx, const char *name, const char *doing)
{
    return cairn_fail(ctx, CAIRN_FILE_ERROR, "%s: cannot %s: %s", name, doing, strerror(errno));
}

void cairn_input_close(cairn_input *input)
{
    if (!input) return;
    if (input->gzip_open) inflateEnd(&input->gzip);
    ZSTD_freeDStream(input->zstd);
    cairn_free(input->counted);
    if (input->file >= 0 && !input->is_standard) close(input->file);
    FREE_EACH(input->buffer, input->head, input->name, input);
}

/* Bytes as they lie in the file or in memory. */
static cairn_status read_raw(cairn_context *ctx, cairn_input *input, void *out, size_t size,
                             size_t *got)
{
    if (input->file < 0) {
        size_t left = input->memory_length - input->memory_at;
        *got = size < left ? size : left;
        if (*got) memcpy(out, input->memory + input->memory_at, *got);
        input->memory_at += *got;
        return CAIRN_OK;
    }
    for (;;) {
        ssize_t n = read(input->file, out, size);
        if (n >= 0) {
            *got = (size_t)n;
            return CAIRN_OK;
        }
        if (errno != EINTR) return system_failure(ctx, input->name, "read");
        if (cairn_is_cancelled(ctx)) return cairn_fail(ctx, CAIRN_CANCELLED, "interrupted");
    }
}

/* As large as the data, where that is known and little. */
static size_t buffer_size(const cairn_input *input)
{
    uint64_t size = input->file < 0     ? (uint64_t)input->memory_length
                    : input->is_regular ? (uint64_t)input->size
                                        : INPUT_BUFFER;
    return size < LEAST_BUFFER ? LEAST_BUFFER : size < INPUT_BUFFER ? (size_t)size : INPUT_BUFFER;
}

/* Look at the head of the data, which a pipe may give in pieces. */
static cairn_status detect_coding(cairn_context *ctx, cairn_input *input)
{
    static const unsigned char zstd_magic[4] = {0x28, 0xB5, 0x2F, 0xFD};
    input->buffer_size = buffer_size(input);
    CHECK(NEW_RAW(ctx, &input->buffer, input->buffer_size));
    while (input->buffer_length < MAGIC_SIZE && !input->raw_ended) {
        size_t got;
        CHECK(read_raw(ctx, input, input->buffer + input->buffer_length,
                       input->buffer_size - input->buffer_length, &got));
        input->buffer_length += got;
        input->raw_ended = got == 0;
    }
    const unsigned char *head = input->buffer;
    if (input->buffer_length >= 4 && memcmp(head, zstd_magic, 4) == 0) {
        /* The decoder keeps a window of what it unpacked, as large as the file asks for, in
         * memory of its own: no more than the context has left. */
        size_t limit = cairn_memory_limit(ctx), used = cairn_memory_in_use(ctx);
        size_t left = limit > used ? limit - used : 0;
        input->coding = ZSTANDARD;
        input->zstd = ZSTD_createDStream();
        if (!input->zstd) return cairn_fail(ctx, CAIRN_NO_MEMORY, "out of memory: zstd decoder");
        input->window_log = LARGEST_WINDOW;
        while (limit && input->window_log > SMALLEST_WINDOW && left >> input->window_log == 0)
            input->window_log--;
        ZSTD_DCtx_setParameter(input->zstd, ZSTD_d_windowLogMax, input->window_log);
    } else if (input->buffer_length >= 3 && head[0] == 0x1F && head[1] == 0x8B && head[2] == 8) {
        input->coding = GZIP;
        if (inflateInit2(&input->gzip, 15 + 16) != Z_OK)
            return cairn_fail(ctx, CAIRN_NO_MEMORY, "out of memory: gzip decoder");
        input->gzip_open = true;
    }
    return CAIRN_OK;
}

/* Only a file of known size is regular here: standard input, pipes and files that say 0 are not. */
static cairn_status open_descriptor(cairn_context *ctx, cairn_input *input, const char *path)
{
    struct stat about;
    input->is_standard = strcmp(path, "-") == 0;
    input->file = input->is_standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (input->file < 0) {
        /* A file that cannot be read, with what to do about it. */
        const char *remedy = errno == ENOENT || errno == ENOTDIR ? "; check the name and the folder"
                             : errno == EACCES                   ? "; check that you may read it"
                                                                 : "";
        return cairn_fail(ctx, CAIRN_FILE_ERROR, "%s: cannot open: %s%s", path, strerror(errno),
                          remedy);
    }
    if (fstat(input->file, &about)) return system_failure(ctx, path, "read");
    if (S_ISDIR(about.st_mode))
        return cairn_fail(ctx, CAIRN_FILE_ERROR, "%s: this is a folder, not a file", path);
    /* system files such as those in /proc say 0 and have something all the same */
    input->is_regular = S_ISREG(about.st_mode) && !input->is_standard && about.st_size > 0;
    input->size = (int64_t)about.st_size;
    return CAIRN_OK;
}

static cairn_status input_new(cairn_context *ctx, cairn_input **out, const char *name)
{
    cairn_input *input;
    cairn_status status = NEW(ctx, &input, 1);
    if (status) return status;
    input->file = -1;
    status = cairn_copy_text(ctx, &input->name, name, strlen(name));
    if (status)
        cairn_input_close(input);
    else
        *out = input;
    return status;
}

cairn_status cairn_input_open(cairn_context *ctx, cairn_input **out, const char *path)
{
    cairn_status status;
    cairn_input *input = NULL;
    TRY(input_new(ctx, &input, strcmp(path, "-") == 0 ? "standard input" : path));
    TRY(open_descriptor(ctx, input, path));
    TRY(detect_coding(ctx, input));
    *out = input;
    return CAIRN_OK;
done:
    cairn_input_close(input);
    return status;
}

cairn_status cairn_input_memory(cairn_context *ctx, cairn_input **out, const char *name,
                                const void *bytes, size_t length)
{
    cairn_status status;
    cairn_input *input = NULL;
    TRY(input_new(ctx, &input, name));
    input->memory = bytes;
    input->memory_length = length;
    TRY(detect_coding(ctx, input));
    *out = input;
    return CAIRN_OK;
done:
    cairn_input_close(input);
    return status;
}

const char *cairn_input_name(const cairn_input *input)
{
    return input->name;
}

int64_t cairn_input_size(const cairn_input *input)
{
    if (input->coding != PLAIN) return -1;
    if (input->file < 0) return (int64_t)input->memory_length;
    return input->is_regular ? input->size : -1;
}

int cairn_input_plain_descriptor(const cairn_input *input)
{
    return input->coding == PLAIN && input->is_regular ? input->file : -1;
}

/* More compressed bytes into the buffer; raw_ended when there are none. */
static cairn_status refill(cairn_context *ctx, cairn_input *input)
{
    size_t got = 0;
    if (input->buffer_at < input->buffer_length || input->raw_ended) return CAIRN_OK;
    cairn_status status = read_raw(ctx, input, input->buffer, input->buffer_size, &got);
    input->buffer_at = 0;
    input->buffer_length = got;
    input->raw_ended = got == 0;
    return status;
}

static cairn_status damaged(cairn_context *ctx, const cairn_input *input, const char *how)
{
    const char *kind = input->coding == GZIP ? "gzip" : "zstd";
    return cairn_fail(ctx, CAIRN_BAD_DATA, "%s: the %s data is %s; fetch or compress it again",
                      input->name, kind, how);
}

/* A gzip file may consist of several members, which are read as one; the end of the file inside a
 * member means that it is cut short. */
static cairn_status inflate_some(cairn_context *ctx, cairn_input *input, char *out, size_t size,
                                 size_t *got)
{
    z_stream *z = &input->gzip;
    z->next_in = input->buffer + input->buffer_at;
    z->avail_in = (uInt)(input->buffer_length - input->buffer_at);
    z->next_out = (Bytef *)out;
    z->avail_out = (uInt)size;
    if (z->avail_in) input->inside_frame = true;
    int code = inflate(z, Z_NO_FLUSH);
    input->buffer_at = input->buffer_length - z->avail_in;
    *got = size - z->avail_out;
    if (code == Z_STREAM_END) { /* another member may follow */
        input->inside_frame = false;
        inflateReset(z);
    } else if (code == Z_MEM_ERROR) {
        return cairn_fail(ctx, CAIRN_NO_MEMORY, "out of memory: gzip decoder");
    } else if (code != Z_OK && code != Z_BUF_ERROR) {
        return damaged(ctx, input, "damaged");
    }
    return CAIRN_OK;
}

static cairn_status window_too_large(cairn_context *ctx, const cairn_input *input)
{
    size_t most = (size_t)1 << input->window_log;
    char limit[CAIRN_NUMBER_SIZE];
    cairn_size_format(limit, (double)cairn_memory_limit(ctx));
    if (input->window_log < LARGEST_WINDOW)
        return cairn_fail(
            ctx, CAIRN_NO_MEMORY,
            "%s: to unpack the zstd data takes a window of more than %zu bytes, which is what the "
            "limit of %s leaves; raise {memory}, or compress the file again with less",
            input->name, most, limit);
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "%s: the zstd data is damaged or asks for a window of more than %zu bytes; "
                      "fetch it again, or compress it with a smaller one",
                      input->name, most);
}

/* The decoder takes its window when it has seen the head of a frame, before it writes into it. */
static cairn_status count_window(cairn_context *ctx, cairn_input *input)
{
    size_t kept = ZSTD_sizeof_DStream(input->zstd);
    if (kept == input->kept) return CAIRN_OK;
    cairn_free(input->counted);
    input->counted = NULL;
    input->kept = 0;
    CHECK(cairn_count(ctx, &input->counted, kept));
    input->kept = kept;
    return CAIRN_OK;
}

/* Data may end between frames; a frame that holds more or less than it declares is damaged. */
static cairn_status unzstd_some(cairn_context *ctx, cairn_input *input, char *out, size_t size,
                                size_t *got)
{
    ZSTD_inBuffer in = {input->buffer, input->buffer_length, input->buffer_at};
    ZSTD_outBuffer buffer = {out, size, 0};
    *got = 0;
    if (in.pos == in.size && !input->inside_frame) return CAIRN_OK; /* the end, between frames */
    if (!input->inside_frame) {
        input->declared = ZSTD_getFrameContentSize(input->buffer + in.pos, in.size - in.pos);
        input->unframed = 0;
    }
    size_t code = ZSTD_decompressStream(input->zstd, &buffer, &in);
    if (ZSTD_getErrorCode(code) == ZSTD_error_frameParameter_windowTooLarge)
        return window_too_large(ctx, input);
    if (ZSTD_getErrorCode(code) == ZSTD_error_memory_allocation)
        return cairn_fail(ctx, CAIRN_NO_MEMORY, "out of memory: zstd decoder");
    if (ZSTD_isError(code)) return damaged(ctx, input, "damaged");
    CHECK(count_window(ctx, input));
    input->inside_frame = code != 0;
    input->buffer_at = in.pos;
    input->unframed += buffer.pos;
    /* zstd itself looks at that only where there is room for the whole frame */
    if (code == 0 && input->declared < ZSTD_CONTENTSIZE_ERROR && input->declared != input->unframed)
        return damaged(ctx, input, "damaged");
    *got = buffer.pos;
    return CAIRN_OK;
}

/* A small file can unpack to more than any machine holds. */
static cairn_status count_unpacked(cairn_context *ctx, cairn_input *input, size_t got)
{
    input->unpacked += got;
    if (input->unpacked <= cairn_context_limit(ctx, CAIRN_LIMIT_UNPACKED)) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_BAD_DATA, "%s: the file unpacks to more than is allowed: %s",
                      input->name, cairn_limit_said(ctx, CAIRN_LIMIT_UNPACKED, 0));
}

static cairn_status read_compressed(cairn_context *ctx, cairn_input *input, char *out, size_t size,
                                    size_t *got)
{
    *got = 0;
    if (size > 1u << 30) size = 1u << 30;
    do {
        CHECK(refill(ctx, input));
        CHECK(input->coding == GZIP ? inflate_some(ctx, input, out, size, got)
                                    : unzstd_some(ctx, input, out, size, got));
    } while (*got == 0 && !input->raw_ended);
    if (*got == 0 && input->inside_frame) return damaged(ctx, input, "cut short");
    return count_unpacked(ctx, input, *got);
}

/* The next bytes in their decoded form, past those that were looked at ahead. */
static cairn_status read_decoded(cairn_context *ctx, cairn_input *input, void *buffer, size_t size,
                                 size_t *got)
{
    if (input->coding != PLAIN) return read_compressed(ctx, input, buffer, size, got);
    size_t peeked = input->buffer_length - input->buffer_at;
    if (!peeked) return read_raw(ctx, input, buffer, size, got);
    *got = peeked < size ? peeked : size;
    memcpy(buffer, input->buffer + input->buffer_at, *got);
    input->buffer_at += *got;
    return CAIRN_OK;
}

cairn_status cairn_input_read(cairn_context *ctx, cairn_input *input, void *buffer, size_t size,
                              size_t *got)
{
    size_t left = input->head_length - input->head_at;
    if (!left) return read_decoded(ctx, input, buffer, size, got);
    *got = left < size ? left : size;
    memcpy(buffer, input->head + input->head_at, *got);
    input->head_at += *got;
    return CAIRN_OK;
}

cairn_status cairn_input_peek(cairn_context *ctx, cairn_input *input, const char **out,
                              size_t *length)
{
    size_t got = 1;
    if (!input->head) CHECK(NEW_RAW(ctx, &input->head, CAIRN_PEEK_SIZE));
    if (input->head_at) {
        input->head_length -= input->head_at;
        memmove(input->head, input->head + input->head_at, input->head_length);
        input->head_at = 0;
    }
    while (got && input->head_length < CAIRN_PEEK_SIZE) {
        CHECK(read_decoded(ctx, input, input->head + input->head_length,
                           CAIRN_PEEK_SIZE - input->head_length, &got));
        input->head_length += got;
    }
    *out = input->head;
    *length = input->head_length;
    return CAIRN_OK;
}

cairn_status cairn_input_read_all(cairn_context *ctx, cairn_input *input, char **out,
                                  size_t *length)
{
    OWNED(cairn_free) char *bytes = NULL;
    size_t capacity = 0, n = 0, got;
    int64_t size = cairn_input_size(input);
    CHECK(GROW(ctx, &bytes, &capacity, size > 0 ? (size_t)size + 2 : 4096));
    do {
        CHECK(GROW(ctx, &bytes, &capacity, n + 2));
        CHECK(cairn_input_read(ctx, input, bytes + n, capacity - n - 1, &got));
        n += got;
    } while (got);
    bytes[n] = 0;
    *out = TAKE(bytes);
    *length = n;
    return CAIRN_OK;
}

cairn_status cairn_file_read_all(cairn_context *ctx, const char *path, char **out, size_t *length)
{
    cairn_input *input;
    cairn_status status = cairn_input_open(ctx, &input, path);
    if (status) return status;
    status = cairn_input_read_all(ctx, input, out, length);
    cairn_input_close(input);
    return status;
}
