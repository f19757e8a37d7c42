/* SPDX-License-Identifier: MIT */
/* The lasso from rows that come one by one: after each a step down its own squared residual, and
 * then the penalty, which pulls every coefficient towards 0 and holds small ones there.
 *
 * Rows that are drawn with repeats end at the minimum itself: the slope of each row as it was last
 * seen is remembered, and a step goes by how the row's has changed and by the mean of all (Defazio,
 * Bach and Lacoste-Julien, SAGA: a fast incremental gradient method, 2014). Rows that are seen once
 * have no earlier slope; steps become shorter with their number (Duchi and Singer, Efficient online
 * and batch learning using forward backward splitting, 2009). */
#include "base/memory.h"
#include "base/random.h"
#include "kernels/kernels.h"
#include "learners/linear/lasso.h"
#include "report/table_rows.h"
#include "solve/solvers.h"
#include <math.h>
#include <string.h>

enum { SHOWN_UPDATES = 40, SHOWN_TERMS = 8, TICK_ROWS = 4096 };

#define ENOUGH 1e-11 /* of the largest slope that a column could have */

typedef struct course {
    const cairn_lasso_problem *p;
    const cairn_job *job;
    size_t n, width;             /* rows of positive weight, coefficients */
    uint32_t *which;             /* n: rows of the view */
    double *rows;                /* n x width, about the means where the constant is free */
    double *targets;             /* n */
    double *weights;             /* n */
    double *factors;             /* n: what multiplies a row in its slope, as it was last seen */
    double *mean;                /* width: of the slopes as they were last seen */
    double *c;                   /* width: the coefficients, in own units */
    double eta, lasso, ridge, q; /* of a mean over the rows */
    size_t updates;
    bool open;
} course;

/* Rows as numbers, without those of weight 0; what a free constant takes is taken out. */
static cairn_status read_rows(cairn_context *ctx, course *c)
{
    const cairn_view *view = c->job->view;
    size_t terms = c->p->x.n_terms, all = view->rows.n;
    size_t *items;
    double *values, *weights, *targets, *means, total = 0;
    cairn_row_matrix x;
    CHECK(cairn_matrix_open(ctx, &x, view, &(cairn_matrix_options){.apart = true}));
    CHECK(SCRATCH_RAW(ctx, &c->rows, cairn_product(all, c->width) + 1));
    CHECK(SCRATCH_RAW_EACH(ctx, all + 1, &weights, &targets, &c->which));
    CHECK(SCRATCH_EACH(ctx, terms + 1, &items, &values));
    CHECK(SCRATCH(ctx, &means, c->width + 2));
    cairn_view_weights(view, 0, all, weights);
    cairn_view_target_numbers(view, 0, all, targets);
    for (size_t i = 0; i < all; i++) {
        double *row = c->rows + c->n * c->width;
        if (!(weights[i] > 0)) continue;
        memset(row, 0, c->width * sizeof *row);
        size_t n = cairn_matrix_entries(&x, i, items, values);
        for (size_t e = 0; e < n; e++) row[items[e]] = values[e];
        if (c->width > terms) row[terms] = 1;
        weights[c->n] = weights[i], targets[c->n] = targets[i];
        total += weights[i];
        cairn_axpy(means, weights[i], row, c->width);
        means[c->width] += weights[i] * targets[i];
        c->which[c->n++] = (uint32_t)i;
    }
    for (size_t i = 0; c->p->free && i < c->n; i++) {
        cairn_axpy(c->rows + i * c->width, -1 / total, means, c->width);
        targets[i] -= means[c->width] / total;
    }
    c->weights = weights;
    c->targets = targets;
    return CAIRN_OK;
}

/* A step that no row can make too long, unless one is asked for. */
static void choose_eta(course *c)
{
    const cairn_lasso_params *params = c->p->params;
    bool once = params->protocol == CAIRN_PROTOCOL_ONLINE;
    double most = 0;
    for (size_t i = 0; i < c->n; i++) {
        const double *row = c->rows + i * c->width;
        most = fmax(most, c->weights[i] * cairn_dot(row, row, c->width));
    }
    c->eta = !isnan(params->eta) ? params->eta : most > 0 ? 1 / (once ? most : 3 * most) : 1;
}

static void end_updates(course *c)
{
    if (!c->open) return;
    cairn_report_table_end(c->job->steps);
    cairn_report_step_end(c->job->steps);
    c->open = false;
}

