/* SPDX-License-Identifier: MIT */
/* Coordinate descent on sums over the rows.
 *
 * Method: a sweep over all numbers, then sweeps over those that are not 0 until no move matters,
 * then over all again, until such a sweep moves nothing either. With q = 1 and signs that stay, the
 * minimum is the solution of a linear system over the numbers that are not 0: the way there is gone
 * where these are few, and where sweeps have cost more than it would, as far as no sign changes.
 *
 * Sources: Friedman, Hastie and Tibshirani, Regularization paths for generalized linear models via
 * coordinate descent (2010); Fu, Penalized regressions: the bridge versus the lasso (1998). */
#include "solve/penalised.h"
#include "base/functions.h"
#include "base/memory.h"
#include "kernels/kernels.h"
#include "decompose/linalg.h"
#include "solve/solvers.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum {
    MOST_SWEEPS = 20000,
    FEW = 64,           /* numbers whose system costs next to nothing */
    MOST_SYSTEM = 2000, /* numbers of a system */
    MOST_STEPS = 32,    /* through changes of signs */
    FEW_SYSTEM = 200,   /* numbers whose system is asked for its condition, which takes as long */
    LEAST_WAIT = 4,     /* sweeps before a system */
    CHEAP = 48,
    ROOT_STEPS = 200
};

/* -- one number -- */

static double power(double x, double q)
{
    return q == 1 ? x : q == 2 ? x * x : q == 0.5 ? sqrt(x) : cairn_pow(x, q);
}

/* Slope of a x²/2 − b x + lasso x^q at x > 0. */
static double slope_at(double x, double a, double b, double lasso, double q)
{
    return a * x - b + lasso * q * cairn_pow(x, q - 1);
}

/* Where the slope, below 0 at `low` and not below 0 at `high`, crosses 0: Newton's method, halving
 * where it would leave the interval. */
static double crossing(double low, double high, double a, double b, double lasso, double q)
{
    double x = high;
    for (int step = 0; step < ROOT_STEPS && low < high; step++) {
        double slope = slope_at(x, a, b, lasso, q);
        double bend = a + lasso * q * (q - 1) * cairn_pow(x, q - 2);
        if (slope < 0)
            low = x;
        else
            high = x;
        double next = bend > 0 ? x - slope / bend : NAN;
        if (!(next > low && next < high)) next = low + (high - low) / 2;
        if (fabs(next - x) <= 1e-16 * x || next == low || next == high) return next;
        x = next;
    }
    return x;
}

/* b above 0. For q below 1 the slope falls before it rises: there is a minimum beside 0 only if it
 * is below 0 at its lowest. */
static double positive_number(double a, double b, double lasso, double q)
{
    double low = 0, high = b / a;
    if (q < 1) {
        low = cairn_pow(lasso * q * (1 - q) / a, 1 / (2 - q));
        if (!(low < high) || slope_at(low, a, b, lasso, q) >= 0) return 0;
    }
    double x = crossing(low, high, a, b, lasso, q);
    if (q < 1 && a * x * x / 2 - b * x + lasso * power(x, q) >= 0) return 0;
    return x;
}

double cairn_penalised_number(double a, double b, double lasso, double q)
{
    if (lasso == 0) return b / a;
    if (q == 1) return cairn_soft(b, lasso) / a;
    if (q == 2) return b / (a + 2 * lasso);
    if (b == 0) return 0;
    return b > 0 ? positive_number(a, b, lasso, q) : -positive_number(a, -b, lasso, q);
}

double cairn_penalised_first(double a, double b, double q)
{
    b = fabs(b);
    if (!(a > 0) || b == 0) return 0;
    if (q == 1) return b;
    if (q > 1) return 0.99 * b / (q * cairn_pow(0.01 * b / a, q - 1));
    /* where the lower minimum is at the height of 0 */
    double x = 2 * b * (1 - q) / (a * (2 - q));
    return b / (2 - q) * cairn_pow(x, 1 - q);
}

/* -- sweeps -- */

/* One round; the largest worth of a move. Only numbers that are not 0 unless it is `whole`; a
 * number without a curvature of its own stays. */
