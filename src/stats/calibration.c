/* SPDX-License-Identifier: MIT */
/* Fitting and applying calibration maps.
 *
 * Everything is fitted to the segments of a ranking (distinct scores with the weights of both
 * classes), not to rows. The likelihood maps are logistic regressions on one or two functions of
 * the score, by Newton's method with halved steps on standardised columns; the sums run over fixed
 * blocks of segments and are joined in order. */
#include "stats/calibration.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "parallel/parallel.h"
#include "solve/solvers.h"

#include <math.h>
#include <string.h>

/* -- isotonic -- */

/* Segments of the hull are the pooled blocks of isotonic regression; the ranking is best first, the
 * plateaus are kept by ascending score. */
static cairn_status fit_isotonic(cairn_context *ctx, cairn_calibration *c,
                                 const cairn_ranking *ranking)
{
    cairn_ranking hull;
    const cairn_calibration_options *o = &c->options;
    CHECK(o->falling ? cairn_ranking_lower_hull(ctx, &hull, ranking, o->keep_collinear)
                     : cairn_ranking_hull(ctx, &hull, ranking, o->keep_collinear));
    CHECK(NEW_RAW_EACH(ctx, hull.n, &c->low, &c->high, &c->value));
    c->n = hull.n;
    for (size_t i = 0; i < hull.n; i++) {
        const cairn_segment *s = &hull.segments[hull.n - 1 - i];
        double all = s->positives + s->negatives;
        c->low[i] = s->low_score;
        c->high[i] = s->score;
        c->value[i] = o->laplace ? (s->positives + 1) / (all + 2) : s->positives / all;
    }
    return CAIRN_OK;
}

static double apply_isotonic(const cairn_calibration *c, double score)
{
    size_t low = 0, n = c->n; /* the first piece that ends at or above the score */
    while (n > 0) {
        size_t half = n / 2;
        bool right = c->high[low + half] < score;
        low = right ? low + half + 1 : low;
        n = right ? n - half - 1 : half;
    }
    if (low == c->n) return c->value[c->n - 1];
    if (low == 0 || score >= c->low[low]) return c->value[low];
    double from = c->high[low - 1], to = c->low[low];
    if (c->options.steps) return c->value[score < from + (to - from) / 2 ? low - 1 : low];
    double share = (score - from) / (to - from);
    return c->value[low - 1] + share * (c->value[low] - c->value[low - 1]);
}

static double threshold_isotonic(const cairn_calibration *c, double p)
{
    double sign = c->options.falling ? -1 : 1;
    for (size_t i = 0; i < c->n; i++) {
        if (c->value[i] == p) return c->low[i] + (c->high[i] - c->low[i]) / 2;
        if (i + 1 < c->n && (c->value[i] - p) * sign < 0 && (c->value[i + 1] - p) * sign > 0) {
            double share =
                c->options.steps ? 0.5 : (p - c->value[i]) / (c->value[i + 1] - c->value[i]);
            return c->high[i] + share * (c->low[i + 1] - c->high[i]);
        }
    }
    return NAN;
}

/* -- logistic: from means and a common variance -- */

/* Two Gaussians of one variance have log-odds that are linear in the score: gamma is the slope and
 * the midpoint of the means has odds of 1. */
static cairn_status fit_logistic(cairn_context *ctx, cairn_calibration *c, const cairn_ranking *r)
{
    double sums[2] = {0, 0}, squares = 0, all = r->positives + r->negatives;
    for (size_t i = 0; i < r->n; i++) {
        sums[1] += r->segments[i].positives * r->segments[i].score;
        sums[0] += r->segments[i].negatives * r->segments[i].score;
    }
    c->positive_mean = sums[1] / r->positives;
    c->negative_mean = sums[0] / r->negatives;
    for (size_t i = 0; i < r->n; i++) {
        const cairn_segment *s = &r->segments[i];
        double up = s->score - c->positive_mean, down = s->score - c->negative_mean;
        if (s->positives > 0) squares += s->positives * up * up;
        if (s->negatives > 0) squares += s->negatives * down * down;
    }
    if (c->options.unbiased && !(all > 2))
        return cairn_fail(
            ctx, CAIRN_BAD_DATA,
            "logistic calibration with the unbiased variance needs more than two rows");
    c->variance = squares / (c->options.unbiased ? all - 2 : all);
    c->gamma = (c->positive_mean - c->negative_mean) / c->variance;
    c->centre = c->negative_mean + (c->positive_mean - c->negative_mean) / 2;
    if (!(c->variance > 0) || !isfinite(c->gamma))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "logistic calibration needs finite scores that vary within the classes");
    return CAIRN_OK;
}

