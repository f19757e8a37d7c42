/* SPDX-License-Identifier: MIT */
/* Linear support vector machines of many rows and fewer columns, by Newton's method over the
 * weights: minimise |w|²/2 + Σ C h(over), over = 1 - y f(x), of numbers |y - f(x)| - epsilon.
 *
 * 1. A squared loss has slopes, and Newton's steps end at its minimum.
 * 2. Else the corner of h at 0 is rounded, over²/2b within the band 0 <= over <= b. The slopes at
 *    the minimum are multipliers between 0 and C that make up the weights, and so a solution of the
 *    dual problem: the gap between the two is the sum of C over (1 - over / b) over the rows in the
 *    band.
 * 3. The band is narrowed, from where the last minimum was, until few rows are in it or near. For
 *    those the problem is solved exactly, with the multipliers of all others held, and rows that
 *    turn out to be held wrongly join them. Where very many rows are on the margin the band is
 *    narrowed until the gap is rounding.
 *
 * A pass over the rows costs n p²/2 at most; there are some ten for each of a few bands. Chapelle,
 * Training a support vector machine in the primal (2007). */
#include "base/memory.h"
#include "learners/kernel/svm_fit.h"
#include "rows/matrix.h"
#include "rows/scored.h"
#include "solve/constrained.h"
#include "solve/solvers.h"

#include <math.h>
#include <string.h>

enum {
    MOST_TERMS = 300,
    MOST_BANDS = 80,
    NEWTONS = 60,
    SET_ROWS = 150,
    MOST_ROUNDS = 20,
    FEW_ROWS = 2000
};
#define NARROWER   0.125
#define NEAR_BANDS 8    /* of the margin: rows beyond are held */
#define ENOUGH     2e-7 /* of the objective, and of the size of a target */

/* Losses of rows, and what both objectives come to, in the counts. */
typedef struct hinge {
    const double *targets, *costs; /* n */
    double *betas, *overs;         /* n: of the last look */
    double epsilon, band;
    bool numbers, squared;
} hinge;

enum { COUNT_PRIMAL, COUNT_DUAL, N_COUNTS };

/* Loss, slope and curvature of rows within the band, beyond it and on the right side. */
static void hinge_rows(const void *data, size_t first, size_t n, const double *scores,
                       size_t stride, double *kept, double *slopes, double *sums)
{
    const hinge *h = data;
    (void)stride;
    for (size_t i = 0; i < n; i++) {
        double t = h->targets[first + i], c = h->costs[first + i], rest = t - scores[i];
        double sign = h->numbers ? (rest < 0 ? -1 : 1) : t;
        double over = h->numbers ? fabs(rest) - h->epsilon : 1 - t * scores[i], alpha = 0;
        kept[i] = 0;
        if (over > 0 && h->squared) {
            sums[0] += c * over * over;
            sums[1 + COUNT_PRIMAL] += c * over * over;
            alpha = 2 * c * over;
            kept[i] = 2 * c;
            sums[1 + COUNT_DUAL] -= alpha * over / 2;
        } else if (over > 0) {
            bool inside = over < h->band;
            sums[0] += inside ? c * over * (over / h->band) / 2 : c * (over - h->band / 2);
            sums[1 + COUNT_PRIMAL] += c * over;
            alpha = inside ? c * (over / h->band) : c;
            kept[i] = inside ? c / h->band : 0;
        }
        sums[1 + COUNT_DUAL] += alpha * (h->numbers ? sign * t - h->epsilon : 1);
        slopes[i] = -sign * alpha;
        h->betas[first + i] = sign * alpha;
        h->overs[first + i] = over;
    }
}

bool cairn_svm_can_primal(const cairn_svm_fitting *f)
{
    const cairn_svm_params *p = f->params;
    return cairn_kernel_kind_of(&f->kernel) == CAIRN_KERNEL_LINEAR && p->type == CAIRN_SVM_C &&
           isfinite(p->c) && p->slack_power == 1 && f->dense;
}

