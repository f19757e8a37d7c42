/* SPDX-License-Identifier: MIT */
/* What held-out predictions say: measures with intervals, the baseline beside them, the confusion
 * table, the splits one by one, and pictures. */
#include "base/memory.h"
#include "base/number.h"
#include "evaluate/confusion_report.h"
#include "evaluate/glance.h"
#include "evaluate/importance.h"
#include "evaluate/judge.h"
#include "evaluate/measured.h"
#include "model/task.h"
#include "model/traits.h"
#include "plots/calibration_plot.h"
#include "plots/confusion_plot.h"
#include "plots/roc_plot.h"
#include "report/table_rows.h"
#include "stats/confusion.h"
#include "stats/cost_matrix.h"
#include "stats/curves.h"
#include "stats/distributions.h"
#include "stats/errors.h"
#include "stats/intervals.h"
#include "stats/multiclass.h"
#include "stats/probability_loss.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* What scores say about classes, beyond the answers that were drawn from them.
 *
 * Probabilities: squared error and log loss, the former split into calibration and refinement over
 * rows with equal predictions. Where nearly every row has a prediction of its own, such groups say
 * nothing: then the groups are the segments of the ROC convex hulls, each class against the rest,
 * so that calibration is what the best monotonous correction of the scores would save.
 *
 * Rankings: the area under the ROC curve, with the interval of DeLong, DeLong and Clarke-Pearson,
 * whose variance comes from how often each positive beats the negatives and each negative is
 * beaten by the positives. Operating points: the thresholds of highest accuracy, or lowest cost. */

enum { MOST_CURVES = 8, BINS = 10, MOST_THRESHOLDS = 20 };

static const char *scores_class_name(const cairn_evaluation *e, size_t c)
{
    return cairn_map_key(&e->classes, c);
}

/* -- probabilities -- */

/* Weight of rows per group below which groups of equal predictions say nothing. */
enum { LEAST_GROUP = 5 };

/* What is left of the squared error when the scores of every class are corrected by its hull. */
static cairn_status hull_refinement(cairn_context *ctx, double *out, const cairn_judged *j)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_status status = CAIRN_OK;
    cairn_ranking ranking, hull;
    double sum = 0, weight = 0;
    for (size_t c = 0; c < j->n_classes; c++) {
        TRY(cairn_judged_ranking(ctx, &ranking, j, c));
        TRY(cairn_ranking_hull(ctx, &hull, &ranking, false));
        for (size_t s = 0; s < hull.n; s++) {
            double p = hull.segments[s].positives, n = hull.segments[s].negatives;
            sum += CAIRN_BRIER_FACTOR * p * n / (p + n);
        }
        weight = ranking.positives + ranking.negatives;
        cairn_scratch_release(ctx, mark);
    }
    *out = sum / weight;
done:
    cairn_scratch_release(ctx, mark);
    return status;
}

/* A probability of 0 for what happened would make the log loss infinite; it is cut off, and the
 * number of such rows is told. */
static cairn_status show_probabilities(cairn_context *ctx, cairn_report *out,
                                       const cairn_evaluation *e, const cairn_judged *j)
{
    cairn_probability_quality q;
    cairn_figure *figure;
    size_t k = e->classes.n;
    const char **names;
    CHECK(cairn_probability_quality_of(ctx, &q, e->scores, e->actual, e->weights, e->n, k,
                                       CAIRN_BRIER_FACTOR, M_E, CAIRN_LEAST_CHANCE));
    cairn_report_heading(out, 3, "Probabilities");
    cairn_report_value(out, "squared error (Brier, half)", q.squared, "brier");
    if (!e->single) {
        /* The two parts of the squared error, over the groups that tell something. */
        bool grouped = q.weight >= LEAST_GROUP * (double)q.n_segments;
        if (!grouped) {
            CHECK(hull_refinement(ctx, &q.refinement, j));
            q.calibration = fmax(0, q.squared - q.refinement);
        }
        cairn_report_value(out,
                           grouped ? "  of which calibration" : "  of which calibration (by hull)",
                           q.calibration, "brier.calibration");
        cairn_report_value(out,
                           grouped ? "  of which refinement" : "  of which refinement (by hull)",
                           q.refinement, "brier.refinement");
    }
    cairn_report_value(out, "log loss (natural)", q.log_loss, "log_loss");
    if (q.n_impossible)
        cairn_report_note(out,
                          "%zu row%s a class that was given the probability 0, taken as 1e-15 in "
                          "the log loss; smoothing avoids this.",
                          q.n_impossible, q.n_impossible == 1 ? " has" : "s have");
    if (k > MOST_CURVES || e->single) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &names, k));
    for (size_t c = 0; c < k; c++) names[c] = scores_class_name(e, c);
    CHECK(cairn_plot_reliability(ctx, &figure, e->scores, e->actual, e->weights, e->n, k, names,
                                 e->positive, BINS));
    cairn_report_page_figure(out, figure);
    return CAIRN_OK;
}

/* -- rankings -- */

static cairn_status show_auc(cairn_context *ctx, cairn_report *out, const cairn_evaluation *e)
{
    cairn_area area;
    CHECK(cairn_evaluation_area(ctx, &area, e));
    cairn_report_value(out, "area under the ROC curve", area.auc, "auc");
    if (area.there)
        cairn_report_interval(out, area.interval, e->level, area.how, "auc");
    else
        cairn_report_note(out, "One of the classes has no tested row, so the area is undefined.");
    return CAIRN_OK;
}

/* What the two errors cost beyond a right answer. */
static cairn_status error_costs(cairn_context *ctx, double *fn, double *fp,
                                const cairn_evaluation *e, const cairn_judge_options *o)
{
    size_t pos = (size_t)e->positive, neg = 1 - pos;
    const double *costs;
    *fn = *fp = 1;
    CHECK(cairn_evaluation_costs(ctx, &costs, e, o));
    if (!costs) return CAIRN_OK;
    *fn = fmax(0, costs[pos * 2 + neg] - costs[pos * 2 + pos]);
    *fp = fmax(0, costs[neg * 2 + pos] - costs[neg * 2 + neg]);
    if (!(*fn + *fp > 0)) *fn = *fp = 1; /* no error costs anything: no threshold is better */
    return CAIRN_OK;
}

