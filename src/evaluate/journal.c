/* SPDX-License-Identifier: MIT */
/* A journal is a text file. Its first line is "cairn-journal TAB identity", each further one
 * "key TAB number TAB ... TAB end"; a line that does not end so was cut short. */
#include "evaluate/journal.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char magic[] = "cairn-journal\t";
static const char line_end[] = "\tend";

void cairn_journal_clear(cairn_journal *journal)
{
    cairn_map_clear(&journal->keys);
    cairn_free(journal->numbers);
    *journal = (cairn_journal){0};
}

static cairn_status keep(cairn_context *ctx, cairn_journal *j, const char *key, size_t length,
                         const double *numbers)
{
    size_t at;
    CHECK(cairn_map_add(ctx, &j->keys, key, length, &at));
    CHECK(GROW(ctx, &j->numbers, &j->capacity, (at + 1) * CAIRN_JOURNAL_NUMBERS));
    memcpy(j->numbers + at * CAIRN_JOURNAL_NUMBERS, numbers,
           CAIRN_JOURNAL_NUMBERS * sizeof *numbers);
    return CAIRN_OK;
}

/* One line: key and numbers; what does not read is left out, and will be computed again. */
static cairn_status read_line(cairn_context *ctx, cairn_journal *j, const char *line, size_t length)
{
    double numbers[CAIRN_JOURNAL_NUMBERS];
    size_t end = strlen(line_end);
    if (length < end || memcmp(line + length - end, line_end, end) != 0) return CAIRN_OK;
    const char *stop = line + length - end, *tab = memchr(line, '\t', (size_t)(stop - line));
    const char *at = tab;
    for (int i = 0; i < CAIRN_JOURNAL_NUMBERS; i++) {
        if (!at || at >= stop) return CAIRN_OK;
        const char *next = memchr(at + 1, '\t', (size_t)(stop - at - 1));
        const char *cell_end = next ? next : stop;
        size_t n = (size_t)(cell_end - at - 1);
        if (n == 1 && at[1] == '-')
            numbers[i] = NAN;
        else if (!cairn_number_parse(at + 1, n, &numbers[i]))
            return CAIRN_OK;
        at = next;
    }
    return keep(ctx, j, line, (size_t)(tab - line), numbers);
}

/* Results of other data, options or seed would be wrong here, so the identity must be the same
 * to the byte; a last line cut short is left out. */
static cairn_status read_journal(cairn_context *ctx, cairn_journal *j, const char *bytes,
                                 size_t length, const char *identity)
{
    const char *end = bytes + length, *newline = memchr(bytes, '\n', length);
    size_t head = strlen(magic);
    if (!newline || (size_t)(newline - bytes) < head || memcmp(bytes, magic, head) != 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s is not the journal of a search; name another file with {journal}",
                          j->path);
    size_t n = (size_t)(newline - bytes) - head;
    if (n != strlen(identity) || memcmp(bytes + head, identity, n) != 0)
        return cairn_fail(
            ctx, CAIRN_BAD_DATA,
            "%s belongs to another search (other data, options or seed); remove it or "
            "name another file with {journal}",
            j->path);
    for (const char *line = newline + 1; line < end; line = newline + 1) {
        newline = memchr(line, '\n', (size_t)(end - line));
        if (!newline) break;
        CHECK(read_line(ctx, j, line, (size_t)(newline - line)));
    }
    return CAIRN_OK;
}

/* Append bytes and see them to the disk. */
static cairn_status append(cairn_context *ctx, const char *path, const char *bytes, size_t length)
{
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    bool good = file >= 0;
    while (good && length > 0) {
        ssize_t written = write(file, bytes, length);
        if (written < 0 && errno == EINTR) continue;
        good = written >= 0;
        if (good) bytes += written, length -= (size_t)written;
    }
    if (good) good = fsync(file) == 0;
    int reason = errno;
    if (file >= 0 && close(file) != 0 && good) good = false, reason = errno;
    if (good) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_FILE_ERROR, "cannot write the journal %s: %s", path,
                      strerror(reason));
}

cairn_status cairn_journal_open(cairn_context *ctx, cairn_journal *out, const char *path,
                                const char *identity)
{
    cairn_status status = CAIRN_OK;
    char *bytes = NULL;
    size_t length = 0;
    struct stat about;
    cairn_text head = cairn_text_start(ctx);
    *out = (cairn_journal){.path = path};
    if (!path) return CAIRN_OK;
    if (stat(path, &about) == 0) {
        if (!S_ISREG(about.st_mode)) /* a device may never end */
            TRY(cairn_fail(ctx, CAIRN_FILE_ERROR, "%s is not a file that can keep a journal",
                           path));
        TRY(cairn_file_read_all(ctx, path, &bytes, &length));
    }
    if (length > 0) {
        TRY(read_journal(ctx, out, bytes, length, identity));
        if (bytes[length - 1] != '\n') TRY(append(ctx, path, "\n", 1)); /* after a cut line */
    } else {
        cairn_text_addf(&head, "%s%s\n", magic, identity);
        TRY(cairn_text_status(&head));
        TRY(append(ctx, path, cairn_text_string(&head), head.length));
    }
done:
    cairn_text_clear(&head);
    cairn_free(bytes);
    if (status) cairn_journal_clear(out);
    return status;
}

const double *cairn_journal_find(cairn_journal *journal, const char *key)
{
    int64_t at = cairn_map_find(&journal->keys, key, strlen(key));
    if (at < 0) return NULL;
    journal->n_found++;
    return journal->numbers + (size_t)at * CAIRN_JOURNAL_NUMBERS;
}

cairn_status cairn_journal_add(cairn_context *ctx, cairn_journal *journal, const char *key,
                               const double numbers[CAIRN_JOURNAL_NUMBERS])
{
    SCOPED(cairn_text_clear) cairn_text line = cairn_text_start(ctx);
    CHECK(keep(ctx, journal, key, strlen(key), numbers));
    if (!journal->path) return CAIRN_OK;
    cairn_text_add(&line, key);
    for (int i = 0; i < CAIRN_JOURNAL_NUMBERS; i++) {
        char number[CAIRN_NUMBER_SIZE] = "-";
        if (!isnan(numbers[i])) cairn_number_format(number, numbers[i], 0);
        cairn_text_addf(&line, "\t%s", number);
    }
    cairn_text_addf(&line, "%s\n", line_end);
    CHECK(cairn_text_status(&line));
    return append(ctx, journal->path, cairn_text_string(&line), line.length);
}
