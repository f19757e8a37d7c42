/* SPDX-License-Identifier: MIT */
/* Losses of gradient boosting, by their derivatives at the sum F of a row:
 *
 *     squared    (y - F)^2               g = F - y             h = 1    (of half of it)
 *     absolute   |y - F|                 g = sign(F - y)       h = 1, leaves are medians
 *     huber      squared up to delta, then a line; delta is a quantile of |y - F|, anew each round
 *     quantile   a above, 1 - a below    g = -a or 1 - a       h = 1, leaves are quantiles
 *     poisson    exp F - y F             g = exp F - y         h = exp F
 *     logistic   ln(1 + exp F) - y F     g = p - y             h = p (1 - p)
 *     softmax    -ln p of the class      g = p_k - y_k         h = p_k (1 - p_k)
 *
 * By the first order trees are grown as if h were 1, and then their leaves make one step of
 * Newton's method (Friedman 2001); by the second order h also decides on the splits. */
#include "base/functions.h"
#include "base/memory.h"
#include "kernels/kernels.h"
#include "kernels/lane_rows.h"
#include "learners/boost/boost.h"
#include "parallel/parallel.h"
#include "parallel/sort.h"
#include <math.h>
#include <string.h>

enum { BLOCK = 8192, MANY = 1 << 15, TOO_MANY = 1 << 25 };

size_t cairn_boost_filled(size_t n)
{
    return (n + CAIRN_COMPONENT_ROWS - 1) / CAIRN_COMPONENT_ROWS * CAIRN_COMPONENT_ROWS;
}

const char *cairn_boost_loss_name(cairn_boost_loss_kind loss)
{
    static const char *const names[] = {"auto",     "squared", "absolute", "huber",
                                        "quantile", "poisson", "logistic", "softmax"};
    return names[loss];
}

bool cairn_boost_asks_rows(const cairn_boost_work *work)
{
    switch (work->loss) {
    case CAIRN_BOOST_ABSOLUTE:
    case CAIRN_BOOST_QUANTILE:
    case CAIRN_BOOST_HUBER: return true;
    case CAIRN_BOOST_POISSON:
    case CAIRN_BOOST_LOGISTIC:
    case CAIRN_BOOST_SOFTMAX: return work->params->order == CAIRN_BOOST_FIRST;
    default: return false;
    }
}

/* -- quantiles -- */

/* The value below which a share of the weight lies; where it falls between two, the middle. */
static double quantile_in(const uint64_t *order, const double *values, const double *weights,
                          size_t n, double share)
{
    double total = 0, sum = 0;
    for (size_t i = 0; i < n; i++) total += weights[i];
    for (size_t i = 0; i < n; i++) {
        sum += weights[order[i]];
        double over = sum - share * total;
        if (over < -1e-12 * total && i + 1 < n) continue;
        if (over > 1e-12 * total || i + 1 == n) return values[order[i]];
        return values[order[i]] / 2 + values[order[i + 1]] / 2;
    }
    return 0;
}

/* The quantile of numbers that are not sorted. */
static cairn_status quantile_of(cairn_context *ctx, double *out, const double *values,
                                const double *weights, size_t n, double share)
{
    SCOPED_SCRATCH(ctx);
    uint64_t *order;
    CHECK(SCRATCH_RAW(ctx, &order, n));
    CHECK(cairn_sort_order(ctx, order, values, n));
    *out = quantile_in(order, values, weights, n, share);
    return CAIRN_OK;
}

/* Residuals of some rows and their weights; NULL = of all that are not held out. Returns how
 * many. */
static size_t take_residuals(const cairn_boost_work *work, const uint32_t *rows, size_t n,
                             double *residuals, double *weights)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        size_t row = rows ? rows[i] : i;
        if (!rows && work->held && work->held[row]) continue;
        residuals[count] = work->numbers[row] - work->scores[row];
        weights[count++] = work->weights[row];
    }
    return count;
}

