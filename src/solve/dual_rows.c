/* SPDX-License-Identifier: MIT */
/* Dual coordinate descent: of one row after the other the α is set to where the dual problem is
 * least, 0 <= α <= C (squared loss: 0 <= α, and α²/(4C) more), and w = Σ α_i y_i x_i moves along.
 * Hsieh, Chang, Lin, Keerthi and Sundararajan, A dual coordinate descent method for large-scale
 * linear SVM (2008). A machine whose violations in an epoch differ by no more than the tolerance is
 * done, and its weights stay. */
#include "solve/dual_rows.h"
#include "base/memory.h"
#include "base/random.h"
#include <math.h>
#include <string.h>

enum { TICK_ROWS = 256 };

typedef struct lanes {
    cairn_dual_rows *d;
    double *curve; /* n: |x|² and what the squared loss adds */
    size_t *order;
    double least[CAIRN_LANES], most[CAIRN_LANES]; /* violations of an epoch */
    size_t running;
    bool looks; /* nothing moves */
} lanes;

static double of_square(const cairn_dual_rows *d, size_t i)
{
    return d->squared ? 0.5 / d->costs[i] : 0;
}

/* Every lane begins at 0; a lane that is not in use counts as converged. */
static cairn_status open_lanes(cairn_context *ctx, lanes *s, cairn_dual_rows *d)
{
    const cairn_sparse_rows *x = d->rows;
    *s = (lanes){.d = d, .running = d->n_lanes};
    CHECK(SCRATCH_RAW_EACH(ctx, x->n + 1, &s->curve, &s->order));
    for (size_t i = 0; i < x->n; i++) {
        double sum = of_square(d, i);
        for (size_t e = x->starts[i]; e < x->starts[i + 1]; e++) sum += x->values[e] * x->values[e];
        s->curve[i] = sum;
        s->order[i] = i;
    }
    memset(d->weights, 0, x->n_terms * CAIRN_LANES * sizeof *d->weights);
    memset(d->alphas, 0, x->n * CAIRN_LANES * sizeof *d->alphas);
    for (size_t l = 0; l < CAIRN_LANES; l++) {
        d->gaps[l] = INFINITY;
        d->epochs[l] = 0;
        d->converged[l] = l >= d->n_lanes;
    }
    return CAIRN_OK;
}

/* What the α of a row and a machine changes by, times y; its violation is noted, which is all where
 * nothing may move. */
static double change_of(lanes *s, size_t i, size_t l, double score)
{
    cairn_dual_rows *d = s->d;
    double y = d->signs[i * CAIRN_LANES + l], *alpha = &d->alphas[i * CAIRN_LANES + l];
    double bound = d->squared ? INFINITY : d->costs[i], was = *alpha;
    if (y == 0 || d->converged[l]) return 0;
    double slope = y * score - 1 + of_square(d, i) * was;
    double violation = was == 0 ? fmin(slope, 0) : was >= bound ? fmax(slope, 0) : slope;
    s->least[l] = fmin(s->least[l], violation);
    s->most[l] = fmax(s->most[l], violation);
    if (violation == 0 || !(s->curve[i] > 0) || s->looks) return 0;
    double now = was - slope / s->curve[i];
    *alpha = now > bound ? bound : now > 0 ? now : 0;
    return (*alpha - was) * y;
}

static void visit(lanes *s, size_t i)
{
    cairn_dual_rows *d = s->d;
    const cairn_sparse_rows *x = d->rows;
    size_t first = x->starts[i], n = x->starts[i + 1] - first;
    double scores[CAIRN_LANES], by[CAIRN_LANES];
    bool moves = false;
    cairn_lanes_dot(scores, x->items + first, x->values + first, n, d->weights);
    for (size_t l = 0; l < CAIRN_LANES; l++) {
        by[l] = change_of(s, i, l, scores[l]);
        moves = moves || by[l] != 0;
    }
    if (moves) cairn_lanes_add(d->weights, x->items + first, x->values + first, n, by);
}

/* All rows in the order that is set, or as many drawn with repeats. */
static cairn_status run_epoch(cairn_context *ctx, lanes *s, cairn_random *random)
{
    const cairn_dual_rows *d = s->d;
    bool drawn = d->protocol == CAIRN_PROTOCOL_RANDOM && !s->looks;
    for (size_t l = 0; l < CAIRN_LANES; l++) s->least[l] = INFINITY, s->most[l] = -INFINITY;
    for (size_t k = 0; k < d->rows->n; k++) {
        if (k % TICK_ROWS == 0) CHECK(cairn_tick(ctx, NULL, 0, 0));
        visit(s, drawn ? (size_t)cairn_random_below(random, d->rows->n) : s->order[k]);
    }
    return CAIRN_OK;
}

/* Whether the rows of the last epoch would let a machine end. */
static bool may_end(const lanes *s)
{
    for (size_t l = 0; l < s->d->n_lanes; l++)
        if (!s->d->converged[l] && s->most[l] - s->least[l] <= s->d->tolerance) return true;
    return false;
}

/* After an epoch: which machines are done. */
static void look_at_gaps(lanes *s, size_t epoch, bool all_seen)
{
    cairn_dual_rows *d = s->d;
    for (size_t l = 0; l < d->n_lanes; l++) {
        if (d->converged[l]) continue;
        d->gaps[l] = fmax(0, s->most[l] - s->least[l]);
        d->epochs[l] = epoch;
        d->converged[l] = all_seen && d->gaps[l] <= d->tolerance;
        s->running -= d->converged[l];
    }
}

cairn_status cairn_dual_rows_solve(cairn_context *ctx, cairn_dual_rows *d, uint64_t stream)
{
    SCOPED_SCRATCH(ctx);
    lanes s;
    cairn_random random;
    bool drawn = d->protocol == CAIRN_PROTOCOL_RANDOM, once = d->protocol == CAIRN_PROTOCOL_ONLINE;
    size_t most = once ? 1 : d->most;
    CHECK(open_lanes(ctx, &s, d));
    cairn_random_start(&random, ctx->seed, stream);
    for (size_t epoch = 1; epoch <= most && s.running; epoch++) {
        if (!drawn && !once) cairn_random_shuffle(&random, s.order, d->rows->n);
        CHECK(run_epoch(ctx, &s, &random));
        bool all_seen = !drawn;
        if ((drawn && may_end(&s)) || once) {
            s.looks = all_seen = true;
            CHECK(run_epoch(ctx, &s, &random));
            s.looks = false;
        }
        look_at_gaps(&s, epoch, all_seen);
        CHECK(cairn_tick(ctx, d->what, (double)epoch, (double)most));
    }
    return CAIRN_OK;
}
