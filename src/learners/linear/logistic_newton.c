/* SPDX-License-Identifier: MIT */
/* Newton's method with the whole Hessian, which for two classes is iteratively reweighted least
 * squares.
 *
 *  1. one pass over the rows gives losses, gradient X'(p - y) and Hessian, whose block for the
 *     classes k and l is X' diag(w p_k ([k = l] - p_l)) X
 *  2. the step solves H d = -g by Cholesky. With an L1 penalty the quadratic model plus the penalty
 *     is minimised by coordinate descent instead, which sets weights to exactly 0
 *  3. the step is halved until the objective falls enough; near the minimum whole steps square the
 *     error
 *
 * It ends when a step was expected to lower the objective by no more than tolerance times its
 * value. With many rows, a sample of them gives the starting point: the first steps need no
 * precision.
 *
 * Without a penalty the likelihood may grow for ever. Two certificates are looked for: weights that
 * classify every row rightly (complete separation), and a direction along which no row's margin
 * falls and some rise (quasi-complete separation): Newton's steps turn into one.
 *
 * Cost of a pass: n m^2 / 2 multiplications for two classes and m terms, about K^2 / 2 times that
 * for K classes. */
#include "base/memory.h"
#include "kernels/linalg.h"
#include "learners/linear/linear.h"
#include "learners/linear/logistic.h"
#include "learners/linear/logistic_steps.h"
#include "parallel/parallel.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum {
    MOST_BLOCKS = 64,
    LEAST_BLOCK = 1024,      /* rows */
    MOST_PARTIAL = 1 << 24,  /* numbers in all partial results, where that is possible */
    SAMPLE_FROM = 32 * 1024, /* rows from which a sample gives the start */
    MOST_HALVINGS = 40,
    MOST_SWEEPS = 5000,
    SAMPLE_SHARE = 8, /* one row in so many is sampled */
    SAMPLE_RUN = 32,
    FIRST_QUASI = 5 /* iteration from which separation along a direction is looked for */
};

/* Places in a block's partial result; gradient and Hessian blocks follow. */
enum { AT_LOSS, AT_WRONG, AT_RIGHT, AT_LEAST, AT_MOST, AT_GRADIENT };

/* Rows with a larger margin are surely on their side. */
static const double SURE_MARGIN = 1e-6;

/* What a pass gives: margins against every other class; losses; the gradient too; the Hessian
 * too. */
enum { MARGINS, LOSSES, SLOPES, CURVES };

typedef struct newton {
    cairn_logistic_fit *fit;
    const cairn_logistic_data *d;
    size_t m;       /* weights in all */
    size_t n_pairs; /* of classes: blocks of the Hessian */
    size_t chunk, n_blocks, partial_size;
    size_t in_use; /* numbers of a partial result that the pass fills */
    double *partial;
    double *buffers;
    size_t buffer_size;
    const double *theta; /* of the pass */
    int wanted;          /* MARGINS, SLOPES or CURVES */
    double wrong;        /* weight of rows without a positive margin */
    double least, most;  /* margins */
    double *trial, *change, *factor, *model;
} newton;

/* -- passes -- */

/* Two classes and rows of weight 1: residuals in place of scores, p (1 - p) in `factors`. */
static void count_two(const newton *s, double *part, double *scores, double *factors, size_t first,
                      size_t n)
{
    cairn_sigmoid_sums sums = {.least = part[AT_LEAST], .most = part[AT_MOST]};
    cairn_sigmoids(scores, factors, &sums, scores, s->d->signs + first, n, SURE_MARGIN);
    part[AT_LOSS] += sums.loss;
    part[AT_RIGHT] += sums.right;
    part[AT_WRONG] += sums.wrong;
    part[AT_LEAST] = sums.least;
    part[AT_MOST] = sums.most;
}

