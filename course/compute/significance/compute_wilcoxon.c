/* SPDX-License-Identifier: MIT */
/* cairn compute wilcoxon: the signed-rank test of differences.
 *
 * Differences of 0 are left out; the others are ranked by size, equal sizes share the mean of their
 * places; the statistic is the smaller of the sums of ranks of positive and negative
 * differences. */
#include "typed/results.h"
#include "plots/test_steps.h"

#include "base/memory.h"
#include "base/number.h"
#include "report/table_rows.h"

#include <math.h>

typedef struct wilcoxon_params {
    const char *differences;
    double alpha, tail;
    int exact;
} wilcoxon_params;

static const cairn_param wilcoxon_table[] = {
    CAIRN_PARAM_AS(wilcoxon_params, differences, CAIRN_TYPE_LIST, NULL,
                   "the differences, typed; otherwise those of two number columns, or one column "
                   "of them"),
    CAIRN_PARAM(wilcoxon_params, alpha, "0.05", "(0,1)", "level of the test"),
    CAIRN_PARAM_CHOICE(wilcoxon_params, exact, "auto", cairn_exactness_choices,
                       "exact below 25 differences, always or never"),
    CAIRN_PARAM(wilcoxon_params, tail, CAIRN_NOT_GIVEN, "[0,inf)",
                "also show the exact p-value of this statistic, without ties"),
    CAIRN_PARAM_END,
};

static void show_ranks(cairn_report *out, const double *d, const double *ranks, size_t n)
{
    cairn_report_table_of(out, "Ranks", (size_t)-1, "rrrc", "pair", "difference",
                          "rank of its size", "sign");
    for (size_t i = 0; i < n; i++) {
        cairn_report_cells(out, NULL, i + 1, d[i]);
        if (ranks[i] > 0)
            cairn_report_cell_number(out, ranks[i], 0, "rank.%zu", i + 1);
        else
            cairn_report_cell(out, "left out");
        cairn_report_cell(out, d[i] > 0 ? "+" : d[i] < 0 ? "−" : "0");
    }
}

static void show_test(cairn_report *out, const cairn_wilcoxon *w, double alpha)
{
    cairn_report_value(out, "differences that count", (double)w->n, "n");
    cairn_report_value(out, "zeros left out", (double)w->zeros, "zeros");
    cairn_report_value(out, "ranks of positive differences", w->positive, "positive");
    cairn_report_value(out, "ranks of negative differences", w->negative, "negative");
    cairn_report_value(out, "statistic, the smaller one", w->statistic, "statistic");
    cairn_report_value(out, "critical value (significant up to it)", w->critical, "critical");
    cairn_report_value(out, "p, exact, two-sided", w->p_exact, "p.exact");
    cairn_report_value(out, "z", w->z, "z");
    cairn_report_value(out, "p, normal, two-sided", w->p_normal, "p.normal");
    if (w->tied)
        cairn_report_note(out, "Some differences have the same size and share ranks; the exact "
                               "p-value counts the signs of these very ranks.");
    cairn_report_verdict(out, w->p, alpha, "significant");
}

/* The largest statistics that are significant, for 5 to 30 differences and the usual levels: what
 * the tables of books hold. A level that no statistic reaches is left empty. */
static cairn_status show_critical_values(cairn_context *ctx, cairn_report *out)
{
    static const double levels[] = {0.1, 0.05, 0.02, 0.01};
    static const char *const names[] = {"0\\.1", "0\\.05", "0\\.02", "0\\.01"};
    cairn_report_table_of(out, "Critical values (two-sided): significant up to them", (size_t)-1,
                          "r", "differences");
    for (size_t k = 0; k < 4; k++) {
        char head[CAIRN_NUMBER_SIZE];
        cairn_number_format(head, levels[k], 0);
        cairn_report_column(out, head, 'r');
    }
    for (size_t n = 5; n <= 30; n++) {
        double critical[4] = {NAN, NAN, NAN, NAN}, lower = 0;
        for (double w = 0; 2 * lower <= levels[0] && w <= 0.5 * (double)(n * (n + 1)); w++) {
            CHECK(cairn_wilcoxon_lower(ctx, &lower, w, n));
            for (size_t k = 0; k < 4; k++)
                if (2 * lower <= levels[k]) critical[k] = w;
        }
        cairn_report_cellf(out, "%zu", n);
        for (size_t k = 0; k < 4; k++)
            cairn_report_cell_number(out, critical[k], 0, "critical.%zu.%s", n, names[k]);
    }
    return CAIRN_OK;
}

/* Without differences it is a table of critical values, as in the books. */
static cairn_status wilcoxon_run(cairn_context *ctx, cairn_report *out,
                                 const cairn_compute_job *job)
{
    const wilcoxon_params *p = job->params;
    double *d, *ranks, lower;
    size_t n;
    cairn_wilcoxon w;
    if (!p->differences && !job->table) {
        cairn_report_heading(out, 1, "Wilcoxon's signed-rank test");
        return show_critical_values(ctx, out);
    }
    CHECK(cairn_differences_of(ctx, &d, &n, p->differences, job->table));
    CHECK(SCRATCH(ctx, &ranks, n));
    CHECK(cairn_wilcoxon_of(ctx, &w, ranks, d, n, p->alpha, (cairn_exactness)p->exact));
    cairn_report_heading(out, 1, "Wilcoxon's signed-rank test");
    show_ranks(out, d, ranks, n);
    show_test(out, &w, p->alpha);
    if (job->steps) cairn_steps_wilcoxon(out, &w, d, ranks, n);
    if (!isnan(p->tail)) {
        CHECK(cairn_wilcoxon_lower(ctx, &lower, p->tail, w.n));
        cairn_report_value(out, "p of the statistic asked for", fmin(1, 2 * lower), "p.tail");
    }
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_wilcoxon = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "wilcoxon",
              .also = "signed rank, signed-rank test",
              .title = "Wilcoxon's signed-rank test",
              .summary =
                  "Compares two learners over folds or data sets without assuming that their "
                  "differences are normal: only the order of their sizes counts. Shows the ranks, "
                  "both sums, the critical value, the exact p-value (all signs of the ranks) and "
                  "the normal one with the variance corrected for ties. Without differences it "
                  "prints the table of critical values.",
              .references = "Wilcoxon: Biometrics Bulletin 1, 1945; Demsar: Journal of Machine "
                            "Learning Research 7, 2006",
              .example = "cairn compute wilcoxon @cv-accuracies --features "
                         "naive_bayes,decision_tree",
              .params = wilcoxon_table,
              .params_size = sizeof(wilcoxon_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_COLUMNS,
    .run = wilcoxon_run,
};
