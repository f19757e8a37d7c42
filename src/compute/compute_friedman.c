/* SPDX-License-Identifier: MIT */
/* cairn compute friedman: several learners over several data sets.
 *
 * Every data set ranks the learners (1 = best, ties share the mean). If they were alike, their
 * average ranks would lie close together; the statistic measures how far apart they are. When they
 * differ, Nemenyi's test says which pairs do, and Bonferroni and Dunn's which differ from a control:
 * those whose average ranks are more than a critical difference apart. */
#include "compute/significance.h"

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
    CAIRN_PARAM(friedman_params, n, "0", "[0,inf)", "number of data sets behind --averages"),
    CAIRN_PARAM(friedman_params, control, NULL, NULL,
                "the learner that the others are compared with; the first if not given"),
    CAIRN_PARAM(friedman_params, alpha, "0.05", "(0,1)", "level of the tests"),
    CAIRN_PARAM(friedman_params, q, CAIRN_NOT_GIVEN, "(0,inf)",
                "a multiplier of one's own for the critical difference"),
    CAIRN_PARAM_CHOICE(friedman_params, exact, "auto", cairn_exactness_choices,
                       "count all orders of the ranks where that is feasible, always or never"),
    CAIRN_PARAM_END,
};

typedef struct comparison {
    size_t n, k;
    const char **names;
    double *averages;
    double alpha, own_q;
    size_t control;
} comparison;

/* -- ranks and the test -- */

static void show_ranks(cairn_report *out, const cairn_results *r, const double *ranks,
                       const double *averages)
{
    cairn_report_table_begin(out, "Results with their ranks in brackets", (size_t)-1);
    cairn_report_column(out, "data set", 'l');
    for (size_t j = 0; j < r->k; j++) cairn_report_column(out, r->names[j], 'r');
    for (size_t i = 0; i < r->n; i++) {
        cairn_report_cellf(out, "%zu", i + 1);
        for (size_t j = 0; j < r->k; j++) {
            char value[CAIRN_NUMBER_SIZE], rank[CAIRN_NUMBER_SIZE];
            cairn_number_format(value, r->values[i * r->k + j], 6);
            cairn_number_format(rank, ranks[i * r->k + j], 4);
            cairn_report_hidden(out, ranks[i * r->k + j], "rank.%zu.%s", i + 1,
                                cairn_report_key(out, r->names[j]));
            cairn_report_cellf(out, "%s (%s)", value, rank);
        }
    }
    cairn_report_cell(out, "average rank");
    for (size_t j = 0; j < r->k; j++)
        cairn_report_cell_number(out, averages[j], 0, "average.%s",
                                 cairn_report_key(out, r->names[j]));
    cairn_report_table_end(out);
}

static void show_test(cairn_report *out, const cairn_friedman *f, double alpha)
{
    cairn_report_formula(out, "statistic = n Σ (Rⱼ − R̄)² / [Σᵢⱼ (rᵢⱼ − R̄)² / (n (k − 1))]");
    cairn_report_value(out, "mean rank R̄", f->middle, "middle");
    cairn_report_value(out, "n Σ (Rⱼ − R̄)²", f->between, "between");
    cairn_report_value(out, "Σ (rᵢⱼ − R̄)² / (n (k − 1))", f->overall, "overall");
    cairn_report_value(out, "statistic", f->statistic, "statistic");
    cairn_report_value(out, "p, chi-squared", f->p_chi2, "p.chi2");
    cairn_report_value(out, "critical value, chi-squared", f->critical_chi2, "critical.chi2");
    cairn_report_value(out, "p, exact", f->p_exact, "p.exact");
    cairn_report_value(out, "critical value, exact", f->critical_exact, "critical.exact");
    cairn_report_value(out, "F of Iman and Davenport", f->f, "f");
    cairn_report_value(out, "p, F", f->p_f, "p.f");
    cairn_report_verdict(out, f->p, alpha, "significant");
}

/* -- after the test -- */

