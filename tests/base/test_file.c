/* SPDX-License-Identifier: MIT */
/* Input: plain, gzip and zstd, whole, in members, cut short, damaged. Output: all or nothing. */
#include "support/unit.h"
#include "support/fail_alloc.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/random.h"
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

enum { N_BYTES = 400000 };

typedef struct fixture {
    cairn_context *ctx;
    char folder[64];
    char path[128];
    char *bytes; /* N_BYTES that compress to about a third */
} fixture;

static int setup(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    if (!f || cairn_context_new(&f->ctx, NULL)) return -1;
    snprintf(f->folder, sizeof f->folder, "/tmp/cairn-test-XXXXXX");
    if (!mkdtemp(f->folder)) return -1;
    snprintf(f->path, sizeof f->path, "%s/data", f->folder);
    f->bytes = malloc(N_BYTES);
    cairn_random random;
    cairn_random_start(&random, 1, 0);
    for (size_t i = 0; i < N_BYTES; i++)
        f->bytes[i] = "0123456789\n,"[cairn_random_below(&random, 12)];
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    fixture *f = *state;
    unlink(f->path);
    rmdir(f->folder);
    cairn_context_free(f->ctx);
    free(f->bytes);
    free(f);
    return 0;
}

static void put(const char *path, const void *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    fclose(file);
}

/* One gzip member; the caller frees. */
static unsigned char *gzipped(const char *bytes, size_t length, size_t *n)
{
    z_stream z = {0};
    size_t buffer = compressBound(length) + 64;
    unsigned char *out = malloc(buffer);
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (Bytef *)(uintptr_t)bytes;
    z.avail_in = (uInt)length;
    z.next_out = out;
    z.avail_out = (uInt)buffer;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    *n = z.total_out;
    deflateEnd(&z);
    return out;
}

static unsigned char *zstandard(const char *bytes, size_t length, size_t *n)
{
    size_t buffer = ZSTD_compressBound(length);
    unsigned char *out = malloc(buffer);
    ZSTD_CCtx *z = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(z, ZSTD_c_checksumFlag, 1);
    *n = ZSTD_compress2(z, out, buffer, bytes, length);
    ZSTD_freeCCtx(z);
    assert_false(ZSTD_isError(*n));
    return out;
}

typedef unsigned char *(*compressor)(const char *bytes, size_t length, size_t *n);

/* The file holds exactly these bytes, whether read whole or in pieces of an odd size. */
static void assert_reads(fixture *f, const char *bytes, size_t length)
{
    char *got, piece[777];
    size_t n, step;
    assert_ok(f->ctx, cairn_file_read_all(f->ctx, f->path, &got, &n));
    assert_int_equal(n, length);
    assert_memory_equal(got, bytes, length);
    assert_int_equal(got[n], 0);
    cairn_free(got);
    cairn_input *input;
    assert_ok(f->ctx, cairn_input_open(f->ctx, &input, f->path));
    n = 0;
    do {
        assert_ok(f->ctx, cairn_input_read(f->ctx, input, piece, sizeof piece, &step));
        assert_true(n + step <= length);
        assert_memory_equal(piece, bytes + n, step);
        n += step;
    } while (step);
    assert_int_equal(n, length);
    assert_ok(f->ctx, cairn_input_read(f->ctx, input, piece, sizeof piece, &step));
    assert_int_equal(step, 0);
    cairn_input_close(input);
}

static void test_input__plain(void **state)
{
    fixture *f = *state;
    for (size_t length = 0; length < 6; length++) {
        put(f->path, f->bytes, length);
        assert_reads(f, f->bytes, length);
    }
    put(f->path, f->bytes, N_BYTES);
    assert_reads(f, f->bytes, N_BYTES);
    cairn_input *input;
    assert_ok(f->ctx, cairn_input_open(f->ctx, &input, f->path));
    assert_int_equal(cairn_input_size(input), N_BYTES);
    assert_true(cairn_input_plain_descriptor(input) >= 0);
    assert_string_equal(cairn_input_name(input), f->path);
    cairn_input_close(input);
}

