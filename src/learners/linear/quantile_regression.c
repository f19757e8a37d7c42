/* SPDX-License-Identifier: MIT */
/* Quantile regression: a plane with the share τ of the rows below it.
 *
 * Problem: minimise Σ w_i ρ(y_i - b - c·x_i) with ρ(r) = r (τ - [r < 0]), the linear program
 * whose dual is: maximise y'a with X'a = (1-τ) X'1, 0 <= a <= 1.
 *
 * Method:
 * 1. The Frisch-Newton interior-point method with Mehrotra's predictor and corrector on the dual:
 *    every step is a weighted least-squares problem X'QX, and a few dozen are enough for any
 *    number of rows.
 * 2. From there to a corner, where the plane goes through as many rows as it has weights: along
 *    directions that keep the rows on it, downhill, to the next row; its rows give it exactly.
 * 3. Standard errors by densities from the fits at τ ± h, h the bandwidth of Hall and Sheather:
 *    τ(1-τ) H⁻¹ X'X H⁻¹ with H = X' diag(f) X, f = 2h / (x·(c₊ - c₋)).
 *
 * Cost: n p²/2 for each of 20 to 40 passes, three times with standard errors; memory 10 n numbers.
 * Where several planes are best, any corner may come out. Sources: Koenker and Bassett, Regression
 * quantiles (1978); Portnoy and Koenker, The Gaussian hare and the Laplacian tortoise (1997). */
#include "base/functions.h"
#include "base/memory.h"
#include "kernels/kernels.h"
#include "decompose/linalg.h"
#include "learners/linear/tested.h"
#include "rows/row_losses.h"
#include "rows/slopes.h"
#include "stats/distributions.h"
#include "stats/quantile.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TERMS = 2000, MOST_ITERATIONS = 200 };
static const double STAY_INSIDE = 0.9995; /* part of the way to the boundary that is gone */

typedef struct quantile_params {
    double tau;
    bool intercept, errors;
    double level;
    int weights_are;
} quantile_params;

static const cairn_param quantile_parameters[] = {
    CAIRN_PARAM(quantile_params, tau, "0.5", "(0,1)", "the quantile; 0.5 is the median",
                .often = true),
    CAIRN_PARAM(quantile_params, intercept, "yes", NULL, "fit a constant term"),
    CAIRN_PARAM(quantile_params, errors, "yes", NULL, "standard errors, which need two more fits"),
    CAIRN_WEIGHTS_ARE(quantile_params, "counts"),
    CAIRN_PARAM(quantile_params, level, "0.95", "(0,1)", "level of the intervals"),
    CAIRN_PARAM_END,
};

typedef struct quantile_history {
    cairn_tested tested;
    double loss, null_loss, total, below, on;
    size_t iterations;
    bool converged, exact;
} quantile_history;

typedef struct problem {
    const cairn_job *job;
    cairn_row_matrix x;
    cairn_squares_loss rows; /* targets less their mean, and weights */
    double tau;
    double *theta; /* width */
    /* per row: the place a in the box, what is left above, their prices, steps of all */
    double *a, *rest, *low, *high, *step_a, *step_low, *step_high, *dots, *factors, *side;
    double *prices, *bends; /* low - high with what corrects it, and 1 / (low/a + high/rest) */
    double *gram, *moment, *solved;
    double *units; /* of the columns in `solved` */
    size_t iterations;
    double gap, condition; /* of the first gram matrix, as a part of 1 */
} problem;

/* -- passes -- */

typedef struct dots_work {
    const problem *p;
    const double *theta;
    double *out;
} dots_work;

static void dots_piece(void *data, const cairn_piece *piece, double *sums)
{
    const dots_work *w = data;
    (void)sums;
    cairn_row_dots(w->out + piece->first, piece->z, w->p->x.width, piece->n, w->p->x.width,
                   w->theta, 0);
}

/* out = Xθ */
static cairn_status find_dots(cairn_context *ctx, const problem *p, const double *theta,
                              double *out)
{
    dots_work work = {p, theta, out};
    cairn_row_sum sum = {.piece = dots_piece, .data = &work};
    return cairn_matrix_sum(ctx, &p->x, &sum, NULL);
}

typedef struct gram_work {
    const problem *p;
    const double *factors, *side;
} gram_work;

static void gram_piece(void *data, const cairn_piece *piece, double *sums)
{
    const gram_work *w = data;
    size_t n = w->p->x.width;
    cairn_gram_add(sums, sums + n * n, piece->z, n, w->side + piece->first,
                   w->factors + piece->first, piece->n, n);
}

/* X' diag(factors) X, both triangles, and X' diag(factors) side. */
static cairn_status find_gram(cairn_context *ctx, problem *p, const double *factors,
                              const double *side)
{
    size_t n = p->x.width;
    gram_work work = {p, factors, side};
    cairn_row_sum sum = {.piece = gram_piece, .data = &work, .size = n * n + n};
    CHECK(cairn_matrix_sum(ctx, &p->x, &sum, p->gram));
    for (size_t j = 0; j < n; j++)
        for (size_t k = 0; k < j; k++) p->gram[j * n + k] = p->gram[k * n + j];
    p->moment = p->gram + n * n;
    return CAIRN_OK;
}

/* A factor of the gram matrix, whose columns are brought to one size by powers of two; columns that
 * others determine get a little on the diagonal. */