/* Two classes: curve with hull, area, and where to cut. */
static cairn_status judge_binary(cairn_context *ctx, cairn_report *out, const cairn_evaluation *e,
                                 const cairn_judge_options *o)
{
    cairn_ranking r;
    cairn_curve_split *best;
    cairn_figure *figure;
    size_t n;
    double fn, fp;
    CHECK(error_costs(ctx, &fn, &fp, e, o));
    bool costs = fn != fp || o->class_ratio > 0;
    cairn_judged j = cairn_evaluation_judged(e);
    CHECK(cairn_judged_ranking(ctx, &r, &j, (size_t)e->positive));
    cairn_report_heading(out, 3, "Ranking: '%s' first", scores_class_name(e, (size_t)e->positive));
    CHECK(show_auc(ctx, out, e));
    if (!(r.positives > 0 && r.negatives > 0)) return CAIRN_OK;
    cairn_report_value(out, "average precision", cairn_average_precision(&r), "average_precision");
    cairn_operating_context where = cairn_operating_context_of(&r, fn, fp, o->class_ratio);
    CHECK(cairn_best_splits(ctx, &best, &n, &r, where));
    cairn_report_table_of(out,
                          costs ? "Thresholds of lowest cost" : "Thresholds of highest accuracy",
                          MOST_THRESHOLDS, "rrrr", "threshold", "true positives", "false positives",
                          costs ? "weighted accuracy" : "accuracy");
    for (size_t i = 0; i < n; i++) {
        cairn_report_cells(out, "threshold#:5 threshold#.tp threshold#.fp threshold#.value:5",
                           best[i].threshold, best[i].tp, best[i].fp, best[i].value);
    }
    if (r.n <= 1)
        cairn_report_note(out, "All rows have the same score: there is nothing to choose from.");
    cairn_report_note(out,
                      "A threshold that was chosen on these rows is a little optimistic here.");
    cairn_roc_curve curve = {&r, e->learner};
    cairn_roc_options look = {
        .hull = true, .isometric = cairn_isometric_slope(&r, where), .best = best};
    CHECK(cairn_plot_roc(ctx, &figure, &curve, 1, &look));
    cairn_report_figure(out, figure);
    CHECK(cairn_plot_precision_recall(ctx, &figure, &curve, 1));
    cairn_report_page_figure(out, figure);
    CHECK(cairn_plot_lift(ctx, &figure, &curve, 1, CAIRN_LIFT_LIFT, 10));
    cairn_report_page_figure(out, figure);
    return CAIRN_OK;
}

/* More classes: each against the rest, and the averages. */
static cairn_status judge_many(cairn_context *ctx, cairn_report *out, const cairn_evaluation *e)
{
    cairn_multiclass_auc auc;
    cairn_ranking *rankings;
    cairn_roc_curve *curves;
    cairn_figure *figure;
    size_t k = e->classes.n, n = 0;
    CHECK(cairn_multiclass_auc_of(ctx, &auc, e->scores, e->actual, e->weights, e->n, k));
    cairn_report_heading(out, 3, "Rankings: each class against the rest");
    cairn_report_value(out, "mean area under the ROC curves", auc.rest_mean, "auc.mean");
    cairn_report_value(out, "  weighted by class shares", auc.rest_weighted, "auc.weighted");
    cairn_report_value(out, "mean area, one class against one", auc.one_mean, "auc.pairs.mean");
    cairn_report_value(out, "  weighted by sizes", auc.one_pairs, "auc.pairs.weighted");
    cairn_report_hidden(out, auc.rest_weighted, "auc");
    cairn_report_table_of(out, NULL, 0, "lr", "class", "area");
    for (size_t c = 0; c < k; c++) {
        cairn_report_cells(out, "- auc.$1:5", scores_class_name(e, c), auc.against_rest[c]);
    }
    if (k > MOST_CURVES) return CAIRN_OK;
    cairn_judged j = cairn_evaluation_judged(e);
    CHECK(SCRATCH_EACH(ctx, k, &rankings, &curves));
    for (size_t c = 0; c < k; c++) {
        CHECK(cairn_judged_ranking(ctx, &rankings[n], &j, c));
        if (!(rankings[n].positives > 0 && rankings[n].negatives > 0)) continue;
        curves[n] = (cairn_roc_curve){&rankings[n], scores_class_name(e, c)};
        n++;
    }
    if (n == 0) return CAIRN_OK;
    cairn_roc_options look = {.title = "Each class against the rest"};
    CHECK(cairn_plot_roc(ctx, &figure, curves, n, &look));
    cairn_report_page_figure(out, figure);
    return CAIRN_OK;
}

bool cairn_ranks_splits(const cairn_evaluation *e)
{
    size_t n_classes = e->classes.n;
    for (size_t s = 0; s < e->n_splits; s++)
        for (size_t i = e->starts[s] + 1; i < e->starts[s + 1]; i++)
            for (size_t c = 0; c < n_classes; c++)
                if (e->scores[i * n_classes + c] != e->scores[e->starts[s] * n_classes + c])
                    return false;
    return e->n_splits > 1;
}

/* What scores say about classes: probabilities, rankings, operating points, pictures. */
static cairn_status cairn_judge_scores(cairn_context *ctx, cairn_report *out,
                                       const cairn_evaluation *e,
                                       const cairn_judge_options *options)
{
    cairn_judged j = cairn_evaluation_judged(e);
    if (e->classes.n == 1) {
        cairn_report_note(out, "There is one class only, so the area under the ROC curve is "
                               "undefined.");
        cairn_report_hidden(out, NAN, "auc");
    }
    if (!cairn_judged_has_scores(&j)) return CAIRN_OK;
    if (cairn_judged_has_probabilities(&j)) CHECK(show_probabilities(ctx, out, e, &j));
    if (e->single)
        cairn_report_note(out, "Leave-one-out asks another model about every row, so the scores of "
                               "different rows cannot be compared: there is no ranking, no area "
                               "under a curve and no calibration here. {by cv:10} gives them.");
    if (e->single) return CAIRN_OK;
    if (cairn_ranks_splits(e))
        cairn_report_note(out, "Every model gives all the rows that it is asked about the same "
                               "score. It ranks nothing; the area below compares the splits with "
                               "each other, and where it differs from 1/2 that is chance.");
    if (e->positive >= 0)
        CHECK(judge_binary(ctx, out, e, options));
    else
        CHECK(judge_many(ctx, out, e));
    return CAIRN_OK;
}

