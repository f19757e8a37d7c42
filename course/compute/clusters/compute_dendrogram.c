/* SPDX-License-Identifier: MIT */
/* cairn compute dendrogram and cairn draw dendrogram: a tree of clusters told in numbers and drawn.
 *
 * The merges with their heights and the leaves that they join, the levels at which the number of
 * clusters changes, a cut by number or height, and cophenetic distances: the height at which two
 * leaves are joined first. How well these agree with the distances that the tree was made of is
 * their correlation. */
#include "compute/clusters/dendrogram_source.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "model/scale_choice.h"
#include "parallel/sort.h"
#include "plots/dendrogram_plot.h"
#include "stats/dendrogram_forms.h"
#include "stats/distance.h"
#include "report/table_rows.h"
#include <math.h>

enum {
    MOST_MATRIX = 12,
    MOST_PAIRS = 60,
    MOST_SET = 12,
    MOST_NEWICK = 200,
    MOST_COPHENETIC = 5000
};
enum { RESULT_MERGES, RESULT_CLUSTERS, RESULT_COPHENETIC };

typedef struct dendrogram_calculation {
    cairn_dendrogram_options source;
    cairn_dendrogram_look look;
    int result;
} dendrogram_calculation;

static const cairn_choice results[] = {
    {"merges", RESULT_MERGES, "the table of merges, or with the ending .nwk the tree"},
    {"clusters", RESULT_CLUSTERS, "the cluster of every leaf in the cut"},
    {"cophenetic", RESULT_COPHENETIC, "the matrix of cophenetic distances"},
    {0},
};

static const cairn_param dendrogram_table[] = {
    CAIRN_PARAM_GROUP(dendrogram_calculation, source, cairn_dendrogram_options_group),
    CAIRN_PARAM_GROUP(dendrogram_calculation, look, cairn_dendrogram_look_group),
    CAIRN_PARAM_CHOICE(dendrogram_calculation, result, "merges", results, "what --out writes"),
    CAIRN_PARAM_END,
};

/* -- merges and levels -- */

/* "c", or "#1" for what the first merge made. */
static void part_cell(cairn_report *out, const cairn_dendrogram *tree, size_t cluster, size_t merge,
                      const char *side)
{
    char buffer[CAIRN_NUMBER_SIZE + 1];
    const char *name;
    if (cluster < tree->n_leaves) {
        name = cairn_leaf_name(tree, cluster, buffer);
    } else {
        cairn_number_format(buffer + 1, (double)(cluster - tree->n_leaves + 1), CAIRN_SHORTEST);
        buffer[0] = '#';
        name = buffer;
    }
    cairn_report_cell_word(out, name, "merge%zu.%s", merge + 1, side);
}

/* Rows beyond the limit of the table are not even made. */
static cairn_status show_merges(cairn_context *ctx, cairn_report *out, const cairn_dendrogram *tree,
                                const cairn_leaf_sets *sets)
{
    cairn_report_table_of(out, "Merges", 0, "lllrrl", "cluster", "left", "right", "height", "size",
                          "leaves");
    for (size_t i = 0; i + 1 < tree->n_leaves && cairn_report_row_wanted(out); i++) {
        SCOPED(cairn_text_clear) cairn_text set = cairn_text_start(ctx);
        const cairn_merge *m = &tree->merges[i];
        CHECK(cairn_leaf_set_text(ctx, &set, tree, sets, tree->n_leaves + i, MOST_SET));
        cairn_report_cellf(out, "#%zu%s", i + 1,
                           cairn_dendrogram_inverted(tree, i) ? " (inversion)" : "");
        part_cell(out, tree, m->left, i, "left");
        part_cell(out, tree, m->right, i, "right");
        cairn_report_prefix(out, "merge%zu", i + 1);
        cairn_report_cells(out, "@.height @.size @.leaves", m->height, m->size,
                           cairn_text_string(&set));
    }
    return CAIRN_OK;
}

