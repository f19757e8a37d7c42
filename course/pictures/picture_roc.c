/* SPDX-License-Identifier: MIT */
/* cairn draw roc, coverage, classifiers, precision-recall, cost-curve, lift and pairs: pictures of
 * rankings. The ranking comes from scores and classes, cut-offs, groups or typed segments, as in
 * cairn compute roc. */
#include "typed/points.h"
#include "typed/ranked.h"
#include "plots/confusion_plot.h"
#include "plots/roc_plot.h"
#include "pictures/picture.h"

#include "base/memory.h"

/* All rankings that --score names. */
static cairn_status read_curves(cairn_context *ctx, cairn_roc_curve **out, size_t *n,
                                const cairn_ranked_option *option, cairn_tables tables,
                                const char *what, bool *scored)
{
    cairn_ranked *ranked, first;
    CHECK(cairn_read_ranked(ctx, &first, option, tables, 0, n, what));
    CHECK(SCRATCH_EACH(ctx, *n, &ranked, out));
    for (size_t i = 0; i < *n; i++) {
        size_t same;
        ranked[i] = first;
        if (i > 0) CHECK(cairn_read_ranked(ctx, &ranked[i], option, tables, i, &same, what));
        if (!(ranked[i].ranking.positives > 0) || !(ranked[i].ranking.negatives > 0))
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "there are rows of one class only: there is no curve to draw");
        (*out)[i] = (cairn_roc_curve){&ranked[i].ranking, ranked[i].name};
    }
    if (scored) *scored = first.scored;
    return CAIRN_OK;
}

/* -- roc and coverage -- */

typedef struct roc_params {
    cairn_ranked_option ranked;
    bool hull, lower_hull, area, nearest, thresholds, rules, centres, best;
    double cost_fp, cost_fn, class_ratio;
} roc_params;

static const cairn_param roc_table[] = {
    CAIRN_PARAM_GROUP(roc_params, ranked, cairn_ranked_group),
    CAIRN_PARAM(roc_params, hull, "no", NULL, "draw the convex hull"),
    CAIRN_PARAM(roc_params, lower_hull, "no", NULL, "draw the lower hull too"),
    CAIRN_PARAM(roc_params, area, "no", NULL, "shade the area under the first curve"),
    CAIRN_PARAM(roc_params, nearest, "no", NULL, "mark the point nearest to the perfect corner"),
    CAIRN_PARAM(roc_params, thresholds, "no", NULL, "write the thresholds at the corners"),
    CAIRN_PARAM(roc_params, rules, "no", NULL, "mark the ML and the MAP point"),
    CAIRN_PARAM(roc_params, centres, "no", NULL,
                "mark the splits at the mean and the median of the score"),
    CAIRN_PARAM(roc_params, best, "no", NULL,
                "mark the best point for the costs, its line of equal value and the descending "
                "diagonal"),
    CAIRN_PARAM(roc_params, cost_fp, "1", "[0,inf)", "cost of a false positive", .when = "best"),
    CAIRN_PARAM(roc_params, cost_fn, "1", "(0,inf)", "cost of a false negative", .when = "best"),
    CAIRN_PARAM(roc_params, class_ratio, "0", "[0,inf)",
                "positives for one negative; 0 = as in the data", .when = "best"),
    CAIRN_PARAM_END,
};

/* Thresholds and centres need scores, which typed segments have not; the best splits are those of
 * the operating context, on the first curve. */
