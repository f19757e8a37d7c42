/* SPDX-License-Identifier: MIT */
/* Blocks and tasks over threads.
 *
 * Both are handed out one at a time in rising order, from an atomic counter, to whichever thread is
 * free. So the work is balanced, and when task t fails every task below t has already begun: the
 * lowest failing task is the same as in a run with one thread. Warnings of tasks are kept with
 * their task and handed to the caller's log afterwards in task order, up to the failing one, again
 * as one thread would have done. */
#include "parallel/parallel.h"
#include "base/memory.h"
#include "parallel/team.h"
#include <math.h>
#include <string.h>

int cairn_workers(const cairn_context *ctx)
{
    int threads = ctx->threads < CAIRN_MOST_WORKERS ? ctx->threads : CAIRN_MOST_WORKERS;
    return threads < 1 ? 1 : threads;
}

size_t cairn_block_count(size_t n, size_t block_size)
{
    return n / block_size + (n % block_size != 0);
}

static size_t take_next(size_t *next)
{
    return __atomic_fetch_add(next, 1, __ATOMIC_RELAXED);
}

static int workers_for(const cairn_context *ctx, size_t pieces)
{
    int workers = cairn_workers(ctx);
    return pieces < (size_t)workers ? (int)pieces : workers;
}

typedef struct block_run {
    const cairn_context *ctx;
    cairn_block_function function;
    void *data;
    size_t n, block_size, n_blocks;
    size_t next; /* atomic */
} block_run;

static void run_blocks(void *data, int worker, int n_workers)
{
    block_run *run = data;
    (void)n_workers;
    for (;;) {
        if (cairn_is_cancelled(run->ctx)) return;
        size_t block = take_next(&run->next);
        if (block >= run->n_blocks) return;
        size_t begin = block * run->block_size, left = run->n - begin;
        size_t size = left < run->block_size ? left : run->block_size;
        run->function(run->data, block, begin, begin + size, worker);
    }
}

/* Waking the other threads costs as much as this many elementary steps. */
static const double worth_waking = 200000;

cairn_status cairn_blocks_sized(cairn_context *ctx, size_t n, size_t block_size, double work,
                                cairn_block_function function, void *data)
{
    if (block_size == 0) return cairn_fail(ctx, CAIRN_INTERNAL, "blocks of no items");
    block_run run = {ctx, function, data, n, block_size, cairn_block_count(n, block_size), 0};
    int workers = work < worth_waking ? 1 : workers_for(ctx, run.n_blocks);
    cairn_team_run(ctx, workers, run_blocks, &run);
    return cairn_tick(ctx, NULL, 0, 0);
}

cairn_status cairn_blocks(cairn_context *ctx, size_t n, size_t block_size,
                          cairn_block_function function, void *data)
{
    return cairn_blocks_sized(ctx, n, block_size, INFINITY, function, data);
}

/* The warnings of one task: lines of a level byte, text and a zero byte, one after the other. */
typedef struct kept_warnings {
    char *bytes;
    size_t size, capacity;
} kept_warnings;

typedef struct task_run {
    cairn_context *ctx;
    cairn_task_function function;
    void *data;
    size_t n;
    size_t next;             /* atomic */
    size_t failed;           /* atomic: the lowest task that failed so far; n = none */
    size_t done;             /* atomic: how many have ended well */
    kept_warnings *warnings; /* n */
} task_run;

typedef struct task_worker {
    task_run *run;
    int number; /* 0 = the calling thread */
    cairn_context *child;
    kept_warnings *warnings; /* of the task that it works on */
    bool lost;               /* a warning could not be kept */
    size_t failed;           /* the lowest task that failed here; n = none */
    cairn_status status;
    cairn_phase phase; /* has the name that the tasks give to themselves */
    char message[CAIRN_MESSAGE_SIZE];
} task_worker;

static void keep_warning(cairn_log_level level, const char *message, void *data)
{
    task_worker *worker = data;
    kept_warnings *kept = worker->warnings;
    size_t length = strlen(message) + 1;
    if (GROW(worker->child, &kept->bytes, &kept->capacity, kept->size + length + 1)) {
        worker->lost = true;
        return;
    }
    kept->bytes[kept->size] = (char)level;
    memcpy(kept->bytes + kept->size + 1, message, length);
    kept->size += length + 1;
}

