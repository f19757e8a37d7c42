/* SPDX-License-Identifier: MIT */
/* cairn compute roc: the coverage and ROC curve of a ranking, its errors pair by pair, the area
 * under it, its convex hull, and several rankings side by side. */
#include "typed/ranked.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "typed/shown.h"
#include "evaluate/judge.h"
#include "plots/curve_steps.h"
#include "plots/roc_plot.h"
#include "stats/curves.h"
#include "report/table_rows.h"

#include <math.h>
#include <stdio.h>

typedef struct roc_params {
    cairn_ranked_option ranked;
    bool collinear, laplace;
    int pairs;
    double level;
} roc_params;

static const cairn_param roc_table[] = {
    CAIRN_PARAM_GROUP(roc_params, ranked, cairn_ranked_group),
    CAIRN_PARAM(roc_params, collinear, "no", NULL,
                "keep segments of the hull with the same share of positives apart"),
    CAIRN_PARAM(roc_params, laplace, "no", NULL,
                "value of a hull segment (n+ + 1) / (n + 2) in place of n+ / n"),
    CAIRN_PARAM(roc_params, pairs, "20", "[0,1000000]", "how many wrong and tied pairs are listed"),
    CAIRN_PARAM(roc_params, level, "0.95", "(0,1)", "level of the interval of the area"),
    CAIRN_PARAM_END,
};

enum { MOST_POINTS = 1000 };

/* The curve, split by split. */
static cairn_status show_curve(cairn_context *ctx, cairn_report *out, const cairn_ranked *ranked)
{
    static const char *const heads[] = {"TP", "FP", "tpr", "fpr", "accuracy", "to (0,1)"};
    const cairn_ranking *r = &ranked->ranking;
    double *x, *y;
    size_t *at, n;
    CHECK(cairn_curve_points(ctx, &x, &y, &at, &n, r, MOST_POINTS));
    cairn_report_table_of(out, "Split points: what lies above is predicted positive",
                          n <= 100 ? (size_t)-1 : 0, "rl", "split",
                          ranked->split_names ? "cut-off" : "threshold");
    for (size_t i = 0; i < 6; i++) cairn_report_column(out, heads[i], 'r');
    for (size_t i = 0; i < n && cairn_report_row_wanted(out); i++) {
        char text[96];
        double tpr = y[i] / r->positives, fpr = x[i] / r->negatives;
        cairn_split_text(text, ranked, at[i]);
        cairn_report_cells(out,
                           "- point$1.threshold point$1.tp point$1.fp point$1.tpr point$1.fpr "
                           "point$1.accuracy point$1.distance",
                           at[i], text, y[i], x[i], tpr, fpr,
                           (y[i] + r->negatives - x[i]) / (r->positives + r->negatives),
                           cairn_hypot(fpr, 1 - tpr));
    }
    if (n < r->n + 1)
        cairn_report_note(out, "%zu of %zu split points are listed, evenly spread.", n, r->n + 1);
    return CAIRN_OK;
}

static void segment_name(cairn_report *out, const cairn_ranked *ranked, size_t i)
{
    const cairn_segment *s = &ranked->ranking.segments[i];
    if (ranked->item_names && ranked->item_names[i])
        cairn_report_cell(out, ranked->item_names[i]);
    else if (ranked->scored)
        cairn_report_cell_number(out, s->score, 0, NULL);
    else
        cairn_report_cellf(out, "segment %zu", i + 1);
}

/* The first pairs of a negative that stands above (or beside) a positive. */
static void show_pair_list(cairn_report *out, const cairn_ranked *ranked, size_t most)
{
    const cairn_ranking *r = &ranked->ranking;
    size_t shown = 0, looked = 0;
    cairn_report_table_of(out, "Wrong and tied pairs", most, "lllrr", "negative at", "positive at",
                          "kind", "pairs", "errors");
    for (size_t i = 0; i < r->n && shown < most && looked < 10000000; i++) {
        if (!(r->segments[i].negatives > 0)) continue;
        for (size_t j = i; j < r->n && shown < most; j++, looked++) {
            double pairs = r->segments[i].negatives * r->segments[j].positives;
            if (!(pairs > 0)) continue;
            segment_name(out, ranked, i);
            segment_name(out, ranked, j);
            cairn_report_cell(out, i == j ? "tie" : "wrong");
            cairn_report_cell_number(out, pairs, 0, "pair%zu.pairs", ++shown);
            cairn_report_cell_number(out, i == j ? pairs / 2 : pairs, 0, "pair%zu.errors", shown);
        }
    }
}

/* The area is the share of pairs in the right order, ties counting half; it is undefined without
 * both classes. */
