/* SPDX-License-Identifier: MIT */
/* Newton's method for many weights: the Hessian is never made, its products with vectors are.
 *
 *  1. a pass over the rows gives loss, probabilities and gradient
 *  2. conjugate gradients, preconditioned by the Hessian's diagonal, solve H s = -g roughly; a
 *     product H v is X'(w (p * u - p (p·u))) with u = X v, about the cost of a gradient. The nearer
 *     the minimum, the more exactly the system is solved
 *  3. the step is halved until the objective falls enough
 *
 * With an L1 penalty, each iteration first takes a gradient step with soft thresholds, which lets
 * weights become 0 or leave it and always lowers the objective, and then a Newton step among the
 * weights that are not 0, cut off where a weight would change its sign.
 *
 * It ends when a step was expected to lower the objective by no more than tolerance times its
 * value. Cost of a product: two multiplications per entry of the rows and class, split over blocks
 * of rows (X v) and over ranges of terms (X'r) that do not depend on the number of threads. */
#include "base/memory.h"
#include "learners/linear/logistic_steps.h"
#include "parallel/parallel.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum {
    TERM_BLOCK = 512,    /* terms of a block in sums over all weights */
    MOST_PRODUCTS = 400, /* in one Newton step */
    MOST_HALVINGS = 40
};
enum { AT_LOSS, AT_WRONG, AT_RIGHT, AT_DENSE };

typedef struct run {
    cairn_logistic_fit *fit;
    const cairn_logistic_data *d;
    size_t size;     /* width * stride */
    double *p;       /* n x stride: probabilities */
    double *work;    /* n x stride: residuals, curvatures */
    double *scores;  /* n x stride: X theta */
    double *along;   /* n x stride: X way */
    double *lift;    /* n x stride: X step */
    double *squares; /* values of the bags squared, block after block */
    double *buffers; /* a worker's piece of number columns, then room for their products */
    double *partial; /* sums of the blocks of rows */
    size_t partial_size;
    double *sums; /* of the blocks of terms */
    size_t n_term_blocks;
    double *inverse; /* 1 / diagonal of the Hessian; 0 = the weight does not move */
    double *diagonal;
    double *step, *way, *rest, *product, *trial, *goal;
    double wrong;
    double majorant; /* L1: factor of the diagonal that bounds the curvature */
    double damping; /* L1: part of the diagonal that is added to the Hessian, which is singular when
                        all classes have a weight for a term */
    /* of the pass at hand */
    const double *from;   /* weights or direction */
    double *to;           /* gradient or product */
    const double *values; /* NULL = the bags' own, else squares */
    int kind;
    double alpha, beta;
    double bent[3]; /* of a product q: way·q, rest·q / diagonal, q·q / diagonal */
} run;

enum {
    PASS_LOSS,    /* scores of weights, losses, gradient */
    PASS_MOVED,   /* the same from scores that are there */
    PASS_PRODUCT, /* of the Hessian with a direction */
    PASS_DIAGONAL /* of the Hessian */
};

/* -- passes over the rows -- */

/* X times the weights or direction at hand, for the rows of a block. */
static void make_scores(const run *s, double *out, size_t block, size_t begin, size_t n, double *z)
{
    const cairn_logistic_data *d = s->d;
    size_t stride = d->stride;
    out += begin * stride;
    const double *last = d->intercept ? s->from + d->n_terms * stride : NULL;
    for (size_t i = 0; i < n && d->n_dense; i += d->piece) {
        size_t rows = n - i < d->piece ? n - i : d->piece;
        cairn_logistic_dense_rows(d, begin + i, rows, z);
        cairn_rows_product(out + i * stride, stride, z, d->n_dense, rows, d->n_dense, s->from,
                           stride, stride, z + d->piece * (d->n_dense + 1));
    }
    if (!d->n_dense) memset(out, 0, n * stride * sizeof *out);
    for (size_t i = 0; last && i < n; i++)
        for (size_t k = 0; k < stride; k++) out[i * stride + k] += last[k];
    if (!d->n_bags) return;
    const cairn_logistic_block *b = &d->blocks[block];
    cairn_sparse sparse = {b->n_items, b->items, b->starts, b->rows, b->values};
    cairn_sparse_times(out, stride, &sparse, s->from);
}