/* -- the start -- */

/* Weight of the rows that are learned from, and of their target, or of the class. */
static void weigh(const cairn_boost_work *work, int32_t class, double *all, double *part)
{
    *all = *part = 0;
    for (size_t i = 0; i < work->n; i++) {
        if (work->held && work->held[i]) continue;
        *all += work->weights[i];
        if (work->numbers)
            *part += work->weights[i] * work->numbers[i];
        else if (work->classes[i] == class)
            *part += work->weights[i];
    }
}

/* The logarithm of a share that may be 0. */
static double log_share(double part, double all)
{
    return cairn_log(fmax(part / all, 1e-9));
}

static cairn_status begin_quantile(cairn_context *ctx, cairn_boost_work *work, double *start,
                                   double share)
{
    SCOPED_SCRATCH(ctx);
    double *residuals, *weights;
    CHECK(SCRATCH_RAW_EACH(ctx, work->n, &residuals, &weights));
    size_t n = take_residuals(work, NULL, work->n, residuals, weights); /* the scores are still 0 */
    return quantile_of(ctx, start, residuals, weights, n, share);
}

cairn_status cairn_boost_begin(cairn_context *ctx, cairn_boost_work *work, double *start)
{
    double all, part;
    weigh(work, work->model->positive, &all, &part);
    switch (work->loss) {
    case CAIRN_BOOST_ABSOLUTE:
    case CAIRN_BOOST_HUBER: return begin_quantile(ctx, work, start, 0.5);
    case CAIRN_BOOST_QUANTILE: return begin_quantile(ctx, work, start, work->params->level);
    case CAIRN_BOOST_POISSON:
        if (!(part > 0))
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "all counts of '%s' are 0, so there is no rate to learn; give rows "
                              "with other counts",
                              work->job->view->target_name);
        *start = cairn_log(part / all);
        return CAIRN_OK;
    case CAIRN_BOOST_LOGISTIC: *start = log_share(part, all) - log_share(all - part, all); break;
    case CAIRN_BOOST_SOFTMAX:
        for (size_t k = 0; k < work->n_outputs; k++) {
            weigh(work, (int32_t)k, &all, &part);
            start[k] = log_share(part, all);
        }
        break;
    default: *start = part / all;
    }
    return CAIRN_OK;
}

/* -- derivatives -- */

static double logistic(double score)
{
    double e = cairn_exp(-fabs(score));
    return score >= 0 ? 1 / (1 + e) : e / (1 + e);
}

/* exp(sum) that cannot become infinite. */
static double rate(double score)
{
    return cairn_exp(fmin(score, 600));
}

/* Shares of n classes from the scores of one row, which lie `step` apart. */
static void soften(const double *sums, size_t step, double *out, size_t out_step, size_t n)
{
    double most = sums[0], total = 0;
    for (size_t k = 1; k < n; k++) most = fmax(most, sums[k * step]);
    for (size_t k = 0; k < n; k++) total += out[k * out_step] = cairn_exp(sums[k * step] - most);
    for (size_t k = 0; k < n; k++) out[k * out_step] /= total;
}

/* Rows that a kernel takes together. */
enum { TOGETHER = 1024 };

/* Scores become shares, and the logarithm of their sum of exp is kept for the loss. The kernel
 * takes whole groups of rows, which zeros fill up. */
static void soften_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    cairn_boost_work *work = data;
    double buffer[2 * TOGETHER];
    size_t n = end - begin, whole = cairn_boost_filled(n);
    (void)block, (void)worker;
    for (size_t k = 0; k < work->n_outputs; k++) {
        double *shares = work->shares + k * work->stride + begin;
        memcpy(shares, work->scores + k * work->n + begin, n * sizeof *shares);
        memset(shares + n, 0, (whole - n) * sizeof *shares);
    }
    cairn_component_shares(work->shares + begin, work->logs + begin, work->stride, whole,
                           work->n_outputs, NULL, buffer);
}

