/* SPDX-License-Identifier: MIT */
/* cairn compute lift-chart: how many more positives there are among the best rows than anywhere;
 * and cairn compute expected-accuracy: the accuracy of a ranking cut anywhere. */
#include "typed/ranked.h"

#include "base/memory.h"
#include "evaluate/judge.h"
#include "plots/curve_steps.h"
#include "plots/roc_plot.h"
#include "stats/curves.h"
#include "report/table_rows.h"

#include <math.h>

typedef struct lift_params {
    cairn_ranked_option ranked;
    double step;
    double sample;
} lift_params;

static const cairn_param lift_table[] = {
    CAIRN_PARAM_GROUP(lift_params, ranked, cairn_ranked_group),
    CAIRN_PARAM(lift_params, step, "10", "[0.1,100]", "distance of the percentiles, in per cent"),
    CAIRN_PARAM(lift_params, sample, "0", "[0,inf)",
                "size of the whole that responders are counted in; 0 = the data's own"),
    CAIRN_PARAM_END,
};

/* Whether the weights of the ranking count rows: sizes of groups that add up to 1 or to 100 are
 * shares or percentages, unless the size of the whole is given. */
static bool has_rows(const cairn_ranking *r, const lift_params *p)
{
    double all = r->positives + r->negatives;
    bool shares = fabs(all - 1) < 1e-9 || fabs(all - 100) < 1e-7;
    return !p->ranked.size || !shares || p->sample > 0;
}

/* Tied rows are cut in proportion; intervals need numbers of rows, not shares of a whole. */
static void show_lift(cairn_report *out, const cairn_ranking *r, const lift_params *p)
{
    static const char *const heads[] = {"responders", "response", "low (95%)",
                                        "high",       "lift",     "share of all"};
    double all = r->positives + r->negatives, base = r->positives / all;
    double scale = p->sample > 0 ? p->sample / all : 1;
    bool counted = has_rows(r, p);
    size_t n = (size_t)ceil(100 / p->step - 1e-9);
    cairn_report_table_of(out, "The best rows, per cent by per cent", (size_t)-1, "r", "best %");
    for (size_t i = 0; i < 6; i++) cairn_report_column(out, heads[i], 'r');
    for (size_t i = 1; i <= n; i++) {
        double percent = i == n ? 100 : (double)i * p->step, share = percent / 100;
        double found = cairn_positives_in_best(r, share), rate = found / (share * all);
        /* of rows in the numbers that responders are counted in */
        cairn_interval interval = {NAN, NAN};
        if (counted) cairn_share_interval(rate, share * all * scale, 0.95, &interval);
        cairn_report_prefix(out, "at%zu", i);
        cairn_report_cells(out,
                           "@.percent @.responders @.response_percent @.response_percent.low:4 "
                           "@.response_percent.high:4 @.lift @.gain",
                           percent, found * scale, 100 * rate, 100 * interval.low,
                           100 * interval.high, rate / base, found / r->positives);
    }
    if (!counted)
        cairn_report_note(out,
                          "The sizes are shares of a whole, so the number of rows is not known "
                          "and there are no intervals; {sample ROWS} gives them.");
}

/* Lift compares with the response of all rows, so there must be some positives. */
/* How the positives among the best rows are counted: whole groups, and a share of the one that is
 * cut. */
static void work_lift(cairn_report *out, const cairn_ranking *r, const lift_params *p)
{
    enum { MOST_WORKED = 10 };
    double all = r->positives + r->negatives, base = r->positives / all;
    size_t n = (size_t)ceil(100 / p->step - 1e-9);
    cairn_report_step_begin(out, "Responders, response and lift");
    cairn_report_worked(out, "response of all", "Pos / N = # / # = #", r->positives, all, base);
    for (size_t i = 1; i <= n && i <= MOST_WORKED; i++) {
        double share = i == n ? 1 : (double)i * p->step / 100;
        double found = cairn_positives_in_best(r, share);
        cairn_report_worked(out, NULL, "best #%: response = # / (# · #) = #, lift = # / # = #",
                            100 * share, found, share, all, found / (share * all),
                            found / (share * all), base, found / (share * all) / base);
    }
    cairn_report_step_end(out);
}