/* Losses and residuals w (p - y) from scores. */
static void residuals(const run *s, double *sums, size_t begin, size_t n)
{
    const cairn_logistic_data *d = s->d;
    size_t stride = d->stride, m = d->n_vectors;
    for (size_t i = begin; i < begin + n; i++) {
        double w = d->weights[i], margin, *p = s->p + i * stride, *r = s->work + i * stride;
        size_t answer = (size_t)d->answers[i];
        memcpy(p, s->scores + i * stride, m * sizeof *p);
        double loss = cairn_logistic_row(p, m, d->pinned, answer, &margin);
        memcpy(r, p, m * sizeof *p);
        if (answer < m) r[answer] -= 1;
        for (size_t k = 0; k < m; k++) r[k] *= w;
        if (w == 0) continue;
        sums[AT_LOSS] += w * loss;
        if (margin > 0) sums[AT_RIGHT] += w;
        if (!(margin > 1e-6)) sums[AT_WRONG] += w;
    }
}

/* w (p * u - p (p·u)) from u = X v; for the diagonal w p (1 - p). */
static void curvatures(const run *s, size_t begin, size_t n)
{
    const cairn_logistic_data *d = s->d;
    size_t stride = d->stride, m = d->n_vectors;
    for (size_t i = begin; i < begin + n; i++) {
        const double *p = s->p + i * stride, *u = s->along + i * stride;
        double w = d->weights[i], *to = s->work + i * stride, dot = 0;
        if (s->kind == PASS_DIAGONAL) {
            for (size_t k = 0; k < m; k++) to[k] = w * p[k] * (1 - p[k]);
            continue;
        }
        for (size_t k = 0; k < m; k++) dot += p[k] * u[k];
        for (size_t k = 0; k < m; k++) to[k] = w * p[k] * (u[k] - dot);
    }
}

/* The share of the rows in the sums of the number columns and the intercept. */
static void add_dense(const run *s, double *sums, size_t begin, size_t n, double *z)
{
    const cairn_logistic_data *d = s->d;
    size_t stride = d->stride;
    for (size_t i = 0; i < n && d->n_dense; i += d->piece) {
        size_t rows = n - i < d->piece ? n - i : d->piece;
        cairn_logistic_dense_rows(d, begin + i, rows, z);
        for (size_t j = 0; s->kind == PASS_DIAGONAL && j < rows * d->n_dense; j++) z[j] *= z[j];
        cairn_turned_product_add(sums, stride, z, d->n_dense, s->work + (begin + i) * stride,
                                 stride, rows, d->n_dense, stride, z + d->piece * (d->n_dense + 1));
    }
    double *last = sums + d->n_dense * stride;
    for (size_t i = begin; d->intercept && i < begin + n; i++)
        for (size_t k = 0; k < stride; k++) last[k] += s->work[i * stride + k];
}

static void row_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const run *s = data;
    const cairn_logistic_data *d = s->d;
    double *sums = s->partial + block * s->partial_size;
    double *z = s->buffers + (size_t)worker * (d->piece * (d->n_dense + 1) + d->room);
    memset(sums, 0, s->partial_size * sizeof *sums);
    if (s->kind == PASS_LOSS) make_scores(s, s->scores, block, begin, end - begin, z);
    if (s->kind == PASS_PRODUCT) make_scores(s, s->along, block, begin, end - begin, z);
    if (s->kind == PASS_LOSS || s->kind == PASS_MOVED)
        residuals(s, sums, begin, end - begin);
    else
        curvatures(s, begin, end - begin);
    add_dense(s, sums + AT_DENSE, begin, end - begin, z);
}

