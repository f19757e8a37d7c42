/* SPDX-License-Identifier: MIT */
/* Proof that penalised coefficients are the least: the conditions of Karush, Kuhn and Tucker and
 * the duality gap. With u the residuals and v = X'u,
 *
 *     |v_j − ridge c_j| <= lasso, and equal to it, with the sign of c_j, where c_j is other than 0;
 *     primal − dual = Σ lasso |c_j| + ridge c_j²/2 − c_j v_j + conjugate(v_j)
 *
 * where the conjugate of the penalty is (|v| − lasso)₊² / (2 ridge). Without a ridge u is shrunk
 * until every |v_j| is within its lasso; with one, rows √ridge c are added and the same is done,
 * and the smaller of the two gaps counts. A power q other than 1 has conditions, but no gap.
 *
 * The strength that was taken is proved by a pass over the rows; those beside it, which the path
 * shows, by the products of the columns. */
#include "base/functions.h"
#include "base/memory.h"
#include "kernels/kernels.h"
#include "learners/linear/lasso.h"
#include "rows/slopes.h"
#include "solve/solvers.h"
#include <float.h>
#include <math.h>

static const double BOUND = 1e-7;

typedef struct proof {
    size_t n;
    double bound;           /* of what is left */
    double q, squares;      /* of the residuals */
    double *theta;          /* n */
    double *slopes;         /* n: v − ridge c */
    double *sizes, *noise;  /* n: of the slopes */
    double *lassos, *ridge; /* n */
} proof;

/* Who asks to see every row once knows that more would be better: that is told and not judged. */
static cairn_status proof_open(cairn_context *ctx, const cairn_lasso_problem *problem, proof *p,
                               size_t n)
{
    bool once = problem->params->protocol == CAIRN_PROTOCOL_ONLINE;
    *p = (proof){.n = n, .bound = once ? INFINITY : BOUND};
    CHECK(SCRATCH(ctx, &p->theta, 6 * (n + 1)));
    p->slopes = p->theta + n + 1;
    p->sizes = p->slopes + n + 1;
    p->noise = p->sizes + n + 1;
    p->lassos = p->noise + n + 1;
    p->ridge = p->lassos + n + 1;
    return CAIRN_OK;
}

/* How far a slope is from what its coefficient allows. */
static double violation(const proof *p, size_t j)
{
    double c = p->theta[j], g = p->slopes[j];
    if (c == 0)
        return p->q < 1 && p->lassos[j] > 0 ? 0 : p->q > 1 ? fabs(g) : fabs(g) - p->lassos[j];
    double pull = p->lassos[j];
    if (p->q != 1) pull *= p->q * cairn_pow(fabs(c), p->q - 1);
    return fabs(g - copysign(pull, c));
}

/* Primal less dual, and what of it rounding may be. */
static double gap_of(const proof *p, double *objective, double *noise)
{
    double lasso = 0, ridge = 0, along = 0, young = 0, share = 1;
    *noise = 0;
    for (size_t j = 0; j < p->n; j++) {
        double c = p->theta[j], l = p->lassos[j], r = p->ridge[j], v = p->slopes[j] + r * c;
        double beyond = fmax(0, fabs(v) - l - p->noise[j]), out = fabs(p->slopes[j]);
        lasso += l * fabs(c);
        ridge += r * c * c / 2;
        along += c * p->slopes[j];
        young += l * fabs(c) + r * c * c / 2 - c * v;
        young += r > 0 ? beyond * beyond / (2 * r) : beyond > 0 ? INFINITY : 0;
        if (out > l + p->noise[j]) share = fmin(share, (l + p->noise[j]) / out);
        *noise += fabs(c) * p->noise[j];
    }
    *objective = p->squares / 2 + lasso + ridge;
    double u = p->squares + 2 * ridge;
    double dual = share * (u + along) - share * share / 2 * u;
    return fmax(0, fmin(young, *objective - dual));
}

static void judge(cairn_certificate *c, const proof *p)
{
    double objective, noise;
    for (size_t j = 0; j < p->n; j++) {
        double size = p->sizes[j] + p->lassos[j] + p->noise[j] / BOUND;
        cairn_certify(c, CAIRN_PROOF_CONDITIONS, size > 0 ? fmax(0, violation(p, j)) / size : 0,
                      p->bound);
    }
    if (p->q != 1) return;
    double gap = gap_of(p, &objective, &noise);
    objective += noise / BOUND;
    cairn_certify(c, CAIRN_PROOF_GAP, objective > 0 ? gap / objective : gap, p->bound);
}