static double apply_logistic(const cairn_calibration *c, double score)
{
    double ratio = c->options.class_ratio > 0 ? c->options.class_ratio : 1;
    return 1 / (1 + cairn_exp(-c->gamma * (score - c->centre)) / ratio);
}

/* -- maximum likelihood -- */

enum { MAX_COLUMNS = 2, MAX_COEFFICIENTS = MAX_COLUMNS + 1, BLOCK = 1 << 13, MAX_STEPS = 100 };
#define BETA_EDGE 1e-15
#define BEYOND    1e4 /* a slope per standard deviation that only separated classes have */

/* Sums of one block: the log-likelihood, its gradient and minus its second derivatives. */
typedef struct likelihood_sums {
    double value, gradient[MAX_COEFFICIENTS];
    double curvature[MAX_COEFFICIENTS * MAX_COEFFICIENTS];
} likelihood_sums;

typedef struct likelihood_work {
    const cairn_ranking *ranking;
    bool logs[MAX_COLUMNS]; /* beta: which of ln s and -ln(1-s) are used */
    bool beta;
    size_t n_columns;
    double mean[MAX_COLUMNS], scale[MAX_COLUMNS];
    double coefficients[MAX_COEFFICIENTS]; /* of the standardised columns, then the constant */
    double high, low;                      /* targets of positives and negatives */
    likelihood_sums *blocks;
    cairn_place place; /* of the search */
    double moved;      /* by the last step */
    bool separated;
} likelihood_work;

static double log_column(int which, double score)
{
    double s = score < BETA_EDGE ? BETA_EDGE : score;
    double rest = 1 - score < BETA_EDGE ? BETA_EDGE : 1 - score;
    return which == 0 ? cairn_log(s) : -cairn_log(rest);
}

/* The columns of a score before they are standardised. */
static void raw_columns(const likelihood_work *w, double score, double *x)
{
    size_t k = 0;
    if (!w->beta) {
        x[0] = score;
        return;
    }
    for (int which = 0; which < MAX_COLUMNS; which++)
        if (w->logs[which]) x[k++] = log_column(which, score);
}

/* log(1 + exp(z)) without overflow. */
static double softplus(double z)
{
    return z > 0 ? z + cairn_log1p(cairn_exp(-z)) : cairn_log1p(cairn_exp(z));
}

static void add_segment(likelihood_sums *sums, const likelihood_work *w, const cairn_segment *s)
{
    double x[MAX_COEFFICIENTS] = {0}, z = 0;
    size_t d = w->n_columns;
    raw_columns(w, s->score, x);
    for (size_t k = 0; k < d; k++) x[k] = (x[k] - w->mean[k]) / w->scale[k];
    x[d] = 1;
    for (size_t k = 0; k <= d; k++) z += w->coefficients[k] * x[k];
    double p = 1 / (1 + cairn_exp(-z)), all = s->positives + s->negatives;
    double wanted = s->positives * w->high + s->negatives * w->low;
    sums->value += wanted * z - all * softplus(z);
    for (size_t k = 0; k <= d; k++) {
        sums->gradient[k] += (wanted - all * p) * x[k];
        for (size_t l = k; l <= d; l++)
            sums->curvature[k * (d + 1) + l] += all * p * (1 - p) * x[k] * x[l];
    }
}

static void sum_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    likelihood_work *w = data;
    likelihood_sums sums = {0};
    (void)worker;
    for (size_t i = begin; i < end; i++) add_segment(&sums, w, &w->ranking->segments[i]);
    w->blocks[block] = sums;
}

static cairn_status sum_likelihood(cairn_context *ctx, likelihood_sums *out, likelihood_work *w)
{
    likelihood_sums sums = {0};
    CHECK(cairn_blocks(ctx, w->ranking->n, BLOCK, sum_block, w));
    for (size_t b = 0; b < cairn_block_count(w->ranking->n, BLOCK); b++) {
        const likelihood_sums *s = &w->blocks[b];
        sums.value += s->value;
        for (int k = 0; k < MAX_COEFFICIENTS; k++) sums.gradient[k] += s->gradient[k];
        for (int k = 0; k < MAX_COEFFICIENTS * MAX_COEFFICIENTS; k++)
            sums.curvature[k] += s->curvature[k];
    }
    *out = sums;
    return CAIRN_OK;
}

