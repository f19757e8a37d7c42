/* SPDX-License-Identifier: MIT */
/* Coordinate descent for a quadratic function, with an L1 penalty or over numbers that are not
 * negative. With the penalty the model's slope H c is kept up
 * to date; sweeps over all numbers alternate with sweeps over those that are not 0. */
#include "kernels/kernels.h"
#include "solve/solvers.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_SWEEPS = 5000 };

double cairn_lasso_sum(const cairn_objective *f, const double *x)
{
    double sum = 0;
    for (size_t j = 0; f->lassos && j < f->n; j++)
        if (f->lassos[j] > 0) sum += f->lassos[j] * fabs(x[j]);
    return sum;
}

void cairn_coordinate_descent(double *change, double *slope, const double *x,
                              const double *gradient, const double *hessian, const double *lassos,
                              size_t n, double size)
{
    bool whole = true;
    memset(change, 0, n * sizeof *change);
    memset(slope, 0, n * sizeof *slope);
    for (int sweep = 0; sweep < MOST_SWEEPS; sweep++) {
        double gain = 0;
        for (size_t j = 0; j < n; j++) {
            const double *row = hessian + j * n;
            double now = x[j] + change[j], curve = row[j];
            if (!(curve > 0) || (!whole && now == 0)) continue;
            double best = cairn_soft(curve * now - gradient[j] - slope[j], lassos[j]) / curve;
            double move = best - now;
            if (move == 0) continue;
            change[j] = best == 0 ? -x[j] : change[j] + move;
            cairn_axpy(slope, move, row, n);
            gain += curve * move * move;
        }
        bool settled = gain <= 1e-24 * (DBL_MIN + fabs(size));
        if (settled && whole) return;
        whole = settled;
    }
}

void cairn_nonnegative_descent(double *x, const double *gram, const double *side, size_t n,
                               double tolerance, int most)
{
    for (int round = 0; round < most; round++) {
        double moved = 0, size = 0;
        for (size_t k = 0; k < n; k++) {
            const double *row = gram + k * n;
            double rest = side[k];
            if (!(row[k] > 0)) continue;
            for (size_t l = 0; l < n; l++) rest -= row[l] * x[l];
            double next = fmax(0, x[k] + rest / row[k]);
            moved = fmax(moved, fabs(next - x[k]));
            size = fmax(size, next);
            x[k] = next;
        }
        if (moved <= tolerance * size) return;
    }
}
