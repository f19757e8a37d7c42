/* SPDX-License-Identifier: MIT */
/* Hierarchical clustering: a tree of clusters, from single rows to all of them.
 *
 * Agglomerative: every row is a cluster; the two nearest clusters are joined, at a height that is
 * their distance, until one is left. How far two clusters are from each other is the linkage:
 *
 *     single     the least distance of a row of one and a row of the other
 *     complete   the largest
 *     average    the mean (UPGMA)
 *     weighted   the mean of the distances of the two parts that were joined last (WPGMA)
 *     centroid   the distance of the means
 *     median     the distance of midpoints: that of a joined cluster is halfway between its parts'
 *     ward       the root of twice the growth of the sum of squares within clusters
 *
 * Divisive (hierarchy_divisive.c): all rows are one cluster, which is split until single rows are
 * left.
 *
 * The tree is cut into clusters by their number or at a height. A new row goes to the cluster that
 * the linkage says is nearest. Ties go to the first pair of the list of clusters, where new ones
 * stand at the end; how often that happened is counted. Row weights count as so many equal rows;
 * linkages that look at no sizes do not feel them. Rows of weight 0 have no leaf.
 *
 * Cost: hierarchy_join.c, hierarchy_rows.c, hierarchy_centres.c, hierarchy_span.c.
 *
 * Sources: Lance and Williams, A general theory of classificatory sorting strategies (1967); Ward,
 * Hierarchical grouping to optimize an objective function (1963); Muellner, Modern hierarchical,
 * agglomerative clustering algorithms (2011). */
#include "base/memory.h"
#include "base/number.h"
#include "data/shape.h"
#include "learners/cluster/hierarchy_join.h"
#include "learners/cluster/merges_proof.h"
#include "model/by_distance.h"
#include "rows/used.h"
#include "stats/dendrogram_forms.h"
#include <math.h>
#include <string.h>

static const cairn_choice methods[] = {
    {"agglomerative", CAIRN_HIERARCHY_AGGLOMERATIVE, "the two nearest clusters are joined"},
    {"bisecting", CAIRN_HIERARCHY_BISECTING, "a cluster is split by 2-means"},
    {"diana", CAIRN_HIERARCHY_DIANA, "a splinter group leaves the cluster of largest diameter"},
    {0},
};

static const cairn_choice linkages[] = {
    {"single", CAIRN_LINKAGE_SINGLE, "least distance of two rows"},
    {"complete", CAIRN_LINKAGE_COMPLETE, "largest distance of two rows"},
    {"average", CAIRN_LINKAGE_AVERAGE, "mean distance (UPGMA)"},
    {"weighted", CAIRN_LINKAGE_WEIGHTED, "mean of the distances of the two parts (WPGMA)"},
    {"centroid", CAIRN_LINKAGE_CENTROID, "distance of the means"},
    {"median", CAIRN_LINKAGE_MEDIAN, "distance of midpoints"},
    {"ward", CAIRN_LINKAGE_WARD, "growth of the sum of squares within clusters"},
    {0},
};

static const cairn_choice ties[] = {
    {"first", CAIRN_HIERARCHY_FIRST, "the first pair of the list of clusters"},
    {"last", CAIRN_HIERARCHY_LAST, "the first pair when the list is read from its end"},
    {0},
};

static const cairn_param hierarchy_params[] = {
    CAIRN_PARAM_CHOICE(cairn_hierarchy_params, method, "agglomerative", methods,
                       "how the tree is made", .often = true),
    CAIRN_PARAM_CHOICE(cairn_hierarchy_params, linkage, "average", linkages,
                       "how far two clusters are from each other", .when = "method=agglomerative",
                       .often = true),
    CAIRN_DISTANCE_PARAM(cairn_hierarchy_params),
    CAIRN_PARAM(cairn_hierarchy_params, clusters, "0", "[0,inf)",
                "cut the tree into so many clusters; 0: do not cut it by their number, so that "
                "without a height there is one cluster",
                .often = true),
    CAIRN_PARAM(cairn_hierarchy_params, height, CAIRN_NOT_GIVEN, "[0,inf)",
                "cut the tree at this height: merges above it are undone", .when = "clusters=0",
                .often = true),
    CAIRN_PARAM_CHOICE(cairn_hierarchy_params, tie, "first", ties,
                       "which of several pairs that are as near as each other is joined"),
    CAIRN_PARAM_END,
};

