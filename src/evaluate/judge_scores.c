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
#include "base/number.h"
#include "evaluate/measure.h"
#include "plots/calibration_plot.h"
#include "plots/roc_plot.h"
#include "stats/curves.h"
#include "stats/distributions.h"
#include "stats/multiclass.h"
#include "stats/probability_loss.h"
#include <math.h>
#include <stdio.h>

enum { MOST_CURVES = 8, BINS = 10, MOST_THRESHOLDS = 20 };

static const char *class_name(const cairn_evaluation *e, size_t c)
{
    return cairn_map_key(&e->classes, c);
}

void cairn_report_interval(cairn_report *out, cairn_interval interval, double level,
                           const char *how, const char *name)
{
    char text[200], a[CAIRN_NUMBER_SIZE], b[CAIRN_NUMBER_SIZE], percent[CAIRN_NUMBER_SIZE];
    cairn_number_format(a, interval.low, 4);
    cairn_number_format(b, interval.high, 4);
    cairn_number_format(percent, 100 * level, 4);
    snprintf(text, sizeof text, "%s to %s (%s%%%s%s)", a, b, percent, how ? ", " : "",
             how ? how : "");
    cairn_report_word(out, "  interval", text, NULL);
    cairn_report_hidden(out, interval.low, "%s.low", name);
    cairn_report_hidden(out, interval.high, "%s.high", name);
}

/* -- probabilities -- */

bool cairn_scores_are_probabilities(const cairn_evaluation *e)
{
    size_t k = e->classes.n;
    for (size_t i = 0; i < e->n; i++) {
        double sum = 0;
        for (size_t c = 0; c < k; c++) {
            double p = e->scores[i * k + c];
            if (!(p >= -1e-9 && p <= 1 + 1e-9)) return false;
            sum += p;
        }
        if (fabs(sum - 1) > 1e-6) return false;
    }
    return true;
}

/* Weight of rows per group below which groups of equal predictions say nothing. */
enum { LEAST_GROUP = 5 };

