/* SPDX-License-Identifier: MIT */
/* What clusterings know, as tables: centres, medoids, merges, core points, reachability. */
#include "learners/cluster/dbscan.h"
#include "learners/cluster/hdbscan.h"
#include "learners/cluster/hierarchy.h"
#include "learners/cluster/kernel_kmeans.h"
#include "learners/cluster/kmeans.h"
#include "learners/cluster/kmedoids.h"
#include "learners/cluster/optics.h"
#include "model/learned.h"
#include "report/table_rows.h"
#include <math.h>

/* A code of a cluster as it is told, from 1; missing below 0. */
static void write_cluster(cairn_ledger *out, int64_t code)
{
    cairn_ledger_number(out, code < 0 ? NAN : (double)code + 1);
}

/* -- k-means -- */

static void write_centres_of(cairn_ledger *out, const cairn_kmeans_model *m, const cairn_job *job)
{
    const cairn_kmeans_history *history = job->history;
    cairn_ledger_columns(out, "nnn", "cluster", "rows", "within");
    cairn_learned_features(out, job, m->n_columns, false);
    for (size_t c = 0; c < m->n_clusters; c++) {
        write_cluster(out, (int64_t)c);
        cairn_ledger_cells(out, history && history->sizes ? history->sizes[c] : NAN,
                           history && history->within ? history->within[c] : NAN);
        cairn_learned_place(out, job, m->centres + c * m->n_columns, m->n_columns, false);
    }
}

static void write_centres(cairn_ledger *out, const void *model, const cairn_job *job)
{
    write_centres_of(out, model, job);
}

/* The same without going back through the transforms. */
static void write_fitted(cairn_ledger *out, const void *model, const cairn_job *job)
{
    cairn_job as_fitted = *job;
    as_fitted.described = NULL;
    write_centres_of(out, model, &as_fitted);
}

const cairn_learned cairn_kmeans_tables[] = {
    CAIRN_LEARNED("centres", "centre of a cluster, in the units of the data", write_centres),
    CAIRN_LEARNED("centres-as-fitted", "centre of a cluster, behind the transforms", write_fitted),
    CAIRN_LEARNED_END};

/* -- k-medoids -- */

static void write_medoids(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_kmedoids_model *m = model;
    const cairn_kmedoids_history *history = job->history;
    size_t n = history ? history->n_values : 0;
    cairn_ledger_columns(out, "nnnnn", "cluster", "row", "rows", "within", "widest");
    cairn_learned_features(out, job, n, true);
    for (size_t c = 0; c < m->n_clusters; c++) {
        write_cluster(out, (int64_t)c);
        cairn_ledger_cells(out, (double)m->numbers[c] + 1, history ? history->sizes[c] : NAN,
                           history ? history->within[c] : NAN, history ? history->widest[c] : NAN);
        if (n) cairn_learned_place(out, job, history->values + c * n, n, true);
    }
}

const cairn_learned cairn_kmedoids_tables[] = {
    CAIRN_LEARNED("centres", "medoid of a cluster: its row, from 1, and its cells", write_medoids),
    CAIRN_LEARNED_END};

/* -- kernel k-means -- */

static void write_kernel_clusters(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_kernel_kmeans_model *m = model;
    const cairn_kernel_kmeans_history *history = job->history;
    cairn_ledger_columns(out, "nnnn", "cluster", "rows", "within", "square");
    for (size_t c = 0; c < m->n_clusters; c++) {
        write_cluster(out, (int64_t)c);
        cairn_ledger_cells(out, m->sizes[c], history ? history->within[c] : NAN,
                           m->constants ? m->constants[c] : NAN);
    }
}

static void write_kernel_rows(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_kernel_kmeans_model *m = model;
    (void)job;
    cairn_ledger_columns(out, "nnn", "member", "cluster", "weight");
    for (size_t i = 0; i < m->rows.n; i++) {
        cairn_ledger_number(out, (double)i + 1);
        write_cluster(out, m->codes[i]);
        cairn_ledger_number(out, m->weights ? m->weights[i] : 1);
    }
}

