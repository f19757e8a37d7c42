/* SPDX-License-Identifier: MIT */
/* What adaboost shows: rounds as on a board, the table of rounds, curves and margins. */
#include "wrappers/adaboost.h"
#include "report/table_rows.h"
#include <math.h>
#include <stdio.h>

enum { MOST_CLASSES_SHOWN = 12, ROWS_SHOWN = 50, ROUNDS_SHOWN = 50 };

static const char *class_name(const cairn_job *job, int32_t code)
{
    ptrdiff_t at = cairn_schema_role(job->schema, CAIRN_TARGET);
    if (code < 0 || at < 0) return "no answer";
    return cairn_map_key(&job->schema->fields[at].names, (size_t)code);
}

static bool is_real(const cairn_job *job)
{
    return ((const cairn_ada_params *)job->params)->form == CAIRN_ADA_REAL;
}

/* -- a round -- */

/* Weights of the rows by class and answer: what the error is the sum of. */
static void show_contingency(const cairn_ada_work *w, const cairn_ada_round *r)
{
    cairn_report *out = w->job->steps;
    cairn_context *ctx = cairn_report_context(out);
    double *cells;
    size_t k = w->k;
    if (!ctx || k > MOST_CLASSES_SHOWN) return;
    SCOPED_SCRATCH(ctx);
    cairn_status status = SCRATCH(ctx, &cells, k * (k + 1));
    if (status) {
        cairn_report_failed(out, status);
        return;
    }
    for (size_t i = 0; i < w->learned.n; i++) {
        int32_t said = w->learned.answers[i];
        cells[(size_t)w->learned.actual[i] * (k + 1) + (said < 0 ? k : (size_t)said)] +=
            w->weights[i] / w->total;
    }
    cairn_report_table_of(out, "Weights by class (rows) and answer (columns)", 0, "l", "");
    for (size_t j = 0; j < k; j++) cairn_report_column(out, class_name(w->job, (int32_t)j), 'r');
    for (size_t i = 0; i < k; i++) {
        cairn_report_cell(out, class_name(w->job, (int32_t)i));
        for (size_t j = 0; j < k; j++)
            cairn_report_cell_number(out, cells[i * (k + 1) + j], 0, "round%zu.table.%s.%s",
                                     r->number,
                                     cairn_report_key(out, class_name(w->job, (int32_t)i)),
                                     cairn_report_key(out, class_name(w->job, (int32_t)j)));
    }
    cairn_report_table_end(out);
}

/* Every row: its weight, what the model says, its next weight. */
static void show_rows(const cairn_ada_work *w, const cairn_ada_round *r, bool goes_on)
{
    cairn_report *out = w->job->steps;
    cairn_report_table_of(out, "Rows", ROWS_SHOWN, "rlrllr", "row", "class", "weight", "answer",
                          "error", "next weight");
    for (size_t i = 0; i < w->learned.n && (i < 1000 || cairn_report_row_wanted(out)); i++) {
        int32_t said = w->learned.answers[i];
        size_t row = (size_t)w->learned.rows[i] + 1;
        cairn_report_prefix(out, "round%zu", r->number);
        cairn_report_cells(out, "- - @.weight.$1 - - @.next.$1", row,
                           class_name(w->job, w->learned.actual[i]), w->weights[i] / w->total,
                           class_name(w->job, said), said == w->learned.actual[i] ? "" : "wrong",
                           goes_on ? w->next[i] / w->total : (double)NAN);
    }
    cairn_report_table_end(out);
}

/* ε, α, Z and the factors with their numbers. */
static void show_formulas(const cairn_ada_work *w, const cairn_ada_round *r)
{
    cairn_report *out = w->job->steps;
    double e = r->epsilon, k = w->params->form == CAIRN_ADA_M1 ? 2 : (double)w->k;
    cairn_report_value(out, "error ε = weight of the wrong rows", e, "round%zu.epsilon", r->number);
    if (w->width > 1) {
        cairn_report_formula(out, "h(c) = (k − 1) (ln p(c) − mean of ln p), next weight = weight · "
                                  "e^(−h(y) / (k − 1)) / Z");
        cairn_report_value(out, "Z", r->z, "round%zu.z", r->number);
        return;
    }
    if (w->params->eta != 1)
        cairn_report_worked(out, "α = η · ½ (ln((1 − ε) / ε) + ln(k − 1))",
                            "# · ½ (ln(# / #) + ln #) = #", w->params->eta, 1 - e, e, k - 1,
                            r->alpha);
    else if (k == 2)
        cairn_report_worked(out, "α = ½ ln((1 − ε) / ε)", "½ ln(# / #) = #", 1 - e, e, r->alpha);
    else
        cairn_report_worked(out, "α = ½ (ln((1 − ε) / ε) + ln(k − 1))", "½ (ln(# / #) + ln #) = #",
                            1 - e, e, k - 1, r->alpha);
    cairn_report_value(out, "α", r->alpha, "round%zu.alpha", r->number);
    cairn_report_value(out, "δ = e^α", r->wrong * r->z, "round%zu.delta", r->number);
    cairn_report_worked(out, "Z = (1 − ε) e^(−α) + ε e^α", "# · # + # · # = #", 1 - e,
                        r->right * r->z, e, r->wrong * r->z, r->z);
    cairn_report_hidden(out, r->z, "round%zu.z", r->number);
    cairn_report_value(out, "factor of wrong rows, e^α / Z", r->wrong, "round%zu.factor.wrong",
                       r->number);
    cairn_report_value(out, "factor of right rows, e^(−α) / Z", r->right, "round%zu.factor.right",
                       r->number);
    if (k == 2 && w->params->eta == 1)
        cairn_report_worked(out, "the same as 1 / (2 ε) and 1 / (2 (1 − ε))", "1 / #, 1 / #", 2 * e,
                            2 * (1 - e));
}