/* Probabilities in place of scores, losses into the sums. */
static void count_rows(const newton *s, double *part, double *scores, size_t first, size_t n)
{
    const cairn_logistic_data *d = s->d;
    for (size_t i = 0; i < n; i++) {
        double w = d->weights[first + i], margin;
        double loss = cairn_logistic_row(scores + i * d->n_vectors, d->n_vectors, d->pinned,
                                         (size_t)d->answers[first + i], &margin);
        if (w == 0) continue;
        part[AT_LOSS] += w * loss;
        if (margin > 0) part[AT_RIGHT] += w;
        if (!(margin > SURE_MARGIN)) part[AT_WRONG] += w;
        if (!(margin >= part[AT_LEAST])) part[AT_LEAST] = margin;
        if (margin > part[AT_MOST]) part[AT_MOST] = margin;
    }
}

static void add_curvature(const newton *s, double *blocks, const double *z, const double *p,
                          double *factors, size_t first, size_t n)
{
    const cairn_logistic_data *d = s->d;
    size_t m = d->n_vectors, square = d->width * d->width;
    for (size_t k = 0; k < m; k++)
        for (size_t l = k; l < m; l++, blocks += square) {
            for (size_t i = 0; i < n; i++) {
                double pk = p[i * m + k], pl = p[i * m + l];
                factors[i] = d->weights[first + i] * pk * (k == l ? 1 - pk : -pl);
            }
            cairn_gram_add(blocks, NULL, z, d->width, NULL, factors, n, d->width);
        }
}

/* The least and the largest lead of the row's own class over another one. */
static void count_leads(const newton *s, double *part, const double *scores, size_t first, size_t n)
{
    const cairn_logistic_data *d = s->d;
    size_t m = d->n_vectors;
    for (size_t i = 0; i < n; i++) {
        const double *a = scores + i * m;
        size_t answer = (size_t)d->answers[first + i];
        double own = answer < m ? a[answer] : 0;
        if (d->weights[first + i] == 0) continue;
        for (size_t k = 0; k < d->n_classes; k++) {
            double lead = own - (k < m ? a[k] : 0);
            if (k == answer) continue;
            if (!(lead >= part[AT_LEAST])) part[AT_LEAST] = lead;
            if (lead > part[AT_MOST]) part[AT_MOST] = lead;
        }
    }
}

/* w (p - y) in place of p. */
static void residuals(const cairn_logistic_data *d, double *p, size_t first, size_t n)
{
    size_t m = d->n_vectors;
    for (size_t i = 0; i < n; i++) {
        size_t answer = (size_t)d->answers[first + i];
        if (answer < m) p[i * m + answer] -= 1;
        for (size_t k = 0; k < m; k++) p[i * m + k] *= d->weights[first + i];
    }
}

static void newton_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const newton *s = data;
    const cairn_logistic_data *d = s->d;
    size_t width = d->width, m = d->n_vectors;
    double *part = s->partial + block * s->partial_size, *gradient = part + AT_GRADIENT;
    double *z = s->buffers + (size_t)worker * s->buffer_size;
    double *scores = z + d->piece * width, *factors = scores + d->piece * m;
    double *room = factors + d->piece;
    memset(part, 0, s->in_use * sizeof *part);
    part[AT_LEAST] = INFINITY;
    part[AT_MOST] = -INFINITY;
    for (size_t first = begin; first < end; first += d->piece) {
        size_t n = end - first < d->piece ? end - first : d->piece;
        cairn_logistic_rows(d, first, n, z);
        if (m == 1)
            cairn_row_dots(scores, z, width, n, width, s->theta, 0);
        else
            cairn_rows_product(scores, m, z, width, n, width, s->theta, m, m, room);
        if (s->wanted == MARGINS) {
            count_leads(s, part, scores, first, n);
            continue;
        }
        if (d->signs) {
            count_two(s, part, scores, factors, first, n);
            if (s->wanted == CURVES)
                cairn_gram_add(gradient + width, NULL, z, width, NULL, factors, n, width);
        } else {
            count_rows(s, part, scores, first, n);
            if (s->wanted == CURVES)
                add_curvature(s, gradient + width * m, z, scores, factors, first, n);
            residuals(d, scores, first, n);
        }
        if (s->wanted == LOSSES) continue;
        if (m == 1)
            cairn_gram_add(NULL, gradient, z, width, scores, NULL, n, width);
        else
            cairn_turned_product_add(gradient, m, z, width, scores, m, n, width, m, room);
    }
}

