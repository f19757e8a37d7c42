/* SPDX-License-Identifier: MIT */
/* Convex quadratic programs in a box, with sums that keep their value, by an active set.
 *
 * Numbers are free or stand at a bound. One free number of each sum makes up for what the others
 * change, so that a step is any change of the rest:
 * 1. Cholesky factors of the Hessian of the rest. Where it is positive definite the step leads to
 *    the least value on this face; where it is not, along a direction of no curvature, downhill.
 * 2. The step ends at the first bound that is met; its number is free no longer.
 * 3. At the least value of a face, a number at a bound whose slope leads inside is freed: the
 *    steepest, or after steps that moved nothing the first (so the method ends) that was not freed
 *    since the value fell last: a slope of rounding may have it meet its bound at once, for ever. A
 *    sum without a free number has the pair freed that disagrees most about its multiplier.
 * Without such a number the place is the minimum. A direction of no curvature that goes down for
 * ever says that there is none. A step costs the cube of the number of free ones. */
#include "solve/constrained.h"

#include "base/memory.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef cairn_wide wide;

enum { STEPS_PER_NUMBER = 100, LEAST_STEPS = 1000, POLISHES = 4, LOST_STEPS = 400 };
#define ROUNDING 1e-16L /* of sums of wide numbers, beside the size of their terms */
#define AGAIN    1000   /* so many times that must be a slope by which a number is freed again */

typedef enum place { AT_LOWER, AT_UPPER, FREE } place;

typedef struct faces {
    const cairn_box_program *program;
    size_t n;
    wide *x;
    wide *slope; /* n: H x + g */
    wide *size;  /* n: of the numbers that a slope is the sum of */
    wide *step;  /* n */
    place *places;
    bool *freed;     /* n: since the value fell last by more than rounding */
    size_t *keepers; /* n_groups: the free number that makes up for the others; n = none */
    size_t *movers;  /* free numbers that are no keepers */
    wide *factor;    /* Cholesky factor of their Hessian: room for n x n */
    wide *reduced;   /* slopes of the movers */
    size_t n_movers;
    bool stuck; /* the last step was not downhill by more than rounding */
} faces;

static size_t group_of(const faces *f, size_t i)
{
    return f->program->groups ? f->program->groups[i] : 0;
}

static wide entry(const faces *f, size_t i, size_t j)
{
    return f->program->hessian[i * f->n + j];
}

/* By how much the keeper of its sum falls for each unit of a mover. */
static wide share(const faces *f, size_t mover)
{
    return f->program->factors[mover] / f->program->factors[f->keepers[group_of(f, mover)]];
}

/* Numbers strictly within their bounds at the start are free. */
static cairn_status faces_new(cairn_context *ctx, faces *f, const cairn_box_program *program,
                              wide *x)
{
    size_t n = program->n;
    *f = (faces){.program = program, .n = n, .x = x};
    CHECK(SCRATCH_EACH(ctx, n, &f->slope, &f->size, &f->step, &f->reduced, &f->places, &f->freed,
                       &f->movers));
    CHECK(SCRATCH(ctx, &f->keepers, program->n_groups));
    CHECK(SCRATCH_RAW(ctx, &f->factor, cairn_product(n, n)));
    for (size_t i = 0; i < n; i++)
        f->places[i] = x[i] <= program->lower[i]   ? AT_LOWER
                       : x[i] >= program->upper[i] ? AT_UPPER
                                                   : FREE;
    return CAIRN_OK;
}

/* Numbers that are 0, most of them as a rule, add nothing. */
static void find_slopes(faces *f)
{
    for (size_t i = 0; i < f->n; i++) {
        f->slope[i] = f->program->gradient[i];
        f->size[i] = fabsl(f->slope[i]);
    }
    for (size_t j = 0; j < f->n; j++) {
        const wide *row = f->program->hessian + j * f->n;
        for (size_t i = 0; f->x[j] != 0 && i < f->n; i++) {
            wide term = row[i] * f->x[j];
            f->slope[i] += term;
            f->size[i] += fabsl(term);
        }
    }
}

/* The first free number of each sum keeps it; the others move. */
static void find_movers(faces *f)
{
    f->n_movers = 0;
    for (size_t g = 0; g < f->program->n_groups; g++) f->keepers[g] = f->n;
    for (size_t i = 0; i < f->n; i++) {
        if (f->places[i] != FREE) continue;
        if (f->keepers[group_of(f, i)] == f->n)
            f->keepers[group_of(f, i)] = i;
        else
            f->movers[f->n_movers++] = i;
    }
    for (size_t k = 0; k < f->n_movers; k++) {
        size_t i = f->movers[k];
        f->reduced[k] = f->slope[i] - share(f, i) * f->slope[f->keepers[group_of(f, i)]];
    }
}