/* A round that ends all of them has no next weights, and says why. */
static void show_end(const cairn_ada_work *w, const cairn_ada_round *r)
{
    cairn_report *out = w->job->steps;
    double k = w->params->form == CAIRN_ADA_M1 ? 2 : (double)w->k;
    cairn_report_value(out, "error ε = weight of the wrong rows", r->epsilon, "round%zu.epsilon",
                       r->number);
    if (r->epsilon >= 1 - 1 / k)
        cairn_report_note(out, "ε is not below 1 − 1/k: the model is no better than chance, %s.",
                          r->number > 1 ? "it is dropped, and there are no more rounds"
                                        : "and there is nothing to boost");
    else if (r->epsilon > 0)
        cairn_report_note(out, "The weights stay as they are: there are no more rounds.");
    else
        cairn_report_note(out, "The model makes no error: α would be infinite, %s.",
                          w->width == 1 ? "so it answers alone" : "so it is the last one");
}

void cairn_ada_show_round(const cairn_ada_work *w, const cairn_ada_round *round, bool goes_on,
                          cairn_report *part)
{
    cairn_report *out = w->job->steps;
    char prefix[32];
    if (!out) return;
    cairn_report_step_begin(out, "adaboost: round %zu, the model", round->number);
    snprintf(prefix, sizeof prefix, "round%zu.base", round->number);
    cairn_report_append(out, part, prefix);
    cairn_report_step_end(out);
    cairn_report_step_begin(out, "adaboost: round %zu, its error and the weights", round->number);
    show_contingency(w, round);
    if (goes_on)
        show_formulas(w, round);
    else
        show_end(w, round);
    show_rows(w, round, goes_on);
    cairn_report_step_end(out);
}

/* -- figures -- */

/* Errors of all models so far, for training rows and rows held out. */
static cairn_status draw_curve(cairn_context *ctx, cairn_figure **out, const void *model,
                               const cairn_job *job)
{
    const cairn_ada_history *a = job->history;
    double *x;
    (void)model;
    if (!a || a->n < 2) return CAIRN_OK;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH(ctx, &x, a->n));
    for (size_t i = 0; i < a->n; i++) x[i] = (double)i + 1;
    CHECK(cairn_figure_new(ctx, out, "curve", "Error by number of models"));
    cairn_figure_axes(*out, "models", "error");
    cairn_figure_y_range(*out, 0, NAN);
    cairn_figure_line(*out, "training rows", x, a->error, a->n);
    if (a->n_held > 0) cairn_figure_line(*out, "rows held out", x, a->held, a->n);
    cairn_figure_dashed(*out, "each model, by its weights (ε)", x, a->epsilon, a->n);
    return CAIRN_OK;
}

/* Which share of the rows has at most that margin. */
static cairn_status draw_margins(cairn_context *ctx, cairn_figure **out, const void *model,
                                 const cairn_job *job)
{
    const cairn_ada_history *a = job->history;
    double *x, *y;
    (void)model;
    if (!a || a->n_margins < 2) return CAIRN_OK;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH_EACH(ctx, 2 * a->n_margins, &x, &y));
    for (size_t i = 0; i < a->n_margins; i++) {
        x[2 * i] = x[2 * i + 1] = a->margins[i];
        y[2 * i] = (double)i / (double)a->n_margins;
        y[2 * i + 1] = (double)(i + 1) / (double)a->n_margins;
    }
    CHECK(cairn_figure_new(ctx, out, "margins", "Margins of the training rows"));
    cairn_figure_axes(*out, "margin", "share of the rows with at most that margin");
    cairn_figure_x_range(*out, -1.05, 1.05);
    cairn_figure_y_range(*out, 0, 1.05);
    cairn_figure_rule_x(*out, NULL, 0);
    cairn_figure_line(*out, NULL, x, y, 2 * a->n_margins);
    return CAIRN_OK;
}

const cairn_model_figure cairn_ada_figures[] = {
    {.name = "curve", .make = draw_curve},
    {.name = "margins", .make = draw_margins},
    {0},
};

/* -- the description -- */