static cairn_status draw_curves(cairn_context *ctx, cairn_figure **out,
                                const cairn_compute_job *job, bool coverage)
{
    const roc_params *p = job->params;
    cairn_roc_curve *curves;
    cairn_curve_split *best = NULL;
    size_t n, n_best;
    bool scored;
    cairn_roc_options o = {.coverage = coverage,
                           .hull = p->hull,
                           .lower_hull = p->lower_hull,
                           .area = p->area,
                           .nearest = p->nearest,
                           .rules = p->rules,
                           .descending = p->best};
    CHECK(read_curves(ctx, &curves, &n, &p->ranked, job->tables,
                      coverage ? "draw coverage" : "draw roc", &scored));
    o.thresholds = p->thresholds && scored;
    o.centres = p->centres && scored;
    if (p->best) {
        cairn_operating_context c =
            cairn_operating_context_of(curves[0].ranking, p->cost_fn, p->cost_fp, p->class_ratio);
        CHECK(cairn_best_splits(ctx, &best, &n_best, curves[0].ranking, c));
        o.best = best;
        o.isometric = cairn_isometric_slope(curves[0].ranking, c);
    }
    return cairn_plot_roc(ctx, out, curves, n, &o);
}

static cairn_status roc_draw(cairn_context *ctx, cairn_figure **out, const cairn_compute_job *job)
{
    return draw_curves(ctx, out, job, false);
}

static cairn_status coverage_draw(cairn_context *ctx, cairn_figure **out,
                                  const cairn_compute_job *job)
{
    return draw_curves(ctx, out, job, true);
}

const cairn_calculator cairn_picture_roc = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "roc",
                .also = "ROC curve, receiver operating characteristic, AUC",
                .title = "ROC curves",
                .summary =
                    "True against false positive rate of one score or several, with the "
                    "diagonal of guessing; on request the hull, the shaded area, thresholds, "
                    "the point nearest to the perfect corner, the ML and MAP points, and the "
                    "best point for given costs with its line of equal value.",
                .references =
                    "Fawcett: An Introduction to ROC Analysis, Pattern Recognition Letters "
                    "27, 2006",
                .example = "cairn draw roc @spam-scores --positive spam --hull --best",
                .params = roc_table,
                .params_size = sizeof(roc_params)},
    .arguments = "[MODEL ...] [DATA ...]",
    .takes_data = true,
    .reads = CAIRN_READS_ROLES,
    .several = true,
    .answers = CAIRN_ANSWERS_SCORES,
    .draw = roc_draw,
};

const cairn_calculator cairn_picture_coverage = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "coverage",
                .also = "coverage curve, coverage plot, coverage space",
                .title = "Coverage curves",
                .summary =
                    "Positives against negatives covered, in counts: the box is as wide as "
                    "there are negatives and as high as there are positives. The same options "
                    "as the picture roc.",
                .references = "Fürnkranz, Flach: ROC 'n' Rule Learning, Machine Learning 58, 2005",
                .example = "cairn draw coverage --segments '[20+,5-][10+,5-][20+,40-]' --hull",
                .params = roc_table,
                .params_size = sizeof(roc_params)},
    .arguments = "[MODEL ...] [DATA ...]",
    .takes_data = true,
    .reads = CAIRN_READS_ROLES,
    .several = true,
    .answers = CAIRN_ANSWERS_SCORES,
    .draw = coverage_draw,
};

/* -- classifiers as points -- */

typedef struct points_params {
    const char *points, *positive;
    bool coverage, front;
    int lines;
} points_params;

static const cairn_choice line_choices[] = {
    {"none", CAIRN_LINES_NONE, "no lines"},
    {"accuracy", CAIRN_LINES_ACCURACY, "of equal accuracy"},
    {"average-recall", CAIRN_LINES_RECALL, "of equal average recall"},
    {"precision", CAIRN_LINES_PRECISION, "of equal precision, through the origin"},
    {NULL, 0, NULL},
};

static const cairn_param points_table[] = {
    CAIRN_PARAM(points_params, points, NULL, NULL,
                "classifiers, typed: tp,fn,fp,tn separated by semicolons, each perhaps with a name "
                "in front, such as 'A=30,20,10,40;B=20,30,5,45'"),
    CAIRN_PARAM(points_params, positive, NULL, NULL,
                "of models: the class that counts as positive"),
    CAIRN_PARAM(points_params, coverage, "no", NULL, "counts in place of rates"),
    CAIRN_PARAM(points_params, front, "no", NULL, "join those that no other dominates"),
    CAIRN_PARAM_CHOICE(points_params, lines, "none", line_choices,
                       "lines of equal value through up to eight points"),
    CAIRN_PARAM_END,
};

