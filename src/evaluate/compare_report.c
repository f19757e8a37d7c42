/* SPDX-License-Identifier: MIT */
/* Saying who won.
 *
 * Three tests stand side by side for each pair: Student's t over the splits, which takes them for
 * independent; the same corrected for the overlap of the training sets (Nadeau and Bengio) and,
 * where there are several pairs, for their number (Holm), which the verdict goes by; and
 * Wilcoxon's, which looks at ranks only. For classes, McNemar's test compares the answers row by
 * row. */
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "evaluate/compare.h"
#include "evaluate/glance.h"
#include "evaluate/split_steps.h"
#include "plots/calibration_plot.h"
#include "plots/rank_report.h"
#include "plots/roc_plot.h"
#include "plots/test_steps.h"
#include "report/table_rows.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Pictures of a contest: every learner in the same axes.
 *
 * Two classes: ROC, precision-recall, gain, cost curves and reliability of the positive class. More
 * classes: a ROC curve of each class against the rest, and the reliability of the class that was
 * said. Numbers: predicted against actual. Always the results of the splits: split by split, or as
 * histograms when there are many. */

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
    CHECK(SCRATCH_EACH(ctx, who->n + 1, &rankings, out));
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
    CHECK(SCRATCH_EACH(ctx, e->n + 1, &p, &happened));
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
    CHECK(SCRATCH_EACH(ctx, each * who->n + 1, &x, &y, &group));
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
    CHECK(SCRATCH_EACH(ctx, n, &x, &y));
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

enum { MOST_SPLITS = 50, MOST_SPLIT_LEARNERS = 12 };

static bool takes_part(const cairn_contest *c, size_t i)
{
    return !c->results[i].failure;
}

static size_t first_learner(const cairn_contest *c)
{
    size_t i = 0;
    while (!takes_part(c, i)) i++; /* a contest has one at least */
    return i;
}

static size_t best_learner(const cairn_contest *c)
{
    size_t best = first_learner(c);
    for (size_t i = best + 1; i < c->n_learners; i++) {
        double value = c->results[i].measured.value, top = c->results[best].measured.value;
        bool better = c->measure->lower_better ? value < top : value > top;
        if (takes_part(c, i) && (better || (isnan(top) && !isnan(value)))) best = i;
    }
    return best;
}

static const char *learner_key(cairn_report *out, const cairn_contest *c, size_t i)
{
    return cairn_report_key(out, c->learners[i].name);
}

/* -- the measure -- */

/* Whether the training rows are judged by the measure itself. */
static bool same_terms(const cairn_measure *measure)
{
    static const char *const names[] = {"accuracy", "error", "mse", "rmse"};
    for (size_t i = 0; i < 4; i++)
        if (cairn_same(measure->entry.name, names[i])) return true;
    return false;
}

/* The training value stands beside the estimate, since the distance of the two shows
 * overfitting; the baseline is what any learner should beat. */
static void show_learners(cairn_report *out, const cairn_contest *c, const char *prefix)
{
    const char *measure = c->measure->entry.name;
    bool classes = c->measure->task == CAIRN_CLASSIFY, same = same_terms(c->measure);
    bool squares = cairn_same(measure, "mse"); /* its root is in the units of the target */
    size_t best = best_learner(c);
    cairn_report_table_of(out, NULL, (size_t)-1, "l", "learner");
    if (squares) cairn_report_column(out, "rmse", 'r');
    cairn_report_columns(out, "rrrrrr", measure, "low", "high", "sd",
                         same      ? "training"
                         : classes ? "train acc."
                                   : "train mse",
                         "sd");
    for (size_t i = 0; i < c->n_learners; i++) {
        const cairn_contest_result *r = &c->results[i];
        const char *key = learner_key(out, c, i);
        if (!takes_part(c, i)) continue;
        if (i == best) cairn_report_row_mark(out);
        cairn_report_hidden(out, r->measured.mean, "%s%s.mean", prefix, key);
        cairn_report_prefix(out, "%s%s", prefix, key);
        cairn_report_cells(out, "- @.rmse:5", c->learners[i].name,
                           cairn_cell_if(squares, sqrt(r->measured.value)));
        cairn_report_cell_number(out, r->measured.value, 5, "%s%s.%s", prefix, key, measure);
        cairn_report_cells(out, "@.low:4 @.high:4 @.sd:4 @.training:4 @.training.sd:4",
                           r->measured.low, r->measured.high, r->measured.sd, r->training.mean,
                           r->training.sd);
    }
    double baseline = cairn_measured_baseline(&c->results[best].evaluation, c->measure);
    bool error = cairn_same(measure, "error");
    cairn_report_value(out,
                       error     ? "baseline error (majority class)"
                       : classes ? "baseline accuracy (majority class)"
                       : cairn_same(measure, "rmse")
                           ? "baseline root mean squared error (mean of the target)"
                           : "baseline mean squared error (mean of the target)",
                       baseline, "%sbaseline", prefix);
    cairn_report_hidden_word(out, c->learners[best].name, "%sbest", prefix);
}