/* How many clusters there are from each height on: a table that says where to cut. */
static cairn_status show_levels(cairn_context *ctx, cairn_report *out, const cairn_dendrogram *tree)
{
    SCOPED_SCRATCH(ctx);
    size_t n = tree->n_leaves - 1, level = 0;
    double *heights;
    CHECK(SCRATCH(ctx, &heights, n + 1));
    for (size_t i = 0; i < n; i++) heights[i] = tree->merges[i].height;
    CHECK(cairn_sort_numbers(ctx, heights, n));
    cairn_report_table_of(out, "Levels", 20, "rrr", "height", "clusters from there on",
                          "up to height");
    for (size_t i = n; i-- > 0;) {
        if (i + 1 < n && heights[i] == heights[i + 1]) continue;
        level++;
        cairn_report_cell_number(out, heights[i], 0, "level%zu.height", level);
        cairn_report_cell_number(out, (double)(n - i), 0, "level%zu.clusters", level);
        if (i + 1 < n)
            cairn_report_cell_number(out, heights[i + 1], 0, NULL);
        else
            cairn_report_cell(out, "");
    }
    return CAIRN_OK;
}

/* -- the cut -- */

/* Inversions make a cut undo merges that are not above it; a note counts them. */
static cairn_status show_cut(cairn_context *ctx, cairn_report *out,
                             const cairn_dendrogram_source *s, const cairn_leaf_sets *sets)
{
    const cairn_cut *cut = &s->cut;
    cairn_report_heading(out, 2, "Cut into %zu cluster%s", cut->n_clusters,
                         cut->n_clusters == 1 ? "" : "s");
    cairn_report_hidden(out, (double)cut->n_clusters, "clusters");
    cairn_report_hidden(out, cut->height, "cut.height");
    if (cut->n_hidden)
        cairn_report_note(out,
                          "%zu merge%s not above the cut undone all the same, since a part of "
                          "them is: inversions.",
                          cut->n_hidden, cut->n_hidden == 1 ? " is" : "s are");
    cairn_report_table_of(out, "Clusters", 0, "lrrl", "cluster", "size", "height", "leaves");
    for (size_t c = 0; c < cut->n_clusters && cairn_report_row_wanted(out); c++) {
        SCOPED(cairn_text_clear) cairn_text set = cairn_text_start(ctx);
        CHECK(cairn_leaf_set_text(ctx, &set, s->tree, sets, cut->nodes[c], MOST_SET));
        cairn_report_cells(out, "- cluster$1.size cluster$1.height cluster$1.leaves", c + 1,
                           cairn_dendrogram_size(s->tree, cut->nodes[c]),
                           cairn_dendrogram_height(s->tree, cut->nodes[c]),
                           cairn_text_string(&set));
    }
    return CAIRN_OK;
}

/* -- cophenetic distances -- */

static void name_pairs(cairn_report *out, const cairn_dendrogram *tree, const double *pairs)
{
    size_t n = tree->n_leaves;
    char a[CAIRN_LEAF_NAME], b[CAIRN_LEAF_NAME];
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            cairn_report_hidden(out, pairs[cairn_pair_at(n, i, j)], "cophenetic.%s.%s",
                                cairn_report_key(out, cairn_leaf_name(tree, i, a)),
                                cairn_report_key(out, cairn_leaf_name(tree, j, b)));
}

static void show_matrix(cairn_report *out, const cairn_dendrogram *tree, const double *pairs)
{
    size_t n = tree->n_leaves;
    char name[CAIRN_LEAF_NAME];
    cairn_report_table_of(out, "Cophenetic distances", 0, "l", "");
    for (size_t j = 0; j < n; j++) cairn_report_column(out, cairn_leaf_name(tree, j, name), 'r');
    for (size_t i = 0; i < n; i++) {
        cairn_report_cell(out, cairn_leaf_name(tree, i, name));
        for (size_t j = 0; j < n; j++) {
            double x = i == j ? 0 : pairs[i < j ? cairn_pair_at(n, i, j) : cairn_pair_at(n, j, i)];
            cairn_report_cell_number(out, x, 0, NULL);
        }
    }
}

