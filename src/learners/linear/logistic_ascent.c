/* SPDX-License-Identifier: MIT */
/* Gradient ascent of the likelihood: w += eta (y - p) x, row by row or epoch by epoch.
 *
 * The rows come in order (batch), drawn at random with repeats (random), or once (online). A ridge
 * pulls by eta λ w / n at every row, so by eta λ w over an epoch. Everything is in the columns' own
 * units, as the formula stands; columns of very different size want --with standardise. It ends
 * when an epoch changes the objective by no more than tolerance times its value. */
#include "base/memory.h"
#include "base/number.h"
#include "base/random.h"
#include "learners/linear/logistic.h"
#include "learners/linear/logistic_steps.h"
#include <math.h>
#include <string.h>

enum { SHOWN_UPDATES = 60, SHOWN_WEIGHTS = 8 };

typedef struct ascent {
    cairn_logistic_fit *fit;
    const cairn_logistic_data *d;
    const cairn_logistic_params *params;
    double *w;      /* (n_terms + 1) x n_vectors, own units */
    double *sum;    /* of an epoch's steps; the same shape */
    size_t *terms;  /* of a row */
    double *values; /* of a row */
    double *p;      /* n_vectors */
    size_t updates;
    cairn_text room;
} ascent;

/* Probabilities of row i in s->p; returns its loss and the number of its terms. */
static double row_probabilities(const ascent *s, size_t i, size_t *n, double *margin)
{
    const cairn_logistic_data *d = s->d;
    size_t m = d->n_vectors;
    *n = cairn_logistic_entries(d, i, s->terms, s->values);
    memset(s->p, 0, m * sizeof *s->p);
    for (size_t e = 0; e < *n; e++)
        for (size_t k = 0; k < m; k++) s->p[k] += s->values[e] * s->w[s->terms[e] * m + k];
    return cairn_logistic_row(s->p, m, d->pinned, (size_t)d->answers[i], margin);
}

static void show_update(ascent *s, size_t i)
{
    const cairn_logistic_data *d = s->d;
    cairn_report *out = s->fit->steps;
    size_t m = d->n_vectors, all = d->width * m, number = s->updates;
    if (s->updates > SHOWN_UPDATES) return;
    cairn_report_cellf(out, "%zu", number);
    cairn_report_cellf(out, "%zu", cairn_view_row(d->view, i) + 1);
    for (size_t k = 0; k < m && k < SHOWN_WEIGHTS; k++)
        cairn_report_cell_number(out, s->p[k], 0, "update%zu.p.%zu", number, k + 1);
    if (m == 1)
        cairn_report_cell_number(out, (d->answers[i] == 0) - s->p[0], 0, NULL);
    else
        cairn_report_cell(out, cairn_logistic_class(d, (size_t)d->answers[i]));
    for (size_t j = 0; j < all && j < SHOWN_WEIGHTS; j++) {
        size_t k = j / d->width, t = j % d->width;
        size_t term = d->intercept ? (t == 0 ? d->n_terms : t - 1) : t;
        cairn_report_cell_number(out, s->w[term * m + k], 0, "update%zu.w.%zu", number, j);
    }
}

