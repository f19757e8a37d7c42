/* SPDX-License-Identifier: MIT */
/* cairn compute statistics: centre, spread and shape of numbers, for all and per group, any
 * quantiles, and where given numbers lie. */
#include "typed/shown.h"
#include "typed/numbers.h"

#include "base/memory.h"
#include "data/time.h"
#include "report/table_rows.h"

#include <math.h>
#include <stdio.h>

enum { MOST_MODES = 10 };

typedef struct statistics_params {
    cairn_numbers_options numbers;
    int divisor, quantile;
    cairn_list probabilities, at, quartiles;
} statistics_params;

static const cairn_param statistics_table[] = {
    CAIRN_PARAM_GROUP(statistics_params, numbers, cairn_numbers_params),
    CAIRN_PARAM_CHOICE(statistics_params, divisor, "n-1", cairn_divisors,
                       "what the variance and the standard deviation divide by"),
    CAIRN_PARAM_CHOICE(statistics_params, quantile, "linear", cairn_quantile_rules,
                       "how quantiles are read between the values"),
    CAIRN_PARAM_CELLS(statistics_params, probabilities, NUMBERS, NULL, "[0,1]",
                      "also the quantiles of these probabilities, such as 0.1,0.9"),
    CAIRN_PARAM_CELLS(statistics_params, at, NUMBERS, NULL, NULL,
                      "where these numbers lie: z-score, place between min and max, share below"),
    CAIRN_PARAM_CELLS(statistics_params, quartiles, NUMBERS, NULL, NULL,
                      "three known quartiles instead of numbers: only what follows from them"),
    CAIRN_PARAM_END,
};

/* Statistics in the order in which they are shown. */
/* What a statistic of times is: a time, a length of time, or a plain number. */
typedef enum { OF_NUMBERS, OF_TIMES, OF_SPANS } statistic_unit;

typedef struct statistic {
    const char *label, *name;
    size_t offset;
    statistic_unit unit;
} statistic;

#define STATISTIC(LABEL, FIELD, UNIT)                                                              \
    {                                                                                              \
        LABEL, #FIELD, offsetof(cairn_summary, FIELD), UNIT                                        \
    }

static const statistic statistics[] = {
    STATISTIC("mean", mean, OF_TIMES),
    STATISTIC("median", median, OF_TIMES),
    STATISTIC("midrange", midrange, OF_TIMES),
    STATISTIC("least", min, OF_TIMES),
    STATISTIC("largest", max, OF_TIMES),
    STATISTIC("range", range, OF_SPANS),
    STATISTIC("quartile 1", q1, OF_TIMES),
    STATISTIC("quartile 3", q3, OF_TIMES),
    STATISTIC("IQR", iqr, OF_SPANS),
    STATISTIC("variance", variance, OF_NUMBERS),
    STATISTIC("sd", sd, OF_SPANS),
    STATISTIC("moment m2", m2, OF_NUMBERS),
    STATISTIC("moment m3", m3, OF_NUMBERS),
    STATISTIC("moment m4", m4, OF_NUMBERS),
    STATISTIC("skewness", skewness, OF_NUMBERS),
    STATISTIC("kurtosis", kurtosis, OF_NUMBERS),
    STATISTIC("excess", excess, OF_NUMBERS),
};
enum { N_STATISTICS = sizeof statistics / sizeof *statistics };

static double statistic_of(const cairn_summary *s, size_t i)
{
    return *(const double *)((const char *)s + statistics[i].offset);
}

/* All of them, "56, 61 (weight 2 each)"; where all values differ, which says nothing, the first. */
static cairn_status show_modes(cairn_context *ctx, cairn_report *out, const cairn_sample *sample)
{
    SCOPED_SCRATCH(ctx);
    double *modes, weight;
    size_t n = cairn_sample_modes(sample, NULL, 0, &weight);
    size_t reported = n == sample->n && n > MOST_MODES ? MOST_MODES : n;
    CHECK(SCRATCH(ctx, &modes, reported + 1));
    cairn_sample_modes(sample, modes, reported, &weight);
    cairn_text text = cairn_text_start(ctx);
    for (size_t i = 0; i < reported; i++) {
        cairn_text_add(&text, i ? ", " : "");
        cairn_text_add_number(&text, modes[i], 10);
        cairn_report_hidden(out, modes[i], "mode.%zu", i + 1);
    }
    cairn_text_add(&text, " (weight ");
    cairn_text_add_number(&text, weight, 6);
    cairn_text_add(&text, n > 1 ? " each)" : ")");
    cairn_report_hidden(out, (double)n, "modes");
    cairn_report_hidden(out, weight, "mode_weight");
    cairn_status status = cairn_text_status(&text);
    if (status == CAIRN_OK && n)
        cairn_report_word(out, n > 1 ? "modes" : "mode",
                          n == sample->n && n > 1 ? "all values differ" : cairn_text_string(&text),
                          NULL);
    cairn_text_clear(&text);
    return status;
}

