/* SPDX-License-Identifier: MIT */
/* Squares, and cross-entropy of classes. */
#include "rows/row_losses.h"
#include "base/functions.h"
#include "kernels/elementwise.h"
#include "base/memory.h"
#include "kernels/kernels.h"
#include <math.h>
#include <string.h>

/* Rows with a larger margin are surely on their side. */
static const double SURE_MARGIN = 1e-6;

/* Two classes, one score: everything from e = exp(-|a|), which never overflows. */
static double two_classes(double *score, size_t answer, double *margin)
{
    double a = *score, e = cairn_exp(-fabs(a)), s = answer == 0 ? a : -a;
    *score = a >= 0 ? 1 / (1 + e) : e / (1 + e);
    *margin = s;
    return s >= 0 ? cairn_log1p(e) : cairn_log1p(e) - s;
}

/* What cairn_softmax divides by: the share of the answer, and the others together. */
typedef struct softmax_parts {
    double own, other; /* scores: of the answer, and the largest other one */
    double most, rest, sum;
} softmax_parts;

static softmax_parts divide_scores(double *scores, size_t n_scores, bool pinned, size_t answer)
{
    softmax_parts p = {.own = answer < n_scores ? scores[answer] : 0,
                       .other = pinned && answer < n_scores ? 0 : -INFINITY};
    for (size_t k = 0; k < n_scores; k++)
        if (k != answer && scores[k] > p.other) p.other = scores[k];
    p.most = p.own > p.other ? p.own : p.other;
    p.rest = pinned && answer < n_scores ? cairn_exp(-p.most) : 0;
    for (size_t k = 0; k < n_scores; k++) scores[k] -= p.most;
    cairn_exp_each(scores, scores, n_scores);
    for (size_t k = 0; k < n_scores; k++)
        if (k != answer) p.rest += scores[k];
    double mine = answer < n_scores ? scores[answer] : cairn_exp(p.own - p.most);
    p.sum = mine + p.rest;
    for (size_t k = 0; k < n_scores; k++) scores[k] /= p.sum;
    return p;
}

double cairn_softmax(double *scores, size_t n_scores, bool pinned, size_t answer, double *margin)
{
    if (n_scores == 1 && pinned) return two_classes(scores, answer, margin);
    softmax_parts p = divide_scores(scores, n_scores, pinned, answer);
    *margin = p.own - p.other;
    return p.own >= p.other ? cairn_log1p(p.rest) : (p.most - p.own) + cairn_log(p.sum);
}

void cairn_softmax_shares(double *scores, size_t n_scores, bool pinned)
{
    double margin;
    if (n_scores == 1 && pinned)
        (void)two_classes(scores, 0, &margin);
    else
        (void)divide_scores(scores, n_scores, pinned, 0);
}

/* Two classes and rows of weight 1: residuals, and p (1 - p) is kept. */
static void sigmoid_rows(const void *data, size_t first, size_t n, const double *scores,
                         size_t stride, double *kept, double *slopes, double *sums)
{
    const cairn_classes_loss *c = data;
    cairn_sigmoid_sums count = {.least = INFINITY, .most = -INFINITY};
    (void)stride;
    cairn_sigmoids(slopes, kept, &count, scores, c->signs + first, n, SURE_MARGIN);
    sums[0] += count.loss;
    sums[1 + CAIRN_COUNT_RIGHT] += count.right;
    sums[1 + CAIRN_COUNT_UNSURE] += count.wrong;
}

/* Loss and margin of a row of weight w into the sums. */
static void count(double *sums, double w, double loss, double margin)
{
    if (w == 0) return;
    sums[0] += w * loss;
    if (margin > 0) sums[1 + CAIRN_COUNT_RIGHT] += w;
    if (!(margin > SURE_MARGIN)) sums[1 + CAIRN_COUNT_UNSURE] += w;
}

/* The same for weighted rows. */
static void two_rows(const void *data, size_t first, size_t n, const double *scores, size_t stride,
                     double *kept, double *slopes, double *sums)
{
    const cairn_classes_loss *c = data;
    (void)stride;
    for (size_t i = 0; i < n; i++) {
        double w = c->weights[first + i], p = scores[i], margin;
        size_t answer = (size_t)c->answers[first + i];
        double loss = two_classes(&p, answer, &margin);
        count(sums, w, loss, margin);
        slopes[i] = w * (p - (answer == 0));
        kept[i] = w * p * (1 - p);
    }
}

