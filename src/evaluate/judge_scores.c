/* SPDX-License-Identifier: MIT */
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
#include "evaluate/judge.h"
#include "base/memory.h"
#include "evaluate/measured.h"
#include "plots/calibration_plot.h"
#include "plots/roc_plot.h"
#include "report/table_rows.h"
#include "stats/cost_matrix.h"
#include "stats/curves.h"
#include "stats/distributions.h"
#include "stats/multiclass.h"
#include "stats/probability_loss.h"
#include <math.h>

enum { MOST_CURVES = 8, BINS = 10, MOST_THRESHOLDS = 20 };

static const char *class_name(const cairn_evaluation *e, size_t c)
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

/* The two parts of the squared error, over the groups that tell something. */
static cairn_status show_parts(cairn_context *ctx, cairn_report *out, const cairn_judged *j,
                               cairn_probability_quality *q)
{
    bool grouped = q->weight >= LEAST_GROUP * (double)q->n_segments;
    if (!grouped) {
        CHECK(hull_refinement(ctx, &q->refinement, j));
        q->calibration = fmax(0, q->squared - q->refinement);
    }
    cairn_report_value(out, grouped ? "  of which calibration" : "  of which calibration (by hull)",
                       q->calibration, "brier.calibration");
    cairn_report_value(out, grouped ? "  of which refinement" : "  of which refinement (by hull)",
                       q->refinement, "brier.refinement");
    return CAIRN_OK;
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
    if (!e->single) CHECK(show_parts(ctx, out, j, &q));
    cairn_report_value(out, "log loss (natural)", q.log_loss, "log_loss");
    if (q.n_impossible)
        cairn_report_note(out,
                          "%zu row%s a class that was given the probability 0, taken as 1e-15 in "
                          "the log loss; smoothing avoids this.",
                          q.n_impossible, q.n_impossible == 1 ? " has" : "s have");
    if (k > MOST_CURVES || e->single) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &names, k));
    for (size_t c = 0; c < k; c++) names[c] = class_name(e, c);
    CHECK(cairn_plot_reliability(ctx, &figure, e->scores, e->actual, e->weights, e->n, k, names,
                                 e->positive, BINS));
    cairn_report_page_figure(out, figure);
    return CAIRN_OK;
}

/* -- rankings -- */

static cairn_status show_auc(cairn_context *ctx, cairn_report *out, const cairn_evaluation *e,
                             const cairn_ranking *r)
{
    cairn_judged j = cairn_evaluation_judged(e);
    double auc = cairn_ranking_auc(r), rows;
    cairn_report_value(out, "area under the ROC curve", auc, "auc");
    if (isnan(auc)) {
        cairn_report_note(out, "One of the classes has no tested row, so the area is undefined.");
        return CAIRN_OK;
    }
    CHECK(cairn_judged_effective(ctx, &rows, &j));
    double repeats = (r->positives + r->negatives) / rows;
    cairn_interval interval = cairn_auc_interval(r, auc, repeats, e->level);
    cairn_report_interval(out, interval, e->level, cairn_auc_interval_name(auc), "auc");
    return CAIRN_OK;
}

