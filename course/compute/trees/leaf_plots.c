/* SPDX-License-Identifier: MIT */
/* Trees in coverage space: nodes as segments, the curve as it grows, all labellings of the leaves,
 * and what pruning leaves of the curve. */
#include "compute/trees/leaf_tree.h"

#include "base/memory.h"
#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_LEVELS = 6, LABELLED_LEAVES = 12, MOST_LABELLED = 10, NAMED_LABELLINGS = 4 };

static cairn_status new_plot(cairn_context *ctx, cairn_figure **out, const cairn_leaf_tree *t,
                             const char *name, const char *title, bool small)
{
    SCOPED(cairn_text_clear) cairn_text axis = cairn_text_start(ctx);
    CHECK(cairn_figure_new(ctx, out, name, title));
    cairn_figure_size(*out, small ? 250 : 480, small ? 250 : 420);
    if (t->positive)
        cairn_text_addf(&axis, "%s (%s)", small ? "positives" : "positives covered", t->positive);
    else
        cairn_text_add(&axis, small ? "positives" : "positives covered");
    cairn_figure_axes(*out, small ? "negatives" : "negatives covered", cairn_text_string(&axis));
    cairn_figure_coverage_box(*out, t->n, t->p);
    return cairn_text_status(&axis);
}

/* A curve through the corners of leaves in an order; room for one more than leaves. */
typedef struct corners {
    double *x, *y;
    size_t n;
} corners;

static cairn_status corners_make(cairn_context *ctx, corners *out, size_t n)
{
    CHECK(SCRATCH(ctx, &out->x, n + 1));
    return SCRATCH(ctx, &out->y, n + 1);
}

static void corners_fill(corners *c, const cairn_leaf *leaves, const size_t *order, size_t n)
{
    c->x[0] = c->y[0] = 0;
    for (size_t i = 0; i < n; i++) {
        cairn_leaf at = leaves[order[i]];
        c->x[i + 1] = c->x[i] + at.n;
        c->y[i + 1] = c->y[i] + at.p;
    }
    c->n = n + 1;
}

static void title_area(char out[96], const char *what, double auc)
{
    char number[CAIRN_NUMBER_SIZE];
    cairn_number_format(number, auc, 4);
    (void)snprintf(out, 96, "%.40s (area %.24s)", what, number);
}

/* -- nodes as segments -- */

/* Where the segment of every node begins: the children of a node lie end to end on its segment. */
static cairn_status begin_segments(cairn_context *ctx, const cairn_leaf_tree *t, double *x,
                                   double *y)
{
    int *children;
    CHECK(SCRATCH(ctx, &children, (size_t)t->n_nodes + 1));
    x[0] = y[0] = 0;
    for (int i = 0; i < t->n_nodes; i++) {
        double right = x[i], up = y[i];
        /* Children of a node by their share of positives, so that each split bends its segment
         * upwards. */
        size_t n = 0;
        for (int at = t->nodes[i].first; at >= 0; at = t->nodes[at].next) {
            const cairn_leaf_node *b = &t->nodes[at];
            size_t place = n++;
            for (; place > 0; place--) {
                const cairn_leaf_node *a = &t->nodes[children[place - 1]];
                if (a->p * (b->p + b->n) >= b->p * (a->p + a->n)) break;
                children[place] = children[place - 1];
            }
            children[place] = at;
        }
        for (size_t j = 0; j < n; j++) {
            x[children[j]] = right;
            y[children[j]] = up;
            right += t->nodes[children[j]].n;
            up += t->nodes[children[j]].p;
        }
    }
    return CAIRN_OK;
}