cairn_status cairn_boost_prepare(cairn_context *ctx, cairn_boost_work *work)
{
    if (work->loss == CAIRN_BOOST_HUBER) {
        SCOPED_SCRATCH(ctx);
        double *residuals, *weights;
        CHECK(SCRATCH_RAW_EACH(ctx, work->n, &residuals, &weights));
        size_t n = take_residuals(work, NULL, work->n, residuals, weights);
        for (size_t i = 0; i < n; i++) residuals[i] = fabs(residuals[i]);
        return quantile_of(ctx, &work->delta, residuals, weights, n, work->params->level);
    }
    if (work->loss != CAIRN_BOOST_SOFTMAX) return CAIRN_OK;
    return cairn_blocks(ctx, work->n, TOGETHER, soften_block, work);
}

typedef struct gradient {
    double g, h;
} gradient;

/* First and second derivative of one row, without its weight. */
static gradient derive_row(const cairn_boost_work *work, size_t i, size_t output)
{
    double score = work->scores[output * work->n + i], y = work->numbers ? work->numbers[i] : 0;
    double a = work->params->level, p;
    switch (work->loss) {
    case CAIRN_BOOST_ABSOLUTE: return (gradient){(score > y) - (score < y), 1};
    case CAIRN_BOOST_HUBER: return (gradient){fmin(fmax(score - y, -work->delta), work->delta), 1};
    case CAIRN_BOOST_QUANTILE: return (gradient){y > score ? -a : 1 - a, 1};
    case CAIRN_BOOST_POISSON: p = rate(score); return (gradient){p - y, p};
    case CAIRN_BOOST_LOGISTIC:
        p = logistic(score);
        return (gradient){p - (work->classes[i] == work->model->positive), p * (1 - p)};
    case CAIRN_BOOST_SOFTMAX:
        p = work->shares[output * work->stride + i];
        return (gradient){p - (work->classes[i] == (int32_t)output), p * (1 - p)};
    default: return (gradient){score - y, 1};
    }
}

/* -- whole numbers -- */

/* The largest power of 2 of which `total` has at most 2^bits. */
static double unit_of(double total, int bits)
{
    int exponent;
    if (!(total > 0) || !isfinite(total)) return 0;
    frexp(total, &exponent);
    exponent -= bits;
    return ldexp(1, exponent < -1000 ? -1000 : exponent);
}

static int bits_of(double number)
{
    int exponent;
    frexp(number, &exponent);
    return exponent;
}

/* Whole weights are counted as such; others in units so small that they hardly differ. */
cairn_status cairn_boost_weigh(cairn_context *ctx, cairn_boost_work *work)
{
    double total = 0;
    bool whole = true;
    work->weighted = false;
    for (size_t i = 0; i < work->n; i++) {
        total += work->weights[i];
        whole &= work->weights[i] == rint(work->weights[i]);
        work->weighted |= work->weights[i] != 1;
    }
    if (!(total < 1e100))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "the weights of the rows are too large; divide them by a constant first");
    whole &= total < 4294967296;
    work->units.bits = whole ? bits_of(total) : bits_of((double)work->n) + 10;
    if (work->units.bits > 40) work->units.bits = 40;
    work->units.w = whole ? 1 : unit_of(total, work->units.bits - 2);
    return CAIRN_OK;
}

/* Rounded, and never 0: a row of a bin must be seen in it. */
uint64_t cairn_boost_whole_weight(const cairn_boost_work *work, size_t i)
{
    if (!work->weighted) return 1;
    double w = work->weights[i] / work->units.w + 0.5;
    return w < 1 ? 1 : (uint64_t)w;
}

typedef struct deriving {
    cairn_boost_work *work;
    size_t output;
    double g_per, h_per; /* whole numbers per 1 */
    double *sums;        /* of every block: |g| and h; NULL = they are known */
} deriving;