/* One member, several (an empty one between), and a plain head that only looks compressed. */
static void check_compressed(fixture *f, compressor compress)
{
    size_t n, n_empty, n_rest;
    unsigned char *whole = compress(f->bytes, N_BYTES, &n);
    put(f->path, whole, n);
    assert_reads(f, f->bytes, N_BYTES);
    cairn_input *input;
    assert_ok(f->ctx, cairn_input_open(f->ctx, &input, f->path));
    assert_int_equal(cairn_input_size(input), -1);
    assert_int_equal(cairn_input_plain_descriptor(input), -1);
    cairn_input_close(input);
    free(whole);

    unsigned char *first = compress(f->bytes, 1000, &n), *empty = compress("", 0, &n_empty);
    unsigned char *rest = compress(f->bytes + 1000, N_BYTES - 1000, &n_rest);
    unsigned char *all = malloc(n + n_empty + n_rest);
    memcpy(all, first, n);
    memcpy(all + n, empty, n_empty);
    memcpy(all + n + n_empty, rest, n_rest);
    put(f->path, all, n + n_empty + n_rest);
    assert_reads(f, f->bytes, N_BYTES);
    put(f->path, empty, n_empty);
    assert_reads(f, "", 0);
    free(first);
    free(empty);
    free(rest);
    free(all);
}

static void test_input__gzip(void **state)
{
    check_compressed(*state, gzipped);
}

static void test_input__zstd(void **state)
{
    check_compressed(*state, zstandard);
}

/* In pieces of unknown number, so that the frame asks for the whole window. */
static unsigned char *wide_zstandard(const char *bytes, size_t length, size_t *n)
{
    size_t buffer = ZSTD_compressBound(length) + 64;
    unsigned char *out = malloc(buffer);
    ZSTD_CCtx *z = ZSTD_createCCtx();
    ZSTD_inBuffer in = {bytes, length, 0};
    ZSTD_outBuffer made = {out, buffer, 0};
    ZSTD_CCtx_setParameter(z, ZSTD_c_windowLog, 25);
    assert_false(ZSTD_isError(ZSTD_compressStream2(z, &made, &in, ZSTD_e_flush)));
    assert_int_equal(ZSTD_compressStream2(z, &made, &in, ZSTD_e_end), 0);
    ZSTD_freeCCtx(z);
    *n = made.pos;
    return out;
}

/* What the decoder keeps counts against the limit of memory. */
static void test_input__window_of_zstd(void **state)
{
    fixture *f = *state;
    size_t n, length;
    char *got;
    unsigned char *whole = wide_zstandard(f->bytes, 500, &n);
    put(f->path, whole, n);
    free(whole);
    cairn_context_set_memory(f->ctx, 16 << 20);
    assert_fails(f->ctx, cairn_file_read_all(f->ctx, f->path, &got, &length), CAIRN_NO_MEMORY,
                 "a window of more than");
    cairn_context_set_memory(f->ctx, 64 << 20);
    assert_reads(f, f->bytes, 500);
}

/* Every cut and every changed byte of a small file is noticed, and none of them crashes. */
static void check_damage(fixture *f, compressor compress)
{
    size_t n, length;
    char *got;
    cairn_input *input;
    unsigned char *whole = compress(f->bytes, 500, &n);
    for (size_t cut = 4; cut < n; cut++) {
        unsigned char *part = malloc(cut); /* so that an overrun would be seen */
        memcpy(part, whole, cut);
        assert_ok(f->ctx, cairn_input_memory(f->ctx, &input, "part", part, cut));
        assert_fails(f->ctx, cairn_input_read_all(f->ctx, input, &got, &length), CAIRN_BAD_DATA,
                     "part: ");
        cairn_input_close(input);
        free(part);
    }
    int noticed = 0;
    for (size_t at = 4; at < n; at++) {
        whole[at] ^= 0x10;
        assert_ok(f->ctx, cairn_input_memory(f->ctx, &input, "bent", whole, n));
        cairn_status status = cairn_input_read_all(f->ctx, input, &got, &length);
        cairn_input_close(input);
        if (status == CAIRN_OK) {
            assert_memory_equal(got, f->bytes, 500); /* a byte that means nothing */
            cairn_free(got);
        } else {
            assert_int_equal(status, CAIRN_BAD_DATA);
            noticed++;
        }
        whole[at] ^= 0x10;
    }
    assert_true(noticed > (int)n - 12);
    free(whole);
}

static void test_input__damaged_gzip(void **state)
{
    check_damage(*state, gzipped);
}

static void test_input__damaged_zstd(void **state)
{
    check_damage(*state, zstandard);
}

/* A frame that declares 176 bytes and ends without any is no empty file, in whatever pieces it is
 * read. */
