/* SPDX-License-Identifier: MIT */
/* Trees of clusters, shared by the parts of the learner `hierarchy`. */
#ifndef CAIRN_LEARNERS_HIERARCHY_H
#define CAIRN_LEARNERS_HIERARCHY_H

#include "model/learner.h"
#include "stats/dendrogram.h"

struct cairn_distance_rows;

/* How the tree is made. */
enum { CAIRN_HIERARCHY_AGGLOMERATIVE, CAIRN_HIERARCHY_BISECTING, CAIRN_HIERARCHY_DIANA };
/* How far two clusters are from each other. */
typedef enum cairn_linkage {
    CAIRN_LINKAGE_SINGLE,
    CAIRN_LINKAGE_COMPLETE,
    CAIRN_LINKAGE_AVERAGE,
    CAIRN_LINKAGE_WEIGHTED,
    CAIRN_LINKAGE_CENTROID,
    CAIRN_LINKAGE_MEDIAN,
    CAIRN_LINKAGE_WARD
} cairn_linkage;
enum { CAIRN_HIERARCHY_FIRST, CAIRN_HIERARCHY_LAST }; /* ties */

typedef struct cairn_hierarchy_params {
    int method;
    int linkage;
    const char *distance;
    int clusters;  /* 0 = not given */
    double height; /* NaN = not given */
    int tie;
} cairn_hierarchy_params;

/* The rows that become leaves: those of the view, all of positive weight. Borrowed. */
typedef struct cairn_hierarchy_data {
    const cairn_view *view;
    size_t n;
    const struct cairn_distance_rows *rows; /* n */
    const double *weights;                  /* n; NULL = all 1 */
    const char *const *names;               /* n: what the steps call them */
} cairn_hierarchy_data;

/* The two divisive methods, from the whole to single rows. `tree` has its leaves and weights and
 * room for the merges, which are filled in; `steps` may be NULL. */
CAIRN_CHECKED cairn_status cairn_hierarchy_divide(cairn_context *ctx, cairn_dendrogram *tree,
                                                  const cairn_hierarchy_data *data,
                                                  const cairn_hierarchy_params *params,
                                                  cairn_report *steps);

#endif
