/* SPDX-License-Identifier: MIT */
/* Why a tree answers as it does: the tests on the way from the root to the leaf, what the training
 * rows at every node were, and the leaf. Where a cell is missing and the tree sends such rows down
 * all branches, the path ends there and the branches are reported with their shares. */
#include "learners/tree/show/tree_show.h"
#include "model/explain.h"
#include "report/table_rows.h"
#include <math.h>

void cairn_linear_leaf_explain(cairn_report *out, const cairn_tree_model *tree,
                               const cairn_tree_node *node, const cairn_job *job, size_t row)
{
    size_t from = (size_t)(node->linear - 1) * tree->n_regressors;
    double sum = node->mean;
    cairn_report_table_of(out, "The linear model of the leaf: what each column adds to the mean", 0,
                          "lrrrr", "column", "value", "mean of the leaf", "slope", "adds");
    for (size_t j = 0; j < tree->n_regressors; j++) {
        size_t column = (size_t)tree->regressors[j];
        double x = job->view->features[column]->numbers[row];
        double adds = isnan(x) ? 0 : tree->slopes[from + j] * (x - tree->centres[from + j]);
        const char *key = cairn_report_key(out, job->view->names[column]);
        sum += adds;
        cairn_report_cells(out, "- -:6 -:6", job->view->names[column], x, tree->centres[from + j]);
        cairn_report_cell_number(out, tree->slopes[from + j], 6, "slope.%s", key);
        cairn_report_cell_number(out, adds, 6, "adds.%s", key);
    }
    cairn_report_table_end(out);
    cairn_report_value(out, "mean and all that is added", sum, "answer");
}

/* Start the text anew; the report remembers whether it failed. */
static void restart(cairn_report *out, cairn_text *text)
{
    cairn_report_failed(out, cairn_text_status(text));
    cairn_text_clear(text);
    *text = cairn_text_start(cairn_report_context(out));
}

/* Class counts or mean of the training rows at a node. */
static void add_rows(cairn_text *text, const cairn_tree_model *tree, const cairn_tree_node *node,
                     const cairn_schema *schema)
{
    enum { SHOWN = 4 };
    if (!tree->n_classes) {
        cairn_text_add(text, "mean ");
        cairn_text_add_number(text, node->mean, 6);
        return;
    }
    for (size_t j = 0; j < node->n_counts && j < SHOWN; j++) {
        cairn_text_addf(text, "%s%s ", j ? ", " : "",
                        cairn_schema_class(schema, tree->classes[node->counts + j]));
        cairn_text_add_number(text, tree->weights[node->counts + j], 6);
    }
    if (node->n_counts > SHOWN) cairn_text_add(text, ", ...");
}

/* The value that the test looks at. */
static void add_cell(cairn_text *text, const cairn_column *column, size_t row)
{
    if (cairn_column_is_missing(column, row))
        cairn_text_add(text, "missing");
    else if (column->kind == CAIRN_LEVEL)
        cairn_text_add(text, cairn_level_name(column, column->codes[row]));
    else
        cairn_text_add_number(text, column->numbers[row], 6);
}

/* One row of the table of tests: node, its rows, column, value, branch taken. */
static void show_test(cairn_report *out, const cairn_tree_model *tree, size_t at, size_t link,
                      size_t surrogate, size_t step, const cairn_job *job, size_t row)
{
    const cairn_tree_node *node = &tree->nodes[at];
    const cairn_column *column = job->view->features[node->column];
    cairn_text text = cairn_text_start(cairn_report_context(out));
    cairn_report_cells(out, "- step$1.column", step,
                       cairn_schema_feature(job->schema, (size_t)node->column)->name);
    add_cell(&text, column, row);
    if (surrogate) {
        int32_t other = tree->surrogates[node->surrogates + surrogate - 1].column;
        const char *name = cairn_schema_feature(job->schema, (size_t)other)->name;
        cairn_text_addf(&text, "; %s stands in: ", name);
        add_cell(&text, job->view->features[other], row);
        cairn_report_hidden_word(out, name, "step%zu.surrogate", step);
    }
    cairn_report_cell_word(out, cairn_text_string(&text), "step%zu.value", step);
    restart(out, &text);
    cairn_tree_add_branch(&text, tree, node, link, job->schema, false);
    cairn_report_cell_word(out, cairn_text_string(&text), "step%zu.branch", step);
    restart(out, &text);
    add_rows(&text, tree, node, job->schema);
    cairn_report_cell(out, cairn_text_string(&text));
    restart(out, &text);
}