static cairn_status factorise(cairn_context *ctx, problem *p)
{
    size_t n = p->x.width, pivot;
    double condition = 0, first = -1;
    for (size_t j = 0; j < n; j++) {
        double own = p->gram[j * (n + 1)];
        int power = 0;
        if (!isfinite(own)) return cairn_matrix_refuse(ctx, &p->x, NULL);
        if (own > 0) (void)frexp(own, &power);
        p->units[j] = ldexp(1, -power / 2);
    }
    for (double extra = 0; condition == 0; extra = extra == 0 ? 1e-15 : 10 * extra) {
        for (size_t j = 0; j < n; j++)
            for (size_t k = 0; k < n; k++)
                p->solved[j * n + k] = p->gram[j * n + k] * p->units[j] * p->units[k];
        for (size_t j = 0; j < n; j++)
            p->solved[j * (n + 1)] += extra + (p->gram[j * (n + 1)] == 0);
        CHECK(cairn_cholesky(ctx, p->solved, n, &condition, &pivot));
        if (first < 0) first = condition;
    }
    p->condition = first;
    return CAIRN_OK;
}

/* The solution of the system for a right side, in place. */
static cairn_status solve_factor(cairn_context *ctx, const problem *p, double *right)
{
    size_t n = p->x.width;
    for (size_t j = 0; j < n; j++) right[j] *= p->units[j];
    CHECK(cairn_cholesky_solve(ctx, p->solved, n, right, 1));
    for (size_t j = 0; j < n; j++) right[j] *= p->units[j];
    return CAIRN_OK;
}

/* -- the interior-point method -- */

/* The part of a step after which `at` would be 0. */
static double reach(const double *at, const double *step, double sign, size_t n)
{
    double part = 1e20;
    for (size_t i = 0; i < n; i++)
        if (sign * step[i] < 0) part = fmin(part, -at[i] / (sign * step[i]));
    return part;
}

/* Least squares for the prices, and a place well inside the box. */
static cairn_status begin(cairn_context *ctx, problem *p)
{
    size_t n = p->x.n;
    double size = 0;
    CHECK(find_gram(ctx, p, p->rows.weights, p->rows.targets));
    CHECK(factorise(ctx, p));
    memcpy(p->theta, p->moment, p->x.width * sizeof *p->theta);
    CHECK(solve_factor(ctx, p, p->theta));
    CHECK(find_dots(ctx, p, p->theta, p->dots));
    for (size_t i = 0; i < n; i++)
        size += p->rows.weights[i] * fabs(p->dots[i] - p->rows.targets[i]);
    double least = fmax(1e-3 * size / p->rows.total, DBL_MIN);
    for (size_t i = 0; i < n; i++) {
        double r = p->rows.weights[i] * (p->dots[i] - p->rows.targets[i]);
        if (r == 0) r = least;
        p->a[i] = 1 - p->tau;
        p->rest[i] = p->tau;
        p->low[i] = fmax(r, 0);
        p->high[i] = fmax(-r, 0);
    }
    return CAIRN_OK;
}

/* Steps of the place and of the prices for a right side; `centre` is the target of the products of
 * places and prices, 0 with the first, affine step. */
static cairn_status find_steps(cairn_context *ctx, problem *p, double centre, bool corrects)
{
    size_t n = p->x.n;
    for (size_t i = 0; i < n; i++) {
        double w = p->rows.weights[i], da = p->step_a[i];
        double push = da * p->step_low[i] / p->a[i] + da * p->step_high[i] / p->rest[i] -
                      centre * (1 / p->a[i] - 1 / p->rest[i]);
        p->prices[i] = p->low[i] - p->high[i] + (corrects ? push : 0);
        p->bends[i] = w > 0 ? 1 / (p->low[i] / p->a[i] + p->high[i] / p->rest[i]) : 0;
        p->factors[i] = w * w * p->bends[i];
        p->side[i] = w > 0 ? p->prices[i] / w : 0;
    }
    CHECK(find_gram(ctx, p, p->factors, p->side));
    if (!corrects) CHECK(factorise(ctx, p));
    CHECK(solve_factor(ctx, p, p->moment));
    CHECK(find_dots(ctx, p, p->moment, p->dots));
    for (size_t i = 0; i < n; i++) {
        double before = p->step_a[i], first = before * p->step_low[i];
        double second = -before * p->step_high[i];
        double da = p->bends[i] * (p->rows.weights[i] * p->dots[i] - p->prices[i]);
        p->step_a[i] = da;
        if (!corrects) first = second = 0;
        p->step_low[i] = centre / p->a[i] - p->low[i] - (p->low[i] * da + first) / p->a[i];
        p->step_high[i] =
            centre / p->rest[i] - p->high[i] - (-p->high[i] * da + second) / p->rest[i];
    }
    return CAIRN_OK;
}

/* Parts of the steps that stay inside the box and keep prices positive. */
static void find_parts(const problem *p, double *place, double *price)
{
    size_t n = p->x.n;
    *place = fmin(reach(p->a, p->step_a, 1, n), reach(p->rest, p->step_a, -1, n));
    *price = fmin(reach(p->low, p->step_low, 1, n), reach(p->high, p->step_high, 1, n));
    *place = fmin(STAY_INSIDE * *place, 1);
    *price = fmin(STAY_INSIDE * *price, 1);
}