static void show_pairs(cairn_report *out, const cairn_ranked *ranked,
                       const cairn_ranking_reading *reading, const roc_params *p)
{
    size_t most = (size_t)p->pairs;
    const cairn_ranking *r = &ranked->ranking;
    cairn_ranking_pairs pairs = reading->pairs;
    double all = r->positives * r->negatives, errors = pairs.wrong + pairs.tied / 2;
    double auc = reading->auc;
    cairn_report_heading(out, 2, "Ranking errors and area");
    cairn_report_formula(out, "errors = wrong pairs + tied pairs / 2");
    cairn_report_formula(out, "AUC = 1 − errors / (Pos · Neg)");
    cairn_report_value(out, "pairs of a positive and a negative", all, "pairs");
    cairn_report_value(out, "wrong", pairs.wrong, "wrong");
    cairn_report_value(out, "tied", pairs.tied, "tied");
    cairn_report_value(out, "ranking errors", errors, "errors");
    cairn_report_value(out, "ranking error rate", all > 0 ? errors / all : NAN, "error_rate");
    cairn_report_value(out, "area under the ROC curve", auc, "auc");
    if (all > 0)
        cairn_report_interval(out, cairn_auc_interval(r, auc, 1, p->level), p->level,
                              cairn_auc_interval_name(auc), "auc");
    cairn_report_value(out, "2 AUC − 1", 2 * auc - 1, "gini");
    cairn_report_value(out, "average precision", reading->average_precision, "average_precision");
    if (!(all > 0))
        cairn_report_note(out, "There are rows of one class only: the curve and its area are "
                               "undefined.");
    if (auc < 0.5 && ranked->scored)
        cairn_report_note(out,
                          "An area below 1/2: the ranking is worse than one drawn by lot. {low %s} "
                          "takes %s scores as speaking for the positive class.",
                          ranked->low ? "no" : "yes", ranked->low ? "high" : "low");
    if (most > 0 && pairs.wrong + pairs.tied > 0) show_pair_list(out, ranked, most);
}

static void show_point(cairn_report *out, const cairn_ranked *ranked, const char *title,
                       const char *name, cairn_curve_split s)
{
    char text[96];
    cairn_split_text(text, ranked, s.split);
    cairn_report_prefix(out, "%s", name);
    cairn_report_cells(out, "- @.split @.threshold @.tpr @.fpr @.value", title, s.split, text,
                       s.tp / ranked->ranking.positives, s.fp / ranked->ranking.negatives, s.value);
}

/* The hull with what its segments say about the probability of the positive class. */
static cairn_status show_hull(cairn_context *ctx, cairn_report *out, const cairn_ranked *ranked,
                              const roc_params *p, cairn_ranking *out_hull)
{
    static const char *const heads[] = {"positives", "negatives", "share", "to tpr", "to fpr"};
    const cairn_ranking *r = &ranked->ranking;
    cairn_ranking hull;
    double tp = 0, fp = 0;
    CHECK(cairn_ranking_hull(ctx, &hull, r, p->collinear));
    *out_hull = hull;
    cairn_report_heading(out, 2, "Convex hull");
    cairn_report_value(out, "area under the hull", cairn_ranking_auc(&hull), "hull.auc");
    cairn_report_table_of(out, "Segments of the hull", 0, "rrr", "segment", "from", "to");
    for (size_t i = 0; i < 5; i++) cairn_report_column(out, heads[i], 'r');
    cairn_report_hidden(out, 0, "hull.point0.tpr");
    cairn_report_hidden(out, 0, "hull.point0.fpr");
    for (size_t i = 0; i < hull.n; i++) {
        const cairn_segment *s = &hull.segments[i];
        double all = s->positives + s->negatives;
        tp += s->positives, fp += s->negatives;
        cairn_report_cells(
            out,
            "- hull.segment$1.high hull.segment$1.low hull.segment$1.positives "
            "hull.segment$1.negatives hull.segment$1.share hull.point$1.tpr hull.point$1.fpr",
            i + 1, ranked->scored ? s->score : NAN, ranked->scored ? s->low_score : NAN,
            s->positives, s->negatives,
            p->laplace ? (s->positives + 1) / (all + 2) : s->positives / all, tp / r->positives,
            fp / r->negatives);
    }
    cairn_report_hidden(out, (double)hull.n, "hull.segments");
    return CAIRN_OK;
}

/* -- several scores -- */

