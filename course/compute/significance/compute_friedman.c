/* SPDX-License-Identifier: MIT */
/* cairn compute friedman and cairn draw ranks: several learners over several data sets.
 *
 * Every data set ranks the learners (1 = best, ties share the mean). If they were alike, their
 * average ranks would lie close together; the statistic measures how far apart they are. When they
 * differ, Nemenyi's test says which pairs do, and Bonferroni and Dunn's which differ from a
 * control: those whose average ranks are more than a critical difference apart. */
#include "typed/results.h"
#include "plots/rank_report.h"
#include "plots/ranks_plot.h"
#include "plots/test_steps.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

typedef struct friedman_params {
    const char *averages, *control;
    int n, exact;
    double alpha, q;
    bool lower;
} friedman_params;

static const cairn_param friedman_table[] = {
    CAIRN_PARAM(friedman_params, lower, "no", NULL, "smaller results are better (errors, times)"),
    CAIRN_PARAM_AS(friedman_params, averages, CAIRN_TYPE_LIST, NULL,
                   "average ranks, typed, in place of a table of results"),
    CAIRN_PARAM(friedman_params, n, "0", "[0,inf)", "number of data sets behind the averages",
                .when = "averages"),
    CAIRN_PARAM(
        friedman_params, control, NULL, NULL,
        "the learner that the others are compared with; the first if not given, in the picture "
        "all pairs"),
    CAIRN_PARAM(friedman_params, alpha, "0.05", "(0,1)", "level of the tests"),
    CAIRN_PARAM(friedman_params, q, CAIRN_NOT_GIVEN, "(0,inf)",
                "a multiplier of one's own for the critical difference"),
    CAIRN_PARAM_CHOICE(friedman_params, exact, "auto", cairn_exactness_choices,
                       "count all orders of the ranks where that is feasible, always or never"),
    CAIRN_PARAM_END,
};

/* -- input -- */

static cairn_status find_control(cairn_context *ctx, cairn_rank_comparison *c, const char *control)
{
    if (!control) return CAIRN_OK;
    for (size_t j = 0; j < c->k; j++)
        if (strcmp(c->names[j], control) == 0) {
            c->control = j;
            return CAIRN_OK;
        }
    return cairn_fail(ctx, CAIRN_USAGE, "{control}: there is no learner '%s'", control);
}

/* Average ranks from a paper: the number of data sets must be given, and learners are called by
 * their numbers. */
static cairn_status compare_typed(cairn_context *ctx, cairn_report *out, const friedman_params *p,
                                  cairn_rank_comparison *c, bool steps)
{
    cairn_friedman f;
    if (p->n < 1)
        return cairn_fail(ctx, CAIRN_USAGE, "{averages} needs {n}, the number of data sets");
    CHECK(cairn_list_numbers(ctx, "averages", p->averages, &c->averages, &c->k));
    double sum = 0, wanted = (double)c->k * (double)(c->k + 1) / 2;
    for (size_t j = 0; j < c->k; j++) sum += c->averages[j];
    if (c->k < 2 || fabs(sum - wanted) > 0.05 * wanted)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{averages}: %zu average ranks sum to about %zu, so these are not all of "
                          "them, or not ranks",
                          c->k, c->k * (c->k + 1) / 2);
    CHECK(SCRATCH(ctx, &c->names, c->k));
    c->n = (size_t)p->n;
    for (size_t j = 0; j < c->k; j++) {
        char *name;
        CHECK(SCRATCH(ctx, &name, CAIRN_NUMBER_SIZE));
        cairn_number_format(name, (double)j + 1, 0);
        c->names[j] = name;
    }
    CHECK(cairn_friedman_averages(ctx, &f, c->averages, c->n, c->k, c->alpha,
                                  (cairn_exactness)p->exact));
    cairn_report_friedman(out, &f, c->alpha);
    if (steps) cairn_steps_friedman(out, &f, c->names, NULL, c->averages);
    return CAIRN_OK;
}

