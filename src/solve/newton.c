/* SPDX-License-Identifier: MIT */
/* Newton's method with the whole Hessian.
 *
 *  1. the step solves H d = -g by Cholesky. With an L1 penalty the quadratic model plus the penalty
 *     is minimised by coordinate descent instead, which sets numbers to exactly 0
 *  2. the step is halved until the objective falls enough; near the minimum whole steps square the
 *     error
 *
 * It ends when a step was expected to lower the objective by no more than tolerance times its
 * value. */
#include "base/memory.h"
#include "kernels/kernels.h"
#include "decompose/linalg.h"
#include "solve/solvers.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_HALVINGS = 40 };

typedef struct run {
    const cairn_objective *f;
    cairn_place *place;
    cairn_progress *progress;
    const cairn_watch *watch;
    double *trial, *change, *buffer, *factor, *units;
} run;

/* Powers of two that bring the diagonal near 1: penalties of columns of other sizes would drown the
 * small numbers in what is added to it, and powers of two change no digit. */
static void make_units(run *s)
{
    size_t n = s->f->n;
    for (size_t j = 0; j < n; j++) {
        double own = s->place->hessian[j * (n + 1)];
        int power = 0;
        if (own > 0 && isfinite(own)) (void)frexp(own, &power);
        s->units[j] = ldexp(1, -power / 2);
    }
}

static cairn_status look(cairn_context *ctx, run *s, const double *x, bool curves, double *value)
{
    CHECK(s->f->look(ctx, s->f->data, x, value, s->place->gradient,
                     curves ? s->place->hessian : NULL));
    *value += cairn_lasso_sum(s->f, x);
    return CAIRN_OK;
}

/* The step from here and what it is expected to bring, shown to the watcher. */
static cairn_status choose_step(cairn_context *ctx, run *s, double max_step)
{
    const cairn_place *place = s->place;
    if (s->f->lassos)
        cairn_coordinate_descent(s->change, s->buffer, place->x, place->gradient, place->hessian,
                                 s->f->lassos, s->f->n, place->value);
    else {
        /* H d = -g by Cholesky; a Hessian that is not positive gets a little on its diagonal. */
        const double *hessian = s->place->hessian, *units = s->units;
        size_t n = s->f->n, first = n - s->f->tied, pivot;
        double condition = 0, tie = 0;
        make_units(s);
        for (size_t j = first; j < n; j++) tie = fmax(tie, hessian[j * (n + 1)]);
        for (double extra = 0; condition == 0; extra = extra == 0 ? 1e-14 : 100 * extra) {
            for (size_t j = 0; j < n; j++)
                for (size_t k = 0; k < n; k++)
                    s->factor[j * n + k] =
                        (hessian[j * n + k] + (j >= first && k >= first ? tie : 0)) * units[j] *
                        units[k];
            for (size_t j = 0; j < n; j++) s->factor[j * (n + 1)] += extra;
            CHECK(cairn_cholesky(ctx, s->factor, n, &condition, &pivot));
            if (!(extra < 1e6)) break;
        }
        for (size_t j = 0; j < n; j++) s->change[j] = -s->place->gradient[j] * units[j];
        CHECK(cairn_cholesky_solve(ctx, s->factor, n, s->change, 1));
        for (size_t j = 0; j < n; j++) s->change[j] *= units[j];
    }
    /* No number changes by more than the limit. */
    double most = 0;
    for (size_t j = 0; j < s->f->n; j++) most = fmax(most, fabs(s->change[j]));
    for (size_t j = 0; max_step > 0 && most > max_step && j < s->f->n; j++)
        s->change[j] *= max_step / most;
    /* What the quadratic model expects of the change: how much the objective falls. */
    size_t n = s->f->n;
    double fall = 0;
    for (size_t j = 0; j < n; j++) {
        double c = s->change[j], lasso = s->f->lassos ? s->f->lassos[j] : 0;
        if (c == 0) continue;
        fall -=
            c * (s->place->gradient[j] + cairn_dot(s->place->hessian + j * n, s->change, n) / 2);
        if (lasso > 0) fall -= lasso * (fabs(s->place->x[j] + c) - fabs(s->place->x[j]));
    }
    s->progress->expected = fall;
    return s->watch->before ? s->watch->before(ctx, s->watch->data, s->change) : CAIRN_OK;
}

