/* SPDX-License-Identifier: MIT */
/* Threshold: one cut per column, chosen with a look at the classes.
 *
 *  1. rank the rows by the column and draw the coverage curve: positives against negatives above
 *     each threshold
 *  2. candidates are the corners of the upper hull (positives lie above) and of the lower hull
 *     (positives lie below)
 *  3. take the one with the best score, or with the least cost of errors when costs are given; the
 *     splits at mean and median are shown beside it
 *
 * Two classes, or one class against the rest. Ties go to the upper hull, then to the highest
 * threshold. Cost: sorting. */
#include "transforms/coverage.h"
#include "transforms/cutscore.h"
#include "base/number.h"
#include "report/table_rows.h"
#include <math.h>
#include <stdio.h>

typedef enum { HULL_BOTH, HULL_UPPER, HULL_LOWER } hull_choice;

typedef struct threshold_params {
    const char *columns;
    int score, hull;
    double false_positive, false_negative;
    const char *of_class;
    cairn_cut_form form;
} threshold_params;

static const cairn_choice hulls[] = {
    {"both", HULL_BOTH, "corners of both hulls"},
    {"upper", HULL_UPPER, "positives above the threshold only"},
    {"lower", HULL_LOWER, "positives below the threshold only"},
    {0},
};

static const cairn_param threshold_param_table[] = {
    CAIRN_PARAM_AS(threshold_params, columns, CAIRN_TYPE_COLUMNS, NULL,
                   "the columns to cut, of numbers or ordered levels; all of these when not given"),
    CAIRN_PARAM_CHOICE(threshold_params, score, "gain", cairn_cut_scores,
                       "what thresholds are compared by", .when = "!cost_fp,!cost_fn"),
    CAIRN_PARAM_CALLED("cost_fp", threshold_params, false_positive, "0", "[0,inf)",
                       "cost of calling a negative row positive", .was = "false_positive"),
    CAIRN_PARAM_CALLED("cost_fn", threshold_params, false_negative, "0", "[0,inf)",
                       "cost of calling a positive row negative", .was = "false_negative"),
    CAIRN_PARAM_CHOICE(threshold_params, hull, "both", hulls, "which thresholds are candidates"),
    CAIRN_PARAM(threshold_params, of_class, NULL, NULL,
                "the positive class, against the rest; the positive one of two when not given"),
    CAIRN_PARAM_GROUP(threshold_params, form, cairn_cut_form_params),
    CAIRN_PARAM_END,
};

typedef struct threshold_work {
    const threshold_params *p;
    int32_t class;
} threshold_work;

static bool by_cost(const threshold_params *p)
{
    return p->false_positive > 0 || p->false_negative > 0;
}

static double cost_of(const threshold_params *p, const cairn_feature_coverage *c,
                      const cairn_corner *t)
{
    double tp = t->upper ? t->tp : c->ranking.positives - t->tp;
    double fp = t->upper ? t->fp : c->ranking.negatives - t->fp;
    return p->false_negative * (c->ranking.positives - tp) + p->false_positive * fp;
}

static double score_of(const threshold_params *p, const cairn_feature_coverage *c,
                       const cairn_corner *t)
{
    double all[2] = {c->ranking.positives, c->ranking.negatives}, above[2] = {t->tp, t->fp};
    double n = all[0] + all[1], part = above[0] + above[1];
    if (!(part > 0 && part < n)) return 0;
    return cairn_cut_score_of(p->score, above, all, 2, part, n, NULL);
}

static const cairn_corner *choose(const threshold_params *p, const cairn_feature_coverage *c)
{
    const cairn_corner *best = NULL;
    double most = 0;
    for (size_t i = 0; i < c->n_corners; i++) {
        const cairn_corner *t = &c->thresholds[i];
        if (p->hull != HULL_BOTH && t->upper != (p->hull == HULL_UPPER)) continue;
        /* Larger is better. */
        double merit = by_cost(p) ? -cost_of(p, c, t) : score_of(p, c, t);
        if (best && !(merit > most + CAIRN_CUT_TIE * fmax(1, fabs(most)))) continue;
        best = t;
        most = merit;
    }
    return best;
}

static void show_threshold(cairn_report *out, const threshold_params *p,
                           const cairn_feature_coverage *c, size_t i, const char *key, bool chosen)
{
    const cairn_corner *t = &c->thresholds[i];
    char name[64];
    if (i < c->n_corners)
        snprintf(name, sizeof name, "candidate%zu", i + 1);
    else
        snprintf(name, sizeof name, "%s", t->name);
    cairn_report_prefix(out, "threshold.%s.%s", key, name);
    cairn_report_cells(out, "- @.cut @.positives @.negatives", t->name, t->cut, t->tp, t->fp,
                       t->upper ? "above" : "below");
    if (by_cost(p))
        cairn_report_cell_number(out, cost_of(p, c, t), 0, "threshold.%s.%s.cost", key, name);
    if (chosen) cairn_report_row_mark(out);
    cairn_report_cell_number(out, score_of(p, c, t), 0, "threshold.%s.%s.score", key, name);
}

