/* SPDX-License-Identifier: MIT */
/* Names of columns, branches, paths and leaves of a tree in words. */
#include "learners/tree/show/tree_show.h"
#include "base/number.h"
#include "learners/tree/targets/tree_targets.h"
#include <math.h>

const cairn_impurity_words *cairn_tree_impurity_words(cairn_impurity impurity)
{
    static const cairn_impurity_words words[] = {
        [CAIRN_ENTROPY] = {"entropy", "H", "H(S) = −Σ p·log₂ p", "information gain"},
        [CAIRN_GINI] = {"gini", "Gini", "Gini(S) = 1 − Σ p²", "Gini reduction"},
        [CAIRN_MINORITY] = {"minority", "M", "M(S) = 1 − max p", "reduction of the minority share"},
        [CAIRN_SQRT_GINI] = {"sqrtgini", "G", "G(S) = ½·Σ √(p·(1 − p))", "√Gini reduction"},
    };
    return &words[impurity];
}

/* The level of a set that has just one on this side; -1 = there are several. */
static int32_t only_level(const cairn_tree_model *tree, const cairn_tree_node *node, size_t branch)
{
    int32_t only = -1;
    for (size_t v = 0; v < node->n_levels; v++) {
        if (tree->sets[(size_t)node->level + v] != branch + 1) continue;
        if (only >= 0) return -1;
        only = (int32_t)v;
    }
    return only;
}

/* The sign of a two-way test, in plain letters or not. */
static const char *sign_of(const cairn_tree_model *tree, const cairn_tree_node *node, size_t branch,
                           bool plain)
{
    if (node->test == CAIRN_TEST_SET && only_level(tree, node, branch) < 0)
        return plain ? "in" : "∈";
    if (node->test == CAIRN_TEST_LEVEL && branch > 0) return plain ? "!=" : "≠";
    if (node->test != CAIRN_TEST_CUT) return "=";
    if (tree->cut_form == CAIRN_TREE_LT) return branch == 0 ? "<" : plain ? ">=" : "≥";
    return branch > 0 ? ">" : plain ? "<=" : "≤";
}

const char *cairn_tree_sign(const cairn_tree_model *tree, const cairn_tree_node *node,
                            size_t branch)
{
    return sign_of(tree, node, branch, true);
}

/* Letters of the set of a branch between its braces, all of them. */
static size_t set_width(const cairn_tree_model *tree, const cairn_tree_node *node, size_t branch,
                        const cairn_field *field)
{
    size_t width = 0;
    for (size_t v = 0; v < node->n_levels && field && v < field->names.n; v++)
        if (tree->sets[(size_t)node->level + v] == branch + 1)
            width += (width ? 2 : 0) + cairn_text_width(cairn_map_key(&field->names, v));
    return width;
}

/* A set of one level reads like a plain level; a cut of ordered levels is named by the last
 * level below it, not by its place. */
static void add_value(cairn_text *text, const cairn_tree_model *tree, const cairn_tree_node *node,
                      size_t branch, const cairn_field *field, bool plain)
{
    bool cut = node->test == CAIRN_TEST_CUT;
    size_t level = node->test == CAIRN_TEST_LEVEL ? (size_t)node->level : branch;
    if (node->test == CAIRN_TEST_SET) {
        int32_t only = only_level(tree, node, branch);
        if (only < 0) {
            /* {sunny, rain}; of a long set the first levels unless all are wanted: a line of the
             * tree has room for what follows, and a picture for the branch beside it. */
            bool all = plain;
            enum { WHOLE = 32, SHORTENED = 21 };
            size_t used = 0, left = 0;
            if (!all) all = set_width(tree, node, branch, field) <= WHOLE;
            cairn_text_add_char(text, '{');
            for (size_t v = 0; v < node->n_levels && field && v < field->names.n; v++) {
                if (tree->sets[(size_t)node->level + v] != branch + 1) continue;
                const char *name = cairn_map_key(&field->names, v);
                size_t width = cairn_text_width(name) + (used ? 2 : 0);
                if (left || (!all && used && used + width > SHORTENED)) {
                    left++;
                    continue;
                }
                cairn_text_addf(text, "%s%s", used ? ", " : "", name);
                used += width;
            }
            if (left) cairn_text_addf(text, ", … %zu more", left);
            cairn_text_add_char(text, '}');
            return;
        }
        level = (size_t)only;
    }
    if (cut && field && field->kind == CAIRN_LEVEL) /* ordered levels up to this one */
        level = node->cut >= 0 && node->cut < (double)field->names.n ? (size_t)node->cut
                                                                     : field->names.n;
    if (cut && !(field && field->kind == CAIRN_LEVEL))
        cairn_text_add_number(text, node->cut, CAIRN_SHORTEST);
    else
        cairn_text_add(text,
                       field && level < field->names.n ? cairn_map_key(&field->names, level) : "?");
}

