/* SPDX-License-Identifier: MIT */
/* Support vector machines whose kernel matrix has negative eigenvalues: the conditions hold at many
 * places, of which one with a small value is wanted.
 *
 * 1. Two multipliers of a group at a time go to where the value is least with all others held,
 *    over their whole range: between bounds, at a kink or within.
 * 2. When no two gain by it an active set brings the conditions to rounding, and both take turns.
 * 3. That is done from what the solver found, from where it began, and then again and again from
 *    the lowest end so far, some of whose multipliers are moved at random.
 *
 * No such search knows that it has found the least of all. */
#include "base/memory.h"
#include "base/random.h"
#include "learners/kernel/svm_fit.h"

#include <math.h>
#include <string.h>

enum { MOST_HOPS = 90, MOST_TURNS = 8, MOST_SWEEPS = 50 };
#define GAIN 1e-12 /* of the size of the value, or it is rounding */

typedef struct search {
    cairn_pairs *p;
    const double *gram;     /* n_points x n_points */
    const cairn_wide *wide; /* the same */
    double *rest;           /* of the variables: b - Kβ */
    double *best;
    double value;
    bool tube; /* two variables for each row, whose groups' multipliers are a width apart */
} search;

static double entry(const search *s, size_t v, size_t u)
{
    size_t n = s->p->n_points;
    return s->gram[(v < n ? v : v - n) * n + (u < n ? u : u - n)];
}

static double find_value(search *s)
{
    cairn_pairs *p = s->p;
    double value = 0;
    for (size_t v = 0; v < p->n; v++) {
        s->rest[v] = p->linear[v];
        for (size_t u = 0; u < p->n; u++)
            if (p->beta[u] != 0) s->rest[v] -= entry(s, v, u) * p->beta[u];
        value += p->width * fabs(p->beta[v]) - p->beta[v] * (p->linear[v] + s->rest[v]) / 2;
    }
    return value;
}

/* How far v can rise while u falls, and the other way round, as a negative number. */
static void range_of(const search *s, size_t v, size_t u, double *low, double *high)
{
    const cairn_pairs *p = s->p;
    *high = fmin(p->upper[v] - p->beta[v], p->beta[u] - p->lower[u]);
    *low = -fmin(p->beta[v] - p->lower[v], p->upper[u] - p->beta[u]);
}

/* What the value changes by when v rises by t and u falls by it. */
static double change(const search *s, size_t v, size_t u, double bend, double t)
{
    const cairn_pairs *p = s->p;
    double a = p->beta[v], b = p->beta[u];
    return bend * t * t / 2 - (s->rest[v] - s->rest[u]) * t +
           p->width * (fabs(a + t) - fabs(a) + fabs(b - t) - fabs(b));
}

/* The best exchange of two variables; what it gains. */
static double best_of(const search *s, size_t v, size_t u, double *by)
{
    const cairn_pairs *p = s->p;
    double bend = entry(s, v, v) + entry(s, u, u) - 2 * entry(s, v, u), least = 0, low, high;
    double push = s->rest[v] - s->rest[u], tries[7], a = -p->beta[v], b = p->beta[u];
    size_t n = 0;
    range_of(s, v, u, &low, &high);
    *by = 0;
    tries[n++] = low, tries[n++] = high;
    if (p->width > 0) tries[n++] = a, tries[n++] = b;
    for (int kink = -1; bend > 0 && kink <= 1; kink++)
        if (kink == 0 || p->width > 0) tries[n++] = (push + 2 * kink * p->width) / bend;
    for (size_t k = 0; k < n; k++) {
        if (!(tries[k] >= low && tries[k] <= high)) continue;
        double now = change(s, v, u, bend, tries[k]);
        if (now < least) least = now, *by = tries[k];
    }
    return -least;
}

static void move(search *s, size_t v, size_t u, double by)
{
    cairn_pairs *p = s->p;
    p->beta[v] = fmin(fmax(p->beta[v] + by, p->lower[v]), p->upper[v]);
    p->beta[u] = fmin(fmax(p->beta[u] - by, p->lower[u]), p->upper[u]);
    for (size_t w = 0; w < p->n; w++) s->rest[w] -= by * (entry(s, w, v) - entry(s, w, u));
}

static bool same_group(const cairn_pairs *p, size_t v, size_t u)
{
    return (v < p->split) == (u < p->split);
}