static void show_candidates(cairn_report *out, const threshold_params *p,
                            const cairn_feature_coverage *c, const char *key,
                            const cairn_corner *best)
{
    if (!out) return;
    cairn_report_table_of(out, "Candidates", 0, "lrrrl", "where", "threshold", "positives above",
                          "negatives above", "positive");
    if (by_cost(p)) cairn_report_column(out, "cost", 'r');
    cairn_report_column(out, cairn_cut_score_name(p->score), 'r');
    for (size_t i = c->n_corners; i < c->n; i++) show_threshold(out, p, c, i, key, false);
    for (size_t i = 0; i < c->n_corners; i++)
        show_threshold(out, p, c, i, key, &c->thresholds[i] == best);
    cairn_report_table_end(out);
    if (best)
        cairn_report_value(out, "threshold", best->cut, "threshold.%s.cut", key);
    else
        cairn_report_paragraph(out, "No threshold parts the rows.");
}

static void show_curve(cairn_report *out, const cairn_feature_coverage *c,
                       const cairn_cut_source *source, const char *positive,
                       const cairn_corner *best)
{
    cairn_figure *figure = NULL;
    if (!out) return;
    cairn_status status =
        cairn_coverage_figure(cairn_report_context(out), &figure, c, source->name, positive, best);
    if (status)
        cairn_report_failed(out, status);
    else
        cairn_report_figure(out, figure);
}

static cairn_status find_cut(cairn_context *ctx, cairn_cuts *out, const void *data,
                             const cairn_job *job, const cairn_cut_source *source)
{
    const threshold_work *work = data;
    cairn_sorted sorted;
    cairn_feature_coverage coverage;
    uint8_t below = 1;
    CHECK(cairn_sort_source(ctx, &sorted, job, source, true));
    CHECK(cairn_coverage_make(ctx, &coverage, &sorted, work->class));
    const cairn_corner *best = choose(work->p, &coverage);
    show_candidates(job->steps, work->p, &coverage, cairn_report_key(job->steps, source->name),
                    best);
    show_curve(job->steps, &coverage, source, cairn_level_name(job->view->target, work->class),
               best);
    return cairn_cuts_set(ctx, out, best ? &best->cut : NULL, &below, best != NULL);
}

static cairn_status threshold_fit(cairn_context *ctx, void *state, const cairn_job *job)
{
    const threshold_params *p = job->params;
    threshold_work work = {.p = p};
    cairn_cut_source *sources;
    size_t n;
    CHECK(cairn_need_classes(ctx, job, "threshold"));
    CHECK(cairn_choose_class(ctx, job, "threshold", p->of_class, &work.class));
    if (work.class < 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "threshold: the target '%s' has %zu class%s; say with of-class which one "
                          "is to be told from the rest",
                          job->view->target_name, job->view->target->names.n,
                          job->view->target->names.n == 1 ? "" : "es");
    CHECK(cairn_cut_sources(ctx, job, "threshold", p->columns, true, &sources, &n));
    return cairn_cutting_fit(ctx, state, job, "threshold", sources, n, &p->form, NULL, find_cut,
                             &work);
}

static cairn_status threshold_apply(cairn_context *ctx, cairn_table **out, const void *state,
                                    const void *params, const cairn_table *table)
{
    const threshold_params *p = params;
    return cairn_cutting_apply(ctx, out, state, &p->form, table);
}

static cairn_status threshold_lower(const void *state, const cairn_job *job, cairn_program *out)
{
    const threshold_params *p = job->params;
    return cairn_cutting_lower(out, state, &p->form);
}

static void threshold_describe(cairn_report *out, const void *state, const void *params)
{
    (void)params;
    cairn_cutting_describe(out, state, "threshold");
}

static const cairn_learned threshold_tables[] = {
    CAIRN_LEARNED("threshold.bins", "bin of a column; the ends of the first and last are missing",
                  cairn_cutting_write),
    CAIRN_LEARNED_END};

const cairn_transform cairn_threshold = {
    .entry =
        {.kind = CAIRN_ENTRY_TRANSFORM,
         .name = "threshold",
         .also = "binarisation, one cut",
         .about = "Binarizer",
         .title = "One threshold per column, by the classes",
         .summary =
             "Makes a column of two levels from numbers or ordered levels: above a threshold or "
             "not. "
             "Candidates are the corners of the hulls of the coverage curve that the column "
             "draws when it is used as a ranker; the best score or the least cost of errors "
             "decides. The steps show all candidates beside the splits at mean and median, "
             "and the curve.",
         .references = "Flach, Machine Learning, Cambridge University Press 2012",
         .example = "cairn fit tree @breast-cancer --with threshold:columns=mean_radius",
         .params = threshold_param_table,
         .params_size = sizeof(threshold_params)},
    .state_size = sizeof(cairn_cutting),
    .tables = threshold_tables,
    .fit = threshold_fit,
    .apply = threshold_apply,
    .lower = threshold_lower,
    .describe = threshold_describe,
    .keeps = cairn_cutting_keeps,
};