/* -- costs -- */

cairn_status cairn_cost_matrix(cairn_context *ctx, const double **out, const cairn_judge_options *o,
                               const cairn_judged_classes *of)
{
    bool two = o->cost_fn != 1 || o->cost_fp != 1;
    double *costs;
    *out = NULL;
    if (!o->costs && !two) return CAIRN_OK;
    if (of->task != CAIRN_CLASSIFY)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "costs are for classes, and '%s' is predicted as a number; leave them "
                          "out, or {task classify} takes its values as classes",
                          of->target);
    if (!o->costs && of->classes->n != 2)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{cost-fn} and {cost-fp} are for two classes, and '%s' has %zu; give "
                          "{costs}, one row per actual and one column per predicted class",
                          of->target, of->classes->n);
    if (o->costs) {
        CHECK(cairn_costs_read(ctx, &costs, o->costs, of->classes));
    } else {
        size_t pos = (size_t)of->positive, neg = 1 - pos;
        CHECK(SCRATCH(ctx, &costs, 4));
        costs[pos * 2 + neg] = o->cost_fn;
        costs[neg * 2 + pos] = o->cost_fp;
    }
    *out = costs;
    return CAIRN_OK;
}

cairn_status cairn_evaluation_costs(cairn_context *ctx, const double **out,
                                    const cairn_evaluation *e, const cairn_judge_options *o)
{
    cairn_judged_classes of = {e->task, e->target, &e->classes, e->positive};
    return cairn_cost_matrix(ctx, out, o, &of);
}

/* What errors cost, when costs are given. */
static cairn_status cairn_judge_costs(cairn_context *ctx, cairn_report *out,
                                      const cairn_evaluation *e, const cairn_judge_options *o)
{
    const double *costs;
    cairn_cost cost;
    cairn_judged judged = cairn_evaluation_judged(e);
    CHECK(cairn_evaluation_costs(ctx, &costs, e, o));
    if (!costs) return CAIRN_OK;
    CHECK(cairn_judged_cost(ctx, &cost, &judged, costs));
    cairn_report_heading(out, 3, "Costs");
    /* The costs with the names of the classes, so that a reader sees which is which. */
    size_t k = e->classes.n;
    unsigned before = cairn_report_only(out, CAIRN_IN_FULL);
    cairn_report_table_of(out, "What answers cost (rows: actual, columns: predicted)", 0, "l",
                          "actual");
    for (size_t c = 0; c < k; c++) cairn_report_column(out, scores_class_name(e, c), 'r');
    for (size_t a = 0; a < k; a++) {
        cairn_report_cells(out, "- cost.$1.$0", scores_class_name(e, a),
                           cairn_cell_row(costs + a * k, k));
    }
    cairn_report_value(out, "total cost", cost.total, "cost.total");
    cairn_report_for(out, before);
    cairn_report_value(out, "mean cost (risk)", cost.mean, "cost.mean");
    (void)cairn_report_only(out, CAIRN_IN_FULL);
    cairn_report_value(out, "cost-weighted error", cost.error, "cost.error");
    cairn_report_for(out, before);
    cairn_report_value(out, "mean cost, cheapest constant", cost.baseline, "baseline.cost");
    cairn_report_word(out, "  which is", scores_class_name(e, cost.cheapest), "baseline.cheapest");
    if (cost.mean >= cost.baseline)
        cairn_report_note(out, "These answers cost no less than always saying '%s'.",
                          scores_class_name(e, cost.cheapest));
    return CAIRN_OK;
}

enum {
    MOST_CLASSES_SHOWN = 30,
    MOST_PAIRED = 7,
    MOST_SPLITS_SHOWN = 50,
    SMALL_FOLD = 30,
    MOST_POINTS = 20000
};

static const char *class_name(const cairn_evaluation *e, size_t c)
{
    return cairn_map_key(&e->classes, c);
}

/* -- classification -- */

/* Where errors cost differently, accuracy is not what the answers aim at, and the costs are
 * compared with those of the majority class further down. */
static cairn_status show_accuracy(cairn_context *ctx, cairn_report *out, const cairn_evaluation *e,
                                  const cairn_judge_options *o)
{
    bool costs = o->costs || o->cost_fn != 1 || o->cost_fp != 1;
    cairn_judged j = cairn_evaluation_judged(e), said = cairn_evaluation_baseline(e);
    double accuracy = cairn_judged_accuracy(&j), baseline = cairn_judged_accuracy(&said), n;
    cairn_interval interval;
    CHECK(cairn_judged_effective(ctx, &n, &j));
    const char *how = cairn_share_interval(accuracy, n, e->level, &interval);
    unsigned before = cairn_report_only(out, CAIRN_IN_FULL);
    cairn_report_value(out, "accuracy", accuracy, "accuracy");
    cairn_report_interval(out, interval, e->level, how, "accuracy");
    cairn_report_value(out, "error", 1 - accuracy, "error");
    if (e->items)
        cairn_report_value(out, "share of sequences without an error",
                           cairn_judged_whole_accuracy(&j), "whole_accuracy");
    /* Where some rows get no answer: how many do, and how often it is right then. */
    double answered = 0, right = 0, total = 0;
    for (size_t i = 0; i < j.n; i++) {
        double w = cairn_judged_weight(&j, i);
        total += w;
        answered += cairn_judged_answered(&j, i) ? w : 0;
        right += cairn_judged_right(&j, i) ? w : 0;
    }
    if (cairn_judged_unanswered(&j)) {
        cairn_report_value(out, "share of rows that get an answer", answered / total, "coverage");
        cairn_report_value(out, "accuracy of these answers", answered > 0 ? right / answered : NAN,
                           "accuracy.answered");
    }
    cairn_report_value(out, "baseline accuracy (majority class)", baseline, "baseline.accuracy");
    /* How probable the model makes rows, where it says that: the mean over the splits. */
    if (e->densities) {
        cairn_over_splits seen = cairn_look_over(e->densities, 1, e->n_splits);
        if (isfinite(seen.mean)) {
            cairn_report_value(out, "log-likelihood of a row", seen.mean, "log-likelihood");
            if (seen.n > 1)
                cairn_report_value(out, "  standard error over the splits", seen.sd / sqrt(seen.n),
                                   "log-likelihood.se");
        }
    }
    cairn_report_for(out, before);
    if (accuracy <= baseline && !cairn_judged_unanswered(&j) && !costs)
        cairn_report_note(out, "This is no better than always saying the majority class.");
    if (cairn_is_skewed(baseline) && e->classes.n > 1)
        cairn_report_note(out,
                          "The classes are skewed: always saying the majority class is right "
                          "in %d%% of rows, so that accuracy says little. Read precision and "
                          "recall of the rarer classes, the average recall and the area under the "
                          "ROC curve ({measure average-recall,auc,mcc}).",
                          (int)(100 * baseline + 0.5));
    return CAIRN_OK;
}

