/* SPDX-License-Identifier: MIT */
/* Clusters by a forest: groups of rows that a forest cannot tell apart, without a target.
 *
 * 1. Make a contrast: as many rows again, whose columns are drawn independently of each other, so
 *    that everything that columns have to do with each other is gone.
 * 2. Grow a forest that tells the rows from the contrast. Its out-of-bag error says how much there
 *    is to find: near one half, the columns have nothing to do with each other.
 * 3. Rows that reach the same leaves are near. Find medoids, rows such that the sum of
 *    1 - proximity to the nearest of them is small: the first ones greedily, then by the best
 *    exchange of a medoid for another row, as long as one helps.
 * 4. Put the clusters into the leaves of the forest, as shares of the rows that are there: a new
 *    row is answered like by any forest.
 *
 * Numbers and levels as they are, unscaled; missing cells are drawn like others.
 *
 * Cost: O(rows²) memory and time for step 3. */
#include "learners/forest/forest.h"
#include "learners/tree/show/node_lines.h"
#include "base/number.h"
#include "parallel/parallel.h"
#include "report/table_rows.h"
#include "stats/scaling.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAP_ROWS = 1000 };
enum { CONTRAST_MARGINALS, CONTRAST_UNIFORM };

typedef struct cluster_params {
    int clusters, trees, mtry, contrast;
    double min_leaf;
} cluster_params;

static const cairn_choice contrast_choices[] = {
    {"marginals", CONTRAST_MARGINALS, "cells of the column, drawn with repeats"},
    {"uniform", CONTRAST_UNIFORM, "numbers evenly between the least and the greatest, any level"},
    {NULL, 0, NULL},
};

static const cairn_param cluster_param_table[] = {
    CAIRN_PARAM(cluster_params, clusters, NULL, "[1,10000]", "number of clusters"),
    CAIRN_PARAM(cluster_params, trees, "200", "[1,1000000]", "number of trees"),
    CAIRN_PARAM(cluster_params, mtry, "0", "[0,inf)",
                "columns that are drawn at every node; 0 = the root of their number"),
    CAIRN_PARAM(cluster_params, min_leaf, "5", "[0,inf)",
                "least rows of a leaf, contrast included"),
    CAIRN_PARAM_CHOICE(cluster_params, contrast, "marginals", contrast_choices,
                       "how the columns of the contrast are drawn"),
    CAIRN_PARAM_END,
};

typedef struct cluster_model {
    cairn_forest_model forest; /* its classes are the clusters */
    size_t n_clusters;
} cluster_model;

/* How it came about. */
typedef struct cluster_history {
    cairn_forest_history forest;
    int32_t *medoids; /* n_clusters: rows of the table */
    double *sizes;    /* n_clusters */
    double contrast;  /* error of telling rows from contrast */
    double cost;      /* mean of 1 - proximity to the medoid */
    size_t n_map;
    double *map;     /* 2 x n_map: places of (some) rows */
    int32_t *groups; /* n_map: their clusters */
} cluster_history;

/* -- the contrast -- */

static void draw_numbers(double *values, size_t n, bool uniform, cairn_random *random)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        low = values[i] < low ? values[i] : low;
        high = values[i] > high ? values[i] : high;
    }
    for (size_t i = n; i < 2 * n; i++) {
        double cell = values[cairn_random_below(random, n)], u = cairn_random_uniform(random);
        values[i] = uniform && !isnan(cell) ? low * (1 - u) + high * u : cell;
    }
}