static cairn_status points_draw(cairn_context *ctx, cairn_figure **out,
                                const cairn_compute_job *job)
{
    const points_params *p = job->params;
    cairn_typed_points list = {0};
    bool *front;
    CHECK(cairn_read_points(ctx, &list, p->points, job->table, "draw classifiers"));
    CHECK(SCRATCH(ctx, &front, list.n));
    for (size_t i = 0; i < list.n; i++) {
        front[i] = true;
        for (size_t j = 0; j < list.n; j++)
            if (cairn_point_dominates(&list.points[j], &list.points[i])) front[i] = false;
    }
    return cairn_plot_roc_lines(ctx, out, list.points, list.n, p->front ? front : NULL, p->coverage,
                                (cairn_point_lines)p->lines);
}

const cairn_calculator cairn_picture_classifiers = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "classifiers",
                .also = "points in ROC space, coverage plot of classifiers",
                .title = "Classifiers as points",
                .summary =
                    "Classifiers in ROC or coverage space from their four counts, with their "
                    "names and, on request, the front of those that can be best and lines of "
                    "equal value through them.",
                .references = "Provost, Fawcett: Robust Classification for Imprecise Environments, "
                              "Machine Learning 42, 2001",
                .example = "cairn draw classifiers --points 'A=30,20,10,40;B=20,30,5,45' --front",
                .params = points_table,
                .params_size = sizeof(points_params)},
    .arguments = "[MODEL ...] [DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_ROLES,
    .several = true,
    .answers = CAIRN_ANSWERS_POINTS,
    .draw = points_draw,
};

/* -- other curves of rankings -- */

typedef struct curve_params {
    cairn_ranked_option ranked;
} curve_params;

static const cairn_param curve_table[] = {
    CAIRN_PARAM_GROUP(curve_params, ranked, cairn_ranked_group),
    CAIRN_PARAM_END,
};

/* Pictures that have no options but those of the rankings. */
typedef cairn_status curves_plot(cairn_context *ctx, cairn_figure **out,
                                 const cairn_roc_curve *curves, size_t n);

static cairn_status draw_plain(cairn_context *ctx, cairn_figure **out, const cairn_compute_job *job,
                               const char *what, curves_plot *plot)
{
    const curve_params *p = job->params;
    cairn_roc_curve *curves;
    size_t n;
    CHECK(read_curves(ctx, &curves, &n, &p->ranked, job->tables, what, NULL));
    return plot(ctx, out, curves, n);
}

static cairn_status precision_draw(cairn_context *ctx, cairn_figure **out,
                                   const cairn_compute_job *job)
{
    return draw_plain(ctx, out, job, "draw precision-recall", cairn_plot_precision_recall);
}

const cairn_calculator cairn_picture_precision_recall = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "precision-recall",
                .also = "PR curve, precision-recall curve",
                .title = "Precision and recall",
                .summary = "Precision against recall as the threshold falls, for one score or "
                           "several, with the share of positives that guessing would reach.",
                .references = "Davis, Goadrich: The Relationship Between Precision-Recall and ROC "
                              "Curves, ICML 2006",
                .example = "cairn draw precision-recall @roc-scores",
                .params = curve_table,
                .params_size = sizeof(curve_params)},
    .arguments = "[MODEL ...] [DATA ...]",
    .takes_data = true,
    .reads = CAIRN_READS_ROLES,
    .several = true,
    .answers = CAIRN_ANSWERS_SCORES,
    .draw = precision_draw,
};

static cairn_status cost_draw(cairn_context *ctx, cairn_figure **out, const cairn_compute_job *job)
{
    return draw_plain(ctx, out, job, "draw cost-curve", cairn_plot_cost);
}

