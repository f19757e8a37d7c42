/* SPDX-License-Identifier: MIT */
/* cairn compute correlation-ratio: how much of the variance of a number its group explains. */
#include "typed/numbers.h"

#include "base/memory.h"
#include "stats/contingency.h"
#include "report/table_rows.h"

typedef struct ratio_params {
    cairn_numbers_options numbers;
} ratio_params;

static const cairn_param ratio_table[] = {
    CAIRN_PARAM_GROUP(ratio_params, numbers, cairn_numbers_params),
    CAIRN_PARAM_END,
};

static void show_groups(cairn_report *out, const cairn_numbers *numbers,
                        const cairn_group_stats *groups, double total)
{
    static const char *const heads[] = {"size", "share", "mean", "variance"};
    cairn_report_table_of(out, "Groups (variance divides by the size)", 100, "l", "group");
    for (size_t i = 0; i < 4; i++) cairn_report_column(out, heads[i], 'r');
    for (size_t g = 0; g < numbers->n_groups; g++) {
        if (!(groups[g].weight > 0)) continue;
        cairn_report_cells(out, "- group.$1.n group.$1.share group.$1.mean group.$1.variance",
                           numbers->groups[g], groups[g].weight, groups[g].weight / total,
                           groups[g].mean, groups[g].variance);
    }
}

/* Total variance is that within the groups plus that between them; the share of the latter is
 * the ratio. */
/* The variance within as a sum over the groups, and the ratio. */
static void show_work(cairn_report *out, const cairn_numbers *numbers,
                      const cairn_group_stats *groups, const cairn_correlation_ratio *r)
{
    enum { MOST_WORKED = 10 };
    cairn_report_step_begin(out, "The parts of the variance");
    for (size_t g = 0; g < numbers->n_groups && g < MOST_WORKED; g++)
        if (groups[g].weight > 0)
            cairn_report_worked(out, numbers->groups[g], "p · variance = #/# · # = #",
                                groups[g].weight, r->total, groups[g].variance,
                                groups[g].weight / r->total * groups[g].variance);
    cairn_report_worked(out, "within", "sum over the groups = #", r->within);
    cairn_report_worked(out, "B / N", "variance − within = # − # = #", r->variance, r->within,
                        r->between);
    cairn_report_worked(out, "η²", "(B / N) / variance = # / # = #", r->between, r->variance,
                        r->eta_squared);
    cairn_report_step_end(out);
}

static cairn_status ratio_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const ratio_params *p = job->params;
    cairn_numbers numbers;
    cairn_group_stats *groups;
    cairn_correlation_ratio r;
    CHECK(cairn_numbers_get(ctx, &numbers, &p->numbers, job->table, "correlation-ratio"));
    if (!numbers.codes)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "'compute correlation-ratio' needs groups: {groups} for "
                          "typed values, {by COLUMN} for a table");
    CHECK(SCRATCH(ctx, &groups, numbers.n_groups + 1));
    cairn_correlation_ratio_of(&r, groups, numbers.n_groups, numbers.values, numbers.codes,
                               numbers.weights, numbers.n);
    cairn_report_heading(out, 1, "What the groups say about %s", numbers.name);
    show_groups(out, &numbers, groups, r.total);
    cairn_report_formula(out, "within = Σ p_k · variance_k,   B / N = variance − within,   "
                              "η² = B / (N · variance)");
    cairn_report_value(out, "N", r.total, "n");
    cairn_report_value(out, "mean", r.mean, "mean");
    cairn_report_value(out, "variance (by N)", r.variance, "variance");
    cairn_report_value(out, "variance within the groups", r.within, "within");
    cairn_report_value(out, "explained: B / N", r.between, "between");
    cairn_report_value(out, "B", r.between * r.total, "b");
    cairn_report_value(out, "correlation ratio η²", r.eta_squared, "eta_squared");
    cairn_report_value(out, "F of the analysis of variance", r.f, "f");
    cairn_report_value(out, "p-value", r.p_value, "p_value");
    if (job->steps) show_work(out, &numbers, groups, &r);
    cairn_report_paragraph(out, "Of z-scores, whose variance is 1, B / N is the correlation ratio "
                                "itself.");
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_correlation_ratio = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "correlation-ratio",
              .also = "eta squared, ANOVA, analysis of variance",
              .about = "aov, average by group",
              .title = "A number by groups",
              .summary = "Sizes, means and variances of the groups, the variance that is left "
                         "within them and the part that their means explain, and the correlation "
                         "ratio η², the share explained. Variances divide by the number of rows.",
              .references = "Pearson: On the General Theory of Skew Correlation, 1905; Fisher: "
                            "Statistical Methods for Research Workers, 1925",
              .example = "cairn compute correlation-ratio @iris --column petal_length --by species",
              .params = ratio_table,
              .params_size = sizeof(ratio_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_COLUMNS | CAIRN_READS_WEIGHT,
    .run = ratio_run,
};