void cairn_tree_add_branch(cairn_text *text, const cairn_tree_model *tree,
                           const cairn_tree_node *node, size_t branch, const cairn_schema *schema,
                           bool plain)
{
    const cairn_field *field = cairn_schema_feature(schema, (size_t)node->column);
    if (branch >= (size_t)node->n_branches) {
        cairn_text_add(text, "missing");
        return;
    }
    if (node->test != CAIRN_TEST_LEVELS)
        cairn_text_addf(text, "%s ", sign_of(tree, node, branch, plain));
    add_value(text, tree, node, branch, field, plain);
}

void cairn_tree_add_condition(cairn_text *text, const cairn_tree_model *tree,
                              const cairn_tree_node *node, size_t branch,
                              const cairn_schema *schema)
{
    const cairn_field *field = cairn_schema_feature(schema, (size_t)node->column);
    bool missing = branch >= (size_t)node->n_branches;
    const char *sign = missing ? "=" : sign_of(tree, node, branch, true);
    const char *space = sign[0] == 'i' ? " " : "";
    cairn_text_addf(text, "%s%s%s%s", field ? field->name : "?", space, sign, space);
    if (missing)
        cairn_text_add(text, "missing");
    else
        add_value(text, tree, node, branch, field, true);
}

size_t cairn_tree_branch_to(const cairn_tree_model *tree, size_t node)
{
    const cairn_tree_node *parent = &tree->nodes[tree->nodes[node].parent];
    size_t branch = 0;
    while (tree->links[parent->links + branch] != (int32_t)node) branch++;
    return branch;
}

/* -- paths -- */

/* Whether every level of one branch of a set is in that of another. */
static bool is_within(const cairn_tree_model *tree, const cairn_tree_node *inner,
                      size_t inner_branch, const cairn_tree_node *outer, size_t outer_branch)
{
    for (size_t v = 0; v < inner->n_levels; v++) {
        if (tree->sets[(size_t)inner->level + v] != inner_branch + 1) continue;
        if (v >= outer->n_levels || tree->sets[(size_t)outer->level + v] != outer_branch + 1)
            return false;
    }
    return true;
}

/* What is known of a column from the conditions farther down: places in the path + 1. */
typedef struct known_limits {
    size_t below, above, fixed;
} known_limits;

/* Of two cuts of the same side the tighter one stays. */
static void keep_tighter(const cairn_tree_model *tree, size_t *path, size_t d, size_t *kept,
                         bool below)
{
    double cut = tree->nodes[tree->nodes[path[d]].parent].cut;
    if (*kept) {
        double other = tree->nodes[tree->nodes[path[*kept - 1]].parent].cut;
        bool tighter = below ? cut < other : cut > other;
        path[tighter ? *kept - 1 : d] = SIZE_MAX;
        if (!tighter) return;
    }
    *kept = d + 1;
}

