/* SPDX-License-Identifier: MIT */
#ifndef CAIRN_PARALLEL_ROUNDS_H
#define CAIRN_PARALLEL_ROUNDS_H

#include "base/context.h"

/* Rounds of blocks that follow each other so quickly that the threads had better stay awake: a
 * thread that waits for the others looks for them some microseconds long and then lets other
 * programs run. Before every round `next` runs alone, on the calling thread, and says how many
 * blocks the round has, 0 = it was the last. Blocks are dealt out in equal parts, side by side,
 * and a thread begins with its own: in rounds of as many blocks these are the same, and what they
 * work on stays in its cache. Blocks must not allocate or fail. `work` is about how many
 * elementary steps a round takes; short ones run on the calling thread. Fails when memory is short
 * or when cancelled, which is looked at before every round. */
typedef size_t (*cairn_round_function)(void *data);
typedef void (*cairn_round_block)(void *data, size_t block, int worker);
CAIRN_CHECKED cairn_status cairn_rounds(cairn_context *ctx, double work, cairn_round_function next,
                                        cairn_round_block function, void *data);

#endif