/* Why some are not in the tables. */
static void show_left_out(cairn_report *out, const cairn_contest *c)
{
    for (size_t i = 0; i < c->n_learners; i++)
        if (!takes_part(c, i))
            cairn_report_note(out, "%s is left out: %s.", c->learners[i].name,
                              c->results[i].failure);
}

/* -- the models -- */

/* What can be read off a model of such a kind. */
static const char *reading_of(const cairn_learner *learner)
{
    unsigned traits = learner->traits;
    if (cairn_same(learner->pieces_name, "trees")) return "many models, no reasons";
    if (traits & CAIRN_AS_BASE) return "as the learner inside";
    if (traits & CAIRN_CONSTANT) return "one answer for all";
    if (traits & CAIRN_LOGICAL) return "conditions, one by one";
    if (learner->accepts & CAIRN_USES_DISTANCES)
        return traits & CAIRN_GRADING ? "the nearest rows" : "distances to centres";
    /* tables of probabilities need no indicators of levels, weights do */
    bool tables = traits & CAIRN_PROBABILISTIC && learner->accepts & CAIRN_ACCEPTS_LEVELS;
    return tables ? "probabilities to look up" : "weights of the columns";
}

/* Sizes of different kinds of models compare only by bytes and parameters; their own units
 * (leaves, rules) are named beside. */
static void show_models(cairn_report *out, const cairn_contest *c, const char *prefix)
{
    cairn_report_table_of(out, "Models of all rows", (size_t)-1, "lrrrl", "learner", "size",
                          "parameters", "bytes", "how it is read");
    for (size_t i = 0; i < c->n_learners; i++) {
        const cairn_contest_result *r = &c->results[i];
        const char *key = learner_key(out, c, i);
        if (!takes_part(c, i)) continue;
        const cairn_learner *learner = (const cairn_learner *)c->learners[i].params->entry;
        cairn_report_cell(out, c->learners[i].name);
        if (r->pieces_name) {
            char number[CAIRN_NUMBER_SIZE];
            cairn_number_format(number, r->pieces, 0);
            cairn_report_cellf(out, "%s %s", number, r->pieces_name);
            cairn_report_hidden(out, r->pieces, "%s%s.%s", prefix, key, r->pieces_name);
        } else {
            cairn_report_cell(out, "");
        }
        cairn_report_prefix(out, "%s%s", prefix, key);
        cairn_report_cells(out, "@.parameters:6 @.bytes @.reading", r->size.parameters, r->bytes,
                           reading_of(learner));
    }
}

/* -- what else was asked for -- */

/* How much each learner loses by noise, wrong labels and gaps, beside its plain value; costs
 * have the cheapest constant answer as baseline. */
static void show_strain(cairn_report *out, const cairn_contest *c, const char *prefix)
{
    const cairn_contest_options *o = c->options;
    if (!(o->noise > 0) && !(o->label_noise > 0) && !(o->missing > 0) && !c->has_costs) return;
    cairn_report_table_of(out, "Costs, noise and gaps", (size_t)-1, "lr", "learner",
                          c->measure->entry.name);
    if (o->noise > 0) cairn_report_column(out, "with noise", 'r');
    if (o->label_noise > 0) cairn_report_column(out, "wrong labels", 'r');
    if (o->missing > 0) cairn_report_column(out, "with gaps", 'r');
    if (c->has_costs) cairn_report_column(out, "mean cost", 'r');
    if (c->has_costs) cairn_report_column(out, "weighted error", 'r');
    for (size_t i = 0; i < c->n_learners; i++) {
        const cairn_contest_result *r = &c->results[i];
        const char *key = learner_key(out, c, i);
        if (!takes_part(c, i)) continue;
        cairn_report_prefix(out, "%s%s", prefix, key);
        cairn_report_cells(
            out, "- -:5 @.noise:5 @.label_noise:5 @.missing:5 @.cost:5 @.cost_error:5",
            c->learners[i].name, r->measured.value, cairn_cell_if(o->noise > 0, r->noise),
            cairn_cell_if(o->label_noise > 0, r->label_noise),
            cairn_cell_if(o->missing > 0, r->missing), cairn_cell_if(c->has_costs, r->cost.mean),
            cairn_cell_if(c->has_costs, r->cost.error));
    }
    if (c->has_costs)
        cairn_report_value(out, "mean cost, cheapest constant",
                           c->results[first_learner(c)].cost.baseline, "%sbaseline.cost", prefix);
}