static cairn_status check_params(cairn_context *ctx, const void *values)
{
    const cairn_hierarchy_params *p = values;
    return cairn_metric_check(ctx, cairn_say(ctx, "{distance}"), p->distance);
}

static unsigned accepts_with(const void *params)
{
    return cairn_distance_accepts(((const cairn_hierarchy_params *)params)->distance);
}

/* -- joining -- */

/* From so many rows on a spanning tree does for single linkage; with ties it may take other pairs
 * first than the plain method. */
enum { SPAN_ROWS = 2000 };

cairn_status cairn_hierarchy_join(cairn_context *ctx, cairn_dendrogram *tree,
                                  const cairn_hierarchy_data *data,
                                  const cairn_hierarchy_params *params,
                                  cairn_hierarchy_account *account, cairn_report *steps)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_stored_rows_close) cairn_joiner joiner = {0};
    bool centres = params->linkage >= CAIRN_LINKAGE_CENTROID;
    account->tied = -1;
    if (params->linkage == CAIRN_LINKAGE_SINGLE && data->n > SPAN_ROWS)
        return cairn_hierarchy_span(ctx, tree, data);
    CHECK(cairn_joiner_make(ctx, &joiner, tree, params));
    if (centres && cairn_hierarchy_has_places(data->rows))
        CHECK(cairn_centre_rows_open(ctx, &joiner, data));
    else
        CHECK(cairn_stored_rows_open(ctx, &joiner, data));
    if (steps) CHECK(cairn_hierarchy_watch(ctx, &joiner, steps));
    CHECK(cairn_joiner_run(ctx, &joiner));
    account->tied = (int64_t)joiner.n_tied;
    account->at_least = data->n > CAIRN_COUNTED_TIES;
    return CAIRN_OK;
}

/* -- fitting -- */

/* Names of the leaves: the id column, or what a matrix of distances calls its rows; numbers of rows
 * need none unless some rows have no leaf. */
static cairn_status name_leaves(cairn_context *ctx, cairn_dendrogram *tree, const cairn_view *view)
{
    const cairn_table *table = view->table;
    ptrdiff_t id = cairn_table_role_column(table, CAIRN_ID);
    bool given = table->shape == CAIRN_SHAPE_DISTANCES;
    if (id < 0 && !given && view->rows.n == table->n_rows) return CAIRN_OK;
    CHECK(NEW(ctx, &tree->names, tree->n_leaves));
    for (size_t i = 0; i < tree->n_leaves; i++) {
        size_t row = cairn_view_row(view, i);
        char number[CAIRN_NUMBER_SIZE];
        size_t length = id < 0 ? 0 : cairn_table_cell(table, (size_t)id, row, NULL, 0);
        if (id >= 0) {
            CHECK(NEW(ctx, &tree->names[i], length + 1));
            cairn_table_cell(table, (size_t)id, row, tree->names[i], length + 1);
            continue;
        }
        cairn_number_format(number, (double)row + 1, CAIRN_SHORTEST);
        const char *name = given && row < view->n_features ? view->names[row] : number;
        CHECK(cairn_copy_text(ctx, &tree->names[i], name, strlen(name)));
    }
    return CAIRN_OK;
}

/* What steps call the leaves. Scratch. */
static cairn_status call_leaves(cairn_context *ctx, const char ***out, const cairn_dendrogram *tree)
{
    CHECK(SCRATCH(ctx, out, tree->n_leaves));
    for (size_t i = 0; i < tree->n_leaves; i++) {
        char *room;
        CHECK(SCRATCH(ctx, &room, CAIRN_LEAF_NAME));
        (*out)[i] = cairn_leaf_name(tree, i, room);
    }
    return CAIRN_OK;
}

static cairn_status weigh_leaves(cairn_context *ctx, cairn_dendrogram *tree, const cairn_view *view)
{
    if (!cairn_view_is_weighted(view)) return CAIRN_OK;
    CHECK(NEW(ctx, &tree->weights, tree->n_leaves));
    cairn_view_weights(view, 0, tree->n_leaves, tree->weights);
    return CAIRN_OK;
}

