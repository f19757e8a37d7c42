/* SPDX-License-Identifier: MIT */
/* Figures of rankings: ROC and coverage curves, precision-recall, lift, cost curves. The caller
 * hands the figure to a report or frees it. At most some thousand points of a curve are drawn. */
#ifndef CAIRN_PLOTS_ROC_PLOT_H
#define CAIRN_PLOTS_ROC_PLOT_H

#include "draw/figure.h"
#include "stats/curves.h"

typedef struct cairn_roc_curve {
    const cairn_ranking *ranking; /* with rows of both classes */
    const char *name;             /* for the legend; may be NULL */
} cairn_roc_curve;

typedef struct cairn_roc_options {
    bool coverage;                      /* counts (negatives, positives) in place of rates */
    bool hull, lower_hull;              /* of every curve */
    bool keep_collinear;                /* collinear points of the hull are corners */
    const cairn_ranking *known_hull;    /* of the first curve, when the caller has it */
    const cairn_ranking_reading *known; /* likewise */
    bool area;                          /* shade the area under the first curve */
    bool nearest;     /* mark the point of the first curve that is nearest to (0,1) */
    bool descending;  /* the line tpr = 1 - fpr */
    bool thresholds;  /* write the thresholds at the corners of the first curve */
    bool centres;     /* mark the splits at the mean and the median of the first curve's scores */
    bool rules;       /* mark the ML and MAP points of the first curve */
    double isometric; /* slope in rates of the line of equal value through `best`; 0 = none */
    const cairn_curve_split *best; /* chosen point of the first curve; NULL = none */
    const char *title;             /* NULL = a plain one */
    const char *name;              /* of the figure; NULL = roc or coverage */
} cairn_roc_options;

/* All curves in one figure; the first one fixes the box of a coverage plot. */
CAIRN_CHECKED cairn_status cairn_plot_roc(cairn_context *ctx, cairn_figure **out,
                                          const cairn_roc_curve *curves, size_t n,
                                          const cairn_roc_options *options);

/* Lines of equal value through points. */
typedef enum cairn_point_lines {
    CAIRN_LINES_NONE,
    CAIRN_LINES_ACCURACY,
    CAIRN_LINES_RECALL, /* average recall */
    CAIRN_LINES_PRECISION
} cairn_point_lines;

/* Classifiers as points: each with counts of both classes. In rates they may come from test sets
 * of different shapes; in counts the box is that of the first. `front` (NULL = none) says which are
 * not dominated: these are joined. */
typedef struct cairn_roc_point {
    const char *name;
    double fp, tp, negatives, positives;
} cairn_roc_point;
CAIRN_CHECKED cairn_status cairn_plot_roc_points(cairn_context *ctx, cairn_figure **out,
                                                 const cairn_roc_point *points, size_t n,
                                                 const bool *front, bool coverage);
/* The same with lines of equal value through at most eight points. */
CAIRN_CHECKED cairn_status cairn_plot_roc_lines(cairn_context *ctx, cairn_figure **out,
                                                const cairn_roc_point *points, size_t n,
                                                const bool *front, bool coverage,
                                                cairn_point_lines lines);

/* All curves in one figure, with the share of positives of the first as a rule. */
CAIRN_CHECKED cairn_status cairn_plot_precision_recall(cairn_context *ctx, cairn_figure **out,
                                                       const cairn_roc_curve *curves, size_t n);

typedef enum cairn_lift_kind {
    CAIRN_LIFT_LIFT,     /* response among the best / response of all */
    CAIRN_LIFT_RESPONSE, /* response among the best, per cent */
    CAIRN_LIFT_GAIN      /* share of all positives among the best, per cent */
} cairn_lift_kind;
/* Percentiles at multiples of `step` per cent. */
CAIRN_CHECKED cairn_status cairn_plot_lift(cairn_context *ctx, cairn_figure **out,
                                           const cairn_roc_curve *curves, size_t n,
                                           cairn_lift_kind kind, double step);

/* Normalised expected cost of the best point of each curve against the share of the cost that the
 * positives have. */
CAIRN_CHECKED cairn_status cairn_plot_cost(cairn_context *ctx, cairn_figure **out,
                                           const cairn_roc_curve *curves, size_t n);

#endif
