/* SPDX-License-Identifier: MIT */
/* Every call to the file system that a command makes is made to fail in turn, to do half of what it
 * is asked, to be interrupted, and to be the last thing that the process does. Whatever happens, a
 * file that is written is the old one or the new one, whole; nothing is left beside it; and what is
 * said to have worked has worked.
 *
 * The linker hands the calls of the library to the functions __wrap_... below. */
#include "support/run.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef enum { NOTHING, FAIL, FULL, HALF, INTERRUPT, DIE } fault;
typedef enum { OPEN, READ, WRITE, SYNC, RENAME, CLOSE, CHMOD, SEEK, N_CALLS } call;

enum { LONGEST = 4096, MOST_RUNS = 400, MOST_FILES = 1024, DIED = 99 };

static struct {
    fault kind;
    long countdown; /* calls until the one that it happens to */
    long calls;     /* that were seen */
    call hit;       /* the call that it happened to */
    bool happened;
    int written;  /* descriptor of the last write that was not synced; -1 = none */
    bool renamed; /* and the folder was not synced since */
    bool unsafe;  /* a rename came before the sync of what was written */
} faults;

static char folder[LONGEST / 2];

/* Descriptors of files in the folder; others, such as those that tell of the machine's memory, are
   left alone. */
static bool ours[MOST_FILES];

static bool is_ours(int file)
{
    return file >= 0 && file < MOST_FILES && ours[file];
}

/* Whether this call is the one; sets errno. */
static bool struck(call which)
{
    faults.calls++;
    if (faults.kind == NOTHING || --faults.countdown != 0) return false;
    faults.happened = true;
    faults.hit = which;
    if (faults.kind == DIE) _exit(DIED);
    errno = faults.kind == FULL ? ENOSPC : faults.kind == INTERRUPT ? EINTR : EIO;
    return true;
}

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    bool creates = flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE;
    int mode = creates ? va_arg(arguments, int) : 0;
    va_end(arguments);
    bool inside = strncmp(path, folder, strlen(folder)) == 0;
    int file = inside && struck(OPEN) ? -1 : __real_open(path, flags, mode);
    if (file >= 0 && file < MOST_FILES) ours[file] = inside;
    return file;
}

ssize_t __real_read(int file, void *buffer, size_t size);
ssize_t __wrap_read(int file, void *buffer, size_t size);
ssize_t __wrap_read(int file, void *buffer, size_t size)
{
    bool now = is_ours(file) && struck(READ);
    if (now && faults.kind == HALF) return __real_read(file, buffer, size > 1 ? size / 2 : size);
    return now ? -1 : __real_read(file, buffer, size);
}

ssize_t __real_pread(int file, void *buffer, size_t size, off_t at);
ssize_t __wrap_pread(int file, void *buffer, size_t size, off_t at);
ssize_t __wrap_pread(int file, void *buffer, size_t size, off_t at)
{
    bool now = is_ours(file) && struck(READ);
    if (now && faults.kind == HALF)
        return __real_pread(file, buffer, size > 1 ? size / 2 : size, at);
    return now ? -1 : __real_pread(file, buffer, size, at);
}

ssize_t __real_write(int file, const void *buffer, size_t size);
ssize_t __wrap_write(int file, const void *buffer, size_t size);
ssize_t __wrap_write(int file, const void *buffer, size_t size)
{
    bool now = is_ours(file) && struck(WRITE);
    if (is_ours(file)) faults.written = file;
    if (now && faults.kind == HALF) return __real_write(file, buffer, size > 1 ? size / 2 : size);
    return now ? -1 : __real_write(file, buffer, size);
}

/* Noted and not done: no power is lost here, and the disk would be most of the time. */
int __wrap_fsync(int file);
int __wrap_fsync(int file)
{
    if (is_ours(file) && struck(SYNC)) return -1;
    if (file == faults.written) faults.written = -1;
    faults.renamed = false;
    return 0;
}

int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to)
{
    if (struck(RENAME)) return -1;
    faults.unsafe |= faults.written >= 0;
    faults.renamed = true;
    return __real_rename(from, to);
}

/* A file without a name gets one. */
int __real_linkat(int from_folder, const char *from, int to_folder, const char *to, int flags);
int __wrap_linkat(int from_folder, const char *from, int to_folder, const char *to, int flags);
int __wrap_linkat(int from_folder, const char *from, int to_folder, const char *to, int flags)
{
    if (struck(RENAME)) return -1;
    int done = __real_linkat(from_folder, from, to_folder, to, flags);
    if (done == 0) faults.unsafe |= faults.written >= 0, faults.renamed = true;
    return done;
}

