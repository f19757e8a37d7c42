/* SPDX-License-Identifier: MIT */
/* cairn compute interval: how far the true error (or any proportion) may be from the one that was
 * measured on n rows.
 *
 * The estimate e = errors / n has the deviation sqrt(e (1-e) / n), divided by the square root of k
 * when k independent estimates were averaged. The normal interval is e +- z deviation, cut to 0 ..
 * 1; where n < 30 or n e (1-e) < 5 the exact binomial one takes its place. */
#include "base/memory.h"
#include "base/number.h"
#include "typed/results.h"
#include "stats/distributions.h"
#include "report/table_rows.h"

#include <math.h>
#include <string.h>

typedef struct interval_params {
    double errors, n;
    const char *z;
    cairn_list level;
    int estimates, side, exact;
} interval_params;

static const cairn_choice sides[] = {
    {"2", 2, "from low to high"},
    {"1", 1, "one bound: all of the error on one side"},
    {0},
};

static const cairn_param interval_table[] = {
    CAIRN_PARAM(
        interval_params, errors, CAIRN_NOT_GIVEN, "[0,inf)",
        "errors (or successes) that were counted; without it only the multipliers are shown"),
    CAIRN_PARAM(interval_params, n, CAIRN_NOT_GIVEN, "(0,inf)", "rows that were tested"),
    CAIRN_PARAM_CELLS(interval_params, level, NUMBERS, "0.5,0.68,0.8,0.9,0.95,0.98,0.99", "(0,1)",
                      "confidence levels"),
    CAIRN_PARAM(interval_params, z, NULL, NULL,
                "multipliers of the deviation in place of levels, such as 1,2; 'round' rounds the "
                "quantiles to two decimals as printed tables do"),
    CAIRN_PARAM(interval_params, estimates, "1", "[1,inf)",
                "number of independent estimates, each of n rows, that were averaged"),
    CAIRN_PARAM_CHOICE(interval_params, side, "2", sides, "two bounds or one"),
    CAIRN_PARAM_CHOICE(interval_params, exact, "auto", cairn_exactness_choices,
                       "binomial bounds: by themselves for small samples, always or never"),
    CAIRN_PARAM_END,
};

/* A level with its multiplier; `label` names them in values: "95" or "z1". */
typedef struct bound {
    double level, z;
    char label[CAIRN_NUMBER_SIZE + 1];
} bound;

static double level_of(double z, int side)
{
    return side == 1 ? cairn_normal_lower(z) : 1 - 2 * cairn_normal_upper(z);
}

static cairn_status bounds_from_z(cairn_context *ctx, const interval_params *p, bound **out,
                                  size_t *n)
{
    double *numbers;
    CHECK(cairn_list_numbers(ctx, "z", p->z, &numbers, n));
    CHECK(SCRATCH(ctx, out, *n));
    for (size_t i = 0; i < *n; i++) {
        bound *b = &(*out)[i];
        if (!(numbers[i] > 0 && isfinite(numbers[i])))
            CHECK(
                cairn_fail(ctx, CAIRN_USAGE, "{z}: a multiplier is a number above 0, or 'round'"));
        *b = (bound){.z = numbers[i], .level = level_of(numbers[i], p->side), .label = "z"};
        cairn_number_format(b->label + 1, numbers[i], 0);
    }
    return CAIRN_OK;
}

static cairn_status bounds_from_levels(cairn_context *ctx, const interval_params *p, bound **out,
                                       size_t *n)
{
    *n = p->level.n;
    CHECK(SCRATCH(ctx, out, *n));
    for (size_t i = 0; i < *n; i++) {
        bound *b = &(*out)[i];
        double level = p->level.values[i];
        double z = cairn_normal_quantile_upper((1 - level) / p->side);
        *b = (bound){.level = level, .z = p->z ? round(z * 100) / 100 : z};
        cairn_number_format(b->label, round(level * 1e8) / 1e6, 0);
    }
    return CAIRN_OK;
}

static void show_z_table(cairn_report *out, const bound *bounds, size_t n)
{
    cairn_report_table_of(out, "Multipliers", 0, "rrrr", "level", "z", "mass within ±z",
                          "mass below z");
    for (size_t i = 0; i < n; i++) {
        const char *key = cairn_report_key(out, bounds[i].label);
        cairn_report_cell_number(out, bounds[i].level, 8, "level.%s", key);
        cairn_report_cell_number(out, bounds[i].z, 8, "z.%s", key);
        cairn_report_cell_number(out, 1 - 2 * cairn_normal_upper(bounds[i].z), 8, "within.%s", key);
        cairn_report_cell_number(out, cairn_normal_lower(bounds[i].z), 8, "below.%s", key);
    }
}