/* Sizes of the derivatives, where nothing is known of them beforehand. */
static void size_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const deriving *d = data;
    double g = 0, h = 0;
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        gradient at = derive_row(d->work, i, d->output);
        g += d->work->weights[i] * fabs(at.g);
        h += d->work->weights[i] * at.h;
    }
    d->sums[2 * block] = g;
    d->sums[2 * block + 1] = h;
}

bool cairn_boost_uses_words(const cairn_boost_work *work)
{
    return !work->weighted && !work->numbers && work->n >= MANY && work->n < TOO_MANY;
}

/* Derivatives of a row in whole numbers. */
static void put_numbers(const deriving *d, size_t i, double g, double h)
{
    cairn_boost_work *work = d->work;
    double w = work->weights[i], by = work->params->order == CAIRN_BOOST_FIRST ? 1 : h;
    if (work->words) {
        /* Rounding up as often as the part behind the point says keeps sums right on average. */
        /* A number between 0 and 1 for every row, spread evenly over neighbours, other ones in
         * every tree. */
        uint64_t tree = d->work->round * d->work->n_outputs + d->output;
        uint32_t at = (uint32_t)i * UINT32_C(2654435769) + (uint32_t)(tree * UINT64_C(1640531527));
        double up = (double)at * 0x1p-32;
        int64_t whole_g = (int64_t)(g * d->g_per + up + CAIRN_BOOST_WORD_MOST_G + 1) -
                          (CAIRN_BOOST_WORD_MOST_G + 1);
        int64_t whole_h = (int64_t)(by * d->h_per + up);
        if (whole_g > CAIRN_BOOST_WORD_MOST_G) whole_g = CAIRN_BOOST_WORD_MOST_G;
        if (whole_g < -CAIRN_BOOST_WORD_MOST_G) whole_g = -CAIRN_BOOST_WORD_MOST_G;
        if (whole_h > CAIRN_BOOST_WORD_MOST_H) whole_h = CAIRN_BOOST_WORD_MOST_H;
        work->words[i] =
            ((whole_g * (1 << CAIRN_BOOST_WORD_H)) + whole_h) * (1 << CAIRN_BOOST_WORD_W) + 1;
    } else
        work->gradients[i] =
            (cairn_boost_bin){(int64_t)rint(w * g * d->g_per),
                              (uint64_t)(w * by * d->h_per + 0.5) << work->units.bits |
                                  cairn_boost_whole_weight(work, i)};
}

static void fill_signs(const cairn_boost_work *work, size_t begin, size_t n, double *signs)
{
    for (size_t i = 0; i < n; i++)
        signs[i] = work->classes[begin + i] == work->model->positive ? 1 : -1;
}

static void derive_logistic(const deriving *d, size_t begin, size_t end)
{
    double rest[TOGETHER], curve[TOGETHER], signs[TOGETHER];
    for (; begin < end; begin += TOGETHER) {
        size_t n = end - begin < TOGETHER ? end - begin : TOGETHER;
        cairn_sigmoid_sums sums = {0};
        fill_signs(d->work, begin, n, signs);
        cairn_sigmoids(rest, curve, &sums, d->work->scores + begin, signs, n, 0);
        for (size_t i = 0; i < n; i++) put_numbers(d, begin + i, rest[i], curve[i]);
    }
}

static void derive_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const deriving *d = data;
    (void)block, (void)worker;
    if (d->work->loss == CAIRN_BOOST_LOGISTIC) {
        derive_logistic(d, begin, end);
        return;
    }
    for (size_t i = begin; i < end; i++) {
        gradient at = derive_row(d->work, i, d->output);
        put_numbers(d, i, at.g, at.h);
    }
}

