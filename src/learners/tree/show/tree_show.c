/* SPDX-License-Identifier: MIT */
/* The description of a tree: its size, the tree in letters, a figure, how often each column is
 * used, and named values for every leaf. Large trees are shown down to a number of lines. */
#include "learners/tree/show/tree_show.h"
#include "base/number.h"
#include "report/table_rows.h"
#include <math.h>
#include <string.h>

enum {
    TEXT_NODES = 200,
    TEXT_DEPTH = 40, /* so deep the tree is drawn in letters */
    NAMED_LEAVES = 200,
    FIGURE_NODES = 63,
    SHOWN_CLASSES = 6,
    SHOWN_EQUATIONS = 200
};

/* A walk over the tree in depth-first order that knows where it is. */
typedef struct drawing {
    const cairn_tree_model *tree;
    const cairn_schema *schema;
    const int32_t *depths;
    cairn_text text;
    uint8_t *last; /* by depth: whether the node drawn there is the last child */
    bool open;     /* the node at hand waits for its split */
} drawing;

/* Start the text anew; the report remembers whether it failed. */
static void reset_text(cairn_report *out, cairn_text *text)
{
    cairn_report_failed(out, cairn_text_status(text));
    cairn_text_clear(text);
    *text = cairn_text_start(cairn_report_context(out));
}

static bool is_last_child(const cairn_tree_model *tree, size_t node)
{
    const cairn_tree_node *parent = &tree->nodes[tree->nodes[node].parent];
    for (size_t b = cairn_tree_branch_to(tree, node) + 1; b <= (size_t)parent->n_branches; b++)
        if (tree->links[parent->links + b] >= 0) return false;
    return true;
}

/* "no 3, yes 2" */
void cairn_tree_add_weight(cairn_text *text, double weight)
{
    char number[CAIRN_NUMBER_SIZE];
    if (weight == floor(weight) || weight < 0.005 || weight >= 1e6)
        cairn_number_format(number, weight, weight < 0.005 ? 2 : 6);
    else
        cairn_number_fixed(number, weight, 2);
    cairn_text_add(text, number);
}

/* Class counts of a mixed node, the weight of any other. */
static void add_size(cairn_text *text, const cairn_tree_model *tree, const cairn_tree_node *node,
                     const cairn_schema *schema)
{
    if (tree->n_classes && node->n_counts > 1) {
        for (size_t j = 0; j < node->n_counts && j < SHOWN_CLASSES; j++) {
            cairn_text_addf(text, "%s%s ", j ? ", " : "",
                            cairn_schema_class(schema, tree->classes[node->counts + j]));
            cairn_tree_add_weight(text, tree->weights[node->counts + j]);
        }
        if (node->n_counts > SHOWN_CLASSES) cairn_text_add(text, ", ...");
        return;
    }
    cairn_tree_add_weight(text, node->weight);
    if (!tree->n_classes && node->column >= 0 && !cairn_tree_is_vector(tree)) {
        cairn_text_add(text, ", mean ");
        cairn_text_add_number(text, node->mean, 6);
    }
}

/* One line of the tree in letters: which rules go down beside it depends on whether each node
 * above was the last branch of its own parent. */
static void draw_node(drawing *d, size_t i)
{
    const cairn_tree_node *node = &d->tree->nodes[i];
    cairn_text *text = &d->text;
    for (int32_t k = 1; k < d->depths[i]; k++) cairn_text_add(text, d->last[k] ? "   " : "│  ");
    if (node->parent >= 0) {
        d->last[d->depths[i]] = is_last_child(d->tree, i);
        cairn_text_add(text, d->last[d->depths[i]] ? "└─ " : "├─ ");
        cairn_tree_add_branch(text, d->tree, &d->tree->nodes[node->parent],
                              cairn_tree_branch_to(d->tree, i), d->schema, false);
        cairn_text_add(text, ": ");
    }
    if (d->open)
        cairn_text_add(text, "...");
    else if (node->column >= 0)
        cairn_text_addf(text, "%s?", cairn_schema_feature(d->schema, (size_t)node->column)->name);
    else
        cairn_tree_add_label(text, d->tree, node, d->schema);
    cairn_text_add(text, "  (");
    add_size(text, d->tree, node, d->schema);
    cairn_text_add(text, ")\n");
}

/* A large tree would bury the rest of the description, so depth and lines are limited and the
 * note says how to get all of it. */
