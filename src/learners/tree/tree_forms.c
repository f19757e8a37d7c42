/* SPDX-License-Identifier: MIT */
/* Trees written down: as text that can be read again, as rules, as nested conditions, as a graph
 * for Graphviz, as a function in C. */
#include "learners/tree/tree_plan.h"
#include "learners/tree/tree.h"
#include "learners/tree/tree_planes.h"

#include "base/number.h"
#include <string.h>

/* -- parts -- */

static void add_answer(cairn_text *out, const cairn_tree_model *tree, const cairn_tree_node *node,
                       const cairn_schema *schema)
{
    if (node->column < 0 && node->reason == CAIRN_LEAF_REJECTED)
        cairn_text_add(out, "reject");
    else if (node->plane)
        cairn_plane_add(out, tree, node, schema, true);
    else if (tree->n_classes)
        cairn_given_add_name(out, cairn_tree_class(schema, node->label));
    else
        cairn_text_add_number(out, node->mean, CAIRN_SHORTEST);
}

/* "outlook = sunny", so that it can be read again. */
static void add_readable(cairn_text *out, const cairn_tree_model *tree, const cairn_tree_node *node,
                         size_t branch, const cairn_schema *schema)
{
    const cairn_field *field = cairn_tree_field(schema, (size_t)node->column);
    bool lt = tree->cut_form == CAIRN_TREE_LT;
    cairn_given_add_name(out, field ? field->name : "?");
    if (branch >= (size_t)node->n_branches) {
        cairn_text_add(out, " = ?");
    } else if (node->test == CAIRN_TEST_CUT) {
        cairn_text_add(out, branch == 0 ? lt ? " < " : " <= " : lt ? " >= " : " > ");
        if (field && field->kind == CAIRN_LEVEL && node->cut >= 0 &&
            node->cut < (double)field->names.n) /* ordered: up to this level */
            cairn_given_add_name(out, cairn_map_key(&field->names, (size_t)node->cut));
        else
            cairn_text_add_number(out, node->cut, CAIRN_SHORTEST);
    } else if (node->test == CAIRN_TEST_SET) {
        size_t n = 0;
        for (size_t v = 0; v < node->n_levels && field && v < field->names.n; v++)
            if (tree->sets[(size_t)node->level + v] == branch + 1) {
                cairn_text_add(out, n++ ? ", " : " = [");
                cairn_given_add_name(out, cairn_map_key(&field->names, v));
            }
        cairn_text_add(out, "]");
    } else {
        size_t level = node->test == CAIRN_TEST_LEVEL ? (size_t)node->level : branch;
        cairn_text_add(out, node->test == CAIRN_TEST_LEVEL && branch > 0 ? " != " : " = ");
        cairn_given_add_name(
            out, field && level < field->names.n ? cairn_map_key(&field->names, level) : "?");
    }
}

/* "5 rows: no 3, yes 2" or "5 rows, mean 2.5" */
static void add_rows(cairn_text *out, const cairn_tree_model *tree, const cairn_tree_node *node,
                     const cairn_schema *schema)
{
    cairn_text_add_number(out, node->weight, 6);
    cairn_text_add(out, node->weight == 1 ? " row" : " rows");
    if (tree->n_classes)
        for (size_t j = 0; j < node->n_counts; j++) {
            cairn_text_addf(out, "%s%s ", j ? ", " : ": ",
                            cairn_tree_class(schema, tree->classes[node->counts + j]));
            cairn_text_add_number(out, tree->weights[node->counts + j], 6);
        }
}

/* Names may hold anything; a comment ends with the line. */
static void add_comment_safe(cairn_text *out, size_t from)
{
    for (size_t i = from; out->bytes && i < out->length; i++)
        if (out->bytes[i] == '\n' || out->bytes[i] == '\r') out->bytes[i] = ' ';
}

/* Depths of all nodes, from the memory of the text. NULL when there is none left. */
static int32_t *depths_of(cairn_text *out, const cairn_tree_model *tree)
{
    int32_t *depths = NULL;
    if (!out->status) out->status = SCRATCH(out->ctx, &depths, tree->n_nodes);
    if (out->status) return NULL;
    cairn_tree_depths(tree, depths);
    return depths;
}

