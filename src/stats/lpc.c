/* SPDX-License-Identifier: MIT */
/* Linear predictive coding by autocorrelation. See lpc.h. */
#include "stats/lpc.h"
#include "base/functions.h"
#include <math.h>

void cairn_lpc_prepare(double *out, const double *samples, size_t n, double first,
                       const cairn_lpc_settings *settings)
{
    static const double pi = 3.14159265358979323846;
    for (size_t i = 0; i < n; i++) {
        double before = i ? samples[i - 1] : first;
        double window = settings->hamming && n > 1
                            ? 0.54 - 0.46 * cairn_cos(2 * pi * (double)i / (double)(n - 1))
                            : 1;
        out[i] = window * (samples[i] - settings->emphasis * before);
    }
}

void cairn_autocorrelation(double *r, const double *x, size_t n, size_t order)
{
    for (size_t k = 0; k <= order; k++) {
        r[k] = 0;
        for (size_t i = k; i < n; i++) r[k] += x[i] * x[i - k];
    }
}

double cairn_levinson(const double *r, size_t order, double *a, double *reflections, double *errors,
                      double *spare)
{
    double error = r[0];
    if (errors) errors[0] = error;
    for (size_t i = 0; i < order; i++) {
        double sum = r[i + 1], k = 0;
        for (size_t j = 0; j < i; j++) sum -= a[j] * r[i - j];
        if (error > 1e-14 * r[0]) k = sum / error; /* rounding is all that is left otherwise */
        a[i] = k;
        for (size_t j = 0; j < i; j++) spare[j] = a[j] - k * a[i - 1 - j];
        for (size_t j = 0; j < i; j++) a[j] = spare[j];
        error *= 1 - k * k;
        if (error < 0) error = 0;
        if (reflections) reflections[i] = k;
        if (errors) errors[i + 1] = error;
    }
    return error;
}
