/* SPDX-License-Identifier: MIT */
#include "support/fail_alloc.h"
#include "base/memory.h"
#include "parallel/parallel.h"
#include "parallel/rounds.h"
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

enum { ITEMS = 10007 };

typedef struct visits {
    int seen[ITEMS];
    size_t n, block_size, bad, stop_after, blocks;
    int workers;
    cairn_context *ctx;
} visits;

static void visit_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    visits *v = data;
    bool good = begin == block * v->block_size && end <= v->n && begin < end &&
                (end - begin == v->block_size || end == v->n) && worker >= 0 && worker < v->workers;
    if (!good) __atomic_add_fetch(&v->bad, 1, __ATOMIC_RELAXED);
    for (size_t i = begin; i < end; i++) v->seen[i]++;
    size_t count = __atomic_add_fetch(&v->blocks, 1, __ATOMIC_RELAXED);
    if (v->stop_after && count == v->stop_after) cairn_context_cancel(v->ctx);
}

static void test_blocks__every_item_is_visited_once(void **state)
{
    cairn_context *ctx = *state;
    static const size_t sizes[] = {0, 1, 7, 1000, ITEMS};
    static const size_t blocks[] = {1, 3, 512, ITEMS, SIZE_MAX};
    for (int threads = 1; threads <= 5; threads += 2) {
        cairn_context_set_threads(ctx, threads);
        for (size_t s = 0; s < 25; s++) {
            visits v = {.n = sizes[s / 5], .block_size = blocks[s % 5], .workers = threads};
            assert_ok(ctx, cairn_blocks(ctx, v.n, v.block_size, visit_block, &v));
            assert_int_equal(v.bad, 0);
            assert_int_equal(v.blocks, cairn_block_count(v.n, v.block_size));
            for (size_t i = 0; i < ITEMS; i++) assert_int_equal(v.seen[i], i < v.n);
        }
    }
}

static void test_blocks__stop_when_cancelled(void **state)
{
    cairn_context *ctx = *state;
    cairn_context_set_threads(ctx, 2);
    visits v = {.n = ITEMS, .block_size = 1, .workers = 2, .stop_after = 10, .ctx = ctx};
    assert_fails(ctx, cairn_blocks(ctx, ITEMS, 1, visit_block, &v), CAIRN_CANCELLED, "interrupted");
    assert_true(v.blocks >= 10 && v.blocks < ITEMS);
}

/* Rounds of 1, 2, 3 ... blocks: each adds what the round before came to. */
typedef struct sums {
    size_t round, last, n[64], of[64], stop_at;
    cairn_context *ctx;
} sums;

static size_t next_sum(void *data)
{
    sums *s = data;
    for (size_t b = 0; b < s->n[s->round]; b++) s->last += s->of[b];
    if (s->stop_at && s->round == s->stop_at) cairn_context_cancel(s->ctx);
    if (++s->round == 64) return 0;
    return s->n[s->round] = s->round % 7 + 1;
}

static void sum_round(void *data, size_t block, int worker)
{
    sums *s = data;
    (void)worker;
    s->of[block] = s->last % 1000 + block;
}

static void test_rounds__follow_each_other(void **state)
{
    cairn_context *ctx = *state;
    size_t wanted = 0;
    for (int threads = 1; threads <= 5; threads += 2) {
        sums s = {0};
        cairn_context_set_threads(ctx, threads);
        assert_ok(ctx, cairn_rounds(ctx, 1e9, next_sum, sum_round, &s));
        assert_int_equal(s.round, 64);
        if (threads == 1) wanted = s.last;
        assert_int_equal(s.last, wanted);
    }
    assert_true(wanted > 1000);
}

typedef struct shares {
    size_t round, waiting; /* blocks of this round that were begun */
    int owner[4];
} shares;

static size_t next_shares(void *data)
{
    shares *s = data;
    s->waiting = 0;
    return s->round++ < 50 ? 4 : 0;
}

/* No block ends before all four threads have one, so nobody takes a second. */
static void note_owner(void *data, size_t block, int worker)
{
    shares *s = data;
    __atomic_add_fetch(&s->waiting, 1, __ATOMIC_ACQ_REL);
    while (__atomic_load_n(&s->waiting, __ATOMIC_ACQUIRE) < 4) sched_yield();
    if (s->owner[block] != worker) s->owner[block] = s->round == 1 ? worker : -1;
}

static void test_rounds__a_thread_begins_with_its_own_blocks(void **state)
{
    cairn_context *ctx = *state;
    shares s = {.owner = {-2, -2, -2, -2}};
    cairn_context_set_threads(ctx, 4);
    assert_ok(ctx, cairn_rounds(ctx, 1e9, next_shares, note_owner, &s));
    for (int i = 0; i < 4; i++) assert_int_equal(s.owner[i], i);
}