/* Second derivative along movers a and b with their keepers; `size` is of its terms. */
static wide curvature(const faces *f, size_t a, size_t b, wide *size)
{
    size_t i = f->movers[a], j = f->movers[b];
    size_t at = f->keepers[group_of(f, i)], to = f->keepers[group_of(f, j)];
    wide s = share(f, i), t = share(f, j);
    *size = fabsl(entry(f, i, j)) + fabsl(t * entry(f, i, to)) + fabsl(s * entry(f, at, j)) +
            fabsl(s * t * entry(f, at, to));
    return (entry(f, i, j) - t * entry(f, i, to)) -
           (s * entry(f, at, j) - s * t * entry(f, at, to));
}

/* Factors the Hessian of the movers; the first of them along whose direction there is no curvature
 * that is more than rounding, or n_movers. */
static size_t factorise(faces *f)
{
    wide *l = f->factor, size;
    size_t n = f->n_movers;
    for (size_t a = 0; a < n; a++) {
        wide *row = l + a * n, own = curvature(f, a, a, &size);
        wide tiny = 16 * LDBL_EPSILON * (wide)(a + 4) * size;
        for (size_t b = 0; b < a; b++) {
            wide sum = curvature(f, a, b, &size);
            for (size_t k = 0; k < b; k++) sum -= row[k] * l[b * n + k];
            row[b] = sum / l[b * n + b];
            own -= row[b] * row[b];
        }
        if (own <= tiny) return a;
        row[a] = sqrtl(own);
    }
    return n;
}

/* Solves L'v = v for the leading `size` movers, in place. */
static void solve_back(const faces *f, wide *v, size_t size)
{
    for (size_t a = size; a-- > 0;) {
        for (size_t b = a + 1; b < size; b++) v[a] -= f->factor[b * f->n_movers + a] * v[b];
        v[a] /= f->factor[a * f->n_movers + a];
    }
}

/* The movers' changes v as a step of all numbers. */
static void spread(faces *f, const wide *v)
{
    memset(f->step, 0, f->n * sizeof *f->step);
    for (size_t k = 0; k < f->n_movers; k++) {
        size_t i = f->movers[k];
        f->step[i] = v[k];
        f->step[f->keepers[group_of(f, i)]] -= share(f, i) * v[k];
    }
}

/* Along the direction in which the mover `flat` and those before it meet no curvature; the slope
 * along it, which is not positive, or 0 where it is rounding. */
static wide flat_step(faces *f, wide *v, size_t flat)
{
    wide along = 0, size = 0;
    memset(v, 0, f->n_movers * sizeof *v);
    for (size_t b = 0; b < flat; b++) v[b] = -f->factor[flat * f->n_movers + b];
    solve_back(f, v, flat);
    v[flat] = 1;
    spread(f, v);
    for (size_t i = 0; i < f->n; i++) {
        along += f->slope[i] * f->step[i];
        size += f->size[i] * fabsl(f->step[i]);
    }
    if (fabsl(along) <= ROUNDING * size) return 0;
    for (size_t i = 0; along > 0 && i < f->n; i++) f->step[i] = -f->step[i];
    return -fabsl(along);
}

/* How much of the step the bounds allow, and the number that meets one; n = none. */
static wide buffer(const faces *f, size_t *stopper)
{
    wide least = INFINITY;
    *stopper = f->n;
    for (size_t i = 0; i < f->n; i++) {
        if (f->step[i] == 0 || f->places[i] != FREE) continue;
        wide bound = f->step[i] < 0 ? f->program->lower[i] : f->program->upper[i];
        wide part = fmaxl((bound - f->x[i]) / f->step[i], 0);
        if (part >= least) continue;
        least = part;
        *stopper = i;
    }
    return least;
}

/* A number that has come to within rounding of a bound stands at it. */
static void stand(faces *f, size_t i)
{
    bool down = f->step[i] < 0;
    f->x[i] = down ? f->program->lower[i] : f->program->upper[i];
    f->places[i] = down ? AT_LOWER : AT_UPPER;
}

/* By the rounding of the number itself and of the part of the step that was taken: the whole step
 * may be longer by any factor where the Hessian is nearly singular. */
static bool arrived(const faces *f, size_t i, wide part)
{
    wide bound = f->step[i] < 0 ? f->program->lower[i] : f->program->upper[i];
    wide size = fmaxl(fabsl(bound), fabsl(part * f->step[i]));
    return f->places[i] == FREE && f->step[i] != 0 && isfinite(bound) &&
           fabsl(f->x[i] - bound) <= 8 * LDBL_EPSILON * size;
}

