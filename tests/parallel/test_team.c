/* SPDX-License-Identifier: MIT */
/* Threads that are refused, that end, and that a child process does not have. The linker puts
 * __wrap_pthread_create in the place of the system's function. */
#include "support/unit.h"

#include "base/memory.h"
#include "parallel/parallel.h"
#include "parallel/rounds.h"
#include "parallel/team.h"
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define NO_THREADS_AFTER_FORK /* the sanitizer's own rule */
#endif
#endif

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *data);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *data);

static int allowed = 1000; /* threads that may still be started */

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *data)
{
    if (allowed-- <= 0) return EAGAIN;
    return __real_pthread_create(thread, attributes, start, data);
}

static int count_threads(void)
{
    DIR *folder = opendir("/proc/self/task");
    int n = 0;
    if (!folder) return -1;
    while (readdir(folder)) n++;
    closedir(folder);
    return n - 2;
}

enum { ITEMS = 5000, TASKS = 40, ROUNDS = 10 };

typedef struct work {
    int seen[ITEMS], tasks[TASKS];
    int most_workers; /* atomic */
    size_t round;
    sigset_t masks[CAIRN_MOST_WORKERS];
    unsigned arithmetic;
} work;

static void see_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    work *w = data;
    (void)block;
    if (worker > __atomic_load_n(&w->most_workers, __ATOMIC_RELAXED))
        __atomic_store_n(&w->most_workers, worker, __ATOMIC_RELAXED);
    for (size_t i = begin; i < end; i++) w->seen[i]++;
}

static cairn_status see_task(cairn_context *ctx, void *data, size_t task)
{
    work *w = data;
    char *block;
    CHECK(NEW(ctx, &block, 100));
    w->tasks[task]++;
    cairn_free(block);
    return CAIRN_OK;
}

static size_t next_round(void *data)
{
    work *w = data;
    return w->round++ < ROUNDS ? 4 : 0;
}

static void see_round(void *data, size_t block, int worker)
{
    work *w = data;
    (void)worker;
    __atomic_add_fetch(&w->seen[block], 1, __ATOMIC_RELAXED);
}

/* Blocks, tasks and rounds, each done once whoever does it; false when not. */
static bool all_is_done(cairn_context *ctx)
{
    static work w;
    memset(&w, 0, sizeof w);
    if (cairn_blocks(ctx, ITEMS, 7, see_block, &w)) return false;
    for (size_t i = 0; i < ITEMS; i++)
        if (w.seen[i] != 1) return false;
    if (w.most_workers >= cairn_workers(ctx)) return false;
    if (cairn_tasks(ctx, TASKS, see_task, &w)) return false;
    for (size_t i = 0; i < TASKS; i++)
        if (w.tasks[i] != 1) return false;
    if (cairn_rounds(ctx, 1e9, next_round, see_round, &w)) return false;
    for (size_t i = 0; i < 4; i++)
        if (w.seen[i] != 1 + ROUNDS) return false;
    return true;
}

static void note_mask(void *data, int worker, int n_workers)
{
    work *w = data;
    (void)n_workers;
    pthread_sigmask(SIG_SETMASK, NULL, &w->masks[worker]);
#if defined(__x86_64__)
    __atomic_or_fetch(&w->arithmetic, __builtin_ia32_stmxcsr() & ~0x3FU, __ATOMIC_RELAXED);
#endif
}

static void test_team__works_with_the_threads_there_are(void **state)
{
    static work first;
    static const int given[] = {0, 1, 2, 1000};
    cairn_team_run(*state, 2, note_mask, &first); /* a sanitizer begins its own threads with it */
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        cairn_context *ctx;
        assert_int_equal(cairn_context_new(&ctx, NULL), CAIRN_OK);
        cairn_context_set_threads(ctx, 4);
        allowed = given[i];
        int before = count_threads();
        assert_true(all_is_done(ctx));
        assert_int_equal(count_threads() - before, given[i] < 3 ? given[i] : 3);
        assert_true(all_is_done(ctx));
        allowed = 1000;
        cairn_context_free(ctx);
    }
}