/* The first `shown` classes with their totals, rows as the user wants them. */
static void show_confusion(cairn_report *out, const cairn_evaluation *e, const double *counts,
                           size_t shown, bool rows_predicted)
{
    double all = 0;
    cairn_report_table_of(out,
                          rows_predicted ? "Confusion table (rows: predicted, columns: actual)"
                                         : "Confusion table (rows: actual, columns: predicted)",
                          0, "l", rows_predicted ? "predicted" : "actual");
    for (size_t c = 0; c < shown; c++) cairn_report_column(out, class_name(e, c), 'r');
    cairn_report_column(out, "total", 'r');
    for (size_t r = 0; r <= shown; r++) {
        double total = 0;
        cairn_report_cell(out, r < shown ? class_name(e, r) : "total");
        for (size_t c = 0; c < shown; c++) {
            double sum = 0;
            if (r == shown) {
                for (size_t i = 0; i < shown; i++)
                    sum += rows_predicted ? counts[c * shown + i] : counts[i * shown + c];
                cairn_report_cell_number(out, sum, 0, NULL);
                continue;
            }
            size_t actual = rows_predicted ? c : r, predicted = rows_predicted ? r : c;
            total += counts[actual * shown + predicted];
            cairn_report_cell_number(out, counts[actual * shown + predicted], 0, "confusion.%s.%s",
                                     cairn_report_key(out, class_name(e, actual)),
                                     cairn_report_key(out, class_name(e, predicted)));
        }
        all += total;
        cairn_report_cell_number(out, r < shown ? total : all, 0, NULL);
    }
    if (shown < e->classes.n)
        cairn_report_paragraph(out, "Only the first %zu of %zu classes are shown.", shown,
                               e->classes.n);
}

/* Share; 0/0 by the policy. */
static double ratio(double part, double whole, cairn_undefined undefined)
{
    if (whole > 0) return part / whole;
    return undefined == CAIRN_UNDEFINED_NA ? NAN : undefined == CAIRN_UNDEFINED_ONE ? 1 : 0;
}

/* Plain means over the classes that have rows, and means by their shares. */
static void show_averages(cairn_report *out, const cairn_class_counts *sums, size_t n,
                          cairn_undefined undefined)
{
    double plain[3] = {0}, weighted[3] = {0}, counted[3] = {0}, total = 0;
    static const char *const names[3] = {"precision", "recall", "f1"};
    for (size_t c = 0; c < n; c++) {
        cairn_class_counts s = sums[c];
        double values[3] = {ratio(s.right, s.predicted, undefined),
                            ratio(s.right, s.actual, undefined),
                            ratio(2 * s.right, s.actual + s.predicted, undefined)};
        if (!(s.actual > 0)) continue;
        if (isnan(values[0])) values[0] = 0; /* it has rows and is never predicted */
        total += s.actual;
        for (size_t i = 0; i < 3; i++) {
            if (isnan(values[i])) continue;
            plain[i] += values[i];
            counted[i]++;
            weighted[i] += s.actual * values[i];
        }
    }
    cairn_report_cells(out, NULL, "mean of the classes", "");
    for (size_t i = 0; i < 3; i++)
        cairn_report_cell_number(out, plain[i] / counted[i], 4, "mean.%s", names[i]);
    cairn_report_cells(out, NULL, "mean by class shares", total);
    for (size_t i = 0; i < 3; i++)
        cairn_report_cell_number(out, total > 0 ? weighted[i] / total : NAN, 4, "weighted.%s",
                                 names[i]);
}

/* Precision of a class that is never said is undefined; `undefined` says whether it counts as 0
 * or as missing in the averages. */
static void show_classes(cairn_report *out, const cairn_evaluation *e,
                         const cairn_class_counts *sums, cairn_undefined undefined)
{
    cairn_report_table_of(out, "By class", 0, "lrrrr", "class", "rows", "precision", "recall",
                          "F1");
    for (size_t c = 0; c < e->classes.n; c++) {
        cairn_class_counts s = sums[c];
        cairn_report_cells(out, "- rows.$1 precision.$1:4 recall.$1:4 f1.$1:4", class_name(e, c),
                           s.actual, ratio(s.right, s.predicted, undefined),
                           ratio(s.right, s.actual, undefined),
                           ratio(2 * s.right, s.actual + s.predicted, undefined));
    }
    show_averages(out, sums, e->classes.n, undefined);
    if (e->positive < 0) return;
    cairn_class_counts s = sums[e->positive];
    cairn_report_word(out, "positive class", class_name(e, (size_t)e->positive), "positive");
    cairn_report_value(out, "precision", ratio(s.right, s.predicted, undefined), "precision");
    cairn_report_value(out, "recall", ratio(s.right, s.actual, undefined), "recall");
    cairn_report_value(out, "F1", ratio(2 * s.right, s.actual + s.predicted, undefined), "f1");
}

/* Three or more classes, all of which are shown: rows as shares, and which are taken for which. */
static void show_many(cairn_report *out, const double *counts, const char *const *names, size_t k)
{
    size_t at = 0;
    double most = 0;
    cairn_report_class_shares(out, counts, names, k);
    for (size_t c = 0; c < k * k; c++)
        if (c / k != c % k && counts[c] > most) most = counts[c], at = c;
    if (!(most > 0)) return;
    cairn_report_hidden(out, most, "confused.rows");
    cairn_report_hidden_word(out, names[at / k], "confused.actual");
    cairn_report_hidden_word(out, names[at % k], "confused.predicted");
    cairn_report_most_confused(out, counts, names, k);
    if (k <= MOST_PAIRED) cairn_report_class_pairs(out, counts, names, k);
}