/* What is closed is closed, whatever is said about it. */
int __real_close(int file);
int __wrap_close(int file);
int __wrap_close(int file)
{
    bool now = is_ours(file) && struck(CLOSE);
    int fault_number = errno, done = __real_close(file);
    if (is_ours(file)) ours[file] = false;
    if (!now) return done;
    errno = fault_number;
    return -1;
}

int __real_fchmod(int file, mode_t mode);
int __wrap_fchmod(int file, mode_t mode);
int __wrap_fchmod(int file, mode_t mode)
{
    return is_ours(file) && struck(CHMOD) ? -1 : __real_fchmod(file, mode);
}

off_t __real_lseek(int file, off_t offset, int whence);
off_t __wrap_lseek(int file, off_t offset, int whence);
off_t __wrap_lseek(int file, off_t offset, int whence)
{
    return is_ours(file) && struck(SEEK) ? -1 : __real_lseek(file, offset, whence);
}

/* -- commands -- */

typedef struct scenario {
    const char *writes; /* a file in the folder, NULL = none */
    bool grows;         /* it is added to, line by line, and not replaced */
    const char *words[16];
} scenario;

/* The words of the scenario with % for the folder. */
static cairn_status run_in(cairn_context *ctx, const scenario *s, cairn_report **report)
{
    static char buffers[16][LONGEST];
    const char *words[17] = {NULL};
    for (int i = 0; i < 16 && s->words[i]; i++) {
        const char *mark = strchr(s->words[i], '%');
        if (!mark) {
            words[i] = s->words[i];
            continue;
        }
        snprintf(buffers[i], sizeof buffers[i], "%.*s%s%s", (int)(mark - s->words[i]), s->words[i],
                 folder, mark + 1);
        words[i] = buffers[i];
    }
    return run_words(ctx, report, words);
}

/* Run it with a fault at call number n; the message must say something. */
static cairn_status run_with(const scenario *s, fault kind, long n)
{
    cairn_context *ctx = NULL;
    cairn_report *report = NULL;
    assert_int_equal(cairn_context_new(&ctx, NULL), CAIRN_OK);
    cairn_context_set_threads(ctx, 1);
    memset(&faults, 0, sizeof faults);
    faults.written = -1;
    faults.kind = kind;
    faults.countdown = n;
    cairn_status status = run_in(ctx, s, &report);
    faults.kind = NOTHING;
    if (status && kind == NOTHING) print_message("%s: %s\n", s->words[0], cairn_message(ctx));
    if (status) assert_true(*cairn_message(ctx));
    if (status) assert_int_not_equal(status, CAIRN_INTERNAL);
    cairn_report_free(report);
    cairn_context_free(ctx);
    return status;
}

/* The bytes of a file in the folder, zero-ended; NULL when it is not there. */
static char *bytes_of(const char *name)
{
    char path[LONGEST];
    struct stat about;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    assert_int_equal(fstat(fileno(file), &about), 0);
    char *bytes = calloc((size_t)about.st_size + 1, 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, (size_t)about.st_size, file), (size_t)about.st_size);
    fclose(file);
    return bytes;
}