static void draw_tree(cairn_report *out, drawing *d)
{
    size_t n = 0;
    for (size_t i = 0; i < d->tree->n_nodes && n < TEXT_NODES; i++) {
        if (d->depths[i] > TEXT_DEPTH) continue;
        draw_node(d, i);
        n++;
    }
    if (d->tree->n_nodes > n)
        cairn_text_addf(&d->text, "... and %zu more node%s\n", d->tree->n_nodes - n,
                        d->tree->n_nodes - n == 1 ? "" : "s");
    cairn_report_verbatim(out, cairn_text_string(&d->text));
    reset_text(out, &d->text);
    if (d->tree->n_nodes > n)
        cairn_report_note(out,
                          "The first %d nodes down to depth %d are drawn; cairn export MODEL --to "
                          "text writes all of them.",
                          TEXT_NODES, TEXT_DEPTH);
}

/* Nodes are in depth-first order, so what the first splits make is what hangs below them. */
void cairn_tree_draw_partial(cairn_report *out, const cairn_tree_model *tree,
                             const cairn_schema *schema, size_t n_splits)
{
    cairn_context *ctx = cairn_report_context(out);
    if (!ctx) return;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    drawing d = {.tree = tree, .schema = schema, .text = cairn_text_start(ctx)};
    int32_t *depths = NULL, last_split = -1;
    size_t drawn = 0, splits = 0;
    cairn_status status;
    TRY(SCRATCH(ctx, &depths, tree->n_nodes));
    TRY(SCRATCH(ctx, &d.last, (size_t)cairn_tree_depths(tree, depths) + 1));
    d.depths = depths;
    for (size_t i = 0; i < tree->n_nodes && drawn < TEXT_NODES; i++) {
        const cairn_tree_node *node = &tree->nodes[i];
        if (node->column >= 0 && splits++ < n_splits) last_split = (int32_t)i;
        if (node->parent > last_split) continue; /* a split that is still to be made */
        if (depths[i] > TEXT_DEPTH) continue;
        d.open = node->column >= 0 && (int32_t)i > last_split;
        draw_node(&d, i);
        drawn++;
    }
    if (drawn == TEXT_NODES) cairn_text_add(&d.text, "...\n");
    cairn_report_verbatim(out, cairn_text_string(&d.text));
    reset_text(out, &d.text);
done:
    cairn_report_failed(out, status);
    cairn_text_clear(&d.text);
    cairn_scratch_release(ctx, mark);
}

static void name_nested(cairn_report *out, drawing *d)
{
    if (d->tree->n_nodes > TEXT_NODES) return;
    cairn_tree_add_nested(&d->text, d->tree, d->schema);
    cairn_report_hidden_word(out, cairn_text_string(&d->text), "tree.text");
    reset_text(out, &d->text);
}

static const char *answer_of(const drawing *d, const cairn_tree_node *node)
{
    return node->reason == CAIRN_LEAF_REJECTED ? "reject"
                                               : cairn_schema_class(d->schema, node->label);
}

/* Leaves are named by their path and not by their number, so that a lesson or test still finds
 * them when the tree changes elsewhere. */
static void name_leaves(cairn_report *out, drawing *d)
{
    size_t named = 0;
    for (size_t i = 0; i < d->tree->n_nodes && named < NAMED_LEAVES; i++) {
        const cairn_tree_node *node = &d->tree->nodes[i];
        cairn_text path = cairn_text_start(cairn_report_context(out));
        if (node->column >= 0) continue;
        named++;
        cairn_tree_add_path(&path, d->tree, i, d->schema, ",");
        const char *key =
            cairn_report_key(out, path.length ? cairn_text_string(&path) : "everything");
        if (d->tree->n_classes)
            cairn_report_hidden_word(out, answer_of(d, node), "leaf.%s", key);
        else
            cairn_report_hidden(out, node->mean, "leaf.%s", key);
        cairn_report_hidden(out, node->weight, "leaf.%s.n", key);
        cairn_report_hidden(out, node->error, d->tree->n_classes ? "leaf.%s.errors" : "leaf.%s.sse",
                            key);
        reset_text(out, &path);
    }
}

/* -- the figure -- */

/* The greatest depth down to which the tree has few enough nodes to be drawn. */
static int32_t drawn_depth(const drawing *d, int32_t deepest)
{
    for (int32_t limit = 1; limit <= deepest; limit++) {
        size_t n = 0;
        for (size_t i = 0; i < d->tree->n_nodes && n <= FIGURE_NODES; i++)
            n += d->depths[i] <= limit;
        if (n > FIGURE_NODES) return limit - 1;
    }
    return deepest;
}