/* The segments of one level as a line with gaps. */
static cairn_status add_level(cairn_context *ctx, cairn_figure *f, const cairn_leaf_tree *t,
                              const double *x, const double *y, int depth)
{
    double *line_x, *line_y;
    size_t n = 0, buffer = 3 * (size_t)t->n_nodes;
    char label[48];
    CHECK(SCRATCH_EACH(ctx, buffer, &line_x, &line_y));
    for (int i = 0; i < t->n_nodes; i++) {
        const cairn_leaf_node *node = &t->nodes[i];
        if (node->depth != depth) continue;
        const double ends[][2] = {{x[i], y[i]}, {x[i] + node->n, y[i] + node->p}, {NAN, NAN}};
        for (int e = 0; e < 3; e++, n++) line_x[n] = ends[e][0], line_y[n] = ends[e][1];
    }
    if (depth == 0)
        (void)snprintf(label, sizeof label, "the root");
    else
        (void)snprintf(label, sizeof label, "after level %d", depth);
    if (n) cairn_figure_dashed(f, label, line_x, line_y, n - 1);
    return CAIRN_OK;
}

/* The counts of a leaf at the middle of its segment. */
static cairn_status label_leaves(cairn_context *ctx, cairn_figure *f, const cairn_leaf_tree *t,
                                 const double *x, const double *y)
{
    cairn_status status = CAIRN_OK;
    for (int i = 0; i < t->n_nodes && !status; i++) {
        const cairn_leaf_node *node = &t->nodes[i];
        cairn_text text = cairn_text_start(ctx);
        if (node->leaf < 0 || node->p + node->n == 0) continue;
        cairn_leaf_add(&text, (cairn_leaf){node->p, node->n});
        cairn_figure_label(f, x[i] + node->n / 2, y[i] + node->p / 2, cairn_text_string(&text));
        status = cairn_text_status(&text);
        cairn_text_clear(&text);
    }
    return status;
}

cairn_status cairn_leaf_tree_figure(cairn_context *ctx, cairn_figure **out,
                                    const cairn_leaf_tree *t)
{
    OWNED(cairn_figure_free) cairn_figure *f = NULL;
    double *x, *y;
    size_t *order;
    corners curve;
    int deepest = 0;
    char title[96];
    CHECK(SCRATCH_EACH(ctx, (size_t)t->n_nodes + 1, &x, &y));
    CHECK(SCRATCH(ctx, &order, t->n_leaves + 1));
    CHECK(corners_make(ctx, &curve, t->n_leaves));
    cairn_leaves_sort(t->leaves, order, t->n_leaves);
    corners_fill(&curve, t->leaves, order, t->n_leaves);
    title_area(title, "The tree in coverage space",
               cairn_leaves_area(t->leaves, order, t->n_leaves, t->p, t->n));
    CHECK(new_plot(ctx, &f, t, "tree-coverage", title, false));
    for (int i = 0; i < t->n_nodes; i++)
        if (t->nodes[i].depth > deepest) deepest = t->nodes[i].depth;
    if (t->n_nodes) CHECK(begin_segments(ctx, t, x, y));
    for (int d = 0; d <= deepest && d < MOST_LEVELS && t->n_nodes; d++)
        CHECK(add_level(ctx, f, t, x, y, d));
    cairn_figure_line(f, "leaves by share", curve.x, curve.y, curve.n);
    if (t->n_leaves <= LABELLED_LEAVES && t->n_nodes) CHECK(label_leaves(ctx, f, t, x, y));
    *out = TAKE(f);
    return CAIRN_OK;
}

/* -- growth -- */

typedef struct growing {
    cairn_context *ctx;
    const cairn_leaf_tree *tree;
    cairn_leaf_stage stage;
    bool *split;
    uint32_t *order;
    size_t n_splits;
    corners before, now;
} growing;

static cairn_status growing_make(growing *g, int order, size_t most)
{
    size_t n = (size_t)g->tree->n_nodes;
    CHECK(cairn_leaf_stage_make(g->ctx, &g->stage, g->tree));
    CHECK(cairn_leaf_tree_growth(g->ctx, &g->order, &g->n_splits, most, g->tree, order));
    CHECK(SCRATCH(g->ctx, &g->split, n + 1));
    CHECK(corners_make(g->ctx, &g->before, n));
    return corners_make(g->ctx, &g->now, n);
}

