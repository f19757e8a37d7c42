/* SPDX-License-Identifier: MIT */
/* Squares, and cross-entropy of classes. */
#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "kernels/elementwise.h"
#include "kernels/kernels.h"
#include "parallel/parallel.h"
#include "rows/family_loss.h"
#include "rows/row_losses.h"
#include "rows/slopes.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* -- slopes of a sum of losses by the weights of linear scores, for proofs -- */

typedef struct work {
    const cairn_slopes *s;
    cairn_row_matrix x;
    double *theta; /* n_scores x (n_terms + 1): weights of z, score after score, constant last */
} work;

/* Places in the sum: slopes of every score (n_terms + 1 each), squares of z (n_terms, and the
 * weight of all rows), then squares of slopes, curvatures and sizes of every score. */
static size_t at_squares(const work *w)
{
    return w->s->n_scores * (w->x.n_terms + 1);
}

static size_t at_scores(const work *w)
{
    return at_squares(w) + w->x.n_terms + 1;
}

/* Slopes of one score times the rows' weights into the sums. */
static void add_score(const work *w, const cairn_piece *piece, size_t k, const double *weights,
                      const double *parts[3], double *column, double *sums)
{
    size_t m = w->s->n_scores, p = w->x.n_terms, n = piece->n;
    double *slopes = sums + k * (p + 1), *squares = sums + at_scores(w) + 3 * k;
    double *buffer = column + n;
    for (size_t i = 0; i < n; i++) {
        double v = weights ? weights[i] : 1;
        for (size_t j = 0; j < 3 && v > 0; j++) {
            double part = parts[j][i * m + k];
            squares[j] += v * part * part;
        }
        column[i] = v > 0 ? v * parts[0][i * m + k] : 0;
        slopes[p] += column[i];
    }
    cairn_matrix_transposed(&w->x, piece->first, n, column, slopes, buffer);
}

static void slopes_piece(void *data, const cairn_piece *piece, double *sums)
{
    const work *w = data;
    size_t m = w->s->n_scores, p = w->x.n_terms, n = piece->n, first = piece->first;
    double *scores = piece->buffer, *slopes = scores + n * m, *bends = slopes + n * m;
    double *sizes = bends + n * m, *column = sizes + n * m, *buffer = column + n, *all = buffer + n;
    const double *parts[3] = {slopes, bends, sizes};
    const double *weights = cairn_matrix_weights(&w->x, first, n, all);
    for (size_t k = 0; k < m; k++) {
        for (size_t i = 0; i < n; i++) column[i] = w->theta[k * (p + 1) + p];
        cairn_matrix_times(&w->x, first, n, w->theta + k * (p + 1), column, buffer);
        for (size_t i = 0; i < n; i++) scores[i * m + k] = column[i];
    }
    w->s->rows(w->s->data, first, n, scores, slopes, bends, sizes);
    for (size_t k = 0; k < m; k++) add_score(w, piece, k, weights, parts, column, sums);
    cairn_matrix_squares(&w->x, first, n, weights, sums + at_squares(w), buffer);
    for (size_t i = 0; i < n; i++) sums[at_squares(w) + p] += weights ? weights[i] : 1;
}

/* The weights as those of z, with what the constants are sums of in `constants`. */
static void turn_weights(work *w, double *constants)
{
    const cairn_slopes *s = w->s;
    size_t p = w->x.n_terms, m = s->n_scores;
    for (size_t k = 0; k < m; k++) {
        double *theta = w->theta + k * (p + 1);
        theta[p] = s->weights[p * m + k];
        constants[k] = fabs(theta[p]);
        for (size_t t = 0; t < p; t++) {
            double own = s->weights[t * m + k];
            double moved = own * (w->x.shift[t] - (s->centres ? s->centres[t] : 0));
            theta[t] = own / w->x.scale[t];
            theta[p] += moved;
            constants[k] += fabs(own * w->x.shift[t]); /* so far a centre is rounded */
        }
    }
}

/* Square of the length of column t of z with its ridge as a further row, for a curvature of `bend`:
 * in this length solvers tell weights apart. */