static cairn_status cut_tree(cairn_context *ctx, cairn_hierarchy_model *m,
                             const cairn_hierarchy_params *p)
{
    SCOPED_SCRATCH(ctx);
    cairn_cut cut;
    bool at_height = p->clusters == 0 && !isnan(p->height);
    if (at_height)
        CHECK(cairn_dendrogram_cut_height(ctx, &cut, &m->tree, p->height));
    else
        CHECK(cairn_dendrogram_cut_number(ctx, &cut, &m->tree,
                                          p->clusters ? (size_t)p->clusters : 1));
    m->n_clusters = cut.n_clusters;
    m->n_hidden = (int64_t)cut.n_hidden;
    m->cut = at_height || p->clusters ? cut.height : NAN;
    CHECK(NEW(ctx, &m->codes, m->tree.n_leaves));
    CHECK(NEW(ctx, &m->sizes, m->n_clusters));
    CHECK(NEW(ctx, &m->heights, m->n_clusters));
    memcpy(m->codes, cut.codes, m->tree.n_leaves * sizeof *m->codes);
    for (size_t c = 0; c < m->n_clusters; c++) {
        m->sizes[c] = cairn_dendrogram_size(&m->tree, cut.nodes[c]);
        m->heights[c] = cairn_dendrogram_height(&m->tree, cut.nodes[c]);
    }
    return CAIRN_OK;
}

/* Clusters of the rows: those of weight 0 have no leaf and are answered like new ones. */
static cairn_status label_rows(cairn_context *ctx, const cairn_hierarchy_model *m,
                               const cairn_job *job)
{
    size_t leaf = 0;
    if (!job->fitted) return CAIRN_OK;
    if (m->tree.n_leaves < job->view->rows.n)
        CHECK(cairn_hierarchy_answer(ctx, m, job->view, job->fitted, NULL));
    for (size_t i = 0; i < job->view->rows.n; i++)
        if (cairn_view_weight(job->view, i) > 0) job->fitted[i] = m->codes[leaf++];
    return CAIRN_OK;
}

static void clear_account(void *data)
{
    cairn_hierarchy_account *account = data;
    cairn_free(account->cuts);
    cairn_free(account->diameters);
    *account = (cairn_hierarchy_account){0};
}

static cairn_status start_tree(cairn_context *ctx, cairn_hierarchy_model *m, const cairn_view *view)
{
    if (view->rows.n == 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "there are no rows of positive weight to cluster");
    CHECK(cairn_dendrogram_new(ctx, &m->tree, view->rows.n));
    CHECK(name_leaves(ctx, &m->tree, view));
    return weigh_leaves(ctx, &m->tree, view);
}

/* DIANA's heights are diameters, and those of bisecting distances of Ward. */
static cairn_status prove(cairn_context *ctx, const cairn_hierarchy_model *m,
                          const cairn_distance_rows *rows, const cairn_job *job)
{
    cairn_merges_asked asked = {
        .tree = &m->tree, .rows = rows, .linkage = (cairn_linkage)m->linkage};
    asked.splits = m->method != CAIRN_HIERARCHY_AGGLOMERATIVE;
    if (asked.splits)
        asked.linkage =
            m->method == CAIRN_HIERARCHY_DIANA ? CAIRN_LINKAGE_COMPLETE : CAIRN_LINKAGE_WARD;
    return cairn_merges_prove(ctx, job->certificate, &asked);
}

/* The tree is proved before it is cut; rows of weight 0 have no leaf. */
static cairn_status hierarchy_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    const cairn_hierarchy_params *p = job->params;
    SCOPED(cairn_distance_rows_clear) cairn_distance_rows rows = {0};
    SCOPED(clear_account) cairn_hierarchy_account own = {0};
    cairn_hierarchy_account *account = job->account ? job->account : &own;
    cairn_hierarchy_model *m = model;
    const char **names;
    cairn_view view;
    CHECK(cairn_view_used(ctx, &view, job->view));
    m->method = p->method;
    m->linkage = p->linkage;
    m->tie = p->tie;
    CHECK(start_tree(ctx, m, &view));
    CHECK(cairn_distance_rows_open(ctx, &rows, &view, p->distance));
    CHECK(call_leaves(ctx, &names, &m->tree));
    cairn_hierarchy_data data = {
        .view = &view, .n = rows.n, .rows = &rows, .weights = m->tree.weights, .names = names};
    account->tied = -1;
    account->silhouette = NAN;
    if (p->method == CAIRN_HIERARCHY_AGGLOMERATIVE)
        CHECK(cairn_hierarchy_join(ctx, &m->tree, &data, p, account, job->steps));
    else
        CHECK(cairn_hierarchy_divide(ctx, &m->tree, &data, p, job->steps));
    CHECK(prove(ctx, m, &rows, job));
    CHECK(cut_tree(ctx, m, p));
    CHECK(cairn_hierarchy_keep(ctx, m, &data));
    if (job->account) CHECK(cairn_hierarchy_judge(ctx, account, m, &data));
    return label_rows(ctx, m, job);
}

