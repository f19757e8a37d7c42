/* SPDX-License-Identifier: MIT */
/* Distributions of error: see spread.h.
 *
 *     bias      mean of the training estimates − mean of the independent ones: what judging a model
 *               by the rows that it was fitted to makes it look better (or worse) than it is
 *     spread    standard deviation of the estimates over the splits; for a share p of right answers
 *               in n tested rows, chance alone makes it √(p(1 − p)/n) */
#include "evaluate/spread.h"
#include "base/number.h"
#include "base/text.h"
#include "evaluate/measured.h"
#include "report/table_rows.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MANY_SPLITS = 20, MOST_BINS = 25, MOST_LISTED = 60, MOST_SAMPLES = 100 };

typedef struct moments {
    double mean, sd;
    size_t n;
} moments;

static moments take_moments(const double *values, size_t n)
{
    moments m = {NAN, NAN, 0};
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++) {
        if (isnan(values[i])) continue;
        sum += values[i];
        m.n++;
    }
    if (!m.n) return m;
    m.mean = sum / (double)m.n;
    for (size_t i = 0; i < n; i++)
        if (!isnan(values[i])) squares += (values[i] - m.mean) * (values[i] - m.mean);
    if (m.n > 1) m.sd = cairn_number_left(sqrt(squares / (double)(m.n - 1)), m.mean);
    return m;
}

/* About √n bars between the least and the largest value. */
static cairn_status draw_histogram(cairn_context *ctx, cairn_report *out, const double *values,
                                   size_t n, const char *measure, double mean)
{
    cairn_figure *figure = NULL;
    double edges[MOST_BINS + 1], counts[MOST_BINS] = {0}, low = INFINITY, high = -INFINITY;
    size_t bins = (size_t)ceil(sqrt((double)n));
    if (bins > MOST_BINS) bins = MOST_BINS;
    for (size_t i = 0; i < n; i++) {
        if (isnan(values[i])) continue;
        low = fmin(low, values[i]);
        high = fmax(high, values[i]);
    }
    if (!(high > low) || !isfinite(high - low)) return CAIRN_OK; /* all alike: nothing to draw */
    for (size_t b = 0; b <= bins; b++) edges[b] = low + (high - low) * (double)b / (double)bins;
    for (size_t i = 0; i < n; i++) {
        if (isnan(values[i])) continue;
        size_t b = (size_t)((values[i] - low) / (high - low) * (double)bins);
        counts[b < bins ? b : bins - 1]++;
    }
    CHECK(cairn_figure_new(ctx, &figure, "split-results", "Results of the splits"));
    cairn_figure_axes(figure, measure, "splits");
    cairn_figure_histogram(figure, NULL, edges, counts, bins);
    cairn_figure_rule_x(figure, "mean", mean);
    cairn_report_figure(out, figure);
    return CAIRN_OK;
}

/* K parts: two training sets of one repeat have all but two of them in common. */
static void show_pairs(cairn_report *out, const cairn_evaluation *e)
{
    size_t k = e->n_repeats ? e->n_splits / e->n_repeats : 0;
    if (e->bootstrap || k < 3) return;
    cairn_report_paragraph(out,
                           "Any two of the %zu training sets of a repeat share %zu of the %zu "
                           "parts, so the results of the splits depend on each other.",
                           k, k - 2, k);
    cairn_report_hidden(out, (double)(k - 2), "splits.shared_parts");
    cairn_report_hidden(out, (double)(k - 2) / (double)(k - 1), "splits.shared_share");
}

