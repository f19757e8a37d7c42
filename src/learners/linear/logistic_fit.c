/* SPDX-License-Identifier: MIT */
/* The problem of logistic regression for the solvers: its rows and classes, its penalties, what is
 * looked for on the way.
 *
 * With many rows, a sample of them gives Newton's starting point: the first steps need no
 * precision.
 *
 * Without a penalty the likelihood may grow for ever. Two certificates are looked for: weights that
 * classify every row correctly (complete separation), and a direction along which no row's margin
 * falls and some rise (quasi-complete separation): Newton's steps become one. */
#include "base/functions.h"
#include "base/memory.h"
#include "kernels/kernels.h"
#include "decompose/linalg.h"
#include "learners/linear/logistic.h"
#include "learners/linear/logistic_path.h"
#include "learners/linear/logistic_steps.h"
#include "learners/linear/path_figures.h"
#include "parallel/parallel.h"
#include "report/table_rows.h"
#include "resample/resample.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Gradient ascent of the likelihood: w += eta (y - p) x, row by row or epoch by epoch.
 *
 * The rows come in order (batch), drawn at random with repeats (random), or once (online). A ridge
 * pulls by eta λ w / n at every row, so by eta λ w over an epoch. Everything is in the columns' own
 * units, as the formula stands; columns of very different size want --with standardise. It ends
 * when an epoch changes the objective by no more than tolerance times its value. */

enum { SHOWN_UPDATES = 60, SHOWN_WEIGHTS = 8 };

typedef struct ascent {
    cairn_logistic_fit *fit;
    const cairn_logistic_data *d;
    const cairn_logistic_params *params;
    size_t *terms;  /* of a row */
    double *values; /* of a row */
    double *p;      /* n_vectors */
    double pull;    /* the ridge's share of a row */
    bool open;      /* the table of updates */
    cairn_text buffer;
} ascent;

/* Probabilities of row i in s->p; returns the number of its terms. */
static size_t row_probabilities(const ascent *s, const double *w, size_t i)
{
    const cairn_logistic_data *d = s->d;
    size_t m = d->n_vectors, n = cairn_logistic_entries(d, i, s->terms, s->values);
    double margin;
    memset(s->p, 0, m * sizeof *s->p);
    for (size_t e = 0; e < n; e++)
        for (size_t k = 0; k < m; k++) s->p[k] += s->values[e] * w[s->terms[e] * m + k];
    cairn_softmax(s->p, m, d->pinned, (size_t)d->answers[i], &margin);
    return n;
}

/* Head of the table of updates. */
static void begin_updates(ascent *s)
{
    const cairn_logistic_data *d = s->d;
    cairn_report *out = s->fit->steps;
    size_t m = d->n_vectors, all = d->x.width * m;
    s->open = true;
    cairn_report_step_begin(out, "The first updates");
    cairn_report_formula(out, m == 1 ? "w ← w + η (y − p) x" : "w_k ← w_k + η (y_k − p_k) x");
    cairn_report_value(out, "η", s->params->eta, "eta");
    cairn_report_table_of(out, "Row after row: probability before, weights after", SHOWN_UPDATES,
                          "rr", "update", "row");
    for (size_t k = 0; k < m && k < SHOWN_WEIGHTS; k++) {
        s->buffer.length = 0;
        cairn_text_addf(&s->buffer, "p(%s)", cairn_logistic_class(d, k));
        cairn_report_column(out, cairn_text_string(&s->buffer), 'r');
    }
    cairn_report_column(out, m == 1 ? "y − p" : "class", m == 1 ? 'r' : 'l');
    for (size_t j = 0; j < all && j < SHOWN_WEIGHTS; j++) {
        size_t t = j % d->x.width;
        size_t term = d->x.ones ? (t == 0 ? d->x.n_terms : t - 1) : t;
        const char *name = term == d->x.n_terms
                               ? "intercept"
                               : cairn_term_name(&s->buffer, d->schema, d->x.n_dense, term);
        cairn_text head = cairn_text_start(s->buffer.ctx);
        if (m > 1) cairn_text_addf(&head, "%s.", cairn_logistic_class(d, j / d->x.width));
        cairn_text_add(&head, name);
        cairn_report_column(out, cairn_text_string(&head), 'r');
        cairn_report_failed(out, cairn_text_status(&head));
        cairn_text_clear(&head);
    }
}

static void end_updates(ascent *s)
{
    if (!s->open) return;
    cairn_report_table_end(s->fit->steps);
    cairn_report_step_end(s->fit->steps);
    s->open = false;
}

/* The first updates are shown as they are made. */
static void row_updated(void *data, const double *w, size_t i, size_t number)
{
    ascent *s = data;
    if (number > SHOWN_UPDATES) return;
    if (number == 1) begin_updates(s);
    /* One row of the table is one step of the formula: the row's probability, its residual and
     * the weights after it, intercept first. */
    const cairn_logistic_data *d = s->d;
    cairn_report *out = s->fit->steps;
    size_t m = d->n_vectors, all = d->x.width * m;
    cairn_report_cells(out, NULL, number, cairn_view_row(d->x.view, i) + 1);
    for (size_t k = 0; k < m && k < SHOWN_WEIGHTS; k++)
        cairn_report_cell_number(out, s->p[k], 0, "update%zu.p.%zu", number, k + 1);
    if (m == 1)
        cairn_report_cell_number(out, (d->answers[i] == 0) - s->p[0], 0, NULL);
    else
        cairn_report_cell(out, cairn_logistic_class(d, (size_t)d->answers[i]));
    for (size_t j = 0; j < all && j < SHOWN_WEIGHTS; j++) {
        size_t k = j / d->x.width, t = j % d->x.width;
        size_t term = d->x.ones ? (t == 0 ? d->x.n_terms : t - 1) : t;
        cairn_report_cell_number(out, w[term * m + k], 0, "update%zu.w.%zu", number, j);
    }
    if (number == SHOWN_UPDATES) end_updates(s);
}

