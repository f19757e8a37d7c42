/* SPDX-License-Identifier: MIT */
/* Sequential learning of a linear function: least mean squares, the rule of Widrow and Hoff.
 *
 * Problem: the weights of y = w·φ with the least Σ (t − w·φ)²/2, learned from one row after the
 * other, so that rows need not be kept.
 *
 * Method: w ← w + η (t − w·φ) φ for every row (or, by request, once per epoch by the sum over its
 * rows), rows in order, drawn at random, or each once (solve/stochastic.c). A row of weight v takes
 * a step v times as long. It ends when an epoch changes the error by no more than tolerance times
 * its size. With a fixed η the weights end in a cycle near the batch answer, which is told beside
 * them; the smaller η, the nearer.
 *
 * Choices: unless it is given, η is 0.1, or less where a row is so long that it would overshoot:
 * at most 1/|φ|² of the longest row (of all rows together with one update per epoch), with which
 * the weights cannot grow for ever. {printed-update} takes steps by the squared residual, as one
 * text prints the rule: such steps never lower the weight of a positive feature.
 *
 * Sources: Widrow and Hoff, Adaptive switching circuits (1960); Mitchell, Machine Learning (1997),
 * 1.2.4. */
#include "base/memory.h"
#include "learners/linear/least_squares.h"
#include "learners/linear/weights.h"
#include "report/table_rows.h"
#include "rows/slopes.h"
#include "solve/solvers.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN_UPDATES = 60, SHOWN_WEIGHTS = 8, MOST_EPOCHS = 10000000, KEPT_EPOCHS = 1000 };

typedef struct lms_params {
    double eta;
    int epochs;
    int protocol, update;
    double tolerance;
    const char *init;
    bool intercept, printed_update;
} lms_params;

static const cairn_param lms_parameters[] = {
    CAIRN_PARAM(lms_params, eta, CAIRN_NOT_GIVEN, "(0,inf)",
                "learning rate η; unless given 0.1, or less where rows are so long that the "
                "weights would grow",
                .often = true),
    CAIRN_PARAM(lms_params, epochs, "100", "[1,10000000]", "most passes over the rows",
                .when = "!protocol=online", .often = true),
    CAIRN_PARAM_CHOICE(lms_params, protocol, "batch", cairn_protocol_choices,
                       "which rows are taken", .often = true),
    CAIRN_PARAM_CHOICE(lms_params, update, "row", cairn_update_choices, "when the weights change"),
    CAIRN_PARAM(lms_params, tolerance, "1e-06", "(0,1)",
                "end when an epoch changes the error by less than this part of it"),
    CAIRN_PARAM_AS(lms_params, init, CAIRN_TYPE_LIST, NULL,
                   "weights to start from, the constant first; all 0 unless given"),
    CAIRN_PARAM(lms_params, intercept, "yes", NULL, "fit a constant term"),
    CAIRN_PARAM(lms_params, printed_update, "no", NULL,
                "step by the squared residual, w + η (t − y)² φ, as the rule is sometimes printed: "
                "it is wrong, and shown for comparison only"),
    CAIRN_PARAM_END,
};

typedef struct lms_history {
    size_t n_terms, epochs, n_values;
    bool converged;
    double eta;
    double *values;     /* n_history: half the sum of squares before and after each epoch */
    double *batch;      /* n_terms + 1: weights of the least squares, the constant last */
    double batch_error; /* half their sum of squares */
} lms_history;

typedef struct course {
    const lms_params *params;
    const cairn_job *job;
    cairn_row_matrix x; /* in own units */
    cairn_progress progress;
    const double *targets, *weights; /* of the rows */
    size_t *terms;                   /* of a row */
    double *values;
    double eta, before; /* the residual before the last step */
    double *path;       /* KEPT_EPOCHS x shown weights; NULL without steps */
    size_t n_path, shown;
    const char *const *names;
    bool open; /* the table of updates */
} course;

/* -- rows -- */

/* Prediction of row i; returns the number of its terms. */
static size_t row_score(const course *c, const double *w, size_t i, double *score)
{
    size_t n = cairn_matrix_entries(&c->x, i, c->terms, c->values);
    *score = c->params->intercept ? w[c->x.n_terms] : 0;
    for (size_t e = 0; e < n; e++) *score += c->values[e] * w[c->terms[e]];
    return n;
}

