/* SPDX-License-Identifier: MIT */
/* Gradient ascent of the likelihood: w += eta (y - p) x, row by row or epoch by epoch.
 *
 * The rows come in order (batch), drawn at random with repeats (random), or once (online). A ridge
 * pulls by eta λ w / n at every row, so by eta λ w over an epoch. Everything is in the columns' own
 * units, as the formula stands; columns of very different size want --with standardise. It ends
 * when an epoch changes the objective by no more than tolerance times its value. */
#include "base/memory.h"
#include "learners/linear/logistic.h"
#include "learners/linear/logistic_steps.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

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
    cairn_text room;
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

/* One row of the table is one step of the formula: the row's probability, its residual and the
 * weights after it, intercept first. */
static void show_update(ascent *s, const double *w, size_t i, size_t number)
{
    const cairn_logistic_data *d = s->d;
    cairn_report *out = s->fit->steps;
    size_t m = d->n_vectors, all = d->x.width * m;
    cairn_report_cellf(out, "%zu", number);
    cairn_report_cellf(out, "%zu", cairn_view_row(d->x.view, i) + 1);
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
        s->room.length = 0;
        cairn_text_addf(&s->room, "p(%s)", cairn_logistic_class(d, k));
        cairn_report_column(out, cairn_text_string(&s->room), 'r');
    }
    cairn_report_column(out, m == 1 ? "y − p" : "class", m == 1 ? 'r' : 'l');
    for (size_t j = 0; j < all && j < SHOWN_WEIGHTS; j++) {
        size_t t = j % d->x.width;
        size_t term = d->x.ones ? (t == 0 ? d->x.n_terms : t - 1) : t;
        const char *name = term == d->x.n_terms
                               ? "intercept"
                               : cairn_term_name(&s->room, d->schema, d->x.n_dense, term);
        cairn_text head = cairn_text_start(s->room.ctx);
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
    show_update(s, w, i, number);
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
static cairn_status look(cairn_context *ctx, void *data, const double *w, double *value)
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

static cairn_status ascent_room(cairn_context *ctx, ascent *s, double **w)
{
    const cairn_logistic_data *d = s->d;
    CHECK(SCRATCH(ctx, w, cairn_product(d->x.n_terms + 1, d->n_vectors)));
    CHECK(SCRATCH(ctx, &s->terms, d->x.n_terms + 1));
    CHECK(SCRATCH(ctx, &s->values, d->x.n_terms + 1));
    return SCRATCH(ctx, &s->p, d->n_vectors + 1);
}

cairn_status cairn_logistic_ascent(cairn_context *ctx, cairn_logistic_fit *fit,
                                   const cairn_logistic_params *params)
{
    ascent s = {.fit = fit, .d = fit->data, .params = params, .room = cairn_text_start(ctx)};
    cairn_stochastic f = {.n_rows = fit->data->x.n, .data = &s, .row = take_row, .look = look};
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
    TRY(ascent_room(ctx, &s, &w));
    cairn_logistic_raw(fit, fit->place.x, w);
    TRY(cairn_stochastic_descent(ctx, &f, w, &fit->progress, &fit->scored.sum));
    end_updates(&s);
    cairn_logistic_show_curve(fit, "epoch");
    TRY(cairn_text_status(&s.room));
done:
    cairn_text_clear(&s.room);
    return status;
}