/* Of a product of the Hessian, for some terms: the penalty's part, and what the next step of
 * conjugate gradients needs of it. */
static void bend(const run *s, size_t first, size_t last, double *sums)
{
    size_t stride = s->d->stride;
    double along = 0, mixed = 0, square = 0;
    for (size_t t = first; t < last; t++) {
        double ridge = s->fit->ridges[t];
        for (size_t j = t * stride; j < (t + 1) * stride; j++) {
            double q = s->to[j] + (ridge + s->damping * s->diagonal[j]) * s->way[j];
            s->to[j] = q;
            along += s->way[j] * q;
            mixed += s->rest[j] * q * s->inverse[j];
            square += q * q * s->inverse[j];
        }
    }
    sums[0] += along;
    sums[1] += mixed;
    sums[2] += square;
}

/* X'r for a range of items, one block of rows after the other. */
static void item_range(void *data, size_t range, size_t begin, size_t end, int worker)
{
    run *s = data;
    const cairn_logistic_data *d = s->d;
    size_t offset = 0;
    (void)worker;
    (void)end;
    (void)begin;
    size_t first = d->n_dense + range * d->range;
    size_t last = first + d->range < d->n_terms ? first + d->range : d->n_terms;
    memset(s->to + first * d->stride, 0, (last - first) * d->stride * sizeof *s->to);
    for (size_t b = 0; b < d->n_blocks; b++) {
        const cairn_logistic_block *block = &d->blocks[b];
        size_t at = block->ranges[range], n = block->ranges[range + 1] - at;
        cairn_sparse sparse = {n, block->items + at, block->starts + at, block->rows,
                               s->values ? s->values + offset : block->values};
        cairn_sparse_turned(s->to, d->stride, &sparse, s->work + b * d->block * d->stride);
        offset += block->starts[block->n_items];
    }
    if (s->kind != PASS_PRODUCT) return;
    memset(s->sums + 3 * range, 0, 3 * sizeof *s->sums);
    bend(s, first, last, s->sums + 3 * range);
}

/* One pass: `from` are weights (PASS_LOSS) or a direction, `to` the gradient, product or diagonal;
 * of the loss alone. */
static cairn_status pass(cairn_context *ctx, run *s, int kind, const double *from, double *to,
                         double *loss)
{
    const cairn_logistic_data *d = s->d;
    size_t stride = d->stride;
    double head[AT_DENSE] = {0};
    cairn_status status;
    s->kind = kind;
    s->from = from;
    s->to = to;
    s->values = kind == PASS_DIAGONAL ? s->squares : NULL;
    TRY(cairn_blocks(ctx, d->n, d->block, row_block, s));
    memset(to, 0, d->n_dense * stride * sizeof *to);
    if (d->intercept) memset(to + d->n_terms * stride, 0, stride * sizeof *to);
    for (size_t b = 0; b < d->n_blocks; b++) {
        const double *part = s->partial + b * s->partial_size, *dense = part + AT_DENSE;
        for (size_t i = 0; i < AT_DENSE; i++) head[i] += part[i];
        for (size_t i = 0; i < d->n_dense * stride; i++) to[i] += dense[i];
        for (size_t k = 0; d->intercept && k < stride; k++)
            to[d->n_terms * stride + k] += dense[d->n_dense * stride + k];
    }
    if (d->n_bags) TRY(cairn_blocks(ctx, d->n_ranges, 1, item_range, s));
    s->fit->products++;
    if (kind == PASS_PRODUCT) {
        memset(s->bent, 0, sizeof s->bent);
        bend(s, 0, d->n_dense, s->bent);
        bend(s, d->n_terms, d->width, s->bent);
        for (size_t r = 0; r < d->n_ranges; r++)
            for (size_t i = 0; i < 3; i++) s->bent[i] += s->sums[3 * r + i];
    }
    if (kind != PASS_LOSS && kind != PASS_MOVED) goto done;
    *loss = head[AT_LOSS];
    s->wrong = head[AT_WRONG];
    s->fit->right = head[AT_RIGHT];
done:
    return status;
}