static void figure_shares(const cairn_tree_model *tree, const cairn_tree_node *node, double *shares)
{
    memset(shares, 0, tree->n_classes * sizeof *shares);
    for (size_t j = 0; j < node->n_counts; j++)
        shares[tree->classes[node->counts + j]] = tree->weights[node->counts + j] / node->weight;
}

/* The class that colours a node: that of a leaf which answers one. */
static int figure_group(const cairn_tree_node *node)
{
    return node->column < 0 && node->reason != CAIRN_LEAF_REJECTED ? node->label : -1;
}

/* A tree that is too wide even at depth 1 gets no figure; a deep one is drawn as far as it stays
 * legible, and the text says how far. */
static cairn_status make_figure(cairn_context *ctx, cairn_figure **out, const drawing *d,
                                int32_t deepest)
{
    const cairn_field *target = cairn_schema_target(d->schema);
    int32_t limit = drawn_depth(d, deepest);
    const char **names = NULL;
    double *shares = NULL;
    int *numbers = NULL;
    if (limit == 0 && deepest > 0) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &numbers, d->tree->n_nodes));
    CHECK(SCRATCH_EACH(ctx, d->tree->n_classes + 1, &shares, &names));
    CHECK(cairn_figure_new(ctx, out, "tree", "Decision tree"));
    for (size_t l = 0; l < d->tree->n_classes; l++) names[l] = cairn_map_key(&target->names, l);
    if (d->tree->n_classes) cairn_figure_tree_groups(*out, names, d->tree->n_classes);
    for (size_t i = 0; i < d->tree->n_nodes; i++)
        if (d->depths[i] <= limit) {
            /* Inner nodes at the last drawn depth end in dots, so that nobody takes them for
             * leaves. */
            cairn_figure *figure = *out;
            const cairn_tree_node *node = &d->tree->nodes[i];
            cairn_status status;
            cairn_text edge = cairn_text_start(d->text.ctx), text = cairn_text_start(d->text.ctx);
            bool has_shares = d->tree->n_classes && node->n_counts > 0;
            if (node->parent >= 0)
                cairn_tree_add_branch(&edge, d->tree, &d->tree->nodes[node->parent],
                                      cairn_tree_branch_to(d->tree, i), d->schema, false);
            if (node->column >= 0)
                cairn_text_add(&text, cairn_schema_feature(d->schema, (size_t)node->column)->name);
            else
                cairn_tree_add_label(&text, d->tree, node, d->schema);
            cairn_text_add(&text, "\n");
            add_size(&text, d->tree, node, d->schema);
            if (node->column >= 0 && d->depths[i] == limit) cairn_text_add(&text, " ...");
            if (has_shares) figure_shares(d->tree, node, shares);
            numbers[i] = cairn_figure_tree_node(
                figure, node->parent < 0 ? -1 : numbers[node->parent], cairn_text_string(&edge),
                cairn_text_string(&text), node->column < 0, figure_group(node),
                has_shares ? shares : NULL, d->tree->n_classes);
            status = cairn_text_status(&edge);
            if (status == CAIRN_OK) status = cairn_text_status(&text);
            cairn_text_clear(&edge);
            cairn_text_clear(&text);
            CHECK(status);
        }
    return CAIRN_OK;
}

static cairn_status make_tree(cairn_context *ctx, cairn_figure **out, const void *model,
                              const cairn_job *job)
{
    const cairn_tree_model *tree = model;
    int32_t *depths = NULL;
    CHECK(SCRATCH(ctx, &depths, tree->n_nodes));
    int32_t deepest = cairn_tree_depths(tree, depths);
    const drawing d = {.tree = tree, .schema = job->schema, .depths = depths, .text.ctx = ctx};
    return make_figure(ctx, out, &d, deepest);
}

static cairn_status make_regions(cairn_context *ctx, cairn_figure **out, const void *model,
                                 const cairn_job *job)
{
    return cairn_tree_draw_regions(ctx, out, model, job->schema);
}

const cairn_model_figure cairn_tree_figures[] = {
    {.name = "tree", .make = make_tree},
    {.name = "tree-regions", .make = make_regions},
    {.name = NULL},
};

/* Both pictures, and how much of the tree the first shows. */
static void show_figures(cairn_context *ctx, cairn_report *out, const drawing *d, int32_t deepest)
{
    cairn_figure *tree = NULL, *regions = NULL;
    int32_t limit = drawn_depth(d, deepest);
    cairn_status status = make_figure(ctx, &tree, d, deepest);
    cairn_describe_figure(out, status, &tree, false);
    if (limit > 0 && limit < deepest)
        cairn_report_paragraph(out, "The figure shows the tree down to depth %d of %d.", limit,
                               deepest);
    status = cairn_tree_draw_regions(ctx, &regions, d->tree, d->schema);
    cairn_describe_figure(out, status, &regions, true);
}

