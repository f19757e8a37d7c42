/* SPDX-License-Identifier: MIT */
/* Trees of counts: read from text or taken from a model, ranked, and grown again split by split. */
#include "compute/trees/leaf_tree.h"

#include "base/memory.h"
#include "base/number.h"
#include "learners/tree/tree.h"
#include "stats/impurity.h"

#include <math.h>
#include <string.h>

enum { DEEPEST = 64, MOST_MODEL_LEAVES = 4096 };

const cairn_choice cairn_growth_orders[] = {
    {"depth", CAIRN_GROWTH_DEPTH, "a node, then all below its first branch, as --steps shows them"},
    {"levels", CAIRN_GROWTH_LEVELS, "level by level"},
    {"best", CAIRN_GROWTH_BEST, "the split that is worth most, as --max-leaves does"},
    {NULL, 0, NULL},
};

/* -- the order of splits -- */

/* Take the best node that waits; its inner children wait from then on. The first of equals is the
 * one that stands first in the tree. */
static cairn_status order_best(cairn_context *ctx, uint32_t *out, size_t *n_out, size_t most,
                               const cairn_growing *nodes, size_t n)
{
    uint32_t *waiting;
    size_t n_waiting = 0;
    CHECK(SCRATCH(ctx, &waiting, n + 1));
    if (n && nodes[0].inner) waiting[n_waiting++] = 0;
    while (n_waiting && *n_out < most) {
        size_t at = 0;
        for (size_t i = 1; i < n_waiting; i++)
            if (nodes[waiting[i]].merit > nodes[waiting[at]].merit + CAIRN_TREE_TIE) at = i;
        uint32_t taken = out[(*n_out)++] = waiting[at];
        memmove(waiting + at, waiting + at + 1, (n_waiting - at - 1) * sizeof *waiting);
        n_waiting--;
        for (size_t i = taken + 1; i < n; i++) {
            if (!nodes[i].inner || nodes[i].parent != (int32_t)taken) continue;
            size_t place = n_waiting++;
            for (; place > 0 && waiting[place - 1] > i; place--)
                waiting[place] = waiting[place - 1];
            waiting[place] = (uint32_t)i;
        }
    }
    return CAIRN_OK;
}

cairn_status cairn_growth_order(cairn_context *ctx, uint32_t *out, size_t *n_out, size_t most,
                                const cairn_growing *nodes, size_t n, int order)
{
    *n_out = 0;
    if (order == CAIRN_GROWTH_BEST) return order_best(ctx, out, n_out, most, nodes, n);
    if (order == CAIRN_GROWTH_LEVELS) {
        int32_t *depths, deepest = 0;
        CHECK(SCRATCH(ctx, &depths, n + 1));
        for (size_t i = 0; i < n; i++) {
            depths[i] = nodes[i].parent < 0 ? 0 : depths[nodes[i].parent] + 1;
            if (depths[i] > deepest) deepest = depths[i];
        }
        for (int32_t d = 0; d <= deepest && *n_out < most; d++)
            for (size_t i = 0; i < n && *n_out < most; i++)
                if (nodes[i].inner && depths[i] == d) out[(*n_out)++] = (uint32_t)i;
        return CAIRN_OK;
    }
    for (size_t i = 0; i < n && *n_out < most; i++)
        if (nodes[i].inner) out[(*n_out)++] = (uint32_t)i;
    return CAIRN_OK;
}

cairn_status cairn_tree_growth(cairn_context *ctx, uint32_t *out, size_t *n_out, size_t most,
                               const cairn_tree_model *tree, int order)
{
    cairn_growing *nodes;
    CHECK(SCRATCH(ctx, &nodes, tree->n_nodes));
    for (size_t i = 0; i < tree->n_nodes; i++) {
        const cairn_tree_node *node = &tree->nodes[i];
        nodes[i] = (cairn_growing){node->parent, node->column >= 0, node->weight * node->gain};
    }
    return cairn_growth_order(ctx, out, n_out, most, nodes, tree->n_nodes, order);
}

cairn_status cairn_leaf_tree_growth(cairn_context *ctx, uint32_t **out, size_t *n_out, size_t most,
                                    const cairn_leaf_tree *tree, int order)
{
    cairn_growing *nodes;
    size_t n = (size_t)tree->n_nodes;
    CHECK(SCRATCH_EACH(ctx, n + 1, &nodes, out));
    for (size_t i = 0; i < n; i++)
        nodes[i] =
            (cairn_growing){tree->nodes[i].parent, tree->nodes[i].leaf < 0, tree->nodes[i].merit};
    return cairn_growth_order(ctx, *out, n_out, most, nodes, n, order);
}