static void show_pairs(cairn_report *out, const comparison *c, double critical)
{
    cairn_report_table_begin(out, "Nemenyi: all pairs", (size_t)-1);
    cairn_report_column(out, "pair", 'l');
    cairn_report_column(out, "difference of ranks", 'r');
    cairn_report_column(out, "p", 'r');
    cairn_report_column(out, "significant", 'l');
    for (size_t a = 0; a < c->k; a++)
        for (size_t b = a + 1; b < c->k; b++) {
            double d = fabs(c->averages[a] - c->averages[b]);
            const char *x = cairn_report_key(out, c->names[a]);
            const char *y = cairn_report_key(out, c->names[b]);
            if (d > critical) cairn_report_row_mark(out);
            cairn_report_cellf(out, "%s, %s", c->names[a], c->names[b]);
            cairn_report_cell_number(out, d, 0, "difference.%s-%s", x, y);
            cairn_report_cell_number(out, cairn_nemenyi_p(d, c->k, c->n), 0, "nemenyi.p.%s-%s", x,
                                     y);
            cairn_report_cell_word(out, d > critical ? "yes" : "no", "nemenyi.significant.%s-%s", x,
                                   y);
        }
    cairn_report_table_end(out);
}

static void show_control(cairn_report *out, const comparison *c, double critical)
{
    cairn_report_table_begin(out, "Bonferroni and Dunn: against the control", (size_t)-1);
    cairn_report_column(out, "learner", 'l');
    cairn_report_column(out, "rank less the control's", 'r');
    cairn_report_column(out, "p", 'r');
    cairn_report_column(out, "significant", 'l');
    for (size_t j = 0; j < c->k; j++) {
        if (j == c->control) continue;
        double d = c->averages[j] - c->averages[c->control];
        const char *key = cairn_report_key(out, c->names[j]);
        cairn_report_cell(out, c->names[j]);
        cairn_report_cell_number(out, d, 0, "dunn.difference.%s", key);
        cairn_report_cell_number(out, cairn_dunn_p(d, c->k, c->n), 0, "dunn.p.%s", key);
        cairn_report_cell_word(out, fabs(d) > critical ? "yes" : "no", "dunn.significant.%s", key);
    }
    cairn_report_table_end(out);
}

/* "a b c" joined by bars of the learners that cannot be told apart. */
static cairn_status show_groups(cairn_context *ctx, cairn_report *out, const comparison *c,
                                double critical)
{
    cairn_status status;
    size_t *order, *first, *last;
    TRY(SCRATCH(ctx, &order, c->k));
    TRY(SCRATCH(ctx, &first, c->k));
    TRY(SCRATCH(ctx, &last, c->k));
    size_t n = cairn_rank_groups(c->averages, c->k, critical, order, first, last);
    cairn_report_hidden(out, (double)n, "groups");
    for (size_t g = 0; g < n; g++) {
        cairn_text names = cairn_text_start(ctx);
        for (size_t i = first[g]; i <= last[g]; i++)
            cairn_text_addf(&names, "%s%s", i > first[g] ? ", " : "", c->names[order[i]]);
        cairn_report_paragraph(out, "Not told apart: %s.", cairn_text_string(&names));
        cairn_report_hidden_word(out, cairn_text_string(&names), "group.%zu", g + 1);
        status = cairn_text_status(&names);
        cairn_text_clear(&names);
        if (status) goto done;
    }
done:
    return status;
}

static cairn_status show_followers(cairn_context *ctx, cairn_report *out, const comparison *c)
{
    cairn_status status;
    double q = cairn_nemenyi_q(c->k, c->alpha), dunn = cairn_dunn_q(c->k, c->alpha);
    double critical = cairn_critical_difference(q, c->k, c->n);
    double control = cairn_critical_difference(dunn, c->k, c->n);
    cairn_report_heading(out, 2, "Which ones differ");
    cairn_report_formula(out, "CD = q √(k (k + 1) / (6 n))");
    cairn_report_value(out, "q of Nemenyi", q, "nemenyi.q");
    cairn_report_value(out, "critical difference of pairs", critical, "nemenyi.cd");
    cairn_report_value(out, "q of Bonferroni and Dunn", dunn, "dunn.q");
    cairn_report_value(out, "critical difference to a control", control, "dunn.cd");
    if (!isnan(c->own_q))
        cairn_report_value(out, "critical difference for the given q",
                           cairn_critical_difference(c->own_q, c->k, c->n), "own.cd");
    show_pairs(out, c, critical);
    TRY(show_groups(ctx, out, c, critical));
    cairn_report_paragraph(out, "The control is %s.", c->names[c->control]);
    show_control(out, c, control);
done:
    return status;
}

/* -- input -- */