bool cairn_svm_is_primal(const cairn_svm_fitting *f, const cairn_svm_problem *m)
{
    const cairn_svm_params *p = f->params;
    if (p->protocol != CAIRN_PROTOCOL_BATCH) return false;
    if (p->solver == CAIRN_SVM_BY_PRIMAL) return cairn_svm_can_primal(f);
    return p->solver == CAIRN_SVM_AUTO && cairn_svm_can_primal(f) && f->n_terms <= MOST_TERMS &&
           f->n_terms < m->n && (m->n > CAIRN_SVM_EXACT_ROWS || p->loss == CAIRN_SVM_SQUARED);
}

/* The rows that are looked at. Those far from the margin are held after a while: what they lose is
 * linear in the weights, as long as they stay there. */
typedef struct level {
    hinge loss;
    cairn_row_loss row_loss;
    cairn_view view;
    cairn_row_matrix x;
    cairn_scored scored;
    cairn_objective of_rows, objective; /* of its rows; with those that are held */
    size_t n;
    uint32_t *which;     /* n rows of the machine */
    double *slope;       /* width: of what the held rows lose */
    double primal, dual; /* and the rest of it; their part of the dual */
} level;

typedef struct primal {
    const cairn_svm_fitting *f;
    cairn_svm_problem *m;
    cairn_pairs *pairs;
    const cairn_kernel_rows *rows;
    cairn_place place;
    cairn_progress progress;
    double *betas; /* of all rows */
    double size;   /* of a target */
    double constant;
} primal;

static double held_loss(const level *l, const double *theta)
{
    double sum = l->primal;
    for (size_t t = 0; t < l->x.width; t++) sum += l->slope[t] * theta[t];
    return sum;
}

static cairn_status look_at(cairn_context *ctx, void *data, const double *theta, double *value,
                            double *gradient, double *hessian)
{
    level *l = data;
    CHECK(l->of_rows.look(ctx, l->of_rows.data, theta, value, gradient, hessian));
    *value += held_loss(l, theta);
    for (size_t t = 0; gradient && t < l->x.width; t++) gradient[t] += l->slope[t];
    return CAIRN_OK;
}

static cairn_status look(cairn_context *ctx, level *l, cairn_place *place)
{
    return look_at(ctx, l, place->x, &place->value, place->gradient, place->hessian);
}

/* Room of a level whose rows are known, and its objective over the matrix. */
static cairn_status open_level(cairn_context *ctx, level *l, const primal *p)
{
    double *targets, *costs;
    CHECK(SCRATCH_RAW_EACH(ctx, l->n + 1, &targets, &costs));
    CHECK(SCRATCH_EACH(ctx, l->n + 1, &l->loss.betas, &l->loss.overs));
    CHECK(SCRATCH(ctx, &l->slope, l->x.width));
    for (size_t i = 0; i < l->n; i++) {
        targets[i] = p->m->targets[l->which[i]];
        costs[i] = p->m->bounds[l->which[i]];
    }
    l->loss.targets = targets;
    l->loss.costs = costs;
    l->row_loss =
        (cairn_row_loss){.n_scores = 1, .n_counts = N_COUNTS, .data = &l->loss, .rows = hinge_rows};
    CHECK(cairn_scored_open(ctx, &l->scored, &l->of_rows, &l->x, &l->row_loss));
    l->objective = (cairn_objective){.n = l->of_rows.n, .data = l, .look = look_at};
    for (size_t t = 0; t < l->x.n_terms; t++) l->scored.ridges[t] = l->x.scale[t] * l->x.scale[t];
    return CAIRN_OK;
}

/* Rows of the machine as rows of the table. */
static cairn_status list_places(cairn_context *ctx, const primal *p, const level *l, uint32_t **out)
{
    CHECK(SCRATCH_RAW(ctx, out, l->n + 1));
    for (size_t i = 0; i < l->n; i++) {
        size_t row = l->which[i];
        (*out)[i] = p->f->places[p->m->which ? p->m->which[row] : row];
    }
    return CAIRN_OK;
}

