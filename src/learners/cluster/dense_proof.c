/* SPDX-License-Identifier: MIT */
/* Proofs of core distances and of the order of OPTICS, with distances that are measured anew and no
 * search. A row's distances to all others are n: done for all rows where they are few, else for
 * rows that are spread evenly, MOST_PAIRS distances in all. */
#include "base/memory.h"
#include "learners/cluster/optics.h"
#include <math.h>

static const double MOST_PAIRS = 4e6, ROUNDING = 1e-9;

static cairn_status measure(cairn_context *ctx, const cairn_density *density, size_t row,
                            double *line)
{
    uint32_t which = (uint32_t)row;
    return cairn_distances_block(ctx, &density->rows, &which, 1, &density->rows, 0, density->n,
                                 line, density->n);
}

static size_t every_row(size_t n)
{
    return 1 + (size_t)((double)n * (double)n / MOST_PAIRS);
}

/* Within the distance lies enough, unless that is `most` of what is looked at, and closer not. Rows
 * that cannot be compared are nowhere. */
static bool is_core(const cairn_density *density, const double *line, double enough, double core,
                    double most)
{
    double closer = 0, within = 0, near = fmin(core, most);
    for (size_t j = 0; j < density->n; j++) {
        double weight = cairn_density_weight(density, j);
        if (line[j] < near * (1 - ROUNDING)) closer += weight;
        if (line[j] <= near * (1 + ROUNDING)) within += weight;
    }
    return closer < enough * (1 + ROUNDING) && (within >= enough * (1 - ROUNDING) || isinf(core));
}

cairn_status cairn_density_prove_cores(cairn_context *ctx, cairn_certificate *out,
                                       const cairn_density *density, double enough, double most,
                                       const double *core)
{
    SCOPED_SCRATCH(ctx);
    double *line;
    if (!out) return CAIRN_OK;
    CHECK(SCRATCH_RAW(ctx, &line, density->n + 1));
    for (size_t i = 0; i < density->n; i += every_row(density->n)) {
        CHECK(measure(ctx, density, i, line));
        bool found = is_core(density, line, enough, core[i], most);
        cairn_certify(out, CAIRN_PROOF_MERGES, found ? 0 : 1, ROUNDING);
    }
    return CAIRN_OK;
}

/* The least that leads to the row at `position` from those before it. */
static double reach_of(const cairn_optics_order *o, const double *line, size_t position, double eps)
{
    double least = INFINITY;
    for (size_t q = 0; q < position; q++) {
        size_t row = o->rows[q];
        if (line[row] <= eps * (1 + 1e-12)) least = fmin(least, fmax(line[row], o->core[row]));
    }
    return least;
}

/* A row that was reached waits until nothing is easier to reach: between the row that it was
 * reached from and its own place none has a larger reachability. The stack holds places, each of a
 * larger one than those behind it. */
static cairn_status prove_waiting(cairn_context *ctx, cairn_certificate *out,
                                  const cairn_optics_order *o)
{
    size_t *stack, *places, depth = 0;
    CHECK(SCRATCH_EACH(ctx, o->n + 1, &stack, &places));
    for (size_t p = 0; p < o->n; p++) {
        double reach = o->reach[o->rows[p]];
        uint32_t from = o->from[o->rows[p]];
        places[o->rows[p]] = p;
        while (depth && !(o->reach[o->rows[stack[depth - 1]]] > reach)) depth--;
        if (from != UINT32_MAX) {
            bool waited = o->rows[places[from]] == from && places[from] < p &&
                          (!depth || stack[depth - 1] <= places[from]);
            cairn_certify(out, CAIRN_PROOF_MERGES, waited ? 0 : 1, ROUNDING);
        }
        stack[depth++] = p;
    }
    return CAIRN_OK;
}

cairn_status cairn_optics_prove(cairn_context *ctx, cairn_certificate *out,
                                const cairn_optics_order *o, const cairn_density *density,
                                double eps)
{
    SCOPED_SCRATCH(ctx);
    double *line;
    if (!out) return CAIRN_OK;
    CHECK(SCRATCH_RAW(ctx, &line, density->n + 1));
    for (size_t p = 0; p < o->n; p += every_row(o->n)) {
        double reach = o->reach[o->rows[p]];
        CHECK(measure(ctx, density, o->rows[p], line));
        double least = reach_of(o, line, p, eps);
        double apart = least == reach ? 0 : fabs(least - reach) / reach;
        cairn_certify(out, CAIRN_PROOF_MERGES, apart, ROUNDING);
    }
    return prove_waiting(ctx, out, o);
}