static cairn_status hierarchy_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                      const cairn_job *job)
{
    const cairn_hierarchy_model *m = model;
    double *distances = NULL;
    if (out->extra) CHECK(SCRATCH(ctx, &distances, job->view->rows.n + 1));
    CHECK(cairn_hierarchy_answer(ctx, m, job->view, out->codes, distances));
    out->codes_set = true;
    out->n_classes = m->n_clusters;
    if (out->extra) CHECK(cairn_table_put_numbers(ctx, out->extra, "distance", distances));
    return CAIRN_OK;
}

/* -- keeping -- */

/* Sizes, heights and codes of the cut; codes of a file must name clusters. */
static cairn_status archive_cut(cairn_archive *a, cairn_hierarchy_model *m)
{
    size_t n = m->tree.n_leaves;
    CHECK(cairn_archive_size(a, "n_clusters", &m->n_clusters, n));
    if (m->n_clusters == 0) CHECK(cairn_archive_damaged(a, "there are no clusters"));
    CHECK(cairn_archive_real(a, "cut", &m->cut));
    CHECK(cairn_archive_int64(a, "hidden", &m->n_hidden));
    CHECK(cairn_archive_ints(a, "codes", &m->codes, n));
    CHECK(cairn_archive_reals(a, "sizes", &m->sizes, m->n_clusters));
    CHECK(cairn_archive_reals(a, "heights", &m->heights, m->n_clusters));
    for (size_t i = 0; i < n; i++)
        if (m->codes[i] < 0 || (size_t)m->codes[i] >= m->n_clusters)
            CHECK(cairn_archive_damaged(a, "row %zu is in cluster %lld of %zu", i + 1,
                                        (long long)m->codes[i] + 1, m->n_clusters));
    return CAIRN_OK;
}

/* What answers for new rows. */
static cairn_status archive_rule(cairn_archive *a, cairn_hierarchy_model *m)
{
    bool shares = m->shares != NULL, spreads = m->spreads != NULL;
    CHECK(cairn_archive_int(a, "rule", &m->rule));
    if (m->rule < CAIRN_RULE_NEAREST || m->rule > CAIRN_RULE_WARD)
        CHECK(cairn_archive_damaged(a, "there is no rule %d", (int)m->rule));
    CHECK(cairn_archive_bool(a, "centres", &m->centres));
    CHECK(cairn_distance_rows_archive(a, &m->rows));
    if (m->rows.n != (m->centres ? m->n_clusters : m->tree.n_leaves))
        CHECK(cairn_archive_damaged(a, "there are %zu rows to compare with", m->rows.n));
    CHECK(cairn_archive_bool(a, "has_shares", &shares));
    if (shares) CHECK(cairn_archive_reals(a, "shares", &m->shares, m->tree.n_leaves));
    CHECK(cairn_archive_bool(a, "has_spreads", &spreads));
    if (spreads) CHECK(cairn_archive_reals(a, "spreads", &m->spreads, m->n_clusters));
    if (!m->centres && m->rule >= CAIRN_RULE_MEAN && !shares)
        CHECK(cairn_archive_damaged(a, "shares of the rows are missing"));
    return CAIRN_OK;
}

static cairn_status hierarchy_archive(cairn_archive *a, void *model)
{
    cairn_hierarchy_model *m = model;
    CHECK(cairn_archive_int(a, "method", &m->method));
    CHECK(cairn_archive_int(a, "linkage", &m->linkage));
    CHECK(cairn_archive_int(a, "tie", &m->tie));
    if (m->method < CAIRN_HIERARCHY_AGGLOMERATIVE || m->method > CAIRN_HIERARCHY_DIANA ||
        m->linkage < CAIRN_LINKAGE_SINGLE || m->linkage > CAIRN_LINKAGE_WARD)
        CHECK(cairn_archive_damaged(a, "the method is not known"));
    CHECK(cairn_dendrogram_archive(a, &m->tree));
    CHECK(archive_cut(a, m));
    return archive_rule(a, m);
}