const cairn_learned cairn_kernel_kmeans_tables[] = {
    CAIRN_LEARNED("clusters", "cluster, and the squared length of its mean", write_kernel_clusters),
    CAIRN_LEARNED("rows", "row with weight that it was fitted to, and its cluster",
                  write_kernel_rows),
    CAIRN_LEARNED_END};

/* -- hierarchies -- */

static void write_merges(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_dendrogram *tree = &((const cairn_hierarchy_model *)model)->tree;
    (void)job;
    cairn_ledger_columns(out, "nnnnn", "cluster", "left", "right", "height", "size");
    for (size_t i = 0; i + 1 < tree->n_leaves; i++)
        cairn_ledger_cells(out, (double)(tree->n_leaves + i) + 1, (double)tree->merges[i].left + 1,
                           (double)tree->merges[i].right + 1, tree->merges[i].height,
                           tree->merges[i].size);
}

static void write_leaves(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_hierarchy_model *m = model;
    (void)job;
    cairn_ledger_columns(out, "ntnn", "leaf", "name", "weight", "cluster");
    for (size_t i = 0; i < m->tree.n_leaves; i++) {
        cairn_ledger_cells(out, (double)i + 1, m->tree.names ? m->tree.names[i] : NULL,
                           m->tree.weights ? m->tree.weights[i] : 1);
        write_cluster(out, m->codes ? m->codes[i] : -1);
    }
}

const cairn_learned cairn_hierarchy_tables[] = {
    CAIRN_LEARNED("merges", "merge of two clusters; leaves are numbered from 1, merges behind them",
                  write_merges),
    CAIRN_LEARNED("leaves", "leaf of the tree, and its cluster in the cut", write_leaves),
    CAIRN_LEARNED_END};

/* -- density -- */

static void write_cores(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_dbscan_model *m = model;
    (void)job;
    cairn_ledger_columns(out, "nn", "row", "cluster");
    for (size_t i = 0; i < m->n_cores; i++) {
        cairn_ledger_number(out, m->cores.numbers ? (double)m->cores.numbers[i] + 1 : NAN);
        write_cluster(out, m->clusters[i]);
    }
}

const cairn_learned cairn_dbscan_tables[] = {
    CAIRN_LEARNED("cores", "core point, and its cluster", write_cores), CAIRN_LEARNED_END};

static void write_condensed(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_condensed *tree = &((const cairn_hdbscan_model *)model)->tree;
    (void)job;
    cairn_ledger_columns(out, "nnnnnnn", "node", "parent", "birth", "death", "size", "stability",
                         "cluster");
    for (size_t i = 0; i < tree->n_clusters; i++) {
        const cairn_dense_cluster *c = &tree->clusters[i];
        cairn_ledger_number(out, (double)i + 1);
        write_cluster(out, c->parent);
        cairn_ledger_cells(out, c->birth, c->death, c->size, c->stability);
        write_cluster(out, c->label);
    }
}

const cairn_learned cairn_hdbscan_tables[] = {
    CAIRN_LEARNED("nodes", "cluster of the condensed tree; lambda is 1 / distance",
                  write_condensed),
    CAIRN_LEARNED_END};

static bool has_order(const void *model, const cairn_job *job)
{
    (void)model;
    return job->history;
}

static void write_order(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_optics_history *a = job->history;
    (void)model;
    cairn_ledger_columns(out, "nnnnnn", "position", "row", "reachability", "core", "from",
                         "cluster");
    for (size_t i = 0; i < a->n; i++) {
        cairn_ledger_cells(out, (double)i + 1, (double)a->rows[i] + 1, a->reach[i], a->core[i]);
        write_cluster(out, a->from[i]);
        write_cluster(out, a->clusters[i]);
    }
}

const cairn_learned cairn_optics_tables[] = {
    CAIRN_LEARNED("order", "row in the order of its visit, and how far it is from those before",
                  write_order, .has = has_order),
    CAIRN_LEARNED_END};
