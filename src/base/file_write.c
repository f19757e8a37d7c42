/* SPDX-License-Identifier: MIT */
/* Writing files: see file.h.
 *
 * What is written goes to a file without a name in the folder of the target, which ends with the
 * process that is killed. When it is whole it is synced and gets the target's name, or where that
 * is taken NAME.PID-N.tmp, which is renamed at once; then the folder is synced, so that the new
 * name
 * is on the disk as well. File systems that have no files without a name hold NAME.PID-N.tmp from
 * the beginning. What a killed process leaves of that kind the next one that writes to the same
 * target removes: the process is gone, and the lock that it held on the file with it (a process of
 * another machine that shares the folder has no number here, but its lock). */
#include "base/file.h"
#include "base/memory.h"
#include "base/signals.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OUTPUT_BUFFER = 1 << 16, SUFFIX_BUFFER = 40, MOST_HOPS = 40 };

struct cairn_output_file {
    char *path;       /* the target, NULL for standard output */
    char *temporary;  /* renamed on commit, "" = has no name yet; NULL when written straight */
    cairn_text *into; /* memory in place of a file; then `file` is -1 */
    int file;
    size_t n;
    char buffer[OUTPUT_BUFFER];
};

static cairn_status system_failure(cairn_context *ctx, const char *name, const char *doing)
{
    return cairn_fail(ctx, CAIRN_FILE_ERROR, "%s: cannot %s: %s", name, doing, strerror(errno));
}

/* Whether closing what was written failed: some file systems tell of a full disk only then. */
static bool close_failed(cairn_output_file *file)
{
    int closed = file->file >= 0 && file->path ? close(file->file) : 0;
    file->file = -1;
    return closed != 0 && errno != EINTR;
}

static void output_free(cairn_output_file *file)
{
    (void)close_failed(file);
    FREE_EACH(file->path, file->temporary, file);
}

void cairn_output_abort(cairn_output_file *file)
{
    if (!file) return;
    if (file->temporary && *file->temporary) unlink(file->temporary);
    output_free(file);
}

/* -- the file beside the target -- */

/* Length of the folder's part of a path, with its slash; 0 when there is none. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* How much of the target's name the temporary one has: all of it, or what leaves room for the
 * suffix, up to the end of a letter. */
static size_t stem_length(const char *name)
{
    size_t n = strlen(name);
    if (n <= NAME_MAX - SUFFIX_BUFFER) return n;
    for (n = NAME_MAX - SUFFIX_BUFFER; n > 0 && ((unsigned char)name[n] & 0xC0) == 0x80;) n--;
    return n;
}

/* The process that wrote NAME.PID-N.tmp for a target of this name; 0 = it is no such file. */
static long writer_of(const char *entry, const char *name, size_t stem)
{
    if (strncmp(entry, name, stem) != 0 || entry[stem] != '.') return 0;
    char *end;
    long process = strtol(entry + stem + 1, &end, 10);
    if (end == entry + stem + 1 || *end != '-' || process <= 0) return 0;
    const char *number = end + 1;
    size_t digits = strspn(number, "0123456789");
    return digits && strcmp(number + digits, ".tmp") == 0 ? process : 0;
}

/* Remove the file of a writer that is gone, which nobody has locked. */
static void remove_leftover(int folder, const char *entry, long process)
{
    if (process > INT_MAX || kill((pid_t)process, 0) == 0 || errno != ESRCH) return;
    int file = openat(folder, entry, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return;
    if (flock(file, LOCK_EX | LOCK_NB) == 0) unlinkat(folder, entry, 0);
    close(file);
}

/* What killed processes left beside the target. That there is nothing to do, or that it cannot be
 * done, is no reason not to write. */
static void remove_leftovers(const char *path)
{
    size_t length = folder_length(path);
    const char *name = path + length;
    char folder[PATH_MAX];
    if (length >= sizeof folder) return;
    snprintf(folder, sizeof folder, "%.*s", length ? (int)length : 1, length ? path : ".");
    DIR *listed = opendir(folder);
    if (!listed) return;
    size_t stem = stem_length(name);
    for (struct dirent *entry = readdir(listed); entry; entry = readdir(listed)) {
        long process = writer_of(entry->d_name, name, stem);
        if (process) remove_leftover(dirfd(listed), entry->d_name, process);
    }
    closedir(listed);
}

/* A new name beside the target: of a new file, with the mode that the user's mask asks for, or of
 * one that has none yet. */
static int create_beside(char *name, const char *path, const char *nameless)
{
    size_t folder = folder_length(path);
    int kept = (int)(folder + stem_length(path + folder)), file = -1;
    for (unsigned attempt = 0; attempt < 1000 && file < 0; attempt++) {
        snprintf(name, strlen(path) + SUFFIX_BUFFER, "%.*s.%ld-%u.tmp", kept, path, (long)getpid(),
                 attempt);
        file = nameless ? linkat(AT_FDCWD, nameless, AT_FDCWD, name, AT_SYMLINK_FOLLOW)
                        : open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file < 0 && errno != EEXIST) break;
    }
    if (file < 0) *name = 0; /* there is none to remove */
    return file;
}

