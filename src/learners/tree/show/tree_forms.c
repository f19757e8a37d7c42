/* SPDX-License-Identifier: MIT */
/* Trees written down: as text that can be read again, as rules, as nested conditions, as a graph
 * for Graphviz.
 *
 * What is indented by depth would grow with the square of the depth. So a split at every PART_DEPTH
 * levels is the root of a part that is written by itself, after the part that names it. */
#include "learners/tree/show/tree_show.h"

#include "base/memory.h"
#include "base/number.h"
#include <string.h>

enum { PART_DEPTH = 50 };

/* -- words -- */

static void add_answer(cairn_text *out, const cairn_tree_model *tree, const cairn_tree_node *node,
                       const cairn_schema *schema)
{
    if (node->column < 0 && node->reason == CAIRN_LEAF_REJECTED)
        cairn_text_add(out, "reject");
    else if (node->linear)
        cairn_linear_leaf_add(out, tree, node, schema, true);
    else if (!tree->n_classes)
        cairn_text_add_number(out, node->mean, CAIRN_SHORTEST);
    else if (cairn_schema_class(schema, node->label)[0] == '@') /* not the name of a part */
        cairn_given_add_quoted(out, cairn_schema_class(schema, node->label));
    else
        cairn_given_add_name(out, cairn_schema_class(schema, node->label));
}

/* "outlook = sunny", so that it can be read again. */
static void add_readable(cairn_text *out, const cairn_tree_model *tree, const cairn_tree_node *node,
                         size_t branch, const cairn_schema *schema)
{
    const cairn_field *field = cairn_schema_feature(schema, (size_t)node->column);
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
                            cairn_schema_class(schema, tree->classes[node->counts + j]));
            cairn_text_add_number(out, tree->weights[node->counts + j], 6);
        }
}

/* Names may hold anything; a comment ends with the line. */
static void add_comment_safe(cairn_text *out, size_t from)
{
    for (size_t i = from; out->bytes && i < out->length; i++)
        if (out->bytes[i] == '\n' || out->bytes[i] == '\r') out->bytes[i] = ' ';
}

static bool rejects(const cairn_tree_model *tree)
{
    for (size_t i = 0; i < tree->n_nodes; i++)
        if (tree->nodes[i].column < 0 && tree->nodes[i].reason == CAIRN_LEAF_REJECTED) return true;
    return false;
}

/* -- parts -- */

typedef struct parts {
    const cairn_tree_model *tree;
    const cairn_schema *schema;
    int32_t *depths; /* n_nodes */
    size_t *ends;    /* n_nodes: the first node that is not below */
} parts;

static cairn_status find_parts(cairn_context *ctx, parts *out, const cairn_tree_model *tree,
                               const cairn_schema *schema)
{
    *out = (parts){.tree = tree, .schema = schema};
    CHECK(SCRATCH_EACH(ctx, tree->n_nodes, &out->depths, &out->ends));
    cairn_tree_depths(tree, out->depths);
    for (size_t i = tree->n_nodes; i-- > 0;) {
        if (out->ends[i] < i + 1) out->ends[i] = i + 1;
        int32_t parent = tree->nodes[i].parent;
        if (parent >= 0 && out->ends[parent] < out->ends[i]) out->ends[parent] = out->ends[i];
    }
    return CAIRN_OK;
}

static bool is_part(const parts *p, size_t node)
{
    return node > 0 && p->depths[node] % PART_DEPTH == 0 && p->tree->nodes[node].column >= 0;
}

/* The node that a part names next after `node`: what is below another part is passed over. */
static size_t next_node(const parts *p, size_t node, size_t root)
{
    return node != root && is_part(p, node) ? p->ends[node] : node + 1;
}

/* Steps from the left margin of a node of the part that begins at `root`, whose name has a line of
 * its own unless it is that of the tree. */
static size_t steps_in(const parts *p, size_t node, size_t root)
{
    return (size_t)(p->depths[node] - p->depths[root]) - (root == 0);
}

typedef void (*part_writer)(cairn_text *out, const parts *p, size_t root);

static void write_parts(cairn_text *out, const cairn_tree_model *tree, const cairn_schema *schema,
                        part_writer write)
{
    cairn_scratch_mark mark = cairn_scratch_now(out->ctx);
    parts p;
    if (!out->status) out->status = find_parts(out->ctx, &p, tree, schema);
    for (size_t i = 0; !out->status && i < tree->n_nodes; i++) {
        if (i > 0 && !is_part(&p, i)) continue;
        if (i > 0) cairn_text_addf(out, "@%zu:\n", i + 1);
        write(out, &p, i);
    }
    cairn_scratch_release(out->ctx, mark);
}

