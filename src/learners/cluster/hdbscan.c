/* SPDX-License-Identifier: MIT */
/* HDBSCAN: dense regions of all densities at once, without an eps.
 *
 * 1. The core distance of a row is the radius within which it has enough rows (min-points, itself
 *    counted); the mutual reachability of two rows is max(core(a), core(b), d(a, b)).
 * 2. Single linkage by mutual reachability: a shortest spanning tree, its edges from the shortest.
 * 3. From the root down, a split counts when at least two parts have min-size rows; rows of smaller
 *    parts leave. That is the condensed tree; density is lambda = 1 / distance.
 * 4. The stability of a cluster is the sum over its rows of how much density they stay in it for.
 *    Chosen are the clusters, none inside another, whose stabilities add up to most (excess of
 *    mass), or those that are never split (leaf). Rows in none of them are noise.
 *
 * Weights count as repeated rows. A new row goes where the row of training that it is nearest to by
 * mutual reachability is, if it is dense enough there. A row's outlier score (GLOSH) is 1 -
 * lambda / the largest lambda of the cluster that it leaves.
 *
 * Cost: by a tree of boxes some n log n in few columns, all pairs of distances otherwise; memory n.
 *
 * Sources: Campello, Moulavi, Zimek and Sander, Hierarchical density estimates for data clustering,
 * visualization, and outlier detection (2015); McInnes, Healy and Astels, hdbscan (2017). */
#include "model/kept_parts.h"
#include "base/memory.h"
#include "learners/cluster/hdbscan.h"
#include "learners/cluster/merges_proof.h"
#include "model/by_distance.h"
#include <math.h>

static const cairn_choice selections[] = {
    {"mass", CAIRN_HDBSCAN_MASS, "clusters whose stabilities add up to most (excess of mass)"},
    {"leaf", CAIRN_HDBSCAN_LEAF, "clusters that are never split: many small ones"},
    {0},
};

static const cairn_param hdbscan_params[] = {
    CAIRN_PARAM(cairn_hdbscan_params, min_size, "5", "[2,inf)", "rows that a cluster must have",
                .often = true),
    CAIRN_PARAM(cairn_hdbscan_params, min_points, "0", "[0,inf)",
                "rows within the core distance, the row itself among them: more of them leave more "
                "rows out as noise; 0 means as many as min-size",
                .often = true),
    CAIRN_DISTANCE_PARAM(cairn_hdbscan_params),
    CAIRN_PARAM_CHOICE(cairn_hdbscan_params, select, "mass", selections,
                       "which clusters of the condensed tree are chosen", .often = true),
    CAIRN_PARAM_END,
};

static cairn_status hdbscan_check(cairn_context *ctx, const void *values)
{
    const cairn_hdbscan_params *p = values;
    return cairn_metric_check(ctx, cairn_say(ctx, "{distance}"), p->distance);
}

static unsigned hdbscan_accepts(const void *params)
{
    return cairn_distance_accepts(((const cairn_hdbscan_params *)params)->distance);
}

/* -- fitting -- */

/* A row that has not enough rows around it at any distance: all are as far as the farthest. */
static cairn_status find_cores(cairn_context *ctx, cairn_hdbscan_model *m, cairn_density *density)
{
    CHECK(NEW(ctx, &m->core, density->n));
    double enough = m->enough;
    if (enough > density->total) {
        cairn_warn(ctx,
                   "a core distance is that of %d rows, and there are fewer: the farthest row is "
                   "taken; choose a smaller {min-points}",
                   (int)enough);
        m->enough = enough = density->total;
    }
    return cairn_density_core_distances(ctx, density, enough, m->core);
}