static double products(const problem *p, double place, double price)
{
    double sum = 0;
    for (size_t i = 0; i < p->x.n; i++)
        sum += (p->low[i] + price * p->step_low[i]) * (p->a[i] + place * p->step_a[i]) +
               (p->high[i] + price * p->step_high[i]) * (p->rest[i] - place * p->step_a[i]);
    return sum;
}

static double row_loss(double r, double tau)
{
    return r * (tau - (r < 0));
}

/* The loss of weights, whose residuals are left in p->dots. */
static cairn_status find_loss(cairn_context *ctx, problem *p, const double *theta, double *out)
{
    double sum = 0;
    CHECK(find_dots(ctx, p, theta, p->dots));
    for (size_t i = 0; i < p->x.n; i++) {
        p->dots[i] = p->rows.targets[i] - p->dots[i];
        sum += p->rows.weights[i] * row_loss(p->dots[i], p->tau);
    }
    *out = sum;
    return CAIRN_OK;
}

/* -- the corner -- */

/* Add a row to the triangle of those taken if it is independent of them; `row` is used up. */
static bool take_row(double *triangle, double *right, double *row, double value, size_t width)
{
    double size = 0;
    for (size_t j = 0; j < width; j++) size = fmax(size, fabs(row[j]));
    for (size_t j = 0; j < width; j++) {
        double *taken = triangle + j * width;
        if (!(fabs(row[j]) > 1e-9 * size)) continue;
        if (taken[j] == 0) {
            memcpy(taken, row, width * sizeof *row);
            right[j] = value;
            return true;
        }
        double factor = row[j] / taken[j];
        for (size_t k = j; k < width; k++) row[k] -= factor * taken[k];
        row[j] = 0;
        value -= factor * right[j];
    }
    return false;
}

/* Rows through which the plane goes, as a triangle of independent ones. */
typedef struct corner {
    double *triangle; /* width x width: row j begins at column j; 0 there = not yet filled */
    double *right;    /* width: targets of these rows, transformed alike */
    double *row;      /* width */
    double *direction;
    size_t taken;
} corner;

static void corner_take(corner *c, const problem *p, size_t row)
{
    cairn_matrix_rows(&p->x, row, 1, c->row);
    c->taken += take_row(c->triangle, c->right, c->row, p->rows.targets[row], p->x.width);
}

/* A direction along which the rows of the triangle keep their residuals: one free number moves, the
 * filled rows say what follows. Returns the free number. */
static size_t corner_direction(corner *c, size_t m)
{
    size_t free = 0;
    while (c->triangle[free * (m + 1)] != 0) free++;
    for (size_t j = m; j-- > 0;) {
        const double *row = c->triangle + j * m;
        double sum = 0;
        c->direction[j] = j == free;
        if (row[j] == 0) continue;
        for (size_t k = j + 1; k < m; k++) sum += row[k] * c->direction[k];
        c->direction[j] = -sum / row[j];
    }
    return free;
}

/* From the best plane to a corner of the linear program that is as good: along directions that keep
 * the rows on it, until so many rows lie on it as it has weights. */
static cairn_status find_corner(cairn_context *ctx, problem *p, double *theta, double size)
{
    SCOPED_SCRATCH(ctx);
    size_t n = p->x.n, m = p->x.width;
    corner c = {0};
    CHECK(SCRATCH(ctx, &c.triangle, cairn_product(m, m) + 1));
    CHECK(SCRATCH_EACH(ctx, m + 1, &c.right, &c.row, &c.direction));
    memcpy(theta, p->theta, m * sizeof *theta);
    for (size_t i = 0; i < n && c.taken < m; i++)
        if (p->rows.weights[i] > 0 && fabs(p->dots[i]) <= 1e-8 * size / p->rows.total)
            corner_take(&c, p, i);
    while (c.taken < m) {
        size_t before = c.taken, free = corner_direction(&c, m);
        double t;
        CHECK(find_dots(ctx, p, c.direction, p->side));
        /* The first row that the plane meets when it moves downhill along the direction; p->x.n
         * when it meets none. Residuals are in p->dots, their slopes in p->side. */
        double slope = 0, way;
        size_t met = p->x.n;
        for (size_t i = 0; i < p->x.n; i++)
            slope -= p->rows.weights[i] * p->side[i] * (p->tau - (p->dots[i] < 0));
        way = slope > 0 ? -1 : 1;
        t = INFINITY;
        for (size_t i = 0; i < p->x.n; i++) {
            double at = way * p->dots[i] / p->side[i];
            if (p->rows.weights[i] == 0 || !(fabs(p->side[i]) > 1e-12) || !(at > 0)) continue;
            if (at < t) t = at, met = i;
        }
        t *= way;
        if (met < n) {
            for (size_t j = 0; j < m; j++) theta[j] += t * c.direction[j];
            for (size_t i = 0; i < n; i++) p->dots[i] -= t * p->side[i];
            corner_take(&c, p, met);
        }
        if (c.taken == before) { /* no row says anything about this number */
            c.triangle[free * (m + 1)] = 1;
            c.right[free] = theta[free];
            c.taken++;
        }
    }
    for (size_t j = m; j-- > 0;) {
        double value = c.right[j];
        for (size_t k = j + 1; k < m; k++) value -= c.triangle[j * m + k] * theta[k];
        theta[j] = value / c.triangle[j * m + j];
    }
    return CAIRN_OK;
}