static void put_bytes(const char *name, const char *bytes)
{
    char path[LONGEST];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!bytes) {
        unlink(path);
        return;
    }
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs(bytes, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static size_t count_leftovers(void)
{
    size_t n = 0;
    DIR *listed = opendir(folder);
    assert_non_null(listed);
    for (struct dirent *entry = readdir(listed); entry; entry = readdir(listed))
        n += strstr(entry->d_name, ".tmp") != NULL;
    closedir(listed);
    return n;
}

static bool same(const char *a, const char *b)
{
    return !a == !b && (!a || strcmp(a, b) == 0);
}

static const scenario scenarios[] = {
    {"t.csv", false, {"convert", "@weather", "%/t.csv"}},
    {"t.json", false, {"convert", "%/in.csv", "%/t.json"}},
    {"r.html", false, {"describe", "%/in.csv", "--out", "%/r.html"}},
    {"p.svg", false, {"draw", "scatter", "@iris", "--out", "%/p.svg"}},
    {"m.txt", false, {"export", "%/model.cairn", "--to", "text", "--out", "%/m.txt"}},
    {"a.csv", false, {"predict", "%/model.cairn", "%/in.csv", "--out", "%/a.csv"}},
    {"j.txt",
     true,
     {"tune", "tree", "%/in.csv", "--target", "play", "--over", "max-depth=1,2", "--by", "cv:2",
      "--journal", "%/j.txt"}},
    {NULL, false, {"evaluate", "%/model.cairn", "%/in.csv"}},
};

static const char old_text[] = "this was here before\n";

/* What the file may be after a fault: what was there, or all that the command writes. A file that
 * grows may have more of its lines or fewer; the command can be run again. */
static void assert_old_or_new(const scenario *s, const char *new_bytes, cairn_status status)
{
    if (!s->writes) return;
    char *found = bytes_of(s->writes);
    const char *before = s->grows ? NULL : old_text;
    if (s->grows) {
        assert_int_equal(run_with(s, NOTHING, 0), CAIRN_OK);
    } else {
        bool is_new = same(found, new_bytes);
        if (!is_new && !same(found, before)) fail_msg("%s is neither old nor new", s->writes);
        if (status == CAIRN_OK && !is_new) fail_msg("%s was not written", s->writes);
    }
    free(found);
}

/* A fault at each call in turn; `must_work` = it is none that anybody should notice. */
static void try_fault(const scenario *s, fault kind, bool must_work)
{
    const char *before = s->grows ? NULL : old_text;
    if (s->writes) put_bytes(s->writes, before);
    assert_int_equal(run_with(s, NOTHING, 0), CAIRN_OK);
    char *new_bytes = s->writes ? bytes_of(s->writes) : NULL;
    long calls = faults.calls;
    if (calls < 1 || calls > MOST_RUNS) fail_msg("%s: %ld calls", s->words[0], calls);
    assert_false(faults.unsafe);
    assert_false(faults.renamed);
    for (long n = 1; n <= calls; n++) {
        if (s->writes) put_bytes(s->writes, before);
        cairn_status status = run_with(s, kind, n);
        bool noticed = must_work && (faults.hit == READ || faults.hit == WRITE);
        if (noticed && status) fail_msg("%s: fault %d at call %ld", s->words[0], kind, n);
        assert_int_equal(count_leftovers(), 0);
        assert_old_or_new(s, new_bytes, status);
    }
    free(new_bytes);
}

static bool has_nameless_files(void)
{
    int file = __real_open(folder, O_TMPFILE | O_WRONLY, 0600);
    if (file >= 0) __real_close(file);
    return file >= 0;
}

/* The process ends at each call in turn, as if it were killed there; what it leaves behind is gone
   after the next time. It leaves something only between the two calls that give a file a name and
   rename it. */
static void try_dying(const scenario *s)
{
    size_t n_left = 0;
    const char *before = s->grows ? NULL : old_text;
    if (s->writes) put_bytes(s->writes, before);
    assert_int_equal(run_with(s, NOTHING, 0), CAIRN_OK);
    char *new_bytes = s->writes ? bytes_of(s->writes) : NULL;
    long calls = faults.calls;
    for (long n = 1; n <= calls; n++) {
        int state = 0;
        if (s->writes) put_bytes(s->writes, before);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            (void)run_with(s, DIE, n);
            _exit(0);
        }
        assert_int_equal(waitpid(child, &state, 0), child);
        assert_true(WIFEXITED(state) && WEXITSTATUS(state) == DIED);
        n_left += count_leftovers();
        assert_old_or_new(s, new_bytes, CAIRN_FILE_ERROR);
        assert_int_equal(run_with(s, NOTHING, 0), CAIRN_OK);
        assert_int_equal(count_leftovers(), 0);
    }
    if (has_nameless_files()) assert_true(n_left <= 2);
    free(new_bytes);
}

static void for_each(void (*work)(const scenario *))
{
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++) work(&scenarios[i]);
}

static void fail_each(const scenario *s)
{
    try_fault(s, FAIL, false);
    try_fault(s, FULL, false);
}

static void halve_each(const scenario *s)
{
    try_fault(s, HALF, true);
    try_fault(s, INTERRUPT, true);
}

static void test_faults__a_file_is_old_or_new(void **state)
{
    (void)state;
    for_each(fail_each);
}

static void test_faults__half_a_call_and_interrupted_ones_go_unnoticed(void **state)
{
    (void)state;
    for_each(halve_each);
}

static void test_faults__a_process_that_ends_loses_nothing(void **state)
{
    (void)state;
    for_each(try_dying);
}

static int make_folder(void **state)
{
    static const scenario input = {NULL, false, {"convert", "@weather", "%/in.csv"}};
    static const scenario model = {
        NULL, false, {"fit", "tree", "@weather", "--save", "%/model.cairn"}};
    (void)state;
    snprintf(folder, sizeof folder, "%s/cairn-faults-XXXXXX",
             getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    if (!mkdtemp(folder)) return -1;
    return run_with(&input, NOTHING, 0) || run_with(&model, NOTHING, 0);
}

static int remove_folder(void **state)
{
    char path[LONGEST];
    (void)state;
    DIR *listed = opendir(folder);
    for (struct dirent *entry = readdir(listed); entry; entry = readdir(listed)) {
        if (snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) < LONGEST) unlink(path);
    }
    closedir(listed);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_faults__a_file_is_old_or_new),
        cmocka_unit_test(test_faults__half_a_call_and_interrupted_ones_go_unnoticed),
        cmocka_unit_test(test_faults__a_process_that_ends_loses_nothing),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