/* The blocks of the Hessian as one matrix of all weights, both triangles, with the ridge. */
static void put_together(const newton *s, const double *blocks, double *hessian)
{
    const cairn_logistic_data *d = s->d;
    size_t width = d->width, m = d->n_vectors, all = s->m, pair = 0;
    for (size_t k = 0; k < m; k++)
        for (size_t l = k; l < m; l++, pair++)
            for (size_t t = 0; t < width; t++)
                for (size_t u = t; u < width; u++) {
                    double value = blocks[pair * width * width + t * width + u];
                    hessian[(t * m + k) * all + u * m + l] = value;
                    hessian[(u * m + l) * all + t * m + k] = value;
                    hessian[(t * m + l) * all + u * m + k] = value;
                    hessian[(u * m + k) * all + t * m + l] = value;
                }
    for (size_t t = 0; t < width; t++)
        for (size_t k = 0; k < m; k++) hessian[(t * m + k) * (all + 1)] += s->fit->ridges[t];
}

/* Terms that are left out keep their weight: no slope, and a curvature of their own (NULL = the
 * Hessian stays). */
static void hold_fixed(const newton *s, double *gradient, double *hessian)
{
    size_t m = s->d->n_vectors, all = s->m;
    for (size_t t = 0; t < s->d->width; t++)
        for (size_t k = 0; s->fit->fixed[t] && k < m; k++) {
            size_t at = t * m + k;
            gradient[at] = 0;
            if (!hessian) continue;
            for (size_t j = 0; j < all; j++) hessian[at * all + j] = hessian[j * all + at] = 0;
            hessian[at * (all + 1)] = 1;
        }
}

/* A pass over all rows at `theta`: margins, loss and objective, and, as wanted, gradient and
 * Hessian of the smooth part into the fit. */
static cairn_status pass(cairn_context *ctx, newton *s, const double *theta, int wanted,
                         double *loss, double *objective)
{
    cairn_logistic_fit *fit = s->fit;
    size_t size = s->partial_size;
    double *sums = s->partial;
    cairn_status status;
    s->theta = theta;
    s->wanted = wanted;
    s->in_use = wanted == CURVES   ? s->partial_size
                : wanted == SLOPES ? AT_GRADIENT + s->m
                                   : AT_GRADIENT;
    TRY(cairn_blocks(ctx, s->d->n, s->chunk, newton_block, s));
    for (size_t b = 1; b < s->n_blocks; b++) {
        const double *part = s->partial + b * size;
        sums[AT_LEAST] = fmin(sums[AT_LEAST], part[AT_LEAST]);
        sums[AT_MOST] = fmax(sums[AT_MOST], part[AT_MOST]);
        for (size_t i = 0; i < AT_LEAST; i++) sums[i] += part[i];
        for (size_t i = AT_GRADIENT; i < s->in_use; i++) sums[i] += part[i];
    }
    s->wrong = sums[AT_WRONG];
    s->least = sums[AT_LEAST];
    s->most = sums[AT_MOST];
    *loss = sums[AT_LOSS];
    if (wanted <= LOSSES) {
        *objective = *loss + cairn_logistic_penalties(fit, theta, NULL);
        goto done;
    }
    fit->right = sums[AT_RIGHT];
    memcpy(fit->gradient, sums + AT_GRADIENT, s->m * sizeof *fit->gradient);
    *objective = *loss + cairn_logistic_penalties(fit, theta, fit->gradient);
    if (wanted == CURVES) put_together(s, sums + AT_GRADIENT + s->m, fit->hessian);
    hold_fixed(s, fit->gradient, wanted == CURVES ? fit->hessian : NULL);
done:
    return status;
}

/* -- steps -- */

static double soft(double x, double by)
{
    return x > by ? x - by : x < -by ? x + by : 0;
}

/* Minimise g'c + c'Hc/2 + Σ lasso |θ + c| one weight after the other; the model's slope H c is kept
 * up to date. Sweeps over all weights alternate with sweeps over those that are not 0. */