static bool rejects(const cairn_tree_model *tree)
{
    for (size_t i = 0; i < tree->n_nodes; i++)
        if (tree->nodes[i].column < 0 && tree->nodes[i].reason == CAIRN_LEAF_REJECTED) return true;
    return false;
}

/* -- text -- */

static void write_text(cairn_text *out, const void *model, const cairn_job *job)
{
    const cairn_tree_model *tree = model;
    cairn_scratch_mark mark = cairn_scratch_now(out->ctx);
    const int32_t *depths = depths_of(out, tree);
    for (size_t i = 0; depths && i < tree->n_nodes; i++) {
        const cairn_tree_node *node = &tree->nodes[i];
        if (i > 0) {
            cairn_text_add_repeat(out, ' ', 4 * (size_t)(depths[i] - 1));
            add_readable(out, tree, &tree->nodes[node->parent], cairn_tree_branch_to(tree, i),
                         job->schema);
            cairn_text_add(out, ":");
        }
        if (node->column < 0) {
            if (i > 0) cairn_text_add(out, " ");
            if (node->plane) /* with --leaf linear the rows give it again */
                cairn_text_add(out, "?");
            else
                add_answer(out, tree, node, job->schema);
        }
        if (i == 0 && node->column >= 0) continue;
        size_t from = out->length;
        cairn_text_add(out, "  # ");
        add_rows(out, tree, node, job->schema);
        if (node->plane) {
            cairn_text_add(out, ": ");
            add_answer(out, tree, node, job->schema);
        }
        add_comment_safe(out, from);
        cairn_text_add(out, "\n");
    }
    cairn_scratch_release(out->ctx, mark);
}

/* -- rules -- */

static void add_path(cairn_text *out, const cairn_tree_model *tree, size_t leaf,
                     const cairn_schema *schema, const char *joint)
{
    size_t depth = 0;
    for (size_t at = leaf; tree->nodes[at].parent >= 0; at = (size_t)tree->nodes[at].parent)
        depth++;
    for (size_t d = depth; d > 0; d--) {
        size_t at = leaf;
        for (size_t up = 1; up < d; up++) at = (size_t)tree->nodes[at].parent;
        if (d < depth) cairn_text_add(out, joint);
        add_readable(out, tree, &tree->nodes[tree->nodes[at].parent],
                     cairn_tree_branch_to(tree, at), schema);
    }
}

/* A leaf is a rule: the conditions on its path, its answer, its rows and how many it gets right. */
static void write_rules(cairn_text *out, const void *model, const cairn_job *job)
{
    const cairn_tree_model *tree = model;
    const cairn_field *target = cairn_tree_target(job->schema);
    for (size_t i = 0; i < tree->n_nodes; i++) {
        const cairn_tree_node *node = &tree->nodes[i];
        if (node->column >= 0) continue;
        cairn_text_add(out, i ? "if " : "always");
        add_path(out, tree, i, job->schema, " and ");
        cairn_text_add(out, " then ");
        cairn_given_add_name(out, target ? target->name : "?");
        cairn_text_add(out, " = ");
        add_answer(out, tree, node, job->schema);
        cairn_text_add(out, "  # ");
        size_t from = out->length;
        add_rows(out, tree, node, job->schema);
        add_comment_safe(out, from);
        if (tree->n_classes && node->weight > 0) {
            cairn_text_add(out, "; accuracy ");
            cairn_text_add_number(out, (node->weight - node->error) / node->weight, 6);
        }
        cairn_text_add(out, "\n");
    }
}

/* -- disjunctions -- */

/* For each class all leaves that answer it, as a disjunction of conjunctions; rejected rows stand
 * last. */
