/* SPDX-License-Identifier: MIT */
/* DBSCAN: clusters are regions where rows lie close together; what lies alone is noise.
 *
 * 1. The neighbourhood of a row are the rows within eps of it, itself among them. A row with enough
 *    of them (min-points) is a core point.
 * 2. A cluster are all rows that can be reached from a core point by steps of at most eps from core
 *    point to core point, and at last to any row. Rows that are reached and are no core points are
 *    the border; the rest is noise.
 * 3. Clusters are numbered by their first core points. A border row that two clusters reach goes to
 *    the first of them, as if rows were visited in their order. Which rows are core points, and
 *    which of them are together, does not depend on the order of rows.
 *
 * Two readings of "enough": the usual one (distance at most eps, at least min-points rows) and the
 * strict one (less than eps, more than min-points). Weights count as repeated rows. A new row gets
 * the cluster of the nearest core point if that is within eps, and none otherwise.
 *
 * Cost: n searches; in few columns a grid finds all in about n log n. Memory grows with n.
 *
 * Sources: Ester, Kriegel, Sander and Xu, A density-based algorithm for discovering clusters in
 * large spatial databases with noise (1996); Gunawan, A faster algorithm for DBSCAN (2013). */
#include "base/memory.h"
#include "base/number.h"
#include "learners/cluster/dbscan.h"
#include "model/by_distance.h"
#include <math.h>

static const cairn_choice rules[] = {
    {"usual", CAIRN_DBSCAN_USUAL,
     "a neighbour is at most eps away, a core point has at least min-points of them"},
    {"seed", CAIRN_DBSCAN_SEED, "nearer than eps, and more than min-points"},
    {0},
};

static const cairn_param dbscan_params[] = {
    CAIRN_PARAM(cairn_dbscan_params, eps, CAIRN_NOT_GIVEN, "(0,inf)",
                "radius of a neighbourhood, in the units that the columns have when they are "
                "compared; when not given, where the sorted distances to the neighbour number "
                "min-points bend most (cairn draw k-distances)",
                .often = true),
    CAIRN_PARAM(cairn_dbscan_params, min_points, "5", "[1,inf)",
                "rows within eps, the row itself among them, that make a core point",
                .often = true),
    CAIRN_DISTANCE_PARAM(cairn_dbscan_params),
    CAIRN_PARAM_CHOICE(cairn_dbscan_params, rule, "usual", rules,
                       "whether eps and min-points themselves are enough", .often = true),
    {.name = "query",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(cairn_dbscan_params, query),
     .help = "pairs of rows such as \"4,1;7,2\": whether the second can be reached from the first, "
             "and by which chain of core points",
     .steps = true},
    CAIRN_PARAM_END,
};

static cairn_status dbscan_check(cairn_context *ctx, const void *values)
{
    const cairn_dbscan_params *p = values;
    return cairn_metric_check(ctx, cairn_say(ctx, "{distance}"), p->distance);
}

static unsigned dbscan_accepts(const void *params)
{
    return cairn_distance_accepts(((const cairn_dbscan_params *)params)->distance);
}

/* -- fitting -- */

/* eps as it was given, or where the sorted distances bend; any will do when all rows are equal or
 * too few. */
static cairn_status choose_eps(cairn_context *ctx, const cairn_dbscan_params *p,
                               cairn_density *density, double *eps)
{
    double *cores, before, most = 0;
    SCOPED_SCRATCH(ctx);
    *eps = p->eps;
    if (!isnan(p->eps)) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &cores, density->n + 1));
    CHECK(cairn_density_core_distances(ctx, density, p->min_points, cores));
    CHECK(cairn_density_knee(ctx, density, cores, eps, &before));
    for (size_t i = 0; i < density->n; i++)
        if (isfinite(cores[i]) && cores[i] > most) most = cores[i];
    if (!(*eps > 0)) *eps = most > 0 ? most : 1;
    return CAIRN_OK;
}