static void descend(newton *s)
{
    const cairn_logistic_fit *fit = s->fit;
    size_t all = s->m, m = s->d->n_vectors;
    double *change = s->change, *slope = s->model;
    bool whole = true;
    memset(change, 0, all * sizeof *change);
    memset(slope, 0, all * sizeof *slope);
    for (int sweep = 0; sweep < MOST_SWEEPS; sweep++) {
        double gain = 0;
        for (size_t j = 0; j < all; j++) {
            const double *row = fit->hessian + j * all;
            double now = fit->theta[j] + change[j], curve = row[j];
            if (!(curve > 0) || fit->fixed[j / m] || (!whole && now == 0)) continue;
            double best =
                soft(curve * now - fit->gradient[j] - slope[j], fit->lassos[j / m]) / curve;
            double move = best - now;
            if (move == 0) continue;
            change[j] = best == 0 ? -fit->theta[j] : change[j] + move;
            cairn_axpy(slope, move, row, all);
            gain += curve * move * move;
        }
        bool settled = gain <= 1e-24 * (DBL_MIN + fabs(fit->objective));
        if (settled && whole) return;
        whole = settled;
    }
}

/* H d = -g by Cholesky; a Hessian that is not positive gets a little on its diagonal. */
static cairn_status solve(cairn_context *ctx, newton *s)
{
    const cairn_logistic_fit *fit = s->fit;
    size_t all = s->m, m = s->d->n_vectors, pivot, last = (s->d->width - 1) * m;
    double most = 0, condition = 0;
    for (size_t j = 0; j < all; j++) most = fmax(most, fit->hessian[j * (all + 1)]);
    for (double extra = 0; condition == 0; extra = extra == 0 ? 1e-14 * most : 100 * extra) {
        memcpy(s->factor, fit->hessian, all * all * sizeof *s->factor);
        for (size_t j = 0; j < all; j++) s->factor[j * (all + 1)] += extra;
        /* intercepts of all classes may be shifted together: tie their sum down */
        for (size_t k = 0; !s->d->pinned && s->d->intercept && k < m; k++)
            for (size_t l = 0; l < m; l++) s->factor[(last + k) * all + last + l] += most;
        CHECK(cairn_cholesky(ctx, s->factor, all, &condition, &pivot));
        if (!(extra < 1e6 * most + 1)) break;
    }
    for (size_t j = 0; j < all; j++) s->change[j] = -fit->gradient[j];
    return cairn_cholesky_solve(ctx, s->factor, all, s->change, 1);
}

/* What the quadratic model expects of the change: how much the objective falls. */
static double expected_fall(const newton *s)
{
    const cairn_logistic_fit *fit = s->fit;
    size_t all = s->m, m = s->d->n_vectors;
    double fall = 0;
    for (size_t j = 0; j < all; j++) {
        double c = s->change[j], lasso = fit->lassos[j / m];
        if (c == 0) continue;
        fall -= c * (fit->gradient[j] + cairn_dot(fit->hessian + j * all, s->change, all) / 2);
        if (lasso > 0) fall -= lasso * (fabs(fit->theta[j] + c) - fabs(fit->theta[j]));
    }
    return fall;
}

static void limit_step(newton *s)
{
    double most = 0, limit = s->fit->max_step;
    for (size_t j = 0; j < s->m; j++) most = fmax(most, fabs(s->change[j]));
    for (size_t j = 0; limit > 0 && most > limit && j < s->m; j++) s->change[j] *= limit / most;
}

/* Move by the change or a part of it, so that the objective falls; *moved is false when it does
 * not. */
