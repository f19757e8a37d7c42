/* SPDX-License-Identifier: MIT */
/* What the condensed tree tells and draws. */
#include "base/memory.h"
#include "learners/cluster/hdbscan.h"
#include "parallel/sort.h"
#include <math.h>
#include <stdio.h>

enum { SHOWN_CLUSTERS = 40, SHOWN_ROWS = 20, SHOWN_OUTLIERS = 10, SHOWN_EDGES = 200, FEW = 12 };

/* -- steps -- */

static size_t number_of(const cairn_density *density, size_t row)
{
    return density->rows.numbers[row] + (size_t)1;
}

/* Core distances of all rows, and mutual reachabilities of few. */
static cairn_status show_distances(cairn_context *ctx, cairn_report *out,
                                   const cairn_density *density, const double *core)
{
    int32_t *room;
    const cairn_distance_rows *rows = &density->rows;
    size_t n = density->n;
    bool pairs = n <= FEW;
    CHECK(SCRATCH(ctx, &room, cairn_distance_room(rows, rows)));
    cairn_report_step_begin(out, "Core distances and mutual reachability");
    cairn_report_formula(out, "m(a, b) = max(core(a), core(b), d(a, b))");
    cairn_report_table_of(out, NULL, 50, "rr", "row", "core");
    for (size_t j = 0; pairs && j < n; j++) {
        char head[32];
        snprintf(head, sizeof head, "m(·, %zu)", number_of(density, j));
        cairn_report_column(out, head, 'r');
    }
    for (size_t i = 0; i < n; i++) {
        cairn_report_cellf(out, "%zu", number_of(density, i));
        cairn_density_cell(out, core[i], NULL);
        for (size_t j = 0; pairs && j < n; j++) {
            double m = fmax(core[i], core[j]), d = cairn_distance_pair(rows, i, rows, j, room);
            if (i == j)
                cairn_report_cell(out, "");
            else
                cairn_report_cell_number(out, d > m ? d : m, 4, NULL);
        }
    }
    cairn_report_table_end(out);
    cairn_report_step_end(out);
    return CAIRN_OK;
}

/* The edges from the shortest, in the order in which single linkage merges. */
static cairn_status show_edges(cairn_context *ctx, cairn_report *out, const cairn_density *density,
                               const cairn_join *joins)
{
    size_t n = density->n > 0 ? density->n - 1 : 0;
    double *lengths;
    uint64_t *order;
    CHECK(SCRATCH_EACH(ctx, n + 1, &lengths, &order));
    for (size_t i = 0; i < n; i++) lengths[i] = joins[i].height;
    CHECK(cairn_sort_order(ctx, order, lengths, n));
    cairn_report_step_begin(out, "The shortest tree by mutual reachability");
    cairn_report_table_of(out, NULL, SHOWN_EDGES, "rrrr", "edge", "a", "b", "m(a, b)");
    for (size_t i = 0; i < n; i++) {
        const cairn_join *join = &joins[order[i]];
        cairn_report_cellf(out, "%zu", i + 1);
        cairn_report_cellf(out, "%zu", number_of(density, join->a));
        cairn_report_cellf(out, "%zu", number_of(density, join->b));
        cairn_report_cell_number(out, join->height, 6, "edge%zu.length", i + 1);
    }
    cairn_report_table_end(out);
    cairn_report_step_end(out);
    return CAIRN_OK;
}

