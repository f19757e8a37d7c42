/* SPDX-License-Identifier: MIT */
/* Pictures of a contest: every learner in the same axes.
 *
 * Two classes: ROC, precision-recall, gain, cost curves and reliability of the positive class. More
 * classes: a ROC curve of each class against the rest, and the reliability of the class that was
 * said. Numbers: predicted against actual. Always the results of the splits: split by split, or as
 * histograms when there are many. */
#include "evaluate/compare.h"
#include "base/memory.h"
#include "base/text.h"
#include "plots/calibration_plot.h"
#include "plots/roc_plot.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    MOST_LEARNERS = 8, /* as many as there are colours */
    MOST_CLASSES = 8,
    MANY_SPLITS = 20,
    MOST_BINS = 15,
    RELIABILITY_BINS = 10,
    MOST_POINTS = 4000
};

/* Learners that are drawn: the first ones that take part. */
typedef struct cast {
    const cairn_contest *c;
    size_t at[MOST_LEARNERS];
    size_t n;
    bool more;
} cast;

static cast choose_cast(const cairn_contest *c, bool scores)
{
    cast out = {.c = c};
    for (size_t i = 0; i < c->n_learners; i++) {
        const cairn_contest_result *r = &c->results[i];
        cairn_judged judged = cairn_evaluation_judged(&r->evaluation);
        bool ranked = cairn_judged_has_scores(&judged) && !r->evaluation.single;
        if (r->failure || (scores && !ranked)) continue;
        if (out.n == MOST_LEARNERS) {
            out.more = true;
            break;
        }
        out.at[out.n++] = i;
    }
    return out;
}

static const cairn_evaluation *evaluation_of(const cast *who, size_t i)
{
    return &who->c->results[who->at[i]].evaluation;
}

static const char *name_of(const cast *who, size_t i)
{
    return who->c->learners[who->at[i]].name;
}

/* -- rankings -- */

/* The curves of one class; n = 0 when it or the rest has no rows. */
static cairn_status rank_all(cairn_context *ctx, cairn_roc_curve **out, size_t *n, const cast *who,
                             size_t class)
{
    cairn_ranking *rankings;
    *n = 0;
    CHECK(SCRATCH(ctx, &rankings, who->n + 1));
    CHECK(SCRATCH(ctx, out, who->n + 1));
    for (size_t i = 0; i < who->n; i++) {
        cairn_judged judged = cairn_evaluation_judged(evaluation_of(who, i));
        CHECK(cairn_judged_ranking(ctx, &rankings[i], &judged, class));
        if (!(rankings[i].positives > 0) || !(rankings[i].negatives > 0)) return CAIRN_OK;
        (*out)[i] = (cairn_roc_curve){&rankings[i], name_of(who, i)};
    }
    *n = who->n;
    return CAIRN_OK;
}

static cairn_status draw_binary(cairn_context *ctx, cairn_report *out, const cast *who,
                                size_t positive)
{
    cairn_figure *figure;
    cairn_roc_curve *curves;
    size_t n;
    const cairn_roc_options look = {.title = "ROC curves"};
    CHECK(rank_all(ctx, &curves, &n, who, positive));
    if (n == 0) return CAIRN_OK;
    CHECK(cairn_plot_roc(ctx, &figure, curves, n, &look));
    cairn_report_figure(out, figure);
    CHECK(cairn_plot_precision_recall(ctx, &figure, curves, n));
    cairn_report_page_figure(out, figure);
    CHECK(cairn_plot_lift(ctx, &figure, curves, n, CAIRN_LIFT_GAIN, 5));
    cairn_report_page_figure(out, figure);
    CHECK(cairn_plot_cost(ctx, &figure, curves, n));
    cairn_report_page_figure(out, figure);
    return CAIRN_OK;
}

/* Beyond MOST_CLASSES classes nobody would look at so many curves; a learner without scores has
 * none. */
static cairn_status draw_many(cairn_context *ctx, cairn_report *out, const cast *who)
{
    const cairn_evaluation *e = evaluation_of(who, 0);
    for (size_t class = 0; class < e->classes.n && e->classes.n <= MOST_CLASSES; class ++) {
        cairn_scratch_mark mark = cairn_scratch_now(ctx);
        cairn_figure *figure;
        cairn_roc_curve *curves;
        size_t n;
        char title[160], name[100];
        snprintf(title, sizeof title, "ROC curves: %.80s against the rest",
                 cairn_map_key(&e->classes, class));
        snprintf(name, sizeof name, "roc-%zu", class + 1);
        const cairn_roc_options look = {.title = title, .name = name};
        CHECK(rank_all(ctx, &curves, &n, who, class));
        if (n > 0) {
            CHECK(cairn_plot_roc(ctx, &figure, curves, n, &look));
            cairn_report_page_figure(out, figure);
        }
        cairn_scratch_release(ctx, mark);
    }
    return CAIRN_OK;
}