/* -- text -- */

/* A linear leaf is written as "?" because its model is fitted again from the rows when the text
 * is read; the formula stands in the comment. */
static void add_text_node(cairn_text *out, const parts *p, size_t i, bool is_root)
{
    const cairn_tree_model *tree = p->tree;
    const cairn_tree_node *node = &tree->nodes[i];
    if (node->column < 0) {
        if (i > 0) cairn_text_add(out, " ");
        if (node->linear) /* with --leaf linear the rows give it again */
            cairn_text_add(out, "?");
        else
            add_answer(out, tree, node, p->schema);
    } else if (!is_root && is_part(p, i)) {
        cairn_text_addf(out, " @%zu", i + 1);
    }
    size_t from = out->length;
    cairn_text_add(out, "  # ");
    add_rows(out, tree, node, p->schema);
    if (node->linear) {
        cairn_text_add(out, ": ");
        add_answer(out, tree, node, p->schema);
    }
    add_comment_safe(out, from);
    cairn_text_add(out, "\n");
}

static void write_text_part(cairn_text *out, const parts *p, size_t root)
{
    const cairn_tree_model *tree = p->tree;
    if (root == 0 && tree->n_surrogates)
        cairn_text_add(out, "# Tests that stand in for others are not written down; read with "
                            "--missing-in-model surrogate,\n# they are found again in the rows.\n");
    if (root == 0 && tree->nodes[0].column < 0) add_text_node(out, p, 0, true);
    for (size_t i = root + 1; i < p->ends[root]; i = next_node(p, i, root)) {
        const cairn_tree_node *node = &tree->nodes[i];
        cairn_text_add_repeat(out, ' ', 4 * steps_in(p, i, root));
        add_readable(out, tree, &tree->nodes[node->parent], cairn_tree_branch_to(tree, i),
                     p->schema);
        cairn_text_add(out, ":");
        add_text_node(out, p, i, false);
    }
}

static void write_text(cairn_text *out, const void *model, const cairn_job *job)
{
    write_parts(out, model, job->schema, write_text_part);
}

/* -- rules -- */

/* Rules of a tree that is deep by many columns grow with the square of its depth. */
static const size_t MOST_BYTES = (size_t)1 << 28;

static void add_path(cairn_text *out, const cairn_tree_model *tree, size_t leaf,
                     const cairn_schema *schema, const char *joint)
{
    size_t n = 0, *path = NULL;
    if (!out->status) out->status = cairn_tick(out->ctx, NULL, 0, 0);
    if (!out->status && out->length > MOST_BYTES)
        out->status = cairn_fail(out->ctx, CAIRN_BAD_DATA,
                                 "the paths of this tree fill more than %zu MB; use {to} text, "
                                 "which names every condition once, or a smaller tree "
                                 "({max-depth}, {prune})",
                                 MOST_BYTES >> 20);
    if (!out->status) out->status = cairn_tree_path(out->ctx, tree, leaf, &path, &n);
    for (size_t d = 0; !out->status && d < n; d++) {
        if (d > 0) cairn_text_add(out, joint);
        add_readable(out, tree, &tree->nodes[tree->nodes[path[d]].parent],
                     cairn_tree_branch_to(tree, path[d]), schema);
    }
    cairn_free(path);
}

