/* SPDX-License-Identifier: MIT */
/* Forward, backward, posterior and Viterbi tables of one sequence. */
#include "learners/sequence/hmm_tables.h"

#include "base/functions.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

static const double within = 1e-12; /* paths whose logarithms are as near are tied */

/* -- what is given off -- */

void cairn_hmm_step_logs(double *out, const cairn_hmm *m, const cairn_hmm_normals *normals,
                         const cairn_hmm_seen *seen, size_t t, cairn_hmm_filling *room)
{
    for (size_t j = 0; j < m->n_states; j++)
        out[j] = !seen->symbols
                     ? cairn_hmm_density(m, normals, j, seen->numbers + t * m->n_numbers, room)
                 : seen->symbols[t] < 0
                     ? 0
                     : cairn_log(m->emit[j * m->n_symbols + (size_t)seen->symbols[t]]);
}

/* -- forward and backward -- */

static double largest(const double *row, size_t n)
{
    double most = -INFINITY;
    for (size_t j = 0; j < n; j++) most = fmax(most, row[j]);
    return most;
}

/* alpha of a step from that of the step before (NULL = it is the first); its logarithms of b are
 * taken off their largest, so that densities far below 1 do not vanish. Returns ln of the sum. */
static double go_forward(double *to, const double *from, const double *logs, const cairn_hmm *m)
{
    size_t n = m->n_states;
    double sum = 0, top = largest(logs, n);
    if (isinf(top)) top = 0;
    for (size_t j = 0; j < n; j++) {
        double reach = from ? 0 : m->start[j];
        for (size_t i = 0; from && i < n; i++) reach += from[i] * m->move[i * n + j];
        to[j] = reach * cairn_exp(logs[j] - top);
        sum += to[j];
    }
    for (size_t j = 0; j < n && sum > 0; j++) to[j] /= sum;
    return sum > 0 ? cairn_log(sum) + top : -INFINITY;
}

cairn_status cairn_hmm_foretell(cairn_context *ctx, double *out, const cairn_hmm *m,
                                const cairn_hmm_seen *seen)
{
    SCOPED_SCRATCH(ctx);
    cairn_hmm_normals normals;
    cairn_hmm_filling room;
    double *now, *next, *logs;
    CHECK(SCRATCH(ctx, &now, m->n_states));
    CHECK(SCRATCH(ctx, &next, m->n_states));
    CHECK(SCRATCH(ctx, &logs, m->n_states));
    CHECK(cairn_hmm_normals_make(ctx, &normals, m));
    CHECK(cairn_hmm_filling_make(ctx, &room, m->n_numbers));
    for (size_t t = 0; t < seen->n; t++) {
        if (t % 65536 == 0) CHECK(cairn_tick(ctx, "steps", (double)t, (double)seen->n));
        cairn_hmm_step_logs(logs, m, &normals, seen, t, &room);
        out[t] = go_forward(next, t ? now : NULL, logs, m);
        double *swap = now;
        now = next;
        next = swap;
    }
    return CAIRN_OK;
}

/* What follows when step t is in state j, as far as it concerns the step before: next to nothing
 * divided by next to nothing stays finite, so that 0 times it is 0. */
static double follows(const cairn_hmm_tables *x, size_t t, size_t j)
{
    size_t at = t * x->n_states + j;
    return fmin(cairn_exp(x->logs[at] - x->scale[t]) * x->beta[at], 1e300);
}

static void go_back(const cairn_hmm_tables *x, const cairn_hmm *m, size_t t)
{
    size_t n = x->n_states;
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t j = 0; j < n; j++) sum += m->move[i * n + j] * follows(x, t + 1, j);
        x->beta[t * n + i] = sum;
    }
}

/* The first of the largest, ties within the tolerance. */
static int32_t first_of(const double *row, size_t n)
{
    size_t best = 0;
    for (size_t j = 1; j < n; j++)
        if (row[j] > row[best] * (1 + within)) best = j;
    return (int32_t)best;
}