/* Where the system shows a file without a name that is open. */
static void nameless_path(char out[32], int file)
{
    snprintf(out, 32, "/proc/self/fd/%d", file);
}

/* A file in the folder of the target that has no name, -1 where there is no such thing or none
 * could be given to it later. */
static int create_nameless(const char *path)
{
#ifdef O_TMPFILE
    char folder[PATH_MAX], shown[32];
    size_t length = folder_length(path);
    snprintf(folder, sizeof folder, "%.*s", length ? (int)length : 1, length ? path : ".");
    int file = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    if (file < 0) return -1;
    nameless_path(shown, file);
    if (access(shown, F_OK) == 0) return file;
    close(file);
#else
    (void)path;
#endif
    return -1;
}

/* The target stays as it is until all is written; a file that may not be written is refused
 * here, since replacing it would only ask for rights to its folder. */
static cairn_status open_temporary(cairn_context *ctx, cairn_output_file *file)
{
    struct stat about;
    size_t buffer = strlen(file->path) + SUFFIX_BUFFER;
    CHECK(NEW(ctx, &file->temporary, buffer));
    bool exists = stat(file->path, &about) == 0;
    if (exists && S_ISDIR(about.st_mode))
        return cairn_fail(ctx, CAIRN_FILE_ERROR, "%s: this is a folder, not a file", file->path);
    if (exists && faccessat(AT_FDCWD, file->path, W_OK, AT_EACCESS))
        return system_failure(ctx, file->path, "write");
    remove_leftovers(file->path);
    file->file = create_nameless(file->path);
    if (file->file < 0) file->file = create_beside(file->temporary, file->path, NULL);
    if (file->file < 0) return system_failure(ctx, file->path, "write");
    (void)flock(file->file, LOCK_EX | LOCK_NB); /* where there are no locks, the process counts */
    if (exists && fchmod(file->file, about.st_mode & 0777))
        return system_failure(ctx, file->path, "set the mode");
    return CAIRN_OK;
}

/* -- opening -- */

/* Devices and pipes (/dev/full, /dev/stdout) cannot be replaced by a renamed file. */
static bool is_special(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode);
}

/* One step along a link, into `out` (PATH_MAX bytes); false when `path` is none, or too long. */
static bool follow_link(char *out, const char *path)
{
    char target[PATH_MAX];
    ssize_t n = readlink(path, target, sizeof target - 1);
    if (n <= 0) return false;
    target[n] = 0;
    int folder = target[0] == '/' ? 0 : (int)folder_length(path);
    int length = snprintf(out, PATH_MAX, "%.*s%s", folder, path, target);
    return length > 0 && length < PATH_MAX;
}

/* Where a path leads: a link stays a link, and what it points to is replaced, or made when it is
 * not there yet. */
static void resolve(char *out, const char *path)
{
    char next[PATH_MAX];
    if (realpath(path, out)) return;
    snprintf(out, PATH_MAX, "%s", path);
    for (int hop = 0; hop < MOST_HOPS && follow_link(next, out); hop++) memcpy(out, next, PATH_MAX);
}

cairn_status cairn_output_open(cairn_context *ctx, cairn_output_file **out, const char *path)
{
    cairn_status status;
    cairn_output_file *file = NULL;
    char resolved[PATH_MAX];
    TRY(NEW(ctx, &file, 1));
    file->file = -1;
    if (strcmp(path, "-") == 0) {
        file->file = STDOUT_FILENO;
        *out = file;
        return CAIRN_OK;
    }
    if (strlen(path) >= PATH_MAX) {
        errno = ENAMETOOLONG;
        TRY(system_failure(ctx, path, "write"));
    }
    resolve(resolved, path);
    TRY(cairn_copy_text(ctx, &file->path, resolved, strlen(resolved)));
    if (is_special(path)) {
        file->file = open(path, O_WRONLY | O_CLOEXEC);
        if (file->file < 0) TRY(system_failure(ctx, path, "write"));
    } else {
        TRY(open_temporary(ctx, file));
    }
    *out = file;
    return CAIRN_OK;
done:
    cairn_output_abort(file);
    return status;
}

