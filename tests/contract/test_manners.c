/* SPDX-License-Identifier: MIT */
/* A guest in another program's process: after a tour of calls nothing of the process is different,
 * calls after fork() and without threads to be had come back, and writing to nobody is a status. */
#include "support/unit.h"

#include "cairn/cairn.h"
#include <dirent.h>
#include <locale.h>
#include <pwd.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define NO_THREADS_AFTER_FORK /* the sanitizer's own rule */
#endif
#endif

enum { N_SIGNALS = 65, N_LIMITS = RLIM_NLIMITS, FLUSH_TO_ZERO = 0x8040 };

/* What a process has that a library could change. */
typedef struct process {
    int n_threads, n_files;
    char locale[200], folder[1000];
    locale_t thread_locale;
    struct sigaction actions[N_SIGNALS];
    sigset_t mask;
    mode_t file_mask;
    struct rlimit limits[N_LIMITS];
    struct itimerval timer;
    cpu_set_t processors;
    unsigned arithmetic;
    size_t environment; /* a sum over its bytes */
    int priority;
} process;

static int count_entries(const char *path)
{
    DIR *folder = opendir(path);
    int n = 0;
    if (!folder) return -1;
    while (readdir(folder)) n++;
    closedir(folder);
    return n;
}

static size_t sum_of_environment(void)
{
    size_t sum = 0;
    for (char **at = environ; at && *at; at++)
        for (const char *c = *at; *c; c++) sum = sum * 31 + (unsigned char)*c;
    return sum;
}

static void look_at_signals(process *out)
{
    for (int i = 1; i < N_SIGNALS; i++) sigaction(i, NULL, &out->actions[i]);
    pthread_sigmask(SIG_SETMASK, NULL, &out->mask);
    getitimer(ITIMER_REAL, &out->timer);
}

static void look_at(process *out)
{
    memset(out, 0, sizeof *out);
    out->n_threads = count_entries("/proc/self/task");
    out->n_files = count_entries("/proc/self/fd");
    snprintf(out->locale, sizeof out->locale, "%s", setlocale(LC_ALL, NULL));
    if (!getcwd(out->folder, sizeof out->folder)) out->folder[0] = 0;
    out->thread_locale = uselocale((locale_t)0);
    look_at_signals(out);
    out->file_mask = umask(0);
    umask(out->file_mask);
    for (int i = 0; i < N_LIMITS; i++) getrlimit((__rlimit_resource_t)i, &out->limits[i]);
    sched_getaffinity(0, sizeof out->processors, &out->processors);
#if defined(__x86_64__)
    out->arithmetic = __builtin_ia32_stmxcsr();
#endif
    out->environment = sum_of_environment();
    out->priority = getpriority(PRIO_PROCESS, 0);
}

static void run_words(cairn_context *ctx, const char *line, cairn_status wanted)
{
    char words[500];
    const char *argv[40];
    int argc = 0;
    cairn_report *report;
    snprintf(words, sizeof words, "%s", line);
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) argv[argc++] = word;
    assert_ok(ctx, cairn_report_new(ctx, &report));
    cairn_status status = cairn_run(ctx, report, argc, argv);
    if (status != wanted) fail_msg("%s: %d, %s", line, status, cairn_message(ctx));
    cairn_report_free(report);
}

/* Fit on threads and predict; false when it fails. */
static bool fit_and_predict(cairn_context *ctx)
{
    cairn_table *table = NULL, *answers = NULL;
    cairn_params *params = NULL;
    cairn_model *model = NULL;
    bool failed = cairn_table_read(ctx, &table, "@iris", NULL) ||
                  cairn_table_set_role(ctx, table, "species", CAIRN_TARGET) ||
                  cairn_params_new(ctx, &params, "forest:trees=20") ||
                  cairn_model_fit(ctx, &model, params, table, NULL) ||
                  cairn_model_predict(ctx, &answers, model, table, true);
    cairn_table_free(answers);
    cairn_model_free(model);
    cairn_params_free(params);
    cairn_table_free(table);
    return !failed;
}