/* Interior point, then the corner if it is as good. */
static cairn_status solve(cairn_context *ctx, problem *p, double *loss, bool *exact)
{
    size_t m = p->x.width;
    double *vertex, other, size = 0;
    *exact = false;
    p->iterations = 0;
    if (m) {
        CHECK(SCRATCH(ctx, &vertex, m + 1));
        CHECK(begin(ctx, p));
        CHECK(find_loss(ctx, p, p->theta, &size));
        p->gap = INFINITY;
        while (p->iterations < MOST_ITERATIONS && p->gap > 1e-13 * size && size > 0) {
            double before = p->gap;
            CHECK(cairn_tick(ctx, "interior point", (double)p->iterations, 0));
            /* One predictor and, where it comes near the boundary, one corrector. */
            size_t n = p->x.n;
            double place, price;
            CHECK(find_steps(ctx, p, 0, false));
            find_parts(p, &place, &price);
            if (fmin(place, price) < 1) {
                double now = products(p, 0, 0), then = products(p, place, price),
                       share = then / now;
                double centre = now * share * share * share / (2 * (double)n);
                CHECK(find_steps(ctx, p, centre, true));
                find_parts(p, &place, &price);
            }
            for (size_t i = 0; i < n; i++) {
                p->a[i] += place * p->step_a[i];
                p->rest[i] -= place * p->step_a[i];
                p->low[i] += price * p->step_low[i];
                p->high[i] += price * p->step_high[i];
            }
            for (size_t j = 0; j < p->x.width; j++) p->theta[j] -= price * p->moment[j];
            p->gap = products(p, 0, 0);
            p->iterations++;
            if (!(p->gap < before) && p->iterations > 20) break; /* rounding */
        }
    }
    CHECK(find_loss(ctx, p, p->theta, loss));
    if (!m) return CAIRN_OK;
    CHECK(find_corner(ctx, p, vertex, size));
    CHECK(find_loss(ctx, p, vertex, &other));
    *exact = other <= *loss + 1e-9 * size;
    if (*exact) memcpy(p->theta, vertex, m * sizeof *vertex);
    if (*exact) *loss = other;
    return CAIRN_OK;
}

/* -- the learner -- */

typedef struct weighed {
    double value, weight;
} weighed;

static int by_value(const void *a, const void *b)
{
    double x = ((const weighed *)a)->value, y = ((const weighed *)b)->value;
    return (x > y) - (x < y);
}

/* The rows of the job's view, of so many terms, and a column of ones by request. */
static cairn_status open_problem(cairn_context *ctx, problem *p, size_t n_terms, bool ones)
{
    const quantile_params *params = p->job->params;
    size_t n;
    if (n_terms > MOST_TERMS)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "quantile-regression takes at most %d terms, not %zu; leave columns out "
                          "with {ignore}",
                          MOST_TERMS, n_terms);
    cairn_matrix_options options = {.ones = ones, .scores = 1};
    options.units = ones ? CAIRN_UNITS_SHIFTED : CAIRN_UNITS_SCALED;
    options.sum_size = cairn_product(n_terms + 2, n_terms + 2);
    CHECK(cairn_squares_open(ctx, &p->rows, p->job->view, params->intercept));
    CHECK(cairn_matrix_open(ctx, &p->x, p->job->view, &options));
    p->x.weighted = false;
    n = p->x.n;
    double **const all[] = {&p->a,      &p->rest,     &p->low,       &p->high,
                            &p->step_a, &p->step_low, &p->dots,      &p->factors,
                            &p->side,   &p->prices,   &p->step_high, &p->bends};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) CHECK(SCRATCH(ctx, all[i], n + 1));
    CHECK(SCRATCH(ctx, &p->theta, p->x.width + 1));
    CHECK(SCRATCH(ctx, &p->gram, cairn_product(p->x.width, p->x.width) + p->x.width + 1));
    CHECK(SCRATCH(ctx, &p->units, p->x.width + 1));
    return SCRATCH(ctx, &p->solved, cairn_product(p->x.width, p->x.width) + 1);
}

/* -- columns that nearly depend on each other -- */

/* Directions of length 1 at right angles in place of the columns. What is left of a column that
 * others determine but for rounding is no direction. */
typedef struct basis {
    cairn_view view;
    cairn_job job;
    size_t k;
    size_t *order; /* width: the columns of z that became directions come first */
    double *back;  /* width x width: row j is direction or rest j as a sum of columns of z */
} basis;

static void take_out(double *z, double *back, size_t n, size_t m, size_t from, size_t direction)
{
    double part = cairn_dot(z + from * n, z + direction * n, n);
    cairn_axpy(z + from * n, -part, z + direction * n, n);
    cairn_axpy(back + from * m, -part, back + direction * m, m);
}

/* Gram and Schmidt's method, twice for every direction, the longest rest first. `z` holds the
 * columns one after the other and becomes the directions. */