static cairn_status move(cairn_context *ctx, newton *s, int wanted, bool *moved)
{
    cairn_logistic_fit *fit = s->fit;
    double loss, objective, part = 1, noise = 64 * DBL_EPSILON * fabs(fit->objective);
    *moved = false;
    for (int halving = 0; halving < MOST_HALVINGS && !*moved; halving++, part /= 2) {
        for (size_t j = 0; j < s->m; j++) {
            double goal = fit->theta[j] + part * s->change[j];
            s->trial[j] = part == 1 && s->change[j] == -fit->theta[j] ? 0 : goal;
        }
        CHECK(pass(ctx, s, s->trial, wanted, &loss, &objective));
        *moved = objective <= fit->objective - 1e-4 * part * fit->expected + noise;
        fit->taken = part;
    }
    if (!*moved) { /* what belongs to theta again */
        CHECK(pass(ctx, s, fit->theta, wanted, &fit->loss, &fit->objective));
        return CAIRN_OK;
    }
    memcpy(fit->theta, s->trial, s->m * sizeof *fit->theta);
    fit->loss = loss;
    fit->objective = objective;
    return CAIRN_OK;
}

/* -- separation -- */

static cairn_status look_for_separation(cairn_context *ctx, newton *s)
{
    cairn_logistic_fit *fit = s->fit;
    double loss, objective;
    if (fit->ridge > 0 || fit->lasso > 0) return CAIRN_OK;
    if (s->wrong == 0) {
        fit->separation = CAIRN_SEPARATION_COMPLETE;
        memcpy(fit->direction, fit->theta, s->m * sizeof *fit->theta);
    } else if (fit->iterations >= FIRST_QUASI) {
        CHECK(pass(ctx, s, s->change, MARGINS, &loss, &objective));
        if (!(s->most > 1e-2) || !(s->least >= -1e-6 * s->most)) return CAIRN_OK;
        fit->separation = CAIRN_SEPARATION_QUASI;
        memcpy(fit->direction, s->change, s->m * sizeof *fit->theta);
    }
    return CAIRN_OK;
}

/* -- dependences -- */

/* "b = 2·a + 1": term j by the coefficients of the terms that it depends on, in z units; `order`
 * lists them. */
static void add_relation(cairn_text *text, const cairn_logistic_data *d, const uint8_t *fixed,
                         const size_t *order, size_t n, const double *coefficients, size_t j)
{
    cairn_text room = cairn_text_start(text->ctx);
    double own = j < d->n_dense ? d->scale[j] : 1, rest = j < d->n_dense ? d->shift[j] : 0;
    double size = fabs(rest) + 1 / own;
    bool any = false;
    cairn_text_addf(text, "%s = ", cairn_logistic_term(&room, d->schema, d->n_dense, j));
    for (size_t i = 0; i < n; i++) {
        size_t t = order[i];
        double factor = coefficients[t] / own;
        if (fixed[t] || fabs(coefficients[t]) < 1e-9) continue;
        if (t == d->n_terms) {
            rest += factor;
            continue;
        }
        if (t < d->n_dense) {
            factor *= d->scale[t];
            rest -= factor * d->shift[t];
            size += fabs(factor * d->shift[t]);
        }
        cairn_linear_add_term(text, &any, factor,
                              cairn_logistic_term(&room, d->schema, d->n_dense, t), true);
    }
    if (!any || fabs(rest) > 1e-9 * size) {
        bool alone = !any;
        cairn_linear_add_term(text, &any, rest, NULL, false);
        if (alone) cairn_text_add(text, " in every row");
    }
    cairn_text_add_char(text, '\n');
    if (text->status == CAIRN_OK) text->status = room.status;
    cairn_text_clear(&room);
}

/* The first block of the Hessian, rows and columns divided by their lengths; `lengths` gets these.
 * Any positive weights of the rows show the same dependences. */
static void unit_block(const cairn_logistic_fit *fit, double *out, double *lengths)
{
    size_t width = fit->data->width, m = fit->data->n_vectors, all = width * m;
    for (size_t t = 0; t < width; t++) {
        double square = fit->hessian[t * m * (all + 1)];
        lengths[t] = square > 0 ? sqrt(square) : 0;
    }
    for (size_t t = 0; t < width; t++)
        for (size_t u = 0; u < width; u++)
            out[t * width + u] = lengths[t] > 0 && lengths[u] > 0
                                     ? fit->hessian[t * m * all + u * m] / lengths[t] / lengths[u]
                                     : t == u;
}