/* Times are of this machine and this run; the exponent of growth says more about larger data. */
static void show_timings(cairn_report *out, const cairn_contest *c, const char *prefix)
{
    if (!c->options->timings) return;
    bool growth = c->options->growth;
    cairn_report_table_of(out, "Time and memory of one model of all rows", (size_t)-1, "lrrr",
                          "learner", "fitting, s", "predicting, s", "memory, bytes");
    if (growth) cairn_report_column(out, "growth", 'r');
    for (size_t i = 0; i < c->n_learners; i++) {
        const cairn_contest_result *r = &c->results[i];
        const char *key = learner_key(out, c, i);
        if (!takes_part(c, i)) continue;
        cairn_report_prefix(out, "%s%s", prefix, key);
        cairn_report_cells(out, "- @.time.fit:3 @.time.predict:3 @.memory", c->learners[i].name,
                           r->fit_seconds, r->predict_seconds, r->peak_bytes);
        if (growth) cairn_report_cell_number(out, r->growth, 3, "%s%s.growth", prefix, key);
    }
    if (growth)
        cairn_report_paragraph(out, "Growth is the exponent b of seconds = a · rowsᵇ, from fits to "
                                    "an eighth, a quarter, half and all of the rows: 1 is in "
                                    "proportion, 2 four times as long for twice the rows. Fits of "
                                    "less than a millisecond say little.");
}

/* -- split by split -- */

/* A table of values of the measure; of clusters no table before it says which that is. */
static void table_of_measure(cairn_report *out, const cairn_contest *c, const char *title)
{
    char whole[160];
    bool named = c->measure->task == CAIRN_CLUSTER;
    snprintf(whole, sizeof whole, "%s%s%.60s", title, named ? ": " : "",
             named ? c->measure->entry.name : "");
    cairn_report_table_begin(out, whole, (size_t)-1);
}

/* Mean or deviation over the splits, as the last rows of the table. */
static void show_split_summary(cairn_report *out, const cairn_contest *c, bool deviation)
{
    cairn_report_cell(out, deviation ? "sd" : "mean");
    for (size_t i = 0; i < c->n_learners; i++)
        if (takes_part(c, i))
            cairn_report_cell_number(
                out, deviation ? c->results[i].measured.sd : c->results[i].measured.mean, 4, NULL);
}

/* Differences split by split are what the tests look at; too many splits or learners would not
 * fit a page. */
static void show_splits(cairn_report *out, const cairn_contest *c, const char *prefix)
{
    size_t n = 0;
    for (size_t i = 0; i < c->n_learners; i++) n += takes_part(c, i);
    if (c->n_splits < 2 || c->n_splits > MOST_SPLITS || n > MOST_SPLIT_LEARNERS) return;
    table_of_measure(out, c, "Split by split");
    cairn_report_column(out, "split", 'r');
    for (size_t i = 0; i < c->n_learners; i++)
        if (takes_part(c, i)) cairn_report_column(out, c->learners[i].name, 'r');
    for (size_t s = 0; s < c->n_splits; s++) {
        cairn_report_cellf(out, "%zu", s + 1);
        for (size_t i = 0; i < c->n_learners; i++)
            if (takes_part(c, i))
                cairn_report_cell_number(out, c->splits[i * c->n_splits + s], 4, "%ssplit%zu.%s",
                                         prefix, s + 1, learner_key(out, c, i));
    }
    show_split_summary(out, c, false);
    show_split_summary(out, c, true);
}

/* Results on held-out rows by the number of rows learned from. */
static void show_curves(cairn_report *out, const cairn_contest *c, const char *prefix)
{
    const cairn_curve *first = &c->results[first_learner(c)].curve;
    if (!c->options->learning_curve) return;
    cairn_report_table_of(out,
                          c->measure->task == CAIRN_CLASSIFY
                              ? "Learning curves: accuracy on held-out rows"
                              : "Learning curves: mean squared error on held-out rows",
                          (size_t)-1, "r", "training rows");
    for (size_t i = 0; i < c->n_learners; i++)
        if (takes_part(c, i)) cairn_report_column(out, c->learners[i].name, 'r');
    for (size_t p = 0; p < first->n; p++) {
        cairn_report_cell_number(out, cairn_curve_mean(first, first->rows, p), 6,
                                 "%slearning_curve.%zu.rows", prefix, p + 1);
        for (size_t i = 0; i < c->n_learners; i++) {
            const cairn_curve *curve = &c->results[i].curve;
            if (takes_part(c, i))
                cairn_report_cell_number(out, cairn_curve_mean(curve, curve->held_out, p), 4,
                                         "%s%s.learning_curve.%zu", prefix, learner_key(out, c, i),
                                         p + 1);
        }
    }
}

/* -- pairs -- */

static void count_disagreements(const cairn_contest *c, size_t a, size_t b, double *first,
                                double *second)
{
    const cairn_evaluation *x = &c->results[a].evaluation, *y = &c->results[b].evaluation;
    *first = *second = 0;
    for (size_t i = 0; i < x->n && i < y->n; i++) {
        bool right_x = x->predicted[i] == x->actual[i], right_y = y->predicted[i] == y->actual[i];
        *first += right_x && !right_y;
        *second += right_y && !right_x;
    }
}

/* McNemar's test wants every row once, and looks at right and wrong answers: beside another measure
 * it would speak of something else. */