/* The step of one row, with its share of the ridge. */
static void take_row(void *data, const double *w, size_t i, double factor, double *into)
{
    const ascent *s = data;
    const cairn_logistic_data *d = s->d;
    size_t m = d->n_vectors, answer = (size_t)d->answers[i], n = row_probabilities(s, w, i);
    for (size_t j = 0; s->pull > 0 && j < d->x.n_terms * m; j++) into[j] -= factor * s->pull * w[j];
    for (size_t e = 0; e < n; e++)
        for (size_t k = 0; k < m; k++)
            into[s->terms[e] * m + k] +=
                factor * d->weights[i] * ((answer == k) - s->p[k]) * s->values[e];
}

/* The weights are no numbers any more: name the column with the largest number, which takes the
 * largest steps. */
static cairn_status refuse_growth(cairn_context *ctx, const ascent *s)
{
    char message[256];
    snprintf(message, sizeof message,
             "the weights grew beyond all numbers in epoch %zu; the largest number is %%s: bring "
             "the columns to one scale ({with scale:max-abs}), or lower {eta}",
             s->fit->progress.iterations + 1);
    return cairn_matrix_refuse(ctx, &s->d->x, cairn_say(ctx, message));
}

/* Loss, objective, right answers and gradient at the weights. */
static cairn_status ascent_look(cairn_context *ctx, void *data, const double *w, double *value)
{
    const ascent *s = data;
    const cairn_logistic_data *d = s->d;
    cairn_place *place = &s->fit->place;
    bool fine = true;
    cairn_matrix_from_raw(&d->x, w, d->n_vectors, place->x, d->stride);
    CHECK(s->fit->objective.look(ctx, &s->fit->scored, place->x, &place->value, place->gradient,
                                 NULL));
    for (size_t j = 0; j < (d->x.n_terms + 1) * d->n_vectors; j++) fine = fine && isfinite(w[j]);
    *value = place->value;
    return (fine && isfinite(*value)) || s->params->epochs == 0 ? CAIRN_OK : refuse_growth(ctx, s);
}

static cairn_status ascent_buffer(cairn_context *ctx, ascent *s, double **w)
{
    const cairn_logistic_data *d = s->d;
    CHECK(SCRATCH(ctx, w, cairn_product(d->x.n_terms + 1, d->n_vectors)));
    CHECK(SCRATCH_EACH(ctx, d->x.n_terms + 1, &s->terms, &s->values));
    return SCRATCH(ctx, &s->p, d->n_vectors + 1);
}

cairn_status cairn_logistic_ascent(cairn_context *ctx, cairn_logistic_fit *fit,
                                   const cairn_logistic_params *params)
{
    ascent s = {.fit = fit, .d = fit->data, .params = params, .buffer = cairn_text_start(ctx)};
    cairn_stochastic f = {
        .n_rows = fit->data->x.n, .data = &s, .row = take_row, .look = ascent_look};
    double *w;
    cairn_status status;
    f.n = (fit->data->x.n_terms + 1) * fit->data->n_vectors;
    f.protocol = (cairn_protocol)params->protocol;
    f.update = (cairn_update)params->update;
    f.eta = params->eta;
    if (fit->steps) f.updated = row_updated;
    s.pull = fit->ridge / (double)fit->data->x.n;
    fit->progress.what = "epochs";
    fit->progress.most =
        params->protocol == CAIRN_PROTOCOL_ONLINE && params->epochs ? 1 : (size_t)params->epochs;
    TRY(ascent_buffer(ctx, &s, &w));
    cairn_logistic_raw(fit, fit->place.x, w);
    TRY(cairn_stochastic_descent(ctx, &f, w, &fit->progress, &fit->scored.sum));
    end_updates(&s);
    cairn_logistic_show_curve(fit, "epoch");
    TRY(cairn_text_status(&s.buffer));
done:
    cairn_text_clear(&s.buffer);
    return status;
}

/* The path of weights over the strength of the penalty, and the strength by cross-validation.
 *
 * The strengths fall by equal factors from one that leaves (almost) no weight: the largest slope of
 * the loss at the model of shares alone, over the L1 part of the penalty, which counts as at least
 * a hundredth. Each is solved from the weights before. The folds of cross-validation run side by
 * side, each with the whole path, and the cross-entropy of the held-out rows is averaged. */

enum { CV_STRENGTHS = 30, MOST_KEPT = 1 << 22 };

typedef struct path {
    const cairn_logistic_plan *plan;
    const cairn_logistic_params *params;
    cairn_logistic_solver solver;
    double mix;
    const cairn_job *job;
    size_t n;
    double *strengths; /* n */
    size_t n_folds;
    int32_t *folds;  /* fold of each row of the view */
    double *held;    /* n_folds x n: loss of held-out rows */
    double *weights; /* n_folds: their weight */
} path;

/* The largest slope at the model that knows the shares only, in the columns' own units. */
static cairn_status largest_slope(cairn_context *ctx, const cairn_logistic_data *d, double *out)
{
    size_t m = d->n_vectors, *terms;
    double *slopes, *values;
    CHECK(SCRATCH(ctx, &slopes, (d->x.n_terms + 1) * m));
    CHECK(SCRATCH_EACH(ctx, d->x.n_terms + 1, &terms, &values));
    for (size_t i = 0; i < d->x.n; i++) {
        size_t n = cairn_logistic_entries(d, i, terms, values);
        for (size_t k = 0; k < m; k++) {
            double share = d->x.ones ? d->class_totals[k] / d->total : 1 / (double)d->n_classes;
            double r = d->weights[i] * (share - ((size_t)d->answers[i] == k));
            for (size_t e = 0; e < n; e++) slopes[terms[e] * m + k] += r * values[e];
        }
    }
    *out = 0;
    for (size_t j = 0; j < d->x.n_terms * m; j++) *out = fmax(*out, fabs(slopes[j]));
    return CAIRN_OK;
}