/* From the shortest tree over linkage to the condensed tree, of which only the last is kept. */
static cairn_status make_tree(cairn_context *ctx, cairn_hdbscan_model *m,
                              const cairn_density *density, const cairn_job *job)
{
    const cairn_hdbscan_params *p = job->params;
    SCOPED(cairn_dendrogram_clear) cairn_dendrogram linkage = {0};
    cairn_join *joins;
    size_t n = density->n;
    CHECK(SCRATCH(ctx, &joins, n));
    CHECK(cairn_dendrogram_new(ctx, &linkage, n));
    if (density->weights) {
        CHECK(NEW_RAW(ctx, &linkage.weights, n));
        for (size_t i = 0; i < n; i++) linkage.weights[i] = density->weights[i];
    }
    CHECK(cairn_spanning_tree(ctx, density, m->core, joins));
    CHECK(cairn_dendrogram_of_joins(ctx, &linkage, joins));
    CHECK(cairn_merges_prove(ctx, job->certificate,
                             &(cairn_merges_asked){.tree = &linkage,
                                                   .rows = &density->rows,
                                                   .linkage = CAIRN_LINKAGE_SINGLE,
                                                   .core = m->core}));
    CHECK(cairn_condense(ctx, &m->tree, &linkage, m->core, p->min_size));
    CHECK(cairn_condensed_select(ctx, &m->tree, (cairn_hdbscan_select)p->select, p->min_size));
    return job->steps ? cairn_hdbscan_steps(ctx, density, m->core, joins, &m->tree, job) : CAIRN_OK;
}

/* Rows of training, for those to come. */
static cairn_status keep_rows(cairn_context *ctx, cairn_hdbscan_model *m,
                              const cairn_density *density)
{
    SCOPED_SCRATCH(ctx);
    uint32_t *all;
    CHECK(SCRATCH(ctx, &all, density->n + 1));
    for (size_t i = 0; i < density->n; i++) all[i] = (uint32_t)i;
    if (density->weights) {
        CHECK(NEW_RAW(ctx, &m->weights, density->n));
        for (size_t i = 0; i < density->n; i++) m->weights[i] = density->weights[i];
    }
    return cairn_distance_rows_keep(ctx, &m->rows, &density->rows, all, density->n);
}

static int32_t label_of(const cairn_condensed *tree, size_t row)
{
    int32_t chosen = cairn_condensed_chosen(tree, tree->leaves[row]);
    return chosen < 0 ? -1 : tree->clusters[chosen].label;
}

static cairn_status fill_account(cairn_context *ctx, cairn_hdbscan_account *s,
                                 const cairn_hdbscan_model *m, const cairn_density *density,
                                 const int32_t *labels, const cairn_job *job)
{
    CHECK(NEW(ctx, &s->sizes, m->tree.n_labels));
    for (size_t i = 0; i < density->n; i++) {
        if (labels[i] >= 0) s->sizes[labels[i]] += cairn_density_weight(density, i);
        s->n_noise += labels[i] < 0;
    }
    return cairn_density_sample_keep(ctx, &s->sample, density, job->view, labels);
}

/* No clusters at all is a result that says little; it is a warning, not an error. */
static cairn_status hdbscan_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    cairn_hdbscan_model *m = model;
    const cairn_hdbscan_params *p = job->params;
    SCOPED(cairn_density_clear) cairn_density density = {0};
    int32_t *labels;
    CHECK(cairn_density_open(ctx, &density, job->view, p->distance));
    m->enough = p->min_points > 0 ? p->min_points : p->min_size;
    CHECK(SCRATCH(ctx, &labels, density.n + 1));
    CHECK(cairn_density_search(ctx, &density));
    CHECK(find_cores(ctx, m, &density));
    CHECK(cairn_density_prove_cores(ctx, job->certificate, &density, m->enough, INFINITY, m->core));
    CHECK(make_tree(ctx, m, &density, job));
    if (m->tree.n_labels == 0)
        cairn_warn(
            ctx,
            "all rows (%zu) are noise: nowhere do they split into parts of %d rows; choose a "
            "smaller {min-size} or {min-points}",
            density.n, p->min_size);
    for (size_t i = 0; i < density.n; i++) {
        labels[i] = label_of(&m->tree, i);
        job->fitted[cairn_density_at(&density, i)] = labels[i];
    }
    CHECK(keep_rows(ctx, m, &density));
    return job->account ? fill_account(ctx, job->account, m, &density, labels, job) : CAIRN_OK;
}

