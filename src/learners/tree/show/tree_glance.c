/* SPDX-License-Identifier: MIT */
/* A tree at a glance: its first levels, with counts as one says them. */
#include "learners/tree/show/tree_show.h"

#include "base/functions.h"
#include "base/number.h"

#include <math.h>
#include <string.h>

enum { MOST_LINES = 15 };

typedef struct glance {
    const cairn_tree_model *tree;
    const cairn_schema *schema;
    const int32_t *depths;
    int32_t positive; /* class that is counted; -1 = the commonest of each node */
    int32_t limit;    /* depth down to which it is shown */
    const char *what; /* behind the counts of the positive class */
    bool parts;       /* some node has a part of a row */
    uint8_t *last;    /* by depth: whether the node there is the last child */
    cairn_text text;
} glance;

/* Whether the name of a class says yes or no to what its column is called. */
static bool is_yes(const char *name)
{
    static const char *const words[] = {"1", "yes", "true", "Yes", "True", "TRUE", "+", NULL};
    for (const char *const *word = words; *word; word++)
        if (strcmp(name, *word) == 0) return true;
    return false;
}

/* Rows, whole ones as they are and parts with one decimal. */
static void add_rows(glance *g, double rows)
{
    char number[CAIRN_NUMBER_SIZE];
    double nearest = floor(rows + 0.5);
    bool whole = fabs(rows - nearest) < 1e-9 * fmax(1, fabs(rows));
    g->parts |= !whole;
    cairn_number_fixed(number, whole ? nearest : rows, whole ? 0 : 1);
    cairn_text_add(&g->text, number);
}

/* Four digits, and whatever stands before the point: 206856, not 2.069e+05. */
static void add_mean(glance *g, double mean)
{
    enum { DIGITS = 4, MOST = 12 };
    double whole = floor(cairn_log10(fmax(fabs(mean), 1))) + 1;
    cairn_text_add_number(&g->text, mean, whole > MOST ? DIGITS : (int)fmax(DIGITS, whole));
}

/* "41 of 395 survived"; of several classes "47 of 50 versicolor"; of numbers the mean. */
static void add_counts(glance *g, const cairn_tree_node *node)
{
    const cairn_tree_model *tree = g->tree;
    if (!tree->n_classes) {
        cairn_text_add(&g->text, "mean ");
        add_mean(g, node->mean);
        cairn_text_add(&g->text, " of ");
        add_rows(g, node->weight);
        return;
    }
    double rows = 0;
    int32_t class = g->positive;
    for (size_t j = 0; j < node->n_counts; j++) {
        double weight = tree->weights[node->counts + j];
        if (g->positive < 0 ? weight > rows : tree->classes[node->counts + j] == g->positive)
            rows = weight, class = tree->classes[node->counts + j];
    }
    if (!node->n_counts) { /* all of one class */
        rows = g->positive < 0 || node->label == g->positive ? node->weight : 0;
        class = g->positive < 0 ? node->label : g->positive;
    }
    add_rows(g, rows);
    cairn_text_add(&g->text, " of ");
    add_rows(g, node->weight);
    if (g->positive < 0)
        cairn_text_addf(&g->text, " %s", cairn_schema_class(g->schema, class));
    else if (node->parent < 0 || node->column < 0)
        cairn_text_addf(&g->text, " %s", g->what);
}

/* The column and the branch that lead to a node: "sex = male", "fare ≤ 26". */
static void add_test(glance *g, size_t i)
{
    const cairn_tree_node *parent = &g->tree->nodes[g->tree->nodes[i].parent];
    size_t branch = cairn_tree_branch_to(g->tree, i);
    const cairn_field *field = cairn_schema_feature(g->schema, (size_t)parent->column);
    bool missing = branch >= (size_t)parent->n_branches;
    bool equals = parent->test == CAIRN_TEST_LEVELS || missing;
    cairn_text_addf(&g->text, "%s %s", field->name, equals ? "= " : "");
    if (parent->test == CAIRN_TEST_CUT && field->kind == CAIRN_NUMBER && !missing) {
        const char *sign = cairn_tree_sign(g->tree, parent, branch);
        cairn_text_addf(&g->text, "%s ",
                        strcmp(sign, "<=") == 0   ? "≤"
                        : strcmp(sign, ">=") == 0 ? "≥"
                                                  : sign);
        cairn_text_add_number(&g->text, parent->cut, parent->digits);
    } else {
        cairn_tree_add_branch(&g->text, g->tree, parent, branch, g->schema, false);
    }
    cairn_text_add(&g->text, ": ");
}