/* Rows that are wrong, by what they are and what was said. */
static void show_errors(cairn_report *out, const cairn_evaluation *e)
{
    cairn_judged j = cairn_evaluation_judged(e);
    cairn_report_table_of(out, "Rows that are wrong", 0, "rlll", "row", "actual", "predicted",
                          "kind");
    for (size_t i = 0; i < e->n; i++) {
        int32_t a = e->actual[i], p = e->predicted[i];
        if (cairn_judged_right(&j, i)) continue;
        cairn_report_cells(out, NULL, (unsigned)e->rows[i] + 1,
                           a < 0 ? "unknown" : class_name(e, (size_t)a),
                           p < 0 ? "no answer" : class_name(e, (size_t)p),
                           e->positive < 0    ? "wrong"
                           : a == e->positive ? "false negative"
                           : p == e->positive ? "false positive"
                                              : "wrong");
    }
}

/* With very many classes only the first have their confusion shown; the measures are of all. */
static cairn_status judge_classes(cairn_context *ctx, cairn_report *out, const cairn_evaluation *e,
                                  const cairn_judge_options *options)
{
    size_t shown = e->classes.n < MOST_CLASSES_SHOWN ? e->classes.n : MOST_CLASSES_SHOWN;
    double *counts;
    cairn_class_counts *sums;
    cairn_figure *figure;
    const char **names;
    CHECK(SCRATCH(ctx, &counts, shown * shown + 1));
    cairn_judged judged = cairn_evaluation_judged(e);
    CHECK(cairn_judged_counts(ctx, &sums, &judged));
    CHECK(SCRATCH(ctx, &names, shown + 1));
    for (size_t c = 0; c < shown; c++) names[c] = class_name(e, c);
    /* The first `shown` classes against each other: counts[actual * shown + predicted]. */
    for (size_t i = 0; i < e->n; i++) {
        size_t actual = (size_t)e->actual[i], predicted = (size_t)e->predicted[i];
        if (e->actual[i] < 0 || e->predicted[i] < 0 || actual >= shown || predicted >= shown)
            continue;
        counts[actual * shown + predicted] += e->weights[i];
    }
    CHECK(cairn_glance_measures(ctx, out, e));
    CHECK(show_accuracy(ctx, out, e, options));
    CHECK(cairn_glance_classes(ctx, out, e, options->rows_predicted));
    unsigned before = cairn_report_only(out, CAIRN_IN_FULL);
    show_confusion(out, e, counts, shown, options->rows_predicted);
    show_classes(out, e, sums, options->undefined);
    if (shown > 2 && shown == e->classes.n) show_many(out, counts, names, shown);
    if (shown > 1 && shown == e->classes.n) {
        CHECK(cairn_plot_confusion(ctx, &figure, counts, names, shown));
        cairn_report_page_figure(out, figure);
    }
    cairn_report_for(out, before);
    CHECK(cairn_judge_costs(ctx, out, e, options));
    (void)cairn_report_only(out, CAIRN_IN_FULL);
    CHECK(cairn_judge_scores(ctx, out, e, options));
    cairn_report_for(out, before);
    if (options->errors) show_errors(out, e);
    if (e->n_unknown)
        cairn_report_note(out,
                          e->n_unknown == 1
                              ? "%zu row has a class that the model does not know; it counts as "
                                "wrong, and probabilities and rankings are judged without it."
                              : "%zu rows have a class that the model does not know; they count as "
                                "wrong, and probabilities and rankings are judged without them.",
                          e->n_unknown);
    cairn_report_hidden(out, (double)e->n_unknown, "rows.unknown_class");
    return CAIRN_OK;
}

/* -- regression -- */

double cairn_baseline_mse(const cairn_judged *j, const double *baseline)
{
    double squares = 0, weight = 0;
    for (size_t i = 0; i < j->n; i++) {
        double w = cairn_judged_weight(j, i), away = baseline[i] - j->actual_number[i];
        if (isnan(j->predicted_number[i] - j->actual_number[i]) || !(w > 0)) continue;
        squares += w * away * away;
        weight += w;
    }
    return weight > 0 ? squares / weight : NAN;
}

static cairn_status errors_figure(cairn_context *ctx, cairn_report *out, const cairn_evaluation *e)
{
    cairn_figure *figure;
    size_t n = e->n < MOST_POINTS ? e->n : MOST_POINTS;
    double ends[2] = {INFINITY, -INFINITY};
    for (size_t i = 0; i < n; i++) {
        ends[0] = fmin(ends[0], e->actual_number[i]);
        ends[1] = fmax(ends[1], e->actual_number[i]);
    }
    cairn_status status =
        cairn_figure_new(ctx, &figure, "predicted", "Predicted and actual values");
    if (status) return status;
    cairn_figure_axes(figure, "actual", "predicted");
    cairn_figure_points(figure, e->actual_number, e->predicted_number, NULL, n, NULL, 0);
    cairn_figure_dashed(figure, "predicted = actual", ends, ends, 2);
    cairn_report_figure(out, figure);
    return CAIRN_OK;
}

cairn_interval cairn_mse_interval(const cairn_errors *errors, double rows, double level)
{
    double spread = errors->mse_deviation / sqrt(fmax(1, rows - 1));
    double t = rows > 1 ? cairn_t_quantile(0.5 + level / 2, rows - 1) : NAN;
    return (cairn_interval){fmax(0, errors->mse - t * spread), errors->mse + t * spread};
}

/* The baseline is the mean of the training targets, not of the tested ones, as a model could
 * know no other. */