/* What is left of the squared error when the scores of every class are corrected by its hull. */
static cairn_status hull_refinement(cairn_context *ctx, double *out, const cairn_evaluation *e)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_status status = CAIRN_OK;
    cairn_ranking ranking, hull;
    double sum = 0, weight = 0;
    for (size_t c = 0; c < e->classes.n; c++) {
        TRY(cairn_rank_class(ctx, &ranking, e, 0, e->n, c));
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
static cairn_status show_parts(cairn_context *ctx, cairn_report *out, const cairn_evaluation *e,
                               cairn_probability_quality *q)
{
    bool grouped = q->weight >= LEAST_GROUP * (double)q->n_segments;
    if (!grouped) {
        CHECK(hull_refinement(ctx, &q->refinement, e));
        q->calibration = fmax(0, q->squared - q->refinement);
    }
    cairn_report_value(out, grouped ? "  of which calibration" : "  of which calibration (by hull)",
                       q->calibration, "brier.calibration");
    cairn_report_value(out, grouped ? "  of which refinement" : "  of which refinement (by hull)",
                       q->refinement, "brier.refinement");
    return CAIRN_OK;
}

static cairn_status show_probabilities(cairn_context *ctx, cairn_report *out,
                                       const cairn_evaluation *e)
{
    cairn_status status;
    cairn_probability_quality q;
    cairn_figure *figure;
    size_t k = e->classes.n;
    const char **names;
    TRY(cairn_probability_quality_of(ctx, &q, e->scores, e->actual, e->weights, e->n, k,
                                     CAIRN_BRIER_FACTOR, M_E, CAIRN_LEAST_CHANCE));
    cairn_report_heading(out, 3, "Probabilities");
    cairn_report_value(out, "squared error (Brier, half)", q.squared, "brier");
    TRY(show_parts(ctx, out, e, &q));
    cairn_report_value(out, "log loss (natural)", q.log_loss, "log_loss");
    if (q.n_impossible)
        cairn_report_note(out,
                          "%zu row%s a class that was given the probability 0, taken as 1e-15 in "
                          "the log loss; smoothing avoids this.",
                          q.n_impossible, q.n_impossible == 1 ? " has" : "s have");
    if (k > MOST_CURVES) goto done;
    TRY(SCRATCH(ctx, &names, k));
    for (size_t c = 0; c < k; c++) names[c] = class_name(e, c);
    TRY(cairn_plot_reliability(ctx, &figure, e->scores, e->actual, e->weights, e->n, k, names,
                               e->positive, BINS));
    cairn_report_page_figure(out, figure);
done:
    return status;
}

/* -- rankings -- */

cairn_status cairn_rank_class(cairn_context *ctx, cairn_ranking *out, const cairn_evaluation *e,
                              size_t begin, size_t end, size_t class)
{
    double *scores;
    int8_t *classes;
    size_t k = e->classes.n, n = end - begin;
    CHECK(SCRATCH_RAW(ctx, &scores, n + 1));
    CHECK(SCRATCH_RAW(ctx, &classes, n + 1));
    for (size_t i = 0; i < n; i++) {
        int32_t actual = e->actual[begin + i];
        scores[i] = e->scores[(begin + i) * k + class];
        classes[i] = actual < 0 ? -1 : (size_t)actual == class;
    }
    return cairn_ranking_make(ctx, out, scores, classes, e->weights + begin, n);
}

static void show_auc(cairn_report *out, const cairn_evaluation *e, const cairn_ranking *r)
{
    double auc = cairn_ranking_auc(r);
    cairn_report_value(out, "area under the ROC curve", auc, "auc");
    if (isnan(auc)) {
        cairn_report_note(out, "One of the classes has no tested row, so the area is undefined.");
        return;
    }
    double repeats = e->n > e->n_rows ? (double)e->n / (double)e->n_rows : 1;
    cairn_interval interval = cairn_auc_interval(r, auc, repeats, e->level);
    cairn_report_interval(out, interval, e->level, "DeLong", "auc");
}

static void show_thresholds(cairn_report *out, const cairn_split *best, size_t n,
                            const cairn_ranking *r, bool costs)
{
    cairn_report_table_begin(out,
                             costs ? "Thresholds of lowest cost" : "Thresholds of highest accuracy",
                             MOST_THRESHOLDS);
    cairn_report_column(out, "threshold", 'r');
    cairn_report_column(out, "true positives", 'r');
    cairn_report_column(out, "false positives", 'r');
    cairn_report_column(out, costs ? "weighted accuracy" : "accuracy", 'r');
    for (size_t i = 0; i < n; i++) {
        cairn_report_cell_number(out, best[i].threshold, 5, "threshold%zu", i + 1);
        cairn_report_cell_number(out, best[i].tp, 0, "threshold%zu.tp", i + 1);
        cairn_report_cell_number(out, best[i].fp, 0, "threshold%zu.fp", i + 1);
        cairn_report_cell_number(out, best[i].value, 5, "threshold%zu.value", i + 1);
    }
    cairn_report_table_end(out);
    if (r->n <= 1)
        cairn_report_note(out, "All rows have the same score: there is nothing to choose from.");
}

/* What the two errors cost beyond a right answer, from the table of costs when there is one. */
static void error_costs(double *fn, double *fp, const cairn_evaluation *e,
                        const cairn_judge_options *o)
{
    size_t pos = (size_t)e->positive, neg = 1 - pos;
    *fn = o->cost_fn;
    *fp = o->cost_fp;
    if (!o->costs || o->n_costs != 2 || e->classes.n != 2) return;
    *fn = fmax(0, o->costs[pos * 2 + neg] - o->costs[pos * 2 + pos]);
    *fp = fmax(0, o->costs[neg * 2 + pos] - o->costs[neg * 2 + neg]);
    if (*fn + *fp > 0) return;
    *fn = *fp = 1; /* no error costs anything: there is no threshold to prefer */
}

/* Two classes: curve with hull, area, and where to cut. */
static cairn_status judge_binary(cairn_context *ctx, cairn_report *out, const cairn_evaluation *e,
                                 const cairn_judge_options *o)
{
    cairn_status status;
    cairn_ranking r;
    cairn_split *best;
    cairn_figure *figure;
    size_t n;
    double fn, fp;
    error_costs(&fn, &fp, e, o);
    bool costs = fn != fp || o->class_ratio > 0;
    TRY(cairn_rank_class(ctx, &r, e, 0, e->n, (size_t)e->positive));
    cairn_report_heading(out, 3, "Ranking: '%s' first", class_name(e, (size_t)e->positive));
    show_auc(out, e, &r);
    if (!(r.positives > 0 && r.negatives > 0)) goto done;
    cairn_report_value(out, "average precision", cairn_average_precision(&r), "average_precision");
    cairn_operating_context where = cairn_operating_context_of(&r, fn, fp, o->class_ratio);
    TRY(cairn_best_splits(ctx, &best, &n, &r, where));
    show_thresholds(out, best, n, &r, costs);
    cairn_report_note(out,
                      "A threshold that was chosen on these rows is a little optimistic here.");
    cairn_roc_curve curve = {&r, e->learner};
    cairn_roc_options look = {
        .hull = true, .isometric = cairn_isometric_slope(&r, where), .best = best};
    TRY(cairn_plot_roc(ctx, &figure, &curve, 1, &look));
    cairn_report_figure(out, figure);
    TRY(cairn_plot_precision_recall(ctx, &figure, &curve, 1));
    cairn_report_page_figure(out, figure);
    TRY(cairn_plot_lift(ctx, &figure, &curve, 1, CAIRN_LIFT_LIFT, 10));
    cairn_report_page_figure(out, figure);
done:
    return status;
}

/* More classes: each against the rest, and the averages. */
static cairn_status judge_many(cairn_context *ctx, cairn_report *out, const cairn_evaluation *e)
{
    cairn_status status;
    cairn_multiclass_auc auc;
    cairn_ranking *rankings;
    cairn_roc_curve *curves;
    cairn_figure *figure;
    size_t k = e->classes.n, n = 0;
    TRY(cairn_multiclass_auc_of(ctx, &auc, e->scores, e->actual, e->weights, e->n, k));
    cairn_report_heading(out, 3, "Rankings: each class against the rest");
    cairn_report_value(out, "mean area under the ROC curves", auc.rest_mean, "auc.mean");
    cairn_report_value(out, "  weighted by class shares", auc.rest_weighted, "auc.weighted");
    cairn_report_value(out, "mean area, one class against one", auc.one_mean, "auc.pairs.mean");
    cairn_report_value(out, "  weighted by sizes", auc.one_pairs, "auc.pairs.weighted");
    cairn_report_hidden(out, auc.rest_weighted, "auc");
    cairn_report_table_begin(out, NULL, 0);
    cairn_report_column(out, "class", 'l');
    cairn_report_column(out, "area", 'r');
    for (size_t c = 0; c < k; c++) {
        cairn_report_cell(out, class_name(e, c));
        cairn_report_cell_number(out, auc.against_rest[c], 5, "auc.%s",
                                 cairn_report_key(out, class_name(e, c)));
    }
    cairn_report_table_end(out);
    if (k > MOST_CURVES) goto done;
    TRY(SCRATCH(ctx, &rankings, k));
    TRY(SCRATCH(ctx, &curves, k));
    for (size_t c = 0; c < k; c++) {
        TRY(cairn_rank_class(ctx, &rankings[n], e, 0, e->n, c));
        if (!(rankings[n].positives > 0 && rankings[n].negatives > 0)) continue;
        curves[n] = (cairn_roc_curve){&rankings[n], class_name(e, c)};
        n++;
    }
    if (n == 0) goto done;
    cairn_roc_options look = {.title = "Each class against the rest"};
    TRY(cairn_plot_roc(ctx, &figure, curves, n, &look));
    cairn_report_page_figure(out, figure);
done:
    return status;
}

bool cairn_scores_usable(const cairn_evaluation *e)
{
    if (!e->scores || e->n == 0 || e->classes.n < 2) return false;
    for (size_t i = 0; i < e->n * e->classes.n; i++)
        if (isnan(e->scores[i])) return false; /* a row without an answer has no scores either */
    return true;
}

cairn_status cairn_judge_scores(cairn_context *ctx, cairn_report *out, const cairn_evaluation *e,
                                const cairn_judge_options *options)
{
    if (e->classes.n == 1) {
        cairn_report_note(out, "There is one class only, so the area under the ROC curve is "
                               "undefined.");
        cairn_report_hidden(out, NAN, "auc");
    }
    if (!cairn_scores_usable(e)) return CAIRN_OK;
    if (cairn_scores_are_probabilities(e)) CHECK(show_probabilities(ctx, out, e));
    if (e->positive >= 0)
        CHECK(judge_binary(ctx, out, e, options));
    else
        CHECK(judge_many(ctx, out, e));
    return CAIRN_OK;
}

/* -- costs -- */

cairn_status cairn_check_costs(cairn_context *ctx, const cairn_evaluation *e,
                               const cairn_judge_options *o)
{
    bool two = o->cost_fn != 1 || o->cost_fp != 1;
    if (!o->costs && !two) return CAIRN_OK;
    if (e->task != CAIRN_CLASSIFY)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "costs are for classes, and '%s' is predicted as a number; leave them "
                          "out, or --task classify takes its values as classes",
                          e->target);
    if (!o->costs && e->classes.n != 2)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "--cost-fn and --cost-fp are for two classes, and '%s' has %zu; give "
                          "--costs, one row per actual and one column per predicted class",
                          e->target, e->classes.n);
    if (!o->costs || o->n_costs == e->classes.n) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE,
                      "--costs is a %zu x %zu table, but there are %zu classes; one row per actual "
                      "and one column per predicted class, in the order of the confusion table",
                      o->n_costs, o->n_costs, e->classes.n);
}