/* A missing cell that goes down all branches. */
static void show_branches(cairn_report *out, const cairn_tree_model *tree, size_t at,
                          const cairn_job *job)
{
    const cairn_tree_node *node = &tree->nodes[at];
    double total = 0;
    for (size_t b = 0; b < (size_t)node->n_branches; b++) {
        int32_t child = tree->links[node->links + b];
        if (child >= 0) total += tree->nodes[child].weight;
    }
    cairn_report_note(out,
                      "The cell of '%s' is missing, so the row goes down all branches and the "
                      "answer is the average of the leaves below, weighted by the training rows.",
                      cairn_schema_feature(job->schema, (size_t)node->column)->name);
    cairn_report_table_of(out, NULL, 0, "lrl", "branch", "share", "training rows");
    for (size_t b = 0; b < (size_t)node->n_branches; b++) {
        int32_t child = tree->links[node->links + b];
        cairn_text text = cairn_text_start(cairn_report_context(out));
        if (child < 0) continue;
        cairn_tree_add_branch(&text, tree, node, b, job->schema, false);
        cairn_report_cell(out, cairn_text_string(&text));
        cairn_report_cell_number(out, tree->nodes[child].weight / total, 4, "branch%zu.share",
                                 b + 1);
        restart(out, &text);
        add_rows(&text, tree, &tree->nodes[child], job->schema);
        cairn_report_cell(out, cairn_text_string(&text));
        restart(out, &text);
    }
    cairn_report_table_end(out);
}

/* What the training rows of the leaf were. */
static void show_leaf(cairn_report *out, const cairn_tree_model *tree, size_t at,
                      const cairn_job *job, size_t row)
{
    cairn_context *ctx = cairn_report_context(out);
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    const cairn_tree_node *node = &tree->nodes[at];
    cairn_text path = cairn_text_start(ctx);
    cairn_status status = CAIRN_OK;
    double *weights;
    cairn_tree_add_path(&path, tree, at, job->schema, ",");
    cairn_report_hidden_word(out, path.length ? cairn_text_string(&path) : "everything", "path");
    cairn_report_hidden(out, (double)at + 1, "leaf");
    if (!tree->n_classes) {
        cairn_report_value(out, "training rows of the leaf", node->weight, "rows");
        cairn_report_value(out, "their mean", node->mean, "mean");
        if (node->linear) cairn_linear_leaf_explain(out, tree, node, job, row);
        goto done;
    }
    while (node->n_counts == 0 && node->parent >= 0) node = &tree->nodes[node->parent];
    if (node != &tree->nodes[at])
        cairn_report_note(out, "No training row came this way: the node above answers.");
    TRY(SCRATCH(ctx, &weights, tree->n_classes));
    for (size_t j = 0; j < node->n_counts; j++)
        weights[tree->classes[node->counts + j]] = tree->weights[node->counts + j];
    if (tree->nodes[at].reason == CAIRN_LEAF_REJECTED)
        cairn_report_note(out, "The leaf answers no class: rows that get here are rejected.");
    if (tree->nodes[at].reason == CAIRN_LEAF_SENT_UP)
        cairn_report_note(out, "The leaf has too few rows: the node above answers.");
    cairn_report_paragraph(out, "The leaf:");
    cairn_explain_classes(out, job, weights,
                          tree->nodes[at].reason == CAIRN_LEAF_REJECTED ? -1
                                                                        : tree->nodes[at].label);
done:
    cairn_report_failed(out, status);
    cairn_report_failed(out, cairn_text_status(&path));
    cairn_text_clear(&path);
    cairn_scratch_release(ctx, mark);
}

void cairn_tree_explain(cairn_report *out, const void *model, const cairn_job *job, size_t i)
{
    const cairn_tree_model *tree = model;
    size_t at = 0, row = cairn_view_row(job->view, i);
    if (!cairn_report_context(out)) return;
    bool tests = tree->nodes[0].column >= 0;
    if (tests) {
        cairn_report_table_of(out, "The path", 0, "rllll", "step", "column", "value", "branch",
                              "training rows before");
    }
    for (size_t step = 1; tree->nodes[at].column >= 0; step++) {
        const cairn_tree_node *node = &tree->nodes[at];
        size_t surrogate;
        size_t link = cairn_tree_way(tree, node, job->view->features, row, &surrogate);
        int32_t child = tree->links[node->links + link];
        show_test(out, tree, at, link, surrogate, step, job, row);
        if (child < 0) break;
        at = (size_t)child;
    }
    if (tests) cairn_report_table_end(out);
    if (tree->nodes[at].column >= 0)
        show_branches(out, tree, at, job);
    else
        show_leaf(out, tree, at, job, row);
}