/* Calls of every part of the library, some of which fail. */
static void tour(const char *folder)
{
    static const char *const lines[] = {
        "fit tree @weather --target play",
        "evaluate logistic @iris --target species --by cv:3",
        "compare tree bayes majority @weather --target play --by cv:3",
        "compute impurity --counts 9,5",
        "fit kmeans @iris --clusters 3 --ignore species",
        "help tree",
        "describe @iris",
    };
    char line[600];
    cairn_context *ctx;
    assert_int_equal(cairn_context_new(&ctx, NULL), CAIRN_OK);
    cairn_context_set_threads(ctx, 4);
    assert_true(fit_and_predict(ctx));
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) run_words(ctx, lines[i], CAIRN_OK);
    run_words(ctx, "fit tree @nothing", CAIRN_USAGE);
    run_words(ctx, "fit tree /nowhere/at/all.csv", CAIRN_FILE_ERROR);
    snprintf(line, sizeof line, "fit tree @weather --target play --save %s/tree.model", folder);
    run_words(ctx, line, CAIRN_OK);
    snprintf(line, sizeof line, "draw tree %s/tree.model --out %s/tree.svg", folder, folder);
    run_words(ctx, line, CAIRN_OK);
    snprintf(line, sizeof line, "convert @iris %s/iris.csv", folder);
    run_words(ctx, line, CAIRN_OK);
    cairn_context_cancel(ctx);
    run_words(ctx, "fit tree @weather --target play", CAIRN_CANCELLED);
    run_words(ctx, "fit tree @weather --target play", CAIRN_OK);
    cairn_context_free(ctx);
}

static void remove_folder(const char *folder)
{
    static const char *const names[] = {"tree.model", "tree.svg", "iris.csv", "out"};
    char path[600];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    rmdir(folder);
}

static void assert_same(const process *before, const process *after)
{
    assert_int_equal(after->n_threads, before->n_threads);
    assert_int_equal(after->n_files, before->n_files);
    assert_string_equal(after->locale, before->locale);
    assert_string_equal(after->folder, before->folder);
    assert_ptr_equal(after->thread_locale, before->thread_locale);
    for (int i = 1; i < N_SIGNALS; i++) {
        assert_ptr_equal(after->actions[i].sa_handler, before->actions[i].sa_handler);
        assert_int_equal(after->actions[i].sa_flags, before->actions[i].sa_flags);
    }
    for (int i = 1; i < N_SIGNALS; i++)
        assert_int_equal(sigismember(&after->mask, i), sigismember(&before->mask, i));
    assert_int_equal(after->file_mask, before->file_mask);
    assert_memory_equal(after->limits, before->limits, sizeof before->limits);
    assert_memory_equal(&after->timer, &before->timer, sizeof before->timer);
    assert_memory_equal(&after->processors, &before->processors, sizeof before->processors);
    assert_int_equal(after->arithmetic, before->arithmetic);
    assert_int_equal(after->environment, before->environment);
    assert_int_equal(after->priority, before->priority);
}

/* The tour with its standard output and error in a file; how many bytes that has afterwards. */
static off_t bytes_printed_by_tour(const char *folder, process *before, process *after)
{
    char path[600];
    struct stat about = {.st_size = -1};
    snprintf(path, sizeof path, "%s/out", folder);
    fflush(NULL);
    int out = dup(1), error = dup(2);
    assert_non_null(freopen(path, "w", stdout));
    assert_int_equal(dup2(1, 2), 2);
    look_at(before);
    tour(folder);
    look_at(after);
    fflush(NULL);
    stat(path, &about);
    dup2(out, 1);
    dup2(error, 2);
    close(out);
    close(error);
    return about.st_size;
}