static cairn_interval exact_bounds(const interval_params *p, double level)
{
    return cairn_exact_interval(p->errors, p->n, p->side == 1 ? 2 * level - 1 : level);
}

/* Exact bounds need whole numbers and a single estimate; elsewhere their cells are missing. */
static void show_intervals(cairn_report *out, const interval_params *p, const bound *bounds,
                           size_t n, double estimate, double deviation)
{
    cairn_report_table_of(out, "Intervals", 0, "rrrrrr", "level", "z", "low", "high", "exact low",
                          "exact high");
    for (size_t i = 0; i < n; i++) {
        const char *key = cairn_report_key(out, bounds[i].label);
        double half = bounds[i].z * deviation;
        cairn_interval exact = {NAN, NAN};
        if (p->exact != CAIRN_EXACT_NO && p->estimates == 1 && p->errors == floor(p->errors) &&
            p->n == floor(p->n) && (p->side == 2 || bounds[i].level > 0.5))
            exact = exact_bounds(p, bounds[i].level);
        cairn_report_cell_number(out, bounds[i].level, 8, "level.%s", key);
        cairn_report_cell_number(out, bounds[i].z, 8, "z.%s", key);
        cairn_report_cell_number(out, fmax(0, estimate - half), 8, "low.%s", key);
        cairn_report_cell_number(out, fmin(1, estimate + half), 8, "high.%s", key);
        cairn_report_cell_number(out, exact.low, 8, "exact_low.%s", key);
        cairn_report_cell_number(out, exact.high, 8, "exact_high.%s", key);
    }
    if (p->side == 1)
        cairn_report_note(out,
                          "One-sided: use either the low or the high bound of a line, not both.");
}

/* Which of the two to read, and what it means. */
static void say_which(cairn_report *out, const interval_params *p, double estimate)
{
    double spread = p->n * estimate * (1 - estimate);
    bool small = p->n < 30 || spread < 5;
    bool exact = p->exact == CAIRN_EXACT_YES || (p->exact == CAIRN_EXACT_AUTO && small);
    cairn_report_value(out, "n e (1 − e)", spread, "spread");
    cairn_report_word(out, "read", exact ? "the exact bounds" : "the normal bounds", "read");
    cairn_report_paragraph(out,
                           "At the level 95 per cent, about 95 of 100 intervals made in this way "
                           "from fresh samples hold the true value; a single one does or does "
                           "not.");
}

/* Without numbers of rows it is a table of z; with them the interval of the estimate. */
/* The deviation, and each interval with its numbers put in. */
static void show_work(cairn_report *out, const interval_params *p, const bound *bounds, size_t n,
                      double estimate, double deviation)
{
    cairn_report_step_begin(out, "The deviation");
    cairn_report_worked(out, "e", "errors / n = # / # = #", p->errors, p->n, estimate);
    if (p->estimates > 1)
        cairn_report_worked(out, "deviation", "√(e (1 − e) / n / k) = √(# · # / # / #) = #",
                            estimate, 1 - estimate, p->n, p->estimates, deviation);
    else
        cairn_report_worked(out, "deviation", "√(e (1 − e) / n) = √(# · # / #) = #", estimate,
                            1 - estimate, p->n, deviation);
    cairn_report_step_end(out);
    cairn_report_step_begin(out, "The intervals");
    for (size_t i = 0; i < n; i++) {
        double half = bounds[i].z * deviation;
        cairn_report_worked(out, NULL, "level #: e ± z · deviation = # ± # · # = # ± # = [#, #]",
                            bounds[i].level, estimate, bounds[i].z, deviation, estimate, half,
                            fmax(0, estimate - half), fmin(1, estimate + half));
    }
    cairn_report_step_end(out);
}

/* The sums whose tails are the exact bounds: the share at which so few, or so many, errors would be
 * too unlikely. */