static bool is_last_child(const cairn_tree_model *tree, size_t node)
{
    const cairn_tree_node *parent = &tree->nodes[tree->nodes[node].parent];
    for (size_t b = cairn_tree_branch_to(tree, node) + 1; b <= (size_t)parent->n_branches; b++)
        if (tree->links[parent->links + b] >= 0) return false;
    return true;
}

static void add_node(glance *g, size_t i)
{
    const cairn_tree_node *node = &g->tree->nodes[i];
    for (int32_t k = 1; k < g->depths[i]; k++) cairn_text_add(&g->text, g->last[k] ? "   " : "│  ");
    if (node->parent >= 0) {
        g->last[g->depths[i]] = is_last_child(g->tree, i);
        cairn_text_add(&g->text, g->last[g->depths[i]] ? "└─ " : "├─ ");
        add_test(g, i);
    }
    add_counts(g, node);
    if (node->column < 0 && g->tree->n_classes) {
        cairn_text_add(&g->text, " → ");
        cairn_tree_add_label(&g->text, g->tree, node, g->schema);
    } else if (node->column >= 0 && g->depths[i] == g->limit) {
        cairn_text_add(&g->text, " ...");
    }
    cairn_text_add(&g->text, "\n");
}

/* The greatest depth down to which there are few enough nodes, the first one in any case. */
static int32_t choose_limit(const glance *g, int32_t deepest)
{
    int32_t limit = 1;
    for (; limit < deepest; limit++) {
        size_t n = 0;
        for (size_t i = 0; i < g->tree->n_nodes && n <= MOST_LINES; i++)
            n += g->depths[i] <= limit + 1;
        if (n > MOST_LINES) break;
    }
    return limit;
}

static void show_glance(cairn_report *out, glance *g, int32_t deepest)
{
    size_t shown = 0, inside = 0;
    const cairn_tree_model *tree = g->tree;
    for (size_t i = 0; i < tree->n_nodes; i++) {
        if (g->depths[i] > g->limit) continue;
        inside++;
        if (shown < MOST_LINES) add_node(g, i), shown++;
    }
    if (shown < inside) cairn_text_addf(&g->text, "... and %zu more branches\n", inside - shown);
    cairn_report_verbatim(out, cairn_text_string(&g->text));
    if (g->parts)
        cairn_report_paragraph(out, "Parts of rows: where a value is missing, a row goes down "
                                    "several branches, by shares.");
    size_t leaves = cairn_tree_leaves(tree);
    cairn_report_paragraph(out,
                           deepest > g->limit ? "%zu leaves in all, depth %d; %d levels are shown."
                                              : "%zu leaves, depth %d.",
                           leaves, (int)deepest, (int)g->limit);
}

bool cairn_tree_glance(cairn_report *out, const cairn_tree_model *tree, const cairn_schema *schema,
                       int32_t positive)
{
    cairn_context *ctx = cairn_report_context(out);
    if (!ctx || cairn_tree_is_vector(tree) || tree->n_linear) return false;
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    int32_t *depths = NULL, deepest;
    glance g = {.tree = tree, .schema = schema, .positive = tree->n_classes ? positive : -1};
    cairn_status status = SCRATCH(ctx, &depths, tree->n_nodes);
    if (!status) {
        deepest = cairn_tree_depths(tree, depths);
        status = SCRATCH(ctx, &g.last, (size_t)deepest + 1);
    }
    if (status) {
        cairn_report_failed(out, status);
        return false;
    }
    g.depths = depths;
    g.limit = choose_limit(&g, deepest);
    g.text = text;
    if (g.positive >= 0) {
        const char *name = cairn_schema_class(schema, g.positive);
        g.what = is_yes(name) ? cairn_schema_target(schema)->name : name;
    }
    unsigned before = cairn_report_only(out, CAIRN_IN_BRIEF);
    show_glance(out, &g, deepest);
    cairn_report_for(out, before);
    text = g.text; /* freed with the scope */
    cairn_report_failed(out, cairn_text_status(&text));
    return true;
}