static double square_of(const work *w, const double *sums, size_t t, double bend)
{
    const cairn_slopes *s = w->s;
    double scale = t < w->x.n_terms ? w->x.scale[t] : 1, unit = s->unit > 0 ? s->unit : 1;
    double ridge = s->ridges && bend > 0 ? fabs(s->ridges[t]) * scale * scale * unit / bend : 0;
    return sums[at_squares(w) + t] + ridge;
}

/* Of score k: what its rounding leaves of a slope, for a column of length 1. The rounding of the
 * scores is that of their terms; it is bent into slopes; sums of many rows round as their root. */
static double noise_of(const work *w, const double *sums, size_t k, double constant)
{
    size_t p = w->x.n_terms;
    const double *own = sums + at_scores(w) + 3 * k, *theta = w->theta + k * (p + 1);
    double total = fmax(sums[at_squares(w) + p], DBL_MIN), score = constant;
    double bend = sqrt(own[1] / total);
    for (size_t t = 0; t < p; t++)
        score += fabs(theta[t]) * sqrt(square_of(w, sums, t, bend) / total);
    double many = 32 * sqrt((double)p + 1) + sqrt((double)w->x.n);
    return DBL_EPSILON * many * (sqrt(own[2]) + sqrt(own[1]) * score);
}

static void fill_score(const work *w, const double *sums, size_t k, double noise, double *slopes,
                       double *sizes, double *noises)
{
    const cairn_slopes *s = w->s;
    size_t p = w->x.n_terms, m = s->n_scores;
    double length = sqrt(sums[at_scores(w) + 3 * k]), unit = s->unit > 0 ? s->unit : 1;
    double root = sqrt(sums[at_squares(w) + p]);
    double bend = root > 0 ? sqrt(sums[at_scores(w) + 3 * k + 1]) / root : 0;
    for (size_t t = 0; t <= p; t++) {
        double scale = t < p ? w->x.scale[t] : 1, column = sqrt(sums[at_squares(w) + t]);
        double ridge = s->ridges ? s->ridges[t] * scale * (s->weights[t * m + k] * unit) : 0;
        slopes[t * m + k] = sums[k * (p + 1) + t] + ridge;
        sizes[t * m + k] = column * length + fabs(ridge);
        /* the numbers themselves are rounded: a column that hardly leaves its mean is no more */
        double read = t < p ? 8 * DBL_EPSILON * fabs(w->x.shift[t]) * scale * root : 0;
        noises[t * m + k] = (sqrt(square_of(w, sums, t, bend)) + read) * noise + read * length +
                            8 * DBL_EPSILON * fabs(ridge);
    }
}

static cairn_status open_work(cairn_context *ctx, work *w, const cairn_slopes *s)
{
    cairn_matrix_options options = {.apart = true, .buffer = 4 * s->n_scores + 3};
    size_t terms = 0;
    for (size_t j = 0; j < s->view->n_features; j++)
        terms += s->view->features[j]->kind == CAIRN_BAG ? s->view->features[j]->names.n : 1;
    bool free = s->constant && !(s->ridges && s->ridges[terms] != 0) &&
                !(s->lassos && s->lassos[terms] != 0);
    options.units = free ? CAIRN_UNITS_SHIFTED : CAIRN_UNITS_SCALED;
    if (s->ridges) options.largest_scale = 0x1p400; /* its square, times a strength, is a number */
    options.sum_size = cairn_product(s->n_scores + 1, terms + 4);
    w->s = s;
    CHECK(cairn_matrix_open(ctx, &w->x, s->view, &options));
    if (s->row_weights) w->x.weights = s->row_weights;
    return SCRATCH(ctx, &w->theta, cairn_product(s->n_scores, w->x.n_terms + 1));
}

cairn_status cairn_slopes_of(cairn_context *ctx, const cairn_slopes *s, double *slopes,
                             double *sizes, double *noise, double *scales)
{
    SCOPED_SCRATCH(ctx);
    work w;
    double *sums, *constants;
    CHECK(open_work(ctx, &w, s));
    CHECK(SCRATCH(ctx, &constants, s->n_scores + 1));
    turn_weights(&w, constants);
    cairn_row_sum sum = {.piece = slopes_piece, .unread = true, .data = &w};
    sum.size = at_scores(&w) + 3 * s->n_scores;
    CHECK(SCRATCH(ctx, &sums, sum.size));
    CHECK(cairn_matrix_sum(ctx, &w.x, &sum, sums));
    for (size_t k = 0; k < s->n_scores; k++)
        fill_score(&w, sums, k, noise_of(&w, sums, k, constants[k]), slopes, sizes, noise);
    if (scales) memcpy(scales, w.x.scale, w.x.n_terms * sizeof *scales);
    return CAIRN_OK;
}

