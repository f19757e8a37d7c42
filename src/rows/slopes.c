/* SPDX-License-Identifier: MIT */
/* Slopes of a sum of losses by the weights of linear scores, for proofs. */
#include "rows/slopes.h"
#include "base/memory.h"
#include "kernels/kernels.h"
#include <float.h>
#include <math.h>
#include <string.h>

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
    double *room = column + n;
    for (size_t i = 0; i < n; i++) {
        double v = weights ? weights[i] : 1;
        for (size_t j = 0; j < 3 && v > 0; j++) {
            double part = parts[j][i * m + k];
            squares[j] += v * part * part;
        }
        column[i] = v > 0 ? v * parts[0][i * m + k] : 0;
        slopes[p] += column[i];
    }
    cairn_matrix_transposed(&w->x, piece->first, n, column, slopes, room);
}

static void slopes_piece(void *data, const cairn_piece *piece, double *sums)
{
    const work *w = data;
    size_t m = w->s->n_scores, p = w->x.n_terms, n = piece->n, first = piece->first;
    double *scores = piece->room, *slopes = scores + n * m, *bends = slopes + n * m;
    double *sizes = bends + n * m, *column = sizes + n * m, *room = column + n, *all = room + n;
    const double *parts[3] = {slopes, bends, sizes};
    const double *weights = cairn_matrix_weights(&w->x, first, n, all);
    for (size_t k = 0; k < m; k++) {
        for (size_t i = 0; i < n; i++) column[i] = w->theta[k * (p + 1) + p];
        cairn_matrix_times(&w->x, first, n, w->theta + k * (p + 1), column, room);
        for (size_t i = 0; i < n; i++) scores[i * m + k] = column[i];
    }
    w->s->rows(w->s->data, first, n, scores, slopes, bends, sizes);
    for (size_t k = 0; k < m; k++) add_score(w, piece, k, weights, parts, column, sums);
    cairn_matrix_squares(&w->x, first, n, weights, sums + at_squares(w), room);
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
    cairn_matrix_wish wish = {.apart = true, .room = 4 * s->n_scores + 3};
    size_t terms = 0;
    for (size_t j = 0; j < s->view->n_features; j++)
        terms += s->view->features[j]->kind == CAIRN_BAG ? s->view->features[j]->names.n : 1;
    bool free = s->constant && !(s->ridges && s->ridges[terms] != 0);
    wish.units = free ? CAIRN_UNITS_SHIFTED : CAIRN_UNITS_SCALED;
    if (s->ridges) wish.largest_scale = 0x1p400; /* its square, times a strength, is a number */
    wish.sum_size = cairn_product(s->n_scores + 1, terms + 4);
    w->s = s;
    CHECK(cairn_matrix_open(ctx, &w->x, s->view, &wish));
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
    CHECK(SCRATCH(ctx, &slopes, n));
    CHECK(SCRATCH(ctx, &sizes, n));
    CHECK(SCRATCH(ctx, &noise, n));
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