static cairn_status judge_numbers(cairn_context *ctx, cairn_report *out, const cairn_evaluation *e)
{
    cairn_errors errors;
    cairn_judged j = cairn_evaluation_judged(e);
    double rows, baseline = cairn_baseline_mse(&j, e->baseline_number);
    CHECK(cairn_judged_effective(ctx, &rows, &j));
    cairn_errors_of(&errors, e->actual_number, e->predicted_number, e->weights, e->n);
    CHECK(cairn_glance_measures(ctx, out, e));
    unsigned before = cairn_report_only(out, CAIRN_IN_FULL);
    cairn_report_value(out, "root mean squared error", errors.rmse, "rmse");
    cairn_report_value(out, "mean absolute error", errors.mae, "mae");
    cairn_report_value(out, "  in per cent of the range of the target", errors.mae_percent,
                       "mae_percent");
    cairn_report_value(out, "mean squared error", errors.mse, "mse");
    cairn_report_interval(out, cairn_mse_interval(&errors, rows, e->level), e->level, NULL, "mse");
    cairn_report_value(out, "sum of squared errors", errors.sse, "sse");
    cairn_report_value(out, "  half of it", errors.half_sse, "half_sse");
    cairn_report_value(out, "mean relative error", errors.relative, "relative");
    cairn_report_value(out, "largest error", errors.largest, "largest");
    cairn_report_value(out, "R²", errors.r2, "r2");
    cairn_report_value(out, "baseline mean squared error (mean of the target)", baseline,
                       "baseline.mse");
    cairn_report_for(out, before);
    if (errors.mse >= baseline)
        cairn_report_note(out, "This is no better than always saying the mean of the target.");
    (void)cairn_report_only(out, CAIRN_IN_FULL);
    CHECK(errors_figure(ctx, out, e));
    cairn_report_for(out, before);
    return CAIRN_OK;
}

/* -- bootstrap -- */

/* Mean over rows of their mean loss in the replicates that left them out. */
static cairn_status leave_out_error(cairn_context *ctx, const cairn_evaluation *e, double *out)
{
    uint32_t last = 0;
    cairn_judged j = cairn_evaluation_judged(e);
    double *losses, *times, *weights, sum = 0, total = 0;
    for (size_t i = 0; i < e->n; i++) last = e->rows[i] > last ? e->rows[i] : last;
    CHECK(SCRATCH_EACH(ctx, (size_t)last + 1, &losses, &times, &weights));
    for (size_t i = 0; i < e->n; i++) {
        double loss;
        if (j.n_classes) {
            loss = cairn_judged_right(&j, i) ? 0 : 1;
        } else {
            double error = j.predicted_number[i] - j.actual_number[i];
            loss = error * error;
        }
        if (isnan(loss)) continue;
        losses[e->rows[i]] += loss;
        times[e->rows[i]]++;
        weights[e->rows[i]] = e->weights[i];
    }
    for (size_t r = 0; r <= last; r++)
        if (times[r] > 0) {
            sum += weights[r] * losses[r] / times[r];
            total += weights[r];
        }
    *out = total > 0 ? sum / total : NAN;
    return CAIRN_OK;
}

/* The .632 estimate mixes the left-out error with the training error; .632+ shifts the mixture
 * towards the former as the learner overfits. */
static cairn_status show_bootstrap(cairn_context *ctx, cairn_report *out, const cairn_evaluation *e)
{
    double left_out, none = e->no_information;
    CHECK(leave_out_error(ctx, e, &left_out));
    double training = e->task == CAIRN_CLASSIFY ? 1 - e->resubstitution : e->resubstitution;
    double capped = fmin(left_out, none), overfit = 0;
    if (capped > training && none > training) overfit = (capped - training) / (none - training);
    double weight = 0.632 / (1 - 0.368 * overfit);
    unsigned before = cairn_report_only(out, CAIRN_IN_FULL);
    cairn_report_heading(out, 2, "Bootstrap estimates");
    cairn_report_formula(out, ".632 error = 0.368 · training error + 0.632 · left-out error");
    cairn_report_value(out, "training error (optimistic)", training, "boot.training");
    cairn_report_value(out, "left-out error", left_out, "boot.left_out");
    cairn_report_value(out, ".632 error", 0.368 * training + 0.632 * left_out, "boot.632");
    cairn_report_value(out, "error without information", none, "boot.no_information");
    cairn_report_value(out, "relative overfitting", overfit, "boot.overfitting");
    cairn_report_for(out, before);
    cairn_report_value(out, ".632+ error", (1 - weight) * training + weight * capped,
                       "boot.632plus");
    return CAIRN_OK;
}

/* -- splits -- */

static double split_baseline(const cairn_evaluation *e, size_t split)
{
    cairn_judged part = cairn_evaluation_split(e, split);
    size_t begin = e->starts[split];
    if (e->task != CAIRN_CLASSIFY) return cairn_baseline_mse(&part, e->baseline_number + begin);
    part = cairn_judged_with(&part, e->baseline + begin, NULL);
    return cairn_judged_accuracy(&part);
}

/* Mean and deviation are over the splits, each counting the same; they differ from the pooled
 * estimate where splits differ in size. */
static void show_splits(cairn_report *out, const cairn_evaluation *e)
{
    const char *measure = e->task == CAIRN_CLASSIFY ? "accuracy" : "mse";
    double sum = 0, squares = 0;
    size_t counted = 0, smallest = SIZE_MAX;
    if (e->n_splits < 2 || e->n_splits == e->n) return; /* single rows say nothing by themselves */
    cairn_report_table_of(out, "Split by split", MOST_SPLITS_SHOWN, "rrrr", "split", "rows tested",
                          e->task == CAIRN_CLASSIFY ? "accuracy" : "mean squared error",
                          "baseline");
    if (e->training_measures) cairn_report_column(out, "training rows", 'r');
    for (size_t s = 0; s < e->n_splits; s++) {
        cairn_judged part = cairn_evaluation_split(e, s);
        double value = cairn_judged_usual(&part);
        size_t n = e->starts[s + 1] - e->starts[s];
        smallest = n < smallest ? n : smallest;
        cairn_report_prefix(out, "%s", measure);
        cairn_report_cells(out, "- - split#.@:4 -:4", s + 1, n, value, split_baseline(e, s));
        if (e->training_measures)
            cairn_report_cell_number(out, e->training_measures[s], 4, "split%zu.training", s + 1);
        if (isnan(value)) continue;
        counted++;
        double step = value - sum / fmax(1, (double)counted - 1);
        sum += value;
        if (counted > 1) squares += step * (value - sum / (double)counted);
    }
    cairn_report_value(out, "mean over the splits", sum / (double)counted, "%s.mean", measure);
    cairn_report_value(out, "deviation over the splits (n − 1)",
                       counted > 1 ? sqrt(squares / (double)(counted - 1)) : NAN, "%s.sd", measure);
    if (smallest < SMALL_FOLD)
        cairn_report_note(out,
                          "The smallest split tests %zu row%s; below %d the single values vary "
                          "a lot, so read the pooled estimate.",
                          smallest, smallest == 1 ? "" : "s", SMALL_FOLD);
}