/* Means and standard deviations of the columns; a constant column has the scale 1. */
static void standardise_columns(likelihood_work *w)
{
    const cairn_ranking *r = w->ranking;
    double all = r->positives + r->negatives, squares[MAX_COLUMNS] = {0}, x[MAX_COLUMNS];
    memset(w->mean, 0, sizeof w->mean);
    for (size_t i = 0; i < r->n; i++) {
        raw_columns(w, r->segments[i].score, x);
        for (size_t k = 0; k < w->n_columns; k++)
            w->mean[k] += (r->segments[i].positives + r->segments[i].negatives) / all * x[k];
    }
    for (size_t i = 0; i < r->n; i++) {
        raw_columns(w, r->segments[i].score, x);
        for (size_t k = 0; k < w->n_columns; k++) {
            double away = x[k] - w->mean[k];
            squares[k] += (r->segments[i].positives + r->segments[i].negatives) * away * away;
        }
    }
    for (size_t k = 0; k < w->n_columns; k++)
        w->scale[k] = squares[k] > 0 ? sqrt(squares[k] / all) : 1;
}

static cairn_status separated(cairn_context *ctx)
{
    return cairn_fail(ctx, CAIRN_NO_SOLUTION,
                      "the scores separate the two classes, so no curve is the most likely: the "
                      "steeper the better; use the Laplace targets or isotonic calibration");
}

/* Minus the log-likelihood, its slopes and curvatures. */
static cairn_status look(cairn_context *ctx, void *data, const double *x, double *value,
                         double *gradient, double *hessian)
{
    likelihood_work *w = data;
    size_t n = w->n_columns + 1;
    likelihood_sums sums;
    memcpy(w->coefficients, x, n * sizeof *x);
    CHECK(sum_likelihood(ctx, &sums, w));
    *value = -sums.value;
    for (size_t k = 0; k < n; k++) {
        if (gradient) gradient[k] = -sums.gradient[k];
        for (size_t l = k; hessian && l < n; l++)
            hessian[k * n + l] = hessian[l * n + k] = sums.curvature[k * n + l];
        if (hessian)
            hessian[k * (n + 1)] += 1e-13 * (w->ranking->positives + w->ranking->negatives);
    }
    return CAIRN_OK;
}

/* The largest change of a coefficient, beside its size. */
static cairn_status note_step(cairn_context *ctx, void *data, const double *change)
{
    likelihood_work *w = data;
    (void)ctx;
    w->moved = 0;
    for (size_t k = 0; k <= w->n_columns; k++)
        w->moved = fmax(w->moved, fabs(change[k]) / (1 + fabs(w->coefficients[k] + change[k])));
    return CAIRN_OK;
}

/* Slopes without end, or nothing left to gain: the classes are separated. */
static cairn_status check_step(cairn_context *ctx, void *data, const double *change, bool *stop)
{
    likelihood_work *w = data;
    (void)ctx;
    (void)change;
    for (size_t k = 0; k < w->n_columns; k++) *stop |= !(fabs(w->coefficients[k]) < BEYOND);
    *stop |= !(w->place.value > 1e-9);
    w->separated = *stop;
    return CAIRN_OK;
}

/* Climb to the top of the likelihood. */
static cairn_status maximise(cairn_context *ctx, likelihood_work *w)
{
    double x[MAX_COEFFICIENTS] = {0}, gradient[MAX_COEFFICIENTS];
    double hessian[MAX_COEFFICIENTS * MAX_COEFFICIENTS];
    cairn_objective f = {.n = w->n_columns + 1, .data = w, .look = look};
    cairn_progress progress = {.most = MAX_STEPS, .tolerance = 1e-14};
    cairn_watch watch = {.data = w, .before = note_step, .after = check_step};
    standardise_columns(w);
    w->separated = false;
    w->place = (cairn_place){.x = x, .gradient = gradient, .hessian = hessian};
    CHECK(look(ctx, w, x, &w->place.value, gradient, hessian));
    CHECK(cairn_newton(ctx, &f, &w->place, &progress, &watch, 0, true));
    memcpy(w->coefficients, x, f.n * sizeof *x);
    /* where only some rows are separated, the slope grows without end */
    if (w->separated || w->moved > 1e-6 || !(w->place.value > 1e-9)) return separated(ctx);
    return CAIRN_OK;
}

/* Log-likelihood of the classes themselves, also when the targets were smoothed. */
static double log_likelihood(const cairn_calibration *c, const cairn_ranking *r)
{
    double sum = 0;
    for (size_t i = 0; i < r->n; i++) {
        double p = cairn_calibration_apply(c, r->segments[i].score);
        if (r->segments[i].positives > 0) sum += r->segments[i].positives * cairn_log(p);
        if (r->segments[i].negatives > 0) sum += r->segments[i].negatives * cairn_log1p(-p);
    }
    return sum;
}

