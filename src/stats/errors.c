/* SPDX-License-Identifier: MIT */
/* Errors of predicted numbers: two passes, the second around the mean. */
#include "stats/errors.h"

#include <math.h>

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
    out->r2 = spread > 0 ? 1 - s.squares / spread : NAN;
}
