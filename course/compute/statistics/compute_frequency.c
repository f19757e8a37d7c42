/* SPDX-License-Identifier: MIT */
/* cairn compute frequency: how many values fall into each bin, for all and per group. */
#include "typed/numbers.h"

#include "base/memory.h"
#include "base/number.h"
#include "stats/frequency.h"

#include <math.h>

typedef struct frequency_params {
    cairn_numbers_options numbers;
    cairn_bin_options bins;
} frequency_params;

static const cairn_param frequency_table[] = {
    CAIRN_PARAM_GROUP(frequency_params, numbers, cairn_numbers_params),
    CAIRN_PARAM_GROUP(frequency_params, bins, cairn_bin_params),
    CAIRN_PARAM_END,
};

enum { MOST_GROUPS = 20 };

typedef struct frequencies {
    cairn_bins bins;
    double *all;      /* bins.n */
    double *by_group; /* n_groups x bins.n */
    size_t n_groups;  /* that are shown */
    double total, outside;
} frequencies;

static cairn_status count_all(cairn_context *ctx, frequencies *out, const cairn_numbers *numbers,
                              const cairn_sample *sample)
{
    CHECK(SCRATCH(ctx, &out->all, out->bins.n));
    out->outside = cairn_bins_count(out->all, &out->bins, sample);
    out->total = sample->total;
    if (!numbers->codes) return CAIRN_OK;
    out->n_groups = numbers->n_groups < MOST_GROUPS ? numbers->n_groups : MOST_GROUPS;
    CHECK(SCRATCH(ctx, &out->by_group, cairn_product(out->n_groups, out->bins.n)));
    for (size_t g = 0; g < out->n_groups; g++) {
        cairn_scratch_mark mark = cairn_scratch_now(ctx);
        cairn_sample part;
        CHECK(cairn_numbers_sample(ctx, &part, numbers, (int32_t)g));
        cairn_bins_count(out->by_group + g * out->bins.n, &out->bins, &part);
        cairn_scratch_release(ctx, mark);
    }
    return CAIRN_OK;
}

/* Shares are of the values inside the bins; all bins that share the largest count are modal. */
static void show_table(cairn_report *out, const cairn_numbers *numbers, const frequencies *f)
{
    double most = 0, sum = 0, inside = f->total - f->outside;
    for (size_t i = 0; i < f->bins.n; i++) most = fmax(most, f->all[i]);
    static const char *const heads[] = {"count", "share", "up to here", "share up to here"};
    cairn_report_table_of(out, "Frequencies", 200, "l", "bin");
    for (size_t i = 0; i < 4; i++) cairn_report_column(out, heads[i], 'r');
    for (size_t g = 0; g < f->n_groups; g++) cairn_report_column(out, numbers->groups[g], 'r');
    for (size_t i = 0; i < f->bins.n; i++) {
        sum += f->all[i];
        /* "[0, 10)" with the ends that the closed side gives; the outermost bin is closed on
         * both. */
        char low[CAIRN_NUMBER_SIZE], high[CAIRN_NUMBER_SIZE];
        cairn_number_format(low, f->bins.edges[i], 6);
        cairn_number_format(high, f->bins.edges[i + 1], 6);
        bool left = !f->bins.closed_right || i == 0,
             right = f->bins.closed_right || i + 1 == f->bins.n;
        cairn_report_cellf(out, "%c%s, %s%c", left ? '[' : '(', low, high, right ? ']' : ')');
        if (f->all[i] == most && most > 0) cairn_report_row_mark(out);
        cairn_report_hidden(out, f->bins.edges[i], "low.%zu", i + 1);
        cairn_report_hidden(out, f->bins.edges[i + 1], "high.%zu", i + 1);
        cairn_report_cell_number(out, f->all[i], 0, "count.%zu", i + 1);
        cairn_report_cell_number(out, f->all[i] / inside, 0, "share.%zu", i + 1);
        cairn_report_cell_number(out, sum, 0, "cumulative.%zu", i + 1);
        cairn_report_cell_number(out, sum / inside, 0, "cumulative_share.%zu", i + 1);
        for (size_t g = 0; g < f->n_groups; g++)
            cairn_report_cell_number(out, f->by_group[g * f->bins.n + i], 0, "by.%s.count.%zu",
                                     cairn_report_key(out, numbers->groups[g]), i + 1);
    }
    size_t n_modal = 0;
    for (size_t i = 0; i < f->bins.n; i++)
        if (f->all[i] == most && most > 0)
            cairn_report_hidden(out, (double)i + 1, "modal.%zu", ++n_modal);
    cairn_report_hidden(out, (double)n_modal, "modal_bins");
    cairn_report_hidden(out, most, "modal_count");
    if (n_modal > 0)
        cairn_report_paragraph(out, "%s the fullest bin%s (modal).",
                               n_modal == 1 ? "The marked row is" : "The marked rows are",
                               n_modal == 1 ? "" : "s");
}

