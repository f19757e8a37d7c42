/* SPDX-License-Identifier: MIT */
/* Quality of probabilities. Rows with the same vector are found by sorting: the first column is
 * sorted stably, then within equal values the next one, which a sort by the last column first and
 * the first column last does in one sweep of stable sorts. */
#include "base/number.h"
#include "base/functions.h"
#include "base/memory.h"
#include "parallel/sort.h"
#include "stats/errors.h"
#include "stats/losses.h"
#include "stats/probability_loss.h"

#include <math.h>
#include <string.h>

/* -- margin losses -- */

double cairn_margin_loss(cairn_loss loss, double z, double log_base)
{
    if (isnan(z)) return NAN;
    switch (loss) {
    case CAIRN_LOSS_ZERO_ONE: return z <= 0;
    case CAIRN_LOSS_HINGE: return fmax(0, 1 - z);
    case CAIRN_LOSS_LOGISTIC:
        return (z < 0 ? -z + cairn_log1p(cairn_exp(z)) : cairn_log1p(cairn_exp(-z))) /
               cairn_log(log_base);
    case CAIRN_LOSS_EXPONENTIAL: return cairn_exp(-z);
    case CAIRN_LOSS_SQUARED: return (1 - z) * (1 - z);
    case CAIRN_LOSS_SQUARED_ONE_SIDE: return z > 1 ? 0 : (1 - z) * (1 - z);
    }
    return NAN;
}

enum { LOG_2, LOG_E, LOG_10 };

const cairn_choice cairn_log_choices[] = {
    {"2", LOG_2, "bits"},
    {"e", LOG_E, "natural logarithm"},
    {"10", LOG_10, "decimal logarithm"},
    {NULL, 0, NULL},
};

double cairn_log_base(int choice)
{
    return choice == LOG_2 ? 2 : choice == LOG_E ? 2.718281828459045235 : 10;
}

const char *cairn_loss_name(cairn_loss loss)
{
    static const char *const names[] = {"zero_one",    "hinge",   "logistic",
                                        "exponential", "squared", "squared_truncated"};
    return names[loss];
}

const char *cairn_loss_title(cairn_loss loss)
{
    static const char *const titles[] = {"0–1",         "hinge",   "logistic",
                                         "exponential", "squared", "squared, cut at 1"};
    return titles[loss];
}

double cairn_squared_loss(const double *p, size_t k, size_t actual, double factor)
{
    double sum = 0;
    for (size_t i = 0; i < k; i++) {
        double away = p[i] - (i == actual);
        sum += away * away;
    }
    return factor * sum;
}

double cairn_log_loss(const double *p, size_t actual, double log_base, double least)
{
    double chance = fmin(p[actual] < least ? least : p[actual], 1); /* rounding may exceed 1 */
    double loss = -cairn_log(chance) / cairn_log(log_base);
    return loss == 0 ? 0 : loss;
}

cairn_segment_loss cairn_segment_loss_of(const cairn_probability_segment *s, size_t k,
                                         double factor)
{
    cairn_segment_loss loss = {0};
    double away = 0, spread = 0;
    for (size_t i = 0; i < k; i++) loss.weight += s->counts[i];
    if (!(loss.weight > 0)) return loss;
    for (size_t i = 0; i < k; i++) {
        double q = s->counts[i] / loss.weight;
        double off = cairn_number_left(s->predicted[i] - q, q);
        away += off * off;
        spread += q * (1 - q);
    }
    loss.calibration = factor * loss.weight * away;
    loss.refinement = factor * loss.weight * spread;
    loss.squared = loss.calibration + loss.refinement;
    return loss;
}

/* The rows that count, in falling order of their vectors. */
static cairn_status order_rows(cairn_context *ctx, uint64_t **out, size_t *n_out, const double *p,
                               const int32_t *actual, const double *weights, size_t n, size_t k)
{
    uint64_t *order, *keys, kept = 0;
    CHECK(SCRATCH_RAW_EACH(ctx, n, &order, &keys));
    for (size_t i = 0; i < n; i++) {
        if (actual[i] < 0 || (size_t)actual[i] >= k || (weights && !(weights[i] > 0))) continue;
        for (size_t c = 0; c < k; c++)
            if (isnan(p[i * k + c]))
                return cairn_fail(ctx, CAIRN_BAD_DATA,
                                  "row %zu has no probability for class number %zu", i + 1, c + 1);
        order[kept++] = i;
    }
    for (size_t c = k; c-- > 0;) {
        for (size_t i = 0; i < kept; i++) keys[i] = ~cairn_order_key(p[order[i] * k + c]);
        CHECK(cairn_sort_keys(ctx, keys, order, kept));
    }
    *out = order;
    *n_out = kept;
    return CAIRN_OK;
}

static bool same_vector(const double *a, const double *b, size_t k)
{
    for (size_t c = 0; c < k; c++)
        if (a[c] != b[c]) return false;
    return true;
}