static void test_team__ends_with_its_context(void **state)
{
    (void)state;
    int before = count_threads();
    for (int i = 0; i < 5; i++) {
        cairn_context *ctx;
        assert_int_equal(cairn_context_new(&ctx, NULL), CAIRN_OK);
        cairn_context_set_threads(ctx, 4);
        assert_true(all_is_done(ctx));
        cairn_context_free(ctx);
    }
    assert_int_equal(count_threads(), before);
}

#ifndef NO_THREADS_AFTER_FORK

/* In a child; ends it with 0 when all is well. The clock ends a child that hangs. */
static void work_as_child(cairn_context *parents)
{
    cairn_context *own = NULL;
    alarm(60);
    bool well = all_is_done(parents) && all_is_done(parents);
    well = well && cairn_context_new(&own, NULL) == CAIRN_OK;
    if (well) cairn_context_set_threads(own, 3);
    well = well && all_is_done(own);
    cairn_context_free(own);
    cairn_context_free(parents);
    _exit(well ? 0 : 1);
}

static void test_team__child_processes_start_threads_of_their_own(void **state)
{
    cairn_context *ctx = *state;
    cairn_context_set_threads(ctx, 4);
    assert_true(all_is_done(ctx));
    for (int i = 0; i < 3; i++) {
        int ended = -1;
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) work_as_child(ctx);
        assert_int_equal(waitpid(child, &ended, 0), child);
        assert_true(WIFEXITED(ended));
        assert_int_equal(WEXITSTATUS(ended), 0);
        assert_true(all_is_done(ctx));
    }
}

#endif

#ifndef NO_THREADS_AFTER_FORK /* nor does it leave masks alone */
static void test_team__signals_are_for_the_programs_own_threads(void **state)
{
    static work w;
    cairn_context *ctx = *state;
    sigset_t before, after;
    cairn_context_set_threads(ctx, 3);
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    cairn_team_run(ctx, 3, note_mask, &w);
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    for (int number = 1; number < 32; number++) {
        assert_int_equal(sigismember(&before, number), sigismember(&after, number));
        assert_int_equal(sigismember(&before, number), sigismember(&w.masks[0], number));
    }
    for (int worker = 1; worker < 3; worker++) {
        assert_int_equal(sigismember(&w.masks[worker], SIGINT), 1);
        assert_int_equal(sigismember(&w.masks[worker], SIGALRM), 1);
        assert_int_equal(sigismember(&w.masks[worker], SIGSEGV), 0);
    }
}

#endif

#if defined(__x86_64__)
static void test_team__arithmetic_of_helpers_is_the_standards(void **state)
{
    static work w;
    cairn_context *ctx = *state;
    unsigned own = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr(own | 0x8040); /* a program that flushes small numbers to 0 */
    cairn_context_set_threads(ctx, 3);
    cairn_team_run(ctx, 3, note_mask, &w);
    __builtin_ia32_ldmxcsr(own);
    w.arithmetic = 0;
    cairn_team_run(ctx, 3, note_mask, &w);
    assert_int_equal(w.arithmetic, 0x1F80);
}
#endif

typedef struct nest {
    cairn_context *ctx;
    int calls; /* atomic */
} nest;

static void call_inside(void *data, int worker, int n_workers)
{
    nest *n = data;
    (void)worker, (void)n_workers;
    __atomic_add_fetch(&n->calls, 1, __ATOMIC_RELAXED);
}

static void call_again(void *data, int worker, int n_workers)
{
    nest *n = data;
    (void)n_workers;
    if (worker == 0) cairn_team_run(n->ctx, 4, call_inside, n);
}

static void test_team__asked_again_while_at_work_lets_the_caller_do_it(void **state)
{
    cairn_context *ctx = *state;
    nest n = {ctx, 0};
    cairn_team_run(ctx, 4, call_again, &n);
    assert_int_equal(n.calls, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_team__works_with_the_threads_there_are),
        cmocka_unit_test(test_team__ends_with_its_context),
#ifndef NO_THREADS_AFTER_FORK
        context_test(test_team__child_processes_start_threads_of_their_own),
        context_test(test_team__signals_are_for_the_programs_own_threads),
#endif
#if defined(__x86_64__)
        context_test(test_team__arithmetic_of_helpers_is_the_standards),
#endif
        context_test(test_team__asked_again_while_at_work_lets_the_caller_do_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