/* The core points and their clusters: all that new rows need. */
static cairn_status keep_cores(cairn_context *ctx, cairn_dbscan_model *m,
                               const cairn_density *density, const cairn_dbscan_clusters *c)
{
    SCOPED_SCRATCH(ctx);
    uint32_t *which;
    CHECK(SCRATCH(ctx, &which, c->n + 1));
    CHECK(NEW(ctx, &m->clusters, c->n_core));
    m->n_clusters = c->n_clusters;
    m->n_cores = 0;
    for (size_t i = 0; i < c->n; i++) {
        if (!c->core[i]) continue;
        m->clusters[m->n_cores] = c->clusters[i];
        which[m->n_cores++] = (uint32_t)i;
    }
    return cairn_distance_rows_keep(ctx, &m->cores, &density->rows, which, m->n_cores);
}

/* What became of the rows, one by one where they are few: only then were they counted exactly. */
static cairn_status fill_account(cairn_context *ctx, cairn_dbscan_account *account,
                                 const cairn_density *density, const cairn_dbscan_clusters *c,
                                 const cairn_job *job)
{
    account->n_rows = c->n;
    account->n_core = c->n_core, account->n_border = c->n_border, account->n_noise = c->n_noise;
    CHECK(NEW(ctx, &account->sizes, c->n_clusters));
    CHECK(NEW(ctx, &account->cores, c->n_clusters));
    for (size_t i = 0; i < c->n; i++) {
        if (c->clusters[i] < 0) continue;
        account->sizes[c->clusters[i]] += cairn_density_weight(density, i);
        account->cores[c->clusters[i]] += c->core[i];
    }
    CHECK(cairn_density_sample_keep(ctx, &account->sample, density, job->view, c->clusters));
    if (!c->counts) return CAIRN_OK;
    CHECK(NEW(ctx, &account->kinds, c->n));
    CHECK(NEW(ctx, &account->counts, c->n));
    account->n_kept = c->n;
    for (size_t i = 0; i < c->n; i++) {
        account->kinds[i] = (int32_t)cairn_dbscan_kind_of(c, i);
        account->counts[i] = c->counts[i];
    }
    return CAIRN_OK;
}

/* A result that says nothing is no error, but it is said. */
static void warn_of_noise(cairn_context *ctx, const cairn_dbscan_clusters *c,
                          const cairn_density *density, const cairn_dbscan_wish *wish)
{
    char number[CAIRN_NUMBER_SIZE];
    if (c->n_clusters) return;
    if (!cairn_dbscan_is_core(wish, density->total)) {
        cairn_number_format(number, density->total, 6);
        cairn_warn(ctx,
                   "all rows (%zu) are noise: together they weigh %s, and a core point needs %s %d "
                   "within {eps}; choose a smaller {min-points}",
                   c->n, number, wish->rule == CAIRN_DBSCAN_SEED ? "more than" : "at least",
                   (int)wish->min_points);
        return;
    }
    cairn_number_format(number, wish->eps, 6);
    cairn_warn(ctx,
               "all rows (%zu) are noise: none has enough neighbours within %s; choose a larger "
               "{eps} or a smaller {min-points}",
               c->n, number);
}

/* Exact counts are made for the sake of what is shown; without them the grid may be used. */
static cairn_status dbscan_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    cairn_dbscan_model *m = model;
    const cairn_dbscan_params *p = job->params;
    cairn_dbscan_account *account = job->account;
    SCOPED(cairn_density_clear) cairn_density density = {0};
    SCOPED(cairn_dbscan_clusters_clear) cairn_dbscan_clusters c = {0};
    cairn_dbscan_wish wish = {.min_points = p->min_points, .rule = (cairn_dbscan_rule)p->rule};
    CHECK(cairn_density_open(ctx, &density, job->view, p->distance));
    CHECK(choose_eps(ctx, p, &density, &wish.eps));
    wish.counts = density.n <= CAIRN_DENSITY_SAMPLE && (account || job->steps);
    CHECK(cairn_dbscan_run(ctx, &c, &density, &wish));
    warn_of_noise(ctx, &c, &density, &wish);
    m->eps = wish.eps;
    CHECK(keep_cores(ctx, m, &density, &c));
    for (size_t i = 0; job->fitted && i < c.n; i++)
        job->fitted[cairn_density_at(&density, i)] = c.clusters[i];
    if (account) {
        account->chosen = isnan(p->eps);
        CHECK(fill_account(ctx, account, &density, &c, job));
        if (c.counts) CHECK(NEW(ctx, &account->visits, c.n));
        if (c.counts) CHECK(cairn_dbscan_visit(ctx, &density, &c, account->visits, NULL));
    }
    if (job->steps) CHECK(cairn_dbscan_steps(ctx, &density, &c, &wish, job));
    return CAIRN_OK;
}