static void take_row(void *data, const double *w, size_t i, double factor, double *into)
{
    course *c = data;
    double score;
    size_t n = row_score(c, w, i, &score);
    c->before = c->targets[i] - score;
    double step = factor * c->weights[i] * c->before;
    if (c->params->printed_update) step *= c->before;
    for (size_t e = 0; e < n; e++) into[c->terms[e]] += step * c->values[e];
    if (c->params->intercept) into[c->x.n_terms] += step;
}

typedef struct error_sum {
    const course *c;
    const double *w;
} error_sum;

static void error_piece(void *data, const cairn_piece *piece, double *sums)
{
    const error_sum *s = data;
    cairn_matrix_scores(&s->c->x, piece, s->w, 1);
    for (size_t i = 0; i < piece->n; i++) {
        double e = s->c->targets[piece->first + i] - piece->buffer[i];
        sums[0] += s->c->weights[piece->first + i] * e * e / 2;
    }
}

/* Error at the weights, which are remembered for the table of epochs. */
static cairn_status look(cairn_context *ctx, void *data, const double *w, double *value)
{
    course *c = data;
    error_sum error = {c, w};
    cairn_row_sum sum = {.size = 1, .piece = error_piece, .unread = true, .data = &error};
    bool fine = true;
    CHECK(cairn_matrix_sum(ctx, &c->x, &sum, value));
    for (size_t j = 0; j <= c->x.n_terms; j++) fine = fine && isfinite(w[j]);
    if (!fine || !isfinite(*value)) {
        /* The weights are no numbers any more, or the error is none. */
        char message[256];
        snprintf(
            message, sizeof message,
            "the weights grew beyond all numbers in epoch %zu; the largest number is %%s: lower "
            "{eta}, or bring the columns to one scale ({with scale:max-abs})",
            c->progress.iterations + 1);
        return cairn_matrix_refuse(ctx, &c->x, cairn_say(ctx, message));
    }
    if (!c->path || c->n_path == KEPT_EPOCHS) return CAIRN_OK;
    double *row = c->path + c->n_path++ * (SHOWN_WEIGHTS + 1);
    row[0] = w[c->x.n_terms];
    for (size_t j = 1; j < c->shown; j++) row[j] = w[j - 1];
    return CAIRN_OK;
}

/* -- steps -- */

static const char *shown_name(const course *c, size_t j)
{
    return j ? c->names[j - 1] : "intercept";
}

static void end_updates(course *c)
{
    if (!c->open) return;
    cairn_report_table_end(c->job->steps);
    cairn_report_step_end(c->job->steps);
    c->open = false;
}

/* One row of the table is one step of the formula. */
static void row_updated(void *data, const double *w, size_t i, size_t number)
{
    course *c = data;
    cairn_report *out = c->job->steps;
    if (number > SHOWN_UPDATES) return;
    if (number == 1) {
        c->open = true;
        cairn_report_step_begin(out, "The first updates");
        cairn_report_formula(out, c->params->printed_update ? "w ← w + η (t − w·φ)² φ"
                                                            : "w ← w + η (t − w·φ) φ");
        cairn_report_value(out, "η", c->eta, "eta");
        cairn_report_table_of(out, "Row after row: residual before, weights after", SHOWN_UPDATES,
                              "rrrr", "update", "row", "w·φ", "t − w·φ");
        for (size_t j = 0; j < c->shown; j++) cairn_report_column(out, shown_name(c, j), 'r');
    }
    cairn_report_cells(out, "- - update$1.score update$1.residual", number,
                       cairn_view_row(c->job->view, i) + 1, c->targets[i] - c->before, c->before);
    for (size_t j = 0; j < c->shown; j++)
        cairn_report_cell_number(out, w[j ? j - 1 : c->x.n_terms], 0, "update%zu.w.%zu", number, j);
    if (number == SHOWN_UPDATES) end_updates(c);
}