/* The rows of the view and as many of contrast, with a target that tells them apart. */
static cairn_status make_contrast(cairn_context *ctx, cairn_table **out, const cairn_view *view,
                                  bool uniform)
{
    static const char *const kinds[] = {"rows", "contrast"};
    size_t n = view->rows.n;
    double *values = NULL;
    int32_t *codes = NULL;
    const char **names = NULL;
    cairn_random random;
    cairn_status status;
    cairn_random_start(&random, cairn_context_seed(ctx), UINT64_MAX);
    TRY(cairn_table_new(ctx, out, 2 * n));
    TRY(SCRATCH_RAW_EACH(ctx, 2 * n, &values, &codes));
    for (size_t c = 0; c < view->n_features; c++) {
        const cairn_column *column = view->features[c];
        cairn_text name = cairn_text_start(ctx);
        cairn_text_addf(&name, "x%zu", c);
        status = cairn_text_status(&name);
        if (!status && column->kind == CAIRN_LEVEL) {
            status = SCRATCH(ctx, &names, column->names.n + 1);
            for (size_t v = 0; !status && v < column->names.n; v++)
                names[v] = cairn_map_key(&column->names, v);
            for (size_t i = 0; i < n; i++) codes[i] = column->codes[cairn_view_row(view, i)];
            size_t n_levels = column->names.n;
            for (size_t i = n; i < 2 * n; i++) {
                int32_t cell = codes[cairn_random_below(&random, n)];
                codes[i] =
                    uniform && cell >= 0 ? (int32_t)cairn_random_below(&random, n_levels) : cell;
            }
            if (!status)
                status =
                    cairn_table_add_levels(ctx, *out, name.bytes, codes, names, column->names.n);
            if (!status) (*out)->slots[c].column->ordered = column->ordered;
        } else if (!status) {
            for (size_t i = 0; i < n; i++) values[i] = column->numbers[cairn_view_row(view, i)];
            draw_numbers(values, n, uniform, &random);
            status = cairn_table_put_numbers(ctx, *out, name.bytes, values);
        }
        cairn_text_clear(&name);
        if (status) goto done;
    }
    for (size_t i = 0; i < 2 * n; i++) codes[i] = i >= n;
    TRY(cairn_table_add_levels(ctx, *out, "kind", codes, kinds, 2));
    TRY(cairn_table_set_role(ctx, *out, "kind", CAIRN_TARGET));
done:
    return status;
}

/* -- medoids -- */

typedef struct medoids {
    size_t n, k;
    const double *away;     /* n x n: 1 - proximity */
    size_t *rows;           /* k: the medoids */
    size_t *nearest;        /* n: place of the nearest medoid in `rows` */
    double *first, *second; /* n: distance to the nearest and to the next medoid */
    double *change;         /* k: working memory */
} medoids;

/* Nearest and next medoid of every row; ties go to the first. */
static double assign(medoids *m)
{
    double sum = 0;
    for (size_t i = 0; i < m->n; i++) {
        m->first[i] = m->second[i] = INFINITY;
        for (size_t c = 0; c < m->k; c++) {
            double away = m->away[i * m->n + m->rows[c]];
            if (away < m->first[i]) {
                m->second[i] = m->first[i];
                m->first[i] = away;
                m->nearest[i] = c;
            } else if (away < m->second[i]) {
                m->second[i] = away;
            }
        }
        sum += m->first[i];
    }
    return sum;
}

/* The first medoids: each the row that lowers the sum most. */
static void build(medoids *m)
{
    size_t wanted = m->k;
    for (size_t i = 0; i < m->n; i++) m->first[i] = 2; /* farther than any row */
    for (m->k = 0; m->k < wanted; m->k++) {
        double most = -1;
        for (size_t x = 0; x < m->n; x++) {
            double gain = 0;
            for (size_t i = 0; i < m->n; i++) {
                double closer = m->first[i] - m->away[x * m->n + i];
                gain += closer > 0 ? closer : 0;
            }
            bool taken = false;
            for (size_t c = 0; c < m->k; c++) taken |= m->rows[c] == x;
            if (taken || gain <= most) continue;
            most = gain;
            m->rows[m->k] = x;
        }
        for (size_t i = 0; i < m->n; i++)
            m->first[i] = fmin(m->first[i], m->away[m->rows[m->k] * m->n + i]);
    }
}

/* The best exchange of a medoid for a row; false when none helps. Rows that leave their medoid go
 * to the next one or to the new one. */