static void test_manners__a_tour_of_calls_leaves_the_process_as_it_was(void **state)
{
    static process before, after;
    char folder[] = "/tmp/cairn-manners-XXXXXX";
    (void)state;
    assert_non_null(mkdtemp(folder));
    tour(folder); /* modules that are loaded once stay, and so do files of the C library */
#if defined(__x86_64__)
    unsigned own = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr((own | FLUSH_TO_ZERO) & ~0x3FU);
#endif
    off_t printed = bytes_printed_by_tour(folder, &before, &after);
#if defined(__x86_64__)
    __builtin_ia32_ldmxcsr(own);
#endif
    remove_folder(folder);
    assert_same(&before, &after);
    assert_int_equal(printed, 0);
}

#ifndef NO_THREADS_AFTER_FORK

/* Run a part of a test in a child process, which the clock ends when it hangs: how it ended. */
static int status_of_child(int (*part)(void *data), void *data)
{
    int ended = -1;
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(120);
        _exit(part(data));
    }
    assert_int_equal(waitpid(child, &ended, 0), child);
    return ended;
}

static int use_as_child(void *data)
{
    cairn_context *ctx = data;
    bool well = fit_and_predict(ctx) && fit_and_predict(ctx);
    cairn_context_free(ctx);
    return well ? 0 : 1;
}

static void test_manners__a_child_process_fits_and_predicts(void **state)
{
    cairn_context *ctx = *state;
    cairn_context_set_threads(ctx, 4);
    assert_true(fit_and_predict(ctx));
    assert_int_equal(status_of_child(use_as_child, ctx), 0);
    assert_true(fit_and_predict(ctx));
}

/* As a user who may not have a single thread more. */
static int use_without_threads(void *data)
{
    const struct rlimit one = {1, 1};
    const struct passwd *user = getpwnam("nobody");
    cairn_context *ctx;
    (void)data;
    if (!user || setrlimit(RLIMIT_NPROC, &one) || setgid(user->pw_gid) || setuid(user->pw_uid))
        return 2;
    if (cairn_context_new(&ctx, NULL)) return 1;
    cairn_context_set_threads(ctx, 8);
    bool well = fit_and_predict(ctx);
    cairn_context_free(ctx);
    return well ? 0 : 1;
}

static void test_manners__work_goes_on_when_no_thread_can_be_started(void **state)
{
    (void)state;
    if (geteuid() != 0) skip(); /* root may have threads without limit, and be somebody else */
    assert_int_equal(status_of_child(use_without_threads, NULL), 0);
}

/* Writes to a pipe without a reader, and past the limit of a file's size, with the signals of both
 * at their default, which ends the process. */
static int write_to_nobody(void *data)
{
    const struct rlimit little = {100, 100};
    int ends[2];
    cairn_context *ctx;
    cairn_table *table;
    (void)data;
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    if (cairn_context_new(&ctx, NULL) || pipe(ends)) return 2;
    if (cairn_table_read(ctx, &table, "@iris", NULL)) return 3;
    int out = dup(1);
    dup2(ends[1], 1);
    close(ends[0]);
    cairn_status piped = cairn_table_write(ctx, table, "-", "csv");
    dup2(out, 1);
    if (piped != CAIRN_FILE_ERROR || !strstr(cairn_message(ctx), "pipe")) return 4;
    if (setrlimit(RLIMIT_FSIZE, &little)) return 5;
    char name[] = "/tmp/cairn-manners-XXXXXX";
    close(mkstemp(name));
    cairn_status limited = cairn_table_write(ctx, table, name, "csv");
    unlink(name);
    cairn_table_free(table);
    cairn_context_free(ctx);
    return limited == CAIRN_FILE_ERROR ? 0 : 6;
}

static void test_manners__writing_to_nobody_is_a_status(void **state)
{
    (void)state;
    assert_int_equal(status_of_child(write_to_nobody, NULL), 0);
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_manners__a_tour_of_calls_leaves_the_process_as_it_was),
#ifndef NO_THREADS_AFTER_FORK
        context_test(test_manners__a_child_process_fits_and_predicts),
        cmocka_unit_test(test_manners__work_goes_on_when_no_thread_can_be_started),
        cmocka_unit_test(test_manners__writing_to_nobody_is_a_status),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
