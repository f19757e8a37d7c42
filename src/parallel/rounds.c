/* SPDX-License-Identifier: MIT */
/* One sign between rounds: the leader counts those that found no block any more, prepares the next
 * round while they wait, and tells them its number. */
#include "parallel/rounds.h"
#include "parallel/parallel.h"
#include <omp.h>
#include <sched.h>

static const double least_work = 50000; /* of a round, for which waiting for each other pays */

typedef struct round_run {
    const cairn_context *ctx;
    cairn_round_function next;
    cairn_round_block function;
    void *data;
    size_t n_blocks;           /* of this round */
    size_t taken, done, round; /* atomic: blocks; threads that found no more; rounds begun */
} round_run;

/* Whoever waits looks again at once for a while, and then after others had the processor. */
static void wait_again(size_t *looks)
{
    enum { SHORT_LOOKS = 4000 };
    if (++*looks > SHORT_LOOKS) sched_yield();
#if defined(__x86_64__)
    else
        __builtin_ia32_pause();
#endif
}

static void take_round(round_run *run, int worker)
{
    for (;;) {
        size_t block = __atomic_fetch_add(&run->taken, 1, __ATOMIC_RELAXED);
        if (block >= run->n_blocks) return;
        run->function(run->data, block, worker);
    }
}

/* The calling thread: prepares a round, takes part in it, waits for the others. */
static void lead_rounds(round_run *run, size_t others)
{
    do {
        size_t looks = 0;
        run->n_blocks = cairn_is_cancelled(run->ctx) ? 0 : run->next(run->data);
        run->taken = run->done = 0;
        __atomic_add_fetch(&run->round, 1, __ATOMIC_RELEASE);
        take_round(run, 0);
        while (run->n_blocks && __atomic_load_n(&run->done, __ATOMIC_ACQUIRE) < others)
            wait_again(&looks);
    } while (run->n_blocks);
}

static void follow_rounds(round_run *run, int worker)
{
    for (size_t seen = 0;; seen++) {
        size_t looks = 0;
        while (__atomic_load_n(&run->round, __ATOMIC_ACQUIRE) == seen) wait_again(&looks);
        if (!run->n_blocks) return;
        take_round(run, worker);
        __atomic_add_fetch(&run->done, 1, __ATOMIC_RELEASE);
    }
}

cairn_status cairn_rounds(cairn_context *ctx, double work, cairn_round_function next,
                          cairn_round_block function, void *data)
{
    round_run run = {.ctx = ctx, .next = next, .function = function, .data = data};
    int workers = work < least_work ? 1 : cairn_workers(ctx);
    if (workers <= 1) {
        lead_rounds(&run, 0);
    } else {
#pragma omp parallel num_threads(workers)
        if (omp_get_thread_num() == 0)
            lead_rounds(&run, (size_t)omp_get_num_threads() - 1);
        else
            follow_rounds(&run, omp_get_thread_num());
    }
    return cairn_tick(ctx, NULL, 0, 0);
}