cairn_status cairn_slopes_certify(cairn_context *ctx, cairn_certificate *c, cairn_proof proof,
                                  const cairn_slopes *s, double bound)
{
    if (!c) return CAIRN_OK;
    SCOPED_SCRATCH(ctx);
    size_t terms = 0, m = s->n_scores;
    for (size_t j = 0; j < s->view->n_features; j++)
        terms += s->view->features[j]->kind == CAIRN_BAG ? s->view->features[j]->names.n : 1;
    double *slopes, *sizes, *noise, *scales, unit = s->unit > 0 ? s->unit : 1;
    size_t n = cairn_product(terms + 1, m);
    CHECK(SCRATCH(ctx, &scales, terms + 1));
    CHECK(SCRATCH_EACH(ctx, n, &slopes, &sizes, &noise));
    CHECK(cairn_slopes_of(ctx, s, slopes, sizes, noise, scales));
    scales[terms] = 1;
    for (size_t i = 0; i < (terms + (s->constant ? 1 : 0)) * m; i++) {
        if (s->fixed && i / m < terms && s->fixed[i / m]) continue;
        double lasso = s->lassos ? s->lassos[i / m] * scales[i / m] * unit : 0;
        double size = sizes[i] + lasso + noise[i] / bound, w = s->weights[i];
        double left =
            w == 0 ? fmax(0, fabs(slopes[i]) - lasso) : fabs(slopes[i] + copysign(lasso, w));
        if (isnan(slopes[i])) left = NAN;
        cairn_certify(c, proof, size > 0 ? left / size : left, bound);
    }
    return CAIRN_OK;
}

void cairn_slopes_squares_rows(const void *data, size_t first, size_t n, const double *scores,
                               double *slopes, double *bends, double *sizes)
{
    const cairn_slopes_squares *s = data;
    size_t m = s->n_scores;
    for (size_t k = 0; k < m; k++)
        for (size_t i = 0; i < n; i++) {
            double target = s->targets[k * s->n_rows + first + i], score = scores[i * m + k];
            slopes[i * m + k] = (score - target) * s->unit;
            bends[i * m + k] = s->unit;
            sizes[i * m + k] = fabs(target) * s->unit;
        }
}

double cairn_slopes_unit(double most)
{
    int power = 0;
    if (isfinite(most)) (void)frexp(most, &power);
    return ldexp(1, power < -1000 ? 1000 : power > 1000 ? -1000 : -power);
}

cairn_status cairn_slopes_certify_squares(cairn_context *ctx, cairn_certificate *c,
                                          const cairn_slopes *like, double bound)
{
    if (!c) return CAIRN_OK;
    SCOPED_SCRATCH(ctx);
    size_t n = like->view->rows.n;
    double *copy, most = 0;
    const double *targets = like->view->target->numbers;
    if (like->view->rows.indices) {
        CHECK(SCRATCH_RAW(ctx, &copy, n + 1));
        cairn_view_target_numbers(like->view, 0, n, copy);
        targets = copy;
    }
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs(targets[i]));
    cairn_slopes_squares squares = {targets, n, 1, cairn_slopes_unit(most)};
    cairn_slopes s = *like;
    s.n_scores = 1;
    s.rows = cairn_slopes_squares_rows;
    s.data = &squares;
    s.unit = squares.unit;
    return cairn_slopes_certify(ctx, c, CAIRN_PROOF_RESIDUAL, &s, bound);
}

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