static void show_epochs(const course *c)
{
    cairn_report *out = c->job->steps;
    cairn_report_step_begin(out, "Weights and error after every epoch");
    cairn_report_formula(out, "E = ½ Σ (t − w·φ)²");
    cairn_report_table_of(out, "Epochs", 0, "rr", "epoch", "E");
    for (size_t j = 0; j < c->shown; j++) cairn_report_column(out, shown_name(c, j), 'r');
    for (size_t i = 0; i < c->n_path && i < c->progress.n_values; i++) {
        cairn_report_cells(out, "- epoch$1.E", i, c->progress.values[i]);
        for (size_t j = 0; j < c->shown; j++)
            cairn_report_cell_number(out, c->path[i * (SHOWN_WEIGHTS + 1) + j], 0, "epoch%zu.w.%zu",
                                     i, j);
    }
    cairn_report_table_end(out);
    cairn_report_step_end(out);
}

/* -- fitting -- */

static cairn_status choose_eta(cairn_context *ctx, course *c)
{
    /* Largest squared length of a row, or their sum, with the 1 of the constant. */
    bool sum = c->params->update == CAIRN_UPDATE_EPOCH;
    double most = 0;
    for (size_t i = 0; i < c->x.n; i++) {
        size_t n = cairn_matrix_entries(&c->x, i, c->terms, c->values);
        double square = c->params->intercept ? 1 : 0;
        for (size_t e = 0; e < n; e++) square += c->values[e] * c->values[e];
        square *= c->weights[i];
        most = sum ? most + square : fmax(most, square);
    }
    if (!isfinite(most)) return cairn_matrix_refuse(ctx, &c->x, NULL);
    c->eta = isnan(c->params->eta) ? most > 10 ? 1 / most : 0.1 : c->params->eta;
    return CAIRN_OK;
}

/* The weights to start from, the constant last; `init` has it first. */
static cairn_status start_weights(cairn_context *ctx, const course *c, double *w)
{
    size_t n, want = c->x.n_terms + c->params->intercept;
    double *given;
    if (!c->params->init) return CAIRN_OK;
    CHECK(cairn_list_numbers(ctx, cairn_say(ctx, "{init}"), c->params->init, &given, &n));
    if (n != want)
        return cairn_fail(ctx, CAIRN_USAGE, "{init} has %zu number%s, but there are %zu weight%s%s",
                          n, n == 1 ? "" : "s", want, want == 1 ? "" : "s",
                          c->params->intercept ? " with the constant, which comes first" : "");
    if (c->params->intercept) w[c->x.n_terms] = given[0];
    memcpy(w, given + c->params->intercept, c->x.n_terms * sizeof *w);
    return CAIRN_OK;
}

/* Rows, targets and room for the course. */
static cairn_status open_course(cairn_context *ctx, course *c)
{
    const cairn_view *view = c->job->view;
    size_t n = view->rows.n;
    double *targets, *weights, total = 0;
    cairn_matrix_options options = {.apart = true, .scores = 1, .buffer = view->n_features + 1};
    CHECK(cairn_matrix_open(ctx, &c->x, view, &options));
    CHECK(SCRATCH_EACH(ctx, n + 1, &targets, &weights));
    cairn_view_target_numbers(view, 0, n, targets);
    cairn_view_weights(view, 0, n, weights);
    for (size_t i = 0; i < n; i++) {
        total += weights[i];
        if (!isfinite(targets[i]))
            return cairn_refuse_number(ctx, view->target_name, cairn_view_row(view, i), targets[i]);
    }
    if (!(total > 0))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "there is no row to learn from: lms needs at least one row with a "
                          "positive weight");
    c->targets = targets;
    c->weights = weights;
    CHECK(SCRATCH_EACH(ctx, c->x.n_terms + 1, &c->terms, &c->values));
    c->shown = c->x.n_terms + 1 < SHOWN_WEIGHTS ? c->x.n_terms + 1 : SHOWN_WEIGHTS;
    if (!c->job->steps) return CAIRN_OK;
    CHECK(cairn_term_names(ctx, &c->names, c->job->schema));
    return SCRATCH(ctx, &c->path, KEPT_EPOCHS * (SHOWN_WEIGHTS + 1));
}