static bool can_mcnemar(const cairn_contest *c)
{
    return (cairn_same(c->measure->entry.name, "accuracy") ||
            cairn_same(c->measure->entry.name, "error")) &&
           c->results[first_learner(c)].evaluation.n_repeats == 1;
}

/* Two learners and the p-values of their tests. */
typedef struct contest_pair {
    size_t a, b;
    double difference, deviation, t, corrected, wilcoxon, mcnemar;
} contest_pair;

/* All tests are on the differences split by split; the corrected one widens the variance by the
 * share of rows tested, because training sets overlap. */
static cairn_status test_pair(cairn_context *ctx, contest_pair *pair, const cairn_contest *c,
                              double alpha, double *d)
{
    cairn_t_test plain, corrected;
    cairn_wilcoxon w;
    cairn_mcnemar m;
    double first, second;
    size_t n = 0;
    for (size_t s = 0; s < c->n_splits; s++) {
        double difference =
            c->splits[pair->a * c->n_splits + s] - c->splits[pair->b * c->n_splits + s];
        if (!isnan(difference)) d[n++] = difference;
    }
    cairn_t_test_of(&plain, d, n, 0, 1 - alpha);
    cairn_t_test_of(&corrected, d, n, c->share, 1 - alpha);
    CHECK(cairn_wilcoxon_of(ctx, &w, NULL, d, n, alpha, CAIRN_EXACT_AUTO));
    pair->difference = plain.mean;
    pair->deviation = plain.deviation;
    pair->t = plain.p_two;
    pair->corrected = corrected.p_two;
    pair->wilcoxon = w.p;
    if (!can_mcnemar(c)) return CAIRN_OK;
    count_disagreements(c, pair->a, pair->b, &first, &second);
    cairn_mcnemar_of(&m, first, second);
    pair->mcnemar = m.exact_p;
    return CAIRN_OK;
}

/* All pairs of learners that take part. Scratch. */
static cairn_status test_pairs(cairn_context *ctx, contest_pair **out, size_t *n_out,
                               const cairn_contest *c, double alpha)
{
    contest_pair *pairs;
    double *d;
    size_t n = 0;
    CHECK(SCRATCH(ctx, &d, c->n_splits + 1));
    CHECK(SCRATCH(ctx, &pairs, cairn_product(c->n_learners, c->n_learners)));
    for (size_t a = 0; a < c->n_learners; a++)
        for (size_t b = a + 1; b < c->n_learners; b++) {
            if (!takes_part(c, a) || !takes_part(c, b)) continue;
            pairs[n] = (contest_pair){.a = a, .b = b};
            CHECK(test_pair(ctx, &pairs[n++], c, alpha, d));
        }
    *out = pairs;
    *n_out = n;
    return CAIRN_OK;
}

/* `holm` is the p-value that the verdict goes by. */
static void show_pair(cairn_report *out, const cairn_contest *c, const contest_pair *pair,
                      double holm, bool several, double alpha, const char *prefix)
{
    const char *x = learner_key(out, c, pair->a), *y = learner_key(out, c, pair->b);
    if (holm <= alpha) cairn_report_row_mark(out);
    cairn_report_hidden_word(out, holm <= alpha ? "yes" : "no", "%s%s-%s.significant", prefix, x,
                             y);
    cairn_report_cellf(out, "%s − %s", c->learners[pair->a].name, c->learners[pair->b].name);
    cairn_report_cell_difference(out, pair->difference, pair->deviation, 3, "%s%s-%s.difference",
                                 prefix, x, y);
    cairn_report_prefix(out, "%s%s-%s.p", prefix, x, y);
    cairn_report_cells(out, "@.t:3 @.corrected:3 @.holm:3 @.wilcoxon:3 @.mcnemar:3", pair->t,
                       pair->corrected, cairn_cell_if(several, holm), pair->wilcoxon,
                       cairn_cell_if(can_mcnemar(c), pair->mcnemar));
}

/* What the star is worth, in words: whether the best one beats the baseline by more than chance,
 * and who cannot be told apart from it. */