static cairn_status lift_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const lift_params *p = job->params;
    cairn_ranked ranked;
    cairn_figure *figure;
    CHECK(cairn_read_one_ranked(ctx, &ranked, &p->ranked, job->table, "compute lift-chart"));
    const cairn_ranking *r = &ranked.ranking;
    if (!(r->positives > 0))
        return cairn_fail(ctx, CAIRN_BAD_DATA, "there are no positives: lift is undefined");
    cairn_report_heading(out, 1, "Lift");
    cairn_show_ranked(out, &ranked);
    cairn_report_formula(out, "lift = response among the best / response of all");
    cairn_report_value(out, "response of all, per cent",
                       100 * r->positives / (r->positives + r->negatives), "baseline_percent");
    show_lift(out, r, p);
    if (job->steps) work_lift(out, r, p);
    CHECK(cairn_plot_lift(ctx, &figure, &(cairn_roc_curve){r, ranked.name}, 1, CAIRN_LIFT_LIFT,
                          p->step));
    cairn_report_figure(out, figure);
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_lift_chart = {
    .entry =
        {.kind = CAIRN_ENTRY_CALCULATOR,
         .name = "lift-chart",
         .also = "gain chart, cumulative gains, lift curve",
         .title = "Lift of the best rows",
         .summary =
             "Takes the best 10%, 20%, ... of the rows by score (or the best groups by their "
             "response) and reports how many positives are among them, and how many times more "
             "than among as many rows at random. A group or a tie that is only partly taken "
             "counts proportionally. (The lift of an association rule is another number.)",
         .references = "Ling, Li: Data Mining for Direct Marketing, KDD 1998",
         .example = "cairn compute lift-chart @lift --size share --rate response",
         .params = lift_table,
         .params_size = sizeof(lift_params)},
    .arguments = "[MODEL] [DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_TARGET,
    .answers = CAIRN_ANSWERS_SCORES,
    .run = lift_run,
};

/* -- expected accuracy -- */

typedef struct expected_params {
    cairn_ranked_option ranked;
} expected_params;

static const cairn_param expected_table[] = {
    CAIRN_PARAM_GROUP(expected_params, ranked, cairn_ranked_group),
    CAIRN_PARAM_END,
};

/* Accuracy and predicted positive rate of every cut of n rows; inside a tie on its diagonal. */
static void show_cuts(cairn_report *out, const cairn_ranking *r)
{
    double all = r->positives + r->negatives, tp = 0, fp = 0, taken = 0;
    size_t segment = 0, n = (size_t)floor(all + 1e-9);
    cairn_report_table_of(out, "Every way to cut the rows in two", n <= 100 ? (size_t)-1 : 0, "rrr",
                          "predicted positive", "rate", "accuracy");
    for (size_t cut = 0; cut <= n && cairn_report_row_wanted(out); cut++) {
        while (segment < r->n) {
            const cairn_segment *s = &r->segments[segment];
            double size = s->positives + s->negatives;
            if (taken + size > (double)cut + 1e-9) break;
            tp += s->positives, fp += s->negatives, taken += size, segment++;
        }
        const cairn_segment *s = segment < r->n ? &r->segments[segment] : NULL;
        double part = s ? ((double)cut - taken) / (s->positives + s->negatives) : 0;
        double here = tp + (s ? part * s->positives : 0),
               wrong = fp + (s ? part * s->negatives : 0);
        cairn_report_cells(out, "- cut$1.rate cut$1.accuracy", cut, (double)cut / all,
                           (here + r->negatives - wrong) / all);
    }
}

