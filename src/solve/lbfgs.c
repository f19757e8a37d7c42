/* SPDX-License-Identifier: MIT */
/* Limited-memory BFGS: the step is -H g, where H is the inverse Hessian that the last few changes
 * of x (s) and of the gradient (y) speak for.
 *
 *  1. H g by the two loops over the pairs, the newest first and then the oldest first, from the
 *     diagonal s'y / y'y of the newest pair
 *  2. the length of the step is doubled or halved until the value falls enough and the slope along
 *     it has flattened (weak Wolfe conditions), so that s'y > 0
 *
 * It ends when a step was expected to lower the objective by no more than tolerance times its
 * value. */
#include "base/memory.h"
#include "kernels/kernels.h"
#include "solve/solvers.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { PAIRS = 10, MOST_LENGTHS = 60 };

typedef struct lbfgs_run {
    const cairn_objective *f;
    cairn_place *place;
    cairn_progress *progress;
    const cairn_watch *watch;
    size_t most, n_pairs, newest; /* pairs lie in a ring */
    double *moves, *bends;        /* most x n: s and y */
    double *inner, *parts;        /* most: s'y, and the multiples of the first loop */
    double *step, *trial, *slope; /* n: the whole step, where it leads, the gradient there */
    double value;                 /* at the trial */
} lbfgs_run;

/* Place in the ring of the pair that is `age` iterations old. */
static size_t pair_of(const lbfgs_run *r, size_t age)
{
    return (r->newest + r->most - age) % r->most;
}

/* step = -H g; without pairs down the gradient, no farther than 1. */
static void choose_step(lbfgs_run *r)
{
    size_t n = r->f->n;
    const double *g = r->place->gradient;
    double scale = 1 / fmax(1, sqrt(cairn_dot(g, g, n)));
    for (size_t j = 0; j < n; j++) r->step[j] = -g[j];
    for (size_t age = 0; age < r->n_pairs; age++) {
        size_t i = pair_of(r, age);
        r->parts[i] = cairn_dot(r->moves + i * n, r->step, n) / r->inner[i];
        cairn_axpy(r->step, -r->parts[i], r->bends + i * n, n);
    }
    if (r->n_pairs) {
        const double *y = r->bends + r->newest * n;
        scale = r->inner[r->newest] / cairn_dot(y, y, n);
    }
    for (size_t j = 0; j < n; j++) r->step[j] *= scale;
    for (size_t age = r->n_pairs; age-- > 0;) {
        size_t i = pair_of(r, age);
        double back = cairn_dot(r->bends + i * n, r->step, n) / r->inner[i];
        cairn_axpy(r->step, r->parts[i] - back, r->moves + i * n, n);
    }
}

/* A length of the step between one that is too short and one that is too long; *found is false when
 * rounding leaves none. `down` is the slope along the step at its beginning. */
static cairn_status find_length(cairn_context *ctx, lbfgs_run *r, double down, bool *found)
{
    double shorter = 0, longer = INFINITY, length = 1;
    double before = r->place->value, noise = 8 * DBL_EPSILON * fabs(before);
    *found = false;
    for (int i = 0; i < MOST_LENGTHS && !*found; i++) {
        /* The objective at x + length step. */
        for (size_t j = 0; j < r->f->n; j++) r->trial[j] = r->place->x[j] + length * r->step[j];
        CHECK(r->f->look(ctx, r->f->data, r->trial, &r->value, r->slope, NULL));
        r->place->taken = length;
        if (!(r->value <= before + 1e-4 * length * down + noise))
            longer = length;
        else if (cairn_dot(r->slope, r->step, r->f->n) < 0.9 * down)
            shorter = length;
        else
            *found = true;
        length = isinf(longer) ? 2 * shorter : (shorter + longer) / 2;
    }
    return CAIRN_OK;
}

static double reported(const lbfgs_run *r)
{
    return r->watch->reported ? *r->watch->reported : r->place->value;
}

/* One step; *stop where there is none that lowers the value, even down the gradient. */
static cairn_status iterate(cairn_context *ctx, lbfgs_run *r, bool *stop)
{
    cairn_progress *p = r->progress;
    double size = fabs(r->place->value), down;
    bool found;
    choose_step(r);
    down = cairn_dot(r->place->gradient, r->step, r->f->n);
    p->expected = -down / 2;
    if (r->watch->before) CHECK(r->watch->before(ctx, r->watch->data, r->step));
    CHECK(find_length(ctx, r, down, &found));
    if (!found) {
        *stop = r->n_pairs == 0;
        p->converged = *stop && p->expected <= 1e-9 * size;
        r->n_pairs = 0;
        r->place->taken = 0;
        return CAIRN_OK;
    }
    /* Take the trial as the new place; what it tells of the curvature is the newest pair. */
    size_t n = r->f->n, next = r->n_pairs ? (r->newest + 1) % r->most : 0;
    double *s = r->moves + next * n, *y = r->bends + next * n;
    for (size_t j = 0; j < n; j++) {
        s[j] = r->trial[j] - r->place->x[j];
        y[j] = r->slope[j] - r->place->gradient[j];
    }
    memcpy(r->place->x, r->trial, n * sizeof *r->trial);
    memcpy(r->place->gradient, r->slope, n * sizeof *r->slope);
    r->place->value = r->value;
    r->inner[next] = cairn_dot(s, y, n);
    r->newest = next;
    if (!(r->inner[next] > 0)) /* rounding has taken the curvature: begin anew */
        r->n_pairs = 0;
    else if (r->n_pairs < r->most)
        r->n_pairs++;
    CHECK(cairn_progress_next(ctx, p, reported(r), p->expected, size));
    return r->watch->after && !p->converged ? r->watch->after(ctx, r->watch->data, r->step, stop)
                                            : CAIRN_OK;
}

cairn_status cairn_lbfgs(cairn_context *ctx, const cairn_objective *f, cairn_place *place,
                         cairn_progress *progress, const cairn_watch *watch)
{
    static const cairn_watch nobody = {0};
    lbfgs_run r = {.f = f, .place = place, .progress = progress, .most = PAIRS};
    bool stop = false;
    r.watch = watch ? watch : &nobody;
    CHECK(f->look(ctx, f->data, place->x, &place->value, place->gradient, NULL));
    CHECK(cairn_progress_start(ctx, progress, reported(&r)));
    SCOPED_SCRATCH(ctx);
    size_t n = r.f->n;
    CHECK(SCRATCH_RAW_EACH(ctx, cairn_product(r.most, n), &r.moves, &r.bends));
    CHECK(SCRATCH_RAW_EACH(ctx, r.most, &r.inner, &r.parts));
    CHECK(SCRATCH_RAW_EACH(ctx, n, &r.step, &r.trial, &r.slope));
    while (cairn_progress_goes_on(progress) && !stop) CHECK(iterate(ctx, &r, &stop));
    return CAIRN_OK;
}