static cairn_status solve_at(cairn_context *ctx, cairn_logistic_fit *fit, const path *p, double at)
{
    cairn_logistic_set_penalty(fit, at * (1 - p->mix), at * p->mix);
    return p->solver == CAIRN_LOGISTIC_CG ? cairn_logistic_cg(ctx, fit)
                                          : cairn_logistic_newton(ctx, fit);
}

/* Loss and weight of the rows of a fold under weights w. */
static cairn_status held_out_loss(cairn_context *ctx, const cairn_logistic_data *d, const path *p,
                                  size_t fold, const double *w, double *loss, double *weight)
{
    size_t m = d->n_vectors, *terms;
    SCOPED_SCRATCH(ctx);
    double *values, *scores, margin;
    CHECK(SCRATCH_EACH(ctx, d->x.n_terms + 1, &terms, &values));
    CHECK(SCRATCH(ctx, &scores, m + 1));
    *loss = *weight = 0;
    for (size_t i = 0; i < d->x.n; i++) {
        if (p->folds[i] != (int32_t)fold || d->weights[i] == 0) continue;
        size_t n = cairn_logistic_entries(d, i, terms, values);
        memset(scores, 0, m * sizeof *scores);
        for (size_t e = 0; e < n; e++)
            for (size_t k = 0; k < m; k++) scores[k] += values[e] * w[terms[e] * m + k];
        *weight += d->weights[i];
        *loss +=
            d->weights[i] * cairn_softmax(scores, m, d->pinned, (size_t)d->answers[i], &margin);
    }
    return CAIRN_OK;
}

/* One fold: the whole path on the other rows. */
static cairn_status run_fold(cairn_context *ctx, void *data, size_t fold)
{
    path *p = data;
    SCOPED_SCRATCH(ctx);
    cairn_view view = *p->job->view;
    cairn_logistic_data all, d;
    cairn_logistic_fit fit;
    double *w, *weights;
    uint32_t *rows;
    size_t n = 0;
    cairn_logistic_plan whole = *p->plan;
    whole.sparse = false;
    CHECK(cairn_logistic_data_make(ctx, &all, p->job->view, &whole));
    CHECK(SCRATCH_RAW_EACH(ctx, all.x.n + 1, &rows, &weights));
    for (size_t i = 0; i < all.x.n; i++) {
        if (p->folds[i] == (int32_t)fold) continue;
        weights[n] = view.rows.weights ? view.rows.weights[i] : 1;
        rows[n++] = (uint32_t)cairn_view_row(p->job->view, i);
    }
    view.rows = (cairn_rows){.indices = rows, .n = n, .weights = weights};
    CHECK(cairn_logistic_data_make(ctx, &d, &view, p->plan));
    CHECK(cairn_logistic_fit_make(ctx, &fit, &d, p->params->max_iter));
    fit.progress.tolerance = p->solver == CAIRN_LOGISTIC_CG ? 1e-7 : 1e-10;
    CHECK(SCRATCH(ctx, &w, (d.x.n_terms + 1) * d.n_vectors));
    for (size_t i = 0; i < p->n; i++) {
        CHECK(solve_at(ctx, &fit, p, p->strengths[i]));
        cairn_logistic_raw(&fit, fit.place.x, w);
        CHECK(held_out_loss(ctx, &all, p, fold, w, &p->held[fold * p->n + i], &p->weights[fold]));
    }
    return CAIRN_OK;
}

/* The folds of a cross-validation of these rows: classes in equal shares, groups together. */
static cairn_status deal_folds(cairn_context *ctx, path *p, const cairn_logistic_data *d)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    cairn_plan plan;
    char by[32];
    p->n_folds = (size_t)p->params->folds;
    if (d->x.n < p->n_folds)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "{folds %zu}: there are only %zu rows", p->n_folds,
                          d->x.n);
    snprintf(by, sizeof by, "cv:%zu", p->n_folds);
    CHECK(SCRATCH(ctx, &p->folds, d->x.n + 1));
    CHECK(SCRATCH(ctx, &p->held, p->n_folds * p->n));
    CHECK(SCRATCH(ctx, &p->weights, p->n_folds));
    CHECK(cairn_table_share(ctx, &table, p->job->view->table));
    CHECK(cairn_plan_view(ctx, &plan, p->job->view, table, by));
    for (size_t i = 0; i < plan.n; i++) p->folds[plan.rows[i]] = plan.folds[i];
    return CAIRN_OK;
}

/* Mean loss of held-out rows per strength, its standard error over the folds, and the choice. */
static cairn_status judge(cairn_context *ctx, cairn_logistic_history *history, const path *p)
{
    cairn_held held = {.n_folds = p->n_folds, .n = p->n, .losses = p->held, .weights = p->weights};
    CHECK(NEW_EACH(ctx, p->n, &history->path_held, &history->path_errors));
    history->chosen = cairn_strengths_choose(&held, p->params->choose != 0, history->path_held,
                                             history->path_errors);
    return CAIRN_OK;
}

