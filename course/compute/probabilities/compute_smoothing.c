/* SPDX-License-Identifier: MIT */
/* cairn compute smoothing: probabilities from counts. */
#include "model/calculator.h"

#include "base/memory.h"
#include "base/number.h"
#include "entry/probabilities.h"
#include "stats/smoothing.h"

#include <math.h>
#include <stdio.h>

typedef struct smoothing_params {
    cairn_list prior, counts, classes;
    cairn_smoothing_option smoothing;
    double m, lambda;
} smoothing_params;

static const cairn_param smoothing_table[] = {
    CAIRN_PARAM_CELLS(smoothing_params, counts, COUNTS, NULL, NULL,
                      "how often each value was seen, such as 8,2,0", .required = true),
    CAIRN_PARAM_CELLS(smoothing_params, classes, NAMES, NULL, NULL, "names of the values"),
    CAIRN_PARAM_CELLS(smoothing_params, prior, PROBABILITIES, NULL, NULL,
                      "prior probabilities for the m-estimate; all alike if not given"),
    CAIRN_PARAM_GROUP(smoothing_params, smoothing, cairn_smoothing_group),
    CAIRN_PARAM(smoothing_params, m, "10", "[0,inf)", "m of the column of m-estimates"),
    CAIRN_PARAM(smoothing_params, lambda, "0.5", "[0,inf)", "lambda of its column"),
    CAIRN_PARAM_END,
};

/* All ways of smoothing side by side for the same counts; the last column is the one chosen. */
static void show_estimates(cairn_report *out, const smoothing_params *p, const double *counts,
                           size_t n, const char *const *names, const double *prior,
                           cairn_smoothing chosen)
{
    const struct {
        const char *head, *name;
        cairn_smoothing how;
    } columns[] = {{"n/N", "none", {CAIRN_SMOOTH_NONE, 0}},
                   {"Laplace", "laplace", {CAIRN_SMOOTH_LAPLACE, 0}},
                   {"lambda", "lambda", {CAIRN_SMOOTH_LAMBDA, p->lambda}},
                   {"m-estimate", "m", {CAIRN_SMOOTH_M, p->m}},
                   {"bits", "bits", {CAIRN_SMOOTH_BITS, 0}},
                   {cairn_say(cairn_report_context(out), "{smooth}"), "chosen", chosen}};
    double total = 0;
    for (size_t i = 0; i < n; i++) total += counts[i];
    cairn_report_table_of(out, "Probabilities from counts", (size_t)-1, "lr", "value", "count");
    for (size_t c = 0; c < 6; c++) cairn_report_column(out, columns[c].head, 'r');
    for (size_t i = 0; i < n; i++) {
        if (names)
            cairn_report_cell(out, names[i]);
        else
            cairn_report_cellf(out, "%zu", i + 1);
        cairn_report_cell_number(out, counts[i], 0, NULL);
        for (size_t c = 0; c < 6; c++)
            cairn_report_cell_number(out,
                                     cairn_smoothed(columns[c].how, counts[i], total, n, prior, i),
                                     0, "%s.%zu", columns[c].name, i + 1);
    }
    cairn_report_hidden(out, total, "total");
}

/* Every estimate of the chosen rule and of Laplace's and the m-estimate with the numbers put in. */
static void show_work(cairn_report *out, const smoothing_params *p, const double *counts, size_t n,
                      const char *const *names, const double *prior, cairn_smoothing chosen)
{
    enum { MOST_WORKED = 10 };
    double total = 0, k = (double)n;
    for (size_t i = 0; i < n; i++) total += counts[i];
    for (size_t i = 0; i < n && i < MOST_WORKED; i++) {
        double c = counts[i], share = prior ? prior[i] : 1 / k;
        const double m = chosen.kind == CAIRN_SMOOTH_M ? chosen.amount : p->m;
        const double lambda = chosen.kind == CAIRN_SMOOTH_LAMBDA ? chosen.amount : p->lambda;
        if (names)
            cairn_report_step_begin(out, "%s", names[i]);
        else
            cairn_report_step_begin(out, "Value %zu", i + 1);
        cairn_report_worked(out, "n/N", "# / # = #", c, total, c / total);
        cairn_report_worked(
            out, "Laplace", "(# + 1) / (# + #) = #", c, total, k,
            cairn_smoothed((cairn_smoothing){CAIRN_SMOOTH_LAPLACE, 0}, c, total, n, prior, i));
        cairn_report_worked(out, "lambda", "(# + #) / (# + # · #) = #", c, lambda, total, lambda, k,
                            (c + lambda) / (total + lambda * k));
        cairn_report_worked(out, "m-estimate", "(# + # · #) / (# + #) = #", c, m, share, total, m,
                            (c + m * share) / (total + m));
        cairn_report_worked(out, "bits", "(# + 1) / (# + 2) = #", c, total, (c + 1) / (total + 2));
        cairn_report_step_end(out);
    }
}

/* Counts of 0 are told, as they are why smoothing exists. */
static cairn_status smoothing_run(cairn_context *ctx, cairn_report *out,
                                  const cairn_compute_job *job)
{
    const smoothing_params *p = job->params;
    cairn_smoothing chosen;
    const double *counts = p->counts.values, *prior = p->prior.values;
    const char *const *names = p->classes.names;
    size_t n = p->counts.n, zeros = 0;
    if (p->counts.rows != 1)
        return cairn_fail(ctx, CAIRN_USAGE, "{counts}: one row of counts, please");
    CHECK(cairn_smoothing_read(ctx, &chosen, p->smoothing.smooth));
    if (prior) CHECK(cairn_list_fits(ctx, &p->prior, "prior", n, "counts"));
    if (names) CHECK(cairn_list_fits(ctx, &p->classes, "classes", n, "counts"));
    cairn_report_heading(out, 1, "Probabilities from counts");
    cairn_report_formula(out, "none n/N;  Laplace (n+1)/(N+k);  lambda (n+λ)/(N+λk)");
    cairn_report_formula(out, "m-estimate (n+m·p)/(N+m);  bits (n+1)/(N+2)");
    show_estimates(out, p, counts, n, names, prior, chosen);
    if (job->steps) show_work(out, p, counts, n, names, prior, chosen);
    for (size_t i = 0; i < n; i++) zeros += counts[i] == 0;
    cairn_report_hidden(out, (double)zeros, "zeros");
    if (zeros)
        cairn_report_note(out,
                          "%zu of %zu counts are 0: without smoothing these values are "
                          "impossible, and one of them makes a whole product of "
                          "probabilities 0.",
                          zeros, n);
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_smoothing = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "smoothing",
              .also = "Laplace smoothing, m-estimate, Laplace correction, add-one smoothing, "
                      "additive smoothing, pseudo-counts, Laplace estimate",
              .about = "zero counts",
              .title = "Probabilities from counts",
              .summary = "Relative frequencies of typed counts and the usual corrections: Laplace, "
                         "lambda, the m-estimate with a uniform or a given prior, and two pseudo-"
                         "cases for bits. The last column is what --smooth chooses; the option is "
                         "the same wherever counts become probabilities.",
              .references =
                  "Cestnik: Estimating Probabilities: A Crucial Task in Machine Learning, "
                  "ECAI 1990",
              .example = "cairn compute smoothing --counts 8,2,0 --smooth m:5",
              .params = smoothing_table,
              .params_size = sizeof(smoothing_params)},
    .arguments = "",
    .run = smoothing_run,
};
