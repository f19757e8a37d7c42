/* SPDX-License-Identifier: MIT */
/* cairn compute threshold: where to cut a ranking in two, for given costs and shares of the
 * classes, in two ways that agree: try every split, and slide a line of equal value onto the
 * hull. */
#include "typed/ranked.h"

#include "base/memory.h"
#include "plots/curve_steps.h"
#include "plots/roc_plot.h"
#include "stats/curves.h"
#include "report/table_rows.h"

#include <math.h>

typedef struct threshold_params {
    cairn_ranked_option ranked;
    double cost_fp, cost_fn, class_ratio;
} threshold_params;

static const cairn_param threshold_table[] = {
    CAIRN_PARAM_GROUP(threshold_params, ranked, cairn_ranked_group),
    CAIRN_PARAM(threshold_params, cost_fp, "1", "[0,inf)", "cost of a false positive"),
    CAIRN_PARAM(threshold_params, cost_fn, "1", "(0,inf)", "cost of a false negative"),
    CAIRN_PARAM(threshold_params, class_ratio, "0", "[0,inf)",
                "positives for one negative where the classifier will be used; 0 = as in the data"),
    CAIRN_PARAM_END,
};

/* Every split with its value. */
static void show_splits(cairn_report *out, const cairn_ranked *ranked, cairn_operating_context c,
                        double best)
{
    static const char *const heads[] = {"TP", "FP", "right", "weighted right", "value"};
    const cairn_ranking *r = &ranked->ranking;
    double tp = 0, fp = 0, all = c.positive * r->positives + c.negative * r->negatives;
    cairn_report_table_of(out, "Every split point", r->n <= 100 ? (size_t)-1 : 0, "rl", "split",
                          "threshold");
    for (size_t i = 0; i < 5; i++) cairn_report_column(out, heads[i], 'r');
    for (size_t s = 0; s <= r->n && cairn_report_row_wanted(out); s++) {
        char text[96];
        if (s > 0) tp += r->segments[s - 1].positives, fp += r->segments[s - 1].negatives;
        double weighted = c.positive * tp + c.negative * (r->negatives - fp);
        cairn_split_text(text, ranked, s);
        cairn_report_cells(out, "- - split$1.tp split$1.fp split$1.right split$1.weighted", s, text,
                           tp, fp, tp + r->negatives - fp, weighted);
        if (weighted / all >= best - 1e-12) cairn_report_row_mark(out);
        cairn_report_cell_number(out, weighted / all, 0, "split%zu.value", s);
    }
}

/* Several splits may be equally good; each with its threshold half-way to the next score. */
static void show_best(cairn_report *out, const cairn_ranked *ranked, const cairn_curve_split *best,
                      size_t n)
{
    static const char *const heads[] = {"midpoint", "predicted positive", "tpr", "fpr",
                                        "accuracy", "low (95%)",          "high"};
    const cairn_ranking *r = &ranked->ranking;
    cairn_report_table_of(out, n == 1 ? "The best split" : "All equally good splits", 0, "rl",
                          "split", ranked->split_names ? "cut-off" : "threshold");
    for (size_t i = 0; i < 7; i++) cairn_report_column(out, heads[i], 'r');
    for (size_t i = 0; i < n; i++) {
        char text[96];
        double all = r->positives + r->negatives;
        double accuracy = (best[i].tp + r->negatives - best[i].fp) / all;
        cairn_interval interval;
        cairn_share_interval(accuracy, all, 0.95, &interval);
        cairn_split_text(text, ranked, best[i].split);
        cairn_report_prefix(out, "best%zu", i + 1);
        cairn_report_cells(out,
                           "@.split @.interval @.threshold @.predicted_positive @.tpr @.fpr "
                           "@.accuracy @.accuracy.low @.accuracy.high",
                           best[i].split, text, ranked->scored ? best[i].threshold : NAN,
                           best[i].tp + best[i].fp, best[i].tp / r->positives,
                           best[i].fp / r->negatives, accuracy, interval.low, interval.high);
    }
    cairn_report_hidden(out, (double)n, "best.count");
}