static void show_thresholds(cairn_report *out, const cairn_curve_split *best, size_t n,
                            const cairn_ranking *r, bool costs)
{
    cairn_report_table_of(out,
                          costs ? "Thresholds of lowest cost" : "Thresholds of highest accuracy",
                          MOST_THRESHOLDS, "rrrr", "threshold", "true positives", "false positives",
                          costs ? "weighted accuracy" : "accuracy");
    for (size_t i = 0; i < n; i++) {
        cairn_report_cells(out, "threshold#:5 threshold#.tp threshold#.fp threshold#.value:5",
                           best[i].threshold, best[i].tp, best[i].fp, best[i].value);
    }
    if (r->n <= 1)
        cairn_report_note(out, "All rows have the same score: there is nothing to choose from.");
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
    cairn_report_heading(out, 3, "Ranking: '%s' first", class_name(e, (size_t)e->positive));
    CHECK(show_auc(ctx, out, e, &r));
    if (!(r.positives > 0 && r.negatives > 0)) return CAIRN_OK;
    cairn_report_value(out, "average precision", cairn_average_precision(&r), "average_precision");
    cairn_operating_context where = cairn_operating_context_of(&r, fn, fp, o->class_ratio);
    CHECK(cairn_best_splits(ctx, &best, &n, &r, where));
    show_thresholds(out, best, n, &r, costs);
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
        cairn_report_cells(out, "- auc.$1:5", class_name(e, c), auc.against_rest[c]);
    }
    if (k > MOST_CURVES) return CAIRN_OK;
    cairn_judged j = cairn_evaluation_judged(e);
    CHECK(SCRATCH(ctx, &rankings, k));
    CHECK(SCRATCH(ctx, &curves, k));
    for (size_t c = 0; c < k; c++) {
        CHECK(cairn_judged_ranking(ctx, &rankings[n], &j, c));
        if (!(rankings[n].positives > 0 && rankings[n].negatives > 0)) continue;
        curves[n] = (cairn_roc_curve){&rankings[n], class_name(e, c)};
        n++;
    }
    if (n == 0) return CAIRN_OK;
    cairn_roc_options look = {.title = "Each class against the rest"};
    CHECK(cairn_plot_roc(ctx, &figure, curves, n, &look));
    cairn_report_page_figure(out, figure);
    return CAIRN_OK;
}

/* Whether all rows of a split have the same scores, in each of several splits: what is pooled then
 * ranks the splits and not the rows. */
static bool is_constant_by_split(const cairn_evaluation *e, size_t n_classes)
{
    for (size_t s = 0; s < e->n_splits; s++)
        for (size_t i = e->starts[s] + 1; i < e->starts[s + 1]; i++)
            for (size_t c = 0; c < n_classes; c++)
                if (e->scores[i * n_classes + c] != e->scores[e->starts[s] * n_classes + c])
                    return false;
    return e->n_splits > 1;
}

cairn_status cairn_judge_scores(cairn_context *ctx, cairn_report *out, const cairn_evaluation *e,
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
    if (is_constant_by_split(e, e->classes.n))
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

/* The costs with the names of the classes, so that a reader sees which is which. */
static void show_cost_matrix(cairn_report *out, const cairn_evaluation *e, const double *costs)
{
    size_t k = e->classes.n;
    cairn_report_table_of(out, "What answers cost (rows: actual, columns: predicted)", 0, "l",
                          "actual");
    for (size_t c = 0; c < k; c++) cairn_report_column(out, class_name(e, c), 'r');
    for (size_t a = 0; a < k; a++) {
        cairn_report_cells(out, "- cost.$1.$0", class_name(e, a), cairn_cell_row(costs + a * k, k));
    }
}

cairn_status cairn_judge_costs(cairn_context *ctx, cairn_report *out, const cairn_evaluation *e,
                               const cairn_judge_options *o)
{
    const double *costs;
    cairn_cost cost;
    cairn_judged judged = cairn_evaluation_judged(e);
    CHECK(cairn_evaluation_costs(ctx, &costs, e, o));
    if (!costs) return CAIRN_OK;
    CHECK(cairn_judged_cost(ctx, &cost, &judged, costs));
    cairn_report_heading(out, 3, "Costs");
    show_cost_matrix(out, e, costs);
    cairn_report_value(out, "total cost", cost.total, "cost.total");
    cairn_report_value(out, "mean cost (risk)", cost.mean, "cost.mean");
    cairn_report_value(out, "cost-weighted error", cost.error, "cost.error");
    cairn_report_value(out, "mean cost, cheapest constant", cost.baseline, "baseline.cost");
    cairn_report_word(out, "  which is", class_name(e, cost.cheapest), "baseline.cheapest");
    if (cost.mean >= cost.baseline)
        cairn_report_note(out, "These answers cost no less than always saying '%s'.",
                          class_name(e, cost.cheapest));
    return CAIRN_OK;
}
