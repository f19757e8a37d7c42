/* SPDX-License-Identifier: MIT */
/* What the leaves answer, and the table of all nodes.
 *
 * A leaf usually answers its most frequent class. Where a class is rare it is then never answered,
 * although a leaf may hold most of it; so the answer may instead be the class whose share has
 * changed most against the root: p(k|leaf) − p(k), or that divided by p(k). A leaf of very few rows
 * says little: it may refuse to answer, or answer as the node above it.
 *
 * The error of a leaf is the share of its rows that are of other classes, that of the tree the mean
 * of these, weighted by the sizes of the leaves that answer. */
#include "learners/tree/tree_leaves.h"
#include "learners/tree/tree.h"

#include "base/number.h"
#include "report/table_rows.h"
#include <math.h>
#include <string.h>

enum { TABLE_NODES = 500, TABLE_CLASSES = 12 };

const cairn_choice cairn_leaf_rules[] = {
    {"majority", CAIRN_LEAF_BY_MAJORITY, "the most frequent class"},
    {"absolute", CAIRN_LEAF_BY_ABSOLUTE, "the class whose share rose most: p(leaf) − p(root)"},
    {"relative", CAIRN_LEAF_BY_RELATIVE,
     "the class whose share rose most in proportion: p(leaf) / p(root) − 1"},
    {NULL, 0, NULL},
};
const cairn_choice cairn_small_leaves[] = {
    {"reject", CAIRN_SMALL_REJECT, "nothing: the row is rejected"},
    {"parent", CAIRN_SMALL_PARENT, "what the node above answers"},
    {NULL, 0, NULL},
};

const cairn_param cairn_leaf_group[] = {
    CAIRN_PARAM_CHOICE(cairn_leaf_params, leaf_label, "majority", cairn_leaf_rules,
                       "which class a leaf answers"),
    CAIRN_PARAM(cairn_leaf_params, label_cost, "1", "(0,inf)",
                "two classes: c = cost of a false negative / cost of a false positive, times how "
                "much more frequent the positive class will be in use; a leaf is positive where "
                "c times its positives are more than its negatives"),
    CAIRN_PARAM(cairn_leaf_params, reject_below, "0", "[0,inf)",
                "a leaf with less weight does not answer for itself; 0 = all do"),
    CAIRN_PARAM_CHOICE(cairn_leaf_params, small_leaf, "reject", cairn_small_leaves,
                       "what a leaf below --reject-below answers", .when = "reject_below"),
    CAIRN_PARAM(cairn_leaf_params, node_table, "no", NULL,
                "show the table of all nodes and the list of leaves with their conditions"),
    CAIRN_PARAM(cairn_leaf_params, mark_above, "0.7", "[0,1]", "shares above this are marked",
                .when = "node_table"),
    CAIRN_PARAM(cairn_leaf_params, mark_below, "0.05", "[0,1]", "shares below this are marked",
                .when = "node_table"),
    CAIRN_PARAM_END,
};

/* -- answers -- */

void cairn_tree_shares(const cairn_tree_model *tree, size_t node, double *shares)
{
    const cairn_tree_node *at = &tree->nodes[node];
    double total = 0;
    memset(shares, 0, tree->n_classes * sizeof *shares);
    for (size_t j = 0; j < at->n_counts; j++) total += tree->weights[at->counts + j];
    for (size_t j = 0; j < at->n_counts; j++)
        shares[tree->classes[at->counts + j]] = tree->weights[at->counts + j] / total;
}

double cairn_leaf_change(cairn_leaf_rule rule, double share, double prior)
{
    if (rule == CAIRN_LEAF_BY_MAJORITY) return share;
    if (rule == CAIRN_LEAF_BY_ABSOLUTE) return share - prior;
    return prior > 0 ? share / prior - 1 : NAN;
}

int32_t cairn_leaf_choose(cairn_leaf_rule rule, const double *shares, const double *prior, size_t n)
{
    int32_t best = 0;
    double most = -INFINITY;
    for (size_t l = 0; l < n; l++) {
        double change = cairn_leaf_change(rule, shares[l], prior[l]);
        if (!(change > most + CAIRN_TREE_TIE)) continue;
        most = change;
        best = (int32_t)l;
    }
    return best;
}

int32_t cairn_leaf_choose_by_cost(const double *shares, int32_t positive, double cost)
{
    double gain = shares[positive] * cost - shares[1 - positive];
    return gain > CAIRN_TREE_TIE ? positive : 1 - positive;
}