/* Along the hull: edges steeper than the line are taken, flatter ones are not. */
static cairn_status show_hull(cairn_context *ctx, cairn_report *out, const cairn_ranking *r,
                              double slope)
{
    cairn_ranking hull;
    CHECK(cairn_ranking_hull(ctx, &hull, r, false));
    cairn_report_paragraph(out,
                           "A line of equal value slides from the top left until it touches the "
                           "hull: edges that are steeper than the line lie before the touching "
                           "point, flatter ones after it; an edge of the same slope touches in "
                           "both its ends and all points on it.");
    cairn_report_table_of(out, "Edges of the hull in ROC space", 0, "rrrrl", "edge", "positives",
                          "negatives", "slope", "against the line");
    for (size_t i = 0; i < hull.n && cairn_report_row_wanted(out); i++) {
        const cairn_segment *s = &hull.segments[i];
        double edge = s->negatives > 0
                          ? (s->positives / r->positives) / (s->negatives / r->negatives)
                          : INFINITY;
        bool same = fabs(edge - slope) <= 1e-12 * (1 + slope);
        cairn_report_cells(
            out, "- hull.segment$1.positives hull.segment$1.negatives hull.segment$1.slope", i + 1,
            s->positives, s->negatives, edge,
            same           ? "the same"
            : edge > slope ? "steeper"
                           : "flatter");
    }
    cairn_report_value(out, "area under the hull", cairn_ranking_auc(&hull), "hull.auc");
    return CAIRN_OK;
}

/* Maximum likelihood takes the classes as equally frequent, maximum posterior as they are. */
static cairn_status show_rules(cairn_context *ctx, cairn_report *out, const cairn_ranked *ranked)
{
    const cairn_ranking *r = &ranked->ranking;
    const struct {
        const char *title, *name;
        double class_ratio;
    } rules[] = {{"ML: both classes equally frequent", "ml", 1}, {"MAP: as in the data", "map", 0}};
    cairn_report_table_of(out, "Usual rules", 0, "lrrl", "rule", "slope", "split", "threshold");
    for (size_t i = 0; i < 2; i++) {
        cairn_operating_context c = cairn_operating_context_of(r, 1, 1, rules[i].class_ratio);
        cairn_curve_split *best;
        size_t n;
        char text[96];
        CHECK(cairn_best_splits(ctx, &best, &n, r, c));
        cairn_split_text(text, ranked, best[0].split);
        cairn_report_prefix(out, "%s", rules[i].name);
        cairn_report_cells(out, "- @.slope @.split @.threshold", rules[i].title,
                           cairn_isometric_slope(r, c), best[0].split, text);
    }
    return CAIRN_OK;
}

/* Costs and class ratio together make one slope; the best split by trying all and by the hull
 * must be the same. */
/* The slope and the value of each best split with the numbers put in. */
static void show_work(cairn_report *out, const cairn_ranking *r, cairn_operating_context c,
                      double slope, const cairn_curve_split *best, size_t n)
{
    enum { MOST_WORKED = 5 };
    double all = c.positive * r->positives + c.negative * r->negatives;
    cairn_report_step_begin(out, "The line of equal value");
    cairn_report_worked(out, "slope", "(w₋ · Neg) / (w₊ · Pos) = (# · #) / (# · #) = #", c.negative,
                        r->negatives, c.positive, r->positives, slope);
    cairn_report_worked(out, "w₊ · Pos + w₋ · Neg", "# · # + # · # = #", c.positive, r->positives,
                        c.negative, r->negatives, all);
    cairn_report_step_end(out);
    for (size_t i = 0; i < n && i < MOST_WORKED; i++) {
        double tn = r->negatives - best[i].fp;
        cairn_report_step_begin(out, "The split %zu", best[i].split);
        cairn_report_worked(out, "TN", "Neg − FP = # − # = #", r->negatives, best[i].fp, tn);
        cairn_report_worked(out, "value",
                            "(w₊ · TP + w₋ · TN) / (w₊ · Pos + w₋ · Neg) = (# · # + # · #) / # = #",
                            c.positive, best[i].tp, c.negative, tn, all, best[i].value);
        cairn_report_worked(out, "accuracy", "(TP + TN) / N = (# + #) / # = #", best[i].tp, tn,
                            r->positives + r->negatives,
                            (best[i].tp + tn) / (r->positives + r->negatives));
        cairn_report_step_end(out);
    }
}