/* The weights that are largest at the end of the path, in scaled columns. */
static cairn_status choose_traced(cairn_context *ctx, cairn_logistic_history *history,
                                  const cairn_logistic_fit *fit)
{
    const cairn_logistic_data *d = fit->data;
    size_t m = d->n_vectors;
    double *sizes;
    CHECK(NEW(ctx, &history->traced, CAIRN_PATH_LINES));
    CHECK(SCRATCH(ctx, &sizes, d->x.n_terms * m + 1));
    for (size_t t = 0; t < d->x.n_terms; t++)
        for (size_t k = 0; k < m; k++) sizes[t * m + k] = fabs(fit->place.x[t * d->stride + k]);
    history->n_traced = cairn_path_largest(sizes, d->x.n_terms * m, history->traced);
    return CAIRN_OK;
}

/* The path on all rows. */
static cairn_status trace(cairn_context *ctx, cairn_logistic_history *history, const path *p,
                          cairn_logistic_data *d)
{
    size_t size = cairn_product(d->x.n_terms + 1, d->n_vectors), kept = cairn_product(size, p->n);
    cairn_logistic_fit fit;
    double *w;
    bool all = kept <= MOST_KEPT;
    CHECK(NEW_EACH(ctx, p->n, &history->path_losses, &history->path_sizes));
    CHECK(SCRATCH(ctx, &w, all ? kept : size));
    CHECK(cairn_logistic_fit_make(ctx, &fit, d, p->params->max_iter));
    fit.progress.tolerance = p->solver == CAIRN_LOGISTIC_CG ? 1e-7 : 1e-12;
    for (size_t i = 0; i < p->n; i++) {
        double *here = all ? w + i * size : w;
        CHECK(solve_at(ctx, &fit, p, p->strengths[i]));
        cairn_logistic_raw(&fit, fit.place.x, here);
        history->path_losses[i] = fit.scored.sum;
        for (size_t j = 0; j < d->x.n_terms * d->n_vectors; j++)
            history->path_sizes[i] += here[j] != 0;
    }
    if (!all) return CAIRN_OK;
    CHECK(choose_traced(ctx, history, &fit));
    CHECK(NEW(ctx, &history->traces, p->n * history->n_traced));
    for (size_t i = 0; i < p->n; i++)
        for (size_t j = 0; j < history->n_traced; j++)
            history->traces[i * history->n_traced + j] = w[i * size + (size_t)history->traced[j]];
    return CAIRN_OK;
}

cairn_status cairn_logistic_path(cairn_context *ctx, cairn_logistic_history *history,
                                 const cairn_logistic_plan *plan, cairn_logistic_solver solver,
                                 double mix, const cairn_job *job, double *strength)
{
    const cairn_logistic_params *params = job->params;
    path p = {.plan = plan, .params = params, .solver = solver, .mix = mix, .job = job};
    SCOPED_SCRATCH(ctx);
    cairn_logistic_data d;
    double first;
    bool held = cairn_same(params->strength, "cv");
    CHECK(cairn_logistic_data_make(ctx, &d, job->view, plan));
    CHECK(largest_slope(ctx, &d, &first));
    if (!isfinite(first)) CHECK(cairn_logistic_check_finite(ctx, &d));
    if (first == 0) first = 1;
    first *= (1 + 1e-9) / fmax(mix, 0.01); /* rounding must not let a weight in */
    p.n = params->path ? (size_t)params->path : CV_STRENGTHS;
    CHECK(cairn_strengths(ctx, cairn_say(ctx, "{path}"), NULL, first, params->path_ratio, p.n,
                          &p.strengths, &p.n));
    CHECK(NEW(ctx, &history->path_strengths, p.n));
    memcpy(history->path_strengths, p.strengths, p.n * sizeof *p.strengths);
    history->n_path = history->chosen = p.n;
    CHECK(trace(ctx, history, &p, &d));
    if (!held) return CAIRN_OK;
    CHECK(deal_folds(ctx, &p, &d));
    CHECK(cairn_tasks(ctx, p.n_folds, run_fold, &p));
    CHECK(judge(ctx, history, &p));
    *strength = history->path_strengths[history->chosen];
    return CAIRN_OK;
}

enum {
    SAMPLE_FROM = 32 * 1024, /* rows from which a sample gives the start */
    SAMPLE_SHARE = 8,        /* one row in so many is sampled */
    DEAR_HESSIAN = 300,      /* weights from which on gradients give it, where classes are many */
    MOST_SLOPES = 100,       /* steps by them */
    SAMPLE_RUN = 32,
    FIRST_QUASI = 5 /* iteration from which separation along a direction is looked for */
};

/* Of penalised columns; its square, times a strength, is a number. */
static const double LARGEST_SCALE = 0x1p400;

/* -- the data -- */

/* Classes and weights of the rows. */
static cairn_status list_answers(cairn_context *ctx, cairn_logistic_data *d,
                                 const cairn_logistic_plan *plan)
{
    const cairn_view *view = d->x.view;
    size_t n_codes = view->target->names.n;
    int32_t *numbers;
    CHECK(SCRATCH_RAW_EACH(ctx, d->x.n + 1, &d->answers, &d->weights));
    CHECK(SCRATCH(ctx, &d->class_totals, d->n_classes + 1));
    CHECK(SCRATCH(ctx, &numbers, n_codes + 1));
    for (size_t k = 0; k < d->n_classes; k++) numbers[plan->classes[k]] = (int32_t)k;
    cairn_view_target_codes(view, 0, d->x.n, d->answers);
    cairn_view_weights(view, 0, d->x.n, d->weights);
    bool unit = d->n_vectors == 1;
    for (size_t i = 0; i < d->x.n; i++) {
        if (plan->class_weights) d->weights[i] *= plan->class_weights[d->answers[i]];
        d->answers[i] = numbers[d->answers[i]];
        unit = unit && d->weights[i] == 1;
        d->class_totals[d->answers[i]] += d->weights[i];
    }
    for (size_t k = 0; k < d->n_classes; k++) d->total += d->class_totals[k];
    if (unit) CHECK(SCRATCH_RAW(ctx, &d->signs, d->x.n + 1));
    for (size_t i = 0; unit && i < d->x.n; i++) d->signs[i] = d->answers[i] == 0 ? 1 : -1;
    return CAIRN_OK;
}