/* -- reading -- */

static cairn_status add_leaf(cairn_context *ctx, cairn_leaf_tree *t, double p, double n)
{
    if (t->n_leaves == CAIRN_MOST_LEAVES)
        return cairn_fail(ctx, CAIRN_USAGE, "{leaves}: at most %d leaves can be looked at",
                          CAIRN_MOST_LEAVES);
    t->leaves[t->n_leaves++] = (cairn_leaf){p, n};
    t->p += p;
    t->n += n;
    return CAIRN_OK;
}

/* "29,10)" at *at: the counts of a leaf whose bracket is open. */
static cairn_status read_pair(cairn_context *ctx, const char *text, size_t *at, double out[2])
{
    const char *end = text + strlen(text);
    for (int i = 0; i < 2; i++) {
        const char *from = text + *at, *to = cairn_number_scan(from, end, &out[i]);
        if (!to || !(out[i] >= 0) || isinf(out[i]))
            return cairn_fail_place(ctx, text, *at,
                                    "{leaves}: a count of 0 or more is expected here");
        *at = (size_t)(to - text);
        if (text[*at] != ')' && text[*at] != ',')
            return cairn_fail_place(ctx, text, *at, "{leaves}: %s",
                                    i == 0 ? "a comma is expected here" : "a ) is expected");
        if ((text[*at] == ',') != (i == 0))
            return cairn_fail_place(ctx, text, *at,
                                    "{leaves}: a leaf is two counts: (positives,negatives)");
        ++*at;
    }
    return CAIRN_OK;
}

static int add_node(cairn_leaf_tree *t, int parent)
{
    int at = t->n_nodes++;
    t->nodes[at] = (cairn_leaf_node){.parent = parent, .first = -1, .next = -1, .leaf = -1};
    if (parent < 0) return at;
    t->nodes[at].depth = t->nodes[parent].depth + 1;
    int *link = &t->nodes[parent].first;
    while (*link >= 0) link = &t->nodes[*link].next;
    *link = at;
    return at;
}

/* Brackets inside each other; the outermost node has none of its own. */
static cairn_status read_structure(cairn_context *ctx, cairn_leaf_tree *t, const char *text)
{
    size_t at = 0, depth = 0;
    int node = add_node(t, -1);
    while (text[at]) {
        if (text[at] == ' ') {
            at++;
        } else if (text[at] == ')') {
            if (t->nodes[node].parent < 0 || t->nodes[node].first < 0)
                CHECK(cairn_fail_place(ctx, text, at, "{leaves}: this ) closes nothing"));
            node = t->nodes[node].parent;
            depth--;
            at++;
        } else if (text[at] == '(') {
            if (t->n_nodes == 2 * CAIRN_MOST_LEAVES || depth == DEEPEST)
                CHECK(cairn_fail_place(ctx, text, at, "{leaves}: the tree is too large"));
            node = add_node(t, node);
            depth++;
            at++;
            if (text[at] == '(') continue;
            double counts[2];
            CHECK(read_pair(ctx, text, &at, counts));
            t->nodes[node].leaf = (int)t->n_leaves;
            CHECK(add_leaf(ctx, t, counts[0], counts[1]));
            node = t->nodes[node].parent;
            depth--;
        } else {
            CHECK(cairn_fail_place(ctx, text, at, "{leaves}: a bracket is expected here"));
        }
    }
    if (depth) CHECK(cairn_fail_place(ctx, text, at, "{leaves}: a ) is missing"));
    return CAIRN_OK;
}

/* Splits are numbered level by level. */
static void number_splits(cairn_leaf_tree *t)
{
    int number = 0, deepest = 0;
    for (int i = 0; i < t->n_nodes; i++)
        if (t->nodes[i].depth > deepest) deepest = t->nodes[i].depth;
    for (int depth = 0; depth <= deepest; depth++)
        for (int i = 0; i < t->n_nodes; i++)
            if (t->nodes[i].depth == depth && t->nodes[i].leaf < 0) t->nodes[i].split = ++number;
}

/* Sums of counts below every node, and numbers of the splits. */
static void finish_structure(cairn_leaf_tree *t)
{
    for (int i = t->n_nodes - 1; i >= 0; i--) {
        cairn_leaf_node *node = &t->nodes[i];
        if (node->leaf >= 0) {
            node->p = t->leaves[node->leaf].p;
            node->n = t->leaves[node->leaf].n;
        }
        if (node->parent >= 0) {
            t->nodes[node->parent].p += node->p;
            t->nodes[node->parent].n += node->n;
        }
    }
    number_splits(t);
}

