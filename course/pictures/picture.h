/* SPDX-License-Identifier: MIT */
/* Pictures that no calculator has, and what pictures share. */
#ifndef CAIRN_PICTURES_PICTURE_H
#define CAIRN_PICTURES_PICTURE_H

#include "model/calculator.h"
#include "data/view.h"
#include "draw/figure.h"
#include "entry/entry.h"
#include "model/model.h"
#include "stats/summary.h"

extern const cairn_calculator cairn_picture_bars, cairn_picture_basis, cairn_picture_calibrated,
    cairn_picture_clusters, cairn_picture_components, cairn_picture_contours, cairn_picture_curves,
    cairn_picture_dartboard, cairn_picture_density, cairn_picture_distance_circles,
    cairn_picture_discretised, cairn_picture_feature_coverage, cairn_picture_feature_map,
    cairn_picture_feature_space, cairn_picture_fits, cairn_picture_forest, cairn_picture_histogram,
    cairn_picture_isometrics, cairn_picture_impurity, cairn_picture_kmeans_rounds,
    cairn_picture_rule_search, cairn_picture_lines, cairn_picture_linkages, cairn_picture_merging,
    cairn_picture_percentiles, cairn_picture_regions, cairn_picture_residuals,
    cairn_picture_rule_curves, cairn_picture_rule_regions, cairn_picture_scatter,
    cairn_picture_scheme, cairn_picture_scree, cairn_picture_splinter, cairn_picture_splits,
    cairn_picture_surface, cairn_picture_tree, cairn_picture_tree_coverage, cairn_picture_updates;

/* -- shared by the pictures -- */

/* A figure whose title says what is shown; the table's name stands below it. */
CAIRN_PRINTF(5, 6)
CAIRN_CHECKED cairn_status cairn_picture_new(cairn_context *ctx, cairn_figure **out,
                                             const char *name, const cairn_table *table,
                                             const char *format, ...);

/* The figure of that name that the model draws of itself; fails when it has none, calling it
 * `what`. */
CAIRN_CHECKED cairn_status cairn_picture_of_model(cairn_context *ctx, cairn_figure **out,
                                                  const cairn_model *model, const char *name,
                                                  const char *what);

/* Groups of rows by a level column: codes and names (scratch), or none. */
typedef struct cairn_groups {
    const char *column;   /* its name */
    const int32_t *codes; /* one per row of the table; NULL = all rows alike */
    const char **names;
    size_t n;
} cairn_groups;

/* What the legend says of the groups: their column, and what rows without a group are. */
void cairn_picture_legend(cairn_figure *figure, const cairn_groups *groups);
/* By the named column, else by the target when it holds levels, else none. "none" asks for none. */
CAIRN_CHECKED cairn_status cairn_picture_groups(cairn_context *ctx, cairn_groups *out,
                                                const cairn_table *table, const char *column);
/* The named number column, or the i-th feature that holds numbers when `name` is NULL. */
CAIRN_CHECKED cairn_status cairn_picture_numbers(cairn_context *ctx, size_t *out,
                                                 const cairn_table *table, const char *option,
                                                 const char *name, size_t i);

/* Two different number columns: the named ones, else the first that there are. Fails for a table of
 * distances, whose columns are no places. */
CAIRN_CHECKED cairn_status cairn_picture_pair(cairn_context *ctx, size_t out[2],
                                              const cairn_table *table, const char *x,
                                              const char *y);

/* A time axis for a column of times. */
cairn_scale cairn_picture_scale(const cairn_table *table, size_t column);

/* Points of width from which a picture is too wide to be read at once. */
enum { CAIRN_PICTURE_COMFORT = 2000 };

/* Warn of a picture that is too wide to be read at once, and say what makes it smaller. */
CAIRN_CHECKED cairn_status cairn_picture_warn_wide(cairn_context *ctx, const cairn_figure *figure,
                                                   const char *remedy);

/* One number column with its weights, its groups, and all its values as a sorted sample. */
typedef struct cairn_picture_column {
    const char *name;
    const double *values, *weights; /* per row of the table; weights NULL = all 1 */
    size_t n_rows;
    cairn_scale scale;   /* of its axis */
    const char *pattern; /* how its times are written; NULL = it holds numbers */
    cairn_groups groups;
    cairn_sample sample;
} cairn_picture_column;

/* On which scale a column is drawn: {log} of its picture. */
enum { CAIRN_LOG_AUTO, CAIRN_LOG_NO, CAIRN_LOG_YES };
extern const cairn_choice cairn_picture_logs[];
/* Whether the logarithms of the values are drawn: as the choice says, or where they are skewed and
 * all above 0; then values and sample become logarithms to the base 10, which is said below the
 * title. A skewed column with values of 0 and less is cut behind most of them, which is said, too:
 * *cut is NaN where it is not. */
CAIRN_CHECKED cairn_status cairn_picture_unskew(cairn_context *ctx, cairn_picture_column *c,
                                                int choice, bool *logs, double *cut,
                                                cairn_figure *figure);

/* The column of the option --column (the first number feature if not given), grouped by `colour`;
 * fails when it has no values. Scratch. */
CAIRN_CHECKED cairn_status cairn_picture_column_of(cairn_context *ctx, cairn_picture_column *out,
                                                   const cairn_table *table, const char *column,
                                                   const char *colour);

#endif