static cairn_status find_directions(cairn_context *ctx, basis *b, const cairn_row_matrix *x,
                                    double *z)
{
    size_t n = x->n, m = x->width;
    double *lengths, rounding = 1e-13;
    CHECK(SCRATCH_EACH(ctx, m, &lengths, &b->order));
    CHECK(SCRATCH(ctx, &b->back, cairn_product(m, m)));
    for (size_t j = 0; j < m; j++) {
        double far = j < x->n_terms ? fabs(x->shift[j]) * x->scale[j] * sqrt((double)n) : 0;
        lengths[j] = sqrt(cairn_dot(z + j * n, z + j * n, n));
        if (lengths[j] > 0) rounding = fmax(rounding, 8 * DBL_EPSILON * far / lengths[j]);
        b->back[j * (m + 1)] = 1;
        b->order[j] = j;
    }
    for (b->k = 0; b->k < m; b->k++) {
        size_t best = b->k;
        double most = -1;
        for (size_t a = b->k; a < m; a++) {
            const double *own = z + b->order[a] * n;
            double part = sqrt(cairn_dot(own, own, n)) / fmax(lengths[b->order[a]], DBL_MIN);
            if (part > most) most = part, best = a;
        }
        if (!(most > fmin(rounding, 1e-6))) break;
        size_t j = b->order[best];
        b->order[best] = b->order[b->k];
        b->order[b->k] = j;
        for (size_t d = 0; d < b->k; d++) take_out(z, b->back, n, m, j, b->order[d]);
        double length = sqrt(cairn_dot(z + j * n, z + j * n, n));
        for (size_t i = 0; i < n; i++) z[j * n + i] /= length;
        for (size_t i = 0; i < m; i++) b->back[j * m + i] /= length;
        for (size_t a = b->k + 1; a < m; a++) take_out(z, b->back, n, m, b->order[a], j);
    }
    return CAIRN_OK;
}

/* The same problem in directions. */
static cairn_status turn(cairn_context *ctx, basis *b, const problem *p, problem *out)
{
    const cairn_view *from = p->job->view;
    size_t n = p->x.n, m = p->x.width;
    double *z, *row;
    cairn_column *columns;
    const char **names;
    CHECK(cairn_memory_check(ctx, 8 * 2 * (double)n * (double)m, "quantile regression",
                             cairn_say(ctx, "use fewer columns or raise {memory}")));
    CHECK(SCRATCH_RAW(ctx, &z, cairn_product(n, m)));
    CHECK(SCRATCH(ctx, &row, m));
    for (size_t i = 0; i < n; i++) {
        cairn_matrix_rows(&p->x, i, 1, row);
        for (size_t j = 0; j < m; j++) z[j * n + i] = p->rows.weights[i] > 0 ? row[j] : 0;
    }
    CHECK(find_directions(ctx, b, &p->x, z));
    b->view = *from;
    b->view.n_features = b->k;
    CHECK(SCRATCH_EACH(ctx, b->k + 1, &columns, &b->view.features, &names));
    b->view.names = names;
    for (size_t c = 0; c < b->k; c++) {
        columns[c] = (cairn_column){.kind = CAIRN_NUMBER, .n_rows = from->table->n_rows};
        CHECK(SCRATCH(ctx, &columns[c].numbers, columns[c].n_rows + 1));
        for (size_t i = 0; i < n; i++)
            columns[c].numbers[cairn_view_row(from, i)] = z[b->order[c] * n + i];
        b->view.features[c] = &columns[c];
        names[c] = "direction";
    }
    b->job = *p->job;
    b->job.view = &b->view;
    *out = (problem){.job = &b->job, .tau = p->tau};
    return open_problem(ctx, out, b->k, false);
}

/* Weights of directions in own units become those of z. */
static void turn_back(const basis *b, const double *weights, double *theta, size_t m)
{
    memset(theta, 0, m * sizeof *theta);
    for (size_t c = 0; c < b->k; c++) cairn_axpy(theta, weights[c], b->back + b->order[c] * m, m);
}

/* Share of the rows below the plane and on it, and the loss of the best constant. */
static cairn_status count_rows(cairn_context *ctx, const problem *p, quantile_history *history)
{
    SCOPED_SCRATCH(ctx);
    size_t n = p->x.n;
    double size = history->loss / p->rows.total, *sorted, *weights;
    weighed *order;
    CHECK(SCRATCH_EACH(ctx, n + 1, &sorted, &weights, &order));
    for (size_t i = 0; i < n; i++) {
        bool on = fabs(p->dots[i]) <= 1e-9 * size;
        if (on) history->on += p->rows.weights[i];
        if (!on && p->dots[i] < 0) history->below += p->rows.weights[i];
        order[i] = (weighed){p->rows.targets[i], p->rows.weights[i]};
    }
    qsort(order, n, sizeof *order, by_value);
    for (size_t i = 0; i < n; i++) {
        sorted[i] = order[i].value;
        weights[i] = order[i].weight;
    }
    double level = cairn_weighted_quantile(sorted, weights, n, p->tau, CAIRN_QUANTILE_INVERSE);
    if (!p->x.ones) level = 0;
    for (size_t i = 0; i < n; i++)
        history->null_loss += p->rows.weights[i] * row_loss(p->rows.targets[i] - level, p->tau);
    return CAIRN_OK;
}

/* The bandwidth of Hall and Sheather, made so small that τ ± h stays inside 0 .. 1. */
static double bandwidth(double tau, double n)
{
    double x = cairn_normal_quantile(tau), f = cairn_normal_density(x);
    double z = cairn_normal_quantile(0.975);
    double h = cairn_cbrt(z * z / n * 1.5 * f * f / (2 * x * x + 1));
    while (tau - h < 0 || tau + h > 1) h /= 2;
    return h;
}