static bool exchange(medoids *m)
{
    double best = -1e-9;
    size_t best_row = 0, best_medoid = 0;
    for (size_t x = 0; x < m->n; x++) {
        double gained = 0;
        memset(m->change, 0, m->k * sizeof *m->change);
        for (size_t i = 0; i < m->n; i++) {
            double away = m->away[x * m->n + i];
            if (away < m->first[i]) gained += away - m->first[i];
            double leaving = fmin(away, m->second[i]) - m->first[i];
            m->change[m->nearest[i]] += leaving - (away < m->first[i] ? away - m->first[i] : 0);
        }
        for (size_t c = 0; c < m->k; c++)
            if (m->k > 1 && gained + m->change[c] < best) {
                best = gained + m->change[c];
                best_row = x;
                best_medoid = c;
            }
    }
    if (best >= -1e-9) return false;
    m->rows[best_medoid] = best_row;
    return true;
}

static cairn_status find_medoids(cairn_context *ctx, medoids *m)
{
    enum { ROUNDS = 200 };
    CHECK(SCRATCH(ctx, &m->rows, m->k));
    CHECK(SCRATCH_EACH(ctx, m->n, &m->nearest, &m->first, &m->second));
    CHECK(SCRATCH(ctx, &m->change, m->k));
    build(m);
    (void)assign(m);
    for (int round = 0; round < ROUNDS && exchange(m); round++) {
        (void)assign(m);
        CHECK(cairn_tick(ctx, "exchanging medoids", round, ROUNDS));
    }
    return CAIRN_OK;
}

/* -- distances -- */

typedef struct measuring {
    const cairn_proximities *p;
    double *away;
    uint32_t **counts, **near;
} measuring;

static void measure_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const measuring *work = data;
    uint32_t *counts = work->counts[worker], *near = work->near[worker];
    (void)block;
    for (size_t i = begin; i < end; i++) {
        double *away = work->away + i * work->p->n;
        size_t n_near = cairn_proximities_of(work->p, i, counts, near);
        for (size_t j = 0; j < work->p->n; j++) away[j] = 1;
        for (size_t j = 0; j < n_near; j++) {
            away[near[j]] = 1 - counts[near[j]] / (double)work->p->n_trees;
            counts[near[j]] = 0;
        }
    }
}

/* -- clusters in the leaves -- */

/* The leaf of a reference gets the clusters of the rows that are there. */
static cairn_status relabel(cairn_context *ctx, cairn_forest_tree *tree, uint32_t *reference,
                            const uint32_t *counts, const double *sizes, size_t k, size_t *buffer)
{
    size_t used = 0, only = 0;
    double total = 0;
    if (*reference == CAIRN_FOREST_NONE || !(*reference & CAIRN_FOREST_LEAF)) return CAIRN_OK;
    for (size_t l = 0; l < k; l++) {
        used += counts[l] > 0;
        if (counts[l] > counts[only]) only = l;
        total += counts[l];
    }
    *reference = CAIRN_FOREST_LEAF | (uint32_t)only;
    if (used == 1 || k == 1) return CAIRN_OK;
    CHECK(GROW(ctx, &tree->mixed_classes, &buffer[0], tree->n_shares + k));
    CHECK(GROW(ctx, &tree->mixed_shares, &buffer[1], tree->n_shares + k));
    CHECK(GROW(ctx, &tree->mixed_starts, &buffer[2], tree->n_mixed + 2));
    *reference = CAIRN_FOREST_LEAF | (uint32_t)(k + tree->n_mixed);
    tree->mixed_starts[0] = 0;
    for (size_t pass = 0; pass < 2; pass++)
        for (size_t l = 0; l < k; l++) {
            double share = total > 0 ? counts[l] / total : sizes[l]; /* only contrast: as all */
            if ((l == only) != (pass == 0) || !(share > 0)) continue;
            tree->mixed_classes[tree->n_shares] = (int32_t)l;
            tree->mixed_shares[tree->n_shares++] = share;
        }
    tree->mixed_starts[++tree->n_mixed] = (uint32_t)tree->n_shares;
    return CAIRN_OK;
}