/* For lessons and scripts: the sizes of the splits, and whether every row is tested equally
 * often. */
static cairn_status note_structure(cairn_context *ctx, cairn_report *out, const cairn_evaluation *e)
{
    uint32_t *times, last = 0;
    size_t least = SIZE_MAX, most = 0, rows = 0;
    bool even = true;
    if (!e->by || e->n_splits < 2 || e->bootstrap || e->n_repeats == 0 || e->items) return CAIRN_OK;
    for (size_t i = 0; i < e->n; i++) last = e->rows[i] > last ? e->rows[i] : last;
    CHECK(SCRATCH(ctx, &times, (size_t)last + 1));
    for (size_t i = 0; i < e->n; i++) times[e->rows[i]]++;
    for (size_t r = 0; r <= last; r++) {
        rows += times[r] > 0;
        even = even && (times[r] == 0 || times[r] == e->n_repeats);
    }
    for (size_t s = 0; s < e->n_splits; s++) {
        size_t n = e->starts[s + 1] - e->starts[s];
        least = n < least ? n : least;
        most = n > most ? n : most;
    }
    even = even && rows == e->n_rows;
    cairn_report_hidden(out, (double)e->n_splits, "splits");
    cairn_report_hidden(out, (double)least, "splits.test.least");
    cairn_report_hidden(out, (double)most, "splits.test.most");
    cairn_report_hidden_word(out, even ? "yes" : "no", "splits.cover");
    if (!even) return CAIRN_OK;
    cairn_report_hidden(out, (double)(e->n_rows - most), "splits.train.least");
    cairn_report_hidden(out, (double)(e->n_rows - least), "splits.train.most");
    return CAIRN_OK;
}

double cairn_training_mean(const cairn_evaluation *e)
{
    double sum = 0, n = 0;
    for (size_t s = 0; e->training_measures && s < e->n_splits; s++)
        if (!isnan(e->training_measures[s])) {
            sum += e->training_measures[s];
            n++;
        }
    return n > 0 ? sum / n : NAN;
}

/* The mean of the training measures, beside the honest one. */
static void show_training(cairn_report *out, const cairn_evaluation *e)
{
    double mean = cairn_training_mean(e);
    if (isnan(mean)) return;
    cairn_report_value(out,
                       e->task == CAIRN_CLASSIFY ? "accuracy on the training rows (optimistic)"
                                                 : "mean squared error on the training rows "
                                                   "(optimistic)",
                       mean, e->task == CAIRN_CLASSIFY ? "training.accuracy" : "training.mse");
}

/* The measures that were asked for by name. */
static cairn_status show_measures(cairn_context *ctx, cairn_report *out, const cairn_evaluation *e,
                                  const char *list)
{
    static const char *const heads[] = {"value", "low", "high", "mean", "sd"};
    char **names, level[CAIRN_NUMBER_SIZE];
    size_t n;
    CHECK(cairn_list_split(ctx, list, &names, &n));
    cairn_number_format(level, 100 * e->level, 4);
    cairn_report_heading(out, 2, "Measures");
    cairn_report_table_of(out, NULL, (size_t)-1, "l", "measure");
    for (size_t i = 0; i < 5; i++) cairn_report_column(out, heads[i], 'r');
    for (size_t i = 0; i < n; i++) {
        const cairn_measure *measure;
        cairn_measured m;
        CHECK(cairn_measure_get(ctx, &measure, names[i], e));
        CHECK(cairn_measure_all(ctx, &m, measure, e, NULL));
        cairn_report_prefix(out, "measure.%s", names[i]);
        cairn_report_cells(out, "- @:5 @.low:4 @.high:4 @.mean:4 @.sd:4", names[i], m.value, m.low,
                           m.high, m.mean, m.sd);
    }
    if (e->n_splits > 1)
        cairn_report_paragraph(out,
                               "The value is over all held-out rows, mean and sd are over the "
                               "splits; the interval (%s%%) allows for the overlap of the training "
                               "sets.",
                               level);
    else
        cairn_report_paragraph(out,
                               "There is one set of rows, so there are no mean and deviation over "
                               "splits; the interval (%s%%) is that of samples of the rows "
                               "(bootstrap).",
                               level);
    return CAIRN_OK;
}

/* The kind of model that the learner makes. */
static void show_model_kind(cairn_context *ctx, cairn_report *out, const cairn_evaluation *e)
{
    const cairn_entry *entry = cairn_entry_find(ctx, CAIRN_ENTRY_LEARNER, e->learner);
    cairn_text words = cairn_text_start(ctx);
    if (!entry) return;
    cairn_learner_model_words(&words, (const cairn_learner *)entry);
    cairn_report_failed(out, cairn_text_status(&words));
    cairn_report_word(out, "kind of model", cairn_text_string(&words), NULL);
    cairn_text_clear(&words);
}

/* What the rows are to the model, in a heading. */
static const char *judged_rows(const cairn_evaluation *e)
{
    if (e->by) return "Estimate on rows that were not learned from";
    return e->training ? "On the rows that the model was fitted to" : "On the given rows";
}

