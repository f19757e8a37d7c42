/* SPDX-License-Identifier: MIT */
/* Descent of a sum over rows, row by row or epoch by epoch. The rows come in order (batch), drawn
 * at random with repeats (random), or once (online). */
#include "base/memory.h"
#include "base/random.h"
#include "kernels/kernels.h"
#include "solve/solvers.h"
#include <math.h>
#include <string.h>

enum { CANCEL_ROWS = 65536 };

const cairn_choice cairn_protocol_choices[] = {
    {"batch", CAIRN_PROTOCOL_BATCH, "all rows in order, epoch after epoch"},
    {"random", CAIRN_PROTOCOL_RANDOM, "as many rows per epoch, drawn with repeats"},
    {"online", CAIRN_PROTOCOL_ONLINE, "every row once, in order"},
    {0},
};
const cairn_choice cairn_update_choices[] = {
    {"row", CAIRN_UPDATE_ROW, "after every row"},
    {"epoch", CAIRN_UPDATE_EPOCH, "after every epoch, by the sum over its rows"},
    {0},
};

/* One epoch; `sum` has room for its steps. Returns the number of updates so far. */
static size_t run_epoch(cairn_context *ctx, const cairn_stochastic *f, double *x, double *sum,
                        cairn_random *random, size_t updates)
{
    bool by_row = f->update == CAIRN_UPDATE_ROW;
    memset(sum, 0, f->n * sizeof *sum);
    for (size_t r = 0; r < f->n_rows; r++) {
        bool drawn = f->protocol == CAIRN_PROTOCOL_RANDOM;
        size_t i = drawn ? (size_t)cairn_random_below(random, f->n_rows) : r;
        if (r % CANCEL_ROWS == 0 && cairn_is_cancelled(ctx)) return updates; /* the tick fails */
        f->row(f->data, x, i, by_row ? f->eta : 1, by_row ? x : sum);
        updates++;
        if (by_row && f->updated) f->updated(f->data, x, i, updates);
    }
    if (!by_row) cairn_axpy(x, f->eta, sum, f->n);
    return updates;
}

cairn_status cairn_stochastic_descent(cairn_context *ctx, const cairn_stochastic *f, double *x,
                                      cairn_progress *progress, const double *reported)
{
    cairn_random random;
    double *sum, value, before;
    size_t updates = 0;
    CHECK(f->look(ctx, f->data, x, &value));
    CHECK(cairn_progress_start(ctx, progress, reported ? *reported : value));
    cairn_random_start(&random, cairn_context_seed(ctx), 0);
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH(ctx, &sum, f->n));
    while (cairn_progress_goes_on(progress)) {
        CHECK(
            cairn_tick(ctx, progress->what, (double)progress->iterations, (double)progress->most));
        before = value;
        updates = run_epoch(ctx, f, x, sum, &random, updates);
        CHECK(f->look(ctx, f->data, x, &value));
        CHECK(cairn_progress_next(ctx, progress, reported ? *reported : value, fabs(before - value),
                                  fabs(value)));
    }
    return CAIRN_OK;
}