typedef struct labelling {
    cluster_model *model;
    const cairn_binned *data; /* the rows, without the contrast */
    const medoids *m;
    uint32_t **maps;
    const double *shares; /* of the clusters */
} labelling;

/* How many rows of each cluster every leaf of the tree has: places x clusters. */
static cairn_status count_leaves(cairn_context *ctx, uint32_t **out, const labelling *work,
                                 const cairn_forest_tree *tree)
{
    const cairn_forest_model *forest = &work->model->forest;
    size_t n = work->data->n_rows, d = forest->n_columns, k = work->m->k, place;
    size_t block = cairn_forest_block_rows(forest, n, CAIRN_FOREST_PARTS);
    uint32_t *codes = NULL, *rows = NULL, *space = NULL;
    CHECK(SCRATCH(ctx, out, cairn_product(3 * tree->n_nodes + tree->n_links + 2, k)));
    CHECK(SCRATCH_RAW(ctx, &codes, block * d));
    CHECK(SCRATCH_RAW_EACH(ctx, block, &rows, &space));
    for (size_t first = 0; first < n; first += block) {
        size_t size = n - first < block ? n - first : block;
        cairn_forest_code_data(codes, forest, work->data, work->maps, first, size, rows, space);
        for (size_t i = 0; i < size; i++) {
            (void)cairn_forest_leaf(forest, tree, codes + i * d, &place);
            (*out)[place * k + work->m->nearest[first + i]]++;
        }
    }
    return CAIRN_OK;
}

/* Leaves of the forest against the contrast get the shares of the clusters that reach them, so
 * new rows can be given a cluster without their proximities. */
static cairn_status label_tree(cairn_context *ctx, void *data, size_t t)
{
    const labelling *work = data;
    cairn_forest_tree *tree = &work->model->forest.trees[t];
    size_t k = work->m->k, buffer[3] = {0};
    const double *sizes = work->shares;
    uint32_t *counts = NULL;
    CHECK(count_leaves(ctx, &counts, work, tree));
    CHECK(cairn_forest_spread(ctx, tree));
    FREE_EACH(tree->mixed_starts, tree->mixed_classes, tree->mixed_shares);
    tree->mixed_starts = NULL;
    tree->mixed_classes = NULL;
    tree->mixed_shares = NULL;
    tree->n_mixed = tree->n_shares = 0;
    CHECK(relabel(ctx, tree, &tree->root, counts, sizes, k, buffer));
    for (size_t i = 0; i < tree->n_nodes; i++) {
        cairn_forest_node *node = &tree->nodes[i];
        const uint32_t *at = counts + (1 + 2 * i) * k;
        if (node->test & CAIRN_FOREST_WIDE) {
            at = counts + (1 + 2 * tree->n_nodes + node->left) * k;
            for (size_t b = 0; b <= node->right; b++)
                CHECK(
                    relabel(ctx, tree, &tree->links[node->left + b], at + b * k, sizes, k, buffer));
            continue;
        }
        CHECK(relabel(ctx, tree, &node->left, at, sizes, k, buffer));
        CHECK(relabel(ctx, tree, &node->right, at + k, sizes, k, buffer));
    }
    return cairn_forest_settle(ctx, tree, work->model->forest.n_columns);
}

static cairn_status label_leaves(cairn_context *ctx, cluster_model *model, const double *sizes,
                                 const cairn_binned *data, const medoids *m)
{
    labelling work = {.model = model, .data = data, .m = m};
    double *shares = NULL;
    CHECK(SCRATCH(ctx, &shares, m->k));
    for (size_t c = 0; c < m->k; c++) shares[c] = sizes[c] / (double)m->n;
    work.shares = shares;
    CHECK(cairn_forest_code_maps(ctx, &work.maps, &model->forest, data));
    CHECK(cairn_tasks(ctx, model->forest.n_trees, label_tree, &work));
    model->forest.n_classes = m->k;
    model->forest.combine = CAIRN_FOREST_SHARES;
    return CAIRN_OK;
}

/* -- fit -- */