static cairn_status show_verdict(cairn_context *ctx, cairn_report *out, const cairn_contest *c,
                                 const char *alike, const char *unlike, double alpha,
                                 const char *prefix)
{
    size_t best = best_learner(c);
    if (c->measure->task == CAIRN_CLUSTER) {
        cairn_report_note(out, "Verdict: by %s %s comes first%s%s%s%s.", c->measure->entry.name,
                          c->learners[best].name, *unlike ? "; it differs significantly from " : "",
                          unlike, *alike ? "; it does not differ significantly from " : "", alike);
        return CAIRN_OK;
    }
    bool classes = c->measure->task == CAIRN_CLASSIFY, better;
    const char *baseline = classes ? "the majority class" : "the mean of the target";
    cairn_t_test t;
    char p[CAIRN_NUMBER_SIZE];
    /* Whether a learner beats looking at no feature, split by split and corrected for the
     * overlap of the training sets: p of accuracy or mean squared error, and whether it is the
     * better one. */
    const cairn_evaluation *e = &c->results[best].evaluation;
    double *d;
    size_t n = 0;
    CHECK(SCRATCH(ctx, &d, e->n_splits + 1));
    cairn_judged all = cairn_evaluation_baseline(e);
    for (size_t s = 0; s < e->n_splits; s++) {
        cairn_judged own = cairn_evaluation_split(e, s);
        cairn_judged none = cairn_judged_part(&all, e->starts[s], e->starts[s + 1]);
        double difference = cairn_judged_usual(&own) - cairn_judged_usual(&none);
        if (!isnan(difference)) d[n++] = difference;
    }
    cairn_t_test_of(&t, d, n, c->share, 1 - alpha);
    better = e->task == CAIRN_CLASSIFY ? t.mean > 0 : t.mean < 0;
    bool clear = better && (t.p_two <= alpha || (t.n > 1 && t.deviation == 0));
    cairn_number_format(p, t.p_two, 2);
    unsigned before = CAIRN_IN_BOTH;
    cairn_report_hidden(out, t.p_two, "%sbaseline.p", prefix);
    cairn_report_hidden_word(out, clear ? "yes" : "no", "%sbaseline.beaten", prefix);
    if (!better)
        cairn_report_note(out, "Verdict: %s comes first, and is no better than always saying %s.",
                          c->learners[best].name, baseline);
    else if (!clear)
        cairn_report_note(out,
                          "Verdict: %s comes first, but beats always saying %s by no more than "
                          "chance may do (corrected t, p = %s).",
                          c->learners[best].name, baseline, p);
    else {
        before = cairn_report_only(out, CAIRN_IN_FULL);
        cairn_report_note(out, "Verdict: %s comes first and clearly beats always saying %s%s%s.",
                          c->learners[best].name, baseline,
                          *alike ? "; it does not differ significantly from " : "", alike);
        cairn_report_for(out, before & CAIRN_IN_BRIEF);
        cairn_report_paragraph(out,
                               *alike ? "No clear winner: %s leads, but differences from %s may be "
                                        "chance."
                                      : "%s wins: it is clearly better than %s.",
                               c->learners[best].name, *alike ? alike : unlike);
        cairn_report_for(out, before);
    }
    return CAIRN_OK;
}

/* The names of those whose difference from the best is significant, or is not. */
static void add_names(cairn_text *out, const cairn_contest *c, const contest_pair *pairs,
                      const double *p, size_t n, double alpha, bool significant)
{
    size_t best = best_learner(c), counted = 0;
    for (size_t i = 0; i < n; i++) {
        if ((pairs[i].a != best && pairs[i].b != best) || (p[i] <= alpha) != significant) continue;
        size_t other = pairs[i].a == best ? pairs[i].b : pairs[i].a;
        cairn_text_addf(out, "%s%s", counted++ ? ", " : "", c->learners[other].name);
    }
}

/* The verdict goes by the corrected t with Holm's correction for all pairs; the other tests are
 * there for comparison. */
enum { MOST_WORKED = 6 };

/* The tests of one pair, from the differences split by split to the p-values. */
static cairn_status work_pair(cairn_context *ctx, cairn_report *out, const cairn_contest *c,
                              const contest_pair *pair, double alpha, const char *prefix)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_text_clear) cairn_text label = cairn_text_start(ctx);
    SCOPED(cairn_text_clear) cairn_text name = cairn_text_start(ctx);
    double *columns[4], first, second; /* a, b, their difference, its rank */
    cairn_t_test t;
    cairn_wilcoxon w;
    cairn_mcnemar m;
    size_t n = 0;
    for (size_t i = 0; i < 4; i++) CHECK(SCRATCH(ctx, &columns[i], c->n_splits + 1));
    for (size_t s = 0; s < c->n_splits; s++) {
        double a = c->splits[pair->a * c->n_splits + s], b = c->splits[pair->b * c->n_splits + s];
        if (isnan(a - b)) continue;
        columns[0][n] = a, columns[1][n] = b, columns[2][n++] = a - b;
    }
    cairn_text_addf(&label, "%s − %s", c->learners[pair->a].name, c->learners[pair->b].name);
    cairn_text_addf(&name, "%s%s-%s.", prefix, learner_key(out, c, pair->a),
                    learner_key(out, c, pair->b));
    CHECK(cairn_text_status(&label));
    CHECK(cairn_text_status(&name));
    cairn_t_test_of(&t, columns[2], n, c->share, 1 - alpha);
    cairn_steps_t_test(
        out, &(cairn_paired){cairn_text_string(&label), columns[0], columns[1], columns[2], n}, &t,
        c->share, cairn_text_string(&name));
    CHECK(cairn_wilcoxon_of(ctx, &w, columns[3], columns[2], n, alpha, CAIRN_EXACT_AUTO));
    cairn_steps_wilcoxon(out, &w, columns[2], columns[3], n);
    if (!can_mcnemar(c)) return CAIRN_OK;
    count_disagreements(c, pair->a, pair->b, &first, &second);
    cairn_mcnemar_of(&m, first, second);
    cairn_steps_mcnemar(out, &m, first, second);
    return CAIRN_OK;
}

