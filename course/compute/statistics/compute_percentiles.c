/* SPDX-License-Identifier: MIT */
/* cairn compute percentiles: the distribution function of numbers, P(X <= x), and its inverse. */
#include "typed/shown.h"
#include "typed/numbers.h"

#include "base/memory.h"
#include "base/number.h"
#include "report/table_rows.h"

#include <math.h>

typedef struct percentiles_params {
    cairn_numbers_options numbers;
    cairn_list percents, at;
    int quantile;
} percentiles_params;

static const cairn_param percentiles_table[] = {
    CAIRN_PARAM_GROUP(percentiles_params, numbers, cairn_numbers_params),
    CAIRN_PARAM_CELLS(percentiles_params, percents, NUMBERS,
                      "0,5,10,20,25,30,40,50,60,70,75,80,90,95,100", "[0,100]",
                      "percentiles to list, 0 to 100"),
    CAIRN_PARAM_CELLS(percentiles_params, at, NUMBERS, NULL, NULL,
                      "numbers to look up: what share lies at or below them"),
    CAIRN_PARAM_CHOICE(percentiles_params, quantile, "linear", cairn_quantile_rules,
                       "how percentiles are read between the values"),
    CAIRN_PARAM_END,
};

static void look_up(cairn_report *out, const cairn_sample *sample, const char *label, double x,
                    const char *name)
{
    cairn_report_prefix(out, "%s", name);
    cairn_report_cells(out, "- @:10 @.below @.share", label, x, cairn_sample_share_below(sample, x),
                       cairn_sample_share(sample, x));
}

/* The same percentiles and shares for every group, a column each. */
static cairn_status show_groups(cairn_context *ctx, cairn_report *out, const cairn_numbers *numbers,
                                const percentiles_params *p)
{
    enum { MOST_GROUPS = 20 };
    cairn_sample *samples;
    const double *percents = p->percents.values, *at = p->at.values;
    size_t n_percents = p->percents.n, n_at = p->at.n;
    size_t n = numbers->n_groups < MOST_GROUPS ? numbers->n_groups : MOST_GROUPS;
    CHECK(SCRATCH(ctx, &samples, n + 1));
    for (size_t g = 0; g < n; g++)
        CHECK(cairn_numbers_sample(ctx, &samples[g], numbers, (int32_t)g));
    cairn_report_table_of(out, "By group", n_percents + n_at + 1, "l", "");
    for (size_t g = 0; g < n; g++) cairn_report_column(out, numbers->groups[g], 'r');
    cairn_report_cell(out, "values");
    for (size_t g = 0; g < n; g++)
        cairn_report_cell_number(out, (double)samples[g].n, 0, "by.%s.n",
                                 cairn_report_key(out, numbers->groups[g]));
    for (size_t i = 0; i < n_percents + n_at; i++) {
        char text[CAIRN_NUMBER_SIZE];
        bool inverse = i >= n_percents;
        size_t k = inverse ? i - n_percents : i;
        cairn_number_format(text, inverse ? at[k] : percents[k], 6);
        cairn_report_cellf(out, inverse ? "P(X ≤ %s)" : "%s%%", text);
        for (size_t g = 0; g < n; g++) {
            const char *key = cairn_report_key(out, numbers->groups[g]);
            if (inverse)
                cairn_report_cell_number(out, cairn_sample_share(&samples[g], at[k]), 0,
                                         "by.%s.at.%zu.share", key, k + 1);
            else
                cairn_report_cell_number(out,
                                         cairn_sample_quantile(&samples[g], percents[k] / 100,
                                                               (cairn_quantile_rule)p->quantile),
                                         10, "by.%s.percentile.%zu", key, k + 1);
        }
    }
    if (n < numbers->n_groups)
        cairn_report_paragraph(out, "%zu more groups are not shown.", numbers->n_groups - n);
    return CAIRN_OK;
}

/* How each share is counted, and where the quartiles lie among the sorted values. */
static void show_work(cairn_report *out, const cairn_sample *sample, const percentiles_params *p)
{
    enum { MOST_WORKED = 20 };
    const double *percents = p->percents.values, *at = p->at.values, n = (double)sample->n;
    size_t n_percents = p->percents.n, n_at = p->at.n;
    cairn_quantile_rule rule = (cairn_quantile_rule)p->quantile;
    cairn_report_step_begin(out, "Places among the sorted values");
    cairn_report_table_of(out, NULL, 0, "rrrrr", "per cent", "place 1 + (n − 1) p",
                          "value at or before", "value behind", "percentile");
    for (size_t i = 0; i < n_percents && i < MOST_WORKED; i++) {
        double place = 1 + (n - 1) * percents[i] / 100;
        size_t low = (size_t)floor(place), high = (size_t)ceil(place);
        cairn_report_prefix(out, "steps.place.%zu", i + 1);
        cairn_report_cells(out, "- @", percents[i], place, sample->values[low - 1],
                           sample->values[high - 1],
                           cairn_sample_quantile(sample, percents[i] / 100, rule));
    }
    cairn_report_paragraph(out, sample->weights
                                    ? "Places are those of values without weights."
                                    : "The linear rule takes the part of the way between both that "
                                      "the place has behind the point; other rules take other "
                                      "parts.");
    cairn_report_step_end(out);
    if (!n_at) return;
    cairn_report_step_begin(out, "Shares of values");
    for (size_t i = 0; i < n_at && i < MOST_WORKED; i++) {
        double share = cairn_sample_share(sample, at[i]);
        cairn_report_worked(out, NULL, "P(X ≤ #) = # / # = #", at[i], share * sample->total,
                            sample->total, share);
    }
    cairn_report_step_end(out);
}