/* Loss, objective and gradient of the smooth part at `theta`. */
static cairn_status look(cairn_context *ctx, run *s, const double *theta, double *loss,
                         double *objective)
{
    CHECK(pass(ctx, s, PASS_LOSS, theta, s->fit->gradient, loss));
    *objective = *loss + cairn_logistic_penalties(s->fit, theta, s->fit->gradient);
    return CAIRN_OK;
}

/* -- sums over all weights -- */

static void term_range(const run *s, size_t begin, size_t end, size_t *first, size_t *last)
{
    *first = begin * s->d->stride;
    *last = end * s->d->stride;
}

/* step += alpha way; rest -= alpha product; way = rest / diagonal + beta way; the sum of rest^2 /
 * diagonal. */
static void step_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    run *s = data;
    size_t first, last;
    double sum = 0;
    (void)worker;
    term_range(s, begin, end, &first, &last);
    for (size_t j = first; j < last; j++) {
        double rest = s->rest[j] - s->alpha * s->product[j], way = s->way[j];
        s->step[j] += s->alpha * way;
        s->rest[j] = rest;
        s->way[j] = rest * s->inverse[j] + s->beta * way;
        sum += rest * rest * s->inverse[j];
    }
    s->sums[block] = sum;
}

static cairn_status over_terms(cairn_context *ctx, run *s, cairn_block_function function,
                               double *sum)
{
    cairn_status status;
    TRY(cairn_blocks_sized(ctx, s->d->width, TERM_BLOCK, (double)s->size, function, s));
    if (!sum) goto done;
    *sum = 0;
    for (size_t b = 0; b < s->n_term_blocks; b++) *sum += s->sums[b];
done:
    return status;
}

/* -- Newton's step -- */

static cairn_status make_diagonal(cairn_context *ctx, run *s)
{
    const cairn_logistic_data *d = s->d;
    CHECK(pass(ctx, s, PASS_DIAGONAL, NULL, s->diagonal, NULL));
    for (size_t t = 0; t < d->width; t++)
        for (size_t k = 0; k < d->stride; k++) {
            size_t j = t * d->stride + k;
            s->diagonal[j] += s->fit->ridges[t];
            s->inverse[j] = s->diagonal[j] > 0 && k < d->n_vectors ? 1 / s->diagonal[j] : 0;
        }
    return CAIRN_OK;
}

/* Solve H s = -slope roughly for the weights whose inverse is not 0; *fall is what the quadratic
 * model expects of the step. */
static cairn_status solve(cairn_context *ctx, run *s, const double *slope, double accuracy,
                          double *fall)
{
    double before = 0, now, along = 0, left = 0;
    memset(s->step, 0, s->size * sizeof *s->step);
    memset(s->lift, 0, s->d->n * s->d->stride * sizeof *s->lift);
    for (size_t j = 0; j < s->size; j++) {
        s->rest[j] = s->inverse[j] == 0 ? 0 : -slope[j];
        s->way[j] = s->rest[j] * s->inverse[j];
        before += s->rest[j] * s->way[j];
    }
    now = before;
    for (int i = 0; i < MOST_PRODUCTS && now > accuracy * accuracy * before && now > 0; i++) {
        CHECK(pass(ctx, s, PASS_PRODUCT, s->way, s->product, NULL));
        if (!(s->bent[0] > 0)) break;
        s->alpha = now / s->bent[0];
        /* the size of the rest after this step, beforehand */
        double next = now + s->alpha * (s->alpha * s->bent[2] - 2 * s->bent[1]);
        s->beta = fmax(0, next / now);
        cairn_axpy(s->lift, s->alpha, s->along, s->d->n * s->d->stride);
        CHECK(over_terms(ctx, s, step_block, &now));
    }
    for (size_t j = 0; j < s->size; j++) {
        along += slope[j] * s->step[j];
        left += s->rest[j] * s->step[j];
    }
    *fall = (left - along) / 2;
    return CAIRN_OK;
}

