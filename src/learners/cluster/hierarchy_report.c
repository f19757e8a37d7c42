/* SPDX-License-Identifier: MIT */
/* What `hierarchy` shows: the clusters of the cut, other cuts, the merges. */
#include "base/memory.h"
#include "base/number.h"
#include "learners/cluster/hierarchy.h"
#include "parallel/sort.h"
#include "report/document.h"
#include "stats/dendrogram_forms.h"
#include <math.h>

enum {
    SET_LEAVES = 12,
    NAMED_MERGES = 1000, /* of larger trees only the last merges are listed */
    LAST_MERGES = 50,
    NAMED_ROWS = 200,
    NAMED_PAIRS = 20,
    ENOUGH_ROWS = 20 /* for a word on whether there are clusters at all */
};
/* Clusters whose rows have a lower mean silhouette hardly stand out. */
static const double weak = 0.25;

static const char *const method_names[] = {"agglomerative", "bisecting 2-means",
                                           "divisive analysis (DIANA)"};
static const char *const linkage_names[] = {"single",   "complete", "average", "weighted",
                                            "centroid", "median",   "Ward"};

/* By which two programs can be compared. */
static double sum_heights(const cairn_dendrogram *tree)
{
    double sum = 0;
    for (size_t i = 0; i + 1 < tree->n_leaves; i++) sum += tree->merges[i].height;
    return sum;
}

static void show_outcome(cairn_report *out, const cairn_hierarchy_model *m, const cairn_job *job)
{
    const cairn_hierarchy_account *account = job->account;
    size_t inversions = cairn_dendrogram_inversions(&m->tree);
    cairn_report_word(out, "method", method_names[m->method], "method");
    if (m->method == CAIRN_HIERARCHY_AGGLOMERATIVE)
        cairn_report_word(out, "linkage", linkage_names[m->linkage], "linkage");
    cairn_report_word(out, "distance", m->rows.given ? "as given" : m->rows.metric.spec,
                      "distance");
    cairn_report_value(out, "leaves", (double)m->tree.n_leaves, "leaves");
    cairn_report_value(out, "height of the tree", cairn_dendrogram_top(&m->tree), "height");
    cairn_report_value(out, "clusters of the cut", (double)m->n_clusters, "clusters");
    if (!isnan(m->cut)) cairn_report_value(out, "height of the cut", m->cut, "cut.height");
    cairn_report_hidden(out, (double)inversions, "inversions");
    cairn_report_hidden(out, sum_heights(&m->tree), "heights");
    if (!account) return;
    if (account->tied >= 0) cairn_report_hidden(out, (double)account->tied, "ties");
    if (!isnan(account->silhouette))
        cairn_report_value(out, "mean silhouette of the cut", account->silhouette,
                           "cut.silhouette");
}

static cairn_status cell_set(cairn_report *out, const cairn_dendrogram *tree,
                             const cairn_leaf_sets *sets, size_t cluster, const char *name,
                             size_t number, const char *part)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(out->ctx);
    CHECK(cairn_leaf_set_text(out->ctx, &text, tree, sets, cluster, SET_LEAVES));
    cairn_report_cell_word(out, cairn_text_string(&text), "%s%zu.%s", name, number, part);
    return CAIRN_OK;
}

/* The cluster of the tree that a cluster of the cut is: the last that lies in it. */
static cairn_status nodes_of_clusters(cairn_context *ctx, uint32_t **out,
                                      const cairn_hierarchy_model *m)
{
    int32_t *codes;
    CHECK(SCRATCH(ctx, out, m->n_clusters));
    CHECK(cairn_hierarchy_nodes(ctx, &codes, m));
    for (size_t i = 0; i < 2 * m->tree.n_leaves - 1; i++)
        if (codes[i] >= 0) (*out)[codes[i]] = (uint32_t)i;
    return CAIRN_OK;
}