/* All nodes are named, also those that are not chosen: the choice can be checked by them. */
static void show_tree(cairn_report *out, const cairn_condensed *tree)
{
    cairn_report_table_of(out, "Condensed tree", SHOWN_CLUSTERS, "rlrrrrl", "node", "part of",
                          "size", "λ of birth", "stability", "best below", "chosen");
    for (size_t i = 0; i < tree->n_clusters; i++) {
        const cairn_dense_cluster *c = &tree->clusters[i];
        if (c->label >= 0) cairn_report_row_mark(out);
        cairn_report_cellf(out, "%zu", i + 1);
        if (c->parent >= 0)
            cairn_report_cellf(out, "%d", c->parent + 1);
        else
            cairn_report_cell(out, "-");
        cairn_report_cell_number(out, c->size, 0, "node%zu.size", i + 1);
        cairn_density_cell(out, c->birth, "node%zu.birth", i + 1);
        cairn_density_cell(out, c->stability, "node%zu.stability", i + 1);
        cairn_density_cell(out, c->below, NULL);
        if (c->label >= 0)
            cairn_report_cellf(out, "cluster %d", c->label + 1);
        else
            cairn_report_cell(out, "no");
    }
    cairn_report_table_end(out);
}

cairn_status cairn_hdbscan_steps(cairn_context *ctx, const cairn_density *density,
                                 const double *core, const cairn_join *joins,
                                 const cairn_condensed *tree, const cairn_job *job)
{
    const cairn_hdbscan_params *p = job->params;
    SCOPED_SCRATCH(ctx);
    CHECK(show_distances(ctx, job->steps, density, core));
    CHECK(show_edges(ctx, job->steps, density, joins));
    cairn_report_step_begin(job->steps, "Splits that leave two parts of at least %d rows",
                            p->min_size);
    cairn_report_formula(job->steps, "stability(C) = Σ over rows of C: λ of leaving − λ of birth, "
                                     "λ = 1 / m");
    show_tree(job->steps, tree);
    cairn_report_paragraph(
        job->steps, p->select == CAIRN_HDBSCAN_MASS
                        ? "From the leaves up, a node is chosen in place of what was chosen "
                          "below it when its own stability is at least as large; the root is "
                          "never chosen."
                        : "Nodes that are never split are chosen.");
    cairn_report_step_end(job->steps);
    return CAIRN_OK;
}

/* -- the description -- */

/* Chosen nodes under the numbers that rows have. */
static void show_clusters(cairn_report *out, const cairn_condensed *tree,
                          const cairn_hdbscan_account *s)
{
    if (tree->n_labels == 0) {
        cairn_report_note(out, "All rows are noise: nowhere do they split into large enough parts. "
                               "A smaller {min-size} or {min-points} may find some.");
        return;
    }
    cairn_report_table_of(out, "Clusters", SHOWN_CLUSTERS, "rrrr", "cluster", "size", "stability",
                          "largest λ");
    for (size_t k = 0; k < tree->n_labels; k++)
        for (size_t i = 0; i < tree->n_clusters; i++) {
            if (tree->clusters[i].label != (int32_t)k) continue;
            cairn_report_cellf(out, "%zu", k + 1);
            cairn_report_cell_number(out, s->sizes[k], 0, "cluster%zu.size", k + 1);
            cairn_density_cell(out, tree->clusters[i].stability, "cluster%zu.stability", k + 1);
            cairn_density_cell(out, tree->clusters[i].death, NULL);
        }
    cairn_report_table_end(out);
}

/* Rows one by one, where they are few: cluster, probability, outlier score. */
static void show_rows(cairn_report *out, const cairn_condensed *tree,
                      const cairn_hdbscan_account *s)
{
    if (tree->n_rows > CAIRN_DENSITY_SAMPLE || s->sample.n != tree->n_rows) return;
    cairn_report_table_of(out, "Rows", SHOWN_ROWS, "rlrr", "row", "cluster", "probability",
                          "outlier score");
    for (size_t i = 0; i < tree->n_rows; i++) {
        size_t row = (size_t)s->sample.rows[i] + 1;
        int32_t chosen = cairn_condensed_chosen(tree, tree->leaves[i]);
        int32_t label = chosen < 0 ? -1 : tree->clusters[chosen].label;
        double probability =
            chosen < 0 ? 0 : cairn_condensed_probability(tree, chosen, tree->lambdas[i]);
        cairn_report_cellf(out, "%zu", row);
        if (label >= 0)
            cairn_report_cellf(out, "%d", label + 1);
        else
            cairn_report_cell(out, "none");
        cairn_report_hidden(out, label + 1.0, "assign.%zu", row);
        cairn_report_cell_number(out, probability, 4, "probability.%zu", row);
        cairn_report_cell_number(out, cairn_condensed_outlier(tree, i), 4, "outlier.%zu", row);
    }
    cairn_report_table_end(out);
}