/* Sums of |g| and h of all rows, or bounds of them. */
static cairn_status find_sizes(cairn_context *ctx, deriving *d, double *g, double *h)
{
    SCOPED_SCRATCH(ctx);
    const cairn_boost_work *work = d->work;
    *g = *h = 0;
    for (size_t i = 0; i < work->n; i++) *g += work->weights[i];
    *h = *g; /* of classes, signs and quantiles no derivative is larger than 1 */
    if (!work->numbers || work->loss == CAIRN_BOOST_ABSOLUTE || work->loss == CAIRN_BOOST_QUANTILE)
        return CAIRN_OK;
    size_t n = cairn_block_count(work->n, BLOCK);
    CHECK(SCRATCH_RAW(ctx, &d->sums, 2 * n));
    CHECK(cairn_blocks(ctx, work->n, BLOCK, size_block, d));
    *g = 0;
    if (work->params->order == CAIRN_BOOST_SECOND) *h = 0;
    for (size_t b = 0; b < n; b++) {
        *g += d->sums[2 * b];
        if (work->params->order == CAIRN_BOOST_SECOND) *h += d->sums[2 * b + 1];
    }
    return CAIRN_OK;
}

cairn_status cairn_boost_derive(cairn_context *ctx, cairn_boost_work *work, size_t output)
{
    deriving d = {.work = work, .output = output};
    double g, h;
    if (work->words) { /* |g| is at most 1, h at most 1/4, or 1 by the first order */
        work->units.g = 1.0 / (CAIRN_BOOST_WORD_MOST_G + 1);
        work->units.h = work->params->order == CAIRN_BOOST_FIRST ? 0x1p-10 : 0x1p-13;
    } else {
        CHECK(find_sizes(ctx, &d, &g, &h));
        work->units.g = unit_of(g, 61);
        work->units.h = unit_of(h, 61 - work->units.bits);
    }
    d.g_per = work->units.g > 0 ? 1 / work->units.g : 0;
    d.h_per = work->units.h > 0 ? 1 / work->units.h : 0;
    return cairn_blocks(ctx, work->n, BLOCK, derive_block, &d);
}

/* -- leaves -- */

/* One step of Newton's method; several classes share the step (Friedman 2001, algorithm 6). */
static double newton(const cairn_boost_work *work, const uint32_t *rows, size_t n, size_t output)
{
    double g = 0, h = 0, k = (double)work->n_outputs;
    for (size_t i = 0; i < n; i++) {
        gradient at = derive_row(work, rows[i], output);
        g += work->weights[rows[i]] * at.g;
        h += work->weights[rows[i]] * at.h;
    }
    double value = h > 1e-150 ? -g / h : 0;
    return work->loss == CAIRN_BOOST_SOFTMAX ? (k - 1) / k * value : value;
}

/* The median, and from there the mean of what is left, cut at delta. */
static double huber_step(const double *residuals, const double *weights, size_t n, double median,
                         double delta)
{
    double sum = 0, total = 0;
    for (size_t i = 0; i < n; i++) {
        double away = residuals[i] - median;
        sum += weights[i] * fmin(fmax(away, -delta), delta);
        total += weights[i];
    }
    return median + sum / total;
}

cairn_status cairn_boost_leaf_of_rows(cairn_context *ctx, double *out, const cairn_boost_work *work,
                                      const uint32_t *rows, size_t n, size_t output)
{
    SCOPED_SCRATCH(ctx);
    double *residuals, *weights;
    if (!work->numbers || work->loss == CAIRN_BOOST_POISSON) {
        *out = newton(work, rows, n, output);
        return CAIRN_OK;
    }
    CHECK(SCRATCH_RAW_EACH(ctx, n, &residuals, &weights));
    take_residuals(work, rows, n, residuals, weights);
    bool quantile = work->loss == CAIRN_BOOST_QUANTILE;
    CHECK(quantile_of(ctx, out, residuals, weights, n, quantile ? work->params->level : 0.5));
    if (work->loss == CAIRN_BOOST_HUBER)
        *out = huber_step(residuals, weights, n, *out, work->delta);
    return CAIRN_OK;
}