/* Segments of the ordered rows. */
static cairn_status make_segments(cairn_context *ctx, cairn_probability_quality *q,
                                  const uint64_t *order, size_t n, const double *p,
                                  const int32_t *actual, const double *weights, size_t k)
{
    double *counts;
    size_t n_segments = 0;
    for (size_t i = 0; i < n; i++)
        n_segments += i == 0 || !same_vector(p + order[i - 1] * k, p + order[i] * k, k);
    CHECK(SCRATCH(ctx, &q->segments, n_segments));
    CHECK(SCRATCH(ctx, &counts, cairn_product(n_segments, k)));
    for (size_t i = 0; i < n; i++) {
        const double *vector = p + order[i] * k;
        if (i == 0 || !same_vector(p + order[i - 1] * k, vector, k)) {
            q->segments[q->n_segments] =
                (cairn_probability_segment){vector, counts + q->n_segments * k};
            q->n_segments++;
        }
        counts[(q->n_segments - 1) * k + (size_t)actual[order[i]]] +=
            weights ? weights[order[i]] : 1;
    }
    return CAIRN_OK;
}

cairn_status cairn_probability_quality_of(cairn_context *ctx, cairn_probability_quality *out,
                                          const double *p, const int32_t *actual,
                                          const double *weights, size_t n, size_t k, double factor,
                                          double log_base, double least)
{
    cairn_probability_quality q = {0};
    uint64_t *order;
    size_t kept;
    CHECK(order_rows(ctx, &order, &kept, p, actual, weights, n, k));
    CHECK(make_segments(ctx, &q, order, kept, p, actual, weights, k));
    for (size_t i = 0; i < n; i++) {
        double w = weights ? weights[i] : 1;
        if (actual[i] < 0 || (size_t)actual[i] >= k || !(w > 0)) continue;
        q.weight += w;
        q.squared += w * cairn_squared_loss(p + i * k, k, (size_t)actual[i], factor);
        q.log_loss += w * cairn_log_loss(p + i * k, (size_t)actual[i], log_base, least);
        q.n_impossible += p[i * k + (size_t)actual[i]] <= 0;
    }
    for (size_t s = 0; s < q.n_segments; s++) {
        cairn_segment_loss loss = cairn_segment_loss_of(&q.segments[s], k, factor);
        q.calibration += loss.calibration;
        q.refinement += loss.refinement;
    }
    q.squared /= q.weight;
    q.log_loss /= q.weight;
    q.calibration /= q.weight;
    q.refinement /= q.weight;
    *out = q;
    return CAIRN_OK;
}

/* -- errors of predicted numbers: two passes, the second around the mean -- */

typedef struct sums {
    double weight, squares, fourth, absolute, signed_sum, relative, actual;
    double low, high, largest;
    size_t n;
} sums;

/* All sums in one pass; rows without an actual or a predicted number are left out, and an actual 0
 * makes the relative error undefined for all. */
static sums add_up(const double *actual, const double *predicted, const double *weights, size_t n)
{
    sums s = {.low = INFINITY, .high = -INFINITY};
    for (size_t i = 0; i < n; i++) {
        double error = predicted[i] - actual[i], w = weights ? weights[i] : 1;
        if (isnan(error) || !(w > 0)) continue;
        s.n++;
        s.weight += w;
        s.squares += w * error * error;
        s.fourth += w * error * error * error * error;
        s.absolute += w * fabs(error);
        s.signed_sum += w * error;
        s.relative += actual[i] != 0 ? w * fabs(error / actual[i]) : NAN;
        s.actual += w * actual[i];
        s.low = fmin(s.low, actual[i]);
        s.high = fmax(s.high, actual[i]);
        s.largest = fmax(s.largest, fabs(error));
    }
    return s;
}

/* Standard error of the mean of numbers whose squares sum up to `squares`. */
static double mean_error(double squares, double mean, double weight)
{
    return weight > 1 ? sqrt(fmax(0, squares / weight - mean * mean) / (weight - 1)) : NAN;
}

void cairn_errors_of(cairn_errors *out, const double *actual, const double *predicted,
                     const double *weights, size_t n)
{
    sums s = add_up(actual, predicted, weights, n);
    double mean = s.actual / s.weight, spread = 0;
    for (size_t i = 0; i < n; i++) {
        double w = weights ? weights[i] : 1;
        if (isnan(predicted[i] - actual[i]) || !(w > 0)) continue;
        spread += w * (actual[i] - mean) * (actual[i] - mean);
    }
    *out =
        (cairn_errors){.n = s.n, .weight = s.weight, .sse = s.squares, .half_sse = s.squares / 2};
    out->mse = s.n ? s.squares / s.weight : NAN;
    out->rmse = sqrt(out->mse);
    out->mae = s.n ? s.absolute / s.weight : NAN;
    out->range = s.n ? s.high - s.low : NAN;
    out->mae_percent = out->range > 0 ? 100 * out->mae / out->range : NAN;
    out->largest = s.n ? s.largest : NAN;
    out->bias = s.n ? s.signed_sum / s.weight : NAN;
    out->relative = s.n ? s.relative / s.weight : NAN;
    out->mse_error = mean_error(s.fourth, out->mse, s.weight);
    out->mse_deviation = s.n ? sqrt(fmax(0, s.fourth / s.weight - out->mse * out->mse)) : NAN;
    out->mae_error = mean_error(s.squares, out->mae, s.weight);
    out->bias_error = mean_error(s.squares, out->bias, s.weight);
    out->r2 = spread > 0 ? cairn_number_left(1 - s.squares / spread, 1) : NAN;
}
