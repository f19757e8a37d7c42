/* SPDX-License-Identifier: MIT */
/* Clusters as dense regions, shared by the parts of the learner `dbscan`. Clusters are numbered
 * from 0 inside and from 1 for users; -1 is noise. */
#ifndef CAIRN_LEARNERS_CLUSTER_DBSCAN_H
#define CAIRN_LEARNERS_CLUSTER_DBSCAN_H

#include "learners/cluster/dense_rows.h"

typedef enum cairn_dbscan_rule { CAIRN_DBSCAN_USUAL, CAIRN_DBSCAN_SEED } cairn_dbscan_rule;
typedef enum cairn_dbscan_kind {
    CAIRN_DBSCAN_CORE,
    CAIRN_DBSCAN_BORDER,
    CAIRN_DBSCAN_NOISE
} cairn_dbscan_kind;

typedef struct cairn_dbscan_params {
    double eps; /* NaN = chosen by the distances */
    int min_points;
    const char *distance;
    int rule;
    const char *query;
} cairn_dbscan_params;

/* How dense is dense. */
typedef struct cairn_dbscan_options {
    double eps;
    double min_points;
    cairn_dbscan_rule rule; /* usual: d <= eps, at least min_points; seed: d < eps, more than */
    bool counts;            /* exact ones are wanted */
} cairn_dbscan_options;

/* The rows of a density in clusters. Owned. */
typedef struct cairn_dbscan_clusters {
    size_t n, n_clusters, n_core, n_border, n_noise;
    double reach;        /* largest order of a row that is within eps */
    double *counts;      /* n: weight within eps, the row's own among it; NULL = not wanted */
    unsigned char *core; /* n: whether it is a core point */
    int32_t *clusters;   /* n */
    int32_t *seconds;    /* n: the next cluster that a border row is near to, too; -1 = none */
    size_t n_tied;       /* border rows near to several */
} cairn_dbscan_clusters;

CAIRN_CHECKED cairn_status cairn_dbscan_run(cairn_context *ctx, cairn_dbscan_clusters *out,
                                            cairn_density *density,
                                            const cairn_dbscan_options *options);
void cairn_dbscan_clusters_clear(cairn_dbscan_clusters *clusters);

static inline cairn_dbscan_kind cairn_dbscan_kind_of(const cairn_dbscan_clusters *c, size_t row)
{
    return c->core[row]            ? CAIRN_DBSCAN_CORE
           : c->clusters[row] >= 0 ? CAIRN_DBSCAN_BORDER
                                   : CAIRN_DBSCAN_NOISE;
}

const char *cairn_dbscan_kind_name(cairn_dbscan_kind kind); /* "border" */

/* -- the model -- */

typedef struct cairn_dbscan_model {
    size_t n_clusters, n_cores;
    double eps;
    cairn_distance_rows cores;
    int32_t *clusters; /* n_cores */
} cairn_dbscan_model;

/* What became of the rows. */
typedef struct cairn_dbscan_history {
    size_t n_rows, n_core, n_border, n_noise;
    size_t n_tied;    /* border rows near to several clusters; 0 in files before version 18 */
    bool chosen;      /* eps was */
    double *sizes;    /* n_clusters: weight */
    double *cores;    /* n_clusters: how many core points */
    size_t n_kept;    /* rows that are told of one by one: all when they are few, else 0 */
    int32_t *kinds;   /* n_kept */
    double *counts;   /* n_kept: neighbourhoods */
    int32_t *seconds; /* n_kept: another cluster that the row is near to, or -1; NULL in files
                         before version 18 */
    int32_t *visits;  /* n_kept: rows in the order of their visits, from 0 */
    cairn_density_sample sample;
} cairn_dbscan_history;

/* visits (n; NULL = not wanted): rows in the order in which the method of the textbook visits them;
 * as rows of a table in `steps` unless it is NULL. The search must be made. */
CAIRN_CHECKED cairn_status cairn_dbscan_visit(cairn_context *ctx, const cairn_density *density,
                                              const cairn_dbscan_clusters *clusters,
                                              int32_t *visits, cairn_report *steps);
/* The calculation as on a board: neighbourhoods, visits, and the queries. */
CAIRN_CHECKED cairn_status cairn_dbscan_steps(cairn_context *ctx, cairn_density *density,
                                              const cairn_dbscan_clusters *clusters,
                                              const cairn_dbscan_options *options,
                                              const cairn_job *job);

/* Functions of the learner's record. */
void cairn_dbscan_describe(cairn_report *out, const void *model, const cairn_job *job);
void cairn_dbscan_explain(cairn_report *out, const void *model, const cairn_job *job, size_t row);
extern const cairn_model_figure cairn_dbscan_figures[];

extern const cairn_learned cairn_dbscan_tables[];

#endif