/* -- the loss itself -- */

/* The loss of one row at the scores so far; Poisson leaves out what depends on the number only. */
static double loss_of(const cairn_boost_work *work, size_t i)
{
    if (!work->numbers) {
        /* -ln of the share of the row's class. */
        double own = work->scores[i];
        if (work->loss == CAIRN_BOOST_SOFTMAX)
            return work->logs[i] - work->scores[(size_t)work->classes[i] * work->n + i];
        if (work->classes[i] != work->model->positive) own = -own;
        return own > 0 ? cairn_log1p(cairn_exp(-own)) : cairn_log1p(cairn_exp(own)) - own;
    }
    double score = work->scores[i], y = work->numbers[i], away = fabs(y - score);
    double a = work->params->level;
    switch (work->loss) {
    case CAIRN_BOOST_ABSOLUTE: return away;
    case CAIRN_BOOST_HUBER:
        return away <= work->delta ? away * away / 2 : work->delta * (away - work->delta / 2);
    case CAIRN_BOOST_QUANTILE: return (y > score ? a : 1 - a) * away;
    case CAIRN_BOOST_POISSON: return rate(score) - y * score;
    default: return away * away;
    }
}

typedef struct judging {
    const cairn_boost_work *work;
    bool held;
    double *sums, *weights; /* of every block */
} judging;

/* Two classes without weights, of which the kernel knows the loss. */
static double logistic_loss(const cairn_boost_work *work, size_t begin, size_t end)
{
    double rest[TOGETHER], curve[TOGETHER], signs[TOGETHER];
    cairn_sigmoid_sums sums = {0};
    for (; begin < end; begin += TOGETHER) {
        size_t n = end - begin < TOGETHER ? end - begin : TOGETHER;
        fill_signs(work, begin, n, signs);
        cairn_sigmoids(rest, curve, &sums, work->scores + begin, signs, n, 0);
    }
    return sums.loss;
}

static void judge_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const judging *j = data;
    double sum = 0, total = 0;
    (void)worker;
    if (j->work->loss == CAIRN_BOOST_LOGISTIC && !j->work->weighted && !j->work->held) {
        j->sums[block] = logistic_loss(j->work, begin, end);
        j->weights[block] = (double)(end - begin);
        return;
    }
    for (size_t i = begin; i < end; i++) {
        if ((j->work->held && j->work->held[i]) != j->held) continue;
        sum += j->work->weights[i] * loss_of(j->work, i);
        total += j->work->weights[i];
    }
    j->sums[block] = sum;
    j->weights[block] = total;
}

cairn_status cairn_boost_mean_loss(cairn_context *ctx, const cairn_boost_work *work, bool held,
                                   double *out)
{
    SCOPED_SCRATCH(ctx);
    size_t n = cairn_block_count(work->n, BLOCK);
    judging j = {.work = work, .held = held};
    double sum = 0, total = 0;
    CHECK(SCRATCH_RAW_EACH(ctx, n, &j.sums, &j.weights));
    CHECK(cairn_blocks(ctx, work->n, BLOCK, judge_block, &j));
    for (size_t b = 0; b < n; b++) {
        sum += j.sums[b];
        total += j.weights[b];
    }
    *out = sum / total;
    return CAIRN_OK;
}

/* -- answers -- */

void cairn_boost_answer(const cairn_boost_model *model, const double *sums, size_t step,
                        double *out)
{
    size_t k = model->n_classes;
    if (!k) {
        *out = model->loss == CAIRN_BOOST_POISSON ? rate(*sums) : *sums;
        return;
    }
    if (model->loss == CAIRN_BOOST_SOFTMAX) {
        soften(sums, step, out, 1, k);
        return;
    }
    for (size_t l = 0; l < k; l++)
        out[l] = logistic((int32_t)l == model->positive ? *sums : -*sums);
}