/* Places in a plane whose distances are about √(1 − proximity), for some rows evenly chosen. */
static cairn_status make_map(cairn_context *ctx, cluster_history *history, const medoids *m)
{
    size_t n = m->n < MAP_ROWS ? m->n : MAP_ROWS;
    double *distances = NULL;
    cairn_scaling scaling;
    CHECK(NEW(ctx, &history->map, 2 * n));
    CHECK(NEW(ctx, &history->groups, n));
    history->n_map = n;
    CHECK(SCRATCH(ctx, &distances, n * n));
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            distances[i * n + j] = sqrt(m->away[(i * m->n / n) * m->n + j * m->n / n]);
    CHECK(cairn_classical_scaling(ctx, &scaling, distances, n, n < 2 ? n : 2, CAIRN_SIGN_FIRST,
                                  NULL));
    memcpy(history->map, scaling.places, scaling.n_dimensions * n * sizeof *history->map);
    for (size_t i = 0; i < n; i++) history->groups[i] = (int32_t)m->nearest[i * m->n / n];
    return CAIRN_OK;
}

static cairn_status keep_clusters(cairn_context *ctx, cluster_history *history, const medoids *m,
                                  const cairn_view *view)
{
    double sum = 0;
    CHECK(NEW_EACH(ctx, m->k, &history->medoids, &history->sizes));
    for (size_t c = 0; c < m->k; c++)
        history->medoids[c] = (int32_t)cairn_view_row(view, m->rows[c]);
    for (size_t i = 0; i < m->n; i++) {
        history->sizes[m->nearest[i]]++;
        sum += m->first[i];
    }
    history->cost = sum / (double)m->n;
    return CAIRN_OK;
}

/* Row by row: how far each medoid is, and which is the nearest. */
static void show_steps(cairn_report *out, const medoids *m, const cairn_view *view)
{
    enum { MOST_MEDOIDS = 10 };
    size_t shown = m->k < MOST_MEDOIDS ? m->k : MOST_MEDOIDS;
    double sum = 0;
    for (size_t i = 0; i < m->n; i++) sum += m->first[i];
    cairn_report_step_begin(out, "Rows go to the nearest medoid");
    cairn_report_formula(out, "1 − proximity, proximity = share of trees in which two rows end in "
                              "the same leaf");
    cairn_report_table_of(out, NULL, 0, "r", "row");
    for (size_t c = 0; c < shown; c++) {
        char head[CAIRN_NUMBER_SIZE + 8] = "row ";
        cairn_number_format(head + 4, (double)cairn_view_row(view, m->rows[c]) + 1, 0);
        cairn_report_column(out, head, 'r');
    }
    cairn_report_column(out, "cluster", 'r');
    for (size_t i = 0; i < m->n && cairn_report_row_wanted(out); i++) {
        cairn_report_cellf(out, "%zu", (size_t)cairn_view_row(view, i) + 1);
        for (size_t c = 0; c < shown; c++)
            cairn_report_cell_number(out, m->away[i * m->n + m->rows[c]], 4, NULL);
        cairn_report_cellf(out, "%zu", (size_t)m->nearest[i] + 1);
    }
    cairn_report_table_end(out);
    cairn_report_worked(out, "mean of 1 − proximity", "# / # = #", sum, (double)m->n,
                        sum / (double)m->n);
    cairn_report_step_end(out);
}

static cairn_forest_params forest_params(const cluster_params *p)
{
    cairn_forest_params params = {.trees = p->trees,
                                  .mtry = p->mtry,
                                  .sample_share = NAN,
                                  .importance = CAIRN_FOREST_IMPURITY};
    params.tree = (cairn_tree_settings){.impurity = CAIRN_GINI,
                                        .split = 1,
                                        .missing_in_model = CAIRN_TREE_MODE,
                                        .tie = CAIRN_TREE_RANDOM,
                                        .min_leaf = p->min_leaf,
                                        .purity = 1};
    return params;
}

