/* SPDX-License-Identifier: MIT */
/* What `hierarchy` shows: the clusters of the cut, other cuts, the merges. */
#include "learners/cluster/hierarchy.h"

#include "base/memory.h"
#include "base/number.h"
#include "parallel/sort.h"
#include "plots/dendrogram_plot.h"
#include "report/document.h"
#include "report/table_rows.h"
#include "stats/dendrogram_forms.h"

#include <math.h>
#include <string.h>

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

/* Ties and silhouette are told only where the history of the fit is known. */
static void show_outcome(cairn_report *out, const cairn_hierarchy_model *m, const cairn_job *job)
{
    const cairn_hierarchy_history *history = job->history;
    size_t inversions = cairn_dendrogram_inversions(&m->tree);
    cairn_report_word(out, "method", method_names[m->method], "method");
    if (m->method == CAIRN_HIERARCHY_AGGLOMERATIVE)
        cairn_report_word(out, "linkage", linkage_names[m->linkage], "linkage");
    cairn_report_word(out, "distance", m->rows.given ? "as given" : m->rows.metric.spec,
                      "distance");
    cairn_report_value(out, "leaves", (double)m->tree.n_leaves, "leaves");
    cairn_report_value(out, "height of the tree", cairn_dendrogram_top(&m->tree), "height");
    cairn_report_value(out,
                       m->method == CAIRN_HIERARCHY_AGGLOMERATIVE ? "agglomerative coefficient"
                                                                  : "divisive coefficient",
                       cairn_dendrogram_coefficient(&m->tree), "coefficient");
    cairn_report_value(out, "clusters of the cut", (double)m->n_clusters, "clusters");
    if (!isnan(m->cut)) cairn_report_value(out, "height of the cut", m->cut, "cut.height");
    cairn_report_hidden(out, (double)inversions, "inversions");
    cairn_report_hidden(out, sum_heights(&m->tree), "heights");
    if (!history) return;
    if (history->tied >= 0) cairn_report_hidden(out, (double)history->tied, "ties");
    if (!isnan(history->silhouette))
        cairn_report_value(out, "mean silhouette of the cut", history->silhouette,
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
    const cairn_hierarchy_history *history = job->history;
    bool diameters = history && history->n_diameters;
    uint32_t *nodes;
    double total = 0;
    CHECK(nodes_of_clusters(out->ctx, &nodes, m));
    for (size_t c = 0; c < m->n_clusters; c++) total += m->sizes[c];
    cairn_report_table_of(out, "Clusters of the cut", 200, "rrrr", "cluster", "size", "share",
                          "height");
    if (diameters) cairn_report_column(out, "diameter", 'r');
    cairn_report_column(out, "rows", 'l');
    for (size_t c = 0; c < m->n_clusters; c++) {
        cairn_report_cells(out, "- cluster$1.size -:3 cluster$1.height", c + 1, m->sizes[c],
                           m->sizes[c] / total, m->heights[c]);
        if (diameters)
            cairn_report_cell_number(out, history->diameters[c], 0, "cluster%zu.diameter", c + 1);
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
                      const cairn_hierarchy_history *history)
{
    size_t n = m->tree.n_leaves, offered = 0;
    for (size_t k = 2; history && k < history->n_cuts + 2; k++) offered += can_cut(m, k);
    if (offered == 0) return;
    cairn_report_table_of(out, "Cuts", 0, "rrrrr", "clusters", "from height", "up to", "gap",
                          "mean silhouette");
    for (size_t k = 2; k < history->n_cuts + 2; k++) {
        double low = m->tree.merges[n - k - 1].height, high = m->tree.merges[n - k].height;
        if (!can_cut(m, k)) continue;
        if (k == m->n_clusters) cairn_report_row_mark(out);
        cairn_report_cells(out, "- cut$1.from cut$1.to cut$1.gap cut$1.silhouette", k, low, high,
                           high - low, history->cuts[k - 2]);
    }
    cairn_report_table_end(out);
}

/* Of a long tree only the last merges; a column for inversions stands only where there are some. */
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

/* What may surprise about the tree: inversions, merges undone below a cut, and formulas for
 * Euclidean distances that are applied to others. */
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
static void note_history(cairn_report *out, const cairn_hierarchy_model *m,
                         const cairn_hierarchy_history *history)
{
    char best[CAIRN_NUMBER_SIZE];
    double most = history->silhouette;
    bool cut = !isnan(most);
    if (history->tied > 0)
        cairn_report_note(out,
                          "%s%lld merge%s had another pair as near (within a part in 1e12); {tie} "
                          "says which is joined, and other trees are as good.",
                          history->at_least ? "At least " : "", (long long)history->tied,
                          history->tied == 1 ? "" : "s");
    for (size_t i = 0; !cut && i < history->n_cuts; i++) most = fmax(most, history->cuts[i]);
    if (m->tree.n_leaves < ENOUGH_ROWS || !(most < weak)) return;
    cairn_number_format(best, most, 3);
    cairn_report_note(out,
                      "The clusters of %s hardly stand out (mean silhouette %s at best): rows "
                      "without any clusters give such a tree, too.",
                      cut ? "this cut" : "all cuts up to ten", best);
}

/* A cut at a height is one by number, too, unless an inversion lies across it. */
cairn_status cairn_hierarchy_cut(cairn_context *ctx, cairn_cut *out, const cairn_hierarchy_model *m)
{
    size_t n = m->tree.n_leaves;
    CHECK(cairn_dendrogram_cut_number(ctx, out, &m->tree, m->n_clusters));
    if (memcmp(out->codes, m->codes, n * sizeof *m->codes) == 0) return CAIRN_OK;
    return cairn_dendrogram_cut_height(ctx, out, &m->tree, m->cut);
}

const char *cairn_hierarchy_height(const cairn_hierarchy_model *m)
{
    if (m->method == CAIRN_HIERARCHY_DIANA) return "diameter";
    bool ward = m->method == CAIRN_HIERARCHY_BISECTING || m->linkage == CAIRN_LINKAGE_WARD;
    return ward ? "Ward's distance" : "distance";
}

static cairn_status draw_tree(cairn_context *ctx, cairn_figure **out, const void *model,
                              const cairn_job *job)
{
    SCOPED_SCRATCH(ctx);
    const cairn_hierarchy_model *m = model;
    cairn_dendrogram_look look = CAIRN_DENDROGRAM_LOOK_INIT;
    cairn_cut cut;
    bool is_cut = !isnan(m->cut);
    (void)job;
    if (m->tree.n_leaves < 2) return CAIRN_OK;
    if (is_cut) CHECK(cairn_hierarchy_cut(ctx, &cut, m));
    return cairn_dendrogram_figure(ctx, out, &m->tree, &look, is_cut ? &cut : NULL,
                                   "Tree of clusters", cairn_hierarchy_height(m));
}

const cairn_model_figure cairn_hierarchy_figures[] = {
    {"dendrogram", draw_tree, false},
    {NULL, NULL, false},
};

static cairn_status describe(cairn_report *out, const cairn_hierarchy_model *m,
                             const cairn_job *job)
{
    SCOPED_SCRATCH(out->ctx);
    cairn_leaf_sets sets;
    CHECK(cairn_leaf_sets_make(out->ctx, &sets, &m->tree));
    show_outcome(out, m, job);
    CHECK(show_clusters(out, m, job, &sets));
    show_cuts(out, m, job->history);
    CHECK(show_merges(out, m, &sets));
    cairn_figure *figure = NULL;
    cairn_status made = cairn_hierarchy_figures[0].make(out->ctx, &figure, m, job);
    cairn_describe_figure(out, made, &figure, false);
    CHECK(note_levels(out, &m->tree));
    CHECK(note_cophenetic(out, &m->tree));
    cairn_report_paragraph(out, "A new row goes to %s.", cairn_hierarchy_rule_said(m));
    note_shape(out, m);
    if (job->history) note_history(out, m, job->history);
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

/* -- forms -- */

static void write_newick(cairn_text *out, const void *model, const cairn_job *job)
{
    (void)job;
    cairn_newick_write(out, &((const cairn_hierarchy_model *)model)->tree);
}

static void write_tree(cairn_text *out, const void *model, const cairn_job *job)
{
    (void)job;
    cairn_dendrogram_json(out, &((const cairn_hierarchy_model *)model)->tree);
}

const cairn_export_form cairn_hierarchy_forms[] = {
    {"newick", "the tree in brackets, with the lengths of its branches", write_newick},
    {"tree", "the tree as JSON: names and weights of the leaves, and the merges", write_tree},
    {NULL, NULL, NULL},
};

/* -- figures -- */

/* The merges among the steps: the table of distances at each level, the pair that is joined, and
 * the distances of the new cluster with the numbers put in. */

enum { MOST_SHOWN = 20, SET_OF_STEP = 12 };

typedef struct level {
    size_t n; /* clusters, in the order of the list */
    size_t slots[MOST_SHOWN];
    const char *sets[MOST_SHOWN], *keys[MOST_SHOWN];
    double values[MOST_SHOWN * MOST_SHOWN]; /* distances */
    size_t a, b;                            /* the pair that is joined */
    size_t n_tied;                          /* pairs as near, with it */
} level;

typedef struct watcher {
    cairn_report *out;
    level *now;
} watcher;

static const char *const formulas[] = {
    "d(A ∪ B, X) = min(d(A, X), d(B, X))",
    "d(A ∪ B, X) = max(d(A, X), d(B, X))",
    "d(A ∪ B, X) = (|A| · d(A, X) + |B| · d(B, X)) / (|A| + |B|)",
    "d(A ∪ B, X) = (d(A, X) + d(B, X)) / 2",
    "d(A ∪ B, X)² = (|A| · d(A, X)² + |B| · d(B, X)²) / (|A| + |B|) − |A| · |B| · d(A, B)² / (|A| "
    "+ |B|)²",
    "d(A ∪ B, X)² = (d(A, X)² + d(B, X)²) / 2 − d(A, B)² / 4",
    "d(A ∪ B, X)² = ((|A| + |X|) · d(A, X)² + (|B| + |X|) · d(B, X)² − |X| · d(A, B)²) / (|A| + "
    "|B| + |X|)",
};

/* The leaves of a cluster behind those that are in `order` already, rising. */
static cairn_status gather_leaves(cairn_context *ctx, const cairn_dendrogram *tree,
                                  cairn_leaf_sets *sets, size_t *n_order, uint32_t cluster)
{
    SCOPED_SCRATCH(ctx);
    uint32_t *stack;
    size_t depth = 0, n = tree->n_leaves, first = *n_order;
    CHECK(SCRATCH_RAW(ctx, &stack, n + 1));
    sets->first[cluster] = (uint32_t)first;
    stack[depth++] = cluster;
    while (depth > 0) {
        uint32_t top = stack[--depth];
        if (top < n) {
            sets->order[(*n_order)++] = top;
            continue;
        }
        stack[depth++] = tree->merges[top - n].right;
        stack[depth++] = tree->merges[top - n].left;
    }
    sets->count[cluster] = (uint32_t)(*n_order - first);
    return CAIRN_OK;
}

/* What the clusters are called: the set, and in the names of values the same without brackets. */
static cairn_status name_clusters(cairn_context *ctx, const cairn_joiner *j, cairn_report *out,
                                  level *l)
{
    size_t n = j->n, n_order = 0;
    cairn_leaf_sets sets;
    CHECK(SCRATCH_RAW(ctx, &sets.order, n));
    CHECK(SCRATCH_RAW_EACH(ctx, 2 * n, &sets.first, &sets.count));
    for (size_t i = 0; i < l->n; i++) {
        SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
        uint32_t id = j->ids[l->slots[i]];
        char *set;
        CHECK(gather_leaves(ctx, j->tree, &sets, &n_order, id));
        CHECK(cairn_leaf_set_text(ctx, &text, j->tree, &sets, id, SET_OF_STEP));
        CHECK(SCRATCH(ctx, &set, text.length + 1));
        memcpy(set, cairn_text_string(&text) + 1, text.length - 2);
        l->keys[i] = cairn_report_key(out, set);
        CHECK(SCRATCH(ctx, &set, text.length + 1));
        memcpy(set, cairn_text_string(&text), text.length);
        l->sets[i] = set;
    }
    return CAIRN_OK;
}

static cairn_status read_level(cairn_context *ctx, cairn_joiner *j, cairn_report *out, level *l,
                               size_t a, size_t b)
{
    /* Clusters in the order of their numbers. */
    l->n = 0;
    for (size_t s = 0; s < j->width; s++) {
        if (j->ids[s] == CAIRN_NO_SLOT) continue;
        size_t at = l->n++;
        for (; at > 0 && j->ids[l->slots[at - 1]] > j->ids[s]; at--)
            l->slots[at] = l->slots[at - 1];
        l->slots[at] = s;
    }
    CHECK(name_clusters(ctx, j, out, l));
    for (size_t i = 0; i < l->n; i++) {
        const double *row = cairn_joiner_row(j, l->slots[i], 0);
        for (size_t k = 0; k < l->n; k++) {
            double value = i == k ? 0 : row[l->slots[k]];
            l->values[i * MOST_SHOWN + k] = j->squared ? sqrt(value) : value;
        }
        if (l->slots[i] == a) l->a = i;
        if (l->slots[i] == b) l->b = i;
    }
    return CAIRN_OK;
}

static void show_table(cairn_report *out, const level *l, size_t number)
{
    cairn_report_table_of(out, "Distances", 0, "l", "");
    for (size_t i = 0; i < l->n; i++) cairn_report_column(out, l->sets[i], 'r');
    for (size_t i = 0; i < l->n; i++) {
        cairn_report_cell(out, l->sets[i]);
        if (i == l->a || i == l->b) cairn_report_row_mark(out);
        for (size_t k = 0; k < l->n; k++)
            cairn_report_cell_number(out, l->values[i * MOST_SHOWN + k], 0,
                                     "level%zu.distance.%s.%s", number, l->keys[i], l->keys[k]);
    }
    cairn_report_table_end(out);
}

/* The least distance, where it is, and other places where it is, too. */
static void show_pair(cairn_report *out, level *l, size_t number)
{
    double least = l->values[l->a * MOST_SHOWN + l->b];
    size_t first = l->a < l->b ? l->a : l->b, second = l->a < l->b ? l->b : l->a;
    l->n_tied = 0;
    for (size_t i = 0; i < l->n; i++)
        for (size_t k = i + 1; k < l->n; k++)
            l->n_tied += l->values[i * MOST_SHOWN + k] <= least + 1e-12 * least;
    cairn_report_word(out, "joined", l->sets[first], "level%zu.left", number);
    cairn_report_word(out, "with", l->sets[second], "level%zu.right", number);
    cairn_report_value(out, "least distance, the height of the merge", least, "level%zu.height",
                       number);
    cairn_report_hidden(out, (double)l->n_tied, "level%zu.tied", number);
    for (size_t i = 0; l->n_tied > 1 && i < l->n; i++)
        for (size_t k = i + 1; k < l->n; k++)
            if (l->values[i * MOST_SHOWN + k] <= least + 1e-12 * least &&
                (i != first || k != second))
                cairn_report_paragraph(out, "As near: %s and %s; {tie} says which pair is joined.",
                                       l->sets[i], l->sets[k]);
}

/* The distance of the joined pair to cluster x, as it is calculated. */
static void show_distance(cairn_report *out, const cairn_joiner *j, const level *l, size_t x,
                          const char *label)
{
    double a = j->sizes[l->slots[l->a]], b = j->sizes[l->slots[l->b]], s = a + b;
    double p = l->values[l->a * MOST_SHOWN + x], q = l->values[l->b * MOST_SHOWN + x];
    double h = l->values[l->a * MOST_SHOWN + l->b], own = j->sizes[l->slots[x]], square;
    switch (j->linkage) {
    case CAIRN_LINKAGE_SINGLE:
        cairn_report_worked(out, label, "min(#, #) = #", p, q, p < q ? p : q);
        break;
    case CAIRN_LINKAGE_COMPLETE:
        cairn_report_worked(out, label, "max(#, #) = #", p, q, p > q ? p : q);
        break;
    case CAIRN_LINKAGE_AVERAGE:
        cairn_report_worked(out, label, "(# · # + # · #) / # = #", a, p, b, q, s,
                            (a * p + b * q) / s);
        break;
    case CAIRN_LINKAGE_WEIGHTED:
        cairn_report_worked(out, label, "(# + #) / 2 = #", p, q, (p + q) / 2);
        break;
    case CAIRN_LINKAGE_CENTROID:
        square = (a * p * p + b * q * q) / s - a * b * h * h / (s * s);
        cairn_report_worked(out, label, "√((# · #² + # · #²) / # − # · # · #² / #²) = #", a, p, b,
                            q, s, a, b, h, s, sqrt(fmax(0, square)));
        break;
    case CAIRN_LINKAGE_MEDIAN:
        square = (p * p + q * q) / 2 - h * h / 4;
        cairn_report_worked(out, label, "√((#² + #²) / 2 − #² / 4) = #", p, q, h,
                            sqrt(fmax(0, square)));
        break;
    case CAIRN_LINKAGE_WARD:
        square = ((a + own) * p * p + (b + own) * q * q - own * h * h) / (s + own);
        cairn_report_worked(out, label, "√((# · #² + # · #² − # · #²) / #) = #", a + own, p,
                            b + own, q, own, h, s + own, sqrt(fmax(0, square)));
    }
}

static cairn_status show_distances(cairn_context *ctx, cairn_report *out, const cairn_joiner *j,
                                   const level *l)
{
    for (size_t x = 0; x < l->n; x++) {
        SCOPED(cairn_text_clear) cairn_text label = cairn_text_start(ctx);
        if (x == l->a || x == l->b) continue;
        cairn_text_addf(&label, "d(%s ∪ %s, %s)", l->sets[l->a < l->b ? l->a : l->b],
                        l->sets[l->a < l->b ? l->b : l->a], l->sets[x]);
        CHECK(cairn_text_status(&label));
        show_distance(out, j, l, x, cairn_text_string(&label));
    }
    return CAIRN_OK;
}

/* One step per merge, once few enough clusters are left for a table. */
static cairn_status show_level(cairn_context *ctx, cairn_joiner *j, size_t a, size_t b, void *data)
{
    watcher *w = data;
    level *l = w->now;
    size_t number = j->made + 1;
    if (j->live > MOST_SHOWN) return CAIRN_OK;
    SCOPED_SCRATCH(ctx);
    cairn_report_step_begin(w->out, "Level %zu: %zu clusters", number, j->live);
    CHECK(read_level(ctx, j, w->out, l, a, b));
    show_table(w->out, l, number);
    show_pair(w->out, l, number);
    if (l->n > 2) cairn_report_formula(w->out, "%s", formulas[j->linkage]);
    CHECK(show_distances(ctx, w->out, j, l));
    cairn_report_step_end(w->out);
    return CAIRN_OK;
}

cairn_status cairn_hierarchy_watch(cairn_context *ctx, cairn_joiner *j, cairn_report *steps)
{
    watcher *w;
    CHECK(SCRATCH_EACH(ctx, 1, &w, &w->now));
    w->out = steps;
    j->watch = show_level;
    j->watcher = w;
    if (j->n > MOST_SHOWN)
        cairn_report_paragraph(steps,
                               "Tables of distances are shown from %d clusters on; the list of "
                               "merges has all levels.",
                               MOST_SHOWN);
    return CAIRN_OK;
}