cairn_status cairn_logistic_data_make(cairn_context *ctx, cairn_logistic_data *out,
                                      const cairn_view *view, const cairn_logistic_plan *plan)
{
    cairn_logistic_data d = {.schema = plan->schema, .classes = plan->classes};
    d.n_classes = plan->n_present;
    d.pinned = plan->pinned;
    d.n_vectors = d.n_classes - (d.pinned ? 1 : 0);
    d.stride = cairn_scored_stride(d.n_vectors, plan->sparse);
    cairn_matrix_options options = {.ones = plan->intercept,
                                    .buffer = cairn_scored_buffer(d.n_vectors)};
    options.units = plan->intercept ? CAIRN_UNITS_SHIFTED : CAIRN_UNITS_SCALED;
    /* a ridge on tiny numbers, in units of their size, would be beyond all numbers */
    if (plan->penalised) options.largest_scale = LARGEST_SCALE;
    options.scores = d.stride;
    if (plan->sparse) options.tile = d.stride;
    if (!plan->sparse) options.sum_size = cairn_scored_sum(plan->n_terms + 1, d.n_vectors);
    CHECK(cairn_matrix_open(ctx, &d.x, view, &options));
    d.x.weighted = false; /* the loss weighs the rows */
    CHECK(list_answers(ctx, &d, plan));
    *out = d;
    return CAIRN_OK;
}

size_t cairn_logistic_entries(const cairn_logistic_data *d, size_t i, size_t *terms, double *values)
{
    size_t n = cairn_matrix_entries(&d->x, i, terms, values);
    if (d->x.ones) terms[n] = d->x.n_terms, values[n++] = 1;
    return n;
}

cairn_status cairn_logistic_check_finite(cairn_context *ctx, const cairn_logistic_data *d)
{
    return cairn_matrix_refuse(
        ctx, &d->x,
        cairn_say(ctx, "weights or sums over the rows are beyond all numbers (the largest "
                       "number is %s); bring the columns to one scale ({with "
                       "scale:max-abs}), or make the weights of rows and classes and the "
                       "{lambda} smaller"));
}

/* -- the fit -- */

cairn_status cairn_logistic_fit_make(cairn_context *ctx, cairn_logistic_fit *out,
                                     cairn_logistic_data *data, int max_iter)
{
    *out = (cairn_logistic_fit){.data = data};
    out->classes = (cairn_classes_loss){data->n_classes, data->n_vectors, data->pinned,
                                        data->answers,   data->weights,   data->signs};
    out->loss = cairn_classes_row_loss(&out->classes);
    out->progress = (cairn_progress){.what = "Newton", .most = (size_t)max_iter};
    CHECK(cairn_scored_open(ctx, &out->scored, &out->objective, &data->x, &out->loss));
    size_t size = out->objective.n;
    if (!data->pinned && data->x.ones) out->objective.tied = data->n_vectors;
    CHECK(SCRATCH_EACH(ctx, size + 1, &out->place.x, &out->place.gradient, &out->direction,
                       &out->lassos));
    CHECK(SCRATCH(ctx, &out->fixed, data->x.width + 1));
    out->scored.fixed = out->fixed;
    return CAIRN_OK;
}

typedef struct spread_work {
    const cairn_logistic_data *d;
    double *means; /* n_terms, of z; NULL = sums are wanted */
} spread_work;

/* Sums of z, or of their squares about the means. */
static void spread_piece(void *data, const cairn_piece *piece, double *sums)
{
    const spread_work *work = data;
    const cairn_row_matrix *x = &work->d->x;
    const double *weights = work->d->weights + piece->first;
    if (!work->means)
        cairn_matrix_transposed(x, piece->first, piece->n, weights, sums, piece->buffer);
    else
        cairn_matrix_squares(x, piece->first, piece->n, weights, sums, piece->buffer);
}

cairn_status cairn_logistic_spreads(cairn_context *ctx, const cairn_logistic_data *d,
                                    const double **out)
{
    const cairn_row_matrix *x = &d->x;
    double *means, *squares;
    spread_work work = {.d = d};
    cairn_row_sum sum = {.size = x->n_terms, .piece = spread_piece, .unread = true, .data = &work};
    CHECK(SCRATCH_EACH(ctx, x->n_terms + 1, &means, &squares));
    CHECK(cairn_matrix_sum(ctx, x, &sum, means));
    work.means = means;
    CHECK(cairn_matrix_sum(ctx, x, &sum, squares));
    for (size_t t = 0; t < x->n_terms; t++) {
        double mean = means[t] / d->total, square = squares[t] / d->total;
        double variance = square - mean * mean;
        squares[t] = variance > 1e-12 * square ? sqrt(variance) / x->scale[t] : 1;
    }
    *out = squares;
    return CAIRN_OK;
}

double cairn_logistic_ridge(const cairn_logistic_fit *fit, size_t term)
{
    double spread = fit->spreads ? fit->spreads[term] : 1;
    return fit->ridge * spread * spread;
}

void cairn_logistic_set_penalty(cairn_logistic_fit *fit, double ridge, double lasso)
{
    const cairn_logistic_data *d = fit->data;
    fit->ridge = ridge;
    fit->lasso = lasso;
    fit->objective.lassos = lasso > 0 ? fit->lassos : NULL;
    for (size_t t = 0; t < d->x.n_terms; t++) {
        double scale = d->x.scale[t];
        fit->scored.ridges[t] = cairn_logistic_ridge(fit, t) * scale * scale;
        for (size_t k = 0; k < d->n_vectors; k++) fit->lassos[t * d->stride + k] = lasso * scale;
    }
}