static cairn_status find_control(cairn_context *ctx, comparison *c, const char *control)
{
    if (!control) return CAIRN_OK;
    for (size_t j = 0; j < c->k; j++)
        if (strcmp(c->names[j], control) == 0) {
            c->control = j;
            return CAIRN_OK;
        }
    return cairn_fail(ctx, CAIRN_USAGE, "--control: there is no learner '%s'", control);
}

static cairn_status check_averages(cairn_context *ctx, const comparison *c)
{
    double sum = 0, wanted = (double)c->k * (double)(c->k + 1) / 2;
    for (size_t j = 0; j < c->k; j++) sum += c->averages[j];
    if (c->k < 2 || fabs(sum - wanted) > 0.05 * wanted)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "--averages: %zu average ranks sum to about %zu, so these are not all of "
                          "them, or not ranks",
                          c->k, c->k * (c->k + 1) / 2);
    return CAIRN_OK;
}

static cairn_status compare_typed(cairn_context *ctx, cairn_report *out, const friedman_params *p,
                                  comparison *c)
{
    cairn_status status;
    cairn_friedman f;
    if (p->n < 1)
        return cairn_fail(ctx, CAIRN_USAGE, "--averages needs --n, the number of data sets");
    TRY(cairn_list_numbers(ctx, "averages", p->averages, &c->averages, &c->k));
    TRY(check_averages(ctx, c));
    TRY(SCRATCH(ctx, &c->names, c->k));
    c->n = (size_t)p->n;
    for (size_t j = 0; j < c->k; j++) {
        char *name;
        TRY(SCRATCH(ctx, &name, CAIRN_NUMBER_SIZE));
        cairn_number_format(name, (double)j + 1, 0);
        c->names[j] = name;
    }
    TRY(cairn_friedman_averages(ctx, &f, c->averages, c->n, c->k, c->alpha,
                                (cairn_exactness)p->exact));
    show_test(out, &f, c->alpha);
done:
    return status;
}

static cairn_status compare_table(cairn_context *ctx, cairn_report *out, const friedman_params *p,
                                  const cairn_table *table, comparison *c)
{
    cairn_status status;
    cairn_results r;
    cairn_friedman f;
    double *ranks;
    TRY(cairn_results_of(ctx, &r, table, 2));
    TRY(SCRATCH(ctx, &ranks, cairn_product(r.n, r.k)));
    TRY(SCRATCH(ctx, &c->averages, r.k));
    TRY(cairn_friedman_of(ctx, &f, ranks, c->averages, r.values, r.n, r.k, p->lower, c->alpha,
                          (cairn_exactness)p->exact));
    c->n = r.n, c->k = r.k, c->names = r.names;
    show_ranks(out, &r, ranks, c->averages);
    show_test(out, &f, c->alpha);
done:
    return status;
}

static cairn_status friedman_run(cairn_context *ctx, cairn_report *out,
                                 const cairn_compute_job *job)
{
    const friedman_params *p = job->params;
    cairn_status status;
    comparison c = {.alpha = p->alpha, .own_q = p->q};
    cairn_report_heading(out, 1, "Friedman's test");
    if (p->averages)
        TRY(compare_typed(ctx, out, p, &c));
    else if (job->table)
        TRY(compare_table(ctx, out, p, job->table, &c));
    else
        return cairn_fail(ctx, CAIRN_USAGE,
                          "name a table with a column of results per learner and a row per data "
                          "set, or type --averages and --n");
    TRY(find_control(ctx, &c, p->control));
    TRY(show_followers(ctx, out, &c));
done:
    return status;
}

const cairn_calculator cairn_compute_friedman = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "friedman",
              .title = "Friedman's test with Nemenyi and Bonferroni-Dunn",
              .summary =
                  "Compares several learners over several data sets by their ranks: the table of "
                  "ranks, Friedman's statistic with its chi-squared, F and exact p-values, the "
                  "critical differences of Nemenyi (all pairs) and of Bonferroni and Dunn (against "
                  "a control), and the groups of learners that cannot be told apart.",
              .references = "Friedman: Journal of the American Statistical Association 32, 1937; "
                            "Demsar: Journal of Machine Learning Research 7, 2006",
              .example = "cairn compute friedman @cv-accuracies",
              .params = friedman_table,
              .params_size = sizeof(friedman_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .run = friedman_run,
};