/* cov = τ(1-τ) H⁻¹ X'WX H⁻¹, row by row of the inverse. */
static cairn_status sandwich(cairn_context *ctx, problem *p, double tau, quantile_history *history)
{
    size_t m = p->x.width;
    double *inverse, *half, *out;
    CHECK(SCRATCH_EACH(ctx, m * m + 1, &inverse, &half, &out));
    CHECK(find_gram(ctx, p, p->factors, p->side));
    CHECK(factorise(ctx, p));
    CHECK(cairn_cholesky_inverse(ctx, p->solved, m));
    for (size_t j = 0; j < m * m; j++)
        inverse[j] = p->solved[j] * p->units[j / m] * p->units[j % m];
    CHECK(find_gram(ctx, p, p->rows.weights, p->side));
    for (size_t j = 0; j < m; j++)
        for (size_t k = 0; k < m; k++)
            half[j * m + k] = cairn_dot(inverse + j * m, p->gram + k * m, m);
    for (size_t j = 0; j < m; j++)
        for (size_t k = 0; k < m; k++)
            out[j * m + k] = tau * (1 - tau) * cairn_dot(half + j * m, inverse + k * m, m);
    return cairn_tested_fill(ctx, &history->tested, &p->x, out);
}

/* Densities of the rows from the fits beside τ. */
static cairn_status find_errors(cairn_context *ctx, problem *p, quantile_history *history)
{
    size_t m = p->x.width;
    double tau = p->tau, h = bandwidth(tau, p->rows.total), loss, *difference;
    bool exact;
    CHECK(cairn_tested_new(ctx, &history->tested, p->x.n_terms));
    history->tested.df = cairn_weights_observations(
                             p->job->view, ((const quantile_params *)p->job->params)->weights_are) -
                         (double)m;
    if (!((const quantile_params *)p->job->params)->errors || !(history->tested.df > 0) || !m)
        return CAIRN_OK;
    CHECK(SCRATCH(ctx, &difference, m + 1));
    p->tau = tau + h;
    CHECK(solve(ctx, p, &loss, &exact));
    memcpy(difference, p->theta, m * sizeof *difference);
    p->tau = tau - h;
    CHECK(solve(ctx, p, &loss, &exact));
    for (size_t j = 0; j < m; j++) difference[j] -= p->theta[j];
    CHECK(find_dots(ctx, p, difference, p->dots));
    for (size_t i = 0; i < p->x.n; i++) {
        double f = fmax(0, 2 * h / (p->dots[i] - sqrt(DBL_EPSILON)));
        p->factors[i] = p->rows.weights[i] * f;
        p->side[i] = 0;
    }
    return sandwich(ctx, p, tau, history);
}

/* -- proof -- */

/* The places of the linear program as slopes, and the residuals of the rows. */
typedef struct proof {
    const double *slopes, *targets;
    double *residuals, shift;
} proof;

static void proof_rows(const void *data, size_t first, size_t n, const double *scores,
                       double *slopes, double *bends, double *sizes)
{
    const proof *f = data;
    for (size_t i = 0; i < n; i++) {
        f->residuals[first + i] = f->targets[first + i] + f->shift - scores[i];
        slopes[i] = f->slopes[first + i];
        bends[i] = 0;
        sizes[i] = 1;
    }
}

/* Where the interior point has left something of X'Wd: rows off the plane get the end of the
 * interval that their side asks for, and those on it take up what is left, as far as their
 * intervals go. */
static cairn_status settle_slopes(cairn_context *ctx, const problem *p, double *d,
                                  const double *residuals, double near)
{
    enum { MOST_ON = 1000, ROUNDS = 60 };
    SCOPED_SCRATCH(ctx);
    size_t m = p->x.width, n = p->x.n, k = 0, rank, *on;
    double *rows, *a, *left, *lengths, *change, *z;
    CHECK(SCRATCH(ctx, &on, n + 1));
    CHECK(SCRATCH_EACH(ctx, m, &left, &lengths, &z));
    for (size_t i = 0; i < n; i++) {
        if (!(p->rows.weights[i] > 0)) continue;
        bool off = fabs(residuals[i]) > near;
        if (off) d[i] = residuals[i] < 0 ? p->tau - 1 : p->tau;
        if (!off) on[k++] = i;
        cairn_matrix_rows(&p->x, i, 1, z);
        for (size_t j = 0; j < m; j++) lengths[j] += p->rows.weights[i] * z[j] * z[j];
    }
    if (!k || k > MOST_ON) return CAIRN_OK;
    for (size_t j = 0; j < m; j++) lengths[j] = lengths[j] > 0 ? sqrt(lengths[j]) : 1;
    CHECK(SCRATCH_EACH(ctx, cairn_product(m, k), &rows, &a));
    CHECK(SCRATCH(ctx, &change, k));
    for (size_t i = 0; i < k; i++) {
        cairn_matrix_rows(&p->x, on[i], 1, z);
        for (size_t j = 0; j < m; j++) rows[i * m + j] = p->rows.weights[on[i]] * z[j] / lengths[j];
    }
    for (int round = 0; round < ROUNDS; round++) {
        bool inside = true;
        memset(left, 0, m * sizeof *left);
        for (size_t i = 0; i < n; i++) {
            cairn_matrix_rows(&p->x, i, 1, z);
            for (size_t j = 0; j < m; j++) left[j] -= p->rows.weights[i] * d[i] * z[j] / lengths[j];
        }
        memcpy(a, rows, m * k * sizeof *a);
        CHECK(cairn_svd_least_squares(ctx, change, NULL, &rank, a, left, m, k, 1e-13));
        for (size_t i = 0; i < k; i++) {
            double now = d[on[i]] + change[i];
            d[on[i]] = fmax(p->tau - 1, fmin(p->tau, now));
            inside = inside && fabs(d[on[i]] - now) <= 1e-12;
        }
        if (inside) break;
    }
    return CAIRN_OK;
}

