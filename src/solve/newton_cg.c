/* SPDX-License-Identifier: MIT */
/* Newton's method for many numbers: the Hessian is never made, its products with vectors are.
 *
 *  1. conjugate gradients, preconditioned by the Hessian's diagonal, solve H s = -g roughly. The
 *     nearer the minimum, the more exactly the system is solved
 *  2. the objective goes along the step to about where it is least
 *
 * With an L1 penalty, each iteration first takes a gradient step with soft thresholds, which lets
 * numbers become 0 or leave it and always lowers the objective, and then a Newton step among the
 * numbers that are not 0, cut off where a number would change its sign.
 *
 * It ends when a step was expected to lower the objective by no more than tolerance times its
 * value. */
#include "base/memory.h"
#include "kernels/kernels.h"
#include "parallel/parallel.h"
#include "solve/solvers.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum {
    BLOCK = 8 * 1024,    /* numbers of a block in sums over all of them */
    MOST_PRODUCTS = 400, /* in one Newton step */
    MOST_HALVINGS = 40
};

typedef struct run {
    const cairn_objective *f;
    cairn_place *place;
    cairn_progress *progress;
    const cairn_watch *watch;
    double *sums;    /* of the blocks of numbers */
    double *inverse; /* 1 / diagonal of the Hessian; 0 = the number does not move */
    double *diagonal;
    double *step, *way, *rest, *product, *trial, *goal;
    double majorant; /* L1: factor of the diagonal that bounds the curvature */
    double damping; /* L1: part of the diagonal that is added to the Hessian, which is singular when
                         several numbers mean the same */
    double alpha, beta;
} run;

static cairn_status look(cairn_context *ctx, run *s, const double *x, double *value)
{
    CHECK(s->f->look(ctx, s->f->data, x, value, s->place->gradient, NULL));
    *value += cairn_lasso_sum(s->f, x);
    return CAIRN_OK;
}

static double lasso_of(const run *s, size_t j)
{
    return s->f->lassos ? s->f->lassos[j] : 0;
}

/* -- Newton's step -- */

static cairn_status make_diagonal(cairn_context *ctx, run *s)
{
    CHECK(s->f->diagonal(ctx, s->f->data, s->diagonal));
    for (size_t j = 0; j < s->f->n; j++)
        s->inverse[j] = s->diagonal[j] > 0 ? 1 / s->diagonal[j] : 0;
    return CAIRN_OK;
}

/* Of a stretch of a product q: the damping's part, and what the next step of conjugate gradients
 * needs of it: way·q, rest·q / diagonal, q·q / diagonal. */
static void bend(void *data, size_t first, size_t last, double sums[3])
{
    const run *s = data;
    double along = 0, mixed = 0, square = 0;
    for (size_t j = first; j < last; j++) {
        double q = s->product[j] + s->damping * s->diagonal[j] * s->way[j];
        s->product[j] = q;
        along += s->way[j] * q;
        mixed += s->rest[j] * q * s->inverse[j];
        square += q * q * s->inverse[j];
    }
    sums[0] += along;
    sums[1] += mixed;
    sums[2] += square;
}

/* step += alpha way; rest -= alpha product; way = rest / diagonal + beta way; the sum of rest^2 /
 * diagonal. */
static void step_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    run *s = data;
    double sum = 0;
    (void)worker;
    for (size_t j = begin; j < end; j++) {
        double rest = s->rest[j] - s->alpha * s->product[j], way = s->way[j];
        s->step[j] += s->alpha * way;
        s->rest[j] = rest;
        s->way[j] = rest * s->inverse[j] + s->beta * way;
        sum += rest * rest * s->inverse[j];
    }
    s->sums[block] = sum;
}

/* Solve H s = -slope roughly for the numbers whose inverse is not 0; *fall is what the quadratic
 * model expects of the step. */