/* A leaf is a rule: the conditions on its path, its answer, its rows and how many it gets right. */
static void write_rules(cairn_text *out, const void *model, const cairn_job *job)
{
    const cairn_tree_model *tree = model;
    const cairn_field *target = cairn_schema_target(job->schema);
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
    const cairn_field *target = cairn_schema_target(job->schema);
    for (size_t l = 0; l < tree->n_classes + rejects(tree); l++) {
        size_t found = 0;
        cairn_given_add_name(out, target ? target->name : "?");
        cairn_text_add(out, " = ");
        if (l < tree->n_classes)
            cairn_given_add_name(out, cairn_schema_class(job->schema, (int32_t)l));
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

/* A part within this one is only named, and written out after it: see the top of the file. */
static void write_nested_part(cairn_text *out, const parts *p, size_t root)
{
    const cairn_tree_model *tree = p->tree;
    for (size_t i = root; i < p->ends[root]; i = next_node(p, i, root)) {
        const cairn_tree_node *node = &tree->nodes[i];
        bool named = i != root && is_part(p, i);
        if (i != root) {
            cairn_text_add_repeat(out, ' ', 4 * steps_in(p, i, root));
            cairn_text_add(out, is_first_child(tree, i) ? "if " : "else if ");
            add_readable(out, tree, &tree->nodes[node->parent], cairn_tree_branch_to(tree, i),
                         p->schema);
            cairn_text_add(out, node->column < 0 || named ? " then " : " then\n");
        }
        if (named)
            cairn_text_addf(out, "@%zu\n", i + 1);
        else if (node->column < 0) {
            add_answer(out, tree, node, p->schema);
            cairn_text_add(out, "\n");
        }
    }
}

static void write_nested(cairn_text *out, const void *model, const cairn_job *job)
{
    write_parts(out, model, job->schema, write_nested_part);
}

/* -- JSON -- */

/* A class is a string, a number a number; a linear leaf is "?", as in the text. */
static void add_json_answer(cairn_text *out, const cairn_tree_model *tree,
                            const cairn_tree_node *node, const cairn_schema *schema)
{
    if (node->linear)
        cairn_text_add(out, "\"?\"");
    else if (node->reason == CAIRN_LEAF_REJECTED)
        cairn_text_add(out, "\"reject\"");
    else if (tree->n_classes)
        cairn_text_add_json(out, cairn_schema_class(schema, node->label));
    else
        cairn_text_add_number(out, node->mean, CAIRN_SHORTEST);
}

static void add_json_condition(cairn_text *out, const cairn_tree_model *tree, size_t i,
                               const cairn_schema *schema)
{
    SCOPED(cairn_text_clear) cairn_text condition = cairn_text_start(out->ctx);
    add_readable(&condition, tree, &tree->nodes[tree->nodes[i].parent],
                 cairn_tree_branch_to(tree, i), schema);
    if (!out->status) out->status = cairn_text_status(&condition);
    cairn_text_add_json(out, cairn_text_string(&condition));
}

/* Nodes come with what is below them right behind, so that an object is open as long as the depth
 * does not fall. */
static void write_json(cairn_text *out, const void *model, const cairn_job *job)
{
    SCOPED_SCRATCH(out->ctx);
    const cairn_tree_model *tree = model;
    int32_t *depths = NULL, open = 1;
    if (!out->status) out->status = SCRATCH(out->ctx, &depths, tree->n_nodes);
    if (out->status) return;
    cairn_tree_depths(tree, depths);
    if (tree->nodes[0].column < 0) add_json_answer(out, tree, &tree->nodes[0], job->schema);
    for (size_t i = 1; i < tree->n_nodes; i++) {
        for (; open > depths[i]; open--) {
            cairn_text_add(out, "\n");
            cairn_text_add_repeat(out, ' ', 2 * (size_t)(open - 1));
            cairn_text_add(out, "}");
        }
        cairn_text_add(out, is_first_child(tree, i) ? "{\n" : ",\n");
        cairn_text_add_repeat(out, ' ', 2 * (size_t)depths[i]);
        add_json_condition(out, tree, i, job->schema);
        cairn_text_add(out, ": ");
        if (tree->nodes[i].column < 0)
            add_json_answer(out, tree, &tree->nodes[i], job->schema);
        else
            open = depths[i] + 1;
    }
    for (; tree->n_nodes > 1 && open > 0; open--) {
        cairn_text_add(out, "\n");
        cairn_text_add_repeat(out, ' ', 2 * (size_t)(open - 1));
        cairn_text_add(out, "}");
    }
    cairn_text_add(out, "\n");
}

/* -- graph -- */

/* The text added since `from` as the inside of a string of DOT. */
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

/* Names may hold quotes and backslashes, so whatever comes from the data is escaped after it is
 * written. */
static void write_dot(cairn_text *out, const void *model, const cairn_job *job)
{
    const cairn_tree_model *tree = model;
    cairn_text_add(out, "digraph tree {\n    node [fontname=\"sans-serif\"];\n"
                        "    edge [fontname=\"sans-serif\"];\n");
    for (size_t i = 0; i < tree->n_nodes; i++) {
        const cairn_tree_node *node = &tree->nodes[i];
        const cairn_field *field =
            node->column < 0 ? NULL : cairn_schema_feature(job->schema, (size_t)node->column);
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

const cairn_export_form cairn_tree_forms[] = {
    {"text", "indented lines that --given reads again", write_text},
    {"rules", "one rule per leaf, with its rows and accuracy", write_rules},
    {"dnf", "for each class the conditions of all its leaves, joined by or", write_dnf},
    {"nested", "if, then, else inside each other", write_nested},
    {"tree-json", "objects of conditions inside each other, which --given reads again", write_json},
    {"dot", "a graph for Graphviz", write_dot},
    {NULL, NULL, NULL},
};