/* What all rows at once give. Targets are brought near 1 first. */
static cairn_status fit_batch(cairn_context *ctx, lms_history *history, const course *c)
{
    size_t n = c->x.n, terms = c->x.n_terms;
    cairn_least_squares fit;
    double *targets, most = 0, unit;
    int power;
    CHECK(SCRATCH(ctx, &targets, n + 1));
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs(c->targets[i]));
    (void)frexp(most, &power);
    unit = ldexp(1, power < -1000 ? -1000 : power > 1000 ? 1000 : power);
    for (size_t i = 0; i < n; i++) targets[i] = c->targets[i] / unit;
    CHECK(cairn_least_squares_fit(ctx, &fit, c->job->view, targets, 1, c->params->intercept));
    CHECK(NEW(ctx, &history->batch, terms + 1));
    for (size_t t = 0; t <= terms; t++) history->batch[t] = fit.weights[t] * unit;
    history->batch_error = fit.squares[0] * unit * unit / 2;
    return CAIRN_OK;
}

static cairn_status keep_history(cairn_context *ctx, lms_history *history, const course *c)
{
    size_t n = c->progress.n_values < KEPT_EPOCHS ? c->progress.n_values : KEPT_EPOCHS;
    history->n_terms = c->x.n_terms;
    history->epochs = c->progress.iterations;
    history->converged = c->progress.converged;
    history->eta = c->eta;
    history->n_values = n;
    CHECK(NEW(ctx, &history->values, n));
    memcpy(history->values, c->progress.values, n * sizeof *history->values);
    return fit_batch(ctx, history, c);
}

/* Steps of a fixed length end in a cycle about the least squares, so that what is left of the slope
 * is told and not judged. */
static cairn_status certify(cairn_context *ctx, const course *c, const double *weights)
{
    double most = 0;
    for (size_t i = 0; i < c->x.n; i++) most = fmax(most, fabs(c->targets[i]));
    cairn_slopes_squares squares = {c->targets, c->x.n, 1, cairn_slopes_unit(most)};
    cairn_slopes s = {.view = c->job->view, .weights = weights, .n_scores = 1};
    s.constant = c->params->intercept;
    s.rows = cairn_slopes_squares_rows;
    s.data = &squares;
    return cairn_slopes_certify(ctx, c->job->certificate, CAIRN_PROOF_GRADIENT, &s, INFINITY);
}

/* The online protocol passes over the rows once, whatever {epochs} says. */
static cairn_status lms_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    const lms_params *params = job->params;
    course c = {.params = params, .job = job};
    cairn_stochastic f = {.data = &c, .row = take_row, .look = look};
    double *w;
    CHECK(open_course(ctx, &c));
    CHECK(choose_eta(ctx, &c));
    CHECK(SCRATCH(ctx, &w, c.x.n_terms + 1));
    CHECK(start_weights(ctx, &c, w));
    f.n = c.x.n_terms + 1;
    f.n_rows = c.x.n;
    f.protocol = (cairn_protocol)params->protocol;
    f.update = (cairn_update)params->update;
    f.eta = c.eta;
    if (job->steps) f.updated = row_updated;
    c.progress = (cairn_progress){.what = "epochs", .tolerance = params->tolerance};
    c.progress.most = params->protocol == CAIRN_PROTOCOL_ONLINE ? 1 : (size_t)params->epochs;
    CHECK(cairn_stochastic_descent(ctx, &f, w, &c.progress, NULL));
    end_updates(&c);
    CHECK(cairn_weights_keep(ctx, model, w, c.x.n_terms, params->intercept));
    if (job->steps) show_epochs(&c);
    CHECK(certify(ctx, &c, w));
    return job->history ? keep_history(ctx, job->history, &c) : CAIRN_OK;
}

/* -- showing and keeping -- */

/* The error after every epoch, and the level of the batch answer under it. */
static cairn_status draw_course(cairn_context *ctx, cairn_figure **out, const void *model,
                                const cairn_job *job)
{
    const lms_history *history = job->history;
    double *at;
    (void)model;
    *out = NULL;
    if (!history || history->n_values < 3) return CAIRN_OK;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH(ctx, &at, history->n_values));
    for (size_t i = 0; i < history->n_values; i++) at[i] = (double)i;
    CHECK(cairn_figure_new(ctx, out, "epochs", "Error after every epoch"));
    cairn_figure_axes(*out, "epoch", "E");
    cairn_figure_line(*out, "lms", at, history->values, history->n_values);
    cairn_figure_rule_y(*out, "batch answer", history->batch_error);
    return CAIRN_OK;
}