/* -- numbers -- */

/* Errors on the training rows judge how far the tree went, not how good it is; trees of several
 * targets show theirs one by one elsewhere. */
static void show_size(cairn_report *out, const cairn_tree_model *tree,
                      const cairn_tree_history *history, int32_t deepest)
{
    double error = 0, total = tree->nodes[0].weight;
    for (size_t i = 0; i < tree->n_nodes; i++)
        if (tree->nodes[i].column < 0) error += tree->nodes[i].error;
    if (history)
        cairn_report_hidden_word(out, history->bins ? "histogram" : "exact", "tree.engine");
    if (history && history->bins)
        cairn_report_value(out, "grown on histograms, bins at most", history->bins, "tree.bins");
    cairn_report_value(out, "nodes", (double)tree->n_nodes, "tree.nodes");
    cairn_report_value(out, "leaves", (double)cairn_tree_leaves(tree), "tree.leaves");
    cairn_report_value(out, "depth", deepest, "tree.depth");
    if (history && history->grown_nodes) {
        cairn_report_value(out, "nodes before pruning", (double)history->grown_nodes,
                           "grown.nodes");
        cairn_report_value(out, "leaves before pruning", (double)history->grown_leaves,
                           "grown.leaves");
    }
    if (cairn_tree_is_vector(tree)) return; /* its targets are judged one by one */
    if (tree->n_classes) {
        cairn_tree_show_error(out, tree);
    } else {
        cairn_report_value(out, "sum of squared errors on the training rows", error,
                           "training.sse");
        cairn_report_value(out, "mean squared error on the training rows", error / total,
                           "training.mse");
    }
}

/* Importance is the gain of a column's splits, each weighted by the rows that it divides, as a
 * share of all gain. */
static cairn_status show_use(cairn_context *ctx, cairn_report *out, const cairn_tree_model *tree,
                             const cairn_schema *schema)
{
    double *splits = NULL, *gains = NULL, sum = 0;
    CHECK(SCRATCH_EACH(ctx, tree->n_columns, &splits, &gains));
    for (size_t i = 0; i < tree->n_nodes; i++) {
        const cairn_tree_node *node = &tree->nodes[i];
        if (node->column < 0) continue;
        splits[node->column]++;
        gains[node->column] += node->weight * node->gain;
        sum += node->weight * node->gain;
    }
    cairn_report_table_of(out, "Use of the columns", 0, "lrr", "column", "splits",
                          "share of the gain");
    for (size_t c = 0, at = 0; c < tree->n_columns; c++) {
        const char *name = cairn_schema_next_feature(schema, &at)->name;
        cairn_report_cells(out, "- use.$1 importance.$1:4", name, splits[c],
                           sum > 0 ? gains[c] / sum : 0);
    }
    cairn_report_table_end(out);
    return CAIRN_OK;
}

/* Sets of many levels that were not the best of all, but of an order. */
static void show_ordered_sets(cairn_report *out, const cairn_tree_model *tree)
{
    size_t n = 0;
    for (size_t i = 0; i < tree->n_nodes; i++) {
        const cairn_tree_node *node = &tree->nodes[i];
        size_t used = 0;
        if (node->test != CAIRN_TEST_SET || tree->n_classes <= 2) continue;
        for (size_t v = 0; v < node->n_levels; v++) used += tree->sets[(size_t)node->level + v] > 0;
        n += used > CAIRN_SET_EXACT;
    }
    if (n == 0) return;
    cairn_report_value(out, "sets found by an order of the levels", (double)n, "tree.ordered_sets");
    cairn_report_note(out,
                      "With more than %d levels and more than two classes not all sets of levels "
                      "are tried, but those that the levels ordered by the share of a class give.",
                      CAIRN_SET_EXACT);
}

cairn_tree_errors cairn_tree_count_errors(const cairn_tree_model *tree)
{
    cairn_tree_errors sum = {.total = tree->nodes[0].weight};
    for (size_t i = 0; i < tree->n_nodes; i++) {
        const cairn_tree_node *node = &tree->nodes[i];
        if (node->column >= 0) continue;
        if (node->reason != CAIRN_LEAF_REJECTED) {
            sum.errors += node->error;
            continue;
        }
        int32_t label = tree->nodes[node->parent < 0 ? 0 : node->parent].label;
        sum.rejected += node->weight;
        sum.above += node->weight;
        for (size_t j = 0; j < node->n_counts; j++)
            if (tree->classes[node->counts + j] == label)
                sum.above -= tree->weights[node->counts + j];
    }
    return sum;
}