static void fill_posteriors(cairn_hmm_tables *x, const cairn_hmm *m)
{
    size_t n = x->n_states;
    for (size_t j = 0; j < n; j++) x->beta[(x->n_steps - 1) * n + j] = 1;
    for (size_t t = x->n_steps - 1; t-- > 0;) go_back(x, m, t);
    for (size_t t = 0; t < x->n_steps; t++) {
        for (size_t j = 0; j < n; j++)
            x->gamma[t * n + j] = x->alpha[t * n + j] * x->beta[t * n + j];
        x->decoded[t] = first_of(x->gamma + t * n, n);
    }
}

/* -- Viterbi -- */

/* The state before j from which the path to it is best, the first of equal ones. */
static size_t best_before(const cairn_hmm_tables *x, const cairn_hmm *m, size_t t, size_t j,
                          double *log)
{
    size_t n = x->n_states, best = 0;
    *log = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        double here = x->delta[(t - 1) * n + i] + cairn_log(m->move[i * n + j]);
        if (!(here > *log + within)) continue;
        best = i;
        *log = here;
    }
    return best;
}

static void fill_paths(cairn_hmm_tables *x, const cairn_hmm *m)
{
    size_t n = x->n_states, last = x->n_steps - 1, best = 0;
    for (size_t t = 0; t < x->n_steps; t++)
        for (size_t j = 0; j < n; j++) {
            double log = cairn_log(m->start[j]);
            x->from[t * n + j] = t ? (int32_t)best_before(x, m, t, j, &log) : -1;
            x->delta[t * n + j] = log + x->logs[t * n + j];
        }
    for (size_t j = 1; j < n; j++)
        if (x->delta[last * n + j] > x->delta[last * n + best] + within) best = j;
    x->log_path = x->delta[last * n + best];
    for (size_t t = last + 1; t-- > 0;) {
        x->path[t] = isinf(x->log_path) ? -1 : (int32_t)best;
        if (t) best = (size_t)x->from[t * n + best];
    }
}

/* -- all -- */

static cairn_status make_room(cairn_context *ctx, cairn_hmm_tables *x)
{
    size_t cells = cairn_product(x->n_steps, x->n_states);
    CHECK(SCRATCH(ctx, &x->logs, cells));
    CHECK(SCRATCH(ctx, &x->alpha, cells));
    CHECK(SCRATCH(ctx, &x->scale, x->n_steps));
    CHECK(SCRATCH(ctx, &x->beta, cells));
    CHECK(SCRATCH(ctx, &x->gamma, cells));
    CHECK(SCRATCH(ctx, &x->delta, cells));
    CHECK(SCRATCH(ctx, &x->from, cells));
    CHECK(SCRATCH(ctx, &x->path, x->n_steps));
    return SCRATCH(ctx, &x->decoded, x->n_steps);
}

cairn_status cairn_hmm_tables_make(cairn_context *ctx, cairn_hmm_tables *out, const cairn_hmm *m,
                                   const cairn_hmm_seen *seen)
{
    cairn_hmm_tables x = {.n_steps = seen->n, .n_states = m->n_states, .impossible = seen->n};
    cairn_hmm_normals normals;
    cairn_hmm_filling room;
    if (!seen->n) return cairn_fail(ctx, CAIRN_BAD_DATA, "the sequence is empty");
    CHECK(make_room(ctx, &x));
    CHECK(cairn_hmm_normals_make(ctx, &normals, m));
    CHECK(cairn_hmm_filling_make(ctx, &room, m->n_numbers));
    for (size_t t = 0; t < seen->n; t++) {
        cairn_hmm_step_logs(x.logs + t * x.n_states, m, &normals, seen, t, &room);
        double *alpha = x.alpha + t * x.n_states;
        x.scale[t] = go_forward(alpha, t ? alpha - x.n_states : NULL, x.logs + t * x.n_states, m);
        if (isinf(x.scale[t]) && x.impossible == seen->n) x.impossible = t;
        x.log_p += x.scale[t];
    }
    if (x.impossible == seen->n) fill_posteriors(&x, m);
    for (size_t t = 0; t < seen->n && x.impossible < seen->n; t++) x.decoded[t] = -1;
    fill_paths(&x, m);
    *out = x;
    return CAIRN_OK;
}

double cairn_hmm_tables_xi(const cairn_hmm_tables *x, const cairn_hmm *m, size_t t, size_t i,
                           size_t j)
{
    size_t n = x->n_states;
    return x->alpha[t * n + i] * m->move[i * n + j] * follows(x, t + 1, j);
}