/* What the entropy falls by, times the rows. */
static double merit_of(const cairn_leaf_tree *t, const cairn_leaf_node *node)
{
    double whole[2] = {node->p, node->n}, part[2];
    double merit = (node->p + node->n) * cairn_entropy(whole, 2);
    for (int at = node->first; at >= 0; at = t->nodes[at].next) {
        part[0] = t->nodes[at].p;
        part[1] = t->nodes[at].n;
        merit -= (part[0] + part[1]) * cairn_entropy(part, 2);
    }
    return merit;
}

cairn_status cairn_leaf_tree_read(cairn_context *ctx, cairn_leaf_tree *t, const char *text)
{
    double *cells;
    size_t rows, columns;
    *t = (cairn_leaf_tree){0};
    CHECK(SCRATCH(ctx, &t->leaves, CAIRN_MOST_LEAVES));
    CHECK(SCRATCH(ctx, &t->nodes, 2 * CAIRN_MOST_LEAVES));
    if (strchr(text, '(')) {
        CHECK(read_structure(ctx, t, text));
        finish_structure(t);
        for (int i = 0; i < t->n_nodes; i++)
            if (t->nodes[i].leaf < 0) t->nodes[i].merit = merit_of(t, &t->nodes[i]);
    } else {
        CHECK(cairn_read_counts(ctx, "leaves", text, &cells, &rows, &columns));
        if (columns != 2)
            CHECK(cairn_fail(ctx, CAIRN_USAGE,
                             "{leaves}: a leaf has two counts, positives and negatives, not %zu",
                             columns));
        for (size_t i = 0; i < rows; i++) CHECK(add_leaf(ctx, t, cells[2 * i], cells[2 * i + 1]));
    }
    if (!(t->p > 0 && t->n > 0))
        CHECK(cairn_fail(ctx, CAIRN_USAGE, "{leaves}: there must be positives and negatives"));
    return CAIRN_OK;
}

/* -- from a model -- */

static cairn_status find_positive(cairn_context *ctx, const cairn_model *model, const char *name,
                                  int64_t *out)
{
    const cairn_field *target = cairn_model_target(model);
    *out = model->n_classes == 2 ? model->positive >= 0 ? model->positive : 0 : -1;
    if (name) *out = cairn_map_find(&target->names, name, strlen(name));
    if (*out >= 0) return CAIRN_OK;
    if (name)
        return cairn_fail(ctx, CAIRN_USAGE, "{positive}: '%s' is no class of '%s'", name,
                          target->name);
    return cairn_fail(ctx, CAIRN_USAGE,
                      "'%s' has %zu classes; {positive CLASS} takes one against all others",
                      target->name, model->n_classes);
}

static void take_node(cairn_leaf_tree *t, const cairn_tree_model *tree, size_t i, int64_t positive)
{
    const cairn_tree_node *from = &tree->nodes[i];
    int at = add_node(t, from->parent);
    cairn_leaf_node *node = &t->nodes[at];
    for (size_t j = 0; j < from->n_counts; j++)
        *(tree->classes[from->counts + j] == positive ? &node->p : &node->n) +=
            tree->weights[from->counts + j];
    node->merit = from->column >= 0 ? from->weight * from->gain : 0;
    if (from->column >= 0) return;
    node->leaf = (int)t->n_leaves;
    t->leaves[t->n_leaves++] = (cairn_leaf){node->p, node->n};
}

cairn_status cairn_leaf_tree_of_model(cairn_context *ctx, cairn_leaf_tree *t,
                                      const cairn_model *model, const char *positive)
{
    const cairn_tree_model *tree = model->state;
    int64_t code;
    *t = (cairn_leaf_tree){0};
    if (!cairn_same(cairn_model_learner(model), "tree"))
        return cairn_fail(ctx, CAIRN_USAGE, "a model of %s has no leaves to look at; fit a tree",
                          cairn_model_learner(model));
    if (!tree->n_classes)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "this tree predicts numbers; coverage is about two classes");
    size_t leaves = cairn_tree_leaves(tree);
    if (leaves > MOST_MODEL_LEAVES)
        return cairn_fail(
            ctx, CAIRN_BAD_DATA,
            "the tree has %zu leaves and at most %d are looked at; grow a smaller one "
            "({max-leaves}) or prune it",
            leaves, MOST_MODEL_LEAVES);
    CHECK(find_positive(ctx, model, positive, &code));
    CHECK(SCRATCH(ctx, &t->leaves, leaves));
    CHECK(SCRATCH(ctx, &t->nodes, tree->n_nodes));
    for (size_t i = 0; i < tree->n_nodes; i++) take_node(t, tree, i, code);
    number_splits(t);
    t->p = t->nodes[0].p;
    t->n = t->nodes[0].n;
    t->positive = cairn_map_key(&cairn_model_target(model)->names, (size_t)code);
    if (!(t->p > 0 && t->n > 0))
        CHECK(cairn_fail(ctx, CAIRN_BAD_DATA,
                         "the rows of the tree are all of one class; coverage needs both"));
    return CAIRN_OK;
}