/* Eliminate term after term, the intercept first. A term of which nothing is left is a combination
 * of those before it; its column then holds the coefficients. */
static void eliminate(cairn_logistic_fit *fit, double *a, const double *lengths,
                      const size_t *order, double *coefficients, cairn_text *text)
{
    size_t width = fit->data->width;
    for (size_t at = 0; at < width; at++) {
        size_t j = order[at];
        double *row = a + j * width, pivot = row[j];
        if (lengths[j] == 0 || pivot < 1e-11) {
            for (size_t t = 0; t < width; t++)
                coefficients[t] = lengths[t] > 0 && lengths[j] > 0
                                      ? a[t * width + j] * lengths[j] / lengths[t]
                                      : 0;
            fit->fixed[j] = 1;
            add_relation(text, fit->data, fit->fixed, order, at, coefficients, j);
            continue;
        }
        for (size_t u = 0; u < width; u++) row[u] /= pivot;
        for (size_t t = 0; t < width; t++)
            if (t != j && a[t * width + j] != 0)
                cairn_axpy(a + t * width, -a[t * width + j], row, width);
    }
}

/* Terms that are combinations of those before them are fixed at 0 and told. */
static cairn_status find_fixed(cairn_context *ctx, cairn_logistic_fit *fit)
{
    size_t width = fit->data->width, n_terms = fit->data->n_terms, pivot;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_text text = cairn_text_start(ctx);
    double *a, *lengths, *coefficients, condition, least = INFINITY;
    size_t *order;
    cairn_status status;
    TRY(SCRATCH_RAW(ctx, &a, width * width));
    TRY(SCRATCH(ctx, &lengths, width));
    TRY(SCRATCH(ctx, &coefficients, width));
    TRY(SCRATCH(ctx, &order, width));
    unit_block(fit, a, lengths);
    for (size_t t = 0; t < width; t++) least = fmin(least, lengths[t]);
    TRY(cairn_cholesky(ctx, a, width, &condition, &pivot));
    if (least > 0 && condition > 1e-9) goto done;
    unit_block(fit, a, lengths);
    for (size_t t = 0, at = 0; t < width; t++)
        order[t] = width > n_terms && t == 0 ? n_terms : at++;
    eliminate(fit, a, lengths, order, coefficients, &text);
    TRY(cairn_text_status(&text));
    if (text.length) TRY(cairn_text_take(&text, &fit->relations));
done:
    cairn_text_clear(&text);
    cairn_scratch_release(ctx, mark);
    return status;
}

/* -- the run -- */

static cairn_status newton_room(cairn_context *ctx, newton *s)
{
    const cairn_logistic_data *d = s->d;
    size_t width = d->width, m = d->n_vectors, workers = (size_t)cairn_workers(ctx);
    s->n_pairs = m * (m + 1) / 2;
    s->partial_size = AT_GRADIENT + s->m + cairn_product(s->n_pairs, cairn_product(width, width));
    size_t most = MOST_PARTIAL / s->partial_size;
    most = most < 4 ? 4 : most > MOST_BLOCKS ? MOST_BLOCKS : most;
    s->chunk = (d->n + most - 1) / most;
    if (s->chunk < LEAST_BLOCK) s->chunk = LEAST_BLOCK;
    s->n_blocks = cairn_block_count(d->n, s->chunk);
    s->buffer_size = d->piece * (width + m + 1) + d->room;
    CHECK(cairn_memory_check(
        ctx, 8 * ((double)s->n_blocks * (double)s->partial_size + 2 * (double)s->m * (double)s->m),
        "Newton's method", "use --solver cg, fewer columns, or raise --memory"));
    CHECK(SCRATCH_RAW(ctx, &s->partial, cairn_product(s->n_blocks, s->partial_size)));
    CHECK(SCRATCH(ctx, &s->buffers, cairn_product(workers, s->buffer_size)));
    CHECK(SCRATCH(ctx, &s->trial, s->m));
    CHECK(SCRATCH(ctx, &s->change, s->m));
    CHECK(SCRATCH(ctx, &s->model, s->m));
    return SCRATCH_RAW(ctx, &s->factor, cairn_product(s->m, s->m));
}