/* -- probabilities -- */

/* Of the positive class, or with more classes of the one that was said. */
static cairn_status fill_line(cairn_context *ctx, cairn_reliability *out, const cairn_evaluation *e,
                              const char *name)
{
    double *p;
    int32_t *happened;
    size_t k = e->classes.n;
    CHECK(SCRATCH(ctx, &p, e->n + 1));
    CHECK(SCRATCH(ctx, &happened, e->n + 1));
    for (size_t i = 0; i < e->n; i++) {
        int32_t class = e->positive >= 0 ? e->positive : e->predicted[i];
        p[i] = class < 0 ? NAN : e->scores[i * k + (size_t) class];
        happened[i] = class < 0 || e->actual[i] < 0 ? -1 : e->actual[i] == class;
    }
    *out = (cairn_reliability){p, happened, e->weights, e->n, name};
    return CAIRN_OK;
}

/* Only scores that are probabilities can be reliable, so learners with other scores are left
 * out. */
static cairn_status draw_reliability(cairn_context *ctx, cairn_report *out, const cast *who)
{
    cairn_figure *figure;
    cairn_reliability *lines;
    size_t n = 0;
    bool two = evaluation_of(who, 0)->positive >= 0;
    CHECK(SCRATCH(ctx, &lines, who->n + 1));
    for (size_t i = 0; i < who->n; i++) {
        cairn_judged judged = cairn_evaluation_judged(evaluation_of(who, i));
        if (cairn_judged_has_probabilities(&judged))
            CHECK(fill_line(ctx, &lines[n++], evaluation_of(who, i), name_of(who, i)));
    }
    if (n == 0) return CAIRN_OK;
    CHECK(cairn_plot_reliabilities(ctx, &figure, lines, n,
                                   two ? "share of the class" : "share that is right",
                                   RELIABILITY_BINS));
    cairn_report_page_figure(out, figure);
    return CAIRN_OK;
}

/* -- numbers -- */

/* Every learner has the same number of points, spread evenly over its rows, so that sorted data
 * are seen whole; the dashed line is where a perfect one would lie. */
static cairn_status draw_numbers(cairn_context *ctx, cairn_report *out, const cast *who)
{
    cairn_figure *figure;
    const char *names[MOST_LEARNERS];
    double *x, *y, ends[2] = {INFINITY, -INFINITY};
    int32_t *group;
    size_t each = MOST_POINTS / who->n, n = 0;
    CHECK(SCRATCH(ctx, &x, each * who->n + 1));
    CHECK(SCRATCH(ctx, &y, each * who->n + 1));
    CHECK(SCRATCH(ctx, &group, each * who->n + 1));
    for (size_t l = 0; l < who->n; l++) {
        const cairn_evaluation *e = evaluation_of(who, l);
        names[l] = name_of(who, l);
        size_t shown = e->n < each ? e->n : each;
        for (size_t i = 0; i < shown; i++, n++) {
            size_t row = i * e->n / shown;
            x[n] = e->actual_number[row];
            y[n] = e->predicted_number[row];
            group[n] = (int32_t)l;
            ends[0] = fmin(ends[0], x[n]);
            ends[1] = fmax(ends[1], x[n]);
        }
    }
    CHECK(cairn_figure_new(ctx, &figure, "predicted", "Predicted and actual values"));
    cairn_figure_axes(figure, "actual", "predicted");
    cairn_figure_points(figure, x, y, group, n, names, who->n);
    cairn_figure_dashed(figure, "predicted = actual", ends, ends, 2);
    cairn_report_page_figure(out, figure);
    return CAIRN_OK;
}

/* -- results of the splits -- */