/* Takes `part` of the step; numbers that meet their bounds stand at them exactly. */
static void take(faces *f, wide part, size_t stopper)
{
    wide fall = 0, size = 0;
    for (size_t i = 0; i < f->n; i++) {
        fall -= part * f->slope[i] * f->step[i];
        size += fabsl(f->x[i]) * f->size[i];
        if (f->places[i] == FREE) f->x[i] += part * f->step[i];
    }
    f->stuck = fall <= ROUNDING / 16 * size;
    if (!f->stuck) memset(f->freed, 0, f->n * sizeof *f->freed);
    if (stopper < f->n) stand(f, stopper);
    for (size_t i = 0; part > 0 && i < f->n; i++)
        if (arrived(f, i, part)) stand(f, i);
}

/* A step on the present face. *least: its minimum was reached. *endless: it has none. */
static void walk(faces *f, wide *v, bool *least, bool *endless)
{
    size_t stopper, flat = factorise(f);
    wide along = 0, part;
    *least = *endless = false;
    if (flat == f->n_movers) {
        /* To the least value of the face: H v = -slope. */
        size_t n = f->n_movers;
        for (size_t a = 0; a < n; a++) {
            v[a] = -f->reduced[a];
            for (size_t b = 0; b < a; b++) v[a] -= f->factor[a * n + b] * v[b];
            v[a] /= f->factor[a * n + a];
        }
        solve_back(f, v, n);
        spread(f, v);
    } else
        along = flat_step(f, v, flat);
    part = buffer(f, &stopper);
    if (flat < f->n_movers && isinf(part) && along == 0) {
        for (size_t i = 0; i < f->n; i++) f->step[i] = -f->step[i];
        part = buffer(f, &stopper);
    }
    if (flat < f->n_movers && isinf(part) && along < 0) {
        /* How far down a direction of hardly any curvature the least value is. */
        wide bend = 0;
        for (size_t i = 0; i < f->n; i++)
            for (size_t j = 0; f->step[i] != 0 && j < f->n; j++)
                bend += f->step[i] * entry(f, i, j) * f->step[j];
        part = bend > 0 ? -along / bend : INFINITY;
    }
    if (flat < f->n_movers && isinf(part)) {
        *endless = along < 0;
        *least = !*endless;
        return;
    }
    *least = flat == f->n_movers && part >= 1;
    if (*least) {
        part = 1;
        stopper = f->n;
    }
    take(f, part, stopper);
}

/* A bound on the multiplier of its sum that a number at a bound sets. */
static wide bound_of(const faces *f, size_t i)
{
    return -f->slope[i] / f->program->factors[i];
}

/* Whether that bound is from below. */
static bool bounds_below(const faces *f, size_t i)
{
    return (f->places[i] == AT_LOWER) == (f->program->factors[i] > 0);
}

static bool can_move(const faces *f, size_t i)
{
    return f->places[i] != FREE && f->program->lower[i] < f->program->upper[i];
}

static wide slack_of(const faces *f, size_t i)
{
    return ROUNDING * f->size[i];
}

/* Frees the two numbers of a sum without a keeper that disagree most about its multiplier. */
static bool release_pair(faces *f, size_t group)
{
    size_t below = f->n, above = f->n;
    for (size_t i = 0; i < f->n; i++) {
        if (!can_move(f, i) || group_of(f, i) != group) continue;
        if (bounds_below(f, i)) {
            if (below == f->n || bound_of(f, i) > bound_of(f, below)) below = i;
        } else if (above == f->n || bound_of(f, i) < bound_of(f, above)) {
            above = i;
        }
    }
    if (below == f->n || above == f->n) return false;
    wide gap = bound_of(f, below) - bound_of(f, above);
    if (gap <= slack_of(f, below) / fabsl(f->program->factors[below]) +
                   slack_of(f, above) / fabsl(f->program->factors[above]))
        return false;
    f->places[below] = f->places[above] = FREE;
    return true;
}

/* Whether the step to the least value of the face got there: where the Hessian is nearly singular
 * it takes another one or two. */
static bool is_least(const faces *f)
{
    for (size_t k = 0; k < f->n_movers; k++) {
        size_t i = f->movers[k], keeper = f->keepers[group_of(f, i)];
        if (fabsl(f->reduced[k]) > slack_of(f, i) + fabsl(share(f, i)) * slack_of(f, keeper))
            return false;
    }
    return true;
}