void cairn_logistic_raw(const cairn_logistic_fit *fit, const double *theta, double *out)
{
    cairn_matrix_raw(&fit->data->x, theta, fit->data->stride, fit->data->n_vectors, out);
}

/* -- separation -- */

typedef struct lead_work {
    const cairn_logistic_data *d;
    const double *direction;
} lead_work;

/* The least (with its sign turned) and the largest lead of the row's own class over another one. */
static void lead_piece(void *data, const cairn_piece *piece, double *sums)
{
    const lead_work *work = data;
    const cairn_logistic_data *d = work->d;
    size_t m = d->n_vectors, width = d->x.width;
    if (piece->opens) sums[0] = sums[1] = -INFINITY;
    cairn_rows_product(piece->buffer, m, piece->z, width, piece->n, width, work->direction, m, m,
                       piece->product);
    for (size_t i = 0; i < piece->n; i++) {
        const double *a = piece->buffer + i * m;
        size_t answer = (size_t)d->answers[piece->first + i];
        double own = answer < m ? a[answer] : 0;
        if (d->weights[piece->first + i] == 0) continue;
        for (size_t k = 0; k < d->n_classes; k++) {
            double lead = own - (k < m ? a[k] : 0);
            if (k == answer) continue;
            if (!(-lead <= sums[0])) sums[0] = -lead;
            if (lead > sums[1]) sums[1] = lead;
        }
    }
}

static void join_leads(const void *data, double *sums, const double *part, size_t size)
{
    (void)data;
    for (size_t i = 0; i < size; i++) sums[i] = fmax(sums[i], part[i]);
}

/* Whether the likelihood grows for ever along the weights, or along the last step. */
static cairn_status look_for_separation(cairn_context *ctx, void *data, const double *change,
                                        bool *stop)
{
    cairn_logistic_fit *fit = data;
    lead_work work = {fit->data, change};
    cairn_row_sum sum = {.size = 2, .piece = lead_piece, .join = join_leads, .data = &work};
    double leads[2];
    const double *along = fit->place.x;
    if (fit->ridge > 0 || fit->lasso > 0) return CAIRN_OK;
    if (fit->scored.counts[CAIRN_COUNT_UNSURE] == 0) {
        fit->separation = CAIRN_SEPARATION_COMPLETE;
    } else {
        if (fit->data->x.tiles || fit->progress.iterations < FIRST_QUASI) return CAIRN_OK;
        CHECK(cairn_matrix_sum(ctx, &fit->data->x, &sum, leads));
        if (!(leads[1] > 1e-2) || !(leads[0] <= 1e-6 * leads[1])) return CAIRN_OK;
        fit->separation = CAIRN_SEPARATION_QUASI;
        along = change;
    }
    memcpy(fit->direction, along, fit->objective.n * sizeof *along);
    *stop = true;
    return CAIRN_OK;
}

/* -- dependences -- */

/* "b = 2·a + 1": term j by the coefficients of the terms that it depends on, in z units; `order`
 * lists them. */
static void add_relation(cairn_text *text, const cairn_logistic_data *d, const uint8_t *fixed,
                         const size_t *order, size_t n, const double *coefficients, size_t j)
{
    cairn_text buffer = cairn_text_start(text->ctx);
    double own = j < d->x.n_dense ? d->x.scale[j] : 1, rest = j < d->x.n_dense ? d->x.shift[j] : 0;
    double size = fabs(rest) + 1 / own;
    bool any = false;
    cairn_text_addf(text, "%s = ", cairn_term_name(&buffer, d->schema, d->x.n_dense, j));
    for (size_t i = 0; i < n; i++) {
        size_t t = order[i];
        double factor = coefficients[t] / own;
        if (fixed[t] || fabs(coefficients[t]) < 1e-9) continue;
        if (t == d->x.n_terms) {
            rest += factor;
            continue;
        }
        if (t < d->x.n_dense) {
            factor *= d->x.scale[t];
            rest -= factor * d->x.shift[t];
            size += fabs(factor * d->x.shift[t]);
        }
        cairn_add_term(text, &any, factor, cairn_term_name(&buffer, d->schema, d->x.n_dense, t),
                       true);
    }
    if (!any || fabs(rest) > 1e-9 * size) {
        bool alone = !any;
        cairn_add_term(text, &any, rest, NULL, false);
        if (alone) cairn_text_add(text, " in every row");
    }
    cairn_text_add_char(text, '\n');
    if (text->status == CAIRN_OK) text->status = buffer.status;
    cairn_text_clear(&buffer);
}

/* The first block of the Hessian, rows and columns divided by their lengths; `lengths` gets these.
 * Any positive weights of the rows show the same dependences. */
static void unit_block(const cairn_logistic_fit *fit, double *out, double *lengths)
{
    size_t width = fit->data->x.width, m = fit->data->n_vectors, all = width * m;
    for (size_t t = 0; t < width; t++) {
        double square = fit->place.hessian[t * m * (all + 1)];
        lengths[t] = square > 0 ? sqrt(square) : 0;
    }
    for (size_t t = 0; t < width; t++)
        for (size_t u = 0; u < width; u++)
            out[t * width + u] =
                lengths[t] > 0 && lengths[u] > 0
                    ? fit->place.hessian[t * m * all + u * m] / lengths[t] / lengths[u]
                    : t == u;
}

/* Eliminate term after term, the intercept first. A term of which nothing is left is a combination
 * of those before it; its column then holds the coefficients. */