/* Which pairs each merge joins. */
static cairn_status show_joins(cairn_context *ctx, cairn_report *out, const cairn_dendrogram *tree,
                               const cairn_leaf_sets *sets)
{
    cairn_report_step_begin(out, "Cophenetic distances");
    cairn_report_paragraph(out, "Two leaves are as far apart as the merge is high that joins them "
                                "first: every pair of a leaf from the left and one from the right "
                                "part gets its height.");
    cairn_report_table_of(out, NULL, 20, "llrr", "left", "right", "pairs", "height");
    for (size_t i = 0; i + 1 < tree->n_leaves && cairn_report_row_wanted(out); i++) {
        SCOPED(cairn_text_clear) cairn_text left = cairn_text_start(ctx);
        SCOPED(cairn_text_clear) cairn_text right = cairn_text_start(ctx);
        const cairn_merge *m = &tree->merges[i];
        CHECK(cairn_leaf_set_text(ctx, &left, tree, sets, m->left, MOST_SET));
        CHECK(cairn_leaf_set_text(ctx, &right, tree, sets, m->right, MOST_SET));
        cairn_report_prefix(out, "merge%zu.pairs", i + 1);
        cairn_report_cells(out, "- - @", cairn_text_string(&left), cairn_text_string(&right),
                           (double)sets->count[m->left] * sets->count[m->right], m->height);
    }
    cairn_report_step_end(out);
    return CAIRN_OK;
}

/* The correlation is told only where the distances behind the tree are at hand; of many leaves the
 * reader is sent to the file. */
static cairn_status show_cophenetic(cairn_context *ctx, cairn_report *out,
                                    const cairn_dendrogram_source *s, const cairn_leaf_sets *sets,
                                    bool steps)
{
    SCOPED_SCRATCH(ctx);
    size_t n = s->tree->n_leaves;
    double *pairs, *given;
    double bytes = 8.0 * (double)n * (double)n;
    if (n < 2) return CAIRN_OK;
    if (n > MOST_COPHENETIC || bytes > (double)cairn_memory_available(ctx)) {
        cairn_report_paragraph(out, "Cophenetic distances of so many leaves are written by {result "
                                    "cophenetic} with {out FILE.csv}.");
        return CAIRN_OK;
    }
    CHECK(SCRATCH(ctx, &pairs, n * (n - 1) / 2 + 1));
    CHECK(cairn_cophenetic(ctx, s->tree, pairs));
    if (steps) CHECK(show_joins(ctx, out, s->tree, sets));
    if (n <= MOST_MATRIX) show_matrix(out, s->tree, pairs);
    if (n <= MOST_PAIRS) name_pairs(out, s->tree, pairs);
    CHECK(cairn_dendrogram_source_pairs(ctx, &given, s));
    if (!given) return CAIRN_OK;
    cairn_report_value(out, "cophenetic correlation",
                       cairn_cophenetic_correlation(pairs, given, n * (n - 1) / 2),
                       "cophenetic_correlation");
    cairn_report_paragraph(out, "It is that of the cophenetic distances and those that the tree "
                                "was made of: near 1, the tree tells them well.");
    return CAIRN_OK;
}

/* -- results -- */

static cairn_status name_leaves(cairn_context *ctx, const char ***out, const cairn_dendrogram *tree)
{
    CHECK(SCRATCH(ctx, out, tree->n_leaves + 1));
    for (size_t i = 0; i < tree->n_leaves; i++) {
        char *buffer;
        CHECK(SCRATCH(ctx, &buffer, CAIRN_LEAF_NAME));
        (*out)[i] = cairn_leaf_name(tree, i, buffer);
    }
    return CAIRN_OK;
}