static double sweep(const cairn_penalised *p, double *x, double *slopes, bool whole, bool *signs)
{
    double most = 0;
    for (size_t j = 0; j < p->n; j++) {
        const double *row = p->gram + j * p->n;
        double now = x[j], curve = row[j] + p->ridges[j];
        if (!(row[j] > 0) || (now == 0 && !whole)) continue;
        double best = cairn_penalised_number(curve, slopes[j] + row[j] * now, p->lassos[j], p->q);
        double move = best - now;
        if (move == 0) continue;
        if ((best > 0) - (best < 0) != (now > 0) - (now < 0)) *signs = true;
        x[j] = best;
        cairn_axpy(slopes, -move, row, p->n);
        most = fmax(most, curve * move * move);
    }
    return most;
}

/* -- the system of the numbers that are not 0 -- */

static bool is_smooth(const cairn_penalised *p)
{
    for (size_t j = 0; j < p->n; j++)
        if (p->lassos[j] > 0) return false;
    return true;
}

static size_t list_active(const cairn_penalised *p, const double *x, bool smooth, size_t *active)
{
    size_t m = 0;
    for (size_t j = 0; j < p->n; j++)
        if (smooth ? p->gram[j * (p->n + 1)] > 0 : x[j] != 0) active[m++] = j;
    return m;
}

/* Whether the numbers that are 0 stay there: no slope beyond its penalty. */
static bool zeros_stay(const cairn_penalised *p, const double *x, const double *slopes)
{
    for (size_t j = 0; j < p->n; j++)
        if (x[j] == 0 && p->gram[j * (p->n + 1)] > 0 &&
            fabs(slopes[j]) > p->lassos[j] * (1 + 1e-12) + 1e-14 * fabs(p->side[j]))
            return false;
    return true;
}

/* The minimum over the m active numbers for the signs of now, into `right`; false where the system
 * is not solid enough. */
static cairn_status solve_system(cairn_context *ctx, const cairn_penalised *p, const double *x,
                                 const size_t *active, size_t m, double *right, bool *solid)
{
    SCOPED_SCRATCH(ctx);
    double *matrix, condition = 1;
    size_t pivot;
    CHECK(SCRATCH_RAW(ctx, &matrix, m * m));
    for (size_t i = 0; i < m; i++) {
        size_t j = active[i];
        for (size_t k = i; k < m; k++) matrix[i * m + k] = p->gram[j * p->n + active[k]];
        matrix[i * (m + 1)] += p->ridges[j];
        right[i] = p->side[j] - (x[j] > 0 ? p->lassos[j] : -p->lassos[j]);
    }
    if (m <= FEW_SYSTEM) {
        CHECK(cairn_cholesky(ctx, matrix, m, &condition, &pivot));
    } else { /* what a column has beside those before it, as a part of the whole */
        CHECK(cairn_cholesky_large(ctx, matrix, m, &pivot));
        for (size_t i = 0; i < m; i++) {
            double own = p->gram[active[i] * (p->n + 1)] + p->ridges[active[i]];
            double left = matrix[i * (m + 1)] * matrix[i * (m + 1)];
            condition = pivot < m ? 0 : fmin(condition, left / own * 1e-3);
        }
    }
    *solid = condition > 1e-13;
    return *solid ? cairn_cholesky_solve(ctx, matrix, m, right, 1) : CAIRN_OK;
}

/* The minimum for the signs of now; *solved when it is that of all numbers. On the way numbers that
 * would change their sign become 0: the value never rises. Without a lasso all numbers are in the
 * system and signs do not matter. */