/* Sum over the rows of the sizes of the terms of their scores. */
static double terms_of(const problem *p, const double *weights)
{
    double sum = p->rows.total * fabs(weights[p->x.n_terms]);
    for (size_t i = 0; i < p->x.n; i++)
        for (size_t j = 0; j < p->x.n_terms; j++)
            sum += p->rows.weights[i] * fabs(weights[j] * cairn_matrix_value(&p->x, i, j));
    return sum;
}

/* Any d between τ − 1 and τ with X'Wd = 0 bounds the loss from below by Σ w d y; that of the
 * interior point is it. Of columns that nearly depend on each other X'Wd says little about what
 * tells them apart: it must be 0 by their directions, too. */
static cairn_status certify(cairn_context *ctx, const problem *p, const problem *solved,
                            const double *weights, const double *directions, bool converged)
{
    SCOPED_SCRATCH(ctx);
    const double near_0 = 1e-9; /* of X'Wd, which large weights enlarge */
    const double usual = 1e-6, most = 1e-4;
    double bound = usual; /* of the gap: more where the weights have no more digits */
    double terms = p->x.width ? terms_of(p, weights) : 0;
    cairn_certificate *c = p->job->certificate, first = {.has = 0};
    cairn_slopes s = {.view = p->job->view, .weights = weights, .n_scores = 1};
    double *slopes;
    proof f = {.targets = p->rows.targets, .shift = p->rows.shift};
    if (!c || !p->x.width) return CAIRN_OK;
    CHECK(SCRATCH_EACH(ctx, p->x.n + 1, &slopes, &f.residuals));
    for (size_t i = 0; i < p->x.n; i++)
        slopes[i] = fmax(p->tau - 1, fmin(p->tau, solved->a[i] - (1 - p->tau)));
    f.slopes = slopes;
    s.row_weights = p->rows.weights;
    s.constant = p->x.ones;
    s.rows = proof_rows;
    s.data = &f;
    c->limited |= !converged;
    if (directions) c->remedy = "leave a column out that nearly depends on others ({ignore})";
    for (int round = 0; round < 3; round++) {
        double loss = 0, gap = 0, size = 0;
        first = (cairn_certificate){.has = 0};
        if (directions) {
            cairn_slopes transposed = s;
            transposed.view = solved->job->view;
            transposed.weights = directions;
            transposed.constant = false;
            CHECK(cairn_slopes_certify(ctx, &first, CAIRN_PROOF_CONDITIONS, &transposed, near_0));
        }
        CHECK(cairn_slopes_certify(ctx, &first, CAIRN_PROOF_CONDITIONS, &s, near_0));
        for (size_t i = 0; i < p->x.n; i++) {
            double w = p->rows.weights[i], r = f.residuals[i];
            double cost = r * (r < 0 ? p->tau - 1 : p->tau);
            loss += w * cost;
            gap += w * (cost - slopes[i] * r);
            size += w * (fabs(p->rows.targets[i]) + fabs(p->rows.shift) + fabs(r));
        }
        double rounding = 1e-14 * size + fmin(2 * DBL_EPSILON * terms, 1e-10 * size);
        double whole = loss + rounding / usual;
        bound = fmax(usual, fmin(most, 4 * DBL_EPSILON * terms / fmax(whole, DBL_MIN)));
        cairn_certify(&first, CAIRN_PROOF_GAP, whole > 0 ? gap / whole : gap, bound);
        if (first.left[CAIRN_PROOF_GAP] <= bound && first.left[CAIRN_PROOF_CONDITIONS] <= near_0)
            break;
        double near = 1e-9 * loss + 1e-12 * (size + terms);
        if (round == 0)
            CHECK(settle_slopes(ctx, solved, slopes, f.residuals, near / p->rows.total));
        if (round == 1 && loss > bound * whole) break;
        if (round == 1) memset(slopes, 0, p->x.n * sizeof *slopes); /* where there is no loss */
    }
    cairn_certify(c, CAIRN_PROOF_CONDITIONS, first.left[CAIRN_PROOF_CONDITIONS], near_0);
    cairn_certify(c, CAIRN_PROOF_GAP, first.left[CAIRN_PROOF_GAP], bound);
    return CAIRN_OK;
}

/* Where the columns nearly depend on each other, the problem is solved in other directions and its
 * answer is turned back. */