void cairn_tree_show_error(cairn_report *out, const cairn_tree_model *tree)
{
    cairn_tree_errors sum = cairn_tree_count_errors(tree);
    double rest = sum.total - sum.rejected;
    cairn_report_value(out, "training rows that it gets wrong", sum.errors, "training.errors");
    if (sum.rejected > 0) {
        cairn_report_value(out, "share of the training rows that it rejects",
                           sum.rejected / sum.total, "training.rejected");
        cairn_report_value(out, "share that it answers", rest / sum.total, "training.coverage");
        cairn_report_value(out, "error if these were answered by the node above",
                           (sum.errors + sum.above) / sum.total, "training.error_parent");
    }
    cairn_report_value(out,
                       sum.rejected > 0 ? "error on the training rows that it answers"
                                        : "error on the training rows",
                       rest > 0 ? sum.errors / rest : NAN, "training.error");
    cairn_report_hidden(out, rest > 0 ? 1 - sum.errors / rest : NAN, "training.accuracy");
}

void cairn_tree_show_linear_leaves(cairn_report *out, const cairn_tree_model *tree,
                                   const cairn_schema *schema)
{
    if (tree->n_linear == 0) return;
    cairn_report_table_of(out, "Linear models in the leaves", SHOWN_EQUATIONS, "rrrl", "leaf",
                          "rows", "squared errors", "answer");
    for (size_t i = 0; i < tree->n_nodes && cairn_report_row_wanted(out); i++) {
        const cairn_tree_node *node = &tree->nodes[i];
        cairn_text text = cairn_text_start(cairn_report_context(out));
        if (node->column >= 0) continue;
        cairn_report_cells(out, "- -:6 -:6", i + 1, node->weight, node->error);
        cairn_tree_add_label(&text, tree, node, schema);
        cairn_report_cell(out, cairn_text_string(&text));
        cairn_report_failed(out, cairn_text_status(&text));
        cairn_text_clear(&text);
        if (node->linear == 0) continue;
        cairn_report_hidden(out, cairn_linear_leaf_constant(tree, node), "leaf%zu.constant", i + 1);
        for (size_t j = 0; j < tree->n_regressors; j++)
            cairn_report_hidden(
                out, tree->slopes[(size_t)(node->linear - 1) * tree->n_regressors + j],
                "leaf%zu.slope.%s", i + 1,
                cairn_report_key(out,
                                 cairn_schema_feature(schema, (size_t)tree->regressors[j])->name));
    }
    cairn_report_table_end(out);
}

void cairn_tree_describe(cairn_report *out, const cairn_tree_model *tree,
                         const cairn_tree_history *history, const cairn_schema *schema,
                         int32_t positive)
{
    cairn_context *ctx = cairn_report_context(out);
    if (!ctx) return;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    drawing d = {.tree = tree, .schema = schema, .text = cairn_text_start(ctx)};
    int32_t *depths = NULL, deepest;
    cairn_status status;
    TRY(SCRATCH(ctx, &depths, tree->n_nodes));
    deepest = cairn_tree_depths(tree, depths);
    d.depths = depths;
    TRY(SCRATCH(ctx, &d.last, (size_t)deepest + 1));
    cairn_report_heading(out, 2, "The tree");
    unsigned before = CAIRN_IN_BOTH, lengths = CAIRN_IN_BOTH;
    if (cairn_tree_glance(out, tree, schema, positive)) lengths = CAIRN_IN_FULL | CAIRN_NOTES;
    before = cairn_report_only(out, lengths);
    show_figures(ctx, out, &d, deepest);
    if (tree->n_nodes > FIGURE_NODES) draw_tree(out, &d);
    show_size(out, tree, history, deepest);
    show_ordered_sets(out, tree);
    TRY(show_use(ctx, out, tree, schema));
    cairn_tree_show_linear_leaves(out, tree, schema);
    name_nested(out, &d);
    if (!cairn_tree_is_vector(tree)) name_leaves(out, &d);
    cairn_report_for(out, before);
done:
    cairn_report_failed(out, status);
    cairn_text_clear(&d.text);
    cairn_scratch_release(ctx, mark);
}