/* The curve after k splits, in g->now; the one before it in g->before. */
static void grow_to(growing *g, size_t k)
{
    corners kept = g->before;
    if (k > 0) g->split[g->order[k - 1]] = true;
    g->before = g->now;
    g->now = kept;
    cairn_leaf_stage_fill(&g->stage, g->tree, g->split);
    corners_fill(&g->now, g->stage.leaves, g->stage.order, g->stage.n);
}

static void stage_title(char out[96], size_t k, double auc)
{
    char what[48];
    if (k == 0)
        (void)snprintf(what, sizeof what, "No split");
    else
        (void)snprintf(what, sizeof what, "%zu split%s", k, k == 1 ? "" : "s");
    title_area(out, what, auc);
}

static cairn_status add_panel(growing *g, cairn_figure *all, size_t k)
{
    OWNED(cairn_figure_free) cairn_figure *panel = NULL;
    char title[96];
    grow_to(g, k);
    stage_title(title, k, g->stage.auc);
    CHECK(new_plot(g->ctx, &panel, g->tree, "stage", title, true));
    const corners *before = k > 0 ? &g->before : &g->now;
    cairn_figure_dashed(panel, NULL, before->x, before->y, before->n);
    cairn_figure_line(panel, NULL, g->now.x, g->now.y, g->now.n);
    cairn_figure_points(panel, g->now.x, g->now.y, NULL, g->now.n, NULL, 0);
    cairn_figure_panel(all, panel);
    panel = NULL;
    return CAIRN_OK;
}

static cairn_status refuse_no_structure(cairn_context *ctx, const cairn_leaf_tree *t)
{
    if (t->n_nodes) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE,
                      "{leaves}: growing and pruning need the structure of the tree, such as "
                      "((29,10)(1,25))((15,3)(5,62))");
}

cairn_status cairn_growth_figure(cairn_context *ctx, cairn_figure **out, const cairn_leaf_tree *t,
                                 int order, size_t most, bool overlaid)
{
    OWNED(cairn_figure_free) cairn_figure *f = NULL;
    growing g = {.ctx = ctx, .tree = t};
    char title[96], whole[96] = "The curve as the tree grows";
    CHECK(refuse_no_structure(ctx, t));
    CHECK(growing_make(&g, order, most > 0 ? most - 1 : 0));
    size_t all = (size_t)t->n_nodes - t->n_leaves;
    if (g.n_splits < all)
        (void)snprintf(whole, sizeof whole,
                       "The curve as the tree grows: the first %zu of %zu splits", g.n_splits, all);
    if (overlaid) {
        CHECK(new_plot(ctx, &f, t, "growth", whole, false));
        for (size_t k = 0; k <= g.n_splits; k++) {
            grow_to(&g, k);
            stage_title(title, k, g.stage.auc);
            cairn_figure_line(f, title, g.now.x, g.now.y, g.now.n);
        }
    } else {
        CHECK(cairn_figure_new(ctx, &f, "growth", whole));
        for (size_t k = 0; k <= g.n_splits; k++) CHECK(add_panel(&g, f, k));
        cairn_figure_columns(f, g.n_splits <= 3 ? 2 : 3);
    }
    *out = TAKE(f);
    return CAIRN_OK;
}

/* -- labellings -- */

/* Lines between labellings that differ in one leaf, as one line with gaps. */
static cairn_status add_lattice(cairn_context *ctx, cairn_figure *f, const cairn_leaf_tree *t,
                                const double *x, const double *y)
{
    double *line_x, *line_y;
    size_t all = (size_t)1 << t->n_leaves, n = 0;
    CHECK(SCRATCH_EACH(ctx, 3 * all * t->n_leaves, &line_x, &line_y));
    for (size_t code = 0; code < all; code++)
        for (size_t bit = 0; bit < t->n_leaves; bit++) {
            size_t other = code | (size_t)1 << bit;
            if (other == code) continue;
            const double ends[][2] = {{x[code], y[code]}, {x[other], y[other]}, {NAN, NAN}};
            for (int e = 0; e < 3; e++, n++) line_x[n] = ends[e][0], line_y[n] = ends[e][1];
        }
    cairn_figure_faint(f, line_x, line_y, n);
    return CAIRN_OK;
}