static void eliminate(cairn_logistic_fit *fit, double *a, const double *lengths,
                      const size_t *order, double *coefficients, cairn_text *text)
{
    size_t width = fit->data->x.width;
    for (size_t at = 0; at < width; at++) {
        size_t j = order[at];
        double *row = a + j * width, pivot = row[j];
        if (lengths[j] == 0 || pivot < 1e-11) {
            for (size_t t = 0; t < width; t++)
                coefficients[t] = lengths[t] > 0 && lengths[j] > 0
                                      ? a[t * width + j] * lengths[j] / lengths[t]
                                      : 0;
            fit->fixed[j] = 1;
            add_relation(text, fit->data, fit->fixed, order, at, coefficients, j);
            continue;
        }
        for (size_t u = 0; u < width; u++) row[u] /= pivot;
        for (size_t t = 0; t < width; t++)
            if (t != j && a[t * width + j] != 0)
                cairn_axpy(a + t * width, -a[t * width + j], row, width);
    }
}

/* Terms that are combinations of those before them are fixed at 0 and told. */
static cairn_status find_fixed(cairn_context *ctx, cairn_logistic_fit *fit)
{
    size_t width = fit->data->x.width, n_terms = fit->data->x.n_terms, pivot;
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    double *a, *lengths, *coefficients, condition, least = INFINITY;
    size_t *order;
    CHECK(SCRATCH_RAW(ctx, &a, width * width));
    CHECK(SCRATCH_EACH(ctx, width, &lengths, &coefficients, &order));
    unit_block(fit, a, lengths);
    for (size_t t = 0; t < width; t++) least = fmin(least, lengths[t]);
    CHECK(cairn_cholesky(ctx, a, width, &condition, &pivot));
    if (least > 0 && condition > 1e-9) return CAIRN_OK;
    unit_block(fit, a, lengths);
    for (size_t t = 0, at = 0; t < width; t++)
        order[t] = width > n_terms && t == 0 ? n_terms : at++;
    eliminate(fit, a, lengths, order, coefficients, &text);
    CHECK(cairn_text_status(&text));
    if (text.length) CHECK(cairn_text_take(&text, &fit->relations));
    return CAIRN_OK;
}

/* -- the run -- */

/* A starting point from a sample of the rows; theta stays 0 when that comes to nothing. */
static cairn_status start_from_sample(cairn_context *ctx, cairn_logistic_fit *fit)
{
    const cairn_logistic_data *d = fit->data;
    size_t m = fit->objective.n;
    SCOPED_SCRATCH(ctx);
    cairn_logistic_data sample;
    cairn_logistic_fit trial;
    cairn_view view;
    if (d->x.n < SAMPLE_FROM || d->x.n < 32 * SAMPLE_SHARE * m) return CAIRN_OK;
    for (size_t j = 0; j < m; j++)
        if (fit->place.x[j] != 0) return CAIRN_OK;
    /* One row in SAMPLE_SHARE, in short runs that share the memory that is read for them. */
    size_t n = 0, step = SAMPLE_RUN * SAMPLE_SHARE, most = d->x.n / SAMPLE_SHARE + SAMPLE_RUN;
    uint32_t *rows;
    sample = *d;
    sample.total = 0;
    CHECK(SCRATCH_RAW_EACH(ctx, most, &rows, &sample.answers, &sample.weights));
    if (d->signs) CHECK(SCRATCH_RAW(ctx, &sample.signs, most));
    for (size_t first = 0; first + SAMPLE_RUN <= d->x.n; first += step)
        for (size_t i = first; i < first + SAMPLE_RUN; i++, n++) {
            rows[n] = (uint32_t)cairn_view_row(d->x.view, i);
            sample.answers[n] = d->answers[i];
            if (d->signs) sample.signs[n] = d->signs[i];
            sample.total += sample.weights[n] = d->weights[i];
        }
    CHECK(cairn_matrix_part(ctx, &sample.x, &view, &d->x, rows, n));
    if (!(sample.total > 0)) return CAIRN_OK;
    CHECK(cairn_logistic_fit_make(ctx, &trial, &sample, 15));
    double share = sample.total / d->total;
    cairn_logistic_set_penalty(&trial, fit->ridge * share, fit->lasso * share);
    trial.progress.tolerance = 1e-6;
    CHECK(cairn_logistic_newton(ctx, &trial));
    if (trial.progress.converged && !trial.separation)
        memcpy(fit->place.x, trial.place.x, m * sizeof *trial.place.x);
    return CAIRN_OK;
}

static const double NEAR_MINIMUM = 1e-13, STEADY = 1e-10; /* of the objective */

/* Of many classes a Hessian costs as much as some hundred gradients: gradients alone lead near the
 * minimum, where one Hessian does for the last step and for the errors. What they have not reached
 * after a while, as where columns depend on each other or classes are apart, is left to Newton's
 * steps, from 0. At the end of the gradients the Hessian has no more than rounding to change. */
static cairn_status start_by_slopes(cairn_context *ctx, cairn_logistic_fit *fit)
{
    cairn_progress progress = {.what = "gradients", .most = MOST_SLOPES, .tolerance = NEAR_MINIMUM};
    const cairn_row_matrix *x = &fit->data->x;
    if (fit->lasso > 0 || fit->data->n_vectors < 2 || fit->objective.n < DEAR_HESSIAN ||
        x->n < SAMPLE_FROM)
        return CAIRN_OK;
    CHECK(cairn_lbfgs(ctx, &fit->objective, &fit->place, &progress, NULL));
    bool sure = fit->scored.counts[CAIRN_COUNT_UNSURE] == 0;
    fit->by_slopes = progress.iterations;
    if (progress.converged && !sure && isfinite(fit->place.value)) return CAIRN_OK;
    memset(fit->place.x, 0, fit->objective.n * sizeof *fit->place.x);
    return CAIRN_OK;
}

static cairn_status show_iteration(cairn_context *ctx, void *data, const double *change)
{
    return cairn_logistic_show_iteration(ctx, data, change);
}