/* -- predicting -- */

/* Where a new row would be: beside the row that it is nearest to by mutual reachability. */
typedef struct standing {
    uint32_t beside; /* UINT32_MAX = nowhere */
    double lambda;
} standing;

static standing stand_beside(const cairn_hdbscan_model *m, const uint32_t *rows,
                             const double *distances, size_t n)
{
    standing s = {UINT32_MAX, 0};
    double weight = 1, core = INFINITY, best = INFINITY;
    for (size_t i = 0; i < n && isinf(core); i++) {
        weight += m->weights ? m->weights[rows[i]] : 1;
        if (weight >= m->enough * (1 - 1e-12)) core = distances[i];
    }
    if (m->enough <= 1) core = 0;
    if (isinf(core) && n > 0) core = distances[n - 1];
    for (size_t i = 0; i < n; i++) {
        double far = fmax(core, fmax(m->core[rows[i]], distances[i]));
        if (far < best) best = far, s.beside = rows[i];
    }
    s.lambda = best > 0 ? 1 / best : INFINITY;
    return s;
}

/* Up from the cluster of its neighbour to the first that was there at its density. */
static int32_t cluster_at(const cairn_condensed *tree, const standing *s)
{
    int32_t at = s->beside == UINT32_MAX ? -1 : tree->leaves[s->beside];
    while (at > 0 && tree->clusters[at].birth > s->lambda) at = tree->clusters[at].parent;
    return cairn_condensed_chosen(tree, at);
}

/* Twice as many neighbours are looked at as a core distance has rows: the nearest by mutual
 * reachability is nearly always among them. */
static cairn_status hdbscan_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                    const cairn_job *job)
{
    const cairn_hdbscan_model *m = model;
    SCOPED(cairn_neighbours_clear) cairn_neighbours near = {0};
    size_t n = job->view->rows.n;
    double *probabilities;
    CHECK(SCRATCH(ctx, &probabilities, n + 1));
    CHECK(cairn_density_nearest(ctx, &m->rows, job->view, 2 * (size_t)ceil(m->enough), &near));
    for (size_t i = 0; i < n; i++) {
        standing s =
            stand_beside(m, near.rows + i * near.k, near.distances + i * near.k, near.found[i]);
        int32_t chosen = cluster_at(&m->tree, &s);
        if (out->codes) out->codes[i] = chosen < 0 ? -1 : m->tree.clusters[chosen].label;
        probabilities[i] = chosen < 0 ? 0 : cairn_condensed_probability(&m->tree, chosen, s.lambda);
    }
    out->codes_set = true;
    out->n_classes = m->tree.n_labels;
    if (!out->extra) return CAIRN_OK;
    return cairn_table_put_numbers(ctx, out->extra, "probability", probabilities);
}

/* -- keeping -- */

static const cairn_kept hdbscan_keeps[] = {
    KEEP(cairn_hdbscan_model, enough),
    KEEP_PART(cairn_hdbscan_model, tree, .rows = cairn_condensed_keeps),
    KEEP_PART(cairn_hdbscan_model, rows, .part = &cairn_kept_distance_rows),
    KEEP_ARRAYS(cairn_hdbscan_model, "tree.n_rows", core),
    KEEP_FLAG(cairn_hdbscan_model, weights, "weighted"),
    KEEP_ARRAY(cairn_hdbscan_model, weights, "tree.n_rows", .when = "weighted"),
    KEEP_END,
};

static const cairn_kept account_keeps[] = {
    KEEP_ARRAYS(cairn_hdbscan_account, "tree.n_labels", sizes),
    KEEP_SIZE(cairn_hdbscan_account, n_noise, UINT32_MAX),
    KEEP_PART(cairn_hdbscan_account, sample, .rows = cairn_density_sample_keeps),
    KEEP_END,
};