static cairn_status show_clusters(cairn_report *out, const cairn_hierarchy_model *m,
                                  const cairn_job *job, const cairn_leaf_sets *sets)
{
    const cairn_hierarchy_account *account = job->account;
    bool diameters = account && account->n_diameters;
    uint32_t *nodes;
    double total = 0;
    CHECK(nodes_of_clusters(out->ctx, &nodes, m));
    for (size_t c = 0; c < m->n_clusters; c++) total += m->sizes[c];
    cairn_report_table_of(out, "Clusters of the cut", 200, "rrrr", "cluster", "size", "share",
                          "height");
    if (diameters) cairn_report_column(out, "diameter", 'r');
    cairn_report_column(out, "rows", 'l');
    for (size_t c = 0; c < m->n_clusters; c++) {
        cairn_report_cellf(out, "%zu", c + 1);
        cairn_report_cell_number(out, m->sizes[c], 0, "cluster%zu.size", c + 1);
        cairn_report_cell_number(out, m->sizes[c] / total, 3, NULL);
        cairn_report_cell_number(out, m->heights[c], 0, "cluster%zu.height", c + 1);
        if (diameters)
            cairn_report_cell_number(out, account->diameters[c], 0, "cluster%zu.diameter", c + 1);
        CHECK(cell_set(out, &m->tree, sets, nodes[c], "cluster", c + 1, "rows"));
    }
    cairn_report_table_end(out);
    return CAIRN_OK;
}

/* Whether some height, by more than rounding, cuts the tree into k clusters. */
static bool can_cut(const cairn_hierarchy_model *m, size_t k)
{
    size_t n = m->tree.n_leaves;
    double low = m->tree.merges[n - k - 1].height, high = m->tree.merges[n - k].height;
    return k == m->n_clusters || high - low > 1e-12 * cairn_dendrogram_top(&m->tree);
}

/* How far the tree can be cut into so many clusters: a long way speaks for their number. Where
 * heights are equal or turn back, no height cuts into so many. */
static void show_cuts(cairn_report *out, const cairn_hierarchy_model *m,
                      const cairn_hierarchy_account *account)
{
    size_t n = m->tree.n_leaves, offered = 0;
    for (size_t k = 2; account && k < account->n_cuts + 2; k++) offered += can_cut(m, k);
    if (offered == 0) return;
    cairn_report_table_of(out, "Cuts", 0, "rrrrr", "clusters", "from height", "up to", "gap",
                          "mean silhouette");
    for (size_t k = 2; k < account->n_cuts + 2; k++) {
        double low = m->tree.merges[n - k - 1].height, high = m->tree.merges[n - k].height;
        if (!can_cut(m, k)) continue;
        if (k == m->n_clusters) cairn_report_row_mark(out);
        cairn_report_cellf(out, "%zu", k);
        cairn_report_cell_number(out, low, 0, "cut%zu.from", k);
        cairn_report_cell_number(out, high, 0, "cut%zu.to", k);
        cairn_report_cell_number(out, high - low, 0, "cut%zu.gap", k);
        cairn_report_cell_number(out, account->cuts[k - 2], 0, "cut%zu.silhouette", k);
    }
    cairn_report_table_end(out);
}

static cairn_status show_merges(cairn_report *out, const cairn_hierarchy_model *m,
                                const cairn_leaf_sets *sets)
{
    const cairn_dendrogram *tree = &m->tree;
    size_t n = tree->n_leaves - 1, first = n > NAMED_MERGES ? n - LAST_MERGES : 0;
    bool inversions = cairn_dendrogram_inversions(tree) > 0;
    if (n == 0) return CAIRN_OK;
    cairn_report_table_of(out, first ? "The last merges" : "Merges", LAST_MERGES, "rllrr", "merge",
                          "cluster", "with", "height", "size");
    if (inversions) cairn_report_column(out, "inversion", 'l');
    for (size_t i = first; i < n; i++) {
        const cairn_merge *merge = tree->merges + i;
        bool inverted = cairn_dendrogram_inverted(tree, i);
        cairn_report_cellf(out, "%zu", i + 1);
        CHECK(cell_set(out, tree, sets, merge->left, "merge", i + 1, "left"));
        CHECK(cell_set(out, tree, sets, merge->right, "merge", i + 1, "right"));
        cairn_report_cell_number(out, merge->height, 0, "merge%zu.height", i + 1);
        cairn_report_hidden(out, inverted, "merge%zu.inverted", i + 1);
        cairn_report_cell_number(out, merge->size, 0, "merge%zu.size", i + 1);
        if (inversions) cairn_report_cell(out, inverted ? "lower than a part" : "");
    }
    cairn_report_table_end(out);
    return CAIRN_OK;
}

/* The heights in order, which ties do not change. */
static cairn_status note_levels(cairn_report *out, const cairn_dendrogram *tree)
{
    size_t n = tree->n_leaves - 1;
    double *levels;
    if (n > NAMED_MERGES) return CAIRN_OK;
    CHECK(SCRATCH(out->ctx, &levels, n));
    for (size_t i = 0; i < n; i++) levels[i] = tree->merges[i].height;
    CHECK(cairn_sort_numbers(out->ctx, levels, n));
    for (size_t i = 0; i < n; i++) cairn_report_hidden(out, levels[i], "level.%zu", i + 1);
    return CAIRN_OK;
}