/* The level of all rows, and the place where the weights are. */
static cairn_status open_all(cairn_context *ctx, primal *p, level *l)
{
    size_t n_terms = p->f->n_terms;
    uint32_t *places;
    cairn_matrix_options options = {.units = CAIRN_UNITS_SHIFTED,
                                    .ones = true,
                                    .buffer = cairn_scored_buffer(1),
                                    .scores = 1,
                                    .sum_size = cairn_scored_sum(n_terms + 1, 1)};
    l->n = p->m->n;
    CHECK(SCRATCH_RAW(ctx, &l->which, l->n + 1));
    for (size_t i = 0; i < l->n; i++) l->which[i] = (uint32_t)i;
    CHECK(list_places(ctx, p, l, &places));
    l->view = *p->f->job->view;
    l->view.rows = (cairn_rows){.indices = places, .n = l->n};
    l->loss = (hinge){.epsilon = p->pairs->width,
                      .numbers = p->f->job->task == CAIRN_REGRESS,
                      .squared = p->f->params->loss == CAIRN_SVM_SQUARED};
    CHECK(cairn_matrix_open(ctx, &l->x, &l->view, &options));
    CHECK(open_level(ctx, l, p));
    CHECK(SCRATCH_EACH(ctx, l->x.width, &p->place.x, &p->place.gradient));
    return SCRATCH(ctx, &p->place.hessian, cairn_product(l->x.width, l->x.width));
}

/* Holds the rows far from the margin, where that leaves few: `next` has those. At the same weights
 * both levels must have the same slopes and objectives, which tells what the held rows add. */
static cairn_status hold_far(cairn_context *ctx, const primal *p, const level *now, level *next,
                             bool *held)
{
    double *gradient, value, far = NEAR_BANDS * now->loss.band;
    const double *theta = p->place.x;
    uint32_t *places;
    *held = false;
    *next = (level){.loss = now->loss};
    CHECK(SCRATCH_RAW(ctx, &next->which, now->n + 1));
    for (size_t i = 0; i < now->n; i++)
        if (fabs(now->loss.overs[i]) <= far) next->which[next->n++] = now->which[i];
    if (next->n == 0 || next->n > now->n / 2) return CAIRN_OK;
    CHECK(list_places(ctx, p, next, &places));
    CHECK(cairn_matrix_part(ctx, &next->x, &next->view, &now->x, places, next->n));
    CHECK(open_level(ctx, next, p));
    CHECK(SCRATCH(ctx, &gradient, next->x.width));
    CHECK(next->of_rows.look(ctx, next->of_rows.data, theta, &value, gradient, NULL));
    next->primal = now->scored.counts[COUNT_PRIMAL] + held_loss(now, theta) -
                   next->scored.counts[COUNT_PRIMAL];
    next->dual = now->scored.counts[COUNT_DUAL] + now->dual - next->scored.counts[COUNT_DUAL];
    for (size_t t = 0; t < next->x.width; t++) {
        next->slope[t] = p->place.gradient[t] - gradient[t];
        next->primal -= next->slope[t] * theta[t];
    }
    *held = true;
    return CAIRN_OK;
}

/* The gap at the end of a band, as a part of the objective. */
static double gap_of(const primal *p, const level *l)
{
    double half = cairn_scored_ridge(&l->scored, p->place.x, NULL);
    double objective = half + l->scored.counts[COUNT_PRIMAL] + held_loss(l, p->place.x);
    return (objective - l->scored.counts[COUNT_DUAL] - l->dual + half) / objective;
}

/* -- the rows near the margin, exactly -- */

typedef struct finish {
    const hinge *loss;
    const double *targets, *costs; /* n */
    const cairn_kernel_rows *rows;
    size_t n, p, n_set, most;
    double size;
    double *betas;    /* n */
    uint32_t *set;    /* most */
    bool *inside;     /* n: in the set */
    cairn_wide *w;    /* p */
    cairn_wide sum;   /* of the β of the set */
    cairn_wide *mean; /* p: of the rows of the set */
    double *row;      /* p */
    double *weights, constant;
} finish;