/* The model with its history. */
static cairn_status fit_both(cairn_context *ctx, cluster_model *model, cluster_history *history,
                             const cairn_job *job)
{
    const cluster_params *p = job->params;
    cairn_forest_params params = forest_params(p);
    size_t n = job->view->rows.n;
    OWNED(cairn_table_free) cairn_table *table = NULL;
    SCOPED(cairn_binned_clear) cairn_binned data = {0};
    cairn_forest_growth growth;
    cairn_proximities near;
    cairn_view view;
    double *away = NULL;
    if ((size_t)p->clusters > n)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "{clusters %d} needs as many rows, and there are %zu", p->clusters, n);
    CHECK(cairn_memory_check(ctx, 8 * (double)n * (double)n, "distances between all rows",
                             "use fewer rows"));
    CHECK(make_contrast(ctx, &table, job->view, p->contrast == CONTRAST_UNIFORM));
    CHECK(cairn_view_make(ctx, &view, table, cairn_all_rows(table)));
    cairn_job inner = {.task = CAIRN_CLASSIFY, .view = &view, .n_classes = 2, .positive = -1};
    CHECK(cairn_forest_raise(ctx, &growth, &data, &model->forest, &history->forest, &inner, &params,
                             cairn_context_seed(ctx)));
    CHECK(cairn_forest_judge(ctx, &growth, NULL, NULL));
    /* How well the forest tells rows from contrast is all that is kept of its out-of-bag error:
     * its classes are the clusters from now on. */
    cairn_forest_oob *oob = &history->forest.oob;
    history->contrast = oob->error;
    FREE_EACH(oob->matrix, oob->curve);
    *oob = (cairn_forest_oob){0};
    cairn_binned rows = data; /* the contrast comes after the rows */
    rows.n_rows = n;
    CHECK(cairn_proximities_make(ctx, &near, &model->forest, &rows));
    CHECK(SCRATCH_RAW(ctx, &away, cairn_product(n, n)));
    size_t workers = (size_t)cairn_workers(ctx);
    measuring work = {.p = &near, .away = away};
    CHECK(SCRATCH_EACH(ctx, workers, &work.counts, &work.near));
    for (size_t w = 0; w < workers; w++) {
        CHECK(SCRATCH(ctx, &work.counts[w], near.n));
        CHECK(SCRATCH(ctx, &work.near[w], near.n + 1));
    }
    CHECK(cairn_blocks(ctx, near.n, 64, measure_block, &work));
    medoids m = {.n = n, .k = (size_t)p->clusters, .away = away};
    CHECK(find_medoids(ctx, &m));
    model->n_clusters = m.k;
    CHECK(keep_clusters(ctx, history, &m, job->view));
    if (job->steps) show_steps(job->steps, &m, job->view);
    CHECK(label_leaves(ctx, model, history->sizes, &rows, &m));
    return make_map(ctx, history, &m);
}

static void clear_history(void *data)
{
    cluster_history *history = data;
    cairn_forest_clear_history(&history->forest);
    FREE_EACH(history->medoids, history->sizes, history->map, history->groups);
    *history = (cluster_history){0};
}

static cairn_status cluster_fit(cairn_context *ctx, void *state, const cairn_job *job)
{
    cluster_history own = {0};
    cairn_status status = fit_both(ctx, state, job->history ? job->history : &own, job);
    clear_history(&own);
    return status;
}

static cairn_status cluster_predict(cairn_context *ctx, cairn_prediction *out, const void *state,
                                    const cairn_job *job)
{
    const cluster_model *model = state;
    out->n_classes = model->n_clusters;
    return cairn_forest_ask(ctx, out, &model->forest, job->view);
}

/* -- the rest -- */