static cairn_status solve(cairn_context *ctx, run *s, const double *slope, double accuracy,
                          double *fall)
{
    size_t n = s->f->n, n_blocks = cairn_block_count(n, BLOCK);
    const cairn_finish finish = {bend, s};
    double before = 0, now, along = 0, left = 0, bent[3];
    memset(s->step, 0, n * sizeof *s->step);
    s->f->follow(s->f->data, 0);
    for (size_t j = 0; j < n; j++) {
        s->rest[j] = s->inverse[j] == 0 ? 0 : -slope[j];
        s->way[j] = s->rest[j] * s->inverse[j];
        before += s->rest[j] * s->way[j];
    }
    now = before;
    for (int i = 0; i < MOST_PRODUCTS && now > accuracy * accuracy * before && now > 0; i++) {
        CHECK(s->f->times(ctx, s->f->data, s->way, s->product, &finish, bent));
        if (!(bent[0] > 0)) break;
        s->alpha = now / bent[0];
        /* the size of the rest after this step, beforehand */
        double next = now + s->alpha * (s->alpha * bent[2] - 2 * bent[1]);
        s->beta = fmax(0, next / now);
        s->f->follow(s->f->data, s->alpha);
        CHECK(cairn_blocks_sized(ctx, n, BLOCK, (double)n, step_block, s));
        now = 0;
        for (size_t b = 0; b < n_blocks; b++) now += s->sums[b];
    }
    for (size_t j = 0; j < n; j++) {
        along += slope[j] * s->step[j];
        left += s->rest[j] * s->step[j];
    }
    *fall = (left - along) / 2;
    return CAIRN_OK;
}

/* Go along the step to about where the objective is least, by Newton's method in one number that
 * bisection keeps in bounds; *moved is false when it does not fall. Value and gradient are those of
 * the new place. */
static cairn_status advance(cairn_context *ctx, run *s, const double *slope, bool *moved)
{
    cairn_place *place = s->place;
    double now[3], low = 0, high = INFINITY, at = 1;
    double start = cairn_dot(slope, s->step, s->f->n);
    double noise = 16 * DBL_EPSILON * fabs(place->value);
    *moved = false;
    for (int i = 0; i < MOST_HALVINGS; i++) {
        CHECK(s->f->along(ctx, s->f->data, place->x, s->step, at, now));
        *moved = now[0] <= place->value + noise;
        if (*moved && fabs(now[1]) <= 0.1 * fabs(start)) break;
        if (*moved && now[1] < 0)
            low = at;
        else
            high = at;
        double next = now[2] > 0 ? at - now[1] / now[2] : INFINITY;
        if (!(next > low && next < high)) next = isinf(high) ? 2 * at : (low + high) / 2;
        if (*moved && (next == at || at > 1e6)) break;
        at = next;
    }
    place->taken = *moved ? at : 0;
    if (!*moved) return CAIRN_OK;
    cairn_axpy(place->x, at, s->step, s->f->n);
    return s->f->move(ctx, s->f->data, place->x, at, &place->value, place->gradient);
}

/* -- L1 -- */

static void accept(run *s, double value)
{
    memcpy(s->place->x, s->trial, s->f->n * sizeof *s->trial);
    s->place->value = value;
}

/* Move along the step so that the objective falls by a part of what `slope` promises; numbers of an
 * L1 penalty stop at 0. */
static cairn_status move(cairn_context *ctx, run *s, const double *slope, bool *moved)
{
    const cairn_place *place = s->place;
    double part = 1, noise = 16 * DBL_EPSILON * fabs(place->value), value = 0;
    *moved = false;
    for (int i = 0; i < MOST_HALVINGS && !*moved; i++, part /= 2) {
        double promise = 0;
        for (size_t j = 0; j < s->f->n; j++) {
            double goal = place->x[j] + part * s->step[j];
            if (lasso_of(s, j) > 0 && goal * place->x[j] <= 0) goal = 0;
            s->trial[j] = goal;
            promise += slope[j] * (goal - place->x[j]);
        }
        CHECK(look(ctx, s, s->trial, &value));
        *moved = value <= place->value + 1e-4 * promise + noise;
    }
    if (!*moved) return look(ctx, s, place->x, &s->place->value);
    accept(s, value);
    return CAIRN_OK;
}

/* A step of scaled gradients with soft thresholds, shortened until the objective falls. */
static cairn_status threshold_step(cairn_context *ctx, run *s, double *fall)
{
    const cairn_place *place = s->place;
    double value, noise = 16 * DBL_EPSILON * fabs(place->value);
    memcpy(s->goal, place->gradient, s->f->n * sizeof *s->goal); /* look() overwrites it */
    s->majorant /= 2;
    for (int i = 0; i < MOST_HALVINGS; i++, s->majorant *= 2) {
        double promise = 0, square = 0;
        for (size_t j = 0; j < s->f->n; j++) {
            double curve = s->majorant * s->diagonal[j], lasso = lasso_of(s, j);
            double old = place->x[j], new = old;
            if (s->inverse[j] > 0) new = cairn_soft(old - s->goal[j] / curve, lasso / curve);
            s->trial[j] = new;
            promise += s->goal[j] * (new - old) + lasso * (fabs(new) - fabs(old));
            square += curve * (new - old) * (new - old);
        }
        *fall = -promise - square / 2;
        CHECK(look(ctx, s, s->trial, &value));
        if (value > place->value + 0.1 * promise + noise) continue;
        accept(s, value);
        return CAIRN_OK;
    }
    return look(ctx, s, place->x, &s->place->value);
}