const cairn_calculator cairn_picture_cost_curve = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "cost-curve",
                .also = "cost curves, expected cost, Brier curve",
                .title = "Cost curve",
                .summary =
                    "The least normalised cost that a score can reach for every share of the "
                    "cost that lies on the positives, beside that of one answer for all.",
                .references = "Drummond, Holte: Cost Curves: An Improved Method for Visualizing "
                              "Classifier Performance, Machine Learning 65, 2006",
                .example = "cairn draw cost-curve @roc-scores",
                .params = curve_table,
                .params_size = sizeof(curve_params)},
    .arguments = "[MODEL ...] [DATA ...]",
    .takes_data = true,
    .reads = CAIRN_READS_ROLES,
    .several = true,
    .answers = CAIRN_ANSWERS_SCORES,
    .draw = cost_draw,
};

typedef struct lift_params {
    cairn_ranked_option ranked;
    int part;
    double step;
} lift_params;

static const cairn_choice show_choices[] = {
    {"lift", CAIRN_LIFT_LIFT, "response among the best over response of all"},
    {"response", CAIRN_LIFT_RESPONSE, "response among the best, per cent"},
    {"gain", CAIRN_LIFT_GAIN, "share of all positives among the best, per cent"},
    {NULL, 0, NULL},
};

static const cairn_param lift_table[] = {
    CAIRN_PARAM_GROUP(lift_params, ranked, cairn_ranked_group),
    CAIRN_PARAM_CHOICE(lift_params, part, "lift", show_choices, "what is drawn", .was = "show"),
    CAIRN_PARAM(lift_params, step, "10", "[0.1,100]", "distance of the percentiles, in per cent"),
    CAIRN_PARAM_END,
};

static cairn_status lift_draw(cairn_context *ctx, cairn_figure **out, const cairn_compute_job *job)
{
    const lift_params *p = job->params;
    cairn_roc_curve *curves;
    size_t n;
    CHECK(read_curves(ctx, &curves, &n, &p->ranked, job->tables, "draw lift", NULL));
    return cairn_plot_lift(ctx, out, curves, n, (cairn_lift_kind)p->part, p->step);
}

const cairn_calculator cairn_picture_lift = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "lift",
                .also = "lift curve, gain chart, cumulative response",
                .title = "Lift and gain charts",
                .summary = "Lift, response or gain of the best rows against their share, with the "
                           "line of a random choice.",
                .references = "Ling, Li: Data Mining for Direct Marketing, KDD 1998",
                .example = "cairn draw lift @lift --size share --rate response",
                .params = lift_table,
                .params_size = sizeof(lift_params)},
    .arguments = "[MODEL ...] [DATA ...]",
    .takes_data = true,
    .reads = CAIRN_READS_ROLES,
    .several = true,
    .answers = CAIRN_ANSWERS_SCORES,
    .draw = lift_draw,
};

static cairn_status plot_pairs(cairn_context *ctx, cairn_figure **out,
                               const cairn_roc_curve *curves, size_t n)
{
    (void)n; /* only one ranking is taken */
    return cairn_plot_pairs(ctx, out, curves[0].ranking);
}

static cairn_status pairs_draw(cairn_context *ctx, cairn_figure **out, const cairn_compute_job *job)
{
    return draw_plain(ctx, out, job, "draw pairs", plot_pairs);
}

const cairn_calculator cairn_picture_pairs = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "pairs",
                .also = "ranking errors, pairs of examples",
                .title = "Right, wrong and tied pairs",
                .summary =
                    "A grid with the positives as rows and the negatives as columns, both best "
                    "first: 0 where the pair is in the right order, 1 where it is wrong, 0.5 "
                    "where it is tied. The mean of the grid is the ranking error.",
                .references = "Flach: Machine Learning, 2012, chapter 2",
                .example = "cairn draw pairs @roc-scores",
                .params = curve_table,
                .params_size = sizeof(curve_params)},
    .arguments = "[MODEL] [DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_ROLES,
    .answers = CAIRN_ANSWERS_SCORES,
    .draw = pairs_draw,
};