/* Let a leaf answer `label`; its error changes with it. */
static void answer(cairn_tree_model *tree, cairn_tree_node *node, int32_t label)
{
    double right = 0;
    for (size_t j = 0; j < node->n_counts; j++)
        if (tree->classes[node->counts + j] == label) right = tree->weights[node->counts + j];
    node->label = label;
    node->error = node->weight > 0 ? node->weight - right : 0;
}

cairn_status cairn_tree_label_leaves(cairn_context *ctx, cairn_tree_model *tree,
                                     const cairn_leaf_params *p, int32_t positive)
{
    cairn_leaf_rule rule = (cairn_leaf_rule)p->leaf_label;
    bool by_cost = rule == CAIRN_LEAF_BY_MAJORITY;
    double *prior = NULL, *shares = NULL;
    if (!tree->n_classes || (by_cost && p->label_cost == 1)) return CAIRN_OK;
    CHECK(SCRATCH_EACH(ctx, tree->n_classes, &prior, &shares));
    cairn_tree_shares(tree, 0, prior);
    for (size_t i = 0; i < tree->n_nodes; i++) {
        cairn_tree_node *node = &tree->nodes[i];
        size_t from = i; /* a leaf without rows answers as the node above */
        if (node->column >= 0 || node->reason == CAIRN_LEAF_NAMED) continue;
        while (by_cost && tree->nodes[from].n_counts == 0 && tree->nodes[from].parent >= 0)
            from = (size_t)tree->nodes[from].parent;
        if (tree->nodes[from].n_counts == 0) continue;
        cairn_tree_shares(tree, from, shares);
        answer(tree, node,
               by_cost ? cairn_leaf_choose_by_cost(shares, positive, p->label_cost)
                       : cairn_leaf_choose(rule, shares, prior, tree->n_classes));
    }
    return CAIRN_OK;
}

cairn_status cairn_tree_finish_leaves(cairn_context *ctx, cairn_tree_model *tree,
                                      const cairn_leaf_params *p, int32_t positive)
{
    CHECK(cairn_tree_label_leaves(ctx, tree, p, positive));
    for (size_t i = 0; i < tree->n_nodes; i++) {
        cairn_tree_node *node = &tree->nodes[i];
        if (node->column >= 0 || !(node->weight < p->reject_below)) continue;
        if (p->small_leaf == CAIRN_SMALL_REJECT)
            node->reason = CAIRN_LEAF_REJECTED;
        else if (node->parent >= 0) {
            const cairn_tree_node *parent = &tree->nodes[node->parent];
            double off = node->mean - parent->mean;
            node->reason = CAIRN_LEAF_SENT_UP;
            if (tree->n_classes) {
                answer(tree, node, parent->label);
            } else {
                node->error += node->weight * off * off;
                node->mean = parent->mean;
            }
        }
    }
    return CAIRN_OK;
}

cairn_status cairn_leaf_check_task(cairn_context *ctx, const cairn_leaf_params *p,
                                   const cairn_job *job)
{
    if (p->label_cost != 1 && job->positive < 0)
        return cairn_fail(
            ctx, CAIRN_USAGE, "{label-cost} compares two classes, and '%s' %s; leave it out%s",
            job->view->target_name,
            job->task == CAIRN_CLASSIFY ? "has another number of them" : "is a number",
            cairn_say(ctx, job->task == CAIRN_CLASSIFY ? ", or use {against-rest CLASS}" : ""));
    if (p->label_cost != 1 && p->leaf_label != CAIRN_LEAF_BY_MAJORITY)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{label-cost} and {leaf-label %s} are two ways to label a leaf; choose "
                          "one",
                          cairn_leaf_rules[p->leaf_label].name);
    if (job->task == CAIRN_CLASSIFY) return CAIRN_OK;
    if (p->leaf_label != CAIRN_LEAF_BY_MAJORITY)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{leaf-label %s} needs classes, and '%s' is a number; leave it out",
                          cairn_leaf_rules[p->leaf_label].name, job->view->target_name);
    if (p->reject_below > 0 && p->small_leaf == CAIRN_SMALL_REJECT)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{reject-below} answers no class, and '%s' is a number; add "
                          "{small-leaf parent}",
                          job->view->target_name);
    return CAIRN_OK;
}

/* -- the table of nodes -- */