cairn_status cairn_evaluation_judge(cairn_context *ctx, cairn_report *out,
                                    const cairn_evaluation *e, const cairn_judge_options *options)
{
    static const cairn_judge_options defaults = CAIRN_JUDGE_OPTIONS_INIT;
    cairn_status status;
    if (!options) options = &defaults;
    cairn_judged judged = cairn_evaluation_judged(e);
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    unsigned before = cairn_report_only(out, CAIRN_IN_FULL);
    if (e->decision) cairn_report_paragraph(out, "%s.", e->decision);
    cairn_report_word(out, "learner", e->learner, "evaluate.learner");
    if (e->around) cairn_report_word(out, "wrapped in", e->around, "evaluate.around");
    cairn_task task = e->items ? CAIRN_LABEL_ITEMS : e->task;
    cairn_report_word(out, "task", cairn_task_name(task), "evaluate.task");
    cairn_report_word(out, "judged by", cairn_task_measure(task), NULL);
    show_model_kind(ctx, out, e);
    if (e->by) cairn_report_word(out, "by", e->by, "evaluate.by");
    cairn_report_value(out, "rows", (double)e->n_rows, "evaluate.rows");
    if (e->n_waiting)
        cairn_report_value(out, "rows without target", (double)e->n_waiting, "evaluate.waiting");
    cairn_report_value(out, e->by ? "held-out predictions" : "predictions", (double)e->n,
                       "evaluate.predictions");
    if (cairn_judged_unanswered(&judged))
        cairn_report_value(out, "rows without an answer", (double)cairn_judged_unanswered(&judged),
                           "evaluate.unanswered");
    char seed[32];
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)e->seed);
    cairn_report_word(out, "seed", seed, "evaluate.seed");
    cairn_report_heading(out, 2, "%s", judged_rows(e));
    cairn_report_for(out, before);
    if (e->training)
        cairn_report_note(out, "The model was fitted to these very rows, so this is optimistic.");
    status = e->task == CAIRN_CLASSIFY ? judge_classes(ctx, out, e, options)
                                       : judge_numbers(ctx, out, e);
    (void)cairn_report_only(out, CAIRN_IN_FULL);
    show_training(out, e);
    cairn_report_for(out, before);
    if (!status && options->measures) status = show_measures(ctx, out, e, options->measures);
    (void)cairn_report_only(out, CAIRN_IN_FULL);
    show_splits(out, e);
    if (!status) status = note_structure(ctx, out, e);
    cairn_report_for(out, before);
    if (!status && e->bootstrap) status = show_bootstrap(ctx, out, e);
    if (!status && e->importance) status = cairn_importance_report(ctx, out, e);
    if (e->n_unseen)
        cairn_report_note(out,
                          e->n_unseen == 1
                              ? "%zu cell held a level that was not among the training rows and "
                                "counted as missing."
                              : "%zu cells held levels that were not among the training rows and "
                                "counted as missing.",
                          e->n_unseen);
    cairn_scratch_release(ctx, mark);
    return status ? status : cairn_report_status(out);
}

/* -- for the model of all rows -- */

cairn_status cairn_evaluation_estimate(cairn_context *ctx, cairn_estimate *out,
                                       const cairn_evaluation *e)
{
    cairn_interval interval;
    cairn_judged judged = cairn_evaluation_judged(e);
    double rows;
    cairn_measured measured = {.sd = NAN};
    const cairn_measure *measure;
    const char *by = e->by ? e->by : "given rows";
    CHECK(cairn_measure_get(ctx, &measure, NULL, e));
    if (e->n_splits > 1)
        CHECK(cairn_measure_all(ctx, &measured, measure, e, NULL));
    else
        CHECK(measure->value(ctx, &measured.value, &judged));
    CHECK(cairn_judged_effective(ctx, &rows, &judged));
    if (e->task == CAIRN_CLASSIFY) {
        (void)cairn_share_interval(measured.value, rows, e->level, &interval);
    } else {
        cairn_errors errors;
        cairn_errors_of(&errors, e->actual_number, e->predicted_number, e->weights, e->n);
        interval = cairn_mse_interval(&errors, rows, e->level);
    }
    out->value = measured.value;
    out->low = interval.low;
    out->high = interval.high;
    out->level = e->level;
    out->sd = measured.sd;
    out->baseline = cairn_measured_baseline(e, measure);
    out->n_splits = e->n_splits;
    CHECK(cairn_copy_text(ctx, &out->by, by, strlen(by)));
    return cairn_copy_text(ctx, &out->measure, measure->entry.name, strlen(measure->entry.name));
}

/* -- the predictions as a table -- */

/* Row by row what was predicted, for other programs: actual, predicted, whether right, and all
 * scores. */
static cairn_status add_class_columns(cairn_context *ctx, cairn_table *table,
                                      const cairn_evaluation *e)
{
    const char **names;
    double *right;
    CHECK(SCRATCH(ctx, &names, e->classes.n + 1));
    CHECK(SCRATCH(ctx, &right, e->n + 1));
    for (size_t c = 0; c < e->classes.n; c++) names[c] = class_name(e, c);
    cairn_judged j = cairn_evaluation_judged(e);
    for (size_t i = 0; i < e->n; i++) right[i] = cairn_judged_right(&j, i);
    CHECK(cairn_table_add_levels(ctx, table, "actual", e->actual, names, e->classes.n));
    CHECK(cairn_table_add_levels(ctx, table, "predicted", e->predicted, names, e->classes.n));
    CHECK(cairn_table_put_numbers(ctx, table, "right", right));
    for (size_t c = 0; e->scores && c < e->classes.n; c++) {
        char *name;
        CHECK(cairn_score_head(ctx, &name, NULL, e->probabilities, names[c]));
        for (size_t i = 0; i < e->n; i++) right[i] = e->scores[i * e->classes.n + c];
        CHECK(cairn_table_put_numbers(ctx, table, name, right));
    }
    return CAIRN_OK;
}

static cairn_status add_number_columns(cairn_context *ctx, cairn_table *table,
                                       const cairn_evaluation *e)
{
    double *residual;
    CHECK(SCRATCH(ctx, &residual, e->n + 1));
    for (size_t i = 0; i < e->n; i++) residual[i] = e->actual_number[i] - e->predicted_number[i];
    CHECK(cairn_table_put_numbers(ctx, table, "actual", e->actual_number));
    CHECK(cairn_table_put_numbers(ctx, table, "predicted", e->predicted_number));
    return cairn_table_put_numbers(ctx, table, "residual", residual);
}

cairn_status cairn_evaluation_table(cairn_context *ctx, cairn_table **out,
                                    const cairn_evaluation *e)
{
    SCOPED_SCRATCH(ctx);
    OWNED(cairn_table_free) cairn_table *table = NULL;
    double *rows, *splits;
    CHECK(SCRATCH_EACH(ctx, e->n + 1, &rows, &splits));
    for (size_t s = 0; s < e->n_splits; s++)
        for (size_t i = e->starts[s]; i < e->starts[s + 1]; i++) splits[i] = (double)s + 1;
    for (size_t i = 0; i < e->n; i++) rows[i] = (double)e->rows[i] + 1;
    CHECK(cairn_table_new(ctx, &table, e->n));
    CHECK(cairn_table_put_numbers(ctx, table, "row", rows));
    CHECK(cairn_table_put_numbers(ctx, table, "split", splits));
    if (e->task == CAIRN_CLASSIFY)
        CHECK(add_class_columns(ctx, table, e));
    else
        CHECK(add_number_columns(ctx, table, e));
    *out = TAKE(table);
    return CAIRN_OK;
}