/* A worker takes rising numbers, so its first failure is its lowest, and it stops there. */
static void run_tasks(task_worker *worker)
{
    task_run *run = worker->run;
    for (;;) {
        size_t task = take_next(&run->next);
        if (task >= run->n || task > __atomic_load_n(&run->failed, __ATOMIC_RELAXED)) return;
        cairn_scratch_mark mark = cairn_scratch_now(worker->child);
        worker->warnings = &run->warnings[task];
        cairn_status status = cairn_tick(worker->child, NULL, 0, 0);
        if (!status) status = run->function(worker->child, run->data, task);
        if (!status && worker->lost) status = CAIRN_NO_MEMORY;
        if (status) {
            worker->failed = task;
            worker->status = status;
            memcpy(worker->message, worker->child->message, sizeof worker->message);
            size_t now = __atomic_load_n(&run->failed, __ATOMIC_RELAXED);
            while (task < now && !__atomic_compare_exchange_n(&run->failed, &now, task, false,
                                                              __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
            }
            return;
        }
        cairn_scratch_release(worker->child, mark);
        /* Tell how far all workers are. Only the caller's own thread does, as its function may
         * expect. */
        size_t done = __atomic_add_fetch(&run->done, 1, __ATOMIC_RELAXED);
        if (!run->ctx->progress || worker->number != 0) continue;
        cairn_show_progress(run->ctx, *worker->phase.what ? worker->phase.what : "tasks",
                            (double)done, (double)run->n);
    }
}

static void run_worker(void *data, int worker, int n_workers)
{
    (void)n_workers;
    run_tasks((task_worker *)data + worker);
}

/* Warnings and the error are those of tasks run one by one: in their order, up to the first that
 * failed. */
static cairn_status run_side_by_side(task_run *run, task_worker *workers, int n_workers)
{
    cairn_context *ctx = run->ctx;
    cairn_status status = CAIRN_OK;
    cairn_team_run(ctx, n_workers, run_worker, workers);
    for (size_t task = 0; ctx->log && task < run->n && task <= run->failed; task++) {
        const kept_warnings *kept = &run->warnings[task];
        for (size_t at = 0; at < kept->size;) {
            const char *message = kept->bytes + at + 1;
            ctx->log((cairn_log_level)kept->bytes[at], message, ctx->log_data);
            at += strlen(message) + 2;
        }
    }
    for (int i = 0; i < n_workers; i++) {
        if (run->failed == run->n || workers[i].failed != run->failed) continue;
        status = workers[i].status;
        memcpy(ctx->message, workers[i].message, sizeof ctx->message);
    }
    return status;
}

static cairn_status run_in_order(task_run *run)
{
    cairn_status status = CAIRN_OK;
    SCOPED(cairn_phase_end) cairn_phase phase;
    cairn_phase_begin(run->ctx, &phase, (double)run->n);
    for (size_t task = 0; task < run->n && !status; task++) {
        phase.done = (double)task;
        cairn_scratch_mark mark = cairn_scratch_now(run->ctx);
        status = cairn_tick(run->ctx, NULL, 0, 0);
        if (!status) status = run->function(run->ctx, run->data, task);
        cairn_scratch_release(run->ctx, mark);
    }
    return status;
}

cairn_status cairn_tasks(cairn_context *ctx, size_t n, cairn_task_function function, void *data)
{
    task_run run = {.ctx = ctx, .function = function, .data = data, .n = n, .failed = n};
    task_worker *workers = NULL;
    int n_workers = workers_for(ctx, n);
    if (n_workers <= 1) return run_in_order(&run);

    cairn_status status;
    TRY(NEW(ctx, &run.warnings, n));
    TRY(NEW(ctx, &workers, (size_t)n_workers));
    for (int i = 0; i < n_workers; i++) {
        workers[i].run = &run;
        workers[i].number = i;
        workers[i].failed = n;
        TRY(cairn_child_new(ctx, &workers[i].child));
        cairn_phase_begin(workers[i].child, &workers[i].phase, (double)n);
        if (!ctx->log) continue;
        workers[i].child->log = keep_warning;
        workers[i].child->log_data = &workers[i];
    }
    TRY(run_side_by_side(&run, workers, n_workers));
done:
    for (int i = 0; workers && i < n_workers; i++)
        cairn_child_join(ctx, workers[i].child, CAIRN_OK);
    for (size_t task = 0; run.warnings && task < n; task++) cairn_free(run.warnings[task].bytes);
    FREE_EACH(workers, run.warnings);
    return status;
}

cairn_status cairn_tasks_sized(cairn_context *ctx, size_t n, double work,
                               cairn_task_function function, void *data)
{
    if (work >= worth_waking) return cairn_tasks(ctx, n, function, data);
    task_run run = {.ctx = ctx, .function = function, .data = data, .n = n, .failed = n};
    return run_in_order(&run);
}