/* The splits, then the first pairs one by one, then the correction for their number. */
static cairn_status show_work(cairn_context *ctx, cairn_report *out, const cairn_contest *c,
                              const contest_pair *pairs, const double *p, const double *holm,
                              size_t n, double alpha, const char *prefix)
{
    size_t best = best_learner(c);
    if (c->measure->task != CAIRN_CLUSTER) {
        cairn_report_heading(out, 3, "The work: %s split by split", c->learners[best].name);
        cairn_steps_splits(out, &c->results[best].evaluation, true, prefix);
    }
    for (size_t i = 0; i < n && i < MOST_WORKED; i++)
        CHECK(work_pair(ctx, out, c, &pairs[i], alpha, prefix));
    if (n > MOST_WORKED)
        cairn_report_paragraph(out, "%zu more pairs are tested in the same way.", n - MOST_WORKED);
    /* Holm: the smallest p times the number of tests, the next times one less, and never
     * falling. */
    if (!(n < 2)) {
        cairn_report_step_begin(out, "Holm: p-values for several tests");
        cairn_report_formula(out,
                             "the i-th smallest p counts (m + 1 − i) times, at least as much as "
                             "the one before it, at most 1");
        cairn_report_table_of(out, NULL, 0, "lrrrr", "pair", "p", "place i", "times", "adjusted");
        for (size_t i = 0; i < n; i++) {
            size_t place = 1;
            for (size_t j = 0; j < n && n <= 1000; j++)
                place += p[j] < p[i] || (p[j] == p[i] && j < i);
            cairn_report_cellf(out, "%s − %s", c->learners[pairs[i].a].name,
                               c->learners[pairs[i].b].name);
            cairn_report_cells(out, "-:4 - - -:4", p[i], place, n + 1 - place, holm[i]);
        }
        cairn_report_step_end(out);
    }
    return CAIRN_OK;
}

/* All pairs with their tests, and the p-values that the verdict goes by. */
typedef struct contest_tests {
    contest_pair *pairs;
    double *p, *holm;
    size_t n; /* 0 = nothing to compare, or one split alone */
} contest_tests;

static cairn_status make_tests(cairn_context *ctx, contest_tests *t, const cairn_contest *c,
                               double alpha)
{
    size_t n = 0;
    *t = (contest_tests){0};
    for (size_t i = 0; i < c->n_learners; i++) n += takes_part(c, i);
    if (n < 2 || c->n_splits < 2) return CAIRN_OK;
    CHECK(test_pairs(ctx, &t->pairs, &t->n, c, alpha));
    CHECK(SCRATCH_EACH(ctx, t->n + 1, &t->p, &t->holm));
    for (size_t i = 0; i < t->n; i++) t->p[i] = t->pairs[i].corrected;
    return cairn_holm(ctx, t->holm, t->p, t->n);
}

/* What all of it comes to stands before the tables that it comes from. */
static cairn_status give_verdict(cairn_context *ctx, cairn_report *out, const cairn_contest *c,
                                 const contest_tests *t, double alpha, const char *prefix)
{
    SCOPED(cairn_text_clear) cairn_text alike = cairn_text_start(ctx);
    SCOPED(cairn_text_clear) cairn_text unlike = cairn_text_start(ctx);
    if (!t->n) return CAIRN_OK;
    add_names(&alike, c, t->pairs, t->holm, t->n, alpha, false);
    add_names(&unlike, c, t->pairs, t->holm, t->n, alpha, true);
    CHECK(cairn_text_status(&alike));
    CHECK(cairn_text_status(&unlike));
    return show_verdict(ctx, out, c, cairn_text_string(&alike), cairn_text_string(&unlike), alpha,
                        prefix);
}

static cairn_status show_pairs(cairn_context *ctx, cairn_report *out, const cairn_contest *c,
                               const contest_tests *t, double alpha, const char *prefix)
{
    size_t n = t->n;
    if (!n) return CAIRN_OK;
    unsigned before = cairn_report_only(out, CAIRN_IN_FULL);
    table_of_measure(out, c, "Pairs: mean difference over the splits, and p-values of tests");
    cairn_report_columns(out, "lrrr", "pair", "diff.", "t", "corr. t");
    if (n > 1) cairn_report_column(out, "Holm", 'r');
    cairn_report_column(out, "Wilcoxon", 'r');
    if (can_mcnemar(c)) cairn_report_column(out, "McNemar", 'r');
    for (size_t i = 0; i < n; i++)
        show_pair(out, c, &t->pairs[i], t->holm[i], n > 1, alpha, prefix);
    cairn_report_for(out, before);
    if (!c->options->steps) return CAIRN_OK;
    return show_work(ctx, out, c, t->pairs, t->p, t->holm, n, alpha, prefix);
}