static bool join(finish *e, size_t i)
{
    if (e->inside[i]) return true;
    if (e->n_set == e->most) return false;
    e->inside[i] = true;
    e->set[e->n_set++] = (uint32_t)i;
    return true;
}

/* The weights of the rows that are held, what the others must sum up to, and their mean. */
static void hold(finish *e)
{
    memset(e->w, 0, e->p * sizeof *e->w);
    memset(e->mean, 0, e->p * sizeof *e->mean);
    e->sum = 0;
    for (size_t i = 0; i < e->n; i++) {
        if (e->betas[i] == 0 && !e->inside[i]) continue;
        cairn_kernel_rows_read(e->rows, i, e->row);
        if (!e->inside[i]) e->sum -= e->betas[i];
        for (size_t t = 0; t < e->p; t++)
            *(e->inside[i] ? &e->mean[t] : &e->w[t]) +=
                e->row[t] * (e->inside[i] ? 1 / (cairn_wide)e->n_set : (cairn_wide)e->betas[i]);
    }
}

/* The problem of the set: its matrix over rows less their mean, and what the held rows leave of the
 * targets. */
static cairn_status open_set(cairn_context *ctx, const finish *e, cairn_pairs *p,
                             cairn_wide **points, cairn_wide **gram)
{
    size_t n = e->n_set;
    double *linear, *lower, *upper;
    CHECK(SCRATCH_RAW(ctx, points, cairn_product(n, e->p) + 1));
    CHECK(SCRATCH_RAW(ctx, gram, cairn_product(n, n) + 1));
    CHECK(SCRATCH_RAW_EACH(ctx, n + 1, &linear, &lower, &upper, &p->beta, &p->rest));
    *p = (cairn_pairs){.n = n, .n_points = n, .beta = p->beta, .rest = p->rest};
    p->linear = linear, p->lower = lower, p->upper = upper;
    p->width = e->loss->numbers ? e->loss->epsilon : 0;
    for (size_t v = 0; v < n; v++) {
        size_t i = e->set[v];
        cairn_wide *point = *points + v * e->p, score = 0;
        double t = e->targets[i], c = e->costs[i];
        cairn_kernel_rows_read(e->rows, i, e->row);
        for (size_t k = 0; k < e->p; k++) {
            point[k] = e->row[k] - e->mean[k];
            score += (e->w[k] + e->sum * e->mean[k]) * point[k];
        }
        linear[v] = (double)(t - score);
        lower[v] = e->loss->numbers || t < 0 ? -c : 0;
        upper[v] = e->loss->numbers || t > 0 ? c : 0;
        p->beta[v] = e->betas[i];
        for (size_t u = 0; u <= v; u++) {
            cairn_wide sum = 0;
            for (size_t k = 0; k < e->p; k++) sum += point[k] * (*points)[u * e->p + k];
            (*gram)[v * n + u] = (*gram)[u * n + v] = sum;
        }
    }
    return CAIRN_OK;
}

/* The set solved with the others held; weights and constant follow, in the columns' own units. */
static cairn_status solve_set(cairn_context *ctx, finish *e, bool *ended)
{
    cairn_pairs p = {0};
    cairn_wide *points, *gram, shift = 0;
    cairn_quad *beta;
    cairn_ending ending;
    SCOPED_SCRATCH(ctx);
    hold(e);
    CHECK(open_set(ctx, e, &p, &points, &gram));
    CHECK(SCRATCH_RAW(ctx, &beta, p.n + 1));
    CHECK(cairn_pairs_exact(ctx, &p, gram, &ending, beta));
    *ended = ending == CAIRN_ENDING_OPTIMAL;
    for (size_t t = 0; t < e->p; t++) {
        e->w[t] += e->sum * e->mean[t];
        for (size_t v = 0; v < p.n; v++) e->w[t] += (cairn_wide)beta[v] * points[v * e->p + t];
        e->weights[t] = (double)e->w[t];
        shift += e->w[t] * e->mean[t];
    }
    e->constant = (double)(p.groups[0].middle - shift);
    for (size_t v = 0; v < p.n; v++) e->betas[e->set[v]] = p.beta[v];
    return CAIRN_OK;
}

