/* SPDX-License-Identifier: MIT */
/* Trees of clusters, shared by the parts of the learner `hierarchy`. */
#ifndef CAIRN_LEARNERS_HIERARCHY_H
#define CAIRN_LEARNERS_HIERARCHY_H

#include "model/learner.h"
#include "rows/distances.h"
#include "stats/dendrogram.h"

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

/* How far a new row is from a cluster of the cut. */
typedef enum cairn_hierarchy_rule {
    CAIRN_RULE_NEAREST,  /* the distance of its nearest row */
    CAIRN_RULE_FARTHEST, /* of its farthest row */
    CAIRN_RULE_MEAN,     /* the mean distance, by shares */
    CAIRN_RULE_CENTRE,   /* the distance of its centre */
    CAIRN_RULE_WARD      /* the same, times sqrt(2 s / (s + 1)) for a cluster of size s */
} cairn_hierarchy_rule;

typedef struct cairn_hierarchy_model {
    cairn_dendrogram tree;
    int32_t method, linkage, tie;
    size_t n_clusters;
    double cut;       /* height of the cut; NaN = the tree was not cut */
    int64_t n_hidden; /* merges that the cut at a height undid though they are lower */
    int32_t *codes;   /* n_leaves: cluster in the cut */
    double *sizes;    /* n_clusters */
    double *heights;  /* n_clusters: of the cluster in the tree */
    int32_t rule;     /* cairn_hierarchy_rule */
    bool centres;     /* the rows are centres, one per cluster; else they are the leaves */
    cairn_distance_rows rows;
    double *shares;  /* n_leaves: of a leaf in its cluster; NULL = not needed */
    double *spreads; /* n_clusters: mean squared distance of the leaves from the centre, for
                           centres that are known by distances only; NULL = not needed */
} cairn_hierarchy_model;

enum { CAIRN_HIERARCHY_CUTS = 9 }; /* cuts into 2 to 10 clusters are judged */

/* How the tree came about, and how its cuts lie in the data. */
typedef struct cairn_hierarchy_account {
    int64_t tied;      /* merges with another pair as near; -1 = not counted */
    bool at_least;     /* there may be more */
    double silhouette; /* mean over the rows of the cut; NaN = not known */
    size_t n_cuts;
    double *cuts;       /* n_cuts: mean silhouettes of the cuts into 2, 3 ... clusters */
    size_t n_diameters; /* n_clusters, or 0 */
    double *diameters;  /* largest distance inside a cluster of the cut */
} cairn_hierarchy_account;

/* The rows that become leaves: those of the view, all of positive weight. Borrowed. */
typedef struct cairn_hierarchy_data {
    const cairn_view *view;
    size_t n;
    const cairn_distance_rows *rows; /* n */
    const double *weights;           /* n; NULL = all 1 */
    const char *const *names;        /* n: what the steps call them */
} cairn_hierarchy_data;

/* The two divisive methods, from the whole to single rows. `tree` has its leaves and weights and
 * room for the merges, which are filled in; `steps` may be NULL. */
CAIRN_CHECKED cairn_status cairn_hierarchy_divide(cairn_context *ctx, cairn_dendrogram *tree,
                                                  const cairn_hierarchy_data *data,
                                                  const cairn_hierarchy_params *params,
                                                  cairn_report *steps);

/* All merges by the linkage. */
CAIRN_CHECKED cairn_status cairn_hierarchy_join(cairn_context *ctx, cairn_dendrogram *tree,
                                                const cairn_hierarchy_data *data,
                                                const cairn_hierarchy_params *params,
                                                cairn_hierarchy_account *account,
                                                cairn_report *steps);

/* What the clusters of the cut need to answer for new rows; model->tree, codes and clusters are
 * there. */
CAIRN_CHECKED cairn_status cairn_hierarchy_keep(cairn_context *ctx, cairn_hierarchy_model *model,
                                                const cairn_hierarchy_data *data);
/* The cluster that each row of the view is nearest to (-1 = it cannot be compared), and how near;
 * either may be NULL. */
CAIRN_CHECKED cairn_status cairn_hierarchy_answer(cairn_context *ctx,
                                                  const cairn_hierarchy_model *model,
                                                  const cairn_view *view, int32_t *codes,
                                                  double *distances);
/* For every cluster of the tree that of the cut in which it lies, else -1. Scratch. */
CAIRN_CHECKED cairn_status cairn_hierarchy_nodes(cairn_context *ctx, int32_t **out,
                                                 const cairn_hierarchy_model *model);
/* The rule in words. */
const char *cairn_hierarchy_rule_said(const cairn_hierarchy_model *model);

/* Silhouettes and diameters of the cut and of cuts around it. */
CAIRN_CHECKED cairn_status cairn_hierarchy_judge(cairn_context *ctx,
                                                 cairn_hierarchy_account *account,
                                                 const cairn_hierarchy_model *model,
                                                 const cairn_hierarchy_data *data);

/* Functions of the learner's record. */
void cairn_hierarchy_describe(cairn_report *out, const void *model, const cairn_job *job);
CAIRN_CHECKED cairn_status cairn_hierarchy_lower(const void *model, const cairn_job *job,
                                                 cairn_program *out);

/* -- the tree written down and drawn (hierarchy_draw.c) -- */

extern const cairn_export_form cairn_hierarchy_forms[];
extern const cairn_model_figure cairn_hierarchy_figures[];
/* The cut of the model, with the clusters of the tree that it leaves. Scratch. */
CAIRN_CHECKED cairn_status cairn_hierarchy_cut(cairn_context *ctx, cairn_cut *out,
                                               const cairn_hierarchy_model *model);
/* What heights are: "distance", "diameter". */
const char *cairn_hierarchy_height(const cairn_hierarchy_model *model);

extern const cairn_learned cairn_hierarchy_tables[];

#endif