/* The number that the history gets. */
static double reported(const run *s)
{
    return s->watch->reported ? *s->watch->reported : s->place->value;
}

/* Convergence is judged by what the next step is expected to gain, before it is made; the last step
 * is still made, as it brings more digits than it costs. */
static cairn_status iterate(cairn_context *ctx, run *s, double max_step, bool polish)
{
    cairn_progress *p = s->progress;
    cairn_place *place = s->place;
    bool moved, stop = false;
    while (cairn_progress_goes_on(p) && !stop) {
        CHECK(cairn_tick(ctx, p->what, (double)p->iterations, (double)p->most));
        CHECK(choose_step(ctx, s, max_step));
        double size = fmax(fabs(place->value), p->size), expected = p->expected;
        bool last = expected <= p->tolerance * size;
        if (polish && expected <= 8 * DBL_EPSILON * size) {
            /* the objective cannot fall any more, the numbers can still get nearer */
            for (size_t j = 0; j < s->f->n; j++) place->x[j] += s->change[j];
            p->converged = true;
            return cairn_progress_next(ctx, p, reported(s), expected, NAN);
        }
        /* after the last step the Hessian has changed by less than its errors */
        /* Move by the change or a part of it, so that the objective falls; *moved is false when
         * it does not. */
        bool curves = !(last || expected <= s->watch->steady * size) || !polish;
        double value, part = 1, noise = 64 * DBL_EPSILON * fabs(place->value);
        moved = false;
        for (int halving = 0; halving < MOST_HALVINGS && !moved; halving++, part /= 2) {
            for (size_t j = 0; j < s->f->n; j++) {
                double goal = place->x[j] + part * s->change[j];
                s->trial[j] = part == 1 && s->change[j] == -place->x[j] ? 0 : goal;
            }
            CHECK(look(ctx, s, s->trial, curves, &value));
            moved = value <= place->value - 1e-4 * part * s->progress->expected + noise;
            place->taken = part;
        }
        if (!moved) {
            CHECK(look(ctx, s, place->x, curves, &place->value));
        } else { /* what belongs to x again */
            memcpy(place->x, s->trial, s->f->n * sizeof *place->x);
            place->value = value;
        }
        p->converged = last || (!moved && expected <= 1e-9 * fabs(place->value));
        if (!moved) break; /* no progress beyond rounding */
        CHECK(cairn_progress_next(ctx, p, reported(s), expected, NAN));
        if (!p->converged && s->watch->after)
            CHECK(s->watch->after(ctx, s->watch->data, s->change, &stop));
    }
    return CAIRN_OK;
}

cairn_status cairn_newton(cairn_context *ctx, const cairn_objective *f, cairn_place *place,
                          cairn_progress *progress, const cairn_watch *watch, double max_step,
                          bool polish)
{
    static const cairn_watch nobody = {0};
    run s = {.f = f, .place = place, .progress = progress, .watch = watch ? watch : &nobody};
    CHECK(cairn_progress_start(ctx, progress, reported(&s)));
    SCOPED_SCRATCH(ctx);
    size_t n = s.f->n;
    CHECK(SCRATCH_EACH(ctx, n, &s.trial, &s.change, &s.buffer, &s.units));
    CHECK(SCRATCH_RAW(ctx, &s.factor, cairn_product(n, n)));
    return iterate(ctx, &s, max_step, polish);
}

cairn_status cairn_degrees_of_freedom(cairn_context *ctx, const double *hessian,
                                      const double *ridges, size_t n, double *out)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    double *inverse, condition;
    size_t pivot;
    cairn_status status = CAIRN_OK;
    *out = (double)n;
    if (n == 0) return status;
    TRY(SCRATCH_RAW(ctx, &inverse, cairn_product(n, n)));
    memcpy(inverse, hessian, n * n * sizeof *inverse);
    TRY(cairn_cholesky(ctx, inverse, n, &condition, &pivot));
    if (condition == 0) goto done;
    TRY(cairn_cholesky_inverse(ctx, inverse, n));
    for (size_t j = 0; j < n; j++) *out -= ridges[j] * inverse[j * (n + 1)];
done:
    cairn_scratch_release(ctx, mark);
    return status;
}