/* The first rows, one line each. */
static cairn_status show_update(cairn_context *ctx, course *c, size_t i, double residual)
{
    cairn_report *out = c->job->steps;
    size_t shown = c->width < SHOWN_TERMS ? c->width : SHOWN_TERMS, number = c->updates;
    const char *const *names;
    if (!out || number > SHOWN_UPDATES) return CAIRN_OK;
    CHECK(cairn_term_names(ctx, &names, c->job->schema));
    if (number == 1) {
        c->open = true;
        cairn_report_step_begin(out, "The first updates");
        cairn_report_formula(out, c->p->params->protocol == CAIRN_PROTOCOL_ONLINE
                                      ? "c ← S(c + (η/√t) r x, (η/√t) λ/n),  r = y − c·x"
                                      : "c ← S(c + η (r x − the last r x of the row + mean), η "
                                        "λ/n),  r = y − c·x");
        cairn_report_value(out, "η", c->eta, "eta");
        cairn_report_table_of(out, "Row after row: residual before, coefficients after",
                              SHOWN_UPDATES, "rrr", "update", "row", "r");
        for (size_t j = 0; j < shown; j++)
            cairn_report_column(out, j < c->p->x.n_terms ? names[j] : "intercept", 'r');
    }
    cairn_report_cells(out, "- - update$1.residual", number,
                       cairn_view_row(c->job->view, c->which[i]) + 1, residual);
    for (size_t j = 0; j < shown; j++)
        cairn_report_cell_number(out, c->c[j], 0, "update%zu.c.%zu", number, j + 1);
    if (number == SHOWN_UPDATES) end_updates(c);
    return CAIRN_OK;
}

/* One row: down its squared residual, then the penalty. */
static cairn_status take_row(cairn_context *ctx, course *c, size_t i)
{
    bool once = c->p->params->protocol == CAIRN_PROTOCOL_ONLINE;
    const double *row = c->rows + i * c->width;
    double residual = c->targets[i] - cairn_dot(row, c->c, c->width);
    double factor = c->weights[i] * residual, eta = c->eta;
    c->updates++;
    if (once) {
        eta /= sqrt((double)c->updates);
        cairn_axpy(c->c, eta * factor, row, c->width);
    } else {
        double change = factor - c->factors[i];
        for (size_t j = 0; j < c->width; j++) c->c[j] += eta * (change * row[j] + c->mean[j]);
        cairn_axpy(c->mean, change / (double)c->n, row, c->width);
        c->factors[i] = factor;
    }
    for (size_t j = 0; j < c->width; j++)
        c->c[j] = cairn_penalised_number(1 + eta * c->ridge, c->c[j], eta * c->lasso, c->q);
    return show_update(ctx, c, i, residual);
}

/* Whether the slopes at the coefficients balance the penalty. */
static bool is_least(const course *c, double strength, double *theta, double *buffer)
{
    const cairn_lasso_sums *all = &c->p->all;
    cairn_penalised f = cairn_lasso_at(c->p, all, strength, buffer);
    for (size_t j = 0; j < c->width; j++) theta[j] = c->c[j] / c->p->units[j];
    for (size_t j = 0; j < c->width; j++) {
        double curve = all->gram[j * (c->width + 1)], slope = all->side[j];
        slope -= cairn_dot(all->gram + j * c->width, theta, c->width);
        double best =
            cairn_penalised_number(curve + f.ridges[j], slope + curve * theta[j], f.lassos[j], f.q);
        double moves = fabs(best - theta[j]) * (curve + f.ridges[j]);
        if (curve > 0 && !(moves <= ENOUGH * sqrt(curve * all->squares))) return false;
    }
    return true;
}

static bool are_finite(const course *c)
{
    for (size_t j = 0; j < c->width; j++)
        if (!isfinite(c->c[j])) return false;
    return true;
}

/* Epochs until the slopes balance the penalty; one where every row is seen once. */
static cairn_status run(cairn_context *ctx, course *c, double strength, double *theta,
                        double *buffer, bool *converged)
{
    const cairn_lasso_params *params = c->p->params;
    bool once = params->protocol == CAIRN_PROTOCOL_ONLINE;
    size_t most = once ? 1 : (size_t)params->epochs;
    cairn_random random;
    cairn_random_start(&random, cairn_context_seed(ctx), 0);
    *converged = false;
    for (size_t epoch = 0; epoch < most && !*converged; epoch++) {
        for (size_t r = 0; r < c->n; r++) {
            if (r % TICK_ROWS == 0) CHECK(cairn_tick(ctx, "epochs", (double)epoch, (double)most));
            CHECK(take_row(ctx, c, once ? r : (size_t)cairn_random_below(&random, c->n)));
        }
        if (!are_finite(c))
            return cairn_fail(ctx, CAIRN_NO_SOLUTION,
                              "the coefficients grew beyond all numbers in epoch %zu: lower {eta}",
                              epoch + 1);
        *converged = is_least(c, strength, theta, buffer);
    }
    end_updates(c);
    return CAIRN_OK;
}

cairn_status cairn_lasso_by_rows(cairn_context *ctx, const cairn_lasso_problem *p,
                                 const cairn_job *job, double strength, double *theta,
                                 bool *converged)
{
    SCOPED_SCRATCH(ctx);
    course c = {.p = p, .job = job, .width = p->n};
    double *buffer, lasso, ridge;
    CHECK(read_rows(ctx, &c));
    CHECK(SCRATCH(ctx, &c.factors, c.n + 1));
    CHECK(SCRATCH_EACH(ctx, c.width + 1, &c.mean, &c.c));
    CHECK(SCRATCH(ctx, &buffer, 2 * c.width + 1));
    cairn_lasso_factors(p, strength, p->all.total, &lasso, &ridge);
    c.lasso = lasso / (double)c.n;
    c.ridge = ridge / (double)c.n;
    c.q = isnan(p->params->q) ? 1 : p->params->q;
    choose_eta(&c);
    return run(ctx, &c, strength, theta, buffer, converged);
}