static cairn_status draw_it(cairn_context *ctx, cairn_report *out, const cairn_numbers *numbers,
                            const frequencies *f)
{
    cairn_figure *figure = NULL;
    CHECK(cairn_figure_new(ctx, &figure, "frequencies", NULL));
    cairn_figure_axes(figure, numbers->name, "count");
    if (numbers->is_time) cairn_figure_scales(figure, CAIRN_SCALE_TIME, CAIRN_SCALE_LINEAR);
    if (f->n_groups) cairn_figure_stacked(figure);
    for (size_t g = 0; g < f->n_groups; g++)
        cairn_figure_histogram(figure, numbers->groups[g], f->bins.edges,
                               f->by_group + g * f->bins.n, f->bins.n);
    if (!f->n_groups) cairn_figure_histogram(figure, NULL, f->bins.edges, f->all, f->bins.n);
    cairn_report_figure(out, figure);
    return CAIRN_OK;
}

/* Groups share the bins of all values, or their counts could not be compared. */
static cairn_status frequency_run(cairn_context *ctx, cairn_report *out,
                                  const cairn_compute_job *job)
{
    const frequency_params *p = job->params;
    cairn_numbers numbers;
    cairn_sample sample;
    frequencies f = {0};
    CHECK(cairn_numbers_get(ctx, &numbers, &p->numbers, job->table, "frequency"));
    CHECK(cairn_numbers_sample(ctx, &sample, &numbers, -1));
    CHECK(cairn_bins_make(ctx, &f.bins, &p->bins, &sample));
    CHECK(count_all(ctx, &f, &numbers, &sample));
    cairn_report_heading(out, 1, "Frequencies of %s", numbers.name);
    cairn_report_value(out, "values", (double)sample.n, "n");
    if (sample.weights) cairn_report_value(out, "sum of weights", sample.total, "weight");
    if (numbers.n > sample.n)
        cairn_report_value(out, "left out (missing, or of weight 0)",
                           (double)(numbers.n - sample.n), "missing");
    cairn_report_hidden(out, f.outside, "outside");
    cairn_report_hidden(out, (double)f.bins.n, "bins");
    if (f.outside > 0) {
        char text[CAIRN_NUMBER_SIZE];
        cairn_number_format(text, f.outside, 10);
        cairn_report_note(out, "%s lies outside the bins and is not in the shares.", text);
    }
    show_table(out, &numbers, &f);
    if (job->steps) {
        /* How the bins come about and how the shares run up. */
        enum { MOST_WORKED = 12 };
        double inside = f.total - f.outside, sum = 0;
        double low = sample.n ? sample.values[0] : NAN;
        double high = sample.n ? sample.values[sample.n - 1] : NAN;
        cairn_report_step_begin(out, "The bins");
        cairn_report_worked(out, NULL, "values run from # to #, the bins from # to #: # bins", low,
                            high, f.bins.edges[0], f.bins.edges[f.bins.n], (double)f.bins.n);
        cairn_report_step_end(out);
        cairn_report_step_begin(out, "Shares and running totals");
        for (size_t i = 0; i < f.bins.n && i < MOST_WORKED; i++) {
            cairn_report_worked(
                out, NULL, "from # to #: share # / # = #, up to here # + # = #, share # / # = #",
                f.bins.edges[i], f.bins.edges[i + 1], f.all[i], inside, f.all[i] / inside, sum,
                f.all[i], sum + f.all[i], sum + f.all[i], inside, (sum + f.all[i]) / inside);
            sum += f.all[i];
        }
        cairn_report_step_end(out);
    }
    return draw_it(ctx, out, &numbers, &f);
}

const cairn_calculator cairn_compute_frequency = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "frequency",
              .also = "histogram table, counts, grouped frequency",
              .title = "Frequency table of numbers",
              .summary =
                  "Counts, shares and running totals of numbers in bins that are given by their "
                  "edges, their width or their number, closed on the left or on the right; per "
                  "group as well, with the fullest bin marked and a histogram.",
              .references = "Sturges: The Choice of a Class Interval, JASA 21, 1926; Scott: On "
                            "Optimal and Data-Based Histograms, Biometrika 66, 1979; Freedman and "
                            "Diaconis: On the Histogram as a Density Estimator, 1981",
              .example = "cairn compute frequency @mixture --bin-width 1",
              .params = frequency_table,
              .params_size = sizeof(frequency_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_COLUMNS | CAIRN_READS_WEIGHT,
    .run = frequency_run,
};