cairn_status cairn_spread_report(cairn_context *ctx, cairn_report *out, const cairn_evaluation *e)
{
    SCOPED_SCRATCH(ctx);
    const cairn_measure *measure;
    double *values;
    if (!e->by) return CAIRN_OK;
    show_pairs(out, e);
    if (e->n_splits < MANY_SPLITS || e->n_splits == e->n) return CAIRN_OK;
    CHECK(cairn_measure_get(ctx, &measure, NULL, e));
    CHECK(SCRATCH(ctx, &values, e->n_splits + 1));
    CHECK(cairn_measure_splits(ctx, measure, e, values));
    moments m = take_moments(values, e->n_splits);
    cairn_report_heading(out, 2, "Distribution over the splits");
    cairn_report_value(out, "splits", (double)m.n, "distribution.splits");
    cairn_report_value(out, "mean", m.mean, "distribution.mean");
    cairn_report_value(out, "deviation (n − 1)", m.sd, "distribution.sd");
    if (e->training_measures) {
        moments t = take_moments(e->training_measures, e->n_splits);
        cairn_report_value(out, "mean on the training rows", t.mean, "distribution.training");
        cairn_report_value(out, "bias: training less independent estimate", t.mean - m.mean,
                           "distribution.bias");
    } else {
        cairn_report_paragraph(out, "{training yes} adds the bias: how much better the rows that "
                                    "were learned from make it look.");
    }
    return draw_histogram(ctx, out, values, e->n_splits, measure->entry.name, m.mean);
}

/* -- sizes of the parts -- */

/* What one share gives. */
typedef struct tradeoff {
    double share, rows, tested, expected;
    moments held_out, training;
} tradeoff;

/* What is expected is the deviation of a share of right answers by chance alone; more than that
 * is due to the training sets. */
static cairn_status try_share(cairn_context *ctx, tradeoff *out, const cairn_params *params,
                              const cairn_table *table, const char *share, size_t runs,
                              const cairn_evaluate_how *options)
{
    SCOPED(cairn_evaluation_clear) cairn_evaluation e = {0};
    const cairn_measure *measure;
    cairn_evaluate_how how = *options;
    char spec[120];
    double *values;
    if (!cairn_number_parse(share, strlen(share), &out->share) || !(out->share > 0) ||
        !(out->share < 1))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{shares}: '%s' is not a share between 0 and 1 of rows to test on",
                          share);
    snprintf(spec, sizeof spec, "holdout:%.40s,repeats=%zu", share, runs);
    how.by = spec;
    how.training = CAIRN_TRAINING_YES;
    how.visits = NULL;
    how.n_visits = 0;
    how.splits_out = NULL;
    CHECK(cairn_evaluate_learner(ctx, &e, params, table, &how));
    CHECK(cairn_measure_get(ctx, &measure, NULL, &e));
    CHECK(SCRATCH(ctx, &values, e.n_splits + 1));
    CHECK(cairn_measure_splits(ctx, measure, &e, values));
    out->tested = (double)e.n / (double)e.n_splits;
    out->rows = (double)e.n_rows - out->tested;
    out->held_out = take_moments(values, e.n_splits);
    out->training = take_moments(e.training_measures, e.n_splits);
    double p = out->held_out.mean;
    out->expected = e.task == CAIRN_CLASSIFY ? sqrt(p * (1 - p) / out->tested) : NAN;
    return CAIRN_OK;
}

static void show_tradeoff(cairn_report *out, const tradeoff *t, size_t i)
{
    cairn_report_prefix(out, "shares.%zu", i);
    cairn_report_cells(
        out, "@.share:4 @.learned @.tested @.mean:4 @.sd:4 @.chance:4 @.training:4 @.bias:4",
        t->share, t->rows, t->tested, t->held_out.mean, t->held_out.sd, t->expected,
        t->training.mean, t->training.mean - t->held_out.mean);
}

/* More rows to test leave fewer to learn from: the band narrows while the line falls. */
static cairn_status draw_tradeoff(cairn_context *ctx, cairn_report *out, const tradeoff *t,
                                  size_t n, const char *measure)
{
    cairn_figure *figure = NULL;
    double *x, *mean, *low, *high, *training;
    double **columns[] = {&x, &mean, &low, &high, &training};
    if (n < 2) return CAIRN_OK;
    for (size_t k = 0; k < 5; k++) CHECK(SCRATCH(ctx, columns[k], n));
    for (size_t i = 0; i < n; i++) {
        double sd = isnan(t[i].held_out.sd) ? 0 : t[i].held_out.sd;
        x[i] = t[i].share;
        mean[i] = t[i].held_out.mean;
        low[i] = mean[i] - sd;
        high[i] = mean[i] + sd;
        training[i] = t[i].training.mean;
    }
    CHECK(cairn_figure_new(ctx, &figure, "tradeoff", "Training and test size"));
    cairn_figure_axes(figure, "share of rows tested", measure);
    cairn_figure_band(figure, "± one deviation", x, low, high, n);
    cairn_figure_line(figure, "held-out rows", x, mean, n);
    cairn_figure_dashed(figure, "training rows", x, training, n);
    cairn_report_figure(out, figure);
    return CAIRN_OK;
}

