/* SPDX-License-Identifier: MIT */
/* One sign between rounds: the leader counts those that found no block any more, prepares the next
 * round while they wait, and tells them its number. */
#include "parallel/rounds.h"
#include "base/memory.h"
#include "parallel/parallel.h"
#include "parallel/team.h"
#include <sched.h>

static const double least_work = 50000; /* of a round, for which waiting for each other pays */

enum { LINE = 64 }; /* bytes that processors hand over at a time */

/* The blocks that a thread begins with. */
typedef struct round_share {
    _Alignas(LINE) size_t next; /* atomic */
    size_t end;
} round_share;

typedef struct round_run {
    const cairn_context *ctx;
    cairn_round_function next;
    cairn_round_block function;
    void *data;
    round_share *shares;
    size_t n_shares, n_blocks;   /* of this round */
    _Alignas(LINE) size_t round; /* atomic: rounds begun */
    _Alignas(LINE) size_t done;  /* atomic: threads that found no more blocks */
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

/* A thread takes the blocks of its own share, round after round the same, so that what they work on
 * stays in its cache; then what others have not begun. */
static void take_round(const round_run *run, int worker)
{
    for (size_t i = 0; i < run->n_shares; i++) {
        round_share *share = &run->shares[((size_t)worker + i) % run->n_shares];
        for (;;) {
            size_t block = __atomic_fetch_add(&share->next, 1, __ATOMIC_RELAXED);
            if (block >= share->end) break;
            run->function(run->data, block, worker);
        }
    }
}

/* The calling thread: prepares a round, takes part in it, waits for the others. */
static void lead_rounds(round_run *run, size_t others)
{
    run->n_shares = others + 1;
    do {
        size_t looks = 0;
        run->n_blocks = cairn_is_cancelled(run->ctx) ? 0 : run->next(run->data);
        size_t n = run->n_blocks, workers = run->n_shares;
        for (size_t w = 0; w < workers; w++) {
            run->shares[w].next = n * w / workers;
            run->shares[w].end = n * (w + 1) / workers;
        }
        run->done = 0;
        __atomic_add_fetch(&run->round, 1, __ATOMIC_RELEASE);
        take_round(run, 0);
        while (run->n_blocks && __atomic_load_n(&run->done, __ATOMIC_ACQUIRE) < others)
            wait_again(&looks);
    } while (run->n_blocks);
}

static void run_rounds(void *data, int worker, int n_workers)
{
    if (worker == 0)
        lead_rounds(data, (size_t)n_workers - 1);
    else {
        round_run *run = data;
        for (size_t seen = 0;; seen++) {
            size_t looks = 0;
            while (__atomic_load_n(&run->round, __ATOMIC_ACQUIRE) == seen) wait_again(&looks);
            if (!run->n_blocks) return;
            take_round(run, worker);
            __atomic_add_fetch(&run->done, 1, __ATOMIC_RELEASE);
        }
    }
}

cairn_status cairn_rounds(cairn_context *ctx, double work, cairn_round_function next,
                          cairn_round_block function, void *data)
{
    round_run run = {.ctx = ctx, .next = next, .function = function, .data = data};
    int workers = work < least_work ? 1 : cairn_workers(ctx);
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH(ctx, &run.shares, (size_t)workers));
    cairn_team_run(ctx, workers, run_rounds, &run);
    return cairn_tick(ctx, NULL, 0, 0);
}