/* A long minus: hyphens run together. */
enum { LABELLING_SIZE = 3 * MOST_LABELLED + 1 };

static void name_labelling(char out[LABELLING_SIZE], size_t code, size_t n)
{
    size_t used = 0;
    for (size_t i = 0; i < n; i++) {
        const char *sign = code >> i & 1 ? "+" : "−";
        memcpy(out + used, sign, strlen(sign));
        used += strlen(sign);
    }
    out[used] = 0;
}

/* An order of the leaves is a way along the lines, from none to all of them. */
static void title_orders(char *out, size_t size, size_t n)
{
    double orders = 1;
    char number[CAIRN_NUMBER_SIZE];
    for (size_t i = 2; i <= n; i++) orders *= (double)i;
    cairn_number_format(number, orders, 12);
    (void)snprintf(out, size, "All labellings of the leaves; the %s orders are paths between them",
                   number);
}

cairn_status cairn_labellings_figure(cairn_context *ctx, cairn_figure **out,
                                     const cairn_leaf_tree *t)
{
    OWNED(cairn_figure_free) cairn_figure *f = NULL;
    size_t *order, n = t->n_leaves, code = 0;
    double *x, *y;
    char title[120];
    corners best, worst;
    if (n > MOST_LABELLED)
        return cairn_fail(
            ctx, CAIRN_BAD_DATA,
            "%zu leaves have 2^%zu labellings; at most %d leaves are drawn: prune the "
            "tree or grow it with {max-leaves %d}",
            n, n, MOST_LABELLED, MOST_LABELLED);
    CHECK(SCRATCH_EACH(ctx, (size_t)1 << n, &x, &y));
    CHECK(SCRATCH(ctx, &order, n + 1));
    CHECK(corners_make(ctx, &best, n));
    CHECK(corners_make(ctx, &worst, n));
    for (code = 0; code >> n == 0; code++)
        for (size_t i = 0; i < n; i++)
            if (code >> i & 1) x[code] += t->leaves[i].n, y[code] += t->leaves[i].p;
    cairn_leaves_sort(t->leaves, order, n);
    corners_fill(&best, t->leaves, order, n);
    for (size_t i = 0; i <= n; i++) { /* the other way round */
        worst.x[i] = t->n - best.x[n - i];
        worst.y[i] = t->p - best.y[n - i];
    }
    title_orders(title, sizeof title, n);
    CHECK(new_plot(ctx, &f, t, "labellings", title, false));
    CHECK(add_lattice(ctx, f, t, x, y));
    cairn_figure_points(f, x, y, NULL, (size_t)1 << n, NULL, 0);
    cairn_figure_line(f, "best for some costs", best.x, best.y, best.n);
    cairn_figure_dashed(f, "worst order", worst.x, worst.y, best.n);
    code = 0;
    for (size_t i = 0; i <= n && n <= 2 * NAMED_LABELLINGS; i++) {
        char name[LABELLING_SIZE];
        name_labelling(name, code, n);
        cairn_figure_label(f, best.x[i], best.y[i], name);
        if (i < n) code |= (size_t)1 << order[i];
    }
    *out = TAKE(f);
    return CAIRN_OK;
}

/* -- pruning -- */