static void test_input__zstd_holds_what_it_declares(void **state)
{
    static const unsigned char frame[] = {0x28, 0xB5, 0x2F, 0xFD, 0x20, 0xB0, 0x01, 0x00, 0x00};
    fixture *f = *state;
    for (size_t size = 10; size <= 1000; size *= 10) {
        char piece[1000];
        cairn_input *input = NULL;
        size_t got;
        assert_ok(f->ctx, cairn_input_memory(f->ctx, &input, "x.zst", frame, sizeof frame));
        assert_fails(f->ctx, cairn_input_read(f->ctx, input, piece, size, &got), CAIRN_BAD_DATA,
                     "the zstd data is damaged");
        cairn_input_close(input);
    }
}

static void test_input__cut_short_says_so(void **state)
{
    fixture *f = *state;
    size_t n, length;
    char *got;
    unsigned char *whole = gzipped(f->bytes, N_BYTES, &n);
    put(f->path, whole, n / 2);
    assert_fails(f->ctx, cairn_file_read_all(f->ctx, f->path, &got, &length), CAIRN_BAD_DATA,
                 "cut short");
    put(f->path, whole, 3);
    assert_fails(f->ctx, cairn_file_read_all(f->ctx, f->path, &got, &length), CAIRN_BAD_DATA,
                 "cut short");
    free(whole);
}

static void test_input__not_there_or_a_folder(void **state)
{
    fixture *f = *state;
    char *got;
    size_t length;
    assert_fails(f->ctx, cairn_file_read_all(f->ctx, f->path, &got, &length), CAIRN_FILE_ERROR,
                 "No such file");
    assert_non_null(strstr(cairn_message(f->ctx), f->path));
    assert_fails(f->ctx, cairn_file_read_all(f->ctx, f->folder, &got, &length), CAIRN_FILE_ERROR,
                 "folder");
}

static void test_input__system_file_of_unknown_size(void **state)
{
    fixture *f = *state;
    char *got;
    size_t length;
    if (access("/proc/self/status", R_OK)) skip();
    assert_ok(f->ctx, cairn_file_read_all(f->ctx, "/proc/self/status", &got, &length));
    assert_true(length > 100);
    cairn_free(got);
}

static void test_input__standard_input_through_a_pipe(void **state)
{
    fixture *f = *state;
    int ends[2], kept = dup(STDIN_FILENO);
    assert_int_equal(pipe(ends), 0);
    dup2(ends[0], STDIN_FILENO);
    size_t n, length;
    unsigned char *packed = gzipped("a,b\n1,2\n", 8, &n);
    assert_int_equal(write(ends[1], packed, n), n);
    close(ends[1]);
    char *got;
    assert_ok(f->ctx, cairn_file_read_all(f->ctx, "-", &got, &length));
    assert_string_equal(got, "a,b\n1,2\n");
    cairn_free(got);
    free(packed);
    dup2(kept, STDIN_FILENO);
    close(kept);
    close(ends[0]);
}

static void assert_holds(fixture *f, const char *bytes)
{
    char *got;
    size_t length;
    assert_ok(f->ctx, cairn_file_read_all(f->ctx, f->path, &got, &length));
    assert_string_equal(got, bytes);
    cairn_free(got);
}

/* Nothing is seen before the commit, nothing is left behind after an abort. */
static void test_output__all_or_nothing(void **state)
{
    fixture *f = *state;
    cairn_output_file *file;
    assert_ok(f->ctx, cairn_file_write_all(f->ctx, f->path, "old", 3));
    assert_ok(f->ctx, cairn_output_open(f->ctx, &file, f->path));
    assert_ok(f->ctx, cairn_output_write(f->ctx, file, f->bytes, N_BYTES));
    assert_holds(f, "old");
    cairn_output_abort(file);
    assert_holds(f, "old");
    assert_ok(f->ctx, cairn_output_open(f->ctx, &file, f->path));
    for (size_t i = 0; i < N_BYTES; i += 1000)
        assert_ok(f->ctx, cairn_output_write(f->ctx, file, f->bytes + i, 1000));
    assert_ok(f->ctx, cairn_output_commit(f->ctx, file));
    assert_reads(f, f->bytes, N_BYTES);
    unlink(f->path);
    assert_int_equal(rmdir(f->folder), 0); /* nothing else was in there */
    cairn_output_abort(NULL);
}