/* Whatever made the rounds end before their number is said, and which models are left. */
static void show_reason(cairn_report *out, const cairn_ada_history *a, size_t kept)
{
    static const char *const names[CAIRN_ADA_ENDS] = {"rounds", "chance", "only chance", "perfect",
                                                      "patience"};
    cairn_report_hidden_word(out, names[a->end], "end");
    if (a->end == CAIRN_ADA_CHANCE) {
        cairn_report_value(out, "ε of the model that was dropped", a->last, "dropped.epsilon");
        cairn_report_note(out,
                          "Model %zu was no better than chance: it was dropped, and there are "
                          "no more rounds.",
                          a->n + 1);
    }
    if (a->end == CAIRN_ADA_ONLY_CHANCE)
        cairn_report_note(out, "The first model is no better than chance; it answers alone.");
    if (a->end == CAIRN_ADA_PERFECT)
        cairn_report_note(out, "Model %zu makes no error, so that its vote outweighs all others%s.",
                          a->n, kept == 1 ? ": it answers alone" : "");
    if (a->end == CAIRN_ADA_PATIENCE)
        cairn_report_note(out, "Further rounds were no better for the rows held out.");
    if (a->n_held > 0 && kept < a->n)
        cairn_report_note(out, "The first %zu models are kept, the best for the rows held out.",
                          kept);
    if (a->resampled)
        cairn_report_note(out, "Models were fitted to rows that were drawn by their weights.");
}

/* Errors and margins first, then why the rounds ended and all of them, then the hardest rows. */
static void show_history(cairn_report *out, const cairn_ada_history *a, const cairn_job *job,
                         size_t kept)
{
    cairn_figure *figure = NULL;
    cairn_context *ctx = cairn_report_context(out);
    cairn_report_value(out, "training error", a->training_error, "training.error");
    cairn_report_hidden(out, 1 - a->training_error, "training.accuracy");
    if (a->n_held > 0)
        cairn_report_value(out, "error of the rows held out", a->held_error, "held_out.error");
    if (a->n_held > 0) cairn_report_value(out, "rows held out", a->n_held, "held_out.rows");
    if (a->n_margins)
        cairn_report_value(out, "least margin of a training row", a->margins[0], "margin.least");
    if (a->n_margins)
        cairn_report_value(out, "median margin", a->margins[(a->n_margins - 1) / 2],
                           "margin.median");
    show_reason(out, a, kept);
    /* The table of rounds; with two classes the products of Z bound the training error. */
    const cairn_ada_params *p = job->params;
    bool bound = job->n_classes == 2 && !is_real(job) && p->vote == CAIRN_VOTE_WEIGHTED;
    double product = 1;
    cairn_report_table_of(out, "Rounds", ROUNDS_SHOWN, "rrrrr", "round", "ε", "α", "Z",
                          "training error");
    if (a->n_held > 0) cairn_report_column(out, "error held out", 'r');
    if (bound) cairn_report_column(out, "product of Z", 'r');
    for (size_t i = 0; i < a->n; i++) {
        product *= a->z[i];
        cairn_report_cells(out, "- round$1.epsilon round$1.alpha round$1.z round$1.error", i + 1,
                           a->epsilon[i], a->alpha[i], a->z[i], a->error[i]);
        if (a->n_held > 0) cairn_report_cell_number(out, a->held[i], 0, "round%zu.held", i + 1);
        if (bound) cairn_report_cell_number(out, product, 0, "round%zu.bound", i + 1);
    }
    cairn_report_table_end(out);
    if (bound) cairn_report_note(out, "The training error is never above the product of Z.");
    cairn_status made = draw_curve(ctx, &figure, NULL, job);
    cairn_describe_figure(out, made, &figure, false);
    figure = NULL;
    made = draw_margins(ctx, &figure, NULL, job);
    cairn_describe_figure(out, made, &figure, true);
    cairn_report_table_of(out, "Rows that weigh most after the last round", 0, "rr", "row",
                          "weight");
    for (size_t i = 0; i < a->n_heavy; i++) {
        cairn_report_cell_number(out, a->heavy_rows[i], 0, "heavy%zu.row", i + 1);
        cairn_report_cell_number(out, a->heavy_weights[i], 0, "heavy%zu.weight", i + 1);
    }
    cairn_report_table_end(out);
}

void cairn_ada_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    static const char *const names[] = {"discrete", "m1", "real"};
    const cairn_ada_params *p = job->params;
    const cairn_ada_history *a = job->history;
    const cairn_members *members = &((const cairn_ada_model *)model)->members;
    OWNED(cairn_free) char *base = NULL; /* as it was chosen */
    if (!out) return;
    if (members->n)
        cairn_report_failed(
            out, cairn_params_spec(cairn_report_context(out), members->models[0]->params, &base));
    cairn_report_word(out, "base", base ? base : p->wrapper.base, "base");
    cairn_report_word(out, "form", names[p->form], "form");
    if (a && a->n) show_history(out, a, job, members->n);
    cairn_members_describe(out, members);
}
