/* SPDX-License-Identifier: MIT */
/* OPTICS: rows in an order in which dense regions of any density are valleys.
 *
 * 1. The core distance of a row is the radius within which it has enough rows (min-points, itself
 *    counted). Where that is more than eps the row is no core point.
 * 2. The reachability of q from p is max(core(p), d(p, q)). Rows are taken one after the other,
 *    always the one that is reached most easily from those that were taken; the first row, and
 *    whenever nothing more is reached, the next that is left.
 * 3. In the plot of reachabilities in that order clusters are valleys. They are found by their
 *    steep sides (xi), each with the density that it has, or by a line (cut), as DBSCAN of that eps
 *    would.
 *
 * Of rows that are reached equally easily the first is taken. The order is of these rows alone: it
 * has no rule for others. Weights count in core distances and sizes.
 *
 * Cost: n searches within eps; n^2 distances when eps is infinite, which it is unless it is given.
 *
 * Source: Ankerst, Breunig, Kriegel and Sander, OPTICS: ordering points to identify the clustering
 * structure (1999). */
#include "base/memory.h"
#include "learners/cluster/optics.h"
#include "model/by_distance.h"
#include <math.h>

static const cairn_param optics_params[] = {
    CAIRN_PARAM(cairn_optics_params, min_points, "5", "[1,inf)",
                "rows within the core distance, the row itself among them", .often = true),
    CAIRN_PARAM(cairn_optics_params, eps, CAIRN_NOT_GIVEN, "(0,inf)",
                "radius beyond which rows are not looked at; infinite when not given. A smaller "
                "one is quicker, and what is farther away counts as not reached",
                .often = true),
    CAIRN_DISTANCE_PARAM(cairn_optics_params),
    CAIRN_PARAM(cairn_optics_params, cut, CAIRN_NOT_GIVEN, "(0,inf)",
                "clusters are runs of rows whose reachability stays up to this", .often = true),
    CAIRN_PARAM(cairn_optics_params, xi, "0.05", "(0,1)",
                "clusters are valleys whose sides fall and rise by this share from one row to the "
                "next",
                .when = "!cut", .often = true),
    CAIRN_PARAM(cairn_optics_params, min_size, "0", "[0,inf)",
                "rows that a valley must have; 0 means as many as min-points", .when = "!cut"),
    CAIRN_PARAM_END,
};

static cairn_status optics_check(cairn_context *ctx, const void *values)
{
    const cairn_optics_params *p = values;
    return cairn_metric_check(ctx, cairn_say(ctx, "{distance}"), p->distance);
}

static unsigned optics_accepts(const void *params)
{
    return cairn_distance_accepts(((const cairn_optics_params *)params)->distance);
}

/* -- fitting -- */

static cairn_status extract(cairn_context *ctx, const cairn_optics_params *p,
                            const cairn_optics_order *order, const cairn_density *density,
                            int32_t *clusters, size_t *n_clusters)
{
    if (!isnan(p->cut)) {
        cairn_optics_cut(order, p->cut, clusters, n_clusters);
        return CAIRN_OK;
    }
    double least = p->min_size > 0 ? p->min_size : p->min_points;
    return cairn_optics_valleys(ctx, order, density, p->xi, least, (size_t)p->min_points, clusters,
                                n_clusters);
}

/* Everything is kept by position, as the plot needs it; rows are those of the table. */
static cairn_status fill_account(cairn_context *ctx, cairn_optics_account *s, size_t n_clusters,
                                 const cairn_optics_order *o, const cairn_density *density,
                                 const int32_t *clusters)
{
    const uint32_t *numbers = density->rows.numbers;
    s->n = o->n;
    CHECK(NEW_EACH(ctx, o->n, &s->rows, &s->reach, &s->core, &s->from, &s->clusters));
    CHECK(NEW(ctx, &s->sizes, n_clusters));
    for (size_t i = 0; i < o->n; i++) {
        size_t row = o->rows[i];
        s->rows[i] = (int32_t)numbers[row];
        s->reach[i] = o->reach[row];
        s->core[i] = o->core[row];
        s->from[i] = o->from[row] == UINT32_MAX ? -1 : (int32_t)numbers[o->from[row]];
        s->clusters[i] = clusters[row];
        if (clusters[row] >= 0) s->sizes[clusters[row]] += cairn_density_weight(density, row);
    }
    return CAIRN_OK;
}