/* -- how far to go -- */

typedef struct probe {
    const run *s;
    double at;
    double *sums; /* of the blocks: loss, slope, curvature */
    double *room; /* a worker's stride numbers */
} probe;

static void probe_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const probe *q = data;
    const cairn_logistic_data *d = q->s->d;
    size_t m = d->n_vectors, stride = d->stride;
    double *p = q->room + (size_t)worker * stride, loss = 0, slope = 0, curve = 0, margin;
    for (size_t i = begin; i < end; i++) {
        const double *a = q->s->scores + i * stride, *b = q->s->lift + i * stride;
        size_t answer = (size_t)d->answers[i];
        double mean = 0, square = 0;
        for (size_t k = 0; k < m; k++) p[k] = a[k] + q->at * b[k];
        loss += d->weights[i] * cairn_logistic_row(p, m, d->pinned, answer, &margin);
        for (size_t k = 0; k < m; k++) {
            mean += p[k] * b[k];
            square += p[k] * b[k] * b[k];
        }
        slope += d->weights[i] * (mean - (answer < m ? b[answer] : 0));
        curve += d->weights[i] * (square - mean * mean);
    }
    q->sums[3 * block] = loss;
    q->sums[3 * block + 1] = slope;
    q->sums[3 * block + 2] = curve;
}

/* The objective along the step, its slope and curvature, from the rows' scores alone; `ridge` are
 * the penalty's coefficients of 1, t and t^2. */
static cairn_status look_along(cairn_context *ctx, probe *q, const double ridge[3], double out[3])
{
    const cairn_logistic_data *d = q->s->d;
    CHECK(cairn_blocks_sized(ctx, d->n, d->block, 50 * (double)(d->n * d->n_vectors), probe_block,
                             q));
    memset(out, 0, 3 * sizeof *out);
    for (size_t b = 0; b < d->n_blocks; b++)
        for (size_t i = 0; i < 3; i++) out[i] += q->sums[3 * b + i];
    out[0] += ridge[0] + q->at * (ridge[1] + q->at * ridge[2]);
    out[1] += ridge[1] + 2 * q->at * ridge[2];
    out[2] += 2 * ridge[2];
    return CAIRN_OK;
}

/* Go along the step to about where the objective is least; *moved is false when it does not fall.
 * Scores, loss and gradient are those of the new place. */
static cairn_status advance(cairn_context *ctx, run *s, const double *slope, bool *moved)
{
    cairn_logistic_fit *fit = s->fit;
    size_t stride = s->d->stride;
    double ridge[3] = {0}, now[3], low = 0, high = INFINITY, start = 0;
    double noise = 16 * DBL_EPSILON * fabs(fit->objective);
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    probe q = {.s = s, .at = 1};
    cairn_status status;
    TRY(SCRATCH(ctx, &q.sums, 3 * s->d->n_blocks + 1));
    TRY(SCRATCH(ctx, &q.room, (size_t)cairn_workers(ctx) * stride));
    for (size_t t = 0; t < s->d->width; t++)
        for (size_t j = t * stride; j < (t + 1) * stride; j++) {
            ridge[0] += fit->ridges[t] * fit->theta[j] * fit->theta[j] / 2;
            ridge[1] += fit->ridges[t] * fit->theta[j] * s->step[j];
            ridge[2] += fit->ridges[t] * s->step[j] * s->step[j] / 2;
            start += slope[j] * s->step[j];
        }
    for (int i = 0; i < MOST_HALVINGS; i++) {
        TRY(look_along(ctx, &q, ridge, now));
        *moved = now[0] <= fit->objective + noise;
        if (*moved && fabs(now[1]) <= 0.1 * fabs(start)) break;
        if (*moved && now[1] < 0)
            low = q.at;
        else
            high = q.at;
        double next = now[2] > 0 ? q.at - now[1] / now[2] : INFINITY;
        if (!(next > low && next < high)) next = isinf(high) ? 2 * q.at : (low + high) / 2;
        if (*moved && (next == q.at || q.at > 1e6)) break;
        q.at = next;
    }
    if (!*moved) goto done;
    cairn_axpy(fit->theta, q.at, s->step, s->size);
    cairn_axpy(s->scores, q.at, s->lift, s->d->n * stride);
    TRY(pass(ctx, s, PASS_MOVED, NULL, fit->gradient, &fit->loss));
    fit->objective = fit->loss + cairn_logistic_penalties(fit, fit->theta, fit->gradient);
done:
    cairn_scratch_release(ctx, mark);
    return status;
}