typedef struct node_table {
    cairn_report *out;
    const cairn_tree_model *tree;
    const cairn_schema *schema;
    const cairn_leaf_params *params;
    double *prior, *shares; /* n_classes */
    size_t n_shown;         /* classes with a column of their own */
} node_table;

/* Per cent with a mark above and below the limits: "92.0 ▲", "2.9 ▽". */
static void percent_cell(node_table *t, double share, size_t node, const char *key)
{
    cairn_text text = cairn_text_start(cairn_report_context(t->out));
    cairn_text_add_number(&text, 100 * share, 4);
    cairn_text_add(&text, share > t->params->mark_above   ? " ▲"
                          : share < t->params->mark_below ? " ▽"
                                                          : "  ");
    cairn_report_cell(t->out, cairn_text_string(&text));
    cairn_report_failed(t->out, cairn_text_status(&text));
    cairn_report_hidden(t->out, 100 * share, "node%zu.percent.%s", node, key);
    cairn_text_clear(&text);
}

/* The class that a rule would answer, with the change of its share. */
static void rule_cell(node_table *t, cairn_leaf_rule rule, size_t i)
{
    const char *name = cairn_leaf_rules[rule].name;
    size_t node = i + 1, k = t->tree->n_classes;
    cairn_text text = cairn_text_start(cairn_report_context(t->out));
    int32_t label = cairn_leaf_choose(rule, t->shares, t->prior, k);
    double change = cairn_leaf_change(rule, t->shares[label], t->prior[label]);
    cairn_text_addf(&text, "%s %s", cairn_schema_class(t->schema, label), change < 0 ? "−" : "+");
    cairn_text_add_number(&text, fabs(change), 3);
    cairn_report_cell(t->out, cairn_text_string(&text));
    cairn_report_hidden_word(t->out, cairn_schema_class(t->schema, label), "node%zu.label.%s", node,
                             name);
    for (size_t l = 0; l < k; l++)
        cairn_report_hidden(t->out, cairn_leaf_change(rule, t->shares[l], t->prior[l]),
                            "node%zu.%s.%s", node, name,
                            cairn_report_key(t->out, cairn_schema_class(t->schema, (int32_t)l)));
    cairn_report_failed(t->out, cairn_text_status(&text));
    cairn_text_clear(&text);
}

/* One line for every node, numbered from 1 with 0 above the root; the score of a leaf stays
 * empty because it has no split. */
static void node_row(node_table *t, size_t i)
{
    const cairn_tree_node *node = &t->tree->nodes[i];
    cairn_report *out = t->out;
    cairn_text branch = cairn_text_start(cairn_report_context(out));
    bool leaf = node->column < 0;
    if (i > 0)
        cairn_tree_add_condition(&branch, t->tree, &t->tree->nodes[node->parent],
                                 cairn_tree_branch_to(t->tree, i), t->schema);
    cairn_report_cells(out, "- - - node$1.n:6", i + 1, node->parent + 1,
                       i > 0 ? cairn_text_string(&branch) : "all rows", node->weight);
    if (t->tree->n_classes) {
        cairn_tree_shares(t->tree, i, t->shares);
        for (size_t l = 0; l < t->n_shown; l++)
            percent_cell(t, t->shares[l], i + 1,
                         cairn_report_key(t->out, cairn_schema_class(t->schema, (int32_t)l)));
        rule_cell(t, CAIRN_LEAF_BY_ABSOLUTE, i);
        rule_cell(t, CAIRN_LEAF_BY_RELATIVE, i);
    } else
        cairn_report_cell_number(out, node->mean, 6, "node%zu.mean", i + 1);
    if (leaf)
        cairn_report_cell(out, "");
    else
        cairn_report_cell_number(out, node->gain, 6, "node%zu.score", i + 1);
    branch.length = 0;
    if (t->tree->n_classes)
        cairn_report_hidden_word(out, cairn_schema_class(t->schema, node->label), "node%zu.label",
                                 i + 1);
    cairn_tree_add_label(&branch, t->tree, node, t->schema);
    if (leaf) cairn_report_row_mark(out);
    cairn_report_cell(out, cairn_text_string(&branch));
    cairn_report_failed(out, cairn_text_status(&branch));
    cairn_text_clear(&branch);
}

/* The whole tree as numbers, for those who want to check it by hand; a head per class makes its
 * width depend on the data. */