/* The two tests that are made for five halvings. */
static void show_five_by_two(cairn_report *out, const cairn_contest *c, const char *prefix)
{
    double d[10];
    for (size_t a = 0; a < c->n_learners; a++)
        for (size_t b = a + 1; b < c->n_learners; b++) {
            cairn_five_by_two f;
            const char *x = learner_key(out, c, a), *y = learner_key(out, c, b);
            if (!takes_part(c, a) || !takes_part(c, b)) continue;
            for (size_t s = 0; s < 10; s++) d[s] = c->splits[a * 10 + s] - c->splits[b * 10 + s];
            cairn_five_by_two_of(&f, d);
            cairn_report_paragraph(out, "%s and %s by 5 x 2:", c->learners[a].name,
                                   c->learners[b].name);
            cairn_report_value(out, "t with 5 degrees of freedom", f.t, "%s%s-%s.5x2.t", prefix, x,
                               y);
            cairn_report_value(out, "p", f.p_t, "%s%s-%s.p.5x2_t", prefix, x, y);
            cairn_report_value(out, "F with 10 and 5", f.f, "%s%s-%s.5x2.f", prefix, x, y);
            cairn_report_value(out, "p", f.p_f, "%s%s-%s.p.5x2_f", prefix, x, y);
        }
}

cairn_status cairn_contest_tests(cairn_context *ctx, cairn_report *out, const cairn_contest *c,
                                 double alpha, const char *prefix)
{
    contest_tests tests;
    CHECK(make_tests(ctx, &tests, c, alpha));
    CHECK(give_verdict(ctx, out, c, &tests, alpha, prefix));
    unsigned before = cairn_report_only(out, CAIRN_IN_FULL);
    show_splits(out, c, prefix);
    cairn_report_for(out, before);
    return show_pairs(ctx, out, c, &tests, alpha, prefix);
}

/* -- in brief -- */

enum { MOST_AT_A_GLANCE = 12 };

/* Whether the measure is the accuracy or the root mean squared error, in other terms at most: those
 * have the interval that `evaluate` gives. */
static bool is_usual(const cairn_contest *c)
{
    return same_terms(c->measure);
}

/* What the measure is called where mean squared errors stand in the units of the target. */
static const char *glance_measure(const cairn_contest *c)
{
    if (c->measure->task == CAIRN_REGRESS && is_usual(c)) return "RMSE";
    return c->measure->entry.name;
}

static void show_amount(const cairn_contest *c, char out[CAIRN_NUMBER_SIZE], double value)
{
    if (c->measure->is_share || c->measure->at_most_one)
        cairn_share_shown(out, value);
    else
        cairn_amount_shown(out, value);
}

/* The value and its interval; *how says whose it is. */
static cairn_status glance_cells(cairn_context *ctx, cairn_report *out, const cairn_contest *c,
                                 const cairn_contest_result *r, const char **how)
{
    char value[CAIRN_NUMBER_SIZE], low[CAIRN_NUMBER_SIZE], high[CAIRN_NUMBER_SIZE];
    double shown = r->measured.value;
    cairn_interval interval = {r->measured.low, r->measured.high};
    *how = "corrected t over the splits";
    if (is_usual(c)) CHECK(cairn_evaluation_interval(ctx, &interval, how, &r->evaluation));
    if (cairn_same(c->measure->entry.name, "error"))
        interval = (cairn_interval){1 - interval.high, 1 - interval.low};
    if (cairn_same(c->measure->entry.name, "mse")) shown = sqrt(shown);
    show_amount(c, value, shown);
    show_amount(c, low, interval.low);
    show_amount(c, high, interval.high);
    cairn_report_cell(out, value);
    if (isnan(interval.low))
        cairn_report_cell(out, "");
    else
        cairn_report_cellf(out, "%s to %s", low, high);
    return CAIRN_OK;
}

/* The training value in the terms of the first column. */
static void glance_training(cairn_report *out, const cairn_contest *c,
                            const cairn_contest_result *r)
{
    char shown[CAIRN_NUMBER_SIZE];
    double value = r->training.mean;
    if (cairn_same(c->measure->entry.name, "mse")) value = sqrt(value);
    if (isnan(value))
        cairn_report_cell(out, "");
    else {
        show_amount(c, shown, value);
        cairn_report_cell(out, shown);
    }
}

/* Learners that take part, the best first. Scratch. */
static cairn_status in_order(cairn_context *ctx, size_t **out, size_t *n, const cairn_contest *c)
{
    *n = 0;
    CHECK(SCRATCH(ctx, out, c->n_learners + 1));
    for (size_t i = 0; i < c->n_learners; i++) {
        double value = c->results[i].measured.value;
        size_t at = *n;
        if (!takes_part(c, i)) continue;
        for (; at > 0; at--) {
            double other = c->results[(*out)[at - 1]].measured.value;
            bool better = c->measure->lower_better ? value < other : value > other;
            if (!better && !(isnan(other) && !isnan(value))) break;
            (*out)[at] = (*out)[at - 1];
        }
        (*out)[at] = i;
        ++*n;
    }
    return CAIRN_OK;
}