/* The steps of the distribution function; very many are thinned. */
static cairn_status draw_it(cairn_context *ctx, cairn_report *out, const cairn_sample *sample,
                            const cairn_numbers *numbers, cairn_quantile_rule rule)
{
    enum { MOST = 400 };
    cairn_figure *figure = NULL;
    cairn_summary s;
    double x[MOST + 1], y[MOST + 1];
    size_t m = sample->n < MOST ? sample->n : MOST;
    cairn_summarise(&s, sample, CAIRN_DIVISOR_N_1, rule);
    CHECK(cairn_figure_new(ctx, &figure, "percentiles", NULL));
    for (size_t i = 0; i < m; i++) {
        size_t at = m == sample->n ? i : i * (sample->n - 1) / (m - 1);
        x[i] = sample->values[at];
        y[i] = 100 * cairn_sample_share(sample, x[i]);
    }
    cairn_figure_axes(figure, numbers->name, "per cent at or below");
    cairn_figure_line(figure, NULL, x, y, m);
    cairn_figure_rule_x(figure, "median", s.median);
    cairn_figure_rule_x(figure, "mean", s.mean);
    cairn_report_page_figure(out, figure);
    return CAIRN_OK;
}

/* The distribution function and its inverse from the same sorted sample; the rule of the
 * percentiles is told, as books differ. */
static cairn_status percentiles_run(cairn_context *ctx, cairn_report *out,
                                    const cairn_compute_job *job)
{
    const percentiles_params *p = job->params;
    cairn_numbers numbers;
    cairn_sample sample;
    CHECK(cairn_numbers_get(ctx, &numbers, &p->numbers, job->table, "percentiles"));
    CHECK(cairn_numbers_sample(ctx, &sample, &numbers, -1));
    if (!sample.n)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "%s has no values, so no percentiles", numbers.name);
    cairn_report_heading(out, 1, "Percentiles of %s", numbers.name);
    cairn_report_value(out, "values", (double)sample.n, "n");
    const cairn_quantile_table table = {.title = "Percentiles",
                                        .column = "per cent",
                                        .numbers = &p->percents,
                                        .name = "percentile",
                                        .whole = 100,
                                        .rule = (cairn_quantile_rule)p->quantile};
    cairn_show_quantiles(out, &sample, &table);
    /* Where the quartiles, the median, the mean and the numbers asked for lie. */
    cairn_summary s;
    cairn_summarise(&s, &sample, CAIRN_DIVISOR_N_1, (cairn_quantile_rule)p->quantile);
    cairn_report_table_of(out, "Back again: the share of values at a number", p->at.n + 5, "lrrr",
                          "", "x", "P(X < x)", "P(X ≤ x)");
    look_up(out, &sample, "Q1", s.q1, "q1");
    look_up(out, &sample, "median", s.median, "median");
    look_up(out, &sample, "mean", s.mean, "mean");
    look_up(out, &sample, "Q3", s.q3, "q3");
    for (size_t i = 0; i < p->at.n; i++) {
        char name[CAIRN_NUMBER_SIZE + 3] = "at.";
        cairn_number_format(name + 3, (double)i + 1, 6);
        look_up(out, &sample, "given", p->at.values[i], name);
    }
    cairn_report_hidden(out, s.iqr, "iqr");
    if (numbers.codes) CHECK(show_groups(ctx, out, &numbers, p));
    if (job->steps) show_work(out, &sample, p);
    CHECK(draw_it(ctx, out, &sample, &numbers, (cairn_quantile_rule)p->quantile));
    cairn_report_paragraph(out, "Percentiles by the rule '%s'.",
                           cairn_quantile_rule_name((cairn_quantile_rule)p->quantile));
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_percentiles = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "percentiles",
              .also = "quantiles, quartiles, percentile rank, median",
              .title = "Percentiles and their inverse",
              .summary = "The values below which given per cents of the numbers fall, by any "
                         "quantile rule, and back: the share of numbers at or below a value, for "
                         "the quartiles, the median, the mean and any number that is asked for.",
              .references = "Hyndman and Fan: Sample Quantiles in Statistical Packages, The "
                            "American Statistician 50, 1996",
              .example = "cairn compute percentiles @iris --column petal_length --at 4",
              .params = percentiles_table,
              .params_size = sizeof(percentiles_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_COLUMNS | CAIRN_READS_WEIGHT,
    .run = percentiles_run,
};