/* -- predicting -- */

static bool is_near(const cairn_dbscan_model *m, const cairn_dbscan_params *p, double distance)
{
    return p->rule == CAIRN_DBSCAN_USUAL ? distance <= m->eps * (1 + 1e-12)
                                         : distance < m->eps * (1 - 1e-12);
}

/* A row that cannot be compared, or when there are no core points, is in no cluster. */
static cairn_status dbscan_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                   const cairn_job *job)
{
    const cairn_dbscan_model *m = model;
    const cairn_dbscan_params *p = job->params;
    size_t n = job->view->rows.n;
    SCOPED(cairn_neighbours_clear) cairn_neighbours near = {0};
    double *distances;
    CHECK(SCRATCH(ctx, &distances, n + 1));
    CHECK(cairn_density_nearest(ctx, &m->cores, job->view, 1, &near));
    for (size_t i = 0; i < n; i++) {
        distances[i] = near.found[i] ? near.distances[i] : NAN;
        if (out->codes)
            out->codes[i] = is_near(m, p, distances[i]) ? m->clusters[near.rows[i]] : -1;
    }
    out->codes_set = true;
    out->n_classes = m->n_clusters;
    return out->extra ? cairn_table_put_numbers(ctx, out->extra, "distance", distances) : CAIRN_OK;
}

/* -- keeping -- */

static cairn_status dbscan_archive(cairn_archive *a, void *model)
{
    cairn_dbscan_model *m = model;
    CHECK(cairn_archive_size(a, "n_clusters", &m->n_clusters, INT32_MAX));
    CHECK(cairn_archive_size(a, "n_cores", &m->n_cores, UINT32_MAX));
    CHECK(cairn_archive_real(a, "eps", &m->eps));
    CHECK(cairn_distance_rows_archive(a, &m->cores));
    CHECK(cairn_archive_ints(a, "clusters", &m->clusters, m->n_cores));
    if (m->cores.n != m->n_cores || !(m->eps > 0))
        CHECK(cairn_archive_damaged(a, "its core points do not fit together"));
    for (size_t i = 0; i < m->n_cores; i++)
        if (m->clusters[i] < 0 || (size_t)m->clusters[i] >= m->n_clusters)
            CHECK(cairn_archive_damaged(a, "core point %zu is in no cluster", i + 1));
    return CAIRN_OK;
}

/* Kinds and visits of a file must be such, since the report looks rows up by them. */
static cairn_status archive_account(cairn_archive *a, void *account, const void *model)
{
    cairn_dbscan_account *s = account;
    const cairn_dbscan_model *m = model;
    CHECK(cairn_archive_size(a, "n_rows", &s->n_rows, UINT32_MAX));
    CHECK(cairn_archive_size(a, "n_core", &s->n_core, UINT32_MAX));
    CHECK(cairn_archive_size(a, "n_border", &s->n_border, UINT32_MAX));
    CHECK(cairn_archive_size(a, "n_noise", &s->n_noise, UINT32_MAX));
    CHECK(cairn_archive_bool(a, "chosen", &s->chosen));
    CHECK(cairn_archive_reals(a, "sizes", &s->sizes, m->n_clusters));
    CHECK(cairn_archive_reals(a, "cores", &s->cores, m->n_clusters));
    CHECK(cairn_archive_size(a, "n_kept", &s->n_kept, CAIRN_DENSITY_SAMPLE));
    CHECK(cairn_archive_ints(a, "kinds", &s->kinds, s->n_kept));
    CHECK(cairn_archive_reals(a, "counts", &s->counts, s->n_kept));
    CHECK(cairn_archive_ints(a, "visits", &s->visits, s->n_kept));
    for (size_t i = 0; i < s->n_kept; i++)
        if (s->kinds[i] < CAIRN_DBSCAN_CORE || s->kinds[i] > CAIRN_DBSCAN_NOISE ||
            s->visits[i] < 0 || (size_t)s->visits[i] >= s->n_kept)
            CHECK(cairn_archive_damaged(a, "row %zu is of no kind", i + 1));
    CHECK(cairn_density_sample_archive(a, &s->sample));
    if (s->n_kept && s->sample.n != s->n_kept)
        CHECK(cairn_archive_damaged(a, "its rows do not fit together"));
    return CAIRN_OK;
}