/* The rows that lie most alone. */
static cairn_status show_outliers(cairn_report *out, cairn_context *ctx,
                                  const cairn_hdbscan_model *m)
{
    const cairn_condensed *tree = &m->tree;
    double *scores;
    uint64_t *order;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH_EACH(ctx, tree->n_rows + 1, &scores, &order));
    for (size_t i = 0; i < tree->n_rows; i++) scores[i] = -cairn_condensed_outlier(tree, i);
    CHECK(cairn_sort_order(ctx, order, scores, tree->n_rows));
    if (tree->n_rows == 0 || !(scores[order[0]] < 0)) return CAIRN_OK;
    cairn_report_table_of(out, "Largest outlier scores", SHOWN_OUTLIERS, "rr", "row", "score");
    for (size_t i = 0; i < tree->n_rows && i < SHOWN_OUTLIERS; i++) {
        cairn_report_cell_number(out, m->rows.numbers[order[i]] + 1.0, 0, "outlier_row.%zu", i + 1);
        cairn_report_cell_number(out, -scores[order[i]], 4, NULL);
    }
    cairn_report_table_end(out);
    return CAIRN_OK;
}

/* -- pictures -- */

static cairn_status draw_clusters(cairn_context *ctx, cairn_figure **out, const void *model,
                                  const cairn_job *job)
{
    const cairn_hdbscan_account *s = job->account;
    *out = NULL;
    if (!s) return CAIRN_OK;
    return cairn_density_clusters_figure(ctx, out, &s->sample,
                                         ((const cairn_hdbscan_model *)model)->tree.n_labels, job);
}

/* Where the nodes of the tree stand: the root over all rows from 0 on, parts side by side in the
 * middle of what they split from, which has at least as many rows; a part comes after its parent.
 */
static void place_nodes(const cairn_condensed *tree, double *middles, double *next)
{
    for (size_t i = 0; i < tree->n_clusters; i++) next[i] = 0;
    for (size_t i = 1; i < tree->n_clusters; i++)
        next[tree->clusters[i].parent] -= tree->clusters[i].size / 2;
    middles[0] = tree->clusters[0].size / 2;
    for (size_t i = 0; i < tree->n_clusters; i++) {
        const cairn_dense_cluster *c = &tree->clusters[i];
        if (i > 0) middles[i] = next[c->parent] + c->size / 2, next[c->parent] += c->size;
        next[i] += middles[i];
    }
}

/* The tallest finite lambda, for what is infinite to stand a little above. */
static double top_of(const cairn_condensed *tree)
{
    double top = 0;
    for (size_t i = 0; i < tree->n_rows; i++)
        if (isfinite(tree->lambdas[i]) && tree->lambdas[i] > top) top = tree->lambdas[i];
    for (size_t i = 0; i < tree->n_clusters; i++)
        if (isfinite(tree->clusters[i].birth)) top = fmax(top, tree->clusters[i].birth);
    return top > 0 ? top : 1;
}

