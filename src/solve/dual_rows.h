/* SPDX-License-Identifier: MIT */
/* Linear machines with a hinge loss, by their dual problems, row after row:
 *
 *     minimise |w|²/2 + Σ_i C_i h(1 - y_i w·x_i),   h(t) = max(0, t) or its square
 *
 * Up to eight machines over the same rows share the reading of them: their weights lie side by
 * side. None has a constant: it is a column of ones where it is wanted, and counts in |w|². */
#ifndef CAIRN_SOLVE_DUAL_ROWS_H
#define CAIRN_SOLVE_DUAL_ROWS_H

#include "base/context.h"
#include "kernels/lanes.h"
#include "solve/solvers.h"

/* Rows by what is not 0 in them. */
typedef struct cairn_sparse_rows {
    size_t n, n_terms;
    size_t *starts; /* n + 1 */
    int32_t *items;
    double *values;
} cairn_sparse_rows;

typedef struct cairn_dual_rows {
    const char *what; /* for the progress bar; NULL = it is not shown */
    const cairn_sparse_rows *rows;
    size_t n_lanes;      /* at most CAIRN_LANES */
    const int8_t *signs; /* n x CAIRN_LANES: y, 0 = the row is not one of the machine's */
    const double *costs; /* n: C */
    bool squared;
    double tolerance; /* of the largest violation less the smallest, over an epoch */
    size_t most;      /* epochs */
    cairn_protocol protocol;
    double *weights; /* n_terms x CAIRN_LANES */
    double *alphas;  /* n x CAIRN_LANES */
    /* for each lane */
    double gaps[CAIRN_LANES];
    size_t epochs[CAIRN_LANES];
    bool converged[CAIRN_LANES];
} cairn_dual_rows;

/* From all α = 0: all rows in an order that stream `stream` of the context's seed shuffles before
 * every epoch, as many rows drawn with repeats by that stream, or every row once in order. Drawn
 * rows say nothing of the others, so that all are looked at before an end is believed. Fails when
 * memory is short or somebody cancels. */
CAIRN_CHECKED cairn_status cairn_dual_rows_solve(cairn_context *ctx, cairn_dual_rows *d,
                                                 uint64_t stream);

#endif