/* The coefficients of the model at a strength, by the rows themselves. */
static cairn_status by_rows(cairn_context *ctx, const cairn_lasso_problem *p, const cairn_job *job,
                            double strength, const double *weights)
{
    SCOPED_SCRATCH(ctx);
    cairn_slopes s = {.view = job->view, .weights = weights, .n_scores = 1};
    size_t terms = p->x.n_terms, n = s.view->rows.n;
    double *targets, *ridges, *lassos, *scales, most = 0, lasso, ridge;
    proof f;
    CHECK(proof_open(ctx, p, &f, terms + (p->params->intercept ? 1 : 0)));
    CHECK(SCRATCH(ctx, &targets, n + 1));
    CHECK(SCRATCH_EACH(ctx, terms + 1, &ridges, &scales));
    cairn_view_target_numbers(s.view, 0, n, targets);
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs(targets[i]));
    cairn_slopes_squares squares = {targets, n, 1, cairn_slopes_unit(most)};
    cairn_lasso_factors(p, strength, p->all.total, &lasso, &ridge);
    CHECK(SCRATCH(ctx, &lassos, terms + 1));
    for (size_t j = 0; j < p->n; j++) ridges[j] = ridge, lassos[j] = lasso;
    s.constant = p->params->intercept;
    s.ridges = ridges;
    s.lassos = lassos;
    s.rows = cairn_slopes_squares_rows;
    s.data = &squares;
    s.unit = squares.unit;
    CHECK(cairn_slopes_of(ctx, &s, f.slopes, f.sizes, f.noise, scales));
    double root = sqrt(p->all.total), q = f.q = isnan(p->params->q) ? 1 : p->params->q;
    f.squares = f.sizes[terms] - fabs(ridges[terms] * weights[terms] * s.unit);
    f.squares = f.squares / root * (f.squares / root);
    for (size_t j = 0; j < f.n; j++) {
        double scale = j < terms ? scales[j] : 1, factor = j < p->n ? lasso : 0;
        f.slopes[j] = -f.slopes[j];
        f.theta[j] = weights[j] * s.unit / scale;
        f.lassos[j] = factor * s.unit * scale;
        if (q != 1) f.lassos[j] = factor * s.unit * s.unit * cairn_pow(scale / s.unit, q);
        f.ridge[j] = ridges[j] * scale * scale;
    }
    judge(job->certificate, &f);
    return CAIRN_OK;
}

/* A strength of the path, by the products of the columns. */
static cairn_status by_products(cairn_context *ctx, const cairn_lasso_problem *p,
                                cairn_certificate *c, double strength, const double *theta)
{
    SCOPED_SCRATCH(ctx);
    const cairn_lasso_sums *all = &p->all;
    size_t n = p->n;
    double lasso, ridge, terms = sqrt(all->squares), unit = p->x.scale[p->x.n_terms];
    proof f;
    CHECK(proof_open(ctx, p, &f, n));
    cairn_lasso_factors(p, strength, all->total, &lasso, &ridge);
    f.q = isnan(p->params->q) ? 1 : p->params->q;
    f.squares = all->squares;
    for (size_t j = 0; j < n; j++) {
        f.theta[j] = theta[j];
        f.slopes[j] += all->side[j];
        if (theta[j] != 0) cairn_axpy(f.slopes, -theta[j], all->gram + j * n, n);
        terms += fabs(theta[j]) * sqrt(all->gram[j * (n + 1)]);
    }
    for (size_t j = 0; j < n; j++) f.squares -= theta[j] * (f.slopes[j] + all->side[j]);
    f.squares = fmax(0, f.squares);
    double many = 8 * sqrt((double)n + 1) + sqrt((double)p->x.n);
    for (size_t j = 0; j < n; j++) {
        double own = p->units[j], length = sqrt(all->gram[j * (n + 1)]);
        f.ridge[j] = ridge * unit * own * (unit * own);
        f.lassos[j] = lasso * unit * (unit * (f.q == 1 ? own : cairn_pow(own, f.q)));
        f.slopes[j] -= f.ridge[j] * theta[j];
        f.sizes[j] = length * sqrt(f.squares) + fabs(f.ridge[j] * theta[j]);
        f.noise[j] = DBL_EPSILON * many * (length * terms + fabs(f.ridge[j] * theta[j]));
    }
    judge(c, &f);
    return CAIRN_OK;
}

cairn_status cairn_lasso_certify(cairn_context *ctx, const cairn_lasso_problem *p,
                                 const cairn_job *job, const cairn_lasso_history *history,
                                 const double *thetas, const double *weights)
{
    if (!job->certificate) return CAIRN_OK;
    job->certificate->limited |= history->n_unsolved > 0;
    job->certificate->remedy =
        p->params->protocol == CAIRN_PROTOCOL_RANDOM ? "raise {epochs}" : "take a larger {lambda}";
    for (size_t i = 0; i < p->n_path && !p->wide; i++)
        CHECK(by_products(ctx, p, job->certificate, p->strengths[i], thetas + i * p->n));
    return by_rows(ctx, p, job, p->strengths[history->chosen], weights);
}
