/* SPDX-License-Identifier: MIT */
/* Linear support vector machines of many rows: eight machines at a time, row by row. The constant
 * is the weight of a column of ones. */
#include "base/memory.h"
#include "learners/kernel/svm_fit.h"
#include "parallel/parallel.h"
#include "rows/matrix.h"
#include "solve/dual_rows.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* Epochs at most: so many visits of rows, but not fewer than these. */
enum { MOST_VISITS = 20000000, LEAST_EPOCHS = 1000 };

typedef struct linear_fit {
    cairn_svm_fitting *f;
    cairn_svm_model *m;
    cairn_sparse_rows rows;
    double *costs; /* n */
    bool fine;     /* no tolerance was given, and the rows are few */
} linear_fit;

/* What is not 0 in the rows, and a 1 behind it. */
static cairn_status read_rows(cairn_context *ctx, linear_fit *l)
{
    const cairn_svm_fitting *f = l->f;
    cairn_view part = *f->job->view;
    cairn_row_matrix x;
    size_t *terms, room = 0, at = 0;
    double *values;
    part.rows = (cairn_rows){.indices = f->places, .n = f->n};
    CHECK(cairn_matrix_open(ctx, &x, &part, &(cairn_matrix_wish){.apart = true}));
    CHECK(SCRATCH_RAW(ctx, &terms, x.n_terms + 1));
    CHECK(SCRATCH_RAW(ctx, &values, x.n_terms + 1));
    CHECK(SCRATCH_RAW(ctx, &l->rows.starts, f->n + 1));
    for (size_t i = 0; i < f->n; i++) room += cairn_matrix_entries(&x, i, terms, values) + 1;
    CHECK(SCRATCH_RAW(ctx, &l->rows.items, room + 1));
    CHECK(SCRATCH_RAW(ctx, &l->rows.values, room + 1));
    for (size_t i = 0; i < f->n; i++) {
        size_t n = cairn_matrix_entries(&x, i, terms, values);
        double square = 0;
        l->rows.starts[i] = at;
        terms[n] = x.n_terms, values[n] = 1;
        for (size_t e = 0; e <= n; e++, at++) {
            l->rows.items[at] = (int32_t)terms[e];
            l->rows.values[at] = values[e];
            square += values[e] * values[e];
        }
        if (!isfinite(square)) return cairn_matrix_refuse(ctx, &x, NULL);
    }
    l->rows.starts[f->n] = at;
    l->rows.n = f->n;
    l->rows.n_terms = x.n_terms + 1;
    l->m->n_terms = x.n_terms;
    return CAIRN_OK;
}

/* The side of every row in the machines first .. first + n - 1. */
static void set_signs(const cairn_svm_fitting *f, size_t first, size_t n, int8_t *signs)
{
    for (size_t i = 0; i < f->n; i++)
        for (size_t l = 0; l < n; l++) {
            int32_t plus = f->plus[first + l], minus = f->minus[first + l], code = f->codes[i];
            signs[i * CAIRN_LANES + l] = code == plus ? 1 : minus < 0 || code == minus ? -1 : 0;
        }
}

/* Both objectives of machine k of the lanes and the conditions of its rows, from rows, weights and
 * multipliers alone; the constant counts in |w|. */
static cairn_status prove(cairn_context *ctx, const cairn_dual_rows *d, size_t k,
                          cairn_svm_proof *out, double *allowed)
{
    const cairn_sparse_rows *x = d->rows;
    long double primal = 0, dual = 0, left = 0, room = 0, largest = 0, *sums;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH(ctx, &sums, x->n_terms + 1));
    for (size_t i = 0; i < x->n; i++) largest = fmaxl(largest, d->alphas[i * CAIRN_LANES + k]);
    for (size_t i = 0; i < x->n; i++) {
        double y = d->signs[i * CAIRN_LANES + k], alpha = d->alphas[i * CAIRN_LANES + k];
        double c = d->costs[i];
        long double over = 1;
        if (y == 0) continue;
        for (size_t e = x->starts[i]; e < x->starts[i + 1]; e++) {
            sums[x->items[e]] += (long double)alpha * y * x->values[e];
            over -=
                (long double)y * d->weights[(size_t)x->items[e] * CAIRN_LANES + k] * x->values[e];
        }
        long double slack = fmaxl(over, 0), wanted = 2 * c * slack;
        primal += d->squared ? c * slack * slack : c * slack;
        dual += d->squared ? alpha - (long double)alpha * alpha / (4 * c) : alpha;
        room += d->squared ? fmaxl(alpha, wanted) : over < 0 ? alpha : c - alpha;
        left = fmaxl(left, d->squared ? fabsl(alpha - wanted) / (largest + c)
                           : over < 0 ? fminl(alpha / (largest + DBL_MIN), -over)
                                      : fminl((c - alpha) / c, over));
        if (alpha < 0 || (!d->squared && alpha > c)) left = INFINITY;
    }
    for (size_t t = 0; t < x->n_terms; t++) {
        long double w = d->weights[t * CAIRN_LANES + k];
        primal += w * w / 2;
        dual -= sums[t] * sums[t] / 2;
    }
    *allowed = (double)(room * d->tolerance / primal);
    *out = (cairn_svm_proof){.primal = (double)primal, .dual = (double)dual};
    out->whole = (double)primal;
    out->gap = (double)(fabsl(primal - dual) / primal);
    out->conditions = (double)left;
    return CAIRN_OK;
}