static cairn_status archive_account(cairn_archive *a, void *data, const void *model)
{
    const cairn_hierarchy_model *m = model;
    cairn_hierarchy_account *account = data;
    CHECK(cairn_archive_int64(a, "tied", &account->tied));
    CHECK(cairn_archive_bool(a, "at_least", &account->at_least));
    CHECK(cairn_archive_real(a, "silhouette", &account->silhouette));
    CHECK(cairn_archive_size(a, "n_cuts", &account->n_cuts, CAIRN_HIERARCHY_CUTS));
    CHECK(cairn_archive_reals(a, "cuts", &account->cuts, account->n_cuts));
    CHECK(cairn_archive_size(a, "n_diameters", &account->n_diameters, m->n_clusters));
    if (account->n_diameters != 0 && account->n_diameters != m->n_clusters)
        CHECK(cairn_archive_damaged(a, "some clusters have no diameter"));
    return cairn_archive_reals(a, "diameters", &account->diameters, account->n_diameters);
}

static const cairn_account hierarchy_account = {
    .size = sizeof(cairn_hierarchy_account),
    .archive = archive_account,
    .clear = clear_account,
};

static cairn_status hierarchy_check(cairn_archive *a, const void *model, const cairn_job *job)
{
    const cairn_hierarchy_model *m = model;
    const cairn_hierarchy_params *p = job->params;
    size_t n = 0;
    for (size_t i = 0; i < job->schema->n_fields; i++)
        n += job->schema->fields[i].role == CAIRN_FEATURE;
    return cairn_distance_rows_check(a, &m->rows, n, p->distance);
}

static void hierarchy_clear(void *model)
{
    cairn_hierarchy_model *m = model;
    cairn_dendrogram_clear(&m->tree);
    cairn_distance_rows_clear(&m->rows);
    cairn_free(m->codes);
    cairn_free(m->sizes);
    cairn_free(m->heights);
    cairn_free(m->shares);
    cairn_free(m->spreads);
    *m = (cairn_hierarchy_model){0};
}

static cairn_model_size hierarchy_size(const void *model)
{
    const cairn_hierarchy_model *m = model;
    return (cairn_model_size){.parameters = (double)(m->tree.n_leaves - 1), .grows = true};
}

static const cairn_output hierarchy_outputs[] = {
    {"distance", "distance to the cluster by the linkage"},
    {0},
};

const cairn_learner cairn_hierarchy = {
    .entry =
        {
            .kind = CAIRN_ENTRY_LEARNER,
            .name = "hierarchy",
            .also = "hierarchical clustering, agglomerative clustering, HAC, hclust, cutree, "
                    "AGNES, UPGMA, WPGMA, "
                    "Ward (linkage=ward), DIANA (method=diana), bisecting k-means "
                    "(method=bisecting), dendrogram",
            .title = "Hierarchical clustering",
            .summary =
                "Makes a tree of clusters, from single rows to all of them: the two clusters that "
                "are nearest by the linkage are joined, at a height that is their distance, until "
                "one is left. The tree is cut into clusters by --clusters or at a --height. Any "
                "distance will do, or a matrix of distances (--as distances). A new row goes to "
                "the cluster of the cut that is nearest by the linkage.",
            .references =
                "Lance and Williams, A general theory of classificatory sorting strategies, "
                "Computer Journal 9 (1967); Ward, Hierarchical grouping to optimize an objective "
                "function, Journal of the American Statistical Association 58 (1963)",
            .example = "cairn fit hierarchy @iris --ignore species --linkage ward --clusters 3",
            .params = hierarchy_params,
            .params_size = sizeof(cairn_hierarchy_params),
            .check = check_params,
        },
    .tasks = CAIRN_CLUSTER,
    .aims = "clusters that are close are merged first, or those that are wide are divided",
    .accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_WEIGHTS | CAIRN_ACCEPTS_DISTANCES |
               CAIRN_USES_DISTANCES | CAIRN_WANTS_SCALING,
    .accepts_with = accepts_with,
    .traits = CAIRN_PREDICTIVE | CAIRN_UNSUPERVISED | CAIRN_GEOMETRIC | CAIRN_GROUPING,
    .model_size = sizeof(cairn_hierarchy_model),
    .tables = cairn_hierarchy_tables,
    .labels_rows = true,
    .outputs = hierarchy_outputs,
    .fit = hierarchy_fit,
    .lower = cairn_hierarchy_lower,
    .forms = cairn_hierarchy_forms,
    .figures = cairn_hierarchy_figures,
    .predict = hierarchy_predict,
    .describe = cairn_hierarchy_describe,
    .account = &hierarchy_account,
    .archive = hierarchy_archive,
    .check = hierarchy_check,
    .clear = hierarchy_clear,
    .size = hierarchy_size,
};