/* Sums without a keeper come first. Then the number with the steepest slope is freed, or the first
 * one after a step without progress; false = none is left. */
static bool release(faces *f)
{
    for (size_t g = 0; g < f->program->n_groups; g++)
        if (f->keepers[g] == f->n && release_pair(f, g)) return true;
    /* Frees a number of a sum with a keeper whose slope leads inside. */
    wide worst = 0;
    size_t found = f->n;
    for (size_t i = 0; i < f->n; i++) {
        size_t keeper = f->keepers[group_of(f, i)];
        if (!can_move(f, i) || keeper == f->n) continue;
        wide own = f->slope[i] - share(f, i) * f->slope[keeper];
        wide wrong = f->places[i] == AT_LOWER ? -own : own;
        wide slack = slack_of(f, i) + fabsl(share(f, i)) * slack_of(f, keeper);
        if (wrong <= fmaxl(worst, slack * (f->freed[i] ? AGAIN : 1))) continue;
        worst = wrong;
        found = i;
        if (f->stuck) break;
    }
    if (found == f->n) return false;
    f->places[found] = FREE;
    f->freed[found] = true;
    return true;
}

/* The multiplier of each sum: of its free numbers, else the interval that those at bounds leave. */
static void find_multipliers(const faces *f, cairn_box_answer *out)
{
    for (size_t g = 0; g < f->program->n_groups; g++) {
        wide low = -INFINITY, high = INFINITY, sum = 0, n = 0;
        for (size_t i = 0; i < f->n; i++) {
            if (group_of(f, i) != g) continue;
            if (f->places[i] == FREE) {
                sum += bound_of(f, i);
                n++;
            } else if (can_move(f, i) && bounds_below(f, i)) {
                low = fmaxl(low, bound_of(f, i));
            } else if (can_move(f, i)) {
                high = fminl(high, bound_of(f, i));
            }
        }
        if (n > 0) low = high = sum / n;
        out->low[g] = (double)low;
        out->high[g] = (double)high;
        out->multipliers[g] = (double)(isinf(low)    ? (isinf(high) ? 0 : high)
                                       : isinf(high) ? low
                                                     : low / 2 + high / 2);
    }
}

static wide value_at(const faces *f)
{
    wide sum = 0;
    for (size_t i = 0; i < f->n; i++) sum += f->x[i] * (f->slope[i] + f->program->gradient[i]) / 2;
    return sum;
}

/* Whether the last many steps together have lowered the value by no more than rounding may, so that
 * steps lead to and fro between faces that rounding cannot tell apart. */
static bool is_lost(const faces *f, wide *mark, size_t *since)
{
    wide value = value_at(f);
    if (value < *mark - 1e-7L * fabsl(*mark) || isinf(*mark)) {
        *mark = value;
        *since = 0;
    }
    return ++*since > LOST_STEPS + 4 * f->n;
}

/* Steps until no number at a bound wants to leave it. */
static cairn_status descend(cairn_context *ctx, faces *f, wide *v, cairn_box_answer *out)
{
    size_t most = LEAST_STEPS + STEPS_PER_NUMBER * f->n;
    bool least = false, endless = false;
    wide mark = INFINITY;
    size_t since = 0;
    for (int polish = 0; out->steps < most && !endless; out->steps++) {
        CHECK(cairn_tick(ctx, "active set", (double)out->steps, 0));
        find_slopes(f);
        if (is_lost(f, &mark, &since)) break;
        find_movers(f);
        polish = least && !is_least(f) ? polish + 1 : 0;
        if (least && (polish == 0 || polish > POLISHES)) {
            if (!release(f)) {
                out->ending = CAIRN_ENDING_OPTIMAL;
                break;
            }
            find_movers(f);
        }
        walk(f, v, &least, &endless);
    }
    if (!endless) return CAIRN_OK;
    out->ending = CAIRN_ENDING_UNBOUNDED;
    out->ray = f->step;
    return CAIRN_OK;
}

cairn_status cairn_active_set(cairn_context *ctx, cairn_box_answer *out, wide *x,
                              const cairn_box_program *program)
{
    faces f;
    wide *v;
    *out = (cairn_box_answer){.ending = CAIRN_ENDING_LIMIT};
    CHECK(faces_new(ctx, &f, program, x));
    CHECK(SCRATCH(ctx, &v, program->n));
    CHECK(SCRATCH_EACH(ctx, program->n_groups, &out->multipliers, &out->low, &out->high));
    CHECK(descend(ctx, &f, v, out));
    find_slopes(&f);
    find_multipliers(&f, out);
    out->value = (double)value_at(&f);
    return CAIRN_OK;
}