static cairn_status compare_table(cairn_context *ctx, cairn_report *out, const friedman_params *p,
                                  const cairn_table *table, cairn_rank_comparison *c, bool steps)
{
    cairn_results r;
    cairn_friedman f;
    double *ranks;
    CHECK(cairn_results_of(ctx, &r, table, 2));
    CHECK(SCRATCH(ctx, &ranks, cairn_product(r.n, r.k)));
    CHECK(SCRATCH(ctx, &c->averages, r.k));
    CHECK(cairn_friedman_of(ctx, &f, ranks, c->averages, r.values, r.n, r.k, p->lower, c->alpha,
                            (cairn_exactness)p->exact));
    c->n = r.n, c->k = r.k, c->names = r.names;
    cairn_report_ranks(out, &r, ranks, c->averages);
    cairn_report_friedman(out, &f, c->alpha);
    if (steps) cairn_steps_friedman(out, &f, c->names, ranks, c->averages);
    return CAIRN_OK;
}

/* The average ranks that are typed or those of the table; `out` may be NULL. */
static cairn_status compare_ranks(cairn_context *ctx, cairn_report *out,
                                  const cairn_compute_job *job, cairn_rank_comparison *c)
{
    const friedman_params *p = job->params;
    *c = (cairn_rank_comparison){.alpha = p->alpha, .own_q = p->q};
    if (p->averages)
        CHECK(compare_typed(ctx, out, p, c, job->steps));
    else if (job->table)
        CHECK(compare_table(ctx, out, p, job->table, c, job->steps));
    else
        return cairn_fail(ctx, CAIRN_USAGE,
                          "name a table with a column of results per learner and a row per data "
                          "set, or type {averages} and {n}");
    return find_control(ctx, c, p->control);
}

static cairn_status friedman_run(cairn_context *ctx, cairn_report *out,
                                 const cairn_compute_job *job)
{
    cairn_rank_comparison c;
    cairn_report_heading(out, 1, "Friedman's test");
    CHECK(compare_ranks(ctx, out, job, &c));
    if (job->steps) cairn_steps_critical(out, &c);
    return cairn_report_rank_pairs(ctx, out, &c);
}

static cairn_status ranks_draw(cairn_context *ctx, cairn_figure **out, const cairn_compute_job *job)
{
    const friedman_params *p = job->params;
    cairn_rank_comparison c;
    CHECK(compare_ranks(ctx, NULL, job, &c));
    double q = p->control ? cairn_dunn_q(c.k, p->alpha) : cairn_nemenyi_q(c.k, p->alpha);
    return cairn_plot_ranks(ctx, out, &c,
                            cairn_critical_difference(isnan(p->q) ? q : p->q, c.k, c.n),
                            p->control != NULL);
}

const cairn_calculator cairn_compute_friedman = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "friedman",
              .also = "Nemenyi, Bonferroni-Dunn, average ranks, critical difference",
              .about = "post-hoc tests, comparing algorithms over several data sets",
              .title = "Friedman's test with Nemenyi and Bonferroni-Dunn",
              .summary =
                  "Compares several learners over several data sets by their ranks: the table of "
                  "ranks, Friedman's statistic with its chi-squared, F and exact p-values, the "
                  "critical differences of Nemenyi (all pairs) and of Bonferroni and Dunn (against "
                  "a control), and the groups of learners that do not differ significantly.",
              .references = "Friedman: Journal of the American Statistical Association 32, 1937; "
                            "Demsar: Journal of Machine Learning Research 7, 2006",
              .example = "cairn compute friedman @cv-accuracies",
              .params = friedman_table,
              .params_size = sizeof(friedman_params)},
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "ranks",
                .also = "CD diagram, critical difference, Nemenyi",
                .title = "Critical difference diagram",
                .summary =
                    "Average ranks of several learners over several data sets on a line, with the "
                    "critical difference: bars join learners that do not differ significantly "
                    "(Nemenyi), or "
                    "show the reach of a control (Bonferroni and Dunn). The table has a column of "
                    "results per learner and a row per data set.",
                .references = "Demsar: Journal of Machine Learning Research 7, 2006",
                .example = "cairn draw ranks @cv-accuracies --out ranks.svg",
                .params = friedman_table,
                .params_size = sizeof(friedman_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_TARGET | CAIRN_READS_COLUMNS,
    .run = friedman_run,
    .draw = ranks_draw,
};