static void write_dnf(cairn_text *out, const void *model, const cairn_job *job)
{
    const cairn_tree_model *tree = model;
    const cairn_field *target = cairn_tree_target(job->schema);
    for (size_t l = 0; l < tree->n_classes + rejects(tree); l++) {
        size_t found = 0;
        cairn_given_add_name(out, target ? target->name : "?");
        cairn_text_add(out, " = ");
        if (l < tree->n_classes)
            cairn_given_add_name(out, cairn_tree_class(job->schema, (int32_t)l));
        else
            cairn_text_add(out, "reject");
        cairn_text_add(out, " if ");
        for (size_t i = 0; i < tree->n_nodes; i++) {
            const cairn_tree_node *node = &tree->nodes[i];
            bool rejected = node->reason == CAIRN_LEAF_REJECTED;
            size_t answer = rejected ? tree->n_classes : (size_t)node->label;
            if (node->column >= 0 || answer != l) continue;
            cairn_text_add(out, found++ ? " or (" : "(");
            add_path(out, tree, i, job->schema, " and ");
            cairn_text_add(out, i ? ")" : "always)");
        }
        cairn_text_add(out, found ? "\n" : "(never)\n");
    }
    for (size_t i = 0; tree->n_classes == 0 && i < tree->n_nodes; i++) {
        if (tree->nodes[i].column >= 0) continue;
        cairn_given_add_name(out, target ? target->name : "?");
        cairn_text_add(out, " = ");
        add_answer(out, tree, &tree->nodes[i], job->schema);
        cairn_text_add(out, i ? " if (" : " if (always");
        add_path(out, tree, i, job->schema, " and ");
        cairn_text_add(out, ")\n");
    }
}

/* -- nested conditions -- */

static bool is_first_child(const cairn_tree_model *tree, size_t node)
{
    const cairn_tree_node *parent = &tree->nodes[tree->nodes[node].parent];
    for (size_t b = 0; b < cairn_tree_branch_to(tree, node); b++)
        if (tree->links[parent->links + b] >= 0) return false;
    return true;
}

static void write_nested(cairn_text *out, const void *model, const cairn_job *job)
{
    const cairn_tree_model *tree = model;
    cairn_scratch_mark mark = cairn_scratch_now(out->ctx);
    const int32_t *depths = depths_of(out, tree);
    for (size_t i = 0; depths && i < tree->n_nodes; i++) {
        const cairn_tree_node *node = &tree->nodes[i];
        if (i > 0) {
            cairn_text_add_repeat(out, ' ', 4 * (size_t)(depths[i] - 1));
            cairn_text_add(out, is_first_child(tree, i) ? "if " : "else if ");
            add_readable(out, tree, &tree->nodes[node->parent], cairn_tree_branch_to(tree, i),
                         job->schema);
            cairn_text_add(out, node->column < 0 ? " then " : " then\n");
        }
        if (node->column >= 0) continue;
        add_answer(out, tree, node, job->schema);
        cairn_text_add(out, "\n");
    }
    cairn_scratch_release(out->ctx, mark);
}

/* -- graph -- */

/* The text added since `from` as the inside of a string of DOT or C. */
static void escape_since(cairn_text *out, size_t from)
{
    cairn_text safe = cairn_text_start(out->ctx);
    for (size_t i = from; out->bytes && i < out->length; i++) {
        char c = out->bytes[i];
        if (c == '"' || c == '\\') cairn_text_add_char(&safe, '\\');
        cairn_text_add_char(&safe, (unsigned char)c < 32 ? ' ' : c);
    }
    if (out->bytes) out->length = from;
    cairn_text_add(out, cairn_text_string(&safe));
    if (!out->status) out->status = cairn_text_status(&safe);
    cairn_text_clear(&safe);
}