/* The differences to the mean and their powers, as on paper. */
static void show_work(cairn_report *out, const cairn_sample *sample, const cairn_summary *s,
                      cairn_divisor divisor)
{
    double n = sample->total, below = divisor == CAIRN_DIVISOR_N_1 ? s->n - 1 : n;
    cairn_report_step_begin(out, "The mean");
    cairn_report_formula(out, "mean = Σ w x / Σ w");
    cairn_report_value(out, "Σ w", sample->total, "steps.weight");
    cairn_report_value(out, "Σ w x", s->sum, "steps.sum");
    cairn_report_worked(out, "mean", "# / # = #", s->sum, n, s->mean);
    cairn_report_step_end(out);
    cairn_report_step_begin(out, "Powers of the differences to the mean");
    cairn_report_formula(out, "m_k = Σ w (x − mean)^k / Σ w,   skewness = m3 / m2^(3/2),   "
                              "kurtosis = m4 / m2²");
    cairn_report_table_begin(out, "Sorted values", 50);
    static const char *const heads[] = {"x", "weight", "x − mean", "squared", "cubed", "fourth"};
    for (size_t i = 0; i < 6; i++) cairn_report_column(out, heads[i], 'r');
    for (size_t i = 0; i < sample->n; i++) {
        double d = sample->values[i] - s->mean;
        cairn_report_cell_number(out, sample->values[i], 0, "steps.x.%zu", i + 1);
        cairn_report_cell_number(out, sample->weights ? sample->weights[i] : 1, 0, NULL);
        cairn_report_cell_number(out, d, 0, "steps.difference.%zu", i + 1);
        cairn_report_prefix(out, "steps.square.%zu", i + 1);
        cairn_report_cells(out, "@", d * d, d * d * d, d * d * d * d);
    }
    cairn_report_step_end(out);
    cairn_report_step_begin(out, "What is made of the powers");
    cairn_report_worked(out, "m2", "Σ w (x − mean)² / Σ w = # / # = #", s->m2 * n, n, s->m2);
    cairn_report_worked(out, "variance", "# / # = #", s->m2 * n, below, s->variance);
    cairn_report_worked(out, "sd", "√# = #", s->variance, s->sd);
    cairn_report_worked(out, "skewness", "m3 / m2^(3/2) = # / #^1.5 = #", s->m3, s->m2,
                        s->skewness);
    cairn_report_worked(out, "kurtosis", "m4 / m2² = # / #² = #", s->m4, s->m2, s->kurtosis);
    cairn_report_step_end(out);
}

/* One column per group and one for all. */
static cairn_status show_groups(cairn_context *ctx, cairn_report *out, const cairn_numbers *numbers,
                                const statistics_params *p)
{
    cairn_summary *all;
    size_t n = numbers->n_groups < 20 ? numbers->n_groups : 20;
    CHECK(SCRATCH(ctx, &all, n + 1));
    for (size_t g = 0; g < n; g++) {
        cairn_scratch_mark mark = cairn_scratch_now(ctx);
        cairn_sample sample;
        CHECK(cairn_numbers_sample(ctx, &sample, numbers, (int32_t)g));
        cairn_summarise(&all[g], &sample, (cairn_divisor)p->divisor,
                        (cairn_quantile_rule)p->quantile);
        cairn_scratch_release(ctx, mark);
    }
    cairn_report_table_of(out, "By group", N_STATISTICS + 1, "l", "");
    for (size_t g = 0; g < n; g++) cairn_report_column(out, numbers->groups[g], 'r');
    cairn_report_cell(out, "n");
    for (size_t g = 0; g < n; g++)
        cairn_report_cell_number(out, all[g].n, 0, "by.%s.n",
                                 cairn_report_key(out, numbers->groups[g]));
    for (size_t i = 0; i < N_STATISTICS; i++) {
        cairn_report_cell(out, statistics[i].label);
        for (size_t g = 0; g < n; g++)
            cairn_report_cell_number(out, statistic_of(&all[g], i), 0, "by.%s.%s",
                                     cairn_report_key(out, numbers->groups[g]), statistics[i].name);
    }
    if (n < numbers->n_groups)
        cairn_report_paragraph(out, "%zu more groups are not shown.", numbers->n_groups - n);
    return CAIRN_OK;
}