/* Loss and margin of a row of weight w into the sums. */
static void count(double *sums, double w, double loss, double margin)
{
    if (w == 0) return;
    sums[0] += w * loss;
    if (margin > 0) sums[1 + CAIRN_COUNT_RIGHT] += w;
    if (!(margin > SURE_MARGIN)) sums[1 + CAIRN_COUNT_UNSURE] += w;
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
    CHECK(SCRATCH_RAW_EACH(ctx, n + 1, &out->targets, &out->weights));
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

/* -- the losses of generalised linear models, row by row -- */

enum { OPEN_BLOCK = 8 * 1024 }; /* rows */

/* Counts with a logarithmic link: exponentials of a piece at once, and no logarithm. */
static void count_rows(const void *data, size_t first, size_t n, const double *scores,
                       size_t stride, double *kept, double *slopes, double *sums)
{
    const cairn_family_rows *r = data;
    const double *y = r->values + first, *w = r->weights + first, *c = r->constants + first;
    double sum = 0;
    (void)stride;
    for (size_t i = 0; i < n; i++)
        slopes[i] = r->offsets ? scores[i] + r->offsets[first + i] : scores[i];
    cairn_exp_each(kept, slopes, n);
    for (size_t i = 0; i < n; i++) {
        double mean = fmax(kept[i], DBL_EPSILON);
        sum += w[i] * (mean - y[i] * slopes[i] + c[i]);
        slopes[i] = w[i] * (mean - y[i]);
        kept[i] = w[i] * mean;
        if (r->means) r->means[first + i] = mean;
    }
    sums[0] += sum;
}

/* Means of shares end where 1 - m still has digits, but what a row on the wrong side loses does
 * not: a deviance that ended there would hold it fast. */
static void go_on_beyond(const cairn_family_rows *r, size_t at, double score, double mean,
                         double *kept, double *slopes, double *sums)
{
    bool high = mean > 0.5;
    double wrong = r->weights[at] * (high ? 1 - r->values[at] : r->values[at]), slope, curve;
    if (r->family.kind != CAIRN_BINOMIAL || fmin(mean, 1 - mean) > DBL_EPSILON || !(wrong > 0))
        return;
    *sums += wrong * (cairn_link_tail(r->family.link, high, score, &slope, &curve) +
                      cairn_log(DBL_EPSILON));
    *slopes = wrong * slope;
    *kept = fmax(*kept, wrong * curve);
}

/* A mean that the family cannot have makes the loss infinite; rows of weight 0 get their mean
 * only. */
static void family_rows(const void *data, size_t first, size_t n, const double *scores,
                        size_t stride, double *kept, double *slopes, double *sums)
{
    const cairn_family_rows *r = data;
    (void)stride;
    for (size_t i = 0; i < n; i++) {
        size_t at = first + i;
        double w = r->weights[at], y = r->values[at], slope;
        double score = scores[i] + (r->offsets ? r->offsets[at] : 0);
        double mean = cairn_link_mean(r->family.link, score, &slope);
        kept[i] = slopes[i] = 0;
        if (r->means) r->means[at] = mean;
        if (w == 0) continue;
        if (!cairn_family_has_mean(&r->family, mean)) {
            sums[0] = INFINITY;
            continue;
        }
        double variance = cairn_family_variance(&r->family, mean);
        sums[0] += w * cairn_family_deviance(&r->family, y, mean) / 2;
        slopes[i] = w * (mean - y) * slope / variance;
        kept[i] = w * slope * slope / variance;
        go_on_beyond(r, at, score, mean, &kept[i], &slopes[i], sums);
    }
}

/* W (score - z)²/2 with z = link(m) + (y - m) / slope - offset at the starting mean m. */
static void start_rows(const void *data, size_t first, size_t n, const double *scores,
                       size_t stride, double *kept, double *slopes, double *sums)
{
    const cairn_family_rows *r = data;
    (void)stride;
    for (size_t i = 0; i < n; i++) {
        size_t at = first + i;
        double y = r->values[at], slope;
        double from = cairn_link_score(r->family.link, cairn_family_start(&r->family, y));
        double mean = cairn_link_mean(r->family.link, from, &slope);
        bool usable = r->weights[at] > 0 && isfinite(from) && slope != 0 &&
                      cairn_family_has_mean(&r->family, mean);
        kept[i] = slopes[i] = 0;
        if (!usable) continue;
        double z = from + (y - mean) / slope - (r->offsets ? r->offsets[at] : 0);
        kept[i] = r->weights[at] * slope * slope / cairn_family_variance(&r->family, mean);
        slopes[i] = kept[i] * (scores[i] - z);
        sums[0] += slopes[i] * (scores[i] - z) / 2;
    }
}

static bool is_count(const cairn_family *f)
{
    return f->kind == CAIRN_POISSON && f->link == CAIRN_LINK_LOG;
}

cairn_row_loss cairn_family_row_loss(const cairn_family_rows *rows)
{
    return (cairn_row_loss){
        .n_scores = 1, .data = rows, .rows = rows->constants ? count_rows : family_rows};
}

cairn_row_loss cairn_family_start_loss(const cairn_family_rows *rows)
{
    return (cairn_row_loss){.n_scores = 1, .data = rows, .rows = start_rows};
}

static cairn_status refuse_value(cairn_context *ctx, const cairn_view *view, size_t i,
                                 const cairn_family *family, double value)
{
    size_t row = cairn_view_row(view, i);
    char number[CAIRN_NUMBER_SIZE];
    if (!isfinite(value)) return cairn_refuse_number(ctx, view->target_name, row, value);
    cairn_number_format(number, value, 6);
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "the target '%s' is %s in row %zu, but this family needs %s; choose another "
                      "{family}",
                      view->target_name, number, row + 1, cairn_family_values(family->kind));
}