static void test_rounds__stop_when_cancelled(void **state)
{
    cairn_context *ctx = *state;
    sums s = {.stop_at = 5, .ctx = ctx};
    cairn_context_set_threads(ctx, 3);
    assert_fails(ctx, cairn_rounds(ctx, 1e9, next_sum, sum_round, &s), CAIRN_CANCELLED,
                 "interrupted");
    assert_int_equal(s.round, 6);
}

static void test_workers__are_at_least_one_and_bounded(void **state)
{
    cairn_context *ctx = *state;
    cairn_context_set_threads(ctx, 3);
    assert_int_equal(cairn_workers(ctx), 3);
    cairn_context_set_threads(ctx, 1000000);
    assert_true(cairn_workers(ctx) >= 1 && cairn_workers(ctx) < 1000000);
}

typedef struct trial {
    size_t done[64];
    size_t fails[64]; /* 1 = this task fails */
    int threads_inside;
    size_t warns;
} trial;

static cairn_status try_task(cairn_context *ctx, void *data, size_t task)
{
    trial *t = data;
    double *memory;
    cairn_status status = SCRATCH(ctx, &memory, 1000 + task);
    if (status) return status;
    if (cairn_context_threads(ctx) > t->threads_inside) return CAIRN_INTERNAL;
    for (size_t i = 0; i < t->warns; i++) cairn_warn(ctx, "task %zu warning %zu", task, i);
    t->done[task] = 1;
    if (t->fails[task]) return cairn_fail(ctx, CAIRN_BAD_DATA, "task %zu failed", task);
    return CAIRN_OK;
}

static void test_tasks__all_run_with_one_thread_each(void **state)
{
    cairn_context *ctx = *state;
    for (int threads = 1; threads <= 4; threads++) {
        cairn_context_set_threads(ctx, threads);
        trial t = {.threads_inside = 1};
        size_t before = cairn_memory_in_use(ctx);
        assert_ok(ctx, cairn_tasks(ctx, 64, try_task, &t));
        for (size_t i = 0; i < 64; i++) assert_int_equal(t.done[i], 1);
        assert_true(threads == 1 || cairn_memory_in_use(ctx) == before);
        assert_ok(ctx, cairn_tasks(ctx, 0, try_task, &t));
    }
}

static cairn_status count_threads(cairn_context *ctx, void *data, size_t task)
{
    (void)task;
    *(int *)data = cairn_context_threads(ctx);
    return CAIRN_OK;
}

static void test_tasks__a_single_task_keeps_the_threads(void **state)
{
    cairn_context *ctx = *state;
    int threads = 0;
    cairn_context_set_threads(ctx, 3);
    assert_ok(ctx, cairn_tasks(ctx, 1, count_threads, &threads));
    assert_int_equal(threads, 3);
}

static void test_tasks__small_ones_stay_on_the_calling_thread(void **state)
{
    cairn_context *ctx = *state;
    int threads = 0;
    cairn_context_set_threads(ctx, 3);
    assert_ok(ctx, cairn_tasks_sized(ctx, 5, 100, count_threads, &threads));
    assert_int_equal(threads, 3); /* the caller's own context */
    assert_ok(ctx, cairn_tasks_sized(ctx, 5, 1e9, count_threads, &threads));
    assert_int_equal(threads, 1); /* a child's */
    trial t = {.threads_inside = 3};
    t.fails[2] = 1;
    assert_fails(ctx, cairn_tasks_sized(ctx, 5, 0, try_task, &t), CAIRN_BAD_DATA, "task 2 failed");
}

static void test_tasks__lowest_failure_wins(void **state)
{
    cairn_context *ctx = *state;
    for (int round = 0; round < 50; round++) {
        cairn_context_set_threads(ctx, 1 + round % 4);
        trial t = {.threads_inside = 1};
        t.fails[20] = t.fails[21] = t.fails[22] = t.fails[23] = t.fails[60] = 1;
        assert_fails(ctx, cairn_tasks(ctx, 64, try_task, &t), CAIRN_BAD_DATA, "task 20 failed");
        for (size_t i = 0; i <= 20; i++) assert_int_equal(t.done[i], 1);
    }
}

static void append_warning(cairn_log_level level, const char *message, void *data)
{
    char *text = data;
    assert_int_equal(level, CAIRN_LOG_WARNING);
    size_t length = strlen(text);
    snprintf(text + length, 8192 - length, "%s\n", message);
}