/* Head of the table of updates. */
static void begin_updates(ascent *s)
{
    const cairn_logistic_data *d = s->d;
    cairn_report *out = s->fit->steps;
    size_t m = d->n_vectors, all = d->width * m;
    cairn_report_step_begin(out, "The first updates");
    cairn_report_formula(out, m == 1 ? "w ← w + η (y − p) x" : "w_k ← w_k + η (y_k − p_k) x");
    cairn_report_value(out, "η", s->params->eta, "eta");
    cairn_report_table_begin(out, "Row after row: probability before, weights after",
                             SHOWN_UPDATES);
    cairn_report_column(out, "update", 'r');
    cairn_report_column(out, "row", 'r');
    for (size_t k = 0; k < m && k < SHOWN_WEIGHTS; k++) {
        s->room.length = 0;
        cairn_text_addf(&s->room, "p(%s)", cairn_logistic_class(d, k));
        cairn_report_column(out, cairn_text_string(&s->room), 'r');
    }
    cairn_report_column(out, m == 1 ? "y − p" : "class", m == 1 ? 'r' : 'l');
    for (size_t j = 0; j < all && j < SHOWN_WEIGHTS; j++) {
        size_t t = j % d->width;
        size_t term = d->intercept ? (t == 0 ? d->n_terms : t - 1) : t;
        const char *name = term == d->n_terms
                               ? "intercept"
                               : cairn_logistic_term(&s->room, d->schema, d->n_dense, term);
        cairn_text head = cairn_text_start(s->room.ctx);
        if (m > 1) cairn_text_addf(&head, "%s.", cairn_logistic_class(d, j / d->width));
        cairn_text_add(&head, name);
        cairn_report_column(out, cairn_text_string(&head), 'r');
        cairn_report_failed(out, cairn_text_status(&head));
        cairn_text_clear(&head);
    }
}

static void end_updates(ascent *s)
{
    cairn_report_table_end(s->fit->steps);
    cairn_report_step_end(s->fit->steps);
}

/* The step of one row: into the weights, or into the epoch's sum. */
static void take_row(ascent *s, size_t i, double *into, double factor)
{
    const cairn_logistic_data *d = s->d;
    size_t m = d->n_vectors, answer = (size_t)d->answers[i], n;
    double margin, pull = s->fit->ridge / (double)d->n;
    row_probabilities(s, i, &n, &margin);
    if (into == s->w && pull > 0)
        for (size_t j = 0; j < d->n_terms * m; j++) s->w[j] -= factor * pull * s->w[j];
    for (size_t e = 0; e < n; e++)
        for (size_t k = 0; k < m; k++)
            into[s->terms[e] * m + k] +=
                factor * d->weights[i] * ((answer == k) - s->p[k]) * s->values[e];
    s->updates++;
}

static void run_epoch(ascent *s, cairn_random *random)
{
    const cairn_logistic_data *d = s->d;
    size_t size = (d->n_terms + 1) * d->n_vectors;
    bool by_row = s->params->update == CAIRN_UPDATE_ROW;
    bool drawn = s->params->protocol == CAIRN_PROTOCOL_RANDOM;
    bool shown = s->fit->steps && by_row && s->updates < SHOWN_UPDATES;
    if (shown && s->updates == 0) begin_updates(s);
    memset(s->sum, 0, size * sizeof *s->sum);
    for (size_t r = 0; r < d->n; r++) {
        size_t i = drawn ? (size_t)cairn_random_below(random, d->n) : r;
        if (r % 65536 == 0 && cairn_is_cancelled(s->room.ctx)) return; /* the next tick fails */
        take_row(s, i, by_row ? s->w : s->sum, by_row ? s->params->eta : 1);
        if (shown && s->updates <= SHOWN_UPDATES) show_update(s, i);
        if (shown && s->updates == SHOWN_UPDATES) end_updates(s);
    }
    for (size_t j = 0; j < size && !by_row; j++) {
        double pull = j < d->n_terms * d->n_vectors ? s->fit->ridge * s->w[j] : 0;
        s->w[j] += s->params->eta * (s->sum[j] - pull);
    }
}

/* Loss, objective, right answers and gradient at the weights. */
static void look(ascent *s)
{
    cairn_logistic_fit *fit = s->fit;
    const cairn_logistic_data *d = s->d;
    size_t m = d->n_vectors, n;
    double margin;
    cairn_logistic_from_raw(d, s->w, fit->theta);
    memset(fit->gradient, 0, d->width * m * sizeof *fit->gradient);
    fit->loss = fit->right = 0;
    for (size_t i = 0; i < d->n; i++) {
        double weight = d->weights[i];
        if (weight == 0) continue;
        fit->loss += weight * row_probabilities(s, i, &n, &margin);
        if (margin > 0) fit->right += weight;
        for (size_t e = 0; e < n; e++)
            for (size_t k = 0; k < m; k++)
                fit->gradient[s->terms[e] * m + k] +=
                    weight * (s->p[k] - ((size_t)d->answers[i] == k)) * s->values[e];
    }
    for (size_t t = 0; t < d->n_dense; t++) /* to z units */
        for (size_t k = 0; k < m; k++) {
            double whole = d->intercept ? fit->gradient[d->n_terms * m + k] : 0;
            fit->gradient[t * m + k] =
                d->scale[t] * (fit->gradient[t * m + k] - d->shift[t] * whole);
        }
    fit->objective = fit->loss + cairn_logistic_penalties(fit, fit->theta, fit->gradient);
}