/* -- L1 -- */

/* Go to theta + part * step, where weights of an L1 penalty stop at 0. */
static void aim(run *s, double part)
{
    const double *theta = s->fit->theta;
    for (size_t t = 0; t < s->d->width; t++)
        for (size_t j = t * s->d->stride; j < (t + 1) * s->d->stride; j++) {
            double goal = theta[j] + part * s->step[j];
            if (s->fit->lassos[t] > 0 && goal * theta[j] <= 0) goal = 0;
            s->trial[j] = goal;
        }
}

/* Move along the step so that the objective falls by a part of what `slope` promises. */
static cairn_status move(cairn_context *ctx, run *s, const double *slope, bool *moved)
{
    cairn_logistic_fit *fit = s->fit;
    double part = 1, noise = 16 * DBL_EPSILON * fabs(fit->objective), loss, objective;
    *moved = false;
    for (int i = 0; i < MOST_HALVINGS && !*moved; i++, part /= 2) {
        double promise = 0;
        aim(s, part);
        for (size_t j = 0; j < s->size; j++) promise += slope[j] * (s->trial[j] - fit->theta[j]);
        CHECK(look(ctx, s, s->trial, &loss, &objective));
        *moved = objective <= fit->objective + 1e-4 * promise + noise;
    }
    if (!*moved) {
        CHECK(look(ctx, s, fit->theta, &fit->loss, &fit->objective));
        return CAIRN_OK;
    }
    memcpy(fit->theta, s->trial, s->size * sizeof *fit->theta);
    fit->loss = loss;
    fit->objective = objective;
    return CAIRN_OK;
}

static double soft(double x, double by)
{
    return x > by ? x - by : x < -by ? x + by : 0;
}

/* A step of scaled gradients with soft thresholds, shortened until the objective falls. */
static cairn_status threshold_step(cairn_context *ctx, run *s, double *fall)
{
    cairn_logistic_fit *fit = s->fit;
    size_t stride = s->d->stride;
    double loss, objective, noise = 16 * DBL_EPSILON * fabs(fit->objective);
    memcpy(s->goal, fit->gradient, s->size * sizeof *s->goal); /* look() overwrites it */
    s->majorant /= 2;
    for (int i = 0; i < MOST_HALVINGS; i++, s->majorant *= 2) {
        double promise = 0, square = 0;
        for (size_t t = 0; t < s->d->width; t++)
            for (size_t j = t * stride; j < (t + 1) * stride; j++) {
                double curve = s->majorant * s->diagonal[j], lasso = fit->lassos[t];
                double old = fit->theta[j], new = old;
                if (s->inverse[j] > 0) new = soft(old - s->goal[j] / curve, lasso / curve);
                s->trial[j] = new;
                promise += s->goal[j] * (new - old) + lasso * (fabs(new) - fabs(old));
                square += curve * (new - old) * (new - old);
            }
        *fall = -promise - square / 2;
        CHECK(look(ctx, s, s->trial, &loss, &objective));
        if (objective > fit->objective + 0.1 * promise + noise) continue;
        memcpy(fit->theta, s->trial, s->size * sizeof *fit->theta);
        fit->loss = loss;
        fit->objective = objective;
        return CAIRN_OK;
    }
    return look(ctx, s, fit->theta, &fit->loss, &fit->objective);
}