/* Without a cut there is no result to write; clusters are numbered from 1, as in the report. */
static cairn_status cluster_table(cairn_context *ctx, cairn_table **out,
                                  const cairn_dendrogram_source *s)
{
    SCOPED_SCRATCH(ctx);
    OWNED(cairn_table_free) cairn_table *made = NULL;
    size_t n = s->tree->n_leaves;
    const char **names;
    double *numbers;
    if (!s->has_cut)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{result clusters} needs a cut; say {clusters} or {height}");
    CHECK(name_leaves(ctx, &names, s->tree));
    CHECK(SCRATCH(ctx, &numbers, n + 1));
    for (size_t i = 0; i < n; i++) numbers[i] = s->cut.codes[i] + 1;
    CHECK(cairn_table_new(ctx, &made, n));
    CHECK(cairn_table_add_texts(ctx, made, "leaf", names));
    CHECK(cairn_table_put_numbers(ctx, made, "cluster", numbers));
    *out = TAKE(made);
    return CAIRN_OK;
}

/* The whole symmetric matrix with zeros on its diagonal: its size is checked before it is made. */
static cairn_status cophenetic_table(cairn_context *ctx, cairn_table **out,
                                     const cairn_dendrogram *tree)
{
    SCOPED_SCRATCH(ctx);
    OWNED(cairn_table_free) cairn_table *made = NULL;
    size_t n = tree->n_leaves;
    const char **names;
    double *pairs, *column;
    CHECK(cairn_memory_check(ctx, 12.0 * (double)n * (double)n, "the matrix of all pairs",
                             cairn_say(ctx, "cut the tree into clusters instead, or raise "
                                            "{memory}")));
    CHECK(name_leaves(ctx, &names, tree));
    CHECK(SCRATCH(ctx, &pairs, n * (n - 1) / 2 + 1));
    CHECK(SCRATCH(ctx, &column, n));
    CHECK(cairn_cophenetic(ctx, tree, pairs));
    CHECK(cairn_table_new(ctx, &made, n));
    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i < n; i++)
            column[i] = i == j ? 0 : pairs[i < j ? cairn_pair_at(n, i, j) : cairn_pair_at(n, j, i)];
        CHECK(cairn_table_put_numbers(ctx, made, names[j], column));
    }
    *out = TAKE(made);
    return CAIRN_OK;
}

static cairn_status make_result(cairn_context *ctx, cairn_table **out,
                                const cairn_dendrogram_source *s, int result)
{
    if (result == RESULT_CLUSTERS) return cluster_table(ctx, out, s);
    if (result == RESULT_COPHENETIC) return cophenetic_table(ctx, out, s->tree);
    return cairn_dendrogram_to_table(ctx, out, s->tree);
}

/* -- the calculator -- */

static cairn_status show_newick(cairn_context *ctx, cairn_report *out, const cairn_dendrogram *tree)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    if (tree->n_leaves > MOST_NEWICK) return CAIRN_OK;
    cairn_newick_write(&text, tree);
    CHECK(cairn_text_status(&text));
    text.bytes[--text.length] = 0; /* the end of the line */
    if (tree->n_leaves <= MOST_MATRIX)
        cairn_report_word(out, "Newick", cairn_text_string(&text), "newick");
    else
        cairn_report_hidden_word(out, cairn_text_string(&text), "newick");
    return CAIRN_OK;
}

static void show_tree(cairn_report *out, const cairn_dendrogram *tree)
{
    size_t inversions = cairn_dendrogram_inversions(tree);
    cairn_report_value(out, "leaves", (double)tree->n_leaves, "leaves");
    cairn_report_value(out, "height of the highest merge", cairn_dendrogram_top(tree), "top");
    cairn_report_value(out, "inversions", (double)inversions, "inversions");
    cairn_report_value(out, "agglomerative (of splits: divisive) coefficient",
                       cairn_dendrogram_coefficient(tree), "coefficient");
    if (inversions)
        cairn_report_note(out,
                          "%zu merge%s below a part of %s: heights do not rise from the leaves to "
                          "the root, and a cut at a height is not always one into branches.",
                          inversions, inversions == 1 ? " lies" : "s lie",
                          inversions == 1 ? "it" : "them");
}

