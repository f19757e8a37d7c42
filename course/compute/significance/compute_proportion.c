/* SPDX-License-Identifier: MIT */
/* cairn compute proportion: is an accuracy different from a given one, or are two errors that were
 * measured on independent rows different from each other? */
#include "plots/test_steps.h"
#include "stats/distributions.h"
#include "stats/hypergeometric.h"
#include "typed/results.h"
#include "report/table_rows.h"

#include <math.h>

typedef struct proportion_params {
    double successes, n, against, second, second_n, level;
} proportion_params;

static const cairn_param proportion_table[] = {
    CAIRN_PARAM(proportion_params, successes, NULL, "[0,inf)",
                "right answers (or errors) of the first, counted"),
    CAIRN_PARAM(proportion_params, n, NULL, "(0,inf)", "rows that the first was tested on"),
    CAIRN_PARAM(proportion_params, against, "0.5", "[0,1]", "the share to test against",
                .when = "!second"),
    CAIRN_PARAM(proportion_params, second, CAIRN_NOT_GIVEN, "[0,inf)", "count of the second"),
    CAIRN_PARAM(proportion_params, second_n, CAIRN_NOT_GIVEN, "(0,inf)",
                "rows that the second was tested on, others than those of the first",
                .when = "second"),
    CAIRN_PARAM(proportion_params, level, "0.95", "(0,1)",
                "level of the interval; the test is at 1 less the level"),
    CAIRN_PARAM_END,
};

/* For few rows or an extreme share the binomial p decides, else the normal one. */
static void show_one(cairn_report *out, const proportion_params *p, bool steps)
{
    cairn_proportion_test t;
    bool small = p->n < 30 || p->n * p->against * (1 - p->against) < 5;
    cairn_proportion_test_of(&t, p->successes, p->n, p->against);
    cairn_report_heading(out, 1, "Test of a proportion");
    cairn_report_formula(out, "z = (share − p₀) / √(p₀ (1 − p₀) / n)");
    cairn_report_value(out, "share", t.estimate, "estimate");
    cairn_report_value(out, "deviation under p₀", t.deviation, "deviation");
    cairn_report_value(out, "z", t.z, "z");
    cairn_report_table_of(out, "p-values", 0, "lrrr", "by", "this low or lower",
                          "this high or higher", "two-sided");
    cairn_report_cells(out, "- p.lower p.upper p.two", "normal", t.p_lower, t.p_upper, t.p_two);
    cairn_report_cells(out, "- exact.lower exact.upper exact.two", "binomial", t.exact_lower,
                       t.exact_upper, t.exact_two);
    cairn_report_verdict(out, small ? t.exact_two : t.p_two, 1 - p->level, "significant");
    if (steps) {
        cairn_report_step_begin(out, "The normal test");
        cairn_report_worked(out, "share", "# / # = #", p->successes, p->n, t.estimate);
        cairn_report_worked(out, "deviation", "√(p₀ (1 − p₀) / n) = √(# · # / #) = #", p->against,
                            1 - p->against, p->n, t.deviation);
        cairn_report_worked(out, "z", "(share − p₀) / deviation = (# − #) / # = #", t.estimate,
                            p->against, t.deviation, t.z);
        cairn_report_worked(out, "p, two-sided", "2 · Φ(−|#|) = #", t.z, t.p_two);
        cairn_report_step_end(out);
        cairn_steps_binomial(out, p->successes, p->n, p->against, t.exact_two);
    }
}

enum { LEAST_EXPECTED = 5 };

/* The exact test of the counts; NaN when they are not whole. */
static double fisher_of(const proportion_params *p)
{
    const double counts[] = {p->successes, p->n, p->second, p->second_n};
    for (size_t i = 0; i < 4; i++)
        if (counts[i] != floor(counts[i]) || counts[i] > 1e9) return NAN;
    return cairn_fisher_two_sided((uint64_t)p->successes, (uint64_t)p->n,
                                  (uint64_t)(p->successes + p->second),
                                  (uint64_t)(p->n + p->second_n));
}

/* The difference with its own variances and with the pooled one, and the exact test. */
static void work_two(cairn_report *out, const proportion_params *p, const cairn_difference *d,
                     double exact)
{
    double first = p->successes / p->n, second = p->second / p->second_n;
    double z = cairn_normal_quantile_upper((1 - p->level) / 2);
    double both = (p->successes + p->second) / (p->n + p->second_n);
    cairn_report_step_begin(out, "The difference and its interval");
    cairn_report_worked(out, "d", "#/# − #/# = # − # = #", p->successes, p->n, p->second,
                        p->second_n, first, second, d->difference);
    cairn_report_worked(out, "deviation", "√(# · # / # + # · # / #) = #", first, 1 - first, p->n,
                        second, 1 - second, p->second_n, d->deviation);
    cairn_report_worked(out, "interval", "d ± z · deviation = # ± # · # = [#, #]", d->difference, z,
                        d->deviation, d->interval.low, d->interval.high);
    cairn_report_worked(out, "z", "d / deviation = # / # = #", d->difference, d->deviation, d->z);
    cairn_report_step_end(out);
    cairn_report_step_begin(out, "With the share of both together");
    cairn_report_worked(out, "pooled share", "(# + #) / (# + #) = #", p->successes, p->second, p->n,
                        p->second_n, both);
    cairn_report_worked(out, "z", "d / √(p (1 − p) (1/n₁ + 1/n₂)) = # / √(# · # · (1/# + 1/#)) = #",
                        d->difference, both, 1 - both, p->n, p->second_n, d->pooled_z);
    cairn_report_step_end(out);
    if (!isnan(exact)) cairn_steps_fisher(out, p->successes, p->n, p->second, p->second_n, exact);
}