static void clear_account(void *account)
{
    cairn_dbscan_account *s = account;
    cairn_free(s->sizes);
    cairn_free(s->cores);
    cairn_free(s->kinds);
    cairn_free(s->counts);
    cairn_free(s->visits);
    cairn_density_sample_clear(&s->sample);
}

static const cairn_account dbscan_account = {
    .size = sizeof(cairn_dbscan_account),
    .archive = archive_account,
    .clear = clear_account,
};

static cairn_status dbscan_check_model(cairn_archive *a, const void *model, const cairn_job *job)
{
    const cairn_dbscan_model *m = model;
    const cairn_dbscan_params *p = job->params;
    size_t n = 0, at = 0;
    while (cairn_schema_next_feature(job->schema, &at)) n++;
    return cairn_distance_rows_check(a, &m->cores, n, p->distance);
}

static void dbscan_clear(void *model)
{
    cairn_dbscan_model *m = model;
    cairn_distance_rows_clear(&m->cores);
    cairn_free(m->clusters);
    *m = (cairn_dbscan_model){0};
}

static cairn_model_size dbscan_size(const void *model)
{
    const cairn_dbscan_model *m = model;
    size_t columns = m->cores.given ? 0 : m->cores.points.width;
    return (cairn_model_size){.parameters = (double)m->n_cores * (double)(columns + 1),
                              .grows = true};
}

static const cairn_output dbscan_outputs[] = {
    {"distance", "that of the nearest core point"},
    {0},
};

const cairn_learner cairn_dbscan = {
    .entry =
        {
            .kind = CAIRN_ENTRY_LEARNER,
            .name = "dbscan",
            .also = "density-based clustering, density clustering, density reachability",
            .title = "DBSCAN: dense regions and noise",
            .summary =
                "Finds clusters of any shape: rows with at least min-points rows within eps are "
                "core points, core points within eps of each other belong together, rows near a "
                "core point are the border of its cluster, and the rest is noise, in no cluster. "
                "The number of clusters need not be known. A border row near two clusters goes to "
                "the first. A new row gets the cluster of its nearest core point within eps. "
                "Columns are standardised first where their scale matters, unless --scale says "
                "otherwise; eps is in those units. With --as distances the table is a matrix of "
                "distances.",
            .references = "Ester, Kriegel, Sander and Xu, A density-based algorithm for "
                          "discovering clusters in large spatial databases with noise, KDD (1996)",
            .example = "cairn fit dbscan @kmeans-twelve --eps 5 --min-points 3 --scale none",
            .params = dbscan_params,
            .params_size = sizeof(cairn_dbscan_params),
            .check = dbscan_check,
        },
    .tasks = CAIRN_CLUSTER,
    .aims = "rows that lie densely",
    .accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_WEIGHTS | CAIRN_ACCEPTS_DISTANCES |
               CAIRN_USES_DISTANCES | CAIRN_ACCEPTS_BAGS | CAIRN_WANTS_SCALING,
    .accepts_with = dbscan_accepts,
    .claims = CAIRN_CLAIM_WEIGHTS_REPEAT,
    .traits = CAIRN_DESCRIPTIVE | CAIRN_UNSUPERVISED | CAIRN_GEOMETRIC | CAIRN_GROUPING |
              CAIRN_MAY_ABSTAIN,
    .model_size = sizeof(cairn_dbscan_model),
    .tables = cairn_dbscan_tables,
    .account = &dbscan_account,
    .labels_rows = true,
    .sets_codes = true,
    .answers_slowly = true,
    .outputs = dbscan_outputs,
    .fit = dbscan_fit,
    .lower = cairn_dbscan_lower,
    .predict = dbscan_predict,
    .describe = cairn_dbscan_describe,
    .explain = cairn_dbscan_explain,
    .figures = cairn_dbscan_figures,
    .archive = dbscan_archive,
    .check = dbscan_check_model,
    .clear = dbscan_clear,
    .size = dbscan_size,
};