static void write_dot(cairn_text *out, const void *model, const cairn_job *job)
{
    const cairn_tree_model *tree = model;
    cairn_text_add(out, "digraph tree {\n    node [fontname=\"sans-serif\"];\n"
                        "    edge [fontname=\"sans-serif\"];\n");
    for (size_t i = 0; i < tree->n_nodes; i++) {
        const cairn_tree_node *node = &tree->nodes[i];
        const cairn_field *field =
            node->column < 0 ? NULL : cairn_tree_field(job->schema, (size_t)node->column);
        cairn_text_addf(out, "    n%zu [shape=%s, label=\"", i + 1, field ? "ellipse" : "box");
        size_t from = out->length;
        if (field)
            cairn_text_add(out, field->name);
        else
            cairn_tree_add_label(out, tree, node, job->schema);
        escape_since(out, from);
        cairn_text_add(out, "\\n");
        from = out->length;
        add_rows(out, tree, node, job->schema);
        escape_since(out, from);
        cairn_text_add(out, "\"];\n");
        if (i == 0) continue;
        cairn_text_addf(out, "    n%d -> n%zu [label=\"", node->parent + 1, i + 1);
        from = out->length;
        cairn_tree_add_branch(out, tree, &tree->nodes[node->parent], cairn_tree_branch_to(tree, i),
                              job->schema, false);
        escape_since(out, from);
        cairn_text_add(out, "\"];\n");
    }
    cairn_text_add(out, "}\n");
}

/* -- C -- */

static void add_c_comment(cairn_text *out, const char *text)
{
    for (; *text; text++)
        cairn_text_add_char(out, (unsigned char)*text < 32 || *text == '*' ? ' ' : *text);
}

static void add_c_head(cairn_text *out, const cairn_tree_model *tree, const cairn_schema *schema)
{
    size_t at = 0;
    cairn_text_add(out,
                   "#include <math.h>\n\n/* What the tree answers for one row. A number stands "
                   "as it is, a level as its\n * place in the list, NAN is a missing cell: it is "
                   "answered by the node that "
                   "asks for it.\n");
    for (size_t c = 0; c < tree->n_columns; c++) {
        const cairn_field *field = cairn_tree_next_field(schema, &at);
        cairn_text_addf(out, " *   x[%zu] ", c);
        add_c_comment(out, field->name);
        for (size_t l = 0; tree->is_number[c] != 1 && l < field->names.n; l++) {
            cairn_text_addf(out, "%s%zu ", l ? ", " : ": ", l);
            add_c_comment(out, cairn_map_key(&field->names, l));
        }
        cairn_text_add(out, "\n");
    }
    cairn_text_add(out, " * It returns ");
    for (size_t l = 0; l < tree->n_classes; l++) {
        cairn_text_addf(out, "%s%zu ", l ? ", " : "the class: ", l);
        add_c_comment(out, cairn_tree_class(schema, (int32_t)l));
    }
    if (rejects(tree)) cairn_text_add(out, "; -2 where it answers none");
    cairn_text_add(out, tree->n_classes ? ". */\nint tree(const double *x)\n{\n"
                                        : "the number. */\ndouble tree(const double *x)\n{\n");
}

/* The terms of a plane; one whose cell is missing is 0. */
static void add_c_plane(cairn_text *out, const cairn_tree_model *tree, const cairn_tree_node *node,
                        size_t depth)
{
    size_t from = (size_t)(node->plane - 1) * tree->n_regressors;
    for (size_t j = 0; j < tree->n_regressors; j++) {
        if (tree->slopes[from + j] == 0) continue;
        cairn_text_add_char(out, '\n');
        cairn_text_add_repeat(out, ' ', 4 * depth + 4);
        cairn_text_add(out, "+ ");
        cairn_text_add_number(out, tree->slopes[from + j], CAIRN_SHORTEST);
        cairn_text_addf(out, " * (isnan(x[%d]) ? 0 : x[%d] - ", tree->regressors[j],
                        tree->regressors[j]);
        cairn_text_add_number(out, tree->centres[from + j], CAIRN_SHORTEST);
        cairn_text_add_char(out, ')');
    }
}

static void add_c_answer(cairn_text *out, const cairn_tree_model *tree, const cairn_tree_node *node,
                         size_t depth)
{
    cairn_text_add_repeat(out, ' ', 4 * depth);
    cairn_text_add(out, "return ");
    if (tree->n_classes)
        cairn_text_addf(out, "%d",
                        node->column < 0 && node->reason == CAIRN_LEAF_REJECTED ? -2 : node->label);
    else
        cairn_text_add_number(out, node->mean, CAIRN_SHORTEST);
    if (node->plane) add_c_plane(out, tree, node, depth);
    cairn_text_add(out, ";\n");
}