/* Rows that are held at 0 inside the margin, or at their bound beyond it, join the set. *many: it
 * has no room for them. Returns how many there are. */
static size_t take_violators(finish *e, bool *many)
{
    size_t found = 0;
    *many = false;
    for (size_t i = 0; i < e->n && !*many; i++) {
        if (e->inside[i]) continue;
        double t = e->targets[i], beta = e->betas[i];
        cairn_wide score = e->constant;
        cairn_kernel_rows_read(e->rows, i, e->row);
        for (size_t k = 0; k < e->p; k++) score += (cairn_wide)e->weights[k] * e->row[k];
        double rest = (double)(t - score);
        double over = e->loss->numbers ? fabs(rest) - e->loss->epsilon : (double)(1 - t * score);
        if (e->loss->numbers && beta * rest < 0) over = -e->size;
        if (beta == 0 ? over <= 1e-9 * e->size : over >= -1e-9 * e->size) continue;
        *many = !join(e, i);
        found++;
    }
    return found;
}

/* Whether the exact solution was found; weights, constant and β are its then. */
static cairn_status finish_exactly(cairn_context *ctx, primal *p, const level *l, bool *found)
{
    finish e = {.loss = &l->loss,
                .targets = p->m->targets,
                .costs = p->m->bounds,
                .rows = p->rows,
                .n = p->m->n,
                .p = l->x.n_terms,
                .size = p->size,
                .weights = p->m->weights};
    double band = l->loss.band;
    bool many = false, ended = true;
    SCOPED_SCRATCH(ctx);
    e.most = SET_ROWS + 2 * e.p;
    CHECK(SCRATCH_RAW(ctx, &e.set, e.most));
    CHECK(SCRATCH_RAW(ctx, &e.betas, e.n + 1));
    CHECK(SCRATCH(ctx, &e.inside, e.n + 1));
    CHECK(SCRATCH_EACH(ctx, e.p + 1, &e.w, &e.mean, &e.row));
    memcpy(e.betas, p->betas, e.n * sizeof *e.betas);
    *found = false;
    for (size_t i = 0; i < l->n; i++) {
        double over = l->loss.overs[i];
        if (over > -2 * band && over < 3 * band && !join(&e, l->which[i])) return CAIRN_OK;
    }
    for (int round = 0; round < MOST_ROUNDS && !many && ended && !*found && e.n_set; round++) {
        CHECK(solve_set(ctx, &e, &ended));
        *found = ended && take_violators(&e, &many) == 0;
    }
    if (!*found) return CAIRN_OK;
    memcpy(p->pairs->beta, e.betas, e.n * sizeof *e.betas);
    p->constant = e.constant;
    p->pairs->gap = 0;
    return CAIRN_OK;
}

/* -- the whole -- */

/* The minimum of a band in the columns' own units. */
static cairn_status take_band(cairn_context *ctx, primal *p, const level *l)
{
    double *raw;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH(ctx, &raw, l->x.n_terms + 1));
    cairn_matrix_raw(&l->x, p->place.x, 1, 1, raw);
    memcpy(p->m->weights, raw, l->x.n_terms * sizeof *raw);
    p->constant = raw[l->x.n_terms];
    for (size_t i = 0; i < l->n; i++) p->betas[l->which[i]] = l->loss.betas[i];
    memcpy(p->pairs->beta, p->betas, p->m->n * sizeof *p->betas);
    p->pairs->gap = l->loss.squared ? 0 : l->loss.band / p->size;
    p->pairs->converged = l->loss.squared || fabs(gap_of(p, l)) <= ENOUGH;
    return CAIRN_OK;
}