cairn_status cairn_tradeoff_report(cairn_context *ctx, cairn_report *out,
                                   const cairn_params *params, const cairn_table *table,
                                   const char *shares, size_t runs,
                                   const cairn_evaluate_how *options)
{
    static const char *const heads[] = {"share tested", "learned from", "tested",   "mean",
                                        "sd",           "sd by chance", "training", "bias"};
    SCOPED_SCRATCH(ctx);
    tradeoff *trials;
    char **items;
    size_t n;
    CHECK(cairn_list_split(ctx, shares, &items, &n));
    CHECK(SCRATCH(ctx, &trials, n + 1));
    for (size_t i = 0; i < n; i++)
        CHECK(try_share(ctx, &trials[i], params, table, items[i], runs, options));
    cairn_report_heading(out, 2, "Sizes of the training and the test part");
    cairn_report_table_begin(out, NULL, 0);
    for (size_t k = 0; k < 8; k++) cairn_report_column(out, heads[k], 'r');
    for (size_t i = 0; i < n; i++) show_tradeoff(out, &trials[i], i + 1);
    cairn_report_paragraph(
        out,
        "Each share was held out %zu times. The more rows are tested the less the estimates "
        "scatter, and the fewer are left to learn from, which makes the model itself worse.%s",
        runs,
        n && !isnan(trials[0].expected)
            ? " By chance alone the deviation of a share p in n tested rows is √(p(1 − p)/n)."
            : "");
    return draw_tradeoff(ctx, out, trials, n,
                         n && isnan(trials[0].expected) ? "mean squared error" : "accuracy");
}

/* -- the rows of every split -- */

static cairn_status begin_list(cairn_context *ctx, void *data, const cairn_evaluation *e)
{
    cairn_sample_list *list = data;
    if (e->n_rows > MOST_LISTED || e->n_splits > MOST_SAMPLES) return CAIRN_OK;
    CHECK(NEW_EACH(ctx, e->n_splits, &list->train, &list->test));
    list->n = e->n_splits;
    return CAIRN_OK;
}

static cairn_status write_rows(cairn_context *ctx, char **out, cairn_rows rows)
{
    cairn_text text = cairn_text_start(ctx);
    for (size_t i = 0; i < rows.n; i++)
        cairn_text_addf(&text, "%s%u", i ? " " : "", rows.indices[i] + 1);
    cairn_status status = cairn_text_status(&text);
    if (status == CAIRN_OK) status = cairn_text_take(&text, out);
    cairn_text_clear(&text);
    return status;
}

static cairn_status list_split(cairn_context *ctx, void *data, const cairn_split_job *job)
{
    cairn_sample_list *list = data;
    if (!list->n) return CAIRN_OK;
    CHECK(write_rows(ctx, &list->train[job->split], job->train));
    return write_rows(ctx, &list->test[job->split], job->test);
}

cairn_split_visit cairn_samples_visit(cairn_sample_list *list)
{
    return (cairn_split_visit){begin_list, list_split, list};
}

void cairn_samples_report(cairn_report *out, const cairn_sample_list *list)
{
    cairn_report_heading(out, 2, "Rows of the splits");
    if (!list->n) {
        cairn_report_paragraph(out,
                               "There are more than %d rows or %d splits, too many to list; "
                               "{splits-out FILE} writes them.",
                               MOST_LISTED, MOST_SAMPLES);
        return;
    }
    cairn_report_table_of(out, NULL, MOST_SAMPLES, "rll", "split", "rows learned from",
                          "rows tested");
    for (size_t s = 0; s < list->n; s++) {
        cairn_report_cells(out, "- split#.learned split#.tested", s + 1,
                           list->train[s] ? list->train[s] : "",
                           list->test[s] ? list->test[s] : "");
    }
}

void cairn_samples_clear(cairn_sample_list *list)
{
    for (size_t s = 0; s < list->n; s++) FREE_EACH(list->train[s], list->test[s]);
    FREE_EACH(list->train, list->test);
    *list = (cairn_sample_list){0};
}