static void test_tasks__warnings_come_in_task_order(void **state)
{
    cairn_context *ctx = *state;
    char expected[8192] = "", got[8192];
    for (int threads = 1; threads <= 4; threads++) {
        for (int round = 0; round < 10; round++) {
            trial t = {.threads_inside = 1, .warns = 3};
            t.fails[40] = t.fails[43] = 1;
            got[0] = 0;
            cairn_context_set_threads(ctx, threads);
            cairn_context_set_log(ctx, append_warning, got);
            assert_fails(ctx, cairn_tasks(ctx, 64, try_task, &t), CAIRN_BAD_DATA, "task 40");
            if (!*expected) strcpy(expected, got);
            assert_string_equal(got, expected);
        }
    }
    assert_non_null(strstr(expected, "task 40 warning 2\n"));
    assert_null(strstr(expected, "task 41"));
}

static cairn_status cancel_at_five(cairn_context *ctx, void *data, size_t task)
{
    (void)data;
    if (task == 5) cairn_context_cancel(ctx);
    return CAIRN_OK;
}

typedef struct progress_seen {
    pthread_t caller;
    double highest;
} progress_seen;

static void note_progress(const char *what, double done, double total, void *data)
{
    progress_seen *seen = data;
    assert_string_equal(what, "tasks");
    assert_true(pthread_equal(pthread_self(), seen->caller));
    assert_true(done > seen->highest && done <= total && total == 64);
    seen->highest = done;
}

static cairn_status idle_task(cairn_context *ctx, void *data, size_t task)
{
    (void)ctx, (void)data, (void)task;
    return CAIRN_OK;
}

static void test_tasks__progress_comes_from_the_calling_thread(void **state)
{
    cairn_context *ctx = *state;
    progress_seen seen = {.caller = pthread_self()};
    cairn_context_set_threads(ctx, 4);
    cairn_context_set_progress(ctx, note_progress, &seen);
    assert_ok(ctx, cairn_tasks(ctx, 64, idle_task, NULL));
    assert_true(seen.highest <= 64);
}

static void test_tasks__stop_when_cancelled(void **state)
{
    cairn_context *ctx = *state;
    cairn_context_set_threads(ctx, 2);
    assert_fails(ctx, cairn_tasks(ctx, 1000, cancel_at_five, NULL), CAIRN_CANCELLED, "interrupted");
}

static void ignore_log(cairn_log_level level, const char *message, void *data)
{
    (void)level, (void)message, (void)data;
}

static cairn_status tasks_with_little_memory(cairn_context *ctx, void *data)
{
    trial t = {.threads_inside = 1, .warns = 2};
    cairn_context_set_threads(ctx, *(int *)data);
    cairn_context_set_log(ctx, ignore_log, NULL);
    return cairn_tasks(ctx, 5, try_task, &t);
}

static void test_tasks__survive_allocation_failures(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 3; threads += 2)
        assert_survives_allocation_failures(tasks_with_little_memory, &threads);
}

static void test_collectives__of_one_process(void **state)
{
    cairn_context *ctx = *state;
    double values[2] = {1, 2};
    uint64_t counts[1] = {3};
    void *all = NULL;
    size_t n_all = 0;
    assert_int_equal(cairn_rank(ctx), 0);
    assert_int_equal(cairn_ranks(ctx), 1);
    assert_ok(ctx, cairn_all_sum(ctx, values, 2));
    assert_ok(ctx, cairn_all_max(ctx, values, 2));
    assert_ok(ctx, cairn_all_count(ctx, counts, 1));
    assert_ok(ctx, cairn_broadcast(ctx, values, sizeof values, 0));
    assert_true(values[0] == 1 && values[1] == 2 && counts[0] == 3);
    assert_fails(ctx, cairn_broadcast(ctx, values, sizeof values, 1), CAIRN_INTERNAL, "rank 1");
    assert_ok(ctx, cairn_all_gather(ctx, values, sizeof values, &all, &n_all));
    assert_int_equal(n_all, sizeof values);
    assert_memory_equal(all, values, sizeof values);
    cairn_free(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_blocks__every_item_is_visited_once),
        context_test(test_rounds__follow_each_other),
        context_test(test_rounds__a_thread_begins_with_its_own_blocks),
        context_test(test_rounds__stop_when_cancelled),
        context_test(test_blocks__stop_when_cancelled),
        context_test(test_workers__are_at_least_one_and_bounded),
        context_test(test_tasks__all_run_with_one_thread_each),
        context_test(test_tasks__a_single_task_keeps_the_threads),
        context_test(test_tasks__small_ones_stay_on_the_calling_thread),
        context_test(test_tasks__lowest_failure_wins),
        context_test(test_tasks__warnings_come_in_task_order),
        context_test(test_tasks__progress_comes_from_the_calling_thread),
        context_test(test_tasks__stop_when_cancelled),
        cmocka_unit_test(test_tasks__survive_allocation_failures),
        context_test(test_collectives__of_one_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