static const cairn_account hdbscan_account = {
    .size = sizeof(cairn_hdbscan_account),
    .keeps = account_keeps,
};

/* Everything that predicting looks up is checked: rows, core distances, weights. */

static cairn_status hdbscan_check_model(cairn_archive *a, const void *model, const cairn_job *job)
{
    const cairn_hdbscan_model *m = model;
    const cairn_hdbscan_params *p = job->params;
    size_t n = 0, at = 0;
    if (m->rows.n != m->tree.n_rows || m->tree.n_clusters == 0 ||
        !(m->enough > 0 && m->enough < 1e9))
        return cairn_archive_damaged(a, "its rows do not fit together");
    for (size_t i = 0; i < m->tree.n_rows; i++)
        if (!(m->core[i] >= 0) || (m->weights && !(m->weights[i] > 0)))
            return cairn_archive_damaged(a, "row %zu has no core distance or weight", i + 1);
    while (cairn_schema_next_feature(job->schema, &at)) n++;
    return cairn_distance_rows_check(a, &m->rows, n, p->distance);
}

static cairn_model_size hdbscan_size(const void *model)
{
    const cairn_hdbscan_model *m = model;
    size_t columns = m->rows.given ? 0 : m->rows.points.width;
    return (cairn_model_size){.parameters = (double)m->tree.n_rows * (double)(columns + 3),
                              .grows = true};
}

static const cairn_output hdbscan_outputs[] = {
    {"probability", "how surely the row is in its cluster: its density as a share of the largest"},
    {0},
};

const cairn_learner cairn_hdbscan = {
    .entry =
        {
            .kind = CAIRN_ENTRY_LEARNER,
            .name = "hdbscan",
            .also = "hierarchical density-based clustering, condensed tree, GLOSH, outlier scores",
            .title = "HDBSCAN: dense regions of any density",
            .summary =
                "Finds clusters of any shape and of different density, and leaves out noise, "
                "without "
                "a radius: single linkage by mutual reachability, of which only splits into parts "
                "of "
                "min-size rows count, and from that tree the clusters that last longest. Rows have "
                "a "
                "probability of being in their cluster and an outlier score. A new row goes where "
                "the row that it is nearest to by mutual reachability is, if it is dense enough "
                "there.",
            .references = "Campello, Moulavi, Zimek and Sander, Hierarchical density estimates for "
                          "data clustering, visualization, and outlier detection, ACM Transactions "
                          "on Knowledge Discovery from Data 10 (2015)",
            .example = "cairn fit hdbscan @iris --ignore species --min-size 10",
            .params = hdbscan_params,
            .params_size = sizeof(cairn_hdbscan_params),
            .check = hdbscan_check,
        },
    .tasks = CAIRN_CLUSTER,
    .aims = "groups that last over many densities",
    .accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_WEIGHTS | CAIRN_ACCEPTS_DISTANCES |
               CAIRN_USES_DISTANCES | CAIRN_ACCEPTS_BAGS | CAIRN_WANTS_SCALING,
    .accepts_with = hdbscan_accepts,
    .traits = CAIRN_DESCRIPTIVE | CAIRN_UNSUPERVISED | CAIRN_GEOMETRIC | CAIRN_GROUPING |
              CAIRN_MAY_ABSTAIN,
    .model_size = sizeof(cairn_hdbscan_model),
    .tables = cairn_hdbscan_tables,
    .account = &hdbscan_account,
    .labels_rows = true,
    .sets_codes = true,
    .answers_slowly = true,
    .outputs = hdbscan_outputs,
    .fit = hdbscan_fit,
    .predict = hdbscan_predict,
    .describe = cairn_hdbscan_describe,
    .figures = cairn_hdbscan_figures,
    .keeps = hdbscan_keeps,
    .check = hdbscan_check_model,
    .size = hdbscan_size,
};