static cairn_status fit_both(cairn_context *ctx, cairn_weights *model, quantile_history *history,
                             const cairn_job *job)
{
    const double safe = 1e-7; /* of the gram matrix: its factors lose half of their digits */
    const quantile_params *params = job->params;
    problem p = {.job = job, .tau = params->tau}, other, *solved = &p;
    basis b = {.k = 0};
    size_t n_dense, n_terms;
    double *raw, *directions = NULL;
    cairn_terms_count(job->schema, &n_dense, &n_terms);
    CHECK(open_problem(ctx, &p, n_terms, params->intercept));
    if (p.x.width) {
        CHECK(find_gram(ctx, &p, p.rows.weights, p.rows.targets));
        CHECK(factorise(ctx, &p));
        if (p.condition < safe) CHECK(turn(ctx, &b, &p, &other));
        if (p.condition < safe) solved = &other;
    }
    CHECK(solve(ctx, solved, &history->loss, &history->exact));
    history->iterations = solved->iterations;
    history->converged = history->exact || solved->iterations < MOST_ITERATIONS;
    history->total = p.rows.total;
    CHECK(SCRATCH(ctx, &raw, p.x.n_terms + 1));
    if (solved != &p) {
        CHECK(SCRATCH(ctx, &directions, b.k + 1));
        cairn_matrix_raw(&other.x, other.theta, 1, 1, directions);
        turn_back(&b, directions, p.theta, p.x.width);
    }
    cairn_matrix_raw(&p.x, p.theta, 1, 1, raw);
    raw[p.x.n_terms] += p.rows.shift;
    CHECK(certify(ctx, &p, solved, raw, directions, history->converged));
    CHECK(find_loss(ctx, &p, p.theta, &history->loss));
    CHECK(count_rows(ctx, &p, history));
    CHECK(find_errors(ctx, &p, history));
    cairn_report_step_begin(job->steps, "The linear program");
    cairn_report_formula(job->steps, "minimise Σ ρ(y − b − c·x) with ρ(r) = τ·r above the plane, "
                                     "(τ − 1)·r below");
    cairn_report_worked(job->steps, "Σ ρ", "τ Σ₊ r + (1 − τ) Σ₋ |r| = #", history->loss);
    cairn_report_worked(job->steps, "rows below and on the plane", "#, # of #", history->below,
                        history->on, history->total);
    cairn_report_step_end(job->steps);
    return cairn_weights_keep(ctx, model, raw, p.x.n_terms, p.x.ones);
}

static cairn_status quantile_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    quantile_history own = {0};
    cairn_status status = fit_both(ctx, model, job->history ? job->history : &own, job);
    cairn_tested_clear(&own.tested);
    return status;
}

/* -- showing and keeping -- */

/* R¹ is missing where the best constant has no loss to take away from. */
static void quantile_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const quantile_history *history = job->history;
    const quantile_params *params = job->params;
    cairn_report_heading(out, 2, "Quantile regression");
    cairn_report_value(out, "quantile τ", params->tau, "tau");
    cairn_tested_show(out, history ? &history->tested : NULL, model, job, params->level);
    if (!history) return;
    cairn_report_value(out, "loss Σ ρ", history->loss, "loss");
    cairn_report_value(out, "loss of the best constant", history->null_loss, "null_loss");
    cairn_report_value(out, "R¹: what the terms take away of it",
                       history->null_loss > 0 ? 1 - history->loss / history->null_loss : NAN, "r1");
    cairn_report_value(out, "rows", history->total, "rows");
    cairn_weights_show_meaning(out, job, ((const quantile_params *)job->params)->weights_are,
                               history->total);
    cairn_report_value(out, "rows below the plane", history->below, "below");
    cairn_report_value(out, "rows on it", history->on, "on");
    cairn_report_value(out, "iterations", (double)history->iterations, "iterations");
    cairn_report_hidden_word(out, history->exact ? "yes" : "no", "exact");
    if (!history->converged)
        cairn_report_note(out, "It has not converged within %d iterations.", MOST_ITERATIONS);
}

static cairn_status archive_history(cairn_archive *a, void *data, const void *model)
{
    quantile_history *history = data;
    CHECK(cairn_tested_archive(a, &history->tested, model));
    double *const reals[] = {&history->loss, &history->null_loss, &history->total, &history->below,
                             &history->on};
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
        CHECK(cairn_archive_real(a, "statistic", reals[i]));
    CHECK(cairn_archive_size(a, "iterations", &history->iterations, MOST_ITERATIONS));
    CHECK(cairn_archive_bool(a, "converged", &history->converged));
    return cairn_archive_bool(a, "exact", &history->exact);
}

static void clear_history(void *data)
{
    cairn_tested_clear(&((quantile_history *)data)->tested);
}

static const cairn_history quantile_story = {
    .size = sizeof(quantile_history), .archive = archive_history, .clear = clear_history};

const cairn_learner cairn_quantile_regression = {
    .entry =
        {
            .kind = CAIRN_ENTRY_LEARNER,
            .name = "quantile-regression",
            .also = "median regression, least absolute deviations, LAD, L1 regression, rq, pinball "
                    "loss, QuantileRegressor",
            .title = "Quantile regression",
            .summary =
                "Fits the plane with a given share of the rows below it: the median by default, "
                "which large residuals do not move, or any other quantile, such as 0.9 for what "
                "nine rows of ten stay under. An interior-point method finds it in a few dozen "
                "passes, and the corner of the linear program makes it exact.",
            .references = "Koenker and Bassett, Regression quantiles (1978); Portnoy and Koenker, "
                          "The Gaussian hare and the Laplacian tortoise (1997)",
            .example = "cairn fit quantile-regression @used-cars --target price --tau 0.9",
            .params = quantile_parameters,
            .params_size = sizeof(quantile_params),
        },
    .tasks = CAIRN_REGRESS,
    .accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_WEIGHTS | CAIRN_ACCEPTS_NO_FEATURES |
               CAIRN_WANTS_REFERENCE,
    .traits = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_GEOMETRIC | CAIRN_GRADING,
    CAIRN_WEIGHTS_RECORD,
    .tables = cairn_tested_tables,
    .history = &quantile_story,
    .fit = quantile_fit,
    .describe = quantile_describe,
};
