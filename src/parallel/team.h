/* SPDX-License-Identifier: MIT */
/* The threads that help a context. They are started when work first wants them, sleep between one
 * piece of work and the next, and end with the context; so a program that has freed its contexts
 * has no threads of the library. Where the system gives fewer than wanted, or none, the work is
 * done by those there are. A child process made by fork() has none of its parent's threads: its
 * first piece of work starts new ones. */
#ifndef CAIRN_PARALLEL_TEAM_H
#define CAIRN_PARALLEL_TEAM_H

#include "base/context.h"

/* One of `n_workers` that work side by side; worker 0 is the calling thread. */
typedef void (*cairn_team_function)(void *data, int worker, int n_workers);

/* Call the function once for every worker, at most `workers` of them, and return when all are done.
 * What it does must not depend on how many there are. */
void cairn_team_run(cairn_context *ctx, int workers, cairn_team_function function, void *data);

/* Room for threads of its own for a context that was made as a child and lives on by itself; a
 * child has none otherwise. */
CAIRN_CHECKED cairn_status cairn_team_make(cairn_context *child);

#endif