static void show_nodes(node_table *t)
{
    cairn_report *out = t->out;
    cairn_report_table_of(out, "Table of nodes", TABLE_NODES, "rrlr", "node", "above", "condition",
                          "size");
    for (size_t l = 0; l < t->n_shown; l++) {
        cairn_text head = cairn_text_start(cairn_report_context(out));
        cairn_text_addf(&head, "%s, %%", cairn_schema_class(t->schema, (int32_t)l));
        cairn_report_column(out, cairn_text_string(&head), 'r');
        cairn_report_failed(out, cairn_text_status(&head));
        cairn_text_clear(&head);
    }
    if (t->tree->n_classes) {
        cairn_report_columns(out, "ll", "absolute change", "relative change");
    } else {
        cairn_report_column(out, "mean", 'r');
    }
    cairn_report_columns(out, "rl", "score at the split", "answer");
    for (size_t i = 0; i < t->tree->n_nodes && cairn_report_row_wanted(out); i++) node_row(t, i);
    cairn_report_table_end(out);
    cairn_report_paragraph(
        out, "Marked rows are leaves. %s",
        cairn_say(cairn_report_context(out),
                  t->tree->n_classes
                      ? "▲ and ▽ are shares above {mark-above} and below {mark-below}. "
                        "The changes are against the root: the class whose share rose "
                        "most, and by how much."
                      : ""));
}

/* Ends with the error of the tree as the mean of the leaves' errors by rows; rejected rows count
 * neither as right nor as wrong. */
static void show_leaves(node_table *t)
{
    cairn_report *out = t->out;
    cairn_report_table_of(out, "Leaves", TABLE_NODES, "rrrrl", "node", "rows", "share",
                          t->tree->n_classes ? "error" : "variance", "rule");
    for (size_t i = 0; i < t->tree->n_nodes && cairn_report_row_wanted(out); i++)
        if (t->tree->nodes[i].column < 0) {
            /* A leaf as a rule that can be read without the tree. */
            const cairn_tree_node *node = &t->tree->nodes[i];
            cairn_text text = cairn_text_start(cairn_report_context(out));
            cairn_report_cells(out, "- -:6 node$1.share:4", i + 1, node->weight,
                               node->weight / t->tree->nodes[0].weight);
            cairn_report_cell_number(out, node->weight > 0 ? node->error / node->weight : NAN, 6,
                                     t->tree->n_classes ? "node%zu.error" : "node%zu.variance",
                                     i + 1);
            cairn_text_add(&text, i ? "IF " : "always");
            cairn_tree_add_path(&text, t->tree, i, t->schema, " AND ");
            cairn_text_add(&text, " THEN ");
            cairn_tree_add_label(&text, t->tree, node, t->schema);
            cairn_report_cell_word(out, cairn_text_string(&text), "node%zu.rule", i + 1);
            cairn_report_failed(out, cairn_text_status(&text));
            cairn_text_clear(&text);
        }
    cairn_report_table_end(out);
    if (!t->tree->n_classes) return;
    cairn_tree_errors sum = cairn_tree_count_errors(t->tree);
    cairn_text text = cairn_text_start(cairn_report_context(out));
    cairn_text_add(&text, "error of the tree = Σ rows·error / Σ rows = ");
    cairn_text_add_number(&text, sum.errors, 6);
    cairn_text_add(&text, " / ");
    cairn_text_add_number(&text, sum.total - sum.rejected, 6);
    cairn_report_formula(out, "%s", cairn_text_string(&text));
    cairn_report_failed(out, cairn_text_status(&text));
    cairn_text_clear(&text);
}

void cairn_tree_show_nodes(cairn_report *out, const cairn_tree_model *tree,
                           const cairn_schema *schema, const cairn_leaf_params *params)
{
    cairn_context *ctx = cairn_report_context(out);
    if (!ctx || !params->node_table) return;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    node_table t = {.out = out, .tree = tree, .schema = schema, .params = params};
    cairn_status status;
    TRY(SCRATCH_EACH(ctx, tree->n_classes, &t.prior, &t.shares));
    t.n_shown = tree->n_classes < TABLE_CLASSES ? tree->n_classes : TABLE_CLASSES;
    cairn_tree_shares(tree, 0, t.prior);
    show_nodes(&t);
    show_leaves(&t);
done:
    cairn_report_failed(out, status);
    cairn_scratch_release(ctx, mark);
}