static cairn_status draw_splits(cairn_context *ctx, cairn_report *out, const cast *who)
{
    cairn_figure *figure;
    double *x;
    size_t n = who->c->n_splits;
    CHECK(SCRATCH(ctx, &x, n + 1));
    for (size_t s = 0; s < n; s++) x[s] = (double)s + 1;
    CHECK(cairn_figure_new(ctx, &figure, "split-results", "Results split by split"));
    cairn_figure_axes(figure, "split", who->c->measure->entry.name);
    for (size_t i = 0; i < who->n; i++)
        cairn_figure_line(figure, name_of(who, i), x, who->c->splits + who->at[i] * n, n);
    cairn_report_page_figure(out, figure);
    return CAIRN_OK;
}

/* Counts of all learners between the same edges. */
static cairn_status draw_histograms(cairn_context *ctx, cairn_report *out, const cast *who)
{
    cairn_figure *figure;
    double edges[MOST_BINS + 1], low = INFINITY, high = -INFINITY;
    size_t n = who->c->n_splits, bins = (size_t)ceil(sqrt((double)n));
    if (bins > MOST_BINS) bins = MOST_BINS;
    for (size_t i = 0; i < who->n; i++)
        for (size_t s = 0; s < n; s++) {
            double value = who->c->splits[who->at[i] * n + s];
            if (isnan(value)) continue;
            low = fmin(low, value);
            high = fmax(high, value);
        }
    if (!(high > low) || !isfinite(high - low)) return CAIRN_OK; /* all alike: nothing to draw */
    for (size_t b = 0; b <= bins; b++) edges[b] = low + (high - low) * (double)b / (double)bins;
    CHECK(cairn_figure_new(ctx, &figure, "split-results", "Results of the splits"));
    cairn_figure_axes(figure, who->c->measure->entry.name, "splits");
    for (size_t i = 0; i < who->n; i++) {
        double counts[MOST_BINS] = {0};
        for (size_t s = 0; s < n; s++) {
            double value = who->c->splits[who->at[i] * n + s];
            if (isnan(value)) continue;
            size_t b = (size_t)((value - low) / (high - low) * (double)bins);
            counts[b < bins ? b : bins - 1]++;
        }
        cairn_figure_histogram(figure, name_of(who, i), edges, counts, bins);
    }
    cairn_report_page_figure(out, figure);
    return CAIRN_OK;
}

/* Held-out results against the number of rows that were learned from. */
static cairn_status draw_curves(cairn_context *ctx, cairn_report *out, const cast *who)
{
    cairn_figure *figure;
    double *x, *y;
    size_t n = who->c->results[who->at[0]].curve.n;
    if (!who->c->options->learning_curve || n < 2) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &x, n));
    CHECK(SCRATCH(ctx, &y, n));
    CHECK(cairn_figure_new(ctx, &figure, "learning-curve", "Learning curves"));
    cairn_figure_axes(figure, "training rows",
                      who->c->measure->task == CAIRN_CLASSIFY ? "accuracy on held-out rows"
                                                              : "mean squared error");
    for (size_t i = 0; i < who->n; i++) {
        const cairn_curve *curve = &who->c->results[who->at[i]].curve;
        for (size_t p = 0; p < n; p++) {
            x[p] = cairn_curve_mean(curve, curve->rows, p);
            y[p] = cairn_curve_mean(curve, curve->held_out, p);
        }
        cairn_figure_line(figure, name_of(who, i), x, y, n);
    }
    cairn_report_figure(out, figure);
    return CAIRN_OK;
}

cairn_status cairn_contest_figures(cairn_context *ctx, cairn_report *out, const cairn_contest *c)
{
    cast all = choose_cast(c, false), scored = choose_cast(c, true);
    if (all.n == 0) return CAIRN_OK;
    if (c->measure->task == CAIRN_REGRESS) CHECK(draw_numbers(ctx, out, &all));
    if (c->measure->task == CAIRN_CLASSIFY && scored.n > 0) {
        int32_t positive = evaluation_of(&scored, 0)->positive;
        if (positive >= 0)
            CHECK(draw_binary(ctx, out, &scored, (size_t)positive));
        else
            CHECK(draw_many(ctx, out, &scored));
        CHECK(draw_reliability(ctx, out, &scored));
    }
    bool loo = c->n_splits == c->results[all.at[0]].evaluation.n;
    if (c->n_splits >= MANY_SPLITS && !loo)
        CHECK(draw_histograms(ctx, out, &all));
    else if (c->n_splits > 1 && !loo)
        CHECK(draw_splits(ctx, out, &all));
    CHECK(draw_curves(ctx, out, &all));
    if (all.more)
        cairn_report_paragraph(out, "Pictures show the first %d learners.", (int)MOST_LEARNERS);
    return CAIRN_OK;
}
