/* SPDX-License-Identifier: MIT */
/* Work over threads and over ranks. Threads (and later MPI) are named in this folder only.
 *
 * Results never depend on the number of threads: a block is a fixed range of rows, a partial result
 * belongs to a block or a task and never to a thread, and the caller joins them in order. */
#ifndef CAIRN_PARALLEL_PARALLEL_H
#define CAIRN_PARALLEL_PARALLEL_H

#include "base/context.h"

/* Work on items [begin, end), which are block number `block`. `worker` is 0 .. cairn_workers()-1
 * and only good for choosing a slice of working memory. Must not allocate or fail. */
typedef void (*cairn_block_function)(void *data, size_t block, size_t begin, size_t end,
                                     int worker);

/* However many threads are asked for: a typing error such as 100000 is not tried out. Results do
 * not depend on the number. */
enum { CAIRN_MOST_WORKERS = 256 };

/* Number of workers that cairn_blocks will use at most: size of arrays of working memory. */
int cairn_workers(const cairn_context *ctx);

/* Number of blocks of `block_size` items that n items make. */
size_t cairn_block_count(size_t n, size_t block_size);

/* Run the function on every block, on all threads of the context. Fails only when cancelled. */
CAIRN_CHECKED cairn_status cairn_blocks(cairn_context *ctx, size_t n, size_t block_size,
                                        cairn_block_function function, void *data);

/* The same for blocks that may be tiny: see cairn_tasks_sized. */
CAIRN_CHECKED cairn_status cairn_blocks_sized(cairn_context *ctx, size_t n, size_t block_size,
                                              double work, cairn_block_function function,
                                              void *data);

/* A task may allocate and fail; its context is its own (one thread, own scratch). */
typedef cairn_status (*cairn_task_function)(cairn_context *ctx, void *data, size_t task);

/* Run tasks 0 .. n-1 side by side (folds, trees, searches). Inside a task everything is single
 * threaded: the outermost level takes the threads. With one thread, or one task, tasks run on the
 * caller's context settings in order. All tasks run unless one fails; the failure of the lowest
 * numbered failing task is returned with its message. */
CAIRN_CHECKED cairn_status cairn_tasks(cairn_context *ctx, size_t n, cairn_task_function function,
                                       void *data);

/* The same for tasks that may be tiny: `work` is about how many elementary steps all of them take
 * together. Waking the other threads costs as much as some hundred thousand steps; for less, the
 * tasks run in order on the calling thread. */
CAIRN_CHECKED cairn_status cairn_tasks_sized(cairn_context *ctx, size_t n, double work,
                                             cairn_task_function function, void *data);

/* The five collectives. In one process they are nothing; the interface is what learners that work
 * by sums over rows call, so that the same learner runs on many machines. All in place. */
int cairn_rank(const cairn_context *ctx);  /* 0 */
int cairn_ranks(const cairn_context *ctx); /* 1 */
CAIRN_CHECKED cairn_status cairn_all_sum(cairn_context *ctx, double *values, size_t n);
CAIRN_CHECKED cairn_status cairn_all_count(cairn_context *ctx, uint64_t *values, size_t n);
CAIRN_CHECKED cairn_status cairn_all_max(cairn_context *ctx, double *values, size_t n);
CAIRN_CHECKED cairn_status cairn_broadcast(cairn_context *ctx, void *bytes, size_t n, int from);
/* Concatenate every rank's bytes in rank order; *out is freed by the caller. */
CAIRN_CHECKED cairn_status cairn_all_gather(cairn_context *ctx, const void *bytes, size_t n,
                                            void **out, size_t *n_out);

#endif