/* What three quartiles say. */
static cairn_status from_quartiles(cairn_context *ctx, cairn_report *out, const cairn_list *list,
                                   bool steps)
{
    const double *q = list->values;
    if (list->n != 3 || !(q[0] <= q[1] && q[1] <= q[2]))
        return cairn_fail(ctx, CAIRN_USAGE, "{quartiles} needs three numbers that do not descend");
    cairn_report_heading(out, 1, "What the quartiles say");
    cairn_report_formula(out, "IQR = Q3 − Q1");
    cairn_report_value(out, "IQR", q[2] - q[0], "iqr");
    cairn_report_formula(out, "quartile skewness = (Q3 − 2 median + Q1) / IQR");
    cairn_report_value(out, "quartile skewness",
                       q[2] > q[0] ? ((q[2] - q[1]) - (q[1] - q[0])) / (q[2] - q[0]) : NAN,
                       "quartile_skewness");
    cairn_report_formula(out, "fences: Q1 − 1.5 IQR and Q3 + 1.5 IQR");
    cairn_report_value(out, "lower fence", q[0] - 1.5 * (q[2] - q[0]), "fence.low");
    cairn_report_value(out, "upper fence", q[2] + 1.5 * (q[2] - q[0]), "fence.high");
    if (!steps) return CAIRN_OK;
    double iqr = q[2] - q[0];
    cairn_report_step_begin(out, "With the numbers");
    cairn_report_worked(out, "IQR", "Q3 − Q1 = # − # = #", q[2], q[0], iqr);
    if (iqr > 0)
        cairn_report_worked(out, "quartile skewness",
                            "(Q3 − 2 median + Q1) / IQR = (# − 2 · # + #) / # = #", q[2], q[1],
                            q[0], iqr, ((q[2] - q[1]) - (q[1] - q[0])) / iqr);
    cairn_report_worked(out, "lower fence", "# − 1.5 · # = #", q[0], iqr, q[0] - 1.5 * iqr);
    cairn_report_worked(out, "upper fence", "# + 1.5 · # = #", q[2], iqr, q[2] + 1.5 * iqr);
    cairn_report_step_end(out);
    return CAIRN_OK;
}

/* A statistic under its name; times are shown as such, and named in seconds like all numbers. */
static void show_statistic(cairn_report *out, const statistic *what, double value, bool is_time)
{
    char shown[CAIRN_TIME_SIZE];
    if (!is_time || what->unit == OF_NUMBERS || isnan(value)) {
        cairn_report_value(out, what->label, value, "%s", what->name);
        return;
    }
    if (what->unit == OF_TIMES)
        cairn_time_format(shown, value, NULL);
    else
        cairn_time_span(shown, value);
    cairn_report_hidden(out, value, "%s", what->name);
    cairn_report_word(out, what->label, shown, NULL);
}

/* Variances by both divisors are named besides the one shown, so that a lesson can quote either. */
static void show_all(cairn_report *out, const cairn_numbers *numbers, const cairn_sample *sample,
                     const cairn_summary *s)
{
    cairn_report_heading(out, 1, "Statistics of %s", numbers->name);
    cairn_report_value(out, "values", (double)sample->n, "n");
    cairn_report_hidden(out, (double)(numbers->n - sample->n), "missing");
    if (numbers->n > sample->n)
        cairn_report_value(out, "left out (missing, or of weight 0)",
                           (double)(numbers->n - sample->n), NULL);
    if (sample->weights) cairn_report_value(out, "sum of weights", sample->total, "weight");
    cairn_report_value(out, "distinct", (double)s->n_distinct, "distinct");
    for (size_t i = 0; i < N_STATISTICS; i++)
        show_statistic(out, &statistics[i], statistic_of(s, i), numbers->is_time);
    cairn_report_hidden(out, s->m2, "variance_n");
    cairn_report_hidden(out, sqrt(s->m2), "sd_n");
    cairn_report_hidden(out, s->n > 1 ? s->m2 * s->n / (s->n - 1) : NAN, "variance_n_1");
    cairn_report_hidden(out, s->n > 1 ? sqrt(s->m2 * s->n / (s->n - 1)) : NAN, "sd_n_1");
    cairn_report_hidden(out, s->sum, "sum");
    cairn_note_overflow(out, isinf(s->range) ? s->range : s->m2);
}