static void test_output__mode_and_links_stay(void **state)
{
    fixture *f = *state;
    struct stat about;
    char link[160];
    mode_t mask = umask(027);
    assert_ok(f->ctx, cairn_file_write_all(f->ctx, f->path, "one", 3));
    umask(mask);
    assert_int_equal(stat(f->path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0640);
    chmod(f->path, 0600);
    snprintf(link, sizeof link, "%s/link", f->folder);
    assert_int_equal(symlink(f->path, link), 0);
    assert_ok(f->ctx, cairn_file_write_all(f->ctx, link, "two", 3));
    assert_int_equal(lstat(link, &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    assert_int_equal(stat(f->path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
    assert_holds(f, "two");
    unlink(link);
}

/* A name that leaves no room for a suffix, and a link to a file that is not there yet. */
static void test_output__long_names_and_links_that_lead_nowhere(void **state)
{
    fixture *f = *state;
    struct stat about;
    char path[512], link[160], name[256];
    memset(name, 'x', 255);
    name[255] = 0;
    snprintf(path, sizeof path, "%s/%s", f->folder, name);
    assert_ok(f->ctx, cairn_file_write_all(f->ctx, path, "long", 4));
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_size, 4);
    unlink(path);
    snprintf(link, sizeof link, "%s/link", f->folder);
    snprintf(path, sizeof path, "%s/there", f->folder);
    assert_int_equal(symlink("there", link), 0);
    assert_ok(f->ctx, cairn_file_write_all(f->ctx, link, "two", 3));
    assert_int_equal(lstat(link, &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    assert_int_equal(lstat(path, &about), 0);
    assert_true(S_ISREG(about.st_mode));
    unlink(path);
    unlink(link);
}

static void test_output__full_disk(void **state)
{
    fixture *f = *state;
    if (access("/dev/full", W_OK)) skip();
    assert_fails(f->ctx, cairn_file_write_all(f->ctx, "/dev/full", "x", 1), CAIRN_FILE_ERROR,
                 "No space left");
    assert_fails(f->ctx, cairn_file_write_all(f->ctx, "/dev/full", f->bytes, N_BYTES),
                 CAIRN_FILE_ERROR, "/dev/full");
    struct stat about;
    assert_int_equal(stat("/dev/full", &about), 0);
    assert_true(S_ISCHR(about.st_mode));
}

static void test_output__wrong_places(void **state)
{
    fixture *f = *state;
    assert_fails(f->ctx, cairn_file_write_all(f->ctx, f->folder, "x", 1), CAIRN_FILE_ERROR,
                 "folder");
    assert_fails(f->ctx, cairn_file_write_all(f->ctx, "/nowhere/at/all", "x", 1), CAIRN_FILE_ERROR,
                 "/nowhere/at/all: cannot write");
}

static void test_output__read_only_folder(void **state)
{
    fixture *f = *state;
    bool is_root = geteuid() == 0; /* to whom everything is writable */
    if (is_root) {
        assert_int_equal(chown(f->folder, 65534, 65534), 0);
        assert_int_equal(seteuid(65534), 0);
    }
    assert_ok(f->ctx, cairn_file_write_all(f->ctx, f->path, "old", 3));
    chmod(f->folder, 0500);
    assert_fails(f->ctx, cairn_file_write_all(f->ctx, f->path, "new", 3), CAIRN_FILE_ERROR,
                 "Permission denied");
    chmod(f->folder, 0700);
    assert_holds(f, "old");
    chmod(f->path, 0400);
    assert_fails(f->ctx, cairn_file_write_all(f->ctx, f->path, "new", 3), CAIRN_FILE_ERROR,
                 "Permission denied");
    assert_holds(f, "old");
    if (is_root) assert_int_equal(seteuid(0), 0);
}

static cairn_status read_and_write(cairn_context *ctx, void *data)
{
    fixture *f = data;
    char *got = NULL;
    size_t n;
    cairn_status status;
    TRY(cairn_file_write_all(ctx, f->path, "some text", 9));
    TRY(cairn_file_read_all(ctx, f->path, &got, &n));
done:
    cairn_free(got);
    return status;
}

static void test_file__failing_allocations(void **state)
{
    assert_survives_allocation_failures(read_and_write, *state);
}

#define file_test(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        file_test(test_input__plain),
        file_test(test_input__gzip),
        file_test(test_input__zstd),
        file_test(test_input__damaged_gzip),
        file_test(test_input__damaged_zstd),
        file_test(test_input__zstd_holds_what_it_declares),
        file_test(test_input__window_of_zstd),
        file_test(test_input__cut_short_says_so),
        file_test(test_input__not_there_or_a_folder),
        file_test(test_input__system_file_of_unknown_size),
        file_test(test_input__standard_input_through_a_pipe),
        file_test(test_output__all_or_nothing),
        file_test(test_output__mode_and_links_stay),
        file_test(test_output__long_names_and_links_that_lead_nowhere),
        file_test(test_output__full_disk),
        file_test(test_output__wrong_places),
        file_test(test_output__read_only_folder),
        file_test(test_file__failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