/* Exchanges until none gains; whether there was any. */
static cairn_status exchange(cairn_context *ctx, search *s, bool *moved)
{
    cairn_pairs *p = s->p;
    double size = fabs(find_value(s));
    bool any = true;
    *moved = false;
    for (int sweep = 0; sweep < MOST_SWEEPS && any; sweep++) {
        any = false;
        for (size_t v = 0; v < p->n; v++) {
            size_t with = p->n;
            double most = GAIN * size, by = 0, t;
            for (size_t u = 0; u < p->n; u++) {
                if (u == v || !same_group(p, v, u)) continue;
                double gain = best_of(s, v, u, &t);
                if (gain > most) most = gain, by = t, with = u;
            }
            if (with == p->n) continue;
            move(s, v, with, by);
            any = *moved = true;
        }
        CHECK(cairn_tick(ctx, "svm", 0, 0));
    }
    return CAIRN_OK;
}

/* From the present place to where neither the active set nor an exchange goes on. */
static cairn_status descend(cairn_context *ctx, search *s)
{
    bool moved;
    cairn_ending ending;
    for (int turn = 0; turn < MOST_TURNS; turn++) {
        CHECK(exchange(ctx, s, &moved));
        if (turn && !moved) break;
        CHECK(cairn_pairs_exact(ctx, s->p, s->wide, &ending, NULL));
    }
    double value = find_value(s);
    if (s->tube && s->p->groups[0].middle < s->p->groups[1].middle) return CAIRN_OK;
    if (!(value < s->value - GAIN * fabs(value))) return CAIRN_OK;
    s->value = value;
    memcpy(s->best, s->p->beta, s->p->n * sizeof *s->best);
    return CAIRN_OK;
}

/* Some random exchanges, as far as the bounds let them. */
static void scatter(search *s, size_t n, cairn_random *random)
{
    cairn_pairs *p = s->p;
    memcpy(p->beta, s->best, p->n * sizeof *s->best);
    for (size_t k = 0; k < n; k++) {
        size_t v = cairn_random_below(random, p->n), u = cairn_random_below(random, p->n);
        double low, high;
        if (v == u || !same_group(p, v, u)) continue;
        range_of(s, v, u, &low, &high);
        move(s, v, u, cairn_random_uniform(random) < 0.5 ? low : high);
    }
}

/* The two variables of a row were put together into the first: taken apart again, unless they held
 * more than their difference, and what the groups add up to is lost; then it is `start`. */
static void take_apart(const search *s, const double *start)
{
    cairn_pairs *p = s->p;
    double is = 0, was = 0;
    for (size_t v = 0; v < p->n && s->tube; v++) {
        double beta = v < p->split ? p->beta[v] : fmin(p->beta[v - p->split], 0);
        is += fabs(v < p->split ? fmax(beta, 0) : beta), was += fabs(start[v]);
        p->beta[v] = beta;
    }
    for (size_t v = 0; v < p->split && s->tube; v++) p->beta[v] = fmax(p->beta[v], 0);
    if (fabs(is - was) > 1e-9 * was) memcpy(p->beta, start, p->n * sizeof *start);
}

static bool can_search(const cairn_svm_fitting *f, const cairn_svm_problem *m, const cairn_pairs *p,
                       const cairn_kernel_rows *rows)
{
    bool can = f->least_eigenvalue < 0 && m->n <= CAIRN_SVM_EXACT_ROWS &&
               rows->layout != CAIRN_KERNEL_FLOATS && f->params->slack_power == 1;
    for (size_t v = 0; v < p->n && can; v++) can = isfinite(p->lower[v]) && isfinite(p->upper[v]);
    return can;
}

cairn_status cairn_svm_search(cairn_context *ctx, const cairn_svm_fitting *f,
                              const cairn_svm_problem *m, const cairn_kernel_rows *rows,
                              cairn_pairs *p, const double *start)
{
    search s = {.p = p, .value = INFINITY, .tube = p->n > m->n};
    size_t size = cairn_product(m->n, m->n);
    double *gram;
    cairn_wide *wide;
    cairn_ending ending;
    cairn_random random;
    if (!can_search(f, m, p, rows)) return CAIRN_OK;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH_RAW_EACH(ctx, size + 1, &gram, &wide));
    CHECK(SCRATCH_RAW_EACH(ctx, p->n + 1, &s.rest, &s.best));
    CHECK(cairn_kernel_gram(ctx, &f->kernel, rows, false, gram));
    for (size_t i = 0; i < size; i++) wide[i] = gram[i];
    s.gram = gram, s.wide = wide;
    take_apart(&s, start);
    memcpy(s.best, p->beta, p->n * sizeof *s.best);
    CHECK(descend(ctx, &s));
    memcpy(p->beta, start, p->n * sizeof *start);
    CHECK(descend(ctx, &s));
    cairn_random_start(&random, ctx->seed, 0);
    for (int k = 0; k < MOST_HOPS; k++) {
        scatter(&s, (size_t)1 << k % 9, &random);
        CHECK(descend(ctx, &s));
    }
    memcpy(p->beta, s.best, p->n * sizeof *s.best);
    return cairn_pairs_exact(ctx, p, wide, &ending, NULL);
}