/* A curve dominates another where it is never below it: then it is better for all costs. */
static cairn_status compare_scores(cairn_context *ctx, cairn_report *out, const roc_params *p,
                                   cairn_tables tables, size_t n, cairn_ranked **all)
{
    cairn_status status;
    size_t same;
    TRY(SCRATCH(ctx, all, n));
    cairn_report_table_of(out, "Scores side by side", 0, "lrrrrl", "score", "AUC", "low", "high",
                          "hull AUC", "dominates");
    for (size_t i = 0; i < n; i++)
        TRY(cairn_read_ranked(ctx, &(*all)[i], &p->ranked, tables, i, &same, "compute roc"));
    for (size_t i = 0; i < n; i++) {
        const cairn_ranked *a = &(*all)[i];
        cairn_ranking hull;
        cairn_text text = cairn_text_start(ctx);
        for (size_t j = 0; j < n; j++)
            if (j != i && cairn_curve_dominates(&a->ranking, &(*all)[j].ranking))
                cairn_text_addf(&text, "%s%s", text.length ? ", " : "", (*all)[j].name);
        status = cairn_text_status(&text);
        if (status == CAIRN_OK) status = cairn_ranking_hull(ctx, &hull, &a->ranking, p->collinear);
        if (status == CAIRN_OK) {
            double auc = cairn_ranking_auc(&a->ranking);
            cairn_interval interval = cairn_auc_interval(&a->ranking, auc, 1, p->level);
            cairn_report_cells(out, "- auc.$1 auc.$1.low auc.$1.high hull_auc.$1 dominates.$1",
                               a->name, auc, interval.low, interval.high, cairn_ranking_auc(&hull),
                               text.length ? cairn_text_string(&text) : "none");
        }
        cairn_text_clear(&text);
        if (status) goto done;
    }
done:
    return status;
}

/* Scores of the same rows: whether their areas differ, pair by pair. */
static cairn_status test_differences(cairn_context *ctx, cairn_report *out, const cairn_ranked *all,
                                     size_t n, const roc_params *p)
{
    static const char *const heads[] = {"difference", "low", "high", "z", "p"};
    cairn_begin_intervals(out, "Differences of the areas (DeLong)", p->level);
    cairn_report_column(out, "pair", 'l');
    for (size_t i = 0; i < 5; i++) cairn_report_column(out, heads[i], 'r');
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++) {
            cairn_scratch_mark mark = cairn_scratch_now(ctx);
            cairn_auc_difference d;
            CHECK(cairn_auc_difference_of(ctx, &d, all[i].scores, all[j].scores, all[i].classes,
                                          all[i].weights, all[i].n_rows, p->level));
            cairn_scratch_release(ctx, mark);
            const char *a = cairn_report_key(out, all[i].name);
            const char *b = cairn_report_key(out, all[j].name);
            if (d.p <= 1 - p->level) cairn_report_row_mark(out);
            cairn_report_cellf(out, "%s − %s", all[i].name, all[j].name);
            cairn_report_prefix(out, "%s-%s", a, b);
            cairn_report_cells(out, "@.difference @.low @.high @.z:4 @.p:4", d.difference,
                               d.interval.low, d.interval.high, d.z, d.p);
        }
    return CAIRN_OK;
}

/* The curves; what is known of the first one is not computed again. */
static cairn_status add_figure(cairn_context *ctx, cairn_report *out, const cairn_ranked *all,
                               size_t n, const cairn_roc_options *options)
{
    cairn_figure *figure;
    cairn_roc_curve *curves;
    CHECK(SCRATCH(ctx, &curves, n));
    for (size_t i = 0; i < n; i++) curves[i] = (cairn_roc_curve){&all[i].ranking, all[i].name};
    CHECK(cairn_plot_roc(ctx, &figure, curves, n, options));
    cairn_report_figure(out, figure);
    return CAIRN_OK;
}

/* The whole curve as a table, for --out. */
static cairn_status make_result(cairn_context *ctx, cairn_table **out, const cairn_ranking *r,
                                double sign)
{
    static const char *const names[] = {"threshold", "tp", "fp", "tpr", "fpr"};
    OWNED(cairn_table_free) cairn_table *made = NULL;
    double *columns[5], tp = 0, fp = 0;
    for (int c = 0; c < 5; c++) CHECK(SCRATCH_RAW(ctx, &columns[c], r->n + 1));
    for (size_t s = 0; s <= r->n; s++) {
        if (s > 0) tp += r->segments[s - 1].positives, fp += r->segments[s - 1].negatives;
        columns[0][s] = s > 0 && s < r->n ? sign * cairn_split_threshold(r, s) : NAN;
        columns[1][s] = tp, columns[2][s] = fp;
        columns[3][s] = tp / r->positives, columns[4][s] = fp / r->negatives;
    }
    CHECK(cairn_table_new(ctx, &made, r->n + 1));
    for (int c = 0; c < 5; c++) CHECK(cairn_table_put_numbers(ctx, made, names[c], columns[c]));
    *out = TAKE(made);
    return CAIRN_OK;
}