static const cairn_model_figure lms_figures[] = {{"epochs", draw_course, false}, {0}};

static void lms_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const lms_history *history = job->history;
    const lms_params *params = job->params;
    cairn_context *ctx = cairn_report_context(out);
    cairn_figure *figure = NULL;
    cairn_report_heading(out, 2, "Least mean squares");
    cairn_weights_show(out, model, job);
    if (!history || !ctx) return;
    cairn_report_value(out, "learning rate η", history->eta, "eta");
    cairn_report_value(out, "epochs", (double)history->epochs, "epochs");
    cairn_report_word(out, "converged", history->converged ? "yes" : "no", "converged");
    if (!history->converged && params->protocol != CAIRN_PROTOCOL_ONLINE)
        cairn_report_note(out, "The error still changes: raise {epochs}, or {eta} if it is small.");
    if (params->printed_update)
        cairn_report_note(out, "Steps by the squared residual never lower the weight of a positive "
                               "feature: this is not least mean squares.");
    cairn_weights_beside(out, model, job, history->batch,
                         "Beside least squares on all rows at once", "lms", "batch");
    cairn_report_value(out, "E = ½ Σ (t − y)²", history->values[history->n_values - 1], "E");
    cairn_report_value(out, "E of the batch answer", history->batch_error, "batch.E");
    cairn_status status = draw_course(ctx, &figure, model, job);
    if (figure || status) cairn_describe_figure(out, status, &figure, false);
}

static cairn_status archive_history(cairn_archive *a, void *data, const void *model)
{
    lms_history *history = data;
    history->n_terms = ((const cairn_weights *)model)->n_terms;
    CHECK(cairn_archive_size(a, "epochs", &history->epochs, MOST_EPOCHS));
    CHECK(cairn_archive_bool(a, "converged", &history->converged));
    CHECK(cairn_archive_real(a, "eta", &history->eta));
    CHECK(cairn_archive_size(a, "n_history", &history->n_values, KEPT_EPOCHS));
    if (history->n_values == 0) CHECK(cairn_archive_damaged(a, "there is no error of the start"));
    CHECK(cairn_archive_reals(a, "history", &history->values, history->n_values));
    CHECK(cairn_archive_real(a, "batch_error", &history->batch_error));
    return cairn_archive_reals(a, "batch", &history->batch, history->n_terms + 1);
}

static void clear_history(void *data)
{
    lms_history *history = data;
    FREE_EACH(history->values, history->batch);
}

static const cairn_history lms_story = {
    .size = sizeof(lms_history), .archive = archive_history, .clear = clear_history};

const cairn_learner cairn_lms = {
    .entry =
        {
            .kind = CAIRN_ENTRY_LEARNER,
            .name = "lms",
            .also = "least mean squares, Widrow-Hoff rule, delta rule, sequential regression, "
                    "stochastic gradient descent, SGD, perceptron for regression, ADALINE",
            .title = "Least mean squares",
            .summary =
                "Learns a linear function from one row after the other: after each row the weights "
                "move by the learning rate times the residual times the features. It ends near the "
                "answer of least squares on all rows at once, which is shown beside it. Steps "
                "depend on the size of the columns, so they are standardised first unless --scale "
                "says otherwise.",
            .references = "Widrow and Hoff, Adaptive switching circuits (1960); Mitchell, Machine "
                          "Learning (1997), 1.2.4",
            .example = "cairn fit lms @wave --scale none --eta 0.1 --protocol online --steps",
            .params = lms_parameters,
            .params_size = sizeof(lms_params),
        },
    .tasks = CAIRN_REGRESS,
    .space = "epochs=30,100,300",
    .accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_WEIGHTS | CAIRN_ACCEPTS_BAGS |
               CAIRN_ACCEPTS_NO_FEATURES | CAIRN_WANTS_REFERENCE | CAIRN_WANTS_SCALING,
    .claims = CAIRN_CLAIM_COLUMN_ORDER,
    .traits = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_GEOMETRIC | CAIRN_GRADING,
    .history = &lms_story,
    .fit = lms_fit,
    .describe = lms_describe,
    .figures = lms_figures,
    CAIRN_WEIGHTS_RECORD,
    .tables = cairn_weights_tables,
};