/* -- the run -- */

/* How exactly the next system is solved: roughly at first, better as the slope falls, but not
 * beyond what the tolerance asks for. */
static double wanted_accuracy(const run *s, double slope, double first)
{
    double share = first > 0 ? sqrt(sqrt(slope / first)) : 0;
    double enough = sqrt(0.1 * s->progress->tolerance * fabs(s->place->value) / (slope + DBL_MIN));
    return fmin(0.3, fmax(fmax(1e-3, enough), share));
}

/* Size of a slope, measured by the diagonal: about twice what is still to be gained. */
static double size_of_slope(const run *s, const double *slope)
{
    double sum = 0;
    for (size_t j = 0; j < s->f->n; j++) sum += slope[j] * slope[j] * s->inverse[j];
    return sum;
}

/* One iteration; sets what is expected to be gained after it. */
static cairn_status one_step(cairn_context *ctx, run *s, double *first, bool *moved,
                             double *expected)
{
    double gain, extra = 0;
    CHECK(make_diagonal(ctx, s));
    if (s->f->lassos) {
        CHECK(threshold_step(ctx, s, &extra));
        CHECK(make_diagonal(ctx, s));
        /* Slope of the objective where numbers are not 0 (and of those without a threshold); the
         * others are kept still. */
        double *slope = s->goal;
        for (size_t j = 0; j < s->f->n; j++) {
            double x = s->place->x[j], lasso = lasso_of(s, j);
            bool still = (lasso > 0 && x == 0) || !(s->diagonal[j] > 0);
            s->inverse[j] = still ? 0 : 1 / s->diagonal[j];
            slope[j] = still ? 0 : s->place->gradient[j] + (x > 0 ? lasso : x < 0 ? -lasso : 0);
        }
    } else { /* kept while the gradient of the next place is made */
        memcpy(s->goal, s->place->gradient, s->f->n * sizeof *s->goal);
    }
    double size = size_of_slope(s, s->goal);
    if (*first < 0) *first = size;
    CHECK(solve(ctx, s, s->goal, wanted_accuracy(s, size, *first), &gain));
    if (s->f->lassos) {
        CHECK(move(ctx, s, s->goal, moved));
        *expected = fabs(gain) + extra;
        return CAIRN_OK;
    }
    CHECK(advance(ctx, s, s->goal, moved));
    /* the same share of the slope that is left, and a margin for it being another slope */
    *expected = size > 0 ? 4 * gain * size_of_slope(s, s->place->gradient) / size : 0;
    return CAIRN_OK;
}

static cairn_status iterate(cairn_context *ctx, run *s)
{
    cairn_progress *p = s->progress;
    double first = -1, expected;
    bool moved, stop = false;
    while (cairn_progress_goes_on(p) && !stop) {
        CHECK(cairn_tick(ctx, p->what, (double)p->iterations, (double)p->most));
        CHECK(one_step(ctx, s, &first, &moved, &expected));
        double reported = s->watch->reported ? *s->watch->reported : s->place->value;
        CHECK(cairn_progress_next(ctx, p, reported, expected, fabs(s->place->value)));
        if (!moved && !s->f->lassos) break;
        if (s->watch->after) CHECK(s->watch->after(ctx, s->watch->data, s->step, &stop));
    }
    return CAIRN_OK;
}

cairn_status cairn_newton_cg(cairn_context *ctx, const cairn_objective *f, cairn_place *place,
                             cairn_progress *progress, const cairn_watch *watch)
{
    static const cairn_watch nobody = {0};
    run s = {.f = f, .place = place, .progress = progress, .watch = watch ? watch : &nobody};
    s.majorant = 1;
    s.damping = f->lassos ? 1e-3 : 0;
    CHECK(
        cairn_progress_start(ctx, progress, s.watch->reported ? *s.watch->reported : place->value));
    SCOPED_SCRATCH(ctx);
    size_t n = s.f->n;
    CHECK(SCRATCH(ctx, &s.sums, cairn_block_count(n, BLOCK) + 1));
    CHECK(SCRATCH_EACH(ctx, n + 1, &s.inverse, &s.diagonal, &s.step, &s.way, &s.rest, &s.product,
                       &s.trial, &s.goal));
    return iterate(ctx, &s);
}