/* Scaling in two dimensions needs at least three rows to show anything. */
static cairn_status map_figure(cairn_context *ctx, cairn_figure **out, const void *state,
                               const cairn_job *job)
{
    const cluster_model *model = state;
    const cluster_history *history = job->history;
    const char **names = NULL;
    char *letters = NULL;
    enum { SIZE = 40 };
    if (!history || history->n_map < 3) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &names, model->n_clusters));
    CHECK(SCRATCH(ctx, &letters, SIZE * model->n_clusters));
    for (size_t c = 0; c < model->n_clusters; c++) {
        (void)snprintf(letters + c * SIZE, SIZE, "cluster %zu", c + 1);
        names[c] = letters + c * SIZE;
    }
    CHECK(cairn_figure_new(ctx, out, "map", "Rows by their proximities"));
    cairn_figure_axes(*out, "dimension 1", "dimension 2");
    cairn_figure_points(*out, history->map, history->map + history->n_map, history->groups,
                        history->n_map, names, model->n_clusters);
    return CAIRN_OK;
}

static cairn_status make_importance(cairn_context *ctx, cairn_figure **out, const void *state,
                                    const cairn_job *job)
{
    const cluster_model *model = state;
    const cluster_history *history = job->history;
    return cairn_forest_show_importance(ctx, NULL, out, history ? &history->forest : NULL,
                                        &model->forest, job->schema);
}

static const cairn_model_figure cluster_figures[] = {
    {.name = "importance", .make = make_importance},
    {.name = "map", .make = map_figure},
    {.name = NULL},
};

/* The error of telling rows from the contrast comes first: near one half there is no structure,
 * and the clusters mean nothing. */
static void cluster_describe(cairn_report *out, const void *state, const cairn_job *job)
{
    const cluster_model *model = state;
    const cluster_history *history = job->history;
    cairn_context *ctx = cairn_report_context(out);
    if (!ctx || !history) return;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_report_heading(out, 2, "Clusters");
    cairn_report_value(out, "error of telling rows from contrast", history->contrast,
                       "contrast.error");
    if (history->contrast > 0.4)
        cairn_report_note(out, "The forest can hardly tell the rows from columns drawn "
                               "independently: there is little to be found.");
    cairn_report_value(out, "mean of 1 − proximity to the medoid", history->cost, "cost");
    cairn_report_table_of(out, NULL, 0, "rrr", "cluster", "rows", "medoid");
    for (size_t c = 0; c < model->n_clusters; c++)
        cairn_report_cells(out, "- cluster$1.rows cluster$1.medoid", c + 1, history->sizes[c],
                           history->medoids[c] + 1.0);
    cairn_report_table_end(out);
    cairn_figure *importance = NULL, *map = NULL;
    cairn_status made = cairn_forest_show_importance(ctx, out, &importance, &history->forest,
                                                     &model->forest, job->schema);
    cairn_describe_figure(out, made, &importance, true);
    made = map_figure(ctx, &map, model, job);
    cairn_describe_figure(out, made, &map, false);
    cairn_scratch_release(ctx, mark);
}

static cairn_status archive_forest(cairn_archive *archive, cluster_model *model)
{
    CHECK(cairn_forest_archive(archive, &model->forest));
    if (model->forest.n_classes != model->n_clusters || model->n_clusters == 0)
        CHECK(cairn_archive_damaged(archive, "the forest has other clusters than the model"));
    return CAIRN_OK;
}

static cairn_status cluster_archive(cairn_archive *archive, void *state)
{
    cluster_model *model = state;
    CHECK(cairn_archive_size(archive, "clusters", &model->n_clusters, 1 << 20));
    return archive_forest(archive, model);
}

static cairn_status archive_clusters(cairn_archive *archive, cluster_history *history, size_t k)
{
    CHECK(cairn_archive_ints(archive, "medoid", &history->medoids, k));
    CHECK(cairn_archive_reals(archive, "size", &history->sizes, k));
    CHECK(cairn_archive_real(archive, "contrast", &history->contrast));
    CHECK(cairn_archive_real(archive, "cost", &history->cost));
    CHECK(cairn_archive_size(archive, "places", &history->n_map, MAP_ROWS));
    CHECK(cairn_archive_reals(archive, "place", &history->map, 2 * history->n_map));
    CHECK(cairn_archive_ints(archive, "group", &history->groups, history->n_map));
    for (size_t i = 0; i < history->n_map; i++)
        if (history->groups[i] < 0 || (size_t)history->groups[i] >= k)
            CHECK(cairn_archive_damaged(archive, "a row of the map is in no cluster"));
    return CAIRN_OK;
}