/* The pooled share is right under the hypothesis that both are equal; where counts are small
 * Fisher's exact test decides. */
static void show_two(cairn_report *out, const proportion_params *p, bool steps)
{
    cairn_difference d;
    double first = p->successes / p->n, second = p->second / p->second_n;
    cairn_difference_of(&d, first, p->n, second, p->second_n, p->level);
    cairn_report_heading(out, 1, "Difference of two proportions");
    cairn_report_formula(out, "d = e₁ − e₂,  deviation² = e₁(1 − e₁)/n₁ + e₂(1 − e₂)/n₂");
    cairn_report_value(out, "first share", first, "first");
    cairn_report_value(out, "second share", second, "second");
    cairn_report_value(out, "difference d", d.difference, "difference");
    cairn_report_value(out, "deviation", d.deviation, "deviation");
    cairn_report_value(out, "low", d.interval.low, "low");
    cairn_report_value(out, "high", d.interval.high, "high");
    cairn_report_value(out, "z", d.z, "z");
    cairn_report_value(out, "p, two-sided", d.p_two, "p.two");
    cairn_report_value(out, "z with the pooled share", d.pooled_z, "pooled.z");
    cairn_report_value(out, "p, two-sided", d.pooled_p, "pooled.p");
    double exact = fisher_of(p);
    if (!isnan(exact)) cairn_report_value(out, "p by Fisher's exact test", exact, "exact.two");
    bool small = d.least_expected < LEAST_EXPECTED;
    cairn_report_verdict(out, small && !isnan(exact) ? exact : d.pooled_p, 1 - p->level,
                         "significant");
    if (small)
        cairn_report_note(out,
                          "A count of less than %d is expected if both shares are the same: the "
                          "normal distribution is no approximation here, and %s.",
                          LEAST_EXPECTED,
                          isnan(exact) ? "only whole counts can be tested exactly"
                                       : "Fisher's exact test decides");
    if (d.difference != 0)
        cairn_report_paragraph(out, "The %s share is the larger one; of errors, the %s is better.",
                               d.difference > 0 ? "first" : "second",
                               d.difference > 0 ? "second" : "first");
    if (steps) work_two(out, p, &d, exact);
}

static cairn_status proportion_run(cairn_context *ctx, cairn_report *out,
                                   const cairn_compute_job *job)
{
    proportion_params counts = *(const proportion_params *)job->params;
    const proportion_params *p = &counts;
    CHECK(cairn_typed_count(ctx, &counts.successes, "successes", p->n));
    CHECK(cairn_typed_count(ctx, &counts.second, "second", p->second_n));
    if (p->successes > p->n || p->second > p->second_n)
        return cairn_fail(ctx, CAIRN_USAGE, "a count is larger than its number of rows");
    if (isnan(p->second) != isnan(p->second_n))
        return cairn_fail(ctx, CAIRN_USAGE, "{second} and {second-n} are given together");
    if (!isnan(p->second)) {
        show_two(out, p, job->steps);
        return CAIRN_OK;
    }
    if (p->successes != floor(p->successes) || p->n != floor(p->n))
        return cairn_fail(ctx, CAIRN_USAGE, "{successes} and {n} are counts: whole numbers");
    show_one(out, p, job->steps);
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_proportion = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "proportion",
              .also = "z-test, two proportions, binomial test, sign test",
              .title = "Test of one or two proportions",
              .summary =
                  "Tests an accuracy (or any share) against a given one, by the normal "
                  "approximation with the deviation under the hypothesis and by the binomial "
                  "distribution, one-sided and two-sided. With a second count it gives the "
                  "difference of two shares measured on independent rows, with its interval, the "
                  "test with the pooled share and Fisher's exact test.",
              .references = "Mitchell: Machine Learning, 1997, chapter 5; Flach: Machine Learning, "
                            "2012, chapter 12",
              .example = "cairn compute proportion --successes 80 --n 100 --against 0.5",
              .params = proportion_table,
              .params_size = sizeof(proportion_params)},
    .arguments = "",
    .run = proportion_run,
};
