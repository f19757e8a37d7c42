/* SPDX-License-Identifier: MIT */
/* cairn compute two-samples: whether the mean of a number differs between two groups of rows.
 *
 * The difference of the means has the error sqrt(s1²/n1 + s2²/n2); t is the difference over its
 * error, with the degrees of freedom of Welch and Satterthwaite. With --pooled the groups share one
 * variance, as in Student's test. */
#include "typed/numbers.h"

#include "plots/rank_report.h"
#include "report/table_rows.h"
#include "stats/distributions.h"
#include "typed/shown.h"

#include <math.h>

typedef struct two_params {
    cairn_numbers_options numbers;
    double alpha;
    bool pooled;
} two_params;

static const cairn_param two_table[] = {
    CAIRN_PARAM_GROUP(two_params, numbers, cairn_numbers_params),
    CAIRN_PARAM(two_params, alpha, "0.05", "(0,1)", "level of the test"),
    CAIRN_PARAM(two_params, pooled, "no", NULL,
                "one variance for both groups (Student) and not one for each (Welch)"),
    CAIRN_PARAM_END,
};

typedef struct two_test {
    double difference, error, t, df, p, low, high;
} two_test;

static two_test test_of(const cairn_summary *a, const cairn_summary *b, const two_params *p)
{
    double n = a->n, m = b->n, one = a->variance / n, two = b->variance / m;
    two_test r = {.difference = a->mean - b->mean};
    if (p->pooled) {
        r.df = n + m - 2;
        r.error = sqrt(((n - 1) * a->variance + (m - 1) * b->variance) / r.df * (1 / n + 1 / m));
    } else {
        r.error = sqrt(one + two);
        r.df = (one + two) * (one + two) / (one * one / (n - 1) + two * two / (m - 1));
    }
    r.t = r.difference / r.error;
    r.p = fmin(1, 2 * cairn_t_upper(fabs(r.t), r.df));
    double half = cairn_t_quantile_upper(p->alpha / 2, r.df) * r.error;
    r.low = r.difference - half;
    r.high = r.difference + half;
    return r;
}

/* The two groups that have rows; others are refused, and so is what has no spread to judge by. */
static cairn_status find_groups(cairn_context *ctx, cairn_summary groups[2], const char *names[2],
                                const cairn_numbers *numbers)
{
    size_t n = 0;
    for (size_t g = 0; g < numbers->n_groups; g++) {
        cairn_sample sample;
        CHECK(cairn_numbers_sample(ctx, &sample, numbers, (int32_t)g));
        if (!sample.n) continue;
        if (n == 2)
            return cairn_fail(
                ctx, CAIRN_BAD_DATA,
                "two groups are compared, and there are more: '%s', '%s', '%s' ...; "
                "'compute correlation-ratio' compares all of them, {where} chooses two",
                names[0], names[1], numbers->groups[g]);
        names[n] = numbers->groups[g];
        cairn_summarise(&groups[n], &sample, CAIRN_DIVISOR_N_1, CAIRN_QUANTILE_LINEAR);
        if (sample.n < 2)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "group '%s' has one row, and a variance needs two or more", names[n]);
        n++;
    }
    if (n < 2)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "all rows are of one group, and two are compared");
    if (!(groups[0].variance + groups[1].variance > 0))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s is the same in every row of a group, so that chance has no size",
                          numbers->name);
    return CAIRN_OK;
}

static void show_work(cairn_report *out, const cairn_summary g[2], const two_test *r,
                      const two_params *p)
{
    cairn_report_step_begin(out, "The difference and its error");
    cairn_report_worked(out, "difference", "# − # = #", g[0].mean, g[1].mean, r->difference);
    if (p->pooled)
        cairn_report_worked(out, "error", "√((# · # + # · #)/# · (1/# + 1/#)) = #", g[0].n - 1,
                            g[0].variance, g[1].n - 1, g[1].variance, r->df, g[0].n, g[1].n,
                            r->error);
    else
        cairn_report_worked(out, "error", "√(#/# + #/#) = #", g[0].variance, g[0].n, g[1].variance,
                            g[1].n, r->error);
    cairn_report_worked(out, "t", "#/# = #", r->difference, r->error, r->t);
    cairn_report_step_end(out);
}

static cairn_status two_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const two_params *p = job->params;
    cairn_numbers numbers;
    cairn_summary groups[2];
    const char *names[2];
    CHECK(cairn_numbers_get(ctx, &numbers, &p->numbers, job->table, "two-samples"));
    if (!numbers.codes)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "'compute two-samples' needs groups: {groups} for typed values, {by "
                          "COLUMN} for a table");
    if (numbers.weights)
        return cairn_fail(ctx, CAIRN_USAGE, "{weight}: rows of this test count once each");
    CHECK(find_groups(ctx, groups, names, &numbers));
    two_test r = test_of(&groups[0], &groups[1], p);
    cairn_report_heading(out, 1, "Does the mean of %s differ?", numbers.name);
    cairn_report_table_of(out, NULL, 0, "lrrr", "group", "rows", "mean", "deviation");
    for (size_t g = 0; g < 2; g++)
        cairn_report_cells(out, "- group.$1.n group.$1.mean group.$1.deviation", names[g],
                           groups[g].n, groups[g].mean, sqrt(groups[g].variance));
    cairn_report_formula(out, p->pooled ? "t = (m₁ − m₂) / √(s² · (1/n₁ + 1/n₂))"
                                        : "t = (m₁ − m₂) / √(s₁²/n₁ + s₂²/n₂)");
    cairn_report_value(out, "difference of the means", r.difference, "difference");
    cairn_report_value(out, "its error", r.error, "error");
    cairn_report_value(out, "t", r.t, "t");
    cairn_report_value(out, "degrees of freedom", r.df, "df");
    cairn_report_value(out, "p, two sides", r.p, "p.two");
    cairn_begin_intervals(out, "Interval of the difference", 1 - p->alpha);
    cairn_report_columns(out, "lrr", "difference", "low", "high");
    cairn_text name = cairn_text_start(ctx);
    cairn_text_addf(&name, "%s − %s", names[0], names[1]);
    cairn_report_cells(out, "- low high", cairn_text_string(&name), r.low, r.high);
    cairn_report_failed(out, cairn_text_status(&name));
    cairn_text_clear(&name);
    if (job->steps) show_work(out, groups, &r, p);
    cairn_report_verdict(out, r.p, p->alpha, "significant");
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_two_samples = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "two-samples",
              .also = "two-sample t-test, Welch test, unpaired t-test, independent samples t-test, "
                      "ttest_ind, t.test, compare means, difference of means",
              .about = "t-test, compare two groups",
              .title = "Means of two samples",
              .summary = "Whether the mean of a number differs between two groups of rows: Welch's "
                         "t-test, or Student's with --pooled, with the interval of the difference. "
                         "Typed values with --groups, or a column of a table with --by.",
              .references = "Welch: Biometrika 34, 1947; Student: Biometrika 6, 1908",
              .example = "cairn compute two-samples @titanic --column age --by sex",
              .params = two_table,
              .params_size = sizeof(two_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_COLUMNS,
    .run = two_run,
};