static void work_exact(cairn_report *out, const interval_params *p, const bound *bounds, size_t n)
{
    if (p->exact == CAIRN_EXACT_NO || p->estimates != 1 || p->side == 1 ||
        p->errors != floor(p->errors) || p->n != floor(p->n))
        return;
    cairn_report_step_begin(out, "The exact bounds");
    cairn_report_formula(out,
                         "high: P(X ≤ x) = (1 − level) / 2,   low: P(X ≥ x) = (1 − level) / 2");
    cairn_report_table_of(out, NULL, 0, "rrrrr", "level", "low", "P(X ≥ x) there", "high",
                          "P(X ≤ x) there");
    for (size_t i = 0; i < n; i++) {
        cairn_interval exact = exact_bounds(p, bounds[i].level);
        cairn_report_cells(
            out, "-:4", bounds[i].level, exact.low,
            p->errors > 0 ? cairn_binomial_upper(p->errors - 1, p->n, exact.low) : NAN, exact.high,
            p->errors < p->n ? cairn_binomial_lower(p->errors, p->n, exact.high) : NAN);
    }
    cairn_report_step_end(out);
}

/* The multiplier of each level, there and back. */
static void work_multipliers(cairn_report *out, const bound *bounds, size_t n)
{
    cairn_report_step_begin(out, "There and back");
    for (size_t i = 0; i < n; i++)
        cairn_report_worked(out, NULL, "z = #: Φ(z) = #, Φ(z) − Φ(−z) = # − # = #", bounds[i].z,
                            cairn_normal_lower(bounds[i].z), cairn_normal_lower(bounds[i].z),
                            cairn_normal_upper(bounds[i].z),
                            1 - 2 * cairn_normal_upper(bounds[i].z));
    cairn_report_step_end(out);
}

/* Without errors only the multipliers are shown; with them, the intervals of the error rate. */
static cairn_status interval_run(cairn_context *ctx, cairn_report *out,
                                 const cairn_compute_job *job)
{
    interval_params counts = *(const interval_params *)job->params;
    const interval_params *p = &counts;
    bound *bounds;
    size_t n;
    if (p->estimates == 1 || p->errors < 1) /* of several estimates it is their mean */
        CHECK(cairn_typed_count(ctx, &counts.errors, "errors", p->n));
    if (p->z && strcmp(p->z, "round") != 0 && strcmp(p->z, "exact") != 0)
        CHECK(bounds_from_z(ctx, p, &bounds, &n));
    else
        CHECK(bounds_from_levels(ctx, p, &bounds, &n));
    cairn_report_heading(out, 1, "Interval of an error");
    if (isnan(p->errors) != isnan(p->n))
        return cairn_fail(ctx, CAIRN_USAGE, "{errors} and {n} are given together");
    if (isnan(p->n)) {
        cairn_report_formula(out, "z = Φ⁻¹((1 + level) / 2)");
        show_z_table(out, bounds, n);
        if (job->steps) work_multipliers(out, bounds, n);
        return CAIRN_OK;
    }
    if (p->errors > p->n)
        return cairn_fail(ctx, CAIRN_USAGE, "{errors} is larger than {n}: more errors than rows");
    double estimate = p->errors / p->n;
    double variance = estimate * (1 - estimate) / p->n / p->estimates;
    cairn_report_formula(out, "e ± z · √(e (1 − e) / n)");
    cairn_report_value(out, "estimate e", estimate, "estimate");
    cairn_report_value(out, "variance", variance, "variance");
    cairn_report_value(out, "deviation", sqrt(variance), "deviation");
    say_which(out, p, estimate);
    show_intervals(out, p, bounds, n, estimate, sqrt(variance));
    if (job->steps) show_work(out, p, bounds, n, estimate, sqrt(variance));
    if (job->steps) work_exact(out, p, bounds, n);
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_interval = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "interval",
              .also = "confidence interval, standard error, error bars, Wilson, Clopper-Pearson",
              .title = "Interval of an error",
              .summary =
                  "Confidence intervals of an error rate, an accuracy or any other proportion from "
                  "the number of errors and the number of rows tested: by the normal distribution "
                  "and exactly by the binomial one (Clopper and Pearson), at any levels, two-sided "
                  "or one-sided. Without counts it prints the table of multipliers z.",
              .references = "Mitchell: Machine Learning, 1997, chapter 5; Clopper and Pearson: "
                            "Biometrika 26, 1934",
              .example = "cairn compute interval --errors 12 --n 40",
              .params = interval_table,
              .params_size = sizeof(interval_params)},
    .arguments = "",
    .run = interval_run,
};