/* Mark condition d when those farther down imply it. */
static void judge_condition(const cairn_tree_model *tree, size_t *path, size_t d,
                            known_limits *known)
{
    const cairn_tree_node *parent = &tree->nodes[tree->nodes[path[d]].parent];
    size_t branch = cairn_tree_branch_to(tree, path[d]);
    if (branch >= (size_t)parent->n_branches) return;
    if (parent->test == CAIRN_TEST_CUT) {
        keep_tighter(tree, path, d, branch ? &known->above : &known->below, branch == 0);
    } else if (parent->test == CAIRN_TEST_SET) {
        size_t node = known->fixed ? path[known->fixed - 1] : 0;
        if (node && is_within(tree, &tree->nodes[tree->nodes[node].parent],
                              cairn_tree_branch_to(tree, node), parent, branch))
            path[d] = SIZE_MAX;
        else
            known->fixed = d + 1;
    } else if (parent->test == CAIRN_TEST_LEVEL && branch > 0 && known->fixed) {
        path[d] = SIZE_MAX;
    } else if (parent->test == CAIRN_TEST_LEVELS || branch == 0) {
        known->fixed = d + 1;
    }
}

static cairn_status drop_implied(cairn_context *ctx, const cairn_tree_model *tree, size_t *path,
                                 size_t *n)
{
    OWNED(cairn_free) known_limits *known = NULL;
    size_t n_columns = 0, kept = 0;
    for (size_t d = 0; d < *n; d++) {
        size_t column = (size_t)tree->nodes[tree->nodes[path[d]].parent].column;
        n_columns = column >= n_columns ? column + 1 : n_columns;
    }
    CHECK(NEW(ctx, &known, n_columns));
    for (size_t d = *n; d-- > 0;)
        judge_condition(tree, path, d, &known[tree->nodes[tree->nodes[path[d]].parent].column]);
    for (size_t d = 0; d < *n; d++)
        if (path[d] != SIZE_MAX) path[kept++] = path[d];
    *n = kept;
    return CAIRN_OK;
}

cairn_status cairn_tree_path(cairn_context *ctx, const cairn_tree_model *tree, size_t node,
                             size_t **out, size_t *n)
{
    size_t depth = 0;
    OWNED(cairn_free) size_t *path = NULL;
    for (size_t at = node; tree->nodes[at].parent >= 0; at = (size_t)tree->nodes[at].parent)
        depth++;
    *n = depth;
    CHECK(NEW_RAW(ctx, &path, depth + 1));
    for (size_t at = node, d = depth; d > 0; at = (size_t)tree->nodes[at].parent) path[--d] = at;
    if (depth > CAIRN_LONG_PATH) CHECK(drop_implied(ctx, tree, path, n));
    *out = TAKE(path);
    return CAIRN_OK;
}

void cairn_tree_add_path(cairn_text *text, const cairn_tree_model *tree, size_t node,
                         const cairn_schema *schema, const char *joint)
{
    size_t n = 0, *path = NULL;
    if (text->status) return;
    text->status = cairn_tree_path(text->ctx, tree, node, &path, &n);
    for (size_t d = 0; !text->status && d < n; d++) {
        const cairn_tree_node *parent = &tree->nodes[tree->nodes[path[d]].parent];
        if (d > 0) cairn_text_add(text, joint);
        cairn_tree_add_condition(text, tree, parent, cairn_tree_branch_to(tree, path[d]), schema);
    }
    cairn_free(path);
}

enum { SHOWN_TERMS = 3 };

void cairn_linear_leaf_add(cairn_text *out, const cairn_tree_model *tree,
                           const cairn_tree_node *node, const cairn_schema *schema, bool all)
{
    size_t from = (size_t)(node->linear - 1) * tree->n_regressors, terms = 0;
    int digits = all ? CAIRN_SHORTEST : 5;
    cairn_text_add_number(out, cairn_linear_leaf_constant(tree, node), digits);
    for (size_t j = 0; j < tree->n_regressors; j++) {
        double slope = tree->slopes[from + j];
        const cairn_field *field = cairn_schema_feature(schema, (size_t)tree->regressors[j]);
        if (slope == 0) continue;
        if (!all && terms++ == SHOWN_TERMS) {
            cairn_text_add(out, " + ...");
            return;
        }
        cairn_text_add(out, slope < 0 ? all ? " - " : " − " : " + ");
        cairn_text_add_number(out, fabs(slope), digits);
        cairn_text_addf(out, "%s%s", all ? " * " : "·", field ? field->name : "?");
    }
}

