/* SPDX-License-Identifier: MIT */
/* The course of an iteration. */
#include "solve/progress.h"
#include "base/memory.h"
#include <math.h>

static void keep(cairn_progress *p, double value)
{
    if (p->n_values < p->buffer) p->values[p->n_values++] = value;
}

cairn_status cairn_progress_start(cairn_context *ctx, cairn_progress *p, double value)
{
    size_t buffer = p->keep && p->keep <= p->most ? p->keep : p->most + 1;
    if (buffer > p->buffer) CHECK(SCRATCH_RAW(ctx, &p->values, buffer));
    p->buffer = buffer;
    p->iterations = p->n_values = p->best_iteration = 0;
    p->converged = false;
    p->expected = 0;
    p->best_held = INFINITY;
    keep(p, value);
    return CAIRN_OK;
}

cairn_status cairn_progress_next(cairn_context *ctx, cairn_progress *p, double value,
                                 double expected, double size)
{
    p->iterations++;
    p->expected = expected;
    if (expected <= p->tolerance * size) p->converged = true;
    keep(p, value);
    return cairn_tick(ctx, p->what, (double)p->iterations, (double)p->most);
}

bool cairn_progress_held(cairn_progress *p, double held)
{
    bool better = held < p->best_held;
    if (better) {
        p->best_held = held;
        p->best_iteration = p->iterations;
    } else if (p->patience && p->iterations - p->best_iteration >= p->patience) {
        p->converged = true;
    }
    return better;
}
