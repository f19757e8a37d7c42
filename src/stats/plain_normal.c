/* SPDX-License-Identifier: MIT */
/* Normal densities one at a time. */
#include "stats/plain_normal.h"

#include "base/functions.h"
#include "base/memory.h"

#include <float.h>
#include <math.h>

static const double log_two_pi = 1.8378770664093454836;

cairn_status cairn_plain_normal_make(cairn_context *ctx, cairn_plain_normal *out, size_t d,
                                     bool diagonal)
{
    *out = (cairn_plain_normal){.d = d, .diagonal = diagonal, .least = 1};
    CHECK(SCRATCH_EACH(ctx, d + 1, &out->at, &out->y));
    return SCRATCH(ctx, &out->lower, (diagonal ? d : cairn_product(d, d)) + 1);
}

/* Row i of L, from the rows above it. What is no covariance becomes NaN. */
static void factor_row(cairn_plain_normal *p, const double *covariance, size_t i)
{
    double *row = p->lower + i * p->n, left = covariance[p->at[i] * (p->d + 1)];
    for (size_t j = 0; j < i; j++) {
        const double *above = p->lower + j * p->n;
        double sum = covariance[p->at[i] * p->d + p->at[j]];
        for (size_t l = 0; l < j; l++) sum -= row[l] * above[l];
        row[j] = sum / above[j];
        left -= row[j] * row[j];
    }
    row[i] = sqrt(left);
    p->least = fmin(p->least, left / covariance[p->at[i] * (p->d + 1)]);
    p->log_root += cairn_log(row[i]);
}

void cairn_plain_normal_set(cairn_plain_normal *p, const double *covariance, const double *x)
{
    p->n = 0;
    p->log_root = 0;
    for (size_t j = 0; j < p->d; j++)
        if (!x || !isnan(x[j])) p->at[p->n++] = j;
    for (size_t i = 0; i < p->n; i++) {
        if (!p->diagonal) {
            factor_row(p, covariance, i);
            continue;
        }
        p->lower[i] = sqrt(covariance[p->at[i]]);
        p->log_root += cairn_log(p->lower[i]);
    }
}

double cairn_plain_normal_log(const cairn_plain_normal *p, const double *x, const double *mean)
{
    double squares = 0;
    for (size_t i = 0; i < p->n; i++) {
        const double *row = p->lower + i * p->n;
        double left = x[p->at[i]] - mean[p->at[i]];
        for (size_t j = 0; j < i && !p->diagonal; j++) left -= row[j] * p->y[j];
        p->y[i] = left / (p->diagonal ? p->lower[i] : row[i]);
        squares += p->y[i] * p->y[i];
    }
    return -p->log_root - ((double)p->n * log_two_pi + squares) / 2;
}

double cairn_plain_normal_rounding(const cairn_plain_normal *laws, const double *means, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++) {
        const cairn_plain_normal *p = laws + i;
        most = fmax(most, 256 / p->least);
        for (size_t j = 0; means && j < p->n; j++) {
            double root = p->lower[p->diagonal ? j : j * (p->n + 1)];
            most = fmax(most, 32 * fabs(means[i * p->d + p->at[j]]) / root);
        }
    }
    double part = fmax(1e-9, most * DBL_EPSILON);
    return part < 1e-3 ? part : INFINITY;
}

double cairn_plain_shares(double *logs, size_t n)
{
    double most = -INFINITY, sum = 0;
    for (size_t i = 0; i < n; i++) most = fmax(most, logs[i]);
    if (!(most > -INFINITY)) return most;
    for (size_t i = 0; i < n; i++) {
        logs[i] = cairn_exp(logs[i] - most);
        sum += logs[i];
    }
    for (size_t i = 0; i < n; i++) logs[i] /= sum;
    return most + cairn_log(sum);
}