/* One table: value, interval, area, training, the best first. */
static cairn_status show_glance(cairn_context *ctx, cairn_report *out, const cairn_contest *c)
{
    size_t *order, n, best_area = 0;
    cairn_area *areas;
    const char *how = "";
    bool ranked = false;
    CHECK(in_order(ctx, &order, &n, c));
    CHECK(SCRATCH(ctx, &areas, n + 1));
    for (size_t i = 0; i < n; i++) {
        CHECK(cairn_evaluation_area(ctx, &areas[i], &c->results[order[i]].evaluation));
        ranked |= areas[i].there;
        if (areas[i].auc > areas[best_area].auc || isnan(areas[best_area].auc)) best_area = i;
    }
    ranked &= !cairn_same(c->measure->entry.name, "auc");
    cairn_report_table_begin(out, NULL, MOST_AT_A_GLANCE);
    cairn_report_columns(out, "lr", "learner", glance_measure(c));
    char head[60], percent[CAIRN_NUMBER_SIZE];
    cairn_number_format(percent, 100 * c->results[order[0]].evaluation.level, 4);
    snprintf(head, sizeof head, "%s%% interval", percent);
    cairn_report_column(out, head, 'l');
    if (ranked) cairn_report_column(out, "ROC area", 'r');
    if (is_usual(c)) cairn_report_column(out, "training", 'r');
    for (size_t i = 0; i < n; i++) {
        const cairn_contest_result *r = &c->results[order[i]];
        char area[CAIRN_NUMBER_SIZE];
        cairn_report_cell(out, c->learners[order[i]].name);
        CHECK(glance_cells(ctx, out, c, r, &how));
        cairn_share_shown(area, areas[i].auc);
        if (ranked) cairn_report_cell(out, areas[i].there ? area : "");
        if (is_usual(c)) glance_training(out, c, r);
    }
    cairn_report_table_end(out);
    if (ranked && best_area != 0)
        cairn_report_paragraph(out, "By ROC area %s leads.", c->learners[order[best_area]].name);
    cairn_report_more(out, "{full} (tests, splits, sizes, curves) · {steps} · {out page.html}");
    if (!is_usual(c)) {
        cairn_report_paragraph(out, "Intervals: %s.", how);
        return CAIRN_OK;
    }
    char baseline[CAIRN_NUMBER_SIZE];
    double none = cairn_measured_baseline(&c->results[order[0]].evaluation, c->measure);
    show_amount(c, baseline, cairn_same(c->measure->entry.name, "mse") ? sqrt(none) : none);
    cairn_report_paragraph(
        out,
        "Baseline: %s, %s. Intervals: %s. Training: on the rows learned from, "
        "optimistic.",
        baseline,
        c->measure->task == CAIRN_CLASSIFY ? "always the majority class" : "always the mean", how);
    return CAIRN_OK;
}

/* The same line as of one evaluation, then who won and the table. */
static cairn_status report_brief(cairn_context *ctx, cairn_report *out, const cairn_contest *c)
{
    unsigned before = cairn_report_only(out, CAIRN_IN_BRIEF);
    cairn_status status = show_glance(ctx, out, c);
    cairn_report_for(out, before);
    return status;
}

cairn_status cairn_contest_report(cairn_context *ctx, cairn_report *out, const cairn_contest *c,
                                  double alpha, const char *prefix)
{
    SCOPED_SCRATCH(ctx);
    const cairn_evaluation *e = &c->results[first_learner(c)].evaluation;
    contest_tests tests;
    cairn_glance_rows(out, e);
    unsigned before = cairn_report_only(out, CAIRN_IN_FULL);
    cairn_report_paragraph(out, "%s.", e->decision);
    cairn_report_for(out, before);
    CHECK(make_tests(ctx, &tests, c, alpha));
    CHECK(give_verdict(ctx, out, c, &tests, alpha, prefix));
    CHECK(report_brief(ctx, out, c));
    (void)cairn_report_only(out, CAIRN_IN_FULL);
    cairn_report_value(out, "rows", (double)e->n_rows, "%srows", prefix);
    cairn_report_value(out, "splits", (double)c->n_splits, "%ssplits", prefix);
    show_learners(out, c, prefix);
    cairn_report_for(out, before);
    show_left_out(out, c);
    show_strain(out, c, prefix);
    (void)cairn_report_only(out, CAIRN_IN_FULL);
    show_models(out, c, prefix);
    cairn_report_for(out, before);
    show_timings(out, c, prefix);
    (void)cairn_report_only(out, CAIRN_IN_FULL);
    show_splits(out, c, prefix);
    cairn_report_for(out, before);
    show_curves(out, c, prefix);
    CHECK(show_pairs(ctx, out, c, &tests, alpha, prefix));
    (void)cairn_report_only(out, CAIRN_IN_FULL);
    if (tests.n && cairn_same(e->by, "5x2")) show_five_by_two(out, c, prefix);
    CHECK(cairn_contest_figures(ctx, out, c));
    cairn_report_for(out, before);
    return cairn_report_status(out);
}