static cairn_status start_likelihood(cairn_context *ctx, likelihood_work *w,
                                     const cairn_calibration *c, const cairn_ranking *r)
{
    *w = (likelihood_work){.ranking = r, .high = 1, .low = 0};
    if (c->options.laplace) {
        w->high = (r->positives + 1) / (r->positives + 2);
        w->low = 1 / (r->negatives + 2);
    }
    if (isinf(r->segments[0].score) || isinf(r->segments[r->n - 1].score))
        return cairn_fail(ctx, CAIRN_BAD_DATA, "a score is infinite: no curve can be fitted");
    return SCRATCH_RAW(ctx, &w->blocks, cairn_block_count(r->n, BLOCK));
}

static cairn_status fit_platt(cairn_context *ctx, cairn_calibration *c, const cairn_ranking *r)
{
    likelihood_work w;
    CHECK(start_likelihood(ctx, &w, c, r));
    w.n_columns = 1;
    CHECK(maximise(ctx, &w));
    c->a = w.coefficients[0] / w.scale[0];
    c->b = w.coefficients[1] - c->a * w.mean[0];
    c->log_likelihood = log_likelihood(c, r);
    return CAIRN_OK;
}

/* With the columns that are on; a slope that comes out negative is switched off and the rest is
 * fitted again. */
static cairn_status fit_beta(cairn_context *ctx, cairn_calibration *c, const cairn_ranking *r)
{
    likelihood_work w;
    CHECK(start_likelihood(ctx, &w, c, r));
    w.beta = true;
    w.logs[0] = w.logs[1] = true;
    double top = r->segments[0].score, bottom = r->segments[r->n - 1].score;
    char text[CAIRN_NUMBER_SIZE];
    const double rounding = 1e-9; /* shares that are sums may miss 0 and 1 by a little */
    if (!(top <= 1 + rounding) || !(bottom >= -rounding)) {
        cairn_number_format(text, top > 1 ? top : bottom, 6);
        return cairn_fail(ctx, CAIRN_BAD_DATA, "beta calibration needs scores from 0 to 1, not %s",
                          text);
    }
    for (bool again = true; again;) {
        double slopes[2] = {0, 0};
        size_t k = 0;
        w.n_columns = (size_t)w.logs[0] + (size_t)w.logs[1];
        CHECK(maximise(ctx, &w));
        c->c = w.coefficients[w.n_columns];
        for (int which = 0; which < 2; which++) {
            if (!w.logs[which]) continue;
            slopes[which] = w.coefficients[k] / w.scale[k];
            c->c -= slopes[which] * w.mean[k++];
        }
        c->a = slopes[0], c->b = slopes[1];
        again = slopes[0] < 0 || slopes[1] < 0;
        int worse = slopes[0] <= slopes[1] ? 0 : 1;
        if (again) w.logs[worse] = false;
    }
    c->log_likelihood = log_likelihood(c, r);
    return CAIRN_OK;
}

static double apply_beta(const cairn_calibration *c, double score)
{
    return 1 / (1 + cairn_exp(-(c->a * log_column(0, score) + c->b * log_column(1, score) + c->c)));
}