static cairn_status dendrogram_run(cairn_context *ctx, cairn_report *out,
                                   const cairn_compute_job *job)
{
    const dendrogram_calculation *p = job->params;
    SCOPED(cairn_dendrogram_source_clear) cairn_dendrogram_source s = {0};
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    cairn_leaf_sets sets;
    CHECK(cairn_dendrogram_source_open(ctx, &s, job, &p->source, NULL, job->steps ? out : NULL));
    CHECK(cairn_leaf_sets_make(ctx, &sets, s.tree));
    cairn_report_heading(out, 1, "%s", s.title);
    if (s.model)
        cairn_report_word(out, "heights are in", s.scaled ? s.scaled : "units of the columns",
                          "units");
    if (s.fitted && s.scaled && p->source.scale == CAIRN_SCALE_AUTO && !p->source.with)
        cairn_report_note(out, "Columns were standardised unasked, as 'fit hierarchy' does; {scale "
                               "none} leaves them in their units.");
    show_tree(out, s.tree);
    CHECK(show_merges(ctx, out, s.tree, &sets));
    CHECK(show_levels(ctx, out, s.tree));
    if (s.has_cut) CHECK(show_cut(ctx, out, &s, &sets));
    CHECK(show_cophenetic(ctx, out, &s, &sets, job->steps));
    CHECK(show_newick(ctx, out, s.tree));
    CHECK(cairn_dendrogram_figure(ctx, &figure, s.tree, &p->look, s.has_cut ? &s.cut : NULL,
                                  s.title, s.height));
    cairn_report_figure(out, TAKE(figure));
    return job->result ? make_result(ctx, job->result, &s, p->result) : CAIRN_OK;
}

static cairn_status dendrogram_draw(cairn_context *ctx, cairn_figure **out,
                                    const cairn_compute_job *job)
{
    const dendrogram_calculation *p = job->params;
    SCOPED(cairn_dendrogram_source_clear) cairn_dendrogram_source s = {0};
    CHECK(cairn_dendrogram_source_open(ctx, &s, job, &p->source, NULL, NULL));
    return cairn_dendrogram_figure(ctx, out, s.tree, &p->look, s.has_cut ? &s.cut : NULL, s.title,
                                   s.height);
}

const cairn_calculator cairn_compute_dendrogram = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "dendrogram",
              .also = "tree of clusters, merge list, cophenetic distance, cophenetic correlation, "
                      "cut a tree, Newick",
              .title = "Merges, levels and cuts of a tree",
              .summary =
                  "Tells a tree of clusters in numbers: every merge with its height and leaves, "
                  "how many clusters there are at each height, a cut by number or height, and the "
                  "cophenetic distances of leaves, the heights at which they are joined first. The "
                  "tree is that of a Newick file or of a table of merges (columns left, right and "
                  "height), of a model of hierarchy, or is made of rows or distances. --out "
                  "FILE.nwk writes it as Newick, FILE.csv as a table.",
              .references = "Sokal and Rohlf: The comparison of dendrograms by objective methods, "
                            "1962; Flach: Machine Learning, 2012, section 8.5",
              .example = "cairn compute dendrogram @iris --ignore species --clusters 3",
              .params = dendrogram_table,
              .params_size = sizeof(dendrogram_calculation)},
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "dendrogram",
                .also = "tree of clusters, cluster tree, taxonomy of the rows, phylogeny",
                .title = "A tree of clusters",
                .summary =
                    "Branches joined at their heights, with the root on any side, the leaves of "
                    "every merge written at it (--sets), and a cut with the colours of its "
                    "clusters. Of many leaves the highest branches are drawn, the rest as "
                    "triangles with their sizes. The tree is that of a Newick file, of a table of "
                    "merges, of a model of hierarchy, or is made of rows or distances.",
                .references = "Flach: Machine Learning, 2012, section 8.5",
                .example = "cairn draw dendrogram @iris --ignore species --clusters 3",
                .params = dendrogram_table,
                .params_size = sizeof(dendrogram_calculation)},
    .arguments = "[MODEL] [DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_ROLES,
    .takes_model = true,
    .run = dendrogram_run,
    .draw = dendrogram_draw,
};