/* The matrix that was given, or the one that the costs of the two errors make; NULL = none. */
static cairn_status cost_matrix(cairn_context *ctx, const double **out, double two[4],
                                const cairn_evaluation *e, const cairn_judge_options *o)
{
    cairn_status status = cairn_check_costs(ctx, e, o);
    *out = o->costs;
    if (status || o->costs || e->positive < 0 || (o->cost_fn == 1 && o->cost_fp == 1))
        return status;
    size_t pos = (size_t)e->positive, neg = 1 - pos;
    two[pos * 2 + pos] = two[neg * 2 + neg] = 0;
    two[pos * 2 + neg] = o->cost_fn;
    two[neg * 2 + pos] = o->cost_fp;
    *out = two;
    return CAIRN_OK;
}

cairn_status cairn_cost_of(cairn_context *ctx, cairn_cost *out, bool *known,
                           const cairn_evaluation *e, const cairn_judge_options *o)
{
    cairn_status status;
    double two[4], baseline = 0, total = 0, highest = 0, most = 0;
    const double *costs;
    size_t k = e->classes.n;
    *out = (cairn_cost){NAN, NAN, NAN, NAN};
    *known = false;
    TRY(cost_matrix(ctx, &costs, two, e, o));
    if (!costs) goto done;
    out->total = 0;
    for (size_t i = 0; i < k * k; i++) highest = fmax(highest, costs[i]);
    for (size_t i = 0; i < e->n; i++) {
        const double *row = costs + (size_t)e->actual[i] * k;
        double worst = 0;
        if (e->actual[i] < 0) continue;
        for (size_t c = 0; c < k; c++) worst = fmax(worst, row[c]);
        out->total += e->weights[i] * (e->predicted[i] < 0 ? highest : row[e->predicted[i]]);
        baseline += e->weights[i] * (e->baseline[i] < 0 ? highest : row[e->baseline[i]]);
        most += e->weights[i] * worst;
        total += e->weights[i];
    }
    out->mean = total > 0 ? out->total / total : NAN;
    out->baseline = total > 0 ? baseline / total : NAN;
    out->error = most > 0 ? out->total / most : NAN;
    *known = true;
done:
    return status;
}

cairn_status cairn_judge_costs(cairn_context *ctx, cairn_report *out, const cairn_evaluation *e,
                               const cairn_judge_options *o)
{
    cairn_status status;
    cairn_cost cost;
    bool known;
    TRY(cairn_cost_of(ctx, &cost, &known, e, o));
    if (!known) goto done;
    cairn_report_heading(out, 3, "Costs");
    cairn_report_value(out, "total cost", cost.total, "cost.total");
    cairn_report_value(out, "mean cost (risk)", cost.mean, "cost.mean");
    cairn_report_value(out, "cost-weighted error", cost.error, "cost.error");
    cairn_report_value(out, "mean cost of the majority class", cost.baseline, "baseline.cost");
done:
    return status;
}