cairn_status cairn_output_memory(cairn_context *ctx, cairn_output_file **out, cairn_text *into)
{
    cairn_output_file *file = NULL;
    CHECK(NEW(ctx, &file, 1));
    file->file = -1;
    file->into = into;
    *out = file;
    return CAIRN_OK;
}

/* -- writing -- */

/* A signal that interrupts a write ends it only if the work is cancelled. */
static cairn_status write_raw(cairn_context *ctx, cairn_output_file *file, const char *bytes,
                              size_t length)
{
    if (file->into) {
        cairn_text_add_bytes(file->into, bytes, length);
        return cairn_text_status(file->into);
    }
    HOLD_SIGNALS();
    while (length) {
        ssize_t n = write(file->file, bytes, length);
        if (n < 0 && errno == EINTR) {
            if (cairn_is_cancelled(ctx)) return cairn_fail(ctx, CAIRN_CANCELLED, "interrupted");
            continue;
        }
        if (n < 0) return system_failure(ctx, file->path ? file->path : "standard output", "write");
        bytes += n;
        length -= (size_t)n;
    }
    return CAIRN_OK;
}

static cairn_status flush_buffer(cairn_context *ctx, cairn_output_file *file)
{
    cairn_status status = write_raw(ctx, file, file->buffer, file->n);
    file->n = 0;
    return status;
}

cairn_status cairn_output_write(cairn_context *ctx, cairn_output_file *file, const void *bytes,
                                size_t length)
{
    if (file->n + length > OUTPUT_BUFFER) CHECK(flush_buffer(ctx, file));
    if (length >= OUTPUT_BUFFER) return write_raw(ctx, file, bytes, length);
    if (length) memcpy(file->buffer + file->n, bytes, length);
    file->n += length;
    return CAIRN_OK;
}

/* -- the end -- */

/* See the name to the disk. A folder that may not be opened, and a file system that syncs no
 * folders, have nothing more to offer. */
static cairn_status sync_folder(cairn_context *ctx, const char *path)
{
    char folder[PATH_MAX];
    size_t length = folder_length(path);
    snprintf(folder, sizeof folder, "%.*s", length ? (int)length : 1, length ? path : ".");
    int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0) return CAIRN_OK;
    int failed = fsync(file) ? errno : 0;
    close(file);
    errno = failed;
    return failed == EIO ? system_failure(ctx, path, "see it to the disk") : CAIRN_OK;
}

/* The content is on the disk before the name points to it, so that a crash leaves the old file
 * or the new one. */
static cairn_status put_in_place(cairn_context *ctx, cairn_output_file *file)
{
    if (fsync(file->file)) return system_failure(ctx, file->path, "write");
    if (!*file->temporary) {
        /* The name of the target where it is free, else one beside it, which is left to be
         * renamed. */
        char shown[32];
        nameless_path(shown, file->file);
        if (linkat(AT_FDCWD, shown, AT_FDCWD, file->path, AT_SYMLINK_FOLLOW) != 0) {
            if (errno != EEXIST || create_beside(file->temporary, file->path, shown) != 0) {
                CHECK(system_failure(ctx, file->path, "replace"));
            }
        }
    }
    if (close_failed(file)) return system_failure(ctx, file->path, "write");
    if (*file->temporary && rename(file->temporary, file->path))
        return system_failure(ctx, file->path, "replace");
    *file->temporary = 0;
    return sync_folder(ctx, file->path);
}

cairn_status cairn_output_commit(cairn_context *ctx, cairn_output_file *file)
{
    cairn_status status;
    TRY(flush_buffer(ctx, file));
    if (file->temporary)
        TRY(put_in_place(ctx, file));
    else if (close_failed(file))
        TRY(system_failure(ctx, file->path, "write"));
    output_free(file);
    return CAIRN_OK;
done:
    cairn_output_abort(file);
    return status;
}

cairn_status cairn_file_write_all(cairn_context *ctx, const char *path, const void *bytes,
                                  size_t length)
{
    cairn_output_file *file;
    CHECK(cairn_output_open(ctx, &file, path));
    cairn_status status = cairn_output_write(ctx, file, bytes, length);
    if (status) {
        cairn_output_abort(file);
        return status;
    }
    return cairn_output_commit(ctx, file);
}