/* Heights at which pairs of a small table are joined. */
static cairn_status note_cophenetic(cairn_report *out, const cairn_dendrogram *tree)
{
    size_t n = tree->n_leaves;
    double *heights;
    char one[CAIRN_LEAF_NAME], two[CAIRN_LEAF_NAME];
    if (n > NAMED_PAIRS) return CAIRN_OK;
    CHECK(SCRATCH(out->ctx, &heights, n * n));
    CHECK(cairn_cophenetic(out->ctx, tree, heights));
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            cairn_report_hidden(out, heights[cairn_pair_at(n, i, j)], "cophenetic.%s.%s",
                                cairn_report_key(out, cairn_leaf_name(tree, i, one)),
                                cairn_report_key(out, cairn_leaf_name(tree, j, two)));
    return CAIRN_OK;
}

static void note_shape(cairn_report *out, const cairn_hierarchy_model *m)
{
    size_t inversions = cairn_dendrogram_inversions(&m->tree);
    if (inversions)
        cairn_report_note(out,
                          "%zu merge%s lower than one below: the tree is not monotonic, and a cut "
                          "at a height undoes such a merge with its part.",
                          inversions, inversions == 1 ? " is" : "s are");
    if (m->n_hidden > 0)
        cairn_report_note(out,
                          "%lld merge%s not above the cut %s undone all the same, since a part "
                          "lies above it.",
                          (long long)m->n_hidden, m->n_hidden == 1 ? "" : "s",
                          m->n_hidden == 1 ? "is" : "are");
    if (m->rule >= CAIRN_RULE_CENTRE && !m->centres)
        cairn_report_note(out,
                          "%s linkage is meant for Euclidean distances of columns; here its "
                          "formula is applied to the squared distances as they are.",
                          linkage_names[m->linkage]);
}

/* Trees have clusters even where the data have none. */
static void note_account(cairn_report *out, const cairn_hierarchy_model *m,
                         const cairn_hierarchy_account *account)
{
    char best[CAIRN_NUMBER_SIZE];
    double most = account->silhouette;
    bool cut = !isnan(most);
    if (account->tied > 0)
        cairn_report_note(out,
                          "%s%lld merge%s had another pair as near (within a part in 1e12); {tie} "
                          "says which is joined, and other trees are as good.",
                          account->at_least ? "At least " : "", (long long)account->tied,
                          account->tied == 1 ? "" : "s");
    for (size_t i = 0; !cut && i < account->n_cuts; i++) most = fmax(most, account->cuts[i]);
    if (m->tree.n_leaves < ENOUGH_ROWS || !(most < weak)) return;
    cairn_number_format(best, most, 3);
    cairn_report_note(out,
                      "The clusters of %s hardly stand out (mean silhouette %s at best): rows "
                      "without any clusters give such a tree, too.",
                      cut ? "this cut" : "all cuts up to ten", best);
}

static cairn_status describe(cairn_report *out, const cairn_hierarchy_model *m,
                             const cairn_job *job)
{
    SCOPED_SCRATCH(out->ctx);
    cairn_leaf_sets sets;
    CHECK(cairn_leaf_sets_make(out->ctx, &sets, &m->tree));
    show_outcome(out, m, job);
    CHECK(show_clusters(out, m, job, &sets));
    show_cuts(out, m, job->account);
    CHECK(show_merges(out, m, &sets));
    cairn_figure *figure = NULL;
    cairn_status made = cairn_hierarchy_figures[0].make(out->ctx, &figure, m, job);
    cairn_describe_figure(out, made, &figure, false);
    CHECK(note_levels(out, &m->tree));
    CHECK(note_cophenetic(out, &m->tree));
    cairn_report_paragraph(out, "A new row goes to %s.", cairn_hierarchy_rule_said(m));
    note_shape(out, m);
    if (job->account) note_account(out, m, job->account);
    for (size_t i = 0; i < m->tree.n_leaves && m->tree.n_leaves <= NAMED_ROWS; i++)
        cairn_report_hidden(out, m->codes[i] + 1.0, "assign.%zu", i + 1);
    return CAIRN_OK;
}

void cairn_hierarchy_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    if (!out) return;
    cairn_report_heading(out, 2, "Hierarchical clustering");
    cairn_report_failed(out, describe(out, model, job));
}