static cairn_status archive_history(cairn_archive *archive, void *data, const void *state)
{
    const cluster_model *model = state;
    cluster_history *history = data;
    CHECK(archive_clusters(archive, history, model->n_clusters));
    return cairn_forest_archive_history(archive, &history->forest, &model->forest);
}

/* Files before version 10. */
static cairn_status archive_together(cairn_archive *archive, void *state, void *data)
{
    cluster_model *model = state;
    cluster_history *history = data;
    CHECK(cairn_archive_size(archive, "clusters", &model->n_clusters, 1 << 20));
    CHECK(archive_clusters(archive, history, model->n_clusters));
    CHECK(archive_forest(archive, model));
    return cairn_forest_archive_history(archive, &history->forest, &model->forest);
}

static const cairn_history histories = {
    .size = sizeof(cluster_history),
    .archive = archive_history,
    .clear = clear_history,
    .archive_together = archive_together,
    .since = 10,
};

static cairn_status cluster_check(cairn_archive *archive, const void *state, const cairn_job *job)
{
    return cairn_forest_check_fields(archive, &((const cluster_model *)state)->forest, job);
}

static void cluster_clear(void *state)
{
    cluster_model *model = state;
    cairn_forest_clear(&model->forest);
    *model = (cluster_model){0};
}

static cairn_model_size cluster_size(const void *state)
{
    return cairn_forest_size(&((const cluster_model *)state)->forest);
}

static const cairn_output cluster_outputs[] = {
    {"agreement", "share of the row's leaves that is the cluster's"},
    {NULL, NULL},
};

static void write_nodes(cairn_ledger *out, const void *model, const cairn_job *job)
{
    cairn_forest_write_nodes(out, &((const cluster_model *)model)->forest, job);
}

static const cairn_learned cluster_tables[] = {CAIRN_NODES(write_nodes), CAIRN_LEARNED_END};

const cairn_learner cairn_forest_cluster = {
    .entry =
        {.kind = CAIRN_ENTRY_LEARNER,
         .name = "forest-cluster",
         .also = "random forest clustering, proximity clustering, unsupervised random forest",
         .title = "Clusters by a forest",
         .summary =
             "Groups rows without a target. A random forest learns to tell the rows from a "
             "contrast, the same columns shuffled independently; rows that reach the same leaves "
             "are near, and medoids of these proximities are the clusters. Numbers and levels as "
             "they are, no scaling, columns without structure do not disturb. The error of telling "
             "rows from contrast says whether there is anything to find; a map shows the rows by "
             "their proximities.",
         .references = "Breiman, Cutler, Random forests (manual, 2003); Shi, Horvath, Unsupervised "
                       "learning with random forest predictors (2006); Kaufman, Rousseeuw, Finding "
                       "groups in data (1990)",
         .example = "cairn fit forest-cluster @iris --ignore species --clusters 3",
         .params = cluster_param_table,
         .params_size = sizeof(cluster_params)},
    .tasks = CAIRN_CLUSTER,
    .space = "clusters=2:6",
    .aims = "rows that the trees put together",
    .accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_LEVELS | CAIRN_ACCEPTS_MISSING,
    .traits = CAIRN_PREDICTIVE | CAIRN_UNSUPERVISED | CAIRN_LOGICAL | CAIRN_GROUPING,
    .model_size = sizeof(cluster_model),
    .tables = cluster_tables,
    .sets_codes = true,
    .outputs = cluster_outputs,
    .fit = cluster_fit,
    .lower = cairn_forest_lower, /* the forest is the first member of the model */
    .predict = cluster_predict,
    .describe = cluster_describe,
    .figures = cluster_figures,
    .history = &histories,
    .archive = cluster_archive,
    .check = cluster_check,
    .clear = cluster_clear,
    .size = cluster_size,
};