/* The order does not depend on how clusters are taken from it. */
static cairn_status optics_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    cairn_optics_model *m = model;
    const cairn_optics_params *p = job->params;
    cairn_optics_account *account = job->account;
    SCOPED(cairn_density_clear) cairn_density density = {0};
    SCOPED(cairn_optics_order_clear) cairn_optics_order order = {0};
    int32_t *clusters;
    CHECK(cairn_density_open(ctx, &density, job->view, p->distance));
    m->n_rows = density.n;
    CHECK(SCRATCH(ctx, &clusters, density.n + 1));
    double eps = isnan(p->eps) ? INFINITY : p->eps;
    CHECK(cairn_optics_run(ctx, &order, &density, eps, p->min_points, job->steps));
    CHECK(
        cairn_density_prove_cores(ctx, job->certificate, &density, p->min_points, eps, order.core));
    CHECK(cairn_optics_prove(ctx, job->certificate, &order, &density, eps));
    CHECK(extract(ctx, p, &order, &density, clusters, &m->n_clusters));
    if (m->n_clusters == 0)
        cairn_warn(
            ctx,
            "no cluster was found: all rows (%zu) are noise; choose a smaller {min-points} or "
            "{xi}, or a larger {cut} or {eps}",
            density.n);
    for (size_t i = 0; i < density.n; i++) job->fitted[cairn_density_at(&density, i)] = clusters[i];
    if (!account) return CAIRN_OK;
    CHECK(fill_account(ctx, account, m->n_clusters, &order, &density, clusters));
    return cairn_density_sample_keep(ctx, &account->sample, &density, job->view, clusters);
}

/* -- keeping -- */

static const cairn_kept optics_keeps[] = {
    KEEP_SIZE(cairn_optics_model, n_rows, UINT32_MAX),
    KEEP_SIZE(cairn_optics_model, n_clusters, INT32_MAX),
    KEEP_END,
};

static const cairn_kept account_keeps[] = {
    KEEP_SIZE(cairn_optics_account, n, UINT32_MAX),
    KEEP_ARRAYS(cairn_optics_account, "n", rows, reach, core, from),
    KEEP_CODES(cairn_optics_account, clusters, "n", -1, "n_clusters",
               "row # is in no cluster that there is"),
    KEEP_ARRAYS(cairn_optics_account, "n_clusters", sizes),
    KEEP_PART(cairn_optics_account, sample, .rows = cairn_density_sample_keeps),
    KEEP_END,
};

static const cairn_account optics_account = {
    .size = sizeof(cairn_optics_account),
    .keeps = account_keeps,
};

const cairn_learner cairn_optics = {
    .entry =
        {
            .kind = CAIRN_ENTRY_LEARNER,
            .name = "optics",
            .also = "reachability plot, ordering points to identify the clustering structure",
            .title = "OPTICS: rows in the order of their density",
            .summary =
                "Puts rows into an order in which dense regions, of whatever density, are valleys "
                "of the reachability plot: always the row that is reached most easily from those "
                "before it. Clusters are valleys with steep sides (--xi), or what lies below a "
                "line (--cut), which gives the clusters of dbscan for that eps. It labels the rows "
                "that it is fitted to and has no rule for others.",
            .references = "Ankerst, Breunig, Kriegel and Sander, OPTICS: ordering points to "
                          "identify the clustering structure, SIGMOD (1999)",
            .example = "cairn fit optics @kmeans-twelve --min-points 3 --scale none --cut 5",
            .params = optics_params,
            .params_size = sizeof(cairn_optics_params),
            .check = optics_check,
        },
    .tasks = CAIRN_CLUSTER,
    .aims = "rows that lie densely",
    .accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_WEIGHTS | CAIRN_ACCEPTS_DISTANCES |
               CAIRN_USES_DISTANCES | CAIRN_ACCEPTS_BAGS | CAIRN_WANTS_SCALING,
    .accepts_with = optics_accepts,
    .traits = CAIRN_DESCRIPTIVE | CAIRN_UNSUPERVISED | CAIRN_GEOMETRIC | CAIRN_GROUPING |
              CAIRN_MAY_ABSTAIN,
    .model_size = sizeof(cairn_optics_model),
    .tables = cairn_optics_tables,
    .account = &optics_account,
    .labels_rows = true,
    .fit = optics_fit,
    .describe = cairn_optics_describe,
    .figures = cairn_optics_figures,
    .keeps = optics_keeps,
    .parameters = "n_rows", /* a place in the order for every row */
    .grows = true,
};