static cairn_status threshold_run(cairn_context *ctx, cairn_report *out,
                                  const cairn_compute_job *job)
{
    const threshold_params *p = job->params;
    cairn_ranked ranked;
    cairn_curve_split *best;
    cairn_figure *figure;
    size_t n;
    CHECK(cairn_read_one_ranked(ctx, &ranked, &p->ranked, job->table, "compute threshold"));
    const cairn_ranking *r = &ranked.ranking;
    if (!(r->positives > 0) || !(r->negatives > 0))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "there are rows of one class only: no threshold can "
                          "be chosen");
    cairn_operating_context c =
        cairn_operating_context_of(r, p->cost_fn, p->cost_fp, p->class_ratio);
    double slope = cairn_isometric_slope(r, c);
    CHECK(cairn_best_splits(ctx, &best, &n, r, c));
    cairn_report_heading(out, 1, "Choosing a threshold");
    cairn_show_ranked(out, &ranked);
    cairn_report_formula(out, "value = (w₊·TP + w₋·TN) / (w₊·Pos + w₋·Neg)");
    cairn_report_formula(out, "slope in ROC space = (w₋·Neg) / (w₊·Pos)");
    cairn_report_value(out, "weight of a positive", c.positive, "weight.positive");
    cairn_report_value(out, "weight of a negative", c.negative, "weight.negative");
    cairn_report_value(out, "slope of lines of equal value", slope, "slope");
    show_splits(out, &ranked, c, best[0].value);
    show_best(out, &ranked, best, n);
    cairn_report_value(out, "value (weighted accuracy)", best[0].value, "value");
    cairn_report_value(out, "where that line meets tpr = 1 − fpr: tpr", best[0].value,
                       "descending.tpr");
    CHECK(show_hull(ctx, out, r, slope));
    cairn_report_value(out, "area under the curve", cairn_ranking_auc(r), "auc");
    CHECK(show_rules(ctx, out, &ranked));
    if (job->steps) {
        show_work(out, r, c, slope, best, n);
        CHECK(cairn_steps_hull(ctx, out, r, false));
    }
    CHECK(cairn_plot_roc(ctx, &figure, &(cairn_roc_curve){r, ranked.name}, 1,
                         &(cairn_roc_options){.hull = true,
                                              .descending = true,
                                              .isometric = slope,
                                              .best = &best[0],
                                              .rules = true}));
    cairn_report_figure(out, figure);
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_threshold = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "threshold",
              .also = "decision threshold, cut-off, operating point, Youden",
              .about = "class ratio, cost ratio",
              .title = "Where to cut a score",
              .summary =
                  "The thresholds of highest accuracy or least cost, all of them when several are "
                  "equally good, found by trying every split and by sliding a line of equal value "
                  "onto the convex hull; for other costs and another ratio of the classes than in "
                  "the data. A threshold lies in the middle between neighbouring scores.",
              .references = "Provost, Fawcett: Robust Classification for Imprecise Environments, "
                            "Machine Learning 42, 2001",
              .example = "cairn compute threshold @spam-scores --positive spam --cost-fp 2",
              .params = threshold_table,
              .params_size = sizeof(threshold_params)},
    .arguments = "[MODEL] [DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_ROLES,
    .answers = CAIRN_ANSWERS_SCORES,
    .run = threshold_run,
};