static cairn_status ascent_room(cairn_context *ctx, ascent *s)
{
    const cairn_logistic_data *d = s->d;
    size_t size = cairn_product(d->n_terms + 1, d->n_vectors);
    CHECK(SCRATCH(ctx, &s->w, size));
    CHECK(SCRATCH(ctx, &s->sum, size));
    CHECK(SCRATCH(ctx, &s->terms, d->n_terms + 1));
    CHECK(SCRATCH(ctx, &s->values, d->n_terms + 1));
    return SCRATCH(ctx, &s->p, d->n_vectors + 1);
}

static bool all_finite(const ascent *s)
{
    bool fine = true;
    for (size_t j = 0; j < (s->d->n_terms + 1) * s->d->n_vectors; j++)
        fine = fine && isfinite(s->w[j]);
    return fine;
}

/* The weights are no numbers any more: name the column with the largest number, which takes the
 * largest steps. */
static cairn_status refuse_growth(cairn_context *ctx, const ascent *s)
{
    const cairn_logistic_data *d = s->d;
    char value[CAIRN_NUMBER_SIZE];
    const char *name;
    size_t row;
    double x = cairn_logistic_largest(d, &name, &row);
    if (!isfinite(x)) return cairn_logistic_check_finite(ctx, d);
    cairn_number_format(value, x, CAIRN_SHORTEST);
    return cairn_fail(
        ctx, CAIRN_BAD_DATA,
        "the weights grew beyond all numbers in epoch %zu; the largest number is %s "
        "in column '%s', row %zu: bring the columns to one scale (--with scale:max-abs), or "
        "lower --eta",
        s->fit->iterations + 1, value, name ? name : "?", row + 1);
}

cairn_status cairn_logistic_ascent(cairn_context *ctx, cairn_logistic_fit *fit,
                                   const cairn_logistic_params *params)
{
    ascent s = {.fit = fit, .d = fit->data, .params = params, .room = cairn_text_start(ctx)};
    size_t epochs = params->protocol == CAIRN_PROTOCOL_ONLINE ? 1 : (size_t)params->epochs;
    cairn_random random;
    cairn_status status;
    TRY(ascent_room(ctx, &s));
    cairn_logistic_raw(fit->data, fit->theta, s.w);
    cairn_random_start(&random, cairn_context_seed(ctx), 0);
    look(&s);
    fit->curve[fit->n_curve++] = fit->loss;
    while (fit->iterations < epochs && !fit->converged) {
        double before = fit->objective;
        TRY(cairn_tick(ctx, "epochs", (double)fit->iterations, (double)epochs));
        run_epoch(&s, &random);
        look(&s);
        if (!isfinite(fit->loss) || !all_finite(&s)) TRY(refuse_growth(ctx, &s));
        fit->iterations++;
        fit->curve[fit->n_curve++] = fit->loss;
        fit->expected = fabs(before - fit->objective);
        fit->converged = fit->expected <= fit->tolerance * fabs(fit->objective);
    }
    bool open = params->update == CAIRN_UPDATE_ROW && s.updates < SHOWN_UPDATES;
    if (fit->steps && open) end_updates(&s);
    cairn_logistic_show_curve(fit, "epoch");
    TRY(cairn_text_status(&s.room));
done:
    cairn_text_clear(&s.room);
    return status;
}