/* Value, gradient and Hessian at theta. */
static cairn_status look(cairn_context *ctx, cairn_logistic_fit *fit)
{
    cairn_place *place = &fit->place;
    CHECK(fit->objective.look(ctx, &fit->scored, place->x, &place->value, place->gradient,
                              place->hessian));
    place->value += cairn_lasso_sum(&fit->objective, place->x);
    return CAIRN_OK;
}

/* A first look, from 0 when the start is a poor one. */
static cairn_status first_look(cairn_context *ctx, cairn_logistic_fit *fit)
{
    const cairn_place *place = &fit->place;
    size_t m = fit->objective.n;
    double most = fit->data->total * cairn_log((double)fit->data->n_classes);
    CHECK(look(ctx, fit));
    if (!(fit->scored.sum <= 4 * most + 1)) { /* or numbers that are not finite */
        memset(place->x, 0, m * sizeof *place->x);
        CHECK(look(ctx, fit));
    }
    for (size_t j = 0; j < m; j++)
        if (!isfinite(place->gradient[j]) ||
            (place->hessian && !isfinite(place->hessian[j * (m + 1)])))
            return cairn_logistic_check_finite(ctx, fit->data);
    if (fit->ridge > 0 || fit->lasso > 0 || !fit->check_terms || !place->hessian) return CAIRN_OK;
    CHECK(find_fixed(ctx, fit));
    if (!fit->relations) return CAIRN_OK;
    for (size_t j = 0; j < m; j++) /* terms that are fixed are fixed at 0 */
        if (fit->fixed[j / fit->data->n_vectors]) place->x[j] = 0;
    return look(ctx, fit);
}

cairn_status cairn_logistic_newton(cairn_context *ctx, cairn_logistic_fit *fit)
{
    size_t m = fit->objective.n;
    cairn_watch watch = {.data = fit, .reported = &fit->scored.sum, .after = look_for_separation};
    if (fit->steps) watch.before = show_iteration;
    if (m == 0) { /* nothing to choose: every class is as likely as the others */
        fit->progress.converged = true;
        return fit->objective.look(ctx, &fit->scored, fit->place.x, &fit->place.value, NULL, NULL);
    }
    const cairn_row_matrix *x = &fit->data->x;
    double all = (double)fit->objective.n;
    double sum = (double)cairn_scored_sum(x->width, fit->data->n_vectors);
    CHECK(cairn_memory_check(ctx, 8 * ((double)x->n_blocks * sum + 2 * all * all),
                             "Newton's method",
                             cairn_say(ctx, "use {solver cg}, fewer columns, or raise {memory}")));
    if (!fit->place.hessian) CHECK(SCRATCH(ctx, &fit->place.hessian, cairn_product(m, m)));
    if (!fit->steps) CHECK(start_from_sample(ctx, fit));
    if (!fit->steps) CHECK(start_by_slopes(ctx, fit));
    if (fit->by_slopes) watch.steady = STEADY;
    CHECK(first_look(ctx, fit));
    CHECK(cairn_newton(ctx, &fit->objective, &fit->place, &fit->progress, &watch, fit->max_step,
                       !fit->steps));
    if (fit->steps) cairn_logistic_show_curve(fit, NULL);
    return CAIRN_OK;
}

cairn_status cairn_logistic_cg(cairn_context *ctx, cairn_logistic_fit *fit)
{
    cairn_watch watch = {.data = fit, .reported = &fit->scored.sum, .after = look_for_separation};
    CHECK(look(ctx, fit));
    for (size_t j = 0; j < fit->objective.n; j++)
        if (!isfinite(fit->place.gradient[j])) return cairn_logistic_check_finite(ctx, fit->data);
    CHECK(cairn_newton_cg(ctx, &fit->objective, &fit->place, &fit->progress, &watch));
    cairn_logistic_show_curve(fit, "iteration");
    return CAIRN_OK;
}

/* -- errors -- */

cairn_status cairn_logistic_errors(cairn_context *ctx, const cairn_logistic_fit *fit, double *out)
{
    const cairn_logistic_data *d = fit->data;
    size_t width = d->x.width, m = d->n_vectors, all = width * m, pivot;
    double *inverse, condition;
    CHECK(SCRATCH_RAW(ctx, &inverse, cairn_product(all, all)));
    for (size_t j = 0; j < (d->x.n_terms + 1) * m; j++) out[j] = NAN;
    if (all == 0) return CAIRN_OK;
    memcpy(inverse, fit->place.hessian, all * all * sizeof *inverse);
    CHECK(cairn_cholesky(ctx, inverse, all, &condition, &pivot));
    if (condition == 0) return CAIRN_OK;
    CHECK(cairn_cholesky_inverse(ctx, inverse, all));
    for (size_t t = 0; t < d->x.n_terms; t++)
        for (size_t k = 0; k < m && !fit->fixed[t]; k++)
            out[t * m + k] =
                sqrt(inverse[(t * m + k) * (all + 1)]) * (t < d->x.n_dense ? d->x.scale[t] : 1);
    for (size_t k = 0; k < m && d->x.ones; k++) {
        size_t at = d->x.n_terms * m + k;
        double variance = inverse[at * (all + 1)];
        for (size_t t = 0; t < d->x.n_dense; t++) {
            double by = fit->fixed[t] ? 0 : d->x.scale[t] * d->x.shift[t], sum = 0;
            for (size_t u = 0; u < d->x.n_dense && by != 0; u++)
                if (!fit->fixed[u])
                    sum += d->x.scale[u] * d->x.shift[u] * inverse[(t * m + k) * all + u * m + k];
            variance += by * (sum - 2 * inverse[(t * m + k) * all + at]);
        }
        out[at] = sqrt(fmax(0, variance));
    }
    return CAIRN_OK;
}
