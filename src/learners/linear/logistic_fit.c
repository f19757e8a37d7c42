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
#include "kernels/linalg.h"
#include "learners/linear/logistic_steps.h"
#include <math.h>
#include <string.h>

enum {
    SAMPLE_FROM = 32 * 1024, /* rows from which a sample gives the start */
    SAMPLE_SHARE = 8,        /* one row in so many is sampled */
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
    CHECK(SCRATCH_RAW(ctx, &d->answers, d->x.n + 1));
    CHECK(SCRATCH_RAW(ctx, &d->weights, d->x.n + 1));
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
    cairn_matrix_wish wish = {.ones = plan->intercept, .room = cairn_scored_room(d.n_vectors)};
    wish.units = plan->intercept ? CAIRN_UNITS_SHIFTED : CAIRN_UNITS_SCALED;
    /* a ridge on tiny numbers, in units of their size, would be beyond all numbers */
    if (plan->penalised) wish.largest_scale = LARGEST_SCALE;
    wish.scores = d.stride;
    if (plan->sparse) wish.tile = d.stride;
    if (!plan->sparse) wish.sum_size = cairn_scored_sum(plan->n_terms + 1, d.n_vectors);
    CHECK(cairn_matrix_open(ctx, &d.x, view, &wish));
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
                       "{strength} smaller"));
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
    CHECK(SCRATCH(ctx, &out->place.x, size + 1));
    CHECK(SCRATCH(ctx, &out->place.gradient, size + 1));
    CHECK(SCRATCH(ctx, &out->direction, size + 1));
    CHECK(SCRATCH(ctx, &out->lassos, size + 1));
    CHECK(SCRATCH(ctx, &out->fixed, data->x.width + 1));
    out->scored.fixed = out->fixed;
    return CAIRN_OK;
}

void cairn_logistic_set_penalty(cairn_logistic_fit *fit, double ridge, double lasso)
{
    const cairn_logistic_data *d = fit->data;
    fit->ridge = ridge;
    fit->lasso = lasso;
    fit->objective.lassos = lasso > 0 ? fit->lassos : NULL;
    for (size_t t = 0; t < d->x.n_terms; t++) {
        double scale = d->x.scale[t];
        fit->scored.ridges[t] = ridge * scale * scale;
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
    cairn_rows_product(piece->room, m, piece->z, width, piece->n, width, work->direction, m, m,
                       piece->product);
    for (size_t i = 0; i < piece->n; i++) {
        const double *a = piece->room + i * m;
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
    cairn_text room = cairn_text_start(text->ctx);
    double own = j < d->x.n_dense ? d->x.scale[j] : 1, rest = j < d->x.n_dense ? d->x.shift[j] : 0;
    double size = fabs(rest) + 1 / own;
    bool any = false;
    cairn_text_addf(text, "%s = ", cairn_term_name(&room, d->schema, d->x.n_dense, j));
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
        cairn_add_term(text, &any, factor, cairn_term_name(&room, d->schema, d->x.n_dense, t),
                       true);
    }
    if (!any || fabs(rest) > 1e-9 * size) {
        bool alone = !any;
        cairn_add_term(text, &any, rest, NULL, false);
        if (alone) cairn_text_add(text, " in every row");
    }
    cairn_text_add_char(text, '\n');
    if (text->status == CAIRN_OK) text->status = room.status;
    cairn_text_clear(&room);
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
    CHECK(SCRATCH(ctx, &lengths, width));
    CHECK(SCRATCH(ctx, &coefficients, width));
    CHECK(SCRATCH(ctx, &order, width));
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

/* One row in SAMPLE_SHARE, in short runs that share the memory that is read for them. */
static cairn_status take_sample(cairn_context *ctx, cairn_logistic_data *out, cairn_view *view,
                                const cairn_logistic_data *d)
{
    size_t n = 0, step = SAMPLE_RUN * SAMPLE_SHARE, most = d->x.n / SAMPLE_SHARE + SAMPLE_RUN;
    uint32_t *rows;
    *out = *d;
    out->total = 0;
    CHECK(SCRATCH_RAW(ctx, &rows, most));
    CHECK(SCRATCH_RAW(ctx, &out->answers, most));
    CHECK(SCRATCH_RAW(ctx, &out->weights, most));
    if (d->signs) CHECK(SCRATCH_RAW(ctx, &out->signs, most));
    for (size_t first = 0; first + SAMPLE_RUN <= d->x.n; first += step)
        for (size_t i = first; i < first + SAMPLE_RUN; i++, n++) {
            rows[n] = (uint32_t)cairn_view_row(d->x.view, i);
            out->answers[n] = d->answers[i];
            if (d->signs) out->signs[n] = d->signs[i];
            out->total += out->weights[n] = d->weights[i];
        }
    return cairn_matrix_part(ctx, &out->x, view, &d->x, rows, n);
}

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
    CHECK(take_sample(ctx, &sample, &view, d));
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
    return fit->relations ? look(ctx, fit) : CAIRN_OK;
}

static cairn_status check_memory(cairn_context *ctx, const cairn_logistic_fit *fit)
{
    const cairn_row_matrix *x = &fit->data->x;
    double all = (double)fit->objective.n;
    double sum = (double)cairn_scored_sum(x->width, fit->data->n_vectors);
    return cairn_memory_check(ctx, 8 * ((double)x->n_blocks * sum + 2 * all * all),
                              "Newton's method",
                              cairn_say(ctx, "use {solver cg}, fewer columns, or raise {memory}"));
}

cairn_status cairn_logistic_newton(cairn_context *ctx, cairn_logistic_fit *fit)
{
    size_t m = fit->objective.n;
    cairn_watch watch = {.data = fit, .told = &fit->scored.sum, .after = look_for_separation};
    if (fit->steps) watch.before = show_iteration;
    if (m == 0) { /* nothing to choose: every class is as likely as the others */
        fit->progress.converged = true;
        return fit->objective.look(ctx, &fit->scored, fit->place.x, &fit->place.value, NULL, NULL);
    }
    CHECK(check_memory(ctx, fit));
    if (!fit->place.hessian) CHECK(SCRATCH(ctx, &fit->place.hessian, cairn_product(m, m)));
    if (!fit->steps) CHECK(start_from_sample(ctx, fit));
    CHECK(first_look(ctx, fit));
    CHECK(cairn_newton(ctx, &fit->objective, &fit->place, &fit->progress, &watch, fit->max_step,
                       !fit->steps));
    if (fit->steps) cairn_logistic_show_curve(fit, NULL);
    return CAIRN_OK;
}

cairn_status cairn_logistic_cg(cairn_context *ctx, cairn_logistic_fit *fit)
{
    cairn_watch watch = {.data = fit, .told = &fit->scored.sum, .after = look_for_separation};
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