/* Slope of the objective where weights are not 0 (and of those without a threshold); the others
 * are kept still. */
static void slope_of_support(run *s, double *slope)
{
    size_t stride = s->d->stride;
    for (size_t t = 0; t < s->d->width; t++)
        for (size_t j = t * stride; j < (t + 1) * stride; j++) {
            double w = s->fit->theta[j], lasso = s->fit->lassos[t];
            bool still =
                (lasso > 0 && w == 0) || s->diagonal[j] <= 0 || j % stride >= s->d->n_vectors;
            s->inverse[j] = still ? 0 : 1 / s->diagonal[j];
            slope[j] = still ? 0 : s->fit->gradient[j] + (w > 0 ? lasso : w < 0 ? -lasso : 0);
        }
}

/* -- the run -- */

static cairn_status square_values(cairn_context *ctx, run *s)
{
    const cairn_logistic_data *d = s->d;
    size_t n = 0;
    for (size_t b = 0; b < d->n_blocks; b++) n += d->blocks[b].starts[d->blocks[b].n_items];
    CHECK(SCRATCH_RAW(ctx, &s->squares, n + 1));
    n = 0;
    for (size_t b = 0; b < d->n_blocks; b++)
        for (size_t e = 0; e < d->blocks[b].starts[d->blocks[b].n_items]; e++)
            s->squares[n++] = d->blocks[b].values[e] * d->blocks[b].values[e];
    return CAIRN_OK;
}

static cairn_status run_room(cairn_context *ctx, run *s)
{
    const cairn_logistic_data *d = s->d;
    size_t rows = cairn_product(d->n, d->stride),
           size = s->size = cairn_product(d->width, d->stride);
    s->partial_size = AT_DENSE + (d->n_dense + 1) * d->stride;
    s->n_term_blocks = cairn_block_count(d->width, TERM_BLOCK);
    CHECK(cairn_memory_check(ctx, 8 * (5 * (double)rows + 10 * (double)size), "conjugate gradients",
                             "use fewer columns or classes, or raise --memory"));
    CHECK(SCRATCH(ctx, &s->p, rows + 1));
    CHECK(SCRATCH(ctx, &s->work, rows + 1));
    CHECK(SCRATCH(ctx, &s->scores, rows + 1));
    CHECK(SCRATCH(ctx, &s->along, rows + 1));
    CHECK(SCRATCH(ctx, &s->lift, rows + 1));
    CHECK(
        SCRATCH(ctx, &s->buffers,
                cairn_product((size_t)cairn_workers(ctx), d->piece * (d->n_dense + 1) + d->room)));
    CHECK(SCRATCH_RAW(ctx, &s->partial, cairn_product(d->n_blocks + 1, s->partial_size)));
    CHECK(SCRATCH(ctx, &s->sums, s->n_term_blocks + 3 * d->n_ranges + 1));
    CHECK(SCRATCH(ctx, &s->inverse, size + 1));
    CHECK(SCRATCH(ctx, &s->diagonal, size + 1));
    CHECK(SCRATCH(ctx, &s->step, size + 1));
    CHECK(SCRATCH(ctx, &s->way, size + 1));
    CHECK(SCRATCH(ctx, &s->rest, size + 1));
    CHECK(SCRATCH(ctx, &s->product, size + 1));
    CHECK(SCRATCH(ctx, &s->trial, size + 1));
    CHECK(SCRATCH(ctx, &s->goal, size + 1));
    return square_values(ctx, s);
}