static cairn_status iterate(cairn_context *ctx, newton *s)
{
    cairn_logistic_fit *fit = s->fit;
    bool moved = true;
    for (; (int)fit->iterations < fit->max_iter && !fit->converged;) {
        CHECK(cairn_tick(ctx, "Newton", (double)fit->iterations, (double)fit->max_iter));
        if (fit->lasso > 0)
            descend(s);
        else
            CHECK(solve(ctx, s));
        limit_step(s);
        fit->expected = expected_fall(s);
        if (fit->steps) CHECK(cairn_logistic_show_iteration(ctx, fit, s->change));
        bool last = fit->expected <= fit->tolerance * fabs(fit->objective);
        bool plain = fit->ridge == 0 && fit->lasso == 0 && !fit->steps;
        if (plain && fit->expected <= 8 * DBL_EPSILON * fabs(fit->objective)) {
            /* the objective cannot fall any more, the weights can still get nearer */
            for (size_t j = 0; j < s->m; j++) fit->theta[j] += s->change[j];
            fit->curve[fit->n_curve++] = fit->loss;
            fit->iterations++;
            fit->converged = true;
            break;
        }
        /* after the last step the Hessian has changed by less than its errors */
        CHECK(move(ctx, s, last && !fit->steps ? SLOPES : CURVES, &moved));
        fit->converged = last || (!moved && fit->expected <= 1e-9 * fabs(fit->objective));
        if (!moved) break; /* no progress beyond rounding */
        fit->iterations++;
        fit->curve[fit->n_curve++] = fit->loss;
        if (!fit->converged) CHECK(look_for_separation(ctx, s));
        if (fit->separation) break;
    }
    return CAIRN_OK;
}

/* One row in SAMPLE_SHARE, in short runs that share the memory that is read for them. */
static cairn_status take_sample(cairn_context *ctx, cairn_logistic_data *out, cairn_view *view,
                                const cairn_logistic_data *d)
{
    size_t n = 0, step = SAMPLE_RUN * SAMPLE_SHARE, most = d->n / SAMPLE_SHARE + SAMPLE_RUN;
    uint32_t *rows;
    double *signs = NULL;
    *out = *d;
    *view = *d->view;
    out->view = view;
    out->total = 0;
    CHECK(SCRATCH_RAW(ctx, &rows, most));
    CHECK(SCRATCH_RAW(ctx, &out->answers, most));
    CHECK(SCRATCH_RAW(ctx, &out->weights, most));
    if (d->signs) CHECK(SCRATCH_RAW(ctx, &signs, most));
    out->signs = signs;
    for (size_t first = 0; first + SAMPLE_RUN <= d->n; first += step)
        for (size_t i = first; i < first + SAMPLE_RUN; i++, n++) {
            rows[n] = (uint32_t)cairn_view_row(d->view, i);
            out->answers[n] = d->answers[i];
            if (signs) signs[n] = d->signs[i];
            out->total += out->weights[n] = d->weights[i];
        }
    out->n = n;
    view->rows = (cairn_rows){.indices = rows, .n = n};
    return CAIRN_OK;
}

/* A starting point from a sample of the rows; theta stays 0 when that comes to nothing. */
static cairn_status start_from_sample(cairn_context *ctx, cairn_logistic_fit *fit)
{
    const cairn_logistic_data *d = fit->data;
    size_t m = d->width * d->n_vectors;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_logistic_data sample;
    cairn_logistic_fit trial;
    cairn_view view;
    cairn_status status = CAIRN_OK;
    if (d->n < SAMPLE_FROM || d->n < 32 * SAMPLE_SHARE * m) return CAIRN_OK;
    for (size_t j = 0; j < m; j++)
        if (fit->theta[j] != 0) return CAIRN_OK;
    TRY(take_sample(ctx, &sample, &view, d));
    if (!(sample.total > 0)) goto done;
    TRY(cairn_logistic_fit_make(ctx, &trial, &sample, 15));
    double share = sample.total / d->total;
    cairn_logistic_set_penalty(&trial, fit->ridge * share, fit->lasso * share);
    trial.tolerance = 1e-6;
    TRY(cairn_logistic_newton(ctx, &trial));
    if (trial.converged && !trial.separation)
        memcpy(fit->theta, trial.theta, m * sizeof *fit->theta);
done:
    cairn_scratch_release(ctx, mark);
    return status;
}