static cairn_status show_one(cairn_context *ctx, cairn_report *out, const cairn_ranked *ranked,
                             const roc_params *p, bool steps)
{
    cairn_ranking hull;
    cairn_ranking_reading reading;
    CHECK(cairn_ranking_read(ctx, &reading, &ranked->ranking));
    cairn_show_ranked(out, ranked);
    cairn_show_notation(out, &ranked->ranking);
    CHECK(show_curve(ctx, out, ranked));
    show_pairs(out, ranked, &reading, p);
    static const char *const heads[] = {"tpr", "fpr", "value"};
    cairn_report_table_of(out, "Split points that stand out", 0, "lrl", "choice", "split",
                          ranked->split_names ? "cut-off" : "threshold");
    for (size_t i = 0; i < 3; i++) cairn_report_column(out, heads[i], 'r');
    show_point(out, ranked, "nearest to (0,1): distance", "nearest", reading.nearest);
    show_point(out, ranked, "largest tpr − fpr (Youden)", "youden", reading.youden);
    CHECK(show_hull(ctx, out, ranked, p, &hull));
    if (steps) cairn_steps_auc(out, &ranked->ranking);
    if (steps) CHECK(cairn_steps_hull(ctx, out, &ranked->ranking, p->collinear));
    if (isnan(reading.auc)) return CAIRN_OK;
    return add_figure(
        ctx, out, ranked, 1,
        &(cairn_roc_options){
            .hull = true, .area = true, .nearest = true, .known_hull = &hull, .known = &reading});
}

static cairn_status show_several(cairn_context *ctx, cairn_report *out, const roc_params *p,
                                 cairn_tables tables, size_t n, bool steps)
{
    cairn_ranked *all;
    CHECK(compare_scores(ctx, out, p, tables, n, &all));
    for (size_t i = 0; steps && i < n; i++) {
        OWNED(cairn_report_free) cairn_report *part = NULL;
        CHECK(cairn_report_new(ctx, &part));
        cairn_report_heading(part, 2, "%s", all[i].name);
        cairn_steps_auc(part, &all[i].ranking);
        cairn_report_append(out, part, cairn_report_key(out, all[i].name));
    }
    for (size_t i = 0; i < n; i++)
        if (isnan(cairn_ranking_auc(&all[i].ranking))) return CAIRN_OK;
    if (tables.n == 1 && all[0].scores && n <= 20) CHECK(test_differences(ctx, out, all, n, p));
    return add_figure(ctx, out, all, n, &(cairn_roc_options){.hull = true, .nearest = true});
}

static cairn_status roc_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const roc_params *p = job->params;
    cairn_ranked ranked;
    size_t n;
    CHECK(cairn_read_ranked(ctx, &ranked, &p->ranked, job->tables, 0, &n, "compute roc"));
    cairn_report_heading(out, 1, "Coverage and ROC curve");
    CHECK(n > 1 ? show_several(ctx, out, p, job->tables, n, job->steps)
                : show_one(ctx, out, &ranked, p, job->steps));
    if (job->result && n == 1)
        CHECK(make_result(ctx, job->result, &ranked.ranking, ranked.low ? -1 : 1));
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_roc = {
    .entry =
        {.kind = CAIRN_ENTRY_CALCULATOR,
         .name = "roc",
         .also = "ROC curve, receiver operating characteristic, AUC, area under the curve, convex "
                 "hull, ROCCH, ranking error, ranking accuracy, Mann-Whitney",
         .about = "rankings from grading classifiers, ranking classifiers, ROC plot, random "
                  "performance, ranking error rate",
         .title = "ROC curve and the area under it",
         .summary =
             "The curve of a ranking, split point by split point, its wrong and tied pairs, the "
             "area under it, the convex hull and the cut-off nearest to the perfect point. "
             "The ranking comes from a score column and a target, a table of cut-offs (columns "
             "tp, fn, fp, tn), groups with counts (--hits, --size), models and data, or is typed. "
             "Several --score columns, models or data files are compared. --out FILE.csv writes "
             "the whole curve.",
         .references = "Fawcett: An Introduction to ROC Analysis, Pattern Recognition Letters "
                       "27, 2006; Flach: Machine Learning, 2012",
         .example = "cairn compute roc --segments '[20+,5-][10+,5-][20+,40-]'",
         .params = roc_table,
         .params_size = sizeof(roc_params)},
    .arguments = "[MODEL ...] [DATA ...]",
    .takes_data = true,
    .reads = CAIRN_READS_ROLES,
    .several = true,
    .answers = CAIRN_ANSWERS_SCORES,
    .run = roc_run,
};
