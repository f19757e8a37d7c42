/* SPDX-License-Identifier: MIT */
/* cairn compute loss: what margins cost under the usual losses. */
#include "typed/ranked.h"

#include "base/functions.h"
#include "base/memory.h"
#include "plots/losses_plot.h"
#include "stats/losses.h"

#include <math.h>

typedef struct loss_params {
    cairn_list margins;
    cairn_ranked_option ranked;
    int log;
} loss_params;

static const cairn_param loss_table[] = {
    CAIRN_PARAM_CELLS(loss_params, margins, NUMBERS, NULL, NULL,
                      "margins z = class (+1 or -1) times score, as a typed list"),
    CAIRN_PARAM_GROUP(loss_params, ranked, cairn_ranked_group),
    CAIRN_PARAM_CHOICE(loss_params, log, "2", cairn_log_choices,
                       "base of the logarithm in the logistic loss"),
    CAIRN_PARAM_END,
};

static void begin_table(cairn_report *out, const char *title, const char *first)
{
    cairn_report_table_of(out, title, (size_t)-1, "r", first);
    for (int l = 0; l < CAIRN_N_LOSSES; l++)
        cairn_report_column(out, cairn_loss_title((cairn_loss)l), 'r');
}

/* A margin is positive where the answer is right; all losses side by side, and their means. */
enum { MOST_WORKED = 10 };

/* The losses of one margin with the numbers put in. */
static void work_margin(cairn_report *out, double z, double base, size_t i)
{
    cairn_report_step_begin(out, "Margin %zu", i + 1);
    cairn_report_worked(out, "hinge", "max(0, 1 − z) = max(0, 1 − #) = #", z,
                        cairn_margin_loss(CAIRN_LOSS_HINGE, z, base));
    cairn_report_worked(out, "logistic", "ln(1 + exp(−z)) / ln base = ln(1 + #) / ln # = #",
                        cairn_exp(-z), base, cairn_margin_loss(CAIRN_LOSS_LOGISTIC, z, base));
    cairn_report_worked(out, "exponential", "exp(−z) = exp(−#) = #", z,
                        cairn_margin_loss(CAIRN_LOSS_EXPONENTIAL, z, base));
    cairn_report_worked(out, "squared", "(1 − z)² = (1 − #)² = #", z,
                        cairn_margin_loss(CAIRN_LOSS_SQUARED, z, base));
    cairn_report_step_end(out);
}

static cairn_status show_margins(cairn_report *out, const loss_params *p, bool steps)
{
    const double *z = p->margins.values;
    double base = cairn_log_base(p->log), sums[CAIRN_N_LOSSES] = {0};
    size_t n = p->margins.n;
    begin_table(out, "Loss of each margin", "margin z");
    for (size_t i = 0; i < n; i++) {
        cairn_report_cell_number(out, z[i], 0, NULL);
        for (int l = 0; l < CAIRN_N_LOSSES; l++) {
            double loss = cairn_margin_loss((cairn_loss)l, z[i], base);
            sums[l] += loss;
            cairn_report_cell_number(out, loss, 0, "%s.%zu", cairn_loss_name((cairn_loss)l), i + 1);
        }
    }
    cairn_report_cell(out, "mean");
    for (int l = 0; l < CAIRN_N_LOSSES; l++)
        cairn_report_cell_number(out, sums[l] / (double)n, 0, "mean.%s",
                                 cairn_loss_name((cairn_loss)l));
    for (size_t i = 0; steps && i < n && i < MOST_WORKED; i++) work_margin(out, z[i], base, i);
    if (steps) cairn_report_step_begin(out, "The means");
    for (int l = 0; steps && l < CAIRN_N_LOSSES; l++)
        cairn_report_worked(out, cairn_loss_title((cairn_loss)l), "# / # = #", sums[l], (double)n,
                            sums[l] / (double)n);
    if (steps) cairn_report_step_end(out);
    return CAIRN_OK;
}

/* Mean losses of a test set: positives have the margin s, negatives -s. */
static cairn_status show_scores(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const loss_params *p = job->params;
    cairn_ranked ranked;
    double base = cairn_log_base(p->log);
    CHECK(cairn_read_one_ranked(ctx, &ranked, &p->ranked, job->table, "compute loss"));
    const cairn_ranking *r = &ranked.ranking;
    if (!ranked.scored)
        return cairn_fail(ctx, CAIRN_USAGE, "'compute loss' needs {margins}, or DATA with scores");
    cairn_show_ranked(out, &ranked);
    cairn_report_table_of(out, "Mean losses", 0, "lr", "loss", "mean");
    for (int l = 0; l < CAIRN_N_LOSSES; l++) {
        double sum = 0;
        for (size_t i = 0; i < r->n; i++) {
            const cairn_segment *s = &r->segments[i];
            if (s->positives > 0)
                sum += s->positives * cairn_margin_loss((cairn_loss)l, s->score, base);
            if (s->negatives > 0)
                sum += s->negatives * cairn_margin_loss((cairn_loss)l, -s->score, base);
        }
        cairn_report_cell(out, cairn_loss_title((cairn_loss)l));
        cairn_report_cell_number(out, sum / (r->positives + r->negatives), 0, "mean.%s",
                                 cairn_loss_name((cairn_loss)l));
    }
    for (size_t i = 0; job->steps && i < r->n && i < MOST_WORKED; i++) {
        const cairn_segment *s = &r->segments[i];
        work_margin(out, s->positives > 0 ? s->score : -s->score, base, i);
    }
    return CAIRN_OK;
}

static cairn_status loss_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const loss_params *p = job->params;
    cairn_figure *figure;
    cairn_report_heading(out, 1, "Losses of margins");
    cairn_report_formula(out, "z = class · score;  z > 0: the score is on the right side");
    CHECK(p->margins.text ? show_margins(out, p, job->steps) : show_scores(ctx, out, job));
    cairn_report_paragraph(out,
                           "0–1: 1 if z ≤ 0. Hinge: max(0, 1−z). Logistic: log₂(1+e⁻ᶻ). "
                           "Exponential: e⁻ᶻ. Squared: (1−z)², cut to 0 above z = 1. All are 1 "
                           "at z = 0 (logistic with base 2), and all bound "
                           "the 0–1 loss from above everywhere.");
    CHECK(cairn_plot_losses(ctx, &figure, cairn_log_base(p->log), -3, 3));
    cairn_report_page_figure(out, figure);
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_loss = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "loss",
              .also = "hinge loss, exponential loss, 0-1 loss, zero-one loss, surrogate loss, "
                      "margin, loss function",
              .title = "Losses of margins",
              .summary = "0–1, hinge, logistic, exponential, squared and truncated squared loss of "
                         "typed margins, or their means over a table with signed scores and "
                         "classes.",
              .references = "Rosasco et al.: Are Loss Functions All the Same?, Neural Computation "
                            "16, 2004",
              .example = "cairn compute loss --margins -1,0,0.5,1,2",
              .params = loss_table,
              .params_size = sizeof(loss_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_ROLES,
    .run = loss_run,
};