/* Divisor and quantile rule are said, since results differ by them; typed quartiles need no
 * values at all. */
static cairn_status statistics_run(cairn_context *ctx, cairn_report *out,
                                   const cairn_compute_job *job)
{
    const statistics_params *p = job->params;
    cairn_numbers numbers;
    cairn_sample sample;
    cairn_summary s;
    if (p->quartiles.text) return from_quartiles(ctx, out, &p->quartiles, job->steps);
    CHECK(cairn_numbers_get(ctx, &numbers, &p->numbers, job->table, "statistics"));
    CHECK(cairn_numbers_sample(ctx, &sample, &numbers, -1));
    cairn_summarise(&s, &sample, (cairn_divisor)p->divisor, (cairn_quantile_rule)p->quantile);
    show_all(out, &numbers, &sample, &s);
    CHECK(show_modes(ctx, out, &sample));
    cairn_report_paragraph(out,
                           "Variance and sd divide by %s, moments, skewness and kurtosis by n; "
                           "quantiles by the rule '%s'.",
                           cairn_divisors[p->divisor].name,
                           cairn_quantile_rule_name((cairn_quantile_rule)p->quantile));
    if (p->probabilities.text) {
        const cairn_quantile_table table = {.title = "Quantiles",
                                            .column = "probability",
                                            .numbers = &p->probabilities,
                                            .name = "quantile",
                                            .whole = 1,
                                            .rule = (cairn_quantile_rule)p->quantile};
        cairn_show_quantiles(out, &sample, &table);
    }
    if (p->at.text) {
        /* Standardised, scaled to the range, and as a share of the sample: three ways to say
         * where a number lies. */
        cairn_report_formula(out, "z = (x − mean) / sd,   place = (x − least) / (largest − least)");
        cairn_report_table_begin(out, "Where the numbers lie", p->at.n + 1);
        static const char *const heads[] = {"x", "z", "place", "share below", "share up to"};
        for (size_t i = 0; i < 5; i++) cairn_report_column(out, heads[i], 'r');
        for (size_t i = 0; i < p->at.n; i++) {
            double x = p->at.values[i];
            cairn_report_prefix(out, "at.z.%zu", i + 1);
            cairn_report_cells(out, "- @", x, s.sd > 0 ? (x - s.mean) / s.sd : NAN);
            cairn_report_cell_number(out, s.range > 0 ? (x - s.min) / s.range : NAN, 0,
                                     "at.place.%zu", i + 1);
            cairn_report_cell_number(out, cairn_sample_share_below(&sample, x), 0, "at.below.%zu",
                                     i + 1);
            cairn_report_cell_number(out, cairn_sample_share(&sample, x), 0, "at.share.%zu", i + 1);
        }
    }
    if (numbers.codes) CHECK(show_groups(ctx, out, &numbers, p));
    if (job->steps) show_work(out, &sample, &s, (cairn_divisor)p->divisor);
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_statistics = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "statistics",
              .also = "mean, median, standard deviation, variance, skewness, kurtosis, mode, "
                      "summary statistics, descriptive statistics, geometric mean, harmonic mean",
              .about = "interquartile range, IQR",
              .title = "Statistics of numbers",
              .summary =
                  "Mean, median, every mode, midrange; range, quartiles, variance and standard "
                  "deviation by either divisor; central moments, skewness, kurtosis and excess; "
                  "any quantiles by any rule; where given numbers lie. For typed numbers or a "
                  "column, weighted or not, for all and per group; --steps shows the differences "
                  "to the mean and their powers.",
              .references = "Hyndman and Fan: Sample Quantiles in Statistical Packages, The "
                            "American Statistician 50, 1996",
              .example = "cairn compute statistics --values 3,5,5,8,13 --at 8",
              .params = statistics_table,
              .params_size = sizeof(statistics_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_COLUMNS | CAIRN_READS_WEIGHT,
    .run = statistics_run,
};