cairn_status cairn_same_label_figure(cairn_context *ctx, cairn_figure **out,
                                     const cairn_leaf_tree *t, const char *labels)
{
    OWNED(cairn_figure_free) cairn_figure *f = NULL;
    cairn_leaf_stage stage;
    bool *split;
    corners curve;
    double fp = 0, tp = 0;
    char title[96];
    CHECK(refuse_no_structure(ctx, t));
    CHECK(cairn_leaf_stage_make(ctx, &stage, t));
    CHECK(SCRATCH(ctx, &split, (size_t)t->n_nodes + 1));
    CHECK(corners_make(ctx, &curve, (size_t)t->n_nodes));
    CHECK(new_plot(ctx, &f, t, "same-label", "Pruning keeps the labels, not the ranking", false));
    for (int i = 0; i < t->n_nodes; i++) split[i] = t->nodes[i].leaf < 0;
    for (int pruned = 0; pruned < 2; pruned++) {
        cairn_leaf_stage_fill(&stage, t, split);
        corners_fill(&curve, stage.leaves, stage.order, stage.n);
        title_area(title, pruned ? "pruned" : "all splits", stage.auc);
        if (pruned)
            cairn_figure_dashed(f, title, curve.x, curve.y, curve.n);
        else
            cairn_figure_line(f, title, curve.x, curve.y, curve.n);
        if (pruned) break;
        CHECK(cairn_same_label_cuts(ctx, split, t, labels));
        for (int i = 0; i < t->n_nodes; i++) split[i] = t->nodes[i].leaf < 0 && !split[i];
    }
    for (size_t i = 0; i < t->n_leaves; i++)
        if (labels ? labels[i] == '+' : t->leaves[i].p > t->leaves[i].n)
            fp += t->leaves[i].n, tp += t->leaves[i].p;
    cairn_figure_mark(f, "what both answer", fp, tp);
    *out = TAKE(f);
    return CAIRN_OK;
}

/* The tree with the counts of its nodes; what lies below a split that is taken back is dashed. */
static cairn_status add_tree(cairn_context *ctx, cairn_figure *f, const cairn_leaf_tree *t,
                             const bool *cut, const char *labels)
{
    static const char *const signs[] = {"answers +", "answers −"};
    cairn_status status = CAIRN_OK;
    bool *gone;
    TRY(SCRATCH(ctx, &gone, (size_t)t->n_nodes));
    cairn_figure_tree_groups(f, signs, 2);
    for (int i = 0; i < t->n_nodes; i++) {
        const cairn_leaf_node *node = &t->nodes[i];
        bool leaf = node->leaf >= 0, plus = node->p > node->n;
        cairn_text text = cairn_text_start(ctx);
        gone[i] = node->parent >= 0 && (gone[node->parent] || cut[node->parent]);
        if (leaf && labels) plus = labels[node->leaf] == '+';
        if (leaf) cairn_text_addf(&text, "%s\n", plus ? "+" : "−");
        cairn_leaf_add(&text, (cairn_leaf){node->p, node->n});
        (void)cairn_figure_tree_node(f, node->parent, NULL, cairn_text_string(&text), leaf, !plus,
                                     NULL, 0);
        if (gone[i]) cairn_figure_tree_flag(f, i, CAIRN_NODE_OPEN);
        status = cairn_text_status(&text);
        cairn_text_clear(&text);
        if (status) break;
    }
done:
    return status;
}

cairn_status cairn_pruned_figure(cairn_context *ctx, cairn_figure **out, const cairn_leaf_tree *t,
                                 const char *labels)
{
    OWNED(cairn_figure_free) cairn_figure *curves = NULL;
    OWNED(cairn_figure_free) cairn_figure *tree = NULL;
    OWNED(cairn_figure_free) cairn_figure *both = NULL;
    bool *cut;
    CHECK(refuse_no_structure(ctx, t));
    CHECK(SCRATCH(ctx, &cut, (size_t)t->n_nodes));
    CHECK(cairn_same_label_cuts(ctx, cut, t, labels));
    CHECK(cairn_same_label_figure(ctx, &curves, t, labels));
    CHECK(cairn_figure_new(ctx, &both, "pruned", NULL));
    CHECK(cairn_figure_new(ctx, &tree, "tree", "Dashed: splits of one label, taken back"));
    CHECK(add_tree(ctx, tree, t, cut, labels));
    cairn_figure_panel(both, tree);
    cairn_figure_panel(both, curves);
    *out = both;
    both = tree = curves = NULL;
    return CAIRN_OK;
}