/* A node is as wide at each lambda as it has rows left: steps of a bar that becomes narrower. */
static void draw_node(cairn_figure *figure, const cairn_condensed *tree, size_t node, double middle,
                      double top, const uint64_t *order, double *room)
{
    enum { STEPS = 60 };
    const cairn_dense_cluster *c = &tree->clusters[node];
    double death = isfinite(c->death) ? c->death : 1.1 * top;
    double *x = room, *y = room + 2 * STEPS + 2;
    size_t m = 0, at = 0;
    double left = c->size;
    for (size_t t = 0; t <= STEPS; t++) {
        double lambda = c->birth + (death - c->birth) * (double)t / STEPS;
        for (; at < tree->n_rows && tree->lambdas[order[at]] < lambda; at++)
            if (tree->leaves[order[at]] == (int32_t)node) left -= 1;
        x[m] = middle - fmax(left, 0) / 2, y[m++] = lambda;
    }
    for (size_t t = STEPS + 1; t-- > 0; m++) x[m] = 2 * middle - x[t], y[m] = y[t];
    cairn_figure_side(figure, c->label, c->label >= 0 ? 0.8 : 0.35, x, y, m);
}

/* Nodes as bars that become narrower as rows leave, joined to the node they split from. */
static cairn_status draw_tree(cairn_context *ctx, cairn_figure **out, const void *model,
                              const cairn_job *job)
{
    enum { MOST_NODES = 200 };
    const cairn_condensed *tree = &((const cairn_hdbscan_model *)model)->tree;
    double *middles, *next, *room;
    uint64_t *order;
    (void)job;
    *out = NULL;
    if (tree->n_clusters < 2 || tree->n_clusters > MOST_NODES) return CAIRN_OK;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH_EACH(ctx, tree->n_clusters, &middles, &next));
    CHECK(SCRATCH(ctx, &room, 400));
    CHECK(SCRATCH(ctx, &order, tree->n_rows));
    CHECK(cairn_sort_order(ctx, order, tree->lambdas, tree->n_rows));
    place_nodes(tree, middles, next);
    CHECK(
        cairn_figure_new(ctx, out, "condensed-tree", "Condensed tree; chosen clusters in colour"));
    cairn_figure_axes(*out, "rows", "density λ = 1 / distance");
    cairn_figure_x_range(*out, 0, tree->clusters[0].size);
    cairn_figure_y_range(*out, 0, NAN);
    double top = top_of(tree);
    for (size_t i = 0; i < tree->n_clusters; i++) {
        char label[32];
        draw_node(*out, tree, i, middles[i], top, order, room);
        if (tree->clusters[i].label < 0) continue;
        snprintf(label, sizeof label, "%d", tree->clusters[i].label + 1);
        cairn_figure_text(*out, middles[i], fmin(tree->clusters[i].death, 1.1 * top), 'c', label);
    }
    for (size_t i = 1; i < tree->n_clusters; i++) {
        size_t parent = (size_t)tree->clusters[i].parent;
        double birth = isfinite(tree->clusters[i].birth) ? tree->clusters[i].birth : 1.1 * top;
        double death = isfinite(tree->clusters[i].death) ? tree->clusters[i].death : 1.1 * top;
        double x[] = {middles[parent], middles[i], middles[i]}, y[] = {birth, birth, death};
        cairn_figure_guide(*out, x, y, 3);
    }
    return CAIRN_OK;
}

const cairn_model_figure cairn_hdbscan_figures[] = {
    {"condensed-tree", draw_tree, false},
    {"clusters", draw_clusters, false},
    {0},
};

void cairn_hdbscan_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const cairn_hdbscan_model *m = model;
    const cairn_hdbscan_account *s = job->account;
    cairn_context *ctx = cairn_report_context(out);
    if (!out) return;
    cairn_report_heading(out, 2, "HDBSCAN");
    cairn_report_value(out, "clusters", (double)m->tree.n_labels, "clusters");
    if (s) cairn_report_value(out, "noise", (double)s->n_noise, "noise");
    if (s) show_clusters(out, &m->tree, s);
    show_tree(out, &m->tree);
    if (s) show_rows(out, &m->tree, s);
    cairn_report_failed(out, show_outliers(out, ctx, m));
    for (const cairn_model_figure *f = cairn_hdbscan_figures; f->name; f++) {
        cairn_figure *figure = NULL;
        cairn_status made = f->make(ctx, &figure, model, job);
        cairn_describe_figure(out, made, &figure, false);
    }
}