/* Accuracy against the share that is predicted positive. */
static cairn_status add_figure(cairn_context *ctx, cairn_report *out, const cairn_ranking *r)
{
    cairn_figure *f;
    double *x, *y, all = r->positives + r->negatives;
    size_t *at, n;
    CHECK(cairn_curve_points(ctx, &x, &y, &at, &n, r, 2000));
    for (size_t i = 0; i < n; i++) {
        double fp = x[i], tp = y[i];
        x[i] = (tp + fp) / all;
        y[i] = (tp + r->negatives - fp) / all;
    }
    CHECK(cairn_figure_new(ctx, &f, "rate-accuracy", "Accuracy and the share predicted positive"));
    cairn_figure_axes(f, "predicted positive rate", "accuracy");
    cairn_figure_x_range(f, 0, 1.02);
    cairn_figure_line(f, "accuracy", x, y, n);
    cairn_figure_rule_y(f, "expected accuracy", cairn_expected_accuracy(r));
    cairn_figure_rule_x(f, "share of positives", r->positives / all);
    cairn_report_figure(out, f);
    return CAIRN_OK;
}

/* The closed form and the mean over all cuts are two ways to one number; for balanced classes
 * there is a third. */
static cairn_status expected_run(cairn_context *ctx, cairn_report *out,
                                 const cairn_compute_job *job)
{
    const expected_params *p = job->params;
    cairn_ranked ranked;
    CHECK(cairn_read_one_ranked(ctx, &ranked, &p->ranked, job->table, "compute expected-accuracy"));
    const cairn_ranking *r = &ranked.ranking;
    cairn_ranking_pairs pairs = cairn_ranking_count_pairs(r);
    double n = r->positives + r->negatives, auc = cairn_ranking_auc(r);
    cairn_report_heading(out, 1, "Accuracy of a ranking that is cut anywhere");
    cairn_show_ranked(out, &ranked);
    cairn_show_notation(out, r);
    show_cuts(out, r);
    if (n > 0) CHECK(add_figure(ctx, out, r));
    cairn_report_value(out, "ranking errors", pairs.wrong + pairs.tied / 2, "errors");
    cairn_report_value(out, "area under the curve", auc, "auc");
    if (r->positives > 1 && r->negatives > 1)
        cairn_report_interval(out, cairn_auc_interval(r, auc, 1, 0.95), 0.95,
                              cairn_auc_interval_name(auc), "auc");
    cairn_report_value(out, "expected accuracy, all cuts equally likely",
                       cairn_expected_accuracy(r), "expected_accuracy");
    cairn_report_formula(out, "[P + n/2 − P(P+1)/(n+1) − 2PN(1−AUC)/(n+1)] / n");
    if (job->steps && !isnan(auc)) {
        cairn_steps_auc(out, r);
        cairn_report_step_begin(out, "The expected accuracy");
        cairn_report_worked(out, NULL, "[# + #/2 − # · #/# − 2 · # · # · (1 − #)/#] / # = #",
                            r->positives, n, r->positives, r->positives + 1, n + 1, r->positives,
                            r->negatives, auc, n + 1, n, cairn_expected_accuracy(r));
        cairn_report_step_end(out);
    }
    if (r->positives == r->negatives) {
        cairn_report_formula(out,
                             "with as many positives as negatives: n/(n+1) · (2·AUC − 1)/4 + 1/2");
        cairn_report_value(out, "by that formula", n / (n + 1) * (2 * auc - 1) / 4 + 0.5,
                           "expected_accuracy_by_auc");
    }
    cairn_report_paragraph(out, "The average recall of a classifier is likewise its expected "
                                "accuracy when every share of the classes is equally likely.");
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_expected_accuracy = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "expected-accuracy",
              .also = "expected accuracy of a ranking",
              .title = "Accuracy of a ranking cut anywhere",
              .summary =
                  "Accuracy and predicted positive rate of a ranking for each of the n + 1 "
                  "ways to cut its n rows in two, their mean, and how that mean follows from "
                  "the area under the curve.",
              .references = "Flach, Hernández-Orallo, Ferri: A Coherent Interpretation of AUC as a "
                            "Measure of Aggregated Classification Performance, ICML 2011",
              .example = "cairn compute expected-accuracy --segments '++--+-'",
              .params = expected_table,
              .params_size = sizeof(expected_params)},
    .arguments = "[MODEL] [DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_ROLES,
    .answers = CAIRN_ANSWERS_SCORES,
    .run = expected_run,
};