/* More classes: the probabilities are kept. */
static void softmax_rows(const void *data, size_t first, size_t n, const double *scores,
                         size_t stride, double *kept, double *slopes, double *sums)
{
    const cairn_classes_loss *c = data;
    size_t m = c->n_scores;
    for (size_t i = 0; i < n; i++) {
        double w = c->weights[first + i], margin, *p = kept + i * stride, *r = slopes + i * stride;
        size_t answer = (size_t)c->answers[first + i];
        memcpy(p, scores + i * stride, m * sizeof *p);
        double loss = cairn_softmax(p, m, c->pinned, answer, &margin);
        count(sums, w, loss, margin);
        memcpy(r, p, m * sizeof *p);
        if (answer < m) r[answer] -= 1;
        for (size_t k = 0; k < m; k++) r[k] *= w;
    }
}

/* w (p * u - p (p·u)) */
static void softmax_bend(const void *data, size_t first, size_t n, const double *kept,
                         const double *u, size_t stride, double *out)
{
    const cairn_classes_loss *c = data;
    size_t m = c->n_scores;
    for (size_t i = 0; i < n; i++) {
        const double *p = kept + i * stride, *v = u + i * stride;
        double w = c->weights[first + i], *to = out + i * stride, dot = 0;
        for (size_t k = 0; k < m; k++) dot += p[k] * v[k];
        for (size_t k = 0; k < m; k++) to[k] = w * p[k] * (v[k] - dot);
    }
}

/* w p_k ([k = l] - p_l) */
static void softmax_curve(const void *data, size_t first, size_t n, const double *kept,
                          size_t stride, size_t k, size_t l, double *out)
{
    const cairn_classes_loss *c = data;
    for (size_t i = 0; i < n; i++) {
        double pk = kept[i * stride + k], pl = kept[i * stride + l];
        out[i] = c->weights[first + i] * pk * (k == l ? 1 - pk : -pl);
    }
}

cairn_row_loss cairn_classes_row_loss(const cairn_classes_loss *classes)
{
    cairn_row_loss loss = {.n_scores = classes->n_scores, .n_counts = 2, .data = classes};
    if (classes->n_scores == 1 && classes->pinned) {
        loss.rows = classes->signs ? sigmoid_rows : two_rows;
        return loss;
    }
    loss.rows = softmax_rows;
    loss.bend = softmax_bend;
    loss.curve = softmax_curve;
    return loss;
}

cairn_status cairn_squares_open(cairn_context *ctx, cairn_squares_loss *out, const cairn_view *view,
                                bool centred)
{
    size_t n = view->rows.n;
    double sum = 0;
    *out = (cairn_squares_loss){0};
    CHECK(SCRATCH_RAW(ctx, &out->targets, n + 1));
    CHECK(SCRATCH_RAW(ctx, &out->weights, n + 1));
    cairn_view_target_numbers(view, 0, n, out->targets);
    cairn_view_weights(view, 0, n, out->weights);
    for (size_t i = 0; i < n; i++) {
        out->total += out->weights[i];
        sum += out->weights[i] * out->targets[i];
        if (!isfinite(out->targets[i]))
            return cairn_refuse_number(ctx, view->target_name, cairn_view_row(view, i),
                                       out->targets[i]);
    }
    if (!(out->total > 0))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "there is no row to learn from: at least one needs a positive weight");
    double mean = sum / out->total;
    for (size_t i = 0; i < n; i++) {
        double rest = out->targets[i] - mean;
        out->spread += out->weights[i] * rest * rest;
        if (centred) out->targets[i] = rest;
    }
    out->shift = centred ? mean : 0;
    return CAIRN_OK;
}

/* w (a - y)²/2; its curvature is kept. */
static void square_rows(const void *data, size_t first, size_t n, const double *scores,
                        size_t stride, double *kept, double *slopes, double *sums)
{
    const cairn_squares_loss *s = data;
    (void)stride;
    for (size_t i = 0; i < n; i++) {
        double w = s->weights[first + i], rest = scores[i] - s->targets[first + i];
        sums[0] += w * rest * rest / 2;
        slopes[i] = w * rest;
        kept[i] = w;
    }
}

cairn_row_loss cairn_squares_row_loss(const cairn_squares_loss *squares)
{
    return (cairn_row_loss){.n_scores = 1, .data = squares, .rows = square_rows};
}