static cairn_status solve_signs(cairn_context *ctx, const cairn_penalised *p, double *x,
                                double *slopes, bool *solved)
{
    SCOPED_SCRATCH(ctx);
    size_t *active, m;
    double *right;
    bool smooth = is_smooth(p), solid = false;
    *solved = false;
    CHECK(SCRATCH_RAW_EACH(ctx, p->n + 1, &active, &right));
    for (int step = 0; step < MOST_STEPS && !*solved; step++) {
        m = list_active(p, x, smooth, active);
        if (!m || m > MOST_SYSTEM) break;
        CHECK(solve_system(ctx, p, x, active, m, right, &solid));
        if (!solid) break;
        /* Towards the minimum as far as no sign changes; the number that would change first
         * becomes 0. True when nothing stood in the way. */
        double part = 1;
        size_t first = m;
        for (size_t i = 0; i < m && !smooth; i++) {
            double now = x[active[i]];
            if (right[i] * now > 0) continue;
            double until = now / (now - right[i]);
            if (until < part || first == m) part = fmin(part, until), first = i;
        }
        for (size_t i = 0; i < m; i++)
            x[active[i]] = first == m ? right[i] : x[active[i]] + part * (right[i] - x[active[i]]);
        if (first < m) x[active[first]] = 0;
        *solved = first == m;
    }
    memcpy(slopes, p->side, p->n * sizeof *slopes);
    for (size_t j = 0; j < p->n; j++)
        if (x[j] != 0) cairn_axpy(slopes, -x[j], p->gram + j * p->n, p->n);
    *solved = *solved && (smooth || zeros_stay(p, x, slopes));
    return CAIRN_OK;
}

/* -- the whole -- */

/* Whether the system is worth a try after so many sweeps that left all signs: when they have cost
 * about as much, active · n each, as it does, active³ / 6 in products that are many times as
 * quick. */
static bool system_pays(const double *x, size_t n, size_t stays, bool found)
{
    size_t active = 0;
    for (size_t j = 0; j < n; j++) active += x[j] != 0;
    if (active <= FEW) return found || stays == 1 || stays % 64 == 63;
    size_t wait = LEAST_WAIT + active * active / (CHEAP * n);
    return stays % wait == wait - 1;
}

cairn_status cairn_penalised_solve(cairn_context *ctx, const cairn_penalised *p, double *x,
                                   double *slopes, bool *converged, size_t *sweeps)
{
    double enough = p->tolerance * fmax(p->size, DBL_MIN);
    bool whole = true, found = false;
    size_t stays = 0, done = 0;
    if (p->q == 1 && is_smooth(p)) CHECK(solve_signs(ctx, p, x, slopes, &found));
    while (done < MOST_SWEEPS && !found) {
        bool signs = false, solved = false;
        bool settled = sweep(p, x, slopes, whole, &signs) <= enough;
        stays = signs ? 0 : stays + 1;
        found = settled && whole;
        whole = settled;
        if (p->q == 1 && stays && system_pays(x, p->n, stays, found)) {
            CHECK(solve_signs(ctx, p, x, slopes, &solved));
            found = found || solved;
            whole = true;
        }
        if (++done % 64 == 0) CHECK(cairn_tick(ctx, NULL, 0, 1));
    }
    *converged = found;
    if (sweeps) *sweeps = done;
    return CAIRN_OK;
}

double cairn_penalised_sum(const double *factors, const double *x, size_t n, double q)
{
    double sum = 0;
    for (size_t j = 0; j < n; j++)
        if (x[j] != 0) sum += factors[j] * power(fabs(x[j]), q);
    return sum;
}

double cairn_penalised_value(const cairn_penalised *p, const double *x, const double *slopes)
{
    double sum = cairn_penalised_sum(p->lassos, x, p->n, p->q);
    for (size_t j = 0; j < p->n; j++)
        sum += x[j] * (p->ridges[j] * x[j] - p->side[j] - slopes[j]) / 2;
    return sum;
}

cairn_status cairn_penalised_freedom(cairn_context *ctx, const cairn_penalised *p, const double *x,
                                     double *out)
{
    SCOPED_SCRATCH(ctx);
    size_t m, *active;
    double *matrix, *ridges, any = 0;
    CHECK(SCRATCH_RAW(ctx, &active, p->n + 1));
    m = list_active(p, x, false, active);
    for (size_t i = 0; i < m; i++) any = fmax(any, p->ridges[active[i]]);
    *out = (double)m;
    if (!(any > 0)) return CAIRN_OK;
    CHECK(SCRATCH_RAW(ctx, &matrix, m * m));
    CHECK(SCRATCH_RAW(ctx, &ridges, m));
    for (size_t i = 0; i < m; i++) {
        for (size_t k = 0; k < m; k++) matrix[i * m + k] = p->gram[active[i] * p->n + active[k]];
        ridges[i] = p->ridges[active[i]];
        matrix[i * (m + 1)] += ridges[i];
    }
    return cairn_degrees_of_freedom(ctx, matrix, ridges, m, out);
}