/* How exactly the next system is solved: roughly at first, better as the slope falls, but not
 * beyond what the tolerance asks for. */
static double wanted_accuracy(const cairn_logistic_fit *fit, double slope, double first)
{
    double share = first > 0 ? sqrt(sqrt(slope / first)) : 0;
    double enough = sqrt(0.1 * fit->tolerance * fabs(fit->objective) / (slope + DBL_MIN));
    return fmin(0.3, fmax(fmax(1e-3, enough), share));
}

/* Size of a slope, measured by the diagonal: about twice what is still to be gained. */
static double size_of_slope(const run *s, const double *slope)
{
    double sum = 0;
    for (size_t j = 0; j < s->size; j++) sum += slope[j] * slope[j] * s->inverse[j];
    return sum;
}

/* One iteration; sets what is expected to be gained after it. */
static cairn_status one_step(cairn_context *ctx, run *s, double *first, bool *moved)
{
    cairn_logistic_fit *fit = s->fit;
    bool sparse = fit->lasso > 0;
    double gain, extra = 0;
    cairn_status status;
    TRY(make_diagonal(ctx, s));
    if (sparse) {
        TRY(threshold_step(ctx, s, &extra));
        TRY(make_diagonal(ctx, s));
        slope_of_support(s, s->goal);
    } else { /* kept while the gradient of the next place is made */
        memcpy(s->goal, fit->gradient, s->size * sizeof *s->goal);
    }
    double size = size_of_slope(s, s->goal);
    if (*first < 0) *first = size;
    double accuracy = wanted_accuracy(fit, size, *first);
    TRY(solve(ctx, s, s->goal, accuracy, &gain));
    if (sparse) {
        TRY(move(ctx, s, s->goal, moved));
        fit->expected = fabs(gain) + extra;
        goto done;
    }
    TRY(advance(ctx, s, s->goal, moved));
    /* the same share of the slope that is left, and a margin for it being another slope */
    fit->expected = size > 0 ? 4 * gain * size_of_slope(s, fit->gradient) / size : 0;
done:
    return status;
}

static cairn_status iterate(cairn_context *ctx, run *s)
{
    cairn_logistic_fit *fit = s->fit;
    double first = -1;
    bool moved;
    for (; (int)fit->iterations < fit->max_iter && !fit->converged;) {
        CHECK(cairn_tick(ctx, "Newton", (double)fit->iterations, (double)fit->max_iter));
        CHECK(one_step(ctx, s, &first, &moved));
        fit->iterations++;
        fit->curve[fit->n_curve++] = fit->loss;
        fit->converged = fit->expected <= fit->tolerance * fabs(fit->objective);
        if (!moved && fit->lasso == 0) break;
        if (s->wrong == 0 && fit->ridge == 0 && fit->lasso == 0) {
            fit->separation = CAIRN_SEPARATION_COMPLETE;
            memcpy(fit->direction, fit->theta, s->size * sizeof *fit->theta);
            break;
        }
    }
    return CAIRN_OK;
}

cairn_status cairn_logistic_cg(cairn_context *ctx, cairn_logistic_fit *fit)
{
    run s = {.fit = fit, .d = fit->data, .majorant = 1};
    s.damping = fit->lasso > 0 ? 1e-3 : 0;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_status status;
    TRY(run_room(ctx, &s));
    TRY(look(ctx, &s, fit->theta, &fit->loss, &fit->objective));
    for (size_t j = 0; j < s.size; j++)
        if (!isfinite(fit->gradient[j])) TRY(cairn_logistic_check_finite(ctx, fit->data));
    fit->curve[fit->n_curve++] = fit->loss;
    TRY(iterate(ctx, &s));
    cairn_logistic_show_curve(fit, "iteration");
done:
    cairn_scratch_release(ctx, mark);
    return status;
}