cairn_status cairn_leaf_tree_find(cairn_context *ctx, cairn_leaf_tree *out, const char *text,
                                  const cairn_model *model, const char *positive)
{
    if (text && model) return cairn_fail(ctx, CAIRN_USAGE, "either a model or {leaves}, not both");
    if (text) return cairn_leaf_tree_read(ctx, out, text);
    if (model) return cairn_leaf_tree_of_model(ctx, out, model, positive);
    return cairn_fail(ctx, CAIRN_USAGE,
                      "a model of a tree or {leaves} is needed, such as '29,10;1,25;15,3' or "
                      "'((29,10)(1,25))((15,3)(5,62))'");
}

/* -- rankings -- */

void cairn_leaves_sort(const cairn_leaf *leaves, size_t *order, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t at = i;
        for (; at > 0; at--) {
            cairn_leaf a = leaves[order[at - 1]], b = leaves[i];
            bool empty = a.p + a.n == 0; /* without a share: they come last */
            if (!empty && (b.p + b.n == 0 || a.p * (b.p + b.n) >= b.p * (a.p + a.n))) break;
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
}

double cairn_leaves_area(const cairn_leaf *leaves, const size_t *order, size_t n, double p,
                         double all_n)
{
    double above = 0, area = 0;
    for (size_t i = 0; i < n; i++) {
        cairn_leaf at = leaves[order ? order[i] : i];
        area += at.n * (above + at.p / 2);
        above += at.p;
    }
    return area / (p * all_n);
}

void cairn_leaf_add(cairn_text *out, cairn_leaf at)
{
    cairn_text_add_char(out, '[');
    cairn_text_add_number(out, at.p, 6);
    cairn_text_add(out, "+,");
    cairn_text_add_number(out, at.n, 6);
    cairn_text_add(out, "-]");
}

cairn_status cairn_leaf_stage_make(cairn_context *ctx, cairn_leaf_stage *out,
                                   const cairn_leaf_tree *tree)
{
    size_t n = (size_t)tree->n_nodes + 1;
    CHECK(SCRATCH_EACH(ctx, n, &out->leaves, &out->nodes, &out->order));
    return SCRATCH(ctx, &out->present, n);
}

void cairn_leaf_stage_fill(cairn_leaf_stage *out, const cairn_leaf_tree *tree, const bool *split)
{
    out->n = 0;
    for (int i = 0; i < tree->n_nodes; i++) {
        const cairn_leaf_node *node = &tree->nodes[i];
        out->present[i] = node->parent < 0 || (out->present[node->parent] && split[node->parent]);
        if (!out->present[i] || split[i]) continue;
        out->nodes[out->n] = i;
        out->leaves[out->n++] = (cairn_leaf){node->p, node->n};
    }
    cairn_leaves_sort(out->leaves, out->order, out->n);
    out->auc = cairn_leaves_area(out->leaves, out->order, out->n, tree->p, tree->n);
}

cairn_status cairn_same_label_cuts(cairn_context *ctx, bool *cut, const cairn_leaf_tree *tree,
                                   const char *labels)
{
    char *same;
    if (labels && (strlen(labels) != tree->n_leaves || strspn(labels, "+-") != tree->n_leaves))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{labels}: %zu signs + or - are needed, one per leaf, not '%s'",
                          tree->n_leaves, labels);
    CHECK(SCRATCH(ctx, &same, (size_t)tree->n_nodes + 1));
    for (int i = tree->n_nodes - 1; i >= 0; i--) {
        const cairn_leaf_node *node = &tree->nodes[i];
        if (node->leaf >= 0)
            same[i] = labels ? labels[node->leaf] : (char)(node->p > node->n ? '+' : '-');
        for (int at = node->first; node->leaf < 0 && at >= 0; at = tree->nodes[at].next)
            same[i] = (char)(at == node->first || same[at] == same[i] ? same[at] : 'x');
        cut[i] = node->leaf < 0 && same[i] != 'x';
    }
    return CAIRN_OK;
}