cairn_status cairn_logistic_newton(cairn_context *ctx, cairn_logistic_fit *fit)
{
    newton s = {.fit = fit, .d = fit->data, .m = fit->data->width * fit->data->n_vectors};
    cairn_scratch_mark mark;
    cairn_status status;
    double most = fit->data->total * log((double)fit->data->n_classes);
    if (!fit->hessian) TRY(SCRATCH(ctx, &fit->hessian, cairn_product(s.m, s.m)));
    mark = cairn_scratch_now(ctx);
    if (!fit->steps) TRY(start_from_sample(ctx, fit));
    TRY(newton_room(ctx, &s));
    if (s.m == 0) { /* nothing to choose: every class is as likely as the others */
        TRY(pass(ctx, &s, fit->theta, LOSSES, &fit->loss, &fit->objective));
        fit->converged = true;
        goto done;
    }
    TRY(pass(ctx, &s, fit->theta, CURVES, &fit->loss, &fit->objective));
    if (!(fit->loss <= 4 * most + 1)) { /* a poor start, or numbers that are not finite */
        memset(fit->theta, 0, s.m * sizeof *fit->theta);
        TRY(pass(ctx, &s, fit->theta, CURVES, &fit->loss, &fit->objective));
    }
    for (size_t j = 0; j < s.m; j++)
        if (!isfinite(fit->gradient[j]) || !isfinite(fit->hessian[j * (s.m + 1)]))
            TRY(cairn_logistic_check_finite(ctx, fit->data));
    if (fit->ridge == 0 && fit->lasso == 0 && fit->check_terms) TRY(find_fixed(ctx, fit));
    hold_fixed(&s, fit->gradient, fit->hessian);
    fit->curve[fit->n_curve++] = fit->loss;
    TRY(iterate(ctx, &s));
    if (fit->steps) cairn_logistic_show_curve(fit, NULL);
    cairn_scratch_release(ctx, mark);
done:
    return status;
}

/* -- errors -- */

cairn_status cairn_logistic_errors(cairn_context *ctx, const cairn_logistic_fit *fit, double *out)
{
    const cairn_logistic_data *d = fit->data;
    size_t width = d->width, m = d->n_vectors, all = width * m, pivot;
    double *inverse, condition;
    cairn_status status;
    TRY(SCRATCH_RAW(ctx, &inverse, cairn_product(all, all)));
    for (size_t j = 0; j < (d->n_terms + 1) * m; j++) out[j] = NAN;
    if (all == 0) goto done;
    memcpy(inverse, fit->hessian, all * all * sizeof *inverse);
    TRY(cairn_cholesky(ctx, inverse, all, &condition, &pivot));
    if (condition == 0) goto done;
    TRY(cairn_cholesky_inverse(ctx, inverse, all));
    for (size_t t = 0; t < d->n_terms; t++)
        for (size_t k = 0; k < m && !fit->fixed[t]; k++)
            out[t * m + k] =
                sqrt(inverse[(t * m + k) * (all + 1)]) * (t < d->n_dense ? d->scale[t] : 1);
    for (size_t k = 0; k < m && d->intercept; k++) {
        size_t at = d->n_terms * m + k;
        double variance = inverse[at * (all + 1)];
        for (size_t t = 0; t < d->n_dense; t++) {
            double by = fit->fixed[t] ? 0 : d->scale[t] * d->shift[t], sum = 0;
            for (size_t u = 0; u < d->n_dense && by != 0; u++)
                if (!fit->fixed[u])
                    sum += d->scale[u] * d->shift[u] * inverse[(t * m + k) * all + u * m + k];
            variance += by * (sum - 2 * inverse[(t * m + k) * all + at]);
        }
        out[at] = sqrt(fmax(0, variance));
    }
done:
    return status;
}