/* Whether the place is an end, with what is known of it. */
static cairn_status try_end(cairn_context *ctx, primal *p, const level *l, bool all, bool *done)
{
    CHECK(take_band(ctx, p, l));
    *done = l->loss.squared;
    if (!*done) CHECK(finish_exactly(ctx, p, l, done));
    if (!*done && all) *done = p->pairs->converged && l->loss.band <= ENOUGH * p->size;
    return CAIRN_OK;
}

/* Minima of narrower and narrower bands; where the next is out of reach, the step is made smaller.
 * `hold`: rows that are far away may be held, and then only an exact end is one. */
static cairn_status narrow(cairn_context *ctx, primal *p, level *all, bool hold, bool *done)
{
    level *now = all, *next;
    double band, factor = NARROWER, *good;
    bool found;
    *done = false;
    /* Numbers begin at the middle of their range; the first band is so wide that the rows are
     * within. */
    double low = INFINITY, high = -INFINITY;
    p->size = 1;
    memset(p->place.x, 0, all->x.width * sizeof *p->place.x);
    for (size_t i = 0; i < all->n; i++) {
        low = fmin(low, all->loss.targets[i]);
        high = fmax(high, all->loss.targets[i]);
    }
    if (all->loss.numbers) {
        p->size = high > low ? (high - low) / 2 : 1;
        p->place.x[all->x.width - 1] = low / 2 + high / 2;
    }
    all->loss.band = 2 * p->size;
    band = all->loss.band;
    CHECK(SCRATCH(ctx, &good, all->x.width));
    for (int round = 0; round < MOST_BANDS && !*done && p->pairs->steps < p->pairs->most; round++) {
        /* The minimum of a band; false where it is so narrow that Newton's method does not get
         * there. */
        cairn_pairs *pairs = p->pairs;
        p->progress = (cairn_progress){.what = "svm", .most = NEWTONS, .tolerance = 1e-15};
        if (p->progress.most > pairs->most - pairs->steps)
            p->progress.most = pairs->most - pairs->steps;
        CHECK(look(ctx, now, &p->place));
        CHECK(cairn_newton(ctx, &now->objective, &p->place, &p->progress, NULL, 0, true));
        pairs->steps += p->progress.iterations;
        found = p->progress.converged;
        CHECK(look(ctx, now, &p->place));
        if (found) {
            CHECK(try_end(ctx, p, now, now == all, done));
            memcpy(good, p->place.x, all->x.width * sizeof *good);
            band = now->loss.band;
            factor = fmax(NARROWER, factor * factor);
            CHECK(SCRATCH(ctx, &next, 1));
            if (hold && !*done) CHECK(hold_far(ctx, p, now, next, &found));
            if (hold && !*done && found) now = next;
        } else {
            memcpy(p->place.x, good, all->x.width * sizeof *good);
            factor = sqrt(factor);
        }
        if (factor > 0.99) break;
        now->loss.band = band * factor;
    }
    return CAIRN_OK;
}

cairn_status cairn_svm_solve_primal(cairn_context *ctx, const cairn_svm_fitting *f,
                                    cairn_svm_problem *m, const cairn_kernel_rows *rows,
                                    cairn_pairs *pairs)
{
    primal p = {.f = f, .m = m, .rows = rows, .pairs = pairs};
    level all = {.n = 0};
    bool done;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH(ctx, &p.betas, m->n + 1));
    CHECK(open_all(ctx, &p, &all));
    pairs->steps = 0;
    m->exact = NULL;
    CHECK(narrow(ctx, &p, &all, m->n > FEW_ROWS, &done));
    if (!done && m->n > FEW_ROWS) CHECK(narrow(ctx, &p, &all, false, &done));
    pairs->converged = done || pairs->converged;
    pairs->groups[0] =
        (cairn_pair_group){.top = p.constant, .bottom = p.constant, .middle = p.constant};
    for (size_t i = 0; i < m->n; i++)
        pairs->groups[0].n_free += fabs(pairs->beta[i]) > 0 && fabs(pairs->beta[i]) < m->bounds[i];
    return CAIRN_OK;
}