/* The weights of some machines, and what is told of them. */
static cairn_status take(cairn_context *ctx, linear_fit *l, const cairn_dual_rows *d, size_t first)
{
    size_t count = l->f->n_machines;
    for (size_t k = 0; k < d->n_lanes; k++) {
        cairn_svm_problem *one = &l->f->machines[first + k];
        cairn_svm_machine *told = &one->told;
        double allowed;
        CHECK(prove(ctx, d, k, &one->proof, &allowed));
        one->proof.bound = fmax(CAIRN_SVM_ROUNDING, 2 * d->tolerance);
        one->proof.gap_bound = fmax(CAIRN_SVM_ROUNDING, l->fine ? 0 : allowed);
        one->limited = !d->converged[k] || one->proof.gap > one->proof.gap_bound;
        for (size_t t = 0; t < l->rows.n_terms; t++)
            l->m->weights[t * count + first + k] = d->weights[t * CAIRN_LANES + k];
        one->constant = d->weights[(l->rows.n_terms - 1) * CAIRN_LANES + k];
        told->top = told->bottom = one->constant;
        told->value = -one->proof.dual;
        told->gap = d->gaps[k];
        told->steps = d->epochs[k];
        told->converged = !one->limited;
        told->rho = 1;
        for (size_t i = 0; i < l->rows.n; i++) {
            double alpha = d->alphas[i * CAIRN_LANES + k];
            bool bound = !d->squared && alpha >= d->costs[i];
            told->n += d->signs[i * CAIRN_LANES + k] != 0;
            told->n_vectors += alpha > 0;
            told->n_bound += alpha > 0 && bound;
            told->n_free += alpha > 0 && !bound;
        }
    }
    return CAIRN_OK;
}

/* Eight machines. */
static cairn_status fit_lanes(cairn_context *ctx, void *data, size_t group)
{
    linear_fit *l = data;
    const cairn_svm_params *p = l->f->params;
    size_t first = group * CAIRN_LANES, left = l->f->n_machines - first;
    int8_t *signs;
    SCOPED_SCRATCH(ctx);
    cairn_dual_rows d = {.what = "svm",
                         .rows = &l->rows,
                         .costs = l->costs,
                         .squared = p->loss == CAIRN_SVM_SQUARED,
                         .tolerance = l->fine ? 1e-10 : cairn_svm_tolerance(p, l->rows.n)};
    d.n_lanes = left < CAIRN_LANES ? left : CAIRN_LANES;
    d.most =
        MOST_VISITS / (l->rows.n + 1) > LEAST_EPOCHS ? MOST_VISITS / (l->rows.n + 1) : LEAST_EPOCHS;
    if (d.most > (size_t)p->max_iter) d.most = (size_t)p->max_iter;
    CHECK(SCRATCH(ctx, &signs, cairn_product(l->rows.n, CAIRN_LANES) + 1));
    CHECK(SCRATCH_RAW(ctx, &d.alphas, cairn_product(l->rows.n, CAIRN_LANES) + 1));
    CHECK(SCRATCH_RAW(ctx, &d.weights, cairn_product(l->rows.n_terms, CAIRN_LANES) + 1));
    set_signs(l->f, first, d.n_lanes, signs);
    d.signs = signs;
    CHECK(cairn_dual_rows_solve(ctx, &d, 0));
    return take(ctx, l, &d, first);
}

cairn_status cairn_svm_fit_linear(cairn_context *ctx, cairn_svm_model *model, cairn_svm_fitting *f)
{
    linear_fit l = {.f = f, .m = model};
    l.fine = f->params->tolerance == 0 && f->n <= CAIRN_SVM_FINE;
    CHECK(read_rows(ctx, &l));
    CHECK(SCRATCH_RAW(ctx, &l.costs, f->n + 1));
    for (size_t i = 0; i < f->n; i++) l.costs[i] = f->params->c * f->weights[i];
    CHECK(NEW(ctx, &model->weights, cairn_product(l.rows.n_terms, f->n_machines) + 1));
    return cairn_tasks(ctx, cairn_block_count(f->n_machines, CAIRN_LANES), fit_lanes, &l);
}