typedef struct opening {
    const cairn_view *view;
    const cairn_family *family;
    int32_t positive; /* of a target with levels */
    double *values, *weights, *constants;
    double *totals; /* of each block: its weight */
    size_t *bad;    /* of each block: the first row with a value that the family cannot have */
} opening;

static void fill_values(const opening *o, size_t begin, size_t end)
{
    if (o->view->target->kind == CAIRN_NUMBER) {
        cairn_view_target_numbers(o->view, begin, end - begin, o->values + begin);
        return;
    }
    for (size_t i = begin; i < end; i++)
        o->values[i] = o->view->target->codes[cairn_view_row(o->view, i)] == o->positive;
}

/* The first bad row of each block is kept, so that the message names the first of all of them. */
static void open_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const opening *o = data;
    (void)worker;
    fill_values(o, begin, end);
    cairn_view_weights(o->view, begin, end - begin, o->weights + begin);
    o->bad[block] = SIZE_MAX;
    for (size_t i = begin; i < end; i++) {
        o->totals[block] += o->weights[i];
        if (o->bad[block] == SIZE_MAX && !cairn_family_has_value(o->family, o->values[i]))
            o->bad[block] = i;
    }
    if (o->constants) {
        /* What of the half deviance of counts no mean changes: y (ln y - 1). */
        double *c = o->constants + begin;
        cairn_log_each(c, o->values + begin, end - begin);
        for (size_t i = 0; i < end - begin; i++) {
            double y = o->values[begin + i];
            c[i] = y > 0 ? y * (c[i] - 1) : 0;
        }
    }
}

/* The sum of the weights; fails on the first value that the family cannot have. */
static cairn_status join_blocks(cairn_context *ctx, const opening *o, size_t n_blocks,
                                double *total)
{
    *total = 0;
    for (size_t b = 0; b < n_blocks; b++) {
        *total += o->totals[b];
        if (o->bad[b] != SIZE_MAX)
            return refuse_value(ctx, o->view, o->bad[b], o->family, o->values[o->bad[b]]);
    }
    if (*total > 0) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "there is no row to learn from: at least one needs a positive weight");
}

cairn_status cairn_family_rows_open(cairn_context *ctx, cairn_family_rows *out, cairn_family family,
                                    const cairn_view *view, int32_t positive)
{
    size_t n = view->rows.n, n_blocks = cairn_block_count(n, OPEN_BLOCK);
    opening o = {.view = view, .family = &family, .positive = positive};
    double total;
    CHECK(SCRATCH_RAW_EACH(ctx, n + 1, &o.values, &o.weights));
    if (is_count(&family)) CHECK(SCRATCH_RAW(ctx, &o.constants, n + 1));
    CHECK(SCRATCH_EACH(ctx, n_blocks + 1, &o.totals, &o.bad));
    CHECK(cairn_blocks(ctx, n, OPEN_BLOCK, open_block, &o));
    CHECK(join_blocks(ctx, &o, n_blocks, &total));
    *out = (cairn_family_rows){.family = family,
                               .values = o.values,
                               .weights = o.weights,
                               .constants = o.constants,
                               .total = total};
    return CAIRN_OK;
}