static void add_c_test(cairn_text *out, const cairn_tree_model *tree, const cairn_tree_node *node,
                       size_t branch)
{
    bool lt = tree->cut_form == CAIRN_TREE_LT;
    if (branch >= (size_t)node->n_branches) {
        cairn_text_addf(out, "isnan(x[%d])", node->column);
        return;
    }
    if (node->test == CAIRN_TEST_SET) {
        size_t n = 0;
        for (size_t v = 0; v < node->n_levels; v++)
            if (tree->sets[(size_t)node->level + v] == branch + 1)
                cairn_text_addf(out, "%sx[%d] == %zu", n++ ? " || " : "", node->column, v);
        return;
    }
    cairn_text_addf(out, "x[%d] ", node->column);
    if (node->test == CAIRN_TEST_CUT) {
        cairn_text_add(out, branch == 0 ? lt ? "< " : "<= " : lt ? ">= " : "> ");
        cairn_text_add_number(out, node->cut, CAIRN_SHORTEST);
    } else if (node->test == CAIRN_TEST_LEVEL && branch > 0) {
        /* NAN is not equal to itself, and not the rest either */
        cairn_text_addf(out, ">= 0 && x[%d] != %d", node->column, node->level);
    } else {
        cairn_text_addf(out, "== %zu",
                        node->test == CAIRN_TEST_LEVEL ? (size_t)node->level : branch);
    }
}

/* Close the blocks that end before a node of depth `to`; a row that no branch takes is answered by
 * the node whose branches they were. */
static void close_blocks(cairn_text *out, const cairn_tree_model *tree, int32_t node, int32_t from,
                         int32_t to)
{
    for (int32_t depth = from; depth > to; depth--) {
        if (tree->nodes[node].column >= 0)
            add_c_answer(out, tree, &tree->nodes[node], (size_t)depth + 1);
        cairn_text_add_repeat(out, ' ', 4 * (size_t)depth);
        cairn_text_add(out, "}\n");
        node = tree->nodes[node].parent;
    }
}

static void write_c(cairn_text *out, const void *model, const cairn_job *job)
{
    const cairn_tree_model *tree = model;
    cairn_scratch_mark mark = cairn_scratch_now(out->ctx);
    const int32_t *depths = depths_of(out, tree);
    add_c_head(out, tree, job->schema);
    for (size_t i = 0; depths && i < tree->n_nodes; i++) {
        const cairn_tree_node *node = &tree->nodes[i];
        if (i > 0) {
            close_blocks(out, tree, (int32_t)i - 1, depths[i - 1], depths[i] - 1);
            cairn_text_add_repeat(out, ' ', 4 * (size_t)depths[i]);
            cairn_text_add(out, "if (");
            add_c_test(out, tree, &tree->nodes[node->parent], cairn_tree_branch_to(tree, i));
            cairn_text_add(out, ") {\n");
        }
        if (node->column < 0) add_c_answer(out, tree, node, (size_t)depths[i] + 1);
    }
    if (depths) {
        size_t last = tree->n_nodes - 1;
        close_blocks(out, tree, (int32_t)last, depths[last], 0);
        if (tree->nodes[0].column >= 0) add_c_answer(out, tree, &tree->nodes[0], 1);
    }
    cairn_text_add(out, "}\n");
    cairn_scratch_release(out->ctx, mark);
}

const cairn_export_form cairn_tree_forms[] = {
    {"text", "indented lines that --given reads again", write_text},
    {"rules", "one rule per leaf, with its rows and accuracy", write_rules},
    {"dnf", "for each class the conditions of all its leaves, joined by or", write_dnf},
    {"nested", "if, then, else inside each other", write_nested},
    {"dot", "a graph for Graphviz", write_dot},
    {"c", "a function in C", write_c},
    {NULL, NULL, NULL},
};