/* The beta map rises, so halving finds the score. */
static double threshold_beta(const cairn_calibration *c, double p)
{
    double low = 0, high = 1;
    if (apply_beta(c, low) > p || apply_beta(c, high) < p) return NAN;
    for (int i = 0; i < 200 && low < high; i++) {
        double middle = low + (high - low) / 2;
        if (apply_beta(c, middle) < p)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* -- all kinds -- */

cairn_status cairn_calibration_fit_ranking(cairn_context *ctx, cairn_calibration *out,
                                           const cairn_calibration_options *options,
                                           const cairn_ranking *ranking)
{
    static cairn_status (*const fits[])(cairn_context *, cairn_calibration *,
                                        const cairn_ranking *) = {
        [CAIRN_CALIBRATE_ISOTONIC] = fit_isotonic,
        [CAIRN_CALIBRATE_LOGISTIC] = fit_logistic,
        [CAIRN_CALIBRATE_PLATT] = fit_platt,
        [CAIRN_CALIBRATE_BETA] = fit_beta,
    };
    cairn_calibration calibration = {.options = *options};
    if (!(ranking->positives > 0) || !(ranking->negatives > 0))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "calibration needs rows of both classes: there are no %s ones",
                          ranking->positives > 0 ? "negative" : "positive");
    cairn_status status = fits[options->kind](ctx, &calibration, ranking);
    if (status == CAIRN_OK)
        *out = calibration;
    else
        cairn_calibration_clear(&calibration);
    return status;
}

cairn_status cairn_calibration_fit(cairn_context *ctx, cairn_calibration *out,
                                   const cairn_calibration_options *options, const double *scores,
                                   const int8_t *classes, const double *weights, size_t n)
{
    SCOPED_SCRATCH(ctx);
    cairn_ranking ranking;
    CHECK(cairn_ranking_make(ctx, &ranking, scores, classes, weights, n));
    return cairn_calibration_fit_ranking(ctx, out, options, &ranking);
}

double cairn_calibration_apply(const cairn_calibration *c, double score)
{
    if (isnan(score)) return NAN;
    switch (c->options.kind) {
    case CAIRN_CALIBRATE_ISOTONIC: return apply_isotonic(c, score);
    case CAIRN_CALIBRATE_LOGISTIC: return apply_logistic(c, score);
    case CAIRN_CALIBRATE_PLATT: return 1 / (1 + cairn_exp(-(c->a * score + c->b)));
    case CAIRN_CALIBRATE_BETA: return apply_beta(c, score);
    }
    return NAN;
}

double cairn_calibration_threshold(const cairn_calibration *c, double p)
{
    double odds = cairn_log(p) - cairn_log1p(-p);
    if (!(p > 0 && p < 1)) return NAN;
    switch (c->options.kind) {
    case CAIRN_CALIBRATE_ISOTONIC: return threshold_isotonic(c, p);
    case CAIRN_CALIBRATE_LOGISTIC:
        if (c->gamma == 0) return NAN;
        return c->centre +
               (odds - cairn_log(c->options.class_ratio > 0 ? c->options.class_ratio : 1)) /
                   c->gamma;
    case CAIRN_CALIBRATE_PLATT: return c->a == 0 ? NAN : (odds - c->b) / c->a;
    case CAIRN_CALIBRATE_BETA: return threshold_beta(c, p);
    }
    return NAN;
}

cairn_status cairn_calibration_archive(cairn_archive *a, cairn_calibration *c)
{
    enum { MOST_PIECES = 1 << 28 };
    int32_t kind = (int32_t)c->options.kind;
    CHECK(cairn_archive_int(a, "map", &kind));
    if (kind < CAIRN_CALIBRATE_ISOTONIC || kind > CAIRN_CALIBRATE_BETA)
        CHECK(cairn_archive_damaged(a, "there is no calibration map %d", (int)kind));
    if (cairn_archive_reading(a)) c->options.kind = (cairn_calibration_kind)kind;
    CHECK(cairn_archive_bool(a, "steps", &c->options.steps));
    CHECK(cairn_archive_bool(a, "laplace", &c->options.laplace));
    CHECK(cairn_archive_bool(a, "falling", &c->options.falling));
    CHECK(cairn_archive_real(a, "class_ratio", &c->options.class_ratio));
    CHECK(cairn_archive_size(a, "pieces", &c->n, MOST_PIECES));
    CHECK(cairn_archive_reals(a, "low", &c->low, c->n));
    CHECK(cairn_archive_reals(a, "high", &c->high, c->n));
    CHECK(cairn_archive_reals(a, "value", &c->value, c->n));
    CHECK(cairn_archive_real(a, "gamma", &c->gamma));
    CHECK(cairn_archive_real(a, "centre", &c->centre));
    CHECK(cairn_archive_real(a, "positive_mean", &c->positive_mean));
    CHECK(cairn_archive_real(a, "negative_mean", &c->negative_mean));
    CHECK(cairn_archive_real(a, "variance", &c->variance));
    CHECK(cairn_archive_real(a, "a", &c->a));
    CHECK(cairn_archive_real(a, "b", &c->b));
    CHECK(cairn_archive_real(a, "c", &c->c));
    CHECK(cairn_archive_real(a, "log_likelihood", &c->log_likelihood));
    if (kind == CAIRN_CALIBRATE_ISOTONIC && c->n == 0)
        CHECK(cairn_archive_damaged(a, "an isotonic map has no piece"));
    return CAIRN_OK;
}

void cairn_calibration_clear(cairn_calibration *calibration)
{
    cairn_free(calibration->low);
    cairn_free(calibration->high);
    cairn_free(calibration->value);
    *calibration = (cairn_calibration){0};
}