void cairn_tree_add_label(cairn_text *text, const cairn_tree_model *tree,
                          const cairn_tree_node *node, const cairn_schema *schema)
{
    if (node->column < 0 && node->reason == CAIRN_LEAF_REJECTED)
        cairn_text_add(text, "reject");
    else if (node->linear)
        cairn_linear_leaf_add(text, tree, node, schema, false);
    else if (cairn_tree_is_vector(tree))
        cairn_tree_targets_add_answer(text, tree, (size_t)(node - tree->nodes), schema);
    else if (tree->n_classes)
        cairn_text_add(text, cairn_schema_class(schema, node->label));
    else
        cairn_text_add_number(text, node->mean, 6);
}

static int32_t depth_of(const cairn_tree_model *tree, size_t node)
{
    int32_t depth = 0;
    for (int32_t at = (int32_t)node; tree->nodes[at].parent >= 0; at = tree->nodes[at].parent)
        depth++;
    return depth;
}

void cairn_tree_add_nested(cairn_text *text, const cairn_tree_model *tree,
                           const cairn_schema *schema)
{
    for (size_t i = 0; i < tree->n_nodes; i++) {
        const cairn_tree_node *node = &tree->nodes[i];
        if (node->parent >= 0) {
            bool first = (size_t)node->parent + 1 == i;
            cairn_text_add(text, first ? "(" : ", ");
            cairn_tree_add_branch(text, tree, &tree->nodes[node->parent],
                                  cairn_tree_branch_to(tree, i), schema, true);
            cairn_text_add(text, ": ");
        }
        if (node->column >= 0) {
            cairn_text_add(text, cairn_schema_feature(schema, (size_t)node->column)->name);
            continue;
        }
        cairn_tree_add_label(text, tree, node, schema);
        int32_t next = i + 1 < tree->n_nodes ? depth_of(tree, i + 1) : 0;
        for (int32_t k = depth_of(tree, i); k > next; k--) cairn_text_add_char(text, ')');
    }
}

const char *cairn_tree_reason(cairn_leaf_reason reason)
{
    static const char *const reasons[CAIRN_LEAF_REASONS] = {
        [CAIRN_LEAF_NONE] = "it is split",
        [CAIRN_LEAF_PURE] = "all its rows agree",
        [CAIRN_LEAF_EMPTY] = "no row gets here, so it answers as the node above",
        [CAIRN_LEAF_NO_COLUMN] = "no column is left that could divide its rows",
        [CAIRN_LEAF_SHARE] = "the share of its class reaches {purity}",
        [CAIRN_LEAF_MAX_DEPTH] = "it is at {max-depth}",
        [CAIRN_LEAF_MIN_ROWS] = "it has fewer rows than {min-rows}",
        [CAIRN_LEAF_MIN_GAIN] = "the best split scores less than {min-gain}",
        [CAIRN_LEAF_MAX_LEAVES] = "the tree has {max-leaves} leaves without splitting it",
        [CAIRN_LEAF_GIVEN] = "the given tree ends here",
        [CAIRN_LEAF_SMALL_BRANCH] = "its best split has a branch smaller than {min-leaf}",
        [CAIRN_LEAF_MIN_DROP] = "its best split lowers the squares by less than {min-drop}",
        [CAIRN_LEAF_CHANCE] = "its best split may be chance: p is above {split-level}",
        [CAIRN_LEAF_NAMED] = "the given tree ends here",
        [CAIRN_LEAF_REJECTED] = "it answers no class: its rows are rejected",
        [CAIRN_LEAF_SENT_UP] = "it has too few rows and answers as the node above",
        [CAIRN_LEAF_COLLAPSED] = "what was below it made as many errors on its rows",
        [CAIRN_LEAF_MIN_VARIANCE] = "its target varies less than {min-variance}",
        [CAIRN_LEAF_NO_GAIN] = "no split makes its rows agree more",
        [CAIRN_LEAF_PRUNED] = "what was below it was pruned",
    };
    return reasons[reason < CAIRN_LEAF_REASONS ? reason : CAIRN_LEAF_NONE];
}
